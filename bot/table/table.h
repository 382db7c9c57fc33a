/*
 * A table as a value: lobby, game, people, bot players, clocks; and what a deed makes of it.
 *
 * `struct table` is one flat block of table_size() bytes, copied and stored by value. Nothing
 * changes it in place: table_decide() takes a deed (a line, a bot player's move, time that has
 * passed) and gives an outcome: a refusal, "fetch this first, ask me again", or the table after,
 * with what is said to whom, journal entries and statistics. Whoever carries tables (bot/hall/, or
 * bot/tools/solo.h by hand) commits the outcome or drops it; dropped, nothing has happened.
 *
 * A step begins with one deed and goes on with DEED_GO_ON while bot players alone may act; its end
 * is table_show(), which makes one narration of what was said, and card and hands of what changed.
 *
 * The way of a line: words -> command (bot/parse, on the typist's redacted view) -> core decides ->
 * events applied -> rendered for each reader. Time is what deeds bring; nothing here has a clock,
 * a file or chance of its own. Who may act goes by a person's network and id, never by a name.
 */
#ifndef BOT_TABLE_TABLE_H
#define BOT_TABLE_TABLE_H

#include "core/base/error.h"
#include "core/codec/journal.h"
#include "core/loop/query.h"

#include "bot/chat.h"
#include "bot/message.h"
#include "bot/parse/names.h"
#include "bot/person.h"
#include "bot/table/options.h"
#include "bot/table/workspace.h"

struct policy;
struct table;

enum {
    TABLE_ID_SIZE = 24,
    TABLE_SITES_MAX = 2,
    TABLE_NEWS_SIZE = 464,
    TABLE_GO_ON_MAX = 64, /**< moves of bot players in one step */
    TABLE_CHANCE_SIZE = 32,
    TABLE_STORY_MAX = 20,  /**< narrations of a chapter that its card tells, and lines of them */
    TABLE_CALLS_MAX = 64,  /**< chapters of a turn */
    TABLE_CALLED_MAX = 16, /**< more questions than can be open to one seat: deals and three */
    TABLE_SIZE_MAX = 24 * 1024
};

enum table_state {
    TABLE_EMPTY, /**< no table yet: `new` makes one */
    TABLE_LOBBY, /**< people sit down */
    TABLE_RUNNING,
    TABLE_PAUSED, /**< running, but clocks and commands rest */
    TABLE_OVER    /**< somebody has won, or it was ended */
};

/** Why nothing can be said where a table lies. */
enum table_shut {
    SHUT_NO,
    SHUT_LOCKED, /**< a moderator has locked the place */
    SHUT_MUTE,   /**< the bot may not write there */
    SHUT_GONE    /**< the place is gone: the table lies nowhere */
};

/** Bytes of a table; callers allocate, aligned as malloc() does. */
size_t table_size(void);
/** An empty table of that id, which lies nowhere. */
void table_init(struct table *table, const char *id);
void table_copy(struct table *to, const struct table *from);
/** The same table under another id: controls of the old one are none of its. */
void table_rename(struct table *table, const char *id);
/** Adds the place where it lies. */
void table_add_site(struct table *table, const char *network, const char *place, const char *name);

/* Deeds. */

enum deed_kind {
    DEED_OPEN,         /**< a table is opened, its seats are taken, it starts */
    DEED_LINE,         /**< a person types or presses */
    DEED_COMMAND,      /**< a command without words, by a seat: simulations */
    DEED_GO_ON,        /**< bot players alone may act: their next move, at once */
    DEED_TIME,         /**< time passes; the first thing that falls due on the way happens */
    DEED_ELAPSE,       /**< the answer moment that is open is up at once: scenarios */
    DEED_OUT_OF_REACH, /**< what is private does not reach a person */
    DEED_QUIET,        /**< quiet hours begin or end */
    DEED_DEAL,         /**< what has become of the message that says who starts: cards are dealt */
    DEED_CLOSE,    /**< nobody has said a word for too long: a game that is not over is put away */
    DEED_REVIVE,   /**< what was put away is back */
    DEED_NOTHING,  /**< the news are none of this table's */
    DEED_IN_REACH, /**< what is private reaches a person again */
    DEED_PLACE_CLOSED, /**< the place is locked, mute or gone */
    DEED_PLACE_OPEN,   /**< it can be written to again */
    DEED_PLACE_MOVED,  /**< the table goes along to another place */
    DEED_PLACE_ASLEEP, /**< nobody finds its place unless it is woken */
    DEED_PERSON_GONE,  /**< a person is no longer in the community */
    DEED_PERSON_BACK,  /**< and is again */
    DEED_RETURN,       /**< its network was away and is back: what clocks have left is shown anew */
    DEED_FORGET        /**< a person is forgotten: a bot player has their seat */
};

