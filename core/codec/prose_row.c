#include <string.h>

#include "core/codec/prose.h"
#include "core/effect_schema.h"

/*
 * A template is plain text with marks:
 *   %W who does it, as subject   [x|y] x after "you", y after anybody else
 *   %O who, as object            %S amount with its sign     %V amount as a bare number
 *   %N{one|many} amount with its noun   %P{one|many} the same with its sign
 *   %L{one|many} amount turned positive with its noun
 *   %C so many cards of the filter      %F cards of the filter, many   %f one of them
 *   %A, %B the op's own arguments as they stand in a sentence
 */
static const char *const TEMPLATES[EFFECT_TOTAL] = {
    [EFFECT_BONUS] = "%S",
    [EFFECT_MONSTER_BONUS] = "%S",
    [EFFECT_TREASURES] = "%P{Treasure|Treasures}",
    [EFFECT_KILL_LEVELS] = "%P{Level|Levels} for the kill",
    [EFFECT_RUN_BONUS] = "%S to run away",
    [EFFECT_ROLL_BONUS] = "%S to every die you roll",
    [EFFECT_HAND_LIMIT] = "%S to your hand limit",
    [EFFECT_BIG_LIMIT] = "%S to the number of Big Items you may carry",
    [EFFECT_HANDS] = "%P{Hand|Hands}",
    [EFFECT_WINS_TIES] = "your side wins ties",
    [EFFECT_META] = "gives %A",
    [EFFECT_SECOND] = "you may have two %A cards, or one without its disadvantages",
    [EFFECT_RANK] = "%S to the total Rank of Powers you may have",
    [EFFECT_TRAIT] = "counts as %A for monsters",
    [EFFECT_ADD_TAG] = "the monster is %A too",
    [EFFECT_EXCLUDE] = "%A",
    [EFFECT_NO_HELP] = "nobody may help",
    [EFFECT_LEAVES_FOR] = "leaves by itself for %N{Treasure|Treasures}",
    [EFFECT_JOINS] = "may join any fight from the hand",
    [EFFECT_NO_PURSUE] = "does not pursue you",
    [EFFECT_NO_ESCAPE] = "there is no escape from it",
    [EFFECT_ENHANCERS_COUNT] = "each enhancer on it counts %A",
    [EFFECT_FREE_HELP] = "players of higher Level cannot refuse to help you and get nothing for it",
    [EFFECT_IMMUNE] = "neither Curses nor Bad Stuff take your %F",
    [EFFECT_CURSE_PROOF] = "Curses do not strike you",
    [EFFECT_CARRIES] = "%N{Item|Items} may be handed to it, beyond your limits",
    [EFFECT_COPY_FIGHTER] = "the main fighter counts once more",
    [EFFECT_FOLLOWER_LIMIT] = "%P{follower|followers}",
    [EFFECT_BARS] = "%A",
    [EFFECT_LEVEL_IS] = "%V replaces your Level in the fight",
    [EFFECT_SIDE_BONUS] = "%S to the players' side",
    [EFFECT_OPTIONAL_FIGHT] = "need not be fought",
    [EFFECT_MONSTER_FACE] = "has the text of another monster",
    [EFFECT_FAIL_NEXT_ROLL] = "your next flight roll fails",
    [EFFECT_SLOT_LOSS] = "%N{fewer|fewer} %A",
    [EFFECT_THEFT_SHIELD] = "nobody can steal your %F",
    [EFFECT_SELL_BONUS] = "%S Gold Pieces for each sale",
    [EFFECT_LEVEL_FLOOR] = "its Level is at least %V",

    [EFFECT_LEVEL] = "%W [gain|gains] %L{Level|Levels}",
    [EFFECT_LEVEL_SET] = "%W [come|comes] to Level %V",
    [EFFECT_DEATH] = "%W [die|dies]",
    [EFFECT_LOSE] = "%W [lose|loses] %C",
    [EFFECT_DRAW] = "%W [draw|draws] %A",
    [EFFECT_TAKE] = "%W [take|takes] %C from you%A",
    [EFFECT_GIVE] = "you give %C to %O%A",
    [EFFECT_SEX_CHANGE] = "%W [change|changes] sex",
    [EFFECT_TRAIT_CHANGE] =
        "%W [replace your|replaces the own] %A by the first down the discards, if any",
    [EFFECT_REMOVE_MONSTER] = "%B the fight%A",
    [EFFECT_ADD_MONSTER] = "%f from your hand joins the fight",
    [EFFECT_MATE] = "becomes a copy of the monster with all its enhancers",
    [EFFECT_SWAP_MONSTER] = "the monster is replaced by one from your hand",
    [EFFECT_WIN_BY_ITEM] = "take an Item of another player that makes you win at once",
    [EFFECT_THEFT] = "try to steal %f from another player",
    [EFFECT_CANCEL] = "cancels the Curse",
    [EFFECT_REDIRECT] = "the Curse strikes its player instead",
    [EFFECT_SET_DIE] = "you choose what the die shows",
    [EFFECT_REROLL] = "the die is rolled again",
    [EFFECT_ESCAPE] = "%W [escape|escapes] %A",
    [EFFECT_TAKE_OVER] = "you take the main fighter's place with all rewards",
    [EFFECT_REBOOT] = "all cards played into the fight go back where they came from",
    [EFFECT_RETRIEVE] = "you take %C",
    [EFFECT_SWAP_HANDS] = "you exchange hands with %O",
    [EFFECT_SUFFER] = "%W [suffer|suffers] %A",
    [EFFECT_COPY_FACE] = "uses the text of the top Door discard if that is a Monster",
    [EFFECT_TURN_FOLLOWER] = "the follower of the player named fights for the monsters",
    [EFFECT_FOLLOW] = "comes along into your next fight",
    [EFFECT_COPY_ABILITY] = "use %f of another player until the fight ends",
    [EFFECT_RETURN_CARDS] = "one-shots played for the players go back to their hands",
    [EFFECT_ATTACH] = "lies with %f of yours, which ignores all limits",
    [EFFECT_MARK_DOUBLE] = "%f counts twice in the next sale of this turn",
    [EFFECT_RESURRECT] = "draw from the top of the discards instead of the deck",
    [EFFECT_IDENTITY] = "a die may save you from the Trap",
    [EFFECT_SEND_AWAY] = "the helper leaves the fight",
    [EFFECT_STAY] = "stays in front of you",
    [EFFECT_DISCARD_SELF] = "this card is discarded",
    [EFFECT_SAVE] = "it does not happen",
    [EFFECT_HAND_OR_LEVELS] = "%W [choose|chooses]: lose the hand, or %N{Level|Levels}",
    [EFFECT_TAX] = "you discard an Item; the others discard as much, or all Items and a Level",
    [EFFECT_LEVEL_STEAL] = "the player named loses %N{Level|Levels} and you gain as many",
    [EFFECT_CHOICE] = "you choose",
    [EFFECT_SHOW_HAND] = "%W [show your|shows the] hand to all",
    [EFFECT_SKIP_TURN] = "%W [skip your|skips the] next turn",
    [EFFECT_DISCARD_OR] = "%W [discard|discards] %C",
    [EFFECT_DRAW_HERE] = "%W [draw|draws] %N{more card|more cards} at once, with the same facing",
    [EFFECT_TREASURE_FOR_DOOR] = "you may discard %C and draw as many Treasures",
    [EFFECT_JOIN_FIGHT] = "%f joins the fight",
    [EFFECT_ROLL] = "%W [roll|rolls] a die",
    [EFFECT_ROB] = "you take %C from the player named%A",
    [EFFECT_NOTHING] = "nothing happens",
};

