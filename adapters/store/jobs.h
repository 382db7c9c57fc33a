/*
 * What the thread that asks a store and the threads that work for it share: requests that wait,
 * and answers.
 *
 * Each request has a side, the thread that does it, and a lane: those of one lane are done in the
 * order they were asked for, whoever does them. Waiting requests are bounded (STORE_QUEUE_MAX).
 *
 * What nobody waits for may linger: its side does it with the next that does not, and by itself
 * only after a while, when something else waits for it, or when all is to stop.
 *
 * A side that gathers waits a moment for as many requests as it did together the last time, if they
 * were several: who asked for those is about to ask again.
 *
 * Each side has one thread at most, which is woken only when there is something for it to do.
 */
#ifndef ADAPTERS_STORE_JOBS_H
#define ADAPTERS_STORE_JOBS_H

#include <pthread.h>

#include "bot/store_impl.h"

enum { JOBS_SIDES = 4, JOBS_LANES = 256 };
/** What has no order, what directories alone are asked, and the first of tables' lanes. */
enum { JOBS_LANE_NONE, JOBS_LANE_DIRECTORIES, JOBS_LANE_TABLES };

/** A request on its way. */
struct job {
    struct job *next;
    struct store_request *request;
    struct store_answer *answer;
    unsigned side, lane;
    bool lingers;
    int64_t asked_ms;
};

struct job_list {
    struct job *first, **end;
};

struct jobs {
    pthread_mutex_t lock;
    pthread_cond_t asked[JOBS_SIDES], answered;
    void (*route)(struct job *job);
    struct job_list waiting, done;
    unsigned under_way[JOBS_SIDES][JOBS_LANES];
    unsigned open, lingering; /* asked, and not taken; of those, which linger */
    unsigned wanted[JOBS_SIDES], idle[JOBS_SIDES]; /* of those that wait: all else, which linger */
    int64_t linger_ms;                             /* how long at most */
    bool gathers[JOBS_SIDES];
    unsigned together[JOBS_SIDES]; /* were done the last time */
    unsigned enough[JOBS_SIDES];   /* have to be wanted before it is woken */
    bool stopping;
};

/** `route` gives each job its side and lane; jobs linger for so long at most. */
void jobs_init(struct jobs *jobs, void (*route)(struct job *job), int64_t linger_ms);
void jobs_finish(struct jobs *jobs);
/** A thread that takes no signals: they are for whoever asks. */
bool jobs_thread(pthread_t *thread, void *(*work)(void *user), void *user);
/** Forgets all that waits or is done; nobody works. */
void jobs_forget(struct jobs *jobs);
/** A table's lane. */
unsigned jobs_lane(const char *table);
/** False: there are too many. */
bool jobs_ask(struct jobs *jobs, struct store_request *request);
/** Waits for what a side may do now, in order, `most` at a time; NULL: it is to stop, and nothing
 * lingers any more. */
struct job *jobs_claim(struct jobs *jobs, unsigned side, unsigned most);
/** What each of them has come to is not kept. */
void jobs_fail(struct job *list);
/** They are answered. */
void jobs_answer(struct jobs *jobs, struct job *list);
/** The next answer, or NULL; `waits`: while any is to come, but for those that linger. */
struct store_answer *jobs_take(struct jobs *jobs, bool waits);
void jobs_stop(struct jobs *jobs, bool stopping);
bool jobs_stopping(struct jobs *jobs);

#endif
