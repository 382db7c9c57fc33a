// The table of verbs: a row that lacks something fails here.
#include <stdio.h>
#include <string.h>

#include "bot/parse/parse_impl.h"
#include "bot/parse/verb.h"

#include "tests/support/test.h"

static void every_verb_of_the_core_can_be_read_and_worded(void **state)
{
    (void)state;
    unsigned count = 0;
    const struct verb_entry *entry = NULL;
    while ((entry = verb_next(entry)) != NULL) {
        if (entry->kind != REQUEST_GAME) {
            assert_int_equal(entry->verb, VERB_NONE);
            continue;
        }
        count++;
        assert_ptr_equal(entry->form, &VERB_FORMS[command_form(entry->verb)]);
        assert_string_equal(entry->word, command_word(entry->verb));
        assert_in_range(entry->group, 0, GROUP_TOTAL - 1);
        if (entry->form->read == NULL || entry->form->write == NULL) {
            fail_msg("\"%s\" cannot be said", entry->word);
        }
    }
    assert_int_equal(count, VERB_TOTAL - 2); // all but VERB_NONE and what the session says
}

static void every_request_has_one_row(void **state)
{
    (void)state;
    for (unsigned kind = REQUEST_WHY; kind < REQUEST_TOTAL; kind++) {
        unsigned rows = 0;
        const struct verb_entry *entry = NULL;
        while ((entry = verb_next(entry)) != NULL) {
            rows += entry->kind == kind;
            if (entry->kind == kind) {
                assert_in_range(entry->group, GROUP_TOTAL, VERBS_TOTAL - 1);
                assert_true(entry->form->read != NULL || kind == REQUEST_WHY);
            }
        }
        assert_int_equal(rows, 1);
    }
}

// Of the game's own commands the rules bound how often they can be said.
static void what_everybody_reads_has_a_bound(void **state)
{
    (void)state;
    const struct verb_entry *entry = NULL;
    while ((entry = verb_next(entry)) != NULL) {
        if (entry->kind != REQUEST_GAME && entry->open && entry->noise == NOISE_NONE) {
            fail_msg(
                "everybody reads \"%s\", and nothing bounds it: its row in verb.def lacks a noise",
                entry->word);
        }
    }
}

static void words_are_told_apart(void **state)
{
    (void)state;
    const struct verb_entry *a = NULL;
    while ((a = verb_next(a)) != NULL) {
        const struct verb_entry *b = a;
        while ((b = verb_next(b)) != NULL) {
            assert_string_not_equal(a->word, b->word);
        }
    }
}

static void tells_key_words(const struct verb_entry *entry, const char *grammar)
{
    for (unsigned key = KEY_NONE + 1; key < KEY_TOTAL; key++) {
        if ((entry->form->keys >> key & 1u) != 0 && strstr(grammar, key_name(key)) == NULL) {
            fail_msg("the help of \"%s\" does not tell of \"%s\"", entry->word, key_name(key));
        }
    }
}

static void help_begins_with_the_word_and_shows_the_key_words(void **state)
{
    (void)state;
    const struct verb_entry *entry = NULL;
    while ((entry = verb_next(entry)) != NULL) {
        char grammar[512];
        const char *const help = text_sentence(entry->help);
        const char *const colon = strchr(help, ':');
        assert_non_null(colon);
        (void)snprintf(grammar, sizeof grammar, "%.*s", (int)(strchr(colon, '.') - help), help);
        if (strncmp(help, entry->word, strlen(entry->word)) != 0) {
            fail_msg("the help of \"%s\" begins with something else", entry->word);
        }
        tells_key_words(entry, grammar);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_verb_of_the_core_can_be_read_and_worded),
        cmocka_unit_test(every_request_has_one_row),
        cmocka_unit_test(what_everybody_reads_has_a_bound),
        cmocka_unit_test(words_are_told_apart),
        cmocka_unit_test(help_begins_with_the_word_and_shows_the_key_words),
    };
    return cmocka_run_group_tests_name("verb", tests, NULL, NULL);
}
