/*
 * The language keeps its word: what the loader accepts is done, what it refuses is named.
 *
 * Every kind x trigger x op that core/card/applies.h accepts is made a card, played through stories
 * on a laid-out table, and must leave another trace than the same card without the row. Words that
 * an op heeds are tried one after the other: each must change the trace and the sentence.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/card/applies.h"
#include "core/card/box.h"
#include "core/card/effect_schema.h"

#include "tests/core/codec/laid_table.h"
#include "tests/support/test.h"

enum { CARD_SIZE = 900, ROW_SIZE = 400, NAMES_MAX = 40 };

/** What a row of the op needs beside `when`. */
static const char *const ARGUMENTS[EFFECT_TOTAL] = {
    [EFFECT_BONUS] = "'amount':3",
    [EFFECT_MONSTER_BONUS] = "'amount':3",
    [EFFECT_TREASURES] = "'amount':2",
    [EFFECT_KILL_LEVELS] = "'amount':1",
    [EFFECT_RUN_BONUS] = "'amount':3",
    [EFFECT_ROLL_BONUS] = "'amount':3",
    [EFFECT_HAND_LIMIT] = "'amount':3",
    [EFFECT_BIG_LIMIT] = "'amount':2",
    [EFFECT_HANDS] = "'amount':2",
    [EFFECT_META] = "'meta':'theft'",
    [EFFECT_SECOND] = "'kind':'class'",
    [EFFECT_RANK] = "'amount':3",
    [EFFECT_TRAIT] = "'trait':'Baker'",
    [EFFECT_ADD_TAG] = "'tag':'undead'",
    [EFFECT_EXCLUDE] = "'what':'items'",
    [EFFECT_IMMUNE] = "'cards':{'place':'equipped'}",
    [EFFECT_FOLLOWER_LIMIT] = "'amount':2",
    [EFFECT_BARS] = "'what':'be_helped'",
    [EFFECT_LEVEL_IS] = "'amount':9",
    [EFFECT_SIDE_BONUS] = "'amount':3",
    [EFFECT_SLOT_LOSS] = "'slot':'hand'",
    [EFFECT_THEFT_SHIELD] = "'cards':{'place':'table'}",
    [EFFECT_SELL_BONUS] = "'amount':900",
    [EFFECT_THROWN_BONUS] = "'amount':2",
    [EFFECT_LEVEL_FLOOR] = "'amount':9},{'do':'monster_bonus','amount':-9",
    [EFFECT_ENHANCERS_COUNT] = "'times':3",
    [EFFECT_NO_PURSUE] = "'if':[{'level_max':9}]",
    [EFFECT_LEVEL] = "'amount':-1",
    [EFFECT_LEVEL_SET] = "'amount':6",
    [EFFECT_LOSE] = "'cards':{'place':'equipped'}",
    [EFFECT_DRAW] = "'deck':'door'",
    [EFFECT_TAKE] = "'who':'left','cards':{'place':'table'}",
    [EFFECT_GIVE] = "'who':'left','cards':{'place':'table'}",
    [EFFECT_TRAIT_CHANGE] = "'kind':'class'",
    [EFFECT_LASTING] = "'effect':'bonus','amount':2,'until':'always'",
    [EFFECT_SWAP_HANDS] = "'who':'left'",
    [EFFECT_SUFFER] = "'what':'curse'",
    [EFFECT_HAND_OR_LEVELS] = "'amount':1",
    [EFFECT_DISCARD_OR] = "'amount':1,'cards':{'place':'own'}},{'when':'%s','do':'nothing'",
    [EFFECT_TREASURE_FOR_DOOR] = "'amount':1,'cards':{'place':'own'}",
    [EFFECT_CHOICE] = "'if':[]},{'when':'%s','then':true,'do':'level','amount':-1",
    [EFFECT_ROLL] = "'if':[]},{'when':'%s','do':'level','amount':-1,'if':[{'rolled_min':2}]",
    [EFFECT_DRAW_HERE] = "'amount':2",
    [EFFECT_ROB] = "'target':'other','cards':{'place':'table'}",
    [EFFECT_REMOVE_MONSTER] = "'which':'all'",
    [EFFECT_THEFT] = "'target':'others_item','cards':{'item':'permanent'}",
    [EFFECT_RETRIEVE] = "'target':'discard','cards':{'place':'discards'}",
    [EFFECT_COPY_ABILITY] = "'target':'others_trait'",
    [EFFECT_MARK_DOUBLE] = "'target':'own_item','cards':{'place':'table'}",
    [EFFECT_LEVEL_STEAL] = "'target':'other'",
    [EFFECT_MATE] = "'target':'monster'",
    [EFFECT_SWAP_MONSTER] = "'target':'monster'",
    [EFFECT_MOVE] = "'to':'hand','who':'left'",
    [EFFECT_REWARD] = "'what':'levels','amount':1",
    [EFFECT_FORCE_HELP] = "'who':'right'",
    [EFFECT_WIN_BY_ITEM] = "'target':'others_item','cards':{'item':'permanent'}",
};