struct deed_stats {
    uint32_t games, wins, kills, deaths;
};

/** What a deed asked for and its host has fetched. */
struct deed_fetched {
    unsigned what;          /**< bits of enum table_fetch */
    const char *const *log; /**< the latest narrations, the oldest first */
    size_t log_count;
    struct deed_stats stats, total; /**< of the person asked for; of the community */
    size_t people;                  /**< that the community knows of; 0 stats.games: not this one */
    const unsigned char *earlier;   /**< the encoded table that undo goes back to */
    size_t earlier_size;
};

/** Who sits down at a table that is opened whole. */
struct deed_seat {
    struct person person;
    const char *bot; /**< a bot player's name, else NULL */
    const struct policy *policy;
    bool female;
};

/** A table that is opened whole. */
struct deed_table {
    const struct table_options *options;
    const struct deed_seat *seats;
    unsigned seat_count;
    bool seeded; /**< its chance is the whole seed, no secret that a seed is drawn from */
};

/** Of `reach_s`: never; when they accept an invitation; and from where on it is worth telling. */
enum { DEED_REACH_NEVER = -1, DEED_REACH_INVITED = -2, DEED_REACH_LONG = 5 };

struct deed {
    enum deed_kind kind;
    int64_t passed_ms;    /**< time that has passed at the table since the last deed */
    struct person person; /**< LINE, OUT_OF_REACH, PERSON_GONE, PERSON_BACK */
    bool at_site;         /**< LINE: said where the table lies */
    enum table_shut shut; /**< PLACE_CLOSED */
    unsigned site;        /**< PLACE_MOVED, PLACE_CLOSED: which, or as many as there are */
    const char *place,
        *place_name;          /**< PLACE_MOVED; LINE: where a table that lies nowhere may go */
    const char *line;         /**< LINE */
    bool open;                /**< LINE: others read it themselves */
    bool links;               /**< LINE "link CODE": the code is this table's, said at `place`
                                 by somebody who has a say there */
    const struct table *last; /**< LINE "new": the game elsewhere that is played once more */
    bool hushed; /**< LINE "new": its person has called a game's people lately, and calls nobody */
    bool quiet;  /**< QUIET: they begin */
    const struct command *command;  /**< COMMAND */
    const struct deed_table *whole; /**< OPEN */
    const uint8_t *chance; /**< OPEN, LINE, DEAL: TABLE_CHANCE_SIZE bytes nobody can foresee: the
                              secret of what a lobby that opens will deal ... */
    bool seeded;           /**< ... or, LINE: the whole seed of what starts */
    const char *delivered; /**< DEAL: the platform's id of the message; NULL: never delivered */
    const char *rooms[TABLE_SITES_MAX]; /**< DEAL: by site, the room that was made, "" : none was;
                                           NULL: none was asked for */
    /** LINE that starts a game, DEAL: by seat, in how many seconds its person can be shown a hand;
     * 0: they can. */
    int32_t reach_s[MB_SEATS_MAX];
    const struct deed_fetched *fetched; /**< NULL: nothing yet */
};

/* Outcomes. */

enum table_answer {
    TABLE_REFUSED, /**< nothing has changed; `said` holds the reply */
    TABLE_LOOKED,  /**< nothing has changed; `said` holds what was asked for */
    TABLE_CHANGED,
    TABLE_FETCH, /**< nothing has changed: fetch what `fetch` says and ask again */
    TABLE_FAILED /**< nothing has changed: there are no cards, or the game is too long */
};

enum table_fetch {
    FETCH_LOG = 1,
    FETCH_STATS = 2,
    FETCH_EARLIER = 4 /**< the version that undo goes back to */
};

