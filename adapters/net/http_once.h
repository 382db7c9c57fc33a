/*
 * One HTTP request that is waited for: for commands that ask a server something and end.
 */
#ifndef ADAPTERS_NET_HTTP_ONCE_H
#define ADAPTERS_NET_HTTP_ONCE_H

#include <stdbool.h>
#include <stddef.h>

#include "adapters/net/http.h"

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
