#include "adapters/discord/gateway/crew.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

#define PREFIX "crew/"

enum { WORD_SIZE = sizeof PREFIX + CREW_ID_SIZE, SETTLED_READINGS = 3 };

struct member {
    char id[CREW_ID_SIZE];
    unsigned long beat, shards; // of its generation
    unsigned read;              // which reading had it last
    int64_t seen_ms;            // when its word last changed, by our clock
};

/* Leave to identify a shard of one key. */
struct leave {
    bool asked;
    int64_t asked_ms, until_ms; // -1: none
    int64_t used_ms;            // 0: not known
};

struct crew {
    struct chat *chat;
    unsigned waiting; // questions that are not answered yet
    char me[CREW_ID_SIZE];
    unsigned width, shards;
    int64_t now_ms, beat_ms; // when it beats next
    unsigned long beats;
    unsigned readings; // since it is not alone ...
    bool shared;
    int64_t shared_ms; // ... which is so since then
    struct leave leaves[CREW_KEYS];
    struct member members[CREW_MAX];
    unsigned count;
};

/* Members. */

static void on_kept(void *user, const struct chat_kept *items, size_t count)
{
    (void)items;
    (void)count;
    ((struct crew *)user)->waiting--;
}

// NULL: the word is forgotten.
static void keep_word(struct crew *crew, const char *id, const char *text)
{
    char word[WORD_SIZE];
    (void)snprintf(word, sizeof word, PREFIX "%s", id);
    const struct chat_kept item = {
        .word = word, .at = text, .size = text != NULL ? strlen(text) : 0};
    crew->waiting += chat_keep(crew->chat, &item, on_kept, crew) ? 1 : 0;
}

static struct member *member_of(struct crew *crew, const char *id)
{
    unsigned at = 0;
    while (at < crew->count && strcmp(crew->members[at].id, id) != 0) {
        at++;
    }
    if (at == CREW_MAX || strlen(id) >= CREW_ID_SIZE) {
        return NULL;
    }
    if (at == crew->count) {
        crew->members[crew->count++] = (struct member){.seen_ms = crew->now_ms};
        memcpy(crew->members[at].id, id, strlen(id) + 1);
    }
    return &crew->members[at];
}

static void take_member(struct crew *crew, const struct chat_kept *item)
{
    struct member *const member = member_of(crew, item->word + sizeof PREFIX - 1);
    char text[WORD_SIZE * 2];
    char *rest = text;
    (void)snprintf(text, sizeof text, "%.*s", (int)item->size, (const char *)item->at);
    const unsigned long beat = strtoul(rest, &rest, 10);
    if (member != NULL) {
        member->seen_ms = beat != member->beat ? crew->now_ms : member->seen_ms;
        member->beat = beat;
        member->shards = strtoul(rest, NULL, 10);
        member->read = crew->readings;
    }
}

// The words of the long dead are forgotten; a member goes with its word.
static void bury_members(struct crew *crew)
{
    enum { LONG_DEAD_MS = 10 * CREW_DEAD_MS };
    for (unsigned i = crew->count; i > 0; i--) {
        const struct member *const member = &crew->members[i - 1];
        if (member->read != crew->readings) {
            crew->members[i - 1] = crew->members[--crew->count];
        } else if (crew->now_ms - member->seen_ms >= LONG_DEAD_MS) {
            keep_word(crew, member->id, NULL);
        }
    }
}

static void on_read(void *user, const struct chat_kept *items, size_t count)
{
    struct crew *const crew = user;
    crew->waiting--;
    crew->readings++;
    for (size_t i = 0; i < count; i++) {
        take_member(crew, &items[i]);
    }
    bury_members(crew);
}

static void beat(struct crew *crew)
{
    char text[WORD_SIZE];
    (void)snprintf(text, sizeof text, "%lu %u", ++crew->beats, crew->shards);
    keep_word(crew, crew->me, text);
    crew->waiting += chat_read(crew->chat, PREFIX, on_read, crew) ? 1 : 0;
}

