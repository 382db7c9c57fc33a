// A file that becomes a store, or cannot: what it says then, and that nothing is touched.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sqlite3.h>

#include "adapters/store/sqlite/sqlite_impl.h"
#include "adapters/store/store_url.h"

#include "tests/support/disk.h"
#include "tests/support/folder.h"
#include "tests/support/store_talk.h"
#include "tests/support/test.h"

enum { FILE_MAX = 1 << 20 };

struct place {
    char folder[FOLDER_PATH_SIZE], path[FOLDER_PATH_SIZE];
};

static int set_up(void **state)
{
    struct place *const place = calloc(1, sizeof *place);
    assert_non_null(place);
    folder_make(place->folder);
    folder_in(place->folder, "tables.db", place->path);
    *state = place;
    return 0;
}

static int tear_down(void **state)
{
    struct place *const place = *state;
    disk_fault(DISK_WELL, 0);
    store_talk_end();
    folder_remove(place->folder);
    free(place);
    return 0;
}

static struct store *make(const char *path)
{
    struct store *const store = sqlite_store_create(&(struct sqlite_setup){.path = path});
    assert_non_null(store);
    return store;
}

static struct store *open_store(const char *path)
{
    struct mb_error err = {0};
    struct store *const store = make(path);
    if (!store_start(store, &err)) {
        fail_msg("%s", err.text);
    }
    return store;
}

static size_t read_file(const char *path, char *out)
{
    FILE *const file = fopen(path, "rb");
    if (file == NULL) {
        return 0;
    }
    const size_t size = fread(out, 1, FILE_MAX, file);
    (void)fclose(file);
    return size;
}

