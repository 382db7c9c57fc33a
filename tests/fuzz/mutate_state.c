/*
 * A mutator that knows states: half of the time it changes a few fields or moves a card, so that
 * what it makes is a snapshot again; the other half it changes bytes. What fields there are and
 * what they may be core/state/layout.c says: mostly they get what they may have, now and then what
 * they may not.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base/rng.h"
#include "core/codec/snapshot.h"
#include "core/loop/arrange.h"
#include "core/state/layout.h"
#include "core/state/pile.h"

#include "tests/fuzz/fuzz.h"

enum { CHANGES_MAX = 3, TRIES = 16, CARES = 8 };

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

// Edges of what there is, and what lies between.
static int64_t some_value(const struct box *box, const struct field *field, struct mb_rng *rng)
{
    const int64_t edges[] = {0,       1,         field->min,          field->max,  NO_SEAT,
                             NO_CARD, ALL_SEATS, box->card_count - 1, MB_SEATS_MAX};
    const size_t count = sizeof edges / sizeof edges[0];
    const uint32_t which = mb_rng_below(rng, 2 * (uint32_t)count);
    const uint32_t below = which % 3 == 0 ? MB_SEATS_MAX : which % 3 == 1 ? 256 : box->card_count;
    return which < count ? edges[which] : mb_rng_below(rng, below);
}

static void change_field(struct game *game, const struct box *box, const struct layout *layout,
                         void *record, struct mb_rng *rng)
{
    const struct field *const field = &layout->fields[mb_rng_below(rng, layout->count)];
    const unsigned i = mb_rng_below(rng, field->times);
    const int64_t was = field_get(record, field, i);
    const bool cares = mb_rng_below(rng, CARES) != 0;
    for (unsigned tries = 0; tries < TRIES; tries++) {
        field_set(record, field, i, some_value(box, field, rng));
        if (!cares || field_may_be(game, box, field, i, field_get(record, field, i))) {
            return;
        }
    }
    field_set(record, field, i, was);
}

static void change_record(struct game *game, const struct box *box, struct mb_rng *rng)
{
    const unsigned which = mb_rng_below(rng, RECORDS_TOTAL);
    const unsigned used = records_used(game, &RECORDS[which]);
    if (used == 0) {
        return;
    }
    void *const record = (unsigned char *)game + RECORDS[which].offset +
                         (size_t)mb_rng_below(rng, used) * RECORDS[which].size;
    const struct layout own =
        layout_of_frame(which == RECORDS_FRAMES ? ((struct frame *)record)->kind : 0u);
    const bool plain = own.count == 0 || mb_rng_below(rng, 4) == 0;
    change_field(game, box, plain ? RECORDS[which].layout : &own, record, rng);
}

static void move_card(struct game *game, const struct box *box, struct mb_rng *rng)
{
    const uint16_t card = (uint16_t)mb_rng_below(rng, box->card_count);
    const bool lies_with = mb_rng_below(rng, 4) == 0;
    const uint16_t host = (uint16_t)(lies_with ? mb_rng_below(rng, box->card_count) : NO_CARD);
    arrange_card(game, card, mb_rng_below(rng, PILE_TOTAL), mb_rng_below(rng, CARD_BLANK), host);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    static unsigned char bytes[SNAPSHOT_SIZE_MAX];
    static struct game *game;
    struct mb_error err = {0};
    struct mb_rng rng;
    uint8_t chance[32];
    mb_rng_seed_u64(chance, seed);
    mb_rng_init(&rng, chance);
    game = game == NULL ? calloc(1, game_size()) : game;
    const struct box *const box = fuzz_box(size > 0 && data[0] % 2 != 0);
    const size_t whole = fuzz_snapshot(data, size, box, bytes);
    if (game == NULL || whole == 0 || mb_rng_below(&rng, 2) == 0 ||
        !snapshot_decode(bytes, whole, box, game, &err)) {
        return LLVMFuzzerMutate(data, size, max_size);
    }
    for (unsigned changes = 1 + mb_rng_below(&rng, CHANGES_MAX); changes > 0; changes--) {
        if (mb_rng_below(&rng, 4) == 0) {
            move_card(game, box, &rng);
        } else {
            change_record(game, box, &rng);
        }
    }
    const size_t made = snapshot_encode(game, bytes, sizeof bytes);
    if (made <= FUZZ_HEAD + FUZZ_CHECK || made - FUZZ_HEAD - FUZZ_CHECK + 1 > max_size) {
        return LLVMFuzzerMutate(data, size, max_size);
    }
    memcpy(data + 1, bytes + FUZZ_HEAD, made - FUZZ_HEAD - FUZZ_CHECK);
    return made - FUZZ_HEAD - FUZZ_CHECK + 1;
}
