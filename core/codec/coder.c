#include "core/codec/coder.h"

#include <string.h>

#include "core/codec/utf8.h"

enum { WORD = 8, RUN_MAX = 255, FOUR = 4, PIECE = 64 };

static const uint64_t EACH = UINT64_C(0x0101010101010101); // one in each byte

struct coder coder_write(unsigned char *plain, size_t size)
{
    return (struct coder){.out = plain, .size = size};
}

struct coder coder_read(const unsigned char *plain, size_t size)
{
    return (struct coder){.reads = true, .in = plain, .size = size};
}

/* Packing: words of eight bytes. */

// Eight bytes as a number, the little end first.
static inline uint64_t load_word(const unsigned char *bytes)
{
    uint64_t word = 0;
    memcpy(&word, bytes, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

static inline void store_word(unsigned char *bytes, uint64_t word)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    memcpy(bytes, &word, sizeof word);
}

// One in each byte that is not zero.
static inline uint64_t ones_of(uint64_t word)
{
    static const uint64_t LOW = UINT64_C(0x7F7F7F7F7F7F7F7F);
    return ((((word & LOW) + LOW) | word) & ~LOW) >> 7;
}

/** A word's bytes on their way down, and how many places each has still to go. */
struct sinking {
    uint64_t bytes, places;
};

// Those with this bit in their places go down by as many; two never meet, for between them lies
// what the upper one passes: where it comes to there is nothing, or what goes down as far.
static inline struct sinking sink_bytes(struct sinking at, unsigned bit)
{
    const uint64_t mask = (at.places >> bit & EACH) * 0xFFu;
    const unsigned down = (unsigned)WORD << bit;
    const uint64_t bytes = at.bytes & mask;
    const uint64_t places = at.places & mask;
    return (struct sinking){.bytes = at.bytes ^ bytes ^ bytes >> down,
                            .places = at.places ^ places ^ places >> down};
}

// The bytes that are not zero, moved below the others: all at once and without a branch for each,
// for what they are cannot be foreseen. `gaps`: so many zeros lie at or below each byte.
static inline uint64_t squeeze_word(uint64_t word, uint64_t ones, uint64_t gaps)
{
    static const uint64_t PAIRS = UINT64_C(0x0001000100010001);
    static const uint64_t FOURS = UINT64_C(0x0000FFFF0000FFFF);
    if (ones == PAIRS) { // four small numbers of two bytes: cards of a pile
        word = (word | word >> WORD) & FOURS;
        return (word | word >> 2 * WORD) & UINT64_C(0xFFFFFFFF);
    }
    const struct sinking at = {.bytes = word, .places = gaps & ones * 0xFFu};
    return at.places != 0 ? sink_bytes(sink_bytes(sink_bytes(at, 0), 1), 2).bytes : word;
}

// A word as the bits of its bytes that are not zero, and those bytes. Writes nine bytes, whatever
// it uses.
static inline size_t pack_word(uint64_t word, unsigned char *out)
{
    const uint64_t ones = ones_of(word);
    const uint64_t gaps = (ones ^ EACH) * EACH;
    out[0] = (unsigned char)(ones * UINT64_C(0x0102040810204080) >> 56);
    store_word(out + 1, squeeze_word(word, ones, gaps));
    return 1 + WORD - (size_t)(gaps >> 56);
}

// The same where there may be too little room: 0 then.
static size_t pack_close(uint64_t word, unsigned char *out, size_t room)
{
    unsigned char packed[WORD + 1];
    const size_t used = pack_word(word, packed);
    if (used > room) {
        return 0;
    }
    memcpy(out, packed, used);
    return used;
}

static inline bool is_zero(const unsigned char *plain, unsigned words)
{
    uint64_t all = 0;
    for (unsigned i = 0; i < words; i++) {
        all |= load_word(plain + (size_t)i * WORD);
    }
    return all == 0;
}

// The first byte from `at` on that lies in a word which is not zero, RUN_MAX words on at most.
static size_t skip_zeros(const unsigned char *plain, size_t at, size_t end)
{
    const size_t most = at + (size_t)RUN_MAX * WORD;
    end = end < most ? end : most;
    while (end - at >= (size_t)FOUR * WORD && is_zero(plain + at, FOUR)) {
        at += (size_t)FOUR * WORD;
    }
    while (at < end && is_zero(plain + at, 1)) {
        at += WORD;
    }
    return at;
}

size_t coder_pack(const struct coder *coder, unsigned char *out, size_t size)
{
    const unsigned char *const plain = coder->out;
    const size_t end = (coder->at + WORD - 1) / WORD * WORD;
    size_t used = 0;
    if (coder->bad || end > coder->size) {
        return 0;
    }
    memset(coder->out + coder->at, 0, end - coder->at);
    for (size_t at = 0; at < end;) {
        const uint64_t word = load_word(plain + at);
        if (word != 0 && size - used > WORD) {
            used += pack_word(word, out + used);
            at += WORD;
            continue;
        }
        if (word != 0) {
            const size_t some = pack_close(word, out + used, size - used);
            if (some == 0) {
                return 0;
            }
            used += some;
            at += WORD;
            continue;
        }
        if (size - used < 2) {
            return 0;
        }
        const size_t next = skip_zeros(plain, at, end);
        out[used++] = 0;
        out[used++] = (unsigned char)((next - at) / WORD);
        at = next;
    }
    return used;
}

// The word of these bits and bytes; 0 if a byte of them is missing or zero.
static size_t unpack_word(const unsigned char *in, size_t size, unsigned char *word)
{
    size_t at = 1;
    unsigned some = 0;
    for (unsigned i = 0; i < WORD; i++) {
        const unsigned has = in[0] >> i & 1u;
        word[i] = at < size && has != 0 ? in[at] : 0;
        some |= (word[i] != 0 ? 1u : 0u) << i;
        at += has;
    }
    return some == in[0] ? at : 0;
}

bool coder_unpack(const unsigned char *in, size_t size, unsigned char *plain, size_t room,
                  struct coder *out)
{
    size_t at = 0;
    size_t run = 0;
    size_t length = 0;
    while (at < size) {
        if (in[at] != 0) {
            const size_t used =
                room - length < WORD ? 0 : unpack_word(in + at, size - at, plain + length);
            if (used == 0) {
                return false;
            }
            at += used;
            length += WORD;
            run = 0;
            continue;
        }
        const bool follows = run > 0 && run < RUN_MAX; // one run would have held both
        run = at + 1 < size ? in[at + 1] : 0;
        if (run == 0 || follows || room - length < run * WORD) {
            return false;
        }
        memset(plain + length, 0, run * WORD);
        at += 2;
        length += run * WORD;
    }
    *out = coder_read(plain, length);
    return true;
}

bool coder_end(struct coder *coder)
{
    coder->bad = coder->bad || (coder->reads && coder->size - coder->at >= WORD);
    for (size_t i = coder->at; coder->reads && i < coder->size; i++) {
        coder->bad = coder->bad || coder->in[i] != 0;
    }
    return !coder->bad;
}

void coder_bytes(struct coder *coder, uint8_t *values, size_t count)
{
    if (!coder->reads) {
        unsigned char *const to = coder_room(coder, count);
        if (to != NULL) {
            memcpy(to, values, count);
        }
        return;
    }
    const unsigned char *const from = coder_take(coder, count);
    if (from != NULL) {
        memcpy(values, from, count);
    } else {
        memset(values, 0, count);
    }
}

// `size` bytes of a number, the little end first.
static inline uint64_t code_number(struct coder *coder, uint64_t value, unsigned size)
{
    if (!coder->reads) {
        unsigned char bytes[WORD];
        unsigned char *const to = coder_room(coder, size);
        store_word(bytes, value);
        if (to != NULL) {
            memcpy(to, bytes, size);
        }
        return value;
    }
    const unsigned char *const from = coder_take(coder, size);
    value = 0;
    for (unsigned i = 0; from != NULL && i < size; i++) {
        value |= (uint64_t)from[i] << (8 * i);
    }
    return value;
}

void coder_u8(struct coder *coder, uint8_t *value)
{
    if (coder->reads) {
        const unsigned char *const from = coder_take(coder, 1);
        *value = from != NULL ? *from : 0;
        return;
    }
    unsigned char *const to = coder_room(coder, 1);
    if (to != NULL) {
        *to = *value;
    }
}

void coder_u16(struct coder *coder, uint16_t *value)
{
    *value = (uint16_t)code_number(coder, *value, 2);
}

void coder_i16(struct coder *coder, int16_t *value)
{
    uint16_t bits = 0;
    memcpy(&bits, value, sizeof bits);
    coder_u16(coder, &bits);
    memcpy(value, &bits, sizeof bits);
}

void coder_u32(struct coder *coder, uint32_t *value)
{
    *value = (uint32_t)code_number(coder, *value, 4);
}

void coder_u64(struct coder *coder, uint64_t *value)
{
    *value = code_number(coder, *value, 8);
}

void coder_i64(struct coder *coder, int64_t *value)
{
    uint64_t bits = 0;
    memcpy(&bits, value, sizeof bits);
    coder_u64(coder, &bits);
    memcpy(value, &bits, sizeof bits);
}

void coder_bool(struct coder *coder, bool *value)
{
    uint8_t byte = *value ? 1 : 0;
    coder_below(coder, &byte, 2);
    *value = byte == 1;
}

static void read_text(struct coder *coder, char *text, size_t size)
{
    coder_bytes(coder, (uint8_t *)text, size);
    const char *end = memchr(text, '\0', size);
    if (end == NULL) {
        text[size - 1] = '\0';
        coder->bad = true;
        return;
    }
    while (end < text + size && *end == '\0') {
        end++;
    }
    coder->bad = coder->bad || end < text + size || !utf8_is_text(text);
}

// Piece by piece: most texts are empty and their fields short, so that one call for each with its
// length found out anew would cost more than the work.
static void clear_bytes(unsigned char *to, size_t size)
{
    if (size < PIECE) {
        memset(to, 0, size);
        return;
    }
    for (size_t at = 0; size - at >= PIECE; at += PIECE) {
        memset(to + at, 0, PIECE);
    }
    memset(to + size - PIECE, 0, PIECE);
}

void coder_text(struct coder *coder, char *text, size_t size)
{
    if (coder->reads) {
        read_text(coder, text, size);
        return;
    }
    // What an earlier, longer text has left behind the end is nobody's business.
    unsigned char *const to = coder_room(coder, size);
    const char *const end = memchr(text, '\0', size);
    coder->bad = coder->bad || end == NULL;
    if (to != NULL && end != NULL) {
        clear_bytes(to, size);
        memcpy(to, text, (size_t)(end - text));
    }
}

void coder_below(struct coder *coder, uint8_t *value, unsigned limit)
{
    coder_u8(coder, value);
    const bool wrong = *value >= limit;
    coder->bad = coder->bad || wrong;
    if (wrong && coder->reads) {
        *value = 0; // who walks on may count with it
    }
}

void coder_card(struct coder *coder, uint16_t *card)
{
    uint16_t value = (uint16_t)(*card + 1u);
    coder_u16(coder, &value);
    *card = (uint16_t)(value - 1u);
}

void coder_store_u32(unsigned char *out, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++) {
        out[i] = (unsigned char)(value >> (8 * i) & 0xFFu);
    }
}

