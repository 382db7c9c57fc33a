// When a message is looked for in its room before it is sent once more.
#include <string.h>

#include "bot/text/text.h"

#include "adapters/matrix/say/letter.h"

#include "tests/support/test.h"

static const int64_t HOUR_MS = INT64_C(3600) * 1000;

static struct letter *make(bool again)
{
    const struct chat_out out = {
        .kind = CHAT_NARRATION, .place = "!a", .text = "It rains.", .again = again};
    struct letter *const letter = letter_make(&out, false, "munch");
    assert_non_null(letter);
    return letter;
}

static void what_was_never_tried_is_not_looked_for(void **state)
{
    struct letter *const letter = make(false);
    (void)state;
    assert_false(letter_is_doubtful(letter, 100 * HOUR_MS));
    letter_free(letter);
}

static void what_an_earlier_process_may_have_sent_is_looked_for_once(void **state)
{
    struct letter *const letter = make(true);
    (void)state;
    assert_true(letter_is_doubtful(letter, 0));
    letter->tried_ms = letter->looked_ms = 0;
    assert_false(letter_is_doubtful(letter, 11 * HOUR_MS));
    letter_free(letter);
}

// A server that is away for days may take it each time without saying so.
static void half_a_day_behind_each_look_it_is_looked_for_again(void **state)
{
    struct letter *const letter = make(false);
    (void)state;
    letter->tried_ms = HOUR_MS;
    assert_false(letter_is_doubtful(letter, 12 * HOUR_MS));
    assert_true(letter_is_doubtful(letter, 13 * HOUR_MS));
    letter->looked_ms = 13 * HOUR_MS;
    assert_false(letter_is_doubtful(letter, 24 * HOUR_MS));
    assert_true(letter_is_doubtful(letter, 25 * HOUR_MS));
    letter->looked_ms = 25 * HOUR_MS;
    assert_false(letter_is_doubtful(letter, 26 * HOUR_MS));
    letter_free(letter);
}

static struct letter *card(uint32_t chapter, const char *kept, const char *story)
{
    const struct chat_out out = {.kind = CHAT_CARD,
                                 .place = "!a",
                                 .replaces = "$old",
                                 .chapter = chapter,
                                 .kept = kept,
                                 .story = story,
                                 .prompt = "Bob must kick.",
                                 .text = "The table."};
    struct letter *const letter = letter_make(&out, false, "munch");
    assert_non_null(letter);
    return letter;
}

// Of a card that was overtaken before it was sent the next one tells what the room does not show.
static void a_card_tells_what_an_overtaken_one_would_have_told(void **state)
{
    struct letter *const old = card(1, "One.\n", "One.\nTwo.\n");
    struct letter *const letter = card(2, "One.\n", "Three.\n");
    (void)state;
    letter_inherit(letter, old);
    assert_string_equal(letter->text, "Bob must kick.\nTwo.\nThree.\n\nThe table.");
    letter_free(old);
    letter_free(letter);
}

static void no_more_of_it_than_a_phone_shows(void **state)
{
    static const char LINE[] = "A line.\n";
    char many[40 * sizeof LINE] = "";
    (void)state;
    for (unsigned i = 0; i < 40; i++) {
        memcpy(many + i * (sizeof LINE - 1), LINE, sizeof LINE);
    }
    struct letter *const old = card(1, NULL, many);
    struct letter *const letter = card(2, NULL, "Three.\n");
    letter_inherit(letter, old);
    assert_int_equal(text_phone_lines(letter->text), TEXT_PHONE_LINES);
    assert_non_null(strstr(letter->text, "A line.\nThree.\n\nThe table."));
    letter_free(old);
    letter_free(letter);
}

static struct letter *named(const char *text, bool edits, uint8_t of)
{
    const uint8_t secret[CHAT_SECRET_SIZE] = {of};
    const struct chat_out out = {
        .kind = CHAT_HAND, .place = "!a", .person = "@ann:x", .replaces = "$old", .text = text};
    struct letter *const letter = letter_make(&out, false, "munch");
    assert_non_null(letter);
    letter->edits = edits;
    letter_name(letter, secret);
    return letter;
}

static bool same_name(const char *text, const char *other_text, bool edits, uint8_t other_of)
{
    struct letter *const letter = named(text, edits, 1);
    struct letter *const other = named(other_text, edits, other_of);
    const bool same = strcmp(letter->txn, other->txn) == 0;
    letter_free(letter);
    letter_free(other);
    return same;
}

// A server sees the name, and could try texts until one fits.
static void an_edit_is_named_by_its_text_and_the_secret(void **state)
{
    (void)state;
    assert_true(same_name("Your hand", "Your hand", true, 1));
    assert_false(same_name("Your hand", "Your hands", true, 1));
    assert_false(same_name("Your hand", "Your hand", true, 2));
}

static void what_takes_the_place_of_another_is_named_by_that(void **state)
{
    (void)state;
    assert_true(same_name("Your hand", "Your hands", false, 1));
    assert_false(same_name("Your hand", "Your hand", false, 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_never_tried_is_not_looked_for),
        cmocka_unit_test(what_an_earlier_process_may_have_sent_is_looked_for_once),
        cmocka_unit_test(half_a_day_behind_each_look_it_is_looked_for_again),
        cmocka_unit_test(a_card_tells_what_an_overtaken_one_would_have_told),
        cmocka_unit_test(no_more_of_it_than_a_phone_shows),
        cmocka_unit_test(an_edit_is_named_by_its_text_and_the_secret),
        cmocka_unit_test(what_takes_the_place_of_another_is_named_by_that),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
