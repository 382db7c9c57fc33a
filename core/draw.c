#include "core/draw.h"

#include "core/pile_list.h"
#include "core/program.h"

void draw_begin(struct engine *engine, unsigned seat, enum card_deck deck, int count,
                enum draw_to to)
{
    struct frame frame = {.kind = FRAME_DRAW,
                          .seat = (uint8_t)seat,
                          .other = NO_SEAT,
                          .card = NO_CARD,
                          .card2 = NO_CARD,
                          .a = (int16_t)deck,
                          .b = (int16_t)count,
                          .c = (int16_t)to};
    frame_push(engine, &frame);
}

static unsigned deck_pile(enum card_deck deck)
{
    return deck == DECK_DOOR ? PILE_DOOR_DECK : PILE_TREASURE_DECK;
}

static unsigned discard_pile(enum card_deck deck)
{
    return deck == DECK_DOOR ? PILE_DOOR_DISCARD : PILE_TREASURE_DISCARD;
}

bool draw_possible(const struct game *game, enum card_deck deck)
{
    return pile_count(game, deck_pile(deck)) > 0 || pile_count(game, discard_pile(deck)) > 0;
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
    if (frame->c == DRAW_DEALT) {
        return MOVE_DEALT;
    }
    if (frame->c == DRAW_LOOT) {
        return MOVE_LOOTED_ROOM;
    }
    return frame->a == DECK_TREASURE ? MOVE_TREASURE : MOVE_DRAWN;
}

enum step_result step_draw(struct engine *engine, struct frame frame)
{
    if (frame.card != NO_CARD) { // the card that acted when drawn is spent
        uint16_t card = frame.card;
        frame.card = NO_CARD;
        frame_set(engine, &frame);
        unsigned pile = engine->game->cards[card].pile;
        if (pile == pile_hand(frame.seat) || pile == PILE_AWARD) {
            emit_discard(engine, card, frame.seat, MOVE_SPENT);
        }
        return STEP_ON;
    }
    uint16_t card = frame.b > 0 ? draw_next(engine, (enum card_deck)frame.a) : NO_CARD;
    if (card == NO_CARD) {
        if (frame.b > 0) {
            nothing_left(engine, frame.seat, (enum card_deck)frame.a);
        }
        frame_return(engine, 1);
        return STEP_ON;
    }
    bool acts = acts_now(engine->game, engine->box, card);
    frame.b--;
    frame.card = acts ? card : NO_CARD;
    frame_set(engine, &frame);
    struct card_move move = {
        .card = card,
        .to = (uint8_t)(frame.c == DRAW_TO_AWARD ? PILE_AWARD : pile_hand(frame.seat)),
        .why = draw_why(&frame),
        .seat = frame.seat,
        .seat2 = NO_SEAT,
        .face_up = frame.c == DRAW_TO_HAND_FACE_UP || acts,
        .flags = CARD_FRESH};
    emit_move(engine, &move);
    if (acts) {
        struct program program = {.card = card,
                                  .when = WHEN_DRAWN,
                                  .seat = frame.seat,
                                  .target = NO_SEAT,
                                  .card2 = NO_CARD};
        program_push(engine, &program);
    }
    return STEP_ON;
}
