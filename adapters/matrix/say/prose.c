#include "adapters/matrix/say/prose.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

#include "bot/text/text.h"

enum { MARKS_MAX = 16, CONTROL_COST = 6, CHARACTER_SIZE = 5 };

/* One of the two that are being written, and what it costs as JSON. */
struct half {
    char *out;
    size_t length, cost;
};

struct writing {
    struct half body, html;
    size_t most;          // of either's cost
    bool bold[MARKS_MAX]; // of the marks that are open, from the outermost on
    unsigned depth;
    bool begins; // a line
    bool in_word;
    const struct prose_called *called;
    size_t called_count;
    unsigned linked;    // bits of `called`
    bool first_is_told; // the first line
};

static size_t cost_of(const char *piece)
{
    size_t cost = 0;
    for (const char *at = piece; *at != '\0'; at++) {
        const bool control = (unsigned char)*at < ' ' && *at != '\n';
        cost += control ? CONTROL_COST : strchr("\"\\\n", *at) != NULL ? 2 : 1;
    }
    return cost;
}

static void put_piece(struct half *half, const char *piece)
{
    const size_t length = strlen(piece);
    memcpy(half->out + half->length, piece, length + 1);
    half->length += length;
    half->cost += cost_of(piece);
}

// All of it in both, or nothing.
static bool put_both(struct writing *w, const char *plain, const char *html)
{
    if (w->body.cost + cost_of(plain) > w->most || w->html.cost + cost_of(html) > w->most) {
        return false;
    }
    put_piece(&w->body, plain);
    put_piece(&w->html, html);
    return true;
}

// Only what parts a text is set off; names and monsters are not, or a line would be a chequerboard.
static bool is_bold(char mark)
{
    return mark == MARK_HEAD || mark == MARK_REFUSAL;
}

static bool is_letter(char byte)
{
    return isalnum((unsigned char)byte) != 0 || (unsigned char)byte >= 0x80u;
}

static bool may_be_shown(const char *name)
{
    size_t length = 1;
    while (*name != '\0' && length > 0) {
        length = text_character(name);
        name += length;
    }
    return length > 0;
}

// Who is called by the word that begins there, and is not linked yet; called_count: nobody.
static size_t called_at(const struct writing *w, const char *at)
{
    size_t i = 0;
    for (; i < w->called_count && !w->in_word; i++) {
        const size_t length = strlen(w->called[i].name);
        if ((w->linked >> i & 1u) == 0 && length > 0 &&
            strncmp(w->called[i].name, at, length) == 0 && !is_letter(at[length]) &&
            may_be_shown(w->called[i].name)) {
            return i;
        }
    }
    return w->called_count;
}

