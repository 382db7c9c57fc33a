#include "adapters/discord/crew.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "core/codec/memory.h"

#define PREFIX "crew/"
static const char GRANT[] = PREFIX "grant";
static const char LEAD[] = "crew-lead";

enum { WORD_SIZE = sizeof PREFIX + CREW_ID_SIZE, SETTLED_READINGS = 3, WANT_MS = 3000 };
enum { STALE_MS = 4000, USE_MS = 2000 }; // of a grant: how late it may be read, and be used
#define NOBODY INT64_C(-1)

struct member {
    char id[CREW_ID_SIZE];
    int64_t beat, want, used;
    int64_t shards;  // of its generation
    unsigned read;   // which reading had it last
    int64_t seen_ms; // when its word last changed, by our clock
};

/* Leave to identify, and to whom it was given. */
struct grant {
    char to[CREW_ID_SIZE];
    int64_t number, shard;
};

struct crew {
    struct chat *chat;
    unsigned waiting; // questions that are not answered yet
    char me[CREW_ID_SIZE];
    unsigned width, shards;
    int64_t now_ms, beat_ms; // when it beats next
    int64_t beats;
    int64_t read_ms, asked_ms; // when what was last read was asked for, and what is asked now
    unsigned readings;         // since it is not alone
    bool shared;
    /* what it wants itself */
    int64_t want, wanted_ms, used;
    int64_t granted, granted_until_ms;
    struct grant grant; // the newest, whosever
    /* leading */
    bool leads;
    bool open; // what was issued has not been used yet, as far as is known
    struct grant issued;
    int64_t issued_ms;
    int64_t used_ms[CREW_KEYS]; // when one of that key last identified; 0: not known
    struct member members[CREW_MAX];
    unsigned count;
};

static unsigned key_of(const struct crew *crew, int64_t shard)
{
    return (unsigned)((uint64_t)shard % crew->width % CREW_KEYS);
}

/* Words. */

static void on_kept(void *user, const struct chat_kept *items, size_t count)
{
    (void)items;
    (void)count;
    ((struct crew *)user)->waiting--;
}

static void keep(struct crew *crew, const char *word, json_t *object)
{
    char *const text = object != NULL ? json_dumps(object, JSON_COMPACT) : NULL;
    const struct chat_kept item = {
        .word = word, .at = text, .size = text != NULL ? strlen(text) : 0};
    if ((object == NULL || text != NULL) && // without an object the word is forgotten
        chat_keep(crew->chat, &item, on_kept, crew)) {
        crew->waiting++;
    }
    free(text);
    json_decref(object);
}

static void keep_own(struct crew *crew)
{
    char word[WORD_SIZE];
    (void)snprintf(word, sizeof word, "%s%s", PREFIX, crew->me);
    keep(crew, word,
         json_pack("{s:I, s:I, s:I, s:I}", "beat", (json_int_t)crew->beats, "of",
                   (json_int_t)crew->shards, "want", (json_int_t)crew->want, "used",
                   (json_int_t)crew->used));
}

static int64_t number(const json_t *object, const char *key)
{
    const json_t *const value = json_object_get(object, key);
    return json_is_integer(value) ? (int64_t)json_integer_value(value) : NOBODY;
}

/* Members. */

static struct member *member_of(struct crew *crew, const char *id)
{
    for (unsigned i = 0; i < crew->count; i++) {
        if (strcmp(crew->members[i].id, id) == 0) {
            return &crew->members[i];
        }
    }
    if (crew->count == CREW_MAX) {
        return NULL;
    }
    struct member *const member = &crew->members[crew->count++];
    *member = (struct member){.beat = NOBODY};
    (void)snprintf(member->id, sizeof member->id, "%s", id);
    return member;
}

static bool lives(const struct crew *crew, const struct member *member)
{
    return crew->now_ms - member->seen_ms < CREW_DEAD_MS;
}

