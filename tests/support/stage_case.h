/* A stage (tests/support/stage.h) with fixed chance and a catalogue of its own, as the state of a
 * cmocka test. */
#ifndef TESTS_SUPPORT_STAGE_CASE_H
#define TESTS_SUPPORT_STAGE_CASE_H

#include "tests/support/stage.h"

int stage_case_open_on(void **state, enum stage_engine engine);
/** In memory: a cmocka set-up. */
int stage_case_open(void **state);
/** The tear-down of either. */
int stage_case_close(void **state);
struct stage *stage_of(void **state);

#endif
