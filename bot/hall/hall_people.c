// Who is known: by the platform's id, with what they have said lately. People who sit nowhere are
// forgotten when there are too many, the one first who was silent longest.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/hall/hall_impl.h"

enum { PERSON_KEY_SIZE = CHAT_ID_SIZE + 8 };

static void person_key(char key[PERSON_KEY_SIZE], unsigned chat, const char *id)
{
    (void)snprintf(key, PERSON_KEY_SIZE, "%u %s", chat, id);
}

struct hall_person *hall_person(const struct hall *hall, uint32_t index)
{
    return hall->people[index];
}

static void unlink_stranger(struct hall *hall, uint32_t index)
{
    struct hall_person *const person = hall->people[index];
    if (person->newer != KEYED_NONE) {
        hall->people[person->newer]->older = person->older;
    } else {
        hall->newest = person->older;
    }
    if (person->older != KEYED_NONE) {
        hall->people[person->older]->newer = person->newer;
    } else {
        hall->oldest = person->newer;
    }
    hall->strangers--;
}

static void link_stranger(struct hall *hall, uint32_t index)
{
    struct hall_person *const person = hall->people[index];
    person->newer = KEYED_NONE;
    person->older = hall->newest;
    if (hall->newest != KEYED_NONE) {
        hall->people[hall->newest]->newer = index;
    } else {
        hall->oldest = index;
    }
    hall->newest = index;
    hall->strangers++;
}

static void forget(struct hall *hall, uint32_t index)
{
    char key[PERSON_KEY_SIZE];
    person_key(key, hall->people[index]->chat, hall->people[index]->id);
    unlink_stranger(hall, index);
    keyed_map_remove(&hall->person_map, key);
    free(hall->people[index]);
    hall->people[index] = NULL;
    hall->people_count--;
    hall->people_next = index;
}

static uint32_t free_index(struct hall *hall)
{
    enum { LEAST = 64 };
    if (hall->people_count == hall->people_capacity) {
        const uint32_t capacity = hall->people_capacity == 0 ? LEAST : hall->people_capacity * 2;
        struct hall_person **const people =
            realloc(hall->people, capacity * sizeof(struct hall_person *));
        if (people == NULL) {
            return KEYED_NONE;
        }
        for (uint32_t i = hall->people_capacity; i < capacity; i++) {
            people[i] = NULL;
        }
        hall->people = people;
        hall->people_next = hall->people_capacity;
        hall->people_capacity = capacity;
    }
    while (hall->people[hall->people_next] != NULL) {
        hall->people_next = (hall->people_next + 1) % hall->people_capacity;
    }
    return hall->people_next;
}

static uint32_t make(struct hall *hall, unsigned chat, const char *id, const char *key)
{
    if (hall->strangers == HALL_STRANGERS_MAX) {
        forget(hall, hall->oldest);
    }
    const uint32_t index = free_index(hall);
    struct hall_person *const person = index != KEYED_NONE ? calloc(1, sizeof *person) : NULL;
    if (person == NULL || !keyed_map_put(&hall->person_map, key, index)) {
        free(person);
        return KEYED_NONE;
    }
    person->chat = (uint8_t)chat;
    person->chosen = KEYED_NONE;
    (void)snprintf(person->id, sizeof person->id, "%s", id);
    hall->people[index] = person;
    hall->people_count++;
    link_stranger(hall, index);
    return index;
}

uint32_t hall_person_of(struct hall *hall, unsigned chat, const struct chat_in *in)
{
    char key[PERSON_KEY_SIZE];
    person_key(key, chat, in->person);
    uint32_t index = keyed_map_get(&hall->person_map, key);
    if (index == KEYED_NONE) {
        index = make(hall, chat, in->person, key);
    } else if (hall->people[index]->guest_count == 0 && hall->newest != index) {
        unlink_stranger(hall, index);
        link_stranger(hall, index);
    }
    if (index != KEYED_NONE) {
        person_name_make(in->name[0] != '\0' ? in->name : in->person, hall->people[index]->name);
    }
    return index;
}

void hall_person_keep(struct hall *hall, uint32_t index)
{
    if (hall->people[index]->guest_count++ == 0) {
        unlink_stranger(hall, index);
    }
}

void hall_person_release(struct hall *hall, uint32_t index)
{
    if (--hall->people[index]->guest_count == 0) {
        if (hall->strangers == HALL_STRANGERS_MAX) {
            forget(hall, hall->oldest);
        }
        link_stranger(hall, index);
    }
}

static bool seen(uint64_t *events, uint8_t *at, unsigned count, uint64_t event)
{
    for (unsigned i = 0; i < count; i++) {
        if (events[i] == event) {
            return true;
        }
    }
    events[*at] = event;
    *at = (uint8_t)((*at + 1u) % count);
    return false;
}

bool hall_event_seen(struct hall *hall, struct hall_person *person, struct hall_table *table,
                     const char *event)
{
    if (event[0] == '\0') {
        return false;
    }
    const uint64_t hash = keyed_hash(hall->secret, event, strlen(event)) | 1u; // 0 is none
    const bool by_person = seen(person->events, &person->event_at, HALL_EVENTS_OF_PERSON, hash);
    const bool at_table =
        table != NULL && seen(table->events, &table->event_at, HALL_EVENTS_OF_TABLE, hash);
    return by_person || at_table;
}
