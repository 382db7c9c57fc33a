/*
 * What the hall is made of: lines, people, messages, steps, live tables; when something is to be
 * done at them; questions to the store. For bot/hall/ only.
 *
 * A pointer to a live table outlives a wait of its own fibre alone. Others, and questions to the
 * store, know it by its number or id.
 */
#ifndef BOT_HALL_LIVE_LIVE_H
#define BOT_HALL_LIVE_LIVE_H

#include "bot/chat_impl.h"
#include "bot/chat_queue.h"
#include "bot/errand.h"
#include "bot/hall/hall.h"
#include "bot/hall/hall_limits.h"
#include "bot/hall/live/due_heap.h"
#include "bot/hall/live/keyed_map.h"
#include "bot/parse/parse.h"
#include "bot/parse/verb.h"
#include "bot/table/library.h"
#include "bot/table/person_name.h"
#include "bot/table/workspace.h"
#include "bot/text/text.h"

enum {
    HALL_NETWORKS_SIZE = 2 + HALL_CHATS_MAX * (PERSON_NETWORK_SIZE + 1),
    HALL_KEY_SIZE = PERSON_NETWORK_SIZE + CHAT_ID_SIZE + 1,
    HALL_SENT_BUCKETS = 4096,
    HALL_SENTENCE_SIZE = 1024,
    HALL_BOARD_HAND =
        1 + TABLE_SITES_MAX, /* boards: cards by site, then hands by seat; 0 is none; */
    HALL_BOARD_LINK = HALL_BOARD_HAND + MB_SEATS_MAX, /* and where a site came from */
    HALL_BOARDS_MAX = HALL_BOARD_LINK + TABLE_SITES_MAX
};

/** Whether a game goes on there; NULL: there is no table. */
static inline bool hall_is_live(const struct table *table)
{
    return table != NULL &&
           (table_state(table) == TABLE_RUNNING || table_state(table) == TABLE_PAUSED);
}

/** A line that waits. */
struct hall_line {
    struct hall_line *next;
    struct chat_in *in;
    int64_t heard_ms;  /* when it was taken from its chat, now_ms */
    const char *words; /* in `in` or in `pressed`: hall_line_set_words() sets them */
    /* What they ask for, as far as that can be told without a table; of what cannot be understood
     * without one REQUEST_GAME, but `begins` is the command that it begins with, or NULL. */
    enum request_kind kind;
    const struct verb_entry *begins;
    bool optioned; /* of `new`: it names options */
    uint8_t noise; /* enum verb_noise, known as soon as it is heard */
    uint8_t chat;
    bool chooses;        /* "at 2": what they say in private goes to this table from now on */
    bool resumes;        /* of a table that lies nowhere: it may come here */
    bool links;          /* "link CODE": the code is right */
    bool strays;         /* said in another place of the community that the speaker's table is in */
    struct mb_pool copy; /* of news: `in` and its words; nobody waits for it to be settled */
    struct table *last;  /* "new": the game elsewhere that it would play once more; its own */
    struct hall_tour *tour; /* it asks for its speaker's tables, and comes to each; its own */
    bool heard;             /* its event is noted, its tokens are taken: it has been begun before */
    char sits_at[CHAT_TABLE_SIZE]; /* its speaker, and a game goes on there; or "" */
    char home[CHAT_ID_SIZE];       /* where that table is for its speaker, who sits at it; or "" */
    bool outside;                  /* nobody who sits there: the answer holds nothing private */
    bool own; /* pressed on a message of the presser's own: the answer makes that anew ... */
    char leads[CHAT_PATH_SIZE];   /* ... as this page */
    char pressed[CHAT_LINE_SIZE]; /* what the control that was pressed says */
};

struct hall_lines {
    struct hall_line *first, **end; /* end: NULL while all zero */
    unsigned count;
};

/** A place in which tables were opened, by its keyed hash. */
struct hall_noisy {
    uint64_t place;
    struct rate_bucket opened, opened_today;
};

/** Somebody who has spoken. Events are keyed hashes of the latest; 0 is none. */
struct hall_person {
    char *key;                   /* network and id */
    char name[PERSON_NAME_SIZE]; /* as a table would call them */
    uint8_t event_at;
    struct rate_bucket bucket, noise[NOISE_TOTAL];
    struct rate_bucket opened_today; /* tables */
    struct rate_bucket barred;       /* sentences that they are not heard */
    int64_t told_today_ms;           /* until when they know that enough tables were opened */
    int64_t told_ms[NOISE_TOTAL];    /* until when they know that a table has had too much of it */
    uint64_t events[HALL_EVENTS_OF_PERSON];
    struct hall_lines lines; /* said in private, until it is known where they go */
    uint64_t ticket;         /* of the question where they sit, or 0 */
    int64_t ask_ms;          /* when to ask (again) */
    int64_t seek_ms;         /* their chat is not asked before whether they are still there */
    int64_t recall_ms;       /* until then they call nobody to play once more */
    uint32_t newer, older;   /* by when they spoke last */
};

