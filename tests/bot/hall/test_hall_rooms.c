// A room of the table's own: made when the game starts, of the card that lay there; the way to it
// stays; and every way in which it is not made, or goes again.
#include <stdio.h>
#include <string.h>

#include "bot/hall/hall_limits.h"

#include "tests/support/shown.h"
#include "tests/support/stage_case.h"
#include "tests/support/test.h"

enum { ROOM_CAPS = FAKE_CAPS_ALL | CHAT_CAP_ROOM, SECOND_MS = 1000 };

static const char PLACE[] = "tavern";
static const char ROOM[] = "room";
static const char TOWN[] = "town";

static int set_up_on(void **state, enum stage_engine engine)
{
    (void)stage_case_open_on(state, engine);
    struct stage *const stage = stage_of(state);
    fake_can(stage->chat, ROOM_CAPS);
    stage_again(stage);
    return 0;
}

static int set_up(void **state)
{
    return set_up_on(state, STAGE_MEMORY);
}

static int set_up_sqlite(void **state)
{
    return set_up_on(state, STAGE_SQLITE);
}

static void say_at(struct stage *stage, const char *place, const char *person, const char *line)
{
    const struct chat_in in = {
        .place = place, .community = TOWN, .person = person, .line = line, .open = true};
    stage_pass(stage, SECOND_MS);
    stage_hear(stage, stage->chat, &in);
}

static void tell(struct stage *stage, enum chat_in_kind kind, const char *place)
{
    const struct chat_in in = {.kind = kind, .place = place, .community = TOWN};
    assert_true(fake_news(stage->chat, &in));
    hall_hear(stage->hall);
    stage_pass(stage, 0);
}

// A lobby of three people and a bot player.
static void open_lobby(struct stage *stage, const char *options)
{
    char line[CHAT_LINE_SIZE];
    (void)snprintf(line, sizeof line, "new sets=classic %s", options);
    say_at(stage, PLACE, "Ann", line);
    say_at(stage, PLACE, "Bob", "join");
    say_at(stage, PLACE, "Cy", "join");
    say_at(stage, PLACE, "Ann", "add-bot");
}

static void start(struct stage *stage)
{
    open_lobby(stage, "");
    say_at(stage, PLACE, "Ann", "start");
}

static enum table_state state_at(struct stage *stage, const char *place)
{
    const struct table *const table = stage_table(stage, place);
    return table != NULL ? table_state(table) : TABLE_EMPTY;
}

static const struct fake_message *card_at(const struct stage *stage, const char *place)
{
    const struct fake_message *const card = fake_newest(stage->chat, CHAT_CARD, place, NULL);
    assert_non_null(card);
    return card;
}

static size_t rooms_asked(const struct stage *stage)
{
    return fake_count_of(stage->chat, CHAT_ROOM);
}

static void press_at(struct stage *stage, const struct fake_message *card, size_t control,
                     const char *person)
{
    const struct chat_in in = {.place = card->place,
                               .community = TOWN,
                               .person = person,
                               .line = "",
                               .pressed = (uint16_t)(control + 1)};
    stage_press(stage, stage->chat, card, &in);
}

static void has_said(const struct stage *stage, const char *place, enum text_id id)
{
    const struct fake_message *const message = shown(stage->chat, NULL, id, NULL);
    assert_non_null(message);
    assert_string_equal(message->place, place);
}

/* As it should be. */

