#include "core/codec/utf8.h"

#include <stddef.h>

unsigned utf8_read(const char *at, size_t left, uint32_t *code)
{
    static const uint32_t LEAST[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *const bytes = (const unsigned char *)at;
    const unsigned lead = left > 0 ? bytes[0] : 0x80u;
    const unsigned length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : UTF8_MOST;
    if (left < length || (lead >= 0x80 && lead < 0xC2) || lead > 0xF4) {
        return 0; // the inside of a character, or what no character begins with
    }
    uint32_t read = length == 1 ? lead : lead & (0x7Fu >> length);
    for (unsigned i = 1; i < length; i++) {
        if ((bytes[i] & 0xC0u) != 0x80u) {
            return 0;
        }
        read = read << 6 | (bytes[i] & 0x3Fu);
    }
    const bool surrogate = read >= 0xD800 && read <= 0xDFFF;
    *code = read;
    return read < LEAST[length] || read > 0x10FFFF || surrogate ? 0 : length;
}

bool utf8_is_text(const char *text)
{
    uint32_t code = 0;
    unsigned length = 1;
    for (; *text != '\0' && length > 0; text += length) {
        length = utf8_read(text, UTF8_MOST, &code);
    }
    return length > 0;
}

bool unseen_code(uint32_t code)
{
    static const uint32_t RANGES[][2] = {
        {0, 0x1F},        {0x7F, 0x9F},     {0xAD, 0xAD},        {0x34F, 0x34F},   {0x61C, 0x61C},
        {0x115F, 0x1160}, {0x17B4, 0x17B5}, {0x180B, 0x180F},    {0x200B, 0x200F}, {0x2028, 0x202E},
        {0x2060, 0x206F}, {0x3164, 0x3164}, {0xE000, 0xF8FF},    {0xFEFF, 0xFEFF}, {0xFFA0, 0xFFA0},
        {0xFFF0, 0xFFFB}, {0xFFFE, 0xFFFF}, {0xE0000, 0x10FFFF},
    };
    for (size_t i = 0; i < sizeof RANGES / sizeof RANGES[0] && code >= RANGES[i][0]; i++) {
        if (code <= RANGES[i][1]) {
            return true;
        }
    }
    return false;
}

unsigned unseen_bytes(const char *text)
{
    uint32_t code = 0;
    const unsigned length = *text != '\0' ? utf8_read(text, UTF8_MOST, &code) : 0;
    return length > 0 && unseen_code(code) ? length : 0;
}
