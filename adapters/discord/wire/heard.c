#include "adapters/discord/wire/heard.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

enum { WORD_BITS = 64, SECOND_MS = 1000, DECIMAL = 10 };

static uint64_t number_of(const char *id)
{
    return strtoull(id, NULL, DECIMAL);
}

// Ids that follow one another share nearly all of their bits.
static size_t hash(uint64_t id, int bits)
{
    const uint64_t factor = UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(id * factor >> (WORD_BITS - bits));
}

static uint16_t *bucket_of(struct heards *heards, uint64_t id)
{
    return &heards->buckets[hash(id, HEARD_BUCKET_BITS)];
}

static struct heard_caller **last_of(struct heards *heards, const char *person)
{
    return &heards->last[hash(number_of(person), HEARD_LAST_BITS)];
}

// NULL for 0.
static struct heard *at(const struct heards *heards, uint16_t number)
{
    return number > 0 ? &heards->chunks[(number - 1) / HEARD_CHUNK][(number - 1) % HEARD_CHUNK]
                      : NULL;
}

// Which is free, or is made.
static uint16_t take_free(struct heards *heards)
{
    const uint16_t number = heards->free > 0 ? heards->free : (uint16_t)(heards->made + 1);
    struct heard **const chunk = &heards->chunks[(number - 1) / HEARD_CHUNK];
    if (*chunk == NULL) {
        *chunk = mb_new(HEARD_CHUNK, sizeof **chunk);
    }
    if (number == heards->free) {
        heards->free = at(heards, number)->next;
    } else {
        heards->made = number;
    }
    return number;
}

// `number` is of one that was taken, never 0.
static void list_add(const struct heards *heards, struct heard_list *list, uint16_t number)
{
    struct heard *const heard = at(heards, number);
    struct heard *const before = at(heards, list->newest);
    heard->newer = 0;
    heard->older = list->newest;
    *(before != NULL ? &before->newer : &list->oldest) = number;
    list->newest = number;
}

static void list_take(const struct heards *heards, struct heard_list *list,
                      const struct heard *heard)
{
    struct heard *const older = at(heards, heard->older);
    struct heard *const newer = at(heards, heard->newer);
    *(older != NULL ? &older->newer : &list->oldest) = heard->newer;
    *(newer != NULL ? &newer->older : &list->newest) = heard->older;
}

static uint16_t number_in_bucket(const struct heards *heards, uint64_t id)
{
    uint16_t number = heards->buckets[hash(id, HEARD_BUCKET_BITS)];
    while (number > 0 && at(heards, number)->id != id) {
        number = at(heards, number)->next;
    }
    return number;
}

struct heard *heards_find(const struct heards *heards, const char *id)
{
    return at(heards, number_in_bucket(heards, number_of(id)));
}

struct heard *heards_open(const struct heards *heards, const struct heard *heard)
{
    return at(heards, heard != NULL ? heard->newer : heards->open.oldest);
}

const struct heard_caller *heards_last(const struct heards *heards, const char *person)
{
    const struct heard_caller *caller = heards->last[hash(number_of(person), HEARD_LAST_BITS)];
    while (caller != NULL && strcmp(caller->person, person) != 0) {
        caller = caller->next;
    }
    return caller;
}

static void drop_caller(struct heards *heards, struct heard *heard)
{
    struct heard_caller *const caller = heard->caller;
    heard->caller = NULL;
    if (caller != NULL) {
        struct heard_caller **link = last_of(heards, caller->person);
        while (*link != NULL && *link != caller) {
            link = &(*link)->next;
        }
        *link = *link != NULL ? caller->next : NULL;
        free(caller);
    }
}

