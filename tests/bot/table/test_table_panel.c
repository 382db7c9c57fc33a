// Whole games of people who do nothing but press. In each state all pages of somebody's panel are
// walked: every legal move is reached, and no line says anything but a legal one. What was never
// offered, or for another page, is never carried out.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/seen/moves.h"

#include "bot/chat.h"
#include "bot/parse/parse.h"
#include "bot/render/asks.h"
#include "bot/table/value/value.h"
#include "bot/table/workspace.h"

#include "tests/support/fixture.h"
#include "tests/support/see.h"
#include "tests/support/table.h"
#include "tests/support/test.h"

enum {
    PEOPLE = 4,
    PAGES_MAX = 2048,
    LINES_MAX = 4096,
    WAIT_MS = 5000,
    ROW = 5,
    ROWS = 3,
    SHORT = 38
};

static const char *const NAMES[PEOPLE] = {"Ann", "Bob", "Cy", "Dot"};

struct game_case {
    const char *name, *options;
    uint64_t seed;
    unsigned acts;
};

static const struct game_case CASES[] = {
    {"classic", "new sets=classic", 1, 260},
    {"legends", "new sets=legends", 2, 260},
    {"classic shared", "new sets=classic variant=shared", 3, 260},
    {"legends again", "new sets=legends", 4, 260},
    {"mixed", "new sets=classic,legends", 5, 260},
    {"mixed again", "new sets=legends,classic", 6, 260},
};

struct pages {
    struct catalog *catalog;
    struct library *library;
    struct table_workspace *ws;
    struct table *table;
    struct table_outcome outcome;
    uint64_t stamp;
    struct mb_rng rng;
    struct move_list moves;
    bool *reached; // of each move
    unsigned page_count, line_count;
    unsigned long walked, lists, deepest; // in all
    char paths[PAGES_MAX][CHAT_PATH_SIZE];
    char lines[LINES_MAX][CHAT_LINE_SIZE]; // that get the game on
};

static void set_up(struct pages *p, uint64_t seed)
{
    uint8_t key[32];
    p->catalog = given_catalog();
    p->library = library_create(p->catalog);
    p->ws = table_workspace_create(p->library);
    p->table = calloc(1, table_size());
    p->moves.items = calloc(MB_MOVES_MAX, sizeof *p->moves.items);
    p->moves.capacity = MB_MOVES_MAX;
    p->reached = calloc(MB_MOVES_MAX, sizeof *p->reached);
    assert_true(p->table != NULL && p->moves.items != NULL && p->reached != NULL);
    table_outcome_init(&p->outcome);
    table_workspace_chat(p->ws, "fake", CHAT_CAP_BUTTONS | CHAT_CAP_PRIVATE | CHAT_CAP_EDIT);
    table_init(p->table, "t");
    table_add_site(p->table, "fake", "room", "room");
    p->stamp = table_workspace_stamp(p->ws);
    mb_rng_seed_u64(key, seed);
    mb_rng_init(&p->rng, key);
}

static void tear_down(struct pages *p)
{
    table_outcome_finish(&p->outcome);
    table_workspace_destroy(p->ws);
    library_destroy(p->library);
    catalog_destroy(p->catalog);
    free(p->table);
    free(p->moves.items);
    free(p->reached);
    free(p);
}

static void decide(struct pages *p, const struct deed *deed)
{
    if (table_decide(p->table, p->stamp, deed, p->ws, &p->outcome) == TABLE_CHANGED) {
        table_show(p->ws, &p->outcome);
        struct table *const before = p->table;
        p->table = p->outcome.after;
        p->outcome.after = before;
        p->stamp = p->outcome.stamp;
    }
}

static void say(struct pages *p, unsigned seat, const char *line)
{
    uint8_t chance[TABLE_CHANCE_SIZE];
    mb_rng_seed_u64(chance, 7);
    const struct deed deed = {.kind = DEED_LINE,
                              .person = {.network = "fake", .id = NAMES[seat], .name = NAMES[seat]},
                              .line = line,
                              .chance = chance};
    decide(p, &deed);
}