enum hall_sending {
    HALL_WAITS, /* to be sent, first or again */
    HALL_SENT,  /* its outcome will come */
    HALL_TOLD   /* its outcome has come; the store is to know */
};

/** A message on its way out. */
struct hall_message {
    struct said *said;                /* holds the words of `out`, `network` and `reader` */
    struct chat_out out;              /* what is said; `replaces` of what parts alone */
    struct hall_message *next;        /* of the table, in their order */
    struct hall_message *next_of_key; /* in the hall's list of what was sent */
    const char *network;
    const char *reader; /* network and person, or place: hall_message_make() puts it together */
    enum hall_sending state;
    uint8_t board;     /* HALL_BOARD_*, 0 for none */
    uint8_t beside;    /* of a reply: the board that it makes anew where it was pressed, or 0 */
    uint8_t calls;     /* of a board: bits of the seats that it calls (out.pings of all else) */
    uint8_t inherited; /* the same: whom older forms that waited at the step were to call */
    bool made;         /* of a board: its text is there, of the table as it stands */
    bool narrates;     /* says the narration of its step, whole */
    bool starts;       /* says who starts a game: cards are dealt by its id */
    bool parts;        /* takes the place of a hand (`beside`, by its number or its reader) that is
                        * shown to its reader no more; where there is none it says nothing */
    bool loose;        /* the store does not know it */
    uint8_t forget;    /* of HALL_TOLD: the board that it was to replace is gone; or 0 */
    uint32_t table;    /* the live table's number */
    uint64_t ticket;
    int64_t heard_ms; /* when the line was heard that it came of, now_ms; 0: of none */
    int64_t post_ms;  /* since when it is on its way out, now_ms */
    int64_t ask_ms;   /* of HALL_TOLD: when to tell the store (again) */
    char *id;         /* of HALL_TOLD: the platform's, allocated; or NULL */
    char *told;       /* of HALL_SENT: the story that was sent, allocated; or NULL */
};

struct hall_board {
    char *reader, *id; /* a message's; NULL: none is known */
    char *story;       /* that it tells; NULL: not known */
};

/** A step from its deed to its commit. */
struct hall_step {
    struct deed deed;
    struct hall_line *line; /* what is said (DEED_LINE), or news; the step's own. NULL: the hall's
                             * own doing */
    unsigned asker;         /* the seat of who speaks, before the deed */
    bool aside; /* nothing of the table changes, and its commit is one of directories alone */
    bool without_sits; /* somebody got a seat who sits at too many tables already */
    unsigned reshow_sites, reshow_seats; /* bits of the table's that it has dealt with */
    int64_t base_ms;                     /* when it happened */
    struct table *renewed; /* a new game where one is over: the table under a new name */
    uint8_t chance[TABLE_CHANCE_SIZE];
    struct chat_key id;            /* the same in every attempt */
    struct hall_message *messages; /* what is said once it is committed */
    char *story;                   /* of the turn, once it is; or NULL */
    struct hall_step *next_free;
    struct table_outcome outcome; /* last: its memory serves the next step, all else is emptied */
};

/** What a table's fibre waits for. A table that is not READY is not dropped. */
enum hall_state {
    HALL_READY,    /* nothing: it has no fibre */
    HALL_FETCHING, /* the store, which is to find or load the table */
    HALL_DECIDING, /* other tables' turns: bot players go on */
    HALL_ASKING    /* the store, for a step, or to see whether the table is as it is here */
};

struct hall_place {
    char *network, *place;
};

/** What is away: a network, or a community in it, by hall_key(). */
struct hall_away {
    char *key;
    int64_t ms; /* since when, in store time */
};

struct hall_aways {
    struct hall_away *list;
    size_t count;
    struct keyed_map map; /* by key: its place in the list */
};

/** What a chat has told of that, and the store does not know yet. */
struct hall_stand {
    struct hall_stand *next;
    struct chat_in *in; /* to be settled then; or NULL */
    int64_t ms;         /* when it was told */
    uint8_t chat;
    bool back;
    char communities[]; /* a blank between; "" : the network */
};

