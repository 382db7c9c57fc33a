#include "core/codec/prose.h"

static const char *const METAS[] = {
    "Flight: +1 to run away, once however many sources",
    "each further source of Theft lowers the 4 by 1",
    "Secret HQ: 1 more card in hand",
    "Secret Identity",
};

/** What stands before and after "in this fight". */
static const char *const EXCLUSIONS[EXCLUSION_TOTAL][2] = {
    [EX_ALL_BUT_LEVEL] = {"only Levels count for the players",
                          ": no Items, one-shots or other bonuses"},
    [EX_LEVEL] = {"Levels do not count for the players", ""},
    [EX_ITEMS] = {"permanent Items do not count for the players", ""},
    [EX_ONE_SHOTS] = {"one-shots do not count for the players", ""},
    [EX_FOLLOWERS] = {"followers do not count for the players", ""},
    [EX_POWERS] = {"Powers do not count for the players", ""},
    [EX_SACRIFICE] = {"followers cannot be sacrificed", ""},
    [EX_ENHANCERS] = {"other enhancers on it do not count", ""},
    [EX_FIRE] = {"fire Items and fire one-shots do not count for the players", ""},
    [EX_BONUSES] = {"no bonus counts on either side", ": Level against Level"},
};

/** What stands before and after the player who is barred. */
static const char *const BARRED[BAR_TOTAL][2] = {
    [BAR_HELP] = {"", " may not help"},
    [BAR_BE_HELPED] = {"nobody may help ", ""},
    [BAR_LOOT] = {"", " may not loot the room"},
    [BAR_ITEMS] = {"", ""},
    [BAR_PLAY] = {"", " may play no cards and use no abilities"},
    [BAR_WIN] = {"", " may not gain the winning Level"},
    [BAR_CARDS] = {"", " may play no cards until "},
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
    // What is put on somebody says for how long by itself.
    const bool lasts = row->op == EFFECT_LASTING;
    const char *const here = lasts || what == EX_ENHANCERS ? "" : " in this fight";
    if (row->filter == 0) {
        prose_add(prose, "%s%s%s", EXCLUSIONS[what][0], here, lasts ? "" : EXCLUSIONS[what][1]);
        return;
    }
    prose_add(prose, "%s",
              what == EX_ITEMS     ? "the players get nothing from "
              : what == EX_BONUSES ? "no bonus of "
                                   : "");
    prose->permanent = what == EX_ITEMS;
    prose->placeless = what != EX_ITEMS;
    prose_filter(prose, row->filter, true, "");
    prose->permanent = false;
    prose->placeless = false;
    if (what == EX_ENHANCERS) {
        const unsigned name = prose->catalog->filters[row->filter - 1].name;
        prose_add(prose, " on it %s not count",
                  name != 0 && !prose_name_plural(prose, name - 1u) ? "does" : "do");
    }
    prose_add(prose, "%s%s", what == EX_BONUSES ? " counts" : "", here);
}

static void add_bar(struct prose *prose, const struct row *row, int what)
{
    const bool self = row->who == WHO_SELF;
    prose_add(prose, "%s", BARRED[what][0]);
    prose_subject(prose, row);
    prose_add(prose, "%s", BARRED[what][1]);
    if (what == BAR_CARDS) {
        prose_add(prose, self ? "you run away" : "they run away");
    }
    if (what == BAR_ITEMS) {
        prose_add(prose, self ? " get nothing from your " : " gets nothing from their ");
        prose->permanent = true;
        prose_filter(prose, row->filter, true, "");
        prose->permanent = false;
        prose_add(prose, row->filter == 0 ? "permanent Items" : "");
    }
}

// "Level 3 or lower", "anybody who is female", "anybody while ... is in play".
static void add_unpursued(struct prose *prose, const struct row *row)
{
    const struct requirement *req = &prose->catalog->reqs[row->first_req];
    if (row->req_count == 1 && req->kind == REQ_LEVEL_MAX && !req->absent) {
        prose_add(prose, req->n == 1 ? "Level %d" : "Level %d or lower", req->n);
        return;
    }
    prose_add(prose, "anybody");
    if (row->req_count > 0) {
        req += req->kind == REQ_ANY_OF;
        const bool person = req->kind != REQ_NAMED_IN_PLAY;
        prose_add(prose, person ? " " : " while ");
        prose->relative = person ? RANGE_SELF + 1 : 0;
        prose_requirements(prose, row->first_req, row->req_count);
        prose->relative = 0;
    }
}

