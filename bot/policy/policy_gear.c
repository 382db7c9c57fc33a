/*
 * What to wear and what to sell. The best set of Items is worked out whole, then put on step by
 * step: it does not depend on what is worn now, so nobody changes clothes for ever.
 */
#include <string.h>

#include "core/game.h"
#include "core/numbers/strength.h"
#include "core/numbers/trait.h"

#include "bot/policy/policy_impl.h"

enum { WARDROBE_MAX = 24, GOLD_STEP = 100, GOLD_STEPS = 60, SALE_MIN = 5 };

struct piece {
    uint16_t card;
    uint8_t slot;
    bool worn, wanted;
    int worth;
};

struct wardrobe {
    unsigned count;
    struct piece pieces[WARDROBE_MAX];
};

// Items that take a place of their own and could be worn; the dearest first.
static void open_wardrobe(const struct mind *mind, struct wardrobe *out)
{
    const struct game *const view = mind->view;
    out->count = 0;
    uint16_t at = query_first(view, pile_table(mind->seat));
    for (; at != NO_CARD && out->count < WARDROBE_MAX; at = query_next(view, at)) {
        const struct card_def *const def = box_def(mind->box, at);
        const bool own_place =
            card_cheated(view, mind->box, at) || card_carrier(view, mind->box, at) != NO_CARD;
        if (def->kind != KIND_ITEM || own_place || !card_fits(view, mind->box, mind->seat, at)) {
            continue;
        }
        const struct piece piece = {.card = at,
                                    .slot = def->slot,
                                    .worn = (query_flags(view, at) & CARD_EQUIPPED) != 0,
                                    .worth = worth_worn(mind, view, at)};
        unsigned place = out->count++;
        while (place > 0 && out->pieces[place - 1].worth < piece.worth) {
            out->pieces[place] = out->pieces[place - 1];
            place--;
        }
        out->pieces[place] = piece;
    }
}

static int take_best(struct wardrobe *wardrobe, unsigned slot, int count, bool mark)
{
    int worth = 0;
    for (unsigned i = 0; i < wardrobe->count && count > 0; i++) {
        struct piece *const piece = &wardrobe->pieces[i];
        if (piece->slot == slot && piece->worth >= 0) {
            worth += piece->worth;
            piece->wanted = piece->wanted || mark;
            count--;
        }
    }
    return worth;
}

static void choose_set(const struct mind *mind, struct wardrobe *wardrobe)
{
    const int hands = strength_hands(mind->view, mind->box, mind->seat);
    int best_twos = 0;
    int best = -1;
    for (int twos = 0; 2 * twos <= hands; twos++) {
        const int worth = take_best(wardrobe, SLOT_TWO_HANDS, twos, false) +
                          take_best(wardrobe, SLOT_HAND, hands - 2 * twos, false);
        if (worth > best) {
            best = worth;
            best_twos = twos;
        }
    }
    (void)take_best(wardrobe, SLOT_TWO_HANDS, best_twos, true);
    (void)take_best(wardrobe, SLOT_HAND, hands - 2 * best_twos, true);
    (void)take_best(wardrobe, SLOT_HEADGEAR, 1, true);
    (void)take_best(wardrobe, SLOT_ARMOR, 1, true);
    (void)take_best(wardrobe, SLOT_FOOTGEAR, 1, true);
    (void)take_best(wardrobe, SLOT_NONE, WARDROBE_MAX, true);
}

static bool try_gear(const struct mind *mind, unsigned verb, uint16_t card, struct game *game)
{
    struct command command = command_plain(mind->seat, verb);
    command.card = card;
    struct refusal why = {.code = REFUSAL_NONE};
    return game_step(game, mind->box, &command, NULL, &why);
}

