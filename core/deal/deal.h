/*
 * Deals: asks, offers to help, gifts, trades, bribes. They block nobody; each is one record that
 * lapses when it can no longer be kept (HELP-1 to HELP-3, TRADE, RUL-151 to RUL-154).
 */
#ifndef CORE_DEAL_DEAL_H
#define CORE_DEAL_DEAL_H

#include "core/change/emit.h"
#include "core/state/command.h"
#include "core/state/refusal.h"

/** After a won fight: promised Items pass, promised cards are played (RUL-151, RUL-152). */
void deal_keep_promises(struct engine *engine, unsigned from, unsigned to);
/** Whether a player may carry one more Item (BIG-1). */
bool deal_may_carry(const struct game *game, const struct box *box, unsigned seat, uint16_t card);

/** Whether anybody may ask for help or offer it now, going by the fight alone (HELP-1, RUL-46). */
bool deal_help_open(const struct game *game, const struct box *box);
/** Whether an ask of `to` (ALL_SEATS: of all) may promise that a card of the asker's hand will be
 * played; `why` gets the reason. */
bool deal_may_promise(const struct game *game, const struct box *box, const struct command *ask,
                      uint16_t card, struct refusal *why);
/** Whether the asker's Kneepads and their like make the one asked come without a price (I16). */
bool deal_forces_help(const struct game *game, const struct box *box, unsigned asker,
                      unsigned asked);

void check_give(const struct game *game, const struct box *box, const struct command *command,
                struct refusal *why);
void check_offer(const struct game *game, const struct box *box, const struct command *command,
                 struct refusal *why);
void check_ask(const struct game *game, const struct box *box, const struct command *command,
               struct refusal *why);
void check_volunteer(const struct game *game, const struct box *box, const struct command *command,
                     struct refusal *why);
void check_accept(const struct game *game, const struct box *box, const struct command *command,
                  struct refusal *why);
void check_refuse(const struct game *game, const struct box *box, const struct command *command,
                  struct refusal *why);
void check_withdraw(const struct game *game, const struct box *box, const struct command *command,
                    struct refusal *why);
void act_deal(struct engine *engine, const struct command *command);
void act_accept(struct engine *engine, const struct command *command);
void act_refuse(struct engine *engine, const struct command *command);

#endif
