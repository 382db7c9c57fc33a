#include <stddef.h>
#include <string.h>

#include "core/change/choice.h"
#include "core/deal/deal.h"
#include "core/fight/fight.h"
#include "core/loop/engine.h"
#include "core/loop/query.h"
#include "core/numbers/requirement.h"
#include "core/numbers/strength.h"
#include "core/numbers/trait.h"
#include "core/state/pile_list.h"
#include "core/work/deal_book.h"
#include "core/work/fight_view.h"

void check_pass(const struct game *game, const struct box *box, const struct command *command,
                struct refusal *why)
{
    (void)box;
    (void)command;
    if (game->window.kind == PAUSE_NONE && game->moment.kind == PAUSE_NONE) {
        refuse(why, REFUSAL_WRONG_PHASE, "COMBAT-4");
    }
}

void check_hold(const struct game *game, const struct box *box, const struct command *command,
                struct refusal *why)
{
    if (game->window.kind == PAUSE_NONE) {
        refuse(why, REFUSAL_WRONG_PHASE, "COMBAT-4");
    } else if (game->seats[command->seat].holds >= box->profile.constant[PROFILE_HOLDS]) {
        refuse_card(why, REFUSAL_LIMIT_REACHED, "COMBAT-4", NO_CARD,
                    box->profile.constant[PROFILE_HOLDS]);
    }
}

static unsigned rolls_due(const struct game *game, const struct box *box, unsigned seat)
{
    unsigned pending = flee_pending(game, seat);
    unsigned rolls = 0;
    for (unsigned i = 0; i < game->fight.monster_count; i++) {
        if ((pending >> i & 1u) != 0 && flee_rolls(game, box, seat, i)) {
            rolls |= 1u << i;
        }
    }
    return rolls;
}

static void check_run_target(const struct game *game, const struct box *box,
                             const struct command *command, struct refusal *why)
{
    unsigned rolls = rolls_due(game, box, command->seat);
    if (command->card == NO_CARD) {
        if ((rolls & (rolls - 1u)) != 0) {
            refuse(why, REFUSAL_BAD_ARGUMENTS, "RUN-3");
        }
        return;
    }
    int index = monster_find(game, command->card);
    if (index < 0 || (flee_pending(game, command->seat) >> (unsigned)index & 1u) == 0) {
        refuse_card(why, REFUSAL_ILLEGAL_TARGET, "RUN-3", command->card, 0);
    }
}

void check_run(const struct game *game, const struct box *box, const struct command *command,
               struct refusal *why)
{
    if (game->fight.on == 0 || !seat_fights(game, command->seat)) {
        refuse(why, REFUSAL_NOT_IN_COMBAT, "RUN-1");
        return;
    }
    const struct frame *top = frame_top(game);
    if ((game->fight.flags & FIGHT_GAVE_UP) != 0) {
        if (top == NULL || top->kind != FRAME_FLEE || top->seat != command->seat) {
            refuse(why, REFUSAL_WRONG_PHASE, "RUN-4");
        }
        check_run_target(game, box, command, why);
        return;
    }
    if (command->seat != game->fight.main) {
        refuse(why, REFUSAL_WRONG_PHASE, "RUN-4");
    }
    if (strength_players_win(game, box)) {
        refuse(why, REFUSAL_NOT_USABLE, "RUL-79");
    }
    check_run_target(game, box, command, why);
}

static uint16_t sacrificeable(const struct game *game, const struct box *box, unsigned seat)
{
    uint16_t at = pile_first(game, pile_table(seat));
    for (; at != NO_CARD; at = game->cards[at].next) {
        const struct card_def *def = box_def(box, at);
        if (def->kind == KIND_FOLLOWER && (def->flags & DEF_SACRIFICE) != 0 &&
            (game->cards[at].flags & CARD_TURNED) == 0) {
            return at;
        }
    }
    return NO_CARD;
}

/** Whether the seat has made a flight roll already: it is settled with some monster by a roll. */
static bool has_rolled(const struct game *game, unsigned seat)
{
    for (unsigned i = 0; i < game->fight.monster_count; i++) {
        if ((game->fight.monsters[i].caught & seat_bit(seat)) != 0) {
            return true;
        }
    }
    const struct frame *flee = frame_find(game, FRAME_FLEE);
    return flee != NULL && flee->seat == seat && flee->flee.monster != 0 &&
           (game->fight.flags & FIGHT_ROLLED) != 0;
}

