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
/** People who were away see a clock that runs: a window gets a few seconds more. */
void table_clock_return(struct table_work *work);
/** Lets ms pass on the clocks that run. */
void table_pass_time(struct table_work *work, int64_t ms);
/** Gives the seat the standing order that is usual at this pace. */
void table_default_order(struct table_work *work, unsigned seat);
/** Ends "until my turn" when that turn begins. */
void table_orders_lapse(struct table_work *work);
/** Lets the game rest when everybody has been away for two rounds. */
void table_rest(struct table_work *work);
/** The seat's person acts: if they were away, they are back. */
void table_returns(struct table_work *work, unsigned seat);

/* fair.c */
/** Draws the secret of a lobby that opens, or opens again. */
void table_fair_open(struct table_work *work);
/** Tells the fingerprint of the secret. */
void table_fair_commit(struct table_work *work);
/** Works out the seed, and what it is made of, of a lobby whose start has this message id. */
void table_fair_draw(const struct table *table, const char *start, struct luck *out,
                     uint8_t seed[DIGEST_SIZE]);
/** Writes the fingerprint in digits. False: there is no secret. */
MB_MUST_CHECK
bool table_fair_seal(const struct table *table, char out[DIGEST_HEX_SIZE]);
/** Begins the journal. `luck`: what the seed was drawn from; NULL: it was given. */
void table_fair_begin(struct table_work *work, const struct game_setup *setup,
                      const struct luck *luck);
/** Journals a command. */
void table_fair_step(struct table_work *work, const struct command *command);
/** Journals the state if the game began under other rules of the program. Called before anything
 * is decided. */
void table_fair_rules(struct table_work *work);
/** Journals that somebody else plays the seat. */
void table_fair_seat(struct table_work *work, unsigned seat);
/** Ends the journal. */
void table_fair_end(struct table_work *work, enum journal_state state);
/** Adds what anybody needs to check a game that is over. False: it is not over, or it was
 * arranged. */
bool table_fair_proof(const struct table *table, struct text_out *out);

/* undo.c */
/** Notes a command that was just carried out. */
void table_undo_note(struct table_work *work, const struct command *command);
/** Somebody asks to undo the last command. */
bool table_undo(struct table_work *work, unsigned seat, struct refusal *why);
/** Whether a command answers the open question about an undo. */
bool table_undo_answers(const struct table_work *work, unsigned seat,
                        const struct command *command);
/** Answers it. */
void table_undo_answer(struct table_work *work, unsigned seat, const struct command *command);
/** The number of a deal that the same word could answer; 0: none. */
unsigned table_undo_rival(const struct table_work *work, const struct command *command);
/** Other people sit at the table now: the question about an undo may be settled. */
void table_undo_seats(struct table_work *work);
/** Nobody has answered in time: the undo is refused. */
void table_undo_elapse(struct table_work *work);

/* deals.c */
/** Says what the last command has made of offers and bribes. */
void table_deals_note(struct table_work *work, const struct command *command);
/** Whether the seat may ask or offer once more in this turn. */
bool table_may_offer(const struct table_work *work, const struct command *command);
/** Counts asks and offers. A new turn begins at 0. */
void table_count_offer(struct table_work *work, const struct command *command);

/* seats.c */
/** Keyed hash of a person, never 0. */
uint64_t table_hash_of(const struct table_work *work, const struct person *person);
/** Seats the deed's person. NO_SEAT: the table is full. */
unsigned table_sit(struct table_work *work, bool female);
/** Seats a bot player of that name. NO_SEAT: the table is full. */
unsigned table_sit_bot(struct table_work *work, const char *name, bool female,
                       const struct policy *policy);
/** Seats the bot players of the last game, and asks its people to play again, unless the deed is
 * hushed. */
void table_sit_again(struct table_work *work, const struct table *last);
/** Frees a seat. `how` tells why. */
void table_vacate(struct table_work *work, unsigned seat, enum text_id how);
/** The deed's person joins a running game. */
bool table_take_over(struct table_work *work, const struct request *request, struct refusal *why);
/** Seats those who wait for the end of the turn, if it has ended. */
void table_seat_waiting(struct table_work *work);
/** The deed's person does not wait for a seat any more. False: they did not. */
bool table_stop_waiting(struct table_work *work);
/** Makes the first person who is there the host. False: nobody is. */
bool table_pass_host_on(struct table_work *work);
/** Writes what the table calls the deed's person: the name of their seat, or one that nobody
 * else has. */
void table_name_of(const struct table_work *work, char out[PERSON_NAME_SIZE]);
/** Notes that the host has removed the seat's person from this game. */
void table_remember_removed(struct table_work *work, unsigned seat);

/* play.c */
/** Takes a command: decides, journals, narrates, winds the clocks. Nothing else changes the
 * game. */
bool table_carry_out(struct table_work *work, const struct command *command, struct refusal *why);
/** Takes a command of a person or a program. Refused where no game runs. */
bool table_submit(struct table_work *work, const struct command *command, struct refusal *why);
/** Deals, and begins the game. `luck`: what the seed was drawn from; NULL: it was given. */
MB_MUST_CHECK
bool table_start(struct table_work *work, const uint8_t seed[32], const struct luck *luck,
                 struct mb_error *err);
/** A dealt or arranged game is on the table. */
void table_begin(struct table_work *work, const uint8_t seed[32]);
/** The game is over: shows the result, counts statistics, ends the journal. */
void table_over(struct table_work *work, enum journal_state how);

/* act.c */
/** Does the first thing that falls due within `ms`. Returns what is left of `ms`. */
int64_t table_fall_due(struct table_work *work, int64_t ms);
/** Lets bot players and standing orders act. */
void table_bots_act(struct table_work *work);
/** A new standing order acts at once if the moment of bot players is over. */
void table_order_acts(struct table_work *work, unsigned seat);
/** Does for a seat the least that lets the game go on. False: there is nothing to do. */
bool table_stand_in_for(struct table_work *work, unsigned seat);

#endif
