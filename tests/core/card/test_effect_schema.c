#include <string.h>

#include "core/card/effect_schema.h"
#include "core/curse/curse_hit.h"

#include "tests/support/test.h"

static void test_every_op_has_a_schema(void **state)
{
    (void)state;
    for (unsigned op = 0; op < EFFECT_TOTAL; op++) {
        const struct effect_schema *schema = effect_schema(op);
        assert_non_null(schema->help);
        assert_int_equal(effect_find(effect_name(op)), op);
        // The second argument is used only after the first.
        assert_true(schema->args[0].name != NULL || schema->args[1].name == NULL);
        for (unsigned i = 0; i < EFFECT_ARGS_MAX; i++) {
            assert_true((schema->args[i].name != NULL) == (schema->args[i].type != ARG_NONE));
        }
    }
    assert_int_equal(effect_find("juggle"), EFFECT_TOTAL);
    assert_string_equal(effect_name(EFFECT_TREASURE_FOR_DOOR), "exchange");
    assert_string_equal(effect_name(EFFECT_TOTAL), "?");
}

// An answer moment opens only if a Curse would do something: every op has an answer to that.
static void test_every_op_carried_out_can_tell_what_it_would_hit(void **state)
{
    (void)state;
    for (unsigned op = 0; op < EFFECT_TOTAL; op++) {
        assert_int_equal(curse_hit_answers(op), !effect_schema(op)->counted);
    }
    assert_false(curse_hit_answers(EFFECT_TOTAL));
}

static void test_every_word_is_found_again(void **state)
{
    (void)state;
    for (unsigned table = 0; table < WORDS_TOTAL; table++) {
        enum word_table t = (enum word_table)table;
        assert_true(word_count(t) > 1);
        for (unsigned i = 0; i < word_count(t); i++) {
            assert_int_equal(word_find(t, word_name(t, i)), i);
        }
        assert_int_equal(word_find(t, "no such word"), word_count(t));
        assert_string_equal(word_name(t, word_count(t)), "?");
    }
    assert_int_equal(word_count(WORDS_KIND), KIND_TOTAL);
    assert_int_equal(word_count(WORDS_TRIGGER), TRIGGER_TOTAL);
    assert_int_equal(word_find(WORDS_KIND, "one_shot"), KIND_ONESHOT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_op_has_a_schema),
        cmocka_unit_test(test_every_op_carried_out_can_tell_what_it_would_hit),
        cmocka_unit_test(test_every_word_is_found_again),
    };
    return cmocka_run_group_tests_name("effect_schema", tests, NULL, NULL);
}
