/*
 * What tables need only while they are worked on: lent by whoever carries tables, one for all of
 * them.
 *
 * A table alone keeps its value; states before and after, redacted views, the box, events, moves
 * and texts live here from one deed to the next of any table. A view carries the stamp of the state
 * it was made from; stamps are never given twice by one workspace, so a view of an older state, of
 * another outcome of the same version or of another table is never taken for the wanted one.
 *
 * One workspace serves the tables of one thread and outlives them. It borrows the library. The
 * insides are for bot/table/ only.
 */
#ifndef BOT_TABLE_WORKSPACE_H
#define BOT_TABLE_WORKSPACE_H

#include "core/codec/outcome.h"
#include "core/game.h"
#include "core/seen/moves.h"

#include "bot/message.h"
#include "bot/parse/names.h"
#include "bot/person.h"
#include "bot/render/row_memo.h"
#include "bot/render/scene.h"
#include "bot/table/library.h"
#include "bot/table/person_name.h"

enum {
    TABLE_TEXT_SIZE = 32768,
    TABLE_SECRET_SIZE = 16,
    TABLE_CHATS_MAX = 8,
    TABLE_MARKED_SIZE = 66 /**< a name between marks */
};

struct table;

/** A redacted state and the stamp of the state it shows; 0: none yet. */
struct table_view {
    struct game *state;
    uint64_t stamp;
};

/** One accepted command and what it did. */
struct table_step {
    const struct command *command; /**< VERB_ELAPSE included */
    const struct game *before, *after;
    const struct event_list *events;
};

/** Told of every accepted command: checks and simulations. */
struct table_watcher {
    void (*step)(void *user, const struct table_step *step);
    void *user;
};

/** What a chat can do, as tables want to know it. */
struct table_chat {
    char network[PERSON_NETWORK_SIZE];
    uint32_t caps; /**< bits of CHAT_CAP_* */
};

/** Somebody's name, and the same between marks. */
struct table_name {
    char plain[PERSON_NAME_SIZE];
    char marked[TABLE_MARKED_SIZE];
};

_Static_assert((int)MEMO_PLAYER_SIZE >= (int)PERSON_NAME_SIZE + 2, "a name fits between quotes");

struct table_workspace {
    struct library *library;
    struct table_watcher watcher;
    struct table_chat chats[TABLE_CHATS_MAX];
    unsigned chat_count;
    uint8_t secret[TABLE_SECRET_SIZE]; /**< keys the hashes that tables keep: the store's */
    uint64_t last_stamp;
    const struct box *arranged; /**< of a table that was arranged: no sets of its own */
    const struct catalog *arranged_catalog;
    struct box box;        /**< of the table that is worked on ... */
    const struct mix *mix; /**< ... made from this; good while that table is worked on */
    uint64_t mix_number;   /**< 0: none yet */
    struct game *before;   /**< the state before the last command */
    struct game *scratch;
    struct table_view views[MB_SEATS_MAX + 1]; /**< by seat, the last one an onlooker's */
    struct event_list events;
    struct scene *scene;                   /**< of the reader whose board is made */
    struct table_name names[MB_SEATS_MAX]; /**< of the table that was worded last ... */
    unsigned named;                        /**< ... how many there are */
    struct words_memo memo;                /**< what was worded for the state of this stamp ... */
    uint64_t memo_stamp;
    unsigned memo_seat;   /**< ... and this reader */
    struct row_memo rows; /**< worded for tables of the mix */
    char text[TABLE_TEXT_SIZE];
};

struct table_workspace *table_workspace_create(struct library *library);
/** NULL is fine. */
void table_workspace_destroy(struct table_workspace *workspace);
/** Says what a chat can do; of a chat that was never named nothing is known that it can. */
void table_workspace_chat(struct table_workspace *workspace, const char *network, uint32_t caps);
uint32_t table_workspace_caps(const struct table_workspace *workspace, const char *network);
/** A stamp that no state of this workspace has had. */
uint64_t table_workspace_stamp(struct table_workspace *workspace);

#endif
