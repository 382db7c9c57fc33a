/*
 * The classic set holds what the deck it is modelled on holds: so many cards of each sort, the
 * Level curve, the values, the slots. `decks` is the figure of the deck studied, `ours` what the
 * set has; where they differ, cards/DECISIONS.md says why, naming the figure as it stands here.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/catalog.h"

#include "tests/support/test.h"

enum { ANY = -1000, DECISIONS_SIZE = 65536 };

struct figure {
    const char *name;
    int decks, ours;
    int (*count)(const struct card_def *def, int a, int b);
    int a, b;
};

static struct catalog *catalog;

static const struct row *row_at(const struct card_def *def, unsigned i)
{
    return &catalog_rows(catalog)[def->first_row + i];
}

static const struct filter *filter_of(const struct row *row)
{
    static const struct filter NONE = {0};
    return row->filter != 0 ? &catalog_filters(catalog)[row->filter - 1] : &NONE;
}

// How many rows of the trigger and op; ANY does not matter.
static int rows(const struct card_def *def, int when, int op)
{
    int count = 0;
    for (unsigned i = 0; i < def->row_count; i++) {
        const struct row *row = row_at(def, i);
        count += (when == ANY || row->when == when) && (op == ANY || row->op == op);
    }
    return count;
}

static int of_deck(const struct card_def *def, int deck, int unused)
{
    (void)unused;
    return def->deck == deck;
}

static int of_kind(const struct card_def *def, int kind, int unused)
{
    (void)unused;
    return def->kind == kind;
}

static int kind_with(const struct card_def *def, int kind, int op)
{
    return def->kind == kind && rows(def, ANY, op) > 0;
}

static int special_door(const struct card_def *def, int a, int b)
{
    (void)a;
    (void)b;
    return def->kind == KIND_DOOR && rows(def, ANY, EFFECT_MATE) == 0 &&
           rows(def, ANY, EFFECT_ADD_MONSTER) == 0 && rows(def, ANY, EFFECT_ATTACH) == 0;
}

static int bonus_of(const struct card_def *def)
{
    for (unsigned i = 0; i < def->row_count; i++) {
        const struct row *row = row_at(def, i);
        const bool plain = row->when == WHEN_STATIC && row->req_count == 0 &&
                           row->n.source == SRC_CONST &&
                           (row->op == EFFECT_BONUS || row->op == EFFECT_MONSTER_BONUS);
        if (plain) {
            return row->n.base;
        }
    }
    return 0;
}

static int enhancer(const struct card_def *def, int bonus, int treasures)
{
    bool pays = false;
    for (unsigned i = 0; i < def->row_count; i++) {
        pays =
            pays || (row_at(def, i)->op == EFFECT_TREASURES && row_at(def, i)->n.base == treasures);
    }
    return def->kind == KIND_ENHANCER && bonus_of(def) == bonus && pays;
}

static int undead(const struct card_def *def, int a, int b)
{
    (void)a;
    (void)b;
    return def->kind == KIND_MONSTER && (def->tags & (1u << TAG_UNDEAD)) != 0;
}

static int monster(const struct card_def *def, int level, int levels)
{
    return def->kind == KIND_MONSTER && (level == ANY || def->level == level) &&
           (levels == ANY || def->levels == levels);
}

// The Treasures of the monsters of Levels a to b.
static int pays(const struct card_def *def, int least, int most)
{
    return def->kind == KIND_MONSTER && def->level >= least && def->level <= most ? def->treasures
                                                                                  : 0;
}

/* What a monster does beside its Bad Stuff. */

static int against_trait(const struct card_def *def, int kind, int unused)
{
    (void)unused;
    int count = 0;
    for (unsigned i = 0; def->kind == KIND_MONSTER && i < def->row_count; i++) {
        const struct row *row = row_at(def, i);
        const struct requirement *req = &catalog_reqs(catalog)[row->first_req];
        if (row->op != EFFECT_MONSTER_BONUS || row->req_count != 1 || req->kind != REQ_TRAIT) {
            continue;
        }
        assert_in_range(row->n.base, 3, 6);
        const char *name = catalog_trait_name(catalog, (unsigned)req->n);
        const struct card_def *trait =
            catalog_def(catalog, catalog_find_def(catalog, name, NO_SET));
        count += kind == ANY || trait->kind == kind;
    }
    return count > 0;
}

