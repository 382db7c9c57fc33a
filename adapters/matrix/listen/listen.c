#include "adapters/matrix/listen/listen.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <strings.h>

#include "core/codec/memory.h"

#include "bot/chat.h"
#include "bot/parse/parse.h"
#include "bot/parse/verb.h"

#include "adapters/matrix/client/wire.h"

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
static const char *unquoted_line(const char *body)
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

/* People who are named by links: in the plain body only what they call themselves stands in their
 * place, so the links of the formatted one are looked at. */

/* A link to a person, as the formatted body has it. */
struct pill {
    char id[CHAT_ID_SIZE], shown[CHAT_NAME_SIZE];
};

static int digit_of(char digit)
{
    static const char DIGITS[] = "0123456789abcdef0123456789ABCDEF";
    enum { BASE = 16 };
    const char *const at = digit != '\0' ? strchr(DIGITS, digit) : NULL;
    return at != NULL ? (int)((at - DIGITS) % BASE) : -1;
}

// An id as links write it, up to what ends it; false: it is none of a person.
static bool read_id(const char *at, char out[CHAT_ID_SIZE])
{
    size_t length = 0;
    while (*at != '\0' && strchr("\"'?&<>", *at) == NULL && length + 1 < CHAT_ID_SIZE) {
        const bool escaped = *at == '%' && digit_of(at[1]) >= 0 && digit_of(at[2]) >= 0;
        out[length++] = (char)(escaped ? digit_of(at[1]) * 16 + digit_of(at[2]) : *at);
        at += escaped ? 3 : 1;
    }
    out[length] = '\0';
    return out[0] == '@' && strchr(out, ':') != NULL && strpbrk(out, " /\n") == NULL;
}

