/*
 * Inside of the hall: for bot/hall/ only.
 *
 * hall.c holds tables and places; hall_people.c who is known; hall_hear.c what is said and where
 * it goes; hall_guests.c who sits where; hall_speak.c what tables say, hall_board.c their cards and
 * hands; hall_post.c the way out; hall_clock.c time.
 */
#ifndef BOT_HALL_HALL_IMPL_H
#define BOT_HALL_HALL_IMPL_H

#include "bot/chat_queue.h"
#include "bot/hall/due_heap.h"
#include "bot/hall/hall.h"
#include "bot/hall/hall_limits.h"
#include "bot/hall/keyed_map.h"
#include "bot/session/session_workspace.h"
#include "bot/table/person_name.h"
#include "bot/text/text.h"

/** Text that grows. */
struct pile_of_text {
    char *at; /**< NULL while empty */
    size_t length, capacity;
};

/** Somebody who has spoken. Events are keyed hashes of the latest; 0 is none. */
struct hall_person {
    char id[CHAT_ID_SIZE];
    char name[PERSON_NAME_SIZE]; /**< as a table would call them */
    uint8_t chat;
    uint8_t event_at;
    uint8_t table_count;
    struct rate_bucket bucket;
    uint64_t events[HALL_EVENTS_OF_PERSON];
    uint32_t tables[HALL_TABLES_OF_PERSON]; /**< at which they sit now, oldest first */
    uint32_t chosen;                        /**< one of them, or KEYED_NONE */
    unsigned guest_count;                   /**< of tables that know them, left ones too */
    uint32_t newer, older;                  /**< among strangers, by when they spoke last */
};

/** Somebody whom a table knows: who sits there, or has left and may come back. */
struct hall_guest {
    bool used, sits, unreachable;
    uint32_t person;
    char name[PERSON_NAME_SIZE]; /**< the seat's */
    struct pile_of_text news;    /**< what only they learnt since they last acted */
    uint64_t hand_key;           /**< of the moment at which the hand was last looked at */
    uint64_t hand_moves;         /**< of what it was made of then */
    uint64_t hand_hash;          /**< of what was shown */
    uint32_t hand_version;
};

/** A message that waits to be tried again; cards and hands are made anew instead. */
struct hall_unsent {
    struct hall_unsent *next;
    enum chat_kind kind;
    char place[CHAT_ID_SIZE], person[CHAT_ID_SIZE], event[CHAT_ID_SIZE];
    unsigned pings;
    char *text;
};

struct hall_table {
    uint32_t index; /**< in hall.tables and in the heap */
    struct hall *hall;
    char community[2 * CHAT_ID_SIZE];    /**< whose statistics its games go into */
    uint32_t speaker;                    /**< who said the line that is being dealt with */
    char speaker_name[PERSON_NAME_SIZE]; /**< "" between lines */
    uint8_t chat;
    uint8_t event_at;
    bool called; /**< the place was told that it says too much */
    char id[24]; /**< of the present game: "t17" */
    char place[CHAT_ID_SIZE];
    char name[PERSON_NAME_SIZE]; /**< of the place, as shown to people */
    struct session *session;
    int64_t clock_ms; /**< up to when the session's time has passed */
    int64_t heard_ms; /**< when somebody last said something */
    struct rate_bucket bucket;
    uint64_t events[HALL_EVENTS_OF_TABLE];
    struct hall_guest guests[MB_SEATS_MAX];
    struct pile_of_text narration; /**< held back while only bot players act */
    bool narration_cut;            /**< its oldest lines are gone */
    unsigned pings;                /**< bits of seats to be called by it */
    uint64_t stamp;                /**< of the state that card and hands were made of */
    uint64_t card_hash;
    uint32_t card_version;
    unsigned card_turn; /**< round and turn that the card was last posted in */
    struct hall_unsent *unsent;
    unsigned unsent_count, lost;
    int64_t retry_ms, retry_wait_ms; /**< when next, and how long after that */
};

struct hall {
    const struct catalog *catalog;
    struct rate_rule person_rule, place_rule;
    struct session_workspace *workspace;
    struct session *nowhere; /**< answers where there is no table */
    struct chat *chats[HALL_CHATS_MAX];
    unsigned chat_count;
    struct hall_table **tables; /**< by index; NULL: free */
    uint32_t table_count, table_capacity, table_next;
    struct hall_person **people;
    uint32_t people_count, people_capacity, people_next;
    uint32_t newest, oldest; /**< strangers */
    unsigned strangers;
    struct keyed_map place_map, person_map, id_map;
    struct due_heap due;
    int64_t now_ms, until_ms; /**< how far time has passed, and how far it was told to */
    unsigned long games;      /**< opened: numbers their ids */
    uint8_t secret[KEYED_SECRET_SIZE];
    struct hall_stats stats;
    struct stats *records; /**< of finished games */
    char text[HALL_TEXT_MAX];
};

