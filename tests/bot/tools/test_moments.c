/* What a card is expected to win, by the moments in which it is put in play. */
#include "bot/tools/balance.h"

#include "tests/support/fixture.h"
#include "tests/support/test.h"

static struct event put_by(unsigned seat, uint16_t card, unsigned from)
{
    return (struct event){.type = EVENT_MOVE,
                          .seat = (uint8_t)seat,
                          .why = MOVE_PLAYED,
                          .from = (uint8_t)from,
                          .card = card};
}

// A game in which a seat of that Level puts one card in play, and wins or not.
static void play(struct fixture *f, struct moments *moments, const char *name, int level, bool won)
{
    const unsigned def = catalog_find_def(f->catalog, name, NO_SET);
    uint16_t card = 0;
    while (f->box.card_def[card] != def) {
        card++;
    }
    struct event event = put_by(FIXTURE_BOB, card, pile_hand(FIXTURE_BOB));
    const struct event_list events = {.items = &event, .count = 1, .capacity = 1};
    const struct simulate_step step = {.before = f->game, .after = f->game, .events = &events};
    moments_begin(moments);
    arrange_seat(f->game, FIXTURE_BOB, (unsigned)level, false, false, true);
    moments_step(moments, &step);
    arrange_seat(f->game, FIXTURE_BOB, 1, false, false, true);
    moments_step(moments, &step); // once more: the first time counts
    moments_count(moments, def, FIXTURE_BOB, won);
}

static int expected(const struct fixture *f, const struct moments *moments, const char *name)
{
    return (int)(100 * moments_expected(moments, catalog_find_def(f->catalog, name, NO_SET)) + 0.5);
}

static void a_card_is_expected_to_win_what_others_win_in_its_moments(void **state)
{
    (void)state;
    struct fixture f;
    struct moments moments;
    fixture_open(&f, NULL);
    moments_init(&moments, &f.box, FIXTURE_SEATS);
    fixture_begin(&f);
    play(&f, &moments, "Siege Ladder", 9, true);
    play(&f, &moments, "Chainsaw of Bloody Dismemberment", 9, true);
    play(&f, &moments, "Tin Hat of Certainty", 9, false);
    play(&f, &moments, "Tin Hat of Certainty", 9, true);
    play(&f, &moments, "Tin Hat of Certainty", 2, false);
    assert_int_equal(expected(&f, &moments, "Siege Ladder"), 75);
    assert_int_equal(expected(&f, &moments, "Chainsaw of Bloody Dismemberment"), 75);
    assert_int_equal(expected(&f, &moments, "Tin Hat of Certainty"), 150);
    assert_int_equal(expected(&f, &moments, "Boots of Butt-Kicking"), 0);
    moments_finish(&moments);
    fixture_close(&f);
}

static void what_nobody_plays_is_not_put_in_play(void **state)
{
    (void)state;
    struct fixture f;
    fixture_open(&f, NULL);
    const uint16_t curse = fixture_card(&f, "Butterfingers", pile_hand(FIXTURE_BOB), 0);
    const struct event played = put_by(FIXTURE_BOB, curse, pile_hand(FIXTURE_BOB));
    const struct event kicked = put_by(FIXTURE_BOB, curse, PILE_FACE_UP);
    struct event discarded = played;
    discarded.why = MOVE_DISCARDED;
    assert_true(moments_puts(&f.box, &played));
    assert_false(moments_puts(&f.box, &kicked));
    assert_false(moments_puts(&f.box, &discarded));
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_card_is_expected_to_win_what_others_win_in_its_moments),
        cmocka_unit_test(what_nobody_plays_is_not_put_in_play),
    };
    return cmocka_run_group_tests_name("moments", tests, NULL, NULL);
}