static int flee_modifier(const struct card_def *def, int a, int b)
{
    (void)a;
    (void)b;
    return def->kind == KIND_MONSTER && rows(def, WHEN_STATIC, EFFECT_RUN_BONUS) > 0;
}

static int threshold(const struct card_def *def, int a, int b)
{
    (void)a;
    (void)b;
    return def->kind == KIND_MONSTER && rows(def, WHEN_STATIC, EFFECT_NO_PURSUE) > 0;
}

static int leaves(const struct card_def *def, int a, int b)
{
    (void)a;
    (void)b;
    return def->kind == KIND_MONSTER && rows(def, ANY, EFFECT_LEAVES_FOR) +
                                                rows(def, ANY, EFFECT_OPTIONAL_FIGHT) +
                                                rows(def, WHEN_BEFORE, EFFECT_REMOVE_MONSTER) >
                                            0;
}

static int own_text(const struct card_def *def, int a, int b)
{
    (void)a;
    (void)b;
    return def->kind == KIND_MONSTER && rows(def, ANY, ANY) > rows(def, WHEN_BAD_STUFF, ANY);
}

static int other_text(const struct card_def *def, int a, int b)
{
    return own_text(def, a, b) && !against_trait(def, ANY, 0) && !flee_modifier(def, a, b) &&
           !threshold(def, a, b) && !leaves(def, a, b);
}

/* Losses: Bad Stuff and Curses. */

enum loss { LOSE_LEVELS, LOSE_SLOT, LOSE_HAND, LOSE_ITEM, LOSE_IDENTITY, LOSS_TOTAL };

static int loss_of(const struct row *row)
{
    const struct filter *filter = filter_of(row);
    const uint32_t identity = 1u << KIND_CLASS | 1u << KIND_RACE;
    if (row->op == EFFECT_LEVEL) {
        return LOSE_LEVELS;
    }
    if (row->op != EFFECT_LOSE && row->op != EFFECT_TAKE) {
        return LOSS_TOTAL;
    }
    return filter->slot != 0                 ? LOSE_SLOT
           : filter->place == PLACE_HAND     ? LOSE_HAND
           : (filter->kinds & identity) != 0 ? LOSE_IDENTITY
                                             : LOSE_ITEM;
}

static int bad_stuff(const struct card_def *def, int loss, int unused)
{
    (void)unused;
    bool found = false;
    for (unsigned i = 0; def->kind == KIND_MONSTER && i < def->row_count; i++) {
        const struct row *row = row_at(def, i);
        const bool choice = row->op == EFFECT_HAND_OR_LEVELS;
        found = found ||
                (row->when == WHEN_BAD_STUFF &&
                 (loss_of(row) == loss || (choice && (loss == LOSE_HAND || loss == LOSE_LEVELS))));
    }
    return found;
}

static int death(const struct card_def *def, int otherwise, int unused)
{
    (void)unused;
    for (unsigned i = 0; i < def->row_count; i++) {
        const struct row *row = row_at(def, i);
        if (row->when == WHEN_BAD_STUFF && row->op == EFFECT_DEATH) {
            return ((row->flags & ROW_ELSE) != 0) == (otherwise != 0);
        }
    }
    return 0;
}

static int bad_op(const struct card_def *def, int op, int unused)
{
    (void)unused;
    return def->kind == KIND_MONSTER && rows(def, WHEN_BAD_STUFF, op) > 0;
}

// A Curse whose first row is of this loss; `size` 1 small, 2 big, 3 the best.
static int curse_loss(const struct card_def *def, int loss, int size)
{
    const struct row *row = row_at(def, 0);
    const int has = row->chooser == CHOOSE_BEST_BONUS ? 3 : filter_of(row)->size;
    return def->kind == KIND_CURSE && loss_of(row) == loss && (size == ANY || has == size);
}