static void add_subject(struct prose *prose, const struct row *row)
{
    prose_add(prose, "%s", phrase_who(row->who));
    if ((row->who == WHO_OTHERS_WITH || row->who == WHO_EVERYONE_WITH) && row->req_count > 0) {
        prose_add(prose, " ");
        prose->of_them = true;
        prose_requirements(prose, row->first_req, row->req_count);
        prose->of_them = false;
    }
}

// Reads "{one|many}" at `at` into two words; returns what follows it.
static const char *read_pair(const char *at, char close, char *one, char *many)
{
    char *to = one;
    for (at++; *at != '\0' && *at != close; at++) {
        if (*at == '|') {
            *to = '\0';
            to = many;
        } else {
            *to++ = *at;
        }
    }
    *to = '\0';
    return at + (*at != '\0');
}

// "an Item", "a small Item".
static void add_one(struct prose *prose, unsigned filter)
{
    char text[200] = "";
    struct prose part = {.catalog = prose->catalog, .out = text, .size = sizeof text};
    prose_filter(&part, filter, false);
    prose_add(prose, "%s %s", article(text), text);
}

static void add_mark(struct prose *prose, const struct row *row, unsigned op, char mark)
{
    switch (mark) {
    case 'W':
    case 'O':
        add_subject(prose, row);
        return;
    case 'S':
        prose_signed(prose, &row->n);
        return;
    case 'C':
        prose_cards(prose, &row->n, row->filter);
        return;
    case 'F':
        prose_filter(prose, row->filter, true);
        return;
    case 'f':
        add_one(prose, row->filter);
        return;
    case 'A':
        prose_argument(prose, row, op, op == row->op ? row->a : row->b);
        return;
    case 'B':
        prose_add(prose, row->b == 1 ? "all monsters leave" : "the monster leaves");
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
        struct amount bare = *amount;
        char text[200];
        struct prose part = {.catalog = prose->catalog, .out = text, .size = sizeof text};
        prose_signed(&part, &bare);
        const char *plus = strncmp(text, "plus ", 5) == 0 ? text + 5 : text;
        prose_add(prose, "%s", plus);
    }
}

