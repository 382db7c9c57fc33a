#include "adapters/console/console.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <locale.h>
#include <strings.h>
#include <termios.h>

#include "core/codec/memory.h"

#include "bot/chat_impl.h"
#include "bot/parse/complete.h"

#include "adapters/console/editor.h"
#include "adapters/console/screen.h"

enum { SAY_SIZE = 4096, MS_PER_SECOND = 1000, NS_PER_MS = 1000000, PROMPT_SIZE = CHAT_ID_SIZE * 2 };

enum { PEOPLE_MAX = 6, UNREAD_MAX = 16, PARAGRAPHS = 3, PROMPT_TEXT_SIZE = 24576 };

/* Signals as input: held back from the beginning, read when somebody looks, so that none comes
 * between two steps. What was held is let go at the end. Linux (signalfd). */

struct signals {
    bool held;
    int fd; // can be read when one has come
    sigset_t mask, old;
    struct sigaction old_pipe;
};

// Holds the signals that end a program, and ignores SIGPIPE; `keys` also those about a terminal
// that is being typed at: size, stopping, going on.
static bool signals_hold(struct signals *signals, bool keys, struct mb_error *err)
{
    static const int ENDING[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    static const int KEYS[] = {SIGTSTP, SIGCONT, SIGWINCH};
    struct sigaction ignore;
    memset(&ignore, 0, sizeof ignore);
    ignore.sa_handler = SIG_IGN;
    bool good = sigemptyset(&signals->mask) == 0;
    for (size_t i = 0; i < sizeof ENDING / sizeof ENDING[0]; i++) {
        good = good && sigaddset(&signals->mask, ENDING[i]) == 0;
    }
    for (size_t i = 0; keys && i < sizeof KEYS / sizeof KEYS[0]; i++) {
        good = good && sigaddset(&signals->mask, KEYS[i]) == 0;
    }
    signals->fd = good ? signalfd(-1, &signals->mask, SFD_NONBLOCK | SFD_CLOEXEC) : -1;
    if (signals->fd < 0 || sigprocmask(SIG_BLOCK, &signals->mask, &signals->old) != 0 ||
        sigaction(SIGPIPE, &ignore, &signals->old_pipe) != 0) {
        return mb_fail(err, MB_ERR_IO, "cannot catch the terminal's signals");
    }
    signals->held = true;
    return true;
}

// The next one that has come, or 0.
static int signals_take(struct signals *signals)
{
    struct signalfd_siginfo info;
    if (!signals->held || read(signals->fd, &info, sizeof info) != (ssize_t)sizeof info) {
        return 0;
    }
    return (int)info.ssi_signo;
}

// Stops the program as SIGTSTP would, and returns when it goes on.
static void signals_stop_here(struct signals *signals)
{
    sigset_t stop;
    sigset_t before;
    if (!signals->held || sigemptyset(&stop) != 0 || sigaddset(&stop, SIGTSTP) != 0) {
        return;
    }
    (void)raise(SIGTSTP); // waits until it is let through
    (void)sigprocmask(SIG_UNBLOCK, &stop, &before);
    (void)sigprocmask(SIG_SETMASK, &before, NULL);
}

// Idempotent; forgets what has come.
static void signals_release(struct signals *signals)
{
    if (!signals->held) {
        return;
    }
    // A signal that came too late to be reported is not to kill who called us.
    const struct timespec now = {0, 0};
    while (sigtimedwait(&signals->mask, NULL, &now) > 0) {
    }
    (void)close(signals->fd);
    (void)sigaction(SIGPIPE, &signals->old_pipe, NULL);
    (void)sigprocmask(SIG_SETMASK, &signals->old, NULL);
    signals->held = false;
}

/* The console. */

// What stands above a person's prompt, and what of it they have seen, by paragraphs.
struct prompt {
    char *text, *shown; // NULL: nothing yet; of PROMPT_TEXT_SIZE
    bool idle;
    bool prompted; // has been shown once
};

struct console {
    struct chat chat; // first: console_of() relies on it
    struct console_setup setup;
    bool started; // not heard otherwise
    bool in_is_terminal;
    bool edits;    // lines are edited: both ends are terminals that can
    bool pages;    // everybody's texts are kept for when they come back
    bool prompted; // the cursor stands behind a prompt of the line reader
    bool asked;
    bool leaving;    // has been asked whether to leave
    bool told;       // that an answer waits for somebody else
    bool waiting;    // for Enter, at a hand-over: nothing is completed
    int stopped;     // the signal that ends the game, or 0
    unsigned person; // who sits at the keyboard; people_count: nobody yet
    unsigned guest;
    unsigned waited;                    // for these people, by bits
    int64_t clock_ms, clock_end;        // of the window's time, -1: none, or it has not begun
    struct chat_key unread[UNREAD_MAX]; // told to everybody, not read yet
    unsigned unread_count;
    size_t unread_lines;
    struct prompt prompts[PEOPLE_MAX];
    struct page page[PEOPLE_MAX];
    struct editor *editors[PEOPLE_MAX];
    struct signals signals;
    struct lines lines;
    struct screen screen;
};

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

static struct console *console_of(struct chat *chat)
{
    assert(chat->ops == &OPS);
    return (struct console *)chat;
}

static const struct console *console_of_const(const struct chat *chat)
{
    assert(chat->ops == &OPS);
    return (const struct console *)chat;
}

static struct editor *console_editor(struct console *console)
{
    return console->edits && console->person < console->setup.people_count
               ? console->editors[console->person]
               : NULL;
}

static unsigned console_person(const struct console *console, const char *name, size_t length)
{
    for (unsigned i = 0; i < console->setup.people_count; i++) {
        const char *const person = console->setup.people[i];
        if (strlen(person) == length && strncasecmp(person, name, length) == 0) {
            return i;
        }
    }
    return console->setup.people_count;
}

/* Waiting: for keys and lines, for the end of some time, for signals. */

int64_t console_now_ms(void)
{
    struct timespec now = {0, 0};
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * MS_PER_SECOND + now.tv_nsec / NS_PER_MS;
}

// At a terminal the first Ctrl-C only asks.
static void take_interrupt(struct console *console)
{
    struct editor *const editor = console_editor(console);
    if (!console->in_is_terminal || console->leaving || console->setup.people_count == 0) {
        console->stopped = SIGINT;
        return;
    }
    console->leaving = true;
    if (editor != NULL) {
        editor_drop(editor);
    }
    console_say(&console->chat, TEXT_CONSOLE_LEAVE, NULL);
}

static enum console_heard console_signals(struct console *console)
{
    struct editor *const editor = console_editor(console);
    int number = 0;
    while (console->stopped == 0 && (number = signals_take(&console->signals)) != 0) {
        switch (number) {
        case SIGINT:
            take_interrupt(console);
            break;
        case SIGTSTP:
            if (editor != NULL) {
                editor_suspend(editor);
            }
            signals_stop_here(&console->signals);
            if (editor != NULL) {
                editor_restore(editor);
            }
            break;
        case SIGCONT:
        case SIGWINCH:
            if (editor != NULL) {
                editor_restore(editor);
            }
            break;
        default:
            console->stopped = number;
            break;
        }
    }
    if (console->screen.broken) {
        return CONSOLE_BROKEN;
    }
    return console->stopped != 0 ? CONSOLE_STOPPED : CONSOLE_LINE;
}

enum console_heard console_state(struct chat *chat)
{
    return console_signals(console_of(chat));
}

// Waits for input, a signal or the end of the time (CONSOLE_TIME); ms < 0: for ever.
static enum console_heard wait_for(struct console *console, bool input, int64_t ms)
{
    struct pollfd ends[2] = {
        {.fd = console->signals.held ? console->signals.fd : -1, .events = POLLIN},
        {.fd = input ? console->setup.in : -1, .events = POLLIN},
    };
    const int limit = ms < 0 ? -1 : ms > INT_MAX ? INT_MAX : (int)ms;
    const int ready = poll(ends, 2, limit);
    if (ready < 0) {
        return errno == EINTR ? CONSOLE_LINE : CONSOLE_FAILED;
    }
    return ready == 0 ? CONSOLE_TIME : CONSOLE_LINE;
}

enum console_heard console_pause(struct chat *chat, int64_t ms)
{
    struct console *const console = console_of(chat);
    const int64_t end = console_now_ms() + ms;
    enum console_heard heard = console_state(chat);
    for (int64_t left = ms; heard == CONSOLE_LINE && left > 0; left = end - console_now_ms()) {
        heard = wait_for(console, false, left);
        heard = heard == CONSOLE_FAILED ? heard : console_state(chat);
    }
    return heard;
}

// Full seconds left of the window, or -1.
static int64_t seconds_left(const struct console *console)
{
    const int64_t left = console->clock_end - console_now_ms();
    if (console->clock_end < 0) {
        return -1;
    }
    return left < 0 ? 0 : (left + MS_PER_SECOND - 1) / MS_PER_SECOND;
}

static void prompt_words(struct console *console, char *out, size_t size)
{
    const char *const name = console->setup.people[console->person];
    const int64_t seconds = seconds_left(console);
    char who[PROMPT_SIZE];
    struct text_out text;
    text_begin(&text, who, sizeof who);
    text_mark(&text, MARK_PLAYER);
    text_value(&text, name);
    text_mark(&text, MARK_END);
    text_begin(&text, out, size);
    enum text_id id = TEXT_CONSOLE_PROMPT;
    if (!console->asked) {
        id = TEXT_CONSOLE_PROMPT_WAIT;
    } else if (seconds >= 0) {
        id = TEXT_CONSOLE_PROMPT_SECONDS;
    }
    text_put(&text, id,
             TEXT_ARGS(text_str("who", who), text_num("n", seconds < 0 ? 0 : (long)seconds)));
}

// The line reader's prompt, or the line being typed with the editor's.
static void show_prompt(struct console *console)
{
    char words[PROMPT_SIZE * 2] = "";
    char line[PROMPT_SIZE * 4];
    struct text_out out;
    struct editor *const editor = console_editor(console);
    if (!console->in_is_terminal || console->person == console->setup.people_count) {
        return;
    }
    if (!console->waiting) {
        prompt_words(console, words, sizeof words);
    }
    text_begin(&out, line, sizeof line);
    style_put(&out, words, &console->screen.style);
    if (editor != NULL) {
        editor_open(editor);
        editor_prompt(editor, line);
        editor_show(editor);
    } else if (console->asked && !console->prompted && !console->waiting) {
        screen_bytes(&console->screen, line, strlen(line));
        console->prompted = true;
    }
}

// The typed line goes into the page as it stood on the screen.
static void note_line(struct console *console, const char *line)
{
    char words[PROMPT_SIZE * 2];
    struct page *const page = &console->page[console->person];
    if (console->pages && !console->waiting && line[0] != '\0') {
        prompt_words(console, words, sizeof words);
        page_add(page, words);
        page_add(page, line);
        page_add(page, "\n");
    }
}

static void complain_of_line(struct console *console, enum lines_result result)
{
    if (result == LINES_TOO_LONG) {
        console_say(&console->chat, TEXT_CONSOLE_TOO_LONG,
                    TEXT_ARGS(text_num("n", CHAT_LINE_SIZE - 1)));
    } else {
        console_say(&console->chat, TEXT_CONSOLE_NOT_TEXT, NULL);
    }
}

// What the editor makes of the keys; CONSOLE_TIME: no line yet.
static enum console_heard edit_line(struct console *console, struct editor *editor,
                                    char line[CHAT_LINE_SIZE])
{
    switch (editor_read(editor, !console->waiting, line)) {
    case EDITOR_LINE:
        note_line(console, line);
        return CONSOLE_LINE;
    case EDITOR_TOO_LONG:
        complain_of_line(console, LINES_TOO_LONG);
        return CONSOLE_TIME;
    case EDITOR_LEAVE:
        take_interrupt(console);
        return CONSOLE_TIME;
    case EDITOR_END:
        return CONSOLE_END;
    case EDITOR_MORE:
        break;
    }
    return CONSOLE_TIME;
}

// What the line reader has; CONSOLE_TIME: no line yet.
static enum console_heard take_line(struct console *console, char line[CHAT_LINE_SIZE])
{
    for (;;) {
        const enum lines_result result = lines_take(&console->lines, line);
        switch (result) {
        case LINES_ONE:
            return CONSOLE_LINE;
        case LINES_TOO_LONG:
        case LINES_NOT_TEXT:
            complain_of_line(console, result);
            show_prompt(console);
            break;
        case LINES_END:
            return CONSOLE_END;
        case LINES_NONE:
            return CONSOLE_TIME;
        }
    }
}

static enum console_heard read_input(struct console *console)
{
    const bool read = lines_read(&console->lines);
    // Enter has ended the prompt's line; the end of input has not.
    console->prompted = console->prompted && console->lines.ended;
    return read ? CONSOLE_TIME : CONSOLE_FAILED;
}

// How long nothing changes by itself: up to `end`, or to the countdown's next second.
static int64_t next_change(const struct console *console, const struct editor *editor, int64_t end)
{
    const int64_t now = console_now_ms();
    int64_t ms = end < 0 ? -1 : end - now;
    if (editor != NULL && console->asked && console->clock_end > now) {
        const int64_t tick = (console->clock_end - now - 1) % MS_PER_SECOND + 1;
        ms = ms < 0 || tick < ms ? tick : ms;
    }
    return ms;
}

// Whether there is something to read now.
static bool is_ready(struct console *console)
{
    struct pollfd in = {.fd = console->setup.in, .events = POLLIN};
    return poll(&in, 1, 0) > 0;
}

static enum console_heard console_read(struct console *console, int64_t ms,
                                       char line[CHAT_LINE_SIZE])
{
    const int64_t end = ms < 0 ? -1 : console_now_ms() + ms;
    for (;;) {
        struct editor *const editor = console_editor(console);
        enum console_heard heard = console_signals(console);
        if (heard != CONSOLE_LINE) {
            return heard;
        }
        show_prompt(console);
        heard = editor != NULL ? edit_line(console, editor, line) : take_line(console, line);
        if (heard != CONSOLE_TIME) {
            return console->screen.broken ? CONSOLE_BROKEN : heard;
        }
        if (console->stopped != 0) { // Ctrl-D, again
            return CONSOLE_STOPPED;
        }
        show_prompt(console);
        if (end >= 0 && console_now_ms() >= end) {
            return CONSOLE_TIME;
        }
        if (editor == NULL || !editor_pending(editor)) {
            heard = wait_for(console, true, next_change(console, editor, end));
        }
        if (heard == CONSOLE_LINE && editor == NULL && is_ready(console)) {
            heard = read_input(console);
        }
        if (heard == CONSOLE_FAILED) {
            return heard;
        }
    }
}

static bool is_one_of(const char *line, const char *word, const char *other)
{
    return strcasecmp(line, word) == 0 || strcasecmp(line, other) == 0;
}

static bool console_quits(const struct console *console, const char *words)
{
    return is_one_of(words, "quit", "exit") || (console->leaving && is_one_of(words, "yes", "y"));
}

// "Bob: pass" is Bob's; the rest of a line is who sits there.
static unsigned find_speaker(const struct console *console, const char **line)
{
    const size_t length = strcspn(*line, ":");
    if ((*line)[length] == ':') {
        const unsigned person = console_person(console, *line, length);
        if (person < console->setup.people_count) {
            *line += length + 1;
            *line += strspn(*line, " ");
            return person;
        }
    }
    return console->person;
}

static void trim_line(char *line)
{
    const size_t blanks = strspn(line, " ");
    size_t length = strlen(line);
    while (length > blanks && line[length - 1] == ' ') {
        length--;
    }
    memmove(line, line + blanks, length - blanks);
    line[length - blanks] = '\0';
}

static enum console_heard hear_line(struct console *console, char *line)
{
    trim_line(line);
    if (!console->in_is_terminal && console->person < console->setup.people_count) {
        console_say(&console->chat, TEXT_CONSOLE_ECHO,
                    TEXT_ARGS(text_str("who", console->setup.people[console->person]),
                              text_str("what", line)));
    }
    console->told = false;
    const char *words = line;
    const unsigned person = find_speaker(console, &words);
    if (console_quits(console, words)) {
        return CONSOLE_QUIT;
    }
    const bool stays = console->leaving && is_one_of(words, "no", "n");
    console->leaving = false;
    if (words[0] == '\0' && person != console->person && words != line) {
        console->guest = person;
        return CONSOLE_GUEST;
    }
    const bool heard = console->started && person < console->setup.people_count;
    if (words[0] == '\0' || !heard || stays) {
        return CONSOLE_LINE; // nothing was said
    }
    console_speak(&console->chat, person, words);
    return CONSOLE_LINE;
}

static void console_start_clock(struct console *console)
{
    if (console->clock_ms >= 0 && console->clock_end < 0) {
        console->clock_end = console_now_ms() + console->clock_ms;
    }
}

void console_speak(struct chat *chat, unsigned person, const char *line)
{
    struct console *const console = console_of(chat);
    const struct chat_in in = {.place = console->setup.place,
                               .person = console->setup.people[person],
                               .line = line,
                               .open = true};
    (void)chat_queue_push(chat->sink.queue, &in); // emptied after every line
}

enum console_heard console_listen(struct chat *chat, int64_t ms, bool asked)
{
    struct console *const console = console_of(chat);
    char line[CHAT_LINE_SIZE];
    console->asked = asked;
    const enum console_heard heard = console_read(console, ms, line);
    return heard == CONSOLE_LINE ? hear_line(console, line) : heard;
}

/* The chat, and who sits there. */

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

static void complete_typed(void *user, const char *line, size_t cursor, struct complete_list *out)
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
    const struct editor_setup setup = {.in = console->setup.in,
                                       .out = console->setup.out,
                                       .complete = complete_typed,
                                       .user = console};
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

static void print_text(struct console *console, const char *text)
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
    print_text(console, text);
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
    print_text(console, out->text);
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
        print_text(console, out->text);
        page_all(console, out->text);
    }
}

