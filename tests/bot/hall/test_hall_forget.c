// People who want to be forgotten: asked once more, answered when the wish is kept, forgotten
// though the process dies meanwhile; and what was private is taken away.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/hall/hall_limits.h"
#include "bot/kept/kept_table.h"

#include "adapters/store/sqlite/sqlite_store.h"

#include "tests/support/chance.h"
#include "tests/support/faulty_store.h"
#include "tests/support/shown.h"
#include "tests/support/stage.h"
#include "tests/support/store_talk.h"
#include "tests/support/table.h"
#include "tests/support/test.h"

enum { MINUTE_MS = 60000 };

static const char PLACE[] = "tavern";

struct fixture {
    struct catalog *catalog;
    struct stage stage;
    unsigned asked; // how often the host was
    bool away;      // it does nothing, as one that dies
    bool fails;
};

// As the service does it, but at once.
static void forget(void *user, const char *network, const char *person)
{
    struct fixture *const f = user;
    struct mb_error err = {0};
    char path[FOLDER_PATH_SIZE];
    struct kept kept;
    size_t tables = 0;
    f->asked++;
    if (f->away) {
        return;
    }
    if (!f->fails) {
        folder_in(f->stage.folder, "tables.db", path);
        const struct sqlite_setup setup = {.path = path, .waits = true};
        struct store *const store = sqlite_store_create(&setup);
        assert_true(store_start(store, &err) && kept_open(&kept, f->catalog, store, &err));
        if (!forget_person(&kept, network, person, &tables, &err)) {
            fail_msg("%s", err.text);
        }
        kept_close(&kept);
        store_destroy(store);
    }
    hall_forgotten(f->stage.hall, !f->fails);
}

static int set_up(void **state)
{
    struct fixture *const f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->catalog = given_catalog();
    chance_fix();
    stage_open_on(&f->stage, f->catalog, STAGE_SQLITE);
    f->stage.forget = forget;
    f->stage.forget_user = f;
    stage_again(&f->stage);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *const f = *state;
    stage_close(&f->stage);
    catalog_destroy(f->catalog);
    free(f);
    return 0;
}

static size_t taken_away(const struct fixture *f)
{
    return fake_count_of(f->stage.chat, CHAT_FORGET);
}

static const char *name_of(const struct fixture *f, unsigned seat)
{
    return table_seat_name(stage_table(&f->stage, PLACE), seat);
}

static void what_is_kept_is_told_anywhere_and_in_private(void **state)
{
    struct fixture *const f = *state;
    stage_say(&f->stage, "attic", "Zoe", "privacy");
    assert_non_null(shown(f->stage.chat, "Zoe", TEXT_PRIVACY, NULL));
    fake_forget(f->stage.chat);
    stage_whisper(&f->stage, "Zoe", "privacy");
    assert_non_null(shown(f->stage.chat, "Zoe", TEXT_PRIVACY, NULL));
    stage_start(&f->stage, PLACE, 3, 0);
    fake_forget(f->stage.chat);
    stage_say(&f->stage, PLACE, "Bob", "privacy");
    assert_non_null(shown(f->stage.chat, "Bob", TEXT_PRIVACY, NULL));
    assert_int_equal(fake_count(f->stage.chat), 1);
}

static void who_wants_to_be_forgotten_is_asked_once_more(void **state)
{
    struct fixture *const f = *state;
    stage_start(&f->stage, PLACE, 3, 0);
    fake_forget(f->stage.chat);
    stage_say(&f->stage, PLACE, "Bob", "forget-me");
    assert_non_null(shown(f->stage.chat, "Bob", TEXT_FORGET_ME_ASK, NULL));
    stage_say(&f->stage, PLACE, "Bob", "forget-me later");
    stage_pass(&f->stage, MINUTE_MS);
    assert_int_equal(f->asked, 0);
    assert_string_equal(name_of(f, 1), "Bob");
}

