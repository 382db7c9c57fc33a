// `munchbot user export|forget ID`: what is kept of a person.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/cmd/operator.h"
#include "bot/kept/forget.h"

// "discord:80351110224678912": a network and the person's id there. False: it is none.
static bool split(char *word, const char **network, const char **person)
{
    char *const colon = strchr(word, ':');
    if (colon == NULL || colon == word || colon[1] == '\0' || colon - word >= PERSON_NETWORK_SIZE ||
        strlen(colon + 1) >= PERSON_ID_SIZE) {
        return false;
    }
    *colon = '\0';
    *network = word;
    *person = colon + 1;
    return true;
}

static int tell(struct operator* op, const char *network, const char *person)
{
    struct mb_error err = {0};
    char *const text =
        operator_open(op, &err) ? forget_export(&op->kept, network, person, &err) : NULL;
    if (text == NULL) {
        return operator_fail(op, &err);
    }
    (void)puts(text);
    free(text);
    return CMD_DONE;
}

static int forget(struct operator* op, const char *network, const char *person)
{
    struct mb_error err = {0};
    size_t tables = 0;
    if (!operator_open(op, &err) || !forget_person(&op->kept, network, person, &tables, &err)) {
        return operator_fail(op, &err);
    }
    operator_say(stdout, TEXT_USER_FORGOTTEN, TEXT_ARGS(text_num("n", (long)tables)));
    return CMD_DONE;
}

int cmd_user(int argc, char **argv, const struct cmd_stores *stores)
{
    struct operator op;
    const char *network = NULL;
    const char *person = NULL;
    int status = operator_begin(&op, argc, argv, stores);
    if (status != CMD_DONE) {
        return status;
    }
    const bool tells = strcmp(op.options.verb, "export") == 0;
    if (!tells && strcmp(op.options.verb, "forget") != 0) {
        status = operator_turn_down(&op, TEXT_OPERATOR_UNKNOWN, op.options.verb);
    } else if (op.options.reveal) {
        status = operator_turn_down(&op, TEXT_OPERATOR_UNKNOWN, "--reveal");
    } else if (op.options.count != 1) {
        status = operator_turn_down(&op, TEXT_OPERATOR_COUNT, op.options.verb);
    } else if (!split(op.options.operands[0], &network, &person)) {
        status = operator_turn_down(&op, TEXT_USER_WHO, op.options.operands[0]);
    } else {
        status = tells ? tell(&op, network, person) : forget(&op, network, person);
    }
    operator_end(&op);
    return status;
}
