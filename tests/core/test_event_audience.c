// Who is told what of every event: a card that only one seat knows stays that seat's.
#include <stdio.h>
#include <string.h>

#include "core/event.h"

#include "tests/support/test.h"

enum { OWNER = 1, STRANGER = 2, CARD = 5, CARD2 = 6, LISTED = 7 };

// What a viewer who knows nothing of the cards is told.
enum told {
    WHOLE,  // everything: nothing in it is secret
    BLANK,  // that it happened, without the cards
    NOTHING // not even that
};

// For each event: what strangers and onlookers are told, and what the owner is. An event without a
// line fails: its audience is to be decided first.
struct audience {
    bool decided;
    enum told stranger, owner;
};

static const struct audience AUDIENCES[EVENT_TOTAL] = {
    [EVENT_NOTE] = {true, BLANK, WHOLE},           [EVENT_MOVE] = {true, BLANK, WHOLE},
    [EVENT_ORDER] = {true, NOTHING, NOTHING},      [EVENT_SHUFFLE] = {true, WHOLE, WHOLE},
    [EVENT_FLAGS] = {true, NOTHING, WHOLE},        [EVENT_HOST] = {true, NOTHING, WHOLE},
    [EVENT_KNOW] = {true, BLANK, WHOLE},           [EVENT_LEVEL] = {true, WHOLE, WHOLE},
    [EVENT_SEAT] = {true, WHOLE, WHOLE},           [EVENT_GAME] = {true, WHOLE, WHOLE},
    [EVENT_ROLL] = {true, WHOLE, WHOLE},           [EVENT_CHANCE] = {true, NOTHING, NOTHING},
    [EVENT_FRAME_PUSH] = {true, NOTHING, NOTHING}, [EVENT_FRAME_SET] = {true, NOTHING, NOTHING},
    [EVENT_FRAME_POP] = {true, NOTHING, NOTHING},  [EVENT_DECIDE] = {true, WHOLE, WHOLE},
    [EVENT_OPTIONS] = {true, NOTHING, NOTHING},    [EVENT_ANSWER] = {true, NOTHING, NOTHING},
    [EVENT_DECIDED] = {true, WHOLE, WHOLE},        [EVENT_PAUSE] = {true, WHOLE, WHOLE},
    [EVENT_PASS] = {true, NOTHING, NOTHING},       [EVENT_DEAL] = {true, BLANK, WHOLE},
    [EVENT_LASTING] = {true, WHOLE, WHOLE},        [EVENT_FIGHT] = {true, WHOLE, WHOLE},
    [EVENT_FIGHTER] = {true, WHOLE, WHOLE},        [EVENT_MONSTER] = {true, WHOLE, WHOLE},
    [EVENT_OWED] = {true, WHOLE, WHOLE},           [EVENT_FIGHT_FIELD] = {true, WHOLE, WHOLE},
    [EVENT_PROMISE] = {true, NOTHING, NOTHING},    [EVENT_WON] = {true, WHOLE, WHOLE},
    [EVENT_DEATH] = {true, WHOLE, WHOLE},          [EVENT_DUE] = {true, NOTHING, NOTHING},
};

// An event that only the owner may know the cards of.
static struct event secret(unsigned type)
{
    struct event event = {.type = (uint8_t)type,
                          .seat = OWNER,
                          .knowers = seat_bit(OWNER),
                          .mask = seat_bit(OWNER),
                          .card = CARD,
                          .card2 = CARD2,
                          .n = 1};
    if (type == EVENT_DEAL) {
        event.u.deal = (struct deal){
            .kind = DEAL_ASK, .from = OWNER, .to = 0, .promises_count = 1, .promises = {LISTED}};
    } else if (type == EVENT_ORDER || type == EVENT_OPTIONS || type == EVENT_ANSWER ||
               type == EVENT_PROMISE) {
        event.u.list[0] = LISTED;
    }
    return event;
}

static void expect(unsigned type, unsigned viewer, enum told told)
{
    const struct event event = secret(type);
    struct event shown;
    const bool is_told = event_for_viewer(&event, viewer, &shown);
    if (is_told != (told != NOTHING)) {
        fail_msg("%s is %s viewer %u", event_name(type), is_told ? "told" : "not told", viewer);
    }
    if (told == WHOLE) {
        assert_memory_equal(&shown, &event, sizeof event);
    } else if (told == BLANK && type == EVENT_DEAL) {
        assert_int_equal(shown.u.deal.promises[0], NO_CARD);
        assert_int_equal(shown.u.deal.promises_count, 1); // how many is no secret
    } else if (told == BLANK) {
        assert_int_equal(shown.card, NO_CARD);
        // Only a move and a note have a second card; one learns a card alone.
        assert_true(type == EVENT_KNOW || shown.card2 == NO_CARD);
    }
}

static void every_event_has_its_audience(void **state)
{
    (void)state;
    for (unsigned type = 0; type < EVENT_TOTAL; type++) {
        assert_true(AUDIENCES[type].decided);
        expect(type, OWNER, AUDIENCES[type].owner);
        expect(type, STRANGER, AUDIENCES[type].stranger);
        expect(type, NO_SEAT, AUDIENCES[type].stranger);
    }
}

// What everybody may know is told to everybody, onlookers too.
static void what_is_open_is_told_to_all(void **state)
{
    (void)state;
    static const enum event_type CARDS[] = {EVENT_NOTE, EVENT_MOVE, EVENT_FLAGS, EVENT_HOST,
                                            EVENT_KNOW};
    for (size_t i = 0; i < sizeof CARDS / sizeof CARDS[0]; i++) {
        struct event event = secret(CARDS[i]);
        event.knowers = 0xFF;
        event.mask = 0xFF;
        for (unsigned viewer = 0; viewer < MB_SEATS_MAX; viewer++) {
            struct event shown;
            assert_true(event_for_viewer(&event, viewer, &shown));
            assert_memory_equal(&shown, &event, sizeof event);
        }
        struct event shown;
        assert_true(event_for_viewer(&event, NO_SEAT, &shown));
        assert_memory_equal(&shown, &event, sizeof event);
    }
}

// A promised card is shown to the one asked, and to nobody when all are.
static void a_promise_is_shown_to_the_one_asked(void **state)
{
    (void)state;
    struct event event = secret(EVENT_DEAL);
    struct event shown;
    assert_true(event_for_viewer(&event, 0, &shown));
    assert_int_equal(shown.u.deal.promises[0], LISTED);
    event.u.deal.to = ALL_SEATS;
    assert_true(event_for_viewer(&event, 0, &shown));
    assert_int_equal(shown.u.deal.promises[0], NO_CARD);
    assert_true(event_for_viewer(&event, OWNER, &shown));
    assert_int_equal(shown.u.deal.promises[0], LISTED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_event_has_its_audience),
        cmocka_unit_test(what_is_open_is_told_to_all),
        cmocka_unit_test(a_promise_is_shown_to_the_one_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
