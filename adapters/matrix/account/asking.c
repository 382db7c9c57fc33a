#include "adapters/matrix/account/asking.h"

#include <assert.h>

#include "adapters/net/http.h"

enum { TIMEOUT_MS = 30000 };

struct api *asking_as(struct asking *asking, const char *token)
{
    const struct api_setup setup = {.loop = &asking->loop,
                                    .http = asking->http,
                                    .homeserver = asking->setup->homeserver,
                                    .token = token};
    assert(asking->session_count < ASKING_SESSIONS_MAX);
    return asking->sessions[asking->session_count++] = api_create(&setup);
}

json_t *asking_await(struct fibre *fibre, struct api *api, const struct api_call *call, int *status,
                     struct mb_error *err)
{
    struct api_answer answer;
    struct api_call whole = *call;
    whole.timeout_ms = TIMEOUT_MS;
    *status = 0;
    if (!api_await(fibre, api, &whole, &answer)) {
        return NULL;
    }
    *status = answer.status;
    if (answer.status == 0) {
        (void)mb_fail(err, MB_ERR_RETRY, "%s", answer.why);
    }
    return json_incref(answer.body);
}

static void run_in(struct fibre *fibre, void *user)
{
    struct asking *const asking = user;
    asking->run(fibre, asking, asking->user);
    asking->over = true;
    uv_stop(&asking->loop); // it may be about to wait for something else
}

static void run_loop(struct asking *asking)
{
    asking->fibres = fibres_create();
    fibres_start(asking->fibres, run_in, asking);
    while (!asking->over) {
        (void)uv_run(&asking->loop, UV_RUN_ONCE);
    }
    for (size_t i = 0; i < asking->session_count; i++) {
        api_close(asking->sessions[i]);
    }
    fibres_stop(asking->fibres);
    if (asking->seal != NULL) {
        seal_stop(asking->seal);
    }
    http_close(asking->http);
}

bool asking_run(const struct account_setup *setup, asking_fn *run, void *user, struct mb_error *err)
{
    struct asking asking = {.setup = setup, .run = run, .user = user};
    if (uv_loop_init(&asking.loop) != 0) {
        return mb_fail(err, MB_ERR_LIMIT, "cannot create the event loop");
    }
    const struct http_setup http = {
        .loop = &asking.loop, .user_agent = setup->user_agent, .ca_file = setup->ca_file};
    asking.http = http_create(&http, err);
    if (asking.http != NULL) {
        run_loop(&asking);
    }
    while (uv_run(&asking.loop, UV_RUN_DEFAULT) != 0) {
    }
    seal_destroy(asking.seal);
    for (size_t i = 0; i < asking.session_count; i++) {
        api_destroy(asking.sessions[i]);
    }
    fibres_destroy(asking.fibres);
    http_destroy(asking.http);
    (void)uv_loop_close(&asking.loop);
    return asking.over;
}
