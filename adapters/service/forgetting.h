/*
 * Somebody forgotten in a store that is being served: on a thread and a connection of its own, for
 * every table is rewritten (bot/kept/forget.h).
 */
#ifndef ADAPTERS_SERVICE_FORGETTING_H
#define ADAPTERS_SERVICE_FORGETTING_H

#include <uv.h>

#include "core/base/error.h"

#include "bot/chat.h"
#include "bot/person.h"

struct catalog;

struct forgetting_setup {
    uv_loop_t *loop;
    const struct catalog *catalog;
    const char *url;
    /** On the loop's thread; `why` NULL: it is done. */
    void (*done)(void *user, const struct mb_error *why);
    void *user;
};

/** All of it is forgetting.c's. */
struct forgetting {
    uv_work_t work;
    struct forgetting_setup setup;
    char network[PERSON_NETWORK_SIZE], person[CHAT_ID_SIZE];
    struct mb_error why;
    bool good;
};

/** One at a time; `forgetting` stays where it is until `done` was called. */
void forgetting_begin(struct forgetting *forgetting, const struct forgetting_setup *setup,
                      const char *network, const char *person);

#endif
