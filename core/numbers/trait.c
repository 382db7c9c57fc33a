#include "core/numbers/trait.h"

#include <stddef.h>

#include "core/numbers/requirement.h"
#include "core/state/pile_list.h"

/** Static bonus rows of a card for an op, without looking at its requirements. */
static const struct row *static_row(const struct box *box, const struct card_def *def, unsigned op)
{
    const struct row *rows = box_rows(box, def);
    for (unsigned i = 0; i < def->row_count; i++) {
        if (rows[i].when == WHEN_STATIC && rows[i].op == op) {
            return &rows[i];
        }
    }
    return NULL;
}

unsigned trait_count(const struct game *game, const struct box *box, unsigned seat, unsigned kind)
{
    unsigned count = 0;
    uint16_t at = pile_first(game, pile_table(seat));
    for (; at != NO_CARD; at = game->cards[at].next) {
        count += box_def(box, at)->kind == kind;
    }
    return count;
}

/** Whether a card lets the seat hold two of a kind. */
static unsigned second_cards(const struct game *game, const struct box *box, unsigned seat,
                             unsigned kind)
{
    unsigned count = 0;
    uint16_t at = pile_first(game, pile_table(seat));
    for (; at != NO_CARD; at = game->cards[at].next) {
        const struct card_def *def = box_def(box, at);
        if (def->kind == KIND_SECOND) {
            const struct row *row = static_row(box, def, EFFECT_SECOND);
            count += row != NULL && row->a == (int)kind;
        }
    }
    return count;
}

unsigned trait_capacity(const struct game *game, const struct box *box, unsigned seat,
                        unsigned kind)
{
    unsigned capacity = box->profile.slots[kind].capacity;
    // Rules: two Super Munchkins do not give three Classes (RUL-121).
    if (capacity == 1 && second_cards(game, box, seat, kind) > 0) {
        capacity = 2;
    }
    return capacity;
}

struct traits trait_of(const struct game *game, const struct box *box, unsigned seat)
{
    struct traits traits = {0, 0};
    uint64_t by_kind[KIND_TOTAL] = {0};
    unsigned count[KIND_TOTAL] = {0};
    uint16_t at = pile_first(game, pile_table(seat));
    for (; at != NO_CARD; at = game->cards[at].next) {
        const struct card_def *def = box_def(box, at);
        if (def->trait != NO_TRAIT && kind_is_identity(def->kind)) {
            by_kind[def->kind] |= (uint64_t)1 << def->trait;
            count[def->kind]++;
        }
    }
    for (unsigned kind = KIND_CLASS; kind < KIND_SECOND; kind++) {
        if (count[kind] == 0) {
            continue;
        }
        traits.any |= by_kind[kind];
        if (count[kind] > 1 || second_cards(game, box, seat, kind) == 0) {
            traits.full |= by_kind[kind];
        }
    }
    return traits;
}

uint64_t trait_lent(const struct game *game, const struct box *box, unsigned seat)
{
    uint64_t lent = 0;
    uint16_t at = pile_first(game, pile_table(seat));
    for (; at != NO_CARD; at = game->cards[at].next) {
        const struct card_def *def = box_def(box, at);
        if (def->kind != KIND_FOLLOWER || (game->cards[at].flags & CARD_TURNED) != 0) {
            continue;
        }
        const struct row *rows = box_rows(box, def);
        for (unsigned i = 0; i < def->row_count; i++) {
            if (rows[i].when == WHEN_STATIC && rows[i].op == EFFECT_TRAIT) {
                lent |= (uint64_t)1 << (unsigned)rows[i].a;
            }
        }
    }
    return lent;
}

bool trait_human(const struct game *game, const struct box *box, unsigned seat)
{
    uint16_t at = pile_first(game, pile_table(seat));
    for (; at != NO_CARD; at = game->cards[at].next) {
        const struct card_def *def = box_def(box, at);
        if (def->kind == KIND_RACE && (def->flags & DEF_HUMAN) == 0) {
            return false;
        }
    }
    return true;
}

bool card_cheated(const struct game *game, const struct box *box, uint16_t card)
{
    unsigned pile = game->cards[card].pile;
    if (!pile_is_table(pile)) {
        return false;
    }
    for (uint16_t at = pile_first(game, pile); at != NO_CARD; at = game->cards[at].next) {
        if (game->cards[at].host == card && box_def(box, at)->kind == KIND_DOOR) {
            return true;
        }
    }
    return false;
}

uint16_t card_sealed_by(const struct game *game, const struct box *box, uint16_t card)
{
    unsigned pile = game->cards[card].pile;
    uint16_t at = box_says(box, EFFECT_SEALS) && pile_is_table(pile) ? pile_first(game, pile)
                                                                     : (uint16_t)NO_CARD;
    for (; at != NO_CARD; at = game->cards[at].next) {
        if (game->cards[at].host == card &&
            static_row(box, box_def(box, at), EFFECT_SEALS) != NULL) {
            return at;
        }
    }
    return NO_CARD;
}

uint16_t card_carrier(const struct game *game, const struct box *box, uint16_t card)
{
    uint16_t host = game->cards[card].host;
    if (host != NO_CARD && kind_is_item(box_def(box, card)->kind) &&
        box_def(box, host)->kind == KIND_FOLLOWER) {
        return host;
    }
    return NO_CARD;
}

bool card_fits(const struct game *game, const struct box *box, unsigned seat, uint16_t card)
{
    const struct card_def *def = box_def(box, card);
    struct req_context ctx = req_context_for(game, box, seat);
    ctx.card = card;
    return requirements_hold(&ctx, def->first_need, def->need_count);
}

