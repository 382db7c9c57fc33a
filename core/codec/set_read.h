/*
 * A set's own file, set.json.
 */
#ifndef CORE_CODEC_SET_READ_H
#define CORE_CODEC_SET_READ_H

#include "core/codec/reading.h"

/** Fills id, name, edition and marks of `set`. False (reported) if it cannot be entered at all. */
MB_MUST_CHECK
bool set_read(struct reading *reading, const json_t *json, struct catalog_set *set);

#endif
