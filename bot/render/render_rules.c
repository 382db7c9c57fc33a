// The rules in words: the list of topics, a topic in pages that fit a telephone, a rule by its
// number.
#include <stdlib.h>
#include <string.h>

#include <strings.h>

#include "bot/render/render_impl.h"
#include "bot/text/rules.h"

enum {
    TOPIC_WORDS_SIZE = 512,
    SEAL_SIZE = 128,
    LIST_SIZE = 1024,
    TOPIC_SIZE = 8192, /**< all paragraphs of one topic */
    NEAR_MAX = 4,
    PAGE_ROOM = 96 /**< for the line that says which page it is */
};

static unsigned holding_at(const struct table_words *words)
{
    return rules_holding(words->box != NULL ? &words->box->profile : NULL);
}

// Figures that any paragraph may name.
static void put_text(const struct table_words *words, enum text_id text, struct text_out *out)
{
    struct profile plain;
    const struct profile *profile = &plain;
    if (words->box != NULL) {
        profile = &words->box->profile;
    } else {
        profile_make(&plain, 1u << EDITION_CLASSIC, EDITION_CLASSIC);
    }
    char seal[SEAL_SIZE] = "";
    if (words->seal != NULL) {
        struct text_out own;
        text_begin(&own, seal, sizeof seal);
        text_put(&own, TEXT_RULES_SEAL, TEXT_ARGS(text_str("hash", words->seal)));
    }
    render_put(words, out, text,
               TEXT_ARGS(text_str("seal", seal), text_num("goal", profile->constant[PROFILE_GOAL]),
                         text_num("unit", profile->constant[PROFILE_SELL_UNIT]),
                         text_num("hand", profile->constant[PROFILE_HAND_LIMIT]),
                         text_num("deal", profile->constant[PROFILE_DEAL]),
                         text_num("escape", profile->constant[PROFILE_ESCAPE]),
                         text_num("holds", profile->constant[PROFILE_HOLDS])));
    text_raw(out, "\n");
}

// Whether the table has any of it; `when` collects what it would take.
static bool topic_holds(const struct table_words *words, enum rules_topic topic, unsigned *when)
{
    const unsigned holding = holding_at(words);
    bool holds = false;
    *when = 0;
    for (size_t i = 0; i < rules_text_count(); i++) {
        const struct rules_text *const text = rules_text(i);
        if (text->topic == topic) {
            holds = holds || rules_hold(text->when, holding);
            *when |= text->when;
        }
    }
    return holds;
}

static void put_topic_names(const struct table_words *words, const enum rules_topic *topics,
                            unsigned count, enum text_id joint, struct text_out *out)
{
    char names[RULES_TOPIC_TOTAL][RULES_WORD_SIZE];
    const char *items[RULES_TOPIC_TOTAL];
    for (unsigned i = 0; i < count; i++) {
        (void)render_topic(words, topics[i], names[i]);
        items[i] = names[i];
    }
    text_list(out, items, count, joint);
}

static void put_group(const struct table_words *words, enum rules_group group, struct text_out *out)
{
    static const enum text_id GROUPS[RULES_GROUP_TOTAL] = {
        [RULES_GAME] = TEXT_GROUP_GAME,   [RULES_FIGHT] = TEXT_GROUP_FIGHT,
        [RULES_STUFF] = TEXT_GROUP_STUFF, [RULES_WHO] = TEXT_GROUP_WHO,
        [RULES_CHAT] = TEXT_GROUP_CHAT,   [RULES_SETS] = TEXT_GROUP_SETS,
    };
    enum rules_topic topics[RULES_TOPIC_TOTAL];
    unsigned count = 0;
    for (unsigned topic = 0; topic < RULES_TOPIC_TOTAL; topic++) {
        unsigned when;
        const bool holds = topic_holds(words, topic, &when);
        if (group == RULES_GROUP_TOTAL ? !holds : holds && rules_topic_group(topic) == group) {
            topics[count++] = topic;
        }
    }
    char list[LIST_SIZE];
    struct text_out text;
    text_begin(&text, list, sizeof list);
    put_topic_names(words, topics, count, TEXT_COMMA, &text);
    if (count > 0 && group == RULES_GROUP_TOTAL) {
        text_line(out, TEXT_RULES_GROUP_OTHER, TEXT_ARGS(text_str("topics", list)));
    } else if (count > 0) {
        text_line(
            out, TEXT_RULES_GROUP,
            TEXT_ARGS(text_str("group", text_sentence(GROUPS[group])), text_str("topics", list)));
    }
}

