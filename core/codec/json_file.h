/*
 * A JSON file or text, read whole with every size bounded before it is parsed.
 */
#ifndef CORE_CODEC_JSON_FILE_H
#define CORE_CODEC_JSON_FILE_H

#include "core/codec/reading.h"

/** How deep a text of JSON goes and how many values it holds, at most, before it is parsed. */
struct json_measure {
    size_t depth, values;
};
struct json_measure json_measure(const char *text, size_t size);

/** The parsed file `reading->file`, to be given back with json_decref(); NULL (and reported) if it
 * cannot be read. With `optional` a file that does not exist is NULL without a report. */
json_t *json_file_load(struct reading *reading, bool optional);
/** The same from memory. */
json_t *json_text_load(struct reading *reading, const char *text, size_t size);

#endif
