#include "adapters/console/console.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unistd.h>

#include <locale.h>
#include <strings.h>
#include <termios.h>

#include "core/codec/memory.h"

#include "bot/parse/complete.h"

#include "adapters/console/console_impl.h"

enum { SAY_SIZE = 4096 };

static bool console_start(struct chat *chat, struct mb_error *err);
static bool console_send(struct chat *chat, const struct chat_out *out, struct mb_error *err);
static void console_stop(struct chat *chat);
static void console_destroy(struct chat *chat);

static const struct chat_ops OPS = {
    .name = "console",
    .caps = CHAT_CAP_PRIVATE | CHAT_CAP_PACED,
    .start = console_start,
    .send = console_send,
    .stop = console_stop,
    .destroy = console_destroy,
};

struct console *console_of(struct chat *chat)
{
    assert(chat->ops == &OPS);
    return (struct console *)chat;
}

static const struct console *console_of_const(const struct chat *chat)
{
    assert(chat->ops == &OPS);
    return (const struct console *)chat;
}

struct chat *console_create(const struct console_setup *setup)
{
    assert(setup->people_count <= PEOPLE_MAX);
    struct console *const console = mb_new(1, sizeof *console);
    console->chat = (struct chat){.ops = &OPS, .sink = {.queue = setup->queue}};
    console->setup = *setup;
    console->in_is_terminal = isatty(setup->in) == 1;
    console->person = setup->people_count;
    console->clock_ms = -1;
    console->clock_end = -1;
    screen_init(&console->screen, setup->out);
    lines_init(&console->lines, setup->in);
    const bool terminal = console->in_is_terminal && console->screen.is_terminal;
    console->edits = terminal && !console->screen.plain && setup->people_count > 0;
    console->pages = terminal && setup->people_count > 1;
    return &console->chat;
}

static void complete(void *user, const char *line, size_t cursor, struct complete_list *out)
{
    struct console *const console = user;
    out->count = 0;
    // Not for another person's line: it would tell who sits here what that one may do.
    const size_t name = strcspn(line, ":");
    const bool of_somebody =
        line[name] == ':' && console_person(console, line, name) < console->setup.people_count;
    const struct chat_sink *const sink = &console->chat.sink;
    if (console->waiting || of_somebody || sink->complete == NULL) {
        return;
    }
    const struct chat_in in = {.place = console->setup.place,
                               .person = console->setup.people[console->person],
                               .line = line};
    sink->complete(sink->user, &console->chat, &in, cursor, out);
    if (out->from == 0 && cursor < sizeof "quit" && strncasecmp(line, "quit", cursor) == 0) {
        complete_add(out, "quit", false);
    }
}

// Editors for everybody; without one the line reader does.
static void make_editors(struct console *console)
{
    const struct editor_setup setup = {
        .in = console->setup.in, .out = console->setup.out, .complete = complete, .user = console};
    // libedit writes in the locale's characters; without one in UTF-8.
    if (setlocale(LC_CTYPE, "") == NULL || MB_CUR_MAX == 1) {
        (void)setlocale(LC_CTYPE, "C.UTF-8");
    }
    for (unsigned i = 0; console->edits && i < console->setup.people_count; i++) {
        console->editors[i] = editor_create(&setup);
        console->edits = console->editors[i] != NULL;
    }
}

static bool console_start(struct chat *chat, struct mb_error *err)
{
    struct console *const console = console_of(chat);
    if (console->started) {
        return true; // the signals' own ways are kept once only
    }
    if (console->edits) {
        make_editors(console);
    }
    console->started = signals_hold(&console->signals, console->edits, err);
    return console->started;
}

static void console_stop(struct chat *chat)
{
    struct console *const console = console_of(chat);
    for (unsigned i = 0; i < PEOPLE_MAX; i++) {
        editor_destroy(console->editors[i]);
        console->editors[i] = NULL;
    }
    console->edits = false;
    console->started = false;
    signals_release(&console->signals);
}

