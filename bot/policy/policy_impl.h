/*
 * Inside of the bot players' levels: for bot/policy/ only.
 *
 * A *mind* lives for one decision: what the seat sees, how it is tempered, and the worth of
 * everybody as things stand. All its figures are points: a Level is WORTH_LEVEL of them. A move is
 * judged by trying it on a copy of the redacted state. Cards that were blanks before the try stay
 * blanks in the judgement, and what chance decides is valued by expectation: a try in which a die
 * is thrown is made once for each of its faces, so a decision can depend on nothing hidden.
 *
 * policy_level.c holds the levels and what comes first; policy_worth.c what a state is worth;
 * policy_outlook.c how a fight will go; policy_mind.c trying; policy_plan.c sets of cards for a
 * fight; policy_fight.c one's own fight, policy_flight.c running and answers, policy_deal.c help
 * and trade, policy_turn.c the rest of a turn, policy_gear.c what to wear and to sell,
 * policy_choice.c questions.
 */
#ifndef BOT_POLICY_POLICY_IMPL_H
#define BOT_POLICY_POLICY_IMPL_H

#include "core/loop/query.h"

#include "bot/policy/policy.h"

enum {
    WORTH_LEVEL = 100,
    WORTH_WIN = 2000,
    WORTH_TREASURE = 50, /**< a card drawn unseen */
    WORTH_DOOR = 24,
    WORTH_NEVER = -1000000 /**< no move to judge */
};

/** What makes one level differ from another. */
struct temper {
    int overlooks;  /**< per cent of the plays, sales and requests that it does not think of */
    int noise;      /**< how far each judgement may be off, in points */
    int spite;      /**< per cent of a middling rival's worth that counts against oneself */
    int wary;       /**< at least so much of a rival who leads near the goal */
    int guard;      /**< the same of a rival who is about to win the game */
    int attention;  /**< per cent of the moments of others' fights that it looks at */
    int reluctance; /**< points that a card must gain before it is played on another's business */
    int patience;   /**< points by which such a card grows dearer with each Level of the leader */
    int plan_cards; /**< cards that it can think together in a fight */
    int haggles;    /**< per cent of its first offers that are a Treasure short */
    int shares;     /**< per cent of what a bargain leaves over that it leaves to the other */
    bool bargains;  /**< asks for help, and offers it, at a price worked out for both; else asks
                         with a guess and takes or leaves what others say */
    bool trades;    /**< proposes trades and bribes of its own */
};

struct mind {
    const struct policy_input *in;
    const struct temper *temper;
    const struct game *view;
    const struct box *box;
    unsigned seat;
    int worth[MB_SEATS_MAX]; /**< of each seat as things stand */
    int now;                 /**< judgement of the state as it is */
    unsigned winners;        /**< bits of the seats that this fight would make win the game */
    bool alert;              /**< others are about to: nothing is overlooked */
};

/** A move with what it leads to. */
struct idea {
    struct command command;
    int gain; /**< against `now`; WORTH_NEVER: no idea */
};

/* policy_worth.c */
/** Points of being at a Level. */
int worth_level(const struct box *box, int level);
/** A known card in a seat's hand, or a one-shot lying before it. */
int worth_held(const struct mind *mind, const struct game *game, unsigned seat, uint16_t card);
/** Everything a seat is and has, an outlook on the fight it is in included. */
int worth_seat(const struct mind *mind, const struct game *game, unsigned seat);
/** What wearing a card adds, and what it is worth lying idle before a seat. */
int worth_worn(const struct mind *mind, const struct game *game, uint16_t card);
int worth_carried(const struct mind *mind, const struct game *game, unsigned seat, uint16_t card);

/* policy_outlook.c */
/** What the fight adds to a fighter's worth: rewards and Bad Stuff by their chances. */
int outlook_worth(const struct mind *mind, const struct game *game, unsigned seat);
/** What being caught by a monster of the fight costs a seat. */
int outlook_bad_stuff(const struct mind *mind, const struct game *game, unsigned seat,
                      unsigned index);
