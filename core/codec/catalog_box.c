#include <string.h>

#include "core/codec/catalog_impl.h"

bool catalog_fits(const struct catalog *catalog, unsigned set, struct mb_error *err)
{
    const struct catalog_set *of = catalog_set(catalog, set);
    if (of != NULL && of->errors > 0) {
        return mb_fail(err, MB_ERR_INPUT,
                       "the set %s has %u errors: munchbot cards check tells which", of->id,
                       (unsigned)of->errors);
    }
    return of != NULL;
}

// Which sets go in, as bits; 0 and an error if that is no game.
static uint32_t check_sets(const struct catalog *catalog, const uint8_t *sets, size_t set_count,
                           struct mb_error *err)
{
    uint32_t wanted = 0;
    for (size_t i = 0; i < set_count; i++) {
        const struct catalog_set *set = catalog_set(catalog, sets[i]);
        if (set == NULL) {
            mb_fail(err, MB_ERR_INPUT, "there is no set number %u", sets[i]);
            return 0;
        }
        if (set->errors > set->misfits) {
            (void)catalog_fits(catalog, sets[i], err);
            return 0;
        }
        if (set->vocabulary) {
            mb_fail(err, MB_ERR_INPUT, "the set %s is no set to play with", set->id);
            return 0;
        }
        wanted |= 1u << sets[i];
    }
    if (wanted == 0) {
        mb_fail(err, MB_ERR_INPUT, "no card set is named");
    }
    return wanted;
}

static bool make_profile(const struct catalog *catalog, uint32_t wanted, enum edition house,
                         struct box *out, struct mb_error *err)
{
    unsigned editions = 0;
    for (unsigned i = 0; i < catalog->n.sets; i++) {
        if ((wanted >> i & 1u) != 0 && catalog->sets[i].edition < EDITION_TOTAL) {
            editions |= 1u << catalog->sets[i].edition;
        }
    }
    if (house >= EDITION_TOTAL || (editions >> house & 1u) == 0) {
        return mb_fail(err, MB_ERR_INPUT, "the house %s is the edition of none of the sets",
                       edition_name(house));
    }
    profile_make(&out->profile, editions, house);
    return true;
}

// Notes which moments the cards of the game can act at, and what they say.
static void note_triggers(struct box *out, const struct card_def *def)
{
    for (unsigned i = 0; i < def->row_count; i++) {
        const struct row *row = &out->rows[def->first_row + i];
        const bool foe = kind_is_foe(def->kind);
        out->triggers_used |= 1u << row->when;
        out->triggers_of_others |= row->whose != WHOSE_SELF ? 1u << row->when : 0u;
        out->static_ops[row->op / 64] |= row->when == WHEN_STATIC ? row_op_bit(row->op) : 0;
        if (def->kind == KIND_ENHANCER && row->when == WHEN_STATIC && row->op < 64) {
            out->enhancer_ops |= (uint64_t)1 << row->op;
        }
        out->bonuses_out |=
            (row->op == EFFECT_EXCLUDE && row->a == EX_BONUSES) ||
            (row->op == EFFECT_LASTING && row->a == EFFECT_EXCLUDE && row->b == EX_BONUSES);
        out->foes_touch_fighters |= foe && row->op == EFFECT_BONUS && row->who == WHO_FIGHTERS;
    }
}

static void note_answering(struct box *out, uint16_t card)
{
    const struct card_def *const def = box_def(out, card);
    const struct row *const rows = box_rows(out, def);
    for (unsigned i = 0; i < def->row_count; i++) {
        if (when_answers(rows[i].when)) {
            out->answering[out->answering_count++] = card;
            return;
        }
    }
}

static bool deal_cards(const struct catalog *catalog, uint32_t wanted, struct box *out,
                       struct mb_error *err)
{
    for (unsigned deck = DECK_DOOR; deck <= DECK_TREASURE; deck++) {
        for (unsigned i = 0; i < catalog->n.defs; i++) {
            const struct card_def *def = &catalog->defs[i];
            if (def->deck != deck || (wanted >> def->set & 1u) == 0) {
                continue;
            }
            if (out->card_count + catalog->infos[i].copies > MB_CARDS_MAX) {
                return mb_fail(err, MB_ERR_LIMIT, "the sets hold more than %d cards together",
                               MB_CARDS_MAX);
            }
            note_triggers(out, def);
            for (unsigned copy = 0; copy < catalog->infos[i].copies; copy++) {
                out->card_def[out->card_count++] = (uint16_t)i;
            }
        }
    }
    return true;
}

static uint16_t next_of_name(const struct box *box, uint16_t card)
{
    const uint16_t name = box_def(box, card)->name;
    uint16_t next = card;
    do {
        next = next + 1u < box->card_count ? (uint16_t)(next + 1u) : 0;
    } while (box_def(box, next)->name != name);
    return next;
}

bool catalog_box(const struct catalog *catalog, const uint8_t *sets, size_t set_count,
                 enum edition house, struct box *out, struct mb_error *err)
{
    memset(out, 0, sizeof *out);
    uint32_t wanted = check_sets(catalog, sets, set_count, err);
    if (wanted == 0 || !make_profile(catalog, wanted, house, out, err)) {
        return false;
    }
    out->defs = catalog->defs;
    out->rows = catalog->rows;
    out->reqs = catalog->reqs;
    out->filters = catalog->filters;
    out->costs = catalog->costs;
    out->def_count = catalog->n.defs;
    out->row_count = catalog->n.rows;
    out->req_count = catalog->n.reqs;
    out->filter_count = catalog->n.filters;
    out->cost_count = catalog->n.costs;
    out->trait_count = catalog->n.traits;
    out->tag_count = catalog->n.tags;
    out->ability_count = catalog->n.abilities;
    memcpy(out->trait_kind, catalog->trait_kinds, sizeof out->trait_kind);
    if (!deal_cards(catalog, wanted, out, err)) {
        return false;
    }
    for (uint16_t card = 0; card < out->card_count; card++) {
        out->namesake[card] = next_of_name(out, card);
        note_answering(out, card);
    }
    return true;
}
