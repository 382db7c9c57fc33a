// Two halls on one store, as two processes have them: they race for the same tables, one dies with
// messages unsent, one stands still for longer than its lease and comes back.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/loop/query.h"

#include "bot/hall/hall.h"
#include "bot/hall/hall_limits.h"
#include "bot/tools/fake.h"

#include "tests/support/chance.h"
#include "tests/support/memory_store.h"
#include "tests/support/store_talk.h"
#include "tests/support/table.h"
#include "tests/support/test.h"

enum {
    PROCESSES = 2,
    STEP_MS = 50,
    SOON_MS = 250, // what another process has committed is sent by then
    SUCCEEDED_MS = 10000,
    KEYS_MAX = 4096
};

static const char PLACE[] = "tavern";

struct process {
    struct store *store;
    struct hall *hall;
    struct chat_queue queue;
    struct chat *chat;
    bool stands; // its time does not pass
};

struct town {
    struct catalog *catalog;
    struct process at[PROCESSES];
};

static void begin_process(struct town *town, struct process *process, uint32_t caps)
{
    struct mb_error err = {0};
    chat_queue_init(&process->queue);
    process->chat = fake_create_with(&process->queue, caps);
    process->hall =
        hall_create(&(struct hall_setup){.catalog = town->catalog, .store = process->store});
    assert_non_null(process->chat);
    assert_true(store_start(process->store, &err) && chat_start(process->chat, &err));
    assert_true(hall_add_chat(process->hall, process->chat, &err));
}

static void end_process(struct process *process)
{
    hall_destroy(process->hall);
    store_destroy(process->store);
    chat_destroy(process->chat);
    chat_queue_finish(&process->queue);
    *process = (struct process){.stands = true};
}

static void begin(struct town *town, uint32_t caps)
{
    chance_fix();
    town->at[0].store = memory_store_create();
    assert_non_null(town->at[0].store);
    for (unsigned i = 0; i < PROCESSES; i++) {
        if (i > 0) {
            town->at[i].store = memory_store_join(town->at[0].store);
        }
        begin_process(town, &town->at[i], caps);
    }
}

static int set_up(void **state)
{
    struct town *const town = calloc(1, sizeof *town);
    assert_non_null(town);
    town->catalog = given_catalog();
    begin(town, FAKE_CAPS_ALL);
    *state = town;
    return 0;
}

static void end(struct town *town)
{
    for (unsigned i = 0; i < PROCESSES; i++) {
        if (town->at[i].hall != NULL) {
            end_process(&town->at[i]);
        }
        town->at[i] = (struct process){.store = NULL};
    }
}

static int tear_down(void **state)
{
    struct town *const town = *state;
    end(town);
    catalog_destroy(town->catalog);
    free(town);
    return 0;
}

static void pass_of(struct process *process, int64_t ms)
{
    bool done = hall_advance(process->hall, ms);
    while (!done) {
        done = hall_advance(process->hall, 0);
    }
    hall_hear(process->hall);
}

// Time passes for all that do not stand, side by side.
static void pass(struct town *town, int64_t ms)
{
    for (int64_t at = 0; at < ms; at += STEP_MS) {
        for (unsigned i = 0; i < PROCESSES; i++) {
            if (!town->at[i].stands) {
                pass_of(&town->at[i], STEP_MS);
            }
        }
    }
}

// A platform's event, delivered to one process or (PROCESSES) to all.
static void deliver(struct town *town, unsigned process, const char *person, const char *line)
{
    static unsigned long events;
    char event[32];
    (void)snprintf(event, sizeof event, "event-%lu", ++events);
    for (unsigned i = 0; i < PROCESSES; i++) {
        const struct chat_in in = {.place = PLACE,
                                   .person = person,
                                   .name = person,
                                   .line = line,
                                   .event = event,
                                   .open = true};
        if (process == i || process == PROCESSES) {
            assert_true(fake_hear_in(town->at[i].chat, &in));
        }
    }
}

static void say(struct town *town, unsigned process, const char *person, const char *line)
{
    pass(town, HALL_PERSON_REFILL_MS);
    deliver(town, process, person, line);
    hall_hear(town->at[process].hall);
}

static const struct table *table_of(const struct town *town, unsigned process)
{
    return hall_table(town->at[process].hall, town->at[process].chat, PLACE);
}

// The table as the store has it: a look fetches it.
static const struct table *latest(struct town *town, unsigned process)
{
    say(town, process, "Zoe", "status");
    const struct table *const table = table_of(town, process);
    assert_non_null(table);
    return table;
}

