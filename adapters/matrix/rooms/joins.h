/*
 * Rooms that the bot was invited to and is joining, or lets go.
 *
 * An invitation may be told before the server lets anybody in, so it is tried some times, farther
 * and farther apart; then it is declined. Servers count joins (limits.h), and syncs tell of an
 * invitation once: joining is an errand (bot/errand.h). Reference: Matrix, sections 7 and 12.
 */
#ifndef ADAPTERS_MATRIX_ROOMS_JOINS_H
#define ADAPTERS_MATRIX_ROOMS_JOINS_H

#include "bot/errand.h"

/** Of a `struct errands` of the house's (house.h). */
errand_fn joins_run;
/** Joins it by the server of somebody who is in it, unless it is doing so. */
void joins_add(struct errands *joins, const char *room, const char *member);
/** Lets an invitation go. */
void joins_decline(struct errands *joins, const char *room);

#endif
