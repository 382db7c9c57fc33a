#include "bot/tools/soak.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <jansson.h>
#include <sodium.h>

#include "core/codec/memory.h"
#include "core/game.h"
#include "core/loop/query.h"

#include "bot/cards_dir.h"
#include "bot/cmd/arguments.h"
#include "bot/cmd/cmd.h"
#include "bot/kept/kept_table.h"
#include "bot/parse/parse.h"
#include "bot/render/asks.h"
#include "bot/store.h"
#include "bot/table/options.h"
#include "bot/tools/fake.h"

struct typist {
    struct move_list moves;
    struct game *scratch;
};

struct typist *typist_create(void)
{
    struct typist *const typist = mb_new(1, sizeof *typist);
    typist->scratch = mb_new(1, game_size());
    typist->moves.items = mb_new(MB_MOVES_MAX, sizeof *typist->moves.items);
    typist->moves.capacity = MB_MOVES_MAX;
    return typist;
}

void typist_destroy(struct typist *typist)
{
    if (typist != NULL) {
        free(typist->moves.items);
        free(typist->scratch);
        free(typist);
    }
}

// Passing twice changes nothing.
static void drop_passes(struct move_list *moves)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < moves->count; i++) {
        if (moves->items[i].command.verb != VERB_PASS) {
            moves->items[kept++] = moves->items[i];
        }
    }
    moves->count = kept;
}

bool typist_line(struct typist *typist, struct hall *hall, const struct typist_seat *who,
                 char line[CHAT_LINE_SIZE])
{
    struct table_words words;
    struct command command;
    if (!hall_words(hall, who->chat, who->place, who->seat, &words)) {
        return false;
    }
    typist->moves.count = 0;
    typist->moves.overflow = false;
    moves_list(words.view, words.box, who->seat, &typist->moves);
    if (asks_passed(&words)) {
        drop_passes(&typist->moves);
    }
    const struct policy_input input = {.view = words.view,
                                       .box = words.box,
                                       .moves = &typist->moves,
                                       .seat = who->seat,
                                       .rng = who->rng,
                                       .scratch = typist->scratch};
    return typist->moves.count > 0 && who->policy->choose(&input, &command) &&
           parse_format(&words, &command, line, CHAT_LINE_SIZE) < CHAT_LINE_SIZE;
}

enum {
    WORD_SIZE = 96,
    PLATFORM_LINE_SIZE = 512,
    AT_ONCE = 64,        /* lines that are said before all are heard */
    TRIES_MAX = 50,      /* refusals of one version, after which something is wrong */
    STILL_MAX = 1000,    /* rounds in which nobody says anything and time brings nothing */
    LATENCIES = 1 << 16, /* of late */
    KEYS = 1 << 16,      /* of late: a message that comes twice does so soon */
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
    char place[WORD_SIZE];
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
    double begun;
    unsigned long said;
    float latencies[LATENCIES];
    unsigned long latency_count;
    size_t game_capacity;
    unsigned still;
    int file;                   /* what was shown (setup->platform), or -1 */
    struct chat_key keys[KEYS]; /* of what was shown */
    int64_t passed_ms;          /* of setup->speed */
    double moved_s;             /* when anything happened */
};

static double now_s(void)
{
    struct timespec at;
    (void)clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec + (double)at.tv_nsec / 1e9;
}

/* The chat: all that is said is shown at once, and nobody reads it. */

// Notes a key; whether it was there.
static bool note_key(struct soak *soak, struct chat_key key)
{
    // By both: each process begins its numbers anew.
    struct chat_key *const at = &soak->keys[(key.number ^ key.epoch) % KEYS];
    const bool seen = at->epoch == key.epoch && at->number == key.number;
    *at = key;
    return seen;
}

// What an earlier process has shown counts as shown.
static bool open_platform(struct soak *soak, struct mb_error *err)
{
    enum { HEX = 16, DECIMAL = 10 };
    const char *const path = soak->setup->platform;
    char line[PLATFORM_LINE_SIZE];
    struct chat_key key;
    FILE *const file = path != NULL ? fopen(path, "a+e") : NULL;
    soak->file = -1;
    if (file != NULL) {
        (void)fseek(file, 0, SEEK_SET);
        while (fgets(line, sizeof line, file) != NULL) {
            char *rest = NULL;
            key.epoch = strtoull(line, &rest, HEX);
            if (*rest == '-') {
                key.number = strtoull(rest + 1, NULL, DECIMAL);
                (void)note_key(soak, key);
            }
        }
        (void)fclose(file);
        soak->file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    }
    return path == NULL || soak->file >= 0 || mb_fail(err, MB_ERR_IO, "cannot write %.80s", path);
}

