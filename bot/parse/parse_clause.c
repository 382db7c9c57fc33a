#include <stdio.h>
#include <string.h>

#include "bot/parse/parse_impl.h"
#include "bot/text/text.h"

/* Copies a piece of the line as typed, cut between letters. */
static void copy_words(const struct line *line, struct span range, char *out, size_t size)
{
    out[0] = '\0';
    if (range.from >= range.to || range.to > line->count) {
        return;
    }
    const char *from = line->raw + line->tokens[range.from].raw;
    size_t length = (size_t)(line->tokens[range.to - 1].raw_end - line->tokens[range.from].raw);
    if (length >= size) {
        length = size - 1;
        while (length > 0 && ((unsigned char)from[length] & 0xC0) == 0x80) {
            length--;
        }
    }
    memcpy(out, from, length);
    out[length] = '\0';
}

bool parse_fault(struct parser *p, enum refusal_code code, struct span range, const char *expected)
{
    struct parse_error *error = p->error;
    if (error->why.code != REFUSAL_NONE && error->why.code <= code) {
        return false;
    }
    refuse(&error->why, code, "");
    copy_words(&p->line, range, error->words, sizeof error->words);
    (void)snprintf(error->expected, sizeof error->expected, "%s", expected);
    error->verb = p->entry != NULL ? p->entry->word : NULL;
    error->candidate_count = 0;
    error->several_verbs = false;
    return true;
}

static bool takes_several(const struct parser *p, unsigned key)
{
    const unsigned verb = p->request->command.verb;
    return key == KEY_OFFERING || (key == KEY_FOR && (verb == VERB_OFFER || verb == VERB_ASK));
}

static void expected_words(char *out, size_t size, enum text_id id, const struct text_arg *args)
{
    struct text_out text;
    text_begin(&text, out, size);
    text_put(&text, id, args);
}

static void open_clause(struct parser *p, unsigned key, uint16_t at, unsigned allowed)
{
    struct span word = {at, (uint16_t)(at + 1)};
    char text[96];
    if ((allowed >> key & 1u) == 0) {
        expected_words(text, sizeof text, TEXT_EXPECT_NO_KEY,
                       TEXT_ARGS(text_str("verb", p->entry->word), text_str("key", key_name(key))));
        parse_fault(p, REFUSAL_BAD_ARGUMENTS, word, text);
    } else if (parse_has(p, key) && !takes_several(p, key)) {
        expected_words(text, sizeof text, TEXT_EXPECT_KEY_ONCE,
                       TEXT_ARGS(text_str("key", key_name(key))));
        parse_fault(p, REFUSAL_BAD_ARGUMENTS, word, text);
    }
    if (p->clause_count == CLAUSES_MAX) {
        parse_fault(p, REFUSAL_BAD_ARGUMENTS, word, text_sentence(TEXT_EXPECT_FEWER_KEY_WORDS));
        return;
    }
    p->clauses[p->clause_count++] =
        (struct clause){.key = (uint8_t)key, .range = {(uint16_t)(at + 1), (uint16_t)(at + 1)}};
}

void parse_clauses(struct parser *p, uint16_t from, unsigned allowed)
{
    const struct line *line = &p->line;
    p->clauses[0] = (struct clause){.key = KEY_NONE, .range = {from, from}};
    p->clause_count = 1;
    for (uint16_t at = from; at < line->count;) {
        struct clause *clause = &p->clauses[p->clause_count - 1];
        unsigned key = line->tokens[at].key;
        bool begins = at == clause->range.from || line->tokens[at - 1].kind == TOKEN_COMMA;
        // The longest run of words that is a full name comes before key words; a name that begins
        // with one must stand where names begin.
        unsigned run = key == KEY_NONE || begins ? item_full_name(p, at, line->count) : 0;
        if (key != KEY_NONE && run == 0) {
            open_clause(p, key, at, allowed);
            at++;
            continue;
        }
        at = (uint16_t)(at + (run > 0 ? run : 1));
        clause->range.to = at;
    }
    for (unsigned i = 1; i < p->clause_count; i++) {
        const struct clause *clause = &p->clauses[i];
        if (clause->range.from == clause->range.to) {
            char text[48];
            struct span word = {(uint16_t)(clause->range.from - 1), clause->range.from};
            expected_words(text, sizeof text, TEXT_EXPECT_AFTER_KEY,
                           TEXT_ARGS(text_str("key", key_name(clause->key))));
            parse_fault(p, REFUSAL_BAD_ARGUMENTS, word, text);
        }
    }
}

struct span parse_clause(struct parser *p, unsigned key)
{
    for (unsigned i = 0; i < p->clause_count; i++) {
        if (p->clauses[i].key == key) {
            return p->clauses[i].range;
        }
    }
    return (struct span){0, 0};
}

bool parse_has(const struct parser *p, unsigned key)
{
    for (unsigned i = 0; i < p->clause_count; i++) {
        if (p->clauses[i].key == key) {
            return true;
        }
    }
    return false;
}

bool parse_next_item(struct parser *p, struct span *rest, struct span *item)
{
    const struct token *tokens = p->line.tokens;
    while (rest->from < rest->to && tokens[rest->from].kind == TOKEN_COMMA) {
        rest->from++;
    }
    *item = (struct span){rest->from, rest->from};
    while (item->to < rest->to && tokens[item->to].kind != TOKEN_COMMA) {
        item->to++;
    }
    rest->from = item->to;
    return item->from < item->to;
}

bool parse_one_item(struct parser *p, struct span range, const char *expected)
{
    if (range.from == range.to) {
        parse_fault(p, REFUSAL_BAD_ARGUMENTS, range, expected);
        return false;
    }
    for (uint16_t at = range.from; at < range.to; at++) {
        if (p->line.tokens[at].kind == TOKEN_COMMA) {
            parse_fault(p, REFUSAL_BAD_ARGUMENTS, range, expected);
            return false;
        }
    }
    return true;
}

int parse_number(const struct line *line, struct span range)
{
    static const char *const NUMBERS[] = {"no",  "one",   "two",   "three", "four", "five",
                                          "six", "seven", "eight", "nine",  "ten"};
    if (range.to - range.from != 1) {
        return -1;
    }
    for (size_t i = 0; i < sizeof NUMBERS / sizeof NUMBERS[0]; i++) {
        if (line_is(line, range, NUMBERS[i])) {
            return (int)i;
        }
    }
    if (line_is(line, range, "a") || line_is(line, range, "an")) {
        return 1;
    }
    const struct token *token = &line->tokens[range.from];
    if (token->kind == TOKEN_NTH || token->end - token->at > 4) {
        return -1;
    }
    int number = 0;
    for (uint16_t at = token->at; at < token->end; at++) {
        if (line->text[at] < '0' || line->text[at] > '9') {
            return -1;
        }
        number = number * 10 + (line->text[at] - '0');
    }
    return number;
}
