/*
 * People who are named by links: in the plain body only what they call themselves stands in their
 * place, so the links of the formatted one are looked at.
 *
 * Pure. Reference: Matrix, sections 10 and 14.
 */
#ifndef ADAPTERS_MATRIX_LISTEN_PILLS_H
#define ADAPTERS_MATRIX_LISTEN_PILLS_H

#include <stddef.h>

#include <jansson.h>

/** The body of a message with ids in the place of names that are links to people; cut to `size`. */
void pills_write(const json_t *content, char *out, size_t size);

#endif