// Of what was committed each was shown once, by one of them.
static void each_was_shown_once(const struct town *town)
{
    static struct chat_key keys[KEYS_MAX];
    size_t count = 0;
    for (unsigned i = 0; i < PROCESSES; i++) {
        for (size_t k = 0; town->at[i].chat != NULL && k < fake_count(town->at[i].chat); k++) {
            const struct fake_message *const message = fake_message(town->at[i].chat, k);
            for (size_t other = 0; other < count; other++) {
                assert_false(keys[other].epoch == message->key.epoch &&
                             keys[other].number == message->key.number);
            }
            assert_true(count < KEYS_MAX);
            keys[count++] = message->key;
        }
    }
}

static size_t narrations(const struct town *town, unsigned process)
{
    return fake_count_of(town->at[process].chat, CHAT_NARRATION);
}

static size_t unsent(const struct town *town)
{
    return memory_store_unsent(town->at[town->at[0].store != NULL ? 0 : 1].store);
}

static void start_game(struct town *town)
{
    say(town, 0, "Ann", "new sets=classic");
    say(town, 1, "Bob", "join male");
    say(town, 0, "Cy", "join female");
    say(town, 1, "Ann", "start");
    pass(town, 2000);
    say(town, 0, "Ann", "done");
    say(town, 1, "Bob", "done");
    say(town, 0, "Cy", "done");
    pass(town, 2000);
}

/* Racing. */

static void any_process_hears_any_line(void **state)
{
    struct town *const town = *state;
    start_game(town);
    assert_int_equal(table_state(latest(town, 0)), TABLE_RUNNING);
    assert_int_equal(table_state(latest(town, 1)), TABLE_RUNNING);
    assert_int_equal(game_digest(table_game(table_of(town, 0))),
                     game_digest(table_game(table_of(town, 1))));
    each_was_shown_once(town);
    assert_int_equal(unsent(town), 0);
    // Answers come from who heard; refusals know the table as it is.
    fake_forget(town->at[1].chat);
    say(town, 1, "Zoe", "pass");
    assert_int_equal(fake_count(town->at[1].chat), 1);
    assert_int_equal(fake_message(town->at[1].chat, 0)->kind, CHAT_REPLY);
}

static void of_two_that_commit_the_loser_decides_again(void **state)
{
    struct town *const town = *state;
    say(town, 0, "Ann", "new sets=classic");
    pass(town, 1000);
    (void)latest(town, 1);
    for (unsigned i = 0; i < PROCESSES; i++) { // both look before either commits
        faulty_store_hold(town->at[i].store, true);
        deliver(town, i, i == 0 ? "Bob" : "Cy", "join");
        hall_hear(town->at[i].hall);
        faulty_store_hold(town->at[i].store, false);
    }
    for (unsigned i = 0; i < PROCESSES; i++) {
        hall_hear(town->at[i].hall);
    }
    pass(town, 1000);
    assert_int_equal(table_seat_count(latest(town, 0)), 3);
    assert_int_equal(table_seat_count(latest(town, 1)), 3);
    each_was_shown_once(town);
}

// The second commit is asked before the first is answered.
static void a_conflict_is_fetched_and_decided_again(void **state)
{
    struct town *const town = *state;
    say(town, 0, "Ann", "new sets=classic");
    pass(town, 1000);
    (void)latest(town, 1);
    pass(town, 1000);
    faulty_store_overtake(town->at[1].store, 1);
    const unsigned long before = hall_stats(town->at[1].hall)->conflicts;
    say(town, 1, "Bob", "join");
    pass(town, 1000);
    assert_int_equal(hall_stats(town->at[1].hall)->conflicts, before + 1);
    assert_int_equal(table_seat_count(latest(town, 0)), 2);
    assert_int_equal(unsent(town), 0);
}

static void an_event_that_both_hear_counts_once(void **state)
{
    struct town *const town = *state;
    start_game(town);
    const struct table *const table = latest(town, 0);
    const char *const who = table_seat_name(table, query_turn(table_game(table)));
    const unsigned entries = table_journal_count(table);
    deliver(town, PROCESSES, who, "kick");
    pass(town, 1000);
    assert_int_equal(table_journal_count(latest(town, 0)), entries + 1);
    each_was_shown_once(town);
    assert_int_equal(unsent(town), 0);
}

/* Sending. */

