#include "core/state/event.h"

#include <assert.h>
#include <string.h>

#include "core/state/layout.h"
#include "core/state/pile_list.h"

static const char *const NAMES[] = {
#define EVENT(id, name, ...) [EVENT_##id] = #name,
#include "core/state/event.def"
#undef EVENT
};

const char *event_name(unsigned type)
{
    return type < EVENT_TOTAL ? NAMES[type] : "none";
}

static void apply_move(struct game *game, const struct event *event)
{
    struct card_state *card = &game->cards[event->card];
    pile_unlink(game, event->card);
    card->pile = event->to;
    card->host = event->card2;
    card->knowers = event->knowers;
    card->flags = (uint8_t)event->m;
    card->seat = event->seat;
    if (pile_is_hand(event->to)) {
        card->seat = (uint8_t)(event->to - PILE_HAND);
    } else if (pile_is_table(event->to)) {
        card->seat = (uint8_t)(event->to - PILE_TABLE);
    } else if (event->to < PILE_FIGHT) {
        card->seat = NO_SEAT;
    }
    if (event->n != 0) {
        pile_push_front(game, event->to, event->card);
    } else {
        pile_push_back(game, event->to, event->card);
    }
}

static void apply_order(struct game *game, const struct event *event)
{
    for (int i = 0; i < event->n; i++) {
        uint16_t card = event->u.list[i];
        pile_unlink(game, card);
        game->cards[card].pile = event->to;
        game->cards[card].knowers = 0;
        game->cards[card].seat = NO_SEAT;
        game->cards[card].host = NO_CARD;
        game->cards[card].flags = 0;
        pile_push_back(game, event->to, card);
    }
}

static void apply_seat(struct game *game, const struct event *event)
{
    struct seat_state *seat = &game->seats[event->seat];
    uint8_t value = (uint8_t)event->n;
    switch ((enum seat_field)event->why) {
    case SEAT_FIELD_FEMALE:
        seat->female = value;
        break;
    case SEAT_FIELD_ALIVE:
        seat->alive = value;
        break;
    case SEAT_FIELD_FLAGS:
        seat->flags = value;
        break;
    case SEAT_FIELD_HOLDS:
        seat->holds = value;
        break;
    }
}

static void apply_game_field(struct game *game, unsigned field, int32_t n)
{
    switch ((enum game_field)field) {
    case GAME_PHASE:
        game->phase = (uint8_t)n;
        break;
    case GAME_TURN:
        game->turn = (uint8_t)n;
        break;
    case GAME_ROUND:
        game->round = (uint16_t)n;
        break;
    case GAME_BRIBED:
        game->bribed = (uint8_t)n;
        break;
    case GAME_AFTER_FIGHT:
        game->after_fight = (uint8_t)n;
        break;
    case GAME_MET_MONSTER:
        game->met_monster = (uint8_t)n;
        break;
    case GAME_DYING:
        game->dying = (uint8_t)n;
        break;
    case GAME_DOOMED:
        game->doomed = (uint8_t)n;
        break;
    case GAME_LOOTED:
        game->looted = (uint8_t)n;
        break;
    case GAME_CHARITY_OPEN:
        game->charity_open = (uint8_t)n;
        break;
    case GAME_DEAL_NEXT:
        game->deal_next = (uint8_t)n;
        break;
    case GAME_DEATHS_CLEAR:
        game->death_count = 0;
        break;
    case GAME_DICE_USED:
        game->script_dice_used = (uint8_t)n;
        break;
    case GAME_PICKS_USED:
        game->script_pick_used = (uint8_t)n;
        break;
    }
}

static void apply_decide(struct game *game, const struct event *event)
{
    struct decision *decision = &game->decision;
    memset(decision, 0, sizeof *decision);
    game->decision_id++;
    decision->open = 1;
    decision->id = game->decision_id;
    decision->kind = event->u.decide.kind;
    decision->seats = event->u.decide.seats;
    decision->min = event->u.decide.min;
    decision->max = event->u.decide.max;
    decision->own_only = event->u.decide.own_only;
    decision->may_pass = event->u.decide.may_pass;
    decision->subject = event->u.decide.subject;
    decision->source = event->u.decide.source;
    decision->value_min = event->u.decide.value_min;
}

static void apply_options(struct game *game, const struct event *event)
{
    struct decision *decision = &game->decision;
    for (int i = 0; i < event->n; i++) {
        if (event->m != 0) {
            card_set_add(decision->cards, event->u.list[i]);
        } else if (decision->option_count < MB_OPTIONS_MAX) {
            decision->options[decision->option_count++] = event->u.list[i];
        }
    }
}

static void apply_answer(struct game *game, const struct event *event)
{
    struct decision *decision = &game->decision;
    for (int i = 0; i < event->n && decision->answer_count < MB_OPTIONS_MAX; i++) {
        decision->answers[decision->answer_count] = event->u.list[i];
        decision->answer_seats[decision->answer_count] = event->seat;
        decision->answer_count++;
    }
    decision->answered |= seat_bit(event->seat);
    if ((decision->answered & decision->seats) == decision->seats) {
        decision->open = 2;
    }
}

