/*
 * Signs that the bot has heard: what was said is marked as read, and it is shown to be writing.
 *
 * No server counts these against the account, so they come at once however long words must wait.
 * Nobody looks at what became of them. Reference: Matrix, section 11.
 */
#ifndef ADAPTERS_MATRIX_LISTEN_SIGNS_H
#define ADAPTERS_MATRIX_LISTEN_SIGNS_H

#include "adapters/matrix/client/api.h"

/** `bot` has heard that event in that room. */
void signs_heard(struct api *api, const char *bot, const char *room, const char *event);

#endif
