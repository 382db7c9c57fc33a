#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/matrix/poll_impl.h"

enum {
    POLL_MS = 30000,
    POLL_MORE_MS = 30000, // an answer may be late by that
    FULL_MS = 600000,     // the first one, of all rooms
    WAIT_LAST_MS = 8000,  // people wait behind it
    HOLD_MS = 1000,       // until another's is asked for again
    RENEW_MS = 2000,
    SILENCE_MS = 45000,
    TRICKLE_MS = 1000,  // between two rooms that are asked for alone
    PIECE = 16,         // events between two looks at the clock
    PIECE_NS = 3000000, // for the loop at a time: at most 5 ms with what else it has to do
    STATUS_UNAUTHORIZED = 401,
    STATUS_BAD = 400
};

static void log_line(const struct poll *poll, enum net_log_level level, const char *event,
                     const char *text)
{
    poll->setup.log(poll->setup.log_user, level, event, text);
}

/* Trying again. */

static void on_timer(uv_timer_t *timer)
{
    poll_step(timer->data);
}

static void step_in(struct poll *poll, int64_t ms)
{
    if (!poll->stopped) {
        (void)uv_timer_start(&poll->timer, on_timer, (uint64_t)ms, 0);
    }
}

void poll_step_again(struct poll *poll, const struct api_answer *answer)
{
    const int64_t wait = api_wait_ms(answer, poll->tries++);
    log_line(poll, NET_LOG_WARN, "homeserver-away", answer->why);
    step_in(poll, answer->retry_ms > 0 || wait < WAIT_LAST_MS ? wait : (int64_t)WAIT_LAST_MS);
}

void poll_not_asked(struct poll *poll)
{
    struct mb_error err = {0};
    (void)mb_fail(&err, MB_ERR_RETRY, "nothing could be asked: out of memory, or too early");
    poll_step_again(poll, &(const struct api_answer){.errcode = "", .why = err.text});
}

bool poll_is_over(const struct poll *poll, const struct api_answer *answer)
{
    struct mb_error err = {0};
    const bool over = answer->status == STATUS_UNAUTHORIZED &&
                      !json_is_true(json_object_get(answer->body, "soft_logout"));
    if (over) {
        (void)mb_fail(
            &err, MB_ERR_INPUT,
            "the homeserver rejected the bot's token: \"munchbot matrix login\" creates a new one");
        poll->setup.fatal(poll->setup.log_user, &err);
    }
    return over;
}

static bool is_over(void *user, const struct api_answer *answer)
{
    return poll_is_over(user, answer);
}

/* Whose it is to listen. */

void poll_begin_anew(struct poll *poll)
{
    poll->lost = poll->all_told = poll->walked = poll->alone = false;
    cuts_clear(&poll->cuts);
    poll->tries = 0;
    poll->step = STEP_HOLD;
    step_in(poll, HOLD_MS);
}

static void told_renewed(void *user, const struct chat_kept *items, size_t count)
{
    struct poll *const poll = user;
    (void)items;
    if (poll->stopped || poll->step < STEP_SINCE || poll->lost || count > 0) {
        return;
    }
    log_line(poll, NET_LOG_WARN, "listening", "another process syncs now");
    poll->lost = true;
    (void)uv_timer_stop(&poll->silence);
    poll->setup.silent(poll->setup.user);
    if (poll->walked || uv_is_active((const uv_handle_t *)&poll->timer) != 0) {
        poll_begin_anew(poll); // nothing is under way that would come to it
    }
}

static void on_renew(uv_timer_t *timer)
{
    struct poll *const poll = timer->data;
    if (poll->step >= STEP_SINCE && chat_shares(poll->setup.chat)) {
        (void)!chat_hold(poll->setup.chat, "speaks", told_renewed, poll);
    }
}

static void told_held(void *user, const struct chat_kept *items, size_t count)
{
    struct poll *const poll = user;
    (void)items;
    if (poll->stopped) {
        return;
    }
    if (count == 0) {
        step_in(poll, HOLD_MS);
        return;
    }
    poll->step = STEP_SINCE;
    (void)uv_timer_start(&poll->renew, on_renew, RENEW_MS, RENEW_MS);
    poll_step(poll);
}

static void ask_to_hold(struct poll *poll)
{
    if (!chat_hold(poll->setup.chat, "speaks", told_held, poll)) {
        poll_not_asked(poll);
    }
}

/* One sync after the other. */

static void on_silence(uv_timer_t *timer)
{
    struct poll *const poll = timer->data;
    log_line(poll, NET_LOG_WARN, "homeserver-away", "the homeserver has sent nothing for too long");
    poll->setup.silent(poll->setup.user);
}

static void end_walk(struct poll *poll)
{
    json_t *const answer = json_incref(poll->walk.answer);
    (void)uv_idle_stop(&poll->idle);
    sync_end(&poll->walk);
    api_discard(poll->setup.api, answer);
}

