/*
 * A person of one network, known by that network's id and by nothing else.
 *
 * The name is what the network shows. Two people may have the same name and anybody may change it,
 * so it decides nothing. Ids are compared byte by byte. Too long an id is refused, never cut: two
 * ids cut alike would be one person, with one hand.
 */
#ifndef BOT_PERSON_H
#define BOT_PERSON_H

#include <stdbool.h>
#include <string.h>

enum {
    PERSON_ID_SIZE = 321,    /**< Matrix has the longest: 255 bytes today, room for more */
    PERSON_NETWORK_SIZE = 12 /**< "console", "discord", "matrix" */
};

/** Borrowed words. */
struct person {
    const char *network; /**< chat_name() */
    const char *id;
    const char *name; /**< as the network shows it; "" : `id` */
    bool moderates;   /**< the network lets them moderate the place they speak at */
};

#endif
