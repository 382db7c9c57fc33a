#include "bot/parse/verb.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <strings.h>

#include "core/codec/memory.h"

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
    {#word,          REQUEST_GAME,                                                                 \
     VERB_##id,      GROUP_##group,                                                                \
     WHEN_GAME,      TELLING_##telling == TELLING_OPEN,                                            \
     TEXT_HELP_##id, &VERB_FORMS[FORM_##form],                                                     \
     {NULL}},

#define VERB(id, word, group, when, telling, form, parts, ...)                                     \
    {word,           REQUEST_##id, VERB_NONE,                                                      \
     VERBS_##group,  WHEN_##when,  TELLING_##telling == TELLING_OPEN,                              \
     TEXT_HELP_##id, &form##_FORM, {__VA_ARGS__}},

// One row a command; spec/interface.md section 2 holds the grammar.
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
