// Bytes of tables: the same table comes back, and whatever was damaged, forged or is of other sets
// is refused with one sentence.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/rng.h"
#include "core/codec/coder.h"

#include "bot/policy/policy.h"
#include "bot/table/table_codec.h"
#include "bot/table/value/value.h"
#include "bot/tools/solo.h"

#include "tests/support/table.h"
#include "tests/support/test.h"

enum { FORM_AT = 3, SUM_AT = 4, RECORD_AT = 12, STEPS = 700, TYPED = 5 };

struct fixture {
    struct catalog *catalog;
    struct library *library;
    struct table_workspace *ws;
    struct solo *solo;
    struct table *table, *read; // one in the middle of a game; room for what is read
    unsigned char bytes[TABLE_BYTES_MAX], other[TABLE_BYTES_MAX];
    size_t size;
};

static void play_some(struct solo *solo, unsigned steps)
{
    for (unsigned i = 0; i < steps && solo_state(solo) == TABLE_RUNNING; i++) {
        const struct table_due due = solo_due(solo);
        if (i % TYPED == 0) {
            (void)solo_line(solo, 0, i % 2 == 0 ? "kick" : "done", NULL);
            (void)solo_line(solo, 0, i % 2 == 0 ? "run" : "pass", NULL);
        }
        solo_advance(solo, due.kind == TABLE_DUE_NEVER ? 0 : due.ms);
        message_list_clear(solo_outbox(solo));
    }
}

static int set_up(void **state)
{
    struct fixture *const f = calloc(1, sizeof *f);
    struct table_options options;
    struct mb_error err = {0};
    uint8_t seed[32];
    assert_non_null(f);
    f->catalog = given_catalog();
    f->library = library_create(f->catalog);
    f->ws = table_workspace_create(f->library);
    f->solo = solo_create_in(f->ws);
    f->table = malloc(table_size());
    f->read = malloc(table_size());
    assert_true(f->table != NULL && f->read != NULL);
    table_options_init(&options);
    assert_true(table_options_words(&options, f->catalog, "sets=classic pace=slow", &err));
    static const struct solo_seat SEATS[] = {{"Ann", true, NULL},
                                             {"Ben", true, NULL},
                                             {"Cy", false, &POLICY_RANDOM},
                                             {"Dot", false, &POLICY_REGULAR}};
    mb_rng_seed_u64(seed, 11);
    assert_true(solo_begin(f->solo, &options, SEATS, 4, seed));
    play_some(f->solo, 60);
    table_copy(f->table, solo_table(f->solo));
    table_add_site(f->table, "console", "here", "Here");
    f->size = table_encode(f->table, f->bytes, sizeof f->bytes);
    assert_true(f->size > RECORD_AT);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *const f = *state;
    solo_destroy(f->solo);
    table_workspace_destroy(f->ws);
    library_destroy(f->library);
    catalog_destroy(f->catalog);
    free(f->table);
    free(f->read);
    free(f);
    return 0;
}

// Reads bytes that lie in a block of just their size, so that no byte behind them is looked at.
static bool reads(struct fixture *f, const unsigned char *bytes, size_t size, struct mb_error *err)
{
    unsigned char *const block = malloc(size > 0 ? size : 1);
    assert_non_null(block);
    memcpy(block, bytes, size);
    *err = (struct mb_error){.code = MB_OK};
    const bool read = table_decode(block, size, f->ws, f->read, err);
    free(block);
    return read;
}

static void is_refused(struct fixture *f, const unsigned char *bytes, size_t size, const char *why)
{
    struct mb_error err;
    assert_false(reads(f, bytes, size, &err));
    assert_int_not_equal(err.code, MB_OK);
    assert_int_not_equal(err.text[0], '\0');
    assert_null(strchr(err.text, '\n'));
    if (strstr(err.text, why) == NULL) {
        fail_msg("expected \"%s\", found \"%s\"", why, err.text);
    }
}

static void sum_up(unsigned char *bytes, size_t size)
{
    coder_store_u32(bytes + SUM_AT, coder_sum(bytes + SUM_AT + 4, size - SUM_AT - 4));
}

