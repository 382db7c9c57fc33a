/*
 * Every legal move becomes phrases as parse_format() words them; the line is laid beside each, part
 * by part, and where the typed part fits, the phrase's part is a candidate.
 */
#include "bot/parse/complete.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <strings.h>

#include "core/codec/memory.h"

#include "bot/parse/parse_impl.h"
#include "bot/parse/verb.h"
#include "bot/text/rules.h"

// Lines as parts, and how what is typed fits a part of a phrase.

#include <stdio.h>
#include <string.h>

#include <strings.h>

#include "core/codec/normal.h"

#include "bot/parse/parse_impl.h"

enum { PARTS_MAX = 12, PHRASE_SIZE = 1024 };

/** A key word with what follows it, or what follows the verb: bytes of a text. */
struct part {
    uint16_t at;   /**< with the key word */
    uint16_t text; /**< behind the key word */
    uint16_t end;  /**< blanks behind it are not part of it */
};

/** A line or a phrase: the first part is the verb. */
struct parts {
    const char *text;
    unsigned count;
    struct part part[PARTS_MAX];
};

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
static bool cut_tokens(struct line *line, const struct catalog *catalog, const char *text)
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

// By the tokens of parse_lex: what stands in quotes holds no key words, closed or not, nor what is
// typed of a player's name. The text is shorter than PHRASE_SIZE.
static void parts_read(struct parts *parts, const char *text, const struct table_words *words)
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
    const uint16_t count = cut_tokens(&line, words->catalog, text) ? line.count : 0;
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

// Where the last item of a list begins: behind the last comma outside of quotes, if any.
static uint16_t parts_item(const struct parts *parts, const struct part *part)
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

// Whether what is typed may become the name: it begins it, or a word of it.
static bool parts_begins(const char *typed, size_t typed_length, const char *name,
                         size_t name_length)
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

// Whether what is typed means the name: all of it, its beginning or some words.
static bool parts_means(const char *typed, size_t typed_length, const char *name,
                        size_t name_length)
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

// Whether the whole name is typed, and a blank behind it: it is settled.
static bool parts_is_whole(const char *typed, const char *name, size_t name_length)
{
    char wanted[NORMAL_MAX];
    char normal[NORMAL_MAX];
    const size_t typed_length = strlen(typed);
    (void)normal_form(typed, typed_length, wanted, sizeof wanted);
    (void)normal_form(name, name_length, normal, sizeof normal);
    return typed_length > 0 && typed[typed_length - 1] == ' ' && strcmp(wanted, normal) == 0;
}

// One call: the line up to the cursor, and what has been found.
struct completion {
    const struct table_words *words;
    struct complete_list *out;
    struct parts typed;
    size_t base; /**< what stood before the line's own beginning ("why ") */
    char line[PHRASE_SIZE];
};

// A phrase and which of its parts are open lists.
struct phrase {
    char text[PHRASE_SIZE];
    struct parts parts;
    unsigned open; /**< bits of parts */
    unsigned rank; /**< how many alike may have been named before */
};

void complete_add(struct complete_list *list, const char *text, bool goes_on)
{
    unsigned at = 0;
    int order = -1;
    while (at < list->count && (order = strcasecmp(list->items[at].text, text)) < 0) {
        at++;
    }
    if (at < list->count && order == 0) {
        list->items[at].goes_on = list->items[at].goes_on || goes_on;
        return;
    }
    if (list->count == COMPLETE_MAX || strlen(text) >= COMPLETE_TEXT_SIZE) {
        list->overflow = true;
        return;
    }
    memmove(&list->items[at + 1], &list->items[at], (list->count - at) * sizeof list->items[0]);
    list->count++;
    struct complete_item *const item = &list->items[at];
    memcpy(item->text, text, strlen(text) + 1);
    item->goes_on = goes_on;
}

// Candidates that begin at one place of the line only: that of the longest typed text.
static void add_candidate(struct completion *c, size_t from, const char *text, size_t length,
                          bool goes_on)
{
    char item[COMPLETE_TEXT_SIZE];
    if (length == 0 || length >= sizeof item) {
        return;
    }
    if (c->out->count == 0 || c->base + from < c->out->from) {
        c->out->from = c->base + from;
        c->out->count = 0;
    }
    if (c->base + from == c->out->from) {
        memcpy(item, text, length);
        item[length] = '\0';
        complete_add(c->out, item, goes_on);
    }
}

