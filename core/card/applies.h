/*
 * What of the card language applies where: which kinds reach a trigger and what it gives, what an
 * op needs of it and who bears a counted one, which words an op heeds.
 *
 * Kind x trigger x op follows from it. The loader refuses the rest, the reference prints it, and a
 * test plays all that it accepts; nothing is asked of it while a game is played.
 */
#ifndef CORE_CARD_APPLIES_H
#define CORE_CARD_APPLIES_H

#include <stdbool.h>
#include <stdint.h>

#include "core/card/card.h"

/** What there is when a trigger comes. */
enum fact {
    FACT_FIGHT = 1,    /**< a fight that is not decided yet */
    FACT_FLIGHT = 2,   /**< a fight that is being run from */
    FACT_WON = 4,      /**< a fight that is won */
    FACT_MONSTER = 8,  /**< this monster */
    FACT_ENTRY = 16,   /**< it has just come */
    FACT_ROLL = 32,    /**< a roll that is answered */
    FACT_CURSE = 64,   /**< a Curse that is answered */
    FACT_THREAT = 128, /**< something that would happen */
    FACT_NAMED = 256,  /**< what was named with `on` */
    FACT_PLAYED = 512, /**< this card, just played */
    FACT_USED = 1024,  /**< an ability */
    FACT_STRUCK = 2048,
    FACT_DRAW = 4096,
    FACT_LIES = 8192,      /**< this card lies before its owner, or was just drawn */
    FACT_RUNS = 16384,     /**< nobody has rolled yet */
    FACT_AGAIN = 32768,    /**< it may come more than once: a limit means something */
    FACT_LOST = 65536,     /**< `cards` says what was lost */
    FACT_HELP = 131072,    /**< somebody may be helping */
    FACT_MOVES = 262144,   /**< this card can be brought elsewhere */
    FACT_PLAY = 524288,    /**< a card played that is answered */
    FACT_SPOILS = 1048576, /**< what a victory pays is not paid yet */
    FACT_BODY = 2097152    /**< somebody has died */
};

/** The words of a row of which an op heeds some. */
enum heeded { HEEDS_WHO, HEEDS_CHOOSER, HEEDS_TARGET, HEEDS_UNTIL, HEEDS_TOTAL };

/** Whether a row of the op does something at the trigger on a card of the kind. */
bool applies(unsigned kind, unsigned when, unsigned op);
/** bits of enum fact; `timing`: when the card may be played, for rows that act then. */
uint32_t applies_facts(unsigned kind, unsigned when, unsigned timing);
/** Kinds that reach a trigger, as bits. */
uint32_t applies_reach(unsigned when);
/** Whether the facts are enough for an op. */
bool applies_enough(unsigned op, uint32_t facts);
/** Triggers at which a card of the kind can have the op, as bits. */
uint32_t applies_triggers(unsigned kind, unsigned op);
/** Whether a trigger may speak of what happens to others (`whose`); of an ability: who uses it. */
bool applies_whose(unsigned when);
/** Kinds that can have it, as bits. */
uint32_t applies_kinds(unsigned op);
/** The words of a table (WORDS_SELECTOR ... by `which`) that the op heeds, as bits; a word left out
 * is always among them. */
uint32_t applies_words(unsigned op, enum heeded which);
/** Whether a `lasting` row can put the counted op on somebody. */
bool applies_lasting(unsigned op);
/** Kinds that lie in play only if they say so (`stays`). */
bool applies_must_stay(unsigned kind);
/** Triggers that act while the card lies in play. */
bool applies_in_play(unsigned when);
/** Whether `cost`, `limit`, `may`, `else` and `then` hold at a trigger: at all but `static`. A
 * limit needs one that may come again. */
bool applies_limit(unsigned kind, unsigned when);

#endif
