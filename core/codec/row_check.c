#include "core/codec/row_check.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "core/card/applies.h"
#include "core/card/effect_schema.h"
#include "core/codec/row_read.h"

enum { LIST_SIZE = 190 };

/** "play, ability or enter": the words of a table whose bits are set. */
static const char *words_of(enum word_table table, uint32_t bits, char out[LIST_SIZE])
{
    size_t length = 0;
    out[0] = '\0';
    for (unsigned i = 0; i < word_count(table) && length < LIST_SIZE; i++) {
        if ((bits >> i & 1u) == 0) {
            continue;
        }
        if (length + strlen(word_name(table, i)) + sizeof " or , ..." > LIST_SIZE) {
            (void)snprintf(out + length, LIST_SIZE - length, ", ...");
            break; // a few that would do are enough
        }
        const bool last = bits >> i == 1u;
        const char *const between = length == 0 ? "" : last ? " or " : ", ";
        const int more =
            snprintf(out + length, LIST_SIZE - length, "%s%s", between, word_name(table, i));
        length += more > 0 ? (size_t)more : 0;
    }
    return out;
}

static void check_counted(struct reading *reading, const struct row *row)
{
    char kinds[LIST_SIZE];
    if (applies(reading->kind, WHEN_STATIC, row->op) || row->when != WHEN_STATIC) {
        return;
    }
    if (applies_kinds(row->op) != 0) {
        reading_misfit(reading, "do", "expected %s on %s, found it on %s%s", effect_name(row->op),
                       words_of(WORDS_KIND, applies_kinds(row->op), kinds),
                       word_name(WORDS_KIND, reading->kind),
                       applies_lasting(row->op) ? " (lasting puts it on somebody)" : "");
    } else {
        reading_misfit(reading, "do", "expected lasting, with \"effect\": \"%s\", found it static",
                       effect_name(row->op));
    }
}

static void check_moment(struct reading *reading, const struct row *row)
{
    char words[LIST_SIZE];
    if (row->when == WHEN_STATIC || applies(reading->kind, row->when, row->op)) {
        return;
    }
    const uint32_t triggers = applies_triggers(reading->kind, row->op);
    const char *const kind = word_name(WORDS_KIND, reading->kind);
    if (triggers != 0) {
        reading_misfit(reading, "when", "expected with %s on %s %s, found %s", effect_name(row->op),
                       kind, words_of(WORDS_TRIGGER, triggers, words),
                       word_name(WORDS_TRIGGER, row->when));
    } else {
        reading_misfit(reading, "do", "expected %s on %s, found it on %s", effect_name(row->op),
                       words_of(WORDS_KIND, applies_kinds(row->op), words), kind);
    }
}

// Words that the op does not heed, or that mean nobody there.
static void check_word(struct reading *reading, const struct row *row, enum heeded which,
                       const char *key, unsigned word)
{
    static const enum word_table TABLES[HEEDS_TOTAL] = {WORDS_SELECTOR, WORDS_CHOOSER, WORDS_TARGET,
                                                        WORDS_DURATION};
    const bool foe = kind_is_foe(reading->kind);
    const bool on_fighters = foe && row->op == EFFECT_BONUS && row->when == WHEN_STATIC;
    uint32_t heeded = effect_schema(row->op)->counted ? 1u : applies_words(row->op, which);
    if (on_fighters && which == HEEDS_WHO) {
        heeded = 1u << WHO_SELF | 1u << WHO_FIGHTERS;
    }
    char words[LIST_SIZE];
    if ((heeded >> word & 1u) != 0) {
        return;
    }
    const char *const found = word_name(TABLES[which], word);
    if (heeded == 1u) {
        reading_misfit(reading, key, "expected nothing: %s does not heed it, found %s",
                       effect_name(row->op), found);
    } else {
        reading_misfit(reading, key, "expected with %s %s, found %s", effect_name(row->op),
                       words_of(TABLES[which], heeded, words), found);
    }
}

static bool names_seat(unsigned target)
{
    return target >= ON_PLAYER && target <= ON_OTHER_FIGHTER;
}

