// Lines to which a chat owes an answer: each gets one, and by the right message.
#include <string.h>

#include "tests/support/stage_case.h"
#include "tests/support/test.h"

static const char PLACE[] = "tavern";
static const char LETTER[] = "a letter from Ann";

// What answers, when Ann says that; how many messages do.
static const struct fake_message *answer(struct stage *stage, const char *line, bool direct,
                                         size_t *count)
{
    const struct chat_in in = {.place = direct ? "Ann" : PLACE,
                               .person = "Ann",
                               .line = line,
                               .direct = direct,
                               .answer = LETTER};
    const struct fake_message *found = NULL;
    *count = 0;
    stage_pass(stage, 10000);
    fake_forget(stage->chat);
    stage_hear(stage, stage->chat, &in);
    for (size_t i = 0; i < fake_count(stage->chat); i++) {
        const struct fake_message *const message = fake_message(stage->chat, i);
        if (message->answer[0] != '\0') {
            assert_string_equal(message->answer, LETTER);
            found = found == NULL ? message : found;
            ++*count;
        }
    }
    return found;
}

static const char *seen_by_all(struct stage *stage)
{
    return fake_newest(stage->chat, CHAT_NARRATION, PLACE, NULL)->text;
}

static void what_all_may_read_is_answered_by_the_narration(void **state)
{
    struct stage *const stage = stage_of(state);
    size_t count = 0;
    const struct fake_message *const lobby = answer(stage, "new", false, &count);
    assert_int_equal(count, 1);
    assert_int_equal(lobby->kind, CHAT_NARRATION);
    const struct fake_message *const join = answer(stage, "add-bot", false, &count);
    assert_int_equal(count, 1);
    assert_int_equal(join->kind, CHAT_NARRATION);
    assert_non_null(strstr(join->text, "sits down"));
}

static void a_refusal_and_a_look_answer_privately(void **state)
{
    struct stage *const stage = stage_of(state);
    size_t count = 0;
    assert_int_equal(answer(stage, "kick", false, &count)->kind, CHAT_REPLY);
    assert_int_equal(count, 1);
    stage_start(stage, PLACE, 3, 0);
    const struct fake_message *const hand = answer(stage, "hand", false, &count);
    assert_int_equal(hand->kind, CHAT_REPLY);
    assert_string_equal(hand->person, "Ann");
    assert_int_equal(count, 1);
    assert_int_equal(answer(stage, "fnord", false, &count)->kind, CHAT_REPLY);
    assert_int_equal(count, 1);
}

// The words of a hidden card are not to be read beside the answer.
static void what_names_cards_is_answered_privately_and_told_to_all(void **state)
{
    struct stage *const stage = stage_of(state);
    size_t count = 0;
    stage_start(stage, PLACE, 3, 0);
    const struct fake_message *const done = answer(stage, "show hand to all", false, &count);
    assert_int_equal(count, 1);
    assert_int_equal(done->kind, CHAT_REPLY);
    assert_non_null(strstr(seen_by_all(stage), "Ann"));
    assert_string_equal(done->text, seen_by_all(stage));
}

static void away_from_the_table_the_answer_tells_what_came_of_it(void **state)
{
    struct stage *const stage = stage_of(state);
    size_t count = 0;
    stage_start(stage, PLACE, 3, 0);
    const struct fake_message *const told = answer(stage, "pause", true, &count);
    assert_int_equal(count, 1);
    assert_int_equal(told->kind, CHAT_REPLY);
    assert_string_equal(told->text, seen_by_all(stage));
}

static void narration_that_would_overtake_another_answers_nothing(void **state)
{
    struct stage *const stage = stage_of(state);
    size_t count = 0;
    stage_start(stage, PLACE, 3, 0);
    fake_hold(stage->chat, true);
    stage_say(stage, PLACE, "Ann", "pause");
    assert_true(fake_waiting(stage->chat) > 0);
    assert_null(answer(stage, "resume", false, &count));
    while (fake_deliver(stage->chat, NULL)) {
    }
    const struct fake_message *found = NULL;
    for (size_t i = 0; i < fake_count(stage->chat); i++) {
        const struct fake_message *const message = fake_message(stage->chat, i);
        found = message->answer[0] != '\0' ? message : found;
    }
    if (found == NULL) {
        fail_msg("nothing answers");
        return;
    }
    assert_int_equal(found->kind, CHAT_REPLY);
    assert_string_equal(found->text, seen_by_all(stage));
}

