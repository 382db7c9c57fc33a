#include "bot/tools/soak.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <sodium.h>

#include "core/codec/memory.h"
#include "core/loop/query.h"

#include "bot/store_call.h"
#include "bot/tools/soak_chat.h"
#include "bot/tools/soak_verify.h"
#include "bot/tools/typist.h"

enum {
    WORD_SIZE = 96,
    AT_ONCE = 64,        /* lines that are said before all are heard */
    TRIES_MAX = 50,      /* refusals of one version, after which something is wrong */
    STILL_MAX = 1000,    /* rounds in which nobody says anything and time brings nothing */
    LATENCIES = 1 << 16, /* of late */
    GAMES_FIRST = 64,
    LOBBY_MOMENTS = 16,
    SHARE = 256, /* games of a community */
    NAP_NS = 1000000,
    SERVED_MS = 2000, /* of its time: what passes at once beyond it, the process stood still */
    SETTLES_S = 20,   /* a line, with all that comes of it */
    PATIENCE_S = 120  /* in which nothing at all happens */
};

/* Time passes when nobody has anything to say, and only then: short clocks, so that no table that
 * is over is cleared away before the end. */
static const char OPENING[] =
    "new sets=%s players=4 pace=async answer=5s ask=5s window=10s decision=1m turn=5m";

static const double LOOK_S = 0.1;

/* A table at which a game is played. */
struct seatful {
    unsigned long number;
    bool open;      /* it has a game */
    bool asked;     /* whether there is a table at its place */
    bool waits;     /* a line was said */
    unsigned tries; /* refusals at this moment */
    uint64_t version;
    uint32_t moment; /* of the table: whoever comes to it does the same */
    double looked_s; /* when it was last looked at, as another process may have left it */
};

struct soak {
    const struct soak_setup *setup;
    struct soak_report *report;
    struct hall *hall;
    struct chat *chat;
    struct chat_queue queue;
    struct typist *typist;
    struct seatful *tables;
    unsigned long next; /* number of the next game */
    double begun, said_s;
    unsigned long said;
    float latencies[LATENCIES];
    unsigned long latency_count;
    size_t game_capacity;
    unsigned still;
    int64_t passed_ms; /* of setup->speed */
    double moved_s;    /* when anything happened */
};

static double now_s(void)
{
    struct timespec at;
    (void)clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec + (double)at.tv_nsec / 1e9;
}

static void place_of(const struct soak *soak, unsigned long number, char out[WORD_SIZE])
{
    (void)snprintf(out, WORD_SIZE, "soak-%" PRIu64 "-%lu", soak->setup->seed, number);
}

// Chance of a moment: the same for whoever comes to it.
static void rng_of(const struct soak *soak, const struct seatful *at, struct mb_rng *rng)
{
    uint8_t seed[32];
    char words[WORD_SIZE];
    (void)snprintf(words, sizeof words, "%" PRIu64 " %lu %" PRIu32 " %u", soak->setup->seed,
                   at->number, at->moment, at->tries);
    (void)crypto_generichash(seed, sizeof seed, (const unsigned char *)words, strlen(words), NULL,
                             0);
    mb_rng_init(rng, seed);
}

static bool push(struct soak *soak, const struct seatful *at, const char *person, const char *line,
                 const char *event)
{
    char place[WORD_SIZE];
    char community[WORD_SIZE];
    place_of(soak, at->number, place);
    (void)snprintf(community, sizeof community, "soak-%lu", at->number / SHARE);
    const struct chat_in in = {.place = place,
                               .person = person,
                               .event = event,
                               .line = line,
                               .name = person,
                               .place_name = place,
                               .community = community,
                               .open = true};
    const bool pushed = chat_queue_push(&soak->queue, &in) == CHAT_PUSHED; // or another time
    soak->said += pushed ? 1 : 0;
    return pushed;
}

static bool say(struct soak *soak, struct seatful *at, const char *person, const char *line)
{
    char place[WORD_SIZE];
    char event[WORD_SIZE + 32];
    place_of(soak, at->number, place);
    (void)snprintf(event, sizeof event, "%s-%" PRIu32 "-%u", place, at->moment, at->tries);
    at->waits = push(soak, at, person, line, event);
    return at->waits;
}

static void person_of(const struct seatful *at, unsigned seat, char out[WORD_SIZE])
{
    (void)snprintf(out, WORD_SIZE, "p%u-%lu", seat, at->number);
}

