/*
 * Inside of the hall: for bot/hall/ only.
 *
 * hall_state.h has the parts; hall.c holds the live tables; hall_people.c who is known; hall_hear.c
 * what is said and where it goes; hall_tables.c which tables are somebody's; hall_step.c a step,
 * from a deed to its outcome; hall_commit.c an outcome on its way into the store; hall_note.c what
 * operators are told; hall_store.c questions to the store and their answers; hall_keep.c what
 * adapters keep there; hall_forget.c who wants to be forgotten; hall_gone.c communities that are
 * left; hall_lease.c other processes on the store; hall_fetch.c tables that come out of it;
 * hall_answer.c what changes nothing is answered by; hall_speak.c what tables say, hall_message.c
 * messages as bytes, hall_cut.c what a chat can show of them, hall_post.c the way out and back;
 * hall_away.c networks that cannot be heard, hall_place.c places and people that come and go;
 * hall_clock.c time; hall_chance.c chance.
 */
#ifndef BOT_HALL_HALL_IMPL_H
#define BOT_HALL_HALL_IMPL_H

#include "bot/chat_impl.h"
#include "bot/hall/hall_leaving.h"
#include "bot/hall/hall_link.h"
#include "bot/hall/hall_news.h"
#include "bot/hall/hall_state.h"
#include "bot/hall/hall_tables.h"

/* hall.c */
void hall_key(char out[HALL_KEY_SIZE], const char *network, const char *id);
/** The live table at a place, or being asked for; NULL. */
struct hall_table *hall_table_at(const struct hall *hall, const char *network, const char *place);
struct hall_table *hall_table_by_id(const struct hall *hall, const char *id);
/** One that is to be found (by place) or fetched (by id); NULL: as many are live as can be, and
 * each is busy. */
struct hall_table *hall_table_find(struct hall *hall, const char *network, const char *place);
struct hall_table *hall_table_fetch(struct hall *hall, const char *id);
/** It has this id, from now on found by it. */
void hall_table_name(struct hall *hall, struct hall_table *table, const char *id);
/** It lies there, from now on found by it; false where it lies at as many places already as it
 * can. */
bool hall_table_place(struct hall *hall, struct hall_table *table, const char *network,
                      const char *place);
/** It is found by no place any more. */
void hall_table_leave(struct hall *hall, struct hall_table *table);
/** What falls due at it is for the store to tell. */
void hall_leave_to_store(struct hall *hall, const struct hall_table *table);
/** Forgets a live table; what waits for it is dropped. */
void hall_table_drop(struct hall *hall, struct hall_table *table);
void hall_table_used(struct hall *hall, struct hall_table *table);
/** chat_complete_fn: from a live table. */
void hall_complete(void *user, struct chat *chat, const struct chat_in *in, size_t cursor,
                   struct complete_list *out);
bool hall_is_site(const struct table *table, const char *network, const char *place);
/** Which of its sites lies there; as many as it has: none. */
unsigned hall_site_of(const struct table *table, const char *network, const char *place);
/** Somebody else has changed it in the store. What is under way there is settled by its commit; one
 * at rest is loaded again. */
void hall_table_refresh(struct hall *hall, struct hall_table *table);
/** At how many sites a table lies: at none when its place is gone. */
unsigned hall_sites(const struct table *table);
void hall_table_work(struct hall *hall, struct hall_table *table);
struct chat *hall_chat(const struct hall *hall, const char *network);
void hall_lines_add(struct hall_lines *lines, struct hall_line *line);
struct hall_line *hall_lines_take(struct hall_lines *lines);
void hall_line_end(struct hall *hall, struct hall_line *line);

/* hall_people.c */
/** The person who speaks, made if need be. */
uint32_t hall_person_of(struct hall *hall, const char *network, const struct chat_in *in);
/** Whether its person called others to play once more within HALL_RECALL_MS; `now`: they do. */
bool hall_person_recalls(struct hall *hall, const struct hall_line *line, bool now);
/** Whether the event was heard before; it is remembered. */
bool hall_event_seen(const struct hall *hall, uint64_t *events, uint8_t *at, unsigned count,
                     const struct hall_line *line);
