/*
 * Inside of the hall, for bot/hall/ only: one table on two networks, and whom it can write to.
 */
#ifndef BOT_HALL_HALL_LINK_H
#define BOT_HALL_HALL_LINK_H

#include "bot/hall/hall_state.h"

/* hall_link.c */
/** The table's host has asked for a code: it is kept, then they are told. Takes the line. */
void hall_link_offer(struct hall *hall, const struct hall_table *table, struct hall_line *line);
/** "link CODE" where there is no table: takes the line, to the table whose code it is. */
void hall_link_use(struct hall *hall, struct hall_line *line);
/** Whether a table can lie where its code was said: this process speaks in its network, too, else
 * nobody would serve it. If not, that is said and the line is taken. */
bool hall_link_may_come(struct hall *hall, const struct hall_table *table, struct hall_line *line);
/** What that line has asked for is done: its code is used. */
void hall_link_done(struct hall *hall, const struct hall_line *line);
/** Where a table lies no more is told so. */
void hall_link_parted(struct hall *hall, const struct table *before, const struct table *after);
/** A network is heard, or is not any more; if it stays so, that is told where the table lies, too,
 * when hall_link_tell() is called later. */
void hall_link_heard(struct hall *hall, struct hall_table *table);
void hall_link_tell(struct hall *hall, struct hall_table *table);

/* hall_away.c */
/** Bits of the sites whose network cannot be heard. */
unsigned hall_away_sites(const struct hall *hall, const struct hall_table *table);

/* hall_place.c */
/** In how many seconds those who sit there can be shown a hand (deed.reach_s); whether anybody is
 * to be waited for. */
bool hall_reach(const struct hall *hall, const struct table *table, int32_t reach_s[MB_SEATS_MAX]);
/** Whether a start waits for nobody any more. */
bool hall_reach_told(struct hall *hall, struct hall_table *table);

#endif
