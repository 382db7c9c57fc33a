// `munchbot commands --discord`: what `munchbot run` registers, for operators who want to see it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/cmd/cmd.h"

#include "adapters/discord/commands.h"

enum { INDENT = 2 };

int cmd_commands(int argc, char **argv)
{
    if (argc != 2 || strcmp(argv[1], "--discord") != 0) {
        (void)fputs("munchbot commands: use \"munchbot commands --discord\"; only Discord "
                    "registers commands.\n",
                    stderr);
        return CMD_WRONG_USAGE;
    }
    json_t *const all = commands_registration(COMMANDS_NAME);
    char *const text = all != NULL ? json_dumps(all, JSON_INDENT(INDENT)) : NULL;
    json_decref(all);
    if (text == NULL || puts(text) == EOF) {
        (void)fputs("munchbot commands: there is not enough memory, or nowhere to write.\n",
                    stderr);
        free(text);
        return CMD_FAILED;
    }
    free(text);
    return CMD_DONE;
}
