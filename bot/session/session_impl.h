/*
 * Inside of a session: for bot/session/ only.
 *
 * session.c holds life cycle and the one way a command takes (session_carry_out); session_view.c
 * who sees what of it; session_line.c words; session_lobby.c who sits here; session_clock.c and
 * session_pace.c time; session_bots.c who acts by itself;
 * session_fair.c seed and journal.
 */
#ifndef BOT_SESSION_SESSION_IMPL_H
#define BOT_SESSION_SESSION_IMPL_H

#include "core/rng.h"

#include "bot/parse/parse.h"
#include "bot/render/highlights.h"
#include "bot/session/delta.h"
#include "bot/session/session.h"
#include "bot/session/session_log.h"
#include "bot/session/session_workspace.h"
#include "bot/table/pace.h"
#include "bot/text/text.h"

enum { SESSION_LOG_SHOWN = 10, CLOCK_KINDS = CLOCK_WINDOW + 1 };

/** What counts for `stats`, in this game. */
struct session_tally {
    uint16_t kills, deaths;
};

struct session_seat {
    char name[SESSION_NAME_SIZE];
    const struct policy *policy; /**< NULL: a person */
    bool taken, female;
    bool was_person; /**< a person has held it: nobody else may join it while the game runs */
    uint8_t order;   /**< standing order, enum in command.h; 0 none */
    uint8_t order_level;
    uint32_t acts;                /**< accepted commands */
    bool away;                    /**< did not come when waited for: a stand-in acts */
    char next[SESSION_NAME_SIZE]; /**< who sits down here when the turn ends; "" nobody */
};

/** What is left on a clock, and of which question. A new question restarts it. */
struct session_timer {
    uint64_t about;
    int64_t left_ms;
    uint8_t holds;
    uint8_t reminded; /**< reminders given */
};

/** The last command of a person, and who is asked about taking it back. */
struct session_undo {
    struct session_timer window, answer; /**< as they stood before that command ... */
    int64_t at_ms;                       /**< ... which was given then */
    struct delta back;        /**< from the present state to the one before that command */
    bool kept, others, plain; /**< others: somebody else has acted since; plain: nothing came of
                                   chance and nobody learned anything */
    unsigned author;
    unsigned asker;  /**< NO_SEAT: nobody is asking */
    unsigned agreed; /**< bits */
    int64_t left_ms;
    size_t entry; /**< the command in the journal */
    struct session_tally tally[MB_SEATS_MAX];
    struct highlights highlights;
};

struct session_clock {
    struct session_timer timers[CLOCK_KINDS];
    struct query_clock running;
    struct session_timer bots; /**< left_ms < 0: nobody acts by itself */
    int64_t now_ms;
};

struct session {
    const struct catalog *catalog;
    struct table_options options;
    enum session_state state;
    unsigned seat_count, host;
    struct session_seat seats[MB_SEATS_MAX];
    struct box box;
    struct session_workspace *workspace; /**< borrowed, or `own_workspace` */
    struct session_workspace *own_workspace;
    struct game *game;
    uint64_t stamp; /**< of the state: views with another one are stale */
    uint64_t window_stamp;
    unsigned window_s; /**< how long the open window lasts, as of window_stamp */
    struct message_list outbox;
    struct session_clock clock;
    struct mb_rng rng; /**< the bot players' */
    struct session_watcher watcher;
    bool stand_ins; /**< absent players are stood in for */
    bool marks;     /**< texts hold marks */
    char marked[MB_SEATS_MAX][SESSION_NAME_SIZE + 2];
    bool last_call; /**< the window that is open would end the game, and everybody was told */
    struct table_told told;
    struct session_log log;
    uint8_t seed[DIGEST_SIZE];
    char seal[DIGEST_HEX_SIZE]; /**< the commitment to it, "" where nothing was dealt */
    bool seeded;                /**< a dealt game whose seed is not told yet */
    struct journal *journal;    /**< NULL: none is kept */
    struct session_tally tally[MB_SEATS_MAX], tally_before[MB_SEATS_MAX];
    struct highlights highlights, highlights_before;
    struct session_undo undo;
    struct session_records records;
    bool deserted;  /**< everybody has left: the game is paused until somebody comes back */
    bool rests;     /**< everybody is away: nothing happens until somebody acts again */
    uint16_t alone; /**< the round since which everybody is away; 0: somebody is there */
    bool moderator; /**< the line being dealt with is of somebody who moderates the place */
    char end_asked[SESSION_NAME_SIZE]; /**< who has said `end` once; "" nobody */
};

/** Decides, applies, renders, winds the clocks: the only way anything changes the game. */
bool session_carry_out(struct session *session, const struct command *command, struct refusal *why);
/** The state has changed: every view of it is stale. */
void session_changed(struct session *session);
/** The state as a seat may know it (NO_SEAT: an onlooker), made when first asked for after a
 * change. Good until the state changes or another session of the workspace is used. */
