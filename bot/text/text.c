#include "bot/text/text.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "core/codec/utf8.h"

#include "bot/chat.h"

enum { NUMBER_SIZE = 32 };

static const char *const SENTENCES[] = {
#define TEXT(id, sentence) [TEXT_##id] = (sentence),
#include "bot/text/text.en.def"
#undef TEXT
};

const char *text_sentence(enum text_id id)
{
    return (unsigned)id < TEXT_TOTAL ? SENTENCES[id] : "";
}

void text_begin(struct text_out *out, char *at, size_t size)
{
    *out = (struct text_out){.at = at, .size = size};
    if (size > 0) {
        at[0] = '\0';
    }
}

// Steps back over a character whose bytes are not all there.
static size_t whole_characters(const char *at, size_t length)
{
    size_t start = length;
    while (start > 0 && ((unsigned char)at[start - 1] & 0xC0u) == 0x80u) {
        start--;
    }
    if (start == 0) {
        return length;
    }
    const unsigned char lead = (unsigned char)at[start - 1];
    size_t wanted = 1;
    if (lead >= 0xF0u) {
        wanted = 4;
    } else if (lead >= 0xE0u) {
        wanted = 3;
    } else if (lead >= 0xC0u) {
        wanted = 2;
    }
    return length - (start - 1) < wanted ? start - 1 : length;
}

static void put_bytes(struct text_out *out, const char *bytes, size_t count)
{
    if (!out->full && out->length + count < out->size) {
        memcpy(out->at + out->length, bytes, count);
        out->at[out->length + count] = '\0';
    } else if (!out->full) {
        out->full = true;
        if (out->size > 0) {
            const size_t room = out->size - 1 - out->length;
            memcpy(out->at + out->length, bytes, room);
            out->at[whole_characters(out->at, out->size - 1)] = '\0';
        }
    }
    out->length += count;
}

void text_raw(struct text_out *out, const char *text)
{
    put_bytes(out, text, strlen(text));
}

void text_mark(struct text_out *out, enum text_mark mark)
{
    const char byte = (char)mark;
    put_bytes(out, &byte, 1);
}

size_t text_character(const char *at)
{
    uint32_t code = 0;
    const size_t length = utf8_read(at, UTF8_MOST, &code);
    return length > 0 && !unseen_code(code) ? length : 0;
}

