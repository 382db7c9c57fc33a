/*
 * The top of the hall: what is done next. For bot/hall/ only.
 */
#ifndef BOT_HALL_HALL_IMPL_H
#define BOT_HALL_HALL_IMPL_H

#include "bot/hall/step/step.h"

/* turn.c */
/** Does one thing at a table that has work. */
void hall_table_go_on(struct hall *hall, struct hall_table *table);

/* loop.c */
/** What is done as long as anything can be done without further answers. */
void hall_settle_down(struct hall *hall);

#endif
