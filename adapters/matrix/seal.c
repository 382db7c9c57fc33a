#include "adapters/matrix/seal.h"

#include <stdlib.h>

struct job {
    struct job *next;
    json_t *what;
    seal_sealed_fn *sealed;
    seal_opened_fn *opened; // one of them
    void *user;
};

struct seal {
    uv_loop_t *loop;
    uv_idle_t idle; // while anything waits
    struct job *first, **end;
    bool begun, stopped; // begun: the loop knows of it
};

struct seal *seal_create(uv_loop_t *loop)
{
    struct seal *const seal = calloc(1, sizeof *seal);
    if (seal != NULL) {
        seal->end = &seal->first;
        seal->loop = loop;
    }
    return seal;
}

static struct job *take(struct seal *seal)
{
    struct job *const job = seal->first;
    if (job != NULL) {
        seal->first = job->next;
        seal->end = seal->first != NULL ? seal->end : &seal->first;
    }
    return job;
}

static void job_free(struct job *job)
{
    json_decref(job->what);
    free(job);
}

// One a round of the loop: others have their turn.
static void on_idle(uv_idle_t *idle)
{
    struct seal *const seal = idle->data;
    struct job *const job = take(seal);
    if (seal->first == NULL) {
        (void)uv_idle_stop(idle);
    }
    if (job != NULL && job->sealed != NULL) {
        job->sealed(job->user, "m.room.message", job->what);
    } else if (job != NULL) {
        job->opened(job->user, job->what);
    }
    if (job != NULL) {
        job_free(job);
    }
}

static bool add(struct seal *seal, const struct job *asked)
{
    struct job *const job = seal->stopped || asked->what == NULL ? NULL : malloc(sizeof *job);
    if (job == NULL) {
        json_decref(asked->what);
        return false;
    }
    if (!seal->begun) {
        seal->begun = true;
        (void)uv_idle_init(seal->loop, &seal->idle);
        seal->idle.data = seal;
    }
    *job = *asked;
    *seal->end = job;
    seal->end = &job->next;
    (void)uv_idle_start(&seal->idle, on_idle);
    return true;
}

bool seal_content(struct seal *seal, const char *room, json_t *content, seal_sealed_fn *done,
                  void *user)
{
    (void)room;
    return add(seal, &(const struct job){.what = content, .sealed = done, .user = user});
}

bool seal_open(struct seal *seal, const char *room, json_t *events, seal_opened_fn *done,
               void *user)
{
    (void)room;
    return add(seal,
               &(const struct job){.what = json_incref(events), .opened = done, .user = user});
}

static void was_opened(void *user, json_t *events)
{
    json_t **const place = fibre_answered(user);
    if (place != NULL) {
        *place = json_incref(events);
        fibre_wake(user);
    }
}

bool seal_open_await(struct fibre *fibre, struct seal *seal, const char *room, json_t *events,
                     json_t **out)
{
    *out = NULL;
    return fibre_asks(fibre, out) && seal_open(seal, room, events, was_opened, fibre) &&
           fibre_wait_answer(fibre);
}

void seal_stop(struct seal *seal)
{
    for (struct job *job = take(seal); job != NULL; job = take(seal)) {
        job_free(job);
    }
    if (seal->begun && !seal->stopped) {
        uv_close((uv_handle_t *)&seal->idle, NULL);
    }
    seal->stopped = true;
}

void seal_destroy(struct seal *seal)
{
    free(seal);
}
