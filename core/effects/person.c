// What a player is and what lasts on them.
#include "core/cards/equip.h"
#include "core/change/choice.h"
#include "core/curse/curse.h"
#include "core/effects/ops.h"
#include "core/numbers/trait.h"
#include "core/state/pile_list.h"
#include "core/work/harm.h"
#include "core/work/roll.h"
#include "core/work/trigger.h"

enum op_result op_sex_change(struct engine *engine, struct frame *frame, const struct row *row)
{
    for (unsigned seat = program_next_seat(engine->game, frame, row); seat != NO_SEAT;
         seat = program_next_seat(engine->game, frame, row)) {
        emit_seat(engine, seat, SEAT_FIELD_FEMALE, engine->game->seats[seat].female == 0);
        emit_seat_flag(engine, seat, SEAT_SEX_CHANGED, true);
        emit_note(engine, NOTE_SEX_CHANGED, seat, frame->program.card);
    }
    return OP_DONE;
}

/** The first identity card of a kind going down the discards that the seat does not hold already.
 */
static uint16_t first_in_discards(const struct engine *engine, unsigned kind)
{
    const struct game *game = engine->game;
    static const uint8_t PILES[2] = {PILE_DOOR_DISCARD, PILE_TREASURE_DISCARD};
    for (unsigned p = 0; p < 2; p++) {
        uint16_t at = pile_first(game, PILES[p]);
        for (; at != NO_CARD; at = game->cards[at].next) {
            if (box_def(engine->box, at)->kind == kind) {
                return at;
            }
        }
    }
    return NO_CARD;
}

/** One card held goes, for another or for nothing. */
static void trait_goes(struct engine *engine, unsigned seat, uint16_t old, uint16_t found)
{
    if (found == NO_CARD) {
        card_lose(engine, old, seat);
        return;
    }
    struct event note = {
        .why = NOTE_BECOMES, .seat = (uint8_t)seat, .seat2 = NO_SEAT, .card = old, .card2 = found};
    emit_note_full(engine, &note);
    trigger_happens(engine, seat, WHEN_CARD_LOST, old);
    emit_discard(engine, old, seat, MOVE_SPENT);
}

static void traits_change(struct engine *engine, unsigned seat, unsigned kind)
{
    const struct game *game = engine->game;
    uint16_t found = first_in_discards(engine, kind); // before the old ones join the discards
    if (found != NO_CARD) {
        struct card_move move = {.card = found,
                                 .to = (uint8_t)pile_table(seat),
                                 .why = MOVE_SILENT,
                                 .seat = (uint8_t)seat,
                                 .seat2 = NO_SEAT};
        emit_move(engine, &move);
    }
    uint16_t next = NO_CARD;
    for (uint16_t at = pile_first(game, pile_table(seat)); at != NO_CARD; at = next) {
        next = game->cards[at].next;
        if (at != found && box_def(engine->box, at)->kind == kind) {
            trait_goes(engine, seat, at, found);
        }
    }
}

/** RUL-103: none held, nothing happens; all held are replaced by the one found; none found: lost.
 */
enum op_result op_trait_change(struct engine *engine, struct frame *frame, const struct row *row)
{
    const struct game *game = engine->game;
    unsigned kind = (unsigned)row->a;
    bool did = false;
    for (unsigned seat = program_next_seat(game, frame, row); seat != NO_SEAT;
         seat = program_next_seat(game, frame, row)) {
        if (trait_count(game, engine->box, seat, kind) > 0) {
            traits_change(engine, seat, kind);
            did = true;
        }
    }
    return did ? OP_DONE : OP_NOTHING;
}

static uint16_t monster_meant(const struct engine *engine, const struct frame *frame,
                              const struct row *row)
{
    if (row->target == ON_MONSTER) {
        return frame->program.about;
    }
    return frame->program.monster > 0
               ? engine->game->fight.monsters[frame->program.monster - 1u].card
               : NO_CARD;
}

