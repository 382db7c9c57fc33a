#include "adapters/discord/wire/frame.h"

#include <string.h>

enum { DIGITS_MAX = 19 };

struct walk {
    const char *at, *end;
};

static void skip_blanks(struct walk *walk)
{
    while (walk->at < walk->end &&
           (*walk->at == ' ' || *walk->at == '\t' || *walk->at == '\n' || *walk->at == '\r')) {
        walk->at++;
    }
}

static bool take(struct walk *walk, char wanted)
{
    skip_blanks(walk);
    if (walk->at == walk->end || *walk->at != wanted) {
        return false;
    }
    walk->at++;
    return true;
}

// Past the string's end; `text` is what stands between the quotes, escapes as they were.
static bool take_string(struct walk *walk, const char **text, size_t *size)
{
    if (!take(walk, '"')) {
        return false;
    }
    *text = walk->at;
    while (walk->at < walk->end && *walk->at != '"') {
        walk->at += *walk->at == '\\' && walk->end - walk->at > 1 ? 2 : 1;
    }
    if (walk->at >= walk->end) {
        return false;
    }
    *size = (size_t)(walk->at - *text);
    walk->at++;
    return true;
}

static bool is_of_scalar(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '-' || c == '+' || c == '.' ||
           c == 'E';
}

// Past what is neither string nor nested: number, true, false, null.
static bool skip_scalar(struct walk *walk)
{
    const char *const begin = walk->at;
    while (walk->at < walk->end && is_of_scalar(*walk->at)) {
        walk->at++;
    }
    return walk->at > begin;
}

// Past one value of any kind. Brackets are matched by a stack of bits: which kind is open.
static bool skip_value(struct walk *walk)
{
    uint64_t arrays = 0;
    unsigned depth = 0;
    do {
        const char *text = NULL;
        size_t size = 0;
        skip_blanks(walk);
        char c = '\0';
        if (walk->at < walk->end) {
            c = *walk->at;
        }
        if (c == '{' || c == '[') {
            if (depth == FRAME_DEPTH_MAX) {
                return false;
            }
            arrays = arrays << 1 | (c == '[' ? 1u : 0u);
            depth++;
            walk->at++;
        } else if (c == '}' || c == ']') {
            if (depth == 0 || (arrays & 1u) != (c == ']' ? 1u : 0u)) {
                return false;
            }
            arrays >>= 1;
            depth--;
            walk->at++;
        } else if ((c == ',' || c == ':') && depth > 0) {
            walk->at++;
        } else if (!(c == '"' ? take_string(walk, &text, &size) : skip_scalar(walk))) {
            return false;
        }
    } while (depth > 0);
    return true;
}

// Digits alone; false for anything else, also for what is too great.
static bool read_number(const char *text, size_t size, uint64_t *out)
{
    *out = 0;
    for (size_t i = 0; i < size; i++) {
        if (text[i] < '0' || text[i] > '9' || i == DIGITS_MAX) {
            return false;
        }
        *out = *out * 10 + (uint64_t)(text[i] - '0');
    }
    return size > 0;
}

static void keep_event(struct gateway_frame *frame, const char *value, size_t size)
{
    const bool string = size >= 2 && value[0] == '"';
    if (string && size - 2 < FRAME_EVENT_SIZE) {
        memcpy(frame->event, value + 1, size - 2);
        frame->event[size - 2] = '\0';
    }
}

static bool is_key(const char *key, size_t size, const char *wanted)
{
    return size == strlen(wanted) && memcmp(key, wanted, size) == 0;
}

static bool keep(void *user, const char *key, size_t key_size, const char *value, size_t size)
{
    struct gateway_frame *const frame = user;
    uint64_t number = 0;
    if (is_key(key, key_size, "op")) {
        if (!read_number(value, size, &number) || number > UINT8_MAX) {
            return false;
        }
        frame->op = (int)number;
    } else if (is_key(key, key_size, "s")) {
        frame->numbered = read_number(value, size, &frame->sequence);
    } else if (is_key(key, key_size, "t")) {
        keep_event(frame, value, size);
    } else if (is_key(key, key_size, "d")) {
        frame->data = value;
        frame->data_size = size;
    }
    return true;
}

static bool take_member(struct walk *walk, frame_member_fn *told, void *user)
{
    const char *key = NULL;
    size_t size = 0;
    if (!take_string(walk, &key, &size) || !take(walk, ':')) {
        return false;
    }
    skip_blanks(walk);
    const char *const value = walk->at;
    return skip_value(walk) && told(user, key, size, value, (size_t)(walk->at - value));
}

bool frame_members(const char *text, size_t size, frame_member_fn *told, void *user)
{
    struct walk walk = {.at = text, .end = text + size};
    if (!take(&walk, '{')) {
        return false;
    }
    while (!take(&walk, '}')) {
        if (!take_member(&walk, told, user)) {
            return false;
        }
        skip_blanks(&walk);
        const bool more = take(&walk, ',');
        if (!more && (walk.at == walk.end || *walk.at != '}')) {
            return false;
        }
    }
    skip_blanks(&walk);
    return walk.at == walk.end;
}

bool frame_read(const char *text, size_t size, struct gateway_frame *out, struct mb_error *err)
{
    *out = (struct gateway_frame){.op = -1};
    return (frame_members(text, size, keep, out) && out->op >= 0) ||
           mb_fail(err, MB_ERR_INPUT, "a gateway message is not a JSON object with an op");
}
