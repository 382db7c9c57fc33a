/*
 * Rows of the table that tests/bench/run prints: what, figure, unit and bound, with tabs between.
 */
#ifndef TESTS_BENCH_ROWS_H
#define TESTS_BENCH_ROWS_H

#include <stdbool.h>

/** Prints a row without a bound. */
void row(const char *what, double is, const char *unit);
/** Prints a row with a bound; returns whether it holds. */
bool row_at_most(const char *what, double is, const char *unit, double most);

/** Seconds of processor time, of the calling thread. */
double row_thread_s(void);

#endif
