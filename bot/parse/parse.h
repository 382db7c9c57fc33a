/*
 * Words to commands and back, by one grammar.
 *
 * parse_request() never looks at hidden state: it gets the typist's own view. What is wrong with
 * the words is a refusal (bad_arguments, no_such_card, ambiguous_name, ...); whether the command is
 * legal is the core's business.
 *
 * Missing words leave fields open: card and target NO_CARD, to and about NO_SEAT, the rest zero. A
 * card in the wrong place is named all the same, and the core refuses it. Only a card whose place
 * the words name ("of Bob", "in hand") is refused here, as not_in_play or not_in_hand.
 */
#ifndef BOT_PARSE_PARSE_H
#define BOT_PARSE_PARSE_H

#include "core/state/command.h"
#include "core/state/refusal.h"

#include "bot/parse/names.h"

enum request_kind {
    REQUEST_GAME, /**< `command` is for the core; of REQUEST_WHY it is what is asked about */
#define VERB(id, ...) REQUEST_##id,
#include "bot/parse/verb.def"
#undef VERB
    REQUEST_TOTAL
};

enum { REQUEST_TEXT_MAX = 512, REQUEST_CANDIDATES_MAX = 12 };

struct request {
    enum request_kind kind;
    struct command command;
    unsigned player;             /**< remove, stats: seat or NO_SEAT */
    uint16_t card;               /**< card <name>: a definition, or NO_DEF */
    int n;                       /**< log n, orders' Level */
    uint8_t order;               /**< enum in command.h */
    bool undo;                   /**< accept, refuse, withdraw: what is said is "undo" */
    char text[REQUEST_TEXT_MAX]; /**< help and rules topic, options of new, level of add-bot */
};

/** What was wrong with the words: a code, the words meant, and candidates to choose from. */
struct parse_error {
    struct refusal why;
    char words[128];    /**< the part that was not understood, cleaned of control characters */
    char expected[160]; /**< what would be understood there: one plain sentence part */
    const char *verb;   /**< the command it was read as; NULL: none */
    bool several_verbs; /**< `expected` lists the commands that the word may begin */
    unsigned candidate_count;
    uint16_t candidates[REQUEST_CANDIDATES_MAX]; /**< cards of the game */
};

/** `words->view` may be NULL when there is no game yet (lobby commands only). */
bool parse_request(const struct table_words *words, const char *line, struct request *out,
                   struct parse_error *error);
/** Words a command exactly as a player of `words->seat` would type it; returns the length wanted.
 */
size_t parse_format(const struct table_words *words, const struct command *command, char *out,
                    size_t size);
/** Words by which a player is addressed in commands: the name, in quotes if it needs them, or "#2"
 * if nobody can type it. */
void parse_format_player(const struct table_words *words, unsigned seat, char *out, size_t size);

#endif
