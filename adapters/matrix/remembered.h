/*
 * Rooms of which something is known for ever, whatever their state says later: that they were once
 * encrypted, that they were too large to be read.
 *
 * Kept in the store under one word, as hashes of their ids. Reference: Matrix, sections 9
 * and 15.11.
 */
#ifndef ADAPTERS_MATRIX_REMEMBERED_H
#define ADAPTERS_MATRIX_REMEMBERED_H

#include "bot/chat.h"

struct remembered;

/** NULL only without memory. Chat and word are borrowed. */
struct remembered *remembered_create(struct chat *chat, const char *word);
/** NULL is fine. */
void remembered_destroy(struct remembered *rooms);
/** Reads what earlier processes have kept; `done` is called once, not within. False: the chat has
 * no host yet. */
MB_MUST_CHECK
bool remembered_read(struct remembered *rooms, void (*done)(void *user), void *user);
bool remembered_has(const struct remembered *rooms, const char *room);
/** From now on it is one of them; nothing happens if it was. */
void remembered_add(struct remembered *rooms, const char *room);

#endif
