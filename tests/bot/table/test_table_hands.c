// Whole games of people who type, at two tables: at one hands are made anew only when the key of
// what they are made of is another, and rows of the card only when theirs is; at the other always,
// and the table is made from its bytes besides. Nobody can tell the two apart. And of all hands
// that a player of a game ever has two with one key say the same.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/seen/moves.h"

#include "bot/chat.h"
#include "bot/parse/parse.h"
#include "bot/policy/policy.h"
#include "bot/render/render.h"
#include "bot/table/controls.h"
#include "bot/table/hand_key.h"
#include "bot/table/table_codec.h"
#include "bot/table/table_state.h"
#include "bot/table/workspace.h"

#include "tests/support/fixture.h"
#include "tests/support/table.h"
#include "tests/support/test.h"

enum {
    ACTS_MAX = 700,
    PEOPLE = 4,
    BOTH = 2,
    LINE_SIZE = 512,
    WAIT_MS = 5000,
    MADE_MAX = 16384, // more than twice ACTS_MAX * PEOPLE * 2
    TEXT_SIZE = 16384
};

static const char *const NAMES[PEOPLE] = {"Ann", "Bob", "Cy", "Dot"};

struct game_case {
    const char *name;
    const char *options;
    uint64_t seed;
    uint32_t caps; // beyond those of every chat with buttons
};

static const struct game_case CASES[] = {
    {"classic", "new sets=classic", 1, 0},
    {"slow", "new sets=classic pace=slow", 2, 0},
    {"shared", "new sets=classic variant=shared", 3, CHAT_CAP_PANEL},
    {"epic", "new sets=classic variant=epic", 4, 0},
    {"async", "new sets=classic pace=async", 5, CHAT_CAP_PANEL},
    {"classic again", "new sets=classic", 6, CHAT_CAP_PANEL},
    {"shared again", "new sets=classic variant=shared", 7, 0},
    {"numbers", "new sets=classic", 8, CHAT_CAP_NUMBERS},
};

/** A table with its outcome. */
struct twin {
    struct table_workspace *ws;
    struct table *table;
    struct table_outcome outcome;
    uint64_t stamp;
    unsigned char bytes[TABLE_BYTES_MAX];
    size_t size;
};

/** What a hand was made of, and a digest of what it says. */
struct made {
    uint64_t key, says;
};

struct hands {
    struct catalog *catalog;
    struct library *library;
    struct twin sides[BOTH];
    struct move_list moves;
    struct mb_rng rng;
    uint32_t caps;
    unsigned long hands, spared; // shown; looked at and not made anew
    struct made made[MADE_MAX];  // of all players, by what they were made of
    unsigned long alike;         // had the key of an earlier one
    char text[TEXT_SIZE];
};

static void set_up(struct hands *f, uint64_t seed, uint32_t caps)
{
    uint8_t key[32];
    memset(f, 0, sizeof *f);
    f->caps = CHAT_CAP_BUTTONS | CHAT_CAP_PRIVATE | CHAT_CAP_EDIT | caps;
    f->catalog = given_catalog();
    f->library = library_create(f->catalog);
    f->moves.items = calloc(MB_MOVES_MAX, sizeof *f->moves.items);
    f->moves.capacity = MB_MOVES_MAX;
    assert_true(f->library != NULL && f->moves.items != NULL);
    for (unsigned i = 0; i < BOTH; i++) {
        struct twin *const side = &f->sides[i];
        side->ws = table_workspace_create(f->library);
        side->table = calloc(1, table_size());
        assert_true(side->ws != NULL && side->table != NULL && table_outcome_init(&side->outcome));
        table_workspace_chat(side->ws, "fake", f->caps);
        table_init(side->table, "t");
        table_add_site(side->table, "fake", "room", "room");
        side->stamp = table_workspace_stamp(side->ws);
    }
    mb_rng_seed_u64(key, seed);
    mb_rng_init(&f->rng, key);
}

