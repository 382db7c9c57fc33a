/*
 * Curses (Traps): announced, answered, striking (CURSE-1 to CURSE-6, CANCEL-1, META-3).
 *
 * The card lies in PILE_RESOLVING while it is answered; one that is suffered out of the discards
 * stays where it lies there, unless it is cancelled (on top then) or lasts.
 */
#ifndef CORE_CURSE_CURSE_H
#define CORE_CURSE_CURSE_H

#include "core/change/frame.h"

enum identity_step { IDENTITY_BEGINS, IDENTITY_ROLLED };
enum theft_step { THEFT_BEGINS, THEFT_ROLLED };
enum curse_step { CURSE_ANNOUNCED, CURSE_ANSWERED, CURSE_STRUCK, CURSE_WOULD };

/** Announces a Curse that lies anywhere against a victim. */
void curse_begin(struct engine *engine, uint16_t card, unsigned victim, unsigned player);
enum step_result step_curse(struct engine *engine, struct frame frame);
/** Secret Identity and theft are rolls with consequences; see their frames. */
enum step_result step_identity(struct engine *engine, struct frame frame);
enum step_result step_theft(struct engine *engine, struct frame frame);
void theft_begin(struct engine *engine, unsigned thief, uint16_t card);

#endif
