// What the asking thread and the workers share: requests that wait, and answers.
//
// A side works in the order in which it was asked. Of one lane (a table, or the directories) that
// holds across sides too: a request waits until what was asked before it on another side is
// answered.
#include "adapters/store/jobs.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <signal.h>

#include <sodium.h>

enum { SECOND_MS = 1000, MS_NS = 1000000, GATHER_MS = 2, GATHER_MAX = 16 };

int64_t jobs_now_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * SECOND_MS + now.tv_nsec / MS_NS;
}

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

void jobs_init(struct jobs *jobs, void (*route)(struct job *job), int64_t linger_ms)
{
    pthread_condattr_t monotonic;
    if (sodium_init() < 0) { // then there are no random bytes either
        abort();
    }
    jobs->route = route;
    jobs->linger_ms = linger_ms;
    list_init(&jobs->waiting);
    list_init(&jobs->done);
    (void)pthread_mutex_init(&jobs->lock, NULL);
    (void)pthread_condattr_init(&monotonic);
    (void)pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    for (unsigned side = 0; side < JOBS_SIDES; side++) {
        (void)pthread_cond_init(&jobs->asked[side], &monotonic);
    }
    (void)pthread_condattr_destroy(&monotonic);
    (void)pthread_cond_init(&jobs->answered, NULL);
}

bool jobs_thread(pthread_t *thread, void *(*work)(void *user), void *user)
{
    sigset_t all;
    sigset_t before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_BLOCK, &all, &before);
    const bool made = pthread_create(thread, NULL, work, user) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return made;
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
    jobs->lingering = 0;
    memset(jobs->wanted, 0, sizeof jobs->wanted);
    memset(jobs->idle, 0, sizeof jobs->idle);
}

