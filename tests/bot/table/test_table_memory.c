// A short game with too little memory: each allocation fails once. A deed whose outcome lacks any
// of it is TABLE_FAILED, has done and said nothing, and can be asked again.
#include <stdlib.h>
#include <string.h>

#include "core/base/rng.h"

#include "bot/chat.h"
#include "bot/policy/policy.h"
#include "bot/table/solo.h"
#include "bot/table/table_state.h"

#include "tests/support/failing_alloc.h"
#include "tests/support/table.h"
#include "tests/support/test.h"

enum { MOVES = 3 };

struct fixture {
    struct catalog *catalog;
    struct library *library;
    struct table_workspace *ws;
    struct table *table;  // as it stood before the deed
    struct table *wanted; // after it, with memory enough ...
    size_t said;          // ... and how many messages there were
};

struct trial {
    struct fixture *f;
    struct deed deed;
};

static struct person ann(void)
{
    return (struct person){.network = "solo", .id = "Ann", .name = "Ann"};
}

static int set_up(void **state)
{
    struct fixture *const f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->catalog = given_catalog();
    f->library = library_create(f->catalog);
    f->ws = table_workspace_create(f->library);
    f->table = calloc(1, table_size());
    assert_true(f->ws != NULL && f->table != NULL);
    table_workspace_chat(f->ws, "solo", CHAT_CAP_BUTTONS | CHAT_CAP_PRIVATE | CHAT_CAP_EDIT);
    table_init(f->table, "t");
    table_add_site(f->table, "solo", "here", "Here");
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *const f = *state;
    table_workspace_destroy(f->ws);
    library_destroy(f->library);
    catalog_destroy(f->catalog);
    free(f->table);
    free(f->wanted);
    free(f);
    return 0;
}

// The outcome is as it is with memory enough, or there is nothing in it and it says so. Words may
// be fewer, and the hashes of what is shown others: without a list of moves a reply is just
// shorter.
static void check(struct fixture *f, const struct table_outcome *outcome)
{
    if (outcome->answer == TABLE_FAILED) {
        assert_true(outcome->failed || outcome->said.count > 0); // or why there are no cards
        assert_int_equal(outcome->journal.count, 0);
        assert_int_equal(outcome->record_count, 0);
        return;
    }
    assert_false(outcome->failed);
    if (f->wanted == NULL) {
        f->wanted = malloc(table_size());
        assert_non_null(f->wanted);
        table_copy(f->wanted, outcome->after);
        f->said = outcome->said.count;
    }
    assert_int_equal(outcome->said.count, f->said);
    assert_int_equal(outcome->after->state, f->wanted->state);
    assert_int_equal(outcome->after->journal_count, f->wanted->journal_count);
    assert_true(game_same(table_game(outcome->after), table_game(f->wanted)));
}

// One deed, what bot players do after it, and the end of the step.
static bool step(void *user)
{
    struct trial *const trial = user;
    struct fixture *const f = trial->f;
    struct table_outcome outcome;
    bool done = table_outcome_init(&outcome);
    if (done) {
        struct deed deed = trial->deed;
        enum table_answer answer = table_decide(f->table, 0, &deed, f->ws, &outcome);
        if (answer == TABLE_FAILED) {
            assert_memory_equal(outcome.after, f->table, offsetof(struct table, game));
            assert_true(game_same(table_game(outcome.after), table_game(f->table)));
        }
        for (unsigned i = 0; answer == TABLE_CHANGED && table_goes_on(outcome.after) && i < MOVES;
             i++) {
            deed = (struct deed){.kind = DEED_GO_ON};
            answer = table_decide(outcome.after, outcome.stamp, &deed, f->ws, &outcome);
        }
        if (answer == TABLE_CHANGED) {
            table_show(f->ws, &outcome);
        }
        check(f, &outcome);
        done = outcome.answer != TABLE_FAILED;
    }
    table_outcome_finish(&outcome);
    return done;
}

static void every_allocation_fails_once(struct fixture *f, const struct deed *deed)
{
    struct trial trial = {.f = f, .deed = *deed};
    assert_true(step(&trial)); // with memory enough: what is wanted
    assert_true(failing_alloc_each(step, &trial) > 0);
    free(f->table);
    f->table = f->wanted;
    f->wanted = NULL;
}

static void a_short_game(void **state)
{
    static const char *const LINES[] = {
        "new sets=classic",
        "join",
        "add-bot random",
        "add-bot random",
        "status",
        "start",
        "hand",
        "moves",
        "status",
        "done",
        "kick",
        "run",
        "loot",
        "done",
        "pass",
        "why",
        "nonsense",
        "end",
        "end",
        "start",
    };
    static const uint8_t chance[TABLE_CHANCE_SIZE] = {7};
    struct fixture *const f = *state;
    for (size_t i = 0; i < sizeof LINES / sizeof LINES[0]; i++) {
        const struct deed deed = {
            .kind = DEED_LINE, .person = ann(), .line = LINES[i], .chance = chance};
        every_allocation_fails_once(f, &deed);
        const struct table_due due = table_due(f->table);
        if (due.kind != TABLE_DUE_NEVER) {
            const struct deed time = {.kind = DEED_TIME, .passed_ms = due.ms};
            every_allocation_fails_once(f, &time);
        }
    }
}

// Reading the sets' files is tested with the loader; here is what keeps them.
static void a_library_without_memory_says_so(void **state)
{
    const struct fixture *const f = *state;
    const struct catalog_set *const set =
        catalog_set(f->catalog, catalog_find_set(f->catalog, "classic"));
    struct mb_error err = {0};
    failing_alloc_arm(1);
    assert_null(library_mix(f->library, set->digest, 1, &err));
    assert_true(failing_alloc_disarm());
    assert_int_equal(err.code, MB_ERR_LIMIT);
    err = (struct mb_error){0};
    assert_non_null(library_mix(f->library, set->digest, 1, &err));
}

static bool carry_by_hand(void *user)
{
    const struct fixture *const f = user;
    struct solo *const solo = solo_create_in(f->ws);
    struct mb_error err = {0};
    bool done = solo != NULL;
    if (done) {
        solo_keep_journal(solo);
        done = solo_person_line(solo, "Ann", "new sets=classic", NULL) &&
               solo_person_line(solo, "Ann", "add-bot", NULL) && solo_restart(solo, &err);
        assert_true(done || err.code == MB_OK || err.text[0] != '\0');
    }
    solo_destroy(solo);
    return done;
}

static void a_table_carried_by_hand(void **state)
{
    a_library_without_memory_says_so(state); // the sets are there then
    assert_true(failing_alloc_each(carry_by_hand, *state) > 5);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_short_game),
        CASE(a_library_without_memory_says_so),
        CASE(a_table_carried_by_hand),
    };
    return cmocka_run_group_tests_name("table_memory", tests, NULL, NULL);
}
