/*
 * A template is plain text with marks:
 *   %W who does it, as subject   [x|y] x after "you", y after anybody else
 *   %O who, as object            %S amount with its sign     %V amount as a bare number
 *   %N{one|many} amount with its noun   %P{one|many} the same with its sign
 *   %L{one|many} amount turned positive with its noun
 *   %C so many cards of the filter      %F cards of the filter, many
 *   %f one of them, with its article    %g without
 *   %A, %B the op's own arguments as they stand in a sentence
 *   %i, %m, %j, %v{one|many} of a monster or follower: see prose_it()
 */
#include <string.h>

#include "core/codec/prose.h"

#define COUNTED(id, name, help, sentence, ...) [EFFECT_##id] = (sentence),
#define DONE(id, name, help, sentence, ...)    [EFFECT_##id] = (sentence),

static const char *const TEMPLATES[EFFECT_TOTAL] = {
#include "core/card/effects.def"
};

static const char *target_of(const struct prose *prose, const struct row *row)
{
    if (prose->named) {
        return "that player";
    }
    switch (row->target) {
    case ON_OTHER:
        return "1 other player of your choice";
    case ON_FIGHTER:
        return "1 fighter of your choice";
    case ON_OTHER_FIGHTER:
        return "another fighter";
    case ON_PLAYER:
        return "1 player of your choice";
    default:
        return phrase_who(WHO_TARGET);
    }
}

// Whether all that is asked is asked of the player named.
static bool asks_target(const struct prose *prose, const struct row *row)
{
    bool all = row->req_count > 0 && row->who == WHO_TARGET && !prose->named;
    for (unsigned i = row->first_req; i < row->first_req + row->req_count; i++) {
        const struct requirement *const req = &prose->catalog->reqs[i];
        all = all && (req->range == RANGE_TARGET || req->kind == REQ_ANY_OF);
    }
    return all;
}

// Who does it, "you" for self. Requirements that are the player's own are said with it.
static void prose_subject(struct prose *prose, const struct row *row)
{
    const bool with = row->who == WHO_OTHERS_WITH || row->who == WHO_EVERYONE_WITH;
    const bool target = asks_target(prose, row);
    prose_add(prose, "%s", row->who == WHO_TARGET ? target_of(prose, row) : phrase_who(row->who));
    prose->named = prose->named || (row->who == WHO_TARGET && row->target != ON_FOLLOWER);
    if ((with && row->req_count > 0) || target) {
        prose_add(prose, " ");
        prose->relative = (target ? RANGE_TARGET : RANGE_SELF) + 1u;
        prose_requirements(prose, row->first_req, row->req_count);
        prose->relative = 0;
        prose->qualified = true;
    }
}

// Many take where one takes.
static bool is_plural(const struct row *row)
{
    return row->who == WHO_SELF || row->who == WHO_NEIGHBOURS || row->target == ON_FOLLOWER;
}

// "an Item", "a small Item"; a card by its name.
static void add_one(struct prose *prose, unsigned filter)
{
    const bool named = filter != 0 && prose->catalog->filters[filter - 1].name != 0;
    char text[200] = "";
    struct prose part = {
        .catalog = prose->catalog, .out = text, .size = sizeof text, .own = prose->own};
    prose_filter(&part, filter, false, "");
    prose_add(prose, "%s%s%s", named ? "" : article(text), named ? "" : " ", text);
}

// Cards leave a hand by being discarded; what lies in play is lost.
static void add_verb(struct prose *prose, const struct row *row)
{
    const struct filter *filter =
        row->filter != 0 ? &prose->catalog->filters[row->filter - 1] : NULL;
    const bool discard = (filter != NULL && filter->place == PLACE_HAND) ||
                         (row->flags & ROW_MAY) != 0 || row->who == WHO_TARGET;
    prose_add(prose, "%s%s", discard ? "discard" : "lose", is_plural(row) ? "" : "s");
}

