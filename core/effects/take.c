// Cards that change hands.
#include <string.h>

#include "core/change/choice.h"
#include "core/effects/ops.h"
#include "core/state/pile_list.h"
#include "core/work/draw.h"
#include "core/work/harm.h"
#include "core/work/target.h"
#include "core/work/trigger.h"
#include "core/work/would.h"

enum op_result op_draw(struct engine *engine, struct frame *frame, const struct row *row)
{
    if (frame->step == OP_BEGINS) {
        frame->program.amount = program_amount(engine, frame, row);
        frame->step = OP_SERVES;
    }
    unsigned seat = program_next_seat(engine->game, frame, row);
    frame_set(engine, frame);
    if (seat == NO_SEAT) {
        return frame->program.amount > 0 ? OP_DONE : OP_NOTHING;
    }
    if (frame->program.amount > 0 && engine->game->seats[seat].alive != 0) {
        draw_begin(engine, seat, (enum card_deck)row->a, frame->program.amount,
                   (row->flags & ROW_FACE_UP) != 0 ? DRAW_TO_HAND_FACE_UP : DRAW_TO_HAND);
    }
    return OP_AGAIN;
}

/** Draws n more with the facing of the draw this card came in (RUL-40). */
enum op_result op_draw_here(struct engine *engine, struct frame *frame, const struct row *row)
{
    if (frame->step == OP_PUSHED) {
        return OP_DONE;
    }
    const struct frame *draw = frame_find(engine->game, FRAME_DRAW);
    int to = draw != NULL ? draw->draw.to : DRAW_TO_HAND;
    int n = program_amount(engine, frame, row);
    frame->step = OP_PUSHED;
    frame_set(engine, frame);
    unsigned deck = box_def(engine->box, frame->program.card)->deck;
    draw_begin(engine, frame->seat, (enum card_deck)deck, n, (enum draw_to)to);
    return OP_AGAIN;
}

/** `to`: 0 table, 1 hand, 2 where it came from. */
static void hand_over(struct engine *engine, uint16_t card, unsigned to_seat, unsigned from_seat,
                      int to)
{
    bool from_hand = pile_is_hand(engine->game->cards[card].pile);
    bool is_item = kind_is_item(box_def(engine->box, card)->kind);
    if (to == 1 || (to == 2 && from_hand) || !is_item) {
        card_to_hand(engine, card, to_seat, MOVE_STOLEN, from_seat);
    } else {
        card_to_table(engine, card, to_seat, MOVE_STOLEN, from_seat);
    }
}

/** Hands the card over; what harm takes of what lies before self is lost to it (card_lost). */
static void part_with(struct engine *engine, const struct frame *frame, uint16_t card,
                      unsigned from, unsigned taker, int to)
{
    if (op_is_harm(frame) && pile_is_table(engine->game->cards[card].pile)) {
        trigger_happens(engine, from, WHEN_CARD_LOST, card);
    }
    hand_over(engine, card, taker, from, to);
}

/** Something may save the card before the taker has it: true when its owner is asked first. */
static bool announce_taking(struct engine *engine, struct frame *frame, uint16_t card,
                            unsigned taker)
{
    if (!op_is_harm(frame) || !pile_is_table(engine->game->cards[card].pile) ||
        !would_possible(engine->game, engine->box, frame->seat, WHEN_WOULD_LOSE_CARD, card)) {
        return false;
    }
    frame->program.with = card;
    frame->program.served = (uint8_t)taker;
    frame->step = OP_ANNOUNCED;
    frame->result = 0;
    frame_set(engine, frame);
    would_begin(engine, frame->seat, WHEN_WOULD_LOSE_CARD, card);
    return true;
}

/** What was announced goes, if nothing saved it. */
static void announced_goes(struct engine *engine, struct frame *frame, int to)
{
    const uint16_t card = frame->program.with;
    frame->program.with = NO_CARD;
    frame->step = OP_SERVES;
    if (frame->result == 0 && engine->game->cards[card].pile == pile_table(frame->seat)) {
        part_with(engine, frame, card, frame->seat, frame->program.served, to);
    }
}

static unsigned collect_takeable(struct engine *engine, const struct row *row, unsigned from,
                                 uint16_t *cards)
{
    unsigned count =
        filter_collect(engine->game, engine->box, from, row->filter, cards, MB_CARDS_MAX);
    unsigned left = 0;
    for (unsigned i = 0; i < count; i++) {
        uint16_t by = NO_CARD;
        unsigned kind = box_def(engine->box, cards[i])->kind;
        bool hand = pile_is_hand(engine->game->cards[cards[i]].pile);
        bool shielded =
            row->op == EFFECT_ROB && target_shielded(engine->game, engine->box, cards[i], &by);
        if (!shielded && card_immune(engine->game, engine->box, cards[i], &by) == IMMUNE_NOT &&
            (hand || (kind != KIND_CURSE && !kind_is_identity(kind)))) {
            cards[left++] = cards[i];
        }
    }
    return left;
}

