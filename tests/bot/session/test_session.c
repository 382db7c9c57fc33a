#include <stdlib.h>
#include <string.h>

#include "core/rng.h"

#include "bot/session/desk.h"
#include "bot/session/session.h"

#include "adapters/fake/fake.h"

#include "tests/support/chance.h"
#include "tests/support/table.h"
#include "tests/support/test.h"

// A table at a fake chat; people say things, the desk deals with them.
struct fixture {
    struct catalog *catalog;
    struct session *session;
    struct chat_queue queue;
    struct chat *chat;
    struct desk desk;
};

static int set_up(void **state)
{
    chance_fix();
    struct fixture *const f = calloc(1, sizeof *f);
    struct mb_error err = {0};
    f->catalog = given_catalog();
    f->session = session_create(f->catalog, NULL);
    chat_queue_init(&f->queue);
    f->chat = fake_create(&f->queue);
    assert_true(chat_start(f->chat, &err));
    f->desk = (struct desk){
        .session = f->session, .chat = f->chat, .queue = &f->queue, .place = "tavern"};
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *const f = *state;
    session_destroy(f->session);
    chat_destroy(f->chat);
    chat_queue_finish(&f->queue);
    catalog_destroy(f->catalog);
    free(f);
    return 0;
}

static void say(struct fixture *f, const char *person, const char *line)
{
    assert_true(fake_hear(f->chat, "tavern", person, line));
    desk_hear(&f->desk);
}

// The code a line is refused with, or REFUSAL_NONE.
static unsigned code_of(struct fixture *f, const char *person, const char *line)
{
    struct refusal why = {0};
    const bool accepted = session_person_line(f->session, person, line, &why);
    message_list_clear(session_outbox(f->session));
    assert_int_equal(accepted, why.code == REFUSAL_NONE);
    return why.code;
}

static void seat_three(struct fixture *f)
{
    say(f, "Ann", "new sets=classic");
    say(f, "Bob", "join male");
    say(f, "Cy", "join female");
    assert_int_equal(session_seat_count(f->session), 3);
}

static void a_table_is_opened_and_filled_in_chat(void **state)
{
    struct fixture *const f = *state;
    assert_int_equal(session_state(f->session), SESSION_EMPTY);
    seat_three(f);
    assert_int_equal(session_state(f->session), SESSION_LOBBY);
    assert_non_null(fake_find(f->chat, NULL, "Cy sits down"));
    say(f, "Ann", "start");
    assert_int_equal(session_state(f->session), SESSION_RUNNING);
    assert_int_equal(query_phase(session_game(f->session)), PHASE_SETUP);
}

static void the_lobby_refuses_with_codes(void **state)
{
    struct fixture *const f = *state;
    assert_int_equal(code_of(f, "Ann", "start"), REFUSAL_NO_TABLE);
    assert_int_equal(code_of(f, "Ann", "join"), REFUSAL_NO_TABLE);
    assert_int_equal(code_of(f, "Ann", "kick"), REFUSAL_NO_TABLE);
    assert_int_equal(code_of(f, "Ann", "status"), REFUSAL_NO_TABLE);
    assert_int_equal(code_of(f, "Ann", "new sets=clasic"), REFUSAL_BAD_ARGUMENTS);
    assert_int_equal(code_of(f, "Ann", "new sets=classic players=3"), REFUSAL_NONE);
    assert_int_equal(code_of(f, "Bob", "new"), REFUSAL_TABLE_RUNNING);
    assert_int_equal(code_of(f, "Ann", "start"), REFUSAL_TOO_FEW_PLAYERS);
    assert_int_equal(code_of(f, "Bob", "start"), REFUSAL_NOT_AT_TABLE);
    assert_int_equal(code_of(f, "Bob", "leave"), REFUSAL_NOT_AT_TABLE);
    assert_int_equal(code_of(f, "Bob", "join"), REFUSAL_NONE);
    assert_int_equal(code_of(f, "Bob", "start"), REFUSAL_NOT_HOST);
    assert_int_equal(code_of(f, "Bob", "add-bot clever"), REFUSAL_BAD_ARGUMENTS);
    assert_int_equal(code_of(f, "Bob", "add-bot"), REFUSAL_NONE);
    assert_int_equal(code_of(f, "Cy", "join"), REFUSAL_TABLE_FULL);
    assert_int_equal(code_of(f, "Ann", "start"), REFUSAL_NONE);
    assert_int_equal(code_of(f, "Ann", "start"), REFUSAL_TABLE_RUNNING);
    assert_int_equal(code_of(f, "Dot", "done"), REFUSAL_NOT_AT_TABLE);
    assert_int_equal(code_of(f, "Ann", "dance"), REFUSAL_UNKNOWN_COMMAND);
}