/** Of what is accepted every so manieth is played, from one run to the next the same; "all": every
 * one. */
static unsigned share = 5;

static struct laid_table *table;

static bool is_used(unsigned when)
{
    return when == WHEN_ABILITY || when_answers(when) || when == WHEN_BEFORE_ROLL;
}

static bool is_threat(unsigned when)
{
    return when >= WHEN_WOULD_LOSE_LEVEL && when <= WHEN_WOULD_DIE;
}

// What such a card is, but for its rows.
static int begin_card(char *out, unsigned kind, unsigned when)
{
    static const char *const FIGURES[KIND_TOTAL] = {
        [KIND_MONSTER] = ",'level':3,'treasures':2",
        [KIND_POWER] = ",'rank':1",
        [KIND_ITEM] = ",'slot':'none','gold':100",
        [KIND_ENHANCER] = ",'bonus':1",
        [KIND_FOLLOWER] = ",'bonus':1",
        [KIND_ONESHOT] = ",'bonus':1",
    };
    const char *more = FIGURES[kind] != NULL ? FIGURES[kind] : "";
    if (applies_must_stay(kind) && applies_in_play(when)) {
        more = kind == KIND_DOOR ? ",'stays':true,'play':['own_turn']" : ",'stays':true";
    } else if ((when == WHEN_PLAY && (applies_reach(WHEN_PLAY) >> kind & 1u) != 0) ||
               (kind == KIND_DOOR && when == WHEN_DRAWN)) {
        more = ",'play':['any_time']";
    } else if (kind == KIND_ONESHOT && when != WHEN_FIGHT_END) {
        more = "";
    } else if (kind == KIND_DOOR || kind == KIND_TREASURE) {
        more = ",'play':['answer']";
    }
    return snprintf(out, CARD_SIZE, "{'name':'X','kind':'%s','pronoun':null%s,'rows':[",
                    word_name(WORDS_KIND, kind), more);
}

static const char *range_of(unsigned when)
{
    return when == WHEN_DIES ? "'whose':'others'," : when == WHEN_ROLLED ? "'whose':'anyone'," : "";
}

static void add_row(char *card, unsigned kind, unsigned when, unsigned op, const char *arguments)
{
    const bool lies = ((applies_reach(WHEN_WOULD_DIE) & ~(1u << KIND_TREASURE)) >> kind & 1u) != 0;
    const bool named =
        when == WHEN_ABILITY || (is_used(when) && lies) || (kind == KIND_MONSTER && is_used(when));
    char filled[ROW_SIZE];
    (void)snprintf(filled, sizeof filled, "%s", arguments);
    char *const mark = strstr(filled, "%s");
    if (mark != NULL) { // a further row of the same trigger
        char rest[ROW_SIZE];
        (void)snprintf(rest, sizeof rest, "%s", mark + 2);
        (void)snprintf(mark, (size_t)(filled + sizeof filled - mark), "%s%s%s%s",
                       word_name(WORDS_TRIGGER, when), named ? "','ability':'Trick" : "",
                       when == WHEN_DIES     ? "','whose':'others"
                       : when == WHEN_ROLLED ? "','whose':'anyone"
                                             : "",
                       rest);
    }
    const size_t length = strlen(card);
    (void)snprintf(card + length, CARD_SIZE - length, "%s{'when':'%s',%s'do':'%s'%s%s%s}",
                   card[length - 1] == '[' ? "" : ",", word_name(WORDS_TRIGGER, when),
                   range_of(when), effect_name(op), named ? ",'ability':'Trick'" : "",
                   filled[0] != '\0' ? "," : "", filled);
}

