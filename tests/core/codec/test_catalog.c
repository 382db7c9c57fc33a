#include <stdlib.h>
#include <string.h>

#include "core/codec/catalog.h"
#include "core/codec/normal.h"
#include "core/words/words.h"

#include "tests/core/codec/catalog_fixture.h"
#include "tests/support/test.h"

static int set_up(void **state)
{
    *state = fixture_catalog();
    return 0;
}

static int tear_down(void **state)
{
    catalog_destroy(*state);
    return 0;
}

static const struct card_def *def_of(const struct catalog *catalog, const char *name)
{
    uint16_t def = catalog_find_def(catalog, name, NO_SET);
    assert_int_not_equal(def, NO_DEF);
    return catalog_def(catalog, def);
}

static const struct row *row_of(const struct catalog *catalog, const char *name, unsigned index)
{
    const struct card_def *def = def_of(catalog, name);
    assert_true(index < def->row_count);
    return catalog_rows(catalog) + def->first_row + index;
}

static void test_figures_and_their_defaults(void **state)
{
    struct catalog *catalog = *state;
    fixture_add(catalog,
                "[{'name': 'Imp', 'kind': 'monster', 'level': 2, 'treasures': 1},"
                " {'name': 'Lich', 'kind': 'monster', 'level': 16, 'treasures': 4, 'copies': 3},"
                " {'name': 'Rock', 'kind': 'item', 'big': true, 'gold': 200},"
                " {'name': 'Beer', 'kind': 'one_shot', 'bonus': 2, 'sides': 'players'},"
                " {'name': 'Page', 'kind': 'follower', 'sort': 'comrade', 'bonus': 1},"
                " {'name': 'Boy', 'kind': 'follower', 'sort': 'sidekick', 'gold': 300}]");
    assert_int_equal(def_of(catalog, "imp")->levels, 1);
    assert_int_equal(def_of(catalog, "Lich")->levels, 2);
    assert_int_equal(catalog_copies(catalog, catalog_find_def(catalog, "Lich", NO_SET)), 3);
    assert_int_equal(def_of(catalog, "Imp")->deck, DECK_DOOR);
    assert_int_equal(def_of(catalog, "Rock")->deck, DECK_TREASURE);
    assert_int_equal(def_of(catalog, "Rock")->flags, DEF_BIG | DEF_VALUE);
    assert_int_equal(def_of(catalog, "Beer")->sides, 1);
    assert_int_equal(def_of(catalog, "Beer")->timing, 1u << AT_FIGHT);
    assert_int_equal(def_of(catalog, "Page")->flags, 0);
    assert_int_equal(def_of(catalog, "Boy")->flags, DEF_VALUE | DEF_SACRIFICE);
    assert_string_equal(catalog_sort(catalog, catalog_find_def(catalog, "Boy", NO_SET)),
                        "sidekick");
    assert_int_equal(def_of(catalog, "Boy")->timing, 1u << AT_ANY_TIME);
}

static void test_bonus_is_short_for_a_row(void **state)
{
    struct catalog *catalog = *state;
    fixture_add(catalog, "[{'name': 'Stick', 'kind': 'item', 'bonus': 3},"
                         " {'name': 'Nought', 'kind': 'item', 'bonus': 0},"
                         " {'name': 'Angry', 'kind': 'enhancer', 'bonus': -5, 'treasures': -1}]");
    assert_int_equal(row_of(catalog, "Stick", 0)->op, EFFECT_BONUS);
    assert_int_equal(row_of(catalog, "Stick", 0)->n.base, 3);
    assert_int_equal(def_of(catalog, "Nought")->row_count, 0);
    assert_int_equal(row_of(catalog, "Angry", 0)->op, EFFECT_MONSTER_BONUS);
    assert_int_equal(row_of(catalog, "Angry", 1)->op, EFFECT_TREASURES);
    assert_int_equal(row_of(catalog, "Angry", 1)->n.base, -1);
}

