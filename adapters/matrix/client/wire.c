#include "adapters/matrix/client/wire.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"
#include "core/codec/utf8.h"

#include "bot/chat.h"

const char *wire_word(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

const char *wire_id(const json_t *object, const char *key)
{
    const char *const word = wire_word(object, key);
    return word != NULL && word[0] != '\0' && strlen(word) < CHAT_ID_SIZE ? word : NULL;
}

int64_t wire_number(const json_t *object, const char *key, int64_t otherwise)
{
    const json_t *const value = json_object_get(object, key);
    if (json_is_integer(value)) {
        return json_integer_value(value);
    }
    if (json_is_string(value)) {
        char *end = NULL;
        const long long number = strtoll(json_string_value(value), &end, 10);
        return *end == '\0' && end != json_string_value(value) ? number : otherwise;
    }
    return otherwise;
}

bool wire_read(const json_t *json, struct wire_event *out)
{
    const json_t *const told = json_object_get(json, "unsigned");
    const char *const id = wire_id(json, "event_id");
    const char *const redacts = wire_id(json, "redacts"); // in rooms before version 11
    *out = (struct wire_event){.id = id != NULL ? id : "",
                               .type = wire_word(json, "type"),
                               .sender = wire_id(json, "sender"),
                               .state_key = wire_word(json, "state_key"),
                               .content = json_object_get(json, "content"),
                               .was = json_object_get(told, "prev_content"),
                               .age_ms = wire_number(told, "age", -1),
                               .sent_ms = wire_number(json, "origin_server_ts", 0),
                               .redacted = json_object_get(told, "redacted_because") != NULL};
    out->redacts = redacts != NULL ? redacts : wire_id(out->content, "redacts");
    return out->type != NULL && out->sender != NULL && json_is_object(out->content);
}

enum {
    DIGITS_MAX = 15, // any number of so many has room in all types
    ESCAPE_SIZE = 6, // "\u0000"
    BASE = 16
};

/* A text that is put right in place: nothing changes its length. */
struct text {
    char *at;
    size_t size;
};

// How many bytes the character has that begins there; 0: it is none.
static size_t utf8_at(const struct text *text, size_t i)
{
    uint32_t code = 0;
    return utf8_read(text->at + i, text->size - i, &code);
}

// What "\uXXXX" stands for; -1: there is none.
static long escaped_at(const struct text *text, size_t i)
{
    long value = 0;
    if (i + ESCAPE_SIZE > text->size || text->at[i] != '\\' || text->at[i + 1] != 'u') {
        return -1;
    }
    for (size_t digit = 2; digit < ESCAPE_SIZE; digit++) {
        static const char DIGITS[] = "0123456789abcdef0123456789ABCDEF";
        const char *const found = memchr(DIGITS, text->at[i + digit], sizeof DIGITS - 1);
        if (found == NULL) {
            return -1;
        }
        value = value * BASE + (found - DIGITS) % BASE;
    }
    return value;
}

// Behind an escape, which stands for a character from then on.
static size_t mend_escape(struct text *text, size_t i)
{
    const long value = escaped_at(text, i);
    const long next = value >= 0xD800 && value < 0xDC00 ? escaped_at(text, i + ESCAPE_SIZE) : -1;
    if (next >= 0xDC00 && next < 0xE000) {
        return i + 2 * (size_t)ESCAPE_SIZE;
    }
    if (value == 0 || (value >= 0xD800 && value < 0xE000)) {
        memcpy(text->at + i + 2, "fffd", ESCAPE_SIZE - 2);
    }
    return i + (value >= 0 ? (size_t)ESCAPE_SIZE : 2);
}

// Behind a string that begins there.
static size_t mend_string(struct text *text, size_t i)
{
    i++;
    while (i < text->size && text->at[i] != '"') {
        const size_t length = utf8_at(text, i);
        if (text->at[i] == '\\') {
            i = mend_escape(text, i);
        } else if (length == 0 || (unsigned char)text->at[i] < ' ') {
            text->at[i++] = '?';
        } else {
            i += length;
        }
    }
    return i < text->size ? i + 1 : text->size;
}

static void blank(struct text *text, size_t from, size_t to)
{
    memset(text->at + from, ' ', to - from);
    text->at[from] = '0';
}

// Behind a number that begins there; Matrix has none with a fraction.
static size_t mend_number(struct text *text, size_t i)
{
    static const char NUMBER[] = "+-.0123456789Ee";
    size_t end = i;
    size_t digits = 0;
    while (end < text->size && memchr(NUMBER, text->at[end], sizeof NUMBER - 1) != NULL) {
        digits += text->at[end] >= '0' && text->at[end] <= '9' ? 1 : 0;
        end++;
    }
    if (digits > DIGITS_MAX || memchr(text->at + i, '.', end - i) != NULL ||
        memchr(text->at + i, 'e', end - i) != NULL || memchr(text->at + i, 'E', end - i) != NULL) {
        blank(text, i, end);
    }
    return end;
}

static size_t mend_plain(struct text *text, size_t i)
{
    const char byte = text->at[i];
    if (byte == '"') {
        return mend_string(text, i);
    }
    return byte == '-' || (byte >= '0' && byte <= '9') ? mend_number(text, i) : i + 1;
}

static void mend(struct text *text)
{
    size_t depth = 0;
    size_t deep = 0; // where what is too deep begins
    for (size_t i = 0; i < text->size;) {
        const char byte = text->at[i];
        if (byte == '[' || byte == '{') {
            depth++;
            deep = depth == DECODE_DEPTH_MAX + 1 ? i : deep;
        }
        const size_t next = mend_plain(text, i);
        if ((byte == ']' || byte == '}') && depth > 0) {
            if (depth == DECODE_DEPTH_MAX + 1) {
                blank(text, deep, next);
            }
            depth--;
        }
        i = next;
    }
}

json_t *decode_answer(const char *answer, size_t size)
{
    json_error_t where;
    json_t *const json = size > 0 ? json_loadb(answer, size, 0, &where) : NULL;
    if (json != NULL || size == 0) {
        return json;
    }
    struct text text = {.at = mb_new(1, size), .size = size};
    memcpy(text.at, answer, size);
    mend(&text);
    json_t *const mended = json_loadb(text.at, size, 0, &where);
    free(text.at);
    return mended;
}
