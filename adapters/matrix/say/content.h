/*
 * What is said, as the content of Matrix events.
 *
 * Pure. A message is a notice, which calls nobody, or a text that counts and calls those it
 * mentions; every one says whom it mentions, for a server would take the names in it for calls
 * otherwise. An edit carries its text twice: as it stands alone for who shows no edits, behind "*
 * ", and as what takes the first one's place. Contents are the caller's.
 * Reference: Matrix, section 6.
 */
#ifndef ADAPTERS_MATRIX_SAY_CONTENT_H
#define ADAPTERS_MATRIX_SAY_CONTENT_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

/** Under which transaction it was sent, in its content. */
#define CONTENT_TXN "org.munchbot.txn"

struct content_said {
    const char *text;          /**< with marks */
    const char *const *called; /**< ids of those whom it is to call */
    const char *const *names;  /**< what each is called in the text */
    size_t called_count;
    const char *replaces; /**< the id of the first form of what it edits, or NULL */
    const char *answers;  /**< the id of what it replies to, or NULL */
    const char *txn;      /**< stands in it, so that it can be found again */
    bool counts;          /**< a text whomever it calls: who reads it is told that it is new */
};

json_t *content_message(const struct content_said *said);

#endif