/** Who loses the Item before the row acts gets nothing. */
static bool item_is_gone(const struct engine *engine, const struct frame *frame,
                         const struct row *row)
{
    return row->target == ON_OWN_ITEM &&
           (frame->program.about == NO_CARD ||
            engine->game->cards[frame->program.about].pile != pile_table(frame->seat));
}

enum op_result op_lasting(struct engine *engine, struct frame *frame, const struct row *row)
{
    if (item_is_gone(engine, frame, row)) {
        return OP_NOTHING;
    }
    const int16_t n = program_amount(engine, frame, row);
    bool did = false;
    // Rules: to who is caught or escapes the "next fight" is not the one that is being lost.
    unsigned when = frame->program.trigger;
    bool later = row->until == UNTIL_NEXT_FIGHT &&
                 (when == WHEN_BAD_STUFF || when == WHEN_ESCAPED) && engine->game->fight.on != 0;
    for (unsigned seat = program_next_seat(engine->game, frame, row); seat != NO_SEAT;
         seat = program_next_seat(engine->game, frame, row)) {
        struct lasting lasting = {.op = (uint8_t)row->a,
                                  .seat = (uint8_t)seat,
                                  .until = (uint8_t)(later ? UNTIL_LATER_FIGHT : row->until),
                                  .arg = (uint8_t)row->b,
                                  .n = n,
                                  .source = frame->program.card,
                                  .about = row->filter,
                                  .by = frame->seat};
        if (row->a == EFFECT_MONSTER_BONUS) { // on this monster, the one named, or all of them
            lasting.about = monster_meant(engine, frame, row);
        } else if (row->target == ON_OWN_ITEM) {
            lasting.arg = LASTING_OF_ITEM;
            lasting.source = frame->program.about;
            lasting.about = NO_CARD;
        }
        did |= lasting_add(engine, &lasting);
    }
    return did ? OP_DONE : OP_NOTHING;
}

enum op_result op_skip_turn(struct engine *engine, struct frame *frame, const struct row *row)
{
    for (unsigned seat = program_next_seat(engine->game, frame, row); seat != NO_SEAT;
         seat = program_next_seat(engine->game, frame, row)) {
        emit_seat_flag(engine, seat, SEAT_SKIPS, true);
        emit_note(engine, NOTE_TURN_TO_SKIP, seat, NO_CARD);
    }
    return OP_DONE;
}

/** C17: the victim of a Curse chooses the Item in play that it lies with. */
static enum op_result curse_attach(struct engine *engine, struct frame *frame,
                                   const struct row *row)
{
    const struct game *game = engine->game;
    uint16_t items[MB_CARDS_MAX];
    unsigned count =
        filter_collect(game, engine->box, frame->seat, row->filter, items, MB_CARDS_MAX);
    unsigned left = 0;
    for (unsigned i = 0; i < count; i++) {
        bool lies = pile_is_table(game->cards[items[i]].pile);
        if (lies && box_def(engine->box, items[i])->kind == KIND_ITEM) {
            items[left++] = items[i];
        }
    }
    uint16_t item = left == 1 ? items[0] : (uint16_t)NO_CARD;
    if (frame->step == OP_ASKED) {
        item = choice_first(game);
        choice_close(engine);
    } else if (left > 1) {
        struct question question =
            choice_question(DECIDE_CHOOSE_CARD, frame->seat, 1, frame->program.card);
        frame->step = OP_ASKED;
        frame_set(engine, frame);
        choice_cards(engine, &question, items, left);
        return OP_AGAIN;
    }
    if (item == NO_CARD) {
        return OP_NOTHING;
    }
    struct card_move move = {.card = frame->program.card,
                             .to = (uint8_t)pile_table(frame->seat),
                             .why = MOVE_STRUCK,
                             .seat = frame->seat,
                             .seat2 = NO_SEAT,
                             .host = item,
                             .hosted = true};
    emit_move(engine, &move);
    return OP_DONE;
}

/** Whether an Item is equipped by what is attached to it: by Cheat! always (spec, `play`), from
 * the hand if it may be. */
