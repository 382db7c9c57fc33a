// A hall and its store: what fails, comes late or is another's meanwhile changes nothing of what
// people see.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/hall/hall.h"
#include "bot/hall/hall_limits.h"
#include "bot/tools/fake.h"

#include "tests/support/chance.h"
#include "tests/support/says.h"
#include "tests/support/stage.h"
#include "tests/support/store_talk.h"
#include "tests/support/table.h"
#include "tests/support/test.h"

enum { A_MINUTE_MS = 60000, TOLD_SIZE = 1 << 20 };

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

static void say_in(struct stage *f, const char *place, const char *person, const char *line)
{
    stage_pass(f, HALL_PERSON_REFILL_MS);
    assert_true(fake_hear(f->chat, place, person, line));
    hall_hear(f->hall);
    stage_pass(f, 0);
}

static void say(struct stage *f, const char *person, const char *line)
{
    say_in(f, "tavern", person, line);
}

static const struct table *table_of(struct stage *f)
{
    const struct table *const table = hall_table(f->hall, f->chat, "tavern");
    assert_non_null(table);
    return table;
}

static uint64_t digest(struct stage *f)
{
    return game_digest(table_game(table_of(f)));
}

static void start_table(struct stage *f)
{
    say(f, "Ann", "new sets=classic");
    say(f, "Bob", "join male");
    say(f, "Cy", "join female");
    say(f, "Ann", "start");
    say(f, "Ann", "done");
    say(f, "Bob", "done");
    say(f, "Cy", "done");
    assert_int_equal(table_state(table_of(f)), TABLE_RUNNING);
}

static const char *turn(struct stage *f)
{
    const struct table *const table = table_of(f);
    return table_seat_name(table, query_turn(table_game(table)));
}

/* A store that fails. */

// All that was said to anybody, in its order, but for what is left on clocks: that depends on when
// the store came back.
static void tell(const struct stage *f, char *out)
{
    size_t length = 0;
    for (size_t i = 0; i < fake_count(f->chat); i++) {
        const struct fake_message *const message = fake_message(f->chat, i);
        length += (size_t)snprintf(out + length, TOLD_SIZE - length, "<%s|%d>", message->person,
                                   (int)message->kind);
        assert_true(length + strlen(message->text) < TOLD_SIZE);
        for (const char *at = message->text; *at != '\0'; at++) {
            const size_t digits = strspn(at, "0123456789");
            at += strncmp(at + digits, " s left", 7) == 0 ? digits : 0;
            out[length++] = *at;
        }
    }
    out[length] = '\0';
}

// A short game; whatever the store does, time enough passes for it to be asked again.
static void play(struct stage *f)
{
    static const char *const LINES[][2] = {
        {"Ann", "new sets=classic pace=async"},
        {"Bob", "join male"},
        {"Ann", "add-bot"},
        {"Ann", "start"},
        {"Ann", "done"},
        {"Bob", "done"},
        {"Ann", "kick"},
        {"Bob", "kick"},
        {"Ann", "loot"},
        {"Bob", "loot"},
        {"Ann", "undo"},
        {"Ann", "log"},
        {"Bob", "stats"},
        {"Bob", "status"},
        {"Ann", "end"},
        {"Ann", "end"},
    };
    for (size_t i = 0; i < sizeof LINES / sizeof LINES[0]; i++) {
        assert_true(fake_hear(f->chat, "tavern", LINES[i][0], LINES[i][1]));
        hall_hear(f->hall);
        faulty_store_release(f->store);
        hall_hear(f->hall);
        // Bot players act every ten seconds until they have done all; no clock ends for hours.
        stage_pass(f, (int64_t)10 * A_MINUTE_MS);
    }
}

// The game once more, with a fault at the n-th request.
static void play_with(struct stage *f, enum fault fault, unsigned long n, char *told)
{
    stage_close(f);
    chance_fix();
    stage_open(f, catalog);
    faulty_store_fault(f->store, fault, n);
    play(f);
    tell(f, told);
}

