#include "core/codec/prose.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const WHO[SELECTOR_TOTAL] = {
    [WHO_SELF] = "you",
    [WHO_TARGET] = "the player named",
    [WHO_MAIN] = "the main player",
    [WHO_HELPER] = "the helper",
    [WHO_FIGHTERS] = "each fighter",
    [WHO_OTHERS] = "every other player",
    [WHO_OTHERS_RIGHT] = "every other player, from your right on,",
    [WHO_EVERYONE] = "every player",
    [WHO_LEFT] = "the player to your left",
    [WHO_RIGHT] = "the player to your right",
    [WHO_NEIGHBOURS] = "the players to your left and right, the left one first, each",
    [WHO_HIGHEST] = "every player of the highest Level",
    [WHO_LOWEST] = "every player of the lowest Level",
    [WHO_HIGHEST_OTHERS] = "every other player of the highest Level",
    [WHO_FEWEST_CARDS] = "the other player with the fewest cards in hand",
    [WHO_TURN] = "the player whose turn it is",
    [WHO_PLAYER] = "the player of this card",
    [WHO_OTHERS_WITH] = "every other player",
    [WHO_EVERYONE_WITH] = "every player",
    [WHO_CHOSEN] = "1 player of your choice",
};

static const char *const KINDS[KIND_TOTAL][2] = {
    [KIND_MONSTER] = {"Monster", "Monsters"},
    [KIND_CURSE] = {"Curse", "Curses"},
    [KIND_ENHANCER] = {"enhancer", "enhancers"},
    [KIND_CLASS] = {"Class", "Classes"},
    [KIND_RACE] = {"Race", "Races"},
    [KIND_FACTION] = {"Faction", "Factions"},
    [KIND_BIRTHRIGHT] = {"Birthright", "Birthrights"},
    [KIND_POWER] = {"Power", "Powers"},
    [KIND_ORIGIN] = {"Origin", "Origins"},
    [KIND_SECOND] = {"card that allows a second one", "cards that allow a second one"},
    [KIND_DOOR] = {"other Door", "other Doors"},
    [KIND_ITEM] = {"Item", "Items"},
    [KIND_ONESHOT] = {"one-shot", "one-shots"},
    [KIND_FOLLOWER] = {"follower", "followers"},
    [KIND_TREASURE] = {"special Treasure", "special Treasures"},
};

/** How a source reads: counted things ("for each ...") or one number ("... times ..."). */
struct source_phrase {
    bool each;
    const char *text;
    const char *many; /**< of what is counted */
};

static const struct source_phrase SOURCES[SOURCE_TOTAL] = {
    [SRC_CONST] = {false, "nothing", NULL},
    [SRC_PAID] = {true, "", "of them"},
    [SRC_PAID_LEVEL] = {false, "the Level of that Monster", NULL},
    [SRC_PAID_TREASURES] = {false, "the Treasures of that Monster", NULL},
    [SRC_DIE] = {false, "the roll of a die", NULL},
    [SRC_HALF_DIE] = {false, "half the roll of a die, rounded up", NULL},
    [SRC_LEVEL] = {false, "the Level", NULL},
    [SRC_TRAIT] = {true, "", NULL},
    [SRC_CARDS] = {true, "", NULL},
    [SRC_BONUS] = {false, "the biggest bonus", NULL},
    [SRC_RANK] = {false, "", NULL},
    [SRC_MONSTERS] = {true, "monster in the fight", "monsters in the fight"},
    [SRC_PLAYERS] = {true, "living player", "living players"},
    [SRC_HANDS_FREE] = {true, "unused Hand", "unused Hands"},
    [SRC_MARGIN] = {true, "point by which the roll failed", "points by which the roll failed"},
    [SRC_KILLS] = {true, "monster killed", "monsters killed"},
    [SRC_LEVEL_HIGHEST] = {false, "the highest Level in play", NULL},
    [SRC_LEVEL_LOWEST] = {false, "the lowest Level in play", NULL},
    [SRC_ROLLED] = {false, "the number rolled", NULL},
    [SRC_BONUSES] = {false, "the bonuses", NULL},
    [SRC_TARGET_LEVEL] = {false, "the Level of a Monster you choose in the Door discards", NULL},
    [SRC_PAID_BONUS] = {false, "the bonus of that card", NULL},
    [SRC_TOP_LEVEL] = {false, "the Level of the topmost Monster in the Door discards", NULL},
    [SRC_ONES] = {true, "1 rolled, with a die for each", NULL},
};