// How often the list that is being typed names this already.
static unsigned named_before(const struct completion *c, const struct part *part, uint16_t item,
                             const char *name, size_t length)
{
    unsigned times = 0;
    const char *at = c->typed.text + part->text;
    for (;;) {
        const size_t end = strcspn(at, ",");
        if (at + end >= c->typed.text + item) {
            return times; // the item being typed
        }
        times += parts_means(at, end, name, length) ? 1 : 0;
        at += end + 1;
    }
}

// Whether a part typed before fits the phrase's.
static bool part_fits(const struct completion *c, const struct phrase *phrase, unsigned index)
{
    const struct part *const typed = &c->typed.part[index];
    const struct part *const part = &phrase->parts.part[index];
    const char *const line = c->typed.text != NULL ? c->typed.text : "";
    const size_t key = (size_t)(part->text - part->at);
    if ((size_t)(typed->text - typed->at) < key ||
        strncasecmp(line + typed->at, phrase->text + part->at, key) != 0) {
        return false;
    }
    const bool empty = typed->text == typed->end && part->text == part->end;
    return empty || (phrase->open & 1u << index) != 0 ||
           parts_means(line + typed->text, (size_t)(typed->end - typed->text),
                       phrase->text + part->text, (size_t)(part->end - part->text));
}

// The part being typed may become the phrase's part, or one item of its list.
static void try_same_part(struct completion *c, const struct phrase *phrase, unsigned index)
{
    const struct part *const typed = &c->typed.part[index];
    const struct part *const part = &phrase->parts.part[index];
    const char *const line = c->typed.text;
    const size_t key = (size_t)(part->text - part->at);
    const bool open = (phrase->open & 1u << index) != 0;
    const uint16_t from = open ? parts_item(&c->typed, typed) : typed->text;
    const uint16_t begin = open ? parts_item(&phrase->parts, part) : part->text;
    const char *const name = phrase->text + begin;
    const size_t length = (size_t)(part->end - begin);
    // "offering 2 treasures, Mace": the number comes first, and once.
    const bool number = open && name[0] >= '0' && name[0] <= '9';
    if ((number && from > typed->text) || (size_t)(typed->text - typed->at) < key ||
        strncasecmp(line + typed->at, phrase->text + part->at, key) != 0 ||
        !parts_begins(line + from, strlen(line + from), name, length) ||
        parts_is_whole(line + from, name, length) ||
        (open && named_before(c, typed, from, name, length) != phrase->rank)) {
        return;
    }
    add_candidate(c, from, name, length, index + 1 < phrase->parts.count);
}

// The part being typed is the phrase's, and the next one has begun: a blank, or its first letters.
static void try_next_part(struct completion *c, const struct phrase *phrase, unsigned index)
{
    const struct part *const typed = &c->typed.part[index];
    const char *const line = c->typed.text;
    const char *const blank = strrchr(line + typed->text, ' ');
    const char *const begun = blank != NULL ? blank + 1 : line + typed->text;
    if (index + 1 >= phrase->parts.count) {
        return;
    }
    const struct part *const part = &phrase->parts.part[index];
    const struct part *const next = &phrase->parts.part[index + 1];
    const size_t key = (size_t)(part->text - part->at);
    size_t length = (size_t)(begun - (line + typed->text));
    while (length > 0 && line[typed->text + length - 1] == ' ') {
        length--;
    }
    bool fits = parts_means(line + typed->text, length, phrase->text + part->text,
                            (size_t)(part->end - part->text));
    if ((phrase->open & 1u << index) != 0) {
        fits = length > 0 && line[typed->text + length - 1] != ',';
    } else if (part->text == part->end) { // nothing stands there: "volunteer for 1 treasure"
        fits = length == 0 && index > 0;
    }
    if (fits && (size_t)(typed->text - typed->at) >= key &&
        strncasecmp(line + typed->at, phrase->text + part->at, key) == 0 &&
        strncasecmp(begun, phrase->text + next->at, strlen(begun)) == 0) {
        size_t end = next->end;
        if ((phrase->open & 1u << (index + 1)) != 0) { // its first item will do
            const size_t item = next->at + strcspn(phrase->text + next->at, ",");
            end = item < end ? item : end;
        }
        add_candidate(c, (size_t)(begun - line), phrase->text + next->at, end - next->at,
                      index + 2 < phrase->parts.count);
    }
}