void check_sacrifice(const struct game *game, const struct box *box, const struct command *command,
                     struct refusal *why)
{
    unsigned seat = command->seat;
    if (game->fight.on == 0 || !seat_fights(game, seat)) {
        refuse(why, REFUSAL_NOT_IN_COMBAT, "SIDE-3");
        return;
    }
    bool running = (game->fight.flags & FIGHT_GAVE_UP) != 0;
    if (!running && (seat != game->fight.main || strength_players_win(game, box))) {
        refuse(why, seat != game->fight.main ? REFUSAL_WRONG_PHASE : REFUSAL_NOT_USABLE, "SIDE-3");
    }
    if (running && (has_rolled(game, seat) || flee_pending(game, seat) == 0)) {
        refuse(why, REFUSAL_NOT_USABLE, "SIDE-3");
    }
    if (command->n != 0 && (seat != game->fight.main || game->fight.helper == NO_SEAT)) {
        refuse(why, REFUSAL_ILLEGAL_TARGET, "SIDE-3");
    }
    if (fight_bars_sacrifice(game, box)) {
        refuse(why, REFUSAL_NOT_USABLE, "SIDE-3");
    }
    if (sacrificeable(game, box, seat) == NO_CARD) {
        bool comrade = trait_count(game, box, seat, KIND_FOLLOWER) > 0;
        refuse(why, comrade ? REFUSAL_NOT_USABLE : REFUSAL_NOT_IN_PLAY, "HIRE-4");
    }
}

static void check_choose_helper(const struct game *game, const struct command *command,
                                struct refusal *why)
{
    int index = deal_all_answered(game, command->seat);
    if (index < 0) {
        refuse(why, REFUSAL_NOT_YOUR_CHOICE, "HELP-1");
        return;
    }
    if (command->list_count != 1 || command->list[0] >= game->seat_count ||
        (game->deals[index].accepted & seat_bit(command->list[0])) == 0) {
        refuse(why, REFUSAL_BAD_ARGUMENTS, "HELP-1");
    }
}

void check_choose(const struct game *game, const struct box *box, const struct command *command,
                  struct refusal *why)
{
    const struct decision *decision = &game->decision;
    if (decision->open != 1) {
        check_choose_helper(game, command, why);
        return;
    }
    unsigned bit = seat_bit(command->seat);
    if ((decision->seats & bit) == 0 || (decision->answered & bit) != 0) {
        refuse(why, REFUSAL_NOT_YOUR_CHOICE, "CONF-6");
        return;
    }
    unsigned n = command->list_count;
    int value = 0;
    for (unsigned i = 0; i < n; i++) {
        if (!choice_offers(game, box, command->seat, command->list[i])) {
            refuse(why, REFUSAL_BAD_ARGUMENTS, "CONF-6");
            return;
        }
        for (unsigned j = 0; j < i; j++) {
            if (command->list[j] == command->list[i]) {
                refuse(why, REFUSAL_BAD_ARGUMENTS, "CONF-6");
                return;
            }
        }
        value += choice_of_cards(game) ? box_def(box, command->list[i])->gold : 0;
    }
    bool enough = n >= decision->min || (n == 0 && decision->may_pass != 0);
    if (!enough || n > decision->max || (decision->value_min > 0 && value < decision->value_min)) {
        refuse_card(why, REFUSAL_BAD_ARGUMENTS, "CONF-6", NO_CARD, decision->min);
    }
}

void check_show(const struct game *game, const struct box *box, const struct command *command,
                struct refusal *why)
{
    (void)box;
    for (unsigned i = 0; i < command->list_count; i++) {
        if (game->cards[command->list[i]].pile != pile_hand(command->seat)) {
            refuse_card(why, REFUSAL_NOT_IN_HAND, "ZONE-2", command->list[i], 0);
        }
    }
    if (command->list_count == 0 && command->n == 0) {
        refuse(why, REFUSAL_BAD_ARGUMENTS, "ZONE-2");
    }
    if (command->to != ALL_SEATS &&
        (command->to >= game->seat_count || command->to == command->seat)) {
        refuse(why, REFUSAL_ILLEGAL_TARGET, "ZONE-2");
    }
}

void check_elapse(const struct game *game, const struct box *box, const struct command *command,
                  struct refusal *why)
{
    (void)box;
    struct query_clock clock = query_clock(game);
    bool known = command->n == CLOCK_WINDOW || command->n == CLOCK_ANSWER ||
                 command->n == CLOCK_DECISION || command->n == CLOCK_ASK;
    bool ask = command->n == CLOCK_ASK;
    if (!known || (!ask && clock.kind != (unsigned)command->n)) {
        refuse(why, REFUSAL_WRONG_PHASE, "COMBAT-4");
    }
}

static void emit_answer(struct engine *engine, unsigned seat, const uint16_t *values,
                        unsigned count)
{
    struct event event = {.type = EVENT_ANSWER, .seat = (uint8_t)seat, .n = (int)count};
    memcpy(event.u.list, values, count * sizeof values[0]);
    emit(engine, &event);
}

static void pass(struct engine *engine, unsigned seat)
{
    bool moment = engine->game->moment.kind == PAUSE_ANSWER;
    struct event event = {
        .type = EVENT_PASS, .seat = (uint8_t)seat, .m = moment ? PAUSE_ANSWER : PAUSE_WIN};
    emit(engine, &event);
}

static void run(struct engine *engine, const struct command *command)
{
    const struct game *game = engine->game;
    unsigned rolls = rolls_due(game, engine->box, command->seat);
    uint16_t card = command->card;
    for (unsigned i = 0; card == NO_CARD && i < game->fight.monster_count; i++) {
        card = (rolls >> i & 1u) != 0 ? game->fight.monsters[i].card : card;
    }
    if ((game->fight.flags & FIGHT_GAVE_UP) == 0) {
        flee_begin(engine, card);
        return;
    }
    struct frame frame = *frame_top(game);
    frame.flee.card = card;
    frame_set(engine, &frame);
}

