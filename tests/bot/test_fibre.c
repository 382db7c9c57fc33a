// Fibres go on where they waited, in the order in which they are woken; a stop ends each wait; a
// stack holds what it promises, and what is deeper is the end of the process.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bot/fibre.h"

#include "tests/support/test.h"

enum { MANY = 5000, FRAME = 1024, DEEP = FIBRE_STACK_SIZE / FRAME / 2 };

struct stage {
    struct fibres *fibres;
    struct fibre *first, *second;
    int answer;
    unsigned woken, stopped;
    char notes[128];
};

static void note(struct stage *stage, const char *word)
{
    const size_t length = strlen(stage->notes);
    (void)snprintf(stage->notes + length, sizeof stage->notes - length, "%s;", word);
}

static void end(struct stage *stage)
{
    fibres_stop(stage->fibres);
    fibres_stop(stage->fibres);
    fibres_destroy(stage->fibres);
}

static void say_thrice(struct fibre *fibre, void *user)
{
    struct stage *const stage = user;
    stage->first = fibre;
    note(stage, "one");
    note(stage, fibre_wait(fibre) ? "two" : "stopped");
    note(stage, fibre_wait(fibre) ? "three" : "stopped");
}

static void test_goes_on_where_it_waited(void **state)
{
    struct stage stage = {.fibres = fibres_create()};
    (void)state;
    fibres_start(stage.fibres, say_thrice, &stage);
    note(&stage, "between");
    fibre_wake(stage.first);
    note(&stage, "again");
    fibre_wake(stage.first);
    assert_string_equal(stage.notes, "one;between;two;again;three;");
    end(&stage);
}

static void test_a_stop_ends_each_wait(void **state)
{
    struct stage stage = {.fibres = fibres_create()};
    (void)state;
    fibres_start(stage.fibres, say_thrice, &stage);
    fibres_stop(stage.fibres);
    assert_string_equal(stage.notes, "one;stopped;stopped;");
    fibres_start(stage.fibres, say_thrice, &stage); // and those of later ones
    assert_string_equal(stage.notes, "one;stopped;stopped;one;stopped;stopped;");
    end(&stage);
}

static void stop_all(struct fibre *fibre, void *user)
{
    struct stage *const stage = user;
    note(stage, "stops");
    fibres_stop(stage->fibres);
    note(stage, fibre_wait(fibre) ? "waited" : "ends");
}

static void test_a_fibre_may_stop_all(void **state)
{
    struct stage stage = {.fibres = fibres_create()};
    (void)state;
    fibres_start(stage.fibres, say_thrice, &stage);
    fibres_start(stage.fibres, stop_all, &stage);
    assert_string_equal(stage.notes, "one;stops;stopped;stopped;ends;");
    end(&stage);
}

/* One fibre runs another, which wakes a third, and wakes itself and its waker in vain. */

static void wake_first(struct fibre *fibre, void *user)
{
    struct stage *const stage = user;
    note(stage, "inner");
    fibre_wake(fibre);
    fibre_wake(stage->second);
    fibre_wake(stage->first);
    note(stage, "inner ends");
}

static void run_inner(struct fibre *fibre, void *user)
{
    struct stage *const stage = user;
    stage->second = fibre;
    fibres_start(stage->fibres, wake_first, stage);
    note(stage, fibre_wait(fibre) ? "outer" : "stopped");
}

static void test_fibres_run_within_fibres(void **state)
{
    struct stage stage = {.fibres = fibres_create()};
    (void)state;
    fibres_start(stage.fibres, say_thrice, &stage);
    fibres_start(stage.fibres, run_inner, &stage);
    fibre_wake(stage.second);
    assert_string_equal(stage.notes, "one;inner;two;inner ends;outer;");
    end(&stage);
}

/* Questions. */

static void ask(struct fibre *fibre, void *user)
{
    struct stage *const stage = user;
    int answer = 0;
    stage->first = fibre;
    assert_true(fibre_asks(fibre, &answer));
    note(stage, fibre_wait_answer(fibre) ? "answered" : "stopped");
    note(stage, fibre_asks(fibre, &answer) ? "asks" : "asks nothing");
    (void)fibre_answered(fibre);
    stage->answer = answer;
}

static void answer_with(struct stage *stage, int number)
{
    int *const place = fibre_answered(stage->first);
    if (place != NULL) {
        *place = number;
        fibre_wake(stage->first);
    }
}

