/*
 * Who has played how: games finished, won, monsters killed, deaths, by community and person.
 *
 * A community is whatever the host says it is (a server, a room, a terminal); numbers of one are
 * not seen in another. Only finished games are put in. Kept in memory, behind these functions
 * alone, so that a store can keep them instead. Persons are compared with case aside.
 */
#ifndef BOT_SESSION_STATS_H
#define BOT_SESSION_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct stats;

struct stats_line {
    uint32_t games, wins, kills, deaths;
};

/** NULL only without memory. */
struct stats *stats_create(void);
/** NULL is fine. */
void stats_destroy(struct stats *stats);
/** Adds to what is known of a person; false without memory. */
bool stats_add(struct stats *stats, const char *community, const char *person,
               const struct stats_line *line);
/** What is known of a person; false (and zeros) if nothing is. */
bool stats_of(const struct stats *stats, const char *community, const char *person,
              struct stats_line *out);
/** Forgets a person; false if nothing was known. */
bool stats_forget(struct stats *stats, const char *community, const char *person);
/** How many persons a community knows of, and the sum of their lines. */
size_t stats_total(const struct stats *stats, const char *community, struct stats_line *out);

#endif
