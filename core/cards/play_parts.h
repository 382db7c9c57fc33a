/*
 * The parts of playing a card: when it is in time and what each kind asks
 * (play_parts.c), what a card played for an effect asks (play_effect.c) and is aimed at
 * (play_aim.c). Every check refuses into `why` and changes nothing; core/cards/play.h is what the
 * rest of the core sees.
 */
#ifndef CORE_CARDS_PLAY_PARTS_H
#define CORE_CARDS_PLAY_PARTS_H

#include "core/change/emit.h"
#include "core/state/command.h"
#include "core/state/refusal.h"

/** What a play comes to when everything is looked up. */
struct play {
    unsigned seat;
    uint16_t card;
    const struct card_def *def;
    const struct row *row; /**< the row that is carried out, or NULL */
    unsigned target_seat;  /**< or NO_SEAT */
    uint16_t target_card;  /**< or NO_CARD: a monster, an Item, a Curse, a discard */
    uint16_t with;         /**< a second card, or NO_CARD */
    bool answer;           /**< it answers the open moment */
};
/** Looks up what is played; what it is aimed at is left to the check, and to play_aim(). */
struct play play_of(const struct game *game, const struct box *box, const struct command *command);
/** What an accepted play for an effect is aimed at and brings, as its check has found it. */
void play_aim(const struct game *game, const struct box *box, const struct command *command,
              struct play *play);

/** Whether the card's own timing names this moment, enum timing. */
bool play_at(const struct card_def *def, unsigned bit);
/** Whether the card's own timing allows it now; why it does not. */
bool play_in_time(const struct game *game, const struct box *box, unsigned seat,
                  const struct card_def *def);
void play_refuse_time(const struct game *game, const struct box *box, unsigned seat, uint16_t card,
                      struct refusal *why);

/** Whether the card lies in the fight for what it counts, not for what it does. */
bool play_counts_in_fight(const struct box *box, const struct card_def *def);
/** Whether the row brings a Monster of the hand. */
bool play_brings_monster(const struct row *row);
/** Cards played for an effect: one-shots, enhancers, Door specials, special Treasures, Curses. */
void play_check_effect(const struct game *game, const struct box *box,
                       const struct command *command, struct play *play, struct refusal *why);
/** The parts of that check which find the target; `play` gets a fitting one. */
void play_check_target(const struct game *game, const struct box *box,
                       const struct command *command, struct play *play, struct refusal *why);
void play_check_attach(const struct game *game, const struct box *box,
                       const struct command *command, struct play *play, struct refusal *why);
void play_check_bring(const struct game *game, const struct box *box, const struct command *command,
                      struct play *play, struct refusal *why);
/** A card that is in time when it is due: only whom it strikes and what it would give (RUL-152). */
void play_check_due(const struct game *game, const struct box *box, const struct command *command,
                    struct refusal *why);

/** The other kinds. */
void play_check_identity(const struct game *game, const struct box *box,
                         const struct command *command, struct refusal *why);
void play_check_item(const struct game *game, const struct box *box, const struct command *command,
                     struct refusal *why);
void play_check_monster(const struct game *game, const struct box *box,
                        const struct command *command, struct refusal *why);
void play_check_follower(const struct game *game, const struct box *box,
                         const struct command *command, struct refusal *why);
/** Replacing and laying out an identity card; engine part. */
void play_act_identity(struct engine *engine, const struct command *command);

#endif
