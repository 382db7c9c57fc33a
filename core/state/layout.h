/*
 * The records of the state, field by field: where each lies, what it is and what it may be.
 *
 * One table serves the encoding (codec/snapshot.c), the check of what was decoded
 * (codec/snapshot_check.c), the hiding of cards (redact.c) and the fuzzer that changes states field
 * by field (tests/fuzz/mutate_state.c). Whatever the engine takes for granted of a single field
 * stands here: what indexes an array, what must be there. What binds several fields or records
 * together stands in codec/snapshot_check.c.
 */
#ifndef CORE_STATE_LAYOUT_H
#define CORE_STATE_LAYOUT_H

#include <stddef.h>

#include "core/card/box.h"
#include "core/state/frame_record.h"

struct game;

enum field_kind {
    IS_NUMBER,        /**< from min to max */
    IS_SEAT,          /**< somebody at the table */
    IS_MAYBE_SEAT,    /**< or NO_SEAT */
    IS_RECEIVER,      /**< or NO_SEAT or ALL_SEATS */
    IS_SEATS,         /**< bits of seats at the table */
    IS_KNOWERS,       /**< or all bits: everybody, onlookers too */
    IS_CARD,          /**< a card of the box */
    IS_MAYBE_CARD,    /**< or NO_CARD */
    IS_CARDS,         /**< bits of cards of the box, eight a byte */
    IS_MONSTER,       /**< of the fight: index + 1 */
    IS_MAYBE_MONSTER, /**< or 0 */
    IS_ABILITY,       /**< ability id + 1 of the box, or 0 */
    IS_ROW,           /**< of the box, or one past the last */
    IS_LASTING        /**< an op that lasts, a counter of uses, or free */
};

struct field {
    const char *name;
    int64_t min, max; /**< IS_NUMBER */
    uint16_t offset;
    uint16_t times; /**< how many of them lie one after another */
    uint16_t used;  /**< offset of the byte that says how many of them count; NOT_COUNTED: all do */
    uint8_t size;   /**< bytes of one: 1, 2 or 4 */
    bool sign;
    uint8_t kind; /**< enum field_kind */
};

enum { NOT_COUNTED = 0xFFFF };

/** A record: its fields in the order in which they are written. */
struct layout {
    const struct field *fields;
    unsigned count;
};

/** What the state is made of, in the order in which it is written. The generator stands behind
 * HEAD, piles stand before CARDS; both have a form of their own. */
enum records_of {
    RECORDS_HEAD, /**< the game itself */
    RECORDS_SEATS,
    RECORDS_FIGHT,
    RECORDS_MONSTERS,
    RECORDS_OWED,
    RECORDS_WINDOW,
    RECORDS_MOMENT,
    RECORDS_DECISION,
    RECORDS_DEALS,
    RECORDS_FRAMES, /**< `layout` is what each begins with, see layout_of_frame() */
    RECORDS_WAITING,
    RECORDS_LASTING,
    RECORDS_SCRIPT,
    RECORDS_CARDS, /**< without their piles; written field by field */
    RECORDS_TOTAL
};

/** Records of one kind, one after another in the state. */
struct records {
    const char *name;
    const struct layout *layout;
    uint16_t offset, size; /**< in the state, of one */
    uint16_t most;
    uint16_t used; /**< offset in the state of the number that says how many count: a byte, or two
                        if there may be more; NOT_COUNTED: all do */
    bool all;      /**< those that do not count are written as well */
};
extern const struct records RECORDS[RECORDS_TOTAL];

/** How many of them count in this state; `most` at most. */
unsigned records_used(const struct game *game, const struct records *records);
/** The name of the first records in which a field holds what it may not; NULL if none does. */
const char *records_wrong(const struct game *game, const struct box *box);
/** The other fields of a kind of frame. */
struct layout layout_of_frame(unsigned kind);
/** The bytes of a frame that hold something: its fields follow one another without gaps. */
size_t layout_frame_size(unsigned kind);

/** The i-th of the field's values in a record. */
int64_t field_get(const void *record, const struct field *field, unsigned i);
void field_set(void *record, const struct field *field, unsigned i, int64_t value);
/** How many of its values count in this record; MB_LAYOUT_MAX at most. */
unsigned field_used(const void *record, const struct field *field);
/** Whether a value is one that the field may have, as its i-th. */
bool field_may_be(const struct game *game, const struct box *box, const struct field *field,
                  unsigned i, int64_t value);
static inline bool field_is_card(const struct field *field)
{
    return field->kind == IS_CARD || field->kind == IS_MAYBE_CARD;
}

/** What a frame in a step does when nothing lies above it. */
enum step_waits {
    STEP_UNKNOWN, /**< there is no such step */
    STEP_RUNS,    /**< goes on by itself */
    STEP_COMMAND, /**< waits for a command */
    STEP_MOMENT,  /**< waits for answers, in an answer moment */
    STEP_ASKS,    /**< asks if nothing has been asked yet */
    STEP_ASKED    /**< a question is open as long as it stands in this step */
};

enum step_needs {
    NEEDS_SEAT = 1,    /**< its seat is somebody */
    NEEDS_CARD = 2,    /**< its card is one */
    NEEDS_MONSTER = 4, /**< its monster is one */
    MAY_BE_NONE = 8    /**< nothing named is an answer too */
};

struct step {
    uint8_t waits;  /**< enum step_waits */
    uint8_t needs;  /**< enum step_needs: what else may be missing */
    uint16_t kinds; /**< bits of enum decision_kind: what it may ask */
};

/** What a frame's step means; for programs as the op of the row at hand has it. */
struct step layout_step(const struct box *box, const struct frame *frame);

#endif