/* Walking. */

static void go_to(struct pages *p, const char *path)
{
    for (unsigned i = 0; i < p->page_count; i++) {
        if (strcmp(p->paths[i], path) == 0) {
            return;
        }
    }
    assert_true(p->page_count < PAGES_MAX);
    assert_true(strlen(path) < CHAT_PATH_SIZE);
    p->deepest = strlen(path) > p->deepest ? strlen(path) : p->deepest;
    memcpy(p->paths[p->page_count++], path, strlen(path) + 1);
}

// A line that a control says is a legal move, or one about the table.
static void note_line(struct pages *p, unsigned seat, const char *line, bool sure)
{
    struct table_words words;
    struct request request = {0};
    struct parse_error error = {0};
    bool known = false;
    assert_true(table_words(p->table, p->stamp, p->ws, seat, &words));
    if (!parse_request(&words, line, &request, &error)) {
        fail_msg("nobody can say \"%s\"", line);
    }
    if (request.kind != REQUEST_GAME) {
        return;
    }
    request.command.seat = (uint8_t)seat;
    for (uint32_t i = 0; i < p->moves.count; i++) {
        const bool same = move_matches(&p->moves.items[i], &request.command);
        p->reached[i] = p->reached[i] || same;
        known = known || same;
    }
    struct refusal why = {.code = REFUSAL_NONE};
    if (!game_check(words.view, words.box, &request.command, &why)) {
        if (sure) {
            fail_msg("\"%s\" is refused", line);
        }
        return;
    }
    if (!known) {
        fail_msg("\"%s\" is none of the moves", line);
    }
    assert_true(p->line_count < LINES_MAX);
    memcpy(p->lines[p->line_count++], line, strlen(line) + 1);
}

static void press_as(struct pages *p, const struct table_press *press, bool sure)
{
    char path[CHAT_PATH_SIZE];
    char line[CHAT_LINE_SIZE];
    switch (table_press(p->ws, p->table, p->stamp, press, path, line)) {
    case PRESSED_PAGE:
        go_to(p, path);
        break;
    case PRESSED_LINE:
        note_line(p, press->seat, line, sure);
        break;
    case PRESSED_STALE:
    case PRESSED_UNKNOWN:
        fail_msg("control %u of page \"%s\" does nothing", press->number, press->path);
    }
}

static struct table_press press_of(unsigned seat, const struct message *page, unsigned number)
{
    return (struct table_press){
        .seat = seat, .path = page->path, .version = page->version, .number = number};
}

// Each choice by itself; of several as many as may be, and as few.
static void pick(struct pages *p, unsigned seat, const struct message *page, unsigned number)
{
    const struct chat_control *const menu = &page->controls[number - 1];
    struct table_press press = press_of(seat, page, number);
    uint8_t picks[CHAT_CHOICES_MAX];
    assert_in_range(menu->choice_count, 1, CHAT_CHOICES_MAX);
    assert_true(menu->min >= 1 && menu->min <= menu->max && menu->max <= menu->choice_count);
    for (unsigned i = 0; i < CHAT_CHOICES_MAX; i++) {
        picks[i] = (uint8_t)(i + 1);
    }
    if (menu->max > 1) {
        p->lists++;
        press.picks = picks;
        press.pick_count = menu->max;
        press_as(p, &press, false);
        press.pick_count = menu->min;
        press_as(p, &press, false);
        return;
    }
    for (size_t i = 0; i < menu->choice_count; i++) {
        const bool bare = strlen(page->path) == 1 && menu->choices[i].line[0] != '\0';
        press.picks = &picks[i];
        press.pick_count = 1;
        press_as(p, &press, bare);
    }
}

