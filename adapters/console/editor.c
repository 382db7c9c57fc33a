#include "adapters/console/editor.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <poll.h>
#include <unistd.h>

#include <histedit.h>
#include <termios.h>
#include <wchar.h>

#include "core/codec/memory.h"

#include "bot/text/text.h"

enum {
    KEYS_MAX = 1024,
    PROMPT_MAX = 256,
    HISTORY_MAX = 200,
    KEY_MS = 50, // within one key: what takes longer is another key
    LIST_SIZE = 32768,
    LISTED_MAX = 120, // candidates
    GAP = 2,          // between their columns
    CTRL_D = 4
};

struct editor {
    struct editor_setup setup;
    EditLine *el;
    HistoryW *history;
    FILE *in, *out;
    bool open, shown, ended;
    bool list; // Tab has found several: they are to be listed
    unsigned char keys[KEYS_MAX];
    size_t key_first, key_count;
    wchar_t prompt[PROMPT_MAX]; // empty while nothing is shown
    wchar_t wanted[PROMPT_MAX];
    size_t prompt_columns;
    struct complete_list candidates;
    char text[LIST_SIZE];
};

/* Sums about a screen. */

size_t columns_rows(size_t prompt, const char *text, size_t width)
{
    size_t rows = prompt / width;
    size_t column = prompt % width;
    while (*text != '\0') {
        const size_t length = text_character(text) > 0 ? text_character(text) : 1;
        const size_t wide = text_columns(text, length);
        if (column + wide > width) { // a wide character does not stand across the edge
            rows++;
            column = 0;
        }
        column += wide;
        if (column >= width) {
            rows++;
            column = 0;
        }
        text += length;
    }
    return rows;
}

void columns_list(const struct complete_list *list, size_t width, char *out, size_t size)
{
    struct text_out text;
    const size_t count = list->count < LISTED_MAX ? list->count : LISTED_MAX;
    size_t widest = 1;
    text_begin(&text, out, size);
    for (size_t i = 0; i < count; i++) {
        const size_t wide = text_columns(list->items[i].text, strlen(list->items[i].text));
        widest = wide > widest ? wide : widest;
    }
    const size_t fitting = (width + GAP - 1) / (widest + GAP);
    const size_t columns = fitting > 0 ? fitting : 1;
    const size_t rows = (count + columns - 1) / columns;
    for (size_t row = 0; row < rows; row++) {
        for (size_t at = row; at < count; at += rows) {
            const char *const item = list->items[at].text;
            text_value(&text, item);
            size_t blanks = at + rows < count ? widest + GAP - text_columns(item, strlen(item)) : 0;
            for (; blanks > 0; blanks--) {
                text_raw(&text, " ");
            }
        }
        text_raw(&text, "\n");
    }
    if (list->overflow || count < list->count) {
        text_line(&text, TEXT_CONSOLE_MORE, NULL);
    }
}

/* The editor. */

static struct editor *editor_of(EditLine *el)
{
    void *editor = NULL;
    (void)el_wget(el, EL_CLIENTDATA, &editor);
    return editor;
}

static wchar_t *prompt_of(EditLine *el)
{
    return editor_of(el)->prompt;
}

// Reads keys if there are any within some time.
static bool read_keys(struct editor *editor, int ms)
{
    struct pollfd poll_in = {.fd = editor->setup.in, .events = POLLIN};
    if (editor->ended || editor->key_count == KEYS_MAX || poll(&poll_in, 1, ms) <= 0) {
        return false;
    }
    if (editor->key_first > 0) {
        memmove(editor->keys, editor->keys + editor->key_first, editor->key_count);
        editor->key_first = 0;
    }
    const ssize_t count =
        read(editor->setup.in, editor->keys + editor->key_count, KEYS_MAX - editor->key_count);
    if (count > 0) {
        editor->key_count += (size_t)count;
        return true;
    }
    editor->ended = count == 0 || (errno != EINTR && errno != EAGAIN);
    return false;
}

// Bytes that the key at the beginning has by its first one.
static size_t key_bytes(unsigned char lead)
{
    if (lead >= 0xF0u) {
        return 4;
    }
    if (lead >= 0xE0u) {
        return 3;
    }
    return lead >= 0xC0u ? 2 : 1;
}