static void try_phrase(struct completion *c, const struct phrase *phrase)
{
    const unsigned last = c->typed.count - 1;
    for (unsigned i = 0; i < last; i++) {
        if (i >= phrase->parts.count || !part_fits(c, phrase, i)) {
            return;
        }
    }
    if (last < phrase->parts.count) {
        try_same_part(c, phrase, last);
        try_next_part(c, phrase, last);
    }
}

static void try_text(struct completion *c, const char *text)
{
    struct phrase phrase = {.open = 0};
    if (strlen(text) < sizeof phrase.text) {
        memcpy(phrase.text, text, strlen(text) + 1);
        parts_read(&phrase.parts, phrase.text, c->words);
        try_phrase(c, &phrase);
    }
}

// The part that holds the command's list (or its second one), by key word.
static unsigned open_part(const struct phrase *phrase, unsigned verb, bool second)
{
    const char *key = VERB_FORMS[command_form(verb)].open[second ? 1 : 0];
    for (unsigned i = 1; i < phrase->parts.count; i++) {
        const struct part *const part = &phrase->parts.part[i];
        if (strncmp(phrase->text + part->at, key, strlen(key)) == 0 &&
            (key[0] != '\0' || part->text == part->at)) {
            return 1u << i;
        }
    }
    return 0;
}

static void try_command(struct completion *c, const struct command *command,
                        const struct move *move, unsigned rank)
{
    struct phrase phrase = {.rank = rank};
    (void)parse_format(c->words, command, phrase.text, sizeof phrase.text);
    parts_read(&phrase.parts, phrase.text, c->words);
    if (move->open != MOVE_CLOSED) {
        phrase.open = open_part(&phrase, command->verb, false);
        phrase.open |= move->more_max > 0 ? open_part(&phrase, command->verb, true) : 0u;
    }
    try_phrase(c, &phrase);
}

// How many earlier cards of a list are spelt the same: of the same kind, at the same place.
static unsigned alike_before(const struct completion *c, const uint16_t *cards, unsigned index)
{
    unsigned alike = 0;
    for (unsigned i = 0; i < index; i++) {
        alike += c->words->box->card_def[cards[i]] == c->words->box->card_def[cards[index]] ? 1 : 0;
    }
    return alike;
}

// A template stands for as many phrases as there are cards that may stand in it.
static void try_template(struct completion *c, const struct move *move)
{
    if (move->min == 0) { // the list may be left out, as in an ask for Treasures alone
        struct command command = move->command;
        command.list_count = 0;
        command.more_count = move->more_max > 0 ? 0 : command.more_count;
        try_command(c, &command, move, 0);
    }
    for (unsigned i = 0; i < move->candidate_count; i++) {
        struct command command = move->command;
        command.list_count = 1;
        command.list[0] = move->candidates[i];
        try_command(c, &command, move, alike_before(c, move->candidates, i));
    }
    for (unsigned i = 0; move->more_max > 0 && i < move->more_count; i++) {
        struct command command = move->command;
        command.more_count = 1;
        command.more[0] = move->more[i];
        try_command(c, &command, move, alike_before(c, move->more, i));
    }
}

static void try_moves(struct completion *c)
{
    const struct part *const verb = &c->typed.part[0];
    const bool only_verb = c->typed.count == 1;
    bool seen[VERB_TOTAL] = {false};
    struct move_list moves = {.items = mb_new(MB_MOVES_MAX, sizeof *moves.items),
                              .capacity = MB_MOVES_MAX};
    moves_list(c->words->view, c->words->box, c->words->seat, &moves);
    for (uint32_t i = 0; i < moves.count; i++) {
        const struct move *const move = &moves.items[i];
        const char *const word = command_word(move->command.verb);
        // Most moves are of another verb: they are not even worded.
        if (only_verb ? seen[move->command.verb]
                      : !parts_means(c->line + verb->at, (size_t)(verb->end - verb->at), word,
                                     strlen(word))) {
            continue;
        }
        seen[move->command.verb] = true;
        if (move->open == MOVE_CLOSED || only_verb) {
            try_command(c, &move->command, move, 0);
        } else {
            try_template(c, move);
        }
    }
    free(moves.items);
}

static void try_word_with(struct completion *c, const char *word, const char *what)
{
    char text[PHRASE_SIZE];
    const int length = snprintf(text, sizeof text, "%s %s", word, what);
    if (length > 0 && (size_t)length < sizeof text) {
        try_text(c, text);
    }
}

