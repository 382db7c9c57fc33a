#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/hall/hall.h"
#include "bot/hall/hall_limits.h"
#include "bot/tools/fake.h"

#include "tests/support/chance.h"
#include "tests/support/says.h"
#include "tests/support/seats.h"
#include "tests/support/shown.h"
#include "tests/support/stage.h"
#include "tests/support/table.h"
#include "tests/support/test.h"

static struct catalog *catalog;

static int set_up(void **state)
{
    static struct stage stage;
    chance_fix();
    stage_open(&stage, catalog);
    *state = &stage;
    return 0;
}

static int tear_down(void **state)
{
    stage_close(*state);
    return 0;
}

// Somebody speaks, at leisure.
static void say(struct stage *f, const char *place, const char *person, const char *line)
{
    stage_pass(f, HALL_PERSON_REFILL_MS);
    assert_true(fake_hear(f->chat, place, person, line));
    hall_hear(f->hall);
    stage_pass(f, 0);
}

static void whisper(struct stage *f, const char *person, const char *line)
{
    char place[64];
    (void)snprintf(place, sizeof place, "private room of %s", person);
    const struct chat_in in = {.direct = true, .place = place, .person = person, .line = line};
    stage_pass(f, HALL_PERSON_REFILL_MS);
    assert_true(fake_hear_in(f->chat, &in));
    hall_hear(f->hall);
    stage_pass(f, 0);
}

// As it is now: the hall keeps no table in its place.
static const struct table *tavern(struct stage *f)
{
    return hall_table(f->hall, f->chat, "tavern");
}

// Until something happens by itself; a game that rests, as nobody comes, goes on with a word.
static void go_on(struct stage *f, struct chat *chat, const char *person)
{
    const struct table *const table = hall_table(f->hall, chat, "tavern");
    if (table_due(table).kind == TABLE_DUE_NEVER) {
        stage_pass(f, HALL_PERSON_REFILL_MS);
        assert_true(fake_hear(chat, "tavern", person, "orders clear"));
        hall_hear(f->hall);
    } else {
        stage_pass(f, table_due(table).ms);
    }
}

static void open_table(struct stage *f, const char *place)
{
    say(f, place, "Ann", "new sets=classic");
    say(f, place, "Bob", "join male");
    say(f, place, "Cy", "join female");
}

static void start_table(struct stage *f, const char *place)
{
    open_table(f, place);
    say(f, place, "Ann", "start");
    say(f, place, "Ann", "done");
    say(f, place, "Bob", "done");
    say(f, place, "Cy", "done");
    const struct table *const table = hall_table(f->hall, f->chat, place);
    assert_int_equal(table_state(table), TABLE_RUNNING);
    assert_int_equal(query_phase(table_game(table)), PHASE_START);
}

static const char *turn_at(struct stage *f, const char *place)
{
    const struct table *const table = hall_table(f->hall, f->chat, place);
    return table_seat_name(table, query_turn(table_game(table)));
}

static const struct fake_message *card_at(struct stage *f, const char *place)
{
    const struct fake_message *const card = fake_newest(f->chat, CHAT_CARD, place, NULL);
    assert_non_null(card);
    return card;
}

static size_t control_of(const struct fake_message *message, const char *line)
{
    size_t at = 0;
    while (at < message->control_count && strcmp(message->controls[at].line, line) != 0) {
        at++;
    }
    return at;
}

static void several_tables_do_not_mix(void **state)
{
    struct stage *const f = *state;
    start_table(f, "tavern");
    say(f, "cellar", "Dot", "new sets=classic");
    assert_int_equal(memory_store_tables(f->store), 2);
    const uint64_t digest = game_digest(table_game(tavern(f)));
    say(f, "cellar", turn_at(f, "tavern"), "kick"); // the right person at the wrong table
    assert_int_equal(game_digest(table_game(tavern(f))), digest);
    assert_non_null(hall_table(f->hall, f->chat, "cellar"));
    assert_null(hall_table(f->hall, f->other, "tavern"));
    assert_null(hall_table(f->hall, f->chat, "attic"));
}

