// What reads states reads redacted ones, too. There a frame may hold NO_CARD where it has a card:
// one in 100,000 decisions of random games has such a viewer (a Monster that was kicked open went
// to a hand). Here every card of every frame is left out.
#include <stdlib.h>

#include "core/base/rng.h"
#include "core/codec/catalog.h"
#include "core/game.h"
#include "core/loop/query.h"
#include "core/seen/moves.h"
#include "core/state/game_state.h"
#include "core/state/layout.h"

#include "tests/support/test.h"

enum { SEATS = 4, DECISIONS = 2500, GAMES = 12 };

struct fixture {
    struct catalog *catalog;
    struct box box;
    struct game *game, *view;
    struct move_list moves;
};

static int open_all_sets(void **state)
{
    static struct fixture fixture;
    uint8_t sets[CATALOG_SETS_MAX];
    struct mb_error err = {0};
    fixture.catalog = catalog_load("cards", NULL);
    assert_non_null(fixture.catalog);
    const size_t count = catalog_set_count(fixture.catalog);
    for (size_t i = 0; i < count; i++) {
        sets[i] = (uint8_t)i;
    }
    assert_true(catalog_box(fixture.catalog, sets, count, EDITION_CLASSIC, &fixture.box, &err));
    fixture.game = calloc(1, game_size());
    fixture.view = calloc(1, game_size());
    fixture.moves.items = calloc(MB_MOVES_MAX, sizeof *fixture.moves.items);
    fixture.moves.capacity = MB_MOVES_MAX;
    *state = &fixture;
    return 0;
}

static int close_all_sets(void **state)
{
    struct fixture *const f = *state;
    free(f->game);
    free(f->view);
    free(f->moves.items);
    catalog_destroy(f->catalog);
    return 0;
}

static void list(struct fixture *f, const struct game *game, unsigned seat)
{
    f->moves.count = 0;
    moves_list(game, &f->box, seat, &f->moves);
}

// Each card that a frame has, as if the viewer did not know it.
static void blank_frames(struct game *view)
{
    for (unsigned i = 0; i < view->frame_count; i++) {
        const struct layout layout = layout_of_frame(view->frames[i].kind);
        for (unsigned k = 0; k < layout.count; k++) {
            if (field_is_card(&layout.fields[k])) {
                field_set(&view->frames[i], &layout.fields[k], 0, NO_CARD);
            }
        }
    }
}

// Everything that is asked of a view; a sanitizer sees whether an index was none.
static void read_view(struct fixture *f, unsigned viewer)
{
    struct query_fight fight;
    struct query_decision decision;
    struct sum sum;
    for (unsigned seat = 0; seat < SEATS; seat++) {
        list(f, f->view, seat);
        query_decision(f->view, &f->box, seat, &decision);
        (void)query_run_bonus(f->view, &f->box, seat);
        (void)query_strength(f->view, &f->box, seat);
        (void)query_hand_limit(f->view, &f->box, seat);
        (void)query_overdressed(f->view, &f->box, seat);
    }
    query_fight(f->view, &f->box, &fight);
    query_sum(f->view, &f->box, 0, &sum);
    query_sum(f->view, &f->box, 1, &sum);
    (void)query_would_win(f->view, &f->box);
    (void)query_answered_card(f->view);
    (void)query_answered_seat(f->view);
    (void)query_clock(f->view);
    (void)query_awaited(f->view);
    // What `why` does: a view is played on.
    list(f, f->view, viewer < SEATS ? viewer : 0);
    for (unsigned i = 0; viewer < SEATS && i < f->moves.count; i++) {
        struct refusal why;
        assert_true(game_check(f->view, &f->box, &f->moves.items[i].command, &why));
    }
}

static bool play_one(struct fixture *f, struct mb_rng *rng)
{
    struct command among[SEATS];
    unsigned count = 0;
    for (unsigned seat = 0; seat < SEATS; seat++) {
        list(f, f->game, seat);
        if (f->moves.count > 0) {
            move_sample(f->game, &f->box, &f->moves.items[mb_rng_below(rng, f->moves.count)], rng,
                        &among[count++]);
        }
    }
    struct refusal why;
    return count > 0 && game_step(f->game, &f->box, &among[mb_rng_below(rng, count)], NULL, &why);
}

static void views_of_random_games_can_be_read(void **state)
{
    struct fixture *const f = *state;
    for (unsigned g = 0; g < GAMES; g++) {
        struct game_setup setup = {.seat_count = SEATS, .seed = {(uint8_t)g}};
        struct mb_rng rng;
        mb_rng_init(&rng, setup.seed);
        game_create(f->game, &f->box, &setup, NULL);
        for (unsigned i = 0; i < DECISIONS && query_phase(f->game) != PHASE_OVER; i++) {
            const unsigned viewer = i % (SEATS + 1) < SEATS ? i % (SEATS + 1) : NO_SEAT;
            game_redact(f->game, &f->box, viewer, f->view);
            blank_frames(f->view);
            read_view(f, viewer);
            if (!play_one(f, &rng)) {
                break;
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(views_of_random_games_can_be_read)};
    return cmocka_run_group_tests(tests, open_all_sets, close_all_sets);
}
