/*
 * Requests that wait and answers: what the thread that asks a store shares with the threads that
 * work for it.
 *
 * Each request has a side, the thread that does it, and a lane. Requests of one lane are done in
 * their order, on whichever side. Waiting requests are bounded (STORE_QUEUE_MAX).
 *
 * A request may linger if nobody waits for it: its side does it together with the next that does
 * not linger. It is done alone only after a while, when another request waits for it, or at the
 * end.
 *
 * A side that gathers waits a moment for as many requests as it did together the last time, if they
 * were several: their askers are about to ask again.
 *
 * Each side has at most one thread, which is woken only when there is something to do.
 */
#ifndef ADAPTERS_STORE_JOBS_H
#define ADAPTERS_STORE_JOBS_H

#include <pthread.h>

#include "bot/store_impl.h"

enum { JOBS_SIDES = 4, JOBS_LANES = 256 };
/** Requests without an order, requests about directories, and the first lane of tables. */
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

/** `route` gives each job its side and lane; jobs linger at most `linger_ms`. */
void jobs_init(struct jobs *jobs, void (*route)(struct job *job), int64_t linger_ms);
void jobs_finish(struct jobs *jobs);
/** Starts a thread that takes no signals: the asking thread takes them. */
bool jobs_thread(pthread_t *thread, void *(*work)(void *user), void *user);
/** Forgets all requests and answers; call when no thread works. */
void jobs_forget(struct jobs *jobs);
/** Returns a table's lane. */
unsigned jobs_lane(const char *table);
/** False: there are too many. */
bool jobs_ask(struct jobs *jobs, struct store_request *request);
/** Waits for requests that a side may do now; returns at most `most`, in order. NULL: the side
 * stops, and nothing lingers. */
struct job *jobs_claim(struct jobs *jobs, unsigned side, unsigned most);
/** Replaces the answers of all by failures. */
void jobs_fail(struct job *list);
/** Hands all answers over. */
void jobs_answer(struct jobs *jobs, struct job *list);
/** Returns the next answer, or NULL. `waits`: waits for one unless only lingering ones remain. */
struct store_answer *jobs_take(struct jobs *jobs, bool waits);
/** Returns the milliseconds of a clock that nobody sets. */
int64_t jobs_now_ms(void);
void jobs_stop(struct jobs *jobs, bool stopping);
bool jobs_stopping(struct jobs *jobs);

#endif
