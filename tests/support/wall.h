/*
 * The wall clock of a program that this is linked to: what anything in it is told of the time of
 * day is off by so many seconds. Other clocks go as they do.
 */
#ifndef TESTS_SUPPORT_WALL_H
#define TESTS_SUPPORT_WALL_H

void wall_shift(long seconds);

#endif
