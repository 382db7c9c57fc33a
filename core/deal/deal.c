#include "core/deal/deal.h"

#include <string.h>

#include "core/cards/play.h"
#include "core/fight/fight.h"
#include "core/numbers/trait.h"
#include "core/work/deal_book.h"
#include "core/work/harm.h"

static void fill_deal(const struct command *command, struct deal *deal)
{
    deal->from = command->seat;
    deal->to = command->to;
    deal->treasures = (uint8_t)command->n;
    deal->picking = command->picking;
    deal->about = command->about;
    deal->gives_count = command->list_count;
    memcpy(deal->gives, command->list, command->list_count * sizeof deal->gives[0]);
    uint16_t *second = command->verb == VERB_ASK ? deal->promises : deal->wants;
    memcpy(second, command->more, command->more_count * sizeof second[0]);
    if (command->verb == VERB_ASK) {
        deal->promises_count = command->more_count;
    } else {
        deal->wants_count = command->more_count;
    }
}

static unsigned deal_kind_of(const struct command *command)
{
    switch ((enum verb)command->verb) {
    case VERB_ASK:
        return DEAL_ASK;
    case VERB_VOLUNTEER:
        return DEAL_VOLUNTEER;
    case VERB_GIVE:
        return DEAL_GIFT;
    default:
        return command->bribe != 0 ? DEAL_BRIBE : DEAL_TRADE;
    }
}

void act_deal(struct engine *engine, const struct command *command)
{
    const struct game *game = engine->game;
    struct deal deal = {.kind = (uint8_t)deal_kind_of(command)};
    fill_deal(command, &deal);
    if (deal.kind == DEAL_VOLUNTEER) {
        deal.to = game->fight.main;
    }
    if (deal.kind == DEAL_ASK || deal.kind == DEAL_VOLUNTEER) { // a new one replaces the old one
        for (unsigned i = 0; i < MB_DEALS_MAX; i++) {
            if (game->deals[i].kind == deal.kind && game->deals[i].from == deal.from) {
                deal_close(engine, i, -1);
            }
        }
    }
    if (deal.kind == DEAL_ASK && deal_forces_help(game, engine->box, deal.from, deal.to)) {
        emit_fight_field(engine, FIGHT_FLAGS, game->fight.flags | FIGHT_FORCED_HELP);
        fight_helper_joins(engine, deal.to, &deal);
        return;
    }
    deal.id = (uint8_t)(game->deal_next + 1u);
    emit_game(engine, GAME_DEAL_NEXT, deal.id % 99);
    for (unsigned i = 0; i < deal.promises_count && deal.to < MB_SEATS_MAX; i++) {
        emit_know(engine, deal.promises[i], seat_bit(deal.to)); // shown to the one asked only
    }
    unsigned slot = deal_slot_for(game, deal.from, deal.kind);
    if (game->deals[slot].kind != DEAL_NONE) {
        deal_close(engine, slot, DEAL_END_LAPSED);
    }
    deal_set(engine, slot, &deal);
    struct event note = {.why = NOTE_DEAL_OPEN,
                         .seat = deal.from,
                         .seat2 = deal.to,
                         .card = NO_CARD,
                         .card2 = NO_CARD,
                         .n = deal.id,
                         .m = deal.kind};
    emit_note_full(engine, &note);
}

static void pass_items(struct engine *engine, const uint16_t *cards, unsigned count, unsigned to,
                       unsigned from, enum move_why why)
{
    for (unsigned i = 0; i < count; i++) {
        card_to_table(engine, cards[i], to, why, from);
    }
}

/** A bribed player's earlier yes to an open "ask all" no longer stands (RUL-154). */
static void take_yes_back(struct engine *engine, unsigned seat)
{
    for (unsigned i = 0; i < MB_DEALS_MAX; i++) {
        const struct deal *deal = &engine->game->deals[i];
        if (deal->kind == DEAL_ASK && (deal->accepted & seat_bit(seat)) != 0) {
            deal_take_answer(engine, i, seat_bit(seat), false);
        }
    }
}

static void note_made(struct engine *engine, const struct deal *deal, unsigned seat)
{
    struct event note = {.why = NOTE_DEAL_MADE,
                         .seat = (uint8_t)seat,
                         .seat2 = deal->from,
                         .card = NO_CARD,
                         .card2 = NO_CARD,
                         .n = deal->id,
                         .m = deal->kind};
    emit_note_full(engine, &note);
}

