#include "core/seen/move_parts.h"

#include "core/game.h"
#include "core/state/pile_list.h"

bool move_add(struct move_maker *maker, const struct command *command)
{
    struct refusal why;
    return game_allows(maker->game, maker->box, command, &why) && move_add_checked(maker, command);
}

bool move_add_checked(struct move_maker *maker, const struct command *command)
{
    struct move_list *out = maker->out;
    if (out->count >= out->capacity) {
        out->overflow = true;
        return false;
    }
    struct move *move = &out->items[out->count++];
    move->command = *command;
    move->open = MOVE_CLOSED;
    move->min = 0;
    move->max = 0;
    move->must = 0;
    move->more_must = 0;
    move->more_min = 0;
    move->more_max = 0;
    move->more_count = 0;
    move->value_min = 0;
    move->candidate_count = 0;
    return true;
}

// Rules: what cures too many Big Items may be done before one is given up (BIG-3). Each card of
// such a list must do so by itself, for any of them may be picked; where several are needed, only
// the command that is known to do is offered.
static bool keep_cures(struct move_maker *maker, struct move *move)
{
    unsigned kept = 0;
    if (move->min > 1) {
        (void)move_add(maker, &move->command);
        return false;
    }
    for (unsigned i = 0; i < move->candidate_count; i++) {
        struct command command = move->command;
        struct refusal why;
        command.list[0] = move->candidates[i];
        command.list_count = 1;
        if (game_allows(maker->game, maker->box, &command, &why)) {
            move->candidates[kept++] = move->candidates[i];
        }
    }
    move->candidate_count = (uint8_t)kept;
    move->min = 1;
    move->command.list[0] = move->candidates[0];
    move->command.list_count = 1;
    return kept > 0;
}

void move_add_template(struct move_maker *maker, const struct move *wanted)
{
    struct move cures;
    const struct move *template = wanted;
    if (maker->game->decision.open == 1 && wanted->command.verb != VERB_CHOOSE) {
        cures = *wanted;
        template = &cures;
        if (!keep_cures(maker, &cures)) {
            return;
        }
    }
    if (template->candidate_count < template->min || template->max == 0) {
        return;
    }
    if (!move_add(maker, &template->command)) {
        return;
    }
    struct move *move = &maker->out->items[maker->out->count - 1];
    struct command command = move->command;
    *move = *template;
    move->command = command;
    if (move->max > move->candidate_count) {
        move->max = move->candidate_count;
    }
    if (move->more_max > move->more_count) {
        move->more_max = move->more_count;
    }
}

bool move_first_alike(const struct move_maker *maker, uint16_t card)
{
    const struct game *game = maker->game;
    const struct card_state *state = &game->cards[card];
    uint16_t at = pile_first(game, state->pile);
    for (; at != card; at = game->cards[at].next) {
        if (maker->box->card_def[at] == maker->box->card_def[card] &&
            game->cards[at].flags == state->flags && game->cards[at].host == state->host) {
            return false;
        }
    }
    return true;
}
