// What one player learns and the table does not: own draws, cards handed over, shown or promised.
#include "bot/render/render_narrate.h"

enum secret {
    SECRET_NONE,
    SECRET_DEALT,
    SECRET_DRAWN,
    SECRET_GOT,
    SECRET_GIVEN,
    SECRET_LOST,
    SECRET_SHOWN,
    SECRET_SEEN
};

struct secrets {
    enum secret kind;
    unsigned other; /**< the other player, or NO_SEAT */
    struct card_group cards;
};

static void tell(struct narrator *narrator, struct secrets *secrets)
{
    static const enum text_id SENTENCES[] = {
        [SECRET_DEALT] = TEXT_YOU_ARE_DEALT, [SECRET_DRAWN] = TEXT_YOU_DRAW,
        [SECRET_GOT] = TEXT_YOU_GET,         [SECRET_GIVEN] = TEXT_YOU_GIVE,
        [SECRET_LOST] = TEXT_YOU_LOSE,       [SECRET_SHOWN] = TEXT_YOU_SEE_OF,
        [SECRET_SEEN] = TEXT_YOU_SEE,
    };
    if (secrets->kind != SECRET_NONE) {
        char cards[RENDER_LIST_SIZE];
        render_group(&narrator->words, &secrets->cards, cards, sizeof cards);
        const char *const other = render_player(&narrator->words, secrets->other);
        text_line(
            narrator->out, SENTENCES[secrets->kind],
            TEXT_ARGS(text_str("cards", cards), text_str("who", other), text_str("other", other)));
    }
    *secrets = (struct secrets){.kind = SECRET_NONE, .other = NO_SEAT};
}

static void add(struct narrator *narrator, struct secrets *secrets, enum secret kind,
                unsigned other, uint16_t card)
{
    if (secrets->kind != kind || secrets->other != other) {
        tell(narrator, secrets);
        secrets->kind = kind;
        secrets->other = other;
    }
    card_group_add(&secrets->cards, card, PILE_TOTAL);
}

static void secret_move(struct narrator *narrator, struct secrets *secrets,
                        const struct event *move)
{
    const unsigned seat = narrator->words.seat;
    const unsigned from = pile_owner(move->from);
    const unsigned to = pile_owner(move->to);
    if (move->to == pile_hand(seat) && from < MB_SEATS_MAX) {
        add(narrator, secrets, SECRET_GOT, from, move->card);
    } else if (move->to == pile_hand(seat)) {
        add(narrator, secrets, move->why == MOVE_DEALT ? SECRET_DEALT : SECRET_DRAWN, NO_SEAT,
            move->card);
    } else if (from == seat && to < MB_SEATS_MAX) {
        add(narrator, secrets, SECRET_GIVEN, to, move->card);
    } else if (from == seat) {
        add(narrator, secrets, SECRET_LOST, NO_SEAT, move->card);
    } else {
        add(narrator, secrets, SECRET_SEEN, NO_SEAT, move->card);
    }
}

// A promised card is told with the promise.
static bool in_promise(const struct event *events, size_t count, uint16_t card)
{
    for (size_t i = 0; i < count; i++) {
        const struct deal *const deal = &events[i].u.deal;
        for (unsigned j = 0; events[i].type == EVENT_DEAL && j < deal->promises_count; j++) {
            if (deal->promises[j] == card) {
                return true;
            }
        }
    }
    return false;
}

static void promised(struct narrator *narrator, const struct deal *deal)
{
    if (deal->kind == DEAL_NONE || deal->to != narrator->words.seat || deal->promises_count == 0 ||
        deal->promises[0] == NO_CARD || deal->accepted != 0 || deal->refused != 0) {
        return;
    }
    char cards[RENDER_LIST_SIZE];
    render_cards(&narrator->words, deal->promises, deal->promises_count, cards, sizeof cards);
    text_line(narrator->out, TEXT_YOU_ARE_PROMISED,
              TEXT_ARGS(text_str("who", render_player(&narrator->words, deal->from)),
                        text_str("cards", cards)));
}

void render_secrets(struct narrator *narrator, const struct event *events, size_t count)
{
    struct secrets secrets = {.kind = SECRET_NONE, .other = NO_SEAT};
    const unsigned seat = narrator->words.seat;
    for (size_t i = 0; i < count; i++) {
        struct event mine;
        struct event all;
        if (!event_for_viewer(&events[i], seat, &mine)) {
            continue;
        }
        const bool told = event_for_viewer(&events[i], NO_SEAT, &all);
        const bool more = mine.card != NO_CARD && (!told || all.card == NO_CARD);
        if (mine.type == EVENT_MOVE && more) {
            secret_move(narrator, &secrets, &mine);
        } else if (mine.type == EVENT_KNOW && more && mine.mask != 0xFF &&
                   !in_promise(events, count, mine.card) &&
                   query_where(narrator->words.view, mine.card) != pile_hand(seat)) {
            const unsigned owner = pile_owner(query_where(narrator->words.view, mine.card));
            add(narrator, &secrets, owner < MB_SEATS_MAX ? SECRET_SHOWN : SECRET_SEEN, owner,
                mine.card);
        } else if (mine.type == EVENT_DEAL) {
            tell(narrator, &secrets);
            promised(narrator, &mine.u.deal);
        }
    }
    tell(narrator, &secrets);
}

// Seats to which one event tells what an onlooker does not learn.
static unsigned told_by(const struct event *event)
{
    struct event mine;
    struct event all;
    unsigned seats = 0;
    if (event->type != EVENT_MOVE && event->type != EVENT_KNOW && event->type != EVENT_DEAL) {
        return 0;
    }
    const bool told = event_for_viewer(event, NO_SEAT, &all) && all.card != NO_CARD;
    for (unsigned seat = 0; seat < MB_SEATS_MAX; seat++) {
        const bool deal = event->type == EVENT_DEAL;
        const bool more =
            deal ? event->u.deal.to == seat && event->u.deal.promises_count > 0
                 : !told && event_for_viewer(event, seat, &mine) && mine.card != NO_CARD;
        seats |= more ? seat_bit(seat) : 0u;
    }
    return seats;
}

unsigned render_secret_seats(const struct event *events, size_t count)
{
    unsigned seats = 0;
    for (size_t i = 0; i < count; i++) {
        seats |= told_by(&events[i]);
    }
    return seats;
}
