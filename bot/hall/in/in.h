/*
 * What is heard: lines, presses, news of places and people, and which tables they are for. For
 * bot/hall/ only.
 */
#ifndef BOT_HALL_IN_IN_H
#define BOT_HALL_IN_IN_H

#include "bot/hall/cluster/cluster.h"

/* tables.c */
/** One that is to be found (by place) or fetched (by id); NULL: as many are live as can be, and
 * each is busy. */
struct hall_table *hall_table_find(struct hall *hall, const char *network, const char *place);
struct hall_table *hall_table_fetch(struct hall *hall, const char *id);
/** Forgets a live table; what waits for it is dropped. */
void hall_table_drop(struct hall *hall, struct hall_table *table);
struct hall_table *hall_table_of(struct hall *hall, const char *id);
struct hall_table *hall_table_there(struct hall *hall, const char *network, const char *place);
/** A line goes into a table's queue. */
void hall_enqueue(struct hall *hall, struct hall_table *table, struct hall_line *line);

/* noise.c */
/** Takes a token for a line. True: there is none, and its speaker is told once. `told_ms`: until
 * when its speaker knows, for a bucket of several people; NULL: only the first of them is told. */
bool hall_rationed(struct hall *hall, const struct hall_line *line, struct rate_bucket *bucket,
                   const struct rate_rule *rule, enum text_id id, int64_t *told_ms);
/** Whether that is more than its speaker may say; they have been told then. */
bool hall_noise_of_person(struct hall *hall, struct hall_person *person, struct hall_line *line);
/** Whether it is more than may be said at the table; `plays`: by those who sit there. */
bool hall_noise_of_table(struct hall *hall, struct hall_table *table, const struct hall_line *line,
                         bool plays);
/** Whether more tables are opened in its place than may be. */
bool hall_noise_of_place(struct hall *hall, const struct hall_line *line);

/* hear.c */
void hall_answer_nowhere(struct hall *hall, struct hall_line *line);
/** A line said in private goes to a table of its person, or is answered. */
void hall_direct(struct hall *hall, uint32_t index, const struct store_answer *sittings);
/** Asks where a person sits whose lines wait. */
void hall_direct_ask(struct hall *hall, uint32_t index);
/** One line of a chat; false if it has none. */
bool hall_hear_one(struct hall *hall, unsigned chat);
/** A line waits until it is known where its person sits. */
void hall_wait_for_sittings(struct hall *hall, uint32_t index, struct hall_line *line);
/** Whoever is named by their id ("@bob:hs") becomes the seat that they hold: "#2". */
void hall_name_seats(const struct hall *hall, const struct hall_table *table,
                     struct hall_line *line);

/* press.c */
/** Whether a control is pressed where it stands, by whom it was made for. */
bool hall_press_is_at_home(const struct hall *hall, const struct hall_table *table,
                           const struct hall_line *line);
/** Answers what is pressed below the result of a game that is put away. */
void hall_press_last(struct hall *hall, struct hall_table *table);
/** Whether a line opens another game where this one came from: then it is on its way there. */
bool hall_press_goes_on(struct hall *hall, struct hall_table *table, struct hall_line *line);
/** Whether nothing comes of a pressed control: it is answered. Else the line is what that says. */
bool hall_press_is_dead(struct hall *hall, struct hall_table *table, struct hall_line *line);
/** A bare number said in private, where they stand under a hand, is the line that stands there. */
void hall_press_number(struct hall *hall, struct hall_table *table, struct hall_line *line);
/** What is said of a control of a game that is over. */
enum text_id hall_ended(const struct hall *hall, const struct hall_line *line);

/* link.c */
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
void hall_link_tell(struct hall *hall, struct hall_table *table);

/* tours.c */
/** A line is answered by its speaker's tables (of one community, NULL: all), as they stand. */
void hall_tour_begin(struct hall *hall, struct hall_line *line, const struct store_answer *sits,
                     const char *community);
/** It has come to the next of them, NULL: that is not to be seen. */
void hall_tour_visit(struct hall *hall, const struct hall_table *table, struct hall_line *line);
/** Whether a line that comes to nothing at a table was on its way to others, too, and is again. */
bool hall_tour_passes(struct hall *hall, struct hall_line *line);

/* place.c */
/** In how many seconds those who sit there can be shown a hand (deed.reach_s); whether anybody is
 * to be waited for. */
bool hall_reach(const struct hall *hall, const struct table *table, int32_t reach_s[MB_SEATS_MAX]);
/** Whether a start waits for nobody any more. */
bool hall_reach_told(struct hall *hall, struct hall_table *table);
/** A chat tells what has become of a place or a person. */
void hall_place_tell(struct hall *hall, unsigned chat, struct chat_in *in);
/** News of a person go to every table where they sit. */
void hall_place_sittings(struct hall *hall, struct hall_line *line,
                         const struct store_answer *sittings);
/** `resume` where no table is: one of the speaker's that lies nowhere comes here. */
void hall_place_resume(struct hall *hall, struct hall_line *line);
/** A line where there is no table goes to its speaker's own in that community. False: it is
 * nobody's own, or has been there already. */
bool hall_place_strays(struct hall *hall, struct hall_line *line);
/** Whether a line that would bring a table there may: else it is answered, and dealt with. */
bool hall_place_may_come(struct hall *hall, const struct hall_table *table, struct hall_line *line);
/** What the step's line tells. */
void hall_place_deed(const struct hall *hall, const struct hall_table *table, struct deed *deed);
/** Whether it lies elsewhere after the step; what was shown where it lay is nobody's. */
void hall_place_moved(struct hall *hall, struct hall_table *table, const struct table *before);
/** Who has missed a reminder in this step may be there no more. */
void hall_seek_missed(struct hall *hall, const struct hall_table *table);
/** So may who speaks in private. */
void hall_seek_heard(struct hall *hall, const struct hall_table *table,
                     const struct hall_line *line);

#endif
