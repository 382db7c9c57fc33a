#include "adapters/matrix/rooms/guests.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

#include "bot/chat.h"

static const int64_t DAY_MS = INT64_C(24) * 60 * 60 * 1000;

struct taken {
    struct taken *next; // the latest first
    int64_t at_ms;
    char person[CHAT_ID_SIZE];
};

struct guests {
    const struct guests_rules *rules;
    struct taken *taken;
};

struct guests *guests_create(const struct guests_rules *rules)
{
    struct guests *const guests = mb_new(1, sizeof *guests);
    guests->rules = rules;
    return guests;
}

static void drop_taken(struct taken **from)
{
    while (*from != NULL) {
        struct taken *const first = *from;
        *from = first->next;
        free(first);
    }
}

void guests_destroy(struct guests *guests)
{
    if (guests != NULL) {
        drop_taken(&guests->taken);
    }
    free(guests);
}

static bool is_welcome(const struct guests_rules *rules, const char *person, const char *room)
{
    return !chat_list_names(rules->block, person) && !chat_list_names(rules->block, room) &&
           (rules->allow == NULL || chat_list_names(rules->allow, person) ||
            chat_list_names(rules->allow, room));
}

bool guests_take(struct guests *guests, const char *person, const char *room, int64_t now_ms)
{
    unsigned all = 0;
    unsigned own = 0;
    struct taken **at = &guests->taken;
    while (*at != NULL && now_ms - (*at)->at_ms < DAY_MS) {
        all++;
        own += strcmp((*at)->person, person) == 0 ? 1 : 0;
        at = &(*at)->next;
    }
    drop_taken(at);
    if (!is_welcome(guests->rules, person, room) || all >= guests->rules->day_max ||
        own >= guests->rules->person_max) {
        return false;
    }
    struct taken *const taken = mb_new(1, sizeof *taken);
    *taken = (struct taken){.next = guests->taken, .at_ms = now_ms};
    (void)snprintf(taken->person, sizeof taken->person, "%s", person);
    guests->taken = taken;
    return true;
}
