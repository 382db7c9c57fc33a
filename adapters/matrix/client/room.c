#include "adapters/matrix/client/room.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "core/codec/memory.h"

#include "bot/hall/live/keyed_map.h"

enum { POWER_MODERATOR = 50, POWER_CREATOR = 100, VERSION_CREATORS_STAND_ABOVE = 12 };

struct room {
    char id[CHAT_ID_SIZE], creator[CHAT_ID_SIZE];
    char hand_of[CHAT_ID_SIZE], replacement[CHAT_ID_SIZE], predecessor[CHAT_ID_SIZE];
    char of[CHAT_ID_SIZE], by[CHAT_ID_SIZE]; // of a table room that was asked for
    char title[CHAT_NAME_SIZE];
    struct room_member *members;
    size_t count, capacity;
    struct keyed_map places; // by id: where in `members`
    json_t *power;           // the content, or NULL
    json_t *creators;        // others than the first, or NULL
    int64_t version, made_ms, used_ms;
    bool encrypted, distrusted;
    bool crowded;    // by more than what is sealed is shared with
    bool known, odd; // how it is sealed is known; it was to be sealed in another way, too
    int64_t rotation_ms, rotation_messages;
    char visibility[16];
    bool hides;   // history: from the invitation on, or later
    bool invited; // only who is invited can join
    bool closed;  // to guests
};

struct room *room_create(const char *id)
{
    struct room *const room = mb_new(1, sizeof *room);
    uint8_t secret[KEYED_SECRET_SIZE];
    randombytes_buf(secret, sizeof secret);
    keyed_map_init(&room->places, secret);
    (void)snprintf(room->id, sizeof room->id, "%s", id);
    room->version = 1;
    return room;
}

void room_destroy(struct room *room)
{
    for (size_t i = 0; room != NULL && i < room->count; i++) {
        free(room->members[i].id);
        free(room->members[i].name);
    }
    if (room != NULL) {
        json_decref(room->power);
        json_decref(room->creators);
        free(room->members);
        keyed_map_finish(&room->places);
    }
    free(room);
}

const char *room_id(const struct room *room)
{
    return room->id;
}

/* Members. */

static struct room_member *member_of(const struct room *room, const char *person)
{
    const uint32_t place = keyed_map_get(&room->places, person);
    return place != KEYED_NONE ? &room->members[place] : NULL;
}

static struct room_member *add_member(struct room *room, const char *person)
{
    room->members = mb_grow_for(room->members, room->count, &room->capacity, sizeof *room->members);
    keyed_map_put(&room->places, person, (uint32_t)room->count);
    room->members[room->count] = (struct room_member){.id = mb_text(person), .name = mb_text("")};
    return &room->members[room->count++];
}

static enum room_membership membership_in(const json_t *content)
{
    const char *const word = wire_word(content, "membership");
    if (word == NULL) {
        return ROOM_AWAY;
    }
    return strcmp(word, "join") == 0     ? ROOM_JOINED
           : strcmp(word, "invite") == 0 ? ROOM_INVITED
           : strcmp(word, "ban") == 0    ? ROOM_BANNED
                                         : ROOM_AWAY;
}

static bool is_here(const struct room_member *member)
{
    return member->membership == ROOM_JOINED || member->membership == ROOM_INVITED;
}

static void apply_member(struct room *room, const struct wire_event *event)
{
    const char *const name = wire_word(event->content, "displayname");
    if (event->state_key[0] == '\0' || strlen(event->state_key) >= CHAT_ID_SIZE) {
        return;
    }
    struct room_member *member = member_of(room, event->state_key);
    member = member != NULL ? member : add_member(room, event->state_key);
    member->membership = membership_in(event->content);
    room->crowded = room->crowded && is_here(member);
    free(member->name);
    member->name = mb_text(name != NULL ? name : "");
}

enum room_membership room_membership(const struct room *room, const char *person)
{
    const struct room_member *const member = member_of(room, person);
    return member != NULL ? member->membership : ROOM_AWAY;
}