struct hall_table {
    uint32_t index; /* in hall.tables and in the heap */
    enum hall_state state;
    char id[TABLE_ID_SIZE]; /* "" : there is none yet */
    /* Where it was asked for, or lies: found by each of them; the first is NULL if it was asked for
     * by its id. */
    struct hall_place places[TABLE_SITES_MAX];
    char *community;     /* whose statistics its games go into; or NULL */
    struct table *table; /* the value; NULL: not fetched */
    char *unreadable;    /* why the value cannot be read; `table` stands in for it: `new` takes its
                          * place, nothing else is heard. Else NULL */
    uint64_t version, stamp;
    uint64_t stored;  /* the version that was fetched last, if it could be read or not */
    int64_t since_ms; /* since when its time runs, STORE_NEVER: it stands */
    int64_t heard_ms; /* when somebody last said something */
    struct hall_lines lines;
    const struct deed_table *open; /* what is to be opened here, or NULL */
    const uint8_t *open_chance;
    struct hall_step *step;
    struct fibre *fibre;         /* of what is under way, or NULL */
    uint64_t ticket;             /* of the one question that is open, or 0 */
    int64_t ask_ms;              /* when that is asked (again), or STORE_NEVER */
    struct store_answer *answer; /* that has come, and the fibre takes */
    unsigned reshow_sites, reshow_seats, unreachable; /* bits */
    enum table_shut shut; /* how its place has turned out to be; SHUT_NO: nothing is new */
    bool queued;          /* in the list of those with work */
    bool posting;         /* its messages are being sent */
    bool held;      /* this process sends what it says and sees to it, if several serve the store */
    bool doubt;     /* it may be another by now: it is looked at before anything is said there */
    bool astray;    /* another process shows a board of it, and where is not known here */
    bool look;      /* its time is to be looked at as soon as it is ready */
    bool stale;     /* it is to be found or loaded before anything else */
    bool returned;  /* its network was away: what its clocks show has moved */
    bool told_away; /* that the bot was away was said there, and nothing new has been since */
    uint8_t missed; /* how often the store named it here and had none of that name */
    bool stuck;     /* it cannot be written down; nothing happens by itself until somebody speaks */
    bool unset;     /* when to look at it next is to be found out */
    struct hall_table *next_work, *next_unset;
    struct hall_table *newer, *older; /* by use */
    struct rate_bucket players, others;
    struct rate_bucket noise[2][NOISE_TOTAL]; /* of those who do not play, of those who do */
    uint8_t event_at;
    uint64_t events[HALL_EVENTS_OF_TABLE];
    struct hall_message *unsent, **unsent_end;
    unsigned lost; /* messages given up, to be owned up to */
    char *story;   /* of the turn as of `story_version`, where it is told by cards; NULL: nothing */
    uint64_t story_version; /* 0: it is not known */
    int64_t room_ms;        /* so long a room is waited for; 0: none is */
    int64_t silent_ms;      /* when its other site is told of one that is away, or back; or 0 */
    unsigned silent;        /* bits of the sites of which it was told */
    unsigned shut_site;     /* of `shut`: which, or as many as there are */
    int64_t reach_ms, reach_look_ms; /* the same for people; when to look again, or 0 */
    int64_t retry_ms, retry_wait_ms; /* when next, and how long after that; 0: nothing waits */
    struct hall_board boards[HALL_BOARDS_MAX];
};

/** Card files of a commit. */
struct hall_cards {
    struct store_card cards[TABLE_SETS_MAX];
    char words[TABLE_SETS_MAX][DIGEST_HEX_SIZE];
};

enum hall_ask_of {
    HALL_ASK_NONE,
    HALL_ASK_TABLE,
    HALL_ASK_PERSON,
    HALL_ASK_MESSAGE,
    HALL_ASK_KEEP,
    HALL_ASK_HALL
};

/** Whose question a ticket is. */
struct hall_ask {
    uint64_t ticket;
    enum hall_ask_of of;
    uint32_t index;      /* table or person */
    struct chat_key key; /* message */
};

struct hall_keep;
struct hall_sleeper;

