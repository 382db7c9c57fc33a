// The store in SQLite on disks that fail, beside programs that lock, and killed at any moment:
// what was answered is there, and nothing is there by half.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sqlite3.h>

#include "adapters/store/sqlite/sqlite_impl.h"

#include "tests/support/disk.h"
#include "tests/support/folder.h"
#include "tests/support/store_talk.h"
#include "tests/support/sweep.h"
#include "tests/support/test.h"

enum { TABLES = 3, STORY = 4 * TABLES, EACH = 3 };

static const char *const NAMES[TABLES] = {"t0", "t1", "t2"};

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

static struct store *open_waiting(const struct place *place, bool waits)
{
    struct mb_error err = {0};
    struct store *const store =
        sqlite_store_create(&(struct sqlite_setup){.path = place->path, .waits = waits});
    assert_non_null(store);
    if (!store_start(store, &err)) {
        fail_msg("%s", err.text);
    }
    return store;
}

static struct store *open_store(const struct place *place)
{
    return open_waiting(place, false);
}

static void pause_ms(long ms)
{
    const struct timespec time = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    (void)nanosleep(&time, NULL);
}

/* A table whose rows tell how often it was changed. */

static struct store_commit change(const char *table, uint64_t version)
{
    static struct store_message message;
    static struct store_bytes piece;
    message = (struct store_message){.key = {.epoch = 9, .number = version},
                                     .bytes = store_word("Hello.")};
    piece = store_word("kick");
    struct store_commit commit = store_change(table, version, "word");
    commit.opener = table;
    commit.anew = version == 0; // not what an earlier table of this name has left
    commit.journal = &piece;
    commit.journal_count = 1;
    commit.messages = &message;
    commit.message_count = 1;
    return commit;
}

// The version of a table; all that goes with it has been committed as often.
static uint64_t whole_version(struct store *store, const char *table)
{
    const struct store_answer *answer = store_talk_load(store, table);
    const uint64_t version = answer->version;
    assert_true(answer->result == STORE_DONE || answer->result == STORE_NOTHING);
    assert_int_equal(answer->message_count, version);
    size_t pieces = 0;
    do {
        const struct store_request request = {
            .kind = STORE_JOURNAL, .table = table, .from = pieces, .count = STORE_JOURNAL_MAX};
        answer = store_talk(store, &request);
        pieces += answer->count;
    } while (answer->count > 0);
    assert_int_equal(pieces, version);
    return version;
}

/* Disks. */

// What is done at three tables, in turn, and what came of each.
struct story {
    struct store_commit commits[STORY];
    struct store_message messages[STORY];
    enum store_result results[STORY];
};

static const char *table_of(unsigned at)
{
    return NAMES[at % TABLES];
}

// What was answered is there; all of it is known again, or done now.
static void tell_again(struct store *store, struct story *story)
{
    for (unsigned at = 0; at < STORY; at++) {
        if (story->results[at] == STORE_DONE) {
            assert_true(whole_version(store, table_of(at)) > at / TABLES);
        }
        const struct store_answer *const answer = store_talk_commit(store, &story->commits[at]);
        assert_int_equal(answer->result, STORE_DONE);
        assert_int_equal(answer->version, at / TABLES + 1);
        story->results[at] = STORE_DONE;
    }
}

// From the n-th write or sync on the disk fails; then it works again.
static long try_disk(const struct place *place, enum disk_fault fault, long n)
{
    struct story story;
    struct store *store = open_waiting(place, true);
    const long before = disk_uses();
    disk_fault(fault, n);
    for (unsigned at = 0; at < STORY; at++) {
        story.commits[at] = change(table_of(at), at / TABLES);
        story.messages[at] = story.commits[at].messages[0];
        story.commits[at].messages = &story.messages[at];
        story.results[at] = store_talk_commit(store, &story.commits[at])->result;
    }
    const long uses = disk_uses() - before;
    disk_fault(DISK_WELL, 0);
    for (unsigned reopened = 0; reopened < 2; reopened++) {
        tell_again(store, &story);
        store_destroy(store);
        store = open_waiting(place, true);
    }
    for (unsigned i = 0; i < TABLES; i++) {
        assert_int_equal(whole_version(store, NAMES[i]), STORY / TABLES);
        const struct store_commit gone = store_change(NAMES[i], STORY / TABLES, NULL);
        assert_int_equal(store_talk_commit(store, &gone)->result, STORE_DONE);
    }
    store_destroy(store);
    return uses;
}

