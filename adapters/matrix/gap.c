#include "adapters/matrix/gap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/matrix/stream.h"

enum { TRIES = 8, AGAIN_MS = 1000 };

struct gap {
    struct gap_setup setup;
    uv_timer_t timer;
    char room[CHAT_ID_SIZE], from[STREAM_TOKEN_SIZE], to[STREAM_TOKEN_SIZE];
    json_t *events;                // the newest first
    unsigned pages, tries, failed; // failed: tries that somebody has looked at
    bool unasked;                  // it cannot even be put into words
    bool members;                  // who is there is asked for
    bool stopped;
};

struct gap *gap_create(const struct gap_setup *setup)
{
    struct gap *const gap = calloc(1, sizeof *gap);
    if (gap != NULL) {
        gap->setup = *setup;
        (void)uv_timer_init(setup->loop, &gap->timer);
        gap->timer.data = gap;
    }
    return gap;
}

void gap_stop(struct gap *gap)
{
    if (!gap->stopped) {
        gap->stopped = true;
        uv_close((uv_handle_t *)&gap->timer, NULL);
    }
}

void gap_destroy(struct gap *gap)
{
    if (gap != NULL) {
        json_decref(gap->events);
    }
    free(gap);
}

static void finish(struct gap *gap, bool whole)
{
    json_t *const events = json_array();
    for (size_t i = json_array_size(gap->events); i > 0; i--) {
        (void)json_array_append(events, json_array_get(gap->events, i - 1));
    }
    json_decref(gap->events);
    gap->events = NULL;
    gap->setup.done(gap->setup.user, events, whole);
}

static void ask(struct gap *gap);

static void on_timer(uv_timer_t *timer)
{
    struct gap *const gap = timer->data;
    if (gap->unasked) {
        finish(gap, false);
    } else {
        ask(gap);
    }
}

// Whether the bot comes in with it: what was said before was not said to it.
static bool is_own_join(const struct gap *gap, const json_t *json)
{
    struct wire_event event;
    if (!wire_read(json, &event) || event.state_key == NULL ||
        strcmp(event.type, "m.room.member") != 0 || strcmp(event.state_key, gap->setup.bot) != 0) {
        return false;
    }
    const char *const is = wire_word(event.content, "membership");
    const char *const was = wire_word(event.was, "membership");
    return is != NULL && strcmp(is, "join") == 0 && (was == NULL || strcmp(was, "join") != 0);
}

// Whether the page is the last. Members who say something in it lie before it.
static bool take(struct gap *gap, const json_t *page)
{
    const json_t *const chunk = json_object_get(page, "chunk");
    const char *const end = wire_word(page, "end");
    bool came_in = false;
    for (size_t i = 0; i < json_array_size(chunk) && !came_in; i++) {
        came_in = is_own_join(gap, json_array_get(chunk, i));
        if (!came_in) {
            (void)json_array_append(gap->events, json_array_get(chunk, i));
        }
    }
    (void)json_array_extend(gap->events, json_object_get(page, "state"));
    if (came_in || end == NULL || json_array_size(chunk) == 0 || strlen(end) >= sizeof gap->from) {
        return true;
    }
    (void)snprintf(gap->from, sizeof gap->from, "%s", end);
    return false;
}

static void answered(void *user, const struct api_answer *answer)
{
    struct gap *const gap = user;
    const bool good = api_good(answer) && json_is_array(json_object_get(answer->body, "chunk"));
    if (gap->stopped || gap->setup.is_over(gap->setup.user, answer)) {
        return;
    }
    gap->failed += good || api_is_unseen(answer) ? 0 : 1;
    if (!good && (api_good(answer) || api_is_later(answer)) && gap->failed < TRIES) {
        (void)uv_timer_start(&gap->timer, on_timer, (uint64_t)api_wait_ms(answer, gap->tries++), 0);
        return;
    }
    if (!good) {
        gap->setup.log(gap->setup.log_user, NET_LOG_WARN, "gap", answer->why);
        finish(gap, false);
        return;
    }
    gap->tries = gap->failed = 0;
    gap->pages++;
    if (gap->members) {
        (void)json_array_extend(gap->events, json_object_get(answer->body, "chunk"));
        finish(gap, true);
    } else if (take(gap, answer->body)) {
        finish(gap, true);
    } else if (gap->pages == GAP_PAGES) {
        finish(gap, false);
    } else {
        ask(gap);
    }
}

// {"lazy_load_members":true}
static const char LAZY[] = "filter=%7B%22lazy_load_members%22%3Atrue%7D&";

static uint64_t ask_page(struct gap *gap)
{
    char before[API_PATH_SIZE];
    char behind[API_PATH_SIZE];
    char path[API_PATH_SIZE];
    const struct api_call call = {.method = "GET", .path = path};
    (void)snprintf(behind, sizeof behind, "/messages?%sdir=b&limit=%d&from=", LAZY, (int)GAP_PAGE);
    gap->unasked =
        gap->unasked || !api_path(before, "/_matrix/client/v3/rooms/", gap->room, behind) ||
        !api_path(behind, before, gap->from, "&to=") || !api_path(path, behind, gap->to, "");
    return gap->unasked ? 0 : api_call(gap->setup.api, &call, answered, gap);
}

static void ask(struct gap *gap)
{
    if ((gap->members ? api_members(gap->setup.api, gap->room, answered, gap) : ask_page(gap)) ==
        0) {
        (void)uv_timer_start(&gap->timer, on_timer, gap->unasked ? 0 : AGAIN_MS, 0);
    }
}

static void begin(struct gap *gap, const char *room, bool members)
{
    json_decref(gap->events);
    gap->events = json_array();
    gap->pages = gap->tries = gap->failed = 0;
    gap->members = members;
    (void)snprintf(gap->room, sizeof gap->room, "%s", room);
}

void gap_ask(struct gap *gap, const struct sync_gap *where, const char *since)
{
    begin(gap, where->room, false);
    gap->unasked = strlen(where->from) >= sizeof gap->from;
    (void)snprintf(gap->from, sizeof gap->from, "%s", gap->unasked ? "" : where->from);
    (void)snprintf(gap->to, sizeof gap->to, "%s", since);
    ask(gap);
}

void gap_ask_members(struct gap *gap, const char *room)
{
    begin(gap, room, true);
    gap->unasked = false;
    ask(gap);
}
