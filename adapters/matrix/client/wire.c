#include "adapters/matrix/client/wire.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
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

static void blank_out(struct text *text, size_t from, size_t to)
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
        blank_out(text, i, end);
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

static void mend_text(struct text *text)
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
                blank_out(text, deep, next);
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
    mend_text(&text);
    json_t *const mended = json_loadb(text.at, size, 0, &where);
    free(text.at);
    return mended;
}

// SLACK: names and brackets beside parts, and the words that stand for those that were left out.
// What is no longer than SHORT and stands beside the rooms (next_batch) is never left out: the next
// question needs it.
enum { FIRST = 4096, SLACK = 1024 * 1024, OPEN_LAST = 3, SHORT = 1024 };

struct sieve {
    struct sieve_bounds bounds;
    char *kept;
    size_t size, capacity, read;
    size_t depth; // of brackets
    size_t open;  // how many of them, from outside, are taken apart
    size_t name;  // where the last name begins that stands in the innermost of these
    size_t part;  // where the part begins
    bool quoted, escaped;
    bool awaits; // behind a colon
    bool in_part, skips;
    unsigned cut;
};

struct sieve *sieve_create(const struct sieve_bounds *bounds)
{
    struct sieve *const sieve = mb_new(1, sizeof *sieve);
    sieve->bounds = *bounds;
    return sieve;
}

void sieve_destroy(struct sieve *sieve)
{
    if (sieve != NULL) {
        free(sieve->kept);
    }
    free(sieve);
}

unsigned sieve_cut(const struct sieve *sieve)
{
    return sieve->cut;
}

char *sieve_give(struct sieve *sieve, size_t *size)
{
    char *const kept = sieve->kept;
    *size = sieve->size;
    sieve->kept = NULL;
    sieve->size = sieve->capacity = 0;
    return kept;
}

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

// Room was made for it (reserve_room).
static void keep_bytes(struct sieve *sieve, const char *bytes, size_t size)
{
    assert(sieve->capacity - sieve->size >= size);
    memcpy(sieve->kept + sieve->size, bytes, size);
    sieve->size += size;
}

static bool is_rooms(const struct sieve *sieve)
{
    static const char ROOMS[] = "\"rooms\"";
    return sieve->size - sieve->name >= sizeof ROOMS - 1 &&
           memcmp(sieve->kept + sieve->name, ROOMS, sizeof ROOMS - 1) == 0;
}

// What stands behind a name begins.
static void begin_value(struct sieve *sieve, char byte)
{
    const bool opens =
        byte == '{' && sieve->open < OPEN_LAST && (sieve->open > 1 || is_rooms(sieve));
    sieve->awaits = false;
    sieve->open += opens ? 1 : 0;
    sieve->in_part = !opens;
    sieve->part = sieve->size;
}

// Outside of strings.
static void look_at(struct sieve *sieve, char byte)
{
    const bool taken_apart = sieve->open > 0 && sieve->depth == sieve->open;
    if (taken_apart && sieve->in_part && (byte == ',' || byte == '}' || byte == ']')) {
        sieve->in_part = sieve->skips = false;
    }
    if (taken_apart && sieve->awaits && !is_blank(byte)) {
        begin_value(sieve, byte);
    } else if (taken_apart && !sieve->in_part && !is_blank(byte)) {
        sieve->name = byte == '"' ? sieve->size : sieve->name;
        sieve->awaits = byte == ':';
    }
    if (byte == '{' || byte == '[') {
        sieve->open = sieve->depth == 0 && byte == '{' ? 1 : sieve->open;
        sieve->depth++;
    } else if ((byte == '}' || byte == ']') && sieve->depth > 0) {
        sieve->depth--;
        sieve->open = sieve->open < sieve->depth ? sieve->open : sieve->depth;
    }
    sieve->quoted = byte == '"';
}

static void leave_out(struct sieve *sieve, const char *word)
{
    sieve->size = sieve->part;
    sieve->skips = true;
    sieve->cut++;
    keep_bytes(sieve, word, strlen(word));
}

static void take_byte(struct sieve *sieve, char byte)
{
    if (!sieve->quoted) {
        look_at(sieve, byte);
    } else if (sieve->escaped) {
        sieve->escaped = false;
    } else {
        sieve->escaped = byte == '\\';
        sieve->quoted = byte != '"';
    }
    if (sieve->skips) {
        return;
    }
    keep_bytes(sieve, &byte, 1);
    if (sieve->in_part && sieve->size - sieve->part > sieve->bounds.part) {
        leave_out(sieve, "null");
    } else if (sieve->in_part && sieve->size > sieve->bounds.whole &&
               (sieve->open > 1 || sieve->size - sieve->part > SHORT)) {
        leave_out(sieve, "false");
    }
}

// Most of an answer are words: what stands in one, as far as no bound is met. How much was taken.
static size_t take_run(struct sieve *sieve, const char *bytes, size_t size)
{
    size_t most = size;
    size_t run = 0;
    if (!sieve->quoted || sieve->escaped) {
        return 0;
    }
    if (!sieve->skips && sieve->in_part) {
        const size_t part = sieve->bounds.part - (sieve->size - sieve->part);
        const size_t whole =
            sieve->bounds.whole > sieve->size ? sieve->bounds.whole - sieve->size : 0;
        most = most < part ? most : part;
        most = most < whole ? most : whole;
    }
    while (run < most && bytes[run] != '"' && bytes[run] != '\\') {
        run++;
    }
    if (!sieve->skips) {
        keep_bytes(sieve, bytes, run);
    }
    return run;
}

// Each byte keeps itself or, once a part, a word that may be longer than what was kept of it.
static void reserve_room(struct sieve *sieve, size_t size)
{
    const size_t wanted = sieve->size + 8 * size;
    size_t capacity = sieve->capacity > 0 ? sieve->capacity : FIRST;
    while (capacity < wanted) {
        capacity *= 2;
    }
    if (capacity > sieve->capacity) {
        sieve->kept = mb_grow(sieve->kept, capacity, 1);
        sieve->capacity = capacity;
    }
}

bool sieve_take(struct sieve *sieve, const char *bytes, size_t size)
{
    if (size > sieve->bounds.read - sieve->read || sieve->size > sieve->bounds.whole + SLACK) {
        return false;
    }
    reserve_room(sieve, size);
    sieve->read += size;
    for (size_t i = 0; i < size;) {
        const size_t run = take_run(sieve, bytes + i, size - i);
        if (run == 0) {
            take_byte(sieve, bytes[i]);
        }
        i += run > 0 ? run : 1;
    }
    return true;
}