static void each_request_may_fail(void **state)
{
    static const enum fault FAULTS[] = {FAULT_BEFORE, FAULT_AFTER, FAULT_FORGETS, FAULT_LATE,
                                        FAULT_TWICE};
    enum { FAULT_COUNT = sizeof FAULTS / sizeof FAULTS[0] };
    static char wanted[TOLD_SIZE];
    static char told[TOLD_SIZE];
    struct stage *const f = *state;
    play_with(f, FAULT_NONE, 0, wanted);
    const uint64_t result = digest(f);
    const unsigned long requests = faulty_store_requests(f->store);
    assert_int_equal(memory_store_unsent(f->store), 0);
    for (unsigned long i = 0; i < FAULT_COUNT * requests; i++) {
        play_with(f, FAULTS[i / requests], i % requests + 1, told);
        if (digest(f) != result || strcmp(told, wanted) != 0) {
            fail_msg("fault %lu at request %lu: another game", i / requests, i % requests + 1);
        }
        stage_pass(f, A_MINUTE_MS);
        assert_int_equal(memory_store_unsent(f->store), 0);
    }
}

static void nothing_is_said_before_it_is_committed(void **state)
{
    struct stage *const f = *state;
    start_table(f);
    const uint64_t before = digest(f);
    fake_forget(f->chat);
    faulty_store_hold(f->store, true);
    say(f, turn(f), "kick");
    stage_pass(f, 1000);
    assert_int_equal(fake_count(f->chat), 0);
    assert_int_equal(digest(f), before);
    faulty_store_hold(f->store, false);
    hall_hear(f->hall);
    assert_true(fake_count_of(f->chat, CHAT_NARRATION) > 0);
    assert_int_not_equal(digest(f), before);
}

static void a_store_that_is_down_loses_nothing(void **state)
{
    struct stage *const f = *state;
    start_table(f);
    const char *const who = turn(f);
    faulty_store_down(f->store, true);
    say(f, who, "kick");
    stage_pass(f, A_MINUTE_MS / 2);
    fake_forget(f->chat);
    faulty_store_down(f->store, false);
    stage_pass(f, A_MINUTE_MS / 2);
    assert_int_equal(fake_count_of(f->chat, CHAT_NARRATION) > 0, true);
    assert_int_not_equal(query_phase(table_game(table_of(f))), PHASE_START);
}

static void what_changes_nothing_commits_nothing(void **state)
{
    struct stage *const f = *state;
    start_table(f);
    const unsigned long steps = hall_stats(f->hall)->steps;
    say(f, "Ann", "status");
    say(f, "Bob", "hand");
    say(f, "Zoe", "kick");
    say(f, "Cy", "why kick");
    say(f, "Cy", "log");
    assert_int_equal(hall_stats(f->hall)->steps, steps);
    assert_int_equal(memory_store_unsent(f->store), 0);
}

/* Others at the same table. */

/** Another process at the same store, with a chat of its own. */
struct other {
    struct chat_queue queue;
    struct chat *chat;
    struct hall *hall;
};

static void other_begin(struct stage *f, struct other *other)
{
    struct mb_error err = {0};
    chat_queue_init(&other->queue);
    other->chat = fake_create_with(&other->queue, FAKE_CAPS_ALL);
    other->hall = hall_create(&(struct hall_setup){.catalog = f->catalog, .store = f->store});
    assert_true(chat_start(other->chat, &err) && hall_add_chat(other->hall, other->chat, &err));
}

static void other_says(struct other *other, const char *person, const char *line)
{
    static unsigned long events = 0;
    char event[32];
    (void)snprintf(event, sizeof event, "other %lu", ++events);
    const struct chat_in in = {.place = "tavern", .person = person, .line = line, .event = event};
    assert_true(fake_hear_in(other->chat, &in));
    hall_hear(other->hall);
    assert_true(hall_advance(other->hall, HALL_PERSON_REFILL_MS));
}

static void other_end(struct other *other)
{
    hall_destroy(other->hall);
    chat_destroy(other->chat);
    chat_queue_finish(&other->queue);
}

