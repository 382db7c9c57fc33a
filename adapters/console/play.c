#include "adapters/console/play.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <strings.h>

#include "bot/cmd/cmd.h"
#include "bot/render/guide.h"
#include "bot/render/render.h"
#include "bot/session/desk.h"
#include "bot/text/text.h"

#include "adapters/console/console.h"
#include "adapters/console/first_time.h"

enum {
    SHOWN_SIZE = 8192,
    TABLE_SIZE = 32768,
    MS_PER_SECOND = 1000,
    NS_PER_MS = 1000000,
    READING_MS = 1200, // what a message takes to read, at least
    READING_MS_PER_LINE = 450,
    STATUS_SIGNALLED = 128 // and the signal's number, as a shell reports it
};

// What a person has been shown last; shown again only when it has changed.
struct shown {
    char brief[SHOWN_SIZE];
    char verbs[SHOWN_SIZE];
    char question[SHOWN_SIZE];
    unsigned round;
};

struct table {
    struct play *play;
    struct desk desk;
    bool live;       // lines are typed at a terminal
    unsigned reader; // the seat that was asked last; MB_SEATS_MAX: none yet
    unsigned guest;  // the seat that has asked for the keyboard; MB_SEATS_MAX: none
    struct shown shown[MB_SEATS_MAX];
    struct guide guide[MB_SEATS_MAX];
    char text[TABLE_SIZE];
};

static int64_t now_ms(void)
{
    struct timespec now = {0, 0};
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * MS_PER_SECOND + now.tv_nsec / NS_PER_MS;
}

static unsigned person_of_seat(const struct table *table, unsigned seat)
{
    const char *const name = session_seat_name(table->play->session, seat);
    for (unsigned i = 0; i < table->play->people_count; i++) {
        if (strcasecmp(table->play->people[i], name) == 0) {
            return i;
        }
    }
    return table->play->people_count;
}

// People among some seats, by bits of seats.
static unsigned people_among(const struct table *table, unsigned seats)
{
    unsigned people = 0;
    const unsigned count = session_seat_count(table->play->session);
    for (unsigned seat = 0; seat < count; seat++) {
        if ((seats & seat_bit(seat)) != 0 && !session_seat_is_bot(table->play->session, seat) &&
            person_of_seat(table, seat) < table->play->people_count) {
            people |= seat_bit(seat);
        }
    }
    return people;
}

static unsigned first_seat(unsigned seats)
{
    unsigned seat = 0;
    while (seat < MB_SEATS_MAX && (seats & seat_bit(seat)) == 0) {
        seat++;
    }
    return seat;
}

static void show_if_new(struct table *table, char *last, const char *text)
{
    if (strcmp(last, text) != 0) {
        (void)snprintf(last, SHOWN_SIZE, "%.*s", (int)SHOWN_SIZE - 1, text);
        console_print(table->play->chat, text);
    }
}

// The table at the beginning of one's own turn; hand, legal verbs and question when they change.
static void show(struct table *table, unsigned seat)
{
    struct table_words words;
    struct shown *const shown = &table->shown[seat];
    if (session_seat_is_bot(table->play->session, seat)) {
        return; // whoever has left has the keyboard, and a bot player the hand
    }
    session_words(table->play->session, seat, &words);
    const bool mine = query_turn(words.view) == seat && query_phase(words.view) == PHASE_START;
    if (mine && shown->round != query_round(words.view)) {
        shown->round = query_round(words.view);
        (void)render_table(&words, table->text, sizeof table->text);
        console_print(table->play->chat, table->text);
    }
    (void)render_brief(&words, table->text, SHOWN_SIZE);
    show_if_new(table, shown->brief, table->text);
    table->text[0] = '\0';
    (void)render_verbs(&words, table->text, SHOWN_SIZE);
    show_if_new(table, shown->verbs, table->text);
    table->text[0] = '\0';
    (void)render_question(&words, table->text, SHOWN_SIZE);
    show_if_new(table, shown->question, table->text);
    if (table->play->guided &&
        guide_next(&table->guide[seat], &words, table->text, TABLE_SIZE) > 0) {
        console_print(table->play->chat, table->text);
    }
}

static int finish(const struct table *table)
{
    return console_state(table->play->chat) == CONSOLE_BROKEN ? CMD_FAILED : CMD_DONE;
}

static void complain(enum text_id id, const char *seed)
{
    char line[SHOWN_SIZE];
    struct text_out out;
    text_begin(&out, line, sizeof line);
    text_line(&out, id, TEXT_ARGS(text_str("seed", seed)));
    (void)fputs(line, stderr);
}

