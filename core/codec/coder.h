/*
 * One walk over the fields of a value that serves all three: writing it, reading it, and comparing
 * what was read with how it would be written, so that a value has one form only.
 *
 * Bytes follow one another, numbers little end first; runs of zero bytes are kept as 0 and their
 * length. A coder that has met a fault (no room, bytes that end too early, another form) is `bad`
 * and goes on harmlessly: who walks asks once, at the end. Knows no value: each has its own walk.
 */
#ifndef CORE_CODEC_CODER_H
#define CORE_CODEC_CODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum coder_mode { CODER_WRITE, CODER_READ, CODER_VERIFY };

struct coder {
    enum coder_mode mode;
    unsigned char *out;      /**< CODER_WRITE */
    const unsigned char *in; /**< the others */
    size_t at, size;
    unsigned zeros; /**< of a run that is not written yet, or not read yet */
    bool bad;
};

struct coder coder_write(unsigned char *out, size_t size);
struct coder coder_read(const unsigned char *in, size_t size);
struct coder coder_verify(const unsigned char *in, size_t size);
/** Ends the walk: the last run is written; true if nothing was bad and, reading or comparing, all
 * bytes were used. `at` is the length then. */
bool coder_end(struct coder *coder);

/* Values: written from, read into. */

void coder_u8(struct coder *coder, uint8_t *value);
void coder_u16(struct coder *coder, uint16_t *value);
void coder_i16(struct coder *coder, int16_t *value);
void coder_u32(struct coder *coder, uint32_t *value);
void coder_u64(struct coder *coder, uint64_t *value);
void coder_i64(struct coder *coder, int64_t *value);
void coder_bool(struct coder *coder, bool *value); /**< bad if it is neither 0 nor 1 */
void coder_bytes(struct coder *coder, uint8_t *values, size_t count);
/** A text with its end, in a field of `size` bytes; what follows the end is written as zero and
 * must be read so. Bad if it holds no end. */
void coder_text(struct coder *coder, char *text, size_t size);
/** A number below `limit`; bad if it is not. */
void coder_below(struct coder *coder, uint8_t *value, unsigned limit);
/** Card numbers, where "none" (0xFFFF) is frequent: kept as number + 1, so that none is zero. */
void coder_card(struct coder *coder, uint16_t *card);

/* What stands around a walk: heads and check sums, four bytes in the same order. */

void coder_store_u32(unsigned char *out, uint32_t value);
uint32_t coder_load_u32(const unsigned char *in);
/** CRC-32 (IEEE 802.3). */
uint32_t coder_crc32(const unsigned char *bytes, size_t size);

#endif