static void a_disk_that_fails_loses_nothing(void **state)
{
    struct place *const place = *state;
    for (enum disk_fault fault = DISK_FULL; fault <= DISK_BROKEN; fault++) {
        const long uses = try_disk(place, DISK_WELL, 0);
        assert_true(uses > TABLES);
        const long step = (long)sweep_step(EACH, 1);
        // Each fault has places of its own: one of them comes at each.
        for (long n = 1 + (long)fault % step; n <= uses; n += step) {
            (void)try_disk(place, fault, n);
        }
    }
}

/* Programs that lock. */

static sqlite3 *lock_file(const struct place *place)
{
    sqlite3 *handle = NULL;
    assert_int_equal(sqlite3_open(place->path, &handle), SQLITE_OK);
    assert_int_equal(sqlite3_exec(handle, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    return handle;
}

static uint64_t ask_commit(struct store *store, const struct store_commit *commit)
{
    const struct store_request request = {.kind = STORE_COMMIT, .commit = *commit};
    uint64_t ticket = 0;
    assert_true(store_ask(store, &request, &ticket));
    return ticket;
}

static enum store_result next_result(struct store *waiting)
{
    struct store_answer *const answer = store_take(waiting);
    assert_non_null(answer);
    const enum store_result result = answer->result;
    store_answer_free(answer);
    return result;
}

static void a_short_lock_is_waited_for(void **state)
{
    struct place *const place = *state;
    struct store *const store = open_waiting(place, true);
    sqlite3 *const handle = lock_file(place);
    const struct store_commit commit = change("t1", 0);
    (void)ask_commit(store, &commit);
    assert_int_equal(store_talk_load(store, "t0")->result, STORE_NOTHING); // others are read
    pause_ms(200);
    assert_int_equal(sqlite3_close(handle), SQLITE_OK);
    assert_int_equal(next_result(store), STORE_DONE);
    assert_null(store_take(store));
    store_destroy(store);
}

static void a_long_lock_is_a_failure(void **state)
{
    struct place *const place = *state;
    struct store *const store = open_waiting(place, true);
    sqlite3 *const handle = lock_file(place);
    const struct store_commit commit = change("t1", 0);
    assert_int_equal(store_talk_commit(store, &commit)->result, STORE_FAILED);
    assert_int_equal(sqlite3_close(handle), SQLITE_OK);
    assert_int_equal(whole_version(store, "t1"), 0);
    assert_int_equal(store_talk_commit(store, &commit)->result, STORE_DONE);
    store_destroy(store);
}

static void it_stops_while_it_is_locked(void **state)
{
    struct place *const place = *state;
    struct store *const store = open_store(place);
    sqlite3 *const handle = lock_file(place);
    const struct store_commit commit = change("t1", 0);
    (void)ask_commit(store, &commit);
    pause_ms(20);
    store_destroy(store);
    assert_int_equal(sqlite3_close(handle), SQLITE_OK);
}

/* Commits that are written together. */

// They wait for a lock, so that one transaction takes them all.
static void a_step_that_fails_takes_nobody_along(void **state)
{
    static unsigned char huge[SQLITE_ROW_MAX + 1];
    struct place *const place = *state;
    struct store *const store = open_waiting(place, true);
    sqlite3 *const handle = lock_file(place);
    struct store_commit commits[TABLES];
    struct store_message messages[TABLES];
    for (unsigned i = 0; i < TABLES; i++) {
        commits[i] = change(NAMES[i], 0);
        messages[i] = commits[i].messages[0];
        commits[i].messages = &messages[i];
    }
    messages[1].bytes = (struct store_bytes){.at = huge, .size = sizeof huge};
    for (unsigned i = 0; i < TABLES; i++) {
        (void)ask_commit(store, &commits[i]);
    }
    assert_int_equal(sqlite3_close(handle), SQLITE_OK);
    for (unsigned i = 0; i < TABLES; i++) {
        assert_int_equal(next_result(store), i == 1 ? STORE_FAILED : STORE_DONE);
    }
    for (unsigned i = 0; i < TABLES; i++) {
        assert_int_equal(whole_version(store, NAMES[i]), i == 1 ? 0 : 1);
    }
    store_destroy(store);
}

static void a_transaction_that_fails_takes_all_along(void **state)
{
    struct place *const place = *state;
    struct store *const store = open_waiting(place, true);
    sqlite3 *const handle = lock_file(place);
    struct store_commit commits[TABLES];
    for (unsigned i = 0; i < TABLES; i++) {
        commits[i] = store_change(NAMES[i], 0, "word");
        (void)ask_commit(store, &commits[i]);
    }
    disk_fault(DISK_BROKEN, 1);
    assert_int_equal(sqlite3_close(handle), SQLITE_OK);
    for (unsigned i = 0; i < TABLES; i++) {
        assert_int_equal(next_result(store), STORE_FAILED);
    }
    disk_fault(DISK_WELL, 0);
    for (unsigned i = 0; i < TABLES; i++) {
        assert_int_equal(store_talk_load(store, NAMES[i])->result, STORE_NOTHING);
        assert_int_equal(store_talk_commit(store, &commits[i])->result, STORE_DONE);
    }
    store_destroy(store);
}

// What a step would undo is kept in memory, however big it is: no other folder has to have room.
static void steps_need_no_other_file(void **state)
{
    enum { BIG = 1 << 19, WORDS = 64 };
    static char words[WORDS][BIG / WORDS];
    static const char *log[WORDS];
    struct place *const place = *state;
    struct store *const store = open_waiting(place, true);
    for (unsigned i = 0; i < WORDS; i++) {
        memset(words[i], 'w', sizeof words[i] - 1);
        log[i] = words[i];
    }
    struct store_commit commit = store_change("t", 0, "word");
    commit.anew = true;
    commit.log = log;
    commit.log_count = WORDS;
    assert_int_equal(store_talk_commit(store, &commit)->result, STORE_DONE);
    const long before = disk_strays();
    commit = store_change("t", 1, "word");
    commit.anew = true;
    assert_int_equal(store_talk_commit(store, &commit)->result, STORE_DONE);
    assert_int_equal(disk_strays(), before);
    store_destroy(store);
}

// Sixty-four tables at once: far fewer syncs than commits.
static void what_waits_is_written_together(void **state)
{
    enum { MANY = 64 };
    struct place *const place = *state;
    struct store *const store = open_waiting(place, true);
    sqlite3 *const handle = lock_file(place);
    const long before = disk_uses();
    for (unsigned i = 0; i < MANY; i++) {
        char table[STORE_TABLE_SIZE];
        (void)snprintf(table, sizeof table, "t%u", i);
        const struct store_commit commit = change(table, 0);
        (void)ask_commit(store, &commit);
    }
    assert_int_equal(sqlite3_close(handle), SQLITE_OK);
    for (unsigned i = 0; i < MANY; i++) {
        assert_int_equal(next_result(store), STORE_DONE);
    }
    const long together = disk_uses() - before;
    const long again = disk_uses();
    const struct store_commit commit = change("alone", 0);
    assert_int_equal(store_talk_commit(store, &commit)->result, STORE_DONE);
    const long alone = disk_uses() - again;
    assert_true(together < MANY / 4 * alone);
    store_destroy(store);
}

/* The file. */

/* Outcomes that linger. */

static struct store *open_lingering(const struct place *place, int64_t linger_ms)
{
    struct mb_error err = {0};
    struct store *const store =
        sqlite_store_create(&(struct sqlite_setup){.path = place->path, .linger_ms = linger_ms});
    assert_non_null(store);
    assert_true(store_start(store, &err));
    return store;
}

static void confirm(struct store *store, const char *table, uint64_t number)
{
    uint64_t ticket = 0;
    const struct store_request request = {
        .kind = STORE_CONFIRM, .table = table, .key = {.epoch = 9, .number = number}, .id = "m1"};
    assert_true(store_ask(store, &request, &ticket));
}

// The kind of the next answer within a tenth of a second; -1: none.
static int next_kind(struct store *store)
{
    for (unsigned i = 0; i < 50; i++) {
        struct store_answer *const answer = store_take(store);
        if (answer != NULL) {
            const int kind = (int)answer->kind;
            assert_int_equal(answer->result, STORE_DONE);
            store_answer_free(answer);
            return kind;
        }
        pause_ms(2);
    }
    return -1;
}

static void outcomes_wait_for_the_next_commit(void **state)
{
    const struct place *const place = *state;
    struct store *store = open_lingering(place, 3600000);
    for (uint64_t i = 0; i < 2; i++) {
        const struct store_commit commit = change("t0", i);
        assert_int_equal(store_talk_commit(store, &commit)->result, STORE_DONE);
    }
    confirm(store, "t0", 0);
    assert_int_equal(next_kind(store), -1);
    const struct store_commit other = change("t1", 0);
    (void)ask_commit(store, &other);
    assert_int_equal(next_kind(store), STORE_CONFIRM);
    assert_int_equal(next_kind(store), STORE_COMMIT);
    // A question about the table does not wait for them, nor does the end.
    confirm(store, "t0", 1);
    assert_int_equal(store_talk_load(store, "t0")->message_count, 0);
    confirm(store, "t1", 0);
    store_destroy(store);
    store = open_lingering(place, 20);
    assert_int_equal(store_talk_load(store, "t1")->message_count, 0);
    // By themselves they are written a little later.
    const struct store_commit third = change("t0", 2);
    assert_int_equal(store_talk_commit(store, &third)->result, STORE_DONE);
    confirm(store, "t0", 2);
    assert_int_equal(next_kind(store), STORE_CONFIRM);
    store_destroy(store);
}

static long size_of(const struct place *place, const char *name)
{
    char path[FOLDER_PATH_SIZE];
    struct stat is;
    folder_in(place->folder, name, path);
    return stat(path, &is) == 0 ? (long)is.st_size : 0;
}

static void take_all(struct store *waiting)
{
    for (struct store_answer *answer = store_take(waiting); answer != NULL;
         answer = store_take(waiting)) {
        store_answer_free(answer);
    }
}

static void the_log_does_not_grow_for_ever(void **state)
{
    enum { ROUNDS = 4000, BYTES = 64000, PAGE = 4096, SLACK = 2 };
    static unsigned char bytes[BYTES];
    struct place *const place = *state;
    struct store *const store = open_waiting(place, true);
    for (uint64_t i = 0; i < ROUNDS; i++) {
        struct store_commit commit = store_change("t1", i, NULL);
        memset(bytes, (int)(i % UINT8_MAX), sizeof bytes); // what is the same is not written
        commit.bytes = (struct store_bytes){.at = bytes, .size = sizeof bytes};
        (void)ask_commit(store, &commit);
        if (i % 8 == 7) {
            take_all(store);
        }
    }
    assert_true(size_of(place, "tables.db-wal") < SLACK * (long)SQLITE_LOG_PAGES_MAX * PAGE);
    assert_true(size_of(place, "tables.db") > 4L * PAGE); // it has been copied
    store_destroy(store);
}

static void what_is_written_to_a_lost_file_has_failed(void **state)
{
    struct place *const place = *state;
    char other[FOLDER_PATH_SIZE];
    struct store *const store = open_store(place);
    const struct store_commit commit = change("t1", 0);
    folder_in(place->folder, "elsewhere.db", other);
    assert_int_equal(rename(place->path, other), 0);
    assert_int_equal(store_talk_commit(store, &commit)->result, STORE_FAILED);
    assert_int_equal(rename(other, place->path), 0);
    assert_int_equal(store_talk_commit(store, &commit)->result, STORE_DONE);
    store_destroy(store);
}

/* Killed. */

// Commits for ever, and tells each answer.
static void commit_for_ever(const struct place *place, int out)
{
    uint64_t versions[TABLES];
    struct store *const store = open_waiting(place, true);
    for (unsigned i = 0; i < TABLES; i++) {
        versions[i] = whole_version(store, NAMES[i]);
    }
    for (unsigned at = 0;; at = (at + 1) % TABLES) {
        struct store_commit commit = change(NAMES[at], versions[at]);
        commit.step = (struct chat_key){.epoch = at + 2, .number = versions[at]};
        const uint64_t told[2] = {at, versions[at] + 1};
        if (store_talk_commit(store, &commit)->result != STORE_DONE) {
            _exit(1);
        }
        versions[at]++;
        if (write(out, told, sizeof told) != (ssize_t)sizeof told) {
            _exit(1);
        }
    }
}

static void what_was_answered_outlives_a_kill(void **state)
{
    enum { KILLS = 40, LONGEST_MS = 40 };
    struct place *const place = *state;
    uint64_t versions[TABLES] = {0};
    for (unsigned kill_ms = 0; kill_ms < KILLS; kill_ms++) {
        int ends[2];
        int status = 0;
        uint64_t told[2];
        assert_int_equal(pipe(ends), 0);
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            (void)close(ends[0]);
            commit_for_ever(place, ends[1]);
        }
        (void)close(ends[1]);
        assert_int_equal(read(ends[0], told, sizeof told), sizeof told); // it has begun
        versions[told[0]] = told[1];
        pause_ms((long)(kill_ms * 7 % LONGEST_MS));
        assert_int_equal(kill(child, SIGKILL), 0);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status));
        while (read(ends[0], told, sizeof told) == (ssize_t)sizeof told) {
            versions[told[0]] = told[1];
        }
        (void)close(ends[0]);
        struct store *const store = open_store(place);
        for (unsigned i = 0; i < TABLES; i++) {
            const uint64_t version = whole_version(store, NAMES[i]);
            assert_true(version == versions[i] || version == versions[i] + 1);
            versions[i] = version;
        }
        store_talk_end();
        store_destroy(store);
    }
    assert_true(versions[0] > KILLS / TABLES);
}

