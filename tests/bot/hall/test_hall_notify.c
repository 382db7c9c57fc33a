// Who is called for what: turns, what only one can answer, reminders, fights about to be won for
// those who want that; and nobody who does not.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/loop/arrange.h"
#include "core/loop/query.h"

#include "bot/policy/policy.h"
#include "bot/render/asks.h"
#include "bot/table/library.h"
#include "bot/table/workspace.h"

#include "tests/support/see.h"
#include "tests/support/shown.h"
#include "tests/support/stage_case.h"
#include "tests/support/store_talk.h"
#include "tests/support/test.h"

enum { PEOPLE = 3, TRIES = 600, LAST_LEVEL = 9, HOUR_S = 3600, DAY_S = 86400, DAYS = 20000 };

static const char PLACE[] = "tavern";
static const char *const NAMES[PEOPLE] = {"Ann", "Bob", "Cy"};

static int set_up(void **state)
{
    return stage_case_open(state);
}

static void open_table(struct stage *stage, const char *options, const char *wish)
{
    char line[CHAT_LINE_SIZE];
    (void)snprintf(line, sizeof line, "new sets=classic %s", options);
    stage_say(stage, PLACE, "Ann", line);
    stage_say(stage, PLACE, "Bob", "join");
    stage_say(stage, PLACE, "Cy", "join");
    for (unsigned i = 0; wish != NULL && i < PEOPLE; i++) {
        stage_say(stage, PLACE, NAMES[i], wish);
    }
    fake_forget(stage->chat);
    stage_say(stage, PLACE, "Ann", "start");
}

static void all_are_ready(struct stage *stage)
{
    for (unsigned i = 0; i < PEOPLE; i++) {
        stage_say(stage, PLACE, NAMES[i], "done");
    }
}

// How often somebody was called, and by the newest such message whom.
static size_t count_calls(const struct stage *stage, const struct fake_message **newest)
{
    size_t count = 0;
    for (size_t i = 0; i < fake_count(stage->chat); i++) {
        const struct fake_message *const message = fake_message(stage->chat, i);
        const bool whispered = message->kind == CHAT_WHISPER && message->prompt[0] != '\0';
        if (message->ping_count > 0 || whispered) {
            *newest = message;
            count++;
        }
    }
    return count;
}

static const char *whose_turn(struct stage *stage)
{
    const struct table *const table = stage_table(stage, PLACE);
    const unsigned seats = table_due(table).seats;
    unsigned seat = 0;
    while ((seats >> seat & 1u) == 0) {
        seat++;
    }
    return table_seat_name(table, seat);
}

static void set_up_calls_all_and_a_turn_its_player(void **state)
{
    struct stage *const stage = stage_of(state);
    const struct fake_message *call = NULL;
    open_table(stage, "", NULL);
    assert_int_equal(count_calls(stage, &call), 1);
    assert_string_equal(call->pings, "Ann Bob Cy ");
    fake_forget(stage->chat);
    all_are_ready(stage);
    char whom[64];
    (void)snprintf(whom, sizeof whom, "%s ", whose_turn(stage));
    assert_int_equal(count_calls(stage, &call), 1);
    assert_string_equal(call->pings, whom);
    whom[strlen(whom) - 1] = '\0';
    assert_non_null(strstr(call->prompt, whom));
}

static void two_reminders_call_who_is_waited_for(void **state)
{
    struct stage *const stage = stage_of(state);
    const struct fake_message *call = NULL;
    open_table(stage, "", NULL);
    all_are_ready(stage);
    char whom[64];
    (void)snprintf(whom, sizeof whom, "%s", whose_turn(stage));
    fake_forget(stage->chat);
    stage_wait(stage, PLACE);
    assert_int_equal(count_calls(stage, &call), 1);
    assert_int_equal(call->kind, CHAT_WHISPER);
    assert_string_equal(call->person, whom);
    fake_forget(stage->chat);
    stage_wait(stage, PLACE);
    assert_int_equal(count_calls(stage, &call), 1);
    assert_int_equal(call->kind, CHAT_NARRATION);
    assert_memory_equal(call->pings, whom, strlen(whom));
}

