/*
 * Seats by the names that tables give people, which are nothing but names: for tests alone.
 */
#ifndef TESTS_SUPPORT_SEATS_H
#define TESTS_SUPPORT_SEATS_H

#include "bot/table/table.h"

/** The seat shown under a name; NO_SEAT. */
unsigned seat_named(const struct table *table, const char *name);
/** Whether somebody shown as that waits for a seat. */
bool waits_named(const struct table *table, const char *name);

#endif
