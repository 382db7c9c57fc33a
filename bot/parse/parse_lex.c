#include <string.h>

#include "core/codec/normal.h"
#include "core/codec/utf8.h"

#include "bot/parse/parse_impl.h"
#include "bot/text/text.h"

static const char *const KEY_NAMES[KEY_TOTAL] = {
    [KEY_NONE] = "",
    [KEY_ON] = "on",
    [KEY_WITH] = "with",
    [KEY_FOR] = "for",
    [KEY_TO] = "to",
    [KEY_REPLACING] = "replacing",
    [KEY_OFFERING] = "offering",
    [KEY_PROMISING] = "promising",
    [KEY_PICKING] = "picking",
};

const char *key_name(unsigned key)
{
    return KEY_NAMES[key];
}

static bool letter_read(const char **at, const char *end, uint32_t *code)
{
    const unsigned length = utf8_read(*at, (size_t)(end - *at), code);
    *at += length;
    return length > 0;
}

/* Letters that nobody sees, or that turn the text around: they could make a line look like another.
 */
static bool is_hidden(uint32_t code)
{
    return code != '\t' && unseen_code(code);
}

static bool is_blank(uint32_t code)
{
    return code == ' ' || code == '\t' || code == 0xA0 || code == 0x1680 ||
           (code >= 0x2000 && code <= 0x200A) || code == 0x202F || code == 0x205F || code == 0x3000;
}

static bool is_double_quote(uint32_t code)
{
    return code == '"' || (code >= 0x201C && code <= 0x201F) || code == 0xAB || code == 0xBB;
}

static bool is_single_quote(uint32_t code)
{
    return code == '\'' || (code >= 0x2018 && code <= 0x201B);
}

static bool is_comma(uint32_t code)
{
    return code == ',' || code == 0xFF0C || code == 0x3001;
}

/* What is being cut: a checked line. */
struct scan {
    struct line *line;
    const struct catalog *catalog;
    const char *at, *end;
    const char *quote_end; // the closing quote, while within quotes
    uint8_t set;           // "set:" said just before
    bool full;             // more than the line holds
};

static uint32_t peek(const char *at, const char *end)
{
    uint32_t code = 0;
    return at < end && letter_read(&at, end, &code) ? code : 0;
}

static void put(struct scan *scan, char c)
{
    struct line *line = scan->line;
    if (line->length + 1 >= LINE_TEXT_MAX) {
        scan->full = true;
        return;
    }
    line->text[line->length++] = c;
}

static struct token *add_token(struct scan *scan, enum token_kind kind, const char *from,
                               const char *to)
{
    struct line *line = scan->line;
    if (line->count == LINE_TOKENS_MAX) {
        scan->full = true;
        return NULL;
    }
    if (kind != TOKEN_COMMA && line->count > 0 &&
        line->tokens[line->count - 1].kind != TOKEN_COMMA) {
        put(scan, ' ');
    }
    struct token *token = &line->tokens[line->count++];
    *token = (struct token){.kind = (uint8_t)kind,
                            .at = line->length,
                            .raw = (uint16_t)(from - line->raw),
                            .raw_end = (uint16_t)(to - line->raw),
                            .set = NO_SET};
    return token;
}

static bool at_name_start(const struct scan *scan)
{
    const struct line *line = scan->line;
    if (line->count <= 2 || scan->set != NO_SET) {
        return true;
    }
    const struct token *last = &line->tokens[line->count - 1];
    struct span range = {(uint16_t)(line->count - 1), line->count};
    return last->kind == TOKEN_COMMA || last->key != KEY_NONE || line_is(line, range, "of");
}

/* The closing quote that belongs to an opening one, or NULL. */
static const char *closing_quote(const struct scan *scan, const char *after, bool single)
{
    uint32_t last = 0;
    for (const char *at = after; at < scan->end;) {
        const char *here = at;
        uint32_t code = 0;
        letter_read(&at, scan->end, &code);
        uint32_t next = peek(at, scan->end);
        bool ends_word = at == scan->end || is_blank(next) || is_comma(next);
        if (single ? is_single_quote(code) && ends_word && last != 0 && !is_blank(last)
                   : is_double_quote(code)) {
            return here;
        }
        last = code;
    }
    return NULL;
}

