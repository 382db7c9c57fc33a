#include <string.h>

#include "core/codec/prose.h"
#include "core/words/words.h"

/** Who is asked: "you are", "you are not", "you have", "you do not have". */
static const char *const SUBJECTS[RANGE_TOTAL][4] = {
    [RANGE_SELF] = {"you are", "you are not", "you have", "you do not have"},
    [RANGE_TARGET] = {"that player is", "that player is not", "that player has",
                      "that player does not have"},
    [RANGE_MAIN] = {"the main player is", "the main player is not", "the main player has",
                    "the main player does not have"},
    [RANGE_HELPER] = {"the helper is", "the helper is not", "the helper has",
                      "the helper does not have"},
    [RANGE_FIGHTERS] = {"a fighter is", "no fighter is", "a fighter has", "no fighter has"},
    [RANGE_ALL_FIGHTERS] = {"every fighter is", "not every fighter is", "every fighter has",
                            "not every fighter has"},
    [RANGE_ANYONE] = {"a player is", "no player is", "a player has", "no player has"},
};

/** Requirements that are whole sentences, as they stand and as they do not; in the words of
 * prose_it(). */
static const char *const FACTS[REQUIREMENT_TOTAL][2] = {
    [REQ_ALONE] = {"the main player fights alone", "the main player has a helper"},
    [REQ_THIS_WANDERED] = {"a card brought %m into the fight", "no card brought %m into the fight"},
    [REQ_OWN_TURN] = {"it is your turn", "it is not your turn"},
    [REQ_LOSING] = {"you are losing", "you are not losing"},
    [REQ_WINNING] = {"you are winning", "you are not winning"},
    [REQ_AFTER_FIGHT] = {"a fight has just ended", "no fight has just ended"},
    [REQ_ROLL_FAILED] = {"the roll failed", "the roll did not fail"},
    [REQ_ROLL_OWN] = {"the roll is your own", "the roll is another player's"},
    [REQ_ROLL_FLIGHT] = {"it is a roll to run away", "it is no roll to run away"},
    [REQ_CURSE_OWN] = {"the Curse strikes you", "the Curse strikes another"},
    [REQ_CURSE_KICKED] = {"the Curse was kicked open", "the Curse was not kicked open"},
    [REQ_CURSE_PLAYED] = {"the Curse was played by a player",
                          "the Curse was not played by a player"},
    [REQ_FOLLOWER_IN_PLAY] = {"a follower is in play", "no follower is in play"},
    [REQ_BY_LEVEL] = {"the fighters' Levels alone would win",
                      "the fighters' Levels alone would not win"},
    [REQ_OPTIONAL_PASSED] = {"%i %v{was|were} let go unfought",
                             "%i %v{was|were} not let go unfought"},
};

static const char *const THEM[4] = {"who is", "who is not", "who has", "who does not have"};

static const char *subject_of(const struct prose *prose, const struct requirement *req,
                              unsigned form)
{
    return prose->relative == req->range + 1u ? THEM[form] : SUBJECTS[req->range][form];
}

static void add_subject(struct prose *prose, const struct requirement *req, unsigned form)
{
    prose_add(prose, "%s ", subject_of(prose, req, form));
}

// "you wear", "you do not wear", "no fighter wears": the form with "have", with another verb.
static void add_verb(struct prose *prose, const struct requirement *req, const char *base,
                     const char *third)
{
    const char *const form = subject_of(prose, req, req->absent ? 3 : 2);
    const size_t length = strlen(form);
    const bool has = strcmp(form + length - 3, "has") == 0;
    prose_add(prose, "%.*s%s ", (int)length - (has ? 3 : 4), form, has ? third : base);
}

static void add_be(struct prose *prose, const struct requirement *req)
{
    add_subject(prose, req, req->absent ? 1 : 0);
}

static void add_have(struct prose *prose, const struct requirement *req)
{
    add_subject(prose, req, req->absent ? 3 : 2);
}

static void add_in_fight(struct prose *prose, const struct requirement *req, const char *text)
{
    prose_add(prose, "%s%s %s in the fight", req->absent ? "no " : "", text,
              req->n > 1 && req->kind == REQ_MONSTERS_MIN ? "are" : "is");
}

