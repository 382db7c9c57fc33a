/*
 * Whole games without chat, as fast as the core goes.
 *
 * At every decision the moves of every seat are listed; one seat that may act is drawn, its policy
 * names a move. When nobody has one, or all have passed and nobody needs to be waited for, the
 * clock runs out, which is no decision. No game is cut off. Game i plays with seed + i, so that one
 * game can be played again alone.
 */
#ifndef BOT_TOOLS_SIMULATE_H
#define BOT_TOOLS_SIMULATE_H

#include <stdint.h>
#include <stdio.h>

#include "core/card/box.h"

#include "bot/policy/policy.h"
#include "bot/tools/balance.h"

enum simulate_check { SIMULATE_CHECK_NONE, SIMULATE_CHECK_SAMPLE, SIMULATE_CHECK_ALL };

enum { SIMULATE_POLICIES_MAX = 8 };

struct simulate_setup {
    const struct catalog *catalog; /**< of the box: checked games are typed at a session too */
    const struct box *box;
    const struct policy *policies[MB_SEATS_MAX]; /**< by seat of the first game; they rotate */
    unsigned players;
    unsigned long games;
    uint64_t seed;
    enum simulate_check check;
    FILE *complaints;        /**< where violations are printed */
    struct balance *balance; /**< counts along if not NULL */
};

struct simulate_result {
    unsigned long games, finished;
    unsigned long long decisions, moves;
    double seconds;
    uint32_t rounds_min, rounds_median, rounds_p90, rounds_max;
    unsigned long wins_by_seat[MB_SEATS_MAX];
    struct {
        const char *name;
        unsigned long wins;
    } wins_by_policy[SIMULATE_POLICIES_MAX];
    unsigned policy_count;
    unsigned long long deaths;
    unsigned long violations;
};

void simulate_run(const struct simulate_setup *setup, struct simulate_result *out);

/** Prints the result for people, or as one JSON object. The setup's balance follows. */
void simulate_print(const struct simulate_setup *setup, const struct simulate_result *result,
                    bool json, FILE *to);

/*
 * The table at which a checked simulation is played: a session, typed at as players would.
 *
 * Every decision is worded (parse_format) from the player's own view, typed, read, decided and told
 * by the session; clocks run out because the host moves time. So the grammar, the clocks and all
 * that is rendered are checked with the rules: what was chosen must be what was understood, and
 * what came of it what the core alone makes of it. Of cards that lie alike either may be meant.
 */
struct simulate_table;

enum { SIMULATE_FAULT_SIZE = 1024 };

/** Catalog and box are borrowed. */
struct simulate_table *simulate_table_create(const struct catalog *catalog, const struct box *box);
void simulate_table_destroy(struct simulate_table *table);
/** A game that begins; all its seats are people's. */
void simulate_table_begin(struct simulate_table *table, const struct game *game);
/** Plays a command that was chosen by the core alone, with which `after` came of it. False with a
 * sentence in `fault` if the table makes something else of it. */
bool simulate_table_play(struct simulate_table *table, const struct command *command,
                         const struct game *after, char fault[SIMULATE_FAULT_SIZE]);
/** Somebody looks at everything there is to look at; false with a sentence if that is refused, says
 * nothing or changes anything. */
bool simulate_table_look(struct simulate_table *table, unsigned seat,
                         char fault[SIMULATE_FAULT_SIZE]);
/** How the game stands there: as `after`, but for cards that lay alike. */
const struct game *simulate_table_game(const struct simulate_table *table);

#endif
