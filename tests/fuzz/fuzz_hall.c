/*
 * Fuzzes whole halls: what several people at several places of two chats type and press, what
 * becomes of messages, what the store and the chats fail at, time, and processes that end. After
 * each step what hall_watch.h says must hold; in the end, when everything works again, every
 * message has had its outcome, every line is settled, and whoever asks is answered.
 *
 * The input: what each chat can do (bits of CHAT_CAP_*, a byte each), then steps of three bytes.
 * The first says what happens, the others to whom and how; a typed text follows its step.
 */
#include <stdio.h>
#include <string.h>

#include "core/base/rng.h"
#include "core/loop/query.h"

#include "bot/hall/hall_limits.h"
#include "bot/parse/parse.h"

#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/hall_watch.h"
#include "tests/support/chance.h"

enum {
    STEPS_MAX = 200,
    ROUNDS_MAX = 100000,
    PEOPLE = 5,
    ECHOES = 8,
    TEXT_MAX = 64,
    PRESSABLE = 24,
    WORD_SIZE = 32,
    BREATH_MS = 500,
    HEAL_ROUNDS = 8,
    HEAL_MS = 30000,
    CAPS = CHAT_CAP_BUTTONS | CHAT_CAP_PRIVATE | CHAT_CAP_EDIT | CHAT_CAP_PACED
};

// A line as it was heard, to be brought again.
struct echo {
    struct chat_in in;
    unsigned chat;
    char event[WORD_SIZE], line[CHAT_LINE_SIZE], path[CHAT_PATH_SIZE];
};

static bool disturbed; // store or chat: what is said may come late
static struct fuzz_hall fuzz;
static struct echo echoes[ECHOES];
static unsigned echo_count;
static unsigned long events;
static int64_t left_ms;

static const char *const PERSON[PEOPLE] = {"u1", "u2", "u3", "Ann", "\xE2\x80\xAE u5"};
static const char *const SHOWN[PEOPLE] = {"Ann", "Bob", "ann", "Elf", "\xFF\x1B[2J pass"};

static const char *const LINES[] = {
    "new sets=classic",
    "join",
    "join female",
    "start",
    "done",
    "kick",
    "loot",
    "run",
    "pass",
    "add-bot",
    "add-bot ruthless",
    "leave",
    "end",
    "undo",
    "accept",
    "refuse",
    "accept undo",
    "pause",
    "resume",
    "remove Ann",
    "remove Bob",
    "status",
    "hand",
    "log",
    "log 50",
    "stats",
    "stats forget",
    "history",
    "moves",
    "why pass",
    "help",
    "help play",
    "score",
    "info",
    "orders pass below 9",
    "orders clear",
    "at 1",
    "at 2",
    "at 1 hand",
    "at 2 kick",
    "new",
    "new sets=classic,conan pace=async players=6",
    "new pace=slow turn=5m quiet=22-8",
    "new sets=legends,super,pathfinder pace=live",
    "ask all for 1 treasure",
    "withdraw",
    "take",
    "hold",
    "seed",
    "verify",
    "card 1",
    "rules combat",
};
enum { LINE_COUNT = sizeof LINES / sizeof LINES[0] };

/* The hall. */

static void build(void)
{
    struct mb_error err = {0};
    fuzz.hall = hall_create(&(struct hall_setup){
        .catalog = fuzz_catalog(), .library = watch_library(), .store = fuzz.store});
    for (unsigned i = 0; i < FUZZ_CHATS; i++) {
        if (!chat_start(fuzz.chats[i].chat, &err) ||
            !hall_add_chat(fuzz.hall, fuzz.chats[i].chat, &err)) {
            fuzz_fail("%s", err.text);
        }
    }
}

static uint32_t caps_of(unsigned char byte)
{
    return (~(uint32_t)byte & CAPS) ^ CHAT_CAP_PACED;
}

static void open_hall(const uint8_t *caps)
{
    static const char *const NAMES[FUZZ_CHATS] = {"fake", "plain"};
    struct mb_error err = {0};
    chance_fix();
    watch_begin();
    echo_count = 0;
    events = 0;
    left_ms = 24 * HALL_HOUR_MS;
    fuzz.store = memory_store_create();
    if (fuzz.store == NULL || !store_start(fuzz.store, &err)) {
        fuzz_fail("no store: %s", err.text);
    }
    for (unsigned i = 0; i < FUZZ_CHATS; i++) {
        struct fuzz_chat *const chat = &fuzz.chats[i];
        chat_queue_init(&chat->queue);
        chat->chat = fake_create_named(NAMES[i], &chat->queue, caps_of(caps[i]));
        chat->seen = 0;
        if (chat->chat == NULL) {
            fuzz_fail("no memory");
        }
    }
    build();
}