bool prose_removes_one(const struct prose *prose, const struct row *row)
{
    return row->op == EFFECT_REMOVE_MONSTER && row->b == 0 && row->filter == 0 &&
           prose->def->kind != KIND_MONSTER;
}

// "1 snake monster of Level 6 or lower": as the requirements describe it.
static void add_removed(struct prose *prose, const struct row *row)
{
    const struct requirement *const reqs = &prose->catalog->reqs[row->first_req];
    prose_add(prose, "1 ");
    for (unsigned i = 0; i < row->req_count; i++) {
        if (reqs[i].kind == REQ_THIS_TAG && !reqs[i].absent) {
            prose_add(prose, "%s ", phrase_tag(prose->catalog, (unsigned)reqs[i].n));
        }
    }
    prose_add(prose, "monster");
    for (unsigned i = 0; i < row->req_count; i++) {
        if (reqs[i].kind == REQ_MONSTER_LEVEL_MAX && !reqs[i].absent) {
            prose_add(prose, " of Level %d or lower", reqs[i].n);
        }
    }
}

static void add_removal(struct prose *prose, const struct row *row)
{
    const bool plain = row->a == REMOVE_BY_HOUSE && (row->flags & ROW_KILL) == 0;
    if (row->filter != 0) {
        const unsigned name = prose->catalog->filters[row->filter - 1].name;
        prose_add(prose, name != 0 ? "" : row->b == 1 ? "every " : "1 ");
        prose_filter(prose, row->filter, false, "");
        prose_add(prose, name != 0 && prose_name_plural(prose, name - 1u) ? " leave" : " leaves");
    } else if (row->b == 1) {
        prose_add(prose, "all monsters leave");
    } else if (prose->def->kind == KIND_MONSTER) { // it speaks of itself
        prose_it(prose, "%i %v{leaves|leave}");
    } else {
        prose_add(prose, plain ? "remove " : "");
        add_removed(prose, row);
        prose_add(prose, plain ? "" : " leaves");
    }
}

// A row that robs a player whom it names, and not a card that this player has.
static bool robs_player(const struct row *row, unsigned op)
{
    return op == EFFECT_ROB && row->target != ON_OTHERS_ITEM && row->target != ON_FOLLOWER;
}

static void add_taken(struct prose *prose, const struct row *row, unsigned op)
{
    const char *const own = prose->own;
    prose->own = robs_player(row, op) ? "their" : own;
    prose->taken = op == EFFECT_TAKE && row->chooser != CHOOSE_RANDOM;
    prose_loss(prose, row);
    prose->taken = false;
    prose->own = own;
}

static void add_mark(struct prose *prose, const struct row *row, unsigned op, char mark)
{
    switch (mark) {
    case 'W':
    case 'O':
        prose_subject(prose, row);
        return;
    case 'T':
        prose_add(prose, "%s", target_of(prose, row));
        return;
    case 'H':
        add_verb(prose, row);
        return;
    case 'X':
        prose_add(prose, row->filter == 0 ? "1 Item" : "1 ");
        if (row->filter != 0) {
            prose_filter(prose, row->filter, false, "");
        }
        return;
    case 'S':
        prose_signed(prose, &row->n);
        return;
    case 'C':
        add_taken(prose, row, op);
        return;
    case 'F':
        prose_filter(prose, row->filter, true, "");
        return;
    case 'f':
        add_one(prose, row->filter);
        return;
    case 'g':
        prose_filter(prose, row->filter, false, "");
        return;
    case 'A':
        prose_argument(prose, row, op, op == row->op ? row->a : row->b);
        return;
    case 'B':
        add_removal(prose, row);
        return;
    default:
        return;
    }
}

static void add_value(struct prose *prose, const struct amount *amount)
{
    if (amount->source == SRC_CONST) {
        prose_add(prose, "%d", amount->base);
    } else {
        char text[200] = "";
        struct prose part = {.catalog = prose->catalog, .out = text, .size = sizeof text};
        prose_signed(&part, amount);
        prose_add(prose, "%s", strncmp(text, "plus ", 5) == 0 ? text + 5 : text);
    }
}

