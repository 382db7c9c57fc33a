/*
 * Events and views to text: narration, table card, hand, refusals. The only maker of sentences,
 * from the catalogue bot/text/text.en.def; nobody else holds words that players read.
 */
#ifndef BOT_RENDER_RENDER_H
#define BOT_RENDER_RENDER_H

#include "bot/message.h"
#include "bot/parse/names.h"
#include "bot/parse/parse.h"
#include "bot/render/highlights.h"
#include "bot/render/scene.h"
#include "bot/text/text.h"

enum { RULES_PAGE_SIZE = 1200 };

/** Narration of the events of one command (raw events; filtered here): one table message, and a
 * private message to each seat that learns more than the table does. `views[s]` is the redacted
 * state after the command for seat s, `views[MB_SEATS_MAX]` an onlooker's. */
void render_events(const struct table_words *words, const struct game *const *views,
                   const struct event *events, size_t count, struct message_list *out);
/** Bits of the seats that learn more from the raw events than the table does: whom render_events
 * has a private message for, if any. The views of others may be NULL there. */
unsigned render_secret_seats(const struct event *events, size_t count);
/** A line each that the table plays otherwise than the sheet of its house says; how many. */
unsigned render_house(const struct profile *profile, struct text_out *out);
/** One of these rules, as it is or as it could be. */
enum text_id render_house_rule(unsigned flag, bool on);
/** Table card: phase, turn, Levels, gear, combat with both sums explained, window, open deals. */
size_t render_table(const struct scene *scene, char *out, size_t size);
/** The fight in one line: who against what, both totals, what is at stake; nothing without one. */
void render_fight(const struct scene *scene, struct text_out *out);
/** A seat's private hand: cards with what they do, and what can be played now. */
size_t render_hand(const struct scene *scene, char *out, size_t size);
/** For a phone: a line a card and the open question; where that lists options, only they have
 * numbers, and the hand is one line. */
size_t render_hand_small(const struct scene *scene, char *out, size_t size);
/** The open question to the reader with its options numbered, or "". */
size_t render_question(const struct scene *scene, char *out, size_t size);
/** What is legal now, one line a verb or command; `topic` NULL or a command word. */
size_t render_help(const struct table_words *words, const char *topic, char *out, size_t size);
/** "Sword 400, Boots 700": what Items sell for; returns the sum. */
long render_prices(const struct table_words *words, const uint16_t *cards, unsigned count,
                   char *out, size_t size);
/** A move as it is typed, or pressed (table_words.pressed); open lists are named, not filled. */
void render_move(const struct table_words *words, const struct move *move, char *out, size_t size);
/** A refusal in one sentence that says what would be legal, and where to read on. Code and rule are
 * data (struct message, struct refusal); only `why` spells them out. */
size_t render_refusal(const struct table_words *words, const struct refusal *why, char *out,
                      size_t size);
/** What a command of words->seat would do now (sums, Levels, what is paid), or why it is refused,
 * with code and rule. Tried on words->view alone; `scratch` and `events` (of MB_EVENTS_MAX) are
 * lent and changed. */
size_t render_why(const struct table_words *words, const struct command *command,
                  struct game *scratch, struct event_list *events, char *out, size_t size);
size_t render_parse_error(const struct table_words *words, const struct parse_error *error,
                          char *out, size_t size);
/** What is the same of each card of a catalogue wherever it is shown (table_words.looks). */
struct card_looks *card_looks_create(const struct catalog *catalog);
/** NULL is fine. */
void card_looks_destroy(struct card_looks *looks);
/** The word of a card's own set for its kind: "Curse", "Trap". */
enum text_id render_kind(const struct catalog *catalog, const struct card_def *def);
/** What a choice between cards goes by, behind a name: ": +3, 2 Hands, 400 Gold Pieces"; "" for a
 * card that has no figures or that the reader does not know. */
void render_card_beside(const struct table_words *words, uint16_t card, char *out, size_t size);
/** What a card does, cut at a word to fit, behind the figures of an Item or a Monster: "+2. Not for
 * Warriors..."; "" for one that the reader does not know. `size` is at least 16. */
void render_card_hint(const struct table_words *words, uint16_t card, char *out, size_t size);
/** A card: name, figures, text, and where it is if known. */
size_t render_card(const struct table_words *words, uint16_t def, char *out, size_t size);
size_t render_score(const struct table_words *words, char *out, size_t size);

/** For a prompt: own Level, strength and hand; and the verbs that are legal now, or "". */
size_t render_brief(const struct table_words *words, char *out, size_t size);
size_t render_verbs(const struct scene *scene, char *out, size_t size);
/** Who has won: one line, or "" while nobody has. */
size_t render_victory(const struct table_words *words, char *out, size_t size);
/** Of a game that is over: how everybody stands, and the best moment. */
size_t render_result(const struct table_words *words, const struct highlights *highlights,
                     char *out, size_t size);
/** What is shown of a commitment, of 64: nobody finds another secret with these. */
enum { RENDER_SEAL_DIGITS = 16 };
/** The beginning of the commitment to a secret or a seed; `id` says which. */
size_t render_commitment(enum text_id id, const char *hash, char *out, size_t size);
/** The rules in a player's words. `topic`: NULL or "" for the list of topics; a topic's word, a
 * card, a command, an ability, a rule's number; a page's number may follow. No text is longer than
 * RULES_PAGE_SIZE. `words->box` may be NULL: then nothing is known about the table. */
size_t render_rules(const struct table_words *words, const char *topic, char *out, size_t size);
/** The paragraph that tells this rule ("COMBAT-2") at this table; "" if none does. */
size_t render_rule(const struct table_words *words, const char *id, char *out, size_t size);

#endif
