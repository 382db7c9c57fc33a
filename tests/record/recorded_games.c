// Games of fixed seeds, each on a chat that can do what one network can and a store in SQLite, for
// a record (written.h) to which a later program is held. People play as policies would; now and
// then they press what is shown, ask about anything, change the table, come and go, and the process
// or the store begins anew. README.md beside this file says what for.
//   recorded_games CHAT FIRST LAST [--whole]
// Prints a line a game: chat, number, digests (enum written_part); --whole: everything, for diff.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/chat_impl.h"
#include "bot/hall/hall_limits.h"
#include "bot/parse/verb.h"
#include "bot/text/rules.h"

#include "tests/record/written.h"
#include "tests/support/chance.h"
#include "tests/support/stage.h"
#include "tests/support/table.h"
#include "tests/support/test.h"

enum {
    PEOPLE_MAX = 4,
    SEATS_MIN = 3,
    SEATS_DIFFER = 4,
    STEPS_MAX = 500,
    DEED_BITS = 16,
    AFTER = 12, // deeds when the game is over
    PACE_DIFFER = 4,
    SETS_DIFFER = 7,
    ROOM_SIZE = 64,
    EVENTS_A_GAME = 10000,
    POLICIES = 4,
    NETWORKS = 3
};

static const struct network {
    const char *name;
    uint32_t caps;
} NETWORK[NETWORKS] = {
    {"discord", CHAT_CAP_BUTTONS | CHAT_CAP_PRIVATE | CHAT_CAP_EDIT | CHAT_CAP_HINTS |
                    CHAT_CAP_AFAR | CHAT_CAP_ROOM | CHAT_CAP_SEEK | CHAT_CAP_STORY},
    {"matrix", CHAT_CAP_PRIVATE | CHAT_CAP_EDIT | CHAT_CAP_ONE | CHAT_CAP_AFAR | CHAT_CAP_NUMBERS |
                   CHAT_CAP_SCARCE | CHAT_CAP_STORY | CHAT_CAP_SIGNS},
    {"terminal", CHAT_CAP_PRIVATE | CHAT_CAP_PACED}};

static const char PLACE[] = "tavern";
static const char *const NAMES[] = {"Ann", "Bob", "Cy", "Dot", "Eve"}; // Eve looks on
static const struct policy *const POLICY[POLICIES] = {&POLICY_RANDOM, &POLICY_ROOKIE,
                                                      &POLICY_REGULAR, &POLICY_RUTHLESS};

struct evening {
    struct stage stage;
    struct mb_rng rng;
    const struct network *network;
    unsigned people;
    uint64_t seed; // of the next deed
};

static unsigned below(struct evening *evening, unsigned bound)
{
    return mb_rng_below(&evening->rng, bound);
}

// Where the table lies: a room of its own may be made for it.
static const char *place_of(const struct evening *evening)
{
    return stage_table(&evening->stage, "room") != NULL ? "room" : PLACE;
}

static const struct table *table_of(const struct evening *evening)
{
    return stage_table(&evening->stage, place_of(evening));
}

static const char *somebody(struct evening *evening)
{
    return NAMES[below(evening, evening->people)];
}

// Chance begins anew with each deed, so that one that goes another way changes no later one by
// that.
static void draw_anew(struct evening *evening)
{
    uint8_t seed[32];
    mb_rng_seed_u64(seed, evening->seed++);
    mb_rng_init(&evening->rng, seed);
}

/* Deeds. */

static void hear(struct evening *evening, const struct chat_in *in)
{
    stage_pass(&evening->stage, HALL_PERSON_REFILL_MS);
    stage_hear(&evening->stage, evening->stage.chat, in);
}

static void say_so(struct evening *evening, const char *person, const char *line, bool aloud)
{
    char room[ROOM_SIZE];
    char answer[ROOM_SIZE];
    const bool buttons = (evening->network->caps & CHAT_CAP_BUTTONS) != 0;
    (void)snprintf(room, sizeof room, "private room of %s", person);
    (void)snprintf(answer, sizeof answer, "line %lu", evening->stage.lines + 1);
    const struct chat_in in = {.place = aloud ? place_of(evening) : room,
                               .person = person,
                               .line = line,
                               .answer = buttons ? answer : NULL,
                               .direct = !aloud,
                               .open = aloud && !buttons,
                               .moderator = person == NAMES[0]};
    written_deed("> %s%s: %s", person, aloud ? "" : " in private", line);
    hear(evening, &in);
}