// What nobody offered does nothing: numbers beyond, choices beyond, twice the same, too few.
static void press_badly(struct pages *p, unsigned seat, const struct message *page, unsigned number)
{
    static const uint8_t TWICE[] = {1, 1};
    static const uint8_t BEYOND[] = {CHAT_CHOICES_MAX + 1};
    const bool menu = number <= page->control_count && page->controls[number - 1].kind == CHAT_MENU;
    const struct table_press good = press_of(seat, page, number);
    struct table_press bad[11];
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        bad[i] = good;
    }
    bad[0].version ^= 2u;
    bad[1].number = (unsigned)page->control_count + 1;
    bad[2].number = 0;
    bad[3].picks = TWICE;
    bad[3].pick_count = 2;
    bad[4].picks = BEYOND;
    bad[4].pick_count = 1;
    bad[5].path = "a__";
    bad[6].path = "x";
    bad[7].path = "~";
    bad[8].path = "";
    bad[9].path = "aAA~____";
    // the last: nothing picked, which a button does not mind
    char path[CHAT_PATH_SIZE];
    char line[CHAT_LINE_SIZE];
    for (size_t i = 0; i + (menu ? 0 : 1) < sizeof bad / sizeof bad[0]; i++) {
        const enum table_pressed comes =
            table_press(p->ws, p->table, p->stamp, &bad[i], path, line);
        assert_true(comes == PRESSED_STALE || comes == PRESSED_UNKNOWN);
    }
}

static bool show(struct pages *p, unsigned seat, const char *path, struct message_list *said)
{
    const struct table_page page = {.seat = seat, .path = path, .on_top = ""};
    return table_panel(p->ws, p->table, p->stamp, &page, said);
}

static void walk_page(struct pages *p, unsigned seat, unsigned at)
{
    struct message_list said = {.items = NULL};
    unsigned buttons = 0;
    unsigned menus = 0;
    assert_true(show(p, seat, p->paths[at], &said));
    const struct message *const page = &said.items[0];
    assert_string_equal(page->path, p->paths[at]); // it was offered
    assert_true(page->control_count > 0 && page->text[0] != '\0');
    for (unsigned i = 1; i <= page->control_count; i++) {
        const struct chat_control *const control = &page->controls[i - 1];
        if (control->kind == CHAT_MENU) {
            menus++;
            pick(p, seat, page, i);
            continue;
        }
        buttons++;
        assert_in_range(strlen(control->label), 1, SHORT);
        if (control->kind == CHAT_BUTTON) {
            const struct table_press press = press_of(seat, page, i);
            press_as(p, &press, false);
        }
    }
    assert_true(menus <= 1 && buttons <= ROWS * ROW);
    press_badly(p, seat, page, 1);
    message_list_finish(&said);
    p->walked++;
}

// Of two cards of one name either line means one of them, which are alike.
static bool is_said(const struct pages *p, const char *line)
{
    unsigned i = 0;
    while (i < p->line_count && strcmp(p->lines[i], line) != 0) {
        i++;
    }
    return i < p->line_count;
}

static void walk(struct pages *p, unsigned seat)
{
    struct table_words words;
    assert_true(table_words(p->table, p->stamp, p->ws, seat, &words));
    p->moves.count = 0;
    moves_list(words.view, words.box, seat, &p->moves);
    memset(p->reached, 0, MB_MOVES_MAX * sizeof *p->reached);
    p->page_count = 0;
    p->line_count = 0;
    go_to(p, "a");
    for (unsigned i = 0; i < p->page_count; i++) {
        walk_page(p, seat, i);
    }
    for (uint32_t i = 0; i < p->moves.count; i++) {
        assert_true(table_words(p->table, p->stamp, p->ws, seat, &words));
        const bool pass = p->moves.items[i].command.verb == VERB_PASS;
        const unsigned asked = pass ? asks_seats(&see(&words, SAYS_NOTHING)->asks) : 0;
        const bool idle = pass && (asks_passed(&words) || (asked & seat_bit(seat)) == 0);
        char line[CHAT_LINE_SIZE];
        (void)parse_format(&words, &p->moves.items[i].command, line, sizeof line);
        if (!p->reached[i] && !idle && !is_said(p, line)) {
            fail_msg("no page says \"%s\"", line);
        }
    }
}

