// Haggling at a table: who hears of which offer, by which number, and what becomes of it.
#include <string.h>

#include "bot/tools/solo.h"

#include "tests/support/fixture.h"
#include "tests/support/test.h"

enum { ANN = FIXTURE_ANN, BOB = FIXTURE_BOB, CY = FIXTURE_CY, MINUTE_MS = 60000 };

struct haggle {
    struct fixture fixture;
    struct solo *solo;
};

static int set_up(void **state)
{
    static struct haggle haggle;
    static const char *const NAMES[] = {"Ann", "Bob", "Cy"};
    struct haggle *const h = &haggle;
    memset(h, 0, sizeof *h);
    fixture_open(&h->fixture, NULL);
    (void)fixture_card(&h->fixture, "Go Up a Level", pile_hand(ANN), 0);
    (void)fixture_card(&h->fixture, "Mace of Sharpness", pile_table(ANN), 0);
    (void)fixture_card(&h->fixture, "Flaming Armor", pile_table(BOB), 0);
    arrange_seat(h->fixture.game, BOB, 6, false, false, true);
    arrange_seat(h->fixture.game, CY, 8, false, false, true);
    fixture_next(&h->fixture, PILE_DOOR_DECK, "Net Troll");
    fixture_begin(&h->fixture);
    h->solo = solo_create(h->fixture.catalog);
    solo_adopt(h->solo, &h->fixture.box, h->fixture.game, NAMES, PACE_LIVE);
    *state = h;
    return 0;
}

static int tear_down(void **state)
{
    struct haggle *const h = *state;
    solo_destroy(h->solo);
    fixture_close(&h->fixture);
    return 0;
}

// A line that must be accepted; what was said before is gone.
static void does(struct haggle *h, unsigned seat, const char *line)
{
    message_list_clear(solo_outbox(h->solo));
    if (!solo_line(h->solo, seat, line, NULL)) {
        fail_msg("\"%s\" is refused: %s", line, solo_outbox(h->solo)->items[0].text);
    }
}

static unsigned code(struct haggle *h, unsigned seat, const char *line)
{
    struct refusal why = {0};
    message_list_clear(solo_outbox(h->solo));
    assert_false(solo_line(h->solo, seat, line, &why));
    return why.code;
}

// Whether a text was just said to a seat, or (NO_SEAT) to the table.
static bool heard(struct haggle *h, unsigned seat, const char *text)
{
    const struct message_list *const outbox = solo_outbox(h->solo);
    bool found = false;
    for (size_t i = 0; i < outbox->count; i++) {
        const struct message *const message = &outbox->items[i];
        const bool fits = seat == NO_SEAT ? message->to == MESSAGE_TABLE
                                          : message->to != MESSAGE_TABLE && message->seat == seat;
        found = found || (fits && strstr(message->text, text) != NULL);
    }
    return found;
}

static void trades_and_gifts_have_numbers(void **state)
{
    struct haggle *const h = *state;
    does(h, ANN, "offer Mace of Sharpness for Flaming Armor to Bob");
    assert_true(heard(h, NO_SEAT, "Mace of Sharpness for Flaming Armor (offer 1)"));
    does(h, ANN, "give Mace of Sharpness to Cy");
    assert_true(heard(h, NO_SEAT, "(offer 2)"));
    assert_int_equal(code(h, BOB, "accept 2"), REFUSAL_NOT_ASKED);
    assert_int_equal(code(h, BOB, "accept 7"), REFUSAL_NO_OFFER);
    assert_int_equal(code(h, ANN, "withdraw"), REFUSAL_AMBIGUOUS_NAME);
    does(h, ANN, "withdraw 2");
    assert_true(heard(h, NO_SEAT, "offer 2"));
    does(h, BOB, "accept 1");
    assert_true(heard(h, NO_SEAT, "Mace of Sharpness"));
    assert_true(heard(h, NO_SEAT, "Flaming Armor"));
}

static void a_promise_is_heard_by_the_one_asked(void **state)
{
    struct haggle *const h = *state;
    does(h, ANN, "kick");
    does(h, ANN, "ask Bob offering 1 treasure promising Go Up a Level");
    assert_true(heard(h, NO_SEAT, "1 card from the hand (offer 1)"));
    assert_false(heard(h, NO_SEAT, "Go Up a Level"));
    assert_true(heard(h, BOB, "Go Up a Level"));
    assert_false(heard(h, CY, "Go Up a Level"));
    does(h, CY, "status");
    assert_false(heard(h, CY, "Go Up a Level"));
    does(h, CY, "volunteer for 2 treasures picking first");
    assert_true(heard(h, NO_SEAT, "for 2 Treasures, picking first (offer 2)"));
    does(h, ANN, "accept 2");
    assert_true(heard(h, NO_SEAT, "Cy helps Ann, for 2 Treasures"));
    assert_true(heard(h, NO_SEAT, "Ann's offer 1 lapses"));
    assert_int_equal(code(h, BOB, "accept 1"), REFUSAL_NO_OFFER);
}