static void test_a_question_waits_for_its_answer(void **state)
{
    struct stage stage = {.fibres = fibres_create()};
    (void)state;
    fibres_start(stage.fibres, ask, &stage);
    fibre_wake(stage.first); // for another reason
    assert_string_equal(stage.notes, "");
    answer_with(&stage, 7);
    assert_string_equal(stage.notes, "answered;asks;");
    assert_int_equal(stage.answer, 7);
    end(&stage);
}

static void test_an_answer_may_come_after_the_stop(void **state)
{
    struct stage stage = {.fibres = fibres_create()};
    (void)state;
    fibres_start(stage.fibres, ask, &stage);
    fibres_stop(stage.fibres);
    assert_string_equal(stage.notes, "stopped;asks nothing;");
    answer_with(&stage, 7);
    assert_int_equal(stage.answer, 0);
    end(&stage);
}

/* Stacks. */

static void count_wakes(struct fibre *fibre, void *user)
{
    struct stage *const stage = user;
    stage->woken += fibre_wait(fibre) ? 1 : 0;
    stage->stopped += fibre_wait(fibre) ? 0 : 1;
}

struct counting {
    struct stage *stage;
    struct fibre **at;
};

static void keep_and_count(struct fibre *fibre, void *user)
{
    const struct counting *const counting = user;
    struct stage *const stage = counting->stage;
    *counting->at = fibre;
    count_wakes(fibre, stage);
}

static void test_many_wait_at_once(void **state)
{
    struct stage stage = {.fibres = fibres_create()};
    struct fibre **const fibres = calloc(MANY, sizeof *fibres);
    (void)state;
    assert_non_null(fibres);
    for (unsigned round = 0; round < 2; round++) { // on stacks that were used, too
        for (unsigned i = 0; i < MANY; i++) {
            struct counting counting = {.stage = &stage, .at = &fibres[i]};
            fibres_start(stage.fibres, keep_and_count, &counting);
        }
        for (unsigned i = MANY; i-- > 0;) {
            fibre_wake(fibres[i]);
        }
        assert_int_equal(stage.woken, (round + 1) * MANY);
        assert_true(fibres_are_many(stage.fibres));
        for (unsigned i = 0; round == 0 && i < MANY; i++) {
            fibre_wake(fibres[i]);
        }
    }
    fibres_stop(stage.fibres);
    assert_int_equal(stage.stopped, MANY);
    assert_false(fibres_are_many(stage.fibres));
    free(fibres);
    end(&stage);
}

static unsigned go_down(unsigned depth) // NOLINT(misc-no-recursion)
{
    volatile char frame[FRAME];
    for (unsigned i = 0; i < FRAME; i++) {
        frame[i] = (char)depth;
    }
    const unsigned below = depth > 0 ? go_down(depth - 1) : 0;
    return below + (unsigned char)frame[FRAME / 2];
}

static void dive(struct fibre *fibre, void *user)
{
    unsigned *const depth = user;
    (void)fibre;
    *depth = go_down(*depth);
}

static void test_a_stack_is_as_deep_as_is_said(void **state)
{
    struct fibres *const fibres = fibres_create();
    unsigned depth = DEEP / 2; // the sanitizers' frames are larger
    (void)state;
    fibres_start(fibres, dive, &depth);
    assert_int_not_equal(depth, 0);
    fibres_stop(fibres);
    fibres_destroy(fibres);
}

static void test_what_is_deeper_ends_the_process(void **state)
{
    const struct rlimit no_core = {0};
    (void)state;
    (void)fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        (void)setrlimit(RLIMIT_CORE, &no_core);
        (void)signal(SIGSEGV, SIG_DFL);
        (void)close(STDERR_FILENO);
        unsigned depth = 4 * DEEP;
        fibres_start(fibres_create(), dive, &depth);
        _exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_false(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_goes_on_where_it_waited),
        cmocka_unit_test(test_a_stop_ends_each_wait),
        cmocka_unit_test(test_a_fibre_may_stop_all),
        cmocka_unit_test(test_fibres_run_within_fibres),
        cmocka_unit_test(test_a_question_waits_for_its_answer),
        cmocka_unit_test(test_an_answer_may_come_after_the_stop),
        cmocka_unit_test(test_many_wait_at_once),
        cmocka_unit_test(test_a_stack_is_as_deep_as_is_said),
        cmocka_unit_test(test_what_is_deeper_ends_the_process),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
