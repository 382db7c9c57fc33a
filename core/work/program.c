#include "core/work/program.h"

#include <stddef.h>

#include "core/numbers/trait.h"
#include "core/state/pile_list.h"

enum { ONES_MAX = 64 }; // more dice than that for one row nobody wants to read

bool program_has(const struct box *box, const struct card_def *def, unsigned when)
{
    const struct row *rows = box_rows(box, def);
    for (unsigned i = 0; i < def->row_count; i++) {
        if (rows[i].when == when) {
            return true;
        }
    }
    return false;
}

bool program_has_op(const struct box *box, const struct card_def *def, unsigned op)
{
    const struct row *rows = box_rows(box, def);
    for (unsigned i = 0; i < def->row_count; i++) {
        if (rows[i].when == WHEN_STATIC && rows[i].op == op) {
            return true;
        }
    }
    return false;
}

bool program_push(struct engine *engine, const struct program *program)
{
    const struct card_def *def = box_def(engine->box, program->card);
    if (!program_has(engine->box, def, program->when)) {
        return false;
    }
    struct frame frame = {.kind = FRAME_PROGRAM,
                          .seat = program->seat,
                          .program = {.card = program->card,
                                      .about = NO_CARD,
                                      .with = NO_CARD,
                                      .row = def->first_row,
                                      .paid = program->paid,
                                      .trigger = program->when,
                                      .ability = program->ability,
                                      .target = program->target,
                                      .monster = program->monster}};
    frame_push(engine, &frame);
    return true;
}

struct req_context program_context(const struct engine *engine, const struct frame *frame)
{
    struct req_context ctx = req_context_for(engine->game, engine->box, frame->seat);
    ctx.target = frame->program.target;
    ctx.card = frame->program.card;
    ctx.monster = (int8_t)(frame->program.monster - 1);
    ctx.paid = frame->program.paid;
    if (frame->program.about != NO_CARD) {
        const struct card_def *def = box_def(engine->box, frame->program.about);
        ctx.paid_level = def->level;
        ctx.paid_treasures = def->treasures;
    }
    return ctx;
}

int program_amount(struct engine *engine, const struct frame *frame, const struct row *row)
{
    struct req_context ctx = program_context(engine, frame);
    int value = amount_value(&ctx, &row->n);
    if (row->n.source == SRC_ONES) {
        uint16_t cards[ONES_MAX];
        unsigned dice =
            filter_collect(engine->game, engine->box, frame->seat, row->n.arg, cards, ONES_MAX);
        for (; dice > 0; dice--) {
            value += emit_roll(engine, frame->seat, ROLL_EFFECT) == 1 ? row->n.k : 0;
        }
    }
    if (row->n.source == SRC_DIE || row->n.source == SRC_HALF_DIE) {
        int face = (int)emit_roll(engine, frame->seat, ROLL_EFFECT);
        value += row->n.k * (row->n.source == SRC_DIE ? face : (face + 1) / 2);
        if (row->n.cap > 0 && value > row->n.cap) {
            value = row->n.cap;
        }
    }
    return value;
}

static unsigned others_of(const struct game *game, unsigned seat)
{
    return seats_alive(game) & ~(unsigned)seat_bit(seat);
}

static unsigned fewest_cards(const struct game *game, unsigned self)
{
    unsigned others = others_of(game, self);
    unsigned fewest = MB_CARDS_MAX;
    unsigned mask = 0;
    for (unsigned seat = 0; seat < game->seat_count; seat++) {
        unsigned count = pile_count(game, pile_hand(seat));
        if ((others & seat_bit(seat)) == 0 || count > fewest) {
            continue;
        }
        mask = count < fewest ? seat_bit(seat) : mask | seat_bit(seat);
        fewest = count;
    }
    return mask;
}

static unsigned seats_with(const struct req_context *ctx, const struct row *row, unsigned seats)
{
    unsigned mask = 0;
    for (unsigned seat = 0; seat < ctx->game->seat_count; seat++) {
        struct req_context one = *ctx;
        one.self = (uint8_t)seat;
        if ((seats & seat_bit(seat)) != 0 &&
            requirements_hold(&one, row->first_req, row->req_count)) {
            mask |= seat_bit(seat);
        }
    }
    return mask;
}

