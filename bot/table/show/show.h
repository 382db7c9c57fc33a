/*
 * The end of a step: narration and boards. What a board shows stands in the workspace's text while
 * it is made, and its hash in the table: 0 is shown again whatever it shows. For bot/table/ only.
 */
#ifndef BOT_TABLE_SHOW_SHOW_H
#define BOT_TABLE_SHOW_SHOW_H

#include "bot/table/panel/panel.h"

/* show.c */
/** Adds a board whose text is in the workspace; `controls` NULL: none. */
void table_add_board(struct table_work *work, enum message_to to, unsigned seat,
                     const struct control_list *controls);
/** Adds what only that seat's person is told; "" adds nothing. */
void table_whisper(struct table_work *work, unsigned seat, const char *text);

/* cards.c */
/** Round and turn in one number, 0 until a game begins; only facts that everybody sees. */
uint32_t table_turn_of(const struct table_work *work);
/** What has changed, at all sites or for all seats. */
void table_show_cards(struct table_work *work);
void table_show_links(struct table_work *work);
/** One as it stands, whatever it showed; adds nothing where there is none. */
void table_card_again(struct table_work *work, unsigned at);
void table_link_again(struct table_work *work, unsigned at);

/* hands.c */
/** Whether somebody is shown before the deal where their hand will be: who cannot be written to
 * learns that when they sit down. */
bool table_shows_waiting(const struct table_work *work, unsigned seat);
void table_show_hands(struct table_work *work);
void table_hand_again(struct table_work *work, unsigned seat);

#endif
