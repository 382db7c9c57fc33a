// Places that are locked, closed to the bot, deleted or moved, and people who leave the community:
// no table is lost, and no lock is played around.
#include <stdio.h>
#include <string.h>

#include "tests/support/shown.h"
#include "tests/support/stage_case.h"
#include "tests/support/test.h"

#define HOUR_MS INT64_C(3600000)
#define DAY_MS  (24 * HOUR_MS)

static const char PLACE[] = "tavern";
static const char CELLAR[] = "cellar";
static const char TOWN[] = "town";

static int set_up(void **state)
{
    return stage_case_open(state);
}

static int set_up_sqlite(void **state)
{
    return stage_case_open_on(state, STAGE_SQLITE);
}

static void say_at(struct stage *stage, const char *place, const char *community,
                   const char *person, const char *line)
{
    const struct chat_in in = {
        .place = place, .community = community, .person = person, .line = line, .open = true};
    stage_pass(stage, 1000);
    stage_hear(stage, stage->chat, &in);
}

static const char *const STARTS[][2] = {{"Ann", "new sets=classic"},
                                        {"Bob", "join"},
                                        {"Cy", "join"},
                                        {"Ann", "start"},
                                        {"Ann", "done"},
                                        {"Bob", "done"},
                                        {"Cy", "done"}};

static void start(struct stage *stage)
{
    for (size_t i = 0; i < sizeof STARTS / sizeof STARTS[0]; i++) {
        say_at(stage, PLACE, TOWN, STARTS[i][0], STARTS[i][1]);
    }
    fake_forget(stage->chat);
}

static void tell(struct stage *stage, enum chat_in_kind kind)
{
    const struct chat_in in = {.kind = kind, .place = PLACE, .community = TOWN};
    assert_true(fake_news(stage->chat, &in));
    hall_hear(stage->hall);
    stage_pass(stage, 0);
}

static void tell_of(struct stage *stage, enum chat_in_kind kind, const char *person,
                    const char *community)
{
    const struct chat_in in = {
        .kind = kind, .place = PLACE, .community = community, .person = person};
    assert_true(fake_news(stage->chat, &in));
    hall_hear(stage->hall);
    stage_pass(stage, 0);
}

static enum table_state state_of(struct stage *stage, const char *place)
{
    const struct table *const table = stage_table(stage, place);
    return table != NULL ? table_state(table) : TABLE_EMPTY;
}

// Fetches the table there.
static void look(struct stage *stage, const char *place)
{
    say_at(stage, place, TOWN, "Zoe", "status");
}

static void a_lock_pauses_until_it_is_opened(void **state)
{
    struct stage *const stage = stage_of(state);
    start(stage);
    tell(stage, CHAT_IN_PLACE_CLOSED);
    assert_int_equal(state_of(stage, PLACE), TABLE_PAUSED);
    assert_int_equal(fake_count_of(stage->chat, CHAT_NARRATION), 0); // who could read it?
    assert_int_equal(fake_count_of(stage->chat, CHAT_CARD), 0);
    stage_restart(stage);
    stage_pass(stage, 2 * DAY_MS);
    stage_whisper(stage, "Ann", "resume");
    assert_non_null(shown(stage->chat, "Ann", TEXT_PLACE_SHUT, NULL));
    look(stage, PLACE);
    say_at(stage, PLACE, TOWN, "Ann", "resume"); // a moderator's lock is not played around
    assert_int_equal(state_of(stage, PLACE), TABLE_PAUSED);
    tell(stage, CHAT_IN_PLACE_OPEN);
    assert_int_equal(state_of(stage, PLACE), TABLE_RUNNING);
    assert_non_null(shown(stage->chat, NULL, TEXT_PLACE_OPEN, NULL));
    const size_t count = fake_count(stage->chat);
    tell(stage, CHAT_IN_PLACE_OPEN); // it was
    assert_int_equal(fake_count(stage->chat), count);
}

static void what_was_paused_stays_paused(void **state)
{
    struct stage *const stage = stage_of(state);
    start(stage);
    say_at(stage, PLACE, TOWN, "Ann", "pause");
    tell(stage, CHAT_IN_PLACE_CLOSED);
    tell(stage, CHAT_IN_PLACE_OPEN);
    assert_int_equal(state_of(stage, PLACE), TABLE_PAUSED);
    say_at(stage, PLACE, TOWN, "Ann", "resume");
    assert_int_equal(state_of(stage, PLACE), TABLE_RUNNING);
}

