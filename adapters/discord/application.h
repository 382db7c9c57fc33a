/*
 * The application's own settings at Discord, held against what the bot needs.
 *
 * Events must come by the gateway and by no address on the web; anybody who invites the bot needs
 * no code for it; and the invitation that Discord makes by itself asks for the bot and its
 * commands, with what it must be permitted. What can be set from here is put into a change; the
 * rest only the developer portal can set. Pure. Reference: Discord, section 9.
 */
#ifndef ADAPTERS_DISCORD_APPLICATION_H
#define ADAPTERS_DISCORD_APPLICATION_H

#include <stdbool.h>

#include <jansson.h>

#include "core/base/error.h"

/** One for each thing that is wrong: what, and where it is set. */
typedef void application_wrong_fn(void *user, const struct mb_error *what);

/** Tells what is wrong with the settings (GET /applications/@me) of the application whose id that
 * should be. False if anything is. */
bool application_check(const json_t *settings, const char *id, application_wrong_fn *wrong,
                       void *user);
/** What PATCH /applications/@me has to be given, the caller's; NULL: nothing. */
json_t *application_change(const json_t *settings);

#endif
