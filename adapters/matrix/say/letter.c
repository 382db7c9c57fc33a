#include "adapters/matrix/say/letter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "core/codec/memory.h"

#include "bot/parse/verb.h"
#include "bot/text/text.h"

enum { OLD_MS = 12 * 3600 * 1000 }; // servers remember for a day, or less

void letter_free(struct letter *letter)
{
    mb_pool_finish(&letter->words);
    json_decref(letter->sealed);
    free(letter);
}

static char **copy_words(struct letter *letter, const char *const *words, size_t count)
{
    char **const copies = mb_pool_new(&letter->words, count, sizeof *copies);
    for (size_t i = 0; i < count; i++) {
        copies[i] = mb_pool_text(&letter->words, words[i]);
    }
    return copies;
}

// Of controls, what each says.
static void copy_lines(struct letter *letter, const struct chat_out *out)
{
    letter->line_count = out->control_count;
    letter->lines = mb_pool_new(&letter->words, out->control_count, sizeof *letter->lines);
    for (size_t i = 0; i < out->control_count; i++) {
        letter->lines[i] = mb_pool_text(&letter->words, out->controls[i].line);
    }
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
static void lead_command(const void *prefix, const struct verb_entry *entry,
                         char out[VERB_LEAD_SIZE])
{
    (void)entry;
    (void)snprintf(out, VERB_LEAD_SIZE, "!%s ", (const char *)prefix);
}

// A blank line behind what a card begins with.
static void join_texts(struct letter *letter)
{
    const bool asks = letter->prompt[0] != '\0';
    const bool tells = letter->story[0] != '\0';
    const size_t size =
        strlen(letter->prompt) + strlen(letter->story) + strlen(letter->table) + sizeof "\n\n";
    letter->text = mb_pool_new(&letter->words, size, 1);
    (void)snprintf(letter->text, size, "%s%s%s%s%s", letter->prompt, asks ? "\n" : "",
                   letter->story, tells ? "\n" : "", letter->table);
}

// `prefix`: of commands where they are read; "" : none.
static void take_texts(struct letter *letter, const struct chat_out *out, const char *prefix)
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
        char *const led = prefix[0] != '\0' ? verb_quotes(text, lead_command, prefix) : NULL;
        *parts[i].to = mb_pool_text(&letter->words, led != NULL ? led : text);
        free(led);
    }
    leave_out_time(letter->prompt);
    leave_out_time(letter->table);
    join_texts(letter);
}

// Keyed: a server that reads the name cannot try texts until one fits.
static unsigned long long hash_of(const char *text, const uint8_t secret[CHAT_SECRET_SIZE])
{
    unsigned long long hash = 0;
    unsigned char bytes[crypto_generichash_BYTES_MIN];
    _Static_assert(CHAT_SECRET_SIZE >= crypto_generichash_KEYBYTES_MIN, "it is a key");
    (void)crypto_generichash(bytes, sizeof bytes, (const unsigned char *)text, strlen(text), secret,
                             CHAT_SECRET_SIZE);
    memcpy(&hash, bytes, sizeof hash);
    return hash;
}

static struct chat_question what_asks(const struct chat_out *out)
{
    const bool waits = out->kind == CHAT_HAND && out->asked_count > 0;
    return waits ? (struct chat_question){.what = (uint16_t)(out->turn + 1), .seats = 1}
                 : out->question;
}

struct letter *letter_make(const struct chat_out *out, bool in_public, const char *prefix)
{
    struct letter *const letter = mb_new(1, sizeof *letter);
    *letter = (struct letter){.key = out->key,
                              .mark = out->mark,
                              .kind = out->kind,
                              .turn = out->turn,
                              .chapter = out->kind == CHAT_CARD ? out->chapter : 0,
                              .tried_ms = -1,
                              .looked_ms = -1,
                              .bond = out->bond,
                              .live = out->live,
                              .asks = what_asks(out),
                              .again = out->again,
                              .anew = true,
                              .stays = out->moved == NULL};
    take_texts(letter, out, out->person == NULL || in_public ? prefix : "");
    letter->place = mb_pool_text(&letter->words, out->place);
    letter->person = in_public ? NULL : mb_pool_text(&letter->words, out->person);
    letter->replaces = mb_pool_text(&letter->words, out->replaces);
    letter->event = mb_pool_text(&letter->words, out->event);
    letter->share = mb_pool_text(&letter->words, letter_share(out));
    letter->cause = mb_pool_text(&letter->words, out->cause);
    letter->called_count = out->ping_count;
    letter->called = copy_words(letter, out->pings, out->ping_count);
    letter->asked_count = out->asked_count;
    letter->asked = copy_words(letter, out->asked, out->asked_count);
    copy_lines(letter, out);
    return letter;
}