static wchar_t decode_utf8(const unsigned char *bytes, size_t length)
{
    unsigned long code = bytes[0];
    if (length > 1) {
        code &= 0xFFu >> (length + 1);
    }
    for (size_t i = 1; i < length; i++) {
        code = (code << 6) | (bytes[i] & 0x3Fu);
    }
    return (wchar_t)code;
}

// libedit wants a key: the next one typed, or none when nothing more comes (0).
static int next_key(EditLine *el, wchar_t *out)
{
    struct editor *const editor = editor_of(el);
    for (;;) {
        if (editor->key_count == 0 && !read_keys(editor, KEY_MS)) {
            return 0;
        }
        const unsigned char *const at = editor->keys + editor->key_first;
        const size_t wanted = key_bytes(at[0]);
        if (editor->key_count < wanted && read_keys(editor, KEY_MS)) {
            continue;
        }
        char character[5] = {0};
        const size_t length = wanted < editor->key_count ? wanted : editor->key_count;
        memcpy(character, editor->keys + editor->key_first, length);
        const bool control = length == 1 && ((unsigned char)character[0] < 0x20u ||
                                             (unsigned char)character[0] == 0x7Fu);
        const bool good = control || text_character(character) == length;
        const size_t used = good ? length : 1;
        *out = decode_utf8(editor->keys + editor->key_first, used);
        editor->key_first += used;
        editor->key_count -= used;
        if (good && *out != 0) {
            return 1;
        }
    }
}

// The line as UTF-8, up to the cursor or whole; false if it does not fit.
static bool line_text(const wchar_t *from, const wchar_t *to, char *out, size_t size)
{
    size_t used = 0;
    for (; from < to && *from != L'\n'; from++) {
        const unsigned long code = (unsigned long)*from;
        const size_t length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
        static const unsigned LEADS[] = {0, 0, 0xC0, 0xE0, 0xF0};
        if (used + length >= size) {
            return false;
        }
        for (size_t i = length; i > 1; i--) {
            out[used + i - 1] = (char)(0x80u | ((code >> (6 * (length - i))) & 0x3Fu));
        }
        out[used] = (char)(length == 1 ? code : LEADS[length] | (code >> (6 * (length - 1))));
        used += length;
    }
    out[used] = '\0';
    return true;
}

// UTF-8 for libedit, cut to fit.
static void widen_text(const char *text, wchar_t *out, size_t size)
{
    size_t used = 0;
    while (*text != '\0' && used + 1 < size) {
        const size_t length = key_bytes((unsigned char)*text);
        unsigned char bytes[4] = {0};
        memcpy(bytes, text, strnlen(text, length));
        out[used++] = decode_utf8(bytes, length);
        text += strnlen(text, length);
    }
    out[used] = L'\0';
}

static unsigned char on_tab(EditLine *el, int key)
{
    struct editor *const editor = editor_of(el);
    const LineInfoW *const line = el_wline(el);
    char text[CHAT_LINE_SIZE];
    char common[COMPLETE_TEXT_SIZE];
    (void)key;
    if (editor->setup.complete == NULL ||
        !line_text(line->buffer, line->cursor, text, sizeof text)) {
        return CC_ERROR;
    }
    const size_t cursor = strlen(text);
    editor->setup.complete(editor->setup.user, text, cursor, &editor->candidates);
    if (editor->candidates.count == 0) {
        return CC_ERROR;
    }
    if (!complete_common(&editor->candidates, text, cursor, common)) {
        editor->list = editor->candidates.count > 1;
        return editor->list ? CC_NORM : CC_ERROR;
    }
    int characters = 0;
    for (size_t i = editor->candidates.from; i < cursor; i++) {
        characters += ((unsigned char)text[i] & 0xC0u) != 0x80u ? 1 : 0;
    }
    wchar_t insert[COMPLETE_TEXT_SIZE];
    widen_text(common, insert, COMPLETE_TEXT_SIZE);
    el_deletestr(el, characters);
    if (insert[0] != L'\0' && el_winsertstr(el, insert) != 0) {
        return CC_ERROR;
    }
    // More than one still: what there is, at once.
    editor->list = editor->candidates.count > 1;
    return CC_REFRESH;
}

