/*
 * One command from what is heard to what is said: through hall, table, render, the store in memory
 * and the fake adapter, the table's encoding included. Commands a second on one core, with 10 to
 * 10,000 tables of four people each, of which 64 at most are in play; and with all of 10,000 in
 * turn, so that each command fetches its table. The people type random legal commands; choosing and
 * wording them is not counted, everything else is: reading the line, deciding it, narration, table
 * card with its buttons, the hands that change, commit and confirmations.
 *
 * Besides: what is allocated for a live table with all that the hall has for it, for the hall as a
 * whole, and for what the store holds.
 *
 * Counted is the processor's time of the thread, so that other work on the machine disturbs less.
 * usage, in the repository's root: bench_hall [COMMANDS [TABLES...]]; 0 tables: whole games only
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <malloc.h>

#include "core/base/rng.h"
#include "core/seen/moves.h"

#include "bot/hall/hall.h"
#include "bot/parse/parse.h"
#include "bot/policy/policy.h"
#include "bot/tools/fake.h"

#include "adapters/store/sqlite/sqlite_store.h"

#include "tests/bench/rows.h"

enum {
    PEOPLE = 4,
    COMMANDS = 20000,
    BATCH = 10,
    WARM_UP = 40,
    MEASURED = 8,
    IN_PLAY = 64,
    PLACE_SIZE = 32,
    US = 1000000
};

// Nobody's turn ends by itself, and moments in which nobody is asked are over soon.
static const char NEW[] = "new sets=classic turn=30d decision=30d ask=30d window=5s answer=5s";

static const char *const NAMES[PEOPLE] = {"Ann", "Bob", "Cy", "Dot"};

// Who says what where.
struct line {
    char place[PLACE_SIZE], person[64], words[CHAT_LINE_SIZE];
};

// One bench: a hall, and what types into it.
struct bench {
    struct catalog *catalog;
    struct store *store;
    struct hall *hall;
    struct chat_queue queue;
    struct chat *chat;
    struct move_list moves;
    struct mb_rng rng;
    unsigned tables, in_play;
    bool whole;      // games go on to their end
    bool fetches;    // no table is live when a command comes
    uint8_t *played; // measured commands of each table's game
    struct line lines[BATCH];
    double seconds;
    unsigned long commands, games, bytes;
    unsigned long kinds[CHAT_REPLY + 1];
};

static void place_of(unsigned table, char out[PLACE_SIZE])
{
    (void)snprintf(out, PLACE_SIZE, "room %u", table);
}

static void say(struct bench *bench, unsigned table, unsigned person, const char *line)
{
    char place[PLACE_SIZE];
    char name[2 * PLACE_SIZE];
    place_of(table, place);
    (void)snprintf(name, sizeof name, "%s %u", NAMES[person], table);
    if (!fake_hear(bench->chat, place, name, line)) {
        (void)fprintf(stderr, "bench_hall: the queue is full\n");
        exit(1);
    }
    hall_hear(bench->hall);
    (void)hall_advance(bench->hall, 0);
}

static const struct table *table_of(struct bench *bench, unsigned table)
{
    char place[PLACE_SIZE];
    place_of(table, place);
    return hall_table(bench->hall, bench->chat, place);
}

static void open_table(struct bench *bench, unsigned table)
{
    enum { CALM_MS = 60000 }; // one person opens so few tables at once (NOISE_RULES)
    (void)hall_advance(bench->hall, CALM_MS);
    say(bench, table, 0, NEW);
    for (unsigned i = 1; i < PEOPLE; i++) {
        say(bench, table, i, "join");
    }
    say(bench, table, 0, "start");
    fake_forget(bench->chat);
    bench->games++;
}

// The table as it is, live and in the middle of a game.
static const struct table *ready_table(struct bench *bench, unsigned table)
{
    if (table_of(bench, table) == NULL) {
        say(bench, table, 0, "score"); // fetches it
        fake_forget(bench->chat);
    }
    if (table_of(bench, table) == NULL || table_state(table_of(bench, table)) != TABLE_RUNNING) {
        open_table(bench, table);
    }
    struct table_due due = table_due(table_of(bench, table));
    while (due.seats == 0 && due.kind != TABLE_DUE_NEVER) { // a moment in which nobody is asked
        (void)hall_advance(bench->hall, due.ms);
        due = table_due(table_of(bench, table));
    }
    return table_of(bench, table);
}

// A random legal command of somebody at a table, as a line; false if nobody has one.
static bool word_command(struct bench *bench, unsigned table, struct line *out)
{
    const struct table *const value = ready_table(bench, table);
    const unsigned seats = table_due(value).seats;
    const unsigned first = mb_rng_below(&bench->rng, PEOPLE);
    place_of(table, out->place);
    for (unsigned i = 0; i < PEOPLE; i++) {
        const unsigned seat = (first + i) % PEOPLE;
        struct table_words words;
        struct command command;
        // Those waited for, mostly; the others may meddle.
        if (((seats & seat_bit(seat)) == 0 && mb_rng_below(&bench->rng, 8) != 0) ||
            !hall_words(bench->hall, bench->chat, out->place, seat, &words)) {
            continue;
        }
        bench->moves.count = 0;
        moves_list(words.view, words.box, seat, &bench->moves);
        const struct policy_input input = {.view = words.view,
                                           .box = words.box,
                                           .moves = &bench->moves,
                                           .seat = seat,
                                           .rng = &bench->rng};
        if (bench->moves.count == 0 || !POLICY_RANDOM.choose(&input, &command)) {
            continue;
        }
        (void)parse_format(&words, &command, out->words, sizeof out->words);
        (void)snprintf(out->person, sizeof out->person, "%s %u", NAMES[seat], table);
        return true;
    }
    return false;
}

static void count_messages(struct bench *bench)
{
    for (size_t i = 0; i < fake_count(bench->chat); i++) {
        const struct fake_message *const message = fake_message(bench->chat, i);
        bench->kinds[message->kind]++;
        bench->bytes += strlen(message->text);
    }
    fake_forget(bench->chat);
}

// A game somewhere in its first rounds, the same for all numbers of tables.
static void warm_up(struct bench *bench, unsigned table)
{
    const struct table *const before = table_of(bench, table);
    if (before != NULL && table_state(before) == TABLE_RUNNING) {
        say(bench, table, 0, "end");
        say(bench, table, 0, "end"); // it asks once
    }
    open_table(bench, table);
    const unsigned commands = WARM_UP / 2 + mb_rng_below(&bench->rng, WARM_UP);
    bench->played[table] = 0;
    for (unsigned i = 0; i < commands && table_state(table_of(bench, table)) == TABLE_RUNNING;
         i++) {
        struct line line;
        if (word_command(bench, table, &line)) {
            (void)fake_hear(bench->chat, line.place, line.person, line.words);
            hall_hear(bench->hall);
        }
    }
    fake_forget(bench->chat);
}

// What is measured.
static void hear_lines(struct bench *bench, unsigned count)
{
    const double start = row_thread_s();
    for (unsigned i = 0; i < count; i++) {
        const struct line *const line = &bench->lines[i];
        (void)fake_hear(bench->chat, line->place, line->person, line->words);
        hall_hear(bench->hall);
    }
    bench->seconds += row_thread_s() - start;
    bench->commands += count;
}

static void run_batch(struct bench *bench, unsigned first)
{
    unsigned count = 0;
    const unsigned size = bench->in_play < BATCH ? bench->in_play : BATCH;
    for (unsigned i = 0; i < size; i++) {
        // 7,919 is prime to every number of tables here: each comes once a round, far apart.
        const unsigned table = (unsigned)((first + i) * 7919ul % bench->in_play);
        if (!bench->whole && bench->played[table]++ == MEASURED) {
            warm_up(bench, table);
        }
        count += word_command(bench, table, &bench->lines[count]) ? 1 : 0;
    }
    if (bench->fetches) {
        hall_forget(bench->hall);
    }
    hear_lines(bench, count);
    count_messages(bench);
}

static void report(const struct bench *bench)
{
    const double commands = (double)bench->commands;
    char what[64];
    (void)snprintf(what, sizeof what, "hall: a command, %u tables%s%s", bench->tables,
                   bench->whole ? ", whole games" : "", bench->fetches ? ", each fetched" : "");
    row(what, bench->seconds / commands * US, "us");
    printf("for a command %.2f narrations, %.2f cards, %.2f hands, %.2f replies, %.2f tables "
           "fetched, %lu bytes; %lu games\n",
           (double)bench->kinds[CHAT_NARRATION] / commands,
           (double)bench->kinds[CHAT_CARD] / commands, (double)bench->kinds[CHAT_HAND] / commands,
           (double)bench->kinds[CHAT_REPLY] / commands,
           (double)hall_stats(bench->hall)->fetched / commands, bench->bytes / bench->commands,
           bench->games);
}

static size_t allocated(void)
{
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

// Ends the hall and what is around it, and tells what each of them had. Tables that are live give
// back all that the hall has for them when they are forgotten.
static void report_memory(struct bench *bench)
{
    enum { KIB = 1024 };
    const size_t live = hall_live_count(bench->hall);
    const size_t whole = allocated();
    hall_forget(bench->hall);
    const size_t without = allocated();
    hall_destroy(bench->hall);
    bench->hall = NULL;
    const size_t rest = allocated();
    store_destroy(bench->store);
    bench->store = NULL;
    const double stored = (double)(rest - allocated());
    if (bench->whole || bench->fetches) {
        return;
    }
    char what[64];
    (void)snprintf(what, sizeof what, "memory: a live table of %u", bench->tables);
    row(what, live > 0 ? (double)(whole - without) / (double)live / KIB : 0.0, "KiB");
    (void)snprintf(what, sizeof what, "memory: the hall with %zu tables live", live);
    row(what, (double)(whole - rest) / KIB / KIB, "MiB");
    (void)snprintf(what, sizeof what, "memory: a stored table of %u", bench->tables);
    row(what, stored / bench->tables / KIB, "KiB");
}

static bool prepare(struct bench *bench, struct catalog *catalog)
{
    struct mb_error err = {0};
    uint8_t seed[32];
    chat_queue_init(&bench->queue);
    bench->catalog = catalog;
    bench->store = sqlite_memory_create();
    bench->chat = fake_create_with(&bench->queue, FAKE_CAPS_ALL);
    bench->hall = hall_create(
        &(struct hall_setup){.catalog = catalog, .store = bench->store, .policy = &HALL_AT_WILL});
    bench->played = calloc(bench->tables, sizeof *bench->played);
    bench->moves.items = calloc(MB_MOVES_MAX, sizeof *bench->moves.items);
    bench->moves.capacity = MB_MOVES_MAX;
    mb_rng_seed_u64(seed, 1);
    mb_rng_init(&bench->rng, seed);
    return bench->chat != NULL && bench->store != NULL && bench->played != NULL &&
           bench->moves.items != NULL && store_start(bench->store, &err) &&
           chat_start(bench->chat, &err) && hall_add_chat(bench->hall, bench->chat, &err);
}

/** What is measured. */
struct measure {
    unsigned tables;
    unsigned long commands;
    bool whole, fetches;
};

