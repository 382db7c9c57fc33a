// Whether a deal may be made, accepted, refused, withdrawn: the parties, the Items, room for them,
// the price of help.
#include <stddef.h>

#include "core/cards/equip.h"
#include "core/cards/play.h"
#include "core/deal/deal.h"
#include "core/numbers/strength.h"
#include "core/numbers/trait.h"
#include "core/work/deal_book.h"
#include "core/work/fight_view.h"
#include "core/work/program.h"

bool deal_may_carry(const struct game *game, const struct box *box, unsigned seat, uint16_t card)
{
    const struct card_def *def = box_def(box, card);
    if (def->kind == KIND_FOLLOWER) { // Rules: to a player with room for one (SIDE-2).
        return (int)trait_count(game, box, seat, KIND_FOLLOWER) <
               strength_follower_limit(game, box, seat);
    }
    return (def->flags & DEF_BIG) == 0 || !kind_is_item(def->kind) ||
           big_count(game, box, seat) + 1 <= strength_big_limit(game, box, seat);
}

bool deal_forces_help(const struct game *game, const struct box *box, unsigned asker,
                      unsigned asked)
{
    struct row_iter it;
    row_iter_begin(&it, game, box, asker, EFFECT_FREE_HELP);
    bool forces = false;
    for (const struct row *row = row_next(&it); row != NULL && !forces; row = row_next(&it)) {
        // With `cards` whoever has such a card, else whoever is of higher Level.
        uint16_t card = NO_CARD;
        bool higher = asked < MB_SEATS_MAX && row->filter == 0 &&
                      game->seats[asked].level > game->seats[asker].level;
        forces = higher || (asked < MB_SEATS_MAX && row->filter != 0 &&
                            filter_collect(game, box, asked, row->filter, &card, 1) > 0);
    }
    return forces;
}

static void check_trade_parties(const struct game *game, unsigned one, unsigned two,
                                struct refusal *why)
{
    if (game->phase == PHASE_SETUP) {
        refuse(why, REFUSAL_WRONG_PHASE, "SETUP-6");
    }
    if (two >= game->seat_count) {
        refuse(why, REFUSAL_BAD_ARGUMENTS, "TRADE-1");
        return;
    }
    // Rules: neither partner may be in a fight (TRADE-1, RUL-4).
    if (seat_fights(game, one) || seat_fights(game, two)) {
        refuse(why, REFUSAL_IN_COMBAT, "TRADE-1");
    }
    if (game->seats[two].alive == 0 || one == two) {
        refuse(why, REFUSAL_ILLEGAL_TARGET, "TRADE-1");
    }
}

static bool tradable(const struct card_def *def)
{
    return kind_is_item(def->kind) ||
           (def->kind == KIND_FOLLOWER && (def->flags & DEF_VALUE) != 0); // Rules: SIDE-2.
}

static void check_items_of(const struct game *game, const struct box *box, const uint16_t *cards,
                           unsigned count, unsigned seat, struct refusal *why)
{
    for (unsigned i = 0; i < count; i++) {
        if (game->cards[cards[i]].pile != pile_table(seat)) {
            refuse_card(why, REFUSAL_NOT_IN_PLAY, "TRADE-1", cards[i], 0);
        } else if (!tradable(box_def(box, cards[i])) ||
                   card_sealed_by(game, box, cards[i]) != NO_CARD) {
            refuse_card(why, REFUSAL_ILLEGAL_TARGET, "ITEM-7", cards[i], 0);
        }
    }
}

/** The Items that the commanding seat promises or gives away. */
static void check_own_items(const struct game *game, const struct box *box,
                            const struct command *command, struct refusal *why)
{
    for (unsigned i = 0; i < command->list_count; i++) {
        unsigned pile = game->cards[command->list[i]].pile;
        if (pile_is_of_another(pile, command->seat)) {
            refuse_not_ours(why, "TRADE-1", command->list[i], pile, command->seat);
        }
    }
    check_items_of(game, box, command->list, command->list_count, command->seat, why);
}

/** Cards of one side of a deal. */
struct deal_side {
    const uint16_t *cards;
    unsigned count;
};

