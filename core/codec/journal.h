/*
 * The journal of a game: what everything can be derived from again.
 *
 * Its head holds the seed, what it was made of (core/codec/luck.h) and the commitment, the sets
 * with the digests of their cards, the rules and who sits where; then every accepted command,
 * clocks that ran out included, with the dice it rolled and the digest of the state it led to
 * (core/codec/outcome.h), every command taken back and every change of seats. The same game can be
 * made from it, command by command, with only the card sets: journal_verify(). Where a release of
 * other rules has taken the game further stands the state as it was then: what was before cannot be
 * made again by those rules, so it is made from there.
 *
 * The export form is JSON, versioned, described in core/codec/README.md. Seed and secret go into
 * it when the game is over and not before. A journal owns its entries; the catalog is borrowed. A
 * command that cannot be kept (one too many) breaks the journal: it says so and is never
 * passed off as whole. It knows no chat, no clock and no file.
 */
#ifndef CORE_CODEC_JOURNAL_H
#define CORE_CODEC_JOURNAL_H

#include "core/codec/catalog.h"
#include "core/codec/luck.h"
#include "core/codec/outcome.h"
#include "core/game.h"

enum {
    JOURNAL_FORM = 1, /**< of the export: written; a change raises it and reads the older ones */
    JOURNAL_NAME_SIZE = 64,
    JOURNAL_ENTRIES_MAX = 50000,
    JOURNAL_BYTES_MAX = 32 * 1024 * 1024 /**< of an export; larger ones are not read */
};

enum journal_state {
    JOURNAL_RUNNING,
    JOURNAL_FINISHED,    /**< somebody has won */
    JOURNAL_ENDED,       /**< ended by agreement before anybody had won */
    JOURNAL_INTERRUPTED, /**< broken off; neither secret nor seed is told */
    JOURNAL_STATES
};

enum journal_kind {
    JOURNAL_COMMAND,
    JOURNAL_UNDO,
    JOURNAL_SEAT,
    JOURNAL_RULES, /**< other rules from here on */
    JOURNAL_KINDS
};

struct journal_player {
    char name[JOURNAL_NAME_SIZE];
    char bot[JOURNAL_NAME_SIZE]; /**< level of a bot player; "" a person */
};

struct journal_die {
    uint8_t seat, face, what; /**< enum roll_for */
};

/** A state where other rules begin. */
struct journal_snapshot {
    size_t size;
    unsigned char bytes[]; /**< as snapshot_encode() writes them */
};

struct journal_entry {
    uint8_t kind;   /**< enum journal_kind */
    uint8_t seat;   /**< UNDO: who asked; SEAT: which */
    uint8_t agreed; /**< UNDO: bits of the seats that were asked and agreed */
    uint8_t die_count;
    uint32_t first_die;
    uint32_t back_to; /**< UNDO: the entry that is taken back with all that followed it */
    uint8_t outcome[OUTCOME_SIZE];
    struct command command;
    struct journal_player *player;     /**< SEAT: who sits there now; owned */
    struct journal_snapshot *snapshot; /**< RULES: the state; owned. NULL: still secret */
    uint16_t rules;                    /**< RULES: by which it goes on */
};

struct journal {
    const struct catalog *catalog;
    enum journal_state state;
    uint8_t seed[DIGEST_SIZE];
    struct luck luck;                /**< what the seed was made of */
    uint8_t commitment[DIGEST_SIZE]; /**< BLAKE2b-256 of the secret, or of a seed that was given */
    uint8_t sets[CATALOG_SETS_MAX];
    uint8_t set_count;
    struct box box; /**< as at the start; the profile is the table's */
    uint8_t seat_count;
    uint8_t female[MB_SEATS_MAX]; /**< as at the start */
    struct journal_player players[MB_SEATS_MAX];
    uint8_t start[OUTCOME_SIZE]; /**< of the state after dealing */
    uint16_t rules;              /**< by which it was dealt: game_rules() of that release */
    struct journal_entry *entries;
    size_t count, room;
    struct journal_die *dice;
    size_t die_count, die_room;
    bool begun;  /**< the head is filled in */
    bool broken; /**< something could not be kept */
};

/** What a game begins with. */
struct journal_start {
    const struct catalog *catalog;
    const struct box *box;
    const uint8_t *sets;
    uint8_t set_count;
    const struct game_setup *setup;
    const struct journal_player *players;
    const struct luck *luck; /**< NULL: the seed was given */
    uint16_t rules;
    const struct game *game; /**< after dealing */
};

/** An empty journal in the caller's memory. */
void journal_init(struct journal *journal);
/** Frees what it owns; it may be used again after journal_init(). */
void journal_finish(struct journal *journal);

/** Forgets everything and begins a game. */
void journal_begin(struct journal *journal, const struct journal_start *start);
/** An accepted command and the state after it; dice are taken from the events. */
void journal_command(struct journal *journal, const struct command *command,
                     const struct event_list *events, const struct game *after);
/** Entry `back_to` and what followed it are taken back, which led to `after`. */
void journal_undo(struct journal *journal, unsigned seat, unsigned agreed, size_t back_to,
                  const struct game *after);
void journal_seat(struct journal *journal, unsigned seat, const struct journal_player *player);
/** From this state on the game is played by other rules. */
void journal_rules(struct journal *journal, uint16_t rules, const struct game *now);
/** Makes room for one more entry, zeroed; NULL (and the journal broken) if there is none. */
struct journal_entry *journal_add(struct journal *journal);
/** Makes room for one more die; false (and the journal broken) if there is none. */
bool journal_add_die(struct journal *journal, struct journal_die die);

/** The commitment to a secret or a seed, in 64 hexadecimal digits. */
void journal_commitment(const uint8_t secret[DIGEST_SIZE], char out[DIGEST_HEX_SIZE]);

/** The export as JSON text, to be freed with free(); NULL with an error. `final` is the state now.
 */
char *journal_export(const struct journal *journal, const struct game *final, struct mb_error *err);

/** The result of a verification. */
struct journal_report {
    size_t commands, rolls, shuffles, undone;
    unsigned rounds;
    unsigned winners; /**< bits; 0: ended before */
    size_t from;      /**< steps before other rules began, which were not carried out again */
    char commitment[DIGEST_HEX_SIZE];
    struct luck luck; /**< what the seed was made of: to be held against the chat */
    unsigned dealt;   /**< seats that were dealt in ... */
    struct journal_player first[MB_SEATS_MAX];   /**< ... and who sat there */
    struct journal_player players[MB_SEATS_MAX]; /**< at the end */
};

/** Plays the game of a whole journal again, running ones too; `final` is the state it must have led
 * to, or NULL. False with one sentence if anything does not agree. */
MB_MUST_CHECK
bool journal_replay(const struct journal *journal, const struct game *final,
                    struct journal_report *report, struct mb_error *err);

/** Plays the game of an export again. False with one sentence if anything does not agree. */
MB_MUST_CHECK
bool journal_verify(const struct catalog *catalog, const char *text, size_t size,
                    struct journal_report *report, struct mb_error *err);

#endif