struct hall {
    struct library *library;
    struct table_workspace *workspace;
    struct store *store;
    int64_t (*wall_s)(void *user);
    void *wall_user;
    void (*note)(void *user, const struct hall_note *note);
    void *note_user;
    bool library_is_lent;
    bool alone;
    bool shared;   /* other processes may serve the store, as it was last asked */
    bool suspects; /* what it holds may be another process's by now: nothing is sent */
    uint32_t held_count;
    unsigned speaks; /* bits of `chats`: those that it speaks in, of those where one process may */
    bool fails;      /* the store did at last, so that store time stands */
    const struct hall_policy *policy;
    unsigned pieces,
        pieces_left; /* of work in one call, 0: all there is; what this one may still do */
    struct chat *chats[HALL_CHATS_MAX];
    unsigned chat_count;
    struct table *nowhere; /* answers where there is no table */
    struct table_outcome aside;
    struct hall_table **tables; /* by index; NULL: free */
    uint32_t table_count, table_capacity, table_next;
    struct hall_table *newest, *oldest;
    struct hall_table *work, **work_end;
    struct hall_table
        *turn; /* the table that has its turn, or NULL: it is not dropped for others */
    struct hall_table *unset; /* when they are to be looked at may have changed */
    struct hall_person **people;
    uint32_t people_count, people_capacity, people_next;
    uint32_t newest_person, oldest_person;
    struct keyed_map place_map, person_map, id_map;
    struct due_heap due;
    struct hall_ask *asks;
    struct hall_message *sent[HALL_SENT_BUCKETS];
    struct hall_step *free_steps;
    int64_t now_ms, until_ms; /* how far time has passed here, and how far it was told to */
    int64_t stood_ms;         /* so far is store time, and that of tables, behind: hall_time() */
    uint64_t epoch;           /* 0: the store has not said hello yet */
    uint64_t numbers;         /* of steps and messages */
    int64_t hello_ms, beat_ms, store_due_ms;
    int64_t beaten_ms;   /* when the beat was asked that is not answered yet ... */
    int64_t alive_ms;    /* ... and the last one that was */
    int64_t restored_ms; /* since 1970; 0: the store was never a backup */
    int64_t watch_ms;
    uint64_t hello_ticket, due_ticket, beat_ticket, watch_ticket, words_ticket[HALL_CHATS_MAX];
    int64_t round_ms;                     /* up to when what is due is asked for ... */
    char page[TABLE_ID_SIZE];             /* ... behind this table; "": from the first on */
    int64_t direct_ms;                    /* when to ask where people sit again */
    struct hall_keep *keeps, **keeps_end; /* what adapters keep or read, the oldest first */
    void (*forget)(void *user, const char *network, const char *person);
    void *forget_user;
    struct fibres *fibres, *gone_fibres;    /* gone: one for each community that put us out */
    struct fibres *table_fibres;            /* one at most for each live table */
    struct hall_sleeper *sleepers;          /* fibres that wait for now_ms */
    struct errands gone[HALL_CHATS_MAX];    /* communities that have put us out */
    struct errands forgets[HALL_CHATS_MAX]; /* people who want to be forgotten */
    const struct errand *rewriting;         /* of these: for whom the host rewrites the store */
    bool rewritten;                         /* it has, at last */
    unsigned links;                         /* lines with codes that wait for the store */
    struct hall_aways aways;                /* as the store has it, and what it is to hear */
    struct hall_stand *stands, **stands_end;
    uint64_t stand_ticket;
    int64_t stand_ms;                /* when the first of them is told to the store (again) */
    int64_t stood_at_ms;             /* by what time it was told */
    unsigned stand_turn, beat_turn;  /* counts them; what it was when the last beat was asked */
    unsigned linked, lost;           /* bits of `chats`: which have told what they are now */
    int64_t back_ms[HALL_CHATS_MAX]; /* when something there was back, or 0 */
    int64_t ahead_ms;                /* so far the next round looks ahead */
    unsigned char *scratch;          /* what a commit is written into */
    size_t scratch_size;
    bool greeted; /* tables with unsent messages were asked for */
    uint8_t secret[KEYED_SECRET_SIZE];
    struct hall_stats stats;
    struct hall_noisy noisy[HALL_NOISY_MAX]; /* by hash; another place takes it over */
    struct rate_bucket unreadable;           /* tables whose damage the operator is told of */
    char text[HALL_TEXT_MAX];
};

/** Store time: what tables, the store and everything in it go by. What is tried again and who is
 * rationed goes by now_ms, which passes while the store fails, too. */
static inline int64_t hall_time(const struct hall *hall)
{
    return hall->now_ms - hall->stood_ms;
}

typedef void hall_work_fn(struct fibre *fibre, struct hall *hall, struct hall_table *table);

