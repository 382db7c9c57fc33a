/*
 * The store: what remains of tables when a process ends. A caller puts requests into a bounded
 * queue and takes answers out of another. Both are bytes and words alone, and own all they name.
 *
 * A table is bytes with a version. A *commit* changes one table and what goes with it, or only
 * directories. It is all or nothing, and fails if somebody else has changed the table since it was
 * loaded or has taken one of its places. It bears the id of its step, the same in every attempt: a
 * step is committed once, and later attempts get the first answer. Only what is committed may be
 * said, so messages are rows until their outcome is confirmed. Confirming changes no version.
 *
 * A table that goes is *archived* if it has a journal: with its last version, its journal and its
 * card files. Nobody sits there and nothing falls due; LOAD finds it at version 0. A commit that
 * opens a table under its id restores it with its journal.
 *
 * Time is store time: the milliseconds that passed while a process served this store. It comes from
 * no wall clock. Answers about one table come in the order they were asked for; others in any.
 * Answers may be lost with their engine: the caller then asks again by the step's id. Ids are
 * compared byte by byte.
 *
 * While a network, or a community in it, cannot be heard, the time of its tables stands
 * (STORE_STAND): nothing falls due there. When it is back, since_ms of each table moves on by the
 * length of the outage. A network is away when no living process that serves the store has it.
 *
 * Several processes may serve one store (store_shared()). One of them at a time sends a table's
 * messages: it has the table's lease. A commit takes the lease unless another process has it for
 * messages without outcome. The lease of a dead process is taken with the tables that fall due.
 * The process that heard a line sends the answers to it. A process lives while it says hello or
 * beats within STORE_LEASE_MS of store time, or while its engine knows that it lives. Any process
 * may take what a dead one held.
 *
 * Opaque; one thread asks and takes. Engines: bot/store_impl.h.
 */
#ifndef BOT_STORE_H
#define BOT_STORE_H

#include "bot/chat.h"
#include "bot/person.h"

enum {
    STORE_TABLE_SIZE = 24, /**< a table's id */
    STORE_SECRET_SIZE = 16,
    STORE_QUEUE_MAX = 1024,          /**< requests that wait */
    STORE_LOG_MAX = 64,              /**< narrations kept of a table */
    STORE_DUE_MAX = 256,             /**< tables in one answer */
    STORE_JOURNAL_MAX = 256,         /**< pieces in one answer */
    STORE_KEPT_MAX = 256,            /**< words in one answer */
    STORE_TABLES_OF_PERSON = 8,      /**< tables at which a person may sit at once */
    STORE_TABLES_OF_OPENER = 8,      /**< tables that one person may have opened ... */
    STORE_TABLES_OF_COMMUNITY = 512, /**< ... and all of a community; the oldest table ... */
    STORE_TABLES_MAX = 20000,        /**< ... at which nobody plays makes room */
    STORE_LEASE_MS = 6000,           /**< after this long without a beat a process is dead ... */
    STORE_MARK_MS = 8000,            /**< ... and this long a process may take over what is due */
    STORE_COMMUNITIES_MAX = 65536,   /**< with statistics */
    STORE_PEOPLE_OF_COMMUNITY =
        4096, /**< in its statistics; the person silent longest is forgotten */
    STORE_ARCHIVE_OF_COMMUNITY = 1024, /**< archived tables; beyond this the oldest is forgotten */
    STORE_CARDS_MAX = 16               /**< card files of one table */
};
#define STORE_EVENT_MS INT64_C(3600000) /**< how long a handled event is remembered */
#define STORE_NEVER    INT64_C(-1)
/** Kept under this word in a restored store: when that was, in milliseconds since 1970. */
#define STORE_RESTORED "restored"

