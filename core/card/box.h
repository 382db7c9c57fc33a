/*
 * The box: everything a table plays with, immutable once loaded.
 *
 * It holds the definitions of all loaded sets, which card is of which kind (`card_def`), the
 * profile (constants and flags of the edition, core/card/profile.h) and the tables that rows refer
 * to. The core reads it and never writes; core/codec/ builds it; names and texts live there (struct
 * catalog). One box may serve many tables at once.
 */
#ifndef CORE_CARD_BOX_H
#define CORE_CARD_BOX_H

#include "core/card/card.h"
#include "core/card/profile.h"

struct box {
    const struct card_def *defs;
    const struct row *rows;
    const struct requirement *reqs;
    const struct filter *filters;
    const struct cost *costs;
    uint16_t def_count, row_count, req_count, filter_count, cost_count;
    uint16_t card_count; /**< cards of the game, at most MB_CARDS_MAX */
    uint8_t
        trait_kind[MB_TRAITS_MAX]; /**< enum card_kind: what a trait is (a Class, a Race, ...) */
    uint8_t trait_count, tag_count, ability_count;
    struct profile profile;
    uint16_t
        card_def[MB_CARDS_MAX]; /**< kind of each card; cards sorted by deck, then definition */
    uint16_t namesake[MB_CARDS_MAX]; /**< the next card of the same name, and after the last one the
                                          first: itself if no other is called so */
    /** bit per trigger: some card of the game has a row for it (decides whether moments can open)
     */
    uint32_t triggers_used;
    uint16_t answering[MB_CARDS_MAX]; /**< the cards that can be an answer, and how many */
    uint16_t answering_count;
    /** bit per trigger: some card waits for what happens to others */
    uint32_t triggers_of_others;
    /** bit per op below 64: some enhancer bears it; some monster or enhancer a bonus for fighters
     */
    uint64_t enhancer_ops;
    uint64_t static_ops[2]; /**< bit per op: some card has a row of it that always holds */
    bool foes_touch_fighters;
    bool bonuses_out; /**< some card leaves bonuses out (`exclude` bonuses) */
};

/** False if no card of the game has a row of the op that always holds: none need be looked for. */
static inline bool box_says(const struct box *box, unsigned op)
{
    return (box->static_ops[op / 64] >> op % 64 & 1u) != 0;
}

static inline const struct card_def *box_def(const struct box *box, uint16_t card)
{
    return &box->defs[box->card_def[card]];
}

static inline const struct row *box_rows(const struct box *box, const struct card_def *def)
{
    return box->rows + def->first_row;
}

static inline bool kind_is_item(unsigned kind)
{
    return kind == KIND_ITEM || kind == KIND_ONESHOT;
}

/** Kinds that speak of their own fight, and of its players as others. */
static inline bool kind_is_foe(unsigned kind)
{
    return kind == KIND_MONSTER || kind == KIND_ENHANCER;
}

/** Kinds that fill an identity slot, see profile.slots. */
static inline bool kind_is_identity(unsigned kind)
{
    return kind >= KIND_CLASS && kind <= KIND_SECOND;
}

#endif
