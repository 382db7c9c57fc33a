/*
 * What the commands have in common that look into a store: the store, the card sets.
 */
#ifndef BOT_CMD_OPERATOR_H
#define BOT_CMD_OPERATOR_H

#include <stdio.h>

#include "bot/cmd/arguments.h"
#include "bot/cmd/cmd.h"
#include "bot/kept/kept_table.h"
#include "bot/text/text.h"

struct operator
{
    const struct cmd_stores *stores;
    const struct arguments *arguments;
    struct catalog *catalog;
    struct store *store;
    bool makes;       /**< a store that is named is made if it is not there */
    struct kept kept; /**< open if `store` is not NULL */
};

void operator_say(FILE *to, enum text_id id, const struct text_arg *args);
/** One line on stderr: "munchbot COMMAND: ..."; returns CMD_FAILED. */
int operator_fail(const struct operator* op, const struct mb_error *err);
/** Opens the card sets, and the store that is named, or is there. False with an error. */
MB_MUST_CHECK
bool operator_open_cards(struct operator* op, struct mb_error *err);
MB_MUST_CHECK
bool operator_open(struct operator* op, struct mb_error *err);
void operator_end(struct operator* op);
/** Calls `each` with the id of every table of the store, those that are put away too, in the order
 * of ids; false: it or the store has failed (`err`). */
MB_MUST_CHECK
bool operator_each(struct operator* op, bool archived,
                   bool (*each)(void *user, const char *id, struct mb_error *err), void *user,
                   struct mb_error *err);

#endif
