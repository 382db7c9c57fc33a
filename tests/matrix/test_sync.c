// What recorded answers of a real homeserver tell: rooms, invitations, messages, hand rooms.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/matrix/client/room.h"
#include "adapters/matrix/client/sync.h"

#include "tests/support/test.h"

static const char RECORDED[] = "tests/matrix/recorded/synapse.jsonl";

enum { LINE_SIZE = 65536, NOTES_SIZE = 65536 };

struct told {
    struct rooms *rooms;
    json_t *missing;           // what a gap hid
    json_t *opened;            // what a room's part turns out to say, or NULL: what it says
    unsigned rests, rests_max; // it ends there; 0: never
    bool news;                 // who comes and goes is noted
    bool seals;                // a room that the bot is in is encrypted whenever anybody looks
    char notes[NOTES_SIZE];    // a line each
};

static json_t *recorded(const char *name)
{
    static char line[LINE_SIZE];
    json_t *body = NULL;
    FILE *const file = fopen(RECORDED, "r");
    assert_non_null(file);
    while (body == NULL && fgets(line, sizeof line, file) != NULL) {
        json_t *const json = json_loads(line, 0, NULL);
        const char *const is = json_string_value(json_object_get(json, "name"));
        body =
            is != NULL && strcmp(is, name) == 0 ? json_incref(json_object_get(json, "body")) : NULL;
        json_decref(json);
    }
    assert_int_equal(fclose(file), 0);
    assert_non_null(body);
    return body;
}

static void note(struct told *told, const char *what, const char *about)
{
    const size_t length = strlen(told->notes);
    (void)snprintf(told->notes + length, sizeof told->notes - length, "%s %s\n", what, about);
}

static struct room *on_room(void *user, const char *id)
{
    struct told *const told = user;
    return rooms_get(told->rooms, id);
}

static void on_invited(void *user, const struct sync_invitation *invitation)
{
    note(user, invitation->encrypted ? "invited, encrypted, by" : "invited by",
         invitation->inviter);
}

static void on_left(void *user, const char *room, bool thrown_out)
{
    note(user, thrown_out ? "put out of" : "left", room);
}

static void on_too_large(void *user, const char *room)
{
    note(user, "too large", room);
}

static void on_changed(void *user, struct room *room, const struct wire_event *event, bool fresh)
{
    const struct told *const told = user;
    (void)room;
    assert_non_null(event->state_key);
    if (told->news && fresh && strcmp(event->type, "m.room.member") == 0) {
        note(user, "news of", event->state_key);
    }
}

static void on_happened(void *user, struct room *room, const struct wire_event *event)
{
    const char *const body = wire_word(event->content, "body");
    (void)room;
    note(user, event->type, body != NULL ? body : "");
}

static bool on_fill(void *user, const struct sync_gap *gap, json_t **out)
{
    struct told *const told = user;
    note(told, gap->from != NULL ? "gap before" : "members of",
         gap->from != NULL ? gap->from : gap->room);
    *out = json_incref(told->missing);
    return true;
}

static bool on_open(void *user, const char *room, json_t *events, json_t **out)
{
    const struct told *const told = user;
    assert_non_null(room);
    *out = json_incref(told->opened != NULL ? told->opened : events);
    return true;
}

static bool on_rest(void *user)
{
    struct told *const told = user;
    const struct room *const room = told->seals ? rooms_find(told->rooms, "!r") : NULL;
    assert_true(room == NULL || room_membership(room, "@bot:hs") != ROOM_JOINED ||
                room_is_encrypted(room));
    told->rests++;
    return told->rests != told->rests_max;
}

// Whether an answer is one. All of it is told, or as much as is let.
static bool walk_json(struct told *told, const char *bot, json_t *body, bool first)
{
    const struct sync_told how = {.bot = bot,
                                  .first = first,
                                  .room = on_room,
                                  .invited = on_invited,
                                  .too_large = on_too_large,
                                  .left = on_left,
                                  .changed = on_changed,
                                  .happened = on_happened,
                                  .user = told};
    const struct sync_waits waits = {
        .fill = on_fill, .open = on_open, .rest = on_rest, .user = told};
    told->notes[0] = '\0';
    told->rests = 0;
    const bool good = sync_next(body) != NULL;
    if (good) {
        const bool all = sync_tell(body, &how, &waits);
        assert_int_equal(all, told->rests_max == 0 || told->rests < told->rests_max);
    }
    return good;
}

