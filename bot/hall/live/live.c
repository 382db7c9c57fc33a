// Live tables: found by their id and by each place that they lie at, in a queue while they have
// work, in the order in which they were used.
#include "bot/hall/live/live.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

#include "bot/hall/hall.h"

static size_t put_word(char out[HALL_KEY_SIZE], size_t at, const char *word)
{
    const size_t length = strnlen(word, HALL_KEY_SIZE - 1 - at);
    memcpy(out + at, word, length);
    return at + length;
}

void hall_key(char out[HALL_KEY_SIZE], const char *network, const char *id)
{
    const size_t at = put_word(out, put_word(out, 0, network), "\n");
    out[put_word(out, at, id)] = '\0';
}

struct chat *hall_chat(const struct hall *hall, const char *network)
{
    for (unsigned i = 0; i < hall->chat_count; i++) {
        if (strcmp(chat_name(hall->chats[i]), network) == 0) {
            return hall->chats[i];
        }
    }
    return NULL;
}

struct hall_table *hall_table_at(const struct hall *hall, const char *network, const char *place)
{
    char key[HALL_KEY_SIZE];
    hall_key(key, network, place);
    const uint32_t index = keyed_map_get(&hall->place_map, key);
    return index != KEYED_NONE ? hall->tables[index] : NULL;
}

struct hall_table *hall_table_by_id(const struct hall *hall, const char *id)
{
    const uint32_t index = keyed_map_get(&hall->id_map, id);
    return index != KEYED_NONE ? hall->tables[index] : NULL;
}

static void unlink_used(struct hall *hall, struct hall_table *table)
{
    *(table->newer != NULL ? &table->newer->older : &hall->newest) = table->older;
    *(table->older != NULL ? &table->older->newer : &hall->oldest) = table->newer;
}

static void link_used(struct hall *hall, struct hall_table *table)
{
    table->newer = NULL;
    table->older = hall->newest;
    *(hall->newest != NULL ? &hall->newest->newer : &hall->oldest) = table;
    hall->newest = table;
}

void hall_table_used(struct hall *hall, struct hall_table *table)
{
    if (hall->newest != table) {
        unlink_used(hall, table);
        link_used(hall, table);
    }
}

void hall_table_work(struct hall *hall, struct hall_table *table)
{
    if (!table->queued) {
        table->queued = true;
        table->next_work = NULL;
        *hall->work_end = table;
        hall->work_end = &table->next_work;
    }
}

// A free place in the list of tables.
static uint32_t free_index(struct hall *hall)
{
    enum { LEAST = 16 };
    if (hall->table_count == hall->table_capacity) {
        const uint32_t capacity = hall->table_capacity == 0 ? LEAST : hall->table_capacity * 2;
        hall->tables = mb_grow(hall->tables, capacity, sizeof(struct hall_table *));
        for (uint32_t i = hall->table_capacity; i < capacity; i++) {
            hall->tables[i] = NULL;
        }
        hall->table_next = hall->table_capacity;
        hall->table_capacity = capacity;
    }
    while (hall->tables[hall->table_next] != NULL) {
        hall->table_next = (hall->table_next + 1) % hall->table_capacity;
    }
    return hall->table_next;
}

struct hall_table *hall_table_make(struct hall *hall)
{
    const uint32_t index = free_index(hall);
    struct hall_table *const table = mb_new(1, sizeof *table);
    table->index = index;
    table->stale = true;
    table->since_ms = STORE_NEVER;
    table->ask_ms = STORE_NEVER;
    table->heard_ms = hall_time(hall);
    table->unsent_end = &table->unsent;
    hall->tables[index] = table;
    hall->table_count++;
    link_used(hall, table);
    hall_table_work(hall, table);
    return table;
}

void hall_table_name(struct hall *hall, struct hall_table *table, const char *id)
{
    keyed_map_put(&hall->id_map, id, table->index);
    if (table->id[0] != '\0' && strcmp(table->id, id) != 0) {
        keyed_map_remove(&hall->id_map, table->id);
    }
    (void)snprintf(table->id, sizeof table->id, "%s", id);
}

void hall_table_leave(struct hall *hall, struct hall_table *table)
{
    for (unsigned i = 0; i < TABLE_SITES_MAX && table->places[i].place != NULL; i++) {
        struct hall_place *const at = &table->places[i];
        char key[HALL_KEY_SIZE];
        hall_key(key, at->network, at->place);
        if (keyed_map_get(&hall->place_map, key) == table->index) {
            keyed_map_remove(&hall->place_map, key);
        }
        free(at->network);
        free(at->place);
        *at = (struct hall_place){.place = NULL};
    }
}

bool hall_table_place(struct hall *hall, struct hall_table *table, const char *network,
                      const char *place)
{
    char key[HALL_KEY_SIZE];
    unsigned free_at = 0;
    hall_key(key, network, place);
    while (free_at < TABLE_SITES_MAX && table->places[free_at].place != NULL) {
        const struct hall_place *const at = &table->places[free_at++];
        if (strcmp(at->network, network) == 0 && strcmp(at->place, place) == 0) {
            keyed_map_put(&hall->place_map, key, table->index);
            return true;
        }
    }
    if (free_at == TABLE_SITES_MAX) {
        return false;
    }
    struct hall_place *const at = &table->places[free_at];
    *at = (struct hall_place){.network = mb_text(network), .place = mb_text(place)};
    keyed_map_put(&hall->place_map, key, table->index);
    return true;
}

unsigned hall_site_of(const struct table *table, const char *network, const char *place)
{
    unsigned site = 0;
    while (site < table_site_count(table) &&
           (strcmp(table_site_network(table, site), network) != 0 ||
            strcmp(table_site_place(table, site), place) != 0)) {
        site++;
    }
    return site;
}

unsigned hall_sites(const struct table *table)
{
    return table_shut(table) == SHUT_GONE ? 0 : table_site_count(table);
}

bool hall_is_site(const struct table *table, const char *network, const char *place)
{
    return hall_site_of(table, network, place) < hall_sites(table);
}

void hall_table_refresh(struct hall *hall, struct hall_table *table)
{
    if (table->state == HALL_READY && table->step == NULL && table->version > 0) {
        table->stale = true;
        hall_table_work(hall, table);
    } else {
        table->doubt = true;
    }
}

void hall_table_lie(struct hall *hall, struct hall_table *table)
{
    for (unsigned i = 0; i < hall_sites(table->table); i++) {
        (void)hall_table_place(hall, table, table_site_network(table->table, i),
                               table_site_place(table->table, i));
    }
}

static void unlink_work(struct hall *hall, struct hall_table *table)
{
    struct hall_table **at = &hall->work;
    while (table->queued && *at != table) {
        at = &(*at)->next_work;
    }
    if (table->queued) {
        *at = table->next_work;
        hall->work_end = *at == NULL ? at : hall->work_end;
    }
}

void hall_table_unlink(struct hall *hall, struct hall_table *table)
{
    unlink_work(hall, table);
    hall_table_leave(hall, table);
    if (table->id[0] != '\0') {
        keyed_map_remove(&hall->id_map, table->id);
    }
    unlink_used(hall, table);
    hall->tables[table->index] = NULL;
    hall->table_count--;
}
