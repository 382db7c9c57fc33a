// Rows of tables, and the places where they lie.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

#include "adapters/store/memory/memory_impl.h"

bool memory_room(void **items, size_t count, size_t *room, size_t size)
{
    enum { LEAST = 4 };
    if (count < *room) {
        return true;
    }
    const size_t wanted = *room == 0 ? LEAST : *room * 2;
    void *const grown = realloc(*items, wanted * size);
    if (grown == NULL) {
        return false;
    }
    *items = grown;
    *room = wanted;
    return true;
}

struct blob *memory_blob(const void *at, size_t size)
{
    struct blob *const blob = malloc(sizeof *blob + size);
    if (blob != NULL) {
        blob->size = size;
        memcpy(blob->at, at, size);
    }
    return blob;
}

void memory_key(char out[MEMORY_KEY_SIZE], const char *network, const char *id)
{
    (void)snprintf(out, MEMORY_KEY_SIZE, "%s\n%s", network, id);
}

struct row *memory_row(const struct memory_store *memory, const char *table)
{
    const uint32_t index = keyed_map_get(&memory->row_map, table);
    return index != KEYED_NONE ? memory->rows[index] : NULL;
}

// A free place in the list of rows; KEYED_NONE without memory.
static uint32_t free_index(struct memory_store *memory)
{
    enum { LEAST = 16 };
    if (memory->row_count == memory->row_room) {
        const uint32_t room = memory->row_room == 0 ? LEAST : memory->row_room * 2;
        struct row **const rows = realloc(memory->rows, room * sizeof(struct row *));
        if (rows == NULL) {
            return KEYED_NONE;
        }
        for (uint32_t i = memory->row_room; i < room; i++) {
            rows[i] = NULL;
        }
        memory->row_next = memory->row_room;
        memory->rows = rows;
        memory->row_room = room;
    }
    while (memory->rows[memory->row_next] != NULL) {
        memory->row_next = (memory->row_next + 1) % memory->row_room;
    }
    return memory->row_next;
}

static void count_up(struct keyed_map *map, const char *word)
{
    const uint32_t count = keyed_map_get(map, word);
    keyed_map_put(map, word, count == KEYED_NONE ? 1 : count + 1);
}

static void count_down(struct keyed_map *map, const char *word)
{
    const uint32_t count = keyed_map_get(map, word);
    if (count == KEYED_NONE || count == 1) {
        keyed_map_remove(map, word);
    } else {
        keyed_map_put(map, word, count - 1);
    }
}

void memory_row_free(struct row *row)
{
    for (size_t i = 0; i < row->journal_count; i++) {
        free(row->journal[i]);
    }
    for (unsigned i = 0; i < row->log_count; i++) {
        free(row->log[i]);
    }
    while (row->messages != NULL) {
        struct kept_message *const message = row->messages;
        row->messages = message->next;
        memory_message_free(message);
    }
    for (size_t i = 0; i < row->board_count; i++) {
        free(row->boards[i].reader);
        free(row->boards[i].id);
    }
    memory_cards_unuse(row);
    free(row->places);
    free(row->people);
    free(row->journal);
    free(row->boards);
    free(row->events);
    free(row->bytes);
    free(row->earlier);
    free(row->opener);
    free(row->community);
    free(row);
}

// Enters a row where it is looked for.
static void enter(struct memory_store *memory, struct row *row)
{
    keyed_map_put(&memory->row_map, row->id, row->index);
    count_up(&memory->opened_by, row->opener);
    count_up(&memory->opened_in, row->community);
}

struct row *memory_row_make(struct memory_store *memory, const struct store_commit *commit)
{
    char opener[MEMORY_KEY_SIZE];
    const uint32_t index = free_index(memory);
    struct row *const row = index != KEYED_NONE ? calloc(1, sizeof *row) : NULL;
    if (row == NULL) {
        return NULL;
    }
    memory_key(opener, commit->opener_network, commit->opener);
    row->index = index;
    (void)snprintf(row->id, sizeof row->id, "%s", commit->table);
    row->opener = mb_text(opener);
    row->community = mb_text(commit->community);
    enter(memory, row);
    memory->rows[index] = row;
    memory->row_count++;
    return row;
}

bool memory_row_opener(struct memory_store *memory, struct row *row, const char *opener)
{
    char *const copy = mb_text(opener);
    count_up(&memory->opened_by, copy);
    count_down(&memory->opened_by, row->opener);
    free(row->opener);
    row->opener = copy;
    return true;
}