static void walk(struct told *told, const char *bot, const char *name, bool first)
{
    json_t *const body = recorded(name);
    assert_true(walk_json(told, bot, body, first));
    json_decref(body);
}

static int make(void **state)
{
    struct told *const told = calloc(1, sizeof *told);
    if (told != NULL) {
        told->rooms = rooms_create("@munchbot24294:localhost");
    }
    *state = told;
    return told != NULL ? 0 : -1;
}

static int finish(void **state)
{
    struct told *const told = *state;
    rooms_destroy(told->rooms);
    json_decref(told->missing);
    json_decref(told->opened);
    free(told);
    return 0;
}

static const char BOT[] = "@munchbot24294:localhost";
static const char ROOM[] = "!ugWrsLqGLxDbmeIPrN:localhost";

static void a_room_is_joined_lived_in_and_left(void **state)
{
    struct told *const told = *state;
    char name[CHAT_NAME_SIZE];
    walk(told, BOT, "1.160: sync: invite", false);
    assert_string_equal(told->notes, "invited by @alice24294:localhost\n");
    walk(told, BOT, "1.160: sync: joined room full state", false);
    assert_string_equal(told->notes, "");
    const struct room *const room = rooms_find(told->rooms, ROOM);
    assert_non_null(room);
    assert_string_equal(room_title(room), "Munch table");
    assert_int_equal(room_membership(room, BOT), ROOM_JOINED);
    assert_true(room_permits(room, "@alice24294:localhost", 50));
    assert_false(room_permits(room, BOT, 50));
    room_name_of(room, "@alice24294:localhost", name, sizeof name);
    assert_string_equal(name, "alice24294");
    walk(told, BOT, "1.160: sync: bob join + message", false);
    assert_non_null(strstr(told->notes, "m.room.message "));
    walk(told, BOT, "1.160: sync: limited timeline", false);
    assert_non_null(strstr(told->notes, "gap before "));
    walk(told, BOT, "1.160: sync: kicked (rooms.leave)", false);
    assert_non_null(strstr(told->notes, "put out of !ugWrsLqGLxDbmeIPrN:localhost\n"));
}

// It comes where it was said: behind what was known of the room, before what came at once.
static void what_a_gap_hid_is_told_in_its_place(void **state)
{
    struct told *const told = *state;
    walk(told, BOT, "1.160: sync: joined room full state", false);
    told->missing = json_pack("[{s:s, s:s, s:s, s:{s:s}}, {s:s, s:s, s:s, s:s, s:{}}, i]",
                              "event_id", "$1", "type", "m.room.message", "sender", "@a:hs",
                              "content", "body", "hidden", "event_id", "$2", "type", "m.room.name",
                              "sender", "@a:hs", "state_key", "", "content", 7);
    assert_non_null(told->missing);
    walk(told, BOT, "1.160: sync: limited timeline", false);
    const char *const gap = strstr(told->notes, "gap before ");
    const char *const hidden = strstr(told->notes, "m.room.message hidden\n");
    assert_non_null(gap);
    assert_non_null(hidden);
    assert_true(gap < hidden);
    assert_non_null(strstr(hidden + 1, "m.room.message "));
    assert_string_equal(room_title(rooms_find(told->rooms, ROOM)), "Munch table");
}

// Whatever came: what is told is what it was opened to.
static void what_was_said_is_opened_before_it_is_told(void **state)
{
    struct told *const told = *state;
    walk(told, BOT, "1.160: sync: joined room full state", false);
    told->opened = json_pack("[{s:s, s:s, s:s, s:{s:s}}]", "event_id", "$1", "type",
                             "m.room.message", "sender", "@a:hs", "content", "body", "opened");
    assert_non_null(told->opened);
    walk(told, BOT, "1.160: sync: edits reactions thread redaction", false);
    assert_string_equal(told->notes, "m.room.message opened\n");
}

static void what_was_said_before_the_join_is_not_told(void **state)
{
    struct told *const told = *state;
    walk(told, "@xbot24744:localhost",
         "1.160: sync after join replays messages sent BEFORE the join", false);
    assert_null(strstr(told->notes, "old"));
    walk(told, "@xbot24744:localhost", "1.160: sync from stored since", false);
    assert_non_null(strstr(told->notes, "m.room.message "));
}

