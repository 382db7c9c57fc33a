#include "core/words/words.h"

#include <string.h>

#include "core/card/card.h"

#define WORD(id, name) [id] = #name,
static const char *const KIND[] = {
#include "core/words/kind.def"
};
static const char *const SLOT[] = {
#include "core/words/slot.def"
};
static const char *const TRIGGER[] = {
#include "core/words/trigger.def"
};
static const char *const SELECTOR[] = {
#include "core/words/selector.def"
};
static const char *const SOURCE[] = {
#include "core/words/source.def"
};
static const char *const REQUIREMENT[] = {
#include "core/words/requirement.def"
};
static const char *const RANGE[] = {
#include "core/words/range.def"
};
static const char *const DURATION[] = {
#include "core/words/duration.def"
};
static const char *const CHOOSER[] = {
#include "core/words/chooser.def"
};
static const char *const PLACE[] = {
#include "core/words/place.def"
};
static const char *const SCOPE[] = {
#include "core/words/scope.def"
};
static const char *const TIMING[] = {
#include "core/words/timing.def"
};
static const char *const TARGET[] = {
#include "core/words/target.def"
};
static const char *const EXCLUSION[] = {
#include "core/words/exclusion.def"
};
static const char *const BAR[] = {
#include "core/words/bar.def"
};
static const char *const REMOVAL[] = {
#include "core/words/removal.def"
};
static const char *const WHOSE[] = {
#include "core/words/whose.def"
};
static const char *const GOAL[] = {
#include "core/words/goal.def"
};
#undef WORD

static const char *const DECK[] = {[DECK_DOOR] = "door", [DECK_TREASURE] = "treasure"};
static const char *const META[] = {"flight", "theft", "hq", "identity"};
static const char *const TO[] = {"table", "hand", "same"};
static const char *const WHICH[] = {"target", "all"};
static const char *const ESCAPE[] = {"this", "all"};
static const char *const SUFFER[] = {"curse", "monster"};
static const char *const SIZE[] = {"small", "big"};
static const char *const ITEM[] = {"any", "permanent", "none"};
static const char *const SEX[] = {"male", "female"};
static const char *const SORT[] = {"hireling", "comrade", "sidekick"};
static const char *const NUMBER[] = {"singular", "plural"};
static const char *const PRONOUN[] = {"it", "he", "she", "they"};
static const char *const OBJECT[] = {"this_card", "this_monster", "target"};
static const char *const ATTACHED[] = {"bears", "lies"};
static const char *const SIDE[] = {"players", "monsters"};
static const char *const ALTERNATIVE[] = {"spared", "suffered"};
static const char *const REWARD[] = {"levels", "treasures"};
static const char *const SIDES[] = {"players", "monsters", "either"};

struct table {
    const char *name;
    const char *const *words;
    unsigned count;
};

#define TABLE(id, title, array)                                                                    \
    [WORDS_##id] = {title, array, (unsigned)(sizeof(array) / sizeof((array)[0]))}
static const struct table TABLES[] = {
    TABLE(KIND, "kind", KIND),
    TABLE(SLOT, "slot", SLOT),
    TABLE(TRIGGER, "trigger", TRIGGER),
    TABLE(SELECTOR, "selector", SELECTOR),
    TABLE(SOURCE, "source", SOURCE),
    TABLE(REQUIREMENT, "requirement", REQUIREMENT),
    TABLE(RANGE, "range", RANGE),
    TABLE(DURATION, "duration", DURATION),
    TABLE(CHOOSER, "chooser", CHOOSER),
    TABLE(PLACE, "place", PLACE),
    TABLE(SCOPE, "scope", SCOPE),
    TABLE(TIMING, "timing", TIMING),
    TABLE(TARGET, "target", TARGET),
    TABLE(EXCLUSION, "exclusion", EXCLUSION),
    TABLE(BAR, "bar", BAR),
    TABLE(REMOVAL, "removal", REMOVAL),
    TABLE(WHOSE, "whose", WHOSE),
    TABLE(GOAL, "goal", GOAL),
    TABLE(DECK, "deck", DECK),
    TABLE(META, "meta", META),
    TABLE(TO, "to", TO),
    TABLE(WHICH, "which", WHICH),
    TABLE(ESCAPE, "escape", ESCAPE),
    TABLE(SUFFER, "suffer", SUFFER),
    TABLE(OBJECT, "object", OBJECT),
    TABLE(ATTACHED, "attached", ATTACHED),
    TABLE(SIDE, "side", SIDE),
    TABLE(REWARD, "reward", REWARD),
    TABLE(ALTERNATIVE, "alternative", ALTERNATIVE),
    TABLE(SIZE, "size", SIZE),
    TABLE(ITEM, "item", ITEM),
    TABLE(SEX, "sex", SEX),
    TABLE(SORT, "sort", SORT),
    TABLE(SIDES, "sides", SIDES),
    TABLE(NUMBER, "number", NUMBER),
    TABLE(PRONOUN, "pronoun", PRONOUN),
};
_Static_assert(sizeof(TABLES) / sizeof(TABLES[0]) == WORDS_TOTAL, "a table for every list");

unsigned word_count(enum word_table table)
{
    return TABLES[table].count;
}

const char *word_name(enum word_table table, unsigned number)
{
    return number < TABLES[table].count ? TABLES[table].words[number] : "?";
}

unsigned word_find(enum word_table table, const char *word)
{
    unsigned i = 0;
    while (i < TABLES[table].count && strcmp(TABLES[table].words[i], word) != 0) {
        i++;
    }
    return i;
}

const char *word_table_name(enum word_table table)
{
    return TABLES[table].name;
}
