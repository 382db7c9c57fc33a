/*
 * What is said: messages of steps, answers, the way out and back. For bot/hall/ only.
 */
#ifndef BOT_HALL_OUT_OUT_H
#define BOT_HALL_OUT_OUT_H

#include "bot/hall/live/live.h"

/** A page of a panel as an answer. */
struct hall_page {
    struct message_list said; /* to be freed by message_list_finish() */
    struct hall_message words;
};

/* message.c */
/** A copy with its words; text and controls are not copied if they are among those (or NULL). */
struct hall_message *hall_message_make(struct said *said, const struct hall_message *words);
void hall_message_free(struct hall_message *message);
size_t hall_message_size(const struct hall_message *message);
/** Written for the store; the length, 0 if it does not fit. */
size_t hall_message_encode(const struct hall_message *message, unsigned char *out, size_t size);
/** NULL if the bytes are none. */
struct hall_message *hall_message_decode(const struct store_message *kept, const char *table);

/* story.c */
/** What the step's turn will have told once it is committed. */
void hall_story_tell(struct hall *hall, struct hall_table *table);
/** The step is committed. */
void hall_story_told(struct hall_table *table);
/** Whether a card tells what the log alone knows: the turn of the version that was loaded. */
bool hall_story_lacks(const struct hall *hall, const struct hall_table *table);
/** Asks the log for it; false: the hall goes. */
MB_MUST_CHECK
bool hall_story_fetch(struct fibre *fibre, struct hall *hall, struct hall_table *table);

/* speak.c */
/** Where the table lies in a person's network; "" if nowhere. */
const char *hall_place_of(const struct table *table, const struct person *person);
/** The messages of a step, to be sent when it is committed. */
void hall_step_messages(struct hall *hall, struct hall_table *table);
/** A sentence of the hall's own for everybody at a table. */
void hall_say(struct hall *hall, struct hall_table *table, enum text_id id,
              const struct text_arg *args);
/** A board of a table for its reader, without text; HALL_TOLD if there is none. */
struct hall_message *hall_board(const struct table *table, uint8_t board);
/** What a board's message shows as the table stands: its words, the caller's to free, NULL when
 * they cannot be made now. False: there is nothing to show any more, or not to this reader. */
bool hall_board_again(struct hall *hall, struct hall_table *table,
                      const struct hall_message *message, struct hall_message **out);

/* answer.c */
/** Whether an answer to a line (that refuses it, or NULL) holds nothing private. */
bool hall_answer_is_open(const struct hall_line *line, const struct refusal *refusal);
/** A sentence of the hall's own; returns `text`. */
const char *hall_sentence(char text[HALL_SENTENCE_SIZE], enum text_id id,
                          const struct text_arg *args);
/** Sends the replies of an outcome that does not change the table (NULL: there is none). A refusal
 * of what was pressed on a hand stands on top of that hand. */
void hall_say_replies(struct hall *hall, struct hall_table *table, const struct hall_line *line,
                      const struct message_list *said);
/** A sentence of the hall's own in answer to a line. */
void hall_answer(struct hall *hall, const struct hall_line *line, enum text_id id,
                 const struct text_arg *args);
/** What was dropped for being too much is answered only where an answer is owed. */
void hall_answer_dropped(struct hall *hall, const struct hall_line *line);
/** `refusal` NULL: it is none. */
void hall_answer_text(struct hall *hall, const struct hall_line *line, const char *text,
                      const struct refusal *refusal);
/** A sentence with the controls that the card at a site has by now. */
void hall_answer_card(struct hall *hall, struct hall_table *table, const struct hall_line *line,
                      unsigned site, const char *text);
/** The pressed hand made anew, below a sentence. */
void hall_answer_hand(struct hall *hall, struct hall_table *table, const struct hall_line *line,
                      const char *text, const struct refusal *refusal);
/** A sentence to everybody at the place. */
void hall_answer_aloud(struct hall *hall, const struct hall_line *line, enum text_id id);
/** Whether the chat of a line shows panels. */
bool hall_has_panels(const struct hall *hall, const struct hall_line *line);
/** A page of the speaker's panel (line->leads), of a table as it stands or `will` after its step.
 */
