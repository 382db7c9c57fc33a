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

int cmd_user(const struct arguments *arguments, const struct cmd_stores *stores)
{
    struct operator op = {.arguments = arguments, .stores = stores };
    const char *network = NULL;
    const char *person = NULL;
    int status = CMD_WRONG_USAGE;
    if (!split(arguments->operands[0], &network, &person)) {
        operator_say(stderr, TEXT_USER_WHO, TEXT_ARGS(text_str("what", arguments->operands[0])));
    } else if (strcmp(arguments->verb, "export") == 0) {
        status = tell(&op, network, person);
    } else {
        status = forget(&op, network, person);
    }
    operator_end(&op);
    return status;
}
