// Monsters of a fight.
#include <stddef.h>

#include "core/cards/play.h"
#include "core/change/choice.h"
#include "core/effects/ops.h"
#include "core/fight/fight.h"
#include "core/numbers/trait.h"
#include "core/state/pile_list.h"
#include "core/turn/turn.h"
#include "core/work/draw.h"
#include "core/work/fight_view.h"
#include "core/work/harm.h"

/** a: enum removal; b: 1 all monsters. The target is the monster concerned, or card2. */
enum op_result op_remove_monster(struct engine *engine, struct frame *frame, const struct row *row)
{
    const struct game *game = engine->game;
    bool did = false;
    if (game->fight.on == 0) {
        return OP_NOTHING;
    }
    bool all = row->b == 1;
    bool named = row->target == ON_MONSTER && frame->program.about != NO_CARD;
    int target = named ? monster_find(game, frame->program.about)
                 : all ? -1
                       : frame->program.monster - 1;
    if (!all && target < 0 && fight_monsters_left(game) == 1) {
        for (unsigned i = 0; i < game->fight.monster_count; i++) {
            bool there = (game->fight.monsters[i].flags & (MONSTER_GONE | MONSTER_PASSED)) == 0;
            target = there ? (int)i : target;
        }
    }
    for (unsigned i = 0; i < game->fight.monster_count; i++) {
        bool there = (game->fight.monsters[i].flags & (MONSTER_GONE | MONSTER_PASSED)) == 0;
        bool fits = row->filter == 0 ||
                    filter_fits_index(game, engine->box, row->filter, game->fight.monsters[i].card);
        if (there && fits && (all || (int)i == target)) {
            fight_remove(engine, i, (unsigned)row->a, -1);
            did = true;
        }
    }
    if (did && row->a == REMOVE_AND_LOOT) { // "then the room may be looted" (O11)
        emit_fight_field(engine, FIGHT_FLAGS, game->fight.flags | FIGHT_LOOT_AFTER);
    }
    return did ? OP_DONE : OP_NOTHING;
}

enum op_result op_add_monster(struct engine *engine, struct frame *frame, const struct row *row)
{
    (void)row;
    uint16_t card = frame->program.about;
    if (card == NO_CARD || !fight_has_room(engine->game)) {
        return OP_NOTHING;
    }
    fight_add_monster(engine, frame->seat, card, card, card, MONSTER_WANDERED);
    emit_note(engine, NOTE_MONSTER_JOINS, frame->seat, card);
    return OP_DONE;
}

/** The card itself becomes a copy: same face, same group (ENH-3). */
enum op_result op_mate(struct engine *engine, struct frame *frame, const struct row *row)
{
    (void)row;
    int index =
        frame->program.about != NO_CARD ? monster_find(engine->game, frame->program.about) : -1;
    if (index < 0 || !fight_has_room(engine->game)) {
        return OP_NOTHING;
    }
    struct monster original = engine->game->fight.monsters[index];
    fight_add_monster(engine, frame->seat, frame->program.card, original.face, original.group,
                      MONSTER_WANDERED);
    emit_note(engine, NOTE_MONSTER_JOINS, frame->seat, frame->program.card);
    return OP_DONE;
}

/** The first Monster of self's hand that a row asks for, where none was named (M25). */
static uint16_t exchange_monster(const struct engine *engine, const struct frame *frame,
                                 const struct row *row)
{
    const struct game *game = engine->game;
    uint16_t at = pile_first(game, pile_hand(frame->seat));
    while (at != NO_CARD && (box_def(engine->box, at)->kind != KIND_MONSTER ||
                             !filter_fits_index(game, engine->box, row->filter, at))) {
        at = game->cards[at].next;
    }
    return at;
}

