// What is said to the bot in a room, and what is not.
#include <stdlib.h>
#include <string.h>

#include "adapters/matrix/listen/listen.h"

#include "tests/support/test.h"

enum { TEXT_SIZE = 2048 };

static bool is_own(void *user, const char *id)
{
    (void)user;
    return strcmp(id, "$own") == 0;
}

static enum listen_result hears(const char *content, bool hand, char line[CHAT_LINE_SIZE])
{
    const struct listener listener = {.bot = "@munchbot:hs",
                                      .name = "Munchbot",
                                      .prefix = "munch",
                                      .hand = hand,
                                      .is_own = is_own};
    json_t *const json =
        json_pack("{s:s, s:s, s:s, s:o}", "event_id", "$e", "type", "m.room.message", "sender",
                  "@ann:hs", "content", json_loads(content, 0, NULL));
    struct wire_event event;
    assert_true(wire_read(json, &event));
    const enum listen_result result = listen_to(&listener, &event, line);
    json_decref(json);
    return result;
}

// What is heard of a body in a room, or "-".
static const char *in_room(const char *body)
{
    static char line[CHAT_LINE_SIZE];
    json_t *const content = json_pack("{s:s, s:s}", "msgtype", "m.text", "body", body);
    char *const text = json_dumps(content, 0);
    const enum listen_result result = hears(text, false, line);
    free(text);
    json_decref(content);
    return result == LISTEN_HEARD ? line : "-";
}

static void the_prefix_is_heard_however_it_is_written(void **state)
{
    (void)state;
    assert_string_equal(in_room("!munch kick"), "kick");
    assert_string_equal(in_room("!Munch  play\xC2\xA0 Net Troll\nand more"), "play Net Troll");
    assert_string_equal(in_room("!munch"), "");
    assert_string_equal(in_room("> <@bob:hs> hello\n\n!munch pass"), "pass");
    assert_string_equal(in_room("!munch play \xE2\x80\x9CNet Troll\xE2\x80\x9D"),
                        "play \"Net Troll\"");
    assert_string_equal(in_room("Munchbot: kick"), "kick");
    assert_string_equal(in_room("@munchbot:hs, kick"), "kick");
}

static void others_are_not_heard(void **state)
{
    (void)state;
    assert_string_equal(in_room("kick"), "-");
    assert_string_equal(in_room("!munchkin kick"), "-");
    assert_string_equal(in_room("!poll kick"), "-");
    assert_string_equal(in_room("munchbots are silly"), "-");
    assert_string_equal(in_room(""), "-");
}

static void a_hand_room_hears_every_word_but_other_prefixes(void **state)
{
    char line[CHAT_LINE_SIZE];
    (void)state;
    assert_int_equal(hears("{\"msgtype\":\"m.text\",\"body\":\"kick\"}", true, line), LISTEN_HEARD);
    assert_string_equal(line, "kick");
    assert_int_equal(hears("{\"msgtype\":\"m.text\",\"body\":\"!poll\"}", true, line),
                     LISTEN_SILENT);
}

static void a_reply_or_a_mention_stands_for_the_prefix(void **state)
{
    char line[CHAT_LINE_SIZE];
    (void)state;
    assert_int_equal(hears("{\"msgtype\":\"m.text\",\"body\":\"pass\",\"m.relates_to\":"
                           "{\"m.in_reply_to\":{\"event_id\":\"$own\"}}}",
                           false, line),
                     LISTEN_HEARD);
    assert_int_equal(hears("{\"msgtype\":\"m.text\",\"body\":\"pass\",\"m.relates_to\":"
                           "{\"m.in_reply_to\":{\"event_id\":\"$other\"}}}",
                           false, line),
                     LISTEN_SILENT);
    assert_int_equal(hears("{\"msgtype\":\"m.text\",\"body\":\"pass\",\"m.mentions\":"
                           "{\"user_ids\":[7,\"@munchbot:hs\"]}}",
                           false, line),
                     LISTEN_HEARD);
}