static void test_a_row_with_everything(void **state)
{
    struct catalog *catalog = *state;
    fixture_add(catalog, "[{'name': 'All', 'kind': 'class', 'rows': [{'when': 'ability',"
                         " 'ability': 'Berserk', 'do': 'lasting', 'effect': 'side_bonus',"
                         " 'amount': {'per': 'paid', 'times': 2, 'plus': 1, 'cap': 6},"
                         " 'until': 'fight', 'target': 'fighter', 'may': true,"
                         " 'cost': {'cards': [1, 3], 'which': {'place': 'hand'}},"
                         " 'limit': {'times': 3, 'per': 'fight'},"
                         " 'if': [{'in_fight': true}, {'trait': 'elf', 'absent': true,"
                         " 'of': 'helper'}]}]}]");
    const struct row *row = row_of(catalog, "All", 0);
    assert_int_equal(row->when, WHEN_ABILITY);
    assert_int_equal(row->op, EFFECT_LASTING);
    assert_int_equal(row->a, EFFECT_SIDE_BONUS);
    assert_int_equal(row->n.source, SRC_PAID);
    assert_int_equal(row->n.k, 2);
    assert_int_equal(row->n.base, 1);
    assert_int_equal(row->n.cap, 6);
    assert_int_equal(row->until, UNTIL_FIGHT_END);
    assert_int_equal(row->target, ON_FIGHTER);
    assert_int_equal(row->flags, ROW_MAY);
    assert_int_equal(row->limit, SCOPE_FIGHT);
    assert_int_equal(row->limit_n, 3);
    assert_string_equal(catalog_ability_name(catalog, row->ability - 1u), "Berserk");
    assert_int_equal(catalog_find_ability(catalog, "BERSERK"), row->ability - 1);
    const struct cost *cost = &catalog_costs(catalog)[row->cost - 1];
    assert_int_equal(cost->min, 1);
    assert_int_equal(cost->max, 3);
    assert_int_equal(catalog_filters(catalog)[cost->filter - 1].place, PLACE_HAND);
    assert_int_equal(row->req_count, 2);
    const struct requirement *req = &catalog_reqs(catalog)[row->first_req + 1];
    assert_int_equal(req->kind, REQ_TRAIT);
    assert_int_equal(req->n, catalog_find_trait(catalog, "Elf"));
    assert_int_equal(req->range, RANGE_HELPER);
    assert_true(req->absent);
}

static void test_arguments_of_ops(void **state)
{
    struct catalog *catalog = *state;
    fixture_add(catalog,
                "[{'name': 'Args', 'kind': 'curse', 'rows': ["
                "{'when': 'strike', 'do': 'draw', 'deck': 'door', 'amount': 2, 'face_up': true},"
                "{'when': 'strike', 'do': 'lose', 'value': 500, 'cards': {}},"
                "{'when': 'strike', 'do': 'lose', 'chooser': 'all', 'cards': {}},"
                "{'when': 'strike', 'do': 'lose', 'cards': {}},"
                "{'when': 'strike', 'do': 'suffer', 'what': 'monster'},"
                "{'when': 'strike', 'do': 'remove_monster', 'outcome': 'pays', 'which': 'all'},"
                "{'when': 'strike', 'do': 'take', 'to': 'hand', 'who': 'left', 'cards': {}},"
                "{'when': 'strike', 'do': 'lasting', 'effect': 'bars', 'effect_arg': 'loot',"
                " 'until': 'next_turn'},"
                "{'when': 'strike', 'do': 'trait_change', 'kind': 'race'}]}]");
    assert_int_equal(row_of(catalog, "Args", 0)->a, DECK_DOOR);
    assert_int_equal(row_of(catalog, "Args", 0)->flags, ROW_FACE_UP);
    assert_int_equal(row_of(catalog, "Args", 1)->a, 500);
    assert_int_equal(row_of(catalog, "Args", 1)->n.base, 0);
    assert_int_equal(row_of(catalog, "Args", 2)->n.base, 0);
    assert_int_equal(row_of(catalog, "Args", 3)->n.base, 1);
    assert_int_equal(row_of(catalog, "Args", 4)->a, 1);
    assert_int_equal(row_of(catalog, "Args", 5)->a, REMOVE_PAYS);
    assert_int_equal(row_of(catalog, "Args", 5)->b, 1);
    assert_int_equal(row_of(catalog, "Args", 6)->a, 1);
    assert_int_equal(row_of(catalog, "Args", 7)->a, EFFECT_BARS);
    assert_int_equal(row_of(catalog, "Args", 7)->b, BAR_LOOT);
    assert_int_equal(row_of(catalog, "Args", 8)->a, KIND_RACE);
}

