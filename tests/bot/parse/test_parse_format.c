#include <stdio.h>
#include <string.h>

#include "core/state/game_state.h"

#include "tests/bot/parse/parse_table.h"
#include "tests/support/test.h"

// Lines worded as the bot words them: they come back letter for letter.
static const char *const LINES[] = {
    "kick",
    "take",
    "fight Goblin Auditor",
    "loot",
    "done",
    "play Enraged on Net Troll",
    "play Enraged on Net Troll (Mate)",
    "play Magic Missile for players",
    "play Lose Your Armor on Ada Lovelace",
    "play Lose Your Armor on Ann",
    "play Wandering Monster with Goblin Auditor",
    "play Warrior replacing Warrior",
    "play conan:Warrior",
    "play Thief with Thief",
    "lay Tin Hat of Certainty",
    "equip Siege Ladder",
    "unequip Boots of Butt-Kicking",
    "hand-over Siege Ladder to Hireling",
    "discard Warrior",
    "discard Warrior in hand",
    "discard Warrior, Warrior, Hireling",
    "use Berserk with Thief, Thief, Warrior",
    "use Theft with Thief on Flaming Armor",
    "use Theft on Elf of Cy",
    "use Backstab with Thief on Bob",
    "use Charm Spell on Tenured Skeleton",
    "sell Staff of Napalm, Staff of Mitra",
    "give Siege Ladder to Bob",
    "offer Siege Ladder for Mace of Sharpness, Flaming Armor to Bob",
    "offer Siege Ladder to Bob for not helping",
    "offer Siege Ladder to Bob for not helping Cy",
    "accept",
    "accept 2",
    "refuse 1",
    "withdraw 3",
    "ask Bob",
    "ask all offering 2 treasures picking first",
    "ask Bob offering 1 treasure, Siege Ladder picking second promising Thief, Enraged",
    "ask Cy offering Siege Ladder",
    "volunteer",
    "volunteer for 1 treasure picking second",
    "pass",
    "hold",
    "run",
    "run Tenured Skeleton",
    "run Net Troll (Mate)",
    "sacrifice",
    "sacrifice Hireling with helper",
    "charity Thief, Thief, Enraged to Cy",
    "show hand to all",
    "show Thief to Bob",
    "show Enraged, Thief to all",
};

enum { LINE_COUNT = sizeof LINES / sizeof LINES[0] };

static struct parse_table usual;

static bool is_alike(const struct parse_table *table, uint16_t a, uint16_t b)
{
    const struct card_state *x = &table->game.cards[a < table->game.card_count ? a : 0];
    const struct card_state *y = &table->game.cards[b < table->game.card_count ? b : 0];
    return a == b || (table->box.card_def[a] == table->box.card_def[b] && x->pile == y->pile &&
                      x->flags == y->flags && x->host == y->host);
}

static bool same_cards(const struct parse_table *table, const uint16_t *a, const uint16_t *b,
                       unsigned count)
{
    bool same = true;
    for (unsigned i = 0; i < count; i++) {
        same = same && is_alike(table, a[i], b[i]);
    }
    return same;
}

static bool same_command(const struct parse_table *table, const struct command *a,
                         const struct command *b)
{
    bool same_card =
        a->card == b->card || (a->card != NO_CARD && is_alike(table, a->card, b->card));
    bool same_target = a->target == b->target ||
                       (a->target_kind == TARGET_CARD && is_alike(table, a->target, b->target));
    return same_card && same_target && a->verb == b->verb && a->seat == b->seat &&
           a->side == b->side && a->target_kind == b->target_kind && a->ability == b->ability &&
           a->to == b->to && a->about == b->about && a->bribe == b->bribe &&
           a->picking == b->picking && a->n == b->n && a->list_count == b->list_count &&
           a->more_count == b->more_count && same_cards(table, a->list, b->list, a->list_count) &&
           same_cards(table, a->more, b->more, a->more_count);
}

static void assert_returns(const struct parse_table *table, const struct command *command)
{
    char line[2048];
    char before[1024];
    char after[1024];
    struct request request;
    struct parse_error error;
    parse_format(&table->words, command, line, sizeof line);
    if (!parse_request(&table->words, line, &request, &error)) {
        parse_table_dump(table, command, before, sizeof before);
        print_message("%s -> %s\n", before, line);
        fail_msg("%s: %s (%s)", line, refusal_name(error.why.code), error.expected);
    }
    if (!same_command(table, &request.command, command)) {
        parse_table_dump(table, command, before, sizeof before);
        parse_table_dump(table, &request.command, after, sizeof after);
        fail_msg("%s\n -> %s\n -> %s", before, line, after);
    }
}

static void test_line(void **state)
{
    const char *line = *state;
    char words[1024];
    struct request request;
    struct parse_error error;
    assert_true(parse_request(&usual.words, line, &request, &error));
    size_t length = parse_format(&usual.words, &request.command, words, sizeof words);
    assert_string_equal(words, line);
    assert_int_equal(length, strlen(line));
    assert_returns(&usual, &request.command);
}

