/*
 * What the game asks, over whole games of random legal moves: who is waited for is asked, each ask
 * has its own line of a phone's length, and every row of the table comes up.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base/rng.h"

#include "bot/render/asks.h"
#include "bot/render/render.h"

#include "tests/support/fixture.h"
#include "tests/support/see.h"
#include "tests/support/test.h"

enum { GAMES = 60, STEPS_MAX = 1500, LINE_COLUMNS = 120, TEXT_SIZE = 4096 };

// What the classic set alone does not ask, or only after more moves than chance makes here.
static const uint8_t ELSEWHERE[] = {ASK_PLAYER, ASK_MONSTER, ASK_ORDER, ASK_HELPER, ASK_PICK,
                                    ASK_ANSWER, ASK_PLAYED,  ASK_LAST,  ASK_UNDO};

struct walk {
    struct fixture fixture;
    struct move_list moves;
    struct mb_rng rng;
    unsigned seen[ASK_TOTAL];
};

static const char *const KINDS[ASK_TOTAL] = {
#define ASK(kind, ...) #kind,
#include "bot/text/asks.def"
#undef ASK
};

static void check_line(const struct table_words *words, const struct ask *ask, unsigned seats,
                       char line[TEXT_SIZE])
{
    struct text_out out;
    text_begin(&out, line, TEXT_SIZE);
    ask_line(see(words, SAYS_NOTHING), ask, seats, &out);
    const size_t length = strlen(line);
    assert_in_range(length, 2, TEXT_SIZE - 2);
    assert_int_equal(line[length - 1], '\n');
    assert_non_null(strchr(".?", line[length - 2]));
    assert_null(strchr(line, '{'));
    if (text_columns(line, length - 1) > LINE_COLUMNS) {
        fail_msg("%zu columns: %s", text_columns(line, length - 1), line);
    }
}

static void check_says(const struct table_words *words, const struct ask *ask)
{
    struct ask_say says[ASK_SAYS_MAX];
    const unsigned count = ask_says(see(words, SAYS_NOTHING), ask, says);
    assert_int_equal(count, ask->number != 0 || ask->kind == ASK_UNDO ? 2 : 0);
    for (unsigned i = 0; i < count; i++) {
        assert_true(says[i].label[0] != '\0' && says[i].line[0] != '\0');
        for (const char *at = says[i].label; *at != '\0'; at++) {
            assert_false(text_is_mark(*at));
        }
        assert_true(i == 0 || strcmp(says[0].label, says[i].label) != 0);
    }
}

// Two different things that are asked never look the same.
static void check_all(struct walk *walk, const struct table_words *words)
{
    static char lines[ASKS_MAX][TEXT_SIZE];
    const struct ask_list list = see(words, SAYS_NOTHING)->asks;
    for (unsigned i = 0; i < list.count; i++) {
        const struct ask *const ask = &list.items[i];
        assert_true(ask->seats != 0 && ask->key != 0 && (ask->calls & ~ask->seats) == 0);
        walk->seen[ask->kind]++;
        check_line(words, ask, ask->seats, lines[i]);
        check_says(words, ask);
        for (unsigned j = 0; j < i; j++) {
            assert_string_not_equal(lines[i], lines[j]);
            assert_int_not_equal(ask->key, list.items[j].key);
        }
    }
}

// Whoever the game waits for is asked something, and told so as themselves.
static void check_waited(struct walk *walk)
{
    static const char *const MARKED[FIXTURE_SEATS] = {"\x13"
                                                      "Ann\x17",
                                                      "\x13"
                                                      "Bob\x17",
                                                      "\x13"
                                                      "Cy\x17"};
    struct table_words words = fixture_words(&walk->fixture, NO_SEAT);
    words.marks = true;
    memcpy(words.marked, MARKED, sizeof MARKED);
    const struct ask_list list = see(&words, SAYS_NOTHING)->asks;
    const struct query_clock clock = query_clock(words.view);
    const unsigned seen =
        clock.kind == CLOCK_WINDOW ? query_pause(words.view, PAUSE_WIN).passed : 0;
    const unsigned waited = clock.seats & ~seen;
    assert_int_equal(waited & ~asks_seats(&list), 0);
    for (unsigned seat = 0; seat < FIXTURE_SEATS; seat++) {
        const struct table_words own = fixture_words(&walk->fixture, seat);
        char text[TEXT_SIZE];
        struct text_out out;
        text_begin(&out, text, sizeof text);
        render_asks(see(&own, SAYS_NOTHING), seat_bit(seat), ASKS_MAX, &out);
        const bool passed = asks_passed(&own); // who has passed is asked no more, as they see it
        assert_true((waited & seat_bit(seat)) == 0 || passed || text[0] != '\0');
        assert_true(text[0] == '\0' || strstr(text, "ou ") != NULL ||
                    strstr(text, "or pass") != NULL);
        check_all(walk, &own);
    }
    check_all(walk, &words);
}

static bool step(struct walk *walk)
{
    struct fixture *const fixture = &walk->fixture;
    struct command command;
    struct refusal why;
    return fixture_random(fixture, &walk->moves, &walk->rng, &command) &&
           fixture_submit(fixture, &command, &why);
}

static void every_question_has_its_own_line(void **state)
{
    struct walk *const walk = *state;
    for (uint64_t game = 1; game <= GAMES; game++) {
        uint8_t seed[32];
        mb_rng_seed_u64(seed, game + 4000);
        mb_rng_init(&walk->rng, seed);
        fixture_deal(&walk->fixture, game);
        for (unsigned i = 0; i < STEPS_MAX && step(walk); i++) {
            check_waited(walk);
        }
    }
    for (unsigned kind = 0; kind < ASK_TOTAL; kind++) {
        if (walk->seen[kind] == 0 && memchr(ELSEWHERE, (int)kind, sizeof ELSEWHERE) == NULL) {
            fail_msg("never asked: %s", KINDS[kind]);
        }
    }
}

static void every_row_has_a_line_for_all_and_for_who_is_asked(void **state)
{
    struct walk *const walk = *state;
    char lines[2][TEXT_SIZE];
    fixture_deal(&walk->fixture, 1);
    const struct table_words all = fixture_words(&walk->fixture, NO_SEAT);
    const struct table_words own = fixture_words(&walk->fixture, FIXTURE_BOB);
    for (unsigned kind = 0; kind < ASK_TOTAL; kind++) {
        const struct ask ask = {.kind = (uint8_t)kind, .seats = seat_bit(FIXTURE_BOB)};
        check_line(&all, &ask, ask.seats, lines[0]);
        check_line(&own, &ask, ask.seats, lines[1]);
        assert_true(strstr(lines[0], "Bob") != NULL && strstr(lines[1], "Bob") == NULL);
        assert_true(strstr(lines[1], "ou ") != NULL);
    }
}

static void an_undo_is_asked_of_who_has_not_agreed(void **state)
{
    struct walk *const walk = *state;
    fixture_deal(&walk->fixture, 1);
    struct table_words words = fixture_words(&walk->fixture, FIXTURE_BOB);
    words.undo_asker = FIXTURE_ANN;
    words.undo_seats = seat_bit(FIXTURE_BOB) | seat_bit(FIXTURE_CY);
    check_all(walk, &words);
    assert_true(walk->seen[ASK_UNDO] > 0);
    char text[TEXT_SIZE];
    struct text_out out;
    text_begin(&out, text, sizeof text);
    render_asks(see(&words, SAYS_NOTHING), seat_bit(FIXTURE_BOB), ASKS_MAX, &out);
    assert_non_null(strstr(text, "Ann wants to undo the last command: do you agree?\n"));
}

static int open_walk(void **state)
{
    struct walk *const walk = calloc(1, sizeof *walk);
    assert_non_null(walk);
    fixture_open(&walk->fixture, NULL);
    walk->moves.items = calloc(MB_MOVES_MAX, sizeof *walk->moves.items);
    walk->moves.capacity = MB_MOVES_MAX;
    *state = walk;
    return 0;
}

static int close_walk(void **state)
{
    struct walk *const walk = *state;
    free(walk->moves.items);
    fixture_close(&walk->fixture);
    free(walk);
    return 0;
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, open_walk, close_walk)

// What rings is told by "help notify", under who is called for it.
static void help_tells_what_rings(void **state)
{
    static const struct {
        enum ask_rings rings;
        enum text_id about;
    } ROWS[ASK_TOTAL] = {
#define ASK(kind, rings, about) {rings, TEXT_NOTIFY_##about},
#include "bot/text/asks.def"
#undef ASK
    };
    (void)state;
    struct fixture fixture;
    fixture_open(&fixture, NULL);
    const struct table_words words = fixture_words(&fixture, FIXTURE_ANN);
    char help[TEXT_SIZE];
    (void)render_help(&words, "notify", help, sizeof help);
    for (unsigned kind = 0; kind < ASK_TOTAL; kind++) {
        char list[ASK_RINGING_SIZE];
        const char *const about = text_sentence(ROWS[kind].about);
        const bool rings = ROWS[kind].rings != RINGS_NOBODY;
        assert_int_equal(ROWS[kind].rings, ask_rings(kind));
        assert_true(strstr(asks_ringing(ROWS[kind].rings, list), about) != NULL);
        assert_true((strstr(help, about) != NULL) == rings);
        assert_true(!rings || strstr(help, list) != NULL);
    }
    fixture_close(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(every_question_has_its_own_line),
        CASE(every_row_has_a_line_for_all_and_for_who_is_asked),
        CASE(an_undo_is_asked_of_who_has_not_agreed),
        CASE(help_tells_what_rings),
    };
    return cmocka_run_group_tests_name("asks", tests, NULL, NULL);
}