bool room_knows(const struct room *room, const char *person)
{
    return member_of(room, person) != NULL;
}

bool room_would_change(const struct room *room, const struct wire_event *event)
{
    return strcmp(event->type, "m.room.member") == 0 &&
           membership_in(event->content) != room_membership(room, event->state_key);
}

void room_name_of(const struct room *room, const char *person, char *out, size_t size)
{
    const struct room_member *const member = member_of(room, person);
    if (member == NULL || member->name[0] == '\0') {
        (void)snprintf(out, size, "%s", person);
        return;
    }
    for (size_t i = 0; i < room->count; i++) {
        const struct room_member *const other = &room->members[i];
        if (other != member && is_here(other) && strcmp(other->name, member->name) == 0) {
            (void)snprintf(out, size, "%s (%s)", member->name, person);
            return;
        }
    }
    (void)snprintf(out, size, "%s", member->name);
}

size_t room_count(const struct room *room, enum room_membership membership)
{
    size_t count = 0;
    for (size_t i = 0; i < room->count; i++) {
        count += room->members[i].membership == membership ? 1 : 0;
    }
    return count;
}

/* What it is. */

static void take_id(char out[CHAT_ID_SIZE], const json_t *content, const char *key)
{
    const char *const id = wire_id(content, key);
    (void)snprintf(out, CHAT_ID_SIZE, "%s", id != NULL ? id : "");
}

static void apply_create(struct room *room, const struct wire_event *event)
{
    const json_t *const creators = json_object_get(event->content, "additional_creators");
    (void)snprintf(room->creator, sizeof room->creator, "%s", event->sender);
    take_id(room->hand_of, event->content, ROOM_HAND_OF);
    take_id(room->predecessor, json_object_get(event->content, "predecessor"), "room_id");
    take_id(room->of, event->content, ROOM_OF);
    take_id(room->by, event->content, ROOM_BY);
    room->made_ms = event->sent_ms;
    room->version = wire_number(event->content, "room_version", 1);
    json_decref(room->creators);
    room->creators = json_is_array(creators) ? json_deep_copy(creators) : NULL;
}

static bool has_word(const json_t *content, const char *key, const char *value)
{
    const char *const word = wire_word(content, key);
    return word != NULL && strcmp(word, value) == 0;
}

// An event that weakens it is as good as none: a key never changes less often than was said once.
static void apply_encryption(struct room *room, const json_t *content)
{
    static const int64_t USUAL_MS = 604800000;
    enum { USUAL_MESSAGES = 100 };
    const int64_t said_ms = wire_number(content, "rotation_period_ms", USUAL_MS);
    const int64_t said = wire_number(content, "rotation_period_msgs", USUAL_MESSAGES);
    const int64_t ms = said_ms > 0 ? said_ms : USUAL_MS;
    const int64_t messages = said > 0 ? said : (int64_t)USUAL_MESSAGES;
    const bool good = has_word(content, "algorithm", "m.megolm.v1.aes-sha2");
    room->encrypted = true;
    room->odd = room->odd || !good;
    if (!room->known || ms < room->rotation_ms) {
        room->rotation_ms = ms;
    }
    if (!room->known || messages < room->rotation_messages) {
        room->rotation_messages = messages;
    }
    room->known = true;
}

static void apply_own(struct room *room, const struct wire_event *event)
{
    const char *const type = event->type;
    const json_t *const content = event->content;
    if (strcmp(type, "m.room.create") == 0) {
        apply_create(room, event);
    } else if (strcmp(type, "m.room.encryption") == 0) {
        apply_encryption(room, content);
    } else if (strcmp(type, "m.room.name") == 0) {
        const char *const name = wire_word(content, "name");
        (void)snprintf(room->title, sizeof room->title, "%s", name != NULL ? name : "");
    } else if (strcmp(type, "m.room.tombstone") == 0) {
        take_id(room->replacement, content, "replacement_room");
    } else if (strcmp(type, "m.room.history_visibility") == 0) {
        const char *const word = wire_word(content, "history_visibility");
        (void)snprintf(room->visibility, sizeof room->visibility, "%s", word != NULL ? word : "");
        room->hides = has_word(content, "history_visibility", "invited") ||
                      has_word(content, "history_visibility", "joined");
    } else if (strcmp(type, "m.room.join_rules") == 0) {
        room->invited = has_word(content, "join_rule", "invite");
    } else if (strcmp(type, "m.room.guest_access") == 0) {
        room->closed = has_word(content, "guest_access", "forbidden");
    } else if (strcmp(type, "m.room.power_levels") == 0) {
        json_decref(room->power);
        room->power = json_deep_copy(content);
    }
}

