#include <stdio.h>
#include <string.h>

#include "core/codec/describe.h"

#include "tests/core/codec/catalog_fixture.h"
#include "tests/support/test.h"

struct describe_case {
    const char *name;
    const char *card;
    const char *text;
};

#define MONSTER(rows) "{'name':'X','kind':'monster','level':4,'treasures':2,'rows':[" rows "]}"
#define CURSE(rows)   "{'name':'X','kind':'curse','rows':[" rows "]}"

static const struct describe_case CASES[] = {
    {"a bare monster", "{'name':'X','kind':'monster','level':1,'treasures':1}",
     "Level 1, 1 Treasure."},
    {"tags, two Levels", "{'name':'X','kind':'monster','level':16,'treasures':4,'tags':['undead']}",
     "Level 16, 4 Treasures, 2 Levels, Undead."},
    {"a bonus against a Race", MONSTER("{'do':'monster_bonus','amount':4,'if':[{'trait':'Elf'}]}"),
     "Level 4, 2 Treasures. +4 if an Elf is in the fight."},
    {"a bonus for every such fighter",
     MONSTER("{'do':'monster_bonus','amount':{'per':'trait','trait':'Wizard','times':2}}"),
     "Level 4, 2 Treasures. +2 for each Wizard in the fight."},
    {"Bad Stuff with an alternative",
     MONSTER("{'when':'bad_stuff','do':'lose','cards':{'place':'equipped','slot':'armor'}},{'when':"
             "'bad_stuff','do':'level','amount':-2,'else':true}"),
     "Level 4, 2 Treasures. Bad Stuff: lose the Armor you are wearing; if you wear none, lose 2 "
     "Levels."},
    {"a die", MONSTER("{'when':'bad_stuff','do':'level','amount':{'per':'die','times':-1}}"),
     "Level 4, 2 Treasures. Bad Stuff: lose as many Levels as the roll of a die."},
    {"a die that another rolls",
     MONSTER("{'do':'monster_bonus','amount':{'per':'die','who':'left'}}"),
     "Level 4, 2 Treasures. Plus the roll of a die by the player to your left."},
    {"so many for each that is turned up",
     MONSTER("{'when':'enter','do':'reveal','deck':'door','amount':2,'cards':{'kinds':['monster'],"
             "'place':'door_discard'}},{'when':'enter','do':'lasting','effect':'monster_bonus',"
             "'amount':{'per':'rolled','times':5},'until':'fight'}"),
     "Level 4, 2 Treasures. When it enters a fight: turn up 2 Doors and discard them; +5 for each "
     "Monster among them in this fight."},
    {"the best of some Items",
     CURSE(
         "{'when':'strike','do':'lose','amount':1,'chooser':'best_value','cards':{'place':'table',"
         "'item':'any','size':'small'}}"),
     "Curse. Lose your small Item of the greatest value."},
    {"a card by its name",
     CURSE("{'when':'strike','do':'lose','amount':1,'cards':{'place':'table','name':'X'}}"),
     "Curse. Lose X."},
    {"monsters by their name leave",
     MONSTER("{'when':'enter','do':'remove_monster','which':'all','outcome':'nothing','cards':{"
             "'place':'fight','name':'X'}}"),
     "Level 4, 2 Treasures. When it enters a fight: X in the fight leaves, with no Level and "
     "no Treasure."},
    {"a card out of the hand, as the taker likes",
     CURSE("{'when':'strike','do':'take','who':'left','amount':1,'chooser':'taker','to':'hand',"
           "'cards':{'place':'hand'}}"),
     "Curse. The player to your left takes 1 card from your hand."},
    {"others take",
     MONSTER("{'when':'bad_stuff','do':'take','who':'highest_others','chooser':'taker','cards':{'"
             "place':'table','item':'any'}}"),
     "Level 4, 2 Treasures. Bad Stuff: every other player of the highest Level takes 1 Item you "
     "have in play."},
    {"a wanderer", MONSTER("{'do':'leaves_for','amount':1,'if':[{'sex':'female'}]}"),
     "Level 4, 2 Treasures. It leaves at once, with no Level and 1 Treasure, if a fighter is "
     "female."},
    {"a plural that leaves, by its own verb and pronoun",
     "{'name':'X','kind':'monster','level':4,'treasures':2,'number':'plural','rows':[{'do':"
     "'leaves_for','amount':0,'if':[{'sex':'female'}]},{'do':'run_bonus','amount':1}]}",
     "Level 4, 2 Treasures. They leave at once, with no Level and no Treasure, if a fighter is "
     "female. +1 to run away from them."},
    {"a lady who follows whoever escapes",
     "{'name':'X','kind':'monster','level':4,'treasures':2,'pronoun':'she','rows':[{'when':"
     "'escaped','do':'follow','if':[{'wandered':true,'absent':true}]},{'when':'killed','do':"
     "'level','amount':-1}]}",
     "Level 4, 2 Treasures. After you escape from her: she joins your next fight, unless a card "
     "brought her into the fight. When she is killed: lose 1 Level."},
    {"help that is not paid",
     "{'name':'X','kind':'door','play':['own_fight'],'rows':[{'when':'play','do':'force_help','who'"
     ":"
     "'target','target':'other','amount':0}]}",
     "Other Door. In a fight of your own: 1 other player of your choice helps, unasked and unpaid; "
     "not in a fight that would win you the game."},
    {"a kill without a fight pays its Level",
     MONSTER("{'do':'leaves_for','kill':true,'if':[{'named_in_play':'X'}]}"),
     "Level 4, 2 Treasures. It leaves at once, as a kill, with its Level and Treasures, if X is in "
     "play."},
    {"a plural in play",
     "{'name':'X','kind':'monster','level':16,'treasures':4,'number':'plural','rows':[{'do':"
     "'leaves_for','kill':true,'amount':0,'if':[{'named_in_play':'X'}]}]}",
     "Level 16, 4 Treasures, 2 Levels. They leave at once, as a kill, with their Levels and no "
     "Treasure, if X are in play."},
    {"one use or the other, of one sort of monster",
     "{'name':'X','kind':'one_shot','gold':200,'bonus':3,'rows':[{'when':'play','do':"
     "'remove_monster','kill':true,'target':'monster','if':[{'this_tag':'fire'}]}]}",
     "One-shot, 200 Gold Pieces. In any fight: +3 to either side. Or 1 fire monster leaves, which "
     "counts as a kill."},
    {"Items by their bonus",
     "{'name':'X','kind':'curse','rows':[{'when':'strike','do':'lose','amount':1,'cards':{'place':"
     "'equipped','bonus_min':3}},{'when':'strike','do':'lose','amount':1,'cards':{'place':"
     "'equipped','bonus_max':0}}]}",
     "Curse. Lose 1 equipped Item of your choice of +3 or more; lose 1 equipped Item of your "
     "choice "
     "without a bonus."},
    {"a monster of a Level",
     "{'name':'X','kind':'faction','rows':[{'when':'ability','ability':'Deal','do':"
     "'remove_monster','outcome':'pays','target':'monster','if':[{'monster_level_max':6}],'cost':{"
     "'cards':[2,2]},'limit':{'times':2,'per':'fight'}}]}",
     "Faction. Deal: discard 2 cards, once per fight: 1 monster of Level 6 or lower leaves, with "
     "no "
     "Level; the main player gets its Treasures."},
    {"who may not help",
     MONSTER("{'do':'no_help','if':[{'is_helper':true,'of':'helper'},{'trait':"
             "'Elf','of':'helper','absent':true}]}"),
     "Level 4, 2 Treasures. Nobody who is not an Elf may help in this fight."},
    {"half of what is counted",
     MONSTER("{'do':'monster_bonus','amount':{'per':'cards','who':'main','half':true,'cards':{"
             "'place':'hand'}}}"),
     "Level 4, 2 Treasures. +1 for each 2 cards in the hand of the main player (rounded up)."},
    {"half of a number",
     MONSTER("{'do':'monster_bonus','amount':{'per':'level','who':'main','half':true},'fixed':"
             "true}"),
     "Level 4, 2 Treasures. Plus half the Level of the main player (rounded up), counted when it "
     "enters."},
    {"what several parts hang on comes first",
     MONSTER("{'when':'enter','do':'roll'},{'when':'enter','do':'remove_monster','outcome':'pays',"
             "'if':[{'rolled_min':5}]},{'when':'enter','do':'lasting','effect':'monster_bonus',"
             "'amount':4,'until':'fight','if':[{'rolled_min':2},{'rolled_max':4}]}"),
     "Level 4, 2 Treasures. When it enters a fight: roll a die; if the die shows at least 5, it "
     "leaves, with no Level; the main player gets its Treasures; +4 in this fight if the die shows "
     "2 to 4."},
    {"of the only one that is turned up",
     MONSTER("{'when':'enter','do':'reveal','deck':'door','amount':1,'cards':{'kinds':['monster'],"
             "'place':'door_discard'}},{'when':'enter','do':'remove_monster','outcome':'nothing',"
             "'if':[{'rolled_min':1}]}"),
     "Level 4, 2 Treasures. When it enters a fight: turn up 1 Door and discard it; if it is a "
     "Monster, it leaves, with no Level and no Treasure."},
    {"whom a play names, and again",
     "{'name':'X','kind':'treasure','play':['peace'],'rows':[{'when':'play','do':'show_hand','who':"
     "'target','target':'other','if':[{'lowest':true,'absent':true,'of':'target'}]},{'when':'play',"
     "'do':'lasting','effect':'bonus','amount':-2,'who':'target','target':'other','until':"
     "'next_fight'}]}",
     "Special Treasure. Out of fights: 1 other player of your choice who is not at the lowest "
     "Level "
     "(even tied) shows the hand to all; that player has -2 in their next fight (in the present "
     "one "
     "if they are in one)."},
    {"Items that no one-shot is",
     MONSTER("{'do':'exclude','what':'items'},{'when':'bad_stuff','do':'lose','cards':{'kinds':["
             "'item'],'place':'hand'}}"),
     "Level 4, 2 Treasures. Permanent Items do not count for the players in this fight. Bad Stuff: "
     "discard 1 permanent Item of your choice from your hand."},
    {"whosever it is that lies in the fight",
     MONSTER("{'do':'monster_bonus','amount':{'per':'bonuses','cards':{'kinds':['one_shot'],'place'"
             ":'fight'}},'if':[{'cards':{'kinds':['enhancer'],'place':'fight'},'count':1}]}"),
     "Level 4, 2 Treasures. Plus the bonuses of the one-shots in the fight if an enhancer is in "
     "the "
     "fight."},
    {"what an answer answers",
     "{'name':'X','kind':'one_shot','rows':[{'when':'answer_play','do':'cancel'}]}",
     "One-shot, No Value. When another player plays a one-shot, enhancer, Door or "
     "Treasure: "
     "that card is discarded and does nothing."},
    {"a monster that goes elsewhere",
     "{'name':'X','kind':'monster','level':4,'treasures':2,'pronoun':'they','rows':[{'when':"
     "'killed','do':'move','object':'this_monster','to':'hand','who':'left'}]}",
     "Level 4, 2 Treasures. When they are killed: they go to the hand of the player to your left."},
    {"a gentleman who takes a price",
     "{'name':'X','kind':'monster','level':4,'treasures':2,'pronoun':'he','rows':[{'when':'before',"
     "'may':true,'do':'lose','cards':{'place':'hand'},'if':[{'hand_min':1}]},{'when':'before',"
     "'then':true,'do':'remove_monster','outcome':'pays'}]}",
     "Level 4, 2 Treasures. Before the fight you may discard 1 card of your choice from your hand: "
     "he leaves, with no Level; the main player gets his Treasures."},
    {"a follower who is somebody",
     "{'name':'X','kind':'follower','sort':'sidekick','pronoun':'she','bonus':1,'sacrifice':true}",
     "Sidekick. +1. Discard her after losing a fight to escape from all monsters."},
    {"no pursuit", MONSTER("{'do':'no_pursue','if':[{'level_max':3}]}"),
     "Level 4, 2 Treasures. Will not pursue Level 3 or lower."},
    {"no pursuit for the owner of a Curse",
     "{'name':'X','kind':'curse','stays':true,'rows':[{'do':'no_pursue','if':[{'level_max':3}]}]}",
     "Curse. Stays in play. Monsters will not pursue you if you are Level 3 or lower."},
    {"no bonus counts", MONSTER("{'do':'exclude','what':'bonuses'}"),
     "Level 4, 2 Treasures. No bonus counts on either side in this fight: Level against Level."},
    {"no bonus of a kind counts",
     MONSTER("{'do':'exclude','what':'bonuses','cards':{'place':'fight','tag':'fire'}}"),
     "Level 4, 2 Treasures. No bonus of fire cards counts in this fight."},
    {"what does not count for a time",
     CURSE("{'when':'strike','do':'lasting','effect':'exclude','effect_arg':'all_but_level','until'"
           ":'fight','who':'main'},{'when':'strike','do':'lasting','effect':'exclude','effect_arg':"
           "'items','until':'turn','who':'left','cards':{'slot':'armor'}}"),
     "Curse. Only Levels count for the players in this fight; for the player to your left: the "
     "players get nothing from Armor until the turn ends."},
    {"what is of an Item",
     "{'name':'X','kind':'one_shot','play':['own_fight'],'rows':[{'when':'play','do':'lasting',"
     "'target':'own_item','cards':{'place':'equipped','slot':'armor'},'effect':'run_bonus','amount'"
     ":2,'until':'fight'}]}",
     "One-shot, No Value. In a fight of your own: 1 of your Armor gives you +2 to run away in this "
     "fight."},
    {"what is of an Item once more",
     "{'name':'X','kind':'one_shot','play':['own_fight'],'rows':[{'when':'play','do':'lasting',"
     "'target':'own_item','cards':{'place':'equipped','item':'permanent'},'effect':'bonus','amount'"
     ":{'per':'paid_bonus'},'until':'fight'}]}",
     "One-shot, No Value. In a fight of your own: 1 of your equipped permanent Items gives you its "
     "bonus once more in this fight."},
    {"no pursuit while a card lies in play",
     MONSTER("{'do':'no_pursue','if':[{'any_of':[{'named_in_play':'X'},{'cards':{'place':"
             "'door_discard','name':'X'},'count':1}]}]}"),
     "Level 4, 2 Treasures. Will not pursue anybody while X is in play or X is in the Door "
     "discards."},
    {"an Item with everything",
     "{'name':'X','kind':'item','slot':'two_hands','big':true,'gold':600,'bonus':3,'needs':[{'"
     "trait':'Cleric','absent':true}]}",
     "2 Hands, Big, 600 Gold Pieces. Not usable by a Cleric. +3."},
    {"an Item without value", "{'name':'X','kind':'item','rows':[{'do':'run_bonus','amount':2}]}",
     "No slot, No Value. +2 to run away."},
    {"a one-shot", "{'name':'X','kind':'one_shot','gold':100,'bonus':5}",
     "One-shot, 100 Gold Pieces. In any fight: +5 to either side."},
    {"an answer by its rows",
     "{'name':'X','kind':'one_shot','rows':[{'when':'answer_roll','do':'reroll','if':[{'roll_own':"
     "true,'absent':true}]}]}",
     "One-shot, No Value. After another player's roll: it is rolled again."},
    {"a lasting Curse",
     CURSE("{'when':'strike','do':'lasting','effect':'bonus','amount':-5,'until':'next_fight'}"),
     "Curse. -5 in your next fight (in the present one if you are in one)."},
    {"a lasting effect on others",
     CURSE("{'when':'strike','do':'lasting','who':'others','effect':'bars','effect_arg':'loot','"
           "until':'turn'}"),
     "Curse. Every other player may not loot the room until the turn ends."},
    {"cards worth a sum",
     CURSE("{'when':'strike','do':'lose','value':1000,'cards':{'place':'table','item':'any'}}"),
     "Curse. Lose Items worth at least 1000 Gold Pieces."},
    {"as many as a die",
     CURSE("{'when':'strike','do':'lose','amount':{'per':'die'},'cards':{'place':'hand'}}"),
     "Curse. Discard as many cards of your choice from your hand as the roll of a die."},
    {"a number of one's own cards",
     "{'name':'X','kind':'item','bonus':{'per':'cards','cards':{'kinds':['follower'],'place':'"
     "table'}}}",
     "No slot, No Value. +1 for each of your followers."},
    {"a protection",
     "{'name':'X','kind':'item','rows':[{'do':'immune','cards':{'slot':'footgear'}}]}",
     "No slot, No Value. Neither Curses nor Bad Stuff take your Footgear."},
    {"who fits",
     CURSE(
         "{'when':'strike','do':'level','amount':1,'who':'everyone_with','if':[{'trait':'Elf'}]}"),
     "Curse. Every player who is an Elf gains 1 Level."},
    {"an ability with cost and limit",
     "{'name':'X','kind':'class','rows':[{'when':'ability','ability':'Berserk','do':'lasting','"
     "effect':'side_bonus','amount':{'per':'paid'},'until':'fight','cost':{'cards':[1,3]},'limit':{"
     "'times':3,'per':'fight'}}]}",
     "Class. Berserk: discard up to 3 cards per fight: +1 for each."},
    {"an enhancer", "{'name':'X','kind':'enhancer','bonus':-5,'treasures':-1}",
     "Enhancer. -5 to a monster. 1 Treasure fewer, but at least 1."},
    {"a Comrade",
     "{'name':'X','kind':'follower','sort':'comrade','bonus':4,'rows':[{'do':'trait','trait':'"
     "Wizard'}]}",
     "Comrade. +4. Counts as a Wizard on your side wherever monsters care."},
    {"a Power", "{'name':'X','kind':'power','rank':2,'rows':[{'do':'meta','meta':'identity'}]}",
     "Power of Rank 2. Secret Identity."},
    {"fire of a filter",
     MONSTER("{'do':'exclude','what':'items','cards':{'tag':'fire','item':'permanent'}}"),
     "Level 4, 2 Treasures. The players get nothing from fire permanent Items in this fight."},
    {"an offer before the fight",
     MONSTER("{'when':'before','may':true,'do':'lose','cards':{'place':'hand'},'if':[{'hand_min':1}"
             "]},{'when':'before','then':true,'do':'remove_monster','outcome':'nothing'}"),
     "Level 4, 2 Treasures. Before the fight you may discard 1 card of your choice from your hand: "
     "it leaves, with no Level and no Treasure."},
    {"a Curse for one fight",
     "{'name':'X','kind':'curse','stays':true,'rows':[{'do':'bonus','amount':-5,'if':[{'in_fight':"
     "true}]},{'do':'bars','what':'help','if':[{'in_fight':true}]},{'when':'fight_end','do':'"
     "discard_self'}]}",
     "Curse. Stays in play. In your next fight (in the present one if you are in one): -5; you may "
     "not help."},
    {"a Curse until a card is lost",
     "{'name':'X','kind':'curse','stays':true,'rows':[{'do':'roll_bonus','amount':-1},{'when':'"
     "card_lost','cards':{'slot':'headgear'},'do':'discard_self'}]}",
     "Curse. Stays in play. -1 to every die you roll, until a Curse or Bad Stuff costs you "
     "Headgear."},
    {"an answer to one's own failed roll",
     "{'name':'X','kind':'one_shot','gold':200,'rows':[{'when':'answer_roll','do':'escape','which':"
     "'this','if':[{'roll_own':true},{'roll_flight':true},{'roll_failed':true}]}]}",
     "One-shot, 200 Gold Pieces. After a failed roll of yours to run away: escape from that "
     "monster."},
    {"a Level for a player named",
     "{'name':'X','kind':'treasure','rows':[{'when':'play','do':'level','who':'target','amount':1,'"
     "target':'player'}]}",
     "Special Treasure. At any time: 1 player of your choice gains 1 Level, but not the winning "
     "Level."},
    {"a follower",
     "{'name':'X','kind':'follower','sort':'hireling','bonus':1,'rows':[{'do':'carries'}]}",
     "Hireling. +1. Carries 1 Item, of any slot, size or restriction, beside your own; not handed "
     "over in a fight. Discard it after losing a fight to escape from all monsters."},
};

