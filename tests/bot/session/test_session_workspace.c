#include <stdlib.h>
#include <string.h>

#include "core/rng.h"

#include "bot/session/session.h"
#include "bot/session/session_log.h"
#include "bot/session/session_workspace.h"

#include "tests/support/table.h"
#include "tests/support/test.h"

enum { TABLES = 3, ROUNDS = 400 };

// Several tables that share one workspace, and the same tables with one each.
struct fixture {
    struct catalog *catalog;
    struct session_workspace *workspace;
    struct session *shared[TABLES];
    struct session *alone[TABLES];
    struct game *wanted;
};

static struct session *table(struct fixture *f, struct session_workspace *workspace, unsigned n)
{
    struct session *const session = session_create(f->catalog, workspace);
    struct table_options options;
    struct mb_error err = {0};
    uint8_t seed[32];
    assert_non_null(session);
    table_options_init(&options);
    assert_true(table_options_words(&options, f->catalog, "sets=classic", &err));
    assert_true(session_open(session, &options, &err));
    assert_int_equal(session_sit(session, "Ann", true, NULL), 0);
    assert_int_equal(session_sit(session, "Ben", false, &POLICY_RANDOM), 1);
    assert_int_equal(session_sit(session, "Cleo", true, &POLICY_RANDOM), 2);
    mb_rng_seed_u64(seed, 7 + n);
    assert_true(session_start(session, seed, &err));
    return session;
}

static int set_up(void **state)
{
    struct fixture *const f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->catalog = given_catalog();
    f->workspace = session_workspace_create();
    assert_non_null(f->workspace);
    for (unsigned i = 0; i < TABLES; i++) {
        f->shared[i] = table(f, f->workspace, i);
        f->alone[i] = table(f, NULL, i);
    }
    f->wanted = calloc(1, game_size());
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *const f = *state;
    for (unsigned i = 0; i < TABLES; i++) {
        session_destroy(f->shared[i]);
        session_destroy(f->alone[i]);
    }
    session_workspace_destroy(f->workspace);
    catalog_destroy(f->catalog);
    free(f->wanted);
    free(f);
    return 0;
}

// What every viewer is shown is the redaction of the state as it is now.
static void check_views(struct fixture *f, struct session *session)
{
    for (unsigned seat = 0; seat <= MB_SEATS_MAX; seat++) {
        const unsigned viewer = seat < session_seat_count(session) ? seat : (unsigned)NO_SEAT;
        struct table_words words;
        session_words(session, viewer, &words);
        game_redact(session_game(session), session_box(session), viewer, f->wanted);
        assert_true(game_same(words.view, f->wanted));
    }
}

static void no_view_is_ever_stale_or_of_another_table(void **state)
{
    struct fixture *const f = *state;
    for (unsigned i = 0; i < ROUNDS; i++) {
        struct session *const session = f->shared[i % TABLES];
        check_views(f, session);
        const struct session_due due = session_due(session);
        session_advance(session, due.kind == SESSION_DUE_NEVER ? 0 : due.ms);
        message_list_clear(session_outbox(session));
        check_views(f, session);
    }
}

static void sharing_a_workspace_changes_nothing(void **state)
{
    struct fixture *const f = *state;
    for (unsigned i = 0; i < ROUNDS; i++) {
        struct session *const a = f->shared[i % TABLES];
        struct session *const b = f->alone[i % TABLES];
        const struct session_due due = session_due(a);
        assert_int_equal(due.ms, session_due(b).ms);
        session_advance(a, due.kind == SESSION_DUE_NEVER ? 0 : due.ms);
        session_advance(b, due.kind == SESSION_DUE_NEVER ? 0 : due.ms);
        struct message_list *const said = session_outbox(a);
        struct message_list *const wanted = session_outbox(b);
        assert_int_equal(said->count, wanted->count);
        for (size_t m = 0; m < said->count; m++) {
            assert_int_equal(said->items[m].seat, wanted->items[m].seat);
            assert_string_equal(said->items[m].text, wanted->items[m].text);
        }
        assert_true(game_same(session_game(a), session_game(b)));
        message_list_clear(said);
        message_list_clear(wanted);
    }
}

static void the_log_is_bounded_and_keeps_the_latest(void **state)
{
    (void)state;
    struct session_log log = {0};
    char text[SESSION_LOG_BYTES + 8];
    for (unsigned i = 0; i < 3 * SESSION_LOG_MAX; i++) {
        const char entry[] = {(char)('a' + i % 26), '\0'};
        session_log_add(&log, entry);
    }
    assert_int_equal(log.count, SESSION_LOG_MAX);
    assert_int_equal(session_log_entry(&log, SESSION_LOG_MAX - 1)[0],
                     'a' + (3 * SESSION_LOG_MAX - 1) % 26);
    memset(text, 'x', sizeof text - 1);
    text[SESSION_LOG_BYTES / 2] = '\0';
    for (unsigned i = 0; i < 5; i++) {
        session_log_add(&log, text);
        assert_true(log.bytes <= SESSION_LOG_BYTES);
    }
    assert_int_equal(log.count, 1);
    memset(text, 'y', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    session_log_add(&log, text); // larger than the whole log: left out
    assert_int_equal(session_log_entry(&log, log.count - 1)[0], 'x');
    session_log_finish(&log);
    assert_int_equal(log.count, 0);
    assert_string_equal(session_log_entry(&log, 0), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(no_view_is_ever_stale_or_of_another_table, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(sharing_a_workspace_changes_nothing, set_up, tear_down),
        cmocka_unit_test(the_log_is_bounded_and_keeps_the_latest),
    };
    return cmocka_run_group_tests_name("session_workspace", tests, NULL, NULL);
}
