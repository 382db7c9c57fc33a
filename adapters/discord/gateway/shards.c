#include "adapters/discord/gateway/shards.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "core/codec/memory.h"

#include "bot/chat_queue.h"

#include "adapters/discord/gateway/crew.h"
#include "adapters/discord/gateway/gateway.h"
#include "adapters/discord/gateway/lease.h"
#include "adapters/discord/wire/unpack.h"

static const char QUERY[] = "/?v=10&encoding=json&compress=zlib-stream";

enum { ASK_AGAIN_MS = 5000, BUDGET_MS = 60000, STARTING_MS = 5000, STATUS_OK = 200 };

/* An event that became a line which is not settled yet. */
struct unsettled {
    uint64_t number, sequence;
};

struct shard {
    struct shards *shards;
    struct gateway *gateway;
    struct lease *lease;
    struct unsettled unsettled[CHAT_QUEUE_MAX]; // the oldest first
    unsigned unsettled_count;
    struct websocket *socket;
    struct unpack *unpack; // of that socket
    unsigned number;
    int64_t taken_ms;
    bool live;
};

struct shards {
    struct shards_setup setup;
    struct shard *list;
    unsigned count;
    uv_timer_t timer;
    unsigned live; // of them
    bool stopped;
    bool known; // where the gateway is has just been told
    struct crew *crew;
    long budget;       // identifications left today, as Discord last said ...
    int64_t budget_ms; // ... and when; -1: it is being asked
    bool spent;        // and that has been said
    char url[GATEWAY_URL_SIZE];
};

static void arm(struct shards *shards);

static int64_t now_ms(const struct shards *shards)
{
    return (int64_t)uv_now(shards->setup.loop);
}

/* How far all is settled. */

// What a session is resumed by: the event behind which nothing is left to be done.
static void note_session(struct shard *shard)
{
    struct gateway_session session = *gateway_session(shard->gateway);
    if (shard->unsettled_count > 0) {
        session.sequence = shard->unsettled[0].sequence - 1;
    }
    if (session.id[0] != '\0') {
        lease_note(shard->lease, &session);
    }
}

// Without room for more the latest stands for all that follow: they come again, should it come to
// that.
static void add_unsettled(struct shard *shard, uint64_t number)
{
    struct unsettled *const all = shard->unsettled;
    const uint64_t sequence = gateway_session(shard->gateway)->sequence + 1;
    if (shard->unsettled_count < CHAT_QUEUE_MAX) {
        all[shard->unsettled_count++] = (struct unsettled){number, sequence};
    } else {
        all[CHAT_QUEUE_MAX - 1].number = number;
    }
}

void shards_settled(struct shards *shards, uint64_t number)
{
    for (unsigned i = 0; i < shards->count; i++) {
        struct shard *const shard = &shards->list[i];
        unsigned done = 0;
        while (done < shard->unsettled_count && shard->unsettled[done].number <= number) {
            done++;
        }
        shard->unsettled_count -= done;
        memmove(shard->unsettled, shard->unsettled + done,
                shard->unsettled_count * sizeof *shard->unsettled);
        if (done > 0) {
            note_session(shard);
        }
    }
    arm(shards);
}

/* Which are live. */

// How many shards are this process's to take: with others about, its part of them.
static unsigned part(const struct shards *shards)
{
    const unsigned processes = crew_peers(shards->crew);
    if (!chat_shares(shards->setup.chat)) {
        return shards->count;
    }
    return processes > 0 ? (shards->count + processes - 1) / processes : 1;
}

static void changed(struct shards *shards, struct shard *shard, bool live)
{
    char text[64];
    shard->live = live;
    shards->live = live ? shards->live + 1 : shards->live - 1;
    (void)snprintf(text, sizeof text, "shard %u of %u", shard->number, shards->count);
    shards->setup.log(shards->setup.log_user, NET_LOG_INFO,
                      live ? "gateway-connected" : "gateway-lost", text);
    const struct shard_link link = {.shard = shard->number,
                                    .shards = shards->count,
                                    .live = shards->live,
                                    .own = part(shards),
                                    .linked = live,
                                    .handed_on = !lease_is_held(shard->lease)};
    shards->setup.linked(shards->setup.user, &link);
}

