// `munchbot commands --discord`: what `munchbot run` registers, for operators who want to see it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/cmd/arguments.h"
#include "bot/cmd/cmd.h"

#include "adapters/discord/commands.h"

enum { INDENT = 2 };

int cmd_commands(const struct arguments *arguments, const struct cmd_stores *stores)
{
    (void)stores;
    if (arguments->value[OPTION_DISCORD] == NULL) {
        (void)arguments_lack(arguments, "--discord");
        (void)fprintf(stderr, "%s\n", arguments->complaint);
        return CMD_WRONG_USAGE;
    }
    json_t *const all = commands_registration(COMMANDS_NAME);
    char *const text = json_dumps(all, JSON_INDENT(INDENT));
    json_decref(all);
    const bool written = puts(text) != EOF;
    free(text);
    return written ? CMD_DONE : CMD_FAILED;
}
