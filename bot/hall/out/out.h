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
/** Makes a message of its own from `words`. `said` holds text and controls, which are shared;
 * NULL: they are copied. */
struct hall_message *hall_message_make(struct said *said, const struct hall_message *words);
void hall_message_free(struct hall_message *message);
/** Bytes that hall_message_encode() writes. */
size_t hall_message_size(const struct hall_message *message);
/** Writes the message as the store keeps it. Returns the length, 0 if `size` is too small. */
size_t hall_message_encode(const struct hall_message *message, unsigned char *out, size_t size);
/** Reads what hall_message_encode() wrote; the caller's. NULL: the bytes are damaged. */
struct hall_message *hall_message_decode(const struct store_message *kept, const char *table);

/* story.c: what a turn has told so far, the latest lines of its narrations in their order. */
enum { STORY_LINES = 20, STORY_SIZE = 3000 /**< bytes, with the end */ };
/** The story (NULL: none yet) with one narration more: allocated, the caller's; the old one stays.
 * The same narrations make the same story whether they come one by one or after a restart. */
char *story_with(const char *story, const char *narration);
/** What of a story fits so many lines of a phone, below a line that says where the rest is: its
 * latest lines. Jokes that were told go first, then what was told, then other jokes, then the
 * oldest. Allocated, the caller's. `told`: by the message that is edited, or NULL. */
char *story_fit(const char *story, const char *told, size_t lines);
/** Works out what the turn will have told once the step is committed. */
void hall_story_tell(struct hall *hall, struct hall_table *table);
/** The step is committed: that is the turn's story now. */
void hall_story_told(struct hall_table *table);
/** Whether a card tells the turn's story and the hall does not know it: the log has it. */
bool hall_story_lacks(const struct hall *hall, const struct hall_table *table);
/** Reads the story from the log. False: the hall stops. */
MB_MUST_CHECK
bool hall_story_fetch(struct fibre *fibre, struct hall *hall, struct hall_table *table);

/* speak.c */
/** The table's place in a person's network; "" if it has none there. */
const char *hall_place_of(const struct table *table, const struct person *person);
/** Makes the messages of a step. They are sent once it is committed. */
void hall_step_messages(struct hall *hall, struct hall_table *table);
/** Posts a sentence of the hall's own at each of the table's places. */
void hall_say(struct hall *hall, struct hall_table *table, enum text_id id,
              const struct text_arg *args);
/** A board's message without its text: who reads it, and where. Its state is HALL_TOLD if nobody
 * does. */
struct hall_message *hall_board(const struct table *table, uint8_t board);
/** Whom a board is to call now: nobody in quiet hours. Of one that was rendered again (`asked`, its
 * readers who are asked by it; NULL: it was not) only who is asked still. Returns how many; the
 * list is the pool's. */
size_t hall_board_calls(const struct hall *hall, const struct table *table,
                        const struct hall_message *message, const struct chat_out *asked,
                        struct mb_pool *pool, const char *const **out);
/** Renders a board from the table as it is now. `*out`: the caller's; NULL: it cannot be
 * rendered now. False: there is nothing to show any more, or another person reads it. */
bool hall_board_again(struct hall *hall, struct hall_table *table,
                      const struct hall_message *message, struct hall_message **out);

/* answer.c */
/** Whether others may read the answer to a line. `refusal` NULL: the line was not refused. */
bool hall_answer_is_open(const struct hall_line *line, const struct refusal *refusal);
/** Writes a sentence of the hall's own into `text`, and returns it. */
const char *hall_sentence(char text[HALL_SENTENCE_SIZE], enum text_id id,
                          const struct text_arg *args);
/** Sends the replies of an outcome that changes nothing. `table` NULL: there is none. A refusal
 * of what was pressed on a hand is shown on top of that hand. */
void hall_say_replies(struct hall *hall, struct hall_table *table, const struct hall_line *line,
                      const struct message_list *said);
/** Answers a line with a sentence of the hall's own. */
void hall_answer(struct hall *hall, const struct hall_line *line, enum text_id id,
                 const struct text_arg *args);
/** Answers a line that was dropped, if its platform expects an answer. */
void hall_answer_dropped(struct hall *hall, const struct hall_line *line);
/** Answers a line with a text. `refusal` NULL: it is no refusal. */
void hall_answer_text(struct hall *hall, const struct hall_line *line, const char *text,
                      const struct refusal *refusal);
/** Answers with a sentence and the controls of the card at a site, as they are now. */
void hall_answer_card(struct hall *hall, struct hall_table *table, const struct hall_line *line,
                      unsigned site, const char *text);
/** Answers with a sentence on top of the pressed hand, which is rendered anew. */
void hall_answer_hand(struct hall *hall, struct hall_table *table, const struct hall_line *line,
                      const char *text, const struct refusal *refusal);
