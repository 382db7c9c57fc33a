/*
 * Noise: what one person makes everybody read has a price (attack G-4.3).
 *
 * hall_noise.c has one table: for each kind of noise how much a person and how much a table's
 * players, or all others there together, may make; and how many tables may be opened in a place.
 * Above it nothing is done. Each person who meets the bound reads one private sentence with the
 * waiting time, then nothing until it opens again.
 */
#ifndef BOT_HALL_HALL_NOISE_H
#define BOT_HALL_HALL_NOISE_H

#include "bot/hall/hall_state.h"

/** Whether that is more than its speaker may say; they have been told then. */
bool hall_noise_of_person(struct hall *hall, struct hall_person *person, struct hall_line *line);
/** Whether it is more than may be said at the table; `plays`: by those who sit there. */
bool hall_noise_of_table(struct hall *hall, struct hall_table *table, const struct hall_line *line,
                         bool plays);
/** Whether more tables are opened in its place than may be. */
bool hall_noise_of_place(struct hall *hall, const struct hall_line *line);
/** A line as it can be read without a table. */
bool hall_read_line(struct hall *hall, const char *words, struct request *request,
                    struct parse_error *error);
/** "at 2 kick": the number of one of the person's tables; `rest` is what is said to it. 0: no "at".
 */
unsigned hall_at_number(const char *line, const char **rest);

#endif
