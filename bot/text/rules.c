#include "bot/text/rules.h"

#include <stdio.h>
#include <string.h>

#include <strings.h>

#include "core/codec/suggest.h"

static const struct rules_text TEXTS[] = {
#define TOPIC(id, group)
#define RULE(topic, id, when, ids) {RULES_TOPIC_##topic, TEXT_RULE_##topic##_##id, when, ids},
#include "bot/text/rules.def"
#undef RULE
#undef TOPIC
};

static const struct {
    enum text_id words;
    enum rules_group group;
} TOPICS[RULES_TOPIC_TOTAL] = {
#define TOPIC(id, group) {TEXT_TOPIC_##id, RULES_##group},
#define RULE(topic, id, when, ids)
#include "bot/text/rules.def"
#undef RULE
#undef TOPIC
};

size_t rules_text_count(void)
{
    return sizeof TEXTS / sizeof TEXTS[0];
}

const struct rules_text *rules_text(size_t index)
{
    return index < rules_text_count() ? &TEXTS[index] : NULL;
}

bool rules_text_tells(const struct rules_text *text, const char *id)
{
    const size_t length = strlen(id);
    for (const char *at = text->ids; *at != '\0';) {
        const size_t word = strcspn(at, " ");
        if (word == length && strncasecmp(at, id, length) == 0) {
            return true;
        }
        at += word;
        at += strspn(at, " ");
    }
    return false;
}