/** The event of a line as the store knows it; "": it has none. */
void hall_event_key(const struct hall *hall, const struct hall_line *line, char out[HALL_KEY_SIZE]);
void hall_people_finish(struct hall *hall);

/* hall_hear.c */
/** Takes a token for a line. True: there is none, and its speaker is told once. `told_ms`: until
 * when its speaker knows, for a bucket of several people; NULL: only the first of them is told. */
bool hall_rationed(struct hall *hall, const struct hall_line *line, struct rate_bucket *bucket,
                   const struct rate_rule *rule, enum text_id id, int64_t *told_ms);
/** What a line asks for, as far as that can be told without a table. */
enum request_kind hall_kind_of(struct hall *hall, const char *words);
struct person hall_speaker(const struct hall *hall, const struct hall_line *line);
void hall_answer_nowhere(struct hall *hall, struct hall_line *line);
/** A line said in private goes to a table of its person, or is answered. */
void hall_direct(struct hall *hall, uint32_t index, const struct store_answer *sittings);
/** Asks where a person sits whose lines wait. */
void hall_direct_ask(struct hall *hall, uint32_t index);
/** One line of a chat; false if it has none. */
bool hall_hear_one(struct hall *hall, unsigned chat);
struct hall_table *hall_table_of(struct hall *hall, const char *id);
struct hall_table *hall_table_there(struct hall *hall, const char *network, const char *place);
/** A line waits until it is known where its person sits. */
void hall_wait_for_sittings(struct hall *hall, uint32_t index, struct hall_line *line);
/** A line goes into a table's queue. */
void hall_enqueue(struct hall *hall, struct hall_table *table, struct hall_line *line);

/* hall_step.c */
/** A step begins. */
void hall_step_begin(struct hall *hall, struct hall_table *table, enum hall_deed deed);
/** Carries it to its end: decides, commits, says. */
void hall_step_run(struct hall *hall, struct hall_table *table);
/** The same on a fibre that the table has. */
void hall_step_carry(struct fibre *fibre, struct hall *hall, struct hall_table *table);
/** Does one thing at a table that has work. */
void hall_table_go_on(struct hall *hall, struct hall_table *table);
/** The step is over; its line is dealt with. */
void hall_step_end(struct hall *hall, struct hall_table *table);
/** The same, and nothing follows. */
void hall_step_drop(struct hall *hall, struct hall_table *table);
/** The same, and whoever spoke, or else everybody, is told why nothing has happened. */
void hall_step_give_up(struct hall *hall, struct hall_table *table, enum text_id why);
/** The step is over, and its line waits again, before all others. */
void hall_step_give_back(struct hall *hall, struct hall_table *table);
void hall_steps_finish(struct hall *hall);

/* hall_commit.c */
/** The step's outcome goes into the store and is said. False: others have overtaken it, so that it
 * is decided anew. Otherwise the step is over, or the hall goes. */
MB_MUST_CHECK
bool hall_commit(struct fibre *fibre, struct hall *hall, struct hall_table *table);
/** What was to be said is not said. */
void hall_commit_drop(struct hall_step *step);

/* hall_store.c */
/** The store does not do what it is asked: its time stands until it answers again. */
void hall_store_fails(struct hall *hall);
/** False: it is to be asked again. */
bool hall_ask(struct hall *hall, const struct store_request *request, struct hall_ask ask,
              uint64_t *ticket);
typedef void hall_work_fn(struct fibre *fibre, struct hall *hall, struct hall_table *table);
/** Does it on a fibre of the table's, which has none. */
void hall_table_run(struct hall *hall, struct hall_table *table, hall_work_fn *run);
/** A question about the table, once. `*answer`: the caller's, NULL: none has come in time, or it
 * has failed (table->ticket is 0). False: the hall goes. */
