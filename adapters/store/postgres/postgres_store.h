/*
 * A store in PostgreSQL: for several processes on several machines.
 *
 * Four workers, each a thread with its own connection; one of them serves a table always. Steps go
 * down a connection without waiting for each other, each a transaction of its own. An answered
 * commit is as durable as the database's settings say, and on the synchronous standby if there is
 * one; nothing ends a commit that waits for the standby.
 *
 * The URL may name several hosts: the one that takes writes is used. While none does, or after a
 * connection breaks, requests fail (STORE_FAILED), and each worker tries to connect again.
 */
#ifndef ADAPTERS_STORE_POSTGRES_POSTGRES_STORE_H
#define ADAPTERS_STORE_POSTGRES_POSTGRES_STORE_H

#include "bot/store.h"

struct postgres_setup {
    const char *url; /**< anything that libpq takes */
    /** store_take() waits while any request is open: for a host without a loop. */
    bool waits;
};

/** Connects at store_start(). */
struct store *postgres_store_create(const struct postgres_setup *setup);
/** Whether the URL is one of PostgreSQL's; connects to nothing. */
bool postgres_store_check(const char *url, struct mb_error *err);

#endif
