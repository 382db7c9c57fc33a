/*
 * Scenario files: a table set up exactly, commands, and what must follow
 * (tests/scenarios/README.md).
 *
 * A file is checked whole before anything is played: unknown keys, wrong types and unknown names
 * are reported with their place. It then runs at a table, as one in chat would, and
 * besides what the file expects every step must keep the invariants (bot/tools/invariants.h).
 * A file that lists editions is run once for each, up to the first that fails.
 * The catalog is borrowed and is left as it was; the file's own cards live as long as its run.
 */
#ifndef BOT_TOOLS_SCENARIO_H
#define BOT_TOOLS_SCENARIO_H

#include <stdbool.h>
#include <stdio.h>

#include "core/codec/catalog.h"

struct store;

enum { SCENARIO_DIFFERENCES_MAX = 12, SCENARIO_VALUE_SIZE = 512, SCENARIO_PLACE_SIZE = 128 };

/** Something that was expected, and what was there instead. */
struct scenario_difference {
    char at[SCENARIO_PLACE_SIZE]; /**< "players.Ann.level" */
    char expected[SCENARIO_VALUE_SIZE];
    char found[SCENARIO_VALUE_SIZE];
};

struct scenario_report {
    bool failed;
    bool breaks_invariant;             /**< whatever else failed before */
    char name[SCENARIO_VALUE_SIZE];    /**< the file's own, or "" */
    char message[SCENARIO_VALUE_SIZE]; /**< one sentence */
    unsigned step;                     /**< from 1; 0: loading or setting up */
    char step_text[SCENARIO_VALUE_SIZE];
    unsigned count; /**< differences found, at most those kept */
    struct scenario_difference differences[SCENARIO_DIFFERENCES_MAX];
};

struct scenario_mode {
    FILE *trace;  /**< receives what happens as comment lines; NULL: nobody does */
    bool restart; /**< the table is made anew from its bytes after everything done at it ... */
    /** ... and these come out of this store (solo_keep()), which is stopped and started; or NULL */
    struct store *store;
};

/** Runs a scenario from text. */
void scenario_run_text(const char *text, size_t size, struct catalog *catalog,
                       const struct scenario_mode *mode, struct scenario_report *report);

/** Prints a test point of TAP 13, with a YAML diagnostic if it failed. */
void scenario_print(const struct scenario_report *report, unsigned number, const char *path,
                    FILE *to);

#endif