// The oldest of a list that is not empty.
static void drop(struct heards *heards, struct heard_list *list)
{
    const uint16_t number = list->oldest;
    assert(number > 0);
    struct heard *const heard = at(heards, number);
    list_take(heards, list, heard);
    uint16_t *link = bucket_of(heards, heard->id);
    while (*link != number) {
        link = &at(heards, *link)->next;
    }
    *link = heard->next;
    heards->count--;
    drop_caller(heards, heard);
    heard->next = heards->free;
    heards->free = number;
}

static void drop_oldest(struct heards *heards)
{
    drop(heards, heards->past.oldest > 0 ? &heards->past : &heards->open);
}

void heards_finish(struct heards *heards)
{
    while (heards->count > 0) {
        drop_oldest(heards);
    }
    for (size_t i = 0; i < HEARD_CHUNKS; i++) {
        free(heards->chunks[i]);
        heards->chunks[i] = NULL;
    }
    heards->made = 0;
    heards->free = 0;
}

static struct heard_caller *caller_new(const struct interaction *interaction)
{
    const size_t size = strlen(interaction->token) + 1;
    struct heard_caller *const caller = mb_new(1, sizeof *caller + size);
    (void)snprintf(caller->person, sizeof caller->person, "%s", interaction->person);
    memcpy(caller->token, interaction->token, size);
    return caller;
}

struct heard *heards_add(struct heards *heards, const struct interaction *interaction,
                         int64_t age_ms, int64_t now_ms)
{
    while (heards->count >= HEARD_MAX) {
        drop_oldest(heards);
    }
    struct heard_caller *const caller = caller_new(interaction);
    const uint16_t number = take_free(heards);
    struct heard *const heard = at(heards, number);
    uint16_t *const bucket = bucket_of(heards, number_of(interaction->id));
    caller->heard = heard;
    caller->defer_ms = now_ms + (age_ms < HEARD_DEFER_MS ? HEARD_DEFER_MS - age_ms : 0);
    *heard = (struct heard){.id = number_of(interaction->id),
                            .message = number_of(interaction->message),
                            .caller = caller,
                            .next = *bucket,
                            .end_s = (int32_t)((now_ms + HEARD_LIVE_MS - age_ms) / SECOND_MS),
                            .press = interaction->type == INTERACTION_PRESS};
    *bucket = number;
    list_add(heards, &heards->open, number);
    heards->count++;
    return heard;
}

// What its person did before is not what they did last any more.
static void note_last(struct heards *heards, struct heard *heard)
{
    struct heard_caller *const caller = heard->caller;
    if (caller == NULL || caller->person[0] == '\0') {
        drop_caller(heards, heard);
        return;
    }
    const struct heard_caller *const before = heards_last(heards, caller->person);
    if (before == caller) {
        return;
    }
    if (before != NULL) {
        drop_caller(heards, before->heard);
    }
    struct heard_caller **const last = last_of(heards, caller->person);
    caller->next = *last;
    *last = caller;
}

void heards_move(struct heards *heards, struct heard *heard, enum heard_state state)
{
    if (heard->state == HEARD_OPEN) {
        list_take(heards, &heards->open, heard);
        list_add(heards, &heards->past, number_in_bucket(heards, heard->id));
    }
    heard->state = (uint8_t)state;
    if (state != HEARD_DEFERRED) {
        note_last(heards, heard);
    }
}

static int64_t end_ms(const struct heard *heard)
{
    return (int64_t)heard->end_s * SECOND_MS;
}

void heards_drop_past(struct heards *heards, int64_t now_ms)
{
    while (heards->past.oldest > 0 && end_ms(at(heards, heards->past.oldest)) <= now_ms) {
        drop(heards, &heards->past);
    }
}

int64_t heards_due_ms(const struct heards *heards)
{
    const struct heard *const past = at(heards, heards->past.oldest);
    int64_t due = past != NULL ? end_ms(past) : -1;
    for (const struct heard *open = heards_open(heards, NULL); open != NULL;
         open = heards_open(heards, open)) {
        due = due < 0 || open->caller->defer_ms < due ? open->caller->defer_ms : due;
    }
    return due;
}
