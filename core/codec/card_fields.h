/*
 * The fields of a card in a card file: which kinds have them, and one line on each. The loader
 * refuses what is not in this table; the reference prints it.
 */
#ifndef CORE_CODEC_CARD_FIELDS_H
#define CORE_CODEC_CARD_FIELDS_H

#include <stdbool.h>
#include <stdint.h>

struct card_field {
    const char *name;
    uint32_t kinds;   /**< bits of enum card_kind; 0: all */
    const char *help; /**< one line, for the reference */
};

/** In the order of the reference; ends with a NULL name. */
extern const struct card_field CARD_FIELDS[];
/** Their names, NULL-terminated. */
extern const char *const CARD_KEYS[];

bool card_field_fits(const struct card_field *field, unsigned kind);

#endif
