/*
 * Tokens: from the environment, a file that nobody else can read, or systemd's credentials, in that
 * order; never from the configuration, and in no line of a log or an error.
 */
#ifndef ADAPTERS_SERVICE_SECRET_H
#define ADAPTERS_SERVICE_SECRET_H

#include <stdbool.h>

#include "core/base/error.h"

enum { SECRET_SIZE = 512 };

struct secret_names {
    const char *variable;   /**< of the environment: "MUNCHBOT_DISCORD_TOKEN" */
    const char *file;       /**< its path, or NULL */
    const char *credential; /**< in $CREDENTIALS_DIRECTORY: "discord_token" */
};

/** False with a sentence that says what to do; `out` is empty then. */
MB_MUST_CHECK
bool secret_read(const struct secret_names *names, char out[SECRET_SIZE], struct mb_error *err);
/** Forgets it. */
void secret_wipe(char secret[SECRET_SIZE]);

#endif