static void look(struct shards *shards)
{
    for (unsigned i = 0; i < shards->count; i++) {
        struct shard *const shard = &shards->list[i];
        const bool live = gateway_state(shard->gateway) == GATEWAY_LIVE;
        if (live != shard->live) {
            changed(shards, shard, live);
        }
        note_session(shard);
    }
    arm(shards);
}

/* Sockets. */

static void on_opened(void *user)
{
    struct shard *const shard = user;
    gateway_opened(shard->gateway, now_ms(shard->shards));
    look(shard->shards);
}

static void drop_socket(struct shard *shard, int code)
{
    struct websocket *const socket = shard->socket;
    shard->socket = NULL;
    websocket_close(socket, code);
}

static void on_heard(void *user, const char *bytes, size_t size)
{
    struct shard *const shard = user;
    const char *text = NULL;
    size_t length = 0;
    switch (unpack_take(shard->unpack, bytes, size, &text, &length)) {
    case UNPACK_WHOLE:
        gateway_heard(shard->gateway, text, length, now_ms(shard->shards));
        break;
    case UNPACK_PART:
        return;
    case UNPACK_BROKEN: // as if it were lost: what was missed comes again
        drop_socket(shard, GATEWAY_CLOSE_OURS);
        gateway_closed(shard->gateway, GATEWAY_CLOSE_LOST, now_ms(shard->shards));
        break;
    }
    look(shard->shards);
}

static void on_closed(void *user, int code)
{
    struct shard *const shard = user;
    shard->socket = NULL;
    gateway_closed(shard->gateway, code, now_ms(shard->shards));
    look(shard->shards);
}

static void open_socket(void *user, const char *url)
{
    struct shard *const shard = user;
    struct mb_error err = {0};
    char whole[GATEWAY_URL_SIZE + sizeof QUERY];
    const size_t length = strlen(url);
    const bool slash = length > 0 && url[length - 1] == '/';
    (void)snprintf(whole, sizeof whole, "%s%s", url, slash ? QUERY + 1 : QUERY);
    const struct websocket_user callbacks = {
        .user = shard, .opened = on_opened, .heard = on_heard, .closed = on_closed};
    unpack_destroy(shard->unpack);
    shard->unpack = unpack_create();
    shard->socket = shard->unpack != NULL
                        ? websocket_open(shard->shards->setup.websockets, whole, &callbacks, &err)
                        : NULL;
    if (shard->socket == NULL) {
        shard->shards->setup.log(shard->shards->setup.log_user, NET_LOG_WARN, "gateway-unreachable",
                                 err.text);
        gateway_closed(shard->gateway, GATEWAY_CLOSE_LOST, now_ms(shard->shards));
    }
}

static void send_text(void *user, const char *text, size_t size)
{
    struct shard *const shard = user;
    if (shard->socket != NULL) {
        websocket_send(shard->socket, text, size);
    }
}

static void close_socket(void *user, int code)
{
    drop_socket(user, code);
}

/* What the machines ask for. */

static void asked(void *user, const struct rest_answer *answer);

static void ask(struct shards *shards)
{
    const struct rest_call call = {.method = "GET",
                                   .route = "GET /gateway/bot",
                                   .major = "",
                                   .path = "/gateway/bot",
                                   .order = "gateway",
                                   .repeats = true};
    if (shards->stopped || !rest_call(shards->setup.rest, &call, asked, shards)) {
        return;
    }
}

static void ask_for(void *user)
{
    struct shards *const shards = ((struct shard *)user)->shards;
    if (!shards->known) {
        ask(shards);
    }
}

// What is left of the day's identifications, as Discord said within the last minute.
static bool has_budget(struct shards *shards)
{
    const bool fresh = shards->budget_ms >= 0 && now_ms(shards) - shards->budget_ms < BUDGET_MS;
    const bool spent = shards->budget <= SHARDS_IDENTIFY_FLOOR;
    if (!fresh && shards->budget_ms >= 0) {
        shards->budget_ms = -1;
        ask(shards);
    }
    if (fresh && spent && !shards->spent) {
        shards->setup.log(shards->setup.log_user, NET_LOG_ERROR, "gateway-budget",
                          "the daily connection limit is almost used up: find out what keeps "
                          "reconnecting; I wait for Discord");
    }
    shards->spent = spent;
    return fresh && !spent;
}

