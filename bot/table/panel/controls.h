/*
 * Controls beside a text: the commands that are at hand now, as buttons or a menu.
 *
 * Every control is a line that could be typed, or leads to a page of a panel (panel.h). Those of
 * the table card come from the onlooker's scene alone, so that they tell of nobody's hand; those of
 * a hand from its owner's.
 */
#ifndef BOT_TABLE_PANEL_CONTROLS_H
#define BOT_TABLE_PANEL_CONTROLS_H

#include "bot/chat.h"
#include "bot/parse/names.h"

struct scene;

enum {
    CONTROLS_ASKED_MAX = 8, /**< answers to offers, beside what else is offered */
    CONTROLS_HELPERS_MAX = 3
};

/** Controls with room for their words and the choices of one menu; all pointers lead into it. */
struct control_list {
    struct chat_control items[CHAT_CONTROLS_MAX];
    struct chat_choice choices[CHAT_CHOICES_MAX];
    size_t count, choice_count, used;
    char text[20480];
};

void controls_begin(struct control_list *list);
/** The answers to what those seats (bits) are asked, in words of their own, most pressing first.
 * Returns whether there are any, and all of them. */
bool controls_asks(const struct scene *scene, unsigned seats, struct control_list *out);
/** Who leads a fight that they lose asks each who would turn it, for half of the Treasures. */
void controls_helpers(const struct scene *scene, struct control_list *out);
/** What a call for help or an offer of it is called on a button: "Ask Bob, 1 Treasure (5 to 2)",
 * with the sums if it is accepted. False: the command is neither. */
bool controls_help_label(const struct scene *scene, const struct command *command, char *out,
                         size_t size);
/** Of an onlooker's scene: answers to offers, what those seats (bits) could say at the moment, and
 * the ways to hand and panel. */
void controls_card(const struct scene *scene, unsigned seats, struct control_list *out);
/** Which of the controls stand where: up to `lead` is said without cards, up to `given` a card goes
 * that is too many, up to `rest` a card of the hand is played. */
struct numbered {
    size_t lead, given, rest; /**< counts */
};

/** What its reader could say, to be told by numbers: of a question that lists options these alone,
 * each under its own number. What can be said in several ways is one control; its line lacks the
 * rest ("play Wet Socks", without "on Ann"). From then on the scene's texts tell these numbers. */
void controls_numbered(struct scene *scene, struct control_list *out, struct numbered *numbered);

/** The catalogue's word for a verb that is said bare; NULL if it is none of these. */
const char *controls_bare(unsigned verb);

/* Building. What there is no room for is left out. */

/** A button with the line that it says. */
void controls_add(struct control_list *list, const char *label, const char *line);
/** A button that leads to a page. */
void controls_lead(struct control_list *list, const char *label, const char *path);
/** A button that opens a page of its presser's panel, of whatever age it is. */
void controls_open(struct control_list *list, const char *label, const char *path);
void controls_form(struct control_list *list, const char *label, enum chat_form form);
/** The one menu; then its choices. */
void controls_menu(struct control_list *list, const char *label, unsigned min, unsigned max);
void controls_choice(struct control_list *list, const char *label, const char *line,
                     const char *path);
/** What the latest choice is, in one sentence. */
void controls_hint(struct control_list *list, const char *hint);
void controls_tone(struct control_list *list, enum chat_control_tone tone);

#endif
