// Reading what is typed behind "munchbot", and help: by the rows of bot/cmd/commands.def.
#include <stdlib.h>
#include <string.h>

#include "bot/cmd/arguments.h"

#include "tests/support/test.h"

enum { WORDS_MAX = 8 };

struct arguments_case {
    const char *name;
    enum command_id command;
    const char *words[WORDS_MAX];
    const char *complaint; // holds these words; NULL: they are right
    const char *verb, *operand;
};

static const struct arguments_case CASES[] = {
    {"a_verb_comes_first", COMMAND_TABLE, {"show", "a1"}, NULL, "show", "a1"},
    {"or_behind_an_option", COMMAND_TABLE, {"--store", "x", "show", "a1"}, NULL, "show", "a1"},
    {"a_verb_must_be_there", COMMAND_TABLE, {NULL}, "a command is missing", NULL, NULL},
    {"and_be_one_of_the_command's", COMMAND_TABLE, {"shw", "a1"}, "\"shw\"", NULL, NULL},
    {"an_operand_must_be_there", COMMAND_TABLE, {"show"}, "ID is missing", NULL, NULL},
    {"one_operand_is_enough", COMMAND_TABLE, {"show", "a1", "a2"}, "\"a2\"", NULL, NULL},
    {"there_may_be_many", COMMAND_TABLE, {"verify", "a1", "a2", "a3"}, NULL, "verify", "a1"},
    {"some_options_are_a_verb's", COMMAND_TABLE, {"list", "--reveal"}, "\"--reveal\"", NULL, NULL},
    {"of_two_verbs", COMMAND_TABLE, {"export", "--reveal", "a1"}, NULL, "export", "a1"},
    {"behind_two_dashes_is_no_option", COMMAND_TABLE, {"show", "--", "-x"}, NULL, "show", "-x"},
    {"a_dash_is_an_operand", COMMAND_TABLE, {"import", "-"}, NULL, "import", "-"},
    {"options_of_others_are_unknown", COMMAND_RUN, {"--store=x"}, "\"--store=x\"", NULL, NULL},
    {"words_are_no_options", COMMAND_RUN, {"now"}, "\"now\"", NULL, NULL},
    {"a_command_without_verbs_has_operands", COMMAND_SCENARIO, {"f.json"}, NULL, "", "f.json"},
    {"at_least_one", COMMAND_SCENARIO, {"--verbose"}, "FILE... is missing", NULL, NULL},
    {"a_value_may_be_left_out", COMMAND_SCENARIO, {"--restart", "f"}, NULL, "", "f"},
    {"or_joined", COMMAND_SCENARIO, {"--restart=sqlite:x", "f"}, NULL, "", "f"},
    {"but_not_empty", COMMAND_SCENARIO, {"--restart=", "f"}, "needs a value", NULL, NULL},
    {"a_beginning_is_no_option", COMMAND_RUN, {"--conf", "x"}, "\"--conf\"", NULL, NULL},
};

static bool read_case(const struct arguments_case *row, char words[WORDS_MAX][32], char *complaint,
                      struct arguments *out)
{
    static char *argv[WORDS_MAX + 1];
    int argc = 1;
    argv[0] = (char *)(uintptr_t)command_id_name(row->command);
    for (; argc <= WORDS_MAX && row->words[argc - 1] != NULL; argc++) {
        (void)snprintf(words[argc - 1], 32, "%s", row->words[argc - 1]);
        argv[argc] = words[argc - 1];
    }
    return arguments_read(row->command, argc, argv, complaint, out);
}

static void arguments_are_read(void **state)
{
    const struct arguments_case *const row = *state;
    char complaint[ARGUMENTS_COMPLAINT_SIZE] = "";
    char words[WORDS_MAX][32];
    char begins[32];
    struct arguments arguments;
    const bool good = read_case(row, words, complaint, &arguments);
    (void)snprintf(begins, sizeof begins, "munchbot %s: ", command_id_name(row->command));
    if (row->complaint != NULL) {
        assert_false(good);
        assert_int_equal(strncmp(complaint, begins, strlen(begins)), 0);
        assert_non_null(strstr(complaint, row->complaint));
        return;
    }
    assert_true(good);
    assert_string_equal(arguments.verb, row->verb);
    assert_true(arguments.count > 0);
    assert_string_equal(arguments.operands[0], row->operand);
}

static void numbers_have_bounds(void **state)
{
    static const struct {
        const char *word;
        bool good;
    } WORDS[] = {{"3", true},   {"6", true},   {"2", false},   {"7", false},  {"4x", false},
                 {"-4", false}, {" 4", false}, {"0x4", false}, {"4.0", false}};
    (void)state;
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++) {
        char complaint[ARGUMENTS_COMPLAINT_SIZE] = "";
        const struct arguments arguments = {
            .name = "play", .value[OPTION_PLAYERS] = WORDS[i].word, .complaint = complaint};
        uint64_t number = 99;
        assert_int_equal(arguments_number(&arguments, OPTION_PLAYERS, 3, 6, &number),
                         WORDS[i].good);
        assert_int_equal(number == 99, !WORDS[i].good);
        assert_int_equal(strstr(complaint, "a number from 3 to 6, not") != NULL, !WORDS[i].good);
    }
}

static void real_numbers_have_a_bound(void **state)
{
    char complaint[ARGUMENTS_COMPLAINT_SIZE] = "";
    struct arguments arguments = {.name = "soak", .complaint = complaint};
    double number = 7;
    (void)state;
    assert_true(arguments_real(&arguments, OPTION_RATE, 10, &number));
    assert_true(number > 6.9 && number < 7.1); // none was given
    arguments.value[OPTION_RATE] = "0.5";
    assert_true(arguments_real(&arguments, OPTION_RATE, 10, &number));
    assert_true(number > 0.4 && number < 0.6);
    static const char *const WRONG[] = {"0", "-1", "11", "nan", "x", ""};
    for (size_t i = 0; i < sizeof WRONG / sizeof WRONG[0]; i++) {
        arguments.value[OPTION_RATE] = WRONG[i];
        assert_false(arguments_real(&arguments, OPTION_RATE, 10, &number));
        assert_non_null(strstr(complaint, "--rate"));
    }
}

// Each command's help is in 80 columns.
static void help_fits_a_terminal(void **state)
{
    (void)state;
    for (unsigned id = 0; id < COMMAND_TOTAL; id++) {
        char *text = NULL;
        size_t size = 0;
        FILE *const to = open_memstream(&text, &size);
        arguments_help((enum command_id)id, to);
        assert_int_equal(fclose(to), 0);
        assert_non_null(strstr(text, "usage: munchbot "));
        for (const char *line = text; *line != '\0';) {
            const size_t length = strcspn(line, "\n");
            assert_true(length <= 80);
            line += length + (line[length] != '\0' ? 1 : 0);
        }
        free(text);
    }
}

int main(void)
{
    enum { CASE_COUNT = sizeof CASES / sizeof CASES[0] };
    struct CMUnitTest tests[CASE_COUNT + 3] = {cmocka_unit_test(numbers_have_bounds),
                                               cmocka_unit_test(real_numbers_have_a_bound),
                                               cmocka_unit_test(help_fits_a_terminal)};
    for (size_t i = 0; i < CASE_COUNT; i++) {
        tests[3 + i] = (struct CMUnitTest){.name = CASES[i].name,
                                           .test_func = arguments_are_read,
                                           .initial_state = (void *)(uintptr_t)&CASES[i]};
    }
    return cmocka_run_group_tests_name("arguments", tests, NULL, NULL);
}