// A card that is on its way says nothing that could be overtaken.
static void narration_answers_though_the_card_is_being_edited(void **state)
{
    struct stage *const stage = stage_of(state);
    size_t count = 0;
    stage_say(stage, PLACE, "Ann", "new sets=classic");
    stage_say(stage, PLACE, "Bob", "join");
    fake_hold(stage->chat, true);
    stage_say(stage, PLACE, "Cy", "join");
    assert_true(fake_deliver(stage->chat, "")); // the narration; the card waits
    assert_true(fake_waiting(stage->chat) > 0);
    fake_hold(stage->chat, false);
    const struct fake_message *const told = answer(stage, "add-bot", false, &count);
    assert_int_equal(count, 1);
    assert_int_equal(told->kind, CHAT_NARRATION);
}

static void what_it_answers_outlives_the_process(void **state)
{
    struct stage *const stage = stage_of(state);
    const struct chat_in in = {
        .place = PLACE, .person = "Ann", .line = "add-bot", .answer = LETTER};
    size_t count = 0;
    (void)answer(stage, "new", false, &count);
    stage_pass(stage, 10000);
    fake_lose(stage->chat, true);
    assert_false(fake_hear_in(stage->chat, &in)); // lost is lost both ways
    fake_lose(stage->chat, false);
    fake_hold(stage->chat, true);
    stage_hear(stage, stage->chat, &in);
    stage_again(stage);
    fake_hold(stage->chat, false);
    while (fake_deliver(stage->chat, NULL)) {
    }
    stage_pass(stage, 10000);
    const struct fake_message *const found = fake_find(stage->chat, NULL, "sits down");
    assert_non_null(found);
    assert_string_equal(found->answer, LETTER);
}

// A network shows that nothing answers: whoever is rationed is told each time.
static void what_is_dropped_is_answered(void **state)
{
    enum { MANY = 60 };
    struct stage *const stage = stage_of(state);
    size_t answers = 0;
    for (int i = 0; i < MANY; i++) {
        const struct chat_in in = {
            .place = PLACE, .person = "Ann", .line = "help", .answer = LETTER};
        stage_hear(stage, stage->chat, &in);
    }
    for (size_t i = 0; i < fake_count(stage->chat); i++) {
        answers += fake_message(stage->chat, i)->answer[0] != '\0' ? 1 : 0;
    }
    assert_true(hall_stats(stage->hall)->rationed > 0);
    assert_int_equal(answers, MANY);
}

/* Presses: a number stands for the line of that control. */

static struct chat_in press_of(const struct fake_message *message, unsigned number)
{
    const bool hand = message->kind == CHAT_HAND;
    return (struct chat_in){.place = hand ? "Ann" : PLACE,
                            .person = "Ann",
                            .line = "",
                            .direct = hand,
                            .answer = LETTER,
                            .bond = message->bond,
                            .path = hand ? "h" : "",
                            .pressed = (uint16_t)number};
}

static unsigned control(const struct fake_message *message, const char *verb)
{
    for (unsigned i = 0; i < message->control_count; i++) {
        if (strncmp(message->controls[i].line, verb, strlen(verb)) == 0) {
            return i + 1;
        }
    }
    fail_msg("there is no control \"%s\"", verb);
    return 0;
}

// Ann's set-up: she can be done with it.
static const struct fake_message *hand_of_ann(struct stage *stage)
{
    stage_say(stage, PLACE, "Ann", "new sets=classic");
    stage_say(stage, PLACE, "Bob", "join");
    stage_say(stage, PLACE, "Cy", "join");
    stage_say(stage, PLACE, "Ann", "start");
    return fake_newest(stage->chat, CHAT_HAND, PLACE, "Ann");
}