static uint64_t hash_of_text(const struct chat_out *out)
{
    static const unsigned char KEY[crypto_shorthash_KEYBYTES] = {0};
    uint64_t hash = 0;
    (void)crypto_shorthash((unsigned char *)&hash, (const unsigned char *)out->text,
                           strlen(out->text), KEY);
    return hash;
}

// One write, so that a line is whole whenever the process dies.
static bool write_line(const struct soak *soak, const struct chat_out *out)
{
    char line[PLATFORM_LINE_SIZE];
    const char *const reader = out->person != NULL ? out->person : out->place;
    const int size =
        snprintf(line, sizeof line, "%" PRIx64 "-%" PRIu64 " %d %s %016" PRIx64 " %s\n",
                 out->key.epoch, out->key.number, (int)out->kind, reader, hash_of_text(out),
                 out->replaces != NULL ? "edit" : "new");
    return size < (int)sizeof line && write(soak->file, line, (size_t)size) == size;
}

static bool show_message(void *user, const struct chat_out *out, char id[CHAT_TABLE_SIZE])
{
    struct soak *const soak = user;
    const bool seen = note_key(soak, out->key);
    soak->report->confirmed++;
    soak->report->doubled += seen ? 1 : 0;
    // Cards are dealt by the id of what is said to all: it follows from the words, so that a game
    // is the same however often a process has died before it.
    (void)snprintf(id, CHAT_TABLE_SIZE, "%" PRIu64,
                   out->kind == CHAT_NARRATION ? hash_of_text(out) : out->key.number);
    return seen || soak->file < 0 || write_line(soak, out);
}

/* What is typed. */

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

static bool push_line(struct soak *soak, const struct seatful *at, unsigned seat, const char *line,
                      const char *event)
{
    char person[WORD_SIZE];
    char community[WORD_SIZE];
    (void)snprintf(person, sizeof person, "p%u-%lu", seat, at->number);
    (void)snprintf(community, sizeof community, "soak-%lu", at->number / SHARE);
    const struct chat_in in = {.place = at->place,
                               .person = person,
                               .event = event,
                               .line = line,
                               .name = person,
                               .place_name = at->place,
                               .community = community,
                               .open = true};
    const bool pushed = chat_queue_push(&soak->queue, &in) == CHAT_PUSHED; // or another time
    soak->said += pushed ? 1 : 0;
    return pushed;
}

static bool say_line(struct soak *soak, struct seatful *at, unsigned seat, const char *line)
{
    char event[WORD_SIZE + 32];
    (void)snprintf(event, sizeof event, "%s-%" PRIu32 "-%u", at->place, at->moment, at->tries);
    at->waits = push_line(soak, at, seat, line, event);
    return at->waits;
}

// The first seat, from a drawn one on, whose player has something to say.
static bool say_in_game(struct soak *soak, struct seatful *at, const struct table *table)
{
    struct mb_rng rng;
    char line[CHAT_LINE_SIZE];
    const unsigned seats = table_seat_count(table);
    rng_of(soak, at, &rng);
    const unsigned first = mb_rng_below(&rng, seats);
    for (unsigned i = 0; i < seats; i++) {
        const unsigned seat = (first + i) % seats;
        const struct typist_seat who = {.chat = soak->chat,
                                        .place = at->place,
                                        .seat = seat,
                                        .policy =
                                            soak->setup->policies[seat % soak->setup->policy_count],
                                        .rng = &rng};
        if (typist_line(soak->typist, soak->hall, &who, line)) {
            return say_line(soak, at, seat, line);
        }
    }
    return false;
}

// Nobody has anything to say as the table stands here; another process may have it otherwise.
static void look_at_table(struct soak *soak, struct seatful *at)
{
    if (soak->setup->speed > 0 && now_s() - at->looked_s > LOOK_S) {
        at->looked_s = now_s();
        (void)push_line(soak, at, 0, "status", "");
    }
}