static void who_wants_no_calls_gets_none(void **state)
{
    struct stage *const stage = stage_of(state);
    const struct fake_message *call = NULL;
    open_table(stage, "", "notify none");
    all_are_ready(stage);
    stage_wait(stage, PLACE);
    stage_wait(stage, PLACE);
    assert_int_equal(count_calls(stage, &call), 0);
    stage_restart(stage);
    stage_say(stage, PLACE, "Ann", "notify");
    assert_non_null(shown(stage->chat, "Ann", TEXT_SESSION_NOTIFY_NONE, NULL));
    stage_say(stage, PLACE, "Ann", "notify sometimes");
    assert_non_null(shown(stage->chat, "Ann", TEXT_SESSION_NOTIFY_WHAT, NULL));
    stage_say(stage, PLACE, "Zoe", "notify all");
    assert_null(shown(stage->chat, "Zoe", TEXT_SESSION_NOTIFY_ALL, NULL));
}

static bool calls_all_but(const struct fake_message *call, unsigned seats)
{
    static const char *const SPACED[] = {"Ann ", "Bob ", "Cy "};
    char expected[64] = "";
    for (unsigned seat = 0; seat < sizeof SPACED / sizeof SPACED[0]; seat++) {
        const size_t length = strlen(expected);
        (void)snprintf(expected + length, sizeof expected - length, "%s",
                       (seats >> seat & 1u) == 0 ? SPACED[seat] : "");
    }
    return seats != 0 && strcmp(call->pings, expected) == 0;
}

// Plays until a win can be stopped that does not end the game: whether everybody was called for it
// except the player who opened the window.
static bool calls_for_wins(struct stage *stage)
{
    struct mb_rng rng;
    uint8_t seed[32];
    mb_rng_seed_u64(seed, 1);
    mb_rng_init(&rng, seed);
    for (unsigned i = 0; i < TRIES; i++) {
        const struct fake_message *call = NULL;
        fake_forget(stage->chat);
        stage_go_on(stage, PLACE, &rng);
        const struct table *const table = stage_table(stage, PLACE);
        if (table_due(table).clock == CLOCK_WINDOW) {
            const unsigned author = query_pause(table_game(table), PAUSE_WIN).shown;
            return count_calls(stage, &call) == 1 && calls_all_but(call, author);
        }
    }
    fail_msg("nobody came close to winning a fight");
    return false;
}

static void fights_about_to_be_won_call_those_who_want_it(void **state)
{
    struct stage *const stage = stage_of(state);
    open_table(stage, "", "notify all");
    assert_true(calls_for_wins(stage));
}

static void at_live_pace_nobody_is_called_for_them(void **state)
{
    struct stage *const stage = stage_of(state);
    open_table(stage, "", NULL);
    assert_false(calls_for_wins(stage));
}

static void at_slow_pace_everybody_is(void **state)
{
    struct stage *const stage = stage_of(state);
    open_table(stage, "pace=slow", NULL);
    assert_true(calls_for_wins(stage));
}

/* Wins that would end the game, and the night. */

// Whoever wins a fight from here on has won the game.
static void nearly_won(struct game *game, const struct box *box, void *user)
{
    const uint8_t seed[32] = {1};
    const unsigned seats = query_seat_count(game);
    (void)user;
    arrange_begin(game, box, seats, seed);
    for (unsigned seat = 0; seat < seats; seat++) {
        arrange_seat(game, seat, LAST_LEVEL, false, false, true);
    }
    assert_true(arrange_finish(game, box, 0, PHASE_START, NULL));
}

static bool has_won_nearly(struct stage *stage)
{
    return table_due(stage_table(stage, PLACE)).clock == CLOCK_WINDOW;
}

// Plays until such a win can be stopped; what was said then is there.
static void play_to_the_last_window(struct stage *stage)
{
    struct mb_rng rng;
    uint8_t seed[32];
    mb_rng_seed_u64(seed, 1);
    mb_rng_init(&rng, seed);
    all_are_ready(stage);
    stage_arrange(stage, PLACE, nearly_won, NULL);
    for (unsigned i = 0; i < TRIES && !has_won_nearly(stage); i++) {
        fake_forget(stage->chat);
        stage_go_on(stage, PLACE, &rng);
    }
    assert_true(has_won_nearly(stage));
}

