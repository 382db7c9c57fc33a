#include "adapters/net/http_once.h"

#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

struct waiting {
    struct http_once *out;
    struct mb_error *err;
    bool done, good;
};

static void answered(void *user, const struct http_answer *answer)
{
    struct waiting *const waiting = user;
    waiting->done = true;
    if (answer->fault != HTTP_NO_FAULT) {
        (void)mb_fail(waiting->err, MB_ERR_RETRY, "%s", answer->why);
        return;
    }
    waiting->out->status = answer->status;
    waiting->out->body_size = answer->body_size;
    waiting->out->body = mb_new(1, answer->body_size + 1);
    memcpy(waiting->out->body, answer->body != NULL ? answer->body : "", answer->body_size);
    waiting->out->body[answer->body_size] = '\0';
    waiting->good = true;
}

static bool ask(uv_loop_t *loop, struct http *http, const struct http_request *request,
                struct http_once *out, struct mb_error *err)
{
    struct waiting waiting = {.out = out, .err = err};
    if (http_send(http, request, answered, &waiting) == 0) {
        return mb_fail(err, MB_ERR_LIMIT, "cannot send the request");
    }
    while (!waiting.done) {
        (void)uv_run(loop, UV_RUN_ONCE);
    }
    return waiting.good;
}

bool http_once(const struct http_request *request, const char *user_agent, const char *ca_file,
               struct http_once *out, struct mb_error *err)
{
    uv_loop_t loop;
    *out = (struct http_once){.status = 0};
    if (uv_loop_init(&loop) != 0) {
        return mb_fail(err, MB_ERR_LIMIT, "cannot create the event loop");
    }
    const struct http_setup setup = {.loop = &loop, .user_agent = user_agent, .ca_file = ca_file};
    struct http *const http = http_create(&setup, err);
    const bool good = http != NULL && ask(&loop, http, request, out, err);
    if (http != NULL) {
        http_close(http);
    }
    (void)uv_run(&loop, UV_RUN_DEFAULT);
    http_destroy(http);
    (void)uv_loop_close(&loop);
    return good;
}
