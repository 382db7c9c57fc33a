// Time. Tables lie in a heap by when something is to be done at them, so that those nobody waits
// for cost nothing.
#include <assert.h>

#include "bot/hall/hall_impl.h"

static int64_t idle_ms(const struct table *table)
{
    const bool people = table_people_seats(table) != 0;
    switch (table_state(table)) {
    case TABLE_OVER:
        return HALL_IDLE_OVER_MS;
    case TABLE_RUNNING:
    case TABLE_PAUSED:
        return people ? HALL_IDLE_REST_MS : HALL_IDLE_DESERTED_MS;
    case TABLE_EMPTY:
    case TABLE_LOBBY:
        break;
    }
    return HALL_IDLE_MS;
}

// Whether those who sit in front of it read at their own pace.
static bool is_paced(const struct hall *hall, const struct table *table)
{
    for (unsigned i = 0; i < table_site_count(table); i++) {
        const struct chat *const chat = hall_chat(hall, table_site_network(table, i));
        if (chat != NULL && (chat_caps(chat) & CHAT_CAP_PACED) != 0) {
            return true;
        }
    }
    return false;
}

bool hall_plays(const struct hall *hall, const struct table *table)
{
    return table_people_seats(table) != 0 || is_paced(hall, table);
}

bool hall_goes_on(const struct hall *hall, const struct table *table)
{
    return table_goes_on(table) && !is_paced(hall, table);
}

bool hall_rests(const struct hall *hall, const struct table *table)
{
    return !hall_plays(hall, table) || table_due(table).kind == TABLE_DUE_NEVER;
}

int64_t hall_earlier(int64_t a, int64_t b)
{
    return a < 0 || (b >= 0 && b < a) ? b : a;
}

// How long until quiet hours begin or end; -1: never.
static int64_t quiet_ms(const struct hall *hall, const struct table *table)
{
    int64_t change_ms = -1;
    if (hall->wall_s == NULL) {
        return table_is_quiet(table) ? 0 : -1;
    }
    const bool now = table_quiet_at(table, hall->wall_s(hall->wall_user), &change_ms);
    return now != table_is_quiet(table) ? 0 : change_ms;
}

bool hall_is_quiet(const struct hall *hall, const struct table *table)
{
    int64_t change_ms = -1;
    return table_is_quiet(table) ||
           (hall->wall_s != NULL &&
            table_quiet_at(table, hall->wall_s(hall->wall_user), &change_ms));
}

bool hall_quiet_changes(const struct hall *hall, const struct table *table)
{
    return (table_is_quiet(table) || !hall_rests(hall, table)) && quiet_ms(hall, table) == 0;
}

int64_t hall_since_ms(const struct hall *hall, const struct table *table)
{
    return table_is_quiet(table) ? STORE_NEVER : hall_time(hall);
}

int64_t hall_until_ms(const struct hall *hall, const struct hall_table *live,
                      const struct table *table)
{
    const int64_t quiet =
        table_is_quiet(table) || !hall_rests(hall, table) ? quiet_ms(hall, table) : -1;
    return hall_earlier(quiet >= 0 ? hall_time(hall) + quiet : STORE_NEVER,
                        hall_close_ms(hall, live, table));
}

int64_t hall_close_ms(const struct hall *hall, const struct hall_table *live,
                      const struct table *table)
{
    return hall_rests(hall, table) ? live->heard_ms + idle_ms(table) : STORE_NEVER;
}

int64_t hall_heard_ms(const struct hall *hall, const struct table *table, int64_t until_ms)
{
    const bool closes = until_ms >= 0 && hall_rests(hall, table) && !table_is_quiet(table);
    return closes ? until_ms - idle_ms(table) : hall_time(hall);
}

int64_t hall_passed_ms(const struct hall *hall, const struct hall_table *table)
{
    if (table->since_ms < 0 || !hall_plays(hall, table->table)) {
        return 0;
    }
    const int64_t passed = hall_time(hall) - table->since_ms;
    const int64_t away = hall_away_ms(hall, table);
    const int64_t there = away > table->since_ms ? away - table->since_ms : 0;
    return away >= 0 && there < passed ? there : passed;
}

// When something falls due at a table that nothing is under way at.
static int64_t own_ms(const struct hall *hall, const struct hall_table *table)
{
    if (table->table == NULL || table->version == 0 || table->stuck || !hall_acts(hall, table) ||
        hall_away_ms(hall, table) >= 0) {
        return STORE_NEVER;
    }
    const struct table_due due = table_due(table->table);
    if (hall_goes_on(hall, table->table)) {
        return hall_time(hall);
    }
    const bool runs =
        table->since_ms >= 0 && due.kind != TABLE_DUE_NEVER && hall_plays(hall, table->table);
    return hall_earlier(runs ? table->since_ms + due.ms : STORE_NEVER,
                        hall_until_ms(hall, table, table->table));
}

// The same in the hall's time. How long store time stands nobody knows: it is looked at now and
// then.
static int64_t wake_ms(const struct hall *hall, const struct hall_table *table)
{
    const int64_t own = own_ms(hall, table);
    const int64_t at = own >= 0 ? own + hall->stood_ms : STORE_NEVER;
    const int64_t later = hall->now_ms + HALL_STORE_RETRY_MS;
    return hall->fails && at >= 0 && at < later ? later : at;
}