static void another_process_is_not_overwritten(void **state)
{
    struct stage *const f = *state;
    struct other other;
    start_table(f);
    other_begin(f, &other);
    other_says(&other, turn(f), "kick");
    assert_int_equal(fake_count_of(other.chat, CHAT_NARRATION), 1);
    const uint64_t kicked = game_digest(table_game(hall_table(other.hall, other.chat, "tavern")));
    assert_int_not_equal(digest(f), kicked); // this hall does not know yet
    fake_forget(f->chat);
    say(f, turn(f), "kick"); // a second time: there is nothing to kick any more
    assert_int_equal(hall_stats(f->hall)->conflicts, 1);
    assert_int_equal(digest(f), kicked);
    assert_int_equal(fake_count_of(f->chat, CHAT_NARRATION), 0);
    assert_int_equal(fake_count_of(f->chat, CHAT_REPLY), 1);
    other_end(&other);
}

static void a_press_that_another_process_made_stale_does_nothing(void **state)
{
    struct stage *const f = *state;
    struct other other;
    start_table(f);
    const struct chat_bond card = fake_newest(f->chat, CHAT_CARD, "tavern", NULL)->bond;
    other_begin(f, &other);
    other_says(&other, turn(f), "kick");
    fake_forget(f->chat);
    const struct chat_in press = {
        .place = "tavern", .person = "Bob", .line = "leave", .bond = card};
    assert_true(fake_hear_in(f->chat, &press));
    hall_hear(f->hall);
    assert_int_equal(hall_stats(f->hall)->conflicts, 1);
    assert_int_equal(hall_stats(f->hall)->stale, 1);
    assert_false(table_seat_is_bot(table_of(f), 1)); // Bob sits there still
    assert_int_equal(fake_count_of(f->chat, CHAT_NARRATION), 0);
    other_end(&other);
}

static void a_line_for_a_table_that_is_another_by_now_is_heard_there(void **state)
{
    struct stage *const f = *state;
    struct other other;
    say(f, "Ann", "new sets=classic");
    other_begin(f, &other);
    other_says(&other, "Ann", "end");
    other_says(&other, "Bob", "new sets=classic");
    say(f, "Dot", "join");
    assert_int_equal(table_seat_count(table_of(f)), 2);
    assert_string_equal(table_seat_name(table_of(f), 1), "Dot");
    other_end(&other);
}

static void a_new_said_in_private_opens_no_table(void **state)
{
    struct stage *const f = *state;
    const struct chat_in in = {
        .place = "Bob's room", .person = "Bob", .line = "new", .event = "e", .direct = true};
    say(f, "Ann", "new sets=classic");
    say(f, "Bob", "join");
    stage_pass(f, A_MINUTE_MS);
    faulty_store_hold(f->store, true);
    assert_true(fake_hear_in(f->chat, &in));
    hall_hear(f->hall); // asks where Bob sits
    assert_true(fake_hear(f->chat, "tavern", "Ann", "end"));
    hall_hear(f->hall);
    faulty_store_hold(f->store, false);
    hall_hear(f->hall);
    assert_int_equal(memory_store_tables(f->store), 0);
}

/* A new process. */

static void reopen(struct stage *f)
{
    stage_again(f);
    hall_hear(f->hall);
}

static void a_new_hall_goes_on_with_every_table(void **state)
{
    struct stage *const f = *state;
    start_table(f);
    const uint64_t before = digest(f);
    const char *const who = turn(f);
    char name[64];
    (void)snprintf(name, sizeof name, "%s", who);
    reopen(f);
    assert_null(hall_table(f->hall, f->chat, "tavern"));
    fake_forget(f->chat);
    say(f, name, "status");
    assert_int_equal(fake_count(f->chat), 1);
    assert_int_equal(digest(f), before);
    say(f, name, "kick");
    assert_int_not_equal(digest(f), before);
    // Boards that stand in the chat are edited, not posted anew.
    const struct fake_message *const card = fake_newest(f->chat, CHAT_CARD, "tavern", NULL);
    assert_non_null(card);
    assert_string_not_equal(card->replaces, "");
}

static void clocks_run_out_at_tables_that_nobody_has_fetched(void **state)
{
    struct stage *const f = *state;
    start_table(f);
    const uint64_t before = digest(f);
    reopen(f);
    stage_pass(f, (int64_t)4 * A_MINUTE_MS); // the turn's clock is up: a stand-in acts
    assert_int_not_equal(digest(f), before);
}