static void close_hall(void)
{
    hall_destroy(fuzz.hall);
    store_destroy(fuzz.store);
    for (unsigned i = 0; i < FUZZ_CHATS; i++) {
        chat_destroy(fuzz.chats[i].chat);
        chat_queue_finish(&fuzz.chats[i].queue);
    }
}

// The process ends, and another one begins: what was on its way is lost, or comes again by echoes.
static void restart(void)
{
    hall_destroy(fuzz.hall);
    for (unsigned i = 0; i < FUZZ_CHATS; i++) {
        chat_stop(fuzz.chats[i].chat);
        chat_queue_finish(&fuzz.chats[i].queue);
        chat_queue_init(&fuzz.chats[i].queue);
    }
    build();
}

static void pass_time(int64_t ms)
{
    bool done = hall_advance(fuzz.hall, ms);
    for (unsigned i = 0; !done; i++) {
        if (i == ROUNDS_MAX) {
            fuzz_fail("something is due for ever");
        }
        done = hall_advance(fuzz.hall, 0);
    }
}

// An input has a day: every second of it costs a beat of the store.
static void wait(int64_t ms)
{
    if (ms < 0 || ms > left_ms) { // nothing is due, or too late
        ms = ms < 0 ? 0 : left_ms;
    }
    left_ms -= ms;
    pass_time(ms);
}

/* What people do. */

static unsigned person_of(uint8_t who)
{
    return who % PEOPLE;
}

static unsigned place_of(uint8_t who)
{
    return who / PEOPLE % FUZZ_PLACES;
}

static unsigned chat_of(uint8_t who)
{
    return who / (PEOPLE * FUZZ_PLACES) % FUZZ_CHATS;
}

static const struct table *table_of(uint8_t who)
{
    return hall_table(fuzz.hall, fuzz.chats[chat_of(who)].chat, FUZZ_PLACE[place_of(who)]);
}

static void hear(unsigned chat, const struct chat_in *in)
{
    struct echo *const echo = &echoes[echo_count++ % ECHOES];
    (void)snprintf(echo->event, sizeof echo->event, "event %lu", ++events);
    (void)snprintf(echo->line, sizeof echo->line, "%s", in->line);
    (void)snprintf(echo->path, sizeof echo->path, "%s", in->path != NULL ? in->path : "");
    echo->in = *in;
    echo->in.path = echo->path;
    echo->chat = chat;
    echo->in.event = echo->event;
    echo->in.line = echo->line;
    (void)fake_hear_in(fuzz.chats[chat].chat, &echo->in); // a full queue, or no connection
    hall_hear(fuzz.hall);
}

// The high bits of `who`: in private; as a moderator; in a hurry.
static void say(uint8_t who, const char *line)
{
    const unsigned way = who / (PEOPLE * FUZZ_PLACES * FUZZ_CHATS);
    const struct chat_in in = {.place =
                                   (way & 1u) != 0 ? "a private room" : FUZZ_PLACE[place_of(who)],
                               .person = PERSON[person_of(who)],
                               .name = SHOWN[person_of(who)],
                               .line = line,
                               .direct = (way & 1u) != 0,
                               .open = (way & 1u) == 0,
                               .moderator = (way & 2u) != 0};
    if (way < 4) {
        wait(BREATH_MS);
    }
    hear(chat_of(who), &in);
}

// What the game allows the person, as it would be typed.
static void play(uint8_t who, uint8_t chance)
{
    const struct table *const table = table_of(who);
    const struct box *const box =
        table != NULL && table_state(table) >= TABLE_RUNNING ? watch_box(table) : NULL;
    const unsigned seat = person_of(who);
    if (box == NULL || seat >= table_seat_count(table)) {
        say(who, LINES[chance % LINE_COUNT]);
        return;
    }
    const struct game *const game = table_game(table);
    const struct move_list *const moves = fuzz_moves(game, box, seat);
    struct table_words words;
    struct command command;
    struct mb_rng rng;
    uint8_t seed[32];
    char line[CHAT_LINE_SIZE];
    mb_rng_seed_u64(seed, chance);
    mb_rng_init(&rng, seed);
    if (moves->count == 0) {
        wait(table_due(table).ms);
        return;
    }
    move_sample(game, box, &moves->items[mb_rng_below(&rng, moves->count)], &rng, &command);
    if (hall_words(fuzz.hall, fuzz.chats[chat_of(who)].chat, FUZZ_PLACE[place_of(who)], seat,
                   &words) &&
        parse_format(&words, &command, line, sizeof line) < sizeof line) {
        say(who, line);
    }
}

