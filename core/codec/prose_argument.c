#include "core/codec/prose.h"

static const char *const METAS[] = {"Flight", "Theft", "Secret HQ", "Secret Identity"};

static const char *const EXCLUSIONS[EXCLUSION_TOTAL] = {
    [EX_ALL_BUT_LEVEL] = "nothing but their Levels counts for the players",
    [EX_LEVEL] = "Levels do not count for the players",
    [EX_ITEMS] = "permanent Items do not count for the players",
    [EX_ONE_SHOTS] = "one-shots do not count for the players",
    [EX_FOLLOWERS] = "followers do not count for the players",
    [EX_POWERS] = "Powers do not count for the players",
    [EX_FIRE] = "fire does not count for the players",
};

static const char *const BARRED[BAR_TOTAL] = {
    [BAR_HELP] = "you may not help",
    [BAR_BE_HELPED] = "nobody may help you",
    [BAR_LOOT] = "you may not loot",
    [BAR_ITEMS] = "your Items give nothing",
    [BAR_PLAY] = "you may play no cards and use no abilities",
    [BAR_WIN] = "you may not gain the winning Level",
};

static const char *const OUTCOMES[REMOVAL_TOTAL] = {
    [REMOVE_BY_HOUSE] = "",
    [REMOVE_PAYS] = ", no Level, its Treasure is taken",
    [REMOVE_NOTHING] = ", no Level, no Treasure",
    [REMOVE_KILL] = ", which counts as a kill",
    [REMOVE_PAYS_IF_LAST] = ", no Level, its Treasure is taken if it was the only one",
    [REMOVE_AND_LOOT] = ", no Level, no Treasure; the room may then be looted",
};

static const char *slot_text(int slot)
{
    static const char *const SLOTS[SLOT_TOTAL] = {
        "slot", "Headgear slot", "Armor slot", "Footgear slot", "Hand", "pair of Hands"};
    return slot >= 0 && slot < SLOT_TOTAL ? SLOTS[slot] : "";
}

static void add_exclusion(struct prose *prose, const struct row *row, int what)
{
    if (what == EX_ITEMS && row->filter != 0) {
        prose_add(prose, "no bonus of ");
        prose_filter(prose, row->filter, true);
        prose_add(prose, " counts for the players");
    } else {
        prose_add(prose, "%s", EXCLUSIONS[what]);
    }
}

static void add_bar(struct prose *prose, const struct row *row, int what)
{
    if (what == BAR_ITEMS && row->filter != 0) {
        prose_add(prose, "you get nothing from your ");
        prose_filter(prose, row->filter, true);
    } else {
        prose_add(prose, "%s", BARRED[what]);
    }
}

static void add_draw(struct prose *prose, const struct row *row)
{
    bool door = row->a == DECK_DOOR;
    prose_number(prose, &row->n, 1, door ? "Door" : "Treasure", door ? "Doors" : "Treasures");
    if ((row->flags & ROW_FACE_UP) != 0) {
        prose_add(prose, " face up");
    }
}

static void add_enhancers(struct prose *prose, const struct row *row, int times)
{
    prose_add(prose, times == 1 ? "once" : times == 2 ? "twice" : "%d times", times);
    if (row->n.base != 0 || row->n.source != SRC_CONST) {
        prose_add(prose, " and ");
        prose_signed(prose, &row->n);
        prose_add(prose, " more");
    }
}

void prose_argument(struct prose *prose, const struct row *row, unsigned op, int value)
{
    const char *name;
    switch (op) {
    case EFFECT_META:
        prose_add(prose, "%s", METAS[value]);
        return;
    case EFFECT_SECOND:
    case EFFECT_TRAIT_CHANGE:
        prose_add(prose, "%s", phrase_kind((unsigned)value, false));
        return;
    case EFFECT_TRAIT:
        name = catalog_trait_name(prose->catalog, (unsigned)value);
        prose_add(prose, "%s %s", article(name), name);
        return;
    case EFFECT_ADD_TAG:
        prose_add(prose, "%s", catalog_tag_name(prose->catalog, (unsigned)value));
        return;
    case EFFECT_EXCLUDE:
        add_exclusion(prose, row, value);
        return;
    case EFFECT_BARS:
        add_bar(prose, row, value);
        return;
    case EFFECT_SLOT_LOSS:
        prose_add(prose, "%s", slot_text(value));
        return;
    case EFFECT_ENHANCERS_COUNT:
        add_enhancers(prose, row, value);
        return;
    case EFFECT_DRAW:
        add_draw(prose, row);
        return;
    case EFFECT_TAKE:
    case EFFECT_ROB:
    case EFFECT_GIVE:
        prose_add(prose, "%s", value == 1 ? " into the hand" : value == 2 ? ", where it lay" : "");
        return;
    case EFFECT_REMOVE_MONSTER:
        prose_add(prose, "%s",
                  (row->flags & ROW_KILL) != 0 ? OUTCOMES[REMOVE_KILL] : OUTCOMES[value]);
        return;
    case EFFECT_ESCAPE:
        prose_add(prose, value == 1 ? "from every monster" : "from this monster");
        return;
    case EFFECT_SUFFER:
        prose_add(prose, value == 0 ? "the top Curse of the discards"
                                    : "the Bad Stuff of the top Monster of the discards");
        return;
    default:
        return;
    }
}