/** One person's part of a finished game. */
struct table_record {
    unsigned seat;
    struct deed_stats line;
};

struct table_outcome {
    enum table_answer answer;
    struct refusal why;  /**< of a refused line or command, else REFUSAL_NONE */
    struct table *after; /**< the outcome's own; the table as it was if nothing has changed */
    uint64_t stamp;      /**< of `after`: views with another one are stale */
    struct message_list said;
    struct journal journal;     /**< what this step added: see core/codec/journal_bytes.h */
    unsigned fetch;             /**< bits of enum table_fetch */
    struct person fetch_person; /**< whose statistics; borrowed from the deed or `after` */
    struct table_record records[MB_SEATS_MAX];
    unsigned record_count;
    unsigned missed;   /**< seats that have let their first reminder pass */
    bool forget_stats; /**< the deed's person wants to be forgotten here */
    bool forget_me;    /**< the deed's person wants to be forgotten everywhere, and is sure */
    bool link;         /**< the deed's person, the host, wants a code that links it elsewhere */
    bool deal_now;     /**< the host does not wait for those who were invited to their hands */
    bool keep_earlier; /**< the table as it was before this step is what undo goes back to */
    struct narration telling; /**< the narration so far */
};

/** Memory for outcomes. The workspace must outlive it. */
void table_outcome_init(struct table_outcome *outcome);
void table_outcome_finish(struct table_outcome *outcome);
/** Ready for the next step. */
void table_outcome_clear(struct table_outcome *outcome);

/** Decides a deed. `table` is not changed, unless it is outcome->after: then the step goes on, and
 * what is said is added to what was said before; if that fails, all of the step is lost. `stamp` is
 * that of the table as of its last outcome; 0: none. */
enum table_answer table_decide(const struct table *table, uint64_t stamp, const struct deed *deed,
                               struct table_workspace *workspace, struct table_outcome *outcome);
/** The end of a step: one narration, card and hands that have changed, news that find no room. */
void table_show(struct table_workspace *workspace, struct table_outcome *outcome);
/** A card or a link (of site `at`) or a hand (of seat `at`) as the table stands, under the version
 * that was shown last, into an empty list, which stays empty if there is nothing to show. Changes
 * nothing. False: it cannot be made now. */
MB_MUST_CHECK
bool table_show_again(struct table_workspace *workspace, struct table *table, uint64_t stamp,
                      enum message_to board, unsigned at, struct message_list *said);
/** Cards and hands are to be shown again even if they have not changed: what was sent did not
 * arrive. */
void table_forget_shown(struct table *table, unsigned site_bits, unsigned seat_bits);

/* Panels: what one person presses (bot/table/panel.h). */

/** A page of a seat's panel (NO_SEAT: of somebody who has none). */
struct table_page {
    unsigned seat;
    const char *path;   /**< what leads nowhere is the page of what can be done */
    const char *on_top; /**< a sentence above it, or "" */
    int64_t late_ms;    /**< since the table's last step: clocks on the page run on */
};

/** A page as a reply. False: its card sets are not to be had. */
MB_MUST_CHECK
bool table_panel(struct table_workspace *workspace, struct table *table, uint64_t stamp,
                 const struct table_page *page, struct message_list *said);

/** A control of a seat's page that was pressed. */
struct table_press {
    const char *path;
    const uint8_t *picks;
    unsigned pick_count;
    uint32_t version;
    unsigned seat;
    unsigned number; /**< from 1 on */
};

enum table_pressed {
    PRESSED_STALE,   /**< the page shows something else by now */
    PRESSED_UNKNOWN, /**< it was never offered */
    PRESSED_PAGE,    /**< it leads to the page `path` */
    PRESSED_LINE     /**< it says `line` */
};

/** What a press of a seat's own page comes to. */
enum table_pressed table_press(struct table_workspace *workspace, struct table *table,
                               uint64_t stamp, const struct table_press *press,
                               char path[CHAT_PATH_SIZE], char line[CHAT_LINE_SIZE]);

/* Time. */

