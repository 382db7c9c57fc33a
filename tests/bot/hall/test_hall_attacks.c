// What people did to cheat others or to spoil a table, line by line through a hall.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/loop/arrange.h"
#include "core/loop/query.h"

#include "bot/hall/hall_limits.h"
#include "bot/hall/live/live.h"

#include "tests/bot/hall/attacks.h"
#include "tests/support/chance.h"
#include "tests/support/says.h"
#include "tests/support/stage.h"
#include "tests/support/table.h"
#include "tests/support/test.h"

enum { ANN, BOB, CY, SECOND_MS = 1000, MINUTE_MS = 60 * SECOND_MS, OFFERS = 30, WINS_AT = 9 };

static const char PLACE[] = "tavern";

struct attack {
    struct catalog *catalog;
    struct stage stage[2]; // the second one only where something secret differs
    bool twins;
};

struct store *(*attacks_make[2])(void);

static void open_at(struct attack *attack, unsigned side)
{
    chance_fix();
    if (attacks_make[side] != NULL) {
        stage_open_made(&attack->stage[side], attack->catalog, attacks_make[side]);
    } else {
        stage_open(&attack->stage[side], attack->catalog);
    }
}

static int set_up(void **state)
{
    static struct attack attack;
    attack = (struct attack){.catalog = given_catalog()};
    open_at(&attack, 0);
    *state = &attack;
    return 0;
}

static int set_up_twins(void **state)
{
    (void)set_up(state);
    struct attack *const attack = *state;
    open_at(attack, 1);
    attack->twins = true;
    return 0;
}

static int tear_down(void **state)
{
    struct attack *const attack = *state;
    stage_close(&attack->stage[0]);
    if (attack->twins) {
        stage_close(&attack->stage[1]);
    }
    catalog_destroy(attack->catalog);
    return 0;
}

static const struct game *game_of(const struct stage *stage)
{
    return table_game(stage_table(stage, PLACE));
}

static uint64_t digest(const struct stage *stage)
{
    return game_digest(game_of(stage));
}

/* A table where Cy is about to kick, one blow from victory; Bob has something to give away. */

static uint16_t card_of(const struct game *game, const struct box *box,
                        const struct catalog *catalog, const char *name)
{
    for (uint16_t def = 0; def < box->def_count; def++) {
        if (strcmp(catalog_name(catalog, def), name) == 0) {
            return arrange_find(game, box, def);
        }
    }
    fail_msg("no card %s", name);
    return NO_CARD;
}

static void before_the_door(struct game *game, const struct box *box, void *user)
{
    const struct catalog *const catalog = user;
    const uint8_t seed[32] = {1};
    const unsigned seats = query_seat_count(game);
    arrange_begin(game, box, seats, seed);
    for (unsigned seat = 0; seat < seats; seat++) {
        arrange_seat(game, seat, seat == CY ? WINS_AT : 3, false, false, true);
    }
    const uint16_t golem = card_of(game, box, catalog, "Haystack Golem");
    arrange_top(game, PILE_DOOR_DECK, &golem, 1);
    arrange_card(game, card_of(game, box, catalog, "Shield of Plausible Deniability"),
                 pile_table(CY), CARD_EQUIPPED, NO_CARD);
    arrange_card(game, card_of(game, box, catalog, "Stick That Was a Snake"), pile_table(BOB),
                 CARD_FRESH, NO_CARD);
    assert_true(arrange_finish(game, box, CY, PHASE_START, NULL));
}

static void arrange(struct stage *stage, const struct catalog *catalog, unsigned people)
{
    stage_start(stage, PLACE, people, 0);
    stage_arrange(stage, PLACE, before_the_door, (void *)(uintptr_t)catalog);
    assert_int_equal(query_turn(game_of(stage)), CY);
}

/* What was said. */

static const struct fake_message *reply(struct chat *chat, const char *person)
{
    const struct fake_message *found = NULL;
    for (size_t i = 0; i < fake_count(chat); i++) {
        const struct fake_message *const message = fake_message(chat, i);
        if (message->kind == CHAT_REPLY && strcmp(message->person, person) == 0) {
            found = message;
        }
    }
    assert_non_null(found);
    return found;
}

static void is_refused(struct stage *stage, const char *person, const char *line,
                       enum refusal_code code)
{
    stage_say(stage, PLACE, person, line);
    assert_int_equal(reply(stage->chat, person)->refusal.code, code);
}

static size_t public_messages(const struct stage *stage)
{
    return fake_count_of(stage->chat, CHAT_NARRATION) + fake_count_of(stage->chat, CHAT_CARD);
}

