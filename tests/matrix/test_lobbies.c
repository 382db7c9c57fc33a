// What people say by reacting to a lobby card.
#include <stdio.h>
#include <string.h>

#include "bot/chat_impl.h"

#include "adapters/matrix/say/lobbies.h"

#include "tests/support/test.h"

static const char BOT[] = "@bot:hs";
static const char ROOM[] = "!room";
static const char CARD[] = "$card";

struct stage {
    struct chat chat;
    struct lobbies *lobbies;
};

static int make(void **state)
{
    static struct stage stage;
    stage = (struct stage){.lobbies = NULL};
    stage.lobbies = lobbies_create(&stage.chat);
    *state = &stage;
    return lobbies_shown(stage.lobbies, ROOM, CARD, false) ? 0 : -1;
}

static int finish(void **state)
{
    struct stage *const stage = *state;
    lobbies_destroy(stage->lobbies);
    return 0;
}

static const char *told(const struct stage *stage, json_t *json)
{
    struct wire_event event;
    assert_non_null(json);
    const char *const line =
        wire_read(json, &event) ? lobbies_heard(stage->lobbies, ROOM, BOT, &event) : NULL;
    json_decref(json);
    return line != NULL ? line : "-";
}

static const char *reacts(const struct stage *stage, const char *id, const char *card,
                          const char *key)
{
    return told(stage, json_pack("{s:s, s:s, s:s, s:{s:{s:s, s:s, s:s}}}", "event_id", id, "type",
                                 "m.reaction", "sender", "@ann:hs", "content", "m.relates_to",
                                 "rel_type", "m.annotation", "event_id", card, "key", key));
}

static const char *takes_back(const struct stage *stage, const char *who, const char *id, bool old)
{
    return told(stage,
                old ? json_pack("{s:s, s:s, s:s, s:s, s:{}}", "event_id", "$back", "type",
                                "m.room.redaction", "sender", who, "redacts", id, "content")
                    : json_pack("{s:s, s:s, s:s, s:{s:s}}", "event_id", "$back", "type",
                                "m.room.redaction", "sender", who, "content", "redacts", id));
}