static void a_game_moves_into_a_room_and_leaves_the_way(void **state)
{
    struct stage *const stage = stage_of(state);
    open_lobby(stage, "");
    char lobby[CHAT_TABLE_SIZE];
    (void)snprintf(lobby, sizeof lobby, "%s", card_at(stage, PLACE)->id);
    say_at(stage, PLACE, "Ann", "start");
    const struct fake_message *const room = fake_newest(stage->chat, CHAT_ROOM, PLACE, NULL);
    assert_non_null(room);
    assert_string_equal(room->text, "Game of Ann, Bob, Cy and Mildred");
    assert_string_equal(room->replaces, lobby);
    assert_string_equal(room->pings, "Ann Bob Cy ");
    assert_int_equal(state_at(stage, ROOM), TABLE_RUNNING);
    assert_string_equal(table_site_name(stage_table(stage, ROOM), 0), PLACE);
    assert_string_equal(card_at(stage, ROOM)->replaces, ""); // another message than the lobby's
    const struct fake_message *const way = card_at(stage, PLACE);
    assert_string_equal(way->id, lobby);
    assert_string_equal(way->moved, ROOM);
    assert_non_null(strstr(way->text, "Ann, Bob, Cy"));
    assert_int_equal(way->control_count, 1);
    for (size_t i = 0; i < fake_count(stage->chat); i++) { // hands say where they belong
        const struct fake_message *const message = fake_message(stage->chat, i);
        assert_true(message->kind != CHAT_HAND || strstr(message->text, "Your hand") == NULL ||
                    strcmp(message->place, ROOM) == 0);
    }
    // The parent is free for another table, and this one is heard in its room.
    say_at(stage, PLACE, "Dot", "new sets=classic");
    assert_int_equal(state_at(stage, PLACE), TABLE_LOBBY);
    stage_restart(stage);
    say_at(stage, ROOM, "Ann", "pause");
    assert_int_equal(state_at(stage, ROOM), TABLE_PAUSED);
}

static void without_a_thread_it_stays(void **state)
{
    struct stage *const stage = stage_of(state);
    open_lobby(stage, "thread=off");
    say_at(stage, PLACE, "Ann", "start");
    assert_int_equal(rooms_asked(stage), 0);
    assert_int_equal(state_at(stage, PLACE), TABLE_RUNNING);
    assert_null(shown(stage->chat, NULL, TEXT_ROOM_NONE, NULL));
}

static void who_sits_down_late_is_called_into_the_room(void **state)
{
    struct stage *const stage = stage_of(state);
    start(stage);
    press_at(stage, card_at(stage, PLACE), 0, "Dot");
    const struct fake_message *const called = fake_newest(stage->chat, CHAT_ROOM, ROOM, NULL);
    assert_non_null(called);
    assert_string_equal(called->pings, "Dot ");
    assert_string_equal(called->text, "");
    const struct fake_message *const way = card_at(stage, PLACE); // no seat is free any more
    assert_int_equal(way->control_count, 0);
    assert_null(strstr(way->text, "seat is free"));
    fake_forget(stage->chat);
    say_at(stage, ROOM, "Ann", "pause");
    assert_int_equal(rooms_asked(stage), 0); // nobody twice
}

static void when_it_is_over_the_way_offers_another_game(void **state)
{
    struct stage *const stage = stage_of(state);
    open_lobby(stage, "players=5 pace=slow window=90 flag=removal_pays variant=epic");
    say_at(stage, PLACE, "Ann", "start");
    say_at(stage, ROOM, "Ann", "end");
    say_at(stage, ROOM, "Ann", "end");
    assert_int_equal(state_at(stage, ROOM), TABLE_OVER);
    has_said(stage, PLACE, TEXT_SESSION_NEW); // of the lobby, until now
    stage_restart(stage);
    const struct fake_message *const way = card_at(stage, PLACE);
    assert_int_equal(way->control_count, 3); // another game, the story, the proof
    assert_string_equal(way->controls[0].line, "new");
    press_at(stage, way, 0, "Eve"); // who was not there plays with whoever comes
    assert_int_equal(state_at(stage, PLACE), TABLE_LOBBY);
    assert_int_equal(state_at(stage, ROOM), TABLE_OVER);
    const struct fake_message *const lobby = card_at(stage, PLACE);
    assert_string_not_equal(lobby->id, way->id);
    assert_non_null(strstr(lobby->text, "1 of 5"));
    press_at(stage, way, 0, "Dot"); // there is a table already
    assert_int_equal(state_at(stage, PLACE), TABLE_LOBBY);
    assert_non_null(strstr(card_at(stage, PLACE)->text, "1 of 5"));
    assert_non_null(shown(stage->chat, "Dot", TEXT_SESSION_OPEN_THERE, NULL));
}

