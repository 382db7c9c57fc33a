// A pair from its number: who sits where, what the game was before, what differs, how long it goes.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/rng.h"

#include "bot/tools/invariants.h"

#include "tests/twins/twins.h"

void twins_break(struct twins *twins, const char *format, ...)
{
    if (twins->end == TWINS_BROKEN) {
        return;
    }
    twins->end = TWINS_BROKEN;
    va_list args;
    va_start(args, format);
    (void)vsnprintf(twins->result->what, sizeof twins->result->what, format, args);
    va_end(args);
}

bool twins_differs(const struct twins *twins, uint16_t card)
{
    for (unsigned i = 0; i < twins->differ_count; i++) {
        if (twins->differ[i] == card) {
            return true;
        }
    }
    return false;
}

bool twins_names(const struct twins *twins, const struct command *command)
{
    const bool card_target =
        command->target_kind == TARGET_CARD || command->target_kind == TARGET_MONSTER;
    if (twins_differs(twins, command->card) ||
        (card_target && twins_differs(twins, command->target))) {
        return true;
    }
    for (unsigned i = 0; i < command->list_count; i++) {
        if (twins_differs(twins, command->list[i])) {
            return true;
        }
    }
    for (unsigned i = 0; i < command->more_count; i++) {
        if (twins_differs(twins, command->more[i])) {
            return true;
        }
    }
    return false;
}

unsigned twins_below(struct twins *twins, unsigned bound)
{
    return mb_rng_below(&twins->rng, bound);
}

static bool begin(struct twins *twins)
{
    const struct twins_setup *const setup = twins->setup;
    uint8_t seed[32];
    mb_rng_seed_u64(seed, setup->number);
    mb_rng_init(&twins->rng, seed);
    struct game *const game = calloc(1, game_size());
    bool made = game != NULL;
    for (unsigned i = 0; i < 2; i++) {
        struct twin *const twin = &twins->twin[i];
        twin->session = solo_create(setup->catalog);
        twin->told = malloc(TWINS_BYTES_MAX);
        twin->moves.items = calloc(MB_MOVES_MAX, sizeof *twin->moves.items);
        twin->moves.capacity = MB_MOVES_MAX;
        twins->scratch[i] = calloc(1, game_size());
        made = made && twin->told != NULL && twin->moves.items != NULL && twins->scratch[i] != NULL;
    }
    made = made && twins_seat(twins, game);
    free(game);
    return made;
}

static void finish(struct twins *twins)
{
    for (unsigned i = 0; i < 2; i++) {
        solo_destroy(twins->twin[i].session);
        free(twins->twin[i].told);
        free(twins->twin[i].moves.items);
        free(twins->scratch[i]);
    }
    invariants_destroy(twins->invariants);
}

static void complain(void *user, const char *what)
{
    twins_break(user, "%s", what);
}

static void play(struct twins *twins)
{
    if (twins->end == TWINS_BROKEN) {
        return;
    }
    if (twins->differ_count == 0 || solo_state(twins->twin[0].session) != TABLE_RUNNING) {
        twins->end = TWINS_SAME;
        return;
    }
    const struct invariants_sink sink = {.report = complain, .user = twins};
    twins->invariants = invariants_create(&twins->box, &sink);
    twins->end = TWINS_GOES_ON;
    twins->result->commands = 0;
    twins->result->differ = twins->differ_count;
    twins_compare(twins, true); // the leave-taking of those whom bots replace
    while (twins->end == TWINS_GOES_ON) {
        twins_act(twins);
        twins_compare(twins, true);
        if (twins->end == TWINS_GOES_ON) {
            twins_probe(twins);
        }
        if (twins->end == TWINS_GOES_ON && twins->result->commands >= twins->setup->commands_max) {
            twins->end = TWINS_LONG;
        }
    }
}

bool twins_play(const struct twins_setup *setup, struct twins_result *out)
{
    struct twins *const twins = calloc(1, sizeof *twins);
    *out = (struct twins_result){.end = TWINS_BROKEN};
    if (twins == NULL) {
        return false;
    }
    twins->setup = setup;
    twins->result = out;
    const bool made = begin(twins);
    if (made) {
        play(twins);
    }
    out->end = twins->end;
    finish(twins);
    free(twins);
    return made;
}
