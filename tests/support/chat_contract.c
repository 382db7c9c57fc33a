#include "tests/support/chat_contract.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/test.h"

enum { FLOOD = 1000, MESSAGES = 60, OUTCOMES_MAX = 128 };

struct bench {
    const struct chat_contract *contract;
    struct chat_queue *queue;
    struct chat *chat;
    void *rig;
    uint64_t sent;     // numbers the messages
    unsigned outcomes; // told so far
    struct chat_outcome told[OUTCOMES_MAX];
};

static const struct chat_contract *contract_now;

static void note(void *user, struct chat *chat, const struct chat_outcome *outcome)
{
    struct bench *const bench = user;
    assert_ptr_equal(chat, bench->chat);
    assert_int_equal(outcome->id != NULL, outcome->fate == CHAT_DELIVERED);
    assert_true(bench->outcomes < OUTCOMES_MAX);
    bench->told[bench->outcomes++] = *outcome;
}

static int set_up(void **state)
{
    struct bench *const bench = calloc(1, sizeof *bench);
    assert_non_null(bench);
    bench->contract = contract_now;
    bench->queue = malloc(sizeof *bench->queue);
    assert_non_null(bench->queue);
    chat_queue_init(bench->queue);
    bench->rig = bench->contract->open(bench->queue, &bench->chat);
    assert_non_null(bench->chat);
    chat_listen(bench->chat, note, bench);
    *state = bench;
    return 0;
}

static int tear_down(void **state)
{
    struct bench *const bench = *state;
    bench->contract->close(bench->rig);
    chat_queue_finish(bench->queue);
    free(bench->queue);
    free(bench);
    return 0;
}

static void begin(struct bench *bench)
{
    struct mb_error err = {0};
    assert_true(chat_start(bench->chat, &err));
    (void)bench->contract->seen_by(bench->rig, "Ann");
    (void)bench->contract->seen_by(bench->rig, "Bob");
}

static bool say(struct bench *bench, const char *person, const char *text, struct mb_error *err)
{
    const struct chat_out out = {.kind = person == NULL ? CHAT_NARRATION : CHAT_WHISPER,
                                 .key = {.epoch = 7, .number = ++bench->sent},
                                 .place = "here",
                                 .person = person,
                                 .text = text};
    return chat_send(bench->chat, &out, err);
}

static void deliver(struct bench *bench)
{
    if (bench->contract->deliver != NULL) {
        bench->contract->deliver(bench->rig);
    }
}

// How many outcomes were told of the n-th message.
static unsigned outcomes_of(const struct bench *bench, uint64_t number)
{
    unsigned count = 0;
    for (unsigned i = 0; i < bench->outcomes; i++) {
        const struct chat_key key = bench->told[i].key;
        assert_true(key.epoch == 7 && key.number > 0 && key.number <= bench->sent);
        count += key.number == number ? 1 : 0;
    }
    return count;
}

static void starting_and_stopping_twice_is_once(void **state)
{
    struct bench *const bench = *state;
    struct mb_error err = {0};
    begin(bench);
    assert_true(chat_start(bench->chat, &err));
    chat_stop(bench->chat);
    chat_stop(bench->chat);
}

static void a_chat_that_never_started_can_be_destroyed(void **state)
{
    (void)state; // tear_down() does
}

static void it_has_a_name_and_an_inbox(void **state)
{
    struct bench *const bench = *state;
    assert_true(strlen(chat_name(bench->chat)) > 0);
    assert_ptr_equal(chat_inbox(bench->chat), bench->queue);
}

static void what_was_sent_is_a_copy(void **state)
{
    struct bench *const bench = *state;
    char text[] = "As it was.\n";
    struct mb_error err = {0};
    begin(bench);
    assert_true(say(bench, NULL, text, &err));
    memset(text, 'x', sizeof text - 1);
    const char *const seen = bench->contract->seen_by(bench->rig, "Ann");
    assert_non_null(strstr(seen, "As it was."));
    assert_null(strstr(seen, "xxxx"));
}