static void console_destroy(struct chat *chat)
{
    struct console *const console = console_of(chat);
    console_stop(chat);
    for (unsigned i = 0; i < PEOPLE_MAX; i++) {
        page_finish(&console->page[i]);
        free(console->prompts[i].text);
        free(console->prompts[i].shown);
    }
    free(console);
}

struct editor *console_editor(struct console *console)
{
    return console->edits && console->person < console->setup.people_count
               ? console->editors[console->person]
               : NULL;
}

static void print(struct console *console, const char *text)
{
    struct editor *const editor = console_editor(console);
    if (editor != NULL) {
        editor_hide(editor);
    } else if (console->prompted) {
        console->prompted = false;
        screen_bytes(&console->screen, "\n", 1);
    }
    screen_text(&console->screen, text);
}

void console_print(struct chat *chat, const char *text)
{
    struct console *const console = console_of(chat);
    print(console, text);
    if (console->pages && console->person < console->setup.people_count) {
        page_add(&console->page[console->person], text);
    }
}

void console_say(struct chat *chat, enum text_id id, const struct text_arg *args)
{
    char line[SAY_SIZE];
    struct text_out out;
    text_begin(&out, line, sizeof line);
    text_line(&out, id, args);
    console_print(chat, line);
}

unsigned console_person(const struct console *console, const char *name, size_t length)
{
    for (unsigned i = 0; i < console->setup.people_count; i++) {
        const char *const person = console->setup.people[i];
        if (strlen(person) == length && strncasecmp(person, name, length) == 0) {
            return i;
        }
    }
    return console->setup.people_count;
}

static void page_all(struct console *console, const char *text)
{
    for (unsigned i = 0; console->pages && i < console->setup.people_count; i++) {
        struct page *const page = &console->page[i];
        const bool read = page->unread == page->length;
        page_add(page, text);
        if (read) { // what others may read waits for nobody
            page_read(page);
        }
    }
}

// Told to everybody; somebody may have to be given the time to read it.
static void send_to_all(struct console *console, const struct chat_out *out)
{
    const bool lies = console->screen.is_terminal &&
                      (console->in_is_terminal || console->setup.people_count == 0);
    print(console, out->text);
    page_all(console, out->text);
    if (console->unread_count == UNREAD_MAX) {
        console_is_read(&console->chat);
    }
    console->unread[console->unread_count++] = out->key;
    for (const char *at = out->text; *at != '\0'; at++) {
        console->unread_lines += *at == '\n' ? 1 : 0;
    }
    if (!lies) {
        console_is_read(&console->chat);
    }
}

// Who is asked, and since when; with a text a person's turn begins.
static void take_card(struct console *console, const struct chat_out *out)
{
    console->waited = 0;
    for (size_t i = 0; i < out->asked_count; i++) {
        const unsigned person = console_person(console, out->asked[i], strlen(out->asked[i]));
        console->waited |= person < console->setup.people_count ? 1u << person : 0;
    }
    console->clock_ms = out->clock_ms;
    console->clock_end = -1;
    if (out->text[0] != '\0') {
        for (unsigned i = 0; i < console->setup.people_count; i++) {
            page_turn(&console->page[i]);
        }
        print(console, out->text);
        page_all(console, out->text);
    }
}

// The length of a paragraph: up to the blank line that ends it, or the text's end.
static size_t paragraph(const char *text)
{
    if (text[0] == '\n') {
        return 0;
    }
    const char *const end = strstr(text, "\n\n");
    return end != NULL ? (size_t)(end - text) + 1 : strlen(text);
}