// Rules: CHAR-7. Who is asked, and as what, where a card does not say.
static void test_defaults_of_requirements(void **state)
{
    struct catalog *catalog = *state;
    fixture_add(
        catalog,
        "[{'name': 'Asker', 'kind': 'monster', 'level': 1, 'treasures': 1, 'rows': ["
        "{'do': 'monster_bonus', 'amount': 3, 'if': [{'trait': 'Elf'}]},"
        "{'do': 'monster_bonus', 'amount': -3, 'if': [{'trait': 'Elf'}]},"
        "{'do': 'no_pursue', 'if': [{'trait': 'Elf', 'absent': true}]},"
        "{'do': 'leaves_for', 'if': [{'trait': 'Elf'}]},"
        "{'when': 'bad_stuff', 'do': 'death', 'if': [{'trait': 'Elf'}]},"
        "{'do': 'monster_bonus', 'amount': 3, 'if': [{'trait': 'Elf', 'drawback': false}]}]},"
        " {'name': 'Barred', 'kind': 'item', 'needs': [{'trait': 'Elf', 'absent': true},"
        " {'trait': 'Wizard'}]}]");
    static const struct {
        bool drawback;
        uint8_t range;
    } EXPECTED[] = {{true, RANGE_FIGHTERS},  {false, RANGE_FIGHTERS}, {true, RANGE_SELF},
                    {false, RANGE_FIGHTERS}, {false, RANGE_SELF},     {false, RANGE_FIGHTERS}};
    for (unsigned i = 0; i < sizeof EXPECTED / sizeof EXPECTED[0]; i++) {
        const struct requirement *req =
            &catalog_reqs(catalog)[row_of(catalog, "Asker", i)->first_req];
        assert_int_equal(req->drawback, EXPECTED[i].drawback);
        assert_int_equal(req->range, EXPECTED[i].range);
    }
    const struct requirement *needs = &catalog_reqs(catalog)[def_of(catalog, "Barred")->first_need];
    assert_true(needs[0].drawback);
    assert_false(needs[1].drawback);
}

// Rules: TAG-2.
static void test_goblins_by_name(void **state)
{
    struct catalog *catalog = *state;
    fixture_add(catalog,
                "[{'name': 'Mob Goblins', 'kind': 'monster', 'level': 1, 'treasures': 1},"
                " {'name': 'Goblin Auditor', 'kind': 'monster', 'level': 1, 'treasures': 1},"
                " {'name': 'Hemogoblin', 'kind': 'monster', 'level': 1, 'treasures': 1,"
                " 'tags': ['undead']},"
                " {'name': 'Goblin Sweat', 'kind': 'one_shot'}]");
    assert_int_equal(def_of(catalog, "Mob Goblins")->tags, 1u << TAG_GOBLIN);
    assert_int_equal(def_of(catalog, "Goblin Auditor")->tags, 1u << TAG_GOBLIN);
    assert_int_equal(def_of(catalog, "Hemogoblin")->tags, 1u << TAG_UNDEAD);
    assert_int_equal(def_of(catalog, "Goblin Sweat")->tags, 0);
}

static void test_names_are_compared_as_players_write_them(void **state)
{
    static const struct {
        const char *text, *folded;
    } CASES[] = {{"...That Turns Into A Giant Snake", "that turns into a giant snake"},
                 {"Curse! Betrayed!", "betrayed!"},
                 {"trap! Congressional  Hearing ", "congressional hearing"},
                 {"Curse!", "curse!"},
                 {"  \"Quoted", "quoted"},
                 {"", ""}};
    (void)state;
    char out[64];
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        assert_int_equal(catalog_fold(CASES[i].text, out, sizeof out), strlen(CASES[i].folded));
        assert_string_equal(out, CASES[i].folded);
    }
    assert_int_equal(catalog_fold("Net Troll", out, 4), 3);
    assert_string_equal(out, "net");
}

