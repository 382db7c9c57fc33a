/*
 * The people and cards at a table, as words that parse and render share.
 *
 * Borrowed pointers only; the view is the *redacted* state of the reader or typist. Names are
 * compared in normal form (core/codec/normal.h).
 */
#ifndef BOT_PARSE_NAMES_H
#define BOT_PARSE_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "core/codec/catalog.h"
#include "core/loop/query.h"
#include "core/state/command.h"

/* Words found for one reader. A hand names the same move twice and the same monster in many moves,
 * and finding unambiguous words is slow. A caller that words many commands lends a memo through
 * table_words. It holds for one view and reader: empty it when one changes. Words for players
 * depend on the names at the table alone, so they are the same for every reader. Words without room
 * are found again. */

enum { MEMO_LINES_MAX = 32, MEMO_PIECES_MAX = 32, MEMO_TEXT_SIZE = 6144, MEMO_PLAYER_SIZE = 80 };

struct memo_line {
    struct command command;
    const char *text;
};

/** Words of a target, by its number and its role in the command. */
struct memo_piece {
    uint64_t key;
    const char *text;
};

struct words_memo {
    unsigned line_count, piece_count;
    size_t used;
    struct memo_line lines[MEMO_LINES_MAX];
    struct memo_piece pieces[MEMO_PIECES_MAX];
    char text[MEMO_TEXT_SIZE];
    char players[MB_SEATS_MAX][MEMO_PLAYER_SIZE]; /**< "": not known */
};

/** For another view or reader. */
void memo_empty(struct words_memo *memo);
/** For other names, too. */
void memo_empty_names(struct words_memo *memo);
/** Returns the words of a command; NULL: not known. */
const char *memo_line(const struct words_memo *memo, const struct command *command);
void memo_keep_line(struct words_memo *memo, const struct command *command, const char *text);
const char *memo_piece(const struct words_memo *memo, uint64_t key);
void memo_keep_piece(struct words_memo *memo, uint64_t key, const char *text);

/** What a table was told last, so that it is not repeated: the session keeps it, render writes it.
 */
struct table_told {
    bool fight;
    int players, monsters;
    unsigned main, helper, monster_count;
    unsigned turn, round;                  /**< whose turn has no heading yet; round 0: none */
    uint8_t cards[(MB_CARDS_MAX + 7) / 8]; /**< a bit for the first card of each kind */
};

/** The narration of one step while it is made. What a player does next is added to the line that
 * tells what they did before: "Ann equips Hood, plays Elf and lays Jar on the table." */
struct narration {
    unsigned joke;  /**< the bit of the joke behind the line, if `length` is more than its own */
    unsigned seat;  /**< whose line may go on, or NO_SEAT */
    unsigned parts; /**< what that line tells */
    size_t begin;   /**< of the line, in bytes of the narration so far */
    size_t joint;   /**< where its last part begins with a joint; 0: it has one part */
    size_t item;    /**< where the last of several cards of that part begins with a joint, or 0 */
    int sentence;   /**< of that part */
    size_t stop;    /**< its full stop */
    size_t length;  /**< of the narration behind the line and its joke */
    size_t head;    /**< length with a turn's heading that no line follows yet; 0: there is none */
};

struct card_looks;
struct event_list;
struct row_memo;
struct words_memo;

struct table_words {
    const struct catalog *catalog;
    const struct box *box;
    const struct card_looks *looks;    /**< of the catalogue; NULL: not made beforehand */
    const struct game *view;           /**< redacted for `seat` */
    unsigned seat;                     /**< who reads or types, or NO_SEAT */
    const char *players[MB_SEATS_MAX]; /**< names by seat */
    const char *marked[MB_SEATS_MAX];  /**< the same between marks, or NULL: for render only */
    unsigned bots;                     /**< bits of the seats that bot players hold */
    unsigned away;                     /**< ... of those for whom a stand-in plays */
    unsigned unasked;                  /**< bits of those for whom is passed in an answer moment */
    unsigned passed;                   /**< who has passed in the win window, once that is shown */
    unsigned undo_seats;               /**< bits of those who are asked to let a command be taken
                                        * back and have not agreed */
    unsigned undo_asker;               /**< ... by whom */
    uint32_t undo_entry;               /**< ... and which command */
    unsigned window_s;                 /**< length of the open window in seconds, 0: not said */
    unsigned left_s;                   /**< what is left on the clock that runs, 0: not said */
    unsigned budget;                   /**< bytes that a look should not exceed, 0: any number */
    struct table_told *told;           /**< or NULL: everything is news, but no jokes */
    struct narration *telling;         /**< of the step; set with `told` */
    struct words_memo *memo;           /**< of this view, reader and names; or NULL */
    struct row_memo *rows;             /**< of this box and catalogue; or NULL */
    const char *seal;                  /**< the commitment to the game's seed, or NULL */
    bool numbers;                      /**< numbers mean what can be said: cards have none */
    bool small;   /**< a look is for a phone: a line a player or card, no decks */
    bool terse;   /**< of a small hand: one way of playing each card, of most only the name */
    bool asked;   /**< what is asked is said beside a look, not in it */
    bool pressed; /**< what can be said stands on buttons: a look does not tell how to type it */
    bool marks;   /**< texts are to hold marks (bot/text/text.h) */
};

/** How well words fit a name; the greater the better: WORDS is the beginning of a later word. */
enum name_fit { NAME_NONE, NAME_WORDS, NAME_BEGINS, NAME_FULL };

/** How words in normal form fit a name as printed: all of it, its beginning, or what stands there
 * from a later word on, whose end may be missing. */
enum name_fit names_fit(const char *normal, size_t length, const char *name);
/** The same of a card's name. */
enum name_fit names_fit_card(const struct table_words *words, const char *normal, size_t length,
                             uint16_t card);

/** The first card from `card` on, of those that stand for their kind, whose whole name the words
 * begin with; `lead` is how much that is. NO_CARD: none. */
uint16_t names_next_lead(const struct table_words *words, const char *normal, size_t length,
                         uint16_t card, size_t *lead);
/** The printed name of a card of the game. */
const char *names_card(const struct table_words *words, uint16_t card);
/** What the set of a card that is a copy of a monster calls that: "Mate", "Duplicate". */
const char *names_copy_word(const struct table_words *words, uint16_t card);
/** The definition that a name typed by a person means among the cards of the box: `set:Name`, full
 * names before partial ones, the house's set first. NO_DEF: none, or several (`ambiguous` says). */
uint16_t names_find_def(const struct catalog *catalog, const struct box *box, const char *text,
                        bool *ambiguous);
/** Whether a set is of the edition whose rules the table plays by. */
bool names_of_house(const struct catalog *catalog, const struct box *box, unsigned set);

#endif
