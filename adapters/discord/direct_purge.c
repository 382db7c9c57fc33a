#include "adapters/discord/direct_purge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

#include "adapters/discord/interaction.h"

enum { PAGE = 100, STATUS_OK = 200, STATUS_MULTIPLE = 300, STATUS_GONE = 404, ID_SIZE = 24 };

struct purge {
    struct rest *rest;
    struct chat_key key;
    direct_purge_done_fn *done;
    void *user;
    char person[ID_SIZE], channel[ID_SIZE], before[ID_SIZE];
    size_t left;  // deletions of this page that are not answered yet
    bool last;    // no page follows
    bool lacking; // something was not deleted
};

static bool is_good(const struct rest_answer *answer)
{
    return answer->status >= STATUS_OK && answer->status < STATUS_MULTIPLE;
}

static void finish(struct purge *purge, enum chat_fate fate)
{
    const struct chat_outcome outcome = {
        .key = purge->key, .fate = fate, .id = fate == CHAT_DELIVERED ? "" : NULL};
    direct_purge_done_fn *const done = purge->done;
    void *const user = purge->user;
    free(purge);
    done(user, &outcome);
}

static void ask_page(struct purge *purge);

static void page_done(struct purge *purge)
{
    if (purge->lacking) {
        finish(purge, CHAT_REFUSED);
    } else if (purge->last) {
        finish(purge, CHAT_DELIVERED);
    } else {
        ask_page(purge);
    }
}

static void deleted(void *user, const struct rest_answer *answer)
{
    struct purge *const purge = user;
    purge->lacking = purge->lacking || (!is_good(answer) && answer->status != STATUS_GONE);
    if (--purge->left == 0) {
        page_done(purge);
    }
}

static void delete_one(struct purge *purge, const char *message)
{
    char path[REST_PATH_SIZE];
    (void)snprintf(path, sizeof path, "/channels/%s/messages/%s", purge->channel, message);
    const struct rest_call call = {.method = "DELETE",
                                   .route = "DELETE /channels/messages",
                                   .major = purge->channel,
                                   .path = path,
                                   .order = purge->channel,
                                   .repeats = true};
    if (rest_call(purge->rest, &call, deleted, purge)) {
        purge->left++;
    } else {
        purge->lacking = true;
    }
}

static void page_read(void *user, const struct rest_answer *answer)
{
    struct purge *const purge = user;
    const json_t *message = NULL;
    size_t i = 0;
    if (!is_good(answer) || !json_is_array(answer->body)) {
        finish(purge, answer->status == STATUS_GONE ? CHAT_UNREACHABLE : CHAT_REFUSED);
        return;
    }
    purge->last = json_array_size(answer->body) < PAGE;
    purge->left = 1; // the page itself: what is asked may be answered by nothing
    json_array_foreach(answer->body, i, message)
    {
        const char *const id = json_string_value(json_object_get(message, "id"));
        const char *const author =
            json_string_value(json_object_get(json_object_get(message, "author"), "id"));
        if (id == NULL || !discord_is_id(id)) {
            continue;
        }
        (void)snprintf(purge->before, sizeof purge->before, "%s", id);
        if (author != NULL && strcmp(author, purge->person) != 0) {
            delete_one(purge, id);
        }
    }
    if (--purge->left == 0) {
        page_done(purge);
    }
}

static void ask_page(struct purge *purge)
{
    char path[REST_PATH_SIZE];
    (void)snprintf(path, sizeof path, "/channels/%s/messages?limit=%d%s%s", purge->channel, PAGE,
                   purge->before[0] != '\0' ? "&before=" : "", purge->before);
    const struct rest_call call = {.method = "GET",
                                   .route = "GET /channels/messages",
                                   .major = purge->channel,
                                   .path = path,
                                   .order = purge->channel,
                                   .repeats = true};
    if (!rest_call(purge->rest, &call, page_read, purge)) {
        finish(purge, CHAT_REFUSED);
    }
}

static void opened(void *user, const struct rest_answer *answer)
{
    struct purge *const purge = user;
    const char *const id = json_string_value(json_object_get(answer->body, "id"));
    if (!is_good(answer) || id == NULL || !discord_is_id(id)) {
        const bool later = answer->status == 0 || answer->status >= 500 || answer->status == 429;
        finish(purge, later ? CHAT_REFUSED : CHAT_UNREACHABLE);
        return;
    }
    (void)snprintf(purge->channel, sizeof purge->channel, "%s", id);
    ask_page(purge);
}

bool direct_purge(struct rest *rest, const struct chat_out *out, direct_purge_done_fn *done,
                  void *user)
{
    struct purge *const purge = mb_new(1, sizeof *purge);
    *purge = (struct purge){.rest = rest, .key = out->key, .done = done, .user = user};
    (void)snprintf(purge->person, sizeof purge->person, "%s", out->person);
    const struct rest_call call = {.method = "POST",
                                   .route = "POST /users/@me/channels",
                                   .major = "",
                                   .path = "/users/@me/channels",
                                   .order = "dm",
                                   .body = json_pack("{s:s}", "recipient_id", purge->person),
                                   .repeats = true};
    if (!rest_call(rest, &call, opened, purge)) {
        free(purge);
        return false;
    }
    return true;
}