/* Presses from elsewhere. */

static void is_elsewhere(struct stage *stage, struct chat *chat, const struct chat_in *in)
{
    const struct fake_message *const card = fake_newest(stage->chat, CHAT_CARD, PLACE, NULL);
    const unsigned long stale = hall_stats(stage->hall)->stale;
    const unsigned long steps = hall_stats(stage->hall)->steps;
    assert_non_null(card);
    stage_press(stage, chat, card, in);
    assert_int_equal(hall_stats(stage->hall)->stale, stale + 1);
    assert_int_equal(hall_stats(stage->hall)->steps, steps);
    assert_says(reply(chat, in->person)->text, TEXT_HALL_ELSEWHERE, NULL);
}

static void a_control_of_another_chat_does_nothing(void **state)
{
    static const char *const LINES[] = {"status", "join", "start", "end", "end"};
    struct attack *const a = *state;
    struct stage *const stage = &a->stage[0];
    stage_say(stage, PLACE, "Ann", "new sets=classic");
    stage_say(stage, PLACE, "Bob", "join");
    stage_say(stage, PLACE, "Cy", "join");
    for (size_t i = 0; i < sizeof LINES / sizeof LINES[0]; i++) {
        const struct chat_in dora = {.place = "elsewhere", .person = "Dora", .line = LINES[i]};
        is_elsewhere(stage, stage->other, &dora);
        // Not even where a place of the other chat has the same name, and one is called as the host
        const struct chat_in ann = {
            .place = PLACE, .person = "Ann", .line = LINES[i], .moderator = true};
        is_elsewhere(stage, stage->other, &ann);
    }
    assert_int_equal(table_seat_count(stage_table(stage, PLACE)), 3);
    assert_int_equal(table_state(stage_table(stage, PLACE)), TABLE_LOBBY);
}

static void a_moderator_of_elsewhere_ends_nothing(void **state)
{
    struct attack *const a = *state;
    struct stage *const stage = &a->stage[0];
    stage_start(stage, PLACE, 3, 0);
    const struct chat_in eve = {
        .place = "other", .person = "Eve", .line = "end", .moderator = true};
    is_elsewhere(stage, stage->chat, &eve);
    is_elsewhere(stage, stage->chat, &eve);
    assert_int_equal(table_state(stage_table(stage, PLACE)), TABLE_RUNNING);
}

/* What is sealed. */

static void both(struct attack *a, const char *person, const char *line)
{
    stage_whisper(&a->stage[0], person, line);
    stage_whisper(&a->stage[1], person, line);
}

// The same, and it is done.
static void act(struct attack *a, const char *person, const char *line)
{
    const uint64_t before[2] = {digest(&a->stage[0]), digest(&a->stage[1])};
    both(a, person, line);
    assert_int_not_equal(digest(&a->stage[0]), before[0]);
    assert_int_not_equal(digest(&a->stage[1]), before[1]);
}

// At the second table somebody passes, at the first one they only look.
static void in_secret(struct attack *a, const char *person)
{
    const uint64_t before = digest(&a->stage[1]);
    stage_whisper(&a->stage[0], person, "status");
    stage_whisper(&a->stage[1], person, "pass");
    assert_int_not_equal(digest(&a->stage[1]), before);
}

static bool is_secret(const struct fake_message *message, const char *const *secret)
{
    for (; *secret != NULL; secret++) {
        if (strcmp(message->person, *secret) == 0) {
            return true;
        }
    }
    return false;
}

static const struct fake_message *next_of(const struct stage *stage, size_t *at,
                                          const char *const *secret)
{
    while (*at < fake_count(stage->chat)) {
        const struct fake_message *const message = fake_message(stage->chat, (*at)++);
        if (!is_secret(message, secret)) {
            return message;
        }
    }
    return NULL;
}

static void have_same_controls(const struct fake_message *first, const struct fake_message *second)
{
    assert_int_equal(first->control_count, second->control_count);
    for (size_t i = 0; i < first->control_count; i++) {
        assert_string_equal(first->controls[i].line, second->controls[i].line);
    }
}

// All that the others were shown since the last time is the same.
static void others_see_the_same(struct attack *a, const char *const *secret)
{
    size_t at[2] = {0, 0};
    for (;;) {
        const struct fake_message *const first = next_of(&a->stage[0], &at[0], secret);
        const struct fake_message *const second = next_of(&a->stage[1], &at[1], secret);
        if (first == NULL || second == NULL) {
            assert_null(first != NULL ? first : second);
            break;
        }
        assert_int_equal(first->kind, second->kind);
        assert_string_equal(first->text, second->text);
        assert_string_equal(first->replaces, second->replaces);
        have_same_controls(first, second);
    }
    fake_forget(a->stage[0].chat);
    fake_forget(a->stage[1].chat);
}