// A card with the row, or (op EFFECT_TOTAL) without it.
static void make_card(char card[CARD_SIZE], unsigned kind, unsigned when, unsigned op,
                      const char *arguments)
{
    (void)begin_card(card, kind, when);
    char *const null = strstr(card, ",'pronoun':null");
    memmove(null, null + 15, strlen(null + 15) + 1);
    if (when == WHEN_LEAVES && kind == KIND_MONSTER) {
        add_row(card, kind, WHEN_STATIC, EFFECT_LEAVES_FOR, "");
    }
    if (is_threat(when) && applies(kind, when, EFFECT_SAVE) && op != EFFECT_SAVE &&
        op != EFFECT_TOTAL) {
        add_row(card, kind, when, EFFECT_SAVE, "");
    }
    if (op != EFFECT_TOTAL) {
        add_row(card, kind, when, op, arguments);
    }
    const size_t length = strlen(card);
    (void)snprintf(card + length, CARD_SIZE - length, "]}");
}

static const char *arguments_of(unsigned op, unsigned kind, unsigned when)
{
    const bool foe = kind_is_foe(kind);
    if (op == EFFECT_CANCEL && when == WHEN_PLAY) {
        return "'target':'lasting_curse'";
    }
    if (op == EFFECT_SWAP_MONSTER && when == WHEN_ABILITY) {
        return "'cards':{'place':'hand'}";
    }
    if (op == EFFECT_BONUS && foe) {
        return "'who':'fighters','amount':-3";
    }
    if (op == EFFECT_MOVE && when == WHEN_PLAY) {
        return "'object':'target','target':'monster','to':'next_fight','who':'left'";
    }
    if (op == EFFECT_MOVE && foe) {
        return "'object':'this_monster','to':'hand','who':'left'";
    }
    if (op == EFFECT_MOVE && when == WHEN_FIGHT_END && kind == KIND_ONESHOT) {
        return "'to':'hand','who':'left'";
    }
    return ARGUMENTS[op] != NULL ? ARGUMENTS[op] : "";
}

// A row that does nothing, in the place of one that does: used, paid and aimed alike.
static void make_idle(char card[CARD_SIZE], unsigned kind, unsigned when, const char *arguments)
{
    char aim[64] = "";
    const char *const target = strstr(arguments, "'target':'");
    if (target != NULL) {
        const char *const end = strchr(target + 10, '\'');
        (void)snprintf(aim, sizeof aim, "%.*s", (int)(end + 1 - target), target);
    }
    make_card(card, kind, when, EFFECT_NOTHING, aim);
}

static bool differs_so(const char *with, const char *without, bool counted)
{
    for (unsigned story = 0; story < STORY_TOTAL; story++) {
        for (unsigned use = 0; use < USE_TOTAL; use++) {
            if (laid_trace(table, with, (enum story)story, (enum use_at)use, counted) !=
                laid_trace(table, without, (enum story)story, (enum use_at)use, counted)) {
                return true;
            }
        }
    }
    return false;
}

// "'level':3," becomes "'level':40,", in place.
static void raise_level(char *level)
{
    char *const digit = level + strlen("'level':");
    memmove(digit + 1, digit, strlen(digit) + 1);
    digit[0] = '4';
    digit[1] = '0';
}

// A monster is tried as one that is beaten, and as one that is not.
static bool differs(char with[CARD_SIZE], char without[CARD_SIZE], bool counted)
{
    char *const level = strstr(with, "'level':3,'tr");
    char *const other = strstr(without, "'level':3,'tr");
    if (differs_so(with, without, counted)) {
        return true;
    }
    if (level == NULL || other == NULL) {
        return false;
    }
    raise_level(level);
    raise_level(other);
    return differs_so(with, without, counted);
}

enum { WHY_SIZE = 320, COMBINATIONS = (int)KIND_TOTAL * (int)TRIGGER_TOTAL * EFFECT_TOTAL };

