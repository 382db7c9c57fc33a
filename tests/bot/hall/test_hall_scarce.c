// Where a message costs seconds: one card tells a moment whole, newer ones may overtake older ones,
// and numbers stand for what can be said.
#include <stdio.h>
#include <string.h>

#include "bot/table/value/value.h"
#include "bot/text/text.h"

#include "tests/support/chance.h"
#include "tests/support/says.h"
#include "tests/support/shown.h"
#include "tests/support/stage.h"
#include "tests/support/table.h"
#include "tests/support/test.h"

static const char PLACE[] = "tavern";

enum {
    CAPS = CHAT_CAP_PRIVATE | CHAT_CAP_EDIT | CHAT_CAP_SCARCE | CHAT_CAP_STORY | CHAT_CAP_NUMBERS
};

static struct catalog *catalog;

static int set_up(void **state)
{
    static struct stage stage;
    chance_fix();
    stage_open(&stage, catalog);
    fake_can(stage.chat, CAPS);
    stage_again(&stage);
    *state = &stage;
    return 0;
}

static int tear_down(void **state)
{
    stage_close(*state);
    return 0;
}

static const struct fake_message *card(const struct stage *stage)
{
    const struct fake_message *const message = fake_newest(stage->chat, CHAT_CARD, PLACE, NULL);
    assert_non_null(message);
    return message;
}

static const struct fake_message *hand(const struct stage *stage, const char *person)
{
    const struct fake_message *const message = fake_newest(stage->chat, CHAT_HAND, PLACE, person);
    assert_non_null(message);
    return message;
}

static void all_done(struct stage *stage)
{
    stage_whisper(stage, "Ann", "done");
    stage_whisper(stage, "Bob", "done");
    stage_whisper(stage, "Cy", "done");
}

static const char *whose_turn(const struct stage *stage)
{
    const struct table *const table = stage_table(stage, PLACE);
    return table_seat_name(table, query_turn(table_game(table)));
}

static bool has_kicked(const struct stage *stage)
{
    return query_phase(table_game(stage_table(stage, PLACE))) != PHASE_START;
}

static void one_message_tells_a_moment(void **state)
{
    struct stage *const stage = *state;
    stage_say(stage, PLACE, "Ann", "new sets=classic");
    stage_say(stage, PLACE, "Bob", "join");
    assert_int_equal(fake_count_of(stage->chat, CHAT_NARRATION), 0);
    assert_int_equal(fake_count_of(stage->chat, CHAT_CARD), 2);
    assert_true(card(stage)->tells);
    assert_non_null(strstr(card(stage)->story, "Bob"));
    assert_non_null(strstr(card(stage)->text, "Bob"));
}

// Cards are dealt by its id, so it is a message of its own.
static void who_starts_is_said_by_itself(void **state)
{
    struct stage *const stage = *state;
    stage_start(stage, PLACE, 3, 0);
    assert_int_equal(fake_count_of(stage->chat, CHAT_NARRATION), 1);
}

static void a_turn_begins_its_story_and_calls_whose_it_is(void **state)
{
    struct stage *const stage = *state;
    stage_start(stage, PLACE, 3, 0);
    all_done(stage);
    assert_null(strstr(card(stage)->story, "sits down"));
    assert_non_null(strstr(card(stage)->prompt, whose_turn(stage)));
    assert_int_equal(card(stage)->ping_count, 1);
    assert_non_null(strstr(card(stage)->pings, whose_turn(stage)));
    assert_non_null(strstr(card(stage)->asked, whose_turn(stage)));
    stage_whisper(stage, whose_turn(stage), "kick");
    assert_int_equal(card(stage)->ping_count, 0); // they know
}

static void a_story_outlives_its_process(void **state)
{
    struct stage *const stage = *state;
    char story[4096];
    stage_start(stage, PLACE, 3, 0);
    all_done(stage);
    stage_whisper(stage, whose_turn(stage), "kick");
    (void)snprintf(story, sizeof story, "%s", card(stage)->story);
    assert_true(strlen(story) > 0);
    story[strlen(story) - 1] = '\0';
    const char *const latest = strrchr(story, '\n');
    assert_non_null(latest);
    stage_again(stage);
    stage_say(stage, PLACE, "Ann", "pause");
    assert_non_null(strstr(card(stage)->story, latest));
    assert_true(strlen(strstr(card(stage)->story, latest)) > strlen(latest));
}

// Cards are dealt, and everybody sets up.
static void deal(struct stage *stage)
{
    stage_say(stage, PLACE, "Ann", "new sets=classic");
    stage_say(stage, PLACE, "Bob", "join");
    stage_say(stage, PLACE, "Cy", "join");
    stage_say(stage, PLACE, "Ann", "start");
}