static void check_who(struct reading *reading, const struct row *row, uint32_t facts)
{
    const bool fighters =
        row->who == WHO_MAIN || row->who == WHO_HELPER || row->who == WHO_FIGHTERS;
    const uint32_t fight = FACT_FIGHT | FACT_FLIGHT | FACT_WON;
    const char *const who = word_name(WORDS_SELECTOR, row->who);
    if (fighters && (facts & fight) == 0 && row->when != WHEN_STATIC) {
        reading_misfit(reading, "who", "expected somebody who is there at %s, found %s",
                       word_name(WORDS_TRIGGER, row->when), who);
    }
    const bool with = row->who == WHO_OTHERS_WITH || row->who == WHO_EVERYONE_WITH;
    if (with && row->req_count == 0) {
        reading_misfit(reading, "if", "expected with %s whom, found nothing", who);
    }
    const bool owned = row->target == ON_FOLLOWER || row->target == ON_OTHERS_ITEM;
    const bool named = names_seat(row->target) || owned;
    if (row->who == WHO_TARGET && !named && (facts & FACT_STRUCK) == 0) {
        reading_misfit(reading, "target",
                       "expected with \"who\": \"target\" player, other, fighter, other_fighter, "
                       "others_item or follower, found %s",
                       word_name(WORDS_TARGET, row->target));
    }
    if (row->who == WHO_PLAYER && (facts & FACT_STRUCK) == 0) {
        reading_misfit(reading, "who", "expected player at strike alone, found it at %s",
                       word_name(WORDS_TRIGGER, row->when));
    }
}

static bool is_in_use(const struct reading *reading, unsigned filter)
{
    bool found = filter != 0;
    while (filter != 0 && found) {
        const struct filter *const at = &reading->catalog->filters[filter - 1];
        found = at->place == PLACE_EQUIPPED;
        filter = at->or_else;
    }
    return found;
}

// What lasts on an Item is a number of its owner's, and the Item is in use.
static void check_own_item(struct reading *reading, const struct row *row)
{
    const unsigned op = (unsigned)row->a;
    if (row->op != EFFECT_LASTING || row->target != ON_OWN_ITEM) {
        return;
    }
    const struct effect_schema *const schema = effect_schema(op);
    if ((schema->uses & NEEDS_AMOUNT) == 0 || op == EFFECT_MONSTER_BONUS || op == EFFECT_LEVEL_IS) {
        reading_misfit(reading, "effect",
                       "expected with own_item bonus or another number of its owner's, found %s",
                       effect_name(op));
    }
    if (row->who != WHO_SELF) {
        reading_misfit(reading, "who", "expected with own_item self, found %s",
                       word_name(WORDS_SELECTOR, row->who));
    }
    if (!is_in_use(reading, row->filter)) {
        reading_misfit(reading, "cards", "expected with own_item the place %s",
                       word_name(WORDS_PLACE, PLACE_EQUIPPED));
    }
}

static void check_target(struct reading *reading, const struct row *row, uint32_t facts)
{
    if (row->target != ON_NOTHING && (facts & FACT_NAMED) == 0) {
        reading_misfit(reading, "target", "expected it at play, ability or before_roll, found %s",
                       word_name(WORDS_TRIGGER, row->when));
        return;
    }
    check_word(reading, row, HEEDS_TARGET, "target", row->target);
    const bool wants = row->op == EFFECT_THEFT || row->op == EFFECT_WIN_BY_ITEM ||
                       row->op == EFFECT_ROB || row->op == EFFECT_MARK_DOUBLE ||
                       row->op == EFFECT_COPY_ABILITY || row->op == EFFECT_LEVEL_STEAL ||
                       row->op == EFFECT_MATE ||
                       (row->op == EFFECT_SWAP_MONSTER && row->when == WHEN_PLAY) ||
                       (row->op == EFFECT_CANCEL && row->when == WHEN_PLAY);
    char words[LIST_SIZE];
    if (wants && row->target == ON_NOTHING) {
        reading_misfit(reading, "target", "expected with %s %s, found nothing",
                       effect_name(row->op),
                       words_of(WORDS_TARGET, applies_words(row->op, HEEDS_TARGET) & ~1u, words));
    }
}