// Tables that no release reads any more are due for ever.
static void what_cannot_be_served_starves_nobody(void **state)
{
    struct stage *const f = *state;
    start_table(f);
    const uint64_t before = digest(f);
    for (unsigned i = 0; i < STORE_DUE_MAX + 10; i++) {
        char id[STORE_TABLE_SIZE];
        (void)snprintf(id, sizeof id, "!%u", i);
        struct store_commit commit = store_change(id, 0, "no table");
        commit.opener = id;
        commit.until_ms = 0;
        assert_int_equal(store_talk_commit(f->store, &commit)->result, STORE_DONE);
    }
    reopen(f);
    stage_pass(f, (int64_t)4 * A_MINUTE_MS);
    assert_int_not_equal(digest(f), before);
}

static void what_was_not_said_is_said_by_the_next_process(void **state)
{
    struct stage *const f = *state;
    start_table(f);
    fake_forget(f->chat);
    fake_hold(f->chat, true);
    say(f, turn(f), "kick");
    assert_true(fake_waiting(f->chat) > 0);
    assert_true(memory_store_unsent(f->store) > 0);
    struct mb_error err = {0};
    chat_stop(f->chat); // what was under way is lost with the process
    assert_true(chat_start(f->chat, &err));
    fake_hold(f->chat, false);
    reopen(f);
    stage_pass(f, 0);
    assert_int_equal(fake_count_of(f->chat, CHAT_NARRATION), 1);
    assert_true(fake_count_of(f->chat, CHAT_CARD) >= 1);
    assert_int_equal(memory_store_unsent(f->store), 0);
}

/* Outcomes. */

static void time_runs_from_the_outcomes(void **state)
{
    struct stage *const f = *state;
    start_table(f);
    fake_hold(f->chat, true);
    say(f, turn(f), "kick");
    const uint64_t before = digest(f);
    stage_pass(f, (int64_t)60 * A_MINUTE_MS); // nobody has read it yet
    assert_int_equal(digest(f), before);
    while (fake_waiting(f->chat) > 0) {
        assert_true(fake_deliver(f->chat, NULL));
    }
    fake_hold(f->chat, false); // nor the reminders held back
    stage_pass(f, (int64_t)4 * A_MINUTE_MS);
    assert_int_not_equal(digest(f), before);
}

static void an_outcome_of_nothing_is_nothing(void **state)
{
    struct stage *const f = *state;
    start_table(f);
    const struct chat_outcome outcomes[] = {
        {.key = {.epoch = 1, .number = 2}, .fate = CHAT_DELIVERED, .id = "m1"},
        {.key = {.epoch = UINT64_MAX, .number = UINT64_MAX}, .fate = CHAT_UNREACHABLE}};
    const size_t before = fake_count(f->chat);
    for (size_t i = 0; i < 2; i++) {
        fake_tell(f->chat, &outcomes[i]);
    }
    stage_pass(f, 1000);
    assert_int_equal(fake_count(f->chat), before);
}

static void a_card_that_was_deleted_is_posted_anew(void **state)
{
    struct stage *const f = *state;
    start_table(f);
    const struct fake_message *const card = fake_newest(f->chat, CHAT_CARD, "tavern", NULL);
    fake_remove(f->chat, card->id);
    fake_forget(f->chat);
    say(f, turn(f), "kick");
    stage_pass(f, 1000);
    const struct fake_message *const anew = fake_newest(f->chat, CHAT_CARD, "tavern", NULL);
    assert_non_null(anew);
    assert_string_equal(anew->replaces, "");
    assert_int_equal(memory_store_unsent(f->store), 0);
}

static void edits_of_one_message_go_one_at_a_time(void **state)
{
    struct stage *const f = *state;
    say(f, "Ann", "new sets=classic");
    fake_forget(f->chat);
    fake_hold(f->chat, true);
    static const char *const PEOPLE[] = {"Bob", "Cy", "Dot", "Eve"};
    for (unsigned i = 0; i < 4; i++) {
        say(f, PEOPLE[i], "join");
    }
    // One card is on its way; of the later ones the newest waits for it.
    unsigned cards = 0;
    while (fake_waiting(f->chat) > 0) {
        assert_true(fake_deliver(f->chat, NULL));
        cards = (unsigned)fake_count_of(f->chat, CHAT_CARD);
    }
    assert_int_equal(cards, 2);
    assert_non_null(strstr(fake_newest(f->chat, CHAT_CARD, "tavern", NULL)->text, "Eve"));
}

