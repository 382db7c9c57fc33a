#include "adapters/discord/gateway/gateway.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "core/codec/memory.h"

#include "adapters/discord/wire/frame.h"

enum {
    OP_DISPATCH = 0,
    OP_HEARTBEAT = 1,
    OP_RECONNECT = 7,
    OP_INVALID_SESSION = 9,
    OP_HELLO = 10,
    OP_HEARTBEAT_ACK = 11,

    OPEN_MS = 30000,
    HELLO_MS = 30000,
    READY_MS = 45000,
    ASK_MS = 30000,
    LIVED_MS = 60000, /* a connection that lived so long was a good one */
    BACK_OFF_FIRST_MS = 1000,
    BACK_OFF_LAST_MS = 120000,
    BACK_OFF_ANEW_MS =
        600000, /* without a session: each attempt costs one of the day's IDENTIFYs */
    INVALID_LEAST_MS = 1000,
    INVALID_MOST_MS = 5000,
    LEAVE_MS = 1000,
    BEAT_LEAST_MS = 1000,
    BEAT_MOST_MS = 300000,
    RESUMES_MAX = 3,     /* in a row; then a new session */
    UNREACHABLE_MAX = 2, /* connections to a resume address that failed */
    SEND_SIZE = 1024
};
#define QUIET_MS INT64_C(86400000)

struct gateway {
    struct gateway_setup setup;
    enum gateway_state state;
    struct gateway_session session;
    char main_url[GATEWAY_URL_SIZE]; /* "" : to be asked for */
    uint64_t chance;
    int64_t due_ms;  /* of the phase: too late, or when to go on */
    int64_t beat_ms; /* when the next beat is due; GATEWAY_NEVER before HELLO */
    int64_t interval_ms;
    int64_t live_ms; /* since when it lives */
    int64_t deed_ms; /* when somebody last did something; GATEWAY_NEVER: not in this session */
    int64_t back_off_ms;
    unsigned resumes, unreachable;
    bool resume_at_once; /* the first attempt after a good connection */
    bool acked;          /* the last beat of the timer */
    bool on_resume_url;
    unsigned long identifies;
};

// xorshift: jitter needs to differ between processes, not to be unforeseeable.
static uint64_t draw(struct gateway *gateway, uint64_t below)
{
    uint64_t x = gateway->chance;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    gateway->chance = x;
    return x % below;
}

static bool has_session(const struct gateway *gateway)
{
    return gateway->session.id[0] != '\0';
}

static void forget_session(struct gateway *gateway)
{
    gateway->session = (struct gateway_session){.id = ""};
    gateway->deed_ms = GATEWAY_NEVER;
    gateway->resumes = 0;
    gateway->unreachable = 0;
}

static bool is_open(const struct gateway *gateway)
{
    switch (gateway->state) {
    case GATEWAY_CONNECTING:
    case GATEWAY_GREETING:
    case GATEWAY_RESUMING:
    case GATEWAY_QUEUING:
    case GATEWAY_IDENTIFYING:
    case GATEWAY_LIVE:
        return true;
    case GATEWAY_OFF:
    case GATEWAY_ASKING:
    case GATEWAY_WAITING:
    case GATEWAY_FATAL:
        break;
    }
    return false;
}

static void enter(struct gateway *gateway, enum gateway_state state, int64_t due_ms)
{
    gateway->state = state;
    gateway->due_ms = due_ms;
}

/* Connecting. */

static void go_on(struct gateway *gateway, int64_t now_ms)
{
    gateway->beat_ms = GATEWAY_NEVER;
    gateway->on_resume_url = has_session(gateway);
    if (!gateway->on_resume_url && gateway->main_url[0] == '\0') {
        enter(gateway, GATEWAY_ASKING, now_ms + ASK_MS);
        gateway->setup.ask(gateway->setup.user);
        return;
    }
    enter(gateway, GATEWAY_CONNECTING, now_ms + OPEN_MS);
    gateway->setup.connect(gateway->setup.user,
                           gateway->on_resume_url ? gateway->session.url : gateway->main_url);
}

