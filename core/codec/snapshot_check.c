#include "core/codec/snapshot_check.h"

#include "core/event.h"
#include "core/frame.h"
#include "core/game_state.h"

static bool card_or_none(const struct game *game, unsigned card)
{
    return card < game->card_count || card == NO_CARD;
}

static bool seat_or_none(const struct game *game, unsigned seat)
{
    return seat < game->seat_count || seat == NO_SEAT;
}

static bool seats_only(const struct game *game, unsigned mask)
{
    return mask >> game->seat_count == 0;
}

static bool cards_or_none(const struct game *game, const uint16_t *cards, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        if (!card_or_none(game, cards[i])) {
            return false;
        }
    }
    return true;
}

static bool head_holds(const struct game *game)
{
    if (game->seat_count < MB_SEATS_MIN || game->seat_count > MB_SEATS_MAX) {
        return false;
    }
    for (unsigned i = 0; i < game->death_count && i < MB_SEATS_MAX; i++) {
        if (game->death_order[i] >= game->seat_count) {
            return false;
        }
    }
    return game->phase < PHASE_TOTAL && game->turn < game->seat_count &&
           seats_only(game, game->winners) && seats_only(game, game->bribed) &&
           seats_only(game, game->dying) && seats_only(game, game->looted) &&
           game->frame_count <= MB_FRAMES_MAX && game->death_count <= MB_SEATS_MAX &&
           game->script_dice_count <= sizeof game->script_dice &&
           game->script_dice_used <= game->script_dice_count &&
           game->script_pick_count <= sizeof game->script_picks / sizeof game->script_picks[0] &&
           game->script_pick_used <= game->script_pick_count;
}

