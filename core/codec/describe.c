#include "core/codec/describe.h"

#include <stdio.h>
#include <string.h>

#include "core/codec/prose.h"

static const char *const TRIGGERS[TRIGGER_TOTAL] = {
    [WHEN_STATIC] = "",
    [WHEN_PLAY] = "When played",
    [WHEN_STRIKE] = "",
    [WHEN_DRAWN] = "When drawn",
    [WHEN_ENTER] = "When it enters a fight",
    [WHEN_BEFORE] = "Before the fight",
    [WHEN_BAD_STUFF] = "Bad Stuff",
    [WHEN_ESCAPED] = "When you have escaped",
    [WHEN_KILLED] = "When it is slain",
    [WHEN_LEAVES] = "When it leaves",
    [WHEN_ABILITY] = "",
    [WHEN_ANSWER_CURSE] = "When a Curse is about to act",
    [WHEN_ANSWER_ROLL] = "After a die was rolled",
    [WHEN_BEFORE_ROLL] = "Before a flight roll",
    [WHEN_WOULD_LOSE_LEVEL] = "When you would lose a Level",
    [WHEN_WOULD_LOSE_CARD] = "When you would lose",
    [WHEN_WOULD_BE_CURSED] = "When you would be cursed",
    [WHEN_WOULD_BE_CAUGHT] = "When you would be caught",
    [WHEN_WOULD_DIE] = "When you would die",
    [WHEN_FIGHT_END] = "When a fight ends",
    [WHEN_TURN_START] = "When your turn begins",
    [WHEN_TURN_END] = "When your turn ends",
    [WHEN_LEVEL_GAINED] = "When you gain a Level",
    [WHEN_OWN_KILL] = "When you slay a monster",
    [WHEN_HELPED_KILL] = "When you helped to slay a monster",
    [WHEN_CARD_LOST] = "When you lost",
    [WHEN_ESCAPE_ROLLED] = "When your flight roll succeeded",
};

static const char *const DURATIONS[DURATION_TOTAL] = {
    [UNTIL_NOW] = "",
    [UNTIL_FIGHT_END] = "in this fight",
    [UNTIL_NEXT_FIGHT] = "in the next fight (or this one)",
    [UNTIL_LATER_FIGHT] = "in the fight after this one",
    [UNTIL_TURN_END] = "until the turn ends",
    [UNTIL_NEXT_TURN] = "in your next turn (or this one)",
    [UNTIL_NEXT_ROLL] = "at the next flight roll",
    [UNTIL_LEVEL_GAINED] = "until you gain a Level",
    [UNTIL_OWN_KILL] = "until you slay a monster yourself",
    [UNTIL_DEATH] = "until you die",
    [UNTIL_ALWAYS] = "for good",
};

static const char *const SCOPES[SCOPE_TOTAL] = {
    [SCOPE_NONE] = "",       [SCOPE_FIGHT] = "a fight",
    [SCOPE_TURN] = "a turn", [SCOPE_VICTIM] = "for each victim in a fight",
    [SCOPE_ROLL] = "a roll", [SCOPE_GAME] = "a game",
};

static const char *const TIMINGS[TIMING_TOTAL] = {
    [AT_ANY_TIME] = "at any time",
    [AT_FIGHT] = "in any fight",
    [AT_OWN_FIGHT] = "in a fight of your own",
    [AT_OWN_TURN_FIGHT] = "in a fight on your own turn",
    [AT_OTHERS_FIGHT] = "in another player's fight",
    [AT_BEFORE_ROLL] = "before the first flight roll",
    [AT_FLIGHT] = "between flight rolls",
    [AT_OWN_TURN] = "on your own turn, out of fights",
    [AT_PEACE] = "out of fights",
    [AT_AFTER_FIGHT] = "just after a fight",
    [AT_ANSWER] = "as an answer",
    [AT_JUST_DRAWN] = "when just drawn",
};

