// What a game costs those who read it: twenty games of two people and two bot players, told as each
// network is. The figures are printed; the bounds are those that bot/README.md promises.
#include <stdlib.h>
#include <string.h>

#include "bot/policy/policy.h"

#include "tests/support/stage_case.h"
#include "tests/support/test.h"

enum {
    GAMES = 20,
    PEOPLE = 2,
    THINK_MS = 4000,
    STEPS_MAX = 6000,
    SHOWN_MAX = 4096,
};

static const char PLACE[] = "tavern";
static const char *const NAMES[PEOPLE] = {"Ann", "Bob"};

enum {
    DISCORD = CHAT_CAP_BUTTONS | CHAT_CAP_PRIVATE | CHAT_CAP_EDIT | CHAT_CAP_HINTS | CHAT_CAP_STORY,
    MATRIX = CHAT_CAP_PRIVATE | CHAT_CAP_EDIT | CHAT_CAP_NUMBERS | CHAT_CAP_SCARCE | CHAT_CAP_STORY,
};

struct measure {
    unsigned long commands, turns, posts, edits, late_edits, hand_edits, same_hands, calls,
        idle_calls;
    unsigned long bare_calls; // without an answer on the message that calls
    unsigned long game_posts, most_posts, most_lines;
    unsigned long results; // that call everybody
};

/* What stands in a private message, as far as its reader sees. */
struct seen {
    char id[CHAT_TABLE_SIZE];
    char *words;
};

struct watch {
    struct measure *measure;
    struct seen seen[SHOWN_MAX];
    size_t seen_count, read;
    uint32_t turn, chapter;
    bool waits; // nobody has said anything since: clocks and bot players act
};

static char *words_of(const struct fake_message *message)
{
    size_t length = strlen(message->text) + 1;
    for (size_t i = 0; i < message->control_count; i++) {
        length += strlen(message->controls[i].label) + 1;
        for (size_t j = 0; j < message->controls[i].choice_count; j++) {
            length += strlen(message->controls[i].choices[j].label) + 1;
        }
    }
    char *const words = malloc(length);
    assert_non_null(words);
    char *end = stpcpy(words, message->text);
    for (size_t i = 0; i < message->control_count; i++) {
        end = stpcpy(stpcpy(end, "\n"), message->controls[i].label);
        for (size_t j = 0; j < message->controls[i].choice_count; j++) {
            end = stpcpy(stpcpy(end, "\n"), message->controls[i].choices[j].label);
        }
    }
    return words;
}

static bool is_seen_already(struct watch *watch, const struct fake_message *message)
{
    char *const words = words_of(message);
    for (size_t i = 0; i < watch->seen_count; i++) {
        struct seen *const seen = &watch->seen[i];
        if (strcmp(seen->id, message->id) == 0) {
            const bool same = strcmp(seen->words, words) == 0;
            free(seen->words);
            seen->words = words;
            return same;
        }
    }
    assert_true(watch->seen_count < SHOWN_MAX);
    struct seen *const seen = &watch->seen[watch->seen_count++];
    memcpy(seen->id, message->id, sizeof seen->id);
    seen->words = words;
    return false;
}

static void hear_call(struct measure *measure, const struct fake_message *message)
{
    for (unsigned seat = 0; seat < PEOPLE; seat++) {
        const bool called = strstr(message->pings, NAMES[seat]) != NULL;
        const bool asked = strstr(message->asked, NAMES[seat]) != NULL;
        measure->calls += called ? 1 : 0;
        measure->idle_calls += called && !asked ? 1 : 0;
    }
    const bool over = strstr(message->prompt, " won. Once more?") != NULL;
    measure->results += over && message->ping_count == PEOPLE ? 1 : 0;
    measure->bare_calls += message->control_count == 0 ? 1 : 0;
}

static void hear(struct watch *watch, const struct stage *stage)
{
    struct measure *const measure = watch->measure;
    for (; watch->read < fake_count(stage->chat); watch->read++) {
        const struct fake_message *const message = fake_message(stage->chat, watch->read);
        const size_t story = text_phone_lines(message->story);
        const size_t lines = text_phone_lines(message->text) + text_phone_lines(message->prompt) +
                             (story > 0 ? story + 1 : 0);
        measure->most_lines = lines > measure->most_lines ? lines : measure->most_lines;
        if (message->person[0] != '\0') {
            const bool same = is_seen_already(watch, message);
            measure->hand_edits += message->replaces[0] != '\0' ? 1 : 0;
            measure->same_hands += message->replaces[0] != '\0' && same ? 1 : 0;
            continue;
        }
        // A card of another chapter is posted anew, and the older one keeps its story.
        const bool anew = message->kind != CHAT_CARD || message->chapter != watch->chapter;
        watch->chapter = message->kind == CHAT_CARD ? message->chapter : watch->chapter;
        measure->posts += anew ? 1 : 0;
        measure->game_posts += anew ? 1 : 0;
        measure->edits += anew || watch->waits ? 0 : 1;
        measure->late_edits += !anew && watch->waits ? 1 : 0;
        if (message->ping_count > 0) {
            hear_call(measure, message);
        }
    }
}