static void apply_pause(struct game *game, const struct event *event)
{
    struct pause *pause = event->m == PAUSE_WIN ? &game->window : &game->moment;
    switch ((enum pause_change)event->n) {
    case PAUSE_OPENS:
        pause->holds = 0;
        pause->kind = (uint8_t)event->m;
        pause->waited = event->mask;
        pause->passed = event->knowers;
        pause->shown = event->seat < MB_SEATS_MAX ? (uint8_t)seat_bit(event->seat) : 0;
        pause->restarts++;
        break;
    case PAUSE_RESTARTS:
        pause->waited = event->mask;
        pause->passed = event->knowers;
        pause->shown = event->seat < MB_SEATS_MAX ? (uint8_t)seat_bit(event->seat) : 0;
        pause->restarts++;
        break;
    case PAUSE_CLOSES:
        pause->kind = PAUSE_NONE;
        pause->waited = 0;
        pause->passed = 0;
        pause->shown = 0;
        break;
    case PAUSE_HELD:
        pause->holds++;
        break;
    }
}

static void apply_fight(struct game *game, const struct event *event)
{
    if (event->n == 0) { // who fought and what was promised is still needed for the rewards
        game->fight.on = 0;
        return;
    }
    memset(&game->fight, 0, sizeof game->fight);
    game->fight.on = 1;
    game->fight.main = event->seat;
    game->fight.helper = NO_SEAT;
}

static void apply_fight_field(struct game *game, unsigned field, int32_t n)
{
    switch ((enum fight_field)field) {
    case FIGHT_FLAGS:
        game->fight.flags = (uint8_t)n;
        break;
    case FIGHT_HELPER_TREASURES:
        game->fight.helper_treasures = (uint8_t)n;
        break;
    case FIGHT_ENTERING:
        game->fight.entering = (uint8_t)n;
        break;
    case FIGHT_REFUSED:
        game->fight.refused = (uint8_t)n;
        break;
    }
}

static void apply_promise(struct game *game, const struct event *event)
{
    game->fight.promise_count = (uint8_t)event->n;
    memcpy(game->fight.promised, event->u.list, sizeof game->fight.promised);
}

static void apply_owed(struct game *game, const struct event *event)
{
    game->fight.owed[event->n] = event->u.owed;
    if (event->n >= game->fight.owed_count) {
        game->fight.owed_count = (uint8_t)(event->n + 1);
    }
}

static void apply_monster(struct game *game, const struct event *event)
{
    game->fight.monsters[event->n] = event->u.monster;
    if (event->n >= game->fight.monster_count) {
        game->fight.monster_count = (uint8_t)(event->n + 1);
    }
}

static void apply_fight_event(struct game *game, const struct event *event)
{
    switch ((enum event_type)event->type) {
    case EVENT_FIGHT:
        apply_fight(game, event);
        break;
    case EVENT_FIGHTER:
        if (event->m != 0) {
            game->fight.helper = event->seat;
        } else {
            game->fight.main = event->seat;
        }
        break;
    case EVENT_MONSTER:
        apply_monster(game, event);
        break;
    case EVENT_OWED:
        apply_owed(game, event);
        break;
    case EVENT_FIGHT_FIELD:
        apply_fight_field(game, event->why, event->n);
        break;
    case EVENT_PROMISE:
        apply_promise(game, event);
        break;
    default:
        break;
    }
}

static void apply_question_event(struct game *game, const struct event *event)
{
    switch ((enum event_type)event->type) {
    case EVENT_DECIDE:
        apply_decide(game, event);
        break;
    case EVENT_OPTIONS:
        apply_options(game, event);
        break;
    case EVENT_ANSWER:
        apply_answer(game, event);
        break;
    case EVENT_DECIDED:
        memset(&game->decision, 0, sizeof game->decision);
        break;
    case EVENT_PAUSE:
        apply_pause(game, event);
        break;
    case EVENT_PASS:
        (event->m == PAUSE_WIN ? &game->window : &game->moment)->passed |= seat_bit(event->seat);
        break;
    case EVENT_DEAL:
        game->deals[event->n] = event->u.deal;
        break;
    case EVENT_DEAL_ANSWERS:
        game->deals[event->n].accepted = event->mask;
        game->deals[event->n].refused = event->knowers;
        break;
    default:
        break;
    }
}

static void set_marks(struct card_state *card, unsigned on, unsigned off)
{
    card->flags = (uint8_t)((card->flags | on) & ~off);
}

