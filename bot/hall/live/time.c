// When something is to be done at a table. Tables lie in a heap by that, so that those nobody waits
// for cost nothing. Time stands at a table whose network is away.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/hall/hall.h"
#include "bot/hall/live/live.h"

int64_t hall_aways_since(const struct hall_aways *aways, const char *network, const char *community)
{
    char key[HALL_KEY_SIZE];
    hall_key(key, network, community);
    const uint32_t at = keyed_map_get(&aways->map, key);
    return at != KEYED_NONE ? aways->list[at].ms : STORE_NEVER;
}

// Since when one of a table's sites is.
static int64_t site_ms(const struct hall_aways *aways, const struct hall_table *table,
                       unsigned site)
{
    const char *const network = table_site_network(table->table, site);
    const bool known = table->community != NULL && table->community[0] != '\0';
    return hall_earlier(hall_aways_since(aways, network, ""),
                        known ? hall_aways_since(aways, network, table->community) : STORE_NEVER);
}

int64_t hall_aways_ms(const struct hall_aways *aways, const struct hall_table *table)
{
    int64_t ms = STORE_NEVER;
    const unsigned sites = table_site_count(table->table);
    for (unsigned i = 0; aways->count > 0 && i < sites; i++) {
        if (sites == 1 || table_waits_on(table->table, table_site_network(table->table, i))) {
            ms = hall_earlier(ms, site_ms(aways, table, i));
        }
    }
    return ms;
}

unsigned hall_away_sites(const struct hall *hall, const struct hall_table *table)
{
    unsigned sites = 0;
    for (unsigned i = 0; i < table_site_count(table->table); i++) {
        sites |= site_ms(&hall->aways, table, i) >= 0 ? 1u << i : 0u;
    }
    return sites;
}

int64_t hall_away_ms(const struct hall *hall, const struct hall_table *table)
{
    return hall->aways.count > 0 && table->table != NULL ? hall_aways_ms(&hall->aways, table)
                                                         : STORE_NEVER;
}

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

// A table that is not live any more falls due in the store.
void hall_leave_to_store(struct hall *hall, const struct hall_table *table)
{
    if (table->table == NULL || table->version == 0) {
        return;
    }
    const struct table_due due = table_due(table->table);
    const int64_t until = hall_until_ms(hall, table, table->table);
    int64_t at = due.kind != TABLE_DUE_NEVER && table->since_ms >= 0 ? table->since_ms + due.ms
                                                                     : STORE_NEVER;
    at = at < 0 || (until >= 0 && until < at) ? until : at;
    if (at >= 0 && (hall->store_due_ms < 0 || at < hall->store_due_ms)) {
        hall->store_due_ms = at;
    }
}

// When something of that is next to be done, or STORE_NEVER.
static int64_t post_ms(const struct hall_table *table)
{
    int64_t ms = table->retry_wait_ms > 0 ? table->retry_ms : STORE_NEVER;
    for (const struct hall_message *at = table->unsent; at != NULL; at = at->next) {
        if (at->state == HALL_TOLD && !at->loose && at->ask_ms >= 0 &&
            (ms < 0 || at->ask_ms < ms)) {
            ms = at->ask_ms;
        }
    }
    return ms;
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
    const int64_t at = hall_earlier(hall_earlier(own, waited), post_ms(table));
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

void hall_set_all_due(struct hall *hall)
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
    hall_set_all_due(hall);
    due_heap_remove(&hall->due, table->index);
}