static void check_identity(struct fixture *f, const struct table *table)
{
    struct mb_error err;
    const size_t size = table_encode(table, f->bytes, sizeof f->bytes);
    assert_true(size > RECORD_AT);
    if (!reads(f, f->bytes, size, &err)) {
        fail_msg("%s", err.text);
    }
    assert_true(game_same(table_game(f->read), table_game(table)));
    assert_int_equal(table_encode(f->read, f->other, sizeof f->other), size);
    assert_memory_equal(f->other, f->bytes, size);
}

static void what_was_written_is_read(void **state)
{
    struct fixture *const f = *state;
    for (unsigned i = 0; i < STEPS && solo_state(f->solo) == TABLE_RUNNING; i++) {
        check_identity(f, solo_table(f->solo));
        play_some(f->solo, 1);
    }
    check_identity(f, solo_table(f->solo));
    (void)solo_line(f->solo, 0, "end", NULL);
    (void)solo_line(f->solo, 1, "end", NULL);
    check_identity(f, solo_table(f->solo));
}

static void an_empty_table_and_a_lobby_are_read(void **state)
{
    struct fixture *const f = *state;
    struct solo *const solo = solo_create_in(f->ws);
    assert_non_null(solo);
    check_identity(f, solo_table(solo));
    assert_true(solo_person_line(solo, "Ann", "new sets=classic", NULL));
    assert_true(solo_person_line(solo, "Ben", "join", NULL));
    assert_true(solo_person_line(solo, "Ann", "add-bot", NULL));
    check_identity(f, solo_table(solo));
    assert_true(solo_person_line(solo, "Ann", "remove Ben", NULL));
    check_identity(f, solo_table(solo));
    solo_destroy(solo);
}

static void too_little_room_is_told(void **state)
{
    struct fixture *const f = *state;
    for (size_t size = 0; size < f->size; size++) {
        assert_int_equal(table_encode(f->table, f->other, size), 0);
    }
    assert_int_equal(table_encode(f->table, f->other, f->size), f->size);
}

static void cut_bytes_are_refused(void **state)
{
    struct fixture *const f = *state;
    for (size_t size = 0; size < f->size; size++) {
        is_refused(f, f->bytes, size, "");
        if (size > RECORD_AT) { // ... and with a check sum of its own
            memcpy(f->other, f->bytes, size);
            sum_up(f->other, size);
            is_refused(f, f->other, size, "");
        }
    }
}

static void flipped_bytes_are_refused(void **state)
{
    struct fixture *const f = *state;
    for (size_t at = 0; at < f->size; at++) {
        memcpy(f->other, f->bytes, f->size);
        f->other[at] ^= (unsigned char)(1u << at % 8);
        is_refused(f, f->other, f->size, "");
    }
}

// Whatever a forger writes: it is refused, or it is a table that has these bytes and no others.
static void forged_bytes_are_refused_or_whole(void **state)
{
    static const unsigned char FLIPS[] = {0x01, 0x80, 0xFF};
    struct fixture *const f = *state;
    unsigned accepted = 0;
    for (size_t i = 0; i < sizeof FLIPS * (f->size - RECORD_AT); i++) {
        struct mb_error err;
        memcpy(f->other, f->bytes, f->size);
        f->other[RECORD_AT + i / sizeof FLIPS] ^= FLIPS[i % sizeof FLIPS];
        sum_up(f->other, f->size);
        if (!reads(f, f->other, f->size, &err)) {
            assert_int_not_equal(err.text[0], '\0');
            continue;
        }
        static unsigned char again[TABLE_BYTES_MAX];
        accepted++;
        assert_int_equal(table_encode(f->read, again, sizeof again), f->size);
        assert_memory_equal(again, f->other, f->size);
    }
    assert_true(accepted > 0); // a name may be another
}

static void a_newer_form_is_told(void **state)
{
    struct fixture *const f = *state;
    f->bytes[FORM_AT] = TABLE_FORM + 1;
    char form[32];
    (void)snprintf(form, sizeof form, "format %d;", TABLE_FORM + 1);
    is_refused(f, f->bytes, f->size, form);
    f->bytes[0] = 'X';
    is_refused(f, f->bytes, f->size, "not a table");
}