static void say(struct evening *evening, const char *person, const char *line)
{
    say_so(evening, person, line, below(evening, 2) == 0);
}

// A control of what was shown lately, to somebody or to all; numbers where there are no buttons.
static void press(struct evening *evening)
{
    enum { LATE = 6 };
    struct chat *const chat = evening->stage.chat;
    const size_t count = fake_count(chat);
    const size_t back = 1 + below(evening, LATE);
    const struct fake_message *const message =
        count >= back ? fake_message(chat, count - back) : NULL;
    if (message == NULL || message->control_count == 0) {
        return;
    }
    const unsigned number = below(evening, (unsigned)message->control_count);
    const struct chat_control *const control = &message->controls[number];
    const char *const person =
        message->person[0] != '\0' ? message->person : NAMES[below(evening, evening->people + 1)];
    const bool opens = control->opens[0] != '\0';
    char line[STAGE_LINE_SIZE];
    char answer[ROOM_SIZE];
    (void)snprintf(line, sizeof line, "%s", control->line);
    (void)snprintf(answer, sizeof answer, "press %lu", evening->stage.lines + 1);
    struct chat_in in = {.kind = CHAT_IN_PRESS,
                         .place = message->place,
                         .person = person,
                         .line = line,
                         .answer = answer,
                         .path = opens ? control->opens : message->path,
                         .bond = message->bond,
                         .direct = chat_kind_is_private(message->kind),
                         .pressed = opens ? 0 : (uint16_t)(number + 1)};
    if (control->kind == CHAT_MENU && control->choice_count > 0) {
        in.pick_count = control->min > 0 ? control->min : 1;
        const unsigned first = below(evening, (unsigned)control->choice_count);
        for (unsigned i = 0; i < in.pick_count; i++) {
            in.picks[i] = (uint8_t)((first + i) % control->choice_count + 1);
        }
    } else if (control->kind == CHAT_FORM) {
        in.bond.on = CHAT_ON_FORM;
        in.line = below(evening, 2) == 0 ? "status" : "kick";
        in.pressed = 0;
    }
    written_deed("> %s presses \"%s\"", person, control->label);
    hear(evening, &in);
}

enum { BEHIND_MAX = 4 };

// What may follow some commands; "x" is a name.
static const struct {
    const char *word, *behind[BEHIND_MAX];
} BEHIND[] = {
    {"why", {"x"}},         {"remove", {"x"}},
    {"card", {"x"}},        {"orders", {"pass below", "pass until my turn", "ask always", "clear"}},
    {"forget-me", {"yes"}}, {"notify", {"all", "turn", "none"}},
};

// A command of the whole list, as it stands or with what may follow, or help about it.
static void try_verb(struct evening *evening, const char *person)
{
    static const char *const BEFORE[] = {"", "", "help ", "why "};
    char line[STAGE_LINE_SIZE];
    const struct verb_entry *entry = verb_next(NULL);
    for (unsigned i = below(evening, 100); i > 0; i--) {
        entry = verb_next(entry);
        entry = entry != NULL ? entry : verb_next(NULL);
    }
    const char *rest = NULL;
    const unsigned which = below(evening, BEHIND_MAX);
    for (size_t i = 0; i < sizeof BEHIND / sizeof BEHIND[0]; i++) {
        rest = strcmp(BEHIND[i].word, entry->word) == 0 ? BEHIND[i].behind[which] : rest;
    }
    const size_t length =
        (size_t)snprintf(line, sizeof line, "%s%s",
                         BEFORE[below(evening, sizeof BEFORE / sizeof BEFORE[0])], entry->word);
    if (rest != NULL && below(evening, 2) == 0) {
        (void)snprintf(line + length, sizeof line - length, " %s",
                       strcmp(rest, "x") == 0 ? NAMES[below(evening, PEOPLE_MAX)] : rest);
    }
    say(evening, person, line);
}

static void ask_of_card(struct evening *evening, const char *person)
{
    static const char *const BEFORE[] = {"card", "why play", "play", "why sell"};
    char line[STAGE_LINE_SIZE];
    const struct catalog *const catalog = evening->stage.catalog;
    const unsigned def = below(evening, (unsigned)catalog_def_count(catalog));
    (void)snprintf(line, sizeof line, "%s %s",
                   BEFORE[below(evening, sizeof BEFORE / sizeof BEFORE[0])],
                   catalog_name(catalog, def));
    say(evening, person, line);
}

