#include "core/codec/normal.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Reads a text byte by byte in normal form; a blank stands between words. */
struct reader {
    const char *at, *end;
    char pending[4]; // bytes of the letter being given out
    unsigned pending_at, pending_count;
    bool started; // something was given out
    bool gap;     // punctuation or blanks since
};

static uint32_t decode(const char **at, const char *end)
{
    const unsigned char *p = (const unsigned char *)*at;
    size_t left = (size_t)(end - *at);
    unsigned extra = p[0] < 0xC0 ? 0 : p[0] < 0xE0 ? 1 : p[0] < 0xF0 ? 2 : 3;
    if (p[0] < 0x80 || extra == 0 || extra >= left) {
        *at += 1;
        return p[0] < 0x80 ? p[0] : ' ';
    }
    uint32_t code = p[0] & (0x3Fu >> extra);
    for (unsigned i = 1; i <= extra; i++) {
        code = code << 6 | (p[i] & 0x3Fu);
    }
    *at += 1 + extra;
    return code;
}

static unsigned encode(uint32_t code, char out[4])
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    unsigned extra = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const unsigned char LEAD[] = {0, 0xC0, 0xE0, 0xF0};
    out[0] = (char)(LEAD[extra] | code >> (6 * extra));
    for (unsigned i = 1; i <= extra; i++) {
        out[i] = (char)(0x80 | (code >> (6 * (extra - i)) & 0x3F));
    }
    return 1 + extra;
}

/* Small letters of Latin, Greek and Cyrillic; of other scripts the letter itself. */
static uint32_t fold_case(uint32_t code)
{
    if (code >= 'A' && code <= 'Z') {
        return code + 0x20;
    }
    if (code < 0xC0) {
        return code;
    }
    if ((code <= 0xDE && code != 0xD7) || (code >= 0x391 && code <= 0x3A9) ||
        (code >= 0x410 && code <= 0x42F)) {
        return code + 0x20;
    }
    if (code >= 0x400 && code <= 0x40F) {
        return code + 0x50;
    }
    if ((code >= 0x100 && code <= 0x137) || (code >= 0x14A && code <= 0x177)) {
        return code | 1u;
    }
    return code;
}

static bool is_apostrophe(uint32_t code)
{
    return code == '\'' || code == '`' || code == 0xB4 || code == 0x2018 || code == 0x2019;
}

static bool is_letter(uint32_t code)
{
    if (code < 0x80) {
        return (code >= 'a' && code <= 'z') || (code >= '0' && code <= '9');
    }
    // Latin-1's signs, general punctuation and wide blanks stand between words.
    return !(code < 0xC0 && code != 0xAA && code != 0xBA && code != 0xB5) &&
           !(code >= 0x2000 && code <= 0x206F) && code != 0x3000;
}

static const char *skip_prefix(const char *at, const char *end)
{
    static const char *const PREFIXES[] = {"curse!", "trap!", "curse:", "trap:"};
    for (size_t i = 0; i < sizeof PREFIXES / sizeof PREFIXES[0]; i++) {
        size_t length = strlen(PREFIXES[i]);
        size_t same = 0;
        while (same < length && at + same < end &&
               fold_case((unsigned char)at[same]) == (unsigned char)PREFIXES[i][same]) {
            same++;
        }
        if (same < length) {
            continue;
        }
        for (const char *rest = at + length; rest < end;) {
            if (is_letter(fold_case(decode(&rest, end)))) {
                return at + length;
            }
        }
    }
    return at;
}

static struct reader reader_start(const char *text, size_t length)
{
    struct reader reader = {.at = text, .end = text + length};
    for (const char *next = text; next < reader.end; reader.at = next) {
        if (is_letter(fold_case(decode(&next, reader.end)))) {
            break;
        }
    }
    // A prefix has six letters at the most, so most names are let off after one comparison.
    if (reader.at < reader.end && ((*reader.at | 0x20) == 'c' || (*reader.at | 0x20) == 't')) {
        reader.at = skip_prefix(reader.at, reader.end);
    }
    return reader;
}

/* The next byte, or 0 at the end. */
static unsigned char reader_next(struct reader *reader)
{
    if (reader->pending_at < reader->pending_count) {
        return (unsigned char)reader->pending[reader->pending_at++];
    }
    while (reader->at < reader->end) {
        unsigned char plain = (unsigned char)*reader->at;
        if (plain >= 'a' && plain <= 'z' && !reader->gap) { // nearly all there is
            reader->at++;
            reader->started = true;
            return plain;
        }
        uint32_t code = fold_case(decode(&reader->at, reader->end));
        if (is_apostrophe(code)) {
            continue;
        }
        if (!is_letter(code)) {
            reader->gap = reader->started;
            continue;
        }
        reader->started = true;
        reader->pending_count = encode(code, reader->pending);
        reader->pending_at = 0;
        if (reader->gap) {
            reader->gap = false;
            return ' ';
        }
        reader->pending_at = 1;
        return (unsigned char)reader->pending[0];
    }
    return 0;
}

size_t normal_form(const char *text, size_t length, char *out, size_t size)
{
    struct reader reader = reader_start(text, length);
    size_t count = 0;
    for (unsigned char c = reader_next(&reader); c != 0 && count + 1 < size;
         c = reader_next(&reader)) {
        out[count++] = (char)c;
    }
    if (size > 0) {
        out[count] = '\0';
    }
    return count;
}

size_t normal_lead(const char *normal, size_t length, const char *name)
{
    struct reader reader = reader_start(name, strlen(name));
    size_t same = 0;
    for (unsigned char c = reader_next(&reader); c != 0; c = reader_next(&reader)) {
        if (same >= length || (unsigned char)normal[same] != c) {
            return 0;
        }
        same++;
    }
    return same == length || normal[same] == ' ' ? same : 0;
}
