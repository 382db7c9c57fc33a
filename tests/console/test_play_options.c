#include <string.h>

#include "bot/cmd/cmd.h"

#include "adapters/console/play_options.h"

#include "tests/support/test.h"

enum { WORDS_MAX = 6 };

struct options_case {
    const char *name;
    const char *words[WORDS_MAX];
    int status;           /* CMD_DONE: accepted */
    const char *contains; /* of the complaint */
};

static const struct options_case CASES[] = {
    {"nothing_is_needed", {NULL}, CMD_DONE, NULL},
    {"values_may_follow", {"--players", "5", NULL}, CMD_DONE, NULL},
    {"values_may_be_joined", {"--players=5", NULL}, CMD_DONE, NULL},
    {"two_are_too_few", {"--players=2", NULL}, CMD_WRONG_USAGE, "from 3 to 6"},
    {"seven_are_too_many", {"--players", "7", NULL}, CMD_WRONG_USAGE, "from 3 to 6"},
    {"players_is_a_number", {"--players", "4x", NULL}, CMD_WRONG_USAGE, "\"4x\""},
    {"a_value_may_not_be_missing", {"--seed", NULL}, CMD_WRONG_USAGE, "--seed needs a value"},
    {"a_value_may_not_be_empty", {"--name=", NULL}, CMD_WRONG_USAGE, "--name needs a value"},
    {"watch_takes_no_value", {"--watch=yes", NULL}, CMD_WRONG_USAGE, "takes no value"},
    {"unknown_options_are_named", {"--wacth", NULL}, CMD_WRONG_USAGE, "\"--wacth\""},
    {"words_are_no_options", {"classic", NULL}, CMD_WRONG_USAGE, "\"classic\""},
    {"a_seed_is_decimal", {"--seed", "0x10", NULL}, CMD_WRONG_USAGE, "--seed needs"},
    {"a_seed_is_not_negative", {"--seed", "-1", NULL}, CMD_WRONG_USAGE, "--seed needs"},
    {"a_seed_has_64_bits", {"--seed", "18446744073709551615", NULL}, CMD_DONE, NULL},
    {"and_not_more", {"--seed", "18446744073709551616", NULL}, CMD_WRONG_USAGE, "--seed needs"},
    {"record_wants_a_file", {"--record", NULL}, CMD_WRONG_USAGE, "--record needs a value"},
    {"a_seed_as_shown_at_the_end",
     {"--seed", "00112233445566778899aabbccddeeffFFEEDDCCBBAA99887766554433221100", NULL},
     CMD_DONE,
     NULL},
    {"and_no_shorter",
     {"--seed", "0112233445566778899aabbccddeeffFFEEDDCCBBAA99887766554433221100", NULL},
     CMD_WRONG_USAGE,
     "--seed needs"},
    {"store_wants_a_url", {"--store", NULL}, CMD_WRONG_USAGE, "--store needs a value"},
    {"resume_begins_nothing",
     {"--resume", "--set=classic", NULL},
     CMD_WRONG_USAGE,
     "--resume and --set do not go together"},
    {"resume_is_not_seeded",
     {"--seed=7", "--resume", NULL},
     CMD_WRONG_USAGE,
     "--resume and --seed do not go together"},
    {"a_name_has_no_control_characters", {"--name", "A\033B", NULL}, CMD_WRONG_USAGE, "A?B"},
    {"a_name_has_no_colon", {"--name", "A:B", NULL}, CMD_WRONG_USAGE, "is not a valid name"},
    {"a_name_is_short", {"--name", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", NULL}, CMD_WRONG_USAGE, "24"},
    {"people_have_different_names", {"--hotseat", "Ann,Bob,ann", NULL}, CMD_WRONG_USAGE, "\"ann\""},
    {"commands_can_tell_people_apart",
     {"--hotseat", "Ann,Bob,Ann!", NULL},
     CMD_WRONG_USAGE,
     "\"Ann!\""},
    {"people_have_names", {"--hotseat", "Ann,,Bob", NULL}, CMD_WRONG_USAGE, "\"\""},
    {"six_people_find_a_seat", {"--hotseat", "A,B,C,D,E,F", NULL}, CMD_DONE, NULL},
    {"seven_do_not", {"--hotseat", "A,B,C,D,E,F,G", NULL}, CMD_WRONG_USAGE, "too many"},
    {"people_fit_the_seats",
     {"--hotseat", "A,B,C,D", "--players", "3", NULL},
     CMD_WRONG_USAGE,
     "too many"},
    {"watching_has_no_name", {"--watch", "--name", "Ann", NULL}, CMD_WRONG_USAGE, "go together"},
    {"watching_has_no_people",
     {"--hotseat", "A,B", "--watch", NULL},
     CMD_WRONG_USAGE,
     "go together"},
};

static bool read_words(const struct options_case *row, struct play_options *options,
                       char *complaint, int *status)
{
    char words[WORDS_MAX + 1][80] = {"play"};
    char *argv[WORDS_MAX + 2];
    int argc = 1;
    argv[0] = words[0];
    for (; argc <= WORDS_MAX && row->words[argc - 1] != NULL; argc++) {
        (void)strncpy(words[argc], row->words[argc - 1], sizeof words[argc] - 1);
        argv[argc] = words[argc];
    }
    argv[argc] = NULL;
    *status = CMD_WRONG_USAGE;
    static struct arguments arguments;
    return arguments_read(COMMAND_PLAY, argc, argv, complaint, &arguments) &&
           play_options_read(options, &arguments);
}

static void test_options(void **state)
{
    const struct options_case *const row = *state;
    struct play_options options;
    char complaint[ARGUMENTS_COMPLAINT_SIZE] = "";
    int status = CMD_DONE;
    const bool good = read_words(row, &options, complaint, &status);
    assert_int_equal(good, row->status == CMD_DONE);
    if (!good) {
        assert_int_equal(status, row->status);
        assert_non_null(strstr(complaint, row->contains));
        assert_null(strchr(complaint, '\n'));
    }
}

static void four_sit_down_by_default(void **state)
{
    (void)state;
    const struct options_case row = {.words = {NULL}};
    struct play_options options;
    char complaint[ARGUMENTS_COMPLAINT_SIZE];
    int status = 0;
    assert_true(read_words(&row, &options, complaint, &status));
    assert_int_equal(options.seats, 4);
    assert_int_equal(options.people_count, 1);
    assert_false(options.watch);
}

static void watching_leaves_every_seat_to_bots(void **state)
{
    (void)state;
    const struct options_case row = {.words = {"--watch", "--players", "6", NULL}};
    struct play_options options;
    char complaint[ARGUMENTS_COMPLAINT_SIZE];
    int status = 0;
    assert_true(read_words(&row, &options, complaint, &status));
    assert_int_equal(options.seats, 6);
    assert_int_equal(options.people_count, 0);
}

static void two_at_a_keyboard_are_joined_by_a_bot(void **state)
{
    (void)state;
    const struct options_case row = {.words = {"--hotseat", " Ann/F , Bob", NULL}};
    struct play_options options;
    char complaint[ARGUMENTS_COMPLAINT_SIZE];
    int status = 0;
    assert_true(read_words(&row, &options, complaint, &status));
    assert_int_equal(options.seats, 3);
    assert_string_equal(options.people[0], "Ann");
    assert_string_equal(options.people[1], "Bob");
    assert_true(options.female[0]);
    assert_false(options.female[1]);
}

static void bots_have_names_of_their_own(void **state)
{
    (void)state;
    const struct options_case row = {
        .words = {"--hotseat", "mildred.,NORBERT", "--players", "6", NULL}};
    struct play_options options;
    char complaint[ARGUMENTS_COMPLAINT_SIZE];
    int status = 0;
    assert_true(read_words(&row, &options, complaint, &status));
    for (unsigned i = 0; i < MB_SEATS_MAX; i++) {
        const char *const name = play_options_bot_name(&options, i);
        assert_string_not_equal(name, "");
        assert_string_not_equal(name, "Mildred");
        assert_string_not_equal(name, "Norbert");
        for (unsigned j = 0; j < i; j++) {
            assert_string_not_equal(name, play_options_bot_name(&options, j));
        }
    }
}

int main(void)
{
    enum { CASE_COUNT = sizeof CASES / sizeof CASES[0] };
    const struct CMUnitTest others[] = {
        cmocka_unit_test(four_sit_down_by_default),
        cmocka_unit_test(watching_leaves_every_seat_to_bots),
        cmocka_unit_test(two_at_a_keyboard_are_joined_by_a_bot),
        cmocka_unit_test(bots_have_names_of_their_own),
    };
    struct CMUnitTest tests[CASE_COUNT];
    for (size_t i = 0; i < CASE_COUNT; i++) {
        tests[i] = (struct CMUnitTest){.name = CASES[i].name,
                                       .test_func = test_options,
                                       .initial_state = (void *)(uintptr_t)&CASES[i]};
    }
    const int failed = cmocka_run_group_tests_name("play_options_read", tests, NULL, NULL);
    return failed + cmocka_run_group_tests_name("play_options", others, NULL, NULL);
}
