// Seats that change hands at tables of a chat: whose hand is shown to whom, and who may come.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/hall/hall.h"
#include "bot/hall/hall_limits.h"
#include "bot/tools/fake.h"

#include "tests/support/chance.h"
#include "tests/support/says.h"
#include "tests/support/seats.h"
#include "tests/support/shown.h"
#include "tests/support/stage.h"
#include "tests/support/table.h"
#include "tests/support/test.h"

enum { A_MINUTE_MS = 60000, TRIES = 200 };

static struct catalog *catalog;

static int set_up(void **state)
{
    static struct stage stage;
    chance_fix();
    stage_open(&stage, catalog);
    *state = &stage;
    return 0;
}

static int tear_down(void **state)
{
    stage_close(*state);
    return 0;
}

// Somebody known to the platform by `person` speaks under a name of their choice.
static void say_as(struct stage *f, const char *person, const char *name, const char *line)
{
    const struct chat_in in = {.place = "tavern", .person = person, .name = name, .line = line};
    stage_pass(f, HALL_PERSON_REFILL_MS);
    assert_true(fake_hear_in(f->chat, &in));
    hall_hear(f->hall);
    stage_pass(f, 0);
}

static void say(struct stage *f, const char *person, const char *line)
{
    say_as(f, person, person, line);
}

static const struct table *table_of(struct stage *f)
{
    return hall_table(f->hall, f->chat, "tavern");
}

static bool between_turns(struct stage *f)
{
    const unsigned phase = query_phase(table_game(table_of(f)));
    return phase == PHASE_SETUP || phase == PHASE_START;
}

// Ann and two bot players, in the middle of somebody's turn.
static void start_in_a_turn(struct stage *f)
{
    say(f, "Ann", "new");
    say(f, "Ann", "add-bot");
    say(f, "Ann", "add-bot");
    say(f, "Ann", "start");
    say(f, "Ann", "done");
    for (unsigned i = 0; i < TRIES && between_turns(f); i++) {
        say(f, "Ann", "kick");
    }
    assert_false(between_turns(f));
}

static void wait_for_seat(struct stage *f, const char *name)
{
    for (unsigned i = 0; i < TRIES && seat_named(table_of(f), name) == NO_SEAT; i++) {
        stage_pass(f, A_MINUTE_MS);
        assert_non_null(table_of(f));
    }
    assert_int_not_equal(seat_named(table_of(f), name), NO_SEAT);
}

static void a_namesake_gets_nothing_of_a_seat_that_is_kept(void **state)
{
    struct stage *const f = *state;
    start_in_a_turn(f);
    say_as(f, "u4", "Eve", "join");
    assert_non_null(shown(f->chat, "u4", TEXT_SESSION_WAITS, NULL));
    say_as(f, "u5", "Eve", "status");
    say_as(f, "u5", "Eve", "leave"); // not from a seat that is kept for another
    wait_for_seat(f, "Eve");
    say(f, "Ann", "status");
    assert_non_null(fake_newest(f->chat, CHAT_HAND, "tavern", "u4"));
    assert_null(fake_newest(f->chat, CHAT_HAND, "tavern", "u5"));
    assert_null(fake_newest(f->chat, CHAT_WHISPER, "tavern", "u5"));
    fake_forget(f->chat);
    say_as(f, "u5", "Eve", "hand");
    const struct fake_message *const reply = fake_newest(f->chat, CHAT_REPLY, "tavern", "u5");
    assert_non_null(reply);
    assert_says(reply->text, TEXT_HAND_ONLOOKER, NULL);
}

static void who_waits_and_cannot_be_reached_harms_nobody(void **state)
{
    struct stage *const f = *state;
    start_in_a_turn(f);
    say_as(f, "u4", "Eve", "join");
    fake_fail_to(f->chat, "u4", MB_ERR_INPUT);
    say_as(f, "u4", "Eve", "status");
    say_as(f, "u4", "Eve", "join");
    fake_fail_to(f->chat, "u4", MB_OK);
    wait_for_seat(f, "Eve");
    assert_non_null(fake_newest(f->chat, CHAT_HAND, "tavern", "u4"));
}

