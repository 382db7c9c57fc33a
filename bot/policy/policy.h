/*
 * How a bot player decides: a policy gets what its seat may know (the redacted state, its legal
 * moves) and names one move, or none when it would rather wait.
 *
 * A policy has no memory of its own and no clock; its chance comes from the caller's generator. It
 * never sees the true state, so it cannot cheat.
 */
#ifndef BOT_POLICY_POLICY_H
#define BOT_POLICY_POLICY_H

#include "core/base/error.h"
#include "core/card/box.h"
#include "core/seen/moves.h"

struct policy_input {
    const struct game *view; /**< redacted for `seat` */
    const struct box *box;
    const struct move_list *moves; /**< at least one */
    unsigned seat;
    struct mb_rng *rng;   /**< the caller's, never the game's */
    struct game *scratch; /**< the caller's, for moves tried; contents irrelevant */
};

struct policy {
    const char *name;
    bool looks; /**< reads more of the view than the moves; else any state with these moves will do
                 */
    /** False: nothing it wants to do now. `out` is one of the moves or a completion of one. */
    bool (*choose)(const struct policy_input *input, struct command *out);
};

extern const struct policy POLICY_RANDOM;
/** The levels of bot players, weakest first (policy_level.c). */
extern const struct policy POLICY_ROOKIE, POLICY_REGULAR, POLICY_RUTHLESS;

/** What a bot player is when nobody says, and what takes a seat that a person leaves. */
static inline const struct policy *policy_default(void)
{
    return &POLICY_REGULAR;
}

/** By number, for what keeps a level in a byte; the numbers stay as they are. NULL: none. */
const struct policy *policy_by_number(unsigned number);
unsigned policy_number(const struct policy *policy);
/** By name; NULL with one clear sentence if there is none. */
const struct policy *policy_find(const char *name, struct mb_error *err);

#endif
