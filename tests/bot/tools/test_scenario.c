#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/tools/scenario.h"

#include "tests/support/table.h"
#include "tests/support/test.h"

#define PLAYERS "\"players\": [{\"name\": \"Ann\"}, {\"name\": \"Bob\"}, {\"name\": \"Cy\"}]"
#define HEAD    "{\"name\": \"t\", \"sets\": [\"classic\"], "
#define TABLE   HEAD PLAYERS ", "

struct scenario_case {
    const char *name;
    const char *text;
    const char *message; // part of it; NULL: the scenario passes
    unsigned step;
};

static const struct scenario_mode PLAIN = {.trace = NULL};

#define EDITIONS(list) "{\"name\": \"t\", \"editions\": [" list "], " PLAYERS ", "

static const struct scenario_case CASES[] = {
    {"a table without steps passes", TABLE "\"steps\": []}", NULL, 0},
    {"no JSON is told", "{\"name\": ", "no JSON", 0},
    {"an array is no scenario", "[]", "one object", 0},
    {"a key given twice is told", "{\"name\": \"a\", \"name\": \"b\"}", "duplicate", 0},
    {"an unknown key is named", TABLE "\"colour\": 1, \"steps\": []}", "\"colour\"", 0},
    {"a missing key is named", "{\"name\": \"t\", \"sets\": [], \"steps\": []}",
     "players is missing", 0},
    {"a wrong type is named", HEAD PLAYERS ", \"steps\": 3}", "steps is to be an array", 0},
    {"an unknown key of a player is placed",
     HEAD "\"players\": [{\"name\": \"A\", \"hat\": 1}], \"steps\": []}", "players[0].hat", 0},
    {"two players are too few",
     HEAD "\"players\": [{\"name\": \"A\"}, {\"name\": \"B\"}], \"steps\": []}", "3 to 6", 0},
    {"names are told apart",
     HEAD "\"players\": [{\"name\": \"A\"}, {\"name\": \"A\"}, {\"name\": \"B\"}], \"steps\": []}",
     "two are called", 0},
    {"an unknown set is named",
     "{\"name\": \"t\", \"sets\": [\"classics\"], " PLAYERS ", \"steps\": []}",
     "no set \"classics\"", 0},
    {"sets may not be left out", "{\"name\": \"t\", " PLAYERS ", \"steps\": []}", "sets is missing",
     0},
    {"a table of every edition", EDITIONS("\"classic\", \"super\"") "\"steps\": []}", NULL, 0},
    {"each edition is its table's house and first set",
     EDITIONS("\"super\", \"classic\"") "\"sets\": [\"classic\"], \"door\": [\"Net Troll\"], "
                                        "\"steps\": []}",
     NULL, 0},
    {"the later editions are run as well",
     EDITIONS("\"classic\", \"super\"") "\"door\": [\"Net Troll\"], \"steps\": []}", "Net Troll",
     0},
    {"an unknown edition is named", EDITIONS("\"chess\"") "\"steps\": []}", "no set \"chess\"", 0},
    {"no edition is too few", EDITIONS("") "\"steps\": []}", "editions names none", 0},
    {"an edition is a word", EDITIONS("3") "\"steps\": []}", "editions", 0},
    {"editions have no other house", EDITIONS("\"classic\"") "\"house\": \"super\", \"steps\": []}",
     "leave out house", 0},
    {"an unknown flag is named", TABLE "\"flags\": {\"wind\": true}, \"steps\": []}", "\"wind\"",
     0},
    {"an unknown variant is named", TABLE "\"variants\": [\"loud\"], \"steps\": []}", "\"loud\"",
     0},
    {"an unknown card is placed", TABLE "\"door\": [\"Net Trol of Doom\"], \"steps\": []}",
     "door[0]", 0},
    {"a card of the other deck is told", TABLE "\"door\": [\"Magic Missile\"], \"steps\": []}",
     "other deck", 0},
    {"a deck is names or empty", TABLE "\"door\": \"none\", \"steps\": []}", "\"empty\"", 0},
    {"an empty deck is fine",
     TABLE "\"door\": \"empty\", \"steps\": [{\"expect\": {\"door_count\": 0}}]}", NULL, 0},
    {"a face of 7 is told", TABLE "\"dice\": [7], \"steps\": []}", "dice[0]", 0},
    {"an unknown phase is named", TABLE "\"phase\": \"tea\", \"steps\": []}", "\"tea\"", 0},
    {"answers is skip or ask", TABLE "\"answers\": \"wait\", \"steps\": []}", "skip or ask", 0},
    {"an unknown first player is named", TABLE "\"turn\": \"Zoe\", \"steps\": []}", "\"Zoe\"", 0},
    {"an unknown key of a step is named",
     TABLE "\"steps\": [{\"by\": \"Ann\", \"does\": \"kick\"}]}", "\"does\"", 1},
    {"a step does one thing", TABLE "\"steps\": [{\"wait\": 1, \"by\": \"Ann\"}]}", "\"by\"", 1},
    {"an unknown key of an expectation is placed",
     TABLE "\"steps\": [{\"expect\": {\"combat\": {\"monster\": 1}}}]}", "expect.combat.monster",
     1},
    {"an unknown doer is named", TABLE "\"steps\": [{\"by\": \"Zoe\", \"do\": \"kick\"}]}",
     "\"Zoe\"", 1},
    {"a refusal that comes is right",
     TABLE "\"steps\": [{\"by\": \"Bob\", \"do\": \"kick\", \"refused\": \"not_your_turn\"}]}",
     NULL, 0},
    {"one of several refusals is right",
     TABLE "\"steps\": [{\"by\": \"Bob\", \"do\": \"kick\", \"refused\": "
           "[\"in_combat\", \"not_your_turn\"]}]}",
     NULL, 0},
    {"another refusal differs",
     TABLE "\"steps\": [{\"by\": \"Bob\", \"do\": \"kick\", \"refused\": \"dead\"}]}",
     "the refusal", 1},
    {"no such code is told",
     TABLE "\"steps\": [{\"by\": \"Bob\", \"do\": \"kick\", \"refused\": \"tired\"}]}", "\"tired\"",
     1},
    {"a refused command that should be accepted differs",
     TABLE "\"steps\": [{\"restart\": true}, {\"by\": \"Bob\", \"do\": \"kick\"}]}", "the command",
     2},
    {"an accepted command that should be refused differs",
     TABLE "\"door\": [\"Thief\"], \"steps\": [{\"by\": \"Ann\", \"do\": \"kick\", \"refused\": "
           "\"dead\"}]}",
     "the command", 1},
    {"what is there is as expected",
     TABLE
     "\"steps\": [{\"expect\": {\"turn\": \"Ann\", \"phase\": \"start\", \"round\": 1, "
     "\"combat\": null, \"pending\": null, \"window\": \"closed\", \"winners\": [], "
     "\"players\": {\"Bob\": {\"level\": 1, \"hand\": [], \"alive\": true, \"sex\": \"male\", "
     "\"strength\": 1, \"hand_limit\": 5, \"run_bonus\": 0, \"in_play\": []}}}}]}",
     NULL, 0},
    {"a wrong number differs",
     TABLE "\"steps\": [{\"expect\": {\"players\": {\"Bob\": {\"level\": 2}}}}]}",
     "players.Bob.level", 1},
    {"a wrong list differs",
     TABLE "\"door_discard\": [\"Thief\", \"Elf\"], "
           "\"steps\": [{\"expect\": {\"door_discard\": [\"Elf\"]}}]}",
     "door_discard", 1},
    {"a shorter list of discards compares the newest",
     TABLE "\"door_discard\": [\"Thief\", \"Elf\"], "
           "\"steps\": [{\"expect\": {\"door_discard\": [\"Thief\"]}}]}",
     NULL, 0},
    {"a bare verb is legal or not",
     TABLE "\"steps\": [{\"expect\": {\"legal\": {\"Ann\": {\"includes\": [\"kick\"], "
           "\"excludes\": [\"loot\"]}, \"Bob\": {\"excludes\": [\"kick\"]}}}}]}",
     NULL, 0},
    {"a missing legal command differs",
     TABLE "\"steps\": [{\"expect\": {\"legal\": {\"Bob\": {\"includes\": [\"kick\"]}}}}]}",
     "legal.Bob.includes", 1},
    {"nonsense is not merely illegal",
     TABLE "\"steps\": [{\"expect\": {\"legal\": {\"Bob\": {\"excludes\": [\"kik the door\"]}}}}]}",
     "legal.Bob.excludes", 1},
    {"what was not said differs",
     TABLE "\"steps\": [{\"by\": \"Ann\", \"do\": \"kick\"}, {\"expect\": {\"said\": [{\"to\": "
           "\"table\", \"contains\": \"Abracadabra\"}]}}]}",
     "said", 2},
    {"what a card's rows say differs",
     TABLE
     "\"cards\": [{\"name\": \"Test Rat\", \"kind\": \"curse\", \"rows\": [{\"when\": \"strike\", "
     "\"do\": \"level\", \"amount\": -1}]}], "
     "\"steps\": [{\"expect\": {\"sentences\": {\"Test Rat\": \"Lose 2 Levels.\"}}}]}",
     "sentences.Test Rat", 1},
    {"a sentence of no card is told",
     TABLE "\"steps\": [{\"expect\": {\"sentences\": {\"Test Cat\": \"Lose 2 Levels.\"}}}]}",
     "Test Cat", 1},
    {"waiting for no window does nothing",
     TABLE "\"steps\": [{\"wait\": \"window\"}, {\"wait\": \"quiet\"}, {\"wait\": 5}, "
           "{\"expect\": {\"phase\": \"start\"}}]}",
     NULL, 0},
    {"waiting for tea is told", TABLE "\"steps\": [{\"wait\": \"tea\"}]}", "\"tea\"", 1},
    {"a card of the file's own can be named",
     TABLE "\"cards\": [{\"name\": \"Test Rat\", \"kind\": \"monster\", \"level\": 1, "
           "\"treasures\": 1}], \"door\": [\"Test Rat\"], "
           "\"steps\": [{\"by\": \"Ann\", \"do\": \"kick\"}, {\"expect\": {\"combat\": "
           "{\"monster_names\": [\"Test Rat\"], \"monsters\": 1, \"players\": 1, \"main\": "
           "\"Ann\", \"helper\": null}}}]}",
     NULL, 0},
    {"a wrong card of the file's own is told",
     TABLE "\"cards\": [{\"name\": \"Test Rat\", \"kind\": \"rodent\"}], \"steps\": []}", "rodent",
     0},
};

