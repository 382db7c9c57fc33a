#ifndef TESTS_BOT_POLICY_POLICY_RIG_H
#define TESTS_BOT_POLICY_POLICY_RIG_H

/*
 * Bot players in arranged situations: what a seat has and what has happened, and what a level of
 * bot player must do then, or must not. A situation is a test of its own.
 */
#include <stddef.h>
#include <stdint.h>

#include "core/base/rng.h"
#include "core/state/command.h"
#include "core/state/stage.h"

#include "bot/policy/policy.h"

#include "tests/support/fixture.h"

enum { TRIES = 20 };

/* What a seat has: cards separated by commas. */
struct has {
    unsigned level;
    const char *hand, *worn, *carried;
};

struct situation {
    const char *name;
    const struct policy *level;
    const char *wanted; /* what it does contains this; with '!' in front: does not */
    const char *cards;  /* JSON of cards of its own, or NULL */
    const char *doors;  /* the next cards of the Door deck */
    const char *played; /* "Ann: kick; Bob: pass" before it decides */
    struct has seats[FIXTURE_SEATS];
    unsigned most_tries; /* in so many of TRIES at least, with '!' at most; 0: in all, in none */
    enum phase phase;    /* PHASE_SETUP is 0: then PHASE_START, unless `setup` */
    unsigned seat;       /* who decides */
    uint8_t dice[4];     /* the next rolls, 0 the end */
    bool setup;
};

/** Lays out the situation and plays what comes before the decision. */
void situation_arrange(struct fixture *f, const struct situation *situation);
void situation_seed(struct mb_rng *rng, uint64_t number);
/** What a bot player does next; false if nothing. */
bool situation_decide(struct fixture *f, const struct policy *policy, unsigned seat,
                      struct mb_rng *rng, struct command *out);
/** Runs each situation as a cmocka test; the group's result. */
int situations_run(const char *group, const struct situation *situations, size_t count);

#endif
