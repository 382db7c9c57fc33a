/*
 * "Did you mean ...?": the word of a list that is nearest to a misspelt one. Pure.
 */
#ifndef CORE_CODEC_SUGGEST_H
#define CORE_CODEC_SUGGEST_H

#include <stddef.h>

/** Starts as {.word = what was written}; feed every candidate; `best` is the answer or NULL. */
struct suggestion {
    const char *word;
    const char *best; /**< borrowed from the candidate */
    size_t distance;  /**< of `best`; set by the first candidate */
};

/** An ASCII capital made small; anything else as it is. */
char suggest_small(char c);
/** Letters to change, add, drop or swap to make one of the other, case aside; both are looked at
 * for 40 bytes only. */
size_t suggest_distance(const char *a, const char *b);
/** Looks at one candidate: one that is too far off (more than a third of the word) never counts. */
void suggest_try(struct suggestion *suggestion, const char *candidate);

#endif