// The end before the end: one sentence each.
static int leave(struct table *table, enum console_heard heard)
{
    struct chat *const chat = table->play->chat;
    switch (heard) {
    case CONSOLE_QUIT:
        console_say(chat, TEXT_CONSOLE_QUIT, NULL);
        return CMD_DONE;
    case CONSOLE_END:
        console_say(chat, TEXT_CONSOLE_END, NULL);
        return CMD_DONE;
    case CONSOLE_STOPPED:
        console_say(chat, TEXT_CONSOLE_INTERRUPTED, NULL);
        return STATUS_SIGNALLED + console_signal(chat);
    case CONSOLE_BROKEN:
        complain(TEXT_CONSOLE_BROKEN, table->play->seed);
        return CMD_FAILED;
    case CONSOLE_FAILED:
    case CONSOLE_GUEST:
    case CONSOLE_LINE:
    case CONSOLE_TIME:
        break;
    }
    complain(TEXT_CONSOLE_FAILED, table->play->seed);
    return CMD_FAILED;
}

static bool is_window(const struct session_due *due)
{
    return due->clock == CLOCK_WINDOW || due->clock == CLOCK_ANSWER;
}

// How long to wait for the person before something else happens; -1: as long as it takes.
static int64_t patience(const struct table *table, const struct session_due *due)
{
    if (!table->live) {
        return -1;
    }
    return due->kind == SESSION_DUE_BOTS || (due->kind == SESSION_DUE_CLOCK && is_window(due))
               ? due->ms
               : -1;
}

// The screen was wiped for a new reader: all that is asked comes again.
static void recall(struct table *table, unsigned seat)
{
    struct shown *const shown = &table->shown[seat];
    shown->brief[0] = '\0';
    shown->verbs[0] = '\0';
    shown->question[0] = '\0';
}

static uint32_t version_of(struct table *table)
{
    struct table_words words;
    session_words(table->play->session, NO_SEAT, &words);
    return query_version(words.view);
}

// A guest has had the keyboard until something comes of it, or Enter gives it back.
static void hear(struct table *table)
{
    const uint32_t version = version_of(table);
    const bool said = table->play->queue->count > 0;
    desk_hear(&table->desk);
    if (!said || version_of(table) != version) {
        table->guest = MB_SEATS_MAX;
    }
}

// Asks one person. CONSOLE_LINE: go on.
static enum console_heard ask(struct table *table, unsigned seat, const struct session_due *due)
{
    struct chat *const chat = table->play->chat;
    const int64_t ms = patience(table, due);
    enum console_heard heard = console_seat(chat, person_of_seat(table, seat));
    if (heard != CONSOLE_LINE) {
        return heard;
    }
    if (table->live && console_out_is_terminal(chat) && table->reader != seat &&
        table->reader != MB_SEATS_MAX) {
        recall(table, seat);
    }
    table->reader = seat;
    show(table, seat);
    console_clock(chat, is_window(due) ? due->clock_ms : -1);
    const int64_t before = now_ms();
    heard = console_listen(chat, ms, true);
    const int64_t spent = table->live && ms >= 0 ? now_ms() - before : 0;
    if (heard == CONSOLE_TIME) {
        desk_advance(&table->desk, due->ms);
        return CONSOLE_LINE;
    }
    if (heard == CONSOLE_LINE) {
        desk_advance(&table->desk, spent < due->ms ? spent : 0);
        hear(table);
    }
    return heard;
}

static size_t lines_of(const struct message_list *said)
{
    size_t lines = 0;
    for (size_t i = 0; i < said->count; i++) {
        for (const char *at = said->items[i].text;
             said->items[i].to == MESSAGE_TABLE && *at != '\0'; at++) {
            lines += *at == '\n' ? 1 : 0;
        }
    }
    return lines;
}

// Time to read some lines. People at a terminal may speak meanwhile, and look; an empty line is
// "go on".
static enum console_heard let_read(struct table *table, size_t lines)
{
    struct chat *const chat = table->play->chat;
    int64_t left = READING_MS + READING_MS_PER_LINE * (int64_t)lines;
    if (table->play->people_count == 0) {
        return console_pause(chat, left);
    }
    enum console_heard heard = CONSOLE_LINE;
    while (heard == CONSOLE_LINE && left > 0) {
        const int64_t before = now_ms();
        heard = console_listen(chat, left, false);
        const bool spoken = table->play->queue->count > 0;
        left = heard == CONSOLE_LINE && !spoken ? 0 : left - (now_ms() - before);
        desk_hear(&table->desk);
    }
    return heard == CONSOLE_TIME ? CONSOLE_LINE : heard;
}

// Whom to ask now; MB_SEATS_MAX: nobody, things go on by themselves.
static unsigned whom_to_ask(const struct table *table, const struct session_due *due)
{
    const unsigned everybody = (1u << MB_SEATS_MAX) - 1;
    if (session_state(table->play->session) == SESSION_PAUSED) {
        return first_seat(people_among(table, everybody));
    }
    if (due->kind == SESSION_DUE_BOTS && !table->live) {
        return MB_SEATS_MAX;
    }
    // Whoever has the keyboard goes first: it changes hands as seldom as may be.
    const unsigned seats = people_among(table, due->seats);
    const bool stays =
        table->live && table->reader < MB_SEATS_MAX && (seats & seat_bit(table->reader)) != 0;
    return stays ? table->reader : first_seat(seats);
}