bool card_in_effect(const struct game *game, const struct box *box, uint16_t card)
{
    const uint16_t host = game->cards[card].host;
    if (host != NO_CARD && box_def(box, card)->kind == KIND_TREASURE) {
        card = host; // what was attached to an Item acts as long as the Item does
    }
    const struct card_state *state = &game->cards[card];
    const struct card_def *def = box_def(box, card);
    if ((state->flags & (CARD_TURNED | CARD_BLANK)) != 0) {
        return false;
    }
    if (def->kind == KIND_ITEM) {
        if ((state->flags & CARD_EQUIPPED) == 0 || card_sealed_by(game, box, card) != NO_CARD) {
            return false;
        }
        if (def->need_count == 0 || card_carrier(game, box, card) != NO_CARD ||
            card_cheated(game, box, card)) {
            return true;
        }
        return card_fits(game, box, state->seat, card);
    }
    if (def->kind == KIND_ONESHOT) {
        return false;
    }
    if (def->kind == KIND_POWER && def->need_count > 0) {
        return card_fits(game, box, state->seat, card);
    }
    return true;
}

void row_iter_begin(struct row_iter *it, const struct game *game, const struct box *box,
                    unsigned seat, unsigned op)
{
    *it = (struct row_iter){.game = game,
                            .box = box,
                            .seat = seat,
                            .op = op,
                            .card = box_says(box, op) ? pile_first(game, pile_table(seat))
                                                      : (uint16_t)NO_CARD};
}

const struct row *row_next(struct row_iter *it)
{
    const uint64_t bit = row_op_bit(it->op);
    while (it->card != NO_CARD) {
        const struct card_def *def = box_def(it->box, it->card);
        const struct row *rows = box_rows(it->box, def);
        const unsigned count = (def->static_ops & bit) != 0 ? def->row_count : 0;
        while (it->next_row < count) {
            const struct row *row = &rows[it->next_row++];
            if (row->when != WHEN_STATIC || row->op != it->op ||
                !card_in_effect(it->game, it->box, it->card)) {
                continue;
            }
            struct req_context ctx = req_context_for(it->game, it->box, it->seat);
            ctx.card = it->card;
            if (requirements_hold(&ctx, row->first_req, row->req_count)) {
                return row;
            }
        }
        it->card = it->game->cards[it->card].next;
        it->next_row = 0;
    }
    return NULL;
}

bool lasting_lacks_item(const struct game *game, const struct box *box,
                        const struct lasting *lasting)
{
    return lasting_of_item(lasting) &&
           (game->cards[lasting->source].pile != pile_table(lasting->seat) ||
            !card_in_effect(game, box, lasting->source));
}

bool lasting_waits(const struct game *game, const struct box *box, const struct lasting *lasting)
{
    return lasting->until == UNTIL_LATER_FIGHT || lasting_lacks_item(game, box, lasting) ||
           (lasting->until == UNTIL_NEXT_TURN && game->turn != lasting->seat);
}

bool seat_barred(const struct game *game, const struct box *box, unsigned seat, int bar)
{
    struct row_iter it;
    row_iter_begin(&it, game, box, seat, EFFECT_BARS);
    for (const struct row *row = row_next(&it); row != NULL; row = row_next(&it)) {
        if (row->a == bar) {
            return true;
        }
    }
    for (unsigned i = 0; i < game->lasting_top; i++) {
        const struct lasting *lasting = &game->lasting[i];
        if (lasting->op == EFFECT_BARS && lasting->seat == seat && lasting->arg == bar &&
            !lasting_waits(game, box, lasting)) {
            return true;
        }
    }
    return false;
}

unsigned seat_left(const struct game *game, unsigned seat)
{
    unsigned at = seat;
    do {
        at = (at + 1) % game->seat_count;
    } while (at != seat && game->seats[at].alive == 0);
    return at;
}

unsigned seat_right(const struct game *game, unsigned seat)
{
    unsigned at = seat;
    do {
        at = (at + game->seat_count - 1u) % game->seat_count;
    } while (at != seat && game->seats[at].alive == 0);
    return at;
}

bool seat_fights(const struct game *game, unsigned seat)
{
    return game->fight.on != 0 && (game->fight.main == seat || game->fight.helper == seat);
}

unsigned seats_alive(const struct game *game)
{
    unsigned mask = 0;
    for (unsigned seat = 0; seat < game->seat_count; seat++) {
        mask |= game->seats[seat].alive != 0 ? seat_bit(seat) : 0u;
    }
    return mask;
}

unsigned seat_highest_level(const struct game *game)
{
    unsigned level = 0;
    for (unsigned seat = 0; seat < game->seat_count; seat++) {
        if (game->seats[seat].alive != 0 && game->seats[seat].level > level) {
            level = game->seats[seat].level;
        }
    }
    return level;
}

unsigned seat_lowest_level(const struct game *game)
{
    unsigned level = 255;
    for (unsigned seat = 0; seat < game->seat_count; seat++) {
        if (game->seats[seat].alive != 0 && game->seats[seat].level < level) {
            level = game->seats[seat].level;
        }
    }
    return level;
}

unsigned seats_at_level(const struct game *game, unsigned level)
{
    unsigned mask = 0;
    for (unsigned seat = 0; seat < game->seat_count; seat++) {
        if (game->seats[seat].alive != 0 && game->seats[seat].level == level) {
            mask |= seat_bit(seat);
        }
    }
    return mask;
}
