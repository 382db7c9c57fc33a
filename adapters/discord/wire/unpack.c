#include "adapters/discord/wire/unpack.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define ZLIB_CONST
#include <zlib.h>

#include "core/codec/memory.h"

enum { FIRST_SIZE = 16384, GREAT_SIZE = 262144 };
#define FLUSHED UINT32_C(0x0000FFFF) /* how a message ends */

struct unpack {
    z_stream stream;
    char *text;
    size_t size, capacity;
    uint32_t last; // four bytes of what came
    bool whole;    // the text has been given out
};

struct unpack *unpack_create(void)
{
    struct unpack *const unpack = mb_new(1, sizeof *unpack);
    if (inflateInit(&unpack->stream) != Z_OK) {
        free(unpack);
        return NULL;
    }
    return unpack;
}

void unpack_destroy(struct unpack *unpack)
{
    if (unpack != NULL) {
        (void)inflateEnd(&unpack->stream);
        free(unpack->text);
        free(unpack);
    }
}

static bool grow(struct unpack *unpack)
{
    const size_t capacity = unpack->capacity > 0 ? unpack->capacity * 2 : FIRST_SIZE;
    if (capacity > UNPACK_MESSAGE_MAX) {
        return false;
    }
    unpack->text = mb_grow(unpack->text, capacity, 1);
    unpack->capacity = capacity;
    return true;
}

// The message that was given out makes room; one great one is enough.
static void begin(struct unpack *unpack)
{
    unpack->whole = false;
    unpack->size = 0;
    if (unpack->capacity > GREAT_SIZE) {
        free(unpack->text);
        unpack->text = NULL;
        unpack->capacity = 0;
    }
}

// All of the input; false: it is no such stream, or too much.
static bool inflate_all(struct unpack *unpack)
{
    z_stream *const stream = &unpack->stream;
    do {
        if (unpack->size == unpack->capacity && !grow(unpack)) {
            return false;
        }
        const size_t room = unpack->capacity - unpack->size;
        stream->next_out = (Bytef *)unpack->text + unpack->size;
        stream->avail_out = (uInt)room;
        const int result = inflate(stream, Z_SYNC_FLUSH);
        unpack->size = unpack->capacity - stream->avail_out;
        if (result != Z_OK && result != Z_BUF_ERROR) {
            return false; // the end of the stream among it: Discord's has none
        }
    } while (stream->avail_in > 0 || stream->avail_out == 0);
    return true;
}

enum unpack_result unpack_take(struct unpack *unpack, const void *bytes, size_t size,
                               const char **text, size_t *text_size)
{
    enum { BYTE_BITS = 8 };
    const unsigned char *const at = bytes;
    if (size > UINT_MAX) {
        return UNPACK_BROKEN;
    }
    if (unpack->whole) {
        begin(unpack);
    }
    for (size_t i = size > sizeof unpack->last ? size - sizeof unpack->last : 0; i < size; i++) {
        unpack->last = unpack->last << BYTE_BITS | at[i];
    }
    unpack->stream.next_in = at;
    unpack->stream.avail_in = (uInt)size;
    if (size > 0 && !inflate_all(unpack)) {
        return UNPACK_BROKEN;
    }
    if (unpack->last != FLUSHED || size == 0) {
        return UNPACK_PART;
    }
    unpack->whole = true;
    *text = unpack->text;
    *text_size = unpack->size;
    return UNPACK_WHOLE;
}
