#include "adapters/console/play.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <strings.h>

#include "core/codec/memory.h"

#include "bot/cmd/cmd.h"
#include "bot/render/guide.h"
#include "bot/text/text.h"

#include "adapters/console/console.h"
#include "adapters/console/first_time.h"

enum {
    HINTS_SIZE = 8192,
    MS_PER_SECOND = 1000,
    NS_PER_MS = 1000000,
    STORE_AGAIN_MS = 250,
    STATUS_SIGNALLED = 128 // and the signal's number, as a shell reports it
};

struct game_at {
    struct play *play;
    bool live;      // lines are typed at a terminal
    bool away;      // the store is, and it has been said
    unsigned guest; // who has asked for the keyboard; people_count: nobody
    uint32_t turn;  // round and turn that were told last
    struct guide guide[MB_SEATS_MAX];
};

static int64_t now_ms(void)
{
    struct timespec now = {0, 0};
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * MS_PER_SECOND + now.tv_nsec / NS_PER_MS;
}

static const struct table *table_of(const struct play *play)
{
    return hall_table(play->hall, play->chat, play->place);
}

static enum table_state state_of(const struct play *play)
{
    const struct table *const table = table_of(play);
    return table != NULL ? table_state(table) : TABLE_EMPTY;
}

static struct table_due due_of(const struct play *play)
{
    const struct table *const table = table_of(play);
    return table != NULL ? table_due(table) : (struct table_due){.kind = TABLE_DUE_NEVER, .ms = -1};
}

// The seed of the game, as --seed would take it.
static const char *seed_of(const struct play *play, char digits[DIGEST_HEX_SIZE])
{
    uint8_t seed[DIGEST_SIZE];
    digits[0] = '\0';
    if (table_of(play) != NULL) {
        game_seed(table_game(table_of(play)), seed);
        digest_hex(seed, sizeof seed, digits);
    }
    return digits;
}

static void complain(const struct play *play, enum text_id id)
{
    char seed[DIGEST_HEX_SIZE];
    char line[HINTS_SIZE];
    struct text_out out;
    text_begin(&out, line, sizeof line);
    text_line(&out, id, TEXT_ARGS(text_str("seed", seed_of(play, seed))));
    (void)fputs(line, stderr);
}

// The end before the end: one sentence each.
static int leave(const struct game_at *at, enum console_heard heard)
{
    struct chat *const chat = at->play->chat;
    switch (heard) {
    case CONSOLE_QUIT:
        console_say(chat, TEXT_CONSOLE_QUIT, NULL);
        return CMD_DONE;
    case CONSOLE_END:
        console_say(chat, TEXT_CONSOLE_END, NULL);
        return CMD_DONE;
    case CONSOLE_STOPPED:
        at->play->interrupted = true;
        console_say(chat, at->play->kept ? TEXT_CONSOLE_INTERRUPTED_KEPT : TEXT_CONSOLE_INTERRUPTED,
                    NULL);
        return STATUS_SIGNALLED + console_signal(chat);
    case CONSOLE_BROKEN:
        at->play->interrupted = true;
        complain(at->play, TEXT_CONSOLE_BROKEN);
        return CMD_FAILED;
    case CONSOLE_FAILED:
    case CONSOLE_GUEST:
    case CONSOLE_LINE:
    case CONSOLE_TIME:
        break;
    }
    at->play->interrupted = true;
    complain(at->play, TEXT_CONSOLE_FAILED);
    return CMD_FAILED;
}

static void hint(struct game_at *at, unsigned person)
{
    char text[HINTS_SIZE];
    struct table_words words;
    struct play *const play = at->play;
    const struct person who = {.network = chat_name(play->chat), .id = play->people[person]};
    const unsigned seat = table_seat_of(table_of(play), &who);
    if (play->guided && seat != NO_SEAT &&
        hall_words(play->hall, play->chat, play->place, seat, &words) &&
        guide_next(&at->guide[person], &words, text, sizeof text) > 0) {
        console_print(play->chat, text);
    }
}