static const struct deal_side NOTHING = {.cards = NULL, .count = 0};

static void check_room(const struct game *game, const struct box *box, unsigned seat,
                       struct deal_side gets, struct deal_side loses, struct refusal *why)
{
    int big = 0;
    int followers = 0;
    for (unsigned i = 0; i < gets.count; i++) {
        big += (box_def(box, gets.cards[i])->flags & DEF_BIG) != 0;
        followers += box_def(box, gets.cards[i])->kind == KIND_FOLLOWER;
    }
    bool gets_big = big > 0;
    bool gets_follower = followers > 0;
    for (unsigned i = 0; i < loses.count; i++) {
        big -= (box_def(box, loses.cards[i])->flags & DEF_BIG) != 0;
        followers -= box_def(box, loses.cards[i])->kind == KIND_FOLLOWER;
    }
    if (gets_big && big_count(game, box, seat) + big > strength_big_limit(game, box, seat)) {
        refuse_card(why, REFUSAL_BIG_ITEM, "TRADE-3", gets.cards[0], 0);
    }
    if (gets_follower && (int)trait_count(game, box, seat, KIND_FOLLOWER) + followers >
                             strength_follower_limit(game, box, seat)) {
        refuse_card(why, REFUSAL_SLOT_FULL, "SIDE-2", gets.cards[0], 0);
    }
}

void check_give(const struct game *game, const struct box *box, const struct command *command,
                struct refusal *why)
{
    if (command->list_count == 0 || command->list_count > MB_DEAL_CARDS) {
        refuse(why, REFUSAL_BAD_ARGUMENTS, "TRADE-3");
        return;
    }
    check_trade_parties(game, command->seat, command->to, why);
    check_own_items(game, box, command, why);
    if (command->to < game->seat_count) {
        struct deal_side gift = {.cards = command->list, .count = command->list_count};
        check_room(game, box, command->to, gift, NOTHING, why);
    }
    if (deal_slot_for(game, command->seat, DEAL_GIFT) == MB_DEALS_MAX) {
        refuse(why, REFUSAL_LIMIT_REACHED, "TRADE-3");
    }
}

static void check_bribe(const struct game *game, const struct command *command, struct refusal *why)
{
    if (game->fight.on == 0) {
        refuse(why, REFUSAL_NOT_IN_COMBAT, "TRADE-3");
    }
    if (command->to >= game->seat_count) {
        refuse(why, REFUSAL_BAD_ARGUMENTS, "TRADE-3");
        return;
    }
    if (seat_fights(game, command->seat) || seat_fights(game, command->to)) {
        refuse(why, REFUSAL_IN_COMBAT, "TRADE-1");
    }
    if (command->to == command->seat || game->seats[command->to].alive == 0) {
        refuse(why, REFUSAL_ILLEGAL_TARGET, "TRADE-3");
    }
    if (command->about != NO_SEAT && game->fight.on != 0 && command->about != game->fight.main) {
        refuse(why, REFUSAL_ILLEGAL_TARGET, "RUL-154");
    }
}

void check_offer(const struct game *game, const struct box *box, const struct command *command,
                 struct refusal *why)
{
    bool empty = command->list_count == 0 || (command->bribe == 0 && command->more_count == 0);
    if (empty || command->list_count > MB_DEAL_CARDS || command->more_count > MB_DEAL_CARDS) {
        refuse(why, REFUSAL_BAD_ARGUMENTS, "TRADE-1");
        return;
    }
    check_own_items(game, box, command, why);
    if (command->bribe != 0) {
        check_bribe(game, command, why);
    } else {
        check_trade_parties(game, command->seat, command->to, why);
    }
    if (command->to < game->seat_count) {
        check_items_of(game, box, command->more, command->more_count, command->to, why);
        struct deal_side gives = {.cards = command->list, .count = command->list_count};
        struct deal_side wants = {.cards = command->more, .count = command->more_count};
        check_room(game, box, command->to, gives, wants, why);
        if (command->bribe == 0) {
            check_room(game, box, command->seat, wants, gives, why);
        }
    }
    if (deal_slot_for(game, command->seat, DEAL_TRADE) == MB_DEALS_MAX) {
        refuse(why, REFUSAL_LIMIT_REACHED, "TRADE-1");
    }
}