// "who is an Elf": of the helper, of whom all the requirements speak; nothing if they do not.
static void add_unwanted(struct prose *prose, const struct row *row)
{
    unsigned first = row->first_req;
    unsigned count = row->req_count;
    bool all = count > 0;
    for (unsigned i = first; i < first + count; i++) {
        const struct requirement *const req = &prose->catalog->reqs[i];
        all = all && (req->range == RANGE_HELPER || req->kind == REQ_ANY_OF);
    }
    // That somebody helps goes without saying.
    if (all && count > 1 && prose->catalog->reqs[first].kind == REQ_HELPER) {
        first++;
        count--;
    }
    if (all) {
        prose_add(prose, " ");
        prose->relative = RANGE_HELPER + 1;
        prose_requirements(prose, first, count);
        prose->relative = 0;
        prose->qualified = true;
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
    const bool more = row->n.base != 0 || row->n.source != SRC_CONST;
    if (times != 1 || !more) {
        prose_often(prose, times);
        prose_add(prose, more ? " and " : "");
    }
    if (more) {
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
    static const char *const GOALS[GOAL_TOTAL][2] = {
        [GOAL_TABLE] = {"%v{comes|come} to lie before ", ""},
        [GOAL_HAND] = {"%v{goes|go} to your hand", "%v{goes|go} to the hand of "},
        [GOAL_DISCARDS] = {"%v{goes|go} on top of the discards", ""},
        [GOAL_NEXT_FIGHT] = {"%v{joins|join} your next fight", "%v{joins|join} the next fight of "},
    };
    const bool self = row->who == WHO_SELF;
    const bool before = row->b == GOAL_TABLE;
    const char *at = GOALS[row->b][self || before || row->b == GOAL_DISCARDS ? 0 : 1];
    if (row->a == 1) {
        prose_it(prose, "%i ");
        prose_it(prose, at);
    } else {
        char one[64];
        char many[64];
        at = prose_pair(at + 2, '}', one, many);
        prose_add(prose, "%s %s%s", row->a == 0 ? "this" : "1 monster", one, at);
    }
    if (before || (!self && row->b != GOAL_DISCARDS)) {
        prose_subject(prose, row);
    }
}

// Of another monster than the card "its Treasures" are told, whatever the card is called.
static void add_outcome(struct prose *prose, const struct row *row, int value)
{
    const unsigned outcome = (row->flags & ROW_KILL) != 0 ? REMOVE_KILL : (unsigned)value;
    if (row->filter != 0 && outcome == REMOVE_PAYS) {
        prose_add(prose, ", with no Level; the main player gets its Treasures");
    } else {
        prose_it(prose, OUTCOMES[outcome]);
    }
}

static void add_rewarded(struct prose *prose, int what)
{
    prose_add(prose,
              what == 0 ? "to the Levels of this victory" : "to the Treasures of this victory");
}

static void add_suffered(struct prose *prose, int what)
{
    prose_add(prose, what == 0 ? "the top Curse of the discards"
                               : "the Bad Stuff of the top Monster of the discards");
}

static void add_reveal(struct prose *prose, const struct row *row, int deck)
{
    const bool one = row->n.source == SRC_CONST && row->n.base == 1;
    prose_number(prose, &row->n, 1, deck == DECK_DOOR ? "Door" : "Treasure",
                 deck == DECK_DOOR ? "Doors" : "Treasures");
    prose_add(prose, one ? " and discard it" : " and discard them");
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
    case EFFECT_NO_HELP:
        add_unwanted(prose, row);
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
        add_outcome(prose, row, value);
        return;
    case EFFECT_ESCAPE:
        prose_add(prose, value == 1 ? "from all monsters" : "from that monster");
        return;
    case EFFECT_MOVE:
        add_move(prose, row);
        return;
    case EFFECT_REWARD:
        add_rewarded(prose, value);
        return;
    case EFFECT_REVEAL:
        add_reveal(prose, row, value);
        return;
    case EFFECT_SUFFER:
        add_suffered(prose, value);
        return;
    default:
        return;
    }
}
