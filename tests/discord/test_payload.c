// Texts as Discord shows them, bodies, and interactions as they come in.
#include <stdlib.h>
#include <string.h>

#include "bot/text/text.h"

#include "adapters/discord/wire/controls.h"
#include "adapters/discord/wire/interaction.h"
#include "adapters/discord/wire/markup.h"
#include "adapters/discord/wire/payload.h"

#include "tests/support/test.h"

enum { OUT_SIZE = 16384 };

static const char *written(const char *text, size_t most)
{
    static char out[OUT_SIZE];
    (void)markup_write(text, 0, most, "(more)", out, sizeof out);
    return out;
}

static void what_people_type_does_nothing(void **state)
{
    (void)state;
    assert_string_equal(written("*Ann* _b_ ~c~ |d| `e`", 200),
                        "\\*Ann\\* \\_b\\_ \\~c\\~ \\|d\\| \\`e\\`");
    assert_string_equal(written("[x](y) <@1>", 200), "\\[x\\](y) \\<\\@\xE2\x80\x8B"
                                                     "1\\>");
    assert_string_equal(written("@everyone", 200), "\\@\xE2\x80\x8B"
                                                   "everyone");
    assert_string_equal(written("see http://x", 200), "see http\\://x");
    assert_string_equal(written("# a\n- b\n 1. c\n+d # - 2.", 200),
                        "\\# a\n\\- b\n 1\\. c\n\\+d # - 2.");
    assert_string_equal(written("Who's there? (Level 3, +2.5)", 200),
                        "Who's there? (Level 3, +2.5)");
}

static void marks_become_markup_or_nothing(void **state)
{
    const char text[] = {MARK_HEAD, 'T',         'u', 'r',      'n', MARK_END,
                         ' ',       MARK_PLAYER, 'A', MARK_END, '!', '\0'};
    (void)state;
    assert_string_equal(written(text, 200), "**Turn** A!");
}

static void a_chat_is_called_a_channel(void **state)
{
    const char text[] = {'a', ' ', MARK_CHAT, 'c', 'h', 'a', 't', MARK_END, '.', '\0'};
    (void)state;
    assert_string_equal(written(text, 200), "a channel.");
}

static void what_is_pushed_is_a_line_and_a_place(void **state)
{
    (void)state;
    json_t *const own = payload_first(NULL, "7", "Your hand: Potion", 0);
    const char *line = json_string_value(json_object_get(own, "content"));
    assert_non_null(strstr(line, "<#7>"));
    assert_null(strstr(line, "Potion"));
    json_decref(own);
    json_t *const told = payload_first("Your turn, *Bob*.", "7", "Your hand: Potion", 0);
    line = json_string_value(json_object_get(told, "content"));
    assert_string_equal(line, "Your turn, \\*Bob\\*.\nThe table is in <#7>.");
    const json_t *const embed = json_array_get(json_object_get(told, "embeds"), 0);
    assert_string_equal(json_string_value(json_object_get(embed, "description")),
                        "Your hand: Potion");
    json_decref(told);
}

static void a_clock_counts_down_by_itself(void **state)
{
    const char text[] = {'B', 'o', 'b', MARK_TIME, ' ', '(', '9',
                         ' ', 's', ')', MARK_END,  '.', '\0'};
    char out[64];
    (void)state;
    (void)markup_write(text, 1700000000, 60, "", out, sizeof out);
    assert_string_equal(out, "Bob (<t:1700000000:R>).");
    (void)markup_write(text, 0, 60, "", out, sizeof out);
    assert_string_equal(out, "Bob (9 s).");
}

// No mark is left open, no character cut, and the reader is told.
static void what_is_too_long_ends_with_a_line(void **state)
{
    const char text[] = {'o', 'n', 'e', '\n', 't', 'w', 'o', '\n', MARK_HEAD, 't',      'h',
                         'r', 'e', 'e', ' ',  'm', 'o', 'r', 'e',  '!',       MARK_END, '\0'};
    (void)state;
    assert_string_equal(written(text, 16), "one\ntwo\n(more)");
    assert_string_equal(written(text, 200), "one\ntwo\n**three more!**");
}