static struct command empty_command(unsigned verb)
{
    return (struct command){
        .verb = (uint8_t)verb, .card = NO_CARD, .target = NO_CARD, .to = NO_SEAT, .about = NO_SEAT};
}

/* A table with much that is alike: copies in hand and in play, worn and carried, of two sets. */
static void crowded(struct parse_table *table)
{
    static const struct {
        const char *name;
        unsigned pile, flags;
    } CARDS[] = {
        {"Elf", PILE_HAND, 0},
        {"Wizard", PILE_TABLE, 0},
        {"conan:Wizard", PILE_TABLE, 0},
        {"conan:Wizard", PILE_TABLE + 1, 0},
        {"Wizard", PILE_TABLE + 1, 0},
        {"Half-Breed", PILE_TABLE + 4, 0},
        {"conan:Half-Breed", PILE_TABLE + 2, 0},
        {"conan:Thief", PILE_HAND, 0},
        {"conan:Thief", PILE_DOOR_DISCARD, 0},
        {"Go Up a Level", PILE_HAND, 0},
        {"conan:Go Up a Level", PILE_HAND, 0},
        {"Super Munchkin", PILE_HAND, 0},
        {"conan:Super Munchkin", PILE_HAND, CARD_FRESH},
        {"conan:Super Munchkin", PILE_HAND, 0},
        {"Drooling Slime", PILE_HAND, 0},
        {"Tastes Like Chicken!", PILE_HAND, 0},
        {"The God in the Bowl", PILE_HAND, 0},
        {"King Who Stayed Seated", PILE_HAND, 0},
        {"That Turns Into A Giant Snake", PILE_RESOLVING, 0},
        {"Lotus Powder", PILE_AWARD, 0},
    };
    for (size_t i = 0; i < sizeof CARDS / sizeof CARDS[0]; i++) {
        parse_table_put(table, CARDS[i].name, CARDS[i].pile, CARDS[i].flags);
    }
}

static void copy_of_usual(struct parse_table *table)
{
    *table = usual;
    table->words.view = &table->game;
    table->words.box = &table->box;
}

static void every_card_can_be_named(void **state)
{
    static const uint8_t VERBS[] = {VERB_PLAY, VERB_LAY, VERB_EQUIP, VERB_UNEQUIP, VERB_FIGHT};
    struct parse_table table;
    (void)state;
    copy_of_usual(&table);
    crowded(&table);
    for (uint16_t card = 0; card < table.game.card_count; card++) {
        unsigned pile = table.game.cards[card].pile;
        for (size_t i = 0; i < sizeof VERBS; i++) {
            bool hand_only = VERBS[i] == VERB_LAY || VERBS[i] == VERB_FIGHT;
            bool table_only = VERBS[i] == VERB_EQUIP || VERBS[i] == VERB_UNEQUIP;
            if ((pile == PILE_HAND && !table_only) || (pile == PILE_TABLE && !hand_only)) {
                struct command command = empty_command(VERBS[i]);
                command.card = card;
                assert_returns(&table, &command);
            }
        }
    }
}

static bool is_own(const struct parse_table *table, uint16_t card)
{
    unsigned pile = table->game.cards[card].pile;
    return pile == PILE_HAND || pile == PILE_TABLE;
}

static void every_pair_can_be_listed(void **state)
{
    struct parse_table table;
    (void)state;
    copy_of_usual(&table);
    crowded(&table);
    for (uint16_t a = 0; a < table.game.card_count; a++) {
        for (uint16_t b = 0; is_own(&table, a) && b < table.game.card_count; b++) {
            if (a == b || !is_own(&table, b)) {
                continue;
            }
            struct command command = empty_command(VERB_DISCARD);
            command.list_count = 2;
            command.list[0] = a;
            command.list[1] = b;
            assert_returns(&table, &command);
            command.verb = VERB_SELL;
            assert_returns(&table, &command);
        }
    }
}

static void every_target_can_be_named(void **state)
{
    struct parse_table table;
    (void)state;
    copy_of_usual(&table);
    crowded(&table);
    // A second copy of the first monster.
    parse_table_monster(&table, "Karaoke Imp", table.game.fight.monsters[0].card);
    parse_table_monster(&table, "conan:Thaug", NO_CARD);
    for (uint16_t subject = table.game.piles[PILE_HAND].first; subject != NO_CARD;
         subject = table.game.cards[subject].next) {
        struct command command = empty_command(VERB_PLAY);
        command.card = subject;
        if (strcmp(names_card(&table.words, subject), "Magic Missile") == 0) {
            continue; // played for a side: "on Ann" means hers
        }
        for (unsigned seat = 0; seat < 5; seat++) {
            command.target_kind = TARGET_SEAT;
            command.target = (uint16_t)seat;
            assert_returns(&table, &command);
        }
        for (uint16_t card = 0; card < table.game.card_count; card++) {
            if (pile_is_table(table.game.cards[card].pile)) {
                command.target_kind = TARGET_CARD;
                command.target = card;
                assert_returns(&table, &command);
            }
        }
        for (unsigned i = 0; i < table.game.fight.monster_count; i++) {
            command.target_kind = TARGET_MONSTER;
            command.target = table.game.fight.monsters[i].card;
            bool by_card = box_def(&table.box, subject)->row_count == 0;
            if (by_card || strcmp(names_card(&table.words, subject), "Enraged") == 0) {
                assert_returns(&table, &command);
            }
        }
    }
}

