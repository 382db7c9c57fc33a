/*
 * The store: what is left of tables when a process ends. Requests go into a bounded queue, answers
 * come out of one; both are bytes and words alone, and own all they name.
 *
 * A table is bytes with a version. A *commit* changes one table and what goes with it, or
 * directories alone, all or nothing, if nobody else has changed the table since it was loaded and
 * the places it takes are free. It bears the id of its step, the same in every attempt: a step that
 * has been committed is not committed again and answers as the first time. Only what is committed
 * may be said, so messages are rows until their outcome is confirmed; confirming changes no
 * version.
 *
 * A table that goes is *put away* if it has a journal: with its last version, its journal and its
 * card files. Nobody sits there and nothing falls due; LOAD finds it at version 0. A commit that
 * opens a table under its id takes it out again, with its journal.
 *
 * Time is store time: milliseconds that passed while somebody served this store, from no wall
 * clock. Answers about one table come in the order they were asked for; others in any. An answer
 * may be lost with its engine: who waits asks again by the step's id. Ids are compared byte by
 * byte.
 *
 * Where a network, or a community in it, cannot be heard, its tables' time stands (STORE_STAND):
 * nothing falls due there, and once it is back since_ms of each is later by as long as it stood. A
 * network is away when no living process that serves the store has it.
 *
 * Several processes may serve one store (store_shared()). Of those one at a time sends what a table
 * says: a commit takes the table's lease unless there are messages of it without outcome, of which
 * another process has it; of one that has died it is taken with what falls due. Answers to a line
 * go out where that was heard. A process lives as long as it says hello or beats within
 * STORE_LEASE_MS of store time, or as its engine knows otherwise; what a dead one held is
 * anybody's.
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
    STORE_QUEUE_MAX = 1024,     /**< requests that wait */
    STORE_LOG_MAX = 64,         /**< narrations that are kept of a table */
    STORE_DUE_MAX = 256,        /**< tables in one answer */
    STORE_JOURNAL_MAX = 256,    /**< pieces in one answer */
    STORE_KEPT_MAX = 256,       /**< words in one answer */
    STORE_TABLES_OF_PERSON = 8, /**< at which one may sit at once */
    STORE_TABLES_OF_OPENER = 8, /**< that one person may have opened ... */
    STORE_TABLES_OF_COMMUNITY =
        512,                  /**< ... and all of a community; room is made by the oldest ... */
    STORE_TABLES_MAX = 20000, /**< ... at which nobody plays */
    STORE_LEASE_MS = 6000,    /**< a process that has not beaten for so long is dead ... */
    STORE_MARK_MS = 8000,     /**< ... and one that sees to what is due has so long for it */
    STORE_COMMUNITIES_MAX = 65536,    /**< with statistics */
    STORE_PEOPLE_OF_COMMUNITY = 4096, /**< in its statistics; who was silent longest is forgotten */
    STORE_ARCHIVE_OF_COMMUNITY = 1024, /**< tables put away; of more the first is forgotten */
    STORE_CARDS_MAX = 16               /**< card files that one table plays with */
};
#define STORE_EVENT_MS INT64_C(3600000) /**< an event that was dealt with is known so long */
#define STORE_NEVER    INT64_C(-1)

enum store_kind {
    STORE_HELLO,      /**< who serves now: a new epoch */
    STORE_BEAT,       /**< so much time has passed, and who asks lives */
    STORE_PLACE,      /**< which table lies at a place */
    STORE_PERSON,     /**< at which tables a person sits */
    STORE_LOAD,       /**< a table and what goes with it */
    STORE_LOOK,       /**< a table's version, since when its time runs, who sends what it says */
    STORE_WATCH,      /**< which of many tables are not what one knows, or not one's own to send */
    STORE_EARLIER,    /**< the version of a table that undo goes back to */
    STORE_LOG,        /**< its latest narrations */
    STORE_JOURNAL,    /**< pieces of its journal */
    STORE_STATISTICS, /**< of a person in a community, and of the community */
    STORE_COMMIT,
    STORE_STEP,    /**< whether a step was committed */
    STORE_CONFIRM, /**< the outcome of a message; since when a table's time runs */
    STORE_DUE,     /**< tables at which something falls due */
    STORE_STAND,   /**< a network, or communities in it, are away, or back */
    STORE_KEEP,    /**< bytes under a word, of whoever asks: they are his to name */
    STORE_KEPT,    /**< what is kept under words that begin alike */
    STORE_HOLD,    /**< a word is this process's own until it ends or the store is stopped; or, with
                    * `for_ms`, nobody can hold it again for that long, by the store's own time */
    STORE_CARD,    /**< a card file, by its word */
    STORE_LIST,    /**< all tables, or all that are put away */
    STORE_KNOWN,   /**< in which communities something is known of a person */
    STORE_FORGET /**< of a person: statistics, where they sit, whose share tables take, and what is
                  * on its way to them or shown to them; or, without one, of a community: its
                  * tables, put away or not, and its statistics */
};

