/*
 * The rooms of the bot's life: which it enters, what it says there by itself, which it leaves.
 *
 * Invitations are taken by the rules of whoever runs the bot (guests.h), never into spaces. A room
 * is told once how to begin. One that is too large is left for good. In an encrypted one that the
 * bot cannot read, one fixed sentence stands for all it would ever say there, and whoever invited
 * it is told in private what to do instead. Where a room was replaced the bot goes along. Who asks
 * for a room gets one (makes.h). Reference: Matrix, sections 7, 9 and 15.11.
 */
#ifndef ADAPTERS_MATRIX_ROOMS_HOUSE_H
#define ADAPTERS_MATRIX_ROOMS_HOUSE_H

#include <uv.h>

#include "bot/chat.h"
#include "bot/errand.h"
#include "bot/fibre.h"

#include "adapters/matrix/client/api.h"
#include "adapters/matrix/client/room.h"
#include "adapters/matrix/client/sync.h"
#include "adapters/matrix/rooms/guests.h"
#include "adapters/matrix/say/seal.h"
#include "adapters/matrix/say/speech.h"
#include "adapters/net/net_log.h"

/** Words are borrowed for its life. */
struct house_setup {
    uv_loop_t *loop;
    struct api *api;
    struct fibres *fibres;
    struct seal *seal;
    struct chat *chat;
    struct rooms *rooms;
    struct speech *speech;
    struct limits *limits;
    const char *bot, *prefix;
    const struct guests_rules *guests; /**< borrowed; may change between two calls */
    net_log_fn *log;
    void *log_user;
};

struct house;

struct house *house_create(const struct house_setup *setup);
void house_invited(struct house *house, const struct sync_invitation *invitation);
/** A room is known that was not. */
void house_found(struct house *house, struct room *room);
/** It has taken in an event of its state. */
void house_changed(struct house *house, struct room *room, const struct wire_event *event,
                   bool fresh);
/** This process is to listen, and no sync is told yet: what earlier ones have left is taken up. */
void house_listens(struct house *house);
/** A sync is told whole. */
void house_synced(struct house *house);
/** A room that the bot is in has too much state to be read: it is left, and never entered again. */
void house_too_large(struct house *house, const char *room);
/** Somebody wants something of the bot there, or is told something. */
void house_used(struct house *house, struct room *room);
/** Whether a line that somebody says to the bot is about rooms; then it is dealt with: "dm", and in
 * private "room". */
bool house_asked(struct house *house, const struct room *room, const struct wire_event *event,
                 const char *line);
/** NULL is fine; when its fibres have ended. */
void house_destroy(struct house *house);

#endif
