#include "adapters/matrix/say/vault.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <signal.h>
#include <unistd.h>

#include "core/codec/memory.h"

#include "bot/chat.h"

enum {
    HEAD = 4, // bytes of a frame's length
    RETRY_MIN_MS = 1000,
    RETRY_MAX_MS = 30000,
    SILENT_MS = 30000,     // it is asked and says nothing: it hangs ...
    SILENT_MORE_MS = 2000, // ... unless this process did, which sees then what was said meanwhile
    LIVES_MS = 60000,      // a process that has lived so long has not failed
    PATH_SIZE = 4096
};

/* What was asked, until it is answered. */
struct ask {
    struct ask *next;
    struct fibre *fibre; // NULL: the vault's own
    char *frame;
    size_t size;
    uint64_t id;
    unsigned deaths; // that it was under way in
};

/* A process. It outlives its vault's interest until it has ended. */
struct helper {
    uv_process_t process;
    uv_pipe_t pipe;
    struct vault *vault;
    char head[HEAD];
    char *body;          // of the frame that is being read, or NULL
    size_t size, filled; // of it; of its head while there is none
    unsigned handles;    // that are open
    bool exited;
};

struct vault {
    struct vault_setup setup;
    struct helper *helper; // that is asked, or NULL
    struct ask *first, **end;
    uv_timer_t timer;
    uint64_t ids, commits;
    int64_t began_ms;
    unsigned failures, under_way; // under_way: of the asks, from the first
    bool wanted, opened, stopped;
    bool silent; // it has said nothing for long
    bool full;   // the latest answer: the store cannot be written
    char user[CHAT_ID_SIZE], device[CHAT_ID_SIZE];
};

bool vault_find(char *out, size_t size)
{
    static const char NAME[] = "munchbot-crypto";
    const ssize_t length = readlink("/proc/self/exe", out, size - 1);
    if (length <= 0) {
        return false;
    }
    out[length] = '\0';
    char *const name = strrchr(out, '/');
    if (name == NULL || size - (size_t)(name + 1 - out) < sizeof NAME) {
        return false;
    }
    memcpy(name + 1, NAME, sizeof NAME);
    return access(out, X_OK) == 0;
}

static void log_line(const struct vault *vault, enum net_log_level level, const char *text)
{
    vault->setup.log(vault->setup.log_user, level, "crypto", text);
}

/* Asks. */

// Whoever waits gets it; the vault's own have nobody.
static void answer_first(struct vault *vault, json_t *answer)
{
    struct ask *const ask = vault->first;
    json_t **place = NULL;
    vault->first = ask->next;
    vault->end = vault->first == NULL ? &vault->first : vault->end;
    vault->under_way -= vault->under_way > 0 ? 1 : 0;
    if (ask->fibre != NULL) {
        place = fibre_answered(ask->fibre);
    }
    struct fibre *const fibre = ask->fibre;
    free(ask->frame);
    free(ask);
    if (place == NULL) {
        json_decref(answer);
        return;
    }
    *place = answer;
    fibre_wake(fibre);
}

static void answer_all(struct vault *vault)
{
    while (vault->first != NULL) {
        answer_first(vault, NULL);
    }
}

/* Its process. */

static void pump(struct vault *vault);
static void begin_later(struct vault *vault);

static void on_closed(uv_handle_t *handle)
{
    struct helper *const helper = handle->data;
    if (--helper->handles == 0) {
        free(helper->body);
        free(helper);
    }
}

// Its store is whole whenever it ends; what it has not answered is asked the next.
static void let_go(struct vault *vault)
{
    struct helper *const helper = vault->helper;
    if (helper != NULL) {
        vault->helper = NULL;
        helper->vault = NULL;
        uv_close((uv_handle_t *)&helper->pipe, on_closed);
        if (helper->exited) {
            uv_close((uv_handle_t *)&helper->process, on_closed);
        } else {
            (void)uv_process_kill(&helper->process, SIGKILL);
        }
    }
    vault->under_way = 0;
    vault->opened = false;
}

static void on_died(struct vault *vault)
{
    const int64_t now_ms = (int64_t)uv_now(vault->setup.loop);
    struct ask *at = vault->first;
    for (unsigned i = 0; i < vault->under_way; i++, at = at->next) {
        at->deaths++;
    }
    vault->failures = now_ms - vault->began_ms >= LIVES_MS ? 0 : vault->failures;
    let_go(vault);
    log_line(vault, NET_LOG_WARN, "munchbot-crypto has ended");
    begin_later(vault);
}

