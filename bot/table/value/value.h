/*
 * The value of a table, member by member, and what it is asked; a table being changed. For
 * bot/table/ and its tests only; others see bot/table/table.h.
 *
 * Flat: no pointer, no instant (what is left on clocks, never when), no message id, no text but
 * names and each seat's news. The state of the game is a block of game_size() bytes at the end that
 * only the core reads. bot/table/value/codec.c writes, reads and verifies all of it in one walk;
 * who adds a member adds its line there.
 */
#ifndef BOT_TABLE_VALUE_VALUE_H
#define BOT_TABLE_VALUE_VALUE_H

#include <string.h>

#include "core/base/rng.h"
#include "core/loop/query.h"

#include "bot/parse/parse.h"
#include "bot/person.h"
#include "bot/policy/policy.h"
#include "bot/render/highlights.h"
#include "bot/table/library.h"
#include "bot/table/options.h"
#include "bot/table/pace.h"
#include "bot/table/person_name.h"
#include "bot/table/table.h"
#include "bot/table/workspace.h"
#include "bot/text/text.h"

enum {
    TABLE_CLOCKS = CLOCK_WINDOW + 1,
    TABLE_OFFERS_MAX = 20, /**< asks and offers of a person in one turn */
    TABLE_PAUSES_FREE = 2, /**< pauses of a host; for more the others are asked */
    TABLE_REMOVED_MAX = 8, /**< who was removed is remembered; of more the first is forgotten */
    TABLE_NAME_SIZE = PERSON_NAME_SIZE
};

/** Which pushes somebody wants. */
enum table_notify { NOTIFY_USUAL, NOTIFY_ALL, NOTIFY_TURN, NOTIFY_NONE, NOTIFY_TOTAL };

/** Somebody as a table knows them; id "" is nobody. The name is unlike all others at the table. */
struct table_person {
    char network[PERSON_NETWORK_SIZE];
    char id[PERSON_ID_SIZE];
    char name[PERSON_NAME_SIZE];
};

struct table_tally {
    uint16_t kills, deaths;
};

struct table_seat {
    uint64_t hand_hash; /**< of what the hand message shows; 0: it shows nothing */
    uint32_t hand_version;
    uint32_t acts;                     /**< commands that brought the game on */
    uint32_t called[TABLE_CALLED_MAX]; /**< keys of the latest questions that they know of */
    struct table_tally tally;
    uint8_t policy; /**< 0 a person, else 1 + the level's number (policy_by_number) */
    uint8_t female;
    uint8_t order; /**< standing order, enum in command.h; 0 none */
    uint8_t order_level;
    uint8_t away; /**< did not come when waited for: a stand-in acts; in a lobby: is asked to play
                       once more, and has not said so */
    uint8_t gone; /**< not in the community any more: unheard until back */
    uint8_t unreachable;        /**< what is private does not reach them, and that was said */
    uint8_t offers;             /**< made in this turn */
    uint8_t notify;             /**< enum table_notify */
    struct table_person person; /**< who holds it or held it; a bot player has a name only */
    struct table_person next;   /**< who sits down here when the turn ends */
    char news[TABLE_NEWS_SIZE]; /**< what only they learnt since they last acted */
};

/** Where a table lies, and what its card shows there. */
struct table_site {
    uint64_t card_hash;    /**< 0: it shows nothing */
    uint32_t card_version; /**< counts what the card has shown */
    uint32_t card_turn;    /**< round and turn that it was last posted in */
    uint64_t link_hash;    /**< of what is shown where the table came from; 0: nothing */
    uint32_t link_version; /**< counts that, on from what the card had shown there */
    uint8_t led;           /**< bits of the seats whose people have been called into its room */
    char network[PERSON_NETWORK_SIZE];
    char place[PERSON_ID_SIZE];
    char from[PERSON_ID_SIZE];  /**< where the table came from, or "" */
    char name[TABLE_NAME_SIZE]; /**< of the place, as shown to people */
};

/** What is left on a clock, and of which question. A new question restarts it. */
struct table_timer {
    uint64_t about;
    int64_t left_ms;
    int64_t half_ms; /**< of a win window: once no more is left, who has passed is shown */
    uint8_t holds;
    uint8_t reminded; /**< reminders given */
    uint8_t passes;   /**< who has passed is shown from now on */
};

/** The last command of a person, and who is asked about taking it back. The table as it was before
 * is the version that the store keeps beside this one. */
struct table_undo {
    uint8_t kept;   /**< there is one */
    uint8_t others; /**< somebody else has acted since */
    uint8_t plain;  /**< nothing came of chance and nobody learned anything */
    uint8_t author;
    uint8_t asker;  /**< NO_SEAT: nobody is asking */
    uint8_t agreed; /**< bits */
    uint32_t entry; /**< the command in the journal */
    int64_t since_ms, left_ms;
};

