/*
 * Rooms of which something is known for ever, whatever their state says later: that they were once
 * encrypted, too large to be read, or no room for hands any more.
 *
 * Kept in the store under one word, as hashes of their ids. Reference: Matrix, sections 9
 * and 15.11.
 */
#ifndef ADAPTERS_MATRIX_SAY_REMEMBERED_H
#define ADAPTERS_MATRIX_SAY_REMEMBERED_H

#include <stdbool.h>

#include "core/base/error.h"

#include "bot/chat.h"
#include "bot/fibre.h"

struct remembered;

/** Chat and word are borrowed. */
struct remembered *remembered_create(struct chat *chat, const char *word);
/** NULL is fine. */
void remembered_destroy(struct remembered *rooms);
/** Reads what earlier processes have kept; false: the fibre's owner stops. */
MB_MUST_CHECK
bool remembered_await(struct fibre *fibre, struct remembered *rooms);
/** Whether that has been read. */
bool remembered_is_read(const struct remembered *rooms);
bool remembered_has(const struct remembered *rooms, const char *room);
/** From now on it is one of them; nothing happens if it was. */
void remembered_add(struct remembered *rooms, const char *room);

#endif
