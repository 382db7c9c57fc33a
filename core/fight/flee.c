// Running away: RUN, MON-2, SIDE-3, DEATH-3.
#include <stddef.h>

#include "core/change/choice.h"
#include "core/fight/fight.h"
#include "core/numbers/requirement.h"
#include "core/numbers/trait.h"
#include "core/state/pile_list.h"
#include "core/work/fight_view.h"
#include "core/work/harm.h"
#include "core/work/program.h"
#include "core/work/roll.h"
#include "core/work/would.h"

void flee_begin(struct engine *engine, uint16_t card)
{
    const struct game *game = engine->game;
    if (frame_top(game)->kind ==
        FRAME_REPAIR) { // Rules: curing it comes before the answer (BIG-3).
        if (game->decision.open != 0) {
            choice_close(engine);
        }
        frame_pop(engine);
    }
    emit_fight_field(engine, FIGHT_FLAGS, game->fight.flags | FIGHT_GAVE_UP);
    emit_note(engine, NOTE_GIVES_UP, game->fight.main, NO_CARD);
    emit_game(engine, GAME_PHASE, PHASE_RUNNING);
    if (game->window.kind == PAUSE_WIN) {
        emit_pause(engine, PAUSE_WIN, PAUSE_CLOSES, 0, 0);
    }
    struct frame fight = *frame_top(game);
    fight.step = FIGHT_FLEEING;
    frame_set(engine, &fight);
    struct frame frame = {.kind = FRAME_FLEE,
                          .step = FLEE_SETTLE,
                          .seat = game->fight.main,
                          .flee = {.card = card, .helper = game->fight.helper}};
    frame_push(engine, &frame);
}

static bool impossible(const struct game *game, const struct box *box, unsigned seat,
                       unsigned index)
{
    return fight_face_row(game, box, index, EFFECT_NO_ESCAPE, seat) != NULL;
}

/** Whether a card before the seat keeps this monster from pursuing it. */
static bool spared_by_own(const struct game *game, const struct box *box, unsigned seat,
                          unsigned index)
{
    struct req_context ctx = req_context_for(game, box, seat);
    ctx.monster = (int8_t)index;
    for (ctx.card = pile_first(game, pile_table(seat)); ctx.card != NO_CARD;
         ctx.card = game->cards[ctx.card].next) {
        const struct card_def *def = box_def(box, ctx.card);
        const struct row *rows = box_rows(box, def);
        for (unsigned i = 0; i < def->row_count && !kind_is_foe(def->kind); i++) {
            if (rows[i].when == WHEN_STATIC && rows[i].op == EFFECT_NO_PURSUE &&
                card_in_effect(game, box, ctx.card) &&
                requirements_hold(&ctx, rows[i].first_req, rows[i].req_count)) {
                return true;
            }
        }
    }
    return false;
}

static bool not_pursued(const struct game *game, const struct box *box, unsigned seat,
                        unsigned index)
{
    return fight_face_row(game, box, index, EFFECT_NO_PURSUE, seat) != NULL ||
           spared_by_own(game, box, seat, index);
}

bool flee_rolls(const struct game *game, const struct box *box, unsigned seat, unsigned index)
{
    return (game->seats[seat].flags & SEAT_FLEW) == 0 && !impossible(game, box, seat, index) &&
           !not_pursued(game, box, seat, index);
}

// The seat has escaped from a monster, or from all (index MB_MONSTERS_MAX).
static void flee_escape(struct engine *engine, unsigned seat, unsigned index)
{
    struct monster monster = engine->game->fight.monsters[index];
    monster.escaped |= seat_bit(seat);
    emit_monster(engine, index, &monster);
}

static void push_escaped(struct engine *engine, unsigned seat, unsigned index)
{
    struct program program = {.when = WHEN_ESCAPED,
                              .seat = (uint8_t)seat,
                              .target = NO_SEAT,
                              .monster = (uint8_t)(index + 1)};
    program_push_monster(engine, &program);
}