static void a_place_without_a_table_answers(void **state)
{
    struct stage *const f = *state;
    say(f, "attic", "Ann", "kick");
    assert_int_equal(fake_count(f->chat), 1);
    assert_int_equal(fake_message(f->chat, 0)->kind, CHAT_REPLY);
    assert_string_equal(fake_message(f->chat, 0)->person, "Ann");
    say(f, "attic", "Ann", "help");
    say(f, "attic", "Ann", "new sets=nonsense");
    assert_int_equal(memory_store_tables(f->store), 0);
    assert_int_equal(fake_count_of(f->chat, CHAT_REPLY), 3);
    say(f, "attic", "Ann", "stats");
    assert_non_null(shown(f->chat, "Ann", TEXT_STATS_NONE, NULL));
    whisper(f, "Bob", "stats");
    assert_int_equal(fake_count_of(f->chat, CHAT_REPLY), 5);
    assert_int_equal(memory_store_tables(f->store), 0);
    assert_null(hall_table(f->hall, f->chat, "attic"));
}

static void a_chat_without_privacy_gets_no_table(void **state)
{
    struct stage *const f = *state;
    struct chat_queue *const queue = malloc(sizeof *queue);
    struct mb_error err = {0};
    chat_queue_init(queue);
    struct chat *const open = fake_create_named("open", queue, CHAT_CAP_EDIT);
    assert_true(chat_start(open, &err) && hall_add_chat(f->hall, open, &err));
    assert_true(fake_hear(open, "square", "Ann", "new sets=classic"));
    hall_hear(f->hall);
    assert_int_equal(memory_store_tables(f->store), 0);
    assert_non_null(shown(open, NULL, TEXT_HALL_NO_PRIVATE, NULL));
    hall_destroy(f->hall);
    f->hall = NULL;
    chat_destroy(open);
    chat_queue_finish(queue);
    free(queue);
}

static void people_of_the_same_name_are_two(void **state)
{
    struct stage *const f = *state;
    struct chat_in in = {.place = "tavern", .person = "u1", .name = "Ann", .line = "new"};
    assert_true(fake_hear_in(f->chat, &in));
    hall_hear(f->hall);
    const struct chat_in other = {
        .place = "tavern", .person = "u2", .name = "ANN\xE2\x80\x8B", .line = "join"};
    assert_true(fake_hear_in(f->chat, &other));
    hall_hear(f->hall);
    assert_int_equal(table_seat_count(tavern(f)), 2);
    assert_string_equal(table_seat_name(tavern(f), 0), "Ann");
    assert_string_equal(table_seat_name(tavern(f), 1), "ANN 2");
    // A third of that name is nobody here, whatever they command.
    const struct chat_in third = {.place = "tavern", .person = "u3", .name = "Ann", .line = "end"};
    assert_true(fake_hear_in(f->chat, &third));
    hall_hear(f->hall);
    assert_int_equal(table_state(tavern(f)), TABLE_LOBBY);
    // Who has another name tomorrow is still the same.
    const struct chat_in renamed = {
        .place = "tavern", .person = "u1", .name = "Queen of Hearts", .line = "end"};
    stage_pass(f, 10000);
    assert_true(fake_hear_in(f->chat, &renamed));
    hall_hear(f->hall);
    assert_null(hall_table(f->hall, f->chat, "tavern"));
}

static void a_name_that_is_hard_to_type_comes_with_advice(void **state)
{
    struct stage *const f = *state;
    const struct chat_in in = {.place = "tavern", .person = "u1", .name = "with", .line = "new"};
    assert_true(fake_hear_in(f->chat, &in));
    hall_hear(f->hall);
    stage_pass(f, 0);
    assert_non_null(
        shown(f->chat, NULL, TEXT_HALL_HARD_NAME, TEXT_ARGS(text_str("what", "\"with\""))));
}

static void the_same_event_is_heard_once(void **state)
{
    struct stage *const f = *state;
    start_table(f, "tavern");
    struct chat_in in = {.place = "tavern", .line = "kick", .event = "redelivered"};
    in.person = turn_at(f, "tavern");
    assert_true(fake_hear_in(f->chat, &in));
    hall_hear(f->hall);
    const uint64_t digest = game_digest(table_game(tavern(f)));
    fake_forget(f->chat);
    stage_pass(f, 1000);
    for (unsigned i = 0; i < 3; i++) {
        assert_true(fake_hear_in(f->chat, &in));
        hall_hear(f->hall);
    }
    assert_int_equal(fake_count_of(f->chat, CHAT_REPLY), 0);
    assert_int_equal(hall_stats(f->hall)->repeated, 3);
    assert_int_equal(game_digest(table_game(tavern(f))), digest);
    const struct chat_in twice = {
        .place = "cellar", .person = "Dot", .line = "new sets=classic", .event = "opens"};
    assert_true(fake_hear_in(f->chat, &twice) && fake_hear_in(f->chat, &twice));
    hall_hear(f->hall);
    assert_int_equal(fake_count_of(f->chat, CHAT_REPLY), 0);
    assert_int_equal(hall_stats(f->hall)->repeated, 4);
}

