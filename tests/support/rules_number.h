/*
 * By which rules a program plays, for tests of releases that follow one another: linked with
 * --wrap=game_rules. Until a test says otherwise a program is the next release.
 */
#ifndef TESTS_SUPPORT_RULES_NUMBER_H
#define TESTS_SUPPORT_RULES_NUMBER_H

/** This release's; the real one of a program that is wrapped. */
unsigned rules_number_now(void);
extern unsigned rules_number;

#endif
