// Texts as Matrix shows them, twice the same: plain and as HTML.
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "bot/text/text.h"

#include "adapters/matrix/say/prose.h"

#include "tests/support/test.h"

static struct prose *written(const char *text)
{
    static struct prose prose;
    (void)prose_write(text, PROSE_MAX, "(more)", NULL, 0, &prose);
    return &prose;
}

static void what_people_type_does_nothing(void **state)
{
    (void)state;
    assert_string_equal(written("<b>Ann</b> & \"Bob's\"")->html,
                        "&lt;b&gt;Ann&lt;/b&gt; &amp; &quot;Bob&#39;s&quot;");
    assert_string_equal(written("<b>Ann</b> & \"Bob's\"")->body, "<b>Ann</b> & \"Bob's\"");
}

static void marks_and_lines_become_html_or_nothing(void **state)
{
    const char text[] = {MARK_HEAD, 'T',         'u', 'r',      'n', MARK_END, '\n', ' ',
                         ' ',       MARK_PLAYER, 'A', MARK_END, '!', '\n',     '\0'};
    (void)state;
    assert_string_equal(written(text)->body, "Turn\n  A!");
    assert_string_equal(written(text)->html, "<b>Turn</b><br/>\xC2\xA0\xC2\xA0"
                                             "A!");
}

static void a_chat_is_called_a_room(void **state)
{
    const char text[] = {'a', ' ', MARK_CHAT, 'c', 'h', 'a', 't', MARK_END, '.', '\0'};
    (void)state;
    assert_string_equal(written(text)->body, "a room.");
    assert_string_equal(written(text)->html, "a room.");
}

static size_t cost(const char *text)
{
    json_t *const json = json_string(text);
    char *const dumped = json_dumps(json, JSON_ENCODE_ANY);
    const size_t length = strlen(dumped) - 2; // its quotes
    free(dumped);
    json_decref(json);
    return length;
}

// However dear its characters, an edit of it fits an event; and the reader is told.
static void what_is_too_long_ends_with_a_line(void **state)
{
    enum { LONG = 40000 };
    static char text[LONG + 1];
    static const char *const LINES[] = {"\"'\"'\"'\n", "<&<&<&<&\n", "plain words\n", "\n"};
    (void)state;
    for (size_t i = 0; i < sizeof LINES / sizeof *LINES; i++) {
        text[0] = '\0';
        for (size_t length = 0; length + strlen(LINES[i]) <= LONG; length += strlen(LINES[i])) {
            memcpy(text + length, LINES[i], strlen(LINES[i]) + 1);
        }
        const struct prose *const prose = written(text);
        assert_in_range(cost(prose->body), 1, PROSE_MAX);
        assert_in_range(cost(prose->html), 1, PROSE_MAX);
        assert_string_equal(prose->body + strlen(prose->body) - strlen("\n(more)"), "\n(more)");
        assert_string_equal(prose->html + strlen(prose->html) - strlen("<br/>(more)"),
                            "<br/>(more)");
    }
}

