/* Bot players in arranged situations: what a level must do, and what it must not. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/rng.h"

#include "bot/parse/parse.h"
#include "bot/policy/policy.h"

#include "tests/support/fixture.h"
#include "tests/support/test.h"

enum { TRIES = 20, ACTS_MAX = 14, LINE_SIZE = 256, TEXT_SIZE = 4096, LIST_SIZE = 512 };

/* What a seat has: cards separated by commas. */
struct has {
    unsigned level;
    const char *hand, *worn, *carried;
};

struct situation {
    const char *name;
    const struct policy *level;
    const char *wanted; /* what it does contains this; with '!' in front: does not */
    const char *doors;  /* the next cards of the Door deck */
    const char *played; /* "Ann: kick; Bob: pass" before it decides */
    struct has seats[FIXTURE_SEATS];
    unsigned most_tries; /* in so many of TRIES at least, with '!' at most; 0: in all, in none */
    enum phase phase;    /* PHASE_SETUP is 0: then PHASE_START, unless `setup` */
    unsigned seat;       /* who decides */
    uint8_t dice[4];     /* the next rolls, 0 the end */
    bool setup;
};

static const struct situation SITUATIONS[] = {
    {.name = "ruthless_takes_a_level",
     .level = &POLICY_RUTHLESS,
     .wanted = "play Go Up a Level on Ann",
     .seats = {{.level = 3, .hand = "Go Up a Level"}, {.level = 2}, {.level = 2}}},
    {.name = "rookie_takes_a_level_mostly",
     .level = &POLICY_ROOKIE,
     .wanted = "play Go Up a Level on Ann",
     .most_tries = 10,
     .seats = {{.level = 3, .hand = "Go Up a Level"}, {.level = 2}, {.level = 2}}},
    {.name = "no_level_card_is_for_others",
     .level = &POLICY_RUTHLESS,
     .wanted = "!play Go Up",
     .seats = {{.level = 9, .hand = "Go Up a Level"}, {.level = 2}, {.level = 2}}},
    {.name = "the_better_hat",
     .level = &POLICY_RUTHLESS,
     .wanted = "unequip Tin Hat of Certainty; equip Crown of Unearned Confidence",
     .seats = {{.level = 3,
                .worn = "Tin Hat of Certainty",
                .carried = "Crown of Unearned Confidence"},
               {.level = 2},
               {.level = 2}}},
    {.name = "not_the_worse_hat",
     .level = &POLICY_RUTHLESS,
     .wanted = "!equip",
     .seats = {{.level = 3,
                .worn = "Crown of Unearned Confidence",
                .carried = "Tin Hat of Certainty"},
               {.level = 2},
               {.level = 2}}},
    {.name = "two_swords_before_one_spoon",
     .level = &POLICY_RUTHLESS,
     .wanted = "unequip Two-Handed Spoon; equip Spear of Personal Space; equip Sword",
     .seats = {{.level = 3,
                .worn = "Two-Handed Spoon",
                .carried = "Sword of the Previous Owner, Spear of Personal Space"},
               {.level = 2},
               {.level = 2}}},
    {.name = "rookie_puts_on_armor",
     .level = &POLICY_ROOKIE,
     .wanted = "Flaming Armor",
     .most_tries = 8,
     .seats = {{.level = 3, .hand = "Flaming Armor"}, {.level = 2}, {.level = 2}}},
    {.name = "sells_what_lies_idle",
     .level = &POLICY_RUTHLESS,
     .wanted = "sell",
     .seats = {{.level = 3, .carried = "Letter Opener of Vengeance, Helmet of Selective Hearing"},
               {.level = 2},
               {.level = 2}}},
    {.name = "sells_to_reach_level_9",
     .level = &POLICY_RUTHLESS,
     .wanted = "sell",
     .seats = {{.level = 8,
                .worn = "Crown of Unearned Confidence, Spear of Personal Space",
                .carried = "Letter Opener of Vengeance, Helmet of Selective Hearing"},
               {.level = 2},
               {.level = 2}}},
    {.name = "sells_nothing_that_wins_fights",
     .level = &POLICY_RUTHLESS,
     .wanted = "!Crown of Unearned Confidence",
     .seats = {{.level = 8,
                .worn = "Crown of Unearned Confidence, Spear of Personal Space",
                .carried = "Letter Opener of Vengeance, Helmet of Selective Hearing"},
               {.level = 2},
               {.level = 2}}},
    {.name = "a_class_is_put_on_at_setup",
     .level = &POLICY_RUTHLESS,
     .wanted = "play Warrior",
     .setup = true,
     .seats = {{.level = 1, .hand = "Warrior, Magic Missile"}, {.level = 1}, {.level = 1}}},
    {.name = "cheats_with_what_gives_most",
     .level = &POLICY_RUTHLESS,
     .wanted = "play Cheat! with Bow of Rude Pointing",
     .seats = {{.level = 3,
                .hand = "Cheat!",
                .carried = "Bow of Rude Pointing, Tin Hat of Certainty"},
               {.level = 2},
               {.level = 2}}},
    {.name = "no_cheat_for_what_is_usable_anyway",
     .level = &POLICY_REGULAR,
     .wanted = "!play Cheat!",
     .seats = {{.level = 3, .hand = "Cheat!", .carried = "Crown of Unearned Confidence"},
               {.level = 2},
               {.level = 2}}},
    {.name = "nor_for_what_could_be_laid_out",
     .level = &POLICY_ROOKIE,
     .wanted = "!play Cheat!",
     .seats = {{.level = 3, .hand = "Cheat!, Plate Mail of Actual Plates"},
               {.level = 2},
               {.level = 2}}},
    {.name = "nor_for_what_is_worn",
     .level = &POLICY_ROOKIE,
     .wanted = "!play Cheat!",
     .seats = {{.level = 3,
                .hand = "Cheat!",
                .worn = "Crown of Unearned Confidence, Sword of the Previous Owner"},
               {.level = 2},
               {.level = 2}}},
    {.name = "what_is_dear_and_weak_is_worn_too",
     .level = &POLICY_RUTHLESS,
     .wanted = "equip Siege Ladder",
     .seats = {{.level = 3, .worn = "Flaming Armor", .carried = "Siege Ladder"},
               {.level = 2},
               {.level = 2}}},
    {.name = "what_may_be_good_for_something_is_worn",
     .level = &POLICY_RUTHLESS,
     .wanted = "equip Clogs of Knocking First",
     .seats = {{.level = 3, .carried = "Clogs of Knocking First"}, {.level = 2}, {.level = 2}}},
    {.name = "regular_wears_what_it_has",
     .level = &POLICY_REGULAR,
     .wanted = "equip Siege Ladder",
     .most_tries = 14,
     .seats = {{.level = 3, .carried = "Siege Ladder"}, {.level = 2}, {.level = 2}}},
    {.name = "a_won_fight_costs_no_card",
     .level = &POLICY_RUTHLESS,
     .wanted = "!play",
     .doors = "Tenured Skeleton",
     .played = "Ann: kick",
     .seats = {{.level = 5, .hand = "Magic Missile, Pickled Surprise"},
               {.level = 2},
               {.level = 2}}},
    {.name = "the_cheapest_card_that_wins",
     .level = &POLICY_RUTHLESS,
     .wanted = "play Abs in a Bottle",
     .doors = "Minimum-Wage Zombie",
     .played = "Ann: kick",
     .seats = {{.level = 5, .hand = "Magic Missile, Abs in a Bottle"}, {.level = 2}, {.level = 2}}},
    {.name = "not_the_dear_one",
     .level = &POLICY_RUTHLESS,
     .wanted = "!Magic Missile",
     .doors = "Minimum-Wage Zombie",
     .played = "Ann: kick",
     .seats = {{.level = 5, .hand = "Magic Missile, Abs in a Bottle"}, {.level = 2}, {.level = 2}}},
    {.name = "two_cards_together_win",
     .level = &POLICY_RUTHLESS,
     .wanted = "play Room-Temperature Potion",
     .doors = "Self-Assembly Golem",
     .played = "Ann: kick",
     .seats = {{.level = 4, .hand = "Room-Temperature Potion, Abs in a Bottle"},
               {.level = 1},
               {.level = 1}}},
    {.name = "no_card_where_all_of_them_lose",
     .level = &POLICY_RUTHLESS,
     .wanted = "!play",
     .doors = "Great Old Landlord",
     .played = "Ann: kick",
     .seats = {{.level = 4, .hand = "Room-Temperature Potion, Abs in a Bottle"},
               {.level = 1},
               {.level = 1}}},
    {.name = "a_tie_is_no_win",
     .level = &POLICY_RUTHLESS,
     .wanted = "!play",
     .doors = "Self-Assembly Golem",
     .played = "Ann: kick",
     .seats = {{.level = 6, .hand = "Abs in a Bottle"}, {.level = 1}, {.level = 1}}},
    {.name = "a_warrior_is_content_with_a_tie",
     .level = &POLICY_RUTHLESS,
     .wanted = "play Abs in a Bottle",
     .doors = "Self-Assembly Golem",
     .played = "Ann: kick",
     .seats = {{.level = 6, .hand = "Abs in a Bottle", .worn = "Warrior"},
               {.level = 1},
               {.level = 1}}},
    {.name = "asks_who_can_help_for_a_price",
     .level = &POLICY_RUTHLESS,
     .wanted = "ask Bob offering",
     .doors = "Net Troll",
     .played = "Ann: kick",
     .seats = {{.level = 4}, {.level = 7}, {.level = 2}}},
    {.name = "asks_nobody_in_vain",
     .level = &POLICY_RUTHLESS,
     .wanted = "!ask",
     .doors = "Net Troll",
     .played = "Ann: kick",
     .seats = {{.level = 4}, {.level = 2}, {.level = 2}}},
    {.name = "runs_when_nothing_helps",
     .level = &POLICY_REGULAR,
     .wanted = "run",
     .doors = "Net Troll",
     .played = "Ann: kick",
     .seats = {{.level = 4}, {.level = 2}, {.level = 2}}},
    {.name = "does_not_ask_twice",
     .level = &POLICY_RUTHLESS,
     .wanted = "!ask Bob",
     .doors = "Net Troll",
     .played = "Ann: kick; Ann: ask Bob offering 1 treasure; Bob: refuse",
     .seats = {{.level = 4}, {.level = 7}, {.level = 2}}},
    {.name = "helps_for_a_price",
     .level = &POLICY_RUTHLESS,
     .wanted = "accept",
     .doors = "Net Troll",
     .played = "Ann: kick; Ann: ask Bob offering 2 treasures",
     .seat = FIXTURE_BOB,
     .seats = {{.level = 4}, {.level = 7}, {.level = 2}}},
    {.name = "does_not_help_for_nothing",
     .level = &POLICY_RUTHLESS,
     .wanted = "refuse",
     .doors = "Net Troll",
     .played = "Ann: kick; Ann: ask Bob",
     .seat = FIXTURE_BOB,
     .seats = {{.level = 4}, {.level = 7}, {.level = 2}}},
    {.name = "does_not_help_the_leader_to_win",
     .level = &POLICY_RUTHLESS,
     .wanted = "refuse",
     .doors = "Net Troll",
     .played = "Ann: kick; Ann: ask Bob offering 3 treasures",
     .seat = FIXTURE_BOB,
     .seats = {{.level = 9}, {.level = 7}, {.level = 2}}},
    {.name = "regular_does_not_either",
     .level = &POLICY_REGULAR,
     .wanted = "refuse",
     .doors = "Subscription Lich",
     .played = "Ann: kick; Ann: ask all offering 1 treasure",
     .seat = FIXTURE_BOB,
     .seats = {{.level = 9}, {.level = 7}, {.level = 2}}},
    {.name = "does_not_help_to_lose",
     .level = &POLICY_REGULAR,
     .wanted = "refuse",
     .doors = "Great Old Landlord",
     .played = "Ann: kick; Ann: ask Bob offering 5 treasures",
     .seat = FIXTURE_BOB,
     .seats = {{.level = 4}, {.level = 7}, {.level = 2}}},
    {.name = "volunteers_for_a_share",
     .level = &POLICY_RUTHLESS,
     .wanted = "volunteer for 2 treasures",
     .doors = "Net Troll",
     .played = "Ann: kick",
     .seat = FIXTURE_BOB,
     .seats = {{.level = 4}, {.level = 7}, {.level = 2}}},
    {.name = "does_not_volunteer_for_the_leader",
     .level = &POLICY_RUTHLESS,
     .wanted = "!volunteer",
     .doors = "Net Troll",
     .played = "Ann: kick",
     .seat = FIXTURE_BOB,
     .seats = {{.level = 9}, {.level = 7}, {.level = 2}}},
    {.name = "does_not_volunteer_twice",
     .level = &POLICY_RUTHLESS,
     .wanted = "!volunteer",
     .doors = "Net Troll",
     .played = "Ann: kick; Bob: volunteer for 2 treasures; Ann: refuse",
     .seat = FIXTURE_BOB,
     .seats = {{.level = 4}, {.level = 7}, {.level = 2}}},
    {.name = "stops_who_would_win_the_game",
     .level = &POLICY_RUTHLESS,
     .wanted = "play Enraged on Minimum-Wage Zombie",
     .doors = "Minimum-Wage Zombie",
     .played = "Ann: kick",
     .seat = FIXTURE_BOB,
     .seats = {{.level = 9}, {.level = 5, .hand = "Enraged"}, {.level = 2}}},
    {.name = "regular_stops_it_sometimes",
     .level = &POLICY_REGULAR,
     .wanted = "play Enraged on Minimum-Wage Zombie",
     .most_tries = 1,
     .doors = "Minimum-Wage Zombie",
     .played = "Ann: kick",
     .seat = FIXTURE_BOB,
     .seats = {{.level = 9}, {.level = 5, .hand = "Enraged"}, {.level = 2}}},
    {.name = "regular_curses_who_leads",
     .level = &POLICY_REGULAR,
     .wanted = "play Performance Review on Ann",
     .most_tries = 5,
     .seat = FIXTURE_BOB,
     .seats = {{.level = 8}, {.level = 4, .hand = "Performance Review"}, {.level = 2}}},
    {.name = "regular_strengthens_the_monster_of_who_leads",
     .level = &POLICY_REGULAR,
     .wanted = "play Enraged on Minimum-Wage Zombie",
     .most_tries = 1,
     .doors = "Minimum-Wage Zombie",
     .played = "Ann: kick",
     .seat = FIXTURE_BOB,
     .seats = {{.level = 7}, {.level = 4, .hand = "Enraged"}, {.level = 2}}},
    {.name = "regular_backstabs_who_leads",
     .level = &POLICY_REGULAR,
     .wanted = "use Backstab of Thief with Pickled Surprise on Ann",
     .most_tries = 1,
     .doors = "Minimum-Wage Zombie",
     .played = "Ann: kick",
     .seat = FIXTURE_BOB,
     .seats = {{.level = 8},
               {.level = 4, .hand = "Pickled Surprise", .worn = "Thief"},
               {.level = 2}}},
    {.name = "regular_sends_a_monster_after_who_leads",
     .level = &POLICY_REGULAR,
     .wanted = "play Wandering Monster with Hydra of Opinions",
     .most_tries = 1,
     .doors = "Minimum-Wage Zombie",
     .played = "Ann: kick",
     .seat = FIXTURE_BOB,
     .seats = {{.level = 8},
               {.level = 4, .hand = "Wandering Monster, Hydra of Opinions"},
               {.level = 2}}},
    {.name = "regular_does_not_help_who_leads",
     .level = &POLICY_REGULAR,
     .wanted = "refuse",
     .most_tries = 15,
     .doors = "Net Troll",
     .played = "Ann: kick; Ann: ask Bob offering 1 treasure",
     .seat = FIXTURE_BOB,
     .seats = {{.level = 8}, {.level = 7}, {.level = 2}}},
    {.name = "regular_helps_who_does_not",
     .level = &POLICY_REGULAR,
     .wanted = "accept",
     .most_tries = 15,
     .doors = "Net Troll",
     .played = "Ann: kick; Ann: ask Bob offering 1 treasure",
     .seat = FIXTURE_BOB,
     .seats = {{.level = 4}, {.level = 7}, {.level = 2}}},
    {.name = "regular_lets_be_who_is_far_from_the_goal",
     .level = &POLICY_REGULAR,
     .wanted = "!play",
     .seat = FIXTURE_BOB,
     .seats = {{.level = 6}, {.level = 4, .hand = "Performance Review"}, {.level = 2}}},
    {.name = "regular_lets_be_who_is_behind",
     .level = &POLICY_REGULAR,
     .wanted = "!play",
     .seat = FIXTURE_BOB,
     .seats = {{.level = 8}, {.level = 8, .hand = "Performance Review"}, {.level = 2}}},
    {.name = "regular_lets_be_who_comes_second",
     .level = &POLICY_REGULAR,
     .wanted = "!play Performance Review on Ann",
     .seat = FIXTURE_BOB,
     .seats = {{.level = 7}, {.level = 4, .hand = "Performance Review"}, {.level = 9}}},
    {.name = "a_curse_before_the_last_level",
     .level = &POLICY_RUTHLESS,
     .wanted = "play Performance Review on Ann",
     .doors = "Tenured Skeleton",
     .played = "Ann: kick",
     .seat = FIXTURE_BOB,
     .seats = {{.level = 9}, {.level = 5, .hand = "Performance Review"}, {.level = 2}}},
    {.name = "a_backstab_before_the_last_level",
     .level = &POLICY_RUTHLESS,
     .wanted = "use Backstab of Thief with Pickled Surprise on Ann",
     .doors = "Self-Assembly Golem",
     .played = "Ann: kick",
     .seat = FIXTURE_BOB,
     .seats = {{.level = 9},
               {.level = 5, .hand = "Pickled Surprise", .worn = "Thief"},
               {.level = 2}}},
    {.name = "two_cards_stop_what_one_does_not",
     .level = &POLICY_RUTHLESS,
     .wanted = "play Enraged on Tenured Skeleton",
     .doors = "Tenured Skeleton",
     .played = "Ann: kick",
     .seat = FIXTURE_BOB,
     .seats = {{.level = 9},
               {.level = 5, .hand = "Enraged, Room-Temperature Potion"},
               {.level = 2}}},
    {.name = "small_fry_is_let_go",
     .level = &POLICY_RUTHLESS,
     .wanted = "!play",
     .doors = "Drooling Slime",
     .played = "Ann: kick",
     .seat = FIXTURE_BOB,
     .seats = {{.level = 2}, {.level = 5, .hand = "Enraged, Performance Review"}, {.level = 4}}},
    {.name = "rookie_leaves_others_alone",
     .level = &POLICY_ROOKIE,
     .wanted = "!play",
     .doors = "Minimum-Wage Zombie",
     .played = "Ann: kick",
     .seat = FIXTURE_BOB,
     .seats = {{.level = 9}, {.level = 5, .hand = "Enraged"}, {.level = 2}}},
    {.name = "a_curse_that_hurts_is_answered",
     .level = &POLICY_RUTHLESS,
     .wanted = "play Strongly Worded Letter",
     .played = "Bob: play Retroactive Homework on Ann",
     .seats = {{.level = 8, .hand = "Strongly Worded Letter"},
               {.level = 5, .hand = "Retroactive Homework"},
               {.level = 2}}},
    {.name = "a_curse_that_hurts_little_is_borne",
     .level = &POLICY_RUTHLESS,
     .wanted = "!play Strongly",
     .played = "Bob: play Bad Hair Century on Ann",
     .seats = {{.level = 8, .hand = "Strongly Worded Letter", .worn = "Tin Hat of Certainty"},
               {.level = 5, .hand = "Bad Hair Century"},
               {.level = 2}}},
    {.name = "a_deadly_roll_is_mended",
     .level = &POLICY_RUTHLESS,
     .wanted = "play Die of Convenient Gravity",
     .doors = "Great Old Landlord",
     .dice = {1},
     .played = "Ann: kick; Ann: run",
     .seats = {{.level = 4,
                .hand = "Die of Convenient Gravity",
                .worn = "Crown of Unearned Confidence"},
               {.level = 1},
               {.level = 1}}},
    {.name = "a_harmless_roll_is_not",
     .level = &POLICY_RUTHLESS,
     .wanted = "!play Die",
     .doors = "Emotional Support Rat",
     .dice = {1},
     .played = "Ann: kick; Bob: play Ancient on Emotional Support Rat; Ann: run",
     .seats = {{.level = 4, .hand = "Die of Convenient Gravity"},
               {.level = 1, .hand = "Ancient"},
               {.level = 1}}},
    {.name = "no_more_cards_than_the_spell_takes",
     .level = &POLICY_RUTHLESS,
     .wanted = "use Flight Spell of Wizard with Bag of Loose Wasps; pass",
     .doors = "Great Old Landlord",
     .dice = {4},
     .played = "Ann: kick; Ann: run",
     .seats = {{.level = 4, .hand = "Bag of Loose Wasps, Magic Missile", .worn = "Wizard"},
               {.level = 1},
               {.level = 1}}},
    {.name = "runs_first_from_what_kills",
     .level = &POLICY_RUTHLESS,
     .wanted = "run Hydra of Opinions",
     .doors = "Net Troll",
     .played = "Ann: kick; Bob: play Wandering Monster with Hydra of Opinions",
     .seats = {{.level = 4},
               {.level = 1, .hand = "Wandering Monster, Hydra of Opinions"},
               {.level = 1}}},
    {.name = "looks_for_trouble_that_it_beats",
     .level = &POLICY_RUTHLESS,
     .wanted = "fight Tenured Skeleton",
     .phase = PHASE_OPENED,
     .seats = {{.level = 6, .hand = "Tenured Skeleton"}, {.level = 2}, {.level = 2}}},
    {.name = "looks_for_no_trouble_beyond_it",
     .level = &POLICY_RUTHLESS,
     .wanted = "!fight",
     .phase = PHASE_OPENED,
     .seats = {{.level = 6, .hand = "Great Old Landlord"}, {.level = 2}, {.level = 2}}},
    {.name = "charity_parts_with_the_least",
     .level = &POLICY_RUTHLESS,
     .wanted = "charity Apocalypse Donkey to Bob",
     .phase = PHASE_CHARITY,
     .seats = {{.level = 4,
                .hand = "Enraged, Ancient, Apocalypse Donkey, Performance Review, Mate, Wandering "
                        "Monster"},
               {.level = 1},
               {.level = 2}}},
    {.name = "what_is_lost_is_the_least",
     .level = &POLICY_RUTHLESS,
     .wanted = "choose Tin Hat of Certainty",
     .played = "Bob: play Butterfingers on Ann; wait",
     .seats = {{.level = 4,
                .worn =
                    "Tin Hat of Certainty, Spear of Personal Space, Leather Jacket of Attitude"},
               {.level = 1, .hand = "Butterfingers"},
               {.level = 2}}},
    {.name = "takes_a_gift",
     .level = &POLICY_RUTHLESS,
     .wanted = "accept",
     .seat = FIXTURE_BOB,
     .played = "Ann: give Boots of Butt-Kicking to Bob",
     .seats = {{.level = 2, .carried = "Boots of Butt-Kicking"}, {.level = 2}, {.level = 2}}},
    {.name = "refuses_a_bad_bargain",
     .level = &POLICY_REGULAR,
     .wanted = "refuse",
     .seat = FIXTURE_BOB,
     .played = "Ann: offer Tin Hat of Certainty for Crown of Unearned Confidence to Bob",
     .seats = {{.level = 2, .carried = "Tin Hat of Certainty"},
               {.level = 2, .worn = "Crown of Unearned Confidence"},
               {.level = 2}}},
    {.name = "accepts_a_good_one",
     .level = &POLICY_REGULAR,
     .wanted = "accept",
     .seat = FIXTURE_BOB,
     .played = "Ann: offer Crown of Unearned Confidence for Tin Hat of Certainty to Bob",
     .seats = {{.level = 2, .carried = "Crown of Unearned Confidence"},
               {.level = 2, .worn = "Tin Hat of Certainty"},
               {.level = 2}}},
    {.name = "proposes_nothing_on_others_turns",
     .level = &POLICY_RUTHLESS,
     .wanted = "!o",
     .seat = FIXTURE_BOB,
     .seats = {{.level = 2, .carried = "Helmet of Selective Hearing"},
               {.level = 2, .carried = "Bow of Rude Pointing"},
               {.level = 2}}},
    {.name = "takes_over_what_wins_the_game",
     .level = &POLICY_RUTHLESS,
     .wanted = "play Ambitious Understudy",
     .doors = "Minimum-Wage Zombie",
     .played = "Ann: kick",
     .seat = FIXTURE_BOB,
     .seats = {{.level = 9}, {.level = 9, .hand = "Ambitious Understudy"}, {.level = 2}}},
};

