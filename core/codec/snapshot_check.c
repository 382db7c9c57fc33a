#include "core/codec/snapshot_check.h"

#include <string.h>

#include "core/change/choice.h"
#include "core/codec/snapshot_frames.h"
#include "core/state/layout.h"
#include "core/state/pile_list.h"

static bool record_holds(const struct game *game, const struct box *box,
                         const struct layout *layout, const void *record)
{
    return layout_wrong(game, box, layout, record) == NULL;
}

static bool head_holds(const struct game *game, const struct box *box)
{
    return record_holds(game, box, &LAYOUT_GAME, game) &&
           record_holds(game, box, &LAYOUT_SCRIPT, game) &&
           game->script_dice_used <= game->script_dice_count &&
           game->script_pick_used <= game->script_pick_count;
}

static bool seats_hold(const struct game *game, const struct box *box)
{
    for (unsigned i = 0; i < game->seat_count; i++) {
        if (!record_holds(game, box, &LAYOUT_SEAT, &game->seats[i])) {
            return false;
        }
    }
    return true;
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
static bool owner_fits(const struct game *game, const struct card_state *card)
{
    const unsigned pile = card->pile;
    const bool someones = card->seat < game->seat_count;
    if (pile_is_hand(pile)) {
        return someones && card->seat == pile - PILE_HAND;
    }
    if (pile_is_table(pile)) {
        return someones && card->seat == pile - PILE_TABLE;
    }
    const bool played = pile == PILE_FIGHT || pile == PILE_RESOLVING || pile == PILE_BODY;
    return someones || (!played && card->seat == NO_SEAT);
}

static bool cards_hold(const struct game *game)
{
    for (unsigned i = 0; i < game->card_count; i++) {
        const struct card_state *const card = &game->cards[i];
        const bool hosted = card->host < game->card_count && card->host != i;
        if ((!hosted && card->host != NO_CARD) || !owner_fits(game, card)) {
            return false;
        }
    }
    return true;
}

static bool fight_holds(const struct game *game, const struct box *box)
{
    const struct fight *const fight = &game->fight;
    if (!record_holds(game, box, &LAYOUT_FIGHT, fight) ||
        (fight->on != 0 && fight->main == NO_SEAT)) {
        return false;
    }
    unsigned gone = 0;
    for (unsigned i = 0; i < fight->monster_count; i++) {
        gone += (fight->monsters[i].flags & MONSTER_GONE) != 0;
        if (!record_holds(game, box, &LAYOUT_MONSTER, &fight->monsters[i])) {
            return false;
        }
    }
    for (unsigned i = 0; i < fight->owed_count; i++) {
        if (!record_holds(game, box, &LAYOUT_OWED, &fight->owed[i])) {
            return false;
        }
    }
    return fight->owed_count <= gone; // one for each that left: so there is room for the others'
}

static bool pause_holds(const struct game *game, const struct box *box, const struct pause *pause,
                        unsigned kind)
{
    return (pause->kind == PAUSE_NONE || pause->kind == kind) &&
           record_holds(game, box, &LAYOUT_PAUSE, pause);
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
    if (!record_holds(game, box, &LAYOUT_DECISION, decision)) {
        return false;
    }
    if (decision->open == 0) {
        const struct decision none = {.open = 0};
        return memcmp(decision, &none, sizeof none) == 0;
    }
    for (unsigned card = game->card_count; card < MB_CARDS_MAX; card++) {
        if (card_set_has(decision->cards, (uint16_t)card)) {
            return false;
        }
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

static bool deals_hold(const struct game *game, const struct box *box)
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
        if (!record_holds(game, box, &LAYOUT_DEAL, deal) || !whole || deal->to == deal->from ||
            (help && game->fight.on == 0) || deal->kind == DEAL_NONE) {
            return false;
        }
    }
    return true;
}

static bool waiting_holds(const struct game *game, const struct box *box)
{
    for (unsigned i = 0; i < game->waiting_count; i++) {
        if (!record_holds(game, box, &LAYOUT_WAITING, &game->waiting[i])) {
            return false;
        }
    }
    return game->waiting_next <= game->waiting_count;
}

static bool lasting_entry_holds(const struct game *game, const struct box *box,
                                const struct lasting *lasting)
{
    if (lasting->op == LASTING_FREE) {
        const struct lasting none = lasting_none();
        return memcmp(lasting, &none, sizeof none) == 0;
    }
    const bool counter = lasting->op == LASTING_USED;
    const bool card = lasting->op == EFFECT_FOLLOW || lasting->op == EFFECT_FIGHT_NEXT ||
                      lasting->op == EFFECT_COPY_ABILITY;
    // What it is about: a monster, else cards by a filter.
    const bool about = lasting->op == EFFECT_MONSTER_BONUS ? lasting->about < box->card_count
                                                           : lasting->about <= box->filter_count;
    return (counter || lasting->op < EFFECT_TOTAL) &&
           record_holds(game, box, &LAYOUT_LASTING, lasting) &&
           (!card || lasting->source != NO_CARD) && (counter || lasting->about == NO_CARD || about);
}

static bool lasting_holds(const struct game *game, const struct box *box)
{
    const unsigned top = game->lasting_top;
    for (unsigned i = 0; i < top; i++) {
        if (!lasting_entry_holds(game, box, &game->lasting[i])) {
            return false;
        }
    }
    return top == 0 || game->lasting[top - 1].op != LASTING_FREE;
}

bool snapshot_check(const struct game *game, const struct box *box, struct mb_error *err)
{
    const char *what = NULL;
    if (game->card_count != box->card_count) {
        what = "the number of cards";
    } else if (!head_holds(game, box)) {
        what = "the head";
    } else if (!piles_hold(game, box)) {
        what = "the piles";
    } else if (!cards_hold(game)) {
        what = "the cards";
    } else if (!seats_hold(game, box)) {
        what = "the seats";
    } else if (!fight_holds(game, box)) {
        what = "the fight";
    } else if (!pause_holds(game, box, &game->window, PAUSE_WIN) ||
               !pause_holds(game, box, &game->moment, PAUSE_ANSWER)) {
        what = "a window";
    } else if (!decision_holds(game, box)) {
        what = "the decision";
    } else if (!deals_hold(game, box)) {
        what = "a deal";
    } else if (!frames_hold(game, box)) {
        what = "a frame";
    } else if (!game_rests(game, box)) {
        what = "what it waits for";
    } else if (!waiting_holds(game, box)) {
        what = "what waits";
    } else if (!lasting_holds(game, box)) {
        what = "a lasting effect";
    }
    return what == NULL || mb_fail(err, MB_ERR_INPUT, "the state does not hold together: %s", what);
}
