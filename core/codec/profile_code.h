/*
 * A profile's walk: for everything that keeps the constants of a running table.
 */
#ifndef CORE_CODEC_PROFILE_CODE_H
#define CORE_CODEC_PROFILE_CODE_H

#include "core/card/profile.h"
#include "core/codec/coder.h"

/** Reading, whatever would be outside a profile makes the coder bad. */
void profile_code(struct coder *coder, struct profile *profile);

#endif