/** E08: the enhancers on the replaced monster are discarded (RUL-68). */
enum op_result op_swap_monster(struct engine *engine, struct frame *frame, const struct row *row)
{
    const struct game *game = engine->game;
    if (frame->step == OP_PUSHED) {
        return OP_DONE;
    }
    uint16_t incoming =
        frame->program.with != NO_CARD ? frame->program.with : exchange_monster(engine, frame, row);
    bool named = row->target == ON_MONSTER && frame->program.about != NO_CARD;
    int index = named ? monster_find(game, frame->program.about) : frame->program.monster - 1;
    if (index < 0 || incoming == NO_CARD) {
        return OP_NOTHING;
    }
    struct monster monster = game->fight.monsters[index];
    uint16_t next = NO_CARD;
    for (uint16_t at = pile_first(game, PILE_FIGHT); at != NO_CARD; at = next) {
        next = game->cards[at].next;
        if (game->cards[at].host == monster.group && monster_find(game, at) < 0) {
            emit_discard(engine, at, frame->seat, MOVE_SPENT);
        }
    }
    emit_discard(engine, monster.card, frame->seat, MOVE_LEFT);
    struct card_move move = {.card = incoming,
                             .to = PILE_FIGHT,
                             .why = MOVE_PLAYED,
                             .seat = frame->seat,
                             .seat2 = NO_SEAT};
    emit_move(engine, &move);
    struct monster fresh = {.card = incoming,
                            .face = incoming,
                            .group = incoming,
                            .flags = MONSTER_WANDERED,
                            .seat = frame->seat};
    emit_monster(engine, (unsigned)index, &fresh);
    struct event note = {.why = NOTE_MONSTER_JOINS,
                         .seat = frame->seat,
                         .seat2 = NO_SEAT,
                         .card = incoming,
                         .card2 = NO_CARD};
    emit_note_full(engine, &note);
    // Rules: it enters like any monster that joins (RUL-67).
    frame->step = OP_PUSHED;
    frame_set(engine, frame);
    struct frame enter = {
        .kind = FRAME_ENTER, .seat = game->fight.main, .enter = {.monster = (uint8_t)(index + 1)}};
    frame_push(engine, &enter);
    return OP_AGAIN;
}

/** M21: the text of the top Door discard, if it is a Monster; it enters once more, as that text
 * says: what need not be fought, acts or is thrown on entering is text as well. */
enum op_result op_copy_face(struct engine *engine, struct frame *frame, const struct row *row)
{
    (void)row;
    uint16_t top = pile_first(engine->game, PILE_DOOR_DISCARD);
    if (frame->step == OP_PUSHED) {
        return OP_DONE;
    }
    if (frame->program.monster == 0 || top == NO_CARD ||
        box_def(engine->box, top)->kind != KIND_MONSTER) {
        return OP_NOTHING;
    }
    struct monster monster = engine->game->fight.monsters[frame->program.monster - 1u];
    if (monster.face == top) {
        return OP_NOTHING; // the text is one that copies, and has been copied
    }
    monster.face = top;
    emit_monster(engine, frame->program.monster - 1u, &monster);
    struct event note = {.why = NOTE_COPIES,
                         .seat = frame->seat,
                         .seat2 = NO_SEAT,
                         .card = monster.card,
                         .card2 = top};
    emit_note_full(engine, &note);
    frame->step = OP_PUSHED;
    frame_set(engine, frame);
    struct frame enter = {.kind = FRAME_ENTER,
                          .seat = engine->game->fight.main,
                          .enter = {.monster = frame->program.monster}};
    frame_push(engine, &enter);
    return OP_AGAIN;
}

/** The monster is out of the fight and comes into the seat's next one. */
static bool sent_on(struct engine *engine, unsigned index, unsigned seat, bool leaves)
{
    struct monster monster = engine->game->fight.monsters[index];
    if (monster.card != monster.group || (monster.flags & MONSTER_FOLLOWS) != 0) {
        return false;
    }
    struct lasting lasting = {.op = EFFECT_FOLLOW,
                              .seat = (uint8_t)seat,
                              .until = UNTIL_ALWAYS,
                              .source = monster.card,
                              .about = NO_CARD,
                              .by = (uint8_t)seat};
    if (!lasting_add(engine, &lasting)) { // it would lie aside for ever
        return false;
    }
    monster.flags |= leaves ? MONSTER_FOLLOWS | MONSTER_GONE : MONSTER_FOLLOWS;
    emit_monster(engine, index, &monster);
    emit_note(engine, NOTE_MONSTER_FOLLOWS, seat, monster.card);
    return true;
}