// A chapter is what has been told since the last call: its card is another message, and the one
// before keeps what it told.
static void a_call_begins_a_chapter(void **state)
{
    struct stage *const stage = *state;
    char story[4096];
    deal(stage);
    stage_whisper(stage, "Ann", "done");
    stage_whisper(stage, "Bob", "done");
    const uint32_t chapter = card(stage)->chapter;
    (void)snprintf(story, sizeof story, "%s", card(stage)->story);
    assert_true(strlen(story) > 0);
    stage_whisper(stage, "Cy", "done");
    assert_true(card(stage)->chapter > chapter);
    assert_int_equal(card(stage)->ping_count, 1);
    assert_string_equal(card(stage)->kept, story);
    assert_null(strstr(card(stage)->story, story));
    const uint32_t turn = card(stage)->chapter;
    stage_whisper(stage, whose_turn(stage), "kick");
    assert_int_equal(card(stage)->chapter, turn); // nobody else is called
    assert_string_not_equal(card(stage)->kept, "");
}

// Nothing is told twice, and nothing left out, where a card waits for the one before.
static void what_no_card_has_told_yet_goes_on(void **state)
{
    struct stage *const stage = *state;
    char story[4096];
    fake_can(stage->chat, CAPS & ~(unsigned)CHAT_CAP_SCARCE);
    deal(stage);
    stage_whisper(stage, "Ann", "done");
    (void)snprintf(story, sizeof story, "%s", card(stage)->story);
    fake_hold(stage->chat, true);
    stage_whisper(stage, "Bob", "done"); // on its way
    stage_whisper(stage, "Cy", "done");  // a chapter that waits for it
    while (fake_deliver(stage->chat, NULL)) {
    }
    stage_pass(stage, 1000);
    while (fake_deliver(stage->chat, NULL)) {
    }
    assert_null(strstr(card(stage)->story, story));
    assert_ptr_equal(strstr(card(stage)->kept, story), card(stage)->kept);
    assert_non_null(strstr(card(stage)->kept, "Bob is ready"));
    assert_null(strstr(card(stage)->story, "Bob is ready"));
    assert_non_null(strstr(card(stage)->story, "Cy is ready"));
}

static void a_newer_card_does_not_wait_for_an_older_one(void **state)
{
    struct stage *const stage = *state;
    stage_say(stage, PLACE, "Ann", "new sets=classic");
    fake_hold(stage->chat, true);
    stage_say(stage, PLACE, "Ann", "add-bot");
    const size_t first = fake_waiting(stage->chat);
    stage_say(stage, PLACE, "Ann", "add-bot");
    assert_int_equal(fake_waiting(stage->chat), 2 * first);
    while (fake_deliver(stage->chat, NULL)) {
    }
    stage_pass(stage, 1000);
    assert_non_null(strstr(card(stage)->text, "3 of"));
    assert_int_equal(stage_unsent(stage), 0);
}

static void of_a_hand_it_is_told_whether_its_owner_is_asked(void **state)
{
    struct stage *const stage = *state;
    stage_start(stage, PLACE, 3, 0);
    all_done(stage);
    const char *const name = whose_turn(stage);
    stage_whisper(stage, name, "kick");
    assert_non_null(strstr(hand(stage, name)->asked, name));
}

static void windows_are_longer(void **state)
{
    struct stage *const stage = *state;
    stage_say(stage, PLACE, "Ann", "new sets=classic");
    assert_int_equal(stage_table(stage, PLACE)->options.clock_s[CLOCK_WINDOW], 25);
    stage_say(stage, "den", "Bob", "new sets=classic window=10s");
    assert_int_equal(stage_table(stage, "den")->options.clock_s[CLOCK_WINDOW], 10);
}

/* Numbers. */

static void a_number_is_what_stands_there(void **state)
{
    struct stage *const stage = *state;
    stage_start(stage, PLACE, 3, 0);
    const char *const name = whose_turn(stage);
    const struct fake_message *const own = hand(stage, name);
    assert_true(own->control_count > 0);
    assert_string_equal(own->controls[0].line, "kick");
    assert_non_null(strstr(own->text, "\n1. kick\n"));
    stage_whisper(stage, name, "1");
    assert_true(has_kicked(stage));
}