/** A blind pick: only the back of a hand card is seen. */
static bool is_blind_pick(const struct box *box, const struct row *row)
{
    return row->chooser == CHOOSE_RANDOM ||
           (row->filter != 0 && box->filters[row->filter - 1u].place == PLACE_HAND &&
            box->filters[row->filter - 1u].or_else == 0 && row->chooser != CHOOSE_VICTIM);
}

/** Whether a taker who may choose could take from the hand as well as from the table (W19). */
static bool either_place(const struct engine *engine, const struct row *row, const uint16_t *cards,
                         unsigned count)
{
    unsigned hand = 0;
    for (unsigned i = 0; i < count; i++) {
        hand += pile_is_hand(engine->game->cards[cards[i]].pile);
    }
    bool named = row->filter != 0 && engine->box->filters[row->filter - 1u].or_else != 0;
    return row->chooser == CHOOSE_TAKER && named && hand > 0 && hand < count;
}

/** One taker of one who gives; returns false when a question was asked. */
static bool take_one(struct engine *engine, struct frame *frame, const struct row *row,
                     unsigned from, unsigned taker)
{
    uint16_t cards[MB_CARDS_MAX];
    unsigned count = collect_takeable(engine, row, from, cards);
    const bool unseen = is_blind_pick(engine->box, row); // then of the hand alone
    if (count == 0 || (unseen && pile_count(engine->game, pile_hand(from)) == 0)) {
        return true;
    }
    frame->program.did |= DID_THIS;
    if (unseen) {
        hand_over(engine, card_random(engine, from), taker, from, row->a);
        return true;
    }
    unsigned place = frame->step == OP_ASKED_SECOND ? choice_first(engine->game) : 2;
    if (frame->step == OP_ASKED_SECOND) {
        choice_close(engine);
        frame->step = OP_SERVES;
    }
    if (place == 2 && either_place(engine, row, cards, count)) { // the taker chooses: hand or table
        frame->step = OP_ASKED_SECOND;
        frame->program.served = (uint8_t)taker;
        frame_set(engine, frame);
        choice_yes_no(engine, taker, frame->program.card, frame->program.card);
        return false;
    }
    if (place == 1) {
        hand_over(engine, card_random(engine, from), taker, from, row->a);
        return true;
    }
    if (row->chooser != CHOOSE_VICTIM) { // hand cards are not seen: those on the table are offered
        unsigned seen = 0;
        for (unsigned i = 0; i < count; i++) {
            if (pile_is_table(engine->game->cards[cards[i]].pile)) {
                cards[seen++] = cards[i];
            }
        }
        if (seen == 0) {
            hand_over(engine, card_random(engine, from), taker, from, row->a);
            return true;
        }
        count = seen;
    }
    if (count == 1) { // Rules: the last thing left is taken without being asked (RUL-165).
        if (announce_taking(engine, frame, cards[0], taker)) {
            return false;
        }
        part_with(engine, frame, cards[0], from, taker, row->a);
        return true;
    }
    unsigned chooser = row->chooser == CHOOSE_VICTIM ? from : taker;
    struct question question = choice_question(DECIDE_CHOOSE_CARD, chooser, 1, frame->program.card);
    frame->step = OP_ASKED;
    frame->program.served = (uint8_t)taker;
    frame_set(engine, frame);
    choice_cards(engine, &question, cards, count);
    return false;
}