const char *describe_word(enum word_table table, unsigned word)
{
    if (word >= word_count(table)) {
        return "";
    }
    switch (table) {
    case WORDS_TRIGGER:
        return TRIGGERS[word];
    case WORDS_DURATION:
        return DURATIONS[word];
    case WORDS_SCOPE:
        return SCOPES[word];
    case WORDS_TIMING:
        return TIMINGS[word];
    case WORDS_SELECTOR:
        return phrase_who(word);
    case WORDS_KIND:
        return phrase_kind(word, false);
    default:
        return "";
    }
}

static void add_tags(struct prose *prose)
{
    for (unsigned tag = 0; tag < MB_TAGS_MAX; tag++) {
        if ((prose->def->tags >> tag & 1u) != 0) {
            const char *name = catalog_tag_name(prose->catalog, tag);
            prose_add(prose, ", %s", name);
        }
    }
}

static void add_gold(struct prose *prose)
{
    if ((prose->def->flags & DEF_VALUE) != 0 && prose->def->gold > 0) {
        prose_add(prose, ", %d Gold Pieces", prose->def->gold);
    } else if ((prose->def->flags & DEF_VALUE) != 0) {
        prose_add(prose, ", No Value");
    }
}

static void add_figures(struct prose *prose)
{
    static const char *const SLOTS[SLOT_TOTAL] = {
        [SLOT_NONE] = "Item",         [SLOT_HEADGEAR] = "Headgear", [SLOT_ARMOR] = "Armor",
        [SLOT_FOOTGEAR] = "Footgear", [SLOT_HAND] = "1 Hand",       [SLOT_TWO_HANDS] = "2 Hands",
    };
    const struct card_def *def = prose->def;
    if (def->kind == KIND_MONSTER) {
        prose_add(prose, "Level %u, %u %s", def->level, def->treasures,
                  def->treasures == 1 ? "Treasure" : "Treasures");
        if (def->levels != 1) {
            prose_add(prose, ", %u Levels", def->levels);
        }
    } else if (def->kind == KIND_ITEM) {
        prose_add(prose, "%s", SLOTS[def->slot]);
    } else if (def->kind == KIND_POWER) {
        prose_add(prose, "Power of Rank %u", def->rank);
    } else if (def->kind == KIND_FOLLOWER) {
        const char *sort = catalog_sort(prose->catalog, (unsigned)(def - prose->catalog->defs));
        prose_add(prose, "%c%s", sort[0] - 'a' + 'A', sort + 1);
    } else {
        const char *kind = phrase_kind(def->kind, false);
        bool big = kind[0] >= 'a' && kind[0] <= 'z';
        prose_add(prose, "%c%s", big ? kind[0] - 'a' + 'A' : kind[0], kind + 1);
    }
    if ((def->flags & DEF_BIG) != 0) {
        prose_add(prose, ", Big");
    }
    add_gold(prose);
    add_tags(prose);
    prose_add(prose, ".");
}

static void add_flags(struct prose *prose)
{
    static const struct {
        unsigned flag;
        const char *text;
    } FLAGS[] = {{DEF_STAYS, " Stays in play."},
                 {DEF_HUMAN, " You stay human."},
                 {DEF_SACRIFICE, " May be sacrificed to escape."},
                 {DEF_ON_SELF, " Only on yourself."},
                 {DEF_KEPT, " Kept on death."},
                 {DEF_EXTRA_ARMOR, " Fills the Armor and the Headgear slot."}};
    for (size_t i = 0; i < sizeof FLAGS / sizeof FLAGS[0]; i++) {
        if ((prose->def->flags & FLAGS[i].flag) != 0) {
            prose_add(prose, "%s", FLAGS[i].text);
        }
    }
    if (prose->def->need_count > 0) {
        prose_add(prose, " Only if ");
        prose_requirements(prose, prose->def->first_need, prose->def->need_count);
        prose_add(prose, ".");
    }
}

static void add_timing(struct prose *prose)
{
    const char * or = " Play ";
    for (unsigned i = 0; i < TIMING_TOTAL; i++) {
        if ((prose->def->timing >> i & 1u) != 0) {
            prose_add(prose, "%s%s", or, TIMINGS[i]);
            or = " or ";
        }
    }
    prose_add(prose, prose->def->timing != 0 ? "." : "");
}

