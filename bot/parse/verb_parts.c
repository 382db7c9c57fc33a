#include "bot/parse/verb_parts.h"

#include <stdio.h>
#include <string.h>

#include "bot/parse/parse.h"
#include "bot/parse/parse_impl.h"

#define WORDS(n, k, h)                                                                             \
    {                                                                                              \
        .name = (n), .key = (k), .tail = "", .help = TEXT_PART_##h                                 \
    }
#define REQUIRED(n, k, h)                                                                          \
    {                                                                                              \
        .name = (n), .key = (k), .tail = "", .help = TEXT_PART_##h, .required = true               \
    }
#define COUNT(n, k, t, h)                                                                          \
    {                                                                                              \
        .name = (n), .key = (k), .tail = (t), .help = TEXT_PART_##h, .kind = VERB_PART_NUMBER      \
    }
#define FLAG(n, k, h)                                                                              \
    {                                                                                              \
        .name = (n), .key = (k), .tail = "", .help = TEXT_PART_##h, .kind = VERB_PART_FLAG         \
    }
#define CHOICE(n, k, h, ...)                                                                       \
    {                                                                                              \
        .name = (n), .key = (k), .tail = "", .help = TEXT_PART_##h, .kind = VERB_PART_CHOICE,      \
        .choices = {                                                                               \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

static const struct verb_part CARD[] = {REQUIRED("card", "", CARD)};
static const struct verb_part CARDS[] = {REQUIRED("cards", "", CARDS)};
static const struct verb_part PLAY[] = {REQUIRED("card", "", CARD), WORDS("on", "on ", ON),
                                        CHOICE("for", "for ", SIDE, "players", "monsters"),
                                        WORDS("with", "with ", WITH),
                                        WORDS("replacing", "replacing ", REPLACING)};
static const struct verb_part HAND_OVER[] = {REQUIRED("item", "", ITEM),
                                             REQUIRED("to", "to ", FOLLOWER)};
static const struct verb_part USE[] = {REQUIRED("ability", "", ABILITY),
                                       WORDS("with", "with ", WITH), WORDS("on", "on ", ON)};
static const struct verb_part GIFT[] = {REQUIRED("cards", "", CARDS), REQUIRED("to", "to ", TO)};
static const struct verb_part OFFER[] = {REQUIRED("items", "", ITEMS), WORDS("for", "for ", FOR),
                                         WORDS("to", "to ", TO),
                                         FLAG("bribe", "for not helping", BRIBE)};
static const struct verb_part DEAL[] = {WORDS("offer", "", OFFER)};
static const struct verb_part ASK[] = {
    REQUIRED("player", "", HELPER), COUNT("treasures", "offering ", " treasures", TREASURES),
    CHOICE("picking", "picking ", PICKING, "first", "second"),
    WORDS("offering", "offering ", OFFERING), WORDS("promising", "promising ", PROMISING)};
static const struct verb_part VOLUNTEER[] = {
    COUNT("treasures", "for ", " treasures", TREASURES),
    CHOICE("picking", "picking ", PICKING, "first", "second")};
static const struct verb_part RUN[] = {WORDS("monster", "", MONSTER)};
static const struct verb_part SACRIFICE[] = {FLAG("helper", "with helper", HELPER_TOO)};
static const struct verb_part CHOOSE[] = {REQUIRED("answer", "", ANSWER)};
static const struct verb_part SHOW[] = {REQUIRED("card", "", SHOWN),
                                        REQUIRED("to", "to ", SHOWN_TO)};

static const struct verb_part WHY[] = {REQUIRED("command", "", COMMAND)};
static const struct verb_part NEW[] = {
    WORDS("sets", "sets=", SETS),
    COUNT("players", "players=", "", SEATS),
    CHOICE("pace", "pace=", PACE, "live", "slow", "async"),
    CHOICE("house", "house=", HOUSE, "classic", "legends", "pathfinder", "super", "conan"),
    WORDS("variant", "variant=", VARIANT),
    WORDS("flag", "flag=", FLAGS),
    WORDS("turn", "turn=", CLOCK),
    WORDS("decision", "decision=", CLOCK),
    WORDS("ask", "ask=", CLOCK),
    WORDS("answer", "answer=", CLOCK),
    WORDS("window", "window=", CLOCK),
    WORDS("quiet", "quiet=", QUIET),
    WORDS("zone", "zone=", ZONE)};
static const struct verb_part JOIN[] = {CHOICE("sex", "", SEX, "male", "female")};
static const struct verb_part BOT[] = {
    CHOICE("level", "", LEVEL, "random", "rookie", "regular", "ruthless")};
static const struct verb_part REMOVE[] = {REQUIRED("player", "", PLAYER)};
static const struct verb_part LINES[] = {COUNT("lines", "", "", LINES)};
static const struct verb_part LOOKED_UP[] = {REQUIRED("name", "", CARD_NAME)};
static const struct verb_part TOPIC[] = {WORDS("topic", "", TOPIC)};
static const struct verb_part HELP[] = {WORDS("command", "", HELP)};
static const struct verb_part STATS[] = {WORDS("player", "", STATS)};
static const struct verb_part ORDERS[] = {WORDS("order", "", ORDERS)};

struct parts {
    const struct verb_part *at;
    size_t count;
};

#define PARTS(list)                                                                                \
    {                                                                                              \
        (list), sizeof(list) / sizeof(list)[0]                                                     \
    }

static const struct parts OF_FORM[FORM_TOTAL] = {
    [FORM_CARD] = PARTS(CARD),     [FORM_CARDS] = PARTS(CARDS),
    [FORM_PLAY] = PARTS(PLAY),     [FORM_HAND_OVER] = PARTS(HAND_OVER),
    [FORM_USE] = PARTS(USE),       [FORM_GIFT] = PARTS(GIFT),
    [FORM_OFFER] = PARTS(OFFER),   [FORM_NUMBER] = PARTS(DEAL),
    [FORM_ASK] = PARTS(ASK),       [FORM_VOLUNTEER] = PARTS(VOLUNTEER),
    [FORM_RUN] = PARTS(RUN),       [FORM_SACRIFICE] = PARTS(SACRIFICE),
    [FORM_CHOOSE] = PARTS(CHOOSE), [FORM_SHOW] = PARTS(SHOW),
};

static const struct parts OF_REQUEST[REQUEST_TOTAL] = {
    [REQUEST_WHY] = PARTS(WHY),        [REQUEST_NEW] = PARTS(NEW),
    [REQUEST_JOIN] = PARTS(JOIN),      [REQUEST_ADD_BOT] = PARTS(BOT),
    [REQUEST_LOG] = PARTS(LINES),      [REQUEST_REMOVE] = PARTS(REMOVE),
    [REQUEST_CARD] = PARTS(LOOKED_UP), [REQUEST_RULES] = PARTS(TOPIC),
    [REQUEST_HELP] = PARTS(HELP),      [REQUEST_STATS] = PARTS(STATS),
    [REQUEST_ORDERS] = PARTS(ORDERS),
};

const struct verb_part *verb_parts(const struct verb_entry *entry, size_t *count)
{
    const struct parts *const parts =
        entry->kind == REQUEST_GAME ? &OF_FORM[entry->form - VERB_FORMS] : &OF_REQUEST[entry->kind];
    *count = parts->count;
    return parts->at;
}

const struct verb_entry *verb_find(const char *word)
{
    const struct verb_entry *entry = verb_next(NULL);
    while (entry != NULL && strcmp(entry->word, word) != 0) {
        entry = verb_next(entry);
    }
    return entry;
}

bool verb_part_put(const struct verb_part *part, const char *words, char *line, size_t size)
{
    const bool flag = part->kind == VERB_PART_FLAG;
    const size_t length = strlen(line);
    if (length >= size || (!flag && words[0] == '\0')) {
        return false;
    }
    const int put =
        snprintf(line + length, size - length, " %s%s%s", part->key, flag ? "" : words, part->tail);
    return put > 0 && (size_t)put < size - length;
}