enum store_result {
    STORE_DONE,     /**< found, or committed now or before */
    STORE_NOTHING,  /**< there is none; nothing has changed. Of a BEAT: what was held may be another
                     * process's by now: leases, words */
    STORE_CONFLICT, /**< the table or a place is another by now, or another living process holds the
                     * word; nothing has changed */
    STORE_REPEATED, /**< that event was dealt with before; nothing has changed */
    STORE_FULL,     /**< no more tables may be opened here; nothing has changed */
    STORE_TOO_MANY, /**< a person sits at too many tables already; nothing has changed */
    STORE_FAILED    /**< unknown whether anything has changed: later it may be asked again */
};

struct store_bytes {
    const unsigned char *at; /**< NULL: none */
    size_t size;
};

/** A card file of a table: kept under its word, once, as long as a table or what is left of one
 * plays with it. */
struct store_card {
    const char *word;
    struct store_bytes bytes;
};

/** A message until its outcome is known. What a narration says stands in the log and is not kept
 * twice: it stays there at least until then. */
struct store_message {
    struct chat_key key;
    /** Which board of the table it shows, from 1 on, or 0 for none: of boards the platform's id is
     * kept, for this reader, and of those without outcome the newest is, and the one that makes the
     * board: the oldest for this reader, while there is no id. */
    uint8_t board;
    bool narrates;            /**< COMMIT: it says the commit's narration */
    bool answer;              /**< to a line: its committer's to send as long as that lives, whoever
                               * the rest is */
    const char *reader;       /**< of a board: the host's word for who reads it */
    const char *narration;    /**< LOAD: what it says if it narrates, else NULL */
    struct store_bytes bytes; /**< the host's */
};

/** Where a board is shown. */
struct store_board {
    uint8_t board;
    const char *reader;
    const char *id;
};

/** A place's table changes: taken if it is free, or the commit's `from` lies there; or left. */
struct store_place {
    const char *network, *place;
    const char *name;      /**< as people know it */
    const char *community; /**< that it belongs to */
    bool taken;
};

/** A person sits down at the commit's table, or gets up from it; or chooses it among several. */
struct store_sit {
    const char *network, *person;
    enum { STORE_SITS, STORE_LEAVES, STORE_CHOOSES } what;
};

struct store_line {
    uint32_t games, wins, kills, deaths;
};

/** Added to what is known of a person, or all of it forgotten. */
struct store_record {
    const char *community, *network, *person;
    struct store_line line;
    bool forget;
};

/** What is away, and since when; "" : the whole network. */
struct store_away {
    const char *network, *community;
    int64_t ms;
};

/** A table as a process knows it that sends what it says. */
struct store_seen {
    const char *table;
    uint64_t version;
};

struct store_commit {
    struct chat_key step;
    const char *table; /**< of STORE_CHOOSES alone, or "": no table is changed */
    bool directories;  /**< no table is changed: no member of the next two groups counts */

    uint64_t expected;        /**< the version it was made from; 0: a new table */
    struct store_bytes bytes; /**< the table after; none: it is gone */
    bool keep_earlier;        /**< the version it was made from is what undo goes back to */
    bool rests;               /**< nobody plays: it may go when room is needed */
    bool sends;               /**< this process can send what is said: it takes a free lease */
    bool anew; /**< `journal` and `log` stand in place of what was kept of both, and undo has
                * nothing to go back to */
    const char *opener_network, *opener, *community; /**< of a new table: whose share it takes */
    const char *from;      /**< of a new table: the one that goes with this commit, or NULL ... */
    uint64_t from_version; /**< ... and its version: it is a conflict if that is another */
    int64_t since_ms;      /**< since when the table's time runs; STORE_NEVER: it stands */
    int64_t due_ms;        /**< what is left of it until something falls due, or STORE_NEVER */
    int64_t until_ms;      /**< when the table is looked at whatever its time, or STORE_NEVER */

