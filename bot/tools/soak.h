/*
 * Simulated people type at many tables, through hall and store as the service runs them: how much a
 * machine takes, and whether a process that dies loses anything.
 *
 * Game number n has a place and people of its own. Seed, number and progress of the game alone
 * decide every line, its speaker and its event id. So a killed soak continues from the store and
 * ends as if nothing had happened, and with several processes on one store each line counts once.
 * Time is the store's: when nobody has a line, it jumps to what falls due next. Where several
 * processes share a store, it passes at one speed for all.
 */
#ifndef BOT_TOOLS_SOAK_H
#define BOT_TOOLS_SOAK_H

#include "core/base/rng.h"

#include "bot/hall/hall.h"
#include "bot/policy/policy.h"

/*
 * A simulated person: says what a person at a seat would type next at a table of a hall.
 *
 * Typists see what their seat may see, decide as a bot player of that level would, and word it as
 * people type it. For soak tests and tests of the hall.
 */

struct typist;

/** A seat for which to type; all borrowed. */
struct typist_seat {
    const struct chat *chat;
    const char *place;
    unsigned seat;
    const struct policy *policy;
    struct mb_rng *rng;
};

struct typist *typist_create(void);
/** NULL is fine. */
void typist_destroy(struct typist *typist);
/** Writes a line for a seat of the live table at a place; false: nothing to say, or no table is
 * live there. */
bool typist_line(struct typist *typist, struct hall *hall, const struct typist_seat *who,
                 char line[CHAT_LINE_SIZE]);

enum { SOAK_PLAYERS = 4, SOAK_POLICIES_MAX = MB_SEATS_MAX, SOAK_DIGEST_SIZE = 33 };

struct soak_setup {
    const struct catalog *catalog;
    const char *sets;    /**< of every table, as "new" takes them; the catalog has them */
    struct store *store; /**< started; its store_take() waits */
    unsigned tables;     /**< games at once */
    unsigned long games; /**< 0: no end but that of `seconds` */
    double seconds;      /**< 0: until all games are over */
    double rate;         /**< lines a second at most; 0: any number */
    double speed; /**< times as fast as a clock; 0: time jumps to what falls due. The same for all
                   * processes on one store */
    unsigned long first; /**< the first game; those before it come last */
    bool verify;         /**< replays games from their journals */
    uint64_t seed;
    const struct policy *policies[SOAK_POLICIES_MAX]; /**< by seat, repeated */
    unsigned policy_count;
    const char *platform; /**< a file that gets the messages, or NULL */
};

/** A game that is over. */
struct soak_game {
    unsigned long number;
    char winner[64]; /**< names, or "" */
    unsigned rounds;
    unsigned long commands;        /**< entries of its journal */
    char digest[SOAK_DIGEST_SIZE]; /**< of them, hexadecimal */
};

struct soak_report {
    unsigned long commands, commits, finished, verified;
    unsigned long conflicts, repeated; /**< steps that another process overtook, or had heard */
    unsigned long confirmed, doubled, lost;
    double seconds, p50_ms, p99_ms;
    struct soak_game *games; /**< of this run and of earlier ones; soak_finish() */
    size_t game_count;
};

/** Plays; false with an error: it cannot go on. The caller finishes the report. */
MB_MUST_CHECK
bool soak_run(const struct soak_setup *setup, struct soak_report *report, struct mb_error *err);
void soak_finish(struct soak_report *report);

#endif
