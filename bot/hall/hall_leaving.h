/*
 * What leaves, and what comes back: people and their hands, communities, tables. For bot/hall/
 * only.
 */
#ifndef BOT_HALL_HALL_LEAVING_H
#define BOT_HALL_HALL_LEAVING_H

#include "bot/hall/hall_state.h"

/* hall_answer.c */
/** A sentence in answer to a press, in the place of what was pressed, if that was the presser's
 * own: nothing can be pressed there any more. */
void hall_answer_last(struct hall *hall, const struct hall_line *line, enum text_id id);

/* hall_forget.c */
/** Somebody wants to be forgotten, and is sure: that is kept, then answered, then done. */
void hall_forget_begin(struct hall *hall, const struct hall_line *line);
/** Goes on with what an earlier process has kept. */
void hall_forget_read(struct hall *hall, unsigned chat);
/** What became of what a chat was asked to take away, if it is that. */
void hall_forget_outcome(struct hall *hall, const struct chat_outcome *outcome);

/* hall_gone.c */
/** We are no longer in a community, or are again. */
void hall_gone_tell(struct hall *hall, unsigned chat, const char *community);
void hall_gone_back(struct hall *hall, unsigned chat, const char *community);
/** Goes on with what an earlier process has kept. */
void hall_gone_read(struct hall *hall, unsigned chat);
/** One is purged. */
void hall_gone_answered(struct hall *hall, const struct store_answer *answer);

/* hall_post.c */
/** Where a reader (hall_key()) is shown a hand; NULL: nowhere that is known. */
const struct hall_board *hall_hand_board(const struct hall_table *table, const char *reader);

/* hall_step.c */
/** What was put away is back in the store with this, if somebody has pressed a control of it there;
 * false: nobody has, or its game is over. */
bool hall_revive(struct fibre *fibre, struct hall *hall, struct hall_table *table);

#endif
