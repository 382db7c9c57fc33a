#include "core/work/cost.h"

#include <stddef.h>

#include "core/change/frame.h"
#include "core/numbers/requirement.h"
#include "core/numbers/trait.h"
#include "core/state/pile_list.h"
#include "core/work/deal_book.h"
#include "core/work/harm.h"

bool cost_counts_cards(const struct box *box, const struct row *row)
{
    return row->cost != 0 && box->costs[row->cost - 1u].max > 1 &&
           !box->costs[row->cost - 1u].whole_hand;
}

int ability_left(const struct game *game, const struct box *box, unsigned seat, uint16_t card,
                 const struct row *row, uint16_t about)
{
    if (row->op == EFFECT_IDENTITY) { // Rules: one try for each Trap, whatever grants it (META-3).
        const struct frame *curse = frame_find(game, FRAME_CURSE);
        return curse != NULL && curse->curse.tried != 0 ? 0 : 1;
    }
    if (row->limit == SCOPE_NONE) {
        return MB_LIST_MAX;
    }
    return row->limit_n -
           limit_used(game, box, seat, card, row, row->limit == SCOPE_VICTIM ? about : NO_CARD);
}

static unsigned table_payers(const struct game *game, const struct box *box, unsigned seat,
                             uint16_t source)
{
    unsigned count = 0;
    uint16_t at = pile_first(game, pile_table(seat));
    for (; at != NO_CARD; at = game->cards[at].next) {
        count += at != source && box_def(box, at)->kind != KIND_CURSE;
    }
    return count;
}

bool ability_public_payable(const struct game *game, const struct box *box, unsigned seat,
                            uint16_t card, const struct row *row)
{
    if (ability_left(game, box, seat, card, row, NO_CARD) <= 0) {
        return false;
    }
    if (row->cost == 0) {
        return true;
    }
    const struct cost *cost = &box->costs[row->cost - 1u];
    unsigned hand = pile_count(game, pile_hand(seat));
    if (cost->whole_hand) {
        return hand >= cost->min && hand > 0;
    }
    return hand + table_payers(game, box, seat, card) >= cost->min;
}

bool cost_fits(const struct game *game, const struct box *box, unsigned seat, uint16_t source,
               const struct cost *cost, uint16_t card)
{
    unsigned pile = game->cards[card].pile;
    bool own = pile == pile_hand(seat) || pile == pile_table(seat);
    // Rules: Curses kept as reminders may not pay (CHAR-6, RUL-101).
    bool reminder = pile_is_table(pile) && box_def(box, card)->kind == KIND_CURSE;
    // A card that is being played cannot pay for itself; one in play may, its Class included.
    bool itself = card == source && !pile_is_table(pile);
    // A follower that fights for the monsters is nobody's to spend before the fight ends.
    bool turned = (game->cards[card].flags & CARD_TURNED) != 0;
    return own && !reminder && !itself && !turned && card_sealed_by(game, box, card) == NO_CARD &&
           card_known(game, card) && !deal_holds(game, seat, card) &&
           filter_fits_index(game, box, cost->filter, card);
}

void cost_candidates(const struct game *game, const struct box *box, unsigned seat, uint16_t source,
                     const struct cost *cost, struct candidate_list *list)
{
    unsigned piles[2] = {pile_hand(seat), pile_table(seat)};
    for (unsigned p = 0; p < 2; p++) {
        uint16_t at = pile_first(game, piles[p]);
        for (; at != NO_CARD && list->count < list->max; at = game->cards[at].next) {
            if (cost_fits(game, box, seat, source, cost, at)) {
                list->ids[list->count++] = at;
            }
        }
    }
}

/** A hand card that is promised for help, or NO_CARD. */
static uint16_t held_in_hand(const struct game *game, unsigned seat)
{
    uint16_t at = pile_first(game, pile_hand(seat));
    while (at != NO_CARD && !deal_holds(game, seat, at)) {
        at = game->cards[at].next;
    }
    return at;
}

