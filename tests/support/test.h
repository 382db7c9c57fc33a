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

#endif
