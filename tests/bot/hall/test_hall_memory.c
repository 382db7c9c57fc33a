// A hall with too little memory: each allocation of a short game fails once. Whatever is lost by
// that, nothing breaks, nothing leaks, and the game is over or goes on by its rules.
#include "bot/hall/hall.h"

#include "adapters/fake/fake.h"
#include "adapters/store/memory/memory_store.h"

#include "tests/support/chance.h"
#include "tests/support/failing_alloc.h"
#include "tests/support/table.h"
#include "tests/support/test.h"

static const char *const PEOPLE[] = {"Ann", "Bob", "Cy"};

static void say(struct hall *hall, struct chat *chat, const char *person, const char *line)
{
    (void)hall_advance(hall, 2000);
    (void)fake_hear(chat, "tavern", person, line);
    hall_hear(hall);
    (void)hall_advance(hall, 0);
}

// One turn of somebody's; whether it came to that.
static bool play(struct hall *hall, struct chat *chat)
{
    say(hall, chat, "Ann", "new sets=classic");
    say(hall, chat, "Bob", "join male");
    say(hall, chat, "Cy", "join female");
    say(hall, chat, "Ann", "start");
    for (unsigned i = 0; i < 3; i++) {
        say(hall, chat, PEOPLE[i], "done");
    }
    const struct table *const table = hall_table(hall, chat, "tavern");
    if (table == NULL || table_state(table) != TABLE_RUNNING) {
        return false;
    }
    const char *const turn = PEOPLE[query_turn(table_game(table))];
    say(hall, chat, turn, "kick");
    say(hall, chat, turn, "loot");
    say(hall, chat, "Ann", "undo");
    say(hall, chat, "Bob", "why kick");
    return query_phase(table_game(hall_table(hall, chat, "tavern"))) > PHASE_START;
}

static bool open_and_play(void *user)
{
    struct mb_error err = {0};
    static struct chat_queue queue;
    failing_alloc_spare_json(); // card sets are read when the table is opened
    chat_queue_init(&queue);
    struct chat *const chat = fake_create_with(&queue, FAKE_CAPS_ALL);
    struct store *const store = memory_store_create();
    struct hall *const hall =
        store != NULL && store_start(store, &err)
            ? hall_create(&(struct hall_setup){.catalog = user, .store = store})
            : NULL;
    bool done = false;
    chance_fix();
    if (chat != NULL && hall != NULL) {
        done = chat_start(chat, &err) && hall_add_chat(hall, chat, &err) && play(hall, chat);
        assert_true(hall_stats(hall)->heard > 0 || err.code != MB_OK);
    }
    hall_destroy(hall);
    store_destroy(store);
    chat_destroy(chat);
    chat_queue_finish(&queue);
    return done;
}

static void test_a_game(void **state)
{
    (void)state;
    struct catalog *const catalog = given_catalog();
    assert_true(failing_alloc_each(open_and_play, catalog) > 10);
    catalog_destroy(catalog);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_game),
    };
    return cmocka_run_group_tests_name("hall_memory", tests, NULL, NULL);
}
