/*
 * Lobby cards, and what people say by reacting to them: "join", "start", and "leave" by taking a
 * join back.
 *
 * A card counts while its room shows no game. Which those are is kept in the store, so that it is
 * known after a restart; whose reaction a redaction takes back is kept in memory, of the latest.
 * Nothing else is said by a reaction, and nothing by the bot's own. Reference: Matrix, sections 6
 * and 14.
 */
#ifndef ADAPTERS_MATRIX_SAY_LOBBIES_H
#define ADAPTERS_MATRIX_SAY_LOBBIES_H

#include "bot/errand.h"

#include "adapters/matrix/client/wire.h"

/** The keys that say it, as the bot puts them under a card. */
#define LOBBIES_JOIN  "\xE2\x9C\x8B"
#define LOBBIES_START "\xE2\x96\xB6\xEF\xB8\x8F"

struct lobbies;

/** The chat is borrowed. */
struct lobbies *lobbies_create(struct chat *chat);
/** NULL is fine. */
void lobbies_destroy(struct lobbies *lobbies);
/** Reads what earlier processes have kept; of a `struct lobbies`. */
fibre_fn lobbies_read;
/** A room's card stands in that message: of a lobby, or of a game. Whether it is a new
 * message of a lobby, which has no signs below it yet. */
bool lobbies_shown(struct lobbies *lobbies, const char *room, const char *card, bool game);
/** Whether it is one that counts. */
bool lobbies_has(const struct lobbies *lobbies, const char *room, const char *card);
/** The line that an event says; NULL: it says none. `bot`: whose words do not count. */
const char *lobbies_heard(struct lobbies *lobbies, const char *room, const char *bot,
                          const struct wire_event *event);

#endif
