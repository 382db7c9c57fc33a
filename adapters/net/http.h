/*
 * HTTP requests on the loop: http_send() copies the request and tells the answer once, on the loop
 * thread.
 *
 * libcurl's multi interface on libuv: connections are kept and shared, HTTP/2 where the server has
 * it, TLS always verified. Retries and pacing are the caller's. Bodies are read up to a bound; a
 * longer, too slow or cut answer is no answer.
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
    const char *ca_file; /**< added to the system's certificates, for tests; or NULL */
    const char *proxy;   /**< NULL: as the environment says */
};

/** Borrowed by http_send(). */
struct http_request {
    const char *method; /**< "GET", "POST" ... */
    const char *url;
    const char *headers[HTTP_HEADERS_MAX]; /**< "Name: value"; up to NULL */
    const char *body;                      /**< NULL: none */
    size_t body_size;
    int64_t timeout_ms; /**< of the whole exchange */
    size_t body_max;    /**< of the answer; 0: HTTP_BODY_MAX */
    /** Takes the answer's body as it comes; false: it is too long. `user` is that of `done`. NULL:
     * the body is in the answer. */
    bool (*take)(void *user, const char *bytes, size_t size);
    /** Sent at most once, on a new connection: libcurl repeats what was lost on a reused one. */
    bool once;
};

/** Why there is no answer. */
enum http_fault {
    HTTP_NO_FAULT,
    HTTP_UNSENT, /**< no connection: the server never saw the request */
    HTTP_UNKNOWN /**< sent at least in part: the effect is unknown */
};

struct http_answer {
    enum http_fault fault;
    const char *why;  /**< of a fault: one line */
    bool too_long;    /**< of HTTP_UNKNOWN: the answer has more than `body_max` bytes */
    int status;       /**< 0 with a fault */
    const char *body; /**< borrowed during the call; ends with an extra zero */
    size_t body_size;
    void *handle; /**< for http_header() */
};

typedef void http_done_fn(void *user, const struct http_answer *answer);

struct http;

/** NULL if libcurl cannot be used. */
struct http *http_create(const struct http_setup *setup, struct mb_error *err);
/** Returns a number for http_cancel() and later calls `done` once, never within this call. 0: the
 * request cannot be sent, and `done` is never called. */
MB_MUST_CHECK
uint64_t http_send(struct http *http, const struct http_request *request, http_done_fn *done,
                   void *user);
/** Cancels: `done` is not called. A number that is done is fine. */
void http_cancel(struct http *http, uint64_t number);
/** Returns the answer's last header of that name; NULL: none. Borrowed during the call. */
const char *http_header(const struct http_answer *answer, const char *name);
/** Returns the server's date in ms since 1970, good to a second; 0: it sent none. */
int64_t http_date_ms(const struct http_answer *answer);
/** Returns how many requests are under way. */
size_t http_count(const struct http *http);
/** Cancels all requests and frees the loop. */
void http_close(struct http *http);
/** After the loop has run empty. NULL is fine. */
void http_destroy(struct http *http);

struct http_once {
    int status;
    char *body; /**< ends with an extra zero; the caller frees it */
    size_t body_size;
};

/** Sends one request on a loop of its own and waits. `ca_file`: certificates added to the system's,
 * or NULL. False with an error: no answer came. */
MB_MUST_CHECK
bool http_once(const struct http_request *request, const char *user_agent, const char *ca_file,
               struct http_once *out, struct mb_error *err);

#endif
