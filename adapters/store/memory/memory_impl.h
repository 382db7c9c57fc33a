/*
 * Inside of the store in memory: for adapters/store/memory/ only.
 *
 * memory_store.c is the engine, its doors and their faults; memory_tables.c the rows of tables and
 * places, memory_archive.c what is left of tables, memory_people.c directories and statistics of
 * people, memory_away.c networks that cannot be heard, memory_read.c answers to questions,
 * memory_commit.c what changes. A commit first makes everything that can fail for want of memory,
 * then takes effect without a way to fail.
 */
#ifndef ADAPTERS_STORE_MEMORY_MEMORY_IMPL_H
#define ADAPTERS_STORE_MEMORY_MEMORY_IMPL_H

#include "bot/hall/due_heap.h"
#include "bot/hall/keyed_map.h"
#include "bot/store_impl.h"

#include "adapters/store/memory/memory_store.h"

enum {
    MEMORY_KEY_SIZE = PERSON_NETWORK_SIZE + CHAT_ID_SIZE + 1,
    MEMORY_DOORS_MAX = 16,
    MEMORY_STEPS = 16,        /* of a table: the latest are known again */
    MEMORY_LOOSE_STEPS = 1024 /* of tables that are gone, and of none */
};

struct blob {
    size_t size;
    unsigned char at[];
};

struct kept_message {
    struct kept_message *next;
    struct chat_key key;
    uint8_t board;
    unsigned answers;                /* the door whose answer it is, or 0 */
    struct blob *reader, *narration; /* words, or NULL */
    struct blob *bytes;
};

struct kept_board {
    uint8_t board;
    char *reader, *id;
};

struct kept_event {
    uint64_t hash;
    int64_t ms;
};

/** Growing lists have `count` in use of `room`. */
struct row {
    char id[STORE_TABLE_SIZE];
    uint32_t index;
    uint64_t version, earlier_version;
    struct blob *bytes, *earlier;
    bool rests;
    uint64_t touched; /* counts commits of the store: the smallest is the oldest */
    char *opener, *community;
    int64_t since_ms, due_ms, until_ms;
    unsigned sender;   /* the door that sends what it says, if that lives and there is something, */
    int64_t marked_ms; /* or that sees until then to what is due */
    struct chat_key steps[MEMORY_STEPS];
    uint64_t step_versions[MEMORY_STEPS];
    unsigned step_at;
    struct kept_event *events;
    size_t event_count, event_room;
    struct blob **journal;
    size_t journal_count, journal_room;
    struct blob *log[STORE_LOG_MAX]; /* a ring: the oldest at log_at once it is full */
    unsigned log_at, log_count;
    struct kept_message *messages;
    struct kept_board *boards;
    size_t board_count, board_room;
    struct card_file *cards[STORE_CARDS_MAX];
    size_t card_count;
    struct row *next_archived;
    uint32_t *places, *people; /* where it lies, who sits there */
    size_t place_count, place_room, people_count, people_room;
};

/** What is found by a network and an id; free ones are in a list. */
struct place_row {
    char *key; /* NULL: free */
    uint32_t next_free;
    uint32_t table; /* KEYED_NONE: none */
    char *name, *community;
};

struct person_row {
    char *key;
    uint32_t next_free;
    uint32_t tables[STORE_TABLES_OF_PERSON]; /* the oldest first */
    unsigned count;
    uint32_t chosen; /* one of them, or KEYED_NONE */
};

struct person_line {
    char *person;
    struct store_line line;
    uint64_t touched;
};

/** What adapters keep. */
struct kept_word {
    struct kept_word *next;
    struct blob *bytes;
    unsigned holder; /* of a word that is held, without bytes; or 0 */
    char word[];
};

/** What is away, or, with a door, what that door has: a network. */
struct away_row {
    struct away_row *next;
    unsigned door; /* 0: it is away */
    int64_t ms;
    char *network, *community;
};

struct community_row {
    char *name;
    struct person_line *people;
    size_t count, room;
    struct keyed_map map; /* of people */
};

/** What several doors lead to: a process has one. */
struct memory_store {
    unsigned doors;                     /* made so far */
    unsigned users;                     /* doors that are there */
    unsigned me;                        /* the door that asks, from 1 on */
    int64_t lives_ms[MEMORY_DOORS_MAX]; /* by door, from 0 on: until when */
    unsigned overtaken;

    uint8_t secret[STORE_SECRET_SIZE];
    uint64_t epoch, touched;
    int64_t now_ms;
    struct row **rows; /* by index; NULL: free */
    uint32_t row_count, row_room, row_next;
    struct place_row *places;
    size_t place_count, place_room;
    uint32_t place_free; /* the first of the free ones, or KEYED_NONE */
    struct person_row *people;
    size_t people_count, people_room;
    uint32_t people_free;
    struct community_row *communities;
    size_t community_count, community_room;
    uint32_t community_next;
    struct kept_word *kept; /* the one kept last first */
    struct row *archive;    /* the one put away last first */
    struct card_file *cards;
    struct kept_word *held;
    struct away_row *aways;
    struct keyed_map row_map, place_map, people_map, community_map;
    struct keyed_map opened_by, opened_in; /* how many tables, by opener and community */
    struct due_heap due;
    struct chat_key loose_steps[MEMORY_LOOSE_STEPS];
    unsigned loose_at, loose_count;
    char gone[STORE_TABLE_SIZE]; /* the table that made room for the last one */
};

/** Whether a door's process lives. */
static inline bool memory_lives(const struct memory_store *memory, unsigned door)
{
    return door != 0 && memory->lives_ms[door - 1] > memory->now_ms;
}

static inline bool key_is(struct chat_key a, struct chat_key b)
{
    return a.epoch == b.epoch && a.number == b.number;
}