static void a_former_player_is_named_nowhere_and_the_game_goes_on(void **state)
{
    struct fixture *const f = *state;
    stage_start(&f->stage, PLACE, 3, 0);
    fake_forget(f->stage.chat);
    stage_say(&f->stage, PLACE, "Bob", "forget-me yes");
    assert_non_null(shown(f->stage.chat, "Bob", TEXT_FORGET_ME_BEGUN, NULL));
    stage_pass(&f->stage, 10);
    assert_int_equal(f->asked, 1);
    assert_int_equal(taken_away(f), 1);
    assert_string_equal(fake_newest(f->stage.chat, CHAT_FORGET, "", NULL)->person, "Bob");
    assert_string_equal(name_of(f, 1), "former player");
    assert_true(table_seat_is_bot(stage_table(&f->stage, PLACE), 1));
    fake_forget(f->stage.chat);
    stage_say(&f->stage, PLACE, "Ann", "status");
    stage_say(&f->stage, PLACE, "Ann", "log 20");
    assert_true(fake_count(f->stage.chat) >= 2);
    for (size_t i = 0; i < fake_count(f->stage.chat); i++) {
        assert_null(strstr(fake_message(f->stage.chat, i)->text, "Bob"));
    }
    stage_restart(&f->stage); // the wish is fulfilled
    stage_pass(&f->stage, INT64_C(2) * MINUTE_MS);
    assert_int_equal(f->asked, 1);
    assert_int_equal(taken_away(f), 0);
}

static void who_sits_nowhere_is_forgotten_as_well(void **state)
{
    struct fixture *const f = *state;
    stage_whisper(&f->stage, "Zoe", "forget-me yes");
    stage_pass(&f->stage, 10);
    assert_non_null(shown(f->stage.chat, "Zoe", TEXT_FORGET_ME_BEGUN, NULL));
    assert_int_equal(taken_away(f), 1);
}

static void who_sits_at_several_tables_needs_to_name_none(void **state)
{
    struct fixture *const f = *state;
    stage_say(&f->stage, PLACE, "Ann", "new sets=classic");
    stage_say(&f->stage, "attic", "Ann", "new sets=classic");
    stage_whisper(&f->stage, "Ann", "forget-me yes");
    stage_pass(&f->stage, 10);
    assert_non_null(shown(f->stage.chat, "Ann", TEXT_FORGET_ME_BEGUN, NULL));
    assert_int_equal(taken_away(f), 1);
    assert_null(fake_find(f->stage.chat, "Ann", "at 2"));
}

static void a_wish_outlives_the_process(void **state)
{
    struct fixture *const f = *state;
    stage_start(&f->stage, PLACE, 3, 0);
    f->away = true;
    stage_say(&f->stage, PLACE, "Bob", "forget-me yes");
    stage_pass(&f->stage, 10);
    assert_int_equal(f->asked, 1);
    f->away = false;
    stage_restart(&f->stage);
    stage_pass(&f->stage, 10);
    assert_int_equal(f->asked, 2);
    assert_int_equal(taken_away(f), 1);
    stage_say(&f->stage, PLACE, "Ann", "status");
    assert_string_equal(name_of(f, 1), "former player");
}

static void what_fails_is_tried_again(void **state)
{
    struct fixture *const f = *state;
    f->fails = true;
    stage_say(&f->stage, "attic", "Bob", "forget-me yes");
    stage_pass(&f->stage, 10);
    stage_say(&f->stage, "attic", "Bob", "forget-me yes"); // it is under way
    assert_int_equal(f->asked, 1);
    f->fails = false;
    fake_fail_to(f->stage.chat, "Bob", MB_ERR_RETRY);
    stage_pass(&f->stage, MINUTE_MS);
    assert_int_equal(f->asked, 2);
    assert_int_equal(taken_away(f), 0);
    fake_fail_to(f->stage.chat, "Bob", MB_OK);
    stage_pass(&f->stage, MINUTE_MS);
    assert_int_equal(f->asked, 2);
    assert_int_equal(taken_away(f), 1);
}