static bool verb_is(const struct completion *c, const char *word)
{
    const struct part *const verb = &c->typed.part[0];
    const size_t length = (size_t)(verb->end - verb->at);
    return c->typed.count > 1 && length > 1 && length <= strlen(word) &&
           strncasecmp(c->line + verb->at, word, length) == 0;
}

// Any card of the game may be looked up; without a letter, those that one sees.
static void try_cards(struct completion *c)
{
    const struct box *const box = c->words->box;
    const bool any = c->typed.part[1].text < c->typed.part[1].end;
    for (uint16_t card = 0; !any && card < box->card_count; card++) {
        const unsigned where = query_where(c->words->view, card);
        if (where != PILE_TOTAL && where != PILE_DOOR_DISCARD && where != PILE_TREASURE_DISCARD) {
            try_word_with(c, "card", catalog_name(c->words->catalog, box->card_def[card]));
        }
    }
    for (uint16_t def = 0; any && def < box->def_count; def++) {
        try_word_with(c, "card", catalog_name(c->words->catalog, def));
    }
}

// What a part lists that is not in its row.
static void try_named(struct completion *c, const char *verb, const char *part)
{
    char word[PHRASE_SIZE];
    const struct verb_entry *entry = NULL;
    for (unsigned i = 0; strcmp(part, "player") == 0 && i < MB_SEATS_MAX; i++) {
        if (c->words->players[i] != NULL) {
            parse_format_player(c->words, i, word, sizeof word);
            try_word_with(c, verb, word);
        }
    }
    for (unsigned i = 0; strcmp(part, "topic") == 0 && i < RULES_TOPIC_TOTAL; i++) {
        if (rules_topic_word((enum rules_topic)i, 0, word)) {
            try_word_with(c, verb, word);
        }
    }
    while (strcmp(part, "command") == 0 && (entry = verb_next(entry)) != NULL) {
        try_word_with(c, verb, entry->word);
    }
    if (strcmp(part, "name") == 0 && c->words->view != NULL) {
        try_cards(c);
    }
}

static void try_parts(struct completion *c, const struct verb_entry *entry)
{
    size_t count = 0;
    const struct verb_part *const parts = verb_parts(entry, &count);
    for (size_t i = 0; i < count; i++) {
        for (unsigned j = 0; j < VERB_CHOICES_MAX && parts[i].choices[j] != NULL; j++) {
            try_word_with(c, entry->word, parts[i].choices[j]);
        }
        if (parts[i].kind == VERB_PART_FLAG) {
            try_word_with(c, entry->word, parts[i].key);
        }
        try_named(c, entry->word, parts[i].name);
    }
}

// Looking and the table: the command, or what may follow it.
static void try_looks(struct completion *c)
{
    const unsigned now = c->words->view != NULL ? WHEN_GAME : WHEN_LOBBY;
    const struct verb_entry *entry = NULL;
    while ((entry = verb_next(entry)) != NULL) {
        size_t count = 0;
        const struct verb_part *const parts = verb_parts(entry, &count);
        if (entry->kind == REQUEST_GAME || (c->typed.count == 1 && (entry->when & now) == 0)) {
            continue;
        }
        if (c->typed.count > 1 && verb_is(c, entry->word)) {
            try_parts(c, entry);
        } else if (c->typed.count == 1 && count > 0 && parts[0].required) {
            try_word_with(c, entry->word, "x"); // whatever it is, something must follow
        } else if (c->typed.count == 1) {
            try_text(c, entry->word);
        }
    }
}

/* Options of `new`. */

static void try_value(struct completion *c, const char *value)
{
    const char *const typed = c->line + c->out->from;
    if (strncasecmp(value, typed, strlen(typed)) == 0) {
        complete_add(c->out, value, false);
    }
}

// Sets, flags and hours are not listed with the command.
static void try_listed(struct completion *c, const char *name)
{
    enum { WEST = -11, EAST = 14 };
    const struct catalog *const catalog = c->words->catalog;
    char value[COMPLETE_TEXT_SIZE];
    for (size_t i = 0; strcmp(name, "sets") == 0 && i < catalog_set_count(catalog); i++) {
        const struct catalog_set *const set = catalog_set(catalog, (uint8_t)i);
        if (set->complete) {
            try_value(c, set->id);
        }
    }
    for (unsigned i = 0; strcmp(name, "flag") == 0 && i < FLAG_TOTAL; i++) {
        try_value(c, profile_flag_name(i));
        (void)snprintf(value, sizeof value, "%s=off", profile_flag_name(i));
        try_value(c, value);
    }
    for (int i = WEST; strcmp(name, "zone") == 0 && i <= EAST; i++) {
        (void)snprintf(value, sizeof value, "%+d", i);
        try_value(c, value);
    }
    for (char i = '0' + MB_SEATS_MIN; strcmp(name, "players") == 0 && i <= '0' + MB_SEATS_MAX;
         i++) {
        const char digit[] = {i, '\0'};
        try_value(c, digit);
    }
}