// The next attempt, spaced from the last unless that was a good connection.
static void wait(struct gateway *gateway, int64_t least_ms, int64_t now_ms)
{
    int64_t ms = 0;
    if (gateway->resume_at_once) {
        gateway->resume_at_once = false;
    } else {
        ms = gateway->back_off_ms == 0 ? BACK_OFF_FIRST_MS : gateway->back_off_ms * 2;
        const int64_t most = has_session(gateway) ? BACK_OFF_LAST_MS : BACK_OFF_ANEW_MS;
        ms = ms < most ? ms : most;
        gateway->back_off_ms = ms;
        ms += (int64_t)draw(gateway, (uint64_t)(ms * 2 / 5) + 1) - ms / 5;
    }
    ms = ms > least_ms ? ms : least_ms;
    gateway->beat_ms = GATEWAY_NEVER;
    enter(gateway, GATEWAY_WAITING, now_ms + ms);
}

static void note_loss(struct gateway *gateway, int64_t now_ms)
{
    if (gateway->state == GATEWAY_LIVE && now_ms - gateway->live_ms >= LIVED_MS) {
        gateway->resume_at_once = true;
        gateway->back_off_ms = 0;
        gateway->resumes = 0;
    }
    const bool reached = gateway->state != GATEWAY_CONNECTING;
    gateway->unreachable = reached ? 0 : gateway->unreachable + 1;
    if (gateway->on_resume_url && gateway->unreachable >= UNREACHABLE_MAX) {
        forget_session(gateway); // retrying a dead address for ever is the commonest real outage
    }
    if (gateway->state == GATEWAY_RESUMING && ++gateway->resumes >= RESUMES_MAX) {
        forget_session(gateway);
    }
    if (!gateway->on_resume_url && !reached) {
        gateway->main_url[0] = '\0'; // perhaps it has moved
    }
}

// The connection is of no use any more.
static void drop(struct gateway *gateway, int64_t least_ms, int64_t now_ms)
{
    note_loss(gateway, now_ms);
    wait(gateway, least_ms, now_ms);
    gateway->setup.close(gateway->setup.user, GATEWAY_CLOSE_OURS);
}

static void die(struct gateway *gateway, const struct mb_error *why)
{
    forget_session(gateway);
    gateway->beat_ms = GATEWAY_NEVER;
    enter(gateway, GATEWAY_FATAL, GATEWAY_NEVER);
    gateway->setup.fatal(gateway->setup.user, why);
}

/* Sending. All texts are far below the 4096 bytes that Discord takes. */

static void send_json(struct gateway *gateway, json_t *object)
{
    char *const text = json_dumps(object, JSON_COMPACT);
    gateway->setup.send(gateway->setup.user, text, strlen(text));
    free(text);
    json_decref(object);
}

static void send_beat(struct gateway *gateway)
{
    char text[SEND_SIZE];
    int size = 0;
    if (has_session(gateway) && gateway->session.sequence > 0) {
        size =
            snprintf(text, sizeof text, "{\"op\":1,\"d\":%" PRIu64 "}", gateway->session.sequence);
    } else {
        size = snprintf(text, sizeof text, "{\"op\":1,\"d\":null}");
    }
    gateway->setup.send(gateway->setup.user, text, (size_t)size);
}

static void send_resume(struct gateway *gateway, int64_t now_ms)
{
    enter(gateway, GATEWAY_RESUMING, now_ms + READY_MS);
    send_json(gateway, json_pack("{s:i, s:{s:s, s:s, s:I}}", "op", 6, "d", "token",
                                 gateway->setup.token, "session_id", gateway->session.id, "seq",
                                 (json_int_t)gateway->session.sequence));
}