static void test_what_is_accepted_is_done(void **state)
{
    (void)state;
    char with[CARD_SIZE];
    char without[CARD_SIZE];
    unsigned idle = 0;
    unsigned played = 0;
    for (unsigned i = 0; i < COMBINATIONS; i++) {
        const unsigned kind = i / EFFECT_TOTAL / TRIGGER_TOTAL;
        const unsigned when = i / EFFECT_TOTAL % TRIGGER_TOTAL;
        const unsigned op = i % EFFECT_TOTAL;
        if (!applies(kind, when, op) || op == EFFECT_NOTHING) {
            continue;
        }
        const bool thrown = kind == KIND_ONESHOT && when == WHEN_FIGHT_END;
        const bool still = when == WHEN_STATIC || op == EFFECT_SAVE || thrown;
        make_card(with, kind, when, op, arguments_of(op, kind, when));
        if (still) {
            make_card(without, kind, kind == KIND_CURSE ? WHEN_TURN_END : when,
                      kind == KIND_CURSE ? EFFECT_NOTHING : EFFECT_TOTAL, "");
        } else {
            make_idle(without, kind, when, arguments_of(op, kind, when));
        }
        if (played++ % share != 0) {
            continue;
        }
        if (!differs(with, without, still)) {
            idle++;
            print_message("never done: %s\n", with);
        }
    }
    print_message("%u kinds x triggers x ops\n", played);
    assert_int_equal(idle, 0);
    assert_true(played > 4000);
}

/* What is refused. */

// The words of a table that a sentence names between "expected" and "found".
static unsigned named(const char *why, enum word_table words, unsigned out[NAMES_MAX])
{
    const char *const end = strstr(why, ", found");
    unsigned count = 0;
    for (unsigned i = 0; end != NULL && i < word_count(words); i++) {
        const char *const word = word_name(words, i);
        const size_t length = strlen(word);
        for (const char *at = strstr(why, word); at != NULL && at < end;
             at = strstr(at + 1, word)) {
            const bool whole = at[-1] == ' ' && strchr(" ,", at[length]) != NULL;
            if (whole && (count == 0 || out[count - 1] != i)) {
                out[count++] = i;
            }
        }
    }
    return count;
}

// A sentence names a trigger or a kind with which the same row is read.
static void check_sentence(char card[CARD_SIZE], const char *why, unsigned kind, unsigned op)
{
    char other[WHY_SIZE] = "";
    unsigned words[NAMES_MAX];
    const char *const sentence = strstr(why, "expected");
    const bool lasting = effect_schema(op)->counted && strstr(why, "lasting") != NULL;
    assert_non_null(sentence);
    bool does = false;
    unsigned count = named(sentence, WORDS_TRIGGER, words);
    for (unsigned i = 0; i < count; i++) { // at another trigger, on the same kind
        make_card(card, kind, words[i], op, arguments_of(op, kind, words[i]));
        does |= laid_reads(table, card, other, sizeof other);
    }
    count = named(sentence, WORDS_KIND, words);
    for (unsigned i = 0; i < count && !does; i++) { // or on another kind
        for (unsigned w = 0; w < TRIGGER_TOTAL && !does; w++) {
            make_card(card, words[i], w, op, arguments_of(op, words[i], w));
            does = laid_reads(table, card, other, sizeof other);
        }
    }
    if (lasting && !does) {
        (void)snprintf(card, CARD_SIZE,
                       "{'name':'X','kind':'curse','rows':[{'when':'strike','do':"
                       "'lasting','effect':'%s','amount':1,'until':'fight'}]}",
                       effect_name(op));
        does = laid_reads(table, card, other, sizeof other);
    }
    if (!does) {
        fail_msg("nothing named would do: %s; %s: %s", why, card, other);
    }
}

static void test_what_is_refused_names_what_would_do(void **state)
{
    (void)state;
    char card[CARD_SIZE];
    char why[WHY_SIZE];
    unsigned refused = 0;
    for (unsigned i = 0; i < COMBINATIONS; i++) {
        const unsigned kind = i / EFFECT_TOTAL / TRIGGER_TOTAL;
        const unsigned when = i / EFFECT_TOTAL % TRIGGER_TOTAL;
        const unsigned op = i % EFFECT_TOTAL;
        if (op == EFFECT_MONSTER_FACE || effect_schema(op)->counted != (when == WHEN_STATIC)) {
            continue;
        }
        if (kind == KIND_SECOND && when != WHEN_STATIC) {
            continue; // it lies there for one thing
        }
        make_card(card, kind, when, op, arguments_of(op, kind, when));
        const bool reads = laid_reads(table, card, why, sizeof why);
        if (reads != applies(kind, when, op)) {
            fail_msg("%s: %s", card, reads ? "read" : why);
        }
        if (reads) {
            continue;
        }
        refused++;
        check_sentence(card, why, kind, op);
    }
    assert_true(refused > 500);
}

