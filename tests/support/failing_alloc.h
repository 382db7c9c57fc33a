/*
 * Memory that runs out: the n-th allocation of the project's own code fails, for every n.
 *
 * The linker puts this between a test program's objects and malloc, calloc, realloc and strdup
 * (mb_test's FAILING_ALLOC), with sanitizers too. Jansson is given the same malloc: a value that is
 * missing in the middle of a file is ours to handle. What libc, libsodium and cmocka allocate for
 * themselves does not fail. Only the n-th fails, once: what goes on regardless with nothing is
 * found, which would not come about if all later ones failed too. That nothing leaks is seen by
 * the leak sanitizer (preset asan).
 */
#ifndef TESTS_SUPPORT_FAILING_ALLOC_H
#define TESTS_SUPPORT_FAILING_ALLOC_H

#include <stdbool.h>

/** The n-th allocation from now (1: the next one) fails; 0: none. */
void failing_alloc_arm(unsigned long n);
/** From now on, until it is armed again, Jansson has memory enough: its lexer writes behind a
 * buffer that could not grow, which is no fault of ours and would end the test. */
void failing_alloc_spare_json(void);
/** Nothing fails any more; whether something did. */
bool failing_alloc_disarm(void);

/** Tries something with the first allocation failing, then the second, until none is left to fail;
 * then it must succeed. `attempt` checks what came of it, gives everything back, and returns
 * whether it did as it does with memory enough. Returns how many tries did not. */
unsigned long failing_alloc_each(bool (*attempt)(void *user), void *user);

#endif
