#include "tests/bench/rows.h"

#include <stdio.h>
#include <time.h>

void row(const char *what, double is, const char *unit)
{
    (void)printf("%-56s\t%.4g\t%s\t\n", what, is, unit);
}

bool row_at_most(const char *what, double is, const char *unit, double most)
{
    (void)printf("%-56s\t%.4g\t%s\t<= %.4g\n", what, is, unit, most);
    return is <= most;
}

double row_thread_s(void)
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}
