#include "adapters/service/service_log.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include <jansson.h>

#include "core/codec/utf8.h"

static const char *const LEVELS[] = {[NET_LOG_DEBUG] = "debug",
                                     [NET_LOG_INFO] = "info",
                                     [NET_LOG_WARN] = "warn",
                                     [NET_LOG_ERROR] = "error"};

enum { TIME_SIZE = 64, ASCII_LAST = 0x7F };

struct line {
    char text[SERVICE_LOG_LINE];
    size_t size; // room is kept for an end
};

static void put(struct line *line, char c)
{
    enum { END = 2 };
    if (line->size + END < sizeof line->text) {
        line->text[line->size++] = c;
    }
}

static void put_word(struct line *line, const char *word)
{
    for (const char *at = word; *at != '\0'; at++) {
        put(line, *at);
    }
}

static bool is_plain(char c)
{
    return c > ' ' && c != '"' && c != '=' && c != '\\' && c != ASCII_LAST;
}

static void put_hex(struct line *line, unsigned char c)
{
    static const char HEX[] = "0123456789abcdef";
    enum { HIGH = 4, LOW = 15 };
    put_word(line, "\\x");
    put(line, HEX[c >> HIGH]);
    put(line, HEX[c & LOW]);
}

static void put_value(struct line *line, const char *value)
{
    bool plain = value[0] != '\0';
    for (const char *at = value; *at != '\0'; at++) {
        plain = plain && (is_plain(*at) || (unsigned char)*at > ASCII_LAST);
    }
    if (plain) {
        put_word(line, value);
        return;
    }
    put(line, '"');
    for (const char *at = value; *at != '\0'; at++) {
        const unsigned char c = (unsigned char)*at;
        if (c == '"' || c == '\\') {
            put(line, '\\');
        }
        if (c < ' ' || c == ASCII_LAST) {
            put_hex(line, c);
        } else {
            put(line, *at);
        }
    }
    put(line, '"');
}

static void now_text(char out[TIME_SIZE])
{
    enum { NS_PER_MS = 1000000 };
    struct timespec now = {0, 0};
    struct tm utc;
    out[0] = '\0';
    (void)clock_gettime(CLOCK_REALTIME, &now);
    if (gmtime_r(&now.tv_sec, &utc) != NULL) {
        const size_t size = strftime(out, TIME_SIZE, "%Y-%m-%dT%H:%M:%S", &utc);
        (void)snprintf(out + size, TIME_SIZE - size, ".%03ldZ", now.tv_nsec / NS_PER_MS);
    }
}

// JSON has no way to write bytes that are no text: they are told in hex.
static json_t *json_of(const char *value)
{
    struct line line = {.size = 0};
    if (!utf8_is_text(value)) {
        for (const char *at = value; *at != '\0'; at++) {
            if ((unsigned char)*at > ASCII_LAST) {
                put_hex(&line, (unsigned char)*at);
            } else {
                put(&line, *at);
            }
        }
        value = line.text;
    }
    return json_string(value);
}

// Into the object, or, without one, into the line. An empty value is left out.
static void put_field(struct line *line, json_t *object, const struct log_field *field)
{
    if (field->value == NULL || field->value[0] == '\0') {
        return;
    }
    if (object != NULL) {
        (void)json_object_set_new(object, field->key, json_of(field->value));
        return;
    }
    put_word(line, line->size > 0 ? " " : "");
    put_word(line, field->key);
    put(line, '=');
    put_value(line, field->value);
}

void service_log(const struct service_log *log, enum net_log_level level, const char *event,
                 const struct log_field *fields)
{
    char time[TIME_SIZE];
    const struct log_field head[] = {{"time", time}, {"level", LEVELS[level]}, {"event", event}};
    const size_t head_count = sizeof head / sizeof head[0];
    struct line line = {.size = 0};
    if (level < log->level) {
        return;
    }
    json_t *const object = log->json ? json_object() : NULL;
    now_text(time);
    for (size_t i = 0; i < head_count; i++) {
        put_field(&line, object, &head[i]);
    }
    for (const struct log_field *at = fields; at != NULL && at->key != NULL; at++) {
        put_field(&line, object, at);
    }
    char *const text = json_dumps(object, JSON_COMPACT); // NULL without an object
    json_decref(object);
    // One write, so that lines of several processes do not mix; who does not read loses it.
    const struct iovec parts[] = {{.iov_base = text != NULL ? text : line.text,
                                   .iov_len = text != NULL ? strlen(text) : line.size},
                                  {.iov_base = (char[]){'\n'}, .iov_len = 1}};
    while (writev(log->fd, parts, sizeof parts / sizeof parts[0]) < 0 && errno == EINTR) {
    }
    free(text);
}

struct log_field log_number(const char *key, unsigned long number, char out[LOG_NUMBER_SIZE])
{
    (void)snprintf(out, LOG_NUMBER_SIZE, "%lu", number);
    return (struct log_field){.key = key, .value = out};
}

void notify_send(const char *state)
{
    const char *const path = getenv("NOTIFY_SOCKET");
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const size_t length = path != NULL ? strlen(path) : 0;
    if (length == 0 || length >= sizeof address.sun_path || (path[0] != '/' && path[0] != '@')) {
        return;
    }
    memcpy(address.sun_path, path, length);
    if (path[0] == '@') {
        address.sun_path[0] = '\0'; // of the abstract namespace
    }
    const int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        return;
    }
    const socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
    (void)sendto(fd, state, strlen(state), MSG_NOSIGNAL | MSG_DONTWAIT,
                 (const struct sockaddr *)&address, size);
    (void)close(fd);
}

uint64_t notify_watchdog_ms(void)
{
    enum { DECIMAL = 10, US_PER_MS = 1000 };
    const char *const us = getenv("WATCHDOG_USEC");
    const char *const pid = getenv("WATCHDOG_PID");
    if (us == NULL || (pid != NULL && strtol(pid, NULL, DECIMAL) != (long)getpid())) {
        return 0;
    }
    return strtoull(us, NULL, DECIMAL) / US_PER_MS;
}