// Public and private messages take turns; each reader sees theirs in the order they were sent.
static void each_reader_sees_them_in_order(void **state)
{
    struct bench *const bench = *state;
    struct mb_error err = {0};
    begin(bench);
    for (unsigned i = 0; i < MESSAGES; i++) {
        char text[32];
        (void)snprintf(text, sizeof text, "<%u>\n", i);
        assert_true(say(bench, i % 3 == 0 ? NULL : "Ann", text, &err));
    }
    const char *at = bench->contract->seen_by(bench->rig, "Ann");
    for (unsigned i = 0; i < MESSAGES; i++) {
        char text[32];
        (void)snprintf(text, sizeof text, "<%u>", i);
        at = strstr(at, text);
        assert_non_null(at);
    }
}

static void what_is_private_is_seen_by_one(void **state)
{
    struct bench *const bench = *state;
    struct mb_error err = {0};
    begin(bench);
    assert_int_not_equal(chat_caps(bench->chat) & CHAT_CAP_PRIVATE, 0);
    const enum chat_kind kinds[] = {CHAT_WHISPER, CHAT_HAND, CHAT_REPLY};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const struct chat_out out = {
            .kind = kinds[i], .place = "here", .person = "Bob", .text = "A secret.\n"};
        assert_true(chat_send(bench->chat, &out, &err));
        assert_null(strstr(bench->contract->seen_by(bench->rig, "Ann"), "secret"));
        assert_non_null(strstr(bench->contract->seen_by(bench->rig, "Bob"), "secret"));
        const struct chat_out nobodys = {.kind = kinds[i], .place = "here", .text = "A secret.\n"};
        assert_false(chat_send(bench->chat, &nobodys, NULL));
        assert_null(strstr(bench->contract->seen_by(bench->rig, "Ann"), "secret"));
        assert_null(strstr(bench->contract->seen_by(bench->rig, "Bob"), "secret"));
    }
}

// What fails is reported, what is not reported has been seen, and the rest goes on in order.
static void a_failure_is_reported_and_nothing_lost_in_silence(void **state)
{
    struct bench *const bench = *state;
    begin(bench);
    for (unsigned n = 1; n <= 5; n++) {
        bool sent[5];
        bench->contract->fail_at(bench->rig, n);
        for (unsigned i = 0; i < 5; i++) {
            char text[32];
            struct mb_error err = {0};
            (void)snprintf(text, sizeof text, "<%u.%u>\n", n, i);
            sent[i] = say(bench, NULL, text, &err);
            assert_int_equal(sent[i], i + 1 != n);
            assert_int_equal(err.code == MB_OK, sent[i]);
        }
        const char *const seen = bench->contract->seen_by(bench->rig, "Bob");
        for (unsigned i = 0; i < 5; i++) {
            char text[32];
            (void)snprintf(text, sizeof text, "<%u.%u>", n, i);
            assert_int_equal(strstr(seen, text) != NULL, sent[i]);
        }
    }
}

static void a_line_is_heard_as_it_was_said(void **state)
{
    struct bench *const bench = *state;
    begin(bench);
    assert_true(bench->contract->hear(bench->rig, "Ann", "kick"));
    assert_true(bench->contract->hear(bench->rig, "Bob", "play Magic Missile for players"));
    struct chat_in *const first = chat_queue_take(bench->queue);
    struct chat_in *const second = chat_queue_take(bench->queue);
    assert_non_null(first);
    assert_string_equal(first->person, "Ann");
    assert_string_equal(first->line, "kick");
    assert_int_equal(first->kind, CHAT_IN_LINE);
    assert_string_equal(first->place, "here");
    assert_string_equal(first->bond.table, "");
    assert_non_null(second);
    assert_string_equal(second->person, "Bob");
    assert_string_equal(second->line, "play Magic Missile for players");
    assert_null(chat_queue_take(bench->queue));
    chat_settle(bench->chat, second);
    chat_settle(bench->chat, first);
    assert_int_equal(chat_queue_settled(bench->queue), 2);
}