static void test_sentence(void **state)
{
    const struct describe_case *c = *state;
    char card[1024];
    char text[DESCRIBE_SIZE];
    struct catalog *catalog = fixture_catalog();
    (void)snprintf(card, sizeof card, "[%s]", c->card);
    uint8_t set = fixture_add(catalog, card);
    size_t length = describe_card(catalog, catalog_set(catalog, set)->first_def, text, sizeof text);
    assert_string_equal(text, c->text);
    assert_int_equal(length, strlen(text));
    catalog_destroy(catalog);
}

static void check_reads(const char *name, const char *text)
{
    static const char *const FAULTS[] = {"%",  "..",     "  ",  "{",  "|",    " .",
                                         "()", "(null)", ": .", ",:", " a A", " a E"};
    for (size_t i = 0; i < sizeof FAULTS / sizeof FAULTS[0]; i++) {
        if (strstr(text, FAULTS[i]) != NULL) {
            fail_msg("%s reads \"%s\"", name, text);
        }
    }
}

// Every card of the project makes sentences: no mark left over, nothing empty, nothing cut.
static void test_every_card_reads(void **state)
{
    (void)state;
    char text[DESCRIBE_SIZE];
    static const char *const DIRS[] = {"cards/classic", "cards/legends", "cards/pathfinder",
                                       "cards/super",   "cards/conan",   "cards/vocabulary"};
    struct catalog *catalog = catalog_load_sets(DIRS, sizeof DIRS / sizeof DIRS[0], NULL);
    assert_non_null(catalog);
    for (unsigned def = 0; def < catalog_def_count(catalog); def++) {
        size_t length = describe_card(catalog, def, text, sizeof text);
        assert_true(length >= 5 && length + 1 < sizeof text);
        check_reads(catalog_name(catalog, def), text);
        // The figures come first, the rest is the text of the card.
        char rest[DESCRIBE_SIZE];
        size_t part = describe_text(catalog, def, rest, sizeof rest);
        assert_true(part < length);
        assert_string_equal(text + length - part, rest);
    }
    catalog_destroy(catalog);
}

static void test_it_is_cut_to_fit(void **state)
{
    (void)state;
    char text[8];
    struct catalog *catalog = fixture_catalog();
    size_t length = describe_card(catalog, 0, text, sizeof text);
    assert_int_equal(length, strlen(text));
    assert_int_equal(describe_card(catalog, NO_DEF, text, sizeof text), 0);
    assert_int_equal(describe_card(catalog, 0, text, 0), 0);
    catalog_destroy(catalog);
}

int main(void)
{
    enum { COUNT = sizeof CASES / sizeof CASES[0] };
    struct CMUnitTest tests[COUNT + 2];
    for (size_t i = 0; i < COUNT; i++) {
        tests[i] = (struct CMUnitTest){.name = CASES[i].name,
                                       .test_func = test_sentence,
                                       .initial_state = (void *)(uintptr_t)&CASES[i]};
    }
    tests[COUNT] = (struct CMUnitTest)cmocka_unit_test(test_every_card_reads);
    tests[COUNT + 1] = (struct CMUnitTest)cmocka_unit_test(test_it_is_cut_to_fit);
    return cmocka_run_group_tests_name("describe", tests, NULL, NULL);
}