/** `who` take n cards each from self, in turn order beginning on the left (RUL-165). */
enum op_result op_take(struct engine *engine, struct frame *frame, const struct row *row)
{
    const struct game *game = engine->game;
    if (frame->step == OP_BEGINS) {
        frame->program.amount = program_amount(engine, frame, row);
        frame->step = OP_SERVES;
    }
    unsigned taker = NO_SEAT;
    if (frame->step == OP_ASKED) {
        uint16_t card = choice_first(game);
        choice_close(engine);
        taker = frame->program.served;
        if (announce_taking(engine, frame, card, taker)) {
            return OP_AGAIN;
        }
        part_with(engine, frame, card, frame->seat, taker, row->a);
        frame->step = OP_SERVES;
        frame->program.left--;
    } else if (frame->step == OP_ANNOUNCED) {
        taker = frame->program.served;
        announced_goes(engine, frame, row->a);
        frame->program.left--;
    }
    if (frame->step == OP_ASKED_SECOND) { // where from has been said
        taker = frame->program.served;
    }
    for (;;) {
        if (taker == NO_SEAT || frame->program.left == 0) {
            taker = program_next_seat(game, frame, row);
            frame->program.left = count_fit(frame->program.amount);
            if (taker == NO_SEAT) {
                break;
            }
        }
        if (taker == frame->seat || frame->program.left == 0) {
            taker = NO_SEAT;
            continue;
        }
        if (!take_one(engine, frame, row, frame->seat, taker)) {
            return OP_AGAIN;
        }
        frame->program.left--;
    }
    return (frame->program.did & DID_THIS) != 0 ? OP_DONE : OP_NOTHING;
}

/** Self takes from the one named: the Item named, or n of what fits, one after the other. */
enum op_result op_rob(struct engine *engine, struct frame *frame, const struct row *row)
{
    const struct game *game = engine->game;
    unsigned self = frame->seat;
    unsigned from = frame->program.target;
    if (from >= MB_SEATS_MAX || from == self) {
        return OP_NOTHING;
    }
    if (row->target == ON_OTHERS_ITEM) {
        if (game->cards[frame->program.about].pile != pile_table(from)) {
            return OP_NOTHING;
        }
        hand_over(engine, frame->program.about, self, from, row->a);
        return OP_DONE;
    }
    if (frame->step == OP_BEGINS) {
        frame->program.left = count_fit(program_amount(engine, frame, row));
        frame->step = OP_SERVES;
    }
    if (frame->step == OP_ASKED) {
        uint16_t card = choice_first(game);
        choice_close(engine);
        hand_over(engine, card, self, from, row->a);
        frame->step = OP_SERVES;
        frame->program.left--;
    }
    for (; frame->program.left > 0; frame->program.left--) { // asked where from: once more
        if (!take_one(engine, frame, row, from, self)) {
            return OP_AGAIN;
        }
    }
    return (frame->program.did & DID_THIS) != 0 ? OP_DONE : OP_NOTHING;
}

/** The next one who is given something; what is dealt round begins anew while some is left. */
static unsigned next_given(const struct engine *engine, struct frame *frame, const struct row *row,
                           bool round)
{
    unsigned taker = program_next_seat(engine->game, frame, row);
    if (taker == NO_SEAT && round && (frame->program.did & DID_THIS) != 0) {
        struct req_context ctx = program_context(engine, frame);
        frame->program.seats = (uint8_t)selector_seats(&ctx, row);
        taker = program_next_seat(engine->game, frame, row);
    }
    return taker;
}

/** Self gives n cards of own choice to `who`; n = 0: all that fit, dealt round one by one. To harm
 * the cards of one who gets several go one after the other, so that each may be saved. */
enum op_result op_give(struct engine *engine, struct frame *frame, const struct row *row)
{
    const struct game *game = engine->game;
    const bool round = row->n.source == SRC_CONST && row->n.base == 0;
    if (frame->step == OP_ASKED) {
        const struct decision decision = game->decision;
        choice_close(engine);
        frame->program.did |= DID_THIS;
        if (decision.answer_count == 1 &&
            announce_taking(engine, frame, decision.answers[0], frame->program.served)) {
            return OP_AGAIN;
        }
        for (unsigned i = 0; i < decision.answer_count; i++) {
            part_with(engine, frame, decision.answers[i], frame->seat, frame->program.served,
                      row->a);
        }
        frame->step = OP_SERVES;
    } else if (frame->step == OP_ANNOUNCED) {
        announced_goes(engine, frame, row->a);
    }
    for (;;) {
        const bool more = frame->program.left > 0;
        unsigned taker = more ? frame->program.served : next_given(engine, frame, row, round);
        int n = round || more ? 1 : program_amount(engine, frame, row);
        uint16_t cards[MB_CARDS_MAX];
        unsigned count = taker != NO_SEAT ? collect_takeable(engine, row, frame->seat, cards) : 0;
        if (count == 0) {
            break;
        }
        if (taker == frame->seat || n <= 0) {
            continue;
        }
        unsigned wanted = (unsigned)n < count ? (unsigned)n : count;
        frame->program.left = (uint8_t)(more ? frame->program.left - 1 : 0);
        if (op_is_harm(frame) && wanted > 1) {
            frame->program.left = (uint8_t)(wanted - 1u);
            wanted = 1;
        }
        struct question question =
            choice_question(wanted == 1 ? DECIDE_CHOOSE_CARD : DECIDE_CHOOSE_CARDS, frame->seat,
                            wanted, frame->program.card);
        frame->step = OP_ASKED;
        frame->program.served = (uint8_t)taker;
        frame_set(engine, frame);
        choice_cards(engine, &question, cards, count);
        return OP_AGAIN;
    }
    return (frame->program.did & DID_THIS) != 0 ? OP_DONE : OP_NOTHING;
}