// Time passes in the hall, and what is heard is dealt with.
static void pass_time(struct game_at *at, int64_t ms)
{
    struct hall *const hall = at->play->hall;
    for (bool done = hall_advance(hall, ms); !done; done = hall_advance(hall, 0)) {
        hall_hear(hall);
    }
    hall_hear(hall);
}

static uint64_t version_of(const struct play *play)
{
    return hall_version(play->hall, play->chat, play->place);
}

// A guest has the keyboard until something comes of it, or Enter gives it back.
static void hear(struct game_at *at, int64_t spent)
{
    const uint64_t version = version_of(at->play);
    const bool said = at->play->queue->count > 0;
    pass_time(at, spent);
    if (!said || version_of(at->play) != version) {
        at->guest = at->play->people_count;
    }
}

// Asks one person. CONSOLE_LINE: go on.
static enum console_heard ask(struct game_at *at, unsigned person)
{
    struct play *const play = at->play;
    struct chat *const chat = play->chat;
    const bool asked = console_asked(chat) == person;
    enum console_heard heard = console_seat(chat, person);
    if (heard != CONSOLE_LINE) {
        return heard;
    }
    console_is_read(chat); // nothing scrolls away; a window's time is theirs from the beginning
    if (at->live && asked && console_idle(chat, person)) {
        console_speak(chat, person, "pass");
        hear(at, 0);
        return CONSOLE_LINE;
    }
    if (asked) {
        console_prompt(chat);
        hint(at, person);
    }
    const int64_t before = now_ms();
    heard = console_listen(chat, at->live ? hall_due_ms(play->hall) : -1, true);
    if (heard == CONSOLE_TIME) {
        pass_time(at, now_ms() - before);
        return CONSOLE_LINE;
    }
    if (heard == CONSOLE_LINE) {
        hear(at, at->live ? now_ms() - before : 0);
    }
    return heard;
}

// Time to read what was said. People at a terminal may speak meanwhile, and look; an empty line is
// "go on".
static enum console_heard let_read(struct game_at *at)
{
    struct play *const play = at->play;
    struct chat *const chat = play->chat;
    int64_t left = console_unread_ms(chat);
    enum console_heard heard = CONSOLE_LINE;
    if (play->people_count == 0) {
        heard = console_pause(chat, left);
        left = 0;
    }
    while (heard == CONSOLE_LINE && left > 0 && console_asked(chat) == play->people_count) {
        const int64_t before = now_ms();
        heard = console_listen(chat, left, false);
        const bool spoken = play->queue->count > 0;
        left = heard == CONSOLE_LINE && !spoken ? 0 : left - (now_ms() - before);
        pass_time(at, 0);
    }
    console_is_read(chat);
    return heard == CONSOLE_TIME ? CONSOLE_LINE : heard;
}

// Whom to ask now; people_count: nobody, things go on by themselves.
static unsigned whom_to_ask(const struct game_at *at)
{
    const struct play *const play = at->play;
    if (at->guest < play->people_count) {
        return at->guest;
    }
    if (!at->live && due_of(play).kind == TABLE_DUE_BOTS) {
        return play->people_count;
    }
    return console_asked(play->chat);
}