// "an Elf is in the fight", "you are an Elf", "the main player is no Elf".
static void add_trait(struct prose *prose, const struct requirement *req)
{
    const char *name = catalog_trait_name(prose->catalog, (unsigned)req->n);
    if (req->range == RANGE_FIGHTERS) {
        prose_add(prose, "%s %s is in the fight", req->absent ? "no" : article(name), name);
        return;
    }
    add_be(prose, req);
    prose_add(prose, "%s %s", article(name), name);
}

// "a fighter wears Headgear", "you do not hold a two-handed Item".
static void add_wears(struct prose *prose, const struct requirement *req)
{
    static const char *const WORN[SLOT_TOTAL] = {
        [SLOT_NONE] = "an Item without a slot equipped",
        [SLOT_HEADGEAR] = "Headgear",
        [SLOT_ARMOR] = "Armor",
        [SLOT_FOOTGEAR] = "Footgear",
        [SLOT_HAND] = "something in the Hands",
        [SLOT_TWO_HANDS] = "something in both Hands",
    };
    if (req->n == SLOT_NONE) {
        add_have(prose, req);
    } else if (req->n == SLOT_HAND || req->n == SLOT_TWO_HANDS) {
        add_verb(prose, req, "hold", "holds");
    } else {
        add_verb(prose, req, "wear", "wears");
    }
    prose_add(prose, "%s", WORN[req->n]);
}

// "a one-shot is in the fight": whosever it is.
static void add_lies_in_fight(struct prose *prose, const struct requirement *req)
{
    char text[200] = "";
    const bool many = req->n > 1;
    struct prose part = {
        .catalog = prose->catalog, .out = text, .size = sizeof text, .placeless = true};
    prose_filter(&part, req->arg, many, "");
    if (many) {
        prose_add(prose, req->absent ? "fewer than %d %s are" : "at least %d %s are", req->n, text);
    } else if (prose->catalog->filters[req->arg - 1].name != 0 && !req->absent) {
        prose_add(prose, "%s is", text);
    } else {
        prose_add(prose, "%s %s is", req->absent ? "no" : article(text), text);
    }
    prose_add(prose, " in the fight");
}

// "a fire Item equipped", "at least 2 Curses".
static void add_count(struct prose *prose, const struct requirement *req)
{
    const struct filter *filter = &prose->catalog->filters[req->arg - 1];
    char text[200] = "";
    struct prose part = {.catalog = prose->catalog, .out = text, .size = sizeof text};
    prose_filter(&part, req->arg, req->n > 1, "");
    const char *at = text;
    const bool worn_one = filter->place == PLACE_EQUIPPED && strncmp(text, "equipped ", 9) == 0;
    at += worn_one ? 9 : 0;
    if (filter->name != 0 && req->n <= 1) {
        prose_add(prose, "%s", at);
    } else if (req->n <= 1) {
        prose_add(prose, "%s %s", article(at), at);
    } else {
        prose_add(prose, "at least %d %s", req->n, at);
    }
    prose_add(prose, "%s", worn_one ? " equipped" : "");
}

// "Your Nemesis is in the fight or in the discards": cards where they are nobody's.
static bool add_lies(struct prose *prose, const struct requirement *req)
{
    static const char *const LIES[PLACE_TOTAL] = {
        [PLACE_FIGHT] = "in the fight",
        [PLACE_DOOR_DISCARD] = "in the Door discards",
        [PLACE_TREASURE_DISCARD] = "in the Treasure discards",
        [PLACE_DISCARDS] = "in the discards",
    };
    const struct filter *const filters = prose->catalog->filters;
    const struct filter *const first = &filters[req->arg - 1];
    for (unsigned at = req->arg; at != 0; at = filters[at - 1].or_else) {
        if (LIES[filters[at - 1].place] == NULL || filters[at - 1].name != first->name) {
            return false;
        }
    }
    if (first->name == 0 || req->n != 1) {
        return false;
    }
    prose_add(prose, "%s%s is ", req->absent ? "no " : "",
              catalog_name_text(prose->catalog, first->name - 1u));
    for (unsigned at = req->arg; at != 0; at = filters[at - 1].or_else) {
        prose_add(prose, "%s%s", at == req->arg ? "" : " or ", LIES[filters[at - 1].place]);
    }
    return true;
}

