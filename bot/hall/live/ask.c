// Questions to the store. Each has a ticket; an answer that nobody waits for any more (late, or
// come twice) finds none. What is not answered is asked again by who asked.
#include <stdio.h>
#include <string.h>

#include "bot/hall/live/live.h"

void hall_store_fails(struct hall *hall)
{
    const int64_t soon = hall->now_ms + HALL_STORE_RETRY_MS;
    hall->fails = true;
    hall->beat_ms = soon < hall->beat_ms ? soon : hall->beat_ms;
}

bool hall_ask(struct hall *hall, const struct store_request *request, struct hall_ask ask,
              uint64_t *ticket)
{
    *ticket = 0;
    if (!store_ask(hall->store, request, ticket)) {
        *ticket = 0;
        hall_store_fails(hall);
        return false;
    }
    ask.ticket = *ticket;
    hall->asks[*ticket % HALL_ASKS_MAX] = ask;
    return true;
}

bool hall_table_ask(struct fibre *fibre, struct hall *hall, struct hall_table *table,
                    const struct store_request *request, struct store_answer **answer)
{
    const struct hall_ask ask = {.of = HALL_ASK_TABLE, .index = table->index};
    const bool asked = hall_ask(hall, request, ask, &table->ticket);
    bool goes_on = true;
    table->fibre = fibre;
    table->ask_ms = hall->now_ms + (asked ? HALL_ANSWER_MS : HALL_STORE_RETRY_MS);
    hall_schedule(hall, table);
    while (goes_on && table->answer == NULL && table->ask_ms > hall->now_ms) {
        goes_on = fibre_wait(fibre);
    }
    *answer = table->answer;
    table->answer = NULL;
    table->ask_ms = STORE_NEVER;
    return goes_on;
}

struct store_answer *hall_table_await(struct fibre *fibre, struct hall *hall,
                                      struct hall_table *table, const struct store_request *request)
{
    struct store_answer *answer = NULL;
    while (hall_table_ask(fibre, hall, table, request, &answer) && answer == NULL) {
    }
    return answer;
}

bool hall_table_rest(struct fibre *fibre, struct hall *hall, struct hall_table *table)
{
    table->fibre = fibre;
    table->state = HALL_DECIDING;
    hall_table_work(hall, table);
    return fibre_wait(fibre);
}

/* What is to be done at a table. */
struct work {
    struct hall *hall;
    struct hall_table *table;
    hall_work_fn *run;
};

static void do_work(struct fibre *fibre, void *user)
{
    const struct work work = *(const struct work *)user;
    work.run(fibre, work.hall, work.table);
}

void hall_table_run(struct hall *hall, struct hall_table *table, hall_work_fn *run)
{
    struct work work = {.hall = hall, .table = table, .run = run};
    fibres_start(hall->table_fibres, do_work, &work);
}

void hall_table_answered(struct hall *hall, struct hall_table *table, struct store_answer *answer)
{
    table->ticket = 0;
    if (answer->result == STORE_FAILED) {
        table->ask_ms = hall->now_ms + HALL_STORE_RETRY_MS;
        hall_schedule(hall, table);
        store_answer_free(answer);
        return;
    }
    table->answer = answer;
    fibre_wake(table->fibre);
}

struct hall_sleeper {
    struct hall_sleeper *next;
    struct fibre *fibre;
    int64_t until_ms;
};

bool hall_sleep(struct fibre *fibre, struct hall *hall, int64_t until_ms, const bool *enough)
{
    struct hall_sleeper sleeper = {.fibre = fibre, .until_ms = until_ms};
    struct hall_sleeper **at = &hall->sleepers;
    bool goes_on = true;
    while (*at != NULL) {
        at = &(*at)->next;
    }
    *at = &sleeper;
    while (goes_on && until_ms > hall->now_ms && (enough == NULL || !*enough)) {
        goes_on = fibre_wait(fibre);
    }
    for (at = &hall->sleepers; *at != &sleeper; at = &(*at)->next) {
    }
    *at = sleeper.next;
    return goes_on;
}

void hall_wake_sleepers(const struct hall *hall)
{
    const struct hall_sleeper *at = hall->sleepers;
    while (at != NULL) {
        const bool due = at->until_ms <= hall->now_ms;
        if (due) {
            fibre_wake(at->fibre);
        }
        at = due ? hall->sleepers : at->next; // others may have come or gone
    }
}

int64_t hall_sleepers_ms(const struct hall *hall)
{
    int64_t due = STORE_NEVER;
    for (const struct hall_sleeper *at = hall->sleepers; at != NULL; at = at->next) {
        due = hall_earlier(due, at->until_ms);
    }
    return due;
}
