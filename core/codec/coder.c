#include "core/codec/coder.h"

#include <string.h>

enum { RUN_MAX = 255 };

struct coder coder_write(unsigned char *out, size_t size)
{
    return (struct coder){.mode = CODER_WRITE, .out = out, .size = size};
}

struct coder coder_read(const unsigned char *in, size_t size)
{
    return (struct coder){.mode = CODER_READ, .in = in, .size = size};
}

struct coder coder_verify(const unsigned char *in, size_t size)
{
    return (struct coder){.mode = CODER_VERIFY, .in = in, .size = size};
}

static void emit(struct coder *coder, unsigned byte)
{
    if (coder->at >= coder->size) {
        coder->bad = true;
        return;
    }
    if (coder->mode == CODER_VERIFY) {
        coder->bad = coder->bad || coder->in[coder->at] != byte;
    } else {
        coder->out[coder->at] = (unsigned char)byte;
    }
    coder->at++;
}

static void flush(struct coder *coder)
{
    if (coder->zeros > 0) {
        emit(coder, 0);
        emit(coder, coder->zeros);
        coder->zeros = 0;
    }
}

static void put(struct coder *coder, unsigned byte)
{
    if (byte != 0) {
        flush(coder);
        emit(coder, byte);
    } else if (++coder->zeros == RUN_MAX) {
        flush(coder);
    }
}

static unsigned take(struct coder *coder)
{
    if (coder->at >= coder->size) {
        coder->bad = true;
        return 0;
    }
    return coder->in[coder->at++];
}

static unsigned get(struct coder *coder)
{
    if (coder->zeros > 0) {
        coder->zeros--;
        return 0;
    }
    const unsigned byte = take(coder);
    if (byte == 0) {
        const unsigned run = take(coder);
        if (run == 0) {
            coder->bad = true;
            return 0;
        }
        coder->zeros = run - 1;
    }
    return byte;
}

bool coder_end(struct coder *coder)
{
    if (coder->mode != CODER_READ) {
        flush(coder);
    }
    const bool all = coder->mode == CODER_WRITE || coder->at == coder->size;
    coder->bad = coder->bad || !all || (coder->mode == CODER_READ && coder->zeros > 0);
    return !coder->bad;
}

void coder_u8(struct coder *coder, uint8_t *value)
{
    if (coder->mode == CODER_READ) {
        *value = (uint8_t)get(coder);
    } else {
        put(coder, *value);
    }
}

// Whole runs of zeros at a time: most of a value is empty.
static size_t zeros_at(const uint8_t *values, size_t count)
{
    size_t at = 0;
    uint64_t word = 0;
    while (at + sizeof word <= count) {
        memcpy(&word, values + at, sizeof word);
        if (word != 0) {
            break;
        }
        at += sizeof word;
    }
    while (at < count && values[at] == 0) {
        at++;
    }
    return at;
}

static void put_zeros(struct coder *coder, size_t count)
{
    while (count > 0) {
        const size_t room = RUN_MAX - coder->zeros;
        const size_t some = count < room ? count : room;
        coder->zeros += (unsigned)some;
        count -= some;
        if (coder->zeros == RUN_MAX) {
            flush(coder);
        }
    }
}

void coder_bytes(struct coder *coder, uint8_t *values, size_t count)
{
    size_t at = 0;
    if (coder->mode == CODER_READ) {
        while (at < count) {
            if (coder->zeros > 0) {
                const size_t some = coder->zeros < count - at ? coder->zeros : count - at;
                memset(values + at, 0, some);
                coder->zeros -= (unsigned)some;
                at += some;
            } else {
                values[at++] = (uint8_t)get(coder);
            }
        }
        return;
    }
    while (at < count) {
        const size_t zeros = zeros_at(values + at, count - at);
        put_zeros(coder, zeros);
        at += zeros;
        if (at < count) {
            put(coder, values[at++]);
        }
    }
}

void coder_u16(struct coder *coder, uint16_t *value)
{
    uint8_t bytes[2] = {(uint8_t)(*value & 0xFFu), (uint8_t)(*value >> 8)};
    coder_u8(coder, &bytes[0]);
    coder_u8(coder, &bytes[1]);
    *value = (uint16_t)(bytes[0] | (unsigned)bytes[1] << 8);
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
    uint16_t low = (uint16_t)(*value & 0xFFFFu);
    uint16_t high = (uint16_t)(*value >> 16);
    coder_u16(coder, &low);
    coder_u16(coder, &high);
    *value = (uint32_t)low | (uint32_t)high << 16;
}

void coder_u64(struct coder *coder, uint64_t *value)
{
    uint32_t low = (uint32_t)(*value & 0xFFFFFFFFu);
    uint32_t high = (uint32_t)(*value >> 32);
    coder_u32(coder, &low);
    coder_u32(coder, &high);
    *value = (uint64_t)low | (uint64_t)high << 32;
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

void coder_text(struct coder *coder, char *text, size_t size)
{
    coder_bytes(coder, (uint8_t *)text, size);
    const char *const end = memchr(text, '\0', size);
    if (end == NULL) {
        text[size - 1] = '\0';
        coder->bad = true;
        return;
    }
    const size_t length = (size_t)(end - text);
    coder->bad = coder->bad || zeros_at((const uint8_t *)end, size - length) != size - length;
}

void coder_below(struct coder *coder, uint8_t *value, unsigned limit)
{
    coder_u8(coder, value);
    coder->bad = coder->bad || *value >= limit;
    *value = *value < limit ? *value : 0;
}

void coder_card(struct coder *coder, uint16_t *card)
{
    uint16_t value = (uint16_t)(*card + 1u);
    coder_u16(coder, &value);
    *card = (uint16_t)(value - 1u);
}

uint32_t coder_crc32(const unsigned char *bytes, size_t size)
{
    // Four bits at a time.
    static const uint32_t TABLE[16] = {
        0x00000000u, 0x1DB71064u, 0x3B6E20C8u, 0x26D930ACu, 0x76DC4190u, 0x6B6B51F4u,
        0x4DB26158u, 0x5005713Cu, 0xEDB88320u, 0xF00F9344u, 0xD6D6A3E8u, 0xCB61B38Cu,
        0x9B64C2B0u, 0x86D3D2D4u, 0xA00AE278u, 0xBDBDF21Cu,
    };
    uint32_t crc = 0xFFFFFFFFu;
    for (size_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        crc = crc >> 4 ^ TABLE[crc & 15u];
        crc = crc >> 4 ^ TABLE[crc & 15u];
    }
    return ~crc;
}
