#include "adapters/matrix/listen/listen.h"

#include <string.h>

#include <strings.h>

#include "adapters/matrix/listen/pills.h"

// Of longer ones the first line is too long, or stands in the rest: no command is behind so much.
enum { BODY_SIZE = 16384 };

/* What a word of several bytes stands for in a command. */
struct plain {
    const char *written, *meant;
};

static const struct plain PLAIN[] = {{"\xC2\xA0", " "},
                                     {"\xE2\x80\xAF", " "},
                                     {"\xE2\x80\x87", " "},
                                     {"\xE3\x80\x80", " "},
                                     {"\xE2\x80\x9C", "\""},
                                     {"\xE2\x80\x9D", "\""},
                                     {"\xE2\x80\x9E", "\""},
                                     {"\xE2\x80\x98", "'"},
                                     {"\xE2\x80\x99", "'"},
                                     {"\t", " "},
                                     {"\r", " "}};

static const struct plain *plain_at(const char *at)
{
    for (size_t i = 0; i < sizeof PLAIN / sizeof *PLAIN; i++) {
        if (strncmp(at, PLAIN[i].written, strlen(PLAIN[i].written)) == 0) {
            return &PLAIN[i];
        }
    }
    return NULL;
}

// The first line without what it quotes.
static const char *said(const char *body)
{
    bool quotes = false;
    while (strncmp(body, "> ", 2) == 0 || (quotes && *body == '\n')) {
        const char *const end = strchr(body, '\n');
        if (end == NULL) {
            return "";
        }
        quotes = true;
        body = end + 1;
    }
    while (*body == '\n' || *body == ' ') {
        body++;
    }
    return body;
}

// Writes the line with plain words and single blanks; false: it is longer than any command.
static bool write_line(const char *from, char *out, size_t size)
{
    size_t length = 0;
    while (*from != '\0' && *from != '\n') {
        const struct plain *const plain = plain_at(from);
        char byte = *from;
        if (plain != NULL) {
            byte = plain->meant[0];
        }
        from += plain != NULL ? strlen(plain->written) : 1;
        if (byte == ' ' && (length == 0 || out[length - 1] == ' ')) {
            continue;
        }
        if (length + 1 >= size) {
            out[length] = '\0';
            return false;
        }
        out[length++] = byte;
    }
    while (length > 0 && out[length - 1] == ' ') {
        length--;
    }
    out[length] = '\0';
    return true;
}

// What stands behind a word that begins the line; NULL: it does not.
static const char *behind(const char *line, const char *word)
{
    const size_t length = strlen(word);
    if (length == 0 || strncasecmp(line, word, length) != 0) {
        return NULL;
    }
    const char *at = line + length;
    if (*at == ':' || *at == ',') {
        at++;
    }
    if (*at != ' ' && *at != '\0') {
        return NULL;
    }
    return *at == ' ' ? at + 1 : at;
}

static bool mentions(const json_t *content, const char *person)
{
    const json_t *const ids = json_object_get(json_object_get(content, "m.mentions"), "user_ids");
    for (size_t i = 0; i < json_array_size(ids); i++) {
        const char *const id = json_string_value(json_array_get(ids, i));
        if (id != NULL && strcmp(id, person) == 0) {
            return true;
        }
    }
    return false;
}

static bool replies_to_bot(const struct listener *listener, const json_t *content)
{
    const json_t *const relation = json_object_get(content, "m.relates_to");
    const char *const id = wire_id(json_object_get(relation, "m.in_reply_to"), "event_id");
    return id != NULL && !json_is_true(json_object_get(relation, "is_falling_back")) &&
           listener->is_own != NULL && listener->is_own(listener->user, id);
}

static bool may_be_said(const struct listener *listener, const struct wire_event *event)
{
    const char *const kind = wire_word(event->content, "msgtype");
    const json_t *const relation = json_object_get(event->content, "m.relates_to");
    const char *const how = wire_word(relation, "rel_type");
    return !event->redacted && event->state_key == NULL &&
           strcmp(event->type, "m.room.message") == 0 && kind != NULL &&
           strcmp(kind, "m.text") == 0 && wire_word(event->content, "body") != NULL &&
           (how == NULL || strcmp(how, "m.replace") != 0) &&
           strcmp(event->sender, listener->bot) != 0;
}

// What of the line is for the bot; NULL: nothing is.
static const char *for_bot(const struct listener *listener, const struct wire_event *event,
                           const char *line)
{
    const char *rest = line[0] == '!' ? behind(line + 1, listener->prefix) : NULL;
    if (rest != NULL || line[0] == '!') {
        return rest;
    }
    rest = behind(line, listener->name);
    rest = rest != NULL ? rest : behind(line, listener->bot);
    if (rest == NULL && (listener->hand || mentions(event->content, listener->bot) ||
                         replies_to_bot(listener, event->content))) {
        rest = line;
    }
    return rest;
}

enum listen_result listen_to(const struct listener *listener, const struct wire_event *event,
                             char line[CHAT_LINE_SIZE])
{
    char body[BODY_SIZE];
    char whole[2 * CHAT_LINE_SIZE];
    line[0] = '\0';
    if (!may_be_said(listener, event)) {
        return LISTEN_SILENT;
    }
    pills_write(event->content, body, sizeof body);
    const bool fits = write_line(said(body), whole, sizeof whole);
    const char *const rest = for_bot(listener, event, whole);
    if (rest == NULL) {
        return LISTEN_SILENT;
    }
    if (!fits || strlen(rest) >= CHAT_LINE_SIZE) {
        return LISTEN_TOO_LONG;
    }
    memcpy(line, rest, strlen(rest) + 1);
    return LISTEN_HEARD;
}