static void one_sends_what_another_commits(void **state)
{
    struct town *const town = *state;
    fake_hold(town->at[0].chat, true);
    say(town, 0, "Ann", "new sets=classic");
    assert_true(hall_holds(town->at[0].hall, town->at[0].chat, PLACE));
    const size_t waiting = fake_waiting(town->at[0].chat);
    assert_true(waiting > 0);
    say(town, 1, "Bob", "join");
    assert_false(hall_holds(town->at[1].hall, town->at[1].chat, PLACE));
    assert_int_equal(narrations(town, 1), 0);
    pass(town, SOON_MS);
    assert_true(fake_waiting(town->at[0].chat) > waiting); // by the first
    fake_hold(town->at[0].chat, false);
    while (fake_deliver(town->at[0].chat, NULL)) {
    }
    pass(town, SOON_MS);
    assert_int_equal(narrations(town, 1), 0);
    assert_int_equal(narrations(town, 0), 2);
    assert_int_equal(unsent(town), 0);
    // Nothing is under way: whoever comes first speaks.
    assert_false(hall_holds(town->at[0].hall, town->at[0].chat, PLACE));
    say(town, 1, "Cy", "join");
    assert_int_equal(narrations(town, 1), 1);
    each_was_shown_once(town);
}

// What it knows of a message and the store does not yet, another's commit does not make it forget.
static void a_board_that_was_shown_is_edited_whatever_others_commit(void **state)
{
    struct town *const town = *state;
    struct process *const first = &town->at[0];
    fake_hold(first->chat, true);
    say(town, 0, "Ann", "new sets=classic");
    faulty_store_fault(first->store, FAULT_BEFORE, 1);
    while (fake_deliver(first->chat, NULL)) {
        hall_hear(first->hall);
        faulty_store_fault(first->store, FAULT_BEFORE, 1);
    }
    faulty_store_fault(first->store, FAULT_NONE, 0);
    assert_true(unsent(town) > 0);
    fake_hold(first->chat, false);
    deliver(town, 1, "Bob", "join");
    hall_hear(town->at[1].hall);
    pass(town, 1000);
    assert_int_equal(unsent(town), 0);
    const struct fake_message *const card = fake_newest(first->chat, CHAT_CARD, PLACE, "");
    assert_non_null(card);
    assert_non_null(strstr(card->text, "Bob"));
    assert_int_not_equal(card->replaces[0], '\0');
}

// Where a board is shown is known with its outcome, which changes no version: whoever fetched the
// table before (or has changed it, `joins`) and speaks afterwards edits it all the same.
static void edits_what_was_on_its_way(struct town *town, bool joins)
{
    fake_hold(town->at[0].chat, true);
    say(town, 0, "Ann", "new sets=classic");
    say(town, 1, joins ? "Bob" : "Zoe", joins ? "join" : "status");
    fake_hold(town->at[0].chat, false);
    while (fake_deliver(town->at[0].chat, NULL)) {
        pass(town, SOON_MS);
    }
    assert_int_equal(unsent(town), 0);
    assert_false(hall_holds(town->at[0].hall, town->at[0].chat, PLACE));
    say(town, 1, "Cy", "join");
    pass(town, 1000);
    const struct fake_message *const card = fake_newest(town->at[1].chat, CHAT_CARD, PLACE, "");
    assert_non_null(card);
    assert_int_not_equal(card->replaces[0], '\0');
    assert_int_equal(unsent(town), 0);
    each_was_shown_once(town);
}

static void a_board_that_another_has_made_is_edited(void **state)
{
    edits_what_was_on_its_way(*state, false);
}

static void a_board_that_another_has_made_of_ones_own_is_edited(void **state)
{
    edits_what_was_on_its_way(*state, true);
}

// The platform knows the bot once: who speaks there speaks for all.
static void a_network_s_own_lease_goes_before(void **state)
{
    struct town *const town = *state;
    end(town);
    begin(town, FAKE_CAPS_ALL | CHAT_CAP_ONE);
    pass(town, 1000);
    for (unsigned i = 0; i < 2; i++) { // heard by either, said by the first
        say(town, 1 - i, i == 0 ? "Ann" : "Bob", i == 0 ? "new sets=classic" : "join");
        pass(town, SOON_MS);
        assert_int_equal(narrations(town, 0), i + 1);
        assert_int_equal(narrations(town, 1), 0);
    }
    end_process(&town->at[0]);
    pass(town, SUCCEEDED_MS);
    say(town, 1, "Cy", "join");
    assert_int_equal(narrations(town, 1), 1);
    assert_int_equal(unsent(town), 0);
}

