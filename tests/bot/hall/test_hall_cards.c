// Card sets that change or go while tables play with them: a table keeps the rows it began with, in
// the store; a new one plays with what is installed.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>
#include <unistd.h>

#include "core/codec/card_files.h"
#include "core/codec/outcome.h"

#include "bot/kept/kept_table.h"

#include "tests/support/chance.h"
#include "tests/support/says.h"
#include "tests/support/shown.h"
#include "tests/support/stage.h"
#include "tests/support/store_talk.h"
#include "tests/support/test.h"

static const char PLACE[] = "tavern";

enum { FILE_MAX = 1 << 20 };

struct fixture {
    char cards[FOLDER_PATH_SIZE], set[FOLDER_PATH_SIZE]; // a folder of sets, and the one in it
    struct catalog *catalog;
    struct stage stage;
};

static size_t read_file(const char *path, char *out)
{
    FILE *const file = fopen(path, "rb");
    assert_non_null(file);
    const size_t size = fread(out, 1, FILE_MAX - 1, file);
    out[size] = '\0';
    assert_int_equal(fclose(file), 0);
    return size;
}

static void write_file(const char *path, const char *text, size_t size)
{
    FILE *const file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void put_file(const struct fixture *f, enum card_file_of which, const char *text,
                     size_t size)
{
    char path[FOLDER_PATH_SIZE];
    folder_in(f->set, card_file_name(which), path);
    write_file(path, text, size);
}

static void copy_set(const struct fixture *f, const char *from)
{
    static char text[FILE_MAX];
    char path[FOLDER_PATH_SIZE];
    for (unsigned which = 0; which < CARD_FILE_TOTAL; which++) {
        folder_in(from, card_file_name(which), path);
        const size_t size = read_file(path, text);
        put_file(f, which, text, size);
    }
}

// Every Monster of Level 1 is one of Level 2 from now on.
static void change_set(const struct fixture *f)
{
    static char text[FILE_MAX];
    static const char LEVEL[] = "\"level\": 1,";
    char path[FOLDER_PATH_SIZE];
    unsigned changed = 0;
    folder_in(f->set, card_file_name(CARD_FILE_DOORS), path);
    const size_t size = read_file(path, text);
    for (char *at = strstr(text, LEVEL); at != NULL; at = strstr(at + 1, LEVEL)) {
        at[sizeof LEVEL - 3] = '2';
        changed++;
    }
    assert_true(changed > 0);
    write_file(path, text, size);
}

static int set_up_on(void **state, enum stage_engine engine)
{
    struct fixture *const f = calloc(1, sizeof *f);
    assert_non_null(f);
    chance_fix();
    folder_make(f->cards);
    folder_in(f->cards, "classic", f->set);
    assert_int_equal(mkdir(f->set, S_IRWXU), 0);
    copy_set(f, "cards/classic");
    f->catalog = catalog_load(f->cards, NULL);
    assert_non_null(f->catalog);
    stage_open_on(&f->stage, f->catalog, engine);
    stage_start(&f->stage, PLACE, 3, 0);
    *state = f;
    return 0;
}

static int set_up(void **state)
{
    return set_up_on(state, STAGE_MEMORY);
}

static int set_up_sqlite(void **state)
{
    return set_up_on(state, STAGE_SQLITE);
}

static void remove_set(const struct fixture *f)
{
    for (unsigned which = 0; which < CARD_FILE_TOTAL; which++) {
        char path[FOLDER_PATH_SIZE];
        folder_in(f->set, card_file_name(which), path);
        (void)unlink(path);
    }
    (void)rmdir(f->set);
}

static int tear_down(void **state)
{
    struct fixture *const f = *state;
    stage_close(&f->stage);
    catalog_destroy(f->catalog);
    remove_set(f);
    folder_remove(f->cards);
    free(f);
    return 0;
}

// Another process, which finds what is in the folder now.
static void restart(struct fixture *f)
{
    struct catalog *const before = f->catalog;
    f->catalog = catalog_load(f->cards, NULL);
    assert_non_null(f->catalog);
    f->stage.catalog = f->catalog;
    stage_restart(&f->stage);
    catalog_destroy(before);
    fake_forget(f->stage.chat);
}

static void digest_of_table(const struct fixture *f, char out[DIGEST_HEX_SIZE])
{
    size_t count = 0;
    const uint8_t *const digests = table_digests(stage_table(&f->stage, PLACE), &count);
    assert_int_equal(count, 1);
    digest_hex(digests, CATALOG_DIGEST_SIZE, out);
}

static uint64_t acts(const struct fixture *f)
{
    return hall_version(f->stage.hall, f->stage.chat, PLACE);
}

static bool has_files(const struct fixture *f, const char *word)
{
    const struct store_request request = {.kind = STORE_CARD, .word = word};
    return store_talk(f->stage.store, &request)->result == STORE_DONE;
}

// Whoever's turn it is kicks in a door.
static void play_on(struct fixture *f)
{
    stage_say(&f->stage, PLACE, "Ann", "status");
    const struct table *const table = stage_table(&f->stage, PLACE);
    char who[64];
    (void)snprintf(who, sizeof who, "%s", table_seat_name(table, query_turn(table_game(table))));
    const uint64_t before = acts(f);
    stage_say(&f->stage, PLACE, who, "kick");
    assert_true(acts(f) > before);
}

// As an operator does, with what is installed now.
static void verify(const struct fixture *f, const char *id)
{
    struct kept kept;
    struct kept_table table;
    struct journal_report report = {.commands = 0};
    struct mb_error err = {0};
    assert_true(kept_open(&kept, f->catalog, f->stage.store, &err));
    if (!kept_fetch(&kept, id, &table, &err) || !kept_verify(&table, &report, &err)) {
        fail_msg("%s", err.text);
    }
    assert_true(report.commands > 0);
    kept_table_finish(&table);
    kept_close(&kept);
}

static void a_running_table_keeps_its_rows(void **state)
{
    struct fixture *const f = *state;
    char before[DIGEST_HEX_SIZE];
    char after[DIGEST_HEX_SIZE];
    char id[TABLE_ID_SIZE];
    digest_of_table(f, before);
    (void)snprintf(id, sizeof id, "%s", table_id(stage_table(&f->stage, PLACE)));
    assert_true(has_files(f, before));
    change_set(f);
    restart(f);
    verify(f, id);
    play_on(f);
    digest_of_table(f, after);
    assert_string_equal(before, after);
    stage_say(&f->stage, PLACE, "Ann", "end");
    stage_say(&f->stage, PLACE, "Ann", "end");
    stage_say(&f->stage, PLACE, "Ann", "new"); // again, with what is installed now
    digest_of_table(f, after);
    assert_string_not_equal(before, after);
    assert_int_equal(table_state(stage_table(&f->stage, PLACE)), TABLE_LOBBY);
    assert_true(has_files(f, after));
    assert_true(has_files(f, before)); // the journal of the old game needs them
    verify(f, id);
}

static void a_set_that_is_gone_is_played_to_the_end(void **state)
{
    struct fixture *const f = *state;
    static const char SET[] = "{\"format\": 1, \"id\": \"other\", \"name\": \"Other\","
                              " \"edition\": \"classic\", \"complete\": true}";
    remove_set(f);
    folder_in(f->cards, "other", f->set);
    assert_int_equal(mkdir(f->set, S_IRWXU), 0);
    copy_set(f, "cards/classic");
    put_file(f, CARD_FILE_SET, SET, sizeof SET - 1);
    change_set(f);
    restart(f);
    play_on(f);
    stage_say(&f->stage, PLACE, "Ann", "end");
    stage_say(&f->stage, PLACE, "Ann", "end");
    assert_int_equal(table_state(stage_table(&f->stage, PLACE)), TABLE_OVER);
    stage_say(&f->stage, PLACE, "Ann", "new");
    assert_non_null(shown(f->stage.chat, "Ann", TEXT_SESSION_BAD_OPTION, NULL));
    stage_say(&f->stage, PLACE, "Ann", "new sets=other");
    assert_int_equal(table_state(stage_table(&f->stage, PLACE)), TABLE_LOBBY);
}

// Files that changed under a running process: what it has read before stays.
static void a_set_that_changes_under_a_process_is_kept(void **state)
{
    struct fixture *const f = *state;
    change_set(f);
    hall_forget(f->stage.hall);
    play_on(f);
    stage_again(&f->stage); // the same catalogue, another library
    const uint64_t before = acts(f);
    stage_say(&f->stage, PLACE, "Ann", "orders pass below 5");
    assert_true(acts(f) > before);
}

// A lobby in which nobody has played leaves nothing.
static void files_nobody_needs_go(void **state)
{
    struct fixture *const f = *state;
    char digest[DIGEST_HEX_SIZE];
    change_set(f);
    restart(f);
    stage_say(&f->stage, "attic", "Ann", "new");
    size_t count = 0;
    const uint8_t *const digests = table_digests(stage_table(&f->stage, "attic"), &count);
    digest_hex(digests, CATALOG_DIGEST_SIZE, digest);
    assert_true(has_files(f, digest));
    stage_say(&f->stage, "attic", "Ann", "end");
    assert_false(has_files(f, digest));
}

static void all_that_was_kept_is_what_was_read(void **state)
{
    struct fixture *const f = *state;
    struct mb_error err = {0};
    struct parcel files;
    struct parcel open;
    const unsigned char *text = NULL;
    size_t size = 0;
    assert_true(card_files_read(f->set, &files, &err));
    assert_true(parcel_close(&files));
    assert_true(parcel_open(&open, files.at, files.used));
    struct catalog *const catalog = card_files_load(&open, 1);
    assert_memory_equal(catalog_set(catalog, 0)->digest, catalog_set(f->catalog, 0)->digest,
                        CATALOG_DIGEST_SIZE);
    assert_int_equal(catalog_set(catalog, 0)->errors, 0);
    assert_int_equal(catalog_def_count(catalog), catalog_def_count(f->catalog));
    for (unsigned def = 0; def < catalog_def_count(catalog); def++) {
        assert_string_equal(catalog_text(catalog, def), catalog_text(f->catalog, def));
    }
    assert_true(card_files_get(&open, CARD_FILE_TEXTS, &text, &size));
    assert_false(card_files_get(&open, CARD_FILE_TOTAL, &text, &size));
    catalog_destroy(catalog);
    parcel_finish(&open);
    for (size_t cut = 0; cut < files.used; cut += 97) {
        assert_false(parcel_open(&open, files.at, cut));
    }
    files.at[files.used / 2] ^= 1u;
    assert_false(parcel_open(&open, files.at, files.used));
    parcel_finish(&files);
}

#define CASE(test)  cmocka_unit_test_setup_teardown(test, set_up, tear_down)
#define CASES(test) CASE(test), cmocka_unit_test_setup_teardown(test, set_up_sqlite, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASES(a_running_table_keeps_its_rows),
        CASES(a_set_that_is_gone_is_played_to_the_end),
        CASE(a_set_that_changes_under_a_process_is_kept),
        CASE(files_nobody_needs_go),
        CASE(all_that_was_kept_is_what_was_read),
    };
    return cmocka_run_group_tests_name("cards of tables", tests, NULL, NULL);
}
