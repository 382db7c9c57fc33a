// Time. Tables lie in a heap by when they fall due, so that those nobody waits for cost nothing.
// While no person is waited for, bot players act at once: nobody is to sit through their thinking.
#include <assert.h>

#include "bot/hall/hall_impl.h"

bool hall_bots_alone(const struct hall_table *table, const struct session_due *due)
{
    // In a window or an answer moment others may speak who are not waited for.
    return due->kind == SESSION_DUE_BOTS && due->clock != CLOCK_WINDOW &&
           due->clock != CLOCK_ANSWER && (due->seats & hall_people_seats(table)) == 0;
}

static int64_t idle_ms(const struct hall_table *table)
{
    switch (session_state(table->session)) {
    case SESSION_OVER:
        return HALL_IDLE_OVER_MS;
    case SESSION_RUNNING:
    case SESSION_PAUSED:
        return HALL_IDLE_REST_MS;
    case SESSION_EMPTY:
    case SESSION_LOBBY:
        break;
    }
    return HALL_IDLE_MS;
}

void hall_schedule(struct hall *hall, struct hall_table *table)
{
    const struct session_due due = session_due(table->session);
    int64_t at = table->heard_ms + idle_ms(table);
    if (due.kind != SESSION_DUE_NEVER && hall_people_seats(table) != 0) {
        at = hall_bots_alone(table, &due) ? hall->now_ms : table->clock_ms + due.ms;
    }
    if (table->retry_wait_ms > 0 && table->retry_ms < at) {
        at = table->retry_ms;
    }
    // Without memory for it the table stands still until somebody speaks there.
    (void)due_heap_set(&hall->due, table->index, at);
}

void hall_catch_up(struct hall *hall, struct hall_table *table)
{
    if (table->clock_ms < hall->now_ms && hall_people_seats(table) != 0) {
        session_advance(table->session, hall->now_ms - table->clock_ms);
    }
    table->clock_ms = hall->now_ms;
}

// What fell due at a table at this moment.
static void look_at(struct hall *hall, struct hall_table *table)
{
    struct session_due due = session_due(table->session);
    const enum session_state before = session_state(table->session);
    const bool people = hall_people_seats(table) != 0;
    if (people && hall_bots_alone(table, &due)) {
        session_advance(table->session, due.ms); // its own time runs ahead; nobody's clock does
        table->clock_ms = hall->now_ms;
    } else {
        hall_catch_up(hall, table);
    }
    if (session_state(table->session) != before) {
        table->heard_ms = hall->now_ms; // people have a while to look at how it ended
    }
    hall_post_again(hall, table);
    due = session_due(table->session);
    const bool waits = due.kind == SESSION_DUE_NEVER || !people;
    if (waits && hall->now_ms >= table->heard_ms + idle_ms(table)) {
        hall_say(hall, table, TEXT_HALL_CLOSED, NULL);
        hall_speak(hall, table);
        hall_table_drop(hall, table);
        return;
    }
    hall_collect(hall, table, NULL);
    hall_guests_update(hall, table, KEYED_NONE, "");
    hall_speak(hall, table);
    hall_schedule(hall, table);
}

bool hall_advance(struct hall *hall, int64_t ms)
{
    assert(ms >= 0);
    hall->until_ms += ms;
    const struct due_entry *first = due_heap_first(&hall->due);
    for (unsigned step = 0; first != NULL && first->ms <= hall->until_ms; step++) {
        if (step == HALL_STEPS_MAX) {
            return false;
        }
        hall->now_ms = first->ms > hall->now_ms ? first->ms : hall->now_ms;
        look_at(hall, hall->tables[first->id]);
        first = due_heap_first(&hall->due);
    }
    hall->now_ms = hall->until_ms;
    return true;
}

int64_t hall_due_ms(const struct hall *hall)
{
    const struct due_entry *const first = due_heap_first(&hall->due);
    if (first == NULL) {
        return -1;
    }
    return first->ms > hall->now_ms ? first->ms - hall->now_ms : 0;
}
