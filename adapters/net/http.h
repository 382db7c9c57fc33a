/*
 * HTTP requests on the loop: what is asked is copied, what comes is told once, on the loop thread.
 *
 * libcurl's multi interface on libuv: connections are kept and shared, HTTP/2 where the server has
 * it, TLS always verified. Nothing is retried and nothing paced here; that is its user's to do.
 * Bodies are read up to a bound; an answer that is longer, too slow or cut is none.
 *
 * The loop outlives it: http_close(), run the loop until it is empty, then http_destroy().
 */
#ifndef ADAPTERS_NET_HTTP_H
#define ADAPTERS_NET_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <uv.h>

#include "core/base/error.h"

enum { HTTP_HEADERS_MAX = 8, HTTP_BODY_MAX = 16 * 1024 * 1024 };

struct http_setup {
    uv_loop_t *loop;
    const char *user_agent;
    const char *ca_file; /**< beside the system's certificates, for tests; or NULL */
    const char *proxy;   /**< or NULL: what the environment says */
};

/** Borrowed by http_send(). */
struct http_request {
    const char *method; /**< "GET", "POST" ... */
    const char *url;
    const char *headers[HTTP_HEADERS_MAX]; /**< "Name: value"; up to NULL */
    const char *body;                      /**< NULL: none */
    size_t body_size;
    int64_t timeout_ms; /**< for all of it */
    size_t body_max;    /**< of the answer; 0: HTTP_BODY_MAX */
    /** Takes the answer's body as it comes, and none is kept; false: it is too long. `user` is that
     * of `done`. NULL: it is kept. */
    bool (*take)(void *user, const char *bytes, size_t size);
    /** Never sent twice: by a connection of its own, for libcurl sends again what was lost on one
     * that it had kept. */
    bool once;
};

/** Why there is no answer. */
enum http_fault {
    HTTP_NO_FAULT,
    HTTP_UNSENT, /**< no connection came to be: nothing can have happened */
    HTTP_UNKNOWN /**< sent, in part at least: what came of it nobody knows */
};

struct http_answer {
    enum http_fault fault;
    const char *why;  /**< of a fault: one line */
    bool too_long;    /**< of HTTP_UNKNOWN: there is an answer, of more than `body_max` bytes */
    int status;       /**< 0 with a fault */
    const char *body; /**< borrowed during the call; ends with a zero that is not counted */
    size_t body_size;
    void *handle; /**< for http_header() */
};

typedef void http_done_fn(void *user, const struct http_answer *answer);

struct http;

/** NULL if libcurl cannot be used. */
struct http *http_create(const struct http_setup *setup, struct mb_error *err);
/** A number for http_cancel(); 0 if it cannot be sent, then `done` is never called. Otherwise it
 * is, once, and not within this call. */
MB_MUST_CHECK
uint64_t http_send(struct http *http, const struct http_request *request, http_done_fn *done,
                   void *user);
/** Its `done` is not called any more; a number that is done with is fine. */
void http_cancel(struct http *http, uint64_t number);
/** The answer's header, the last of that name; NULL: none. Borrowed during the call. */
const char *http_header(const struct http_answer *answer, const char *name);
/** When the server says it answered, in ms since 1970, good to a second; 0: it does not say. */
int64_t http_date_ms(const struct http_answer *answer);
/** Requests under way. */
size_t http_count(const struct http *http);
/** Cancels all and lets go of the loop. */
void http_close(struct http *http);
/** After the loop has run empty. NULL is fine. */
void http_destroy(struct http *http);

struct http_once {
    int status;
    char *body; /**< ends with a zero that is not counted; free it */
    size_t body_size;
};

/** On a loop of its own, with HTTP/2 and TLS as elsewhere; `ca_file`: certificates beside the
 * system's, or NULL. False with an error: there is no answer. */
MB_MUST_CHECK
bool http_once(const struct http_request *request, const char *user_agent, const char *ca_file,
               struct http_once *out, struct mb_error *err);

#endif
