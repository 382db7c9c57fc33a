#include "core/loop/arrange.h"

#include <assert.h>
#include <string.h>

#include "core/loop/engine.h"
#include "core/state/game_state.h"
#include "core/state/pile_list.h"
#include "core/turn/turn.h"
#include "core/work/deal_book.h"

static bool acts_when_drawn(const struct box *box, const struct card_def *def)
{
    const struct row *const rows = box_rows(box, def);
    for (unsigned i = 0; i < def->row_count; i++) {
        if (rows[i].when == WHEN_DRAWN) {
            return true;
        }
    }
    return false;
}

static void put_card(struct game *game, uint16_t card, unsigned pile, bool front)
{
    const bool hand = pile_is_hand(pile);
    const bool table = pile_is_table(pile);
    const bool deck = pile == PILE_DOOR_DECK || pile == PILE_TREASURE_DECK;
    pile_unlink(game, card);
    if (front) {
        pile_push_front(game, pile, card);
    } else {
        pile_push_back(game, pile, card);
    }
    struct card_state *const state = &game->cards[card];
    state->host = NO_CARD;
    state->flags = 0;
    state->seat = NO_SEAT;
    state->knowers = deck ? 0 : 0xFF;
    if (hand) {
        state->seat = (uint8_t)(pile - PILE_HAND);
        state->knowers = seat_bit(state->seat);
    } else if (table) {
        state->seat = (uint8_t)(pile - PILE_TABLE);
    }
}

void arrange_begin(struct game *game, const struct box *box, unsigned seat_count,
                   const uint8_t seed[32])
{
    assert(seat_count >= MB_SEATS_MIN && seat_count <= MB_SEATS_MAX);
    game_reset(game, box, seat_count, seed);
    game->round = 1;
    for (uint16_t card = 0; card < box->card_count; card++) {
        const struct card_def *const def = box_def(box, card);
        if (acts_when_drawn(box, def)) {
            put_card(game, card, def->deck == DECK_DOOR ? PILE_DOOR_DECK : PILE_TREASURE_DECK,
                     false);
        }
    }
}

void arrange_seat(struct game *game, unsigned seat, unsigned level, bool female, bool changed,
                  bool alive)
{
    struct seat_state *const state = &game->seats[seat];
    state->level = (uint8_t)level;
    state->female = female ? 1 : 0;
    state->alive = alive ? 1 : 0;
    state->flags = changed ? SEAT_SEX_CHANGED : 0;
    if (!alive) {
        state->flags |= SEAT_NEEDS_DEAL; // Rules: DEATH-8.
    }
}

void arrange_card(struct game *game, uint16_t card, unsigned pile, unsigned flags, uint16_t host)
{
    const bool discards = pile == PILE_DOOR_DISCARD || pile == PILE_TREASURE_DISCARD;
    put_card(game, card, pile, discards);
    game->cards[card].flags = (uint8_t)flags;
    game->cards[card].host = host;
}

void arrange_top(struct game *game, unsigned deck_pile, const uint16_t *cards, unsigned count)
{
    for (unsigned i = count; i > 0; i--) {
        put_card(game, cards[i - 1], deck_pile, true);
    }
}

void arrange_empty(struct game *game, unsigned deck_pile)
{
    while (game->piles[deck_pile].count > 0) {
        put_card(game, game->piles[deck_pile].first, PILE_ASIDE, false);
    }
}

void arrange_dice(struct game *game, const uint8_t *faces, unsigned count)
{
    assert(count <= sizeof game->script_dice);
    memcpy(game->script_dice, faces, count);
    game->script_dice_count = (uint8_t)count;
}

void arrange_picks(struct game *game, const uint16_t *cards, unsigned count)
{
    assert(count <= sizeof game->script_picks / sizeof game->script_picks[0]);
    memcpy(game->script_picks, cards, count * sizeof cards[0]);
    game->script_pick_count = (uint8_t)count;
}

uint16_t arrange_find(const struct game *game, const struct box *box, uint16_t def)
{
    for (uint16_t card = 0; card < box->card_count; card++) {
        const unsigned pile = game->cards[card].pile;
        const bool deck = pile == PILE_DOOR_DECK || pile == PILE_TREASURE_DECK;
        if (box->card_def[card] == def && deck) {
            return card;
        }
    }
    return NO_CARD;
}

