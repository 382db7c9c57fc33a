#include "core/work/draw.h"

#include <stddef.h>

#include "core/change/choice.h"
#include "core/numbers/trait.h"
#include "core/state/pile_list.h"
#include "core/work/cost.h"
#include "core/work/harm.h"
#include "core/work/program.h"

static unsigned deck_pile(enum card_deck deck)
{
    return deck == DECK_DOOR ? PILE_DOOR_DECK : PILE_TREASURE_DECK;
}

static unsigned discard_pile(enum card_deck deck)
{
    return deck == DECK_DOOR ? PILE_DOOR_DISCARD : PILE_TREASURE_DISCARD;
}

// Of more cards than there are, one too many says that none is left: cards that draw and come back
// from the discards would otherwise be drawn over and over, beyond what one command may tell.
static int16_t drawable_count(const struct game *game, enum card_deck deck, int count)
{
    const unsigned most =
        pile_count(game, deck_pile(deck)) + pile_count(game, discard_pile(deck)) + 1;
    return (int16_t)(count < (int)most ? count : (int)most);
}

void draw_begin(struct engine *engine, unsigned seat, enum card_deck deck, int count,
                enum draw_to to)
{
    struct frame frame = {.kind = FRAME_DRAW,
                          .seat = (uint8_t)seat,
                          .draw = {.card = NO_CARD,
                                   .left = drawable_count(engine->game, deck, count),
                                   .deck = (uint8_t)deck,
                                   .to = (uint8_t)to}};
    frame_push(engine, &frame);
}

uint16_t draw_next(struct engine *engine, enum card_deck deck)
{
    const struct game *game = engine->game;
    if (pile_count(game, deck_pile(deck)) == 0 && pile_count(game, discard_pile(deck)) > 0) {
        emit_shuffle(engine, discard_pile(deck), deck_pile(deck));
        struct event note = {.why = NOTE_DECK_RESHUFFLED,
                             .seat = NO_SEAT,
                             .seat2 = NO_SEAT,
                             .card = NO_CARD,
                             .card2 = NO_CARD,
                             .n = (int)deck};
        emit_note_full(engine, &note);
    }
    return pile_first(game, deck_pile(deck));
}

static void nothing_left(struct engine *engine, unsigned seat, enum card_deck deck)
{
    struct event note = {.why = NOTE_NOTHING_TO_DRAW,
                         .seat = (uint8_t)seat,
                         .seat2 = NO_SEAT,
                         .card = NO_CARD,
                         .card2 = NO_CARD,
                         .n = (int)deck};
    emit_note_full(engine, &note);
}

/** In the set-up only cards that draw act at once; events wait (RUL-134). */
static bool acts_now(const struct game *game, const struct box *box, uint16_t card)
{
    const struct card_def *def = box_def(box, card);
    const struct row *rows = box_rows(box, def);
    for (unsigned i = 0; i < def->row_count; i++) {
        if (rows[i].when == WHEN_DRAWN &&
            (game->phase != PHASE_SETUP || rows[i].op == EFFECT_DRAW_HERE)) {
            return true;
        }
    }
    return false;
}

static uint8_t draw_why(const struct frame *frame)
{
    if (frame->draw.to == DRAW_DEALT) {
        return MOVE_DEALT;
    }
    if (frame->draw.to == DRAW_LOOT) {
        return MOVE_LOOTED_ROOM;
    }
    return frame->draw.deck == DECK_TREASURE ? MOVE_TREASURE : MOVE_DRAWN;
}

/** The row by which a seat may take the top of a deck's discards instead of drawing face up (A06),
 * with its card; NULL if there is none, or it cannot be paid for. */
static const struct row *resurrection(const struct game *game, const struct box *box,
                                      const struct frame *frame, uint16_t *source)
{
    unsigned seat = frame->seat;
    bool face_up = frame->draw.to == DRAW_TO_HAND_FACE_UP || frame->draw.to == DRAW_TO_AWARD;
    bool some = pile_count(game, discard_pile((enum card_deck)frame->draw.deck)) > 0;
    uint16_t at = face_up && some ? pile_first(game, pile_table(seat)) : (uint16_t)NO_CARD;
    for (; at != NO_CARD; at = game->cards[at].next) {
        const struct card_def *def = box_def(box, at);
        const struct row *rows = box_rows(box, def);
        struct req_context ctx = req_context_for(game, box, seat);
        ctx.card = at;
        for (unsigned i = 0; i < def->row_count; i++) {
            const struct row *row = &rows[i];
            const struct cost *cost = row->cost != 0 ? &box->costs[row->cost - 1u] : NULL;
            if (row->op == EFFECT_RESURRECT && card_in_effect(game, box, at) &&
                requirements_hold(&ctx, row->first_req, row->req_count) &&
                ability_left(game, box, seat, at, row, NO_CARD) > 0 &&
                (cost == NULL || cost_payable(game, box, seat, at, cost))) {
                *source = at;
                return row;
            }
        }
    }
    return NULL;
}

