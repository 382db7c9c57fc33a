// Fairness as people at a table see it: the seal at the start, the seed at the end, the file.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>
#include <unistd.h>

#include "core/base/rng.h"

#include "bot/policy/policy.h"
#include "bot/table/journal_file.h"
#include "bot/tools/solo.h"

#include "tests/support/chance.h"
#include "tests/support/table.h"
#include "tests/support/test.h"

enum { PATH_SIZE = 256, A_WHILE_MS = 600000 };

struct fixture {
    struct catalog *catalog;
    struct solo *solo;
    char folder[PATH_SIZE];
    char path[PATH_SIZE + 16];
    char *said; // all that was said to the table
};

static int set_up(void **state)
{
    chance_fix();
    struct fixture *const f = calloc(1, sizeof *f);
    f->catalog = given_catalog();
    f->solo = solo_create(f->catalog);
    f->said = calloc(1, 1);
    solo_keep_journal(f->solo);
    (void)snprintf(f->folder, sizeof f->folder, "munchbot-test-XXXXXX");
    assert_non_null(mkdtemp(f->folder));
    (void)snprintf(f->path, sizeof f->path, "%s/game.json", f->folder);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *const f = *state;
    (void)unlink(f->path);
    assert_int_equal(rmdir(f->folder), 0); // nothing else was left behind
    solo_destroy(f->solo);
    catalog_destroy(f->catalog);
    free(f->said);
    free(f);
    return 0;
}

static void listen(struct fixture *f)
{
    struct message_list *const outbox = solo_outbox(f->solo);
    for (size_t i = 0; i < outbox->count; i++) {
        if (outbox->items[i].to == MESSAGE_TABLE || outbox->items[i].to == MESSAGE_REPLY) {
            const size_t length = strlen(f->said);
            const size_t more = strlen(outbox->items[i].text) + 1;
            char *const said = realloc(f->said, length + more);
            assert_non_null(said);
            f->said = said;
            memcpy(f->said + length, outbox->items[i].text, more);
        }
    }
    message_list_clear(outbox);
}

static void begin(struct fixture *f, unsigned bots, uint64_t number)
{
    struct mb_error err = {0};
    struct table_options options;
    uint8_t seed[32];
    table_options_init(&options);
    assert_true(table_options_sets(&options, f->catalog, "classic", &err));
    static const char *const NAMES[MB_SEATS_MAX] = {"A", "B", "C", "D", "E", "F"};
    struct solo_seat seats[MB_SEATS_MAX];
    for (unsigned i = 0; i < bots; i++) {
        seats[i] = (struct solo_seat){NAMES[i], i % 2 == 0, &POLICY_RANDOM};
    }
    mb_rng_seed_u64(seed, number);
    assert_true(solo_begin(f->solo, &options, seats, bots, seed));
    listen(f);
}

static void ask_for_proof(struct fixture *f)
{
    struct refusal why;
    (void)solo_person_line(f->solo, "Eve", "rules fair", &why);
    listen(f);
}

static void play_out(struct fixture *f)
{
    for (unsigned i = 0; i < 100000 && solo_state(f->solo) == TABLE_RUNNING; i++) {
        solo_advance(f->solo, A_WHILE_MS);
        listen(f);
    }
    assert_int_equal(solo_state(f->solo), TABLE_OVER);
}

static bool save(struct fixture *f, struct mb_error *err)
{
    *err = (struct mb_error){0};
    return journal_save(solo_journal(f->solo), solo_game(f->solo), f->path, err);
}

static bool check_file(const struct catalog *catalog, const char *path,
                       struct journal_report *report, struct mb_error *err)
{
    size_t size = 0;
    char *const text = journal_file_read(path, &size, err);
    const bool good = text != NULL && journal_verify(catalog, text, size, report, err);
    free(text);
    return good;
}

static bool check(struct fixture *f, struct journal_report *report, struct mb_error *err)
{
    *err = (struct mb_error){0};
    return check_file(f->catalog, f->path, report, err);
}

static unsigned mode_of(const char *path)
{
    struct stat there;
    assert_int_equal(stat(path, &there), 0);
    return (unsigned)there.st_mode & 0777u;
}