static void put_topics(const struct table_words *words, struct text_out *out)
{
    text_line(out, TEXT_RULES_INTRO, NULL);
    for (unsigned group = 0; group <= RULES_GROUP_TOTAL; group++) {
        put_group(words, group, out);
    }
    text_line(out, TEXT_RULES_INTRO_END, NULL);
}

// "Not at this table: it takes a set of pathfinder or super."
static void put_not_here(unsigned when, struct text_out *out)
{
    static const enum text_id VARIANTS[] = {TEXT_RULES_VARIANT_LISTEN, TEXT_RULES_VARIANT_SHARED,
                                            TEXT_RULES_VARIANT_EPIC};
    enum { VARIANT_COUNT = sizeof VARIANTS / sizeof VARIANTS[0] };
    const char *names[EDITION_TOTAL];
    const char *needs[VARIANT_COUNT + 1];
    size_t count = 0;
    size_t need_count = 0;
    for (unsigned edition = 0; edition < EDITION_TOTAL; edition++) {
        if ((when & (1u << edition)) != 0) {
            names[count++] = edition_name(edition);
        }
    }
    char list[LIST_SIZE];
    char sets[2 * LIST_SIZE];
    struct text_out text;
    if (count > 0) {
        text_begin(&text, list, sizeof list);
        text_list(&text, names, count, TEXT_OR);
        text_begin(&text, sets, sizeof sets);
        text_put(&text, TEXT_RULES_SETS, TEXT_ARGS(text_str("sets", list)));
        needs[need_count++] = sets;
    }
    for (unsigned i = 0; i < VARIANT_COUNT; i++) {
        if ((when & (unsigned)(RULES_LISTEN << i)) != 0) {
            needs[need_count++] = text_sentence(VARIANTS[i]);
        }
    }
    char all[2 * LIST_SIZE];
    text_begin(&text, all, sizeof all);
    text_list(&text, needs, need_count, TEXT_OR);
    text_line(out, TEXT_RULES_NOT_HERE, TEXT_ARGS(text_str("sets", all)));
}

// By which sheet it is played here, and where otherwise; what bundles there are.
static void put_house(const struct table_words *words, struct text_out *out)
{
    char lines[LIST_SIZE];
    struct text_out text;
    text_begin(&text, lines, sizeof lines);
    const struct profile *const profile = &words->box->profile;
    const unsigned count = render_house(profile, &text);
    text_line(out, count > 0 ? TEXT_HOUSE_SHEET : TEXT_HOUSE_SHEET_ONLY,
              TEXT_ARGS(text_str("house", edition_name(profile->house)), text_num("n", count)));
    text_raw(out, lines);
}

static void put_presets(struct text_out *out)
{
    static const struct {
        const char *name;
        enum text_id about;
    } PRESETS[] = {
#define PRESET(id, name, variants, flags) {#name, TEXT_PRESET_##id},
#include "bot/text/presets.def"
#undef PRESET
    };
    text_line(out, TEXT_HOUSE_PRESETS, NULL);
    for (size_t i = 0; i < sizeof PRESETS / sizeof PRESETS[0]; i++) {
        text_line(out, TEXT_HOUSE_PRESET,
                  TEXT_ARGS(text_str("name", PRESETS[i].name),
                            text_str("about", text_sentence(PRESETS[i].about))));
    }
}