static bool seats_hold(const struct game *game)
{
    for (unsigned i = 0; i < game->seat_count; i++) {
        const struct seat_state *const seat = &game->seats[i];
        if (seat->level < 1 || seat->female > 1 || seat->alive > 1 ||
            seat->order_kind > ORDER_CLEAR) {
            return false;
        }
    }
    for (unsigned i = 0; i < game->script_dice_count; i++) {
        if (game->script_dice[i] < 1 || game->script_dice[i] > 6) {
            return false;
        }
    }
    return cards_or_none(game, game->script_picks, game->script_pick_count);
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

static bool cards_hold(const struct game *game)
{
    for (unsigned i = 0; i < game->card_count; i++) {
        const struct card_state *const card = &game->cards[i];
        const unsigned pile = card->pile;
        if (!card_or_none(game, card->host) || card->host == i || !seat_or_none(game, card->seat)) {
            return false;
        }
        if (pile_is_hand(pile) &&
            (pile - PILE_HAND >= game->seat_count || card->seat != pile - PILE_HAND)) {
            return false;
        }
        if (pile_is_table(pile) &&
            (pile - PILE_TABLE >= game->seat_count || card->seat != pile - PILE_TABLE)) {
            return false;
        }
    }
    return true;
}

static bool fight_holds(const struct game *game)
{
    const struct fight *const fight = &game->fight;
    if (fight->on > 1 || !seat_or_none(game, fight->main) || !seat_or_none(game, fight->helper) ||
        (fight->on != 0 && fight->main == NO_SEAT) || fight->monster_count > MB_MONSTERS_MAX ||
        fight->owed_count > MB_OWED_MAX || !seats_only(game, fight->fled) ||
        fight->promise_count > sizeof fight->promised / sizeof fight->promised[0] ||
        !cards_or_none(game, fight->promised, fight->promise_count)) {
        return false;
    }
    for (unsigned i = 0; i < fight->monster_count; i++) {
        const struct monster *const monster = &fight->monsters[i];
        if (monster->card >= game->card_count || monster->face >= game->card_count ||
            !card_or_none(game, monster->group) || !seat_or_none(game, monster->seat)) {
            return false;
        }
    }
    for (unsigned i = 0; i < fight->owed_count; i++) {
        if (!seat_or_none(game, fight->owed[i].seat) || !card_or_none(game, fight->owed[i].card)) {
            return false;
        }
    }
    return true;
}

static bool pause_holds(const struct game *game, const struct pause *pause, unsigned kind)
{
    return (pause->kind == PAUSE_NONE || pause->kind == kind) && seats_only(game, pause->waited) &&
           seats_only(game, pause->passed);
}

static bool decision_holds(const struct game *game)
{
    const struct decision *const decision = &game->decision;
    if (decision->open > 2 || decision->kind >= DECIDE_TOTAL ||
        !seats_only(game, decision->seats) || decision->option_count > MB_OPTIONS_MAX ||
        decision->answer_count > MB_OPTIONS_MAX) {
        return false;
    }
    for (unsigned i = 0; i < decision->answer_count; i++) {
        if (decision->answer_seats[i] >= game->seat_count) {
            return false;
        }
    }
    for (unsigned card = game->card_count; card < MB_CARDS_MAX; card++) {
        if (card_set_has(decision->cards, (uint16_t)card)) {
            return false;
        }
    }
    return true;
}

static bool deals_hold(const struct game *game)
{
    for (unsigned i = 0; i < MB_DEALS_MAX; i++) {
        const struct deal *const deal = &game->deals[i];
        if (deal->kind == DEAL_NONE) {
            continue;
        }
        if (deal->kind > DEAL_BRIBE || deal->from >= game->seat_count ||
            (deal->to != ALL_SEATS && !seat_or_none(game, deal->to)) ||
            deal->gives_count > MB_DEAL_CARDS || deal->wants_count > MB_DEAL_CARDS ||
            deal->promises_count > MB_DEAL_CARDS ||
            !cards_or_none(game, deal->gives, deal->gives_count) ||
            !cards_or_none(game, deal->wants, deal->wants_count) ||
            !cards_or_none(game, deal->promises, deal->promises_count)) {
            return false;
        }
    }
    return true;
}

static bool frames_hold(const struct game *game, const struct box *box)
{
    for (unsigned i = 0; i < game->frame_count; i++) {
        const struct frame *const frame = &game->frames[i];
        if (frame->kind == FRAME_NONE || frame->kind >= FRAME_TOTAL ||
            !card_or_none(game, frame->card) || !card_or_none(game, frame->card2) ||
            !seat_or_none(game, frame->seat) ||
            (frame->row != 0xFFFF && frame->row > box->row_count)) {
            return false;
        }
    }
    return true;
}

static bool due_holds(const struct game *game)
{
    if (game->due_count > MB_DUE_MAX || game->due_next > game->due_count) {
        return false;
    }
    for (unsigned i = 0; i < MB_DUE_MAX; i++) {
        const struct due *const due = &game->due[i];
        const bool empty = due->card == 0 && due->what == 0 && due->seat == 0;
        const bool whole = due->card < game->card_count && due->what < TRIGGER_TOTAL &&
                           due->seat < game->seat_count;
        if (i < game->due_count ? !whole : !empty) {
            return false;
        }
    }
    return true;
}

static bool lasting_holds(const struct game *game)
{
    if (game->lasting_top > MB_LASTING_MAX ||
        (game->lasting_top > 0 && game->lasting[game->lasting_top - 1].op == LASTING_FREE)) {
        return false;
    }
    for (unsigned i = game->lasting_top; i < MB_LASTING_MAX; i++) {
        if (game->lasting[i].op != LASTING_FREE) {
            return false;
        }
    }
    for (unsigned i = 0; i < MB_LASTING_MAX; i++) {
        const struct lasting *const lasting = &game->lasting[i];
        const bool known = lasting->op < EFFECT_TOTAL || lasting->op == LASTING_USED;
        if (lasting->op != LASTING_FREE &&
            (!known || !seat_or_none(game, lasting->seat) || lasting->until >= DURATION_TOTAL ||
             !card_or_none(game, lasting->source))) {
            return false;
        }
    }
    return true;
}

bool snapshot_check(const struct game *game, const struct box *box, struct mb_error *err)
{
    const char *what = NULL;
    if (game->card_count != box->card_count) {
        what = "the number of cards";
    } else if (!head_holds(game)) {
        what = "the head";
    } else if (!piles_hold(game, box)) {
        what = "the piles";
    } else if (!cards_hold(game)) {
        what = "the cards";
    } else if (!seats_hold(game)) {
        what = "the seats";
    } else if (!fight_holds(game)) {
        what = "the fight";
    } else if (!pause_holds(game, &game->window, PAUSE_WIN) ||
               !pause_holds(game, &game->moment, PAUSE_ANSWER)) {
        what = "a window";
    } else if (!decision_holds(game)) {
        what = "the decision";
    } else if (!deals_hold(game)) {
        what = "a deal";
    } else if (!frames_hold(game, box)) {
        what = "a frame";
    } else if (!due_holds(game)) {
        what = "what is due";
    } else if (!lasting_holds(game)) {
        what = "a lasting effect";
    }
    return what == NULL || mb_fail(err, MB_ERR_INPUT, "the state does not hold together: %s", what);
}