static int curse_op(const struct card_def *def, int op, int unused)
{
    (void)unused;
    return def->kind == KIND_CURSE && rows(def, ANY, op) > 0;
}

/* Items. */

static int item(const struct card_def *def, int slot, int bonus)
{
    return def->kind == KIND_ITEM && (slot == ANY || def->slot == slot) &&
           (bonus == ANY || bonus_of(def) == bonus);
}

static int gold(const struct card_def *def, int kind, int value)
{
    return def->kind == kind && def->gold == value;
}

static int gold_sum(const struct card_def *def, int kind, int unused)
{
    (void)unused;
    return def->kind == kind ? def->gold : 0;
}

static int bonus_sum(const struct card_def *def, int kind, int unused)
{
    (void)unused;
    return def->kind == kind ? bonus_of(def) : 0;
}

static int big(const struct card_def *def, int slot, int unused)
{
    (void)unused;
    return def->kind == KIND_ITEM && def->slot == slot && (def->flags & DEF_BIG) != 0;
}

static int limited(const struct card_def *def, int absent, int unused)
{
    (void)unused;
    return def->kind == KIND_ITEM && def->need_count > 0 &&
           catalog_reqs(catalog)[def->first_need].absent == (absent != 0);
}

static int limited_by(const struct card_def *def, int requirement, int unused)
{
    (void)unused;
    return def->kind == KIND_ITEM && def->need_count > 0 &&
           !catalog_reqs(catalog)[def->first_need].absent &&
           catalog_reqs(catalog)[def->first_need].kind == requirement;
}

static int plain_one_shot(const struct card_def *def, int bonus, int unused)
{
    (void)unused;
    return def->kind == KIND_ONESHOT && bonus_of(def) == bonus && def->row_count == 1;
}

// A special Treasure that gives a Level; conditional: it asks for something more.
static int level_up(const struct card_def *def, int conditional, int unused)
{
    (void)unused;
    const bool gives = def->kind == KIND_TREASURE && rows(def, ANY, EFFECT_LEVEL) > 0;
    const bool asks =
        def->row_count > 1 || row_at(def, 0)->req_count > 0 || def->timing != 1u << AT_ANY_TIME;
    return gives && asks == (conditional != 0);
}

