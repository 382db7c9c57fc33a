#include <stdlib.h>
#include <string.h>

#include "core/base/rng.h"

#include "bot/parse/parse.h"
#include "bot/policy/policy.h"
#include "bot/table/workspace.h"
#include "bot/tools/solo.h"

#include "tests/support/table.h"
#include "tests/support/test.h"

enum { TABLES = 3, ROUNDS = 400, WORDS_SIZE = 128 };

// Several tables that share one workspace, and the same tables with one each.
struct fixture {
    struct catalog *catalog;
    struct library *library;
    struct table_workspace *workspace;
    struct solo *shared[TABLES];
    struct solo *alone[TABLES];
    struct game *wanted;
};

static struct solo *open_table(struct fixture *f, struct table_workspace *workspace, unsigned n)
{
    struct solo *const solo =
        workspace != NULL ? solo_create_in(workspace) : solo_create(f->catalog);
    struct table_options options;
    struct mb_error err = {0};
    uint8_t seed[32];
    assert_non_null(solo);
    table_options_init(&options);
    assert_true(table_options_words(&options, f->catalog, "sets=classic", &err));
    static const struct solo_seat SEATS[TABLES][3] = {
        {{"Ann", true, NULL}, {"Ben", false, &POLICY_RANDOM}, {"Cleo", true, &POLICY_RANDOM}},
        {{"Dee", true, NULL}, {"All", false, &POLICY_RANDOM}, {"Gus", true, &POLICY_RANDOM}},
        {{"Ann", true, NULL}, {"me", false, &POLICY_RANDOM}, {"Ben", true, &POLICY_RANDOM}}};
    mb_rng_seed_u64(seed, 7 + n);
    assert_true(solo_begin(solo, &options, SEATS[n], 3, seed));
    return solo;
}

static int set_up(void **state)
{
    struct fixture *const f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->catalog = given_catalog();
    f->library = library_create(f->catalog);
    f->workspace = table_workspace_create(f->library);
    assert_non_null(f->workspace);
    for (unsigned i = 0; i < TABLES; i++) {
        f->shared[i] = open_table(f, f->workspace, i);
        f->alone[i] = open_table(f, NULL, i);
    }
    f->wanted = calloc(1, game_size());
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *const f = *state;
    for (unsigned i = 0; i < TABLES; i++) {
        solo_destroy(f->shared[i]);
        solo_destroy(f->alone[i]);
    }
    table_workspace_destroy(f->workspace);
    library_destroy(f->library);
    catalog_destroy(f->catalog);
    free(f->wanted);
    free(f);
    return 0;
}

// What every viewer is shown is the redaction of the state as it is now; players are named as
// nobody else was before.
static void check_views(struct fixture *f, struct solo *solo)
{
    for (unsigned seat = 0; seat <= MB_SEATS_MAX; seat++) {
        const unsigned viewer = seat < solo_seat_count(solo) ? seat : (unsigned)NO_SEAT;
        struct table_words words;
        solo_words(solo, viewer, &words);
        game_redact(solo_game(solo), solo_box(solo), viewer, f->wanted);
        assert_true(game_same(words.view, f->wanted));
        struct table_words fresh = words;
        fresh.memo = NULL;
        for (unsigned i = 0; i < solo_seat_count(solo); i++) {
            char known[WORDS_SIZE];
            char found[WORDS_SIZE];
            parse_format_player(&words, i, known, sizeof known);
            parse_format_player(&fresh, i, found, sizeof found);
            assert_string_equal(known, found);
        }
    }
}

static void no_view_is_ever_stale_or_of_another_table(void **state)
{
    struct fixture *const f = *state;
    for (unsigned i = 0; i < ROUNDS; i++) {
        struct solo *const solo = f->shared[i % TABLES];
        check_views(f, solo);
        const struct table_due due = solo_due(solo);
        solo_advance(solo, due.kind == TABLE_DUE_NEVER ? 0 : due.ms);
        message_list_clear(solo_outbox(solo));
        check_views(f, solo);
    }
}

static void sharing_a_workspace_changes_nothing(void **state)
{
    struct fixture *const f = *state;
    for (unsigned i = 0; i < ROUNDS; i++) {
        struct solo *const a = f->shared[i % TABLES];
        struct solo *const b = f->alone[i % TABLES];
        const struct table_due due = solo_due(a);
        assert_int_equal(due.ms, solo_due(b).ms);
        solo_advance(a, due.kind == TABLE_DUE_NEVER ? 0 : due.ms);
        solo_advance(b, due.kind == TABLE_DUE_NEVER ? 0 : due.ms);
        struct message_list *const said = solo_outbox(a);
        struct message_list *const wanted = solo_outbox(b);
        assert_int_equal(said->count, wanted->count);
        for (size_t m = 0; m < said->count; m++) {
            assert_int_equal(said->items[m].seat, wanted->items[m].seat);
            assert_string_equal(said->items[m].text, wanted->items[m].text);
        }
        assert_true(game_same(solo_game(a), solo_game(b)));
        message_list_clear(said);
        message_list_clear(wanted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(no_view_is_ever_stale_or_of_another_table, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(sharing_a_workspace_changes_nothing, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("table_workspace", tests, NULL, NULL);
}
