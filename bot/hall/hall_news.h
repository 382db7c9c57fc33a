/*
 * Inside of the hall, for bot/hall/ only: what chats tell that nobody has said.
 */
#ifndef BOT_HALL_HALL_NEWS_H
#define BOT_HALL_HALL_NEWS_H

#include "bot/hall/hall_state.h"

/* hall_away.c */
/** Since when a table's time stands because it cannot be heard, or STORE_NEVER. */
int64_t hall_away_ms(const struct hall *hall, const struct hall_table *table);
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

/* hall_place.c */
/** A chat tells what has become of a place or a person. */
void hall_place_tell(struct hall *hall, unsigned chat, struct chat_in *in);
/** News of a person go to every table where they sit. */
void hall_place_sittings(struct hall *hall, struct hall_line *line,
                         const struct store_answer *sittings);
/** `resume` where no table is: one of the speaker's that lies nowhere comes here. */
void hall_place_resume(struct hall *hall, struct hall_line *line);
/** A line where there is no table goes to its speaker's own in that community. False: it is
 * nobody's own, or has been there already. */
bool hall_place_strays(struct hall *hall, struct hall_line *line);
/** Whether a line that would bring a table there may: else it is answered, and dealt with. */
bool hall_place_may_come(struct hall *hall, const struct hall_table *table, struct hall_line *line);
/** What the step's line tells. */
void hall_place_deed(const struct hall *hall, const struct hall_table *table, struct deed *deed);
/** The table's place turns out to be closed, or gone. */
bool hall_place_begin(struct hall *hall, struct hall_table *table);
/** A message to a place was never delivered: maybe the place is shut. */
void hall_place_outcome(struct hall *hall, struct hall_table *table,
                        const struct hall_message *message, enum chat_fate fate);
/** Whether it lies elsewhere after the step; what was shown where it lay is nobody's. */
void hall_place_moved(struct hall *hall, struct hall_table *table, const struct table *before);

/* hall_clock.c, by the wall clock */
/** Whether nobody is to be called now: a table whose clocks run only from this step on, begun at
 * night, does not know of it yet. */
bool hall_is_quiet(const struct hall *hall, const struct table *table);
/** Whether quiet hours begin or end for the table, as the wall clock has it. */
bool hall_quiet_changes(const struct hall *hall, const struct table *table);

/* hall_seek.c */
/** Who has missed a reminder in this step may be there no more. */
void hall_seek_missed(struct hall *hall, const struct hall_table *table);
/** So may who speaks in private. */
void hall_seek_heard(struct hall *hall, const struct hall_table *table,
                     const struct hall_line *line);

#endif
