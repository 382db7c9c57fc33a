/*
 * One table carried by hand, without a hall or a chat: for scenarios, simulations and checks.
 *
 * It takes every accepted deed over at once. Messages gather in the outbox; boards are not made.
 * Time is virtual: it moves only in solo_advance(). People are known by their names, which are
 * their ids in a network of its own; seats act by their number too. Its own library makes card sets
 * unless a table is arranged. It joins the journal's pieces if asked (solo_keep_journal()).
 */
#ifndef BOT_TOOLS_SOLO_H
#define BOT_TOOLS_SOLO_H

#include "core/codec/journal.h"

#include "bot/message.h"
#include "bot/table/table.h"

struct solo;
struct store;
struct policy;

struct solo *solo_create(const struct catalog *catalog);
/** The same with a borrowed workspace and its library. */
struct solo *solo_create_in(struct table_workspace *workspace);
/** NULL is fine. */
void solo_destroy(struct solo *solo);

/* Making a table: whole, or by the lines new, join, add-bot, start. */

struct solo_seat {
    const char *name;
    bool female;
    const struct policy *policy; /**< of a bot player; NULL: a person */
};

/** Opens a table, seats these and deals. The seed decides all chance. */
MB_MUST_CHECK
bool solo_begin(struct solo *solo, const struct table_options *options,
                const struct solo_seat *seats, unsigned count, const uint8_t seed[32]);
/** Takes an arranged table: copies box and game (the box's arrays stay borrowed). No stand-ins. */
void solo_adopt(struct solo *solo, const struct box *box, const struct game *game,
                const char *const *names, enum pace pace);
/** Keeps the table in a store from now on: undo, log and statistics come from it, and a restart
 * stops and starts it and reads the table back. Borrowed, started, and its store_take() waits. */
MB_MUST_CHECK
bool solo_keep(struct solo *solo, struct store *store, struct mb_error *err);
/** Destroys table and workspace (unless borrowed) and makes them again, the table from its bytes.
 * The store keeps the version for undo, log, statistics and journal. On failure the table stays. */
MB_MUST_CHECK
bool solo_restart(struct solo *solo, struct mb_error *err);
/** Restarts after every deed from now on; solo_restart_failed() says why one failed, or NULL. */
void solo_restart_always(struct solo *solo);
const char *solo_restart_failed(const struct solo *solo);
/** Sets the seed of `start`, TABLE_CHANCE_SIZE bytes. */
void solo_chance(struct solo *solo, const uint8_t *chance);

/* Acting. What follows is in the outbox. */

/** Types a line for a seat. False: refused; `why` (may be NULL) has the code. */
bool solo_line(struct solo *solo, unsigned seat, const char *line, struct refusal *why);
/** Types a line for a person by name, who need not sit here. */
bool solo_person_line(struct solo *solo, const char *person, const char *line, struct refusal *why);
bool solo_moderator_line(struct solo *solo, const char *person, const char *line,
                         struct refusal *why);
/** A command without words. */
bool solo_submit(struct solo *solo, const struct command *command, struct refusal *why);

/** Hears every accepted command, and decides whether an answer moment runs out at once. */
struct solo_watcher {
    void (*step)(void *user, const struct table_step *step);
    bool (*skip_moment)(void *user, const struct solo *solo);
    void *user;
};

/** Members may be NULL. */
void solo_watch(struct solo *solo, const struct solo_watcher *watcher);

/** Keeps a journal of the games to come. */
void solo_keep_journal(struct solo *solo);
/** Returns the journal of the newest game here; NULL: none is kept. */
const struct journal *solo_journal(const struct solo *solo);
/** Breaks the game off for good: its journal says so. */
void solo_interrupt(struct solo *solo);

/* Time. */

/** Moves the clock; what falls due on the way happens in its order. */
void solo_advance(struct solo *solo, int64_t ms);
struct table_due solo_due(const struct solo *solo);

/* Looking. */

const struct table *solo_table(const struct solo *solo);
/** Lets stand-ins act for absent people, as at other tables; an arranged one has none. */
void solo_let_stand_in(struct solo *solo);
enum table_state solo_state(const struct solo *solo);
unsigned solo_seat_count(const struct solo *solo);
const char *solo_seat_name(const struct solo *solo, unsigned seat);
bool solo_seat_is_bot(const struct solo *solo, unsigned seat);
const struct box *solo_box(struct solo *solo);
void solo_words(struct solo *solo, unsigned seat, struct table_words *out);
/** Returns the messages since it was last cleared, without marks unless solo_marks() asks for them.
 */
struct message_list *solo_outbox(struct solo *solo);
void solo_marks(struct solo *solo, bool marks);
/** Reads a person's statistics of finished games here; false (and zeros): none. */
bool solo_stats(const struct solo *solo, const char *name, struct deed_stats *out);
const struct game *solo_game(const struct solo *solo);

#endif
