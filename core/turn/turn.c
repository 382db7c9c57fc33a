#include "core/turn/turn.h"

#include "core/curse/curse.h"
#include "core/fight/fight.h"
#include "core/numbers/trait.h"
#include "core/state/pile_list.h"
#include "core/work/draw.h"
#include "core/work/harm.h"
#include "core/work/program.h"
#include "core/work/trigger.h"

static void set_step(struct engine *engine, struct frame *frame, enum turn_step step)
{
    frame->step = (uint8_t)step;
    frame_set(engine, frame);
}

static void clear_flags(struct engine *engine, unsigned seat, unsigned flags)
{
    const struct game *game = engine->game;
    unsigned piles[2] = {pile_hand(seat), pile_table(seat)};
    for (unsigned p = 0; p < 2; p++) {
        uint16_t at = pile_first(game, piles[p]);
        for (; at != NO_CARD; at = game->cards[at].next) {
            emit_flags(engine, at, 0, flags);
        }
    }
}

static void revive_dead(struct engine *engine)
{
    // Rules: back in the game when the next player's turn begins (DEATH-7).
    for (unsigned seat = 0; seat < engine->game->seat_count; seat++) {
        if (engine->game->seats[seat].alive == 0) {
            emit_seat(engine, seat, SEAT_FIELD_ALIVE, 1);
            emit_note(engine, NOTE_BACK_TO_LIFE, seat, NO_CARD);
        }
    }
    emit_game(engine, GAME_DEATHS_CLEAR, 0);
    emit_game(engine, GAME_LOOTED, 0);
}

static void push_turn_starts(struct engine *engine, unsigned seat)
{
    const struct game *game = engine->game;
    uint16_t at = pile_first(game, pile_table(seat));
    for (; at != NO_CARD; at = game->cards[at].next) {
        if (card_in_effect(game, engine->box, at)) {
            struct program program = {
                .card = at, .when = WHEN_TURN_START, .seat = (uint8_t)seat, .target = NO_SEAT};
            program_push(engine, &program);
        }
    }
}

static enum step_result turn_begins(struct engine *engine, struct frame frame)
{
    const struct game *game = engine->game;
    unsigned seat = frame.seat;
    emit_game(engine, GAME_TURN, (int)seat);
    emit_game(engine, GAME_ROUND, frame.turn.turns / game->seat_count + 1);
    emit_game(engine, GAME_PHASE, PHASE_START);
    emit_game(engine, GAME_DOOMED, 0);
    emit_game(engine, GAME_CHARITY_OPEN, 0);
    emit_game(engine, GAME_AFTER_FIGHT, 0);
    emit_game(engine, GAME_MET_MONSTER, 0);
    revive_dead(engine);
    struct event note = {.why = NOTE_TURN_BEGINS,
                         .seat = (uint8_t)seat,
                         .seat2 = NO_SEAT,
                         .card = NO_CARD,
                         .card2 = NO_CARD,
                         .n = game->round};
    emit_note_full(engine, &note);
    clear_flags(engine, seat, CARD_LATE);
    if ((game->seats[seat].flags & SEAT_SKIPS) != 0) {
        emit_seat_flag(engine, seat, SEAT_SKIPS, false);
        emit_note(engine, NOTE_TURN_SKIPPED, seat, NO_CARD);
        set_step(engine, &frame, TURN_ENDS);
        return STEP_ON;
    }
    set_step(engine, &frame, TURN_DEALT);
    if ((game->seats[seat].flags & SEAT_NEEDS_DEAL) != 0) { // Rules: DEATH-8.
        int deal = engine->box->profile.constant[PROFILE_DEAL];
        emit_seat_flag(engine, seat, SEAT_NEEDS_DEAL, false);
        draw_begin(engine, seat, DECK_TREASURE, deal, DRAW_DEALT);
        draw_begin(engine, seat, DECK_DOOR, deal, DRAW_DEALT);
    }
    return STEP_ON;
}

int turn_fights_next(const struct game *game)
{
    for (unsigned i = 0; i < game->lasting_top; i++) {
        if (game->lasting[i].op == EFFECT_FIGHT_NEXT) {
            return (int)i;
        }
    }
    return -1;
}

/** A Monster that was chosen to be fought when the fight before is paid for; false: none. */
static bool fights_next(struct engine *engine, unsigned seat)
{
    int index = turn_fights_next(engine->game);
    if (index < 0) {
        return false;
    }
    uint16_t card = engine->game->lasting[index].source;
    lasting_remove(engine, (unsigned)index);
    if (engine->game->doomed != 0) {
        emit_discard(engine, card, seat, MOVE_SETTLED);
        return false;
    }
    fight_begin(engine, seat, card);
    return true;
}

