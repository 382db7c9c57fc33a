/*
 * Everything that is wrong, each a line for an operator, in the order it was found.
 *
 * No line ever holds a secret, or a value that may hold one.
 */
#ifndef ADAPTERS_SERVICE_PROBLEMS_H
#define ADAPTERS_SERVICE_PROBLEMS_H

#include <stddef.h>

#include "core/base/error.h"

enum { PROBLEMS_MAX = 64, PROBLEM_SIZE = 320 };

/** Starts zeroed. */
struct problems {
    size_t count; /**< beyond PROBLEMS_MAX they are only counted */
    char lines[PROBLEMS_MAX][PROBLEM_SIZE];
};

MB_PRINTF(2, 3)
void problems_add(struct problems *problems, const char *format, ...);
/** On stderr, each behind the program's name. */
void problems_print(const struct problems *problems, const char *program);

#endif