// The length of a paragraph: up to the blank line that ends it, or the text's end.
static size_t paragraph_length(const char *text)
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
        const size_t hand = console->setup.resumed ? 0 : paragraph_length(out->text);
        const int told = out->text[hand] != '\0' ? (int)hand : 0;
        (void)snprintf(prompt->shown, PROMPT_TEXT_SIZE, "%.*s", told, out->text);
    }
    (void)snprintf(prompt->text, PROMPT_TEXT_SIZE, "%s", out->text);
    prompt->idle = out->idle;
}

// Keeps a private message for somebody who is not at the keyboard now.
static void keep_for(struct console *console, unsigned person, const struct chat_out *out)
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
        keep_for(console, person, out);
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
        const size_t length = paragraph_length(now);
        const size_t old = paragraph_length(before);
        if (length != old || memcmp(now, before, length) != 0) {
            (void)snprintf(part, sizeof part, "%.*s", (int)length, now);
            print_text(console, part);
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
    print_text(console, page->text);
    page_read(page);
    if (!console->pages) {
        page->length = 0;
        page->text[0] = '\0';
    }
}

// The screen was wiped: all that is asked comes again.
static void show_again(struct prompt *prompt)
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
    print_text(console, who);
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
        show_again(&console->prompts[console->person]);
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