/** Says how it went; `total` is what the roll came to, 0 if none was made. */
static void note_flight(struct engine *engine, enum note why, unsigned seat, uint16_t card,
                        int total)
{
    struct event note = {.why = (uint8_t)why,
                         .seat = (uint8_t)seat,
                         .seat2 = NO_SEAT,
                         .card = card,
                         .card2 = NO_CARD,
                         .n = total};
    emit_note_full(engine, &note);
}

static void strike_player(struct engine *engine, struct frame *frame, unsigned index, int total)
{
    const struct game *game = engine->game;
    struct monster monster = game->fight.monsters[index];
    monster.caught |= seat_bit(frame->seat);
    emit_monster(engine, index, &monster);
    note_flight(engine, NOTE_CAUGHT, frame->seat, monster.card, total);
    const int16_t margin = frame->flee.missing;
    frame->flee.missing = 0;
    frame->step = FLEE_SETTLE; // `card` stays: the roll asked for follows those without one
    frame_set(engine, frame);
    emit_note(engine, NOTE_BAD_STUFF, frame->seat, monster.card);
    struct program program = {.when = WHEN_BAD_STUFF,
                              .seat = frame->seat,
                              .target = NO_SEAT,
                              .monster = (uint8_t)(index + 1),
                              .paid = margin};
    program_push_monster(engine, &program);
}

/** The monster has the player; something in play may save from that (would_be_caught). */
static void catch_player(struct engine *engine, struct frame *frame, unsigned index, int total)
{
    const struct game *game = engine->game;
    uint16_t card = game->fight.monsters[index].card;
    if (!would_possible(game, engine->box, frame->seat, WHEN_WOULD_BE_CAUGHT, card)) {
        strike_player(engine, frame, index, total);
        return;
    }
    frame->step = FLEE_CAUGHT;
    frame->flee.monster = (uint8_t)(index + 1);
    frame->flee.total = number_fit(total);
    frame->result = 0;
    frame_set(engine, frame);
    would_begin(engine, frame->seat, WHEN_WOULD_BE_CAUGHT, card);
}

void flee_escape_noted(struct engine *engine, unsigned seat, unsigned index, enum note note,
                       int total)
{
    note_flight(engine, note, seat, engine->game->fight.monsters[index].card, total);
    flee_escape(engine, seat, index);
    push_escaped(engine, seat, index);
}

/** Settles one monster against which no roll is made; returns whether there was one. */
static bool settle_one(struct engine *engine, struct frame *frame)
{
    const struct game *game = engine->game;
    unsigned seat = frame->seat;
    unsigned pending = flee_pending(game, seat);
    for (unsigned i = 0; i < game->fight.monster_count; i++) {
        if ((pending >> i & 1u) == 0 || flee_rolls(game, engine->box, seat, i)) {
            continue;
        }
        frame_set(engine, frame);
        if ((game->seats[seat].flags & SEAT_FLEW) != 0) {
            flee_escape_noted(engine, seat, i, NOTE_ESCAPES,
                              0); // Rules: beats "impossible" (SIDE-3).
        } else if (not_pursued(game, engine->box, seat, i) &&
                   !impossible(game, engine->box, seat, i)) {
            flee_escape_noted(engine, seat, i, NOTE_NOT_PURSUED, 0);
        } else {
            emit_note(engine, NOTE_CANNOT_ESCAPE, seat, game->fight.monsters[i].card);
            catch_player(engine, frame, i, 0);
        }
        return true;
    }
    return false;
}

static int only_pending(unsigned pending)
{
    int index = -1;
    for (unsigned i = 0; i < MB_MONSTERS_MAX; i++) {
        if ((pending >> i & 1u) != 0) {
            if (index >= 0) {
                return -1;
            }
            index = (int)i;
        }
    }
    return index;
}

