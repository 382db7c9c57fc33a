// The one table of characters that nobody sees, by number and in bytes.
#include "core/codec/unseen.h"

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
        cmocka_unit_test(bytes_and_numbers_agree),
        cmocka_unit_test(what_turns_or_hides_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
