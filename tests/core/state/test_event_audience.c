// Who is told what of every event: what event.def names, and nothing else.
#include <stdio.h>
#include <string.h>

#include "core/state/event.h"

#include "tests/support/test.h"

enum { OWNER = 1, STRANGER = 2, FROM = 3, TO = 4, CARD = 5, CARD2 = 6, LISTED = 7, BYTES = 0x5A };

// An event with something in every field; `knowers` and `mask` name one seat each.
static struct event full(unsigned type)
{
    struct event event;
    memset(&event, BYTES, sizeof event);
    event.type = (uint8_t)type;
    event.seat = OWNER;
    event.knowers = seat_bit(OWNER);
    event.mask = seat_bit(STRANGER);
    event.card = CARD;
    event.card2 = CARD2;
    if (type == EVENT_DEAL) {
        event.u.deal = (struct deal){.kind = DEAL_ASK,
                                     .from = FROM,
                                     .to = TO,
                                     .accepted = 1,
                                     .refused = 2,
                                     .promises_count = 1,
                                     .promises = {LISTED}};
    }
    return event;
}

static bool hears(const struct event *event, unsigned field, unsigned viewer)
{
    switch (event_audience(event->type, field)) {
    case AUDIENCE_ALL:
        return true;
    case AUDIENCE_KNOWERS:
        return viewer == OWNER;
    case AUDIENCE_MASK:
        return viewer == STRANGER;
    case AUDIENCE_PARTIES:
        return viewer == FROM || viewer == TO;
    case AUDIENCE_NONE:
        break;
    }
    return false;
}

// A field is told as it is or is blank.
static void expect(const struct event *event, unsigned viewer, unsigned field, long told, long is)
{
    const long blank = field == EVENT_FIELD_SEAT || field == EVENT_FIELD_SEAT2 ? NO_SEAT
                       : field == EVENT_FIELD_CARD || field == EVENT_FIELD_CARD2 ||
                               field == EVENT_FIELD_SUBJECT || field == EVENT_FIELD_SOURCE
                           ? NO_CARD
                           : 0;
    const long wanted = hears(event, field, viewer) ? is : blank;
    if (told != wanted) {
        fail_msg("%s tells viewer %u %ld as field %u, not %ld", event_name(event->type), viewer,
                 told, field, wanted);
    }
}

static void expect_fields(const struct event *event, const struct event *shown, unsigned viewer)
{
    const struct {
        unsigned field;
        long told, is;
    } FIELDS[] = {
        {EVENT_FIELD_SEAT, shown->seat, event->seat},
        {EVENT_FIELD_SEAT2, shown->seat2, event->seat2},
        {EVENT_FIELD_WHY, shown->why, event->why},
        {EVENT_FIELD_FROM, shown->from, event->from},
        {EVENT_FIELD_TO, shown->to, event->to},
        {EVENT_FIELD_KNOWERS, shown->knowers, event->knowers},
        {EVENT_FIELD_MASK, shown->mask, event->mask},
        {EVENT_FIELD_CARD, shown->card, event->card},
        {EVENT_FIELD_CARD2, shown->card2, event->card2},
        {EVENT_FIELD_N, shown->n, event->n},
        {EVENT_FIELD_M, shown->m, event->m},
    };
    for (size_t i = 0; i < sizeof FIELDS / sizeof FIELDS[0]; i++) {
        expect(event, viewer, FIELDS[i].field, FIELDS[i].told, FIELDS[i].is);
    }
}

// What stands beside the plain fields: nothing of it is told but by a field that event.def names.
static void expect_payload(const struct event *event, const struct event *shown, unsigned viewer)
{
    static const unsigned PAYLOADS[] = {EVENT_FIELD_DECIDE, EVENT_FIELD_DEAL, EVENT_FIELD_LASTING,
                                        EVENT_FIELD_MONSTER, EVENT_FIELD_OWED};
    bool any = false;
    for (size_t i = 0; i < sizeof PAYLOADS / sizeof PAYLOADS[0]; i++) {
        any = any || hears(event, PAYLOADS[i], viewer);
    }
    if (!any) {
        const struct event nothing = {.type = 0};
        assert_memory_equal(&shown->u, &nothing.u, sizeof nothing.u);
    } else if (event->type == EVENT_DECIDE) {
        assert_int_equal(shown->u.decide.kind, event->u.decide.kind);
        expect(event, viewer, EVENT_FIELD_SUBJECT, shown->u.decide.subject,
               event->u.decide.subject);
        expect(event, viewer, EVENT_FIELD_SOURCE, shown->u.decide.source, event->u.decide.source);
    } else if (event->type == EVENT_DEAL) {
        assert_int_equal(shown->u.deal.promises_count, 1); // how many is no secret
        assert_int_equal(shown->u.deal.promises[0],
                         hears(event, EVENT_FIELD_PROMISES, viewer) ? LISTED : NO_CARD);
        assert_int_equal(shown->u.deal.accepted, 0); // answers are sealed
        assert_int_equal(shown->u.deal.refused, 0);
    }
}