enum store_kind {
    STORE_HELLO,      /**< this process serves from now on: a new epoch */
    STORE_BEAT,       /**< this much time has passed, and the asking process lives */
    STORE_PLACE,      /**< the table at a place */
    STORE_PERSON,     /**< the tables at which a person sits */
    STORE_LOAD,       /**< a table and what goes with it */
    STORE_LOOK,       /**< a table's version, the start of its time, who sends its messages */
    STORE_WATCH,      /**< of many tables: those that have changed, or are another's to send */
    STORE_EARLIER,    /**< the version of a table to which undo goes back */
    STORE_LOG,        /**< its latest narrations */
    STORE_JOURNAL,    /**< pieces of its journal */
    STORE_STATISTICS, /**< of a person in a community, and of the community */
    STORE_COMMIT,
    STORE_STEP,    /**< whether a step was committed */
    STORE_CONFIRM, /**< the outcome of a message; the start of a table's time */
    STORE_DUE,     /**< tables at which something falls due */
    STORE_STAND,   /**< a network, or communities in it, are away, or back */
    STORE_KEEP,    /**< stores bytes under a word that the caller chooses */
    STORE_KEPT,    /**< the bytes under all words with one beginning */
    STORE_HOLD,    /**< this process owns a word until it ends or stops the store; with `for_ms`
                    * nobody can hold the word again for that long, by the store's own time */
    STORE_CARD,    /**< a card file, by its word */
    STORE_LIST,    /**< all tables, or all archived ones */
    STORE_KNOWN,   /**< the communities that know something of a person */
    STORE_FORGET   /**< forgets a person: statistics, seats, the tables they opened, and messages on
                    * their way to them or shown to them; without a person a community: its tables,
                    * archived ones too, and its statistics */
};

enum store_result {
    STORE_DONE,     /**< found, or committed now or before */
    STORE_NOTHING,  /**< there is none; nothing has changed. BEAT: another process may have taken
                     * the leases and words of this one */
    STORE_CONFLICT, /**< the table or a place has changed, or another living process holds the
                     * word; nothing has changed here */
    STORE_REPEATED, /**< the event was handled before; nothing has changed */
    STORE_FULL,     /**< no more tables may be opened here; nothing has changed */
    STORE_TOO_MANY, /**< a person sits at too many tables already; nothing has changed */
    STORE_FAILED    /**< unknown whether anything has changed: ask again later */
};

struct store_bytes {
    const unsigned char *at; /**< NULL: none */
    size_t size;
};

/** A card file of a table: stored once under its word, while a table or an archived one plays with
 * it. */
struct store_card {
    const char *word;
    struct store_bytes bytes;
};

/** A message until its outcome is known. The text of a narration is in the log, at least until
 * then, and not stored twice. */
struct store_message {
    struct chat_key key;
    /** The board of the table that it shows, from 1, or 0: none. For each reader the store keeps a
     * board's platform id and the newest message without outcome; while there is no id also the
     * oldest, which makes the board. */
    uint8_t board;
    bool narrates;         /**< COMMIT: it says the commit's narration */
    bool answer;           /**< it answers a line: its committer sends it while it lives, whichever
                            * process sends the rest */
    const char *reader;    /**< of a board: the host's word for the reader */
    const char *narration; /**< LOAD: what it says if it narrates, else NULL */
    struct store_bytes bytes; /**< the host's */
};

/** Where a board is shown. */
struct store_board {
    uint8_t board;
    const char *reader;
    const char *id;
};

/** A place gets another table or none. It is taken if it is free or has the commit's `from`. */
struct store_place {
    const char *network, *place;
    const char *name;      /**< as people know it */
    const char *community; /**< the community of the place */
    bool taken;
};

/** A person sits down at the commit's table, gets up from it, or chooses it among several. */
struct store_sit {
    const char *network, *person;
    enum { STORE_SITS, STORE_LEAVES, STORE_CHOOSES } what;
};

struct store_line {
    uint32_t games, wins, kills, deaths;
};

/** Adds to a person's statistics, or forgets them all. */
struct store_record {
    const char *community, *network, *person;
    struct store_line line;
    bool forget;
};