MB_MUST_CHECK
bool hall_table_ask(struct fibre *fibre, struct hall *hall, struct hall_table *table,
                    const struct store_request *request, struct store_answer **answer);
/** The same, again until there is an answer; NULL: the hall goes. */
MB_MUST_CHECK
struct store_answer *hall_table_await(struct fibre *fibre, struct hall *hall,
                                      struct hall_table *table,
                                      const struct store_request *request);
/** Other tables have their turn; false: the hall goes. */
MB_MUST_CHECK
bool hall_table_rest(struct fibre *fibre, struct hall *hall, struct hall_table *table);
/** Takes all answers; false if there was none. */
bool hall_take_answers(struct hall *hall);
/** Rests until that time (now_ms), or until it is woken when `*enough` (or NULL) has become true;
 * false: the hall goes. */
MB_MUST_CHECK
bool hall_sleep(struct fibre *fibre, struct hall *hall, int64_t until_ms, const bool *enough);
/** Hello, beats, what falls due in the store, who sleeps. */
void hall_keep_up(struct hall *hall);
/** When that is next to be done, or STORE_NEVER. */
int64_t hall_keep_up_ms(const struct hall *hall);

/* hall_keep.c */
/** Of chats' sinks. */
extern const struct chat_keeper HALL_KEEPER;
/** The same for the hall's own: words of that owner, whom no chat is called like. */
bool hall_keep_put(struct hall *hall, const char *owner, const struct chat_kept *item,
                   chat_kept_fn *done, void *user);
bool hall_keep_read(struct hall *hall, const char *owner, const char *begins, chat_kept_fn *done,
                    void *user);
void hall_keep_answered(struct hall *hall, const struct store_answer *answer);
bool hall_keep_is_busy(const struct hall *hall); /**< something is not written yet */
/** Asks what is to be asked, maybe again. */
void hall_keep_ask(struct hall *hall);
/** When that is next to be done, or STORE_NEVER. */
int64_t hall_keep_ms(const struct hall *hall);
/** What is not answered never is. */
void hall_keep_finish(struct hall *hall);

/* hall_lease.c */
unsigned hall_chat_index(const struct hall *hall, const struct chat *chat);
/** Whether this process does at a table what happens by itself. */
bool hall_acts(const struct hall *hall, const struct hall_table *table);
/** Whether this process sends what a table that lies there says, if no other is at it. */
bool hall_serves(const struct hall *hall, const struct table *table);
bool hall_speaks_in(const struct hall *hall, const struct chat *chat);
bool hall_may_send(const struct hall *hall, const struct hall_table *table,
                   const struct hall_message *message);
/** Where it sends: " a b ". */
void hall_networks(const struct hall *hall, char out[HALL_NETWORKS_SIZE]);
/** Whether it sends what the table says, as the store has it. */
void hall_hold(struct hall *hall, struct hall_table *table, bool held);
/** Another process makes a board: its outcome, which changes no version, says where it is shown, so
 * that the table is fetched again before this process speaks there. */
void hall_note_astray(struct hall_table *table, unsigned board, const char *reader);
/** The same, no more, if nothing is under way there. */
void hall_let_go(struct hall *hall, struct hall_table *table);
/** Finds out whether the table is in the store as it is here; otherwise it is loaded again. */
void hall_look(struct hall *hall, struct hall_table *table);
void hall_watched(struct hall *hall, const struct store_answer *answer);
void hall_beat(struct hall *hall);
void hall_beaten(struct hall *hall, const struct store_answer *answer);
void hall_word_answered(struct hall *hall, const struct store_answer *answer);
void hall_lease_keep_up(struct hall *hall);
/** When that is next to be done, or STORE_NEVER. */
int64_t hall_lease_ms(const struct hall *hall);
/** When to ask again what is due, where the next is known to be due then. */
int64_t hall_round_ms(struct hall *hall, int64_t next_ms);

