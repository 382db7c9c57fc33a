#include "adapters/discord/gateway/shards.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>
#include <sodium.h>

#include "core/codec/memory.h"

#include "bot/chat_queue.h"

#include "adapters/discord/gateway/crew.h"
#include "adapters/discord/gateway/gateway.h"
#include "adapters/discord/wire/unpack.h"

static const char QUERY[] = "/?v=10&encoding=json&compress=zlib-stream";

enum { ASK_AGAIN_MS = 5000, BUDGET_MS = 60000, STARTING_MS = 5000, STATUS_OK = 200 };

enum {
    LEASE_KEEP_MS = 1000,  // between two keepings of a session
    LEASE_ASK_MS = 1000,   // until another's is asked for again
    LEASE_AGAIN_MS = 100,  // until one that may not be taken yet is thought of again
    LEASE_RENEW_MS = 2000, // between two looks at one's own
    WORD_SIZE = 64
};

/* An event that became a line which is not settled yet. */
struct unsettled {
    uint64_t number, sequence;
};

// Of one shard.
struct lease {
    enum {
        LEASE_FREE,    // not ours: to be asked for
        LEASE_ASKING,  // whether it can be
        LEASE_READING, // it is: with which session?
        LEASE_HELD
    } state;
    int64_t due_ms;         // when it is asked for, or again
    int64_t keep_ms;        // when the session may be kept next
    bool renewing, keeping; // and not answered yet
    struct gateway_session noted, kept;
    char hold[WORD_SIZE], word[WORD_SIZE];
};

struct shard {
    struct shards *shards;
    struct gateway *gateway;
    struct lease lease;
    struct unsettled unsettled[CHAT_QUEUE_MAX]; // the oldest first
    unsigned unsettled_count;
    struct websocket *socket;
    struct unpack *unpack; // of that socket
    unsigned number;
    int64_t taken_ms;
    int64_t heard_ms; // when Discord last said something there
    bool live;
};

