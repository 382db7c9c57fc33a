#include <stdio.h>
#include <string.h>

#include "core/codec/suggest.h"

#include "bot/parse/parse_impl.h"
#include "bot/text/text.h"

#define KEY_BIT(key) (1u << KEY_##key)

// One row a verb; spec/interface.md section 2 holds the grammar.
static const struct verb_entry VERBS[] = {
    {"kick", REQUEST_GAME, VERB_KICK, 0, read_nothing},
    {"take", REQUEST_GAME, VERB_TAKE, 0, read_nothing},
    {"fight", REQUEST_GAME, VERB_FIGHT, 0, read_card},
    {"loot", REQUEST_GAME, VERB_LOOT, 0, read_nothing},
    {"done", REQUEST_GAME, VERB_DONE, 0, read_nothing},
    {"play", REQUEST_GAME, VERB_PLAY,
     KEY_BIT(ON) | KEY_BIT(FOR) | KEY_BIT(WITH) | KEY_BIT(REPLACING), read_play},
    {"lay", REQUEST_GAME, VERB_LAY, 0, read_card},
    {"equip", REQUEST_GAME, VERB_EQUIP, 0, read_card},
    {"unequip", REQUEST_GAME, VERB_UNEQUIP, 0, read_card},
    {"hand-over", REQUEST_GAME, VERB_HAND_OVER, KEY_BIT(TO), read_hand_over},
    {"discard", REQUEST_GAME, VERB_DISCARD, 0, read_cards},
    {"use", REQUEST_GAME, VERB_USE, KEY_BIT(WITH) | KEY_BIT(ON), read_use},
    {"sell", REQUEST_GAME, VERB_SELL, 0, read_cards},
    {"give", REQUEST_GAME, VERB_GIVE, KEY_BIT(TO), read_gift},
    {"offer", REQUEST_GAME, VERB_OFFER, KEY_BIT(FOR) | KEY_BIT(TO), read_offer},
    {"accept", REQUEST_GAME, VERB_ACCEPT, 0, read_deal_number},
    {"refuse", REQUEST_GAME, VERB_REFUSE, 0, read_deal_number},
    {"withdraw", REQUEST_GAME, VERB_WITHDRAW, 0, read_deal_number},
    {"ask", REQUEST_GAME, VERB_ASK,
     KEY_BIT(OFFERING) | KEY_BIT(FOR) | KEY_BIT(PICKING) | KEY_BIT(PROMISING), read_ask},
    {"volunteer", REQUEST_GAME, VERB_VOLUNTEER, KEY_BIT(FOR) | KEY_BIT(PICKING), read_volunteer},
    {"pass", REQUEST_GAME, VERB_PASS, 0, read_nothing},
    {"hold", REQUEST_GAME, VERB_HOLD, 0, read_nothing},
    {"run", REQUEST_GAME, VERB_RUN, 0, read_run},
    {"sacrifice", REQUEST_GAME, VERB_SACRIFICE, KEY_BIT(WITH), read_sacrifice},
    {"choose", REQUEST_GAME, VERB_CHOOSE, 0, read_choose},
    {"charity", REQUEST_GAME, VERB_CHARITY, KEY_BIT(TO), read_gift},
    {"show", REQUEST_GAME, VERB_SHOW, KEY_BIT(TO), read_show},
    {"why", REQUEST_WHY, VERB_NONE, 0, NULL},
    {"new", REQUEST_NEW, VERB_NONE, 0, read_text},
    {"join", REQUEST_JOIN, VERB_NONE, 0, read_join},
    {"leave", REQUEST_LEAVE, VERB_NONE, 0, read_nothing},
    {"add-bot", REQUEST_ADD_BOT, VERB_NONE, 0, read_text},
    {"remove", REQUEST_REMOVE, VERB_NONE, 0, read_person},
    {"start", REQUEST_START, VERB_NONE, 0, read_nothing},
    {"pause", REQUEST_PAUSE, VERB_NONE, 0, read_nothing},
    {"resume", REQUEST_RESUME, VERB_NONE, 0, read_nothing},
    {"end", REQUEST_END, VERB_NONE, 0, read_nothing},
    {"status", REQUEST_STATUS, VERB_NONE, 0, read_nothing},
    {"log", REQUEST_LOG, VERB_NONE, 0, read_log},
    {"hand", REQUEST_HAND, VERB_NONE, 0, read_nothing},
    {"card", REQUEST_CARD, VERB_NONE, 0, read_definition},
    {"rules", REQUEST_RULES, VERB_NONE, 0, read_text},
    {"help", REQUEST_HELP, VERB_NONE, 0, read_text},
    {"score", REQUEST_SCORE, VERB_NONE, 0, read_nothing},
    {"stats", REQUEST_STATS, VERB_NONE, 0, read_person},
    {"orders", REQUEST_ORDERS, VERB_NONE, 0, read_orders},
    {"undo", REQUEST_UNDO, VERB_NONE, 0, read_text},
};

enum { VERB_ENTRIES = sizeof VERBS / sizeof VERBS[0] };

/* Whether words in normal form are just the verb; "hand over" and "hand-over" are the same. */
static bool is_verb(const char *text, size_t length, const char *word)
{
    size_t at = 0;
    while (at < length && word[at] != '\0' &&
           (text[at] == word[at] || (text[at] == ' ' && word[at] == '-'))) {
        at++;
    }
    return at == length && word[at] == '\0';
}

