#include "adapters/discord/heard.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_BITS = 64, SECOND_MS = 1000, DECIMAL = 10 };

static uint64_t number_of(const char *id)
{
    return strtoull(id, NULL, DECIMAL);
}

// Ids that follow one another share nearly all of their bits.
static size_t bucket_of(uint64_t id)
{
    const uint64_t factor = UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(id * factor >> (WORD_BITS - HEARD_BUCKET_BITS));
}

static void list_add(struct heard_list *list, struct heard *heard)
{
    heard->newer = NULL;
    heard->older = list->newest;
    *(list->newest != NULL ? &list->newest->newer : &list->oldest) = heard;
    list->newest = heard;
}

static void list_take(struct heard_list *list, const struct heard *heard)
{
    *(heard->older != NULL ? &heard->older->newer : &list->oldest) = heard->newer;
    *(heard->newer != NULL ? &heard->newer->older : &list->newest) = heard->older;
}

struct heard *heards_find(const struct heards *heards, const char *id)
{
    const uint64_t number = number_of(id);
    struct heard *at = heards->buckets[bucket_of(number)];
    while (at != NULL && at->id != number) {
        at = at->next;
    }
    return at;
}

const struct heard_caller *heards_last(const struct heards *heards, const char *person)
{
    const struct heard_caller *at = heards->last[bucket_of(number_of(person))];
    while (at != NULL && strcmp(at->person, person) != 0) {
        at = at->next;
    }
    return at;
}

static void drop_caller(struct heards *heards, struct heard *heard)
{
    struct heard_caller *const caller = heard->caller;
    heard->caller = NULL;
    if (caller != NULL) {
        struct heard_caller **at = &heards->last[bucket_of(number_of(caller->person))];
        while (*at != NULL && *at != caller) {
            at = &(*at)->next;
        }
        *at = *at != NULL ? caller->next : NULL;
        free(caller);
    }
}

static struct heard *list_pop(struct heard_list *list)
{
    struct heard *const heard = list->oldest;
    list->oldest = heard->newer;
    *(heard->newer != NULL ? &heard->newer->older : &list->newest) = NULL;
    return heard;
}

static void drop(struct heards *heards, struct heard_list *list)
{
    struct heard *const heard = list_pop(list);
    struct heard **at = &heards->buckets[bucket_of(heard->id)];
    while (*at != heard) {
        at = &(*at)->next;
    }
    *at = heard->next;
    heards->count--;
    drop_caller(heards, heard);
    free(heard);
}

static void drop_oldest(struct heards *heards)
{
    drop(heards, heards->past.oldest != NULL ? &heards->past : &heards->open);
}

void heards_finish(struct heards *heards)
{
    while (heards->count > 0) {
        // NOLINTNEXTLINE(clang-analyzer-unix.Malloc): it is another each time
        drop_oldest(heards);
    }
}

static struct heard_caller *caller_new(const struct interaction *interaction)
{
    const size_t size = strlen(interaction->token) + 1;
    struct heard_caller *const caller = calloc(1, sizeof *caller + size);
    if (caller != NULL) {
        (void)snprintf(caller->person, sizeof caller->person, "%s", interaction->person);
        memcpy(caller->token, interaction->token, size);
    }
    return caller;
}

struct heard *heards_add(struct heards *heards, const struct interaction *interaction,
                         int64_t age_ms, int64_t now_ms)
{
    while (heards->count >= HEARD_MAX) {
        drop_oldest(heards);
    }
    struct heard *const heard = calloc(1, sizeof *heard);
    struct heard_caller *const caller = caller_new(interaction);
    if (heard == NULL || caller == NULL) {
        free(heard);
        free(caller);
        return NULL;
    }
    caller->heard = heard;
    caller->defer_ms = now_ms + (age_ms < HEARD_DEFER_MS ? HEARD_DEFER_MS - age_ms : 0);
    *heard = (struct heard){.id = number_of(interaction->id),
                            .message = number_of(interaction->message),
                            .caller = caller,
                            .end_s = (int32_t)((now_ms + HEARD_LIVE_MS - age_ms) / SECOND_MS),
                            .press = interaction->type == INTERACTION_PRESS};
    struct heard **const bucket = &heards->buckets[bucket_of(heard->id)];
    heard->next = *bucket;
    *bucket = heard;
    list_add(&heards->open, heard);
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
    struct heard_caller **const bucket = &heards->last[bucket_of(number_of(caller->person))];
    caller->next = *bucket;
    *bucket = caller;
}

void heards_move(struct heards *heards, struct heard *heard, enum heard_state state)
{
    if (heard->state == HEARD_OPEN) {
        list_take(&heards->open, heard);
        list_add(&heards->past, heard);
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
    while (heards->past.oldest != NULL && end_ms(heards->past.oldest) <= now_ms) {
        drop(heards, &heards->past);
    }
}

int64_t heards_due_ms(const struct heards *heards)
{
    int64_t due = heards->past.oldest != NULL ? end_ms(heards->past.oldest) : -1;
    for (const struct heard *at = heards->open.oldest; at != NULL; at = at->newer) {
        due = due < 0 || at->caller->defer_ms < due ? at->caller->defer_ms : due;
    }
    return due;
}
