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
/** Asks for what the turn has told so far, unless that is known; false: it is, or nobody reads it.
 */
bool hall_story_ask(struct hall *hall, struct hall_table *table);
/** It has come. */
void hall_story_take(struct hall_table *table, const struct store_answer *answer);

#endif
