#include "adapters/console/console.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <signal.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <unistd.h>

#include <strings.h>

#include "bot/chat_impl.h"

#include "adapters/console/lines.h"

enum {
    PEOPLE_MAX = 6,
    WIDTH_MAX = 100,
    WIDTH_MIN = 20,
    WRAPPED_SIZE = 131072,
    SAY_SIZE = 4096,
    MS_PER_SECOND = 1000,
    NS_PER_MS = 1000000
};

#define WIPE "\033[2J\033[3J\033[H"

struct console {
    struct chat chat; // first: console_of() relies on it
    struct console_setup setup;
    bool in_is_terminal, out_is_terminal;
    bool broken, handlers;
    bool prompted;   // the cursor stands behind a prompt
    unsigned person; // who sits at the keyboard; people_count: nobody yet
    char *kept[PEOPLE_MAX];
    sigset_t waiting_mask, old_mask;
    struct sigaction old_int, old_term, old_pipe;
    struct lines lines;
    char wrapped[WRAPPED_SIZE];
};

static bool console_start(struct chat *chat, struct mb_error *err);
static bool console_send(struct chat *chat, const struct chat_out *out, struct mb_error *err);
static void console_stop(struct chat *chat);
static void console_destroy(struct chat *chat);

static const struct chat_ops OPS = {
    .name = "console",
    .caps = CHAT_CAP_PRIVATE,
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

struct chat *console_create(const struct console_setup *setup)
{
    assert(setup->people_count <= PEOPLE_MAX);
    struct console *const console = calloc(1, sizeof *console);
    if (console == NULL) {
        return NULL;
    }
    console->chat = (struct chat){.ops = &OPS, .sink = {.queue = setup->queue}};
    console->setup = *setup;
    console->in_is_terminal = isatty(setup->in) == 1;
    console->out_is_terminal = isatty(setup->out) == 1;
    console->person = setup->people_count;
    lines_init(&console->lines, setup->in);
    return &console->chat;
}

// Does nothing: its being there makes a signal end the waiting instead of the program.
static void on_signal(int number)
{
    (void)number;
}

static bool console_start(struct chat *chat, struct mb_error *err)
{
    struct console *const console = console_of(chat);
    sigset_t held;
    struct sigaction wake;
    struct sigaction ignore;
    memset(&wake, 0, sizeof wake);
    memset(&ignore, 0, sizeof ignore);
    wake.sa_handler = on_signal;
    ignore.sa_handler = SIG_IGN;
    if (sigemptyset(&held) != 0 || sigaddset(&held, SIGINT) != 0 ||
        sigaddset(&held, SIGTERM) != 0 || sigprocmask(SIG_BLOCK, &held, &console->old_mask) != 0 ||
        sigaction(SIGINT, &wake, &console->old_int) != 0 ||
        sigaction(SIGTERM, &wake, &console->old_term) != 0 ||
        sigaction(SIGPIPE, &ignore, &console->old_pipe) != 0) {
        return mb_fail(err, MB_ERR_IO, "the terminal's signals cannot be caught");
    }
    console->waiting_mask = console->old_mask;
    (void)sigdelset(&console->waiting_mask, SIGINT);
    (void)sigdelset(&console->waiting_mask, SIGTERM);
    console->handlers = true;
    return true;
}

static void console_stop(struct chat *chat)
{
    struct console *const console = console_of(chat);
    if (console->handlers) {
        console->handlers = false;
        // A signal that came too late to be reported is not to kill who called us.
        const struct timespec now = {0, 0};
        sigset_t held;
        (void)sigemptyset(&held);
        (void)sigaddset(&held, SIGINT);
        (void)sigaddset(&held, SIGTERM);
        while (sigtimedwait(&held, NULL, &now) > 0) {
        }
        (void)sigaction(SIGINT, &console->old_int, NULL);
        (void)sigaction(SIGTERM, &console->old_term, NULL);
        (void)sigaction(SIGPIPE, &console->old_pipe, NULL);
        (void)sigprocmask(SIG_SETMASK, &console->old_mask, NULL);
    }
}

static void console_destroy(struct chat *chat)
{
    struct console *const console = console_of(chat);
    console_stop(chat);
    for (unsigned i = 0; i < PEOPLE_MAX; i++) {
        free(console->kept[i]);
    }
    free(console);
}

static void write_bytes(struct console *console, const char *bytes, size_t count)
{
    while (count > 0 && !console->broken) {
        const ssize_t written = write(console->setup.out, bytes, count);
        if (written < 0 && errno != EINTR && errno != EAGAIN) {
            console->broken = true;
        } else if (written > 0) {
            bytes += written;
            count -= (size_t)written;
        }
    }
}

static size_t terminal_width(const struct console *console)
{
    struct winsize window = {0};
    if (ioctl(console->setup.out, TIOCGWINSZ, &window) != 0 || window.ws_col == 0) {
        return 80;
    }
    const size_t width = window.ws_col;
    return width > WIDTH_MAX ? WIDTH_MAX : width < WIDTH_MIN ? WIDTH_MIN : width;
}

void console_print(struct chat *chat, const char *text)
{
    struct console *const console = console_of(chat);
    if (console->prompted) {
        console->prompted = false;
        write_bytes(console, "\n", 1);
    }
    if (!console->out_is_terminal) {
        write_bytes(console, text, strlen(text));
        return;
    }
    struct text_out out;
    text_begin(&out, console->wrapped, sizeof console->wrapped);
    text_wrap(&out, text, terminal_width(console), 2);
    write_bytes(console, console->wrapped, strlen(console->wrapped));
}

void console_say(struct chat *chat, enum text_id id, const struct text_arg *args)
{
    char line[SAY_SIZE];
    struct text_out out;
    text_begin(&out, line, sizeof line);
    text_line(&out, id, args);
    console_print(chat, line);
}

static unsigned person_find(const struct console *console, const char *name, size_t length)
{
    for (unsigned i = 0; i < console->setup.people_count; i++) {
        const char *const person = console->setup.people[i];
        if (strlen(person) == length && strncasecmp(person, name, length) == 0) {
            return i;
        }
    }
    return console->setup.people_count;
}

// Keeps a private message for somebody who is not at the keyboard now.
static bool keep(struct console *console, unsigned person, const char *text, struct mb_error *err)
{
    const size_t before = console->kept[person] == NULL ? 0 : strlen(console->kept[person]);
    char *const kept = realloc(console->kept[person], before + strlen(text) + 1);
    if (kept == NULL) {
        return mb_fail(err, MB_ERR_LIMIT, "not enough memory for a message");
    }
    memcpy(kept + before, text, strlen(text) + 1);
    console->kept[person] = kept;
    return true;
}

static bool console_send(struct chat *chat, const struct chat_out *out, struct mb_error *err)
{
    struct console *const console = console_of(chat);
    if (out->person != NULL) {
        const unsigned person = person_find(console, out->person, strlen(out->person));
        if (person == console->setup.people_count) {
            return true; // a bot player has no eyes
        }
        if (person != console->person) {
            return keep(console, person, out->text, err);
        }
    }
    console_print(chat, out->text);
    return true;
}

bool console_in_is_terminal(const struct chat *chat)
{
    return console_of_const(chat)->in_is_terminal;
}

bool console_out_is_terminal(const struct chat *chat)
{
    return console_of_const(chat)->out_is_terminal;
}

enum console_heard console_state(struct chat *chat)
{
    struct console *const console = console_of(chat);
    sigset_t pending;
    if (console->broken) {
        return CONSOLE_BROKEN;
    }
    if (console->handlers && sigpending(&pending) == 0 &&
        (sigismember(&pending, SIGINT) == 1 || sigismember(&pending, SIGTERM) == 1)) {
        return CONSOLE_STOPPED;
    }
    return CONSOLE_LINE;
}

// Waits for input or the end of the time; CONSOLE_LINE: something can be read.
static enum console_heard wait_for_input(struct console *console, int64_t ms)
{
    fd_set set;
    FD_ZERO(&set);
    FD_SET(console->setup.in, &set);
    const struct timespec limit = {.tv_sec = (time_t)(ms / MS_PER_SECOND),
                                   .tv_nsec = (long)(ms % MS_PER_SECOND) * NS_PER_MS};
    const int ready = pselect(console->setup.in + 1, &set, NULL, NULL, ms < 0 ? NULL : &limit,
                              console->handlers ? &console->waiting_mask : NULL);
    if (ready < 0) {
        return errno == EINTR ? CONSOLE_STOPPED : CONSOLE_FAILED;
    }
    return ready == 0 ? CONSOLE_TIME : CONSOLE_LINE;
}

enum console_heard console_pause(struct chat *chat, int64_t ms)
{
    struct console *const console = console_of(chat);
    const struct timespec limit = {.tv_sec = (time_t)(ms / MS_PER_SECOND),
                                   .tv_nsec = (long)(ms % MS_PER_SECOND) * NS_PER_MS};
    const int ready =
        pselect(0, NULL, NULL, NULL, &limit, console->handlers ? &console->waiting_mask : NULL);
    return ready < 0 && errno == EINTR ? CONSOLE_STOPPED : console_state(chat);
}

static bool is_quit(const char *line)
{
    return strcasecmp(line, "quit") == 0 || strcasecmp(line, "exit") == 0;
}

// "Bob: pass" is Bob's; the rest of a line is who sits there.
static unsigned speaker(const struct console *console, const char **line)
{
    const size_t length = strcspn(*line, ":");
    if ((*line)[length] == ':') {
        const unsigned person = person_find(console, *line, length);
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
    struct chat_in in = {.place = ""};
    trim(line);
    if (!console->in_is_terminal && console->person < console->setup.people_count) {
        console_say(&console->chat, TEXT_CONSOLE_ECHO,
                    TEXT_ARGS(text_str("who", console->setup.people[console->person]),
                              text_str("what", line)));
    }
    const char *words = line;
    const unsigned person = speaker(console, &words);
    if (is_quit(words)) {
        return CONSOLE_QUIT;
    }
    if (words[0] == '\0' || person == console->setup.people_count) {
        return CONSOLE_LINE; // nothing was said
    }
    (void)snprintf(in.place, sizeof in.place, "%s", console->setup.place);
    (void)snprintf(in.person, sizeof in.person, "%s", console->setup.people[person]);
    (void)snprintf(in.line, sizeof in.line, "%s", words);
    (void)chat_queue_push(console->chat.sink.queue, &in); // emptied after every line
    return CONSOLE_LINE;
}

static void prompt(struct console *console)
{
    char line[CHAT_ID_SIZE * 2];
    struct text_out out;
    if (!console->in_is_terminal || console->person == console->setup.people_count) {
        return;
    }
    text_begin(&out, line, sizeof line);
    text_put(&out, TEXT_CONSOLE_PROMPT,
             TEXT_ARGS(text_str("who", console->setup.people[console->person])));
    write_bytes(console, line, strlen(line));
    console->prompted = true;
}

// CONSOLE_LINE: something was read.
static enum console_heard read_more(struct console *console, int64_t ms)
{
    const enum console_heard heard = wait_for_input(console, ms);
    if (heard == CONSOLE_LINE) {
        const bool read = lines_read(&console->lines);
        // Enter has ended the prompt's line; the end of input has not.
        console->prompted = console->prompted && console->lines.ended;
        return read ? CONSOLE_LINE : CONSOLE_FAILED;
    }
    return heard;
}

// Whoever was asked is asked again after a line that is none.
static enum console_heard next_line(struct console *console, int64_t ms, bool asked,
                                    char line[CHAT_LINE_SIZE])
{
    if (asked) {
        prompt(console);
    }
    enum console_heard heard = CONSOLE_LINE;
    while (heard == CONSOLE_LINE) {
        switch (lines_take(&console->lines, line)) {
        case LINES_ONE:
            return CONSOLE_LINE;
        case LINES_TOO_LONG:
            console_say(&console->chat, TEXT_CONSOLE_TOO_LONG,
                        TEXT_ARGS(text_num("n", CHAT_LINE_SIZE - 1)));
            if (asked) {
                prompt(console);
            }
            break;
        case LINES_NOT_TEXT:
            console_say(&console->chat, TEXT_CONSOLE_NOT_TEXT, NULL);
            if (asked) {
                prompt(console);
            }
            break;
        case LINES_END:
            return CONSOLE_END;
        case LINES_NONE:
            heard = read_more(console, ms);
            break;
        }
        heard = console->broken ? CONSOLE_BROKEN : heard;
    }
    return heard;
}

enum console_heard console_listen(struct chat *chat, int64_t ms, bool asked)
{
    struct console *const console = console_of(chat);
    char line[CHAT_LINE_SIZE];
    const enum console_heard heard = next_line(console, ms, asked, line);
    return heard == CONSOLE_LINE ? hear(console, line) : heard;
}

enum console_heard console_seat(struct chat *chat, unsigned person)
{
    struct console *const console = console_of(chat);
    assert(person < console->setup.people_count);
    if (person == console->person) {
        return CONSOLE_LINE;
    }
    const bool first = console->person == console->setup.people_count;
    console->person = person;
    if (console->setup.people_count > 1) {
        const bool terminal = console->in_is_terminal && console->out_is_terminal;
        if (terminal && !first) {
            write_bytes(console, WIPE, strlen(WIPE));
        }
        console_say(chat, terminal ? TEXT_CONSOLE_HAND_OVER_ENTER : TEXT_CONSOLE_HAND_OVER,
                    TEXT_ARGS(text_str("who", console->setup.people[person])));
        if (terminal) {
            char line[CHAT_LINE_SIZE];
            const enum console_heard heard = next_line(console, -1, false, line);
            if (heard != CONSOLE_LINE) {
                return heard;
            }
        }
    }
    if (console->kept[person] != NULL) {
        console_print(chat, console->kept[person]);
        free(console->kept[person]);
        console->kept[person] = NULL;
    }
    return CONSOLE_LINE;
}
