/*
 * Playing a card: from the hand, one-shots from the table too, or the card that lies face up.
 */
#ifndef CORE_CARDS_PLAY_H
#define CORE_CARDS_PLAY_H

#include "core/change/frame.h"
#include "core/state/command.h"
#include "core/state/refusal.h"

void check_play(const struct game *game, const struct box *box, const struct command *command,
                struct refusal *why);
void act_play(struct engine *engine, const struct command *command);

enum played_step { PLAYED_SHOWN, PLAYED_ANSWERED };
/** A card that was played for its effect and may be answered before it acts (O20). */
enum step_result step_played(struct engine *engine, struct frame frame);

/** Takes an Item from another in a fight, equipped at once (E10). */
void play_take_item(struct engine *engine, unsigned seat, uint16_t card);
/** Whether the fight would be won after taking an Item over (RUL-69, RUL-162). */
bool play_item_wins(const struct game *game, const struct box *box, unsigned seat, uint16_t item);
/** Whether playing the card on that seat would be legal and do something (RUL-152). */
bool play_on_would_do(const struct game *game, const struct box *box, uint16_t card, unsigned on);

#endif