static void what_falls_due_is_seen_to_by_one(void **state)
{
    struct town *const town = *state;
    start_game(town);
    (void)latest(town, 0);
    (void)latest(town, 1);
    const unsigned long before =
        hall_stats(town->at[0].hall)->conflicts + hall_stats(town->at[1].hall)->conflicts;
    const unsigned long steps =
        hall_stats(town->at[0].hall)->steps + hall_stats(town->at[1].hall)->steps;
    pass(town, INT64_C(15) * 60000); // turns run out, stand-ins play
    assert_true(hall_stats(town->at[0].hall)->steps + hall_stats(town->at[1].hall)->steps >
                steps + 2);
    assert_int_equal(
        hall_stats(town->at[0].hall)->conflicts + hall_stats(town->at[1].hall)->conflicts, before);
    each_was_shown_once(town);
    assert_int_equal(unsent(town), 0);
}

/* Dying. */

static void who_dies_is_succeeded(void **state)
{
    struct town *const town = *state;
    say(town, 0, "Ann", "new sets=classic");
    pass(town, 1000);
    fake_fail_to(town->at[0].chat, NULL, MB_ERR_RETRY); // nothing gets out any more
    say(town, 0, "Ann", "add bot");
    assert_true(unsent(town) > 0);
    town->at[0].stands = true;
    say(town, 1, "Bob", "join"); // it does not speak for the first
    pass(town, 2000);
    assert_int_equal(narrations(town, 1), 0);
    pass(town, SUCCEEDED_MS - 2000);
    assert_int_equal(unsent(town), 0);
    assert_int_equal(narrations(town, 1), 2); // in their order
    assert_non_null(
        strstr(fake_newest(town->at[1].chat, CHAT_NARRATION, PLACE, NULL)->text, "Bob"));
    each_was_shown_once(town);
}

static void who_stood_still_for_too_long_is_silent(void **state)
{
    struct town *const town = *state;
    say(town, 0, "Ann", "new sets=classic");
    pass(town, 1000);
    fake_fail_to(town->at[0].chat, NULL, MB_ERR_RETRY);
    say(town, 0, "Ann", "add bot");
    town->at[0].stands = true;
    pass(town, SUCCEEDED_MS);
    assert_int_equal(unsent(town), 0);
    // It goes on; before it is told anything its platform is back, and asks again.
    town->at[0].stands = false;
    fake_fail_to(town->at[0].chat, NULL, MB_OK);
    faulty_store_hold(town->at[0].store, true);
    hall_stand(town->at[0].hall, SUCCEEDED_MS);
    pass(town, 3000);
    faulty_store_hold(town->at[0].store, false);
    pass(town, 60000);
    each_was_shown_once(town);
    say(town, 0, "Bob", "join");
    pass(town, 1000);
    assert_int_equal(table_seat_count(latest(town, 1)), 3);
    each_was_shown_once(town);
    assert_int_equal(unsent(town), 0);
}

// Another process has sent it while this one counted as dead.
static void an_answer_is_sent_once(void **state)
{
    struct town *const town = *state;
    say(town, 0, "Ann", "new sets=classic");
    pass(town, 2000);
    fake_fail_to(town->at[1].chat, NULL, MB_ERR_RETRY);
    say(town, 1, "Bob", "join");
    fake_fail_to(town->at[0].chat, "Ann", MB_ERR_RETRY);
    say(town, 0, "Ann", "notify none");
    pass(town, 200);
    town->at[0].stands = true;
    fake_fail_to(town->at[1].chat, NULL, MB_OK);
    pass(town, SUCCEEDED_MS + 5000);
    fake_fail_to(town->at[0].chat, "Ann", MB_OK);
    town->at[0].stands = false;
    hall_stand(town->at[0].hall, SUCCEEDED_MS + 5000);
    pass(town, 60000);
    assert_int_equal(fake_count_of(town->at[0].chat, CHAT_REPLY) +
                         fake_count_of(town->at[1].chat, CHAT_REPLY),
                     1);
    each_was_shown_once(town);
}

// Its clock runs on, and its time does not.
static void a_process_that_was_stopped_ends_no_turn(void **state)
{
    struct town *const town = *state;
    start_game(town);
    const struct table *table = latest(town, 0);
    const unsigned entries = table_journal_count(table);
    for (unsigned i = 0; i < PROCESSES; i++) {
        hall_stand(town->at[i].hall, INT64_C(24) * 3600000);
    }
    pass(town, 5000);
    table = latest(town, 0);
    assert_int_equal(table_journal_count(table), entries);
    assert_int_equal(unsent(town), 0);
    each_was_shown_once(town);
}

