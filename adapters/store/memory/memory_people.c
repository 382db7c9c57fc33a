// People: at which tables they sit, and what is known of how they played. Both are found by network
// and id, compared byte by byte.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

#include "adapters/store/memory/memory_impl.h"

uint32_t memory_person(const struct memory_store *memory, const char *network, const char *person)
{
    char key[MEMORY_KEY_SIZE];
    memory_key(key, network, person);
    return keyed_map_get(&memory->people_map, key);
}

static uint32_t free_person(struct memory_store *memory)
{
    if (memory->people_free != KEYED_NONE) {
        const uint32_t index = memory->people_free;
        memory->people_free = memory->people[index].next_free;
        return index;
    }
    void *items = memory->people;
    const bool room =
        memory_room(&items, memory->people_count, &memory->people_room, sizeof *memory->people);
    memory->people = items;
    return room ? (uint32_t)memory->people_count++ : KEYED_NONE;
}

static void release_person(struct memory_store *memory, uint32_t index)
{
    free(memory->people[index].key);
    memory->people[index] = (struct person_row){.next_free = memory->people_free};
    memory->people_free = index;
}

uint32_t memory_person_make(struct memory_store *memory, const char *network, const char *person)
{
    char key[MEMORY_KEY_SIZE];
    memory_key(key, network, person);
    uint32_t index = keyed_map_get(&memory->people_map, key);
    if (index != KEYED_NONE) {
        return index;
    }
    index = free_person(memory);
    if (index == KEYED_NONE) {
        return KEYED_NONE;
    }
    memory->people[index] = (struct person_row){.chosen = KEYED_NONE, .key = mb_text(key)};
    keyed_map_put(&memory->people_map, key, index);
    return index;
}

bool memory_sits(const struct memory_store *memory, uint32_t person, const struct row *row)
{
    const struct person_row *const who = &memory->people[person];
    for (unsigned i = 0; i < who->count; i++) {
        if (who->tables[i] == row->index) {
            return true;
        }
    }
    return false;
}

void memory_sit(struct memory_store *memory, uint32_t person, struct row *row)
{
    struct person_row *const who = &memory->people[person];
    if (!memory_sits(memory, person, row)) {
        who->tables[who->count++] = row->index;
        row->people[row->people_count++] = person;
    }
}

void memory_rise(struct memory_store *memory, uint32_t person, struct row *row)
{
    struct person_row *const who = &memory->people[person];
    size_t count = who->count;
    memory_remove(who->tables, &count, row->index);
    who->count = (unsigned)count;
    who->chosen = who->chosen == row->index ? KEYED_NONE : who->chosen;
    memory_remove(row->people, &row->people_count, person);
}

void memory_person_tidy(struct memory_store *memory, uint32_t person)
{
    if (memory->people[person].count == 0) {
        keyed_map_remove(&memory->people_map, memory->people[person].key);
        release_person(memory, person);
    }
}

static struct community_row *community_of(const struct memory_store *memory, const char *community)
{
    const uint32_t index = keyed_map_get(&memory->community_map, community);
    return index != KEYED_NONE ? &memory->communities[index] : NULL;
}

static void forget_people(struct community_row *community)
{
    for (size_t i = 0; i < community->count; i++) {
        free(community->people[i].person);
    }
    free(community->people);
    free(community->name);
    keyed_map_finish(&community->map);
}

// The number for one more community; when there are too many, one of them is forgotten in turn.
static uint32_t free_community(struct memory_store *memory)
{
    if (memory->community_count < STORE_COMMUNITIES_MAX) {
        void *items = memory->communities;
        const bool room = memory_room(&items, memory->community_count, &memory->community_room,
                                      sizeof *memory->communities);
        memory->communities = items;
        return room ? (uint32_t)memory->community_count : KEYED_NONE;
    }
    memory->community_next = (memory->community_next + 1) % STORE_COMMUNITIES_MAX;
    assert(memory->communities != NULL); // they are as many as there can be
    struct community_row *const forgotten = &memory->communities[memory->community_next];
    keyed_map_remove(&memory->community_map, forgotten->name);
    forget_people(forgotten);
    return memory->community_next;
}

static struct community_row *make_community(struct memory_store *memory, const char *community)
{
    struct community_row *const known = community_of(memory, community);
    if (known != NULL) {
        return known;
    }
    const uint32_t index = free_community(memory);
    if (index == KEYED_NONE) {
        return NULL;
    }
    struct community_row *const made = &memory->communities[index];
    *made = (struct community_row){.name = mb_text(community)};
    keyed_map_init(&made->map, memory->secret);
    memory->community_count += index == memory->community_count ? 1 : 0;
    keyed_map_put(&memory->community_map, community, index);
    return made;
}