bool rules_is_id(const char *words)
{
    const size_t letters = strspn(words, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
    if (letters == 0 || words[letters] != '-') {
        return false;
    }
    const char *const digits = words + letters + 1;
    const size_t count = strspn(digits, "0123456789");
    return count > 0 && digits[count] == '\0';
}

enum rules_group rules_topic_group(enum rules_topic topic)
{
    return topic < RULES_TOPIC_TOTAL ? TOPICS[topic].group : RULES_GROUP_TOTAL;
}

bool rules_topic_word(enum rules_topic topic, unsigned n, char out[RULES_WORD_SIZE])
{
    const char *at = topic < RULES_TOPIC_TOTAL ? text_sentence(TOPICS[topic].words) : "";
    for (; n > 0 && *at != '\0'; n--) {
        at += strcspn(at, ",");
        at += strspn(at, ", ");
    }
    const size_t length = strcspn(at, ",");
    if (length == 0 || length >= RULES_WORD_SIZE) {
        return false;
    }
    memcpy(out, at, length);
    out[length] = '\0';
    return true;
}

// The same words, be one of them a plural.
static bool same_words(const char *a, const char *b)
{
    const size_t length = strlen(a) < strlen(b) ? strlen(a) : strlen(b);
    if (strncasecmp(a, b, length) != 0) {
        return false;
    }
    const char *const rest = a[length] != '\0' ? a + length : b + length;
    return *rest == '\0' || strcasecmp(rest, "s") == 0;
}

enum rules_topic rules_topic_find(const char *words)
{
    char word[RULES_WORD_SIZE];
    enum rules_topic begins = RULES_TOPIC_TOTAL;
    unsigned found = 0;
    for (unsigned topic = 0; topic < RULES_TOPIC_TOTAL; topic++) {
        bool begun = false;
        for (unsigned n = 0; rules_topic_word(topic, n, word); n++) {
            if (same_words(words, word)) {
                return topic;
            }
            begun = begun || strncasecmp(words, word, strlen(words)) == 0;
        }
        if (begun && words[0] != '\0') {
            begins = topic;
            found++;
        }
    }
    return found == 1 ? begins : RULES_TOPIC_TOTAL;
}

enum rules_topic rules_topic_within(const char *words)
{
    static const char ENDS[] = " ?!.,\"";
    enum rules_topic topic = RULES_TOPIC_TOTAL;
    for (size_t length = 0; *words != '\0'; words += length + strspn(words + length, ENDS)) {
        char asked[RULES_WORD_SIZE];
        char word[RULES_WORD_SIZE];
        length = strcspn(words, ENDS);
        (void)snprintf(asked, sizeof asked, "%.*s", (int)length, words);
        for (unsigned each = 0; length > 0 && each < RULES_TOPIC_TOTAL; each++) {
            for (unsigned n = 0; rules_topic_word(each, n, word); n++) {
                topic = same_words(asked, word) ? (enum rules_topic)each : topic;
            }
        }
    }
    return topic;
}

enum rules_topic rules_topic_of_kind(unsigned kind)
{
    static const enum rules_topic KINDS[KIND_TOTAL] = {
        [KIND_MONSTER] = RULES_TOPIC_MONSTER,
        [KIND_CURSE] = RULES_TOPIC_CURSE,
        [KIND_ENHANCER] = RULES_TOPIC_ENHANCER,
        [KIND_CLASS] = RULES_TOPIC_CLASS,
        [KIND_RACE] = RULES_TOPIC_RACE,
        [KIND_FACTION] = RULES_TOPIC_FACTION,
        [KIND_BIRTHRIGHT] = RULES_TOPIC_BIRTHRIGHT,
        [KIND_POWER] = RULES_TOPIC_POWER,
        [KIND_ORIGIN] = RULES_TOPIC_ORIGIN,
        [KIND_SECOND] = RULES_TOPIC_SUPER,
        [KIND_DOOR] = RULES_TOPIC_TIMING,
        [KIND_ITEM] = RULES_TOPIC_ITEM,
        [KIND_ONESHOT] = RULES_TOPIC_ONESHOT,
        [KIND_FOLLOWER] = RULES_TOPIC_FOLLOWER,
        [KIND_TREASURE] = RULES_TOPIC_GOUP,
    };
    return kind < KIND_TOTAL ? KINDS[kind] : RULES_TOPIC_CARDS;
}

const struct rules_text *rules_text_of_id(const char *id, unsigned holding)
{
    const size_t length = strlen(id);
    const struct rules_text *found = NULL;
    for (size_t i = 0; i < rules_text_count(); i++) {
        const struct rules_text *const text = &TEXTS[i];
        if (!rules_text_tells(text, id) || !rules_hold(text->when, holding)) {
            continue;
        }
        if (strcspn(text->ids, " ") == length && strncasecmp(text->ids, id, length) == 0) {
            return text;
        }
        found = found != NULL ? found : text;
    }
    return found;
}

enum rules_topic rules_topic_of_id(const char *id, unsigned holding)
{
    const struct rules_text *const text = rules_text_of_id(id, holding);
    return text != NULL ? text->topic : RULES_TOPIC_TOTAL;
}

// How far a topic's nearest word is off; what begins alike or holds the words is nearer.
static size_t distance_of(enum rules_topic topic, const char *words)
{
    char word[RULES_WORD_SIZE];
    size_t best = RULES_WORD_SIZE;
    for (unsigned n = 0; rules_topic_word(topic, n, word); n++) {
        size_t distance = suggest_distance(words, word);
        const size_t length = strlen(words);
        if (length > 2 && (strncasecmp(words, word, length) == 0 || strstr(word, words) != NULL)) {
            distance = 1;
        } else if (distance * 3 > length) {
            continue; // more than a third of it would have to change
        }
        best = distance < best ? distance : best;
    }
    return best;
}

unsigned rules_topics_near(const char *words, enum rules_topic *out, unsigned size)
{
    size_t distances[RULES_TOPIC_TOTAL];
    unsigned count = 0;
    for (unsigned topic = 0; topic < RULES_TOPIC_TOTAL; topic++) {
        distances[topic] = distance_of(topic, words);
    }
    for (size_t wanted = 0; wanted < RULES_WORD_SIZE && count < size; wanted++) {
        for (unsigned topic = 0; topic < RULES_TOPIC_TOTAL && count < size; topic++) {
            if (distances[topic] == wanted) {
                out[count++] = topic;
            }
        }
    }
    return count;
}

unsigned rules_holding(const struct profile *profile)
{
    if (profile == NULL) {
        return ~0u;
    }
    enum { EPIC_GOAL = 20 };
    unsigned holding = profile->editions;
    holding |= profile->flag[FLAG_LISTEN] ? RULES_LISTEN : 0u;
    holding |= profile->flag[FLAG_SHARED_VICTORY] ? RULES_SHARED : 0u;
    holding |= profile->constant[PROFILE_GOAL] >= EPIC_GOAL ? RULES_EPIC : 0u;
    const bool four = profile->house == EDITION_SUPER || profile->house == EDITION_CONAN;
    holding |= four ? RULES_FOUR : RULES_THREE;
    holding |= profile->flag[FLAG_REMOVAL_PAYS] ? RULES_PAYS : RULES_PAYS_NOT;
    holding |= profile->flag[FLAG_COMBAT_BARS_ITEMS] ? RULES_BARS_ITEMS : 0u;
    holding |= profile->flag[FLAG_PROMISE_HAND] ? RULES_PROMISE : 0u;
    holding |= profile->constant[PROFILE_BIG_LIMIT] == UINT8_MAX ? RULES_BIG_FREE : 0u;
    return holding;
}
