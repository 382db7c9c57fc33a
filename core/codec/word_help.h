/*
 * One line on every word of the card language, for the reference.
 */
#ifndef CORE_CODEC_WORD_HELP_H
#define CORE_CODEC_WORD_HELP_H

#include "core/words/words.h"

/** What a word means; "" for the small lists whose words explain themselves. */
const char *word_help(enum word_table table, unsigned word);

#endif