// A number with its noun; returns what follows the mark.
static const char *add_number(struct prose *prose, const struct row *row, const char *at)
{
    char one[64];
    char many[64];
    const char mark = at[1];
    at = prose_pair(at + 2, '}', one, many);
    if (mark == 'P' && (row->n.source != SRC_CONST || row->n.base >= 0)) {
        prose_add(prose, "+");
    }
    const bool turned = mark == 'L' && (row->n.base < 0 || row->n.k < 0);
    prose_number(prose, &row->n, turned ? -1 : 1, one, many);
    return at;
}

static void fill_template(struct prose *prose, const struct row *row, unsigned op, const char *at)
{
    char one[64];
    char many[64];
    while (*at != '\0') {
        if (*at == '[') {
            at = prose_pair(at, ']', one, many);
            prose_add(prose, "%s", is_plural(row) ? one : many);
        } else if (*at != '%') {
            prose_add(prose, "%c", *at++);
        } else if (at[1] == 'W' && (row->who == WHO_SELF || row->target == ON_FOLLOWER)) {
            at += at[2] == ' ' ? 3 : 2; // the imperative
        } else if (at[1] == 'V') {
            add_value(prose, &row->n);
            at += 2;
        } else if (strchr("NPL", at[1]) != NULL) {
            at = add_number(prose, row, at);
        } else if (strchr("imjv", at[1]) != NULL) {
            at = prose_it_mark(prose, at);
        } else {
            add_mark(prose, row, op, at[1]);
            at += 2;
        }
    }
}

static bool is_constant(const struct row *row)
{
    return row->n.source == SRC_CONST;
}

// A kill pays its Levels.
static const char *leaves_as_kill(const struct prose *prose, const struct row *row)
{
    const bool many = prose->def->levels != 1;
    if (!is_constant(row) || row->n.base > 0) {
        return many ? "%i %v{leaves|leave} at once, as a kill, with %j Levels and "
                      "%N{Treasure|Treasures},"
                    : "%i %v{leaves|leave} at once, as a kill, with %j Level and "
                      "%N{Treasure|Treasures},";
    }
    if (row->n.base == 0) {
        return many ? "%i %v{leaves|leave} at once, as a kill, with %j Levels and no Treasure,"
                    : "%i %v{leaves|leave} at once, as a kill, with %j Level and no Treasure,";
    }
    return many ? "%i %v{leaves|leave} at once, as a kill, with %j Levels and Treasures,"
                : "%i %v{leaves|leave} at once, as a kill, with %j Level and Treasures,";
}

// The templates of rows on monsters and enhancers, where they are others; NULL if they are not.
static const char *template_on_monster(const struct prose *prose, const struct row *row,
                                       unsigned op)
{
    const bool enhancer = prose->def->kind == KIND_ENHANCER;
    switch (op) {
    case EFFECT_BONUS:
        return row->who == WHO_FIGHTERS ? "%S to each fighter"
                                        : "%S once %i %v{lies|lie} before you";
    case EFFECT_MONSTER_BONUS:
        return enhancer ? "%S to a monster" : NULL;
    case EFFECT_KILL_LEVELS:
        return "gives %N{more Level|more Levels}";
    case EFFECT_TREASURES:
        if (!is_constant(row)) {
            return NULL;
        }
        return row->n.base < 0 ? "%L{Treasure|Treasures} fewer, but at least 1"
                               : "%N{more Treasure|more Treasures}";
    case EFFECT_RUN_BONUS:
        return prose->def->kind == KIND_DOOR ? "%S to run away from either"
                                             : "%S to run away from %m";
    case EFFECT_LEAVES_FOR:
        if ((row->flags & ROW_KILL) != 0) {
            return leaves_as_kill(prose, row);
        }
        if (is_constant(row) && row->n.base <= 0) {
            return row->n.base < 0 ? "%i %v{leaves|leave} at once, with no Level but %j Treasures,"
                                   : "%i %v{leaves|leave} at once, with no Level and no Treasure,";
        }
        return NULL;
    default:
        return NULL;
    }
}

