/*
 * Table rooms that are made for somebody who asks for one in private: "room NAME with PERSON, ...".
 *
 * Private, with everybody invited at once and the asker a moderator; encrypted if all of them have
 * a device that reads (or `encryption = always`), which its first line says; so many a person and
 * day. Making one has no transaction, and one person who cannot be invited makes the
 * whole request fail though the room is there: it bears the event that asked for it, is found again
 * by that, and the others are invited one by one. Who could not be is named. Making one is an
 * errand (bot/errand.h). Where a homeserver has encrypted a room that is not read, that is said.
 * Reference: Matrix, section 8.
 */
#ifndef ADAPTERS_MATRIX_ROOMS_MAKES_H
#define ADAPTERS_MATRIX_ROOMS_MAKES_H

#include "bot/errand.h"

#include "adapters/matrix/client/room.h"

enum { MAKES_A_DAY = 3, MAKES_PEOPLE_MAX = 20 };

/** Of a `struct errands` of the house's (house.h). */
errand_fn makes_run;
/** Somebody asks: `words` is what stands behind "room". Answered in their hand room, behind the
 * sync that tells of it: that may tell of the room, too. */
void makes_ask(struct errands *makes, const char *person, const char *event, const char *words);
/** A room is known that was not, or better than before. */
void makes_know(struct errands *makes, const struct room *room);
/** A sync is told whole. */
void makes_synced(struct errands *makes);

/** Reads "NAME with PERSON, ...": the name's length, and where the people begin; false: nobody is
 * named. */
bool makes_read(const char *words, size_t *name_length, const char **people);
/** The next of the people, in full ("@ann:hs"), and what stands behind; NULL: there is no more.
 * Empty: it is nobody's id. */
const char *makes_person(const char *people, char out[CHAT_ID_SIZE]);

#endif
