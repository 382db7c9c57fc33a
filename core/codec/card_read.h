/*
 * One card of a card file, in two passes, because cards name each other: declaring enters what
 * others may name (its name, its trait, its tags), reading fills the definition.
 */
#ifndef CORE_CODEC_CARD_READ_H
#define CORE_CODEC_CARD_READ_H

#include "core/codec/reading.h"

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
