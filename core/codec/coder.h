/*
 * One walk over the fields of a value that writes and reads it, so that a value has one form only:
 * a reader writes again what it has read and compares.
 *
 * The plain form: values follow one another, numbers little end first. The packed form of that is
 * what is kept: of each eight bytes those that are not zero, and runs of zeros by their length. A
 * coder that has met a fault (no room, bytes that end too early, a value that cannot be) is `bad`
 * and goes on harmlessly: who walks asks once, at the end. Knows no value: each has its own walk.
 */
#ifndef CORE_CODEC_CODER_H
#define CORE_CODEC_CODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct coder {
    bool reads;
    unsigned char *out;      /**< writing */
    const unsigned char *in; /**< reading */
    size_t at, size;
    unsigned form; /**< the number of the form that is walked: what came with form 2 is walked where
                        `form >= 2`, and has its first value else */
    bool bad;
};

/** Writes the plain form, which has the length `at` then; `size` is a multiple of eight. */
struct coder coder_write(unsigned char *plain, size_t size);
/** Reads the plain form. */
struct coder coder_read(const unsigned char *plain, size_t size);
/** Packs what was written; its length, 0 if the walk was bad or `size` is too small. */
size_t coder_pack(const struct coder *coder, unsigned char *out, size_t size);
/** Unpacks and begins to read; false if the bytes are no packed form of at most `room` bytes. */
bool coder_unpack(const unsigned char *in, size_t size, unsigned char *plain, size_t room,
                  struct coder *out);
/** Ends the walk: true if nothing was bad and, reading, all was used. */
bool coder_end(struct coder *coder);
/** The next `count` bytes of the plain form, to write into or to read; NULL, and bad, if there are
 * no more. */
static inline unsigned char *coder_room(struct coder *coder, size_t count)
{
    if (coder->size - coder->at < count) {
        coder->bad = true;
        return NULL;
    }
    coder->at += count;
    return coder->out + coder->at - count;
}

static inline const unsigned char *coder_take(struct coder *coder, size_t count)
{
    if (coder->size - coder->at < count) {
        coder->bad = true;
        return NULL;
    }
    coder->at += count;
    return coder->in + coder->at - count;
}

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
 * must be read so. Bad if it holds no end, or is read and no UTF-8: it will be shown. */
void coder_text(struct coder *coder, char *text, size_t size);
/** A number below `limit`; bad if it is not. */
void coder_below(struct coder *coder, uint8_t *value, unsigned limit);
/** Card numbers, where "none" (0xFFFF) is frequent: kept as number + 1, so that none is zero. */
void coder_card(struct coder *coder, uint16_t *card);

/* What stands around a walk: heads and check sums, four bytes in the same order. */

enum { CODER_HEAD_SIZE = 4 };
/** Three letters that say what follows, and the number of its form. */
void coder_head_write(unsigned char *out, const char *letters, unsigned form);
/** The form that a head names; 0 if the letters are others. */
unsigned coder_head_form(const unsigned char *in, const char *letters);

void coder_store_u32(unsigned char *out, uint32_t value);
uint32_t coder_load_u32(const unsigned char *in);
/** A check sum against damage, not against forgers. */
uint32_t coder_sum(const unsigned char *bytes, size_t size);

#endif
