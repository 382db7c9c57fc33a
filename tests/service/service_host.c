// The service with a fake network at its standard input and output, to be killed by tests.
// usage: service_host STORE; lines: "PERSON COMMAND", "/hold" (nothing is delivered any more),
// "/wall SECONDS" (its wall clock is off by so many)
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <unistd.h>

#include "bot/tools/fake.h"

#include "adapters/service/service.h"
#include "adapters/store/store_url.h"

#include "tests/support/wall.h"

enum { LINES_SIZE = 1024, LOOK_MS = 10, HOUR_S = 3600 };

struct host {
    struct service *service;
    struct chat *chat;
    uv_pipe_t in;
    uv_timer_t look;
    size_t shown, size;
    unsigned said;
    bool told;
    char lines[LINES_SIZE];
};

static void hear(struct host *host, char *line)
{
    char event[64]; // of its own, whichever process hears it
    char *const blank = strchr(line, ' ');
    if (blank == NULL) {
        fake_hold(host->chat, true);
        return;
    }
    *blank = '\0';
    if (strcmp(line, "/wall") == 0) {
        const time_t before = time(NULL);
        wall_shift(strtol(blank + 1, NULL, 10));
        (void)printf("the clock jumps by %.0f hours\n",
                     difftime(time(NULL), before) / (double)HOUR_S);
        return;
    }
    (void)snprintf(event, sizeof event, "event-%ld-%u", (long)getpid(), ++host->said);
    const struct chat_in in = {
        .place = "town", .person = line, .name = line, .event = event, .line = blank + 1};
    (void)fake_hear_in(host->chat, &in);
}

static void on_room(uv_handle_t *handle, size_t wanted, uv_buf_t *out)
{
    struct host *const host = handle->data;
    (void)wanted;
    *out = uv_buf_init(host->lines + host->size, (unsigned)(LINES_SIZE - 1 - host->size));
}

static void on_lines(uv_stream_t *stream, ssize_t size, const uv_buf_t *buffer)
{
    struct host *const host = stream->data;
    (void)buffer;
    if (size < 0) {
        (void)uv_read_stop(stream);
        return;
    }
    host->size += (size_t)size;
    host->lines[host->size] = '\0';
    for (char *end = strchr(host->lines, '\n'); end != NULL; end = strchr(host->lines, '\n')) {
        *end = '\0';
        hear(host, host->lines);
        host->size -= (size_t)(end + 1 - host->lines);
        memmove(host->lines, end + 1, host->size + 1);
    }
}

// Says what has come to be seen, and once that something waits to be.
static void on_look(uv_timer_t *timer)
{
    static const char *const KINDS[] = {"narration", "card", "whisper", "hand", "reply"};
    struct host *const host = timer->data;
    for (; host->shown < fake_count(host->chat); host->shown++) {
        const struct fake_message *const message = fake_message(host->chat, host->shown);
        (void)printf("%s %s: %s\n", KINDS[message->kind], message->person, message->text);
    }
    if (fake_waiting(host->chat) > 0 && !host->told) {
        host->told = true;
        (void)puts("messages wait");
    }
    (void)fflush(stdout);
    if (service_state(host->service) >= SERVICE_DRAINING && !uv_is_closing((uv_handle_t *)timer)) {
        uv_close((uv_handle_t *)timer, NULL);
        uv_close((uv_handle_t *)&host->in, NULL);
    }
}

static struct chat *make_fake(const void *setup, const struct service_host *on,
                              struct chat_queue *queue, struct mb_error *err)
{
    struct host *const host = *(struct host *const *)setup;
    (void)err;
    host->chat = fake_create_with(queue, FAKE_CAPS_ALL);
    (void)uv_pipe_init(on->loop, &host->in, 0);
    (void)uv_timer_init(on->loop, &host->look);
    host->in.data = host->look.data = host;
    (void)uv_pipe_open(&host->in, STDIN_FILENO);
    (void)uv_read_start((uv_stream_t *)&host->in, on_room, on_lines);
    (void)uv_timer_start(&host->look, on_look, LOOK_MS, LOOK_MS);
    return host->chat;
}

static bool serve(const char *url, const struct catalog *catalog, struct mb_error *err)
{
    struct host host = {.chat = NULL};
    struct host *const self = &host;
    struct store *const store = store_url_create(url, err);
    struct service_log log = {.level = NET_LOG_INFO, .fd = STDERR_FILENO};
    const struct service_adapter adapter = {.name = "fake", .create = make_fake, .setup = &self};
    const struct service_setup setup = {.catalog = catalog,
                                        .store = store,
                                        .adapters = &adapter,
                                        .adapter_count = 1,
                                        .log = &log,
                                        .user_agent = "test"};
    host.service = store != NULL ? service_create(&setup, err) : NULL;
    const bool good = host.service != NULL && service_run(host.service, err);
    service_destroy(host.service);
    store_destroy(store);
    return good;
}

int main(int argc, char **argv)
{
    struct mb_error err = {0};
    struct catalog *const catalog = argc == 2 ? catalog_load("cards", NULL) : NULL;
    const bool good = catalog != NULL && serve(argv[1], catalog, &err);
    catalog_destroy(catalog);
    return good ? 0 : 1;
}
