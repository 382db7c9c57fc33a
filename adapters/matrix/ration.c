#include "adapters/matrix/ration.h"

#include <stdio.h>

enum { MIB = 1024 * 1024, LONGEST = 64 * MIB, CUTS = 2, SEVERAL = 50, ONE = 1, REST_MS = 60000 };

// {"presence":{"types":[]},"account_data":{"types":[]},"room":{"timeline":{"limit":N}, ...
static const char BEFORE[] =
    "%7B%22presence%22%3A%7B%22types%22%3A%5B%5D%7D%2C%22account_data%22%3A%7B%22types%22%3A%5B%5D"
    "%7D%2C%22room%22%3A%7B%22timeline%22%3A%7B%22limit%22%3A";
static const char BEHIND[] =
    "%7D%2C%22ephemeral%22%3A%7B%22types%22%3A%5B%5D%7D%2C%22account_data%22%3A%7B%22types%22%3A"
    "%5B%5D%7D%7D%7D";

bool ration_path(const struct ration *ration, const char *since, bool all, int wait_ms,
                 char path[API_PATH_SIZE])
{
    char before[512];
    (void)snprintf(before, sizeof before, "/_matrix/client/v3/sync?filter=%s%d%s&timeout=%d%s%s",
                   BEFORE, ration->cuts > 0 ? ONE : SEVERAL, BEHIND, all ? 0 : wait_ms,
                   all ? "&full_state=true" : "", since[0] != '\0' ? "&since=" : "");
    return api_path(path, before, since, "");
}

size_t ration_body_max(const struct ration *ration)
{
    return ration->cuts < CUTS ? (size_t)HTTP_BODY_MAX : (size_t)LONGEST;
}

int64_t ration_cut(struct ration *ration, net_log_fn *log, void *log_user)
{
    static const char EVENT[] = "sync-too-long";
    if (ration->cuts == 0) {
        log(log_user, NET_LOG_WARN, EVENT, "a sync answer exceeds 16 MiB: asking for less at once");
    } else if (ration->cuts < CUTS) {
        log(log_user, NET_LOG_WARN, EVENT, "room state exceeds 16 MiB: reading up to 64 MiB");
    } else {
        log(log_user, NET_LOG_ERROR, EVENT,
            "room state exceeds 64 MiB, the limit: remove the bot from its largest rooms; then it "
            "resumes");
        return REST_MS;
    }
    ration->cuts++;
    return 0;
}