// A bucket opens when it is half full.
enum { LISTENS_S = HALL_PERSON_BURST / 2 * HALL_PERSON_REFILL_MS / 1000 };

static void a_thousand_commands_in_a_second_are_cut_off(void **state)
{
    struct stage *const f = *state;
    start_table(f, "tavern");
    start_table(f, "cellar");
    stage_pass(f, 100000);
    fake_forget(f->chat);
    unsigned long heard = hall_stats(f->hall)->heard;
    unsigned answered = 0;
    for (unsigned i = 0; i < 1000; i++) {
        (void)fake_hear(f->chat, "tavern", "Mallory", "status");
        if (i % 100 == 50) {
            // Somebody at another table speaks once in a while and is answered at once.
            const size_t before = fake_count_of(f->chat, CHAT_REPLY);
            assert_true(fake_hear(f->chat, "cellar", "Bob", "score"));
            hall_hear(f->hall);
            const struct fake_message *const last =
                fake_newest(f->chat, CHAT_REPLY, "cellar", "Bob");
            assert_non_null(last);
            answered += fake_count_of(f->chat, CHAT_REPLY) > before ? 1 : 0;
        } else if (i % 7 == 0) {
            hall_hear(f->hall);
        }
        stage_pass(f, 1);
    }
    hall_hear(f->hall);
    assert_int_equal(answered, 10);
    unsigned to_mallory = 0;
    unsigned told = 0;
    for (size_t i = 0; i < fake_count(f->chat); i++) {
        const struct fake_message *const message = fake_message(f->chat, i);
        to_mallory += strcmp(message->person, "Mallory") == 0 ? 1 : 0;
        told += says(message->text, TEXT_HALL_TOO_FAST,
                     TEXT_ARGS(text_str("who", "Mallory"), text_num("n", LISTENS_S)))
                    ? 1
                    : 0;
    }
    assert_int_equal(told, 1);
    assert_int_equal(to_mallory, HALL_PERSON_BURST + 1);
    assert_int_equal(hall_stats(f->hall)->heard - heard, HALL_PERSON_BURST + 10);
    // Who stops is heard again.
    stage_pass(f, 60000);
    fake_forget(f->chat);
    say(f, "tavern", "Mallory", "score");
    assert_int_equal(fake_count_of(f->chat, CHAT_REPLY), 1);
}

static void many_who_flood_one_table_leave_others_alone(void **state)
{
    struct stage *const f = *state;
    start_table(f, "tavern");
    start_table(f, "cellar");
    stage_pass(f, 100000);
    fake_forget(f->chat);
    for (unsigned i = 0; i < 300; i++) {
        char person[16];
        (void)snprintf(person, sizeof person, "m%u", i);
        assert_true(fake_hear(f->chat, "tavern", person, "status"));
        hall_hear(f->hall);
    }
    stage_pass(f, 0);
    assert_int_equal(fake_count_of(f->chat, CHAT_REPLY), HALL_PLACE_BURST + 1); // who is told so
    assert_true(fake_hear(f->chat, "cellar", "Bob", "score"));
    hall_hear(f->hall);
    assert_non_null(fake_newest(f->chat, CHAT_REPLY, "cellar", "Bob"));
}

