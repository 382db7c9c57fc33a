// Waiting: for keys and lines, for the end of some time, for signals.
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <poll.h>
#include <unistd.h>

#include <strings.h>

#include "adapters/console/console_impl.h"

enum { MS_PER_SECOND = 1000, NS_PER_MS = 1000000, PROMPT_SIZE = CHAT_ID_SIZE * 2 };

static int64_t now_ms(void)
{
    struct timespec now = {0, 0};
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * MS_PER_SECOND + now.tv_nsec / NS_PER_MS;
}

// At a terminal the first Ctrl-C only asks.
static void interrupt(struct console *console)
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

enum console_heard console_signals(struct console *console)
{
    struct editor *const editor = console_editor(console);
    int number = 0;
    while (console->stopped == 0 && (number = signals_take(&console->signals)) != 0) {
        switch (number) {
        case SIGINT:
            interrupt(console);
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
    const int64_t end = now_ms() + ms;
    enum console_heard heard = console_state(chat);
    for (int64_t left = ms; heard == CONSOLE_LINE && left > 0; left = end - now_ms()) {
        heard = wait_for(console, false, left);
        heard = heard == CONSOLE_FAILED ? heard : console_state(chat);
    }
    return heard;
}

// Full seconds left of the window, or -1.
static int64_t seconds_left(const struct console *console)
{
    const int64_t left = console->clock_end - now_ms();
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

static void complain(struct console *console, enum lines_result result)
{
    if (result == LINES_TOO_LONG) {
        console_say(&console->chat, TEXT_CONSOLE_TOO_LONG,
                    TEXT_ARGS(text_num("n", CHAT_LINE_SIZE - 1)));
    } else {
        console_say(&console->chat, TEXT_CONSOLE_NOT_TEXT, NULL);
    }
}

// What the editor makes of the keys; CONSOLE_TIME: no line yet.
static enum console_heard edit(struct console *console, struct editor *editor,
                               char line[CHAT_LINE_SIZE])
{
    switch (editor_read(editor, !console->waiting, line)) {
    case EDITOR_LINE:
        note_line(console, line);
        return CONSOLE_LINE;
    case EDITOR_TOO_LONG:
        complain(console, LINES_TOO_LONG);
        return CONSOLE_TIME;
    case EDITOR_LEAVE:
        interrupt(console);
        return CONSOLE_TIME;
    case EDITOR_END:
        return CONSOLE_END;
    case EDITOR_MORE:
        break;
    }
    return CONSOLE_TIME;
}

// What the line reader has; CONSOLE_TIME: no line yet.
static enum console_heard take(struct console *console, char line[CHAT_LINE_SIZE])
{
    for (;;) {
        const enum lines_result result = lines_take(&console->lines, line);
        switch (result) {
        case LINES_ONE:
            return CONSOLE_LINE;
        case LINES_TOO_LONG:
        case LINES_NOT_TEXT:
            complain(console, result);
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
    const int64_t now = now_ms();
    int64_t ms = end < 0 ? -1 : end - now;
    if (editor != NULL && console->asked && console->clock_end > now) {
        const int64_t tick = (console->clock_end - now - 1) % MS_PER_SECOND + 1;
        ms = ms < 0 || tick < ms ? tick : ms;
    }
    return ms;
}

// Whether there is something to read now.
static bool ready(struct console *console)
{
    struct pollfd in = {.fd = console->setup.in, .events = POLLIN};
    return poll(&in, 1, 0) > 0;
}

enum console_heard console_read(struct console *console, int64_t ms, char line[CHAT_LINE_SIZE])
{
    const int64_t end = ms < 0 ? -1 : now_ms() + ms;
    for (;;) {
        struct editor *const editor = console_editor(console);
        enum console_heard heard = console_signals(console);
        if (heard != CONSOLE_LINE) {
            return heard;
        }
        show_prompt(console);
        heard = editor != NULL ? edit(console, editor, line) : take(console, line);
        if (heard != CONSOLE_TIME) {
            return console->screen.broken ? CONSOLE_BROKEN : heard;
        }
        if (console->stopped != 0) { // Ctrl-D, again
            return CONSOLE_STOPPED;
        }
        show_prompt(console);
        if (end >= 0 && now_ms() >= end) {
            return CONSOLE_TIME;
        }
        if (editor == NULL || !editor_pending(editor)) {
            heard = wait_for(console, true, next_change(console, editor, end));
        }
        if (heard == CONSOLE_LINE && editor == NULL && ready(console)) {
            heard = read_input(console);
        }
        if (heard == CONSOLE_FAILED) {
            return heard;
        }
    }
}

static bool is_word(const char *line, const char *word, const char *other)
{
    return strcasecmp(line, word) == 0 || strcasecmp(line, other) == 0;
}

bool console_quits(const struct console *console, const char *words)
{
    return is_word(words, "quit", "exit") || (console->leaving && is_word(words, "yes", "y"));
}

// "Bob: pass" is Bob's; the rest of a line is who sits there.
static unsigned speaker(const struct console *console, const char **line)
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

static void trim(char *line)
{
    const size_t blanks = strspn(line, " ");
    size_t length = strlen(line);
    while (length > blanks && line[length - 1] == ' ') {
        length--;
    }
    memmove(line, line + blanks, length - blanks);
    line[length - blanks] = '\0';
}

static enum console_heard hear(struct console *console, char *line)
{
    trim(line);
    if (!console->in_is_terminal && console->person < console->setup.people_count) {
        console_say(&console->chat, TEXT_CONSOLE_ECHO,
                    TEXT_ARGS(text_str("who", console->setup.people[console->person]),
                              text_str("what", line)));
    }
    console->told = false;
    const char *words = line;
    const unsigned person = speaker(console, &words);
    if (console_quits(console, words)) {
        return CONSOLE_QUIT;
    }
    const bool stays = console->leaving && is_word(words, "no", "n");
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

void console_start_clock(struct console *console)
{
    if (console->clock_ms >= 0 && console->clock_end < 0) {
        console->clock_end = now_ms() + console->clock_ms;
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
    return heard == CONSOLE_LINE ? hear(console, line) : heard;
}
