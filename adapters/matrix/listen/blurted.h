/*
 * Cards that people have named in a room, where all read it, by a command that was refused: they
 * are told so once a game.
 *
 * Pure. Of the latest such lines the events are remembered until it is known what came of them.
 */
#ifndef ADAPTERS_MATRIX_LISTEN_BLURTED_H
#define ADAPTERS_MATRIX_LISTEN_BLURTED_H

#include "bot/chat.h"

struct blurted;

struct blurted *blurted_create(void);
/** NULL is fine. */
void blurted_destroy(struct blurted *blurted);
/** Somebody has said that in a room: a line that names a card of theirs, or opens a game. */
void blurted_said(struct blurted *blurted, const char *room, const char *person, const char *event,
                  const char *line);
/** A line was refused for that reason; whether its author is to be told that the card is known now:
 * not again before the next game there. */
bool blurted_refused(struct blurted *blurted, const char *event, unsigned code);

#endif