static enum step_result start_roll(struct engine *engine, struct frame frame, unsigned index)
{
    frame.flee.card = NO_CARD;
    frame.flee.monster = (uint8_t)(index + 1);
    frame.step = FLEE_ROLLED;
    frame.result = 0;
    frame_set(engine, &frame);
    emit_fight_field(engine, FIGHT_FLAGS, engine->game->fight.flags | FIGHT_ROLLED);
    roll_begin(engine, frame.seat, ROLL_FLIGHT, engine->game->fight.monsters[index].card,
               engine->box->profile.constant[PROFILE_ESCAPE]);
    return STEP_ON;
}

static enum step_result flee_settle(struct engine *engine, struct frame frame)
{
    const struct game *game = engine->game;
    if (settle_one(engine, &frame)) {
        return STEP_ON;
    }
    unsigned pending = flee_pending(game, frame.seat);
    if (pending == 0) {
        if (frame.seat != frame.flee.helper && frame.flee.helper != NO_SEAT) {
            frame.seat =
                frame.flee.helper; // Rules: the main player first, then the helper (RUN-4).
            frame.flee.card = NO_CARD;
            frame.flee.monster = 0;
            frame_set(engine, &frame);
            return STEP_ON;
        }
        frame.step = FLEE_AFTER;
        frame_set(engine, &frame);
        return STEP_ON;
    }
    if (frame.flee.card == NO_CARD) {
        return STEP_WAIT;
    }
    int index = monster_find(game, frame.flee.card);
    if (index < 0 || (pending >> (unsigned)index & 1u) == 0) {
        index = only_pending(pending);
    }
    if (index < 0) { // what was asked for needed no roll; the next `run` names another
        frame.flee.card = NO_CARD;
        frame_set(engine, &frame);
        return STEP_WAIT;
    }
    return start_roll(engine, frame, (unsigned)index);
}

static enum step_result flee_rolled(struct engine *engine, struct frame frame)
{
    unsigned index = frame.flee.monster - 1u;
    int total = engine->box->profile.constant[PROFILE_ESCAPE] - frame.flee.missing;
    if (frame.result != 0) {
        unsigned seat = frame.seat;
        frame.step = FLEE_SETTLE;
        frame_set(engine, &frame);
        flee_escape_noted(engine, seat, index, NOTE_ESCAPES, frame.result == 1 ? total : 0);
        uint16_t at = pile_first(engine->game, pile_table(seat));
        for (; frame.result == 1 && at != NO_CARD; at = engine->game->cards[at].next) {
            struct program program = {.card = at,
                                      .when = WHEN_ESCAPE_ROLLED,
                                      .seat = (uint8_t)seat,
                                      .target = NO_SEAT,
                                      .monster = (uint8_t)(index + 1)};
            if (card_in_effect(engine->game, engine->box, at)) {
                program_push(engine, &program);
            }
        }
        return STEP_ON;
    }
    catch_player(engine, &frame, index, total);
    return STEP_ON;
}

enum step_result step_flee(struct engine *engine, struct frame frame)
{
    switch ((enum flee_step)frame.step) {
    case FLEE_SETTLE:
        return flee_settle(engine, frame);
    case FLEE_ROLLED:
        return flee_rolled(engine, frame);
    case FLEE_CAUGHT: {
        unsigned index = frame.flee.monster - 1u;
        if (frame.result == 0) {
            strike_player(engine, &frame, index, frame.flee.total);
            return STEP_ON;
        }
        frame.step = FLEE_SETTLE;
        frame.flee.missing = 0;
        frame_set(engine, &frame);
        flee_escape_noted(engine, frame.seat, index, NOTE_ESCAPES, 0);
        return STEP_ON;
    }
    case FLEE_AFTER:
        fight_discard_all(engine);
        fight_end(engine);
        emit_game(engine, GAME_PHASE, PHASE_CHARITY);
        frame.step = FLEE_DONE;
        frame_set(engine, &frame);
        return STEP_ON;
    case FLEE_DONE:
        break;
    }
    frame_return(engine, 1);
    return STEP_ON;
}
