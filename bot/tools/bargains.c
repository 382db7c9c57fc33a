#include "bot/tools/bargains.h"

#include <string.h>

#include "core/state/stage.h"

void bargains_begin(struct bargains *bargains)
{
    memset(bargains->open, 0, sizeof bargains->open);
}

// An ask and an offer of the same help: whichever came second answers the other one.
static void note_counter(struct bargains *bargains, struct bargain *second)
{
    const unsigned kind = second->deal.kind == DEAL_ASK ? DEAL_VOLUNTEER : DEAL_ASK;
    for (unsigned i = 0; i < MB_DEALS_MAX; i++) {
        struct bargain *const first = &bargains->open[i];
        if (first->deal.kind == kind && first->deal.to == second->deal.from &&
            first->deal.from == second->deal.to) {
            first->countered = true;
            second->counters = true;
        }
    }
}

static void open_bargain(struct bargains *bargains, struct bargain *at, const struct deal *deal)
{
    *at = (struct bargain){.deal = *deal};
    bargains->bribes += deal->kind == DEAL_BRIBE;
    if (deal->kind == DEAL_ASK || deal->kind == DEAL_VOLUNTEER) {
        note_counter(bargains, at);
    }
    bargains->volunteered += deal->kind == DEAL_VOLUNTEER && !at->counters;
}

static void close_bargain(struct bargains *bargains, struct bargain *at)
{
    const unsigned kind = at->deal.kind;
    const unsigned price = at->deal.treasures;
    if (kind == DEAL_ASK && at->deal.to < MB_SEATS_MAX && !at->counters) {
        bargains->asked += at->made || at->refused || at->countered;
        bargains->haggled += at->countered;
        bargains->declined += at->refused && !at->countered;
    }
    bargains->hired += kind == DEAL_VOLUNTEER && at->made && !at->counters;
    bargains->bribed += kind == DEAL_BRIBE && at->made;
    if (at->made && (kind == DEAL_ASK || kind == DEAL_VOLUNTEER)) {
        bargains->price[price < BARGAINS_PRICES ? price : BARGAINS_PRICES - 1]++;
    }
    *at = (struct bargain){.made = false};
}

static void note_end(struct bargains *bargains, const struct event *note)
{
    for (unsigned i = 0; i < MB_DEALS_MAX; i++) {
        struct bargain *const at = &bargains->open[i];
        if (at->deal.kind != DEAL_NONE && at->deal.id == note->n) {
            at->made = at->made || note->why == NOTE_DEAL_MADE;
            at->refused = at->refused || (note->why == NOTE_DEAL_OFF && note->m == 0);
        }
    }
}

void bargains_event(struct bargains *bargains, const struct event *event)
{
    if (event->type == EVENT_NOTE &&
        (event->why == NOTE_DEAL_MADE || event->why == NOTE_DEAL_OFF)) {
        note_end(bargains, event);
    } else if (event->type == EVENT_DEAL) {
        struct bargain *const at = &bargains->open[event->n];
        if (event->u.deal.kind == DEAL_NONE) {
            close_bargain(bargains, at);
        } else {
            open_bargain(bargains, at, &event->u.deal);
        }
    }
}
