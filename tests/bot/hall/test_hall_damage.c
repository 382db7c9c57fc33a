// Tables whose bytes in the store are damaged, forged, of another version or of cards that are not
// there, and lines that are too long or too many: what people are told, and that others go on.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/coder.h"

#include "bot/hall/hall_limits.h"
#include "bot/table/table_codec.h"
#include "bot/table/value/value.h"

#include "tests/support/chance.h"
#include "tests/support/says.h"
#include "tests/support/shown.h"
#include "tests/support/stage.h"
#include "tests/support/store_talk.h"
#include "tests/support/table.h"
#include "tests/support/test.h"

enum { VERSION_AT = 3, SUM_AT = 4, LENGTH_AT = 8, LINES = 10000, SECOND_MS = 1000 };

static const char PLACE[] = "tavern";

struct damage {
    struct stage stage;
    struct catalog *catalog, *fewer; // the second one without the classic set
    unsigned char bytes[TABLE_BYTES_MAX];
    size_t size;
    size_t at; // of a change that has a place
    struct table *table;
};

typedef void change_fn(struct damage *damage);

static int set_up(void **state)
{
    static struct damage damage;
    static const char *const FEWER[] = {"cards/legends"};
    damage = (struct damage){.catalog = given_catalog()};
    damage.fewer = catalog_load_sets(FEWER, 1, NULL);
    damage.table = malloc(table_size());
    assert_true(damage.fewer != NULL && damage.table != NULL);
    chance_fix();
    stage_open(&damage.stage, damage.catalog);
    stage_start(&damage.stage, PLACE, 3, 0);
    stage_say(&damage.stage, "cellar", "Dot", "new sets=classic");
    *state = &damage;
    return 0;
}

static int tear_down(void **state)
{
    struct damage *const damage = *state;
    stage_close(&damage->stage);
    catalog_destroy(damage->catalog);
    catalog_destroy(damage->fewer);
    free(damage->table);
    return 0;
}

// Changes the bytes of the table behind the hall's back.
static void spoil(struct damage *d, change_fn *change)
{
    char id[TABLE_ID_SIZE];
    (void)snprintf(id, sizeof id, "%s", table_id(stage_table(&d->stage, PLACE)));
    const struct store_answer *const loaded = store_talk_load(d->stage.store, id);
    assert_int_equal(loaded->result, STORE_DONE);
    memcpy(d->bytes, loaded->bytes.at, loaded->bytes.size);
    d->size = loaded->bytes.size;
    change(d);
    struct store_commit commit = store_change(id, loaded->version, NULL);
    commit.bytes = (struct store_bytes){.at = d->bytes, .size = d->size};
    commit.since_ms = loaded->since_ms;
    commit.due_ms = loaded->due_ms;
    commit.until_ms = loaded->until_ms;
    assert_int_equal(store_talk_commit(d->stage.store, &commit)->result, STORE_DONE);
}

// The table itself is changed, and encoded as if it had come about so.
static void forge(struct damage *d, void (*change)(struct table *table))
{
    struct library *const library = library_create(d->catalog);
    struct table_workspace *const work = table_workspace_create(library);
    struct mb_error err = {0};
    assert_true(table_decode(d->bytes, d->size, work, d->table, &err));
    change(d->table);
    d->size = table_encode(d->table, d->bytes, sizeof d->bytes);
    assert_true(d->size > 0);
    table_workspace_destroy(work);
    library_destroy(library);
}

static const struct fake_message *reply(const struct damage *d, const char *place,
                                        const char *person)
{
    const struct fake_message *const found = fake_newest(d->stage.chat, CHAT_REPLY, place, person);
    assert_non_null(found);
    return found;
}

static void others_go_on(struct damage *d)
{
    stage_say(&d->stage, "cellar", "Dot", "add-bot");
    assert_int_equal(table_seat_count(stage_table(&d->stage, "cellar")), 2);
}

