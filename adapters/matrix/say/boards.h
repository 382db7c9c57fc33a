/*
 * Cards and hands in their rooms: which message shows each by now, and how much lies below it.
 *
 * Edits do not move a message down, so a board is posted anew when enough lies below it, or when
 * its chapter is another; from then on it is that message that is edited, whichever of its messages
 * somebody names. What is named outside carries the chapter it was posted in: "$id 17". Of messages
 * that an earlier process has posted nothing else is known: nothing is taken to lie below them.
 * Pure. Reference: Matrix, section 6.
 */
#ifndef ADAPTERS_MATRIX_SAY_BOARDS_H
#define ADAPTERS_MATRIX_SAY_BOARDS_H

#include <stdbool.h>
#include <stdint.h>

#include "bot/chat.h"

enum { BOARDS_MAX = 4096, BOARDS_NAME_SIZE = CHAT_ID_SIZE + 16 };

struct boards;

struct boards *boards_create(void);
/** NULL is fine. */
void boards_destroy(struct boards *boards);
/** A message lies there now, below all others. */
void boards_said(struct boards *boards, const char *room, const char *event);
/** Somebody has deleted a message: a board that it showed is posted anew with its next change. */
void boards_deleted(struct boards *boards, const char *event);
/** The message to edit for a board of that name; "" : it is to be posted anew, for so many lie
 * below it, or its chapter is another (0: of none). */
const char *boards_edited(struct boards *boards, const char *room, const char *name,
                          uint32_t chapter, unsigned far);
/** It was posted, in place of what had the name `old` (NULL: of nothing); writes its name. */
bool boards_posted(struct boards *boards, const char *room, const char *old, const char *event,
                   uint32_t chapter, char name[BOARDS_NAME_SIZE]);
/** What it asks from now on, whether it is shown already or only tried. NULL: nobody knows. */
void boards_ask(struct boards *boards, const char *name, const struct chat_question *question);
/** Whether it asks just that, of all these people and perhaps of others. */
bool boards_asks(const struct boards *boards, const char *name,
                 const struct chat_question *question);
/** Its next form asks that, whether it will ever be shown or not: who is not asked any more has
 * answered, and what they are asked behind that is anew. */
void boards_narrow(struct boards *boards, const char *name, const struct chat_question *question);
/** Whether this process has posted or edited it. */
bool boards_knows(const struct boards *boards, const char *name);
/** The name that it has by now. */
void boards_name(const struct boards *boards, const char *name, char out[BOARDS_NAME_SIZE]);

#endif
