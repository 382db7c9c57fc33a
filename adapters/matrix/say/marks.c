#include "adapters/matrix/say/marks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

enum { STATUS_TOO_MANY = 429, TRIES = 5 };

struct mark {
    struct mark *next;
    struct marks *marks;
    uint64_t number;
    char room[CHAT_ID_SIZE], card[CHAT_ID_SIZE];
    const char *key, *word;
    unsigned tries, failed; // failed: those that somebody has looked at
};

struct marks {
    struct marks_setup setup;
    struct mark *first;
};

struct marks *marks_create(const struct marks_setup *setup)
{
    struct marks *const marks = mb_new(1, sizeof *marks);
    marks->setup = *setup;
    return marks;
}

static void mark_free(struct mark *mark)
{
    struct mark **at = &mark->marks->first;
    while (*at != mark) {
        at = &(*at)->next;
    }
    *at = mark->next;
    free(mark);
}

void marks_destroy(struct marks *marks)
{
    while (marks != NULL && marks->first != NULL) {
        mark_free(marks->first);
    }
    free(marks);
}

static void end(struct mark *mark, enum outlet_result result, int64_t wait_ms)
{
    const struct marks_setup *const setup = &mark->marks->setup;
    outlet_done(setup->outlet, mark->number, result, wait_ms, (int64_t)uv_now(setup->loop));
    setup->pump(setup->user);
    if (result == OUTLET_SENT) {
        mark_free(mark);
    }
}

static void put(struct fibre *fibre, void *user)
{
    struct mark *const mark = user;
    struct api_answer answer;
    char before[API_PATH_SIZE];
    char behind[32];
    char path[API_PATH_SIZE];
    (void)snprintf(behind, sizeof behind, "/send/m.reaction/%s-", mark->word);
    if (!api_path(before, "/_matrix/client/v3/rooms/", mark->room, behind) ||
        !api_path(path, before, mark->card, "")) {
        end(mark, OUTLET_SENT, 0);
        return;
    }
    const struct api_call call = {.method = "PUT",
                                  .path = path,
                                  .body = json_pack("{s:{s:s, s:s, s:s}}", "m.relates_to",
                                                    "rel_type", "m.annotation", "event_id",
                                                    mark->card, "key", mark->key)};
    if (!api_await(fibre, mark->marks->setup.api, &call, &answer)) {
        return;
    }
    mark->failed += api_is_unseen(&answer) ? 0 : 1;
    if (api_is_later(&answer) && mark->failed < TRIES) {
        end(mark, answer.status == STATUS_TOO_MANY ? OUTLET_TOO_MANY : OUTLET_AGAIN,
            api_wait_ms(&answer, mark->tries++));
    } else {
        end(mark, OUTLET_SENT, 0);
    }
}

bool marks_ask(struct marks *marks, uint64_t number)
{
    struct mark *at = marks->first;
    while (at != NULL && at->number != number) {
        at = at->next;
    }
    if (at == NULL) {
        return false;
    }
    if (lobbies_has(marks->setup.lobbies, at->room, at->card)) {
        fibres_start(marks->setup.fibres, put, at);
    } else {
        end(at, OUTLET_SENT, 0);
    }
    return true;
}

// In a lane of their own: what is said in the room does not wait for them.
static void add(struct marks *marks, const struct mark *wanted)
{
    const struct marks_setup *const setup = &marks->setup;
    struct mark *const mark = mb_new(1, sizeof *mark);
    uint64_t gone = 0;
    *mark = *wanted;
    mark->marks = marks;
    mark->number = ++*setup->numbers;
    mark->next = marks->first;
    marks->first = mark;
    const struct outlet_item item = {
        .number = mark->number, .room = mark->card, .urgency = OUTLET_OTHER};
    outlet_add(setup->outlet, &item, (int64_t)uv_now(setup->loop), &gone);
}

void marks_put(struct marks *marks, const char *room, const char *card)
{
    struct mark mark = {.key = LOBBIES_JOIN, .word = "join"};
    (void)snprintf(mark.room, sizeof mark.room, "%s", room);
    (void)snprintf(mark.card, sizeof mark.card, "%s", card);
    add(marks, &mark);
    mark.key = LOBBIES_START;
    mark.word = "start";
    add(marks, &mark);
    marks->setup.pump(marks->setup.user);
}