enum table_due_kind {
    TABLE_DUE_NEVER,
    TABLE_DUE_BOTS,     /**< bot players or standing orders act */
    TABLE_DUE_REMINDER, /**< somebody is told that they are waited for */
    TABLE_DUE_UNDO,     /**< the time to agree to an undo is up */
    TABLE_DUE_PASSES,   /**< half of a win window is over: who has passed may be seen */
    TABLE_DUE_CLOCK     /**< a deadline passes */
};

struct table_due {
    enum table_due_kind kind;
    int64_t ms;       /**< from now */
    unsigned seats;   /**< bits of those waited for */
    unsigned clock;   /**< enum clock_kind that runs now */
    int64_t clock_ms; /**< what is left on it, -1 if none runs */
};

/** Whether it is quiet by the table's hours at that second since 1970 (UTC), and how many
 * milliseconds until that changes; -1: never. */
bool table_quiet_at(const struct table *table, int64_t utc_s, int64_t *change_ms);
/** Whether everybody was told that it is: DEED_QUIET. */
bool table_is_quiet(const struct table *table);
enum table_shut table_shut(const struct table *table);
/** Whether its start has been posted, and cards are dealt once that has arrived: DEED_DEAL. */
bool table_is_starting(const struct table *table);
/** What happens next by itself if nobody says anything. */
struct table_due table_due(const struct table *table);
/** Whether bot players act next and no person may: DEED_GO_ON. */
bool table_goes_on(const struct table *table);

/* Looking. */

enum table_state table_state(const struct table *table);
const char *table_id(const struct table *table);
/** Entries of its game's journal so far. */
uint32_t table_journal_count(const struct table *table);
unsigned table_seat_count(const struct table *table);
const char *table_seat_name(const struct table *table, unsigned seat);
bool table_seat_is_bot(const struct table *table, unsigned seat);
/** Bits of the seats that people hold. */
unsigned table_people_seats(const struct table *table);
/** Who holds a seat, or waits for it (`waits`); false if nobody does. Borrowed from the table. */
bool table_seat_person(const struct table *table, unsigned seat, bool waits, struct person *out);
/** The seat that a person holds now; NO_SEAT. */
unsigned table_seat_of(const struct table *table, const struct person *person);
/** Bits of the seats in a lobby whose people are asked to play once more, and have not said so. */
unsigned table_asked_again(const struct table *table);
/** Whether somebody holds or held a seat, or waits for one. */
bool table_knows(const struct table *table, const struct person *person);
/** The seat that a person waits for; NO_SEAT. */
unsigned table_waits_for(const struct table *table, const struct person *person);
/** Whether a clock waits for anybody who sits there from that network, or for nobody. */
bool table_waits_on(const struct table *table, const char *network);
/** Digests of the sets it plays with, CATALOG_DIGEST_SIZE bytes each. */
const uint8_t *table_digests(const struct table *table, size_t *count);
unsigned table_site_count(const struct table *table);
const char *table_site_network(const struct table *table, unsigned site);
const char *table_site_place(const struct table *table, unsigned site);
/** Where the table came from, and a card shows the way; "" : nowhere. */
const char *table_site_from(const struct table *table, unsigned site);
const char *table_site_name(const struct table *table, unsigned site);
/** Where what is said to all at a site is said: where it came from while that is shut; "" :
 * nowhere.
 */
const char *table_site_voice(const struct table *table, unsigned site);
/** How fast it is played. */
enum pace table_pace(const struct table *table);
/** How many of the latest narrations are of the chapter that its card shows; at most
 * TABLE_STORY_MAX.
 */
unsigned table_story(const struct table *table);
/** What a control must be bound to in order not to be stale. */
uint32_t table_card_version(const struct table *table, unsigned site);
/** For checks, scenarios and stores only: no text may be made of it. */
const struct game *table_game(const struct table *table);

/** The words of a seat (NO_SEAT: an onlooker): its redacted view, the names. Good until the next
 * use of the workspace. False if the table's card sets are not to be had. */
bool table_words(const struct table *table, uint64_t stamp, struct table_workspace *workspace,
                 unsigned seat, struct table_words *out);
/** The box a table plays with, as long as the workspace works for it; NULL: there is none yet, or
 * it is not to be had (then with an error). */
const struct box *table_box(const struct table *table, struct table_workspace *workspace,
                            struct mb_error *err);

#endif
