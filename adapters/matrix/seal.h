/*
 * Between what is said and how it travels: content is sealed before it goes into a room, and what
 * comes out of rooms is opened before anything reads it.
 *
 * Whoever sends or reads content of messages goes through here, so that encryption is one module's.
 * Today a seal changes nothing. Nothing is answered within the call that asks, in the order of the
 * calls. State is never sealed. Reference: Matrix, section 15.
 */
#ifndef ADAPTERS_MATRIX_SEAL_H
#define ADAPTERS_MATRIX_SEAL_H

#include <stdbool.h>

#include <jansson.h>
#include <uv.h>

#include "bot/fibre.h"

struct seal;

/** Under which type what content travels; both borrowed. */
typedef void seal_sealed_fn(void *user, const char *type, json_t *content);
/** The same events, as many, each as it was said; one that cannot be opened as it came. Borrowed.
 */
typedef void seal_opened_fn(void *user, json_t *events);

/** NULL only without memory. */
struct seal *seal_create(uv_loop_t *loop);
/** A message's content, taken, for a room. False without memory: then `done` is never called. */
MB_MUST_CHECK
bool seal_content(struct seal *seal, const char *room, json_t *content, seal_sealed_fn *done,
                  void *user);
/** Events of a room, an array in order, borrowed during the call. False as above. */
MB_MUST_CHECK
bool seal_open(struct seal *seal, const char *room, json_t *events, seal_opened_fn *done,
               void *user);
/** The same in a fibre; what was opened is taken. False: its owner stops. */
MB_MUST_CHECK
bool seal_open_await(struct fibre *fibre, struct seal *seal, const char *room, json_t *events,
                     json_t **out);
/** Lets go of the loop; nothing is answered any more. */
void seal_stop(struct seal *seal);
/** NULL is fine; with the loop empty. */
void seal_destroy(struct seal *seal);

#endif