/** Whether it answers a line, and so is sent where that was heard. */
static inline bool hall_is_answer(const struct hall_message *message)
{
    return message->out.kind == CHAT_REPLY;
}

/* live.c */
/** A live table that must be found or loaded before anything else. */
struct hall_table *hall_table_make(struct hall *hall);
/** Removes the table from all lists and maps. */
void hall_table_unlink(struct hall *hall, struct hall_table *table);
/** Writes network and id as one key. */
void hall_key(char out[HALL_KEY_SIZE], const char *network, const char *id);
/** The live table at a place, or NULL. */
struct hall_table *hall_table_at(const struct hall *hall, const char *network, const char *place);
struct hall_table *hall_table_by_id(const struct hall *hall, const char *id);
/** Gives the table this id, by which it is found. */
void hall_table_name(struct hall *hall, struct hall_table *table, const char *id);
/** Adds a place by which the table is found. False: it has as many as it can have. */
bool hall_table_place(struct hall *hall, struct hall_table *table, const char *network,
                      const char *place);
/** Forgets all places of the table. */
void hall_table_leave(struct hall *hall, struct hall_table *table);
/** Makes it the table that was used last. */
void hall_table_used(struct hall *hall, struct hall_table *table);
/** Whether the table lies at that place. */
bool hall_is_site(const struct table *table, const char *network, const char *place);
/** The number of the table's site there; as many as it has: none. */
unsigned hall_site_of(const struct table *table, const char *network, const char *place);
/** Another process has changed the table in the store. At rest it is loaded again; otherwise its
 * commit finds out. */
void hall_table_refresh(struct hall *hall, struct hall_table *table);
/** How many places the table lies at: none if its place is gone. */
unsigned hall_sites(const struct table *table);
/** The table has something to do: it gets a turn. */
void hall_table_work(struct hall *hall, struct hall_table *table);
struct chat *hall_chat(const struct hall *hall, const char *network);
/** Finds the live table at each place that its value names. */
void hall_table_lie(struct hall *hall, struct hall_table *table);

/* lines.c */
void hall_lines_add(struct hall_lines *lines, struct hall_line *line);
struct hall_line *hall_lines_take(struct hall_lines *lines);
void hall_line_end(struct hall *hall, struct hall_line *line);
/** The line says that from now on: it is read once, here. `words` must outlive the line. */
void hall_line_set_words(struct hall *hall, struct hall_line *line, const char *words);
struct person hall_speaker(const struct hall *hall, const struct hall_line *line);
/** "at 2 kick": the number of one of the person's tables; `rest` is what is said to it. 0: no "at".
 */
unsigned hall_at_number(const char *line, const char **rest);

/* people.c */
/** The person who speaks, made if need be. */
uint32_t hall_person_of(struct hall *hall, const char *network, const struct chat_in *in);
/** Whether the speaker has called others to play again within HALL_RECALL_MS. `now`: they do so
 * now. */
bool hall_person_recalls(struct hall *hall, const struct hall_line *line, bool now);
/** Whether the event was heard before. It is remembered. */
bool hall_event_seen(const struct hall *hall, uint64_t *events, uint8_t *at, unsigned count,
                     const struct hall_line *line);
/** Writes the line's event as the store knows it; "": it has none. */
void hall_event_key(const struct hall *hall, const struct hall_line *line, char out[HALL_KEY_SIZE]);
void hall_people_finish(struct hall *hall);

/* time.c */
/** Since when a network ("" : all of it) or a community of it is away, by that list; STORE_NEVER.
 */
int64_t hall_aways_since(const struct hall_aways *aways, const char *network,
                         const char *community);
/** Since when something in the list keeps a table's time standing: of two networks one that
 * somebody is waited for on, or either while nobody is. */
int64_t hall_aways_ms(const struct hall_aways *aways, const struct hall_table *table);
/** Puts all tables that were scheduled into the heap. A line schedules its table many times;
 * only how it stands in the end counts. */
void hall_set_all_due(struct hall *hall);
/** The table is not held here: what falls due at it is asked of the store. */
void hall_leave_to_store(struct hall *hall, const struct hall_table *table);
/** The earlier of two times; STORE_NEVER is later than any. */
int64_t hall_earlier(int64_t a, int64_t b);
/** The time at which the table is to be looked at may have changed. */
void hall_schedule(struct hall *hall, struct hall_table *table);
/** The table is not looked at until it is scheduled again. */
void hall_unschedule(struct hall *hall, struct hall_table *table);
/** Time that has passed at a table since its clocks were last counted. It can be negative by
 * less than a beat after another process has died. */
