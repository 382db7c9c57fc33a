/*
 * The slash command: what is registered with Discord, and what comes back as the line that a person
 * would have typed.
 *
 * All of it follows from the one table of verbs (bot/parse/verb.h): the commoner
 * verbs stand right under the command, the rarer ones in groups, for it may have 25 of either and
 * 8,000 characters in all. `at` alone is none of them: it is said to no table, but says to which.
 * Reference: Discord, section 3.
 */
#ifndef ADAPTERS_DISCORD_WIRE_COMMANDS_H
#define ADAPTERS_DISCORD_WIRE_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "core/base/error.h"

#include "bot/parse/verb.h"

enum { COMMANDS_OPTIONS_MAX = 25, COMMANDS_CHARACTERS_MAX = 8000, COMMANDS_TEXT_MAX = 100 };

#define COMMANDS_NAME "munch" /**< unless the configuration has another */

/** What is registered: an array with one command of that name. The caller's.
 */
json_t *commands_registration(const char *name);
/** What is typed before the word of a command (verb_lead_fn; `name`: of the command that is
 * registered): "/munch ", "/munch look ". */
void commands_lead(const void *name, const struct verb_entry *entry, char out[VERB_LEAD_SIZE]);
/** Whether what Discord has is the same, whatever it adds of its own. */
bool commands_registered(const json_t *has, json_t *wanted);
/** The line that an interaction's `data` means. False with an error for the log: it is none of
 * ours. A value of several lines counts up to the first end. */
MB_MUST_CHECK
bool commands_line(const json_t *data, char *line, size_t size, struct mb_error *err);
/** The same as far as the option that is being typed; its text is what stands behind `*from`. */
MB_MUST_CHECK
bool commands_typed(const json_t *data, char *line, size_t size, size_t *from,
                    struct mb_error *err);

/** Where the table is that a command names. Words are borrowed. */
struct commands_table {
    const char *channel; /**< "" : it is none */
    const char *name;
    uint64_t permissions; /**< of who names it, there; 0: they cannot see it */
};

/** False: it names none, and is for the table where it was said. */
bool commands_table(const json_t *data, struct commands_table *out);

#endif
