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