static bool may_identify(void *user, unsigned number)
{
    struct shards *const shards = ((struct shard *)user)->shards;
    if (!has_budget(shards) || !crew_may_identify(shards->crew, number, now_ms(shards))) {
        return false;
    }
    shards->budget--;
    return true;
}

static void dispatch(void *user, const char *event, const char *data, size_t size)
{
    struct shard *const shard = user;
    const struct shards *const shards = shard->shards;
    const uint64_t number = shards->setup.dispatch(shards->setup.user, event, data, size);
    if (number > 0) {
        add_unsettled(shard, number);
    }
}

static void fatal(void *user, const struct mb_error *why)
{
    const struct shards *const shards = ((struct shard *)user)->shards;
    shards->setup.fatal(shards->setup.log_user, why);
}

static void taken(void *user, const struct gateway_session *session)
{
    struct shard *const shard = user;
    shard->unsettled_count = 0;
    shard->taken_ms = now_ms(shard->shards);
    if (session->id[0] != '\0') { // who had it may have identified a moment ago
        crew_identified(shard->shards->crew, shard->number, now_ms(shard->shards));
    }
    gateway_start(shard->gateway, session->id[0] != '\0' ? session : NULL, now_ms(shard->shards));
    look(shard->shards);
}

static void lost(void *user)
{
    struct shard *const shard = user;
    shard->shards->setup.log(shard->shards->setup.log_user, NET_LOG_INFO, "gateway-handed-over",
                             "another process took over one of this process's shards");
    gateway_stop(shard->gateway, true);
    look(shard->shards);
}

static void make(struct shards *shards, unsigned count)
{
    shards->list = mb_new(count, sizeof *shards->list);
    for (unsigned i = 0; i < count; i++) {
        struct shard *const shard = &shards->list[i];
        struct gateway_setup setup = {.token = shards->setup.token,
                                      .shard = i,
                                      .shards = count,
                                      .user = shard,
                                      .ask = ask_for,
                                      .connect = open_socket,
                                      .send = send_text,
                                      .close = close_socket,
                                      .may_identify = may_identify,
                                      .dispatch = dispatch,
                                      .fatal = fatal};
        randombytes_buf(&setup.chance, sizeof setup.chance);
        shard->shards = shards;
        shard->number = i;
        const struct lease_setup lease = {.chat = shards->setup.chat,
                                          .count = count,
                                          .shard = i,
                                          .taken = taken,
                                          .lost = lost,
                                          .user = shard};
        shard->gateway = gateway_create(&setup);
        shard->lease = lease_create(&lease);
        shards->count = i + 1;
    }
}

/* Leases. */

// The next when the last is live, or takes its time: so processes that start together share them.
static void take_leases(struct shards *shards)
{
    unsigned held = 0;
    bool starting = false;
    for (unsigned i = 0; i < shards->count; i++) {
        const struct shard *const shard = &shards->list[i];
        const bool ours = lease_is_held(shard->lease);
        held += ours ? 1 : 0;
        starting = starting || lease_is_asked_for(shard->lease) ||
                   (ours && !shard->live && now_ms(shards) - shard->taken_ms < STARTING_MS);
    }
    for (unsigned i = 0; i < shards->count; i++) {
        struct lease *const lease = shards->list[i].lease;
        lease_tick(lease, !starting && held < part(shards), now_ms(shards));
        starting = starting || lease_is_asked_for(lease);
    }
}

/* Where the gateway is. */

static void found(struct shards *shards)
{
    for (unsigned i = 0; i < shards->count; i++) {
        gateway_found(shards->list[i].gateway, shards->url, now_ms(shards));
    }
    look(shards);
}

static void begin(struct shards *shards, unsigned recommended)
{
    const unsigned wanted = shards->setup.count > 0 ? shards->setup.count : recommended;
    make(shards, wanted < SHARDS_MAX ? wanted : SHARDS_MAX);
    take_leases(shards);
}

