/* What a bot player cannot see does not matter to what it does. */
#include <string.h>

#include "tests/bot/policy/policy_rig.h"
#include "tests/support/test.h"

// What it does in a situation with either of two hands that it cannot see: the same. Tells what.
static bool twins_act_alike(const struct situation *situation, unsigned other, uint64_t number,
                            struct command *out)
{
    static const char *const HANDS[2] = {"Enraged, Ancient, Magic Missile, Go Up a Level",
                                         "Warrior, Drooling Slime, Tin Hat of Certainty, Hireling"};
    struct command chosen[2];
    bool did[2];
    for (unsigned twin = 0; twin < 2; twin++) {
        struct situation hidden = *situation;
        struct fixture f;
        struct mb_rng rng;
        hidden.seats[other].hand = HANDS[twin];
        hidden.seats[FIXTURE_CY].hand = HANDS[1 - twin];
        situation_arrange(&f, &hidden);
        situation_seed(&rng, number);
        memset(&chosen[twin], 0, sizeof chosen[twin]);
        did[twin] = situation_decide(&f, hidden.level, hidden.seat, &rng, &chosen[twin]);
        fixture_close(&f);
    }
    assert_int_equal(did[0], did[1]);
    assert_memory_equal(&chosen[0], &chosen[1], sizeof chosen[0]);
    *out = chosen[0];
    return did[0];
}

static void hidden_cards_do_not_matter(void **state)
{
    static const struct policy *const LEVELS[] = {&POLICY_ROOKIE, &POLICY_REGULAR,
                                                  &POLICY_RUTHLESS};
    static const char *const LINES[] = {NULL, "Ann: kick", "Ann: kick; Ann: ask Bob; Bob: refuse"};
    (void)state;
    for (unsigned c = 0; c < 3 * 3 * TRIES; c++) {
        const struct situation situation = {
            .level = LEVELS[c % 3],
            .doors = "Net Troll",
            .played = LINES[c / 3 % 3],
            .seats = {{.level = 6,
                       .hand = "Abs in a Bottle, Performance Review, Room-Temperature Potion",
                       .carried = "Letter Opener of Vengeance, Helmet of Selective Hearing"},
                      {.level = 8},
                      {.level = 3}}};
        struct command chosen;
        (void)twins_act_alike(&situation, FIXTURE_BOB, c, &chosen);
    }
}

// A regular acts against a leader before Level 9, and on nothing but what everybody can see.
static void against_a_leader_hidden_cards_do_not_matter(void **state)
{
    static const struct {
        const char *doors, *played;
        enum verb act;
    } MOMENTS[3] = {{"Minimum-Wage Zombie", NULL, VERB_PLAY},
                    {"Minimum-Wage Zombie", "Ann: kick", VERB_PLAY},
                    {"Net Troll",
                     "Ann: kick; Bob: volunteer for 3 treasures; Ann: refuse; Ann: ask Bob",
                     VERB_REFUSE}};
    unsigned acts[3] = {0};
    (void)state;
    for (unsigned c = 0; c < 3 * 3 * TRIES; c++) {
        const struct situation situation = {
            .level = &POLICY_REGULAR,
            .doors = MOMENTS[c % 3].doors,
            .played = MOMENTS[c % 3].played,
            .seat = FIXTURE_BOB,
            .seats = {
                {.level = 8}, {.level = 4, .hand = "Mate, Performance Review"}, {.level = 3}}};
        struct command chosen;
        const bool did = twins_act_alike(&situation, FIXTURE_ANN, c, &chosen);
        acts[c % 3] += did && chosen.verb == MOMENTS[c % 3].act;
    }
    for (unsigned i = 0; i < 3; i++) {
        assert_true(acts[i] > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hidden_cards_do_not_matter),
        cmocka_unit_test(against_a_leader_hidden_cards_do_not_matter),
    };
    return cmocka_run_group_tests_name("policy_hidden", tests, NULL, NULL);
}
