/*
 * Inside of a table at work: for bot/table/ only.
 *
 * table.c holds the value's life and the one way a command takes (table_carry_out); table_decide.c
 * deeds and outcomes; table_view.c who sees what of it; table_line.c words; table_look.c looking;
 * table_lobby.c, table_seats.c and table_start.c who sits here; table_clock.c and pace.c time;
 * table_bots.c and table_absence.c who acts by itself; table_places.c places and people that go;
 * table_notify.c who is called; table_rooms.c a room of its own;
 * table_undo.c taking back; table_fair.c seed and journal; table_show.c the end of a step:
 * narration; table_show_cards.c and table_show_hands.c its boards.
 */
#ifndef BOT_TABLE_TABLE_IMPL_H
#define BOT_TABLE_TABLE_IMPL_H

#include "bot/parse/parse.h"
#include "bot/policy/policy.h"
#include "bot/table/controls.h"
#include "bot/table/pace.h"
#include "bot/table/table.h"
#include "bot/table/table_state.h"
#include "bot/table/workspace.h"
#include "bot/text/text.h"

enum { TABLE_LOG_SHOWN = 10, TABLE_LOG_MAX = 64 };

/** A table being changed: a copy of its own, in the outcome. */
struct table_work {
    struct table *table;
    struct game *game;     /**< in the table */
    const struct box *box; /**< of the table; without one as long as there is none */
    const struct catalog *catalog;
    struct table_workspace *ws;
    struct table_outcome *outcome;
    struct message_list *said; /**< the outcome's */
    const struct deed *deed;
    const struct table *last;   /**< the game that `new` would play once more, or NULL */
    uint64_t stamp;             /**< of the state: views with another one are stale */
    struct query_clock running; /**< the innermost clock and whom it waits for */
    int64_t late_ms;            /**< since its clocks were wound, where no step is made */
    bool dirty;                 /**< something of the table has changed */
    bool came_back; /**< who was away has come back: that stands even if the rest is refused */
};

/** Nothing has happened: what was said and kept so far goes. */
void table_outcome_fail(struct table_outcome *outcome);
/** Decides, applies, renders, winds the clocks: the only way anything changes the game. */
bool table_carry_out(struct table_work *work, const struct command *command, struct refusal *why);
/** The same by a game command of a person or a program: refused where no game runs. */
bool table_submit(struct table_work *work, const struct command *command, struct refusal *why);
/** The state has changed: every view of it is stale. */
void table_changed(struct table_work *work);
/** Box and catalogue of the table are to be had, and the work knows them. */
MB_MUST_CHECK
bool table_find_box(struct table_work *work, struct mb_error *err);
/** The state as a seat may know it (NO_SEAT: an onlooker), made when first asked for after a
 * change. Good until the state changes or another table of the workspace is worked on. */
const struct game *table_view(const struct table_work *work, unsigned seat);
/** Renders the events of the last command: for the table, and for each person who learns more than
 * the table does. */
void table_narrate(struct table_work *work);
/** Asks for something to be fetched unless it is here; false: it is not, come again. */
MB_MUST_CHECK
bool table_fetched(struct table_work *work, enum table_fetch what);

/** Adds a sentence for the table, or a reply to the one who spoke. */
void table_tell(struct table_work *work, enum text_id id, const struct text_arg *args);
void table_reply(struct table_work *work, unsigned seat, const char *text);
void table_reply_text(struct table_work *work, unsigned seat, enum text_id id,
                      const struct text_arg *args);
/** A refusal by the table itself; replies with its sentence. Returns false. */
bool table_refuse(struct table_work *work, unsigned seat, enum refusal_code code,
                  struct refusal *why);
/** The same in words of the table's own. Returns false. */
bool table_refuse_text(struct table_work *work, unsigned seat, enum refusal_code code,
                       enum text_id id, const struct text_arg *args, struct refusal *why);
/** A refusal of the core's in its words. */
void table_reply_refusal(struct table_work *work, unsigned seat, const struct refusal *why);

/** A line of the deed's person. False if refused. */
bool table_line(struct table_work *work, struct refusal *why);
/** What only looks. */
bool table_look(struct table_work *work, unsigned seat, const struct request *request,
                struct refusal *why);
