/*
 * The value of a table, member by member. For bot/table/ and its tests only; others see
 * bot/table/table.h.
 *
 * Flat: no pointer, no instant (what is left on clocks, never when), no message id, no text but
 * names and each seat's news. The state of the game is a block of game_size() bytes at the end that
 * only the core reads. bot/table/table_codec.c writes, reads and verifies all of it in one walk;
 * who adds a member adds its line there.
 */
#ifndef BOT_TABLE_TABLE_STATE_H
#define BOT_TABLE_TABLE_STATE_H

#include "core/base/rng.h"
#include "core/loop/query.h"

#include "bot/parse/names.h"
#include "bot/person.h"
#include "bot/render/highlights.h"
#include "bot/table/library.h"
#include "bot/table/options.h"
#include "bot/table/person_name.h"
#include "bot/table/table.h"

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

static inline bool table_seat_is_person(const struct table_seat *seat)
{
    return seat->policy == 0;
}

#endif