static void a_person_at_two_tables_says_which(void **state)
{
    struct stage *const f = *state;
    start_table(f, "tavern");
    fake_forget(f->chat);
    whisper(f, "Bob", "hand"); // the only one
    assert_non_null(fake_newest(f->chat, CHAT_REPLY, "private room of Bob", "Bob"));
    assert_null(shown(f->chat, "Bob", TEXT_HALL_WHICH_TABLE, TEXT_ARGS(text_num("n", 2))));
    start_table(f, "cellar");
    fake_forget(f->chat);
    whisper(f, "Bob", "hand");
    const struct fake_message *const asked =
        shown(f->chat, "Bob", TEXT_HALL_WHICH_TABLE, TEXT_ARGS(text_num("n", 2)));
    assert_non_null(asked);
    assert_says(asked->text, TEXT_HALL_TABLE,
                TEXT_ARGS(text_num("n", 1), text_str("what", "tavern")));
    assert_says(asked->text, TEXT_HALL_TABLE,
                TEXT_ARGS(text_num("n", 2), text_str("what", "cellar")));
    whisper(f, "Bob", "status");
    assert_non_null(shown(f->chat, "Bob", TEXT_HALL_TABLE,
                          TEXT_ARGS(text_num("n", 2), text_str("what", "cellar"))));
    const uint64_t first = game_digest(table_game(tavern(f)));
    char line[64];
    (void)snprintf(line, sizeof line, "at 2 kick");
    whisper(f, turn_at(f, "cellar"), line);
    assert_int_equal(game_digest(table_game(tavern(f))), first);
    assert_int_not_equal(query_phase(table_game(hall_table(f->hall, f->chat, "cellar"))),
                         PHASE_START);
    whisper(f, "Bob", "at 1");
    assert_non_null(shown(f->chat, "Bob", TEXT_HALL_CHOSEN, TEXT_ARGS(text_str("what", "tavern"))));
    fake_forget(f->chat);
    whisper(f, "Bob", "hand");
    assert_null(shown(f->chat, "Bob", TEXT_HALL_WHICH_TABLE, TEXT_ARGS(text_num("n", 2))));
    whisper(f, "Bob", "at 9 hand");
    assert_non_null(shown(f->chat, "Bob", TEXT_HALL_WHICH_TABLE, TEXT_ARGS(text_num("n", 2))));
    whisper(f, "Zoe", "hand");
    assert_int_equal(fake_newest(f->chat, CHAT_REPLY, "private room of Zoe", "Zoe")->kind,
                     CHAT_REPLY);
    whisper(f, "Zoe", "new");
    assert_non_null(shown(f->chat, "Zoe", TEXT_HALL_NEW_IN_PRIVATE, NULL));
}

static void nobody_sits_at_every_table(void **state)
{
    struct stage *const f = *state;
    for (unsigned i = 0; i < STORE_TABLES_OF_PERSON + 2; i++) {
        char place[16];
        (void)snprintf(place, sizeof place, "room %u", i);
        say(f, place, "Mallory", "new sets=classic");
        stage_pass(f, 30000);
    }
    assert_int_equal(memory_store_tables(f->store), STORE_TABLES_OF_PERSON);
    assert_non_null(shown(f->chat, "Mallory", TEXT_HALL_TABLES_MANY, NULL));
    say(f, "room 3", "Mallory", "leave");
    say(f, "room 99", "Mallory", "new sets=classic");
    assert_non_null(hall_table(f->hall, f->chat, "room 99"));
}

static void a_table_that_ended_answers_politely(void **state)
{
    struct stage *const f = *state;
    start_table(f, "tavern");
    const struct fake_message card = *card_at(f, "tavern");
    assert_true(card.control_count > 0);
    say(f, "tavern", "Ann", "end");
    say(f, "tavern", "Ann", "end");
    fake_forget(f->chat);
    say(f, "tavern", "Bob", "kick");
    assert_int_equal(fake_count_of(f->chat, CHAT_REPLY), 1);
    whisper(f, "Bob", "kick");
    assert_int_equal(fake_count_of(f->chat, CHAT_REPLY), 2);
    // A new game at the same place: buttons of the old one are none of its.
    open_table(f, "tavern");
    struct chat_in in = {.place = "tavern", .person = "Bob", .line = "kick", .bond = card.bond};
    stage_pass(f, 1000);
    fake_forget(f->chat);
    assert_true(fake_hear_in(f->chat, &in));
    hall_hear(f->hall);
    assert_non_null(shown(f->chat, "Bob", TEXT_HALL_ENDED, NULL));
    assert_int_equal(hall_stats(f->hall)->stale, 1);
    // After a while it is cleared away.
    say(f, "tavern", "Ann", "end");
    say(f, "tavern", "Ann", "end");
    assert_int_equal(memory_store_tables(f->store), 0);
}

