#include "bot/tools/pairs.h"

#include <stdlib.h>

#include "core/codec/memory.h"
#include "core/loop/query.h"
#include "core/numbers/requirement.h"
#include "core/numbers/trait.h"

static uint16_t def_of_name(const struct box *box, unsigned name)
{
    for (uint16_t card = 0; card < box->card_count; card++) {
        if (box_def(box, card)->name == name) {
            return box->card_def[card];
        }
    }
    return box->def_count;
}

// Adds a pair unless its card names itself, or a card that is not in the game, or is listed with
// it.
static void add(struct pairs *pairs, const struct pair *pair, unsigned name)
{
    const struct box *const box = pairs->box;
    struct pair found = *pair;
    found.named = def_of_name(box, name);
    while (found.first_card < box->card_count && box->card_def[found.first_card] != found.def) {
        found.first_card++;
    }
    bool known = found.named == box->def_count ||
                 box->defs[found.named].name == box->defs[found.def].name ||
                 found.first_card == box->card_count;
    for (unsigned i = 0; pairs->items != NULL && i < pairs->count; i++) {
        known =
            known || (pairs->items[i].def == found.def && pairs->items[i].filter == found.filter &&
                      pairs->items[i].req == found.req);
    }
    if (!known && pairs->items != NULL) {
        pairs->items[pairs->count] = found;
    }
    pairs->count += !known;
}

static void add_filter(struct pairs *pairs, const struct pair *of, unsigned filter)
{
    struct pair pair = *of;
    for (; filter != 0; filter = pairs->box->filters[filter - 1u].or_else) {
        const unsigned name = pairs->box->filters[filter - 1u].name;
        pair.filter = (uint16_t)filter;
        if (name != 0) {
            add(pairs, &pair, name - 1u);
        }
    }
}

static void add_row(struct pairs *pairs, uint16_t def, const struct row *row)
{
    struct pair pair = {.def = def, .main = row->who == WHO_MAIN};
    add_filter(pairs, &pair, row->filter);
    pair.main = false;
    for (unsigned i = 0; i < row->req_count; i++) {
        const struct requirement *const req = &pairs->box->reqs[row->first_req + i];
        struct pair asks = pair;
        asks.req = (uint16_t)(row->first_req + i + 1u);
        if (req->kind == REQ_NAMED_IN_PLAY || req->kind == REQ_MONSTER_NAME) {
            add(pairs, &asks, (unsigned)req->n);
        } else if (req->kind == REQ_CARDS) {
            asks = pair;
            asks.anybody = req->range == RANGE_ANYONE;
            add_filter(pairs, &asks, req->arg);
        }
    }
}

static void collect(struct pairs *pairs)
{
    pairs->count = 0;
    for (uint16_t def = 0; def < pairs->box->def_count; def++) {
        const struct row *const rows = box_rows(pairs->box, &pairs->box->defs[def]);
        for (unsigned i = 0; i < pairs->box->defs[def].row_count; i++) {
            add_row(pairs, def, &rows[i]);
        }
    }
}

void pairs_init(struct pairs *pairs, const struct box *box)
{
    *pairs = (struct pairs){.box = box};
    collect(pairs); // first how many at most, then which
    pairs->items = mb_new(pairs->count + 1u, sizeof *pairs->items);
    collect(pairs);
}

void pairs_finish(struct pairs *pairs)
{
    free(pairs->items);
    *pairs = (struct pairs){.count = 0};
}

static unsigned every_seat(const struct game *game)
{
    return (1u << query_seat_count(game)) - 1u;
}

// Seats that a card which takes part concerns: the fighters, its owner, or who could be struck.
static unsigned concerned(const struct pairs *pairs, const struct game *game, uint16_t card,
                          bool entered)
{
    const unsigned pile = query_where(game, card);
    const unsigned kind = box_def(pairs->box, card)->kind;
    const unsigned main = query_main(game);
    const unsigned helper = query_helper(game);
    if (pile == PILE_FIGHT || (entered && main != NO_SEAT)) {
        return seat_bit(main) | (helper != NO_SEAT ? seat_bit(helper) : 0u);
    }
    if (pile_is_table(pile)) {
        return seat_bit(pile - PILE_TABLE);
    }
    const bool played = kind == KIND_CURSE || kind == KIND_ONESHOT || kind == KIND_DOOR ||
                        kind == KIND_TREASURE || kind == KIND_ENHANCER;
    return (pile_is_hand(pile) && played) || pile == PILE_RESOLVING || entered ? every_seat(game)
                                                                               : 0u;
}

static bool finds(const struct pairs *pairs, const struct pair *pair, const struct game *game,
                  unsigned seat)
{
    uint16_t card;
    if (pair->filter != 0) {
        return filter_collect(game, pairs->box, seat, pair->filter, &card, 1) > 0;
    }
    struct req_context ctx = req_context_for(game, pairs->box, seat);
    struct requirement req = pairs->box->reqs[pair->req - 1u];
    req.absent = false;
    return requirement_holds(&ctx, &req);
}

static bool enters(const struct event_list *events, uint16_t card)
{
    for (uint32_t i = 0; i < events->count; i++) {
        const struct event *const event = &events->items[i];
        if (event->type == EVENT_MOVE && event->card == card && event->to == PILE_FIGHT) {
            return true;
        }
    }
    return false;
}

static bool meets(const struct pairs *pairs, const struct pair *pair, uint16_t card,
                  const struct game *game, bool entered)
{
    const unsigned main = query_main(game) != NO_SEAT ? query_main(game) : query_turn(game);
    const unsigned asked = pair->main ? seat_bit(main) : every_seat(game);
    const unsigned own = concerned(pairs, game, card, entered) & asked;
    const unsigned seats = pair->anybody && own != 0 ? every_seat(game) : own;
    for (unsigned seat = 0; seat < query_seat_count(game); seat++) {
        if ((seats & seat_bit(seat)) != 0 && finds(pairs, pair, game, seat)) {
            return true;
        }
    }
    return false;
}

void pairs_step(struct pairs *pairs, const struct simulate_step *step)
{
    for (unsigned i = 0; i < pairs->count; i++) {
        struct pair *const pair = &pairs->items[i];
        uint16_t card = pair->first_card;
        for (;
             !pair->met && card < pairs->box->card_count && pairs->box->card_def[card] == pair->def;
             card++) {
            const bool entered = enters(step->events, card);
            pair->met = meets(pairs, pair, card, step->after, entered) ||
                        (entered && meets(pairs, pair, card, step->before, true));
        }
    }
}

void pairs_begin(struct pairs *pairs)
{
    for (unsigned i = 0; i < pairs->count; i++) {
        pairs->items[i].met = false;
    }
}

// Whether two cards have met by any of the rows that look for one of them.
static bool met(const struct pairs *pairs, const struct pair *pair)
{
    bool any = false;
    for (unsigned i = 0; i < pairs->count; i++) {
        const struct pair *const row = &pairs->items[i];
        any = any || (row->met && row->def == pair->def && row->named == pair->named);
    }
    return any;
}

void pairs_end(struct pairs *pairs)
{
    for (unsigned i = 0; i < pairs->count; i++) {
        pairs->items[i].games += met(pairs, &pairs->items[i]);
    }
}
