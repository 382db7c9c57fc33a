/*
 * How long all card sets take to load, in processor time: the middle and the longest of twenty
 * times. The bound is 40 ms for the middle one; exit status 1 if it does not hold.
 *
 * usage, in the repository's root: bench_load
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "core/codec/catalog.h"

enum { TIMES = 20, BOUND_MS = 40 };

static double now_ms(void)
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static int by_length(const void *one, const void *other)
{
    const double a = *(const double *)one;
    const double b = *(const double *)other;
    return (a > b) - (a < b);
}

int main(void)
{
    double took[TIMES];
    for (size_t i = 0; i < TIMES; i++) {
        const double start = now_ms();
        struct catalog *const catalog = catalog_load("cards", NULL);
        took[i] = now_ms() - start;
        if (catalog == NULL) {
            (void)fprintf(stderr, "bench_load: no cards/\n");
            return 1;
        }
        catalog_destroy(catalog);
    }
    qsort(took, TIMES, sizeof took[0], by_length);
    printf("all sets load in %.1f ms (the longest of %d times: %.1f ms)\n", took[TIMES / 2], TIMES,
           took[TIMES - 1]);
    return took[TIMES / 2] > BOUND_MS;
}
