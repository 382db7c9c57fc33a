/*
 * Whose invitations are taken: by who invites, and not more than so many a day.
 *
 * Pure: the owner tells the time. Rules name people ("@ada:example.org") and servers
 * ("example.org"), with commas or blanks between them; who is blocked stays so, whatever else is
 * said of their server. What was refused is not counted.
 */
#ifndef ADAPTERS_MATRIX_ROOMS_GUESTS_H
#define ADAPTERS_MATRIX_ROOMS_GUESTS_H

#include <stdbool.h>
#include <stdint.h>

/** Words are borrowed. */
struct guests_rules {
    const char *allow;            /**< people, servers, rooms (chat_list_names()); NULL: all */
    const char *block;            /**< the same; NULL: none */
    unsigned person_max, day_max; /**< invitations in 24 hours, of one person and of all */
};

struct guests;

/** The rules are borrowed; their owner may change them between two calls. */
struct guests *guests_create(const struct guests_rules *rules);
/** NULL is fine. */
void guests_destroy(struct guests *guests);
/** Whether an invitation of theirs into that room is taken; if it is, it counts. */
bool guests_take(struct guests *guests, const char *person, const char *room, int64_t now_ms);

#endif
