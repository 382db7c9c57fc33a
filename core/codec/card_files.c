#include "core/codec/card_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"
#include "core/codec/reading.h"

enum { PATH_SIZE = 1024, CHUNK = 65536 };

const char *card_file_name(enum card_file_of which)
{
    static const char *const NAMES[] = {[CARD_FILE_SET] = "set.json",
                                        [CARD_FILE_DOORS] = "doors.json",
                                        [CARD_FILE_TREASURES] = "treasures.json",
                                        [CARD_FILE_TEXTS] = "text.en.json"};
    return NAMES[which];
}

// The bytes of a file, to be freed; NULL: it cannot be read.
static unsigned char *read_whole(FILE *file, size_t *size)
{
    unsigned char *bytes = NULL;
    size_t room = 0;
    *size = 0;
    while (*size == room && room <= READING_BYTES_MAX) {
        room = room == 0 ? CHUNK : 2 * room;
        bytes = mb_grow(bytes, room, 1);
        *size += fread(bytes + *size, 1, room - *size, file);
    }
    if (ferror(file) != 0) {
        free(bytes);
        return NULL;
    }
    return bytes;
}

static bool add_file(const char *path, struct parcel *out, struct mb_error *err)
{
    FILE *const file = fopen(path, "rb");
    size_t size = 0;
    if (file == NULL && errno == ENOENT) { // sets need not have all of them
        parcel_add(out, "", 0);
        return true;
    }
    unsigned char *const bytes = file != NULL ? read_whole(file, &size) : NULL;
    const int why = errno;
    if (file != NULL) {
        (void)fclose(file);
    }
    if (bytes == NULL) {
        return mb_fail(err, MB_ERR_IO, "a file of the card sets cannot be read (%s)",
                       strerror(why));
    }
    parcel_add(out, bytes, size);
    free(bytes);
    return true;
}

bool card_files_read(const char *folder, struct parcel *out, struct mb_error *err)
{
    char path[PATH_SIZE];
    *out = (struct parcel){.at = NULL};
    for (unsigned which = 0; which < CARD_FILE_TOTAL; which++) {
        const int length = snprintf(path, sizeof path, "%s/%s", folder, card_file_name(which));
        if (length < 0 || length >= PATH_SIZE) {
            return mb_fail(err, MB_ERR_INPUT, "the path of a card set is too long");
        }
        if (!add_file(path, out, err)) {
            return false;
        }
    }
    return true;
}

bool card_files_get(const struct parcel *files, enum card_file_of which, const unsigned char **text,
                    size_t *size)
{
    size_t offset = 0;
    bool found = false;
    *size = 0;
    for (unsigned i = 0; i <= which; i++) {
        found = parcel_next(files, &offset, text, size);
    }
    return found && *size > 0;
}
