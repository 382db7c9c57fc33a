#include "adapters/discord/wire/payload.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "core/codec/memory.h"

#include "bot/text/text.h"

#include "adapters/discord/wire/markup.h"

enum {
    COMPONENTS_V2 = 32768,
    CONTAINER = 17,
    TEXT_DISPLAY = 10,
    SEPARATOR = 14,
    BYTES_OF_CHARACTER = 4,
    MENTION_SIZE = 32,
    PLACE_SIZE = 256,
    PUSH_MAX = 400,
    PUSH_SIZE = PUSH_MAX * BYTES_OF_CHARACTER + 1 + PLACE_SIZE
};

static const int COLORS[] = {[CHAT_MOOD_LOBBY] = 0x5865F2,
                             [CHAT_MOOD_TURN] = 0x3BA55D,
                             [CHAT_MOOD_FIGHT] = 0xD83C3E,
                             [CHAT_MOOD_LAST] = 0xF0802B,
                             [CHAT_MOOD_OVER] = 0xF1C40F};

// A card's colour, under the name that what holds it has for that.
static void paint(json_t *holder, const char *key, uint8_t mood)
{
    if (holder != NULL && mood != CHAT_MOOD_NONE) {
        (void)json_object_set_new(holder, key, json_integer(COLORS[mood]));
    }
}

static json_t *mentions(const char *const *pings, size_t count)
{
    json_t *const users = json_array();
    for (size_t i = 0; i < count; i++) {
        (void)json_array_append_new(users, json_string(pings[i]));
    }
    return json_pack("{s:[], s:o}", "parse", "users", users);
}

// The text as markup, allocated, with those it calls below it.
static char *written(const char *text, int64_t when_s, size_t most, const char *const *pings,
                     size_t count)
{
    const size_t size = most * BYTES_OF_CHARACTER + 1;
    const size_t calls = count * MENTION_SIZE;
    char *const out = mb_new(1, size + calls + 1);
    (void)markup_write(text, when_s, most - calls, text_sentence(TEXT_HALL_REST), out, size);
    for (size_t i = 0; i < count; i++) {
        const size_t length = strlen(out);
        (void)snprintf(out + length, MENTION_SIZE, "%s<@%.24s>", i == 0 ? "\n" : " ", pings[i]);
    }
    if (out[0] == '\0') { // an empty message is refused
        (void)snprintf(out, size, "\xE2\x80\x8B");
    }
    return out;
}

json_t *payload_text(const char *text, const char *const *pings, size_t ping_count, unsigned flags)
{
    char *const content = written(text, 0, PAYLOAD_CLASSIC_MAX, pings, ping_count);
    const unsigned kept = ping_count > 0 ? flags & ~(unsigned)PAYLOAD_SILENT : flags;
    json_t *const body = json_pack("{s:s, s:i, s:o}", "content", content, "flags", (int)kept,
                                   "allowed_mentions", mentions(pings, ping_count));
    free(content);
    return body;
}

json_t *payload_link(const char *text, const char *label, const char *url, unsigned flags)
{
    enum { ROW = 1, BUTTON = 2, LINK = 5 };
    json_t *const body = payload_text(text, NULL, 0, flags);
    if (body != NULL) {
        payload_rows(body, json_pack("[{s:i, s:[{s:i, s:i, s:s, s:s}]}]", "type", ROW, "components",
                                     "type", BUTTON, "style", LINK, "label", label, "url", url));
    }
    return body;
}

// "The table is in <#7>.", with a mention that is no user's words.
static void write_place(const char *place, enum text_id id, char *out, size_t size)
{
    char channel[MENTION_SIZE];
    struct text_out text;
    (void)snprintf(channel, sizeof channel, "<#%.24s>", place);
    text_begin(&text, out, size);
    text_put(&text, id, TEXT_ARGS(text_str("what", channel)));
    text_strip(out);
}

json_t *payload_first(const char *line, const char *place, const char *text, unsigned flags)
{
    char push[PUSH_SIZE];
    char *const description = written(text, 0, PAYLOAD_BOARD_MAX, NULL, 0);
    if (line == NULL) {
        write_place(place, TEXT_DIRECT_HAND, push, sizeof push);
    } else {
        (void)markup_write(line, 0, PUSH_MAX, "", push, sizeof push - PLACE_SIZE);
        const size_t length = strlen(push);
        push[length] = '\n';
        write_place(place, TEXT_DIRECT_TABLE, push + length + 1, PLACE_SIZE - 1);
    }
    json_t *const body =
        json_pack("{s:s, s:i, s:[{s:s}], s:o}", "content", push, "flags", (int)flags, "embeds",
                  "description", description, "allowed_mentions", mentions(NULL, 0));
    free(description);
    return body;
}

