#include "core/state/command.h"

#include <string.h>

static const struct {
    const char *word;
    uint8_t form, rank;
} VERBS[VERB_TOTAL] = {
    [VERB_NONE] = {"", FORM_NONE, 0},
#define COMMAND(id, word, form, group, telling, rank, ...) [VERB_##id] = {#word, FORM_##form, rank},
#include "core/state/command.def"
#undef COMMAND
};

static const uint8_t RANKED[VERB_TOTAL] = {
#define COMMAND(id, word, form, group, telling, rank, ...) [rank] = VERB_##id,
#include "core/state/command.def"
#undef COMMAND
};

/** What each form reads, as bits; anything said besides is not understood. */
static const uint16_t PARTS[FORM_TOTAL] = {
    [FORM_CARD] = PART_CARD,
    [FORM_CARDS] = PART_LIST,
    [FORM_PLAY] = PART_CARD | PART_TARGET | PART_SIDE | PART_LIST | PART_MORE,
    [FORM_HAND_OVER] = PART_CARD | PART_TARGET,
    [FORM_USE] = PART_ABILITY | PART_CARD | PART_TARGET | PART_LIST,
    [FORM_GIFT] = PART_LIST | PART_TO,
    [FORM_OFFER] = PART_LIST | PART_MORE | PART_TO | PART_BRIBE,
    [FORM_NUMBER] = PART_NUMBER,
    [FORM_ASK] = PART_TO | PART_NUMBER | PART_PICKING | PART_LIST | PART_MORE,
    [FORM_VOLUNTEER] = PART_NUMBER | PART_PICKING,
    [FORM_RUN] = PART_CARD,
    [FORM_SACRIFICE] = PART_CARD | PART_NUMBER,
    [FORM_CHOOSE] = PART_LIST,
    [FORM_SHOW] = PART_LIST | PART_TO | PART_NUMBER,
    [FORM_CLOCK] = PART_NUMBER,
};

const char *command_word(unsigned verb)
{
    return VERBS[verb < VERB_TOTAL ? verb : (unsigned)VERB_NONE].word;
}

unsigned command_rank(unsigned verb)
{
    return VERBS[verb].rank;
}

enum verb command_ranked(unsigned rank)
{
    return (enum verb)RANKED[rank];
}

unsigned command_find(const char *word)
{
    for (unsigned verb = VERB_NONE + 1; verb < VERB_TOTAL; verb++) {
        if (strcmp(VERBS[verb].word, word) == 0) {
            return verb;
        }
    }
    return VERB_NONE;
}

enum command_form command_form(unsigned verb)
{
    return (enum command_form)VERBS[verb < VERB_TOTAL ? verb : (unsigned)VERB_NONE].form;
}

static unsigned parts_said(const struct command *command)
{
    unsigned said = 0;
    said |= command->card != NO_CARD ? PART_CARD : 0u;
    said |= command->target_kind != TARGET_NONE ? PART_TARGET : 0u;
    said |= command->side != SIDE_NONE ? PART_SIDE : 0u;
    said |= command->list_count > 0 ? PART_LIST : 0u;
    said |= command->more_count > 0 ? PART_MORE : 0u;
    said |= command->to != NO_SEAT ? PART_TO : 0u;
    said |= command->n != 0 ? PART_NUMBER : 0u;
    said |= command->ability != 0 ? PART_ABILITY : 0u;
    said |= command->bribe != 0 || command->about != NO_SEAT ? PART_BRIBE : 0u;
    said |= command->picking != 0 ? PART_PICKING : 0u;
    return said;
}

bool command_fits(const struct command *command)
{
    return (parts_said(command) & ~(unsigned)PARTS[command_form(command->verb)]) == 0;
}

void command_trim(struct command *command)
{
    unsigned extra = parts_said(command) & ~(unsigned)PARTS[command_form(command->verb)];
    struct command plain = command_plain(command->seat, command->verb);
    command->card = (extra & PART_CARD) != 0 ? plain.card : command->card;
    command->side = (extra & PART_SIDE) != 0 ? plain.side : command->side;
    command->list_count = (extra & PART_LIST) != 0 ? plain.list_count : command->list_count;
    command->more_count = (extra & PART_MORE) != 0 ? plain.more_count : command->more_count;
    command->to = (extra & PART_TO) != 0 ? plain.to : command->to;
    command->n = (int16_t)((extra & PART_NUMBER) != 0 ? plain.n : command->n);
    command->ability = (extra & PART_ABILITY) != 0 ? plain.ability : command->ability;
    command->picking = (extra & PART_PICKING) != 0 ? plain.picking : command->picking;
    if ((extra & PART_TARGET) != 0) {
        command->target_kind = plain.target_kind;
        command->target = plain.target;
    }
    if ((extra & PART_BRIBE) != 0) {
        command->bribe = plain.bribe;
        command->about = plain.about;
    }
}