void room_apply(struct room *room, const struct wire_event *event)
{
    if (event->state_key == NULL) {
        return;
    }
    if (strcmp(event->type, "m.room.member") == 0) {
        apply_member(room, event);
    } else if (event->state_key[0] == '\0') {
        apply_own(room, event);
    }
}

const char *room_title(const struct room *room)
{
    return room->title;
}

bool room_is_encrypted(const struct room *room)
{
    return room->encrypted;
}

bool room_says_sealing(const struct room *room)
{
    return room->known;
}

// In the one way that is known, and always was.
static bool is_sealed_well(const struct room *room)
{
    return room->encrypted && room->known && !room->odd;
}

bool room_sealing(const struct room *room, int64_t *rotation_ms, int64_t *rotation_messages)
{
    *rotation_ms = room->rotation_ms;
    *rotation_messages = room->rotation_messages;
    return is_sealed_well(room) && !room->distrusted && !room->crowded;
}

json_t *room_encryption(void)
{
    enum { MESSAGES = 1000 }; // an evening's, most of which are edits
    return json_pack("{s:s, s:s, s:{s:s, s:i}}", "type", "m.room.encryption", "state_key", "",
                     "content", "algorithm", "m.megolm.v1.aes-sha2", "rotation_period_msgs",
                     (int)MESSAGES);
}

const char *room_visibility(const struct room *room)
{
    static const char *const WORDS[] = {"joined", "invited", "shared", "world_readable"};
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++) {
        if (strcmp(room->visibility, WORDS[i]) == 0) {
            return WORDS[i];
        }
    }
    return "shared"; // what a server does where nothing is said
}

json_t *room_readers(const struct room *room, const json_t *members, const char *bot)
{
    const bool invited = strcmp(room_visibility(room), "joined") != 0;
    json_t *const readers = json_array();
    bool good = json_is_array(json_object_get(members, "chunk"));
    size_t i = 0;
    const json_t *json = NULL;
    json_array_foreach(json_object_get(members, "chunk"), i, json)
    {
        struct wire_event event;
        if (!wire_read(json, &event) || event.state_key == NULL) {
            good = false; // whoever that is
            break;
        }
        const enum room_membership membership = membership_in(event.content);
        if ((membership == ROOM_JOINED || (invited && membership == ROOM_INVITED)) &&
            strcmp(event.state_key, bot) != 0) {
            (void)json_array_append_new(readers, json_string(event.state_key));
        }
    }
    if (!good) {
        json_decref(readers);
    }
    return good ? readers : NULL;
}

const char *room_of(const struct room *room, const char *bot)
{
    return room->of[0] != '\0' && strcmp(room->creator, bot) == 0 ? room->of : NULL;
}

const char *room_by(const struct room *room, const char *bot)
{
    return room_of(room, bot) != NULL ? room->by : NULL;
}

int64_t room_made_ms(const struct room *room)
{
    return room->made_ms;
}

void room_seal(struct room *room)
{
    room->encrypted = true;
}

int64_t room_used_ms(const struct room *room)
{
    return room->used_ms;
}

void room_use(struct room *room, int64_t now_ms)
{
    room->used_ms = now_ms;
}

const char *room_replacement(const struct room *room)
{
    return room->replacement;
}

const char *room_predecessor(const struct room *room)
{
    return room->predecessor;
}