void payload_place(json_t *body, const char *place)
{
    char line[PLACE_SIZE] = "-# ";
    json_t *const components = json_object_get(body, "components");
    const json_t *const content = json_object_get(body, "content");
    write_place(place, TEXT_DIRECT_TABLE, line + strlen(line), sizeof line - strlen(line));
    if (json_is_string(content)) {
        if (json_string_length(content) + strlen(line) >= PAYLOAD_CLASSIC_MAX) {
            return;
        }
        (void)json_object_set_new(body, "content",
                                  json_sprintf("%s\n%s", json_string_value(content), line));
    } else if (components != NULL) {
        (void)json_array_append_new(components,
                                    json_pack("{s:i, s:s}", "type", TEXT_DISPLAY, "content", line));
    }
}

static size_t characters(const char *text)
{
    size_t count = 0;
    for (const char *at = text; *at != '\0'; at++) {
        count += ((unsigned char)*at & 0xC0u) != 0x80u ? 1 : 0;
    }
    return count;
}

// The latest lines of it that find room, below a line that says so if there are others; "" : none.
static char *latest(const char *story, size_t most)
{
    const char *const earlier = text_sentence(TEXT_HALL_EARLIER);
    const size_t size = most * BYTES_OF_CHARACTER + 1;
    char *const out = mb_new(1, size);
    size_t room = most;
    size_t head = 0;
    for (const char *from = story;; head = strlen(earlier) + 1) {
        room = most > head ? most - head : 0;
        if (*from == '\0' || room == 0) {
            out[0] = '\0';
            return out;
        }
        if (markup_write(from, 0, room, "", out + head, size - head)) {
            break;
        }
        const size_t line = strcspn(from, "\n");
        from += line + (from[line] != '\0' ? 1 : 0);
    }
    if (head > 0) {
        memcpy(out, earlier, head - 1);
        out[head - 1] = '\n';
    }
    return out;
}

// Small below its line: what a card jokes is set in. Takes `story`.
static char *with_small_jokes(char *story)
{
    static const char SMALL[] = "-# ";
    size_t lines = 1;
    for (const char *at = story; *at != '\0'; at++) {
        lines += *at == '\n' ? 1 : 0;
    }
    char *const out = mb_new(1, strlen(story) + lines * sizeof SMALL);
    char *to = out;
    for (const char *at = story; *at != '\0';) {
        const size_t length = strcspn(at, "\n");
        const size_t blanks = strspn(at, " ");
        to = blanks > 0 ? stpcpy(to, SMALL) : to;
        memcpy(to, at + blanks, length - blanks);
        to += length - blanks;
        at += length;
        if (*at != '\0') {
            *to++ = *at++;
        }
        *to = '\0';
    }
    free(story);
    return out;
}

static char *told(const char *story, size_t most)
{
    enum { JOKES = 24 }; // each takes a character more
    return with_small_jokes(latest(story, most > JOKES ? most - JOKES : 0));
}

// One text more, which is taken, and what is left of the characters.
static void add_display(json_t *parts, char *content, size_t *left)
{
    if (content != NULL && content[0] != '\0') {
        const size_t count = characters(content);
        *left = *left > count ? *left - count : 0;
        (void)json_array_append_new(
            parts, json_pack("{s:i, s:s}", "type", TEXT_DISPLAY, "content", content));
    }
    free(content);
}

static void add_separator(json_t *parts)
{
    (void)json_array_append_new(parts, json_pack("{s:i}", "type", SEPARATOR));
}