// Cards by name into a pile of a fixture.
static void deal_list(struct fixture *f, const char *list, unsigned pile, unsigned flags)
{
    char words[LIST_SIZE];
    if (list == NULL) {
        return;
    }
    assert_true(strlen(list) < sizeof words);
    memcpy(words, list, strlen(list) + 1);
    char *rest = NULL;
    for (char *word = strtok_r(words, ",", &rest); word != NULL;
         word = strtok_r(NULL, ",", &rest)) {
        const char *const name = word + strspn(word, " ");
        const uint16_t def = catalog_find_def(f->catalog, name, NO_SET);
        assert_int_not_equal(def, NO_DEF);
        const bool item = f->box.defs[def].kind == KIND_ITEM;
        (void)fixture_card(f, name, pile, item ? flags : 0);
    }
}

static void elapse(struct fixture *f)
{
    const struct command command = {.verb = VERB_ELAPSE,
                                    .seat = NO_SEAT,
                                    .card = NO_CARD,
                                    .to = NO_SEAT,
                                    .about = NO_SEAT,
                                    .n = (int16_t)query_clock(f->game).kind};
    struct refusal why = {0};
    assert_true(fixture_submit(f, &command, &why));
}

// Who types, and what: "Ann: kick".
static unsigned typist(const char *words, const char **line)
{
    static const char INITIALS[FIXTURE_SEATS + 1] = "ABC";
    const char *const initial = strchr(INITIALS, words[0]);
    const char *const colon = strstr(words, ": ");
    assert_non_null(initial);
    assert_non_null(colon);
    *line = colon + 2;
    return (unsigned)(initial - INITIALS);
}