static void tell_end(struct poll *poll)
{
    end_walk(poll);
    if (!poll->all_told) {
        poll->all_told = true;
        log_line(poll, NET_LOG_INFO, "connected", poll->bot);
    }
    poll->tries = 0;
    poll->ration = (struct ration){0};
    poll->walked = true;
    (void)uv_timer_start(&poll->silence, on_silence, SILENCE_MS, 0);
    poll->setup.walked(poll->setup.user);
}

static void on_walk(uv_idle_t *idle);

static void opened(void *user, json_t *events)
{
    struct poll *const poll = user;
    sync_open(&poll->walk, events);
    (void)uv_idle_start(&poll->idle, on_walk);
}

// Until it is opened nothing goes on.
static bool open_sealed(struct poll *poll)
{
    const struct sync_sealed *const sealed = &poll->walk.sealed;
    (void)uv_idle_stop(&poll->idle);
    return seal_open(poll->setup.seal, sealed->room, sealed->events, opened, poll);
}

static const char *since_of(const struct poll *poll)
{
    return poll->alone ? poll->cuts.first->since : stream_since(poll->stream);
}

static void on_walk(uv_idle_t *idle)
{
    struct poll *const poll = idle->data;
    const uint64_t begin = uv_hrtime();
    enum sync_state state = SYNC_MORE;
    while (state == SYNC_MORE && !poll->lost && uv_hrtime() - begin < PIECE_NS) {
        state = sync_go(&poll->walk, PIECE);
    }
    if (poll->lost) {
        end_walk(poll);
        poll_begin_anew(poll);
    } else if (state == SYNC_GAP) {
        (void)uv_idle_stop(idle); // until it is filled
        gap_ask(poll->gap, &poll->walk.gap, since_of(poll));
    } else if (state == SYNC_MEMBERS) {
        (void)uv_idle_stop(idle);
        gap_ask_members(poll->gap, poll->walk.gap.room);
    } else if (state == SYNC_BROKEN || (state == SYNC_SEALED && !open_sealed(poll))) {
        end_walk(poll);
        poll_not_asked(poll);
    } else if (state == SYNC_DONE) {
        tell_end(poll);
    }
}

static void filled(void *user, json_t *events, bool whole)
{
    struct poll *const poll = user;
    if (!whole && !poll->lost && poll->walk.gap.from != NULL) {
        log_line(poll, NET_LOG_WARN, "gap", "some messages of a room were not delivered");
        poll->setup.lost(poll->setup.user, poll->walk.gap.room, poll->next);
    }
    sync_fill(&poll->walk, events);
    (void)uv_idle_start(&poll->idle, on_walk);
}

static void log_cut(const struct poll *poll, unsigned cut)
{
    char text[64];
    (void)snprintf(text, sizeof text, "left out of a sync, as too large: %u", cut);
    log_line(poll, NET_LOG_WARN, "sync-cut", text);
}

static void ask_for_less(struct poll *poll)
{
    step_in(poll, ration_cut(&poll->ration, poll->setup.log, poll->setup.log_user));
}

// NULL: it is no answer to a sync.
static const char *begin_walk(struct poll *poll, const struct api_answer *answer)
{
    struct sync_told told = poll->setup.told;
    told.bot = poll->bot;
    told.first = since_of(poll)[0] == '\0';
    return api_good(answer) ? sync_begin(&poll->walk, answer->body, &told) : NULL;
}

static void synced(void *user, const struct api_answer *answer)
{
    struct poll *const poll = user;
    if (poll->stopped || poll_is_over(poll, answer)) {
        return;
    }
    if (poll->lost) {
        poll_begin_anew(poll);
        return;
    }
    // A proxy's 400 says nothing of the token.
    if (answer->status == STATUS_BAD && answer->errcode[0] != '\0' &&
        stream_since(poll->stream)[0] != '\0') {
        log_line(poll, NET_LOG_WARN, "sync-token",
                 "the homeserver rejected the position: syncing from the beginning");
        (void)!stream_advance(poll->stream, "");
        poll->all_told = false;
        poll->step = STEP_JOINED;
        poll_step_again(poll, answer);
        return;
    }
    if (answer->too_long || (answer->cut > 0 && !ration_is_least(&poll->ration))) {
        ask_for_less(poll);
        return;
    }
    if (answer->cut > 0) {
        log_cut(poll, answer->cut);
        cuts_note(&poll->cuts, answer->body, stream_since(poll->stream), !poll->all_told);
    }
    const char *const next = begin_walk(poll, answer);
    if (next == NULL || strlen(next) >= STREAM_TOKEN_SIZE) {
        sync_end(&poll->walk);
        poll_step_again(poll, answer);
        return;
    }
    (void)snprintf(poll->next, sizeof poll->next, "%s", next);
    if (poll->joined != NULL) {
        poll->setup.counted(poll->setup.user, poll->joined, answer->body);
        json_decref(poll->joined);
        poll->joined = NULL;
    }
    (void)uv_idle_start(&poll->idle, on_walk);
}

