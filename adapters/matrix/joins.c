#include "adapters/matrix/joins.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "bot/chat_impl.h"

enum { TRIES = 6, AGAIN_MS = 1000, MINE_SIZE = 16, KEPT_SIZE = CHAT_ID_SIZE + MINE_SIZE };

static const char BEGINS[] = "joining/";

struct joining {
    struct joining *next;
    struct joins *joins;
    unsigned tries;
    struct limits_turn turn;
    bool declines;
    uv_timer_t timer;
    char room[CHAT_ID_SIZE], server[CHAT_ID_SIZE];
};

struct joins {
    struct joins_setup setup;
    struct joining *first;
    char mine[MINE_SIZE]; // what is kept bears it: it is this process's
    bool taken_up, stopped;
};

struct joins *joins_create(const struct joins_setup *setup)
{
    struct joins *const joins = calloc(1, sizeof *joins);
    if (joins != NULL) {
        joins->setup = *setup;
        (void)snprintf(joins->mine, sizeof joins->mine, " %08x", (unsigned)randombytes_random());
    }
    return joins;
}

static int64_t now_of(const struct joins *joins)
{
    return (int64_t)uv_now(joins->setup.loop);
}

static void gone(uv_handle_t *handle)
{
    free(handle->data);
}

static void take_out(struct joining *joining)
{
    struct joining **at = &joining->joins->first;
    while (*at != joining) {
        at = &(*at)->next;
    }
    *at = joining->next;
    uv_close((uv_handle_t *)&joining->timer, gone);
}

// Until it is dealt with: by whose server it is joined, and which process is at it.
static void keep(const struct joining *joining, bool under_way)
{
    char word[sizeof BEGINS + CHAT_ID_SIZE];
    char text[KEPT_SIZE];
    (void)snprintf(text, sizeof text, "%s%s", joining->server, joining->joins->mine);
    (void)snprintf(word, sizeof word, "%s%s", BEGINS, joining->room);
    const struct chat_kept item = {
        .word = word, .at = under_way ? text : NULL, .size = under_way ? strlen(text) : 0};
    (void)!chat_keep(joining->joins->setup.chat, &item, NULL, NULL);
}

static void end(struct joining *joining)
{
    keep(joining, false);
    take_out(joining);
}

static void step(struct joining *joining);

static void on_timer(uv_timer_t *timer)
{
    step(timer->data);
}

static void step_in(struct joining *joining, int64_t ms)
{
    (void)uv_timer_start(&joining->timer, on_timer, (uint64_t)ms, 0);
}

/* Asking. */

static void declined(void *user, const struct api_answer *answer)
{
    struct joining *const joining = user;
    if (!joining->declines) { // invited anew meanwhile
        step(joining);
    } else if (api_is_unseen(answer)) {
        step_in(joining, api_wait_ms(answer, joining->tries++));
    } else {
        end(joining);
    }
}

static void decline(struct joining *joining)
{
    joining->declines = true;
    joining->tries = 0;
    step(joining);
}

static void joined(void *user, const struct api_answer *answer)
{
    struct joining *const joining = user;
    const struct joins_setup *const setup = &joining->joins->setup;
    if (limits_again(setup->limits, LIMITS_JOIN, &joining->turn, answer, now_of(joining->joins))) {
        step(joining);
    } else if (api_good(answer)) {
        end(joining);
    } else if (joining->tries + 1 < TRIES) {
        step_in(joining, api_wait_ms(answer, joining->tries++));
    } else {
        setup->log(setup->user, NET_LOG_WARN, "join-refused", answer->errcode);
        decline(joining);
    }
}

static bool path_of(const struct joining *joining, char path[API_PATH_SIZE])
{
    char before[API_PATH_SIZE];
    return joining->declines
               ? api_path(path, "/_matrix/client/v3/rooms/", joining->room, "/leave")
               : api_path(before, "/_matrix/client/v3/join/", joining->room, "?via=") &&
                     api_path(path, before, joining->server, "");
}

static void step(struct joining *joining)
{
    const struct joins_setup *const setup = &joining->joins->setup;
    char path[API_PATH_SIZE];
    const struct api_call call = {.method = "POST", .path = path};
    const int64_t wait = joining->declines ? 0
                                           : limits_wait_ms(setup->limits, LIMITS_JOIN,
                                                            &joining->turn, now_of(joining->joins));
    if (wait > 0) {
        step_in(joining, wait);
    } else if (!path_of(joining, path)) {
        end(joining);
    } else if (api_call(setup->api, &call, joining->declines ? declined : joined, joining) == 0) {
        step_in(joining, AGAIN_MS);
    }
}

/* Rooms. */

static struct joining *find(const struct joins *joins, const char *room)
{
    struct joining *at = joins->first;
    while (at != NULL && strcmp(at->room, room) != 0) {
        at = at->next;
    }
    return at;
}

// NULL without memory.
static struct joining *add(struct joins *joins, const char *room, const char *server)
{
    struct joining *const joining = joins->stopped ? NULL : calloc(1, sizeof *joining);
    if (joining != NULL) {
        joining->joins = joins;
        (void)snprintf(joining->room, sizeof joining->room, "%s", room);
        (void)snprintf(joining->server, sizeof joining->server, "%s", server);
        (void)uv_timer_init(joins->setup.loop, &joining->timer);
        joining->timer.data = joining;
        joining->next = joins->first;
        joins->first = joining;
    }
    return joining;
}

void joins_add(struct joins *joins, const char *room, const char *member)
{
    const char *const colon = strchr(member, ':');
    const char *const server = colon != NULL ? colon + 1 : "";
    struct joining *const under_way = find(joins, room);
    struct joining *const joining = under_way == NULL ? add(joins, room, server) : under_way;
    if (joining == NULL || (under_way != NULL && !under_way->declines)) {
        return;
    }
    (void)snprintf(joining->server, sizeof joining->server, "%s", server);
    joining->declines = false;
    joining->tries = 0;
    keep(joining, true);
    if (under_way == NULL) {
        step(joining);
    }
}

void joins_decline(struct joins *joins, const char *room)
{
    struct joining *const joining = find(joins, room) == NULL ? add(joins, room, "") : NULL;
    if (joining != NULL) {
        decline(joining);
    }
}

static void read_back(void *user, const struct chat_kept *items, size_t count)
{
    struct joins *const joins = user;
    for (size_t i = 0; i < count && !joins->stopped; i++) {
        const char *const room = items[i].word + strlen(BEGINS);
        char text[KEPT_SIZE];
        (void)snprintf(text, sizeof text, "%.*s", (int)items[i].size, (const char *)items[i].at);
        char *const by = strchr(text, ' ');
        const bool other = by != NULL && strcmp(by, joins->mine) != 0; // else it is done by now
        if (other) {
            *by = '\0';
        }
        struct joining *const joining =
            other && find(joins, room) == NULL ? add(joins, room, text) : NULL;
        if (joining != NULL) {
            keep(joining, true);
            step(joining);
        }
    }
}

void joins_take_up(struct joins *joins)
{
    joins->taken_up = joins->taken_up || chat_read(joins->setup.chat, BEGINS, read_back, joins);
}

void joins_stop(struct joins *joins)
{
    joins->stopped = true;
    while (joins->first != NULL) {
        take_out(joins->first); // what is kept is the next process's
    }
}

void joins_destroy(struct joins *joins)
{
    free(joins);
}