// "you have at least 2 cards in hand", "you have fewer than 2 cards in hand", "you have no card".
static void add_hand(struct prose *prose, const struct requirement *req)
{
    const bool fewer = req->absent && req->range != RANGE_FIGHTERS && req->range != RANGE_ANYONE &&
                       req->range != RANGE_ALL_FIGHTERS;
    if (fewer) {
        add_subject(prose, req, 2);
    } else {
        add_have(prose, req);
    }
    if (fewer && req->n <= 1) {
        prose_add(prose, "no card in hand");
    } else {
        prose_add(prose, fewer ? "fewer than %d %s in hand" : "at least %d %s in hand", req->n,
                  req->n == 1 ? "card" : "cards");
    }
}

static void add_cards(struct prose *prose, const struct requirement *req)
{
    if (add_lies(prose, req)) {
        return;
    }
    if (prose->catalog->filters[req->arg - 1].place == PLACE_FIGHT) {
        add_lies_in_fight(prose, req);
    } else {
        add_have(prose, req);
        add_count(prose, req);
    }
}

// What a player is, has or wears.
static void add_of_player(struct prose *prose, const struct requirement *req)
{
    const char *name;
    switch (req->kind) {
    case REQ_TRAIT:
        add_trait(prose, req);
        return;
    case REQ_SLOT_TRAIT:
        add_have(prose, req);
        name = phrase_kind((unsigned)req->n, false);
        prose_add(prose, "%s %s", article(name), name);
        return;
    case REQ_HUMAN:
        add_be(prose, req);
        prose_add(prose, "human");
        return;
    case REQ_SEX:
        add_be(prose, req);
        prose_add(prose, "%s", word_name(WORDS_SEX, (unsigned)req->n));
        return;
    case REQ_SEX_CHANGED:
        add_have(prose, req);
        prose_add(prose, "changed sex");
        return;
    case REQ_LEVEL_MIN:
        add_be(prose, req);
        prose_add(prose, "Level %d or higher", req->n);
        return;
    case REQ_LEVEL_MAX:
        add_be(prose, req);
        prose_add(prose, "Level %d or lower", req->n);
        return;
    case REQ_HIGHEST:
        add_be(prose, req);
        prose_add(prose, "at the highest Level (even tied)");
        return;
    case REQ_LOWEST:
        add_be(prose, req);
        prose_add(prose, "at the lowest Level (even tied)");
        return;
    case REQ_WEARS:
        add_wears(prose, req);
        return;
    case REQ_CARDS:
        add_cards(prose, req);
        return;
    case REQ_HAND_MIN:
        add_hand(prose, req);
        return;
    case REQ_CAUGHT:
        add_be(prose, req);
        prose_add(prose, "caught by the monster");
        return;
    case REQ_IN_FIGHT:
        add_be(prose, req);
        prose_add(prose, "in the fight");
        return;
    case REQ_HELPER:
        if (req->absent && req->range == RANGE_SELF) {
            prose_add(prose, "you are the main player");
            return;
        }
        add_be(prose, req);
        prose_add(prose, "the helper");
        return;
    default:
        return;
    }
}

// "at least 1 Monster is among them", of what has been turned up.
static void add_revealed(struct prose *prose, const struct requirement *req)
{
    const bool most = (req->kind == REQ_ROLLED_MAX) != req->absent;
    const int n = req->n + (req->absent ? (most ? -1 : 1) : 0);
    const struct amount *const up = &prose_revealing(prose)->n;
    prose->placeless = true;
    if (up->source == SRC_CONST && up->base == 1 && n == 1 && !most) {
        char text[200] = "";
        struct prose part = {
            .catalog = prose->catalog, .out = text, .size = sizeof text, .placeless = true};
        prose_filter(&part, prose_revealing(prose)->filter, false, "");
        prose_add(prose, "it is %s %s", article(text), text);
        prose->placeless = false;
        return;
    }
    prose_add(prose, "%s %d ", most ? "at most" : "at least", n);
    prose_filter(prose, prose_revealing(prose)->filter, n != 1, "");
    prose_add(prose, " %s among them", n == 1 ? "is" : "are");
    prose->placeless = false;
}

