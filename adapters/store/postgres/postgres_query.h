/*
 * Every statement of the store in PostgreSQL, prepared once a connection.
 */
#ifndef ADAPTERS_STORE_POSTGRES_POSTGRES_QUERY_H
#define ADAPTERS_STORE_POSTGRES_POSTGRES_QUERY_H

enum query {
    /* Conditions: a row of one is an error, and the rest of the step does not happen. */
    QUERY_KNOWN,
    QUERY_HEARD,
    QUERY_VERSION,
    QUERY_PLACE_TAKEN,
    QUERY_SIT_ROOM,
    /* A table. */
    QUERY_LOCK,
    QUERY_GAME_MAKE,
    QUERY_GAME_CHANGE,
    QUERY_SNAPSHOT_KEEP,
    QUERY_SNAPSHOT_TIDY,
    QUERY_STEP_KEEP,
    QUERY_STEP_TIDY,
    QUERY_LOOSE_KEEP,
    QUERY_LOOSE_TIDY,
    QUERY_NARRATION_KEEP,
    QUERY_NARRATION_TIDY,
    QUERY_JOURNAL_KEEP,
    QUERY_MESSAGE_KEEP,
    QUERY_MESSAGE_DROP,
    QUERY_BOARD_KEEP,
    QUERY_BOARD_DROP,
    QUERY_STARTS,
    QUERY_ROOM,
    QUERY_DROP,
    /* Directories. */
    QUERY_PLACE_TAKE,
    QUERY_PLACE_LEAVE,
    QUERY_PERSON_LOCK,
    QUERY_SIT_DOWN,
    QUERY_SIT_UP,
    QUERY_SIT_CHOOSE,
    QUERY_RECORD_ADD,
    QUERY_RECORD_FORGET,
    QUERY_RECORD_TIDY,
    QUERY_COMMUNITY_ADD,
    QUERY_KEEP,
    QUERY_KEEP_NOTHING,
    /* Questions. */
    QUERY_NOW,
    QUERY_STEP,
    QUERY_LOAD,
    QUERY_EARLIER,
    QUERY_LOG,
    QUERY_JOURNAL,
    QUERY_PLACE,
    QUERY_SITTINGS,
    QUERY_RECORD,
    QUERY_RECORD_TOTAL,
    QUERY_KEPT,
    /* Time, and what falls due. */
    QUERY_BEAT,
    QUERY_DUE,
    QUERY_DUE_UNSENT,
    QUERY_DUE_NEXT,
    QUERY_UNMARK,
    /* What is one session's own. */
    QUERY_FENCE,
    QUERY_HOLD,
    QUERY_LET_GO,
    QUERY_COUNT,
    QUERY_SYNC = QUERY_COUNT /**< the end of a step */
};

extern const char *const QUERIES[QUERY_COUNT];

#endif
