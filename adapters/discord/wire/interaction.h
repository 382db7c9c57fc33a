/*
 * What somebody did, as Discord tells it: an INTERACTION_CREATE, read and checked.
 *
 * What is not used is passed over unread; what is used must have the right type, ids must be
 * numbers, or the whole is refused. Words are borrowed from the JSON, which interaction_finish()
 * lets go. Reference: Discord, section 4.1.
 */
#ifndef ADAPTERS_DISCORD_WIRE_INTERACTION_H
#define ADAPTERS_DISCORD_WIRE_INTERACTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "core/base/error.h"

enum interaction_type {
    INTERACTION_COMMAND = 2,
    INTERACTION_PRESS = 3, /**< of a component of a message */
    INTERACTION_TYPING = 4,
    INTERACTION_FORM = 5
};

/** Bits of permissions. */
enum { DISCORD_MANAGE_CHANNELS = 4, DISCORD_VIEW_CHANNEL = 10 };

#define DISCORD_EPOCH_MS INT64_C(1420070400000)

struct interaction {
    json_t *root;
    int type; /**< enum interaction_type, or another: not for us */
    const char *id, *token;
    const char *guild; /**< "" : in private */
    const char *channel;
    const char *channel_name;  /**< "" : it has none */
    const char *above;         /**< the channel of a thread, or a category; "" : none */
    const char *message;       /**< on which it was pressed; "" : none */
    const char *newest;        /**< message of its channel; "" : not told */
    const char *person, *name; /**< the name as shown there */
    const json_t *data;
    bool alone;               /**< what was pressed is seen by nobody else */
    bool thread;              /**< its channel is one */
    bool moderates;           /**< may manage that channel */
    uint64_t app_permissions; /**< ours in that channel */
    int64_t at_ms;            /**< when it was done, in ms since 1970 by Discord's clock */
};

/** False with an error for the log when it is none. */
MB_MUST_CHECK
bool interaction_read(const char *text, size_t size, struct interaction *out, struct mb_error *err);
void interaction_finish(struct interaction *interaction);
/** A field of permissions; 0: there is none. */
uint64_t discord_permissions(const json_t *object, const char *key);
/** Whether it is an id: digits alone, and not too many. */
bool discord_is_id(const char *text);

#endif
