/*
 * Inside of the hall: for bot/hall/ only.
 *
 * hall.c holds the live tables; hall_people.c who is known; hall_hear.c what is said and where it
 * goes; hall_step.c a step, from a deed to its outcome; hall_commit.c an outcome on its way into
 * the store; hall_store.c questions to the store and their answers; hall_fetch.c tables that come
 * out of it; hall_speak.c what tables say, hall_message.c messages as bytes, hall_post.c the way
 * out and back; hall_clock.c time; hall_chance.c chance.
 *
 * No pointer to a live table outlives a wait: questions to the store know it by its number and the
 * ticket of the question.
 */
#ifndef BOT_HALL_HALL_IMPL_H
#define BOT_HALL_HALL_IMPL_H

#include "bot/chat_queue.h"
#include "bot/hall/due_heap.h"
#include "bot/hall/hall.h"
#include "bot/hall/hall_limits.h"
#include "bot/hall/keyed_map.h"
#include "bot/parse/parse.h"
#include "bot/table/library.h"
#include "bot/table/person_name.h"
#include "bot/table/workspace.h"
#include "bot/text/text.h"

enum {
    HALL_KEY_SIZE = PERSON_NETWORK_SIZE + CHAT_ID_SIZE + 1,
    HALL_SENT_BUCKETS = 4096,
    HALL_BOARD_HAND =
        1 + TABLE_SITES_MAX, /* boards: cards by site, then hands by seat; 0 is none */
    HALL_BOARDS_MAX = HALL_BOARD_HAND + MB_SEATS_MAX
};

/** A line that waits; `words` is in it, behind what the hall has read of it. */
struct hall_line {
    struct hall_line *next;
    struct chat_in *in;
    const char *words;
    uint8_t chat;
    bool heard; /* its event is noted, its tokens are taken: it has been begun before */
};

struct hall_lines {
    struct hall_line *first, **end; /* end: NULL while all zero */
    unsigned count;
};

/** Somebody who has spoken. Events are keyed hashes of the latest; 0 is none. */
struct hall_person {
    char *key;                   /* network and id */
    char name[PERSON_NAME_SIZE]; /* as a table would call them */
    uint8_t event_at;
    struct rate_bucket bucket;
    uint64_t events[HALL_EVENTS_OF_PERSON];
    struct hall_lines lines; /* said in private, until it is known where they go */
    uint64_t ticket;         /* of the question where they sit, or 0 */
    int64_t ask_ms;          /* when to ask (again) */
    uint32_t newer, older;   /* by when they spoke last */
};

enum hall_sending {
    HALL_WAITS, /* to be sent, first or again */
    HALL_SENT,  /* its outcome will come */
    HALL_TOLD   /* its outcome has come; the store is to know */
};

/** A message on its way out; its words lie behind it. */
struct hall_message {
    struct hall_message *next;        /* of the table, in their order */
    struct hall_message *next_of_key; /* in the hall's list of what was sent */
    struct chat_key key;
    enum hall_sending state;
    uint8_t kind;   /* enum chat_kind */
    uint8_t board;  /* HALL_BOARD_*, 0 for none */
    bool loose;     /* the store does not know it */
    bool forget;    /* of HALL_TOLD: what it was to replace is gone */
    uint32_t table; /* the live table's number */
    uint64_t ticket;
    int64_t ask_ms; /* of HALL_TOLD: when to tell the store (again) */
    char *id;       /* of HALL_TOLD: the platform's, allocated; or NULL */
    struct chat_bond bond;
    const char *network, *place, *person, *event, *text; /* "" : none */
    const char *pings[MB_SEATS_MAX], *asked[MB_SEATS_MAX];
    size_t ping_count, asked_count, control_count;
    int64_t clock_ms;
    bool idle;
    struct chat_control *controls;
};

struct hall_board {
    char *reader, *id; /* NULL: none is known */
};

