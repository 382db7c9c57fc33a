/* The table card and a hand: what they show, and that they fit one message however full the table.
 */
#include <stdlib.h>
#include <string.h>

#include "core/loop/arrange.h"

#include "bot/render/render_impl.h"
#include "bot/text/text.h"

#include "tests/support/see.h"
#include "tests/support/table.h"
#include "tests/support/test.h"

enum { OUT_SIZE = 65536, SEATS = 6, BUDGET = 1900, PHONE = 40, DESK = 80 };

static char out[OUT_SIZE];
static char wrapped[2 * OUT_SIZE];

struct full {
    struct catalog *catalog;
    struct box box;
    struct game *game, *view;
};

static const char *const NAMES[SEATS] = {
    "Annabella the Unnecessarily Long-Winded of Upper Marmalade, Esq.",
    "Bob",
    "Cy",
    "Dorothea of the Hundred Titles and One",
    "Edda",
    "F"};

// All small Items of three sets lie in front of somebody, those without a slot in use; Bob holds
// thirty Monsters.
static int open_full(void **state)
{
    static struct full full;
    static const uint8_t SEED[32] = {7};
    full.catalog = given_catalog();
    given_box(full.catalog, "classic,legends,conan", &full.box);
    full.game = calloc(1, game_size());
    full.view = calloc(1, game_size());
    assert_non_null(full.game);
    assert_non_null(full.view);
    arrange_begin(full.game, &full.box, SEATS, SEED);
    for (unsigned seat = 0; seat < SEATS; seat++) {
        arrange_seat(full.game, seat, 9, (seat & 1u) != 0, false, seat != 5);
    }
    unsigned next = 0;
    unsigned held = 0;
    for (uint16_t card = 0; card < full.box.card_count; card++) {
        const struct card_def *const def = box_def(&full.box, card);
        if (kind_is_item(def->kind) && (def->flags & DEF_BIG) == 0) {
            const bool worn = def->kind == KIND_ITEM && def->slot == SLOT_NONE;
            arrange_card(full.game, card, pile_table(next++ % SEATS), worn ? CARD_EQUIPPED : 0,
                         NO_CARD);
        } else if (def->kind == KIND_MONSTER && held < 30) {
            arrange_card(full.game, card, pile_hand(1), 0, NO_CARD);
            held++;
        }
    }
    assert_true(arrange_finish(full.game, &full.box, 0, PHASE_START, NULL));
    game_redact(full.game, &full.box, 1, full.view);
    *state = &full;
    return 0;
}

static int close_full(void **state)
{
    struct full *const full = *state;
    free(full->view);
    free(full->game);
    catalog_destroy(full->catalog);
    return 0;
}

static struct table_words words_of(const struct full *full, unsigned budget)
{
    struct table_words words = {.catalog = full->catalog,
                                .box = &full->box,
                                .view = full->view,
                                .seat = 1,
                                .left_s = 12,
                                .budget = budget};
    for (unsigned i = 0; i < SEATS; i++) {
        words.players[i] = NAMES[i];
    }
    return words;
}

static void assert_says(const char *part)
{
    if (strstr(out, part) == NULL) {
        fail_msg("\"%s\" is not said in:\n%s", part, out);
    }
}

static void a_full_table_fits_one_message(void **state)
{
    const struct full *const full = *state;
    struct table_words words = words_of(full, 0);
    const size_t whole = render_table(see(&words, SAYS_NOTHING), out, sizeof out);
    assert_true(whole > BUDGET);
    words.budget = BUDGET;
    assert_true(render_table(see(&words, SAYS_NOTHING), out, sizeof out) <= BUDGET);
    // Who, Level, strength, hand and what is waited for are never left out.
    for (unsigned i = 0; i < SEATS; i++) {
        assert_says(NAMES[i]);
    }
    assert_says("Level 9, strength");
    assert_says("30 cards in hand");
    assert_says("(12 s left)");
    assert_says("Decks: ");
}