static void other_sets_are_refused(void **state)
{
    static const char *const FOLDERS[] = {"cards/conan"};
    struct fixture *const f = *state;
    struct catalog *const catalog = catalog_load_sets(FOLDERS, 1, NULL);
    assert_non_null(catalog);
    struct library *const library = library_create(catalog);
    struct table_workspace *const own = f->ws;
    f->ws = table_workspace_create(library);
    assert_non_null(f->ws);
    is_refused(f, f->bytes, f->size, "not installed");
    table_workspace_destroy(f->ws);
    f->ws = own;
    library_destroy(library);
    catalog_destroy(catalog);
    f->table->digests[0][0] ^= 1;
    f->size = table_encode(f->table, f->bytes, sizeof f->bytes);
    is_refused(f, f->bytes, f->size, "not installed");
    f->ws->arranged = NULL;
    f->table->options.set_count = 0;
    f->size = table_encode(f->table, f->bytes, sizeof f->bytes);
    is_refused(f, f->bytes, f->size, "arranged");
    f->table->state = TABLE_EMPTY;
    f->size = table_encode(f->table, f->bytes, sizeof f->bytes);
    is_refused(f, f->bytes, f->size, "no card sets");
}

static void set_id(struct table_person *person, const char *id)
{
    memset(person, 0, sizeof *person);
    (void)snprintf(person->network, sizeof person->network, "solo");
    (void)snprintf(person->id, sizeof person->id, "%s", id);
    (void)snprintf(person->name, sizeof person->name, "%s", id);
}

static void nobody_sits_twice(void **state)
{
    struct fixture *const f = *state;
    struct table_seat *const seats = f->table->seats;
    set_id(&seats[1].person, "Ann");
    f->size = table_encode(f->table, f->bytes, sizeof f->bytes);
    is_refused(f, f->bytes, f->size, "no table can say");
    set_id(&seats[1].person, "Ben");
    set_id(&seats[2].next, "Ann"); // sits and waits
    f->size = table_encode(f->table, f->bytes, sizeof f->bytes);
    is_refused(f, f->bytes, f->size, "no table can say");
    set_id(&seats[2].next, "Eve"); // waits for two seats
    set_id(&seats[3].next, "Eve");
    f->size = table_encode(f->table, f->bytes, sizeof f->bytes);
    is_refused(f, f->bytes, f->size, "no table can say");
    memset(&seats[3].next, 0, sizeof seats[3].next);
    f->size = table_encode(f->table, f->bytes, sizeof f->bytes);
    struct mb_error err;
    assert_true(reads(f, f->bytes, f->size, &err));
}

/* Values out of range: where one stands is seen from two good values in turn. */

struct value_case {
    const char *name;
    size_t offset;            // in the table
    unsigned char good, also; // two that may be
    unsigned char bad;
};

#define AT(member) offsetof(struct table, member)

static const struct value_case VALUES[] = {
    {"a host who does not sit here", AT(host), 1, 2, 4},
    {"a state that there is not", AT(state), TABLE_RUNNING, TABLE_PAUSED, 5},
    {"a level of bot players that there is not", AT(seats[2].policy), 1, 2, 99},
    {"a pace that there is not", AT(options.pace), PACE_TERMINAL, PACE_SLOW, PACE_TOTAL},
    {"an edition that there is not", AT(options.house), 1, 2, EDITION_TOTAL + 1},
    {"more seats than there are", AT(options.seats), 5, 6, 7},
    {"a standing order that there is not", AT(seats[0].order), 1, 2, 77},
    {"a control in a name", AT(seats[0].person.name), 'A', 'B', 7},
    {"a line end in a name", AT(seats[0].person.name), 'A', 'B', '\n'},
    {"a mark in a name", AT(seats[0].person.name), 'A', 'B', 0x13},
    {"half a letter in a name", AT(seats[0].person.name), 'A', 'B', 0xC3},
    {"a control in the name of a place", AT(sites[0].name), 'H', 'I', 27},
    {"a seat that undoes and is none", AT(undo.author), 1, 2, MB_SEATS_MAX},
    {"a sale below nothing", AT(profile.constant[PROFILE_SELL_UNIT]) + 1, 3, 4, 0x80},
    {"a trick that there is not", AT(highlights.trick.kind), 1, 2, 9},
    {"a trick by nobody", AT(highlights.trick.by), 1, 2, MB_SEATS_MAX},
};

