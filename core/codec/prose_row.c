#include <string.h>

#include "core/card/effect_schema.h"
#include "core/codec/prose.h"

/*
 * A template is plain text with marks:
 *   %W who does it, as subject   [x|y] x after "you", y after anybody else
 *   %O who, as object            %S amount with its sign     %V amount as a bare number
 *   %N{one|many} amount with its noun   %P{one|many} the same with its sign
 *   %L{one|many} amount turned positive with its noun
 *   %C so many cards of the filter      %F cards of the filter, many   %f one of them
 *   %A, %B the op's own arguments as they stand in a sentence
 *   %i, %m, %j, %v{one|many} of a monster or follower: see prose_it()
 */
static const char *const TEMPLATES[EFFECT_TOTAL] = {
    [EFFECT_BONUS] = "%S",
    [EFFECT_MONSTER_BONUS] = "%S",
    [EFFECT_TREASURES] = "%P{Treasure|Treasures}",
    [EFFECT_KILL_LEVELS] = "gives %N{more Level|more Levels}",
    [EFFECT_RUN_BONUS] = "%S to run away",
    [EFFECT_ROLL_BONUS] = "%S to every die you roll",
    [EFFECT_HAND_LIMIT] = "%S to your hand limit",
    [EFFECT_BIG_LIMIT] = "%S to the number of Big Items you may carry",
    [EFFECT_HANDS] = "%P{Hand|Hands} to hold Items in",
    [EFFECT_WINS_TIES] = "you win ties",
    [EFFECT_META] = "%A",
    [EFFECT_SECOND] = "you may have %A, with all its advantages and none of its disadvantages",
    [EFFECT_RANK] = "your Powers may total %N{Rank|Ranks} more than your Level",
    [EFFECT_TRAIT] = "counts as %A on your side wherever monsters care",
    [EFFECT_ADD_TAG] = "it is %A too",
    [EFFECT_EXCLUDE] = "%A",
    [EFFECT_NO_HELP] = "nobody may help in this fight",
    [EFFECT_LEAVES_FOR] = "%i %v{leaves|leave} at once, with no Level and %N{Treasure|Treasures},",
    [EFFECT_JOINS] = "may join any fight from your hand",
    [EFFECT_NO_PURSUE] = "will not pursue %A",
    [EFFECT_NO_ESCAPE] = "nobody can escape from %m",
    [EFFECT_ENHANCERS_COUNT] = "the bonus of each enhancer counts %A",
    [EFFECT_FREE_HELP] =
        ("players %A cannot refuse to help you and get no pay; not in a fight that would win you "
         "the game"),
    [EFFECT_IMMUNE] = "neither Curses nor Bad Stuff take your %F",
    [EFFECT_CURSE_PROOF] = "Curses do not strike you",
    [EFFECT_CARRIES] =
        ("carries %N{Item|Items}, of any slot, size or restriction, beside your own; "
         "not handed over in a fight"),
    [EFFECT_COPY_FIGHTER] = "your own strength counts once more",
    [EFFECT_FOLLOWER_LIMIT] = "you may have %N{more follower|more followers}",
    [EFFECT_BARS] = "%A",
    [EFFECT_LEVEL_IS] = "%V replaces your Level in your strength",
    [EFFECT_SIDE_BONUS] = "%S",
    [EFFECT_OPTIONAL_FIGHT] = "you need not fight %m",
    [EFFECT_MONSTER_FACE] = "has the text of another monster",
    [EFFECT_FAIL_NEXT_ROLL] = "your next roll to run away fails",
    [EFFECT_SLOT_LOSS] = "%N{fewer|fewer} %A",
    [EFFECT_THEFT_SHIELD] = "nobody can steal your %F",
    [EFFECT_SELL_BONUS] = "%S Gold Pieces for each sale",
    [EFFECT_LEVEL_FLOOR] = "its Level is not below %V",

    [EFFECT_LEVEL] = "%W [gain|gains] %L{Level|Levels}",
    [EFFECT_LEVEL_SET] = "%W [come|comes] to Level %V",
    [EFFECT_DEATH] = "%W dies",
    [EFFECT_LOSE] = "%W %H %C",
    [EFFECT_DRAW] = "%W [draw|draws] %A",
    [EFFECT_TAKE] = "%W [take|takes] %C",
    [EFFECT_GIVE] = "give %C to %O%A",
    [EFFECT_SEX_CHANGE] = "%W changes sex",
    [EFFECT_TRAIT_CHANGE] = ("[your|their] %A is replaced by the first %A found down the Door "
                             "discards; if there is none, it is just lost"),
    [EFFECT_REMOVE_MONSTER] = "%B%A",
    [EFFECT_ADD_MONSTER] = "add %f to the fight",
    [EFFECT_MATE] = ("a copy of 1 monster joins the fight, with the same enhancers, for as many "
                     "Levels and Treasures"),
    [EFFECT_SWAP_MONSTER] =
        "replace 1 monster with a Monster from your hand; enhancers on the old one are discarded",
    [EFFECT_WIN_BY_ITEM] =
        "take 1 Item that another player has in play, which must turn the fight at once",
    [EFFECT_THEFT] = ("roll; 4 or more steals %f another player has in play, otherwise lose 1 "
                      "Level; not while either of you fights"),
    [EFFECT_CANCEL] = "cancels the Curse",
    [EFFECT_REDIRECT] = "the Curse strikes its player instead",
    [EFFECT_SET_DIE] = "the die shows the number you choose",
    [EFFECT_REROLL] = "it is rolled again",
    [EFFECT_ESCAPE] = "%W [escape|escapes] %A",
    [EFFECT_TAKE_OVER] = "you take the main player's place, rewards and risks and all",
    [EFFECT_REBOOT] = "all cards played into the fight go back where they came from",
    [EFFECT_RETRIEVE] = "take %C into your hand",
    [EFFECT_SWAP_HANDS] = "exchange hands with %O",
    [EFFECT_SUFFER] = "%W [suffer|suffers] %A",
    [EFFECT_COPY_FACE] = "uses the text of the top Door discard if that is a Monster",
    [EFFECT_TURN_FOLLOWER] = ("1 follower of the victim fights for the monsters until the fight "
                              "ends, and is discarded then"),
    [EFFECT_FOLLOW] = "%i %v{joins|join} your next fight",
    [EFFECT_COPY_ABILITY] = "use %f of another player until the fight ends",
    [EFFECT_RETURN_CARDS] = "one-shots played for the players go back to their hands",
    [EFFECT_ATTACH] =
        ("attach it to %f of yours, in play or from the hand: you equip that whatever "
         "the limits and restrictions, and if it goes, this goes too"),
    [EFFECT_MARK_DOUBLE] = "sell %X at double price",
    [EFFECT_RESURRECT] = "take the top card of the discards instead of a face-up draw",
    [EFFECT_IDENTITY] = "roll; 1-3 it does nothing, on a 6 you lose this card",
    [EFFECT_SEND_AWAY] = "the helper leaves the fight",
    [EFFECT_STAY] = "stays in front of you",
    [EFFECT_DISCARD_SELF] = "this card is discarded",
    [EFFECT_SAVE] = "it does not happen",
    [EFFECT_HAND_OR_LEVELS] =
        "%W [choose|chooses]: discard [your|their] whole hand, or lose %N{Level|Levels}",
    [EFFECT_TAX] = ("discard 1 Item of your choice; every other player discards Items worth at "
                    "least as much, and whoever cannot loses all Items and 1 Level"),
    [EFFECT_LEVEL_STEAL] = "%T loses %N{Level|Levels} and you gain as many",
    [EFFECT_CHOICE] = "you choose",
    [EFFECT_SHOW_HAND] = "%W [show your|shows the] hand to all",
    [EFFECT_SKIP_TURN] = "%W [skip your|skips the] next turn",
    [EFFECT_DISCARD_OR] = "%W [discard|discards] %C",
    [EFFECT_DRAW_HERE] =
        "%W [draw|draws] %N{more Treasure|more Treasures}, face up or face down as this one was",
    [EFFECT_TREASURE_FOR_DOOR] = "you may discard %C and draw as many Treasures",
    [EFFECT_ROLL] = "%W [roll|rolls] a die",
    [EFFECT_ROB] = "you take %C from the player named%A",
    [EFFECT_NOTHING] = "nothing happens",
    [EFFECT_MOVE] = "%A",
    [EFFECT_REWARD] = "%S %A",
    [EFFECT_REVEAL] = "turn up %A and discard them",
    [EFFECT_FORCE_HELP] = ("%W [help|helps], unasked, for %N{Treasure|Treasures}; not in a fight "
                           "that would win you the game"),
    [EFFECT_FLEE] = "running away begins at once",
    [EFFECT_EQUIPS_IN_FIGHT] = "you may change what you have equipped in a fight",
    [EFFECT_THROWN_BONUS] = "each one-shot with a bonus that you throw into a fight counts %V more",
    [EFFECT_FIRST_PICK] = "you pick first from the body",
    [EFFECT_SEALS] = ("the Item gives nothing; you can neither put it down nor part with it, and "
                      "neither Curses nor Bad Stuff take it"),
    [EFFECT_FIGHT_NEXT] =
        "choose a Monster of your hand: if it is your turn, you fight it next, when all is paid",
};

