// A hall with too little memory: each allocation of a short game fails once. Whatever is lost by
// that, nothing breaks, nothing leaks, and the game is over or goes on by its rules.
#include "bot/hall/hall.h"

#include "adapters/fake/fake.h"

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
    struct session *const session = hall_session(hall, chat, "tavern");
    if (session == NULL || session_state(session) != SESSION_RUNNING) {
        return false;
    }
    const unsigned turn = query_turn(session_game(session));
    say(hall, chat, session_seat_name(session, turn), "kick");
    say(hall, chat, session_seat_name(session, turn), "loot");
    say(hall, chat, "Ann", "undo");
    say(hall, chat, "Bob", "why kick");
    return query_phase(session_game(session)) > PHASE_START;
}

static bool open_and_play(void *user)
{
    struct mb_error err = {0};
    static struct chat_queue queue;
    chat_queue_init(&queue);
    struct chat *const chat = fake_create_with(&queue, FAKE_CAPS_ALL);
    struct hall *const hall = hall_create(&(struct hall_setup){.catalog = user});
    bool done = false;
    chance_fix();
    if (chat != NULL && hall != NULL) {
        done = chat_start(chat, &err) && hall_add_chat(hall, chat, &err) && play(hall, chat);
        assert_true(hall_stats(hall)->heard > 0 || err.code != MB_OK);
    }
    hall_destroy(hall);
    chat_destroy(chat);
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
