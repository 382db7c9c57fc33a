#include <stdlib.h>
#include <string.h>

#include "core/codec/coder.h"
#include "core/codec/snapshot.h"
#include "core/state/game_state.h"
#include "core/state/layout.h"

#include "tests/support/table.h"
#include "tests/support/test.h"

struct fixture {
    struct catalog *catalog;
    struct box box;
    struct game *game;
    struct game other;
    unsigned char bytes[SNAPSHOT_SIZE_MAX];
    size_t size;
};

static int set_up(void **state)
{
    struct fixture *const f = calloc(1, sizeof *f);
    f->catalog = given_catalog();
    given_box(f->catalog, "classic", &f->box);
    f->game = given_game(&f->box, 4, 7);
    given_play(f->game, &f->box, 200, 7);
    f->size = snapshot_encode(f->game, f->bytes, sizeof f->bytes);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *const f = *state;
    catalog_destroy(f->catalog);
    free(f->game);
    free(f);
    return 0;
}

static bool decode(struct fixture *f, size_t size)
{
    struct mb_error err = {0};
    const bool decoded = snapshot_decode(f->bytes, size, &f->box, &f->other, &err);
    assert_int_equal(decoded, err.code == MB_OK);
    return decoded;
}

static void comes_back_byte_for_byte(void **state)
{
    struct fixture *const f = *state;
    assert_true(f->size > 0);
    assert_true(f->size < 4096); // compact: a state takes four times as much
    assert_true(decode(f, f->size));
    assert_true(game_same(f->game, &f->other));
}

static void comes_back_all_through_a_game(void **state)
{
    struct fixture *const f = *state;
    for (unsigned i = 0; i < 400; i++) {
        given_play(f->game, &f->box, 3, i);
        f->size = snapshot_encode(f->game, f->bytes, sizeof f->bytes);
        assert_true(decode(f, f->size));
        assert_true(game_same(f->game, &f->other));
    }
}

enum {
    BEFORE_GENERATOR = (int)(offsetof(struct game, rng) - offsetof(struct game, lasting_top) - 1),
    BEFORE_FRAMES = (int)(offsetof(struct game, frames) - offsetof(struct game, deals) -
                          sizeof(((struct game *)0)->deals)),
    PADDING = BEFORE_GENERATOR + BEFORE_FRAMES
};

static void mark(bool *written, const struct records *records, unsigned i)
{
    const size_t at = records->offset + (size_t)i * records->size;
    for (unsigned f = 0; f < records->layout->count; f++) {
        const struct field *const field = &records->layout->fields[f];
        memset(written + at + field->offset, true, (size_t)field->size * field->times);
    }
}

#define OTHER(member) {offsetof(struct game, member), sizeof(((struct game *)0)->member)}

// Every byte of a state belongs to a field that is written: a new one is not forgotten. (What
// frames hold, test_snapshot_layout.c watches.)
static void misses_no_field(void **state)
{
    static const size_t OTHERS[][2] = {
        OTHER(card_count), // in the head
        OTHER(rng),
        OTHER(piles), // as lists
        OTHER(frames),
    };
    bool written[offsetof(struct game, cards)] = {false};
    int missed = 0;
    (void)state;
    for (size_t i = 0; i < sizeof OTHERS / sizeof OTHERS[0]; i++) {
        memset(written + OTHERS[i][0], true, OTHERS[i][1]);
    }
    for (unsigned which = 0; which < RECORDS_CARDS; which++) {
        for (unsigned i = 0; i < RECORDS[which].most; i++) {
            mark(written, &RECORDS[which], i);
        }
    }
    for (size_t i = 0; i < sizeof written; i++) {
        missed += !written[i];
    }
    assert_int_equal(missed, PADDING);
}

static void refuses_every_truncation(void **state)
{
    struct fixture *const f = *state;
    for (size_t size = 0; size < f->size; size++) {
        assert_false(decode(f, size));
    }
}

static void refuses_what_follows(void **state)
{
    struct fixture *const f = *state;
    f->bytes[f->size] = 0;
    assert_false(decode(f, f->size + 1));
}

static void refuses_every_flipped_bit(void **state)
{
    struct fixture *const f = *state;
    for (size_t i = 0; i < f->size * 8; i++) {
        f->bytes[i / 8] ^= (unsigned char)(1u << (i % 8));
        assert_false(decode(f, f->size));
        f->bytes[i / 8] ^= (unsigned char)(1u << (i % 8));
    }
}

static void seal(struct fixture *f)
{
    const uint32_t sum = coder_sum(f->bytes, f->size - 4);
    for (unsigned i = 0; i < 4; i++) {
        f->bytes[f->size - 4 + i] = (unsigned char)(sum >> (8 * i) & 0xFFu);
    }
}

// With a true checksum nonsense must still be refused or be a whole state; never a crash.
static void takes_no_nonsense(void **state)
{
    struct fixture *const f = *state;
    unsigned char whole[SNAPSHOT_SIZE_MAX];
    unsigned taken = 0;
    memcpy(whole, f->bytes, f->size);
    for (size_t i = 0; i < f->size - 4; i++) {
        memcpy(f->bytes, whole, f->size);
        f->bytes[i] ^= (unsigned char)(1u << (i % 8));
        seal(f);
        if (decode(f, f->size)) {
            unsigned char again[SNAPSHOT_SIZE_MAX];
            assert_int_equal(snapshot_encode(&f->other, again, sizeof again), f->size);
            assert_memory_equal(again, f->bytes, f->size);
            taken++;
        }
    }
    assert_true(taken < f->size);
}

static void refuses_another_version(void **state)
{
    struct fixture *const f = *state;
    struct mb_error err = {0};
    f->bytes[3]++;
    seal(f);
    assert_false(snapshot_decode(f->bytes, f->size, &f->box, &f->other, &err));
    assert_non_null(strstr(err.text, "form 2"));
}

static void refuses_another_box(void **state)
{
    struct fixture *const f = *state;
    struct mb_error err = {0};
    given_box(f->catalog, "classic,conan", &f->box);
    assert_false(snapshot_decode(f->bytes, f->size, &f->box, &f->other, &err));
    assert_non_null(strstr(err.text, "cards"));
}

static void says_when_it_does_not_fit(void **state)
{
    struct fixture *const f = *state;
    unsigned char little[64];
    assert_int_equal(snapshot_encode(f->game, little, sizeof little), 0);
    assert_int_equal(snapshot_encode(f->game, little, 3), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(comes_back_byte_for_byte, set_up, tear_down),
        cmocka_unit_test_setup_teardown(comes_back_all_through_a_game, set_up, tear_down),
        cmocka_unit_test(misses_no_field),
        cmocka_unit_test_setup_teardown(refuses_every_truncation, set_up, tear_down),
        cmocka_unit_test_setup_teardown(refuses_what_follows, set_up, tear_down),
        cmocka_unit_test_setup_teardown(refuses_every_flipped_bit, set_up, tear_down),
        cmocka_unit_test_setup_teardown(takes_no_nonsense, set_up, tear_down),
        cmocka_unit_test_setup_teardown(refuses_another_version, set_up, tear_down),
        cmocka_unit_test_setup_teardown(refuses_another_box, set_up, tear_down),
        cmocka_unit_test_setup_teardown(says_when_it_does_not_fit, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("snapshot", tests, NULL, NULL);
}