/* Communities. */

static void tell_of(struct fixture *f, enum chat_in_kind kind)
{
    assert_true(fake_news(f->stage.chat, &(struct chat_in){.kind = kind, .community = "village"}));
    hall_hear(f->stage.hall);
    stage_pass(&f->stage, 10);
}

// A table of theirs with a journal, put away or live.
static void open_in_village(struct fixture *f)
{
    static const char *const LINES[] = {"new sets=classic", "add-bot", "add-bot", "start"};
    for (size_t i = 0; i < sizeof LINES / sizeof LINES[0]; i++) {
        const struct chat_in in = {.place = PLACE,
                                   .person = "Ann",
                                   .line = LINES[i],
                                   .open = true,
                                   .community = "village"};
        stage_pass(&f->stage, 1000);
        stage_hear(&f->stage, f->stage.chat, &in);
    }
    assert_int_equal(table_state(stage_table(&f->stage, PLACE)), TABLE_RUNNING);
}

static size_t tables_of(struct fixture *f)
{
    const struct store_request live = {.kind = STORE_LIST};
    const struct store_request away = {.kind = STORE_LIST, .archived = true};
    const size_t count = store_talk(f->stage.store, &live)->count;
    return count + store_talk(f->stage.store, &away)->count;
}

static void thirty_days_after_we_were_put_out_nothing_is_left(void **state)
{
    struct fixture *const f = *state;
    open_in_village(f);
    stage_start(&f->stage, "elsewhere", 3, 0);
    tell_of(f, CHAT_IN_COMMUNITY_GONE);
    stage_pass(&f->stage, HALL_GONE_MS - HALL_HOUR_MS);
    assert_true(tables_of(f) >= 2);
    stage_restart(&f->stage); // it is known for longer than a process lives
    stage_pass(&f->stage, 10);
    assert_true(tables_of(f) >= 2);
    stage_pass(&f->stage, 2 * HALL_HOUR_MS);
    assert_int_equal(tables_of(f), 1);
    assert_null(stage_table(&f->stage, PLACE));
}

static void wait_for_the_store(struct fixture *f)
{
    for (unsigned i = 0; i < 5; i++) {
        (void)hall_advance(f->stage.hall, 0);
    }
}

// While the store does not answer: nothing of it is kept before the next is told.
static void who_puts_us_out_once_more_is_gone(void **state)
{
    struct fixture *const f = *state;
    open_in_village(f);
    stage_pass(&f->stage, 10);
    faulty_store_down(f->stage.store, true);
    static const enum chat_in_kind NEWS[] = {CHAT_IN_COMMUNITY_GONE, CHAT_IN_COMMUNITY_BACK,
                                             CHAT_IN_COMMUNITY_GONE};
    for (size_t i = 0; i < sizeof NEWS / sizeof NEWS[0]; i++) {
        assert_true(
            fake_news(f->stage.chat, &(struct chat_in){.kind = NEWS[i], .community = "village"}));
        hall_hear(f->stage.hall);
        wait_for_the_store(f);
    }
    faulty_store_down(f->stage.store, false);
    stage_pass(&f->stage, MINUTE_MS);
    assert_true(tables_of(f) > 0);
    stage_pass(&f->stage, HALL_GONE_MS + 2 * HALL_HOUR_MS);
    assert_int_equal(tables_of(f), 0);
}

