#include "adapters/matrix/rooms/joins.h"

#include <string.h>

#include "adapters/matrix/rooms/house.h"

enum { TRIES = 6 };

/* An errand; its text is the member, or NULL where it only declines. */
struct joining {
    unsigned tries;
    bool declines;
};

static bool join_await(struct fibre *fibre, const struct house_setup *house,
                       const struct errand *errand, struct api_answer *out)
{
    char before[API_PATH_SIZE];
    char path[API_PATH_SIZE];
    const struct api_call call = {.method = "POST", .path = path};
    const char *const colon = strchr(errand->text, ':');
    return api_path(before, "/_matrix/client/v3/join/", errand->name, "?via=") &&
           api_path(path, before, colon != NULL ? colon + 1 : "", "") &&
           limits_await(fibre, house->limits, LIMITS_JOIN, house->api, &call, out);
}

bool joins_run(struct fibre *fibre, struct errand *errand)
{
    const struct house_setup *const house = errand->errands->user;
    const struct api_room_call leave = {.method = "POST", .room = errand->name, .what = "/leave"};
    struct joining joining = {.declines = errand->text == NULL};
    struct api_answer answer;
    errand->own = &joining;
    for (;;) {
        const bool declines = joining.declines;
        if (!(declines ? api_room_await(fibre, house->api, &leave, &answer)
                       : join_await(fibre, house, errand, &answer))) {
            return false;
        }
        if (joining.declines != declines) {
            continue; // invited anew meanwhile
        }
        if (declines ? !api_is_unseen(&answer) : api_good(&answer)) {
            return true;
        }
        if (!declines && joining.tries + 1 == TRIES) {
            house->log(house->log_user, NET_LOG_WARN, "join-refused", answer.errcode);
            joining = (struct joining){.declines = true};
        } else if (!api_sleep(fibre, house->api, api_wait_ms(&answer, joining.tries++))) {
            return false;
        }
    }
}

void joins_add(struct errands *joins, const char *room, const char *member)
{
    struct errand *const errand = errands_find(joins, room);
    struct joining *const joining = errand != NULL ? errand->own : NULL;
    if (errand == NULL) {
        (void)errands_begin(joins, room, member, NULL);
    } else if (joining != NULL && joining->declines) {
        errand_keep(errand, member);
        *joining = (struct joining){.declines = false};
    }
}

void joins_decline(struct errands *joins, const char *room)
{
    (void)errands_begin(joins, room, NULL, NULL); // of a flood the rest hangs: it is told again
}
