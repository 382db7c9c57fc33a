// Games written down and played again from what was written; and every way in which a file can lie.
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "core/base/rng.h"
#include "core/codec/journal.h"
#include "core/codec/outcome.h"
#include "core/loop/query.h"
#include "core/seen/moves.h"
#include "core/seen/undo.h"

#include "tests/support/table.h"
#include "tests/support/test.h"

struct fixture {
    struct catalog *catalog;
    struct box box;
    uint8_t set;
    struct game *game, *before;
    size_t before_at; // the entry after which `before` was kept; SIZE_MAX: none
    unsigned author;
    unsigned undone[2]; // by consent, fair
    struct journal journal;
    struct event_list events;
    struct move_list moves;
    struct mb_rng rng;
};

static int set_up(void **state)
{
    struct fixture *const f = calloc(1, sizeof *f);
    f->catalog = given_catalog();
    given_box(f->catalog, "classic", &f->box);
    f->set = catalog_find_set(f->catalog, "classic");
    f->game = calloc(1, game_size());
    f->before = calloc(1, game_size());
    f->events.items = calloc(MB_EVENTS_MAX, sizeof *f->events.items);
    f->events.capacity = MB_EVENTS_MAX;
    f->moves.items = calloc(MB_MOVES_MAX, sizeof *f->moves.items);
    f->moves.capacity = MB_MOVES_MAX;
    journal_init(&f->journal);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *const f = *state;
    journal_finish(&f->journal);
    catalog_destroy(f->catalog);
    free(f->game);
    free(f->before);
    free(f->events.items);
    free(f->moves.items);
    free(f);
    return 0;
}

// What a platform would have brought about.
static struct luck luck_of(unsigned seats, const uint8_t secret[DIGEST_SIZE])
{
    struct luck luck = {.drawn = true, .table = "table", .start = "$message:example.org"};
    memcpy(luck.secret, secret, sizeof luck.secret);
    for (unsigned i = 0; i < seats; i++) {
        const char id[] = {(char)('1' + (char)i), '\0'};
        luck_seat("fake", id, luck.seats[i]);
    }
    return luck;
}

// Of odd numbers the seed is drawn from a secret, even ones give it whole.
static void begin(struct fixture *f, unsigned seats, uint64_t seed)
{
    struct game_setup setup = {.seat_count = (uint8_t)seats, .female = {1, 0, 1}};
    struct journal_player players[MB_SEATS_MAX] = {{"Ann", ""},     {"Bob", "random"}, {"Cy", ""},
                                                   {"Dot", "rand"}, {"Eve", ""},       {"Fay", ""}};
    mb_rng_seed_u64(setup.seed, seed);
    const struct luck luck = luck_of(seats, setup.seed);
    if (seed % 2 != 0) {
        luck_seed(&luck, seats, setup.seed);
    }
    mb_rng_init(&f->rng, setup.seed);
    f->rng.position = 1000000;
    f->before_at = SIZE_MAX;
    game_create(f->game, &f->box, &setup, &f->events);
    const struct journal_start start = {.catalog = f->catalog,
                                        .rules = (uint16_t)game_rules(),
                                        .box = &f->box,
                                        .sets = &f->set,
                                        .set_count = 1,
                                        .setup = &setup,
                                        .players = players,
                                        .luck = seed % 2 != 0 ? &luck : NULL,
                                        .game = f->game};
    journal_begin(&f->journal, &start);
}

static void choose_command(struct fixture *f, struct command *command)
{
    const unsigned seats = query_seat_count(f->game);
    const unsigned first = mb_rng_below(&f->rng, seats);
    *command = (struct command){.verb = VERB_ELAPSE,
                                .seat = NO_SEAT,
                                .card = NO_CARD,
                                .target = NO_CARD,
                                .to = NO_SEAT,
                                .about = NO_SEAT,
                                .n = (int16_t)query_clock(f->game).kind};
    for (unsigned i = 0; i < seats && mb_rng_below(&f->rng, 8) != 0; i++) {
        f->moves.count = 0;
        moves_list(f->game, &f->box, (first + i) % seats, &f->moves);
        if (f->moves.count > 0) {
            move_sample(f->game, &f->box, &f->moves.items[mb_rng_below(&f->rng, f->moves.count)],
                        &f->rng, command);
            return;
        }
    }
}