// Strangers play where the last game was opened: who asks for another one is told where, and what
// to do.
static void again_beside_another_game_says_where_to_go_on(void **state)
{
    struct stage *const stage = stage_of(state);
    start(stage);
    say_at(stage, ROOM, "Ann", "end");
    say_at(stage, ROOM, "Ann", "end");
    fake_can(stage->chat, ROOM_CAPS & ~(uint32_t)CHAT_CAP_ROOM);
    stage_again(stage);
    say_at(stage, PLACE, "Eve", "new sets=classic");
    say_at(stage, ROOM, "Ann", "new");
    assert_non_null(shown(stage->chat, "Ann", TEXT_SESSION_OPEN_THERE, NULL));
    say_at(stage, PLACE, "Eve", "add-bot");
    say_at(stage, PLACE, "Eve", "add-bot");
    say_at(stage, PLACE, "Eve", "start");
    assert_int_equal(state_at(stage, PLACE), TABLE_RUNNING);
    say_at(stage, ROOM, "Ann", "new");
    assert_non_null(shown(stage->chat, "Ann", TEXT_SESSION_RUNS_THERE, NULL));
    assert_int_equal(state_at(stage, PLACE), TABLE_RUNNING);
}

// The story of a game is archived with nothing of it: its button says so, and what to do.
static void the_story_of_an_archived_game_says_where_it_is(void **state)
{
    struct stage *const stage = stage_of(state);
    fake_can(stage->chat, ROOM_CAPS & ~(uint32_t)CHAT_CAP_ROOM);
    stage_again(stage);
    start(stage);
    say_at(stage, PLACE, "Ann", "end");
    say_at(stage, PLACE, "Ann", "end");
    const struct fake_message result = *card_at(stage, PLACE);
    assert_string_equal(result.controls[1].line, "log");
    say_at(stage, PLACE, "Eve", "new sets=classic");
    press_at(stage, &result, 1, "Bob");
    assert_non_null(shown(stage->chat, "Bob", TEXT_HALL_STORY_AWAY, NULL));
    press_at(stage, &result, 0, "Bob");
    assert_non_null(shown(stage->chat, "Bob", TEXT_SESSION_OPEN_THERE, NULL));
}

static void another_game_is_opened_where_the_last_one_was(void **state)
{
    struct stage *const stage = stage_of(state);
    start(stage);
    say_at(stage, ROOM, "Ann", "end");
    say_at(stage, ROOM, "Ann", "end");
    fake_forget(stage->chat);
    say_at(stage, ROOM, "Ann", "new");
    assert_int_equal(state_at(stage, ROOM), TABLE_OVER);
    assert_int_equal(state_at(stage, PLACE), TABLE_LOBBY);
    const struct fake_message *const lobby = card_at(stage, PLACE);
    assert_non_null(strstr(lobby->text, "asked to play again"));
    assert_string_equal(lobby->controls[0].label, "I'm in");
}

static bool offers(const struct fake_message *card, const char *line)
{
    bool found = false;
    for (size_t i = 0; i < card->control_count; i++) {
        found = found || strcmp(card->controls[i].line, line) == 0;
    }
    return found;
}

static void a_full_table_offers_no_seat(void **state)
{
    struct stage *const stage = stage_of(state);
    open_lobby(stage, "players=5");
    assert_true(offers(card_at(stage, PLACE), "join") && offers(card_at(stage, PLACE), "add-bot"));
    say_at(stage, PLACE, "Ann", "add-bot");
    assert_false(offers(card_at(stage, PLACE), "join") || offers(card_at(stage, PLACE), "add-bot"));
    assert_true(offers(card_at(stage, PLACE), "start"));
    say_at(stage, PLACE, "Cy", "leave");
    assert_true(offers(card_at(stage, PLACE), "join"));
}

static void what_was_pressed_on_the_lobby_is_stale(void **state)
{
    struct stage *const stage = stage_of(state);
    open_lobby(stage, "");
    const struct fake_message *const lobby = card_at(stage, PLACE);
    say_at(stage, PLACE, "Ann", "start");
    const unsigned long stale = hall_stats(stage->hall)->stale;
    for (size_t i = 0; i < lobby->control_count; i++) {
        press_at(stage, lobby, i, "Dot");
    }
    assert_int_equal(hall_stats(stage->hall)->stale, stale + lobby->control_count);
    assert_int_equal(
        table_waits_for(stage_table(stage, ROOM), &(struct person){.network = "fake", .id = "Dot"}),
        NO_SEAT);
}

