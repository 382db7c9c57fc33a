/*
 * What the thread that asks a store and the threads that work for it share: requests that wait,
 * and answers.
 *
 * Each request has a side, the thread that does it, and a lane: those of one lane are done in the
 * order they were asked for, whoever does them. Waiting requests are bounded (STORE_QUEUE_MAX).
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
    struct store_answer *answer; /* NULL: lost for want of memory */
    unsigned side, lane;
};

struct job_list {
    struct job *first, **end;
};

struct jobs {
    pthread_mutex_t lock;
    pthread_cond_t asked, answered;
    void (*route)(struct job *job);
    struct job_list waiting, done;
    unsigned under_way[JOBS_SIDES][JOBS_LANES];
    unsigned open; /* asked, and not taken */
    bool stopping;
};

/** `route` gives each job its side and lane. */
bool jobs_init(struct jobs *jobs, void (*route)(struct job *job));
void jobs_finish(struct jobs *jobs);
/** Forgets all that waits or is done; nobody works. */
void jobs_forget(struct jobs *jobs);
/** A table's lane. */
unsigned jobs_lane(const char *table);
/** False: there are too many, or no memory. */
bool jobs_ask(struct jobs *jobs, struct store_request *request);
/** Waits for what a side may do now, in order, `most` at a time; NULL: it is to stop. */
struct job *jobs_claim(struct jobs *jobs, unsigned side, unsigned most);
/** They are answered. */
void jobs_answer(struct jobs *jobs, struct job *list);
/** The next answer, or NULL; `waits`: while any is to come. */
struct store_answer *jobs_take(struct jobs *jobs, bool waits);
void jobs_stop(struct jobs *jobs, bool stopping);
bool jobs_stopping(struct jobs *jobs);

#endif