// Whether the filter is a card's name.
static bool names_card(const struct prose *prose, const struct row *row)
{
    return row->filter != 0 && prose->catalog->filters[row->filter - 1].name != 0;
}

// Whether the filter is the card's own name.
static bool of_itself(const struct prose *prose, const struct row *row)
{
    return row->filter != 0 &&
           prose->catalog->filters[row->filter - 1].name == prose->def->name + 1u;
}

// What becomes of a player, by whom it is and whether it is less; NULL: the row is about something
// else.
static const char *template_of_player(const struct row *row, unsigned op)
{
    const bool less = row->n.base < 0 || row->n.k < 0;
    const bool self = row->who == WHO_SELF;
    switch (op) {
    case EFFECT_LEVEL:
        return less ? "%W [lose|loses] %L{Level|Levels}" : TEMPLATES[op];
    case EFFECT_HAND_LIMIT:
        return is_constant(row) && row->n.base > 0 ? "your hand limit is %V higher" : TEMPLATES[op];
    case EFFECT_BIG_LIMIT:
        return row->n.base >= 99 ? "you may carry any number of Big Items"
                                 : "you may carry %N{more Big Item|more Big Items}";
    case EFFECT_LEVEL_SET:
        return self ? "your Level becomes %V" : "the Level of %O becomes %V";
    case EFFECT_SLOT_LOSS:
        return less ? "%L{more|more} %A" : TEMPLATES[op];
    case EFFECT_RUN_BONUS:
        return row->when == WHEN_ANSWER_ROLL   ? "%S to that roll"
               : row->until != UNTIL_NEXT_ROLL ? TEMPLATES[op]
               : self                          ? "%S to your next roll to run away"
                                               : "%S to the next roll to run away";
    case EFFECT_DEATH:
        return self ? "death" : TEMPLATES[op];
    case EFFECT_SEX_CHANGE:
        return self ? "your sex changes" : TEMPLATES[op];
    case EFFECT_KILL_LEVELS:
        return self ? NULL : "%S to the Levels of a victory";
    case EFFECT_SIDE_BONUS:
        return self ? TEMPLATES[op] : "the players' side has %S";
    case EFFECT_FAIL_NEXT_ROLL:
        return self ? TEMPLATES[op] : "the next roll of %O to run away fails";
    default:
        return NULL;
    }
}

// Where a fixed amount says more than a number.
static const char *template_of_amount(const struct row *row, unsigned op)
{
    if (op == EFFECT_REWARD) {
        return row->a == 1 && row->n.base <= -99 ? "no Treasure is paid for this victory"
                                                 : TEMPLATES[op];
    }
    if (row->n.base != 0) {
        return TEMPLATES[op];
    }
    return op == EFFECT_GIVE ? "give %C to %O%A, one by one in turn"
                             : "%W [help|helps], unasked and unpaid; not in a fight that would win "
                               "you the game";
}

