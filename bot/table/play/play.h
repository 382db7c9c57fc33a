/*
 * A game that goes on: clocks, seats, who acts by itself, taking back, fairness. For bot/table/
 * only.
 */
#ifndef BOT_TABLE_PLAY_PLAY_H
#define BOT_TABLE_PLAY_PLAY_H

#include "bot/table/value/value.h"

/* time.c */
/** Whether a seat acts by itself at the next instant. */
bool table_acts_by_itself(const struct table_work *work, unsigned seat);
/** Winds the clocks after a change. */
void table_clock_wind(struct table_work *work);
/** Those who were away see what is left on the clock that runs; of a window it is enough to say
 * something. */
void table_clock_return(struct table_work *work);
void table_pass_time(struct table_work *work, int64_t ms);
/** The standing order that a seat has to begin with at this pace. */
void table_default_order(struct table_work *work, unsigned seat);
/** "Until my turn" is over when that turn begins. */
void table_orders_lapse(struct table_work *work);
/** Lets the game rest when everybody has been away for two rounds. */
void table_rest(struct table_work *work);
/** The person of a seat acts: if they were away, they are back. */
void table_returns(struct table_work *work, unsigned seat);

/* fair.c */
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

/* undo.c */
/** A command has just been carried out. */
void table_undo_note(struct table_work *work, const struct command *command);
bool table_undo(struct table_work *work, unsigned seat, struct refusal *why);
/** Whether a command answers the open question about taking back; and answering it. */
bool table_undo_answers(const struct table_work *work, unsigned seat,
                        const struct command *command);
void table_undo_answer(struct table_work *work, unsigned seat, const struct command *command);
/** The number of a deal that the same word would answer as well; 0: none. */
unsigned table_undo_rival(const struct table_work *work, const struct command *command);
/** Others sit at the table now. */
void table_undo_seats(struct table_work *work);
/** Nobody has answered in time. */
void table_undo_elapse(struct table_work *work);

/* deals.c */
/** Says what came of deals by the last command. */
void table_deals_note(struct table_work *work, const struct command *command);
/** What haggling the turn still allows a seat; a turn that begins allows it anew. */
bool table_may_offer(const struct table_work *work, const struct command *command);
void table_count_offer(struct table_work *work, const struct command *command);

/* stats.c */
/** Counts what the last command did. */
void table_tally(struct table_work *work);
void table_stats_finish(struct table_work *work);

/* seats.c */
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
/** Hands the host's part on to the first person who is there; false if there is none. */
bool table_pass_host_on(struct table_work *work);
/** What the table calls the deed's person: the name of their seat, or one unlike all others. */
void table_name_of(const struct table_work *work, char out[PERSON_NAME_SIZE]);
void table_remember_removed(struct table_work *work, unsigned seat);

/* play.c */
/** Decides, applies, renders, winds the clocks: the only way anything changes the game. */
bool table_carry_out(struct table_work *work, const struct command *command, struct refusal *why);
/** The same by a game command of a person or a program: refused where no game runs. */
bool table_submit(struct table_work *work, const struct command *command, struct refusal *why);
/** Deals and begins; `luck`: what the seed was drawn from, NULL: it was given. */
MB_MUST_CHECK
bool table_start(struct table_work *work, const uint8_t seed[32], const struct luck *luck,
                 struct mb_error *err);
/** A new or arranged game is on the table. */
void table_begin(struct table_work *work, const uint8_t seed[32]);
/** The game is over: seed, statistics, what next. */
void table_over(struct table_work *work, enum journal_state how);

/* act.c */
/** The first thing that falls due within `ms` happens; what is left of `ms`. */
int64_t table_fall_due(struct table_work *work, int64_t ms);
void table_bots_act(struct table_work *work);
/** An order is given: it acts at once where the instant of bot players and orders is over. */
void table_order_acts(struct table_work *work, unsigned seat);
/** The least that lets the game go on, for one seat. */
bool table_stand_in_for(struct table_work *work, unsigned seat);

#endif