static void act(struct pages *p)
{
    const struct table_due due = table_due(p->table);
    unsigned seat = mb_rng_below(&p->rng, PEOPLE);
    for (unsigned i = 0; i < PEOPLE && (due.seats & seat_bit(seat)) == 0; i++) {
        seat = (seat + 1) % PEOPLE;
    }
    walk(p, seat);
    if (p->line_count == 0 || mb_rng_below(&p->rng, 8) == 0) {
        const bool waits = due.kind != TABLE_DUE_NEVER && due.seats == 0;
        const struct deed deed = {.kind = DEED_TIME, .passed_ms = waits ? due.ms : WAIT_MS};
        decide(p, &deed);
        return;
    }
    char line[CHAT_LINE_SIZE];
    const unsigned at = mb_rng_below(&p->rng, p->line_count);
    memcpy(line, p->lines[at], sizeof line);
    say(p, seat, line);
}

static void deal(struct pages *p)
{
    uint8_t chance[TABLE_CHANCE_SIZE];
    mb_rng_seed_u64(chance, 7);
    decide(p, &(struct deed){.kind = DEED_DEAL, .delivered = "m1", .chance = chance});
    assert_int_equal(table_state(p->table), TABLE_RUNNING);
}

static void begin(struct pages *p, const char *options)
{
    say(p, 0, options);
    for (unsigned i = 1; i < PEOPLE; i++) {
        say(p, i, "join");
    }
    say(p, 0, "start");
    deal(p);
}

static void every_move_is_reached_by_pressing(void **state)
{
    const struct game_case *const c = *state;
    struct pages *const p = calloc(1, sizeof *p);
    assert_non_null(p);
    set_up(p, c->seed);
    begin(p, c->options);
    for (unsigned i = 0; i < c->acts && table_state(p->table) == TABLE_RUNNING; i++) {
        act(p);
    }
    assert_true(p->walked > c->acts && p->lists > 0 && p->deepest > 2);
    tear_down(p);
}

static bool offers_a_seat(struct pages *p)
{
    struct message_list said = {.items = NULL};
    bool offers = false;
    assert_true(show(p, NO_SEAT, "h", &said));
    for (size_t i = 0; i < said.items[0].control_count; i++) {
        offers = offers || strcmp(said.items[0].controls[i].line, "join") == 0;
    }
    message_list_finish(&said);
    return offers;
}

// Who has no seat is offered one where one is free, and nothing that is anybody's.
static void an_onlooker_sees_no_hand(void **state)
{
    struct message_list said = {.items = NULL};
    struct message_list once_more = {.items = NULL};
    struct pages *const p = calloc(1, sizeof *p);
    (void)state;
    assert_non_null(p);
    set_up(p, 1);
    say(p, 0, "new sets=classic players=3");
    say(p, 1, "join");
    assert_true(offers_a_seat(p));
    say(p, 2, "join");
    assert_false(offers_a_seat(p));
    say(p, 2, "leave");
    say(p, 0, "add-bot");
    say(p, 0, "start");
    deal(p);
    assert_true(offers_a_seat(p)); // instead of the bot player
    say(p, 2, "join");
    assert_false(offers_a_seat(p));
    assert_true(show(p, NO_SEAT, "h", &said));
    assert_true(show(p, NO_SEAT, "cAA", &once_more));
    assert_string_equal(said.items[0].text, once_more.items[0].text);
    message_list_finish(&once_more);
    message_list_finish(&said);
    tear_down(p);
}

