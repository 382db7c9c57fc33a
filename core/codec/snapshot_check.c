#include "core/codec/snapshot_check.h"

#include <string.h>

#include "core/change/choice.h"
#include "core/codec/snapshot_frames.h"
#include "core/state/layout.h"
#include "core/state/pile_list.h"

static bool script_holds(const struct game *game)
{
    return game->script_dice_used <= game->script_dice_count &&
           game->script_pick_used <= game->script_pick_count;
}

static bool pile_fits(const struct box *box, uint16_t card, unsigned pile)
{
    const unsigned deck = box_def(box, card)->deck;
    if (pile == PILE_DOOR_DECK || pile == PILE_DOOR_DISCARD) {
        return deck == DECK_DOOR;
    }
    if (pile == PILE_TREASURE_DECK || pile == PILE_TREASURE_DISCARD) {
        return deck == DECK_TREASURE;
    }
    return true;
}

static bool piles_hold(const struct game *game, const struct box *box)
{
    unsigned total = 0;
    for (unsigned pile = 0; pile < PILE_TOTAL; pile++) {
        const struct pile_state *const state = &game->piles[pile];
        uint16_t last = NO_CARD;
        unsigned count = 0;
        for (uint16_t at = state->first; at != NO_CARD; at = game->cards[at].next) {
            if (at >= game->card_count || game->cards[at].pile != pile || count >= state->count ||
                !pile_fits(box, at, pile)) {
                return false;
            }
            last = at;
            count++;
        }
        if (count != state->count || last != state->last) {
            return false;
        }
        total += count;
    }
    return total == game->card_count;
}

/** Whose a card is: what lies before somebody is that player's; what was played is somebody's. */
static bool owner_fits(const struct card_state *card)
{
    const unsigned pile = card->pile;
    if (pile_is_hand(pile)) {
        return card->seat == pile - PILE_HAND;
    }
    if (pile_is_table(pile)) {
        return card->seat == pile - PILE_TABLE;
    }
    const bool played = pile == PILE_FIGHT || pile == PILE_RESOLVING || pile == PILE_BODY;
    return !played || card->seat != NO_SEAT;
}

/** Who knows a card: in a deck anybody may, a hand its owner does; elsewhere it lies open, and all
 * numbers count with it, those that a viewer asks for too. */
static bool knowers_fit(const struct card_state *card)
{
    const unsigned pile = card->pile;
    if (pile == PILE_DOOR_DECK || pile == PILE_TREASURE_DECK) {
        return true;
    }
    return pile_is_hand(pile) ? (card->knowers & seat_bit(pile - PILE_HAND)) != 0
                              : card->knowers == UINT8_MAX;
}

static bool cards_hold(const struct game *game)
{
    for (unsigned i = 0; i < game->card_count; i++) {
        const struct card_state *const card = &game->cards[i];
        if (card->host == i || !owner_fits(card) || !knowers_fit(card)) {
            return false;
        }
    }
    return true;
}

static bool fight_holds(const struct game *game)
{
    const struct fight *const fight = &game->fight;
    unsigned gone = 0;
    for (unsigned i = 0; i < fight->monster_count; i++) {
        gone += (fight->monsters[i].flags & MONSTER_GONE) != 0;
    }
    // One is owed for each that left: so there is room for the others'.
    return fight->owed_count <= gone && (fight->on == 0 || fight->main != NO_SEAT);
}

static bool pause_holds(const struct pause *pause, unsigned kind)
{
    return pause->kind == PAUSE_NONE || pause->kind == kind;
}

/** What an option that is no card may be. */
static bool option_fits(const struct game *game, uint16_t option)
{
    switch ((enum decision_kind)game->decision.kind) {
    case DECIDE_CHOOSE_PLAYER:
        return option < game->seat_count;
    case DECIDE_YES_NO:
        return option <= 1;
    case DECIDE_NUMBER:
        return option >= 1 && option <= 6;
    default:
        return false;
    }
}

static bool answers_hold(const struct game *game, const struct box *box)
{
    const struct decision *const decision = &game->decision;
    for (unsigned i = 0; i < decision->answer_count; i++) {
        const unsigned seat = decision->answer_seats[i];
        if ((decision->answered >> seat & 1u) == 0 ||
            !choice_offers(game, box, seat, decision->answers[i])) {
            return false;
        }
    }
    for (unsigned seat = 0; seat < game->seat_count; seat++) {
        const bool due = ((unsigned)(decision->seats & ~decision->answered) >> seat & 1u) != 0;
        if (due && choice_count(game, box, seat) < decision->min) {
            return false;
        }
    }
    return true;
}