static bool set_up(struct editor *editor)
{
    EditLine *const el = editor->el;
    HistEventW event;
    editor->history = history_winit();
    if (editor->history == NULL || history_w(editor->history, &event, H_SETSIZE, HISTORY_MAX) < 0 ||
        history_w(editor->history, &event, H_SETUNIQUE, 1) < 0) {
        return false;
    }
    return el_wset(el, EL_CLIENTDATA, editor) == 0 &&
           el_wset(el, EL_PROMPT_ESC, prompt_of, L'\1') == 0 && el_wset(el, EL_SIGNAL, 0) == 0 &&
           el_wset(el, EL_EDITOR, L"emacs") == 0 &&
           el_wset(el, EL_HIST, history_w, editor->history) == 0 &&
           el_wset(el, EL_GETCFN, next_key) == 0 &&
           el_wset(el, EL_ADDFN, L"mb-complete", L"completes a word", on_tab) == 0 &&
           el_wset(el, EL_BIND, L"^I", L"mb-complete", NULL) == 0;
}

struct editor *editor_create(const struct editor_setup *setup)
{
    struct editor *const editor = mb_new(1, sizeof *editor);
    editor->setup = *setup;
    const int in = dup(setup->in);
    const int out = dup(setup->out);
    editor->in = in < 0 ? NULL : fdopen(in, "r");
    editor->out = out < 0 ? NULL : fdopen(out, "w");
    if (editor->in != NULL && editor->out != NULL) {
        editor->el = el_init_fd("munchbot", editor->in, editor->out, editor->out, setup->in,
                                setup->out, setup->out);
    }
    if (editor->el == NULL || !set_up(editor)) {
        if (editor->in == NULL && in >= 0) {
            (void)close(in);
        }
        if (editor->out == NULL && out >= 0) {
            (void)close(out);
        }
        editor_destroy(editor);
        return NULL;
    }
    return editor;
}

void editor_destroy(struct editor *editor)
{
    if (editor == NULL) {
        return;
    }
    editor_close(editor);
    if (editor->el != NULL) {
        el_end(editor->el);
    }
    if (editor->history != NULL) {
        history_wend(editor->history);
    }
    if (editor->in != NULL) {
        (void)fclose(editor->in);
    }
    if (editor->out != NULL) {
        (void)fclose(editor->out);
    }
    free(editor);
}

void editor_open(struct editor *editor)
{
    if (!editor->open) {
        editor->open = true;
        editor->prompt[0] = L'\0';
        (void)el_wset(editor->el, EL_UNBUFFERED, 1);
    }
}

void editor_close(struct editor *editor)
{
    if (editor->open) {
        editor_hide(editor);
        (void)el_wset(editor->el, EL_UNBUFFERED, 0);
        editor->open = false;
    }
}

void editor_show(struct editor *editor)
{
    if (editor->open && !editor->shown) {
        wmemcpy(editor->prompt, editor->wanted, PROMPT_MAX);
        editor->shown = true;
        (void)el_wset(editor->el, EL_REFRESH);
    }
}

static size_t terminal_columns(struct editor *editor)
{
    int columns = 0;
    return el_wget(editor->el, EL_GETTC, "co", &columns) == 0 && columns > 1 ? (size_t)columns : 80;
}

// Rows between the prompt's first one and the cursor's.
static size_t cursor_row(struct editor *editor)
{
    const LineInfoW *const line = el_wline(editor->el);
    (void)line_text(line->buffer, line->cursor, editor->text, sizeof editor->text);
    return columns_rows(editor->prompt_columns, editor->text, terminal_columns(editor));
}

void editor_hide(struct editor *editor)
{
    char move[64];
    if (!editor->open || !editor->shown) {
        return;
    }
    const size_t row = cursor_row(editor);
    const int length = row > 0 ? snprintf(move, sizeof move, "\r\033[%zuA\033[J", row)
                               : snprintf(move, sizeof move, "\r\033[J");
    (void)fwrite(move, 1, (size_t)length, editor->out);
    (void)fflush(editor->out);
    editor->shown = false;
    editor->prompt[0] = L'\0';
}

