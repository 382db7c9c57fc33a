// Two tables that differ in what one seat has done in secret: passed, or answered a call for help.
// Nobody else may tell them apart: by their view, by what they are answered, by the card's
// controls.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/loop/arrange.h"
#include "core/loop/query.h"

#include "bot/table/panel/controls.h"
#include "bot/tools/solo.h"

#include "tests/support/chance.h"
#include "tests/support/see.h"
#include "tests/support/table.h"
#include "tests/support/test.h"

enum { SEATS = 4, ANN = 0, SECRET = 1, TEXT_SIZE = 1 << 16 };

struct sealed {
    struct catalog *catalog;
    struct box box;
    struct game *game;
    struct solo *tables[2]; // in the second one the secret seat acts
    char *heard[2];
};

static int set_up(void **state)
{
    struct sealed *const s = calloc(1, sizeof *s);
    chance_fix();
    s->catalog = given_catalog();
    given_box(s->catalog, "classic", &s->box);
    s->game = calloc(1, game_size());
    for (unsigned i = 0; i < 2; i++) {
        s->tables[i] = solo_create(s->catalog);
        s->heard[i] = calloc(1, TEXT_SIZE);
    }
    *state = s;
    return 0;
}

static int tear_down(void **state)
{
    struct sealed *const s = *state;
    for (unsigned i = 0; i < 2; i++) {
        solo_destroy(s->tables[i]);
        free(s->heard[i]);
    }
    free(s->game);
    catalog_destroy(s->catalog);
    free(s);
    return 0;
}

static uint16_t card_of(const struct sealed *s, const char *name)
{
    for (uint16_t card = 0; card < s->box.card_count; card++) {
        if (strcmp(catalog_name(s->catalog, s->box.card_def[card]), name) == 0 &&
            query_where(s->game, card) == PILE_TOTAL) {
            return card;
        }
    }
    fail_msg("no card %s", name);
    return NO_CARD;
}

static void say(struct sealed *s, unsigned seat, const char *line)
{
    for (unsigned i = 0; i < 2; i++) {
        struct refusal why = {0};
        if (!solo_line(s->tables[i], seat, line, &why)) {
            fail_msg("\"%s\" is refused: %s", line, refusal_name(why.code));
        }
    }
}

// Ann meets a Haystack Golem, at a Level at which she wins or does not.
static void begin(struct sealed *s, unsigned level)
{
    static const char *const NAMES[MB_SEATS_MAX] = {"Ann", "Bob", "Cy", "Dot"};
    uint8_t seed[32] = {1};
    arrange_begin(s->game, &s->box, SEATS, seed);
    for (unsigned seat = 0; seat < SEATS; seat++) {
        arrange_seat(s->game, seat, seat == ANN ? level : 3, seat == SECRET, false, true);
    }
    const uint16_t golem = card_of(s, "Haystack Golem");
    const uint16_t stick = card_of(s, "Stick That Was a Snake");
    arrange_top(s->game, PILE_DOOR_DECK, &golem, 1);
    arrange_card(s->game, stick, pile_table(2), CARD_FRESH, NO_CARD);
    assert_true(arrange_finish(s->game, &s->box, ANN, PHASE_START, NULL));
    for (unsigned i = 0; i < 2; i++) {
        solo_adopt(s->tables[i], &s->box, s->game, NAMES, PACE_LIVE);
    }
    say(s, 2, "give Stick That Was a Snake to Dot");
    say(s, ANN, "kick");
}

static void listen(struct sealed *s, unsigned table, unsigned seat)
{
    struct message_list *const outbox = solo_outbox(s->tables[table]);
    char *const heard = s->heard[table];
    size_t length = strlen(heard);
    for (size_t i = 0; i < outbox->count; i++) {
        const struct message *const message = &outbox->items[i];
        if (message->to == MESSAGE_TABLE || message->seat == seat) {
            (void)snprintf(heard + length, TEXT_SIZE - length, "%s\n", message->text);
            length += strlen(heard + length);
        }
    }
    message_list_clear(outbox);
}

static void expect_same_controls(struct sealed *s)
{
    static struct control_list lists[2];
    for (unsigned i = 0; i < 2; i++) {
        struct table_words words;
        solo_words(s->tables[i], NO_SEAT, &words);
        lists[i] = (struct control_list){.count = 0};
        controls_card(see(&words, SAYS_NOTHING),
                      query_awaited(words.view) | seat_bit(query_turn(words.view)), &lists[i]);
    }
    assert_true(lists[0].count > 0);
    assert_int_equal(lists[0].count, lists[1].count);
    for (size_t i = 0; i < lists[0].count; i++) {
        assert_string_equal(lists[0].items[i].line, lists[1].items[i].line);
    }
}

