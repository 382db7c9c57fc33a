/* Parcels: pieces come out as they went in; what is damaged is not opened. */
#include <string.h>

#include "core/codec/parcel.h"

#include "tests/support/test.h"

static void pieces_come_out_as_they_went_in(void **state)
{
    (void)state;
    enum { PIECES = 3000, BIG = 200000 };
    static unsigned char big[BIG];
    struct parcel parcel = {.at = NULL};
    struct parcel open;
    const unsigned char *piece = NULL;
    size_t size = 0;
    size_t offset = 0;
    for (unsigned i = 0; i < PIECES; i++) {
        parcel_add(&parcel, &i, i % 5);
    }
    parcel_add(&parcel, big, sizeof big);
    assert_true(parcel_close(&parcel));
    assert_true(parcel.used < BIG / 4);
    assert_true(parcel_open(&open, parcel.at, parcel.used));
    for (unsigned i = 0; i < PIECES; i++) {
        assert_true(parcel_next(&open, &offset, &piece, &size));
        assert_int_equal(size, i % 5);
        assert_memory_equal(piece, &i, size < sizeof i ? size : sizeof i);
    }
    assert_true(parcel_next(&open, &offset, &piece, &size));
    assert_int_equal(size, BIG);
    assert_false(parcel_next(&open, &offset, &piece, &size));
    parcel_finish(&open);
    parcel_finish(&parcel);
}

static void an_empty_one_has_none(void **state)
{
    (void)state;
    struct parcel parcel = {.at = NULL};
    struct parcel open;
    const unsigned char *piece = NULL;
    size_t size = 0;
    size_t offset = 0;
    assert_true(parcel_close(&parcel));
    assert_true(parcel_open(&open, parcel.at, parcel.used));
    assert_false(parcel_next(&open, &offset, &piece, &size));
    parcel_finish(&open);
    parcel_finish(&parcel);
}

// Some bits of a squeezed stream mean nothing; what is opened is what was closed.
static void what_is_damaged_is_not_opened(void **state)
{
    (void)state;
    enum { NUMBERS = 100 };
    struct parcel parcel = {.at = NULL};
    struct parcel open;
    unsigned opened = 0;
    for (unsigned i = 0; i < NUMBERS; i++) {
        parcel_add(&parcel, &i, sizeof i);
    }
    assert_true(parcel_close(&parcel));
    for (size_t i = 0; i < parcel.used; i++) {
        assert_false(parcel_open(&open, parcel.at, i));
        parcel.at[i] ^= 0x40u;
        if (parcel_open(&open, parcel.at, parcel.used)) {
            const unsigned char *piece = NULL;
            size_t size = 0;
            size_t offset = 0;
            for (unsigned n = 0; n < NUMBERS; n++) {
                assert_true(parcel_next(&open, &offset, &piece, &size));
                assert_memory_equal(piece, &n, sizeof n);
            }
            parcel_finish(&open);
            opened++;
        }
        parcel.at[i] ^= 0x40u;
    }
    assert_in_range(opened, 0, 4);
    parcel_finish(&parcel);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_come_out_as_they_went_in),
        cmocka_unit_test(an_empty_one_has_none),
        cmocka_unit_test(what_is_damaged_is_not_opened),
    };
    return cmocka_run_group_tests_name("parcel", tests, NULL, NULL);
}