static void on_exit_of(uv_process_t *process, int64_t status, int signal)
{
    struct helper *const helper = process->data;
    (void)status;
    (void)signal;
    helper->exited = true;
    if (helper->vault == NULL) {
        uv_close((uv_handle_t *)process, on_closed);
    } else {
        on_died(helper->vault);
    }
}

void vault_end(struct vault *vault, const char *why)
{
    struct mb_error err = {0};
    (void)mb_fail(&err, MB_ERR_INPUT, "%s", why);
    vault->wanted = false;
    (void)uv_timer_stop(&vault->timer);
    let_go(vault);
    vault->setup.fatal(vault->setup.user, &err);
}

static void on_silent(uv_timer_t *timer)
{
    struct vault *const vault = timer->data;
    if (!vault->silent) {
        vault->silent = true;
        (void)uv_timer_start(timer, on_silent, SILENT_MORE_MS, 0);
        return;
    }
    log_line(vault, NET_LOG_WARN, "munchbot-crypto does not answer");
    on_died(vault);
}

// It is to say something soon, if it is asked for something.
static void await_word(struct vault *vault)
{
    vault->silent = false;
    if (vault->under_way > 0 || !vault->opened) {
        (void)uv_timer_start(&vault->timer, on_silent, SILENT_MS, 0);
    } else {
        (void)uv_timer_stop(&vault->timer);
    }
}

static void take_opened(struct vault *vault, const json_t *answer)
{
    const char *const no = json_string_value(json_object_get(answer, "no"));
    const json_int_t commits = json_integer_value(json_object_get(answer, "commits"));
    if (no != NULL && strcmp(no, "other-device") == 0) {
        vault_end(vault, "the keys in crypto_path are another account's or device's: name "
                         "another crypto_path");
    } else if (no != NULL) {
        log_line(vault, NET_LOG_WARN,
                 strcmp(no, "locked") == 0 ? "another process has the store in crypto_path"
                                           : "the store in crypto_path cannot be opened");
        let_go(vault);
        begin_later(vault);
    } else if (commits < 0 || (uint64_t)commits < vault->commits) {
        vault_end(vault, "the keys in crypto_path are an older copy, which would be used twice: "
                         "\"munchbot matrix login\" makes a new device");
    } else {
        vault->opened = true;
        await_word(vault);
        pump(vault);
    }
}

static void take_answer(struct vault *vault, json_t *answer)
{
    const json_int_t commits = json_integer_value(json_object_get(answer, "commits"));
    const json_int_t id = json_integer_value(json_object_get(answer, "id"));
    const char *const no = json_string_value(json_object_get(answer, "no"));
    if (!vault->opened && id == 0) {
        take_opened(vault, answer);
        json_decref(answer);
        return;
    }
    if (!vault->opened || vault->under_way == 0 || (uint64_t)id != vault->first->id) {
        json_decref(answer);
        on_died(vault); // it answers what nobody has asked
        return;
    }
    vault->commits =
        commits > 0 && (uint64_t)commits > vault->commits ? (uint64_t)commits : vault->commits;
    vault->full = no != NULL && strcmp(no, "store") == 0;
    if (no != NULL) {
        json_decref(answer);
    }
    answer_first(vault, no != NULL ? NULL : answer);
    await_word(vault);
    pump(vault);
}

/* Frames. */

static void on_room(uv_handle_t *handle, size_t suggested, uv_buf_t *out)
{
    struct helper *const helper = handle->data;
    (void)suggested;
    *out =
        helper->body == NULL
            ? uv_buf_init(helper->head + helper->filled, (unsigned)(HEAD - helper->filled))
            : uv_buf_init(helper->body + helper->filled, (unsigned)(helper->size - helper->filled));
}

static size_t length_of(const char head[HEAD])
{
    size_t length = 0;
    for (size_t i = 0; i < HEAD; i++) {
        length = length << 8 | (unsigned char)head[i];
    }
    return length;
}

