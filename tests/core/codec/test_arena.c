#include <string.h>

#include "core/codec/catalog_impl.h"

#include "tests/support/test.h"

enum { BLOCK_SIZE = 64 };

struct fixture {
    struct mb_arena arena;
    _Alignas(16) unsigned char block[BLOCK_SIZE];
};

static int set_up(void **state)
{
    static struct fixture fixture;
    memset(fixture.block, 0xAA, sizeof fixture.block);
    mb_arena_init(&fixture.arena, fixture.block, sizeof fixture.block);
    *state = &fixture;
    return 0;
}

static void memory_is_zeroed_and_in_order(void **state)
{
    struct fixture *f = *state;
    const unsigned char *first = mb_arena_alloc(&f->arena, 3, 1);
    const unsigned char *second = mb_arena_alloc(&f->arena, 5, 1);
    assert_ptr_equal(first, f->block);
    assert_ptr_equal(second, f->block + 3);
    static const unsigned char ZEROS[8] = {0};
    assert_memory_equal(f->block, ZEROS, 8);
    assert_int_equal(f->block[8], 0xAA);
    assert_int_equal(f->arena.used, 8);
}

static void memory_is_aligned(void **state)
{
    struct fixture *f = *state;
    assert_non_null(mb_arena_alloc(&f->arena, 1, 1));
    assert_ptr_equal(mb_arena_alloc(&f->arena, 8, 8), f->block + 8);
    assert_ptr_equal(mb_arena_alloc(&f->arena, 1, 16), f->block + 16);
}

static void a_block_may_start_anywhere(void **state)
{
    struct fixture *f = *state;
    mb_arena_init(&f->arena, f->block + 1, BLOCK_SIZE - 1);
    assert_ptr_equal(mb_arena_alloc(&f->arena, 8, 8), f->block + 8);
    assert_int_equal(f->arena.used, 15);
}

static void the_last_byte_can_be_used(void **state)
{
    struct fixture *f = *state;
    assert_non_null(mb_arena_alloc(&f->arena, BLOCK_SIZE, 1));
    assert_null(mb_arena_alloc(&f->arena, 1, 1));
    assert_int_equal(f->arena.used, BLOCK_SIZE);
}

static void what_does_not_fit_changes_nothing(void **state)
{
    struct fixture *f = *state;
    assert_non_null(mb_arena_alloc(&f->arena, 50, 1));
    assert_null(mb_arena_alloc(&f->arena, 15, 1));
    assert_null(mb_arena_alloc(&f->arena, SIZE_MAX, 1));
    assert_null(mb_arena_alloc(&f->arena, 9, 8)); // of the 14 bytes left, alignment takes 6
    assert_int_equal(f->arena.used, 50);
}

static void an_empty_arena_has_nothing(void **state)
{
    (void)state;
    struct mb_arena arena;
    mb_arena_init(&arena, NULL, 0);
    assert_null(mb_arena_alloc(&arena, 1, 1));
}

static void text_is_copied_and_terminated(void **state)
{
    struct fixture *f = *state;
    char *copy = mb_arena_strdup(&f->arena, "Big Bug", 3);
    assert_string_equal(copy, "Big");
    assert_int_equal(f->arena.used, 4);
    assert_string_equal(mb_arena_strdup(&f->arena, "", 0), "");
}

static void text_that_does_not_fit_is_refused(void **state)
{
    struct fixture *f = *state;
    assert_non_null(mb_arena_alloc(&f->arena, BLOCK_SIZE - 3, 1));
    assert_null(mb_arena_strdup(&f->arena, "Bug", 3));
    assert_null(mb_arena_strdup(&f->arena, "Bug", SIZE_MAX));
    assert_string_equal(mb_arena_strdup(&f->arena, "Bug", 2), "Bu");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(memory_is_zeroed_and_in_order, set_up),
        cmocka_unit_test_setup(memory_is_aligned, set_up),
        cmocka_unit_test_setup(a_block_may_start_anywhere, set_up),
        cmocka_unit_test_setup(the_last_byte_can_be_used, set_up),
        cmocka_unit_test_setup(what_does_not_fit_changes_nothing, set_up),
        cmocka_unit_test(an_empty_arena_has_nothing),
        cmocka_unit_test_setup(text_is_copied_and_terminated, set_up),
        cmocka_unit_test_setup(text_that_does_not_fit_is_refused, set_up),
    };
    return cmocka_run_group_tests_name("arena", tests, NULL, NULL);
}