static void play(struct fixture *f, const char *lines)
{
    char words[LIST_SIZE];
    if (lines == NULL) {
        return;
    }
    assert_true(strlen(lines) < sizeof words);
    memcpy(words, lines, strlen(lines) + 1);
    char *rest = NULL;
    for (char *word = strtok_r(words, ";", &rest); word != NULL;
         word = strtok_r(NULL, ";", &rest)) {
        word += strspn(word, " ");
        if (strcmp(word, "wait") == 0) {
            elapse(f);
            continue;
        }
        struct refusal why = {0};
        const char *line = NULL;
        const unsigned seat = typist(word, &line);
        if (!fixture_do(f, seat, line, &why)) {
            fail_msg("%s: %s", word, refusal_name(why.code));
        }
    }
}

static void arrange(struct fixture *f, const struct situation *situation)
{
    fixture_open(f, NULL);
    for (unsigned seat = 0; seat < FIXTURE_SEATS; seat++) {
        const struct has *const has = &situation->seats[seat];
        arrange_seat(f->game, seat, has->level, seat != FIXTURE_BOB, false, true);
        deal_list(f, has->worn, PILE_TABLE + seat, CARD_EQUIPPED);
        deal_list(f, has->carried, PILE_TABLE + seat, 0);
        deal_list(f, has->hand, PILE_HAND + seat, 0);
    }
    if (situation->doors != NULL) {
        fixture_next(f, PILE_DOOR_DECK, situation->doors);
    }
    unsigned dice = 0;
    while (dice < sizeof situation->dice && situation->dice[dice] != 0) {
        dice++;
    }
    arrange_dice(f->game, situation->dice, dice);
    const bool start = situation->phase == PHASE_SETUP && !situation->setup;
    const enum phase phase = start ? PHASE_START : situation->phase;
    assert_true(arrange_finish(f->game, &f->box, FIXTURE_ANN, phase, NULL));
    for (unsigned seat = 0; seat < FIXTURE_SEATS; seat++) {
        game_redact(f->game, &f->box, seat, f->views[seat]);
    }
    game_redact(f->game, &f->box, NO_SEAT, f->views[MB_SEATS_MAX]);
    play(f, situation->played);
}

