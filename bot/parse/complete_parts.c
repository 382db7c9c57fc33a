// Lines as parts, and how what is typed fits a part of a phrase.
#include <stdio.h>
#include <string.h>

#include <strings.h>

#include "core/codec/normal.h"

#include "bot/parse/complete_impl.h"
#include "bot/parse/parse_impl.h"

static void add_part(struct parts *parts, size_t at, size_t text)
{
    if (parts->count < PARTS_MAX) {
        parts->part[parts->count++] = (struct part){(uint16_t)at, (uint16_t)text, (uint16_t)text};
    }
}

// The last part ends before byte `to`, blanks behind it left out.
static void end_part(struct parts *parts, size_t to)
{
    struct part *const last = &parts->part[parts->count - 1];
    while (to > last->text && parts->text[to - 1] == ' ') {
        to--;
    }
    last->end = to > last->text ? (uint16_t)to : last->text;
}

// A quote that is still open is closed at the end: what stands in it is no key word.
static bool cut(struct line *line, const struct catalog *catalog, const char *text)
{
    char closed[PHRASE_SIZE + 1];
    const char *expected = NULL;
    bool open = false;
    for (const char *at = text; *at != '\0'; at++) {
        open = open != (*at == '"');
    }
    (void)snprintf(closed, sizeof closed, "%s%s", text, open ? "\"" : "");
    const bool read = line_read(line, catalog, closed, &expected);
    line->raw = text + (line->raw - closed);
    return read;
}

// Whether a player's name begins like an item up to a token: what is typed of "Bob to Fire".
static bool within_name(const struct table_words *words, const struct line *line, uint16_t item,
                        uint16_t token)
{
    const size_t length = line_length(line, (struct span){item, (uint16_t)(token + 1)});
    for (unsigned seat = 0; item < token && seat < MB_SEATS_MAX; seat++) {
        const char *const name = words->players[seat];
        if (name != NULL &&
            names_fit(line->text + line->tokens[item].at, length, name) >= NAME_BEGINS) {
            return true;
        }
    }
    return false;
}

void parts_read(struct parts *parts, const char *text, const struct table_words *words)
{
    struct line line;
    const size_t length = strlen(text);
    const size_t verb = strspn(text, " ");
    const size_t behind = verb + strcspn(text + verb, " ");
    *parts = (struct parts){.text = text};
    add_part(parts, verb, verb);
    end_part(parts, behind);
    if (text[behind] == '\0') {
        return;
    }
    const size_t rest = behind + strspn(text + behind, " ");
    add_part(parts, rest, rest);
    const uint16_t count = cut(&line, words->catalog, text) ? line.count : 0;
    uint16_t item = 1;
    for (uint16_t i = 1; i < count; i++) {
        const struct token *const token = &line.tokens[i];
        const size_t at = (size_t)(line.raw - text) + token->raw;
        const size_t end = (size_t)(line.raw - text) + token->raw_end;
        const bool key = token->key != KEY_NONE && text[end] == ' ';
        if (key && !within_name(words, &line, item, i)) {
            end_part(parts, at);
            add_part(parts, at, end + strspn(text + end, " "));
            item = (uint16_t)(i + 1);
        } else if (token->kind == TOKEN_COMMA) {
            item = (uint16_t)(i + 1);
        }
    }
    end_part(parts, length);
}

uint16_t parts_item(const struct parts *parts, const struct part *part)
{
    uint16_t item = part->text;
    bool quoted = false;
    for (uint16_t at = part->text; at < part->end; at++) {
        quoted = quoted != (parts->text[at] == '"');
        if (parts->text[at] == ',' && !quoted) {
            item = (uint16_t)(at + 1);
        }
    }
    while (parts->text[item] == ' ') {
        item++;
    }
    return item;
}

bool parts_begins(const char *typed, size_t typed_length, const char *name, size_t name_length)
{
    char wanted[NORMAL_MAX];
    char normal[NORMAL_MAX];
    if (typed_length <= name_length && strncasecmp(typed, name, typed_length) == 0) {
        return true;
    }
    const size_t length = normal_form(typed, typed_length, wanted, sizeof wanted);
    (void)normal_form(name, name_length, normal, sizeof normal);
    for (const char *word = normal; length > 0 && word != NULL; word = strchr(word, ' ')) {
        word += *word == ' ' ? 1 : 0;
        if (strncmp(word, wanted, length) == 0) {
            return true;
        }
    }
    return false;
}

bool parts_means(const char *typed, size_t typed_length, const char *name, size_t name_length)
{
    char wanted[NORMAL_MAX];
    char whole[PHRASE_SIZE];
    const size_t length = normal_form(typed, typed_length, wanted, sizeof wanted);
    if (length == 0 || name_length >= sizeof whole) {
        return false;
    }
    memcpy(whole, name, name_length);
    whole[name_length] = '\0';
    return names_fit(wanted, length, whole) != NAME_NONE;
}

bool parts_is_whole(const char *typed, const char *name, size_t name_length)
{
    char wanted[NORMAL_MAX];
    char normal[NORMAL_MAX];
    const size_t typed_length = strlen(typed);
    (void)normal_form(typed, typed_length, wanted, sizeof wanted);
    (void)normal_form(name, name_length, normal, sizeof normal);
    return typed_length > 0 && typed[typed_length - 1] == ' ' && strcmp(wanted, normal) == 0;
}