static void the_last_call_is_to_everybody_who_wants_any(void **state)
{
    struct stage *const stage = stage_of(state);
    open_table(stage, "", NULL);
    const struct fake_message *call = fake_message(stage->chat, 0);
    stage_say(stage, PLACE, "Bob", "notify none");
    play_to_the_last_window(stage);
    assert_int_equal(count_calls(stage, &call), 1);
    assert_string_equal(call->pings, "Cy "); // it is Ann who would win
    fake_forget(stage->chat);
    stage_say(stage, PLACE, "Bob", "hold");
    stage_say(stage, PLACE, "Cy", "pass");
    assert_int_equal(count_calls(stage, &call), 0); // once a window
}

static void at_night_nobody_is_called_for_anything(void **state)
{
    struct stage *const stage = stage_of(state);
    const struct fake_message *call = NULL;
    stage->wall_s = (int64_t)DAYS * DAY_S + (int64_t)2 * HOUR_S;
    stage_again(stage);
    open_table(stage, "quiet=22-8", "notify all");
    assert_int_equal(count_calls(stage, &call), 0);
    play_to_the_last_window(stage);
    assert_int_equal(count_calls(stage, &call), 0);
    stage->wall_s += (int64_t)7 * HOUR_S; // the clocks run again, and so do calls
    stage_pass(stage, (int64_t)7 * HOUR_S * 1000);
    for (unsigned i = 0; i < TRIES && count_calls(stage, &call) == 0; i++) {
        stage_wait(stage, PLACE);
    }
    assert_int_not_equal(count_calls(stage, &call), 0);
}

static void who_asks_for_it_is_written_to_again(void **state)
{
    struct stage *const stage = stage_of(state);
    open_table(stage, "", NULL);
    fake_fail_to(stage->chat, "Bob", MB_ERR_INPUT);
    all_are_ready(stage);
    fake_fail_to(stage->chat, NULL, MB_OK);
    fake_forget(stage->chat);
    stage_say(stage, PLACE, "Bob", "dm");
    const struct fake_message *const hand = fake_newest(stage->chat, CHAT_HAND, PLACE, "Bob");
    assert_non_null(hand);
    assert_true(hand->retries);
    assert_non_null(shown(stage->chat, "Bob", TEXT_SESSION_DM, NULL));
    fake_forget(stage->chat);
    stage_say(stage, PLACE, "Ann", "pause");
    for (size_t i = 0; i < fake_count(stage->chat); i++) {
        assert_false(fake_message(stage->chat, i)->retries);
    }
}

/* Once each. */

enum { STEPS = 1500, KEYS_MAX = 4096, STEP_MS = 700 };

struct caller {
    struct library *library;
    struct table_workspace *work;
    struct mb_rng rng;
    uint32_t keys[PEOPLE][KEYS_MAX]; // of what each has been asked
    size_t counts[PEOPLE];
    unsigned calls, most; // together at most so many questions were open to one person
};

static bool has_heard(const struct caller *caller, unsigned seat, uint32_t key)
{
    for (size_t i = 0; i < caller->counts[seat]; i++) {
        if (caller->keys[seat][i] == key) {
            return true;
        }
    }
    return false;
}

static bool is_called(const struct stage *stage, unsigned seat)
{
    for (size_t i = 0; i < fake_count(stage->chat); i++) {
        const struct fake_message *const message = fake_message(stage->chat, i);
        if (message->kind != CHAT_WHISPER && strstr(message->pings, NAMES[seat]) != NULL) {
            return true;
        }
    }
    return false;
}

