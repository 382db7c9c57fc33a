/*
 * A store in PostgreSQL: for several processes on several machines.
 *
 * Four workers, each a thread with a connection of its own; a table is always the same one's. Steps
 * go down a connection without waiting for one another, each a transaction of its own. A commit
 * that was answered has been committed as the database's own settings say, and on the standby
 * where it has a synchronous one; nothing ends a commit that waits for it.
 *
 * The URL may name several hosts: the one that takes writes is used. While none does, or a
 * connection breaks, requests fail (STORE_FAILED), and each worker looks for a server again.
 */
#ifndef ADAPTERS_STORE_POSTGRES_POSTGRES_STORE_H
#define ADAPTERS_STORE_POSTGRES_POSTGRES_STORE_H

#include "bot/store.h"

struct postgres_setup {
    const char *url; /**< anything that libpq takes */
    /** store_take() waits while anything asked is not answered: for a host with nothing else to do
     * meanwhile. */
    bool waits;
};

/** Connects at store_start(). */
struct store *postgres_store_create(const struct postgres_setup *setup);
/** Whether the URL is one of PostgreSQL's; connects to nothing. */
bool postgres_store_check(const char *url, struct mb_error *err);

#endif