// All but the messages counts: invitations, and what rooms are like.
static void a_first_sync_tells_of_rooms_alone(void **state)
{
    struct told *const told = *state;
    static const char *const FIRST[] = {
        "1.163.2: first sync (no since), timeline limit 0: a pending invite to an encrypted room, "
        "a tombstoned room",
        "1.163.2: first sync (no since), timeline limit 1: a pending invite to an encrypted room, "
        "a tombstoned room"};
    for (size_t i = 0; i < 2; i++) {
        walk(told, "@munchbot48867:localhost", FIRST[i], true);
        assert_non_null(strstr(told->notes, "invited, encrypted, by "));
        assert_null(strstr(told->notes, "m.room.message"));
        const struct room *const room = rooms_find(told->rooms, "!dyqTOcJuadcRwwAwFF:localhost");
        assert_non_null(room);
        assert_string_equal(room_replacement(room), "!yDftkCwGMuRYjNdCv9Moo2fsMHkLfyX8Wt6Dv8pbd_E");
        assert_true(room_permits(room, "@alice48867:localhost", 100));
        rooms_forget(told->rooms, "!dyqTOcJuadcRwwAwFF:localhost");
    }
}

// The creator of a room of version 12 stands in no list of powers.
static void the_owner_of_a_new_room_has_power(void **state)
{
    struct told *const told = *state;
    walk(told, "@munchbot48867:localhost",
         "1.163.2: v12: bot sync: joined (create event first, with room_id)", false);
    const struct room *const room =
        rooms_find(told->rooms, "!RAqs63Tf9HpZDIKhlpYi2XXg6yNWUPa41Tgqxdin1yo");
    assert_non_null(room);
    assert_true(room_permits(room, "@alice48867:localhost", 100));
    assert_false(room_permits(room, "@munchbot48867:localhost", 50));
}

#define MEMBER(who, how)                                                                           \
    "{\"type\":\"m.room.member\",\"event_id\":\"$m\",\"sender\":\"" who "\",\"state_key\":\"" who  \
    "\",\"content\":{\"membership\":\"" how "\"}}"
#define SEALS                                                                                      \
    "{\"type\":\"m.room.encryption\",\"event_id\":\"$e\",\"sender\":\"@a:hs\",\"state_key\":\"\"," \
    "\"content\":{\"algorithm\":\"m.megolm.v1.aes-sha2\"}}"
#define SYNC(room) "{\"next_batch\":\"s\",\"rooms\":{\"join\":{\"!r\":" room "}}}"

static void walk_text(struct told *told, const char *text)
{
    json_t *const body = json_loads(text, 0, NULL);
    assert_non_null(body);
    assert_true(walk_json(told, "@bot:hs", body, false));
    json_decref(body);
}

// As a real homeserver gives it: of a hand room's state all but the member that it is for.
static void of_a_room_of_ones_own_the_members_are_asked_for(void **state)
{
    struct told *const told = *state;
    told->missing =
        json_loads("[" MEMBER("@bot:hs", "join") "," MEMBER("@ann:hs", "join") "]", 0, NULL);
    walk_text(told,
              SYNC("{\"state\":{\"events\":[{\"type\":\"m.room.create\",\"event_id\":\"$c\","
                   "\"sender\":\"@bot:hs\",\"state_key\":\"\",\"content\":"
                   "{\"org.munchbot.hand_of\":\"@ann:hs\"}}," MEMBER("@bot:hs", "join") "]}}"));
    assert_string_equal(told->notes, "members of !r\n");
    const struct room *const room = rooms_find(told->rooms, "!r");
    assert_non_null(room);
    assert_int_equal(room_membership(room, "@ann:hs"), ROOM_JOINED);
    walk_text(told, SYNC("{\"state\":{\"events\":[" MEMBER("@bot:hs", "join") "]}}"));
    assert_string_equal(told->notes, "");
}

