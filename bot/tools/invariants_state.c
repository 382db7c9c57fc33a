// The state by itself: cards, Levels, limits, encoding, and that the game can go on.
#include <string.h>

#include "core/codec/snapshot.h"
#include "core/codec/snapshot_check.h"
#include "core/loop/query.h"
#include "core/numbers/trait.h"

#include "bot/tools/invariants_impl.h"

static void check_levels(struct invariants *invariants, const struct game *game)
{
    const int goal = invariants->box->profile.constant[PROFILE_GOAL];
    const int floor = invariants->box->profile.constant[PROFILE_LEVEL_FLOOR];
    for (unsigned seat = 0; seat < query_seat_count(game); seat++) {
        const int level = (int)query_level(game, seat);
        if (level < floor || level > goal) {
            invariants_fail(invariants, "seat %u is Level %d", seat, level);
        }
        if (level == goal && query_phase(game) != PHASE_OVER) {
            invariants_fail(invariants, "seat %u has the winning Level and the game goes on", seat);
        }
    }
}

static void count_slot(const struct card_def *def, int slots[SLOT_TOTAL])
{
    if (def->slot == SLOT_TWO_HANDS) {
        slots[SLOT_HAND] += 2;
    } else {
        slots[def->slot]++;
    }
    if ((def->flags & DEF_EXTRA_ARMOR) != 0) {
        slots[SLOT_ARMOR] += def->slot != SLOT_ARMOR;
        slots[SLOT_HEADGEAR] += def->slot != SLOT_HEADGEAR;
    }
}

// Rules: ITEM-3, BIG-1. What a follower carries or Cheat! covers does not count.
static void check_gear(struct invariants *invariants, const struct game *game, unsigned seat)
{
    const struct box *const box = invariants->box;
    int slots[SLOT_TOTAL] = {0};
    int big = 0;
    int followers = 0;
    uint16_t at = query_first(game, pile_table(seat));
    for (; at != NO_CARD; at = query_next(game, at)) {
        const struct card_def *const def = box_def(box, at);
        const bool free = card_cheated(game, box, at) || card_carrier(game, box, at) != NO_CARD;
        if (free) {
            continue;
        }
        if (kind_is_item(def->kind)) {
            big += (def->flags & DEF_BIG) != 0;
        }
        if (def->kind == KIND_ITEM && (query_flags(game, at) & CARD_EQUIPPED) != 0) {
            count_slot(def, slots);
        }
        followers += def->kind == KIND_FOLLOWER;
    }
    if (query_overdressed(game, box, seat)) {
        invariants_fail(invariants,
                        "seat %u uses more than fits: headgear %d armor %d footgear %d "
                        "hands %d",
                        seat, slots[SLOT_HEADGEAR], slots[SLOT_ARMOR], slots[SLOT_FOOTGEAR],
                        slots[SLOT_HAND]);
    }
    if (big > strength_big_limit(game, box, seat)) {
        invariants_fail(invariants, "seat %u carries %d Big Items", seat, big);
    }
    if (followers > strength_follower_limit(game, box, seat)) {
        invariants_fail(invariants, "seat %u has %d followers", seat, followers);
    }
}

static void check_identity(struct invariants *invariants, const struct game *game, unsigned seat)
{
    const struct box *const box = invariants->box;
    for (unsigned kind = KIND_CLASS; kind <= KIND_BIRTHRIGHT; kind++) {
        if (trait_count(game, box, seat, kind) > trait_capacity(game, box, seat, kind)) {
            invariants_fail(invariants, "seat %u has too many identity cards of kind %u", seat,
                            kind);
        }
    }
    if (strength_rank_total(game, box, seat) > strength_rank_limit(game, box, seat)) {
        invariants_fail(invariants, "seat %u has Powers of Rank %d with a limit of %d", seat,
                        strength_rank_total(game, box, seat), strength_rank_limit(game, box, seat));
    }
}

void invariants_encoding(struct invariants *invariants, const struct game *game)
{
    struct mb_error err = {0};
    const size_t size = snapshot_encode(game, invariants->bytes, SNAPSHOT_SIZE_MAX);
    if (size == 0) {
        invariants_fail(invariants, "the state does not fit a snapshot");
    } else if (!snapshot_decode(invariants->bytes, size, invariants->box, invariants->scratch,
                                &err)) {
        invariants_fail(invariants, "the snapshot is refused: %s", err.text);
    } else if (!game_same(game, invariants->scratch)) {
        invariants_fail(invariants, "the decoded snapshot differs from the state");
    }
}

static void check_progress(struct invariants *invariants, const struct game *game)
{
    if (query_phase(game) != PHASE_OVER && query_clock(game).kind == CLOCK_NONE &&
        moves_seats(game, invariants->box) == 0) {
        invariants_fail(invariants, "nobody can act and no clock runs");
    }
}

void invariants_state(struct invariants *invariants, const struct game *game)
{
    struct mb_error err = {0};
    if (!snapshot_check(game, invariants->box, &err)) {
        invariants_fail(invariants, "%s", err.text);
        return; // the rest would only stumble
    }
    check_levels(invariants, game);
    if (!query_asks(game) && query_phase(game) != PHASE_OVER) {
        for (unsigned seat = 0; seat < query_seat_count(game); seat++) {
            check_gear(invariants, game, seat);
            check_identity(invariants, game, seat);
        }
    }
    check_progress(invariants, game);
}
