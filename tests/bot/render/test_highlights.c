#include <stdlib.h>
#include <string.h>

#include "bot/render/highlights.h"
#include "bot/text/text.h"

#include "tests/support/table.h"
#include "tests/support/test.h"

struct fixture {
    struct catalog *catalog;
    struct box box;
    struct game *game;
    struct highlights highlights;
};

static const char *const NAMES[] = {"Ann", "Bob", "Cy"};

static int set_up(void **state)
{
    struct fixture *const f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->catalog = given_catalog();
    given_box(f->catalog, "classic", &f->box);
    f->game = given_game(&f->box, 3, 1);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *const f = *state;
    free(f->game);
    catalog_destroy(f->catalog);
    free(f);
    return 0;
}

static uint16_t card_of(const struct fixture *f, const char *name)
{
    const uint16_t def = catalog_find_def(f->catalog, name, NO_SET);
    for (uint16_t card = 0; card < f->box.card_count; card++) {
        if (f->box.card_def[card] == def) {
            return card;
        }
    }
    fail_msg("%s is not in the box", name);
    return NO_CARD;
}

static void note(struct fixture *f, const struct event *event)
{
    highlights_note(&f->highlights, f->game, f->game, &f->box, event, 1);
}

static void dies(struct fixture *f, uint8_t seat)
{
    note(f, &(struct event){.type = EVENT_DEATH, .seat = seat});
}

static void is_cursed(struct fixture *f, uint8_t victim, uint8_t by, const char *card)
{
    note(f, &(struct event){.type = EVENT_NOTE,
                            .why = NOTE_CURSED,
                            .seat = victim,
                            .seat2 = by,
                            .card = card_of(f, card),
                            .card2 = NO_CARD});
}

// Whether just that sentence is among those told.
static bool tells(const struct fixture *f, enum text_id id, const struct text_arg *args)
{
    char told[1024];
    char wanted[512];
    struct text_out out;
    struct table_words words = {.catalog = f->catalog, .box = &f->box, .view = f->game};
    memcpy(words.players, NAMES, sizeof NAMES);
    (void)render_highlights(&words, &f->highlights, told, sizeof told);
    text_begin(&out, wanted, sizeof wanted);
    text_line(&out, id, args);
    return strstr(told, wanted) != NULL;
}

static void a_quiet_game_has_no_dead(void **state)
{
    assert_true(tells(*state, TEXT_HIGHLIGHT_NO_DEATHS, NULL));
}

static void who_died_most_is_told(void **state)
{
    struct fixture *const f = *state;
    dies(f, 2);
    dies(f, 1);
    assert_true(tells(f, TEXT_HIGHLIGHT_DEATHS_EACH,
                      TEXT_ARGS(text_str("who", "Bob and Cy"), text_num("n", 1))));
    dies(f, 1);
    assert_true(
        tells(f, TEXT_HIGHLIGHT_DEATHS, TEXT_ARGS(text_str("who", "Bob"), text_num("n", 2))));
}

static void the_meanest_trick_is_told(void **state)
{
    struct fixture *const f = *state;
    is_cursed(f, 1, NO_SEAT, "Butterfingers"); // from behind a door
    is_cursed(f, 1, 1, "Butterfingers");
    assert_int_equal(f->highlights.trick.kind, TRICK_NONE);
    is_cursed(f, 1, 0, "Butterfingers");
    is_cursed(f, 2, 1, "Jealous Blacksmith"); // as mean, and later
    const struct text_arg *const curse = TEXT_ARGS(
        text_str("who", "Ann"), text_str("other", "Bob"), text_str("card", "Butterfingers"),
        text_num("level", 1), text_num("round", query_round(f->game)));
    assert_true(tells(f, TEXT_HIGHLIGHT_TRICK, curse));
    note(f, &(struct event){.type = EVENT_NOTE,
                            .why = NOTE_FIGHT_TAKEN_OVER,
                            .seat = 2,
                            .seat2 = 0,
                            .card = card_of(f, "Ambitious Understudy"),
                            .card2 = NO_CARD});
    assert_false(tells(f, TEXT_HIGHLIGHT_TRICK, curse));
    assert_true(tells(f, TEXT_HIGHLIGHT_TAKE_OVER,
                      TEXT_ARGS(text_str("who", "Cy"), text_str("other", "Ann"),
                                text_str("card", "Ambitious Understudy"),
                                text_num("round", query_round(f->game)))));
}

static void a_curse_that_does_nothing_is_no_trick(void **state)
{
    struct fixture *const f = *state;
    is_cursed(f, 1, 0, "Butterfingers");
    note(f, &(struct event){.type = EVENT_NOTE,
                            .why = NOTE_CURSE_VOID,
                            .seat = 1,
                            .seat2 = NO_SEAT,
                            .card = card_of(f, "Butterfingers"),
                            .card2 = NO_CARD});
    assert_int_equal(f->highlights.trick.kind, TRICK_NONE);
}

// Nothing of a fight is a trick unless it turned a win; here there is not even a fight.
static void a_card_that_turns_no_win_is_no_trick(void **state)
{
    struct fixture *const f = *state;
    note(f, &(struct event){.type = EVENT_MOVE,
                            .why = MOVE_PLAYED,
                            .seat = 0,
                            .to = PILE_FIGHT,
                            .m = CARD_FOR_MONSTERS,
                            .card = card_of(f, "Magic Missile"),
                            .card2 = NO_CARD});
    assert_int_equal(f->highlights.trick.kind, TRICK_NONE);
}

static void the_biggest_fight_is_told(void **state)
{
    struct fixture *const f = *state;
    f->highlights.fight = (struct highlight_fight){
        .players = 12, .monsters = 9, .monster = card_of(f, "Net Troll"), .round = 4, .seats = 3};
    assert_true(tells(f, TEXT_HIGHLIGHT_FIGHT,
                      TEXT_ARGS(text_str("who", "Ann and Bob"), text_str("card", "Net Troll"),
                                text_num("n", 12), text_num("m", 9), text_num("round", 4))));
}

// Behind a door lay a card that gave the last Level: no fight did, and none of before is taken for
// it. A card that only one player has seen is not named.
static void a_card_can_win(void **state)
{
    struct fixture *const f = *state;
    const uint16_t card = card_of(f, "Go Up a Level");
    const struct event events[] = {
        {.type = EVENT_MOVE, .why = MOVE_DRAWN, .card = card_of(f, "Drooling Slime"), .knowers = 1},
        {.type = EVENT_MOVE, .why = MOVE_KICKED, .card = card, .knowers = UINT8_MAX},
        {.type = EVENT_LEVEL, .n = 10, .m = 9},
        {.type = EVENT_WON},
    };
    f->highlights.last = (struct highlight_fight){.players = 9, .monsters = 4, .seats = 1};
    highlights_note(&f->highlights, f->game, f->game, &f->box, events,
                    sizeof events / sizeof events[0]);
    assert_int_equal(f->highlights.last.monster, card);
    assert_int_equal(f->highlights.last.players, 0);
    assert_int_equal(f->highlights.last.monsters, 0);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_quiet_game_has_no_dead),
        CASE(who_died_most_is_told),
        CASE(the_meanest_trick_is_told),
        CASE(a_curse_that_does_nothing_is_no_trick),
        CASE(a_card_that_turns_no_win_is_no_trick),
        CASE(the_biggest_fight_is_told),
        CASE(a_card_can_win),
    };
    return cmocka_run_group_tests_name("highlights", tests, NULL, NULL);
}