static void a_game_of_each_size_is_written_and_verified(void **state)
{
    struct fixture *const f = *state;
    for (unsigned seats = MB_SEATS_MIN; seats <= MB_SEATS_MAX; seats++) {
        struct journal_report report = {0};
        struct mb_error err;
        begin(f, seats, seats);
        play_out(f);
        ask_for_proof(f);
        assert_true(save(f, &err));
        assert_true(check(f, &report, &err));
        assert_int_equal(report.winners, query_winners(solo_game(f->solo)));
        assert_int_equal(mode_of(f->path) & 0077u, 0044u & ~(unsigned)umask(022));
        assert_non_null(strstr(f->said, report.commitment));
    }
}

static void the_seal_comes_first_and_the_seed_last(void **state)
{
    struct fixture *const f = *state;
    uint8_t seed[32];
    char commitment[DIGEST_HEX_SIZE];
    char revealed[DIGEST_HEX_SIZE];
    mb_rng_seed_u64(seed, 77);
    digest_hex(seed, sizeof seed, revealed);
    journal_commitment(seed, commitment);
    begin(f, 3, 77);
    char first[17]; // what the first screen shows of it
    (void)snprintf(first, sizeof first, "%.16s", commitment);
    assert_non_null(strstr(f->said, first));
    assert_null(strstr(f->said, commitment));
    assert_null(strstr(f->said, revealed));
    play_out(f);
    assert_null(strstr(f->said, revealed)); // it is for who asks
    ask_for_proof(f);
    assert_non_null(strstr(f->said, commitment));
    assert_non_null(strstr(f->said, revealed));
}

static void while_it_runs_the_file_is_its_owners_and_without_the_seed(void **state)
{
    struct fixture *const f = *state;
    struct journal_report report = {0};
    struct mb_error err;
    begin(f, 4, 5);
    solo_advance(f->solo, A_WHILE_MS / 60);
    assert_int_equal(solo_state(f->solo), TABLE_RUNNING);
    assert_true(save(f, &err));
    assert_int_equal(mode_of(f->path), 0600);
    assert_false(check(f, &report, &err));
    assert_non_null(strstr(err.text, "still running"));
    solo_interrupt(f->solo);
    assert_true(save(f, &err));
    assert_int_equal(mode_of(f->path), 0600);
    assert_false(check(f, &report, &err));
    assert_non_null(strstr(err.text, "interrupted"));
}

static void a_game_that_was_ended_is_verified_too(void **state)
{
    struct fixture *const f = *state;
    struct journal_report report = {0};
    struct mb_error err = {0};
    assert_true(solo_person_line(f->solo, "Ann", "new sets=classic", NULL));
    assert_true(solo_person_line(f->solo, "Bob", "join", NULL));
    assert_true(solo_person_line(f->solo, "Ann", "add-bot", NULL));
    assert_true(solo_person_line(f->solo, "Ann", "start", NULL));
    listen(f);
    assert_true(solo_person_line(f->solo, "Bob", "leave", NULL));
    assert_true(solo_person_line(f->solo, "Ann", "done", NULL));
    solo_advance(f->solo, A_WHILE_MS / 100);
    assert_true(solo_person_line(f->solo, "Bob", "join", NULL));
    (void)solo_person_line(f->solo, "Ann", "end", NULL);
    if (solo_state(f->solo) != TABLE_OVER) {
        assert_true(solo_person_line(f->solo, "Ann", "end", NULL));
    }
    assert_true(save(f, &err));
    assert_true(check(f, &report, &err));
    assert_int_equal(report.winners, 0);
    assert_string_equal(report.players[1].name, "Bob");
    assert_string_equal(report.players[1].bot, "");
}

static void files_that_cannot_be_are_one_sentence(void **state)
{
    struct fixture *const f = *state;
    struct journal_report report = {0};
    struct mb_error err = {0};
    assert_false(check_file(f->catalog, f->path, &report, &err));
    assert_non_null(strstr(err.text, "cannot read the file"));
    begin(f, 3, 1);
    const char *const places[] = {"/nowhere/at/all.json", "/dev/null", f->folder};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        err = (struct mb_error){0};
        assert_false(journal_save(solo_journal(f->solo), solo_game(f->solo), places[i], &err));
        assert_true(err.text[0] != '\0');
    }
    err = (struct mb_error){0};
    assert_false(check_file(f->catalog, f->folder, &report, &err));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_game_of_each_size_is_written_and_verified, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(the_seal_comes_first_and_the_seed_last, set_up, tear_down),
        cmocka_unit_test_setup_teardown(while_it_runs_the_file_is_its_owners_and_without_the_seed,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_game_that_was_ended_is_verified_too, set_up, tear_down),
        cmocka_unit_test_setup_teardown(files_that_cannot_be_are_one_sentence, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("table_fair", tests, NULL, NULL);
}