// The first seat, from a drawn one on, whose player has something to say.
static bool say_in_game(struct soak *soak, struct seatful *at, const struct table *table)
{
    struct mb_rng rng;
    char place[WORD_SIZE];
    char person[WORD_SIZE];
    char line[CHAT_LINE_SIZE];
    const unsigned seats = table_seat_count(table);
    rng_of(soak, at, &rng);
    place_of(soak, at->number, place);
    const unsigned first = mb_rng_below(&rng, seats);
    for (unsigned i = 0; i < seats; i++) {
        const unsigned seat = (first + i) % seats;
        const struct typist_seat who = {.chat = soak->chat,
                                        .place = place,
                                        .seat = seat,
                                        .policy =
                                            soak->setup->policies[seat % soak->setup->policy_count],
                                        .rng = &rng};
        person_of(at, seat, person);
        if (typist_line(soak->typist, soak->hall, &who, line)) {
            return say(soak, at, person, line);
        }
    }
    return false;
}

// Nobody has anything to say as the table stands here; another process may have it otherwise.
static void look(struct soak *soak, struct seatful *at)
{
    char person[WORD_SIZE];
    if (soak->setup->speed > 0 && now_s() - at->looked_s > LOOK_S) {
        at->looked_s = now_s();
        person_of(at, 0, person);
        (void)push(soak, at, person, "status", "");
    }
}

static bool say_in_lobby(struct soak *soak, struct seatful *at, const struct table *table)
{
    char person[WORD_SIZE];
    const unsigned seats = table_seat_count(table);
    person_of(at, seats < SOAK_PLAYERS ? seats : 0, person);
    return say(soak, at, person, seats < SOAK_PLAYERS ? "join" : "start");
}

/* Games that are over. */

static void keep_game(struct soak *soak, const struct soak_game *game)
{
    struct soak_report *const report = soak->report;
    report->games =
        mb_grow_for(report->games, report->game_count, &soak->game_capacity, sizeof *report->games);
    report->games[report->game_count++] = *game;
    report->finished++;
}

static void end_game(struct soak *soak, struct seatful *at, const struct table *table)
{
    struct soak_game game = {.number = at->number, .rounds = query_round(table_game(table))};
    const unsigned winners = query_winners(table_game(table));
    for (unsigned seat = 0; seat < table_seat_count(table); seat++) {
        if ((winners >> seat & 1u) != 0) {
            const size_t length = strlen(game.winner);
            (void)snprintf(game.winner + length, sizeof game.winner - length, "%s%s",
                           length > 0 ? " " : "", table_seat_name(table, seat));
        }
    }
    at->open = false;
    keep_game(soak, &game);
}

// The journal's bytes, in pieces as they were committed.
static bool add_journal(struct store *store, const char *table, struct soak_game *game)
{
    unsigned char digest[(SOAK_DIGEST_SIZE - 1) / 2];
    crypto_generichash_state hash;
    (void)crypto_generichash_init(&hash, NULL, 0, sizeof digest);
    for (size_t from = 0, count = STORE_JOURNAL_MAX; count == STORE_JOURNAL_MAX; from += count) {
        const struct store_request request = {
            .kind = STORE_JOURNAL, .table = table, .from = from, .count = STORE_JOURNAL_MAX};
        struct store_answer *const answer = store_call(store, &request);
        if (answer == NULL || answer->result == STORE_FAILED) {
            store_answer_free(answer);
            return false;
        }
        count = answer->count;
        for (size_t i = 0; i < count; i++) {
            (void)crypto_generichash_update(&hash, answer->pieces[i].at, answer->pieces[i].size);
        }
        game->commands += count;
        store_answer_free(answer);
    }
    (void)crypto_generichash_final(&hash, digest, sizeof digest);
    (void)sodium_bin2hex(game->digest, sizeof game->digest, digest, sizeof digest);
    return true;
}

static bool add_journals(struct soak *soak, struct mb_error *err)
{
    for (size_t i = 0; i < soak->report->game_count; i++) {
        struct soak_game *const game = &soak->report->games[i];
        char place[WORD_SIZE];
        place_of(soak, game->number, place);
        const struct store_request request = {
            .kind = STORE_PLACE, .network = chat_name(soak->chat), .place = place};
        struct store_answer *const answer = store_call(soak->setup->store, &request);
        const bool good = answer != NULL && answer->table != NULL &&
                          add_journal(soak->setup->store, answer->table, game);
        const bool gone = answer != NULL && answer->result == STORE_NOTHING; // it has made room
        store_answer_free(answer);
        if (!good && !gone) {
            return mb_fail(err, MB_ERR_IO, "cannot read the journal of game %lu from the store",
                           game->number);
        }
    }
    return true;
}