// Others speak while a room is told of: nothing may go there in clear before its last event.
static void a_room_is_encrypted_before_anybody_speaks_there(void **state)
{
    static const char *const SYNCS[] = {
        SYNC("{\"state\":{\"events\":[" MEMBER("@bot:hs", "join") "," SEALS "]}}"),
        SYNC("{\"timeline\":{\"events\":[" MEMBER("@bot:hs", "join") "," SEALS "]}}"),
    };
    struct told *const told = *state;
    told->seals = true;
    for (size_t i = 0; i < sizeof SYNCS / sizeof *SYNCS; i++) {
        rooms_forget(told->rooms, "!r");
        walk_text(told, SYNCS[i]);
        assert_true(room_is_encrypted(rooms_find(told->rooms, "!r")));
    }
}

// Its state is told as it was behind that: the walk may rest in between.
static void the_bots_invitation_is_past_where_it_is(void **state)
{
    struct told *const told = *state;
    walk_text(told, SYNC("{\"state\":{\"events\":[" MEMBER(
                        "@bot:hs", "join") "]},\"timeline\":{\"events\":[" MEMBER("@bot:hs",
                                                                                  "invite") "]}}"));
    assert_int_equal(room_membership(rooms_find(told->rooms, "!r"), "@bot:hs"), ROOM_JOINED);
}

static void who_came_in_where_the_timeline_was_cut_is_news(void **state)
{
    struct told *const told = *state;
    told->news = true;
    walk_text(told, SYNC("{\"state\":{\"events\":[" MEMBER("@bot:hs", "join") "]}}"));
    walk_text(told,
              SYNC("{\"state\":{\"events\":[" MEMBER(
                  "@ann:hs", "join") "]},"
                                     "\"timeline\":{\"limited\":true,\"prev_batch\":\"t1\"}}"));
    assert_string_equal(told->notes, "news of @ann:hs\ngap before t1\n");
    walk_text(told,
              SYNC("{\"state\":{\"events\":[" MEMBER(
                  "@ann:hs", "join") "]},"
                                     "\"timeline\":{\"limited\":true,\"prev_batch\":\"t1\"}}"));
    assert_string_equal(told->notes, "gap before t1\n");
    walk_text(told, SYNC("{\"state\":{\"events\":[" MEMBER("@ann:hs", "leave") "]}}"));
    assert_string_equal(told->notes, "");
}

static void a_room_that_was_left_out_is_named_and_not_known(void **state)
{
    struct told *const told = *state;
    walk_text(told, SYNC("null"));
    assert_string_equal(told->notes, "too large !r\n");
    walk_text(told, SYNC("false"));
    assert_string_equal(told->notes, "");
    assert_null(rooms_find(told->rooms, "!r"));
}

static void ten_thousand_members_are_told_apart(void **state)
{
    enum { MANY = 10000 };
    struct room *const room = room_create("!many");
    (void)state;
    assert_non_null(room);
    for (unsigned i = 0; i < 2 * MANY; i++) { // each comes, each second goes again
        char id[CHAT_ID_SIZE];
        (void)snprintf(id, sizeof id, "@%0250u:hs", i % MANY); // they differ in the last letters
        json_t *const content =
            json_pack("{s:s}", "membership", i < MANY || i % 2 == 0 ? "join" : "leave");
        const struct wire_event event = {
            .id = "$e", .type = "m.room.member", .sender = id, .state_key = id, .content = content};
        room_apply(room, &event);
        json_decref(content);
    }
    assert_int_equal(room_count(room, ROOM_JOINED), MANY / 2);
    assert_int_equal(room_count(room, ROOM_AWAY), MANY / 2);
    room_destroy(room);
}

/* Hand rooms. */

static const char HAND_BOT[] = "@munchbot48867:localhost";
static const char HAND_OF[] = "@alice48867:localhost";

static void apply(struct room *room, json_t *json)
{
    struct wire_event event;
    assert_true(wire_read(json, &event));
    room_apply(room, &event);
}

static struct room *hand_room(void)
{
    struct room *const room = room_create("!hand");
    json_t *const events = recorded("1.163.2: hand: full state");
    size_t i = 0;
    json_t *json = NULL;
    assert_non_null(room);
    json_array_foreach(events, i, json)
    {
        apply(room, json);
    }
    json_decref(events);
    return room;
}

