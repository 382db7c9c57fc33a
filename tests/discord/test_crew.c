// Processes of one bot, on one clock and one make-believe store: leave to identify, and shares.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/discord/gateway/crew.h"

#include "tests/support/test.h"

enum {
    PROCESSES = 4,
    WORDS = 32,
    WORD_SIZE = 64,
    BYTES_SIZE = 128,
    QUESTIONS = 64,
    SECOND_MS = 1000
};

struct town;

struct process {
    struct town *town;
    struct chat chat;
    struct crew *crew;
    bool lives;
    int64_t identified_ms;
};

/* What somebody has asked the store, and nobody has answered. */
struct question {
    enum what { KEEP, READ, HOLD } what;
    struct process *process;
    char word[WORD_SIZE], bytes[BYTES_SIZE];
    bool none;
    int64_t for_ms;
    chat_kept_fn *done;
    void *own;
};

// What all keep; who may identify, and until when nobody else.
struct town {
    char words[WORDS][WORD_SIZE], bytes[WORDS][BYTES_SIZE];
    size_t count;
    const struct process *holds;
    int64_t held_until_ms;
    bool shared;
    int64_t now_ms;
    struct process processes[PROCESSES];
    struct question questions[QUESTIONS];
    unsigned question_count;
};

static struct question *asked(void *user, enum what what, const char *word, chat_kept_fn *done,
                              void *own)
{
    struct process *const process = user;
    struct town *const town = process->town;
    assert_true(town->question_count < QUESTIONS);
    struct question *const question = &town->questions[town->question_count++];
    *question = (struct question){.what = what, .process = process, .done = done, .own = own};
    (void)snprintf(question->word, sizeof question->word, "%s", word);
    return question;
}

static bool keep(void *user, struct chat *chat, const struct chat_kept *item, chat_kept_fn *done,
                 void *own)
{
    struct question *const question = asked(user, KEEP, item->word, done, own);
    (void)chat;
    assert_true(item->size < BYTES_SIZE);
    question->none = item->at == NULL;
    if (item->at != NULL) {
        memcpy(question->bytes, item->at, item->size);
    }
    return true;
}

static bool read_kept(void *user, struct chat *chat, const char *begins, chat_kept_fn *done,
                      void *own)
{
    (void)chat;
    (void)asked(user, READ, begins, done, own);
    return true;
}

static bool hold(void *user, struct chat *chat, const char *word, int64_t for_ms,
                 chat_kept_fn *done, void *own)
{
    (void)chat;
    asked(user, HOLD, word, done, own)->for_ms = for_ms;
    return true;
}

static bool is_shared(void *user)
{
    return ((const struct process *)user)->town->shared;
}

static const struct chat_keeper KEEPER = {
    .keep = keep, .read = read_kept, .hold = hold, .shared = is_shared};

static void write_down(struct town *town, const struct question *question)
{
    size_t at = 0;
    while (at < town->count && strcmp(town->words[at], question->word) != 0) {
        at++;
    }
    if (!question->none) {
        assert_true(at < WORDS);
        town->count += at == town->count ? 1 : 0;
        memcpy(town->words[at], question->word, WORD_SIZE);
        memcpy(town->bytes[at], question->bytes, BYTES_SIZE);
    } else if (at < town->count && at != --town->count) {
        memcpy(town->words[at], town->words[town->count], WORD_SIZE);
        memcpy(town->bytes[at], town->bytes[town->count], BYTES_SIZE);
    }
}

// Answers all that was asked before.
static void answer(struct town *town)
{
    const unsigned before = town->question_count;
    for (unsigned i = 0; i < before; i++) {
        const struct question question = town->questions[i];
        struct chat_kept items[WORDS];
        size_t count = 0;
        if (question.what == KEEP) {
            write_down(town, &question);
        } else if (question.what == HOLD) {
            assert_string_equal(question.word, "identify/0");
            count = town->held_until_ms <= town->now_ms ? 1 : 0;
            items[0] = (struct chat_kept){.word = question.word};
            town->holds = count > 0 ? question.process : town->holds;
            town->held_until_ms = count > 0 ? town->now_ms + question.for_ms : town->held_until_ms;
        }
        for (size_t j = 0; question.what == READ && j < town->count; j++) {
            if (strncmp(town->words[j], question.word, strlen(question.word)) == 0) {
                items[count++] = (struct chat_kept){
                    .word = town->words[j], .at = town->bytes[j], .size = strlen(town->bytes[j])};
            }
        }
        question.done(question.own, items, count);
    }
    town->question_count -= before;
    memmove(town->questions, town->questions + before,
            town->question_count * sizeof town->questions[0]);
}

static int begin(void **state)
{
    struct town *const town = calloc(1, sizeof *town);
    assert_non_null(town);
    town->shared = true;
    town->now_ms = 100000;
    for (size_t i = 0; i < PROCESSES; i++) {
        struct process *const process = &town->processes[i];
        process->town = town;
        process->chat.sink = (struct chat_sink){.keeper = &KEEPER, .user = process};
        process->crew = crew_create(&process->chat, i + 1);
        assert_non_null(process->crew);
        crew_set(process->crew, PROCESSES, 1);
    }
    *state = town;
    return 0;
}

static int end(void **state)
{
    struct town *const town = *state;
    for (size_t i = 0; i < PROCESSES; i++) {
        crew_destroy(town->processes[i].crew);
    }
    free(town);
    return 0;
}