// The paragraphs of a topic that hold here; all of them if none does.
static void put_paragraphs(const struct table_words *words, enum rules_topic topic,
                           struct text_out *out)
{
    unsigned when;
    const bool here = topic_holds(words, topic, &when);
    const unsigned holding = holding_at(words);
    char name[RULES_WORD_SIZE];
    (void)render_topic(words, topic, name);
    text_line(out, TEXT_RULES_HEAD, TEXT_ARGS(text_str("topic", name)));
    if (!here) {
        put_not_here(when, out);
    }
    if (topic == RULES_TOPIC_EDITION && words->box != NULL) {
        put_house(words, out);
    }
    for (size_t i = 0; i < rules_text_count(); i++) {
        const struct rules_text *const text = rules_text(i);
        if (text->topic == topic && (!here || rules_hold(text->when, holding))) {
            put_text(words, text->text, out);
        }
    }
    if (topic == RULES_TOPIC_EDITION) {
        put_presets(out);
    }
}

// Where the page that begins at `at` ends: after whole lines.
static const char *page_end(const char *at)
{
    const char *end = at;
    while (*end != '\0') {
        const size_t line = strcspn(end, "\n") + 1;
        if (end > at && (size_t)(end - at) + line > RULES_PAGE_SIZE - PAGE_ROOM) {
            break;
        }
        end += line;
    }
    return end;
}

static void put_page(const char *text, const char *topic, long wanted, struct text_out *out)
{
    long pages = 1;
    for (const char *at = page_end(text); *at != '\0'; at = page_end(at)) {
        pages++;
    }
    wanted = wanted < 1 ? 1 : wanted;
    wanted = wanted > pages ? pages : wanted;
    const char *from = text;
    for (long page = 1; page < wanted; page++) {
        from = page_end(from);
    }
    const char *const to = page_end(from);
    char page[RULES_PAGE_SIZE + 1];
    const size_t length = (size_t)(to - from) < sizeof page ? (size_t)(to - from) : sizeof page - 1;
    memcpy(page, from, length);
    page[length] = '\0';
    text_raw(out, page);
    if (pages > 1) {
        text_line(out, wanted < pages ? TEXT_RULES_PAGE : TEXT_RULES_PAGE_LAST,
                  TEXT_ARGS(text_num("n", wanted), text_num("m", pages), text_str("topic", topic),
                            text_num("next", wanted + 1)));
    }
}

// Topic by topic, what tells this rule of all that holds; false if nothing does.
static bool put_rule(const struct table_words *words, const char *id, unsigned holding,
                     struct text_out *out)
{
    enum rules_topic said = RULES_TOPIC_TOTAL;
    for (size_t i = 0; i < rules_text_count(); i++) {
        const struct rules_text *const text = rules_text(i);
        if (!rules_text_tells(text, id) || !rules_hold(text->when, holding)) {
            continue;
        }
        if (text->topic != said) {
            char name[RULES_WORD_SIZE];
            (void)render_topic(words, text->topic, name);
            text_line(out, TEXT_RULES_ID, TEXT_ARGS(text_str("id", id), text_str("topic", name)));
            said = text->topic;
        }
        put_text(words, text->text, out);
    }
    return said != RULES_TOPIC_TOTAL;
}

size_t render_rule(const struct table_words *words, const char *id, char *out, size_t size)
{
    const unsigned holding = holding_at(words);
    struct text_out text;
    text_begin(&text, out, size);
    const struct rules_text *const paragraph = rules_text_of_id(id, holding);
    if (paragraph != NULL) {
        put_text(words, paragraph->text, &text);
    }
    return text.length;
}