/* A round: whoever can speaks, and all of it is dealt with. */

static bool go_to_next_game(struct soak *soak, struct seatful *at)
{
    const unsigned long games = soak->setup->games;
    const bool more = games == 0 || soak->next < games;
    const unsigned long number = soak->setup->first + soak->next;
    *at = (struct seatful){.number = games > 0 ? number % games : number, .open = more};
    soak->next += more ? 1 : 0;
    return more;
}

// What came of the line that was said.
static bool note_result(struct soak *soak, struct seatful *at, uint64_t version,
                        struct mb_error *err)
{
    const bool said = at->waits;
    at->waits = false;
    if (version != at->version) {
        soak->moved_s = now_s();
        soak->report->commands += said ? 1 : 0;
        at->version = version;
        at->tries = 0;
    } else if (said && at->asked && ++at->tries > TRIES_MAX) {
        return version > 0
                   ? mb_fail(err, MB_ERR_STATE, "game %lu is stuck at version %" PRIu64 "",
                             at->number, version)
                   : mb_fail(err, MB_ERR_STATE,
                             "the store has no table of game %lu that can be read, and takes no "
                             "other: it may be damaged",
                             at->number);
    }
    return true;
}

static bool speak(struct soak *soak, struct seatful *at, bool *spoke, struct mb_error *err)
{
    char place[WORD_SIZE];
    char person[WORD_SIZE];
    place_of(soak, at->number, place);
    const struct table *const table = hall_table(soak->hall, soak->chat, place);
    if (!note_result(soak, at, hall_version(soak->hall, soak->chat, place), err)) {
        return false;
    }
    if (table == NULL) {
        // Whether the store has one: a look fetches it and changes nothing.
        person_of(at, 0, person);
        char line[CHAT_LINE_SIZE] = "status";
        if (at->asked) {
            (void)snprintf(line, sizeof line, OPENING, soak->setup->sets);
        }
        *spoke = say(soak, at, person, line);
        at->asked = true;
        return true;
    }
    at->asked = true;
    // Versions count what a dying process leaves to be shown again, too; the journal does not.
    at->moment = table_state(table) <= TABLE_LOBBY ? 1 + table_seat_count(table)
                                                   : LOBBY_MOMENTS + table_journal_count(table);
    switch (table_state(table)) {
    case TABLE_EMPTY:
    case TABLE_LOBBY:
        *spoke = say_in_lobby(soak, at, table);
        return true;
    case TABLE_RUNNING:
    case TABLE_PAUSED:
        *spoke = say_in_game(soak, at, table);
        if (!*spoke) {
            look(soak, at);
        }
        return true;
    case TABLE_OVER:
        *spoke = true;
        end_game(soak, at, table);
        return true;
    }
    return true;
}

static bool may_say(const struct soak *soak)
{
    const double rate = soak->setup->rate;
    return rate <= 0 || (double)soak->said < (now_s() - soak->begun) * rate;
}

static void note_latency(struct soak *soak, double since_s, unsigned lines)
{
    const float ms = (float)((now_s() - since_s) * 1000);
    for (unsigned i = 0; i < lines; i++) {
        soak->latencies[soak->latency_count++ % LATENCIES] = ms;
    }
}

// As much time as has passed; the hall hears of it before anything else.
static void keep_time(struct soak *soak)
{
    const double ms_per_s = 1000;
    const int64_t passed = (int64_t)((now_s() - soak->begun) * ms_per_s * soak->setup->speed);
    int64_t ms = passed - soak->passed_ms;
    soak->passed_ms = passed;
    if (ms > SERVED_MS) {
        hall_stand(soak->hall, ms - SERVED_MS);
        ms = SERVED_MS;
    }
    while (!hall_advance(soak->hall, ms)) {
        ms = 0;
    }
}

// A while of time; what was said meanwhile is heard.
static void hear_a_while(struct soak *soak)
{
    enum { A_WHILE_MS = 100 };
    if (soak->setup->speed > 0) {
        keep_time(soak);
    } else {
        (void)hall_advance(soak->hall, A_WHILE_MS); // the store is asked again
    }
    hall_hear(soak->hall);
}

