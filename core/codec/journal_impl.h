/*
 * Inside of the journal's two forms, bytes and export: for core/codec/journal_*.c only.
 *
 * What can be derived is made anew by journal_json_* on both sides, when a file is written and when
 * it is checked, and compared as a whole.
 */
#ifndef CORE_CODEC_JOURNAL_IMPL_H
#define CORE_CODEC_JOURNAL_IMPL_H

#include <jansson.h>

#include "core/codec/journal.h"

#define JOURNAL_FORMAT "munchbot-game"

/** A command's field that is a number, as both forms have it: where it stands, its key, what it is
 * when nothing was said, and the most that a file may say. */
struct journal_field {
    const char *key;
    size_t offset, size;
    int none, max;
};

/** A command's list of cards or options. */
struct journal_list {
    const char *key;
    size_t offset, count;
    unsigned most;
};

enum { JOURNAL_FIELD_TOTAL = 10, JOURNAL_LIST_TOTAL = 2 };
/** In the order of the bytes. */
extern const struct journal_field JOURNAL_FIELDS[JOURNAL_FIELD_TOTAL];
extern const struct journal_list JOURNAL_LISTS[JOURNAL_LIST_TOTAL];

int journal_field_get(const struct command *command, const struct journal_field *field);
void journal_field_set(struct command *command, const struct journal_field *field, int value);
/** The numbers of a list, and how many they are. */
uint16_t *journal_list_of(struct command *command, const struct journal_list *list,
                          uint8_t **count);
const char *journal_state_name(enum journal_state state);

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