/** A request about who sits here. */
bool table_lobby(struct table_work *work, unsigned seat, const struct request *request,
                 struct refusal *why);

/* Fairness: bot/table/table_fair.c. */

#define TABLE_PROOF "fair" /**< the topic of the rules that tells of it */

/** The secret of a lobby that opens, or opens again; and telling what is committed to. */
void table_fair_open(struct table_work *work);
void table_fair_commit(struct table_work *work);
/** The seed of a lobby whose start arrived under that id, and what it is made of. */
void table_fair_draw(const struct table *table, const char *start, struct luck *out,
                     uint8_t seed[DIGEST_SIZE]);
/** What is committed to, in digits; false if nothing is. */
MB_MUST_CHECK
bool table_fair_seal(const struct table *table, char out[DIGEST_HEX_SIZE]);
/** `luck`: what the seed was drawn from; NULL: it was given. */
void table_fair_begin(struct table_work *work, const struct game_setup *setup,
                      const struct luck *luck);
void table_fair_step(struct table_work *work, const struct command *command);
/** Before anything is decided: of a dealt game that other rules have taken so far the journal notes
 * the state with which these begin. */
void table_fair_rules(struct table_work *work);
/** Somebody else sits there now. */
void table_fair_seat(struct table_work *work, unsigned seat);
void table_fair_end(struct table_work *work, enum journal_state state);
/** Adds what everybody can check a game by that is over. False: there is nothing yet, or it was
 * arranged. */
bool table_fair_proof(const struct table *table, struct text_out *out);

/** Opens the lobby: box made, sets checked to be fit for tables of people. */
MB_MUST_CHECK
bool table_open(struct table_work *work, const struct table_options *options, struct mb_error *err);
/** The same with all who are to sit there, and starts. */
bool table_open_whole(struct table_work *work, struct refusal *why);
/** Deals and begins; `luck`: what the seed was drawn from, NULL: it was given. */
MB_MUST_CHECK
bool table_start(struct table_work *work, const uint8_t seed[32], const struct luck *luck,
                 struct mb_error *err);
/** `start`: says who plays by which options; a seed that is given is dealt by at once. */
bool table_ask_start(struct table_work *work, unsigned seat, struct refusal *why);
/** Of a second `start`: nobody who was invited to their hand is waited for any longer. False if
 * others are waited for, or nobody is. */
bool table_deal_now(struct table_work *work);
/** The names of the table's sets. */
void table_list_sets(const struct table_work *work, char *out, size_t size);
/** The message that says who starts has arrived, or never will. */
void table_deal(struct table_work *work);
/** A new or arranged game is on the table. */
void table_begin(struct table_work *work, const uint8_t seed[32]);
/** The game is over: seed, statistics, what next. */
void table_over(struct table_work *work, enum journal_state how);

/* Seats: bot/table/table_seats.c. */

/** Keyed hash of a person, never 0. */
uint64_t table_hash_of(const struct table_work *work, const struct person *person);
/** Seats the deed's person, or a bot player of that name; NO_SEAT when the table is full. */
unsigned table_sit(struct table_work *work, bool female);
unsigned table_sit_bot(struct table_work *work, const char *name, bool female,
                       const struct policy *policy);
/** Who sat there in the last game: bot players sit down, people are asked whether they do. Of
 * a hushed deed only bot players sit down. */
void table_sit_again(struct table_work *work, const struct table *last);
/** `how` tells it: who left by themselves or was removed. */
void table_vacate(struct table_work *work, unsigned seat, enum text_id how);
/** The deed's person joins a running game. */
bool table_take_over(struct table_work *work, const struct request *request, struct refusal *why);
/** Those who wait for the end of the turn sit down if it has ended. */
void table_seat_waiting(struct table_work *work);
/** False if the deed's person does not wait for a seat. */
bool table_stop_waiting(struct table_work *work);

/* table_forget.c */
/** The deed's person is nobody here any more. */
void table_forget(struct table_work *work);
/** Hands the host's part on to the first person who is there; false if there is none. */
bool table_pass_host_on(struct table_work *work);
/** What the table calls the deed's person: the name of their seat, or one unlike all others. */
void table_name_of(const struct table_work *work, char out[PERSON_NAME_SIZE]);
/** Whether the host removed the deed's person from this game. */
bool table_was_removed(const struct table_work *work);
void table_remember_removed(struct table_work *work, unsigned seat);