// Each number stands once in the hand, in order; what can be said in several ways is one number.
static void each_number_stands_once(void **state)
{
    struct stage *const stage = *state;
    stage_start(stage, PLACE, 3, 0);
    for (unsigned i = 0; i < 3; i++) {
        static const char *const NAMES[] = {"Ann", "Bob", "Cy"};
        const struct fake_message *const own = hand(stage, NAMES[i]);
        const char *at = own->text;
        for (size_t number = 1; number <= own->control_count; number++) {
            char lead[16];
            (void)snprintf(lead, sizeof lead, "\n%zu. ", number);
            at = strstr(at, lead);
            assert_non_null(at);
            assert_null(strstr(at + 1, lead));
        }
    }
}

// A number of somebody's hand that plays a card on whoever is said behind it.
static bool begun(const struct stage *stage, const char **name, char line[CHAT_LINE_SIZE],
                  char does[CHAT_LINE_SIZE])
{
    static const char *const NAMES[] = {"Ann", "Bob", "Cy"};
    for (size_t i = 0; i < 3; i++) {
        const struct fake_message *const own = hand(stage, NAMES[i]);
        for (size_t j = 0; j < own->control_count; j++) {
            const struct chat_control *const control = &own->controls[j];
            const char *how = control->label + strlen(control->line);
            how = strcmp(how, " on anybody") != 0 ? how : i == 0 ? " on Bob" : " on Ann";
            if (strncmp(control->label, control->line, strlen(control->line)) == 0 &&
                strncmp(how, " on ", 4) == 0) {
                (void)snprintf(line, CHAT_LINE_SIZE, "%zu%.*s", j + 1, (int)strcspn(how, ","), how);
                (void)snprintf(does, CHAT_LINE_SIZE, "%s plays%.*s%.*s", NAMES[i],
                               (int)strlen(control->line) - 4, control->line + 4,
                               (int)strcspn(how, ","), how);
                *name = NAMES[i];
                return true;
            }
        }
    }
    return false;
}

// "3 on Bob" is the number's line and the rest.
static void words_behind_a_number_go_on_with_its_line(void **state)
{
    struct stage *const stage = *state;
    char line[CHAT_LINE_SIZE];
    char does[CHAT_LINE_SIZE];
    const char *name = NULL;
    stage_start(stage, PLACE, 3, 0);
    assert_true(begun(stage, &name, line, does));
    stage_whisper(stage, name, line);
    assert_non_null(strstr(card(stage)->story, does));
    const struct chat_numbers one = chat_numbers("3 on Ann");
    assert_int_equal(one.count, 1);
    assert_int_equal(one.numbers[0], 3);
    assert_string_equal(one.rest, "on Ann");
    const struct chat_numbers two = chat_numbers("4, 15 to Ann");
    assert_int_equal(two.count, 2);
    assert_int_equal(two.numbers[1], 15);
    assert_string_equal(two.rest, "to Ann");
    assert_int_equal(chat_numbers("1 2").count, 2);
    static const char *const NONE[] = {"",         "Ann",     "123", "4, 5, 4",
                                       "1, 2,Ann", "3on Ann", "1-2", "2: on Ann"};
    for (size_t i = 0; i < sizeof NONE / sizeof NONE[0]; i++) {
        assert_int_equal(chat_numbers(NONE[i]).count, 0);
    }
}

// Pressed as the chat does: by what stood under the hand that was shown.
static struct chat_in number(const struct fake_message *message, const char *person, uint16_t at)
{
    return (struct chat_in){.kind = CHAT_IN_PRESS,
                            .place = "dm",
                            .person = person,
                            .line = message->controls[at - 1].line,
                            .bond = message->bond,
                            .pressed = at,
                            .direct = true};
}

static void a_number_means_what_it_said_when_it_was_shown(void **state)
{
    struct stage *const stage = *state;
    stage_start(stage, PLACE, 3, 0);
    const char *const name = whose_turn(stage);
    struct chat_in in = number(hand(stage, name), name, 1);
    in.bond.version--; // shown before, and it said the same
    stage_hear(stage, stage->chat, &in);
    assert_true(has_kicked(stage));
}

static void a_number_that_means_nothing_any_more_is_too_late(void **state)
{
    struct stage *const stage = *state;
    stage_start(stage, PLACE, 3, 0);
    const char *const name = whose_turn(stage);
    struct chat_in in = number(hand(stage, name), name, 1);
    in.bond.version--;
    in.line = "loot"; // it said, then
    stage_hear(stage, stage->chat, &in);
    assert_false(has_kicked(stage));
    assert_non_null(shown(stage->chat, name, TEXT_HALL_STALE_NUMBER, NULL));
}