static void a_pressed_button_acts_once(void **state)
{
    struct stage *const f = *state;
    start_table(f, "tavern");
    const struct fake_message *const card = card_at(f, "tavern");
    const size_t kick = control_of(card, "kick");
    assert_true(kick < card->control_count);
    assert_true(card->bond.on == CHAT_ON_CARD && card->bond.table[0] != '\0');
    const struct fake_message old = *card;
    const struct chat_control controls[] = {{.label = "Kick", .line = "kick", .opens = ""}};
    struct fake_message copy = old;
    copy.place = "tavern"; // the fake's own words are forgotten below
    copy.path = "";
    copy.controls = (struct chat_control *)(uintptr_t)controls;
    copy.control_count = 1;
    assert_true(fake_press(f->chat, &copy, 0, turn_at(f, "tavern")));
    hall_hear(f->hall);
    stage_pass(f, 0);
    assert_int_not_equal(query_phase(table_game(tavern(f))), PHASE_START);
    const uint64_t digest = game_digest(table_game(tavern(f)));
    stage_pass(f, 1000);
    fake_forget(f->chat);
    assert_true(fake_press(f->chat, &copy, 0, turn_at(f, "tavern")));
    hall_hear(f->hall);
    assert_int_equal(game_digest(table_game(tavern(f))), digest);
    assert_non_null(shown(f->chat, turn_at(f, "tavern"), TEXT_HALL_STALE, NULL));
    assert_int_equal(fake_count_of(f->chat, CHAT_REPLY), 1); // with what can be pressed instead
    assert_true(fake_newest(f->chat, CHAT_REPLY, "tavern", NULL)->control_count > 0);
    assert_int_equal(hall_stats(f->hall)->stale, 1);
}

static void the_card_is_sent_when_and_only_when_it_changes(void **state)
{
    struct stage *const f = *state;
    start_table(f, "tavern");
    fake_forget(f->chat);
    for (unsigned i = 0; i < 5; i++) {
        say(f, "tavern", "Bob", "status");
        say(f, "tavern", "Cy", "hand");
        say(f, "tavern", "Bob", "sell everything");
    }
    assert_int_equal(fake_count_of(f->chat, CHAT_CARD), 0);
    assert_int_equal(fake_count_of(f->chat, CHAT_HAND), 0);
    say(f, "tavern", turn_at(f, "tavern"), "kick");
    assert_int_equal(fake_count_of(f->chat, CHAT_CARD), 1);
    char before[HALL_TEXT_MAX];
    (void)snprintf(before, sizeof before, "%s", card_at(f, "tavern")->text);
    for (unsigned i = 0; i < 200; i++) {
        fake_forget(f->chat);
        go_on(f, f->chat, "Ann");
        assert_true(fake_count_of(f->chat, CHAT_CARD) <= 1);
        if (fake_count_of(f->chat, CHAT_CARD) == 1) {
            assert_string_not_equal(card_at(f, "tavern")->text, before);
            (void)snprintf(before, sizeof before, "%s", card_at(f, "tavern")->text);
        }
    }
}

static void hands_go_to_their_owners_alone(void **state)
{
    struct stage *const f = *state;
    start_table(f, "tavern");
    const struct table *const table = hall_table(f->hall, f->chat, "tavern");
    for (unsigned seat = 0; seat < 3; seat++) {
        const struct fake_message *const hand =
            fake_newest(f->chat, CHAT_HAND, "tavern", table_seat_name(table, seat));
        assert_non_null(hand);
        struct card_list cards;
        query_pile(table_game(table), pile_hand(seat), &cards);
        for (unsigned i = 0; i < cards.count; i++) {
            struct table_words words;
            assert_true(hall_words(f->hall, f->chat, "tavern", NO_SEAT, &words));
            const unsigned def = words.box->card_def[cards.cards[i]];
            assert_non_null(strstr(hand->text, catalog_name(f->catalog, def)));
        }
    }
    for (size_t i = 0; i < fake_count(f->chat); i++) {
        const struct fake_message *const message = fake_message(f->chat, i);
        assert_int_equal(chat_kind_is_private(message->kind), message->person[0] != '\0');
    }
}

static void bots_between_two_decisions_are_one_message(void **state)
{
    struct stage *const f = *state;
    say(f, "tavern", "Ann", "new sets=classic");
    for (unsigned i = 0; i < 3; i++) {
        say(f, "tavern", "Ann", "add-bot");
    }
    say(f, "tavern", "Ann", "start");
    say(f, "tavern", "Ann", "done");
    unsigned turns = 0;
    for (unsigned i = 0; i < 2000 && table_state(tavern(f)) == TABLE_RUNNING; i++) {
        fake_forget(f->chat);
        const struct table_due due = table_due(tavern(f));
        // Whenever all is quiet it is Ann who is waited for, or who may speak in a moment.
        assert_true((due.seats & 1u) != 0 || due.clock == CLOCK_ANSWER ||
                    due.clock == CLOCK_WINDOW || due.kind == TABLE_DUE_NEVER);
        const unsigned round = query_round(table_game(tavern(f)));
        go_on(f, f->chat, "Ann");
        assert_true(fake_count_of(f->chat, CHAT_NARRATION) <= 1);
        assert_true(fake_count_of(f->chat, CHAT_CARD) <= 1);
        turns += query_round(table_game(tavern(f))) != round ? 1 : 0;
    }
    assert_true(turns > 1); // how many depends on the seed: a bot player may win early
}

