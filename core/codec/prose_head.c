// The beginning of a row's sentence: its name, its moment, its price.
#include <string.h>

#include "core/codec/prose.h"

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

static const struct requirement *find(const struct prose *prose, const struct row *row,
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
    const struct requirement *own = find(prose, row, REQ_ROLL_OWN);
    const struct requirement *failed = find(prose, row, REQ_ROLL_FAILED);
    const struct requirement *flight = find(prose, row, REQ_ROLL_FLIGHT);
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
    const struct requirement *own = find(prose, row, REQ_CURSE_OWN);
    const struct requirement *caught = find(prose, row, REQ_CAUGHT);
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
static int uses(const struct prose *prose, const struct row *row)
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
        prose_often(prose, uses(prose, row));
        prose_add(prose, " %s", SCOPES[row->limit]);
    }
    if (moment && (row->flags & ROW_MAY) != 0 && row->when == WHEN_BEFORE) {
        prose_add(prose, " ");
    } else if (moment || row->cost != 0 || row->limit != SCOPE_NONE) {
        prose_add(prose, ": ");
    }
}

// What is usual for its kind goes without saying.
static bool usual(const struct card_def *def)
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
    if (usual(prose->def)) {
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