static void a_text_of_any_length_fits_its_message(void **state)
{
    static const char BYTES[] = {'a', '*', '_', '\xC3', 'b', '\n'};
    static char text[OUT_SIZE];
    (void)state;
    for (size_t length = 0; length + 3 < sizeof text; length += 97) {
        for (size_t i = 0; i < length; i++) {
            text[i] = BYTES[i % sizeof BYTES];
        }
        text[length] = '\0';
        json_t *const body = payload_text(text, NULL, 0, 0);
        const char *const content = json_string_value(json_object_get(body, "content"));
        assert_in_range(strlen(content), 1, PAYLOAD_CLASSIC_MAX + 3);
        json_decref(body);
        json_t *const board = payload_board(&(struct payload_board){.text = text}, false, 0);
        assert_non_null(board);
        json_decref(board);
    }
}

static void only_who_is_meant_is_called(void **state)
{
    (void)state;
    const char *const pings[] = {"11", "22"};
    json_t *const body = payload_text("@everyone!", pings, 2, PAYLOAD_SILENT);
    const json_t *const allowed = json_object_get(body, "allowed_mentions");
    assert_int_equal(json_array_size(json_object_get(allowed, "parse")), 0);
    assert_int_equal(json_array_size(json_object_get(allowed, "users")), 2);
    assert_int_equal(json_integer_value(json_object_get(body, "flags")), 0); // it is heard
    assert_non_null(strstr(json_string_value(json_object_get(body, "content")), "<@11> <@22>"));
    json_decref(body);
    json_t *const silent = payload_text("x", NULL, 0, PAYLOAD_SILENT);
    assert_int_equal(json_integer_value(json_object_get(silent, "flags")), PAYLOAD_SILENT);
    json_decref(silent);
}

// A card's container: what is asked, the story, the table's head, a text of its own a player, what
// lies there; between them lines.
static void a_card_has_a_part_a_player(void **state)
{
#define ROW "\x05\x17"
    static const char TEXT[] = "Fight: Ann.\n" ROW "> Ann: Level 1\n" ROW "Bob: Level 2\n" ROW;
    static const char *const WANTED[] = {
        "Ask.", "Told.", "", "Fight: Ann.", "", "\\> Ann: Level 1", "Bob: Level 2"};
    (void)state;
    struct payload_board board = {.asks = "Ask.", .story = "Told.\n", .text = TEXT};
    json_t *const card = payload_board(&board, false, 0);
    const json_t *const parts =
        json_object_get(json_array_get(json_object_get(card, "components"), 0), "components");
    size_t at = 0;
    for (size_t i = 0; i < sizeof WANTED / sizeof WANTED[0]; i++) {
        const char *const content =
            json_string_value(json_object_get(json_array_get(parts, at++), "content"));
        assert_string_equal(content != NULL ? content : "", WANTED[i]);
    }
    assert_int_equal(json_array_size(parts), at);
    json_decref(card);
    board.text = "Fight: Ann.\n" ROW "Ann: Level 1\n" ROW "Face up: Elf.\n";
    json_t *const more = payload_board(&board, false, 0);
    assert_int_equal(json_array_size(json_object_get(
                         json_array_get(json_object_get(more, "components"), 0), "components")),
                     8); // a line before what lies there, too
    json_decref(more);
#undef ROW
}

// Each mood of a card has a colour of its own, edited or posted to call somebody; what is no card
// has none.
static void a_card_has_the_colour_of_its_mood(void **state)
{
    json_int_t seen[CHAT_MOOD_OVER + 1] = {0};
    (void)state;
    for (unsigned mood = CHAT_MOOD_NONE; mood <= CHAT_MOOD_OVER; mood++) {
        const char *const pings[] = {"11"};
        const struct payload_board board = {
            .asks = "x", .text = "y", .pings = pings, .ping_count = 1, .mood = (uint8_t)mood};
        json_t *const card = payload_board(&board, true, 0);
        json_t *const call = payload_call(&board);
        const json_t *const color =
            json_object_get(json_array_get(json_object_get(card, "components"), 0), "accent_color");
        assert_true(
            color == NULL ||
            json_equal(color, json_object_get(json_array_get(json_object_get(call, "embeds"), 0),
                                              "color")));
        assert_true(json_is_integer(color) == (mood != CHAT_MOOD_NONE));
        seen[mood] = json_integer_value(color);
        for (unsigned other = 0; other < mood; other++) {
            assert_int_not_equal(seen[mood], seen[other]);
        }
        json_decref(card);
        json_decref(call);
    }
}