// Of every turn another one, also when somebody has two in a row.
static unsigned turn_number(const struct table *table)
{
    const struct game *const game = table_game(table);
    return query_round(game) * MB_SEATS_MAX + query_turn(game);
}

static void a_chat_that_cannot_edit_hears_less(void **state)
{
    struct stage *const f = *state;
    const char *const people[] = {"Ann", "Bob", "Cy"};
    const char *const lines[] = {"new sets=classic", "join", "join"};
    for (unsigned i = 0; i < 3; i++) {
        assert_true(fake_hear(f->other, "tavern", people[i], lines[i]));
    }
    assert_true(fake_hear(f->other, "tavern", "Ann", "start"));
    hall_hear(f->hall);
    assert_int_equal(fake_count_of(f->other, CHAT_CARD), 1);
    fake_forget(f->other);
    unsigned turns = 0;
    unsigned before = turn_number(hall_table(f->hall, f->other, "tavern"));
    for (unsigned i = 0; i < 400; i++) {
        go_on(f, f->other, "Ann");
        const unsigned turn = turn_number(hall_table(f->hall, f->other, "tavern"));
        turns += turn != before ? 1 : 0;
        before = turn;
    }
    assert_true(turns > 3);
    assert_int_equal(fake_count_of(f->other, CHAT_CARD), turns);
    for (size_t i = 0; i < fake_count(f->other); i++) {
        assert_int_equal(fake_message(f->other, i)->control_count, 0);
    }
}

static void what_a_chat_cannot_take_now_comes_later_in_order(void **state)
{
    struct stage *const f = *state;
    open_table(f, "tavern");
    fake_forget(f->chat);
    fake_fail_to(f->chat, NULL, MB_ERR_RETRY);
    say(f, "tavern", "Dot", "join");
    say(f, "tavern", "Dot", "leave");
    say(f, "tavern", "Eve", "join");
    assert_int_equal(fake_count_of(f->chat, CHAT_NARRATION), 0);
    fake_fail_to(f->chat, NULL, MB_OK);
    say(f, "tavern", "Eve", "leave"); // not before what waits
    stage_pass(f, HALL_RETRY_LAST_MS);
    const char *const wanted[] = {"Dot sits", "Dot leaves", "Eve sits", "Eve leaves"};
    assert_int_equal(fake_count_of(f->chat, CHAT_NARRATION), 4);
    unsigned next = 0;
    for (size_t i = 0; i < fake_count(f->chat); i++) {
        if (fake_message(f->chat, i)->kind == CHAT_NARRATION) {
            assert_non_null(strstr(fake_message(f->chat, i)->text, wanted[next]));
            next++;
        }
    }
    assert_non_null(strstr(card_at(f, "tavern")->text, "3 of"));
    assert_true(hall_stats(f->hall)->retried > 0);
    assert_int_equal(hall_stats(f->hall)->undeliverable, 0);
}

static void what_is_given_up_is_owned_up_to(void **state)
{
    struct stage *const f = *state;
    open_table(f, "tavern");
    fake_forget(f->chat);
    fake_fail_to(f->chat, NULL, MB_ERR_RETRY);
    for (unsigned i = 0; i < HALL_UNSENT_MAX; i++) {
        char who[16];
        (void)snprintf(who, sizeof who, "Dot%u", i);
        say(f, "tavern", who, "join");
        say(f, "tavern", who, "leave");
        stage_pass(f, 20000); // so much coming and going a table bears
    }
    fake_fail_to(f->chat, NULL, MB_OK);
    stage_pass(f, HALL_RETRY_LAST_MS);
    char wanted[64];
    (void)snprintf(wanted, sizeof wanted, "couldn't deliver %d messages", HALL_UNSENT_MAX);
    assert_non_null(fake_find(f->chat, NULL, wanted));
    assert_int_equal(hall_stats(f->hall)->undeliverable, HALL_UNSENT_MAX);
}