enum op_result op_follow(struct engine *engine, struct frame *frame, const struct row *row)
{
    unsigned seat = program_next_seat(engine->game, frame, row);
    if (frame->program.monster == 0 || seat == NO_SEAT) {
        return OP_NOTHING;
    }
    bool sent = sent_on(engine, frame->program.monster - 1u, seat, false);
    return sent ? OP_DONE : OP_NOTHING;
}

/** a: what: 0 this card, 1 this monster, 2 the one named; b: enum goal. */
enum op_result op_move(struct engine *engine, struct frame *frame, const struct row *row)
{
    const struct game *game = engine->game;
    unsigned seat = program_next_seat(game, frame, row);
    int index = row->a == 1   ? frame->program.monster - 1
                : row->a == 2 ? monster_find(game, frame->program.about)
                              : -1;
    if (seat == NO_SEAT || (row->a != 0 && index < 0)) {
        return OP_NOTHING;
    }
    if (index < 0) {
        move_to_goal(engine, frame->program.card, seat, (enum goal)row->b);
        return OP_DONE;
    }
    struct monster monster = game->fight.monsters[index];
    unsigned when = frame->program.trigger;
    bool over = when == WHEN_KILLED || when == WHEN_LEAVES || when == WHEN_BAD_STUFF ||
                when == WHEN_ESCAPED;
    if (row->b == GOAL_NEXT_FIGHT) {
        return sent_on(engine, (unsigned)index, seat, !over) ? OP_DONE : OP_NOTHING;
    }
    if (!over) { // it has not been beaten: no Level, no Treasure
        fight_remove(engine, (unsigned)index, REMOVE_NOTHING, 0);
    }
    move_to_goal(engine, monster.card, seat, (enum goal)row->b);
    return OP_DONE;
}

/** More Levels or Treasures (or fewer) for the victory that is being paid; at `play`, for the main
 * player of the fight that it is played into. */
enum op_result op_reward(struct engine *engine, struct frame *frame, const struct row *row)
{
    const struct game *game = engine->game;
    const bool fought_for = frame->program.trigger == WHEN_PLAY && game->fight.on != 0;
    if (!fought_for && frame_find(game, FRAME_REWARD) == NULL) {
        return OP_NOTHING; // a victory that is paid for already
    }
    const unsigned op = !fought_for   ? EFFECT_REWARD
                        : row->a == 0 ? EFFECT_KILL_LEVELS
                                      : EFFECT_TREASURES;
    struct lasting lasting = {.op = (uint8_t)op,
                              .seat = fought_for ? game->fight.main : frame->seat,
                              .until = UNTIL_FIGHT_END,
                              .arg = (uint8_t)row->a,
                              .n = program_amount(engine, frame, row),
                              .source = frame->program.card,
                              .about = NO_CARD,
                              .by = frame->seat};
    return lasting.n != 0 && lasting_add(engine, &lasting) ? OP_DONE : OP_NOTHING;
}

/** O27: the Monster chosen lies aside until the turn goes on; only who has the turn fights on. */
enum op_result op_fight_next(struct engine *engine, struct frame *frame, const struct row *row)
{
    const struct game *game = engine->game;
    unsigned seat = frame->seat;
    (void)row;
    if (frame->step == OP_ASKED) {
        uint16_t card = choice_first(game);
        choice_close(engine);
        struct card_move move = {.card = card,
                                 .to = PILE_ASIDE,
                                 .why = MOVE_PLAYED,
                                 .seat = (uint8_t)seat,
                                 .seat2 = NO_SEAT};
        emit_move(engine, &move);
        struct lasting lasting = {.op = EFFECT_FIGHT_NEXT,
                                  .seat = (uint8_t)seat,
                                  .until = UNTIL_TURN_END,
                                  .source = card,
                                  .about = NO_CARD,
                                  .by = (uint8_t)seat};
        if (!lasting_add(engine, &lasting)) {
            emit_discard(engine, card, seat, MOVE_SETTLED);
        }
        return OP_DONE;
    }
    uint16_t monsters[MB_CARDS_MAX];
    unsigned count = 0;
    uint16_t at = game->turn == seat ? pile_first(game, pile_hand(seat)) : (uint16_t)NO_CARD;
    for (; at != NO_CARD; at = game->cards[at].next) {
        if (box_def(engine->box, at)->kind == KIND_MONSTER) {
            monsters[count++] = at;
        }
    }
    if (count == 0 || frame_find(game, FRAME_REWARD) == NULL || turn_fights_next(game) >= 0) {
        return OP_NOTHING;
    }
    struct question question = choice_question(DECIDE_CHOOSE_CARD, seat, 1, frame->program.card);
    frame->step = OP_ASKED;
    frame_set(engine, frame);
    choice_cards(engine, &question, monsters, count);
    return OP_AGAIN;
}