// Answers that say how far another process is lie there while the clock goes on: what has passed by
// then counts once.
static void store_time_passes_no_faster_than_the_clock(void **state)
{
    enum { ROUNDS = 60, ASKED_MS = 1000, LAIN_MS = 900, EASE_MS = 2050, SLACK_MS = 2000 };
    struct town *const town = *state;
    struct process *const busy = &town->at[0]; // it beats first
    const struct store_request beat = {.kind = STORE_BEAT};
    const int64_t clock = (int64_t)ROUNDS * (ASKED_MS + LAIN_MS + EASE_MS);
    struct mb_error err = {0};
    start_game(town); // something is to fall due
    struct store *const third = memory_store_join(town->at[0].store);
    assert_true(third != NULL && store_start(third, &err));
    const int64_t before = store_talk(third, &beat)->now_ms;
    for (unsigned round = 0; round < ROUNDS; round++) {
        faulty_store_hold(busy->store, true);
        pass_of(busy, ASKED_MS);
        for (int64_t at = 0; at < ASKED_MS + LAIN_MS; at += STEP_MS) {
            pass_of(&town->at[1], STEP_MS);
        }
        faulty_store_hold(busy->store, false);
        pass_of(busy, LAIN_MS);
        pass(town, EASE_MS);
    }
    const int64_t passed = store_talk(third, &beat)->now_ms - before;
    assert_in_range(passed, clock - SLACK_MS, clock + SLACK_MS);
    store_talk_end();
    store_destroy(third);
}

static void link_of(struct town *town, unsigned process, bool back)
{
    const struct chat_in in = {.kind = back ? CHAT_IN_BACK : CHAT_IN_AWAY};
    assert_true(fake_news(town->at[process].chat, &in));
    pass(town, 2000);
}

static int64_t left_ms(struct town *town, unsigned process)
{
    static unsigned level;
    char line[32];
    (void)snprintf(line, sizeof line, "orders pass below %u", 4 + ++level % 2);
    say(town, process, "Ann", line);
    return table_due(latest(town, process)).clock_ms;
}

// A network is there as long as one of them has it, and away when who had it last has died.
static void clocks_run_while_one_has_the_network(void **state)
{
    enum { WHILE_MS = 60000, SLACK_MS = 12000 };
    struct town *const town = *state;
    end(town);
    begin(town, FAKE_CAPS_ALL | CHAT_CAP_AFAR);
    link_of(town, 0, true);
    link_of(town, 1, true);
    say(town, 0, "Ann", "new sets=classic pace=slow");
    say(town, 1, "Bob", "join male");
    say(town, 0, "Cy", "join female");
    say(town, 1, "Ann", "start");
    pass(town, 2000);
    int64_t left = left_ms(town, 0);
    link_of(town, 0, false);
    pass(town, WHILE_MS);
    assert_in_range(left - left_ms(town, 1), WHILE_MS, WHILE_MS + SLACK_MS);
    link_of(town, 1, false);
    left = left_ms(town, 0);
    pass(town, WHILE_MS);
    assert_in_range(left - left_ms(town, 0), 0, SLACK_MS);
    left = left_ms(town, 1);
    link_of(town, 1, true);
    pass(town, WHILE_MS);
    assert_in_range(left - left_ms(town, 0), WHILE_MS, WHILE_MS + SLACK_MS);
    end_process(&town->at[1]);
    pass(town, SUCCEEDED_MS);
    left = left_ms(town, 0);
    pass(town, WHILE_MS);
    assert_in_range(left - left_ms(town, 0), 0, SLACK_MS);
    link_of(town, 0, true);
    left = left_ms(town, 0);
    pass(town, WHILE_MS);
    assert_in_range(left - left_ms(town, 0), WHILE_MS, WHILE_MS + SLACK_MS);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(any_process_hears_any_line),
        CASE(of_two_that_commit_the_loser_decides_again),
        CASE(a_conflict_is_fetched_and_decided_again),
        CASE(an_event_that_both_hear_counts_once),
        CASE(one_sends_what_another_commits),
        CASE(a_board_that_was_shown_is_edited_whatever_others_commit),
        CASE(a_board_that_another_has_made_is_edited),
        CASE(a_board_that_another_has_made_of_ones_own_is_edited),
        CASE(a_network_s_own_lease_goes_before),
        CASE(an_answer_is_sent_once),
        CASE(what_falls_due_is_seen_to_by_one),
        CASE(who_dies_is_succeeded),
        CASE(who_stood_still_for_too_long_is_silent),
        CASE(a_process_that_was_stopped_ends_no_turn),
        CASE(store_time_passes_no_faster_than_the_clock),
        CASE(clocks_run_while_one_has_the_network),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
