#include "core/codec/json_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

struct json_measure json_measure(const char *text, size_t size)
{
    struct json_measure measure = {0};
    size_t depth = 0;
    bool quoted = false;
    for (size_t i = 0; i < size; i++) {
        const char c = text[i];
        if (quoted) {
            i += c == '\\';
            quoted = c != '"';
            continue;
        }
        quoted = c == '"';
        measure.values += c == ',' || c == '[' || c == '{';
        depth += c == '[' || c == '{';
        depth -= (c == ']' || c == '}') && depth > 0;
        measure.depth = depth > measure.depth ? depth : measure.depth;
    }
    return measure;
}

// Bounds the memory of parsing: the parser takes some fifty bytes for every value.
static bool is_bounded(struct reading *reading, const char *text, size_t size)
{
    const struct json_measure measure = json_measure(text, size);
    if (measure.depth > READING_DEPTH_MAX) {
        reading_fail(reading, NULL, "expected lists and objects at most %d deep, found more",
                     READING_DEPTH_MAX);
    } else if (measure.values > READING_VALUES_MAX) {
        reading_fail(reading, NULL, "expected at most %d values in one file, found %zu",
                     READING_VALUES_MAX, measure.values);
    } else {
        return true;
    }
    return false;
}

json_t *json_text_load(struct reading *reading, const char *text, size_t size)
{
    if (size > READING_BYTES_MAX) {
        reading_fail(reading, NULL, "expected at most %d MiB, found more",
                     READING_BYTES_MAX / (1024 * 1024));
        return NULL;
    }
    if (!is_bounded(reading, text, size)) {
        return NULL;
    }
    json_error_t error;
    json_t *json = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
    if (json != NULL) {
        return json;
    }
    switch (json_error_code(&error)) {
    case json_error_invalid_utf8:
        reading_fail(reading, NULL, "expected UTF-8 text, found other bytes after line %d",
                     error.line);
        break;
    case json_error_duplicate_key:
        reading_fail(reading, NULL, "line %d: expected every field once, found one twice (%s)",
                     error.line, error.text);
        break;
    default:
        reading_fail(reading, NULL, "line %d, column %d: expected JSON, found a mistake (%s)",
                     error.line, error.column, error.text);
        break;
    }
    return NULL;
}

// The file's bytes, to be freed; of a file that is too large, one or more above the bound.
static char *read_whole(FILE *file, size_t *size)
{
    // Grows by doubling: a folder of small files must not cost the limit.
    size_t room = (size_t)64 * 1024;
    char *text = mb_grow(NULL, room, 1);
    *size = 0;
    for (;;) {
        *size += fread(text + *size, 1, room - *size, file);
        if (*size < room || room > READING_BYTES_MAX) {
            return text;
        }
        room *= 2;
        text = mb_grow(text, room, 1);
    }
}

json_t *json_file_load(struct reading *reading, bool optional)
{
    FILE *file = fopen(reading->file, "rb");
    if (file == NULL) {
        if (!optional || errno != ENOENT) {
            reading_fail(reading, NULL, "expected a file that can be read (%s)", strerror(errno));
        }
        return NULL;
    }
    size_t size = 0;
    json_t *json = NULL;
    char *text = read_whole(file, &size);
    if (ferror(file) != 0) {
        reading_fail(reading, NULL, "expected a file that can be read");
    } else {
        json = json_text_load(reading, text, size);
    }
    free(text);
    (void)fclose(file);
    return json;
}
