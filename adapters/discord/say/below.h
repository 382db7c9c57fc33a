/*
 * What lies below cards and hands: how far they have scrolled up.
 *
 * Messages of the bot's own are counted as they go out. Of other people's nobody tells (the bot has
 * no right to read them); an interaction says which message of its channel is the newest, and if
 * that is none of the bot's, those below the board are to be counted by asking, at most once a
 * turn. What is not known (after a start) is asked for, too. Nothing is remembered for ever: at
 * most BELOW_MAX boards, the oldest go.
 *
 * Pure. Reference: Discord, section 6.
 */
#ifndef ADAPTERS_DISCORD_SAY_BELOW_H
#define ADAPTERS_DISCORD_SAY_BELOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BELOW_MAX = 16384, BELOW_FAR = 10 };

struct below;

struct below *below_create(void);
/** NULL is fine. */
void below_destroy(struct below *below);
/** A board was posted there, in that turn (UINT32_MAX: in none), in the place of `old` ("" : of
 * none). */
void below_posted(struct below *below, const char *channel, const char *board, const char *old,
                  uint32_t turn);
/** A message of the bot's lies there. */
void below_said(struct below *below, const char *channel, const char *message);
/** That one is the newest there, whosever it is. */
void below_heard(struct below *below, const char *channel, const char *newest);
/** Whether a board that changes is to be posted anew: it has scrolled far, and was not posted in
 * this turn. */
bool below_is_far(struct below *below, const char *channel, const char *board, uint32_t turn);
/** Whether what lies below it is to be counted now, which is noted. */
bool below_asks(struct below *below, const char *channel, const char *board, uint32_t turn);
/** So many lie below it, and that is the newest of them ("" : none does). */
void below_counted(struct below *below, const char *channel, const char *board, size_t count,
                   const char *newest);

#endif