/** Self and one other exchange hands. */
enum op_result op_swap_hands(struct engine *engine, struct frame *frame, const struct row *row)
{
    const struct game *game = engine->game;
    unsigned other = program_next_seat(game, frame, row);
    if (other == NO_SEAT || other == frame->seat) {
        return OP_NOTHING;
    }
    uint16_t mine[MB_CARDS_MAX];
    unsigned count = 0;
    uint16_t at = pile_first(game, pile_hand(frame->seat));
    for (; at != NO_CARD; at = game->cards[at].next) {
        mine[count++] = at;
    }
    while (pile_count(game, pile_hand(other)) > 0) {
        card_to_hand(engine, pile_first(game, pile_hand(other)), frame->seat, MOVE_TRADED, other);
    }
    for (unsigned i = 0; i < count; i++) {
        card_to_hand(engine, mine[i], other, MOVE_TRADED, frame->seat);
    }
    return OP_DONE;
}

/** The topmost card of the discards that the filter means, Doors before Treasures. */
static uint16_t top_that_fits(const struct engine *engine, unsigned filter)
{
    const struct game *game = engine->game;
    static const uint8_t PILES[2] = {PILE_DOOR_DISCARD, PILE_TREASURE_DISCARD};
    for (unsigned p = 0; p < 2; p++) {
        for (uint16_t at = pile_first(game, PILES[p]); at != NO_CARD; at = game->cards[at].next) {
            if (filter_fits_index(game, engine->box, filter, at)) {
                return at;
            }
        }
    }
    return NO_CARD;
}

/** Takes the card named out of the discards, face down as far as cards that act are concerned. */
enum op_result op_retrieve(struct engine *engine, struct frame *frame, const struct row *row)
{
    if (frame->step == OP_PUSHED) {
        return OP_DONE;
    }
    uint16_t card =
        row->target == ON_NOTHING ? top_that_fits(engine, row->filter) : frame->program.about;
    if (card == NO_CARD || !filter_fits_index(engine->game, engine->box, row->filter, card)) {
        return OP_NOTHING;
    }
    card_to_hand(engine, card, frame->seat, MOVE_RETRIEVED, NO_SEAT);
    frame->step = OP_PUSHED;
    if (program_has(engine->box, box_def(engine->box, card), WHEN_DRAWN)) {
        frame_set(engine, frame);
        struct program program = {
            .card = card, .when = WHEN_DRAWN, .seat = frame->seat, .target = NO_SEAT};
        program_push(engine, &program);
        return OP_AGAIN;
    }
    return OP_DONE;
}

/** M44: discards n cards that fit and draws as many Treasures. */
enum op_result op_exchange(struct engine *engine, struct frame *frame, const struct row *row)
{
    const struct game *game = engine->game;
    int n = program_amount(engine, frame, row);
    uint16_t cards[MB_CARDS_MAX];
    if (frame->step == OP_BEGINS) {
        unsigned count =
            filter_collect(game, engine->box, frame->seat, row->filter, cards, MB_CARDS_MAX);
        if (n <= 0 || count < (unsigned)n) {
            return OP_NOTHING;
        }
        struct question question =
            choice_question(DECIDE_CHOOSE_CARDS, frame->seat, (unsigned)n, frame->program.card);
        frame->step = OP_ASKED;
        frame_set(engine, frame);
        choice_cards(engine, &question, cards, count);
        return OP_AGAIN;
    }
    if (frame->step == OP_ASKED) {
        uint16_t answers[MB_OPTIONS_MAX];
        unsigned count = game->decision.answer_count;
        memcpy(answers, game->decision.answers, sizeof answers);
        choice_close(engine);
        for (unsigned i = 0; i < count; i++) {
            emit_discard(engine, answers[i], frame->seat, MOVE_PAID);
        }
        frame->step = OP_PUSHED;
        frame_set(engine, frame);
        draw_begin(engine, frame->seat, DECK_TREASURE, n, DRAW_TO_HAND);
        return OP_AGAIN;
    }
    return OP_DONE;
}