// What would open it up, each alone.
static void a_hand_room_is_one_only_while_nothing_opens_it(void **state)
{
    static const char *const OPENS[] = {
        "{\"type\":\"m.room.member\",\"state_key\":\"@eve:localhost\",\"sender\":\"@a:b\","
        "\"content\":{\"membership\":\"join\"}}",
        "{\"type\":\"m.room.member\",\"state_key\":\"@eve:localhost\",\"sender\":\"@a:b\","
        "\"content\":{\"membership\":\"invite\"}}",
        "{\"type\":\"m.room.history_visibility\",\"state_key\":\"\",\"sender\":\"@a:b\","
        "\"content\":{\"history_visibility\":\"shared\"}}",
        "{\"type\":\"m.room.join_rules\",\"state_key\":\"\",\"sender\":\"@a:b\","
        "\"content\":{\"join_rule\":\"public\"}}",
        "{\"type\":\"m.room.guest_access\",\"state_key\":\"\",\"sender\":\"@a:b\","
        "\"content\":{\"guest_access\":\"can_join\"}}",
        "{\"type\":\"m.room.encryption\",\"state_key\":\"\",\"sender\":\"@a:b\",\"content\":{}}",
        "{\"type\":\"m.room.tombstone\",\"state_key\":\"\",\"sender\":\"@a:b\","
        "\"content\":{\"replacement_room\":\"!x\"}}",
        "{\"type\":\"m.room.power_levels\",\"state_key\":\"\",\"sender\":\"@a:b\","
        "\"content\":{\"state_default\":100,\"invite\":0}}",
        "{\"type\":\"m.room.power_levels\",\"state_key\":\"\",\"sender\":\"@a:b\",\"content\":"
        "{\"state_default\":100,\"invite\":100,\"users\":{\"@alice48867:localhost\":100}}}",
        "{\"type\":\"m.room.power_levels\",\"state_key\":\"\",\"sender\":\"@a:b\",\"content\":"
        "{\"state_default\":100,\"invite\":100,\"events\":{\"m.room.join_rules\":0}}}",
        "{\"type\":\"m.room.member\",\"state_key\":\"@alice48867:localhost\",\"sender\":\"@a:b\","
        "\"content\":{\"membership\":\"leave\"}}"};
    (void)state;
    for (size_t i = 0; i < sizeof OPENS / sizeof *OPENS; i++) {
        struct room *const room = hand_room();
        assert_true(room_is_hand(room, HAND_BOT, HAND_OF));
        assert_false(room_is_hand(room, HAND_BOT, "@eve:localhost"));
        assert_false(room_is_hand(room, "@eve:localhost", HAND_OF));
        json_t *const json = json_loads(OPENS[i], 0, NULL);
        assert_non_null(json);
        apply(room, json);
        assert_false(room_is_hand(room, HAND_BOT, HAND_OF));
        json_decref(json);
        room_destroy(room);
    }
}