// The page behind "Table" says who has what, to players and onlookers; cards of hands to nobody.
static void all_see_who_has_what(void **state)
{
    struct pages *const p = calloc(1, sizeof *p);
    (void)state;
    assert_non_null(p);
    set_up(p, 1);
    begin(p, "new sets=classic");
    for (unsigned i = 0; i < 120; i++) {
        act(p);
    }
    static const unsigned SEATS[] = {0, NO_SEAT};
    for (size_t i = 0; i < sizeof SEATS / sizeof SEATS[0]; i++) {
        struct message_list said = {.items = NULL};
        assert_true(show(p, SEATS[i], "s", &said));
        for (unsigned seat = 0; seat < PEOPLE; seat++) {
            assert_non_null(strstr(said.items[0].text, NAMES[seat]));
        }
        assert_non_null(strstr(said.items[0].text, "uses "));
        assert_null(strstr(said.items[0].text, "Your hand"));
        message_list_finish(&said);
    }
    // What ends something stands apart from what only shows something; each says what it is.
    struct message_list more = {.items = NULL};
    assert_true(show(p, 0, "t", &more));
    const struct chat_control *const menu = &more.items[0].controls[0];
    unsigned dangers = 0;
    assert_int_equal(menu->kind, CHAT_MENU);
    for (size_t i = 0; i < menu->choice_count; i++) {
        assert_true(menu->choices[i].hint[0] != '\0' && menu->choices[i].leads[0] == '\0');
    }
    for (size_t i = 0; i < more.items[0].control_count; i++) {
        dangers += more.items[0].controls[i].tone == CHAT_DANGER ? 1 : 0;
    }
    assert_int_equal(dangers, 2); // leave, end; forgetting a person is no matter of this table
    message_list_finish(&more);
    tear_down(p);
}

// Ann is a Dwarf with an Item, holds those cards (as many as there are), and has gone as many steps
// of her turn; that lies behind her door.
static void arrange(struct pages *p, struct fixture *arranged, const char *const *hand,
                    const char *door, unsigned steps)
{
    static const char *const STEPS[] = {"kick", "loot", "done"};
    struct refusal why;
    memset(arranged, 0, sizeof *arranged);
    fixture_open(arranged, NULL);
    (void)fixture_card(arranged, "Dwarf", pile_table(FIXTURE_ANN), 0);
    (void)fixture_card(arranged, "Pocket Lawyer", pile_table(FIXTURE_ANN), CARD_EQUIPPED);
    (void)fixture_card(arranged, "Flaming Armor", pile_table(FIXTURE_BOB), 0);
    for (size_t i = 0; hand[i] != NULL; i++) {
        (void)fixture_card(arranged, hand[i], pile_hand(FIXTURE_ANN), 0);
    }
    fixture_next(arranged, PILE_DOOR_DECK, door);
    fixture_begin(arranged);
    for (unsigned i = 0; i < steps; i++) {
        assert_true(fixture_do(arranged, FIXTURE_ANN, STEPS[i], &why));
    }
    p->ws->arranged = &arranged->box;
    p->ws->arranged_catalog = arranged->catalog;
    p->table->profile = arranged->box.profile;
    game_copy(table_own_game(p->table), arranged->game);
    p->table->seat_count = FIXTURE_SEATS;
    for (unsigned i = 0; i < FIXTURE_SEATS; i++) {
        struct table_person *const person = &p->table->seats[i].person;
        (void)snprintf(person->network, sizeof person->network, "fake");
        (void)snprintf(person->id, sizeof person->id, "%s", NAMES[i]);
        (void)snprintf(person->name, sizeof person->name, "%s", NAMES[i]);
    }
    p->table->state = TABLE_RUNNING;
    p->stamp = table_workspace_stamp(p->ws);
}

// The choice of a page with that label; NULL: none.
static const struct chat_choice *choice_of(const struct message_list *said, const char *label)
{
    for (size_t i = 0; i < said->items[0].control_count; i++) {
        const struct chat_control *const control = &said->items[0].controls[i];
        for (size_t j = 0; j < control->choice_count; j++) {
            if (strcmp(control->choices[j].label, label) == 0) {
                return &control->choices[j];
            }
        }
    }
    return NULL;
}

// All that is offered to Ann, with that hand and after as many steps of her turn.
static void offer(struct pages **out, struct fixture *arranged, const char *const *hand,
                  unsigned steps, struct message_list *said)
{
    struct pages *const p = calloc(1, sizeof *p);
    assert_non_null(p);
    set_up(p, 1);
    arrange(p, arranged, hand, "Elf", steps);
    assert_true(show(p, FIXTURE_ANN, "a", said));
    *out = p;
}