static void a_mark_makes_one_nonce(void **state)
{
    (void)state;
    const uint64_t marks[] = {UINT64_MAX, UINT64_MAX - 1, 0};
    char nonces[3][PAYLOAD_NONCE_SIZE];
    for (size_t i = 0; i < 3; i++) {
        json_t *const body = payload_text("x", NULL, 0, 0);
        payload_once(body, marks[i]);
        const char *const nonce = json_string_value(json_object_get(body, "nonce"));
        assert_in_range(strlen(nonce), 1, PAYLOAD_NONCE_SIZE - 1);
        memcpy(nonces[i], nonce, strlen(nonce) + 1);
        assert_true(json_is_true(json_object_get(body, "enforce_nonce")));
        json_decref(body);
    }
    assert_string_not_equal(nonces[0], nonces[1]);
    assert_string_not_equal(nonces[0], nonces[2]);
}

// Discord tells no nonce to who looks for a message later.
static void a_mark_is_on_what_has_controls(void **state)
{
    (void)state;
    json_int_t marks[3];
    for (size_t i = 0; i < 3; i++) {
        json_t *const body = payload_board(&(struct payload_board){.text = "x"}, false, 0);
        assert_int_equal(payload_mark(body), 0);
        payload_once(body, 7 + i);
        marks[i] = payload_mark(body);
        assert_in_range(marks[i], 1 << 30, INT32_MAX);
        json_decref(body);
    }
    assert_int_not_equal(marks[0], marks[1]);
    assert_int_not_equal(marks[0], marks[2]);
    json_t *const text = payload_text("x", NULL, 0, 0);
    payload_once(text, 7);
    assert_int_equal(payload_mark(text), 0);
    json_decref(text);
}

static const struct chat_bond PANEL = {.table = "ybxbzs9ihcxokjg7twenty3",
                                       .version = UINT32_MAX,
                                       .decision = UINT16_MAX,
                                       .on = CHAT_ON_PANEL};

static const json_t *component(const json_t *rows, size_t row, size_t column)
{
    return json_array_get(json_object_get(json_array_get(rows, row), "components"), column);
}

static const char *id_of(const json_t *rows, size_t row, size_t column)
{
    return json_string_value(json_object_get(component(rows, row, column), "custom_id"));
}

static struct controls_press press_of(const char *id, json_t *values)
{
    struct controls_press press;
    json_t *const data = json_pack("{s:s, s:o}", "custom_id", id, "values", values);
    assert_true(controls_pressed(data, &press));
    json_decref(data);
    return press;
}

// Whatever is pressed comes back as it was sent, within what Discord keeps.
static void controls_come_back(void **state)
{
    static const char PATH[] = "aAAAA~abcdefghijklmnopqrstuvwx.abcdefghijkl+B";
    static const struct chat_choice CHOICES[] = {{"One", "The first.", "one", ""},
                                                 {"Two", "", "two", ""}};
    const struct chat_control controls[] = {
        {.label = "Kick", .line = "kick", .leads = "", .opens = "", .tone = CHAT_LIKELY},
        {.kind = CHAT_MENU,
         .label = "Which?",
         .line = "",
         .leads = "",
         .opens = "",
         .min = 1,
         .max = 2,
         .choices = CHOICES,
         .choice_count = 2},
        {.label = "Act", .line = "", .leads = "", .opens = "a"},
        {.kind = CHAT_FORM, .form = CHAT_FORM_WHY, .label = "Why?", .line = "", .opens = ""},
        {.label = "E", .line = "e", .leads = "", .opens = ""},
        {.label = "F", .line = "f", .leads = "", .opens = ""},
        {.label = "G", .line = "g", .leads = "", .opens = ""}};
    struct chat_out out = {.bond = PANEL, .path = PATH, .controls = controls, .control_count = 7};
    (void)state;
    assert_true(strlen(PATH) < CHAT_PATH_SIZE);
    json_t *const rows = controls_rows(&out);
    assert_int_equal(json_array_size(rows), 3); // the menu first, then five buttons, then one
    for (size_t column = 0; column < CONTROLS_ROW; column++) {
        assert_true(strlen(id_of(rows, 1, column)) < CONTROLS_ID_SIZE);
    }
    struct controls_press press = press_of(id_of(rows, 0, 0), json_pack("[s, s]", "2", "1"));
    assert_int_equal(press.number, 2);
    assert_string_equal(press.path, PATH);
    assert_true(press.bond.version == PANEL.version && press.bond.decision == PANEL.decision);
    assert_int_equal(press.bond.on, CHAT_ON_PANEL);
    assert_string_equal(press.bond.table, PANEL.table);
    assert_int_equal(press.pick_count, 2);
    assert_true(press.picks[0] == 2 && press.picks[1] == 1);
    press = press_of(id_of(rows, 1, 0), json_array());
    assert_int_equal(press.number, 1);
    press = press_of(id_of(rows, 1, 1), json_array());
    assert_int_equal(press.number, 0);
    assert_string_equal(press.path, "a");
    press = press_of(id_of(rows, 2, 0), json_array());
    assert_int_equal(press.number, 7);
    json_decref(rows);
    out.control_count = 0;
    json_t *const none = controls_rows(&out);
    assert_int_equal(json_array_size(none), 0);
    json_decref(none);
}