// What a client sends of a control; or (odd ones) what none would.
static void press_panel(struct chat_in *in, const struct fake_message *message, size_t number,
                        uint8_t how)
{
    static const char *const PATHS[] = {"",    "a",     "h",     "c",      "d",
                                        "t",   "cAA",   "dAA",   "aAA~AB", "aAB~A.A+B",
                                        "tAL", "cAB+_", "a____", "zz~.",   "hAAAAAAAA~"};
    const struct chat_control *const control = &message->controls[number];
    const bool opens = control->opens[0] != '\0';
    in->path = opens ? control->opens : message->path;
    in->pressed = opens ? 0 : (uint16_t)(number + 1);
    in->pick_count = control->kind == CHAT_MENU ? control->min : 0;
    for (uint8_t i = 0; i < in->pick_count; i++) {
        in->picks[i] = (uint8_t)(1 + (how + i) % control->choice_count);
    }
    if (how % 8 == 7) {
        in->path = PATHS[how / 8 % (sizeof PATHS / sizeof PATHS[0])];
        in->pressed = (uint16_t)(how % 5);
        in->picks[0] = how;
        in->pick_count = 1;
    }
}

// A control of a late message, by whom it is for or (`elsewhere`) by anybody anywhere.
static void press(uint8_t who, uint8_t which, bool elsewhere)
{
    const unsigned chat = chat_of(which);
    const size_t count = fake_count(fuzz.chats[chat].chat);
    for (size_t i = 0; i < PRESSABLE && i < count; i++) {
        const size_t at = (which + i) % PRESSABLE;
        const struct fake_message *const message =
            at < count ? fake_message(fuzz.chats[chat].chat, count - 1 - at) : NULL;
        if (message == NULL || message->control_count == 0) {
            continue;
        }
        const size_t number = who % message->control_count;
        const struct chat_control *const control = &message->controls[number];
        struct chat_in in = {.place = elsewhere ? FUZZ_PLACE[place_of(who)] : message->place,
                             .person = !elsewhere && message->person[0] != '\0'
                                           ? message->person
                                           : PERSON[person_of(who)],
                             .line = control->line,
                             .direct = message->person[0] != '\0',
                             .moderator = elsewhere,
                             .bond = message->bond};
        if ((chat_caps(fuzz.chats[chat].chat) & CHAT_CAP_BUTTONS) != 0) {
            press_panel(&in, message, number, which);
        }
        wait(BREATH_MS);
        hear(elsewhere ? chat_of(who) : chat, &in);
        return;
    }
}

static void echo(uint8_t which)
{
    const struct echo *const again = &echoes[which % ECHOES];
    if (which % ECHOES < echo_count) {
        (void)fake_hear_in(fuzz.chats[again->chat].chat, &again->in);
        hall_hear(fuzz.hall);
    }
}

/* What fails. */

static void outcome(struct chat *chat, uint8_t which, uint8_t fate)
{
    const size_t count = fake_count(chat);
    struct chat_outcome told = {.key = {.epoch = 1, .number = which},
                                .fate = (enum chat_fate)(fate % (CHAT_MESSAGE_GONE + 1))};
    if (count > 0 && fate < 0x80) { // once more, or of one whose outcome is known
        told.key = fake_message(chat, which % count)->key;
    }
    told.id = told.fate == CHAT_DELIVERED ? "m1" : NULL;
    fake_tell(chat, &told);
}

static void disturb_chat(struct chat *chat, uint8_t what, uint8_t how)
{
    static const enum mb_code CODES[] = {MB_OK, MB_ERR_RETRY, MB_ERR_IO, MB_ERR_INPUT};
    switch (what / 2 % 6) {
    case 0:
        fake_lose(chat, how % 2 == 0);
        break;
    case 1:
        fake_hold(chat, how % 4 != 0);
        break;
    case 2:
        fake_fail_at(chat, 1u + how % 4u);
        break;
    case 3:
        fake_fail_to(chat, how % 5 == 0 ? NULL : PERSON[how % PEOPLE], CODES[how / 5 % 4]);
        break;
    case 4:
        (void)fake_refuse(chat, how % 2 == 0 ? NULL : "",
                          (enum chat_fate)(1u + how / 2u % CHAT_MESSAGE_GONE));
        break;
    default:
        if (fake_count(chat) > 0) {
            fake_remove(chat, fake_message(chat, how % fake_count(chat))->id);
        }
        break;
    }
}

static void disturb_store(uint8_t what, uint8_t how)
{
    switch (what % 4) {
    case 0:
        faulty_store_down(fuzz.store, how % 2 == 0);
        break;
    case 1:
        faulty_store_hold(fuzz.store, how % 2 == 0);
        break;
    case 2:
        faulty_store_release(fuzz.store);
        break;
    default:
        faulty_store_fault(fuzz.store, (enum fault)(how % (FAULT_TWICE + 1)),
                           1u + how / (FAULT_TWICE + 1u));
        break;
    }
}

/* Steps. */

