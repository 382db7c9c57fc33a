/*
 * Rooms that were ever encrypted: known for ever, whatever their state says later.
 *
 * Kept in the store as hashes of their ids. Reference: Matrix, sections 9 and 15.11.
 */
#ifndef ADAPTERS_MATRIX_SEALED_H
#define ADAPTERS_MATRIX_SEALED_H

#include "bot/chat.h"

struct sealed;

/** NULL only without memory. The chat is borrowed. */
struct sealed *sealed_create(struct chat *chat);
/** NULL is fine. */
void sealed_destroy(struct sealed *sealed);
/** Reads what earlier processes have kept; `done` is called once, not within. False: the chat has
 * no host yet. */
MB_MUST_CHECK
bool sealed_read(struct sealed *sealed, void (*done)(void *user), void *user);
bool sealed_has(const struct sealed *sealed, const char *room);
/** From now on it is; nothing happens if it was. */
void sealed_add(struct sealed *sealed, const char *room);

#endif