/* The longest verb that the words begin with counts. */
static const struct verb_entry *full_verb(const struct line *line, uint16_t from, uint16_t *after)
{
    const struct verb_entry *best = NULL;
    for (size_t i = 0; i < VERB_ENTRIES; i++) {
        for (uint16_t to = (uint16_t)(from + 1); to <= line->count && to <= from + 2; to++) {
            const char *text = line->text + line->tokens[from].at;
            size_t length = line_length(line, (struct span){from, to});
            if (is_verb(text, length, VERBS[i].word) && (best == NULL || to > *after)) {
                best = &VERBS[i];
                *after = to;
            }
        }
    }
    return best;
}

/* Verbs that a word begins. */
struct begun {
    unsigned count;
    const struct verb_entry *entries[VERB_ENTRIES];
};

static void begun_find(const struct line *line, uint16_t from, struct begun *begun)
{
    const char *text = line->text + line->tokens[from].at;
    size_t length = line_length(line, (struct span){from, (uint16_t)(from + 1)});
    begun->count = 0;
    for (size_t i = 0; i < VERB_ENTRIES; i++) {
        if (names_fit(text, length, VERBS[i].word) == NAME_BEGINS) {
            begun->entries[begun->count++] = &VERBS[i];
        }
    }
}

/* Keeps those of which the test holds; all of them if it holds of none. */
static void begun_keep(struct parser *p, struct begun *begun,
                       bool (*test)(struct parser *p, const struct verb_entry *entry))
{
    struct begun kept = {.count = 0};
    for (unsigned i = 0; i < begun->count; i++) {
        if (test(p, begun->entries[i])) {
            kept.entries[kept.count++] = begun->entries[i];
        }
    }
    *begun = kept.count > 0 ? kept : *begun;
}

static bool takes_more(struct parser *p, const struct verb_entry *entry)
{
    (void)p;
    return entry->read != read_nothing;
}

static bool may_be_asked_about(struct parser *p, const struct verb_entry *entry)
{
    (void)p;
    return entry->kind == REQUEST_GAME || entry->kind == REQUEST_WHY;
}

/* What the typist may do or look at now. Commands about a table under way are rare and grave: they
 * do not stand in the way of others. */
static bool may_be_done(struct parser *p, const struct verb_entry *entry)
{
    const bool game = p->words->view != NULL;
    if (entry->kind == REQUEST_GAME) {
        return game && legal_verb(p, entry->verb);
    }
    return !game || entry->kind < REQUEST_NEW || entry->kind > REQUEST_END;
}

static void fault_several(struct parser *p, struct span word, const struct begun *begun)
{
    const char *words[VERB_ENTRIES];
    char list[160];
    struct text_out text;
    for (unsigned i = 0; i < begun->count; i++) {
        words[i] = begun->entries[i]->word;
    }
    text_begin(&text, list, sizeof list);
    text_list(&text, words, begun->count, TEXT_OR);
    if (parse_fault(p, REFUSAL_UNKNOWN_COMMAND, word, list)) {
        p->error->several_verbs = true;
    }
}

static void fault_unknown(struct parser *p, struct span word)
{
    char text[48];
    const struct line *line = &p->line;
    (void)snprintf(text, sizeof text, "%.*s", (int)line_length(line, word),
                   line->text + line->tokens[word.from].at);
    struct suggestion near = {.word = text};
    for (size_t i = 0; i < VERB_ENTRIES; i++) {
        suggest_try(&near, VERBS[i].word);
    }
    parse_fault(p, REFUSAL_UNKNOWN_COMMAND, word,
                near.best != NULL ? near.best : text_sentence(TEXT_EXPECT_HELP));
}

unsigned parse_verb(const char *word)
{
    char normal[32];
    size_t length = names_normal(word, strlen(word), normal, sizeof normal);
    for (size_t i = 0; i < VERB_ENTRIES; i++) {
        if (names_fit(normal, length, VERBS[i].word) == NAME_FULL) {
            return VERBS[i].verb;
        }
    }
    return VERB_NONE;
}

const char *parse_command(unsigned n)
{
    return n < VERB_ENTRIES ? VERBS[n].word : NULL;
}

const struct verb_entry *verb_read(struct parser *p, uint16_t from, uint16_t *after)
{
    const struct line *line = &p->line;
    const struct span word = {from, (uint16_t)(from + 1)};
    struct begun begun;
    *after = word.to;
    if (from >= line->count) {
        parse_fault(p, REFUSAL_BAD_ARGUMENTS, (struct span){0, 0},
                    text_sentence(TEXT_EXPECT_A_COMMAND));
        return NULL;
    }
    const struct verb_entry *entry = full_verb(line, from, after);
    if (entry != NULL) {
        return entry;
    }
    begun_find(line, from, &begun);
    if (begun.count > 1 && from > 0) { // behind "why"
        begun_keep(p, &begun, may_be_asked_about);
    }
    if (begun.count > 1 && word.to < line->count) {
        begun_keep(p, &begun, takes_more);
    }
    if (begun.count > 1) {
        begun_keep(p, &begun, may_be_done);
    }
    if (begun.count == 1) {
        return begun.entries[0];
    }
    if (begun.count > 1) {
        fault_several(p, word, &begun);
    } else {
        fault_unknown(p, word);
    }
    return NULL;
}
