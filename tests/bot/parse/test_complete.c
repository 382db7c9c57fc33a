/* Candidates for a line being typed, in a turn and in a fight; what they may not tell. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <strings.h>

#include "core/base/rng.h"

#include "bot/parse/complete.h"
#include "bot/parse/parse.h"
#include "bot/policy/policy.h"

#include "tests/support/fixture.h"
#include "tests/support/test.h"

enum { JOINED_SIZE = 16384, GAMES = 12, STEPS = 300 };

struct complete_case {
    const char *line; /* the cursor stands at its end */
    const char *wanted;
};

// One line: where candidates begin, and what they are.
static const char *joined(struct fixture *fixture, unsigned seat, const char *line)
{
    static char text[JOINED_SIZE];
    struct complete_list *const list = calloc(1, sizeof *list);
    const struct table_words words = fixture_words(fixture, seat);
    assert_non_null(list);
    complete_line(&words, line, strlen(line), list);
    size_t used = (size_t)snprintf(text, sizeof text, "%zu:", list->from);
    for (unsigned i = 0; i < list->count; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s%s", i == 0 ? " " : "|",
                                 list->items[i].text, list->items[i].goes_on ? "+" : "");
    }
    free(list);
    return text;
}

static const struct complete_case TURN[] = {
    {"k", "0: kick"},
    {"KI", "0: kick"},
    {"ha", "0: hand"},
    {"xyzzy", "5:"},
    {"loot", "4:"}, // not before the door is open
    {"kick ", "5:"},
    {"play ", "5: Lose Your Armor+|Thief|Warrior"}, // Magic Missile wants a fight
    {"play w", "5: Warrior"},
    {"pl w", "3: Warrior"},
    {"play arm", "5: Lose Your Armor+"},
    {"play Lose Your Armor", "5: Lose Your Armor+"},
    {"play Lose Your Armor ", "21: on Ann|on Bob|on Cy"},
    {"play lose o", "10: on Ann|on Bob|on Cy"},
    {"play lose on ", "13: Ann|Bob|Cy"},
    {"play lose on b", "13: Bob"},
    {"play \"Lose Your Armor\" on B", "26: Bob"},
    {"sell boots", "5: Boots of Butt-Kicking"},
    {"sell Boots of Butt-Kicking, ", "28: Flaming Armor|Mace of Sharpness|Magic Missile"},
    {"sell boots, mace,  f", "19: Flaming Armor"},
    {"give mace ", "5: Mace of Sharpness+"},
    {"give mace t", "10: to Bob|to Cy"},
    {"give Mace of Sharpness ", "23: to Bob|to Cy"},
    {"give mace, boots to ", "20: Bob|Cy"},
    {"offer mace for ", "15: Staff of Napalm+"},
    {"offer mace for staff to ", "24: Bob"},
    {"why pl", "4: play+"},
    {"why play w", "9: Warrior"},
    {"help ki", "5: kick"},
    {"rules sell", "6: selling"},
    {"stats ", "6: Ann|Bob|Cy"},
    {"remove b", "7: Bob"},
    {"notify ", "7: all|none|turn"},
    {"forget-me ", "10: yes"},
    {"join f", "5: female"},
    {"orders pass ", "7: pass below|pass until my turn"},
    {"card armor", "5: Flaming Armor|Lose Your Armor|"},
};

static const struct complete_case FIGHT[] = {
    {"play magic missile ", "19: for monsters|for players"},
    {"play magic missile for ", "23: monsters|players"},
    {"play mag for m", "13: monsters"},
    {"ask ", "4: all+|Bob+|Cy+"},
    {"ask Bob p", "8: promising Lose Your Armor"},
    {"ask Bob offering ",
     "17: 1 treasure+|2 treasures+|3 treasures+|Boots of Butt-Kicking|Flaming Armor|Mace of "
     "Sharpness"},
    {"ask Bob offering 1 treasure, m", "29: Mace of Sharpness"},
    {"kick", "4:"},
    {"sell ", "5:"},
};

static void lay_out(struct fixture *fixture)
{
    fixture_open(fixture, NULL);
    (void)fixture_card(fixture, "Magic Missile", pile_hand(0), 0);
    (void)fixture_card(fixture, "Warrior", pile_hand(0), 0);
    (void)fixture_card(fixture, "Thief", pile_hand(0), 0);
    (void)fixture_card(fixture, "Lose Your Armor", pile_hand(0), 0);
    (void)fixture_card(fixture, "Boots of Butt-Kicking", pile_table(0), 0);
    (void)fixture_card(fixture, "Flaming Armor", pile_table(0), 0);
    (void)fixture_card(fixture, "Mace of Sharpness", pile_table(0), 0);
    (void)fixture_card(fixture, "Staff of Napalm", pile_table(1), 0);
    (void)fixture_card(fixture, "Cheat!", pile_hand(1), 0);
    fixture_next(fixture, PILE_DOOR_DECK, "Net Troll");
    fixture_begin(fixture);
}

