// What an operator does with a store that a service serves meanwhile: the program itself is run, on
// a store of a hall of this process.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/codec/outcome.h"
#include "core/loop/arrange.h"
#include "core/loop/query.h"

#include "bot/hall/hall_limits.h"

#include "tests/support/chance.h"
#include "tests/support/rules_number.h"
#include "tests/support/shown.h"
#include "tests/support/stage.h"
#include "tests/support/store_talk.h"
#include "tests/support/table.h"
#include "tests/support/test.h"

enum { SAID_MAX = 1 << 20, WORD_SIZE = 1024 };

static const char PLACE[] = "tavern";

struct fixture {
    struct catalog *catalog;
    struct stage stage;
    char id[TABLE_ID_SIZE];
    char url[WORD_SIZE]; // of the store
    char file[FOLDER_PATH_SIZE];
    char *said; // by the program, both streams
    const char *program;
};

/* The program. */

static int run_on(struct fixture *f, const char *url, const char *words)
{
    char line[4 * WORD_SIZE];
    (void)snprintf(line, sizeof line, "%s %s --store '%s' 2>&1", f->program, words, url);
    FILE *const pipe = popen(line, "r"); // NOLINT(cert-env33-c): its words are the test's own
    assert_non_null(pipe);
    const size_t size = fread(f->said, 1, SAID_MAX - 1, pipe);
    f->said[size] = '\0';
    const int status = pclose(pipe);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static int run(struct fixture *f, const char *words)
{
    return run_on(f, f->url, words);
}

static int run_id(struct fixture *f, const char *words, const char *options)
{
    char line[WORD_SIZE];
    (void)snprintf(line, sizeof line, "%s %s %s", words, f->id, options);
    return run(f, line);
}

static bool said(const struct fixture *f, const char *word)
{
    return strstr(f->said, word) != NULL;
}

static void assert_said(const struct fixture *f, const char *word)
{
    if (!said(f, word)) {
        fail_msg("\"%s\" is not in:\n%s", word, f->said);
    }
}

static void keep_said(const struct fixture *f, const char *name, char path[FOLDER_PATH_SIZE])
{
    folder_in(f->stage.folder, name, path);
    FILE *const file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(fputs(f->said, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* The service. */

static int set_up(void **state)
{
    struct fixture *const f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->said = malloc(SAID_MAX);
    f->program = MB_PROGRAM;
    rules_number = rules_number_now();
    assert_non_null(f->said);
    chance_fix();
    f->catalog = given_catalog();
    stage_open_on(&f->stage, f->catalog, STAGE_SQLITE);
    stage_start(&f->stage, PLACE, 3, 1);
    (void)snprintf(f->id, sizeof f->id, "%s", table_id(stage_table(&f->stage, PLACE)));
    folder_in(f->stage.folder, "tables.db", f->file);
    (void)snprintf(f->url, sizeof f->url, "sqlite:%s", f->file);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *const f = *state;
    stage_close(&f->stage);
    catalog_destroy(f->catalog);
    free(f->said);
    free(f);
    return 0;
}

// Whoever's turn it is kicks in a door, or waits for a bot player to have done so.
static void play_on(struct fixture *f)
{
    stage_say(&f->stage, PLACE, "Ann", "orders pass below 5");
    const struct table *const table = stage_table(&f->stage, PLACE);
    char who[PERSON_NAME_SIZE];
    (void)snprintf(who, sizeof who, "%s", table_seat_name(table, query_turn(table_game(table))));
    stage_say(&f->stage, PLACE, who, "kick");
}

static void end_game(struct fixture *f)
{
    stage_say(&f->stage, PLACE, "Ann", "end");
    stage_say(&f->stage, PLACE, "Ann", "end");
    assert_int_equal(table_state(stage_table(&f->stage, PLACE)), TABLE_OVER);
}

static void put_away(struct fixture *f)
{
    stage_pass(&f->stage, 2 * HALL_HOUR_MS);
    assert_int_equal(store_talk_load(f->stage.store, f->id)->version, 0);
}

/* Looking. */

static void tables_are_listed_and_shown(void **state)
{
    struct fixture *const f = *state;
    stage_say(&f->stage, "attic", "Zoe", "new sets=classic");
    assert_int_equal(run(f, "table list"), 0);
    assert_said(f, f->id);
    assert_said(f, "running");
    assert_said(f, "Ann, Bob, Cy and ");
    assert_said(f, "lobby");
    assert_int_equal(run_id(f, "table show", ""), 0);
    assert_said(f, "cards in hand");
    assert_false(said(f, "Your hand"));
    assert_false(said(f, "Seed "));
    assert_int_equal(run(f, "table show nobodys"), 1);
    assert_said(f, "no such table");
    end_game(f);
    put_away(f);
    assert_int_equal(run(f, "table list"), 0);
    assert_said(f, "over, archived");
}

// A lobby's secret is what its seed will come of.
static void a_lobby_hears_of_it_too(void **state)
{
    struct fixture *const f = *state;
    char line[WORD_SIZE];
    stage_say(&f->stage, "attic", "Zoe", "new sets=classic");
    (void)snprintf(line, sizeof line, "table export %s --reveal",
                   table_id(stage_table(&f->stage, "attic")));
    fake_forget(f->stage.chat);
    assert_int_equal(run(f, line), 0);
    assert_said(f, "\"value\"");
    stage_say(&f->stage, "attic", "Zoe", "add-bot");
    assert_non_null(shown(f->stage.chat, NULL, TEXT_TABLE_REVEALED, NULL));
}

static void what_is_revealed_is_announced(void **state)
{
    struct fixture *const f = *state;
    fake_forget(f->stage.chat);
    assert_int_equal(run_id(f, "table show", "--reveal"), 0);
    assert_said(f, "Seed ");
    assert_said(f, "Your hand");
    play_on(f);
    stage_pass(&f->stage, 1000);
    assert_non_null(shown(f->stage.chat, NULL, TEXT_TABLE_REVEALED, NULL));
    fake_forget(f->stage.chat);
    assert_int_equal(run_id(f, "table export", ""), 0);
    assert_false(said(f, "\"value\""));
    assert_false(said(f, "\"journal\""));
    assert_false(said(f, "\"seed\""));
    stage_restart(&f->stage);
    play_on(f);
    assert_null(shown(f->stage.chat, NULL, TEXT_TABLE_REVEALED, NULL));
    assert_int_equal(run_id(f, "table export", "--reveal"), 0);
    assert_said(f, "\"value\"");
    stage_restart(&f->stage); // whichever process comes next
    stage_pass(&f->stage, 10000);
    assert_non_null(shown(f->stage.chat, NULL, TEXT_TABLE_REVEALED, NULL));
}

/* Verifying. */

static void deal_otherwise(struct game *game, const struct box *box, void *user)
{
    const uint8_t seed[DIGEST_SIZE] = {1};
    const unsigned seats = query_seat_count(game);
    (void)user;
    arrange_begin(game, box, seats, seed);
    for (unsigned seat = 0; seat < seats; seat++) {
        arrange_seat(game, seat, 3, false, false, true);
    }
    assert_true(arrange_finish(game, box, 0, PHASE_START, NULL));
}

static void journals_are_played_again(void **state)
{
    struct fixture *const f = *state;
    char path[FOLDER_PATH_SIZE];
    char line[WORD_SIZE];
    assert_int_equal(run(f, "table verify"), 0);
    assert_said(f, "verified so far");
    assert_said(f, "1 verified, 0 failed\n");
    (void)snprintf(line, sizeof line, "posted at table %s before", f->id);
    assert_said(f, line);
    assert_said(f, "Ann, Bob"); // who sat there, in their order
    assert_said(f, "has the id ");
    assert_said(f, "was drawn from these and the secret");
    end_game(f);
    assert_int_equal(run_id(f, "table export", ""), 0);
    assert_said(f, "\"secret\":");
    keep_said(f, "export.json", path);
    put_away(f);
    assert_int_equal(run_id(f, "table verify", ""), 0);
    assert_said(f, "1 verified, 0 failed\n");
    (void)snprintf(line, sizeof line, "table verify %s nobodys", path);
    assert_int_equal(run(f, line), 1);
    assert_said(f, "nobody won");
    assert_said(f, "1 verified, 1 failed\n");
}

// The game is ended and exported; the id of the message that said who starts.
static void export_ended(struct fixture *f, const char *name, char path[FOLDER_PATH_SIZE],
                         char start[WORD_SIZE])
{
    const struct fake_message *const posted = shown(f->stage.chat, NULL, TEXT_SESSION_STARTS, NULL);
    assert_non_null(posted);
    (void)snprintf(start, WORD_SIZE, "has the id %s;", posted->id);
    end_game(f);
    assert_int_equal(run_id(f, "table export", ""), 0);
    keep_said(f, name, path);
}

// Who runs the bot lets it deal twice from one secret, and posts the deal that pleases them.
static void of_two_deals_under_one_commitment_one_was_posted(void **state)
{
    static const char *const LINES[][3] = {
        {PLACE, "Ann", "new sets=classic"},
        {"attic", "Zoe", "new sets=classic"}, // whose messages take the ids of the first time
        {PLACE, "Bob", "join"},
        {PLACE, "Cy", "join"},
        {PLACE, "Ann", "add-bot"},
        {PLACE, "Ann", "start"},
    };
    struct fixture *const f = *state;
    struct fixture again = *f;
    char path[2][FOLDER_PATH_SIZE];
    char start[2][WORD_SIZE];
    char line[4 * WORD_SIZE];
    export_ended(f, "posted.json", path[0], start[0]);
    chance_fix();
    stage_open_on(&again.stage, f->catalog, STAGE_SQLITE);
    for (size_t i = 0; i < sizeof LINES / sizeof LINES[0]; i++) {
        stage_say(&again.stage, LINES[i][0], LINES[i][1], LINES[i][2]);
    }
    folder_in(again.stage.folder, "tables.db", again.file);
    (void)snprintf(again.url, sizeof again.url, "sqlite:%s", again.file);
    assert_string_equal(table_id(stage_table(&again.stage, PLACE)), f->id);
    export_ended(&again, "other.json", path[1], start[1]);
    assert_string_not_equal(start[0], start[1]);
    (void)snprintf(line, sizeof line, "table verify %s %s", path[0], path[1]);
    assert_int_equal(run(f, line), 0);
    assert_said(f, "2 verified, 0 failed\n");
    const char *const one = strstr(f->said, "Commitment ");
    const char *const two = strstr(one + 1, "Commitment ");
    assert_memory_equal(one, two, sizeof "Commitment " + 64);
    const char *const posted = strstr(f->said, start[0]);
    const char *const other = strstr(f->said, start[1]);
    assert_true(posted != NULL && other != NULL && posted < two && two < other);
    stage_close(&again.stage);
}

static void what_was_not_played_is_found(void **state)
{
    struct fixture *const f = *state;
    stage_arrange(&f->stage, PLACE, deal_otherwise, NULL);
    assert_int_equal(run_id(f, "table verify", ""), 1);
    assert_said(f, "not what its commands lead to");
    assert_said(f, "0 verified, 1 failed\n");
}

/* Files. */

static void a_table_goes_from_store_to_store(void **state)
{
    struct fixture *const f = *state;
    char path[FOLDER_PATH_SIZE];
    char other[FOLDER_PATH_SIZE];
    char url[WORD_SIZE];
    char line[WORD_SIZE];
    assert_int_equal(run_id(f, "table export", ""), 0);
    keep_said(f, "closed.json", path);
    folder_in(f->stage.folder, "other.db", other);
    (void)snprintf(url, sizeof url, "sqlite:%s", other);
    (void)snprintf(line, sizeof line, "table import %s", path);
    assert_int_equal(run_on(f, url, line), 1);
    assert_said(f, "--reveal");
    assert_int_equal(run_id(f, "table export", "--reveal"), 0);
    keep_said(f, "open.json", path);
    (void)snprintf(line, sizeof line, "table import %s", path);
    assert_int_equal(run(f, line), 1);
    assert_said(f, "already has that table");
    assert_int_equal(run_on(f, url, line), 0);
    assert_int_equal(run_on(f, url, line), 1);
    assert_int_equal(run_on(f, url, "table verify"), 0);
    assert_said(f, "1 verified, 0 failed\n");
    // A service goes on with it.
    assert_int_equal(rename(other, f->file), 0);
    stage_restart(&f->stage);
    play_on(f);
    assert_int_equal(table_state(stage_table(&f->stage, PLACE)), TABLE_RUNNING);
    assert_int_equal(run(f, "table verify"), 0);
}

// As if a rule had changed: the state is another one than what was played leads to now.
static void change_a_rule(struct game *game, const struct box *box, void *user)
{
    uint8_t seed[DIGEST_SIZE];
    const unsigned seats = query_seat_count(game);
    (void)user;
    game_seed(game, seed);
    arrange_begin(game, box, seats, seed);
    for (unsigned seat = 0; seat < seats; seat++) {
        arrange_seat(game, seat, 2, false, false, true);
    }
    assert_true(arrange_finish(game, box, 0, PHASE_START, NULL));
}

// A release of other rules takes it further; its record is checked from there on, wherever it goes.
static void other_rules_begin_with_a_state(void **state)
{
    struct fixture *const f = *state;
    char path[FOLDER_PATH_SIZE];
    char other[FOLDER_PATH_SIZE];
    char url[WORD_SIZE];
    char line[WORD_SIZE];
    f->program = MB_NEXT;
    play_on(f);
    stage_arrange(&f->stage, PLACE, change_a_rule, NULL);
    assert_int_equal(run_id(f, "table verify", ""), 1);
    assert_said(f, "played by rules 1, these are 2");
    rules_number = rules_number_now() + 1;
    stage_restart(&f->stage);
    play_on(f);
    assert_int_equal(run_id(f, "table verify", ""), 0);
    assert_said(f, "checked from step");
    end_game(f);
    assert_int_equal(run_id(f, "table export", ""), 0);
    keep_said(f, "export.json", path);
    put_away(f);
    assert_int_equal(run_id(f, "table verify", ""), 0);
    assert_said(f, "checked from step");
    folder_in(f->stage.folder, "other.db", other);
    (void)snprintf(url, sizeof url, "sqlite:%s", other);
    (void)snprintf(line, sizeof line, "table import %s", path);
    assert_int_equal(run_on(f, url, line), 0);
    (void)snprintf(line, sizeof line, "table verify %s %s", path, f->id);
    assert_int_equal(run_on(f, url, line), 0);
    assert_said(f, "2 verified, 0 failed\n");
    assert_said(f, "checked from step");
}

static void what_newer_rules_played_is_not_checked(void **state)
{
    struct fixture *const f = *state;
    play_on(f);
    stage_arrange(&f->stage, PLACE, change_a_rule, NULL);
    assert_int_equal(run_id(f, "table verify", ""), 1);
    rules_number = rules_number_now() + 1;
    stage_restart(&f->stage);
    play_on(f);
    assert_int_equal(run_id(f, "table verify", ""), 1);
    assert_said(f, "a newer release has played it");
}

static void what_is_no_table_is_not_taken(void **state)
{
    static const struct {
        const char *text, *why;
    } CASES[] = {
        {"", "not complete JSON"},
        {"{\"format\": \"munchbot-game\"}", "not an exported table"},
        {"{\"format\": \"munchbot-table\", \"version\": 9}", "format is version 9"},
        {"{\"format\": \"munchbot-table\", \"version\": 1, \"value\": \"AAAA\"}", "not a table"},
        {"{\"format\": \"munchbot-table\", \"version\": 1, \"value\": 1}", "\"value\" is not"}};
    struct fixture *const f = *state;
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        char path[FOLDER_PATH_SIZE];
        char line[WORD_SIZE];
        (void)snprintf(f->said, SAID_MAX, "%s", CASES[i].text);
        keep_said(f, "file.json", path);
        (void)snprintf(line, sizeof line, "table import %s", path);
        assert_int_equal(run(f, line), 1);
        assert_said(f, CASES[i].why);
    }
}

/* People. */

static void a_person_is_told_and_forgotten(void **state)
{
    struct fixture *const f = *state;
    fake_forget(f->stage.chat);
    assert_int_equal(run(f, "user export fake:Bob"), 0);
    assert_said(f, f->id);
    assert_said(f, "\"plays\": true");
    assert_int_equal(run(f, "user forget fake:Bob"), 0);
    assert_said(f, "1 table changed");
    assert_int_equal(run(f, "table list"), 0);
    assert_said(f, "former player");
    assert_false(said(f, "Bob"));
    assert_int_equal(run(f, "user export fake:Bob"), 0);
    assert_false(said(f, f->id));
    assert_int_equal(run_id(f, "table export", "--reveal"), 0);
    assert_false(said(f, "Bob"));
    assert_int_equal(run(f, "table verify"), 0);
    assert_said(f, "1 verified, 0 failed\n");
    // The service goes on, with a bot player there.
    play_on(f);
    const struct table *const table = stage_table(&f->stage, PLACE);
    assert_int_equal(table_state(table), TABLE_RUNNING);
    assert_true(table_seat_is_bot(table, 1));
    assert_string_equal(table_seat_name(table, 1), "former player");
    fake_forget(f->stage.chat);
    stage_say(&f->stage, PLACE, "Ann", "log 20");
    for (size_t i = 0; i < fake_count(f->stage.chat); i++) {
        assert_null(strstr(fake_message(f->stage.chat, i)->text, "Bob"));
    }
    end_game(f);
    assert_int_equal(run(f, "table verify"), 0);
    assert_said(f, "1 verified, 0 failed\n");
}

static void old_games_forget_as_well(void **state)
{
    struct fixture *const f = *state;
    stage_say(&f->stage, PLACE, "Cy", "leave"); // and somebody has the seat since
    play_on(f);
    end_game(f);
    put_away(f);
    assert_int_equal(run(f, "user forget fake:Ann"), 0);
    assert_said(f, "1 table changed");
    assert_int_equal(run(f, "user forget fake:Cy"), 0);
    assert_said(f, "1 table changed");
    assert_int_equal(store_talk_load(f->stage.store, f->id)->version, 0);
    assert_int_equal(run_id(f, "table export", ""), 0);
    assert_false(said(f, "Ann") || said(f, "\"Cy\""));
    assert_said(f, "\"Bob\"");
    assert_int_equal(run_id(f, "table verify", ""), 0);
    assert_said(f, "1 verified, 0 failed\n");
}

/* Copies. */

static void a_served_store_is_copied(void **state)
{
    struct fixture *const f = *state;
    char copy[FOLDER_PATH_SIZE];
    char other[FOLDER_PATH_SIZE];
    char url[WORD_SIZE];
    char line[WORD_SIZE];
    struct stat is;
    folder_in(f->stage.folder, "copy.db", copy);
    folder_in(f->stage.folder, "other.db", other);
    (void)snprintf(line, sizeof line, "store backup %s", copy);
    assert_int_equal(run(f, line), 0);
    assert_int_equal(stat(copy, &is), 0);
    assert_int_equal(is.st_mode & 0777, 0600);
    assert_int_equal(run(f, line), 1);
    assert_said(f, "the file already exists");
    play_on(f); // the copy knows nothing of it
    (void)snprintf(line, sizeof line, "store restore %s", copy);
    assert_int_equal(run(f, line), 1);
    (void)snprintf(url, sizeof url, "sqlite:%s", other);
    assert_int_equal(run_on(f, url, line), 0);
    assert_int_equal(run_on(f, url, "table verify"), 0);
    assert_said(f, "1 verified, 0 failed\n");
    assert_int_equal(run_on(f, "postgresql://nowhere/x", line), 1);
    assert_said(f, "pg_restore");
    (void)snprintf(line, sizeof line, "store restore %s/none.db", f->stage.folder);
    assert_int_equal(run_on(f, "sqlite:/nonexistent/x.db", line), 1);
}

/* Words. */

static void what_is_not_understood_is_said(void **state)
{
    static const struct {
        const char *words;
        int status;
    } CASES[] = {{"table", 2},
                 {"table what", 2},
                 {"table list more", 2},
                 {"table show", 2},
                 {"table list --all", 2},
                 {"table list --reveal", 2},
                 {"table import", 2},
                 {"user", 2},
                 {"user forget", 2},
                 {"user forget Bob", 2},
                 {"user what a:b", 2},
                 {"store backup", 2},
                 {"store what x", 2},
                 {"store restored x", 2},
                 {"store restored", 0},
                 {"user export a:b --reveal", 2},
                 {"table import /none", 1}};
    struct fixture *const f = *state;
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        char line[WORD_SIZE];
        (void)snprintf(line, sizeof line, "%s", CASES[i].words);
        const int status = run(f, line);
        if (status != CASES[i].status) {
            fail_msg("%s: %d\n%s", CASES[i].words, status, f->said);
        }
        assert_ptr_equal(strchr(f->said, '\n'), f->said + strlen(f->said) - 1); // one line
    }
    assert_int_equal(run_on(f, "sqlite:/nonexistent/x.db", "table list"), 1);
    assert_said(f, "there is no store");
    assert_int_equal(run_on(f, "nonsense", "table list"), 1);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(tables_are_listed_and_shown),
        CASE(what_is_revealed_is_announced),
        CASE(a_lobby_hears_of_it_too),
        CASE(journals_are_played_again),
        CASE(what_was_not_played_is_found),
        CASE(a_table_goes_from_store_to_store),
        CASE(other_rules_begin_with_a_state),
        CASE(what_newer_rules_played_is_not_checked),
        CASE(what_is_no_table_is_not_taken),
        CASE(a_person_is_told_and_forgotten),
        CASE(old_games_forget_as_well),
        CASE(a_served_store_is_copied),
        CASE(what_is_not_understood_is_said),
        CASE(of_two_deals_under_one_commitment_one_was_posted),
    };
    return cmocka_run_group_tests_name("an operator", tests, NULL, NULL);
}