static void seed_rng(struct mb_rng *rng, uint64_t number)
{
    uint8_t seed[32];
    mb_rng_seed_u64(seed, number);
    mb_rng_init(rng, seed);
}

static bool decide(struct fixture *f, const struct policy *policy, unsigned seat,
                   struct mb_rng *rng, struct command *out)
{
    static struct move items[MB_MOVES_MAX];
    struct move_list moves = {.items = items, .capacity = MB_MOVES_MAX};
    moves_list(f->views[seat], &f->box, seat, &moves);
    const struct policy_input input = {.view = f->views[seat],
                                       .box = &f->box,
                                       .moves = &moves,
                                       .seat = seat,
                                       .rng = rng,
                                       .scratch = f->after};
    return moves.count > 0 && policy->choose(&input, out);
}

// What only chance goes on with: here the story of a situation ends.
static bool ends_it(const struct command *command)
{
    static const enum verb VERBS[] = {VERB_KICK, VERB_LOOT, VERB_DONE,
                                      VERB_RUN,  VERB_PASS, VERB_FIGHT};
    bool found = false;
    for (size_t i = 0; i < sizeof VERBS / sizeof VERBS[0]; i++) {
        found = found || command->verb == VERBS[i];
    }
    return found;
}

// All that a seat does until others must act, as typed, separated by "; ".
static void story(struct fixture *f, const struct situation *situation, uint64_t number, char *out)
{
    struct mb_rng rng;
    size_t used = 0;
    seed_rng(&rng, number);
    out[0] = '\0';
    for (unsigned act = 0; act < ACTS_MAX; act++) {
        struct command command;
        char line[LINE_SIZE];
        struct refusal why = {0};
        if (!decide(f, situation->level, situation->seat, &rng, &command)) {
            return;
        }
        const struct table_words words = fixture_words(f, situation->seat);
        assert_true(parse_format(&words, &command, line, sizeof line) < sizeof line);
        used += (size_t)snprintf(out + used, TEXT_SIZE - used, "%s%s", used > 0 ? "; " : "", line);
        assert_true(used < TEXT_SIZE);
        if (ends_it(&command)) {
            return;
        }
        if (!fixture_submit(f, &command, &why)) {
            fail_msg("%s is refused: %s", line, refusal_name(why.code));
        }
        if (query_phase(f->game) == PHASE_OVER) {
            return;
        }
    }
    fail_msg("%s acts for ever: %s", situation->level->name, out);
}

