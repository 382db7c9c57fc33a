/*
 * A step of a table: from a deed to its outcome, into the store, and out of it again. For bot/hall/
 * only.
 */
#ifndef BOT_HALL_STEP_STEP_H
#define BOT_HALL_STEP_STEP_H

#include "bot/hall/in/in.h"

/* step.c */
/** Begins a step, which hall_step_run() must carry on. Returns its deed: the caller fills in what
 * the kind needs. Of a line, and of news, the step does that. */
struct deed *hall_step_begin(struct hall *hall, struct hall_table *table, enum deed_kind kind);
/** Begins a new game under a new id where one is over, or all have left it, so that nothing of
 * the old one is taken for the new one's. */
void hall_step_renew(struct hall *hall, struct hall_table *table, struct hall_step *step);
/** Carries the step to its end on a fibre: decides, commits, says. */
void hall_step_run(struct hall *hall, struct hall_table *table);
/** Ends the step. Its line is done with. */
void hall_step_end(struct hall *hall, struct hall_table *table);
/** The same, and the table gets no turn for it. */
void hall_step_drop(struct hall *hall, struct hall_table *table);
/** Ends the step, and tells its speaker, or everybody, why nothing has happened. */
void hall_step_give_up(struct hall *hall, struct hall_table *table, enum text_id why);
/** Ends the step. Its line waits again, before all others. */
void hall_step_give_back(struct hall *hall, struct hall_table *table);
void hall_steps_finish(struct hall *hall);
/** Commits an archived table back into the store if somebody has pressed a control of it there.
 * False: nobody has, or its game is over. */
bool hall_revive(struct fibre *fibre, struct hall *hall, struct hall_table *table);

/* commit.c */
/** Commits the step's outcome, and says it. False: another process was faster, so that the deed
 * must be decided again. True: the step is over, or the hall stops. */
MB_MUST_CHECK
bool hall_commit(struct fibre *fibre, struct hall *hall, struct hall_table *table);
/** Drops what the step was to say. */
void hall_commit_drop(struct hall_step *step);

/* fetch.c */
/** Compares the table with the store, and loads it again if they differ. */
void hall_look(struct hall *hall, struct hall_table *table);
/** Answers all lines that wait so, and drops the live table. The store's stays. */
void hall_turn_away(struct hall *hall, struct hall_table *table, enum text_id why,
                    const struct text_arg *args);
/** hall_work_fn: finds the table by its place and loads it. */
void hall_find(struct fibre *fibre, struct hall *hall, struct hall_table *table);
/** hall_work_fn: loads the table by its id. */
void hall_load(struct fibre *fibre, struct hall *hall, struct hall_table *table);
/** The same in the middle of a step. False: the table cannot be used now and may be gone, or the
 * hall stops. */
bool hall_find_again(struct fibre *fibre, struct hall *hall, struct hall_table *table);
bool hall_load_again(struct fibre *fibre, struct hall *hall, struct hall_table *table);
/** Makes an empty table with a new id of the live one. */
void hall_table_new(struct hall *hall, struct hall_table *table, const struct chat_in *in);

/* chance.c */
/** Chance that is drawn anew in every attempt. Nobody sees it before it is committed. */
void hall_chance_new(uint8_t out[TABLE_CHANCE_SIZE]);
/** The chance of a line at a table: the same in every attempt. */
void hall_chance(const struct hall *hall, const struct hall_table *table, const struct chat_in *in,
                 uint8_t out[TABLE_CHANCE_SIZE]);
/** The id of the table that a line opens. Nobody else has it, and nobody can guess it. */
void hall_table_id(const struct hall *hall, const char *network, const struct chat_in *in,
                   char out[TABLE_ID_SIZE]);

/* note.c */
/** Tells the operator of a step; `before`: the table's version until now. */
void hall_note_step(const struct hall *hall, const struct hall_table *table, uint64_t before);
/** Tells the operator of a line that was answered and changed nothing. */
void hall_note_looked(const struct hall *hall, const struct hall_table *table);
/** Tells the operator of a line that was refused. */
void hall_note_refused(const struct hall *hall, const struct hall_table *table);
/** Tells the operator of a table that cannot be read, no more often than people can read it. */
void hall_note_unreadable(struct hall *hall, const struct hall_table *table, const char *why);

#endif
