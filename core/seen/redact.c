// What a viewer knows: unknown cards become blanks, dealt anew in a fixed order, so that nothing
// about them is left but how many there are and what backs they have.
#include <string.h>

#include "core/game.h"
#include "core/state/game_state.h"
#include "core/state/layout.h"
#include "core/state/pile_list.h"
#include "core/work/deal_book.h"

struct unknown {
    uint16_t cards[2][MB_CARDS_MAX]; /**< by deck, ascending */
    unsigned next[2];
    uint16_t first_treasure;        /**< cards are sorted by deck: what lies below are Doors */
    uint16_t counts[2][PILE_TOTAL]; /**< of each deck's unknown cards by pile */
};

static unsigned deck_of(const struct unknown *unknown, uint16_t card)
{
    return card < unknown->first_treasure ? DECK_DOOR : DECK_TREASURE;
}

static uint16_t find_first_treasure(const struct box *box)
{
    uint16_t low = 0;
    uint16_t high = box->card_count;
    while (low < high) {
        uint16_t middle = (uint16_t)((low + high) / 2);
        if (box_def(box, middle)->deck == DECK_DOOR) {
            low = (uint16_t)(middle + 1);
        } else {
            high = middle;
        }
    }
    return low;
}

// Bits of `knowers` that are all set of a card that the viewer knows: onlookers know what all do.
static unsigned must_know(unsigned viewer)
{
    return viewer < MB_SEATS_MAX ? seat_bit(viewer) : 0xFFu;
}

static bool is_hidden(const struct game *game, unsigned viewer, uint16_t card)
{
    return (~(unsigned)game->cards[card].knowers & must_know(viewer)) != 0 &&
           game->cards[card].pile < PILE_TOTAL;
}

// The same as is_hidden() of every card.
static void collect_unknown(const struct game *game, unsigned viewer, struct unknown *out)
{
    const unsigned must = must_know(viewer);
    const uint16_t ends[] = {out->first_treasure, game->card_count};
    uint16_t card = 0;
    for (unsigned deck = 0; deck < 2; deck++) {
        uint16_t *const cards = out->cards[deck];
        uint16_t *const counts = out->counts[deck];
        unsigned count = 0;
        out->next[deck] = 0;
        memset(counts, 0, sizeof out->counts[deck]);
        for (; card < ends[deck]; card++) {
            const struct card_state *const state = &game->cards[card];
            if ((~(unsigned)state->knowers & must) != 0 && state->pile < PILE_TOTAL) {
                cards[count++] = card;
                counts[state->pile]++;
            }
        }
    }
}

static struct card_state blank_in(unsigned pile)
{
    const uint8_t seat = pile_is_hand(pile) ? (uint8_t)(pile - PILE_HAND) : (uint8_t)NO_SEAT;
    return (struct card_state){
        .next = NO_CARD, .host = NO_CARD, .pile = (uint8_t)pile, .seat = seat, .flags = CARD_BLANK};
}

/** A pile of one deck's cards, none of them known, as decks mostly are: no need to look at them. */
static void rebuild_unknown(unsigned pile, unsigned deck, struct unknown *unknown, struct game *out)
{
    const unsigned count = unknown->counts[deck][pile];
    const uint16_t *const cards = &unknown->cards[deck][unknown->next[deck]];
    struct card_state *const last = &out->cards[cards[count - 1]];
    *last = blank_in(pile);
    for (unsigned i = 0; i + 1 < count; i++) {
        struct card_state *const card = &out->cards[cards[i]];
        *card = *last;
        card->next = cards[i + 1];
    }
    unknown->next[deck] += count;
    out->piles[pile] =
        (struct pile_state){.first = cards[0], .last = cards[count - 1], .count = (uint16_t)count};
}

/** Deals the unknown cards onto the hidden places of a pile, in ascending order. */
static void rebuild_pile(const struct game *game, unsigned viewer, unsigned pile,
                         struct unknown *unknown, struct game *out)
{
    struct pile_state state = {.first = NO_CARD, .last = NO_CARD, .count = 0};
    for (uint16_t at = pile_first(game, pile); at != NO_CARD; at = game->cards[at].next) {
        uint16_t card = at;
        if (is_hidden(game, viewer, at)) {
            unsigned deck = deck_of(unknown, at);
            card = unknown->cards[deck][unknown->next[deck]++];
            out->cards[card] = blank_in(pile);
        } else {
            out->cards[card] = game->cards[card];
        }
        out->cards[card].next = NO_CARD;
        if (state.last == NO_CARD) {
            state.first = card;
        } else {
            out->cards[state.last].next = card;
        }
        state.last = card;
        state.count++;
    }
    out->piles[pile] = state;
}

