/*
 * One command through a table and its encoding: microseconds of the thread's processor time, with
 * tables of four people each whose games go on to their end. The people type random legal commands;
 * choosing and wording them is not counted. No hall, no store, no chat.
 * usage, in the repository's root: bench_table [COMMANDS [TABLES]]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base/rng.h"
#include "core/codec/journal_bytes.h"
#include "core/codec/memory.h"
#include "core/seen/moves.h"

#include "bot/chat.h"
#include "bot/parse/parse.h"
#include "bot/policy/policy.h"
#include "bot/table/table.h"
#include "bot/table/table_codec.h"

enum { PEOPLE = 4, COMMANDS = 20000, TABLES = 10, LINE_SIZE = 512 };

static const char *const NAMES[PEOPLE] = {"Ann", "Bob", "Cy", "Dot"};

// A table between two commands.
struct bench_table {
    struct table *table;
    struct table_outcome outcome;
    uint64_t stamp;
    char person[64], line[LINE_SIZE];
    bool speaks;
};

struct bench {
    struct catalog *catalog;
    struct library *library;
    struct table_workspace *ws;
    struct bench_table *tables;
    unsigned table_count;
    struct mb_rng rng;
    struct move_list moves;
    unsigned char bytes[TABLE_BYTES_MAX];
    double decided_s, shown_s, encoded_s, journal_s, decoded_s;
    unsigned long commands, games, said, encoded;
};

static double now_seconds(void)
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static struct deed line_of(const struct bench_table *at, const uint8_t *chance)
{
    return (struct deed){.kind = DEED_LINE,
                         .person = {.network = "fake", .id = at->person, .name = at->person},
                         .line = at->line,
                         .chance = chance};
}

static void take_over(struct bench_table *at)
{
    if (at->outcome.answer == TABLE_CHANGED) {
        struct table *const before = at->table;
        at->table = at->outcome.after;
        at->outcome.after = before;
        at->stamp = at->outcome.stamp;
    }
}

static void say(struct bench *bench, struct bench_table *at, const char *person, const char *line)
{
    uint8_t chance[TABLE_CHANCE_SIZE];
    mb_rng_seed_u64(chance, bench->games + 1);
    (void)snprintf(at->person, sizeof at->person, "%s", person);
    (void)snprintf(at->line, sizeof at->line, "%s", line);
    const struct deed deed = line_of(at, chance);
    if (table_decide(at->table, at->stamp, &deed, bench->ws, &at->outcome) == TABLE_CHANGED) {
        table_show(bench->ws, &at->outcome);
    }
    take_over(at);
}

// The message that says who starts is delivered: cards are dealt.
static void deal(struct bench *bench, struct bench_table *at)
{
    uint8_t chance[TABLE_CHANCE_SIZE];
    mb_rng_seed_u64(chance, bench->games + 1);
    const struct deed deed = {.kind = DEED_DEAL, .delivered = "message", .chance = chance};
    (void)table_decide(at->table, at->stamp, &deed, bench->ws, &at->outcome);
    take_over(at);
}

static void open_table(struct bench *bench, struct bench_table *at)
{
    table_init(at->table, "bench");
    table_add_site(at->table, "fake", "room", "room");
    at->stamp = table_workspace_stamp(bench->ws);
    say(bench, at, NAMES[0], "new sets=classic");
    for (unsigned i = 1; i < PEOPLE; i++) {
        say(bench, at, NAMES[i], "join");
    }
    say(bench, at, NAMES[0], "start");
    deal(bench, at);
    bench->games++;
}

static void pass_time(struct bench *bench, struct bench_table *at, int64_t ms)
{
    const struct deed deed = {.kind = DEED_TIME, .passed_ms = ms};
    (void)table_decide(at->table, at->stamp, &deed, bench->ws, &at->outcome);
    take_over(at);
}

static bool choose(struct bench *bench, struct bench_table *at, unsigned seat)
{
    struct table_words words;
    struct command command;
    if (!table_words(at->table, at->stamp, bench->ws, seat, &words)) {
        return false;
    }
    bench->moves.count = 0;
    moves_list(words.view, words.box, seat, &bench->moves);
    const struct policy_input input = {.view = words.view,
                                       .box = words.box,
                                       .moves = &bench->moves,
                                       .seat = seat,
                                       .rng = &bench->rng};
    if (bench->moves.count == 0 || !POLICY_RANDOM.choose(&input, &command)) {
        return false;
    }
    (void)parse_format(&words, &command, at->line, sizeof at->line);
    (void)snprintf(at->person, sizeof at->person, "%s", NAMES[seat]);
    return true;
}

// A random legal command of somebody, as a line; false if nobody has one.
static bool word_command(struct bench *bench, struct bench_table *at)
{
    if (table_state(at->table) != TABLE_RUNNING) {
        open_table(bench, at);
    }
    struct table_due due = table_due(at->table);
    while (due.seats == 0 && due.kind != TABLE_DUE_NEVER) { // a moment in which nobody is asked
        pass_time(bench, at, due.ms);
        due = table_due(at->table);
    }
    const unsigned first = mb_rng_below(&bench->rng, PEOPLE);
    for (unsigned i = 0; i < PEOPLE; i++) {
        const unsigned seat = (first + i) % PEOPLE;
        // Those waited for, mostly; the others may meddle.
        const bool speaks = (due.seats & seat_bit(seat)) != 0 || mb_rng_below(&bench->rng, 8) == 0;
        if (speaks && choose(bench, at, seat)) {
            return true;
        }
    }
    return false;
}

static void encode_journal(struct bench *bench, struct bench_table *at)
{
    unsigned char piece[JOURNAL_PIECE_MAX];
    const struct journal *const batch = &at->outcome.journal;
    for (size_t i = 0; i < journal_piece_count(batch); i++) {
        bench->encoded += journal_piece_encode(batch, i, piece, sizeof piece);
    }
}

static void run_batch(struct bench *bench)
{
    const double start = now_seconds();
    for (unsigned i = 0; i < bench->table_count; i++) {
        struct bench_table *const at = &bench->tables[i];
        const struct deed deed = line_of(at, NULL);
        if (at->speaks) {
            (void)table_decide(at->table, at->stamp, &deed, bench->ws, &at->outcome);
            if (at->outcome.answer == TABLE_CHANGED) {
                table_show(bench->ws, &at->outcome);
            }
        }
    }
    const double decided = now_seconds();
    for (unsigned i = 0; i < bench->table_count; i++) {
        struct bench_table *const at = &bench->tables[i];
        if (at->speaks) {
            bench->encoded += table_encode(at->outcome.after, bench->bytes, sizeof bench->bytes);
        }
    }
    const double encoded = now_seconds();
    for (unsigned i = 0; i < bench->table_count; i++) {
        if (bench->tables[i].speaks) {
            encode_journal(bench, &bench->tables[i]);
        }
    }
    const double journal = now_seconds();
    bench->decided_s += decided - start;
    bench->encoded_s += encoded - decided;
    bench->journal_s += journal - encoded;
    for (unsigned i = 0; i < bench->table_count; i++) {
        struct bench_table *const at = &bench->tables[i];
        struct mb_error err = {0};
        if (!at->speaks) {
            continue;
        }
        take_over(at);
        const size_t size = table_encode(at->table, bench->bytes, sizeof bench->bytes);
        const double before = now_seconds();
        if (!table_decode(bench->bytes, size, bench->ws, at->outcome.after, &err)) {
            (void)fprintf(stderr, "bench_table: %s\n", err.text);
            exit(1);
        }
        bench->decoded_s += now_seconds() - before;
        for (size_t j = 0; j < at->outcome.said.count; j++) {
            bench->said += strlen(at->outcome.said.items[j].text);
        }
        bench->commands++;
    }
}

static bool make(struct bench *bench, unsigned tables)
{
    uint8_t seed[32];
    bench->table_count = tables;
    bench->catalog = catalog_load("cards", NULL);
    if (bench->catalog == NULL) {
        return false;
    }
    bench->library = library_create(bench->catalog);
    bench->ws = table_workspace_create(bench->library);
    bench->tables = mb_new(tables, sizeof *bench->tables);
    bench->moves.items = mb_new(MB_MOVES_MAX, sizeof *bench->moves.items);
    bench->moves.capacity = MB_MOVES_MAX;
    for (unsigned i = 0; i < tables; i++) {
        bench->tables[i].table = mb_new(1, table_size());
        table_outcome_init(&bench->tables[i].outcome);
    }
    mb_rng_seed_u64(seed, 1);
    mb_rng_init(&bench->rng, seed);
    table_workspace_chat(bench->ws, "fake", CHAT_CAP_BUTTONS | CHAT_CAP_PRIVATE | CHAT_CAP_EDIT);
    return true;
}

static void destroy(struct bench *bench)
{
    for (unsigned i = 0; bench->tables != NULL && i < bench->table_count; i++) {
        free(bench->tables[i].table);
        table_outcome_finish(&bench->tables[i].outcome);
    }
    free(bench->tables);
    free(bench->moves.items);
    table_workspace_destroy(bench->ws);
    library_destroy(bench->library);
    catalog_destroy(bench->catalog);
    free(bench);
}

int main(int argc, char **argv)
{
    const unsigned long commands = argc > 1 ? strtoul(argv[1], NULL, 10) : COMMANDS;
    const unsigned long tables = argc > 2 ? strtoul(argv[2], NULL, 10) : TABLES;
    struct bench *const bench = calloc(1, sizeof *bench);
    if (bench == NULL || commands == 0 || tables == 0 || !make(bench, (unsigned)tables)) {
        (void)fprintf(stderr, "bench_table: no cards/, no memory or no such number\n");
        if (bench != NULL) {
            destroy(bench);
        }
        return 1;
    }
    for (unsigned i = 0; i < bench->table_count; i++) {
        open_table(bench, &bench->tables[i]);
    }
    while (bench->commands < commands) {
        for (unsigned i = 0; i < bench->table_count; i++) {
            bench->tables[i].speaks = word_command(bench, &bench->tables[i]);
        }
        run_batch(bench);
    }
    const double us = 1e6 / (double)bench->commands;
    const double all = bench->decided_s + bench->encoded_s + bench->journal_s;
    printf("a command %.1f us: decided and shown %.1f, table encoded %.1f, journal %.1f (encoding "
           "%.0f %%); a table decoded %.1f; %lu games, %lu bytes said, %lu encoded\n",
           all * us, bench->decided_s * us, bench->encoded_s * us, bench->journal_s * us,
           100 * (bench->encoded_s + bench->journal_s) / all, bench->decoded_s * us, bench->games,
           bench->said / bench->commands, bench->encoded / bench->commands);
    destroy(bench);
    return 0;
}