// What HTML has in place of a character, or NULL: itself.
static const char *entity(char character)
{
    switch (character) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

static bool put_link(struct writing *w, const char *id)
{
    bool good = put_both(w, "", "<a href=\"https://matrix.to/#/");
    for (; *id != '\0' && good; id++) {
        const char piece[] = {*id, '\0'};
        const char *const safe = *id == '/' ? "%2F" : entity(*id);
        good = put_both(w, "", safe != NULL ? safe : piece);
    }
    return good && put_both(w, "", "\">");
}

static bool put_mark(struct writing *w, char mark)
{
    if (mark == MARK_END) {
        w->depth -= w->depth > 0 ? 1 : 0;
        return !w->bold[w->depth] || put_both(w, "", "</b>");
    }
    if (w->depth == MARKS_MAX) {
        return false;
    }
    w->bold[w->depth] = is_bold(mark);
    return !w->bold[w->depth++] || put_both(w, "", "<b>");
}

static bool put_character(struct writing *w, const char *at, size_t bytes)
{
    static const char WIDE[] = {'\xC2', '\xA0', '\0'}; // a blank that HTML keeps
    char piece[CHARACTER_SIZE] = "";
    memcpy(piece, at, bytes < sizeof piece ? bytes : sizeof piece - 1);
    if (piece[0] == ' ') {
        return put_both(w, piece, w->begins ? WIDE : " ");
    }
    const char *const html = entity(piece[0]);
    w->begins = false;
    return put_both(w, piece, html != NULL ? html : piece);
}

// The name of somebody whom the message calls, as a link to them.
static bool put_called(struct writing *w, const char **at, size_t called)
{
    const char *const end = *at + strlen(w->called[called].name);
    bool good = put_link(w, w->called[called].id);
    w->linked |= 1u << called;
    while (good && *at < end) {
        const size_t length = text_character(*at);
        good = put_character(w, *at, length);
        *at += length;
    }
    return good && put_both(w, "", "</a>");
}

// Behind the first line, links to those whom it calls and has not named.
static bool put_unnamed(struct writing *w)
{
    bool good = true;
    for (size_t i = 0; i < w->called_count && good; i++) {
        const char *at = w->called[i].name;
        if ((w->linked >> i & 1u) == 0 && at[0] != '\0' && may_be_shown(at)) {
            good = put_both(w, " ", " ") && put_called(w, &at, i);
        }
    }
    return good;
}

static bool put_any(struct writing *w, const char **at)
{
    const size_t called = called_at(w, *at);
    if (called < w->called_count) {
        return put_called(w, at, called);
    }
    if (**at == '\n' && !w->first_is_told) {
        w->first_is_told = true;
        if (!put_unnamed(w)) {
            return false;
        }
    }
    w->in_word = is_letter(**at);
    if (**at == MARK_CHAT) {
        const char *const word = text_sentence(TEXT_CHAT_MATRIX);
        *at = text_behind(*at);
        return put_both(w, word, word);
    }
    if (text_is_mark(**at)) {
        return put_mark(w, *(*at)++);
    }
    const size_t known = text_character(*at);
    const char *const from = *at;
    *at += known > 0 ? known : 1;
    if (*from == '\n') {
        w->begins = true;
        return put_both(w, "\n", "<br/>");
    }
    return known == 0 || put_character(w, from, known); // else no character that may be shown
}

static void cut_back(struct half *half, const struct half *where)
{
    *half = *where;
    half->out[half->length] = '\0';
}

// Takes one line end off the end of either.
static bool drop_line_end(struct half *half, const char *end)
{
    const size_t length = strlen(end);
    if (half->length < length || strcmp(half->out + half->length - length, end) != 0) {
        return false;
    }
    half->length -= length;
    half->out[half->length] = '\0';
    return true;
}

static void put_rest(struct writing *w, const char *rest)
{
    if (w->body.length > 0) {
        (void)put_both(w, "\n", "<br/>");
    }
    for (const char *at = rest; *at != '\0' && put_any(w, &at);) {
    }
}

bool prose_write(const char *text, size_t most, const char *rest, const struct prose_called *called,
                 size_t called_count, struct prose *out)
{
    enum { CHARACTER_COST = 6, LINE_END = 8 }; // at most, of a character of `rest` in HTML
    const size_t room = CHARACTER_COST * strlen(rest) + LINE_END;
    struct writing w = {.body = {.out = out->body},
                        .html = {.out = out->html},
                        .most = most,
                        .begins = true,
                        .called = called,
                        .called_count =
                            called_count < PROSE_CALLED_MAX ? called_count : PROSE_CALLED_MAX};
    struct writing stop = w; // where it can end: behind a whole line outside all marks
    out->body[0] = out->html[0] = '\0';
    for (const char *at = text; *at != '\0';) {
        if (w.depth == 0 && *at == '\n' && w.body.cost + room <= most &&
            w.html.cost + room <= most) {
            stop = w;
        }
        if (!put_any(&w, &at)) {
            cut_back(&w.body, &stop.body);
            cut_back(&w.html, &stop.html);
            w.depth = 0;
            put_rest(&w, rest);
            return false;
        }
    }
    while (w.depth > 0 && put_mark(&w, MARK_END)) {
    }
    (void)(w.first_is_told || put_unnamed(&w));
    while (drop_line_end(&w.body, "\n") && drop_line_end(&w.html, "<br/>")) {
    }
    return true;
}

static json_t *mentions_of(const struct content_said *said)
{
    json_t *const mentions = json_object();
    json_t *const ids = json_array();
    for (size_t i = 0; i < said->called_count; i++) {
        (void)json_array_append_new(ids, json_string(said->called[i]));
    }
    if (said->called_count > 0) {
        (void)json_object_set(mentions, "user_ids", ids);
    }
    json_decref(ids);
    return mentions;
}

static json_t *simple(const struct content_said *said, const struct prose *prose,
                      const char *before)
{
    return json_pack("{s:s, s:s+, s:s, s:s+, s:o}", "msgtype",
                     said->counts || said->called_count > 0 ? "m.text" : "m.notice", "body", before,
                     prose->body, "format", "org.matrix.custom.html", "formatted_body", before,
                     prose->html, "m.mentions", mentions_of(said));
}

json_t *content_message(const struct content_said *said)
{
    struct prose *const prose = mb_new(1, sizeof *prose);
    struct prose_called called[PROSE_CALLED_MAX];
    const size_t count =
        said->called_count < PROSE_CALLED_MAX ? said->called_count : (size_t)PROSE_CALLED_MAX;
    for (size_t i = 0; i < count; i++) {
        called[i] = (struct prose_called){.name = said->names[i], .id = said->called[i]};
    }
    const size_t most = said->sealed ? PROSE_SEALED_MAX : PROSE_MAX;
    (void)prose_write(said->text, most, text_sentence(TEXT_HALL_REST), called, count, prose);
    json_t *const whole = simple(said, prose, "");
    if (said->replaces != NULL && said->sealed) {
        char *const line = mb_text_of(said->text, strcspn(said->text, "\n"));
        (void)prose_write(line, most, text_sentence(TEXT_HALL_REST), called, count, prose);
        free(line);
    }
    json_t *const content = said->replaces != NULL ? simple(said, prose, "* ") : whole;
    if (said->replaces != NULL) {
        (void)json_object_set_new(content, "m.new_content", whole);
        (void)json_object_set_new(
            content, "m.relates_to",
            json_pack("{s:s, s:s}", "rel_type", "m.replace", "event_id", said->replaces));
    } else if (said->answers != NULL) {
        json_t *const relation = json_pack("{s:{s:s}}", "m.in_reply_to", "event_id", said->answers);
        if (said->thread != NULL) {
            (void)json_object_set_new(relation, "rel_type", json_string("m.thread"));
            (void)json_object_set_new(relation, "event_id", json_string(said->thread));
            (void)json_object_set_new(relation, "is_falling_back", json_false());
        }
        (void)json_object_set_new(content, "m.relates_to", relation);
    }
    if (said->txn != NULL) {
        (void)json_object_set_new(content, CONTENT_TXN, json_string(said->txn));
    }
    free(prose);
    return content;
}
