/*
 * Migrations of a store's schema as embed.cmake writes them: pieces of SQL in their order.
 */
#ifndef ADAPTERS_STORE_MIGRATION_H
#define ADAPTERS_STORE_MIGRATION_H

struct migration {
    int version; /**< that it leads to */
    const char *sql;
};

#endif
