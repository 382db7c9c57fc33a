/*
 * The service's log: one line an event, in logfmt or as JSON, on standard error.
 *
 *     time=2026-11-22T11:20:47.123Z level=info event=serving networks=1
 *     {"time":"2026-11-22T11:20:47.123Z","level":"info","event":"serving","networks":"1"}
 *
 * Values are quoted where needed; nothing from outside starts a second line. No line holds a token,
 * a hand or a person's words.
 */
#ifndef ADAPTERS_SERVICE_SERVICE_LOG_H
#define ADAPTERS_SERVICE_SERVICE_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adapters/net/net_log.h"

enum { SERVICE_LOG_LINE = 2048 };

struct service_log {
    enum net_log_level level; /**< the lowest level that is written */
    bool json;                /**< else logfmt */
    int fd;
};

struct log_field {
    const char *key, *value;
};

/** Writes a line. A field without a key ends the list; NULL: none. Empty values are left out. */
void service_log(const struct service_log *log, enum net_log_level level, const char *event,
                 const struct log_field *fields);

#define LOG_FIELDS(...)                                                                            \
    (const struct log_field[])                                                                     \
    {                                                                                              \
        __VA_ARGS__,                                                                               \
        {                                                                                          \
            NULL, NULL                                                                             \
        }                                                                                          \
    }

/** A field with a text for people. */
static inline struct log_field log_text(const char *text)
{
    return (struct log_field){.key = "text", .value = text};
}

enum { LOG_NUMBER_SIZE = 24 };
/** A field with a number, written into `out`. */
struct log_field log_number(const char *key, unsigned long number, char out[LOG_NUMBER_SIZE]);

/* What systemd is told of the service: a datagram to $NOTIFY_SOCKET, if that is set. */

/** Sends "READY=1", "STOPPING=1", "WATCHDOG=1", "STATUS=...", or several of them, one a line. */
void notify_send(const char *state);
/** Returns how often systemd wants "WATCHDOG=1" at least; 0: never. */
uint64_t notify_watchdog_ms(void);

#endif