int64_t hall_passed_ms(const struct hall *hall, const struct hall_table *table);
/** Since when a table's time runs that runs from now on; STORE_NEVER in its quiet hours. */
int64_t hall_since_ms(const struct hall *hall, const struct table *table);
/** When the table is closed if nobody speaks, or STORE_NEVER. */
int64_t hall_close_ms(const struct hall *hall, const struct hall_table *live,
                      const struct table *table);
/** When the table is to be looked at whatever its clocks say, or STORE_NEVER. */
int64_t hall_until_ms(const struct hall *hall, const struct hall_table *live,
                      const struct table *table);
/** When somebody last spoke at a table, worked out from hall_until_ms(). */
int64_t hall_heard_ms(const struct hall *hall, const struct table *table, int64_t until_ms);
/** Whether nobody plays at it. */
bool hall_rests(const struct hall *hall, const struct table *table);
/** Whether time passes at it: people play, or sit in front of it. */
bool hall_plays(const struct hall *hall, const struct table *table);
/** Whether bot players have the next move. */
bool hall_goes_on(const struct hall *hall, const struct table *table);
/** Bits of the sites that cannot be heard. */
unsigned hall_away_sites(const struct hall *hall, const struct hall_table *table);
/** Since when the table's time stands because it cannot be heard, or STORE_NEVER. */
int64_t hall_away_ms(const struct hall *hall, const struct hall_table *table);
/** Whether nobody may be called now, by the wall clock too: the table learns of its quiet hours
 * by a step of its own. */
bool hall_is_quiet(const struct hall *hall, const struct table *table);
/** Whether the table's quiet hours begin or end now. */
bool hall_quiet_changes(const struct hall *hall, const struct table *table);

/* ask.c */
/** An answer for a table has come: its fibre goes on. Takes the answer. */
void hall_table_answered(struct hall *hall, struct hall_table *table, struct store_answer *answer);
/** Wakes the fibres whose time has come (hall_sleep()). */
void hall_wake_sleepers(const struct hall *hall);
/** When the next of them is due, or STORE_NEVER. */
int64_t hall_sleepers_ms(const struct hall *hall);
/** The store did not do what it was asked: store time stands until it answers again. */
void hall_store_fails(struct hall *hall);
/** Asks the store. False: it takes no question now; ask again later. */
bool hall_ask(struct hall *hall, const struct store_request *request, struct hall_ask ask,
              uint64_t *ticket);
/** Runs this on a fibre of the table's. The table must have none. */
void hall_table_run(struct hall *hall, struct hall_table *table, hall_work_fn *run);
/** Asks a question about the table once. `*answer`: the caller's; NULL: it failed (table->ticket
 * is 0) or did not come in time. False: the hall stops. */
MB_MUST_CHECK
bool hall_table_ask(struct fibre *fibre, struct hall *hall, struct hall_table *table,
                    const struct store_request *request, struct store_answer **answer);
/** Asks until there is an answer, the caller's. NULL: the hall stops. */
MB_MUST_CHECK
struct store_answer *hall_table_await(struct fibre *fibre, struct hall *hall,
                                      struct hall_table *table,
                                      const struct store_request *request);
/** Lets other tables have their turn. False: the hall stops. */
MB_MUST_CHECK
bool hall_table_rest(struct fibre *fibre, struct hall *hall, struct hall_table *table);
/** Waits until that time (now_ms), or until it is woken when `*enough` (or NULL) is true. False:
 * the hall stops. */
MB_MUST_CHECK
bool hall_sleep(struct fibre *fibre, struct hall *hall, int64_t until_ms, const bool *enough);

/* lease.c */
/** Whether the store has heard of this process within half a lease. The other half is for
 * messages on their way. */
bool hall_is_alive(const struct hall *hall);
unsigned hall_chat_index(const struct hall *hall, const struct chat *chat);
/** Whether this process does what happens by itself at the table. */
bool hall_acts(const struct hall *hall, const struct hall_table *table);
/** Whether this process sends what a table with these places says, if no other one does. */
bool hall_serves(const struct hall *hall, const struct table *table);
/** Whether this process speaks in the chat. */
bool hall_speaks_in(const struct hall *hall, const struct chat *chat);
/** Whether this process sends the message. */
bool hall_may_send(const struct hall *hall, const struct hall_table *table,
                   const struct hall_message *message);
/** The networks in which this process speaks: " a b ". */
void hall_networks(const struct hall *hall, char out[HALL_NETWORKS_SIZE]);

#endif
