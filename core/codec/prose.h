/*
 * Inside of describe: a bounded text that grows, and the phrases sentences are made of.
 */
#ifndef CORE_CODEC_PROSE_H
#define CORE_CODEC_PROSE_H

#include "core/codec/catalog_impl.h"
#include "core/codec/describe.h"

struct prose {
    const struct catalog *catalog;
    const struct card_def *def;
    char *out;
    size_t size, length;
    unsigned relative;     /**< enum range + 1: requirements of it read "who is ..." */
    bool qualified;        /**< the requirements have been said with the subject */
    bool timed;            /**< the timing has been said */
    bool named;            /**< the player named has been spoken of */
    bool permanent;        /**< a filter takes no one-shots, though it does not say so */
    bool placeless;        /**< where a filter looks has been said */
    bool taken;            /**< others take what a filter says: "Item you have in play" */
    bool counting;         /**< cards are counted where they are, not taken from there */
    const struct row *row; /**< the row that is told; NULL: none */
    const char *own;       /**< whose cards: "your", "their" */
};

MB_PRINTF(2, 3)
void prose_add(struct prose *prose, const char *format, ...);

/** A text on the monster or follower that the card is: %i "it", "he", "she" or "they", %m the same
 * as object, %j "its", %v{leaves|leave} the verb that goes with it. */
void prose_it(struct prose *prose, const char *text);
/** One mark of such a text, at '%'; returns what follows it. */
const char *prose_it_mark(struct prose *prose, const char *at);
/** Reads "{one|many}" at `at` into two words of up to 64 bytes; returns what follows it. */
const char *prose_pair(const char *at, char close, char *one, char *many);
/** "the main player"; "you" for self. */
const char *phrase_who(unsigned who);
/** "Class", "Item": a word as it stands in a sentence. */
const char *phrase_kind(unsigned kind, bool many);
/** "Footgear", "two-handed Items". */
const char *phrase_slot(unsigned slot, bool many);
/** A tag as it stands in a sentence: "Undead", "fire". */
const char *phrase_tag(const struct catalog *catalog, unsigned tag);

/** "+5", "-1 for each", "plus twice the Treasures of that Monster". */
void prose_signed(struct prose *prose, const struct amount *amount);
/** "2 Levels", "1 Level for each monster", "as many Levels as a die shows". `sign` -1 turns it. */
void prose_number(struct prose *prose, const struct amount *amount, int sign, const char *one,
                  const char *many);
/** "once", "twice", "3 times". */
void prose_often(struct prose *prose, int times);
/** "small Items", "cards of your choice from your hand": `middle` stands between what they are and
 * where. `index` is the filter's + 1; 0: "cards". */
void prose_filter(struct prose *prose, unsigned index, bool many, const char *middle);
/** What a row takes from somebody: "your whole hand", "1 random card from your hand", "the Item
 * with your biggest bonus", "1 small Item of your choice". */
void prose_loss(struct prose *prose, const struct row *row);
/** "discard up to 3 cards". `cost` is index + 1. */
void prose_cost(struct prose *prose, unsigned cost);
/** "an Elf is in the fight and it is your turn". */
void prose_requirements(struct prose *prose, unsigned first, unsigned count);
/** One of them. */
void prose_requirement(struct prose *prose, const struct requirement *req);
/** What a card asks of who equips it, as a sentence: "Wizard only.". */
void prose_needs(struct prose *prose);
/** An own argument of an op, as its sentence wants it: `op` is the row's, or that of a lasting one.
 */
void prose_argument(struct prose *prose, const struct row *row, unsigned op, int value);
/** Name, moment and cost of a row: "Berserk: discard up to 3 cards in a fight: ". */
void prose_heading(struct prose *prose, const struct row *row);
/** When the card may be played, if that is worth a word: "in any fight: ". */
void prose_timing(struct prose *prose);
/** Whether the heading has said this requirement of its row already. */
bool prose_said(const struct prose *prose, const struct row *row, const struct requirement *req);
/** Whether a row removes 1 monster that its requirements describe. */
bool prose_removes_one(const struct prose *prose, const struct row *row);
/** What a row does, without its moment, cost and limit. */
void prose_row(struct prose *prose, const struct row *row);

/** Puts what an edition calls things in place of the general words; returns the new length. */
size_t prose_own_words(char *text, size_t size, unsigned edition);

/** The row that turns cards up, if what was rolled counts those of them that fit; else NULL. */
const struct row *prose_revealing(const struct prose *prose);
/** Whether the cards of a name are many: "Glass Slippers are in play". */
bool prose_name_plural(const struct prose *prose, unsigned name);

/** "a" or "an", as the next word wants it. */
const char *article(const char *word);

#endif
