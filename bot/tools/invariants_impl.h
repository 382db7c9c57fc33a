/*
 * Inside of the checker: for bot/tools/ only.
 */
#ifndef BOT_TOOLS_INVARIANTS_IMPL_H
#define BOT_TOOLS_INVARIANTS_IMPL_H

#include "core/base/error.h"
#include "core/base/rng.h"

#include "bot/tools/invariants.h"

struct invariants {
    const struct box *box;
    struct invariants_sink sink;
    struct mb_rng rng;
    unsigned long count;
    struct game *scratch, *other, *view;
    struct event_list events;
    struct move_list moves;
    unsigned char *bytes; /**< SNAPSHOT_SIZE_MAX */
};

/** Counts and reports a violation. */
MB_PRINTF(2, 3)
void invariants_fail(struct invariants *invariants, const char *format, ...);
/** "sell 12,13 by seat 2": for reports only. */
const char *invariants_command_text(const struct command *command, char *out, size_t size);

#endif