static void step(const uint8_t *at, const char *text)
{
    static const int64_t TIMES[] = {1, 250, 2000, 5000, 15000, 60000, 600000, 3600000};
    struct chat *const chat = fuzz.chats[at[1] % FUZZ_CHATS].chat;
    switch (at[0] % 32) {
    case 16:
    case 17:
        press(at[1], at[2], false);
        break;
    case 18:
        press(at[1], at[2], true);
        break;
    case 19:
        echo(at[1]);
        break;
    case 20:
    case 21:
        wait(TIMES[at[1] % (sizeof TIMES / sizeof TIMES[0])]);
        break;
    case 22:
    case 23:
        wait(table_of(at[1]) != NULL ? table_due(table_of(at[1])).ms : 0);
        break;
    case 24:
        disturbed = true;
        disturb_store(at[1], at[2]);
        break;
    case 25:
        disturbed = true;
        disturb_chat(chat, at[1], at[2]);
        break;
    case 26:
        (void)fake_deliver(chat, at[2] % 2 == 0 ? NULL : PERSON[at[2] % PEOPLE]);
        break;
    case 27:
        outcome(chat, at[1], at[2]);
        break;
    case 28:
        restart();
        break;
    case 29:
        hall_forget(fuzz.hall);
        break;
    case 30:
        say(at[1], text);
        break;
    default:
        if (at[0] % 32 < 8) {
            say(at[1], LINES[at[2] % LINE_COUNT]);
        } else {
            play(at[1], at[2]);
        }
        break;
    }
}

/* The end. */

static void heal(void)
{
    faulty_store_down(fuzz.store, false);
    faulty_store_hold(fuzz.store, false);
    faulty_store_fault(fuzz.store, FAULT_NONE, 0);
    faulty_store_release(fuzz.store);
    for (unsigned i = 0; i < FUZZ_CHATS; i++) {
        struct chat *const chat = fuzz.chats[i].chat;
        fake_lose(chat, false);
        fake_hold(chat, false);
        fake_fail_at(chat, 0);
        fake_fail_to(chat, NULL, MB_OK);
        while (fake_deliver(chat, NULL)) {
        }
    }
    for (unsigned i = 0; i < HEAL_ROUNDS; i++) {
        hall_hear(fuzz.hall);
        pass_time(HEAL_MS);
        watch_step(&fuzz, true);
    }
}

static void is_answered(unsigned which)
{
    struct fuzz_chat *const chat = &fuzz.chats[which / FUZZ_PLACES];
    char event[WORD_SIZE];
    (void)snprintf(event, sizeof event, "event %lu", ++events);
    const struct chat_in in = {.place = FUZZ_PLACE[which % FUZZ_PLACES],
                               .person = "Zoe",
                               .line = "status",
                               .event = event,
                               .open = true};
    const size_t before = fake_count(chat->chat);
    pass_time(BREATH_MS);
    if (!fake_hear_in(chat->chat, &in)) {
        fuzz_fail("a line is not taken in the end");
    }
    hall_hear(fuzz.hall);
    pass_time(0);
    for (size_t i = before; i < fake_count(chat->chat); i++) {
        if (strcmp(fake_message(chat->chat, i)->event, in.event) == 0) {
            return;
        }
    }
    if ((chat_caps(chat->chat) & CHAT_CAP_PRIVATE) != 0) {
        fuzz_fail("nobody is answered at %s in the end", in.place);
    }
}

static void end(void)
{
    heal();
    for (unsigned i = 0; i < FUZZ_CHATS * FUZZ_PLACES; i++) {
        is_answered(i);
    }
    watch_step(&fuzz, true);
    if (memory_store_unsent(fuzz.store) != 0) {
        fuzz_fail("%zu messages are without outcome", memory_store_unsent(fuzz.store));
    }
    for (unsigned i = 0; i < FUZZ_CHATS; i++) {
        if (chat_queue_settled(&fuzz.chats[i].queue) != fuzz.chats[i].queue.pushed) {
            fuzz_fail("what was heard is never settled");
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[TEXT_MAX];
    if (size < FUZZ_CHATS) {
        return 0;
    }
    open_hall(data);
    disturbed = false;
    size_t at = FUZZ_CHATS;
    for (unsigned i = 0; i < STEPS_MAX && at + 3 <= size; i++) {
        const uint8_t *const now = data + at;
        at += 3;
        text[0] = '\0';
        if (now[0] % 32 == 30) {
            const size_t wanted = now[2] % sizeof text;
            const size_t length = wanted < size - at ? wanted : size - at;
            memcpy(text, data + at, length);
            text[length] = '\0';
            at += length;
        }
        step(now, text);
        watch_step(&fuzz, disturbed);
    }
    end();
    close_hall();
    return 0;
}