uint32_t coder_load_u32(const unsigned char *in)
{
    return in[0] | (uint32_t)in[1] << 8 | (uint32_t)in[2] << 16 | (uint32_t)in[3] << 24;
}

// One to one, so a change of one word changes the sum's 64 bits for certain.
static uint64_t add_to_sum(uint64_t sum, uint64_t word)
{
    sum = (sum ^ word) * UINT64_C(0xD6E8FEB86659FD93);
    return sum ^ sum >> 32;
}

uint32_t coder_sum(const unsigned char *bytes, size_t size)
{
    uint64_t sum = UINT64_C(0x9E3779B97F4A7C15) ^ size;
    const size_t whole = size / WORD * WORD;
    for (size_t at = 0; at < whole; at += WORD) {
        sum = add_to_sum(sum, load_word(bytes + at));
    }
    if (whole < size) {
        unsigned char last[WORD] = {0};
        memcpy(last, bytes + whole, size - whole);
        sum = add_to_sum(sum, load_word(last));
    }
    return (uint32_t)(sum & 0xFFFFFFFFu);
}

void coder_head_write(unsigned char *out, const char *letters, unsigned form)
{
    memcpy(out, letters, CODER_HEAD_SIZE - 1);
    out[CODER_HEAD_SIZE - 1] = (unsigned char)form;
}

unsigned coder_head_form(const unsigned char *in, const char *letters)
{
    return memcmp(in, letters, CODER_HEAD_SIZE - 1) == 0 ? in[CODER_HEAD_SIZE - 1] : 0;
}