static const struct figure FIGURES[] = {
    {"Doors", 95, 95, of_deck, DECK_DOOR, 0},
    {"Treasures", 73, 73, of_deck, DECK_TREASURE, 0},
    {"monsters", 37, 37, of_kind, KIND_MONSTER, 0},
    {"Undead monsters", 4, 4, undead, 0, 0},
    {"Curses", 19, 19, of_kind, KIND_CURSE, 0},
    {"enhancers +10, 2 Treasures", 2, 2, enhancer, 10, 2},
    {"enhancers +5, 1 Treasure", 2, 2, enhancer, 5, 1},
    {"enhancers -5, -1 Treasure", 1, 1, enhancer, -5, -1},
    {"mates", 1, 1, kind_with, KIND_DOOR, EFFECT_MATE},
    {"wandering monsters", 3, 3, kind_with, KIND_DOOR, EFFECT_ADD_MONSTER},
    {"Class cards", 12, 12, of_kind, KIND_CLASS, 0},
    {"Race cards", 9, 9, of_kind, KIND_RACE, 0},
    {"second Class or Race", 4, 4, of_kind, KIND_SECOND, 0},
    {"cheats", 1, 1, kind_with, KIND_DOOR, EFFECT_ATTACH},
    {"other Doors", 4, 4, special_door, 0, 0},

    {"monsters of Level 1", 5, 5, monster, 1, 1},
    {"monsters of Level 2", 5, 5, monster, 2, 1},
    {"monsters of Level 4", 4, 4, monster, 4, 1},
    {"monsters of Level 6", 4, 4, monster, 6, 1},
    {"monsters of Level 8", 4, 4, monster, 8, 1},
    {"monsters of Level 10", 3, 3, monster, 10, 1},
    {"monsters of Level 12", 3, 3, monster, 12, 1},
    {"monsters of Level 14", 3, 3, monster, 14, 1},
    {"monsters of Level 16, two Levels", 3, 3, monster, 16, 2},
    {"monsters of Level 18, two Levels", 2, 2, monster, 18, 2},
    {"monsters of Level 20, two Levels", 1, 1, monster, 20, 2},
    {"Treasures of all monsters", 90, 90, pays, 1, 20},
    {"Treasures of Levels 1 and 2", 10, 10, pays, 1, 2},
    {"Treasures of Levels 4 to 8", 24, 24, pays, 4, 8},
    {"Treasures of Levels 10 and 12", 18, 18, pays, 10, 12},
    {"Treasures of Levels 14 and 16", 24, 24, pays, 14, 16},
    {"Treasures of Level 20", 5, 5, pays, 20, 20},

    {"monsters with own text", 36, 34, own_text, 0, 0},
    {"strength against a trait", 13, 13, against_trait, ANY, 0},
    {"strength against a Race", 7, 7, against_trait, KIND_RACE, 0},
    {"strength against a Class", 6, 6, against_trait, KIND_CLASS, 0},
    {"flee modifiers", 4, 4, flee_modifier, 0, 0},
    {"pursuit thresholds", 6, 6, threshold, 0, 0},
    {"monsters that leave or are bribed", 6, 6, leaves, 0, 0},
    {"monsters with other text only", 8, 9, other_text, 0, 0},

    {"Bad Stuff: Levels", 13, 13, bad_stuff, LOSE_LEVELS, 0},
    {"Bad Stuff: death", 4, 4, death, 0, 0},
    {"Bad Stuff: death in part", 2, 4, death, 1, 0},
    {"Bad Stuff: a slot", 5, 6, bad_stuff, LOSE_SLOT, 0},
    {"Bad Stuff: hand cards", 6, 6, bad_stuff, LOSE_HAND, 0},
    {"Bad Stuff: Items", 7, 7, bad_stuff, LOSE_ITEM, 0},
    {"Bad Stuff: Class or Race", 2, 2, bad_stuff, LOSE_IDENTITY, 0},
    {"Bad Stuff: Level reset", 2, 1, bad_op, EFFECT_LEVEL_SET, 0},
    {"Bad Stuff: nothing", 1, 1, bad_op, EFFECT_NOTHING, 0},
    {"Bad Stuff: the next flight", 0, 1, bad_op, EFFECT_LASTING, 0},

    {"Curses: Levels", 3, 3, curse_loss, LOSE_LEVELS, ANY},
    {"Curses: a slot", 3, 3, curse_loss, LOSE_SLOT, ANY},
    {"Curses: a small Item", 2, 1, curse_loss, LOSE_ITEM, 1},
    {"Curses: a Big Item", 1, 1, curse_loss, LOSE_ITEM, 2},
    {"Curses: the best Item", 1, 1, curse_loss, LOSE_ITEM, 3},
    {"Curses: lose Class or Race", 2, 2, curse_loss, LOSE_IDENTITY, ANY},
    {"Curses: change Class or Race", 2, 2, curse_op, EFFECT_TRAIT_CHANGE, 0},
    {"Curses: change sex", 1, 1, curse_op, EFFECT_SEX_CHANGE, 0},
    {"Curses: the die", 1, 1, curse_op, EFFECT_ROLL_BONUS, 0},
    {"Curses: nothing but Armor", 1, 1, curse_op, EFFECT_BARS, 0},
    {"Curses: a tax", 1, 1, curse_op, EFFECT_TAX, 0},
    {"Curses: two hand cards", 1, 1, curse_loss, LOSE_HAND, ANY},
    {"Curses: the next fight", 0, 1, curse_op, EFFECT_BONUS, 0},

    {"Items", 38, 38, item, ANY, ANY},
    {"Items, 1 Hand", 13, 13, item, SLOT_HAND, ANY},
    {"Items, 1 Hand +0", 1, 1, item, SLOT_HAND, 0},
    {"Items, 1 Hand +1", 1, 1, item, SLOT_HAND, 1},
    {"Items, 1 Hand +2", 2, 2, item, SLOT_HAND, 2},
    {"Items, 1 Hand +3", 5, 5, item, SLOT_HAND, 3},
    {"Items, 1 Hand +4", 3, 3, item, SLOT_HAND, 4},
    {"Items, 1 Hand +5", 1, 1, item, SLOT_HAND, 5},
    {"Items, 2 Hands", 5, 5, item, SLOT_TWO_HANDS, ANY},
    {"Items, 2 Hands +1", 1, 1, item, SLOT_TWO_HANDS, 1},
    {"Items, 2 Hands +3", 2, 2, item, SLOT_TWO_HANDS, 3},
    {"Items, 2 Hands +4", 2, 2, item, SLOT_TWO_HANDS, 4},
    {"Items, Headgear", 4, 4, item, SLOT_HEADGEAR, ANY},
    {"Items, Headgear +1", 2, 2, item, SLOT_HEADGEAR, 1},
    {"Items, Headgear +3", 2, 2, item, SLOT_HEADGEAR, 3},
    {"Items, Armor", 5, 5, item, SLOT_ARMOR, ANY},
    {"Items, Armor +1", 2, 2, item, SLOT_ARMOR, 1},
    {"Items, Armor +2", 1, 1, item, SLOT_ARMOR, 2},
    {"Items, Armor +3", 2, 2, item, SLOT_ARMOR, 3},
    {"Items, Footgear", 3, 3, item, SLOT_FOOTGEAR, ANY},
    {"Items, Footgear +0", 2, 2, item, SLOT_FOOTGEAR, 0},
    {"Items, Footgear +2", 1, 1, item, SLOT_FOOTGEAR, 2},
    {"Items, no slot", 8, 8, item, SLOT_NONE, ANY},
    {"Items, no slot +0", 1, 1, item, SLOT_NONE, 0},
    {"Items, no slot +1", 1, 1, item, SLOT_NONE, 1},
    {"Items, no slot +2", 1, 1, item, SLOT_NONE, 2},
    {"Items, no slot +3", 4, 4, item, SLOT_NONE, 3},
    {"Items, no slot +4", 1, 1, item, SLOT_NONE, 4},
    {"bonus of all Items", 91, 91, bonus_sum, KIND_ITEM, 0},
    {"Items without value", 3, 3, gold, KIND_ITEM, 0},
    {"Items worth 200", 5, 5, gold, KIND_ITEM, 200},
    {"Items worth 300", 1, 1, gold, KIND_ITEM, 300},
    {"Items worth 400", 15, 15, gold, KIND_ITEM, 400},
    {"Items worth 600", 11, 11, gold, KIND_ITEM, 600},
    {"Items worth 700", 1, 1, gold, KIND_ITEM, 700},
    {"Items worth 800", 2, 2, gold, KIND_ITEM, 800},
    {"Gold Pieces of all Items", 16200, 16200, gold_sum, KIND_ITEM, 0},
    {"Big Items, 2 Hands", 3, 3, big, SLOT_TWO_HANDS, 0},
    {"Big Items, 1 Hand", 2, 2, big, SLOT_HAND, 0},
    {"Big Items, Armor", 1, 1, big, SLOT_ARMOR, 0},
    {"Big Items, no slot", 1, 1, big, SLOT_NONE, 0},
    {"Items for some only", 17, 17, limited, 0, 0},
    {"Items not for some", 4, 4, limited, 1, 0},
    {"Items for humans", 2, 2, limited_by, REQ_HUMAN, 0},
    {"Items for one sex", 2, 2, limited_by, REQ_SEX, 0},
    {"Items for a Class or Race", 13, 13, limited_by, REQ_TRAIT, 0},

    {"one-shots", 23, 23, of_kind, KIND_ONESHOT, 0},
    {"one-shots +2", 4, 4, plain_one_shot, 2, 0},
    {"one-shots +3", 3, 3, plain_one_shot, 3, 0},
    {"one-shots +5", 3, 3, plain_one_shot, 5, 0},
    {"one-shots that double", 1, 1, kind_with, KIND_ONESHOT, EFFECT_COPY_FIGHTER},
    {"one-shots that remove", 3, 3, kind_with, KIND_ONESHOT, EFFECT_REMOVE_MONSTER},
    {"one-shots that take over", 1, 1, kind_with, KIND_ONESHOT, EFFECT_TAKE_OVER},
    {"one-shots that escape", 2, 2, kind_with, KIND_ONESHOT, EFFECT_ESCAPE},
    {"one-shots that roll again", 1, 1, kind_with, KIND_ONESHOT, EFFECT_REROLL},
    {"one-shots that set a die", 1, 1, kind_with, KIND_ONESHOT, EFFECT_SET_DIE},
    {"one-shots that cancel", 2, 2, kind_with, KIND_ONESHOT, EFFECT_CANCEL},
    {"one-shots that retrieve", 1, 1, kind_with, KIND_ONESHOT, EFFECT_RETRIEVE},
    {"Gold Pieces of all one-shots", 7000, 6300, gold_sum, KIND_ONESHOT, 0},
    {"Level cards, plain", 6, 6, level_up, 0, 0},
    {"Level cards, conditional", 3, 3, level_up, 1, 0},
    {"Level thieves", 1, 1, kind_with, KIND_TREASURE, EFFECT_LEVEL_STEAL},
    {"Hirelings", 1, 1, of_kind, KIND_FOLLOWER, 0},
    {"draw three", 1, 1, kind_with, KIND_TREASURE, EFFECT_DRAW_HERE},
};

