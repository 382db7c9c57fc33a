// What goes through the seal comes out whole, in its order, and never within the call that asks.
#include <stdio.h>
#include <string.h>

#include "adapters/matrix/seal.h"

#include "tests/support/test.h"

struct stage {
    uv_loop_t loop;
    struct seal *seal;
    char notes[128];
};

static void note(struct stage *stage, const char *word)
{
    const size_t length = strlen(stage->notes);
    (void)snprintf(stage->notes + length, sizeof stage->notes - length, "%s;", word);
}

static void on_sealed(void *user, const char *type, json_t *content)
{
    assert_string_equal(type, "m.room.message");
    note(user, json_string_value(json_object_get(content, "body")));
}

static void on_opened(void *user, json_t *events)
{
    for (size_t i = 0; i < json_array_size(events); i++) {
        note(user, json_string_value(json_array_get(events, i)));
    }
}

static void begin(struct stage *stage)
{
    *stage = (struct stage){0};
    assert_int_equal(uv_loop_init(&stage->loop), 0);
    stage->seal = seal_create(&stage->loop);
    assert_non_null(stage->seal);
}

static void seal_word(struct stage *stage, const char *word)
{
    assert_true(
        seal_content(stage->seal, "!r", json_pack("{s:s}", "body", word), on_sealed, stage));
}

static void open_words(struct stage *stage, const char *one, const char *other)
{
    json_t *const events = json_pack("[s, s]", one, other);
    assert_true(seal_open(stage->seal, "!r", events, on_opened, stage));
    json_decref(events);
}

static void end(struct stage *stage)
{
    seal_stop(stage->seal);
    seal_stop(stage->seal);
    (void)uv_run(&stage->loop, UV_RUN_DEFAULT);
    seal_destroy(stage->seal);
    assert_int_equal(uv_loop_close(&stage->loop), 0);
}

static void what_goes_in_comes_out_later_and_in_order(void **state)
{
    struct stage stage;
    (void)state;
    begin(&stage);
    seal_word(&stage, "a");
    open_words(&stage, "b", "c");
    seal_word(&stage, "d");
    assert_string_equal(stage.notes, "");
    (void)uv_run(&stage.loop, UV_RUN_DEFAULT);
    assert_string_equal(stage.notes, "a;b;c;d;");
    seal_word(&stage, "e");
    (void)uv_run(&stage.loop, UV_RUN_DEFAULT);
    assert_string_equal(stage.notes, "a;b;c;d;e;");
    end(&stage);
}

static void who_has_stopped_is_never_answered(void **state)
{
    struct stage stage;
    (void)state;
    begin(&stage);
    seal_word(&stage, "a");
    open_words(&stage, "b", "c");
    end(&stage);
    assert_string_equal(stage.notes, "");
}

static void nothing_is_asked_behind_the_end(void **state)
{
    struct stage stage;
    (void)state;
    begin(&stage);
    assert_false(seal_content(stage.seal, "!r", NULL, on_sealed, &stage));
    seal_stop(stage.seal);
    assert_false(seal_content(stage.seal, "!r", json_object(), on_sealed, &stage));
    end(&stage);
    assert_string_equal(stage.notes, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_goes_in_comes_out_later_and_in_order),
        cmocka_unit_test(who_has_stopped_is_never_answered),
        cmocka_unit_test(nothing_is_asked_behind_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