static void send_identify(struct gateway *gateway, int64_t now_ms)
{
    enter(gateway, GATEWAY_IDENTIFYING, now_ms + READY_MS);
    gateway->identifies++;
    send_json(gateway,
              json_pack("{s:i, s:{s:s, s:i, s:{s:s, s:s, s:s}, s:b, s:i, s:[i, i],"
                        " s:{s:n, s:[{s:s, s:i}], s:s, s:b}}}",
                        "op", 2, "d", "token", gateway->setup.token, "intents",
                        (int)GATEWAY_INTENTS, "properties", "os", "linux", "browser", "munchbot",
                        "device", "munchbot", "compress", 0, "large_threshold", 50, "shard",
                        (int)gateway->setup.shard, (int)gateway->setup.shards, "presence", "since",
                        "activities", "name", "cards", "type", 0, "status", "online", "afk", 0));
}

static void identify(struct gateway *gateway, int64_t now_ms)
{
    if (gateway->setup.may_identify(gateway->setup.user, gateway->setup.shard)) {
        send_identify(gateway, now_ms);
    } else {
        enter(gateway, GATEWAY_QUEUING, now_ms + LEAVE_MS);
    }
}

/* What comes. */

static void greeted(struct gateway *gateway, const struct gateway_frame *frame, int64_t now_ms)
{
    json_t *const data = json_loadb(frame->data, frame->data_size, 0, NULL);
    const json_t *const interval = json_object_get(data, "heartbeat_interval");
    const int64_t ms = json_is_integer(interval) ? json_integer_value(interval) : 0;
    json_decref(data);
    if (ms < BEAT_LEAST_MS || ms > BEAT_MOST_MS) {
        drop(gateway, 0, now_ms);
        return;
    }
    gateway->interval_ms = ms;
    gateway->acked = true; // nothing of an earlier connection counts
    gateway->beat_ms = now_ms + (int64_t)draw(gateway, (uint64_t)ms) + 1;
    if (gateway->state != GATEWAY_GREETING) {
        return; // a second one
    }
    if (has_session(gateway)) {
        send_resume(gateway, now_ms);
    } else {
        identify(gateway, now_ms);
    }
}

static void copy_string(char *to, size_t size, const json_t *object, const char *key)
{
    const char *const text = json_string_value(json_object_get(object, key));
    (void)snprintf(to, size, "%s", text != NULL && strlen(text) < size ? text : "");
}

// Sessions have lived on, beat for beat, while interactions had ceased to come: when there were
// some and there is none for a day, a new one is made.
static int64_t quiet_ms(const struct gateway *gateway)
{
    return gateway->deed_ms >= 0 ? gateway->deed_ms + QUIET_MS : GATEWAY_NEVER;
}

static void live(struct gateway *gateway, int64_t now_ms)
{
    enter(gateway, GATEWAY_LIVE, quiet_ms(gateway));
    gateway->live_ms = now_ms;
}

static void ready(struct gateway *gateway, const struct gateway_frame *frame, int64_t now_ms)
{
    json_t *const data = json_loadb(frame->data, frame->data_size, 0, NULL);
    copy_string(gateway->session.id, sizeof gateway->session.id, data, "session_id");
    copy_string(gateway->session.url, sizeof gateway->session.url, data, "resume_gateway_url");
    json_decref(data);
    gateway->session.sequence = frame->sequence;
    gateway->resumes = 0;
    if (gateway->session.url[0] == '\0') {
        forget_session(gateway); // it cannot be resumed, but it lives
    }
    live(gateway, now_ms);
}

static void dispatched(struct gateway *gateway, const struct gateway_frame *frame, int64_t now_ms)
{
    if (gateway->state == GATEWAY_IDENTIFYING && strcmp(frame->event, "READY") == 0) {
        ready(gateway, frame, now_ms);
    } else if (gateway->state == GATEWAY_RESUMING && strcmp(frame->event, "RESUMED") == 0) {
        gateway->resumes = 0;
        live(gateway, now_ms);
    } else if (gateway->state != GATEWAY_RESUMING && gateway->state != GATEWAY_LIVE) {
        return;
    }
    if (strcmp(frame->event, "INTERACTION_CREATE") == 0) {
        gateway->deed_ms = now_ms;
        gateway->due_ms = gateway->state == GATEWAY_LIVE ? quiet_ms(gateway) : gateway->due_ms;
    }
    if (frame->event[0] != '\0' && frame->data != NULL) {
        gateway->setup.dispatch(gateway->setup.user, frame->event, frame->data, frame->data_size);
    }
    // After its effect: what was replayed twice is told apart by the host.
    if (frame->numbered && has_session(gateway) && frame->sequence > gateway->session.sequence) {
        gateway->session.sequence = frame->sequence;
    }
}