/* Power. */

static bool is_creator(const struct room *room, const char *person)
{
    if (strcmp(room->creator, person) == 0) {
        return true;
    }
    for (size_t i = 0; i < json_array_size(room->creators); i++) {
        const char *const id = json_string_value(json_array_get(room->creators, i));
        if (id != NULL && strcmp(id, person) == 0) {
            return true;
        }
    }
    return false;
}

static int64_t power_of(const struct room *room, const char *person)
{
    if (room->power == NULL) {
        return is_creator(room, person) ? POWER_CREATOR : 0;
    }
    return wire_number(json_object_get(room->power, "users"), person,
                       wire_number(room->power, "users_default", 0));
}

bool room_permits(const struct room *room, const char *person, int64_t power)
{
    return (room->version >= VERSION_CREATORS_STAND_ABOVE && is_creator(room, person)) ||
           power_of(room, person) >= power;
}

bool room_may_write(const struct room *room, const char *person)
{
    return room_permits(room, person,
                        wire_number(json_object_get(room->power, "events"), "m.room.message",
                                    wire_number(room->power, "events_default", 0)));
}

/* Hands. */

const char *room_hand_of(const struct room *room, const char *bot)
{
    return room->hand_of[0] != '\0' && strcmp(room->creator, bot) == 0 ? room->hand_of : NULL;
}

static int64_t level_of(const struct room *room, const char *type)
{
    return wire_number(json_object_get(room->power, "events"), type,
                       wire_number(room->power, "state_default", POWER_MODERATOR));
}

// Neither lets anybody in nor can change what does: who could would need power that they lack.
static bool is_harmless(const struct room *room, const char *player)
{
    static const char *const LOCKS[] = {"m.room.power_levels",       "m.room.join_rules",
                                        "m.room.history_visibility", "m.room.guest_access",
                                        "m.room.encryption",         "m.room.tombstone",
                                        "m.room.third_party_invite", "m.room.server_acl"};
    for (size_t i = 0; i < sizeof LOCKS / sizeof *LOCKS; i++) {
        if (room_permits(room, player, level_of(room, LOCKS[i]))) {
            return false;
        }
    }
    return !room_permits(room, player, wire_number(room->power, "invite", 0));
}

// All but whether its player is in it.
static bool keeps_secret(const struct room *room, const char *bot, const char *player)
{
    const char *const hand_of = room_hand_of(room, bot);
    if (hand_of == NULL || strcmp(hand_of, player) != 0 || json_array_size(room->creators) > 0 ||
        room->distrusted || (room->encrypted && !is_sealed_well(room)) ||
        room->replacement[0] != '\0' || !room->hides || !room->invited || !room->closed ||
        room->power == NULL || !is_harmless(room, player)) {
        return false;
    }
    for (size_t i = 0; i < room->count; i++) {
        const struct room_member *const member = &room->members[i];
        if (is_here(member) && strcmp(member->id, bot) != 0 && strcmp(member->id, player) != 0) {
            return false;
        }
    }
    return room_membership(room, bot) == ROOM_JOINED;
}

bool room_is_between(const json_t *members, const char *bot, const char *player)
{
    bool here[2] = {false, false};
    size_t i = 0;
    const json_t *json = NULL;
    json_array_foreach(json_object_get(members, "chunk"), i, json)
    {
        struct wire_event event;
        if (!wire_read(json, &event) || event.state_key == NULL) {
            return false; // whoever that is
        }
        const enum room_membership membership = membership_in(event.content);
        if (membership != ROOM_JOINED && membership != ROOM_INVITED) {
            continue;
        }
        const bool is_bot = strcmp(event.state_key, bot) == 0;
        if (!is_bot && strcmp(event.state_key, player) != 0) {
            return false;
        }
        here[is_bot ? 0 : 1] = !is_bot || membership == ROOM_JOINED;
    }
    return here[0] && here[1];
}

void room_distrust(struct room *room)
{
    room->distrusted = true;
}