void prose_requirement(struct prose *prose, const struct requirement *req)
{
    char text[2 * CATALOG_NAME_MAX];
    struct prose small = {.catalog = prose->catalog, .out = text, .size = sizeof text};
    text[0] = '\0';
    switch (req->kind) {
    case REQ_MONSTER_TAG:
        prose_add(&small, "%s monster", phrase_tag(prose->catalog, (unsigned)req->n));
        if (!req->absent) {
            prose_add(prose, "%s ", article(text));
        }
        add_in_fight(prose, req, text);
        return;
    case REQ_MONSTER_NAME:
        prose_add(prose, "%s%s %s in the fight", req->absent ? "no " : "",
                  catalog_name_text(prose->catalog, (unsigned)req->n),
                  prose_name_plural(prose, (unsigned)req->n) ? "are" : "is");
        return;
    case REQ_MONSTERS_MIN:
        prose_add(&small, "%s%d monsters", req->absent ? "more than " : "at least ",
                  req->absent ? req->n - 1 : req->n);
        add_in_fight(prose, req, text);
        return;
    case REQ_MONSTER_LEVEL_MAX:
        prose_add(prose,
                  req->absent ? "the monster is above Level %d"
                              : "the monster is Level %d or lower",
                  req->n);
        return;
    case REQ_THIS_TAG:
        prose_add(prose, "the monster %s as %s", req->absent ? "does not count" : "counts",
                  phrase_tag(prose->catalog, (unsigned)req->n));
        return;
    case REQ_NAMED_IN_PLAY:
        prose_add(prose, "%s%s %s in play", req->absent ? "no " : "",
                  catalog_name_text(prose->catalog, (unsigned)req->n),
                  prose_name_plural(prose, (unsigned)req->n) ? "are" : "is");
        return;
    case REQ_WON_BY:
        prose_add(prose, "the players are %s%d ahead", req->absent ? "less than " : "at least ",
                  req->n);
        return;
    case REQ_ROLLED_MAX:
        if (prose_revealing(prose) != NULL) {
            add_revealed(prose, req);
            return;
        }
        prose_add(prose, "the die shows %s %d", req->absent ? "more than" : "at most", req->n);
        return;
    case REQ_ROLLED_MIN:
    case REQ_DIE_MIN:
        if (req->kind == REQ_ROLLED_MIN && prose_revealing(prose) != NULL) {
            add_revealed(prose, req);
            return;
        }
        prose_add(prose, "the die shows %s %d", req->absent ? "less than" : "at least", req->n);
        return;
    default:
        break;
    }
    if (FACTS[req->kind][0] != NULL) {
        prose_it(prose, FACTS[req->kind][req->absent ? 1 : 0]);
    } else {
        add_of_player(prose, req);
    }
}

void prose_requirements(struct prose *prose, unsigned first, unsigned count)
{
    unsigned others = 0; // of any_of
    for (unsigned i = 0; i < count; i++) {
        const struct requirement *req = &prose->catalog->reqs[first + i];
        const bool any = others > 0;
        if (i > 0) {
            prose_add(prose, any && others-- > 0 ? " or " : " and ");
        }
        if (req->kind == REQ_ANY_OF) {
            prose_add(prose, req->absent ? "neither of these: " : "");
            others = (unsigned)req->n - 1u;
            req++;
            i++;
        }
        prose_requirement(prose, req);
    }
}

void prose_needs(struct prose *prose)
{
    const struct requirement *need = &prose->catalog->reqs[prose->def->first_need];
    if (prose->def->need_count == 0) {
        return;
    }
    const bool simple = prose->def->need_count == 1 && need->range == RANGE_SELF;
    if (simple && need->kind == REQ_TRAIT) {
        const char *name = catalog_trait_name(prose->catalog, (unsigned)need->n);
        if (need->absent) {
            prose_add(prose, " Not usable by %s %s.", article(name), name);
        } else {
            prose_add(prose, " %s only.", name);
        }
    } else if (simple && need->kind == REQ_HUMAN && !need->absent) {
        prose_add(prose, " Humans only.");
    } else if (simple && need->kind == REQ_SEX && !need->absent) {
        prose_add(prose, need->n == 0 ? " Male characters only." : " Female characters only.");
    } else {
        prose_add(prose, " Only if ");
        prose_requirements(prose, prose->def->first_need, prose->def->need_count);
        prose_add(prose, ".");
    }
}

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

// The beginning of a row's sentence: its name, its moment, its price.