/** Says what came of deals by the last command: bot/table/table_deals.c. */
void table_deals_note(struct table_work *work, const struct command *command);

/* Statistics: bot/table/table_stats.c. */

/** Counts what the last command did. */
void table_tally(struct table_work *work);
void table_stats_finish(struct table_work *work);
bool table_answer_stats(struct table_work *work, unsigned seat, const struct request *request);

/* Time: bot/table/table_clock.c. */

/** Winds the clocks after a change. */
void table_clock_wind(struct table_work *work);
/** What the running clock of this kind is about: another number, another question. */
uint64_t table_clock_about(const struct table_work *work, struct query_clock clock);
/** Those who were away see what is left on the clock that runs; of a window it is enough to say
 * something. */
void table_clock_return(struct table_work *work);
/** How long a clock of this table runs. */
int64_t table_clock_length(const struct table_work *work, unsigned kind);
/** The core's innermost clock; while an ask is open the table waits for the answer to it. */
struct query_clock table_running_clock(const struct table *table);
void table_pass_time(struct table_work *work, int64_t ms);
/** The first thing that falls due within `ms` happens; what is left of `ms`. */
int64_t table_fall_due(struct table_work *work, int64_t ms);

/* Who acts by itself: bot/table/table_bots.c. */

/** The standing order that a seat has to begin with at this pace. */
void table_default_order(struct table_work *work, unsigned seat);
/** "Until my turn" is over when that turn begins. */
void table_orders_lapse(struct table_work *work);
/** A seat's moves on its own view, into the workspace; false if there are none. */
bool table_list_moves(const struct table_work *work, unsigned seat);
/** Whether a person whom nobody but bot players plays with can only pass. Their own view says so.
 */
bool table_is_idle(const struct table_work *work, unsigned seat);
/** Bot players and standing orders: whether any would act now, and letting them act. */
bool table_bots_wanted(const struct table_work *work);
void table_bots_act(struct table_work *work);
/** An order is given: it acts at once where the instant of bot players and orders is over. */
void table_order_acts(struct table_work *work, unsigned seat);
const struct policy *table_policy(const struct table_seat *seat);

/* Absence: bot/table/table_absence.c. */

/** When the next reminder falls due, from now; -1: none does. */
int64_t table_reminder_due(const struct table *table, struct query_clock running);
void table_remind(struct table_work *work);
/** "3 minutes" */
void table_time_words(char *out, size_t size, int64_t ms);
/** Those whom the clock has waited for in vain are away now, and somebody acts for them. False if
 * nothing is done, as at tables without stand-ins. */
bool table_stand_in(struct table_work *work);
/** The least that lets the game go on, for one seat. */
bool table_stand_in_for(struct table_work *work, unsigned seat);
/** Lets the game rest when everybody has been away for two rounds. */
void table_rest(struct table_work *work);
/** The person of a seat acts: if they were away, they are back. */
void table_returns(struct table_work *work, unsigned seat);

/* Places and people that go: bot/table/table_places.c. */

/** Nothing can be said there any more; and it can again. */
void table_close_place(struct table_work *work, enum table_shut how);
void table_open_place(struct table_work *work);
/** A site is another place from now on. */
void table_move(struct table_work *work, unsigned site, const char *place, const char *name);
/** `resume` where the place is shut. */
bool table_resume_here(struct table_work *work, unsigned seat, struct refusal *why);
/* Who is called for what: bot/table/table_notify.c. */

/** The people who want to be called for that: their turn (NOTIFY_TURN), or any win (NOTIFY_ALL). */
unsigned table_wants(const struct table *table, enum table_notify what);
bool table_answer_notify(struct table_work *work, unsigned seat, const struct request *request,
                         struct refusal *why);
/** Whether somebody is shown before the deal where their hand will be: who cannot be written to
 * learns that when they sit down. */
bool table_shows_waiting(const struct table_work *work, unsigned seat);
/** `dm`: what is private is to be tried again. */
bool table_answer_dm(struct table_work *work, unsigned seat, struct refusal *why);