static void check_until(struct reading *reading, const struct row *row)
{
    const bool copies = row->op == EFFECT_COPY_ABILITY;
    if (row->op != EFFECT_LASTING && !copies && row->until != UNTIL_NOW) {
        reading_misfit(reading, "until", "expected nothing: %s does not heed it, found %s",
                       effect_name(row->op), word_name(WORDS_DURATION, row->until));
    }
    char words[LIST_SIZE] = "";
    if (row->op == EFFECT_LASTING && row->a != EFFECT_NOTHING &&
        !applies_lasting((unsigned)row->a)) {
        size_t length = 0;
        for (unsigned op = 0; op < EFFECT_TOTAL && length < LIST_SIZE; op++) {
            const int more = applies_lasting(op)
                                 ? snprintf(words + length, LIST_SIZE - length, "%s%s",
                                            length > 0 ? ", " : "", effect_name(op))
                                 : 0;
            length += more > 0 ? (size_t)more : 0;
        }
        reading_misfit(reading, "effect", "expected one of %s, found %s", words,
                       effect_name((unsigned)row->a));
    }
}

static void check_static_flags(struct reading *reading, const json_t *value, const struct row *row)
{
    static const char *const KEYS[] = {"cost", "limit", "may", "else", "then"};
    for (size_t i = 0; i < sizeof KEYS / sizeof KEYS[0]; i++) {
        if (row->when == WHEN_STATIC && json_object_get(value, KEYS[i]) != NULL) {
            reading_misfit(reading, KEYS[i],
                           "expected nothing: a static row is counted, not carried out");
        }
    }
    const bool fixed = row->op == EFFECT_MONSTER_BONUS && reading->kind == KIND_MONSTER;
    if ((row->flags & ROW_FIXED) != 0 && !fixed) {
        reading_misfit(reading, "fixed", "expected it with monster_bonus on monster alone");
    }
    if (json_object_get(value, "once") != NULL) {
        reading_misfit(reading, "once", "expected nothing: no op heeds it");
    }
}

// Ops whose `cards` say something; others have it from a trigger or a target.
static void check_cards(struct reading *reading, const json_t *value, const struct row *row,
                        uint32_t facts)
{
    const bool uses = (effect_schema(row->op)->uses & USES_CARDS) != 0;
    const bool by_target = row->target >= ON_OWN_ITEM;
    const bool lasts = row->op == EFFECT_LASTING;
    const unsigned op = lasts ? (unsigned)row->a : row->op;
    const int what = lasts ? row->b : row->a;
    const bool by_word = op == EFFECT_EXCLUDE
                             ? what == EX_ITEMS || what == EX_ENHANCERS || what == EX_BONUSES
                             : (op != EFFECT_BARS && !lasts) || what == BAR_ITEMS;
    const bool lost = (facts & FACT_LOST) != 0;
    if (json_object_get(value, "cards") != NULL && !((uses && by_word) || by_target || lost)) {
        reading_misfit(reading, "cards", "expected nothing: %s does not heed it",
                       effect_name(row->op));
    }
    const bool wants = row->op == EFFECT_LOSE || row->op == EFFECT_TAKE || row->op == EFFECT_GIVE ||
                       row->op == EFFECT_IMMUNE || row->op == EFFECT_THEFT_SHIELD ||
                       row->op == EFFECT_DISCARD_OR;
    const bool retrieves = row->op == EFFECT_RETRIEVE;
    const bool said = json_object_get(value, "cards") != NULL;
    if (row->filter == 0 && !said && ((wants && !by_target) || retrieves)) {
        reading_misfit(reading, "cards", "expected which cards, found nothing");
        return;
    }
    const unsigned place =
        row->filter != 0 ? reading->catalog->filters[row->filter - 1].place : PLACE_OWN;
    if (retrieves && place < PLACE_DOOR_DISCARD) {
        reading_misfit(reading, "cards",
                       "expected with retrieve a place among the discards, found %s",
                       word_name(WORDS_PLACE, place));
    }
    if (row->op == EFFECT_REMOVE_MONSTER && row->filter != 0 && place != PLACE_FIGHT) {
        reading_misfit(reading, "cards", "expected with remove_monster the place %s, found %s",
                       word_name(WORDS_PLACE, PLACE_FIGHT), word_name(WORDS_PLACE, place));
    }
}

int row_amount_most(const struct amount *amount)
{
    int most = INT_MAX;
    switch ((enum amount_source)amount->source) {
    case SRC_CONST:
        most = amount->base;
        break;
    case SRC_DIE:
    case SRC_HALF_DIE:
        most = 6 * amount->k + amount->base;
        break;
    case SRC_PLAYERS:
        most = MB_SEATS_MAX * amount->k + amount->base;
        break;
    case SRC_MONSTERS:
        most = MB_MONSTERS_MAX * amount->k + amount->base;
        break;
    default:
        break;
    }
    return amount->cap > 0 && amount->cap < most ? amount->cap : most;
}