static void open_window(struct attack *a, unsigned people, const char *offer)
{
    for (unsigned i = 0; i < 2; i++) {
        chance_fix();
        arrange(&a->stage[i], a->catalog, people);
    }
    if (offer != NULL) {
        act(a, "Bob", offer);
    }
    act(a, "Cy", "kick");
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(table_due(stage_table(&a->stage[i], PLACE)).clock, CLOCK_WINDOW);
        fake_forget(a->stage[i].chat);
    }
}

static void a_sealed_pass_edits_no_card_and_answers_nothing_else(void **state)
{
    static const char *const SECRET[] = {"Ann", NULL};
    struct attack *const a = *state;
    open_window(a, 3, "give Stick That Was a Snake to Ann");
    in_secret(a, "Ann");
    assert_int_equal(public_messages(&a->stage[1]), 0);
    both(a, "Cy", "why pass");
    both(a, "Cy", "why withdraw");
    both(a, "Bob", "why withdraw");
    both(a, "Bob", "why pass");
    both(a, "Cy", "status");
    others_see_the_same(a, SECRET);
}

// Whoever passes reads so in their own hand, where the button is gone; nobody else does.
static void a_pass_is_acknowledged_to_who_passes(void **state)
{
    struct attack *const a = *state;
    open_window(a, 3, "give Stick That Was a Snake to Ann");
    in_secret(a, "Ann");
    const struct fake_message *hand = NULL;
    for (size_t i = 0; i < fake_count(a->stage[1].chat); i++) {
        const struct fake_message *const message = fake_message(a->stage[1].chat, i);
        assert_string_equal(message->person, "Ann");
        hand = message->kind == CHAT_HAND ? message : hand;
    }
    assert_non_null(hand);
    assert_says(hand->text, TEXT_HAND_PASSED, NULL);
    for (size_t i = 0; i < hand->control_count; i++) {
        assert_string_not_equal(hand->controls[i].line, "pass");
    }
}

static void the_last_to_pass_does_not_know_it(void **state)
{
    static const char *const SECRET[] = {"Ann", "Bob", NULL};
    struct attack *const a = *state;
    open_window(a, 4, "give Stick That Was a Snake to Dot");
    for (size_t i = 0; i < 2; i++) {
        both(a, "Dot", "why pass");
        both(a, "Dot", "why refuse");
        in_secret(a, SECRET[i]);
    }
    both(a, "Dot", "why pass");
    both(a, "Dot", "why refuse");
    others_see_the_same(a, SECRET);
}

static void a_pass_after_others_have_held_is_as_secret(void **state)
{
    static const char *const SECRET[] = {"Ann", NULL};
    struct attack *const a = *state;
    open_window(a, 3, NULL);
    act(a, "Bob", "hold");
    for (unsigned i = 0; i < 2; i++) {
        both(a, "Bob", "hold");
    }
    for (unsigned i = 0; i < 3; i++) {
        both(a, "Cy", "hold");
    }
    in_secret(a, "Ann");
    both(a, "Bob", "status");
    others_see_the_same(a, SECRET);
}

/* Stalling. */

static void equipping_again_and_again_stretches_no_turn(void **state)
{
    static const char *const LINES[] = {"unequip Shield of Plausible Deniability",
                                        "equip Shield of Plausible Deniability"};
    struct attack *const a = *state;
    struct stage *const stage = &a->stage[0];
    arrange(stage, a->catalog, 3);
    const int64_t turn_ms = table_due(stage_table(stage, PLACE)).clock_ms;
    for (unsigned i = 0; i < 4 && query_phase(game_of(stage)) == PHASE_START; i++) {
        stage_pass(stage, turn_ms - (int64_t)10 * SECOND_MS);
        stage_whisper(stage, "Cy", LINES[i % 2]);
    }
    assert_int_not_equal(query_phase(game_of(stage)), PHASE_START); // a stand-in has kicked
}

