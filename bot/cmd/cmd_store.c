// `munchbot store backup|restore FILE`: a copy of a store while it is served, and a store of a
// copy.
#include <stdio.h>
#include <string.h>

#include "bot/cmd/operator.h"

int cmd_store(const struct arguments *arguments, const struct cmd_stores *stores)
{
    const struct operator op = {.arguments = arguments, .stores = stores };
    struct mb_error err = {0};
    const bool backs_up = strcmp(arguments->verb, "backup") == 0;
    const char *const url = arguments->value[OPTION_STORE];
    const char *const file = arguments->operands[0];
    if (!(backs_up ? stores->backup(url, file, &err) : stores->restore(url, file, &err))) {
        return operator_fail(&op, &err);
    }
    operator_say(stdout, backs_up ? TEXT_STORE_BACKED_UP : TEXT_STORE_RESTORED,
                 TEXT_ARGS(text_str("file", file)));
    return CMD_DONE;
}