static void the_host_passes_on(void **state)
{
    struct fixture *const f = *state;
    seat_three(f);
    say(f, "Ann", "leave");
    assert_non_null(fake_find(f->chat, NULL, "Bob is the host"));
    assert_int_equal(session_seat_count(f->session), 2);
    assert_int_equal(session_find_seat(f->session, "cy"), 1);
}

static void who_leaves_a_game_may_come_back(void **state)
{
    struct fixture *const f = *state;
    seat_three(f);
    say(f, "Ann", "start");
    say(f, "Bob", "leave");
    assert_true(session_seat_is_bot(f->session, 1));
    assert_int_equal(code_of(f, "Dot", "join"), REFUSAL_TABLE_FULL);
    say(f, "Bob", "join");
    assert_false(session_seat_is_bot(f->session, 1));
}

static void a_paused_table_rests(void **state)
{
    struct fixture *const f = *state;
    seat_three(f);
    say(f, "Ann", "start");
    say(f, "Ann", "pause");
    assert_int_equal(session_due(f->session).kind, SESSION_DUE_NEVER);
    const uint64_t digest = game_digest(session_game(f->session));
    desk_advance(&f->desk, 1000000000);
    assert_int_equal(game_digest(session_game(f->session)), digest);
    assert_int_not_equal(code_of(f, "Ann", "done"), REFUSAL_NONE);
    say(f, "Ann", "resume");
    assert_int_equal(code_of(f, "Ann", "done"), REFUSAL_NONE);
}

static void hands_are_told_to_their_owners_only(void **state)
{
    struct fixture *const f = *state;
    seat_three(f);
    say(f, "Ann", "start");
    struct card_list hand;
    query_pile(session_game(f->session), pile_hand(1), &hand);
    assert_int_not_equal(hand.count, 0); // eight, but for cards that act when they are drawn
    fake_forget(f->chat);
    say(f, "Bob", "hand");
    for (unsigned i = 0; i < hand.count; i++) {
        const unsigned def = session_box(f->session)->card_def[hand.cards[i]];
        const char *const name = catalog_name(f->catalog, def);
        assert_non_null(fake_find(f->chat, "Bob", name));
        assert_null(fake_find(f->chat, NULL, name));
        assert_null(fake_find(f->chat, "Ann", name));
    }
}

static void a_refusal_changes_nothing_and_is_private(void **state)
{
    struct fixture *const f = *state;
    seat_three(f);
    say(f, "Ann", "start");
    const uint64_t digest = game_digest(session_game(f->session));
    fake_forget(f->chat);
    say(f, "Bob", "loot");
    assert_int_equal(game_digest(session_game(f->session)), digest);
    assert_int_equal(fake_count(f->chat), 1);
    assert_string_equal(fake_message(f->chat, 0)->person, "Bob");
    assert_int_equal(fake_message(f->chat, 0)->kind, CHAT_REPLY);
}

static void looking_answers(void **state)
{
    struct fixture *const f = *state;
    const char *const lines[] = {"status",    "hand",     "score",        "help",
                                 "help kick", "log",      "log 3",        "rules",
                                 "why done",  "why loot", "orders clear", "card Net Troll"};
    seat_three(f);
    say(f, "Ann", "start");
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        const uint64_t digest = game_digest(session_game(f->session));
        fake_forget(f->chat);
        say(f, "Bob", lines[i]);
        assert_int_equal(fake_count(f->chat), 1);
        assert_string_equal(fake_message(f->chat, 0)->person, "Bob");
        assert_true(strlen(fake_message(f->chat, 0)->text) > 0);
        assert_int_equal(game_digest(session_game(f->session)), digest);
    }
}

static void a_lost_message_is_counted(void **state)
{
    struct fixture *const f = *state;
    fake_fail_at(f->chat, 1);
    say(f, "Ann", "new sets=classic");
    assert_int_equal(f->desk.lost, 1);
}

static void what_is_said_elsewhere_is_not_heard(void **state)
{
    struct fixture *const f = *state;
    assert_true(fake_hear(f->chat, "cellar", "Ann", "new sets=classic"));
    desk_hear(&f->desk);
    assert_int_equal(session_state(f->session), SESSION_EMPTY);
}

