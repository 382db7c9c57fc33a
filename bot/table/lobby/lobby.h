/*
 * Before and beside the game: options, sitting down, starting, places and people that come and go.
 * For bot/table/ only.
 */
#ifndef BOT_TABLE_LOBBY_LOBBY_H
#define BOT_TABLE_LOBBY_LOBBY_H

#include "bot/table/play/play.h"

/* lobby.c */
/** A request about who sits at the table. */
bool table_lobby(struct table_work *work, unsigned seat, const struct request *request,
                 struct refusal *why);
/** Opens it with all who are to sit there, and starts. */
bool table_open_whole(struct table_work *work, struct refusal *why);

/* start.c */
/** `start`: posts who plays by which options. A seed that is given is dealt from at once. */
bool table_ask_start(struct table_work *work, unsigned seat, struct refusal *why);
/** A second `start`: people who have an invitation to their hand are not waited for. False:
 * others are, or nobody is. */
bool table_deal_now(struct table_work *work);
/** Writes the names of the table's sets. */
void table_list_sets(const struct table_work *work, char *out, size_t size);
/** The message that says who starts has arrived, or never will: deals. */
void table_deal(struct table_work *work);

/* places.c */
/** Nothing can be said at the table's place any more. */
void table_close_place(struct table_work *work, enum table_shut how);
/** Something can be said there again. */
void table_open_place(struct table_work *work);
/** Moves a site to another place. */
void table_move(struct table_work *work, unsigned site, const char *place, const char *name);
/** `resume` where the table's place is shut. */
bool table_resume_here(struct table_work *work, unsigned seat, struct refusal *why);
/** The seat's person has left the table's place: they are not heard, and a stand-in plays. */
void table_seat_gone(struct table_work *work, unsigned seat);
/** The deed's person has left the community. */
void table_person_gone(struct table_work *work);
/** The deed's person is in the community again. */
void table_person_back(struct table_work *work);
/** Whether the speaker is listened to. False: they have been told why. */
bool table_is_heard(struct table_work *work, unsigned seat, struct refusal *why);

/* sites.c */
/** `link`: asks for a code, or brings one. */
bool table_link_line(struct table_work *work, unsigned seat, const struct request *request,
                     struct refusal *why);
bool table_unlink_line(struct table_work *work, unsigned seat, struct refusal *why);
/** The table leaves one of its two sites. Stand-ins play for people who play from there. */
void table_part(struct table_work *work, unsigned site);

/* rooms.c */
/** Whether the network of a site has rooms that a table can move into. */
bool table_has_rooms(const struct table_work *work, unsigned site);
/** A game is about to start: asks for rooms. */
void table_rooms_ask(struct table_work *work);
/** Moves into the rooms that the deed names. */
void table_rooms_enter(struct table_work *work);
/** A room is hidden: asks for it to be shown again while a game runs. */
void table_rooms_wake(struct table_work *work);
/** At the end of a step, calls players who have not been called into the room yet. */
void table_rooms_call(struct table_work *work);

/* forget.c */
/** Forgets the deed's person at this table. */
void table_forget(struct table_work *work);

#endif