static void tear_down(struct hands *f)
{
    for (unsigned i = 0; i < BOTH; i++) {
        table_outcome_finish(&f->sides[i].outcome);
        table_workspace_destroy(f->sides[i].ws);
        free(f->sides[i].table);
    }
    free(f->moves.items);
    library_destroy(f->library);
    catalog_destroy(f->catalog);
    free(f);
}

// Made from its bytes, and with no key of any hand; `made` says what they were.
static void forget(struct twin *side, uint64_t made[MB_SEATS_MAX])
{
    struct mb_error err = {0};
    if (side->size > 0 && !table_decode(side->bytes, side->size, side->ws, side->table, &err)) {
        fail_msg("%s", err.text);
    }
    side->stamp = table_workspace_stamp(side->ws);
    row_memo_empty(&side->ws->rows);
    for (unsigned seat = 0; seat < MB_SEATS_MAX; seat++) {
        made[seat] = side->table->seats[seat].hand_made;
        side->table->seats[seat].hand_made = 0;
    }
}

// Of hands that nobody had to look at.
static void remember(struct twin *side, const uint64_t made[MB_SEATS_MAX])
{
    for (unsigned seat = 0; seat < MB_SEATS_MAX; seat++) {
        struct table_seat *const who = &side->table->seats[seat];
        who->hand_made = who->hand_made != 0 ? who->hand_made : made[seat];
    }
}

static void decide(struct twin *side, const struct deed *deed)
{
    if (table_decide(side->table, side->stamp, deed, side->ws, &side->outcome) == TABLE_CHANGED) {
        table_show(side->ws, &side->outcome);
        struct table *const before = side->table;
        side->table = side->outcome.after;
        side->outcome.after = before;
        side->stamp = side->outcome.stamp;
    }
}

static void compare_controls(const struct message *a, const struct message *b)
{
    assert_int_equal(a->control_count, b->control_count);
    for (size_t i = 0; i < a->control_count; i++) {
        const struct chat_control *const one = &a->controls[i];
        const struct chat_control *const other = &b->controls[i];
        assert_string_equal(one->label, other->label);
        assert_string_equal(one->line, other->line);
        assert_int_equal(one->choice_count, other->choice_count);
        for (size_t j = 0; j < one->choice_count; j++) {
            assert_string_equal(one->choices[j].label, other->choices[j].label);
            assert_string_equal(one->choices[j].line, other->choices[j].line);
            assert_string_equal(one->choices[j].leads, other->choices[j].leads);
        }
    }
}

static void compare(struct hands *f)
{
    const struct message_list *const said = &f->sides[0].outcome.said;
    const struct message_list *const again = &f->sides[1].outcome.said;
    assert_int_equal(said->count, again->count);
    for (size_t i = 0; i < said->count; i++) {
        assert_string_equal(said->items[i].text, again->items[i].text);
        assert_int_equal(said->items[i].to, again->items[i].to);
        assert_int_equal(said->items[i].seat, again->items[i].seat);
        assert_int_equal(said->items[i].version, again->items[i].version);
        assert_int_equal(said->items[i].decision, again->items[i].decision);
        compare_controls(&said->items[i], &again->items[i]);
        f->hands += said->items[i].to == MESSAGE_HAND ? 1 : 0;
    }
    for (unsigned i = 0; i < BOTH; i++) {
        struct twin *const side = &f->sides[i];
        side->size = table_encode(side->table, side->bytes, sizeof side->bytes);
        assert_true(side->size > 0);
    }
    assert_int_equal(f->sides[0].size, f->sides[1].size);
    assert_memory_equal(f->sides[0].bytes, f->sides[1].bytes, f->sides[0].size);
}

/* Keys. */

static uint64_t digest(uint64_t digest, const char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        digest = (digest ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001B3);
    }
    return digest;
}