static void a_bribe_binds_and_everybody_hears_it(void **state)
{
    struct haggle *const h = *state;
    does(h, ANN, "kick");
    does(h, BOB, "offer Flaming Armor to Cy for not helping");
    assert_true(heard(h, NO_SEAT, "for not helping anybody (offer 1)"));
    does(h, CY, "accept");
    assert_true(heard(h, NO_SEAT, "Cy took the bribe"));
    does(h, ANN, "ask all offering 2 treasures");
    assert_int_equal(code(h, CY, "accept"), REFUSAL_DEAL_BINDS);
    assert_int_equal(code(h, CY, "volunteer"), REFUSAL_DEAL_BINDS);
}

static void answers_to_all_are_sealed_until_all_are_in(void **state)
{
    struct haggle *const h = *state;
    does(h, ANN, "kick");
    does(h, ANN, "ask all offering 2 treasures");
    assert_true(heard(h, NO_SEAT, "Ann asks everybody for help, for 2 Treasures (offer 1)"));
    does(h, CY, "accept");
    assert_true(heard(h, CY, "when everybody has given one"));
    assert_false(heard(h, NO_SEAT, "Cy"));
    assert_int_equal(code(h, ANN, "choose Cy"), REFUSAL_NOT_YOUR_CHOICE);
    does(h, BOB, "accept");
    assert_true(heard(h, NO_SEAT, "Bob and Cy would help"));
    does(h, ANN, "choose Cy");
    assert_true(heard(h, NO_SEAT, "Cy helps Ann"));
}

static void silence_is_a_no(void **state)
{
    struct haggle *const h = *state;
    does(h, ANN, "kick");
    does(h, ANN, "ask all");
    does(h, BOB, "accept");
    message_list_clear(solo_outbox(h->solo));
    solo_advance(h->solo, MINUTE_MS);
    assert_true(heard(h, NO_SEAT, "Bob would help"));
    does(h, ANN, "choose Bob");
    assert_true(heard(h, NO_SEAT, "Bob helps Ann"));
}

static void when_all_refuse_the_call_is_over(void **state)
{
    struct haggle *const h = *state;
    does(h, ANN, "kick");
    does(h, ANN, "ask all");
    does(h, BOB, "refuse");
    does(h, CY, "refuse");
    assert_true(heard(h, NO_SEAT, "Ann"));
    does(h, ANN, "ask Bob"); // and another may be made
    message_list_clear(solo_outbox(h->solo));
    solo_advance(h->solo, MINUTE_MS);
    assert_true(heard(h, NO_SEAT, "offer 2"));
    assert_int_equal(code(h, BOB, "accept"), REFUSAL_NO_OFFER);
}

// Offers of others are no new question to the one who was asked, and stretch nothing.
static void volunteers_do_not_stretch_the_ask(void **state)
{
    struct haggle *const h = *state;
    does(h, ANN, "kick");
    does(h, ANN, "ask Bob");
    solo_advance(h->solo, MINUTE_MS / 2);
    does(h, CY, "volunteer");
    assert_int_equal(solo_due(h->solo).clock, CLOCK_ASK);
    assert_int_equal(solo_due(h->solo).clock_ms, MINUTE_MS / 2);
    does(h, CY, "volunteer for 1 treasure");
    assert_int_equal(solo_due(h->solo).clock_ms, MINUTE_MS / 2);
    does(h, ANN, "ask Bob offering 1 treasure"); // another question
    assert_int_equal(solo_due(h->solo).clock_ms, MINUTE_MS);
}

// Taking something back stretches no window, however often.
static void what_is_taken_back_takes_its_time_with_it(void **state)
{
    enum { SECOND_MS = 1000 };
    static const char *const NAMES[] = {"Ann", "Bob", "Cy"};
    struct haggle *const h = *state;
    arrange_seat(h->fixture.game, ANN, 5, false, false, true);
    solo_adopt(h->solo, &h->fixture.box, h->fixture.game, NAMES, PACE_LIVE);
    does(h, ANN, "kick");
    does(h, ANN, "ask Bob");
    does(h, BOB, "accept");
    assert_int_equal(solo_due(h->solo).clock, CLOCK_WINDOW);
    int64_t left = solo_due(h->solo).clock_ms;
    for (unsigned i = 0; i < 3; i++) {
        solo_advance(h->solo, SECOND_MS);
        does(h, CY, "hold");
        solo_advance(h->solo, SECOND_MS);
        does(h, CY, "undo");
        left -= (int64_t)2 * SECOND_MS;
        assert_int_equal(solo_due(h->solo).clock_ms, left);
    }
    solo_advance(h->solo, left);
    assert_int_not_equal(solo_due(h->solo).clock, CLOCK_WINDOW);
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(trades_and_gifts_have_numbers),
        CASE(a_promise_is_heard_by_the_one_asked),
        CASE(a_bribe_binds_and_everybody_hears_it),
        CASE(answers_to_all_are_sealed_until_all_are_in),
        CASE(silence_is_a_no),
        CASE(when_all_refuse_the_call_is_over),
        CASE(what_is_taken_back_takes_its_time_with_it),
        CASE(volunteers_do_not_stretch_the_ask),
    };
#undef CASE
    return cmocka_run_group_tests_name("table_deals", tests, NULL, NULL);
}