static void time_runs_from_an_outcome_that_comes_during_a_commit(void **state)
{
    struct stage *const f = *state;
    start_table(f);
    fake_hold(f->chat, true);
    say(f, turn(f), "kick");
    faulty_store_hold(f->store, true);
    assert_true(fake_hear(f->chat, "tavern", "Bob", "orders pass below 5"));
    hall_hear(f->hall);
    const uint64_t before = digest(f);
    stage_pass(f, (int64_t)2 * A_MINUTE_MS);
    while (fake_waiting(f->chat) > 0) {
        assert_true(fake_deliver(f->chat, NULL));
    }
    fake_hold(f->chat, false);
    faulty_store_hold(f->store, false);
    hall_hear(f->hall);
    stage_pass(f, (int64_t)2 * A_MINUTE_MS);
    assert_int_equal(digest(f), before); // a turn has three minutes
    stage_pass(f, (int64_t)2 * A_MINUTE_MS);
    assert_int_not_equal(digest(f), before);
}

static void a_card_that_fails_during_a_commit_is_shown_again(void **state)
{
    struct stage *const f = *state;
    start_table(f);
    fake_hold(f->chat, true);
    say(f, turn(f), "kick");
    assert_true(fake_deliver(f->chat, "")); // the narration
    faulty_store_hold(f->store, true);
    assert_true(fake_hear(f->chat, "tavern", "Bob", "orders pass below 5"));
    hall_hear(f->hall);
    assert_true(fake_refuse(f->chat, "", CHAT_REFUSED)); // the card
    faulty_store_hold(f->store, false);
    fake_hold(f->chat, false);
    hall_hear(f->hall);
    while (fake_waiting(f->chat) > 0) {
        assert_true(fake_deliver(f->chat, NULL));
    }
    fake_forget(f->chat);
    say(f, "Bob", "orders pass below 6");
    assert_int_equal(fake_count_of(f->chat, CHAT_CARD), 1);
}

/* What waits. */

static void a_table_that_is_being_fetched_lets_few_lines_wait(void **state)
{
    struct stage *const f = *state;
    enum { LINES = 10000 };
    start_table(f);
    say_in(f, "cellar", "Dot", "new sets=classic");
    reopen(f);
    fake_forget(f->chat);
    faulty_store_hold(f->store, true);
    for (unsigned i = 0; i < LINES; i++) {
        char person[32];
        (void)snprintf(person, sizeof person, "p%u", i);
        assert_true(fake_hear(f->chat, "tavern", person, "status"));
        hall_hear(f->hall);
    }
    assert_int_equal(hall_stats(f->hall)->crowded, LINES - HALL_LINES_MAX);
    assert_int_equal(fake_settled(f->chat) > 0, true);
    faulty_store_hold(f->store, false);
    say_in(f, "cellar", "Dot", "score");
    assert_non_null(fake_newest(f->chat, CHAT_REPLY, "cellar", "Dot"));
    assert_int_equal(fake_settled(f->chat), f->queue->pushed);
}

// One who speaks on, as fast as anybody may, leaves room for others.
static void who_speaks_on_while_a_table_is_fetched_crowds_out_nobody(void **state)
{
    struct stage *const f = *state;
    start_table(f);
    reopen(f);
    fake_forget(f->chat);
    faulty_store_hold(f->store, true);
    for (unsigned i = 0; i < 2 * HALL_LINES_MAX; i++) {
        (void)hall_advance(f->hall, HALL_PERSON_REFILL_MS);
        assert_true(fake_hear(f->chat, "tavern", "Eve", "status"));
        hall_hear(f->hall);
    }
    assert_true(fake_hear(f->chat, "tavern", "Bob", "status"));
    hall_hear(f->hall);
    faulty_store_hold(f->store, false);
    stage_pass(f, A_MINUTE_MS);
    const struct fake_message *const answer = fake_newest(f->chat, CHAT_REPLY, "tavern", "Bob");
    assert_non_null(answer);
    assert_false(says(answer->text, TEXT_HALL_COME_AGAIN, NULL));
    assert_int_equal(fake_settled(f->chat), f->queue->pushed);
}