static void sacrifice(struct engine *engine, const struct command *command)
{
    const struct game *game = engine->game;
    uint16_t follower = sacrificeable(game, engine->box, command->seat);
    if ((game->fight.flags & FIGHT_GAVE_UP) == 0) {
        flee_begin(engine, NO_CARD);
    }
    emit_discard(engine, follower, command->seat, MOVE_SACRIFICED);
    emit_seat_flag(engine, command->seat, SEAT_FLEW, true);
    if (command->n != 0) {
        emit_seat_flag(engine, game->fight.helper, SEAT_FLEW, true);
    }
}

static void choose_helper(struct engine *engine, const struct command *command)
{
    int index = deal_all_answered(engine->game, command->seat);
    struct deal deal = engine->game->deals[index];
    struct deal none = {.kind = DEAL_NONE};
    struct event event = {.type = EVENT_DEAL, .n = index, .u.deal = none};
    emit(engine, &event);
    for (unsigned i = 0; i < deal.promises_count; i++) {
        emit_know(engine, deal.promises[i], seat_bit(command->list[0]));
    }
    fight_helper_joins(engine, command->list[0], &deal);
}

static void show(struct engine *engine, const struct command *command)
{
    const struct game *game = engine->game;
    unsigned mask = command->to == ALL_SEATS ? 0xFFu : seat_bit(command->to);
    struct event note = {.why = NOTE_SHOWS,
                         .seat = command->seat,
                         .seat2 = command->to,
                         .card = NO_CARD,
                         .card2 = NO_CARD,
                         .n = command->list_count};
    emit_note_full(engine, &note);
    for (unsigned i = 0; i < command->list_count; i++) {
        emit_know(engine, command->list[i], mask);
    }
    if (command->list_count == 0) {
        uint16_t at = pile_first(game, pile_hand(command->seat));
        for (; at != NO_CARD; at = game->cards[at].next) {
            emit_know(engine, at, mask);
        }
    }
}

static void elapse_asks(struct engine *engine)
{
    const struct game *game = engine->game;
    for (unsigned i = 0; i < MB_DEALS_MAX; i++) {
        const struct deal deal = game->deals[i];
        if (deal.kind != DEAL_ASK) {
            continue;
        }
        unsigned others = seats_alive(game) & ~(unsigned)seat_bit(deal.from);
        unsigned asked = deal.to == ALL_SEATS ? others : seat_bit(deal.to);
        deal_note_refused(engine, asked & ~(unsigned)deal.accepted);
        if (deal.to != ALL_SEATS || deal.accepted == 0) {
            deal_close(engine, i, DEAL_END_LAPSED);
        } else {
            deal_take_answer(engine, i, others & ~(unsigned)deal.accepted, false);
        }
    }
}

static void elapse(struct engine *engine, int clock)
{
    const struct game *game = engine->game;
    if (clock == CLOCK_ANSWER) {
        emit_pause(engine, PAUSE_ANSWER, PAUSE_CLOSES, 0, 0);
    } else if (clock == CLOCK_WINDOW) {
        emit_pause(engine, PAUSE_WIN, PAUSE_CLOSES, 0, 0);
        emit_fight_field(engine, FIGHT_FLAGS, game->fight.flags | FIGHT_WON);
    } else if (clock == CLOCK_ASK) {
        elapse_asks(engine);
    } else {
        for (unsigned seat = 0; seat < game->seat_count; seat++) {
            unsigned due = game->decision.seats & ~(unsigned)game->decision.answered;
            if (game->decision.open == 1 && (due & seat_bit(seat)) != 0) {
                uint16_t values[EVENT_LIST_MAX];
                const unsigned count = choice_default(game, engine->box, seat, values);
                emit_answer(engine, seat, values, count);
            }
        }
    }
}

void act_reply(struct engine *engine, const struct command *command)
{
    switch ((enum verb)command->verb) {
    case VERB_PASS:
        pass(engine, command->seat);
        break;
    case VERB_HOLD:
        emit_seat(engine, command->seat, SEAT_FIELD_HOLDS,
                  engine->game->seats[command->seat].holds + 1);
        emit_pause(engine, PAUSE_WIN, PAUSE_HELD, 0, 0);
        emit_note(engine, NOTE_HELD, command->seat, NO_CARD);
        break;
    case VERB_RUN:
        run(engine, command);
        break;
    case VERB_SACRIFICE:
        sacrifice(engine, command);
        break;
    case VERB_CHOOSE:
        if (engine->game->decision.open == 1) {
            emit_answer(engine, command->seat, command->list, command->list_count);
        } else {
            choose_helper(engine, command);
        }
        break;
    case VERB_SHOW:
        show(engine, command);
        break;
    case VERB_ELAPSE:
        elapse(engine, command->n);
        break;
    default:
        break;
    }
}
