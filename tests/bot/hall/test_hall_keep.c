// What adapters keep in the store beside tables: it is there again after a restart, also if the
// store has failed meanwhile.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/chat_impl.h"

#include "tests/support/chance.h"
#include "tests/support/faulty_store.h"
#include "tests/support/stage.h"
#include "tests/support/store_talk.h"
#include "tests/support/table.h"
#include "tests/support/test.h"

enum { READ_SIZE = 256 };

struct fixture {
    struct catalog *catalog;
    struct stage stage;
    unsigned kept, answered; // questions of either kind
    char read[READ_SIZE];    // "word=bytes;" of each
};

static int set_up(void **state)
{
    struct fixture *const f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->catalog = given_catalog();
    chance_fix();
    stage_open_on(&f->stage, f->catalog, STAGE_SQLITE);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *const f = *state;
    stage_close(&f->stage);
    catalog_destroy(f->catalog);
    free(f);
    return 0;
}

static void is_done(void *user, const struct chat_kept *items, size_t count)
{
    struct fixture *const f = user;
    (void)items;
    assert_int_equal(count, 0);
    f->kept++;
}

static void was_read(void *user, const struct chat_kept *items, size_t count)
{
    struct fixture *const f = user;
    f->answered++;
    f->read[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        const size_t length = strlen(f->read);
        (void)snprintf(f->read + length, sizeof f->read - length, "%s=%.*s;", items[i].word,
                       (int)items[i].size, (const char *)items[i].at);
    }
}

static void keep(struct fixture *f, const char *word, const char *bytes)
{
    const struct chat_kept item = {
        .word = word, .at = bytes, .size = bytes != NULL ? strlen(bytes) : 0};
    assert_true(chat_keep(f->stage.chat, &item, is_done, f));
}

static const char *reads(struct fixture *f, const char *begins)
{
    const unsigned before = f->answered;
    assert_true(chat_read(f->stage.chat, begins, was_read, f));
    for (unsigned i = 0; i < 100 && f->answered == before; i++) {
        stage_pass(&f->stage, 1000);
    }
    assert_int_equal(f->answered, before + 1);
    return f->read;
}

static void it_outlives_the_process(void **state)
{
    struct fixture *const f = *state;
    keep(f, "since", "s1");
    keep(f, "room/@ann", "!a");
    keep(f, "since", "s2");
    assert_string_equal(reads(f, "since"), "since=s2;"); // in the order it was asked for
    assert_int_equal(f->kept, 3);
    stage_restart(&f->stage);
    assert_string_equal(reads(f, "since"), "since=s2;");
    assert_string_equal(reads(f, "room/"), "room/@ann=!a;");
    keep(f, "since", NULL);
    assert_string_equal(reads(f, "since"), "");
}

// Who ends it waits for that: else a session that has just begun is lost with its process.
static void it_is_under_way_until_it_is_kept(void **state)
{
    struct fixture *const f = *state;
    assert_string_equal(reads(f, ""), "");
    assert_false(hall_is_busy(f->stage.hall));
    keep(f, "since", "s1");
    assert_true(hall_is_busy(f->stage.hall));
    assert_string_equal(reads(f, "since"), "since=s1;");
    assert_false(hall_is_busy(f->stage.hall));
}

static void each_network_has_words_of_its_own(void **state)
{
    struct fixture *const f = *state;
    const struct chat_kept item = {.word = "since", .at = "x", .size = 1};
    keep(f, "since", "s1");
    assert_true(chat_keep(f->stage.other, &item, NULL, NULL));
    assert_string_equal(reads(f, "since"), "since=s1;");
}

static void a_store_that_fails_is_asked_again(void **state)
{
    struct fixture *const f = *state;
    keep(f, "a", "1");
    (void)reads(f, "a");
    for (unsigned n = 1; n < 6; n++) {
        for (enum fault fault = FAULT_BEFORE; fault <= FAULT_TWICE; fault++) {
            const char word[] = {(char)('a' + n), (char)('a' + (int)fault), '\0'};
            faulty_store_fault(f->stage.store, fault, n);
            keep(f, "a", word);
            const char wanted[] = {'a', '=', word[0], word[1], ';', '\0'};
            assert_string_equal(reads(f, "a"), wanted);
            faulty_store_release(f->stage.store);
        }
    }
}

static void was_held(void *user, const struct chat_kept *items, size_t count)
{
    struct fixture *const f = user;
    f->answered++;
    (void)snprintf(f->read, sizeof f->read, "%s", count > 0 ? items[0].word : "");
}

static void a_word_is_held_beside_those_that_are_kept(void **state)
{
    struct fixture *const f = *state;
    for (unsigned i = 1; i <= 2; i++) { // one's own stays one's own
        assert_true(chat_hold(f->stage.chat, "shard/0", was_held, f));
        for (unsigned j = 0; j < 100 && f->answered < i; j++) {
            stage_pass(&f->stage, 1000);
        }
        assert_int_equal(f->answered, i);
        assert_string_equal(f->read, "shard/0");
    }
    assert_string_equal(reads(f, "shard/"), "");
}

static void a_word_is_held_for_a_while(void **state)
{
    enum { WHILE_MS = 8000, AGAIN = 4 };
    static const char *const FOUND[AGAIN] = {"identify/0", "", "", "identify/0"};
    struct fixture *const f = *state;
    for (unsigned i = 0; i < AGAIN; i++) { // one's own, too, is nobody's before it is over
        assert_true(chat_hold_for(f->stage.chat, "identify/0", WHILE_MS, was_held, f));
        stage_pass(&f->stage, 3000);
        assert_int_equal(f->answered, i + 1);
        assert_string_equal(f->read, FOUND[i]);
    }
}

// Of what many ask for, some is looked at at a time; what is to be held does not wait for it.
static void many_words_are_kept_in_their_order(void **state)
{
    enum { MANY = 300 };
    struct fixture *const f = *state;
    for (unsigned i = 0; i < MANY; i++) {
        char word[16];
        char bytes[16];
        (void)snprintf(word, sizeof word, "word/%u", i % 100);
        (void)snprintf(bytes, sizeof bytes, "%u", i);
        keep(f, word, bytes);
    }
    assert_true(chat_hold(f->stage.chat, "shard/0", was_held, f));
    stage_pass(&f->stage, 1000);
    assert_int_equal(f->answered, 1);
    assert_string_equal(reads(f, "word/99"), "word/99=299;"); // the third, behind the others
    assert_int_equal(f->kept, MANY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(it_outlives_the_process, set_up, tear_down),
        cmocka_unit_test_setup_teardown(it_is_under_way_until_it_is_kept, set_up, tear_down),
        cmocka_unit_test_setup_teardown(each_network_has_words_of_its_own, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_store_that_fails_is_asked_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(many_words_are_kept_in_their_order, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_word_is_held_for_a_while, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_word_is_held_beside_those_that_are_kept, set_up,
                                        tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
