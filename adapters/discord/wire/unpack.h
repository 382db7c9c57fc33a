/*
 * zlib-stream: what comes over one connection is one compressed stream, flushed behind each
 * message.
 *
 * Frames are inflated as they come; a message is whole when the bytes end in 00 00 FF FF, wherever
 * frames were cut. What a message may grow to is bounded, so that a few bytes cannot fill the
 * memory. Each connection has one of its own. Reference: Discord, section 2.7.
 */
#ifndef ADAPTERS_DISCORD_WIRE_UNPACK_H
#define ADAPTERS_DISCORD_WIRE_UNPACK_H

#include <stddef.h>

enum { UNPACK_MESSAGE_MAX = 64 * 1024 * 1024 };

enum unpack_result {
    UNPACK_PART,  /**< of a message: more is to come */
    UNPACK_WHOLE, /**< a message is there */
    UNPACK_BROKEN /**< no such stream, or too great a message: it is of no more use */
};

struct unpack;

/** NULL if zlib cannot be used. */
struct unpack *unpack_create(void);
/** NULL is fine. */
void unpack_destroy(struct unpack *unpack);
/** Takes a frame. With UNPACK_WHOLE `text` is the message, borrowed until the next frame. */
enum unpack_result unpack_take(struct unpack *unpack, const void *bytes, size_t size,
                               const char **text, size_t *text_size);

#endif