// Lets happen what happens by itself; on a terminal as fast as one can read.
static enum console_heard go_on(struct table *table, const struct session_due *due)
{
    struct chat *const chat = table->play->chat;
    session_advance(table->play->session, due->ms);
    const size_t lines = lines_of(session_outbox(table->play->session));
    desk_speak(&table->desk, NULL);
    // Nothing scrolls away from who is asked next; a window's time is theirs from the beginning.
    const struct session_due next = session_due(table->play->session);
    if (table->reader < MB_SEATS_MAX && whom_to_ask(table, &next) == table->reader) {
        return console_state(chat);
    }
    if (lines == 0 || !console_out_is_terminal(chat) ||
        (table->play->people_count > 0 && !table->live)) {
        return console_state(chat);
    }
    return let_read(table, lines);
}

// At a terminal a newcomer is asked once; a command instead of an answer is one.
static enum console_heard offer_guide(struct table *table)
{
    struct play *const play = table->play;
    console_say(play->chat, TEXT_CONSOLE_GUIDE, NULL);
    const enum console_heard heard = console_listen(play->chat, -1, true);
    if (heard != CONSOLE_LINE) {
        return heard;
    }
    first_time_over();
    play->guided = play->queue->count == 0;
    struct chat_in *const in = chat_queue_take(play->queue);
    if (in != NULL) {
        const bool no = strcasecmp(in->line, "no") == 0 || strcasecmp(in->line, "n") == 0;
        play->guided = strcasecmp(in->line, "yes") == 0 || strcasecmp(in->line, "y") == 0;
        if (!no && !play->guided) {
            (void)chat_queue_push(play->queue, in);
        }
        chat_settle(play->chat, in);
    }
    return CONSOLE_LINE;
}

// Who sits here alone has just been told what was dealt: the hand is not shown again before it
// changes.
static void hand_is_told(struct table *table)
{
    struct table_words words;
    for (unsigned seat = 0; seat < session_seat_count(table->play->session); seat++) {
        if (people_among(table, seat_bit(seat)) != 0) {
            session_words(table->play->session, seat, &words);
            (void)render_brief(&words, table->shown[seat].brief, SHOWN_SIZE);
        }
    }
}

int play_run(struct play *play)
{
    struct table *const table = calloc(1, sizeof *table);
    if (table == NULL) {
        complain(TEXT_PLAY_NO_MEMORY, play->seed);
        return CMD_FAILED;
    }
    table->play = play;
    table->reader = MB_SEATS_MAX;
    table->guest = MB_SEATS_MAX;
    table->live = console_in_is_terminal(play->chat);
    table->desk = (struct desk){
        .session = play->session, .chat = play->chat, .queue = play->queue, .place = play->place};
    enum console_heard heard = console_state(play->chat);
    int status = CMD_DONE;
    bool stuck = false;
    if (play->people_count == 1) {
        heard = console_seat(play->chat, 0);
        if (heard == CONSOLE_LINE && play->ask_guide && table->live &&
            console_out_is_terminal(play->chat) && first_time()) {
            heard = offer_guide(table);
        }
    }
    desk_speak(&table->desk, NULL);
    if (play->people_count == 1) {
        hand_is_told(table);
    }
    hear(table);
    while (heard == CONSOLE_LINE && !stuck && session_state(play->session) != SESSION_OVER) {
        const struct session_due due = session_due(play->session);
        const unsigned seat = table->guest < MB_SEATS_MAX ? table->guest : whom_to_ask(table, &due);
        if (seat < MB_SEATS_MAX) {
            heard = ask(table, seat, &due);
        } else if (due.kind != SESSION_DUE_NEVER) {
            heard = go_on(table, &due);
        } else if (session_state(play->session) == SESSION_PAUSED) {
            heard = CONSOLE_QUIT; // everybody has left, and nobody comes back to this keyboard
        } else {
            stuck = true;
        }
        if (heard == CONSOLE_GUEST) {
            const char *const name = play->people[console_guest(play->chat)];
            const unsigned guest = session_find_seat(play->session, name);
            table->guest = guest < MB_SEATS_MAX ? guest : (unsigned)MB_SEATS_MAX;
            heard = CONSOLE_LINE;
        }
        if (heard == CONSOLE_LINE) {
            heard = console_state(play->chat);
        }
    }
    if (stuck) {
        complain(TEXT_CONSOLE_STUCK, play->seed);
        status = CMD_FAILED;
    } else if (heard != CONSOLE_LINE) {
        status = leave(table, heard);
    } else {
        status = finish(table);
    }
    free(table);
    return status;
}