static bool is_pending(const struct soak *soak, bool all)
{
    return chat_queue_settled(&soak->queue) < soak->queue.pushed ||
           (all && hall_is_busy(soak->hall));
}

// All that was said is heard, committed and told; with `all` what the hall does by itself, too.
// False: the store does not do what it is asked, or there is no end to it.
static bool hear(struct soak *soak, bool all, struct mb_error *err)
{
    const double begun = now_s();
    bool late = false;
    if (soak->setup->speed > 0) {
        keep_time(soak);
    }
    hall_hear(soak->hall);
    while (is_pending(soak, all) && !late) {
        hear_a_while(soak);
        late = now_s() - begun > (double)SETTLES_S;
    }
    return !late ||
           mb_fail(err, MB_ERR_IO, "the store has not done what it was asked for %d s%s", SETTLES_S,
                   hall_lacks_store(soak->hall) ? ": what it keeps may be damaged" : "");
}

// How long until something happens by itself at one of the tables; -1: never.
static int64_t next_ms(const struct soak *soak)
{
    int64_t least = -1;
    for (unsigned i = 0; i < soak->setup->tables; i++) {
        char place[WORD_SIZE];
        place_of(soak, soak->tables[i].number, place);
        const struct table *const table =
            soak->tables[i].open ? hall_table(soak->hall, soak->chat, place) : NULL;
        const struct table_due due =
            table != NULL ? table_due(table) : (struct table_due){.kind = TABLE_DUE_NEVER};
        if (due.kind != TABLE_DUE_NEVER && (least < 0 || due.ms < least)) {
            least = due.ms;
        }
    }
    return least;
}

static void nap(void)
{
    static const struct timespec NAP = {.tv_nsec = NAP_NS};
    (void)nanosleep(&NAP, NULL);
}

// Nobody has anything to say: on to what falls due.
static bool pass_time(struct soak *soak, struct mb_error *err)
{
    if (soak->setup->speed > 0) {
        nap();
        return hear(soak, false, err) &&
               (now_s() - soak->moved_s < (double)PATIENCE_S ||
                mb_fail(err, MB_ERR_STATE, "nothing has happened for %d s", PATIENCE_S));
    }
    const int64_t ms = next_ms(soak);
    if (ms < 0 || ++soak->still > STILL_MAX) {
        return mb_fail(err, MB_ERR_STATE, "nobody has anything to type, and nothing falls due");
    }
    (void)hall_advance(soak->hall, ms);
    return hear(soak, false, err);
}

static bool is_time_up(const struct soak *soak)
{
    return soak->setup->seconds > 0 && now_s() - soak->begun >= soak->setup->seconds;
}

// False at the end, or with an error.
static bool play_round(struct soak *soak, struct mb_error *err)
{
    unsigned lines = 0;
    bool any = false;
    bool held = false;
    double since = now_s();
    for (unsigned i = 0; i < soak->setup->tables; i++) {
        struct seatful *const at = &soak->tables[i];
        bool spoke = false;
        if (!at->open && !go_to_next_game(soak, at)) {
            continue;
        }
        any = true;
        if (!may_say(soak)) {
            held = true;
            break;
        }
        if (!speak(soak, at, &spoke, err)) {
            return false;
        }
        lines += at->waits ? 1 : 0;
        soak->still = spoke ? 0 : soak->still;
        held = held || spoke;
        if (lines == AT_ONCE) {
            if (!hear(soak, false, err)) {
                return false;
            }
            note_latency(soak, since, lines);
            lines = 0;
            since = now_s();
        }
    }
    if (lines > 0) {
        if (!hear(soak, false, err)) {
            return false;
        }
        note_latency(soak, since, lines);
    } else if (held) {
        nap();
    } else if (any && !pass_time(soak, err)) {
        return false;
    }
    return any && !is_time_up(soak);
}

/* Beginning and end. */

static int compare(const void *a, const void *b)
{
    const float x = *(const float *)a;
    const float y = *(const float *)b;
    return (x > y) - (x < y);
}

