#include "bot/parse/parse.h"

#include <string.h>

#include "bot/parse/parse_impl.h"
#include "bot/text/text.h"

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