/** What a step came from. */
enum hall_deed {
    HALL_OPEN, /* a whole table is opened */
    HALL_LINE,
    HALL_TIME,        /* something falls due, or boards are to be shown again */
    HALL_UNREACHABLE, /* what is private does not reach a person */
    HALL_CLOSE        /* nobody has spoken for too long */
};

/** A step from its deed to its commit. */
struct hall_step {
    enum hall_deed deed;
    struct hall_line *line;        /* of HALL_LINE, the step's own */
    const struct deed_table *open; /* of HALL_OPEN */
    unsigned seat;                 /* of HALL_UNREACHABLE */
    bool at_site;                  /* the line was said where the table lies */
    unsigned asker;                /* the seat of who speaks, before the deed */
    unsigned attempts, moves;
    unsigned fetch;    /* bits of enum table_fetch that are still to come */
    bool goes_on;      /* bot players have the next move */
    bool without_sits; /* somebody got a seat who sits at too many tables already */
    unsigned reshow_sites, reshow_seats; /* bits of the table's that it has dealt with */
    int64_t passed_ms;                   /* that the deed has brought */
    int64_t base_ms;                     /* when it happened */
    struct deed_fetched fetched;
    struct store_answer *answers[3]; /* that `fetched` points into */
    struct table *renewed;           /* a new game where one is over: the table under a new name */
    uint8_t chance[TABLE_CHANCE_SIZE];
    struct chat_key id; /* the same in every attempt */
    struct table_outcome outcome;
    struct hall_message *messages; /* what is said once it is committed */
    struct hall_step *next_free;
};

enum hall_state {
    HALL_FINDING,    /* which table is at the place? */
    HALL_FETCHING,   /* the table is being loaded */
    HALL_READY,      /* nothing is under way */
    HALL_DECIDING,   /* a step is: bot players go on */
    HALL_ASKING,     /* a step waits for the log, statistics or an earlier version */
    HALL_COMMITTING, /* a step waits for its commit */
    HALL_CHECKING    /* the same: its answer was lost, and it is asked for */
};

struct hall_table {
    uint32_t index; /* in hall.tables and in the heap */
    enum hall_state state;
    char id[TABLE_ID_SIZE]; /* "" : there is none yet */
    char *network, *place;  /* where it was asked for, or lies; NULL: asked for by its id */
    char *community;        /* whose statistics its games go into; or NULL */
    struct table *table;    /* the value; NULL: not fetched */
    uint64_t version, stamp;
    int64_t since_ms; /* since when its time runs, STORE_NEVER: it stands */
    int64_t heard_ms; /* when somebody last said something */
    struct hall_lines lines;
    const struct deed_table *open; /* what is to be opened here, or NULL */
    const uint8_t *open_chance;
    struct hall_step *step;
    uint64_t ticket; /* of the one question that is open, or 0 */
    int64_t ask_ms;  /* when that is asked (again), or STORE_NEVER */
    unsigned reshow_sites, reshow_seats, unreachable; /* bits */
    bool queued;                                      /* in the list of those with work */
    bool posting;                                     /* its messages are being sent */
    bool look; /* its time is to be looked at as soon as it is ready */
    struct hall_table *next_work;
    struct hall_table *newer, *older; /* by use */
    struct rate_bucket players, others;
    uint8_t event_at;
    uint64_t events[HALL_EVENTS_OF_TABLE];
    struct hall_message *unsent, **unsent_end;
    unsigned lost;                   /* messages given up, to be owned up to */
    int64_t retry_ms, retry_wait_ms; /* when next, and how long after that; 0: nothing waits */
    struct hall_board boards[HALL_BOARDS_MAX];
};

enum hall_ask_of {
    HALL_ASK_NONE,
    HALL_ASK_TABLE,
    HALL_ASK_PERSON,
    HALL_ASK_MESSAGE,
    HALL_ASK_HALL
};