static void invalid(struct gateway *gateway, const struct gateway_frame *frame, int64_t now_ms)
{
    const bool resumable = frame->data_size == 4 && memcmp(frame->data, "true", 4) == 0;
    if (!resumable) {
        forget_session(gateway);
    }
    const uint64_t span = INVALID_MOST_MS - INVALID_LEAST_MS;
    drop(gateway, INVALID_LEAST_MS + (int64_t)draw(gateway, span + 1), now_ms);
}

void gateway_heard(struct gateway *gateway, const char *text, size_t size, int64_t now_ms)
{
    struct gateway_frame frame;
    struct mb_error err = {0};
    if (!is_open(gateway) || gateway->state == GATEWAY_CONNECTING) {
        return; // of a socket that is given up
    }
    if (!frame_read(text, size, &frame, &err)) {
        drop(gateway, 0, now_ms);
        return;
    }
    switch (frame.op) {
    case OP_HELLO:
        greeted(gateway, &frame, now_ms);
        break;
    case OP_DISPATCH:
        dispatched(gateway, &frame, now_ms);
        break;
    case OP_HEARTBEAT:
        send_beat(gateway); // beside the timer's: its ack is not waited for
        break;
    case OP_HEARTBEAT_ACK:
        gateway->acked = true;
        break;
    case OP_RECONNECT:
        gateway->resume_at_once = true;
        drop(gateway, 0, now_ms);
        break;
    case OP_INVALID_SESSION:
        invalid(gateway, &frame, now_ms);
        break;
    default:
        break; // new ones appear at any time
    }
}

/* What happens to the socket. */

// Codes after which another attempt would be as vain: reference, section 2.4. True for all others.
static bool may_come_back(int code, struct mb_error *err)
{
    switch (code) {
    case 4004:
        return mb_fail(err, MB_ERR_INPUT,
                       "Discord rejected the bot's token: put the one from the developer portal "
                       "into MUNCHBOT_DISCORD_TOKEN or the token file");
    case 4010:
        return mb_fail(
            err, MB_ERR_INPUT,
            "Discord rejected the shard's number: remove \"shards\" from the configuration");
    case 4011:
        return mb_fail(err, MB_ERR_INPUT,
                       "this bot is in too many servers for so few shards: raise or remove "
                       "\"shards\" in the configuration");
    case 4012:
        return mb_fail(err, MB_ERR_STATE,
                       "Discord no longer supports gateway version 10: update munchbot");
    case 4013:
    case 4014:
        return mb_fail(err, MB_ERR_STATE,
                       "Discord rejected the intents, though none is privileged: update munchbot");
    default:
        return true;
    }
}

void gateway_closed(struct gateway *gateway, int code, int64_t now_ms)
{
    struct mb_error err = {0};
    if (!is_open(gateway)) {
        return;
    }
    if (!may_come_back(code, &err)) {
        die(gateway, &err);
        return;
    }
    note_loss(gateway, now_ms);
    if (code == 4007 || code == 4009) { // the session is no more
        forget_session(gateway);
    }
    wait(gateway, 0, now_ms);
}

void gateway_opened(struct gateway *gateway, int64_t now_ms)
{
    if (gateway->state == GATEWAY_CONNECTING) {
        gateway->unreachable = 0;
        enter(gateway, GATEWAY_GREETING, now_ms + HELLO_MS);
    }
}