static void a_host_who_pauses_and_goes_locks_nobody_in(void **state)
{
    struct attack *const a = *state;
    struct stage *const stage = &a->stage[0];
    arrange(stage, a->catalog, 3);
    stage_say(stage, PLACE, "Ann", "pause");
    stage_say(stage, PLACE, "Cy", "kick");
    assert_says(reply(stage->chat, "Cy")->text, TEXT_SESSION_PAUSED, NULL);
    is_refused(stage, "Bob", "resume", REFUSAL_NOT_HOST);
    stage_pass(stage, (int64_t)6 * MINUTE_MS);
    is_refused(stage, "Eve", "resume", REFUSAL_NOT_AT_TABLE);
    stage_say(stage, PLACE, "Bob", "resume");
    assert_int_equal(table_state(stage_table(stage, PLACE)), TABLE_RUNNING);
    is_refused(stage, "Ann", "pause", REFUSAL_WRONG_PHASE); // not so soon
}

static void nor_for_a_day(void **state)
{
    struct attack *const a = *state;
    struct stage *const stage = &a->stage[0];
    arrange(stage, a->catalog, 3);
    stage_say(stage, PLACE, "Ann", "pause");
    stage_pass(stage, 24 * HALL_HOUR_MS);
    stage_say(stage, PLACE, "Cy", "end");
    stage_say(stage, PLACE, "Cy", "end");
    assert_int_equal(table_state(stage_table(stage, PLACE)), TABLE_OVER);
}

/* What everybody may see of a message. */

// Keys count all that the process says, a sealed pass and a private look, too (attack G-4.2).
static void what_marks_a_message_counts_nothing(void **state)
{
    struct attack *const a = *state;
    struct stage *const stage = &a->stage[0];
    unsigned down = 0;
    stage_start(stage, PLACE, 3, 0);
    for (size_t i = 0; i < fake_count(stage->chat); i++) {
        const uint64_t mark = fake_message(stage->chat, i)->mark;
        for (size_t j = 0; j < i; j++) {
            const struct fake_message *const before = fake_message(stage->chat, j);
            assert_true(before->mark != mark);
            down += before->mark > mark ? 1 : 0;
        }
    }
    const size_t pairs = fake_count(stage->chat) * (fake_count(stage->chat) - 1) / 2;
    assert_in_range(down, 1, pairs - 1);
}

/* Noise. */

static void whoever_was_removed_stays_away(void **state)
{
    static const char *const LINES[] = {"join", "leave", "join female", "join male"};
    struct attack *const a = *state;
    struct stage *const stage = &a->stage[0];
    arrange(stage, a->catalog, 3);
    stage_say(stage, PLACE, "Ann", "remove Bob");
    assert_says(fake_newest(stage->chat, CHAT_NARRATION, PLACE, NULL)->text, TEXT_SESSION_REMOVED,
                TEXT_ARGS(text_str("who", "Bob")));
    const size_t before = public_messages(stage);
    for (size_t i = 0; i < sizeof LINES / sizeof LINES[0]; i++) {
        is_refused(stage, "Bob", LINES[i],
                   LINES[i][0] == 'j' ? REFUSAL_TABLE_RUNNING : REFUSAL_NOT_AT_TABLE);
    }
    assert_says(reply(stage->chat, "Bob")->text, TEXT_SESSION_WAS_REMOVED, NULL);
    assert_int_equal(public_messages(stage), before);
    stage_again(stage); // nor does another process forget it
    is_refused(stage, "Bob", "join", REFUSAL_TABLE_RUNNING);
}

static void who_comes_and_goes_is_no_news(void **state)
{
    struct attack *const a = *state;
    struct stage *const stage = &a->stage[0];
    stage_start(stage, PLACE, 1, 2);
    while (query_phase(game_of(stage)) != PHASE_START || query_turn(game_of(stage)) != ANN) {
        stage_wait(stage, PLACE);
    }
    stage_say(stage, PLACE, "Ann", "kick");
    stage_pass(stage, (int64_t)5 * SECOND_MS); // in which bot players have said what they had to
    const size_t before = public_messages(stage);
    for (unsigned i = 0; i < 3; i++) {
        stage_say(stage, PLACE, "Troll", "join");
        assert_says(reply(stage->chat, "Troll")->text, TEXT_SESSION_WAITS, NULL);
        stage_say(stage, PLACE, "Troll", "leave");
        assert_says(reply(stage->chat, "Troll")->text, TEXT_SESSION_WAITS_NOT, NULL);
    }
    assert_int_equal(public_messages(stage), before);
}