static void what_people_say_of_the_bot_is_their_own(void **state)
{
    char line[CHAT_LINE_SIZE];
    (void)state;
    assert_string_equal(in_room("Munchbot: you cheat!"), "-");
    assert_string_equal(in_room("Munchbot, what can you do?"), "help");
    assert_string_equal(in_room("Munchbot"), "");
    assert_string_equal(in_room("!munch you cheat"), "you cheat");
    assert_int_equal(hears("{\"msgtype\":\"m.text\",\"body\":\"really?\",\"m.relates_to\":"
                           "{\"m.in_reply_to\":{\"event_id\":\"$own\"}}}",
                           false, line),
                     LISTEN_SILENT);
}

// The plain body of a link to a person holds only what they call themselves.
static void people_are_named_by_links(void **state)
{
    char line[CHAT_LINE_SIZE];
    (void)state;
    assert_int_equal(
        hears("{\"msgtype\":\"m.text\",\"body\":\"!munch ask Bob & Co offering 1 treasure\","
              "\"format\":\"org.matrix.custom.html\",\"formatted_body\":"
              "\"!munch ask <a href=\\\"https://matrix.to/#/%40bob%3Ahs\\\">Bob &amp; Co</a> "
              "offering 1 treasure\"}",
              false, line),
        LISTEN_HEARD);
    assert_string_equal(line, "ask @bob:hs offering 1 treasure");
    assert_int_equal(hears("{\"msgtype\":\"m.text\",\"body\":\"Munch: kick\",\"formatted_body\":"
                           "\"<a href=\\\"https://matrix.to/#/@munchbot:hs\\\">Munch</a>: kick\"}",
                           false, line),
                     LISTEN_HEARD);
    assert_string_equal(line, "kick");
    assert_int_equal(
        hears("{\"msgtype\":\"m.text\",\"body\":\"see Room\",\"formatted_body\":"
              "\"see <a href=\\\"https://matrix.to/#/!room\\\">Room</a> <a href=\\\"\"}",
              true, line),
        LISTEN_HEARD);
    assert_string_equal(line, "see Room");
}

static void edits_notices_and_nonsense_are_silent(void **state)
{
    static const char *const SILENT[] = {
        "{\"msgtype\":\"m.notice\",\"body\":\"!munch kick\"}",
        ("{\"msgtype\":\"m.text\",\"body\":\"!munch kick\",\"m.relates_to\":"
         "{\"rel_type\":\"m.replace\",\"event_id\":\"$e\"}}"),
        "{\"msgtype\":\"m.text\",\"body\":7}", "{\"msgtype\":7,\"body\":\"!munch kick\"}", "{}"};
    char line[CHAT_LINE_SIZE];
    (void)state;
    for (size_t i = 0; i < sizeof SILENT / sizeof *SILENT; i++) {
        assert_int_equal(hears(SILENT[i], true, line), LISTEN_SILENT);
    }
}

// Too long a command is told of and never cut; too long a talk of others is nobody's business.
static void long_lines_are_not_cut(void **state)
{
    char body[TEXT_SIZE] = "!munch ";
    (void)state;
    memset(body + strlen(body), 'a', CHAT_LINE_SIZE - 1);
    assert_int_equal(strlen(in_room(body)), CHAT_LINE_SIZE - 1);
    body[strlen(body)] = 'a';
    assert_string_equal(in_room(body), "-");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_prefix_is_heard_however_it_is_written),
        cmocka_unit_test(others_are_not_heard),
        cmocka_unit_test(a_hand_room_hears_every_word_but_other_prefixes),
        cmocka_unit_test(a_reply_or_a_mention_stands_for_the_prefix),
        cmocka_unit_test(what_people_say_of_the_bot_is_their_own),
        cmocka_unit_test(people_are_named_by_links),
        cmocka_unit_test(edits_notices_and_nonsense_are_silent),
        cmocka_unit_test(long_lines_are_not_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
