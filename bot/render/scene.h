/*
 * What one reader sees of a game now, worked out once from that reader's own view: the fight, what
 * is asked, the open question, and what the reader can say. Table card, hand, panels, numbers and
 * prompt are made of it.
 *
 * A saying is one thing that can be said ("play Wet Socks"); its ways are the moves that say it
 * ("on Ann", "on Bob"). What a way makes of the fight is tried on the view, once, when it is looked
 * at.
 */
#ifndef BOT_RENDER_SCENE_H
#define BOT_RENDER_SCENE_H

#include "core/loop/query.h"
#include "core/seen/moves.h"

#include "bot/parse/names.h"
#include "bot/render/asks.h"

struct text_out;

/** Which moves of its reader a scene knows. */
enum scene_says {
    SAYS_NOTHING,
    SAYS_OWN, /**< but for proposals to others (moves_list_own) */
    SAYS_ALL
};

struct saying {
    uint16_t first, count; /**< its ways in scene.order, by scene_rank() */
};

/** The sums of the fight after something that was tried. */
struct scene_sums {
    bool tried;
    bool certain; /**< false: it is refused, or chance or hidden cards decide what comes of it */
    bool players_win;
    int players, monsters;
};

/** What was tried so far: it changes though its scene does not. */
struct scene_trial {
    struct game *after; /**< of the latest try */
    struct event_list events;
    struct scene_sums sums[MB_MOVES_MAX]; /**< of each move */
};

struct scene {
    struct table_words words;       /**< the reader's view, names, and how much a text may tell */
    struct query_fight fight;       /**< fight.on false: there is none */
    struct query_decision question; /**< open to the reader; kind DECIDE_TOTAL: none */
    struct ask_list asks;           /**< of everybody */
    bool lists_options;             /**< the question numbers its options */
    bool numbered;                  /**< numbers say lines: `plays` counts */
    uint8_t plays[MB_CARDS_MAX]; /**< by card of the hand: the number that plays it, 0: none does */
    uint8_t gives; /**< the number that gives away or discards the first card too many, or 0 */
    struct move_list moves; /**< of the reader; what they can say */
    unsigned saying_count;
    struct saying sayings[MB_MOVES_MAX];
    uint16_t order[MB_MOVES_MAX]; /**< numbers of moves, by saying */
    struct scene_trial *trial;
};

/** An empty one, with room for what is tried. */
struct scene *scene_create(void);
/** NULL is fine. */
void scene_destroy(struct scene *scene);
/** Works out what words->seat sees; before a game there is nothing. */
void scene_make(struct scene *scene, const struct table_words *words, enum scene_says says);

/** The id of the question that is open to the reader, or 0. */
static inline uint16_t scene_decision(const struct scene *scene)
{
    return scene->question.kind < DECIDE_TOTAL ? scene->question.id : 0;
}

/** What a command is about: verb, card, ability and partner. It can be said with more behind it. */
struct command scene_stem(const struct command *command);
/** Whether a command says what the stem is about, or more. */
bool scene_is_about(const struct command *stem, const struct command *command);
/** The saying that is about that; NULL: it cannot be said. */
const struct saying *scene_saying(const struct scene *scene, const struct command *stem);
/** Playing that card; NULL: it cannot be played. */
const struct saying *scene_play(const struct scene *scene, uint16_t card);
/** The move that is a saying's way. */
const struct move *scene_way(const struct scene *scene, const struct saying *saying, unsigned way);
/** Which comes first of the ways of a saying: 0 a Treasure on oneself, 1 others, 2 anything else on
 * oneself, which is seldom meant. */
unsigned scene_rank(const struct table_words *words, const struct command *command);

/** Whether a move gives away or discards cards of the hand that are too many (CHARITY-1, 3). */
bool scene_is_excess(const struct scene *scene, const struct move *move);
/** Tries a command on the view, into scene->trial->after. False: it is refused, or chance or hidden
 * cards decide what comes of it. */
bool scene_try(const struct scene *scene, const struct command *command);
/** What a move of the scene makes of the sums of the fight: " (14 to 12, you would win)". Nothing
 * if that is not certain, or they stay. */
void scene_put_sums(const struct scene *scene, const struct move *move, struct text_out *out);
/** The ways of a saying, each with what it makes of the fight: " on Ann, on Bob (9 to 8)", of
 * several of them; of a single one the sums alone, unless it is to be told, too (`single`): what
 * the card replaces. */
void scene_put_ways(const struct scene *scene, const struct saying *saying, bool single,
                    struct text_out *out);

#endif