// The same where there are panels: the page "h".
static uint64_t page_says(struct hands *f, const struct table_words *words)
{
    struct twin *const side = &f->sides[0];
    struct message_list said = {.items = NULL};
    uint64_t says = words->seat;
    const struct table_page hand = {.seat = words->seat, .path = "h", .on_top = ""};
    assert_true(table_panel(side->ws, side->table, side->stamp, &hand, &said));
    const struct message *const page = &said.items[0];
    says = digest(says, page->text, strlen(page->text));
    for (size_t i = 0; i < page->control_count; i++) {
        const struct chat_control *const control = &page->controls[i];
        says = digest(says, control->label, strlen(control->label));
        says = digest(says, control->line, strlen(control->line));
        for (size_t j = 0; j < control->choice_count; j++) {
            const struct chat_choice *const choice = &control->choices[j];
            says = digest(says, choice->label, strlen(choice->label));
            says = digest(says, choice->line, strlen(choice->line));
            says = digest(says, choice->leads, strlen(choice->leads));
        }
    }
    message_list_finish(&said);
    return says;
}

// All that a hand message shows, as the table makes it of its words and moves.
static uint64_t hand_says(struct hands *f, const struct table_words *words,
                          const struct table_work *work)
{
    struct control_list controls;
    if ((f->caps & CHAT_CAP_PANEL) != 0) {
        return page_says(f, words);
    }
    uint64_t says = words->seat;
    const char *const news = work->table->seats[words->seat].news;
    says = digest(says, news, strlen(news));
    says = digest(says, f->text, render_hand_with(words, &work->ws->moves, f->text, TEXT_SIZE));
    says = digest(says, f->text, render_question(words, f->text, TEXT_SIZE));
    controls_begin(&controls);
    if ((f->caps & CHAT_CAP_NUMBERS) != 0) {
        controls_numbered(words, &work->ws->moves, &controls);
    } else {
        controls_private(words, &work->ws->moves, &controls);
    }
    return digest(says, controls.text, controls.used);
}

// Keys of different players are never compared, so the seat goes in.
static struct made *place_of(struct hands *f, uint64_t key)
{
    struct made *at = &f->made[key % MADE_MAX];
    while (at->key != 0 && at->key != key) {
        at = at + 1 < f->made + MADE_MAX ? at + 1 : f->made;
    }
    return at;
}

static struct made hand_made(struct hands *f, const struct table_words *words)
{
    struct twin *const side = &f->sides[0];
    struct move_list *const moves = &side->ws->moves;
    struct table_work work = {
        .table = side->table, .game = table_own_game(side->table), .ws = side->ws};
    work.running = table_running_clock(side->table);
    moves->count = 0;
    moves->overflow = false;
    moves_list_own(words->view, words->box, words->seat, moves);
    const uint64_t key = hand_key_made(&work, words, f->caps & HAND_CAPS);
    return (struct made){.key = key ^ (uint64_t)words->seat << 60,
                         .says = hand_says(f, words, &work)};
}

static void note_hand(struct hands *f, unsigned seat)
{
    const struct twin *const side = &f->sides[0];
    struct table_words words;
    assert_true(table_words(side->table, side->stamp, side->ws, seat, &words));
    const struct made made = hand_made(f, &words);
    struct made *const earlier = place_of(f, made.key);
    if (earlier->key == made.key) {
        assert_int_equal(earlier->says, made.says);
        f->alike++;
    }
    *earlier = made;
}

// And once more as if the others had other names.
static void note_hand_renamed(struct hands *f, unsigned seat)
{
    struct table_seat *const seats = f->sides[0].table->seats;
    for (unsigned i = 0; i < PEOPLE; i++) {
        seats[i].person.name[1] = (char)(seats[i].person.name[1] ^ ('a' ^ 'b'));
    }
    note_hand(f, seat);
    for (unsigned i = 0; i < PEOPLE; i++) {
        seats[i].person.name[1] = (char)(seats[i].person.name[1] ^ ('a' ^ 'b'));
    }
}