// Each of these is read by all: one person may say so many at once, is told once, in private, how
// long to wait, and then only after that heard again (attack G-4.3).
static void noise_has_a_price(void **state)
{
    static const struct {
        const char *who, *lines[2];
        unsigned burst;
        long wait_s;
    } ROWS[] = {{"Troll", {"join", "leave"}, 6, 60},
                {"Ann", {"pause", "resume"}, 4, 120},
                {"Ann", {"link", "link"}, 4, 120},
                {"Ann", {"add-bot", "remove Mildred"}, 12, 60},
                {"Ann", {"new pace=slow", "new pace=live"}, 24, 60},
                {"Bob", {"end", "start"}, 8, 120},
                {"Ann", {"withdraw", "withdraw"}, 24, 60},
                {"Ann", {"undo", "undo"}, 6, 60}};
    struct attack *const a = *state;
    struct stage *const stage = &a->stage[0];
    stage_start(stage, PLACE, 3, 0);
    for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++) {
        const char *const wanted = text_sentence(TEXT_HALL_NOISE);
        const size_t length = strcspn(wanted, "{");
        const char *text = "";
        unsigned said = 0;
        fake_forget(stage->chat);
        for (; strncmp(text, wanted, length) != 0 && said < 2 * ROWS[i].burst; said++) {
            stage_say(stage, PLACE, ROWS[i].who, ROWS[i].lines[said % 2]);
            const struct fake_message *const answer =
                fake_newest(stage->chat, CHAT_REPLY, PLACE, ROWS[i].who);
            text = answer != NULL ? answer->text : "";
        }
        assert_in_range(said, ROWS[i].burst + 1, ROWS[i].burst * 3 / 2 + 1); // tokens come back
        assert_in_range(strtol(text + length, NULL, 10), 1, ROWS[i].wait_s);
        const size_t before = public_messages(stage);
        const size_t told = fake_count_of(stage->chat, CHAT_REPLY);
        for (unsigned j = 0; j < 4; j++) {
            stage_say(stage, PLACE, ROWS[i].who, ROWS[i].lines[j % 2]);
        }
        assert_int_equal(public_messages(stage), before);
        assert_int_equal(fake_count_of(stage->chat, CHAT_REPLY), told);
    }
}

// Together a table's players may make more, but not three times as much; each is told once, and
// who only looks on has a bound of their own.
static void a_table_s_noise_has_a_price(void **state)
{
    static const char *const PLAYERS[] = {"Ann", "Bob", "Cy"};
    static const struct {
        const char *line;
        unsigned burst;
    } ROWS[] = {{"join", 12},  {"start", 16}, {"new pace=slow", 48}, {"add-bot", 24},
                {"resume", 8}, {"undo", 12},  {"withdraw", 48},      {"unlink", 8}};
    struct attack *const a = *state;
    struct stage *const stage = &a->stage[0];
    stage_start(stage, PLACE, 3, 0);
    for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++) {
        unsigned said = 0;
        fake_forget(stage->chat);
        bool closed = false;
        while (!closed && said < 2 * ROWS[i].burst) {
            const char *const who = PLAYERS[said++ % 3];
            stage_say(stage, PLACE, who, ROWS[i].line);
            const struct fake_message *const answer =
                fake_newest(stage->chat, CHAT_REPLY, PLACE, who);
            closed = answer != NULL && says(answer->text, TEXT_HALL_NOISE_HERE, NULL);
        }
        assert_in_range(said, ROWS[i].burst + 1, ROWS[i].burst * 5 / 4 + 1);
        size_t told = fake_count(stage->chat);
        for (unsigned j = 0; j < 3; j++) { // who has met it knows, the other two learn it
            stage_say(stage, PLACE, PLAYERS[(said - 1 + j) % 3], ROWS[i].line);
            told += j > 0 ? 1 : 0;
            assert_int_equal(fake_count(stage->chat), told);
        }
        if (ROWS[i].burst > 12) { // of less their own share is used up by now
            stage_say(stage, PLACE, PLAYERS[said % 3], ROWS[i].line);
            assert_int_equal(fake_count(stage->chat), told);
        }
        stage_say(stage, PLACE, "Eve", ROWS[i].line); // she is answered
        assert_true(fake_count(stage->chat) > told);
    }
}

// The bound is the person's, wherever they say it and however they name the table.
static void noise_from_afar_has_the_same_price(void **state)
{
    struct attack *const a = *state;
    struct stage *const stage = &a->stage[0];
    stage_start(stage, PLACE, 3, 0);
    fake_forget(stage->chat);
    for (unsigned i = 0; i < 12; i++) {
        stage_whisper(stage, "Ann", i % 2 == 0 ? "at 1 pause" : "at 1 resume");
    }
    unsigned told = 0;
    for (size_t i = 0; i < fake_count(stage->chat); i++) {
        const struct fake_message *const message = fake_message(stage->chat, i);
        told += message->kind == CHAT_REPLY && says(message->text, TEXT_HALL_NOISE, NULL) ? 1 : 0;
    }
    assert_int_equal(told, 1);
}

