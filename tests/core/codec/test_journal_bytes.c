// The journal piece by piece: put together it exports the same text, which verifies; damaged pieces
// are refused and leave what was there.
#include <stdlib.h>
#include <string.h>

#include "core/base/rng.h"
#include "core/codec/journal_bytes.h"
#include "core/loop/query.h"
#include "core/seen/moves.h"

#include "tests/support/table.h"
#include "tests/support/test.h"

enum { COMMANDS = 600, SEATS = 4 };

struct fixture {
    struct catalog *catalog;
    struct box box;
    uint8_t set;
    struct game *game;
    struct journal whole;  // kept in one
    struct journal pieces; // put together out of what each step added
    struct event_list events;
    struct move_list moves;
    struct mb_rng rng;
    unsigned char piece[JOURNAL_PIECE_MAX];
};

static int set_up(void **state)
{
    static const char *const FOLDERS[] = {"cards/classic"};
    struct fixture *const f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->catalog = catalog_load_sets(FOLDERS, 1, NULL);
    assert_non_null(f->catalog);
    given_box(f->catalog, "classic", &f->box);
    f->game = calloc(1, game_size());
    f->events.items = calloc(MB_EVENTS_MAX, sizeof *f->events.items);
    f->events.capacity = MB_EVENTS_MAX;
    f->moves.items = calloc(MB_MOVES_MAX, sizeof *f->moves.items);
    f->moves.capacity = MB_MOVES_MAX;
    journal_init(&f->whole);
    journal_init_for(&f->pieces, f->catalog, &f->box, 1);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *const f = *state;
    journal_finish(&f->whole);
    journal_finish(&f->pieces);
    catalog_destroy(f->catalog);
    free(f->game);
    free(f->events.items);
    free(f->moves.items);
    free(f);
    return 0;
}

// Every damaged form of a piece is refused, or taken as a whole; refused it leaves all as it was.
static void damage(struct fixture *f, size_t size)
{
    const size_t count = f->pieces.count;
    const size_t dice = f->pieces.die_count;
    struct mb_error err;
    for (size_t cut = 0; cut < size; cut++) {
        err = (struct mb_error){0};
        assert_false(journal_append(&f->pieces, f->piece, cut, &err));
        assert_int_not_equal(err.text[0], '\0');
        assert_int_equal(f->pieces.count, count);
        assert_int_equal(f->pieces.die_count, dice);
        assert_false(f->pieces.broken);
    }
    err = (struct mb_error){0};
    f->piece[size] = 7; // a byte too many
    assert_false(journal_append(&f->pieces, f->piece, size + 1, &err));
    const unsigned char kind = f->piece[0];
    f->piece[0] = 0xEE; // no piece
    assert_false(journal_append(&f->pieces, f->piece, size, &err));
    f->piece[0] = kind;
}

// What one step has added comes over.
static void hand_over(struct fixture *f, const struct journal *batch, bool damaged)
{
    const size_t count = journal_piece_count(batch);
    for (size_t i = 0; i < count; i++) {
        struct mb_error err = {0};
        const size_t size = journal_piece_encode(batch, i, f->piece, sizeof f->piece);
        assert_true(size > 0 && size < sizeof f->piece);
        if (damaged) {
            damage(f, size);
        }
        if (!journal_append(&f->pieces, f->piece, size, &err)) {
            fail_msg("%s", err.text);
        }
    }
}

static void begin(struct fixture *f, uint64_t seed)
{
    struct game_setup setup = {.seat_count = SEATS, .female = {1, 0, 1}};
    const struct journal_player players[MB_SEATS_MAX] = {
        {"Ann", ""}, {"Bob", "random"}, {"Cy", ""}, {"Dot", "regular"}};
    struct journal batch;
    mb_rng_seed_u64(setup.seed, seed);
    struct luck luck = {.drawn = true, .table = "abc", .start = "17"};
    memcpy(luck.secret, setup.seed, sizeof luck.secret);
    for (unsigned i = 0; i < SEATS; i++) {
        luck_seat("fake", players[i].name, luck.seats[i]);
    }
    if (seed % 2 != 0) {
        luck_seed(&luck, SEATS, setup.seed);
    }
    mb_rng_init(&f->rng, setup.seed);
    f->rng.position = 1000000;
    game_create(f->game, &f->box, &setup, &f->events);
    const struct journal_start start = {.catalog = f->catalog,
                                        .rules = (uint16_t)game_rules(),
                                        .box = &f->box,
                                        .sets = &f->set,
                                        .set_count = 1,
                                        .setup = &setup,
                                        .players = players,
                                        .luck = seed % 2 != 0 ? &luck : NULL,
                                        .game = f->game};
    journal_init(&batch);
    journal_begin(&batch, &start);
    journal_begin(&f->whole, &start);
    hand_over(f, &batch, true);
    journal_finish(&batch);
}

static struct command choose(struct fixture *f)
{
    struct command command = {.verb = VERB_ELAPSE,
                              .seat = NO_SEAT,
                              .card = NO_CARD,
                              .to = NO_SEAT,
                              .about = NO_SEAT,
                              .n = (int16_t)query_clock(f->game).kind};
    f->moves.count = 0;
    f->moves.overflow = false;
    moves_list(f->game, &f->box, mb_rng_below(&f->rng, SEATS), &f->moves);
    if (f->moves.count > 0 && mb_rng_below(&f->rng, 8) != 0) {
        const struct move *const move = &f->moves.items[mb_rng_below(&f->rng, f->moves.count)];
        move_sample(f->game, &f->box, move, &f->rng, &command);
    }
    return command;
}