static void a_flood_fills_a_part_of_the_queue_only(void **state)
{
    struct bench *const bench = *state;
    begin(bench);
    for (unsigned i = 0; i < FLOOD; i++) {
        (void)bench->contract->hear(bench->rig, "Bob", "status");
    }
    assert_int_equal(bench->queue->count, CHAT_QUEUE_SHARE);
    (void)bench->contract->hear(bench->rig, "Ann", "pass");
    assert_int_equal(bench->queue->count, CHAT_QUEUE_SHARE + 1);
}

static void each_message_has_one_outcome(void **state)
{
    struct bench *const bench = *state;
    struct mb_error err = {0};
    begin(bench);
    for (unsigned i = 0; i < MESSAGES; i++) {
        assert_true(say(bench, i % 3 == 0 ? NULL : i % 3 == 1 ? "Ann" : "Bob", "<>\n", &err));
    }
    deliver(bench);
    assert_int_equal(bench->outcomes, MESSAGES);
    for (uint64_t number = 1; number <= MESSAGES; number++) {
        assert_int_equal(outcomes_of(bench, number), 1);
    }
    // Of each reader in the order they were sent.
    for (unsigned reader = 0; reader < 3; reader++) {
        uint64_t last = 0;
        for (unsigned i = 0; i < bench->outcomes; i++) {
            const uint64_t number = bench->told[i].key.number;
            if ((number - 1) % 3 == reader) {
                assert_true(number > last);
                last = number;
            }
        }
    }
}

static void outcomes_may_come_later_but_not_after_stopping(void **state)
{
    struct bench *const bench = *state;
    struct mb_error err = {0};
    begin(bench);
    bench->contract->hold(bench->rig);
    assert_true(say(bench, NULL, "<1>\n", &err));
    assert_int_equal(bench->outcomes, 0);
    deliver(bench);
    assert_int_equal(outcomes_of(bench, 1), 1);
    assert_true(say(bench, "Ann", "<2>\n", &err));
    chat_stop(bench->chat);
    deliver(bench);
    assert_int_equal(outcomes_of(bench, 2), 0);
    assert_false(say(bench, NULL, "<3>\n", &err));
    assert_int_equal(bench->outcomes, 1);
}

// The longest id there may be is somebody's; a longer one is nobody's and is not cut to be.
static void too_long_an_id_is_refused(void **state)
{
    struct bench *const bench = *state;
    char id[CHAT_ID_SIZE + 1];
    memset(id, 'i', sizeof id);
    id[CHAT_ID_SIZE] = '\0';
    begin(bench);
    for (unsigned longer = 0; longer < 2; longer++) {
        id[CHAT_ID_SIZE - 1] = longer == 1 ? 'i' : '\0';
        struct mb_error err = {0};
        const struct chat_out out = {.kind = CHAT_WHISPER,
                                     .key = {.epoch = 7, .number = ++bench->sent},
                                     .place = "here",
                                     .person = id,
                                     .text = "For somebody.\n"};
        assert_int_equal(chat_send(bench->chat, &out, &err), longer == 0);
        deliver(bench);
        assert_int_equal(outcomes_of(bench, bench->sent), 1 - longer);
        assert_int_equal(err.code, longer == 0 ? MB_OK : MB_ERR_INPUT);
    }
}

static void nothing_is_heard_after_stopping(void **state)
{
    struct bench *const bench = *state;
    begin(bench);
    chat_stop(bench->chat);
    (void)bench->contract->hear(bench->rig, "Ann", "kick");
    assert_int_equal(bench->queue->count, 0);
}

static void a_long_message_arrives_whole(void **state)
{
    enum { LONG = 20000 };
    struct bench *const bench = *state;
    struct mb_error err = {0};
    begin(bench);
    char *const text = malloc(LONG + 1);
    assert_non_null(text);
    for (unsigned i = 0; i < LONG; i++) {
        text[i] = i % 50 == 49 ? '\n' : 'a';
    }
    memcpy(text + LONG - 5, "END.\n", 6);
    assert_true(say(bench, NULL, text, &err));
    const char *const seen = bench->contract->seen_by(bench->rig, "Ann");
    unsigned letters = 0;
    for (const char *at = seen; *at != '\0'; at++) {
        letters += *at == 'a' ? 1 : 0;
    }
    unsigned wanted = 0;
    for (unsigned i = 0; i < LONG; i++) {
        wanted += text[i] == 'a' ? 1 : 0;
    }
    assert_true(letters >= wanted);
    assert_non_null(strstr(seen, "END."));
    free(text);
}

