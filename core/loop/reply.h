/*
 * Replies to what is open: pass, hold, run, sacrifice, choose, show, and clocks that have run out.
 */
#ifndef CORE_LOOP_REPLY_H
#define CORE_LOOP_REPLY_H

#include "core/change/emit.h"
#include "core/state/command.h"
#include "core/state/refusal.h"

void check_pass(const struct game *game, const struct box *box, const struct command *command,
                struct refusal *why);
void check_hold(const struct game *game, const struct box *box, const struct command *command,
                struct refusal *why);
void check_run(const struct game *game, const struct box *box, const struct command *command,
               struct refusal *why);
void check_sacrifice(const struct game *game, const struct box *box, const struct command *command,
                     struct refusal *why);
void check_choose(const struct game *game, const struct box *box, const struct command *command,
                  struct refusal *why);
void check_show(const struct game *game, const struct box *box, const struct command *command,
                struct refusal *why);
void check_elapse(const struct game *game, const struct box *box, const struct command *command,
                  struct refusal *why);
void act_reply(struct engine *engine, const struct command *command);

#endif
