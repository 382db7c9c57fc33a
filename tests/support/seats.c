#include "tests/support/seats.h"

#include <string.h>

unsigned seat_named(const struct table *table, const char *name)
{
    for (unsigned seat = 0; seat < table_seat_count(table); seat++) {
        if (strcmp(table_seat_name(table, seat), name) == 0) {
            return seat;
        }
    }
    return NO_SEAT;
}

bool waits_named(const struct table *table, const char *name)
{
    for (unsigned seat = 0; seat < table_seat_count(table); seat++) {
        struct person person;
        if (table_seat_person(table, seat, true, &person) && strcmp(person.name, name) == 0) {
            return true;
        }
    }
    return false;
}
