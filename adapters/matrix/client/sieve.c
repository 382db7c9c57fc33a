#include "adapters/matrix/client/sieve.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

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

// Room was made for it (reserve).
static void keep(struct sieve *sieve, const char *bytes, size_t size)
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
    keep(sieve, word, strlen(word));
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
    keep(sieve, &byte, 1);
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
        keep(sieve, bytes, run);
    }
    return run;
}

// Each byte keeps itself or, once a part, a word that may be longer than what was kept of it.
static void reserve(struct sieve *sieve, size_t size)
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
    reserve(sieve, size);
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