static const char *const TIMINGS[TIMING_TOTAL] = {
    [AT_ANY_TIME] = "at any time",
    [AT_FIGHT] = "in any fight",
    [AT_OWN_FIGHT] = "in a fight of your own",
    [AT_OWN_TURN_FIGHT] = "in a fight on your own turn",
    [AT_OTHERS_FIGHT] = "in another player's fight",
    [AT_BEFORE_ROLL] = "before the rolls to run away",
    [AT_FLIGHT] = "between rolls to run away",
    [AT_OWN_TURN] = "on your own turn, out of fights",
    [AT_PEACE] = "out of fights",
    [AT_AFTER_FIGHT] = "just after a fight",
    [AT_ANSWER] = "",     // the rows say to what
    [AT_JUST_DRAWN] = "", // likewise
};

/** In the words of prose_it(). */
static const char *const TRIGGERS[TRIGGER_TOTAL] = {
    [WHEN_STATIC] = "",
    [WHEN_PLAY] = "",
    [WHEN_STRIKE] = "",
    [WHEN_DRAWN] = "as soon as it is drawn",
    [WHEN_ENTER] = "when %i %v{enters|enter} a fight",
    [WHEN_BEFORE] = "before the fight",
    [WHEN_BAD_STUFF] = "Bad Stuff",
    [WHEN_ESCAPED] = "after you escape from %m",
    [WHEN_KILLED] = "when %i %v{is|are} killed",
    [WHEN_LEAVES] = "when %i %v{leaves|leave}",
    [WHEN_ABILITY] = "",
    [WHEN_ANSWER_CURSE] = "when a Curse is about to act",
    [WHEN_ANSWER_ROLL] = "after a roll",
    [WHEN_ANSWER_PLAY] = "when another player plays a one-shot, enhancer, Door or Treasure",
    [WHEN_BEFORE_ROLL] = "before a roll to run away",
    [WHEN_WOULD_LOSE_LEVEL] = "when you would lose Levels to a Curse or Bad Stuff",
    [WHEN_WOULD_LOSE_CARD] = "when you would lose",
    [WHEN_WOULD_BE_CURSED] = "when you would be cursed",
    [WHEN_WOULD_BE_CAUGHT] = "when you would be caught",
    [WHEN_WOULD_DIE] = "when you would die",
    [WHEN_FIGHT_END] = "when the fight ends",
    [WHEN_TURN_START] = "when your turn begins",
    [WHEN_TURN_END] = "when your turn ends",
    [WHEN_LEVEL_GAINED] = "when you gain a Level",
    [WHEN_OWN_KILL] = "when you kill a monster",
    [WHEN_HELPED_KILL] = "when you help somebody else to kill a monster",
    [WHEN_CARD_LOST] = "when you lose",
    [WHEN_ESCAPE_ROLLED] = "when your roll to run away succeeds",
    [WHEN_FIGHT_WON] = "when you win a fight",
    [WHEN_SELLS] = "when you sell something",
    [WHEN_DIES] = "when another player dies",
    [WHEN_ROLLED] = "when you roll a die",
};

static const char *const SCOPES[SCOPE_TOTAL] = {
    [SCOPE_NONE] = "",         [SCOPE_FIGHT] = "per fight",
    [SCOPE_TURN] = "per turn", [SCOPE_VICTIM] = "for each victim in a fight",
    [SCOPE_ROLL] = "per roll", [SCOPE_GAME] = "per game",
};

static const struct requirement *find_requirement(const struct prose *prose, const struct row *row,
                                                  unsigned kind)
{
    for (unsigned i = 0; i < row->req_count; i++) {
        const struct requirement *req = &prose->catalog->reqs[row->first_req + i];
        if (req->kind == kind && req->range == RANGE_SELF) {
            return req;
        }
    }
    return NULL;
}

// Filters are stored row by row: alike ones are not the same one.
static bool same_filter(const struct prose *prose, unsigned left, unsigned right)
{
    if (left == 0 || right == 0) {
        return false;
    }
    const struct filter *const a = &prose->catalog->filters[left - 1];
    const struct filter *const b = &prose->catalog->filters[right - 1];
    return a->kinds == b->kinds && a->place == b->place && a->slot == b->slot &&
           a->size == b->size && a->side == b->side && a->item == b->item && a->trait == b->trait &&
           a->value_min == b->value_min && a->value_max == b->value_max &&
           a->level_max == b->level_max && a->bonus_min == b->bonus_min &&
           a->bonus_below == b->bonus_below && a->name == b->name && a->or_else == b->or_else &&
           a->attached == b->attached && a->tags == b->tags;
}

