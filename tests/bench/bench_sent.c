/*
 * How long what one process commits waits for the process that says it: two of them serve a store.
 * One has opened 64 tables and sends what they say (a hand of each stays without outcome, so its
 * lease does not end); the other hears what people type there and commits it. Milliseconds by the
 * clock from the moment the store is asked to commit, so the commit itself counts too, until the
 * chat of the first is given the narration.
 *
 * Ends with status 1 if one takes longer than the bound or is never sent.
 * usage, in the repository's root: bench_sent STORE [COMMANDS]; STORE is the URL of a new one
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdatomic.h>

#include "bot/cards_dir.h"
#include "bot/chat_impl.h"

#include "adapters/store/store_url.h"

#include "tests/bench/people.h"
#include "tests/bench/rows.h"

enum { COMMANDS = 1000, COMMANDS_MAX = 100000, BOUND_MS = 250, PER_CENT = 100 };

// The processes look at each other so often.
static const struct timespec TURN = {.tv_nsec = 10000000};

static const double PACE_S = 0.03; /* between commands, at most twice that */
static const double LAST_S = 3;    /* so long the last may take to be sent */

struct moment {
    struct chat_key key;
    double s;
};

/* What both see. */
struct common {
    atomic_bool opened, over;
    atomic_size_t committed, sent;
    struct moment commits[COMMANDS_MAX], sends[COMMANDS_MAX];
};

static struct common *share(void)
{
    FILE *const file = tmpfile();
    if (file == NULL || ftruncate(fileno(file), sizeof(struct common)) != 0) {
        people_die("no temporary file can be made");
    }
    void *const at =
        mmap(NULL, sizeof(struct common), PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file), 0);
    (void)fclose(file);
    if (at == MAP_FAILED) {
        people_die("no memory can be shared");
    }
    return at;
}

static void note(atomic_size_t *count, struct moment *moments, struct chat_key key)
{
    const size_t at = atomic_load(count);
    if (at >= COMMANDS_MAX) {
        people_die("more is said than was counted on");
    }
    moments[at] = (struct moment){.key = key, .s = people_clock_s()};
    atomic_store(count, at + 1);
}

/* A chat that delivers at once, but for one hand of each table. */

struct timed_chat {
    struct chat chat;
    struct common *common;
};

static bool timed_start(struct chat *chat, struct mb_error *err)
{
    (void)chat;
    (void)err;
    return true;
}

static bool timed_send(struct chat *chat, const struct chat_out *out, struct mb_error *err)
{
    struct common *const common = ((struct timed_chat *)chat)->common;
    static const char LAST = '2' + PEOPLE_OF_TABLE - 1; // begins the id of the last person
    (void)err;
    if (common != NULL && out->kind == CHAT_NARRATION && atomic_load(&common->opened)) {
        note(&common->sent, common->sends, out->key);
    }
    if (out->kind == CHAT_HAND && out->person[0] == LAST) {
        return true;
    }
    const struct chat_outcome outcome = {
        .key = out->key, .fate = CHAT_DELIVERED, .id = out->replaces != NULL ? out->replaces : "1"};
    chat_tell(chat, &outcome);
    return true;
}

static void timed_stop(struct chat *chat)
{
    (void)chat;
}

static void timed_destroy(struct chat *chat)
{
    free(chat);
}

static const struct chat_ops TIMED = {.name = "timed",
                                      .caps = CHAT_CAP_PRIVATE | CHAT_CAP_EDIT,
                                      .start = timed_start,
                                      .send = timed_send,
                                      .stop = timed_stop,
                                      .destroy = timed_destroy};

// `user`: where it notes what it is given, or NULL.
static struct chat *timed_create(struct chat_queue *queue, void *user)
{
    struct timed_chat *const timed = calloc(1, sizeof *timed);
    if (timed == NULL) {
        return NULL;
    }
    timed->chat = (struct chat){.ops = &TIMED, .sink = {.queue = queue}};
    timed->common = user;
    return &timed->chat;
}

/* The two processes. */

static struct store *store_at(const char *url)
{
    struct mb_error err = {0};
    struct store *const store = store_url_create(url, &err);
    if (store == NULL) {
        people_die(err.text);
    }
    return store;
}