// False: it is none that can be read.
static bool take_bytes(struct helper *helper)
{
    if (helper->body == NULL) {
        helper->size = length_of(helper->head);
        if (helper->size == 0 || helper->size > VAULT_FRAME_MAX) {
            return false;
        }
        helper->body = mb_new(helper->size, 1);
        helper->filled = 0;
        return true;
    }
    json_t *const answer =
        json_loadb(helper->body, helper->size, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, NULL);
    free(helper->body);
    helper->body = NULL;
    helper->filled = 0;
    if (!json_is_object(answer)) {
        json_decref(answer);
        return false;
    }
    take_answer(helper->vault, answer);
    return true;
}

static void on_read(uv_stream_t *stream, ssize_t size, const uv_buf_t *buffer)
{
    struct helper *const helper = stream->data;
    (void)buffer;
    if (helper->vault == NULL) {
        return;
    }
    helper->filled += size > 0 ? (size_t)size : 0;
    const size_t wanted = helper->body == NULL ? HEAD : helper->size;
    if (size < 0 || (helper->filled == wanted && !take_bytes(helper))) {
        on_died(helper->vault);
    }
}

struct writing {
    uv_write_t request;
    char head[HEAD];
    char *body;
};

static void on_written(uv_write_t *request, int status)
{
    struct writing *const writing = request->data;
    (void)status; // one that is gone is noticed by what is read
    free(writing->body);
    free(writing);
}

static void write_frame(struct vault *vault, const char *frame, size_t size)
{
    struct writing *const writing = mb_new(1, sizeof *writing);
    writing->body = mb_text_of(frame, size);
    writing->request.data = writing;
    for (size_t i = 0; i < HEAD; i++) {
        writing->head[i] = (char)(size >> (8 * (HEAD - 1 - i)) & 0xFF);
    }
    const uv_buf_t buffers[] = {uv_buf_init(writing->head, HEAD),
                                uv_buf_init(writing->body, (unsigned)size)};
    if (uv_write(&writing->request, (uv_stream_t *)&vault->helper->pipe, buffers, 2, on_written) !=
        0) {
        on_written(&writing->request, 0);
    }
}

// As many as may be under way.
static void pump(struct vault *vault)
{
    while (vault->opened && vault->first != NULL && vault->under_way == 0 &&
           vault->first->deaths >= VAULT_DEATHS) {
        log_line(vault, NET_LOG_ERROR, "munchbot-crypto ends of what it is asked: given up");
        answer_first(vault, NULL);
    }
    struct ask *at = vault->first;
    for (unsigned i = 0; i < vault->under_way && at != NULL; i++) {
        at = at->next;
    }
    // What it may have died of goes alone.
    while (vault->opened && at != NULL && vault->under_way < VAULT_WINDOW &&
           (at->deaths == 0 || vault->under_way == 0)) {
        const bool alone = at->deaths > 0;
        write_frame(vault, at->frame, at->size);
        if (vault->under_way++ == 0) {
            await_word(vault);
        }
        at = alone ? NULL : at->next;
    }
}

/* Its life. */