bool prose_said(const struct prose *prose, const struct row *row, const struct requirement *req)
{
    const unsigned when = row->when;
    switch (req->kind) {
    case REQ_ROLL_OWN:
    case REQ_ROLL_FAILED:
        return when == WHEN_ANSWER_ROLL;
    case REQ_ROLL_FLIGHT:
        return when == WHEN_ANSWER_ROLL && !req->absent;
    case REQ_CURSE_OWN:
        return when == WHEN_ANSWER_CURSE && !req->absent;
    case REQ_CAUGHT:
        return when == WHEN_WOULD_LOSE_LEVEL && !req->absent && req->range == RANGE_SELF;
    case REQ_OWN_TURN:
        return !req->absent && (prose->def->timing & (1u << AT_OWN_TURN_FIGHT)) != 0;
    case REQ_IN_FIGHT: // see prose_timing: it lies there until the next fight ends
        return prose->def->kind == KIND_CURSE && when == WHEN_STATIC;
    case REQ_MONSTER_LEVEL_MAX: // "1 monster of Level 6 or lower leaves"
    case REQ_THIS_TAG:
        return prose_removes_one(prose, row) && !req->absent;
    case REQ_TRAIT: // "+2 for each Elf in the fight" says it
        return row->n.source == SRC_TRAIT && row->n.arg == req->n && !req->absent;
    case REQ_CARDS: // "you may discard 1 Item" asks for one
    case REQ_HAND_MIN:
        return when == WHEN_BEFORE && row->op == EFFECT_LOSE && !req->absent &&
               (req->kind == REQ_HAND_MIN || same_filter(prose, req->arg, row->filter));
    default:
        return false;
    }
}

// "after a failed roll of yours to run away", "after another player's successful roll".
static void add_roll(struct prose *prose, const struct row *row)
{
    const struct requirement *own = find_requirement(prose, row, REQ_ROLL_OWN);
    const struct requirement *failed = find_requirement(prose, row, REQ_ROLL_FAILED);
    const struct requirement *flight = find_requirement(prose, row, REQ_ROLL_FLIGHT);
    const char *sort = failed == NULL ? "" : failed->absent ? "successful " : "failed ";
    const bool others = own != NULL && own->absent;
    prose_add(prose, "after %s %sroll%s%s", others ? "another player's" : "a", sort,
              own != NULL && !others ? " of yours" : "",
              flight != NULL && !flight->absent ? " to run away" : "");
}

// "when another player gains a Level", "when anybody rolls a die".
static const char *trigger_of(const struct row *row)
{
    static const char *const OTHERS[TRIGGER_TOTAL][2] = {
        [WHEN_FIGHT_END] = {"when another player's fight ends", "when any fight ends"},
        [WHEN_SELLS] = {"when another player sells something", "when anybody sells something"},
        [WHEN_FIGHT_WON] = {"when another player wins a fight", "when anybody wins a fight"},
        [WHEN_TURN_END] = {"when another player's turn ends", "when any turn ends"},
        [WHEN_LEVEL_GAINED] = {"when another player gains a Level", "when anybody gains a Level"},
        [WHEN_OWN_KILL] = {"when another player kills a monster", "when anybody kills a monster"},
        [WHEN_DIES] = {"when another player dies", "when anybody else dies"},
        [WHEN_ROLLED] = {"when another player rolls a die", "when anybody rolls a die"},
    };
    const char *other = row->whose != WHOSE_SELF ? OTHERS[row->when][row->whose - 1u] : NULL;
    return other != NULL ? other : TRIGGERS[row->when];
}