static void test_same_names_of_sets_are_one_name(void **state)
{
    struct catalog *catalog = *state;
    uint8_t set = fixture_add(catalog, "[{'name': 'ELF', 'kind': 'race', 'human': true}]");
    uint16_t first = catalog_find_def(catalog, "Elf", 0);
    uint16_t second = catalog_find_def(catalog, "Elf", set);
    assert_int_not_equal(first, second);
    assert_int_equal(catalog_def(catalog, first)->name, catalog_def(catalog, second)->name);
    assert_int_equal(catalog_def(catalog, first)->trait, catalog_def(catalog, second)->trait);
    assert_string_equal(catalog_name(catalog, second), "ELF");
    fixture_refuse(catalog, "[{'name': 'Elf', 'kind': 'class'}]", "expected race");
}

static void test_rewinding_forgets_all(void **state)
{
    struct catalog *catalog = *state;
    size_t defs = catalog_def_count(catalog);
    for (int round = 0; round < 3; round++) {
        uint8_t set = fixture_add(catalog, "[{'name': 'Gnome', 'kind': 'race', 'tags': ['odd']}]");
        assert_int_not_equal(catalog_find_trait(catalog, "Gnome"), NO_TRAIT);
        catalog_rewind(catalog, set);
        assert_int_equal(catalog_def_count(catalog), defs);
        assert_int_equal(catalog_find_trait(catalog, "Gnome"), NO_TRAIT);
        assert_int_equal(catalog_find_tag(catalog, "odd"), NO_TAG);
        assert_int_equal(catalog_find_name(catalog, "Gnome"), NO_NAME);
    }
}

static void test_refused_extra_cards_leave_nothing(void **state)
{
    fixture_refuse(*state, "{}", "cards: expected a list of cards, found an object");
    fixture_refuse(*state, "[{'name': 'A Thing', 'kind': 'thing'}]", "card \"A Thing\": kind:");
    fixture_refuse(*state, "[{'name': 'Idol', 'kind': 'item', 'slot': 'nose'}]",
                   "slot: expected a slot word, found \"nose\"");
    fixture_refuse(*state, "[", "expected JSON");
}

static void test_looking_for_what_is_not_there(void **state)
{
    struct catalog *catalog = *state;
    assert_null(catalog_def(catalog, NO_DEF));
    assert_null(catalog_set(catalog, NO_SET));
    assert_string_equal(catalog_name(catalog, NO_DEF), "");
    assert_string_equal(catalog_text(catalog, 0), "");
    assert_string_equal(catalog_trait_name(catalog, NO_TRAIT), "");
    assert_string_equal(catalog_tag_name(catalog, NO_TAG), "");
    assert_string_equal(catalog_ability_name(catalog, NO_ABILITY), "");
    assert_int_equal(catalog_find_def(catalog, "Nobody", NO_SET), NO_DEF);
    assert_int_equal(catalog_find_set(catalog, "nowhere"), NO_SET);
    assert_int_equal(catalog_find_tag(catalog, "UNDEAD"), TAG_UNDEAD);
}

// Rows that never act were accepted once: running tables go on with them, new ones do not begin.
static void test_misfits_keep_out_of_new_tables_only(void **state)
{
    (void)state;
    static struct catalog_issues issues;
    static struct box box;
    static const char *const DIRS[] = {"tests/data/oldset"};
    struct mb_error err = {0};
    uint8_t set = 0;
    memset(&issues, 0, sizeof issues);
    struct catalog *catalog = catalog_load_sets(DIRS, 1, &issues);
    assert_non_null(catalog);
    const struct catalog_set *of = catalog_set(catalog, 0);
    assert_int_equal(of->misfits, 2);
    assert_int_equal(of->errors, of->misfits);
    assert_int_equal(issues.errors, of->errors);
    assert_true(catalog_box(catalog, &set, 1, EDITION_CLASSIC, &box, &err));
    assert_int_equal(box_def(&box, 0)->row_count, 1);
    assert_false(catalog_fits(catalog, 0, &err));
    assert_string_equal(err.text, "the set old has 2 errors: munchbot cards check tells which");
    catalog_destroy(catalog);
}

