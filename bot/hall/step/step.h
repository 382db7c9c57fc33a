/*
 * A step of a table: from a deed to its outcome, into the store, and out of it again. For bot/hall/
 * only.
 */
#ifndef BOT_HALL_STEP_STEP_H
#define BOT_HALL_STEP_STEP_H

#include "bot/hall/in/in.h"

/* step.c */
/** A step begins. */
void hall_step_begin(struct hall *hall, struct hall_table *table, enum hall_deed deed);
/** A new game where one is over, or all have left it: another table, so that nothing of the old one
 * is taken for one of its. */
void hall_step_renew(struct hall *hall, struct hall_table *table, struct hall_step *step);
/** Carries it to its end: decides, commits, says. */
void hall_step_run(struct hall *hall, struct hall_table *table);
/** The step is over; its line is dealt with. */
void hall_step_end(struct hall *hall, struct hall_table *table);
/** The same, and nothing follows. */
void hall_step_drop(struct hall *hall, struct hall_table *table);
/** The same, and whoever spoke, or else everybody, is told why nothing has happened. */
void hall_step_give_up(struct hall *hall, struct hall_table *table, enum text_id why);
/** The step is over, and its line waits again, before all others. */
void hall_step_give_back(struct hall *hall, struct hall_table *table);
void hall_steps_finish(struct hall *hall);
/** What was put away is back in the store with this, if somebody has pressed a control of it there;
 * false: nobody has, or its game is over. */
bool hall_revive(struct fibre *fibre, struct hall *hall, struct hall_table *table);

/* commit.c */
/** The step's outcome goes into the store and is said. False: others have overtaken it, so that it
 * is decided anew. Otherwise the step is over, or the hall goes. */
MB_MUST_CHECK
bool hall_commit(struct fibre *fibre, struct hall *hall, struct hall_table *table);
/** What was to be said is not said. */
void hall_commit_drop(struct hall_step *step);

/* fetch.c */
/** Finds out whether the table is in the store as it is here; otherwise it is loaded again. */
void hall_look(struct hall *hall, struct hall_table *table);
/** All lines that wait are answered so, and the live table is dropped; the store's stays. */
void hall_turn_away(struct hall *hall, struct hall_table *table, enum text_id why,
                    const struct text_arg *args);
/** hall_work_fn: finds it by its place and loads it. */
void hall_find(struct fibre *fibre, struct hall *hall, struct hall_table *table);
/** hall_work_fn: loads it by its id. */
void hall_load(struct fibre *fibre, struct hall *hall, struct hall_table *table);
/** The same two in the middle of something. False: nothing can be done there now, or the hall
 * goes; the table may be gone. */
bool hall_find_again(struct fibre *fibre, struct hall *hall, struct hall_table *table);
bool hall_load_again(struct fibre *fibre, struct hall *hall, struct hall_table *table);
/** An empty table with a name of its own. */
void hall_table_new(struct hall *hall, struct hall_table *table, const struct chat_in *in);

/* chance.c */
/** Chance that is drawn anew in every attempt: it is not seen before it is committed. */
void hall_chance_new(uint8_t out[TABLE_CHANCE_SIZE]);
/** The chance of a line at a table, the same in every attempt. */
void hall_chance(const struct hall *hall, const struct hall_table *table, const struct chat_in *in,
                 uint8_t out[TABLE_CHANCE_SIZE]);
/** The name of the table that a line opens, which no other has, nor anybody could guess. */
void hall_table_id(const struct hall *hall, const char *network, const struct chat_in *in,
                   char out[TABLE_ID_SIZE]);

/* note.c */
/** Of a step; `before`: the table's version until now. */
void hall_note_step(const struct hall *hall, const struct hall_table *table, uint64_t before);
/** Of a line that was refused. */
void hall_note_refused(const struct hall *hall, const struct hall_table *table);
/** Of a table that cannot be read; not more often than an operator can read it. */
void hall_note_unreadable(struct hall *hall, const struct hall_table *table, const char *why);

#endif