static void play(struct fixture *f, unsigned i)
{
    static const struct journal_player NEXT = {"Eve", ""};
    const struct command command = choose(f);
    struct refusal why = {0};
    struct journal batch;
    f->events.count = 0;
    if (!game_step(f->game, &f->box, &command, &f->events, &why)) {
        return;
    }
    journal_init(&batch);
    journal_command(&batch, &command, &f->events, f->game);
    journal_command(&f->whole, &command, &f->events, f->game);
    if (i % 100 == 50) {
        journal_seat(&batch, 1, &NEXT);
        journal_seat(&f->whole, 1, &NEXT);
    }
    if (i % 150 == 75) {
        journal_rules(&batch, (uint16_t)game_rules(), f->game);
        journal_rules(&f->whole, (uint16_t)game_rules(), f->game);
    }
    hand_over(f, &batch, i % 20 == 0);
    journal_finish(&batch);
}

static void end(struct fixture *f)
{
    struct journal batch;
    journal_init(&batch);
    batch.state = query_phase(f->game) == PHASE_OVER ? JOURNAL_FINISHED : JOURNAL_ENDED;
    f->whole.state = batch.state;
    hand_over(f, &batch, true);
    journal_finish(&batch);
}

static void pieces_make_the_whole(void **state)
{
    struct fixture *const f = *state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        struct mb_error err = {0};
        struct journal_report report;
        journal_finish(&f->pieces);
        journal_init_for(&f->pieces, f->catalog, &f->box, 1);
        begin(f, seed);
        for (unsigned i = 0; i < COMMANDS && query_phase(f->game) != PHASE_OVER; i++) {
            play(f, i);
        }
        end(f);
        char *const wanted = journal_export(&f->whole, f->game, &err);
        char *const text = journal_export(&f->pieces, f->game, &err);
        if (wanted == NULL || text == NULL) {
            fail_msg("%s", err.text);
            return;
        }
        assert_string_equal(text, wanted);
        if (!journal_verify(f->catalog, text, strlen(text), &report, &err)) {
            fail_msg("%s", err.text);
        }
        assert_true(report.from > 0); // other rules began there
        free(wanted);
        free(text);
    }
}

// Any byte of any piece is another: no crash, and never half an entry.
static void flipped_pieces_are_refused_or_whole(void **state)
{
    struct fixture *const f = *state;
    static unsigned char flipped[JOURNAL_PIECE_MAX];
    begin(f, 9);
    for (unsigned i = 0; i < 200; i++) {
        const struct command command = choose(f);
        struct refusal why = {0};
        f->events.count = 0;
        if (game_step(f->game, &f->box, &command, &f->events, &why)) {
            journal_command(&f->whole, &command, &f->events, f->game);
        }
    }
    for (size_t n = 0; n < journal_piece_count(&f->whole); n++) {
        const size_t size = journal_piece_encode(&f->whole, n, f->piece, sizeof f->piece);
        for (size_t at = 0; at < size; at++) {
            const size_t count = f->pieces.count;
            struct mb_error err = {0};
            memcpy(flipped, f->piece, size);
            flipped[at] ^= (unsigned char)(1u << at % 8);
            const bool taken = journal_append(&f->pieces, flipped, size, &err);
            assert_true(taken || err.text[0] != '\0');
            assert_true(f->pieces.count == count + (taken ? 1 : 0) || flipped[0] > JOURNAL_SEAT);
            f->pieces.state = JOURNAL_RUNNING;
        }
    }
}

// An export could not say it: so it is not taken in.
static void names_that_are_no_text_are_refused(void **state)
{
    static const struct journal_player PLAYER = {"A\xEF", ""};
    struct fixture *const f = *state;
    struct mb_error err = {0};
    struct journal batch;
    begin(f, 1);
    journal_init(&batch);
    journal_seat(&batch, 1, &PLAYER);
    const size_t size = journal_piece_encode(&batch, 0, f->piece, sizeof f->piece);
    assert_false(journal_append(&f->pieces, f->piece, size, &err));
    assert_int_equal(f->pieces.count, 0);
    journal_finish(&batch);
}

static void pieces_out_of_order_are_refused(void **state)
{
    struct fixture *const f = *state;
    struct mb_error err = {0};
    begin(f, 4);
    const size_t size = journal_piece_encode(&f->whole, 0, f->piece, sizeof f->piece);
    assert_false(journal_append(&f->pieces, f->piece, size, &err)); // a second head
    end(f);
    struct journal late;
    journal_init(&late);
    const struct command command = choose(f);
    f->events.count = 0;
    journal_command(&late, &command, &f->events, f->game);
    const size_t entry = journal_piece_encode(&late, 0, f->piece, sizeof f->piece);
    assert_false(journal_append(&f->pieces, f->piece, entry, &err)); // after the end
    struct journal empty;
    journal_init_for(&empty, f->catalog, &f->box, 1);
    assert_false(journal_append(&empty, f->piece, entry, &err)); // before the head
    assert_int_equal(empty.count, 0);
    journal_finish(&late);
    journal_finish(&empty);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(pieces_make_the_whole),
        CASE(flipped_pieces_are_refused_or_whole),
        CASE(names_that_are_no_text_are_refused),
        CASE(pieces_out_of_order_are_refused),
    };
    return cmocka_run_group_tests_name("journal_bytes", tests, NULL, NULL);
}
