// Each field of the state, one after another, holds what it may not: the snapshot is refused. The
// fields and what they may be come from core/state/layout.c, so a new one is tried without a line
// here.
#include <stdlib.h>
#include <string.h>

#include "core/codec/snapshot.h"
#include "core/fight/fight.h"
#include "core/game.h"
#include "core/loop/query.h"
#include "core/state/game_state.h"
#include "core/state/layout.h"

#include "tests/support/table.h"
#include "tests/support/test.h"

enum { GAMES = 40, COMMANDS = 400, PLACE = 2 };

struct fixture {
    struct catalog *catalog;
    struct box box;
    struct game *game; // the state that holds, with whatever is tried put into it
    struct game other;
    unsigned char bytes[SNAPSHOT_SIZE_MAX];
    unsigned tried;
};

static bool holds(struct fixture *f)
{
    struct mb_error err = {0};
    const size_t size = snapshot_encode(f->game, f->bytes, sizeof f->bytes);
    return size > 0 && snapshot_decode(f->bytes, size, &f->box, &f->other, &err);
}

static bool asks_in_fight(const struct game *game)
{
    return game->frame_count > PLACE && game->frames[1].kind == FRAME_FIGHT &&
           game->frames[1].step == FIGHT_IDLE && game->decision.open == 1 &&
           game->fight.monster_count > 0 && game->window.kind == PAUSE_NONE;
}

// A state in which a question is open in the middle of a fight.
static void play_until_asked(struct fixture *f)
{
    for (unsigned seed = 1; seed <= GAMES; seed++) {
        free(f->game);
        f->game = given_game(&f->box, 4, seed);
        for (unsigned i = 0; i < COMMANDS; i++) {
            given_play(f->game, &f->box, 1, seed * 1000 + i);
            if (asks_in_fight(f->game)) {
                return;
            }
        }
    }
    fail_msg("nobody is ever asked in a fight");
}

// One of each record that a state need not have.
static void fill(struct game *game)
{
    struct fight *const fight = &game->fight;
    fight->monsters[fight->monster_count] =
        (struct monster){.card = 1, .face = 1, .group = 1, .flags = MONSTER_GONE};
    fight->monster_count++;
    fight->owed[fight->owed_count++] = (struct owed){.card = 1};
    fight->promised[0] = 1;
    fight->promise_count = 1;
    game->deals[0] = (struct deal){.kind = DEAL_TRADE,
                                   .to = 1,
                                   .about = NO_SEAT,
                                   .gives_count = 1,
                                   .wants_count = 1,
                                   .promises_count = 1};
    game->waiting[game->waiting_count++] = (struct waiting){.card = 1};
    game->lasting[game->lasting_top++] =
        (struct lasting){.op = LASTING_USED, .source = NO_CARD, .about = NO_CARD};
    game->script_dice[0] = 1;
    game->script_dice_count = 1;
    game->script_pick_count = 1;
    game->death_count = 1;
}

static int set_up(void **state)
{
    struct fixture *const f = calloc(1, sizeof *f);
    f->catalog = given_catalog();
    given_box(f->catalog, "classic", &f->box);
    play_until_asked(f);
    fill(f->game);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *const f = *state;
    catalog_destroy(f->catalog);
    free(f->game);
    free(f);
    return 0;
}

static void refuses_value(struct fixture *f, const struct field *field, unsigned i, int64_t value)
{
    if (field_may_be(f->game, &f->box, field, i, value)) {
        return;
    }
    if (holds(f)) {
        fail_msg("%s[%u] may not be %d, and yet it is taken", field->name, i, (int)value);
    }
    f->tried++;
}

