#include "bot/tools/balance.h"

#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"
#include "core/game.h"
#include "core/loop/query.h"

void balance_init(struct balance *balance, const struct box *box, unsigned players,
                  unsigned long games)
{
    memset(balance, 0, sizeof *balance);
    balance->box = box;
    balance->players = players;
    balance->rounds_capacity = games;
    balance->rounds = mb_new(games + 1, sizeof *balance->rounds);
    balance->cards = mb_new(box->def_count + 1u, sizeof *balance->cards);
    usage_init(&balance->usage, box);
    pairs_init(&balance->pairs, box);
    moments_init(&balance->moments, box, players);
}

void balance_finish(struct balance *balance)
{
    free(balance->rounds);
    free(balance->cards);
    usage_finish(&balance->usage);
    pairs_finish(&balance->pairs);
    moments_finish(&balance->moments);
    balance->rounds = NULL;
    balance->cards = NULL;
}

void balance_begin(struct balance *balance)
{
    balance->first_seat = NO_SEAT;
    for (unsigned seat = 0; seat < MB_SEATS_MAX; seat++) {
        balance->killer[seat] = NO_CARD;
    }
    for (unsigned def = 0; def < balance->box->def_count; def++) {
        balance->cards[def].seats = 0;
        balance->cards[def].kicked = 0;
    }
    usage_begin(&balance->usage);
    bargains_begin(&balance->bargains);
    pairs_begin(&balance->pairs);
    moments_begin(&balance->moments);
    balance->finals.on = false;
}

static void count_note(struct balance *balance, const struct event *event)
{
    switch (event->why) {
    case NOTE_TURN_BEGINS:
        if (balance->first_seat == NO_SEAT) {
            balance->first_seat = event->seat;
        }
        return;
    case NOTE_BAD_STUFF:
        balance->killer[event->seat] = event->card;
        return;
    case NOTE_FIGHT_WON:
        balance->fights_alone += event->seat2 == NO_SEAT;
        balance->fights_helped += event->seat2 != NO_SEAT;
        return;
    case NOTE_GIVES_UP:
        balance->fights_fled++;
        return;
    default:
        return;
    }
}

static void count_level(struct balance *balance, const struct event *event)
{
    const int32_t change = event->n - event->m;
    if (event->why >= BALANCE_REASONS || change == 0) {
        return;
    }
    if (change > 0) {
        balance->gained[event->why] += (unsigned long)change;
    } else {
        balance->lost[event->why] += (unsigned long)-change;
    }
}

static void count_death(struct balance *balance, const struct event *event)
{
    balance->deaths++;
    const uint16_t killer = balance->killer[event->seat];
    if (killer != NO_CARD) {
        balance->cards[balance->box->card_def[killer]].deaths++;
    }
}

static void count_move(struct balance *balance, const struct event *event)
{
    if (event->seat >= balance->players || event->card >= balance->box->card_count) {
        return;
    }
    struct balance_card *const card = &balance->cards[balance->box->card_def[event->card]];
    if (moments_puts(balance->box, event)) {
        card->seats |= (uint8_t)seat_bit(event->seat);
    }
    if (event->why == MOVE_KICKED) {
        card->kicked |= (uint8_t)seat_bit(event->seat);
    }
}

static void count_event(struct balance *balance, const struct event *event)
{
    switch (event->type) {
    case EVENT_NOTE:
        count_note(balance, event);
        return;
    case EVENT_MOVE:
        count_move(balance, event);
        usage_move(&balance->usage, event);
        return;
    case EVENT_LEVEL:
        count_level(balance, event);
        return;
    case EVENT_DEATH:
        count_death(balance, event);
        return;
    default:
        return;
    }
}

void balance_events(struct balance *balance, const struct event_list *events)
{
    for (uint32_t i = 0; i < events->count; i++) {
        count_event(balance, &events->items[i]);
        bargains_event(&balance->bargains, &events->items[i]);
    }
}

void balance_offers(struct balance *balance, const struct move_list *moves, unsigned fighters)
{
    usage_offers(&balance->usage, moves, fighters);
}

void balance_command(struct balance *balance, const struct command *command)
{
    usage_command(&balance->usage, command);
}

void balance_step(struct balance *balance, const struct simulate_step *step)
{
    finals_step(&balance->finals, balance->box, step);
    pairs_step(&balance->pairs, step);
    moments_step(&balance->moments, step);
}

static void count_seat(struct balance *balance, const struct game *game, unsigned seat, bool won)
{
    if (!won) {
        const unsigned level = query_level(game, seat);
        balance->losers_by_level[level < BALANCE_LEVELS ? level : BALANCE_LEVELS - 1]++;
        return;
    }
    balance->wins++;
    balance->wins_by_seat[seat]++;
    if (balance->first_seat != NO_SEAT) {
        const unsigned order = (seat + balance->players - balance->first_seat) % balance->players;
        balance->wins_by_order[order]++;
    }
}

static bool one_seat(unsigned seats)
{
    return seats != 0 && (seats & (seats - 1u)) == 0;
}

static void count_card(struct balance *balance, unsigned def, unsigned winners)
{
    struct balance_card *const card = &balance->cards[def];
    if (one_seat(card->kicked)) {
        card->faced++;
        card->beat += (card->kicked & winners) != 0;
    }
    if (!one_seat(card->seats)) {
        return;
    }
    const bool won = (card->seats & winners) != 0;
    card->games++;
    card->wins += won;
    for (unsigned seat = 0; seat < balance->players; seat++) {
        if (card->seats == seat_bit(seat)) {
            moments_count(&balance->moments, def, seat, won);
        }
    }
}

void balance_end(struct balance *balance, const struct game *game)
{
    const unsigned winners = query_winners(game);
    if (balance->games == balance->rounds_capacity) {
        return; // more than were announced
    }
    usage_end(&balance->usage);
    pairs_end(&balance->pairs);
    balance->rounds[balance->games++] = query_round(game);
    balance->joint += (winners & (winners - 1u)) != 0;
    for (unsigned seat = 0; seat < balance->players; seat++) {
        count_seat(balance, game, seat, (winners & seat_bit(seat)) != 0);
    }
    for (unsigned def = 0; def < balance->box->def_count; def++) {
        count_card(balance, def, winners);
    }
}

static int compare_rounds(const void *a, const void *b)
{
    const uint32_t left = *(const uint32_t *)a;
    const uint32_t right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

uint32_t balance_rounds(struct balance *balance, unsigned percent)
{
    if (balance->games == 0) {
        return 0;
    }
    qsort(balance->rounds, balance->games, sizeof *balance->rounds, compare_rounds);
    const size_t at = (balance->games * percent + 99) / 100;
    return balance->rounds[at > 0 ? at - 1 : 0];
}

unsigned balance_share(unsigned long part, unsigned long of)
{
    return of > 0 ? (unsigned)((part * 2000 + of) / (2 * of)) : 0;
}