// What stands between a link's tags, entities as what they are.
static void read_shown(const char *at, char out[CHAT_NAME_SIZE])
{
    static const struct {
        const char *written;
        char meant;
    } ENTITIES[] = {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&#39;", '\''}};
    size_t length = 0;
    while (*at != '\0' && *at != '<' && length + 1 < CHAT_NAME_SIZE) {
        char byte = *at;
        size_t used = 1;
        for (size_t i = 0; byte == '&' && i < sizeof ENTITIES / sizeof *ENTITIES; i++) {
            const size_t size = strlen(ENTITIES[i].written);
            if (strncmp(at, ENTITIES[i].written, size) == 0) {
                byte = ENTITIES[i].meant;
                used = size;
                break;
            }
        }
        out[length++] = byte;
        at += used;
    }
    out[length] = '\0';
}

// The next link to a person; NULL: there is none. Returns where to go on.
static const char *next_pill(const char *html, struct pill *out)
{
    static const char LINK[] = "https://matrix.to/#/";
    for (const char *at = strstr(html, LINK); at != NULL; at = strstr(at, LINK)) {
        at += strlen(LINK);
        const char *const end = strchr(at, '>');
        if (end == NULL) {
            return NULL;
        }
        if (read_id(at, out->id)) {
            read_shown(end + 1, out->shown);
            if (out->shown[0] != '\0') {
                return end + 1;
            }
        }
    }
    return NULL;
}

// The body of a message with ids in the place of names that are links to people; cut to `size`.
static void pills_write(const json_t *content, char *out, size_t size)
{
    const char *body = wire_word(content, "body");
    const char *html = wire_word(content, "formatted_body");
    struct pill pill;
    size_t length = 0;
    for (html = html != NULL ? next_pill(html, &pill) : NULL; html != NULL && body != NULL;
         html = next_pill(html, &pill)) {
        const char *const at = strstr(body, pill.shown);
        if (at == NULL || length >= size) {
            continue;
        }
        length += (size_t)snprintf(out + length, size - length, "%.*s%s", (int)(at - body), body,
                                   pill.id);
        body = at + strlen(pill.shown);
    }
    if (length < size) {
        (void)snprintf(out + length, size - length, "%s", body != NULL ? body : "");
    }
}

/* What is said to the bot. */

// What stands behind a word that begins the line; NULL: it does not.
static const char *words_behind(const char *line, const char *word)
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

static bool mentions_person(const json_t *content, const char *person)
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

// What is said to the bot without its prefix, where people talk among themselves: a command, or a
// question to it, which asks for help. NULL: neither.
static const char *said_to_bot(const char *line, bool answers)
{
    const size_t length = strlen(line);
    if (length == 0 || verb_of_line(line) != NULL) {
        return line;
    }
    return !answers && line[length - 1] == '?' ? verb_of_kind(REQUEST_HELP)->word : NULL;
}

// What of the line is for the bot; NULL: nothing is.
static const char *for_bot(const struct listener *listener, const struct wire_event *event,
                           const char *line)
{
    const char *rest = line[0] == '!' ? words_behind(line + 1, listener->prefix) : NULL;
    if (rest != NULL || line[0] == '!') {
        return rest;
    }
    rest = words_behind(line, listener->name);
    rest = rest != NULL ? rest : words_behind(line, listener->bot);
    if (listener->hand) {
        return rest != NULL ? rest : line;
    }
    const bool answers = replies_to_bot(listener, event->content);
    if (rest == NULL && !answers && !mentions_person(event->content, listener->bot)) {
        return NULL;
    }
    return said_to_bot(rest != NULL ? rest : line, answers);
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
    const bool fits = write_line(unquoted_line(body), whole, sizeof whole);
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

/* Cards that were named where all read. */

enum { LINES_MAX = 64, TOLD_MAX = 256 };

struct said {
    char room[CHAT_ID_SIZE], person[CHAT_ID_SIZE], event[CHAT_ID_SIZE];
};

struct blurted {
    struct said lines[LINES_MAX]; // rings
    struct said told[TOLD_MAX];   // without events
    size_t line_at, told_at;
};

struct blurted *blurted_create(void)
{
    return mb_new(1, sizeof(struct blurted));
}

void blurted_destroy(struct blurted *blurted)
{
    free(blurted);
}

static void remember_line(struct said *said, const char *room, const char *person,
                          const char *event)
{
    (void)snprintf(said->room, sizeof said->room, "%s", room);
    (void)snprintf(said->person, sizeof said->person, "%s", person);
    (void)snprintf(said->event, sizeof said->event, "%s", event);
}

void blurted_said(struct blurted *blurted, const char *room, const char *person, const char *event,
                  const char *line)
{
    const struct verb_entry *const verb = verb_of_line(line);
    if (verb != NULL && verb->kind == REQUEST_GAME && verb->verb == VERB_PLAY) {
        remember_line(&blurted->lines[blurted->line_at], room, person, event);
        blurted->line_at = (blurted->line_at + 1) % LINES_MAX;
    }
    for (size_t i = 0; verb != NULL && verb->kind == REQUEST_NEW && i < TOLD_MAX; i++) {
        if (strcmp(blurted->told[i].room, room) == 0) {
            remember_line(&blurted->told[i], "", "", "");
        }
    }
}

// Whether a refusal for that reason lets all know that the card is theirs.
static bool shows_card(unsigned code)
{
    static const uint8_t SILENT[] = {
        REFUSAL_NONE,     REFUSAL_UNKNOWN_COMMAND, REFUSAL_NO_SUCH_CARD, REFUSAL_NOT_IN_HAND,
        REFUSAL_NO_TABLE, REFUSAL_NOT_AT_TABLE,    REFUSAL_GAME_OVER};
    return memchr(SILENT, (int)code, sizeof SILENT) == NULL;
}

static bool was_told(const struct blurted *blurted, const struct said *line)
{
    for (size_t i = 0; i < TOLD_MAX; i++) {
        if (strcmp(blurted->told[i].room, line->room) == 0 &&
            strcmp(blurted->told[i].person, line->person) == 0) {
            return true;
        }
    }
    return false;
}

bool blurted_refused(struct blurted *blurted, const char *event, unsigned code)
{
    for (size_t i = 0; i < LINES_MAX; i++) {
        struct said *const line = &blurted->lines[i];
        if (line->event[0] == '\0' || strcmp(line->event, event) != 0) {
            continue;
        }
        const bool tells = shows_card(code) && !was_told(blurted, line);
        if (tells) {
            remember_line(&blurted->told[blurted->told_at], line->room, line->person, "");
            blurted->told_at = (blurted->told_at + 1) % TOLD_MAX;
        }
        line->event[0] = '\0';
        return tells;
    }
    return false;
}

/* What a change of a room means. */

static bool member_news(const struct room *room, const struct wire_event *event, const char *bot,
                        bool opens, struct chat_in *out)
{
    const char *const hand_of = room_hand_of(room, bot);
    const char *const person = event->state_key;
    if (hand_of != NULL) {
        const bool reached = opens && room_is_hand(room, bot, hand_of);
        *out = (struct chat_in){.kind = reached ? CHAT_IN_REACHABLE : CHAT_IN_UNREACHABLE,
                                .person = hand_of};
        return strcmp(person, hand_of) == 0 || !reached; // or somebody else came in
    }
    const bool here = room_membership(room, person) == ROOM_JOINED;
    *out = (struct chat_in){.kind = here ? CHAT_IN_PERSON_BACK : CHAT_IN_PERSON_GONE,
                            .place = room_id(room),
                            .person = person};
    return room_membership(room, person) != ROOM_INVITED && strcmp(person, bot) != 0;
}

// Another room has taken the place of this one's predecessor: whoever could say so of the old one
// has said that it is this.
static bool moved_here(const struct rooms *rooms, const struct room *room, const char *bot,
                       bool opens, struct chat_in *out)
{
    const char *const predecessor = room_predecessor(room);
    const struct room *const old = predecessor[0] != '\0' ? rooms_find(rooms, predecessor) : NULL;
    if (old == NULL || strcmp(room_replacement(old), room_id(room)) != 0 ||
        room_membership(room, bot) != ROOM_JOINED || !opens) {
        return false;
    }
    *out = (struct chat_in){.kind = CHAT_IN_PLACE_MOVED,
                            .place = predecessor,
                            .moved = room_id(room),
                            .place_name = room_title(room)};
    return true;
}

bool news_of(const struct rooms *rooms, const struct room *room, const struct wire_event *event,
             const char *bot, bool opens, struct chat_in *out)
{
    const char *const type = event->type;
    if (strcmp(type, "m.room.member") == 0 && strcmp(event->state_key, bot) == 0) {
        return moved_here(rooms, room, bot, opens, out);
    }
    if (strcmp(type, "m.room.member") == 0) {
        return member_news(room, event, bot, opens, out);
    }
    if (room_hand_of(room, bot) == NULL && strcmp(type, "m.room.power_levels") == 0) {
        *out = (struct chat_in){.kind = room_may_write(room, bot) ? CHAT_IN_PLACE_OPEN
                                                                  : CHAT_IN_PLACE_CLOSED,
                                .place = room_id(room)};
        return true;
    }
    if (room_hand_of(room, bot) == NULL && !opens && strcmp(type, "m.room.encryption") == 0) {
        *out = (struct chat_in){.kind = CHAT_IN_PLACE_GONE, .place = room_id(room)};
        return true;
    }
    return false;
}

void news_left(const struct room *room, const char *bot, struct chat_in *out)
{
    const char *const hand_of = room_hand_of(room, bot);
    *out = hand_of != NULL ? (struct chat_in){.kind = CHAT_IN_UNREACHABLE, .person = hand_of}
                           : (struct chat_in){.kind = CHAT_IN_PLACE_GONE, .place = room_id(room)};
}