static void fill(struct prose *prose, const struct row *row, unsigned op, const char *at)
{
    char one[64];
    char many[64];
    while (*at != '\0') {
        if (*at == '[') {
            at = read_pair(at, ']', one, many);
            prose_add(prose, "%s", row->who == WHO_SELF ? one : many);
        } else if (*at != '%') {
            prose_add(prose, "%c", *at++);
        } else if (at[1] == 'V') {
            add_value(prose, &row->n);
            at += 2;
        } else if (strchr("NPL", at[1]) != NULL) {
            char mark = at[1];
            at = read_pair(at + 2, '}', one, many);
            if (mark == 'P' && (row->n.source != SRC_CONST || row->n.base >= 0)) {
                prose_add(prose, "+");
            }
            bool turned = mark == 'L' && (row->n.base < 0 || row->n.k < 0);
            prose_number(prose, &row->n, turned ? -1 : 1, one, many);
        } else {
            add_mark(prose, row, op, at[1]);
            at += 2;
        }
    }
}

static void add_chooser(struct prose *prose, const struct row *row)
{
    static const char *const CHOOSERS[CHOOSER_TOTAL] = {
        [CHOOSE_VICTIM] = "",
        [CHOOSE_RANDOM] = ", by chance",
        [CHOOSE_ALL] = "",
        [CHOOSE_BEST_BONUS] = " with the biggest bonus",
        [CHOOSE_BEST_VALUE] = " of the greatest value",
        [CHOOSE_PLAYER] = " that the player of this card chooses",
        [CHOOSE_NEIGHBOURS] = ", left and right neighbour choosing one each",
        [CHOOSE_TAKER] = ", the taker choosing",
        [CHOOSE_LEFT] = " that the player on the left chooses",
    };
    prose_add(prose, "%s", CHOOSERS[row->chooser]);
}

// What cannot be said with one template.
static const char *template_of(const struct prose *prose, const struct row *row, unsigned op)
{
    bool on_monster = prose->def->kind == KIND_MONSTER && row->when == WHEN_STATIC;
    switch (op) {
    case EFFECT_LEVEL:
        return row->n.base < 0 || row->n.k < 0 ? "%W [lose|loses] %L{Level|Levels}" : TEMPLATES[op];
    case EFFECT_LEAVES_FOR:
        if (row->n.source == SRC_CONST && row->n.base <= 0) {
            return row->n.base < 0 ? "leaves by itself for its Treasures"
                                   : "leaves by itself without Treasure";
        }
        return TEMPLATES[op];
    case EFFECT_BIG_LIMIT:
        return row->n.base >= 99 ? "you may carry any number of Big Items" : TEMPLATES[op];
    case EFFECT_ADD_MONSTER:
        return row->filter == 0 ? "a Monster from your hand joins the fight" : TEMPLATES[op];
    case EFFECT_THEFT:
        return row->filter == 0 ? "try to steal a small Item from another player" : TEMPLATES[op];
    case EFFECT_LEVEL_SET:
        if (row->n.source == SRC_CONST) {
            return TEMPLATES[op];
        }
        return row->who == WHO_SELF ? "your Level becomes %V" : "the Level of %O becomes %V";
    case EFFECT_SLOT_LOSS:
        return row->n.base < 0 ? "%L{more|more} %A" : TEMPLATES[op];
    case EFFECT_RUN_BONUS:
        return on_monster ? "%S to run away from it" : TEMPLATES[op];
    case EFFECT_LOSE:
        return row->a != 0 ? "%W [lose|loses] %F" : TEMPLATES[op];
    default:
        return TEMPLATES[op];
    }
}

static void add_duration(struct prose *prose, unsigned until)
{
    const char *text = describe_word(WORDS_DURATION, until);
    if (text[0] != '\0') {
        prose_add(prose, " %s", text);
    }
}

void prose_row(struct prose *prose, const struct row *row)
{
    unsigned op = row->op;
    if (op == EFFECT_LASTING) {
        op = (unsigned)row->a;
        if (row->who != WHO_SELF) {
            prose_add(prose, "for ");
            add_subject(prose, row);
            prose_add(prose, ": ");
        }
    }
    fill(prose, row, op, template_of(prose, row, op));
    if (row->op == EFFECT_LOSE && row->a != 0) {
        prose_add(prose, " worth at least %d Gold Pieces together, or all", row->a);
    }
    add_chooser(prose, row);
    if (op == EFFECT_LEAVES_FOR && (row->flags & ROW_KILL) != 0) {
        prose_add(prose, ", which counts as a kill");
    }
    if (op == EFFECT_LEVEL && (row->flags & ROW_KILL) != 0) {
        prose_add(prose, ", the winning one too");
    }
    if (row->op == EFFECT_MATE && (row->n.base != 0 || row->n.source != SRC_CONST)) {
        prose_add(prose, "; ");
        prose_signed(prose, &row->n);
        prose_add(prose, " to run away");
    }
    if (op != EFFECT_FAIL_NEXT_ROLL) {
        add_duration(prose, row->until);
    }
}
