// One table on two networks: codes and who may use them, what is told in both places, whose clocks
// stand while one is away, and parting.
#include <stdio.h>
#include <string.h>

#include "bot/hall/hall_limits.h"

#include "tests/support/shown.h"
#include "tests/support/stage_case.h"
#include "tests/support/test.h"

#define SECOND_MS INT64_C(1000)
enum { CODE_SIZE = 27, CAPS = FAKE_CAPS_ALL | CHAT_CAP_AFAR };
#define MINUTE_MS INT64_C(60000)

static const char HERE[] = "tavern";
static const char THERE[] = "cellar";

static void tie(struct stage *stage, struct chat *chat, bool back)
{
    assert_true(fake_link(chat, back));
    hall_hear(stage->hall);
    stage_pass(stage, 0);
}

static int set_up_on(void **state, enum stage_engine engine)
{
    (void)stage_case_open_on(state, engine);
    struct stage *const stage = stage_of(state);
    fake_can(stage->chat, CAPS);
    fake_can(stage->other, CAPS);
    stage_again(stage);
    tie(stage, stage->chat, true);
    tie(stage, stage->other, true);
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

static void hear(struct stage *stage, struct chat *chat, const struct chat_in *in)
{
    stage_pass(stage, 2 * SECOND_MS);
    stage_hear(stage, chat, in);
    stage_pass(stage, 0);
}

static void here(struct stage *stage, const char *person, const char *line)
{
    hear(stage, stage->chat,
         &(const struct chat_in){.place = HERE, .person = person, .line = line, .open = true});
}

static void there_as(struct stage *stage, const char *person, const char *line, bool moderator)
{
    hear(stage, stage->other,
         &(const struct chat_in){
             .place = THERE, .person = person, .line = line, .open = true, .moderator = moderator});
}

static void there(struct stage *stage, const char *person, const char *line)
{
    there_as(stage, person, line, false);
}

static void open_lobby(struct stage *stage)
{
    here(stage, "Ann", "new sets=classic pace=slow");
    here(stage, "Bob", "join");
}

// What the host is told, in private.
static void ask_code(struct stage *stage, char line[CHAT_LINE_SIZE])
{
    fake_forget(stage->chat);
    here(stage, "Ann", "link");
    const struct fake_message *const told = shown(stage->chat, "Ann", TEXT_LINK_CODE, NULL);
    assert_non_null(told);
    assert_false(told->open);
    assert_null(shown(stage->chat, NULL, TEXT_LINK_CODE, NULL)); // nobody else reads it
    const char *const at = strstr(told->text, "link ");
    assert_non_null(at);
    (void)snprintf(line, CHAT_LINE_SIZE, "link %.26s", at + strlen("link "));
    assert_int_equal(strlen(line), strlen("link ") + CODE_SIZE - 1);
    assert_int_equal(strcspn(line + strlen("link "), " \""), CODE_SIZE - 1);
}

static void link_both(struct stage *stage)
{
    char line[CHAT_LINE_SIZE];
    ask_code(stage, line);
    there_as(stage, "Mod", line, true);
}

static const struct table *table_there(const struct stage *stage)
{
    return hall_table(stage->hall, stage->other, THERE);
}

static void is_linked(struct stage *stage, bool is)
{
    assert_int_equal(table_site_count(stage_table(stage, HERE)), is ? 2 : 1);
    if (is) {
        assert_ptr_equal(table_there(stage), stage_table(stage, HERE));
    }
}

static bool is_refused(const struct chat *chat, const char *person, enum text_id id)
{
    return shown(chat, person, id, NULL) != NULL;
}

/* Linking. */

static void both_places_are_told_whose_names_they_share(void **state)
{
    struct stage *const stage = stage_of(state);
    open_lobby(stage);
    link_both(stage);
    is_linked(stage, true);
    const struct text_arg *const args =
        TEXT_ARGS(text_str("here", HERE), text_str("network", "fake"), text_str("there", THERE),
                  text_str("other", "plain"), text_str("who", "Ann and Bob"));
    assert_non_null(shown(stage->chat, NULL, TEXT_LINK_LINKED, args));
    assert_non_null(shown(stage->other, NULL, TEXT_LINK_LINKED, args));
    assert_non_null(fake_newest(stage->other, CHAT_CARD, THERE, NULL));
}

static void people_of_both_play_one_game(void **state)
{
    struct stage *const stage = stage_of(state);
    open_lobby(stage);
    link_both(stage);
    there(stage, "Cy", "join");
    here(stage, "Ann", "start");
    assert_int_equal(table_state(stage_table(stage, HERE)), TABLE_RUNNING);
    assert_non_null(fake_newest(stage->chat, CHAT_HAND, HERE, "Ann"));
    assert_non_null(fake_newest(stage->other, CHAT_HAND, THERE, "Cy"));
    assert_null(fake_newest(stage->chat, CHAT_HAND, HERE, "Cy"));
    stage_restart(stage);
    tie(stage, stage->chat, true);
    tie(stage, stage->other, true);
    there(stage, "Cy", "done");
    is_linked(stage, true);
}

static void a_code_is_good_once(void **state)
{
    struct stage *const stage = stage_of(state);
    char line[CHAT_LINE_SIZE];
    open_lobby(stage);
    ask_code(stage, line);
    there_as(stage, "Mod", line, true);
    here(stage, "Ann", "unlink");
    is_linked(stage, false);
    there_as(stage, "Mod", line, true);
    is_linked(stage, false);
    assert_true(is_refused(stage->other, "Mod", TEXT_LINK_WRONG));
}

static void a_newer_code_takes_the_place_of_an_older(void **state)
{
    struct stage *const stage = stage_of(state);
    char old[CHAT_LINE_SIZE];
    char line[CHAT_LINE_SIZE];
    open_lobby(stage);
    ask_code(stage, old);
    ask_code(stage, line);
    there_as(stage, "Mod", old, true);
    assert_true(is_refused(stage->other, "Mod", TEXT_LINK_WRONG));
    there_as(stage, "Mod", line, true);
    is_linked(stage, true);
}

static void a_code_is_good_for_ten_minutes_of_the_store(void **state)
{
    struct stage *const stage = stage_of(state);
    char line[CHAT_LINE_SIZE];
    open_lobby(stage);
    ask_code(stage, line);
    stage_restart(stage); // time in which nobody lives is none
    tie(stage, stage->chat, true);
    tie(stage, stage->other, true);
    stage_pass(stage, HALL_LINK_MS - MINUTE_MS);
    there(stage, "Zoe", line);
    assert_true(is_refused(stage->other, "Zoe", TEXT_LINK_POWER));
    stage_pass(stage, MINUTE_MS);
    there_as(stage, "Mod", line, true);
    assert_true(is_refused(stage->other, "Mod", TEXT_LINK_EXPIRED));
    assert_null(table_there(stage));
}

static void a_restart_keeps_a_code(void **state)
{
    struct stage *const stage = stage_of(state);
    char line[CHAT_LINE_SIZE];
    open_lobby(stage);
    ask_code(stage, line);
    stage_restart(stage);
    tie(stage, stage->chat, true);
    tie(stage, stage->other, true);
    there_as(stage, "Mod", line, true);
    is_linked(stage, true);
}

/* Who may not, and where. */

static void only_the_host_asks_for_a_code(void **state)
{
    struct stage *const stage = stage_of(state);
    open_lobby(stage);
    here(stage, "Bob", "link");
    here(stage, "Zoe", "link");
    assert_null(shown(stage->chat, "Bob", TEXT_LINK_CODE, NULL));
    assert_null(shown(stage->chat, "Zoe", TEXT_LINK_CODE, NULL));
    link_both(stage);
    here(stage, "Ann", "link");
    assert_true(is_refused(stage->chat, "Ann", TEXT_LINK_TWO));
}

static void what_is_no_code_is_none(void **state)
{
    struct stage *const stage = stage_of(state);
    static const char *const LINES[] = {"link 12345", "link aaaaaaaaaaaaaaaaaaaaaaaaaa",
                                        "link aaaaaaaaaaaaaaaaaaaaaaaaaaa", "link a b"};
    open_lobby(stage);
    for (size_t i = 0; i < sizeof LINES / sizeof LINES[0]; i++) {
        fake_forget(stage->other);
        there_as(stage, "Mod", LINES[i], true);
        assert_true(is_refused(stage->other, "Mod", TEXT_LINK_WRONG));
    }
    there_as(stage, "Mod", "link", true); // there is no table there
    is_linked(stage, false);
    assert_false(hall_is_busy(stage->hall));
}

static void a_code_belongs_into_another_network_and_where_no_table_is(void **state)
{
    struct stage *const stage = stage_of(state);
    char line[CHAT_LINE_SIZE];
    open_lobby(stage);
    ask_code(stage, line);
    here(stage, "Ann", line);
    assert_true(is_refused(stage->chat, "Ann", TEXT_LINK_TAKEN));
    stage_whisper(stage, "Ann", line);
    assert_true(is_refused(stage->chat, "Ann", TEXT_LINK_WHERE));
    hear(stage, stage->chat,
         &(const struct chat_in){
             .place = "attic", .person = "Mod", .line = line, .open = true, .moderator = true});
    assert_true(is_refused(stage->chat, "Mod", TEXT_LINK_SAME));
    there(stage, "Dot", "new sets=classic");
    there_as(stage, "Mod", line, true);
    assert_true(is_refused(stage->other, "Mod", TEXT_LINK_TAKEN));
    is_linked(stage, false);
    there(stage, "Dot", "end");
    there_as(stage, "Mod", line, true); // it was not used up by all that
    is_linked(stage, true);
}

static void the_code_of_a_table_that_is_gone_links_nothing(void **state)
{
    struct stage *const stage = stage_of(state);
    char line[CHAT_LINE_SIZE];
    open_lobby(stage);
    ask_code(stage, line);
    here(stage, "Ann", "end");
    there_as(stage, "Mod", line, true);
    assert_null(table_there(stage));
    assert_true(is_refused(stage->other, "Mod", TEXT_HALL_GONE));
}

/* Parting. */

static void play_in_both(struct stage *stage)
{
    open_lobby(stage);
    link_both(stage);
    there(stage, "Cy", "join");
    here(stage, "Ann", "start");
    here(stage, "Ann", "done");
    here(stage, "Bob", "done");
    there(stage, "Cy", "done");
    assert_int_equal(table_state(stage_table(stage, HERE)), TABLE_RUNNING);
    fake_forget(stage->chat);
    fake_forget(stage->other);
}

static void is_parted(struct stage *stage)
{
    is_linked(stage, false);
    assert_null(table_there(stage));
    const struct text_arg *const args =
        TEXT_ARGS(text_str("there", THERE), text_str("other", "plain"));
    assert_non_null(shown(stage->chat, NULL, TEXT_LINK_PARTED, args));
    assert_non_null(shown(stage->chat, NULL, TEXT_PERSON_GONE, TEXT_ARGS(text_str("who", "Cy"))));
}

static void the_host_parts_them_and_who_was_there_is_stood_in_for(void **state)
{
    struct stage *const stage = stage_of(state);
    play_in_both(stage);
    here(stage, "Bob", "unlink");
    is_linked(stage, true);
    here(stage, "Ann", "unlink");
    is_parted(stage);
    assert_non_null(shown(stage->other, NULL, TEXT_LINK_PARTED_HERE, NULL));
    there(stage, "Dot", "new sets=classic"); // the place is free
    assert_non_null(table_there(stage));
    here(stage, "Ann", "unlink");
    assert_true(is_refused(stage->chat, "Ann", TEXT_LINK_NONE));
}

static void who_moderates_either_place_parts_them(void **state)
{
    struct stage *const stage = stage_of(state);
    play_in_both(stage);
    there(stage, "Zoe", "unlink");
    is_linked(stage, true);
    there_as(stage, "Mod", "unlink", true);
    is_parted(stage);
}

static void who_was_there_comes_back_with_the_next_link(void **state)
{
    struct stage *const stage = stage_of(state);
    play_in_both(stage);
    here(stage, "Ann", "unlink");
    link_both(stage);
    is_linked(stage, true);
    fake_forget(stage->other);
    there(stage, "Cy", "hand");
    assert_null(shown(stage->other, "Cy", TEXT_PERSON_UNHEARD, NULL));
}

static void a_place_that_is_gone_leaves_the_other(void **state)
{
    struct stage *const stage = stage_of(state);
    play_in_both(stage);
    assert_true(fake_news(stage->other,
                          &(const struct chat_in){.kind = CHAT_IN_PLACE_GONE, .place = THERE}));
    hall_hear(stage->hall);
    stage_pass(stage, 0);
    is_parted(stage);
    assert_int_equal(table_state(stage_table(stage, HERE)), TABLE_RUNNING);
}

static void the_first_place_may_be_the_one(void **state)
{
    struct stage *const stage = stage_of(state);
    play_in_both(stage);
    assert_true(
        fake_news(stage->chat, &(const struct chat_in){.kind = CHAT_IN_PLACE_GONE, .place = HERE}));
    hall_hear(stage->hall);
    stage_pass(stage, 0);
    const struct table *const table = table_there(stage);
    assert_non_null(table);
    assert_int_equal(table_site_count(table), 1);
    assert_int_equal(table_state(table), TABLE_RUNNING);
    assert_non_null(fake_newest(stage->other, CHAT_CARD, THERE, NULL));
}

/* One of them is away. */

static int64_t clock_ms(const struct stage *stage)
{
    return table_due(stage_table(stage, HERE)).clock_ms;
}

// The place that is not away, and its chat's other.
static struct chat *chat_of(const struct stage *stage, bool first)
{
    return first ? stage->chat : stage->other;
}

// Whoever has the turn: the clock runs for them, if their network is heard.
static void a_network_that_is_away_stops_its_players_clocks(void **state)
{
    struct stage *const stage = stage_of(state);
    play_in_both(stage);
    const bool first = table_waits_on(stage_table(stage, HERE), "fake");
    assert_int_not_equal(first, table_waits_on(stage_table(stage, HERE), "plain"));
    assert_true(clock_ms(stage) > MINUTE_MS);
    for (unsigned i = 0; i < 2; i++) { // first the others' network, then theirs
        const bool own = i == 1;
        struct chat *const lost = chat_of(stage, own == first);
        const unsigned reminded = (unsigned)fake_count_of(chat_of(stage, first), CHAT_WHISPER);
        tie(stage, lost, false);
        stage_pass(stage, clock_ms(stage) - SECOND_MS);
        const unsigned then = (unsigned)fake_count_of(chat_of(stage, first), CHAT_WHISPER);
        assert_int_equal(then > reminded, !own);
        tie(stage, lost, true);
    }
}

static void the_other_place_is_told_if_it_stays_away(void **state)
{
    struct stage *const stage = stage_of(state);
    const struct text_arg *const args =
        TEXT_ARGS(text_str("there", THERE), text_str("other", "plain"));
    play_in_both(stage);
    tie(stage, stage->other, false);
    stage_pass(stage, HALL_SILENT_MS - SECOND_MS);
    tie(stage, stage->other, true);
    stage_pass(stage, MINUTE_MS);
    assert_null(shown(stage->chat, NULL, TEXT_LINK_AWAY, args)); // a moment is none
    tie(stage, stage->other, false);
    stage_pass(stage, HALL_SILENT_MS);
    assert_non_null(shown(stage->chat, NULL, TEXT_LINK_AWAY, args));
    assert_null(shown(stage->chat, NULL, TEXT_LINK_BACK, args));
    tie(stage, stage->other, true);
    stage_pass(stage, HALL_SILENT_MS);
    assert_non_null(shown(stage->chat, NULL, TEXT_LINK_BACK, args));
}

#define CASE(test)                                                                                 \
    cmocka_unit_test_setup_teardown(test, set_up, stage_case_close),                               \
        cmocka_unit_test_setup_teardown(test, set_up_sqlite, stage_case_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(both_places_are_told_whose_names_they_share),
        CASE(people_of_both_play_one_game),
        CASE(a_code_is_good_once),
        CASE(a_newer_code_takes_the_place_of_an_older),
        CASE(a_code_is_good_for_ten_minutes_of_the_store),
        CASE(a_restart_keeps_a_code),
        CASE(only_the_host_asks_for_a_code),
        CASE(what_is_no_code_is_none),
        CASE(a_code_belongs_into_another_network_and_where_no_table_is),
        CASE(the_code_of_a_table_that_is_gone_links_nothing),
        CASE(the_host_parts_them_and_who_was_there_is_stood_in_for),
        CASE(who_moderates_either_place_parts_them),
        CASE(who_was_there_comes_back_with_the_next_link),
        CASE(a_place_that_is_gone_leaves_the_other),
        CASE(the_first_place_may_be_the_one),
        CASE(a_network_that_is_away_stops_its_players_clocks),
        CASE(the_other_place_is_told_if_it_stays_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
