#include "bot/table/person_name.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "core/codec/normal.h"
#include "core/codec/unseen.h"
#include "core/codec/utf8.h"

#include "bot/text/text.h"

enum { ACCENTS_MAX = 2, STACK_MAX = 4 }; // on one letter; in scripts that stack their letters

// A valid character (text_character() has said so) as a number.
static uint32_t code_of(const char *at, size_t length)
{
    uint32_t code = 0;
    (void)utf8_read(at, length, &code);
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
        {0x2800, 0x2800},   {0xFDD0, 0xFDEF},   {0xFE00, 0xFE0F},
        {0xFFF0, 0xFFFF},   {0x13430, 0x1345F}, {0x16FE4, 0x16FE4},
        {0x1BCA0, 0x1BCA3}, {0x1D159, 0x1D159}, {0x1D173, 0x1D17A},
    };
    return unseen_code(code) || (code & 0xFFFE) == 0xFFFE ||
           within(code, RANGES, sizeof RANGES / sizeof RANGES[0]);
}

// Tibetan's: subjoined letters and vowels.
static bool is_stacked(uint32_t code)
{
    return (code >= 0xF71 && code <= 0xF84) || (code >= 0xF8D && code <= 0xFBC);
}

// What goes onto the letter before it, and could be piled up there. Vowels that most scripts of
// India write as marks are letters here: they take room of their own.
static bool is_accent(uint32_t code)
{
    static const uint32_t RANGES[][2] = {
        {0x300, 0x36F},     {0x483, 0x489},     {0x591, 0x5BD},     {0x5BF, 0x5BF},
        {0x5C1, 0x5C2},     {0x5C4, 0x5C5},     {0x5C7, 0x5C7},     {0x610, 0x61A},
        {0x64B, 0x65F},     {0x670, 0x670},     {0x6D6, 0x6DC},     {0x6DF, 0x6E4},
        {0x6E7, 0x6E8},     {0x6EA, 0x6ED},     {0x730, 0x74A},     {0x7EB, 0x7F3},
        {0x816, 0x819},     {0x81B, 0x823},     {0x825, 0x827},     {0x829, 0x82D},
        {0x859, 0x85B},     {0x898, 0x89F},     {0x8CA, 0x8E1},     {0x8E3, 0x902},
        {0x951, 0x957},     {0xE31, 0xE31},     {0xE34, 0xE3A},     {0xE47, 0xE4E},
        {0xEB1, 0xEB1},     {0xEB4, 0xEBC},     {0xEC8, 0xECE},     {0xF18, 0xF19},
        {0x135D, 0x135F},   {0x1AB0, 0x1AFF},   {0x1CD0, 0x1CD2},   {0x1CD4, 0x1CE8},
        {0x1DC0, 0x1DFF},   {0x20D0, 0x20FF},   {0x2CEF, 0x2CF1},   {0x2DE0, 0x2DFF},
        {0x302A, 0x302D},   {0x3099, 0x309A},   {0xA66F, 0xA672},   {0xA674, 0xA67D},
        {0xA8E0, 0xA8F1},   {0xFB1E, 0xFB1E},   {0xFE20, 0xFE2F},   {0x1D165, 0x1D169},
        {0x1D16D, 0x1D172}, {0x1D17B, 0x1D182}, {0x1D185, 0x1D18B}, {0x1D1AA, 0x1D1AD},
        {0x1E000, 0x1E02A}, {0x1E8D0, 0x1E8D6}};
    return is_stacked(code) || within(code, RANGES, sizeof RANGES / sizeof RANGES[0]);
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

// "Curse!" and "Trap!" before a name, or before its next letters, are read over in commands: a word
// that begins so goes without its "!".
static void drop_prefixes(char *name)
{
    char plain[PERSON_NAME_SIZE];
    char word[PERSON_NAME_SIZE];
    char *to = name;
    for (const char *at = name; *at != '\0';) {
        const size_t length = strcspn(at, " ");
        size_t kept = 0;
        for (size_t i = 0; i < length; i++) {
            plain[kept] = at[i];
            kept += at[i] != '!';
        }
        (void)normal_form(plain, kept, word, sizeof word);
        const bool prefix = strncmp(word, "curse", 5) == 0 || strncmp(word, "trap", 4) == 0;
        const size_t left = prefix ? kept : length;
        memmove(to, prefix ? plain : at, left);
        to += left;
        at += length;
        if (*at == ' ') {
            *to++ = *at++;
        }
    }
    *to = '\0';
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
        const unsigned most = is_stacked(code) ? STACK_MAX : ACCENTS_MAX;
        if (is_gap(code)) {
            making.gap = true;
        } else if (!is_unseen(code) && !text_is_mark(*shown) &&
                   !(accent && (making.length == 0 || making.gap || making.accents >= most ||
                                out[making.length - 1] == '!'))) { // it may be dropped
            room = put(&making, shown, length, accent);
        }
        shown += length;
    }
    out[making.length] = '\0';
    drop_prefixes(out);
    if (making.length == 0) {
        (void)snprintf(out, PERSON_NAME_SIZE, "%s", text_sentence(TEXT_HALL_NAMELESS));
    }
}

bool person_name_alike(const char *a, const char *b)
{
    char one[NORMAL_MAX];
    char two[NORMAL_MAX];
    const size_t length = normal_form(a, strlen(a), one, sizeof one);
    return normal_form(b, strlen(b), two, sizeof two) == length && strcmp(one, two) == 0;
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

// How much of a name is left when it is to have that many letters and bytes and no blank at the
// end.
static size_t cut_length(const char *name, unsigned letters, size_t bytes)
{
    size_t end = 0;
    for (size_t at = 0; name[at] != '\0';) {
        const size_t whole = text_character(name + at);
        const size_t length = whole > 0 ? whole : 1;
        if (whole == 0 || !is_accent(code_of(name + at, whole))) {
            if (letters == 0) {
                break;
            }
            letters--;
        }
        at += length;
        if (at > bytes) {
            break;
        }
        end = name[at - 1] != ' ' ? at : end;
    }
    return end;
}

void person_name_unique(const char *name, const char *const *taken, size_t count,
                        char out[PERSON_NAME_SIZE])
{
    enum { ENDING_SIZE = 24 };
    char base[PERSON_NAME_SIZE];
    (void)snprintf(base, sizeof base, "%s", name);
    (void)snprintf(out, PERSON_NAME_SIZE, "%s", base);
    // Of count + 1 different endings one is free.
    for (size_t number = 2; is_taken(out, taken, count) && number < count + 3; number++) {
        char ending[ENDING_SIZE];
        (void)snprintf(ending, sizeof ending, " %zu", number);
        const size_t length = strlen(ending);
        const size_t keep =
            cut_length(base, PERSON_NAME_LETTERS - (unsigned)length, PERSON_NAME_SIZE - 1 - length);
        (void)snprintf(out, PERSON_NAME_SIZE, "%.*s%s", (int)keep, base, ending);
        drop_prefixes(out); // a cut can leave one in front of the number
    }
}