static void look(struct evening *evening, const char *person)
{
    static const char *const LOOKS[] = {"status",       "hand",        "log",
                                        "score",        "orders",      "why pass",
                                        "why kick",     "help",        "rules",
                                        "why run",      "why ask all", "stats",
                                        "nonsense",     "guide",       "rules fair",
                                        "options",      "table",       "orders pass below 7",
                                        "orders clear", "undo",        "hold",
                                        "rules combat", "rules curse", "rules run away",
                                        "rules death",  "notify turn", "notify all"};
    say(evening, person, LOOKS[below(evening, sizeof LOOKS / sizeof LOOKS[0])]);
}

static void type(struct evening *evening, const char *person)
{
    static const char *const BEGUN[] = {"",  "play ", "choose ", "offer ", "why ",  "use ",
                                        "c", "card ", "give ",   "ask ",   "sell ", "new sets="};
    static struct complete_list list;
    const char *const line = BEGUN[below(evening, sizeof BEGUN / sizeof BEGUN[0])];
    struct chat *const chat = evening->stage.chat;
    const struct chat_in in = {.place = place_of(evening), .person = person, .line = line};
    list = (struct complete_list){.count = 0};
    chat->sink.complete(chat->sink.user, chat, &in, strlen(line), &list);
    written_offers(person, line, &list);
}

// What an adapter says when its network is connected.
static void connect(struct evening *evening)
{
    assert_true(fake_link(evening->stage.chat, true));
    hall_hear(evening->stage.hall);
    stage_pass(&evening->stage, 0);
}

static void watch(struct evening *evening)
{
    hall_watch(evening->stage.hall, &(struct table_watcher){.step = written_step});
    connect(evening);
}

static void die(struct evening *evening)
{
    const bool store = below(evening, 2) == 0;
    written_deed("> the process dies%s", store ? ", and the store is opened anew" : "");
    if (store) {
        stage_restart(&evening->stage);
    } else {
        stage_again(&evening->stage);
    }
    watch(evening);
    say(evening, NAMES[0], "status");
}

static void wait(struct evening *evening)
{
    const struct table *const table = table_of(evening);
    if (table != NULL && table_due(table).kind != TABLE_DUE_NEVER) {
        const int64_t ms = table_due(table).ms;
        written_deed("> %lld ms pass", (long long)ms);
        stage_pass(&evening->stage, ms > 0 ? ms : 1);
    }
}

// Somebody who is waited for goes on, now and then somebody else; else time does.
static void go_on(struct evening *evening)
{
    const struct table *const table = table_of(evening);
    const struct table_due due = table_due(table);
    const unsigned may = table_people_seats(table) & (below(evening, 4) == 0 ? ~0u : due.seats);
    const unsigned count = table_seat_count(table);
    const unsigned first = below(evening, count);
    for (unsigned i = 0; i < count; i++) {
        const unsigned seat = (first + i) % count;
        char line[STAGE_LINE_SIZE];
        char name[CHAT_NAME_SIZE];
        (void)snprintf(name, sizeof name, "%s", table_seat_name(table, seat));
        if ((may >> seat & 1u) != 0 &&
            stage_think(&evening->stage, place_of(evening), seat, POLICY[(seat + first) % POLICIES],
                        &evening->rng, line)) {
            say(evening, name, line);
            return;
        }
    }
    wait(evening);
}

// Of the network: the next messages fail once, or nothing is heard for a while.
static void disturb(struct evening *evening)
{
    enum { FEW = 3, AWAY_MS = 30000 };
    const unsigned at = below(evening, FEW);
    if (at > 0) {
        written_deed("> message %u from now fails once", at);
        fake_fail_at(evening->stage.chat, at);
        return;
    }
    written_deed("> the network is lost, and found again");
    assert_true(fake_link(evening->stage.chat, false));
    hall_hear(evening->stage.hall);
    stage_pass(&evening->stage, AWAY_MS);
    connect(evening);
}

static void step(struct evening *evening)
{
    const char *const person = NAMES[below(evening, evening->people + 1)];
    switch (below(evening, 64)) {
    case 0:
    case 1:
    case 2:
        look(evening, person);
        return;
    case 3:
    case 4:
        ask_of_card(evening, person);
        return;
    case 5:
        try_verb(evening, person);
        return;
    case 6:
        type(evening, person);
        return;
    case 7:
    case 8:
    case 9:
    case 10:
    case 11:
    case 12:
        press(evening);
        return;
    case 13:
        wait(evening);
        return;
    case 14:
        if (below(evening, 2) == 0) {
            die(evening);
        } else {
            disturb(evening);
        }
        return;
    default:
        go_on(evening);
        return;
    }
}