// That the bot may not write is found out by writing; that it may again by being spoken to there.
static void where_it_may_not_write_it_waits(void **state)
{
    struct stage *const stage = stage_of(state);
    start(stage);
    fake_hold(stage->chat, true);
    say_at(stage, PLACE, TOWN, "Ann", "pause");
    while (fake_refuse(stage->chat, "", CHAT_PLACE_CLOSED)) {
    }
    fake_hold(stage->chat, false);
    hall_hear(stage->hall);
    assert_int_equal(table_shut(stage_table(stage, PLACE)), SHUT_MUTE);
    stage_whisper(stage, "Ann", "resume");
    assert_int_equal(state_of(stage, PLACE), TABLE_PAUSED);
    say_at(stage, PLACE, TOWN, "Ann", "resume");
    assert_int_equal(state_of(stage, PLACE), TABLE_RUNNING);
    assert_int_equal(table_shut(stage_table(stage, PLACE)), SHUT_NO);
}

static void lose_place(struct stage *stage)
{
    start(stage);
    tell(stage, CHAT_IN_PLACE_GONE);
    assert_null(stage_table(stage, PLACE));
    assert_non_null(shown(stage->chat, "Ann", TEXT_PLACE_GONE_HAND, NULL));
    assert_int_equal(fake_count_of(stage->chat, CHAT_NARRATION), 0);
}

static void its_host_takes_a_table_along_whose_place_is_gone(void **state)
{
    struct stage *const stage = stage_of(state);
    lose_place(stage);
    say_at(stage, CELLAR, TOWN, "Bob", "resume"); // not the host
    assert_null(stage_table(stage, CELLAR));
    stage_restart(stage);
    stage_pass(stage, 20 * DAY_MS);
    fake_forget(stage->chat);
    say_at(stage, CELLAR, "elsewhere", "Ann", "resume"); // another community
    assert_null(stage_table(stage, CELLAR));
    say_at(stage, CELLAR, TOWN, "Zoe", "resume"); // who sits nowhere
    assert_null(stage_table(stage, CELLAR));
    stage_whisper(stage, "Ann", "resume");
    assert_non_null(shown(stage->chat, "Ann", TEXT_PLACE_GONE_HAND, NULL));
    say_at(stage, CELLAR, TOWN, "Ann", "resume");
    assert_int_equal(state_of(stage, CELLAR), TABLE_RUNNING);
    assert_non_null(fake_newest(stage->chat, CHAT_CARD, CELLAR, NULL));
    assert_string_equal(shown(stage->chat, NULL, TEXT_PLACE_OPEN, NULL)->place, CELLAR);
    say_at(stage, PLACE, TOWN, "Bob", "new sets=classic"); // nothing is left of it there
    assert_int_equal(state_of(stage, PLACE), TABLE_LOBBY);
    stage_restart(stage);
    look(stage, CELLAR);
    assert_int_equal(state_of(stage, CELLAR), TABLE_RUNNING);
}

// A Matrix room is a place by itself: its host goes on in any other, and the hands say where.
static void without_communities_any_other_place_will_do(void **state)
{
    struct stage *const stage = stage_of(state);
    const struct chat_in gone = {.kind = CHAT_IN_PLACE_GONE, .place = PLACE};
    for (size_t i = 0; i < sizeof STARTS / sizeof STARTS[0]; i++) {
        say_at(stage, PLACE, "", STARTS[i][0], STARTS[i][1]);
    }
    assert_true(fake_news(stage->chat, &gone));
    hall_hear(stage->hall);
    stage_pass(stage, 0);
    assert_null(stage_table(stage, PLACE));
    fake_forget(stage->chat);
    say_at(stage, CELLAR, "", "Bob", "resume"); // not the host
    assert_null(stage_table(stage, CELLAR));
    say_at(stage, CELLAR, "", "Ann", "resume");
    assert_int_equal(state_of(stage, CELLAR), TABLE_RUNNING);
    assert_non_null(
        shown(stage->chat, "Bob", TEXT_PLACE_GOES_ON, TEXT_ARGS(text_str("there", CELLAR))));
    assert_null(shown(stage->chat, "Bob", TEXT_PLACE_GONE_HAND, NULL));
}

static void after_thirty_days_it_is_put_away(void **state)
{
    struct stage *const stage = stage_of(state);
    lose_place(stage);
    stage_pass(stage, 31 * DAY_MS);
    say_at(stage, CELLAR, TOWN, "Ann", "resume");
    assert_null(stage_table(stage, CELLAR));
}