static void set_due(struct hall *hall, struct hall_table *table)
{
    if (table->state == HALL_READY && !hall_acts(hall, table)) {
        hall_leave_to_store(hall, table);
    }
    const int64_t own = table->state == HALL_READY ? wake_ms(hall, table) : table->ask_ms;
    const int64_t room = table->room_ms > hall->now_ms ? table->room_ms : STORE_NEVER;
    const int64_t reach = table->reach_look_ms > hall->now_ms ? table->reach_look_ms : STORE_NEVER;
    const int64_t silent = table->silent_ms > 0 ? table->silent_ms : STORE_NEVER;
    const int64_t waited = hall_earlier(hall_earlier(room, reach), silent);
    const int64_t at = hall_earlier(hall_earlier(own, waited), hall_post_ms(table));
    if (at < 0) {
        due_heap_remove(&hall->due, table->index);
        return;
    }
    due_heap_set(&hall->due, table->index, at);
}

void hall_schedule(struct hall *hall, struct hall_table *table)
{
    if (!table->unset) {
        table->unset = true;
        table->next_unset = hall->unset;
        hall->unset = table;
    }
}

// In a line's course a table is noted many times: what counts is how it stands in the end.
static void set_all_due(struct hall *hall)
{
    while (hall->unset != NULL) {
        struct hall_table *const table = hall->unset;
        hall->unset = table->next_unset;
        table->unset = false;
        set_due(hall, table);
    }
}

void hall_unschedule(struct hall *hall, struct hall_table *table)
{
    set_all_due(hall);
    due_heap_remove(&hall->due, table->index);
}

static void look_at(struct hall *hall, struct hall_table *table)
{
    hall_post_again(hall, table);
    if (table->ask_ms >= 0 && table->ask_ms <= hall->now_ms) {
        if (table->ticket != 0) { // no answer has come
            hall_store_fails(hall);
        }
        fibre_wake(table->fibre); // which asks again
        return;
    }
    if (table->state == HALL_READY) {
        hall_unschedule(hall, table);
        hall_table_work(hall, table); // which notes when it is to be looked at next
        return;
    }
    hall_schedule(hall, table);
}

static bool do_work(struct hall *hall)
{
    struct hall_table *const table = hall->work;
    if (table == NULL) {
        return false;
    }
    hall->work = table->next_work;
    if (hall->work == NULL) {
        hall->work_end = &hall->work;
    }
    table->queued = false;
    hall_table_go_on(hall, table);
    return true;
}

void hall_settle_down(struct hall *hall)
{
    bool more = true;
    while (more) {
        hall_keep_up(hall);
        more = hall_take_answers(hall);
        more = do_work(hall) || more;
    }
    set_all_due(hall);
}

void hall_hear(struct hall *hall)
{
    for (bool more = true; more;) {
        hall_keep_up(hall);
        more = hall_take_answers(hall);
        for (unsigned i = 0; i < hall->chat_count; i++) {
            more = hall_hear_one(hall, i) || more;
        }
        more = do_work(hall) || more;
    }
    set_all_due(hall);
}

static void move_to(struct hall *hall, int64_t ms)
{
    const int64_t passed = ms > hall->now_ms ? ms - hall->now_ms : 0;
    hall->now_ms += passed;
    hall->stood_ms += hall->fails ? passed : 0;
}

bool hall_advance(struct hall *hall, int64_t ms)
{
    assert(ms >= 0);
    hall->until_ms += ms;
    hall_settle_down(hall);
    if (hall->epoch == 0) {
        return true;
    }
    for (unsigned step = 0;; step++) {
        const struct due_entry *const first = due_heap_first(&hall->due);
        const int64_t own = hall_keep_up_ms(hall);
        const int64_t at = hall_earlier(first != NULL ? first->ms : STORE_NEVER, own);
        if (at < 0 || at > hall->until_ms) {
            break;
        }
        if (step == HALL_STEPS_MAX) {
            return false;
        }
        move_to(hall, at);
        if (first != NULL && first->ms <= hall->now_ms) {
            look_at(hall, hall->tables[first->id]);
        }
        hall_settle_down(hall);
    }
    move_to(hall, hall->until_ms);
    hall_settle_down(hall);
    return true;
}

void hall_stand(struct hall *hall, int64_t ms)
{
    assert(ms >= 0);
    hall->until_ms += ms;
    hall->now_ms += ms;
    hall->stood_ms += ms;
}

int64_t hall_due_ms(struct hall *hall)
{
    set_all_due(hall); // outcomes come at any time
    const struct due_entry *const first = due_heap_first(&hall->due);
    int64_t at = hall_earlier(first != NULL ? first->ms : STORE_NEVER, hall_keep_up_ms(hall));
    if (at < 0) {
        return -1;
    }
    at = hall->epoch != 0 && !hall->alone && hall->beat_ms < at ? hall->beat_ms : at;
    return at > hall->until_ms ? at - hall->until_ms : 0; // what it has been told has passed
}
