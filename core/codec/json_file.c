#include "core/codec/json_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    // The parser says nothing at all when it cannot store what it has read.
    bool no_memory = error.text[0] == '\0';
    switch (no_memory ? json_error_out_of_memory : json_error_code(&error)) {
    case json_error_out_of_memory:
        reading->no_memory = true;
        reading_fail(reading, NULL, "there is not enough memory");
        break;
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

// The file's bytes, to be freed; NULL if it is too large or there is no memory.
static char *read_whole(struct reading *reading, FILE *file, size_t *size)
{
    // Grows by doubling: a folder of small files must not cost the limit.
    size_t room = (size_t)64 * 1024;
    char *text = malloc(room);
    *size = 0;
    while (text != NULL) {
        *size += fread(text + *size, 1, room - *size, file);
        if (*size < room || room > READING_BYTES_MAX) {
            return text;
        }
        char *larger = realloc(text, 2 * room);
        if (larger == NULL) {
            free(text);
        }
        text = larger;
        room *= 2;
    }
    reading->no_memory = true;
    reading_fail(reading, NULL, "there is not enough memory");
    return NULL;
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
    char *text = read_whole(reading, file, &size);
    if (text != NULL && ferror(file) != 0) {
        reading_fail(reading, NULL, "expected a file that can be read");
    } else if (text != NULL) {
        json = json_text_load(reading, text, size);
    }
    free(text);
    (void)fclose(file);
    return json;
}
