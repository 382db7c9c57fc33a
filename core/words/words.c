#include "core/words/words.h"

#include <string.h>

#include "core/card/card.h"

struct word {
    const char *name, *help;
};

#define WORD(id, name, help) [id] = {#name, help},
static const struct word KIND[] = {
#include "core/words/kind.def"
};
static const struct word SLOT[] = {
#include "core/words/slot.def"
};
static const struct word TRIGGER[] = {
#include "core/words/trigger.def"
};
static const struct word SELECTOR[] = {
#include "core/words/selector.def"
};
static const struct word SOURCE[] = {
#include "core/words/source.def"
};
static const struct word REQUIREMENT[] = {
#include "core/words/requirement.def"
};
static const struct word RANGE[] = {
#include "core/words/range.def"
};
static const struct word DURATION[] = {
#include "core/words/duration.def"
};
static const struct word CHOOSER[] = {
#include "core/words/chooser.def"
};
static const struct word PLACE[] = {
#include "core/words/place.def"
};
static const struct word SCOPE[] = {
#include "core/words/scope.def"
};
static const struct word TIMING[] = {
#include "core/words/timing.def"
};
static const struct word TARGET[] = {
#include "core/words/target.def"
};
static const struct word EXCLUSION[] = {
#include "core/words/exclusion.def"
};
static const struct word BAR[] = {
#include "core/words/bar.def"
};
static const struct word REMOVAL[] = {
#include "core/words/removal.def"
};
static const struct word WHOSE[] = {
#include "core/words/whose.def"
};
static const struct word GOAL[] = {
#include "core/words/goal.def"
};
#undef WORD

static const struct word DECK[] = {[DECK_DOOR] = {"door", ""}, [DECK_TREASURE] = {"treasure", ""}};
static const struct word META[] = {{"flight", ""}, {"theft", ""}, {"hq", ""}, {"identity", ""}};
static const struct word TO[] = {{"table", ""}, {"hand", ""}, {"same", ""}};
static const struct word WHICH[] = {{"target", ""}, {"all", ""}};
static const struct word ESCAPE[] = {{"this", ""}, {"all", ""}};
static const struct word SUFFER[] = {{"curse", ""}, {"monster", ""}};
static const struct word SIZE[] = {{"small", ""}, {"big", ""}};
static const struct word ITEM[] = {{"any", ""}, {"permanent", ""}, {"none", ""}};
static const struct word SEX[] = {{"male", ""}, {"female", ""}};
static const struct word SORT[] = {{"hireling", ""}, {"comrade", ""}, {"sidekick", ""}};
static const struct word NUMBER[] = {{"singular", ""}, {"plural", ""}};
static const struct word PRONOUN[] = {{"it", ""}, {"he", ""}, {"she", ""}, {"they", ""}};
static const struct word OBJECT[] = {{"this_card", ""}, {"this_monster", ""}, {"target", ""}};
static const struct word ATTACHED[] = {{"bears", ""}, {"lies", ""}};
static const struct word SIDE[] = {{"players", ""}, {"monsters", ""}};
static const struct word ALTERNATIVE[] = {{"spared", ""}, {"suffered", ""}};
static const struct word REWARD[] = {{"levels", ""}, {"treasures", ""}};
static const struct word SIDES[] = {{"players", ""}, {"monsters", ""}, {"either", ""}};

struct table {
    const char *name;
    const struct word *words;
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
    return number < TABLES[table].count ? TABLES[table].words[number].name : "?";
}

unsigned word_find(enum word_table table, const char *word)
{
    unsigned i = 0;
    while (i < TABLES[table].count && strcmp(TABLES[table].words[i].name, word) != 0) {
        i++;
    }
    return i;
}

const char *word_help(enum word_table table, unsigned number)
{
    return number < TABLES[table].count ? TABLES[table].words[number].help : "";
}

const char *word_table_name(enum word_table table)
{
    return TABLES[table].name;
}