static bool run(struct catalog *catalog, const struct measure *measure)
{
    struct bench *const bench = calloc(1, sizeof *bench);
    if (bench == NULL) {
        return false;
    }
    bench->tables = measure->tables;
    bench->whole = measure->whole;
    bench->fetches = measure->fetches;
    bench->in_play = measure->tables < IN_PLAY ? measure->tables : IN_PLAY;
    const bool done = prepare(bench, catalog);
    for (unsigned i = measure->tables; done && i > 0; i--) {
        warm_up(bench, i - 1);
    }
    // As many of each game at every number of tables: the first few commands show the most hands.
    const unsigned long least = (unsigned long)bench->in_play * MEASURED;
    const unsigned long wanted = measure->commands > least ? measure->commands : least;
    for (unsigned first = 0; done && bench->commands < wanted; first += BATCH) {
        run_batch(bench, first);
    }
    if (done) {
        report(bench);
        report_memory(bench);
    }
    hall_destroy(bench->hall);
    store_destroy(bench->store);
    chat_destroy(bench->chat);
    chat_queue_finish(&bench->queue);
    free(bench->played);
    free(bench->moves.items);
    free(bench);
    return done;
}

int main(int argc, char **argv)
{
    static const unsigned TABLES[] = {10, 100, 1000, 10000};
    const unsigned long commands = argc > 1 ? strtoul(argv[1], NULL, 10) : COMMANDS;
    struct catalog *const catalog = catalog_load("cards", NULL);
    struct measure measure = {.tables = TABLES[0], .commands = commands, .whole = true};
    printf("a table has %zu bytes, %zu of them for its game\n", table_size(), game_size());
    const bool whole_only = argc > 2 && strcmp(argv[2], "0") == 0;
    bool done =
        catalog != NULL && commands > 0 && ((argc > 2 && !whole_only) || run(catalog, &measure));
    if (whole_only) {
        catalog_destroy(catalog);
        return done ? 0 : 1;
    }
    measure.whole = false;
    for (size_t i = 0; done && argc <= 2 && i < sizeof TABLES / sizeof TABLES[0]; i++) {
        measure.tables = TABLES[i];
        done = run(catalog, &measure);
    }
    for (int i = 2; done && i < argc; i++) {
        measure.tables = (unsigned)strtoul(argv[i], NULL, 10);
        done = measure.tables > 0 && run(catalog, &measure);
    }
    measure.fetches = true;
    measure.tables = TABLES[1];
    done = done && run(catalog, &measure);
    if (!done) {
        (void)fprintf(stderr, "bench_hall: no cards/, no memory or no such number\n");
    }
    catalog_destroy(catalog);
    return done ? 0 : 1;
}