bool cost_payable(const struct game *game, const struct box *box, unsigned seat, uint16_t source,
                  const struct cost *cost)
{
    unsigned hand = pile_count(game, pile_hand(seat));
    int floor = box->profile.constant[PROFILE_LEVEL_FLOOR];
    if (cost->levels > 0 && game->seats[seat].level - cost->levels < floor) {
        return false;
    }
    if (cost->whole_hand) {
        return hand > 0 && hand >= cost->min && held_in_hand(game, seat) == NO_CARD;
    }
    uint16_t cards[MB_LIST_MAX];
    struct candidate_list can = {.ids = cards, .max = MB_LIST_MAX};
    cost_candidates(game, box, seat, source, cost, &can);
    return can.count >= cost->min;
}

void cost_check(const struct game *game, const struct box *box, const struct command *command,
                uint16_t card, const struct row *row, struct refusal *why)
{
    unsigned n = command->list_count;
    if (row->cost == 0) {
        if (n > 0) {
            refuse(why, REFUSAL_BAD_ARGUMENTS, "CHAR-6");
        }
        return;
    }
    const struct cost *cost = &box->costs[row->cost - 1u];
    unsigned hand = pile_count(game, pile_hand(command->seat));
    int floor = box->profile.constant[PROFILE_LEVEL_FLOOR];
    if (cost->levels > 0 && game->seats[command->seat].level - cost->levels < floor) {
        refuse_card(why, REFUSAL_CANNOT_PAY, "CONF-2", card, cost->levels);
    }
    if (n > 0 && (cost->whole_hand || cost->max == 0)) {
        refuse(why, REFUSAL_BAD_ARGUMENTS, "CHAR-6"); // nothing is to be named
    }
    if (cost->whole_hand) {
        uint16_t held = held_in_hand(game, command->seat);
        if (held != NO_CARD) {
            refuse_card(why, REFUSAL_DEAL_BINDS, "HELP-3", held, 0);
        }
        if (hand < cost->min || hand == 0) {
            refuse_card(why, REFUSAL_CANNOT_PAY, "RUL-60", card, cost->min);
        }
        return;
    }
    if (cost->max == 0) {
        return;
    }
    uint16_t payers[MB_LIST_MAX];
    struct candidate_list can = {.ids = payers, .max = MB_LIST_MAX};
    cost_candidates(game, box, command->seat, card, cost, &can);
    if (can.count < cost->min) {
        refuse_card(why, REFUSAL_CANNOT_PAY, "CHAR-6", card, cost->min);
    } else if (n < cost->min) {
        refuse(why, REFUSAL_BAD_ARGUMENTS, "CHAR-6");
    }
    int left = ability_left(game, box, command->seat, card, row,
                            command->target_kind == TARGET_SEAT ? command->target : NO_CARD);
    if (n > cost->max || (cost_counts_cards(box, row) && (int)n > left)) {
        refuse_card(why, REFUSAL_LIMIT_REACHED, "HELP-5", card, left);
    }
    for (unsigned i = 0; i < n; i++) {
        uint16_t paid = command->list[i];
        unsigned pile = game->cards[paid].pile;
        if (pile != pile_hand(command->seat) && pile != pile_table(command->seat)) {
            refuse_card(why, REFUSAL_NOT_IN_HAND, "CHAR-6", paid, 0);
        } else if (!cost_fits(game, box, command->seat, card, cost, paid)) {
            refuse_card(why, REFUSAL_CANNOT_PAY, "CHAR-6", paid, 0);
        }
    }
}

unsigned cost_pay(struct engine *engine, unsigned seat, uint16_t source, const struct cost *cost,
                  const uint16_t *cards, unsigned count)
{
    const struct game *game = engine->game;
    unsigned paid = cost->whole_hand ? pile_count(game, pile_hand(seat)) : count;
    if (cost->whole_hand) {
        while (pile_count(game, pile_hand(seat)) > 0) {
            emit_discard(engine, pile_first(game, pile_hand(seat)), seat, MOVE_PAID);
        }
    }
    for (unsigned i = 0; !cost->whole_hand && i < count; i++) {
        emit_discard(engine, cards[i], seat, MOVE_PAID);
    }
    if (cost->levels > 0) {
        level_lose(engine, seat, cost->levels, LEVEL_PAID);
    }
    if (cost->self && source != NO_CARD) {
        emit_discard(engine, source, seat, MOVE_PAID);
    }
    return paid;
}