static void take_hand(struct console *console, unsigned person, const struct chat_out *out)
{
    struct prompt *const prompt = &console->prompts[person];
    if (prompt->text == NULL) {
        prompt->text = mb_new(1, PROMPT_TEXT_SIZE);
        prompt->shown = mb_new(1, PROMPT_TEXT_SIZE);
        // What was dealt has just been told: the hand stands above a first prompt only if it is
        // all.
        const size_t hand = console->setup.resumed ? 0 : paragraph(out->text);
        const int told = out->text[hand] != '\0' ? (int)hand : 0;
        (void)snprintf(prompt->shown, PROMPT_TEXT_SIZE, "%.*s", told, out->text);
    }
    (void)snprintf(prompt->text, PROMPT_TEXT_SIZE, "%s", out->text);
    prompt->idle = out->idle;
}

// Keeps a private message for somebody who is not at the keyboard now.
static void keep(struct console *console, unsigned person, const struct chat_out *out)
{
    page_add(&console->page[person], out->text);
    const bool spoken = console->person < console->setup.people_count;
    if (out->kind == CHAT_REPLY && spoken && !console->told) { // somebody else, for that person
        console->told = true;
        console_say(&console->chat, TEXT_CONSOLE_KEPT,
                    TEXT_ARGS(text_str("who", console->setup.people[person])));
    }
}

static bool console_send(struct chat *chat, const struct chat_out *out, struct mb_error *err)
{
    struct console *const console = console_of(chat);
    struct chat_outcome outcome = {.key = out->key, .fate = CHAT_DELIVERED, .id = ""};
    if (!console->started) {
        return mb_fail(err, MB_ERR_STATE, "the terminal is not started");
    }
    if (out->kind == CHAT_NARRATION) {
        send_to_all(console, out);
        return true;
    }
    if (out->kind == CHAT_CARD || out->kind == CHAT_FORGET) { // what is on a screen stays there
        if (out->kind == CHAT_CARD) {
            take_card(console, out);
        }
        chat_tell(chat, &outcome);
        return true;
    }
    const unsigned person = console_person(console, out->person, strlen(out->person));
    if (person == console->setup.people_count) {
        outcome.fate = CHAT_UNREACHABLE; // a bot player has no eyes
        outcome.id = NULL;
    } else if (out->kind == CHAT_HAND) {
        take_hand(console, person, out);
    } else if (person == console->person) {
        console_print(chat, out->text);
        page_read(&console->page[person]);
    } else {
        keep(console, person, out);
    }
    chat_tell(chat, &outcome);
    return true;
}

unsigned console_asked(const struct chat *chat)
{
    const struct console *const console = console_of_const(chat);
    const unsigned count = console->setup.people_count;
    unsigned person = 0;
    if (console->person < count && (console->waited >> console->person & 1u) != 0) {
        return console->person;
    }
    while (person < count && (console->waited >> person & 1u) == 0) {
        person++;
    }
    return person;
}

bool console_idle(const struct chat *chat, unsigned person)
{
    return console_of_const(chat)->prompts[person].idle;
}

void console_prompt(struct chat *chat)
{
    struct console *const console = console_of(chat);
    struct prompt *const prompt = &console->prompts[console->person];
    char part[PROMPT_TEXT_SIZE];
    if (prompt->text == NULL) {
        return;
    }
    const char *now = prompt->text;
    const char *before = prompt->shown;
    for (unsigned i = 0; i < PARAGRAPHS; i++) {
        const size_t length = paragraph(now);
        const size_t old = paragraph(before);
        if (length != old || memcmp(now, before, length) != 0) {
            (void)snprintf(part, sizeof part, "%.*s", (int)length, now);
            print(console, part);
        }
        now += length + (now[length] == '\n' ? 1 : 0);
        before += old + (before[old] == '\n' ? 1 : 0);
    }
    memcpy(prompt->shown, prompt->text, PROMPT_TEXT_SIZE);
    prompt->prompted = true;
}

int64_t console_unread_ms(const struct chat *chat)
{
    enum { LEAST_MS = 1200, LINE_MS = 450 };
    const struct console *const console = console_of_const(chat);
    return console->unread_count > 0 ? LEAST_MS + LINE_MS * (int64_t)console->unread_lines : 0;
}

