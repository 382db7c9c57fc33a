// Before the first turn: dealing, laying out, who begins (SETUP-1 to SETUP-7, RUL-134).
#include <string.h>

#include "core/loop/engine.h"
#include "core/state/pile_list.h"
#include "core/turn/turn.h"
#include "core/work/draw.h"
#include "core/work/program.h"

static enum step_result setup_deal(struct engine *engine, struct frame frame)
{
    if (frame.setup.dealt >= engine->game->seat_count) {
        frame.step = SETUP_LAY_OUT;
        frame_set(engine, &frame);
        return STEP_ON;
    }
    unsigned seat = frame.setup.dealt++;
    frame_set(engine, &frame);
    int deal = engine->box->profile.constant[PROFILE_DEAL];
    draw_begin(engine, seat, DECK_TREASURE, deal, DRAW_DEALT);
    draw_begin(engine, seat, DECK_DOOR, deal, DRAW_DEALT);
    return STEP_ON;
}

static enum step_result setup_lay_out(struct engine *engine, struct frame frame)
{
    const struct game *game = engine->game;
    for (unsigned seat = 0; seat < game->seat_count; seat++) {
        if ((game->seats[seat].flags & SEAT_READY) == 0) {
            return STEP_WAIT;
        }
    }
    frame.step = SETUP_EVENTS;
    frame_set(engine, &frame);
    return STEP_ON;
}

/** Events dealt to somebody act now, one after another, and are discarded (RUL-134). */
static enum step_result setup_events(struct engine *engine, struct frame frame)
{
    const struct game *game = engine->game;
    for (unsigned seat = 0; seat < game->seat_count; seat++) {
        uint16_t at = pile_first(game, pile_hand(seat));
        for (; at != NO_CARD; at = game->cards[at].next) {
            if (!program_has(engine->box, box_def(engine->box, at), WHEN_DRAWN)) {
                continue;
            }
            emit_discard(engine, at, seat, MOVE_PLAYED);
            struct program program = {
                .card = at, .when = WHEN_DRAWN, .seat = (uint8_t)seat, .target = NO_SEAT};
            program_push(engine, &program);
            return STEP_ON;
        }
    }
    frame.step = SETUP_FIRST;
    frame_set(engine, &frame);
    return STEP_ON;
}

/** The highest roll begins, ties roll again (SETUP-7). */
static unsigned roll_for_first(struct engine *engine)
{
    unsigned left = (1u << engine->game->seat_count) - 1u;
    while ((left & (left - 1u)) != 0) {
        unsigned best = 0;
        unsigned best_seats = 0;
        for (unsigned seat = 0; seat < engine->game->seat_count; seat++) {
            if ((left & seat_bit(seat)) == 0) {
                continue;
            }
            unsigned face = emit_roll(engine, seat, ROLL_FIRST);
            if (face > best) {
                best = face;
                best_seats = 0;
            }
            best_seats |= face == best ? seat_bit(seat) : 0u;
        }
        left = best_seats;
    }
    for (unsigned seat = 0; seat < MB_SEATS_MAX; seat++) {
        if (left == seat_bit(seat)) {
            return seat;
        }
    }
    return 0;
}

static enum step_result setup_first(struct engine *engine, struct frame frame)
{
    unsigned seat = frame.setup.first_known != 0 ? engine->game->turn : roll_for_first(engine);
    emit_note(engine, NOTE_GAME_STARTS, seat, NO_CARD);
    frame_pop(engine);
    struct frame turn = {
        .kind = FRAME_TURN, .step = TURN_BEGINS, .seat = (uint8_t)seat, .turn = {.card = NO_CARD}};
    frame_push(engine, &turn);
    return STEP_ON;
}

enum step_result step_setup(struct engine *engine, struct frame frame)
{
    switch ((enum setup_step)frame.step) {
    case SETUP_DEAL:
        return setup_deal(engine, frame);
    case SETUP_LAY_OUT:
        return setup_lay_out(engine, frame);
    case SETUP_EVENTS:
        return setup_events(engine, frame);
    case SETUP_FIRST:
        return setup_first(engine, frame);
    }
    return STEP_WAIT;
}

void setup_begin(struct engine *engine)
{
    struct frame frame = {.kind = FRAME_SETUP, .step = SETUP_DEAL};
    frame_push(engine, &frame);
}

void game_reset(struct game *game, const struct box *box, unsigned seat_count,
                const uint8_t seed[32])
{
    memset(game, 0, sizeof *game);
    game->card_count = box->card_count;
    game->seat_count = (uint8_t)seat_count;
    game->phase = PHASE_SETUP;
    game->fight.main = NO_SEAT;
    game->fight.helper = NO_SEAT;
    mb_rng_init(&game->rng, seed);
    pile_reset(game);
    for (unsigned card = 0; card < box->card_count; card++) {
        bool door = box_def(box, (uint16_t)card)->deck == DECK_DOOR;
        pile_push_back(game, door ? PILE_DOOR_DECK : PILE_TREASURE_DECK, (uint16_t)card);
    }
    for (unsigned seat = 0; seat < seat_count; seat++) {
        game->seats[seat].level = (uint8_t)box->profile.constant[PROFILE_START_LEVEL];
        game->seats[seat].alive = 1;
    }
    for (unsigned i = 0; i < MB_LASTING_MAX; i++) {
        game->lasting[i] = lasting_none();
    }
}