static enum step_result turn_turned_up(struct engine *engine, struct frame frame)
{
    const struct game *game = engine->game;
    if (fights_next(engine, frame.seat)) {
        return STEP_ON;
    }
    bool fought = game->met_monster != 0;
    uint16_t card = frame.turn.card;
    if (!fought && card != NO_CARD && game->cards[card].pile == PILE_FACE_UP &&
        box_def(engine->box, card)->kind == KIND_MONSTER) { // its text as it is drawn let it stay
        fight_begin(engine, frame.seat, card);
        return STEP_ON;
    }
    bool may_loot = fought && (game->fight.flags & (FIGHT_LOOT_AFTER | FIGHT_TAKEN_OVER)) != 0;
    if (fought && !may_loot) {
        set_step(engine, &frame, TURN_CHARITY);
        return STEP_ON;
    }
    emit_game(engine, GAME_PHASE, PHASE_OPENED);
    emit_game(engine, GAME_MET_MONSTER, fought ? 2 : 0); // 2: looting is allowed, looking is not
    set_step(engine, &frame, TURN_OPENED);
    return STEP_ON;
}

static enum step_result turn_charity(struct engine *engine, struct frame frame)
{
    const struct game *game = engine->game;
    if (game->doomed != 0) { // Rules: a dead player's turn passes without Charity (DEATH-3).
        set_step(engine, &frame, TURN_ENDS);
        return STEP_ON;
    }
    if (game->phase != PHASE_CHARITY) {
        emit_game(engine, GAME_PHASE, PHASE_CHARITY);
    }
    if (game->charity_open != 0 && turn_excess(game, engine->box, frame.seat) == 0) {
        set_step(engine, &frame, TURN_ENDS);
        return STEP_ON;
    }
    return STEP_WAIT;
}

static enum step_result turn_ends(struct engine *engine, struct frame frame)
{
    const struct game *game = engine->game;
    emit_game(engine, GAME_CHARITY_OPEN, 0);
    lasting_end(engine, NO_SEAT, UNTIL_TURN_END);
    lasting_end(engine, frame.seat, UNTIL_NEXT_TURN);
    trigger_happens(engine, frame.seat, WHEN_TURN_END, NO_CARD);
    clear_flags(engine, frame.seat, CARD_DOUBLED);
    frame.turn.turns++;
    frame.seat = (uint8_t)((frame.seat + 1u) % game->seat_count);
    frame.turn.card = NO_CARD;
    set_step(engine, &frame, TURN_BEGINS);
    return STEP_ON;
}

enum step_result step_turn(struct engine *engine, struct frame frame)
{
    switch ((enum turn_step)frame.step) {
    case TURN_BEGINS:
        return turn_begins(engine, frame);
    case TURN_DEALT:
        set_step(engine, &frame, TURN_LISTENED);
        push_turn_starts(engine, frame.seat);
        return STEP_ON;
    case TURN_LISTENED:
        set_step(engine, &frame, TURN_START);
        if (engine->box->profile.flag[FLAG_LISTEN]) { // Rules: FAST-1.
            draw_begin(engine, frame.seat, DECK_DOOR, 1, DRAW_TO_HAND);
        }
        return STEP_ON;
    case TURN_START:
    case TURN_OPENED:
        if (engine->game->doomed != 0) { // Rules: wherever death came (DEATH-3).
            set_step(engine, &frame, TURN_CHARITY);
            return STEP_ON;
        }
        return STEP_WAIT;
    case TURN_TURNED_UP:
        return turn_turned_up(engine, frame);
    case TURN_LOOTED:
        set_step(engine, &frame, TURN_CHARITY);
        return STEP_ON;
    case TURN_CHARITY:
        return turn_charity(engine, frame);
    case TURN_ENDS:
        return turn_ends(engine, frame);
    }
    return STEP_WAIT;
}

/** What a card turned up in phase 1 does (TURN-3 to TURN-5). */
static void turned_up(struct engine *engine, uint16_t card)
{
    for (unsigned other = 0; other < engine->game->seat_count; other++) {
        clear_flags(engine, other,
                    CARD_FRESH); // Rules: the next Door ends "just received" (ACT-2).
    }
    struct frame frame = *frame_top(engine->game);
    unsigned seat = frame.seat;
    frame.turn.card = card;
    frame.step = TURN_TURNED_UP;
    frame_set(engine, &frame);
    struct card_move move = {.card = card,
                             .to = PILE_FACE_UP,
                             .why = MOVE_KICKED,
                             .seat = (uint8_t)seat,
                             .seat2 = NO_SEAT,
                             .flags = CARD_FRESH};
    emit_move(engine, &move);
    const struct card_def *def = box_def(engine->box, card);
    if (def->kind == KIND_MONSTER && !program_has(engine->box, def, WHEN_DRAWN)) {
        fight_begin(engine, seat, card);
        return;
    }
    emit_game(engine, GAME_PHASE, PHASE_OPENED);
    if (def->kind == KIND_CURSE) {
        curse_begin(engine, card, seat, NO_SEAT);
        return;
    }
    struct program program = {
        .card = card, .when = WHEN_DRAWN, .seat = (uint8_t)seat, .target = NO_SEAT};
    program_push(engine, &program);
}

