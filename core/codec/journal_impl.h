/*
 * Inside of the journal's export: for core/codec/journal_*.c only.
 *
 * What can be derived is made anew by journal_json_* on both sides, when a file is written and when
 * it is checked, and compared as a whole.
 */
#ifndef CORE_CODEC_JOURNAL_IMPL_H
#define CORE_CODEC_JOURNAL_IMPL_H

#include <jansson.h>

#include "core/codec/journal.h"

#define JOURNAL_FORMAT "munchbot-game"

/** A command's field that is a number: its key and what it is when nothing was said. */
struct journal_field {
    const char *key;
    int none;
    int max;
};

enum journal_field_index {
    FIELD_BY,
    FIELD_SIDE_FOR,
    FIELD_TARGET_KIND,
    FIELD_CARD,
    FIELD_TARGET,
    FIELD_TO,
    FIELD_ABOUT,
    FIELD_BRIBE,
    FIELD_PICKING,
    FIELD_N,
    FIELD_TOTAL
};

extern const struct journal_field JOURNAL_FIELDS[FIELD_TOTAL];

void journal_fields_get(const struct command *command, int values[FIELD_TOTAL]);
void journal_fields_set(struct command *command, const int values[FIELD_TOTAL]);
const char *journal_state_name(enum journal_state state);

/* Each NULL without memory. */

json_t *journal_json_sets(const struct journal *journal);
json_t *journal_json_rules(const struct profile *profile);
json_t *journal_json_cards(const struct journal *journal);
json_t *journal_json_result(const struct journal *journal, const struct game *final);

/** Reads an export into an empty journal: head and entries; the rules are applied to its box. The
 * values that must be derived are left in `root`. */
MB_MUST_CHECK
bool journal_read(struct journal *journal, const struct catalog *catalog, const json_t *root,
                  struct mb_error *err);

#endif