// What cannot be said with one template.
static const char *template_of(const struct prose *prose, const struct row *row, unsigned op)
{
    const bool monster = kind_is_foe(prose->def->kind) || prose->def->kind == KIND_DOOR;
    const char *const other =
        monster && row->when == WHEN_STATIC ? template_on_monster(prose, row, op) : NULL;
    if (other != NULL) {
        return other;
    }
    if (row->target == ON_OWN_ITEM && op == EFFECT_BONUS && row->n.source == SRC_PAID_BONUS &&
        row->n.k == 1 && row->n.base == 0) {
        return "its bonus once more";
    }
    const char *const of_player = template_of_player(row, op);
    if (of_player != NULL) {
        return of_player;
    }
    switch (op) {
    case EFFECT_KILL_LEVELS:
        return prose->def->kind == KIND_ONESHOT ? "%S to the Levels of this victory"
                                                : TEMPLATES[op];
    case EFFECT_ADD_MONSTER:
        return row->filter == 0 ? "add a Monster from your hand to the fight" : TEMPLATES[op];
    case EFFECT_LOSE:
        return row->a != 0 ? "%W %H %F" : TEMPLATES[op];
    case EFFECT_IMMUNE:
        return !of_itself(prose, row) ? TEMPLATES[op]
               : row->a != 0          ? "neither Curses nor Bad Stuff take it"
                             : "neither Curses nor Bad Stuff take it, nor do you suffer the "
                               "alternative";
    case EFFECT_THEFT_SHIELD:
        return of_itself(prose, row) ? "nobody can steal it" : TEMPLATES[op];
    case EFFECT_SWAP_MONSTER:
        return row->filter == 0 ? TEMPLATES[op]
               : prose->def->kind == KIND_MONSTER
                   ? names_card(prose, row)
                         ? "replace %m with the Monster %f; enhancers on %m are discarded"
                         : "replace %m with %f; enhancers on %m are discarded"
                   : "replace 1 monster with %f; enhancers on the old one are discarded";
    case EFFECT_ROB:
        return robs_player(row, op) ? TEMPLATES[op] : "take %C that another player has in play%A";
    case EFFECT_ESCAPE:
        return row->who == WHO_FIGHTERS ? "you and a willing helper, or either of you, escape %A"
                                        : TEMPLATES[op];
    case EFFECT_TREASURE_FOR_DOOR:
        return row->when == WHEN_BEFORE ? "discard %C and draw as many Treasures" : TEMPLATES[op];
    case EFFECT_CANCEL:
        return row->target == ON_LASTING_CURSE ? "cancels a Curse that lies before a player"
               : row->when == WHEN_ANSWER_PLAY ? "that card is discarded and does nothing"
                                               : TEMPLATES[op];
    case EFFECT_NO_PURSUE:
        return kind_is_foe(prose->def->kind) ? TEMPLATES[op] : "monsters will not pursue you";
    case EFFECT_RETRIEVE:
        return row->target == ON_NOTHING ? "take the topmost %g into your hand" : TEMPLATES[op];
    case EFFECT_ATTACH:
        return row->when == WHEN_STRIKE ? "this lies with %X you have in play, which you choose"
               : prose->def->kind == KIND_DOOR
                   ? TEMPLATES[op]
                   : "attach it to %f of yours, in play or from the hand: if that goes, this "
                     "goes too";
    case EFFECT_GIVE:
    case EFFECT_FORCE_HELP:
    case EFFECT_REWARD:
        return is_constant(row) ? template_of_amount(row, op) : TEMPLATES[op];
    default:
        return TEMPLATES[op];
    }
}

static const char *const DURATIONS[DURATION_TOTAL] = {
    [UNTIL_NOW] = "",
    [UNTIL_FIGHT_END] = "in this fight",
    [UNTIL_NEXT_FIGHT] = "in [your|their] next fight (in the present one if [you|they] are in one)",
    [UNTIL_LATER_FIGHT] = "in the fight after this one",
    [UNTIL_TURN_END] = "until the turn ends",
    [UNTIL_NEXT_TURN] = "in [your|their] next turn (in the present one if it is [yours|theirs])",
    [UNTIL_NEXT_ROLL] = "at the next roll to run away",
    [UNTIL_LEVEL_GAINED] = "until [you|they] gain a Level",
    [UNTIL_OWN_KILL] = "until [you|they] kill a monster as the main player",
    [UNTIL_DEATH] = "until [you|they] die",
    [UNTIL_ALWAYS] = "for good",
};

