#include "adapters/discord/gateway/guilds.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "core/codec/memory.h"

#include "bot/errand.h"

#include "adapters/discord/gateway/shards.h"
#include "adapters/discord/wire/frame.h"
#include "adapters/discord/wire/interaction.h"

enum { SHARD_BITS = 22, ID_SIZE = 24, LEAST = 64, GUILDS_MAX = 1 << 20, WORD_SIZE = 48 };
static const char BEGINS[] = "guilds/";

struct guild {
    uint64_t id;
    bool away;  // in an outage of its own
    bool named; // by the READY that is being read
    bool kept;  // by an earlier process
};

/* What is being kept of a shard: its whole list each time, so one at a time. */
struct writing {
    struct guilds *guilds;
    bool under_way;
    bool again; // the list has changed meanwhile
};

struct guilds {
    struct chat_queue *queue;
    struct fibres *fibres;
    struct chat *chat;  // or NULL
    struct guild *list; // by id
    size_t count, room;
    unsigned shards;           // as the latest READY has it, or 0
    uint8_t ready[SHARDS_MAX]; // shards whose READY has come
    bool asked;                // for what an earlier process has kept ...
    bool recalls;              // ... and that is in the list
    struct writing writing[SHARDS_MAX];
    bool begun; // every shard of this process has been connected
};

// Too much news at once is lost.
static void push(struct guilds *guilds, const struct chat_in *in)
{
    (void)chat_queue_push(guilds->queue, in);
}

/* The list. */

