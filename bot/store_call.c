#include "bot/store_call.h"

struct store_answer *store_call(struct store *store, const struct store_request *request)
{
    uint64_t ticket = 0;
    if (!store_ask(store, request, &ticket)) {
        return NULL;
    }
    struct store_answer *answer = store_take(store);
    while (answer != NULL && answer->ticket != ticket) {
        store_answer_free(answer);
        answer = store_take(store);
    }
    return answer;
}

enum store_result store_call_result(struct store *store, const struct store_request *request)
{
    struct store_answer *const answer = store_call(store, request);
    const enum store_result result = answer != NULL ? answer->result : STORE_FAILED;
    store_answer_free(answer);
    return result;
}