static void step(struct fixture *f)
{
    struct command command;
    struct refusal why = {0};
    struct game *const before = malloc(game_size());
    assert_non_null(before);
    choose_command(f, &command);
    game_copy(before, f->game);
    if (game_step(f->game, &f->box, &command, &f->events, &why)) {
        if (command.seat < MB_SEATS_MAX && command.verb != VERB_PASS) {
            game_copy(f->before, before);
            f->before_at = f->journal.count;
            f->author = command.seat;
        } else if (command.verb != VERB_PASS) {
            f->author = MB_SEATS_MAX; // a clock ran out: no longer one's own affair
        }
        journal_command(&f->journal, &command, &f->events, f->game);
    }
    free(before);
}

static void take_back(struct fixture *f)
{
    const unsigned everybody = (1u << query_seat_count(f->game)) - 1u;
    if (f->before_at == SIZE_MAX || query_phase(f->game) == PHASE_OVER) {
        return;
    }
    const bool fair = f->author < MB_SEATS_MAX && undo_is_fair(f->before, f->game, f->author);
    const unsigned by = fair ? f->author : 0;
    f->undone[fair ? 1 : 0]++;
    undo_apply(f->game, &f->box, f->before, &f->events);
    journal_undo(&f->journal, by, fair ? 0u : everybody & ~1u, f->before_at, f->game);
    f->before_at = SIZE_MAX;
}

static void play(struct fixture *f, unsigned commands)
{
    const struct journal_player dora = {"Dora", ""};
    for (unsigned i = 1; i < commands && query_phase(f->game) != PHASE_OVER; i++) {
        step(f);
        if (i % 13 == 0) {
            take_back(f);
        }
        if (i == 30) {
            journal_seat(&f->journal, 1, &dora);
        }
    }
    const bool over = query_phase(f->game) == PHASE_OVER;
    f->journal.state = over ? JOURNAL_FINISHED : JOURNAL_ENDED;
}

static char *export(struct fixture *f)
{
    struct mb_error err = {0};
    char *const text = journal_export(&f->journal, f->game, &err);
    assert_non_null(text);
    return text;
}

static bool verify(struct fixture *f, const char *text, size_t size, struct mb_error *err)
{
    struct journal_report report;
    *err = (struct mb_error){0};
    const bool good = journal_verify(f->catalog, text, size, &report, err);
    assert_int_equal(good, err->code == MB_OK);
    assert_int_equal(good, err->text[0] == '\0');
    return good;
}

static void whole_games_come_back(void **state)
{
    struct fixture *const f = *state;
    for (unsigned seats = MB_SEATS_MIN; seats <= MB_SEATS_MAX; seats++) {
        struct journal_report report;
        struct mb_error err = {0};
        begin(f, seats, seats);
        play(f, 100000);
        assert_int_equal(f->journal.state, JOURNAL_FINISHED);
        char *const text = export(f);
        assert_true(journal_verify(f->catalog, text, strlen(text), &report, &err));
        assert_int_equal(report.winners, query_winners(f->game));
        assert_int_equal(report.rounds, query_round(f->game));
        assert_true(report.commands > 50);
        assert_true(report.rolls > 0);
        assert_true(report.shuffles >= 2);
        assert_true(report.undone > 5);
        assert_string_equal(report.players[1].name, "Dora");
        free(text);
    }
    assert_true(f->undone[0] > 0); // by consent: decks were shuffled again
    assert_true(f->undone[1] > 0); // without asking
}

static void an_unfinished_game_keeps_its_seed(void **state)
{
    struct fixture *const f = *state;
    const enum journal_state states[] = {JOURNAL_RUNNING, JOURNAL_INTERRUPTED};
    const char *const words[] = {"still running", "interrupted"};
    char seed[DIGEST_HEX_SIZE];
    char secret[DIGEST_HEX_SIZE];
    begin(f, 4, 9);
    play(f, 60);
    digest_hex(f->journal.seed, sizeof f->journal.seed, seed);
    digest_hex(f->journal.luck.secret, sizeof f->journal.luck.secret, secret);
    for (size_t i = 0; i < 2; i++) {
        struct mb_error err;
        f->journal.state = states[i];
        char *const text = export(f);
        assert_null(strstr(text, seed));
        assert_null(strstr(text, secret));
        assert_false(verify(f, text, strlen(text), &err));
        assert_non_null(strstr(err.text, words[i]));
        free(text);
    }
}