static bool opens_quote(struct scan *scan, uint32_t code, const char *after)
{
    bool single = is_single_quote(code);
    if (scan->quote_end != NULL || (single ? !at_name_start(scan) : !is_double_quote(code))) {
        return false;
    }
    scan->quote_end = closing_quote(scan, after, single);
    return scan->quote_end != NULL;
}

/* "set:" at the word's beginning is taken off and remembered. */
static const char *take_set(struct scan *scan, const char *from, const char *to)
{
    const char *colon = memchr(from, ':', (size_t)(to - from));
    char id[64];
    if (colon == NULL || (size_t)(colon - from) >= sizeof id || scan->catalog == NULL) {
        return from;
    }
    memcpy(id, from, (size_t)(colon - from));
    id[colon - from] = '\0';
    uint8_t set = catalog_find_set(scan->catalog, id);
    if (set == NO_SET) {
        return from;
    }
    scan->set = set;
    return colon + 1;
}

static bool take_nth(struct scan *scan, const char *from, const char *to)
{
    if (scan->quote_end != NULL || *from != '#' || to - from < 2 || to - from > 5) {
        return false;
    }
    unsigned number = 0;
    for (const char *digit = from + 1; digit < to; digit++) {
        if (*digit < '0' || *digit > '9') {
            return false;
        }
        number = number * 10 + (unsigned)(*digit - '0');
    }
    struct token *token = add_token(scan, TOKEN_NTH, from, to);
    if (token != NULL) {
        put(scan, '#');
        token->end = token->owner_end = scan->line->length;
        token->number = (uint16_t)number;
    }
    return true;
}

/* A printed prefix before a name: "Curse!", "Trap!", also with a colon. */
static bool is_prefix(const struct scan *scan, const char *normal, const char *to)
{
    if ((to[-1] != '!' && to[-1] != ':') ||
        (strcmp(normal, "curse") != 0 && strcmp(normal, "trap") != 0) || !at_name_start(scan) ||
        scan->line->count == 0) {
        return false;
    }
    const char *next = to;
    uint32_t code = 0;
    while (next < scan->end && is_blank(peek(next, scan->end))) {
        letter_read(&next, scan->end, &code);
    }
    return next < scan->end && next != scan->quote_end && !is_comma(peek(next, scan->end));
}

/* Whether a word is possessive; `drop` letters of its normal form are no part of the owner's name.
 */
static bool is_owner(const char *from, const char *to, unsigned *drop)
{
    size_t length = (size_t)(to - from);
    static const char *const MARKS[] = {"'", "\xE2\x80\x99"};
    for (size_t i = 0; i < sizeof MARKS / sizeof MARKS[0]; i++) {
        size_t mark = strlen(MARKS[i]);
        if (length > mark + 1 && (to[-1] | 0x20) == 's' &&
            memcmp(to - 1 - mark, MARKS[i], mark) == 0) {
            *drop = 1;
            return true;
        }
        if (length > mark + 1 && (to[-1 - (int)mark] | 0x20) == 's' &&
            memcmp(to - mark, MARKS[i], mark) == 0) {
            *drop = 0;
            return true;
        }
    }
    return false;
}

static uint8_t key_of(const char *normal, size_t raw_length)
{
    for (unsigned key = KEY_NONE + 1; key < KEY_TOTAL; key++) {
        if (strcmp(normal, KEY_NAMES[key]) == 0 && raw_length == strlen(KEY_NAMES[key])) {
            return (uint8_t)key;
        }
    }
    return KEY_NONE;
}

