/*
 * A laid-out table on which every row of the card language can do something: four players, Items in
 * every slot, followers, Curses, full discards, two monsters and a helper to come.
 *
 * One card, "X", is the test's own. Stories are played around it and leave a trace: a digest of all
 * that was to be seen on the way. Two cards that do the same leave the same trace.
 */
#ifndef TESTS_CORE_CODEC_LAID_TABLE_H
#define TESTS_CORE_CODEC_LAID_TABLE_H

#include "core/codec/catalog.h"

struct laid_table;

/** How a story goes, and when X is used in it. */
enum story {
    STORY_WON,
    STORY_FLED,
    STORY_CAUGHT,
    STORY_LOOTED,
    STORY_JOINED,
    STORY_ALONE,
    STORY_TOTAL
};
enum use_at { USE_IN_PEACE, USE_IN_FIGHT, USE_IN_FLIGHT, USE_TOTAL };

struct laid_table *laid_open(void);
void laid_close(struct laid_table *table);
/** Plays a story with the card; "" if it could not be read (then `why` says why). `counted`: what
 * is derived from the state is part of the trace, and what could be done. */
uint64_t laid_trace(struct laid_table *table, const char *card, enum story story, enum use_at use,
                    bool counted);
/** On whom a Curse X is played; seat 0 as it is opened. */
void laid_victim(struct laid_table *table, unsigned seat);
/** What the data of the card say. */
void laid_says(struct laid_table *table, const char *card, char *out, size_t size);
/** Whether the loader takes the card; else the first sentence against it. */
bool laid_reads(struct laid_table *table, const char *card, char *why, size_t size);

#endif
