/*
 * What a table is made of, as people say it: sets, house edition, variants, flags, pace, seats.
 *
 * `new` in chat, `play` and `simulate` on the command line and scenario files all end here, so that
 * a word means the same everywhere. table_options_box() turns the choice into the box the core
 * plays with. Errors are one lower-case line that names the word and what would be understood.
 */
#ifndef BOT_TABLE_OPTIONS_H
#define BOT_TABLE_OPTIONS_H

#include "core/base/error.h"
#include "core/card/box.h"
#include "core/codec/catalog.h"
#include "core/loop/query.h"

#include "bot/table/quiet.h"

/** How much time people have; lengths in bot/table/value/pace.c. */
enum pace { PACE_LIVE, PACE_TERMINAL, PACE_SLOW, PACE_ASYNC, PACE_TOTAL };

struct table_options {
    uint8_t sets[CATALOG_SETS_MAX];
    uint8_t set_count;
    uint8_t house; /**< enum edition; EDITION_TOTAL: that of the first set */
    bool listen, shared, epic;
    bool stays;                         /**< where it was opened: it gets no room of its own */
    int8_t flag[FLAG_TOTAL];            /**< 1 on, -1 off, 0 as the editions have it */
    uint8_t pace;                       /**< enum pace */
    uint8_t seats;                      /**< 0: as many as sit down */
    uint32_t clock_s[CLOCK_WINDOW + 1]; /**< seconds, by enum clock_kind; 0: as the pace has it */
    struct quiet quiet;
};

void table_options_init(struct table_options *options);

/** "classic,legends": replaces the sets chosen so far. */
MB_MUST_CHECK
bool table_options_sets(struct table_options *options, const struct catalog *catalog,
                        const char *words, struct mb_error *err);
/** Adds one set by its number, for extra cards. */
MB_MUST_CHECK
bool table_options_add_set(struct table_options *options, uint8_t set, struct mb_error *err);
MB_MUST_CHECK
bool table_options_house(struct table_options *options, const char *word, struct mb_error *err);
/** "quick": what its bundle says, but for flags that are set already: a flag said singly holds
 * whether it stands before or after. */
MB_MUST_CHECK
bool table_options_preset(struct table_options *options, const char *word, struct mb_error *err);
/** "listen,shared,epic" */
MB_MUST_CHECK
bool table_options_variants(struct table_options *options, const char *words, struct mb_error *err);
/** "removal_pays,promise_hand=off" */
MB_MUST_CHECK
bool table_options_flags(struct table_options *options, const char *words, struct mb_error *err);
MB_MUST_CHECK
bool table_options_pace(struct table_options *options, const char *word, struct mb_error *err);
/** `key=value` words as `new` takes them, separated by blanks. */
MB_MUST_CHECK
bool table_options_words(struct table_options *options, const struct catalog *catalog,
                         const char *words, struct mb_error *err);

/** Words of `new`: of an enum clock_kind, of an enum pace. */
const char *table_options_pace_name(unsigned pace);
/** The same words for what was chosen; its sets are the catalogue's. False: they do not fit. */
MB_MUST_CHECK
bool table_options_format(const struct table_options *options, const struct catalog *catalog,
                          char *out, size_t size);

/** Whether all its sets are fit for tables of people. */
MB_MUST_CHECK
bool table_options_ready(const struct table_options *options, const struct catalog *catalog,
                         struct mb_error *err);
/** Makes the box: sets mixed, profile of the house, variants and flags applied. */
MB_MUST_CHECK
bool table_options_box(const struct table_options *options, const struct catalog *catalog,
                       struct box *out, struct mb_error *err);

#endif