/* An evening. */

static bool runs(const struct evening *evening)
{
    const struct table *const table = table_of(evening);
    return table != NULL && table_state(table) == TABLE_RUNNING;
}

static void open_table(struct evening *evening)
{
    static const char *const SETS[SETS_DIFFER] = {"classic",
                                                  "classic",
                                                  "classic,legends",
                                                  "pathfinder",
                                                  "super",
                                                  "conan,classic",
                                                  "classic,legends,pathfinder,super,conan"};
    static const char *const PACES[PACE_DIFFER] = {"", " pace=slow", " pace=async", " thread=off"};
    char line[STAGE_LINE_SIZE];
    (void)snprintf(line, sizeof line, "new sets=%s%s", SETS[below(evening, SETS_DIFFER)],
                   PACES[below(evening, PACE_DIFFER)]);
    const unsigned seats = SEATS_MIN + below(evening, SEATS_DIFFER);
    evening->people = 1 + below(evening, seats < PEOPLE_MAX ? seats : PEOPLE_MAX);
    say_so(evening, NAMES[0], line, true);
    for (unsigned i = 1; i < evening->people; i++) {
        say_so(evening, NAMES[i], "join", true);
    }
    for (unsigned i = evening->people; i < seats; i++) {
        say_so(evening, NAMES[0], below(evening, 2) == 0 ? "add-bot" : "add-bot ruthless", true);
    }
    for (unsigned i = below(evening, 6); i > 0; i--) {
        if (below(evening, 2) == 0) {
            press(evening);
        } else {
            look(evening, somebody(evening));
        }
    }
    for (unsigned i = 0; i < evening->people && !runs(evening); i++) { // who is the host by now
        say_so(evening, NAMES[i], "start", true);
    }
}

static void play(const struct catalog *catalog, const struct network *network, unsigned number)
{
    struct evening evening = {.network = network};
    chance_fix();
    evening.seed = (((uint64_t)number * NETWORKS + (uint64_t)(network - NETWORK)) << DEED_BITS);
    draw_anew(&evening);
    stage_open_on(&evening.stage, catalog, STAGE_SQLITE);
    fake_can(evening.stage.chat, network->caps);
    stage_again(&evening.stage);
    watch(&evening);
    evening.stage.lines = (unsigned long)number * EVENTS_A_GAME;
    open_table(&evening);
    for (unsigned i = 0; i < STEPS_MAX && runs(&evening); i++) {
        draw_anew(&evening);
        step(&evening);
    }
    for (unsigned i = 0; i < AFTER; i++) {
        draw_anew(&evening);
        if (below(&evening, 3) == 0) {
            press(&evening);
        } else {
            look(&evening, somebody(&evening));
        }
    }
    stage_close(&evening.stage);
}

int main(int argc, char **argv)
{
    const struct network *network = NETWORK;
    const bool whole = argc == 5 && strcmp(argv[4], "--whole") == 0;
    if (argc != (whole ? 5 : 4)) {
        (void)fprintf(stderr, "usage: recorded_games CHAT FIRST LAST [--whole]\n");
        return 2;
    }
    while (network < NETWORK + NETWORKS && strcmp(network->name, argv[1]) != 0) {
        network++;
    }
    if (network == NETWORK + NETWORKS) {
        (void)fprintf(stderr, "recorded_games: there is no chat \"%s\"\n", argv[1]);
        return 2;
    }
    struct catalog *const catalog = given_catalog();
    const unsigned long last = strtoul(argv[3], NULL, 10);
    for (unsigned long number = strtoul(argv[2], NULL, 10); number <= last; number++) {
        uint32_t digests[WRITTEN_TOTAL];
        written_begin(whole ? stdout : NULL);
        play(catalog, network, (unsigned)number);
        written_end(digests);
        (void)printf("%s %lu", network->name, number);
        for (unsigned part = 0; part < WRITTEN_TOTAL; part++) {
            (void)printf(" %08x", digests[part]);
        }
        (void)printf("\n");
        (void)fflush(stdout);
    }
    catalog_destroy(catalog);
    return 0;
}