static bool say_in_lobby(struct soak *soak, struct seatful *at, const struct table *table)
{
    const unsigned seats = table_seat_count(table);
    return seats < SOAK_PLAYERS ? say_line(soak, at, seats, "join")
                                : say_line(soak, at, 0, "start");
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

/* A round: whoever can speaks, and all of it is dealt with. */

static bool go_to_next_game(struct soak *soak, struct seatful *at)
{
    const unsigned long games = soak->setup->games;
    const bool more = games == 0 || soak->next < games;
    const unsigned long number = soak->setup->first + soak->next;
    *at = (struct seatful){.number = games > 0 ? number % games : number, .open = more};
    place_of(soak, at->number, at->place);
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

static bool speak_at(struct soak *soak, struct seatful *at, bool *spoke, struct mb_error *err)
{
    const struct table *const table = hall_table(soak->hall, soak->chat, at->place);
    if (!note_result(soak, at, hall_version(soak->hall, soak->chat, at->place), err)) {
        return false;
    }
    if (table == NULL) {
        // Whether the store has one: a look fetches it and changes nothing.
        char line[CHAT_LINE_SIZE] = "status";
        if (at->asked) {
            (void)snprintf(line, sizeof line, OPENING, soak->setup->sets);
        }
        *spoke = say_line(soak, at, 0, line);
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
            look_at_table(soak, at);
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
static bool hear_all(struct soak *soak, bool all, struct mb_error *err)
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
        const struct seatful *const at = &soak->tables[i];
        const struct table *const table =
            at->open ? hall_table(soak->hall, soak->chat, at->place) : NULL;
        const struct table_due due =
            table != NULL ? table_due(table) : (struct table_due){.kind = TABLE_DUE_NEVER};
        if (due.kind != TABLE_DUE_NEVER && (least < 0 || due.ms < least)) {
            least = due.ms;
        }
    }
    return least;
}

static void nap_a_while(void)
{
    static const struct timespec NAP = {.tv_nsec = NAP_NS};
    (void)nanosleep(&NAP, NULL);
}

// Nobody has anything to say: on to what falls due.
static bool pass_time(struct soak *soak, struct mb_error *err)
{
    if (soak->setup->speed > 0) {
        nap_a_while();
        return hear_all(soak, false, err) &&
               (now_s() - soak->moved_s < (double)PATIENCE_S ||
                mb_fail(err, MB_ERR_STATE, "nothing has happened for %d s", PATIENCE_S));
    }
    const int64_t ms = next_ms(soak);
    if (ms < 0 || ++soak->still > STILL_MAX) {
        return mb_fail(err, MB_ERR_STATE, "nobody has anything to type, and nothing falls due");
    }
    (void)hall_advance(soak->hall, ms);
    return hear_all(soak, false, err);
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
        if (!speak_at(soak, at, &spoke, err)) {
            return false;
        }
        lines += at->waits ? 1 : 0;
        soak->still = spoke ? 0 : soak->still;
        held = held || spoke;
        if (lines == AT_ONCE) {
            if (!hear_all(soak, false, err)) {
                return false;
            }
            note_latency(soak, since, lines);
            lines = 0;
            since = now_s();
        }
    }
    if (lines > 0) {
        if (!hear_all(soak, false, err)) {
            return false;
        }
        note_latency(soak, since, lines);
    } else if (held) {
        nap_a_while();
    } else if (any && !pass_time(soak, err)) {
        return false;
    }
    return any && !is_time_up(soak);
}

/* Beginning and end. */

static int compare_latencies(const void *a, const void *b)
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
    qsort(soak->latencies, count, sizeof soak->latencies[0], compare_latencies);
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
    const struct hall_setup setup = {
        .catalog = soak->setup->catalog, .store = soak->setup->store, .policy = &HALL_AT_WILL};
    chat_queue_init(&soak->queue);
    soak->typist = typist_create();
    soak->tables = mb_new(soak->setup->tables, sizeof *soak->tables);
    soak->chat = fake_create_named("soak", &soak->queue, FAKE_CAPS_ALL);
    fake_show_to(soak->chat, show_message, soak);
    soak->hall = hall_create(&setup);
    return open_platform(soak, err) && chat_start(soak->chat, err) &&
           hall_add_chat(soak->hall, soak->chat, err);
}

// Whoever dies is succeeded within so long: what it has left is said by then.
static bool outlive_the_dead(struct soak *soak, struct mb_error *err)
{
    enum { SUCCEEDED_MS = 10000 };
    const int64_t end = soak->passed_ms + SUCCEEDED_MS;
    bool good = true;
    while (good && soak->setup->speed > 0 && soak->passed_ms < end) {
        nap_a_while();
        good = hear_all(soak, false, err);
    }
    return good;
}

// The journal's bytes, in pieces as they were committed.
static void digest_journal(const struct kept_table *table, struct soak_game *game)
{
    unsigned char digest[(SOAK_DIGEST_SIZE - 1) / 2];
    crypto_generichash_state hash;
    (void)crypto_generichash_init(&hash, NULL, 0, sizeof digest);
    for (size_t i = 0; i < table->piece_count; i++) {
        (void)crypto_generichash_update(&hash, table->pieces[i].at, table->pieces[i].size);
    }
    (void)crypto_generichash_final(&hash, digest, sizeof digest);
    (void)sodium_bin2hex(game->digest, sizeof game->digest, digest, sizeof digest);
    game->commands = table->piece_count;
}

