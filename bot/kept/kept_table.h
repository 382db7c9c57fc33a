/*
 * Tables as a store has them, for whoever looks at them without a hall: operators' commands.
 *
 * A store here is one whose store_take() waits. Other processes may serve it meanwhile: what is
 * changed is changed by a commit like any other's, under the version that was read.
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
    uint64_t epoch, numbers; /**< of what is committed */
    int64_t now_ms;          /**< store time at the start */
};

/** A table with its journal. */
struct kept_table {
    struct store_answer *loaded; /**< version 0: it is put away */
    struct table *table;
    const struct mix *mix;  /**< what it plays with; NULL: nothing yet */
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
/** The key of a step or a message, another at each call. */
struct chat_key kept_key(struct kept *kept);

/** Fetches a table; `out` is finished by the caller in any case. False with an error: there is none
 * of that id, or it cannot be read. */
MB_MUST_CHECK
bool kept_fetch(struct kept *kept, const char *id, struct kept_table *out, struct mb_error *err);
void kept_table_finish(struct kept_table *table);
/** Only the pieces of its journal, added to `out`. */
MB_MUST_CHECK
bool kept_fetch_pieces(struct store *store, const char *id, struct kept_table *out,
                       struct mb_error *err);
/** Reads a table from its bytes; card files it lacks are fetched. */
MB_MUST_CHECK
bool kept_decode(struct kept *kept, struct store_bytes bytes, struct table *out,
                 struct mb_error *err);
/** Makes a journal of its pieces, for a table that plays with the mix. */
MB_MUST_CHECK
bool kept_journal(struct kept *kept, const struct table *table, const struct store_bytes *pieces,
                  size_t count, struct journal *out, struct mb_error *err);
/** Plays its game again. False with one sentence if anything does not agree. */
MB_MUST_CHECK
bool kept_verify(const struct kept_table *table, struct journal_report *report,
                 struct mb_error *err);
/** Whether hands and seed are still secret. */
bool kept_is_secret(const struct kept_table *table);
/** Everybody at the table is told that its hands and its seed were looked at; by whoever sends what
 * it says. False with an error, and nobody may look. */
MB_MUST_CHECK
bool kept_announce(struct kept *kept, struct kept_table *table, struct mb_error *err);
/** What a commit says of a table besides its bytes, as a hall would: time goes on. `words` has room
 * for its card files. */
struct kept_words {
    struct store_card cards[TABLE_SETS_MAX];
    char digests[TABLE_SETS_MAX][DIGEST_HEX_SIZE];
    unsigned char bytes[TABLE_BYTES_MAX];
};
MB_MUST_CHECK
bool kept_commit_begin(struct kept *kept, const struct table *table, struct kept_words *words,
                       struct store_commit *out, struct mb_error *err);

/*
 * A table as a file: JSON that says what happened there, and all that another store needs to go on
 * with it.
 *
 * While the game runs hands and seed stay out of it, and with them what could be gone on with,
 * unless they are asked for.
 */

enum { TABLE_FILE_VERSION = 1 };

/** The export, to be freed; `reveal`: also what is secret. NULL with an error. */
char *table_file_export(const struct kept_table *table, bool reveal, struct mb_error *err);
/** Puts the table of an export into the store, if it has no table of that id and nothing lies at
 * its places; its game is played again first. The id goes into `id`. False with an error. */
MB_MUST_CHECK
bool table_file_import(struct kept *kept, const char *text, size_t size, char id[TABLE_ID_SIZE],
                       struct mb_error *err);
/** The record of the game in an export, as journal_verify() takes it, to be freed; NULL: the text
 * is no export of a table, or has no such record. */
char *table_file_game(const char *text, size_t size);

/*
 * What a store keeps of a person: told, and forgotten.
 *
 * A forgotten person is "former player" wherever a game must still name somebody: at tables, in
 * journals and logs. Seats they hold go to bot players. Games verify as before: what a seed was
 * made of names nobody, and no rule knows names.
 */

/** All that is kept of a person as JSON, to be freed; NULL with an error. */
char *forget_export(struct kept *kept, const char *network, const char *person,
                    struct mb_error *err);
/** Replaces the person everywhere; `tables` counts those that have changed. What could not be done
 * can be asked again. False with an error. */
MB_MUST_CHECK
bool forget_person(struct kept *kept, const char *network, const char *person, size_t *tables,
                   struct mb_error *err);

#endif
