/*
 * Digests that say what came of a game: of a command with the state it led to, and of JSON values.
 *
 * An outcome covers what people could argue about: where every card is and who knows it, Levels,
 * seats, fight, deals, questions, clocks' counters, and how far the generator has come (so every
 * roll and shuffle). It leaves out numbers that depend on which other sets a program has loaded.
 * Equal states give equal outcomes on every machine; the layout is versioned with the export
 * format (bot/journal.h). Everything goes through BLAKE2b.
 */
#ifndef CORE_CODEC_OUTCOME_H
#define CORE_CODEC_OUTCOME_H

#include <stddef.h>
#include <stdint.h>

#include "core/game.h"

enum { OUTCOME_SIZE = 16, DIGEST_SIZE = 32, DIGEST_HEX_SIZE = 2 * DIGEST_SIZE + 1 };

struct json_t;

/** The digest of a state and of the command that led to it (NULL: none did). */
void outcome_of(const struct game *game, const struct command *command, uint8_t out[OUTCOME_SIZE]);
/** BLAKE2b-256 of bytes. */
void digest_of(const void *bytes, size_t size, uint8_t out[DIGEST_SIZE]);
/** Of a JSON value, whatever its layout and the order of its keys. */
void digest_of_json(const struct json_t *json, uint8_t out[DIGEST_SIZE]);
/** Small hexadecimal digits and an end: 2 * size + 1 characters. */
void digest_hex(const uint8_t *bytes, size_t size, char *out);
/** The bytes of exactly 2 * size hexadecimal digits; false if `text` is anything else. */
bool digest_read(const char *text, uint8_t *out, size_t size);

#endif