static void apply_waiting(struct game *game, const struct event *event)
{
    switch ((enum waiting_change)event->why) {
    case WAITING_NOTED:
        assert(game->waiting_count < MB_WAITING_MAX);
        game->waiting[game->waiting_count++] =
            (struct waiting){.card = event->card, .what = (uint8_t)event->m, .seat = event->seat};
        break;
    case WAITING_DONE:
        game->waiting_next++;
        break;
    case WAITING_ALL_DONE:
        for (unsigned i = 0; i < game->card_count; i++) {
            if (pile_is_table(game->cards[i].pile)) {
                set_marks(&game->cards[i], 0, CARD_THREATENED | CARD_ASKED_ABOUT);
            }
        }
        memset(game->waiting, 0, sizeof game->waiting);
        game->waiting_count = 0;
        game->waiting_next = 0;
        break;
    }
}

/** What the kind does not hold is zero, so that equal states are equal byte for byte. */
static void put_frame(struct frame *at, const struct frame *frame)
{
    const size_t size = layout_frame_size(frame->kind);
    *at = *frame;
    memset((unsigned char *)at + size, 0, sizeof *at - size);
}

static void apply_frame_event(struct game *game, const struct event *event)
{
    switch ((enum event_type)event->type) {
    case EVENT_FRAME_PUSH:
        assert(game->frame_count < MB_FRAMES_MAX);
        put_frame(&game->frames[game->frame_count++], &event->u.frame);
        break;
    case EVENT_FRAME_SET:
        assert(game->frame_count > 0);
        put_frame(&game->frames[game->frame_count - 1], &event->u.frame);
        break;
    case EVENT_FRAME_POP:
        assert(game->frame_count > 0);
        game->frame_count--;
        memset(&game->frames[game->frame_count], 0, sizeof game->frames[0]);
        break;
    default:
        break;
    }
}

static struct card_state *card_of(struct game *game, const struct event *event)
{
    assert(event->card < MB_CARDS_MAX);
    return &game->cards[event->card];
}

static void apply_card_event(struct game *game, const struct event *event)
{
    switch ((enum event_type)event->type) {
    case EVENT_MOVE:
        apply_move(game, event);
        break;
    case EVENT_ORDER:
        apply_order(game, event);
        break;
    case EVENT_FLAGS:
        set_marks(card_of(game, event), (unsigned)event->n, (unsigned)event->m);
        break;
    case EVENT_HOST:
        card_of(game, event)->host = event->card2;
        break;
    case EVENT_KNOW:
        card_of(game, event)->knowers |= event->mask;
        break;
    default:
        break;
    }
}

static void apply_lasting(struct game *game, const struct event *event)
{
    game->lasting[event->n] = event->u.lasting;
    unsigned top = game->lasting_top;
    top = (unsigned)event->n >= top ? (unsigned)event->n + 1u : top;
    while (top > 0 && game->lasting[top - 1].op == LASTING_FREE) {
        top--;
    }
    game->lasting_top = (uint8_t)top;
}

static void apply_death(struct game *game, unsigned seat)
{
    game->seats[seat].alive = 0;
    game->dying |= seat_bit(seat);
    if (game->death_count < MB_SEATS_MAX) {
        game->death_order[game->death_count++] = (uint8_t)seat;
    }
}

void event_apply(struct game *game, const struct event *event)
{
    switch ((enum event_type)event->type) {
    case EVENT_MOVE:
    case EVENT_ORDER:
    case EVENT_FLAGS:
    case EVENT_HOST:
    case EVENT_KNOW:
        apply_card_event(game, event);
        break;
    case EVENT_LEVEL:
        game->seats[event->seat].level = (uint8_t)event->n;
        break;
    case EVENT_SEAT:
        apply_seat(game, event);
        break;
    case EVENT_GAME:
        apply_game_field(game, event->why, event->n);
        break;
    case EVENT_CHANCE:
        game->rng.position = (uint64_t)(uint32_t)event->n;
        break;
    case EVENT_FRAME_PUSH:
    case EVENT_FRAME_SET:
    case EVENT_FRAME_POP:
        apply_frame_event(game, event);
        break;
    case EVENT_DECIDE:
    case EVENT_OPTIONS:
    case EVENT_ANSWER:
    case EVENT_DECIDED:
    case EVENT_PAUSE:
    case EVENT_PASS:
    case EVENT_DEAL:
    case EVENT_DEAL_ANSWERS:
        apply_question_event(game, event);
        break;
    case EVENT_LASTING:
        apply_lasting(game, event);
        break;
    case EVENT_FIGHT:
    case EVENT_FIGHTER:
    case EVENT_MONSTER:
    case EVENT_OWED:
    case EVENT_FIGHT_FIELD:
    case EVENT_PROMISE:
        apply_fight_event(game, event);
        break;
    case EVENT_WAITING:
        apply_waiting(game, event);
        break;
    case EVENT_VERSION:
        game->version = (uint32_t)event->n;
        break;
    case EVENT_WON:
        game->winners = event->mask;
        game->phase = PHASE_OVER;
        break;
    case EVENT_DEATH:
        apply_death(game, event->seat);
        break;
    case EVENT_NOTE:
    case EVENT_ROLL:
    case EVENT_SHUFFLE:
    case EVENT_TOTAL:
        break;
    }
}