static void expect_same_views(struct sealed *s)
{
    for (unsigned seat = 0; seat <= SEATS; seat++) {
        struct table_words words[2];
        for (unsigned i = 0; i < 2; i++) {
            solo_words(s->tables[i], seat < SEATS ? seat : NO_SEAT, &words[i]);
        }
        if (seat != SECRET && !game_same(words[0].view, words[1].view)) {
            fail_msg("seat %u has another view", seat);
        }
    }
}

static void expect_same_answer(struct sealed *s, unsigned seat, const char *line)
{
    for (unsigned i = 0; i < 2; i++) {
        struct refusal why = {0};
        s->heard[i][0] = '\0';
        (void)solo_line(s->tables[i], seat, line, &why);
        listen(s, i, seat);
    }
    if (strcmp(s->heard[0], s->heard[1]) != 0) {
        fail_msg("\"%s\" of seat %u is answered \"%s\", and after the secret \"%s\"", line, seat,
                 s->heard[0], s->heard[1]);
    }
}

static void expect_nobody_notices(struct sealed *s)
{
    static const char *const LINES[] = {"why pass",   "why refuse", "why withdraw",
                                        "why accept", "why run",    "status",
                                        "why done",   "why hold",   "why choose Cy"};
    expect_same_views(s);
    expect_same_controls(s);
    for (unsigned seat = 0; seat < SEATS; seat++) {
        for (size_t line = 0; seat != SECRET && line < sizeof LINES / sizeof LINES[0]; line++) {
            expect_same_answer(s, seat, LINES[line]);
        }
    }
}

// The secret seat does it at the second table only; nothing of it is told to others.
static void in_secret(struct sealed *s, const char *line)
{
    struct refusal why = {0};
    for (unsigned i = 0; i < 2; i++) {
        message_list_clear(solo_outbox(s->tables[i]));
    }
    assert_true(solo_line(s->tables[1], SECRET, line, &why));
    const struct message_list *const outbox = solo_outbox(s->tables[1]);
    for (size_t i = 0; i < outbox->count; i++) {
        assert_int_not_equal(outbox->items[i].to, MESSAGE_TABLE);
        assert_int_equal(outbox->items[i].seat, SECRET);
    }
    message_list_clear(solo_outbox(s->tables[1]));
}

static void a_pass_is_seen_by_nobody(void **state)
{
    struct sealed *const s = *state;
    begin(s, 9);
    in_secret(s, "pass");
    expect_nobody_notices(s);
    // Nor by the last one who has not: all others pass at both tables, the secret seat at one.
    say(s, 2, "pass");
    say(s, ANN, "pass");
    for (unsigned i = 0; i < 2; i++) {
        struct refusal why = {0};
        s->heard[i][0] = '\0';
        message_list_clear(solo_outbox(s->tables[i]));
        assert_true(solo_line(s->tables[i], 3, "why pass", &why));
        listen(s, i, 3);
    }
    assert_string_equal(s->heard[0], s->heard[1]);
}

// What a line is answered at each of the two tables.
static void both_answer(struct sealed *s, unsigned seat, const char *line)
{
    for (unsigned i = 0; i < 2; i++) {
        s->heard[i][0] = '\0';
        message_list_clear(solo_outbox(s->tables[i]));
        assert_true(solo_line(s->tables[i], seat, line, NULL));
        listen(s, i, seat);
    }
}

