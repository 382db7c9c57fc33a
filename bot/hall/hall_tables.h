/*
 * Which tables are somebody's: "at", and what could mean several. For bot/hall/ only.
 */
#ifndef BOT_HALL_HALL_TABLES_H
#define BOT_HALL_HALL_TABLES_H

#include "bot/hall/hall_state.h"

/* hall_answer.c */
/** A text that holds what only the speaker is to read, whatever they said. */
void hall_answer_alone(struct hall *hall, const struct hall_line *line, const char *text);

/* hall_tables.c */
/** A line is answered by its speaker's tables (of one community, NULL: all), as they stand. */
void hall_tour_begin(struct hall *hall, struct hall_line *line, const struct store_answer *sits,
                     const char *community);
/** It has come to the next of them, NULL: that is not to be seen. */
void hall_tour_visit(struct hall *hall, const struct hall_table *table, struct hall_line *line);
/** Whether a line that comes to nothing at a table was on its way to others, too, and is again. */
bool hall_tour_passes(struct hall *hall, struct hall_line *line);

#endif