void room_crowd(struct room *room)
{
    room->crowded = true;
}

static bool has_member(const struct room *room, const char *player)
{
    const struct room_member *const member = member_of(room, player);
    return member != NULL && is_here(member);
}

bool room_is_hand(const struct room *room, const char *bot, const char *player)
{
    return keeps_secret(room, bot, player) && has_member(room, player);
}

// A hand room, if they were in it: they have gone, or never came.
static bool room_was_hand(const struct room *room, const char *bot, const char *player)
{
    return keeps_secret(room, bot, player) && !has_member(room, player);
}

enum { BUCKETS = 1024 };

struct entry {
    struct entry *next;
    struct room *room;
};

struct rooms {
    const char *bot;
    struct entry *entries[BUCKETS];
};

struct rooms *rooms_create(const char *bot)
{
    struct rooms *const rooms = mb_new(1, sizeof *rooms);
    rooms->bot = bot;
    return rooms;
}

static size_t bucket_of(const char *id)
{
    size_t hash = 5381;
    for (const char *at = id; *at != '\0'; at++) {
        hash = hash * 33 + (unsigned char)*at;
    }
    return hash % BUCKETS;
}

static struct entry **find_entry(struct rooms *rooms, const char *id)
{
    struct entry **at = &rooms->entries[bucket_of(id)];
    while (*at != NULL && strcmp(room_id((*at)->room), id) != 0) {
        at = &(*at)->next;
    }
    return at;
}

struct room *rooms_find(const struct rooms *rooms, const char *id)
{
    const struct entry *at = rooms->entries[bucket_of(id)];
    while (at != NULL && strcmp(room_id(at->room), id) != 0) {
        at = at->next;
    }
    return at != NULL ? at->room : NULL;
}

struct room *rooms_get(struct rooms *rooms, const char *id)
{
    struct entry **const at = find_entry(rooms, id);
    if (*at != NULL) {
        return (*at)->room;
    }
    struct entry *const entry = mb_new(1, sizeof *entry);
    entry->room = room_create(id);
    *at = entry;
    return entry->room;
}

void rooms_forget(struct rooms *rooms, const char *id)
{
    struct entry **const at = find_entry(rooms, id);
    struct entry *const entry = *at;
    if (entry != NULL) {
        *at = entry->next;
        room_destroy(entry->room);
        free(entry);
    }
}

struct room *rooms_next(const struct rooms *rooms, const struct room *before)
{
    size_t bucket = before != NULL ? bucket_of(room_id(before)) : 0;
    const struct entry *at = rooms->entries[bucket];
    while (before != NULL && at->room != before) {
        at = at->next;
    }
    at = before != NULL ? at->next : at;
    while (at == NULL && ++bucket < BUCKETS) {
        at = rooms->entries[bucket];
    }
    return at != NULL ? at->room : NULL;
}

void rooms_destroy(struct rooms *rooms)
{
    for (size_t i = 0; rooms != NULL && i < BUCKETS; i++) {
        while (rooms->entries[i] != NULL) {
            rooms_forget(rooms, room_id(rooms->entries[i]->room));
        }
    }
    free(rooms);
}

typedef bool is_fn(const struct room *room, const char *bot, const char *player);

static struct room *search_rooms(const struct rooms *rooms, const char *person,
                                 const struct rooms_wanted *wanted, is_fn *is)
{
    struct room *at = rooms_next(rooms, NULL);
    while (at != NULL && (!is(at, rooms->bot, person) ||
                          (wanted != NULL && !wanted->fits(wanted->user, at, person)))) {
        at = rooms_next(rooms, at);
    }
    return at;
}

struct room *rooms_hand(const struct rooms *rooms, const char *person,
                        const struct rooms_wanted *wanted)
{
    return search_rooms(rooms, person, wanted, room_is_hand);
}

struct room *rooms_old_hand(const struct rooms *rooms, const char *person,
                            const struct rooms_wanted *wanted)
{
    return search_rooms(rooms, person, wanted, room_was_hand);
}
