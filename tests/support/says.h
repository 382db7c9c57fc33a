/*
 * Whether a text says a sentence of the catalogue: tests name what is meant, not how it is worded.
 *
 * Values that matter are given; every other place of the sentence may hold anything on that line.
 * Where a sentence can be said in several ways, any of them will do. One that tells what a player
 * does ("Ann draws a Treasure.") may be a part of a line about that player ("Ann wins the fight, 9
 * to 4, gains 1 Level (Level 3 now) and draws a Treasure!").
 */
#ifndef TESTS_SUPPORT_SAYS_H
#define TESTS_SUPPORT_SAYS_H

#include "bot/text/text.h"

/** `args` as for text_put(), or NULL. A place that chooses between two words wants its number. */
bool says(const char *text, enum text_id id, const struct text_arg *args);
/** Fail the test, with the text, unless it says so, or if it does. */
void assert_says(const char *text, enum text_id id, const struct text_arg *args);
void assert_says_not(const char *text, enum text_id id, const struct text_arg *args);

#endif