const struct game *session_view(struct session *session, unsigned seat);
/** Renders the events of the last command into the outbox: for the table, and for each person who
 * learns more than the table does. */
void session_narrate(struct session *session);
/** Lets answer moments run out that the watcher does not want. */
void session_skip_moments(struct session *session);

/** Adds a sentence for the table, or a reply to one seat. */
void session_tell(struct session *session, enum text_id id, const struct text_arg *args);
void session_reply(struct session *session, unsigned seat, const char *text);
void session_reply_text(struct session *session, unsigned seat, enum text_id id,
                        const struct text_arg *args);
/** A refusal by the session itself; replies with its sentence. Returns false. */
bool session_refuse(struct session *session, unsigned seat, enum refusal_code code,
                    struct refusal *why);

/** The same in words of the session's own. Returns false. */
bool session_refuse_text(struct session *session, unsigned seat, enum refusal_code code,
                         enum text_id id, const struct text_arg *args, struct refusal *why);

/** A request about who sits here; `person` may be nobody yet. */
bool session_lobby(struct session *session, unsigned seat, const char *person,
                   const struct request *request, struct refusal *why);

/* Fairness: see session.h. */

void session_fair_begin(struct session *session, const struct game_setup *setup);
void session_fair_step(struct session *session, const struct command *command);
/** Somebody else sits there now. */
void session_fair_seat(struct session *session, unsigned seat);
void session_fair_end(struct session *session, enum journal_state state);

/** The game is over: seed, statistics, what next. */
void session_over(struct session *session, enum journal_state how);

/* Seats: bot/session/session_seats.c. */

/** The seat that a person holds now: not one that a bot player holds under that name. */
unsigned session_own_seat(const struct session *session, const char *person);
void session_vacate(struct session *session, unsigned seat);
/** Somebody joins a running game. */
bool session_take_over(struct session *session, const char *person, struct refusal *why);
/** Those who wait for the end of the turn sit down if it has ended. */
void session_seat_waiting(struct session *session);
/** False if the person does not wait for a seat. */
bool session_stop_waiting(struct session *session, const char *person);

/** Says what came of deals by the last command: bot/session/session_deals.c. The state before it is
 * in the workspace's `after`. */
void session_deals_note(struct session *session, const struct command *command);

/* Statistics: bot/session/session_stats.c. */

/** Counts what the last command did. */
void session_tally(struct session *session);
void session_stats_finish(struct session *session);
bool session_answer_stats(struct session *session, unsigned seat, const char *asker,
                          const struct request *request);

/** Winds the clocks after a change. */
void session_clock_wind(struct session *session);
/** What the running clock of this kind is about: another number, another question. */
uint64_t session_clock_about(const struct session *session, struct query_clock clock);
/** The standing order that a seat has to begin with at this pace. */
void session_default_order(struct session *session, unsigned seat);
/** "Until my turn" is over when that turn begins. */
void session_orders_lapse(struct session *session);
/** A seat's moves on its own view, into the workspace; false if there are none. */
bool session_list_moves(struct session *session, unsigned seat);
/** Bot players and standing orders: whether any would act now, and letting them act. */
bool session_bots_wanted(const struct session *session);
void session_bots_act(struct session *session);
/** How long a clock of this table runs. */
int64_t session_clock_length(const struct session *session, unsigned kind);

/* Absence: bot/session/session_absence.c. */

/** When the next reminder falls due, from now; -1: none does. */
int64_t session_reminder_due(const struct session *session);
void session_remind(struct session *session);
/** Those whom the clock has waited for in vain are away now, and somebody acts for them. False if
 * nothing is done, as at tables without stand-ins. */
bool session_stand_in(struct session *session);
/** The least that lets the game go on, for one seat. */
bool session_stand_in_for(struct session *session, unsigned seat);
/** Lets the game rest when everybody has been away for two rounds. */
void session_rest(struct session *session);
/** The person of a seat acts: if they were away, they are back. */
void session_returns(struct session *session, unsigned seat);

/* Taking back: bot/session/session_undo.c. */

/** A command has just been carried out; the state before it is in the workspace's `after`. */
void session_undo_note(struct session *session, const struct command *command);
void session_undo_forget(struct session *session);
bool session_undo(struct session *session, unsigned seat, struct refusal *why);
/** Whether a command answers the open question about taking back; and answering it. */
bool session_undo_answers(const struct session *session, unsigned seat,
                          const struct command *command);
void session_undo_answer(struct session *session, unsigned seat, const struct command *command);
/** Others sit at the table now. */
void session_undo_seats(struct session *session);
void session_undo_pass_time(struct session *session, int64_t ms);
/** Nobody has answered in time. */
void session_undo_elapse(struct session *session);

static inline struct table_words session_words_of(struct session *session, unsigned seat)
{
    struct table_words words;
    session_words(session, seat, &words);
    return words;
}

#endif
