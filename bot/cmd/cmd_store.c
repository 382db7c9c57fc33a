// `munchbot store backup|restore FILE`: a copy of a store while it is served, and a store of a
// copy.
#include <stdio.h>
#include <string.h>

#include "bot/cmd/operator.h"

int cmd_store(int argc, char **argv, const struct cmd_stores *stores)
{
    struct operator op;
    struct mb_error err = {0};
    int status = operator_begin(&op, argc, argv, stores);
    if (status != CMD_DONE) {
        return status;
    }
    const bool backs_up = strcmp(op.options.verb, "backup") == 0;
    if (!backs_up && strcmp(op.options.verb, "restore") != 0) {
        return operator_turn_down(&op, TEXT_OPERATOR_UNKNOWN, op.options.verb);
    }
    if (op.options.reveal) {
        return operator_turn_down(&op, TEXT_OPERATOR_UNKNOWN, "--reveal");
    }
    if (op.options.count != 1) {
        return operator_turn_down(&op, TEXT_OPERATOR_COUNT, op.options.verb);
    }
    const char *const file = op.options.operands[0];
    const bool done = backs_up ? stores->backup(op.options.url, file, &err)
                               : stores->restore(op.options.url, file, &err);
    if (!done) {
        return operator_fail(&op, &err);
    }
    operator_say(stdout, backs_up ? TEXT_STORE_BACKED_UP : TEXT_STORE_RESTORED,
                 TEXT_ARGS(text_str("file", file)));
    return CMD_DONE;
}
