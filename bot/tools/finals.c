#include "bot/tools/finals.h"

#include "core/loop/prospect.h"
#include "core/loop/query.h"

enum { SETTLE_MAX = 8 };

static bool is_final(const struct game *game, const struct box *box)
{
    return query_pause(game, PAUSE_WIN).kind == PAUSE_WIN && query_would_win(game, box) != 0;
}

// Lets answers and questions run out until something else is waited for.
static void settle(struct game *game, const struct box *box)
{
    for (unsigned i = 0; i < SETTLE_MAX; i++) {
        const unsigned kind = query_clock(game).kind;
        struct command command = command_plain(NO_SEAT, VERB_ELAPSE);
        command.n = (int16_t)kind;
        struct refusal why = {.code = REFUSAL_NONE};
        if ((kind != CLOCK_ANSWER && kind != CLOCK_DECISION) ||
            !game_step(game, box, &command, NULL, &why)) {
            return;
        }
    }
}

static bool would_stop(const struct simulate_step *step, const struct box *box,
                       const struct command *command)
{
    struct game *const then = step->scratch;
    struct refusal why = {.code = REFUSAL_NONE};
    game_copy(then, step->before);
    if (!game_step(then, box, command, NULL, &why)) {
        return false;
    }
    settle(then, box);
    return query_phase(then) != PHASE_OVER && !prospect_drew(step->before, then) &&
           !query_asks(then) && !is_final(then, box);
}

// What a seat has left unplayed: a one-shot in play, else a card of its hand.
static void look_at_seat(const struct simulate_step *step, const struct box *box, unsigned seat,
                         bool left[2])
{
    const struct move_list *const moves = &step->moves[seat];
    const bool careful = (step->careful & seat_bit(seat)) != 0;
    for (uint32_t i = 0; i < moves->count && !left[0]; i++) {
        const struct command *const command = &moves->items[i].command;
        if (command->verb != VERB_PLAY || moves->items[i].open != MOVE_CLOSED ||
            command->list_count > 0 || command->more_count > 0) {
            continue;
        }
        const bool lies = query_where(step->before, command->card) == pile_table(seat);
        if ((lies || (careful && !left[1])) && would_stop(step, box, command)) {
            left[lies ? 0 : 1] = true;
        }
    }
}

static bool fight_won(const struct event_list *events)
{
    for (uint32_t i = 0; i < events->count; i++) {
        if (events->items[i].type == EVENT_NOTE && events->items[i].why == NOTE_FIGHT_WON) {
            return true;
        }
    }
    return false;
}

void finals_step(struct finals *finals, const struct box *box, const struct simulate_step *step)
{
    if (finals->on && is_final(step->before, box) && fight_won(step->events)) {
        const unsigned winners = query_would_win(step->before, box);
        bool left[2] = {false, false};
        for (unsigned seat = 0; seat < step->players; seat++) {
            if ((winners & seat_bit(seat)) == 0) {
                look_at_seat(step, box, seat, left);
            }
        }
        finals->won++;
        finals->open_left += left[0];
        finals->held_left += !left[0] && left[1];
    }
    const bool final = is_final(step->after, box);
    finals->reached += final && !finals->on;
    finals->on = final || (finals->on && query_main(step->after) != NO_SEAT);
}
