/*
 * Listening: who the bot is, then one sync after the other, each told whole before the next.
 *
 * One process listens for a network: its word is held in the store (bot/chat_impl.h), the same by
 * which the host knows who speaks there, and whoever has lost it stops and asks for it again. The
 * first sync of a process tells of all rooms. What a sync leaves out is fetched before the rest of
 * it is told, and long answers are told in pieces, so that the loop is never held up. Reference:
 * Matrix, sections 3 and 5.
 */
#ifndef ADAPTERS_MATRIX_LISTEN_POLL_H
#define ADAPTERS_MATRIX_LISTEN_POLL_H

#include <stdbool.h>

#include "bot/chat.h"
#include "bot/errand.h"

enum { STREAM_TOKEN_SIZE = 1024 }; /**< of what tells where a sync begins */

struct matrix;
struct poll;

/** Tells the chat by the functions of matrix_impl.h. */
struct poll *poll_create(struct matrix *matrix);
void poll_start(struct poll *poll);
/** What was told is in the queue: on to the next sync. Fine at any time. */
void poll_go_on(struct poll *poll);
/** All lines up to some number are dealt with. */
void poll_settle(struct poll *poll);
/** Whether this process listens, and has been told of all rooms. */
bool poll_is_told(const struct poll *poll);
/** Writes away, standby, links, live, connects and silent_ms. */
void poll_figures(const struct poll *poll, struct chat_figures *out);
/** Lets go of the loop; behind api_close(). */
void poll_stop(struct poll *poll);
/** NULL is fine; with the loop empty. */
void poll_destroy(struct poll *poll);

#endif