static void a_pressed_number_is_the_line_of_its_control(void **state)
{
    struct stage *const stage = stage_of(state);
    const struct fake_message *const hand = hand_of_ann(stage);
    const unsigned number = control(hand, "done");
    const struct chat_in in = press_of(hand, number);
    fake_forget(stage->chat);
    stage_hear(stage, stage->chat, &in);
    assert_non_null(fake_find(stage->chat, NULL, "Ann "));
    assert_null(fake_find(stage->chat, "Ann", "earlier moment"));
    const struct fake_message *const shown = fake_newest(stage->chat, CHAT_HAND, PLACE, "Ann");
    assert_non_null(shown);
    assert_string_equal(shown->answer, LETTER);
    assert_non_null(strstr(shown->text, "You are ready"));
}

static const struct fake_message *card_of_all(struct stage *stage)
{
    return fake_newest(stage->chat, CHAT_CARD, PLACE, NULL);
}

static void the_card_answers_who_presses_it(void **state)
{
    struct stage *const stage = stage_of(state);
    stage_say(stage, PLACE, "Ann", "new sets=classic");
    const struct fake_message *const card = card_of_all(stage);
    const struct chat_in in = press_of(card, control(card, "add-bot"));
    fake_forget(stage->chat);
    stage_hear(stage, stage->chat, &in);
    assert_string_equal(card_of_all(stage)->answer, LETTER);
    const struct fake_message *const told = fake_newest(stage->chat, CHAT_NARRATION, PLACE, NULL);
    assert_non_null(strstr(told->text, "sits down"));
    assert_string_equal(told->answer, "");
    assert_int_equal(fake_count_of(stage->chat, CHAT_REPLY), 0);
}

// Of two edits under way the older could come last: the second press is only acknowledged.
static void a_board_that_is_being_edited_answers_nothing(void **state)
{
    struct stage *const stage = stage_of(state);
    stage_say(stage, PLACE, "Ann", "new sets=classic");
    const struct fake_message *const card = card_of_all(stage);
    const struct chat_in in = press_of(card, control(card, "add-bot"));
    fake_hold(stage->chat, true);
    stage_hear(stage, stage->chat, &in);
    struct chat_in second = in;
    second.answer = "another letter";
    second.bond.version = table_card_version(stage_table(stage, PLACE), 0);
    stage_hear(stage, stage->chat, &second);
    fake_hold(stage->chat, false);
    while (fake_deliver(stage->chat, NULL)) {
    }
    stage_pass(stage, 0);
    assert_string_equal(card_of_all(stage)->answer, "");
    const struct fake_message *const heard = fake_newest(stage->chat, CHAT_REPLY, PLACE, "Ann");
    assert_string_equal(heard->text, "");
    assert_string_equal(heard->answer, "another letter");
}

static void a_refused_press_on_a_hand_shows_it_below_the_reason(void **state)
{
    struct stage *const stage = stage_of(state);
    const struct fake_message *const hand = hand_of_ann(stage);
    const struct chat_in in = press_of(hand, control(hand, "done"));
    stage_say(stage, PLACE, "Bob", "pause");
    stage_say(stage, PLACE, "Ann", "pause");
    struct chat_in now = in;
    const struct fake_message *const newest = fake_newest(stage->chat, CHAT_HAND, PLACE, "Ann");
    now.bond = newest->bond;
    fake_forget(stage->chat);
    stage_hear(stage, stage->chat, &now);
    const struct fake_message *const found = fake_newest(stage->chat, CHAT_REPLY, PLACE, "Ann");
    assert_non_null(found);
    assert_true(found->anew && found->refusal.code != REFUSAL_NONE);
    assert_string_equal(found->answer, LETTER);
    assert_non_null(strstr(found->text, "Your hand"));
    assert_int_equal(found->bond.on, CHAT_ON_PANEL);
}

static void a_number_that_is_not_there_any_more_is_stale(void **state)
{
    struct stage *const stage = stage_of(state);
    const struct fake_message *const hand = hand_of_ann(stage);
    const struct chat_in good = press_of(hand, control(hand, "done"));
    const struct chat_in beyond = press_of(hand, CHAT_CONTROLS_MAX + 1);
    stage_hear(stage, stage->chat, &beyond);
    assert_int_equal(hall_stats(stage->hall)->stale, 1);
    stage_hear(stage, stage->chat, &good);
    assert_int_equal(hall_stats(stage->hall)->stale, 1);
    stage_pass(stage, 10000);
    stage_hear(stage, stage->chat, &good); // the hand is another by now
    assert_int_equal(hall_stats(stage->hall)->stale, 2);
    const struct fake_message *const stale = fake_find(stage->chat, "Ann", "earlier moment");
    assert_non_null(stale);
    assert_true(stale->anew); // in the place of the one that was pressed
    assert_non_null(strstr(stale->text, "Your hand"));
}

