// Who is known: by network and id, with what they have said lately. When there are too many, the
// one is forgotten first who was silent longest.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

#include "bot/hall/live/live.h"

static void unlink_person(struct hall *hall, uint32_t index)
{
    const struct hall_person *const person = hall->people[index];
    *(person->newer != KEYED_NONE ? &hall->people[person->newer]->older : &hall->newest_person) =
        person->older;
    *(person->older != KEYED_NONE ? &hall->people[person->older]->newer : &hall->oldest_person) =
        person->newer;
}

static void link_person(struct hall *hall, uint32_t index)
{
    struct hall_person *const person = hall->people[index];
    person->newer = KEYED_NONE;
    person->older = hall->newest_person;
    *(hall->newest_person != KEYED_NONE ? &hall->people[hall->newest_person]->newer
                                        : &hall->oldest_person) = index;
    hall->newest_person = index;
}

static void person_free(struct hall *hall, struct hall_person *person)
{
    for (struct hall_line *line = hall_lines_take(&person->lines); line != NULL;
         line = hall_lines_take(&person->lines)) {
        hall_line_end(hall, line);
    }
    free(person->key);
    free(person);
}

static void forget(struct hall *hall, uint32_t index)
{
    struct hall_person *const person = hall->people[index];
    unlink_person(hall, index);
    keyed_map_remove(&hall->person_map, person->key);
    person_free(hall, person);
    hall->people[index] = NULL;
    hall->people_count--;
    hall->people_next = index;
}

static uint32_t free_index(struct hall *hall)
{
    enum { LEAST = 64 };
    if (hall->people_count == hall->people_capacity) {
        const uint32_t capacity = hall->people_capacity == 0 ? LEAST : hall->people_capacity * 2;
        hall->people = mb_grow(hall->people, capacity, sizeof(struct hall_person *));
        for (uint32_t i = hall->people_capacity; i < capacity; i++) {
            hall->people[i] = NULL;
        }
        hall->people_next = hall->people_capacity;
        hall->people_capacity = capacity;
    }
    while (hall->people[hall->people_next] != NULL) {
        hall->people_next = (hall->people_next + 1) % hall->people_capacity;
    }
    return hall->people_next;
}

static uint32_t make(struct hall *hall, const char *key)
{
    if (hall->people_count == HALL_PEOPLE_MAX) {
        forget(hall, hall->oldest_person);
    }
    const uint32_t index = free_index(hall);
    struct hall_person *const person = mb_new(1, sizeof *person);
    keyed_map_put(&hall->person_map, key, index);
    person->key = mb_text(key);
    person->ask_ms = STORE_NEVER;
    hall->people[index] = person;
    hall->people_count++;
    link_person(hall, index);
    return index;
}

uint32_t hall_person_of(struct hall *hall, const char *network, const struct chat_in *in)
{
    char key[HALL_KEY_SIZE];
    hall_key(key, network, in->person);
    uint32_t index = keyed_map_get(&hall->person_map, key);
    if (index == KEYED_NONE) {
        index = make(hall, key);
    } else if (hall->newest_person != index) {
        unlink_person(hall, index);
        link_person(hall, index);
    }
    person_name_make(in->name[0] != '\0' ? in->name : in->person, hall->people[index]->name);
    return index;
}

bool hall_person_recalls(struct hall *hall, const struct hall_line *line, bool now)
{
    const uint32_t index = hall_person_of(hall, chat_name(hall->chats[line->chat]), line->in);
    struct hall_person *const person = hall->people[index];
    person->recall_ms = now ? hall->now_ms + HALL_RECALL_MS : person->recall_ms;
    return person->recall_ms > hall->now_ms;
}

void hall_event_key(const struct hall *hall, const struct hall_line *line, char out[HALL_KEY_SIZE])
{
    out[0] = '\0';
    if (line->in->event[0] != '\0') {
        hall_key(out, chat_name(hall->chats[line->chat]), line->in->event);
    }
}

bool hall_event_seen(const struct hall *hall, uint64_t *events, uint8_t *at, unsigned count,
                     const struct hall_line *line)
{
    char key[HALL_KEY_SIZE];
    assert(count > 0);
    hall_event_key(hall, line, key);
    if (key[0] == '\0') {
        return false;
    }
    const uint64_t hash = store_event(hall->workspace->secret, key);
    for (unsigned i = 0; i < count; i++) {
        if (events[i] == hash) {
            return true;
        }
    }
    events[*at] = hash;
    *at = (uint8_t)((*at + 1u) % count);
    return false;
}

void hall_people_finish(struct hall *hall)
{
    for (uint32_t i = 0; i < hall->people_capacity; i++) {
        if (hall->people[i] != NULL) {
            person_free(hall, hall->people[i]);
        }
    }
    free(hall->people);
}
