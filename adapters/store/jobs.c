// What the asking thread and the workers share: requests that wait, and answers.
//
// A side works in the order in which it was asked. Of one lane (a table, or the directories) that
// holds across sides too: a request waits until what was asked before it on another side is
// answered.
#include "adapters/store/jobs.h"

#include <stdlib.h>

static void list_init(struct job_list *list)
{
    list->first = NULL;
    list->end = &list->first;
}

static void list_add(struct job_list *list, struct job *job)
{
    job->next = NULL;
    *list->end = job;
    list->end = &job->next;
}

bool jobs_init(struct jobs *jobs, void (*route)(struct job *job))
{
    jobs->route = route;
    list_init(&jobs->waiting);
    list_init(&jobs->done);
    if (pthread_mutex_init(&jobs->lock, NULL) != 0) {
        return false;
    }
    if (pthread_cond_init(&jobs->asked, NULL) != 0) {
        (void)pthread_mutex_destroy(&jobs->lock);
        return false;
    }
    if (pthread_cond_init(&jobs->answered, NULL) != 0) {
        (void)pthread_cond_destroy(&jobs->asked);
        (void)pthread_mutex_destroy(&jobs->lock);
        return false;
    }
    return true;
}

static void drop_list(struct job_list *list)
{
    while (list->first != NULL) {
        struct job *const job = list->first;
        list->first = job->next;
        store_request_free(job->request);
        store_answer_free(job->answer);
        free(job);
    }
    list->end = &list->first;
}

void jobs_forget(struct jobs *jobs)
{
    drop_list(&jobs->waiting);
    drop_list(&jobs->done);
    jobs->open = 0;
}

void jobs_finish(struct jobs *jobs)
{
    jobs_forget(jobs);
    (void)pthread_cond_destroy(&jobs->answered);
    (void)pthread_cond_destroy(&jobs->asked);
    (void)pthread_mutex_destroy(&jobs->lock);
}

unsigned jobs_lane(const char *table)
{
    enum { FACTOR = 31 };
    unsigned hash = 0;
    for (const char *at = table != NULL ? table : ""; *at != '\0'; at++) {
        hash = hash * FACTOR + (unsigned char)*at;
    }
    return JOBS_LANE_TABLES + hash % (JOBS_LANES - JOBS_LANE_TABLES);
}

bool jobs_ask(struct jobs *jobs, struct store_request *request)
{
    struct job *const job = calloc(1, sizeof *job);
    if (job == NULL) {
        return false;
    }
    job->request = request;
    jobs->route(job);
    (void)pthread_mutex_lock(&jobs->lock);
    const bool taken = jobs->open < STORE_QUEUE_MAX;
    if (taken) {
        list_add(&jobs->waiting, job);
        jobs->open++;
        (void)pthread_cond_broadcast(&jobs->asked);
    }
    (void)pthread_mutex_unlock(&jobs->lock);
    if (!taken) {
        free(job);
    }
    return taken;
}

static bool is_busy_elsewhere(const struct jobs *jobs, unsigned side, unsigned lane)
{
    bool busy = false;
    for (unsigned other = 0; lane != JOBS_LANE_NONE && other < JOBS_SIDES; other++) {
        busy = busy || (other != side && jobs->under_way[other][lane] > 0);
    }
    return busy;
}

// What a side may do now leaves the list of those that wait.
static struct job *take_ready(struct jobs *jobs, unsigned side, unsigned most)
{
    bool blocked[JOBS_LANES] = {false};
    struct job_list ready;
    unsigned count = 0;
    list_init(&ready);
    struct job **at = &jobs->waiting.first;
    while (*at != NULL && count < most) {
        struct job *const job = *at;
        const bool mine = job->side == side;
        if (mine && !blocked[job->lane] && !is_busy_elsewhere(jobs, side, job->lane)) {
            *at = job->next;
            list_add(&ready, job);
            jobs->under_way[side][job->lane] += job->lane != JOBS_LANE_NONE ? 1 : 0;
            count++;
        } else {
            blocked[job->lane] = job->lane != JOBS_LANE_NONE;
            at = &job->next;
        }
    }
    if (*at == NULL) {
        jobs->waiting.end = at;
    }
    return ready.first;
}

struct job *jobs_claim(struct jobs *jobs, unsigned side, unsigned most)
{
    (void)pthread_mutex_lock(&jobs->lock);
    struct job *list = NULL;
    while (!jobs->stopping && (list = take_ready(jobs, side, most)) == NULL) {
        (void)pthread_cond_wait(&jobs->asked, &jobs->lock);
    }
    (void)pthread_mutex_unlock(&jobs->lock);
    return list;
}

void jobs_answer(struct jobs *jobs, struct job *list)
{
    (void)pthread_mutex_lock(&jobs->lock);
    while (list != NULL) {
        struct job *const job = list;
        list = job->next;
        jobs->under_way[job->side][job->lane] -= job->lane != JOBS_LANE_NONE ? 1 : 0;
        list_add(&jobs->done, job);
    }
    (void)pthread_cond_broadcast(&jobs->asked); // what waited for these may be done now
    (void)pthread_cond_signal(&jobs->answered);
    (void)pthread_mutex_unlock(&jobs->lock);
}

struct store_answer *jobs_take(struct jobs *jobs, bool waits)
{
    struct store_answer *answer = NULL;
    (void)pthread_mutex_lock(&jobs->lock);
    while (answer == NULL && jobs->open > 0 && (jobs->done.first != NULL || waits)) {
        struct job *const job = jobs->done.first;
        if (job == NULL) {
            (void)pthread_cond_wait(&jobs->answered, &jobs->lock);
            continue;
        }
        jobs->done.first = job->next;
        jobs->done.end = job->next != NULL ? jobs->done.end : &jobs->done.first;
        jobs->open--;
        answer = job->answer; // or it is lost
        store_request_free(job->request);
        free(job);
    }
    (void)pthread_mutex_unlock(&jobs->lock);
    return answer;
}

void jobs_stop(struct jobs *jobs, bool stopping)
{
    (void)pthread_mutex_lock(&jobs->lock);
    jobs->stopping = stopping;
    (void)pthread_cond_broadcast(&jobs->asked);
    (void)pthread_mutex_unlock(&jobs->lock);
}

bool jobs_stopping(struct jobs *jobs)
{
    (void)pthread_mutex_lock(&jobs->lock);
    const bool stopping = jobs->stopping;
    (void)pthread_mutex_unlock(&jobs->lock);
    return stopping;
}