// "3 on Bob", "4, 5": made whole of what stood there, and bound to the same question.
static void what_numbers_are_made_whole_to_answers_their_question_alone(void **state)
{
    struct stage *const stage = *state;
    stage_start(stage, PLACE, 3, 0);
    const char *const name = whose_turn(stage);
    struct chat_in in = number(hand(stage, name), name, 1);
    in.pressed = 0;
    in.line = "kick";
    in.bond.version--; // shown before
    in.bond.decision++;
    in.event = "$another-question";
    stage_hear(stage, stage->chat, &in);
    assert_false(has_kicked(stage));
    assert_non_null(shown(stage->chat, name, TEXT_HALL_STALE_NUMBER, NULL));
    in.bond.decision--;
    in.event = "$the-same";
    stage_hear(stage, stage->chat, &in);
    assert_true(has_kicked(stage));
}

// It edits nothing: nobody types on, into the void, until a hand has arrived that may take minutes.
static void too_late_is_said_while_a_hand_is_on_its_way(void **state)
{
    struct stage *const stage = *state;
    stage_start(stage, PLACE, 3, 0);
    const char *const name = whose_turn(stage);
    const struct chat_in in = number(hand(stage, name), name, 1);
    fake_hold(stage->chat, true);
    stage_whisper(stage, name, "kick");
    const size_t waiting = fake_waiting(stage->chat);
    assert_true(waiting > 0);
    stage_hear(stage, stage->chat, &in);
    assert_int_equal(fake_waiting(stage->chat), waiting + 1);
    while (fake_deliver(stage->chat, NULL)) {
    }
    assert_non_null(shown(stage->chat, name, TEXT_HALL_STALE_NUMBER, NULL));
}

static void a_number_that_is_not_there_is_named(void **state)
{
    struct stage *const stage = *state;
    stage_start(stage, PLACE, 3, 0);
    stage_whisper(stage, "Ann", "77");
    assert_non_null(
        shown(stage->chat, "Ann", TEXT_PARSE_NUMBER, TEXT_ARGS(text_str("words", "77"))));
}

// "1" is there: what is wrong is that it and "2" do not go together.
static void numbers_that_do_not_go_together_are_not_missed(void **state)
{
    static const char *const SAID[] = {"1, 2", "1,2", "1 2"};
    struct stage *const stage = *state;
    for (size_t i = 0; i < sizeof SAID / sizeof SAID[0]; i++) {
        stage_again(stage);
        stage_start(stage, PLACE, 3, 0);
        const char *const name = whose_turn(stage);
        stage_whisper(stage, name, SAID[i]);
        assert_non_null(shown(stage->chat, name, TEXT_PARSE_NUMBERS, NULL));
    }
}

/* Before the deal. */

// It looks alive for the two that can be tapped, and no longer than they can.
static void a_lobby_that_begins_asks_for_nobody(void **state)
{
    struct stage *const stage = *state;
    fake_can(stage->chat, CAPS | CHAT_CAP_SIGNS);
    stage_again(stage);
    stage_say(stage, PLACE, "Ann", "new sets=classic");
    stage_say(stage, PLACE, "Bob", "join");
    stage_say(stage, PLACE, "Cy", "join");
    assert_true(says(card(stage)->text, TEXT_LOBBY_READY, NULL));
    assert_true(says(card(stage)->text, TEXT_LOBBY_SIGNS, NULL));
    fake_hold(stage->chat, true);
    stage_say(stage, PLACE, "Ann", "start");
    fake_hold(stage->chat, false);
    while (!says(card(stage)->text, TEXT_LOBBY_STARTS, NULL)) {
        assert_true(fake_deliver(stage->chat, NULL));
    }
    assert_false(says(card(stage)->text, TEXT_LOBBY_READY, NULL));
    assert_false(says(card(stage)->text, TEXT_LOBBY_SIGNS, NULL));
}

/* What may be shown to all. */

static void an_answer_says_whether_all_may_read_it(void **state)
{
    struct stage *const stage = *state;
    stage_start(stage, PLACE, 3, 0);
    stage_say(stage, PLACE, "Ann", "start");
    assert_true(fake_newest(stage->chat, CHAT_REPLY, PLACE, "Ann")->open);
    stage_say(stage, PLACE, "Eve", "status"); // who sees what all see
    assert_true(fake_newest(stage->chat, CHAT_REPLY, PLACE, "Eve")->open);
    stage_say(stage, PLACE, "Ann", "hand");
    assert_false(fake_newest(stage->chat, CHAT_REPLY, PLACE, "Ann")->open);
    stage_say(stage, PLACE, "Ann", "play nothing like it"); // refused: it may name a hand's cards
    assert_false(fake_newest(stage->chat, CHAT_REPLY, PLACE, "Ann")->open);
    stage_say(stage, PLACE, "Eve", "frobnicate");
    assert_true(fake_newest(stage->chat, CHAT_REPLY, PLACE, "Eve")->open);
}