static void nothing_behind(struct engine *engine, unsigned seat)
{
    struct event note = {.why = NOTE_NOTHING_TO_DRAW,
                         .seat = (uint8_t)seat,
                         .seat2 = NO_SEAT,
                         .card = NO_CARD,
                         .card2 = NO_CARD,
                         .n = DECK_DOOR};
    emit_note_full(engine, &note);
    struct frame frame = *frame_top(engine->game);
    frame.step = TURN_OPENED;
    frame_set(engine, &frame);
    emit_game(engine, GAME_PHASE, PHASE_OPENED);
}

static void kick(struct engine *engine, unsigned seat)
{
    uint16_t card = draw_next(engine, DECK_DOOR);
    if (card == NO_CARD) {
        nothing_behind(engine, seat);
        return;
    }
    turned_up(engine, card);
}

void turn_kick_from_discards(struct engine *engine, unsigned seat, uint16_t paid)
{
    uint16_t card = pile_first(engine->game, PILE_DOOR_DISCARD);
    if (card == paid && card != NO_CARD) {
        card = engine->game->cards[card].next;
    }
    if (card == NO_CARD) {
        nothing_behind(engine, seat);
        return;
    }
    turned_up(engine, card);
}

static void take_face_up(struct engine *engine, unsigned seat)
{
    uint16_t card = pile_first(engine->game, PILE_FACE_UP);
    if (card != NO_CARD) {
        card_to_hand(engine, card, seat, MOVE_TAKEN_UP, NO_SEAT);
    }
}

static void loot(struct engine *engine, unsigned seat)
{
    take_face_up(engine, seat);
    struct frame frame = *frame_top(engine->game);
    frame.step = TURN_LOOTED;
    frame_set(engine, &frame);
    if (seat_barred(engine->game, engine->box, seat, BAR_LOOT)) {
        emit_note(engine, NOTE_LOOT_BARRED, seat, NO_CARD);
        return;
    }
    bool treasure = engine->box->profile.flag[FLAG_LISTEN]; // Rules: FAST-1.
    draw_begin(engine, seat, treasure ? DECK_TREASURE : DECK_DOOR, 1, DRAW_LOOT);
}

static void done(struct engine *engine, unsigned seat)
{
    const struct game *game = engine->game;
    if (game->phase == PHASE_SETUP) {
        emit_seat_flag(engine, seat, SEAT_READY, true);
        return;
    }
    int excess = turn_excess(game, engine->box, seat);
    emit_game(engine, GAME_CHARITY_OPEN, 1);
    if (excess > 0) {
        struct event note = {.why = NOTE_CHARITY_DUE,
                             .seat = (uint8_t)seat,
                             .seat2 = NO_SEAT,
                             .card = NO_CARD,
                             .card2 = NO_CARD,
                             .n = excess};
        emit_note_full(engine, &note);
    }
}

static void give_charity(struct engine *engine, const struct command *command)
{
    for (unsigned i = 0; i < command->list_count; i++) {
        card_to_hand(engine, command->list[i], command->to, MOVE_CHARITY, command->seat);
    }
    // The counter keeps the shares even over several commands (CHARITY-2); it ends with the turn.
    static const struct row SHARES = {.limit = SCOPE_TURN};
    limit_use(engine, command->to, NO_CARD, &SHARES, command->seat, command->list_count);
}

void act_turn(struct engine *engine, const struct command *command)
{
    unsigned seat = command->seat;
    switch ((enum verb)command->verb) {
    case VERB_KICK:
        kick(engine, seat);
        break;
    case VERB_TAKE:
        take_face_up(engine, seat);
        break;
    case VERB_FIGHT: {
        take_face_up(engine, seat);
        struct frame frame = *frame_top(engine->game);
        frame.step = TURN_TURNED_UP;
        frame.turn.card = command->card;
        frame_set(engine, &frame);
        fight_begin(engine, seat, command->card);
        break;
    }
    case VERB_LOOT:
        loot(engine, seat);
        break;
    case VERB_DONE:
        done(engine, seat);
        break;
    case VERB_CHARITY:
        give_charity(engine, command);
        break;
    default:
        break;
    }
}
