#include "adapters/matrix/letter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "bot/parse/verb.h"
#include "bot/text/text.h"

enum { OLD_MS = 12 * 3600 * 1000 }; // servers remember for a day, or less

static void free_words(char **words, size_t count)
{
    for (size_t i = 0; words != NULL && i < count; i++) {
        free(words[i]);
    }
    free(words);
}

void letter_free(struct letter *letter)
{
    if (letter == NULL) {
        return;
    }
    free_words(letter->called, letter->called_count);
    free_words(letter->asked, letter->asked_count);
    free_words(letter->lines, letter->line_count);
    free(letter->place);
    free(letter->person);
    free(letter->replaces);
    free(letter->text);
    free(letter->prompt);
    free(letter->story);
    free(letter->table);
    free(letter->kept);
    free(letter->event);
    free(letter->share);
    free(letter->cause);
    free(letter->room);
    free(letter);
}

static bool copy(char **out, const char *word)
{
    *out = word != NULL ? strdup(word) : NULL;
    return word == NULL || *out != NULL;
}

static bool copy_words(char ***out, size_t *out_count, const char *const *words, size_t count)
{
    *out = calloc(count + 1, sizeof **out);
    bool good = *out != NULL;
    for (size_t i = 0; good && i < count; i++) {
        good = copy(&(*out)[i], words[i]);
        *out_count = i + 1;
    }
    return good;
}

// Of controls, what each says.
static bool copy_lines(struct letter *letter, const struct chat_out *out)
{
    letter->lines = calloc(out->control_count + 1, sizeof *letter->lines);
    bool good = letter->lines != NULL;
    for (size_t i = 0; good && i < out->control_count; i++) {
        good = copy(&letter->lines[i], out->controls[i].line);
        letter->line_count = i + 1;
    }
    return good;
}

// An event is not edited for a clock: what is left on it would stand there for ever.
static void leave_out_time(char *text)
{
    char *to = text;
    for (const char *at = text; *at != '\0';) {
        const char *const end = *at == MARK_TIME ? strchr(at, MARK_END) : NULL;
        if (end != NULL) {
            at = end + 1;
        } else {
            *to++ = *at++;
        }
    }
    *to = '\0';
}

// In a room of many a command begins with the prefix; in a hand room everything is one.
static void lead(const void *prefix, const struct verb_entry *entry, char out[VERB_LEAD_SIZE])
{
    (void)entry;
    (void)snprintf(out, VERB_LEAD_SIZE, "!%s ", (const char *)prefix);
}

// A blank line behind what a card begins with. False without memory.
static bool join_texts(struct letter *letter)
{
    const bool asks = letter->prompt[0] != '\0';
    const bool tells = letter->story[0] != '\0';
    const size_t size =
        strlen(letter->prompt) + strlen(letter->story) + strlen(letter->table) + sizeof "\n\n";
    char *const text = malloc(size);
    if (text != NULL) {
        (void)snprintf(text, size, "%s%s%s%s%s", letter->prompt, asks ? "\n" : "", letter->story,
                       tells ? "\n" : "", letter->table);
        free(letter->text);
        letter->text = text;
    }
    return text != NULL;
}

// `prefix`: of commands where they are read; "" : none.
static bool take_texts(struct letter *letter, const struct chat_out *out, const char *prefix)
{
    const struct {
        const char *text;
        char **to;
    } parts[] = {{out->kind == CHAT_CARD ? out->prompt : NULL, &letter->prompt},
                 {out->story, &letter->story},
                 {out->kept, &letter->kept},
                 {out->text, &letter->table}};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        const char *const text = parts[i].text != NULL ? parts[i].text : "";
        char *const words = prefix[0] != '\0' ? verb_quotes(text, lead, prefix) : strdup(text);
        *parts[i].to = words;
        if (words == NULL) {
            return false;
        }
    }
    leave_out_time(letter->prompt);
    leave_out_time(letter->table);
    return join_texts(letter);
}

static unsigned long long hash_of(const char *text)
{
    unsigned long long hash = 0;
    unsigned char bytes[crypto_generichash_BYTES_MIN];
    (void)crypto_generichash(bytes, sizeof bytes, (const unsigned char *)text, strlen(text), NULL,
                             0);
    memcpy(&hash, bytes, sizeof hash);
    return hash;
}