void console_is_read(struct chat *chat)
{
    struct console *const console = console_of(chat);
    const unsigned count = console->unread_count;
    struct chat_key keys[UNREAD_MAX];
    memcpy(keys, console->unread, sizeof keys);
    console->unread_count = 0; // what an outcome brings about is unread again
    console->unread_lines = 0;
    for (unsigned i = 0; i < count; i++) {
        const struct chat_outcome outcome = {.key = keys[i], .fate = CHAT_DELIVERED, .id = ""};
        chat_tell(chat, &outcome);
    }
    console_start_clock(console);
}

bool console_in_is_terminal(const struct chat *chat)
{
    return console_of_const(chat)->in_is_terminal;
}

bool console_out_is_terminal(const struct chat *chat)
{
    return console_of_const(chat)->screen.is_terminal;
}

bool console_has_colors(const struct chat *chat)
{
    return console_of_const(chat)->screen.style.on;
}

unsigned console_guest(const struct chat *chat)
{
    return console_of_const(chat)->guest;
}

int console_signal(const struct chat *chat)
{
    return console_of_const(chat)->stopped;
}

// What was kept for who sits down: all of a page at a terminal, elsewhere what is new.
static void open_page(struct console *console)
{
    struct page *const page = &console->page[console->person];
    if (page->text == NULL || page->length == 0) {
        return;
    }
    print(console, page->text);
    page_read(page);
    if (!console->pages) {
        page->length = 0;
        page->text[0] = '\0';
    }
}

// The screen was wiped: all that is asked comes again.
static void recall(struct prompt *prompt)
{
    if (prompt->prompted) {
        prompt->shown[0] = '\0';
    }
}

// At a terminal: nothing of one person is left when the next one looks.
static enum console_heard hand_over(struct console *console, bool first)
{
    char line[CHAT_LINE_SIZE];
    char who[SAY_SIZE];
    struct text_out out;
    struct editor *const editor = console_editor(console);
    if (!first) {
        screen_wipe(&console->screen);
    }
    text_begin(&out, who, sizeof who);
    text_line(&out, TEXT_CONSOLE_HAND_OVER_ENTER,
              TEXT_ARGS(text_str("who", console->setup.people[console->person])));
    print(console, who);
    // What the last one typed ahead must not answer for the next.
    lines_init(&console->lines, console->setup.in);
    (void)tcflush(console->setup.in, TCIFLUSH);
    if (editor != NULL) {
        editor_open(editor);
        editor_drop(editor);
    }
    console->waiting = true;
    enum console_heard heard = CONSOLE_LINE;
    bool again = false;
    do {
        heard = console_read(console, -1, line);
        if (heard == CONSOLE_LINE && console_quits(console, line)) {
            heard = CONSOLE_QUIT;
        }
        again = console->leaving;
        console->leaving = false;
    } while (heard == CONSOLE_LINE && again);
    console->waiting = false;
    if (heard == CONSOLE_LINE && !first) {
        screen_wipe(&console->screen);
        recall(&console->prompts[console->person]);
    }
    return heard;
}

enum console_heard console_seat(struct chat *chat, unsigned person)
{
    struct console *const console = console_of(chat);
    assert(person < console->setup.people_count);
    if (person == console->person) {
        return CONSOLE_LINE;
    }
    struct editor *const before = console_editor(console);
    if (before != NULL) {
        editor_close(before);
    }
    const bool first = console->person == console->setup.people_count;
    console->person = person;
    console->screen.style.self = console->setup.people[person];
    if (console->pages) {
        const enum console_heard heard = hand_over(console, first);
        if (heard != CONSOLE_LINE) {
            return heard;
        }
    } else if (console->setup.people_count > 1) {
        console_say(chat, TEXT_CONSOLE_HAND_OVER,
                    TEXT_ARGS(text_str("who", console->setup.people[person])));
    }
    open_page(console);
    return CONSOLE_LINE;
}