void act_accept(struct engine *engine, const struct command *command)
{
    struct refusal why = {.code = REFUSAL_NONE};
    int index = deal_find(engine->game, command, false, &why);
    struct deal deal = engine->game->deals[index];
    unsigned seat = command->seat;
    if (deal.to == ALL_SEATS) { // "ask all": the asker picks among those who accept
        deal_take_answer(engine, (unsigned)index, seat_bit(seat), true);
        return;
    }
    note_made(engine, &deal, seat);
    deal_close(engine, (unsigned)index, -1);
    switch ((enum deal_kind)deal.kind) {
    case DEAL_ASK:
        fight_helper_joins(engine, seat, &deal);
        break;
    case DEAL_VOLUNTEER:
        fight_helper_joins(engine, deal.from, &deal);
        break;
    case DEAL_GIFT:
        pass_items(engine, deal.gives, deal.gives_count, seat, deal.from, MOVE_GIVEN);
        break;
    case DEAL_TRADE:
        pass_items(engine, deal.gives, deal.gives_count, seat, deal.from, MOVE_TRADED);
        pass_items(engine, deal.wants, deal.wants_count, deal.from, seat, MOVE_TRADED);
        break;
    case DEAL_BRIBE:
        pass_items(engine, deal.gives, deal.gives_count, seat, deal.from, MOVE_GIVEN);
        emit_game(engine, GAME_BRIBED, engine->game->bribed | seat_bit(seat));
        take_yes_back(engine, seat);
        break;
    case DEAL_NONE:
        break;
    }
}

void act_refuse(struct engine *engine, const struct command *command)
{
    struct refusal why = {.code = REFUSAL_NONE};
    bool own = command->verb == VERB_WITHDRAW;
    int index = deal_find(engine->game, command, own, &why);
    struct deal deal = engine->game->deals[index];
    if (!own && deal.to == ALL_SEATS) {
        deal_take_answer(engine, (unsigned)index, seat_bit(command->seat), false);
        return;
    }
    if (!own && (deal.kind == DEAL_ASK || deal.kind == DEAL_VOLUNTEER)) {
        deal_note_refused(engine, seat_bit(deal.kind == DEAL_ASK ? command->seat : deal.from));
    }
    deal_close(engine, (unsigned)index, own ? DEAL_END_WITHDRAWN : DEAL_END_REFUSED);
}

/** Plays a promised hand card on the helper if that is legal now (RUL-152). */
static bool keep_card(struct engine *engine, uint16_t card, unsigned from, unsigned to)
{
    struct command command = {.verb = VERB_PLAY,
                              .seat = (uint8_t)from,
                              .card = card,
                              .target_kind = TARGET_SEAT,
                              .target = (uint16_t)to,
                              .to = NO_SEAT,
                              .about = NO_SEAT};
    struct refusal why = {.code = REFUSAL_NONE};
    check_play(engine->game, engine->box, &command, &why);
    if (why.code != REFUSAL_NONE) {
        return false;
    }
    act_play(engine, &command);
    return true;
}

void deal_keep_promises(struct engine *engine, unsigned from, unsigned to)
{
    const struct game *game = engine->game;
    for (unsigned i = 0; i < game->fight.promise_count; i++) {
        uint16_t card = game->fight.promised[i];
        if (card == NO_CARD) { // promised to another: a redacted state does not know what
            continue;
        }
        bool kept = false;
        if (game->cards[card].pile == pile_table(from)) {
            kept = deal_may_carry(game, engine->box, to, card);
            if (kept) {
                card_to_table(engine, card, to, MOVE_PROMISED, from);
            }
        } else if (game->cards[card].pile == pile_hand(from)) {
            kept = keep_card(engine, card, from, to);
        }
        if (!kept) {
            struct event note = {.why = NOTE_PROMISE_LAPSES,
                                 .seat = (uint8_t)from,
                                 .seat2 = (uint8_t)to,
                                 .card = pile_is_hand(game->cards[card].pile) ? NO_CARD : card,
                                 .card2 = NO_CARD};
            emit_note_full(engine, &note);
        }
    }
    struct event none = {.type = EVENT_PROMISE};
    emit(engine, &none);
}
