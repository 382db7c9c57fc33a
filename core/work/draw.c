#include "core/work/draw.h"

#include "core/state/pile_list.h"
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
static int16_t there(const struct game *game, enum card_deck deck, int count)
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
                                   .left = there(engine->game, deck, count),
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

enum step_result step_draw(struct engine *engine, struct frame frame)
{
    uint16_t card =
        frame.draw.left > 0 ? draw_next(engine, (enum card_deck)frame.draw.deck) : NO_CARD;
    if (card == NO_CARD) {
        if (frame.draw.left > 0) {
            nothing_left(engine, frame.seat, (enum card_deck)frame.draw.deck);
        }
        frame_return(engine, 1);
        return STEP_ON;
    }
    bool acts = acts_now(engine->game, engine->box, card);
    frame.draw.left--;
    frame_set(engine, &frame);
    struct card_move move = {
        .card = card,
        .to = (uint8_t)(frame.draw.to == DRAW_TO_AWARD ? PILE_AWARD : pile_hand(frame.seat)),
        .why = draw_why(&frame),
        .seat = frame.seat,
        .seat2 = NO_SEAT,
        .face_up = frame.draw.to == DRAW_TO_HAND_FACE_UP || acts,
        .flags = CARD_FRESH};
    emit_move(engine, &move);
    if (acts) {
        struct program program = {
            .card = card, .when = WHEN_DRAWN, .seat = frame.seat, .target = NO_SEAT};
        program_push(engine, &program);
    }
    return STEP_ON;
}