/** A community that is away, and since when; "" : the whole network. */
struct store_away {
    const char *network, *community;
    int64_t ms;
};

/** A table as the process that sends its messages knows it. */
struct store_seen {
    const char *table;
    uint64_t version;
};

struct store_commit {
    struct chat_key step;
    const char *table; /**< the table; only for STORE_CHOOSES, or "", if none is changed */
    bool directories;  /**< no table is changed: the next two groups do not count */

    uint64_t expected;        /**< the version before; 0: a new table */
    struct store_bytes bytes; /**< the table after; none: it is gone */
    bool keep_earlier;        /**< undo goes back to the version before */
    bool rests;               /**< nobody plays: the table may go when room is needed */
    bool sends;               /**< this process can send the messages: it takes a free lease */
    bool anew; /**< `journal` and `log` replace the stored ones, and undo has nothing to go
                * back to */
    const char *opener_network, *opener, *community; /**< of a new table: the share that it takes */
    const char *from;      /**< of a new table: the table that this commit removes, or NULL ... */
    uint64_t from_version; /**< ... and its version: another one is a conflict */
    int64_t since_ms;      /**< the start of the table's time; STORE_NEVER: it stands */
    int64_t due_ms;        /**< the time left until something falls due, or STORE_NEVER */
    int64_t until_ms;      /**< when the table falls due even if its time stands, or STORE_NEVER */

    const char *event;     /**< the handled event, in the host's words, or "" */
    const char *narration; /**< for the log, or NULL */
    const struct store_bytes *journal;
    size_t journal_count;
    const char *const *log; /**< with `anew`: the oldest first, at most STORE_LOG_MAX */
    size_t log_count;
    const struct store_card *cards; /**< what the table plays with from now on; none: as before */
    size_t card_count;              /**< at most STORE_CARDS_MAX */
    const struct store_message *messages;
    size_t message_count;

    const struct store_place *places;
    size_t place_count;
    const struct store_sit *sits;
    size_t sit_count;
    const struct store_record *records;
    size_t record_count;
};

/** A kind reads only the members that name it. store_ask() borrows it. */
struct store_request {
    enum store_kind kind;
    uint8_t forget_board;  /**< CONFIRM: the board that the message should have replaced and that is
                              gone */
    bool starts;           /**< CONFIRM: the table's time runs from `ms` on */
    bool unsent;           /**< DUE: also tables with messages without outcome */
    bool claims;           /**< DUE: only tables that no other living process serves; this one has
                            * them now */
    bool archived;         /**< LIST: the archived tables */
    bool back;             /**< STAND: back from `ms` on */
    uint64_t ticket;       /**< store_ask()'s */
    const char *table;     /**< LOAD, LOOK, EARLIER, LOG, JOURNAL, STEP, CONFIRM */
    const char *network;   /**< PLACE, PERSON, STATISTICS, KNOWN, FORGET, STAND */
    const char *networks;  /**< DUE that claims: " a b ", only tables there; NULL: all */
    const char *place;     /**< PLACE */
    const char *person;    /**< PERSON, STATISTICS, KNOWN, FORGET: or NULL */
    const char *community; /**< STATISTICS; FORGET without a person */
    const char *word;      /**< KEEP, HOLD, CARD: a word; KEPT: how words begin; FORGET: the host's
                            * word for the person as a reader */
    struct store_bytes bytes;      /**< KEEP; none: forgets them */
    size_t from, count;            /**< JOURNAL: pieces; LOG: `count` */
    const struct store_seen *seen; /**< WATCH */
    size_t seen_count;
    const char *const *communities; /**< STAND; none: the network itself, as this process has it */
    size_t community_count;
    const char *after;          /**< DUE, LIST: only ids after this one; NULL: all */
    struct chat_key key;        /**< STEP: the step; CONFIRM: the message */
    const char *id;             /**< CONFIRM: the platform's id, or NULL: never delivered */
    int64_t ms;                 /**< BEAT, STAND: store time now; DUE: the latest time */
    int64_t for_ms;             /**< HOLD: or 0; BEAT: archived tables that are older go, or 0 */
    struct store_commit commit; /**< COMMIT */
};

