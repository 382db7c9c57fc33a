// Apart from rest.c: tests/twins has a rest_call() of its own behind it.
#include "adapters/discord/rest/rest.h"

enum { STATUS_OK = 200, STATUS_MULTIPLE = 300 };

static void told(void *user, const struct rest_answer *answer)
{
    struct rest_answer *const place = fibre_answered(user);
    if (place != NULL) {
        *place = *answer;
        fibre_wake(user);
    }
}

bool rest_await(struct fibre *fibre, struct rest *rest, const struct rest_call *call,
                struct rest_answer *out)
{
    *out = (struct rest_answer){.status = 0};
    if (!fibre_asks(fibre, out)) {
        json_decref(call->body);
        return false;
    }
    if (!rest_call(rest, call, told, fibre)) {
        (void)fibre_answered(fibre);
    }
    return fibre_wait_answer(fibre);
}

bool rest_is_good(const struct rest_answer *answer)
{
    return answer->status >= STATUS_OK && answer->status < STATUS_MULTIPLE;
}