// Many accounts, each within its own bound, open and end tables in one place; by options that is
// another kind of noise, and in private another place.
static void a_place_s_noise_has_a_price(void **state)
{
    enum { ACCOUNTS = 40, OPENED = 14 };
    struct attack *const a = *state;
    struct stage *const stage = &a->stage[0];
    unsigned opened = 0;
    for (unsigned i = 0; i < ACCOUNTS; i++) {
        char name[sizeof "Spam00"];
        (void)snprintf(name, sizeof name, "Spam%02u", i);
        stage_say(stage, PLACE, name, i % 2 == 0 ? "new" : "new pace=slow");
        const bool open = stage_table(stage, PLACE) != NULL;
        opened += open ? 1 : 0;
        stage_whisper(stage, name, "at 1 end");
        assert_true(open || fake_newest(stage->chat, CHAT_REPLY, PLACE, name) != NULL);
    }
    assert_in_range(opened, OPENED - 2, OPENED);
}

// By the operator's lists. They change while the hall runs.
static void who_is_blocked_is_not_heard(void **state)
{
    struct attack *const a = *state;
    struct stage *const stage = &a->stage[0];
    stage->policy.lists[0] = (struct hall_lists){.network = "plain", .block = "Ann"};
    stage->policy.lists[1] = (struct hall_lists){.network = "fake", .block = "Eve, bad, guild9"};
    stage_say(stage, PLACE, "Eve", "new");
    assert_null(stage_table(stage, PLACE));
    assert_says(reply(stage->chat, "Eve")->text, TEXT_HALL_BARRED_PERSON, NULL);
    fake_forget(stage->chat);
    stage_whisper(stage, "Eve", "help"); // told already
    assert_int_equal(fake_count(stage->chat), 0);
    stage_pass(stage, HALL_HOUR_MS);
    stage_whisper(stage, "Eve", "help");
    assert_int_equal(fake_count(stage->chat), 1);
    stage_say(stage, "bad", "Ann", "new");
    assert_says(reply(stage->chat, "Ann")->text, TEXT_HALL_BARRED_HERE, NULL);
    stage_hear(stage, stage->chat,
               &(struct chat_in){
                   .place = "elsewhere", .community = "guild9", .person = "Bob", .line = "new"});
    assert_says(reply(stage->chat, "Bob")->text, TEXT_HALL_BARRED_HERE, NULL);
    assert_int_equal(hall_stats(stage->hall)->barred, 5);
    stage_say(stage, PLACE, "Ann", "new");
    assert_non_null(stage_table(stage, PLACE));
    stage->policy.lists[1] = (struct hall_lists){.network = "fake", .block = "bad"};
    stage_say(stage, PLACE, "Eve", "join");
    assert_int_equal(table_seat_count(stage_table(stage, PLACE)), 2);
}

// Nor in private, at a table that lies there; and a channel is its threads, too.
static void a_blocked_place_is_blocked_from_everywhere(void **state)
{
    static const struct hall_lists OPEN = {.network = NULL};
    struct attack *const a = *state;
    struct stage *const stage = &a->stage[0];
    const struct chat_in thread = {
        .place = "thread", .above = PLACE, .community = "guild7", .person = "Bob", .line = "new"};
    stage_say(stage, PLACE, "Ann", "new");
    stage->policy.lists[0] = (struct hall_lists){.network = "fake", .block = PLACE};
    stage_whisper(stage, "Ann", "at 1 end");
    assert_non_null(stage_table(stage, PLACE));
    assert_says(reply(stage->chat, "Ann")->text, TEXT_HALL_BARRED_HERE, NULL);
    stage_hear(stage, stage->chat, &thread);
    assert_null(stage_table(stage, "thread"));
    stage->policy.lists[0] = (struct hall_lists){.network = "fake", .allow = "elsewhere"};
    stage_whisper(stage, "Ann", "at 1 end");
    assert_non_null(stage_table(stage, PLACE));
    stage->policy.lists[0] = (struct hall_lists){.network = "fake", .allow = PLACE};
    stage_hear(stage, stage->chat, &thread);
    assert_non_null(stage_table(stage, "thread"));
    stage->policy.lists[0] = OPEN;
    stage_whisper(stage, "Ann", "at 1 end");
    assert_null(stage_table(stage, PLACE));
}

