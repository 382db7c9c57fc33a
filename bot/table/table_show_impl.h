/*
 * Boards of a table at the end of a step: for bot/table/ only.
 *
 * table_show.c holds what was said and the order of all; table_show_cards.c the cards and the ways
 * to a table; table_show_hands.c the hands. What a board shows stands in the workspace's text while
 * it is made, and its hash in the table: 0 is shown again whatever it shows.
 */
#ifndef BOT_TABLE_TABLE_SHOW_IMPL_H
#define BOT_TABLE_TABLE_SHOW_IMPL_H

#include "bot/table/controls.h"
#include "bot/table/table_impl.h"

/** Adds a board whose text is in the workspace; `controls` NULL: none. */
void table_add_board(struct table_work *work, enum message_to to, unsigned seat,
                     const struct control_list *controls);
/** Adds what only that seat's person is told; "" adds nothing. */
void table_whisper(struct table_work *work, unsigned seat, const char *text);

/** What stands on top of a hand: what its owner is asked, the fight, the news. */
void table_hand_head(const struct table_work *work, struct scene *scene, char *text, size_t size);
/** Whether a hand shows the fight: where messages cost seconds only of who is in it, or asked. */
bool table_hand_fights(const struct table_work *work, unsigned seat);
/** What has changed, at all sites or for all seats. */
void table_show_cards(struct table_work *work);
void table_show_links(struct table_work *work);
void table_show_hands(struct table_work *work);

/** One as it stands, whatever it showed; adds nothing where there is none. */
void table_card_again(struct table_work *work, unsigned at);
void table_link_again(struct table_work *work, unsigned at);
void table_hand_again(struct table_work *work, unsigned seat);

#endif