// Who is asked something new is called for it; who is called is asked something new.
static void check_calls(struct stage *stage, struct caller *caller)
{
    struct ask_list list;
    struct table_words words;
    assert_true(table_words(stage_table(stage, PLACE), table_workspace_stamp(caller->work),
                            caller->work, NO_SEAT, &words));
    list = see(&words, SAYS_NOTHING)->asks;
    for (unsigned seat = 0; seat < PEOPLE; seat++) {
        unsigned open = 0;
        unsigned fresh = 0;
        bool last = false;
        for (unsigned i = 0; i < list.count; i++) {
            const struct ask *const ask = &list.items[i];
            const bool asked = (ask->calls & seat_bit(seat)) != 0;
            last = last || ask->kind == ASK_LAST; // that calls by words of its own
            open += asked ? 1 : 0;
            if (asked && !has_heard(caller, seat, ask->key)) {
                assert_true(caller->counts[seat] < KEYS_MAX);
                caller->keys[seat][caller->counts[seat]++] = ask->key;
                fresh += ask_rings(ask->kind) == RINGS_TURN ? 1 : 0;
            }
        }
        caller->most = open > caller->most ? open : caller->most;
        caller->calls += is_called(stage, seat) ? 1 : 0;
        if (!last && is_called(stage, seat) != (fresh > 0)) {
            fail_msg("%s is asked %u new things, and is%s called", NAMES[seat], fresh,
                     is_called(stage, seat) ? "" : " not");
        }
    }
}

static void begin_again(struct stage *stage, struct caller *caller)
{
    memset(caller->counts, 0, sizeof caller->counts);
    stage_say(stage, PLACE, "Ann", "end");
    stage_say(stage, PLACE, "Ann", "end");
    stage_pass(stage, (int64_t)60 * 1000);
    open_table(stage, "turn=1d decision=1d ask=1d", NULL);
    check_calls(stage, caller);
}

static void what_is_asked_calls_once(void **state)
{
    struct stage *const stage = stage_of(state);
    struct caller *const caller = calloc(1, sizeof *caller);
    uint8_t seed[32];
    assert_non_null(caller);
    caller->library = library_create(stage->catalog);
    caller->work = table_workspace_create(caller->library);
    mb_rng_seed_u64(seed, 5);
    mb_rng_init(&caller->rng, seed);
    fake_can(stage->chat, FAKE_CAPS_ALL | CHAT_CAP_STORY);
    stage_again(stage);
    begin_again(stage, caller);
    for (unsigned i = 0; i < STEPS; i++) {
        char line[STAGE_LINE_SIZE];
        const unsigned seat = mb_rng_below(&caller->rng, PEOPLE);
        const struct table *const table = stage_table(stage, PLACE);
        if (table == NULL || table_state(table) != TABLE_RUNNING) {
            begin_again(stage, caller);
            continue;
        }
        fake_forget(stage->chat);
        if (stage_think(stage, PLACE, seat, &POLICY_RANDOM, &caller->rng, line)) {
            stage_say(stage, PLACE, NAMES[seat], line);
        }
        stage_pass(stage, STEP_MS);
        if (table_state(stage_table(stage, PLACE)) == TABLE_RUNNING) {
            check_calls(stage, caller);
        }
    }
    print_message("%u calls, at most %u questions at once\n", caller->calls, caller->most);
    assert_true(caller->calls > 0 && caller->most > 4);
    table_workspace_destroy(caller->work);
    library_destroy(caller->library);
    free(caller);
}

/* Calls that are on their way. */

// All but Cy are ready, on a chat where one message tells a turn.
static struct stage *almost_ready(void **state)
{
    struct stage *const stage = stage_of(state);
    fake_can(stage->chat, FAKE_CAPS_ALL | CHAT_CAP_STORY);
    stage_again(stage);
    open_table(stage, "turn=1d decision=1d ask=1d", NULL);
    stage_say(stage, PLACE, "Ann", "done");
    return stage;
}

static unsigned times_called(const struct stage *stage, const char *name)
{
    unsigned count = 0;
    for (size_t i = 0; i < fake_count(stage->chat); i++) {
        count += strstr(fake_message(stage->chat, i)->pings, name) != NULL ? 1 : 0;
    }
    return count;
}

// The card that calls whose turn it is waits for an older one, which is on its way.
static void call_waits(struct stage *stage)
{
    stage_say(stage, PLACE, "Bob", "done");
    fake_hold(stage->chat, true);
    stage_say(stage, PLACE, "Ann", "pause");
    stage_say(stage, PLACE, "Ann", "resume");
    stage_say(stage, PLACE, "Cy", "done");
    fake_forget(stage->chat);
    assert_true(times_called(stage, whose_turn(stage)) == 0);
}