// All live for so long; each asks to identify the shard of its number until it may. The shortest
// time between two.
static int64_t pass(struct town *town, int64_t ms, bool ask_leave)
{
    int64_t least = INT64_MAX;
    int64_t last = -1;
    for (const int64_t until = town->now_ms + ms; town->now_ms < until; town->now_ms += 100) {
        answer(town);
        for (unsigned i = 0; i < PROCESSES; i++) {
            struct process *const process = &town->processes[i];
            if (!process->lives) {
                continue;
            }
            crew_tick(process->crew, town->now_ms + i);
            if (ask_leave && process->identified_ms == 0 && town->now_ms % SECOND_MS == 0 &&
                crew_may_identify(process->crew, i, town->now_ms + i)) {
                process->identified_ms = town->now_ms;
                least = last >= 0 && town->now_ms - last < least ? town->now_ms - last : least;
                last = town->now_ms;
            }
        }
    }
    return least;
}

static void live(struct town *town, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        town->processes[i].lives = true;
    }
}

static unsigned identified(const struct town *town)
{
    unsigned count = 0;
    for (size_t i = 0; i < PROCESSES; i++) {
        count += town->processes[i].identified_ms > 0 ? 1 : 0;
    }
    return count;
}

static void one_identifies_behind_the_other(void **state)
{
    struct town *const town = *state;
    live(town, PROCESSES);
    const int64_t least = pass(town, 120000, true);
    assert_int_equal(identified(town), PROCESSES);
    assert_in_range(least, CREW_SPACE_MS, (int64_t)3 * CREW_SPACE_MS);
}

static void who_may_identify_may_die_at_any_moment(void **state)
{
    for (int64_t at = 0; at < 20000; at += 700) {
        (void)end(state);
        (void)begin(state);
        struct town *const town = *state;
        live(town, PROCESSES);
        (void)pass(town, at, true);
        for (size_t i = 0; i < PROCESSES; i++) {
            town->processes[i].lives = &town->processes[i] != town->holds;
        }
        int64_t last = 0;
        for (size_t i = 0; i < PROCESSES; i++) {
            last =
                town->processes[i].identified_ms > last ? town->processes[i].identified_ms : last;
        }
        assert_true(pass(town, 120000, true) >= CREW_SPACE_MS);
        assert_true(identified(town) >= PROCESSES - 1);
        for (size_t i = 0; i < PROCESSES; i++) {
            const int64_t then = town->processes[i].identified_ms;
            assert_true(then <= last || last == 0 || then - last >= CREW_SPACE_MS);
        }
    }
}

static void who_is_alone_asks_nobody(void **state)
{
    struct town *const town = *state;
    struct crew *const crew = town->processes[0].crew;
    town->shared = false;
    live(town, 1);
    crew_tick(crew, 100);
    assert_int_equal(crew_count(crew), 1);
    assert_true(crew_may_identify(crew, 0, 100));
    assert_false(crew_may_identify(crew, 1, 4000));
    assert_true(crew_may_identify(crew, 1, 100 + CREW_SPACE_MS));
    assert_int_equal(town->count, 0);
    crew_set(crew, 4, 2); // two keys
    assert_true(crew_may_identify(crew, 3, 5200));
    assert_false(crew_may_identify(crew, 5, 5300));
}

// It may learn so between two beats, and be greeted by the gateway before the next.
static void who_is_not_alone_any_more_asks(void **state)
{
    struct town *const town = *state;
    struct crew *const crew = town->processes[0].crew;
    town->shared = false;
    live(town, 1);
    crew_tick(crew, town->now_ms);
    town->shared = true;
    assert_false(crew_may_identify(crew, 0, town->now_ms + 10));
    assert_true(pass(town, 60000, true) >= CREW_SPACE_MS);
    assert_int_equal(identified(town), 1);
}

static void all_know_how_many_they_are(void **state)
{
    struct town *const town = *state;
    live(town, 2);
    (void)pass(town, 100, false);
    assert_int_equal(crew_count(town->processes[0].crew), 0);
    (void)pass(town, 5000, false);
    assert_int_equal(crew_count(town->processes[0].crew), 2);
    assert_int_equal(crew_count(town->processes[1].crew), 2);
    crew_set(town->processes[1].crew, 2 * PROCESSES, 1); // another generation
    live(town, 3);
    (void)pass(town, 1500, false);
    assert_int_equal(crew_count(town->processes[2].crew), 0); // it is new
    (void)pass(town, 2500, false);
    assert_int_equal(crew_count(town->processes[0].crew), 3);
    assert_int_equal(crew_peers(town->processes[0].crew), 2);
    assert_int_equal(crew_count(town->processes[2].crew), 3);
    town->processes[0].lives = false;
    (void)pass(town, (int64_t)2 * CREW_DEAD_MS, false);
    assert_int_equal(crew_count(town->processes[1].crew), 2);
    assert_int_equal(town->count, 3);
    (void)pass(town, (int64_t)11 * CREW_DEAD_MS, false);
    assert_int_equal(town->count, 2); // the dead one's word is gone
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(one_identifies_behind_the_other), TEST(who_may_identify_may_die_at_any_moment),
        TEST(who_is_alone_asks_nobody),        TEST(who_is_not_alone_any_more_asks),
        TEST(all_know_how_many_they_are),
    };
    return cmocka_run_group_tests_name("crew", tests, NULL, NULL);
}
