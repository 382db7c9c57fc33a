// Requests on their way between the thread that asks and those that work: nobody sleeps over what
// is there to be done, and a lane keeps its order. What is lost here hangs: what lingers would do
// so for hours.
#include <stdlib.h>
#include <time.h>

#include <pthread.h>

#include "adapters/store/jobs.h"

#include "tests/support/test.h"

enum { LANES = 6, ROUNDS = 600, MOST = 24, KINDS = 4, HOURS_MS = 3600000 };

struct scene {
    struct jobs jobs;
    pthread_mutex_t lock;
    uint64_t latest[LANES]; /* ticket that was worked at */
    unsigned done, disorder;
};

struct worker {
    struct scene *scene;
    unsigned side;
    pthread_t thread;
};

// A request's count says what becomes of it; its ticket is its number.
static void route(struct job *job)
{
    const size_t word = job->request->count;
    job->side = (unsigned)(word % JOBS_SIDES);
    job->lane = (unsigned)(word / JOBS_SIDES % LANES);
    job->lingers = word / JOBS_SIDES / LANES % KINDS == 0;
}

static void note(struct scene *scene, const struct job *job)
{
    const uint64_t ticket = job->request->ticket;
    (void)pthread_mutex_lock(&scene->lock);
    scene->done++;
    if (job->lane != JOBS_LANE_NONE) {
        scene->disorder += scene->latest[job->lane] >= ticket ? 1 : 0;
        scene->latest[job->lane] = ticket;
    }
    (void)pthread_mutex_unlock(&scene->lock);
}

static void *work(void *user)
{
    const struct worker *const worker = user;
    struct job *list = NULL;
    while ((list = jobs_claim(&worker->scene->jobs, worker->side, MOST)) != NULL) {
        for (struct job *job = list; job != NULL; job = job->next) {
            note(worker->scene, job);
            job->answer = store_answer_failed(job->request);
        }
        jobs_answer(&worker->scene->jobs, list);
    }
    return NULL;
}

static uint64_t draw(uint64_t *seed)
{
    enum { SHIFT = 33 };
    static const uint64_t FACTOR = 6364136223846793005u;
    *seed = *seed * FACTOR + 1;
    return *seed >> SHIFT;
}

static void ask_some(struct scene *scene, uint64_t *seed, uint64_t *ticket)
{
    for (uint64_t left = draw(seed) % (2 + draw(seed) % MOST); left > 0; left--) {
        struct store_request *const request =
            store_request_copy(&(struct store_request){.kind = STORE_LOAD});
        request->ticket = ++*ticket;
        request->count = (size_t)draw(seed);
        if (!jobs_ask(&scene->jobs, request)) {
            fail_msg("%u wait", scene->jobs.open);
        }
    }
}

// All that somebody waits for is answered, while the rest lingers. The last round waits.
static void nothing_that_is_asked_is_slept_over(void **state)
{
    struct scene scene = {.disorder = 0};
    struct worker workers[JOBS_SIDES];
    uint64_t seed = 1;
    uint64_t ticket = 0;
    uint64_t answers = 0;
    (void)state;
    jobs_init(&scene.jobs, route, HOURS_MS);
    assert_int_equal(pthread_mutex_init(&scene.lock, NULL), 0);
    for (unsigned side = 0; side < JOBS_SIDES; side++) {
        scene.jobs.gathers[side] = side % 2 == 0;
        workers[side] = (struct worker){.scene = &scene, .side = side};
        assert_int_equal(pthread_create(&workers[side].thread, NULL, work, &workers[side]), 0);
    }
    for (unsigned round = 0; round < ROUNDS; round++) {
        const struct timespec pause = {.tv_nsec = round % 4 != 1 ? 1000000 : 0};
        struct store_answer *answer = NULL;
        (void)nanosleep(&pause, NULL); // they fall asleep, or are still about to
        ask_some(&scene, &seed, &ticket);
        while ((answer = jobs_take(&scene.jobs, round % 4 != 0)) != NULL) {
            store_answer_free(answer);
            answers++;
        }
        if (round % 4 != 0) { // what lingers is all that is left
            assert_int_equal(scene.jobs.open, scene.jobs.lingering);
        }
    }
    assert_int_equal(scene.disorder, 0);
    jobs_stop(&scene.jobs, true);
    for (unsigned side = 0; side < JOBS_SIDES; side++) {
        assert_int_equal(pthread_join(workers[side].thread, NULL), 0);
    }
    assert_int_equal(scene.done, ticket);
    for (struct store_answer *answer = NULL; (answer = jobs_take(&scene.jobs, false)) != NULL;) {
        store_answer_free(answer);
        answers++;
    }
    assert_int_equal(answers, ticket);
    jobs_finish(&scene.jobs);
    (void)pthread_mutex_destroy(&scene.lock);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_that_is_asked_is_slept_over),
    };
    return cmocka_run_group_tests_name("jobs", tests, NULL, NULL);
}