/** Whose question a ticket is. */
struct hall_ask {
    uint64_t ticket;
    enum hall_ask_of of;
    uint32_t index;      /* table or person */
    struct chat_key key; /* message */
};

struct hall {
    struct library *library;
    struct table_workspace *workspace;
    struct store *store;
    struct rate_rule person_rule, place_rule;
    struct chat *chats[HALL_CHATS_MAX];
    unsigned chat_count;
    struct table *nowhere; /* answers where there is no table */
    struct table_outcome aside;
    struct hall_table **tables; /* by index; NULL: free */
    uint32_t table_count, table_capacity, table_next;
    struct hall_table *newest, *oldest;
    struct hall_table *work, **work_end;
    struct hall_person **people;
    uint32_t people_count, people_capacity, people_next;
    uint32_t newest_person, oldest_person;
    struct keyed_map place_map, person_map, id_map;
    struct due_heap due;
    struct hall_ask *asks;
    struct hall_message *sent[HALL_SENT_BUCKETS];
    struct hall_step *free_steps;
    int64_t now_ms, until_ms; /* store time: how far it has passed, and how far it was told to */
    uint64_t epoch;           /* 0: the store has not said hello yet */
    uint64_t numbers;         /* of steps and messages */
    int64_t hello_ms, beat_ms, store_due_ms;
    uint64_t hello_ticket, due_ticket;
    int64_t round_ms;         /* up to when what is due is asked for ... */
    char page[TABLE_ID_SIZE]; /* ... behind this table; "": from the first on */
    int64_t direct_ms;        /* when to ask where people sit again */
    unsigned char *scratch;   /* what a commit is written into */
    size_t scratch_size;
    bool greeted; /* tables with unsent messages were asked for */
    uint8_t secret[KEYED_SECRET_SIZE];
    struct hall_stats stats;
    char text[HALL_TEXT_MAX];
};

/* hall.c */
void hall_key(char out[HALL_KEY_SIZE], const char *network, const char *id);
/** The live table at a place, or being asked for; NULL. */
struct hall_table *hall_table_at(const struct hall *hall, const char *network, const char *place);
struct hall_table *hall_table_by_id(const struct hall *hall, const char *id);
/** One that is to be found (by place) or fetched (by id); NULL without memory or room. */
struct hall_table *hall_table_find(struct hall *hall, const char *network, const char *place);
struct hall_table *hall_table_fetch(struct hall *hall, const char *id);
/** It has this id, from now on found by it; false without memory. */
bool hall_table_name(struct hall *hall, struct hall_table *table, const char *id);
/** It lies there, from now on found by it; false without memory. */
bool hall_table_place(struct hall *hall, struct hall_table *table, const char *network,
                      const char *place);
/** Forgets a live table; what waits for it is dropped. */
void hall_table_drop(struct hall *hall, struct hall_table *table);
void hall_table_used(struct hall *hall, struct hall_table *table);
/** chat_complete_fn: from a live table. */
void hall_complete(void *user, struct chat *chat, const struct chat_in *in, size_t cursor,
                   struct complete_list *out);
bool hall_is_site(const struct table *table, const char *network, const char *place);
/** There is something to do at it. */
void hall_table_work(struct hall *hall, struct hall_table *table);
struct chat *hall_chat(const struct hall *hall, const char *network);
void hall_lines_add(struct hall_lines *lines, struct hall_line *line);
struct hall_line *hall_lines_take(struct hall_lines *lines);
/** The line is dealt with, whatever came of it. */
void hall_line_end(struct hall *hall, struct hall_line *line);

/* hall_people.c */
/** The person who speaks, made if need be; KEYED_NONE without memory. */
uint32_t hall_person_of(struct hall *hall, const char *network, const struct chat_in *in);
/** Whether the event was heard before; it is remembered. */
bool hall_event_seen(const struct hall *hall, uint64_t *events, uint8_t *at, unsigned count,
                     const char *event);
