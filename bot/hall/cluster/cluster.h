/*
 * The process among others, and beside its networks: what is away, left or forgotten, and what
 * adapters keep. For bot/hall/ only.
 */
#ifndef BOT_HALL_CLUSTER_CLUSTER_H
#define BOT_HALL_CLUSTER_CLUSTER_H

#include "bot/hall/out/out.h"

/* away.c */
/** A chat tells that its network or communities are away, or back. Settles it. */
void hall_away_tell(struct hall *hall, unsigned chat, struct chat_in *in);
/** Somebody has spoken: their community is not away. */
void hall_away_heard(struct hall *hall, unsigned chat, const struct chat_in *in);
/** The store has said hello: networks count as away until their chats say otherwise. */
void hall_away_begin(struct hall *hall, const struct store_answer *answer);
/** The store knows what was away, or back. */
void hall_away_answered(struct hall *hall, const struct store_answer *answer);
/** A beat tells what other processes have told. */
void hall_away_beaten(struct hall *hall, const struct store_answer *answer);
/** Tells the store what chats have told. */
void hall_away_keep_up(struct hall *hall);
/** When the store is to be told next, or STORE_NEVER. */
int64_t hall_away_due_ms(const struct hall *hall);
/** Whether a table that was just loaded has come back with its network. */
bool hall_has_returned(const struct hall *hall, const struct hall_table *table);
void hall_away_finish(struct hall *hall);

/* forget.c */
/** Somebody wants to be forgotten, and is sure: keeps the wish, answers, then does it. */
void hall_forget_begin(struct hall *hall, const struct hall_line *line);
/** Goes on with wishes that an earlier process has kept. */
void hall_forget_read(struct hall *hall, unsigned chat);
/** What became of a CHAT_FORGET, if it is one. */
void hall_forget_outcome(struct hall *hall, const struct chat_outcome *outcome);

/* gone.c */
/** The bot was removed from a community. */
void hall_gone_tell(struct hall *hall, unsigned chat, const char *community);
/** It is in that community again. */
void hall_gone_back(struct hall *hall, unsigned chat, const char *community);
/** Goes on with communities that an earlier process has kept. */
void hall_gone_read(struct hall *hall, unsigned chat);
/** What is left of a community has been purged. */
void hall_gone_answered(struct hall *hall, const struct store_answer *answer);

/* keep.c */
/** Of chats' sinks. */
extern const struct chat_keeper HALL_KEEPER;
/** Keeps a word for the hall itself. `owner`: no chat has that name. */
bool hall_keep_put(struct hall *hall, const char *owner, const struct chat_kept *item,
                   chat_kept_fn *done, void *user);
bool hall_keep_read(struct hall *hall, const char *owner, const char *begins, chat_kept_fn *done,
                    void *user);
void hall_keep_answered(struct hall *hall, const struct store_answer *answer);
bool hall_keep_is_busy(const struct hall *hall); /**< something is not written yet */
/** Asks, maybe again, what is to be kept or read. */
void hall_keep_ask(struct hall *hall);
/** When that is next to be done, or STORE_NEVER. */
int64_t hall_keep_ms(const struct hall *hall);
/** Drops what is not answered. */
void hall_keep_finish(struct hall *hall);

/* watch.c */
/** The store has said which tables other processes have changed. */
void hall_watched(struct hall *hall, const struct store_answer *answer);
/** Tells the store that this process lives, and what time it is. */
void hall_beat(struct hall *hall);
/** The store has answered a beat. */
void hall_beaten(struct hall *hall, const struct store_answer *answer);
/** The store has said for which networks this process speaks. */
void hall_word_answered(struct hall *hall, const struct store_answer *answer);
/** Notices other processes, and watches what they do. */
void hall_lease_keep_up(struct hall *hall);
/** When that is next to be done, or STORE_NEVER. */
int64_t hall_lease_ms(const struct hall *hall);
/** When to ask again what is due; `next_ms`: when the next is known to be. */
int64_t hall_round_ms(struct hall *hall, int64_t next_ms);

#endif