// Values at the edges of what the kinds of fields may be.
static void refuses_field(struct fixture *f, void *record, const struct field *field, unsigned i)
{
    const int64_t seats = f->game->seat_count;
    const int64_t edges[] = {
        field->min - 1,
        field->max + 1,
        seats,
        seats + 1,
        (int64_t)1 << seats,
        f->game->fight.monster_count + 1,
        f->box.ability_count + 1,
        f->box.row_count + 1,
        f->box.card_count,
        ALL_SEATS,
        NO_SEAT,
        NO_CARD - 1,
        NO_CARD,
        0,
    };
    const int64_t was = field_get(record, field, i);
    for (unsigned c = 0; c < sizeof edges / sizeof edges[0]; c++) {
        field_set(record, field, i, edges[c]);
        refuses_value(f, field, i, field_get(record, field, i));
    }
    field_set(record, field, i, was);
}

static void refuses_fields(struct fixture *f, const struct layout *layout, void *record)
{
    assert_true(holds(f));
    for (unsigned at = 0; at < layout->count; at++) {
        const unsigned used = field_used(record, &layout->fields[at]);
        for (unsigned i = 0; i < used; i++) {
            refuses_field(f, record, &layout->fields[at], i);
        }
    }
    assert_true(holds(f));
}

// The second of them, where there are more.
static void refuses_record(struct fixture *f, unsigned which)
{
    const struct records *const records = &RECORDS[which];
    const unsigned used = records_used(f->game, records);
    assert_true(used > 0);
    refuses_fields(f, records->layout,
                   (unsigned char *)f->game + records->offset + (used > 1 ? records->size : 0));
}

static void refuses_what_no_record_holds(void **state)
{
    struct fixture *const f = *state;
    for (unsigned which = 0; which < RECORDS_TOTAL; which++) {
        refuses_record(f, which);
    }
    assert_true(f->tried > 300);
}

// Puts a plain frame of the kind under the one that asks, and what must lie below it.
static struct frame *put_frame(struct fixture *f, unsigned kind)
{
    struct game *const game = f->game;
    struct frame *const at = &game->frames[PLACE];
    memmove(at + 1, at, (game->frame_count - PLACE) * sizeof *at);
    game->frame_count++;
    memset(at, 0, sizeof *at);
    at->kind = (uint8_t)kind;
    if (kind == FRAME_ENTER) {
        at->enter.monster = 1;
    } else if (kind == FRAME_PROGRAM) {
        at->program.row = box_def(&f->box, 0)->first_row;
    } else if (kind == FRAME_REWARD) {
        game->frames[1].step = FIGHT_OVER;
    } else if (kind == FRAME_FLEE) {
        game->frames[1].step = FIGHT_FLEEING;
        game->fight.flags |= FIGHT_GAVE_UP;
    }
    return at;
}

static void refuses_steps_that_are_none(struct fixture *f, struct frame *frame)
{
    const uint8_t was = frame->step;
    for (unsigned step = 0; step <= UINT8_MAX; step++) {
        frame->step = (uint8_t)step;
        if (layout_step(&f->box, frame).waits == STEP_UNKNOWN) {
            assert_false(holds(f));
            f->tried++;
        }
    }
    frame->step = was;
}

static void refuses_what_no_frame_holds(void **state)
{
    struct fixture *const f = *state;
    struct game *const whole = calloc(1, sizeof *whole);
    *whole = *f->game;
    for (unsigned kind = FRAME_TURN; kind < FRAME_TOTAL; kind++) {
        *f->game = *whole;
        struct frame *const frame = kind == FRAME_TURN    ? &f->game->frames[0]
                                    : kind == FRAME_FIGHT ? &f->game->frames[1]
                                                          : put_frame(f, kind);
        const struct layout own = layout_of_frame(kind);
        refuses_fields(f, RECORDS[RECORDS_FRAMES].layout, frame);
        refuses_fields(f, &own, frame);
        refuses_steps_that_are_none(f, frame);
    }
    free(whole);
    assert_true(f->tried > 3000);
}