void hall_people_finish(struct hall *hall);

/* hall_hear.c */
/** What a line asks for, as far as that can be told without a table. */
enum request_kind hall_kind_of(struct hall *hall, const char *words);
struct person hall_speaker(const struct hall *hall, const struct hall_line *line);
void hall_answer_nowhere(struct hall *hall, const struct hall_line *line);
/** A line said in private goes to a table of its person, or is answered. */
void hall_direct(struct hall *hall, uint32_t index, const struct store_answer *sittings);
/** Asks where a person sits whose lines wait. */
void hall_direct_ask(struct hall *hall, uint32_t index);
/** One line of a chat; false if it has none. */
bool hall_hear_one(struct hall *hall, unsigned chat);
/** A line goes into a table's queue. */
void hall_enqueue(struct hall *hall, struct hall_table *table, struct hall_line *line);

/* hall_step.c */
/** Does one thing at a table that has work. */
void hall_table_go_on(struct hall *hall, struct hall_table *table);
/** What is fetched for a step has come. */
void hall_step_fetched(struct hall *hall, struct hall_table *table, struct store_answer *answer);
/** Asks the store for what the step waits for. */
void hall_step_ask(struct hall *hall, struct hall_table *table);
/** The step is over; its line is dealt with. */
void hall_step_end(struct hall *hall, struct hall_table *table);
/** The same, and nothing follows. */
void hall_step_drop(struct hall *hall, struct hall_table *table);
/** The step is over, and its line waits again, before all others. */
void hall_step_give_back(struct hall *hall, struct hall_table *table);
/** The table was another: it is fetched, and the deed decided anew. */
void hall_step_again(struct hall *hall, struct hall_table *table);
/** Lines for a place where no table is. */
void hall_without_table(struct hall *hall, struct hall_table *table);
void hall_steps_finish(struct hall *hall);

/* hall_commit.c */
/** The outcome is complete: it goes to the store. */
void hall_commit(struct hall *hall, struct hall_table *table);
void hall_commit_ask(struct hall *hall, struct hall_table *table);
void hall_commit_answer(struct hall *hall, struct hall_table *table,
                        const struct store_answer *answer);
/** What was to be said is not said. */
void hall_commit_drop(struct hall_step *step);
/** A commit of directories alone: the store is told, nobody waits. */
void hall_commit_directories(struct hall *hall, struct store_commit *commit);

/* hall_store.c */
/** False: it is to be asked again. */
bool hall_ask(struct hall *hall, const struct store_request *request, struct hall_ask ask,
              uint64_t *ticket);
/** The table's question: asked now, and again when no answer comes. */
void hall_table_ask(struct hall *hall, struct hall_table *table,
                    const struct store_request *request);
/** Takes all answers; false if there was none. */
bool hall_take_answers(struct hall *hall);
/** Hello, beats, what falls due in the store. */
void hall_keep_up(struct hall *hall);
/** When that is next to be done, or STORE_NEVER. */
int64_t hall_keep_up_ms(const struct hall *hall);

/* hall_fetch.c */
void hall_find_ask(struct hall *hall, struct hall_table *table);
void hall_found(struct hall *hall, struct hall_table *table, const struct store_answer *answer);
void hall_load_ask(struct hall *hall, struct hall_table *table);
void hall_loaded(struct hall *hall, struct hall_table *table, const struct store_answer *answer);
/** An empty table with a name of its own; false without memory. */
bool hall_table_new(struct hall *hall, struct hall_table *table, const struct chat_in *in);

/* hall_chance.c */
/** The chance of a line at a table, the same in every attempt. */
void hall_chance(const struct hall *hall, const struct hall_table *table, const struct chat_in *in,
                 uint8_t out[TABLE_CHANCE_SIZE]);