static void tables_beyond_the_most_give_way(void **state)
{
    struct stage *const f = *state;
    char place[32];
    start_table(f);
    const uint64_t before = digest(f);
    for (unsigned i = 0; i < HALL_LIVE_MAX + 10; i++) {
        char person[32];
        (void)snprintf(place, sizeof place, "room %u", i);
        (void)snprintf(person, sizeof person, "p%u", i);
        assert_true(fake_hear(f->chat, place, person, "new sets=classic"));
        hall_hear(f->hall);
        fake_forget(f->chat);
    }
    assert_int_equal(hall_live_count(f->hall), HALL_LIVE_MAX);
    assert_int_equal(memory_store_tables(f->store), HALL_LIVE_MAX + 11);
    assert_null(hall_table(f->hall, f->chat, "tavern"));
    say(f, "Ann", "status");
    assert_int_equal(digest(f), before);
}

/* Who and where. */

static void ids_are_as_long_as_they_are(void **state)
{
    struct stage *const f = *state;
    char ann[CHAT_ID_SIZE];
    char bob[CHAT_ID_SIZE];
    memset(ann, 'a', sizeof ann);
    ann[CHAT_ID_SIZE - 1] = '\0';
    memcpy(bob, ann, sizeof bob);
    bob[CHAT_ID_SIZE - 2] = 'b'; // the last byte alone differs
    const struct chat_in lines[] = {
        {.place = ann, .person = ann, .name = "Ann", .line = "new sets=classic"},
        {.place = ann, .person = bob, .name = "Bob", .line = "join"},
        {.place = bob, .person = bob, .name = "Bob", .line = "new sets=classic"}};
    for (size_t i = 0; i < 3; i++) {
        assert_true(fake_hear_in(f->chat, &lines[i]));
        hall_hear(f->hall);
    }
    assert_int_equal(memory_store_tables(f->store), 2);
    assert_int_equal(table_seat_count(hall_table(f->hall, f->chat, ann)), 2);
    assert_int_equal(table_seat_count(hall_table(f->hall, f->chat, bob)), 1);
}

static void a_press_counts_where_it_belongs(void **state)
{
    struct stage *const f = *state;
    start_table(f);
    const uint64_t before = digest(f);
    const struct chat_bond card = fake_newest(f->chat, CHAT_CARD, "tavern", NULL)->bond;
    const struct chat_bond hand = fake_newest(f->chat, CHAT_HAND, "tavern", turn(f))->bond;
    const struct chat_in elsewhere[] = {
        {.place = "cellar", .person = turn(f), .line = "kick", .bond = card},
        {.place = "cellar", .person = "Mod", .line = "end", .moderator = true, .bond = card},
        {.place = "cellar", .person = "Mod", .line = "end", .moderator = true, .bond = card},
        {.place = "tavern", .person = "Zoe", .line = "kick", .direct = true, .bond = hand}};
    for (size_t i = 0; i < sizeof elsewhere / sizeof elsewhere[0]; i++) {
        stage_pass(f, HALL_PERSON_REFILL_MS);
        assert_true(fake_hear_in(f->chat, &elsewhere[i]));
        hall_hear(f->hall);
        assert_int_equal(hall_stats(f->hall)->stale, i + 1);
    }
    assert_int_equal(digest(f), before);
    assert_int_equal(table_state(table_of(f)), TABLE_RUNNING);
    const struct chat_in home = {
        .place = "tavern", .person = turn(f), .line = "kick", .bond = card};
    assert_true(fake_hear_in(f->chat, &home));
    hall_hear(f->hall);
    assert_int_not_equal(digest(f), before);
}

static void a_new_game_is_another_table(void **state)
{
    struct stage *const f = *state;
    start_table(f);
    char old[TABLE_ID_SIZE];
    (void)snprintf(old, sizeof old, "%s", table_id(table_of(f)));
    say(f, "Ann", "end");
    say(f, "Ann", "end");
    say(f, "Bob", "new");
    assert_string_not_equal(table_id(table_of(f)), old);
    assert_int_equal(memory_store_tables(f->store), 1);
    assert_null(memory_store_bytes(f->store, old).at);
    const struct fake_message *const card = fake_newest(f->chat, CHAT_CARD, "tavern", NULL);
    assert_string_equal(card->replaces, ""); // the old game's card stays as it is
    reopen(f);
    say(f, "Cy", "join");
    assert_int_equal(table_seat_count(table_of(f)), 3);
    assert_int_equal(table_asked_again(table_of(f)), 2); // Ann
}

