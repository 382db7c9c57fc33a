#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/discord/wire/frame.h"

#include "tests/support/test.h"

struct frame_case {
    const char *name, *text;
    bool good;
    int op;
    const char *event, *data;
    uint64_t sequence;
};

static const struct frame_case CASES[] = {
    {"hello", "{\"op\":10,\"d\":{\"heartbeat_interval\":41250},\"s\":null,\"t\":null}", true, 10,
     "", "{\"heartbeat_interval\":41250}", 0},
    {"members_in_any_order", "{\"t\":\"READY\",\"s\":7,\"d\":{\"a\":[1,{\"b\":\"]}\"}]},\"op\":0}",
     true, 0, "READY", "{\"a\":[1,{\"b\":\"]}\"}]}", 7},
    {"a_sequence_of_64_bits", "{\"op\":0,\"s\":9007199254740993,\"t\":\"X\",\"d\":1}", true, 0, "X",
     "1", 9007199254740993u},
    {"blanks_are_nothing", " { \"op\" : 11 , \"d\" : null } ", true, 11, "", "null ", 0},
    {"no_data_is_fine", "{\"op\":11}", true, 11, "", NULL, 0},
    {"unknown_members_are_passed_over",
     "{\"op\":0,\"x\":{\"y\":[[]]},\"longer_than_any\":1,\"t\":\"A\"}", true, 0, "A", NULL, 0},
    {"escaped_quotes", "{\"op\":0,\"d\":\"a\\\"}\\\\\",\"t\":\"A\"}", true, 0, "A",
     "\"a\\\"}\\\\\"", 0},
    {"too_long_an_event_is_none",
     "{\"op\":0,\"t\":\"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\"}", true,
     0, "", NULL, 0},
    {"nothing", "", false, 0, "", NULL, 0},
    {"an_array", "[]", false, 0, "", NULL, 0},
    {"no_op", "{\"d\":1}", false, 0, "", NULL, 0},
    {"an_op_that_is_no_number", "{\"op\":\"10\"}", false, 0, "", NULL, 0},
    {"an_op_too_great", "{\"op\":256}", false, 0, "", NULL, 0},
    {"a_negative_op", "{\"op\":-1}", false, 0, "", NULL, 0},
    {"cut_in_a_string", "{\"op\":0,\"t\":\"REA", false, 0, "", NULL, 0},
    {"cut_behind_a_backslash", "{\"op\":0,\"t\":\"REA\\", false, 0, "", NULL, 0},
    {"cut_in_an_object", "{\"op\":0,\"d\":{\"a\":1", false, 0, "", NULL, 0},
    {"brackets_that_do_not_match", "{\"op\":0,\"d\":{\"a\":[1}}", false, 0, "", NULL, 0},
    {"something_behind_the_end", "{\"op\":0}x", false, 0, "", NULL, 0},
    {"a_comma_is_missing", "{\"op\":0 \"d\":1}", false, 0, "", NULL, 0},
    {"html", "<html>502</html>", false, 0, "", NULL, 0},
};

// The text as it comes off a socket: without an end of its own, so that reading behind it is
// noticed.
static void reads(void **state)
{
    const struct frame_case *const c = *state;
    const size_t size = strlen(c->text);
    char *const exact = malloc(size + 1);
    struct gateway_frame frame;
    struct mb_error err = {0};
    assert_non_null(exact);
    char *const text = size > 0 ? realloc(exact, size) : exact;
    assert_non_null(text);
    memcpy(text, c->text, size);
    assert_int_equal(frame_read(text, size, &frame, &err), c->good);
    if (c->good) {
        assert_int_equal(frame.op, c->op);
        assert_string_equal(frame.event, c->event);
        assert_int_equal(frame.sequence, c->sequence);
        assert_int_equal(frame.data != NULL, c->data != NULL);
        if (c->data != NULL) {
            assert_true(frame.data_size <= strlen(c->data));
            assert_memory_equal(frame.data, c->data, frame.data_size);
        }
    } else {
        assert_int_equal(err.code, MB_ERR_INPUT);
    }
    free(text);
}

static void deep_nesting_is_refused(void **state)
{
    char text[4 * FRAME_DEPTH_MAX];
    struct gateway_frame frame;
    struct mb_error err = {0};
    size_t size = (size_t)snprintf(text, sizeof text, "{\"op\":0,\"d\":");
    memset(text + size, '[', FRAME_DEPTH_MAX + 1);
    size += FRAME_DEPTH_MAX + 1;
    (void)state;
    assert_false(frame_read(text, size, &frame, &err));
}

int main(void)
{
    enum { COUNT = sizeof CASES / sizeof CASES[0] };
    struct CMUnitTest tests[COUNT + 1];
    for (size_t i = 0; i < COUNT; i++) {
        tests[i] = (struct CMUnitTest){.name = CASES[i].name,
                                       .test_func = reads,
                                       .initial_state = (void *)(uintptr_t)&CASES[i]};
    }
    tests[COUNT] = (struct CMUnitTest)cmocka_unit_test(deep_nesting_is_refused);
    return cmocka_run_group_tests_name("frame", tests, NULL, NULL);
}
