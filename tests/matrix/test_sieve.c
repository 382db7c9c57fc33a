// What is left of an answer to a sync when parts of it are too long.
#include <stdlib.h>
#include <string.h>

#include "adapters/matrix/client/wire.h"

#include "tests/support/test.h"

enum { PART = 16, WHOLE = 100, READ = 100000 };

struct trial {
    const char *comes, *kept; // kept NULL: all of it
    unsigned cut;
};

static const char LONG[] = "0123456789abcdef";

static const struct trial TRIALS[] = {
    {"{}", NULL, 0},
    {"[]", NULL, 0},
    {"17", NULL, 0},
    {"{\"next_batch\":\"s1\",\"rooms\":{\"join\":{\"!a\":{\"b\":[1,2]},\"!c\":{}}}}", NULL, 0},
    {"{\"next_batch\":\"s1\",\"junk\":{\"a\":[\"0123456789\"]},\"x\":1}",
     "{\"next_batch\":\"s1\",\"junk\":null,\"x\":1}", 1},
    {"{\"rooms\":{\"join\":{\"!a\":{\"b\":\"0123456789\"},\"!c\":{}},\"leave\":{\"!d\":1}}}",
     "{\"rooms\":{\"join\":{\"!a\":null,\"!c\":{}},\"leave\":{\"!d\":1}}}", 1},
    // What is quoted is no bracket, comma or end.
    {"{\"rooms\":{\"join\":{\"!a\":{\"b\":\"\\\"}},]\\\\\",\"c\":\"xxxxx\"},\"!c\":{}}}}",
     "{\"rooms\":{\"join\":{\"!a\":null,\"!c\":{}}}}", 1},
    {" { \"rooms\" : { \"join\" : { \"!a\" : [\"0123456789abcdef\"] , \"!c\" : { } } } } ",
     " { \"rooms\" : { \"join\" : { \"!a\" : null, \"!c\" : { } } } } ", 1},
    // Only what is called "rooms" at the top is taken apart.
    {"{\"x\":{\"rooms\":{\"join\":{\"!a\":1}}}}", "{\"x\":null}", 1},
    {"{\"rooms\":{\"join\":[\"0123456789abcdef\"],\"y\":0}}", "{\"rooms\":{\"join\":null,\"y\":0}}",
     1},
    {"[\"0123456789abcdef\",\"0123456789abcdef\"]", NULL, 0},
    // More than all may be; what the next question needs is kept all the same.
    {"{\"rooms\":{\"join\":{\"!a\":\"0123456789\",\"!b\":\"0123456789\",\"!c\":\""
     "0123456789\",\"!d\":\"0123456789\",\"!e\":\"0123456789\",\"!f\":\"012345"
     "6789\"}},\"next_batch\":\"s2\"}",
     "{\"rooms\":{\"join\":{\"!a\":\"0123456789\",\"!b\":\"0123456789\",\"!c\":\""
     "0123456789\",\"!d\":\"0123456789\",\"!e\":false,\"!f\":false}},\"next_"
     "batch\":\"s2\"}",
     2},
    {"}]}", NULL, 0},
    {"{\"a\"", NULL, 0},
    {"", "", 0},
};

// In pieces of that many bytes.
static void check(const struct trial *trial, size_t piece)
{
    const struct sieve_bounds bounds = {.part = PART, .whole = WHOLE, .read = READ};
    struct sieve *const sieve = sieve_create(&bounds);
    const char *const kept = trial->kept != NULL ? trial->kept : trial->comes;
    size_t size = 0;
    assert_non_null(sieve);
    for (size_t at = 0; at < strlen(trial->comes); at += piece) {
        const size_t left = strlen(trial->comes) - at;
        assert_true(sieve_take(sieve, trial->comes + at, left < piece ? left : piece));
    }
    assert_int_equal(sieve_cut(sieve), trial->cut);
    char *const text = sieve_give(sieve, &size);
    assert_int_equal(size, strlen(kept));
    if (size > 0) {
        assert_memory_equal(text, kept, size);
    }
    free(text);
    sieve_destroy(sieve);
}

static void what_is_too_long_is_left_out_and_nothing_else(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof TRIALS / sizeof *TRIALS; i++) {
        check(&TRIALS[i], 1);
        check(&TRIALS[i], 7);
        check(&TRIALS[i], READ);
    }
}

// A room of 70 MiB beside another.
static void a_large_room_costs_no_memory(void **state)
{
    enum { MIB = 1024 * 1024, TIMES = 70 * MIB / 16, WHOLE_MIBS = 4 * MIB, READ_MIBS = 80 * MIB };
    static const char BEFORE[] = "{\"rooms\":{\"join\":{\"!a\":[\"";
    static const char BEHIND[] = "\"],\"!b\":{}}}}";
    static const char KEPT[] = "{\"rooms\":{\"join\":{\"!a\":null,\"!b\":{}}}}";
    const struct sieve_bounds bounds = {.part = MIB, .whole = WHOLE_MIBS, .read = READ_MIBS};
    struct sieve *const sieve = sieve_create(&bounds);
    size_t size = 0;
    (void)state;
    assert_non_null(sieve);
    assert_true(sieve_take(sieve, BEFORE, sizeof BEFORE - 1));
    for (size_t i = 0; i < TIMES; i++) {
        assert_true(sieve_take(sieve, LONG, sizeof LONG - 1));
    }
    assert_true(sieve_take(sieve, BEHIND, sizeof BEHIND - 1));
    char *const text = sieve_give(sieve, &size);
    assert_int_equal(size, sizeof KEPT - 1);
    assert_memory_equal(text, KEPT, size);
    free(text);
    sieve_destroy(sieve);
}

static void what_has_no_end_is_refused(void **state)
{
    const struct sieve_bounds bounds = {.part = PART, .whole = WHOLE, .read = READ};
    struct sieve *const sieve = sieve_create(&bounds);
    size_t read = 0;
    (void)state;
    assert_non_null(sieve);
    assert_true(sieve_take(sieve, "{\"a\":\"", 6));
    while (sieve_take(sieve, LONG, sizeof LONG - 1)) {
        read += sizeof LONG - 1;
    }
    assert_true(read > READ - 100 && read < READ);
    sieve_destroy(sieve);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_too_long_is_left_out_and_nothing_else),
        cmocka_unit_test(a_large_room_costs_no_memory),
        cmocka_unit_test(what_has_no_end_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
