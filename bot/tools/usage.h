/*
 * What becomes of cards in the hands of players: could they have been used, and were they?
 *
 * A case is one stay of a card with one seat, in hand and on the table, from its coming to its
 * leaving or the end of the game. It could be used if the seat was once offered to play, equip,
 * fight or use it, or to hand it over, sacrifice it or play it with another card; it was used if
 * the seat did so. A Monster is used when it is paid with, too. Laying a card down is no use of it.
 * A one-shot for the players' side alone could be used in fights of one's own: elsewhere it helps
 * an opponent. Of what happened to it only the end of the stay counts: paid, sold, given away,
 * given up. This only counts and knows no rule.
 */
#ifndef BOT_TOOLS_USAGE_H
#define BOT_TOOLS_USAGE_H

#include "core/base/error.h"
#include "core/card/box.h"
#include "core/seen/moves.h"
#include "core/state/event.h"

/** Of one definition, in cases. */
struct usage_card {
    unsigned long held, could, used, paid, sold, given, dropped;
};

struct usage_stay;

struct usage {
    const struct box *box;
    struct usage_card *cards; /**< by definition */
    struct usage_stay *stays; /**< by card */
};

/** The box is borrowed. */
void usage_init(struct usage *usage, const struct box *box);
/** All zeros are fine. */
void usage_finish(struct usage *usage);

/** A game begins. */
void usage_begin(struct usage *usage);
/** What a seat may do now; `fighters` are the bits of the seats that fight. */
void usage_offers(struct usage *usage, const struct move_list *moves, unsigned fighters);
/** A command that was accepted, before its events. */
void usage_command(struct usage *usage, const struct command *command);
void usage_move(struct usage *usage, const struct event *event);
/** The game is over: what lies with somebody has been there to the end. */
void usage_end(struct usage *usage);

#endif
