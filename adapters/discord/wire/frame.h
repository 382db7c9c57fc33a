/*
 * One gateway message, read as far as it must be: op, t, s, and where d stands.
 *
 * A GUILD_CREATE is megabytes, and of most events nothing is used: so the text is walked once, no
 * tree is built, and d is a slice that whoever wants it reads further. The walk accepts what JSON
 * is in shape (strings, nesting, nothing behind the end); what d holds is checked by its reader.
 * Reference: Discord, section 2.2.
 */
#ifndef ADAPTERS_DISCORD_WIRE_FRAME_H
#define ADAPTERS_DISCORD_WIRE_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"

enum { FRAME_EVENT_SIZE = 64, FRAME_DEPTH_MAX = 64 };

struct gateway_frame {
    int op;
    char event[FRAME_EVENT_SIZE]; /**< t; "" when null. Longer ones are of no use here: "" too */
    uint64_t sequence;            /**< s */
    bool numbered;                /**< s is a number */
    const char *data;             /**< d, borrowed from the text; NULL when absent */
    size_t data_size;
};

/** Told of each member of an object: its key as it is written, without the quotes, and its value.
 * False ends the walk. */
typedef bool frame_member_fn(void *user, const char *key, size_t key_size, const char *value,
                             size_t value_size);

/** Walks an object's own members; what they hold is passed over. False when the text is no object,
 * or when somebody who was told says so. */
MB_MUST_CHECK
bool frame_members(const char *text, size_t size, frame_member_fn *told, void *user);

/** False with an error when the text is no such message. */
MB_MUST_CHECK
bool frame_read(const char *text, size_t size, struct gateway_frame *out, struct mb_error *err);

#endif