// What somebody else's hand shows is nobody's to press, whatever the number.
static void a_number_on_a_foreign_hand_is_the_pressers_own_or_nothing(void **state)
{
    struct stage *const stage = stage_of(state);
    const struct fake_message *const hand = hand_of_ann(stage);
    struct chat_in in = press_of(hand, control(hand, "done"));
    const uint64_t version = hall_version(stage->hall, stage->chat, PLACE);
    in.person = "Eve";
    in.place = "Eve";
    stage_hear(stage, stage->chat, &in);
    assert_int_equal(hall_version(stage->hall, stage->chat, PLACE), version);
    for (size_t i = 0; i < fake_count(stage->chat); i++) {
        const struct fake_message *const message = fake_message(stage->chat, i);
        if (strcmp(message->person, "Eve") == 0) {
            assert_null(strstr(message->text, "Your hand"));
        }
    }
}

static void who_speaks_while_it_ends_is_told_so_and_what_bears_no_answer_comes_again(void **state)
{
    struct stage *const stage = stage_of(state);
    const uint64_t settled = fake_settled(stage->chat);
    const struct chat_in letter = {
        .place = PLACE, .person = "Ann", .line = "new", .answer = LETTER, .event = "e1"};
    const struct chat_in word = {.place = PLACE, .person = "Bob", .line = "new", .event = "e2"};
    fake_forget(stage->chat);
    assert_true(fake_hear_in(stage->chat, &letter));
    assert_true(fake_hear_in(stage->chat, &word));
    hall_dismiss(stage->hall);
    assert_int_equal(fake_count(stage->chat), 1);
    assert_string_equal(fake_message(stage->chat, 0)->answer, LETTER);
    assert_non_null(strstr(fake_message(stage->chat, 0)->text, "restarting"));
    assert_int_equal(fake_settled(stage->chat), settled + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_all_may_read_is_answered_by_the_narration,
                                        stage_case_open, stage_case_close),
        cmocka_unit_test_setup_teardown(a_refusal_and_a_look_answer_privately, stage_case_open,
                                        stage_case_close),
        cmocka_unit_test_setup_teardown(what_names_cards_is_answered_privately_and_told_to_all,
                                        stage_case_open, stage_case_close),
        cmocka_unit_test_setup_teardown(away_from_the_table_the_answer_tells_what_came_of_it,
                                        stage_case_open, stage_case_close),
        cmocka_unit_test_setup_teardown(narration_that_would_overtake_another_answers_nothing,
                                        stage_case_open, stage_case_close),
        cmocka_unit_test_setup_teardown(narration_answers_though_the_card_is_being_edited,
                                        stage_case_open, stage_case_close),
        cmocka_unit_test_setup_teardown(what_it_answers_outlives_the_process, stage_case_open,
                                        stage_case_close),
        cmocka_unit_test_setup_teardown(what_is_dropped_is_answered, stage_case_open,
                                        stage_case_close),
        cmocka_unit_test_setup_teardown(a_pressed_number_is_the_line_of_its_control,
                                        stage_case_open, stage_case_close),
        cmocka_unit_test_setup_teardown(the_card_answers_who_presses_it, stage_case_open,
                                        stage_case_close),
        cmocka_unit_test_setup_teardown(a_board_that_is_being_edited_answers_nothing,
                                        stage_case_open, stage_case_close),
        cmocka_unit_test_setup_teardown(a_refused_press_on_a_hand_shows_it_below_the_reason,
                                        stage_case_open, stage_case_close),
        cmocka_unit_test_setup_teardown(a_number_that_is_not_there_any_more_is_stale,
                                        stage_case_open, stage_case_close),
        cmocka_unit_test_setup_teardown(a_number_on_a_foreign_hand_is_the_pressers_own_or_nothing,
                                        stage_case_open, stage_case_close),
        cmocka_unit_test_setup_teardown(
            who_speaks_while_it_ends_is_told_so_and_what_bears_no_answer_comes_again,
            stage_case_open, stage_case_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