// Who is in a room as its server says when it is asked.
static void a_hand_is_shown_between_two(void **state)
{
    static const struct {
        const char *others;
        bool kept;
    } CASES[] = {
        {"{\"membership\":\"leave\"}", true},
        {"{\"membership\":\"ban\"}", true},
        {"{\"membership\":\"join\"}", false},
        {"{\"membership\":\"invite\"}", false},
        {"7", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        json_t *const members = json_pack(
            "{s:[{s:s, s:s, s:s, s:{s:s}}, {s:s, s:s, s:s, s:{s:s}}, {s:s, s:s, s:s, s:o}]}",
            "chunk", "type", "m.room.member", "sender", "@b:hs", "state_key", "@b:hs", "content",
            "membership", "join", "type", "m.room.member", "sender", "@b:hs", "state_key", "@p:hs",
            "content", "membership", "invite", "type", "m.room.member", "sender", "@b:hs",
            "state_key", "@e:hs", "content", json_loads(CASES[i].others, JSON_DECODE_ANY, NULL));
        assert_non_null(members);
        assert_int_equal(room_is_between(members, "@b:hs", "@p:hs"), CASES[i].kept);
        assert_false(room_is_between(members, "@p:hs", "@b:hs")); // it is only invited
        assert_false(room_is_between(members, "@b:hs", "@q:hs"));
        json_decref(members);
    }
    assert_false(room_is_between(NULL, "@b:hs", "@p:hs"));
}

/* Encrypted rooms. */

static void apply_text(struct room *room, const char *type, const char *content)
{
    json_t *const json = json_pack("{s:s, s:s, s:s, s:o}", "type", type, "state_key", "", "sender",
                                   "@a:hs", "content", json_loads(content, 0, NULL));
    assert_non_null(json);
    apply(room, json);
    json_decref(json);
}

// What was said first is not weakened by what comes later.
static void a_room_is_sealed_in_one_way_or_not_at_all(void **state)
{
    static const struct {
        const char *events[2];
        bool seals;
        int64_t ms, messages;
    } CASES[] = {
        {{NULL, NULL}, false, 0, 0},
        {{"{\"algorithm\":\"m.megolm.v1.aes-sha2\"}", NULL}, true, 604800000, 100},
        {{"{\"algorithm\":\"m.rot13\"}", NULL}, false, 604800000, 100},
        {{"{}", NULL}, false, 604800000, 100},
        {{"{\"algorithm\":\"m.megolm.v1.aes-sha2\"}", "{}"}, false, 604800000, 100},
        {{"{\"algorithm\":\"m.rot13\"}", "{\"algorithm\":\"m.megolm.v1.aes-sha2\"}"},
         false,
         604800000,
         100},
        {{"{\"algorithm\":\"m.megolm.v1.aes-sha2\",\"rotation_period_ms\":3600000,"
          "\"rotation_period_msgs\":10}",
          "{\"algorithm\":\"m.megolm.v1.aes-sha2\",\"rotation_period_ms\":7200000,"
          "\"rotation_period_msgs\":5}"},
         true,
         3600000,
         5},
        {{"{\"algorithm\":\"m.megolm.v1.aes-sha2\",\"rotation_period_ms\":3600000,"
          "\"rotation_period_msgs\":10}",
          "{\"algorithm\":\"m.megolm.v1.aes-sha2\",\"rotation_period_ms\":0,"
          "\"rotation_period_msgs\":-1}"},
         true,
         3600000,
         10},
        {{"{\"algorithm\":\"m.megolm.v1.aes-sha2\",\"rotation_period_ms\":-1,"
          "\"rotation_period_msgs\":0}",
          NULL},
         true,
         604800000,
         100},
    };
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        struct room *const room = room_create("!sealed");
        int64_t ms = 0;
        int64_t messages = 0;
        for (size_t j = 0; j < 2 && CASES[i].events[j] != NULL; j++) {
            apply_text(room, "m.room.encryption", CASES[i].events[j]);
        }
        assert_int_equal(room_sealing(room, &ms, &messages), CASES[i].seals);
        assert_int_equal(ms, CASES[i].ms);
        assert_int_equal(messages, CASES[i].messages);
        room_distrust(room);
        assert_false(room_sealing(room, &ms, &messages));
        room_destroy(room);
    }
}

static void who_reads_is_who_is_there_and_who_will_be_shown_it(void **state)
{
    static const struct {
        const char *visibility;
        const char *shown;
        size_t count;
    } CASES[] = {{"{\"history_visibility\":\"joined\"}", "joined", 1},
                 {"{\"history_visibility\":\"invited\"}", "invited", 2},
                 {"{\"history_visibility\":\"shared\"}", "shared", 2},
                 {"{\"history_visibility\":\"world_readable\"}", "world_readable", 2},
                 {"{\"history_visibility\":\"whatever\"}", "shared", 2},
                 {"{}", "shared", 2}};
    static const char MEMBERS[] =
        "{\"chunk\":[{\"type\":\"m.room.member\",\"sender\":\"@b:hs\",\"state_key\":\"@b:hs\","
        "\"content\":{\"membership\":\"join\"}},"
        "{\"type\":\"m.room.member\",\"sender\":\"@a:hs\",\"state_key\":\"@a:hs\",\"content\":"
        "{\"membership\":\"join\"}},"
        "{\"type\":\"m.room.member\",\"sender\":\"@a:hs\",\"state_key\":\"@c:hs\",\"content\":"
        "{\"membership\":\"invite\"}},"
        "{\"type\":\"m.room.member\",\"sender\":\"@a:hs\",\"state_key\":\"@d:hs\",\"content\":"
        "{\"membership\":\"ban\"}},"
        "{\"type\":\"m.room.member\",\"sender\":\"@a:hs\",\"state_key\":\"@e:hs\",\"content\":"
        "{\"membership\":\"leave\"}}]}";
    json_t *const members = json_loads(MEMBERS, 0, NULL);
    (void)state;
    assert_non_null(members);
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        struct room *const room = room_create("!sealed");
        apply_text(room, "m.room.history_visibility", CASES[i].visibility);
        assert_string_equal(room_visibility(room), CASES[i].shown);
        json_t *const readers = room_readers(room, members, "@b:hs");
        assert_int_equal(json_array_size(readers), CASES[i].count);
        assert_string_equal(json_string_value(json_array_get(readers, 0)), "@a:hs");
        json_decref(readers);
        room_destroy(room);
    }
    struct room *const room = room_create("!sealed");
    (void)json_array_append_new(json_object_get(members, "chunk"), json_integer(7));
    assert_null(room_readers(room, members, "@b:hs")); // whoever that is
    assert_null(room_readers(room, NULL, "@b:hs"));
    json_decref(members);
    room_destroy(room);
}