static void bots_play_to_the_end_by_themselves(void **state)
{
    struct fixture *const f = *state;
    struct table_options options;
    struct mb_error err = {0};
    uint8_t seed[32];
    table_options_init(&options);
    assert_true(table_options_words(&options, f->catalog, "sets=classic", &err));
    assert_true(session_open(f->session, &options, &err));
    assert_int_equal(session_sit(f->session, "Ada", true, &POLICY_RANDOM), 0);
    assert_int_equal(session_sit(f->session, "Ben", false, &POLICY_RANDOM), 1);
    assert_int_equal(session_sit(f->session, "ada", false, &POLICY_RANDOM), NO_SEAT);
    assert_int_equal(session_sit(f->session, "Cleo", true, &POLICY_RANDOM), 2);
    mb_rng_seed_u64(seed, 11);
    assert_true(session_start(f->session, seed, &err));
    for (unsigned i = 0; i < 200000 && session_state(f->session) == SESSION_RUNNING; i++) {
        const struct session_due due = session_due(f->session);
        assert_int_not_equal(due.kind, SESSION_DUE_NEVER);
        session_advance(f->session, due.ms);
        message_list_clear(session_outbox(f->session));
    }
    assert_int_equal(session_state(f->session), SESSION_OVER);
    assert_int_not_equal(query_winners(session_game(f->session)), 0);
    struct refusal why = {0};
    assert_false(session_line(f->session, 0, "kick", &why));
    assert_int_equal(why.code, REFUSAL_GAME_OVER);
    // Who has the name of a bot player does not play its cards.
    assert_int_equal(code_of(f, "Ada", "kick"), REFUSAL_NOT_AT_TABLE);
}

static void what_people_type_makes_no_marks(void **state)
{
    struct fixture *const f = *state;
    session_marks(f->session, true);
    say(f, "A\x10nn\033[2J", "new sets=classic");
    say(f, "Bob", "join male");
    say(f, "Cy", "join female");
    assert_string_equal(session_seat_name(f->session, 0), "A?nn?[2J");
    assert_int_equal(session_find_seat(f->session, "A\x10nn\033[2J"), 0);
    say(f, "A\x10nn\033[2J", "start");
    const struct message_list *const outbox = session_outbox(f->session);
    const char *const lines[] = {"help \x14red", "rules \x14red", "\x14red", "card \x14red",
                                 "kick \x14red"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        message_list_clear(session_outbox(f->session));
        (void)session_person_line(f->session, "Bob", lines[i], NULL);
        assert_int_equal(outbox->count, 1);
        const char *const red = strstr(outbox->items[0].text, "red");
        assert_true(red == NULL || red[-1] != '\x14');
    }
    // Marks of the bot's own are there all the same.
    message_list_clear(session_outbox(f->session));
    (void)session_person_line(f->session, "Bob", "status", NULL);
    assert_non_null(strstr(outbox->items[0].text, "\x13"
                                                  "Bob\x17"));
}

static void a_silent_table_goes_on_by_its_clocks(void **state)
{
    struct fixture *const f = *state;
    seat_three(f);
    say(f, "Ann", "start");
    // Nobody ever says a word; every clock takes the default. Nothing gets stuck before it rests.
    struct session_due due = session_due(f->session);
    for (unsigned i = 0; i < 1000 && due.kind != SESSION_DUE_NEVER; i++) {
        desk_advance(&f->desk, due.ms);
        due = session_due(f->session);
    }
    assert_non_null(fake_find(f->chat, NULL, "Nobody has played for two rounds"));
    assert_true(query_round(session_game(f->session)) > 3);
}

static void a_restart_changes_nothing(void **state)
{
    struct fixture *const f = *state;
    struct mb_error err = {0};
    seat_three(f);
    say(f, "Ann", "start");
    const uint64_t digest = game_digest(session_game(f->session));
    assert_true(session_restart(f->session, &err));
    assert_int_equal(game_digest(session_game(f->session)), digest);
    say(f, "Ann", "done");
    assert_int_not_equal(game_digest(session_game(f->session)), digest);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_table_is_opened_and_filled_in_chat),
        CASE(the_lobby_refuses_with_codes),
        CASE(the_host_passes_on),
        CASE(who_leaves_a_game_may_come_back),
        CASE(a_paused_table_rests),
        CASE(hands_are_told_to_their_owners_only),
        CASE(a_refusal_changes_nothing_and_is_private),
        CASE(looking_answers),
        CASE(a_lost_message_is_counted),
        CASE(what_is_said_elsewhere_is_not_heard),
        CASE(bots_play_to_the_end_by_themselves),
        CASE(what_people_type_makes_no_marks),
        CASE(a_silent_table_goes_on_by_its_clocks),
        CASE(a_restart_changes_nothing),
    };
    return cmocka_run_group_tests_name("session", tests, NULL, NULL);
}
