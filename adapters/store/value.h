/*
 * Values for the statements of engines that speak SQL.
 */
#ifndef ADAPTERS_STORE_VALUE_H
#define ADAPTERS_STORE_VALUE_H

#include "bot/store_impl.h"

/** A value for a statement; a list of them ends with DB_END. */
struct db_value {
    enum { DB_END, DB_NONE, DB_NUMBER, DB_TEXT, DB_BYTES } kind;
    int64_t number;
    const void *at;
    size_t size;
};

#define DB(...)                                                                                    \
    (const struct db_value[])                                                                      \
    {                                                                                              \
        __VA_ARGS__,                                                                               \
        {                                                                                          \
            .kind = DB_END                                                                         \
        }                                                                                          \
    }

static inline struct db_value db_number(int64_t number)
{
    return (struct db_value){.kind = DB_NUMBER, .number = number};
}

/** Unsigned numbers of 64 bits are kept as signed ones. */
static inline struct db_value db_big(uint64_t number)
{
    return db_number((int64_t)number);
}

/** NULL: none. */
static inline struct db_value db_text(const char *text)
{
    return (struct db_value){.kind = text != NULL ? DB_TEXT : DB_NONE, .at = text};
}

static inline struct db_value db_bytes(struct store_bytes bytes)
{
    return (struct db_value){.kind = DB_BYTES, .at = bytes.at, .size = bytes.size};
}

#endif