static void acts_as_it_should(void **state)
{
    const struct situation *const situation = *state;
    const bool never = situation->wanted[0] == '!';
    const char *const wanted = situation->wanted + (never ? 1 : 0);
    unsigned seen = 0;
    static char text[TEXT_SIZE];
    static char last[TEXT_SIZE];
    for (unsigned i = 0; i < TRIES; i++) {
        struct fixture f;
        arrange(&f, situation);
        story(&f, situation, i, text);
        fixture_close(&f);
        const bool found = strstr(text, wanted) != NULL;
        seen += found;
        if (found == never) {
            memcpy(last, text, sizeof last);
        }
    }
    const unsigned bound =
        situation->most_tries != 0 ? situation->most_tries : (never ? 0 : (unsigned)TRIES);
    if (never ? seen > bound : seen < bound) {
        fail_msg("\"%s\" in %u of %d tries, for example: %s", wanted, seen, TRIES, last);
    }
}

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
        arrange(&f, &hidden);
        seed_rng(&rng, number);
        memset(&chosen[twin], 0, sizeof chosen[twin]);
        did[twin] = decide(&f, hidden.level, hidden.seat, &rng, &chosen[twin]);
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
                    {"Net Troll", "Ann: kick; Ann: ask Bob", VERB_REFUSE}};
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
    enum { COUNT = sizeof SITUATIONS / sizeof SITUATIONS[0] };
    struct CMUnitTest tests[COUNT + 2];
    for (size_t i = 0; i < COUNT; i++) {
        tests[i] = (struct CMUnitTest){.name = SITUATIONS[i].name,
                                       .test_func = acts_as_it_should,
                                       .initial_state = (void *)(uintptr_t)&SITUATIONS[i]};
    }
    tests[COUNT] = (struct CMUnitTest)cmocka_unit_test(hidden_cards_do_not_matter);
    tests[COUNT + 1] =
        (struct CMUnitTest)cmocka_unit_test(against_a_leader_hidden_cards_do_not_matter);
    return cmocka_run_group_tests_name("policy", tests, NULL, NULL);
}
