/*
 * The files of a card set as one block of bytes: what stores keep of it, and what a catalogue can
 * be loaded from when the folder holds something else by now, or nothing.
 */
#ifndef CORE_CODEC_CARD_FILES_H
#define CORE_CODEC_CARD_FILES_H

#include "core/codec/catalog.h"
#include "core/codec/parcel.h"

enum card_file_of {
    CARD_FILE_SET,
    CARD_FILE_DOORS,
    CARD_FILE_TREASURES,
    CARD_FILE_TEXTS,
    CARD_FILE_TOTAL
};

/** The name of a file in its folder. */
const char *card_file_name(enum card_file_of which);
/** Reads a set's folder; false with an error. `out` is finished by the caller. */
MB_MUST_CHECK
bool card_files_read(const char *folder, struct parcel *out, struct mb_error *err);
/** One of the files of an open parcel; false: it is not there. */
bool card_files_get(const struct parcel *files, enum card_file_of which, const unsigned char **text,
                    size_t *size);
/** A catalogue of sets as they were kept (open parcels), in this order. What only concerns their
 * words is no error any more: they were accepted once. */
MB_MUST_CHECK
struct catalog *card_files_load(const struct parcel *files, size_t count);

#endif