// As links name people; the id of somebody else stays a word.
static void whoever_is_named_by_their_id_is_meant(void **state)
{
    struct stage *const stage = *state;
    const struct chat_in join = {
        .place = PLACE, .person = "@dot:hs", .name = "Dot", .line = "join", .open = true};
    stage_say(stage, PLACE, "Ann", "new sets=classic");
    stage_hear(stage, stage->chat, &join);
    assert_int_equal(table_seat_count(stage_table(stage, PLACE)), 2);
    stage_say(stage, PLACE, "Ann", "remove @eve:hs");
    assert_int_equal(table_seat_count(stage_table(stage, PLACE)), 2);
    stage_say(stage, PLACE, "Ann", "remove @dot:hs");
    assert_int_equal(table_seat_count(stage_table(stage, PLACE)), 1);
}

/* What was said while nobody listened. */

static void say_late(struct stage *stage, const char *person, const char *line, int64_t age_ms)
{
    const struct chat_in in = {
        .place = PLACE, .person = person, .line = line, .age_ms = age_ms, .open = true};
    stage_pass(stage, 60000);
    stage_hear(stage, stage->chat, &in);
}

static size_t count_said(const struct stage *stage, enum text_id id)
{
    size_t count = 0;
    for (size_t i = 0; i < fake_count(stage->chat); i++) {
        count += strstr(fake_message(stage->chat, i)->text, text_sentence(id)) != NULL ? 1 : 0;
    }
    return count;
}

static void what_is_too_old_is_not_done_and_that_is_said_once(void **state)
{
    struct stage *const stage = *state;
    stage_start(stage, PLACE, 3, 0);
    const char *const name = whose_turn(stage);
    say_late(stage, name, "kick", 121000);
    say_late(stage, name, "kick", 122000);
    assert_false(has_kicked(stage));
    assert_int_equal(count_said(stage, TEXT_HALL_WAS_AWAY), 1);
    say_late(stage, name, "kick", 119000);
    assert_true(has_kicked(stage));
}

static void slow_tables_take_what_is_an_hour_old(void **state)
{
    struct stage *const stage = *state;
    stage_say(stage, PLACE, "Ann", "new sets=classic pace=slow");
    say_late(stage, "Bob", "join", 3500000);
    say_late(stage, "Cy", "join", 3700000);
    assert_int_equal(table_seat_count(stage_table(stage, PLACE)), 2);
}

static void old_words_open_no_table(void **state)
{
    struct stage *const stage = *state;
    say_late(stage, "Ann", "new sets=classic", 200000);
    assert_null(stage_table(stage, PLACE));
    assert_int_equal(count_said(stage, TEXT_HALL_WAS_AWAY), 1);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(one_message_tells_a_moment),
        CASE(who_starts_is_said_by_itself),
        CASE(a_turn_begins_its_story_and_calls_whose_it_is),
        CASE(a_story_outlives_its_process),
        CASE(a_call_begins_a_chapter),
        CASE(what_no_card_has_told_yet_goes_on),
        CASE(a_newer_card_does_not_wait_for_an_older_one),
        CASE(of_a_hand_it_is_told_whether_its_owner_is_asked),
        CASE(windows_are_longer),
        CASE(a_number_is_what_stands_there),
        CASE(each_number_stands_once),
        CASE(words_behind_a_number_go_on_with_its_line),
        CASE(a_number_means_what_it_said_when_it_was_shown),
        CASE(a_number_that_means_nothing_any_more_is_too_late),
        CASE(what_numbers_are_made_whole_to_answers_their_question_alone),
        CASE(too_late_is_said_while_a_hand_is_on_its_way),
        CASE(a_number_that_is_not_there_is_named),
        CASE(numbers_that_do_not_go_together_are_not_missed),
        CASE(a_lobby_that_begins_asks_for_nobody),
        CASE(an_answer_says_whether_all_may_read_it),
        CASE(whoever_is_named_by_their_id_is_meant),
        CASE(what_is_too_old_is_not_done_and_that_is_said_once),
        CASE(slow_tables_take_what_is_an_hour_old),
        CASE(old_words_open_no_table),
    };
    catalog = given_catalog();
    const int failed = cmocka_run_group_tests_name("hall_scarce", tests, NULL, NULL);
    catalog_destroy(catalog);
    return failed;
}