static void onlookers_do_not_make_a_table_deaf(void **state)
{
    struct stage *const f = *state;
    start_table(f);
    stage_pass(f, A_MINUTE_MS);
    const uint64_t before = digest(f);
    for (unsigned i = 0; i < 2 * HALL_PLACE_BURST; i++) {
        char person[16];
        (void)snprintf(person, sizeof person, "m%u", i);
        assert_true(fake_hear(f->chat, "tavern", person, "status"));
        hall_hear(f->hall);
    }
    assert_true(hall_stats(f->hall)->rationed > 0);
    assert_true(fake_hear(f->chat, "tavern", turn(f), "kick"));
    hall_hear(f->hall);
    assert_int_not_equal(digest(f), before);
}

// Whoever opens table after table and leaves them has eight of them, whatever the number of rooms.
static void deserted_tables_shut_nobody_out(void **state)
{
    static const char *const LINES[] = {"new sets=classic", "add-bot", "add-bot", "start", "leave"};
    enum { ROOMS = 20 };
    struct stage *const f = *state;
    char place[32];
    start_table(f);
    for (unsigned i = 0; i < ROOMS; i++) {
        (void)snprintf(place, sizeof place, "room %u", i);
        for (size_t j = 0; j < sizeof LINES / sizeof LINES[0]; j++) {
            say_in(f, place, "Mallory", LINES[j]);
        }
        stage_pass(f, A_MINUTE_MS);
    }
    assert_int_equal(memory_store_tables(f->store), STORE_TABLES_OF_OPENER + 1);
    assert_int_equal(table_state(hall_table(f->hall, f->chat, place)), TABLE_PAUSED);
    say_in(f, "room 0", "Zoe", "new sets=classic"); // the oldest has gone
    assert_int_equal(table_state(hall_table(f->hall, f->chat, "room 0")), TABLE_LOBBY);
    assert_int_equal(table_state(table_of(f)), TABLE_RUNNING);
    stage_pass(f, HALL_IDLE_DESERTED_MS + HALL_HOUR_MS);
    assert_int_equal(memory_store_tables(f->store), 2);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(nothing_is_said_before_it_is_committed),
        CASE(a_store_that_is_down_loses_nothing),
        CASE(what_changes_nothing_commits_nothing),
        CASE(another_process_is_not_overwritten),
        CASE(a_press_that_another_process_made_stale_does_nothing),
        CASE(a_line_for_a_table_that_is_another_by_now_is_heard_there),
        CASE(time_runs_from_an_outcome_that_comes_during_a_commit),
        CASE(a_card_that_fails_during_a_commit_is_shown_again),
        CASE(a_new_said_in_private_opens_no_table),
        CASE(a_new_hall_goes_on_with_every_table),
        CASE(clocks_run_out_at_tables_that_nobody_has_fetched),
        CASE(what_cannot_be_served_starves_nobody),
        CASE(what_was_not_said_is_said_by_the_next_process),
        CASE(time_runs_from_the_outcomes),
        CASE(an_outcome_of_nothing_is_nothing),
        CASE(a_card_that_was_deleted_is_posted_anew),
        CASE(edits_of_one_message_go_one_at_a_time),
        CASE(a_table_that_is_being_fetched_lets_few_lines_wait),
        CASE(who_speaks_on_while_a_table_is_fetched_crowds_out_nobody),
        CASE(tables_beyond_the_most_give_way),
        CASE(ids_are_as_long_as_they_are),
        CASE(a_press_counts_where_it_belongs),
        CASE(a_new_game_is_another_table),
        CASE(onlookers_do_not_make_a_table_deaf),
        CASE(deserted_tables_shut_nobody_out),
        CASE(each_request_may_fail),
    };
    catalog = given_catalog();
    const int failed = cmocka_run_group_tests_name("hall_store", tests, NULL, NULL);
    catalog_destroy(catalog);
    return failed;
}
