/*
 * A service on a stage: fake chats for its adapters, a script of instants, and its log.
 */
#ifndef TESTS_SERVICE_SERVICE_STAGE_H
#define TESTS_SERVICE_SERVICE_STAGE_H

#include "bot/tools/fake.h"

#include "adapters/service/service.h"

#include "tests/support/folder.h"

enum { STAGE_ADAPTERS = 2, STAGE_CUES = 8, STAGE_LOG_SIZE = 65536 };

struct service_stage;

/** At an instant after the service has begun to serve, or to run; once. */
struct cue {
    uint64_t ms;
    bool early;
    void (*act)(struct service_stage *stage);
};

/** As soon as it is ready, in their order. */
struct awaited {
    bool (*ready)(struct service_stage *stage);
    void (*act)(struct service_stage *stage);
};

struct service_stage {
    const struct catalog *catalog;
    struct store *store;
    struct service *service;
    struct service_log log;
    struct service_adapter adapters[STAGE_ADAPTERS];
    unsigned adapter_count;
    struct chat *chats[STAGE_ADAPTERS]; /**< while the service is there */
    struct service_host hosts[STAGE_ADAPTERS];
    bool refuses_to_start[STAGE_ADAPTERS];
    uint64_t drain_ms;
    const char *listen;
    unsigned rereads, said;
    unsigned long turns; /**< noted by a test */
    bool found;          /**< likewise */
    uv_timer_t timers[STAGE_CUES];
    struct cue cues[STAGE_CUES];
    size_t cue_count;
    uv_timer_t look;
    struct awaited awaited[STAGE_CUES];
    size_t awaited_count, awaited_done;
    struct mb_error err; /**< of the run */
    char seen[STAGE_LOG_SIZE];
    char folder[FOLDER_PATH_SIZE];
};

/** Loads the catalog; a folder of its own. */
struct service_stage *service_stage_open(void);
/** Also ends what is still there. */
void service_stage_close(struct service_stage *stage);
/** A store in the stage's folder, not started. */
void service_stage_sqlite(struct service_stage *stage, const char *name);
/** Runs a service from start to end, with the cues that were set and a limit of ten seconds, and
 * forgets the cues. The chat is gone then, `seen` is its log. */
bool service_stage_run(struct service_stage *stage);
/** The same, but the service stays there: look, then service_stage_end(). */
bool service_stage_play(struct service_stage *stage);
void service_stage_end(struct service_stage *stage);
/** Adds a cue; the instant counts from when the chats are made. */
void service_stage_cue(struct service_stage *stage, uint64_t ms,
                       void (*act)(struct service_stage *stage));
/** The same while it runs, counted from now. */
void service_stage_after(struct service_stage *stage, uint64_t ms,
                         void (*act)(struct service_stage *stage));
/** The same, counted from the very beginning. */
void service_stage_early_cue(struct service_stage *stage, uint64_t ms,
                             void (*act)(struct service_stage *stage));
/** Once the chats are made, all that was added so before is done, and it is ready (NULL: at once).
 */
void service_stage_when(struct service_stage *stage, bool (*ready)(struct service_stage *stage),
                        void (*act)(struct service_stage *stage));
/** A cue of its own: as SIGTERM. */
void service_stage_stop(struct service_stage *stage);
/** How often the log says that. */
unsigned service_stage_logged(const struct service_stage *stage, const char *words);

#endif
