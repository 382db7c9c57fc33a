#include "core/work/program.h"

#include <stddef.h>

#include "core/numbers/requirement.h"
#include "core/numbers/trait.h"
#include "core/state/pile_list.h"

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

/** The next enhancer of a monster, after `card` (NO_CARD: the first), with rows for a trigger. */
static uint16_t next_enhancer(const struct game *game, const struct box *box, unsigned index,
                              uint16_t card, unsigned when)
{
    uint16_t group = game->fight.monsters[index].group;
    uint16_t at = card == NO_CARD ? pile_first(game, PILE_FIGHT) : game->cards[card].next;
    for (; at != NO_CARD; at = game->cards[at].next) {
        if (game->cards[at].host == group && box_def(box, at)->kind == KIND_ENHANCER &&
            program_has(box, box_def(box, at), when)) {
            return at;
        }
    }
    return NO_CARD;
}

static bool replaces_rows(const struct box *box, const struct card_def *def, unsigned when)
{
    const struct row *rows = box_rows(box, def);
    for (unsigned i = 0; i < def->row_count; i++) {
        if (rows[i].when == when && (rows[i].flags & ROW_INSTEAD) != 0) {
            return true;
        }
    }
    return false;
}

bool program_push_monster(struct engine *engine, const struct program *program)
{
    unsigned index = program->monster - 1u;
    uint16_t first = next_enhancer(engine->game, engine->box, index, NO_CARD, program->when);
    bool own = true;
    for (uint16_t at = first; at != NO_CARD;
         at = next_enhancer(engine->game, engine->box, index, at, program->when)) {
        own = own && !replaces_rows(engine->box, box_def(engine->box, at), program->when);
    }
    struct program text = *program;
    text.card = engine->game->fight.monsters[index].face;
    if (own && program_push(engine, &text)) {
        return true;
    }
    text.card = first;
    return first != NO_CARD && program_push(engine, &text);
}

bool program_goes_on(struct engine *engine, struct frame *frame)
{
    const struct game *game = engine->game;
    unsigned when = frame->program.trigger;
    bool by_monster = when == WHEN_BAD_STUFF || when == WHEN_ESCAPED || when == WHEN_KILLED ||
                      when == WHEN_LEAVES;
    if (!by_monster || frame->program.monster == 0) {
        return false;
    }
    unsigned index = frame->program.monster - 1u;
    const struct monster *monster = &game->fight.monsters[index];
    uint16_t card = frame->program.card;
    bool face = card == monster->face;
    if (!face && game->cards[card].host != monster->group) {
        return false; // the text of another, out of the discards
    }
    uint16_t next = next_enhancer(game, engine->box, index, face ? NO_CARD : card, when);
    if (next == NO_CARD) {
        return false;
    }
    frame->program.card = next;
    frame->program.row = box_def(engine->box, next)->first_row;
    frame->program.did &= DID_ANY;
    frame_set(engine, frame);
    return true;
}

struct req_context program_context(const struct engine *engine, const struct frame *frame)
{
    struct req_context ctx = req_context_for(engine->game, engine->box, frame->seat);
    ctx.target = frame->program.target;
    ctx.card = frame->program.card;
    ctx.monster = (int8_t)(frame->program.monster - 1);
    ctx.paid = frame->program.paid;
    ctx.ended =
        frame->program.trigger == WHEN_FIGHT_END || frame->program.trigger == WHEN_FIGHT_WON;
    if (frame->program.about != NO_CARD) {
        const struct card_def *def = box_def(engine->box, frame->program.about);
        ctx.paid_level = def->level;
        ctx.paid_treasures = def->treasures;
        ctx.paid_bonus = (int16_t)card_printed_bonus(engine->box, frame->program.about);
    }
    return ctx;
}

int16_t program_amount(struct engine *engine, const struct frame *frame, const struct row *row)
{
    struct req_context ctx = program_context(engine, frame);
    int value = amount_value(&ctx, &row->n);
    if (row->n.source == SRC_ONES) {
        uint16_t cards[MB_CARDS_MAX];
        unsigned dice =
            filter_collect(engine->game, engine->box, frame->seat, row->n.arg, cards, MB_CARDS_MAX);
        for (; dice > 0; dice--) {
            value += emit_roll(engine, frame->seat, ROLL_EFFECT) == 1 ? row->n.k : 0;
        }
    }
    if (row->n.source == SRC_DIE || row->n.source == SRC_HALF_DIE) {
        bool left = row->n.who == WHO_LEFT; // the neighbor's die, their roll
        unsigned roller = left ? seat_left(engine->game, frame->seat) : frame->seat;
        int face = (int)emit_roll(engine, roller, ROLL_EFFECT);
        value += row->n.k * (row->n.source == SRC_DIE ? face : (face + 1) / 2);
        if (row->n.cap > 0 && value > row->n.cap) {
            value = row->n.cap;
        }
    }
    return number_fit(value);
}

unsigned selector_seats(const struct req_context *ctx, const struct row *row)
{
    const struct asked_of asked = {.first_req = row->first_req, .req_count = row->req_count};
    return selector_of(ctx, row->who, &asked);
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