static bool read_table(struct soak *soak, struct kept *kept, const char *id, struct soak_game *game,
                       struct mb_error *err)
{
    struct kept_table table;
    struct journal_report report;
    bool good = kept_fetch(kept, id, &table, err);
    if (good) {
        digest_journal(&table, game);
    }
    if (good && soak->setup->verify) {
        soak->report->verified++;
        good = kept_verify(&table, &report, err);
    }
    kept_table_finish(&table);
    return good;
}

// What the store has of a game that is over; nothing if its table has made room for another.
static bool read_game(struct soak *soak, struct kept *kept, struct soak_game *game,
                      struct mb_error *err)
{
    char place[WORD_SIZE];
    place_of(soak, game->number, place);
    const struct store_request request = {
        .kind = STORE_PLACE, .network = chat_name(soak->chat), .place = place};
    struct store_answer *const answer = store_call(kept->store, &request);
    bool good = answer != NULL && answer->result != STORE_FAILED;
    if (!good) {
        (void)mb_fail(err, MB_ERR_IO, "cannot read the journal of game %lu from the store",
                      game->number);
    } else if (answer->table != NULL) {
        good = read_table(soak, kept, answer->table, game, err);
    } else if (soak->setup->verify) {
        good = mb_fail(err, MB_ERR_STATE, "game %lu is no longer in the store", game->number);
    }
    store_answer_free(answer);
    return good;
}

static bool read_games(struct soak *soak, struct mb_error *err)
{
    struct kept kept;
    bool good = kept_open(&kept, soak->setup->catalog, soak->setup->store, err);
    for (size_t i = 0; good && i < soak->report->game_count; i++) {
        good = read_game(soak, &kept, &soak->report->games[i], err);
    }
    kept_close(&kept);
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
        good = err->code == MB_OK && outlive_the_dead(soak, err) && hear_all(soak, true, err);
        close_hall(soak);
        good = good && read_games(soak, err);
        count_lost(soak);
    }
    close_hall(soak);
    chat_destroy(soak->chat);
    chat_queue_finish(&soak->queue);
    typist_destroy(soak->typist);
    if (soak->file >= 0) {
        (void)close(soak->file);
    }
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

/* `munchbot soak`. */

enum { TABLES_DEFAULT = 64, TABLES_MAX = 20000 };

static bool read_policies(const struct arguments *arguments, struct soak_setup *setup)
{
    unsigned *const count = &setup->policy_count;
    if (!arguments_policies(arguments, policy_default()->name, setup->policies, SOAK_POLICIES_MAX,
                            count)) {
        return false;
    }
    return (*count > 0 && *count <= SOAK_POLICIES_MAX) ||
           arguments_wrong(arguments, OPTION_POLICY,
                           *count == 0 ? "name one" : "these are too many");
}

static bool read_setup(const struct arguments *arguments, struct soak_setup *setup)
{
    const char *const sets = arguments->value[OPTION_SET];
    uint64_t tables = TABLES_DEFAULT;
    uint64_t games = 0;
    uint64_t first = 0;
    *setup = (struct soak_setup){.sets = sets != NULL ? sets : "classic",
                                 .seed = 1,
                                 .verify = arguments->value[OPTION_VERIFY] != NULL,
                                 .platform = arguments->value[OPTION_PLATFORM]};
    if (!arguments_number(arguments, OPTION_TABLES, 1, TABLES_MAX, &tables) ||
        !arguments_number(arguments, OPTION_GAMES, 1, UINT32_MAX, &games) ||
        !arguments_number(arguments, OPTION_FIRST, 1, UINT32_MAX, &first) ||
        !arguments_number(arguments, OPTION_SEED, 0, UINT64_MAX, &setup->seed) ||
        !arguments_real(arguments, OPTION_RATE, 1e9, &setup->rate) ||
        !arguments_real(arguments, OPTION_SECONDS, 1e9, &setup->seconds) ||
        !arguments_real(arguments, OPTION_SPEED, 1000, &setup->speed) ||
        !read_policies(arguments, setup)) {
        return false;
    }
    if (arguments->value[OPTION_STORE] == NULL) {
        return arguments_lack(arguments, "--store");
    }
    if (games == 0 && !(setup->seconds > 0)) {
        return arguments_lack(arguments, "--games or --seconds");
    }
    setup->tables = (unsigned)(games > 0 && games < tables ? games : tables);
    setup->games = (unsigned long)games;
    setup->first = (unsigned long)first;
    return true;
}

