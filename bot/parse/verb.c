#include "bot/parse/verb.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <strings.h>

#include "core/codec/memory.h"

#include "bot/parse/parse.h"
#include "bot/parse/parse_impl.h"

#define KEY_BIT(key) (1u << KEY_##key)

const struct verb_form VERB_FORMS[FORM_TOTAL] = {
    [FORM_PLAIN] = {0, read_nothing, write_nothing, {"", ""}},
    [FORM_CARD] = {0, read_card, write_card, {"", ""}},
    [FORM_CARDS] = {0, read_cards, write_cards, {"", ""}},
    [FORM_PLAY] = {KEY_BIT(ON) | KEY_BIT(FOR) | KEY_BIT(WITH) | KEY_BIT(REPLACING),
                   read_play,
                   write_play,
                   {"with", "replacing"}},
    [FORM_HAND_OVER] = {KEY_BIT(TO), read_hand_over, write_hand_over, {"", ""}},
    [FORM_USE] = {KEY_BIT(WITH) | KEY_BIT(ON), read_use, write_use, {"with", ""}},
    [FORM_GIFT] = {KEY_BIT(TO), read_gift, write_gift, {"", ""}},
    [FORM_OFFER] = {KEY_BIT(FOR) | KEY_BIT(TO), read_offer, write_offer, {"", "for"}},
    [FORM_NUMBER] = {0, read_deal_number, write_deal_number, {"", ""}},
    [FORM_ASK] = {KEY_BIT(OFFERING) | KEY_BIT(FOR) | KEY_BIT(PICKING) | KEY_BIT(PROMISING),
                  read_ask,
                  write_ask,
                  {"offering", "promising"}},
    [FORM_VOLUNTEER] = {KEY_BIT(FOR) | KEY_BIT(PICKING), read_volunteer, write_volunteer, {"", ""}},
    [FORM_RUN] = {0, read_run, write_run, {"", ""}},
    [FORM_SACRIFICE] = {KEY_BIT(WITH), read_sacrifice, write_sacrifice, {"", ""}},
    [FORM_CHOOSE] = {0, read_choose, write_choose, {"", ""}},
    [FORM_SHOW] = {KEY_BIT(TO), read_show, write_show, {"", ""}},
};

static const struct verb_form COMMAND_FORM = {0, NULL, NULL, {"", ""}};
static const struct verb_form TEXT_FORM = {0, read_text, NULL, {"", ""}};
static const struct verb_form JOIN_FORM = {0, read_join, NULL, {"", ""}};
static const struct verb_form PERSON_FORM = {0, read_person, NULL, {"", ""}};
static const struct verb_form LOG_FORM = {0, read_log, NULL, {"", ""}};
static const struct verb_form CARD_FORM = {0, read_definition, NULL, {"", ""}};
static const struct verb_form ORDERS_FORM = {0, read_orders, NULL, {"", ""}};

#define PLAIN_FORM VERB_FORMS[FORM_PLAIN]

// What fits in a row of the core's; the rest of the row is for the core.