static void only_who_is_allowed_is_served(void **state)
{
    struct attack *const a = *state;
    struct stage *const stage = &a->stage[0];
    stage->policy.lists[0] =
        (struct hall_lists){.network = "fake", .allow = "guild7 tavern2, Dee", .block = "Eve"};
    const struct chat_in there = {
        .place = PLACE, .community = "guild7", .person = "Ann", .line = "new"};
    stage_say(stage, PLACE, "Bob", "new");
    assert_null(stage_table(stage, PLACE));
    assert_says(reply(stage->chat, "Bob")->text, TEXT_HALL_BARRED_HERE, NULL);
    stage_hear(stage, stage->chat, &there);
    assert_non_null(stage_table(stage, PLACE));
    stage_whisper(stage, "Ann", "at 1 end"); // in private nobody needs to be on the list
    assert_null(stage_table(stage, PLACE));
    stage_say(stage, "tavern2", "Ann", "new");
    assert_non_null(stage_table(stage, "tavern2"));
    stage_say(stage, "tavern3", "Dee", "new");
    assert_non_null(stage_table(stage, "tavern3"));
    struct chat_in eve = there; // who is blocked is so wherever they are
    eve.person = "Eve";
    stage_hear(stage, stage->chat, &eve);
    assert_null(stage_table(stage, PLACE));
}

static void so_many_tables_a_day_are_opened(void **state)
{
    static const struct rate_rule TWO = {
        .burst = 2, .refill_ms = 12 * (int32_t)HALL_HOUR_MS, .steady = true};
    struct attack *const a = *state;
    struct stage *const stage = &a->stage[0];
    stage->policy.person_tables = TWO;
    for (unsigned i = 0; i < 2; i++) {
        stage_say(stage, PLACE, "Ann", "new");
        stage_whisper(stage, "Ann", "at 1 end");
    }
    stage_say(stage, "elsewhere", "Ann", "new");
    assert_null(stage_table(stage, "elsewhere"));
    assert_says(reply(stage->chat, "Ann")->text, TEXT_HALL_TABLES_PERSON,
                TEXT_ARGS(text_str("time", "12 hours")));
    stage_pass(stage, 12 * HALL_HOUR_MS);
    stage_say(stage, "elsewhere", "Ann", "new");
    assert_non_null(stage_table(stage, "elsewhere"));
    stage->policy.place_tables = TWO;
    for (unsigned i = 0; i < 2; i++) {
        stage_say(stage, PLACE, "Bob", "new");
        stage_whisper(stage, "Bob", "at 1 end");
        stage_pass(stage, MINUTE_MS);
    }
    stage_say(stage, PLACE, "Cy", "new");
    assert_says(reply(stage->chat, "Cy")->text, TEXT_HALL_TABLES_HERE,
                TEXT_ARGS(text_str("time", "12 hours")));
}

// A table that is not opened counts for nobody.
static void one_person_s_refusals_cost_the_place_nothing(void **state)
{
    static const struct rate_rule ONE = {
        .burst = 1, .refill_ms = 24 * (int32_t)HALL_HOUR_MS, .steady = true};
    static const struct rate_rule THREE = {
        .burst = 3, .refill_ms = 8 * (int32_t)HALL_HOUR_MS, .steady = true};
    struct attack *const a = *state;
    struct stage *const stage = &a->stage[0];
    stage->policy.person_tables = ONE;
    stage->policy.place_tables = THREE;
    stage_say(stage, PLACE, "Eve", "new");
    stage_whisper(stage, "Eve", "at 1 end");
    fake_forget(stage->chat);
    for (unsigned i = 0; i < 5; i++) {
        stage_say(stage, PLACE, "Eve", "new");
        stage_pass(stage, MINUTE_MS);
    }
    assert_int_equal(fake_count(stage->chat), 1); // told once
    for (unsigned i = 0; i < 2; i++) {
        stage_say(stage, PLACE, i == 0 ? "Ann" : "Bob", "new");
        assert_non_null(stage_table(stage, PLACE));
        stage_whisper(stage, i == 0 ? "Ann" : "Bob", "at 1 end");
        stage_pass(stage, MINUTE_MS);
    }
    stage_say(stage, PLACE, "Cy", "new");
    assert_null(stage_table(stage, PLACE));
}