// "Berserk (discard 1 to 3 cards; at most 3 a fight): ".
static void add_heading(struct prose *prose, const struct row *row)
{
    const char *name =
        row->ability != 0 ? catalog_ability_name(prose->catalog, row->ability - 1u) : "";
    const char *when = TRIGGERS[row->when];
    prose_add(prose, "%s%s%s", name, name[0] != '\0' && when[0] != '\0' ? ", " : "", when);
    bool heading = name[0] != '\0' || when[0] != '\0';
    if (row->when == WHEN_WOULD_LOSE_CARD || row->when == WHEN_CARD_LOST) {
        prose_add(prose, " ");
        prose_filter(prose, row->filter, true);
    }
    if (row->cost != 0 || row->limit != SCOPE_NONE) {
        prose_add(prose, heading ? " (" : "(");
        prose_cost(prose, row->cost);
        if (row->limit != SCOPE_NONE) {
            prose_add(prose, "%sat most %u %s", row->cost != 0 ? "; " : "", row->limit_n,
                      SCOPES[row->limit]);
        }
        prose_add(prose, heading ? ")" : ") ");
    }
    prose_add(prose, heading ? ": " : "");
}

static void add_conditions(struct prose *prose, const struct row *row)
{
    bool said = row->who == WHO_OTHERS_WITH || row->who == WHO_EVERYONE_WITH;
    if (row->req_count > 0 && !said) {
        prose_add(prose, row->op == EFFECT_OPTIONAL_FIGHT ? " unless " : " if ");
        prose_requirements(prose, row->first_req, row->req_count);
    }
}

// Whether the row goes on in the sentence of the one before it.
static bool continues(const struct row *row, const struct row *before)
{
    return before != NULL && before->when == row->when && before->ability == row->ability &&
           row->cost == 0 && row->limit == SCOPE_NONE && row->when != WHEN_STATIC;
}

static void add_row(struct prose *prose, const struct row *row, const struct row *before)
{
    if (!continues(row, before)) {
        prose_add(prose, before != NULL ? ". " : " ");
        add_heading(prose, row);
    } else {
        prose_add(prose, before->op == EFFECT_CHOICE || before->op == EFFECT_DISCARD_OR ||
                                 (row->flags & ROW_ELSE) != 0
                             ? "; otherwise "
                         : (row->flags & ROW_THEN) != 0 ? "; then "
                                                        : "; ");
    }
    if ((row->flags & ROW_MAY) != 0) {
        prose_add(prose, "if you like, ");
    }
    prose_row(prose, row);
    if (row->op == EFFECT_BONUS && prose->def->kind == KIND_ONESHOT && row->when == WHEN_STATIC) {
        static const char *const SIDES[] = {"", " for the players", " for the monsters",
                                            " for either side"};
        prose_add(prose, "%s", SIDES[prose->def->sides & 3u]);
    }
    if ((row->flags & ROW_FIXED) != 0) {
        prose_add(prose, ", fixed when it enters");
    }
    add_conditions(prose, row);
}

// Every sentence begins with a capital.
static void capitalize(char *text)
{
    bool first = true;
    for (; *text != '\0'; text++) {
        if (first && *text >= 'a' && *text <= 'z') {
            *text = (char)(*text - 'a' + 'A');
        }
        first = *text == '.' || (first && *text == ' ');
    }
}

size_t describe_card(const struct catalog *catalog, unsigned def, char *out, size_t size)
{
    if (size == 0) {
        return 0;
    }
    out[0] = '\0';
    struct prose prose = {
        .catalog = catalog, .def = catalog_def(catalog, def), .out = out, .size = size};
    if (prose.def == NULL) {
        return 0;
    }
    add_figures(&prose);
    add_flags(&prose);
    add_timing(&prose);
    const struct row *rows = catalog->rows + prose.def->first_row;
    for (unsigned i = 0; i < prose.def->row_count; i++) {
        add_row(&prose, &rows[i], i > 0 ? &rows[i - 1] : NULL);
    }
    prose_add(&prose, prose.def->row_count > 0 ? "." : "");
    capitalize(out);
    return prose.length;
}
