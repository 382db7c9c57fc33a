/*
 * Inside of the scenario runner: for bot/tools/ only.
 *
 * scenario.c: one run; scenario_keys.c: which keys there are; scenario_setup.c and
 * scenario_cards.c: the table; scenario_steps.c: what is done; scenario_expect.c,
 * scenario_player.c, scenario_pending.c, scenario_legal.c: what is compared; scenario_print.c: TAP.
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

/* Setting up. */

bool scenario_set_up(struct scenario *scenario);
/** For tests/mutation only: spoils one number or flag of the box, see scenario_mutate.c. */
bool scenario_mutate(struct scenario *scenario, const struct table_options *options);
/** A definition of the game's sets by name; NO_DEF (and a message) if there is none. */
uint16_t scenario_def(struct scenario *scenario, const char *name, const char *at);
/** Takes a card of that name out of its deck for another place; NO_CARD (and a message) if the sets
 * hold no more of it. */
uint16_t scenario_take(struct scenario *scenario, const char *name, const char *at);
/** Finds a card of that name that lies on a seat's table. */
uint16_t scenario_on_table(struct scenario *scenario, unsigned seat, const char *name,
                           const char *at);
bool scenario_set_decks(struct scenario *scenario);
bool scenario_set_chance(struct scenario *scenario);

/* Running. */

bool scenario_run_steps(struct scenario *scenario);
/** Whether the next step answers the open moment (it is then left open). */
bool scenario_next_answers(struct scenario *scenario);

/* Comparing. False if anything differed. */

bool scenario_expect(struct scenario *scenario, struct json_t *expect);
bool scenario_expect_player(struct scenario *scenario, unsigned seat, struct json_t *expect);
bool scenario_expect_pending(struct scenario *scenario, struct json_t *expect);
bool scenario_expect_legal(struct scenario *scenario, unsigned seat, struct json_t *expect);

/** Compares numbers. */
bool scenario_same_number(struct scenario *scenario, const char *at, const struct json_t *expected,
                          long found);
bool scenario_same_word(struct scenario *scenario, const char *at, const struct json_t *expected,
                        const char *found);

/** Cards as they are named in lists, a copy of a monster marked. */
struct scenario_cards {
    unsigned count;
    uint16_t cards[MB_CARDS_MAX];
    bool copy[MB_CARDS_MAX];
};

void scenario_cards_add(struct scenario_cards *list, uint16_t card, bool copy);
/** Whether the names say just these cards; ordered: in this order, and a shorter list is a start.
 */
bool scenario_same_cards(struct scenario *scenario, const char *at, const struct json_t *expected,
                         const struct scenario_cards *found, bool ordered);
/** Whether the names are those, without a message. */
bool scenario_cards_are(struct scenario *scenario, const struct json_t *expected,
                        const struct scenario_cards *found, bool ordered);
/** "[Net Troll, Enraged]" */
const char *scenario_cards_text(struct scenario *scenario, const struct scenario_cards *cards,
                                char *out, size_t size);
void scenario_card_name(struct scenario *scenario, uint16_t card, bool copy, char *out,
                        size_t size);

#endif
