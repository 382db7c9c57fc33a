/*
 * Everything a seat may do now, as commands.
 *
 * A move with no open place is a command as it is. A template leaves the list open: `candidates`
 * are the cards that may stand in it, the first `must` of which do in every completion, min and max
 * how many; where `more_max` is not 0 the second list is open too, likewise. `command` holds one
 * valid completion. move_sample() draws uniform completions. Built from the same checks that
 * game_decide() uses; nothing is tried on a copy.
 */
#ifndef CORE_SEEN_MOVES_H
#define CORE_SEEN_MOVES_H

#include "core/card/box.h"
#include "core/state/command.h"

struct game;
struct mb_rng;

enum move_open { MOVE_CLOSED, MOVE_LIST_OPEN };

/** How many cards an open list offers. Hands and tables of play come to some thirty cards; of more
 * the first ones are offered, and any may still be named. The second list takes MB_MORE_MAX at
 * most. */
enum { MOVE_CANDIDATES_MAX = 64, MOVE_MORE_MAX = 32 };

struct move {
    struct command command;     /**< complete and legal as it stands */
    uint8_t open;               /**< enum move_open */
    uint8_t min, max;           /**< cards in the open list */
    uint8_t must, more_must;    /**< of the candidates, the first so many are always there */
    uint8_t more_min, more_max; /**< cards in the second list; 0, 0: as the command has it */
    uint8_t more_count;
    int16_t value_min; /**< Gold Pieces that the list must reach (sell), or 0 */
    uint8_t candidate_count;
    uint16_t candidates[MOVE_CANDIDATES_MAX];
    uint16_t more[MOVE_MORE_MAX]; /**< candidates of the second list */
};

struct move_list {
    uint32_t count, capacity;
    struct move *items;
    bool overflow;
};

/** Lists what `seat` may do now, ELAPSE left out. */
void moves_list(const struct game *game, const struct box *box, unsigned seat,
                struct move_list *out);
/** The same without what a seat may propose to others (ask, volunteer, give, offer) and without an
 * identity in the place of its like: quicker, for those who look at hands. Answers to proposals are
 * listed. */
void moves_list_own(const struct game *game, const struct box *box, unsigned seat,
                    struct move_list *out);
/** An identity in the place of its like: allowed, and of no use. */
bool move_is_pointless(const struct box *box, const struct command *command);
/** Seats that may do anything at all. */
unsigned moves_seats(const struct game *game, const struct box *box);
/** A uniform valid completion of a template; closed moves are copied. `rng` is the caller's own. */
void move_sample(const struct game *game, const struct box *box, const struct move *move,
                 struct mb_rng *rng, struct command *out);
/** Whether a command is the move, or a valid completion of the template. */
bool move_matches(const struct move *move, const struct command *command);

#endif