void crew_tick(struct crew *crew, int64_t now_ms)
{
    const bool shared = chat_shares(crew->chat);
    crew->now_ms = now_ms;
    if (shared != crew->shared) {
        crew->shared = shared;
        crew->shared_ms = now_ms;
        crew->readings = 0;
        crew->count = 0;
        crew->beat_ms = now_ms;
    }
    if (crew->beat_ms <= now_ms) {
        crew->beat_ms = now_ms + CREW_BEAT_MS;
        if (shared && crew->waiting == 0) {
            beat(crew);
        }
    }
}

int64_t crew_due_ms(const struct crew *crew)
{
    return crew->beat_ms;
}

// Those alive, of one generation (0: of any).
static unsigned count_members(const struct crew *crew, unsigned shards)
{
    unsigned count = 0;
    if (!crew->shared) {
        return 1;
    }
    for (unsigned i = 0; i < crew->count; i++) {
        const struct member *const member = &crew->members[i];
        const bool counts = shards == 0 || member->shards == shards;
        count += counts && crew->now_ms - member->seen_ms < CREW_DEAD_MS ? 1u : 0u;
    }
    return crew->readings >= SETTLED_READINGS ? count : 0;
}

unsigned crew_count(const struct crew *crew)
{
    return count_members(crew, 0);
}

unsigned crew_peers(const struct crew *crew)
{
    return count_members(crew, crew->shards);
}

/* Leave to identify. */

static struct leave *leave_of(struct crew *crew, unsigned shard)
{
    return &crew->leaves[shard % crew->width % CREW_KEYS];
}

static void on_leave(void *user, const struct chat_kept *items, size_t count)
{
    struct leave *const leave = user;
    (void)items;
    leave->asked = false;
    leave->until_ms = count > 0 ? leave->asked_ms + CREW_USE_MS : -1;
}

static void ask_leave(struct crew *crew, struct leave *leave)
{
    char word[WORD_SIZE];
    if (!leave->asked && crew->now_ms - crew->shared_ms >= CREW_SPACE_MS + CREW_SLACK_MS) {
        (void)snprintf(word, sizeof word, "identify/%u", (unsigned)(leave - crew->leaves));
        leave->asked_ms = crew->now_ms;
        leave->asked = chat_hold_for(crew->chat, word, CREW_HOLD_MS, on_leave, leave);
    }
}

bool crew_may_identify(struct crew *crew, unsigned shard, int64_t now_ms)
{
    struct leave *const leave = leave_of(crew, shard);
    crew_tick(crew, now_ms); // since the last one somebody may have come
    const bool may = crew->shared ? now_ms <= leave->until_ms
                                  : leave->used_ms == 0 || now_ms - leave->used_ms >= CREW_SPACE_MS;
    if (may) {
        leave->until_ms = -1;
        leave->used_ms = now_ms;
    } else if (crew->shared) {
        ask_leave(crew, leave);
    }
    return may;
}

void crew_identified(struct crew *crew, unsigned shard, int64_t now_ms)
{
    leave_of(crew, shard)->used_ms = now_ms;
}

/* Whole. */

void crew_set(struct crew *crew, unsigned shards, unsigned width)
{
    crew->shards = shards;
    crew->width = width > 0 ? width : 1;
}

struct crew *crew_create(struct chat *chat, uint64_t me)
{
    struct crew *const crew = mb_new(1, sizeof *crew);
    crew->chat = chat;
    crew->width = 1;
    (void)snprintf(crew->me, sizeof crew->me, "%016" PRIx64, me);
    for (unsigned i = 0; i < CREW_KEYS; i++) {
        crew->leaves[i] = (struct leave){.until_ms = -1};
    }
    return crew;
}

void crew_destroy(struct crew *crew)
{
    free(crew);
}