/* memory_tables.c */
/** Makes room for one more at the end of a list; false without memory. */
bool memory_room(void **items, size_t count, size_t *room, size_t size);
/** A copy of bytes, or of a word with its end; NULL without memory. */
struct blob *memory_blob(const void *at, size_t size);
void memory_key(char out[MEMORY_KEY_SIZE], const char *network, const char *id);
struct row *memory_row(const struct memory_store *memory, const char *table);
/** NULL without memory. */
struct row *memory_row_make(struct memory_store *memory, const struct store_commit *commit);
void memory_row_free(struct row *row);
/** Another's share takes it from now on; false without memory. */
bool memory_row_opener(struct memory_store *memory, struct row *row, const char *opener);
/** A table goes with all that belongs to it; what is left is put away. */
void memory_row_drop(struct memory_store *memory, struct row *row);
/** The row of a place; KEYED_NONE: there is none. */
uint32_t memory_place(const struct memory_store *memory, const char *network, const char *place);
/** The same, made if need be; KEYED_NONE without memory. */
uint32_t memory_place_make(struct memory_store *memory, const char *network, const char *place);
/** A table takes a free place; there is room in its list. */
void memory_place_take(struct memory_store *memory, struct row *row, uint32_t place);
/** A place is nobody's any more, and forgotten. */
void memory_place_drop(struct memory_store *memory, uint32_t place);
/** Takes a number out of a list. */
void memory_remove(uint32_t *list, size_t *count, uint32_t number);
/** When a table is to be looked at, or STORE_NEVER. */
int64_t memory_due_ms(const struct row *row);
/** Notes it; false without memory. */
bool memory_due_set(struct memory_store *memory, const struct row *row, int64_t ms);
void memory_message_free(struct kept_message *message);
void memory_tables_finish(struct memory_store *memory);

/* memory_archive.c */
/** A card file, of which nobody knows yet; false without memory. */
bool memory_card_keep(struct memory_store *memory, const struct store_card *card);
/** Forgets those nobody plays with. */
void memory_cards_tidy(struct memory_store *memory);
void memory_cards_unuse(struct row *row);
/** Those of a commit, if it names any, which are kept. */
void memory_cards_use(struct memory_store *memory, struct row *row,
                      const struct store_commit *commit);
/** None: it is not known. */
struct store_bytes memory_card(const struct memory_store *memory, const char *word);
/** A table that is put away, or NULL. */
struct row *memory_archived(const struct memory_store *memory, const char *table);
/** The row is nowhere else any more. */
void memory_put_away(struct memory_store *memory, struct row *row);
/** The row takes it over, and has room for its journal. */
void memory_take_out(struct memory_store *memory, struct row *archived, struct row *row,
                     bool journal);
void memory_archive_finish(struct memory_store *memory);

/* memory_people.c */
/** The row of a person; KEYED_NONE: there is none. */
uint32_t memory_person(const struct memory_store *memory, const char *network, const char *person);
/** The same, made if need be; KEYED_NONE without memory. */
uint32_t memory_person_make(struct memory_store *memory, const char *network, const char *person);
bool memory_sits(const struct memory_store *memory, uint32_t person, const struct row *row);
/** There is room in both lists. */
void memory_sit(struct memory_store *memory, uint32_t person, struct row *row);
void memory_rise(struct memory_store *memory, uint32_t person, struct row *row);
/** Forgets a person who sits nowhere. */
void memory_person_tidy(struct memory_store *memory, uint32_t person);
/** The line of a person in a community, made if need be; NULL without memory. */
struct person_line *memory_line(struct memory_store *memory, const struct store_record *record);
void memory_line_forget(struct memory_store *memory, const struct store_record *record);
/** STORE_FORGET: all lines of a person. */
void memory_forget_lines(struct memory_store *memory, const char *network, const char *person);
/** STORE_KNOWN; NULL without memory. */
struct store_answer *memory_known(const struct memory_store *memory,
                                  const struct store_request *request,
                                  const struct store_answer *begun);
void memory_statistics(const struct memory_store *memory, const struct store_request *request,
                       struct store_answer *answer);
void memory_people_finish(struct memory_store *memory);

/* memory_read.c */
/** Answers everything that changes no table; NULL without memory. */
struct store_answer *memory_read(struct memory_store *memory, const struct store_request *request);

/** STORE_FORGET of a community. */
void memory_purge(struct memory_store *memory, const char *community);
/** Nothing is known of how people played there. */
void memory_purge_lines(struct memory_store *memory, const char *community);
/** STORE_FORGET of a person; false without memory. */
bool memory_forget(struct memory_store *memory, const struct store_request *request);
/** Whether a table has something to say: messages without outcome, answers apart. */
bool memory_speaks(const struct row *row);

/** STORE_KEEP; false without memory. */
bool memory_keep(struct memory_store *memory, const char *word, struct store_bytes bytes);

/* memory_away.c */
/** STORE_STAND; false without memory. */
bool memory_stand(struct memory_store *memory, const struct store_request *request);
/** Whether a table's time stands. */
bool memory_stands(const struct memory_store *memory, const struct row *row);
/** The answer with all that is away; NULL without memory. */
struct store_answer *memory_answer_aways(const struct memory_store *memory,
                                         const struct store_answer *begun);
void memory_away_finish(struct memory_store *memory);

/* memory_commit.c */
void memory_commit(struct memory_store *memory, const struct store_commit *commit,
                   struct store_answer *answer);
/** Whether a step was committed, and the version it made. */
bool memory_step(const struct memory_store *memory, const char *table, struct chat_key step,
                 uint64_t *version);
enum store_result memory_confirm(struct memory_store *memory, const struct store_request *request);

#endif
