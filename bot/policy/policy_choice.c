/*
 * Questions: which card, which player, yes or no. Each answer is tried; where that says nothing
 * (answers are sealed until all are in), one parts with what one misses least and takes what is
 * worth most.
 */
#include "core/base/rng.h"
#include "core/game.h"

#include "bot/policy/policy_impl.h"

enum { HINT_SHARE = 16 };

// Points of the cards named, as far as they are one's own: the less, the better to lose.
static int hint_of(const struct mind *mind, const struct command *command, bool cards)
{
    int hint = 0;
    for (unsigned i = 0; cards && i < command->list_count; i++) {
        const uint16_t card = command->list[i];
        const unsigned pile = query_where(mind->view, card);
        const bool own = pile == pile_hand(mind->seat) || pile == pile_table(mind->seat);
        hint += own ? -mind_price(mind, card) : worth_held(mind, mind->view, mind->seat, card);
    }
    return hint;
}

static void weigh_command(const struct mind *mind, const struct command *command, bool cards,
                          struct idea *best)
{
    struct prospects then;
    if (!mind_foresee(mind, command, &then)) {
        return;
    }
    const int gain = then.all - mind->now;
    mind_keep(best, command,
              gain * HINT_SHARE + hint_of(mind, command, cards) + mind_noise(mind) * HINT_SHARE);
}

// The cards that reach a value in Gold Pieces, the least missed first.
static void reach_value(const struct mind *mind, const struct move *move, struct command *out)
{
    for (unsigned count = move->min; count <= move->max; count++) {
        int value = 0;
        mind_cheapest(mind, move, count, out);
        for (unsigned i = 0; i < out->list_count; i++) {
            value += box_def(mind->box, out->list[i])->gold;
        }
        if (value >= move->value_min) {
            return;
        }
    }
    *out = move->command;
}

static void weigh_template(const struct mind *mind, const struct move *move, bool cards,
                           struct idea *best)
{
    struct command command = move->command;
    weigh_command(mind, &command, cards, best);
    if (!cards) {
        return;
    }
    if (move->value_min > 0) {
        reach_value(mind, move, &command);
        weigh_command(mind, &command, cards, best);
        return;
    }
    mind_cheapest(mind, move, move->min, &command);
    weigh_command(mind, &command, cards, best);
    if (move->max != move->min) {
        mind_cheapest(mind, move, move->max, &command);
        weigh_command(mind, &command, cards, best);
    }
    for (unsigned tries = 0; tries < 4; tries++) {
        move_sample(mind->view, mind->box, move, mind->in->rng, &command);
        weigh_command(mind, &command, cards, best);
    }
}

bool choice_answer(const struct mind *mind, struct command *out)
{
    struct query_decision decision;
    struct idea best = {.gain = WORTH_NEVER};
    const struct move_list *const moves = mind->in->moves;
    query_decision(mind->view, mind->box, mind->seat, &decision);
    for (uint32_t i = 0; i < moves->count; i++) {
        const struct move *const move = &moves->items[i];
        if (move->command.verb != VERB_CHOOSE) {
            continue;
        }
        if (move->open == MOVE_LIST_OPEN) {
            weigh_template(mind, move, decision.options_are_cards, &best);
        } else {
            weigh_command(mind, &move->command, decision.options_are_cards, &best);
        }
    }
    *out = best.command;
    return best.gain != WORTH_NEVER;
}