static unsigned bit_or_none(unsigned seat)
{
    return seat < MB_SEATS_MAX ? seat_bit(seat) : 0u;
}

static unsigned played_by(const struct game *game, unsigned self)
{
    const struct frame *curse = frame_find(game, FRAME_CURSE);
    return curse != NULL && curse->curse.player != NO_SEAT ? curse->curse.player : self;
}

unsigned selector_seats(const struct req_context *ctx, const struct row *row)
{
    const struct game *game = ctx->game;
    const struct fight *fight = &game->fight;
    unsigned self = ctx->self;
    switch ((enum selector)row->who) {
    case WHO_SELF:
        return seat_bit(self);
    case WHO_TARGET:
        return bit_or_none(ctx->target);
    case WHO_MAIN:
        return bit_or_none(fight->main);
    case WHO_HELPER:
        return bit_or_none(fight->helper);
    case WHO_FIGHTERS:
        return bit_or_none(fight->main) | bit_or_none(fight->helper);
    case WHO_OTHERS:
    case WHO_OTHERS_RIGHT:
    case WHO_CHOSEN:
        return others_of(game, self);
    case WHO_EVERYONE:
        return seats_alive(game);
    case WHO_LEFT:
        return seat_bit(seat_left(game, self)) & ~(unsigned)seat_bit(self);
    case WHO_RIGHT:
        return seat_bit(seat_right(game, self)) & ~(unsigned)seat_bit(self);
    case WHO_NEIGHBOURS:
        return (unsigned)(seat_bit(seat_left(game, self)) | seat_bit(seat_right(game, self))) &
               ~(unsigned)seat_bit(self);
    case WHO_HIGHEST:
        return seats_at_level(game, seat_highest_level(game));
    case WHO_LOWEST:
        return seats_at_level(game, seat_lowest_level(game));
    case WHO_HIGHEST_OTHERS:
        return seats_at_level(game, seat_highest_level(game)) & ~(unsigned)seat_bit(self);
    case WHO_FEWEST_CARDS:
        return fewest_cards(game, self);
    case WHO_TURN:
        return seat_bit(game->turn);
    case WHO_PLAYER:
        return bit_or_none(played_by(game, self));
    case WHO_OTHERS_WITH:
        return seats_with(ctx, row, others_of(game, self));
    case WHO_EVERYONE_WITH:
        return seats_with(ctx, row, seats_alive(game));
    case SELECTOR_TOTAL:
        break;
    }
    return 0;
}

unsigned program_next_seat(const struct game *game, struct frame *frame, const struct row *row)
{
    unsigned count = game->seat_count;
    bool self_first = row->who == WHO_EVERYONE || row->who == WHO_EVERYONE_WITH;
    for (unsigned i = 0; i < count; i++) {
        unsigned offset = self_first ? i : i + 1; // the seat on the left first, self last
        if (row->who == WHO_OTHERS_RIGHT) {
            offset = count - 1 - i;
        }
        unsigned seat = (frame->seat + offset) % count;
        if ((frame->program.seats & seat_bit(seat)) != 0) {
            frame->program.seats &= (uint8_t)~seat_bit(seat);
            return seat;
        }
    }
    return NO_SEAT;
}

void program_put_away(struct engine *engine, uint16_t card)
{
    const struct game *game = engine->game;
    const struct card_def *def = box_def(engine->box, card);
    const struct frame *curse = frame_find(game, FRAME_CURSE);
    if (game->cards[card].pile != PILE_RESOLVING || (curse != NULL && curse->curse.card == card)) {
        return;
    }
    if (game->fight.on == 0 || (def->kind != KIND_ONESHOT && def->kind != KIND_DOOR)) {
        emit_discard(engine, card, game->cards[card].seat, MOVE_SPENT);
        return;
    }
    struct card_move move = {.card = card,
                             .to = PILE_FIGHT,
                             .why = MOVE_SILENT,
                             .seat = game->cards[card].seat,
                             .seat2 = NO_SEAT,
                             .flags = game->cards[card].flags};
    emit_move(engine, &move);
}

void program_close(struct engine *engine, const struct frame *frame)
{
    program_put_away(engine, frame->program.card);
    frame_pop(engine);
}