/** Posts a sentence that everybody at the line's place reads. */
void hall_answer_aloud(struct hall *hall, const struct hall_line *line, enum text_id id);
/** Whether the line's chat shows panels (CHAT_CAP_BUTTONS). */
bool hall_has_panels(const struct hall *hall, const struct hall_line *line);
/** Makes the page `line->leads` of the speaker's panel, of the table as it is, or (`will`) as
 * the step leaves it. */
MB_MUST_CHECK
bool hall_panel(struct hall *hall, const struct hall_table *live, bool will,
                const struct hall_line *line, const char *on_top, struct hall_page *out);
/** Sends that page as the answer. Nothing of the table has changed. */
void hall_answer_panel(struct hall *hall, struct hall_table *table, const struct hall_line *line,
                       const char *on_top, const struct refusal *refusal);
/** The part of a text that its chat can show: allocated. NULL: all of it fits. `chat` NULL: no
 * limit is known. */
MB_MUST_CHECK
char *hall_cut(const struct chat *chat, enum chat_kind kind, const char *text);
/** The part of a card's story for which a phone has room: allocated. NULL: the card tells none.
 * `told`: the story of the message that it edits, or NULL. */
MB_MUST_CHECK
char *hall_cut_story(const struct chat_out *words, const char *told);
/** Sends a message that belongs to no table, once. */
void hall_post_loose(struct hall *hall, struct chat *chat, const struct chat_out *out);
/** Answers a press in the place of the message that was pressed, if that was the presser's own.
 * It has no controls any more. */
void hall_answer_last(struct hall *hall, const struct hall_line *line, enum text_id id);
/** Answers with a text that only the speaker may read. */
void hall_answer_alone(struct hall *hall, const struct hall_line *line, const char *text);

/* post.c */
/** Notes whether the store says that this process sends what the table says. */
void hall_hold(struct hall *hall, struct hall_table *table, bool held);
/** Notes that another process shows this board. The table is loaded again before this process
 * speaks there, so that it knows which message to edit. */
void hall_note_astray(struct hall_table *table, unsigned board, const char *reader);
/** Stops holding a table at which nothing is under way. */
void hall_let_go(struct hall *hall, struct hall_table *table);
/** Whether the message that says who starts has its outcome; `*id`: the id that it got, or NULL. */
bool hall_start_told(const struct hall_table *table, const char **id);
/** Whether the message asks for a room. */
bool hall_makes_room(const struct hall_message *message);
/** Whether the table waits for no room. `rooms`: what has become of those that were asked for
 * (deed.rooms). */
bool hall_rooms_told(struct hall *hall, struct hall_table *table,
                     const char *rooms[TABLE_SITES_MAX]);
/** The cards are dealt, or will not be: the store may forget the messages of the start. */
void hall_start_dealt(struct hall *hall, struct hall_table *table);
/** The key of the next step or message of this process. */
struct chat_key hall_number(struct hall *hall);
/** Gives messages to the table, and sends what can be sent. */
void hall_post(struct hall *hall, struct hall_table *table, struct hall_message *messages);
/** Sends what can be sent. */
void hall_table_post(struct hall *hall, struct hall_table *table);
/** Sends again what is due, and tells the store of outcomes. */
void hall_post_again(struct hall *hall, struct hall_table *table);
/** Notes which message shows a board. */
void hall_keep_board(struct hall_board *board, const char *reader, const char *id);
/** The board's next form is a new message. */
void hall_forget_board(struct hall_table *table, unsigned board);
/** The table has gone, or is another one: no message shows a board of it. */
void hall_forget_readers(struct hall_table *table);
/** Whether the table's time stands until everybody could read the message. */
bool hall_is_for_all(const struct hall_message *message);
/** Whether a message of the table that the store knows has no outcome yet. */
bool hall_has_unsent(const struct hall_table *table);
/** Whether an edit of that board is on its way, so that no answer may be one. */
bool hall_edits(const struct hall_table *table, uint8_t board);
/** Whether a message for everybody is still on its way. */
bool hall_speaks_aloud(const struct hall_table *table);
/** Whether a narration is still on its way: an answer in its place would overtake it. */
bool hall_narrates(const struct hall_table *table);
/** A chat tells what became of a message. False: no table sent it. */
bool hall_post_outcome(struct hall *hall, const struct chat_outcome *outcome);
/** The store knows the outcome of a message. */
void hall_confirmed(struct hall *hall, struct chat_key key, const struct store_answer *answer);
/** Drops all messages of a table. */
void hall_post_finish(struct hall *hall, struct hall_table *table);
/** The table has left the store, and its messages with it. Boards are not sent any more. */
void hall_post_loosen(struct hall_table *table);
/** The board that shows a hand to that reader (hall_key()). NULL: none is known. */
const struct hall_board *hall_hand_board(const struct hall_table *table, const char *reader);

#endif