/** Asks which cards shall pay, if any, or yes or no. */
static void ask_instead(struct engine *engine, struct frame *frame, const struct row *row,
                        uint16_t source)
{
    const struct cost *cost = row->cost != 0 ? &engine->box->costs[row->cost - 1u] : NULL;
    uint16_t top = pile_first(engine->game, discard_pile((enum card_deck)frame->draw.deck));
    frame->step = DRAW_ASKED;
    frame_set(engine, frame);
    if (cost == NULL || cost->whole_hand || cost->max == 0) {
        choice_yes_no(engine, frame->seat, top, source);
        return;
    }
    uint16_t cards[MB_CARDS_MAX];
    struct candidate_list can = {.ids = cards, .max = MB_CARDS_MAX};
    cost_candidates(engine->game, engine->box, frame->seat, source, cost, &can);
    unsigned kind = cost->max == 1 ? DECIDE_CHOOSE_CARD : DECIDE_CHOOSE_CARDS;
    struct question question = choice_question(kind, frame->seat, cost->min, top);
    question.source = source;
    question.max = cost->max < EVENT_LIST_MAX ? cost->max : (uint8_t)EVENT_LIST_MAX;
    question.may_pass = true;
    choice_cards(engine, &question, cards, can.count);
}

/** The card drawn goes where it belongs, and acts if it acts when it is drawn. */
static void receive_card(struct engine *engine, struct frame *frame, uint16_t card, unsigned why)
{
    bool acts = acts_now(engine->game, engine->box, card);
    frame->draw.left--;
    frame_set(engine, frame);
    struct card_move move = {
        .card = card,
        .to = (uint8_t)(frame->draw.to == DRAW_TO_AWARD ? PILE_AWARD : pile_hand(frame->seat)),
        .why = (uint8_t)why,
        .seat = frame->seat,
        .seat2 = NO_SEAT,
        .face_up = frame->draw.to == DRAW_TO_HAND_FACE_UP || acts,
        .flags = CARD_FRESH};
    emit_move(engine, &move);
    if (acts) {
        struct program program = {
            .card = card, .when = WHEN_DRAWN, .seat = frame->seat, .target = NO_SEAT};
        program_push(engine, &program);
    }
}

/** Takes the top of the discards if that was wanted, and pays; else asks no more in this draw. */
static void answer_resurrection(struct engine *engine, struct frame *frame)
{
    const struct game *game = engine->game;
    struct decision decision = game->decision;
    uint16_t source = NO_CARD;
    const struct row *row = resurrection(game, engine->box, frame, &source);
    bool paid = decision.kind != DECIDE_YES_NO;
    bool yes = paid ? decision.answer_count > 0 : choice_first(game) == 1;
    choice_close(engine);
    frame->step = yes && row != NULL ? DRAW_ON : DRAW_DECK;
    if (frame->step == DRAW_DECK) {
        frame_set(engine, frame);
        return;
    }
    unsigned count = paid ? decision.answer_count : 0;
    struct event note = {.why = NOTE_USES,
                         .seat = frame->seat,
                         .seat2 = NO_SEAT,
                         .card = source,
                         .card2 = NO_CARD,
                         .n = row->ability - 1,
                         .m = (int)count};
    emit_note_full(engine, &note);
    limit_use(engine, frame->seat, source, row, NO_CARD,
              cost_counts_cards(engine->box, row) ? (int)count : 1);
    receive_card(engine, frame, pile_first(game, discard_pile((enum card_deck)frame->draw.deck)),
                 MOVE_RETRIEVED);
    if (row->cost != 0) { // the cost goes as soon as the card is turned up
        cost_pay(engine, frame->seat, source, &engine->box->costs[row->cost - 1u], decision.answers,
                 count);
    }
}

enum step_result step_draw(struct engine *engine, struct frame frame)
{
    if (frame.step == DRAW_ASKED) {
        answer_resurrection(engine, &frame);
        return STEP_ON;
    }
    uint16_t source = NO_CARD;
    const struct row *row = frame.step == DRAW_ON && frame.draw.left > 0
                                ? resurrection(engine->game, engine->box, &frame, &source)
                                : NULL;
    if (row != NULL) {
        ask_instead(engine, &frame, row, source);
        return STEP_ON;
    }
    uint16_t card =
        frame.draw.left > 0 ? draw_next(engine, (enum card_deck)frame.draw.deck) : NO_CARD;
    if (card == NO_CARD) {
        if (frame.draw.left > 0) {
            nothing_left(engine, frame.seat, (enum card_deck)frame.draw.deck);
        }
        frame_return(engine, 1);
        return STEP_ON;
    }
    receive_card(engine, &frame, card, draw_why(&frame));
    return STEP_ON;
}
