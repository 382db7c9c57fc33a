/*
 * What the store costs: durable commands through hall and SQLite, against a bare loop that writes
 * the same rows one command a commit. On both a sync lasts a millisecond at least, for a disk that
 * is faster leaves nothing to group.
 *
 * People type what the policy "random" would do; choosing and wording it is not counted. Ends with
 * status 1 if a bound does not hold.
 * usage, in the repository's root: bench_store [COMMANDS [TABLES]]
 *        bench_store flat [COMMANDS [TABLES]]: only what a command costs with few stored and many
 *        bench_store rate URL COMMANDS: durable commands in any new store
 *        bench_store make FILE TABLES: a store of running games on Discord, for a service
 *        bench_store serve FILE TABLES: a process of its own, which answers at each table once
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bot/cards_dir.h"
#include "bot/store_impl.h"

#include "adapters/store/sqlite/sqlite_impl.h"
#include "adapters/store/store_url.h"

#include "tests/bench/people.h"
#include "tests/bench/rows.h"
#include "tests/support/disk.h"

enum {
    COMMANDS = 10000,
    TABLES = 10000,
    WORD = 64,
    PATH_SIZE = 512,
    SYNC_NS = 1000000,
    PACED = 2000,
    LINGER_MS = 1000
};

struct bench {
    struct people people;
    struct store_request **kept; /* what was asked of the store, to be written again */
    size_t kept_count, kept_room;
};

