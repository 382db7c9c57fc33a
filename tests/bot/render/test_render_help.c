/* What help shows of a command now: the ways there are, not every offer that could be made up. */
#include <stdio.h>
#include <string.h>

#include "tests/support/fixture.h"
#include "tests/support/test.h"

enum { OUT_SIZE = 65536, LINES_MAX = 8, SAID_MAX = 3 };

static const char CARDS[] =
    "[{\"name\": \"Tall Yak\", \"kind\": \"monster\", \"level\": 12, \"treasures\": 3},"
    " {\"name\": \"Brass Lute\", \"kind\": \"item\", \"slot\": \"none\", \"bonus\": 1, \"gold\": "
    "300},"
    " {\"name\": \"Tin Lute\", \"kind\": \"item\", \"slot\": \"none\", \"bonus\": 1, \"gold\": "
    "300},"
    " {\"name\": \"Old Lute\", \"kind\": \"item\", \"slot\": \"none\", \"bonus\": 1, \"gold\": "
    "300}]";

static char out[OUT_SIZE];

static void help(struct fixture *fixture, unsigned seat, const char *topic)
{
    const struct table_words words = fixture_words(fixture, seat);
    (void)render_help(&words, topic, out, sizeof out);
}

static unsigned lines_of(const char *text)
{
    unsigned lines = 0;
    for (const char *at = text; (at = strchr(at, '\n')) != NULL; at++) {
        lines++;
    }
    return lines;
}

static void open_fight(struct fixture *fixture)
{
    struct refusal why;
    fixture_open(fixture, CARDS);
    fixture_card(fixture, "Brass Lute", pile_table(FIXTURE_ANN), CARD_EQUIPPED);
    fixture_card(fixture, "Tin Lute", pile_table(FIXTURE_ANN), CARD_EQUIPPED);
    fixture_card(fixture, "Old Lute", pile_table(FIXTURE_BOB), 0);
    fixture_card(fixture, "Thief", pile_hand(FIXTURE_ANN), 0);
    fixture_next(fixture, PILE_DOOR_DECK, "Tall Yak");
    fixture_begin(fixture);
    assert_true(fixture_do(fixture, FIXTURE_ANN, "kick", &why));
}

static const struct asked {
    unsigned seat;
    const char *topic;
    const char *said[SAID_MAX];
} ASKED[] = {
    {FIXTURE_ANN,
     "ask",
     {"At the moment:\n  ask Bob\n  ask Cy\n  ask all\n",
      "    ... offering up to 3 treasures\n    ... offering any of Brass Lute and Tin Lute\n"}},
    {FIXTURE_BOB, "volunteer", {"  volunteer\n    ... for up to 3 treasures\n"}},
    {FIXTURE_BOB, "offer", {"  offer <1 card> to Cy for not helping\n    of Old Lute\n"}},
};

// In the list of all commands a request for help is a line a player, its price in another.
static const char PLAIN[] =
    "  ask Bob\n  ask Cy\n  ask all\n    ... or for a price: \"help ask\"\n";

static void expect_said(const char *topic, const char *said)
{
    if (strstr(out, said) == NULL) {
        fail_msg("help %s: \"%s\" is not said in:\n%s", topic, said, out);
    }
}

static void offers_are_not_made_up(void **state)
{
    struct fixture fixture;
    (void)state;
    open_fight(&fixture);
    for (size_t i = 0; i < sizeof ASKED / sizeof ASKED[0]; i++) {
        help(&fixture, ASKED[i].seat, ASKED[i].topic);
        for (size_t j = 0; j < SAID_MAX && ASKED[i].said[j] != NULL; j++) {
            expect_said(ASKED[i].topic, ASKED[i].said[j]);
        }
        assert_in_range(lines_of(out), 1, LINES_MAX);
    }
    fixture_close(&fixture);
}

static void help_names_whom_to_ask_without_prices(void **state)
{
    struct fixture fixture;
    (void)state;
    open_fight(&fixture);
    help(&fixture, FIXTURE_ANN, NULL);
    expect_said("", PLAIN);
    fixture_close(&fixture);
}

static void help_tells_of_nothing_pointless(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_open(&fixture, NULL);
    fixture_card(&fixture, "Thief", pile_table(FIXTURE_ANN), 0);
    fixture_card(&fixture, "Thief", pile_hand(FIXTURE_ANN), 0);
    fixture_card(&fixture, "Warrior", pile_hand(FIXTURE_ANN), 0);
    fixture_begin(&fixture);
    help(&fixture, FIXTURE_ANN, NULL);
    assert_non_null(strstr(out, "play Warrior replacing Thief"));
    assert_null(strstr(out, "play Thief"));
    fixture_close(&fixture);
}

static void what_is_missing_says_where_to_look(void **state)
{
    static const char *const BARE[] = {"use", "ask", "play", "discard", "charity"};
    struct fixture fixture;
    (void)state;
    open_fight(&fixture);
    const struct table_words words = fixture_words(&fixture, FIXTURE_ANN);
    for (size_t i = 0; i < sizeof BARE / sizeof BARE[0]; i++) {
        struct request request;
        struct parse_error error;
        char hint[32];
        assert_false(parse_request(&words, BARE[i], &request, &error));
        (void)render_parse_error(&words, &error, out, sizeof out);
        (void)snprintf(hint, sizeof hint, "\"help %s\"", BARE[i]);
        expect_said(BARE[i], hint);
    }
    fixture_close(&fixture);
}

static void what_is_another_s_is_said_to_be(void **state)
{
    struct fixture fixture;
    struct refusal why;
    (void)state;
    fixture_open(&fixture, CARDS);
    fixture_card(&fixture, "Brass Lute", pile_table(FIXTURE_ANN), CARD_EQUIPPED);
    fixture_card(&fixture, "Old Lute", pile_table(FIXTURE_BOB), 0);
    fixture_begin(&fixture);
    assert_false(fixture_do(&fixture, FIXTURE_ANN, "give Old Lute to Cy", &why));
    const struct table_words words = fixture_words(&fixture, FIXTURE_ANN);
    (void)render_refusal(&words, &why, out, sizeof out);
    expect_said("give", "Old Lute is Bob's, not yours;");
    fixture_close(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(offers_are_not_made_up),
        cmocka_unit_test(help_names_whom_to_ask_without_prices),
        cmocka_unit_test(help_tells_of_nothing_pointless),
        cmocka_unit_test(what_is_missing_says_where_to_look),
        cmocka_unit_test(what_is_another_s_is_said_to_be),
    };
    return cmocka_run_group_tests_name("render_help", tests, NULL, NULL);
}