// Another secret that is committed to as well, another seed that is told: neither leads to the
// other.
static void a_seed_that_does_not_come_of_the_secret_is_noticed(void **state)
{
    struct fixture *const f = *state;
    struct mb_error err;
    begin(f, 3, 11);
    play(f, 60);
    f->journal.luck.secret[0] ^= 1u;
    digest_of(f->journal.luck.secret, DIGEST_SIZE, f->journal.commitment);
    char *const text = export(f);
    assert_false(verify(f, text, strlen(text), &err));
    assert_non_null(strstr(err.text, "what comes of secret"));
    free(text);
}

/* Lies. A file is changed in one place and sealed again, as somebody who cheats would. */

static char *sealed(json_t *lie)
{
    json_t *const root = json_copy(lie);
    uint8_t digest[DIGEST_SIZE];
    char seal[DIGEST_HEX_SIZE];
    (void)json_object_del(root, "seal");
    digest_of_json(root, digest);
    digest_hex(digest, sizeof digest, seal);
    assert_int_equal(json_object_set_new(root, "seal", json_string(seal)), 0);
    char *const text = json_dumps(root, JSON_COMPACT);
    assert_non_null(text);
    json_decref(root);
    return text;
}

static json_t *other_value(const json_t *value)
{
    if (json_is_integer(value)) {
        return json_integer(json_integer_value(value) + 1);
    }
    if (json_is_boolean(value)) {
        return json_boolean(!json_is_true(value));
    }
    if (json_is_string(value)) {
        char *const text = strdup(json_string_value(value));
        assert_non_null(text);
        text[0] = (char)(text[0] == 'a' ? 'b' : 'a');
        json_t *const other = json_string(text);
        free(text);
        return other;
    }
    return json_integer(1);
}

// What nothing can be derived from: who sits where; flags, which any table may choose.
static bool is_free(const json_t *object, const char *key, bool in_flags)
{
    const bool chair = json_object_get(object, "player") != NULL;
    return in_flags || chair || strcmp(key, "name") == 0 || strcmp(key, "bot") == 0;
}

struct walk {
    struct fixture *f;
    json_t *root;
    size_t changed;
};

static void check_lie(struct walk *walk, const char *key)
{
    struct mb_error err;
    char *const text = sealed(walk->root);
    if (verify(walk->f, text, strlen(text), &err)) {
        fail_msg("a changed \"%s\" was not noticed", key);
    }
    free(text);
    walk->changed++;
}

static void lie_everywhere(struct walk *walk, json_t *value, bool in_flags);

// NOLINTBEGIN(misc-no-recursion): as deep as the file, which is bounded
static void lie_in_object(struct walk *walk, json_t *object, bool in_flags)
{
    const char *key;
    json_t *value;
    void *next;
    json_object_foreach_safe(object, next, key, value)
    {
        if (json_is_object(value) || json_is_array(value)) {
            lie_everywhere(walk, value, strcmp(key, "flags") == 0);
        } else if (!is_free(object, key, in_flags) && strcmp(key, "seal") != 0) {
            json_t *const old = json_incref(value);
            assert_int_equal(json_object_set_new(object, key, other_value(old)), 0);
            check_lie(walk, key);
            assert_int_equal(json_object_set_new(object, key, old), 0);
        }
    }
}

static void lie_everywhere(struct walk *walk, json_t *value, bool in_flags)
{
    if (json_is_object(value)) {
        lie_in_object(walk, value, in_flags);
        return;
    }
    for (size_t i = 0; i < json_array_size(value); i++) {
        json_t *const element = json_array_get(value, i);
        if (json_is_object(element) || json_is_array(element)) {
            lie_everywhere(walk, element, false);
            continue;
        }
        json_t *const old = json_incref(element);
        assert_int_equal(json_array_set_new(value, i, other_value(old)), 0);
        check_lie(walk, "element of a list");
        assert_int_equal(json_array_set_new(value, i, old), 0);
    }
}

// NOLINTEND(misc-no-recursion)

