#include "tests/bench/people.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <unistd.h>

#include "bot/cards_dir.h"
#include "bot/store_impl.h"
#include "bot/tools/fake.h"

enum { WORD = 64, AGAIN_MS = 250, NS_PER_MS = 1000000, NS_PER_S = 1000000000, MS_PER_S = 1000 };

static const char NEW[] = "new sets=classic turn=30d decision=30d ask=30d window=5s answer=5s";

double people_clock_s(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

_Noreturn void people_die(const char *why)
{
    (void)fprintf(stderr, "bench: %s\n", why);
    exit(1);
}

/* A store that tells what it is asked. */

struct telling_store {
    struct store store;
    struct store *inner;
    struct people *people;
};

static struct telling_store *telling_of(struct store *store)
{
    return (struct telling_store *)store;
}

static bool telling_start(struct store *store, struct mb_error *err)
{
    return store_start(telling_of(store)->inner, err);
}

static bool telling_ask(struct store *store, struct store_request *request)
{
    uint64_t ticket = 0;
    const struct people *const people = telling_of(store)->people;
    if (people->asks != NULL) {
        people->asks(people->user, request);
    }
    const bool asked = store_ask(telling_of(store)->inner, request, &ticket);
    if (asked) { // both count alike
        store_request_free(request);
    }
    return asked;
}

static struct store_answer *telling_take(struct store *store)
{
    return store_take(telling_of(store)->inner);
}

static bool telling_shared(const struct store *store)
{
    return store_shared(((const struct telling_store *)store)->inner);
}

static void telling_stop(struct store *store)
{
    store_stop(telling_of(store)->inner);
}

static void telling_destroy(struct store *store)
{
    store_destroy(telling_of(store)->inner);
    free(store);
}

static const struct store_ops TELLING = {.name = "telling",
                                         .start = telling_start,
                                         .ask = telling_ask,
                                         .take = telling_take,
                                         .shared = telling_shared,
                                         .stop = telling_stop,
                                         .destroy = telling_destroy};

static void wake(void *user)
{
    struct people *const people = user;
    (void)sem_post(&people->answered);
}

/* A hall. */

// A chat that only confirms.
static bool show(void *user, const struct chat_out *out, char id[CHAT_TABLE_SIZE])
{
    (void)user;
    (void)snprintf(id, CHAT_TABLE_SIZE, "%" PRIu64, out->key.number);
    return true;
}

static struct chat *confirming_chat(struct chat_queue *queue)
{
    struct chat *const chat = fake_create_named("discord", queue, FAKE_CAPS_ALL);
    fake_show_to(chat, show, NULL);
    return chat;
}

void people_open(struct people *people, const struct catalog *catalog, struct store *store,
                 struct chat *(*chat)(struct chat_queue *queue, void *user), void *user)
{
    struct mb_error err = {0};
    struct telling_store *const telling = calloc(1, sizeof *telling);
    *people = (struct people){.typist = typist_create()};
    if (telling == NULL || store == NULL || people->typist == NULL) {
        people_die("no memory, or no store");
    }
    *telling = (struct telling_store){.store.ops = &TELLING, .inner = store, .people = people};
    people->store = &telling->store;
    (void)sem_init(&people->answered, 0, 0);
    store_on_wake(store, wake, people);
    chat_queue_init(&people->queue);
    people->chat = chat != NULL ? chat(&people->queue, user) : confirming_chat(&people->queue);
    if (people->chat == NULL || !store_start(people->store, &err) ||
        !chat_start(people->chat, &err)) {
        people_die(err.text);
    }
    const struct hall_setup setup = {
        .catalog = catalog, .store = people->store, .policy = &HALL_AT_WILL};
    people->hall = hall_create(&setup);
    if (!hall_add_chat(people->hall, people->chat, &err)) {
        people_die(err.text);
    }
    const uint8_t seed[32] = {7};
    mb_rng_init(&people->rng, seed);
}

void people_close(struct people *people)
{
    hall_destroy(people->hall);
    store_destroy(people->store);
    chat_destroy(people->chat);
    chat_queue_finish(&people->queue);
    typist_destroy(people->typist);
    (void)sem_destroy(&people->answered);
}

// Ids as Discord has them, so that a service can go on with a store that people played in.
static void name_place(unsigned table, char out[WORD])
{
    (void)snprintf(out, WORD, "1%017u", table);
}

void people_type(struct people *people, unsigned table, unsigned person, const char *line)
{
    char place[WORD];
    char who[WORD];
    char event[WORD];
    char town[WORD];
    name_place(table, place);
    (void)snprintf(who, sizeof who, "%u%017u", 2 + person, table);
    (void)snprintf(town, sizeof town, "9%017u", table / PEOPLE_IN_PLAY);
    (void)snprintf(event, sizeof event, "e%lu-%d", ++people->events, (int)getpid());
    const struct chat_in in = {.place = place,
                               .person = who,
                               .name = who,
                               .line = line,
                               .event = event,
                               .place_name = place,
                               .community = town,
                               .open = true};
    if (chat_queue_push(&people->queue, &in) != CHAT_PUSHED) {
        people_die("the queue is full");
    }
}

// False: no answer has come within so long.
static bool wait_for_answer(struct people *people, int64_t ms)
{
    struct timespec until = {0, 0};
    (void)clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += ms / MS_PER_S;
    until.tv_nsec += (long)(ms % MS_PER_S) * NS_PER_MS;
    until.tv_sec += until.tv_nsec / NS_PER_S;
    until.tv_nsec %= NS_PER_S;
    return sem_timedwait(&people->answered, &until) == 0;
}

// What the store had no room for is asked again when time has passed.
void people_settle(struct people *people)
{
    hall_hear(people->hall);
    while (chat_queue_settled(&people->queue) < people->queue.pushed) {
        if (!wait_for_answer(people, AGAIN_MS)) {
            (void)hall_advance(people->hall, AGAIN_MS);
        }
        while (sem_trywait(&people->answered) == 0) {
        }
        hall_hear(people->hall);
    }
}

static void live_until(struct people *people, double until)
{
    for (double now = people_clock_s();; now = people_clock_s()) {
        const int64_t passed = (int64_t)((now - people->lived_s) * MS_PER_S);
        people->lived_s += (double)passed / MS_PER_S;
        (void)hall_advance(people->hall, passed);
        hall_hear(people->hall);
        const int64_t left = (int64_t)((until - now) * MS_PER_S);
        const int64_t due = hall_due_ms(people->hall);
        if (left <= 0) {
            return;
        }
        (void)wait_for_answer(people, due >= 0 && due < left ? due : left);
        while (sem_trywait(&people->answered) == 0) {
        }
    }
}

void people_live(struct people *people, double seconds)
{
    const double now = people_clock_s();
    people->lived_s = people->lived_s > 0 ? people->lived_s : now;
    live_until(people, now + seconds);
}

static const struct table *table_at(struct people *people, unsigned table)
{
    char place[WORD];
    name_place(table, place);
    return hall_table(people->hall, people->chat, place);
}

void people_open_tables(struct people *people, unsigned first, unsigned end)
{
    static const char *const LINES[] = {"join", "join", "join", "start"};
    for (unsigned from = first; from < end; from += PEOPLE_IN_PLAY) {
        const unsigned to = from + PEOPLE_IN_PLAY < end ? from + PEOPLE_IN_PLAY : end;
        for (unsigned step = 0; step < 1 + PEOPLE_OF_TABLE; step++) {
            for (unsigned table = from; table < to; table++) {
                const unsigned who = step == PEOPLE_OF_TABLE ? 0 : step;
                people_type(people, table, who, step == 0 ? NEW : LINES[step - 1]);
            }
            people_settle(people);
        }
        (void)hall_advance(people->hall, 0);
    }
}

void people_play(struct people *people, unsigned table)
{
    static const struct policy *random;
    struct mb_error err = {0};
    char line[CHAT_LINE_SIZE];
    char place[WORD];
    random = random != NULL ? random : policy_find("random", &err);
    name_place(table, place);
    for (;;) {
        const struct table *const value = table_at(people, table);
        if (value == NULL) {
            people_type(people, table, 0, "score");
            people_settle(people);
            continue;
        }
        if (table_state(value) != TABLE_RUNNING) {
            people_open_tables(people, table, table + 1);
            continue;
        }
        const unsigned first = mb_rng_below(&people->rng, PEOPLE_OF_TABLE);
        for (unsigned i = 0; i < PEOPLE_OF_TABLE; i++) {
            const unsigned seat = (first + i) % PEOPLE_OF_TABLE;
            const struct typist_seat who = {.chat = people->chat,
                                            .place = place,
                                            .seat = seat,
                                            .policy = random,
                                            .rng = &people->rng};
            if (typist_line(people->typist, people->hall, &who, line)) {
                people_type(people, table, seat, line);
                return;
            }
        }
        (void)hall_advance(people->hall, table_due(value).ms);
        people_settle(people);
    }
}