/* As it should not. */

// Everything has arrived, but for the room.
static void wait_for_room(struct stage *stage)
{
    open_lobby(stage, "");
    fake_hold(stage->chat, true);
    say_at(stage, PLACE, "Ann", "start");
    while (fake_oldest(stage->chat) != NULL && fake_oldest(stage->chat)->kind != CHAT_ROOM) {
        assert_true(fake_deliver(stage->chat, NULL));
    }
    assert_int_equal(fake_waiting(stage->chat), 1);
    stage_pass(stage, 0);
    assert_true(table_is_starting(stage_table(stage, PLACE))); // what is said waits
}

static void let_all_arrive(struct stage *stage)
{
    fake_hold(stage->chat, false);
    while (fake_deliver(stage->chat, NULL)) {
    }
    stage_pass(stage, SECOND_MS);
    assert_int_equal(stage_unsent(stage), 0);
}

static void a_room_that_is_refused_leaves_the_game_where_it_is(void **state)
{
    struct stage *const stage = stage_of(state);
    wait_for_room(stage);
    assert_true(fake_refuse(stage->chat, NULL, CHAT_REFUSED));
    let_all_arrive(stage);
    assert_int_equal(state_at(stage, PLACE), TABLE_RUNNING);
    has_said(stage, PLACE, TEXT_ROOM_NONE);
}

static void a_room_is_waited_for_ten_seconds(void **state)
{
    struct stage *const stage = stage_of(state);
    wait_for_room(stage);
    stage_pass(stage, HALL_ROOM_MS - SECOND_MS);
    assert_true(table_is_starting(stage_table(stage, PLACE)));
    stage_pass(stage, INT64_C(2) * SECOND_MS);
    assert_int_equal(state_at(stage, PLACE), TABLE_RUNNING);
    // It comes all the same, and nobody goes there.
    let_all_arrive(stage);
    has_said(stage, PLACE, TEXT_ROOM_NONE);
    assert_null(stage_table(stage, ROOM));
    assert_int_equal(state_at(stage, PLACE), TABLE_RUNNING);
    stage_restart(stage);
    say_at(stage, PLACE, "Ann", "status");
    assert_int_equal(rooms_asked(stage), 1);
}

static void die(struct stage *stage, bool arrives)
{
    struct mb_error err = {0};
    chat_listen(stage->chat, NULL, NULL);
    if (arrives) {
        assert_true(fake_deliver(stage->chat, NULL));
    }
    chat_stop(stage->chat);
    fake_hold(stage->chat, false);
    assert_true(chat_start(stage->chat, &err));
    stage_restart(stage);
    stage_pass(stage, SECOND_MS);
}

static void dies_while_it_is_made(struct stage *stage, bool arrives)
{
    wait_for_room(stage);
    die(stage, arrives);
    say_at(stage, PLACE, "Zoe", "help");
    assert_int_equal(state_at(stage, ROOM), TABLE_RUNNING);
    assert_string_equal(card_at(stage, PLACE)->moved, ROOM);
    assert_int_equal(rooms_asked(stage), 1);
    assert_int_equal(stage_unsent(stage), 0);
}

static void a_process_that_dies_while_it_is_made_makes_it(void **state)
{
    dies_while_it_is_made(stage_of(state), false);
}

static void a_process_that_dies_when_it_is_made_makes_one(void **state)
{
    dies_while_it_is_made(stage_of(state), true);
}

// The card where the table came from is the old one, whoever edits it.
static void the_way_is_one_message_whatever_dies(void **state)
{
    struct stage *const stage = stage_of(state);
    open_lobby(stage, "");
    char lobby[CHAT_TABLE_SIZE];
    (void)snprintf(lobby, sizeof lobby, "%s", card_at(stage, PLACE)->id);
    fake_hold(stage->chat, true);
    say_at(stage, PLACE, "Ann", "start");
    while (state_at(stage, ROOM) != TABLE_RUNNING) {
        assert_true(fake_deliver(stage->chat, NULL));
        stage_pass(stage, 1);
    }
    die(stage, false);
    say_at(stage, ROOM, "Zoe", "status");
    assert_string_equal(card_at(stage, PLACE)->id, lobby);
    assert_string_not_equal(card_at(stage, ROOM)->id, lobby);
}

