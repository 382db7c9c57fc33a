/*
 * What the files of render share: names in words, lists of cards, explained sums, offers.
 *
 * A card is named only if the reader's view shows it (or the caller's events did); everything else
 * is "a Treasure", "a Door", "a card". For bot/render/ only.
 */
#ifndef BOT_RENDER_RENDER_IMPL_H
#define BOT_RENDER_RENDER_IMPL_H

#include "bot/render/render.h"
#include "bot/render/row_memo.h"
#include "bot/text/rules.h"
#include "bot/text/text.h"

enum {
    RENDER_NAME_SIZE = 288,  /**< a card's name with what is added to it */
    RENDER_LIST_SIZE = 2048, /**< a list of cards in words */
    RENDER_TEXT_SIZE = 2048, /**< what a card says */
    RENDER_FIGURES_SIZE = 768,
    RENDER_TITLE_SIZE = RENDER_NAME_SIZE + RENDER_FIGURES_SIZE,
    RENDER_GROUP_MAX = 64
};

/** Cards that go into one list: known ones by name, the others by what their backs show. */
struct card_group {
    unsigned count; /**< known and unknown */
    unsigned known_count;
    unsigned doors, treasures, blanks;
    bool plain; /**< a copy goes by its own name, not by its original's */
    uint16_t known[RENDER_GROUP_MAX];
};

/** `pile` tells the back of an unknown card (NO_CARD). */
void card_group_add(struct card_group *group, uint16_t card, unsigned pile);
/** "A, B (x2) and a Treasure"; "nothing" for an empty group. */
void render_group(const struct table_words *words, const struct card_group *group, char *out,
                  size_t size);
/** The same of the known cards of a list. */
void render_cards(const struct table_words *words, const uint16_t *cards, unsigned count, char *out,
                  size_t size);

/** A player's name, "everybody" or "nobody". */
const char *render_player(const struct table_words *words, unsigned seat);
/** The same, but "you" for the reader; text_num("you", render_reads(...)) agrees with it. */
const char *render_you(const struct table_words *words, unsigned seat);
/** 2 for the reader, 1 for others: "{you|has|have}". */
long render_reads(const struct table_words *words, unsigned seat);
/** "his" or "her", "him" or "her", as the reader's view has it. */
const char *render_his(const struct table_words *words, unsigned seat);
const char *render_him(const struct table_words *words, unsigned seat);
/** "Ann and Bob", by bits. */
void render_players(const struct table_words *words, unsigned seats, char *out, size_t size);
/** What the verb of a card's name agrees with: 1, or 2 for a plural. */
long render_number(const struct table_words *words, uint16_t card);
/** "its", "his", "her" or "their", of a card. */
const char *render_its(const struct table_words *words, uint16_t card);
/** text_put() with what the table's house calls things: {curse}, {mate}, {follower}... */
void render_put(const struct table_words *words, struct text_out *out, enum text_id id,
                const struct text_arg *args);
/** What a topic is called at this table; false if there is none. */
bool render_topic(const struct table_words *words, enum rules_topic topic,
                  char out[RULES_WORD_SIZE]);
/** "Net Troll: Monster, Level 10", "Trap! Parking Fine": name and figures as its set prints them.
 */
const char *render_title(const struct table_words *words, uint16_t def, const char *name,
                         char out[RENDER_TITLE_SIZE]);
/** The same beside the card's text, as render_figures_beside(). */
const char *render_title_beside(const struct table_words *words, uint16_t def, const char *name,
                                char out[RENDER_TITLE_SIZE]);
/** The same as briefly as render_figures_brief(). */
const char *render_title_brief(const struct table_words *words, uint16_t def, const char *name,
                               char out[RENDER_TITLE_SIZE]);
/** A card's name, "Net Troll (Mate)" for a copy, "a card" for NO_CARD. `out` is RENDER_NAME_SIZE.
 */
const char *render_card_name(const struct table_words *words, uint16_t card, char *out);
/** The name on the card itself. */
const char *render_plain_name(const struct table_words *words, uint16_t card, char *out);
/** Whether the reader's view shows where the card is. */
bool render_knows(const struct table_words *words, uint16_t card);
/** Why an Item would only be carried by a player, "" if it would be used. Returns false then. */
bool render_idle(const struct table_words *words, unsigned seat, uint16_t card, char *out,
                 size_t size);
/** What the card plainly gives, 0 if it depends on anything. */
long render_bonus(const struct table_words *words, uint16_t def);
/** "Headgear". */
const char *render_slot(unsigned slot);
/** Kind and figures of a definition: "Monster, Level 10, 3 Treasures". */
void render_figures(const struct table_words *words, uint16_t def, char *out, size_t size);
/** What a phone's line has room for: "Monster, Level 10". */
void render_figures_brief(const struct table_words *words, uint16_t def, char *out, size_t size);
/** The same beside the card's text: not the one that this begins with ("+5 to either side"). */
void render_figures_beside(const struct table_words *words, uint16_t def, char *out, size_t size);
/** What the card says besides its figures: sentences that only repeat them are left out. */
void render_card_text(const struct table_words *words, uint16_t def, char *out, size_t size);
/** Bits of the living seats of the lowest Level. */
unsigned render_lowest(const struct table_words *words);
/** The word of the view's phase, as the sheet of the house has it. */
const char *render_phase(const struct table_words *words);

/** A mark (bot/text/text.h), if the texts are to hold any. */
void render_mark(const struct table_words *words, struct text_out *out, enum text_mark mark);
/** text_line() between such a mark and its end. */
void render_line(const struct table_words *words, struct text_out *out, enum text_mark mark,
                 enum text_id id, const struct text_arg *args);

/** Which line about the fight: with all its parts, the same a line a side, the totals alone, or the
 * totals as a clause. */
enum balance { BALANCE_SOURCES, BALANCE_SIDES, BALANCE_SHORT, BALANCE_MOVES };
/** Both sides of the fight; nothing if there is none. */
void render_balance(const struct table_words *words, const struct query_fight *fight,
                    enum balance how, struct text_out *out);
/** An open offer as one sentence with its number. */
/** What an ask or a volunteer puts on the table besides itself: ", for 1 Treasure". */
void render_price(const struct table_words *words, const struct deal *deal, struct text_out *out);
void render_deal(const struct table_words *words, const struct deal *deal, struct text_out *out);
/** The open window or moment as one line; nothing if there is none. */
void render_pause(const struct table_words *words, struct text_out *out);

/** Rows that are worded once. */
enum row_kind { ROW_PLAYER, ROW_DECKS, ROW_HAND_CARD };
/** Begins the key of a row; a card or a player in it, as rows name them. */
void render_key_begin(const struct table_words *words, enum row_kind kind, unsigned brevity,
                      struct row_key *key);
void render_key_card(const struct table_words *words, uint16_t card, struct row_key *key);
void render_key_player(const struct table_words *words, unsigned seat, struct row_key *key);

/** Cuts the text in `out` after whole lines, so that it and the sentence fit `budget`. Returns the
 * new length. */
size_t render_cut(char *out, size_t budget, enum text_id sentence);
/** How many events of something tried on the view come before the first that chance or a card the
 * reader does not know decides. */
size_t render_certain(const struct table_words *words, const struct event_list *events);

#endif
