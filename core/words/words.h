/*
 * The closed word lists of the card language, as names and numbers.
 *
 * Every list of core/words/ is a table here, and so are the small lists that only one op or field
 * uses. Names are the words of the card files. Nothing else turns words into numbers.
 */
#ifndef CORE_WORDS_WORDS_H
#define CORE_WORDS_WORDS_H

enum word_table {
    WORDS_KIND,
    WORDS_SLOT,
    WORDS_TRIGGER,
    WORDS_SELECTOR,
    WORDS_SOURCE,
    WORDS_REQUIREMENT,
    WORDS_RANGE,
    WORDS_DURATION,
    WORDS_CHOOSER,
    WORDS_PLACE,
    WORDS_SCOPE,
    WORDS_TIMING,
    WORDS_TARGET,
    WORDS_EXCLUSION,
    WORDS_BAR,
    WORDS_REMOVAL,
    WORDS_WHOSE,
    WORDS_GOAL,
    WORDS_DECK,        /**< enum card_deck */
    WORDS_META,        /**< `meta`: flight, theft, hq, identity */
    WORDS_TO,          /**< `take`, `give`: table, hand, same */
    WORDS_WHICH,       /**< `remove_monster`: target, all */
    WORDS_ESCAPE,      /**< `escape`: this, all */
    WORDS_SUFFER,      /**< `suffer`: curse, monster */
    WORDS_OBJECT,      /**< `move`: this_card, this_monster, target */
    WORDS_ATTACHED,    /**< a filter's attached, less 1: bears, lies */
    WORDS_SIDE,        /**< a filter's side, less 1: players, monsters */
    WORDS_REWARD,      /**< `reward`: levels, treasures */
    WORDS_ALTERNATIVE, /**< `immune`: spared, suffered */
    WORDS_SIZE,        /**< a filter's size, less 1: small, big */
    WORDS_ITEM,        /**< a filter's item, less 1: any, permanent, none */
    WORDS_SEX,         /**< male, female */
    WORDS_SORT,        /**< of followers: hireling, comrade, sidekick */
    WORDS_SIDES,       /**< card_def.sides, less 1: players, monsters, either */
    WORDS_NUMBER,      /**< of a card's name: singular, plural */
    WORDS_PRONOUN,     /**< enum pronoun */
    WORDS_TOTAL
};

/** How many words a table has. */
unsigned word_count(enum word_table table);
/** The word of a number; "?" if there is none. */
const char *word_name(enum word_table table, unsigned number);
/** The number of a word; word_count() if there is none. Case counts. */
unsigned word_find(enum word_table table, const char *word);
/** What a word means, for the reference; "" in the small lists, whose words explain themselves. */
const char *word_help(enum word_table table, unsigned number);
/** What the table is called in the reference: "trigger". */
const char *word_table_name(enum word_table table);

#endif
