#include "core/codec/prose.h"

static const char *const METAS[] = {
    "Flight: +1 to run away, once however many sources",
    "each further source of Theft lowers the 4 by 1",
    "Secret HQ: 1 more card in hand",
    "Secret Identity",
};

static const char *const EXCLUSIONS[EXCLUSION_TOTAL] = {
    [EX_ALL_BUT_LEVEL] =
        "only Levels count for the players in this fight: no Items, one-shots or other bonuses",
    [EX_LEVEL] = "Levels do not count for the players in this fight",
    [EX_ITEMS] = "Items do not count for the players in this fight",
    [EX_ONE_SHOTS] = "one-shots do not count for the players in this fight",
    [EX_FOLLOWERS] = "followers do not count for the players in this fight",
    [EX_POWERS] = "Powers do not count for the players in this fight",
    [EX_SACRIFICE] = "followers cannot be sacrificed in this fight",
    [EX_ENHANCERS] = "other enhancers on it do not count",
    [EX_FIRE] = "fire Items and fire one-shots do not count for the players in this fight",
};

static const char *const BARRED[BAR_TOTAL] = {
    [BAR_HELP] = "you may not help",
    [BAR_BE_HELPED] = "nobody may help you",
    [BAR_LOOT] = "you may not loot the room",
    [BAR_ITEMS] = "you get nothing from your Items",
    [BAR_PLAY] = "you may play no cards and use no abilities",
    [BAR_WIN] = "you may not gain the winning Level",
    [BAR_CARDS] = "until you run away you may play no cards",
};

/** In the words of prose_it(), where a monster speaks of itself. */
static const char *const OUTCOMES[REMOVAL_TOTAL] = {
    [REMOVE_BY_HOUSE] = "",
    [REMOVE_PAYS] = ", with no Level; the main player gets %j Treasures",
    [REMOVE_NOTHING] = ", with no Level and no Treasure",
    [REMOVE_KILL] = ", which counts as a kill",
    [REMOVE_PAYS_IF_LAST] =
        ", with no Level; %j Treasures are yours if %i %v{was|were} the only one",
    [REMOVE_AND_LOOT] = ", with no Level and no Treasure; the room may then be looted",
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
        prose_add(prose, "the players get nothing from ");
        prose_filter(prose, row->filter, true, "");
        prose_add(prose, " in this fight");
    } else if (what == EX_ENHANCERS && row->filter != 0) {
        prose_filter(prose, row->filter, true, "");
        prose_add(prose, " on it do not count");
    } else {
        prose_add(prose, "%s", EXCLUSIONS[what]);
    }
}

static void add_bar(struct prose *prose, const struct row *row, int what)
{
    if (what == BAR_ITEMS && row->filter != 0) {
        prose_add(prose, "you get nothing from your ");
        prose_filter(prose, row->filter, true, "");
    } else {
        prose_add(prose, "%s", BARRED[what]);
    }
}

// "Level 3 or lower", "anybody who is female".
static void add_unpursued(struct prose *prose, const struct row *row)
{
    const struct requirement *req = &prose->catalog->reqs[row->first_req];
    if (row->req_count == 1 && req->kind == REQ_LEVEL_MAX && !req->absent) {
        prose_add(prose, req->n == 1 ? "Level %d" : "Level %d or lower", req->n);
        return;
    }
    prose_add(prose, "anybody");
    if (row->req_count > 0) {
        prose_add(prose, " ");
        prose->of_them = true;
        prose_requirements(prose, row->first_req, row->req_count);
        prose->of_them = false;
    }
}

// Whose help cannot be refused: "of higher Level", "with Birthrights".
static void add_unrefusing(struct prose *prose, const struct row *row)
{
    if (row->filter == 0) {
        prose_add(prose, "of higher Level");
        return;
    }
    prose_add(prose, "with ");
    prose_filter(prose, row->filter, true, "");
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
    prose_often(prose, times);
    if (row->n.base != 0 || row->n.source != SRC_CONST) {
        prose_add(prose, " and ");
        prose_signed(prose, &row->n);
        prose_add(prose, " more");
    }
}

// Where what changes hands comes to lie, where that does not go without saying.
static void add_goal(struct prose *prose, const struct row *row, int to)
{
    const bool from_hand =
        row->filter != 0 && prose->catalog->filters[row->filter - 1].place == PLACE_HAND;
    prose_add(prose, "%s",
              to == 2                 ? ", where it lay"
              : to == 1 && !from_hand ? ", to the hand"
                                      : "");
}

// "this goes to your hand", "it joins the next fight of the player to your right".
static void add_move(struct prose *prose, const struct row *row)
{
    static const char *const OBJECTS[] = {"this", "it", "1 monster"};
    const bool self = row->who == WHO_SELF;
    const char *who = phrase_who(row->who);
    prose_add(prose, "%s ", OBJECTS[row->a]);
    switch ((enum goal)row->b) {
    case GOAL_TABLE:
        prose_add(prose, "comes to lie before %s", who);
        return;
    case GOAL_HAND:
        prose_add(prose, self ? "goes to your hand" : "goes to the hand of %s", who);
        return;
    case GOAL_DISCARDS:
        prose_add(prose, "goes on top of its discards");
        return;
    case GOAL_NEXT_FIGHT:
        prose_add(prose, self ? "joins your next fight" : "joins the next fight of %s", who);
        return;
    case GOAL_TOTAL:
        return;
    }
}

void prose_argument(struct prose *prose, const struct row *row, unsigned op, int value)
{
    const char *name;
    switch (op) {
    case EFFECT_META:
        prose_add(prose, "%s", METAS[value]);
        return;
    case EFFECT_NO_PURSUE:
        add_unpursued(prose, row);
        return;
    case EFFECT_SECOND:
        prose_add(prose, "2 %s; or 1 %s", phrase_kind((unsigned)value, true),
                  phrase_kind((unsigned)value, false));
        return;
    case EFFECT_TRAIT_CHANGE:
        prose_add(prose, "%s", phrase_kind((unsigned)value, false));
        return;
    case EFFECT_TRAIT:
        name = catalog_trait_name(prose->catalog, (unsigned)value);
        prose_add(prose, "%s %s", article(name), name);
        return;
    case EFFECT_ADD_TAG:
        prose_add(prose, "%s", phrase_tag(prose->catalog, (unsigned)value));
        return;
    case EFFECT_FREE_HELP:
        add_unrefusing(prose, row);
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
        add_goal(prose, row, value);
        return;
    case EFFECT_REMOVE_MONSTER:
        prose_it(prose, OUTCOMES[(row->flags & ROW_KILL) != 0 ? REMOVE_KILL : value]);
        return;
    case EFFECT_ESCAPE:
        prose_add(prose, value == 1 ? "from all monsters" : "from that monster");
        return;
    case EFFECT_MOVE:
        add_move(prose, row);
        return;
    case EFFECT_REWARD:
        prose_add(prose, value == 0 ? "to the Levels of this victory"
                                    : "to the Treasures of this victory");
        return;
    case EFFECT_REVEAL:
        prose_number(prose, &row->n, 1, value == DECK_DOOR ? "Door" : "Treasure",
                     value == DECK_DOOR ? "Doors" : "Treasures");
        return;
    case EFFECT_SUFFER:
        prose_add(prose, value == 0 ? "the top Curse of the discards"
                                    : "the Bad Stuff of the top Monster of the discards");
        return;
    default:
        return;
    }
}