/** Cards are turned up and go to the discards; how many of them fit is `rolled` from here on. */
enum op_result op_reveal(struct engine *engine, struct frame *frame, const struct row *row)
{
    int amount = program_amount(engine, frame, row);
    int found = 0;
    bool did = false;
    for (; amount > 0; amount--) {
        uint16_t card = draw_next(engine, (enum card_deck)row->a);
        if (card == NO_CARD) {
            break;
        }
        emit_discard(engine, card, frame->seat, MOVE_SPENT);
        bool fits =
            row->filter == 0 || filter_fits_index(engine->game, engine->box, row->filter, card);
        found += fits;
        did = true;
    }
    frame->program.paid = (int16_t)found;
    return did ? OP_DONE : OP_NOTHING;
}

/** Somebody helps, unasked, for n Treasures: one of those who can be made to
 * (core/effects/effect.c).
 */
enum op_result op_force_help(struct engine *engine, struct frame *frame, const struct row *row)
{
    const struct game *game = engine->game;
    unsigned seat = program_next_seat(game, frame, row);
    if (seat == NO_SEAT) {
        return OP_NOTHING;
    }
    struct deal deal = {.kind = DEAL_ASK,
                        .treasures = count_fit(program_amount(engine, frame, row))};
    emit_fight_field(engine, FIGHT_FLAGS, game->fight.flags | FIGHT_FORCED_HELP);
    fight_helper_joins(engine, seat, &deal);
    return OP_DONE;
}

/** The fight is as good as lost: running away begins. */
enum op_result op_flee(struct engine *engine, struct frame *frame, const struct row *row)
{
    (void)row;
    const struct game *game = engine->game;
    const struct frame *below = frame_below(game);
    if (game->fight.on == 0 || (game->fight.flags & FIGHT_GAVE_UP) != 0 || below == NULL ||
        below->kind != FRAME_FIGHT || below->step != FIGHT_IDLE) {
        return OP_NOTHING;
    }
    program_close(engine, frame);
    flee_begin(engine, NO_CARD);
    return OP_AGAIN;
}

/** O12: another takes the main fighter's place with all rewards; the helper stays out. */
enum op_result op_take_over(struct engine *engine, struct frame *frame, const struct row *row)
{
    const struct game *game = engine->game;
    (void)row;
    unsigned old = game->fight.main;
    if (game->fight.on == 0 || old == frame->seat) {
        return OP_NOTHING;
    }
    if (game->fight.helper != NO_SEAT) {
        fight_helper_leaves(engine);
    }
    struct event event = {.type = EVENT_FIGHTER, .seat = frame->seat, .m = 0};
    emit(engine, &event);
    emit_fight_field(engine, FIGHT_FLAGS, game->fight.flags | FIGHT_TAKEN_OVER);
    struct event note = {.why = NOTE_FIGHT_TAKEN_OVER,
                         .seat = frame->seat,
                         .seat2 = (uint8_t)old,
                         .card = frame->program.card,
                         .card2 = NO_CARD};
    emit_note_full(engine, &note);
    return OP_DONE;
}

static void card_returns(struct engine *engine, uint16_t card)
{
    const struct card_state *state = &engine->game->cards[card];
    bool table = (state->flags & CARD_FROM_TABLE) != 0;
    struct card_move move = {
        .card = card,
        .to = (uint8_t)(table ? pile_table(state->seat) : pile_hand(state->seat)),
        .why = MOVE_RETURNED,
        .seat = state->seat,
        .seat2 = NO_SEAT};
    emit_move(engine, &move);
}