// Changes on a copy as far as that goes; `first` is the first command that was accepted.
static void change_gear(const struct mind *mind, const struct wardrobe *wardrobe, struct game *game,
                        struct command *first)
{
    for (unsigned pass = 0; pass < 2; pass++) {
        const unsigned verb = pass == 0 ? VERB_UNEQUIP : VERB_EQUIP;
        for (unsigned i = 0; i < wardrobe->count; i++) {
            const struct piece *const piece = &wardrobe->pieces[i];
            const bool due =
                pass == 0 ? piece->worn && !piece->wanted : !piece->worn && piece->wanted;
            if (due && try_gear(mind, verb, piece->card, game) && first->verb == VERB_NONE) {
                first->verb = (uint8_t)verb;
                first->card = piece->card;
            }
        }
    }
}

bool gear_wear(const struct mind *mind, struct command *out)
{
    struct wardrobe wardrobe;
    open_wardrobe(mind, &wardrobe);
    choose_set(mind, &wardrobe);
    bool idle = false;
    for (unsigned i = 0; i < wardrobe.count; i++) {
        idle = idle || (wardrobe.pieces[i].wanted && !wardrobe.pieces[i].worn);
    }
    if (!idle) {
        return false;
    }
    struct game *const after = mind->in->scratch;
    game_copy(after, mind->view);
    *out = command_plain(mind->seat, VERB_NONE);
    change_gear(mind, &wardrobe, after, out);
    // What takes the place of nothing is put on, however little it does: it can still be sold.
    // Nobody overlooks that.
    return out->verb == VERB_EQUIP ||
           (out->verb != VERB_NONE && !mind_overlooks(mind) &&
            worth_seat(mind, after, mind->seat) > mind->worth[mind->seat]);
}

struct sale {
    int least[GOLD_STEPS + 1];      // the least loss for so much gold (or more, at the end)
    uint32_t cards[GOLD_STEPS + 1]; // which candidates: bits
};

static int gold_steps(const struct mind *mind, uint16_t card)
{
    return query_sale_value(mind->view, mind->box, card) / GOLD_STEP;
}

static void sale_add(struct sale *sale, unsigned index, int steps, int loss)
{
    for (int at = GOLD_STEPS; at >= 0; at--) {
        const int to = at + steps < GOLD_STEPS ? at + steps : GOLD_STEPS;
        if (sale->least[at] >= 0 &&
            (sale->least[to] < 0 || sale->least[at] + loss < sale->least[to])) {
            sale->least[to] = sale->least[at] + loss;
            sale->cards[to] = sale->cards[at] | 1u << index;
        }
    }
}

static void sale_command(const struct move *move, uint32_t cards, struct command *out)
{
    *out = move->command;
    out->list_count = 0;
    for (unsigned i = 0; i < move->candidate_count && out->list_count < MB_LIST_MAX; i++) {
        if ((cards >> i & 1u) != 0) {
            out->list[out->list_count++] = move->candidates[i];
        }
    }
}

struct idea gear_sell(const struct mind *mind)
{
    struct idea best = {.gain = WORTH_NEVER};
    const struct move *const move = mind_find(mind, VERB_SELL);
    if (move == NULL || move->open != MOVE_LIST_OPEN || mind_overlooks(mind)) {
        return best;
    }
    struct sale sale;
    memset(&sale, 0, sizeof sale);
    for (unsigned i = 1; i <= GOLD_STEPS; i++) {
        sale.least[i] = -1;
    }
    for (unsigned i = 0; i < move->candidate_count && i < 32; i++) {
        const int steps = gold_steps(mind, move->candidates[i]);
        if (steps > 0) {
            sale_add(&sale, i, steps, mind_price(mind, move->candidates[i]));
        }
    }
    const int unit = move->value_min / GOLD_STEP;
    for (int gold = unit; unit > 0 && gold <= GOLD_STEPS; gold++) {
        if (sale.least[gold] < 0 || gold % unit >= unit / 2) {
            continue; // half a Level's worth given away is no sale
        }
        struct command command;
        sale_command(move, sale.cards[gold], &command);
        const int gain = mind_gain(mind, &command);
        mind_keep(&best, &command, gain >= SALE_MIN ? gain : WORTH_NEVER);
    }
    return best;
}