static bool decision_holds(const struct game *game, const struct box *box)
{
    const struct decision *const decision = &game->decision;
    if (decision->open == 0) {
        const struct decision none = {.open = 0};
        return memcmp(decision, &none, sizeof none) == 0;
    }
    const bool about_cards =
        decision->kind == DECIDE_CHOOSE_CARD || decision->kind == DECIDE_CHOOSE_CARDS ||
        decision->kind == DECIDE_LOOT_BODY || decision->kind == DECIDE_PICK_TREASURE;
    for (unsigned i = 0; i < decision->option_count; i++) {
        if (!option_fits(game, decision->options[i])) {
            return false;
        }
    }
    return about_cards == choice_of_cards(game) && decision->min <= decision->max &&
           (decision->answered & ~decision->seats) == 0 && decision->answered != decision->seats &&
           answers_hold(game, box);
}

static bool deals_hold(const struct game *game)
{
    for (unsigned i = 0; i < MB_DEALS_MAX; i++) {
        const struct deal *const deal = &game->deals[i];
        const struct deal none = {.kind = DEAL_NONE};
        if (deal->kind == DEAL_NONE && memcmp(deal, &none, sizeof none) == 0) {
            continue; // whoever looks at all of them finds nothing in it
        }
        const bool help = deal->kind == DEAL_ASK || deal->kind == DEAL_VOLUNTEER;
        const bool whole =
            deal->to < game->seat_count || (deal->kind == DEAL_ASK && deal->to == ALL_SEATS);
        if (!whole || deal->to == deal->from || (help && game->fight.on == 0) ||
            deal->kind == DEAL_NONE) {
            return false;
        }
    }
    return true;
}

static bool lasting_entry_holds(const struct box *box, const struct lasting *lasting)
{
    if (lasting->op == LASTING_FREE) {
        const struct lasting none = lasting_none();
        return memcmp(lasting, &none, sizeof none) == 0;
    }
    const bool counter = lasting->op == LASTING_USED;
    const bool card = lasting_of_item(lasting) || lasting->op == EFFECT_FOLLOW ||
                      lasting->op == EFFECT_FIGHT_NEXT || lasting->op == EFFECT_COPY_ABILITY;
    // What it is about: a monster, else cards by a filter.
    const bool about = lasting->op == EFFECT_MONSTER_BONUS ? lasting->about < box->card_count
                                                           : lasting->about <= box->filter_count;
    const bool arg = lasting->op != EFFECT_EXCLUDE || lasting->arg < EXCLUSION_TOTAL;
    return arg && (!card || lasting->source != NO_CARD) &&
           (counter || lasting->about == NO_CARD || about);
}

static bool lasting_holds(const struct game *game, const struct box *box)
{
    const unsigned top = game->lasting_top;
    for (unsigned i = 0; i < top; i++) {
        if (!lasting_entry_holds(box, &game->lasting[i])) {
            return false;
        }
    }
    return top == 0 || game->lasting[top - 1].op != LASTING_FREE;
}

/** What does not fit together of fields that are right one by one; NULL: all does. */
static const char *unfitting(const struct game *game, const struct box *box)
{
    if (!script_holds(game)) {
        return "the script";
    }
    if (!piles_hold(game, box)) {
        return "the piles";
    }
    if (!cards_hold(game)) {
        return "the cards";
    }
    if (!fight_holds(game)) {
        return "the fight";
    }
    if (!pause_holds(&game->window, PAUSE_WIN) || !pause_holds(&game->moment, PAUSE_ANSWER)) {
        return "a window";
    }
    if (!decision_holds(game, box)) {
        return "the decision";
    }
    if (!deals_hold(game)) {
        return "a deal";
    }
    if (!frames_hold(game, box)) {
        return "a frame";
    }
    if (!game_rests(game, box)) {
        return "what it waits for";
    }
    if (game->waiting_next > game->waiting_count) {
        return "what waits";
    }
    return lasting_holds(game, box) ? NULL : "a lasting effect";
}

bool snapshot_check(const struct game *game, const struct box *box, struct mb_error *err)
{
    const char *what =
        game->card_count == box->card_count ? records_wrong(game, box) : "the number of cards";
    what = what == NULL ? unfitting(game, box) : what;
    return what == NULL || mb_fail(err, MB_ERR_INPUT, "the state does not hold together: %s", what);
}
