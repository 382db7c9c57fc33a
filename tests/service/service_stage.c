#include "tests/service/service_stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "adapters/store/sqlite/sqlite_store.h"

#include "tests/support/test.h"

enum { LIMIT_S = 60, LOOK_MS = 10 };

void service_stage_cue(struct service_stage *stage, uint64_t ms,
                       void (*act)(struct service_stage *stage))
{
    assert_true(stage->cue_count < STAGE_CUES);
    stage->cues[stage->cue_count++] = (struct cue){.ms = ms, .act = act};
}

void service_stage_early_cue(struct service_stage *stage, uint64_t ms,
                             void (*act)(struct service_stage *stage))
{
    service_stage_cue(stage, ms, act);
    stage->cues[stage->cue_count - 1].early = true;
}

static void on_cue(uv_timer_t *timer)
{
    struct service_stage *const stage = timer->data;
    const size_t index = (size_t)(timer - stage->timers);
    uv_close((uv_handle_t *)timer, NULL);
    stage->cues[index].act(stage);
}

static void start_cue(struct service_stage *stage, size_t i)
{
    uv_update_time(service_loop(stage->service));
    assert_int_equal(uv_timer_init(service_loop(stage->service), &stage->timers[i]), 0);
    stage->timers[i].data = stage;
    assert_int_equal(uv_timer_start(&stage->timers[i], on_cue, stage->cues[i].ms, 0), 0);
}

static void start_cues(struct service_stage *stage, bool early)
{
    for (size_t i = 0; i < stage->cue_count; i++) {
        if (stage->cues[i].early == early) {
            start_cue(stage, i);
        }
    }
}

void service_stage_after(struct service_stage *stage, uint64_t ms,
                         void (*act)(struct service_stage *stage))
{
    service_stage_cue(stage, ms, act);
    start_cue(stage, stage->cue_count - 1);
}

void service_stage_when(struct service_stage *stage, bool (*ready)(struct service_stage *stage),
                        void (*act)(struct service_stage *stage))
{
    assert_true(stage->awaited_count < STAGE_CUES);
    stage->awaited[stage->awaited_count++] = (struct awaited){.ready = ready, .act = act};
}

static void on_look(uv_timer_t *timer)
{
    struct service_stage *const stage = timer->data;
    const struct awaited *const next = &stage->awaited[stage->awaited_done];
    if (next->ready != NULL && !next->ready(stage)) {
        return;
    }
    if (++stage->awaited_done == stage->awaited_count) {
        uv_close((uv_handle_t *)timer, NULL);
    }
    next->act(stage);
}

static void start_looking(struct service_stage *stage)
{
    stage->awaited_done = 0;
    if (stage->awaited_count > 0) {
        assert_int_equal(uv_timer_init(service_loop(stage->service), &stage->look), 0);
        stage->look.data = stage;
        assert_int_equal(uv_timer_start(&stage->look, on_look, LOOK_MS, LOOK_MS), 0);
    }
}

static struct chat *make_fake(const void *setup, const struct service_host *host,
                              struct chat_queue *queue, struct mb_error *err)
{
    struct service_stage *const stage = *(struct service_stage *const *)setup;
    unsigned index = 0;
    while (stage->chats[index] != NULL) {
        index++;
    }
    assert_true(index < stage->adapter_count);
    stage->hosts[index] = *host;
    if (stage->refuses_to_start[index]) {
        (void)mb_fail(err, MB_ERR_INPUT, "the fake adapter will not be made");
        stage->refuses_to_start[index] = false;
        return NULL;
    }
    stage->chats[index] = fake_create_named(stage->adapters[index].name, queue, FAKE_CAPS_ALL);
    if (index + 1 == stage->adapter_count) {
        start_cues(stage, false);
        start_looking(stage);
    }
    return stage->chats[index];
}

static void count_reread(void *user)
{
    struct service_stage *const stage = user;
    stage->rereads++;
}

struct service_stage *service_stage_open(void)
{
    struct service_stage *const stage = calloc(1, sizeof *stage);
    char path[FOLDER_PATH_SIZE];
    assert_non_null(stage);
    folder_make(stage->folder);
    folder_in(stage->folder, "log", path);
    stage->log.fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, S_IRUSR | S_IWUSR);
    assert_true(stage->log.fd >= 0);
    stage->log.level = NET_LOG_DEBUG;
    stage->catalog = catalog_load("cards", NULL);
    assert_non_null(stage->catalog);
    stage->adapter_count = 1;
    return stage;
}

void service_stage_close(struct service_stage *stage)
{
    service_stage_end(stage);
    store_destroy(stage->store);
    catalog_destroy((struct catalog *)(uintptr_t)stage->catalog);
    (void)close(stage->log.fd);
    folder_remove(stage->folder);
    free(stage);
}

void service_stage_sqlite(struct service_stage *stage, const char *name)
{
    char path[FOLDER_PATH_SIZE];
    folder_in(stage->folder, name, path);
    store_destroy(stage->store);
    stage->store = sqlite_store_create(&(struct sqlite_setup){.path = path});
    assert_non_null(stage->store);
}

static void read_log(struct service_stage *stage)
{
    const ssize_t size = pread(stage->log.fd, stage->seen, sizeof stage->seen - 1, 0);
    assert_true(size >= 0);
    stage->seen[size] = '\0';
}

bool service_stage_play(struct service_stage *stage)
{
    static const char *const NAMES[STAGE_ADAPTERS] = {"fake", "other"};
    struct service_setup setup = {.catalog = stage->catalog,
                                  .store = stage->store,
                                  .adapters = stage->adapters,
                                  .adapter_count = stage->adapter_count,
                                  .log = &stage->log,
                                  .user_agent = "test",
                                  .listen = stage->listen,
                                  .drain_ms = stage->drain_ms,
                                  .reread = count_reread,
                                  .user = stage};
    struct service_stage *self = stage;
    stage->err = (struct mb_error){0};
    for (unsigned i = 0; i < stage->adapter_count; i++) {
        stage->adapters[i] =
            (struct service_adapter){.name = NAMES[i], .create = make_fake, .setup = &self};
        stage->chats[i] = NULL;
    }
    stage->service = service_create(&setup, &stage->err);
    assert_non_null(stage->service);
    start_cues(stage, true);
    (void)alarm(LIMIT_S);
    const bool good = service_run(stage->service, &stage->err);
    (void)alarm(0);
    stage->cue_count = 0;
    stage->awaited_count = 0;
    read_log(stage);
    return good;
}

void service_stage_end(struct service_stage *stage)
{
    service_destroy(stage->service);
    stage->service = NULL;
    memset(stage->chats, 0, sizeof stage->chats);
}

bool service_stage_run(struct service_stage *stage)
{
    const bool good = service_stage_play(stage);
    service_stage_end(stage);
    return good;
}

void service_stage_stop(struct service_stage *stage)
{
    service_stop(stage->service);
}

unsigned service_stage_logged(const struct service_stage *stage, const char *words)
{
    unsigned count = 0;
    for (const char *at = strstr(stage->seen, words); at != NULL; at = strstr(at + 1, words)) {
        count++;
    }
    return count;
}
