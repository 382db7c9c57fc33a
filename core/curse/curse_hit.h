/*
 * Whether a Curse about to strike would do anything, as far as everybody can see: an answer moment
 * opens only then (CANCEL-1, CURSE-5). What hands hold does not count, only whether they hold
 * something. Every op has an answer here.
 */
#ifndef CORE_CURSE_CURSE_HIT_H
#define CORE_CURSE_CURSE_HIT_H

#include <stdbool.h>

#include "core/change/frame.h"
#include "core/numbers/requirement.h"

/** `curse` is the frame of a Curse that has been announced. */
bool curse_would_hit(const struct game *game, const struct box *box, const struct frame *curse);
/** What the seat of the context may pay a tax with: Items in play that are not kept from Curses. */
unsigned curse_taxable(const struct req_context *ctx, const struct row *row,
                       uint16_t out[MB_CARDS_MAX]);
/** Whether it can tell what an op would come to: every one that is carried out. */
bool curse_hit_answers(unsigned op);

#endif