static void a_newer_card_calls_whom_the_one_in_its_place_was_to_call(void **state)
{
    struct stage *const stage = almost_ready(state);
    call_waits(stage);
    assert_string_not_equal(whose_turn(stage), "Bob");
    stage_say(stage, PLACE, "Bob", "leave");
    fake_hold(stage->chat, false);
    while (fake_deliver(stage->chat, NULL)) {
        stage_pass(stage, 1);
    }
    assert_int_equal(times_called(stage, whose_turn(stage)), 1);
}

static void who_has_acted_is_not_called_any_more(void **state)
{
    struct stage *const stage = almost_ready(state);
    call_waits(stage);
    char whom[64];
    (void)snprintf(whom, sizeof whom, "%s", whose_turn(stage));
    stage_say(stage, PLACE, "Ann", "pause");
    fake_hold(stage->chat, false);
    while (fake_deliver(stage->chat, NULL)) {
        stage_pass(stage, 1);
    }
    assert_int_equal(times_called(stage, whom), 0);
}

// What is on its way is lost, and another process goes on at that hour.
static void die(struct stage *stage, int64_t hours_later)
{
    struct mb_error err = {0};
    fake_forget(stage->chat);
    chat_listen(stage->chat, NULL, NULL);
    chat_stop(stage->chat);
    fake_hold(stage->chat, false);
    assert_true(chat_start(stage->chat, &err));
    stage->wall_s += hours_later * HOUR_S;
    stage_again(stage);
    stage_pass(stage, 1000);
}

static void a_call_outlives_its_process(void **state)
{
    struct stage *const stage = almost_ready(state);
    stage_say(stage, PLACE, "Bob", "done");
    fake_hold(stage->chat, true);
    stage_say(stage, PLACE, "Cy", "done");
    const struct store_answer *const kept =
        store_talk_load(stage->store, store_talk_place(stage->store, PLACE)->table);
    for (size_t i = 0; i < kept->message_count; i++) { // a row knows seats, and nobody's name
        assert_true(kept->messages[i].board == 0 || kept->messages[i].bytes.size <= 1);
    }
    die(stage, 0);
    assert_int_equal(times_called(stage, whose_turn(stage)), 1);
}

static void an_inherited_call_outlives_its_process(void **state)
{
    struct stage *const stage = almost_ready(state);
    call_waits(stage);
    stage_say(stage, PLACE, "Bob", "leave");
    die(stage, 0);
    assert_int_equal(times_called(stage, whose_turn(stage)), 1);
}

static void a_call_that_was_kept_wakes_nobody_at_night(void **state)
{
    struct stage *const stage = stage_of(state);
    stage->wall_s = (int64_t)DAYS * DAY_S + (int64_t)21 * HOUR_S;
    fake_can(stage->chat, FAKE_CAPS_ALL | CHAT_CAP_STORY);
    stage_again(stage);
    open_table(stage, "quiet=22-8 turn=1d decision=1d ask=1d", NULL);
    stage_say(stage, PLACE, "Ann", "done");
    stage_say(stage, PLACE, "Bob", "done");
    fake_hold(stage->chat, true);
    stage_say(stage, PLACE, "Cy", "done");
    die(stage, 5);
    assert_int_equal(times_called(stage, whose_turn(stage)), 0);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, stage_case_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(set_up_calls_all_and_a_turn_its_player),
        CASE(two_reminders_call_who_is_waited_for),
        CASE(who_wants_no_calls_gets_none),
        CASE(fights_about_to_be_won_call_those_who_want_it),
        CASE(at_live_pace_nobody_is_called_for_them),
        CASE(at_slow_pace_everybody_is),
        CASE(the_last_call_is_to_everybody_who_wants_any),
        CASE(at_night_nobody_is_called_for_anything),
        CASE(who_asks_for_it_is_written_to_again),
        CASE(what_is_asked_calls_once),
        CASE(a_newer_card_calls_whom_the_one_in_its_place_was_to_call),
        CASE(who_has_acted_is_not_called_any_more),
        CASE(a_call_outlives_its_process),
        CASE(an_inherited_call_outlives_its_process),
        CASE(a_call_that_was_kept_wakes_nobody_at_night),
    };
    return cmocka_run_group_tests_name("hall_notify", tests, NULL, NULL);
}
