#include "bot/parse/parse.h"

#include <stdio.h>
#include <string.h>

#include "core/codec/suggest.h"

#include "bot/parse/parse_impl.h"
#include "bot/text/text.h"

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
    const struct verb_entry *entry = NULL;
    const char *const text = line->text + line->tokens[from].at;
    while ((entry = verb_next(entry)) != NULL) {
        if (entry->word[0] != text[0]) {
            continue;
        }
        for (uint16_t to = (uint16_t)(from + 1); to <= line->count && to <= from + 2; to++) {
            const size_t length = line_length(line, (struct span){from, to});
            if (is_verb(text, length, entry->word) && (best == NULL || to > *after)) {
                best = entry;
                *after = to;
            }
        }
    }
    return best;
}

enum { VERB_ENTRIES_MAX = 64 };

/* Verbs that a word begins. */
struct begun {
    unsigned count;
    const struct verb_entry *entries[VERB_ENTRIES_MAX];
};

static void begun_find(const struct line *line, uint16_t from, struct begun *begun)
{
    const char *text = line->text + line->tokens[from].at;
    size_t length = line_length(line, (struct span){from, (uint16_t)(from + 1)});
    begun->count = 0;
    const struct verb_entry *entry = NULL;
    while (begun->count < VERB_ENTRIES_MAX && (entry = verb_next(entry)) != NULL) {
        if (names_fit(text, length, entry->word) == NAME_BEGINS) {
            begun->entries[begun->count++] = entry;
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
    return entry->form->read != read_nothing;
}

static bool may_be_asked_about(struct parser *p, const struct verb_entry *entry)
{
    (void)p;
    return entry->kind == REQUEST_GAME || entry->kind == REQUEST_WHY;
}

/* What the typist may do or look at now. Commands about a table under way, and about what is kept
 * of oneself, are rare and grave: they do not stand in the way of others. */
static bool may_be_done(struct parser *p, const struct verb_entry *entry)
{
    const bool game = p->words->view != NULL;
    if (entry->kind == REQUEST_GAME) {
        return game && legal_verb(p, entry->verb);
    }
    return entry->kind != REQUEST_PRIVACY && entry->kind != REQUEST_FORGET_ME &&
           (!game || entry->group != VERBS_TABLE);
}

static void fault_several(struct parser *p, struct span word, const struct begun *begun)
{
    const char *words[VERB_ENTRIES_MAX];
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

// The whole line, if that names a card or is numbers: who says "Magic Missile" or "4, 5" means
// that.
static struct span whole_or_word(const struct parser *p, struct span word)
{
    const struct span all = {word.from, p->line.count};
    char text[CATALOG_NAME_MAX + 1];
    bool ambiguous = false;
    (void)snprintf(text, sizeof text, "%.*s", (int)line_length(&p->line, all),
                   p->line.text + p->line.tokens[word.from].at);
    const bool card = p->words->box != NULL &&
                      names_find_def(p->words->catalog, p->words->box, text, &ambiguous) != NO_DEF;
    return card || text[strspn(text, "0123456789, ")] == '\0' ? all : word;
}

static void fault_unknown(struct parser *p, struct span word)
{
    char text[48];
    const struct line *line = &p->line;
    (void)snprintf(text, sizeof text, "%.*s", (int)line_length(line, word),
                   line->text + line->tokens[word.from].at);
    struct suggestion near = {.word = text};
    const struct verb_entry *entry = NULL;
    while ((entry = verb_next(entry)) != NULL) {
        suggest_try(&near, entry->word);
    }
    parse_fault(p, REFUSAL_UNKNOWN_COMMAND, whole_or_word(p, word),
                near.best != NULL ? near.best : text_sentence(TEXT_EXPECT_HELP));
}

// The verb a line begins with and how many tokens it takes; NULL after noting the fault.
static const struct verb_entry *verb_read(struct parser *p, uint16_t from, uint16_t *after)
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

static void start_request(const struct table_words *words, struct request *request)
{
    memset(request, 0, sizeof *request);
    request->player = NO_SEAT;
    request->card = NO_DEF;
    request->command = command_plain(words->seat, VERB_NONE);
}

static const struct verb_entry *entry_of(unsigned verb)
{
    const struct verb_entry *entry = verb_next(NULL);
    while (entry != NULL && (entry->kind != REQUEST_GAME || entry->verb != verb)) {
        entry = verb_next(entry);
    }
    return entry;
}

/* "why why kick" asks about kick. */
static const struct verb_entry *read_verbs(struct parser *p, uint16_t *after)
{
    uint16_t from = 0;
    bool why = false;
    if (choose_is_meant(p)) {
        *after = 0;
        p->request->kind = REQUEST_GAME;
        p->request->command.verb = VERB_CHOOSE;
        return entry_of(VERB_CHOOSE);
    }
    const unsigned answer = choose_as_offer(p);
    if (answer != VERB_NONE) {
        *after = p->line.count;
        p->request->kind = REQUEST_GAME;
        p->request->command.verb = (uint8_t)answer;
        return entry_of(answer);
    }
    if (choose_is_yes_or_no(p)) {
        parse_fault(p, REFUSAL_UNKNOWN_COMMAND, (struct span){0, 1},
                    text_sentence(TEXT_EXPECT_HELP));
        return NULL;
    }
    const struct verb_entry *entry = verb_read(p, from, after);
    while (entry != NULL && entry->kind == REQUEST_WHY) {
        why = true;
        from = *after;
        entry = verb_read(p, from, after);
    }
    if (entry != NULL && why && entry->kind != REQUEST_GAME) {
        parse_fault(p, REFUSAL_BAD_ARGUMENTS, (struct span){from, *after},
                    text_sentence(TEXT_EXPECT_GAME_COMMAND));
        return NULL;
    }
    if (entry != NULL) {
        p->request->kind = why ? REQUEST_WHY : (enum request_kind)entry->kind;
        p->request->command.verb = entry->verb;
    }
    return entry;
}

static void read_line(struct parser *p)
{
    const struct table_words *const words = p->words;
    uint16_t after = 0;
    p->entry = read_verbs(p, &after);
    if (p->entry == NULL) {
        return;
    }
    if (p->entry->kind == REQUEST_GAME && (words->view == NULL || words->box == NULL)) {
        parse_fault(p, REFUSAL_NO_TABLE, (struct span){0, 0},
                    text_sentence(TEXT_EXPECT_A_GAME_THAT_HAS_BEGUN));
        return;
    }
    if (p->entry->form->read == read_text) { // free words, no clauses
        p->clauses[0] = (struct clause){.range = {after, p->line.count}};
        p->clause_count = 1;
    } else {
        parse_clauses(p, after, p->entry->form->keys);
    }
    p->entry->form->read(p);
}

bool parse_request(const struct table_words *words, const char *text, struct request *out,
                   struct parse_error *error)
{
    struct parser p;
    const char *expected = NULL;
    p.words = words;
    p.entry = NULL;
    p.request = out;
    p.error = error;
    p.used_count = 0;
    p.clause_count = 0;
    legal_begin(&p.legal, true);
    start_request(words, out);
    memset(error, 0, sizeof *error);
    if (!line_read(&p.line, words->catalog, text, &expected)) {
        p.line.count = 0; // nothing of it is repeated
        parse_fault(&p, expected != NULL ? REFUSAL_BAD_ARGUMENTS : REFUSAL_UNKNOWN_COMMAND,
                    (struct span){0, 0},
                    expected != NULL ? expected : text_sentence(TEXT_EXPECT_HELP));
        return false;
    }
    read_line(&p);
    legal_end(&p.legal);
    return error->why.code == REFUSAL_NONE;
}