// Every answer that was recorded, and each with any one part of it put out of shape.
// NOLINTNEXTLINE(misc-no-recursion): as deep as what was recorded
static json_t *bent(const json_t *json, size_t *until)
{
    const char *key = NULL;
    json_t *value = NULL;
    size_t i = 0;
    if ((*until)-- == 0) {
        return json_is_string(json) ? json_integer(7) : json_string("bent");
    }
    if (json_is_object(json)) {
        json_t *const object = json_object();
        json_object_foreach((json_t *)(uintptr_t)json, key, value)
        {
            (void)json_object_set_new(object, key, bent(value, until));
        }
        return object;
    }
    if (json_is_array(json)) {
        json_t *const array = json_array();
        json_array_foreach(json, i, value)
        {
            (void)json_array_append_new(array, bent(value, until));
        }
        return array;
    }
    return json_deep_copy(json);
}

static void bent_answers_harm_nothing(void **state)
{
    struct told *const told = *state;
    static const char *const NAMES[] = {
        "1.160: sync: invite", "1.160: sync: joined room full state",
        "1.160: sync: edits reactions thread redaction", "1.160: sync: kicked (rooms.leave)"};
    size_t bends = 0;
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        json_t *const body = recorded(NAMES[i]);
        for (bool whole = false; !whole; bends++) {
            size_t until = bends;
            json_t *const json = bent(body, &until);
            whole = until < SIZE_MAX / 2;          // all of it was copied before that many parts
            told->rests_max = (unsigned)bends % 8; // and cut off anywhere
            (void)walk_json(told, BOT, json, false);
            json_decref(json);
        }
        assert_in_range(bends, 10, 10000);
        bends = 0;
        json_decref(body);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_room_is_joined_lived_in_and_left, make, finish),
        cmocka_unit_test_setup_teardown(what_a_gap_hid_is_told_in_its_place, make, finish),
        cmocka_unit_test_setup_teardown(of_a_room_of_ones_own_the_members_are_asked_for, make,
                                        finish),
        cmocka_unit_test_setup_teardown(a_room_is_encrypted_before_anybody_speaks_there, make,
                                        finish),
        cmocka_unit_test_setup_teardown(the_bots_invitation_is_past_where_it_is, make, finish),
        cmocka_unit_test_setup_teardown(who_came_in_where_the_timeline_was_cut_is_news, make,
                                        finish),
        cmocka_unit_test_setup_teardown(a_room_that_was_left_out_is_named_and_not_known, make,
                                        finish),
        cmocka_unit_test_setup_teardown(what_was_said_is_opened_before_it_is_told, make, finish),
        cmocka_unit_test_setup_teardown(what_was_said_before_the_join_is_not_told, make, finish),
        cmocka_unit_test_setup_teardown(a_first_sync_tells_of_rooms_alone, make, finish),
        cmocka_unit_test_setup_teardown(the_owner_of_a_new_room_has_power, make, finish),
        cmocka_unit_test(ten_thousand_members_are_told_apart),
        cmocka_unit_test(a_hand_room_is_one_only_while_nothing_opens_it),
        cmocka_unit_test(a_hand_is_shown_between_two),
        cmocka_unit_test(a_room_is_sealed_in_one_way_or_not_at_all),
        cmocka_unit_test(who_reads_is_who_is_there_and_who_will_be_shown_it),
        cmocka_unit_test_setup_teardown(bent_answers_harm_nothing, make, finish),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
