// Errands are kept before they begin and forgotten when they are done; what an earlier process has
// left is begun again, and nothing is begun twice; who stops leaves everything in the store.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/errand.h"

#include "tests/support/test.h"

enum { QUESTIONS_MAX = 16, KEPT_MAX = 8, TEXT_SIZE = 32 };

/* What was asked of the host, and is not answered yet. */
struct question {
    chat_kept_fn *done;
    void *user;
    bool reads;
};

struct kept {
    char word[TEXT_SIZE], text[TEXT_SIZE];
};

struct stage {
    struct fibres *fibres;
    struct chat chat;
    struct errands errands;
    struct question questions[QUESTIONS_MAX];
    size_t question_count;
    struct kept kept[KEPT_MAX]; // in the order in which it was kept
    size_t kept_count;
    bool done; // whether errands end at once
    char notes[256];
};

static void note(struct stage *stage, const char *word, const char *about)
{
    const size_t length = strlen(stage->notes);
    (void)snprintf(stage->notes + length, sizeof stage->notes - length, "%s %s;", word, about);
}

static void ask(struct stage *stage, chat_kept_fn *done, void *user, bool reads)
{
    assert_true(stage->question_count < QUESTIONS_MAX);
    stage->questions[stage->question_count++] =
        (struct question){.done = done, .user = user, .reads = reads};
}

static bool keep(void *user, struct chat *chat, const struct chat_kept *item, chat_kept_fn *done,
                 void *done_user)
{
    struct stage *const stage = user;
    size_t i = 0;
    (void)chat;
    note(stage, item->at != NULL ? "keep" : "forget", item->word);
    while (i < stage->kept_count && strcmp(stage->kept[i].word, item->word) != 0) {
        i++;
    }
    if (item->at == NULL) {
        stage->kept[i].text[0] = '\0';
    } else {
        stage->kept_count += i == stage->kept_count ? 1 : 0;
        assert_true(stage->kept_count <= KEPT_MAX);
        (void)snprintf(stage->kept[i].word, TEXT_SIZE, "%s", item->word);
        (void)snprintf(stage->kept[i].text, TEXT_SIZE, "%.*s", (int)item->size,
                       (const char *)item->at);
    }
    ask(stage, done, done_user, false);
    return true;
}

static bool read_kept(void *user, struct chat *chat, const char *begins, chat_kept_fn *done,
                      void *done_user)
{
    (void)chat;
    assert_string_equal(begins, "work/");
    ask(user, done, done_user, true);
    return true;
}

static const struct chat_keeper KEEPER = {.keep = keep, .read = read_kept};

// The first question is answered, by what was kept when it is.
static void answer(struct stage *stage)
{
    struct chat_kept items[KEPT_MAX];
    size_t count = 0;
    assert_true(stage->question_count > 0);
    const struct question question = stage->questions[0];
    memmove(stage->questions, stage->questions + 1, --stage->question_count * sizeof question);
    for (size_t i = stage->kept_count; question.reads && i-- > 0;) { // the latest first
        const struct kept *const kept = &stage->kept[i];
        if (kept->text[0] != '\0') {
            items[count++] = (struct chat_kept){
                .word = kept->word, .at = kept->text, .size = strlen(kept->text)};
        }
    }
    if (question.done != NULL) {
        question.done(question.user, items, count);
    }
}

static void answer_all(struct stage *stage)
{
    while (stage->question_count > 0) {
        answer(stage);
    }
}

static bool run(struct fibre *fibre, struct errand *errand)
{
    struct stage *const stage = errand->errands->user;
    bool *const done = errand->own != NULL ? errand->own : &stage->done;
    note(stage, errand->taken_up ? "again" : "run", errand->name);
    while (!*done && fibre_wait(fibre)) {
    }
    note(stage, *done ? "done" : "stops", errand->name);
    return *done;
}

static struct stage *stage_new(void)
{
    struct stage *const stage = calloc(1, sizeof *stage);
    assert_non_null(stage);
    stage->fibres = fibres_create();
    stage->chat.sink = (struct chat_sink){.keeper = &KEEPER, .user = stage};
    stage->errands = (struct errands){.fibres = stage->fibres,
                                      .chat = &stage->chat,
                                      .begins = "work/",
                                      .run = run,
                                      .user = stage};
    return stage;
}