MB_MUST_CHECK
bool hall_panel(struct hall *hall, const struct hall_table *live, bool will,
                const struct hall_line *line, const char *on_top, struct hall_page *out);
/** The same, sent; nothing of the table has changed. */
void hall_answer_panel(struct hall *hall, struct hall_table *table, const struct hall_line *line,
                       const char *on_top, const struct refusal *refusal);
/** What its chat (NULL: not known here) can show of a text: allocated; NULL: all of it. */
MB_MUST_CHECK
char *hall_cut(const struct chat *chat, enum chat_kind kind, const char *text);
/** What of a card's story a phone has room for beside its other words: allocated; NULL: it tells
 * none. `told`: what the message tells that it edits, or NULL. */
MB_MUST_CHECK
char *hall_cut_story(const struct chat_out *words, const char *told);
/** Sends what belongs to no table; given up if it fails. */
void hall_post_loose(struct hall *hall, struct chat *chat, const struct chat_out *out);
/** A sentence in answer to a press, in the place of what was pressed, if that was the presser's
 * own: nothing can be pressed there any more. */
void hall_answer_last(struct hall *hall, const struct hall_line *line, enum text_id id);
/** A text that holds what only the speaker is to read, whatever they said. */
void hall_answer_alone(struct hall *hall, const struct hall_line *line, const char *text);

/* post.c */
/** Whether it sends what the table says, as the store has it. */
void hall_hold(struct hall *hall, struct hall_table *table, bool held);
/** Another process makes a board: its outcome, which changes no version, says where it is shown, so
 * that the table is fetched again before this process speaks there. */
void hall_note_astray(struct hall_table *table, unsigned board, const char *reader);
/** The same, no more, if nothing is under way there. */
void hall_let_go(struct hall *hall, struct hall_table *table);
/** Whether the message that says who starts has met its outcome, or is not to be found any more;
 * and the id that it got, or NULL. */
bool hall_start_told(const struct hall_table *table, const char **id);
/** Whether it asks for a room that is not there yet. */
bool hall_makes_room(const struct hall_message *message);
/** Whether no room is waited for; and what has come of those that were asked for (deed.rooms). */
bool hall_rooms_told(struct hall *hall, struct hall_table *table,
                     const char *rooms[TABLE_SITES_MAX]);
/** Cards have been dealt by it, or are not: the store may forget it. */
void hall_start_dealt(struct hall *hall, struct hall_table *table);
struct chat_key hall_number(struct hall *hall);
/** The messages are the table's from now on, and go out. */
void hall_post(struct hall *hall, struct hall_table *table, struct hall_message *messages);
/** Sends what can go. */
void hall_table_post(struct hall *hall, struct hall_table *table);
/** Tries again what is due, and tells the store of outcomes. */
void hall_post_again(struct hall *hall, struct hall_table *table);
/** Where a board is shown, for the next edit. */
void hall_keep_board(struct hall_board *board, const char *reader, const char *id);
/** A board is posted anew. */
void hall_forget_board(struct hall_table *table, unsigned board);
/** The table is another, or gone: nothing is known any more of who reads what. */
void hall_forget_readers(struct hall_table *table);
/** Whether everybody at the table is to have read it before its time runs. */
bool hall_is_for_all(const struct hall_message *message);
/** Whether the store has messages of it without outcome, as far as is known here. */
bool hall_has_unsent(const struct hall_table *table);
/** Whether an edit of that board is on its way: it can be no answer then. */
bool hall_edits(const struct hall_table *table, uint8_t board);
/** Whether anything is still to be said to everybody. */
bool hall_speaks_aloud(const struct hall_table *table);
/** Whether narration is: what came now would overtake it. */
bool hall_narrates(const struct hall_table *table);
/** False: it is of no message of a table. */
bool hall_post_outcome(struct hall *hall, const struct chat_outcome *outcome);
void hall_confirmed(struct hall *hall, struct chat_key key, const struct store_answer *answer);
void hall_post_finish(struct hall *hall, struct hall_table *table);
/** With its table a message left the store: what is said is said, boards are nobody's. */
void hall_post_loosen(struct hall_table *table);
/** Where a reader (hall_key()) is shown a hand; NULL: nowhere that is known. */
const struct hall_board *hall_hand_board(const struct hall_table *table, const char *reader);

#endif
