// The limits of the core that hang on cards: the sets of the project keep them, mixed in any way,
// and what passes one is refused with its name.
#include <stdio.h>
#include <string.h>

#include "core/codec/box_limits.h"

#include "tests/support/test.h"

enum { TEXT_SIZE = 65536 };

static struct catalog_issues issues;
static struct box box;

// All five sets in one game come to most: limits.h may grow with them, not fall behind.
static void test_all_sets_together_keep_them(void **state)
{
    (void)state;
    uint8_t sets[CATALOG_SETS_MAX];
    size_t count = 0;
    struct mb_error err = {0};
    memset(&issues, 0, sizeof issues);
    struct catalog *const catalog = catalog_load("cards", &issues);
    assert_non_null(catalog);
    for (uint8_t i = 0; catalog_set(catalog, i) != NULL; i++) {
        if (!catalog_set(catalog, i)->vocabulary) {
            sets[count++] = i;
        }
    }
    assert_int_equal(count, 5);
    assert_true(catalog_box(catalog, sets, count, EDITION_CLASSIC, &box, &err));
    const struct box_demand demand = box_demand(&box);
    print_message(
        "texts by which cards do not count %u of %d, texts that wait %u of %d, cards that "
        "draw as they are drawn %u of %d, cards that those draw %u of %d, lasting effects %u of "
        "%d\n",
        demand.item_filters, MB_ITEM_FILTERS_MAX, demand.texts, MB_WAITING_TEXTS, demand.draws,
        MB_DRAWS_MAX, demand.drawn, MB_DRAWN_MAX, demand.lasting, MB_LASTING_SPARE);
    assert_true(demand.item_filters > 0 && demand.texts > 0 && demand.draws > 0);
    assert_true(demand.lasting > MB_SEATS_MAX);
    assert_true(box_limits_hold(catalog, &box, &err));
    catalog_destroy(catalog);
}

#define MONSTER "'monster','level':1,'treasures':1"

struct excess {
    const char *name; /**< the limit's */
    const char *row;  /**< of which each card has one; # is its number */
    unsigned most;    /**< so many cards are still within it */
    const char *kind; /**< and what else such a card has */
};

static const struct excess EXCESSES[] = {
    {"MB_ITEM_FILTERS_MAX", "{'do':'exclude','what':'items','cards':{'value_max':#}}",
     MB_ITEM_FILTERS_MAX, MONSTER},
    {"MB_WAITING_TEXTS", "{'when':'sells','do':'draw','deck':'door','amount':1}", MB_WAITING_TEXTS,
     "'item'"},
    {"MB_DRAWS_MAX", "{'when':'drawn','do':'draw_here','amount':1}", MB_DRAWS_MAX, "'treasure'"},
    {"MB_DRAWN_MAX", "{'when':'drawn','do':'draw_here','amount':6}", MB_DRAWN_MAX / 6,
     "'treasure'"},
    {"MB_DRAWN_MAX", "{'when':'drawn','do':'draw_here','amount':{'per':'level','cap':12}}", 1,
     "'treasure'"},
    {"MB_DRAWN_MAX", "{'when':'drawn','do':'draw','deck':'door','who':'everyone','amount':2}",
     MB_DRAWN_MAX / MB_SEATS_MAX / 2, "'treasure'"},
    // Of a number without a cap one card is too many; a die has one by itself.
    {"MB_DRAWN_MAX", "{'when':'drawn','do':'draw_here','amount':{'per':'level'}}", 0, "'treasure'"},
    {"MB_DRAWN_MAX", "{'when':'drawn','do':'draw_here','amount':{'per':'die'}}", MB_DRAWN_MAX / 6,
     "'treasure'"},
    // Each rolls as it is drawn, and draws at every die: three of them bring nine.
    {"MB_DRAWN_MAX", "{'when':'drawn','do':'roll'},{'when':'rolled','do':'draw','amount':1}", 3,
     "'treasure','stays':true"},
    {"MB_LASTING_SPARE", "{'when':'bad_stuff','do':'follow'}", MB_LASTING_SPARE - MB_SEATS_MAX,
     MONSTER},
    {"MB_LASTING_SPARE",
     "{'when':'bad_stuff','do':'lasting','effect':'bars','effect_arg':'items','until':'always',"
     "'cards':{'value_max':#}}",
     (MB_LASTING_SPARE - MB_SEATS_MAX) / MB_SEATS_MAX, MONSTER},
};

static void add_cards(char *text, const struct excess *excess, unsigned count)
{
    const int before = (int)strcspn(excess->row, "#");
    const char *const after = excess->row + before;
    size_t length = (size_t)snprintf(text, TEXT_SIZE, "[");
    for (unsigned i = 1; i <= count; i++) {
        char number[16];
        (void)snprintf(number, sizeof number, "%u", i);
        length += (size_t)snprintf(text + length, TEXT_SIZE - length,
                                   "%s{'name':'Sample %u','kind':%s,'rows':[%.*s%s%s]}",
                                   i > 1 ? "," : "", i, excess->kind, before, excess->row,
                                   *after != '\0' ? number : "", *after != '\0' ? after + 1 : "");
    }
    (void)snprintf(text + length, TEXT_SIZE - length, "]");
    for (char *c = text; *c != '\0'; c++) {
        if (*c == '\'') {
            *c = '"';
        }
    }
}

static void test_a_row_too_many_is_refused_by_name(void **state)
{
    const struct excess *const excess = *state;
    static char text[TEXT_SIZE];
    static const char *const DIRS[] = {"tests/data/goodset"};
    memset(&issues, 0, sizeof issues);
    struct catalog *const catalog = catalog_load_sets(DIRS, 1, &issues);
    assert_non_null(catalog);
    for (unsigned more = 0; more < 2; more++) {
        uint8_t sets[2] = {0};
        struct mb_error err = {0};
        add_cards(text, excess, excess->most + more);
        if (!catalog_add_text(catalog, text, strlen(text), "sample", &sets[1], &issues)) {
            fail_msg("%s", issues.list[0].text);
        }
        assert_true(catalog_box(catalog, sets, 2, EDITION_CLASSIC, &box, &err));
        assert_int_equal(box_limits_hold(catalog, &box, &err), more == 0);
        if (more > 0) {
            char last[64];
            (void)snprintf(last, sizeof last, "\"Sample %u\": rows[0]: expected at most ",
                           excess->most + 1);
            assert_non_null(strstr(err.text, last));
            assert_non_null(strstr(err.text, excess->name));
        }
        catalog_rewind(catalog, sets[1]);
    }
    catalog_destroy(catalog);
}

int main(void)
{
    enum { COUNT = sizeof EXCESSES / sizeof EXCESSES[0] };
    struct CMUnitTest tests[COUNT + 1] = {cmocka_unit_test(test_all_sets_together_keep_them)};
    for (size_t i = 0; i < COUNT; i++) {
        tests[i + 1] = (struct CMUnitTest){.name = EXCESSES[i].name,
                                           .test_func = test_a_row_too_many_is_refused_by_name,
                                           .initial_state = (void *)(uintptr_t)&EXCESSES[i]};
    }
    return cmocka_run_group_tests_name("box_limits", tests, NULL, NULL);
}
