#include "tests/support/cluster.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <libpq-fe.h>

#include "tests/support/test.h"

void cluster_url(const char *database, char out[CLUSTER_URL_SIZE])
{
    enum { FOLDER_SIZE = 256 };
    char folder[FOLDER_SIZE] = "";
    const char *const path = getenv("MB_POSTGRES");
    FILE *const file = path != NULL ? fopen(path, "r") : NULL;
    const bool known = file != NULL && fgets(folder, sizeof folder, file) != NULL;
    if (file != NULL) {
        (void)fclose(file);
    }
    if (!known) {
        fail_msg("no cluster: tests/store/postgres_cluster start FILE, and MB_POSTGRES=FILE");
    }
    folder[strcspn(folder, "\n")] = '\0';
    (void)snprintf(out, CLUSTER_URL_SIZE, "postgresql:///%s?host=%s&user=postgres",
                   database[0] != '\0' ? database : "postgres", folder);
}

static PGresult *run(const char *database, const char *sql, PGconn **handle)
{
    char url[CLUSTER_URL_SIZE];
    cluster_url(database, url);
    *handle = PQconnectdb(url);
    PGresult *const result = PQexec(*handle, sql);
    if (PQresultStatus(result) != PGRES_COMMAND_OK && PQresultStatus(result) != PGRES_TUPLES_OK) {
        fail_msg("%s: %s", sql, PQerrorMessage(*handle));
    }
    return result;
}

void cluster_sql(const char *database, const char *sql)
{
    PGconn *handle = NULL;
    PQclear(run(database, sql, &handle));
    PQfinish(handle);
}

long cluster_number(const char *database, const char *sql)
{
    PGconn *handle = NULL;
    PGresult *const result = run(database, sql, &handle);
    const long number = PQntuples(result) > 0 ? strtol(PQgetvalue(result, 0, 0), NULL, 10) : 0;
    PQclear(result);
    PQfinish(handle);
    return number;
}

void cluster_cut(const char *database)
{
    char sql[CLUSTER_URL_SIZE];
    (void)snprintf(sql, sizeof sql,
                   "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                   " WHERE datname = '%s' AND pid <> pg_backend_pid()",
                   database);
    cluster_sql("", sql);
}

// What a store that is stopped has begun may still be at it, and would be in the way.
static void cluster_alone(const char *database)
{
    enum { TRIES = 500, TRY_NS = 20000000 };
    char sql[CLUSTER_URL_SIZE];
    (void)snprintf(sql, sizeof sql,
                   "SELECT count(*) FROM pg_stat_activity"
                   " WHERE datname = '%s' AND pid <> pg_backend_pid()",
                   database);
    cluster_cut(database);
    for (int i = 0; i < TRIES && cluster_number("", sql) > 0; i++) {
        const struct timespec pause = {.tv_nsec = TRY_NS};
        (void)nanosleep(&pause, NULL);
    }
}

void cluster_empty(const char *database)
{
    char sql[CLUSTER_URL_SIZE];
    (void)snprintf(sql, sizeof sql, "SELECT 1 FROM pg_database WHERE datname = '%s'", database);
    if (cluster_number("", sql) == 0) {
        (void)snprintf(sql, sizeof sql, "CREATE DATABASE %s", database);
        cluster_sql("", sql);
    }
    cluster_alone(database);
    cluster_sql(database, "SET client_min_messages = warning;"
                          "DROP SCHEMA IF EXISTS munchbot CASCADE");
}
