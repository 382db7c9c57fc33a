// One table on two networks, each of them in a process of its own on one store.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/hall/hall.h"
#include "bot/hall/hall_limits.h"
#include "bot/tools/fake.h"

#include "tests/support/chance.h"
#include "tests/support/memory_store.h"
#include "tests/support/shown.h"
#include "tests/support/table.h"
#include "tests/support/test.h"

enum { PROCESSES = 2, STEP_MS = 50, CAPS = FAKE_CAPS_ALL | CHAT_CAP_AFAR | CHAT_CAP_ONE };

static const char *const NETWORKS[PROCESSES] = {"fake", "plain"};
static const char *const PLACES[PROCESSES] = {"tavern", "cellar"};

struct process {
    struct store *store;
    struct hall *hall;
    struct chat_queue queue;
    struct chat *chat;
};

struct town {
    struct catalog *catalog;
    struct process at[PROCESSES];
};

static void pass(struct town *town, int64_t ms)
{
    for (int64_t at = 0; at < ms; at += STEP_MS) {
        for (unsigned i = 0; i < PROCESSES; i++) {
            struct hall *const hall = town->at[i].hall;
            bool done = hall_advance(hall, STEP_MS);
            while (!done) {
                done = hall_advance(hall, 0);
            }
            hall_hear(hall);
        }
    }
}

static void tie(struct town *town, unsigned process, bool back)
{
    assert_true(fake_link(town->at[process].chat, back));
    pass(town, 2000);
}

static int set_up(void **state)
{
    struct town *const town = calloc(1, sizeof *town);
    struct mb_error err = {0};
    assert_non_null(town);
    chance_fix();
    town->catalog = given_catalog();
    for (unsigned i = 0; i < PROCESSES; i++) {
        struct process *const process = &town->at[i];
        process->store = i == 0 ? memory_store_create() : memory_store_join(town->at[0].store);
        chat_queue_init(&process->queue);
        process->chat = fake_create_named(NETWORKS[i], &process->queue, CAPS);
        process->hall =
            hall_create(&(struct hall_setup){.catalog = town->catalog, .store = process->store});
        assert_non_null(process->chat);
        assert_true(store_start(process->store, &err) && chat_start(process->chat, &err));
        assert_true(hall_add_chat(process->hall, process->chat, &err));
    }
    for (unsigned i = 0; i < PROCESSES; i++) {
        tie(town, i, true);
    }
    *state = town;
    return 0;
}

static int tear_down(void **state)
{
    struct town *const town = *state;
    for (unsigned i = 0; i < PROCESSES; i++) {
        hall_destroy(town->at[i].hall);
        store_destroy(town->at[i].store);
        chat_destroy(town->at[i].chat);
        chat_queue_finish(&town->at[i].queue);
    }
    catalog_destroy(town->catalog);
    free(town);
    return 0;
}

static void say(struct town *town, unsigned process, const char *person, const char *line)
{
    static unsigned long events;
    char event[32];
    (void)snprintf(event, sizeof event, "event-%lu", ++events);
    const struct chat_in in = {.place = PLACES[process],
                               .person = person,
                               .name = person,
                               .line = line,
                               .event = event,
                               .moderator = strcmp(person, "Mod") == 0,
                               .open = true};
    pass(town, HALL_PERSON_REFILL_MS);
    assert_true(fake_hear_in(town->at[process].chat, &in));
    pass(town, 2000);
}

static const struct table *table_of(const struct town *town, unsigned process)
{
    return hall_table(town->at[process].hall, town->at[process].chat, PLACES[process]);
}

static void open_lobby(struct town *town)
{
    say(town, 0, "Ann", "new sets=classic pace=slow");
    say(town, 0, "Bob", "join");
}

static const struct fake_message *apart(const struct town *town, unsigned process)
{
    return shown(town->at[process].chat, "Mod", TEXT_LINK_APART,
                 TEXT_ARGS(text_str("network", NETWORKS[1 - process]),
                           text_str("other", NETWORKS[process])));
}

// Linked all the same, nobody would say there what happens, and its game would stand for good.
static void who_serves_one_network_alone_links_nothing(void **state)
{
    struct town *const town = *state;
    char line[CHAT_LINE_SIZE];
    open_lobby(town);
    say(town, 0, "Ann", "link");
    const struct fake_message *const told = shown(town->at[0].chat, "Ann", TEXT_LINK_CODE, NULL);
    assert_non_null(told);
    const char *const at = strstr(told->text, "link ");
    assert_non_null(at);
    (void)snprintf(line, sizeof line, "link %.26s", at + strlen("link "));
    for (unsigned i = 0; i < 2; i++) { // the code is not used up by it
        fake_forget(town->at[1].chat);
        say(town, 1, "Mod", line);
        assert_non_null(apart(town, 1));
        assert_null(table_of(town, 1));
        assert_int_equal(table_site_count(table_of(town, 0)), 1);
    }
    say(town, 0, "Cy", "join");
    say(town, 0, "Ann", "start");
    assert_int_equal(table_state(table_of(town, 0)), TABLE_RUNNING);
}

// Each in its own network, as if the other were not there.
static void each_serves_its_own_network(void **state)
{
    struct town *const town = *state;
    for (unsigned i = 0; i < PROCESSES; i++) {
        say(town, i, "Ann", "new sets=classic pace=slow");
        say(town, i, "Bob", "join");
        say(town, i, "Cy", "join");
        say(town, i, "Ann", "start");
        assert_int_equal(table_state(table_of(town, i)), TABLE_RUNNING);
    }
    for (unsigned i = 0; i < PROCESSES; i++) { // one away costs the other nothing
        const struct fake_message *const hand =
            fake_newest(town->at[i].chat, CHAT_HAND, PLACES[i], "Bob");
        assert_non_null(hand);
        tie(town, 1 - i, false);
        fake_forget(town->at[i].chat);
        say(town, i, "Bob", "done");
        assert_true(fake_count(town->at[i].chat) > 0);
        tie(town, 1 - i, true);
    }
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(who_serves_one_network_alone_links_nothing),
        CASE(each_serves_its_own_network),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
