/*
 * Where the bot stands in what its homeserver has to tell: the token of the latest sync, and of the
 * latest whose lines are all dealt with.
 *
 * Only the second is kept. What comes behind it is told again after a restart, and lines are known
 * again by their events' ids: nothing is lost and nothing done twice. Reference: Matrix, section
 * 0.4.
 */
#ifndef ADAPTERS_MATRIX_LISTEN_STREAM_H
#define ADAPTERS_MATRIX_LISTEN_STREAM_H

#include "bot/errand.h"

enum { STREAM_TOKEN_SIZE = 1024 };

struct stream;

/** The chat is borrowed. */
struct stream *stream_create(struct chat *chat);
/** NULL is fine. */
void stream_destroy(struct stream *stream);
/** Reads the token that another process has kept and forgets one's own; false: the fibre's owner
 * stops. */
MB_MUST_CHECK
bool stream_await(struct fibre *fibre, struct stream *stream);
/** The token to go on with; "" : there is none. */
const char *stream_since(const struct stream *stream);
/** A sync has come whose lines are all in the queue; "" : the token is good for nothing. False: it
 * is too long to be one. */
bool stream_advance(struct stream *stream, const char *since);
/** More may be dealt with than before. */
void stream_settle(struct stream *stream);

#endif