static void asked(void *user, const struct rest_answer *answer)
{
    struct shards *const shards = user;
    const json_t *const limit = json_object_get(answer->body, "session_start_limit");
    const char *const url = json_string_value(json_object_get(answer->body, "url"));
    const json_t *const left = json_object_get(limit, "remaining");
    const json_int_t recommended = json_integer_value(json_object_get(answer->body, "shards"));
    if (shards->stopped) {
        return;
    }
    if (answer->status != STATUS_OK || url == NULL || strlen(url) >= sizeof shards->url) {
        shards->setup.log(shards->setup.log_user, NET_LOG_WARN, "gateway-unknown",
                          "Discord did not give its gateway's URL; asking again");
        for (unsigned i = 0; i < shards->count; i++) {
            gateway_not_found(shards->list[i].gateway, now_ms(shards));
        }
        shards->budget_ms = now_ms(shards) - BUDGET_MS + ASK_AGAIN_MS;
        shards->budget = 0;
        arm(shards);
        return;
    }
    const char *const own = shards->setup.gateway_url;
    (void)snprintf(shards->url, sizeof shards->url, "%s", own != NULL ? own : url);
    const json_int_t width = json_integer_value(json_object_get(limit, "max_concurrency"));
    shards->budget_ms = now_ms(shards);
    shards->budget =
        json_is_integer(left) ? (long)json_integer_value(left) : SHARDS_IDENTIFY_FLOOR + 1;
    shards->known = true;
    if (shards->count == 0) {
        begin(shards, recommended > 0 && recommended <= SHARDS_MAX ? (unsigned)recommended : 1);
    }
    crew_set(shards->crew, shards->count, width > 0 && width <= CREW_KEYS ? (unsigned)width : 1);
    found(shards);
    shards->known = false;
}

/* Time. */

static void on_timer(uv_timer_t *timer)
{
    struct shards *const shards = timer->data;
    if (shards->count == 0) {
        ask(shards);
        return;
    }
    crew_tick(shards->crew, now_ms(shards));
    rest_share(shards->setup.rest, crew_count(shards->crew));
    for (unsigned i = 0; i < shards->count; i++) {
        const int64_t due = gateway_due_ms(shards->list[i].gateway);
        if (due >= 0 && due <= now_ms(shards)) {
            gateway_tick(shards->list[i].gateway, now_ms(shards));
        }
    }
    take_leases(shards);
    look(shards);
}

static int64_t earlier(int64_t a, int64_t b)
{
    return a < 0 || (b >= 0 && b < a) ? b : a;
}

static void arm(struct shards *shards)
{
    int64_t next = shards->count == 0 ? now_ms(shards) + ASK_AGAIN_MS : -1;
    for (unsigned i = 0; i < shards->count; i++) {
        next = earlier(next, gateway_due_ms(shards->list[i].gateway));
        next = earlier(next, lease_due_ms(shards->list[i].lease));
    }
    next = shards->count > 0 ? earlier(next, crew_due_ms(shards->crew)) : next;
    if (shards->stopped || next < 0) {
        (void)uv_timer_stop(&shards->timer);
        return;
    }
    const int64_t wait = next - now_ms(shards);
    (void)uv_timer_start(&shards->timer, on_timer, wait > 0 ? (uint64_t)wait : 0, 0);
}

/* Whole. */

struct shards *shards_create(const struct shards_setup *setup)
{
    struct shards *const shards = mb_new(1, sizeof *shards);
    uint64_t me = 0;
    randombytes_buf(&me, sizeof me);
    shards->setup = *setup;
    shards->crew = crew_create(setup->chat, me);
    (void)uv_timer_init(setup->loop, &shards->timer);
    shards->timer.data = shards;
    return shards;
}

void shards_start(struct shards *shards)
{
    ask(shards);
}

void shards_stop(struct shards *shards)
{
    if (shards->stopped) {
        return;
    }
    shards->stopped = true;
    for (unsigned i = 0; i < shards->count; i++) {
        gateway_stop(shards->list[i].gateway, true);
    }
    uv_close((uv_handle_t *)&shards->timer, NULL);
}

void shards_destroy(struct shards *shards)
{
    if (shards == NULL) {
        return;
    }
    for (unsigned i = 0; i < shards->count; i++) {
        gateway_destroy(shards->list[i].gateway);
        lease_destroy(shards->list[i].lease);
        unpack_destroy(shards->list[i].unpack);
    }
    crew_destroy(shards->crew);
    free(shards->list);
    free(shards);
}
