/*
 * The process among others, and beside its networks: what is away, left or forgotten, and what
 * adapters keep. For bot/hall/ only.
 */
#ifndef BOT_HALL_CLUSTER_CLUSTER_H
#define BOT_HALL_CLUSTER_CLUSTER_H

#include "bot/hall/out/out.h"

/* away.c */
/** A chat tells that something is away, or back; settles it. */
void hall_away_tell(struct hall *hall, unsigned chat, struct chat_in *in);
/** Somebody has spoken there: their community cannot be away. */
void hall_away_heard(struct hall *hall, unsigned chat, const struct chat_in *in);
/** The store has said hello: networks count as away until their chats have them. */
void hall_away_begin(struct hall *hall, const struct store_answer *answer);
void hall_away_answered(struct hall *hall, const struct store_answer *answer);
/** A beat has said what is away: what others have told, and what must be told again. */
void hall_away_beaten(struct hall *hall, const struct store_answer *answer);
/** Tells the store what chats have told. */
void hall_away_keep_up(struct hall *hall);
/** When that is next to be done, or STORE_NEVER. */
int64_t hall_away_due_ms(const struct hall *hall);
/** Whether a table that comes out of the store has just come back with its network. */
bool hall_has_returned(const struct hall *hall, const struct hall_table *table);
void hall_away_finish(struct hall *hall);

/* forget.c */
/** Somebody wants to be forgotten, and is sure: that is kept, then answered, then done. */
void hall_forget_begin(struct hall *hall, const struct hall_line *line);
/** Goes on with what an earlier process has kept. */
void hall_forget_read(struct hall *hall, unsigned chat);
/** What became of what a chat was asked to take away, if it is that. */
void hall_forget_outcome(struct hall *hall, const struct chat_outcome *outcome);

/* gone.c */
/** We are no longer in a community, or are again. */
void hall_gone_tell(struct hall *hall, unsigned chat, const char *community);
void hall_gone_back(struct hall *hall, unsigned chat, const char *community);
/** Goes on with what an earlier process has kept. */
void hall_gone_read(struct hall *hall, unsigned chat);
/** One is purged. */
void hall_gone_answered(struct hall *hall, const struct store_answer *answer);

/* keep.c */
/** Of chats' sinks. */
extern const struct chat_keeper HALL_KEEPER;
/** The same for the hall's own: words of that owner, whom no chat is called like. */
bool hall_keep_put(struct hall *hall, const char *owner, const struct chat_kept *item,
                   chat_kept_fn *done, void *user);
bool hall_keep_read(struct hall *hall, const char *owner, const char *begins, chat_kept_fn *done,
                    void *user);
void hall_keep_answered(struct hall *hall, const struct store_answer *answer);
bool hall_keep_is_busy(const struct hall *hall); /**< something is not written yet */
/** Asks what is to be asked, maybe again. */
void hall_keep_ask(struct hall *hall);
/** When that is next to be done, or STORE_NEVER. */
int64_t hall_keep_ms(const struct hall *hall);
/** What is not answered never is. */
void hall_keep_finish(struct hall *hall);

/* watch.c */
void hall_watched(struct hall *hall, const struct store_answer *answer);
void hall_beat(struct hall *hall);
void hall_beaten(struct hall *hall, const struct store_answer *answer);
void hall_word_answered(struct hall *hall, const struct store_answer *answer);
void hall_lease_keep_up(struct hall *hall);
/** When that is next to be done, or STORE_NEVER. */
int64_t hall_lease_ms(const struct hall *hall);
/** When to ask again what is due, where the next is known to be due then. */
int64_t hall_round_ms(struct hall *hall, int64_t next_ms);

#endif
