#include "bot/person_name.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "bot/names.h"
#include "bot/text.h"

enum { ACCENTS_MAX = 2 }; // on one letter

// A valid character (text_character() has said so) as a number.
static uint32_t code_of(const char *at, size_t length)
{
    const unsigned char lead = (unsigned char)at[0];
    uint32_t code = length == 1 ? lead : lead & (0x7Fu >> length);
    for (size_t i = 1; i < length; i++) {
        code = code << 6 | ((unsigned char)at[i] & 0x3Fu);
    }
    return code;
}

static bool within(uint32_t code, const uint32_t (*ranges)[2], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (code >= ranges[i][0] && code <= ranges[i][1]) {
            return true;
        }
    }
    return false;
}

// Nothing anybody would see, or nothing two people would see alike.
static bool is_unseen(uint32_t code)
{
    static const uint32_t RANGES[][2] = {
        {0xAD, 0xAD},     {0x34F, 0x34F},      {0x61C, 0x61C},   {0x115F, 0x1160}, {0x17B4, 0x17B5},
        {0x180B, 0x180F}, {0x200B, 0x200F},    {0x2028, 0x202E}, {0x2060, 0x206F}, {0x2800, 0x2800},
        {0x3164, 0x3164}, {0xE000, 0xF8FF},    {0xFE00, 0xFE0F}, {0xFEFF, 0xFEFF}, {0xFFA0, 0xFFA0},
        {0xFFF0, 0xFFFF}, {0xE0000, 0x10FFFF},
    };
    return within(code, RANGES, sizeof RANGES / sizeof RANGES[0]);
}

// What goes onto the letter before it.
static bool is_accent(uint32_t code)
{
    static const uint32_t RANGES[][2] = {{0x300, 0x36F},   {0x483, 0x489},   {0x591, 0x5BD},
                                         {0x610, 0x61A},   {0x64B, 0x65F},   {0xE31, 0xE31},
                                         {0xE34, 0xE3A},   {0xE47, 0xE4E},   {0x1AB0, 0x1AFF},
                                         {0x1DC0, 0x1DFF}, {0x20D0, 0x20FF}, {0xFE20, 0xFE2F}};
    return within(code, RANGES, sizeof RANGES / sizeof RANGES[0]);
}

// Blanks, and signs that markup or the grammar would read.
static bool is_gap(uint32_t code)
{
    static const uint32_t RANGES[][2] = {
        {' ', ' '},       {0xA0, 0xA0},     {0x1680, 0x1680}, {0x2000, 0x200A}, {0x202F, 0x202F},
        {0x205F, 0x205F}, {0x3000, 0x3000}, {0xAB, 0xAB},     {0xBB, 0xBB},     {0x201A, 0x201F},
        {0x3001, 0x3001}, {0xFF0C, 0xFF0C}, {0xFF1A, 0xFF1A}, {0xFF03, 0xFF03}, {0xFF20, 0xFF20},
    };
    return (code < 0x80 && strchr("\"#$%()*,/:;<=>@[\\]^_`{|}~", (int)code) != NULL) ||
           within(code, RANGES, sizeof RANGES / sizeof RANGES[0]);
}

// A name that is being made.
struct making {
    char *out;
    size_t length;
    unsigned letters, accents;
    bool gap; // a blank is due before the next letter
};

// False when the name is full.
static bool put(struct making *making, const char *at, size_t length, bool accent)
{
    const size_t blank = making->gap && making->length > 0 ? 1 : 0;
    if (making->length + blank + length >= PERSON_NAME_SIZE ||
        (!accent && making->letters + blank >= PERSON_NAME_LETTERS)) {
        return false;
    }
    if (blank > 0) {
        making->out[making->length++] = ' ';
    }
    memcpy(making->out + making->length, at, length);
    making->length += length;
    making->letters += accent ? 0 : 1 + (unsigned)blank;
    making->accents = accent ? making->accents + 1 : 0;
    making->gap = false;
    return true;
}

void person_name_make(const char *shown, char out[PERSON_NAME_SIZE])
{
    struct making making = {.out = out};
    bool room = true;
    while (*shown != '\0' && room) {
        const size_t length = text_character(shown);
        if (length == 0) {
            shown++;
            continue;
        }
        const uint32_t code = code_of(shown, length);
        const bool accent = is_accent(code);
        if (is_gap(code)) {
            making.gap = true;
        } else if (!is_unseen(code) && !text_is_mark(*shown) &&
                   !(accent &&
                     (making.length == 0 || making.gap || making.accents == ACCENTS_MAX))) {
            room = put(&making, shown, length, accent);
        }
        shown += length;
    }
    out[making.length] = '\0';
    if (making.length == 0) {
        (void)snprintf(out, PERSON_NAME_SIZE, "%s", text_sentence(TEXT_HALL_NAMELESS));
    }
}

bool person_name_alike(const char *a, const char *b)
{
    char one[NAMES_NORMAL_MAX];
    char two[NAMES_NORMAL_MAX];
    const size_t length = names_normal(a, strlen(a), one, sizeof one);
    return names_normal(b, strlen(b), two, sizeof two) == length && strcmp(one, two) == 0;
}

static bool is_taken(const char *name, const char *const *taken, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (taken[i] != NULL && person_name_alike(name, taken[i])) {
            return true;
        }
    }
    return false;
}

void person_name_unique(const char *name, const char *const *taken, size_t count,
                        char out[PERSON_NAME_SIZE])
{
    enum { ENDING_SIZE = 16 };
    char base[PERSON_NAME_SIZE];
    (void)snprintf(base, sizeof base, "%s", name);
    (void)snprintf(out, PERSON_NAME_SIZE, "%s", base);
    // Of count + 1 different endings one is free.
    for (size_t number = 2; is_taken(out, taken, count) && number < count + 3; number++) {
        char ending[ENDING_SIZE];
        const int length = snprintf(ending, sizeof ending, " %zu", number);
        size_t keep = strlen(base);
        while (length > 0 && keep + (size_t)length >= PERSON_NAME_SIZE) {
            keep--;
            while (keep > 0 && ((unsigned char)base[keep] & 0xC0u) == 0x80u) {
                keep--;
            }
        }
        (void)snprintf(out, PERSON_NAME_SIZE, "%.*s%s", (int)keep, base, ending);
    }
}