// However much is said: clocks go on, and what falls due happens.
static void a_flood_holds_no_clock(void **state)
{
    enum { TURNS = 2000, PIECES = 3, A_TURN = 12, TURN_MS = 40 };
    struct attack *const a = *state;
    struct stage *const stage = &a->stage[0];
    stage->pieces = PIECES;
    stage_again(stage);
    stage_start(stage, PLACE, 3, 0);
    const int64_t now_ms = stage->hall->now_ms;
    for (unsigned i = 0; i < TURNS; i++) {
        for (unsigned j = 0; j < A_TURN; j++) {
            char name[sizeof "Spam00000"];
            (void)snprintf(name, sizeof name, "Spam%05u", i * A_TURN + j);
            const struct chat_in in = {.place = name, .person = name, .line = "new", .event = name};
            (void)fake_hear_in(stage->chat, &in);
        }
        (void)hall_advance(stage->hall, TURN_MS);
        (void)hall_hear(stage->hall);
    }
    assert_int_equal(stage->hall->now_ms, now_ms + (int64_t)TURNS * TURN_MS);
}

static void nobody_haggles_without_end(void **state)
{
    struct attack *const a = *state;
    struct stage *const stage = &a->stage[0];
    arrange(stage, a->catalog, 3);
    fake_forget(stage->chat);
    for (unsigned i = 0; i < OFFERS; i++) {
        stage_whisper(stage, "Bob", "give Stick That Was a Snake to Ann");
        stage_whisper(stage, "Bob", "withdraw");
    }
    const size_t said = public_messages(stage);
    stage_whisper(stage, "Bob", "give Stick That Was a Snake to Ann");
    assert_int_equal(reply(stage->chat, "Bob")->refusal.code, REFUSAL_LIMIT_REACHED);
    assert_says(reply(stage->chat, "Bob")->text, TEXT_SESSION_OFFERS_MANY, NULL);
    assert_int_equal(public_messages(stage), said);
    stage_say(stage, PLACE, "Cy", "kick"); // others go on
    assert_int_equal(query_phase(game_of(stage)), PHASE_COMBAT);
}

static void onlookers_make_nobody_wait(void **state)
{
    static const char *const CROWD[] = {"SpamA", "SpamB", "SpamC", "SpamD", "SpamE", "SpamF"};
    struct attack *const a = *state;
    struct stage *const stage = &a->stage[0];
    arrange(stage, a->catalog, 3);
    stage_pass(stage, MINUTE_MS);
    const unsigned long rationed = hall_stats(stage->hall)->rationed;
    for (unsigned i = 0; i < 40; i++) {
        for (size_t who = 0; who < sizeof CROWD / sizeof CROWD[0]; who++) {
            assert_true(fake_hear(stage->chat, PLACE, CROWD[who], "status"));
            hall_hear(stage->hall);
        }
    }
    assert_true(hall_stats(stage->hall)->rationed > rationed);
    assert_true(fake_hear(stage->chat, PLACE, "Cy", "kick"));
    hall_hear(stage->hall);
    assert_int_equal(query_phase(game_of(stage)), PHASE_COMBAT);
}

#define CASE(test)  cmocka_unit_test_setup_teardown(test, set_up, tear_down)
#define TWINS(test) cmocka_unit_test_setup_teardown(test, set_up_twins, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_control_of_another_chat_does_nothing),
        CASE(a_moderator_of_elsewhere_ends_nothing),
        TWINS(a_sealed_pass_edits_no_card_and_answers_nothing_else),
        TWINS(a_pass_is_acknowledged_to_who_passes),
        TWINS(the_last_to_pass_does_not_know_it),
        TWINS(a_pass_after_others_have_held_is_as_secret),
        CASE(equipping_again_and_again_stretches_no_turn),
        CASE(a_host_who_pauses_and_goes_locks_nobody_in),
        CASE(nor_for_a_day),
        CASE(what_marks_a_message_counts_nothing),
        CASE(whoever_was_removed_stays_away),
        CASE(who_comes_and_goes_is_no_news),
        CASE(noise_has_a_price),
        CASE(a_table_s_noise_has_a_price),
        CASE(noise_from_afar_has_the_same_price),
        CASE(a_place_s_noise_has_a_price),
        CASE(who_is_blocked_is_not_heard),
        CASE(a_blocked_place_is_blocked_from_everywhere),
        CASE(only_who_is_allowed_is_served),
        CASE(so_many_tables_a_day_are_opened),
        CASE(one_person_s_refusals_cost_the_place_nothing),
        CASE(a_flood_holds_no_clock),
        CASE(nobody_haggles_without_end),
        CASE(onlookers_make_nobody_wait),
    };
    return cmocka_run_group_tests_name("hall_attacks", tests, NULL, NULL);
}