// Nobody at the table is heard, everybody is told why, nothing is made of it and nothing changes
// it; and nobody asks for it again and again.
static void is_unreadable(struct damage *d)
{
    static const char *const LINES_SAID[] = {"status", "kick", "end"};
    const unsigned noted = d->stage.unreadable;
    fake_forget(d->stage.chat);
    for (size_t i = 0; i < sizeof LINES_SAID / sizeof LINES_SAID[0]; i++) {
        stage_say(&d->stage, PLACE, "Ann", LINES_SAID[i]);
        assert_says(reply(d, PLACE, "Ann")->text, TEXT_HALL_UNREADABLE, NULL);
        assert_int_equal(fake_count_of(d->stage.chat, CHAT_REPLY), i + 1);
    }
    stage_whisper(&d->stage, "Bob", "hand");
    assert_says(reply(d, "private room of Bob", "Bob")->text, TEXT_HALL_UNREADABLE, NULL);
    assert_int_equal(d->stage.unreadable - noted, 4); // one a line, ...
    for (unsigned i = 0; i < 20; i++) {
        stage_say(&d->stage, PLACE, "Ann", "status");
    }
    assert_in_range(d->stage.unreadable, 8, 9); // ... up to what anybody would read
    assert_null(stage_table(&d->stage, PLACE));
    const unsigned long before = faulty_store_requests(d->stage.store);
    stage_pass(&d->stage, (int64_t)60 * SECOND_MS);
    assert_in_range(faulty_store_requests(d->stage.store) - before, 0, 600);
    assert_int_equal(fake_count_of(d->stage.chat, CHAT_CARD), 0);
    assert_int_equal(fake_count_of(d->stage.chat, CHAT_NARRATION), 0);
    others_go_on(d);
}

// Who wants a new table there has one; the old one lies in the archive as it was.
static void makes_room(struct damage *d, const char *id)
{
    stage_say(&d->stage, PLACE, "Ann", "new players=99");
    assert_says(reply(d, PLACE, "Ann")->text, TEXT_SESSION_BAD_OPTION, NULL);
    assert_null(stage_table(&d->stage, PLACE)); // the old one lies there still
    stage_say(&d->stage, PLACE, "Ann", "new");
    const struct table *const table = stage_table(&d->stage, PLACE);
    assert_non_null(table);
    assert_int_equal(table_state(table), TABLE_LOBBY);
    assert_string_not_equal(table_id(table), id);
    assert_non_null(
        shown(d->stage.chat, NULL, TEXT_HALL_SET_ASIDE, TEXT_ARGS(text_str("what", id))));
    const struct store_answer *const kept = store_talk_load(d->stage.store, id);
    assert_int_equal(kept->result, STORE_DONE);
    assert_int_equal(kept->version, 0);
    assert_int_equal(kept->bytes.size, d->size);
    assert_memory_equal(kept->bytes.at, d->bytes, d->size);
    stage_say(&d->stage, PLACE, "Bob", "join");
    assert_int_equal(table_seat_count(stage_table(&d->stage, PLACE)), 2);
}

static void check(struct damage *d, change_fn *change)
{
    char id[TABLE_ID_SIZE];
    (void)snprintf(id, sizeof id, "%s", table_id(stage_table(&d->stage, PLACE)));
    spoil(d, change);
    stage_again(&d->stage);
    is_unreadable(d);
    makes_room(d, id);
}

static void cut(struct damage *d)
{
    d->size = d->at;
}

static void a_piece_of_a_head_is_no_table(void **state)
{
    struct damage *const d = *state;
    d->at = VERSION_AT;
    check(d, cut);
}

static void a_piece_of_a_table_is_no_table(void **state)
{
    struct damage *const d = *state;
    d->at = 500;
    check(d, cut);
}

static void flip(struct damage *d)
{
    d->bytes[d->size / 2] ^= 0x10;
}

static void flipped_bytes_are_no_table(void **state)
{
    check(*state, flip);
}

static void raise_version(struct damage *d)
{
    d->bytes[VERSION_AT]++;
    coder_store_u32(d->bytes + SUM_AT, coder_sum(d->bytes + LENGTH_AT, d->size - LENGTH_AT));
}

