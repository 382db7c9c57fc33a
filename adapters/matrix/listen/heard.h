/*
 * What was heard and did not find room in the hall's queue yet, oldest first.
 */
#ifndef ADAPTERS_MATRIX_LISTEN_HEARD_H
#define ADAPTERS_MATRIX_LISTEN_HEARD_H

#include "bot/chat.h"
#include "bot/chat_queue.h"

struct heard;

struct heard *heard_create(void);
/** NULL is fine. */
void heard_destroy(struct heard *heard);
/** Keeps a copy. */
void heard_add(struct heard *heard, const struct chat_in *in);
/** Pushes what the queue takes; who floods it, and what it will never take, is dropped. Returns
 * whether nothing waits here any more. */
bool heard_push(struct heard *heard, struct chat_queue *queue);

#endif
