/*
 * Faults on purpose: does anybody notice when a secret gets out?
 *
 * In the program `twins` nothing can be planted. `twins_planted` is linked so that calls of some
 * functions of the core go through here (ld --wrap), where the planted fault lets a secret slip.
 */
#ifndef TESTS_TWINS_PLANT_H
#define TESTS_TWINS_PLANT_H

#include <stdbool.h>

/** "event:move", "hand", ...: see plant.c; false if there is no such fault here. */
bool plant(const char *name);

#endif