/* hall_fetch.c */
/** The live table is found where its value says that it lies. */
void hall_table_lie(struct hall *hall, struct hall_table *table);
/** All lines that wait are answered so, and the live table is dropped; the store's stays. */
void hall_turn_away(struct hall *hall, struct hall_table *table, enum text_id why,
                    const struct text_arg *args);
/** hall_work_fn: finds it by its place and loads it. */
void hall_find(struct fibre *fibre, struct hall *hall, struct hall_table *table);
/** hall_work_fn: loads it by its id. */
void hall_load(struct fibre *fibre, struct hall *hall, struct hall_table *table);
/** The same two in the middle of something. False: nothing can be done there now, or the hall
 * goes; the table may be gone. */
bool hall_find_again(struct fibre *fibre, struct hall *hall, struct hall_table *table);
bool hall_load_again(struct fibre *fibre, struct hall *hall, struct hall_table *table);
/** An empty table with a name of its own. */
void hall_table_new(struct hall *hall, struct hall_table *table, const struct chat_in *in);

/* hall_press.c */
/** Whether a control is pressed where it stands, by whom it was made for. */
bool hall_press_is_at_home(const struct hall *hall, const struct hall_table *table,
                           const struct hall_line *line);
/** Answers what is pressed below the result of a game that is put away. */
void hall_press_last(struct hall *hall, struct hall_table *table);
/** Whether a line opens another game where this one came from: then it is on its way there. */
bool hall_press_goes_on(struct hall *hall, struct hall_table *table, struct hall_line *line);
/** Whether nothing comes of a pressed control: it is answered. Else the line is what that says. */
bool hall_press_is_dead(struct hall *hall, struct hall_table *table, struct hall_line *line);
/** A bare number said in private, where they stand under a hand, is the line that stands there. */
void hall_press_number(struct hall *hall, struct hall_table *table, struct hall_line *line);
/** Whoever is named by their id ("@bob:hs") becomes the seat that they hold: "#2". */
void hall_name_seats(const struct hall *hall, const struct hall_table *table,
                     struct hall_line *line);
/** What is said of a control of a game that is over. */
enum text_id hall_ended(const struct hall *hall, const struct hall_line *line);

/* hall_chance.c */
/** Chance that is drawn anew in every attempt: it is not seen before it is committed. */
void hall_chance_new(uint8_t out[TABLE_CHANCE_SIZE]);
/** The chance of a line at a table, the same in every attempt. */
void hall_chance(const struct hall *hall, const struct hall_table *table, const struct chat_in *in,
                 uint8_t out[TABLE_CHANCE_SIZE]);
/** The name of the table that a line opens, which no other has, nor anybody could guess. */
void hall_table_id(const struct hall *hall, const char *network, const struct chat_in *in,
                   char out[TABLE_ID_SIZE]);

/* hall_answer.c */
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

/* hall_panel.c */
/** Whether the chat of a line shows panels. */
bool hall_has_panels(const struct hall *hall, const struct hall_line *line);
/** A page of a panel as an answer. */
struct hall_page {
    struct message_list said; /* to be freed by message_list_finish() */
    struct hall_message words;
};
/** A page of the speaker's panel (line->leads), of a table as it stands or `will` after its step.
 */
MB_MUST_CHECK
bool hall_panel(struct hall *hall, const struct hall_table *live, bool will,
                const struct hall_line *line, const char *on_top, struct hall_page *out);
/** The same, sent; nothing of the table has changed. */
void hall_answer_panel(struct hall *hall, struct hall_table *table, const struct hall_line *line,
                       const char *on_top, const struct refusal *refusal);

/* hall_speak.c */
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