/** O21: what was played into the fight goes back; the monsters met stay. */
enum op_result op_reboot(struct engine *engine, struct frame *frame, const struct row *row)
{
    const struct game *game = engine->game;
    (void)row;
    bool did = false;
    for (unsigned i = 0; i < game->fight.monster_count; i++) {
        struct monster monster = game->fight.monsters[i];
        if ((monster.flags & MONSTER_WANDERED) != 0 && (monster.flags & MONSTER_GONE) == 0) {
            monster.flags |= MONSTER_GONE;
            emit_monster(engine, i, &monster);
        }
    }
    uint16_t next = NO_CARD;
    for (uint16_t at = pile_first(game, PILE_FIGHT); at != NO_CARD; at = next) {
        next = game->cards[at].next;
        if (monster_find(game, at) < 0 && at != frame->program.card &&
            game->cards[at].seat < MB_SEATS_MAX) {
            card_returns(engine, at);
            did = true;
        }
    }
    lasting_end(engine, NO_SEAT, UNTIL_FIGHT_END);
    emit_note(engine, NOTE_CARDS_RETURN, frame->seat, frame->program.card);
    return did ? OP_DONE : OP_NOTHING;
}

/** M67: one-shots played against the monster go back to their players' hands. */
enum op_result op_return_cards(struct engine *engine, struct frame *frame, const struct row *row)
{
    const struct game *game = engine->game;
    (void)row;
    bool did = false;
    uint16_t next = NO_CARD;
    for (uint16_t at = pile_first(game, PILE_FIGHT); at != NO_CARD; at = next) {
        next = game->cards[at].next;
        if (box_def(engine->box, at)->kind == KIND_ONESHOT &&
            (game->cards[at].flags & CARD_FOR_MONSTERS) == 0) {
            card_to_hand(engine, at, game->cards[at].seat, MOVE_RETURNED, NO_SEAT);
            did = true;
        }
    }
    (void)frame;
    return did ? OP_DONE : OP_NOTHING;
}

/** E10: the Item named comes over, equipped, and must turn the fight (checked when played). */
enum op_result op_win_by_item(struct engine *engine, struct frame *frame, const struct row *row)
{
    (void)row;
    if (frame->program.about == NO_CARD) {
        return OP_NOTHING;
    }
    play_take_item(engine, frame->seat, frame->program.about);
    return OP_DONE;
}

/** C14: the victim's follower fights for the monsters until the fight ends. */
enum op_result op_turn_follower(struct engine *engine, struct frame *frame, const struct row *row)
{
    const struct game *game = engine->game;
    (void)row;
    if (!seat_fights(game, frame->seat)) {
        return OP_NOTHING;
    }
    uint16_t followers[MB_CARDS_MAX];
    unsigned count = 0;
    uint16_t at = pile_first(game, pile_table(frame->seat));
    for (; at != NO_CARD; at = game->cards[at].next) {
        if (box_def(engine->box, at)->kind == KIND_FOLLOWER &&
            (game->cards[at].flags & CARD_TURNED) == 0) {
            followers[count++] = at;
        }
    }
    if (count == 0) {
        return OP_NOTHING;
    }
    if (frame->step == OP_ASKED) {
        uint16_t card = choice_first(game);
        choice_close(engine);
        emit_flags(engine, card, CARD_TURNED, 0);
        return OP_DONE;
    }
    struct question question =
        choice_question(DECIDE_CHOOSE_CARD, frame->seat, 1, frame->program.card);
    frame->step = OP_ASKED;
    frame_set(engine, frame);
    choice_cards(engine, &question, followers, count);
    return OP_AGAIN;
}

enum op_result op_send_away(struct engine *engine, struct frame *frame, const struct row *row)
{
    (void)frame;
    (void)row;
    if (engine->game->fight.on == 0 || engine->game->fight.helper == NO_SEAT) {
        return OP_NOTHING;
    }
    fight_helper_leaves(engine);
    return OP_DONE;
}
