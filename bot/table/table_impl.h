/*
 * What a deed comes to: lines, looks. For bot/table/ only.
 */
#ifndef BOT_TABLE_TABLE_IMPL_H
#define BOT_TABLE_TABLE_IMPL_H

#include "bot/table/show/show.h"

/* line.c */
/** A line of the deed's person. False if refused. */
bool table_line(struct table_work *work, struct refusal *why);

/* look.c */
/** What only looks. */
bool table_look(struct table_work *work, unsigned seat, const struct request *request,
                struct refusal *why);

#endif