void editor_prompt(struct editor *editor, const char *prompt)
{
    char text[PROMPT_MAX] = "";
    wchar_t wanted[PROMPT_MAX];
    size_t used = 0;
    size_t shown = 0;
    // Escape sequences stand between marks for libedit, and take no columns.
    for (bool escape = false; *prompt != '\0' && used + 3 < sizeof text; prompt++) {
        if (*prompt == '\033') {
            text[used++] = '\1';
            escape = true;
        }
        text[used++] = *prompt;
        if (!escape) {
            editor->text[shown++] = *prompt;
        } else if (*prompt == 'm') {
            text[used++] = '\1';
            escape = false;
        }
    }
    text[used] = '\0';
    editor->text[shown] = '\0';
    const size_t columns = text_columns(editor->text, shown);
    widen_text(text, wanted, PROMPT_MAX);
    if (wcscmp(wanted, editor->wanted) != 0) {
        const bool redraw = editor->shown;
        editor_hide(editor);
        wmemcpy(editor->wanted, wanted, PROMPT_MAX);
        editor->prompt_columns = columns;
        if (redraw) {
            editor_show(editor);
        }
    }
}

void editor_suspend(struct editor *editor)
{
    if (editor->open) {
        editor_hide(editor);
        (void)el_wset(editor->el, EL_PREP_TERM, 0);
    }
}

void editor_restore(struct editor *editor)
{
    if (!editor->open) {
        return;
    }
    const bool shown = editor->shown;
    // Off and on again: another process may have left the terminal otherwise.
    (void)el_wset(editor->el, EL_PREP_TERM, 0);
    (void)el_wset(editor->el, EL_PREP_TERM, 1);
    editor_hide(editor);
    el_resize(editor->el);
    if (shown) {
        editor_show(editor);
    }
}

// Ends the line that libedit knows of; the terminal stays raw, and nothing is shown.
static void next_line(struct editor *editor)
{
    editor->shown = false;
    editor->prompt[0] = L'\0';
    (void)el_wset(editor->el, EL_UNBUFFERED, 0);
    (void)el_wset(editor->el, EL_UNBUFFERED, 1);
}

void editor_drop(struct editor *editor)
{
    editor_hide(editor);
    editor->key_first = 0;
    editor->key_count = 0;
    (void)tcflush(editor->setup.in, TCIFLUSH);
    if (editor->open) {
        next_line(editor);
    }
}

bool editor_pending(const struct editor *editor)
{
    return editor->key_count > 0 || editor->ended;
}

// The candidates of the last Tab, in columns above the line.
static void list_candidates(struct editor *editor)
{
    const size_t width = terminal_columns(editor);
    editor->list = false;
    editor_hide(editor);
    columns_list(&editor->candidates, width, editor->text, sizeof editor->text);
    (void)fwrite(editor->text, 1, strlen(editor->text), editor->out);
    (void)fflush(editor->out);
    editor_show(editor);
}

static enum editor_heard take_line(struct editor *editor, bool keep, char line[CHAT_LINE_SIZE])
{
    const LineInfoW *const info = el_wline(editor->el);
    const bool fits = line_text(info->buffer, info->lastchar, line, CHAT_LINE_SIZE);
    if (fits && line[0] == '\0') { // Enter alone leaves no trace
        static const char UP[] = "\033[A\r\033[J";
        (void)fwrite(UP, 1, sizeof UP - 1, editor->out);
        (void)fflush(editor->out);
    }
    if (fits && keep && line[strspn(line, " ")] != '\0') {
        HistEventW event;
        wchar_t entry[CHAT_LINE_SIZE];
        widen_text(line, entry, CHAT_LINE_SIZE);
        (void)history_w(editor->history, &event, H_ENTER, entry);
    }
    next_line(editor);
    return fits ? EDITOR_LINE : EDITOR_TOO_LONG;
}

enum editor_heard editor_read(struct editor *editor, bool keep, char line[CHAT_LINE_SIZE])
{
    (void)read_keys(editor, 0);
    while (editor->key_count > 0) {
        int count = 0;
        const wchar_t *const text = el_wgets(editor->el, &count);
        if (editor->list) {
            list_candidates(editor);
        }
        if (text != NULL && count == 1 && text[0] == CTRL_D) { // libedit's way to say it
            next_line(editor);
            return EDITOR_LEAVE;
        }
        if (text != NULL && count > 0 && text[count - 1] == L'\n') {
            return take_line(editor, keep, line);
        }
    }
    return editor->ended ? EDITOR_END : EDITOR_MORE;
}
