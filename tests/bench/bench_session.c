/*
 * One command through hall, session, render and fake adapter, without a store: commands a second on
 * one core, with 10, 100, 1,000 and 10,000 tables of four people each. The people type random legal
 * commands; choosing and wording them is not counted, everything else is: reading the line,
 * deciding it, narration, table card with its buttons, the hands that change.
 *
 * Counted is the processor's time of the thread, so that other work on the machine disturbs less.
 * usage, in the repository's root: bench_session [COMMANDS [TABLES...]]; at least 8 commands a
 * table
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/moves.h"
#include "core/rng.h"

#include "bot/hall/hall.h"
#include "bot/parse/parse.h"

#include "adapters/fake/fake.h"

enum { PEOPLE = 4, COMMANDS = 20000, BATCH = 10, WARM_UP = 60, MEASURED = 8 };

static const char *const NAMES[PEOPLE] = {"Ann", "Bob", "Cy", "Dot"};

// Who says what where.
struct line {
    char place[32], person[64], words[CHAT_LINE_SIZE];
};

// One bench: a hall, and what types into it.
struct bench {
    struct catalog *catalog;
    struct hall *hall;
    struct chat_queue queue;
    struct chat *chat;
    struct game *view;
    struct move_list moves;
    struct mb_rng rng;
    unsigned tables;
    bool whole;      // games go on to their end
    uint8_t *played; // measured commands of each table's game
    struct line lines[BATCH];
    double seconds;
    unsigned long commands, games, bytes;
    unsigned long kinds[CHAT_REPLY + 1];
};

static double now_seconds(void)
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void place_of(unsigned table, char out[CHAT_ID_SIZE])
{
    (void)snprintf(out, CHAT_ID_SIZE, "room %u", table);
}

static void say(struct bench *bench, unsigned table, unsigned person, const char *line)
{
    char place[CHAT_ID_SIZE];
    char name[CHAT_ID_SIZE];
    place_of(table, place);
    (void)snprintf(name, sizeof name, "%s %u", NAMES[person], table);
    if (!fake_hear(bench->chat, place, name, line)) {
        (void)fprintf(stderr, "bench_session: the queue is full\n");
        exit(1);
    }
    hall_hear(bench->hall);
    (void)hall_advance(bench->hall, 0);
}

static struct session *open_table(struct bench *bench, unsigned table)
{
    char place[CHAT_ID_SIZE];
    say(bench, table, 0, "new sets=classic");
    for (unsigned i = 1; i < PEOPLE; i++) {
        say(bench, table, i, "join");
    }
    say(bench, table, 0, "start");
    fake_forget(bench->chat);
    place_of(table, place);
    bench->games++;
    return hall_session(bench->hall, bench->chat, place);
}

// A random legal command of somebody at a table, as a line; false if nobody has one.
static bool word_command(struct bench *bench, unsigned table, struct line *out)
{
    char place[CHAT_ID_SIZE];
    place_of(table, place);
    struct session *session = hall_session(bench->hall, bench->chat, place);
    if (session == NULL || session_state(session) != SESSION_RUNNING) {
        session = open_table(bench, table);
    }
    struct session_due due = session_due(session);
    while (due.seats == 0 && due.kind != SESSION_DUE_NEVER) { // a moment in which nobody is asked
        session_advance(session, due.ms);
        message_list_clear(session_outbox(session));
        due = session_due(session);
    }
    const unsigned first = mb_rng_below(&bench->rng, PEOPLE);
    for (unsigned i = 0; i < PEOPLE; i++) {
        const unsigned seat = (first + i) % PEOPLE;
        // Those waited for, mostly; the others may meddle.
        if ((due.seats & seat_bit(seat)) == 0 && mb_rng_below(&bench->rng, 8) != 0) {
            continue;
        }
        game_redact(session_game(session), session_box(session), seat, bench->view);
        bench->moves.count = 0;
        moves_list(bench->view, session_box(session), seat, &bench->moves);
        const struct policy_input input = {.view = bench->view,
                                           .box = session_box(session),
                                           .moves = &bench->moves,
                                           .seat = seat,
                                           .rng = &bench->rng};
        struct command command;
        if (bench->moves.count == 0 || !POLICY_RANDOM.choose(&input, &command)) {
            continue;
        }
        struct table_words words;
        session_words(session, seat, &words);
        (void)parse_format(&words, &command, out->words, sizeof out->words);
        (void)snprintf(out->place, sizeof out->place, "%s", place);
        (void)snprintf(out->person, sizeof out->person, "%s", session_seat_name(session, seat));
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

// A game somewhere in its first rounds, the same for all numbers of tables: nobody is told how it
// came there.
static void warm_up(struct bench *bench, unsigned table)
{
    say(bench, table, 0, "end");
    say(bench, table, 0, "end"); // it asks once
    struct session *const session = open_table(bench, table);
    const unsigned commands = WARM_UP / 2 + mb_rng_below(&bench->rng, WARM_UP);
    bench->played[table] = 0;
    for (unsigned i = 0; i < commands && session_state(session) == SESSION_RUNNING; i++) {
        struct line line;
        if (word_command(bench, table, &line)) {
            (void)session_person_line(session, line.person, line.words, NULL);
            message_list_clear(session_outbox(session));
        }
    }
    say(bench, table, 0, "score"); // everybody is shown how things stand
    fake_forget(bench->chat);
}

static void run_batch(struct bench *bench, unsigned first)
{
    unsigned count = 0;
    const unsigned size = bench->tables < BATCH ? bench->tables : BATCH;
    for (unsigned i = 0; i < size; i++) {
        // 7,919 is prime to every number of tables here: each comes once a round, far apart.
        const unsigned table = (unsigned)((first + i) * 7919ul % bench->tables);
        if (!bench->whole && bench->played[table]++ == MEASURED) {
            warm_up(bench, table);
        }
        count += word_command(bench, table, &bench->lines[count]) ? 1 : 0;
    }
    const double start = now_seconds();
    for (unsigned i = 0; i < count; i++) {
        const struct line *const line = &bench->lines[i];
        (void)fake_hear(bench->chat, line->place, line->person, line->words);
        hall_hear(bench->hall);
        (void)hall_advance(bench->hall, 0);
    }
    bench->seconds += now_seconds() - start;
    bench->commands += count;
    count_messages(bench);
}

static bool run(struct catalog *catalog, unsigned tables, unsigned long commands, bool whole)
{
    struct bench *const bench = calloc(1, sizeof *bench);
    struct mb_error err = {0};
    uint8_t seed[32];
    if (bench == NULL) {
        return false;
    }
    const struct rate_rule endless = {.burst = INT32_MAX / 2, .refill_ms = 1};
    bench->catalog = catalog;
    bench->tables = tables;
    bench->whole = whole;
    bench->hall =
        hall_create(&(struct hall_setup){.catalog = catalog, .person = endless, .place = endless});
    chat_queue_init(&bench->queue);
    bench->chat = fake_create_with(&bench->queue, FAKE_CAPS_ALL);
    bench->view = calloc(1, game_size());
    bench->played = calloc(tables, sizeof *bench->played);
    bench->moves.items = calloc(MB_MOVES_MAX, sizeof *bench->moves.items);
    bench->moves.capacity = MB_MOVES_MAX;
    mb_rng_seed_u64(seed, 1);
    mb_rng_init(&bench->rng, seed);
    bool done = bench->hall != NULL && bench->chat != NULL && bench->view != NULL &&
                bench->played != NULL && bench->moves.items != NULL &&
                chat_start(bench->chat, &err) && hall_add_chat(bench->hall, bench->chat, &err);
    for (unsigned i = 0; done && i < tables; i++) {
        warm_up(bench, i);
    }
    // As many of each game at every number of tables: the first few commands show the most hands.
    const unsigned long least = (unsigned long)tables * MEASURED;
    const unsigned long wanted = commands > least ? commands : least;
    for (unsigned first = 0; done && bench->commands < wanted; first += BATCH) {
        run_batch(bench, first);
    }
    printf("%6u tables%s: %7.0f commands/s, %5.1f us each; for a command %.2f narrations, %.2f "
           "cards, %.2f hands, %.2f replies, %lu bytes; %lu games\n",
           tables, whole ? ", whole games" : "", (double)bench->commands / bench->seconds,
           bench->seconds / (double)bench->commands * 1e6,
           (double)bench->kinds[CHAT_NARRATION] / (double)bench->commands,
           (double)bench->kinds[CHAT_CARD] / (double)bench->commands,
           (double)bench->kinds[CHAT_HAND] / (double)bench->commands,
           (double)bench->kinds[CHAT_REPLY] / (double)bench->commands,
           bench->bytes / bench->commands, bench->games);
    hall_destroy(bench->hall);
    chat_destroy(bench->chat);
    chat_queue_finish(&bench->queue);
    free(bench->view);
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
    bool done = catalog != NULL && commands > 0;
    done = done && (argc > 2 || run(catalog, TABLES[0], commands, true));
    for (size_t i = 0; done && argc <= 2 && i < sizeof TABLES / sizeof TABLES[0]; i++) {
        done = run(catalog, TABLES[i], commands, false);
    }
    for (int i = 2; done && i < argc; i++) {
        const unsigned long tables = strtoul(argv[i], NULL, 10);
        done = tables > 0 && run(catalog, (unsigned)tables, commands, false);
    }
    if (!done) {
        (void)fprintf(stderr, "bench_session: no cards/, no memory or no such number\n");
    }
    catalog_destroy(catalog);
    return done ? 0 : 1;
}