static void what_is_put_out_of_a_community_waits_for_its_host(void **state)
{
    struct stage *const stage = stage_of(state);
    start(stage);
    tell_of(stage, CHAT_IN_COMMUNITY_GONE, "", "elsewhere");
    assert_int_equal(state_of(stage, PLACE), TABLE_RUNNING);
    tell_of(stage, CHAT_IN_COMMUNITY_GONE, "", TOWN);
    assert_null(stage_table(stage, PLACE));
    stage_restart(stage);
    stage_pass(stage, DAY_MS);
    tell_of(stage, CHAT_IN_COMMUNITY_BACK, "", TOWN);
    say_at(stage, PLACE, TOWN, "Ann", "resume");
    assert_int_equal(state_of(stage, PLACE), TABLE_RUNNING);
}

static void a_table_goes_along_when_its_place_moves(void **state)
{
    struct stage *const stage = stage_of(state);
    start(stage);
    const struct chat_in in = {.kind = CHAT_IN_PLACE_MOVED,
                               .place = PLACE,
                               .moved = CELLAR,
                               .place_name = "The cellar",
                               .community = TOWN};
    assert_true(fake_news(stage->chat, &in));
    hall_hear(stage->hall);
    stage_pass(stage, 0);
    assert_null(stage_table(stage, PLACE));
    assert_int_equal(state_of(stage, CELLAR), TABLE_RUNNING);
    assert_non_null(fake_newest(stage->chat, CHAT_CARD, CELLAR, NULL));
    assert_string_equal(table_site_name(stage_table(stage, CELLAR), 0), "The cellar");
    // The parent is free again; where the table came from it is said that it is locked.
    say_at(stage, PLACE, TOWN, "Dot", "new sets=classic");
    assert_int_equal(state_of(stage, PLACE), TABLE_LOBBY);
    stage_restart(stage);
    look(stage, CELLAR);
    const struct chat_in locked = {
        .kind = CHAT_IN_PLACE_CLOSED, .place = CELLAR, .community = TOWN};
    assert_true(fake_news(stage->chat, &locked));
    hall_hear(stage->hall);
    stage_pass(stage, 0);
    assert_string_equal(shown(stage->chat, NULL, TEXT_PLACE_LOCKED, NULL)->place, PLACE);
}

/* People. */

static void who_has_left_is_stood_in_for_and_unheard(void **state)
{
    struct stage *const stage = stage_of(state);
    start(stage);
    const char *const turn = "Ann";
    tell_of(stage, CHAT_IN_PERSON_GONE, turn, "elsewhere");
    assert_null(shown(stage->chat, NULL, TEXT_PERSON_GONE, TEXT_ARGS(text_str("who", turn))));
    tell_of(stage, CHAT_IN_PERSON_GONE, turn, TOWN);
    assert_non_null(shown(stage->chat, NULL, TEXT_PERSON_GONE, TEXT_ARGS(text_str("who", turn))));
    stage_restart(stage);
    fake_forget(stage->chat);
    stage_whisper(stage, turn, "hand");
    assert_non_null(shown(stage->chat, turn, TEXT_PERSON_UNHEARD, NULL));
    stage_whisper(stage, turn, "pause"); // nor is Ann the host any more
    look(stage, PLACE);
    assert_int_equal(state_of(stage, PLACE), TABLE_RUNNING);
    tell_of(stage, CHAT_IN_PERSON_BACK, turn, TOWN);
    fake_forget(stage->chat);
    stage_whisper(stage, turn, "hand");
    assert_null(shown(stage->chat, turn, TEXT_PERSON_UNHEARD, NULL));
}

// With a game that waits for them: nobody waits until their time is up.
static void the_game_goes_on_at_once(void **state)
{
    struct stage *const stage = stage_of(state);
    start(stage);
    const struct table_due due = table_due(stage_table(stage, PLACE));
    unsigned seat = 0;
    while ((due.seats >> seat & 1u) == 0) {
        seat++;
    }
    const uint32_t entries = table_journal_count(stage_table(stage, PLACE));
    char name[64];
    (void)snprintf(name, sizeof name, "%s", table_seat_name(stage_table(stage, PLACE), seat));
    tell_of(stage, CHAT_IN_PERSON_GONE, name, TOWN);
    assert_true(table_journal_count(stage_table(stage, PLACE)) > entries);
    // Who speaks at the place has come back to it.
    say_at(stage, PLACE, TOWN, name, "status");
    stage_whisper(stage, name, "hand");
    assert_null(shown(stage->chat, name, TEXT_PERSON_UNHEARD, NULL));
}