// A form is shown for what its control says, and comes back filled in.
static void a_form_comes_back_filled_in(void **state)
{
    const struct chat_control control = {
        .kind = CHAT_FORM, .form = CHAT_FORM_CARD, .label = "Find a card", .opens = ""};
    const struct chat_out out = {.bond = PANEL, .controls = &control, .control_count = 1};
    (void)state;
    json_t *const rows = controls_rows(&out);
    const struct controls_press press = press_of(id_of(rows, 0, 0), json_array());
    assert_int_equal(press.bond.on, CHAT_ON_FORM);
    assert_int_equal(press.form, CHAT_FORM_CARD);
    json_t *const form = controls_show_form(&press);
    const struct controls_press again =
        press_of(json_string_value(json_object_get(form, "custom_id")), json_array());
    assert_int_equal(again.form, CHAT_FORM_CARD);
    assert_string_equal(again.bond.table, PANEL.table);
    json_t *const filled = json_pack("{s:[{s:i, s:{s:s}}]}", "components", "type", 18, "component",
                                     "value", "Magic Missile");
    assert_string_equal(controls_written(filled), "Magic Missile");
    assert_string_equal(controls_written(form), "");
    json_decref(filled);
    json_decref(form);
    json_decref(rows);
}

static void what_was_never_offered_is_nothing(void **state)
{
    static const char *const BAD[] = {"",
                                      "m1",
                                      "m1:",
                                      "m1:t",
                                      "m1:t:c",
                                      "m1:t:c1",
                                      "m1:t:c1:0",
                                      "m1:t:c1:0:",
                                      "m1:t:c1:0:0",
                                      "m1:t:c1:0:0:",
                                      "m1:t:c1:0:1",
                                      "m1:t:c1:0:-1:",
                                      "m1:t:c1:0:_:",
                                      "m1:t:c1:0:99999:",
                                      "m1:t:c1z141z4:0:1:",
                                      "m1:t:x1:0:1:",
                                      "m1:t:-1:0:1:",
                                      "m1:t:c1:1ekg:1:",
                                      "m1:t:f1:0:9:",
                                      "m2:t:c1:0:1:",
                                      "m1::c1:0:1:",
                                      "m1:twentyfourbytesandonemore:c1:0:1:",
                                      ("m1:t:c1:0:1:"
                                       "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")};
    (void)state;
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        struct controls_press press;
        json_t *const data = json_pack("{s:s}", "custom_id", BAD[i]);
        assert_false(controls_pressed(data, &press));
        json_decref(data);
    }
    static const char *const VALUES[] = {"[\"0\"]", "[\"q\"]", "[1]", "[\"\"]"};
    for (size_t i = 0; i < sizeof VALUES / sizeof VALUES[0]; i++) {
        struct controls_press press;
        json_t *const values = json_loads(VALUES[i], 0, NULL);
        json_t *const data =
            json_pack("{s:s, s:o}", "custom_id", "m1:t:p1:0:1:a", "values", values);
        assert_int_equal(controls_pressed(data, &press), i == 0);
        assert_true(i != 0 || press.picks[0] == 0); // out of range, as bot/ finds
        json_decref(data);
    }
}

static const char GOOD[] =
    "{\"id\":\"175928847299117063\",\"type\":2,\"token\":\"t\",\"version\":1,"
    "\"guild_id\":\"5\",\"channel_id\":\"6\",\"channel\":{\"name\":\"cards\"},"
    "\"member\":{\"nick\":null,\"permissions\":\"16\",\"user\":{\"id\":\"7\","
    "\"username\":\"ann\",\"global_name\":\"Ann\"}},\"app_permissions\":\"309237763072\","
    "\"data\":{\"name\":\"munch\"},\"unknown\":[1,2]}";