static void who_cannot_be_written_to_is_told_aloud_without_secrets(void **state)
{
    struct stage *const f = *state;
    open_table(f, "tavern");
    fake_fail_to(f->chat, "Bob", MB_ERR_IO);
    say(f, "tavern", "Ann", "start");
    const struct fake_message *const told =
        shown(f->chat, NULL, TEXT_HALL_UNREACHABLE, TEXT_ARGS(text_str("who", "Bob")));
    assert_non_null(told);
    assert_int_equal(told->ping_count, 1);
    fake_forget(f->chat);
    say(f, "tavern", "Ann", "done");
    say(f, "tavern", "Bob", "done");
    assert_null(shown(f->chat, NULL, TEXT_HALL_UNREACHABLE, NULL)); // once is enough
    fake_fail_to(f->chat, NULL, MB_OK);
    say(f, "tavern", "Cy", "done");
    assert_non_null(fake_newest(f->chat, CHAT_HAND, "tavern", "Bob"));
}

static void a_table_that_all_have_left_rests(void **state)
{
    struct stage *const f = *state;
    start_table(f, "tavern");
    say(f, "tavern", "Ann", "leave");
    say(f, "tavern", "Bob", "leave");
    say(f, "tavern", "Cy", "leave");
    assert_non_null(shown(f->chat, NULL, TEXT_SESSION_DESERTED, NULL));
    const uint64_t digest = game_digest(table_game(tavern(f)));
    stage_pass(f, HALL_IDLE_DESERTED_MS - HALL_HOUR_MS);
    assert_int_equal(game_digest(table_game(tavern(f))), digest);
    say(f, "tavern", "Bob", "join");
    assert_int_equal(table_state(tavern(f)), TABLE_RUNNING);
    stage_pass(f, 240000); // Bob's turn clock, at most
    assert_int_not_equal(game_digest(table_game(tavern(f))), digest);
}

static void tables_nobody_speaks_at_are_cleared_away(void **state)
{
    struct stage *const f = *state;
    open_table(f, "tavern");
    fake_forget(f->chat);
    stage_pass(f, HALL_IDLE_MS - 1000);
    assert_int_equal(memory_store_tables(f->store), 1);
    stage_pass(f, 2000);
    assert_int_equal(memory_store_tables(f->store), 0);
    assert_non_null(shown(f->chat, NULL, TEXT_HALL_CLOSED, NULL));
    assert_int_equal(hall_due_ms(f->hall), -1);
    whisper(f, "Ann", "hand");
    assert_null(fake_find(f->chat, "Ann", "Your hand"));
}

static void strangers_are_forgotten_in_time(void **state)
{
    struct stage *const f = *state;
    for (unsigned i = 0; i < HALL_PEOPLE_MAX + 100; i++) {
        char person[16];
        (void)snprintf(person, sizeof person, "s%u", i);
        assert_true(fake_hear(f->chat, "square", person, "x"));
        hall_hear(f->hall);
        fake_forget(f->chat);
    }
    say(f, "square", "s1", "help");
    assert_int_equal(fake_count_of(f->chat, CHAT_REPLY), 1);
}

// Ann, Bob and a bot player in the middle of a turn.
static void start_with_a_bot(struct stage *f)
{
    say(f, "tavern", "Ann", "new sets=classic");
    say(f, "tavern", "Bob", "join");
    say(f, "tavern", "Ann", "add-bot");
    say(f, "tavern", "Ann", "start");
    say(f, "tavern", "Ann", "done");
    say(f, "tavern", "Bob", "done");
    for (unsigned i = 0; i < 400 && query_phase(table_game(tavern(f))) <= PHASE_START; i++) {
        stage_pass(f, table_due(tavern(f)).ms);
    }
}

static void wait_for_seat(struct stage *f, const char *name)
{
    for (unsigned i = 0; i < 400 && waits_named(tavern(f), name); i++) {
        stage_pass(f, table_due(tavern(f)).ms);
    }
    stage_pass(f, 0);
}

static void a_late_joiner_is_told_of_the_seat_and_its_hand(void **state)
{
    struct stage *const f = *state;
    start_with_a_bot(f);
    say(f, "tavern", "Dot", "join");
    assert_true(waits_named(tavern(f), "Dot"));
    wait_for_seat(f, "Dot");
    assert_int_equal(seat_named(tavern(f), "Dot"), 2);
    assert_non_null(fake_newest(f->chat, CHAT_HAND, "tavern", "Dot"));
    say(f, "tavern", "Dot", "orders clear");
    assert_non_null(shown(f->chat, "Dot", TEXT_SESSION_ORDERS_CLEAR, NULL));
}

