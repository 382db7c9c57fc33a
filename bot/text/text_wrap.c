// Texts on a screen: how wide they are, how they are broken into lines, how marks come out of them.
#include <string.h>

#include "core/codec/utf8.h"

#include "bot/text/text.h"

bool text_is_mark(char byte)
{
    return (byte >= MARK_MONSTER && byte <= MARK_END) || (byte >= MARK_HEAD && byte <= MARK_ROW);
}

const char *text_behind(const char *at)
{
    const char *const end = strchr(at, MARK_END);
    return end != NULL ? end + 1 : at + strlen(at);
}

void text_strip(char *text)
{
    static const char MARKS[] = {MARK_MONSTER, MARK_CURSE, MARK_TREASURE, MARK_PLAYER, MARK_REFUSAL,
                                 MARK_GOOD,    MARK_BAD,   MARK_END,      MARK_TIME,   MARK_HEAD,
                                 MARK_CHAT,    MARK_ROW,   '\0'};
    char *to = text;
    for (;;) {
        const size_t plain = strcspn(text, MARKS);
        memmove(to, text, plain);
        to += plain;
        text += plain;
        if (*text == '\0') {
            break;
        }
        text++;
    }
    *to = '\0';
}

void text_clean(const char *text, char *out, size_t size)
{
    size_t used = 0;
    while (*text != '\0') {
        const size_t length = text_character(text);
        const size_t wanted = length > 0 ? length : 1;
        if (used + wanted >= size) {
            break;
        }
        if (length > 0) {
            memmove(out + used, text, length);
            text += length;
        } else {
            out[used] = '?';
            for (text++; ((unsigned char)*text & 0xC0u) == 0x80u; text++) {
            }
        }
        used += wanted;
    }
    if (size > 0) {
        out[used] = '\0';
    }
}

struct range {
    unsigned long first, last;
};

static bool is_in(unsigned long code, const struct range *ranges, size_t count)
{
    size_t i = 0;
    while (i < count && code > ranges[i].last) {
        i++;
    }
    return i < count && code >= ranges[i].first;
}

// As terminals have it: not by the locale, which need not know UTF-8.
static size_t width_of(unsigned long code)
{
    static const struct range NONE[] = {
        {0x300, 0x36F},   {0x483, 0x489},   {0x591, 0x5BD},   {0x610, 0x61A},    {0x64B, 0x65F},
        {0xE31, 0xE31},   {0xE34, 0xE3A},   {0xE47, 0xE4E},   {0x1AB0, 0x1AFF},  {0x1DC0, 0x1DFF},
        {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xE0100, 0xE01EF}};
    static const struct range TWO[] = {
        {0x1100, 0x115F},   {0x231A, 0x231B},   {0x23E9, 0x23EC},   {0x2614, 0x2615},
        {0x2648, 0x2653},   {0x26BD, 0x26BE},   {0x2705, 0x2705},   {0x270A, 0x270B},
        {0x2728, 0x2728},   {0x2E80, 0x303E},   {0x3041, 0xA4CF},   {0xA960, 0xA97C},
        {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},
        {0xFFE0, 0xFFE6},   {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF},
        {0x1FA70, 0x1FAFF}, {0x20000, 0x3FFFD}};
    if (code < NONE[0].first) {
        return 1;
    }
    if (is_in(code, NONE, sizeof NONE / sizeof NONE[0])) {
        return 0;
    }
    return is_in(code, TWO, sizeof TWO / sizeof TWO[0]) ? 2 : 1;
}

// The character at `at` of a text that is proper UTF-8 but for marks; its bytes in `length`.
static size_t character_width(const char *at, size_t *length)
{
    *length = text_character(at);
    if (*length == 0) {
        *length = 1;
        return text_is_mark(*at) ? 0 : 1;
    }
    uint32_t code = 0;
    (void)utf8_read(at, *length, &code);
    return width_of(code);
}

