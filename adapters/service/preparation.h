/*
 * What `munchbot run` needs before it begins and `munchbot check` looks at: configuration, tokens,
 * card sets. Every problem is named.
 */
#ifndef ADAPTERS_SERVICE_PREPARATION_H
#define ADAPTERS_SERVICE_PREPARATION_H

#include "core/codec/catalog.h"

#include "adapters/service/config.h"
#include "adapters/service/secret.h"

struct preparation {
    const char *path; /**< of the configuration */
    struct config config;
    char discord_token[SECRET_SIZE], matrix_token[SECRET_SIZE];
    struct catalog *catalog;
};

/** `path`: of the configuration, NULL: the usual one. False if there is none at all; whatever else
 * is wrong is added to the problems. */
bool preparation_make(const char *path, struct preparation *preparation, struct problems *problems);
/** All zero is fine. */
void preparation_finish(struct preparation *preparation);

#endif