MB_PRINTF(2, 3)
void prose_add(struct prose *prose, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    size_t room = prose->size - prose->length;
    int length = room > 0 ? vsnprintf(prose->out + prose->length, room, format, values) : 0;
    va_end(values);
    if (length > 0) {
        prose->length += (size_t)length < room ? (size_t)length : room - 1;
    }
}

const char *prose_pair(const char *at, char close, char *one, char *many)
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

const char *prose_it_mark(struct prose *prose, const char *at)
{
    static const char *const WORDS[PRONOUN_TOTAL][3] = {
        [PRONOUN_IT] = {"it", "it", "its"},
        [PRONOUN_HE] = {"he", "him", "his"},
        [PRONOUN_SHE] = {"she", "her", "her"},
        [PRONOUN_THEY] = {"they", "them", "their"},
    };
    const unsigned def = (unsigned)(prose->def - prose->catalog->defs);
    const enum pronoun pronoun = catalog_pronoun(prose->catalog, def);
    char one[64];
    char many[64];
    if (at[1] == 'v') {
        at = prose_pair(at + 2, '}', one, many);
        prose_add(prose, "%s", pronoun == PRONOUN_THEY ? many : one);
        return at;
    }
    prose_add(prose, "%s", WORDS[pronoun][at[1] == 'i' ? 0 : at[1] == 'm' ? 1 : 2]);
    return at + 2;
}

void prose_it(struct prose *prose, const char *text)
{
    while (*text != '\0') {
        if (*text == '%') {
            text = prose_it_mark(prose, text);
        } else {
            prose_add(prose, "%c", *text++);
        }
    }
}

const char *phrase_who(unsigned who)
{
    return who < SELECTOR_TOTAL ? WHO[who] : "";
}

const char *phrase_kind(unsigned kind, bool many)
{
    return kind < KIND_TOTAL ? KINDS[kind][many ? 1 : 0] : "";
}

const char *phrase_tag(const struct catalog *catalog, unsigned tag)
{
    return tag == TAG_UNDEAD   ? "Undead"
           : tag == TAG_GOBLIN ? "Goblin"
                               : catalog_tag_name(catalog, tag);
}

const char *article(const char *word)
{
    const bool as_won = strncmp(word, "one", 3) == 0; // "a one-shot"
    return !as_won && word[0] != '\0' && strchr("AEIOUaeiou", word[0]) != NULL ? "an" : "a";
}

// "of your small Items", "Item of the main player", "one-shots in the fight".
static void add_cards_of(struct prose *prose, unsigned filter, unsigned who, bool many)
{
    const unsigned place = filter != 0 ? prose->catalog->filters[filter - 1].place : PLACE_OWN;
    const char *const own = prose->own;
    if (place == PLACE_FIGHT || (place >= PLACE_DOOR_DISCARD && place <= PLACE_DISCARDS)) {
        prose_add(prose, many ? "the " : "");
        prose_filter(prose, filter, many, "");
    } else if (place == PLACE_HAND) {
        prose->counting = true;
        prose->own = who == WHO_SELF ? "your" : "the";
        prose_filter(prose, filter, many, "");
        prose->counting = false;
        prose->own = own;
        if (who != WHO_SELF) {
            prose_add(prose, " of %s", WHO[who]);
        }
    } else if (who == WHO_SELF) {
        prose_add(prose, many ? "your " : "of your ");
        prose_filter(prose, filter, true, "");
    } else {
        prose_add(prose, many ? "the " : "");
        prose_filter(prose, filter, many, "");
        prose_add(prose, " of %s", WHO[who]);
    }
}

const struct row *prose_revealing(const struct prose *prose)
{
    for (unsigned i = 0; prose->def != NULL && i < prose->def->row_count; i++) {
        const struct row *row = &prose->catalog->rows[prose->def->first_row + i];
        if (row->op == EFFECT_REVEAL) {
            return row;
        }
    }
    return NULL;
}

bool prose_name_plural(const struct prose *prose, unsigned name)
{
    unsigned def = 0;
    while (def < catalog_def_count(prose->catalog) && prose->catalog->defs[def].name != name) {
        def++;
    }
    return catalog_plural(prose->catalog, def);
}

// The row that turns cards up, if `amount` counts those of them that fit; else NULL.
static const struct row *revealing_row(const struct prose *prose, const struct amount *amount)
{
    return amount->source == SRC_ROLLED ? prose_revealing(prose) : NULL;
}

