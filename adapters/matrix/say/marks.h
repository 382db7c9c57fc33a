/*
 * The two reactions that the bot puts under a lobby card, so that people need only tap them.
 *
 * Each costs as much as a message, so it waits in the same queue, for what is to spare, in nobody's
 * way; one that is too late or refused is let go. Its transaction is made of the card: put twice it
 * is one. Reference: Matrix, sections 6 and 14.
 */
#ifndef ADAPTERS_MATRIX_SAY_MARKS_H
#define ADAPTERS_MATRIX_SAY_MARKS_H

#include <uv.h>

#include "adapters/matrix/client/api.h"
#include "adapters/matrix/say/lobbies.h"
#include "adapters/matrix/say/outlet.h"

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
