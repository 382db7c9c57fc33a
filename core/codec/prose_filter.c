#include <string.h>

#include "core/codec/prose.h"

static void add_kinds(struct prose *prose, const struct filter *filter, bool many)
{
    const char *or = "";
    const bool both = (filter->kinds >> KIND_ITEM & filter->kinds >> KIND_ONESHOT & 1u) != 0;
    for (unsigned kind = 0; kind < KIND_TOTAL; kind++) {
        if ((filter->kinds >> kind & 1u) != 0 && !(both && kind == KIND_ONESHOT)) {
            prose_add(prose, "%s%s%s", or, kind == KIND_ITEM && !both ? "permanent " : "",
                      phrase_kind(kind, many));
            or = " or ";
        }
    }
}

const char *phrase_slot(unsigned slot, bool many)
{
    static const char *const SLOTS[SLOT_TOTAL][2] = {
        [SLOT_NONE] = {"Item without a slot", "Items without a slot"},
        [SLOT_HEADGEAR] = {"Headgear", "Headgear"},
        [SLOT_ARMOR] = {"Armor", "Armor"},
        [SLOT_FOOTGEAR] = {"Footgear", "Footgear"},
        [SLOT_HAND] = {"Item in the Hands", "Items in the Hands"},
        [SLOT_TWO_HANDS] = {"two-handed Item", "two-handed Items"},
    };
    return slot < SLOT_TOTAL ? SLOTS[slot][many ? 1 : 0] : "";
}

static void add_noun(struct prose *prose, const struct filter *filter, bool many)
{
    if (filter->name != 0) {
        prose_add(prose, "%s", catalog_name_text(prose->catalog, filter->name - 1u));
    } else if (filter->trait != 0) {
        prose_add(prose, "%s %s", catalog_trait_name(prose->catalog, filter->trait - 1u),
                  many ? "cards" : "card");
    } else if (filter->slot != 0) {
        const bool open = prose->permanent && filter->slot - 1u == SLOT_NONE;
        prose_add(prose, "%s%s", open ? "permanent " : "", phrase_slot(filter->slot - 1u, many));
    } else if (filter->kinds != 0) {
        add_kinds(prose, filter, many);
    } else if (filter->item == 3) {
        prose_add(prose, many ? "cards that are no Items" : "card that is no Item");
    } else if (filter->item == 2 || (prose->permanent && filter->kinds == 0)) {
        prose_add(prose, many ? "permanent Items" : "permanent Item");
    } else if (filter->item == 1 || filter->size != 0 || filter->value_min != 0 ||
               filter->value_max != 0 || filter->place == PLACE_EQUIPPED ||
               filter->place == PLACE_CARRIED) {
        prose_add(prose, many ? "Items" : "Item");
    } else {
        prose_add(prose, many ? "cards" : "card");
    }
}

static void add_place(struct prose *prose, const struct filter *filter)
{
    static const char *const PLACES[PLACE_TOTAL] = {
        [PLACE_OWN] = "",
        [PLACE_HAND] = "",
        [PLACE_TABLE] = "",
        [PLACE_EQUIPPED] = "",
        [PLACE_CARRIED] = "",
        [PLACE_FIGHT] = " in the fight",
        [PLACE_THROWN] = " thrown into the fight",
        [PLACE_DOOR_DISCARD] = " from the Door discards",
        [PLACE_TREASURE_DISCARD] = " from the Treasure discards",
        [PLACE_DISCARDS] = " out of either discard pile",
    };
    if (prose->placeless) {
        return;
    }
    if (filter->place == PLACE_HAND) {
        prose_add(prose, prose->counting ? " in %s hand" : " from %s hand",
                  prose->own != NULL ? prose->own : "the");
    } else {
        prose_add(prose, "%s",
                  prose->taken && PLACES[filter->place][0] == '\0' ? " you have in play"
                                                                   : PLACES[filter->place]);
    }
}

static void add_one_of(struct prose *prose, unsigned index, bool many, const char *middle)
{
    static const struct filter ANY = {0};
    const struct filter *filter = index != 0 ? &prose->catalog->filters[index - 1] : &ANY;
    if (filter->size != 0) {
        prose_add(prose, filter->size == 1 ? "small " : "Big ");
    }
    if (filter->place == PLACE_CARRIED) {
        prose_add(prose, "carried ");
    } else if (filter->place == PLACE_EQUIPPED && filter->slot == 0) {
        prose_add(prose, "equipped ");
    }
    for (unsigned tag = 0; tag < MB_TAGS_MAX; tag++) {
        if ((filter->tags >> tag & 1u) != 0) {
            prose_add(prose, "%s ", phrase_tag(prose->catalog, tag));
        }
    }
    add_noun(prose, filter, many);
    prose_add(prose, "%s", middle);
    add_place(prose, filter);
    if (filter->attached != 0) {
        prose_add(prose, filter->attached == 1 ? " that something is attached to"
                                               : " that lies with something");
    }
    if (filter->side != 0) {
        prose_add(prose, filter->side == 1 ? " on the players' side" : " on the monsters' side");
    }
    if (filter->value_min != 0) {
        prose_add(prose, " worth at least %d Gold Pieces", filter->value_min);
    }
    if (filter->value_max != 0) {
        prose_add(prose, " worth at most %d Gold Pieces", filter->value_max);
    }
    if (filter->bonus_min != 0) {
        prose_add(prose, " of +%d or more", filter->bonus_min);
    }
    if (filter->bonus_below == 1) {
        prose_add(prose, " without a bonus");
    } else if (filter->bonus_below != 0) {
        prose_add(prose, " of +%d or less", filter->bonus_below - 1);
    }
    if (filter->level_max != 0) {
        prose_add(prose, " of Level %d or lower", filter->level_max);
    }
}

void prose_filter(struct prose *prose, unsigned index, bool many, const char *middle)
{
    add_one_of(prose, index, many, middle);
    while (index != 0 && prose->catalog->filters[index - 1].or_else != 0) {
        index = prose->catalog->filters[index - 1].or_else;
        // "1 small Item you have in play or 1 card from your hand"
        prose_add(prose, prose->taken && !many ? " or 1 " : " or ");
        add_one_of(prose, index, many, middle);
    }
}
