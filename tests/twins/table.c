// The tables of a pair: who sits there, and what was played before the games part.
#include "core/base/rng.h"
#include "core/loop/query.h"

#include "bot/policy/policy.h"
#include "bot/table/options.h"

#include "tests/twins/twins.h"

enum { BEFORE_MAX = 400, TYPED_BEFORE_MAX = 120 };

static const char *const NAMES[MB_SEATS_MAX] = {"Ann", "Bob", "Cy", "Dot", "Eli", "Fay"};
// Random ones most of all: they promise and offer what nobody else would.
static const char *const LEVELS[] = {"random", "random", "random", "rookie", "regular", "ruthless"};
static const enum pace PACES[] = {PACE_LIVE, PACE_TERMINAL, PACE_SLOW, PACE_ASYNC};

static void watch_first(void *user, const struct table_step *step)
{
    twins_record(user, 0, step);
}

static void watch_second(void *user, const struct table_step *step)
{
    twins_record(user, 1, step);
}

static void watch(struct twins *twins)
{
    for (unsigned i = 0; i < 2; i++) {
        const struct solo_watcher watcher = {.step = i == 0 ? watch_first : watch_second,
                                             .user = twins};
        solo_watch(twins->twin[i].session, &watcher);
    }
}

// Whether a seat is about to draw cards that only it will see.
static bool about_to_draw(const struct game *game)
{
    return query_phase(game) == PHASE_OPENED ||
           (query_main(game) != NO_SEAT && query_helper(game) == NO_SEAT);
}

static void choose_secret(struct twins *twins, const struct game *game, bool drawing)
{
    const unsigned main = query_main(game);
    const unsigned drawer = main != NO_SEAT ? main : query_turn(game);
    twins->secret = drawing && drawer < twins->seats ? drawer : twins_below(twins, twins->seats);
}

// What was played before, on the bare state: fast, and any phase may come of it.
static void play_bare(struct twins *twins, struct game *game, bool drawing)
{
    struct move_list *const moves = &twins->twin[0].moves;
    const unsigned commands = twins_below(twins, BEFORE_MAX);
    for (unsigned i = 0; i < BEFORE_MAX * 2 && query_phase(game) != PHASE_OVER; i++) {
        if (i >= commands && (!drawing || about_to_draw(game))) {
            return;
        }
        struct command command = {.verb = VERB_ELAPSE,
                                  .seat = NO_SEAT,
                                  .card = NO_CARD,
                                  .to = NO_SEAT,
                                  .about = NO_SEAT,
                                  .n = (int16_t)query_clock(game).kind};
        const unsigned seat = twins_below(twins, twins->seats);
        moves->count = 0;
        moves->overflow = false;
        moves_list(game, &twins->box, seat, moves);
        const struct policy_input input = {
            .view = game, .box = &twins->box, .moves = moves, .seat = seat, .rng = &twins->rng};
        struct command chosen;
        if (moves->count > 0 && twins_below(twins, 8) != 0 &&
            POLICY_RANDOM.choose(&input, &chosen) && chosen.verb != VERB_HOLD &&
            chosen.verb != VERB_SHOW) {
            command = chosen;
        }
        struct refusal why = {0};
        (void)game_step(game, &twins->box, &command, NULL, &why);
    }
}

// Tables set up in the middle of a game; bot players sit where somebody has left.
static void adopt(struct twins *twins, struct game *game, bool drawing)
{
    const enum pace pace = PACES[twins_below(twins, sizeof PACES / sizeof PACES[0])];
    struct game_setup setup = {.seat_count = (uint8_t)twins->seats};
    mb_rng_seed_u64(setup.seed, ~(uint64_t)twins->setup->number);
    setup.female[1] = 1;
    game_create(game, &twins->box, &setup, NULL);
    play_bare(twins, game, drawing);
    choose_secret(twins, game, drawing);
    const unsigned bots =
        twins_below(twins, 1u << twins->seats) & ~(unsigned)seat_bit(twins->secret);
    for (unsigned i = 0; i < 2; i++) {
        struct solo *const session = twins->twin[i].session;
        if (i == 1) {
            twins_swap(twins, game);
        }
        solo_adopt(session, &twins->box, game, NAMES, pace);
        for (unsigned seat = 0; seat < twins->seats; seat++) {
            if ((bots & seat_bit(seat)) != 0) {
                (void)solo_line(session, seat, "leave", NULL);
            }
        }
    }
    watch(twins);
}