// Cards that somebody names are one list of a command.
static void check_named(struct reading *reading, const struct row *row)
{
    const bool names = row->op == EFFECT_GIVE || row->op == EFFECT_DISCARD_OR ||
                       row->op == EFFECT_TREASURE_FOR_DOOR ||
                       (row->op == EFFECT_LOSE && row->a == 0 && row->chooser != CHOOSE_ALL &&
                        row->chooser != CHOOSE_RANDOM);
    if (names && row_amount_most(&row->n) > MB_LIST_MAX) {
        reading_misfit(reading, "amount",
                       "expected at most %d cards to be named, by a cap if need be (MB_LIST_MAX)",
                       MB_LIST_MAX);
    }
}

// What an `if` asks of a roll, a Curse or a monster that is not there.
static void check_ifs(struct reading *reading, const struct row *row, uint32_t facts)
{
    for (unsigned i = 0; row->when != WHEN_STATIC && i < row->req_count; i++) {
        const struct requirement *req = &reading->catalog->reqs[row->first_req + i];
        uint32_t wants = 0;
        switch ((enum requirement_kind)req->kind) {
        case REQ_DIE_MIN:
        case REQ_ROLL_FAILED:
        case REQ_ROLL_OWN:
        case REQ_ROLL_FLIGHT:
            wants = FACT_ROLL;
            break;
        case REQ_CURSE_OWN:
        case REQ_CURSE_KICKED:
        case REQ_CURSE_PLAYED:
            wants = FACT_CURSE;
            break;
        default:
            break;
        }
        if (wants != 0 && (facts & (wants | FACT_THREAT)) == 0) {
            reading_misfit(reading, "if", "expected %s at %s alone, found it at %s",
                           word_name(WORDS_REQUIREMENT, req->kind),
                           wants == FACT_ROLL ? "answer_roll" : "answer_curse",
                           word_name(WORDS_TRIGGER, row->when));
        }
    }
}

// To whom it happens, and what an enhancer puts in the place of its monster's rows.
static void check_range(struct reading *reading, const struct row *row)
{
    const bool monsters_own = row->when == WHEN_ABILITY && reading->kind != KIND_MONSTER;
    if (row->whose != WHOSE_SELF && (!applies_whose(row->when) || monsters_own)) {
        reading_misfit(
            reading, "whose",
            "expected it at fight_end, fight_won, turn_end, level_gained, own_kill, dies "
            "or rolled, or at a monster's ability, found %s",
            word_name(WORDS_TRIGGER, row->when));
    } else if (row->when == WHEN_DIES && row->whose == WHOSE_SELF) {
        reading_misfit(reading, "whose", "expected others or anyone, as the dead lose the card");
    }
    if ((row->flags & ROW_INSTEAD) != 0 &&
        (reading->kind != KIND_ENHANCER || row->when == WHEN_STATIC)) {
        reading_misfit(reading, "instead",
                       "expected it at bad_stuff, escaped, killed or leaves of an enhancer alone");
    }
    // Who sacrifices asks the monsters alone, and an enhancer its monster.
    const bool enhancer = row->op == EFFECT_EXCLUDE && reading->kind == KIND_ENHANCER;
    const bool lasts = row->op == EFFECT_LASTING && row->a == EFFECT_EXCLUDE;
    const int what = lasts ? row->b : row->a;
    if (((enhancer || lasts) && what == EX_SACRIFICE) || (lasts && what == EX_ENHANCERS)) {
        reading_misfit(reading, lasts ? "effect_arg" : "what", "expected it on monster%s, found %s",
                       what == EX_ENHANCERS ? " or enhancer" : "",
                       word_name(WORDS_EXCLUSION, (unsigned)what));
    }
    const bool foe = kind_is_foe(reading->kind);
    if (row->op == EFFECT_MOVE && row->when == WHEN_PLAY && row->a != 2) {
        // A card that being played brings to somebody could be played again, and so for ever.
        reading_misfit(reading, "object", "expected target at play");
    } else if (row->op == EFFECT_MOVE && row->a == 0 && (foe || row->b == GOAL_NEXT_FIGHT)) {
        reading_misfit(reading, "object", "expected this_monster, found this_card");
    } else if (row->op == EFFECT_MOVE && row->a == 1 && !foe) {
        reading_misfit(reading, "object", "expected this_card or target, found this_monster");
    } else if (row->op == EFFECT_MOVE && (row->a == 2) != (row->target == ON_MONSTER)) {
        reading_misfit(reading, "target", "expected monster with \"object\": \"target\" alone");
    }
}

