/* Lists of messages: what a refusal carries, and what is gathered into one. */
#include "bot/message.h"

#include "tests/support/test.h"

static void a_refusal_carries_its_reason(void **state)
{
    (void)state;
    struct message_list list = {0};
    const struct refusal why = {
        .code = REFUSAL_SLOT_FULL, .card = 7, .amount = 2, .rule = "ITEM-3"};
    message_add(&list, MESSAGE_REPLY, 1, "Fine.\n");
    message_add_refusal(&list, 1, "No.\n", &why);
    assert_int_equal(list.items[0].refusal.code, REFUSAL_NONE);
    assert_int_equal(list.items[1].refusal.code, REFUSAL_SLOT_FULL);
    assert_int_equal(list.items[1].refusal.card, 7);
    assert_string_equal(list.items[1].refusal.rule, "ITEM-3");
    message_list_finish(&list);
}

static void what_is_for_the_same_readers_is_one_message(void **state)
{
    (void)state;
    struct message_list list = {0};
    message_add(&list, MESSAGE_TABLE, 255, "A.\n");
    message_add(&list, MESSAGE_PRIVATE, 1, "For one.\n");
    message_add(&list, MESSAGE_REPLY, 1, "Reply.\n");
    message_add(&list, MESSAGE_TABLE, 255, "B.\n");
    message_add(&list, MESSAGE_PRIVATE, 2, "For two.\n");
    message_add(&list, MESSAGE_REPLY, 1, "Another.\n");
    message_add(&list, MESSAGE_PRIVATE, 1, "More for one.\n");
    message_list_gather(&list);
    static const char *const TEXTS[] = {"A.\nB.\n", "For one.\nMore for one.\n", "Reply.\n",
                                        "For two.\n", "Another.\n"};
    assert_int_equal(list.count, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_string_equal(list.items[i].text, TEXTS[i]);
    }
    message_list_gather(&list);
    assert_int_equal(list.count, 5);
    message_list_finish(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_refusal_carries_its_reason),
        cmocka_unit_test(what_is_for_the_same_readers_is_one_message),
    };
    return cmocka_run_group_tests_name("message", tests, NULL, NULL);
}