void memory_row_drop(struct memory_store *memory, struct row *row)
{
    while (row->place_count > 0) {
        memory_place_drop(memory, row->places[0]);
    }
    while (row->people_count > 0) {
        const uint32_t person = row->people[0];
        memory_rise(memory, person, row);
        memory_person_tidy(memory, person);
    }
    due_heap_remove(&memory->due, row->index);
    keyed_map_remove(&memory->row_map, row->id);
    count_down(&memory->opened_by, row->opener);
    count_down(&memory->opened_in, row->community);
    memory->rows[row->index] = NULL;
    memory->row_count--;
    if (row->journal_count > 0) {
        memory_put_away(memory, row);
    } else {
        memory_row_free(row);
    }
    memory_cards_tidy(memory);
}

uint32_t memory_place(const struct memory_store *memory, const char *network, const char *place)
{
    char key[MEMORY_KEY_SIZE];
    memory_key(key, network, place);
    return keyed_map_get(&memory->place_map, key);
}

// A free place row, taken out of the list of free ones; KEYED_NONE without memory.
static uint32_t free_place(struct memory_store *memory)
{
    if (memory->place_free != KEYED_NONE) {
        const uint32_t index = memory->place_free;
        memory->place_free = memory->places[index].next_free;
        return index;
    }
    void *items = memory->places;
    const bool room =
        memory_room(&items, memory->place_count, &memory->place_room, sizeof *memory->places);
    memory->places = items;
    return room ? (uint32_t)memory->place_count++ : KEYED_NONE;
}

static void release_place(struct memory_store *memory, uint32_t index)
{
    struct place_row *const place = &memory->places[index];
    free(place->key);
    free(place->name);
    free(place->community);
    *place = (struct place_row){.table = KEYED_NONE, .next_free = memory->place_free};
    memory->place_free = index;
}

uint32_t memory_place_make(struct memory_store *memory, const char *network, const char *place)
{
    char key[MEMORY_KEY_SIZE];
    memory_key(key, network, place);
    uint32_t index = keyed_map_get(&memory->place_map, key);
    if (index != KEYED_NONE) {
        return index;
    }
    index = free_place(memory);
    if (index == KEYED_NONE) {
        return KEYED_NONE;
    }
    memory->places[index] = (struct place_row){.table = KEYED_NONE, .key = mb_text(key)};
    keyed_map_put(&memory->place_map, key, index);
    return index;
}

void memory_remove(uint32_t *list, size_t *count, uint32_t number)
{
    size_t kept = 0;
    for (size_t i = 0; i < *count; i++) {
        if (list[i] != number) {
            list[kept++] = list[i];
        }
    }
    *count = kept;
}

void memory_place_take(struct memory_store *memory, struct row *row, uint32_t place)
{
    struct place_row *const at = &memory->places[place];
    if (at->table != KEYED_NONE && memory->rows[at->table] != NULL) {
        struct row *const before = memory->rows[at->table];
        memory_remove(before->places, &before->place_count, place);
    }
    at->table = row->index;
    row->places[row->place_count++] = place;
}

void memory_place_drop(struct memory_store *memory, uint32_t place)
{
    const uint32_t table = memory->places[place].table;
    if (table != KEYED_NONE) {
        struct row *const row = memory->rows[table];
        memory_remove(row->places, &row->place_count, place);
    }
    keyed_map_remove(&memory->place_map, memory->places[place].key);
    release_place(memory, place);
}

int64_t memory_due_ms(const struct row *row)
{
    const bool runs = row->since_ms >= 0 && row->due_ms >= 0;
    const int64_t own = runs ? row->since_ms + row->due_ms : STORE_NEVER;
    if (own < 0 || row->until_ms < 0) {
        return own < 0 ? row->until_ms : own;
    }
    return own < row->until_ms ? own : row->until_ms;
}

bool memory_due_set(struct memory_store *memory, const struct row *row, int64_t ms)
{
    if (ms < 0) {
        due_heap_remove(&memory->due, row->index);
    } else {
        due_heap_set(&memory->due, row->index, ms);
    }
    return true;
}

void memory_message_free(struct kept_message *message)
{
    free(message->reader);
    free(message->narration);
    free(message->bytes);
    free(message);
}

void memory_tables_finish(struct memory_store *memory)
{
    for (uint32_t i = 0; i < memory->row_room; i++) {
        if (memory->rows[i] != NULL) {
            memory_row_free(memory->rows[i]);
        }
    }
    for (size_t i = 0; i < memory->place_count; i++) {
        free(memory->places[i].key);
        free(memory->places[i].name);
        free(memory->places[i].community);
    }
    free(memory->rows);
    free(memory->places);
    memory_archive_finish(memory);
}