/** Whether a promised card could be played on the one asked, or on one of all (RUL-152). */
static bool could_be_kept(const struct game *game, const struct box *box, uint16_t card,
                          const struct command *command)
{
    for (unsigned seat = 0; seat < game->seat_count; seat++) {
        bool asked = command->to == ALL_SEATS ? seat != command->seat : seat == command->to;
        if (asked && play_on_would_do(game, box, card, seat)) {
            return true;
        }
    }
    return command->to != ALL_SEATS && command->to >= game->seat_count;
}

bool deal_may_promise(const struct game *game, const struct box *box, const struct command *ask,
                      uint16_t card, struct refusal *why)
{
    unsigned kind = box_def(box, card)->kind;
    if (game->cards[card].pile != pile_hand(ask->seat)) {
        return refuse_card(why, REFUSAL_NOT_IN_HAND, "HELP-3", card, 0);
    }
    if (!box->profile.flag[FLAG_PROMISE_HAND] || kind_is_item(kind) || kind == KIND_MONSTER ||
        kind_is_identity(kind)) {
        return refuse_card(why, REFUSAL_NOT_USABLE, "HELP-3", card, 0);
    }
    return could_be_kept(game, box, card, ask) ||
           refuse_card(why, REFUSAL_NOT_USABLE, "RUL-152", card, 0);
}

/** What an ask promises: Items in play, hand cards where the house allows, Treasures in sight. */
static void check_price(const struct game *game, const struct box *box,
                        const struct command *command, struct refusal *why)
{
    if (command->n < 0 || command->n > fight_treasures(game, box)) {
        refuse_card(why, REFUSAL_LIMIT_REACHED, "HELP-3", NO_CARD, fight_treasures(game, box));
    }
    check_own_items(game, box, command, why);
    if (command->to < game->seat_count) { // Rules: only to who may carry it (TRADE-3).
        struct deal_side price = {.cards = command->list, .count = command->list_count};
        check_room(game, box, command->to, price, NOTHING, why);
    }
    for (unsigned i = 0; i < command->more_count; i++) {
        (void)deal_may_promise(game, box, command, command->more[i], why);
    }
}

bool deal_help_open(const struct game *game, const struct box *box)
{
    return game->fight.on != 0 && game->fight.helper == NO_SEAT &&
           (game->fight.flags & FIGHT_GAVE_UP) == 0 && !strength_players_win(game, box) &&
           !fight_help_barred(game, box);
}

void check_ask(const struct game *game, const struct box *box, const struct command *command,
               struct refusal *why)
{
    unsigned seat = command->seat;
    if (command->to == NO_SEAT || command->list_count > MB_DEAL_CARDS ||
        command->more_count > MB_DEAL_CARDS) {
        refuse(why, REFUSAL_BAD_ARGUMENTS, "HELP-1");
        return;
    }
    if (game->fight.on == 0 || game->fight.main != seat) {
        // Asking is for whose turn it is; only a fight taken over makes an exception (O12).
        refuse(why, game->turn != seat ? REFUSAL_NOT_YOUR_TURN : REFUSAL_NOT_IN_COMBAT, "HELP-1");
        return;
    }
    if ((game->fight.flags & FIGHT_GAVE_UP) != 0) {
        refuse(why, REFUSAL_WRONG_PHASE, "HELP-1");
    }
    if (strength_players_win(game, box) || fight_help_barred(game, box)) {
        refuse(why, REFUSAL_NOT_USABLE, "RUL-46");
    }
    if (game->fight.helper != NO_SEAT) {
        refuse(why, REFUSAL_HELPER_TAKEN, "HELP-1");
    }
    if (command->to != ALL_SEATS &&
        (command->to == seat || command->to >= game->seat_count ||
         game->seats[command->to].alive == 0 || fight_helper_barred(game, box, command->to))) {
        refuse(why, REFUSAL_ILLEGAL_TARGET, "HELP-9");
    }
    if (deal_forces_help(game, box, seat, command->to)) {
        bool price = command->n > 0 || command->list_count > 0 || command->more_count > 0;
        // Rules: not in a fight that would win the game (RUL-28).
        if (price || fight_would_win_game(game, box, seat)) {
            refuse(why, REFUSAL_NOT_USABLE, price ? "HELP-3" : "RUL-28");
        }
    }
    check_price(game, box, command, why);
    if (deal_slot_for(game, command->seat, DEAL_ASK) == MB_DEALS_MAX) {
        refuse(why, REFUSAL_LIMIT_REACHED, "HELP-1");
    }
}

