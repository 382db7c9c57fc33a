/*
 * The ops that are carried out: one function each, in files by topic. See core/work/program.h for
 * what they get and return; core/card/effects.def documents their arguments.
 */
#ifndef CORE_EFFECTS_OPS_H
#define CORE_EFFECTS_OPS_H

#include "core/work/program.h"

#define COUNTED(...)
#define DONE(id, name, ...) op_function op_##name;
#include "core/card/effects.def"
#undef COUNTED
#undef DONE

/** A step of FRAME_PROGRAM: carries out the row at hand, or puts the card away behind the last. */
enum step_result step_program(struct engine *engine, struct frame frame);
/** Why a Level is lost in this program. */
enum level_why op_level_why(const struct frame *frame);
/** Whether the program is harm by a Curse or Bad Stuff, from which protections keep. */
bool op_is_harm(const struct frame *frame);

#endif
