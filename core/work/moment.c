#include "core/work/moment.h"

#include <stddef.h>

#include "core/numbers/requirement.h"
#include "core/numbers/trait.h"
#include "core/work/cost.h"

static bool row_could(const struct game *game, const struct box *box, const struct row *row,
                      unsigned seat, uint16_t card)
{
    struct req_context ctx = req_context_for(game, box, seat);
    const struct frame *roll = frame_find(game, FRAME_ROLL);
    if (roll != NULL && roll->roll.what == ROLL_FLIGHT) {
        ctx.monster = (int8_t)monster_find(game, roll->roll.card);
    }
    ctx.card = card;
    return game->seats[seat].alive != 0 && requirements_hold(&ctx, row->first_req, row->req_count);
}

/** A card whose place nobody is told: anyone might hold it. */
static bool hidden_could(const struct game *game, const struct box *box, const struct row *row,
                         uint16_t card)
{
    for (unsigned seat = 0; seat < game->seat_count; seat++) {
        if (row_could(game, box, row, seat, card)) {
            return true;
        }
    }
    return false;
}

static bool card_could(const struct game *game, const struct box *box, unsigned when, uint16_t card)
{
    const struct card_def *def = box_def(box, card);
    const struct row *rows = box_rows(box, def);
    unsigned pile = game->cards[card].pile;
    bool hidden = pile_is_hand(pile) || pile == PILE_DOOR_DECK || pile == PILE_TREASURE_DECK;
    for (unsigned i = 0; i < def->row_count; i++) {
        const struct row *row = &rows[i];
        if (row->when != when) {
            continue;
        }
        // Identity cards and Items act from the table; what is hidden cannot be used where it lies.
        bool from_table =
            kind_is_identity(def->kind) || def->kind == KIND_FOLLOWER || def->kind == KIND_ITEM;
        if (hidden && !from_table && hidden_could(game, box, row, card)) {
            return true;
        }
        if (pile_is_table(pile) && row_could(game, box, row, pile - PILE_TABLE, card) &&
            ability_public_payable(game, box, pile - PILE_TABLE, card, row)) {
            return true;
        }
    }
    return false;
}

bool moment_possible(const struct game *game, const struct box *box, unsigned when)
{
    if ((box->triggers_used >> when & 1u) == 0) {
        return false;
    }
    for (unsigned i = 0; i < box->answering_count; i++) {
        if (card_could(game, box, when, box->answering[i])) {
            return true;
        }
    }
    return false;
}

void moment_open(struct engine *engine, unsigned waited)
{
    bool open = engine->game->moment.kind == PAUSE_ANSWER;
    emit_pause(engine, PAUSE_ANSWER, open ? PAUSE_RESTARTS : PAUSE_OPENS,
               waited & seats_alive(engine->game), 0);
}

bool moment_over(struct engine *engine)
{
    const struct pause *moment = &engine->game->moment;
    if (moment->kind == PAUSE_NONE) {
        return true;
    }
    if (moment->waited == 0 || (moment->passed & moment->waited) != moment->waited) {
        return false;
    }
    emit_pause(engine, PAUSE_ANSWER, PAUSE_CLOSES, 0, 0);
    return true;
}

bool answer_row_fits(const struct game *game, const struct box *box, unsigned seat, uint16_t card,
                     const struct row *row)
{
    const struct frame *top = frame_top(game);
    if (game->moment.kind != PAUSE_ANSWER || top == NULL) {
        return false;
    }
    unsigned wanted = top->kind == FRAME_CURSE    ? WHEN_ANSWER_CURSE
                      : top->kind == FRAME_PLAYED ? WHEN_ANSWER_PLAY
                                                  : WHEN_ANSWER_ROLL;
    if (top->kind == FRAME_PLAYED && top->seat == seat) {
        return false; // one's own card is taken back by undo, not by an answer
    }
    struct req_context ctx = req_context_for(game, box, seat);
    if (top->kind == FRAME_ROLL && top->roll.what == ROLL_FLIGHT) {
        ctx.monster = (int8_t)monster_find(game, top->roll.card);
    }
    ctx.card = card;
    return row->when == wanted && requirements_hold(&ctx, row->first_req, row->req_count);
}