static void check_case(struct fixture *fixture, const struct complete_case *row)
{
    const char *const found = joined(fixture, FIXTURE_ANN, row->line);
    const size_t length = strlen(row->wanted);
    const bool open = row->wanted[length - 1] == '|'; // and others
    if (open ? strncmp(found, row->wanted, length - 1) != 0 : strcmp(found, row->wanted) != 0) {
        fail_msg("\"%s\" gives %s, not %s", row->line, found, row->wanted);
    }
}

static void a_turn_is_completed(void **state)
{
    (void)state;
    struct fixture fixture;
    lay_out(&fixture);
    for (size_t i = 0; i < sizeof TURN / sizeof TURN[0]; i++) {
        check_case(&fixture, &TURN[i]);
    }
    fixture_close(&fixture);
}

static void a_fight_is_completed(void **state)
{
    (void)state;
    struct fixture fixture;
    struct refusal why;
    lay_out(&fixture);
    assert_true(fixture_do(&fixture, FIXTURE_ANN, "kick", &why));
    for (size_t i = 0; i < sizeof FIGHT / sizeof FIGHT[0]; i++) {
        check_case(&fixture, &FIGHT[i]);
    }
    // Nobody asks an onlooker anything.
    assert_string_equal(joined(&fixture, NO_SEAT, "play "), "5:");
    fixture_close(&fixture);
}

static void only_what_stands_before_the_cursor_counts(void **state)
{
    (void)state;
    struct fixture fixture;
    lay_out(&fixture);
    struct complete_list *const list = calloc(1, sizeof *list);
    const struct table_words words = fixture_words(&fixture, FIXTURE_ANN);
    assert_non_null(list);
    complete_line(&words, "play warrior", 6, list);
    assert_int_equal(list->from, 5);
    assert_int_equal(list->count, 1);
    assert_string_equal(list->items[0].text, "Warrior");
    char *const line = malloc(5000);
    assert_non_null(line);
    memset(line, 'x', 4999);
    line[4999] = '\0';
    complete_line(&words, line, 4999, list);
    assert_int_equal(list->count, 0);
    free(line);
    free(list);
    fixture_close(&fixture);
}

static void what_all_have_in_common_is_typed(void **state)
{
    (void)state;
    static const struct {
        const char *line, *items[3], *wanted; /* NULL: nothing to type */
    } CASES[] = {
        {"sell f", {"Flaming Armor"}, "Flaming Armor"},
        {"sell arm", {"Flaming Armor"}, "Flaming Armor"},
        {"sell ", {"Staff of Fire", "Staff of Napalm"}, "Staff of "},
        {"sell s", {"Staff of Fire", "staff of Napalm"}, "Staff of "},
        {"sell fire", {"Helm of Fire", "Staff of Fire"}, NULL},
        {"sell Staff of ", {"Staff of Fire", "Staff of Napalm"}, NULL},
        {"sell x", {NULL}, NULL},
        {"sell \xC3\xAB", {"\xC3\xABx\xC3\xAB", "\xC3\xABx\xC3\xA9"}, "\xC3\xABx"},
    };
    struct complete_list *const list = calloc(1, sizeof *list);
    assert_non_null(list);
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        char out[COMPLETE_TEXT_SIZE];
        *list = (struct complete_list){.from = 5};
        for (size_t j = 0; j < 3 && CASES[i].items[j] != NULL; j++) {
            complete_add(list, CASES[i].items[j], false);
        }
        const bool typed = complete_common(list, CASES[i].line, strlen(CASES[i].line), out);
        assert_int_equal(typed, CASES[i].wanted != NULL);
        if (typed) {
            assert_string_equal(out, CASES[i].wanted);
        }
    }
    *list = (struct complete_list){.from = 0};
    complete_add(list, "play", true);
    char out[COMPLETE_TEXT_SIZE];
    assert_true(complete_common(list, "play", 4, out));
    assert_string_equal(out, "play ");
    free(list);
}

static void many_candidates_are_sorted_and_bounded(void **state)
{
    (void)state;
    struct complete_list *const list = calloc(1, sizeof *list);
    assert_non_null(list);
    for (unsigned i = 0; i < COMPLETE_MAX + 10; i++) {
        char text[16];
        (void)snprintf(text, sizeof text, "card %03u", (i * 5) % (COMPLETE_MAX + 10));
        complete_add(list, text, false);
        complete_add(list, text, false);
    }
    assert_int_equal(list->count, COMPLETE_MAX);
    assert_true(list->overflow);
    for (unsigned i = 1; i < list->count; i++) {
        assert_true(strcmp(list->items[i - 1].text, list->items[i].text) < 0);
    }
    free(list);
}

// Every legal command, typed as the parser words it, is what completion leads to: cut anywhere
// within its last part, the rest is among the candidates.
static void check_command(struct fixture *fixture, unsigned seat, const struct command *command,
                          struct complete_list *list)
{
    char line[1024];
    const struct table_words words = fixture_words(fixture, seat);
    (void)parse_format(&words, command, line, sizeof line);
    const size_t length = strlen(line);
    const char *const blank = strrchr(line, ' ');
    const size_t cut = blank == NULL ? length - 1 : (size_t)(blank - line) + 2;
    complete_line(&words, line, cut < length ? cut : length, list);
    for (unsigned i = 0; i < list->count; i++) {
        const size_t end = list->from + strlen(list->items[i].text);
        if (end <= length &&
            strncasecmp(line + list->from, list->items[i].text, end - list->from) == 0) {
            return;
        }
    }
    if (!list->overflow) {
        fail_msg("nothing leads to \"%s\" from its first %zu bytes", line, cut);
    }
}

