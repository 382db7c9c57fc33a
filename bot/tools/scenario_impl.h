/*
 * Inside of the scenario runner: for bot/tools/ only.
 *
 * scenario_keys.c: which keys a file may hold, and reports; scenario_setup.c: the table;
 * scenario_expect.c: comparisons; scenario.c: a run and TAP. Each calls only those before it.
 */
#ifndef BOT_TOOLS_SCENARIO_IMPL_H
#define BOT_TOOLS_SCENARIO_IMPL_H

#include "bot/table/options.h"
#include "bot/table/person_name.h"
#include "bot/tools/invariants.h"
#include "bot/tools/scenario.h"
#include "bot/tools/solo.h"

struct json_t;

struct scenario {
    struct json_t *root, *steps; /**< borrowed from the run */
    const char *edition;         /**< of "editions", the one whose turn it is; else NULL */
    struct catalog *catalog;
    struct scenario_report *report;
    const struct scenario_mode *mode;
    struct box *box;
    struct game *game; /**< while it is set up; then the table's counts */
    struct solo *solo;
    struct invariants *invariants;
    struct move_list moves;
    bool ask; /**< "answers": "ask" */
    unsigned seat_count;
    const char *names[MB_SEATS_MAX];
    size_t at;  /**< index of the step being done; the next one may answer a moment */
    bool begun; /**< steps have begun */
};

/* Reporting. All return false; the first message stays. */

MB_PRINTF(2, 3)
bool scenario_fail(struct scenario *scenario, const char *format, ...);
bool scenario_differs(struct scenario *scenario, const char *at, const char *expected,
                      const char *found);
/** A JSON value on one line, cut to fit. */
const char *scenario_dump(const struct json_t *value, char *out, size_t size);

/* Reading. */

/** Checks every key and type of the file. */
bool scenario_check_keys(struct scenario *scenario);
/** A player by name, exactly; NO_SEAT (and a message) if there is none. */
unsigned scenario_seat(struct scenario *scenario, const char *name, const char *at);

/** A definition of the game's sets by name; NO_DEF (and a message) if there is none. */
uint16_t scenario_def(struct scenario *scenario, const char *name, const char *at);
/** What a seat may do now, in scenario->moves. */
void scenario_list_moves(struct scenario *scenario, unsigned seat);

/* The parts of a run, in their order. */

bool scenario_set_up(struct scenario *scenario);
/** Compares; false if anything differed. */
bool scenario_expect(struct scenario *scenario, struct json_t *expect);

#endif
