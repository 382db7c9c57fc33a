/*
 * Cards, rows, amounts, requirements, filters and costs out of card files, into the catalog's
 * tables.
 *
 * Everything that a schema (core/card/effect_schema.h) or a word list knows is checked here, so
 * that the core's ops may assert. What is refused leaves no trace in a row that is kept: the card's
 * set is marked and never played.
 */
#ifndef CORE_CODEC_ROW_READ_H
#define CORE_CODEC_ROW_READ_H

#include "core/codec/reading.h"

/** Reads the value of `rows` and appends its rows to the catalog. */
void rows_read(struct reading *reading, const json_t *list);
/** Appends a static row for a card's short field (`bonus`, `treasures`), given as an amount. */
void row_read_short(struct reading *reading, const char *key, const json_t *value,
                    enum effect_op op);
/** Reads a list of requirements (`needs`, `if`): first index and count in the catalog's table. */
void requirements_read(struct reading *reading, const char *key, const json_t *list,
                       uint16_t *first, uint8_t *count);
void amount_read(struct reading *reading, const char *key, const json_t *value, struct amount *out);
/** Gives the filter's index + 1, or 0 if it is wrong. */
uint16_t filter_read(struct reading *reading, const char *key, const json_t *value);
/** Whether a filter (index + 1; 0: none) looks into a hand. One that names no place does. */
bool filter_looks_into_hand(const struct catalog *catalog, unsigned filter);
/** Gives the cost's index + 1, or 0 if it is wrong. */
uint16_t cost_read(struct reading *reading, const char *key, const json_t *value);

/** How a requirement is written. */
enum requirement_type {
    ASKS_FACT, /**< true */
    ASKS_NUMBER,
    ASKS_TRAIT,
    ASKS_KIND, /**< class, race, faction, birthright, power, origin */
    ASKS_SEX,
    ASKS_SLOT,
    ASKS_CARDS, /**< a filter, and `count` beside it */
    ASKS_TAG,
    ASKS_NAME
};
enum requirement_type requirement_type(unsigned kind);

/** The fields of a row that are no op's own, of a filter, of an amount, of a cost: NULL-terminated.
 */
extern const char *const ROW_KEYS[];
extern const char *const FILTER_KEYS[];

/*
 * One card of a card file, in two passes, because cards name each other: declaring enters what
 * others may name (its name, its trait, its tags), reading fills the definition.
 */

/** Where the cards of a file belong. */
struct card_place {
    uint8_t set;
    uint8_t deck; /**< enum card_deck, or DECK_BY_KIND */
};
enum { DECK_BY_KIND = 0xFF };

/** Pass one: gives the definition's number, or NO_DEF if the card cannot be entered (reported). */
uint16_t card_declare(struct reading *reading, const json_t *card, struct card_place place);
/** Pass two. */
void card_read(struct reading *reading, const json_t *card, uint16_t number);

#endif