static void every_field_is_told_as_declared_or_to_nobody(void **state)
{
    (void)state;
    static const unsigned VIEWERS[] = {0, OWNER, STRANGER, FROM, TO, NO_SEAT};
    for (unsigned type = 0; type < EVENT_TOTAL; type++) {
        const struct event event = full(type);
        for (size_t i = 0; i < sizeof VIEWERS / sizeof VIEWERS[0]; i++) {
            struct event shown;
            const bool told = event_for_viewer(&event, VIEWERS[i], &shown);
            assert_int_equal(told, hears(&event, EVENT_FIELD_HAPPENED, VIEWERS[i]));
            if (told) {
                expect_fields(&event, &shown, VIEWERS[i]);
                expect_payload(&event, &shown, VIEWERS[i]);
            }
        }
    }
}

// A field without a line in event.def, and an event from elsewhere, have no audience.
static void the_default_is_silence(void **state)
{
    (void)state;
    struct event event = full(EVENT_TOTAL);
    struct event shown;
    assert_false(event_for_viewer(&event, OWNER, &shown));
    assert_int_equal(event_audience(EVENT_LEVEL, EVENT_FIELD_CARD), AUDIENCE_NONE);
    assert_int_equal(event_audience(EVENT_LEVEL, EVENT_FIELD_TOTAL), AUDIENCE_NONE);
    assert_int_equal(event_audience(EVENT_TOTAL, EVENT_FIELD_SEAT), AUDIENCE_NONE);
}

// What must never be told, whatever else changes in event.def.
static void secrets_have_no_audience(void **state)
{
    (void)state;
    static const enum event_type SILENT[] = {EVENT_ORDER,     EVENT_CHANCE,    EVENT_FRAME_PUSH,
                                             EVENT_FRAME_SET, EVENT_FRAME_POP, EVENT_OPTIONS,
                                             EVENT_ANSWER,    EVENT_PASS,      EVENT_PROMISE,
                                             EVENT_WAITING,   EVENT_VERSION,   EVENT_DEAL_ANSWERS};
    for (size_t i = 0; i < sizeof SILENT / sizeof SILENT[0]; i++) {
        for (unsigned field = 0; field < EVENT_FIELD_TOTAL; field++) {
            assert_int_equal(event_audience(SILENT[i], field), AUDIENCE_NONE);
        }
    }
    static const enum event_type CARDS[] = {EVENT_NOTE, EVENT_MOVE, EVENT_FLAGS, EVENT_HOST,
                                            EVENT_KNOW};
    for (size_t i = 0; i < sizeof CARDS / sizeof CARDS[0]; i++) {
        assert_int_not_equal(event_audience(CARDS[i], EVENT_FIELD_CARD), AUDIENCE_ALL);
        assert_int_not_equal(event_audience(CARDS[i], EVENT_FIELD_CARD2), AUDIENCE_ALL);
    }
    assert_int_equal(event_audience(EVENT_PAUSE, EVENT_FIELD_KNOWERS), AUDIENCE_NONE);
    assert_int_equal(event_audience(EVENT_DEAL, EVENT_FIELD_PROMISES), AUDIENCE_PARTIES);
}

// What everybody may know is told to everybody, onlookers too.
static void what_is_open_is_told_to_all(void **state)
{
    (void)state;
    static const enum event_type CARDS[] = {EVENT_NOTE, EVENT_MOVE, EVENT_FLAGS, EVENT_KNOW};
    for (size_t i = 0; i < sizeof CARDS / sizeof CARDS[0]; i++) {
        struct event event = full(CARDS[i]);
        event.knowers = 0xFF;
        event.mask = 0xFF;
        for (unsigned viewer = 0; viewer <= MB_SEATS_MAX; viewer++) {
            struct event shown;
            assert_true(event_for_viewer(&event, viewer < MB_SEATS_MAX ? viewer : NO_SEAT, &shown));
            assert_int_equal(shown.card, CARD);
        }
    }
}

// To all the same promise is shown to nobody but who makes it.
static void a_promise_to_all_is_shown_to_nobody(void **state)
{
    (void)state;
    struct event event = full(EVENT_DEAL);
    struct event shown;
    event.u.deal.to = ALL_SEATS;
    assert_true(event_for_viewer(&event, TO, &shown));
    assert_int_equal(shown.u.deal.promises[0], NO_CARD);
    assert_true(event_for_viewer(&event, FROM, &shown));
    assert_int_equal(shown.u.deal.promises[0], LISTED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_field_is_told_as_declared_or_to_nobody),
        cmocka_unit_test(the_default_is_silence),
        cmocka_unit_test(secrets_have_no_audience),
        cmocka_unit_test(what_is_open_is_told_to_all),
        cmocka_unit_test(a_promise_to_all_is_shown_to_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
