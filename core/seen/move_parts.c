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

void move_add_template(struct move_maker *maker, const struct move *template)
{
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