// The levels of bot players there are; NULL: a person.
static const struct policy *some_policy(struct twins *twins)
{
    const unsigned which = twins_below(twins, 2 * sizeof LEVELS / sizeof LEVELS[0]);
    struct mb_error err = {0};
    return which < sizeof LEVELS / sizeof LEVELS[0] ? policy_find(LEVELS[which], &err) : NULL;
}

static bool open_both(struct twins *twins, const struct table_options *options)
{
    uint8_t seed[32];
    mb_rng_seed_u64(seed, ~(uint64_t)twins->setup->number);
    const struct policy *policies[MB_SEATS_MAX];
    for (unsigned seat = 0; seat < twins->seats; seat++) {
        policies[seat] = some_policy(twins);
    }
    for (unsigned i = 0; i < 2; i++) {
        struct solo *const session = twins->twin[i].session;
        struct solo_seat seats[MB_SEATS_MAX];
        for (unsigned seat = 0; seat < twins->seats; seat++) {
            const bool person = seat == twins->secret;
            seats[seat] =
                (struct solo_seat){NAMES[seat], seat % 2 != 0, person ? NULL : policies[seat]};
        }
        if (!solo_begin(session, options, seats, twins->seats, seed)) {
            twins_break(twins, "no start");
            return false;
        }
    }
    return true;
}

// Tables as people make them, stand-ins and all; played for a while, then the second one's state is
// exchanged under it, as if it had been loaded so.
static bool start(struct twins *twins, const struct table_options *options, bool drawing)
{
    twins->secret = twins_below(twins, twins->seats);
    if (!open_both(twins, options)) {
        return false;
    }
    // The table numbers the cards of a mix by its own catalogue.
    twins->box = *solo_box(twins->twin[0].session);
    watch(twins);
    twins_compare(twins, true);
    const unsigned commands = twins_below(twins, TYPED_BEFORE_MAX);
    for (unsigned i = 0; i < TYPED_BEFORE_MAX * 2 && twins->end == TWINS_GOES_ON; i++) {
        const struct game *const game = solo_game(twins->twin[0].session);
        if (i >= commands &&
            (!drawing || (about_to_draw(game) && query_turn(game) == twins->secret))) {
            break;
        }
        twins_act(twins);
        twins_compare(twins, false);
    }
    for (unsigned i = 0; i < 2; i++) {
        struct mb_error err = {0};
        if (i == 1) {
            // Only what has been stored may change under a session: the restart takes it up.
            const union {
                const struct game *shown;
                struct game *stored;
            } game = {.shown = solo_game(twins->twin[i].session)};
            twins_swap(twins, game.stored);
        }
        if (!solo_restart(twins->twin[i].session, &err)) {
            twins_break(twins, "no restart: %s", err.text);
        }
    }
    return true;
}

bool twins_seat(struct twins *twins, struct game *scratch)
{
    struct table_options options;
    struct mb_error err = {0};
    const struct twins_setup *const setup = twins->setup;
    table_options_init(&options);
    if (!table_options_sets(&options, setup->catalog, setup->sets, &err) ||
        !table_options_box(&options, setup->catalog, &twins->box, &err)) {
        twins_break(twins, "%s", err.text);
        return false;
    }
    options.pace = (uint8_t)PACES[twins_below(twins, sizeof PACES / sizeof PACES[0])];
    twins->seats = 3 + twins_below(twins, MB_SEATS_MAX - 2);
    const bool drawing = twins_below(twins, 3) == 0;
    const bool ready = table_options_ready(&options, setup->catalog, &err);
    if (ready && twins_below(twins, 2) == 0) {
        return start(twins, &options, drawing);
    }
    adopt(twins, scratch, drawing);
    return true;
}