static int send_all(const struct catalog *catalog, const char *url, struct common *common)
{
    struct people people;
    people_open(&people, catalog, store_at(url), timed_create, common);
    people_open_tables(&people, 0, PEOPLE_IN_PLAY);
    people_live(&people, 1);
    atomic_store(&common->opened, true);
    while (!atomic_load(&common->over)) {
        people_live(&people, (double)TURN.tv_nsec / 1e9);
    }
    people_close(&people);
    return 0;
}

static void note_commit(void *user, const struct store_request *request)
{
    struct common *const common = user;
    const struct store_commit *const commit = &request->commit;
    for (size_t i = 0; request->kind == STORE_COMMIT && i < commit->message_count; i++) {
        if (commit->messages[i].narrates) {
            note(&common->committed, common->commits, commit->messages[i].key);
        }
    }
}

static void hear_all(const struct catalog *catalog, const char *url, struct common *common,
                     unsigned long commands)
{
    struct people people;
    struct mb_rng pace;
    const uint8_t seed[32] = {1};
    mb_rng_init(&pace, seed);
    people_open(&people, catalog, store_at(url), timed_create, NULL);
    people.asks = note_commit;
    people.user = common;
    while (atomic_load(&common->committed) < commands) {
        people_play(&people, mb_rng_below(&pace, PEOPLE_IN_PLAY));
        people_live(&people, 2 * PACE_S * mb_rng_below(&pace, PER_CENT) / PER_CENT);
    }
    people_live(&people, LAST_S);
    people_close(&people);
}

/* What comes of it. */

static int by_key(const void *a, const void *b)
{
    const struct chat_key *const x = &((const struct moment *)a)->key;
    const struct chat_key *const y = &((const struct moment *)b)->key;
    return x->epoch != y->epoch ? (x->epoch > y->epoch) - (x->epoch < y->epoch)
                                : (x->number > y->number) - (x->number < y->number);
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

// The first time each was sent; keys of steps that were decided again are never sent, and another
// of the same step is.
static bool tell(struct common *common, const char *engine)
{
    static double ms[COMMANDS_MAX];
    const size_t sent = atomic_load(&common->sent);
    size_t count = 0;
    qsort(common->sends, sent, sizeof common->sends[0], by_key);
    for (size_t i = 0; i < atomic_load(&common->committed); i++) {
        const struct moment *const commit = &common->commits[i];
        const struct moment *const send =
            bsearch(commit, common->sends, sent, sizeof *commit, by_key);
        if (send != NULL) {
            ms[count++] = (send->s - commit->s) * 1000;
        }
    }
    const size_t unsent = atomic_load(&common->committed) - count;
    if (count == 0) {
        people_die("nothing was sent");
    }
    qsort(ms, count, sizeof ms[0], by_size);
    const double most = ms[count - 1];
    char what[64];
    (void)snprintf(what, sizeof what, "%s: said by another process, median", engine);
    row(what, ms[count / 2], "ms");
    (void)snprintf(what, sizeof what, "%s: the slowest of %zu", engine, count);
    const bool good = row_at_most(what, most, "ms", BOUND_MS);
    (void)snprintf(what, sizeof what, "%s: never sent", engine);
    return row_at_most(what, (double)unsent, "", 0) && good;
}

int main(int argc, char **argv)
{
    struct mb_error err = {0};
    const unsigned long commands = argc > 2 ? strtoul(argv[2], NULL, 10) : COMMANDS;
    if (argc < 2) {
        people_die("usage: bench_sent STORE [COMMANDS]");
    }
    struct common *const common = share();
    struct catalog *const catalog = cards_load(NULL, &err);
    if (catalog == NULL) {
        people_die(err.text);
    }
    const pid_t sender = fork();
    if (sender == 0) {
        exit(send_all(catalog, argv[1], common));
    }
    int status = 0;
    while (sender > 0 && !atomic_load(&common->opened) && waitpid(sender, &status, WNOHANG) == 0) {
        (void)nanosleep(&TURN, NULL);
    }
    if (!atomic_load(&common->opened)) {
        people_die("the other process has ended");
    }
    hear_all(catalog, argv[1], common, commands);
    atomic_store(&common->over, true);
    const bool ended = waitpid(sender, &status, 0) == sender && status == 0;
    const bool good = tell(common, argv[1][0] == 's' ? "SQLite" : "PostgreSQL");
    catalog_destroy(catalog);
    return ended && good ? 0 : 1;
}