// Somebody else of the same name is nobody's owner of that seat, and sees nothing of its hand.
static void a_name_that_waits_for_a_seat_is_taken(void **state)
{
    struct stage *const f = *state;
    start_with_a_bot(f);
    const char *const said[][2] = {{"id-1", "join"}, {"id-2", "status"}, {"id-2", "hand"}};
    for (size_t i = 0; i < sizeof said / sizeof said[0]; i++) {
        const struct chat_in in = {
            .place = "tavern", .name = "Dot", .person = said[i][0], .line = said[i][1]};
        stage_pass(f, HALL_PERSON_REFILL_MS);
        assert_true(fake_hear_in(f->chat, &in));
        hall_hear(f->hall);
        assert_int_equal(waits_named(tavern(f), "Dot"), i < 2);
        if (i == 1) {
            wait_for_seat(f, "Dot");
        }
    }
    assert_int_equal(seat_named(tavern(f), "Dot"), 2);
    assert_non_null(fake_newest(f->chat, CHAT_HAND, "tavern", "id-1"));
    assert_null(fake_newest(f->chat, CHAT_HAND, "tavern", "id-2"));
}

// Two of one name in one community have numbers of their own, whatever they are called at a table.
static void statistics_know_people_by_their_ids(void **state)
{
    struct stage *const f = *state;
    const char *const lines[] = {"new sets=classic", "add-bot", "add-bot", "start"};
    struct chat_in in = {.place = "tavern", .community = "town", .person = "id-1", .name = "Ann"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        in.line = lines[i];
        stage_pass(f, HALL_PERSON_REFILL_MS);
        assert_true(fake_hear_in(f->chat, &in));
        hall_hear(f->hall);
    }
    for (unsigned i = 0; i < 100000 && table_state(tavern(f)) == TABLE_RUNNING; i++) {
        go_on(f, f->chat, "id-1");
        fake_forget(f->chat);
    }
    assert_int_equal(table_state(tavern(f)), TABLE_OVER);
    in.line = "stats";
    for (unsigned person = 1; person <= 2; person++) {
        in.person = person == 1 ? "id-1" : "id-2";
        stage_pass(f, HALL_PERSON_REFILL_MS);
        fake_forget(f->chat);
        assert_true(fake_hear_in(f->chat, &in));
        hall_hear(f->hall);
        assert_int_equal(fake_find(f->chat, in.person, "1 game finished") != NULL, person == 1);
        assert_int_equal(shown(f->chat, in.person, TEXT_STATS_NONE, NULL) != NULL, person == 2);
    }
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(several_tables_do_not_mix),
        CASE(a_place_without_a_table_answers),
        CASE(a_chat_without_privacy_gets_no_table),
        CASE(people_of_the_same_name_are_two),
        CASE(a_name_that_is_hard_to_type_comes_with_advice),
        CASE(the_same_event_is_heard_once),
        CASE(a_thousand_commands_in_a_second_are_cut_off),
        CASE(many_who_flood_one_table_leave_others_alone),
        CASE(a_person_at_two_tables_says_which),
        CASE(nobody_sits_at_every_table),
        CASE(a_table_that_ended_answers_politely),
        CASE(a_pressed_button_acts_once),
        CASE(the_card_is_sent_when_and_only_when_it_changes),
        CASE(hands_go_to_their_owners_alone),
        CASE(bots_between_two_decisions_are_one_message),
        CASE(a_chat_that_cannot_edit_hears_less),
        CASE(what_a_chat_cannot_take_now_comes_later_in_order),
        CASE(what_is_given_up_is_owned_up_to),
        CASE(who_cannot_be_written_to_is_told_aloud_without_secrets),
        CASE(a_table_that_all_have_left_rests),
        CASE(tables_nobody_speaks_at_are_cleared_away),
        CASE(strangers_are_forgotten_in_time),
        CASE(a_late_joiner_is_told_of_the_seat_and_its_hand),
        CASE(a_name_that_waits_for_a_seat_is_taken),
        CASE(statistics_know_people_by_their_ids),
    };
    catalog = given_catalog();
    const int failed = cmocka_run_group_tests_name("hall", tests, NULL, NULL);
    catalog_destroy(catalog);
    return failed;
}