enum { FIGURE_COUNT = sizeof FIGURES / sizeof FIGURES[0] };

static int counted(const struct figure *figure)
{
    const struct catalog_set *set = catalog_set(catalog, 0);
    int sum = 0;
    for (unsigned i = 0; i < set->def_count; i++) {
        const unsigned def = set->first_def + i;
        sum += figure->count(catalog_def(catalog, def), figure->a, figure->b) *
               (int)catalog_copies(catalog, def);
    }
    return sum;
}

static void test_figures(void **state)
{
    (void)state;
    int wrong = 0;
    for (size_t i = 0; i < FIGURE_COUNT; i++) {
        const int found = counted(&FIGURES[i]);
        if (found != FIGURES[i].decks) {
            print_message("%s: %d, in the deck studied %d\n", FIGURES[i].name, found,
                          FIGURES[i].decks);
        }
        if (found != FIGURES[i].ours) {
            print_error("%s: expected %d, found %d\n", FIGURES[i].name, FIGURES[i].ours, found);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
}

static void test_reasons(void **state)
{
    (void)state;
    char *text = calloc(1, DECISIONS_SIZE);
    FILE *file = fopen("cards/DECISIONS.md", "r");
    assert_non_null(text);
    assert_non_null(file);
    const size_t length = fread(text, 1, DECISIONS_SIZE - 1, file);
    assert_in_range(length, 1, DECISIONS_SIZE - 2);
    (void)fclose(file);
    for (size_t i = 0; i < FIGURE_COUNT; i++) {
        char line[128];
        (void)snprintf(line, sizeof line, "* %s: %d instead of %d", FIGURES[i].name,
                       FIGURES[i].ours, FIGURES[i].decks);
        if ((strstr(text, line) != NULL) != (FIGURES[i].ours != FIGURES[i].decks)) {
            fail_msg("cards/DECISIONS.md: \"%s\" is %s", line,
                     FIGURES[i].ours != FIGURES[i].decks ? "missing" : "there for no reason");
        }
    }
    free(text);
}

static int load(void **state)
{
    (void)state;
    static const char *const DIRS[] = {"cards/classic"};
    catalog = catalog_load_sets(DIRS, 1, NULL);
    return catalog != NULL ? 0 : -1;
}

static int unload(void **state)
{
    (void)state;
    catalog_destroy(catalog);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"the_set_holds_what_is_said", test_figures, load, unload, NULL},
        {"each_difference_has_its_reason", test_reasons, NULL, NULL, NULL},
    };
    return cmocka_run_group_tests_name("composition", tests, NULL, NULL);
}
