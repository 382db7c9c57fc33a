#include <stdio.h>

#include "bot/cmd/cmd.h"

int cmd_later(int argc, char **argv)
{
    (void)argc;
    (void)fprintf(stderr,
                  "munchbot: \"%s\" is not in this version yet; "
                  "\"munchbot --help\" lists what is planned.\n",
                  argv[0]);
    return CMD_FAILED;
}
