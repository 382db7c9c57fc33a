#include "adapters/service/problems.h"

#include <stdarg.h>
#include <stdio.h>

void problems_add(struct problems *problems, const char *format, ...)
{
    if (problems->count++ >= PROBLEMS_MAX) {
        return;
    }
    va_list values;
    va_start(values, format);
    (void)vsnprintf(problems->lines[problems->count - 1], PROBLEM_SIZE, format, values);
    va_end(values);
}

void problems_print(const struct problems *problems, const char *program)
{
    for (size_t i = 0; i < problems->count && i < PROBLEMS_MAX; i++) {
        (void)fprintf(stderr, "%s: %s\n", program, problems->lines[i]);
    }
    if (problems->count > PROBLEMS_MAX) {
        (void)fprintf(stderr, "%s: and %zu more\n", program, problems->count - PROBLEMS_MAX);
    }
}
