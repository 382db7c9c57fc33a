#include "bot/tools/usage.h"

#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"
#include "core/state/pile.h"

struct usage_stay {
    uint8_t seat; // NO_SEAT: with nobody
    bool could, used;
};

void usage_init(struct usage *usage, const struct box *box)
{
    *usage = (struct usage){.box = box};
    usage->cards = mb_new(box->def_count + 1u, sizeof *usage->cards);
    usage->stays = mb_new(box->card_count + 1u, sizeof *usage->stays);
    usage_begin(usage);
}

void usage_finish(struct usage *usage)
{
    free(usage->cards);
    free(usage->stays);
    *usage = (struct usage){0};
}

void usage_begin(struct usage *usage)
{
    for (unsigned card = 0; card < usage->box->card_count; card++) {
        usage->stays[card] = (struct usage_stay){.seat = NO_SEAT};
    }
}

static void mark(struct usage *usage, uint16_t card, bool used)
{
    if (card < usage->box->card_count) {
        usage->stays[card].could = true;
        usage->stays[card].used = usage->stays[card].used || used;
    }
}

static void mark_command(struct usage *usage, const struct command *command, bool used)
{
    switch (command->verb) {
    case VERB_PLAY:
        for (unsigned i = 0; i < command->list_count; i++) { // with
            mark(usage, command->list[i], used);
        }
        mark(usage, command->card, used);
        return;
    case VERB_FIGHT:
    case VERB_EQUIP:
    case VERB_USE:
    case VERB_HAND_OVER:
    case VERB_SACRIFICE:
        mark(usage, command->card, used);
        return;
    default:
        return;
    }
}

static bool helps_opponents(const struct usage *usage, const struct command *command,
                            unsigned fighters)
{
    const struct box *const box = usage->box;
    if (command->verb != VERB_PLAY || command->card >= box->card_count ||
        (fighters & seat_bit(command->seat)) != 0) {
        return false;
    }
    const struct card_def *const def = &box->defs[box->card_def[command->card]];
    return def->kind == KIND_ONESHOT && def->sides == 1u; // of enum fight_side, as bits
}

void usage_offers(struct usage *usage, const struct move_list *moves, unsigned fighters)
{
    for (uint32_t i = 0; i < moves->count; i++) {
        const struct move *const move = &moves->items[i];
        if (helps_opponents(usage, &move->command, fighters)) {
            continue;
        }
        mark_command(usage, &move->command, false);
        for (unsigned c = 0; move->command.verb == VERB_PLAY && c < move->candidate_count; c++) {
            mark(usage, move->candidates[c], false);
        }
    }
}

void usage_command(struct usage *usage, const struct command *command)
{
    mark_command(usage, command, true);
}

// A stay is over.
static void close_stay(struct usage *usage, uint16_t card, unsigned why)
{
    struct usage_stay *const stay = &usage->stays[card];
    const uint16_t def = usage->box->card_def[card];
    struct usage_card *const sum = &usage->cards[def];
    if (stay->seat != NO_SEAT) {
        const bool paid = why == MOVE_PAID;
        const bool used = stay->used || (paid && usage->box->defs[def].kind == KIND_MONSTER);
        sum->held++;
        sum->could += stay->could || used;
        sum->used += used;
        sum->paid += paid;
        sum->sold += why == MOVE_SOLD;
        sum->given += why == MOVE_GIVEN || why == MOVE_TRADED || why == MOVE_PROMISED;
        sum->dropped += why == MOVE_DISCARDED || why == MOVE_CHARITY;
    }
    *stay = (struct usage_stay){.seat = NO_SEAT};
}

void usage_move(struct usage *usage, const struct event *event)
{
    const unsigned to = event->to;
    uint8_t seat = NO_SEAT;
    for (unsigned s = 0; s < MB_SEATS_MAX; s++) {
        seat = to == pile_hand(s) || to == pile_table(s) ? (uint8_t)s : seat;
    }
    if (event->card >= usage->box->card_count || usage->stays[event->card].seat == seat) {
        return;
    }
    close_stay(usage, event->card, event->why);
    usage->stays[event->card].seat = seat;
}

void usage_end(struct usage *usage)
{
    for (unsigned card = 0; card < usage->box->card_count; card++) {
        close_stay(usage, (uint16_t)card, MOVE_SILENT);
    }
}
