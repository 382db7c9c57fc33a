/*
 * Names in *normal form*, as they are compared with what people type: small letters, words apart by
 * one blank, no punctuation, no printed prefix ("Curse!", "Trap!", "...";
 * a colon will do for the exclamation mark).
 *
 * Knows no card; the catalog keeps this form of all its names.
 */
#ifndef CORE_CODEC_NORMAL_H
#define CORE_CODEC_NORMAL_H

#include <stddef.h>

enum { NORMAL_MAX = 320 }; /**< bytes that hold the normal form of any card's name */

/** Writes the normal form of `length` bytes of UTF-8; returns its length, cut to fit; terminated.
 */
size_t normal_form(const char *text, size_t length, char *out, size_t size);
/** How much of the beginning of words in normal form is just the whole name (up to the end of a
 * word); 0 if none. */
size_t normal_lead(const char *normal, size_t length, const char *name);

#endif