static void a_value_out_of_range_is_refused(void **state)
{
    for (size_t i = 0; i < sizeof VALUES / sizeof VALUES[0]; i++) {
        struct fixture *const f = *state;
        const struct value_case *const c = &VALUES[i];
        unsigned char *const value = (unsigned char *)f->table + c->offset;
        const unsigned char was = *value;
        size_t at = RECORD_AT;
        struct mb_error err;
        *value = c->good;
        f->size = table_encode(f->table, f->bytes, sizeof f->bytes);
        *value = c->also;
        assert_int_equal(table_encode(f->table, f->other, sizeof f->other), f->size);
        while (at < f->size && f->bytes[at] == f->other[at]) {
            at++;
        }
        assert_true(at < f->size);
        assert_true(reads(f, f->other, f->size, &err) || c->good == 1);
        f->other[at] = c->bad;
        sum_up(f->other, f->size);
        print_message("%s\n", c->name);
        is_refused(f, f->other, f->size, "");
        *value = was;
    }
}

/* Members: each of them is coded. */

struct stretch {
    size_t begin, end;
};

#define AFTER(member)         (AT(member) + sizeof(((struct table *)NULL)->member))
#define BETWEEN(first, other) {AFTER(first), AT(other)}

// What is no value: numbers of sets are made from the digests; gaps between members.
static const struct stretch NO_VALUES[] = {
    {AT(options.sets), AFTER(options.sets)},
    BETWEEN(secret, options),
    BETWEEN(options.seats, options.clock_s),
    BETWEEN(profile.slots, rng),
    BETWEEN(undo.agreed, undo.entry),
    BETWEEN(story, chapter),
    BETWEEN(undo.entry, undo.since_ms),
    BETWEEN(told.fight, told.players),
    BETWEEN(highlights.fight.seats, highlights.last),
    BETWEEN(highlights.last.seats, highlights.trick),
    BETWEEN(highlights.trick.meanness, highlights.trick.card),
    BETWEEN(highlights.deaths, seats),
};

// Behind the last member of a record of which there are several.
static bool is_tail(size_t at)
{
    const size_t timers = AT(timers);
    const size_t seats = AT(seats);
    const size_t sites = AT(sites);
    if (at >= sites) {
        return (at - sites) % sizeof(struct table_site) >= AFTER(sites[0].name) - sites;
    }
    if (at >= seats) {
        const size_t own = (at - seats) % sizeof(struct table_seat);
        return own >= AFTER(seats[0].news) - seats;
    }
    return at >= timers && at < AT(undo) &&
           (at - timers) % sizeof(struct table_timer) >= AFTER(timers[0].passes) - timers;
}

static bool is_no_value(size_t at)
{
    bool listed = is_tail(at);
    for (size_t i = 0; i < sizeof NO_VALUES / sizeof NO_VALUES[0]; i++) {
        listed = listed || (at >= NO_VALUES[i].begin && at < NO_VALUES[i].end);
    }
    return listed;
}

static void fill(char *text, size_t size)
{
    memset(text, 'x', size - 1);
    text[size - 1] = '\0';
}

static void fill_person(struct table_person *person)
{
    fill(person->network, sizeof person->network);
    fill(person->id, sizeof person->id);
    fill(person->name, sizeof person->name);
}

