/*
 * Reading what homeservers tell: nothing in it can be relied on, so each field is asked for by its
 * type and length.
 *
 * Borrowed words live as long as the JSON they stand in. Ids are opaque, at most CHAT_ID_SIZE - 1
 * bytes here; what is longer is none. Reference: Matrix, sections 1, 5 and 6.
 */
#ifndef ADAPTERS_MATRIX_CLIENT_WIRE_H
#define ADAPTERS_MATRIX_CLIENT_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "core/base/error.h"

/** A string, or NULL. */
const char *wire_word(const json_t *object, const char *key);
/** An id, or NULL. */
const char *wire_id(const json_t *object, const char *key);
/** A whole number, also one that old rooms write as a string; `otherwise` if it is none. */
int64_t wire_number(const json_t *object, const char *key, int64_t otherwise);

struct wire_event {
    const char *id, *type, *sender;
    const char *state_key; /**< NULL: not of the room's state */
    const json_t *content; /**< an object */
    const json_t *was;     /**< of the state: the content before, or NULL */
    int64_t age_ms;        /**< how long ago it was sent, as the server tells, or -1 */
    int64_t sent_ms;       /**< since 1970, by the sender's server, or 0 */
    const char *redacts;   /**< of a redaction: what it takes back; or NULL */
    bool redacted;
};

/** False: it is none that anything can be made of. Stripped events have no id: it is "". */
bool wire_read(const json_t *json, struct wire_event *out);

/*
 * Reading an answer although something in it cannot be read.
 *
 * A sync holds what anybody has said in any room, and servers pass on what the JSON library here
 * refuses: an escaped zero byte, half of a surrogate pair, bytes that are no UTF-8, numbers beyond
 * all types, brackets within brackets without end. Refusing the whole answer would be asking for
 * the same again for ever. So what can be read is; of the rest each such character becomes U+FFFD
 * or "?", such a number 0, and what is nested too deep 0, too. What is no JSON stays none. Pure.
 */

/** How deep what is nested is kept, where anything was not readable. */
enum { DECODE_DEPTH_MAX = 128 };

/** The caller's; NULL: it is no JSON. */
json_t *decode_answer(const char *answer, size_t size);

/*
 * Reading an answer to a sync as it comes, and leaving out what is too much of it.
 *
 * A part is what stands behind a name at the top of the answer, in its "rooms", or in one of their
 * lists: so each room is one. Of a part that is longer than a part may be nothing is kept, and
 * "null" stands there; "false", if all that was kept would be too much with it. What is short and
 * stands at the top is kept all the same. So what one room holds costs that room, and the answer is
 * still JSON if it was. What is no part is never much. Pure.
 */

struct sieve_bounds {
    size_t part;  /**< bytes of a part */
    size_t whole; /**< of all that is kept */
    size_t read;  /**< of all that comes */
};

struct sieve;

struct sieve *sieve_create(const struct sieve_bounds *bounds);
/** NULL is fine. */
void sieve_destroy(struct sieve *sieve);
/** The next bytes. False: there is more than is read at all. */
MB_MUST_CHECK
bool sieve_take(struct sieve *sieve, const char *bytes, size_t size);
/** How many parts were left out. */
unsigned sieve_cut(const struct sieve *sieve);
/** What was kept, the caller's from now on; NULL: nothing has come. */
char *sieve_give(struct sieve *sieve, size_t *size);

#endif