/* Words. */

enum { WORDS_MAX = 32, SAYS_SIZE = 1024 };

/** A word of a row tried in all its values, on a kind at a trigger that has them all. */
struct trial {
    unsigned kind, when, op, seat;
    const char *key, *rest;
    enum word_table table;
    uint32_t words; /**< bits; the first one is what the others are compared with */
    bool counted;
};

static void make_trial(char card[CARD_SIZE], const struct trial *trial, unsigned word)
{
    char arguments[ROW_SIZE];
    (void)snprintf(arguments, sizeof arguments, "'%s':'%s'%s%s", trial->key,
                   word_name(trial->table, word), trial->rest[0] != '\0' ? "," : "", trial->rest);
    make_card(card, trial->kind, trial->when, trial->op, arguments);
}

// Each word has its own sentence, and another outcome than the first.
static unsigned try_words(const struct trial *trial)
{
    static char says[WORDS_MAX][SAYS_SIZE];
    char card[CARD_SIZE];
    char first[CARD_SIZE] = "";
    unsigned failed = 0;
    laid_victim(table, trial->seat);
    for (unsigned word = 0; word < word_count(trial->table); word++) {
        says[word][0] = '\0';
        if ((trial->words >> word & 1u) == 0) {
            continue;
        }
        make_trial(card, trial, word);
        laid_says(table, card, says[word], SAYS_SIZE);
        for (unsigned other = 0; other < word; other++) {
            if (strcmp(says[word], says[other]) == 0) {
                print_message("said alike: %s\n  %s\n", card, says[word]);
                failed++;
            }
        }
        if (first[0] == '\0') {
            memcpy(first, card, sizeof first);
        } else if (!differs(card, first, trial->counted)) {
            print_message("done alike: %s\n", card);
            failed++;
        }
    }
    laid_victim(table, 0);
    return failed;
}

static const char *rest_of(unsigned op)
{
    switch (op) {
    case EFFECT_LEVEL:
        return "'amount':-1";
    case EFFECT_LEVEL_SET:
        return "'amount':6";
    case EFFECT_LOSE:
    case EFFECT_TAKE:
    case EFFECT_GIVE:
        return "'cards':{'place':'table','item':'any'}";
    case EFFECT_TRAIT_CHANGE:
        return "'kind':'class'";
    case EFFECT_LASTING:
        return "'effect':'bonus','amount':2,'until':'always'";
    case EFFECT_SUFFER:
        return "'what':'curse'";
    case EFFECT_MOVE:
        return "'to':'hand'";
    case EFFECT_HAND_OR_LEVELS:
        return "'amount':1";
    default:
        return "";
    }
}

// A Curse on who stands aside: every other word means somebody else.
static void test_who_means_somebody_else(void **state)
{
    (void)state;
    enum { EVE = 4 };
    unsigned failed = 0;
    for (unsigned op = EFFECT_LEVEL; op < EFFECT_TOTAL; op++) {
        const uint32_t words = applies_words(op, HEEDS_WHO);
        const uint32_t asked = 1u << WHO_TARGET | 1u << WHO_OTHERS_WITH | 1u << WHO_EVERYONE_WITH;
        const struct trial trial = {.kind = KIND_CURSE,
                                    .when = WHEN_STRIKE,
                                    .op = op,
                                    .seat = EVE,
                                    .key = "who",
                                    .rest = rest_of(op),
                                    .table = WORDS_SELECTOR,
                                    .words = words & ~asked};
        const bool plain = op != EFFECT_FORCE_HELP && op != EFFECT_NOTHING && op != EFFECT_ROLL &&
                           op != EFFECT_TRAIT_CHANGE;
        if (words != 1u && plain && applies(KIND_CURSE, WHEN_STRIKE, op)) {
            failed += try_words(&trial);
        }
    }
    assert_int_equal(failed, 0);
}

