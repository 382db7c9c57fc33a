// The one reader of characters, and the one table of those that nobody sees.
#include "core/codec/utf8.h"

#include "tests/support/test.h"

static unsigned put(uint32_t code, char bytes[5])
{
    const unsigned more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const unsigned LEADS[] = {0, 0xC0, 0xE0, 0xF0};
    bytes[0] = (char)(LEADS[more] | (code >> (6 * more)));
    for (unsigned i = 1; i <= more; i++) {
        bytes[i] = (char)(0x80u | ((code >> (6 * (more - i))) & 0x3Fu));
    }
    bytes[more + 1] = '\0';
    return more + 1;
}

static void every_character_is_read_again(void **state)
{
    (void)state;
    for (uint32_t code = 0; code <= 0x10FFFF; code++) {
        const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
        char bytes[5];
        uint32_t read = 0;
        const unsigned length = put(code, bytes);
        assert_int_equal(utf8_read(bytes, UTF8_MOST, &read), surrogate ? 0 : length);
        assert_int_equal(read, code);
        assert_int_equal(utf8_read(bytes, length - 1, &read), 0);
        assert_int_equal(utf8_is_text(bytes), !surrogate);
    }
}

static void what_is_no_character_is_no_text(void **state)
{
    static const char *const WRONG[] = {
        "\x80",     "\xC1\xBF", "\xE0\x9F\xBF", "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80",
        "\xF5\x80", "\xC3",     "\xE2\x82",     "A\xEFz",           "\xFF",
    };
    (void)state;
    for (size_t i = 0; i < sizeof WRONG / sizeof WRONG[0]; i++) {
        assert_false(utf8_is_text(WRONG[i]));
    }
    assert_true(utf8_is_text(""));
}

static void bytes_and_numbers_agree(void **state)
{
    (void)state;
    for (uint32_t code = 1; code <= 0x10FFFF; code++) {
        char bytes[5];
        const unsigned length = put(code, bytes);
        assert_int_equal(unseen_bytes(bytes), unseen_code(code) ? length : 0);
        for (unsigned i = 1; i < length; i++) { // cut short, or from the middle
            assert_int_equal(unseen_bytes(bytes + i), 0);
        }
        if (length > 1) {
            bytes[length - 1] = '\0';
        }
        assert_int_equal(unseen_bytes(bytes), length == 1 && unseen_code(code) ? 1 : 0);
    }
    assert_int_equal(unseen_bytes(""), 0);
}

static void what_turns_or_hides_is_found(void **state)
{
    static const uint32_t HIDDEN[] = {'\n',   0x7F,   0x9F,   0xAD,   0x200B, 0x200F,
                                      0x202E, 0x2066, 0xFEFF, 0xE000, 0xE0041};
    static const uint32_t SEEN[] = {' ', 'a', 0xA0, 0xE4, 0x2019, 0x4E2D, 0xFFFD, 0x1F480};
    (void)state;
    for (size_t i = 0; i < sizeof HIDDEN / sizeof HIDDEN[0]; i++) {
        assert_true(unseen_code(HIDDEN[i]));
    }
    for (size_t i = 0; i < sizeof SEEN / sizeof SEEN[0]; i++) {
        assert_false(unseen_code(SEEN[i]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_character_is_read_again),
        cmocka_unit_test(what_is_no_character_is_no_text),
        cmocka_unit_test(bytes_and_numbers_agree),
        cmocka_unit_test(what_turns_or_hides_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
