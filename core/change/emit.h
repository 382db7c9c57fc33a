/*
 * Emitting: how rules change the state. Every function appends an event and applies it at once, so
 * later steps see earlier ones and nothing changes untold.
 */
#ifndef CORE_CHANGE_EMIT_H
#define CORE_CHANGE_EMIT_H

#include "core/card/box.h"
#include "core/state/event.h"
#include "core/state/game_state.h"

/** What a command works on: a copy of the state, the box, the events so far. */
struct engine {
    const struct box *box;
    struct game *game;
    struct event_list *out; /**< NULL: events are applied, not kept */
    uint8_t author;         /**< whose command is being carried out, or NO_SEAT */
    bool sealed;            /**< nobody else is told at once that the author acted */
};

/** What follows is that seat's doing, which all have seen. */
static inline void engine_acts(struct engine *engine, uint8_t seat)
{
    engine->author = seat;
    engine->sealed = false;
}

void emit(struct engine *engine, const struct event *event);

/** How a card moves; what is left zero: to the end, nobody in particular, plain knowledge. */
struct card_move {
    uint16_t card;
    uint8_t to;    /**< enum pile + seat */
    uint8_t why;   /**< enum move_why */
    uint8_t seat;  /**< whose doing it is */
    uint8_t seat2; /**< the other party */
    bool top;      /**< onto the top instead of the end */
    bool face_up;  /**< everybody sees it even on its way to a hand */
    uint8_t flags; /**< enum card_flag after the move */
    uint16_t host; /**< with which card it lies; 0 and NO_CARD: none */
    bool hosted;   /**< host counts */
};
void emit_move(struct engine *engine, const struct card_move *move);
/** To the top of its own discards. */
void emit_discard(struct engine *engine, uint16_t card, unsigned seat, enum move_why why);

/** The seats that know a card, for an event's `knowers`; everybody knows NO_CARD. */
uint8_t emit_knowers(const struct game *game, uint16_t card);
void emit_note(struct engine *engine, enum note note, unsigned seat, uint16_t card);
/** A note with everything: seat, seat2, card, card2, n, m. */
void emit_note_full(struct engine *engine, const struct event *note);
void emit_level(struct engine *engine, unsigned seat, int level, enum level_why why);
void emit_seat(struct engine *engine, unsigned seat, enum seat_field field, int n);
void emit_seat_flag(struct engine *engine, unsigned seat, unsigned flag, bool on);
void emit_game(struct engine *engine, enum game_field field, int n);
/** How many commands have been accepted. */
void emit_version(struct engine *engine, uint32_t version);
void emit_flags(struct engine *engine, uint16_t card, unsigned set, unsigned clear);
void emit_host(struct engine *engine, uint16_t card, uint16_t host);
void emit_know(struct engine *engine, uint16_t card, unsigned mask);
void emit_fight_field(struct engine *engine, enum fight_field field, int n);
void emit_monster(struct engine *engine, unsigned index, const struct monster *monster);
void emit_owed(struct engine *engine, const struct owed *owed);
void emit_pause(struct engine *engine, enum pause_kind kind, enum pause_change change,
                unsigned waited, unsigned passed);

/** A die for a seat: from the script or the generator; told to all. */
unsigned emit_roll(struct engine *engine, unsigned seat, enum roll_for what);
/** A number below bound from the generator; hidden. */
unsigned emit_chance(struct engine *engine, unsigned bound);
/** Shuffles all cards of a pile into a deck. */
void emit_shuffle(struct engine *engine, unsigned from_pile, unsigned deck_pile);

#endif
