// Who is told what of an event: the audiences of event.def, and silence where none is named.
#include "core/state/event.h"

struct audiences {
    uint8_t of[EVENT_FIELD_TOTAL]; /**< enum audience */
};

#define FIELD(field, who)    [EVENT_FIELD_##field] = AUDIENCE_##who,
#define SILENT               FIELD(HAPPENED, NONE)
#define EVENT(id, name, ...) [EVENT_##id] = {{__VA_ARGS__}},
static const struct audiences AUDIENCES[EVENT_TOTAL] = {
#include "core/state/event.def"
};
#undef EVENT
#undef SILENT
#undef FIELD

enum audience event_audience(unsigned type, unsigned field)
{
    return type < EVENT_TOTAL && field < EVENT_FIELD_TOTAL
               ? (enum audience)AUDIENCES[type].of[field]
               : AUDIENCE_NONE;
}

static bool seats_include(uint8_t seats, unsigned viewer)
{
    return seats == 0xFF || (viewer < MB_SEATS_MAX && (seats & seat_bit(viewer)) != 0);
}

static bool is_told(const struct event *event, unsigned field, unsigned viewer)
{
    switch (event_audience(event->type, field)) {
    case AUDIENCE_ALL:
        return true;
    case AUDIENCE_KNOWERS:
        return seats_include(event->knowers, viewer);
    case AUDIENCE_MASK:
        return seats_include(event->mask, viewer);
    case AUDIENCE_PARTIES:
        return viewer < MB_SEATS_MAX &&
               (viewer == event->u.deal.from || viewer == event->u.deal.to);
    case AUDIENCE_NONE:
        break;
    }
    return false;
}

static void tell_deal(const struct event *event, unsigned viewer, struct deal *out)
{
    *out = event->u.deal;
    out->accepted = 0; // sealed until all are in
    out->refused = 0;
    for (unsigned i = 0; i < out->promises_count; i++) {
        if (!is_told(event, EVENT_FIELD_PROMISES, viewer)) {
            out->promises[i] = NO_CARD;
        }
    }
}

static void tell_payload(const struct event *event, unsigned viewer, struct event *out)
{
    if (is_told(event, EVENT_FIELD_DECIDE, viewer)) {
        out->u.decide = event->u.decide;
        if (!is_told(event, EVENT_FIELD_SUBJECT, viewer)) {
            out->u.decide.subject = NO_CARD;
        }
        if (!is_told(event, EVENT_FIELD_SOURCE, viewer)) {
            out->u.decide.source = NO_CARD;
        }
    }
    if (is_told(event, EVENT_FIELD_DEAL, viewer)) {
        tell_deal(event, viewer, &out->u.deal);
    }
    if (is_told(event, EVENT_FIELD_LASTING, viewer)) {
        out->u.lasting = event->u.lasting;
    }
    if (is_told(event, EVENT_FIELD_MONSTER, viewer)) {
        out->u.monster = event->u.monster;
    }
    if (is_told(event, EVENT_FIELD_OWED, viewer)) {
        out->u.owed = event->u.owed;
    }
}

bool event_for_viewer(const struct event *event, unsigned viewer, struct event *out)
{
    *out = (struct event){
        .type = event->type, .seat = NO_SEAT, .seat2 = NO_SEAT, .card = NO_CARD, .card2 = NO_CARD};
    if (!is_told(event, EVENT_FIELD_HAPPENED, viewer)) {
        return false;
    }
#define TELL(field, member)                                                                        \
    out->member = is_told(event, EVENT_FIELD_##field, viewer) ? event->member : out->member
    TELL(SEAT, seat);
    TELL(SEAT2, seat2);
    TELL(WHY, why);
    TELL(FROM, from);
    TELL(TO, to);
    TELL(KNOWERS, knowers);
    TELL(MASK, mask);
    TELL(CARD, card);
    TELL(CARD2, card2);
    TELL(N, n);
    TELL(M, m);
#undef TELL
    tell_payload(event, viewer, out);
    return true;
}