// "in this fight", where the heading has not said so.
static void add_duration(struct prose *prose, const struct row *row, unsigned op)
{
    const bool self = row->who == WHO_SELF;
    const bool roll = op == EFFECT_FAIL_NEXT_ROLL || op == EFFECT_RUN_BONUS;
    const bool said = (roll && row->until == UNTIL_NEXT_ROLL) ||
                      (row->limit == SCOPE_FIGHT && row->until == UNTIL_FIGHT_END);
    const char *at = said ? "" : DURATIONS[row->until];
    char one[64];
    char many[64];
    prose_add(prose, at[0] != '\0' ? " " : "");
    while (*at != '\0') {
        if (*at == '[') {
            at = prose_pair(at, ']', one, many);
            prose_add(prose, "%s", self ? one : many);
        } else {
            prose_add(prose, "%c", *at++);
        }
    }
}

static void add_afterthought(struct prose *prose, const struct row *row, unsigned op)
{
    if (row->op == EFFECT_LOSE && row->a != 0) {
        prose_add(prose, " worth at least %d Gold Pieces", row->a);
    } else if (op == EFFECT_LOSE && row->target == ON_FOLLOWER) {
        prose_add(prose, " that any player has in play");
    } else if (op == EFFECT_TAKE) {
        prose_argument(prose, row, op, row->a);
    } else if (op == EFFECT_LEVEL && (row->flags & ROW_KILL) != 0) {
        prose_add(prose, ", which may be the winning Level");
    } else if (row->op == EFFECT_MATE && (row->n.base != 0 || row->n.source != SRC_CONST)) {
        prose_add(prose, "; ");
        prose_signed(prose, &row->n);
        prose_add(prose, " to run away");
    }
}

// "for each fighter: ", "the main player has ": where the op does not say whom it is put on.
static void add_bearer(struct prose *prose, const struct row *row, unsigned op)
{
    const bool all = op == EFFECT_EXCLUDE && row->until == UNTIL_FIGHT_END;
    const bool says =
        all || op == EFFECT_SIDE_BONUS || op == EFFECT_BARS || op == EFFECT_FAIL_NEXT_ROLL;
    if (row->op == EFFECT_LASTING && row->target == ON_OWN_ITEM) {
        prose_add(prose, "1 of your ");
        prose_filter(prose, row->filter, true, "");
        prose_add(prose, " gives you ");
        return;
    }
    if (row->op != EFFECT_LASTING || row->who == WHO_SELF || says) {
        return;
    }
    prose_add(prose, op == EFFECT_BONUS ? "" : "for ");
    prose_subject(prose, row);
    prose_add(prose, op == EFFECT_BONUS ? " has " : ": ");
}

void prose_row(struct prose *prose, const struct row *row)
{
    const unsigned op = row->op == EFFECT_LASTING ? (unsigned)row->a : row->op;
    prose->row = row;
    add_bearer(prose, row, op);
    fill_template(prose, row, op, template_of(prose, row, op));
    add_afterthought(prose, row, op);
    add_duration(prose, row, op);
}

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

// What a row or a cost takes from somebody, in words.

static const struct filter *filter_at(const struct prose *prose, unsigned index)
{
    static const struct filter ANY = {0};
    return index != 0 ? &prose->catalog->filters[index - 1] : &ANY;
}

// "2 cards from the discards": so many, nobody's choice said.
static void prose_cards(struct prose *prose, const struct amount *amount, unsigned filter,
                        const char *middle)
{
    if (amount->source == SRC_CONST && amount->base == 0) {
        const bool hand = filter != 0 && filter_at(prose, filter)->place == PLACE_HAND;
        prose_add(prose, hand ? "all " : "all %s ", prose->own);
        prose_filter(prose, filter, true, middle);
    } else if (amount->source == SRC_CONST) {
        prose_add(prose, "%d ", amount->base);
        prose_filter(prose, filter, amount->base != 1, middle);
    } else {
        char one[200] = "";
        char many[200] = "";
        struct prose part = {.catalog = prose->catalog,
                             .out = one,
                             .size = sizeof one,
                             .own = prose->own,
                             .taken = prose->taken};
        prose_filter(&part, filter, false, middle);
        part.out = many;
        part.length = 0;
        prose_filter(&part, filter, true, middle);
        prose_number(prose, amount, 1, one, many);
    }
}

