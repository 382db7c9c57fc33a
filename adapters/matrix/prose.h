/*
 * Texts as Matrix shows them: the same words once plain and once as HTML.
 *
 * Both are made from one text with marks (bot/text/text.h), so they cannot drift apart. The plain
 * one is what notifications, bridges and screen readers get; the HTML has <b> and <br/> alone, and
 * whatever people typed is escaped in it. An edit carries either twice and the server counts bytes
 * of JSON, so each stays below PROSE_MAX of them: what is too long ends at a line's end, with a
 * sentence that says so. Reference: Matrix, sections 6 and 17.
 */
#ifndef ADAPTERS_MATRIX_PROSE_H
#define ADAPTERS_MATRIX_PROSE_H

#include <stdbool.h>
#include <stddef.h>

enum {
    PROSE_MAX = 14000, /**< bytes as JSON writes them */
    PROSE_SIZE = PROSE_MAX + 1
};

struct prose {
    char body[PROSE_SIZE];
    char html[PROSE_SIZE];
};

/** Returns whether all of the text is there; else it ends with `rest`, which is plain and short. */
bool prose_write(const char *text, const char *rest, struct prose *out);

#endif
