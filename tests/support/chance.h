/*
 * Seeds that tests can rely on: libsodium's random bytes come from a fixed stream.
 *
 * Tables that people start draw their seed from libsodium; a test of such a table must not pass on
 * one day and fail on another. chance_fix() begins the stream anew.
 */
#ifndef TESTS_SUPPORT_CHANCE_H
#define TESTS_SUPPORT_CHANCE_H

void chance_fix(void);

#endif