struct shards {
    struct shards_setup setup;
    struct shard *list;
    unsigned count;
    uv_timer_t timer;
    unsigned live; // of them
    uint64_t connects;
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

/* Which shards are this process's, and what their sessions are resumed by: both kept in the store.
 *
 * A shard is led by one process at a time: its word is held (STORE_HOLD) as long as the process
 * lives. Who takes one is told the session that the last one had, and resumes it: nothing that was
 * done meanwhile is lost, and no identification is spent. A session is kept as soon as it is new,
 * and once a second with how far its events are settled; what came after that comes again, and is
 * told apart by the host. Generations with different numbers of shards have words of their own, so
 * that they can live side by side.
 *
 * While other processes serve the store one's own are asked for again and again, so that a loss is
 * noticed; another's are, so that they are taken when it has died. Reference: Discord, sections 2.4
 * and 2.8. */

static struct chat *chat_of(const struct shard *shard)
{
    return shard->shards->setup.chat;
}

static bool lease_is_held(const struct lease *lease)
{
    return lease->state == LEASE_HELD;
}

static bool lease_is_asked_for(const struct lease *lease)
{
    return lease->state == LEASE_ASKING || lease->state == LEASE_READING;
}

// Behind the whole of it: it is ours now, and the session may be all zero; it is another process's.
static void lease_taken(struct shard *shard, const struct gateway_session *session);
static void lease_lost(struct shard *shard);

static struct gateway_session parse_session(const struct chat_kept *kept)
{
    struct gateway_session session = {.id = ""};
    json_t *const object = json_loadb(kept->at, kept->size, 0, NULL);
    const char *const id = json_string_value(json_object_get(object, "id"));
    const char *const url = json_string_value(json_object_get(object, "url"));
    const json_int_t sequence = json_integer_value(json_object_get(object, "seq"));
    if (id != NULL && url != NULL && strlen(id) < sizeof session.id &&
        strlen(url) < sizeof session.url && sequence >= 0) {
        (void)snprintf(session.id, sizeof session.id, "%s", id);
        (void)snprintf(session.url, sizeof session.url, "%s", url);
        session.sequence = (uint64_t)sequence;
    }
    json_decref(object);
    return session;
}

static void on_read(void *user, const struct chat_kept *items, size_t count)
{
    struct shard *const shard = user;
    struct lease *const lease = &shard->lease;
    struct gateway_session session = {.id = ""};
    for (size_t i = 0; i < count; i++) {
        if (strcmp(items[i].word, lease->word) == 0) {
            session = parse_session(&items[i]);
        }
    }
    lease->state = LEASE_HELD;
    lease->due_ms = now_ms(shard->shards) + LEASE_RENEW_MS;
    lease->noted = session;
    lease->kept = session;
    lease_taken(shard, &session);
}

static void free_lease(struct shard *shard, int64_t ms)
{
    struct lease *const lease = &shard->lease;
    lease->state = LEASE_FREE;
    lease->due_ms = now_ms(shard->shards) + ms;
}

static void on_held(void *user, const struct chat_kept *items, size_t count)
{
    struct shard *const shard = user;
    struct lease *const lease = &shard->lease;
    (void)items;
    lease->renewing = false;
    if (count > 0 && lease->state == LEASE_ASKING) {
        lease->state = LEASE_READING;
        lease->due_ms = INT64_MAX;
        if (!chat_read(chat_of(shard), lease->word, on_read, shard)) {
            free_lease(shard, LEASE_ASK_MS); // nothing is kept here
        }
    } else if (count == 0) {
        const bool held = lease->state == LEASE_HELD;
        free_lease(shard, LEASE_ASK_MS);
        if (held) {
            lease_lost(shard);
        }
    }
}

static void ask_for_lease(struct shard *shard)
{
    struct lease *const lease = &shard->lease;
    const bool asked = chat_hold(chat_of(shard), lease->hold, on_held, shard);
    if (lease->state == LEASE_HELD) {
        lease->renewing = asked;
        lease->due_ms = now_ms(shard->shards) + LEASE_RENEW_MS;
    } else if (asked) {
        lease->state = LEASE_ASKING;
        lease->due_ms = INT64_MAX;
    } else {
        free_lease(shard, LEASE_AGAIN_MS);
    }
}

static void on_kept(void *user, const struct chat_kept *items, size_t count)
{
    (void)items;
    (void)count;
    ((struct shard *)user)->lease.keeping = false;
}

static bool is_to_keep(const struct lease *lease)
{
    return lease->state == LEASE_HELD && !lease->keeping && lease->noted.id[0] != '\0' &&
           (lease->noted.sequence != lease->kept.sequence ||
            strcmp(lease->noted.id, lease->kept.id) != 0);
}

static void keep_session(struct shard *shard)
{
    struct lease *const lease = &shard->lease;
    json_t *const object = json_pack("{s:s, s:s, s:I}", "id", lease->noted.id, "url",
                                     lease->noted.url, "seq", (json_int_t)lease->noted.sequence);
    char *const text = object != NULL ? json_dumps(object, JSON_COMPACT) : NULL;
    const struct chat_kept item = {
        .word = lease->word, .at = text, .size = text != NULL ? strlen(text) : 0};
    if (text != NULL && chat_keep(chat_of(shard), &item, on_kept, shard)) {
        lease->kept = lease->noted;
        lease->keeping = true;
    }
    lease->keep_ms = now_ms(shard->shards) + LEASE_KEEP_MS;
    free(text);
    json_decref(object);
}

// What its session is resumed by when all that is settled is behind it.
static void note_for_lease(struct shard *shard, const struct gateway_session *session)
{
    struct lease *const lease = &shard->lease;
    if (strcmp(session->id, lease->noted.id) != 0) {
        lease->keep_ms = now_ms(shard->shards); // a new one at once
    }
    lease->noted = *session;
}

// Does what is due. `may_take`: it may become ours.
static void tick_lease(struct shard *shard, bool may_take)
{
    struct lease *const lease = &shard->lease;
    const int64_t now = now_ms(shard->shards);
    if (lease->due_ms <= now) {
        if (lease->state != LEASE_HELD ? may_take
                                       : chat_shares(chat_of(shard)) && !lease->renewing) {
            ask_for_lease(shard);
        } else {
            lease->due_ms = now + (lease->state == LEASE_HELD ? LEASE_RENEW_MS : LEASE_AGAIN_MS);
        }
    }
    if (is_to_keep(lease) && lease->keep_ms <= now) {
        keep_session(shard);
    }
}

static int64_t lease_due_ms(const struct lease *lease)
{
    return is_to_keep(lease) && lease->keep_ms < lease->due_ms ? lease->keep_ms : lease->due_ms;
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
        note_for_lease(shard, &session);
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
static unsigned own_share(const struct shards *shards)
{
    const unsigned processes = crew_peers(shards->crew);
    if (!chat_shares(shards->setup.chat)) {
        return shards->count;
    }
    return processes > 0 ? (shards->count + processes - 1) / processes : 1;
}

static void tell_link(struct shards *shards, struct shard *shard, bool live)
{
    char text[64];
    shard->live = live;
    shards->live = live ? shards->live + 1 : shards->live - 1;
    shards->connects += live ? 1 : 0;
    (void)snprintf(text, sizeof text, "shard %u of %u", shard->number, shards->count);
    shards->setup.log(shards->setup.log_user, NET_LOG_INFO,
                      live ? "gateway-connected" : "gateway-lost", text);
    const struct shard_link link = {.shard = shard->number,
                                    .shards = shards->count,
                                    .live = shards->live,
                                    .own = own_share(shards),
                                    .linked = live,
                                    .handed_on = !lease_is_held(&shard->lease)};
    shards->setup.linked(shards->setup.user, &link);
}

static void look_at_links(struct shards *shards)
{
    for (unsigned i = 0; i < shards->count; i++) {
        struct shard *const shard = &shards->list[i];
        const bool live = gateway_state(shard->gateway) == GATEWAY_LIVE;
        if (live != shard->live) {
            tell_link(shards, shard, live);
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
    look_at_links(shard->shards);
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
    shard->heard_ms = now_ms(shard->shards);
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
    look_at_links(shard->shards);
}

static void on_closed(void *user, int code)
{
    struct shard *const shard = user;
    shard->socket = NULL;
    gateway_closed(shard->gateway, code, now_ms(shard->shards));
    look_at_links(shard->shards);
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

static void lease_taken(struct shard *shard, const struct gateway_session *session)
{
    shard->unsettled_count = 0;
    shard->taken_ms = shard->heard_ms = now_ms(shard->shards);
    if (session->id[0] != '\0') { // who had it may have identified a moment ago
        crew_identified(shard->shards->crew, shard->number, now_ms(shard->shards));
    }
    gateway_start(shard->gateway, session->id[0] != '\0' ? session : NULL, now_ms(shard->shards));
    look_at_links(shard->shards);
}

static void lease_lost(struct shard *shard)
{
    shard->shards->setup.log(shard->shards->setup.log_user, NET_LOG_INFO, "gateway-handed-over",
                             "another process took over one of this process's shards");
    gateway_stop(shard->gateway, true);
    look_at_links(shard->shards);
}

static const char *why_away(enum gateway_state state)
{
    const char *why = NULL;
    switch (state) {
    case GATEWAY_OFF:
    case GATEWAY_ASKING:
        why = "asking Discord for the gateway's address";
        break;
    case GATEWAY_CONNECTING:
    case GATEWAY_GREETING:
        why = "connecting to the gateway";
        break;
    case GATEWAY_RESUMING:
        why = "resuming a gateway session";
        break;
    case GATEWAY_QUEUING:
        why = "waiting for leave to identify at the gateway";
        break;
    case GATEWAY_IDENTIFYING:
        why = "identifying at the gateway";
        break;
    case GATEWAY_WAITING:
        why = "the gateway connection was lost; waiting for the next attempt";
        break;
    case GATEWAY_FATAL:
        why = "Discord has closed the gateway for good; the log says why";
        break;
    case GATEWAY_LIVE:
        break;
    }
    return why;
}

void shards_figures(const struct shards *shards, struct chat_figures *out)
{
    out->live = shards->live;
    out->connects = shards->connects;
    for (unsigned i = 0; i < shards->count; i++) {
        const struct shard *const shard = &shards->list[i];
        if (lease_is_held(&shard->lease)) {
            const char *const why = why_away(gateway_state(shard->gateway));
            const int64_t silent_ms = now_ms(shards) - shard->heard_ms;
            out->links++;
            out->away = why != NULL ? why : out->away;
            out->silent_ms = silent_ms > out->silent_ms ? silent_ms : out->silent_ms;
        }
    }
    if (out->links == 0) {
        const char *const why = "other processes lead all shards";
        out->standby = shards->count > 0 && chat_shares(shards->setup.chat);
        out->away = out->standby ? why : why_away(GATEWAY_ASKING);
    }
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
        (void)snprintf(shard->lease.hold, WORD_SIZE, "shard/%u/%u.", count, i);
        (void)snprintf(shard->lease.word, WORD_SIZE, "session/%u/%u.", count, i);
        shard->gateway = gateway_create(&setup);
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
        const bool ours = lease_is_held(&shard->lease);
        held += ours ? 1 : 0;
        starting = starting || lease_is_asked_for(&shard->lease) ||
                   (ours && !shard->live && now_ms(shards) - shard->taken_ms < STARTING_MS);
    }
    for (unsigned i = 0; i < shards->count; i++) {
        tick_lease(&shards->list[i], !starting && held < own_share(shards));
        starting = starting || lease_is_asked_for(&shards->list[i].lease);
    }
}

/* Where the gateway is. */

static void found(struct shards *shards)
{
    for (unsigned i = 0; i < shards->count; i++) {
        gateway_found(shards->list[i].gateway, shards->url, now_ms(shards));
    }
    look_at_links(shards);
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
    look_at_links(shards);
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
        next = earlier(next, lease_due_ms(&shards->list[i].lease));
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
        unpack_destroy(shards->list[i].unpack);
    }
    crew_destroy(shards->crew);
    free(shards->list);
    free(shards);
}
