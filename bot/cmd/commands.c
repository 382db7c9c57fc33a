#include "bot/cmd/commands.h"

#include <string.h>

// The house rules that --flag names.
#define FLAG(id, name, ...) " " #name
static const char FLAG_WORDS[] =
#include "core/card/profile_flags.def"
    ;
#undef FLAG
#define FLAGS "@flags"

const char *const OPTION_NAMES[] = {
#define OPTION_NAME(id, name) [OPTION_##id] = (name),
#include "bot/cmd/commands.def"
};

const struct command_row COMMANDS[] = {
#define COMMAND(id, ...) [COMMAND_##id] = {__VA_ARGS__},
#include "bot/cmd/commands.def"
};

const struct verb_row COMMAND_VERBS[] = {
#define VERB(command, ...) {COMMAND_##command, __VA_ARGS__},
#include "bot/cmd/commands.def"
};

const struct option_row COMMAND_OPTIONS[] = {
#define OPTION(command, id, ...) {COMMAND_##command, OPTION_##id, __VA_ARGS__},
#include "bot/cmd/commands.def"
};

enum command_id command_id_of(const char *name)
{
    unsigned id = 0;
    while (id < COMMAND_TOTAL && strcmp(COMMANDS[id].name, name) != 0) {
        id++;
    }
    return (enum command_id)id;
}

const char *command_id_name(enum command_id id)
{
    return COMMANDS[id].name;
}

bool command_has_verbs(enum command_id id)
{
    bool any = false;
    for (size_t i = 0; i < VERB_COUNT; i++) {
        any = any || (COMMAND_VERBS[i].command == id && COMMAND_VERBS[i].word[0] != '\0');
    }
    return any;
}

void command_usage(enum command_id id, const struct verb_row *verb, FILE *to)
{
    (void)fprintf(to, "munchbot %s", COMMANDS[id].name);
    if (verb != NULL) {
        (void)fprintf(to, "%s%s%s%s", verb->word[0] != '\0' ? " " : "", verb->word,
                      verb->operands[0] != '\0' ? " " : "", verb->operands);
    }
    (void)fputs(" [OPTION...]\n", to);
}

void option_word(const struct option_row *option, char *out, size_t size)
{
    const char *const value = option->value != NULL ? option->value : "";
    (void)snprintf(out, size, "%s%s%s", OPTION_NAMES[option->id],
                   value[0] != '\0' && value[0] != '[' ? " " : "", value);
}

void option_meaning(const struct option_row *option, char *out, size_t size)
{
    const size_t length = strlen(option->help);
    const size_t flags = length - strlen(FLAGS);
    const bool lists = length > strlen(FLAGS) && strcmp(option->help + flags, FLAGS) == 0;
    (void)snprintf(out, size, "%.*s%s", lists ? (int)flags : (int)length, option->help,
                   lists ? FLAG_WORDS + 1 : "");
}
