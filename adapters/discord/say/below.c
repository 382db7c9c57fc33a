#include "adapters/discord/say/below.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

enum { BUCKETS = 1024, ID_SIZE = 24, DECIMAL = 10 };

struct board {
    struct board *next; // of its bucket, the newest first
    char channel[ID_SIZE], id[ID_SIZE];
    size_t count;    // that lie below it, as far as is known
    uint64_t newest; // of them, or itself
    bool unsure;     // others may lie there
    uint32_t posted; // in which turn
    uint32_t asked;  // in which turn it was counted; UINT32_MAX: in none
};

struct below {
    struct board *buckets[BUCKETS];
    size_t count;
};

static uint64_t number(const char *id)
{
    return strtoull(id, NULL, DECIMAL);
}

static struct board **bucket_of(struct below *below, const char *channel)
{
    return &below->buckets[number(channel) % BUCKETS];
}

static void drop(struct below *below, struct board **at)
{
    struct board *const board = *at;
    *at = board->next;
    below->count--;
    free(board);
}

// Room for one more: the oldest of its bucket goes first, or of another.
static void make_room(struct below *below, struct board **bucket)
{
    for (size_t i = 0; below->count >= BELOW_MAX; i++) {
        struct board **at = *bucket != NULL ? bucket : &below->buckets[i];
        while (*at != NULL && (*at)->next != NULL) {
            at = &(*at)->next;
        }
        if (*at != NULL) {
            drop(below, at);
        }
    }
}

static struct board **find(struct below *below, const char *channel, const char *id)
{
    struct board **at = bucket_of(below, channel);
    while (*at != NULL && (strcmp((*at)->id, id) != 0 || strcmp((*at)->channel, channel) != 0)) {
        at = &(*at)->next;
    }
    return at;
}

static struct board *add(struct below *below, const char *channel, const char *id)
{
    struct board **const bucket = bucket_of(below, channel);
    struct board *const board = mb_new(1, sizeof *board);
    make_room(below, bucket);
    (void)snprintf(board->channel, sizeof board->channel, "%s", channel);
    (void)snprintf(board->id, sizeof board->id, "%s", id);
    board->newest = number(id);
    board->asked = UINT32_MAX;
    board->next = *bucket;
    *bucket = board;
    below->count++;
    return board;
}

struct below *below_create(void)
{
    return mb_new(1, sizeof(struct below));
}

void below_destroy(struct below *below)
{
    for (size_t i = 0; below != NULL && i < BUCKETS; i++) {
        while (below->buckets[i] != NULL) {
            drop(below, &below->buckets[i]);
        }
    }
    free(below);
}

void below_posted(struct below *below, const char *channel, const char *board, const char *old,
                  uint32_t turn)
{
    struct board **const before = find(below, channel, old);
    if (*before != NULL) {
        drop(below, before);
    }
    struct board *const added =
        *find(below, channel, board) == NULL ? add(below, channel, board) : NULL;
    if (added != NULL) {
        added->posted = turn;
    }
}

void below_said(struct below *below, const char *channel, const char *message)
{
    const uint64_t id = number(message);
    for (struct board *at = *bucket_of(below, channel); at != NULL; at = at->next) {
        if (strcmp(at->channel, channel) == 0 && id > at->newest) {
            at->count++;
            at->newest = id;
        }
    }
}

void below_heard(struct below *below, const char *channel, const char *newest)
{
    const uint64_t id = number(newest);
    for (struct board *at = *bucket_of(below, channel); at != NULL; at = at->next) {
        at->unsure = at->unsure || (strcmp(at->channel, channel) == 0 && id > at->newest);
    }
}

// Of one that is not known it is not known what lies below it, nor when it was posted.
static struct board *known(struct below *below, const char *channel, const char *board)
{
    struct board *at = *find(below, channel, board);
    if (at == NULL) {
        at = add(below, channel, board);
        if (at != NULL) {
            at->unsure = true;
            at->posted = UINT32_MAX;
        }
    }
    return at;
}

bool below_is_far(struct below *below, const char *channel, const char *board, uint32_t turn)
{
    const struct board *const at = known(below, channel, board);
    return at != NULL && at->count >= BELOW_FAR && at->posted != turn;
}

bool below_asks(struct below *below, const char *channel, const char *board, uint32_t turn)
{
    struct board *const at = known(below, channel, board);
    if (at == NULL || !at->unsure || at->asked == turn || at->posted == turn) {
        return false;
    }
    at->asked = turn;
    at->unsure = false;
    return true;
}

void below_counted(struct below *below, const char *channel, const char *board, size_t count,
                   const char *newest)
{
    struct board *const at = *find(below, channel, board);
    if (at != NULL) {
        const uint64_t id = number(newest);
        at->count = count > at->count ? count : at->count;
        at->newest = id > at->newest ? id : at->newest;
    }
}