static void an_interaction_is_read(void **state)
{
    (void)state;
    struct interaction in;
    struct mb_error err = {0};
    assert_true(interaction_read(GOOD, strlen(GOOD), &in, &err));
    assert_int_equal(in.type, INTERACTION_COMMAND);
    assert_string_equal(in.person, "7");
    assert_string_equal(in.name, "Ann");
    assert_string_equal(in.guild, "5");
    assert_string_equal(in.channel_name, "cards");
    assert_true(in.moderates);
    assert_true(in.app_permissions == UINT64_C(309237763072));
    assert_true(in.at_ms == INT64_C(1462015105796)); // the moment in its id
    interaction_finish(&in);
}

#define WITH(more)                                                                                 \
    "{\"id\":\"175928847299117063\",\"type\":2,\"token\":\"a\\u0062c\",\"channel_id\":\"6\","      \
    "\"user\":{\"id\":\"7\",\"username\":\"ann\"},\"data\":{}" more "}"

static void what_is_used_is_read_and_nothing_else(void **state)
{
    (void)state;
    static const char GOODS[][320] = {WITH(""),
                                      WITH(",\"guild\":{\"features\":[12e999,\"\\ud800\"]}"),
                                      WITH(",\"message\":{\"id\":\"8\",\"components\":[[{}]]}"),
                                      WITH(",\"message\":null,\"member\":null,\"channel\":[]")};
    static const char BADS[][320] = {WITH(",\"type\":2"), WITH(",\"user\":{\"id\":\"7\"}"),
                                     WITH(",\"data\":{\"a\":1,\"a\":2}"),
                                     WITH(",\"message\":{\"id\":\"8\",\"id\":\"9\"}"),
                                     WITH(",\"channel\":{\"name\":\"\\ud800\"}")};
    struct interaction in;
    struct mb_error err = {0};
    for (size_t i = 0; i < sizeof GOODS / sizeof GOODS[0]; i++) {
        assert_true(interaction_read(GOODS[i], strlen(GOODS[i]), &in, &err));
        assert_string_equal(in.token, "abc");
        assert_string_equal(in.name, "ann");
        assert_string_equal(in.message, i == 2 ? "8" : "");
        interaction_finish(&in);
    }
    for (size_t i = 0; i < sizeof BADS / sizeof BADS[0]; i++) {
        assert_false(interaction_read(BADS[i], strlen(BADS[i]), &in, &err));
    }
}

// Every byte cut off, and every byte another: refused or read, never worse.
static void a_damaged_interaction_does_no_harm(void **state)
{
    (void)state;
    char text[sizeof GOOD];
    for (size_t i = 0; i < sizeof GOOD - 1; i++) {
        static const char BYTES[] = "\"{}[]:,0z\x80";
        struct interaction in;
        struct mb_error err = {0};
        assert_false(interaction_read(GOOD, i, &in, &err));
        for (size_t j = 0; j < sizeof BYTES; j++) {
            memcpy(text, GOOD, sizeof text);
            text[i] = BYTES[j];
            struct mb_error why = {0};
            if (interaction_read(text, sizeof text - 1, &in, &why)) {
                assert_true(discord_is_id(in.id) && discord_is_id(in.person) &&
                            discord_is_id(in.channel));
                interaction_finish(&in);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_people_type_does_nothing),
        cmocka_unit_test(marks_become_markup_or_nothing),
        cmocka_unit_test(a_chat_is_called_a_channel),
        cmocka_unit_test(what_is_pushed_is_a_line_and_a_place),
        cmocka_unit_test(a_clock_counts_down_by_itself),
        cmocka_unit_test(what_is_too_long_ends_with_a_line),
        cmocka_unit_test(a_text_of_any_length_fits_its_message),
        cmocka_unit_test(only_who_is_meant_is_called),
        cmocka_unit_test(a_card_has_a_part_a_player),
        cmocka_unit_test(a_card_has_the_colour_of_its_mood),
        cmocka_unit_test(a_mark_makes_one_nonce),
        cmocka_unit_test(a_mark_is_on_what_has_controls),
        cmocka_unit_test(controls_come_back),
        cmocka_unit_test(a_form_comes_back_filled_in),
        cmocka_unit_test(what_was_never_offered_is_nothing),
        cmocka_unit_test(an_interaction_is_read),
        cmocka_unit_test(what_is_used_is_read_and_nothing_else),
        cmocka_unit_test(a_damaged_interaction_does_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
