#include "adapters/service/forgetting.h"

#include <stdio.h>

#include "bot/kept/forget.h"

#include "adapters/store/store_url.h"

static void work(uv_work_t *request)
{
    struct forgetting *const forgetting = request->data;
    struct mb_error *const why = &forgetting->why;
    struct kept kept = {.store = NULL};
    size_t tables = 0;
    struct store *const store = store_url_find(forgetting->setup.url, why);
    forgetting->good = store != NULL && kept_open(&kept, forgetting->setup.catalog, store, why) &&
                       forget_person(&kept, forgetting->network, forgetting->person, &tables, why);
    kept_close(&kept);
    store_destroy(store);
}

static void worked(uv_work_t *request, int status)
{
    const struct forgetting *const forgetting = request->data;
    (void)status; // it is never cancelled
    forgetting->setup.done(forgetting->setup.user, forgetting->good ? NULL : &forgetting->why);
}

void forgetting_begin(struct forgetting *forgetting, const struct forgetting_setup *setup,
                      const char *network, const char *person)
{
    *forgetting = (struct forgetting){.setup = *setup};
    forgetting->work.data = forgetting;
    (void)snprintf(forgetting->network, sizeof forgetting->network, "%s", network);
    (void)snprintf(forgetting->person, sizeof forgetting->person, "%s", person);
    if (uv_queue_work(setup->loop, &forgetting->work, work, worked) != 0) {
        (void)mb_fail(&forgetting->why, MB_ERR_LIMIT, "there is no thread for it");
        setup->done(setup->user, &forgetting->why);
    }
}