// A wish that may be kept nowhere has not begun: nothing is rewritten, and nobody is told so. One
// after the other of the store's first answers fails, among them that it is kept.
static void who_stops_before_the_wish_is_kept_begins_nothing(void **state)
{
    enum { ANSWERS = 6 };
    struct fixture *const f = *state;
    unsigned unkept = 0;
    f->away = true;
    for (unsigned n = 1; n <= ANSWERS; n++) {
        char who[16];
        char room[32];
        (void)snprintf(who, sizeof who, "Zoe%u", n);
        (void)snprintf(room, sizeof room, "private room of %s", who);
        stage_whisper(&f->stage, who, "privacy");
        stage_pass(&f->stage, 5000);
        f->asked = 0;
        faulty_store_fault(f->stage.store, FAULT_BEFORE, n);
        const struct chat_in in = {
            .place = room, .person = who, .line = "forget-me yes", .direct = true, .event = who};
        assert_true(fake_hear_in(f->stage.chat, &in));
        hall_hear(f->stage.hall);
        wait_for_the_store(f);
        const unsigned asked = f->asked;
        const bool told = shown(f->stage.chat, who, TEXT_FORGET_ME_BEGUN, NULL) != NULL;
        unkept += asked == 0 && !told ? 1 : 0;
        stage_again(&f->stage);
        faulty_store_fault(f->stage.store, FAULT_NONE, 0);
        assert_int_equal(f->asked, asked);
        assert_int_equal(shown(f->stage.chat, who, TEXT_FORGET_ME_BEGUN, NULL) != NULL, told);
    }
    assert_true(unkept > 0);
}

// Where no game goes on nothing is said of what is possible now.
static void help_for_a_verb_knows_where_no_game_is(void **state)
{
    struct fixture *const f = *state;
    stage_say(&f->stage, PLACE, "Ann", "new sets=classic");
    stage_say(&f->stage, PLACE, "Ann", "help kick");
    for (size_t i = 0; i < fake_count(f->stage.chat); i++) {
        assert_null(strstr(fake_message(f->stage.chat, i)->text, text_sentence(TEXT_HELP_NOT_NOW)));
    }
}

static void who_takes_us_in_again_in_time_keeps_everything(void **state)
{
    struct fixture *const f = *state;
    open_in_village(f);
    tell_of(f, CHAT_IN_COMMUNITY_GONE);
    stage_pass(&f->stage, HALL_GONE_MS / 2);
    stage_restart(&f->stage);
    tell_of(f, CHAT_IN_COMMUNITY_BACK);
    stage_pass(&f->stage, HALL_GONE_MS);
    assert_int_equal(tables_of(f), 1);
}

static void where_somebody_speaks_we_are(void **state)
{
    struct fixture *const f = *state;
    open_in_village(f);
    tell_of(f, CHAT_IN_COMMUNITY_GONE);
    stage_hear(&f->stage, f->stage.chat,
               &(struct chat_in){
                   .place = PLACE, .person = "Ann", .line = "status", .community = "village"});
    stage_pass(&f->stage, 2 * HALL_GONE_MS);
    assert_int_equal(tables_of(f), 1);
}

static void where_the_host_cannot_the_operator_can(void **state)
{
    struct fixture *const f = *state;
    f->stage.forget = NULL;
    stage_again(&f->stage);
    stage_say(&f->stage, "attic", "Bob", "forget-me yes");
    assert_non_null(fake_find(f->stage.chat, "Bob", "user forget fake:Bob"));
    assert_int_equal(taken_away(f), 0);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(what_is_kept_is_told_anywhere_and_in_private),
        CASE(who_wants_to_be_forgotten_is_asked_once_more),
        CASE(a_former_player_is_named_nowhere_and_the_game_goes_on),
        CASE(who_sits_nowhere_is_forgotten_as_well),
        CASE(who_sits_at_several_tables_needs_to_name_none),
        CASE(a_wish_outlives_the_process),
        CASE(what_fails_is_tried_again),
        CASE(where_the_host_cannot_the_operator_can),
        CASE(thirty_days_after_we_were_put_out_nothing_is_left),
        CASE(who_takes_us_in_again_in_time_keeps_everything),
        CASE(where_somebody_speaks_we_are),
        CASE(who_puts_us_out_once_more_is_gone),
        CASE(who_stops_before_the_wish_is_kept_begins_nothing),
        CASE(help_for_a_verb_knows_where_no_game_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