/** A line that is being dealt with, and where its answer goes. */
struct hearing {
    const struct chat_in *in;
    uint8_t chat;
    uint32_t person;
    struct hall_table *table; /**< or NULL */
    const char *name;         /**< what the table calls them, or NULL without one */
};

/* hall.c */
void pile_add(struct pile_of_text *pile, const char *text);
/** Cuts whole lines off the front until at most `most` bytes are left; true if any were. */
bool pile_trim(struct pile_of_text *pile, size_t most);
void pile_clear(struct pile_of_text *pile);
void pile_finish(struct pile_of_text *pile);
struct hall_table *hall_table_at(const struct hall *hall, unsigned chat, const char *place);
/** By the id of its present game; NULL if that is none's. */
struct hall_table *hall_table_by_id(const struct hall *hall, const char *id);
/** NULL without memory, or when there are too many. */
struct hall_table *hall_table_make(struct hall *hall, unsigned chat, const struct chat_in *in);
void hall_table_drop(struct hall *hall, struct hall_table *table);
/** A new game has been opened there: nothing of the old one is valid. */
void hall_table_begin(struct hall *hall, struct hall_table *table);

/* hall_people.c */
/** The person who speaks, made if need be; KEYED_NONE without memory. */
uint32_t hall_person_of(struct hall *hall, unsigned chat, const struct chat_in *in);
struct hall_person *hall_person(const struct hall *hall, uint32_t index);
void hall_person_keep(struct hall *hall, uint32_t index);
void hall_person_release(struct hall *hall, uint32_t index);
/** Whether the event was heard before; it is remembered. `table` may be NULL. */
bool hall_event_seen(struct hall *hall, struct hall_person *person, struct hall_table *table,
                     const char *event);

/* hall_guests.c */
struct hall_guest *hall_guest_of(struct hall_table *table, uint32_t person);
/** The guest of a seat, or NULL. */
struct hall_guest *hall_guest_at(struct hall_table *table, unsigned seat);
/** NO_SEAT if they do not sit (any more). */
/** For session_records: the id of somebody whom the table knows by name. `user`: the table. */
const char *hall_identify(void *user, const char *name);
unsigned hall_guest_seat(const struct hall_table *table, const struct hall_guest *guest);
/** Names of all seats, and the person's own among them. */
void hall_name_at(struct hall *hall, struct hall_table *table, uint32_t person,
                  char out[PERSON_NAME_SIZE]);
/** After a line: who sits down is known, who is gone is forgotten. */
void hall_guests_update(struct hall *hall, struct hall_table *table, uint32_t person,
                        const char *name);
void hall_guests_finish(struct hall *hall, struct hall_table *table);
/** Bits of the seats of people. */
unsigned hall_people_seats(const struct hall_table *table);

/* hall_speak.c */
/** Takes what is in the session's outbox: replies go out, the rest waits for its time. `hearing`
 * NULL: nobody has asked. */
void hall_collect(struct hall *hall, struct hall_table *table, const struct hearing *hearing);
/** Says what waits, unless only bot players act now: narration, card, hands. */
void hall_speak(struct hall *hall, struct hall_table *table);
/** A sentence of the hall's own in answer to a line. */
void hall_answer(struct hall *hall, const struct hearing *hearing, enum text_id id,
                 const struct text_arg *args);
/** `refusal` NULL: it is none. */
void hall_answer_text(struct hall *hall, const struct hearing *hearing, const char *text,
                      const struct refusal *refusal);
/** A sentence of the hall's own for a table. */
void hall_say(struct hall *hall, struct hall_table *table, enum text_id id,
              const struct text_arg *args);

/* hall_board.c */
void hall_show_card(struct hall *hall, struct hall_table *table);
void hall_show_hands(struct hall *hall, struct hall_table *table);
/** Whether a control shows what there is no longer; a typed line never does. */
bool hall_bond_is_stale(const struct hall *hall, struct hall_table *table, uint32_t person,
                        const struct chat_bond *bond);

/* hall_post.c */
enum posted { POSTED, POSTED_LATER, POSTED_NEVER };
/** Sends a message of a table; a card or hand that must wait is to be made anew (POSTED_LATER),
 * anything else is kept and tried again. `pings` are bits of seats. */
enum posted hall_post(struct hall *hall, struct hall_table *table, struct chat_out *out,
                      unsigned pings);
/** Sends what belongs to no table; given up if it fails. */
void hall_post_loose(struct hall *hall, unsigned chat, const struct chat_out *out);
void hall_post_again(struct hall *hall, struct hall_table *table);
void hall_post_finish(struct hall_table *table);

/* hall_clock.c */
/** Lets the session's time pass up to the hall's. */
void hall_catch_up(struct hall *hall, struct hall_table *table);
/** Whether bot players act next and no person may: they act at once, and it is told afterwards. */
bool hall_bots_alone(const struct hall_table *table, const struct session_due *due);
/** Notes when the table is to be looked at next. */
void hall_schedule(struct hall *hall, struct hall_table *table);

#endif