size_t text_columns(const char *text, size_t bytes)
{
    size_t count = 0;
    size_t length = 0;
    for (size_t at = 0; at < bytes && text[at] != '\0'; at += length) {
        count += character_width(text + at, &length);
    }
    return count;
}

// Of one line, `length` bytes without its end.
static size_t phone_lines_of(const char *line, size_t length)
{
    size_t columns = 0;
    if (length <= TEXT_PHONE_COLUMNS) {
        return 1; // no letter is wider than it has bytes
    }
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)line[i] >= 0x80u) { // letters beyond ASCII are weighed one by one
            columns = text_columns(line, length);
            break;
        }
        columns += (unsigned char)line[i] >= ' ' ? 1 : 0; // what is not is a mark
    }
    return columns <= TEXT_PHONE_COLUMNS ? 1
                                         : (columns + TEXT_PHONE_COLUMNS - 1) / TEXT_PHONE_COLUMNS;
}

size_t text_phone_lines(const char *text)
{
    size_t lines = 0;
    while (*text != '\0') {
        const size_t length = strcspn(text, "\n");
        lines += phone_lines_of(text, length);
        text += length + (text[length] != '\0' ? 1 : 0);
    }
    return lines;
}

size_t text_phone_room(const char *above, const char *below)
{
    const size_t beside = text_phone_lines(above) + text_phone_lines(below) + 1;
    return beside < TEXT_PHONE_LINES ? TEXT_PHONE_LINES - beside : 0;
}

const char *text_phone_end(const char *text, size_t lines)
{
    size_t all = text_phone_lines(text);
    while (all > lines) {
        const size_t length = strcspn(text, "\n");
        all -= phone_lines_of(text, length);
        text += length + (text[length] != '\0' ? 1 : 0);
    }
    return text;
}

static void put(struct text_out *out, const char *bytes, size_t count)
{
    char some[64];
    while (count > 0) {
        const size_t part = count < sizeof some ? count : sizeof some - 1;
        memcpy(some, bytes, part);
        some[part] = '\0';
        text_raw(out, some);
        bytes += part;
        count -= part;
    }
}

struct wrap {
    struct text_out *out;
    size_t width, indent;
    size_t used; /**< columns of this line */
    size_t deep; /**< where what follows a break begins */
};

static void blanks(struct wrap *wrap, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        put(wrap->out, " ", 1);
    }
    wrap->used += count;
}

static void break_line(struct wrap *wrap)
{
    put(wrap->out, "\n", 1);
    wrap->used = 0;
    blanks(wrap, wrap->deep);
}

static void put_word(struct wrap *wrap, const char *word, size_t bytes)
{
    size_t length = 0;
    for (size_t at = 0; at < bytes; at += length) {
        const size_t columns = character_width(word + at, &length);
        if (wrap->used + columns > wrap->width && wrap->used > wrap->deep) {
            break_line(wrap);
        }
        put(wrap->out, word + at, length);
        wrap->used += columns;
    }
}

void text_wrap(struct text_out *out, const char *text, size_t width, size_t indent)
{
    struct wrap wrap = {.out = out, .width = width, .indent = indent};
    size_t gap = 0; // blanks waiting for the next word
    bool begun = false;
    while (*text != '\0') {
        if (*text == '\n') {
            put(out, "\n", 1);
            wrap.used = 0;
            gap = 0;
            begun = false;
            text++;
        } else if (*text == ' ') {
            gap++;
            text++;
        } else {
            const size_t bytes = strcspn(text, " \n");
            const size_t deepest = width > 2 * indent ? width / 2 : 0;
            if (!begun) {
                const size_t begins = wrap.used + gap + indent;
                wrap.deep = begins < deepest ? begins : deepest;
            }
            if (begun && wrap.used + gap + text_columns(text, bytes) > width) {
                break_line(&wrap);
            } else {
                blanks(&wrap, gap);
            }
            gap = 0;
            begun =
                begun || bytes > 1 || *text != '>'; // that mark stands where others have a blank
            put_word(&wrap, text, bytes);
            text += bytes;
        }
    }
}
