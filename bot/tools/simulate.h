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

#endif
