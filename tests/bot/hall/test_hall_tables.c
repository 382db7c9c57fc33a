// "at": at which tables somebody sits, and how they stand.
#include <stdio.h>
#include <string.h>

#include "bot/text/text.h"

#include "tests/support/chance.h"
#include "tests/support/says.h"
#include "tests/support/stage.h"
#include "tests/support/table.h"
#include "tests/support/test.h"

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

static void open_table(struct stage *f, const char *place)
{
    stage_say(f, place, "Ann", "new sets=classic");
    stage_say(f, place, "Bob", "join male");
    stage_say(f, place, "Cy", "join female");
}

static void start_table(struct stage *f, const char *place)
{
    open_table(f, place);
    stage_say(f, place, "Ann", "start");
    stage_say(f, place, "Ann", "done");
    stage_say(f, place, "Bob", "done");
    stage_say(f, place, "Cy", "done");
}

static const char *turn_at(struct stage *f, const char *place)
{
    const struct table *const table = stage_table(f, place);
    return table_seat_name(table, query_turn(table_game(table)));
}

// One of the tables, as it is listed; where in the text that stands.
static const char *listed(const struct fake_message *message, unsigned n, const char *what,
                          const char *how)
{
    char line[256];
    assert_non_null(message);
    (void)snprintf(line, sizeof line, "  %u. %s: %s\n", n, what, how);
    const char *const at = strstr(message->text, line);
    if (at == NULL) {
        print_error("\"%s\" is not in \"%s\"\n", line, message->text);
    }
    assert_non_null(at);
    return at;
}

static const struct fake_message *ask_at(struct stage *f, const char *person)
{
    char room[64];
    (void)snprintf(room, sizeof room, "private room of %s", person);
    fake_forget(f->chat);
    stage_whisper(f, person, "at");
    return fake_newest(f->chat, CHAT_REPLY, room, person);
}

static void tables_that_wait_for_one_are_listed_first_and_as_they_stand(void **state)
{
    struct stage *const f = *state;
    char turn[64];
    char theirs[80];
    open_table(f, "tavern");
    open_table(f, "attic");
    stage_say(f, "attic", "Ann", "start");
    stage_say(f, "attic", "Bob", "done");
    start_table(f, "cellar");
    (void)snprintf(turn, sizeof turn, "%s", turn_at(f, "cellar"));
    (void)snprintf(theirs, sizeof theirs, "%s's turn.", turn);
    const char *const other = strcmp(turn, "Bob") == 0 ? "Cy" : "Bob";
    const struct fake_message *list = ask_at(f, turn);
    assert_true(listed(list, 3, "cellar", text_sentence(TEXT_AT_YOURS)) <
                listed(list, 1, "tavern", text_sentence(TEXT_AT_LOBBY)));
    assert_false(list->open);
    list = ask_at(f, "Bob");
    (void)listed(list, 2, "attic", text_sentence(TEXT_AT_SETUP));
    list = ask_at(f, "Cy");
    assert_true(listed(list, 2, "attic", text_sentence(TEXT_AT_SETUP_YOURS)) <
                listed(list, 1, "tavern", text_sentence(TEXT_AT_LOBBY)));
    (void)listed(ask_at(f, other), 3, "cellar", theirs);
    stage_say(f, "cellar", "Ann", "pause");
    (void)listed(ask_at(f, other), 3, "cellar", text_sentence(TEXT_AT_PAUSED));
    stage_whisper(f, "Cy", "at 2 done"); // the number is the one that was listed
    (void)listed(ask_at(f, "Cy"), 2, "attic", text_sentence(TEXT_AT_SETUP));
}

// Somewhere else in the community of both tables.
static void who_could_mean_several_tables_is_told_of_at(void **state)
{
    struct stage *const f = *state;
    struct chat_in in = {.community = "guild", .person = "Bob", .answer = "a token"};
    for (unsigned i = 0; i < 3; i++) {
        in.place = i == 0 ? "tavern" : i == 1 ? "cellar" : "square";
        in.line = i < 2 ? "new sets=classic" : "status";
        fake_forget(f->chat);
        stage_hear(f, f->chat, &in);
    }
    const struct fake_message *const list = fake_newest(f->chat, CHAT_REPLY, "square", "Bob");
    (void)listed(list, 2, "cellar", text_sentence(TEXT_AT_LOBBY));
    assert_says(list->text, TEXT_HALL_WHICH_TABLE, TEXT_ARGS(text_num("n", 2)));
    assert_false(list->open);
}

int main(void)
{
#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(tables_that_wait_for_one_are_listed_first_and_as_they_stand),
        CASE(who_could_mean_several_tables_is_told_of_at),
    };
#undef CASE
    catalog = given_catalog();
    const int failed = cmocka_run_group_tests_name("hall_tables", tests, NULL, NULL);
    catalog_destroy(catalog);
    return failed;
}