void check_volunteer(const struct game *game, const struct box *box, const struct command *command,
                     struct refusal *why)
{
    if (game->fight.on == 0) {
        refuse(why, REFUSAL_NOT_IN_COMBAT, "HELP-1");
        return;
    }
    if ((game->bribed & seat_bit(command->seat)) != 0) {
        refuse(why, REFUSAL_DEAL_BINDS, "RUL-154");
    }
    if ((game->fight.flags & FIGHT_GAVE_UP) != 0) {
        refuse(why, REFUSAL_WRONG_PHASE, "HELP-1");
    }
    if (strength_players_win(game, box) || fight_help_barred(game, box) ||
        game->fight.main == command->seat || fight_helper_barred(game, box, command->seat)) {
        refuse(why, REFUSAL_NOT_USABLE, "HELP-1");
    }
    if (game->fight.helper != NO_SEAT) {
        refuse(why, REFUSAL_HELPER_TAKEN, "HELP-1");
    }
    if (command->n < 0 || command->n > fight_treasures(game, box)) {
        refuse_card(why, REFUSAL_LIMIT_REACHED, "HELP-3", NO_CARD, fight_treasures(game, box));
    }
    if (deal_slot_for(game, command->seat, DEAL_VOLUNTEER) == MB_DEALS_MAX) {
        refuse(why, REFUSAL_LIMIT_REACHED, "HELP-1");
    }
}

void check_accept(const struct game *game, const struct box *box, const struct command *command,
                  struct refusal *why)
{
    int index = deal_find(game, command, false, why);
    if (index < 0) {
        return;
    }
    const struct deal *deal = &game->deals[index];
    const struct deal_side gives = {.cards = deal->gives, .count = deal->gives_count};
    const struct deal_side wants = {.cards = deal->wants, .count = deal->wants_count};
    unsigned seat = command->seat;
    switch ((enum deal_kind)deal->kind) {
    case DEAL_ASK:
        if ((game->bribed & seat_bit(seat)) != 0) {
            refuse(why, REFUSAL_DEAL_BINDS, "RUL-154");
        }
        if (fight_helper_barred(game, box, seat) || fight_help_barred(game, box)) {
            refuse(why, REFUSAL_NOT_USABLE, "HELP-1");
        }
        break;
    case DEAL_VOLUNTEER:
        if (fight_help_barred(game, box)) {
            refuse(why, REFUSAL_NOT_USABLE, "HELP-1");
        }
        break;
    case DEAL_GIFT:
    case DEAL_TRADE:
        check_trade_parties(game, deal->from, deal->to, why);
        check_room(game, box, seat, gives, wants, why);
        check_room(game, box, deal->from, wants, gives, why);
        break;
    case DEAL_BRIBE:
        check_room(game, box, seat, gives, NOTHING, why);
        if (seat_fights(game, seat) || seat_fights(game, deal->from)) {
            refuse(why, REFUSAL_IN_COMBAT, "TRADE-1");
        }
        break;
    case DEAL_NONE:
        break;
    }
}

void check_refuse(const struct game *game, const struct box *box, const struct command *command,
                  struct refusal *why)
{
    (void)box;
    deal_find(game, command, false, why);
}

void check_withdraw(const struct game *game, const struct box *box, const struct command *command,
                    struct refusal *why)
{
    (void)box;
    deal_find(game, command, true, why);
}
