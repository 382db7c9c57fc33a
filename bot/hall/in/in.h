/*
 * What is heard: lines, presses, news of places and people, and which tables they are for. For
 * bot/hall/ only.
 */
#ifndef BOT_HALL_IN_IN_H
#define BOT_HALL_IN_IN_H

#include "bot/hall/cluster/cluster.h"

/* tables.c */
/** Makes a live table for a place. NULL: too many tables are live, and each is busy. */
struct hall_table *hall_table_find(struct hall *hall, const char *network, const char *place);
/** Makes a live table for an id; NULL as above. */
struct hall_table *hall_table_fetch(struct hall *hall, const char *id);
/** Drops a live table and the lines that wait for it. It has no step. */
void hall_table_drop(struct hall *hall, struct hall_table *table);
/** The live table with that id, made if need be; NULL as hall_table_find(). */
struct hall_table *hall_table_of(struct hall *hall, const char *id);
/** The live table at that place, likewise. */
struct hall_table *hall_table_there(struct hall *hall, const char *network, const char *place);
/** Whether the table's queue has room for a line of that speaker. */
bool hall_has_room(const struct hall_table *table, const struct hall_line *line);
/** Puts a line into a table's queue. `table` NULL, or a full queue: its speaker is told to come
 * again. */
void hall_enqueue(struct hall *hall, struct hall_table *table, struct hall_line *line);

/* noise.c */
/** Takes a token for a line. True: there is none left, and the speaker has been told once.
 * `told_ms`: until when this speaker knows it, where several share a bucket; NULL: only the
 * first is told. */
bool hall_rationed(struct hall *hall, const struct hall_line *line, struct rate_bucket *bucket,
                   const struct rate_rule *rule, enum text_id id, int64_t *told_ms);
/** Whether the speaker says more of this kind than one person may. True: they have been told. */
bool hall_noise_of_person(struct hall *hall, struct hall_person *person, struct hall_line *line);
/** Whether more of this kind is said at the table than may be; `plays`: by those who sit there. */
bool hall_noise_of_table(struct hall *hall, struct hall_table *table, const struct hall_line *line,
                         bool plays);
/** Whether too many tables have been opened at the line's place; takes a token. True: the speaker
 * has been told. */
bool hall_noise_of_place(struct hall *hall, const struct hall_line *line);

/* hear.c */
/** Answers a line where no table is: help, rules, or that there is no table. */
void hall_answer_nowhere(struct hall *hall, struct hall_line *line);
/** The store has said where a person sits: their next line goes to one of these tables, or is
 * answered. */
void hall_direct(struct hall *hall, uint32_t index, const struct store_answer *sittings);
/** Asks the store where a person sits, if lines of theirs wait. */
void hall_direct_ask(struct hall *hall, uint32_t index);
/** Whether the operator's lists keep the line's speaker, or these places of theirs (a NULL behind
 * the last), from being heard. True: the speaker knows. */
bool hall_barred(struct hall *hall, const struct hall_line *line, const char *const *places);
/** Takes one line from a chat; false: it has none. */
bool hall_hear_one(struct hall *hall, unsigned chat);
/** A line waits until the store has said where its person sits. */
void hall_wait_for_sittings(struct hall *hall, uint32_t index, struct hall_line *line);
/** Replaces people named by their id ("@bob:hs") by their seats ("#2"). */
void hall_name_seats(struct hall *hall, const struct hall_table *table, struct hall_line *line);

/* press.c */
/** Whether a control was pressed at its place, or by the person for whom it was made. */
bool hall_press_is_at_home(const struct hall *hall, const struct hall_table *table,
                           const struct hall_line *line);
/** Answers what was pressed below the result of a game that is archived. */
void hall_press_last(struct hall *hall, struct hall_table *table);
/** Whether the line opens another game at the place from which this table came. True: it has
 * been sent there. */
bool hall_press_goes_on(struct hall *hall, struct hall_table *table, struct hall_line *line);
/** Reads a press. True: it has been answered, by a page or because it came too late, and makes no
 * step. False: the line now says what the control says, or was no press. */
bool hall_press_answered(struct hall *hall, struct hall_table *table, struct hall_line *line);
/** Replaces a number that somebody typed in private by the line that stands under their hand. */
void hall_press_number(struct hall *hall, struct hall_table *table, struct hall_line *line);
/** What is said to a press on a control of a game that is over. */
enum text_id hall_ended(const struct hall *hall, const struct hall_line *line);

/* link.c */
/** The host has asked for a code: keeps one, then tells it. Takes the line. */
void hall_link_offer(struct hall *hall, const struct hall_table *table, struct hall_line *line);
/** "link CODE" where no table is: takes the line, and sends it to the code's table. */
void hall_link_use(struct hall *hall, struct hall_line *line);
/** Whether the table may be linked to the place where the code was said: this process must speak
 * in both networks. False: that is said, and the line is taken. */
bool hall_link_may_come(struct hall *hall, const struct hall_table *table, struct hall_line *line);
/** The table is linked: its code is used up. */
void hall_link_done(struct hall *hall, const struct hall_line *line);
/** Tells each place that the table has left. */
void hall_link_parted(struct hall *hall, const struct table *before, const struct table *after);
/** Tells each of two places when the other has been away for a while, or is back. */
void hall_link_tell(struct hall *hall, struct hall_table *table);

/* tours.c */
/** Answers a line with how its speaker's tables stand; `community` NULL: all of them. */
void hall_tour_begin(struct hall *hall, struct hall_line *line, const struct store_answer *sits,
                     const char *community);
/** The line has come to the next table. NULL: that table cannot be looked at. */
void hall_tour_visit(struct hall *hall, const struct hall_table *table, struct hall_line *line);
/** Whether a line that a table cannot serve is on a tour. True: it goes on to the next table. */
bool hall_tour_passes(struct hall *hall, struct hall_line *line);

/* place.c */
/** In how many seconds each seat's person can be shown a hand (deed.reach_s). True: somebody is
 * worth waiting for. */
bool hall_reach(const struct hall *hall, const struct table *table, int32_t reach_s[MB_SEATS_MAX]);
/** Whether a start waits for nobody. */
bool hall_reach_told(struct hall *hall, struct hall_table *table);
/** A chat tells news of a place or a person. */
void hall_place_tell(struct hall *hall, unsigned chat, struct chat_in *in);
/** The store has said where a person sits: news of them go to each of these tables. */
void hall_place_sittings(struct hall *hall, struct hall_line *line,
                         const struct store_answer *sittings);
/** `resume` where no table is: a table of the speaker's that has no place comes here. */
void hall_place_resume(struct hall *hall, struct hall_line *line);
/** Sends a line from a place without a table to its speaker's table in that community. False: it
 * stays here. */
bool hall_place_strays(struct hall *hall, struct hall_line *line);
/** Whether a table without a place may come to where the line was said. False: the line has been
 * answered. */
bool hall_place_may_come(struct hall *hall, const struct hall_table *table, struct hall_line *line);
/** Fills in the deed of the step's line, which is news. */
void hall_place_deed(const struct hall *hall, const struct hall_table *table, struct deed *deed);
/** Finds the table by its new places after a step that changed them. */
void hall_place_moved(struct hall *hall, struct hall_table *table, const struct table *before);
/** Has chats look whether people who missed a reminder in this step are still there. */
void hall_seek_missed(struct hall *hall, const struct hall_table *table);
/** The same for somebody who speaks in private. */
void hall_seek_heard(struct hall *hall, const struct hall_table *table,
                     const struct hall_line *line);

#endif