static enum store_result hold(const struct place *place)
{
    const struct store_request request = {.kind = STORE_HOLD, .word = "net/a"};
    struct store *const store = open_store(place);
    const enum store_result result = store_talk(store, &request)->result;
    store_talk_end();
    store_destroy(store);
    return result;
}

static void what_the_living_hold_is_theirs(void **state)
{
    struct place *const place = *state;
    const struct store_request request = {.kind = STORE_HOLD, .word = "net/a"};
    int ends[2];
    int status = 0;
    char told = 0;
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct store *const store = open_store(place);
        const bool held = store_talk(store, &request)->result == STORE_DONE;
        (void)!write(ends[1], held ? "1" : "0", 1);
        (void)pause();
        _exit(1);
    }
    assert_int_equal(read(ends[0], &told, 1), 1);
    assert_int_equal(told, '1');
    assert_int_equal(hold(place), STORE_CONFLICT);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(hold(place), STORE_DONE);
    (void)close(ends[0]);
    (void)close(ends[1]);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_disk_that_fails_loses_nothing),
        CASE(a_short_lock_is_waited_for),
        CASE(a_long_lock_is_a_failure),
        CASE(it_stops_while_it_is_locked),
        CASE(a_step_that_fails_takes_nobody_along),
        CASE(a_transaction_that_fails_takes_all_along),
        CASE(steps_need_no_other_file),
        CASE(what_waits_is_written_together),
        CASE(outcomes_wait_for_the_next_commit),
        CASE(the_log_does_not_grow_for_ever),
        CASE(what_is_written_to_a_lost_file_has_failed),
        CASE(what_was_answered_outlives_a_kill),
        CASE(what_the_living_hold_is_theirs),
    };
    disk_install();
    disk_hurry();
    return cmocka_run_group_tests_name("sqlite_store", tests, NULL, NULL);
}