/* hall_message.c */
/** A copy with its words; text and controls are not copied if they are among those (or NULL). */
struct hall_message *hall_message_make(struct said *said, const struct hall_message *words);
void hall_message_free(struct hall_message *message);
size_t hall_message_size(const struct hall_message *message);
/** Written for the store; the length, 0 if it does not fit. */
size_t hall_message_encode(const struct hall_message *message, unsigned char *out, size_t size);
/** NULL if the bytes are none. */
struct hall_message *hall_message_decode(const struct store_message *kept, const char *table);

/* hall_cut.c */
/** What its chat (NULL: not known here) can show of a text: allocated; NULL: all of it. */
MB_MUST_CHECK
char *hall_cut(const struct chat *chat, enum chat_kind kind, const char *text);
/** What of a card's story a phone has room for beside its other words: allocated; NULL: it tells
 * none. `told`: what the message tells that it edits, or NULL. */
MB_MUST_CHECK
char *hall_cut_story(const struct chat_out *words, const char *told);
/** Sends what belongs to no table; given up if it fails. */
void hall_post_loose(struct hall *hall, struct chat *chat, const struct chat_out *out);

/* hall_post.c */
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
/** Whether it answers a line, and so is sent where that was heard. */
bool hall_is_answer(const struct hall_message *message);
/** Whether the store has messages of it without outcome, as far as is known here. */
bool hall_has_unsent(const struct hall_table *table);
/** What was not sent is another process's to send. */
void hall_post_leave(struct hall *hall, struct hall_table *table);
/** Whether an edit of that board is on its way: it can be no answer then. */
bool hall_edits(const struct hall_table *table, uint8_t board);
/** Whether anything is still to be said to everybody. */
bool hall_speaks_aloud(const struct hall_table *table);
/** Whether narration is: what came now would overtake it. */
bool hall_narrates(const struct hall_table *table);
/** False: it is of no message of a table. */
bool hall_post_outcome(struct hall *hall, const struct chat_outcome *outcome);
void hall_confirmed(struct hall *hall, struct chat_key key, const struct store_answer *answer);
/** When something of that is next to be done, or STORE_NEVER. */
int64_t hall_post_ms(const struct hall_table *table);
void hall_post_finish(struct hall *hall, struct hall_table *table);
/** With its table a message left the store: what is said is said, boards are nobody's. */
void hall_post_loosen(struct hall_table *table);

/* hall_clock.c */
/** Of two times the earlier; STORE_NEVER is later than any. */
int64_t hall_earlier(int64_t a, int64_t b);
/** When the table is to be looked at next may have changed: found out before anybody asks. */
void hall_schedule(struct hall *hall, struct hall_table *table);
/** It is not looked at any more, unless it is scheduled again. */
void hall_unschedule(struct hall *hall, struct hall_table *table);
/** Time that has passed at a table since its time was last counted. Behind a process that has died
 * the store's time may be earlier by less than a beat: then it is negative. */
int64_t hall_passed_ms(const struct hall *hall, const struct hall_table *table);
/** Since when a table's time runs that runs from now on: never in its quiet hours. */
int64_t hall_since_ms(const struct hall *hall, const struct table *table);
/** When the table is closed if nobody speaks, or STORE_NEVER. */
int64_t hall_close_ms(const struct hall *hall, const struct hall_table *live,
                      const struct table *table);
/** When its table is to be looked at whatever its own time, or STORE_NEVER. */
int64_t hall_until_ms(const struct hall *hall, const struct hall_table *live,
                      const struct table *table);
/** When somebody last spoke at a table that is looked at then. */
int64_t hall_heard_ms(const struct hall *hall, const struct table *table, int64_t until_ms);
/** Whether nobody plays at it. */
bool hall_rests(const struct hall *hall, const struct table *table);
/** Whether time passes at it: people play, or sit in front of it. */
bool hall_plays(const struct hall *hall, const struct table *table);
/** Whether bot players go on at once. */
bool hall_goes_on(const struct hall *hall, const struct table *table);
/** What is done as long as anything can be done without further answers. */
void hall_settle_down(struct hall *hall);

#endif
