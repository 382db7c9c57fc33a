/*
 * Texts as Matrix shows them: the same words once plain and once as HTML.
 *
 * Both are made from one text with marks (bot/text/text.h), so they cannot drift apart. The plain
 * one is what notifications, bridges and screen readers get; the HTML has <b>, <br/> and links to
 * the people that a message calls, and whatever people typed is escaped in it. An edit carries
 * either twice and the server counts bytes of JSON, so each stays below PROSE_MAX of them: what is
 * too long ends at a line's end, with a sentence that says so. Reference: Matrix, sections 6
 * and 17.
 */
#ifndef ADAPTERS_MATRIX_SAY_PROSE_H
#define ADAPTERS_MATRIX_SAY_PROSE_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

enum {
    PROSE_CALLED_MAX = 16,   /**< of a message; who comes behind them is no link */
    PROSE_MAX = 14000,       /**< bytes as JSON writes them */
    PROSE_SEALED_MAX = 9000, /**< the same of what is sealed, which grows by a third */
    PROSE_SIZE = PROSE_MAX + 1
};

/** Somebody whom a message calls: where their name stands first in its first line it is a link to
 * them, else one is put behind that line. */
struct prose_called {
    const char *name, *id;
};

struct prose {
    char body[PROSE_SIZE];
    char html[PROSE_SIZE];
};

/** `most`: PROSE_MAX or less. Returns whether all of the text is there; else it ends with `rest`,
 * which is plain and short. */
bool prose_write(const char *text, size_t most, const char *rest, const struct prose_called *called,
                 size_t called_count, struct prose *out);

/*
 * What is said, as the content of Matrix events.
 *
 * Pure. A message is a notice, which calls nobody, or a text that counts and calls those it
 * mentions; every one says whom it mentions, for a server would take the names in it for calls
 * otherwise. An edit carries its text twice: as it stands alone for who shows no edits, behind "*
 * ", and as what takes the first one's place; what is sealed is larger, and alone it is only its
 * first line. Contents are the caller's.
 * Reference: Matrix, section 6.
 */

/** Under which transaction it was sent, in its content. */
#define CONTENT_TXN "org.munchbot.txn"

struct content_said {
    const char *text;          /**< with marks */
    const char *const *called; /**< ids of those whom it is to call */
    const char *const *names;  /**< what each is called in the text */
    size_t called_count;
    const char *replaces; /**< the id of the first form of what it edits, or NULL */
    const char *answers;  /**< the id of what it replies to, or NULL */
    const char *thread;   /**< the id of what begins the thread of that, or NULL */
    const char *txn;      /**< stands in it, so that it can be found again; or NULL */
    bool sealed;          /**< on its way */
    bool counts;          /**< a text whomever it calls: who reads it is told that it is new */
};

json_t *content_message(const struct content_said *said);

#endif
