// Communities that we are no longer in: since when is kept, in store time; thirty days later what
// is left of them goes. Whoever takes us in again before keeps everything.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

#include "bot/chat_impl.h"
#include "bot/hall/hall_impl.h"

static const char BEGINS[] = "gone/";

enum { WORD_SIZE = CHAT_ID_SIZE + sizeof BEGINS, NUMBER_SIZE = 24, DECIMAL = 10 };

struct hall_gone {
    struct hall_gone *next;
    uint8_t chat;
    bool back;       // it is not gone: what is read of it is out of date
    int64_t ms;      // since when
    uint64_t ticket; // of its purge
    int64_t ask_ms;  // when to ask for it, by now_ms
    char community[];
};

static struct hall_gone **find(struct hall *hall, unsigned chat, const char *community)
{
    struct hall_gone **at = &hall->gone;
    while (*at != NULL && ((*at)->chat != chat || strcmp((*at)->community, community) != 0)) {
        at = &(*at)->next;
    }
    return at;
}

static struct hall_gone *add(struct hall *hall, unsigned chat, const char *community, int64_t ms)
{
    const size_t size = strlen(community) + 1;
    struct hall_gone *const gone = mb_new(1, sizeof *gone + size);
    *gone = (struct hall_gone){.next = hall->gone, .chat = (uint8_t)chat, .ms = ms};
    memcpy(gone->community, community, size);
    const int64_t left = ms + HALL_GONE_MS - hall_time(hall);
    gone->ask_ms = hall->now_ms + (left > 0 ? left : 0);
    hall->gone = gone;
    return gone;
}

// `ms` below 0: nothing is kept of it any more.
static void keep(struct hall *hall, unsigned chat, const char *community, int64_t ms)
{
    char word[WORD_SIZE];
    char number[NUMBER_SIZE];
    (void)snprintf(word, sizeof word, "%s%s", BEGINS, community);
    const int size = snprintf(number, sizeof number, "%" PRId64, ms);
    const struct chat_kept item = {
        .word = word, .at = ms >= 0 ? number : NULL, .size = ms >= 0 ? (size_t)size : 0};
    (void)!HALL_KEEPER.keep(hall, hall->chats[chat], &item, NULL, NULL);
}

static void drop(struct hall_gone **at)
{
    struct hall_gone *const gone = *at;
    *at = gone->next;
    free(gone);
}

void hall_gone_tell(struct hall *hall, unsigned chat, const char *community)
{
    struct hall_gone **const known = find(hall, chat, community);
    if (community[0] == '\0' || (*known != NULL && !(*known)->back)) {
        return;
    }
    if (*known != NULL) {
        drop(known);
    }
    (void)add(hall, chat, community, hall_time(hall));
    keep(hall, chat, community, hall_time(hall));
}

void hall_gone_back(struct hall *hall, unsigned chat, const char *community)
{
    struct hall_gone **const known = find(hall, chat, community);
    const bool read = (hall->gone_read >> chat & 1u) != 0;
    if (*known == NULL && (read || add(hall, chat, community, 0) == NULL)) {
        return;
    }
    keep(hall, chat, community, STORE_NEVER);
    if (read) {
        drop(known);
    } else {
        (*find(hall, chat, community))->back = true;
    }
}

static void was_read(void *user, const struct chat_kept *items, size_t count)
{
    const struct hall_reading *const reading = user;
    struct hall *const hall = reading->hall;
    for (size_t i = 0; i < count; i++) {
        const char *const community = items[i].word + sizeof BEGINS - 1;
        char number[NUMBER_SIZE];
        (void)snprintf(number, sizeof number, "%.*s", (int)items[i].size,
                       (const char *)items[i].at);
        char *end = number;
        const int64_t kept = strtoll(number, &end, DECIMAL);
        // What cannot be read has been gone since now: nothing goes too early.
        const int64_t since = end != number && *end == '\0' ? kept : hall_time(hall);
        if (*find(hall, reading->chat, community) == NULL) {
            (void)add(hall, reading->chat, community, since);
        }
    }
    hall->gone_read |= 1u << reading->chat;
    for (struct hall_gone **at = &hall->gone; *at != NULL;) {
        if ((*at)->back && (*at)->chat == reading->chat) {
            drop(at);
        } else {
            at = &(*at)->next;
        }
    }
}

void hall_gone_read(struct hall *hall, struct chat *chat)
{
    (void)HALL_KEEPER.read(hall, chat, BEGINS, was_read, hall_reading(hall, chat));
}

static void purge(struct hall *hall, struct hall_gone *gone)
{
    const struct store_request request = {.kind = STORE_FORGET, .community = gone->community};
    const struct hall_ask ask = {.of = HALL_ASK_HALL};
    const bool asked = hall_ask(hall, &request, ask, &gone->ticket);
    gone->ask_ms = hall->now_ms + (asked ? HALL_ANSWER_MS : HALL_STORE_RETRY_MS);
}

void hall_gone_answered(struct hall *hall, const struct store_answer *answer)
{
    struct hall_gone **at = &hall->gone;
    while (*at != NULL && (*at)->ticket != answer->ticket) {
        at = &(*at)->next;
    }
    if (*at == NULL || answer->result != STORE_DONE) {
        return; // it is asked for again
    }
    for (uint32_t i = 0; i < hall->table_capacity; i++) {
        struct hall_table *const table = hall->tables[i];
        if (table != NULL && table->community != NULL &&
            strcmp(table->community, (*at)->community) == 0) {
            hall_refresh(hall, table);
        }
    }
    keep(hall, (*at)->chat, (*at)->community, STORE_NEVER);
    drop(at);
}

void hall_gone_keep_up(struct hall *hall)
{
    for (struct hall_gone *at = hall->gone; at != NULL; at = at->next) {
        if (at->ask_ms > hall->now_ms || at->back) {
            continue;
        }
        const int64_t left = at->ms + HALL_GONE_MS - hall_time(hall);
        if (left > 0) { // the store's time has stood meanwhile
            at->ask_ms = hall->now_ms + left;
        } else {
            purge(hall, at);
        }
    }
}

int64_t hall_gone_ms(const struct hall *hall)
{
    int64_t due = STORE_NEVER;
    for (const struct hall_gone *at = hall->gone; at != NULL; at = at->next) {
        due = at->back ? due : hall_earlier(due, at->ask_ms);
    }
    return due;
}

void hall_gone_finish(struct hall *hall)
{
    while (hall->gone != NULL) {
        drop(&hall->gone);
    }
}
