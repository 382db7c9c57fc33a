/*
 * The latest that was said at a table, for `log`: bounded in entries and in bytes, oldest first.
 *
 * The log owns its texts. It is a convenience: without memory an entry is left out.
 */
#ifndef BOT_SESSION_SESSION_LOG_H
#define BOT_SESSION_SESSION_LOG_H

#include <stddef.h>

enum { SESSION_LOG_MAX = 64, SESSION_LOG_BYTES = 16384 };

struct session_log {
    char *entries[SESSION_LOG_MAX];
    unsigned first, count;
    size_t bytes; /**< of all entries, ends included */
};

/** Adds a copy; the oldest go as far as room is needed. */
void session_log_add(struct session_log *log, const char *text);
/** An entry, 0 the oldest. */
const char *session_log_entry(const struct session_log *log, unsigned index);
/** Frees everything; the log may be used again. */
void session_log_finish(struct session_log *log);

#endif
