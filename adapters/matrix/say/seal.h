/*
 * Between what is said and how it travels: content is sealed before it goes into a room, and what
 * comes out of rooms is opened before anything reads it.
 *
 * Whoever sends or reads content of messages goes through here, in a fibre, so that encryption is
 * one module's. Today a seal changes nothing, and nothing waits. State is never sealed. Reference:
 * Matrix, section 15.
 */
#ifndef ADAPTERS_MATRIX_SAY_SEAL_H
#define ADAPTERS_MATRIX_SAY_SEAL_H

#include <stdbool.h>

#include <jansson.h>

#include "bot/fibre.h"

/** A message's content, taken, for a room: under which type what travels. False: the fibre's owner
 * stops. */
MB_MUST_CHECK
bool seal_content_await(struct fibre *fibre, const char *room, json_t *content, const char **type,
                        json_t **out);
/** Events of a room, an array in order, borrowed: the same events, as many, each as it was said;
 * one that cannot be opened as it came. False as above. */
MB_MUST_CHECK
bool seal_open_await(struct fibre *fibre, const char *room, json_t *events, json_t **out);

#endif