static void a_pass_is_shown_from_half_time_on(void **state)
{
    struct sealed *const s = *state;
    begin(s, 9);
    in_secret(s, "pass");
    const struct table_due orders = solo_due(s->tables[0]);
    assert_int_equal(orders.kind, TABLE_DUE_BOTS); // though nobody has any
    for (unsigned i = 0; i < 2; i++) {
        solo_advance(s->tables[i], orders.ms);
    }
    const struct table_due due = solo_due(s->tables[0]);
    assert_int_equal(due.kind, TABLE_DUE_PASSES);
    assert_int_equal((orders.ms + due.ms) * 2, orders.clock_ms);
    assert_int_equal(solo_due(s->tables[1]).ms, due.ms); // whoever has passed
    for (unsigned i = 0; i < 2; i++) {
        solo_advance(s->tables[i], due.ms - 1);
    }
    expect_nobody_notices(s);
    for (unsigned i = 0; i < 2; i++) {
        solo_advance(s->tables[i], 1);
        assert_int_equal(solo_outbox(s->tables[i])->count, 0); // the card alone shows it
    }
    expect_same_views(s);
    expect_same_controls(s);
    for (unsigned seat = 0; seat < SEATS; seat++) {
        both_answer(s, seat, "status");
        assert_non_null(strstr(s->heard[0], "Bob, Cy and Dot may stop it or pass"));
        assert_non_null(strstr(s->heard[1], " Cy and Dot may stop it or pass"));
    }
    say(s, 2, "hold"); // what was shown stays
    both_answer(s, ANN, "status");
    assert_non_null(strstr(s->heard[1], " Cy and Dot may stop it or pass"));
}

// Dot adds to a fight that Ann is winning, and Cy could undo it. At one table Bob passes before Cy,
// at the other Cy before Bob; with the last pass the window opens anew.
static void who_passes_last_is_seen_by_nobody(void **state)
{
    enum { CY = 2, DOT = 3 };
    static const char *const NAMES[MB_SEATS_MAX] = {"Ann", "Bob", "Cy", "Dot"};
    struct sealed *const s = *state;
    uint8_t seed[32] = {1};
    given_box(s->catalog, "super", &s->box);
    arrange_begin(s->game, &s->box, SEATS, seed);
    for (unsigned seat = 0; seat < SEATS; seat++) {
        arrange_seat(s->game, seat, seat == ANN ? 8 : 3, seat == SECRET, false, true);
    }
    const uint16_t cat = card_of(s, "Professionally Stuck Cat");
    arrange_top(s->game, PILE_DOOR_DECK, &cat, 1);
    arrange_card(s->game, card_of(s, "Techno"), pile_table(CY), 0, NO_CARD);
    arrange_card(s->game, card_of(s, "Itchy Undo Finger"), pile_table(CY), 0, NO_CARD);
    arrange_card(s->game, card_of(s, "Black Coffee"), pile_hand(CY), 0, NO_CARD);
    arrange_card(s->game, card_of(s, "Foil Trading Cards"), pile_hand(CY), 0, NO_CARD);
    arrange_card(s->game, card_of(s, "Onomatopoeia"), pile_hand(DOT), 0, NO_CARD);
    assert_true(arrange_finish(s->game, &s->box, ANN, PHASE_START, NULL));
    for (unsigned i = 0; i < 2; i++) {
        solo_adopt(s->tables[i], &s->box, s->game, NAMES, PACE_LIVE);
    }
    say(s, ANN, "kick");
    say(s, DOT, "play Onomatopoeia for players");
    say(s, ANN, "pass");
    for (unsigned i = 0; i < 2; i++) {
        const unsigned first = i == 0 ? SECRET : CY;
        assert_int_equal(solo_due(s->tables[i]).clock, CLOCK_ANSWER);
        assert_true(solo_line(s->tables[i], first, "pass", NULL));
        assert_true(solo_line(s->tables[i], SECRET + CY - first, "pass", NULL));
        assert_int_equal(solo_due(s->tables[i]).clock, CLOCK_WINDOW);
    }
    static const unsigned OTHERS[] = {ANN, DOT, NO_SEAT};
    for (size_t i = 0; i < sizeof OTHERS / sizeof OTHERS[0]; i++) {
        struct table_words words[2];
        solo_words(s->tables[0], OTHERS[i], &words[0]);
        solo_words(s->tables[1], OTHERS[i], &words[1]);
        assert_true(game_same(words[0].view, words[1].view));
    }
    expect_same_controls(s);
}

static void an_answer_to_a_call_is_seen_by_nobody(void **state)
{
    static const char *const ANSWERS[] = {"accept", "refuse"};
    struct sealed *const s = *state;
    for (size_t i = 0; i < 2; i++) {
        begin(s, 1);
        say(s, ANN, "ask all");
        in_secret(s, ANSWERS[i]);
        expect_nobody_notices(s);
        expect_same_answer(s, 2, "undo"); // it is still Ann's command that would be taken back
        expect_same_answer(s, ANN, "undo");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_pass_is_seen_by_nobody, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_pass_is_shown_from_half_time_on, set_up, tear_down),
        cmocka_unit_test_setup_teardown(who_passes_last_is_seen_by_nobody, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_answer_to_a_call_is_seen_by_nobody, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
