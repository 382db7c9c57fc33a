/*
 * Whether somebody has been offered the guided first turn on this machine: an empty file
 * "guide" in $XDG_STATE_HOME/munchbot (~/.local/state/munchbot). Where it cannot be written,
 * nothing is remembered, and nothing is said about it: it is a courtesy.
 */
#ifndef ADAPTERS_CONSOLE_FIRST_TIME_H
#define ADAPTERS_CONSOLE_FIRST_TIME_H

#include <stdbool.h>

/** True until first_time_over(); without a place to remember it, false: nobody is asked each time.
 */
bool first_time(void);
void first_time_over(void);

#endif