static void add_moment(struct prose *prose, const struct row *row)
{
    const unsigned when = row->when;
    const struct requirement *own = find_requirement(prose, row, REQ_CURSE_OWN);
    const struct requirement *caught = find_requirement(prose, row, REQ_CAUGHT);
    if (when == WHEN_ANSWER_ROLL) {
        add_roll(prose, row);
    } else if (when == WHEN_ANSWER_CURSE && own != NULL && !own->absent) {
        prose_add(prose, "when a Curse is about to strike you");
    } else if (when == WHEN_WOULD_LOSE_LEVEL && caught != NULL && !caught->absent) {
        prose_add(prose, "when you would lose Levels to Bad Stuff");
    } else if (when == WHEN_BEFORE && (row->flags & ROW_MAY) != 0) {
        prose_add(prose, "before the fight you may");
    } else {
        prose_it(prose, trigger_of(row));
        prose_add(prose, "%s",
                  (row->flags & ROW_INSTEAD) != 0 ? " (instead of the monster's own)" : "");
    }
    if (when == WHEN_WOULD_LOSE_CARD || when == WHEN_CARD_LOST) {
        prose_add(prose, " ");
        prose_filter(prose, row->filter, true, "");
        prose_add(prose, " to a Curse or Bad Stuff");
    }
}

// Whether the cost speaks of cards that the limit counts: "up to 3 cards per fight".
static bool limit_in_cost(const struct prose *prose, const struct row *row)
{
    const struct cost *const cost = row->cost != 0 ? &prose->catalog->costs[row->cost - 1] : NULL;
    return cost != NULL && row->limit != SCOPE_NONE && cost->max == row->limit_n &&
           cost->min < cost->max;
}

// How often: a limit that counts cards is so many times the cards of one use.
static int times_used(const struct prose *prose, const struct row *row)
{
    const unsigned cards = row->cost != 0 ? prose->catalog->costs[row->cost - 1].max : 0;
    return cards > 1 ? (int)(row->limit_n / cards) : row->limit_n;
}

void prose_heading(struct prose *prose, const struct row *row)
{
    const char *name =
        row->ability != 0 ? catalog_ability_name(prose->catalog, row->ability - 1u) : "";
    const bool moment = TRIGGERS[row->when][0] != '\0';
    if (name[0] != '\0') {
        prose_add(prose, "%s: ", name);
    }
    if (row->when == WHEN_ABILITY && row->whose == WHOSE_ANYONE) {
        prose_add(prose, "anybody may ");
    }
    if (row->when == WHEN_BEFORE_ROLL && (prose->def->timing & (1u << AT_BEFORE_ROLL)) != 0) {
        return; // the timing says it
    }
    if (moment) {
        add_moment(prose, row);
    }
    if (row->cost != 0) {
        const bool asked = moment && !when_answers(row->when) && row->when != WHEN_BEFORE_ROLL;
        prose_add(prose, asked ? ", you may " : moment ? ", " : "");
        prose_cost(prose, row->cost);
        if (limit_in_cost(prose, row)) {
            prose_add(prose, " %s", SCOPES[row->limit]);
        }
    }
    if (row->limit != SCOPE_NONE && !limit_in_cost(prose, row)) {
        prose_add(prose, "%s", row->cost != 0 || moment ? ", " : "");
        prose_often(prose, times_used(prose, row));
        prose_add(prose, " %s", SCOPES[row->limit]);
    }
    if (moment && (row->flags & ROW_MAY) != 0 && row->when == WHEN_BEFORE) {
        prose_add(prose, " ");
    } else if (moment || row->cost != 0 || row->limit != SCOPE_NONE) {
        prose_add(prose, ": ");
    }
}

// What is usual for its kind goes without saying.
static bool is_usual_timing(const struct card_def *def)
{
    switch (def->kind) {
    case KIND_CURSE:
    case KIND_FOLLOWER:
        return def->timing == 1u << AT_ANY_TIME;
    case KIND_TREASURE:
        return (def->flags & DEF_STAYS) != 0;
    case KIND_ENHANCER:
        return def->timing == 1u << AT_FIGHT;
    default:
        return false;
    }
}

void prose_timing(struct prose *prose)
{
    const char *between = "";
    if (is_usual_timing(prose->def)) {
        return;
    }
    for (unsigned i = 0; i < TIMING_TOTAL; i++) {
        if ((prose->def->timing >> i & 1u) != 0 && TIMINGS[i][0] != '\0') {
            prose_add(prose, "%s%s", between, TIMINGS[i]);
            between = " or ";
        }
    }
    prose_add(prose, "%s", between[0] != '\0' ? ": " : "");
}