// The last line moves to where it was.
static void drop_line(struct community_row *community, uint32_t index)
{
    struct person_line *const line = &community->people[index];
    keyed_map_remove(&community->map, line->person);
    free(line->person);
    *line = community->people[--community->count];
    if (index < community->count) {
        keyed_map_put(&community->map, line->person, index);
    }
}

static void drop_oldest(struct community_row *community)
{
    uint32_t oldest = 0;
    for (uint32_t i = 1; i < community->count; i++) {
        oldest = community->people[i].touched < community->people[oldest].touched ? i : oldest;
    }
    drop_line(community, oldest);
}

struct person_line *memory_line(struct memory_store *memory, const struct store_record *record)
{
    char key[MEMORY_KEY_SIZE];
    struct community_row *const community = make_community(memory, record->community);
    if (community == NULL) {
        return NULL;
    }
    memory_key(key, record->network, record->person);
    const uint32_t known = keyed_map_get(&community->map, key);
    if (known != KEYED_NONE) {
        return &community->people[known];
    }
    void *items = community->people;
    if (!memory_room(&items, community->count, &community->room, sizeof *community->people)) {
        return NULL;
    }
    community->people = items;
    keyed_map_put(&community->map, key, (uint32_t)community->count);
    community->people[community->count++] =
        (struct person_line){.person = mb_text(key), .touched = memory->touched};
    if (community->count > STORE_PEOPLE_OF_COMMUNITY) {
        drop_oldest(community);
    }
    return &community->people[keyed_map_get(&community->map, key)];
}

void memory_line_forget(struct memory_store *memory, const struct store_record *record)
{
    char key[MEMORY_KEY_SIZE];
    struct community_row *const community = community_of(memory, record->community);
    if (community != NULL) {
        memory_key(key, record->network, record->person);
        const uint32_t index = keyed_map_get(&community->map, key);
        if (index != KEYED_NONE) {
            drop_line(community, index);
        }
    }
}

void memory_forget_lines(struct memory_store *memory, const char *network, const char *person)
{
    for (size_t i = 0; i < memory->community_count; i++) {
        const struct store_record record = {
            .community = memory->communities[i].name, .network = network, .person = person};
        memory_line_forget(memory, &record);
    }
}

void memory_purge_lines(struct memory_store *memory, const char *community)
{
    struct community_row *const known = community_of(memory, community);
    while (known != NULL && known->count > 0) {
        drop_line(known, (uint32_t)known->count - 1);
    }
}

static int by_name(const void *a, const void *b)
{
    const char *const *const one = a;
    const char *const *const other = b;
    return strcmp(*one, *other);
}

struct store_answer *memory_known(const struct memory_store *memory,
                                  const struct store_request *request,
                                  const struct store_answer *begun)
{
    char key[MEMORY_KEY_SIZE];
    struct store_answer answer = *begun;
    const char **const texts = calloc(memory->community_count + 1, sizeof *texts);
    struct store_answer *copy = NULL;
    memory_key(key, request->network, request->person);
    for (size_t i = 0; texts != NULL && i < memory->community_count; i++) {
        if (keyed_map_get(&memory->communities[i].map, key) != KEYED_NONE) {
            texts[answer.count++] = memory->communities[i].name;
        }
    }
    if (texts != NULL) {
        qsort(texts, answer.count, sizeof *texts, by_name);
        answer.texts = texts;
        copy = store_answer_copy(&answer);
    }
    free(texts);
    return copy;
}

static void sum(struct store_line *to, const struct store_line *line)
{
    to->games += line->games;
    to->wins += line->wins;
    to->kills += line->kills;
    to->deaths += line->deaths;
}

void memory_statistics(const struct memory_store *memory, const struct store_request *request,
                       struct store_answer *answer)
{
    char key[MEMORY_KEY_SIZE];
    const struct community_row *const community = community_of(memory, request->community);
    answer->result = STORE_NOTHING;
    if (community == NULL) {
        return;
    }
    memory_key(key, request->network, request->person);
    const uint32_t index = keyed_map_get(&community->map, key);
    if (index != KEYED_NONE) {
        answer->result = STORE_DONE;
        answer->line = community->people[index].line;
    }
    for (size_t i = 0; i < community->count; i++) {
        sum(&answer->total, &community->people[i].line);
        answer->people += community->people[i].line.games > 0 ? 1 : 0;
    }
}

void memory_people_finish(struct memory_store *memory)
{
    for (size_t i = 0; i < memory->people_count; i++) {
        free(memory->people[i].key);
    }
    for (size_t i = 0; i < memory->community_count; i++) {
        forget_people(&memory->communities[i]);
    }
    free(memory->people);
    free(memory->communities);
}