static void less_room_shortens_gear_first(void **state)
{
    const struct full *const full = *state;
    struct table_words words = words_of(full, 0);
    size_t before = render_table(see(&words, SAYS_NOTHING), out, sizeof out);
    unsigned counted[3] = {0};
    while (before > 200) {
        words.budget = (unsigned)before - 1;
        const size_t length = render_table(see(&words, SAYS_NOTHING), out, sizeof out);
        assert_true(length < before);
        assert_int_equal(length, strlen(out));
        assert_int_equal(out[length - 1], '\n');
        const bool used = strstr(out, "; uses ") != NULL || strstr(out, "    uses ") != NULL;
        const bool cards = strstr(out, " cards;") != NULL || strstr(out, " cards\n") != NULL;
        counted[0] += used && strchr(out, '+') != NULL && cards ? 1u : 0u;
        counted[1] += used && strchr(out, '+') == NULL ? 1u : 0u;
        counted[2] += strstr(out, "cards in play") != NULL ? 1u : 0u;
        before = length;
    }
    // First what is carried is counted, then what is used, then everything.
    assert_true(counted[0] > 0 && counted[1] > 0 && counted[2] > 0);
}

static void a_full_hand_fits_one_message(void **state)
{
    const struct full *const full = *state;
    struct table_words words = words_of(full, 0);
    assert_true(render_hand(see(&words, SAYS_OWN), out, sizeof out) > BUDGET);
    for (words.budget = BUDGET; words.budget > 200; words.budget -= 100) {
        const size_t length = render_hand(see(&words, SAYS_OWN), out, sizeof out);
        assert_true(length <= words.budget);
        assert_int_equal(length, strlen(out));
        assert_says("Your hand: 30 cards, 25 more than you may keep.");
    }
}

static size_t columns_of(const char *line, size_t length)
{
    size_t count = 0;
    for (size_t i = 0; i < length; i++) {
        count += ((unsigned char)line[i] & 0xC0u) != 0x80u ? 1 : 0;
    }
    return count;
}

static void assert_fits(size_t width)
{
    struct text_out text;
    text_begin(&text, wrapped, sizeof wrapped);
    text_wrap(&text, out, width, 4);
    for (const char *at = wrapped; *at != '\0';) {
        const size_t length = strcspn(at, "\n");
        assert_true(columns_of(at, length) <= width);
        at += length + (at[length] == '\n' ? 1 : 0);
    }
}

static void both_are_laid_out_for_narrow_and_wide(void **state)
{
    const struct full *const full = *state;
    const struct table_words words = words_of(full, 0);
    (void)render_table(see(&words, SAYS_NOTHING), out, sizeof out);
    assert_fits(PHONE);
    assert_fits(DESK);
    (void)render_hand(see(&words, SAYS_OWN), out, sizeof out);
    assert_fits(PHONE);
    assert_fits(DESK);
}

// A figure is left out only where the text beside it says just that.
static void figures_stand_beside_a_text_that_begins_alike(void **state)
{
    static const struct {
        const char *name, *title;
    } CARDS[] = {
        {"Flattering Mirror", "Flattering Mirror: Item, +2, 1 Hand, 400 Gold Pieces"},
        {"Titanic", "Titanic: Monster Enhancer"},
        {"Embarrassing Nickname", "Curse! Embarrassing Nickname"},
        {"Complimentary Albatross", "Curse! Complimentary Albatross: -2"},
    };
    const struct full *const full = *state;
    const struct table_words words = words_of(full, 0);
    unsigned found = 0;
    for (uint16_t card = 0; card < full->box.card_count; card++) {
        char name[RENDER_NAME_SIZE];
        char title[RENDER_TITLE_SIZE];
        (void)render_plain_name(&words, card, name);
        for (size_t i = 0; i < sizeof CARDS / sizeof CARDS[0]; i++) {
            if (strcmp(name, CARDS[i].name) == 0) {
                assert_string_equal(
                    render_title_beside(&words, full->box.card_def[card], name, title),
                    CARDS[i].title);
                found |= 1u << i;
            }
        }
    }
    assert_int_equal(found, 0xF);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_stand_beside_a_text_that_begins_alike),
        cmocka_unit_test(a_full_table_fits_one_message),
        cmocka_unit_test(less_room_shortens_gear_first),
        cmocka_unit_test(a_full_hand_fits_one_message),
        cmocka_unit_test(both_are_laid_out_for_narrow_and_wide),
    };
    return cmocka_run_group_tests_name("render_looks", tests, open_full, close_full);
}
