#include "adapters/discord/members.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/codec/memory.h"

#include "adapters/discord/interaction.h"

enum { ID_SIZE = 24, STATUS_OK = 200, STATUS_MULTIPLE = 300, CODE_UNKNOWN_MEMBER = 10007 };

struct seeking {
    const struct members *members;
    struct chat_key key;
    char guild[ID_SIZE], person[ID_SIZE];
};

static void finish(const struct members *members, struct chat_key key, enum chat_fate fate)
{
    const struct chat_outcome outcome = {
        .key = key, .fate = fate, .id = fate == CHAT_DELIVERED ? "" : NULL};
    members->done(members->user, &outcome);
}

static void found(void *user, const struct rest_answer *answer)
{
    struct seeking *const seeking = user;
    const struct members *const members = seeking->members;
    const struct chat_key key = seeking->key;
    const bool there = answer->status >= STATUS_OK && answer->status < STATUS_MULTIPLE;
    const bool told = there || answer->code == CODE_UNKNOWN_MEMBER;
    if (told) {
        const struct chat_in in = {.kind = there ? CHAT_IN_PERSON_BACK : CHAT_IN_PERSON_GONE,
                                   .person = seeking->person,
                                   .community = seeking->guild};
        (void)chat_queue_push(members->queue, &in);
    }
    free(seeking);
    finish(members, key, told ? CHAT_DELIVERED : CHAT_REFUSED);
}

bool members_seek(const struct members *members, const struct chat_out *out)
{
    char path[REST_PATH_SIZE];
    if (!discord_is_id(out->place) || !discord_is_id(out->person)) {
        finish(members, out->key, CHAT_REFUSED);
        return true;
    }
    struct seeking *const seeking = mb_new(1, sizeof *seeking);
    seeking->members = members;
    seeking->key = out->key;
    (void)snprintf(seeking->guild, sizeof seeking->guild, "%s", out->place);
    (void)snprintf(seeking->person, sizeof seeking->person, "%s", out->person);
    (void)snprintf(path, sizeof path, "/guilds/%s/members/%s", out->place, out->person);
    const struct rest_call call = {.method = "GET",
                                   .route = "GET /guilds/members",
                                   .major = seeking->guild,
                                   .path = path,
                                   .repeats = true};
    if (!rest_call(members->rest, &call, found, seeking)) {
        free(seeking);
        return false;
    }
    return true;
}