static const char *target_of(const struct row *row)
{
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

// Of oneself a sentence speaks in the imperative: no subject.
static void add_subject(struct prose *prose, const struct row *row)
{
    prose_add(prose, "%s", row->who == WHO_TARGET ? target_of(row) : phrase_who(row->who));
    if ((row->who == WHO_OTHERS_WITH || row->who == WHO_EVERYONE_WITH) && row->req_count > 0) {
        prose_add(prose, " ");
        prose->of_them = true;
        prose_requirements(prose, row->first_req, row->req_count);
        prose->of_them = false;
    }
}

// Many take where one takes.
static bool plural(const struct row *row)
{
    return row->who == WHO_SELF || row->who == WHO_NEIGHBOURS || row->target == ON_FOLLOWER;
}

// "an Item", "a small Item".
static void add_one(struct prose *prose, unsigned filter)
{
    char text[200] = "";
    struct prose part = {
        .catalog = prose->catalog, .out = text, .size = sizeof text, .own = prose->own};
    prose_filter(&part, filter, false, "");
    prose_add(prose, "%s %s", article(text), text);
}

// Cards leave a hand by being discarded; what lies in play is lost.
static void add_verb(struct prose *prose, const struct row *row)
{
    const struct filter *filter =
        row->filter != 0 ? &prose->catalog->filters[row->filter - 1] : NULL;
    const bool discard = (filter != NULL && filter->place == PLACE_HAND) ||
                         (row->flags & ROW_MAY) != 0 || row->who == WHO_TARGET;
    prose_add(prose, "%s%s", discard ? "discard" : "lose", plural(row) ? "" : "s");
}

static void add_removal(struct prose *prose, const struct row *row)
{
    const bool own = prose->def->kind == KIND_MONSTER; // a monster speaks of itself
    const bool plain = row->a == REMOVE_BY_HOUSE && (row->flags & ROW_KILL) == 0;
    if (row->filter != 0) {
        const bool named = prose->catalog->filters[row->filter - 1].name != 0;
        prose_add(prose, named ? "" : row->b == 1 ? "every " : "1 ");
        prose_filter(prose, row->filter, false, "");
        prose_add(prose, " leaves");
        return;
    }
    prose_it(prose, row->b == 1 ? "all monsters leave"
                    : own       ? "%i %v{leaves|leave}"
                    : plain     ? "remove 1 monster"
                                : "1 monster leaves");
}

static void add_mark(struct prose *prose, const struct row *row, unsigned op, char mark)
{
    switch (mark) {
    case 'W':
    case 'O':
        add_subject(prose, row);
        return;
    case 'T':
        prose_add(prose, "%s", target_of(row));
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
        prose_loss(prose, row);
        return;
    case 'F':
        prose_filter(prose, row->filter, true, "");
        return;
    case 'f':
        add_one(prose, row->filter);
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

static void fill(struct prose *prose, const struct row *row, unsigned op, const char *at)
{
    char one[64];
    char many[64];
    while (*at != '\0') {
        if (*at == '[') {
            at = prose_pair(at, ']', one, many);
            prose_add(prose, "%s", plural(row) ? one : many);
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

static bool constant(const struct row *row)
{
    return row->n.source == SRC_CONST;
}

// The templates of rows on monsters and enhancers, where they are others; NULL if they are not.
static const char *template_on_monster(const struct prose *prose, const struct row *row,
                                       unsigned op)
{
    const bool enhancer = prose->def->kind == KIND_ENHANCER;
    switch (op) {
    case EFFECT_BONUS:
        return row->who == WHO_FIGHTERS ? "%S to each fighter" : "%S once it lies before you";
    case EFFECT_MONSTER_BONUS:
        return enhancer ? "%S to a monster" : NULL;
    case EFFECT_TREASURES:
        if (!constant(row)) {
            return NULL;
        }
        return row->n.base < 0 ? "%L{Treasure|Treasures} fewer, but at least 1"
                               : "%N{more Treasure|more Treasures}";
    case EFFECT_RUN_BONUS:
        return prose->def->kind == KIND_DOOR ? "%S to run away from either"
                                             : "%S to run away from %m";
    case EFFECT_LEAVES_FOR:
        if (constant(row) && row->n.base <= 0) {
            return row->n.base < 0 ? "%i %v{leaves|leave} at once, with no Level but %j Treasures,"
                                   : "%i %v{leaves|leave} at once, with no Level and no Treasure,";
        }
        return NULL;
    default:
        return NULL;
    }
}

// What cannot be said with one template.
static const char *template_of(const struct prose *prose, const struct row *row, unsigned op)
{
    const bool less = row->n.base < 0 || row->n.k < 0;
    const bool self = row->who == WHO_SELF;
    const bool monster = prose->def->kind == KIND_MONSTER || prose->def->kind == KIND_ENHANCER ||
                         prose->def->kind == KIND_DOOR;
    const char *const other =
        monster && row->when == WHEN_STATIC ? template_on_monster(prose, row, op) : NULL;
    if (other != NULL) {
        return other;
    }
    switch (op) {
    case EFFECT_LEVEL:
        return less ? "%W [lose|loses] %L{Level|Levels}" : TEMPLATES[op];
    case EFFECT_HAND_LIMIT:
        return constant(row) && row->n.base > 0 ? "your hand limit is %V higher" : TEMPLATES[op];
    case EFFECT_BIG_LIMIT:
        return row->n.base >= 99 ? "you may carry any number of Big Items"
                                 : "you may carry %N{more Big Item|more Big Items}";
    case EFFECT_ADD_MONSTER:
        return row->filter == 0 ? "add a Monster from your hand to the fight" : TEMPLATES[op];
    case EFFECT_LEVEL_SET:
        return self ? "your Level becomes %V" : "the Level of %O becomes %V";
    case EFFECT_SLOT_LOSS:
        return less ? "%L{more|more} %A" : TEMPLATES[op];
    case EFFECT_RUN_BONUS:
        return row->when == WHEN_ANSWER_ROLL ? "%S to that roll" : TEMPLATES[op];
    case EFFECT_LOSE:
        return row->a != 0 ? "%W %H %F" : TEMPLATES[op];
    case EFFECT_DEATH:
        return self ? "death" : TEMPLATES[op];
    case EFFECT_SEX_CHANGE:
        return self ? "your sex changes" : TEMPLATES[op];
    case EFFECT_IMMUNE:
        return row->filter != 0 &&
                       prose->catalog->filters[row->filter - 1].name == prose->def->name + 1u
                   ? (row->a != 0 ? "neither Curses nor Bad Stuff take it"
                                  : "neither Curses nor Bad Stuff take it, nor do you suffer the "
                                    "alternative")
                   : TEMPLATES[op];
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
        return monster ? TEMPLATES[op] : "monsters will not pursue you";
    case EFFECT_RETRIEVE:
        return row->target == ON_NOTHING ? "take the topmost %F into your hand" : TEMPLATES[op];
    case EFFECT_ATTACH:
        return row->when == WHEN_STRIKE ? "this lies with %X you have in play, which you choose"
               : prose->def->kind == KIND_DOOR
                   ? TEMPLATES[op]
                   : "attach it to %f of yours, in play or from the hand: if that goes, this "
                     "goes too";
    case EFFECT_GIVE:
        return constant(row) && row->n.base == 0 ? "give %C to %O%A, one by one in turn"
                                                 : TEMPLATES[op];
    case EFFECT_REWARD:
        return constant(row) && row->a == 1 && row->n.base <= -99
                   ? "no Treasure is paid for this victory"
                   : TEMPLATES[op];
    default:
        return TEMPLATES[op];
    }
}

static const char *const DURATIONS[DURATION_TOTAL] = {
    [UNTIL_NOW] = "",
    [UNTIL_FIGHT_END] = "in this fight",
    [UNTIL_NEXT_FIGHT] = "in your next fight (in the present one if you are in one)",
    [UNTIL_LATER_FIGHT] = "in the fight after this one",
    [UNTIL_TURN_END] = "until the turn ends",
    [UNTIL_NEXT_TURN] = "in your next turn (in the present one if it is yours)",
    [UNTIL_NEXT_ROLL] = "at the next roll to run away",
    [UNTIL_LEVEL_GAINED] = "until you gain a Level",
    [UNTIL_OWN_KILL] = "until you kill a monster yourself",
    [UNTIL_DEATH] = "until you die",
    [UNTIL_ALWAYS] = "for good",
};

// "in this fight", where the heading has not said so.
static void add_duration(struct prose *prose, const struct row *row, unsigned op)
{
    const bool said = op == EFFECT_FAIL_NEXT_ROLL ||
                      (row->when == WHEN_ANSWER_ROLL && row->until == UNTIL_NEXT_ROLL) ||
                      (row->limit == SCOPE_FIGHT && row->until == UNTIL_FIGHT_END);
    if (DURATIONS[row->until][0] != '\0' && !said) {
        prose_add(prose, " %s", DURATIONS[row->until]);
    }
}

static void add_afterthought(struct prose *prose, const struct row *row, unsigned op)
{
    if (row->op == EFFECT_LOSE && row->a != 0) {
        prose_add(prose, " worth at least %d Gold Pieces", row->a);
    } else if (op == EFFECT_LOSE && row->target == ON_FOLLOWER) {
        prose_add(prose, " that any player has in play");
    } else if (op == EFFECT_TAKE) {
        const bool hand =
            row->filter != 0 && prose->catalog->filters[row->filter - 1].place == PLACE_HAND;
        prose_add(prose, "%s", row->chooser != CHOOSE_RANDOM && !hand ? " you have in play" : "");
        prose_argument(prose, row, op, row->a);
    } else if (op == EFFECT_LEAVES_FOR && (row->flags & ROW_KILL) != 0) {
        prose_add(prose, " which counts as a kill,");
    } else if (op == EFFECT_LEVEL && (row->flags & ROW_KILL) != 0) {
        prose_add(prose, ", which may be the winning Level");
    } else if (row->op == EFFECT_MATE && (row->n.base != 0 || row->n.source != SRC_CONST)) {
        prose_add(prose, "; ");
        prose_signed(prose, &row->n);
        prose_add(prose, " to run away");
    }
}

void prose_row(struct prose *prose, const struct row *row)
{
    unsigned op = row->op;
    if (op == EFFECT_LASTING) {
        op = (unsigned)row->a;
        if (row->who != WHO_SELF) {
            prose_add(prose, op == EFFECT_BONUS ? "" : "for ");
            add_subject(prose, row);
            prose_add(prose, op == EFFECT_BONUS ? " has " : ": ");
        }
    }
    fill(prose, row, op, template_of(prose, row, op));
    add_afterthought(prose, row, op);
    add_duration(prose, row, op);
}