// Of eight bytes the highest bit of the first that is no printable ASCII, and maybe of later ones.
static uint64_t odd_ones(const char *at)
{
    static const uint64_t EACH = UINT64_C(0x0101010101010101);
    static const uint64_t HIGH = UINT64_C(0x8080808080808080);
    uint64_t word = 0;
    memcpy(&word, at, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    // A byte below a blank borrows, one above '~' carries, into its highest bit and what follows.
    return ((word - EACH * ' ') | (word + EACH) | word) & HIGH;
}

static bool is_plain(char byte)
{
    return (byte >= ' ' && byte <= '~') || text_is_mark(byte);
}

// Printable ASCII and marks, which need no looking at: nearly all there is.
static size_t plain_run(const char *at, const char *end)
{
    enum { WORD = sizeof(uint64_t) };
    const char *const from = at;
    while (end - at >= WORD) {
        const uint64_t odd = odd_ones(at);
        if (odd == 0) {
            at += WORD;
            continue;
        }
        at += __builtin_ctzll(odd) / 8;
        if (!text_is_mark(*at)) {
            return (size_t)(at - from);
        }
        at++;
    }
    while (at < end && is_plain(*at)) {
        at++;
    }
    return (size_t)(at - from);
}

static void put_value(struct text_out *out, const char *value, size_t size)
{
    const char *const end = value + size;
    for (;;) {
        const size_t plain = plain_run(value, end);
        put_bytes(out, value, plain);
        value += plain;
        if (value == end) {
            return;
        }
        const size_t length = text_character(value);
        if (length > 0) {
            put_bytes(out, value, length);
            value += length;
            continue;
        }
        put_bytes(out, "?", 1);
        // One sign for the whole of a broken or unwanted character.
        for (value++; ((unsigned char)*value & 0xC0u) == 0x80u; value++) {
        }
    }
}

void text_value(struct text_out *out, const char *value)
{
    put_value(out, value, strlen(value));
}

const char *text_place_read(const char *at, struct text_place *place)
{
    *place = (struct text_place){0};
    at++;
    place->sign = *at == '+';
    place->capital = *at == '^';
    if (place->sign || place->capital) {
        at++;
    }
    place->name = at;
    while ((*at >= 'a' && *at <= 'z') || (*at >= '0' && *at <= '9') || *at == '_') {
        at++;
    }
    place->name_length = (size_t)(at - place->name);
    if (at[0] == '\'' && at[1] == 's') {
        place->possessive = true;
        at += 2;
    } else if (*at == '|') {
        place->one = ++at;
        at += strcspn(at, "|{}");
        place->one_length = (size_t)(at - place->one);
        if (*at != '|') {
            return NULL;
        }
        place->many = ++at;
        at += strcspn(at, "|{}");
        place->many_length = (size_t)(at - place->many);
    }
    return *at == '}' && place->name_length > 0 ? at + 1 : NULL;
}

static const struct text_arg *arg_find(const struct text_arg *args, const struct text_place *place)
{
    for (const struct text_arg *arg = args; arg != NULL && arg->name != NULL; arg++) {
        if (arg->name[0] == place->name[0] &&
            strncmp(arg->name, place->name, place->name_length) == 0 &&
            arg->name[place->name_length] == '\0') {
            return arg;
        }
    }
    return NULL;
}

// 12345 as "12,345".
static void number_word(long number, bool sign, char word[NUMBER_SIZE])
{
    unsigned long size = number < 0 ? 0UL - (unsigned long)number : (unsigned long)number;
    char reversed[NUMBER_SIZE];
    size_t count = 0;
    for (size_t digits = 0; digits == 0 || size > 0; digits++, size /= 10) {
        if (digits > 0 && digits % 3 == 0) {
            reversed[count++] = ',';
        }
        reversed[count++] = (char)('0' + size % 10);
    }
    size_t at = 0;
    if (number < 0 || sign) {
        word[at++] = number < 0 ? '-' : '+';
    }
    while (count > 0) {
        word[at++] = reversed[--count];
    }
    word[at] = '\0';
}

static void put_capital(struct text_out *out, const char *value)
{
    while (text_is_mark(*value)) {
        put_bytes(out, value++, 1);
    }
    char first[2] = {value[0], '\0'};
    if (first[0] >= 'a' && first[0] <= 'z') {
        first[0] = (char)(first[0] - 'a' + 'A');
        text_value(out, first);
        value++;
    }
    text_value(out, value);
}

static void put_place(struct text_out *out, const struct text_place *place,
                      const struct text_arg *arg)
{
    char number[NUMBER_SIZE] = "";
    if (place->one != NULL) {
        const bool one = arg->number == 1;
        put_bytes(out, one ? place->one : place->many,
                  one ? place->one_length : place->many_length);
        return;
    }
    const char *value = arg->text;
    if (value == NULL) {
        number_word(arg->number, place->sign, number);
        value = number;
    }
    if (place->capital) {
        put_capital(out, value);
    } else {
        text_value(out, value);
    }
    if (place->possessive) {
        size_t length = strlen(value);
        while (length > 0 && text_is_mark(value[length - 1])) {
            length--;
        }
        const bool hiss = length > 0 && (value[length - 1] == 's' || value[length - 1] == 'S');
        text_raw(out, hiss ? "'" : "'s");
    }
}

// {chat}: the one place that needs no value.
static bool is_chat(const struct text_place *place)
{
    return place->name_length == strlen("chat") &&
           strncmp(place->name, "chat", strlen("chat")) == 0;
}

static void put_chat(struct text_out *out)
{
    text_mark(out, MARK_CHAT);
    text_raw(out, text_sentence(TEXT_CHAT));
    text_mark(out, MARK_END);
}

// One of the ways in which a sentence may be said, in turn; `end` is where it ends.
static const char *one_way(const char *sentence, unsigned turn, const char **end)
{
    static const char PARTED[] = " || ";
    unsigned ways = 1;
    if (strchr(sentence, '|') == NULL) { // nearly all
        *end = sentence + strlen(sentence);
        return sentence;
    }
    const char *next = strstr(sentence, PARTED);
    for (const char *at = next; at != NULL; at = strstr(at + 1, PARTED)) {
        ways++;
    }
    for (turn %= ways; turn > 0; turn--) {
        sentence = next + strlen(PARTED);
        next = strstr(sentence, PARTED);
    }
    *end = next != NULL ? next : sentence + strlen(sentence);
    return sentence;
}

// A name may end its sentence by itself: "Cheat!" needs no full stop.
static bool ends_loudly(const struct text_out *out)
{
    size_t length = out->full ? 0 : out->length;
    while (length > 0 && text_is_mark(out->at[length - 1])) {
        length--;
    }
    return length > 0 && (out->at[length - 1] == '!' || out->at[length - 1] == '?');
}

// The value of a place that is nothing but its name, as nearly all are; NULL: it is another.
static const struct text_arg *arg_named(const struct text_arg *args, const char *name)
{
    for (const struct text_arg *arg = args; arg != NULL && arg->name != NULL; arg++) {
        size_t length = 0;
        while (arg->name[length] != '\0' && arg->name[length] == name[length]) {
            length++;
        }
        if (arg->name[length] == '\0' && name[length] == '}') {
            return arg;
        }
    }
    return NULL;
}

static void put_simple(struct text_out *out, const struct text_arg *arg)
{
    char number[NUMBER_SIZE];
    if (arg->text == NULL) {
        number_word(arg->number, false, number);
    }
    text_value(out, arg->text != NULL ? arg->text : number);
}

// What follows a place, less a full stop that its value has made needless.
static const char *after_place(const struct text_out *out, const char *at, const char *end)
{
    const bool stop = (*at == '.' || *at == '!') && (at + 1 == end || at[1] == ' ');
    return stop && ends_loudly(out) ? at + 1 : at;
}

void text_put(struct text_out *out, enum text_id id, const struct text_arg *args)
{
    const char *end;
    const char *at = one_way(text_sentence(id), out->turn, &end);
    while (at < end) {
        const char *const brace = memchr(at, '{', (size_t)(end - at));
        const size_t plain = (size_t)((brace != NULL ? brace : end) - at);
        put_bytes(out, at, plain);
        at += plain;
        if (at == end) {
            return;
        }
        if (at[1] == '{') {
            put_bytes(out, "{", 1);
            at += 2;
            continue;
        }
        const struct text_arg *const simple = arg_named(args, at + 1);
        if (simple != NULL) {
            put_simple(out, simple);
            at = after_place(out, strchr(at, '}') + 1, end);
            continue;
        }
        struct text_place place;
        const char *const next = text_place_read(at, &place);
        assert(next != NULL && "a sentence of the catalogue has a broken place");
        if (next == NULL) {
            return;
        }
        const struct text_arg *const arg = arg_find(args, &place);
        if (arg == NULL && is_chat(&place)) {
            put_chat(out);
            at = next;
            continue;
        }
        assert(arg != NULL && "a sentence wants a value that is not given");
        if (arg != NULL) {
            put_place(out, &place, arg);
        }
        at = after_place(out, next, end);
    }
}

void text_line(struct text_out *out, enum text_id id, const struct text_arg *args)
{
    text_put(out, id, args);
    put_bytes(out, "\n", 1);
}

void text_list(struct text_out *out, const char *const *items, size_t count, enum text_id joint)
{
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && i + 1 == count) {
            text_put(out, joint, NULL);
        } else if (i > 0) {
            text_put(out, TEXT_COMMA, NULL);
        }
        text_value(out, items[i]);
    }
}

