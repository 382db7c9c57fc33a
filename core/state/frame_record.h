/*
 * A frame: where a game waits, or what waits for the frame above it. Besides {kind, step, seat,
 * result} each kind holds fields of its own; core/state/layout.c lists them with what they may be,
 * for encoding, checking and hiding them.
 */
#ifndef CORE_STATE_FRAME_RECORD_H
#define CORE_STATE_FRAME_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/limits.h"

struct frame_setup {
    uint8_t dealt;       /**< seats dealt to so far */
    uint8_t first_known; /**< 1: the turn's seat begins, no die decides (scenarios) */
};

struct frame_turn { /* seat: whose turn */
    uint16_t card;  /**< what was turned up, or NO_CARD */
    uint16_t turns; /**< taken so far */
};

struct frame_fight { /* seat: who met the monster */
    uint32_t digest; /**< of what the fight was made of when the win window was last minded */
};

struct frame_enter { /* seat: the main fighter */
    uint8_t monster; /**< index + 1 */
};

struct frame_flee {  /* seat: who runs now */
    uint16_t card;   /**< the monster asked for, or NO_CARD */
    int16_t total;   /**< what the roll came to that something may still save from */
    int16_t missing; /**< by how much the roll failed */
    uint8_t helper;  /**< who runs next, or NO_SEAT */
    uint8_t monster; /**< of the roll at hand: index + 1, or 0 */
};

struct frame_roll { /* seat: who rolls */
    uint16_t card;  /**< the monster fled from, or the card the roll is for */
    int16_t need;
    uint8_t what;  /**< enum roll_for */
    uint8_t face;  /**< 0 before it is thrown */
    uint8_t fixed; /**< enum roll_fixed */
};

struct frame_program { /* seat: self */
    uint16_t card;     /**< whose rows */
    uint16_t about;    /**< the target or paid card, or NO_CARD */
    uint16_t with;     /**< the second card of a play, or NO_CARD */
    uint16_t row;    /**< the row at hand: an index into box.rows, its card's last + 1 at the end */
    int16_t paid;    /**< cards paid, or by how much a flight failed, or what `roll` came to */
    int16_t amount;  /**< of the op at hand, rolled or counted once */
    uint8_t trigger; /**< enum trigger: which rows act */
    uint8_t ability; /**< ability id + 1: only rows of that name; 0: all */
    uint8_t target;  /**< the seat named, or NO_SEAT */
    uint8_t seats;   /**< bits of the seats that the op has still to serve */
    uint8_t served;  /**< the seat that it serves now */
    uint8_t left;    /**< cards that the seat served still takes; times `suffer` has acted */
    uint8_t monster; /**< the monster concerned: index + 1, or 0 */
    uint8_t did;     /**< bits, enum program_did */
};

struct frame_curse { /* seat: the victim */
    uint16_t card;
    uint8_t player; /**< who played it, or NO_SEAT: turned up */
    uint8_t tried;  /**< 1: a Secret Identity was tried */
};

struct frame_bodies {            /* seat: whose body, NO_SEAT before the first */
    uint8_t next;                /**< the next body's place in the order of deaths */
    uint8_t phase;               /**< the phase to go back to */
    uint8_t at, count;           /**< of `order`: who chooses now, how many there are */
    uint8_t order[MB_SEATS_MAX]; /**< the looters */
};

struct frame_reward { /* seat: the winner */
    int16_t treasures, levels, kills;
    uint8_t helper; /**< or NO_SEAT */
    uint8_t next;   /**< the next monster whose text is looked at */
};

struct frame_share { /* seat: the main fighter */
    int16_t own;     /**< Treasures the main fighter still gets */
    int16_t helpers; /**< Treasures the helper still gets */
    uint8_t helper;
    uint8_t helper_picks; /**< 1: the helper is next */
};

struct frame_draw { /* seat: who draws */
    uint16_t card;  /**< acts as it is drawn, or NO_CARD */
    int16_t left;
    uint8_t deck; /**< enum card_deck */
    uint8_t to;   /**< enum draw_to */
};

struct frame_repair { /* seat: who has too much */
    uint16_t card;    /**< the Big Item whose receiver is asked for, or NO_CARD */
    uint8_t what;     /**< enum repair_kind */
};

struct frame_would { /* seat: who may be saved */
    uint16_t card;   /**< what is lost, strikes, catches or kills */
    uint16_t saver;  /**< the card that is asked about */
    uint8_t trigger; /**< enum trigger */
};

struct frame_theft { /* seat: the thief */
    uint16_t card;
    uint8_t victim;
};

struct frame_identity { /* seat: the victim */
    uint16_t card;      /**< the Trap */
    uint16_t identity;  /**< the card that is tried */
    int16_t total;      /**< what the roll came to */
};

struct frame_waiting { /* seat: before whom the card lies, NO_SEAT: none at hand */
    uint16_t card;     /**< about to be lost, or NO_CARD */
};

struct frame_played { /* seat: who played it */
    uint16_t card;
};

struct frame {
    uint8_t kind;   /**< enum frame_kind */
    uint8_t step;   /**< named steps of the kind */
    uint8_t seat;   /**< whose business it is, or NO_SEAT */
    uint8_t result; /**< of the frame above it, when that has ended */
    union {
        struct frame_setup setup;
        struct frame_turn turn;
        struct frame_fight fight;
        struct frame_enter enter;
        struct frame_flee flee;
        struct frame_roll roll;
        struct frame_program program;
        struct frame_curse curse;
        struct frame_bodies bodies;
        struct frame_reward reward;
        struct frame_share share;
        struct frame_draw draw;
        struct frame_repair repair;
        struct frame_would would;
        struct frame_theft theft;
        struct frame_identity identity;
        struct frame_waiting waiting;
        struct frame_played played;
    };
};

_Static_assert(sizeof(struct frame) == 24, "a frame takes 24 bytes");

enum { FRAME_CARDS_MAX = 3 };
/** The cards that a frame refers to, NO_CARD where it might and does not; returns how many. */
unsigned frame_cards(const struct frame *frame, uint16_t out[FRAME_CARDS_MAX]);
bool frame_mentions(const struct frame *frame, uint16_t card);

#endif
