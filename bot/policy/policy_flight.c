/*
 * Running away, and answers: to a die just rolled, to a Curse about to strike. What dice will say
 * is taken by its chance.
 */
#include "core/game.h"
#include "core/loop/prospect.h"
#include "core/numbers/requirement.h"

#include "bot/policy/policy_impl.h"

enum { GAIN_MIN = 6, SIXTHS = 6, OTHER_STAKE = 60 };

// Whom to run from first: whoever may kill, for the dead need not run from the rest; then by harm.
static const struct move *first_run(const struct mind *mind)
{
    const struct move *best = NULL;
    int worst = 0;
    const struct move_list *const moves = mind->in->moves;
    for (uint32_t i = 0; i < moves->count; i++) {
        const struct command *const command = &moves->items[i].command;
        if (command->verb != VERB_RUN) {
            continue;
        }
        const int index = command->card != NO_CARD ? monster_find(mind->view, command->card) : -1;
        const int harm =
            index < 0 ? 0 : outlook_bad_stuff(mind, mind->view, mind->seat, (unsigned)index);
        if (best == NULL || harm > worst) {
            best = &moves->items[i];
            worst = harm;
        }
    }
    return best;
}

bool flight_run(const struct mind *mind, struct command *out)
{
    struct idea best = mind_best_play(mind);
    const struct move_list *const moves = mind->in->moves;
    for (uint32_t i = 0; i < moves->count; i++) {
        const struct command *const command = &moves->items[i].command;
        if (command->verb == VERB_SACRIFICE) {
            mind_keep(&best, command, mind_gain(mind, command));
        }
    }
    if (best.gain >= GAIN_MIN) {
        *out = best.command;
        return true;
    }
    const struct move *const run = first_run(mind);
    if (run != NULL) {
        *out = run->command;
    }
    return run != NULL;
}

// The row that answers the roll when this is played or used; NULL if it is no such answer.
static const struct row *answering_row(const struct mind *mind, const struct command *command)
{
    if (command->card == NO_CARD) {
        return NULL;
    }
    const struct card_def *const def = box_def(mind->box, command->card);
    const struct row *const rows = box_rows(mind->box, def);
    for (unsigned i = 0; i < def->row_count; i++) {
        const bool named = command->verb != VERB_USE || rows[i].ability == command->ability + 1;
        if (rows[i].when == WHEN_ANSWER_ROLL && named) {
            return &rows[i];
        }
    }
    return NULL;
}

// Sixths of a chance that the roll succeeds once this answer stands.
static int chance_after(const struct prospect_roll *roll, const struct row *row,
                        const struct command *command)
{
    const int has = roll->total;
    switch ((enum effect_op)row->op) {
    case EFFECT_ESCAPE:
        return SIXTHS;
    case EFFECT_SET_DIE:
        return has - roll->face + SIXTHS >= roll->need ? SIXTHS : 0;
    case EFFECT_REROLL: {
        const int good = SIXTHS + 1 - (roll->need - (has - roll->face));
        return good < 0 ? 0 : (good > SIXTHS ? SIXTHS : good);
    }
    case EFFECT_LASTING:
        return has + (command->list_count > 0 ? (int)command->list_count : 1) >= roll->need ? SIXTHS
                                                                                            : 0;
    default:
        return 0;
    }
}

static int stake_of(const struct mind *mind, const struct prospect_roll *roll)
{
    if (roll->what != ROLL_FLIGHT) {
        return OTHER_STAKE;
    }
    const int index = monster_find(mind->view, roll->card);
    return index < 0 ? 0 : outlook_bad_stuff(mind, mind->view, roll->seat, (unsigned)index);
}

static int roll_gain(const struct mind *mind, const struct prospect_roll *roll,
                     const struct command *command)
{
    const struct row *const row = answering_row(mind, command);
    if (row == NULL) {
        return WORTH_NEVER;
    }
    const int before = roll->succeeds ? SIXTHS : 0;
    const int better = (chance_after(roll, row, command) - before) * stake_of(mind, roll);
    const int cost = mind_costs(mind, command);
    if (roll->seat == mind->seat) {
        return better / SIXTHS - cost;
    }
    return -better / SIXTHS * mind_spite(mind, mind->view, roll->seat) / 100 - cost -
           mind->temper->reluctance;
}

static void weigh_roll(const struct mind *mind, const struct prospect_roll *roll,
                       const struct move *move, struct idea *best)
{
    if (move->open != MOVE_LIST_OPEN) {
        mind_keep(best, &move->command, roll_gain(mind, roll, &move->command));
        return;
    }
    for (unsigned count = move->min; count <= move->max; count++) {
        struct command command;
        mind_cheapest(mind, move, count, &command);
        mind_keep(best, &command, roll_gain(mind, roll, &command));
    }
}

// What an answer to a Curse spares: the state after it against that after the strike.
static int curse_gain(const struct mind *mind, const struct command *command, int struck)
{
    struct game *const after = mind->in->scratch;
    return mind_try(mind, command, after) ? mind_judge(mind, after) - struck : WORTH_NEVER;
}

static int judge_struck(const struct mind *mind)
{
    struct game *const after = mind->in->scratch;
    game_copy(after, mind->view);
    mind_settle(mind, after);
    return mind_judge(mind, after);
}

bool flight_answer(const struct mind *mind, struct command *out)
{
    struct prospect_roll thrown;
    const bool roll = prospect_roll(mind->view, mind->box, &thrown);
    if (mind_overlooks(mind)) {
        return false;
    }
    struct idea best = {.gain = WORTH_NEVER};
    const int struck = roll ? 0 : judge_struck(mind);
    const struct move_list *const moves = mind->in->moves;
    for (uint32_t i = 0; i < moves->count; i++) {
        const struct move *const move = &moves->items[i];
        const unsigned verb = move->command.verb;
        if (verb != VERB_PLAY && verb != VERB_USE) {
            continue;
        }
        if (roll) {
            weigh_roll(mind, &thrown, move, &best);
            continue;
        }
        struct command command = move->command;
        if (move->open == MOVE_LIST_OPEN) {
            mind_cheapest(mind, move, move->min, &command);
        }
        mind_keep(&best, &command, curse_gain(mind, &command, struck));
    }
    *out = best.command;
    return best.gain >= GAIN_MIN;
}
