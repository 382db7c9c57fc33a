#include "bot/table/person_name.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "core/codec/normal.h"
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

/* Looks: the shape that a letter has, as a small Latin one. */

// Whole alphabets in the shapes of another, one letter after the other.
static char of_alphabet(uint32_t code)
{
    static const struct {
        uint32_t first, last;
        char from;
    } ALPHABETS[] = {{0x24B6, 0x24CF, 'a'},   {0x24D0, 0x24E9, 'a'},   {0xFF21, 0xFF3A, 'a'},
                     {0xFF41, 0xFF5A, 'a'},   {0xFF10, 0xFF19, '0'},   {0x1F130, 0x1F149, 'a'},
                     {0x1F150, 0x1F169, 'a'}, {0x1F170, 0x1F189, 'a'}, {0x1D7CE, 0x1D7D7, '0'}};
    enum { LETTERS = 26 };
    for (size_t i = 0; i < sizeof ALPHABETS / sizeof ALPHABETS[0]; i++) {
        if (code >= ALPHABETS[i].first && code <= ALPHABETS[i].last) {
            return (char)((uint32_t)ALPHABETS[i].from + code - ALPHABETS[i].first);
        }
    }
    static const char LATIN[] = "abcdefghijklmnopqrstuvwxyz";
    const bool mathematical = code >= 0x1D400 && code <= 0x1D6A3;
    return LATIN[mathematical ? (code - 0x1D400) % LETTERS : LETTERS];
}

// Single letters of Cyrillic, Greek, Armenian, Cherokee and others.
static char of_letter(uint32_t code)
{
    static const struct {
        char shape;
        uint16_t codes[12];
    } SHAPES[] = {
        {'a', {0x410, 0x430, 0x391, 0x3B1, 0x251, 0x13AA}},
        {'b', {0x412, 0x392, 0x42C, 0x44C, 0x13F4, 0x184}},
        {'c', {0x421, 0x441, 0x3F9, 0x3F2, 0x216D, 0x217D, 0x13DF}},
        {'d', {0x500, 0x501, 0x216E, 0x217E, 0x13A0}},
        {'e', {0x415, 0x435, 0x395, 0x13AC, 0x212E}},
        {'f', {0x3DC, 0x192}},
        {'g', {0x50C, 0x50D, 0x261, 0x581, 0x13C0}},
        {'h', {0x41D, 0x43D, 0x397, 0x4BA, 0x4BB, 0x570, 0x13BB}},
        {'j', {0x408, 0x458, 0x3F3, 0x13AB}},
        {'k', {0x41A, 0x43A, 0x39A, 0x3BA, 0x13E6, 0x212A}},
        {'i', {0x456, 0x3B9, 0x131, 0x2170}},
        // "I" and "l", and the digit
        {'l', {'I', '1', '|', 0x406, 0x399, 0x4C0, 0x4CF, 0x2160, 0x216C, 0x217C, 0x13DE}},
        {'m', {0x41C, 0x43C, 0x39C, 0x216F, 0x217F, 0x13B7}},
        {'n', {0x39D, 0x578, 0x57C}},
        {'o', {'0', 0x41E, 0x43E, 0x39F, 0x3BF, 0x555, 0x585, 0x3C3}},
        {'p', {0x420, 0x440, 0x3A1, 0x3C1, 0x13E2}},
        {'q', {0x51A, 0x51B, 0x566}},
        {'r', {0x433, 0x13A1, 0x13D2}},
        {'s', {0x405, 0x455, 0x54F, 0x13DA}},
        {'t', {0x422, 0x442, 0x3A4, 0x3C4, 0x13A2}},
        {'u', {0x57D, 0x3C5, 0x54D}},
        {'v', {0x474, 0x475, 0x3BD, 0x2164, 0x2174, 0x13D9}},
        {'w', {0x51C, 0x51D, 0x461, 0x3C9, 0x13B3}},
        {'x', {0x425, 0x445, 0x3A7, 0x3C7, 0x2169, 0x2179}},
        {'y', {0x423, 0x443, 0x4AE, 0x4AF, 0x3A5, 0x3B3}},
        {'z', {0x396, 0x13C3}},
    };
    for (size_t i = 0; i < sizeof SHAPES / sizeof SHAPES[0]; i++) {
        for (size_t j = 0; j < sizeof SHAPES[i].codes / sizeof SHAPES[i].codes[0]; j++) {
            if (SHAPES[i].codes[j] == code && code != 0) {
                return SHAPES[i].shape;
            }
        }
    }
    return '\0';
}

// As it looks, in shapes; what has none stays.
static void look_of(const char *name, char out[PERSON_NAME_SIZE])
{
    size_t length = 0;
    for (const char *at = name; *at != '\0';) {
        const size_t whole = text_character(at);
        const size_t taken = whole > 0 ? whole : 1;
        const uint32_t code = whole > 0 ? code_of(at, whole) : 0;
        const char alphabet = of_alphabet(code);
        const char shape = of_letter(alphabet != '\0' ? (uint32_t)alphabet : code);
        if (shape != '\0') {
            out[length++] = shape;
        } else if (alphabet != '\0') {
            out[length++] = alphabet;
        } else {
            memcpy(out + length, at, taken);
            length += taken;
        }
        at += taken;
    }
    out[length] = '\0';
}

static bool is_taken(const char *name, const char *const *taken, size_t count)
{
    char look[PERSON_NAME_SIZE];
    char other[PERSON_NAME_SIZE];
    look_of(name, look);
    for (size_t i = 0; i < count; i++) {
        if (taken[i] == NULL) {
            continue;
        }
        look_of(taken[i], other);
        if (person_name_alike(name, taken[i]) || person_name_alike(look, other)) {
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