// Where the option that is being typed begins: blanks behind a comma part nothing.
static size_t option_at(const char *line, size_t from)
{
    size_t at = from;
    for (size_t i = from; line[i] != '\0'; i++) {
        size_t before = i;
        while (before > from && line[before - 1] == ' ') {
            before--;
        }
        const bool begins = line[i] == ' ' && (i == from || line[before - 1] != ',');
        at = begins ? i + 1 : at;
    }
    return at;
}

static void try_options(struct completion *c)
{
    size_t count = 0;
    const struct verb_part *const parts = verb_parts(verb_find("new"), &count);
    const size_t at = option_at(c->line, c->typed.part[1].at);
    const char *const option = c->line + at;
    for (size_t i = 0; i < count; i++) {
        const size_t key = strlen(parts[i].key);
        c->out->from = at;
        if (strncasecmp(option, parts[i].key, key) != 0) {
            try_value(c, parts[i].key);
            continue;
        }
        const char *const comma = strrchr(option, ',');
        const char *const value = comma != NULL ? comma + 1 + strspn(comma + 1, " ") : option + key;
        c->out->from = (size_t)(value - c->line);
        c->out->count = 0;
        for (unsigned j = 0; j < VERB_CHOICES_MAX && parts[i].choices[j] != NULL; j++) {
            try_value(c, parts[i].choices[j]);
        }
        try_listed(c, parts[i].name);
        return;
    }
}

void complete_line(const struct table_words *words, const char *line, size_t cursor,
                   struct complete_list *out)
{
    struct completion c = {.words = words, .out = out};
    size_t length = strnlen(line, cursor);
    out->from = length;
    out->count = 0;
    out->overflow = false;
    if (length >= sizeof c.line) {
        return;
    }
    memcpy(c.line, line, length);
    c.line[length] = '\0';
    parts_read(&c.typed, c.line, words);
    if (verb_is(&c, "new") && c.typed.part[0].end - c.typed.part[0].at == 3) {
        try_options(&c);
        return;
    }
    const bool asks_why = verb_is(&c, "why");
    if (asks_why) {
        c.base = c.typed.part[1].at;
        memmove(c.line, c.line + c.base, length - c.base + 1);
        parts_read(&c.typed, c.line, words);
    }
    if (words->view != NULL && words->seat < MB_SEATS_MAX) {
        try_moves(&c);
    }
    if (!asks_why) {
        try_looks(&c);
    }
}

// Bytes that two candidates begin with alike, letter case aside; whole characters.
static size_t shared_length(const char *a, const char *b, size_t length)
{
    size_t same = 0;
    while (same < length && a[same] != '\0' && strncasecmp(a + same, b + same, 1) == 0) {
        same++;
    }
    while (same > 0 && ((unsigned char)a[same] & 0xC0u) == 0x80u) {
        same--;
    }
    return same;
}

bool complete_common(const struct complete_list *list, const char *line, size_t cursor,
                     char out[COMPLETE_TEXT_SIZE])
{
    if (list->count == 0 || cursor < list->from) {
        return false;
    }
    const char *const first = list->items[0].text;
    const char *const typed = line + list->from;
    const size_t typed_length = cursor - list->from;
    size_t length = strlen(first);
    for (unsigned i = 1; i < list->count; i++) {
        length = shared_length(first, list->items[i].text, length);
    }
    const bool one = list->count == 1 && !list->overflow;
    // "mis" may mean one of several names that do not begin so: nothing is taken away.
    if (!one && (length < typed_length || strncasecmp(first, typed, typed_length) != 0)) {
        return false;
    }
    (void)snprintf(out, COMPLETE_TEXT_SIZE, "%.*s", (int)length, first);
    if (one && list->items[0].goes_on && length + 1 < COMPLETE_TEXT_SIZE) {
        out[length] = ' ';
        out[length + 1] = '\0';
    }
    return strlen(out) != typed_length || strncmp(out, typed, typed_length) != 0;
}
