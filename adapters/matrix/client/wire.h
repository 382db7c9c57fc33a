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

#endif