static size_t place_of(const struct guilds *guilds, uint64_t id)
{
    size_t low = 0;
    size_t high = guilds->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (guilds->list[middle].id < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static struct guild *find(const struct guilds *guilds, uint64_t id)
{
    const size_t at = place_of(guilds, id);
    return at < guilds->count && guilds->list[at].id == id ? &guilds->list[at] : NULL;
}

// NULL: there are as many as can be.
static struct guild *add(struct guilds *guilds, uint64_t id)
{
    if (guilds->count == guilds->room && guilds->room < GUILDS_MAX) {
        guilds->room = guilds->room == 0 ? LEAST : guilds->room * 2;
        guilds->list = mb_grow(guilds->list, guilds->room, sizeof *guilds->list);
    }
    if (guilds->count == guilds->room) {
        return NULL;
    }
    struct guild *const at = &guilds->list[place_of(guilds, id)];
    memmove(at + 1, at, (size_t)(guilds->list + guilds->count - at) * sizeof *at);
    *at = (struct guild){.id = id};
    guilds->count++;
    return at;
}

static void drop(struct guilds *guilds, struct guild *guild)
{
    const size_t behind = (size_t)(guilds->list + guilds->count - guild) - 1;
    memmove(guild, guild + 1, behind * sizeof *guild);
    guilds->count--;
}

/* What is kept: the servers of each shard. Where there are other shards by now the words of old
 * ones name servers that may be gone for long; that is told once more, and does no harm. */

static bool is_of(const struct guild *guild, unsigned shard, unsigned shards)
{
    return (guild->id >> SHARD_BITS) % shards == shard;
}

// However fast servers come, the list is made anew only when it was written.
static void write_list(struct fibre *fibre, void *user)
{
    struct writing *const writing = user;
    struct guilds *const guilds = writing->guilds;
    const unsigned shard = (unsigned)(writing - guilds->writing);
    bool goes_on = true;
    while (goes_on && writing->again) {
        char *const text = mb_new(guilds->count + 1, ID_SIZE);
        char word[WORD_SIZE];
        size_t used = 0;
        for (size_t i = 0; i < guilds->count; i++) {
            if (is_of(&guilds->list[i], shard, guilds->shards)) {
                used += (size_t)snprintf(text + used, ID_SIZE, "%" PRIu64 " ", guilds->list[i].id);
            }
        }
        (void)snprintf(word, sizeof word, "%s%u/%u", BEGINS, shard, guilds->shards);
        const struct chat_kept item = {.word = word, .at = text, .size = used + 1};
        writing->again = false;
        goes_on = chat_keep_await(fibre, guilds->chat, &item);
        free(text);
    }
    writing->under_way = false;
}

static void keep(struct guilds *guilds, unsigned shard)
{
    struct writing *const writing = &guilds->writing[shard];
    writing->again = true;
    if (guilds->chat != NULL && !writing->under_way) {
        writing->guilds = guilds;
        writing->under_way = true;
        fibres_start(guilds->fibres, write_list, writing);
    }
}

static void keep_shard_of(struct guilds *guilds, uint64_t id)
{
    if (guilds->shards > 0) {
        keep(guilds, (unsigned)((id >> SHARD_BITS) % guilds->shards));
    }
}

static void push_guild(struct guilds *guilds, enum chat_in_kind kind, uint64_t id)
{
    char word[ID_SIZE];
    (void)snprintf(word, sizeof word, "%" PRIu64, id);
    push(guilds, &(struct chat_in){.kind = kind, .community = word, .communities = word});
}

// One that an earlier process has kept.
static void recall(struct guilds *guilds, uint64_t id)
{
    struct guild *guild = find(guilds, id);
    const bool told = guilds->shards > 0 && guilds->ready[(id >> SHARD_BITS) % guilds->shards] != 0;
    if (guild == NULL && told) { // its READY has come, and names it no more
        push_guild(guilds, CHAT_IN_COMMUNITY_GONE, id);
        return;
    }
    guild = guild != NULL ? guild : add(guilds, id);
    if (guild != NULL) {
        guild->kept = true;
    }
}

static void read_lists(struct fibre *fibre, void *user)
{
    struct guilds *const guilds = user;
    struct kept_items kept;
    if (!chat_read_await(fibre, guilds->chat, BEGINS, &kept)) {
        return;
    }
    guilds->recalls = kept.count > 0;
    for (size_t i = 0; i < kept.count; i++) {
        const char *at = kept.items[i].at;
        char *end = NULL;
        const bool whole = kept.items[i].size > 0 && at[kept.items[i].size - 1] == '\0';
        for (uint64_t id = whole ? strtoull(at, &end, 10) : 0; id != 0;
             id = strtoull(at, &end, 10)) {
            recall(guilds, id);
            at = end;
        }
    }
    for (size_t i = 0; guilds->recalls && i < guilds->count; i++) {
        if (!guilds->list[i].kept) {
            push_guild(guilds, CHAT_IN_COMMUNITY_BACK, guilds->list[i].id);
        }
    }
}

// Once, before anything is kept.
static void ask_kept(struct guilds *guilds)
{
    if (guilds->chat != NULL && !guilds->asked) {
        guilds->asked = true;
        fibres_start(guilds->fibres, read_lists, guilds);
    }
}

/* Shards. */

// The servers of a shard that are in no outage of their own, as many at once as news can name.
static void push_servers(struct guilds *guilds, enum chat_in_kind kind, unsigned shard,
                         unsigned shards)
{
    char *const words = mb_new(1, CHAT_COMMUNITIES_SIZE);
    const struct chat_in in = {.kind = kind, .communities = words};
    size_t used = 0;
    for (size_t i = 0; i < guilds->count; i++) {
        const struct guild *const guild = &guilds->list[i];
        if (guild->away || !is_of(guild, shard, shards)) {
            continue;
        }
        used += (size_t)snprintf(words + used, ID_SIZE, "%" PRIu64 " ", guild->id);
        if (used + ID_SIZE > CHAT_COMMUNITIES_SIZE) {
            push(guilds, &in);
            used = 0;
        }
    }
    if (used > 0) { // no word at all would be all of Discord
        push(guilds, &in);
    }
    free(words);
}

void guilds_linked(struct guilds *guilds, const struct shard_link *link)
{
    const bool first = !guilds->begun && link->linked && link->live >= link->own;
    const bool back = first || (guilds->begun && link->linked && link->live == 1);
    if (guilds->begun && !link->handed_on) {
        push_servers(guilds, link->linked ? CHAT_IN_BACK : CHAT_IN_AWAY, link->shard, link->shards);
    }
    for (unsigned i = 0; first && i < link->shards; i++) { // what an earlier process has told
        push_servers(guilds, CHAT_IN_BACK, i, link->shards);
    }
    guilds->begun = guilds->begun || first;
    if (back || (guilds->begun && link->live == 0)) {
        push(guilds, &(struct chat_in){.kind = back ? CHAT_IN_BACK : CHAT_IN_AWAY});
    }
}

/* Events. */

static bool read_id(const json_t *object, const char *key, uint64_t *out)
{
    const char *const text = json_string_value(json_object_get(object, key));
    const bool good = text != NULL && discord_is_id(text);
    *out = good ? strtoull(text, NULL, 10) : 0;
    return good;
}

// What this list does not name any more has put us out while nobody listened.
static void drop_others(struct guilds *guilds, const json_t *data)
{
    const json_t *const shard = json_object_get(data, "shard");
    const json_int_t at = json_integer_value(json_array_get(shard, 0));
    const json_int_t of = json_integer_value(json_array_get(shard, 1));
    if (at < 0 || at >= of || of > SHARDS_MAX) {
        return;
    }
    for (size_t i = guilds->count; i-- > 0;) {
        struct guild *const guild = &guilds->list[i];
        if (is_of(guild, (unsigned)at, (unsigned)of) && !guild->named) {
            push_guild(guilds, CHAT_IN_COMMUNITY_GONE, guild->id);
            drop(guilds, guild);
        }
    }
    guilds->shards = (unsigned)of;
    guilds->ready[at] = 1;
    keep(guilds, (unsigned)at);
}

static void ready(struct guilds *guilds, const json_t *data)
{
    const json_t *const named = json_object_get(data, "guilds");
    ask_kept(guilds);
    for (size_t i = 0; i < guilds->count; i++) {
        guilds->list[i].named = false;
    }
    for (size_t i = 0; i < json_array_size(named); i++) {
        uint64_t id = 0;
        struct guild *guild = NULL;
        if (read_id(json_array_get(named, i), "id", &id)) {
            guild = find(guilds, id);
            const bool known = guild != NULL;
            guild = known ? guild : add(guilds, id);
            if (!known &&
                guilds->recalls) { // taken in again while nobody listened, or for the first time
                push_guild(guilds, CHAT_IN_COMMUNITY_BACK, id);
            }
        }
        if (guild != NULL) {
            guild->named = true;
            guild->away = false;
        }
    }
    drop_others(guilds, data);
}

/* What counts of a server that is told of: the rest is lists, maybe megabytes of them. */
struct told {
    uint64_t id;
    bool away;
};

static bool is_member(const char *key, size_t size, const char *wanted)
{
    return size == strlen(wanted) && memcmp(key, wanted, size) == 0;
}

static bool read_member(void *user, const char *key, size_t key_size, const char *value,
                        size_t size)
{
    struct told *const told = user;
    char id[ID_SIZE];
    if (is_member(key, key_size, "id") && size > 2 && size - 2 < sizeof id && value[0] == '"') {
        memcpy(id, value + 1, size - 2);
        id[size - 2] = '\0';
        told->id = discord_is_id(id) ? strtoull(id, NULL, 10) : 0;
    } else if (is_member(key, key_size, "unavailable")) {
        told->away = is_member(value, size, "true");
    }
    return true;
}

static void created(struct guilds *guilds, const char *data, size_t size)
{
    struct told told = {.id = 0};
    if (!frame_members(data, size, read_member, &told) || told.id == 0) {
        return;
    }
    const uint64_t id = told.id;
    const bool away = told.away;
    struct guild *guild = find(guilds, id);
    const bool known = guild != NULL;
    guild = known ? guild : add(guilds, id);
    if (guild == NULL || (known && guild->away == away)) {
        return;
    }
    guild->away = away;
    if (!known) {
        push_guild(guilds, CHAT_IN_COMMUNITY_BACK, id);
        keep_shard_of(guilds, id);
    }
    if (known || away) {
        push_guild(guilds, away ? CHAT_IN_AWAY : CHAT_IN_BACK, id);
    }
}

static void deleted(struct guilds *guilds, const json_t *data)
{
    uint64_t id = 0;
    struct guild *const guild = read_id(data, "id", &id) ? find(guilds, id) : NULL;
    const bool away = json_object_get(data, "unavailable") != NULL;
    if (id == 0 || (away && (guild == NULL || guild->away))) {
        return;
    }
    if (away) {
        guild->away = true;
    } else if (guild != NULL) {
        drop(guilds, guild);
        keep_shard_of(guilds, id);
    }
    push_guild(guilds, away ? CHAT_IN_AWAY : CHAT_IN_COMMUNITY_GONE, id);
}

static void push_place(struct guilds *guilds, enum chat_in_kind kind, const json_t *data)
{
    const char *const place = json_string_value(json_object_get(data, "id"));
    const char *const guild = json_string_value(json_object_get(data, "guild_id"));
    if (place != NULL && discord_is_id(place) && (guild == NULL || discord_is_id(guild))) {
        push(guilds, &(struct chat_in){.kind = kind, .place = place, .community = guild});
    }
}

// A moderator has locked a thread, or not. One that is only archived can be opened by us.
static void thread_changed(struct guilds *guilds, const json_t *data)
{
    const json_t *const state = json_object_get(data, "thread_metadata");
    const bool locked = json_is_true(json_object_get(state, "locked"));
    const bool archived = json_is_true(json_object_get(state, "archived"));
    push_place(guilds, locked ? CHAT_IN_PLACE_CLOSED : CHAT_IN_PLACE_OPEN, data);
    if (archived && !locked) {
        push_place(guilds, CHAT_IN_PLACE_ASLEEP, data);
    }
}

static void place_gone(struct guilds *guilds, const json_t *data)
{
    push_place(guilds, CHAT_IN_PLACE_GONE, data);
}

void guilds_heard(struct guilds *guilds, const char *event, const char *data, size_t size)
{
    static const struct {
        const char *name;
        void (*heard)(struct guilds *guilds, const json_t *data);
    } EVENTS[] = {{"READY", ready},
                  {"GUILD_DELETE", deleted},
                  {"CHANNEL_DELETE", place_gone},
                  {"THREAD_DELETE", place_gone},
                  {"THREAD_UPDATE", thread_changed}};
    if (strcmp(event, "GUILD_CREATE") == 0) {
        created(guilds, data, size);
    }
    for (size_t i = 0; i < sizeof EVENTS / sizeof EVENTS[0]; i++) {
        json_t *const root =
            strcmp(EVENTS[i].name, event) == 0 ? json_loadb(data, size, 0, NULL) : NULL;
        if (root != NULL) {
            EVENTS[i].heard(guilds, root);
        }
        json_decref(root);
    }
}

bool guilds_lacks(const struct guilds *guilds, const char *guild)
{
    const uint64_t id = strtoull(guild, NULL, 10);
    return guilds->shards > 0 && guilds->ready[(id >> SHARD_BITS) % guilds->shards] != 0 &&
           find(guilds, id) == NULL;
}

/* Whole. */

struct guilds *guilds_create(struct fibres *fibres, struct chat_queue *queue, struct chat *chat)
{
    struct guilds *const guilds = mb_new(1, sizeof *guilds);
    guilds->fibres = fibres;
    guilds->queue = queue;
    guilds->chat = chat;
    return guilds;
}

void guilds_destroy(struct guilds *guilds)
{
    if (guilds != NULL) {
        free(guilds->list);
        free(guilds);
    }
}
