#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/codec/memory.h"

#include "tests/support/test.h"

static void a_block_is_zeroed_and_grows_with_what_is_in_it(void **state)
{
    (void)state;
    unsigned char *block = mb_new(3, 5);
    for (unsigned i = 0; i < 15; i++) {
        assert_int_equal(block[i], 0);
    }
    memcpy(block, "abc", 4);
    block = mb_grow(block, 1000, 100);
    assert_string_equal((const char *)block, "abc");
    free(block);
    free(mb_new(0, 0));
    free(mb_grow(NULL, 0, 0));
}

static void room_for_one_more_is_twice_as_much(void **state)
{
    (void)state;
    unsigned *items = NULL;
    size_t room = 0;
    unsigned moves = 0;
    for (unsigned i = 0; i < 1000; i++) {
        const size_t before = room;
        items = mb_grow_for(items, i, &room, sizeof *items);
        moves += room != before ? 1 : 0;
        items[i] = i;
    }
    assert_int_equal(items[999], 999);
    assert_int_equal(moves, 8); // 8, 16, ... 1024
    free(items);
}

static void texts_are_copied(void **state)
{
    (void)state;
    assert_null(mb_text(NULL));
    char *const whole = mb_text("dragon");
    char *const piece = mb_text_of("dragon", 4);
    assert_string_equal(whole, "dragon");
    assert_string_equal(piece, "drag");
    free(whole);
    free(piece);
}

static void a_pool_holds_small_and_large_until_it_ends(void **state)
{
    (void)state;
    struct mb_pool pool = {0};
    const char *texts[500];
    for (unsigned i = 0; i < 500; i++) {
        char text[24];
        (void)snprintf(text, sizeof text, "card %u", i);
        texts[i] = mb_pool_text(&pool, text);
        unsigned char *const large = mb_pool_new(&pool, i, 100);
        assert_int_equal((uintptr_t)large % sizeof(void *), 0);
        memset(large, 0xff, (size_t)i * 100);
    }
    assert_string_equal(texts[0], "card 0");
    assert_string_equal(texts[499], "card 499");
    assert_null(mb_pool_text(&pool, NULL));
    assert_string_equal(mb_pool_text_of(&pool, "dragon", 2), "dr");
    assert_string_equal(mb_pool_word(&pool, "dragon"), "dragon");
    assert_string_equal(mb_pool_word(&pool, ""), "");
    assert_string_equal(mb_pool_word(&pool, NULL), "");
    assert_int_equal(*(unsigned char *)mb_pool_new(&pool, 1, 1), 0);
    mb_pool_finish(&pool);
    mb_pool_finish(&pool);
    assert_null(pool.last);
}

// Each way of asking for too much, in a process of its own.
static void too_much(unsigned how)
{
    struct mb_pool pool = {0};
    const size_t items = SIZE_MAX / 2;
    void *volatile kept = NULL;
    switch (how) {
    case 0:
        kept = mb_new(items, 16);
        break;
    case 1:
        kept = mb_grow(NULL, items, 16);
        break;
    default:
        kept = mb_pool_new(&pool, items, 16);
        break;
    }
    (void)kept;
}

static void without_memory_the_process_aborts(void **state)
{
    (void)state;
    for (unsigned how = 0; how < 3; how++) {
        int ends[2];
        assert_int_equal(pipe(ends), 0);
        const pid_t child = fork();
        if (child == 0) {
            (void)dup2(ends[1], STDERR_FILENO);
            (void)signal(SIGABRT, SIG_DFL);
            too_much(how);
            _exit(0);
        }
        (void)close(ends[1]);
        char said[256] = "";
        const ssize_t length = read(ends[0], said, sizeof said - 1);
        int status = 0;
        assert_int_equal(waitpid(child, &status, 0), child);
        (void)close(ends[0]);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
        assert_true(length > 0 && strncmp(said, "munchbot: out of memory", 23) == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_is_zeroed_and_grows_with_what_is_in_it),
        cmocka_unit_test(room_for_one_more_is_twice_as_much),
        cmocka_unit_test(texts_are_copied),
        cmocka_unit_test(a_pool_holds_small_and_large_until_it_ends),
        cmocka_unit_test(without_memory_the_process_aborts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
