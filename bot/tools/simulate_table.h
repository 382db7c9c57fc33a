/*
 * The table at which a checked simulation is played: a session, typed at as players would.
 *
 * Every decision is worded (parse_format) from the player's own view, typed, read, decided and told
 * by the session; clocks run out because the host moves time. So the grammar, the clocks and all
 * that is rendered are checked with the rules: what was chosen must be what was understood, and
 * what came of it what the core alone makes of it. Of cards that lie alike either may be meant.
 */
#ifndef BOT_TOOLS_SIMULATE_TABLE_H
#define BOT_TOOLS_SIMULATE_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/codec/catalog.h"
#include "core/game.h"
#include "core/state/command.h"

struct simulate_table;

enum { SIMULATE_FAULT_SIZE = 1024 };

/** Catalog and box are borrowed. */
struct simulate_table *simulate_table_create(const struct catalog *catalog, const struct box *box);
void simulate_table_destroy(struct simulate_table *table);
/** A game that begins; all its seats are people's. */
void simulate_table_begin(struct simulate_table *table, const struct game *game);
/** Plays a command that was chosen by the core alone, with which `after` came of it. False with a
 * sentence in `fault` if the table makes something else of it. */
bool simulate_table_play(struct simulate_table *table, const struct command *command,
                         const struct game *after, char fault[SIMULATE_FAULT_SIZE]);
/** Somebody looks at everything there is to look at; false with a sentence if that is refused, says
 * nothing or changes anything. */
bool simulate_table_look(struct simulate_table *table, unsigned seat,
                         char fault[SIMULATE_FAULT_SIZE]);
/** How the game stands there: as `after`, but for cards that lay alike. */
const struct game *simulate_table_game(const struct simulate_table *table);

#endif