static double spent_s(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void note(void *user, const struct store_request *request)
{
    struct bench *const bench = user;
    const bool keeps = request->kind == STORE_COMMIT || request->kind == STORE_CONFIRM;
    if (keeps && bench->kept_count < bench->kept_room) {
        bench->kept[bench->kept_count++] = store_request_copy(request);
    }
}

static void open_bench(struct bench *bench, const struct catalog *catalog, const char *path)
{
    const struct sqlite_setup sqlite = {.path = path, .linger_ms = LINGER_MS};
    *bench = (struct bench){0};
    people_open(&bench->people, catalog, sqlite_store_create(&sqlite), NULL, NULL);
    bench->people.asks = note;
    bench->people.user = bench;
}

static void close_bench(struct bench *bench)
{
    people_close(&bench->people);
    for (size_t i = 0; i < bench->kept_count; i++) {
        store_request_free(bench->kept[i]);
    }
    free(bench->kept);
}

struct rate {
    double seconds, spent; /* by the clock, and by the processor */
    unsigned long commands, syncs;
};

// Commands of all tables in play at once, one each.
static struct rate play(struct bench *bench, unsigned long commands)
{
    struct rate rate = {0};
    while (rate.commands < commands) {
        for (unsigned table = 0; table < PEOPLE_IN_PLAY; table++) {
            people_play(&bench->people, table);
        }
        const unsigned long steps = hall_stats(bench->people.hall)->steps;
        const long syncs = disk_syncs();
        const double begun = people_clock_s();
        const double spent = spent_s();
        people_settle(&bench->people);
        rate.seconds += people_clock_s() - begun;
        rate.spent += spent_s() - spent;
        rate.syncs += (unsigned long)(disk_syncs() - syncs);
        rate.commands += hall_stats(bench->people.hall)->steps - steps;
    }
    return rate;
}

/* The bare loop. */

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

// Writes what was noted into a copy of the file, one command a commit; its median in seconds.
static struct rate write_bare(const struct bench *bench, const char *path, double *median)
{
    struct mb_error err = {0};
    struct db db;
    struct hold hold;
    uint8_t secret[STORE_SECRET_SIZE] = {0};
    struct rate rate = {0};
    double *const each = calloc(bench->kept_count + 1, sizeof *each);
    if (each == NULL || !sqlite_open(&db, path, &err) || !hold_open(&hold, path, &err) ||
        !sqlite_functions(&db, &hold, sqlite_lives, sqlite_hold)) {
        people_die(err.text);
    }
    const double begun = people_clock_s();
    double last = begun;
    db_run(&db, DB_BEGIN, NULL);
    for (size_t i = 0; i < bench->kept_count; i++) {
        const struct store_request *const request = bench->kept[i];
        struct store_answer *const answer = db_answer(&db, request, hold.me, secret);
        const bool done = answer->result == STORE_DONE || request->kind == STORE_CONFIRM;
        store_answer_free(answer);
        if (!done || db.failed != SQLITE_OK) {
            people_die("the bare loop cannot write what was written before");
        }
        if (request->kind == STORE_CONFIRM) { // with the next command
            continue;
        }
        db_run(&db, DB_COMMIT, NULL);
        each[rate.commands++] = people_clock_s() - last;
        last = people_clock_s();
        db_run(&db, DB_BEGIN, NULL);
    }
    db_run(&db, DB_COMMIT, NULL);
    rate.seconds = people_clock_s() - begun;
    hold_close(&hold);
    db_close(&db);
    qsort(each, rate.commands, sizeof *each, by_size);
    *median = each[rate.commands / 2];
    free(each);
    return rate;
}

static void copy_file(const char *from, const char *to)
{
    sqlite3 *in = NULL;
    sqlite3 *out = NULL;
    if (sqlite3_open(from, &in) != SQLITE_OK || sqlite3_open(to, &out) != SQLITE_OK) {
        people_die("the file cannot be copied");
    }
    sqlite3_backup *const backup = sqlite3_backup_init(out, "main", in, "main");
    if (backup == NULL || sqlite3_backup_step(backup, -1) != SQLITE_DONE) {
        people_die("the file cannot be copied");
    }
    (void)sqlite3_backup_finish(backup);
    (void)sqlite3_close(in);
    (void)sqlite3_close(out);
}

/* One command at a time, at a pace. */

static double slowest_of_hundred(struct bench *bench, double pace)
{
    static double each[PACED];
    for (unsigned i = 0; i < PACED; i++) {
        const double at = people_clock_s();
        people_play(&bench->people, i % PEOPLE_IN_PLAY);
        const double rest = at + 1 / pace - people_clock_s();
        if (rest > 0) {
            (void)nanosleep(&(struct timespec){.tv_nsec = (long)(rest * 1e9)}, NULL);
        }
        const double begun = people_clock_s();
        people_settle(&bench->people);
        each[i] = people_clock_s() - begun;
    }
    qsort(each, PACED, sizeof *each, by_size);
    return each[PACED * 99 / 100];
}

/* A process of its own. */

static int serve(const struct catalog *catalog, const char *path, unsigned tables, double begun)
{
    struct bench bench;
    open_bench(&bench, catalog, path);
    people_type(&bench.people, 0, 0, "score");
    people_settle(&bench.people);
    const double first = people_clock_s() - begun;
    for (unsigned table = 1; table < tables; table++) {
        people_type(&bench.people, table, 0, "score");
        if (table % PEOPLE_IN_PLAY == 0) {
            people_settle(&bench.people);
        }
    }
    people_settle(&bench.people);
    struct rusage usage;
    (void)getrusage(RUSAGE_SELF, &usage);
    (void)printf("%.1f %ld\n", first * 1000, usage.ru_maxrss / 1024);
    (void)fflush(stdout);
    if (tables == 1) {
        (void)raise(SIGKILL); // for the next start
    }
    close_bench(&bench);
    return 0;
}

static void start_process(const char *program, const char *path, unsigned tables, double *first_ms,
                          double *mib)
{
    char command[3 * PATH_SIZE];
    (void)snprintf(command, sizeof command, "%s serve %s %u", program, path, tables);
    FILE *const out = popen(command, "r"); // NOLINT(cert-env33-c): the bench's own words
    char line[WORD];
    char *rest = NULL;
    if (out == NULL || fgets(line, sizeof line, out) == NULL) {
        people_die("the process of its own does not answer");
    }
    *first_ms = strtod(line, &rest);
    *mib = strtod(rest, NULL);
    (void)pclose(out);
}

static bool measure(const struct catalog *catalog, const char *program, const char *folder,
                    unsigned long commands, unsigned tables)
{
    struct bench bench;
    char path[PATH_SIZE];
    char copy[PATH_SIZE];
    double median = 0;
    (void)snprintf(path, sizeof path, "%s/tables.db", folder);
    (void)snprintf(copy, sizeof copy, "%s/copy.db", folder);
    open_bench(&bench, catalog, path);
    people_open_tables(&bench.people, 0, PEOPLE_IN_PLAY);
    (void)play(&bench, commands / 10);
    close_bench(&bench);
    copy_file(path, copy);

    disk_wait(SYNC_NS);
    open_bench(&bench, catalog, path);
    bench.kept_room = 64 * commands;
    bench.kept = calloc(bench.kept_room, sizeof(struct store_request *));
    const struct rate few = play(&bench, commands);
    bench.kept_room = bench.kept_count;
    const struct rate bare = write_bare(&bench, copy, &median);
    const double bare_rate = (double)bare.commands / bare.seconds;
    const double few_rate = (double)few.commands / few.seconds;
    const double slow = slowest_of_hundred(&bench, bare_rate / 2);
    row("SQLite: one command a commit, a sync of 1 ms", bare_rate, "/s");
    bool good =
        row_at_most("SQLite: the same to 64 tables active", bare_rate / few_rate, "times", 1.0 / 4);
    good = row_at_most("SQLite: commits for a command", (double)few.syncs / (double)few.commands,
                       "", 1.0 / 8) &&
           good;
    good = row_at_most("SQLite: slowest of a hundred, to the median of one a commit", slow / median,
                       "times", 20) &&
           good;

    disk_wait(0);
    disk_hurry();
    people_open_tables(&bench.people, PEOPLE_IN_PLAY, tables);
    close_bench(&bench);
    double first_ms = 0;
    double mib = 0;
    start_process(program, path, 1, &first_ms, &mib); // and dies by kill -9
    good = row_at_most("SQLite: first command answered after start", first_ms, "ms", 100) && good;
    start_process(program, path, tables, &first_ms, &mib);
    good = row_at_most("SQLite: the same after kill -9", first_ms, "ms", 100) && good;
    (void)snprintf(path, sizeof path, "memory: a process with %u tables answered", tables);
    return row_at_most(path, mib, "MiB", 200) && good;
}

// The same commands with few tables stored and with many, by turns, so that what else the machine
// does falls on both; processor time of all threads, and syncs do nothing, so that the rest shows.
static bool compare(const struct catalog *catalog, const char *folder, unsigned long commands,
                    unsigned tables)
{
    enum { TURNS = 20 };
    static struct bench benches[2];
    char path[PATH_SIZE];
    double seconds[2] = {0};
    unsigned long counts[2] = {0};
    disk_hurry();
    for (unsigned many = 0; many < 2; many++) {
        (void)snprintf(path, sizeof path, "%s/flat-%u.db", folder, many);
        open_bench(&benches[many], catalog, path);
        people_open_tables(&benches[many].people, 0, many != 0 ? tables : PEOPLE_IN_PLAY);
        (void)play(&benches[many], commands / 10);
    }
    for (unsigned turn = 0; turn < 2 * TURNS; turn++) {
        const struct rate rate = play(&benches[turn % 2], commands / TURNS);
        seconds[turn % 2] += rate.spent;
        counts[turn % 2] += rate.commands;
    }
    close_bench(&benches[0]);
    close_bench(&benches[1]);
    const double few = seconds[0] / (double)counts[0];
    const double many = seconds[1] / (double)counts[1];
    (void)snprintf(path, sizeof path, "SQLite: a command, %u tables stored", PEOPLE_IN_PLAY);
    row(path, few * 1000, "ms of a processor");
    (void)snprintf(path, sizeof path, "SQLite: a command, %u tables stored to %u", tables,
                   PEOPLE_IN_PLAY);
    return row_at_most(path, many / few, "times", 1.2);
}

// Any store, and the disk as it is.
static void measure_rate(const struct catalog *catalog, const char *url, unsigned long commands)
{
    struct bench bench = {0};
    struct mb_error err = {0};
    struct store *const store = store_url_create(url, &err);
    char what[WORD];
    if (store == NULL) {
        people_die(err.text);
    }
    const char *const engine = url[0] == 's' ? "SQLite" : "PostgreSQL";
    people_open(&bench.people, catalog, store, NULL, NULL);
    people_open_tables(&bench.people, 0, PEOPLE_IN_PLAY);
    (void)play(&bench, commands / 10);
    const struct rate rate = play(&bench, commands);
    (void)snprintf(what, sizeof what, "%s: durable commands, 64 tables", engine);
    row(what, (double)rate.commands / rate.seconds, "/s");
    (void)snprintf(what, sizeof what, "%s: a command, in our process", engine);
    row(what, rate.spent / (double)rate.commands * 1000, "ms of a processor");
    close_bench(&bench);
}

static void make_store(const struct catalog *catalog, const char *path, unsigned tables)
{
    enum { CALM_MS = 10000, TIMES = 3 }; // moments in which nobody is asked are over then
    struct bench bench;
    disk_hurry();
    open_bench(&bench, catalog, path);
    for (unsigned first = 0; first < tables; first += PEOPLE_IN_PLAY) {
        const unsigned end = first + PEOPLE_IN_PLAY;
        people_open_tables(&bench.people, first, end < tables ? end : tables);
        for (unsigned i = 0; i < TIMES; i++) {
            (void)hall_advance(bench.people.hall, CALM_MS);
            people_settle(&bench.people);
        }
    }
    close_bench(&bench);
}

int main(int argc, char **argv)
{
    const double begun = people_clock_s();
    struct mb_error err = {0};
    char folder[] = "/tmp/bench_store.XXXXXX";
    char remove[PATH_SIZE];
    struct catalog *const catalog = cards_load(NULL, &err);
    if (catalog == NULL) {
        people_die(err.text);
    }
    disk_install();
    if (argc == 4 && strcmp(argv[1], "serve") == 0) {
        const int status = serve(catalog, argv[2], (unsigned)strtoul(argv[3], NULL, 10), begun);
        catalog_destroy(catalog);
        return status;
    }
    if (argc == 4 && strcmp(argv[1], "make") == 0) {
        make_store(catalog, argv[2], (unsigned)strtoul(argv[3], NULL, 10));
        catalog_destroy(catalog);
        return 0;
    }
    if (argc == 4 && strcmp(argv[1], "rate") == 0) {
        measure_rate(catalog, argv[2], strtoul(argv[3], NULL, 10));
        catalog_destroy(catalog);
        return 0;
    }
    const bool flat = argc > 1 && strcmp(argv[1], "flat") == 0;
    const int first = flat ? 2 : 1;
    const unsigned long commands = argc > first ? strtoul(argv[first], NULL, 10) : COMMANDS;
    const unsigned tables =
        argc > first + 1 ? (unsigned)strtoul(argv[first + 1], NULL, 10) : TABLES;
    if (mkdtemp(folder) == NULL) {
        people_die("no temporary folder can be made");
    }
    bool good = flat || measure(catalog, argv[0], folder, commands, tables);
    good = compare(catalog, folder, commands, tables) && good;
    catalog_destroy(catalog);
    (void)snprintf(remove, sizeof remove, "rm -rf %s", folder);
    return system(remove) == 0 && good ? 0 : 1; // NOLINT(cert-env33-c): a folder of its own
}