/** The name of the table that a line opens, which no other has, nor anybody could guess. */
void hall_table_id(const struct hall *hall, const char *network, const struct chat_in *in,
                   char out[TABLE_ID_SIZE]);

/* hall_speak.c */
/** The messages of a step, to be sent when it is committed; false without memory. */
bool hall_step_messages(struct hall *hall, struct hall_table *table);
/** Sends the replies of an outcome that changes nothing. */
void hall_say_replies(struct hall *hall, const struct hall_line *line,
                      const struct message_list *said);
/** A sentence of the hall's own in answer to a line. */
void hall_answer(struct hall *hall, const struct hall_line *line, enum text_id id,
                 const struct text_arg *args);
/** `refusal` NULL: it is none. */
void hall_answer_text(struct hall *hall, const struct hall_line *line, const char *text,
                      const struct refusal *refusal);
/** The same to everybody at the place. */
void hall_answer_aloud(struct hall *hall, const struct hall_line *line, enum text_id id);
/** A sentence of the hall's own for everybody at a table. */
void hall_say(struct hall *hall, struct hall_table *table, enum text_id id,
              const struct text_arg *args);

/* hall_message.c */
/** A copy with its words; NULL without memory. */
struct hall_message *hall_message_make(const struct hall_message *words);
void hall_message_free(struct hall_message *message);
size_t hall_message_size(const struct hall_message *message);
/** Written for the store; the length, 0 if it does not fit. */
size_t hall_message_encode(const struct hall_message *message, unsigned char *out, size_t size);
/** NULL if the bytes are none, or without memory. */
struct hall_message *hall_message_decode(const unsigned char *bytes, size_t size);

/* hall_post.c */
struct chat_key hall_number(struct hall *hall);
/** The messages are the table's from now on, and go out. */
void hall_post(struct hall *hall, struct hall_table *table, struct hall_message *messages);
/** Sends what can go. */
void hall_table_post(struct hall *hall, struct hall_table *table);
/** Sends what belongs to no table; given up if it fails. */
void hall_post_loose(struct hall *hall, struct chat *chat, const struct chat_out *out);
/** Tries again what is due, and tells the store of outcomes. */
void hall_post_again(struct hall *hall, struct hall_table *table);
/** Where a board is shown, for the next edit; without memory it is posted anew. */
void hall_keep_board(struct hall_board *board, const char *reader, const char *id);
/** Boards are posted anew. */
void hall_forget_boards(struct hall_table *table);
/** Whether anything is still to be said to everybody. */
bool hall_speaks_aloud(const struct hall_table *table);
void hall_outcome(void *user, struct chat *chat, const struct chat_outcome *outcome);
void hall_confirmed(struct hall *hall, struct chat_key key, const struct store_answer *answer);
/** When something of that is next to be done, or STORE_NEVER. */
int64_t hall_post_ms(const struct hall_table *table);
void hall_post_finish(struct hall *hall, struct hall_table *table);

/* hall_clock.c */
/** Notes when the table is to be looked at next. */
void hall_schedule(struct hall *hall, struct hall_table *table);
/** Time that has passed at a table since its time was last counted. */
int64_t hall_passed_ms(const struct hall *hall, const struct hall_table *table);
/** When its table is to be looked at whatever its own time, or STORE_NEVER. */
int64_t hall_until_ms(const struct hall *hall, const struct hall_table *live,
                      const struct table *table);
/** When somebody last spoke at a table that is looked at then. */
int64_t hall_heard_ms(const struct table *table, int64_t until_ms, int64_t now_ms);
/** Whether nobody plays at it. */
bool hall_rests(const struct hall *hall, const struct table *table);
/** Whether time passes at it: people play, or sit in front of it. */
bool hall_plays(const struct hall *hall, const struct table *table);
/** Whether bot players go on at once. */
bool hall_goes_on(const struct hall *hall, const struct table *table);
/** What is done as long as anything can be done without further answers. */
void hall_settle_down(struct hall *hall);

#endif