void row_check(struct reading *reading, const json_t *value, const struct row *row)
{
    const uint32_t misfits = reading->misfits;
    if (effect_schema(row->op)->counted != (row->when == WHEN_STATIC)) {
        return; // said already
    }
    check_counted(reading, row);
    check_moment(reading, row);
    if (reading->misfits != misfits) {
        return; // the rest depends on it
    }
    const uint32_t facts = applies_facts(reading->kind, row->when, 0);
    check_word(reading, row, HEEDS_WHO, "who", row->who);
    check_who(reading, row, facts);
    check_word(reading, row, HEEDS_CHOOSER, "chooser", row->chooser);
    check_target(reading, row, facts);
    check_until(reading, row);
    check_own_item(reading, row);
    check_static_flags(reading, value, row);
    check_cards(reading, value, row, facts);
    check_named(reading, row);
    check_ifs(reading, row, facts);
    if (row->limit != SCOPE_NONE && row->when != WHEN_STATIC &&
        !applies_limit(reading->kind, row->when)) {
        reading_misfit(reading, "limit", "expected nothing: %s comes but once",
                       word_name(WORDS_TRIGGER, row->when));
    }
    check_range(reading, row);
    if ((row->flags & ROW_MAY) != 0 && row->op == EFFECT_SAVE) {
        reading_misfit(reading, "may", "expected nothing: save is offered anyway");
    }
}

// Whether somebody chooses of a hand that no row before it has shown.
static bool chooses_blindly(const struct reading *reading, const struct row *rows, unsigned at)
{
    const struct row *const row = &rows[at];
    const bool other = row->chooser == CHOOSE_PLAYER || row->chooser == CHOOSE_LEFT ||
                       row->chooser == CHOOSE_NEIGHBOURS;
    bool shown = false;
    for (unsigned i = 0; i < at; i++) {
        shown = shown || (rows[i].op == EFFECT_SHOW_HAND && rows[i].when == row->when &&
                          rows[i].who == row->who && rows[i].req_count == 0);
    }
    return row->op == EFFECT_LOSE && other && !shown &&
           filter_looks_into_hand(reading->catalog, row->filter);
}

static bool laid_down(const struct row *rows, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        const unsigned op = rows[i].op;
        if (op == EFFECT_STAY || op == EFFECT_ATTACH || op == EFFECT_MATE ||
            (op == EFFECT_MOVE && rows[i].b == GOAL_TABLE)) {
            return true;
        }
    }
    return false;
}

void rows_check_card(struct reading *reading, const struct card_def *def)
{
    const struct row *rows = reading->catalog->rows + def->first_row;
    const bool lies = !applies_must_stay(def->kind) || (def->flags & DEF_STAYS) != 0 ||
                      laid_down(rows, def->row_count);
    bool plays = false;
    for (unsigned i = 0; i < def->row_count; i++) {
        const struct row *row = &rows[i];
        if (!lies && applies_in_play(row->when)) {
            reading_misfit(reading, "stays",
                           "expected true, as %s acts in play (or a row stay or attach)",
                           effect_name(row->op));
            return;
        }
        if (chooses_blindly(reading, rows, i)) {
            reading_misfit(reading, "chooser",
                           "expected a row show_hand before it, as %s cannot choose of an unseen "
                           "hand",
                           word_name(WORDS_CHOOSER, row->chooser));
            return;
        }
        plays |= row->when == WHEN_PLAY;
        const uint32_t facts = applies_facts(def->kind, row->when, def->timing);
        if (row->when == WHEN_PLAY && !applies_enough(row->op, facts)) {
            reading_misfit(reading, "play",
                           "expected fight, own_fight, others_fight or any_time, as %s is done in "
                           "a fight",
                           effect_name(row->op));
            return;
        }
    }
    if (plays && def->timing == 0) {
        reading_misfit(reading, "play", "expected when it may be played, found nothing");
    }
    if (def->kind == KIND_CURSE && def->row_count == 0) {
        reading_misfit(reading, "rows", "expected what it does to its victim, found nothing");
    }
}