/** By how much the players lead; a tie that wins counts as a lead of 1. */
int outlook_margin(const struct game *game, const struct box *box);

/* policy_mind.c */
void mind_open(struct mind *mind, const struct policy_input *in, const struct temper *temper);
/** What a state is worth to this seat, rivals included. */
int mind_judge(const struct mind *mind, const struct game *after);
/** Lets answer moments and questions of a try run out: their defaults stand for what others do. */
void mind_settle(const struct mind *mind, struct game *after);
/** Carries a command out on a copy and settles it; false if it is refused. */
bool mind_try(const struct mind *mind, const struct command *command, struct game *after);
/** What a command leads to, on the average where dice are thrown; false if it is refused. */
struct prospects {
    int own; /**< worth of this seat */
    int all; /**< judgement, rivals included */
};
bool mind_foresee(const struct mind *mind, const struct command *command, struct prospects *out);
/** The gain of a command against `now`; WORTH_NEVER if it is refused. */
int mind_gain(const struct mind *mind, const struct command *command);
/** Whether a seat has only a few Levels to go. */
bool mind_near_goal(const struct game *game, const struct box *box, unsigned seat);
/** Whether others are about to win the game: their fight is won as it stands. */
bool mind_others_win(const struct mind *mind, const struct game *game);
/** How much a rival's worth counts against one's own, in per cent. */
int mind_spite(const struct mind *mind, const struct game *game, unsigned rival);
/** Whether the seat, by temper, does not think of something now. */
bool mind_overlooks(const struct mind *mind);
/** A judgement's error, by temper. */
int mind_noise(const struct mind *mind);
/** Keeps the better of two ideas. */
void mind_keep(struct idea *best, const struct command *command, int gain);
/** Completes a template with the cards one would miss least, `count` of them. */
void mind_cheapest(const struct mind *mind, const struct move *move, unsigned count,
                   struct command *out);
/** What one would miss of a card of one's own, wherever it lies. */
int mind_price(const struct mind *mind, uint16_t card);
/** The same of all cards that a play or use takes. */
int mind_costs(const struct mind *mind, const struct command *command);
/** Whether a card of a try is one that the seat did not know before it. */
bool mind_unseen(const struct mind *mind, uint16_t card);
/** The best single play or use among the moves, the generator left alone. */
struct idea mind_best_play(const struct mind *mind);
/** Finds the first move of a verb; NULL if none. */
const struct move *mind_find(const struct mind *mind, unsigned verb);

/* policy_plan.c */
/** The first command of the cheapest set of plays that turns the fight: for the players or, if
 * `against`, for the monsters. The gain is the whole set's. */
struct idea plan_fight(const struct mind *mind, bool against);

/* The rest: each puts a command into `out`, or returns false: nothing to do (wait). */
bool fight_own(const struct mind *mind, struct command *out);
bool fight_help(const struct mind *mind, struct command *out);
bool fight_meddle(const struct mind *mind, struct command *out);
bool flight_run(const struct mind *mind, struct command *out);
bool flight_answer(const struct mind *mind, struct command *out);
bool deal_answer(const struct mind *mind, struct command *out);
/** The best way to ask for help; its gain is that of having it. */
struct idea deal_ask(const struct mind *mind);
bool deal_volunteer(const struct mind *mind, struct command *out);
/** Pays the only one who could help somebody near the goal for not doing it. */
bool deal_bribe(const struct mind *mind, struct command *out);
bool deal_propose(const struct mind *mind, struct command *out);
bool turn_setup(const struct mind *mind, struct command *out);
bool turn_own(const struct mind *mind, struct command *out);
bool turn_others(const struct mind *mind, struct command *out);
bool gear_wear(const struct mind *mind, struct command *out);
struct idea gear_sell(const struct mind *mind);
bool choice_answer(const struct mind *mind, struct command *out);

#endif