static uint16_t shown_card(const struct game *game, unsigned viewer, uint16_t card)
{
    return card < game->card_count && is_hidden(game, viewer, card) ? (uint16_t)NO_CARD : card;
}

/** What others have named is sealed until all are in, how much of it too. */
static void redact_answers(unsigned viewer, struct decision *decision)
{
    unsigned own = 0;
    for (unsigned i = 0; i < decision->answer_count; i++) {
        if (decision->answer_seats[i] == viewer) {
            decision->answers[own] = decision->answers[i];
            decision->answer_seats[own++] = decision->answer_seats[i];
        }
    }
    for (unsigned i = own; i < decision->answer_count; i++) {
        decision->answers[i] = 0;
        decision->answer_seats[i] = 0;
    }
    decision->answer_count = (uint8_t)own;
}

static void redact_decision(const struct game *game, unsigned viewer, struct decision *decision)
{
    for (unsigned card = 0; decision->open != 0 && card < game->card_count; card++) {
        if (decision->cards[card >> 3] == 0) {
            card |= 7u; // none of these eight
        } else if (card_set_has(decision->cards, (uint16_t)card) &&
                   is_hidden(game, viewer, (uint16_t)card)) {
            decision->cards[card >> 3] =
                (uint8_t)((unsigned)decision->cards[card >> 3] & ~(1u << (card & 7u)));
        }
    }
    redact_answers(viewer, decision);
    decision->subject = shown_card(game, viewer, decision->subject);
    decision->source = shown_card(game, viewer, decision->source);
}

static void redact_deals(const struct game *game, unsigned viewer, struct game *out)
{
    uint8_t own = viewer < MB_SEATS_MAX ? seat_bit(viewer) : 0;
    for (unsigned i = 0; i < MB_DEALS_MAX; i++) {
        struct deal *deal = &out->deals[i];
        if (deal->kind == DEAL_ASK && deal->to == ALL_SEATS && !deal_answers_in(game, deal)) {
            deal->accepted &= own;
            deal->refused &= own;
        }
        for (unsigned p = 0; p < deal->promises_count; p++) {
            deal->promises[p] = shown_card(game, viewer, deal->promises[p]);
        }
    }
    for (unsigned i = 0; i < out->fight.promise_count; i++) {
        out->fight.promised[i] = shown_card(game, viewer, out->fight.promised[i]);
    }
}

static void redact_frame(const struct game *game, unsigned viewer, struct frame *frame)
{
    const struct layout own = layout_of_frame(frame->kind);
    for (unsigned f = 0; f < own.count; f++) {
        const struct field *const field = &own.fields[f];
        if (field_is_card(field)) {
            const uint16_t card = (uint16_t)field_get(frame, field, 0);
            field_set(frame, field, 0, shown_card(game, viewer, card));
        }
    }
}

void game_redact(const struct game *game, const struct box *box, unsigned viewer, struct game *out)
{
    struct unknown unknown = {.first_treasure = find_first_treasure(box)};
    game_copy(out, game);
    memset(&out->rng, 0, sizeof out->rng);
    memset(out->script_dice, 0, sizeof out->script_dice);
    memset(out->script_picks, 0, sizeof out->script_picks);
    out->script_dice_count = 0;
    out->script_dice_used = 0;
    out->script_pick_count = 0;
    out->script_pick_used = 0;
    collect_unknown(game, viewer, &unknown);
    for (unsigned pile = 0; pile < PILE_TOTAL; pile++) {
        const unsigned doors = unknown.counts[DECK_DOOR][pile];
        const unsigned treasures = unknown.counts[DECK_TREASURE][pile];
        const unsigned all = game->piles[pile].count;
        if (doors + treasures > 0 && (doors == all || treasures == all)) {
            rebuild_unknown(pile, doors == all ? DECK_DOOR : DECK_TREASURE, &unknown, out);
        } else if (doors + treasures > 0) {
            rebuild_pile(game, viewer, pile, &unknown, out);
        }
    }
    for (unsigned i = 0; i < out->frame_count; i++) {
        redact_frame(game, viewer, &out->frames[i]);
    }
    for (unsigned i = 0; i < out->waiting_count; i++) {
        out->waiting[i].card = shown_card(game, viewer, out->waiting[i].card);
    }
    // Who has passed is not told at once, nor that a command was accepted: it may have been a pass.
    // The player who opened or restarted the pause did so before all.
    const unsigned own = viewer < MB_SEATS_MAX ? seat_bit(viewer) : 0;
    out->window.passed &= (uint8_t)(own | out->window.shown);
    out->moment.passed &= (uint8_t)(own | out->moment.shown);
    out->version = 0;
    redact_decision(game, viewer, &out->decision);
    redact_deals(game, viewer, out);
}