static void another_version_is_told_as_such(void **state)
{
    struct damage *const d = *state;
    char version[8];
    check(d, raise_version);
    (void)snprintf(version, sizeof version, "%d", TABLE_FORM + 1);
    assert_non_null(strstr(shown(d->stage.chat, NULL, TEXT_HALL_SET_ASIDE, NULL)->text, version));
}

static void change_cards(struct table *table)
{
    table->digests[0][0] ^= 1;
}

static void of_other_cards(struct damage *d)
{
    forge(d, change_cards);
}

static void cards_that_have_changed_are_told(void **state)
{
    check(*state, of_other_cards);
}

static void sit_twice(struct table *table)
{
    table->seats[1].person = table->seats[0].person;
}

static void with_somebody_twice(struct damage *d)
{
    forge(d, sit_twice);
}

static void nobody_holds_two_hands(void **state)
{
    check(*state, with_somebody_twice);
}

static void become_eve(struct table *table)
{
    (void)snprintf(table->seats[0].person.id, sizeof table->seats[0].person.id, "%s", "Eve");
}

static void with_eve_for_ann(struct damage *d)
{
    forge(d, become_eve);
}

// Whoever the bytes say sits there is who sits there; nobody else sees that hand.
static void a_seat_belongs_to_whom_the_bytes_name(void **state)
{
    struct damage *const d = *state;
    spoil(d, with_eve_for_ann);
    stage_again(&d->stage);
    fake_forget(d->stage.chat);
    stage_say(&d->stage, PLACE, "Ann", "pass");
    assert_int_equal(reply(d, PLACE, "Ann")->refusal.code, REFUSAL_NOT_AT_TABLE);
    assert_null(fake_newest(d->stage.chat, CHAT_HAND, PLACE, "Ann"));
    stage_whisper(&d->stage, "Ann", "pass");
    assert_int_equal(reply(d, "private room of Ann", "Ann")->refusal.code, REFUSAL_NOT_AT_TABLE);
    stage_say(&d->stage, PLACE, "Eve", "pass");
    assert_int_not_equal(reply(d, PLACE, "Eve")->refusal.code, REFUSAL_NOT_AT_TABLE);
}

static void of_the_cellar(struct damage *d)
{
    const struct store_bytes other =
        memory_store_bytes(d->stage.store, table_id(stage_table(&d->stage, "cellar")));
    memcpy(d->bytes, other.at, other.size);
    d->size = other.size;
}

static void another_tables_bytes_are_not_taken_for_ones_own(void **state)
{
    check(*state, of_the_cellar);
}

static const unsigned char NOTHING[] = {0};

// The store keeps no card files for a table any more.
static void lose_cards(struct damage *d, const char *place)
{
    static const struct store_card NONE = {.word = "none", .bytes = {.at = NOTHING, .size = 1}};
    char id[TABLE_ID_SIZE];
    (void)snprintf(id, sizeof id, "%s", table_id(stage_table(&d->stage, place)));
    const struct store_answer *const loaded = store_talk_load(d->stage.store, id);
    assert_int_equal(loaded->result, STORE_DONE);
    memcpy(d->bytes, loaded->bytes.at, loaded->bytes.size);
    struct store_commit commit = store_change(id, loaded->version, NULL);
    commit.bytes = (struct store_bytes){.at = d->bytes, .size = loaded->bytes.size};
    commit.cards = &NONE;
    commit.card_count = 1;
    assert_int_equal(store_talk_commit(d->stage.store, &commit)->result, STORE_DONE);
}

static void card_sets_that_nobody_has_are_named(void **state)
{
    struct damage *const d = *state;
    lose_cards(d, PLACE);
    lose_cards(d, "cellar");
    d->stage.catalog = d->fewer;
    stage_again(&d->stage);
    fake_forget(d->stage.chat);
    stage_say(&d->stage, PLACE, "Ann", "status");
    assert_says(reply(d, PLACE, "Ann")->text, TEXT_HALL_UNREADABLE,
                TEXT_ARGS(text_str("reason", "a card set of this table is not installed, and the "
                                             "store has no copy")));
    stage_say(&d->stage, "attic", "Ann", "new sets=classic");
    assert_says(reply(d, "attic", "Ann")->text, TEXT_SESSION_BAD_OPTION, NULL);
    d->stage.catalog = d->catalog; // they are back
    stage_again(&d->stage);
    stage_say(&d->stage, PLACE, "Ann", "status");
    assert_int_equal(table_state(stage_table(&d->stage, PLACE)), TABLE_RUNNING);
}

