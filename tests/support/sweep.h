/*
 * Tests that try a fault at places all through something: ctest tries a fixed sample, and
 * tests/slow/sweeps the whole.
 */
#ifndef TESTS_SUPPORT_SWEEP_H
#define TESTS_SUPPORT_SWEEP_H

#include <stddef.h>
#include <stdlib.h>

/** How many places a sweep goes on by: `sample`, or `whole` where MB_SWEEP is set in the
 * environment. */
static inline size_t sweep_step(size_t sample, size_t whole)
{
    return getenv("MB_SWEEP") != NULL ? whole : sample;
}

#endif