static void both(struct hands *f, const struct deed *deed)
{
    uint64_t made[MB_SEATS_MAX];
    struct table_seat before[MB_SEATS_MAX];
    forget(&f->sides[1], made);
    memcpy(before, f->sides[0].table->seats, sizeof before);
    for (unsigned i = 0; i < BOTH; i++) {
        decide(&f->sides[i], deed);
    }
    remember(&f->sides[1], made);
    compare(f);
    for (unsigned seat = 0; seat < MB_SEATS_MAX; seat++) {
        const struct table_seat *const who = &f->sides[0].table->seats[seat];
        const bool looked = who->hand_key != before[seat].hand_key;
        f->spared += looked && who->hand_made == before[seat].hand_made ? 1 : 0;
    }
}

static void say(struct hands *f, unsigned seat, const char *line)
{
    uint8_t chance[TABLE_CHANCE_SIZE];
    mb_rng_seed_u64(chance, 7);
    const struct deed deed = {.kind = DEED_LINE,
                              .person = {.network = "fake", .id = NAMES[seat], .name = NAMES[seat]},
                              .line = line,
                              .chance = chance};
    both(f, &deed);
}

static bool table_is_running(const struct hands *f)
{
    return table_state(f->sides[0].table) == TABLE_RUNNING;
}

// A random legal command of a seat, as a line.
static bool say_a_move(struct hands *f, unsigned seat)
{
    struct twin *const side = &f->sides[0];
    struct table_words words;
    struct command command;
    char line[LINE_SIZE];
    assert_true(table_words(side->table, side->stamp, side->ws, seat, &words));
    f->moves.count = 0;
    f->moves.overflow = false;
    moves_list(words.view, words.box, seat, &f->moves);
    const struct policy_input input = {
        .view = words.view, .box = words.box, .moves = &f->moves, .seat = seat, .rng = &f->rng};
    if (f->moves.count == 0 || !POLICY_RANDOM.choose(&input, &command)) {
        return false;
    }
    (void)parse_format(&words, &command, line, sizeof line);
    say(f, seat, line);
    return true;
}

static void act(struct hands *f)
{
    const struct table_due due = table_due(f->sides[0].table);
    const unsigned seat = mb_rng_below(&f->rng, PEOPLE);
    const bool asked = (due.seats & seat_bit(seat)) != 0;
    if (mb_rng_below(&f->rng, 40) == 0) {
        say(f, seat, "undo");
    } else if ((!asked && mb_rng_below(&f->rng, 6) != 0) || !say_a_move(f, seat)) {
        const bool waits = due.kind != TABLE_DUE_NEVER && due.seats == 0;
        const struct deed deed = {.kind = DEED_TIME, .passed_ms = waits ? due.ms : WAIT_MS};
        both(f, &deed);
    }
}

static void hands_say_what_they_would_say_made_anew(void **state)
{
    const struct game_case *const c = *state;
    struct hands *const f = malloc(sizeof *f);
    uint8_t chance[TABLE_CHANCE_SIZE];
    assert_non_null(f);
    mb_rng_seed_u64(chance, 7);
    set_up(f, c->seed, c->caps);
    say(f, 0, c->options);
    for (unsigned i = 1; i < PEOPLE; i++) {
        say(f, i, "join");
    }
    say(f, 0, "start");
    both(f, &(struct deed){.kind = DEED_DEAL, .delivered = "m1", .chance = chance});
    for (unsigned i = 0; i < ACTS_MAX && table_is_running(f); i++) {
        act(f);
        for (unsigned seat = 0; seat < PEOPLE && table_is_running(f); seat++) {
            note_hand(f, seat);
            note_hand_renamed(f, seat);
        }
    }
    assert_true(f->alike > PEOPLE);
    assert_true(f->hands > PEOPLE && f->spared > PEOPLE);
    tear_down(f);
}