struct letter *letter_make(const struct chat_out *out, bool in_public, const char *prefix)
{
    struct letter *const letter = calloc(1, sizeof *letter);
    if (letter == NULL) {
        return NULL;
    }
    *letter = (struct letter){.key = out->key,
                              .mark = out->mark,
                              .kind = out->kind,
                              .turn = out->kind == CHAT_CARD ? out->turn : 0,
                              .chapter = out->kind == CHAT_CARD ? out->chapter : 0,
                              .tried_ms = -1,
                              .looked_ms = -1,
                              .bond = out->bond,
                              .live = out->live,
                              .asks = out->question,
                              .again = out->again,
                              .anew = true,
                              .stays = out->moved == NULL};
    const bool good =
        take_texts(letter, out, out->person == NULL || in_public ? prefix : "") &&
        copy(&letter->place, out->place) && copy(&letter->person, in_public ? NULL : out->person) &&
        copy(&letter->replaces, out->replaces) && copy(&letter->event, out->event) &&
        copy(&letter->share, letter_share(out)) && copy(&letter->cause, out->cause) &&
        copy_words(&letter->called, &letter->called_count, out->pings, out->ping_count) &&
        copy_words(&letter->asked, &letter->asked_count, out->asked, out->asked_count) &&
        copy_lines(letter, out);
    if (!good) {
        letter_free(letter);
        return NULL;
    }
    return letter;
}

const char *letter_share(const struct chat_out *out)
{
    return out->live             ? out->bond.table
           : out->cause != NULL  ? out->cause
           : out->person != NULL ? out->person
                                 : out->place;
}

bool letter_joins(const struct letter *letter)
{
    return letter->person != NULL ||
           (letter->kind == CHAT_NARRATION && letter->called_count == 0 && !letter->unasked);
}

enum outlet_urgency letter_urgency(const struct letter *letter)
{
    if (letter->unasked) {
        return OUTLET_OTHER;
    }
    switch (letter->kind) {
    case CHAT_HAND:
        return letter->asked_count > 0 ? OUTLET_AWAITED : OUTLET_OTHER;
    case CHAT_REPLY:
    case CHAT_WHISPER:
        return OUTLET_REPLY;
    case CHAT_FORGET: // no letters
    case CHAT_SEEK:
        return OUTLET_OTHER;
    case CHAT_CARD:
        return (letter->asked_count > 0 && letter->anew) || letter->called_count > 0 ? OUTLET_PROMPT
                                                                                     : OUTLET_TABLE;
    case CHAT_NARRATION:
    case CHAT_ROOM:
        break;
    }
    return OUTLET_PROMPT; // what is said by itself is waited for
}

static bool has(char *const *words, size_t count, const char *word)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(words[i], word) == 0) {
            return true;
        }
    }
    return false;
}

// What the old one was to tell and the room does not show, before what this one tells: its latest
// lines, if a phone has no room for all. Without memory nothing of it.
static void inherit_story(struct letter *letter, const struct letter *old)
{
    const char *const untold = chat_untold(old->story, letter->kept);
    const size_t length = strlen(untold);
    const size_t size = length + strlen(letter->story) + 1;
    char *const story = malloc(size);
    if (story == NULL) {
        return;
    }
    (void)snprintf(story, size, "%s%s", untold, letter->story);
    const char *const latest =
        text_phone_end(story, text_phone_room(letter->prompt, letter->table));
    const size_t from = (size_t)(latest - story) < length ? (size_t)(latest - story) : length;
    char *const own = letter->story;
    letter->story = story;
    memmove(story, story + from, size - from);
    if (join_texts(letter)) {
        free(own);
    } else {
        letter->story = own;
        free(story);
    }
}

void letter_inherit(struct letter *letter, struct letter *old)
{
    if (letter->chapter != old->chapter) {
        inherit_story(letter, old);
    }
    if (letter_urgency(old) == letter_urgency(letter)) {
        letter->since_ms = old->since_ms;
    }
    for (size_t i = 0; i < old->called_count; i++) {
        char *const who = old->called[i];
        if (!has(letter->asked, letter->asked_count, who) ||
            has(letter->called, letter->called_count, who)) {
            continue;
        }
        char **const more =
            realloc(letter->called, (letter->called_count + 1) * sizeof *letter->called);
        char *const name = strdup(who);
        letter->called = more != NULL ? more : letter->called;
        if (more == NULL || name == NULL) {
            free(name);
            return;
        }
        letter->called[letter->called_count++] = name;
    }
}

// What was sent behind a look that found nothing is as fresh as that.
bool letter_is_doubtful(const struct letter *letter, int64_t now_ms)
{
    if (letter->looked_ms < 0 && letter->again) {
        return true;
    }
    const int64_t since =
        letter->looked_ms > letter->tried_ms ? letter->looked_ms : letter->tried_ms;
    return letter->tried_ms >= 0 && now_ms - since >= OLD_MS;
}

void letter_name(struct letter *letter)
{
    if (letter->replaces != NULL && !letter->edits) {
        (void)snprintf(letter->txn, sizeof letter->txn, "after-%016llx", hash_of(letter->replaces));
        return;
    }
    (void)snprintf(letter->txn, sizeof letter->txn, "%016llx-%llx",
                   (unsigned long long)letter->mark, letter->edits ? hash_of(letter->text) : 0);
}