struct form_words form_words(unsigned form)
{
    static const enum text_id WORDS[CHAT_FORM_TOTAL][3] = {
        [CHAT_FORM_LINE] = {TEXT_FORM_LINE, TEXT_FORM_LINE_FIELD, TEXT_FORM_LINE_HINT},
        [CHAT_FORM_CARD] = {TEXT_FORM_CARD, TEXT_FORM_CARD_FIELD, TEXT_FORM_CARD_HINT},
        [CHAT_FORM_WHY] = {TEXT_FORM_WHY, TEXT_FORM_WHY_FIELD, TEXT_FORM_WHY_HINT},
        [CHAT_FORM_RULES] = {TEXT_FORM_RULES, TEXT_FORM_RULES_FIELD, TEXT_FORM_RULES_HINT},
        [CHAT_FORM_OPTIONS] = {TEXT_FORM_OPTIONS, TEXT_FORM_OPTIONS_FIELD, TEXT_FORM_OPTIONS_HINT},
    };
    static const char *const BEFORE[CHAT_FORM_TOTAL] = {[CHAT_FORM_LINE] = "",
                                                        [CHAT_FORM_CARD] = "card ",
                                                        [CHAT_FORM_WHY] = "why ",
                                                        [CHAT_FORM_RULES] = "rules ",
                                                        [CHAT_FORM_OPTIONS] = "new "};
    assert(form < CHAT_FORM_TOTAL);
    return (struct form_words){.title = text_sentence(WORDS[form][0]),
                               .label = text_sentence(WORDS[form][1]),
                               .hint = text_sentence(WORDS[form][2]),
                               .before = BEFORE[form]};
}
