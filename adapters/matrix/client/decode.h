/*
 * Reading an answer although something in it cannot be read.
 *
 * A sync holds what anybody has said in any room, and servers pass on what the JSON library here
 * refuses: an escaped zero byte, half of a surrogate pair, bytes that are no UTF-8, numbers beyond
 * all types, brackets within brackets without end. Refusing the whole answer would be asking for
 * the same again for ever. So what can be read is; of the rest each such character becomes U+FFFD
 * or "?", such a number 0, and what is nested too deep 0, too. What is no JSON stays none. Pure.
 */
#ifndef ADAPTERS_MATRIX_CLIENT_DECODE_H
#define ADAPTERS_MATRIX_CLIENT_DECODE_H

#include <stddef.h>

#include <jansson.h>

/** How deep what is nested is kept, where anything was not readable. */
enum { DECODE_DEPTH_MAX = 128 };

/** The caller's; NULL: it is no JSON. */
json_t *decode_answer(const char *answer, size_t size);

#endif
