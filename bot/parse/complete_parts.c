// Lines as parts, and how what is typed fits a part of a phrase.
#include <string.h>

#include <strings.h>

#include "bot/parse/complete_impl.h"
#include "bot/parse/parse_impl.h"

static bool is_key(const char *word, size_t length)
{
    for (unsigned key = KEY_NONE + 1; key < KEY_TOTAL; key++) {
        const char *const name = key_name(key);
        if (strlen(name) == length && strncasecmp(name, word, length) == 0) {
            return true;
        }
    }
    return false;
}

// Bytes up to the end of a word; what stands in quotes is one.
static size_t word_length(const char *at)
{
    if (*at == '"') {
        const char *const end = strchr(at + 1, '"');
        return end == NULL ? strlen(at) : (size_t)(end - at) + 1;
    }
    return strcspn(at, " ");
}

static void add_awkward(struct awkward *awkward, const char *name)
{
    for (const char *at = name; *at != '\0';) {
        const size_t length = strcspn(at, " ");
        if (is_key(at, length) && awkward->count < AWKWARD_MAX) {
            awkward->names[awkward->count++] = name;
            return;
        }
        at += length + strspn(at + length, " ");
    }
}

void awkward_find(struct awkward *awkward, const struct table_words *words)
{
    awkward->count = 0;
    for (unsigned i = 0; i < MB_SEATS_MAX; i++) {
        if (words->players[i] != NULL) {
            add_awkward(awkward, words->players[i]);
        }
    }
    for (uint16_t def = 0; words->box != NULL && def < words->box->def_count; def++) {
        add_awkward(awkward, catalog_name(words->catalog, def));
    }
}

// Whether a word stands within one of those names, or within what is typed of one.
static bool within_name(const char *text, size_t word, const struct awkward *awkward)
{
    for (unsigned i = 0; i < awkward->count; i++) {
        const size_t whole = strlen(awkward->names[i]);
        for (size_t at = word > whole ? word - whole : 0; at < word; at++) {
            const bool begins = at == 0 || text[at - 1] == ' ';
            const size_t rest = strlen(text + at);
            const size_t length = rest < whole ? rest : whole;
            if (begins && at + length > word &&
                strncasecmp(text + at, awkward->names[i], length) == 0) {
                return true;
            }
        }
    }
    return false;
}

static void add_part(struct parts *parts, size_t at, size_t text)
{
    if (parts->count < PARTS_MAX) {
        parts->part[parts->count++] = (struct part){(uint16_t)at, (uint16_t)text, (uint16_t)text};
    }
}

void parts_read(struct parts *parts, const char *text, const struct awkward *awkward)
{
    size_t at = strspn(text, " ");
    *parts = (struct parts){.text = text};
    add_part(parts, at, at);
    for (bool first = true; text[at] != '\0'; first = false) {
        const size_t length = word_length(text + at);
        const size_t next = at + length + strspn(text + at + length, " ");
        const bool behind = text[at + length] == ' ';
        struct part *const last = &parts->part[parts->count - 1];
        if (!first && behind && parts->count > 1 && is_key(text + at, length) &&
            !within_name(text, at, awkward)) {
            add_part(parts, at, next);
        } else {
            last->end = (uint16_t)(at + length);
            if (first && behind) {
                add_part(parts, next, next);
            }
        }
        at = next;
    }
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
    char wanted[NAMES_NORMAL_MAX];
    char normal[NAMES_NORMAL_MAX];
    if (typed_length <= name_length && strncasecmp(typed, name, typed_length) == 0) {
        return true;
    }
    const size_t length = names_normal(typed, typed_length, wanted, sizeof wanted);
    (void)names_normal(name, name_length, normal, sizeof normal);
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
    char wanted[NAMES_NORMAL_MAX];
    char whole[PHRASE_SIZE];
    const size_t length = names_normal(typed, typed_length, wanted, sizeof wanted);
    if (length == 0 || name_length >= sizeof whole) {
        return false;
    }
    memcpy(whole, name, name_length);
    whole[name_length] = '\0';
    return names_fit(wanted, length, whole) != NAME_NONE;
}

bool parts_is_whole(const char *typed, const char *name, size_t name_length)
{
    char wanted[NAMES_NORMAL_MAX];
    char normal[NAMES_NORMAL_MAX];
    const size_t typed_length = strlen(typed);
    (void)names_normal(typed, typed_length, wanted, sizeof wanted);
    (void)names_normal(name, name_length, normal, sizeof normal);
    return typed_length > 0 && typed[typed_length - 1] == ' ' && strcmp(wanted, normal) == 0;
}