static void offered(struct pages *p, struct fixture *arranged, struct message_list *said)
{
    message_list_finish(said);
    p->ws->arranged = NULL;
    fixture_close(arranged);
    tear_down(p);
}

// Two more than Ann may keep.
static const char *const SIX[] = {
    "Dwarf",           "Net Troll", "Magic Missile", "Vegan Werewolf", "Thirty Angry Geese",
    "Staff of Napalm", NULL};

static void what_goes_from_hand_and_from_play_is_told_apart(void **state)
{
    struct fixture arranged;
    struct message_list said = {.items = NULL};
    struct pages *p = NULL;
    (void)state;
    offer(&p, &arranged, SIX, 3, &said);
    assert_non_null(choice_of(&said, "discard 1 card in play"));
    assert_non_null(choice_of(&said, "discard 1 to 2 cards in hand"));
    offered(p, &arranged, &said);
}

// Where they go to one player, or nowhere, the hand itself has the menu.
static void cards_too_many_go_by_one_press(void **state)
{
    struct fixture arranged;
    struct message_list said = {.items = NULL};
    struct pages *p = NULL;
    char path[CHAT_PATH_SIZE];
    char line[CHAT_LINE_SIZE];
    (void)state;
    offer(&p, &arranged, SIX, 3, &said);
    message_list_finish(&said);
    assert_true(show(p, FIXTURE_ANN, "h", &said));
    const struct message *const page = &said.items[0];
    unsigned menu = 0;
    while (page->controls[menu].kind != CHAT_MENU) {
        menu++;
    }
    assert_int_equal(page->controls[menu].max, 2);
    assert_string_equal(page->controls[menu + 1].leads, "a");
    static const uint8_t PICKS[] = {1, 3};
    struct table_press press = press_of(FIXTURE_ANN, page, menu + 1);
    press.picks = PICKS;
    press.pick_count = 2;
    assert_int_equal(table_press(p->ws, p->table, p->stamp, &press, path, line), PRESSED_LINE);
    assert_string_equal(line, "discard Dwarf, Magic Missile");
    offered(p, &arranged, &said);
}

static void what_helps_is_for_oneself_first_and_what_harms_for_others(void **state)
{
    static const char *const HAND[] = {"Go Up a Level", "Performance Review", NULL};
    struct fixture arranged;
    struct message_list said = {.items = NULL};
    struct pages *p = NULL;
    (void)state;
    offer(&p, &arranged, HAND, 0, &said);
    assert_true(choice_of(&said, "play Go Up a Level on Ann") <
                choice_of(&said, "play Go Up a Level on Bob"));
    assert_true(choice_of(&said, "play Performance Review on Ann") >
                choice_of(&said, "play Performance Review on Cy"));
    offered(p, &arranged, &said);
}

static void help_is_asked_for_in_one_press_and_cards_are_offered_behind_another(void **state)
{
    static const char *const HAND[] = {"Staff of Napalm", NULL};
    struct fixture arranged;
    struct message_list said = {.items = NULL};
    struct refusal why;
    struct pages *const p = calloc(1, sizeof *p);
    (void)state;
    assert_non_null(p);
    set_up(p, 1);
    arrange(p, &arranged, HAND, "Ogre Book Club", 1);
    // Cy has another offer to answer.
    assert_true(fixture_do(&arranged, FIXTURE_BOB, "give Flaming Armor to Cy", &why));
    game_copy(table_own_game(p->table), arranged.game);
    assert_true(show(p, FIXTURE_ANN, "d", &said));
    assert_string_equal(choice_of(&said, "Ask Cy, 1 Treasure (4 to 8)")->line,
                        "ask Cy offering 1 treasure");
    assert_string_equal(choice_of(&said, "Ask everybody, for free")->line, "ask all");
    message_list_clear(&said);
    assert_true(show(p, FIXTURE_ANN, "i", &said));
    assert_string_equal(choice_of(&said, "Ask Bob, for free (4 to 8), and cards")->line,
                        ""); // it leads on
    offered(p, &arranged, &said);
}

