/*
 * One table carried by hand: without a hall, a store or a chat, for scenarios, simulations and
 * checks.
 *
 * Every accepted deed is taken over at once. What is said gathers in the outbox as it was said;
 * boards are not made. Time is virtual: it moves only in solo_advance(). People are known by their
 * names, which are their ids in a network of its own; a seat may be told to act by its number, too.
 * A library of its own makes card sets unless a table is arranged. The outcome's journal pieces are
 * put together if that is asked for.
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
/** The same with a workspace that others use as well, and its library: both are borrowed. */
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
/** A table that has been arranged: box and game are copied (the box's arrays stay borrowed). Nobody
 * is stood in for. */
void solo_adopt(struct solo *solo, const struct box *box, const struct game *game,
                const char *const *names, enum pace pace);
/** From now on a store keeps all that stores keep of a table: it is what undo, log and statistics
 * are fetched from, and what a restart brings back, which stops and starts the store. Borrowed,
 * started, and its store_take() waits. */
MB_MUST_CHECK
bool solo_keep(struct solo *solo, struct store *store, struct mb_error *err);
/** Destroys the table, and the workspace unless that is borrowed, and makes them anew: the table
 * from its bytes. What a store keeps stays: the version that undo goes back to, log, statistics,
 * journal. The table stays as it is when that fails. */
MB_MUST_CHECK
bool solo_restart(struct solo *solo, struct mb_error *err);
/** From now on it is restarted after every deed; why that has failed at some time, or NULL. */
void solo_restart_always(struct solo *solo);
const char *solo_restart_failed(const struct solo *solo);
/** From now on `start` takes this seed, TABLE_CHANCE_SIZE bytes. */
void solo_chance(struct solo *solo, const uint8_t *chance);

/* Acting. What follows is in the outbox. */

/** A line typed by a seat. False if refused; `why` (may be NULL) says with which code. */
bool solo_line(struct solo *solo, unsigned seat, const char *line, struct refusal *why);
/** A line by somebody known by name, who need not sit here. */
bool solo_person_line(struct solo *solo, const char *person, const char *line, struct refusal *why);
bool solo_moderator_line(struct solo *solo, const char *person, const char *line,
                         struct refusal *why);
/** A command without words. */
bool solo_submit(struct solo *solo, const struct command *command, struct refusal *why);

/** Told of every accepted command; and whether an answer moment runs out at once. */
struct solo_watcher {
    void (*step)(void *user, const struct table_step *step);
    bool (*skip_moment)(void *user, const struct solo *solo);
    void *user;
};

/** Members may be NULL. */
void solo_watch(struct solo *solo, const struct solo_watcher *watcher);

/** Keeps a journal of the games to come. */
void solo_keep_journal(struct solo *solo);
/** Of the game that is or was played here last; NULL if none is kept. */
const struct journal *solo_journal(const struct solo *solo);
/** The game is broken off and not gone on with: its journal says so. */
void solo_interrupt(struct solo *solo);

/* Time. */

/** Moves the clock; all that falls due on the way happens in its order. */
void solo_advance(struct solo *solo, int64_t ms);
struct table_due solo_due(const struct solo *solo);

/* Looking. */

const struct table *solo_table(const struct solo *solo);
/** Stand-ins act for who is absent, as at every table of people; at an arranged one they do not. */
void solo_let_stand_in(struct solo *solo);
enum table_state solo_state(const struct solo *solo);
unsigned solo_seat_count(const struct solo *solo);
const char *solo_seat_name(const struct solo *solo, unsigned seat);
bool solo_seat_is_bot(const struct solo *solo, unsigned seat);
const struct box *solo_box(struct solo *solo);
void solo_words(struct solo *solo, unsigned seat, struct table_words *out);
/** What was said since it was last cleared, without marks unless they are asked for. */
struct message_list *solo_outbox(struct solo *solo);
void solo_marks(struct solo *solo, bool marks);
/** What finished games here have left of a person; false (and zeros) if nothing. */
bool solo_stats(const struct solo *solo, const char *name, struct deed_stats *out);
const struct game *solo_game(const struct solo *solo);

#endif