static const char *word(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static void a_notice_calls_nobody_and_says_so(void **state)
{
    (void)state;
    json_t *const content = content_message(&(const struct content_said){.text = "Hi"});
    assert_string_equal(word(content, "msgtype"), "m.notice");
    assert_int_equal(json_object_size(json_object_get(content, "m.mentions")), 0);
    assert_true(json_is_object(json_object_get(content, "m.mentions")));
    assert_null(json_object_get(content, "m.relates_to"));
    json_decref(content);
}

static void an_edit_stands_alone_and_replaces(void **state)
{
    static const char *const CALLED[] = {"@ann:hs"};
    static const char *const NAMES[] = {"Ann"};
    (void)state;
    json_t *const content = content_message(&(const struct content_said){.text = "Ann to move",
                                                                         .called = CALLED,
                                                                         .names = NAMES,
                                                                         .called_count = 1,
                                                                         .replaces = "$first"});
    assert_string_equal(word(content, "msgtype"), "m.text");
    assert_string_equal(word(content, "body"), "* Ann to move");
    const json_t *const fresh = json_object_get(content, "m.new_content");
    assert_string_equal(word(fresh, "body"), "Ann to move");
    const json_t *const called =
        json_object_get(json_object_get(content, "m.mentions"), "user_ids");
    assert_string_equal(json_string_value(json_array_get(called, 0)), "@ann:hs");
    assert_string_equal(word(json_object_get(content, "m.relates_to"), "event_id"), "$first");
    json_decref(content);
}

// Of whom it calls the first word that is their name is a link.
static void who_is_called_is_a_link(void **state)
{
    static const struct prose_called CALLED[] = {{"A<", "@a/\"b:hs"}, {"Cy", "@cy:hs"}};
    static struct prose prose;
    (void)state;
    (void)prose_write("Cyan A< asks B, A<", PROSE_MAX, "(more)", CALLED, 2, &prose);
    assert_string_equal(prose.body, "Cyan A< asks B, A< Cy");
    assert_string_equal(prose.html,
                        "Cyan <a href=\"https://matrix.to/#/@a%2F&quot;b:hs\">A&lt;</a> "
                        "asks B, A&lt; "
                        "<a href=\"https://matrix.to/#/@cy:hs\">Cy</a>");
}

// Who is called and not named in the first line is linked behind it.
static void who_is_not_named_is_linked_all_the_same(void **state)
{
    static const struct prose_called CALLED[] = {{"Ann", "@ann:hs"}, {"Bob", "@bob:hs"}};
    static struct prose prose;
    (void)state;
    (void)prose_write("Ann has won. Once more?\nBob: Level 4\n", PROSE_MAX, "(more)", CALLED, 2,
                      &prose);
    assert_string_equal(prose.body, "Ann has won. Once more? Bob\nBob: Level 4");
    assert_string_equal(prose.html, "<a href=\"https://matrix.to/#/@ann:hs\">Ann</a> has won. "
                                    "Once more? <a href=\"https://matrix.to/#/@bob:hs\">Bob</a>"
                                    "<br/>Bob: Level 4");
}

// A name with a mark in it would take one out of the text.
static void a_name_that_may_not_be_shown_is_no_link(void **state)
{
    static const char NAME[] = {'A', MARK_END, '\0'};
    static const char TEXT[] = {MARK_HEAD, 'A', MARK_END, '!', '\0'};
    const struct prose_called called = {NAME, "@a:hs"};
    static struct prose prose;
    (void)state;
    assert_true(prose_write(TEXT, PROSE_MAX, "(more)", &called, 1, &prose));
    assert_string_equal(prose.html, "<b>A</b>!");
}

// Sealed it is base64, a third larger, with some more around it; an event has 65,536 bytes.
static void what_is_sealed_fits_and_alone_an_edit_is_its_first_line(void **state)
{
    enum { LINES = 5000, EVENT_MAX = 65536, AROUND = 2000 };
    static const char LINE[] = "\"'<&\n";
    static char text[LINES * sizeof LINE + 16] = "Ann to move";
    (void)state;
    for (size_t i = 0, length = strlen(text); i < LINES; i++, length += strlen(LINE)) {
        memcpy(text + length, i == 0 ? "\n" : LINE, (i == 0 ? 1 : strlen(LINE)) + 1);
        length = i == 0 ? length + 1 - strlen(LINE) : length;
    }
    json_t *const content = content_message(
        &(const struct content_said){.text = text, .replaces = "$first", .sealed = true});
    char *const dumped = json_dumps(content, JSON_COMPACT);
    assert_in_range(strlen(dumped) * 4 / 3, PROSE_SEALED_MAX, EVENT_MAX - AROUND);
    assert_string_equal(word(content, "body"), "* Ann to move");
    assert_string_equal(word(content, "formatted_body"), "* Ann to move");
    assert_true(strncmp(word(json_object_get(content, "m.new_content"), "body"), "Ann to move\n\"",
                        13) == 0);
    free(dumped);
    json_decref(content);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_people_type_does_nothing),
        cmocka_unit_test(marks_and_lines_become_html_or_nothing),
        cmocka_unit_test(a_chat_is_called_a_room),
        cmocka_unit_test(what_is_sealed_fits_and_alone_an_edit_is_its_first_line),
        cmocka_unit_test(what_is_too_long_ends_with_a_line),
        cmocka_unit_test(who_is_called_is_a_link),
        cmocka_unit_test(who_is_not_named_is_linked_all_the_same),
        cmocka_unit_test(a_name_that_may_not_be_shown_is_no_link),
        cmocka_unit_test(a_notice_calls_nobody_and_says_so),
        cmocka_unit_test(an_edit_stands_alone_and_replaces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
