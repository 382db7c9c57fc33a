#include "bot/hall/hall.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "bot/hall/hall_impl.h"

enum { PLACE_KEY_SIZE = CHAT_ID_SIZE + 8 };

void pile_add(struct pile_of_text *pile, const char *text)
{
    const size_t length = strlen(text);
    if (pile->length + length + 1 > pile->capacity) {
        const size_t capacity = (pile->length + length + 1) * 2;
        char *const at = realloc(pile->at, capacity);
        if (at == NULL) {
            return; // the state is not lost, only what was said about it
        }
        pile->at = at;
        pile->capacity = capacity;
    }
    memcpy(pile->at + pile->length, text, length + 1);
    pile->length += length;
}

bool pile_trim(struct pile_of_text *pile, size_t most)
{
    if (pile->length <= most) {
        return false;
    }
    const char *from = pile->at + pile->length - most;
    const char *const line = strchr(from, '\n');
    from = line != NULL ? line + 1 : from;
    pile->length = strlen(from);
    memmove(pile->at, from, pile->length + 1);
    return true;
}

void pile_clear(struct pile_of_text *pile)
{
    enum { KEPT = 1024 };
    if (pile->capacity > KEPT) {
        pile_finish(pile); // ten thousand tables do not keep what one message took
        return;
    }
    pile->length = 0;
    if (pile->at != NULL) {
        pile->at[0] = '\0';
    }
}

void pile_finish(struct pile_of_text *pile)
{
    free(pile->at);
    *pile = (struct pile_of_text){0};
}

static void place_key(char key[PLACE_KEY_SIZE], unsigned chat, const char *place)
{
    (void)snprintf(key, PLACE_KEY_SIZE, "%u %s", chat, place);
}

static bool make_parts(struct hall *hall, const struct hall_setup *setup)
{
    hall->workspace = session_workspace_create();
    if (hall->workspace == NULL) {
        return false;
    }
    hall->nowhere = session_create(setup->catalog, hall->workspace);
    hall->records = stats_create();
    return hall->nowhere != NULL && hall->records != NULL;
}

struct hall *hall_create(const struct hall_setup *setup)
{
    struct hall *const hall = calloc(1, sizeof *hall);
    if (hall == NULL || sodium_init() < 0) {
        free(hall);
        return NULL;
    }
    static const struct rate_rule PERSON = {HALL_PERSON_BURST, HALL_PERSON_REFILL_MS};
    static const struct rate_rule PLACE = {HALL_PLACE_BURST, HALL_PLACE_REFILL_MS};
    hall->catalog = setup->catalog;
    hall->person_rule = setup->person.burst > 0 ? setup->person : PERSON;
    hall->place_rule = setup->place.burst > 0 ? setup->place : PLACE;
    hall->newest = KEYED_NONE;
    hall->oldest = KEYED_NONE;
    randombytes_buf(hall->secret, sizeof hall->secret);
    keyed_map_init(&hall->place_map, hall->secret);
    keyed_map_init(&hall->person_map, hall->secret);
    keyed_map_init(&hall->id_map, hall->secret);
    if (!make_parts(hall, setup)) {
        hall_destroy(hall);
        return NULL;
    }
    return hall;
}

void hall_destroy(struct hall *hall)
{
    if (hall == NULL) {
        return;
    }
    for (uint32_t i = 0; i < hall->table_capacity; i++) {
        if (hall->tables[i] != NULL) {
            hall_table_drop(hall, hall->tables[i]);
        }
    }
    for (uint32_t i = 0; i < hall->people_capacity; i++) {
        free(hall->people[i]);
    }
    free(hall->tables);
    free(hall->people);
    keyed_map_finish(&hall->place_map);
    keyed_map_finish(&hall->person_map);
    keyed_map_finish(&hall->id_map);
    due_heap_finish(&hall->due);
    session_destroy(hall->nowhere);
    session_workspace_destroy(hall->workspace);
    stats_destroy(hall->records);
    free(hall);
}

bool hall_add_chat(struct hall *hall, struct chat *chat, struct mb_error *err)
{
    if (hall->chat_count == HALL_CHATS_MAX) {
        return mb_fail(err, MB_ERR_LIMIT, "%d chats are as many as there can be", HALL_CHATS_MAX);
    }
    hall->chats[hall->chat_count++] = chat;
    return true;
}