// Bob has passed in Ann's win window, and she plays a Curse on him: that is another question.
static void who_has_passed_in_a_window_can_pass_in_an_answer_moment(void **state)
{
    static const char *const HAND[] = {"Jealous Blacksmith", NULL};
    struct fixture arranged;
    struct message_list said = {.items = NULL};
    struct refusal why;
    bool passes = false;
    struct pages *const p = calloc(1, sizeof *p);
    (void)state;
    assert_non_null(p);
    set_up(p, 1);
    arrange(p, &arranged, HAND, "Kobold Intern", 1);
    assert_true(fixture_do(&arranged, FIXTURE_BOB, "pass", &why));
    assert_true(fixture_do(&arranged, FIXTURE_ANN, "play Jealous Blacksmith on Bob", &why));
    assert_int_not_equal(query_pause(arranged.game, PAUSE_WIN).kind, PAUSE_NONE);
    assert_int_not_equal(query_pause(arranged.game, PAUSE_ANSWER).kind, PAUSE_NONE);
    game_copy(table_own_game(p->table), arranged.game);
    assert_true(show(p, FIXTURE_BOB, "a", &said));
    for (size_t i = 0; i < said.items[0].control_count; i++) {
        passes = passes || strcmp(said.items[0].controls[i].line, "pass") == 0;
    }
    assert_true(passes);
    offered(p, &arranged, &said);
}

static void a_choice_says_what_its_card_does(void **state)
{
    static const char *const HAND[] = {"Staff of Napalm", "Performance Review", NULL};
    struct fixture arranged;
    struct message_list said = {.items = NULL};
    struct pages *p = NULL;
    (void)state;
    offer(&p, &arranged, HAND, 0, &said);
    assert_string_equal(choice_of(&said, "play Performance Review on Bob")->hint, "Lose 1 Level.");
    assert_string_equal(choice_of(&said, "lay Staff of Napalm")->hint,
                        "Put before you, not used: to trade, to sell, or to use later.");
    offered(p, &arranged, &said);
}

int main(void)
{
    enum { CASE_COUNT = sizeof CASES / sizeof CASES[0] };
    struct CMUnitTest tests[CASE_COUNT + 8];
    for (size_t i = 0; i < CASE_COUNT; i++) {
        tests[i] = (struct CMUnitTest){.name = CASES[i].name,
                                       .test_func = every_move_is_reached_by_pressing,
                                       .initial_state = (void *)(uintptr_t)&CASES[i]};
    }
    tests[CASE_COUNT] = (struct CMUnitTest)cmocka_unit_test(an_onlooker_sees_no_hand);
    tests[CASE_COUNT + 1] =
        (struct CMUnitTest)cmocka_unit_test(what_goes_from_hand_and_from_play_is_told_apart);
    tests[CASE_COUNT + 2] = (struct CMUnitTest)cmocka_unit_test(
        what_helps_is_for_oneself_first_and_what_harms_for_others);
    tests[CASE_COUNT + 3] = (struct CMUnitTest)cmocka_unit_test(a_choice_says_what_its_card_does);
    tests[CASE_COUNT + 4] = (struct CMUnitTest)cmocka_unit_test(
        help_is_asked_for_in_one_press_and_cards_are_offered_behind_another);
    tests[CASE_COUNT + 5] = (struct CMUnitTest)cmocka_unit_test(
        who_has_passed_in_a_window_can_pass_in_an_answer_moment);
    tests[CASE_COUNT + 7] = (struct CMUnitTest)cmocka_unit_test(all_see_who_has_what);
    tests[CASE_COUNT + 6] = (struct CMUnitTest)cmocka_unit_test(cards_too_many_go_by_one_press);
    return cmocka_run_group_tests_name("table_panel", tests, NULL, NULL);
}