static bool attached_equips(const struct engine *engine, unsigned seat, uint16_t by, uint16_t item)
{
    struct refusal why = {.code = REFUSAL_NONE};
    if (box_def(engine->box, by)->kind == KIND_DOOR) {
        return true;
    }
    if (pile_is_hand(engine->game->cards[item].pile)) {
        equip_obstacles(engine->game, engine->box, seat, item, &why);
        return why.code == REFUSAL_NONE;
    }
    return false;
}

enum op_result op_attach(struct engine *engine, struct frame *frame, const struct row *row)
{
    const struct game *game = engine->game;
    if (frame->program.trigger == WHEN_STRIKE) {
        return curse_attach(engine, frame, row);
    }
    uint16_t item = frame->program.about;
    unsigned seat = frame->seat;
    if (item == NO_CARD) {
        return OP_NOTHING;
    }
    const bool equips = attached_equips(engine, seat, frame->program.card, item);
    if (pile_is_hand(game->cards[item].pile)) {
        struct card_move up = {.card = item,
                               .to = (uint8_t)pile_table(seat),
                               .why = MOVE_PLAYED,
                               .seat = (uint8_t)seat,
                               .seat2 = NO_SEAT,
                               .flags = equips ? CARD_EQUIPPED : 0};
        emit_move(engine, &up);
    } else if (equips && kind_is_item(box_def(engine->box, item)->kind)) {
        emit_flags(engine, item, CARD_EQUIPPED, 0);
    }
    struct card_move move = {.card = frame->program.card,
                             .to = (uint8_t)pile_table(seat),
                             .why = MOVE_PLAYED,
                             .seat = (uint8_t)seat,
                             .seat2 = NO_SEAT,
                             .host = item,
                             .hosted = true};
    emit_move(engine, &move);
    return OP_DONE;
}

enum op_result op_mark_double(struct engine *engine, struct frame *frame, const struct row *row)
{
    (void)row;
    if (frame->program.about == NO_CARD) {
        return OP_NOTHING;
    }
    emit_flags(engine, frame->program.about, CARD_DOUBLED, 0);
    return OP_DONE;
}

/** A29: the abilities of another player's identity card are one's own until the fight ends. */
enum op_result op_copy_ability(struct engine *engine, struct frame *frame, const struct row *row)
{
    if (frame->program.about == NO_CARD) {
        return OP_NOTHING;
    }
    struct lasting lasting = {.op = EFFECT_COPY_ABILITY,
                              .seat = frame->seat,
                              .until = row->until != UNTIL_NOW ? row->until : UNTIL_FIGHT_END,
                              .source = frame->program.about,
                              .about = NO_CARD,
                              .by = frame->seat};
    return lasting_add(engine, &lasting) ? OP_DONE : OP_NOTHING;
}

/** Yes: this row counts as done, so that an `else` row is passed over and a `then` row follows. */
enum op_result op_choice(struct engine *engine, struct frame *frame, const struct row *row)
{
    (void)row;
    if (frame->step == OP_BEGINS) {
        frame->step = OP_ASKED;
        frame_set(engine, frame);
        choice_yes_no(engine, frame->seat, frame->program.card, frame->program.card);
        return OP_AGAIN;
    }
    bool yes = choice_first(engine->game) == 1;
    choice_close(engine);
    return yes ? OP_DONE : OP_NOTHING;
}

/** Whether the text of a card is being carried out: it is not suffered within itself. */
static bool acts_now(const struct game *game, uint16_t card)
{
    for (unsigned i = 0; i < game->frame_count; i++) {
        const struct frame *frame = &game->frames[i];
        if (frame->kind == FRAME_PROGRAM && frame->program.card == card) {
            return true;
        }
    }
    return false;
}

/** The card of a kind that lies `below` others of it in the Door discards. */
static uint16_t top_of_kind(const struct engine *engine, unsigned kind, unsigned below)
{
    const struct game *game = engine->game;
    uint16_t at = pile_first(game, PILE_DOOR_DISCARD);
    for (; at != NO_CARD; at = game->cards[at].next) {
        if (box_def(engine->box, at)->kind == kind && !acts_now(game, at) && below-- == 0) {
            return at;
        }
    }
    return NO_CARD;
}

