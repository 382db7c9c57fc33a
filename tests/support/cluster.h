/*
 * The PostgreSQL cluster that tests share (tests/store/postgres_cluster): each has a database of
 * its own there.
 */
#ifndef TESTS_SUPPORT_CLUSTER_H
#define TESTS_SUPPORT_CLUSTER_H

#include <stddef.h>

enum { CLUSTER_URL_SIZE = 512 };

/** The URL of a database; "": of the one that is always there. */
void cluster_url(const char *database, char out[CLUSTER_URL_SIZE]);
/** Runs statements there; they must work. */
void cluster_sql(const char *database, const char *sql);
/** The first column of the first row as a number; 0: there is none. */
long cluster_number(const char *database, const char *sql);
/** A database that is new, or empty again. */
void cluster_empty(const char *database);
/** Ends all connections there but one's own, as an operator may. */
void cluster_cut(const char *database);

#endif
