/*
 * What `rules` knows: topics, the words people use for them, and which paragraph tells which rule
 * of core/rules/ledger.md and rulings.md. The texts are TEXT_TOPIC_* and TEXT_RULE_* of the
 * catalogue, the structure is bot/text/rules.def. Immutable tables; render_rules.c words them.
 */
#ifndef BOT_TEXT_RULES_H
#define BOT_TEXT_RULES_H

#include "core/card/profile.h"

#include "bot/text/text.h"

/** When a paragraph holds: when the table has any named edition or variant, or a named decision of
 * house and flags; with none named, always. */
enum rules_when {
    RULES_ALWAYS = 0,
    RULES_C = 1u << EDITION_CLASSIC,
    RULES_L = 1u << EDITION_LEGENDS,
    RULES_P = 1u << EDITION_PATHFINDER,
    RULES_S = 1u << EDITION_SUPER,
    RULES_K = 1u << EDITION_CONAN,
    RULES_LISTEN = 1u << EDITION_TOTAL,
    RULES_SHARED = RULES_LISTEN << 1,
    RULES_EPIC = RULES_SHARED << 1,
    RULES_FIRST_FLAG = RULES_EPIC << 1, /**< what house or flags decide, from here on */
    RULES_THREE = RULES_FIRST_FLAG,     /**< three phases, as most sheets count */
    RULES_FOUR = RULES_THREE << 1,      /**< as Super's and Conan's do */
    RULES_PAYS = RULES_FOUR << 1,
    RULES_PAYS_NOT = RULES_PAYS << 1,
    RULES_BARS_ITEMS = RULES_PAYS_NOT << 1,
    RULES_PROMISE = RULES_BARS_ITEMS << 1,
    RULES_BIG_FREE = RULES_PROMISE << 1
};

enum rules_group {
    RULES_GAME,
    RULES_FIGHT,
    RULES_STUFF,
    RULES_WHO,
    RULES_CHAT,
    RULES_SETS,
    RULES_GROUP_TOTAL
};

#define TOPIC(id, group) RULES_TOPIC_##id,
#define RULE(topic, id, when, ids)
enum rules_topic {
#include "bot/text/rules.def"
    RULES_TOPIC_TOTAL
};
#undef RULE
#undef TOPIC

enum { RULES_WORD_SIZE = 64 };

/** A paragraph. */
struct rules_text {
    enum rules_topic topic;
    enum text_id text;
    unsigned when;   /**< bits of enum rules_when */
    const char *ids; /**< the rules that it tells, with blanks between */
};

size_t rules_text_count(void);
const struct rules_text *rules_text(size_t index);
/** Whether the paragraph tells that rule ("COMBAT-2", case aside). */
bool rules_text_tells(const struct rules_text *text, const char *id);
/** Whether the words look like a rule's number, known or not: letters, "-", digits. */
bool rules_is_id(const char *words);

enum rules_group rules_topic_group(enum rules_topic topic);
/** The n-th word for a topic, 0 its name; false when there are no more. */
bool rules_topic_word(enum rules_topic topic, unsigned n, char out[RULES_WORD_SIZE]);
/** The topic of these words in full, case and a plural's s aside; then of a unique beginning.
 * RULES_TOPIC_TOTAL if there is none. */
enum rules_topic rules_topic_find(const char *words);
/** The topic of the last word of a question that is one: "how do I win?" */
enum rules_topic rules_topic_within(const char *words);
/** The topic that tells about cards of a kind (enum card_kind). */
enum rules_topic rules_topic_of_kind(unsigned kind);
/** Returns the paragraph about a rule ("COMBAT-2") among those that hold: one that names the rule
 * first, else the first that tells it; NULL: none. */
const struct rules_text *rules_text_of_id(const char *id, unsigned holding);
/** The topic of that paragraph; RULES_TOPIC_TOTAL if there is none. */
enum rules_topic rules_topic_of_id(const char *id, unsigned holding);
/** Finds the topics with the nearest words, best first; returns how many, at most `size`. */
unsigned rules_topics_near(const char *words, enum rules_topic *out, unsigned size);

/** What holds at a table of this profile; NULL: at any. */
unsigned rules_holding(const struct profile *profile);
static inline bool rules_hold(unsigned when, unsigned holding)
{
    return when == RULES_ALWAYS || (when & holding) != 0;
}

#endif