static void difficult_players_can_be_named(void **state)
{
    static const char *const NAMES[MB_SEATS_MAX] = {
        "Bob, the Great", "to", "On Fire", "!!!", "Elf", "all"};
    struct parse_table table;
    (void)state;
    copy_of_usual(&table);
    table.game.seat_count = MB_SEATS_MAX;
    memcpy(table.words.players, NAMES, sizeof NAMES);
    for (unsigned seat = 0; seat < MB_SEATS_MAX; seat++) {
        struct command command = empty_command(VERB_GIVE);
        command.to = (uint8_t)seat;
        command.list_count = 1;
        command.list[0] = table.game.piles[PILE_TABLE].first;
        assert_returns(&table, &command);
        command = empty_command(VERB_ASK);
        command.to = (uint8_t)seat;
        assert_returns(&table, &command);
        command = empty_command(VERB_PLAY);
        command.card = table.game.piles[PILE_HAND].first;
        command.target_kind = TARGET_SEAT;
        command.target = (uint16_t)seat;
        assert_returns(&table, &command);
        command = empty_command(VERB_OFFER);
        command.to = 0;
        command.list_count = 1;
        command.list[0] = table.game.piles[PILE_TABLE].first;
        command.bribe = 1;
        command.about = (uint8_t)seat;
        assert_returns(&table, &command);
    }
}

static void answers_return(void **state)
{
    struct parse_table table;
    (void)state;
    copy_of_usual(&table);
    crowded(&table);
    uint16_t cards[128];
    unsigned count = 0;
    for (uint16_t card = 0; card < table.game.card_count && count < 128; card++) {
        if (table.game.cards[card].pile >= PILE_AWARD) {
            cards[count++] = card;
        }
    }
    parse_table_ask_cards(&table, cards, count);
    for (unsigned i = 0; i + 1 < count; i++) {
        struct command command = empty_command(VERB_CHOOSE);
        command.list_count = 2;
        command.list[0] = cards[i];
        command.list[1] = cards[i + 1];
        assert_returns(&table, &command);
    }
    for (unsigned kind = 0; kind < 3; kind++) {
        static const uint8_t KINDS[] = {DECIDE_YES_NO, DECIDE_NUMBER, DECIDE_CHOOSE_PLAYER};
        static const uint16_t OPTIONS[] = {1, 0};
        parse_table_ask(&table, KINDS[kind], OPTIONS, 2);
        for (uint16_t value = 0; value < 2; value++) {
            struct command command = empty_command(VERB_CHOOSE);
            command.list_count = 1;
            command.list[0] = value;
            char line[64];
            struct request request;
            struct parse_error error;
            parse_format(&table.words, &command, line, sizeof line);
            assert_true(parse_request(&table.words, line, &request, &error));
            assert_int_equal(request.command.list[0], value);
        }
    }
}

static void the_length_wanted_is_told(void **state)
{
    char words[8];
    struct command command = empty_command(VERB_VOLUNTEER);
    (void)state;
    command.n = 2;
    assert_int_equal(parse_format(&usual.words, &command, words, sizeof words),
                     strlen("volunteer for 2 treasures"));
    assert_string_equal(words, "volunte");
    assert_int_equal(parse_format(&usual.words, &command, NULL, 0),
                     strlen("volunteer for 2 treasures"));
}

int main(void)
{
    static const struct CMUnitTest WHOLE[] = {
        cmocka_unit_test(every_card_can_be_named),
        cmocka_unit_test(every_pair_can_be_listed),
        cmocka_unit_test(every_target_can_be_named),
        cmocka_unit_test(difficult_players_can_be_named),
        cmocka_unit_test(answers_return),
        cmocka_unit_test(the_length_wanted_is_told),
    };
    static struct CMUnitTest tests[LINE_COUNT + sizeof WHOLE / sizeof WHOLE[0]];
    if (!parse_table_open(&usual)) {
        return 1;
    }
    parse_table_usual(&usual);
    for (size_t i = 0; i < LINE_COUNT; i++) {
        tests[i] = (struct CMUnitTest){
            .name = LINES[i], .test_func = test_line, .initial_state = (void *)(uintptr_t)LINES[i]};
    }
    memcpy(tests + LINE_COUNT, WHOLE, sizeof WHOLE);
    int failed = cmocka_run_group_tests_name("parse_format", tests, NULL, NULL);
    parse_table_close(&usual);
    return failed;
}