const char *letter_share(const struct chat_out *out)
{
    return out->live             ? out->bond.table
           : out->cause != NULL  ? out->cause
           : out->person != NULL ? out->person
                                 : out->place;
}

// Whether it can be one event with others: what one person reads, and what calls nobody.
static bool letter_joins(const struct letter *letter)
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

static bool has_word(char *const *words, size_t count, const char *word)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(words[i], word) == 0) {
            return true;
        }
    }
    return false;
}

// What the old one was to tell and the room does not show, before what this one tells: its latest
// lines, if a phone has no room for all.
static void inherit_story(struct letter *letter, const struct letter *old)
{
    const char *const untold = chat_untold(old->story, letter->kept);
    const size_t length = strlen(untold);
    const size_t size = length + strlen(letter->story) + 1;
    char *const story = mb_pool_new(&letter->words, size, 1);
    (void)snprintf(story, size, "%s%s", untold, letter->story);
    const char *const latest =
        text_phone_end(story, text_phone_room(letter->prompt, letter->table));
    const size_t from = (size_t)(latest - story) < length ? (size_t)(latest - story) : length;
    letter->story = story;
    memmove(story, story + from, size - from);
    join_texts(letter);
}

uint64_t letter_queue(struct letter *letter, const char *room, struct boards *boards,
                      struct outlet *outlet, int64_t now_ms)
{
    uint64_t gone = 0;
    letter->since_ms = now_ms;
    letter->anew =
        letter->replaces == NULL || !boards_asks(boards, letter->replaces, &letter->asks);
    if (letter->replaces != NULL && letter->kind == CHAT_CARD) {
        boards_narrow(boards, letter->replaces, &letter->asks);
    }
    const struct outlet_item item = {.number = letter->number,
                                     .room = room,
                                     .share = letter->share,
                                     .cause = letter->live ? letter->cause : NULL,
                                     .replaces = letter->replaces,
                                     .urgency = letter_urgency(letter),
                                     .joins = letter_joins(letter),
                                     .shows = letter_is_board(letter),
                                     .live = letter->live,
                                     .apart = letter->kind == CHAT_REPLY && letter->person == NULL};
    outlet_add(outlet, &item, now_ms, &gone);
    return gone;
}

void letter_inherit(struct letter *letter, struct letter *old)
{
    if (letter->chapter != old->chapter) {
        inherit_story(letter, old);
    }
    if (letter_urgency(old) == letter_urgency(letter)) {
        letter->since_ms = old->since_ms;
    }
    char **const called = letter->called;
    letter->called = mb_pool_new(&letter->words, letter->called_count + old->called_count,
                                 sizeof *letter->called);
    if (letter->called_count > 0) {
        memcpy(letter->called, called, letter->called_count * sizeof *called);
    }
    for (size_t i = 0; i < old->called_count; i++) {
        const char *const who = old->called[i];
        if (has_word(letter->asked, letter->asked_count, who) &&
            !has_word(letter->called, letter->called_count, who)) {
            letter->called[letter->called_count++] = mb_pool_text(&letter->words, who);
        }
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

void letter_name(struct letter *letter, const uint8_t secret[CHAT_SECRET_SIZE])
{
    if (letter->replaces != NULL && !letter->edits) {
        (void)snprintf(letter->txn, sizeof letter->txn, "after-%016llx",
                       hash_of(letter->replaces, secret));
        return;
    }
    (void)snprintf(letter->txn, sizeof letter->txn, "%016llx-%llx",
                   (unsigned long long)letter->mark,
                   letter->edits ? hash_of(letter->text, secret) : 0);
}
