/*
 * Controls beside a text: the commands that are at hand now, as buttons or a menu.
 *
 * Every control is a line that could be typed. Those of the table card come from the onlooker's
 * view alone, so that they tell of nobody's hand; those of a hand from its owner's view.
 */
#ifndef BOT_TABLE_CONTROLS_H
#define BOT_TABLE_CONTROLS_H

#include "bot/chat.h"
#include "bot/parse/names.h"

struct move_list;

/** Controls with room for their texts; labels and lines point into it. */
struct control_list {
    struct chat_control items[CHAT_CONTROLS_MAX];
    size_t count, used;
    char text[8192];
};

void controls_begin(struct control_list *list);
/** What `seats` (bits) could say by a bare word, as anybody can see. */
void controls_public(const struct table_words *words, unsigned seats, struct control_list *out);
/** What words->seat could do with hand and abilities, the answers to an open question first. What
 * anybody sees (kick, pass, ...) and what needs a partner (ask, give, ...) is left to the card and
 * to typing. `moves` are the seat's. */
void controls_private(const struct table_words *words, const struct move_list *moves,
                      struct control_list *out);
/** Whether a verb is one of these. */
bool controls_are_private(unsigned verb);
/** A line with the catalogue's word for it; left out when there is no more room. */
void controls_add(struct control_list *list, const char *label, const char *line);

#endif