static void take_member(struct crew *crew, const char *id, const json_t *object)
{
    struct member *const member = strlen(id) < CREW_ID_SIZE ? member_of(crew, id) : NULL;
    if (member == NULL) {
        return;
    }
    const int64_t beat = number(object, "beat");
    if (beat != member->beat) {
        member->beat = beat;
        member->seen_ms = crew->now_ms;
    }
    member->read = crew->readings;
    member->shards = number(object, "of");
    member->want = number(object, "want");
    member->used = number(object, "used");
}

// The words of the long dead are forgotten by who leads; with its word a member is.
static void bury(struct crew *crew)
{
    enum { LONG_DEAD_MS = 10 * CREW_DEAD_MS };
    for (unsigned i = crew->count; i > 0; i--) {
        const struct member *const member = &crew->members[i - 1];
        char word[WORD_SIZE];
        if (member->read != crew->readings) {
            crew->members[i - 1] = crew->members[--crew->count];
        } else if (crew->leads && crew->now_ms - member->seen_ms >= LONG_DEAD_MS) {
            (void)snprintf(word, sizeof word, "%s%s", PREFIX, member->id);
            keep(crew, word, NULL);
        }
    }
}

/* Leave to identify. */

static void take_grant(struct crew *crew, const json_t *object)
{
    const char *const to = json_string_value(json_object_get(object, "to"));
    const struct grant grant = {.number = number(object, "no"), .shard = number(object, "shard")};
    if (to == NULL || strlen(to) >= CREW_ID_SIZE || grant.number <= crew->grant.number) {
        return;
    }
    crew->grant = grant;
    (void)snprintf(crew->grant.to, sizeof crew->grant.to, "%s", to);
    if (strcmp(to, crew->me) != 0) {
        return;
    }
    crew->granted = NOBODY;
    if (grant.shard == crew->want && crew->now_ms - crew->read_ms <= STALE_MS) {
        crew->granted = grant.shard;
        crew->granted_until_ms = crew->now_ms + USE_MS;
    }
}

// It is used up when it has been used, or came too late for that.
static void use_up(struct crew *crew)
{
    if (crew->granted >= 0 && crew->now_ms > crew->granted_until_ms) {
        crew->granted = NOBODY;
    }
    if (crew->granted < 0 && strcmp(crew->grant.to, crew->me) == 0) {
        crew->used = crew->grant.number;
    }
}

static void note_use(struct crew *crew)
{
    bool used = false;
    for (unsigned i = 0; i < crew->count; i++) {
        const struct member *const member = &crew->members[i];
        used = used ||
               (strcmp(member->id, crew->issued.to) == 0 && member->used >= crew->issued.number);
    }
    if (used || crew->now_ms - crew->issued_ms >= CREW_GRANT_MS) {
        crew->open = false;
        crew->used_ms[key_of(crew, crew->issued.shard)] = crew->now_ms;
    }
}

// The least shard that somebody alive wants and whose key is free.
static const struct member *next_wish(const struct crew *crew)
{
    const struct member *next = NULL;
    for (unsigned i = 0; i < crew->count; i++) {
        const struct member *const member = &crew->members[i];
        if (member->want < 0 || !lives(crew, member)) {
            continue;
        }
        const bool free = crew->now_ms - crew->used_ms[key_of(crew, member->want)] >=
                          CREW_SPACE_MS + CREW_SLACK_MS;
        if (free && (next == NULL || member->want < next->want)) {
            next = member;
        }
    }
    return next;
}

static void lead(struct crew *crew)
{
    if (crew->open) {
        note_use(crew);
    }
    const struct member *const next = crew->open ? NULL : next_wish(crew);
    if (next == NULL) {
        return;
    }
    const int64_t last =
        crew->issued.number > crew->grant.number ? crew->issued.number : crew->grant.number;
    crew->issued = (struct grant){.number = last + 1, .shard = next->want};
    memcpy(crew->issued.to, next->id, sizeof next->id);
    keep(crew, GRANT,
         json_pack("{s:I, s:s, s:I}", "no", (json_int_t)crew->issued.number, "to", crew->issued.to,
                   "shard", (json_int_t)crew->issued.shard));
    crew->open = true;
    crew->issued_ms = crew->now_ms;
}