/* Whom a hand can be shown: bot/table/table_reach.c. */

/** The seats of people whom it cannot be, as the deed says; who may yet be reached counts among
 * them unless they are waited for. */
unsigned table_reach_never(const struct table_work *work, bool waits);
/** The seats of people who have an invitation to their hand and have not come. */
unsigned table_reach_invited(const struct table_work *work);
/** Whether a game can begin without those. */
bool table_reach_enough(const struct table_work *work, unsigned without);
enum { TABLE_NAMES_SIZE = MB_SEATS_MAX * (PERSON_NAME_SIZE + 8) };
/** Who sits there: "Ada, Bob and Cem". */
void table_reach_names(const struct table *table, unsigned seats, char out[TABLE_NAMES_SIZE]);
/** Their seats are free, and everybody is told. */
void table_reach_vacate(struct table_work *work, unsigned seats);
/** Who is waited for, and for how long; nothing if that is not worth a word. */
void table_reach_tell(struct table_work *work);

/* One table on two networks: bot/table/table_sites.c. */

/** `link`: asks for a code, or brings one. */
bool table_link_line(struct table_work *work, unsigned seat, const struct request *request,
                     struct refusal *why);
bool table_unlink_line(struct table_work *work, unsigned seat, struct refusal *why);
/** The table lies at one of two sites no more: who plays from there is stood in for. */
void table_part(struct table_work *work, unsigned site);

/* A room of its own: bot/table/table_rooms.c. */

/** The game is about to start: rooms are asked for. */
void table_rooms_ask(struct table_work *work);
/** What has become of that, as the deed tells. */
void table_rooms_enter(struct table_work *work);
/** A room is not found any more: it is to be, while a game runs. */
void table_rooms_wake(struct table_work *work);
/** The end of a step: who plays, or waits for a seat, and was not called into the room is now. */
void table_rooms_call(struct table_work *work);
/** Whether nobody has held the seat, or waits for it. */
bool table_seat_is_free(const struct table_seat *seat);
/** The card where a table came from: its text is in the workspace. False: there is none. */
bool table_link(const struct table_work *work, unsigned site, struct control_list *controls);
/** What can be pressed below a result. */
void table_over_controls(const struct table *table, struct control_list *out);

/** Who sits there is not where the table is any more: unheard, and stood in for. */
void table_seat_gone(struct table_work *work, unsigned seat);
/** The deed's person has left the community, or is there again. */
void table_person_gone(struct table_work *work);
void table_person_back(struct table_work *work);
/** Whether who speaks is listened to. */
bool table_is_heard(struct table_work *work, unsigned seat, struct refusal *why);

/* Taking back: bot/table/table_undo.c. */

/** A command has just been carried out. */
void table_undo_note(struct table_work *work, const struct command *command);
void table_undo_forget(struct table *table);
/** Bits of those who are asked to let a command be taken back, and have not answered. */
unsigned table_undo_asked(const struct table *table);
bool table_undo(struct table_work *work, unsigned seat, struct refusal *why);
/** Whether a command answers the open question about taking back; and answering it. */
bool table_undo_answers(const struct table_work *work, unsigned seat,
                        const struct command *command);
void table_undo_answer(struct table_work *work, unsigned seat, const struct command *command);
/** The number of a deal that the same word would answer as well; 0: none. */
unsigned table_undo_rival(const struct table_work *work, const struct command *command);
/** What haggling the turn still allows a seat; a turn that begins allows it anew. */
bool table_may_offer(const struct table_work *work, const struct command *command);
void table_count_offer(struct table_work *work, const struct command *command);
/** Others sit at the table now. */
void table_undo_seats(struct table_work *work);
/** Nobody has answered in time. */
void table_undo_elapse(struct table_work *work);

/** The words of a seat as the work stands. */
struct table_words table_words_of(const struct table_work *work, unsigned seat);
/** The table as everybody may see it, lobby or game; "" if there is none. */
size_t table_card(const struct table_work *work, uint32_t caps, char *out, size_t size);
/** Adds to a text that a game is paused, and who ends that; returns its length then. */
size_t table_add_paused(const struct table_work *work, char *out, size_t size, size_t length);

#endif