// The hall has the table, another process spoils it, and the next line finds it so.
static void who_speaks_when_it_comes_out_is_told(void **state)
{
    struct damage *const d = *state;
    spoil(d, flip);
    fake_forget(d->stage.chat);
    stage_say(&d->stage, PLACE, "Bob", "leave");
    assert_says(reply(d, PLACE, "Bob")->text, TEXT_HALL_UNREADABLE, NULL);
    is_unreadable(d);
}

/* Too much. */

static void of_ten_thousand_lines_few_wait_and_all_are_told(void **state)
{
    struct damage *const d = *state;
    stage_again(&d->stage);
    stage_pass(&d->stage, SECOND_MS);
    hall_forget(d->stage.hall);
    fake_forget(d->stage.chat);
    faulty_store_hold(d->stage.store, true);
    for (unsigned i = 0; i < LINES; i++) {
        char person[32];
        (void)snprintf(person, sizeof person, "p%u", i);
        assert_true(fake_hear(d->stage.chat, PLACE, person, "status"));
        hall_hear(d->stage.hall);
        if (i >= HALL_LINES_MAX) {
            assert_says(reply(d, PLACE, person)->text, TEXT_HALL_COME_AGAIN, NULL);
        }
        fake_forget(d->stage.chat);
    }
    assert_int_equal(hall_stats(d->stage.hall)->crowded, LINES - HALL_LINES_MAX);
    faulty_store_hold(d->stage.store, false);
    stage_pass(&d->stage, 0);
    assert_int_equal(fake_count_of(d->stage.chat, CHAT_REPLY), HALL_LINES_MAX);
    assert_int_equal(fake_settled(d->stage.chat), d->stage.queue->pushed);
}

static void an_id_that_is_too_long_is_never_taken(void **state)
{
    struct damage *const d = *state;
    char longest[CHAT_ID_SIZE];
    char longer[CHAT_ID_SIZE + 1];
    memset(longest, 'x', sizeof longest);
    memset(longer, 'x', sizeof longer);
    longest[sizeof longest - 1] = '\0'; // 320 bytes
    longer[sizeof longer - 1] = '\0';   // 321 bytes
    const struct chat_in good = {.place = longest, .person = longest, .line = "new sets=classic"};
    const struct chat_in bad[] = {
        {.place = longer, .person = "Ann", .line = "new sets=classic"},
        {.place = longest, .person = longer, .line = "join"},
    };
    stage_hear(&d->stage, d->stage.chat, &good);
    assert_int_equal(table_seat_count(stage_table(&d->stage, longest)), 1);
    const size_t tables = memory_store_tables(d->stage.store);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(chat_queue_push(d->stage.queue, &bad[i]), CHAT_TOO_LONG);
        assert_false(fake_hear_in(d->stage.chat, &bad[i]));
        hall_hear(d->stage.hall);
    }
    assert_int_equal(memory_store_tables(d->stage.store), tables);
    assert_int_equal(table_seat_count(stage_table(&d->stage, longest)), 1);
    assert_int_equal(fake_settled(d->stage.chat), d->stage.queue->pushed);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_piece_of_a_head_is_no_table),
        CASE(a_piece_of_a_table_is_no_table),
        CASE(flipped_bytes_are_no_table),
        CASE(another_version_is_told_as_such),
        CASE(cards_that_have_changed_are_told),
        CASE(nobody_holds_two_hands),
        CASE(a_seat_belongs_to_whom_the_bytes_name),
        CASE(another_tables_bytes_are_not_taken_for_ones_own),
        CASE(card_sets_that_nobody_has_are_named),
        CASE(who_speaks_when_it_comes_out_is_told),
        CASE(of_ten_thousand_lines_few_wait_and_all_are_told),
        CASE(an_id_that_is_too_long_is_never_taken),
    };
    return cmocka_run_group_tests_name("hall_damage", tests, NULL, NULL);
}
