/*
 * Tables of people who type, through hall and store as the service runs them: how much they take,
 * and what a process that dies makes of them.
 *
 * Game number n is played at a place of its own by people of its own. What is said there, by whom
 * and under which event id follows from the seed, the number and how far the game has come alone: a
 * soak that was killed goes on where the store stands and ends as if nothing had happened, and of
 * several processes on one store each line counts once. Its time is the store's: when nobody has
 * anything to say, it goes on to what falls due next; where several processes share it, it passes
 * at one speed for all.
 */
#ifndef BOT_TOOLS_SOAK_H
#define BOT_TOOLS_SOAK_H

#include "bot/hall/hall.h"
#include "bot/policy/policy.h"

enum { SOAK_PLAYERS = 4, SOAK_POLICIES_MAX = MB_SEATS_MAX, SOAK_DIGEST_SIZE = 33 };

struct soak_setup {
    const struct catalog *catalog;
    const char *sets;    /**< of every table, as "new" takes them; they are in the catalog */
    struct store *store; /**< started; its store_take() waits */
    unsigned tables;     /**< games at once */
    unsigned long games; /**< 0: no end but that of `seconds` */
    double seconds;      /**< 0: until all games are over */
    double rate;         /**< lines a second at most; 0: any number */
    double speed; /**< times as fast as the clock on the wall; 0: on to what falls due when nobody
                   * speaks. Of several processes on one store all have the same */
    unsigned long first; /**< game to begin with; those before it come last */
    bool verify;         /**< games are played again from their journals */
    uint64_t seed;
    const struct policy *policies[SOAK_POLICIES_MAX]; /**< by seat, over and over */
    unsigned policy_count;
    const char *platform; /**< a file that shows what was said; or NULL */
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
    unsigned long conflicts, repeated; /**< steps that another process has overtaken, or heard */
    unsigned long confirmed, doubled, lost;
    double seconds, p50_ms, p99_ms;
    struct soak_game *games; /**< of this run and of earlier ones; soak_finish() */
    size_t game_count;
};

/** Plays; false with an error when it cannot go on. The report is the caller's to finish. */
MB_MUST_CHECK
bool soak_run(const struct soak_setup *setup, struct soak_report *report, struct mb_error *err);
void soak_finish(struct soak_report *report);

#endif