// A text of its own for each player's row; lines part them from what stands above and below.
static void add_rows(json_t *parts, const char *text, int64_t when_s, size_t *left)
{
    static const char ROW[] = {MARK_ROW, MARK_END, '\0'};
    const char *at = text;
    for (unsigned i = 0; i == 0 || *at != '\0'; i++) {
        const char *const row = strstr(at, ROW);
        const size_t length = row != NULL ? (size_t)(row - at) : strlen(at);
        char *const part = mb_text_of(at, length);
        if (length > 0 && (i == 1 || (i > 1 && row == NULL))) {
            add_separator(parts);
        }
        if (length > 0 || row == NULL) {
            add_display(parts, written(part, when_s, *left, NULL, 0), left);
        }
        free(part);
        at += length + (row != NULL ? sizeof ROW - 1 : 0);
    }
}

json_t *payload_board(const struct payload_board *board, bool edits, unsigned flags)
{
    const bool tells = board->story != NULL && board->story[0] != '\0';
    json_t *const parts = json_array();
    json_t *const below = json_array();
    size_t left = PAYLOAD_BOARD_MAX - PLACE_SIZE;
    if (board->asks != NULL) {
        add_display(parts, written(board->asks, board->when_s, PUSH_MAX, NULL, 0), &left);
    }
    if (board->text != NULL || !tells) { // an empty message is refused
        add_rows(below, board->text != NULL ? board->text : "", board->when_s, &left);
    }
    if (tells) {
        add_display(parts, told(board->story, left), &left);
    }
    if (json_array_size(parts) > 0 && json_array_size(below) > 0) {
        add_separator(parts);
    }
    (void)json_array_extend(parts, below);
    json_decref(below);
    json_t *const body = json_pack(
        "{s:i, s:o, s:[{s:i, s:o}]}", "flags", (int)(flags | COMPONENTS_V2), "allowed_mentions",
        mentions(NULL, 0), "components", "type", CONTAINER, "components", parts);
    paint(json_array_get(json_object_get(body, "components"), 0), "accent_color", board->mood);
    if (body != NULL && edits) { // it may have been a classic one
        (void)json_object_set_new(body, "content", json_null());
        (void)json_object_set_new(body, "embeds", json_array());
    }
    return body;
}

json_t *payload_call(const struct payload_board *board)
{
    char *const content = written(board->asks != NULL ? board->asks : "", board->when_s,
                                  PAYLOAD_CLASSIC_MAX, board->pings, board->ping_count);
    char *const text = written(board->text, board->when_s, PAYLOAD_BOARD_MAX, NULL, 0);
    const size_t used = characters(text) + 1;
    char *const story = told(board->story != NULL ? board->story : "",
                             used < PAYLOAD_BOARD_MAX ? PAYLOAD_BOARD_MAX - used : 0);
    json_t *const body =
        json_pack("{s:s, s:[{s:o}], s:o}", "content", content, "embeds", "description",
                  json_sprintf("%s%s%s", story, story[0] != '\0' ? "\n\n" : "", text),
                  "allowed_mentions", mentions(board->pings, board->ping_count));
    paint(json_array_get(json_object_get(body, "embeds"), 0), "color", board->mood);
    free(content);
    free(text);
    free(story);
    return body;
}

void payload_rows(json_t *body, json_t *rows)
{
    json_t *const components = json_object_get(body, "components");
    if (components == NULL) {
        (void)json_object_set(body, "components", rows);
    } else {
        (void)json_array_extend(components, rows);
    }
    json_decref(rows);
}

json_int_t payload_mark(const json_t *message)
{
    const json_t *const components = json_object_get(message, "components");
    return json_integer_value(json_object_get(json_array_get(components, 0), "id"));
}

void payload_once(json_t *body, uint64_t mark)
{
    enum { BIT = 30 }; // no small number, such as Discord gives to components without one
    char nonce[PAYLOAD_NONCE_SIZE];
    (void)sodium_bin2base64(nonce, sizeof nonce, (const unsigned char *)&mark, sizeof mark,
                            sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    (void)json_object_set_new(body, "nonce", json_string(nonce));
    (void)json_object_set_new(body, "enforce_nonce", json_true());
    json_t *const first = json_array_get(json_object_get(body, "components"), 0);
    if (first != NULL) {
        (void)json_object_set_new(
            first, "id",
            json_integer((json_int_t)((mark & ((UINT64_C(1) << BIT) - 1)) | UINT64_C(1) << BIT)));
    }
}

json_t *payload_callback(enum payload_answer type, json_t *data)
{
    json_t *const body = json_pack("{s:i}", "type", (int)type);
    if (data != NULL) {
        (void)json_object_set_new(body, "data", data);
    }
    return body;
}