void gateway_found(struct gateway *gateway, const char *url, int64_t now_ms)
{
    if (gateway->state != GATEWAY_ASKING) {
        return;
    }
    if (url[0] == '\0' || strlen(url) >= sizeof gateway->main_url) {
        wait(gateway, 0, now_ms);
        return;
    }
    (void)snprintf(gateway->main_url, sizeof gateway->main_url, "%s", url);
    go_on(gateway, now_ms);
}

void gateway_not_found(struct gateway *gateway, int64_t now_ms)
{
    if (gateway->state == GATEWAY_ASKING) {
        wait(gateway, 0, now_ms);
    }
}

/* Time. */

static int64_t earlier(int64_t a, int64_t b)
{
    return a < 0 || (b >= 0 && b < a) ? b : a;
}

int64_t gateway_due_ms(const struct gateway *gateway)
{
    return earlier(gateway->due_ms, is_open(gateway) ? gateway->beat_ms : GATEWAY_NEVER);
}

static void beat(struct gateway *gateway, int64_t now_ms)
{
    if (!gateway->acked) {
        drop(gateway, 0, now_ms); // a zombie: it lives for nobody
        return;
    }
    gateway->acked = false;
    gateway->beat_ms = now_ms + gateway->interval_ms;
    send_beat(gateway);
}

void gateway_tick(struct gateway *gateway, int64_t now_ms)
{
    if (gateway->due_ms >= 0 && gateway->due_ms <= now_ms) {
        switch (gateway->state) {
        case GATEWAY_WAITING:
            go_on(gateway, now_ms);
            break;
        case GATEWAY_QUEUING:
            identify(gateway, now_ms);
            break;
        case GATEWAY_ASKING:
            wait(gateway, 0, now_ms);
            break;
        case GATEWAY_CONNECTING:
        case GATEWAY_GREETING:
        case GATEWAY_RESUMING:
        case GATEWAY_IDENTIFYING:
            drop(gateway, 0, now_ms); // it took too long
            break;
        case GATEWAY_LIVE:
            gateway_identify_anew(gateway, now_ms);
            break;
        case GATEWAY_OFF:
        case GATEWAY_FATAL:
            break;
        }
    }
    if (is_open(gateway) && gateway->beat_ms >= 0 && gateway->beat_ms <= now_ms) {
        beat(gateway, now_ms);
    }
}

/* Beginning and end. */

struct gateway *gateway_create(const struct gateway_setup *setup)
{
    struct gateway *const gateway = mb_new(1, sizeof *gateway);
    assert(setup->shard < setup->shards && strlen(setup->token) < GATEWAY_TOKEN_SIZE);
    gateway->setup = *setup;
    gateway->chance = setup->chance | 1u;
    gateway->due_ms = GATEWAY_NEVER;
    gateway->deed_ms = GATEWAY_NEVER;
    gateway->beat_ms = GATEWAY_NEVER;
    return gateway;
}

void gateway_destroy(struct gateway *gateway)
{
    free(gateway);
}

void gateway_start(struct gateway *gateway, const struct gateway_session *session, int64_t now_ms)
{
    if (session != NULL) {
        gateway->session = *session;
    }
    go_on(gateway, now_ms);
}

void gateway_stop(struct gateway *gateway, bool keep)
{
    enum { CLOSE_END = 1000 };
    const bool open = is_open(gateway);
    enter(gateway, GATEWAY_OFF, GATEWAY_NEVER);
    if (open) {
        gateway->setup.close(gateway->setup.user, keep ? GATEWAY_CLOSE_OURS : CLOSE_END);
    }
    if (!keep) {
        forget_session(gateway);
    }
}

void gateway_identify_anew(struct gateway *gateway, int64_t now_ms)
{
    forget_session(gateway);
    gateway->resume_at_once = true;
    if (is_open(gateway)) {
        drop(gateway, 0, now_ms);
    }
}

enum gateway_state gateway_state(const struct gateway *gateway)
{
    return gateway->state;
}

const struct gateway_session *gateway_session(const struct gateway *gateway)
{
    return &gateway->session;
}

unsigned long gateway_identifies(const struct gateway *gateway)
{
    return gateway->identifies;
}
