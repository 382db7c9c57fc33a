/*
 * The top of the hall: what is done next. For bot/hall/ only.
 */
#ifndef BOT_HALL_HALL_IMPL_H
#define BOT_HALL_HALL_IMPL_H

#include "bot/hall/step/step.h"

/* turn.c */
/** Gives a table its turn: it does one thing. */
void hall_table_go_on(struct hall *hall, struct hall_table *table);

/* loop.c */
/** Does what can be done without further answers, up to the bound of one call. */
void hall_settle_down(struct hall *hall);

#endif