static void a_room_that_is_deleted_lets_the_game_rest(void **state)
{
    struct stage *const stage = stage_of(state);
    start(stage);
    tell(stage, CHAT_IN_PLACE_GONE, ROOM);
    assert_null(stage_table(stage, ROOM));
    has_said(stage, PLACE, TEXT_PLACE_GONE);
    assert_string_equal(card_at(stage, PLACE)->moved, "");
    assert_non_null(shown(stage->chat, NULL, TEXT_LINK_GONE, NULL));
    stage_restart(stage);
    say_at(stage, PLACE, "Ann", "resume");
    assert_int_equal(state_at(stage, PLACE), TABLE_RUNNING);
    assert_string_equal(card_at(stage, PLACE)->controls[0].line, "done"); // its own again
}

static void with_its_parent_a_room_is_gone(void **state)
{
    struct stage *const stage = stage_of(state);
    start(stage);
    fake_forget(stage->chat);
    tell(stage, CHAT_IN_PLACE_GONE, PLACE);
    assert_null(stage_table(stage, ROOM));
    assert_non_null(shown(stage->chat, "Ann", TEXT_PLACE_GONE_HAND, NULL));
    say_at(stage, "cellar", "Ann", "resume");
    assert_int_equal(state_at(stage, "cellar"), TABLE_RUNNING);
}

static void a_room_that_falls_asleep_is_woken_while_the_game_runs(void **state)
{
    struct stage *const stage = stage_of(state);
    start(stage);
    fake_forget(stage->chat);
    tell(stage, CHAT_IN_PLACE_ASLEEP, ROOM);
    assert_int_equal(rooms_asked(stage), 1);
    assert_string_equal(fake_newest(stage->chat, CHAT_ROOM, ROOM, NULL)->pings, "");
    say_at(stage, ROOM, "Ann", "pause");
    tell(stage, CHAT_IN_PLACE_ASLEEP, ROOM);
    assert_int_equal(rooms_asked(stage), 1);
}

static void a_card_that_is_deleted_makes_no_room(void **state)
{
    struct stage *const stage = stage_of(state);
    wait_for_room(stage);
    fake_remove(stage->chat, card_at(stage, PLACE)->id);
    let_all_arrive(stage);
    assert_int_equal(state_at(stage, PLACE), TABLE_RUNNING);
    has_said(stage, PLACE, TEXT_ROOM_NONE);
}

#define CASE(test)                                                                                 \
    cmocka_unit_test_setup_teardown(test, set_up, stage_case_close),                               \
        cmocka_unit_test_setup_teardown(test, set_up_sqlite, stage_case_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_game_moves_into_a_room_and_leaves_the_way),
        CASE(without_a_thread_it_stays),
        CASE(who_sits_down_late_is_called_into_the_room),
        CASE(when_it_is_over_the_way_offers_another_game),
        CASE(another_game_is_opened_where_the_last_one_was),
        CASE(again_beside_another_game_says_where_to_go_on),
        CASE(the_story_of_an_archived_game_says_where_it_is),
        CASE(a_full_table_offers_no_seat),
        CASE(what_was_pressed_on_the_lobby_is_stale),
        CASE(a_room_that_is_refused_leaves_the_game_where_it_is),
        CASE(a_room_is_waited_for_ten_seconds),
        CASE(a_process_that_dies_while_it_is_made_makes_it),
        CASE(a_process_that_dies_when_it_is_made_makes_one),
        CASE(the_way_is_one_message_whatever_dies),
        CASE(a_room_that_is_deleted_lets_the_game_rest),
        CASE(with_its_parent_a_room_is_gone),
        CASE(a_room_that_falls_asleep_is_woken_while_the_game_runs),
        CASE(a_card_that_is_deleted_makes_no_room),
    };
    return cmocka_run_group_tests_name("hall_rooms", tests, NULL, NULL);
}