// At a terminal a newcomer is asked once; a command instead of an answer is one.
static enum console_heard offer_guide(struct game_at *at)
{
    struct play *const play = at->play;
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

// After the end: Enter deals again, anything else does not.
static void offer_another(struct game_at *at)
{
    struct play *const play = at->play;
    if (!play->ask_again || !at->live || !console_out_is_terminal(play->chat)) {
        return;
    }
    console_say(play->chat, TEXT_CONSOLE_ANOTHER, NULL);
    if (console_listen(play->chat, -1, true) != CONSOLE_LINE) {
        return;
    }
    struct chat_in *const in = chat_queue_take(play->queue);
    play->again = in == NULL || strcasecmp(in->line, "yes") == 0 || strcasecmp(in->line, "y") == 0;
    if (in != NULL) {
        chat_settle(play->chat, in);
    }
}

static bool tell_turn(struct game_at *at)
{
    const struct table *const table = table_of(at->play);
    if (at->play->turn == NULL || table == NULL) {
        return true;
    }
    const struct game *const game = table_game(table);
    const uint32_t turn = query_round(game) * MB_SEATS_MAX + query_turn(game) + 1;
    if (turn == at->turn) {
        return true;
    }
    at->turn = turn;
    return at->play->turn(at->play->user);
}

static void take_guest(struct game_at *at)
{
    at->guest = console_guest(at->play->chat);
}

// What the store has not taken is asked again until it does, or somebody ends the waiting.
static enum console_heard wait_for_store(struct game_at *at)
{
    if (!at->away) {
        console_say(at->play->chat, TEXT_CONSOLE_STORE_AWAY, NULL);
        at->away = true;
    }
    const enum console_heard heard = console_pause(at->play->chat, STORE_AGAIN_MS);
    if (heard == CONSOLE_LINE) {
        pass_time(at, STORE_AGAIN_MS);
    }
    return heard;
}

// One thing happens: somebody is asked, time to read passes, or a bot player acts. CONSOLE_TIME:
// nothing ever will.
static enum console_heard go_on(struct game_at *at)
{
    struct play *const play = at->play;
    if (hall_waits(play->hall)) {
        return wait_for_store(at);
    }
    at->away = false;
    const struct table_due due = due_of(play);
    const unsigned person = whom_to_ask(at);
    if (person < play->people_count) {
        return ask(at, person);
    }
    if (console_unread_ms(play->chat) > 0) {
        return let_read(at);
    }
    if (due.kind != TABLE_DUE_NEVER) {
        pass_time(at, due.ms);
        return CONSOLE_LINE;
    }
    // Paused, and everybody has left: nobody comes back to this keyboard.
    return state_of(play) == TABLE_PAUSED ? CONSOLE_QUIT : CONSOLE_TIME;
}

static int play_on(struct game_at *at, enum console_heard heard)
{
    struct play *const play = at->play;
    while (heard == CONSOLE_LINE && state_of(play) != TABLE_OVER) {
        if (!tell_turn(at)) {
            return CMD_FAILED;
        }
        heard = go_on(at);
        if (heard == CONSOLE_GUEST) {
            take_guest(at);
            heard = CONSOLE_LINE;
        }
        if (heard == CONSOLE_LINE) {
            heard = console_state(play->chat);
        }
    }
    if (heard == CONSOLE_TIME) {
        play->interrupted = true;
        complain(play, TEXT_CONSOLE_STUCK);
        return CMD_FAILED;
    }
    if (heard != CONSOLE_LINE) {
        return leave(at, heard);
    }
    offer_another(at);
    return console_state(play->chat) == CONSOLE_BROKEN ? CMD_FAILED : CMD_DONE;
}

// The table as it begins, or as it was; false with a complaint.
static bool sit_down(const struct game_at *at)
{
    struct play *const play = at->play;
    if (!play->resumed) {
        if (hall_open(play->hall, play->chat, play->place, play->table, play->chance) &&
            (state_of(play) == TABLE_RUNNING || hall_waits(play->hall))) {
            return true;
        }
        complain(play, TEXT_PLAY_NOT_BEGUN);
        return false;
    }
    if (!hall_show(play->hall, play->chat, play->place) ||
        (state_of(play) == TABLE_EMPTY && !hall_waits(play->hall))) {
        play->interrupted = true; // it stays where it is
        complain(play, TEXT_PLAY_NOT_RESUMED);
        return false;
    }
    console_speak(play->chat, 0, "status");
    return true;
}

int play_run(struct play *play)
{
    struct game_at *const at = mb_new(1, sizeof *at);
    at->play = play;
    at->guest = play->people_count;
    at->live = console_in_is_terminal(play->chat);
    enum console_heard heard = console_state(play->chat);
    if (play->people_count == 1) {
        heard = console_seat(play->chat, 0);
        if (heard == CONSOLE_LINE && play->ask_guide && at->live &&
            console_out_is_terminal(play->chat) && first_time()) {
            heard = offer_guide(at);
        }
    }
    int status = CMD_FAILED;
    if (heard != CONSOLE_LINE) {
        status = leave(at, heard);
    } else if (sit_down(at)) {
        hall_hear(play->hall);
        status = play_on(at, heard);
    }
    free(at);
    return status;
}