static void every_changed_value_is_noticed(void **state)
{
    struct fixture *const f = *state;
    begin(f, 3, 21);
    play(f, 110);
    char *const text = export(f);
    struct walk walk = {.f = f, .root = json_loads(text, 0, NULL)};
    assert_non_null(walk.root);
    assert_non_null(strstr(text, "\"dice\"")); // there is a die to be changed
    assert_non_null(strstr(text, "\"undo\""));
    lie_everywhere(&walk, walk.root, false);
    assert_true(walk.changed > 400);
    json_decref(walk.root);
    free(text);
}

static void a_step_left_out_is_noticed(void **state)
{
    struct fixture *const f = *state;
    begin(f, 3, 22);
    play(f, 80);
    char *const text = export(f);
    const size_t count = f->journal.count;
    for (size_t i = 0; i < count; i++) {
        struct mb_error err;
        json_t *const root = json_loads(text, 0, NULL);
        json_t *const steps = json_object_get(root, "steps");
        const bool seat = json_object_get(json_array_get(steps, i), "seat") != NULL;
        assert_int_equal(json_array_remove(steps, i), 0);
        char *const lie = sealed(root);
        if (!seat) { // who sits where derives nothing
            assert_false(verify(f, lie, strlen(lie), &err));
        }
        free(lie);
        json_decref(root);
    }
    free(text);
}

static void damage_is_noticed(void **state)
{
    enum { STRIDE = 37, EVERY_BIT = 7 };
    struct fixture *const f = *state;
    struct mb_error err;
    begin(f, 3, 23);
    play(f, 40);
    char *const text = export(f);
    const size_t size = strlen(text);
    assert_true(verify(f, text, size, &err));
    for (size_t i = 0; i + 2 < size; i += STRIDE) { // the last line end may go
        assert_false(verify(f, text, i, &err));
    }
    for (size_t i = 0; i < size; i += STRIDE) {
        const char old = text[i];
        text[i] = (char)((unsigned char)old ^ 1u << i % EVERY_BIT);
        if (old != '\n' && old != ' ') { // blanks between values mean nothing
            assert_false(verify(f, text, size, &err));
        }
        text[i] = old;
    }
    free(text);
}

static void other_files_are_no_games(void **state)
{
    struct fixture *const f = *state;
    static const char *const TEXTS[] = {"",
                                        "{",
                                        "[]",
                                        "null",
                                        "\"munchbot-game\"",
                                        "{}",
                                        "{\"format\":\"munchbot-game\"}",
                                        "{\"format\":\"munchbot-game\",\"version\":2}",
                                        "{\"format\":\"munchbot-game\",\"version\":1}",
                                        "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
                                        "\xff\xfe{}",
                                        "{\"a\":1,\"a\":2}"};
    for (size_t i = 0; i < sizeof TEXTS / sizeof TEXTS[0]; i++) {
        struct mb_error err;
        assert_false(verify(f, TEXTS[i], strlen(TEXTS[i]), &err));
    }
    struct mb_error err;
    char *const large = malloc(JOURNAL_BYTES_MAX + 1u);
    assert_non_null(large);
    memset(large, ' ', JOURNAL_BYTES_MAX + 1u);
    assert_false(verify(f, large, JOURNAL_BYTES_MAX + 1u, &err));
    assert_non_null(strstr(err.text, "larger than"));
    memset(large, ',', JOURNAL_BYTES_MAX);
    assert_false(verify(f, large, JOURNAL_BYTES_MAX, &err));
    free(large);
}

static void a_broken_journal_is_not_exported(void **state)
{
    struct fixture *const f = *state;
    struct mb_error err = {0};
    begin(f, 3, 1);
    for (size_t i = 0; i < JOURNAL_ENTRIES_MAX; i++) {
        assert_non_null(journal_add(&f->journal));
    }
    assert_null(journal_add(&f->journal));
    assert_null(journal_export(&f->journal, f->game, &err));
    assert_int_equal(err.code, MB_ERR_LIMIT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(whole_games_come_back, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_seed_that_does_not_come_of_the_secret_is_noticed, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(an_unfinished_game_keeps_its_seed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(every_changed_value_is_noticed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_step_left_out_is_noticed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(damage_is_noticed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(other_files_are_no_games, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_broken_journal_is_not_exported, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("journal", tests, NULL, NULL);
}