// Full to the last byte, and all that is counted is there.
static void fill_table(struct table *table)
{
    fill(table->id, sizeof table->id);
    table->seat_count = MB_SEATS_MAX;
    for (unsigned i = 0; i < MB_SEATS_MAX; i++) {
        fill_person(&table->seats[i].person);
        fill_person(&table->seats[i].next);
        fill(table->seats[i].news, sizeof table->seats[i].news);
    }
    table->site_count = TABLE_SITES_MAX;
    for (unsigned i = 0; i < TABLE_SITES_MAX; i++) {
        struct table_site *const site = &table->sites[i];
        fill(site->network, sizeof site->network);
        fill(site->place, sizeof site->place);
        fill(site->from, sizeof site->from);
        fill(site->name, sizeof site->name);
    }
    table->options.set_count = TABLE_SETS_MAX;
    table->removed_count = TABLE_REMOVED_MAX;
    table->drawn = 1;
}

static void every_member_is_coded(void **state)
{
    struct fixture *const f = *state;
    struct table *const table = f->table;
    unsigned char *const member = (unsigned char *)table;
    size_t unseen = 0;
    size_t size = 0;
    fill_table(table);
    size = table_encode(table, f->bytes, sizeof f->bytes);
    assert_true(size > 0);
    for (size_t at = 0; at < sizeof *table; at++) {
        member[at] ^= 1;
        const size_t changed = table_encode(table, f->other, sizeof f->other);
        const bool coded = changed != size || memcmp(f->bytes, f->other, size) != 0;
        if (coded == is_no_value(at)) {
            unseen++;
            print_message("byte %zu of struct table is %scoded\n", at, coded ? "" : "not ");
        }
        member[at] ^= 1;
    }
    if (unseen > 0) {
        fail_msg(
            "a member lacks its line in bot/table/value/codec.c; or members are not ordered by "
            "their size, and there is a gap between them");
    }
}

// What was told of the last game names seats that a lobby need not have.
static void a_lobby_after_a_game_is_read(void **state)
{
    struct fixture *const f = *state;
    struct table *const table = (struct table *)(uintptr_t)solo_table(f->solo);
    table->highlights.trick = (struct highlight_trick){.kind = TRICK_CARD, .by = 3, .on = 2};
    (void)solo_person_line(f->solo, "Ann", "end", NULL); // asks whether that is meant
    (void)solo_person_line(f->solo, "Ann", "end", NULL);
    assert_int_equal(solo_state(f->solo), TABLE_OVER);
    check_identity(f, solo_table(f->solo));
    assert_true(solo_person_line(f->solo, "Ann", "new sets=classic", NULL));
    assert_int_equal(solo_state(f->solo), TABLE_LOBBY);
    assert_int_equal(solo_seat_count(f->solo), 1);
    check_identity(f, solo_table(f->solo));
}

// A lobby that is put an end to is empty: what was over was played.
static void what_is_over_has_a_game(void **state)
{
    struct fixture *const f = *state;
    struct solo *const solo = solo_create_in(f->ws);
    assert_non_null(solo);
    assert_true(solo_person_line(solo, "Ann", "new sets=classic", NULL));
    ((struct table *)(uintptr_t)solo_table(solo))->state = TABLE_OVER;
    const size_t size = table_encode(solo_table(solo), f->bytes, sizeof f->bytes);
    is_refused(f, f->bytes, size, "do not belong together");
    solo_destroy(solo);
}

static void a_table_is_small(void **state)
{
    (void)state;
    print_message("a table has %zu bytes, %zu of them for the game\n", table_size(), game_size());
    if (table_size() > TABLE_SIZE_MAX) {
        fail_msg("more than TABLE_SIZE_MAX (bot/table/table.h): each deed copies all of it");
    }
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(what_was_written_is_read),  CASE(an_empty_table_and_a_lobby_are_read),
        CASE(too_little_room_is_told),   CASE(cut_bytes_are_refused),
        CASE(flipped_bytes_are_refused), CASE(forged_bytes_are_refused_or_whole),
        CASE(a_newer_form_is_told),      CASE(other_sets_are_refused),
        CASE(nobody_sits_twice),         CASE(a_value_out_of_range_is_refused),
        CASE(every_member_is_coded),     CASE(a_lobby_after_a_game_is_read),
        CASE(what_is_over_has_a_game),   cmocka_unit_test(a_table_is_small),
    };
    return cmocka_run_group_tests_name("table_codec", tests, NULL, NULL);
}