static void who_waits_sits_down_when_everybody_has_left(void **state)
{
    struct stage *const f = *state;
    start_in_a_turn(f);
    say(f, "Eve", "join");
    assert_int_equal(seat_named(table_of(f), "Eve"), NO_SEAT);
    say(f, "Ann", "leave");
    assert_int_equal(table_state(table_of(f)), TABLE_RUNNING);
    assert_int_not_equal(seat_named(table_of(f), "Eve"), NO_SEAT);
    assert_non_null(fake_newest(f->chat, CHAT_HAND, "tavern", "Eve"));
}

static void a_deserted_game_takes_newcomers_in_mid_turn(void **state)
{
    struct stage *const f = *state;
    start_in_a_turn(f);
    say(f, "Ann", "leave");
    assert_int_equal(table_state(table_of(f)), TABLE_PAUSED);
    assert_false(between_turns(f));
    say(f, "Eve", "join");
    assert_int_equal(table_state(table_of(f)), TABLE_RUNNING);
    assert_non_null(shown(f->chat, NULL, TEXT_SESSION_HOST, TEXT_ARGS(text_str("who", "Eve"))));
    assert_non_null(fake_newest(f->chat, CHAT_HAND, "tavern", "Eve"));
}

// A last moment in which neither Ann nor Bob has passed.
static unsigned windows_of(struct stage *f)
{
    const struct pause window = query_pause(table_game(table_of(f)), PAUSE_WIN);
    return window.kind != PAUSE_NONE && (window.passed & 3u) == 0 ? 1 : 0;
}

// Where the seed has ended a game another one begins.
static void begin_with_bots(struct stage *f)
{
    say(f, "Ann", "new");
    say(f, "Bob", "join");
    say(f, "Ann", "add-bot");
    say(f, "Ann", "add-bot");
    say(f, "Ann", "start");
}

// Who has passed is not to be seen at once, not even by an edit of the card; and the button beside
// it stays good for the others.
static void a_pass_leaves_the_card_as_it_is(void **state)
{
    struct stage *const f = *state;
    static const char *const NAMES[] = {"Ann", "Bob"};
    static const char *const LINES[] = {"done", "kick", "loot", "run", "choose 1"};
    begin_with_bots(f);
    for (unsigned i = 0; i < TRIES && windows_of(f) == 0; i++) {
        if (table_state(table_of(f)) == TABLE_OVER) {
            begin_with_bots(f);
        }
        for (unsigned j = 0; j < 2 * sizeof LINES / sizeof LINES[0] && windows_of(f) == 0; j++) {
            say(f, NAMES[j % 2], LINES[j / 2]);
        }
        stage_pass(f, windows_of(f) == 0 ? A_MINUTE_MS : 0);
    }
    assert_int_equal(windows_of(f), 1);
    const unsigned passed = query_pause(table_game(table_of(f)), PAUSE_WIN).passed;
    const unsigned seat = 0;
    const uint32_t version = fake_newest(f->chat, CHAT_CARD, "tavern", NULL)->bond.version;
    stage_pass(f, 1500);
    fake_forget(f->chat);
    say(f, NAMES[seat], "pass");
    assert_int_not_equal(query_pause(table_game(table_of(f)), PAUSE_WIN).passed, passed);
    assert_int_equal(fake_count_of(f->chat, CHAT_CARD), 0);
    say(f, NAMES[seat], "hold"); // everybody gets more time: that is to be seen
    assert_int_not_equal(fake_newest(f->chat, CHAT_CARD, "tavern", NULL)->bond.version, version);
}

static void what_is_refused_shows_nothing_anew(void **state)
{
    struct stage *const f = *state;
    start_in_a_turn(f);
    stage_pass(f, 1500);
    fake_forget(f->chat);
    say(f, "Eve", "resume");
    say(f, "Eve", "start");
    assert_int_equal(fake_count_of(f->chat, CHAT_CARD), 0);
}

static void a_table_that_is_not_made_shows_no_card(void **state)
{
    struct stage *const f = *state;
    say(f, "Ann", "new sets=nonsense");
    assert_int_equal(fake_count_of(f->chat, CHAT_CARD), 0);
    say(f, "Ann", "new");
    fake_forget(f->chat);
    say(f, "Ann", "end");
    assert_null(table_of(f));
    const struct fake_message *const card = fake_newest(f->chat, CHAT_CARD, "tavern", NULL);
    assert_non_null(card); // the lobby's, with nothing to press
    assert_int_equal(card->control_count, 0);
    assert_string_equal(card->text, "This table is closed.");
}

