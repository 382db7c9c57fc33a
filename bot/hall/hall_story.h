/*
 * What a hall carries besides a table's value: the story of its turn, and which lines come too late
 * for it. For bot/hall/ only.
 */
#ifndef BOT_HALL_HALL_STORY_H
#define BOT_HALL_HALL_STORY_H

#include "bot/hall/hall_state.h"

/* hall_age.c */
/** Whether a line is older than anybody wants it done by now; its room is told so once. */
bool hall_comes_too_late(struct hall *hall, struct hall_table *table, const struct hall_line *line);

/* hall_story.c */
/** Whether a card tells its turn's story somewhere. */
bool hall_tells(const struct hall *hall, const struct table *table);
/** What the step's turn will have told once it is committed. */
void hall_story_tell(struct hall *hall, struct hall_table *table);
/** The step is committed. */
void hall_story_told(struct hall_table *table);
/** Whether a card tells what the log alone knows: the turn of the version that was loaded. */
bool hall_story_lacks(const struct hall *hall, const struct hall_table *table);
/** Asks the log for it; false: the hall goes. */
MB_MUST_CHECK
bool hall_story_fetch(struct fibre *fibre, struct hall *hall, struct hall_table *table);

#endif