static void refuses_what_no_set_up_holds(void **state)
{
    struct fixture *const f = *state;
    free(f->game);
    f->game = given_game(&f->box, 4, 7);
    assert_int_equal(f->game->frames[0].kind, FRAME_SETUP);
    const struct layout own = layout_of_frame(FRAME_SETUP);
    refuses_fields(f, RECORDS[RECORDS_FRAMES].layout, &f->game->frames[0]);
    refuses_fields(f, &own, &f->game->frames[0]);
    refuses_steps_that_are_none(f, &f->game->frames[0]);
}

// What lies open everybody knows, a hand its owner: numbers count with it on every view.
static void refuses_secrets_where_there_are_none(void **state)
{
    struct fixture *const f = *state;
    unsigned tried[2] = {0, 0};
    for (uint16_t card = 0; card < f->game->card_count; card++) {
        struct card_state *const at = &f->game->cards[card];
        const uint8_t knew = at->knowers;
        const bool hand = pile_is_hand(at->pile);
        if (at->pile == PILE_DOOR_DECK || at->pile == PILE_TREASURE_DECK) {
            continue;
        }
        at->knowers &= (uint8_t)~seat_bit(hand ? at->seat : 0u);
        assert_false(holds(f));
        at->knowers = knew;
        tried[hand]++;
    }
    assert_true(holds(f));
    assert_true(tried[false] > 0 && tried[true] > 0);
}

// Every byte of what a kind of frame holds is a field's, each byte of one only.
static void knows_every_byte_of_a_frame(void **state)
{
    (void)state;
    for (unsigned kind = FRAME_NONE + 1; kind < FRAME_TOTAL; kind++) {
        const struct layout parts[] = {*RECORDS[RECORDS_FRAMES].layout, layout_of_frame(kind)};
        unsigned next = 0;
        for (unsigned p = 0; p < 2; p++) {
            assert_true(parts[p].count > 0);
            for (unsigned i = 0; i < parts[p].count; i++) {
                assert_int_equal(parts[p].fields[i].offset, next);
                next += parts[p].fields[i].size * (unsigned)parts[p].fields[i].times;
            }
        }
        assert_true(next <= sizeof(struct frame));
    }
}

// Bytes can say so before their check has come to the number.
static void no_seat_fits_a_wrong_number_of_seats(void **state)
{
    enum { SEATS = 191 };
    struct fixture *const f = *state;
    const struct field seats = {.kind = IS_SEATS};
    f->game->seat_count = SEATS;
    assert_false(field_may_be(f->game, &f->box, &seats, 0, 1));
}

// A viewer's copy lacks cards that are hidden; a stored table may let such a card act.
static void a_frame_without_its_card_goes_no_further(void **state)
{
    struct fixture *const f = *state;
    struct refusal why = {.code = REFUSAL_NONE};
    struct command elapse = command_plain(NO_SEAT, VERB_ELAPSE);
    elapse.n = (int16_t)query_clock(f->game).kind;
    f->other = *f->game;
    assert_true(game_step(&f->other, &f->box, &elapse, NULL, &why));
    struct frame *const frame = put_frame(f, FRAME_PROGRAM);
    frame->program.card = NO_CARD;
    f->other = *f->game;
    assert_true(game_check(f->game, &f->box, &elapse, &why));
    assert_false(game_step(f->game, &f->box, &elapse, NULL, &why));
    assert_memory_equal(f->game, &f->other, sizeof f->other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(refuses_what_no_record_holds, set_up, tear_down),
        cmocka_unit_test_setup_teardown(no_seat_fits_a_wrong_number_of_seats, set_up, tear_down),
        cmocka_unit_test_setup_teardown(refuses_what_no_frame_holds, set_up, tear_down),
        cmocka_unit_test_setup_teardown(refuses_what_no_set_up_holds, set_up, tear_down),
        cmocka_unit_test_setup_teardown(refuses_secrets_where_there_are_none, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_frame_without_its_card_goes_no_further, set_up,
                                        tear_down),
        cmocka_unit_test(knows_every_byte_of_a_frame),
    };
    return cmocka_run_group_tests_name("snapshot layout", tests, NULL, NULL);
}