// The frame that a phase begins with.
static bool first_frame(const struct game *game, const struct box *box, unsigned phase,
                        struct frame *frame)
{
    switch (phase) {
    case PHASE_SETUP:
        *frame = (struct frame){.kind = FRAME_SETUP,
                                .step = SETUP_DEAL,
                                .setup = {.dealt = game->seat_count, .first_known = 1}};
        return true;
    case PHASE_START:
        frame->step = box->profile.flag[FLAG_LISTEN] ? TURN_LISTENED : TURN_START;
        return true;
    case PHASE_OPENED:
        frame->step = TURN_OPENED;
        return true;
    case PHASE_CHARITY:
        frame->step = TURN_CHARITY;
        return true;
    default:
        return false;
    }
}

bool arrange_finish(struct game *game, const struct box *box, unsigned turn, unsigned phase,
                    struct event_list *out)
{
    struct engine engine = {.box = box, .game = game, .out = out, .author = NO_SEAT};
    struct frame frame = {.kind = FRAME_TURN, .seat = (uint8_t)turn, .turn = {.card = NO_CARD}};
    if (turn >= game->seat_count || !first_frame(game, box, phase, &frame)) {
        return false;
    }
    game->turn = (uint8_t)turn;
    game->phase = (uint8_t)phase;
    frame_push(&engine, &frame);
    engine_run(&engine);
    return true;
}

static uint16_t swapped_card(uint16_t card, uint16_t a, uint16_t b)
{
    if (card == a) {
        return b;
    }
    return card == b ? a : card;
}

void arrange_swap(struct game *game, uint16_t a, uint16_t b)
{
    for (unsigned i = 0; i < PILE_TOTAL; i++) {
        game->piles[i].first = swapped_card(game->piles[i].first, a, b);
        game->piles[i].last = swapped_card(game->piles[i].last, a, b);
    }
    for (unsigned i = 0; i < game->card_count; i++) {
        game->cards[i].next = swapped_card(game->cards[i].next, a, b);
    }
    const struct card_state state = game->cards[a];
    game->cards[a] = game->cards[b];
    game->cards[b] = state;
}

bool arrange_named(const struct game *game, uint16_t card)
{
    if (card_set_has(game->decision.cards, card) || game->decision.subject == card ||
        game->decision.source == card ||
        cards_include(game->decision.answers, game->decision.answer_count, card) ||
        cards_include(game->fight.promised, game->fight.promise_count, card) ||
        cards_include(game->script_picks, game->script_pick_count, card)) {
        return true;
    }
    for (unsigned i = 0; i < MB_DEALS_MAX; i++) {
        const struct deal *const deal = &game->deals[i];
        if (deal->kind != DEAL_NONE &&
            (cards_include(deal->gives, deal->gives_count, card) ||
             cards_include(deal->wants, deal->wants_count, card) ||
             cards_include(deal->promises, deal->promises_count, card))) {
            return true;
        }
    }
    for (unsigned i = 0; i < game->frame_count; i++) {
        if (frame_mentions(&game->frames[i], card)) {
            return true;
        }
    }
    for (unsigned i = 0; i < MB_LASTING_MAX; i++) {
        if (game->lasting[i].op != LASTING_FREE && game->lasting[i].source == card) {
            return true;
        }
    }
    for (unsigned i = 0; i < game->card_count; i++) {
        if (game->cards[i].host == card) {
            return true;
        }
    }
    return false;
}

void arrange_version(struct game *game, uint32_t version)
{
    game->version = version;
}

void arrange_secretly(struct game *game, unsigned seat)
{
    const unsigned other = (seat + 1u) % game->seat_count;
    game->version++;
    const unsigned secret = seat_bit(other);
    game->window.passed ^=
        (uint8_t)(game->window.kind != PAUSE_NONE ? secret & ~(unsigned)game->window.shown : 0);
    game->moment.passed ^=
        (uint8_t)(game->moment.kind != PAUSE_NONE ? secret & ~(unsigned)game->moment.shown : 0);
    for (unsigned i = 0; i < MB_DEALS_MAX; i++) {
        struct deal *const deal = &game->deals[i];
        const bool to_all = deal->kind == DEAL_ASK && deal->to == ALL_SEATS;
        struct deal answered = *deal;
        answered.accepted |= seat_bit(other);
        if (to_all && !deal_answers_in(game, deal) && !deal_answers_in(game, &answered)) {
            deal->accepted ^= seat_bit(other);
        }
    }
    for (unsigned i = 0; i < game->decision.answer_count; i++) {
        if (game->decision.answer_seats[i] != seat) {
            game->decision.answers[i] ^= 1;
        }
    }
}