struct table {
    char id[TABLE_ID_SIZE];
    uint64_t end_asked; /**< keyed hash of the id of who has said `end` once; 0 nobody */
    uint64_t removed[TABLE_REMOVED_MAX]; /**< keyed hashes */
    /** How long it has been paused, or ago that somebody else than the host resumed it. */
    int64_t paused_ms;
    int64_t turn_ms; /**< how long this turn has taken of the turn's clock */
    uint32_t journal_count;
    uint16_t rules; /**< of a dealt game: by which it was taken further last */
    uint16_t alone; /**< the round since which everybody is away; 0: somebody is there */
    uint8_t state;  /**< enum table_state */
    uint8_t seat_count, site_count;
    uint8_t host;      /**< NO_SEAT: nobody */
    uint8_t stand_ins; /**< absent players are stood in for */
    uint8_t last_call; /**< the window that is open would end the game, and everybody was told */
    uint8_t deserted;  /**< everybody has left: paused until somebody comes back */
    uint8_t rests;     /**< everybody is away: nothing happens until somebody acts again */
    uint8_t shut;      /**< enum table_shut: nothing can be said where it lies */
    uint8_t shut_runs; /**< it is paused for that alone */
    uint8_t quiet;     /**< it is, by its hours, and everybody was told: its time stands */
    uint8_t seeded;    /**< a dealt game that goes on */
    uint8_t drawn;     /**< its seed comes of `secret`, which is told once the game is over */
    uint8_t starting;  /**< a lobby whose start has been posted; dealt once that has arrived */
    uint8_t removed_count;
    uint8_t pauses;      /**< how often `pauser` has paused the game, up to TABLE_PAUSES_FREE */
    uint8_t pauser;      /**< seat of the host who paused it last */
    uint8_t pause_asked; /**< the host wants to pause it once more, and has asked the others */
    uint8_t resumed;     /**< by somebody else than the host */
    uint8_t story;       /**< narrations of the chapter's story that are kept */
    uint32_t chapter;    /**< TABLE_CALLS_MAX a turn, and one for each call in it */
    uint8_t secret[DIGEST_SIZE];  /**< of what is `drawn` */
    struct table_options options; /**< sets by their number in the table's own catalogue */
    uint8_t digests[TABLE_SETS_MAX][CATALOG_DIGEST_SIZE];
    struct profile profile; /**< a running table keeps its constants */
    struct mb_rng rng;      /**< the bot players' */
    struct table_timer timers[TABLE_CLOCKS];
    struct table_timer bots; /**< left_ms < 0: nobody acts by itself */
    struct table_undo undo;
    struct table_told told;
    struct highlights highlights;
    struct table_seat seats[MB_SEATS_MAX];
    struct table_site sites[TABLE_SITES_MAX];
    uint64_t game[]; /**< game_size() bytes */
};

_Static_assert(sizeof(struct table) <= 12288, "a table fits 24 KiB beside its state");

static inline struct game *table_own_game(struct table *table)
{
    return (struct game *)(void *)table->game;
}

/** Whether it is that person; nobody is nobody. */
static inline bool table_person_is(const struct table_person *known, const struct person *person)
{
    return known->id[0] != '\0' && strcmp(known->id, person->id) == 0 &&
           strcmp(known->network, person->network) == 0;
}

static inline bool table_seat_is_person(const struct table_seat *seat)
{
    return seat->policy == 0;
}

enum { TABLE_LOG_SHOWN = 10, TABLE_LOG_MAX = 64, TABLE_SENTENCE_SIZE = 2048 };
#define TABLE_PROOF "fair" /**< the topic of the rules that tells of it */

/** A table being changed: a copy of its own, in the outcome. */
struct table_work {
    struct table *table;
    struct game *game;     /**< in the table */
    const struct box *box; /**< of the table; without one as long as there is none */
    const struct catalog *catalog;
    struct table_workspace *ws;
    struct table_outcome *outcome;
    struct message_list *said; /**< the outcome's */
    const struct deed *deed;
    const struct table *last;   /**< the game that `new` would play once more, or NULL */
    uint64_t stamp;             /**< of the state: views with another one are stale */
    struct query_clock running; /**< the innermost clock and whom it waits for */
    int64_t late_ms;            /**< since its clocks were wound, where no step is made */
    bool dirty;                 /**< something of the table has changed */
    bool came_back; /**< who was away has come back: that stands even if the rest is refused */
};

enum { TABLE_NAMES_SIZE = MB_SEATS_MAX * (PERSON_NAME_SIZE + 8) };