    const char *event;     /**< what was dealt with, the host's word for it, or "" */
    const char *narration; /**< for the log, or NULL */
    const struct store_bytes *journal;
    size_t journal_count;
    const char *const *log; /**< of `anew`: the oldest first, STORE_LOG_MAX at most */
    size_t log_count;
    const struct store_card *cards; /**< what the table plays with from now on; none: it stands */
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

/** Members that a kind does not name are not looked at. Borrowed by store_ask(). */
struct store_request {
    enum store_kind kind;
    uint8_t forget_board;  /**< CONFIRM: the board that it was to replace and that is gone */
    bool starts;           /**< CONFIRM: from `ms` on the table's time runs */
    bool unsent;           /**< DUE: and tables with messages whose outcome is not known */
    bool claims;           /**< DUE: only what no other living process sends or sees to; it is this
                            * one's now */
    bool archived;         /**< LIST: those that are put away */
    bool back;             /**< STAND: not away any more, from `ms` on */
    uint64_t ticket;       /**< store_ask()'s */
    const char *table;     /**< LOAD, LOOK, EARLIER, LOG, JOURNAL, STEP, CONFIRM */
    const char *network;   /**< PLACE, PERSON, STATISTICS, KNOWN, FORGET, STAND */
    const char *networks;  /**< DUE that claims: " a b ", tables that lie there; NULL: all */
    const char *place;     /**< PLACE */
    const char *person;    /**< PERSON, STATISTICS, KNOWN, FORGET: or NULL */
    const char *community; /**< STATISTICS; FORGET without a person */
    const char *word;      /**< KEEP, HOLD, CARD: a word; KEPT: how words begin; FORGET: the host's
                            * for them as a reader */
    struct store_bytes bytes;      /**< KEEP; none: they are forgotten */
    size_t from, count;            /**< JOURNAL: pieces; LOG: `count` */
    const struct store_seen *seen; /**< WATCH */
    size_t seen_count;
    const char *const *communities; /**< STAND; none: the network itself, as this process has it */
    size_t community_count;
    const char *after;          /**< DUE, LIST: whose ids come behind this one, or NULL: all */
    struct chat_key key;        /**< STEP: the step; CONFIRM: the message */
    const char *id;             /**< CONFIRM: the platform's id, or NULL: never delivered */
    int64_t ms;                 /**< BEAT, STAND: store time now; DUE: up to when */
    int64_t for_ms;             /**< HOLD: or 0 */
    struct store_commit commit; /**< COMMIT */
};

struct store_sitting {
    const char *table;
    const char *place_name;
    const char *community; /**< that it was opened in */
    bool chosen;
};

/** Members that a kind does not name are zero. Ended by store_answer_free(). */
struct store_answer {
    enum store_kind kind;
    enum store_result result;
    uint64_t ticket;
    const char *table;                 /**< PLACE; COMMIT: the table that has made room, or NULL */
    const char *community;             /**< PLACE, LOAD: that it was opened in */
    uint64_t epoch;                    /**< HELLO */
    uint8_t secret[STORE_SECRET_SIZE]; /**< HELLO: keys hashes; the same for ever */
    int64_t now_ms;                    /**< HELLO, BEAT: store time */
    uint64_t version;                  /**< LOAD, LOOK, EARLIER; COMMIT, STEP: after the step */
    bool held; /**< COMMIT, STEP, LOAD, LOOK: this process sends what the table says */
    struct store_bytes bytes;             /**< LOAD, EARLIER, CARD */
    int64_t since_ms, due_ms, until_ms;   /**< LOAD; LOOK: the first */
    const struct store_board *boards;     /**< LOAD */
    const struct store_message *messages; /**< LOAD: without outcome, the oldest first */
    /** LOAD: what was dealt with at it in the last hour, the oldest first, each as store_event()
     * has it. */
    const uint64_t *events;
    const struct store_bytes *pieces; /**< JOURNAL; KEPT: what is under each of `texts` */
    /** LOG: the oldest first; KEPT: words, the one kept last first; WATCH: tables; DUE, LIST:
     * tables in the order of their ids. Behind STORE_DUE_MAX of them there may be more. KNOWN:
     * communities. */
    const char *const *texts;
    const struct store_sitting *sittings; /**< PERSON: the oldest first */
    const struct store_away *aways;       /**< HELLO, BEAT, STAND: all that is away */
    size_t board_count, message_count, event_count, away_count;
    size_t count;                  /**< of pieces, texts or sittings */
    int64_t next_ms;               /**< DUE: when the next falls due behind `ms`, or STORE_NEVER */
    struct store_line line, total; /**< STATISTICS */
    size_t people;                 /**< STATISTICS: known in the community */
};

struct store;

/** An event as stores keep it: its hash with the store's secret, never 0. */
uint64_t store_event(const uint8_t secret[STORE_SECRET_SIZE], const char *event);
const char *store_name(const struct store *store);
/** Whether other processes may serve it, too, as far as can be told now. */
bool store_shared(const struct store *store);
MB_MUST_CHECK
bool store_start(struct store *store, struct mb_error *err);
/** Called, maybe from another thread, when there is something to take. */
void store_on_wake(struct store *store, void (*wake)(void *user), void *user);
/** Queues a copy; the ticket comes back in the answer, and is never 0. False when the queue is
 * full: later may help. */
MB_MUST_CHECK
bool store_ask(struct store *store, const struct store_request *request, uint64_t *ticket);
/** The next answer, the caller's to free; NULL: none is there yet. */
struct store_answer *store_take(struct store *store);
/** NULL is fine. */
void store_answer_free(struct store_answer *answer);
/** Idempotent; what was asked and not answered is lost, its effect unknown. */
void store_stop(struct store *store);
/** NULL is fine. */
void store_destroy(struct store *store);

/** The answer, the caller's; NULL without one. What others asked goes unanswered. */
struct store_answer *store_call(struct store *store, const struct store_request *request);
/** Only what became of it. */
enum store_result store_call_result(struct store *store, const struct store_request *request);

#endif