static void add_word(struct scan *scan, const char *from, const char *to)
{
    const char *raw = from;
    char normal[NORMAL_MAX];
    from = take_set(scan, from, to);
    if (from == to || take_nth(scan, from, to)) {
        return;
    }
    size_t length = normal_form(from, (size_t)(to - from), normal, sizeof normal);
    if (length + 1 >= sizeof normal) {
        scan->full = true;
        return;
    }
    if (length == 0 || is_prefix(scan, normal, to)) {
        return;
    }
    struct token *token = add_token(scan, TOKEN_WORD, raw, to);
    if (token == NULL) {
        return;
    }
    for (size_t i = 0; i < length; i++) {
        put(scan, normal[i]);
    }
    token->end = scan->line->length;
    token->set = scan->set;
    scan->set = NO_SET;
    unsigned drop = 0;
    token->flags = scan->quote_end != NULL ? TOKEN_QUOTED : 0;
    if (is_owner(from, to, &drop)) {
        token->flags |= TOKEN_OWNER;
    }
    token->owner_end = (uint16_t)(token->end - drop);
    if (*from == '(' && to[-1] == ')') {
        token->flags |= TOKEN_PAREN;
    }
    if (scan->quote_end == NULL && raw == from) {
        token->key = key_of(normal, (size_t)(to - from));
    }
}

/* The end of the word that begins here. */
static const char *word_end(const struct scan *scan)
{
    const char *at = scan->at;
    while (at < scan->end && at != scan->quote_end) {
        uint32_t code = peek(at, scan->end);
        if (is_blank(code) || (is_comma(code) && scan->quote_end == NULL)) {
            break;
        }
        letter_read(&at, scan->end, &code);
    }
    return at;
}

static void cut(struct scan *scan)
{
    while (scan->at < scan->end && !scan->full) {
        const char *here = scan->at;
        uint32_t code = 0;
        letter_read(&scan->at, scan->end, &code);
        if (is_blank(code)) {
            continue;
        }
        if (here == scan->quote_end) {
            scan->quote_end = NULL;
        } else if (is_comma(code) && scan->quote_end == NULL) {
            struct token *token = add_token(scan, TOKEN_COMMA, here, scan->at);
            put(scan, ',');
            if (token != NULL) {
                token->end = token->owner_end = scan->line->length;
            }
        } else if (!opens_quote(scan, code, scan->at)) {
            scan->at = here;
            scan->at = word_end(scan);
            add_word(scan, here, scan->at);
        }
    }
    scan->line->text[scan->line->length] = '\0';
}

bool line_read(struct line *line, const struct catalog *catalog, const char *text,
               const char **expected)
{
    const char *const too_long = text_sentence(TEXT_EXPECT_SHORT_LINE);
    line->raw = text;
    line->count = 0;
    line->length = 0;
    line->text[0] = '\0';
    line->leads.from = LINE_TOKENS_MAX;
    *expected = NULL;
    if (text == NULL) {
        return false;
    }
    const char *end = memchr(text, '\0', LINE_BYTES_MAX + 1);
    if (end == NULL) {
        *expected = too_long;
        return false;
    }
    while (text < end && (*text == ' ' || (*text >= '\t' && *text <= '\r'))) {
        text++;
    }
    while (text < end && (end[-1] == ' ' || (end[-1] >= '\t' && end[-1] <= '\r'))) {
        end--;
    }
    for (const char *at = text; at < end;) {
        uint32_t code = 0;
        if (*at >= ' ' && *at <= '~') {
            at++;
            continue;
        }
        if (!letter_read(&at, end, &code)) {
            *expected = text_sentence(TEXT_EXPECT_PLAIN_TEXT_IN_UTF_8);
            return false;
        }
        if (is_hidden(code)) {
            *expected = text_sentence(TEXT_EXPECT_VISIBLE);
            return false;
        }
    }
    if (end - text >= LINE_TEXT_MAX - 1) {
        *expected = too_long;
        return false;
    }
    line->raw = text;
    struct scan scan = {.line = line, .catalog = catalog, .at = text, .end = end, .set = NO_SET};
    cut(&scan);
    if (scan.full) {
        *expected = too_long;
    }
    return !scan.full && line->count > 0;
}

size_t line_length(const struct line *line, struct span range)
{
    if (range.from >= range.to) {
        return 0;
    }
    return (size_t)(line->tokens[range.to - 1].end - line->tokens[range.from].at);
}

bool line_is_copy_word(const struct line *line, struct span range)
{
    return line_is(line, range, "mate") || line_is(line, range, "duplicate");
}

bool line_is(const struct line *line, struct span range, const char *normal)
{
    size_t length = line_length(line, range);
    return length == strlen(normal) && length > 0 &&
           memcmp(line->text + line->tokens[range.from].at, normal, length) == 0;
}
