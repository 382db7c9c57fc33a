/*
 * What `munchbot run` needs before it begins and `munchbot check` looks at: configuration, tokens,
 * card sets. Every problem is named.
 */
#ifndef ADAPTERS_SERVICE_PREPARATION_H
#define ADAPTERS_SERVICE_PREPARATION_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/codec/catalog.h"

#include "adapters/service/config.h"

/* Tokens come from the environment, a file that only its owner can read, or systemd's credentials,
 * in that order; never from the configuration. They appear in no log and no error. */

enum { SECRET_SIZE = 512 };

struct secret_names {
    const char *variable;   /**< of the environment: "MUNCHBOT_DISCORD_TOKEN" */
    const char *file;       /**< its path, or NULL */
    const char *credential; /**< in $CREDENTIALS_DIRECTORY: "discord_token" */
};

/** Reads a token. False with a sentence that says what to do; `out` is empty then. */
MB_MUST_CHECK
bool secret_read(const struct secret_names *names, char out[SECRET_SIZE], struct mb_error *err);
/** Overwrites the token. */
void secret_wipe(char secret[SECRET_SIZE]);

struct secret_file {
    const char *path, *what; /**< "the token" */
    bool guarded;            /**< nobody but its owner may be able to read it */
};

/** Reads what a file holds, up to `room` bytes of it. False with such a sentence. */
MB_MUST_CHECK
bool secret_read_file(const struct secret_file *file, char *out, size_t room, size_t *size,
                      struct mb_error *err);

struct preparation {
    const char *path; /**< of the configuration */
    struct config config;
    char discord_token[SECRET_SIZE], matrix_token[SECRET_SIZE];
    struct catalog *catalog;
};

/** Reads everything and adds every problem. `path`: the configuration's; NULL: the usual one.
 * False: there is no configuration. */
bool preparation_make(const char *path, struct preparation *preparation, struct problems *problems);
/** Ask a network who the bot is, what it may do and which limits hold, and print that; false: a
 * service could not run. They wait for the answers. */
bool discord_look(const struct preparation *preparation);
bool matrix_look(const struct preparation *preparation);
/** All zero is fine. */
void preparation_finish(struct preparation *preparation);

#endif
