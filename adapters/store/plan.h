/*
 * What a request asks of a database: one plan for every engine that speaks SQL.
 *
 * A request is a list of statements. A condition is a statement too: it calls refuse(code, what)
 * for each row it finds. That is an error, so the step changes nothing. rows.c makes an answer of
 * rows and errors; a driver opens, migrates, runs and reads.
 *
 * Values are $1, $2 ... PostgreSQL reads the type after one ($2::bigint); SQLite takes all of it as
 * the value's name. Statements call what each driver has: refuse(), lives(), hold(), alone(),
 * beside(), parcel(), pieces_of() (postgres/0001_functions.sql, sqlite/sqlite_functions.c).
 */
#ifndef ADAPTERS_STORE_PLAN_H
#define ADAPTERS_STORE_PLAN_H

#include "core/codec/memory.h"

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

enum {
    PLAN_STEPS = 16 /**< how many of a table's latest steps are remembered */
};

enum plan_engine { PLAN_POSTGRES, PLAN_SQLITE, PLAN_ENGINES };

enum query {
    /* Conditions. */
    QUERY_KNOWN,
    QUERY_HEARD,
    QUERY_VERSION,
    QUERY_PLACE_TAKEN,
    QUERY_SIT_ROOM,
    /* Locks, against steps of other processes. */
    QUERY_LOCK,
    QUERY_LOCK_COMMUNITY,
    QUERY_LOCK_PLACES,
    QUERY_LOCK_SITS,
    QUERY_PERSON_ALONE,
    QUERY_OPENER_ALONE,
    QUERY_COMMUNITY_ALONE,
    QUERY_GAMES_ALONE,
    QUERY_CARDS_BESIDE,
    QUERY_CARDS_ALONE,
    /* A table. */
    QUERY_GAME_MAKE,
    QUERY_GAME_CHANGE,
    QUERY_STEP_KEEP,
    QUERY_STEP_TIDY,
    QUERY_LOOSE_KEEP,
    QUERY_LOOSE_TIDY,
    QUERY_NARRATION_KEEP,
    QUERY_NARRATION_TIDY,
    QUERY_JOURNAL_KEEP,
    QUERY_MESSAGE_KEEP,
    QUERY_MESSAGE_REPLACE,
    QUERY_MESSAGE_DROP,
    QUERY_BOARD_KEEP,
    QUERY_BOARD_DROP,
    QUERY_STARTS,
    QUERY_ANEW_JOURNAL,
    QUERY_ANEW_LOG,
    QUERY_TAKE_OUT,
    QUERY_ARCHIVE_DROP,
    QUERY_CARDS_UNUSE,
    QUERY_CARD_KEEP,
    QUERY_CARD_USE,
    QUERY_CARDS_TIDY,
    /* Tables that go: they are marked, put away if they have a journal, and dropped. */
    QUERY_GOES,
    QUERY_GOES_COMMUNITY,
    QUERY_ROOM_OPENER,
    QUERY_ROOM_COMMUNITY,
    QUERY_ROOM_ALL,
    QUERY_PUT_AWAY,
    QUERY_UNUSE_GONE,
    QUERY_UNUSE_OLD,
    QUERY_ARCHIVE_TIDY,
    QUERY_UNUSE_AGED,
    QUERY_ARCHIVE_AGED,
    QUERY_DROP_STEPS,
    QUERY_DROP_JOURNAL,
    QUERY_DROP_LOG,
    QUERY_DROP_MESSAGES,
    QUERY_DROP_BOARDS,
    QUERY_DROP_PLACES,
    QUERY_DROP_SITS,
    QUERY_DROP_GAME,
    /* Directories. */
    QUERY_PLACE_TAKE,
    QUERY_PLACE_LEAVE,
    QUERY_SIT_DOWN,
    QUERY_SIT_UP,
    QUERY_SIT_CHOOSE,
    QUERY_COMMUNITY_ADD,
    QUERY_COMMUNITY_LEAVE,
    QUERY_COMMUNITY_TIDY,
    QUERY_RECORD_ADD,
    QUERY_RECORD_TIDY,
    QUERY_RECORD_FORGET,
    QUERY_KEEP,
    QUERY_KEEP_NOTHING,
    QUERY_FORGET_RECORDS,
    QUERY_FORGET_SITS,
    QUERY_FORGET_OPENER,
    QUERY_FORGET_MESSAGES,
    QUERY_FORGET_BOARDS,
    QUERY_PURGE_CARDS,
    QUERY_PURGE_ARCHIVE,
    QUERY_PURGE_RECORDS,
    QUERY_PURGE_COMMUNITY,
    /* Questions. */
    QUERY_STEP,
    QUERY_LOAD,
    QUERY_LOOK,
    QUERY_WATCH,
    QUERY_EARLIER,
    QUERY_LOG,
    QUERY_JOURNAL,
    QUERY_JOURNAL_AWAY,
    QUERY_PLACE,
    QUERY_SITTINGS,
    QUERY_RECORD,
    QUERY_RECORD_TOTAL,
    QUERY_KEPT,
    QUERY_CARD,
    QUERY_GAMES,
    QUERY_ARCHIVED,
    QUERY_COMMUNITIES,
    /* Time, what falls due, and what is away. */
    QUERY_BEAT,
    QUERY_ALIVE,
    QUERY_PROCESS_TIDY,
    QUERY_DUE,
    QUERY_DUE_UNSENT,
    QUERY_CLAIM,
    QUERY_CLAIM_UNSENT,
    QUERY_DUE_NEXT,
    QUERY_PRESENT,
    QUERY_PRESENT_TIDY,
    QUERY_AWAY_NETWORK,
    QUERY_AWAY_COMMUNITY,
    QUERY_AWAY_SHIFT,
    QUERY_AWAY_OVER,
    QUERY_AWAYS,
    QUERY_HOLD,
    QUERY_HOLD_FOR,
    QUERY_COUNT
};

/** Every statement, prepared once a connection; "": this engine needs none. */
extern const char *const QUERIES[QUERY_COUNT][PLAN_ENGINES];

struct plan {
    int64_t me;            /**< this process among those that serve the store; not 0 */
    const uint8_t *secret; /**< the store's */
    /** Runs or sends a statement; the values belong to the request, which outlives it. */
    void (*run)(void *user, enum query query, const struct db_value *values);
    void *user;
};

/** Runs or sends all statements of a request, in order: one step. */
void plan_ask(const struct plan *plan, const struct store_request *request);

/** A piece of SQL of a store's schema, as embed.cmake writes them in their order. */
struct migration {
    int version; /**< the schema's version after it */
    const char *sql;
};

/* What comes back from a database: rows become an answer, errors its result. */

struct reading {
    const struct store_request *request;
    const uint8_t *secret; /**< the store's */
    struct store_answer answer;
    struct mb_pool pool; /**< holds all that the answer names */
};

void reading_begin(struct reading *reading, const struct store_request *request,
                   const uint8_t *secret);
/** Reads a row of a statement; its values are borrowed. */
void reading_row(struct reading *reading, enum query query, const struct db_value *row);
/** Ends a statement; `changed`: it changed a row. */
void reading_over(struct reading *reading, enum query query, bool changed);
/** Ends a step that changed nothing: with a code of refuse() a condition did not hold, with another
 * the step failed. */
void reading_refused(struct reading *reading, const char *code, const char *what);
/** Returns the answer, which the caller frees. */
struct store_answer *reading_end(struct reading *reading);

#endif