static void step(struct watch *watch, struct stage *stage, struct mb_rng *rng)
{
    char line[STAGE_LINE_SIZE];
    const struct table_due due = table_due(stage_table(stage, PLACE));
    for (unsigned seat = 0; seat < PEOPLE; seat++) {
        if ((due.seats >> seat & 1u) != 0 &&
            stage_think(stage, PLACE, seat, &POLICY_REGULAR, rng, line)) {
            watch->measure->commands++;
            stage_say(stage, PLACE, NAMES[seat], line);
            hear(watch, stage);
            break;
        }
    }
    watch->waits = true;
    stage_pass(stage, THINK_MS);
    hear(watch, stage);
    watch->waits = false;
}

static void play(struct watch *watch, struct stage *stage, struct mb_rng *rng)
{
    struct measure *const measure = watch->measure;
    stage_start(stage, PLACE, PEOPLE, 2);
    fake_forget(stage->chat);
    watch->read = 0;
    measure->game_posts = 0;
    for (unsigned i = 0; i < STEPS_MAX; i++) {
        const struct table *const table = stage_table(stage, PLACE);
        if (table == NULL || table_state(table) != TABLE_RUNNING) {
            break;
        }
        const uint32_t turn =
            query_round(table_game(table)) * MB_SEATS_MAX + query_turn(table_game(table)) + 1;
        measure->turns += turn != watch->turn ? 1 : 0;
        watch->turn = turn;
        step(watch, stage, rng);
        fake_forget(stage->chat);
        watch->read = 0;
    }
    assert_int_equal(table_state(stage_table(stage, PLACE)), TABLE_OVER);
    measure->most_posts =
        measure->game_posts > measure->most_posts ? measure->game_posts : measure->most_posts;
}

static void forget(struct watch *watch)
{
    for (size_t i = 0; i < watch->seen_count; i++) {
        free(watch->seen[i].words);
    }
    watch->seen_count = 0;
}

static void measure_games(struct stage *stage, uint32_t caps, struct measure *measure)
{
    struct watch *const watch = calloc(1, sizeof *watch);
    struct mb_rng rng;
    uint8_t seed[32];
    assert_non_null(watch);
    watch->measure = measure;
    mb_rng_seed_u64(seed, 1);
    mb_rng_init(&rng, seed);
    fake_can(stage->chat, caps);
    stage_again(stage);
    for (unsigned i = 0; i < GAMES; i++) {
        play(watch, stage, &rng);
        forget(watch);
    }
    free(watch);
}

static double each(unsigned long count, unsigned long of)
{
    return (double)count / (double)of;
}

static void keeps_to_bounds(struct stage *stage, uint32_t caps)
{
    struct measure measure = {0};
    measure_games(stage, caps, &measure);
    print_message("%lu commands, %lu turns in %d games\n", measure.commands, measure.turns, GAMES);
    print_message("  public messages: %.2f a turn, at most %lu a game\n",
                  each(measure.posts, measure.turns), measure.most_posts);
    print_message("  a command: %.2f edits of the card, and %.2f by clocks and bot players;"
                  " %.2f of hands, %lu that change nothing\n",
                  each(measure.edits, measure.commands), each(measure.late_edits, measure.commands),
                  each(measure.hand_edits, measure.commands), measure.same_hands);
    print_message("  calls: %lu, %lu of people who are not asked, %lu without answers\n",
                  measure.calls, measure.idle_calls, measure.bare_calls);
    print_message("  longest message: %lu lines of %d\n", measure.most_lines, TEXT_PHONE_COLUMNS);
    assert_true(each(measure.posts, measure.turns) <= 3);
    assert_true(measure.most_posts <= 120);
    assert_true(each(measure.edits, measure.commands) <= 0.7);
    assert_true(each(measure.late_edits, measure.commands) <= 0.07);
    assert_int_equal(measure.same_hands, 0);
    assert_true(measure.calls > measure.turns / 2);
    assert_int_equal(measure.idle_calls, 0);
    assert_true(measure.bare_calls == 0 || (caps & CHAT_CAP_BUTTONS) == 0);
    assert_true(measure.most_lines <= TEXT_PHONE_LINES);
    assert_int_equal(measure.results, GAMES); // each end calls everybody, once
}

static void a_game_on_discord_keeps_to_its_bounds(void **state)
{
    keeps_to_bounds(stage_of(state), DISCORD);
}

static void a_game_on_matrix_keeps_to_its_bounds(void **state)
{
    keeps_to_bounds(stage_of(state), MATRIX);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, stage_case_open, stage_case_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_game_on_discord_keeps_to_its_bounds),
        CASE(a_game_on_matrix_keeps_to_its_bounds),
    };
    return cmocka_run_group_tests_name("hall_bounds", tests, NULL, NULL);
}