struct hall_table *hall_table_at(const struct hall *hall, unsigned chat, const char *place)
{
    char key[PLACE_KEY_SIZE];
    place_key(key, chat, place);
    const uint32_t index = keyed_map_get(&hall->place_map, key);
    return index != KEYED_NONE ? hall->tables[index] : NULL;
}

struct hall_table *hall_table_by_id(const struct hall *hall, const char *id)
{
    const uint32_t index = keyed_map_get(&hall->id_map, id);
    return index != KEYED_NONE ? hall->tables[index] : NULL;
}

// A free place in the list of tables; KEYED_NONE without memory.
static uint32_t free_index(struct hall *hall)
{
    enum { LEAST = 16 };
    if (hall->table_count == hall->table_capacity) {
        const uint32_t capacity = hall->table_capacity == 0 ? LEAST : hall->table_capacity * 2;
        struct hall_table **const tables =
            realloc(hall->tables, capacity * sizeof(struct hall_table *));
        if (tables == NULL) {
            return KEYED_NONE;
        }
        for (uint32_t i = hall->table_capacity; i < capacity; i++) {
            tables[i] = NULL;
        }
        hall->tables = tables;
        hall->table_next = hall->table_capacity;
        hall->table_capacity = capacity;
    }
    while (hall->tables[hall->table_next] != NULL) {
        hall->table_next = (hall->table_next + 1) % hall->table_capacity;
    }
    return hall->table_next;
}

struct hall_table *hall_table_make(struct hall *hall, unsigned chat, const struct chat_in *in)
{
    const uint32_t index = hall->table_count < HALL_TABLES_MAX ? free_index(hall) : KEYED_NONE;
    struct hall_table *const table = index != KEYED_NONE ? calloc(1, sizeof *table) : NULL;
    if (table == NULL) {
        return NULL;
    }
    char key[PLACE_KEY_SIZE];
    place_key(key, chat, in->place);
    table->index = index;
    table->chat = (uint8_t)chat;
    table->clock_ms = hall->now_ms;
    table->heard_ms = hall->now_ms;
    (void)snprintf(table->place, sizeof table->place, "%s", in->place);
    person_name_make(in->place_name[0] != '\0' ? in->place_name : in->place, table->name);
    table->hall = hall;
    (void)snprintf(table->community, sizeof table->community, "%.*s/%s", CHAT_ID_SIZE - 2,
                   chat_name(hall->chats[chat]),
                   in->community[0] != '\0' ? in->community : in->place);
    table->session = session_create(hall->catalog, hall->workspace);
    if (table->session == NULL || !keyed_map_put(&hall->place_map, key, index)) {
        session_destroy(table->session);
        free(table);
        return NULL;
    }
    const struct session_records records = {.stats = hall->records,
                                            .community = table->community,
                                            .identify = hall_identify,
                                            .user = table};
    session_keep_records(table->session, &records);
    hall->tables[index] = table;
    hall->table_count++;
    return table;
}

void hall_table_drop(struct hall *hall, struct hall_table *table)
{
    char key[PLACE_KEY_SIZE];
    place_key(key, table->chat, table->place);
    hall_guests_finish(hall, table);
    hall_post_finish(table);
    keyed_map_remove(&hall->place_map, key);
    keyed_map_remove(&hall->id_map, table->id);
    due_heap_remove(&hall->due, table->index);
    pile_finish(&table->narration);
    session_destroy(table->session);
    hall->tables[table->index] = NULL;
    hall->table_count--;
    free(table);
}

void hall_table_begin(struct hall *hall, struct hall_table *table)
{
    hall_guests_finish(hall, table);
    keyed_map_remove(&hall->id_map, table->id);
    (void)snprintf(table->id, sizeof table->id, "t%lu", ++hall->games);
    // Without memory its controls are stale, that is all.
    (void)keyed_map_put(&hall->id_map, table->id, table->index);
    table->card_hash = 0;
    table->card_turn = 0;
    table->stamp = 0;
}

size_t hall_table_count(const struct hall *hall)
{
    return hall->table_count;
}

struct session *hall_session(struct hall *hall, const struct chat *chat, const char *place)
{
    for (unsigned i = 0; i < hall->chat_count; i++) {
        if (hall->chats[i] == chat) {
            struct hall_table *const table = hall_table_at(hall, i, place);
            return table != NULL ? table->session : NULL;
        }
    }
    return NULL;
}

const struct hall_stats *hall_stats(const struct hall *hall)
{
    return &hall->stats;
}
