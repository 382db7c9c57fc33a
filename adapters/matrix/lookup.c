#include "adapters/matrix/lookup.h"

#include <stdio.h>
#include <string.h>

#include "adapters/matrix/content.h"
#include "adapters/matrix/wire.h"

enum {
    AGAIN_MS = 1000, // without memory
    LOOK_COUNT = 100,
    LOOK_PAGES = 10
};

// The id of a message of that transaction among those of a room; NULL: it is not there.
static const char *find_sent(const json_t *events, const struct letter *letter)
{
    for (size_t i = 0; i < json_array_size(events); i++) {
        const json_t *const event = json_array_get(events, i);
        const char *const sender = wire_id(event, "sender");
        const char *const txn = wire_word(json_object_get(event, "content"), CONTENT_TXN);
        if (sender != NULL && txn != NULL && strcmp(txn, letter->txn) == 0 &&
            strcmp(sender, letter->lookup->bot) == 0) {
            return wire_id(event, "event_id");
        }
    }
    return NULL;
}

static bool look(struct letter *letter);

static void opened(void *user, json_t *events)
{
    struct letter *const letter = user;
    const char *const id = find_sent(events, letter);
    const bool more = id == NULL && letter->page[0] != '\0' && letter->pages < LOOK_PAGES;
    if (!more) {
        letter->lookup->done(letter, id, 0);
    } else if (!look(letter)) {
        letter->lookup->done(letter, NULL, AGAIN_MS);
    }
}

static void looked(void *user, const struct api_answer *answer)
{
    struct letter *const letter = user;
    const struct lookup *const lookup = letter->lookup;
    json_t *const chunk = json_object_get(answer->body, "chunk");
    const char *const end = wire_word(answer->body, "end");
    const bool more =
        end != NULL && json_array_size(chunk) > 0 && strlen(end) < sizeof letter->page;
    (void)snprintf(letter->page, sizeof letter->page, "%s", more ? end : "");
    if (api_is_later(answer)) {
        lookup->done(letter, NULL, api_wait_ms(answer, letter->tries++));
    } else if (!api_good(answer) || chunk == NULL) {
        lookup->done(letter, NULL, 0);
    } else if (!seal_open(lookup->seal, letter->room, chunk, opened, letter)) {
        lookup->done(letter, NULL, AGAIN_MS);
    }
}

static bool look(struct letter *letter)
{
    char before[API_PATH_SIZE];
    char path[API_PATH_SIZE];
    char behind[64];
    const struct api_call call = {.method = "GET", .path = path};
    const bool first = letter->page[0] == '\0';
    (void)snprintf(behind, sizeof behind, "/messages?dir=b&limit=%d%s", (int)LOOK_COUNT,
                   first ? "" : "&from=");
    letter->pages++;
    return api_path(before, "/_matrix/client/v3/rooms/", letter->room, behind) &&
           api_path(path, before, letter->page, "") &&
           api_call(letter->lookup->api, &call, looked, letter) != 0;
}

bool lookup_begin(const struct lookup *lookup, struct letter *letter)
{
    letter->lookup = lookup;
    letter->pages = 0;
    letter->page[0] = '\0';
    return look(letter);
}