static void not_alone(struct poll *poll)
{
    log_line(poll, NET_LOG_WARN, "sync-cut", "a room cannot be asked for alone now");
    cuts_again(&poll->cuts);
    poll->alone = false;
    poll_step(poll);
}

// One room is told, and nothing is known of what comes behind that: the stream stands.
static void synced_alone(void *user, const struct api_answer *answer)
{
    struct poll *const poll = user;
    if (poll->stopped || poll_is_over(poll, answer)) {
        return;
    }
    if (poll->lost) {
        poll_begin_anew(poll);
    } else if (begin_walk(poll, answer) != NULL) {
        (void)uv_idle_start(&poll->idle, on_walk);
    } else {
        sync_end(&poll->walk);
        not_alone(poll);
    }
}

static void ask_alone(struct poll *poll)
{
    char path[API_PATH_SIZE];
    struct api_call call;
    const struct cut *const cut = poll->cuts.first;
    const struct ration_ask ask = {.since = cut->since, .all = cut->all, .room = cut->room};
    poll->alone = true;
    if (!ration_call(&(const struct ration){0}, &ask, path, &call) ||
        api_call(poll->setup.api, &call, synced_alone, poll) == 0) {
        not_alone(poll);
    }
}

static void ask_sync(struct poll *poll)
{
    char path[API_PATH_SIZE];
    struct api_call call;
    const struct ration_ask ask = {.since = stream_since(poll->stream),
                                   .all = !poll->all_told,
                                   .wait_ms = poll->cuts.first == NULL ? POLL_MS : TRICKLE_MS};
    const bool good = ration_call(&poll->ration, &ask, path, &call);
    call.timeout_ms = poll->all_told ? POLL_MS + POLL_MORE_MS : FULL_MS;
    if (!good || api_call(poll->setup.api, &call, synced, poll) == 0) {
        poll_not_asked(poll);
    }
}

void poll_step(struct poll *poll)
{
    static void (*const STEPS[])(struct poll *poll) = {
        [STEP_WHOAMI] = poll_ask_who,  [STEP_PROFILE] = poll_ask_name,  [STEP_HOLD] = ask_to_hold,
        [STEP_SINCE] = poll_ask_since, [STEP_JOINED] = poll_ask_joined, [STEP_SYNC] = ask_sync};
    STEPS[poll->step](poll);
}

/* Whole. */

void poll_start(struct poll *poll)
{
    poll_step(poll);
}

void poll_go_on(struct poll *poll)
{
    if (poll->walked && !poll->stopped) {
        poll->walked = false;
        if (poll->alone) {
            poll->alone = false;
            cuts_told(&poll->cuts);
            poll_step(poll);
            return;
        }
        (void)!stream_advance(poll->stream, poll->next);
        if (poll->cuts.first != NULL) {
            ask_alone(poll);
        } else {
            poll_step(poll);
        }
    }
}

void poll_settle(struct poll *poll)
{
    if (!poll->lost) {
        stream_settle(poll->stream);
    }
}

bool poll_is_told(const struct poll *poll)
{
    return poll->all_told && !poll->lost;
}

struct poll *poll_create(const struct poll_setup *setup)
{
    struct poll *const poll = calloc(1, sizeof *poll);
    if (poll == NULL) {
        return NULL;
    }
    poll->setup = *setup;
    const struct gap_setup gap = {.loop = setup->loop,
                                  .api = setup->api,
                                  .bot = poll->bot,
                                  .log = setup->log,
                                  .log_user = setup->log_user,
                                  .is_over = is_over,
                                  .done = filled,
                                  .user = poll};
    poll->stream = stream_create(setup->chat);
    poll->gap = poll->stream != NULL ? gap_create(&gap) : NULL;
    if (poll->gap == NULL) {
        stream_destroy(poll->stream);
        free(poll);
        return NULL;
    }
    (void)uv_timer_init(setup->loop, &poll->timer);
    (void)uv_timer_init(setup->loop, &poll->silence);
    (void)uv_timer_init(setup->loop, &poll->renew);
    (void)uv_idle_init(setup->loop, &poll->idle);
    poll->timer.data = poll->silence.data = poll->renew.data = poll->idle.data = poll;
    return poll;
}

void poll_stop(struct poll *poll)
{
    if (poll->stopped) {
        return;
    }
    poll->stopped = true;
    gap_stop(poll->gap);
    sync_end(&poll->walk);
    uv_close((uv_handle_t *)&poll->timer, NULL);
    uv_close((uv_handle_t *)&poll->silence, NULL);
    uv_close((uv_handle_t *)&poll->renew, NULL);
    uv_close((uv_handle_t *)&poll->idle, NULL);
}

void poll_destroy(struct poll *poll)
{
    if (poll != NULL) {
        json_decref(poll->joined);
        cuts_clear(&poll->cuts);
        gap_destroy(poll->gap);
        stream_destroy(poll->stream);
    }
    free(poll);
}
