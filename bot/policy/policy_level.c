/*
 * The levels of the bot players, and in what order they think of things.
 *
 * One way of thinking, three tempers: a rookie misjudges, sees one card at a time and leaves others
 * alone; a regular misses things, and meddles with nobody but who leads near the goal; a ruthless
 * one works everything out and grudges everybody everything.
 */
#include "core/game.h"

#include "bot/policy/policy_impl.h"

static const struct temper ROOKIE = {
    .overlooks = 55, .noise = 60, .reluctance = 30, .plan_cards = 1};
static const struct temper REGULAR = {.overlooks = 48,
                                      .noise = 45,
                                      .spite = 4,
                                      .attention = 25,
                                      .wary = 100,
                                      .guard = 20,
                                      .reluctance = 40,
                                      .plan_cards = 2,
                                      .haggles = 32,
                                      .shares = 35,
                                      .bargains = true};
static const struct temper RUTHLESS = {.spite = 60,
                                       .attention = 100,
                                       .guard = 60,
                                       .reluctance = 30,
                                       .patience = 4,
                                       .plan_cards = 5,
                                       .haggles = 22,
                                       .bargains = true,
                                       .trades = true};

// Whether somebody is so far ahead that one acts on the turns of others too.
static bool race_is_on(const struct policy_input *in)
{
    for (unsigned seat = 0; seat < query_seat_count(in->view); seat++) {
        if (seat != in->seat && mind_near_goal(in->view, in->box, seat)) {
            return true;
        }
    }
    return false;
}

// Nothing of this needs a thought: nobody waits for the seat, and nothing is at stake.
static bool nothing_to_do(const struct policy_input *in, const struct temper *temper)
{
    const struct game *const view = in->view;
    const bool asked = query_deal_count(view) > 0 ||
                       query_pause(view, PAUSE_ANSWER).kind != PAUSE_NONE ||
                       query_phase(view) == PHASE_SETUP;
    return query_turn(view) != in->seat && query_main(view) == NO_SEAT && !asked &&
           (temper->spite == 0 || !race_is_on(in));
}

static bool act_in_fight(const struct mind *mind, struct command *out)
{
    const struct game *const view = mind->view;
    const bool running = query_gave_up(view);
    if (query_main(view) == mind->seat) {
        return running ? flight_run(mind, out) : fight_own(mind, out);
    }
    if (query_helper(view) == mind->seat) {
        return running ? flight_run(mind, out) : fight_help(mind, out);
    }
    return !running && fight_meddle(mind, out);
}

static bool think_of_move(const struct mind *mind, bool asked, struct command *out)
{
    const struct game *const view = mind->view;
    if (asked) {
        return choice_answer(mind, out);
    }
    if (query_pause(view, PAUSE_ANSWER).kind == PAUSE_ANSWER) {
        return flight_answer(mind, out);
    }
    if (deal_answer(mind, out)) {
        return true;
    }
    if (query_phase(view) == PHASE_SETUP) {
        return turn_setup(mind, out);
    }
    if (query_main(view) != NO_SEAT) {
        return act_in_fight(mind, out);
    }
    return query_turn(view) == mind->seat ? turn_own(mind, out) : turn_others(mind, out);
}

// Who has nothing to add says so: a window need not wait for its clock.
static bool pass(const struct policy_input *in, struct command *out)
{
    for (uint32_t i = 0; i < in->moves->count; i++) {
        if (in->moves->items[i].command.verb == VERB_PASS) {
            *out = in->moves->items[i].command;
            return true;
        }
    }
    return false;
}

static bool decide(const struct policy_input *in, const struct temper *temper, struct command *out)
{
    struct query_decision decision;
    query_decision(in->view, in->box, in->seat, &decision);
    const bool asked = decision.kind != DECIDE_TOTAL && decision.kind != DECIDE_CHARITY;
    if (!asked && nothing_to_do(in, temper)) {
        return false;
    }
    struct mind mind;
    mind_open(&mind, in, temper);
    return think_of_move(&mind, asked, out) || pass(in, out);
}

static bool choose_rookie(const struct policy_input *input, struct command *out)
{
    return decide(input, &ROOKIE, out);
}

static bool choose_regular(const struct policy_input *input, struct command *out)
{
    return decide(input, &REGULAR, out);
}

static bool choose_ruthless(const struct policy_input *input, struct command *out)
{
    return decide(input, &RUTHLESS, out);
}

const struct policy POLICY_ROOKIE = {.name = "rookie", .looks = true, .choose = choose_rookie};
const struct policy POLICY_REGULAR = {.name = "regular", .looks = true, .choose = choose_regular};
const struct policy POLICY_RUTHLESS = {
    .name = "ruthless", .looks = true, .choose = choose_ruthless};