// The topic of a card's kind, after what the card says.
static enum rules_topic card_topic(const struct table_words *words, const char *topic,
                                   struct text_out *out)
{
    bool ambiguous = false;
    if (words->box == NULL || words->catalog == NULL) {
        return RULES_TOPIC_TOTAL;
    }
    const uint16_t def = names_find_def(words->catalog, words->box, topic, &ambiguous);
    const struct card_def *const card = catalog_def(words->catalog, def);
    if (card == NULL) {
        return RULES_TOPIC_TOTAL;
    }
    char title[RENDER_TITLE_SIZE];
    char what[RENDER_TEXT_SIZE];
    render_card_text(words, def, what, sizeof what);
    text_line(
        out, TEXT_RULES_CARD,
        TEXT_ARGS(text_str("title", render_title_beside(words, def,
                                                        catalog_name(words->catalog, def), title)),
                  text_str("what", what)));
    return rules_topic_of_kind(card->kind);
}

static void put_unknown(const struct table_words *words, const char *topic, struct text_out *out)
{
    enum rules_topic near[NEAR_MAX];
    const unsigned count = rules_topics_near(topic, near, NEAR_MAX);
    char list[LIST_SIZE];
    struct text_out text;
    text_begin(&text, list, sizeof list);
    put_topic_names(words, near, count, TEXT_OR, &text);
    text_line(out, count > 0 ? TEXT_RULES_NEAR : TEXT_RULES_UNKNOWN,
              TEXT_ARGS(text_str("what", topic), text_str("topics", list)));
}

// Takes the number of a page off the end of the words; 1 if there is none.
static long take_page(char *words)
{
    char *const blank = strrchr(words, ' ');
    if (blank == NULL || blank[1] == '\0' || blank[1 + strspn(blank + 1, "0123456789")] != '\0') {
        return 1;
    }
    const long page = strtol(blank + 1, NULL, 10);
    *blank = '\0';
    return page;
}

static void put_asked(const struct table_words *words, char *asked, struct text_out *out)
{
    char all[TOPIC_SIZE];
    char name[RULES_WORD_SIZE];
    struct text_out text;
    text_begin(&text, all, sizeof all);
    enum rules_topic topic = rules_topic_find(asked);
    long page = 1;
    if (topic == RULES_TOPIC_TOTAL) {
        page = take_page(asked);
        topic = rules_topic_find(asked);
    }
    if (rules_is_id(asked)) {
        if (!put_rule(words, asked, holding_at(words), &text) &&
            !put_rule(words, asked, rules_holding(NULL), &text)) {
            text_line(&text, TEXT_RULES_ID_UNKNOWN, TEXT_ARGS(text_str("id", asked)));
        }
        put_page(all, asked, page, out);
        return;
    }
    if (topic == RULES_TOPIC_TOTAL) {
        topic = card_topic(words, asked, &text);
    }
    if (topic == RULES_TOPIC_TOTAL) {
        topic = rules_topic_within(asked);
    }
    if (topic == RULES_TOPIC_TOTAL) {
        put_unknown(words, asked, out);
        return;
    }
    put_paragraphs(words, topic, &text);
    if (topic == RULES_TOPIC_TURN) { // "How to play" begins there
        text_line(&text, TEXT_RULES_AFTER_TURN, NULL);
    }
    (void)render_topic(words, topic, name);
    put_page(all, name, page, out);
}

size_t render_rules(const struct table_words *words, const char *topic, char *out, size_t size)
{
    struct text_out text;
    text_begin(&text, out, size);
    char asked[TOPIC_WORDS_SIZE];
    const char *const from = topic == NULL ? "" : topic + strspn(topic, " \t\"");
    size_t length = strcspn(from, "\"");
    while (length > 0 && strchr(" \t?.!", from[length - 1]) != NULL) {
        length--;
    }
    length = length < sizeof asked ? length : sizeof asked - 1;
    memcpy(asked, from, length);
    asked[length] = '\0';
    if (asked[0] == '\0') {
        put_topics(words, &text);
    } else {
        put_asked(words, asked, &text);
    }
    return text.length;
}
