/*
 * The book of deals: the records that are open, which one a command means, which have lapsed.
 * Deals are made and answered in core/deal/deal.h; here they are only kept.
 */
#ifndef CORE_WORK_DEAL_BOOK_H
#define CORE_WORK_DEAL_BOOK_H

#include "core/change/emit.h"
#include "core/state/command.h"
#include "core/state/refusal.h"

/** How a deal comes to nothing; the note tells it. */
enum deal_end { DEAL_END_REFUSED, DEAL_END_WITHDRAWN, DEAL_END_LAPSED };

void deal_set(struct engine *engine, unsigned index, const struct deal *deal);
/** Ends a deal; `how` (enum deal_end) is told, below 0 nothing is. */
void deal_close(struct engine *engine, unsigned index, int how);
/** Some seats answer an "ask all"; it is over when all would not. */
void deal_take_answer(struct engine *engine, unsigned index, unsigned seats, bool yes);
/** Whether all have answered an "ask all": until then their answers are sealed. */
bool deal_answers_in(const struct game *game, const struct deal *deal);
/** Where a new deal of a seat goes: a free place, that of the ask or volunteering which it
 * replaces, or, as nobody's offers are to block others, one of a seat that has two more open than
 * this one; MB_DEALS_MAX: there is no room. What lies there is to be closed first. */
unsigned deal_slot_for(const struct game *game, unsigned seat, enum deal_kind kind);
/** The deal that accept, refuse or withdraw means; -1 with the reason. */
int deal_find(const struct game *game, const struct command *command, bool own,
              struct refusal *why);
/** The deal "ask all" of a seat whose answers are all in, or -1. */
int deal_all_answered(const struct game *game, unsigned seat);
/** Asks and bribes end with the fight. */
void deal_lapse_fight(struct engine *engine);
/** Asks that can no longer be accepted lapse (winning, a helper found, running); returns whether
 * any did. */
bool deal_settle(struct engine *engine);
/** Whether a card is promised or offered for help, so that its owner may not part with it before
 * the deal ends: refused, withdrawn or lapsed, the helper gone, the fight over or given up. */
bool deal_holds(const struct game *game, unsigned seat, uint16_t card);
/** Seats that would not help in the present fight, or whose help was not wanted. */
void deal_note_refused(struct engine *engine, unsigned seats);

#endif