void jobs_finish(struct jobs *jobs)
{
    jobs_forget(jobs);
    (void)pthread_cond_destroy(&jobs->answered);
    for (unsigned side = 0; side < JOBS_SIDES; side++) {
        (void)pthread_cond_destroy(&jobs->asked[side]);
    }
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

// A job that waits is counted, or no more.
static void note_waiting(struct jobs *jobs, const struct job *job, bool waits)
{
    unsigned *const of = job->lingers ? &jobs->idle[job->side] : &jobs->wanted[job->side];
    *of += waits ? 1 : -1u;
}

// Whether a side has something to do now that this waits: what was let be may be wanted by it.
static bool job_concerns(const struct jobs *jobs, const struct job *job, unsigned side)
{
    if (side != job->side) {
        return !job->lingers && job->lane != JOBS_LANE_NONE && jobs->idle[side] > 0;
    }
    if (job->lingers) { // the first of them says how long
        return jobs->idle[side] == 1 || jobs->lingering > STORE_QUEUE_MAX / 2;
    }
    return jobs->wanted[side] >= jobs->enough[side];
}

bool jobs_ask(struct jobs *jobs, struct store_request *request)
{
    struct job *const job = mb_new(1, sizeof *job);
    job->request = request;
    jobs->route(job);
    job->lingers = job->lingers && jobs->linger_ms > 0;
    job->asked_ms = job->lingers ? jobs_now_ms() : 0;
    (void)pthread_mutex_lock(&jobs->lock);
    const bool taken = jobs->open < STORE_QUEUE_MAX;
    if (taken) {
        list_add(&jobs->waiting, job);
        jobs->open++;
        jobs->lingering += job->lingers ? 1 : 0;
        note_waiting(jobs, job, true);
        for (unsigned side = 0; side < JOBS_SIDES; side++) {
            if (job_concerns(jobs, job, side)) {
                (void)pthread_cond_signal(&jobs->asked[side]);
            }
        }
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
            note_waiting(jobs, job, false);
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

// How long a side may let things be: until what lingers has lingered long enough, or nobody knows
// how long (-1); 0 when something of it is wanted.
static int64_t let_be_ms(const struct jobs *jobs, unsigned side)
{
    bool lingers[JOBS_LANES] = {false};
    int64_t until_ms = -1;
    for (const struct job *job = jobs->waiting.first; job != NULL; job = job->next) {
        const bool mine = job->side == side;
        if (mine ? !job->lingers : lingers[job->lane]) {
            return 0;
        }
        if (mine) {
            lingers[job->lane] = job->lane != JOBS_LANE_NONE;
            until_ms = until_ms < 0 ? job->asked_ms + jobs->linger_ms : until_ms;
        }
    }
    if (until_ms < 0 || jobs->lingering > STORE_QUEUE_MAX / 2) {
        return until_ms < 0 ? -1 : 0;
    }
    const int64_t left = until_ms - jobs_now_ms();
    return left > 0 ? left : 0;
}

// How many are likely to come at once, if they are several.
static unsigned enough_together(const struct jobs *jobs, unsigned side)
{
    const unsigned together =
        jobs->gathers[side] && jobs->together[side] > 1 ? jobs->together[side] : 0;
    return together < GATHER_MAX ? together : GATHER_MAX;
}

static void let_be(struct jobs *jobs, unsigned side, int64_t ms)
{
    struct timespec until;
    if (ms < 0) {
        (void)pthread_cond_wait(&jobs->asked[side], &jobs->lock);
        return;
    }
    (void)clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += (time_t)(ms / SECOND_MS);
    until.tv_nsec += (long)(ms % SECOND_MS) * MS_NS;
    if (until.tv_nsec >= (long)SECOND_MS * MS_NS) {
        until.tv_nsec -= (long)SECOND_MS * MS_NS;
        until.tv_sec++;
    }
    (void)pthread_cond_timedwait(&jobs->asked[side], &jobs->lock, &until);
}

// What lingers is done before all is stopped.
static struct job *take_last(struct jobs *jobs, unsigned side)
{
    struct job_list ready;
    list_init(&ready);
    struct job **at = &jobs->waiting.first;
    while (*at != NULL) {
        struct job *const job = *at;
        if (job->side == side && job->lingers) {
            *at = job->next;
            list_add(&ready, job);
            note_waiting(jobs, job, false);
            jobs->under_way[side][job->lane] += job->lane != JOBS_LANE_NONE ? 1 : 0;
        } else {
            at = &job->next;
        }
    }
    jobs->waiting.end = at;
    return ready.first;
}

// Notes how many of them somebody waits for.
static void note_together(struct jobs *jobs, unsigned side, const struct job *list)
{
    jobs->together[side] = 0;
    for (const struct job *job = list; job != NULL; job = job->next) {
        jobs->together[side] += job->lingers ? 0 : 1;
    }
}

struct job *jobs_claim(struct jobs *jobs, unsigned side, unsigned most)
{
    (void)pthread_mutex_lock(&jobs->lock);
    struct job *list = NULL;
    int64_t until_ms = STORE_NEVER;
    while (!jobs->stopping && list == NULL) {
        int64_t ms = let_be_ms(jobs, side);
        jobs->enough[side] = 1;
        if (ms == 0 && jobs->wanted[side] < enough_together(jobs, side)) {
            until_ms = until_ms < 0 ? jobs_now_ms() + GATHER_MS : until_ms;
            ms = until_ms - jobs_now_ms();
            ms = ms > 0 ? ms : 0;
            jobs->enough[side] = ms > 0 ? enough_together(jobs, side) : 1;
        }
        list = ms == 0 ? take_ready(jobs, side, most) : NULL;
        if (list == NULL) {
            let_be(jobs, side, ms > 0 ? ms : -1);
        }
    }
    if (list == NULL) {
        list = take_last(jobs, side);
    }
    note_together(jobs, side, list);
    (void)pthread_mutex_unlock(&jobs->lock);
    return list;
}

void jobs_fail(struct job *list)
{
    for (struct job *job = list; job != NULL; job = job->next) {
        store_answer_free(job->answer);
        job->answer = store_answer_failed(job->request);
    }
}

void jobs_answer(struct jobs *jobs, struct job *list)
{
    const unsigned mine = list != NULL ? list->side : JOBS_SIDES;
    (void)pthread_mutex_lock(&jobs->lock);
    while (list != NULL) {
        struct job *const job = list;
        list = job->next;
        job->answer->ticket = job->request->ticket;
        jobs->under_way[job->side][job->lane] -= job->lane != JOBS_LANE_NONE ? 1 : 0;
        list_add(&jobs->done, job);
    }
    for (unsigned side = 0; side < JOBS_SIDES; side++) {
        if (side != mine && jobs->wanted[side] + jobs->idle[side] > 0) {
            (void)pthread_cond_signal(&jobs->asked[side]); // what waited for these
        }
    }
    (void)pthread_cond_signal(&jobs->answered);
    (void)pthread_mutex_unlock(&jobs->lock);
}

struct store_answer *jobs_take(struct jobs *jobs, bool waits)
{
    struct store_answer *answer = NULL;
    (void)pthread_mutex_lock(&jobs->lock);
    while (answer == NULL &&
           (jobs->done.first != NULL || (waits && jobs->open > jobs->lingering))) {
        struct job *const job = jobs->done.first;
        if (job == NULL) {
            (void)pthread_cond_wait(&jobs->answered, &jobs->lock);
            continue;
        }
        jobs->done.first = job->next;
        jobs->done.end = job->next != NULL ? jobs->done.end : &jobs->done.first;
        jobs->open--;
        jobs->lingering -= job->lingers ? 1 : 0;
        answer = job->answer;
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
    for (unsigned side = 0; side < JOBS_SIDES; side++) {
        (void)pthread_cond_signal(&jobs->asked[side]);
    }
    (void)pthread_mutex_unlock(&jobs->lock);
}

bool jobs_stopping(struct jobs *jobs)
{
    (void)pthread_mutex_lock(&jobs->lock);
    const bool stopping = jobs->stopping;
    (void)pthread_mutex_unlock(&jobs->lock);
    return stopping;
}
