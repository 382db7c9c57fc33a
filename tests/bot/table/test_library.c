/* Mixes of card sets: found again, and no more of them than fit. */
#include <string.h>

#include "bot/table/library.h"

#include "tests/support/table.h"
#include "tests/support/test.h"

// The n-th order of the catalogue's first five sets.
static void order_of(const struct catalog *all, unsigned n, uint8_t out[5][CATALOG_DIGEST_SIZE])
{
    unsigned left[5] = {0, 1, 2, 3, 4};
    for (unsigned i = 0; i < 5; i++) {
        const unsigned at = n % (5 - i);
        n /= 5 - i;
        memcpy(out[i], catalog_set(all, left[at])->digest, CATALOG_DIGEST_SIZE);
        memmove(left + at, left + at + 1, (4 - at) * sizeof left[0]);
    }
}

static void there_are_only_so_many_mixes(void **state)
{
    (void)state;
    enum { ORDERS = 120 };
    struct catalog *const all = given_catalog();
    struct library *const library = library_create(all);
    struct mb_error err = {0};
    uint8_t digests[5][CATALOG_DIGEST_SIZE];
    uint64_t newest = 0;
    assert_true(catalog_set_count(all) >= 5 && (int)LIBRARY_MIXES_MAX < (int)ORDERS);
    order_of(all, 0, digests);
    const struct mix *const first = library_mix(library, digests[0], 5, &err);
    assert_non_null(first);
    const uint64_t number = first->number;
    for (unsigned i = 1; i < ORDERS; i++) {
        order_of(all, i, digests);
        const struct mix *const mix = library_mix(library, digests[0], 5, &err);
        assert_true(mix != NULL && mix->number > newest);
        newest = mix->number;
        assert_memory_equal(mix->digests, digests, sizeof digests);
        order_of(all, 0, digests); // whoever is asked for stays
        assert_int_equal(library_mix(library, digests[0], 5, &err)->number, number);
    }
    order_of(all, 1, digests); // it has made room, and is made anew
    assert_true(library_mix(library, digests[0], 5, &err)->number > newest);
    order_of(all, ORDERS - 1, digests);
    assert_int_equal(library_mix(library, digests[0], 5, &err)->number, newest);
    library_destroy(library);
    catalog_destroy(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(there_are_only_so_many_mixes)};
    return cmocka_run_group_tests_name("library", tests, NULL, NULL);
}