static void test_chooser_until_and_arguments_make_a_difference(void **state)
{
    (void)state;
    static const char WORN[] = "'cards':{'place':'table','item':'permanent'}";
    const struct trial TRIALS[] = {
        {KIND_CURSE, WHEN_STRIKE, EFFECT_LOSE, 0, "chooser", WORN, WORDS_CHOOSER,
         applies_words(EFFECT_LOSE, HEEDS_CHOOSER), false},
        {KIND_CURSE, WHEN_STRIKE, EFFECT_TAKE, 0, "chooser", "'who':'left','cards':{'place':'own'}",
         WORDS_CHOOSER, applies_words(EFFECT_TAKE, HEEDS_CHOOSER), false},
        {KIND_ONESHOT, WHEN_PLAY, EFFECT_ROB, 0, "chooser",
         "'target':'other','cards':{'place':'own'}", WORDS_CHOOSER,
         applies_words(EFFECT_ROB, HEEDS_CHOOSER), false},
        {KIND_CURSE, WHEN_STRIKE, EFFECT_LASTING, 0, "until", "'effect':'bonus','amount':2",
         WORDS_DURATION, applies_words(EFFECT_LASTING, HEEDS_UNTIL) & ~1u, false},
        {KIND_ONESHOT, WHEN_PLAY, EFFECT_LEVEL, 0, "target", "'who':'target','amount':-1",
         WORDS_TARGET, 1u << ON_PLAYER | 1u << ON_OTHER | 1u << ON_FIGHTER | 1u << ON_OTHER_FIGHTER,
         true},
        {KIND_ONESHOT, WHEN_PLAY, EFFECT_DRAW, 0, "deck", "", WORDS_DECK, 3, false},
        {KIND_CURSE, WHEN_STRIKE, EFFECT_TAKE, 0, "to",
         "'who':'left','cards':{'place':'table','item':'any'}", WORDS_TO, 3, false},
        {KIND_CURSE, WHEN_STRIKE, EFFECT_SUFFER, 0, "what", "", WORDS_SUFFER, 3, false},
        {KIND_MONSTER, WHEN_ENTER, EFFECT_REMOVE_MONSTER, 0, "which", "", WORDS_WHICH, 3, false},
        {KIND_MONSTER, WHEN_ENTER, EFFECT_REMOVE_MONSTER, 0, "outcome", "", WORDS_REMOVAL,
         1u << REMOVE_BY_HOUSE | 1u << REMOVE_PAYS | 1u << REMOVE_KILL | 1u << REMOVE_AND_LOOT,
         false},
        {KIND_ITEM, WHEN_STATIC, EFFECT_META, 0, "meta", "", WORDS_META, 7, true},
        {KIND_ITEM, WHEN_STATIC, EFFECT_BARS, 0, "what", "", WORDS_BAR,
         1u << BAR_BE_HELPED | 1u << BAR_ITEMS | 1u << BAR_PLAY, true},
        {KIND_MONSTER, WHEN_STATIC, EFFECT_EXCLUDE, 0, "what", "", WORDS_EXCLUSION,
         (1u << EXCLUSION_TOTAL) - 1u, true},
        {KIND_ITEM, WHEN_STATIC, EFFECT_SLOT_LOSS, 0, "slot", "", WORDS_SLOT,
         1u << SLOT_HEADGEAR | 1u << SLOT_ARMOR | 1u << SLOT_FOOTGEAR | 1u << SLOT_HAND, true},
    };
    unsigned failed = 0;
    for (size_t i = 0; i < sizeof TRIALS / sizeof TRIALS[0]; i++) {
        failed += try_words(&TRIALS[i]);
    }
    assert_int_equal(failed, 0);
}

static int open_table(void **state)
{
    (void)state;
    table = laid_open();
    return 0;
}

static int close_table(void **state)
{
    (void)state;
    laid_close(table);
    return 0;
}

int main(int argc, char **argv)
{
    share = argc > 1 && strcmp(argv[1], "all") == 0 ? 1 : share;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_refused_names_what_would_do),
        cmocka_unit_test(test_who_means_somebody_else),
        cmocka_unit_test(test_chooser_until_and_arguments_make_a_difference),
        cmocka_unit_test(test_what_is_accepted_is_done),
    };
    return cmocka_run_group_tests_name("applies", tests, open_table, close_table);
}
