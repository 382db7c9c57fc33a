/*
 * What an operator is told of what happens at tables (struct hall_note).
 */
#ifndef BOT_HALL_HALL_NOTE_H
#define BOT_HALL_HALL_NOTE_H

#include "bot/hall/hall_state.h"

/** Of a step; `before`: the table's version until now. */
void hall_note_step(const struct hall *hall, const struct hall_table *table, uint64_t before);
/** Of a line that was refused. */
void hall_note_refused(const struct hall *hall, const struct hall_table *table);
/** Of a table that cannot be read; not more often than an operator can read it. */
void hall_note_unreadable(struct hall *hall, const struct hall_table *table, const char *why);

#endif