static long resident_kib(void)
{
    struct rusage usage_now;
    return getrusage(RUSAGE_SELF, &usage_now) == 0 ? usage_now.ru_maxrss : 0;
}

static double in_thousandths(double value)
{
    const double parts = 1000;
    return (double)(int64_t)(value * parts + 0.5) / parts;
}

static void print_json(const struct soak_setup *setup, const struct soak_report *report)
{
    json_t *const games = json_object();
    for (size_t i = 0; i < report->game_count; i++) {
        const struct soak_game *const game = &report->games[i];
        char number[24];
        (void)snprintf(number, sizeof number, "%lu", game->number);
        (void)json_object_set_new(games, number,
                                  json_pack("{s:s, s:i, s:I, s:s}", "winner", game->winner,
                                            "rounds", (int)game->rounds, "commands",
                                            (json_int_t)game->commands, "digest", game->digest));
    }
    json_t *const all = json_pack(
        "{s:i, s:I, s:I, s:I, s:I, s:f, s:I, s:f, s:f, s:I, s:I, s:f, s:o, "
        "s:{s:I, s:I, s:I}}",
        "tables", (int)setup->tables, "verified", (json_int_t)report->verified, "conflicts",
        (json_int_t)report->conflicts, "repeated", (json_int_t)report->repeated, "commands",
        (json_int_t)report->commands, "commands_per_second",
        in_thousandths((double)report->commands / report->seconds), "commits",
        (json_int_t)report->commits, "p50_ms", in_thousandths(report->p50_ms), "p99_ms",
        in_thousandths(report->p99_ms), "finished", (json_int_t)report->finished, "resident_kib",
        (json_int_t)resident_kib(), "seconds", in_thousandths(report->seconds), "games", games,
        "messages", "confirmed", (json_int_t)report->confirmed, "doubled",
        (json_int_t)report->doubled, "lost", (json_int_t)report->lost);
    char *const text = all != NULL ? json_dumps(all, JSON_COMPACT | JSON_SORT_KEYS) : NULL;
    (void)puts(text != NULL ? text : "{}");
    free(text);
    json_decref(all);
}

static void print_words(const struct soak_report *report)
{
    (void)printf("%lu commands in %.1f s: %.0f/s; p50 %.1f ms, p99 %.1f ms; %lu commits\n"
                 "%lu games finished; %lu messages confirmed, %lu doubled, %lu lost; %ld KiB\n",
                 report->commands, report->seconds, (double)report->commands / report->seconds,
                 report->p50_ms, report->p99_ms, report->commits, report->finished,
                 report->confirmed, report->doubled, report->lost, resident_kib());
}

// Whether tables can be opened with the sets; else soak would say the same line for ever.
static bool sets_fit(const char *sets, const struct catalog *catalog, struct mb_error *err)
{
    struct table_options options;
    struct box box;
    table_options_init(&options);
    return strchr(sets, ' ') == NULL
               ? table_options_sets(&options, catalog, sets, err) &&
                     table_options_box(&options, catalog, &box, err)
               : mb_fail(err, MB_ERR_INPUT, "expected sets with commas and no spaces, found \"%s\"",
                         sets);
}

static bool play_and_print(const struct arguments *arguments, const struct cmd_stores *stores,
                           struct soak_setup *setup, struct mb_error *err)
{
    struct soak_report report;
    struct catalog *const catalog = cards_load(arguments->value[OPTION_SETS_PATH], err);
    const bool fits = catalog != NULL && sets_fit(setup->sets, catalog, err);
    struct store *const store = fits ? stores->open(arguments->value[OPTION_STORE], err) : NULL;
    if (store == NULL) {
        catalog_destroy(catalog);
        return false;
    }
    setup->catalog = catalog;
    setup->store = store;
    const bool good = soak_run(setup, &report, err);
    if (good && arguments->value[OPTION_JSON] != NULL) {
        print_json(setup, &report);
    } else if (good) {
        print_words(&report);
    }
    soak_finish(&report);
    store_destroy(store);
    catalog_destroy(catalog);
    return good;
}

int cmd_soak(const struct arguments *arguments, const struct cmd_stores *stores)
{
    struct soak_setup setup;
    struct mb_error err = {0};
    if (!read_setup(arguments, &setup)) {
        (void)fprintf(stderr, "%s\n", arguments->complaint);
        return CMD_WRONG_USAGE;
    }
    if (!play_and_print(arguments, stores, &setup, &err)) {
        (void)fprintf(stderr, "munchbot soak: %s\n", err.text);
        return CMD_FAILED;
    }
    return CMD_DONE;
}
