#include "core/codec/snapshot_check.h"

#include <stddef.h>
#include <string.h>

#include "core/change/choice.h"
#include "core/fight/fight.h"
#include "core/state/layout.h"
#include "core/state/pile_list.h"
#include "core/turn/turn.h"

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
static const char *misfit_of(const struct game *game, const struct box *box)
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
    what = what == NULL ? misfit_of(game, box) : what;
    return what == NULL || mb_fail(err, MB_ERR_INPUT, "the state does not hold together: %s", what);
}

// A play that may push as many frames as limits.h says finds room above any state that rests.
enum { DEPTH_MAX = MB_FRAMES_MAX - 12, FIGHT_PLACE = 1 };

static bool needs_met(const struct game *game, const struct frame *frame, unsigned needs)
{
    const bool repairs = frame->kind == FRAME_REPAIR;
    const uint16_t card = repairs ? frame->repair.card : frame->waiting.card;
    return ((needs & NEEDS_SEAT) == 0 || frame->seat < game->seat_count) &&
           ((needs & NEEDS_CARD) == 0 || card != NO_CARD) &&
           ((needs & NEEDS_MONSTER) == 0 || frame->flee.monster != 0);
}

/** The fight's frame, wherever flight and rewards have brought it; NULL if there is none. */
static const struct frame *fight_frame(const struct game *game)
{
    const struct frame *const frame = &game->frames[FIGHT_PLACE];
    return game->frame_count > FIGHT_PLACE && frame->kind == FRAME_FIGHT ? frame : NULL;
}

/** Whether a frame may lie at its place: turns at the bottom, a fight upon one, flight upon it. */
static bool place_fits(const struct game *game, unsigned at)
{
    const struct frame *const frame = &game->frames[at];
    const struct frame *const fight = fight_frame(game);
    switch ((enum frame_kind)frame->kind) {
    case FRAME_SETUP:
        return at == 0 && (game->phase == PHASE_SETUP || game->phase == PHASE_OVER);
    case FRAME_TURN:
        return at == 0;
    case FRAME_FIGHT:
        return at == FIGHT_PLACE && game->frames[0].kind == FRAME_TURN &&
               game->fight.main != NO_SEAT;
    case FRAME_FLEE:
        return at == FIGHT_PLACE + 1 && fight != NULL && fight->step == FIGHT_FLEEING &&
               (game->phase == PHASE_OVER || (game->fight.on != 0) == (frame->step < FLEE_AFTER));
    case FRAME_REWARD:
        return at == FIGHT_PLACE + 1 && fight != NULL && fight->step == FIGHT_OVER;
    case FRAME_ENTER:
        return fight != NULL;
    default:
        return at > 0;
    }
}

static bool program_holds(const struct box *box, const struct frame_program *program)
{
    const struct card_def *const def = box_def(box, program->card);
    return program->row >= def->first_row && program->row <= def->first_row + def->row_count;
}

static bool bodies_hold(const struct game *game, const struct frame *frame)
{
    const struct frame_bodies *const bodies = &frame->bodies;
    const bool asks = frame->step == BODY_LOOT && game->decision.open != 0;
    return asks ? bodies->at < bodies->count : bodies->at <= bodies->count;
}

static bool frame_holds(const struct game *game, const struct box *box, unsigned at)
{
    const struct frame *const frame = &game->frames[at];
    if ((frame->kind == FRAME_PROGRAM && !program_holds(box, &frame->program)) ||
        (frame->kind == FRAME_BODIES && !bodies_hold(game, frame))) {
        return false;
    }
    const struct step step = layout_step(box, frame);
    const bool covered = at + 1u < game->frame_count;
    return step.waits != STEP_UNKNOWN && !(covered && step.waits == STEP_ASKED) &&
           needs_met(game, frame, step.needs) && place_fits(game, at);
}

/** A fight has its frame, and that says how far the fight has come. */
static bool fight_fits(const struct game *game)
{
    const struct frame *const frame = fight_frame(game);
    const bool gave_up = (game->fight.flags & FIGHT_GAVE_UP) != 0;
    const bool idle = frame != NULL && frame->step == FIGHT_IDLE;
    if (game->phase == PHASE_OVER) {
        return true;
    }
    if (game->window.kind == PAUSE_WIN && !idle) {
        return false;
    }
    if (idle) {
        return game->fight.on != 0 && !gave_up;
    }
    const bool flees =
        game->frame_count > FIGHT_PLACE + 1 && game->frames[FIGHT_PLACE + 1].kind == FRAME_FLEE;
    return game->fight.on == 0 || (frame != NULL && gave_up == flees);
}

bool frames_hold(const struct game *game, const struct box *box)
{
    const unsigned bottom = game->frames[0].kind;
    if (game->frame_count > DEPTH_MAX || (bottom != FRAME_SETUP && bottom != FRAME_TURN)) {
        return false;
    }
    for (unsigned i = 0; i < game->frame_count; i++) {
        if (!frame_holds(game, box, i)) {
            return false;
        }
    }
    return fight_fits(game);
}

/** Treasures are picked as they lie: what is offered is there. */
static bool award_offered(const struct game *game)
{
    for (uint16_t card = 0; card < game->card_count; card++) {
        if (card_set_has(game->decision.cards, card) && game->cards[card].pile != PILE_AWARD) {
            return false;
        }
    }
    return pile_count(game, PILE_AWARD) > 0;
}

static bool question_fits(const struct game *game, const struct step *step)
{
    const struct decision *const decision = &game->decision;
    const bool answered = decision->min > 0 && decision->may_pass == 0;
    return (step->kinds >> decision->kind & 1u) != 0 &&
           (answered || (step->needs & MAY_BE_NONE) != 0) &&
           (decision->kind != DECIDE_PICK_TREASURE || award_offered(game));
}

bool game_rests(const struct game *game, const struct box *box)
{
    const struct step top = layout_step(box, &game->frames[game->frame_count - 1]);
    const bool asks = game->decision.open != 0;
    const bool moment = game->moment.kind == PAUSE_ANSWER;
    if (game->phase == PHASE_OVER) {
        return true;
    }
    switch ((enum step_waits)top.waits) {
    case STEP_COMMAND:
        return !asks && !moment;
    case STEP_MOMENT:
        return !asks && moment;
    case STEP_ASKS:
    case STEP_ASKED:
        return asks && !moment && question_fits(game, &top);
    case STEP_UNKNOWN:
    case STEP_RUNS:
        break;
    }
    return false;
}
