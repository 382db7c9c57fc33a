/*
 * Something that everybody at a table is told by who is no hall: a message that waits in the store
 * for whichever process sends what the table says.
 */
#ifndef BOT_HALL_OUT_ANNOUNCE_H
#define BOT_HALL_OUT_ANNOUNCE_H

#include <stddef.h>

/** The bytes of a message that tells a place its commit's narration; 0: they do not fit. */
size_t announce_encode(const char *network, const char *place, unsigned char *out, size_t size);

#endif