// "every Class and Race you have", "your whole hand", "all your Items".
static void add_all(struct prose *prose, const struct row *row)
{
    const struct filter *filter = filter_at(prose, row->filter);
    const char *and = "every ";
    if (filter->place == PLACE_HAND && filter->kinds == 0 && filter->item == 0) {
        prose_add(prose, "%s whole hand", prose->own);
        return;
    }
    if (filter->kinds == 0 || filter->place != PLACE_TABLE) {
        prose_add(prose, filter->place == PLACE_HAND ? "all " : "all %s ", prose->own);
        prose_filter(prose, row->filter, true, "");
        return;
    }
    for (unsigned kind = 0; kind < KIND_TOTAL; kind++) {
        if ((filter->kinds >> kind & 1u) != 0) {
            prose_add(prose, "%s%s", and, phrase_kind(kind, false));
            and = " and ";
        }
    }
    prose_add(prose, " %s have", row->who == WHO_SELF ? "you" : "they");
}

// " of your choice" and its like, as it stands between what is lost and where it lay.
static const char *middle_of(const struct prose *prose, const struct row *row)
{
    static const char *const OTHERS[CHOOSER_TOTAL] = {
        [CHOOSE_PLAYER] = " that the player of this card chooses",
        [CHOOSE_NEIGHBOURS] = " chosen by the players to the left and right",
        [CHOOSE_LEFT] = " that the player to the left chooses",
    };
    if (row->chooser == CHOOSE_VICTIM) {
        return prose->own[0] == 'y' ? " of your choice" : " of their choice";
    }
    return OTHERS[row->chooser] != NULL ? OTHERS[row->chooser] : "";
}

void prose_loss(struct prose *prose, const struct row *row)
{
    const struct filter *filter = filter_at(prose, row->filter);
    const bool one = row->n.source == SRC_CONST && row->n.base == 1;
    if (row->n.source == SRC_CONST && row->n.base == 0) {
        add_all(prose, row);
    } else if (row->chooser == CHOOSE_BEST_BONUS && one) {
        prose_add(prose, "the ");
        prose_filter(prose, row->filter, false, "");
        prose_add(prose, " with %s biggest bonus", prose->own);
    } else if (row->chooser == CHOOSE_BEST_VALUE && one) {
        prose_add(prose, "%s ", prose->own);
        prose_filter(prose, row->filter, false, " of the greatest value");
    } else if (one && filter->name != 0 && filter->or_else == 0) {
        prose_filter(prose, row->filter, false, "");
    } else if (one && filter->place == PLACE_EQUIPPED && filter->slot != 0) {
        prose_add(prose, "the ");
        prose_filter(prose, row->filter, false, "");
        prose_add(prose, prose->own[0] == 'y' ? " you are wearing" : " they are wearing");
    } else if (row->chooser == CHOOSE_RANDOM && row->n.source == SRC_CONST) {
        prose_add(prose, "%d random ", row->n.base);
        prose_filter(prose, row->filter, !one, "");
    } else {
        prose_cards(prose, &row->n, row->filter, middle_of(prose, row));
    }
}

void prose_cost(struct prose *prose, unsigned cost_index)
{
    const struct cost *cost = &prose->catalog->costs[cost_index - 1];
    const char *and = "";
    if (cost->whole_hand) {
        prose_add(prose, "discard your whole hand");
        if (cost->min > 1) {
            prose_add(prose, ", at least %u cards", cost->min);
        }
        and = " and ";
    } else if (cost->max > 0) {
        prose_add(prose, cost->min == cost->max ? "discard %u " : "discard up to %u ", cost->max);
        prose_filter(prose, cost->filter, cost->max != 1, "");
        and = " and ";
    }
    if (cost->self) {
        prose_add(prose, "%sdiscard this", and);
        and = " and ";
    }
    if (cost->levels > 0) {
        prose_add(prose, "%slose %d %s", and, cost->levels, cost->levels == 1 ? "Level" : "Levels");
    }
}