static void write_file(const char *path, const char *bytes, size_t size)
{
    FILE *const file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void run_sql(const char *path, const char *sql)
{
    sqlite3 *handle = NULL;
    assert_int_equal(sqlite3_open(path, &handle), SQLITE_OK);
    assert_int_equal(sqlite3_exec(handle, sql, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(handle), SQLITE_OK);
}

static void assert_says(const struct mb_error *err, const char *words)
{
    if (strstr(err->text, words) == NULL) {
        fail_msg("\"%s\" does not say \"%s\"", err->text, words);
    }
}

// It does not start, says why, a check says the same, and the file is what it was.
static void assert_refused(const char *path, const char *words)
{
    static char before[FILE_MAX];
    static char after[FILE_MAX];
    struct mb_error err = {0};
    struct mb_error found = {0};
    struct store *const store = make(path);
    const size_t size = read_file(path, before);
    assert_false(sqlite_store_check(path, &found));
    assert_says(&found, words);
    assert_false(store_start(store, &err));
    assert_says(&err, words);
    assert_int_equal(read_file(path, after), size);
    assert_memory_equal(before, after, size);
    store_destroy(store);
}

/* Files of its own. */

static unsigned mode_of(const char *path)
{
    struct stat is;
    assert_int_equal(stat(path, &is), 0);
    return is.st_mode & 0777u;
}

static void nobody_else_may_read_it(void **state)
{
    static const char *const NAMES[] = {"tables.db", "tables.db-wal", "tables.db-shm",
                                        "tables.db-held"};
    struct place *const place = *state;
    char path[FOLDER_PATH_SIZE];
    const mode_t mask = umask(0);
    struct store *store = open_store(place->path);
    (void)store_talk_load(store, "t1");
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        folder_in(place->folder, NAMES[i], path);
        assert_int_equal(mode_of(path), 0600);
    }
    store_destroy(store);
    assert_int_equal(chmod(place->path, 0644), 0);
    store = open_store(place->path);
    assert_int_equal(mode_of(place->path), 0600);
    store_destroy(store);
    (void)umask(mask);
}

static void an_empty_file_becomes_a_store(void **state)
{
    struct place *const place = *state;
    write_file(place->path, "", 0);
    struct store *const store = open_store(place->path);
    assert_int_equal(store_talk_load(store, "t1")->result, STORE_NOTHING);
    store_destroy(store);
}

// A file of an older schema, with what it held.
static void make_older(const char *path, int version, const char *rows)
{
    char words[80];
    for (size_t i = 0; i < SQLITE_MIGRATION_COUNT && SQLITE_MIGRATIONS[i].version <= version; i++) {
        run_sql(path, SQLITE_MIGRATIONS[i].sql);
    }
    (void)snprintf(words, sizeof words, "PRAGMA application_id=%d; PRAGMA user_version=%d",
                   0x6d6e6368, version);
    run_sql(path, words);
    run_sql(path, rows);
}

// Every schema there has been is brought up to date.
static void older_stores_are_brought_up_to_date(void **state)
{
    struct place *const place = *state;
    const int latest = SQLITE_MIGRATIONS[SQLITE_MIGRATION_COUNT - 1].version;
    for (int version = 1; version <= latest; version++) {
        make_older(place->path, version, "");
        struct store *const store = open_store(place->path);
        const struct store_commit commit = store_change("t1", 0, "word");
        assert_int_equal(store_talk_commit(store, &commit)->result, STORE_DONE);
        store_destroy(store);
        assert_int_equal(unlink(place->path), 0);
    }
}

static int number_of(const char *path, const char *words)
{
    sqlite3 *handle = NULL;
    sqlite3_stmt *statement = NULL;
    assert_int_equal(sqlite3_open(path, &handle), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(handle, words, -1, &statement, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    const int number = sqlite3_column_int(statement, 0);
    assert_int_equal(sqlite3_finalize(statement), SQLITE_OK);
    assert_int_equal(sqlite3_close(handle), SQLITE_OK);
    return number;
}

static void assert_bytes(const struct store_bytes *bytes, const char *words)
{
    assert_int_equal(bytes->size, strlen(words));
    assert_memory_equal(bytes->at, words, bytes->size);
}

static void tables_of_older_stores_are_all_there(void **state)
{
    enum { DUE = 20, UNTIL = 30, SINCE = 10, OF_T1 = 3, OF_T2 = 7 };
    static const char ROWS[] =
        "INSERT INTO game (table_id, version, earlier, opener_network, "
        "opener, community, rested, since_ms, due_ms, until_ms, bytes,"
        " earlier_bytes) VALUES ('t1', 3, 2, 'net', 'ann', 'town', NULL, 10,"
        " 20, 30, CAST('three' AS BLOB), CAST('two' AS BLOB)),"
        " ('t2', 7, NULL, 'net', 'bob', 'village', 5, -1, -1, -1,"
        " CAST('seven' AS BLOB), NULL);"
        "INSERT INTO step VALUES ('t1', 3, 8, 9, 77, 0);"
        "INSERT INTO store (id, secret, now_ms) VALUES (1, zeroblob(16), 40);"
        "INSERT INTO archive (table_id, community, bytes, pieces)"
        " VALUES ('t0', 'town', x'', x'')";
    struct place *const place = *state;
    const struct store_request earlier = {.kind = STORE_EARLIER, .table = "t1"};
    const struct store_request step = {
        .kind = STORE_STEP, .table = "t1", .key = {.epoch = 8, .number = 9}};
    make_older(place->path, 1, ROWS);
    struct store *const store = open_store(place->path);
    const struct store_answer *answer = store_talk_load(store, "t1");
    assert_int_equal(answer->result, STORE_DONE);
    assert_int_equal(answer->version, OF_T1);
    assert_bytes(&answer->bytes, "three");
    assert_string_equal(answer->community, "town");
    assert_int_equal(answer->since_ms, SINCE);
    assert_int_equal(answer->due_ms, DUE);
    assert_int_equal(answer->until_ms, UNTIL);
    assert_int_equal(answer->event_count, 1);
    answer = store_talk(store, &earlier);
    assert_int_equal(answer->version, 2);
    assert_bytes(&answer->bytes, "two");
    assert_int_equal(store_talk(store, &step)->version, OF_T1);
    answer = store_talk_load(store, "t2");
    assert_int_equal(answer->version, OF_T2);
    assert_bytes(&answer->bytes, "seven");
    struct store_commit commit = store_change("t1", OF_T1, "word");
    commit.keep_earlier = true;
    assert_int_equal(store_talk_commit(store, &commit)->result, STORE_DONE);
    assert_bytes(&store_talk_load(store, "t1")->bytes, "word");
    assert_bytes(&store_talk(store, &earlier)->bytes, "three");
    assert_bytes(&store_talk_load(store, "t2")->bytes, "seven");
    store_destroy(store);
    assert_int_equal(number_of(place->path, "PRAGMA user_version"), 2);
    assert_int_equal(number_of(place->path, "SELECT put_away_ms FROM archive"), 40);
}

static void a_check_makes_and_changes_nothing(void **state)
{
    struct place *const place = *state;
    struct mb_error err = {0};
    assert_true(sqlite_store_check(place->path, &err));
    assert_int_not_equal(access(place->path, F_OK), 0);
    for (size_t i = 0; SQLITE_MIGRATIONS[i].version == 1; i++) { // an older one is left as it is
        run_sql(place->path, SQLITE_MIGRATIONS[i].sql);
    }
    run_sql(place->path, "PRAGMA application_id=0x6d6e6368; PRAGMA user_version=1");
    assert_true(sqlite_store_check(place->path, &err));
    assert_int_equal(number_of(place->path, "PRAGMA user_version"), 1);
    struct store *const store = open_store(place->path); // nor is one disturbed that is served
    for (unsigned i = 0; i < 2; i++) {
        const struct store_commit commit = store_change("t1", i, "word");
        assert_int_equal(store_talk_commit(store, &commit)->result, STORE_DONE);
        assert_true(sqlite_store_check(place->path, &err));
    }
    assert_int_equal(store_talk_load(store, "t1")->version, 2);
    store_destroy(store);
}

// A disk that fails in the middle leaves no half of a schema.
static void a_migration_is_whole_or_nothing(void **state)
{
    static const enum disk_fault FAULTS[] = {DISK_FULL, DISK_BROKEN};
    struct place *const place = *state;
    for (size_t kind = 0; kind < 2; kind++) {
        bool started = false;
        for (long n = 1; !started; n++) {
            struct mb_error err = {0};
            struct store *store = make(place->path);
            disk_fault(FAULTS[kind], n);
            started = store_start(store, &err);
            assert_true(started || strstr(err.text, "disk") != NULL);
            disk_fault(DISK_WELL, 0);
            store_destroy(store);
            store = open_store(place->path);
            const struct store_commit commit = store_change("t1", 0, "word");
            assert_int_equal(store_talk_commit(store, &commit)->result, STORE_DONE);
            store_destroy(store);
            assert_int_equal(unlink(place->path), 0);
            assert_true(n < 1000);
        }
    }
}

/* Files of others. */

static void what_is_no_store_is_left_alone(void **state)
{
    static const char TEXT[] = "Dear diary, this is no database. It is, however, quite long: longer"
                               " than the head of one would be, which has a hundred bytes.";
    struct place *const place = *state;
    write_file(place->path, TEXT, sizeof TEXT);
    assert_refused(place->path, "not a munchbot store");
    assert_int_equal(unlink(place->path), 0);
    run_sql(place->path, "CREATE TABLE cookies (name)");
    assert_refused(place->path, "not a munchbot store");
    assert_int_equal(unlink(place->path), 0);
    run_sql(place->path, "PRAGMA application_id=7");
    assert_refused(place->path, "not a munchbot store");
}

static void a_newer_store_is_refused(void **state)
{
    struct place *const place = *state;
    store_destroy(open_store(place->path));
    run_sql(place->path, "PRAGMA user_version=1000");
    assert_refused(place->path, "by a newer munchbot (format 1000, this one knows");
}

static void a_damaged_store_is_refused(void **state)
{
    enum { PAGE = 4096, TWO_PAGES = 2 * PAGE, HEAD = 100 };
    static char bytes[FILE_MAX];
    struct place *const place = *state;
    struct store *const store = open_store(place->path);
    const struct store_commit commit = store_change("t1", 0, "word");
    assert_int_equal(store_talk_commit(store, &commit)->result, STORE_DONE);
    store_destroy(store);
    const size_t size = read_file(place->path, bytes);
    assert_true(size > (size_t)3 * PAGE && size < FILE_MAX);
    write_file(place->path, bytes, size / 2);
    assert_refused(place->path, "damaged");
    memset(bytes + HEAD, 0x5a, TWO_PAGES);
    write_file(place->path, bytes, size);
    assert_refused(place->path, "damaged");
}

static void a_place_for_no_file_is_named(void **state)
{
    struct place *const place = *state;
    char path[FOLDER_PATH_SIZE];
    assert_refused(place->folder, "this is not a file");
    folder_in(place->folder, "no/tables.db", path);
    assert_refused(path, "the store's folder does not exist");
    folder_in(place->path, "tables.db", path);
    write_file(place->path, "", 0);
    assert_refused(path, "cannot ");
}

// Root may do everything: the test goes on as somebody else.
static int as_somebody(const struct place *place, const char *words)
{
    enum { NOBODY = 65534 };
    if (getuid() == 0 && (setgid(NOBODY) != 0 || setuid(NOBODY) != 0)) {
        return 2;
    }
    struct mb_error err = {0};
    struct store *const store = make(place->path);
    const bool started = store_start(store, &err);
    const bool said = strstr(err.text, words) != NULL;
    (void)fprintf(stderr, "%s\n", err.text);
    store_destroy(store);
    return started || !said ? 1 : 0;
}

static void assert_refused_to_somebody(const struct place *place, const char *words)
{
    static char before[FILE_MAX];
    static char after[FILE_MAX];
    int status = 0;
    const size_t size = read_file(place->path, before);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        _exit(as_somebody(place, words));
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_int_equal(read_file(place->path, after), size);
    assert_memory_equal(before, after, size);
}

static void what_may_not_be_written_is_left_alone(void **state)
{
    struct place *const place = *state;
    store_destroy(open_store(place->path));
    assert_int_equal(chmod(place->folder, 0755), 0);
    assert_int_equal(chmod(place->path, 0444), 0);
    assert_refused_to_somebody(place, "cannot open the store (Permission denied)");
    assert_int_equal(chmod(place->path, 0000), 0);
    assert_refused_to_somebody(place, "cannot open the store (Permission denied)");
    assert_int_equal(chmod(place->path, 0666), 0); // but its log has no place to be
    assert_int_equal(chmod(place->folder, 0555), 0);
    assert_refused_to_somebody(place, "cannot ");
    assert_int_equal(chmod(place->path, 0600), 0);
    assert_int_equal(chmod(place->folder, 0700), 0);
}

static void memory_is_no_file(void **state)
{
    (void)state;
    struct mb_error err = {0};
    assert_null(store_url_create("sqlite::memory:", &err));
    assert_non_null(strstr(err.text, "use \"sqlite:PATH\""));
    err = (struct mb_error){0};
    assert_false(store_url_check("sqlite::memory:", &err));
    assert_non_null(strstr(err.text, "use \"sqlite:PATH\""));
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(nobody_else_may_read_it),
        CASE(an_empty_file_becomes_a_store),
        CASE(older_stores_are_brought_up_to_date),
        CASE(tables_of_older_stores_are_all_there),
        CASE(a_migration_is_whole_or_nothing),
        CASE(what_is_no_store_is_left_alone),
        CASE(a_newer_store_is_refused),
        CASE(a_check_makes_and_changes_nothing),
        CASE(a_damaged_store_is_refused),
        CASE(a_place_for_no_file_is_named),
        CASE(what_may_not_be_written_is_left_alone),
        CASE(memory_is_no_file),
    };
    disk_install();
    return cmocka_run_group_tests_name("sqlite_file", tests, NULL, NULL);
}
