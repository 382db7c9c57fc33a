#include "adapters/service/service_log.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static const char *const LEVELS[] = {[NET_LOG_DEBUG] = "debug",
                                     [NET_LOG_INFO] = "info",
                                     [NET_LOG_WARN] = "warn",
                                     [NET_LOG_ERROR] = "error"};

struct line {
    char text[SERVICE_LOG_LINE];
    size_t size; // room is kept for the end of the line
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
    return c > ' ' && c != '"' && c != '=' && c != '\\' && c != 0x7F;
}

static void put_value(struct line *line, const char *value)
{
    static const char HEX[] = "0123456789abcdef";
    enum { HIGH = 4, LOW = 15 };
    bool plain = value[0] != '\0';
    for (const char *at = value; *at != '\0'; at++) {
        plain = plain && (is_plain(*at) || (unsigned char)*at > 0x7F);
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
        if (c < ' ' || c == 0x7F) {
            put_word(line, "\\x");
            put(line, HEX[c >> HIGH]);
            put(line, HEX[c & LOW]);
        } else {
            put(line, *at);
        }
    }
    put(line, '"');
}

static void put_time(struct line *line)
{
    enum { NS_PER_MS = 1000000, SIZE = 64 };
    struct timespec now = {0, 0};
    struct tm utc;
    char text[SIZE];
    (void)clock_gettime(CLOCK_REALTIME, &now);
    if (gmtime_r(&now.tv_sec, &utc) != NULL) {
        const size_t size = strftime(text, sizeof text, "time=%Y-%m-%dT%H:%M:%S", &utc);
        (void)snprintf(text + size, sizeof text - size, ".%03ldZ ", now.tv_nsec / NS_PER_MS);
        put_word(line, text);
    }
}

void service_log(const struct service_log *log, enum net_log_level level, const char *event,
                 const struct log_field *fields)
{
    struct line line = {.size = 0};
    if (level < log->level) {
        return;
    }
    put_time(&line);
    put_word(&line, "level=");
    put_word(&line, LEVELS[level]);
    put_word(&line, " event=");
    put_value(&line, event);
    for (const struct log_field *at = fields; at != NULL && at->key != NULL; at++) {
        if (at->value != NULL && at->value[0] != '\0') {
            put(&line, ' ');
            put_word(&line, at->key);
            put(&line, '=');
            put_value(&line, at->value);
        }
    }
    line.text[line.size++] = '\n';
    // One write, so that lines of several processes do not mix; who does not read loses it.
    while (write(log->fd, line.text, line.size) < 0 && errno == EINTR) {
    }
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
