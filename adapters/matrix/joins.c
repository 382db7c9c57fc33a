#include "adapters/matrix/joins.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/chat.h"

enum { TRIES = 6, STATUS_TOO_MANY = 429 };

struct joining {
    struct joining *next;
    struct joins *joins;
    unsigned tries;
    uv_timer_t timer;
    char room[CHAT_ID_SIZE], server[CHAT_ID_SIZE];
};

struct joins {
    struct joins_setup setup;
    struct joining *first;
    bool stopped;
};

struct joins *joins_create(const struct joins_setup *setup)
{
    struct joins *const joins = calloc(1, sizeof *joins);
    if (joins != NULL) {
        joins->setup = *setup;
    }
    return joins;
}

static void gone(uv_handle_t *handle)
{
    free(handle->data);
}

static void end(struct joining *joining)
{
    struct joining **at = &joining->joins->first;
    while (*at != joining) {
        at = &(*at)->next;
    }
    *at = joining->next;
    uv_close((uv_handle_t *)&joining->timer, gone);
}

static void join(struct joining *joining);

static void on_timer(uv_timer_t *timer)
{
    join(timer->data);
}

static void joined(void *user, const struct api_answer *answer)
{
    struct joining *const joining = user;
    const struct joins_setup *const setup = &joining->joins->setup;
    const bool limited = answer->status == STATUS_TOO_MANY; // nobody has looked at it
    if (limited || (!api_good(answer) && ++joining->tries < TRIES)) {
        (void)uv_timer_start(&joining->timer, on_timer,
                             (uint64_t)api_wait_ms(answer, joining->tries), 0);
        return;
    }
    if (!api_good(answer)) {
        setup->log(setup->user, NET_LOG_WARN, "join-refused", answer->errcode);
        joins_decline(joining->joins, joining->room);
    }
    end(joining);
}

static void join(struct joining *joining)
{
    char before[API_PATH_SIZE];
    char path[API_PATH_SIZE];
    const struct api_call call = {.method = "POST", .path = path};
    if (!api_path(before, "/_matrix/client/v3/join/", joining->room, "?via=") ||
        !api_path(path, before, joining->server, "") ||
        api_call(joining->joins->setup.api, &call, joined, joining) == 0) {
        end(joining);
    }
}

static void declined(void *user, const struct api_answer *answer)
{
    (void)user;
    (void)answer;
}

void joins_decline(struct joins *joins, const char *room)
{
    char path[API_PATH_SIZE];
    const struct api_call call = {.method = "POST", .path = path};
    if (api_path(path, "/_matrix/client/v3/rooms/", room, "/leave")) {
        (void)!api_call(joins->setup.api, &call, declined, joins);
    }
}

void joins_add(struct joins *joins, const char *room, const char *member)
{
    const char *const server = strchr(member, ':');
    for (const struct joining *at = joins->first; at != NULL; at = at->next) {
        if (strcmp(at->room, room) == 0) {
            return;
        }
    }
    struct joining *const joining = joins->stopped ? NULL : calloc(1, sizeof *joining);
    if (joining == NULL) {
        return;
    }
    joining->joins = joins;
    (void)snprintf(joining->room, sizeof joining->room, "%s", room);
    (void)snprintf(joining->server, sizeof joining->server, "%s", server != NULL ? server + 1 : "");
    (void)uv_timer_init(joins->setup.loop, &joining->timer);
    joining->timer.data = joining;
    joining->next = joins->first;
    joins->first = joining;
    join(joining);
}

void joins_stop(struct joins *joins)
{
    joins->stopped = true;
    while (joins->first != NULL) {
        end(joins->first);
    }
}

void joins_destroy(struct joins *joins)
{
    free(joins);
}