static void open_store(struct vault *vault)
{
    char path[PATH_SIZE];
    int length = snprintf(path, sizeof path, "%s/", vault->setup.path);
    // A device's id is any text: what is no letter or digit of it is written by its number.
    for (const char *at = vault->device; *at != '\0' && length < PATH_SIZE - 4; at++) {
        const bool plain =
            (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || (*at >= '0' && *at <= '9');
        length += snprintf(path + length, sizeof path - (size_t)length, plain ? "%c" : "=%02x",
                           (unsigned char)*at);
    }
    json_t *const ask =
        json_pack("{s:i, s:s, s:s, s:s, s:s, s:s}", "id", 0, "ask", "open", "path", path, "user",
                  vault->user, "device", vault->device, "keys", vault->setup.keys);
    char *const frame = json_dumps(ask, JSON_COMPACT);
    json_decref(ask);
    if (frame == NULL) {
        vault_end(vault, "crypto_path is no UTF-8: name another");
        return;
    }
    write_frame(vault, frame, strlen(frame));
    await_word(vault);
    free(frame);
}

static void begin(uv_timer_t *timer)
{
    struct vault *const vault = timer->data;
    char program[] = "munchbot-crypto";
    char *arguments[] = {program, NULL};
    char *nothing[] = {NULL}; // of the environment, where a token may stand
    struct helper *const helper = mb_new(1, sizeof *helper);
    uv_stdio_container_t streams[] = {
        {.flags = UV_CREATE_PIPE | UV_READABLE_PIPE | UV_WRITABLE_PIPE,
         .data.stream = (uv_stream_t *)&helper->pipe},
        {.flags = UV_IGNORE},
        {.flags = UV_INHERIT_FD, .data.fd = STDERR_FILENO}};
    const uv_process_options_t options = {.exit_cb = on_exit_of,
                                          .file = vault->setup.program,
                                          .args = arguments,
                                          .env = nothing,
                                          .stdio_count = 3,
                                          .stdio = streams};
    helper->vault = vault;
    helper->handles = 2;
    helper->process.data = helper->pipe.data = helper;
    vault->helper = helper;
    vault->began_ms = (int64_t)uv_now(vault->setup.loop);
    (void)uv_pipe_init(vault->setup.loop, &helper->pipe, 0);
    if (uv_spawn(vault->setup.loop, &helper->process, &options) != 0) {
        helper->exited = true;
        log_line(vault, NET_LOG_ERROR, "munchbot-crypto cannot be started");
        let_go(vault);
        begin_later(vault);
        return;
    }
    (void)uv_read_start((uv_stream_t *)&helper->pipe, on_room, on_read);
    open_store(vault);
}

static void begin_later(struct vault *vault)
{
    int64_t wait_ms = RETRY_MIN_MS;
    for (unsigned i = 0; i < vault->failures && wait_ms < RETRY_MAX_MS; i++) {
        wait_ms *= 2;
    }
    vault->failures++;
    if (vault_is_wanted(vault)) {
        (void)uv_timer_start(&vault->timer, begin,
                             (uint64_t)(wait_ms < RETRY_MAX_MS ? wait_ms : (int64_t)RETRY_MAX_MS),
                             0);
    }
}

void vault_begin(struct vault *vault, const char *user, const char *device, uint64_t commits)
{
    if (vault->wanted || vault->stopped) {
        return;
    }
    (void)snprintf(vault->user, sizeof vault->user, "%s", user);
    (void)snprintf(vault->device, sizeof vault->device, "%s", device);
    vault->commits = commits;
    vault->wanted = true;
    vault->failures = 0;
    (void)uv_timer_start(&vault->timer, begin, 0, 0);
}

void vault_rest(struct vault *vault)
{
    vault->wanted = false;
    (void)uv_timer_stop(&vault->timer);
    let_go(vault);
    answer_all(vault);
}

bool vault_is_wanted(const struct vault *vault)
{
    return vault->wanted && !vault->stopped;
}

bool vault_is_full(const struct vault *vault)
{
    return vault_is_wanted(vault) && vault->full;
}

/* Asking. */

bool vault_await(struct fibre *fibre, struct vault *vault, const char *name, json_t *ask,
                 json_t **out)
{
    *out = NULL;
    (void)json_object_set_new(ask, "ask", json_string(name));
    (void)json_object_set_new(ask, "id", json_integer((json_int_t)++vault->ids));
    char *const frame = json_dumps(ask, JSON_COMPACT);
    json_decref(ask);
    const size_t size = frame != NULL ? strlen(frame) : SIZE_MAX;
    if (!vault_is_wanted(vault) || size > VAULT_FRAME_MAX) {
        free(frame);
        return true;
    }
    if (!fibre_asks(fibre, out)) {
        free(frame);
        return false;
    }
    struct ask *const waiting = mb_new(1, sizeof *waiting);
    *waiting = (struct ask){.fibre = fibre, .frame = frame, .size = size, .id = vault->ids};
    *vault->end = waiting;
    vault->end = &waiting->next;
    pump(vault);
    return fibre_wait_answer(fibre);
}

uint64_t vault_commits(const struct vault *vault)
{
    return vault->commits;
}

const char *vault_device(const struct vault *vault)
{
    return vault->device;
}

/* Whole. */

struct vault *vault_create(const struct vault_setup *setup)
{
    struct vault *const vault = mb_new(1, sizeof *vault);
    vault->setup = *setup;
    vault->end = &vault->first;
    (void)uv_timer_init(setup->loop, &vault->timer);
    vault->timer.data = vault;
    return vault;
}

void vault_stop(struct vault *vault)
{
    if (!vault->stopped) {
        vault->stopped = true;
        vault_rest(vault);
        uv_close((uv_handle_t *)&vault->timer, NULL);
    }
}

void vault_destroy(struct vault *vault)
{
    free(vault);
}
