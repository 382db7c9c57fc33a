/*
 * What every test includes: cmocka and the headers it wants before it, in its order.
 *
 * Sorting moves cmocka.h before setjmp.h and breaks the build, so the order is fixed here.
 */
#ifndef TESTS_SUPPORT_TEST_H
#define TESTS_SUPPORT_TEST_H

// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

// Where all tests of a label are one program, main() is the function by which support/tests.c calls
// this one (mb_test in tests/CMakeLists.txt).
#ifdef MB_TEST_MAIN
int MB_TEST_MAIN(void);
#define main MB_TEST_MAIN // NOLINT(readability-identifier-naming)
#endif

// clang's analyzer does not see that what cmocka asserts ends the test if it is not so.
// NOLINTBEGIN(readability-identifier-naming)
#ifdef __clang_analyzer__
#undef assert_non_null
#undef assert_true
#define assert_non_null(pointer) ((pointer) != NULL ? (void)0 : __builtin_trap())
#define assert_true(holds)       ((holds) ? (void)0 : __builtin_trap())
#endif
// NOLINTEND(readability-identifier-naming)

#endif