static void who_misses_a_reminder_is_looked_for(void **state)
{
    struct stage *const stage = stage_of(state);
    fake_can(stage->chat, chat_caps(stage->chat) | CHAT_CAP_SEEK);
    start(stage);
    const int64_t turn_ms = 3 * INT64_C(60000); // at live pace
    stage_pass(stage, turn_ms * 5 / 8);
    assert_int_equal(fake_count_of(stage->chat, CHAT_SEEK), 0); // the first reminder is out
    stage_pass(stage, turn_ms / 4);
    assert_int_equal(fake_count_of(stage->chat, CHAT_SEEK), 1);
    assert_non_null(fake_newest(stage->chat, CHAT_SEEK, TOWN, NULL));
}

static void who_speaks_in_private_is_looked_for_every_ten_minutes(void **state)
{
    enum { MINUTE_MS = 60000 };
    struct stage *const stage = stage_of(state);
    start(stage);
    stage_whisper(stage, "Bob", "hand");
    assert_int_equal(fake_count_of(stage->chat, CHAT_SEEK), 0); // this chat tells by itself
    fake_can(stage->chat, chat_caps(stage->chat) | CHAT_CAP_SEEK);
    say_at(stage, PLACE, TOWN, "Bob", "hand");
    assert_int_equal(fake_count_of(stage->chat, CHAT_SEEK), 0);
    stage_whisper(stage, "Bob", "hand");
    stage_whisper(stage, "Cy", "hand");
    assert_int_equal(fake_count_of(stage->chat, CHAT_SEEK), 2);
    say_at(stage, PLACE, TOWN, "Ann", "pause"); // nobody is reminded of anything
    stage_pass(stage, 9 * (int64_t)MINUTE_MS);
    stage_whisper(stage, "Bob", "hand");
    assert_int_equal(fake_count_of(stage->chat, CHAT_SEEK), 2);
    stage_pass(stage, MINUTE_MS);
    stage_whisper(stage, "Bob", "hand");
    assert_int_equal(fake_count_of(stage->chat, CHAT_SEEK), 3);
}

static void who_cannot_be_reached_is_told_once(void **state)
{
    struct stage *const stage = stage_of(state);
    start(stage);
    tell_of(stage, CHAT_IN_UNREACHABLE, "Bob", "");
    const struct text_arg *const args = TEXT_ARGS(text_str("who", "Bob"));
    assert_non_null(shown(stage->chat, NULL, TEXT_HALL_UNREACHABLE, args));
    fake_forget(stage->chat);
    stage_restart(stage);
    tell_of(stage, CHAT_IN_UNREACHABLE, "Bob", "");
    assert_int_equal(fake_count(stage->chat), 0);
    tell_of(stage, CHAT_IN_REACHABLE, "Bob", "");
    assert_non_null(fake_newest(stage->chat, CHAT_HAND, PLACE, "Bob"));
    tell_of(stage, CHAT_IN_UNREACHABLE, "Bob", "");
    assert_non_null(shown(stage->chat, NULL, TEXT_HALL_UNREACHABLE, args));
}

static void news_of_strangers_are_none(void **state)
{
    struct stage *const stage = stage_of(state);
    for (int kind = CHAT_IN_PLACE_CLOSED; kind <= CHAT_IN_COMMUNITY_BACK; kind++) {
        tell_of(stage, (enum chat_in_kind)kind, "Zoe", TOWN);
        tell_of(stage, (enum chat_in_kind)kind, "", "");
    }
    assert_int_equal(fake_count(stage->chat), 0);
    assert_int_equal(hall_live_count(stage->hall), 0);
    assert_false(hall_is_busy(stage->hall));
}

#define CASE(test)                                                                                 \
    cmocka_unit_test_setup_teardown(test, set_up, stage_case_close),                               \
        cmocka_unit_test_setup_teardown(test, set_up_sqlite, stage_case_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_lock_pauses_until_it_is_opened),
        CASE(what_was_paused_stays_paused),
        CASE(where_it_may_not_write_it_waits),
        CASE(its_host_takes_a_table_along_whose_place_is_gone),
        CASE(without_communities_any_other_place_will_do),
        CASE(after_thirty_days_it_is_put_away),
        CASE(what_is_put_out_of_a_community_waits_for_its_host),
        CASE(a_table_goes_along_when_its_place_moves),
        CASE(who_has_left_is_stood_in_for_and_unheard),
        CASE(the_game_goes_on_at_once),
        CASE(who_misses_a_reminder_is_looked_for),
        CASE(who_speaks_in_private_is_looked_for_every_ten_minutes),
        CASE(who_cannot_be_reached_is_told_once),
        CASE(news_of_strangers_are_none),
    };
    return cmocka_run_group_tests_name("hall_places", tests, NULL, NULL);
}
