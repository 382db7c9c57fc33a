// Looting the dead (DEATH-4, DEATH-5, RUL-95, RUL-97).

#include "core/change/choice.h"
#include "core/numbers/trait.h"
#include "core/state/pile_list.h"
#include "core/turn/turn.h"
#include "core/work/harm.h"

/** The looters of a body in order: by Level, ties by die. */
static unsigned order_looters(struct engine *engine, uint8_t *order)
{
    const struct game *game = engine->game;
    unsigned key[MB_SEATS_MAX] = {0};
    unsigned count = 0;
    for (unsigned seat = 0; seat < game->seat_count; seat++) {
        if (game->seats[seat].alive != 0) {
            key[seat] = game->seats[seat].level * 8u;
            order[count++] = (uint8_t)seat;
        }
    }
    for (unsigned i = 0; i < count; i++) { // equal Levels roll once; equal rolls roll again
        unsigned same = seats_at_level(game, key[order[i]] / 8u);
        if ((same & (same - 1u)) == 0 || key[order[i]] % 8u != 0) {
            continue;
        }
        unsigned used = 0;
        for (unsigned j = 0; j < count; j++) {
            if ((same & seat_bit(order[j])) == 0) {
                continue;
            }
            unsigned face = emit_roll(engine, order[j], ROLL_LOOT);
            while ((used >> face & 1u) != 0) {
                face = emit_roll(engine, order[j], ROLL_LOOT);
            }
            used |= 1u << face;
            key[order[j]] += face;
        }
    }
    for (unsigned i = 1; i < count; i++) {
        for (unsigned j = i; j > 0 && key[order[j]] > key[order[j - 1]]; j--) {
            uint8_t swap = order[j];
            order[j] = order[j - 1];
            order[j - 1] = swap;
        }
    }
    return count;
}

/** The seat, if it loots at all, before all others. */
static void to_front(uint8_t *order, unsigned count, unsigned seat)
{
    unsigned at = 0;
    while (at < count && order[at] != seat) {
        at++;
    }
    for (; at > 0 && at < count; at--) {
        order[at] = order[at - 1u];
        order[at - 1u] = (uint8_t)seat;
    }
}

/** Whoever a card gave the first pick stands before all others; it is used up. */
static void pick_first(struct engine *engine, uint8_t *order, unsigned count)
{
    for (unsigned i = engine->game->lasting_top; i > 0; i--) { // of several the earliest wins
        const struct lasting lasting = engine->game->lasting[i - 1u];
        if (lasting.op == EFFECT_FIRST_PICK) {
            to_front(order, count, lasting.seat);
            lasting_remove(engine, i - 1u);
        }
    }
}

static unsigned body_cards(const struct game *game, unsigned seat, uint16_t out[MB_CARDS_MAX])
{
    unsigned count = 0;
    uint16_t at = pile_first(game, PILE_BODY);
    for (; at != NO_CARD; at = game->cards[at].next) {
        if (game->cards[at].seat == seat) {
            out[count++] = at;
        }
    }
    return count;
}

static enum step_result body_next(struct engine *engine, struct frame frame)
{
    const struct game *game = engine->game;
    if (frame.bodies.next >= game->death_count) {
        emit_game(engine, GAME_PHASE, frame.bodies.phase);
        emit_game(engine, GAME_DYING, 0);
        frame_pop(engine);
        return STEP_ON;
    }
    frame.seat = game->death_order[frame.bodies.next++];
    if ((game->dying & seat_bit(frame.seat)) == 0) {
        frame_set(engine, &frame);
        return STEP_ON;
    }
    emit_note(engine, NOTE_BODY_LOOTED, frame.seat, NO_CARD);
    frame.bodies.at = 0;
    frame.bodies.count = (uint8_t)order_looters(engine, frame.bodies.order);
    pick_first(engine, frame.bodies.order, frame.bodies.count);
    frame.step = BODY_LOOT;
    frame_set(engine, &frame);
    return STEP_ON;
}

enum step_result step_bodies(struct engine *engine, struct frame frame)
{
    const struct game *game = engine->game;
    if (frame.step == BODY_NEXT) {
        return body_next(engine, frame);
    }
    uint8_t *const at = &frame.bodies.at;
    if (choice_answered(game)) {
        uint16_t card = choice_first(game);
        unsigned looter = frame.bodies.order[*at];
        choice_close(engine);
        (*at)++;
        frame_set(engine, &frame);
        card_to_hand(engine, card, looter, MOVE_BODY, frame.seat);
        return STEP_ON;
    }
    uint16_t cards[MB_CARDS_MAX];
    unsigned count = body_cards(game, frame.seat, cards);
    if (count == 0 || *at >= frame.bodies.count) {
        for (unsigned i = 0; i < count; i++) {
            emit_discard(engine, cards[i], frame.seat, MOVE_SETTLED);
        }
        frame.step = BODY_NEXT;
        frame_set(engine, &frame);
        return STEP_ON;
    }
    struct question question =
        choice_question(DECIDE_LOOT_BODY, frame.bodies.order[*at], 1, NO_CARD);
    choice_cards(engine, &question, cards, count);
    return STEP_ON;
}
