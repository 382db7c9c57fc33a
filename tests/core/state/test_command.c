// The verbs of core/state/command.def: words, forms, and which fields each reads.
#include <stdio.h>
#include <string.h>

#include "core/state/command.h"

#include "tests/support/test.h"

/** A command that says everything. */
static struct command full(unsigned verb)
{
    struct command command = command_plain(0, verb);
    command.side = SIDE_PLAYERS;
    command.target_kind = TARGET_SEAT;
    command.target = 1;
    command.card = 1;
    command.ability = 1;
    command.to = 1;
    command.about = 1;
    command.bribe = 1;
    command.picking = 1;
    command.n = 1;
    command.list_count = 1;
    command.more_count = 1;
    return command;
}

static void a_word_is_its_verb(void **state)
{
    (void)state;
    for (unsigned verb = VERB_NONE + 1; verb < VERB_TOTAL; verb++) {
        assert_int_equal(command_find(command_word(verb)), verb);
    }
    assert_int_equal(command_find("sing"), VERB_NONE);
    assert_int_equal(command_find(""), VERB_NONE);
}

static void every_form_but_the_plain_one_reads_something(void **state)
{
    (void)state;
    for (unsigned verb = VERB_NONE + 1; verb < VERB_TOTAL; verb++) {
        struct command command = full(verb);
        const struct command plain = command_plain(0, verb);
        const enum command_form form = command_form(verb);
        assert_in_range(form, FORM_PLAIN, FORM_TOTAL - 1);
        assert_false(command_fits(&command));
        command_trim(&command);
        assert_true(command_fits(&command));
        const bool nothing = command.card == plain.card && command.n == plain.n &&
                             command.list_count == 0 && command.to == plain.to;
        assert_int_equal(nothing, form == FORM_PLAIN);
    }
}

static void what_is_no_verb_reads_nothing(void **state)
{
    (void)state;
    const struct command plain = command_plain(0, VERB_TOTAL);
    const struct command said = full(VERB_TOTAL);
    assert_int_equal(command_form(VERB_TOTAL), FORM_NONE);
    assert_string_equal(command_word(VERB_TOTAL), "");
    assert_true(command_fits(&plain));
    assert_false(command_fits(&said));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_word_is_its_verb),
        cmocka_unit_test(every_form_but_the_plain_one_reads_something),
        cmocka_unit_test(what_is_no_verb_reads_nothing),
    };
    return cmocka_run_group_tests_name("command", tests, NULL, NULL);
}