/** The Bad Stuff of a Monster that lies in the discards. */
static void suffers_monster(struct engine *engine, const struct frame *frame, unsigned seat,
                            uint16_t card)
{
    emit_note(engine, NOTE_BAD_STUFF, seat, card);
    struct program program = {.card = card,
                              .when = WHEN_BAD_STUFF,
                              .seat = (uint8_t)seat,
                              .target = NO_SEAT,
                              .monster = frame->program.monster};
    program_push(engine, &program);
}

/** B38: the top Curses, announced and answered like any other, or the Bad Stuff of the top Monsters
 * of the discards; none: nothing. `left` of those that have acted on the seat served lie there
 * still. */
enum op_result op_suffer(struct engine *engine, struct frame *frame, const struct row *row)
{
    struct frame_program *const program = &frame->program;
    unsigned kind = row->a == 1 ? KIND_MONSTER : KIND_CURSE;
    if (frame->step == OP_BEGINS) {
        program->amount = 0;
        frame->step = OP_SERVES;
    } else {
        program->left = (uint8_t)(program->left + (kind == KIND_MONSTER || frame->result != 0));
    }
    uint16_t card = program->amount > 0 ? top_of_kind(engine, kind, program->left) : NO_CARD;
    if (card == NO_CARD) { // the next one's turn, from the top again
        unsigned seat = program_next_seat(engine->game, frame, row);
        program->amount = program_amount(engine, frame, row);
        program->left = 0;
        card = top_of_kind(engine, kind, 0);
        bool deep = engine->game->frame_count + MB_FRAMES_SPARE > MB_FRAMES_MAX;
        if (seat != NO_SEAT && card != NO_CARD && deep) { // no chain without end
            emit_note(engine, NOTE_NO_EFFECT, seat, program->card);
        }
        if (seat == NO_SEAT || card == NO_CARD || program->amount <= 0 || deep) {
            return (program->did & DID_THIS) != 0 ? OP_DONE : OP_NOTHING;
        }
        program->served = (uint8_t)seat;
    }
    program->amount--;
    program->did |= DID_THIS;
    frame_set(engine, frame);
    if (kind == KIND_MONSTER) {
        suffers_monster(engine, frame, program->served, card);
    } else {
        curse_begin(engine, card, program->served, NO_SEAT);
    }
    return OP_AGAIN;
}

enum op_result op_stay(struct engine *engine, struct frame *frame, const struct row *row)
{
    (void)row;
    struct card_move move = {.card = frame->program.card,
                             .to = (uint8_t)pile_table(frame->seat),
                             .why = MOVE_STRUCK,
                             .seat = frame->seat,
                             .seat2 = NO_SEAT};
    emit_move(engine, &move);
    return OP_DONE;
}

/** The next body that is looted: self picks first. */
enum op_result op_first_pick(struct engine *engine, struct frame *frame, const struct row *row)
{
    (void)row;
    struct lasting lasting = {.op = EFFECT_FIRST_PICK,
                              .seat = frame->seat,
                              .until = UNTIL_TURN_END,
                              .source = frame->program.card,
                              .about = NO_CARD,
                              .by = frame->seat};
    return lasting_add(engine, &lasting) ? OP_DONE : OP_NOTHING;
}

enum op_result op_nothing(struct engine *engine, struct frame *frame, const struct row *row)
{
    (void)row;
    emit_note(engine, NOTE_NO_EFFECT, frame->seat, frame->program.card);
    return OP_NOTHING;
}

/** A die for the rows after it: what it came to is `paid` from here on, answers included. */
enum op_result op_roll(struct engine *engine, struct frame *frame, const struct row *row)
{
    if (frame->step == OP_PUSHED) {
        return OP_DONE;
    }
    unsigned seat = program_next_seat(engine->game, frame, row);
    if (seat == NO_SEAT) {
        return OP_NOTHING;
    }
    frame->step = OP_PUSHED;
    frame_set(engine, frame);
    roll_begin(engine, seat, ROLL_EFFECT, frame->program.card, 0);
    return OP_AGAIN;
}