/* table.c */
/** When the seat's person wants to be called: as they said, or as is usual at this pace. */
enum table_notify table_wish_of(const struct table *table, unsigned seat);
/** The level that plays the seat. NULL: a person does. */
const struct policy *table_policy(const struct table_seat *seat);
/** Bits of the people who want to be called for their turn (NOTIFY_TURN), or for any win
 * (NOTIFY_ALL). */
unsigned table_wants(const struct table *table, enum table_notify what);
/** Whether a bot player has held the seat from the start and nobody waits for it. */
bool table_seat_is_free(const struct table_seat *seat);
/** Nothing can be undone from now on. */
void table_undo_forget(struct table *table);
/** Bits of the people who have been asked to agree to an undo and have not answered. */
unsigned table_undo_asked(const struct table *table);

/* clock.c */
/** Bits of the people for whom that clock waits, without those who are away. */
unsigned table_people_awaited(const struct table *table, struct query_clock running);
/** Of a turn's question: the turn, and below that bit what was done in it. */
enum { TABLE_KEY_SHIFT = 24 };
/** What the open requests for help are about; another number means other requests. Offers of
 * help do not count: nobody may stretch a clock with them. */
uint64_t table_asks_about(const struct table_work *work);
/** What a clock of this kind is about; another number means another question. */
uint64_t table_clock_about(const struct table_work *work, struct query_clock clock);
/** How long a clock of this table runs, in ms. */
int64_t table_clock_length(const struct table_work *work, unsigned kind);
/** The clock that runs: the core's, or that of an open request for help. */
struct query_clock table_running_clock(const struct table *table);

/* say.c */
/** Drops what the outcome has said and journaled: nothing has happened. */
void table_outcome_fail(struct table_outcome *outcome);
/** Whether the store's answer is here. False: the outcome asks for it, and the deed is decided
 * again with it. */
MB_MUST_CHECK
bool table_fetched(struct table_work *work, enum table_fetch what);
/** Says a sentence to the table. */
void table_tell(struct table_work *work, enum text_id id, const struct text_arg *args);
/** Answers the seat's person with a text. */
void table_reply(struct table_work *work, unsigned seat, const char *text);
/** Answers the seat's person with a sentence. */
void table_reply_text(struct table_work *work, unsigned seat, enum text_id id,
                      const struct text_arg *args);
/** Refuses for the table, with the sentence of that code. Returns false. */
bool table_refuse(struct table_work *work, unsigned seat, enum refusal_code code,
                  struct refusal *why);
/** Refuses with a sentence of the table's own. Returns false. */
bool table_refuse_text(struct table_work *work, unsigned seat, enum refusal_code code,
                       enum text_id id, const struct text_arg *args, struct refusal *why);
/** Words a refusal of the core's. */
void table_reply_refusal(struct table_work *work, unsigned seat, const struct refusal *why);
/** Writes who sits at these seats: "Ada, Bob and Cem". */
void table_reach_names(const struct table *table, unsigned seats, char out[TABLE_NAMES_SIZE]);

/* view.c */
/** The state has changed: every view of it must be made again. */
void table_changed(struct table_work *work);
/** Finds the table's box and catalogue, and notes them in the work. */
MB_MUST_CHECK
bool table_find_box(struct table_work *work, struct mb_error *err);
/** What a seat may know of the state (NO_SEAT: an onlooker). It is good until the state changes
 * or the workspace serves another table. */
const struct game *table_view(const struct table_work *work, unsigned seat);
/** Words the events of the last command: for the table, and for each person who learns more. */
void table_narrate(struct table_work *work);
/** Lists the seat's moves on its own view, in the workspace. False: there are none. */
bool table_list_moves(const struct table_work *work, unsigned seat);
/** Whether a person who plays with bot players alone can only pass. */
bool table_is_idle(const struct table_work *work, unsigned seat);
/** What the seat's words are made from, as the work stands. */
struct table_words table_words_of(const struct table_work *work, unsigned seat);
/** Writes what everybody may see of the lobby or the game; "" if there is none. */
size_t table_card(const struct table_work *work, uint32_t caps, char *out, size_t size);
/** Appends that the game is paused or on hold, and who can end that. Returns the new length. */
size_t table_add_paused(const struct table_work *work, char *out, size_t size, size_t length);

static inline uint64_t board_mix(uint64_t hash, uint64_t value)
{
    return (hash ^ value) * UINT64_C(0x100000001B3);
}

/** What the controls of a board are bound to, whose content is the count-th there: no other content
 * has it, not even in a restored backup, where the count is used again. */
static inline uint32_t board_version(uint32_t count, uint64_t hash)
{
    return (uint32_t)board_mix(hash, count);
}

#endif