static void keys_are_known_however_they_are_written(void **state)
{
    static const struct {
        const char *key, *line;
    } CASES[] = {
        {LOBBIES_JOIN, "join"},
        {LOBBIES_JOIN "\xEF\xB8\x8F", "join"},                 // with a selector
        {LOBBIES_JOIN "\xF0\x9F\x8F\xBD", "join"},             // with a tone of skin
        {LOBBIES_JOIN "\xF0\x9F\x8F\xBD\xEF\xB8\x8F", "join"}, // with both
        {LOBBIES_START, "start"},
        {"\xE2\x96\xB6", "start"}, // without its selector
        {LOBBIES_JOIN "x", "-"},
        {"\xF0\x9F\x91\x8D", "-"},
        {"join", "-"},
        {"", "-"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        assert_string_equal(reacts(*state, "$r", CARD, CASES[i].key), CASES[i].line);
    }
}

static void another_message_is_no_lobby(void **state)
{
    assert_string_equal(reacts(*state, "$r", "$other", LOBBIES_JOIN), "-");
}

static void a_join_that_is_taken_back_is_a_farewell(void **state)
{
    assert_string_equal(reacts(*state, "$r1", CARD, LOBBIES_JOIN), "join");
    assert_string_equal(takes_back(*state, "@ann:hs", "$r1", false), "leave");
    assert_string_equal(takes_back(*state, "@ann:hs", "$r1", false), "-"); // once
    assert_string_equal(reacts(*state, "$r2", CARD, LOBBIES_JOIN), "join");
    assert_string_equal(takes_back(*state, "@ann:hs", "$r2", true), "leave");
    assert_string_equal(reacts(*state, "$r3", CARD, LOBBIES_START), "start");
    assert_string_equal(takes_back(*state, "@ann:hs", "$r3", false), "-");
}

static void nobody_takes_back_what_others_have_said(void **state)
{
    assert_string_equal(reacts(*state, "$r", CARD, LOBBIES_JOIN), "join");
    assert_string_equal(takes_back(*state, "@mod:hs", "$r", false), "-");
}

// Nobody leaves a game by it.
static void nothing_is_said_by_it_in_a_game(void **state)
{
    struct stage *const stage = *state;
    assert_string_equal(reacts(stage, "$r", CARD, LOBBIES_JOIN), "join");
    assert_false(lobbies_shown(stage->lobbies, ROOM, "$game", true));
    assert_string_equal(reacts(stage, "$s", CARD, LOBBIES_JOIN), "-");
    assert_string_equal(reacts(stage, "$s", "$game", LOBBIES_JOIN), "-");
    assert_string_equal(takes_back(stage, "@ann:hs", "$r", false), "-");
    assert_true(lobbies_shown(stage->lobbies, ROOM, "$next", false));
    assert_string_equal(reacts(stage, "$t", "$next", LOBBIES_JOIN), "join");
}

// A card that is posted anew: both count, and each has signs of its own.
static void a_lobby_may_have_several_cards(void **state)
{
    struct stage *const stage = *state;
    assert_false(lobbies_shown(stage->lobbies, ROOM, CARD, false));
    assert_true(lobbies_shown(stage->lobbies, ROOM, "$below", false));
    assert_string_equal(reacts(stage, "$r", CARD, LOBBIES_JOIN), "join");
    assert_string_equal(reacts(stage, "$s", "$below", LOBBIES_JOIN), "join");
}

static void the_bot_and_nonsense_say_nothing(void **state)
{
    static const char *const CASES[] = {
        "{\"event_id\":\"$r\",\"type\":\"m.reaction\",\"sender\":\"@bot:hs\",\"content\":{"
        "\"m.relates_to\":{\"rel_type\":\"m.annotation\",\"event_id\":\"$card\",\"key\":\"\\u270b\""
        "}}}",
        "{\"event_id\":\"$r\",\"type\":\"m.reaction\",\"sender\":\"@ann:hs\",\"state_key\":\"\","
        "\"content\":{\"m.relates_to\":{\"rel_type\":\"m.annotation\",\"event_id\":\"$card\","
        "\"key\":\"\\u270b\"}}}",
        "{\"event_id\":\"$r\",\"type\":\"m.reaction\",\"sender\":\"@ann:hs\",\"content\":{"
        "\"m.relates_to\":{\"rel_type\":\"m.thread\",\"event_id\":\"$card\",\"key\":\"\\u270b\"}}}",
        "{\"event_id\":\"$r\",\"type\":\"m.reaction\",\"sender\":\"@ann:hs\",\"content\":{"
        "\"m.relates_to\":{\"rel_type\":\"m.annotation\",\"event_id\":[\"$card\"],\"key\":7}}}",
        "{\"event_id\":\"$r\",\"type\":\"m.reaction\",\"sender\":\"@ann:hs\",\"content\":{"
        "\"m.relates_to\":\"$card\"}}",
        "{\"event_id\":\"$r\",\"type\":\"m.room.redaction\",\"sender\":\"@ann:hs\",\"content\":{"
        "\"redacts\":[]}}",
        "{\"event_id\":\"$r\",\"type\":\"m.room.redaction\",\"sender\":\"@ann:hs\",\"redacts\":\"\""
        ",\"content\":{}}",
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        assert_string_equal(told(*state, json_loads(CASES[i], 0, NULL)), "-");
    }
}

// Of very many lobbies the oldest are forgotten.
static void the_latest_count(void **state)
{
    struct stage *const stage = *state;
    char room[32];
    for (unsigned i = 0; i < 1000; i++) {
        (void)snprintf(room, sizeof room, "!%u", i);
        assert_true(lobbies_shown(stage->lobbies, room, CARD, false));
    }
    assert_true(lobbies_has(stage->lobbies, room, CARD));
    assert_false(lobbies_has(stage->lobbies, ROOM, CARD));
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, make, finish)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(keys_are_known_however_they_are_written),
        CASE(another_message_is_no_lobby),
        CASE(a_join_that_is_taken_back_is_a_farewell),
        CASE(nobody_takes_back_what_others_have_said),
        CASE(nothing_is_said_by_it_in_a_game),
        CASE(a_lobby_may_have_several_cards),
        CASE(the_bot_and_nonsense_say_nothing),
        CASE(the_latest_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