static void runs(void **state)
{
    const struct scenario_case *const c = *state;
    struct catalog *const catalog = given_catalog();
    const size_t sets = catalog_set_count(catalog);
    struct scenario_report report;
    scenario_run_text(c->text, strlen(c->text), catalog, &PLAIN, &report);
    if (c->message == NULL && report.failed) {
        scenario_print(&report, 1, "text", stderr);
    }
    assert_int_equal(report.failed, c->message != NULL);
    if (c->message != NULL) {
        if (strstr(report.message, c->message) == NULL) {
            fail_msg("%s", report.message);
        }
        assert_int_equal(report.step, c->step);
    }
    assert_int_equal(catalog_set_count(catalog), sets); // its own cards are gone again
    catalog_destroy(catalog);
}

static void a_failure_says_where_and_what(void **state)
{
    (void)state;
    const char *const text =
        TABLE "\"steps\": [{\"wait\": 1}, {\"expect\": {\"players\": {\"Bob\": {\"level\": 2, "
              "\"hand_count\": 3}}}}]}";
    struct catalog *const catalog = given_catalog();
    struct scenario_report report;
    char *printed = NULL;
    size_t size = 0;
    scenario_run_text(text, strlen(text), catalog, &PLAIN, &report);
    FILE *const to = open_memstream(&printed, &size);
    assert_non_null(to);
    scenario_print(&report, 3, "dir/file.json", to);
    assert_int_equal(fclose(to), 0);
    assert_int_equal(strncmp(printed, "not ok 3 - dir/file.json: t\n  ---\n", 33), 0);
    assert_non_null(strstr(printed, "\n  file: \"dir/file.json\"\n"));
    assert_non_null(strstr(printed, "\n  step: 2\n"));
    assert_non_null(strstr(printed, "at: \"players.Bob.level\"\n    expected: \"2\"\n    found: "
                                    "\"1\"\n"));
    assert_non_null(strstr(printed, "at: \"players.Bob.hand_count\""));
    assert_non_null(strstr(printed, "\n  ...\n"));
    free(printed);
    catalog_destroy(catalog);
}