static void candidates_lead_to_every_legal_command(void **state)
{
    (void)state;
    struct move_list moves = {.items = calloc(MB_MOVES_MAX, sizeof *moves.items),
                              .capacity = MB_MOVES_MAX};
    struct complete_list *const list = calloc(1, sizeof *list);
    struct fixture fixture;
    assert_non_null(list);
    assert_non_null(moves.items);
    fixture_open(&fixture, NULL);
    for (uint64_t game = 1; game <= GAMES; game++) {
        uint8_t seed[32];
        struct mb_rng rng;
        mb_rng_seed_u64(seed, game);
        mb_rng_init(&rng, seed);
        fixture_deal(&fixture, game);
        for (unsigned i = 0; i < STEPS && query_phase(fixture.game) != PHASE_OVER; i++) {
            unsigned seat = mb_rng_below(&rng, FIXTURE_SEATS);
            const unsigned seats = moves_seats(fixture.game, &fixture.box);
            while (seats != 0 && (seats & seat_bit(seat)) == 0) {
                seat = (seat + 1) % FIXTURE_SEATS;
            }
            moves.count = 0;
            moves_list(fixture.views[seat], &fixture.box, seat, &moves);
            struct command command;
            struct refusal why;
            const struct policy_input input = {.view = fixture.views[seat],
                                               .box = &fixture.box,
                                               .moves = &moves,
                                               .seat = seat,
                                               .rng = &rng};
            assert_true(POLICY_RANDOM.choose(&input, &command));
            check_command(&fixture, seat, &command, list);
            assert_true(fixture_submit(&fixture, &command, &why));
        }
    }
    fixture_close(&fixture);
    free(list);
    free(moves.items);
}

// "to" may stand in a name.
static void a_name_may_hold_a_key_word(void **state)
{
    (void)state;
    struct fixture fixture;
    lay_out(&fixture);
    struct complete_list *const list = calloc(1, sizeof *list);
    struct table_words words = fixture_words(&fixture, FIXTURE_ANN);
    words.players[1] = "Bob to Fire";
    assert_non_null(list);
    complete_line(&words, "offer mace for staff to Bob to", 30, list);
    assert_int_equal(list->count, 1);
    assert_int_equal(list->from, 24);
    assert_string_equal(list->items[0].text, "\"Bob to Fire\"");
    complete_line(&words, "give mace to Bob to F", 21, list);
    assert_int_equal(list->count, 1);
    assert_string_equal(list->items[0].text, "\"Bob to Fire\"");
    free(list);
    fixture_close(&fixture);
}

// What Ann may complete does not depend on what Bob holds.
static void another_hand_offers_nothing(void **state)
{
    (void)state;
    static const char *const HANDS[2][2] = {{"Cheat!", "Wizard"}, {"Enraged", "Elf"}};
    static const char *const LINES[] = {"",          "play ",           "card ", "show ",
                                        "ask Bob ",  "offer mace for ", "use ",  "choose ",
                                        "why play ", "give mace to "};
    char *first[sizeof LINES / sizeof LINES[0]];
    for (unsigned hand = 0; hand < 2; hand++) {
        struct fixture fixture;
        fixture_open(&fixture, NULL);
        (void)fixture_card(&fixture, "Warrior", pile_hand(0), 0);
        (void)fixture_card(&fixture, "Mace of Sharpness", pile_table(0), 0);
        (void)fixture_card(&fixture, "Staff of Napalm", pile_table(1), 0);
        (void)fixture_card(&fixture, HANDS[hand][0], pile_hand(1), 0);
        (void)fixture_card(&fixture, HANDS[hand][1], pile_hand(1), 0);
        fixture_begin(&fixture);
        for (size_t i = 0; i < sizeof LINES / sizeof LINES[0]; i++) {
            const char *const found = joined(&fixture, FIXTURE_ANN, LINES[i]);
            assert_null(strstr(found, HANDS[hand][0]));
            assert_null(strstr(found, HANDS[hand][1]));
            if (hand == 0) {
                first[i] = strdup(found);
            } else {
                assert_string_equal(found, first[i]);
                free(first[i]);
            }
        }
        fixture_close(&fixture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_turn_is_completed),
        cmocka_unit_test(a_fight_is_completed),
        cmocka_unit_test(only_what_stands_before_the_cursor_counts),
        cmocka_unit_test(what_all_have_in_common_is_typed),
        cmocka_unit_test(many_candidates_are_sorted_and_bounded),
        cmocka_unit_test(candidates_lead_to_every_legal_command),
        cmocka_unit_test(a_name_may_hold_a_key_word),
        cmocka_unit_test(another_hand_offers_nothing),
    };
    return cmocka_run_group_tests_name("complete", tests, NULL, NULL);
}
