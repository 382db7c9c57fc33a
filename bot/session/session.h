/*
 * One table: lobby, game, people, bot players, clocks; from a line of words to messages.
 *
 * The way of a line: words -> command (bot/parse, on the typist's redacted view) -> core decides ->
 * events applied -> rendered per audience into the outbox, which the host takes. A refused line
 * changes nothing and leaves one reply in the outbox.
 *
 * Time is virtual: it moves only in session_advance(). A clock that runs out is submitted to the
 * core as VERB_ELAPSE. Everything that happens by itself (bot players, standing orders, deadlines)
 * happens inside session_advance(), at instants that depend on public facts only.
 *
 * The session owns its box (after session_open), its state and its outbox; the catalog is
 * borrowed, and what it needs only while it works is lent (bot/session/session_workspace.h). It
 * must not know platforms: people are names.
 */
#ifndef BOT_SESSION_SESSION_H
#define BOT_SESSION_SESSION_H

#include "core/codec/journal.h"
#include "core/game.h"
#include "core/query.h"

#include "bot/message.h"
#include "bot/parse/names.h"
#include "bot/policy/policy.h"
#include "bot/session/stats.h"
#include "bot/table/options.h"

struct session;
struct session_workspace;

enum { SESSION_NAME_SIZE = 64 };

enum session_state {
    SESSION_EMPTY, /**< no table yet: `new` makes one */
    SESSION_LOBBY, /**< people sit down */
    SESSION_RUNNING,
    SESSION_PAUSED, /**< running, but clocks and commands rest */
    SESSION_OVER    /**< somebody has won, or it was ended */
};

/** NULL only without memory. The workspace is borrowed (bot/session/session_workspace.h); NULL: the
 * session makes its own. */
struct session *session_create(const struct catalog *catalog, struct session_workspace *workspace);
void session_destroy(struct session *session);

/* Making a table: by these, or by the lines new, join, add-bot, start. */

/** Opens the lobby: makes the box and checks that the sets are fit for tables of people. */
MB_MUST_CHECK
bool session_open(struct session *session, const struct table_options *options,
                  struct mb_error *err);
/** Seats a person, or a bot player if `policy` is not NULL; NO_SEAT when the table is full, running
 * or the name is taken: alike (bot/table/person_name.h) to another's. */
unsigned session_sit(struct session *session, const char *name, bool female,
                     const struct policy *policy);
/** Deals and begins. The seed decides all chance; seats without a person stay empty. */
MB_MUST_CHECK
bool session_start(struct session *session, const uint8_t seed[32], struct mb_error *err);
/** Whether texts are to hold the marks of bot/text/text.h, for a chat that shows them; at first
 * not. */
void session_marks(struct session *session, bool marks);
/** A table that has been arranged: box and game are copied (the box's arrays stay borrowed). */
void session_adopt(struct session *session, const struct box *box, const struct game *game,
                   const char *const *names, enum pace pace);
/** Stores the table, drops it from memory and loads it again. */
MB_MUST_CHECK
bool session_restart(struct session *session, struct mb_error *err);

/* Acting. What follows is in the outbox. */

/** A line typed by a seat. False if refused; `why` (may be NULL) says with which code. */
bool session_line(struct session *session, unsigned seat, const char *line, struct refusal *why);
/** A line by somebody known by name, who need not sit here: lobby commands, looking. */
bool session_person_line(struct session *session, const char *person, const char *line,
                         struct refusal *why);
/** The same by somebody whom the platform lets moderate the place: may `end` any table there. */
bool session_moderator_line(struct session *session, const char *person, const char *line,
                            struct refusal *why);
/** A command by a button or a bot player. */
bool session_submit(struct session *session, const struct command *command, struct refusal *why);

/* Fairness (bot/session/session_fair.c): every game posts the commitment to its seed at the start
 * and the seed at the end. */

/** Keeps a journal of the games to come; false without memory. */
bool session_keep_journal(struct session *session);
/** The journal of the game that is or was played here last; NULL if none is kept. */
const struct journal *session_journal(const struct session *session);
/** The game is broken off and not gone on with: its journal says so, its seed is not told. */
void session_interrupt(struct session *session);

/** Where finished games are counted, and under which names: all of it is borrowed. */
struct session_records {
    struct stats *stats; /**< NULL: nowhere */
    const char *community;
    /** What somebody is called there who is called `name` here, good until the next call; NULL: the
     * same. A platform's ids tell two of one name apart. */
    const char *(*identify)(void *user, const char *name);
    void *user;
};

void session_keep_records(struct session *session, const struct session_records *records);

/* Time. */

enum session_due_kind {
    SESSION_DUE_NEVER,
    SESSION_DUE_BOTS,     /**< bot players or standing orders act */
    SESSION_DUE_REMINDER, /**< somebody is told that they are waited for */
    SESSION_DUE_UNDO,     /**< the time to agree to an undo is up */
    SESSION_DUE_CLOCK     /**< a deadline passes */
};

struct session_due {
    enum session_due_kind kind;
    int64_t ms;       /**< from now */
    unsigned seats;   /**< bits of those waited for */
    unsigned clock;   /**< enum clock_kind that runs now */
    int64_t clock_ms; /**< what is left on it, -1 if none runs */
};

/** Moves the clock; all that falls due on the way happens in its order. */
void session_advance(struct session *session, int64_t ms);
/** What happens next by itself if nobody says anything. */
struct session_due session_due(const struct session *session);

/* Looking. Pointers are good until the next command or advance of a session of the workspace. */

enum session_state session_state(const struct session *session);
unsigned session_seat_count(const struct session *session);
const char *session_seat_name(const struct session *session, unsigned seat);
/** By name, case aside; NO_SEAT if nobody of that name sits here. */
unsigned session_find_seat(const struct session *session, const char *name);
/** Whether a person waits for the end of the turn to sit down on a bot player's seat. */
bool session_waits(const struct session *session, const char *name);
bool session_seat_is_bot(const struct session *session, unsigned seat);
const struct box *session_box(const struct session *session);
/** The words of a seat (NO_SEAT: an onlooker): its redacted view, the names. */
void session_words(struct session *session, unsigned seat, struct table_words *out);
/** Another number whenever the table has changed; never 0. */
uint64_t session_stamp(const struct session *session);
/** The table as everybody may see it, lobby or game; "" if there is none. */
size_t session_card(struct session *session, char *out, size_t size);
/** What was said since the host last took it. The host clears it. */
struct message_list *session_outbox(struct session *session);

/* For checks, scenarios and stores only: no text may be made of it. */

const struct game *session_game(const struct session *session);

/** One accepted command and what it did. */
struct session_step {
    const struct command *command; /**< VERB_ELAPSE included */
    const struct game *before, *after;
    const struct event_list *events;
};

struct session_watcher {
    void (*step)(void *user, const struct session_step *step);
    /** Asked whenever an answer moment is open after a command: true lets it run out at once. */
    bool (*skip_moment)(void *user, struct session *session);
    void *user;
};

/** Members may be NULL. */
void session_watch(struct session *session, const struct session_watcher *watcher);

#endif
