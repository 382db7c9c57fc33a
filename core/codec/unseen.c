#include "core/codec/unseen.h"

#include <stddef.h>

#include "core/codec/utf8.h"

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
