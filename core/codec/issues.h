/*
 * What is wrong with card files: a bounded list of sentences.
 *
 * Each is one line, `file: card "X": field: expected ..., found ...`; names from files are cut and
 * their controls and marks of direction replaced, so a line can be shown to anybody. Notes are no
 * errors. What does not fit is counted only.
 */
#ifndef CORE_CODEC_ISSUES_H
#define CORE_CODEC_ISSUES_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"

enum { CATALOG_ISSUES_MAX = 256, CATALOG_ISSUE_SIZE = 1200 };

struct catalog_issue {
    bool note; /**< worth knowing, but not wrong */
    char text[CATALOG_ISSUE_SIZE];
};

/** Caller's memory; starts as {0}. The first `count` are in `list`; `errors + notes` were found. */
struct catalog_issues {
    size_t count;
    size_t errors;
    size_t notes;
    struct catalog_issue list[CATALOG_ISSUES_MAX];
};

/** Adds an error. `issues` may be NULL. */
MB_PRINTF(2, 3)
void issues_error(struct catalog_issues *issues, const char *format, ...);
/** Adds a note. */
MB_PRINTF(2, 3)
void issues_note(struct catalog_issues *issues, const char *format, ...);

#endif
