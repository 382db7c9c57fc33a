#include "bot/session/session_log.h"

#include <stdlib.h>
#include <string.h>

static void drop_oldest(struct session_log *log)
{
    log->bytes -= strlen(log->entries[log->first]) + 1;
    free(log->entries[log->first]);
    log->entries[log->first] = NULL;
    log->first = (log->first + 1) % SESSION_LOG_MAX;
    log->count--;
}

void session_log_add(struct session_log *log, const char *text)
{
    const size_t size = strlen(text) + 1;
    char *const copy = size <= SESSION_LOG_BYTES ? strdup(text) : NULL;
    if (copy == NULL) {
        return;
    }
    while (log->count == SESSION_LOG_MAX || log->bytes + size > SESSION_LOG_BYTES) {
        drop_oldest(log);
    }
    log->entries[(log->first + log->count) % SESSION_LOG_MAX] = copy;
    log->count++;
    log->bytes += size;
}

const char *session_log_entry(const struct session_log *log, unsigned index)
{
    return index < log->count ? log->entries[(log->first + index) % SESSION_LOG_MAX] : "";
}

void session_log_finish(struct session_log *log)
{
    while (log->count > 0) {
        drop_oldest(log);
    }
}