// In the order of what people say before and after.
static void a_network_that_is_lost_is_told(void **state)
{
    static const enum chat_in_kind KINDS[] = {CHAT_IN_LINE, CHAT_IN_AWAY, CHAT_IN_BACK,
                                              CHAT_IN_LINE};
    struct bench *const bench = *state;
    begin(bench);
    assert_true(bench->contract->hear(bench->rig, "Ann", "kick"));
    bench->contract->link(bench->rig, false);
    bench->contract->link(bench->rig, true);
    assert_true(bench->contract->hear(bench->rig, "Ann", "kick"));
    for (size_t i = 0; i < sizeof KINDS / sizeof KINDS[0]; i++) {
        struct chat_in *const in = chat_queue_take(bench->queue);
        assert_non_null(in);
        assert_int_equal(in->kind, KINDS[i]);
        assert_string_equal(in->communities, "");
        chat_settle(bench->chat, in);
    }
    assert_null(chat_queue_take(bench->queue));
}

// What a moment tells is nowhere else.
static void a_card_tells_its_story(void **state)
{
    struct bench *const bench = *state;
    struct mb_error err = {0};
    const struct chat_out out = {.kind = CHAT_CARD,
                                 .key = {.epoch = 7, .number = ++bench->sent},
                                 .place = "here",
                                 .prompt = "Ann to move.\n",
                                 .story = "A door is kicked in.\n",
                                 .text = "The table.\n"};
    begin(bench);
    if ((chat_caps(bench->chat) & CHAT_CAP_STORY) == 0) {
        return;
    }
    assert_true(chat_send(bench->chat, &out, &err));
    deliver(bench);
    const char *const seen = bench->contract->seen_by(bench->rig, "Bob");
    assert_non_null(strstr(seen, "A door is kicked in."));
    assert_non_null(strstr(strstr(seen, "A door is kicked in."), "The table."));
    assert_int_equal(outcomes_of(bench, bench->sent), 1);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int chat_contract_run(const struct chat_contract *contract)
{
    const struct CMUnitTest tests[] = {
        CASE(starting_and_stopping_twice_is_once),
        CASE(a_chat_that_never_started_can_be_destroyed),
        CASE(it_has_a_name_and_an_inbox),
        CASE(what_was_sent_is_a_copy),
        CASE(each_reader_sees_them_in_order),
        CASE(what_is_private_is_seen_by_one),
        CASE(a_line_is_heard_as_it_was_said),
        CASE(a_flood_fills_a_part_of_the_queue_only),
        CASE(nothing_is_heard_after_stopping),
        CASE(a_long_message_arrives_whole),
        CASE(each_message_has_one_outcome),
        CASE(too_long_an_id_is_refused),
        CASE(a_card_tells_its_story),
    };
    const struct CMUnitTest failing[] = {CASE(a_failure_is_reported_and_nothing_lost_in_silence)};
    const struct CMUnitTest late[] = {CASE(outcomes_may_come_later_but_not_after_stopping)};
    const struct CMUnitTest far[] = {CASE(a_network_that_is_lost_is_told)};
    contract_now = contract;
    int failed = cmocka_run_group_tests_name(contract->name, tests, NULL, NULL);
    if (contract->fail_at != NULL) {
        failed += cmocka_run_group_tests_name(contract->name, failing, NULL, NULL);
    }
    if (contract->hold != NULL) {
        failed += cmocka_run_group_tests_name(contract->name, late, NULL, NULL);
    }
    if (contract->link != NULL) {
        failed += cmocka_run_group_tests_name(contract->name, far, NULL, NULL);
    }
    return failed;
}