static void test_box_of_the_classic_set(void **state)
{
    (void)state;
    static struct catalog_issues issues;
    static const char *const DIRS[] = {"cards/classic"};
    memset(&issues, 0, sizeof issues);
    struct catalog *catalog = catalog_load_sets(DIRS, 1, &issues);
    assert_non_null(catalog);
    if (issues.errors > 0) {
        fail_msg("%s", issues.list[0].text);
    }
    static struct box box;
    struct mb_error err = {0};
    uint8_t set = 0;
    assert_true(catalog_box(catalog, &set, 1, EDITION_CLASSIC, &box, &err));
    assert_int_equal(box.card_count, 168);
    for (unsigned i = 1; i < box.card_count; i++) {
        const struct card_def *last = box_def(&box, (uint16_t)(i - 1));
        const struct card_def *def = box_def(&box, (uint16_t)i);
        assert_true(last->deck < def->deck ||
                    (last->deck == def->deck && box.card_def[i - 1] <= box.card_def[i]));
    }
    assert_true((box.triggers_used >> WHEN_BAD_STUFF & 1u) != 0);
    assert_int_equal(box.trait_kind[catalog_find_trait(catalog, "Elf")], KIND_RACE);
    assert_false(catalog_box(catalog, &set, 1, EDITION_CONAN, &box, &err));
    assert_string_equal(err.text, "the house conan is the edition of none of the sets");
    catalog_destroy(catalog);
}

static void test_box_refuses(void **state)
{
    struct catalog *catalog = *state;
    static struct box box;
    struct mb_error err = {0};
    uint8_t none = 7;
    assert_false(catalog_box(catalog, &none, 1, EDITION_CLASSIC, &box, &err));
    err = (struct mb_error){0};
    assert_false(catalog_box(catalog, NULL, 0, EDITION_CLASSIC, &box, &err));
    assert_string_equal(err.text, "no card set is named");
}

static void test_the_sets_of_the_project_are_right(void **state)
{
    (void)state;
    static struct catalog_issues issues;
    memset(&issues, 0, sizeof issues);
    struct catalog *catalog = catalog_load("cards", &issues);
    assert_non_null(catalog);
    if (issues.errors > 0) {
        fail_msg("%zu errors, the first: %s", issues.errors, issues.list[0].text);
    }
    assert_true(catalog_set_count(catalog) >= 5);
    catalog_destroy(catalog);
}

static void test_the_normal_form_of_every_name_is_kept(void **state)
{
    (void)state;
    struct catalog *const catalog = catalog_load("cards", NULL);
    assert_non_null(catalog);
    for (unsigned def = 0; def < catalog_def_count(catalog); def++) {
        const unsigned name = catalog_def(catalog, def)->name;
        const char *const text = catalog_name_text(catalog, name);
        char normal[NORMAL_MAX];
        (void)normal_form(text, strlen(text), normal, sizeof normal);
        assert_string_equal(catalog_normal(catalog, name), normal);
        assert_int_equal(catalog_initials(catalog)[def], (uint8_t)normal[0]);
    }
    catalog_destroy(catalog);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_figures_and_their_defaults, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bonus_is_short_for_a_row, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_row_with_everything, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_arguments_of_ops, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_defaults_of_requirements, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_goblins_by_name, set_up, tear_down),
        cmocka_unit_test(test_names_are_compared_as_players_write_them),
        cmocka_unit_test(test_the_normal_form_of_every_name_is_kept),
        cmocka_unit_test_setup_teardown(test_same_names_of_sets_are_one_name, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_rewinding_forgets_all, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_refused_extra_cards_leave_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_looking_for_what_is_not_there, set_up, tear_down),
        cmocka_unit_test(test_misfits_keep_out_of_new_tables_only),
        cmocka_unit_test(test_box_of_the_classic_set),
        cmocka_unit_test_setup_teardown(test_box_refuses, set_up, tear_down),
        cmocka_unit_test(test_the_sets_of_the_project_are_right),
    };
    return cmocka_run_group_tests_name("catalog", tests, NULL, NULL);
}