// Whether it is so many for each of something.
static bool counts_each(const struct prose *prose, const struct amount *amount)
{
    return SOURCES[amount->source].each || revealing_row(prose, amount) != NULL;
}

// "cards in the hand of the main player", "Big Items of yours".
static void add_many_cards(struct prose *prose, const struct amount *amount)
{
    const bool self = amount->who == WHO_SELF;
    const bool hand =
        amount->arg != 0 && prose->catalog->filters[amount->arg - 1].place == PLACE_HAND;
    char text[200] = "";
    struct prose part = {.catalog = prose->catalog,
                         .out = text,
                         .size = sizeof text,
                         .counting = true,
                         .own = self ? "your" : "the"};
    prose_filter(&part, amount->arg, true, "");
    prose_add(prose, "%s%s%s", text,
              self && !hand ? " of yours"
              : self        ? ""
                            : " of ",
              self ? "" : WHO[amount->who]);
}

// What is counted.
static void add_counted(struct prose *prose, const struct amount *amount, bool many)
{
    const struct source_phrase *const phrase = &SOURCES[amount->source];
    const char *const trait = catalog_trait_name(prose->catalog, amount->arg);
    const struct row *const row = revealing_row(prose, amount);
    if (row != NULL) {
        prose->placeless = true;
        prose_filter(prose, row->filter, many, " among them");
        prose->placeless = false;
    } else if (amount->source == SRC_TRAIT && many) {
        prose_add(prose, "fighters who are %s %s", article(trait), trait);
    } else if (amount->source == SRC_TRAIT) {
        prose_add(prose, "%s in the fight", trait);
    } else if (amount->source == SRC_CARDS && many) {
        add_many_cards(prose, amount);
    } else if (amount->source == SRC_CARDS) {
        add_cards_of(prose, amount->arg, amount->who, many);
    } else if (amount->source == SRC_ONES) {
        prose_add(prose, "%s ", phrase->text);
        add_cards_of(prose, amount->arg, amount->who, false);
    } else {
        prose_add(prose, "%s", many ? phrase->many : phrase->text);
    }
    if (amount->source == SRC_HANDS_FREE && amount->who != WHO_SELF) {
        prose_add(prose, " of %s", WHO[amount->who]);
    }
}

// "the Level of 1 Monster of your choice from the Door discards": of the card named.
static void add_target_level(struct prose *prose)
{
    if (prose->row != NULL && prose->row->target == ON_DISCARD) {
        prose_add(prose, "the Level of 1 ");
        prose_filter(prose, prose->row->filter, false, " of your choice");
    } else {
        prose_add(prose, "%s", SOURCES[SRC_TARGET_LEVEL].text);
    }
}

// The number it is.
static void add_figure(struct prose *prose, const struct amount *amount)
{
    const bool self = amount->who == WHO_SELF;
    switch (amount->source) {
    case SRC_BONUSES:
    case SRC_BONUS:
        prose_add(prose,
                  amount->source == SRC_BONUS ? "the biggest bonus among " : "the bonuses of ");
        add_cards_of(prose, amount->arg, amount->who, true);
        return;
    case SRC_DIE:
    case SRC_HALF_DIE:
        prose_add(prose, "%s", SOURCES[amount->source].text);
        if (!self) {
            prose_add(prose, " by %s", WHO[amount->who]);
        }
        return;
    case SRC_LEVEL:
        prose_add(prose, self ? "your Level" : "the Level of %s", WHO[amount->who]);
        return;
    case SRC_RANK:
        prose_add(prose,
                  self ? "the total Rank of your Powers" : "the total Rank of the Powers of %s",
                  WHO[amount->who]);
        return;
    case SRC_TARGET_LEVEL:
        add_target_level(prose);
        return;
    default:
        prose_add(prose, "%s", SOURCES[amount->source].text);
        return;
    }
}

// One number, or half of it.
static void add_source(struct prose *prose, const struct amount *amount)
{
    prose_add(prose, amount->half ? "half " : "");
    add_figure(prose, amount);
}

void prose_often(struct prose *prose, int times)
{
    if (times == 1 || times == 2) {
        prose_add(prose, times == 1 ? "once" : "twice");
    } else {
        prose_add(prose, "%d times", times);
    }
}

static void add_times(struct prose *prose, int k)
{
    if (k != 1) {
        prose_often(prose, k);
        prose_add(prose, " ");
    }
}