static void a_hand_that_cannot_be_shown_is_tried_ever_more_seldom(void **state)
{
    enum { HOUR_MS = 60 * A_MINUTE_MS };
    struct stage *const f = *state;
    start_in_a_turn(f);
    fake_fail_to(f->chat, "Ann", MB_ERR_RETRY);
    for (unsigned i = 0; i < TRIES && table_due(table_of(f)).kind != TABLE_DUE_NEVER; i++) {
        stage_pass(f, A_MINUTE_MS); // until the game rests
    }
    assert_int_equal(table_due(table_of(f)).kind, TABLE_DUE_NEVER);
    stage_pass(f, (int64_t)10 * A_MINUTE_MS);
    const unsigned long before = hall_stats(f->hall)->retried;
    stage_pass(f, HOUR_MS);
    assert_in_range(hall_stats(f->hall)->retried - before, 0, 2 * HOUR_MS / HALL_RETRY_LAST_MS);
    fake_fail_to(f->chat, "Ann", MB_OK);
    stage_pass(f, (int64_t)2 * HALL_RETRY_LAST_MS);
    assert_non_null(fake_newest(f->chat, CHAT_HAND, "tavern", "Ann"));
}

static void a_flooded_table_is_told_at_once(void **state)
{
    struct stage *const f = *state;
    start_in_a_turn(f);
    stage_pass(f, A_MINUTE_MS);
    fake_forget(f->chat);
    for (unsigned i = 0; i <= HALL_PLACE_BURST; i++) {
        char person[16];
        (void)snprintf(person, sizeof person, "m%u", i);
        assert_true(fake_hear(f->chat, "tavern", person, "status"));
        hall_hear(f->hall);
    }
    char last[16]; // nobody else reads that
    (void)snprintf(last, sizeof last, "m%d", HALL_PLACE_BURST);
    assert_non_null(
        shown(f->chat, last, TEXT_HALL_TOO_FAST_HERE,
              TEXT_ARGS(text_num("n", HALL_PLACE_BURST / 2 * HALL_PLACE_REFILL_MS / 1000))));
}

static void a_reminder_in_the_channel_calls_whom_it_names(void **state)
{
    struct stage *const f = *state;
    start_in_a_turn(f);
    for (unsigned i = 0; i < TRIES && shown(f->chat, NULL, TEXT_ABSENT_REMIND,
                                            TEXT_ARGS(text_str("players", "Ann"))) == NULL;
         i++) {
        stage_pass(f, A_MINUTE_MS / 4);
    }
    const struct fake_message *const reminder =
        shown(f->chat, NULL, TEXT_ABSENT_REMIND, TEXT_ARGS(text_str("players", "Ann")));
    assert_non_null(reminder);
    assert_int_equal(reminder->ping_count, 1);
}

static void a_moderator_ends_a_table(void **state)
{
    struct stage *const f = *state;
    start_in_a_turn(f);
    for (unsigned i = 0; i < 3; i++) {
        const struct chat_in in = {
            .place = "tavern", .person = "Mod", .line = "end", .moderator = i > 0};
        stage_pass(f, HALL_PERSON_REFILL_MS);
        assert_true(fake_hear_in(f->chat, &in));
        hall_hear(f->hall);
        assert_int_equal(table_state(table_of(f)), i < 2 ? TABLE_RUNNING : TABLE_OVER);
    }
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_namesake_gets_nothing_of_a_seat_that_is_kept),
        CASE(who_waits_and_cannot_be_reached_harms_nobody),
        CASE(who_waits_sits_down_when_everybody_has_left),
        CASE(a_deserted_game_takes_newcomers_in_mid_turn),
        CASE(a_pass_leaves_the_card_as_it_is),
        CASE(what_is_refused_shows_nothing_anew),
        CASE(a_table_that_is_not_made_shows_no_card),
        CASE(a_flooded_table_is_told_at_once),
        CASE(a_moderator_ends_a_table),
        CASE(a_reminder_in_the_channel_calls_whom_it_names),
        CASE(a_hand_that_cannot_be_shown_is_tried_ever_more_seldom),
    };
    catalog = given_catalog();
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    catalog_destroy(catalog);
    return failed;
}
