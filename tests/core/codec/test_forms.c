// A form that is raised: bytes of the one before are read, those of a later one are not. What is
// coded is made up, with a colour that came with the second form; tests/forms holds what there was.
#include <string.h>

#include "core/codec/coder.h"

#include "tests/support/test.h"

enum { TEXT_SIZE = 8, ROOM = 64, WHITE = 7, RED = 3 };

static const char LETTERS[] = "MBX";

struct card {
    uint16_t number;
    char text[TEXT_SIZE];
    uint8_t colour; // since form 2; white before
};

static const struct card CARD = {.number = 300, .text = "Bob", .colour = RED};

static void code(struct coder *coder, struct card *card)
{
    coder_u16(coder, &card->number);
    coder_text(coder, card->text, sizeof card->text);
    if (coder->form >= 2) {
        coder_u8(coder, &card->colour);
    } else {
        card->colour = WHITE;
    }
}

static size_t encode(struct card card, unsigned form, unsigned char out[ROOM])
{
    unsigned char plain[ROOM];
    struct coder coder = coder_write(plain, sizeof plain);
    coder.form = form;
    code(&coder, &card);
    coder_head_write(out, LETTERS, form);
    return CODER_HEAD_SIZE + coder_pack(&coder, out + CODER_HEAD_SIZE, ROOM - CODER_HEAD_SIZE);
}

// By a program whose newest form this is.
static bool decode(const unsigned char *in, size_t size, unsigned newest, struct card *out)
{
    unsigned char plain[ROOM];
    struct coder coder;
    const unsigned form = coder_head_form(in, LETTERS);
    if (form == 0 || form > newest ||
        !coder_unpack(in + CODER_HEAD_SIZE, size - CODER_HEAD_SIZE, plain, sizeof plain, &coder)) {
        return false;
    }
    coder.form = form;
    code(&coder, out);
    return coder_end(&coder);
}

static void what_came_later_has_its_first_value(void **state)
{
    (void)state;
    unsigned char bytes[ROOM];
    struct card read = {0};
    const size_t size = encode(CARD, 1, bytes);
    assert_true(decode(bytes, size, 2, &read));
    assert_int_equal(read.number, CARD.number);
    assert_string_equal(read.text, CARD.text);
    assert_int_equal(read.colour, WHITE);
}

static void the_newest_form_holds_all(void **state)
{
    (void)state;
    unsigned char bytes[ROOM];
    struct card read = {0};
    const size_t size = encode(CARD, 2, bytes);
    assert_true(decode(bytes, size, 2, &read));
    assert_int_equal(read.colour, RED);
}

static void a_newer_form_is_not_read(void **state)
{
    (void)state;
    unsigned char bytes[ROOM];
    struct card read = {0};
    const size_t size = encode(CARD, 2, bytes);
    assert_false(decode(bytes, size, 1, &read));
    bytes[CODER_HEAD_SIZE - 1] = 1; // and has no right length as an older one
    assert_false(decode(bytes, size, 1, &read));
}

static void other_bytes_have_no_form(void **state)
{
    (void)state;
    static const unsigned char OTHER[] = {'M', 'B', 'Y', 1};
    static const unsigned char NONE[] = {'M', 'B', 'X', 0};
    assert_int_equal(coder_head_form(OTHER, LETTERS), 0);
    assert_int_equal(coder_head_form(NONE, LETTERS), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_came_later_has_its_first_value),
        cmocka_unit_test(the_newest_form_holds_all),
        cmocka_unit_test(a_newer_form_is_not_read),
        cmocka_unit_test(other_bytes_have_no_form),
    };
    return cmocka_run_group_tests_name("forms", tests, NULL, NULL);
}
