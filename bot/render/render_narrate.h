/*
 * The narrator: turns the events of one command, as one reader may see them, into lines.
 *
 * render_events.c walks through the events and gathers moves of one kind; render_moves.c words such
 * a group, render_notes.c everything else. For bot/render/ only.
 */
#ifndef BOT_RENDER_RENDER_NARRATE_H
#define BOT_RENDER_RENDER_NARRATE_H

#include "bot/render/render_impl.h"

/** Moves that are told in one line: alike in why, from, to and who. */
struct move_group {
    const struct event *first; /**< NULL: no group is open */
    struct card_group cards;
};

struct narrator {
    struct table_words words;   /**< the reader's view */
    const struct event *events; /**< filtered by event_for_viewer */
    size_t count;
    struct text_out *out;
    struct move_group group;
    const struct event *roll; /**< a flight roll whose outcome is still to come, or NULL */
};

/** A card of an event, if the reader may read its name: NO_CARD if not. */
uint16_t narrator_card(const struct narrator *narrator, uint16_t card);
/** The first MOVE for that reason, of that card unless NO_CARD; or NULL. */
const struct event *narrator_move(const struct narrator *narrator, uint16_t card, unsigned why);
/** The card that does something of that op in these events: played or leaving; or NO_CARD. */
uint16_t narrator_doer(const struct narrator *narrator, unsigned op);
/** The first NOTE of that kind, about that card unless NO_CARD; or NULL. */
const struct event *narrator_note(const struct narrator *narrator, unsigned note, uint16_t card);
/** Whether the move pays for that use of an ability (a NOTE_USES). */
bool narrator_is_price(const struct event *move, const struct event *use);
enum strikes { STRIKES_VICTIM, STRIKES_ALL, STRIKES_OTHERS, STRIKES_HIGHEST };
/** Whom a Curse means. */
enum strikes narrator_strikes(const struct narrator *narrator, uint16_t card);
/** Owner of a hand or table, or NO_SEAT. */
unsigned pile_owner(unsigned pile);

/** Tells all events in order; with `outcome`, also how things stand after them: the fight, a
 * window, whose choice it is. */
void narrate_all(struct narrator *narrator, bool outcome);
/** What a card says, behind the line that names it, and its joke. Nothing if the reader does not
 * see the card, or was told before. */
void narrate_card(struct narrator *narrator, uint16_t card);
/** Its joke, to the table, when its kind is told of there for the first time. */
void narrate_joke(struct narrator *narrator, uint16_t card);
/** Adds what the line from `begin` on, the sentence `id`, tells to the line before it, if that
 * tells of the same player and nothing but its joke stands between them. */
void narrate_join(struct narrator *narrator, enum text_id id, size_t begin);
/** Heads a turn. What is told of it first follows in the same line; the heading of a bot player's
 * turn waits for that. */
void narrate_head(struct narrator *narrator, unsigned turn, unsigned round);
/** Tells the open group and closes it. */
void narrate_group(struct narrator *narrator);
void narrate_note(struct narrator *narrator, const struct event *note);
void narrate_level(struct narrator *narrator, const struct event *event);
void narrate_roll(struct narrator *narrator, const struct event *event);
/** A flight roll of which nothing else was said. */
void narrate_bare_roll(struct narrator *narrator);
/** Equipment put on, taken off or handed over without a move. */
void narrate_flags(struct narrator *narrator, const struct event *event);
void narrate_host(struct narrator *narrator, const struct event *event);

/** What words.seat learns of the raw events and the table does not. */
void render_secrets(struct narrator *narrator, const struct event *events, size_t count);

#endif