#define COMMAND(id, word, form, group, telling, ...)                                               \
    {#word,                                                                                        \
     REQUEST_GAME,                                                                                 \
     VERB_##id,                                                                                    \
     GROUP_##group,                                                                                \
     WHEN_GAME,                                                                                    \
     TELLING_##telling == TELLING_OPEN,                                                            \
     VERB_##id == VERB_WITHDRAW ? NOISE_OFFERS : NOISE_NONE,                                       \
     TEXT_HELP_##id,                                                                               \
     &VERB_FORMS[FORM_##form]},

#define VERB(id, word, group, when, telling, noise, form, parts)                                   \
    {word,          REQUEST_##id,   VERB_NONE,                                                     \
     VERBS_##group, WHEN_##when,    TELLING_##telling == TELLING_OPEN,                             \
     NOISE_##noise, TEXT_HELP_##id, &form##_FORM},

// One row a command.
static const struct verb_entry VERBS[] = {
#include "core/state/command.def"

#include "bot/parse/verb.def"

};

#undef VERB

#undef COMMAND

const struct verb_entry *verb_of_line(const char *line)
{
    const size_t blanks = strspn(line, " ");
    const size_t length = strcspn(line + blanks, " ");
    const struct verb_entry *entry = verb_next(NULL);
    while (entry != NULL && (strlen(entry->word) != length ||
                             strncasecmp(entry->word, line + blanks, length) != 0)) {
        entry = verb_next(entry);
    }
    return entry;
}

const struct verb_entry *verb_of_kind(unsigned kind)
{
    const struct verb_entry *entry = kind != REQUEST_GAME ? verb_next(NULL) : NULL;
    while (entry != NULL && entry->kind != kind) {
        entry = verb_next(entry);
    }
    return entry;
}

// The command of which a line is quoted there; NULL: none.
static const struct verb_entry *quoted(const char *at)
{
    enum { WORD_MAX = 32 };
    char word[WORD_MAX];
    const size_t length = *at == '"' ? strcspn(at + 1, " \"\n") : 0;
    if (length == 0 || length >= sizeof word || at[1 + strcspn(at + 1, "\"\n")] != '"') {
        return NULL;
    }
    memcpy(word, at + 1, length);
    word[length] = '\0';
    return verb_of_line(word);
}

char *verb_quotes(const char *text, verb_lead_fn *lead, const void *user)
{
    size_t quotes = 0;
    for (const char *at = text; *at != '\0'; at++) {
        quotes += *at == '"' ? 1 : 0;
    }
    char *const out = mb_new(strlen(text) + quotes * VERB_LEAD_SIZE + 1, 1);
    char *to = out;
    for (const char *at = text; *at != '\0';) {
        const struct verb_entry *const entry = quoted(at);
        char words[VERB_LEAD_SIZE] = "";
        if (entry != NULL) {
            lead(user, entry, words);
        }
        *to++ = *at++;
        to = stpcpy(to, words);
        if (entry != NULL) { // up to its end, which begins no other
            const size_t length = strcspn(at, "\"\n") + 1;
            memcpy(to, at, length);
            to += length;
            at += length;
        }
    }
    return out;
}

bool verb_line_is_open(const char *line)
{
    const struct verb_entry *const entry = verb_of_line(line);
    return entry != NULL && entry->open;
}

bool verb_line_join(char *line, size_t size, const char *next)
{
    const struct verb_entry *const entry = verb_of_line(line);
    const size_t used = strlen(line);
    const size_t word = entry != NULL ? strlen(entry->word) + 1 : 0;
    if (entry == NULL || entry->kind != REQUEST_GAME || verb_of_line(next) != entry ||
        (entry->verb != VERB_CHOOSE && entry->verb != VERB_DISCARD &&
         entry->verb != VERB_CHARITY) ||
        strlen(next) <= word || used + strlen(next) + sizeof ", " > size) {
        return false;
    }
    (void)snprintf(line + used, size - used, ", %s", next + word);
    return true;
}

const struct verb_entry *verb_next(const struct verb_entry *entry)
{
    const struct verb_entry *const end = VERBS + sizeof VERBS / sizeof VERBS[0];
    entry = entry == NULL ? VERBS : entry + 1;
    while (entry < end && entry->verb == VERB_ELAPSE) { // the session's alone
        entry++;
    }
    return entry < end ? entry : NULL;
}

#define WORDS(n, k, h) {.name = (n), .key = (k), .tail = "", .help = (h)}
#define OFTEN(n, k, h, ...)                                                                        \
    {                                                                                              \
        .name = (n), .key = (k), .tail = "", .help = (h), .choices = { __VA_ARGS__ }               \
    }
#define REQUIRED(n, k, h) {.name = (n), .key = (k), .tail = "", .help = (h), .required = true}
#define COUNT(n, k, t, h)                                                                          \
    {.name = (n), .key = (k), .tail = (t), .help = (h), .kind = VERB_PART_NUMBER}
#define FLAG(n, k, h) {.name = (n), .key = (k), .tail = "", .help = (h), .kind = VERB_PART_FLAG}
#define CHOICE(n, k, h, ...)                                                                       \
    {                                                                                              \
        .name = (n), .key = (k), .tail = "", .help = (h), .kind = VERB_PART_CHOICE, .choices = {   \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

static const struct verb_part CARD[] = {REQUIRED("card", "", TEXT_PART_CARD)};
static const struct verb_part CARDS[] = {REQUIRED("cards", "", TEXT_PART_CARDS)};
static const struct verb_part PLAY[] = {
    REQUIRED("card", "", TEXT_PART_CARD), WORDS("on", "on ", TEXT_PART_ON),
    CHOICE("for", "for ", TEXT_PART_SIDE, "players", "monsters"),
    WORDS("with", "with ", TEXT_PART_WITH), WORDS("replacing", "replacing ", TEXT_PART_REPLACING)};
static const struct verb_part HAND_OVER[] = {REQUIRED("item", "", TEXT_PART_ITEM),
                                             REQUIRED("to", "to ", TEXT_PART_FOLLOWER)};
static const struct verb_part USE[] = {REQUIRED("ability", "", TEXT_PART_ABILITY),
                                       WORDS("with", "with ", TEXT_PART_WITH),
                                       WORDS("on", "on ", TEXT_PART_ON)};
static const struct verb_part GIFT[] = {REQUIRED("cards", "", TEXT_PART_CARDS),
                                        REQUIRED("to", "to ", TEXT_PART_TO)};
static const struct verb_part OFFER[] = {
    REQUIRED("items", "", TEXT_PART_ITEMS), WORDS("for", "for ", TEXT_PART_FOR),
    WORDS("to", "to ", TEXT_PART_TO), FLAG("bribe", "for not helping", TEXT_PART_BRIBE)};
static const struct verb_part DEAL[] = {WORDS("offer", "", TEXT_PART_OFFER)};
static const struct verb_part ASK[] = {
    REQUIRED("player", "", TEXT_PART_HELPER),
    COUNT("treasures", "offering ", " treasures", TEXT_PART_TREASURES),
    CHOICE("picking", "picking ", TEXT_PART_PICKING, "first", "second"),
    WORDS("offering", "offering ", TEXT_PART_OFFERING),
    WORDS("promising", "promising ", TEXT_PART_PROMISING)};
static const struct verb_part VOLUNTEER[] = {
    COUNT("treasures", "for ", " treasures", TEXT_PART_TREASURES),
    CHOICE("picking", "picking ", TEXT_PART_PICKING, "first", "second")};
static const struct verb_part RUN[] = {WORDS("monster", "", TEXT_PART_MONSTER)};
static const struct verb_part SACRIFICE[] = {FLAG("helper", "with helper", TEXT_PART_HELPER_TOO)};
static const struct verb_part CHOOSE[] = {REQUIRED("answer", "", TEXT_PART_ANSWER)};
static const struct verb_part SHOW[] = {REQUIRED("card", "", TEXT_PART_SHOWN),
                                        REQUIRED("to", "to ", TEXT_PART_SHOWN_TO)};

static const struct verb_part WHY[] = {REQUIRED("command", "", TEXT_PART_COMMAND)};
static const struct verb_part NEW[] = {
    WORDS("sets", "sets=", TEXT_PART_SETS),
    COUNT("players", "players=", "", TEXT_PART_SEATS),
    CHOICE("pace", "pace=", TEXT_PART_PACE, "live", "slow", "async"),
    CHOICE("house", "house=", TEXT_PART_HOUSE, "classic", "legends", "pathfinder", "super",
           "conan"),
    CHOICE("preset", "preset=", TEXT_PART_PRESET, "quick", "gentle", "strict", "marathon", "sheet"),
    OFTEN("variant", "variant=", TEXT_PART_VARIANT, "listen", "shared", "epic"),
    WORDS("flag", "flag=", TEXT_PART_FLAGS),
    OFTEN("turn", "turn=", TEXT_PART_CLOCK, "1m", "5m", "1h", "12h", "1d", "usual"),
    OFTEN("decision", "decision=", TEXT_PART_CLOCK, "1m", "5m", "1h", "12h", "1d", "usual"),
    OFTEN("ask", "ask=", TEXT_PART_CLOCK, "30s", "1m", "5m", "1h", "1d", "usual"),
    OFTEN("answer", "answer=", TEXT_PART_CLOCK, "10s", "20s", "1m", "5m", "1h", "usual"),
    OFTEN("window", "window=", TEXT_PART_CLOCK, "10s", "20s", "1m", "5m", "1h", "usual"),
    OFTEN("quiet", "quiet=", TEXT_PART_QUIET, "22-8", "23-7", "0-8", "1-10", "off"),
    WORDS("zone", "zone=", TEXT_PART_ZONE),
    CHOICE("thread", "thread=", TEXT_PART_THREAD, "on", "off")};
static const struct verb_part JOIN[] = {CHOICE("sex", "", TEXT_PART_SEX, "male", "female")};
static const struct verb_part BOT[] = {
    CHOICE("level", "", TEXT_PART_LEVEL, "random", "rookie", "regular", "ruthless")};
static const struct verb_part REMOVE[] = {REQUIRED("player", "", TEXT_PART_PLAYER)};
static const struct verb_part LINES[] = {COUNT("lines", "", "", TEXT_PART_LINES)};
static const struct verb_part LOOKED_UP[] = {REQUIRED("name", "", TEXT_PART_CARD_NAME)};
static const struct verb_part TOPIC[] = {WORDS("topic", "", TEXT_PART_TOPIC)};
static const struct verb_part CODE[] = {WORDS("code", "", TEXT_PART_CODE)};
static const struct verb_part HELP[] = {WORDS("command", "", TEXT_PART_HELP)};
static const struct verb_part STATS[] = {WORDS("player", "", TEXT_PART_STATS)};
static const struct verb_part SURE[] = {FLAG("sure", "yes", TEXT_PART_SURE)};
static const struct verb_part NOTIFY[] = {
    CHOICE("what", "", TEXT_PART_NOTIFY, "all", "turn", "none")};
static const struct verb_part ORDERS[] = {OFTEN("order", "", TEXT_PART_ORDERS, "pass below",
                                                "pass until my turn", "ask always", "clear")};

struct parts {
    const struct verb_part *at;
    size_t count;
};

#define PARTS(list) {(list), sizeof(list) / sizeof(list)[0]}

static const struct parts OF_FORM[FORM_TOTAL] = {
    [FORM_CARD] = PARTS(CARD),     [FORM_CARDS] = PARTS(CARDS),
    [FORM_PLAY] = PARTS(PLAY),     [FORM_HAND_OVER] = PARTS(HAND_OVER),
    [FORM_USE] = PARTS(USE),       [FORM_GIFT] = PARTS(GIFT),
    [FORM_OFFER] = PARTS(OFFER),   [FORM_NUMBER] = PARTS(DEAL),
    [FORM_ASK] = PARTS(ASK),       [FORM_VOLUNTEER] = PARTS(VOLUNTEER),
    [FORM_RUN] = PARTS(RUN),       [FORM_SACRIFICE] = PARTS(SACRIFICE),
    [FORM_CHOOSE] = PARTS(CHOOSE), [FORM_SHOW] = PARTS(SHOW),
};

#define NO_PARTS                                               {NULL, 0}
#define VERB(id, word, group, when, telling, noise, form, ...) [REQUEST_##id] = __VA_ARGS__,

static const struct parts OF_REQUEST[REQUEST_TOTAL] = {
#include "bot/parse/verb.def"
};

#undef VERB

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
