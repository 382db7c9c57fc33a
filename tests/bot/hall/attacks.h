/*
 * The attacks (test_hall_attacks.c) on another store than the one in memory.
 */
#ifndef TESTS_BOT_HALL_ATTACKS_H
#define TESTS_BOT_HALL_ATTACKS_H

#include "bot/store.h"

/** Make the stores of both halls, empty, whose store_take() waits; NULL: they are in memory. */
extern struct store *(*attacks_make[2])(void);

int test_hall_attacks_main(void);

#endif