// Ann has a two-handed Item in her hand, and before her one that she carries, or uses.
static struct made hand_beside(struct hands *f, unsigned flags)
{
    struct fixture arranged;
    memset(&arranged, 0, sizeof arranged);
    fixture_open(&arranged, NULL);
    (void)fixture_card(&arranged, "Bagpipes of Area Denial", pile_hand(FIXTURE_ANN), 0);
    (void)fixture_card(&arranged, "Sword of the Previous Owner", pile_table(FIXTURE_ANN), flags);
    fixture_begin(&arranged);
    const struct table_words words = fixture_words(&arranged, FIXTURE_ANN);
    const struct made made = hand_made(f, &words);
    fixture_close(&arranged);
    return made;
}

static void what_makes_an_item_idle_is_in_the_key(void **state)
{
    struct hands *const f = malloc(sizeof *f);
    assert_non_null(f);
    (void)state;
    set_up(f, 1, 0);
    const struct made carried = hand_beside(f, 0);
    const struct made used = hand_beside(f, CARD_EQUIPPED);
    assert_int_equal(hand_beside(f, 0).key, carried.key);
    assert_int_not_equal(used.says, carried.says);
    assert_int_not_equal(used.key, carried.key);
    tear_down(f);
}

static uint64_t moment_of(struct hands *f, const struct fixture *arranged, unsigned seat)
{
    struct twin *const side = &f->sides[0];
    struct table_work work = {.table = side->table,
                              .game = table_own_game(side->table),
                              .box = &arranged->box,
                              .ws = side->ws};
    game_copy(table_own_game(side->table), arranged->game);
    side->table->state = TABLE_RUNNING;
    work.running = table_running_clock(side->table);
    return hand_key_moment(&work, seat);
}

// Whether to discard, and then which card: nothing but the question is another.
static void a_second_question_is_another_moment(void **state)
{
    struct hands *const f = malloc(sizeof *f);
    struct fixture arranged;
    struct refusal why;
    assert_non_null(f);
    (void)state;
    set_up(f, 1, 0);
    memset(&arranged, 0, sizeof arranged);
    fixture_open(&arranged, NULL);
    fixture_next(&arranged, PILE_DOOR_DECK, "Pigeon of Ill Omen");
    (void)fixture_card(&arranged, "Bagpipes of Area Denial", pile_hand(FIXTURE_ANN), 0);
    (void)fixture_card(&arranged, "Flaming Armor", pile_hand(FIXTURE_ANN), 0);
    fixture_begin(&arranged);
    assert_true(fixture_do(&arranged, FIXTURE_ANN, "kick", &why));
    const uint64_t whether = moment_of(f, &arranged, FIXTURE_ANN);
    const uint64_t others = moment_of(f, &arranged, FIXTURE_BOB);
    assert_true(fixture_do(&arranged, FIXTURE_ANN, "choose yes", &why));
    assert_int_not_equal(moment_of(f, &arranged, FIXTURE_ANN), whether);
    assert_int_equal(moment_of(f, &arranged, FIXTURE_BOB), others);
    fixture_close(&arranged);
    tear_down(f);
}

int main(void)
{
    enum { CASE_COUNT = sizeof CASES / sizeof CASES[0] };
    struct CMUnitTest tests[CASE_COUNT + 2];
    for (size_t i = 0; i < CASE_COUNT; i++) {
        tests[i] = (struct CMUnitTest){.name = CASES[i].name,
                                       .test_func = hands_say_what_they_would_say_made_anew,
                                       .initial_state = (void *)(uintptr_t)&CASES[i]};
    }
    tests[CASE_COUNT] = (struct CMUnitTest)cmocka_unit_test(what_makes_an_item_idle_is_in_the_key);
    tests[CASE_COUNT + 1] =
        (struct CMUnitTest)cmocka_unit_test(a_second_question_is_another_moment);
    return cmocka_run_group_tests_name("table_hands", tests, NULL, NULL);
}