static void sum_up(struct soak *soak)
{
    enum { MEDIAN = 50, HIGH = 99, ALL = 100 };
    struct soak_report *const report = soak->report;
    const size_t count = soak->latency_count < LATENCIES ? soak->latency_count : LATENCIES;
    report->seconds = now_s() - soak->begun;
    report->commits = hall_stats(soak->hall)->steps;
    report->conflicts = hall_stats(soak->hall)->conflicts;
    report->repeated = hall_stats(soak->hall)->repeated;
    report->confirmed = soak_chat_confirmed(soak->chat);
    report->doubled = soak_chat_doubled(soak->chat);
    qsort(soak->latencies, count, sizeof soak->latencies[0], compare);
    if (count > 0) {
        report->p50_ms = (double)soak->latencies[count * MEDIAN / ALL];
        report->p99_ms = (double)soak->latencies[count * HIGH / ALL];
    }
}

// Messages that nobody was told the outcome of.
static void count_lost(struct soak *soak)
{
    const struct store_request request = {.kind = STORE_DUE, .unsent = true, .ms = -1};
    struct store_answer *const answer = store_call(soak->setup->store, &request);
    soak->report->lost = answer != NULL ? answer->count : 0;
    store_answer_free(answer);
}

static bool open_hall(struct soak *soak, struct mb_error *err)
{
    static const struct rate_rule AT_WILL = {.burst = INT16_MAX, .refill_ms = 1};
    const struct hall_setup setup = {.catalog = soak->setup->catalog,
                                     .store = soak->setup->store,
                                     .person = AT_WILL,
                                     .place = AT_WILL};
    chat_queue_init(&soak->queue);
    soak->typist = typist_create();
    soak->tables = mb_new(soak->setup->tables, sizeof *soak->tables);
    soak->chat = soak_chat_create(&soak->queue, soak->setup->platform);
    soak->hall = hall_create(&setup);
    return chat_start(soak->chat, err) && hall_add_chat(soak->hall, soak->chat, err);
}

// Each game again: a look fetches its table.
static bool verify_game(struct soak *soak, struct soak_game *game, struct mb_error *err)
{
    struct seatful at = {.number = game->number, .moment = UINT32_MAX};
    struct table_words words;
    char place[WORD_SIZE];
    char person[WORD_SIZE];
    place_of(soak, at.number, place);
    person_of(&at, 0, person);
    const struct table *table = hall_table(soak->hall, soak->chat, place);
    if (table == NULL && say(soak, &at, person, "status")) {
        if (!hear(soak, false, err)) {
            return false;
        }
        table = hall_table(soak->hall, soak->chat, place);
    }
    if (table == NULL || table_state(table) != TABLE_OVER ||
        !hall_words(soak->hall, soak->chat, place, 0, &words)) {
        return mb_fail(err, MB_ERR_STATE, "game %lu is no longer in the store", game->number);
    }
    soak->report->verified++;
    return soak_verify(soak->setup, table, &words, err);
}

// Whoever dies is succeeded within so long: what it has left is said by then.
static bool outlive_the_dead(struct soak *soak, struct mb_error *err)
{
    enum { SUCCEEDED_MS = 10000 };
    const int64_t end = soak->passed_ms + SUCCEEDED_MS;
    bool good = true;
    while (good && soak->setup->speed > 0 && soak->passed_ms < end) {
        nap();
        good = hear(soak, false, err);
    }
    return good;
}

static bool verify_games(struct soak *soak, struct mb_error *err)
{
    bool good = true;
    for (size_t i = 0; good && i < soak->report->game_count; i++) {
        good = verify_game(soak, &soak->report->games[i], err);
    }
    return good;
}

static void close_hall(struct soak *soak)
{
    hall_destroy(soak->hall);
    soak->hall = NULL;
}

bool soak_run(const struct soak_setup *setup, struct soak_report *report, struct mb_error *err)
{
    struct soak *const soak = mb_new(1, sizeof *soak);
    *report = (struct soak_report){.games = NULL};
    soak->setup = setup;
    soak->report = report;
    soak->begun = now_s();
    soak->moved_s = soak->begun;
    bool good = open_hall(soak, err);
    if (good) {
        while (play_round(soak, err)) {
        }
        sum_up(soak);
        good = err->code == MB_OK && outlive_the_dead(soak, err) && hear(soak, true, err) &&
               (!setup->verify || verify_games(soak, err));
        close_hall(soak);
        good = good && add_journals(soak, err);
        count_lost(soak);
    }
    close_hall(soak);
    chat_destroy(soak->chat);
    chat_queue_finish(&soak->queue);
    typist_destroy(soak->typist);
    free(soak->tables);
    free(soak);
    return good;
}

void soak_finish(struct soak_report *report)
{
    free(report->games);
    report->games = NULL;
    report->game_count = 0;
}