// Every beginning of a sound file is refused with a message, and none crashes.
static void truncated_files_are_told(void **state)
{
    (void)state;
    const char *const text = TABLE "\"door\": [\"Net Troll\"], \"dice\": [1, 2], \"steps\": "
                                   "[{\"by\": \"Ann\", \"do\": \"kick\"}]}";
    struct catalog *const catalog = given_catalog();
    for (size_t size = 0; size < strlen(text); size++) {
        struct scenario_report report;
        scenario_run_text(text, size, catalog, &PLAIN, &report);
        assert_true(report.failed);
        assert_true(report.message[0] != '\0');
    }
    catalog_destroy(catalog);
}

int main(void)
{
    enum { CASE_COUNT = sizeof CASES / sizeof CASES[0] };
    struct CMUnitTest tests[CASE_COUNT + 2];
    for (size_t i = 0; i < CASE_COUNT; i++) {
        tests[i] = (struct CMUnitTest){.name = CASES[i].name,
                                       .test_func = runs,
                                       .initial_state = (void *)(uintptr_t)&CASES[i]};
    }
    tests[CASE_COUNT] = (struct CMUnitTest)cmocka_unit_test(a_failure_says_where_and_what);
    tests[CASE_COUNT + 1] = (struct CMUnitTest)cmocka_unit_test(truncated_files_are_told);
    return cmocka_run_group_tests_name("scenario", tests, NULL, NULL);
}
