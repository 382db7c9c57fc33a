#include "adapters/matrix/listen/cuts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

static struct cut **end_of(struct cuts *cuts)
{
    struct cut **at = &cuts->first;
    while (*at != NULL) {
        at = &(*at)->next;
    }
    return at;
}

static bool waits(const struct cuts *cuts, const char *room)
{
    const struct cut *at = cuts->first;
    while (at != NULL && strcmp(at->room, room) != 0) {
        at = at->next;
    }
    return at != NULL; // from an earlier token, and so for more
}

static void note(struct cuts *cuts, const char *room, const char *since, bool all)
{
    const bool fits = strlen(room) < CHAT_ID_SIZE && strlen(since) < STREAM_TOKEN_SIZE;
    if (fits && cuts->count < CUTS_MAX && !waits(cuts, room)) {
        struct cut *const cut = mb_new(1, sizeof *cut);
        cut->all = all;
        (void)snprintf(cut->room, sizeof cut->room, "%s", room);
        (void)snprintf(cut->since, sizeof cut->since, "%s", since);
        *end_of(cuts) = cut;
        cuts->count++;
    }
}

void cuts_note(struct cuts *cuts, const json_t *answer, const char *since, bool all)
{
    static const char *const PARTS[] = {"join", "invite"};
    for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS; i++) {
        json_t *const part = json_object_get(json_object_get(answer, "rooms"), PARTS[i]);
        for (void *at = json_object_iter(part); at != NULL; at = json_object_iter_next(part, at)) {
            if (json_is_false(json_object_iter_value(at))) {
                note(cuts, json_object_iter_key(at), since, all);
            }
        }
    }
}

void cuts_told(struct cuts *cuts)
{
    struct cut *const cut = cuts->first;
    cuts->first = cut->next;
    cuts->count--;
    free(cut);
}

void cuts_again(struct cuts *cuts)
{
    struct cut *const cut = cuts->first;
    if (++cut->tries == CUTS_TRIES) {
        cuts_told(cuts);
        return;
    }
    cuts->first = cut->next;
    cut->next = NULL;
    *end_of(cuts) = cut;
}

void cuts_clear(struct cuts *cuts)
{
    while (cuts->first != NULL) {
        cuts_told(cuts);
    }
}