// The next process on the same store.
static struct stage *stage_next(struct stage *before)
{
    struct stage *const stage = stage_new();
    fibres_stop(before->fibres);
    memcpy(stage->kept, before->kept, sizeof stage->kept);
    stage->kept_count = before->kept_count;
    return stage;
}

static void stage_end(struct stage *stage)
{
    fibres_stop(stage->fibres);
    answer_all(stage); // however late
    fibres_destroy(stage->fibres);
    free(stage);
}

static void an_errand_is_kept_first_and_forgotten_when_it_is_done(void **state)
{
    struct stage *const stage = stage_new();
    (void)state;
    assert_true(errands_begin(&stage->errands, "a", "text", NULL));
    assert_false(errands_begin(&stage->errands, "a", "other", NULL)); // it is under way
    assert_string_equal(stage->notes, "keep work/a;");
    answer(stage);
    assert_string_equal(stage->notes, "keep work/a;run a;");
    stage->done = true;
    errands_wake(&stage->errands);
    assert_string_equal(stage->notes, "keep work/a;run a;done a;forget work/a;");
    assert_null(errands_find(&stage->errands, "a"));
    stage_end(stage);
}

static void what_has_no_text_is_not_kept(void **state)
{
    struct stage *const stage = stage_new();
    bool done = true;
    (void)state;
    assert_true(errands_begin(&stage->errands, "a", NULL, &done));
    assert_string_equal(stage->notes, "run a;done a;");
    assert_int_equal(stage->question_count, 0);
    stage_end(stage);
}

static void the_next_process_begins_it_again_the_oldest_first(void **state)
{
    struct stage *const first = stage_new();
    (void)state;
    (void)errands_begin(&first->errands, "a", "text", NULL);
    (void)errands_begin(&first->errands, "b", "text", NULL);
    answer(first); // the other is still being kept
    struct stage *const stage = stage_next(first);
    assert_non_null(strstr(first->notes, "stops a;"));
    assert_null(strstr(first->notes, "forget"));
    errands_take_up(&stage->errands);
    errands_take_up(&stage->errands);
    answer(stage);
    assert_string_equal(stage->notes, "again a;again b;");
    stage->done = true;
    errands_wake(&stage->errands);
    assert_int_equal(stage->kept[0].text[0] + stage->kept[1].text[0], 0);
    stage_end(first);
    stage_end(stage);
}

// It was read before it was forgotten, and told after.
static void what_is_done_while_it_is_read_is_not_begun_again(void **state)
{
    struct stage *const stage = stage_new();
    (void)state;
    stage->done = true;
    (void)errands_begin(&stage->errands, "a", "text", NULL);
    errands_take_up(&stage->errands);
    const struct kept kept = stage->kept[0];
    answer(stage); // it is kept, and done at once
    assert_string_equal(stage->notes, "keep work/a;run a;done a;forget work/a;");
    stage->kept[0] = kept;
    answer(stage);
    assert_null(strstr(stage->notes, "again"));
    stage_end(stage);
}

static void another_text_is_kept_of_it(void **state)
{
    struct stage *const stage = stage_new();
    (void)state;
    (void)errands_begin(&stage->errands, "a", "text", NULL);
    answer(stage);
    errand_keep(errands_find(&stage->errands, "a"), "other");
    assert_string_equal(stage->kept[0].text, "other");
    stage_end(stage);
}

static void of_too_many_the_rest_is_the_next_processs(void **state)
{
    struct stage *const stage = stage_new();
    char name[TEXT_SIZE];
    bool done = false;
    (void)state;
    for (unsigned i = 0; i < FIBRES_MANY; i++) {
        (void)snprintf(name, sizeof name, "%u", i);
        assert_true(errands_begin(&stage->errands, name, NULL, &done));
    }
    stage->notes[0] = '\0';
    assert_false(errands_begin(&stage->errands, "more", "text", &done));
    assert_string_equal(stage->notes, "keep work/more;");
    assert_string_equal(stage->kept[0].text, "text");
    stage_end(stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_errand_is_kept_first_and_forgotten_when_it_is_done),
        cmocka_unit_test(what_has_no_text_is_not_kept),
        cmocka_unit_test(the_next_process_begins_it_again_the_oldest_first),
        cmocka_unit_test(what_is_done_while_it_is_read_is_not_begun_again),
        cmocka_unit_test(another_text_is_kept_of_it),
        cmocka_unit_test(of_too_many_the_rest_is_the_next_processs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