static void on_lead(void *user, const struct chat_kept *items, size_t count)
{
    struct crew *const crew = user;
    const bool leads = count > 0;
    (void)items;
    crew->waiting--;
    if (leads && !crew->leads) {
        // What the last one granted may just be used.
        crew->open = false;
        for (unsigned i = 0; i < CREW_KEYS; i++) {
            crew->used_ms[i] = crew->now_ms + USE_MS + STALE_MS;
        }
    }
    crew->leads = leads;
}

/* Beats. */

static void on_read(void *user, const struct chat_kept *items, size_t count)
{
    struct crew *const crew = user;
    const size_t prefix = sizeof PREFIX - 1;
    crew->waiting--;
    if (!crew->shared) {
        return;
    }
    crew->readings++;
    for (size_t i = 0; i < count; i++) {
        json_t *const object = json_loadb(items[i].at, items[i].size, 0, NULL);
        if (strcmp(items[i].word, GRANT) == 0) {
            take_grant(crew, object);
        } else if (strncmp(items[i].word, PREFIX, prefix) == 0) {
            take_member(crew, items[i].word + prefix, object);
        }
        json_decref(object);
    }
    crew->read_ms = crew->asked_ms;
    bury(crew);
    if (crew->leads) {
        lead(crew);
    }
}

static void beat(struct crew *crew)
{
    crew->beats++;
    use_up(crew);
    if (crew->want >= 0 && crew->now_ms - crew->wanted_ms > WANT_MS) {
        crew->want = NOBODY; // it has been lost, or resumed, meanwhile
    }
    keep_own(crew);
    crew->waiting += chat_hold(crew->chat, LEAD, on_lead, crew) ? 1 : 0;
    crew->asked_ms = crew->now_ms;
    crew->waiting += chat_read(crew->chat, PREFIX, on_read, crew) ? 1 : 0;
}

void crew_tick(struct crew *crew, int64_t now_ms)
{
    const bool shared = chat_shares(crew->chat);
    crew->now_ms = now_ms;
    if (shared != crew->shared) {
        crew->shared = shared;
        crew->readings = 0;
        crew->count = 0;
        crew->leads = false;
        crew->open = false;
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

bool crew_may_identify(struct crew *crew, unsigned shard, int64_t now_ms)
{
    int64_t *const used_ms = &crew->used_ms[key_of(crew, shard)];
    crew_tick(crew, now_ms); // since the last one somebody may have come
    if (!crew->shared) {
        if (*used_ms != 0 && now_ms - *used_ms < CREW_SPACE_MS) {
            return false;
        }
        *used_ms = now_ms;
        return true;
    }
    if (crew->granted == (int64_t)shard && now_ms <= crew->granted_until_ms) {
        crew->granted = NOBODY;
        crew->want = NOBODY;
        return true;
    }
    if (crew->want < 0 || (int64_t)shard <= crew->want) {
        crew->want = shard;
        crew->wanted_ms = now_ms;
    }
    return false;
}

void crew_identified(struct crew *crew, unsigned shard, int64_t now_ms)
{
    crew->used_ms[key_of(crew, shard)] = now_ms;
}

// Those alive, of one generation (0: of any).
static unsigned count_of(const struct crew *crew, unsigned shards)
{
    unsigned count = 0;
    if (!crew->shared) {
        return 1;
    }
    for (unsigned i = 0; i < crew->count; i++) {
        const struct member *const member = &crew->members[i];
        const bool counts = shards == 0 || member->shards == (int64_t)shards;
        count += counts && lives(crew, member) ? 1u : 0u;
    }
    return crew->readings >= SETTLED_READINGS ? count : 0;
}

unsigned crew_count(const struct crew *crew)
{
    return count_of(crew, 0);
}

unsigned crew_peers(const struct crew *crew)
{
    return count_of(crew, crew->shards);
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
    crew->want = NOBODY;
    crew->granted = NOBODY;
    (void)snprintf(crew->me, sizeof crew->me, "%016" PRIx64, me);
    return crew;
}

void crew_destroy(struct crew *crew)
{
    free(crew);
}
