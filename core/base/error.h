/*
 * The one way of saying what went wrong: a code for the caller's decision, a line for the log.
 *
 * The caller owns the error and starts it zeroed (`struct mb_error err = {0};`). The first failure
 * wins: once the code is not MB_OK, later ones change nothing, so the cause survives its
 * consequences. The text is one lower-case line of valid UTF-8 for operators; players never see it
 * (what a game refuses is a `struct refusal`). NULL is fine wherever an error is handed in.
 */
#ifndef CORE_BASE_ERROR_H
#define CORE_BASE_ERROR_H

#include <stdbool.h>

/** The result of the function must be looked at. */
#define MB_MUST_CHECK __attribute__((warn_unused_result))

/** The function takes a printf format as argument `text`, its values from argument `first` on. */
#define MB_PRINTF(text, first) __attribute__((format(printf, text, first)))

enum mb_code {
    MB_OK,
    MB_ERR_INPUT, /**< what came in is wrong: it will not get better by trying again */
    MB_ERR_STATE, /**< not now: the order of calls or the state of things forbids it */
    MB_ERR_LIMIT, /**< too much, too long, no room */
    MB_ERR_IO,    /**< the world outside failed */
    MB_ERR_RETRY  /**< the world outside failed, and the same again may succeed */
};

struct mb_error {
    enum mb_code code;
    char text[160]; /**< always terminated; cut at a whole character when too long */
};

/** Records a failure in `err` unless one is there already. Always returns false, for `return`. */
MB_PRINTF(3, 4)
bool mb_fail(struct mb_error *err, enum mb_code code, const char *format, ...);

#endif