// " for each monster in the fight"; of what was paid the heading has spoken: " for each".
static void add_each(struct prose *prose, const struct amount *amount)
{
    const struct row *const row = revealing_row(prose, amount);
    if (row != NULL && row->n.source == SRC_CONST && row->n.base == 1) {
        char text[200] = "";
        struct prose part = {
            .catalog = prose->catalog, .out = text, .size = sizeof text, .placeless = true};
        prose_filter(&part, row->filter, false, "");
        prose_add(prose, " for %s %s", article(text), text);
        return;
    }
    prose_add(prose, amount->half                 ? " for each 2 "
                     : amount->source == SRC_PAID ? " for each"
                                                  : " for each ");
    add_counted(prose, amount, amount->half);
}

static void add_cap(struct prose *prose, const struct amount *amount)
{
    if (amount->half) {
        prose_add(prose, amount->cap != 0 ? " (rounded up, at most %d)" : " (rounded up)",
                  amount->cap);
    } else if (amount->cap != 0) {
        prose_add(prose, " (at most %d)", amount->cap);
    }
}

void prose_signed(struct prose *prose, const struct amount *amount)
{
    if (amount->source == SRC_CONST) {
        prose_add(prose, "%+d", amount->base);
        return;
    }
    // A monster that leaves itself out of the count counts the others.
    const bool others = amount->source == SRC_MONSTERS && amount->base == -amount->k;
    if (amount->base != 0 && !others) {
        prose_add(prose, "%+d and ", amount->base);
    }
    if (others) {
        prose_add(prose, "%+d for each other %s", amount->k, SOURCES[amount->source].text);
    } else if (counts_each(prose, amount)) {
        prose_add(prose, "%+d", amount->k);
        add_each(prose, amount);
    } else {
        prose_add(prose, "%s ", amount->k < 0 ? "minus" : "plus");
        add_times(prose, amount->k < 0 ? -amount->k : amount->k);
        add_source(prose, amount);
    }
    add_cap(prose, amount);
}

void prose_number(struct prose *prose, const struct amount *amount, int sign, const char *one,
                  const char *many)
{
    int base = sign * amount->base;
    int k = sign * amount->k;
    if (amount->source == SRC_CONST) {
        prose_add(prose, "%d %s", base, base == 1 || base == -1 ? one : many);
        return;
    }
    if (counts_each(prose, amount)) {
        prose_add(prose, "%d %s", k, k == 1 ? one : many);
        add_each(prose, amount);
    } else {
        prose_add(prose, "as many %s as ", many);
        add_times(prose, k);
        add_source(prose, amount);
    }
    if (base != 0) {
        prose_add(prose, " and %d %s", base < 0 ? -base : base, base < 0 ? "fewer" : "more");
    }
    add_cap(prose, amount);
}

// A card speaks the words of its own set: what the language calls a Curse is a Trap in Super.

struct own_word {
    const char *general, *own;
};

enum { OWN_WORDS_MAX = 5 };

static const struct own_word OWN_WORDS[EDITION_TOTAL][OWN_WORDS_MAX] = {
    [EDITION_SUPER] = {{"Curse", "Trap"},
                       {"Curses", "Traps"},
                       {"follower", "Sidekick"},
                       {"followers", "Sidekicks"},
                       {"copy", "Duplicate"}},
    [EDITION_CONAN] = {{"follower", "Comrade"}, {"followers", "Comrades"}},
};

static const struct own_word *own_word_at(const char *at, unsigned edition)
{
    for (unsigned i = 0; i < OWN_WORDS_MAX && OWN_WORDS[edition][i].general != NULL; i++) {
        const struct own_word *const word = &OWN_WORDS[edition][i];
        const size_t length = strlen(word->general);
        if (strncmp(at, word->general, length) == 0 && !isalnum((unsigned char)at[length])) {
            return word;
        }
    }
    return NULL;
}

size_t prose_own_words(char *text, size_t size, unsigned edition)
{
    size_t length = strlen(text);
    bool inside = false; // a word
    for (size_t at = 0; edition < EDITION_TOTAL && at < length; at++) {
        const struct own_word *const word = inside ? NULL : own_word_at(text + at, edition);
        inside = isalnum((unsigned char)text[at]) != 0;
        if (word == NULL) {
            continue;
        }
        const size_t from = strlen(word->general);
        const size_t to = strlen(word->own);
        if (length - from + to >= size) {
            break;
        }
        memmove(text + at + to, text + at + from, length - at - from + 1);
        memcpy(text + at, word->own, to);
        length = length - from + to;
        at += to - 1;
        inside = true;
    }
    return length;
}
