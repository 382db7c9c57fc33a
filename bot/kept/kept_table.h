/*
 * A store's tables and people without a hall: for operators' commands.
 *
 * The store's store_take() waits. Other processes may serve the store meanwhile: every change is a
 * commit like any other, conditional on the version that was read.
 */
#ifndef BOT_KEPT_KEPT_TABLE_H
#define BOT_KEPT_KEPT_TABLE_H

#include "core/codec/journal.h"

#include "bot/store.h"
#include "bot/table/table_codec.h"

/** A store, and what is needed to read its tables. */
struct kept {
    struct store *store; /**< borrowed, started */
    struct library *library;
    struct table_workspace *workspace;
    uint64_t epoch, numbers; /**< of the keys of commits */
    int64_t now_ms;          /**< store time at the start */
};

/** A table with its journal. */
struct kept_table {
    struct store_answer *loaded; /**< version 0: archived */
    struct table *table;
    const struct mix *mix;  /**< its cards; NULL: none yet */
    struct journal journal; /**< whole, if there are pieces */
    struct store_answer **pages;
    size_t page_count;
    struct store_bytes *pieces; /**< in the pages */
    size_t piece_count;
};

/** False with an error. */
MB_MUST_CHECK
bool kept_open(struct kept *kept, const struct catalog *catalog, struct store *store,
               struct mb_error *err);
void kept_close(struct kept *kept);
/** Returns a new key for a step or a message. */
struct chat_key kept_key(struct kept *kept);

/** Fetches a table; the caller finishes `out` in any case. False with an error: there is no table
 * of that id, or it cannot be read. */
MB_MUST_CHECK
bool kept_fetch(struct kept *kept, const char *id, struct kept_table *out, struct mb_error *err);
void kept_table_finish(struct kept_table *table);
/** Fetches only the pieces of its journal, added to `out`. */
MB_MUST_CHECK
bool kept_fetch_pieces(struct store *store, const char *id, struct kept_table *out,
                       struct mb_error *err);
/** Reads a table from its bytes; fetches missing card files. */
MB_MUST_CHECK
bool kept_decode(struct kept *kept, struct store_bytes bytes, struct table *out,
                 struct mb_error *err);
/** Makes a journal from its pieces, for a table with its cards. */
MB_MUST_CHECK
bool kept_journal(struct kept *kept, const struct table *table, const struct store_bytes *pieces,
                  size_t count, struct journal *out, struct mb_error *err);
/** Plays the game again. False with one sentence: something does not agree. */
MB_MUST_CHECK
bool kept_verify(const struct kept_table *table, struct journal_report *report,
                 struct mb_error *err);
/** Whether hands and seed are still secret. */
bool kept_is_secret(const struct kept_table *table);
/** Tells everybody at the table that the operator has looked at hands and seed; the process that
 * serves the table sends it. False with an error: nobody may look. */
MB_MUST_CHECK
bool kept_announce(struct kept *kept, struct kept_table *table, struct mb_error *err);
/** Fills in what a commit says of a table apart from its bytes, as a hall would: time goes on.
 * `words` has room for its card files. */
struct kept_words {
    struct store_card cards[TABLE_SETS_MAX];
    char digests[TABLE_SETS_MAX][DIGEST_HEX_SIZE];
    unsigned char bytes[TABLE_BYTES_MAX];
};
MB_MUST_CHECK
bool kept_commit_begin(struct kept *kept, const struct table *table, struct kept_words *words,
                       struct store_commit *out, struct mb_error *err);

/* A table as a file: JSON that says what happened there, and all that another store needs to
 * continue it. While the game runs the file has no hands and no seed, and so cannot be continued,
 * unless they are asked for. */

enum { TABLE_FILE_VERSION = 1 };

/** Returns the export, which the caller frees; `reveal`: with hands and seed. NULL with an error.
 */
char *table_file_export(const struct kept_table *table, bool reveal, struct mb_error *err);
/** Puts the table of an export into the store, if it has no table of that id and nothing lies at
 * its places; its game is played again first. The id goes into `id`. False with an error. */
MB_MUST_CHECK
bool table_file_import(struct kept *kept, const char *text, size_t size, char id[TABLE_ID_SIZE],
                       struct mb_error *err);
/** The record of the game in an export, as journal_verify() takes it, to be freed; NULL: the text
 * is no export of a table, or has no such record. */
char *table_file_game(const char *text, size_t size);

/* What a store keeps of a person: exported and forgotten. A forgotten person is "former player"
 * wherever a game must still name somebody: at tables, in journals and logs. Bot players get their
 * seats. Games verify as before: what made a seed names nobody, and no rule knows names. */

/** Returns all that is kept of a person as JSON, which the caller frees; NULL with an error. */
char *forget_export(struct kept *kept, const char *network, const char *person,
                    struct mb_error *err);
/** Replaces the person everywhere; `tables` counts the changed tables. False with an error: repeat
 * the call to do the rest. */
MB_MUST_CHECK
bool forget_person(struct kept *kept, const char *network, const char *person, size_t *tables,
                   struct mb_error *err);

#endif