struct store_sitting {
    const char *table;
    const char *place_name;
    const char *community; /**< where it was opened */
    bool chosen;
};

/** Members that a kind does not name are zero. Ended by store_answer_free(). */
struct store_answer {
    enum store_kind kind;
    enum store_result result;
    uint64_t ticket;
    const char *table;                 /**< PLACE; COMMIT: the table that made room, or NULL */
    const char *community;             /**< PLACE, LOAD: where it was opened */
    uint64_t epoch;                    /**< HELLO */
    uint8_t secret[STORE_SECRET_SIZE]; /**< HELLO: keys hashes; never changes */
    int64_t now_ms;                    /**< HELLO, BEAT: store time */
    uint64_t version;                  /**< LOAD, LOOK, EARLIER; COMMIT, STEP: after the step */
    bool held; /**< COMMIT, STEP, LOAD, LOOK: this process sends the table's messages */
    struct store_bytes bytes;             /**< LOAD, EARLIER, CARD */
    int64_t since_ms, due_ms, until_ms;   /**< LOAD; LOOK: the first */
    const struct store_board *boards;     /**< LOAD */
    const struct store_message *messages; /**< LOAD: without outcome, the oldest first */
    /** LOAD: the events handled at the table in the last hour, the oldest first, as hashes of
     * store_event(). */
    const uint64_t *events;
    /** JOURNAL; KEPT: the bytes under each of `texts`; HELLO: those under STORE_RESTORED */
    const struct store_bytes *pieces;
    /** LOG: the oldest first; KEPT: words, the newest first; WATCH: tables; DUE, LIST: tables in
     * the order of their ids; if there are STORE_DUE_MAX, there may be more. KNOWN:
     * communities. */
    const char *const *texts;
    const struct store_sitting *sittings; /**< PERSON: the oldest first */
    const struct store_away *aways;       /**< HELLO, BEAT, STAND: all that is away */
    size_t board_count, message_count, event_count, away_count;
    size_t count;    /**< of pieces, texts or sittings */
    int64_t next_ms; /**< DUE: when the next table falls due after `ms`, or STORE_NEVER */
    struct store_line line, total; /**< STATISTICS */
    size_t people;                 /**< STATISTICS: known in the community */
};

struct store;

/** Returns an event's hash under the store's secret, as stores keep it; never 0. */
uint64_t store_event(const uint8_t secret[STORE_SECRET_SIZE], const char *event);
const char *store_name(const struct store *store);
/** Whether other processes may serve the store too, as far as this one knows. */
bool store_shared(const struct store *store);
MB_MUST_CHECK
bool store_start(struct store *store, struct mb_error *err);
/** Sets what is called when there is something to take; maybe from another thread. */
void store_on_wake(struct store *store, void (*wake)(void *user), void *user);
/** Queues a copy. The answer bears the same ticket, which is never 0. False: the queue is full; try
 * later. */
MB_MUST_CHECK
bool store_ask(struct store *store, const struct store_request *request, uint64_t *ticket);
/** Returns the next answer, which the caller frees; NULL: none yet. */
struct store_answer *store_take(struct store *store);
/** NULL is fine. */
void store_answer_free(struct store_answer *answer);
/** Stops the store; idempotent. Requests without an answer are lost, their effect unknown. */
void store_stop(struct store *store);
/** NULL is fine. */
void store_destroy(struct store *store);

/** Asks and waits. Returns the answer, which the caller frees, or NULL. Drops answers to others. */
struct store_answer *store_call(struct store *store, const struct store_request *request);
/** The same, only the result. */
enum store_result store_call_result(struct store *store, const struct store_request *request);

#endif
