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

#include <uv.h>

#include "bot/errand.h"

#include "adapters/matrix/client/api.h"
#include "adapters/matrix/client/wire.h"
#include "adapters/matrix/say/outlet.h"

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

/*
 * The two reactions that the bot puts under a lobby card, so that people need only tap them.
 *
 * Each costs as much as a message, so it waits in the same queue, for what is to spare, in nobody's
 * way; one that is too late or refused is let go. Its transaction is made of the card: put twice it
 * is one. Reference: Matrix, sections 6 and 14.
 */

struct marks_setup {
    uv_loop_t *loop;
    struct api *api;
    struct outlet *outlet;
    struct fibres *fibres;
    const struct lobbies *lobbies; /**< what is no card of these any more is not worth it */
    uint64_t *numbers;             /**< of the outlet's items: the latest that was given */
    void (*pump)(void *user);      /**< the outlet is to be looked at */
    void *user;
};

struct marks;

struct marks *marks_create(const struct marks_setup *setup);
/** NULL is fine; behind api_close(). */
void marks_destroy(struct marks *marks);
void marks_put(struct marks *marks, const char *room, const char *card);
/** The outlet lets that one go now; false: it is none of these. */
bool marks_ask(struct marks *marks, uint64_t number);

#endif
