/*
 * Before and beside the game: options, sitting down, starting, places and people that come and go.
 * For bot/table/ only.
 */
#ifndef BOT_TABLE_LOBBY_LOBBY_H
#define BOT_TABLE_LOBBY_LOBBY_H

#include "bot/table/play/play.h"

/* lobby.c */
/** A request about who sits here. */
bool table_lobby(struct table_work *work, unsigned seat, const struct request *request,
                 struct refusal *why);
/** Opens the lobby: box made, sets checked to be fit for tables of people. */
MB_MUST_CHECK
bool table_open(struct table_work *work, const struct table_options *options, struct mb_error *err);
/** The same with all who are to sit there, and starts. */
bool table_open_whole(struct table_work *work, struct refusal *why);

/* start.c */
/** `start`: says who plays by which options; a seed that is given is dealt by at once. */
bool table_ask_start(struct table_work *work, unsigned seat, struct refusal *why);
/** Of a second `start`: nobody who was invited to their hand is waited for any longer. False if
 * others are waited for, or nobody is. */
bool table_deal_now(struct table_work *work);
/** The names of the table's sets. */
void table_list_sets(const struct table_work *work, char *out, size_t size);
/** The message that says who starts has arrived, or never will. */
void table_deal(struct table_work *work);

/* places.c */
/** Nothing can be said there any more; and it can again. */
void table_close_place(struct table_work *work, enum table_shut how);
void table_open_place(struct table_work *work);
/** A site is another place from now on. */
void table_move(struct table_work *work, unsigned site, const char *place, const char *name);
/** `resume` where the place is shut. */
bool table_resume_here(struct table_work *work, unsigned seat, struct refusal *why);
/** Who sits there is not where the table is any more: unheard, and stood in for. */
void table_seat_gone(struct table_work *work, unsigned seat);
/** The deed's person has left the community, or is there again. */
void table_person_gone(struct table_work *work);
void table_person_back(struct table_work *work);
/** Whether who speaks is listened to. */
bool table_is_heard(struct table_work *work, unsigned seat, struct refusal *why);

/* sites.c */
/** `link`: asks for a code, or brings one. */
bool table_link_line(struct table_work *work, unsigned seat, const struct request *request,
                     struct refusal *why);
bool table_unlink_line(struct table_work *work, unsigned seat, struct refusal *why);
/** The table lies at one of two sites no more: who plays from there is stood in for. */
void table_part(struct table_work *work, unsigned site);

/* rooms.c */
/** Whether the network of a site has rooms that a table can move into. */
bool table_has_rooms(const struct table_work *work, unsigned site);
/** The game is about to start: rooms are asked for. */
void table_rooms_ask(struct table_work *work);
/** What has become of that, as the deed tells. */
void table_rooms_enter(struct table_work *work);
/** A room is not found any more: it is to be, while a game runs. */
void table_rooms_wake(struct table_work *work);
/** The end of a step: who plays, or waits for a seat, and was not called into the room is now. */
void table_rooms_call(struct table_work *work);

/* forget.c */
/** The deed's person is nobody here any more. */
void table_forget(struct table_work *work);

#endif
