// Losing cards.
#include <string.h>

#include "core/change/choice.h"
#include "core/curse/curse_hit.h"
#include "core/effects/ops.h"
#include "core/numbers/trait.h"
#include "core/state/pile_list.h"
#include "core/work/harm.h"
#include "core/work/waiting.h"

/** A card that is protected, and what keeps it; NO_CARD: none. */
struct kept {
    uint16_t card, by;
    bool spares; /**< the alternative is not suffered either */
};

/** Cards of a seat that a row strikes; protected ones are left out, one of them is `kept`. */
static unsigned collect_losable(struct engine *engine, const struct frame *frame,
                                const struct row *row, unsigned seat, uint16_t *out,
                                struct kept *kept)
{
    const struct game *game = engine->game;
    unsigned count = filter_collect(game, engine->box, seat, row->filter, out, MB_CARDS_MAX);
    if (row->target >= ON_OWN_ITEM && row->target <= ON_LASTING_CURSE &&
        frame->program.about != NO_CARD && game->cards[frame->program.about].seat == seat) {
        out[0] = frame->program.about; // the card named with `on`, no other that would fit
        count = 1;
    }
    unsigned left = 0;
    *kept = (struct kept){.card = NO_CARD, .by = NO_CARD};
    for (unsigned i = 0; i < count; i++) {
        uint16_t by = NO_CARD;
        bool reminder = pile_is_table(game->cards[out[i]].pile) &&
                        box_def(engine->box, out[i])->kind == KIND_CURSE;
        enum immunity immune =
            op_is_harm(frame) ? card_immune(game, engine->box, out[i], &by) : IMMUNE_NOT;
        if (immune != IMMUNE_NOT) {
            bool spares = kept->spares || immune == IMMUNE_SPARES;
            *kept = (struct kept){.card = out[i], .by = by, .spares = spares};
        } else if (!reminder && !waiting_threatened(game, out[i])) {
            out[left++] = out[i];
        }
    }
    return left;
}

static int worth_of(const struct engine *engine, uint16_t card, bool by_value)
{
    return by_value ? box_def(engine->box, card)->gold : card_printed_bonus(engine->box, card);
}

/** Keeps only the cards with the biggest bonus (or value); ties are the victim's choice. */
static unsigned keep_best(const struct engine *engine, uint16_t *cards, unsigned count,
                          bool by_value)
{
    int best = -1000;
    for (unsigned i = 0; i < count; i++) {
        int value = worth_of(engine, cards[i], by_value);
        best = value > best ? value : best;
    }
    unsigned left = 0;
    for (unsigned i = 0; i < count; i++) {
        if (worth_of(engine, cards[i], by_value) == best) {
            cards[left++] = cards[i];
        }
    }
    return left;
}

/** Harm may be answered by what lies in play (would_lose_card); giving cards up may not. */
static void lose_card(struct engine *engine, const struct frame *frame, uint16_t card,
                      unsigned seat)
{
    if (op_is_harm(frame)) {
        waiting_lose(engine, card, seat);
    } else {
        card_lose(engine, card, seat);
    }
}

static void lose_all(struct engine *engine, const struct frame *frame, unsigned seat,
                     const uint16_t *cards, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        lose_card(engine, frame, cards[i], seat);
    }
}

static void lose_random(struct engine *engine, const struct frame *frame, unsigned seat,
                        uint16_t *cards, unsigned count, unsigned n)
{
    while (n > 0 && count > 0) {
        uint16_t card = card_random_of(engine, cards, count);
        unsigned at = 0;
        while (cards[at] != card) {
            at++;
        }
        lose_card(engine, frame, card, seat);
        cards[at] = cards[--count];
        n--;
    }
}

/** Who picks; for neighbours the left one first, then the right one. */
static unsigned chooser_of(const struct engine *engine, const struct frame *frame,
                           const struct row *row, unsigned victim)
{
    const struct game *game = engine->game;
    const struct frame *curse = frame_find(game, FRAME_CURSE);
    switch ((enum chooser)row->chooser) {
    case CHOOSE_PLAYER:
        return curse != NULL && curse->curse.player != NO_SEAT ? curse->curse.player : frame->seat;
    case CHOOSE_LEFT:
        return seat_left(game, victim);
    case CHOOSE_NEIGHBOURS:
        return frame->step == OP_ASKED_SECOND ? seat_right(game, victim) : seat_left(game, victim);
    default:
        return victim;
    }
}

/** As many cards as an answer names may be worth less than what is owed: then it is that much. */
static int16_t value_asked(const struct engine *engine, int owed, uint16_t *cards, unsigned count)
{
    const int most = choice_dearest(engine->box, cards, count);
    return number_fit(owed < most ? owed : most);
}

static void ask_which(struct engine *engine, const struct frame *frame, unsigned chooser,
                      uint16_t *cards, unsigned count, unsigned n)
{
    const struct row *row = &engine->box->rows[frame->program.row];
    struct question question = {.kind = n == 1 && row->a == 0 ? DECIDE_CHOOSE_CARD
                                                              : DECIDE_CHOOSE_CARDS,
                                .seats = seat_bit(chooser),
                                .min = (uint8_t)n,
                                .max = (uint8_t)n,
                                .subject = frame->program.card,
                                .source = frame->program.card};
    if (row->a > 0) {
        question.min = 1;
        question.max = EVENT_LIST_MAX;
        question.value_min = value_asked(engine, row->a, cards, count);
    }
    choice_cards(engine, &question, cards, count);
}

static int total_value(const struct engine *engine, const uint16_t *cards, unsigned count)
{
    int value = 0;
    for (unsigned i = 0; i < count; i++) {
        value += box_def(engine->box, cards[i])->gold;
    }
    return value;
}

/** One seat's loss; returns true when it is settled, false when a question was asked. */
static bool lose_one(struct engine *engine, struct frame *frame, const struct row *row,
                     unsigned seat, enum op_step step, unsigned n_wanted)
{
    uint16_t cards[MB_CARDS_MAX];
    struct kept kept;
    bool all = false;
    unsigned count = collect_losable(engine, frame, row, seat, cards, &kept);
    if (kept.spares || count > 0) {
        frame->program.did |= DID_THIS;
    }
    if (count == 0 && kept.card != NO_CARD) {
        struct event note = {.why = NOTE_PROTECTED,
                             .seat = (uint8_t)seat,
                             .seat2 = NO_SEAT,
                             .card = kept.card,
                             .card2 = kept.by};
        emit_note_full(engine, &note);
    }
    if (count == 0) {
        return true;
    }
    unsigned n = n_wanted;
    if (row->n.source == SRC_CONST && row->n.base == 0) {
        n = count;
        all = row->a == 0;
    }
    if (row->a > 0 && total_value(engine, cards, count) <= row->a) {
        all = true;
    }
    if (row->chooser == CHOOSE_BEST_BONUS || row->chooser == CHOOSE_BEST_VALUE) {
        count = keep_best(engine, cards, count, row->chooser == CHOOSE_BEST_VALUE);
    }
    if (all || row->chooser == CHOOSE_ALL || (n >= count && row->a == 0)) {
        lose_all(engine, frame, seat, cards, count);
        return true;
    }
    if (row->chooser == CHOOSE_RANDOM) {
        lose_random(engine, frame, seat, cards, count, n);
        return true;
    }
    if (n == 0) {
        return true;
    }
    frame->step = (uint8_t)step;
    frame->program.served = (uint8_t)seat;
    if (row->chooser == CHOOSE_NEIGHBOURS) {
        n = 1;
    }
    frame_set(engine, frame);
    ask_which(engine, frame, chooser_of(engine, frame, row, seat), cards, count,
              n < EVENT_LIST_MAX ? n : EVENT_LIST_MAX);
    return false;
}

static void take_answers(struct engine *engine, const struct frame *frame, unsigned seat)
{
    uint16_t cards[MB_OPTIONS_MAX];
    unsigned count = engine->game->decision.answer_count;
    memcpy(cards, engine->game->decision.answers, sizeof cards);
    choice_close(engine);
    lose_all(engine, frame, seat, cards, count);
}

/** Several victims who each choose among their own cards do so at once, sealed (RUL-165). */
static bool ask_together(struct engine *engine, struct frame *frame, const struct row *row,
                         unsigned n)
{
    const struct game *game = engine->game;
    uint16_t cards[MB_CARDS_MAX];
    uint16_t all[MB_CARDS_MAX]; // a card is one player's
    unsigned total = 0;
    unsigned seats = 0;
    bool everything = row->n.source == SRC_CONST && row->n.base == 0;
    if (row->chooser != CHOOSE_VICTIM || row->a != 0 || everything || n == 0 ||
        n * MB_SEATS_MAX > MB_OPTIONS_MAX) {
        return false;
    }
    for (unsigned seat = 0; seat < game->seat_count; seat++) {
        struct kept kept;
        bool due = (frame->program.seats & seat_bit(seat)) != 0;
        unsigned count = due ? collect_losable(engine, frame, row, seat, cards, &kept) : 0;
        if (count > n) {
            memcpy(all + total, cards, count * sizeof cards[0]);
            total += count;
            seats |= seat_bit(seat);
        }
    }
    if ((seats & (seats - 1u)) == 0) {
        return false; // nobody, or one alone
    }
    frame->step = OP_ASKED_ALL;
    frame->program.seats &= (uint8_t)~seats;
    frame->program.did |= DID_THIS;
    frame_set(engine, frame);
    struct question question = {.kind = n == 1 ? DECIDE_CHOOSE_CARD : DECIDE_CHOOSE_CARDS,
                                .seats = (uint8_t)seats,
                                .min = (uint8_t)n,
                                .max = (uint8_t)n,
                                .own_only = true,
                                .subject = frame->program.card,
                                .source = frame->program.card};
    choice_cards(engine, &question, all, total);
    return true;
}

/** What each chose, in turn order from the one concerned, whoever answered first. */
static void take_all_answers(struct engine *engine, const struct frame *frame)
{
    struct decision decision = engine->game->decision;
    unsigned seats = engine->game->seat_count;
    choice_close(engine);
    for (unsigned i = 0; i < seats; i++) {
        for (unsigned k = 0; k < decision.answer_count; k++) {
            if (decision.answer_seats[k] == (frame->seat + i) % seats) {
                lose_all(engine, frame, decision.answer_seats[k], &decision.answers[k], 1);
            }
        }
    }
}

enum op_result op_lose(struct engine *engine, struct frame *frame, const struct row *row)
{
    const struct game *game = engine->game;
    struct frame_program *const program = &frame->program;
    if (frame->step == OP_BEGINS) {
        program->amount = program_amount(engine, frame, row);
        frame->step = OP_SERVES;
        frame_set(engine, frame);
        return OP_AGAIN;
    }
    unsigned wanted = program->amount < 0 ? 0u : (unsigned)program->amount;
    if (frame->step == OP_ASKED_ALL) {
        take_all_answers(engine, frame);
        frame->step = OP_SERVES;
        frame_set(engine, frame);
    } else if (frame->step == OP_SERVES && ask_together(engine, frame, row, wanted)) {
        return OP_AGAIN;
    }
    if (frame->step == OP_ASKED || frame->step == OP_ASKED_SECOND) {
        unsigned victim = program->served;
        bool right_too = frame->step == OP_ASKED && row->chooser == CHOOSE_NEIGHBOURS &&
                         seat_right(game, victim) != seat_left(game, victim);
        take_answers(engine, frame, victim);
        frame->step = OP_SERVES;
        if (right_too && !lose_one(engine, frame, row, victim, OP_ASKED_SECOND, 1)) {
            return OP_AGAIN;
        }
    }
    for (unsigned seat = program_next_seat(game, frame, row); seat != NO_SEAT;
         seat = program_next_seat(game, frame, row)) {
        if (!lose_one(engine, frame, row, seat, OP_ASKED, wanted)) {
            return OP_AGAIN;
        }
    }
    return (program->did & DID_THIS) != 0 ? OP_DONE : OP_NOTHING;
}

enum op_result op_discard_self(struct engine *engine, struct frame *frame, const struct row *row)
{
    (void)row;
    unsigned pile = engine->game->cards[frame->program.card].pile;
    bool drawn = frame->program.trigger == WHEN_DRAWN &&
                 (pile_is_hand(pile) || pile == PILE_AWARD || pile == PILE_FACE_UP);
    if (pile_is_table(pile) || drawn) {
        emit_discard(engine, frame->program.card, frame->seat, MOVE_SPENT);
        return OP_DONE;
    }
    return OP_NOTHING;
}

static void hand_goes(struct engine *engine, unsigned seat)
{
    const struct game *game = engine->game;
    while (pile_count(game, pile_hand(seat)) > 0) {
        card_lose(engine, pile_first(game, pile_hand(seat)), seat);
    }
}

/** B20: the hand or n Levels, as each victim likes. */
enum op_result op_hand_or_levels(struct engine *engine, struct frame *frame, const struct row *row)
{
    const struct game *game = engine->game;
    if (frame->step == OP_BEGINS) {
        frame->program.amount = program_amount(engine, frame, row);
    }
    int levels = frame->program.amount;
    if (frame->step == OP_ASKED) {
        bool hand = choice_first(game) == 1;
        unsigned seat = frame->program.served;
        choice_close(engine);
        frame->step = OP_SERVES;
        if (hand) {
            hand_goes(engine, seat);
        }
        if (hand || level_lose(engine, seat, levels, op_level_why(frame))) {
            frame->program.did |= DID_THIS;
        }
    }
    for (unsigned seat = program_next_seat(game, frame, row); seat != NO_SEAT;
         seat = program_next_seat(game, frame, row)) {
        if (pile_count(game, pile_hand(seat)) > 0) {
            frame->step = OP_ASKED;
            frame->program.served = (uint8_t)seat;
            frame_set(engine, frame);
            choice_yes_no(engine, seat, frame->program.card, frame->program.card);
            return OP_AGAIN;
        }
        if (level_lose(engine, seat, levels, op_level_why(frame))) {
            frame->program.did |= DID_THIS;
        }
    }
    return (frame->program.did & DID_THIS) != 0 ? OP_DONE : OP_NOTHING;
}

/** Pays n cards that fit, or finds nothing to do, so that an `else` row follows. */
enum op_result op_discard_or(struct engine *engine, struct frame *frame, const struct row *row)
{
    const struct game *game = engine->game;
    int n = program_amount(engine, frame, row);
    uint16_t cards[MB_CARDS_MAX];
    unsigned count =
        filter_collect(game, engine->box, frame->seat, row->filter, cards, MB_CARDS_MAX);
    if (frame->step == OP_BEGINS) {
        if (n <= 0 || count < (unsigned)n) {
            return OP_NOTHING;
        }
        struct question question = {.kind = DECIDE_CHOOSE_CARDS,
                                    .seats = seat_bit(frame->seat),
                                    .min = (uint8_t)n,
                                    .max = (uint8_t)n,
                                    .may_pass = true,
                                    .subject = frame->program.card,
                                    .source = frame->program.card};
        frame->step = OP_ASKED;
        frame_set(engine, frame);
        choice_cards(engine, &question, cards, count);
        return OP_AGAIN;
    }
    bool paid = game->decision.answer_count > 0;
    if (paid) {
        take_answers(engine, frame, frame->seat);
    } else {
        choice_close(engine);
    }
    return paid ? OP_DONE : OP_NOTHING;
}

/** RUL-108: an Item goes, every other player loses as much or all Items and a Level. */
static void tax_others(struct engine *engine, struct frame *frame)
{
    const struct game *game = engine->game;
    struct row other = engine->box->rows[frame->program.row];
    other.who = WHO_OTHERS;
    struct req_context ctx = program_context(engine, frame);
    frame->program.seats = (uint8_t)selector_seats(&ctx, &other);
    (void)game;
}

static unsigned tax_items(const struct engine *engine, const struct row *row, unsigned seat,
                          uint16_t *cards)
{
    struct req_context ctx = req_context_for(engine->game, engine->box, seat);
    return curse_taxable(&ctx, row, cards);
}

static bool tax_one(struct engine *engine, struct frame *frame, unsigned seat)
{
    const struct row *row = &engine->box->rows[frame->program.row];
    uint16_t cards[MB_CARDS_MAX];
    unsigned count = tax_items(engine, row, seat, cards);
    int owed = frame->program.amount;
    if (owed == 0) {
        return true;
    }
    if (total_value(engine, cards, count) < owed) {
        lose_all(engine, frame, seat, cards, count);
        level_lose(engine, seat, 1, LEVEL_CURSE);
        return true;
    }
    struct question question = {.kind = DECIDE_CHOOSE_CARDS,
                                .seats = seat_bit(seat),
                                .min = 1,
                                .max = EVENT_LIST_MAX,
                                .subject = frame->program.card,
                                .source = frame->program.card,
                                .value_min = value_asked(engine, owed, cards, count)};
    frame->step = OP_ASKED_SECOND;
    frame->program.served = (uint8_t)seat;
    frame_set(engine, frame);
    choice_cards(engine, &question, cards, count);
    return false;
}

enum op_result op_tax(struct engine *engine, struct frame *frame, const struct row *row)
{
    const struct game *game = engine->game;
    if (frame->step == OP_BEGINS) {
        uint16_t cards[MB_CARDS_MAX];
        unsigned count = tax_items(engine, row, frame->seat, cards);
        if (count == 0) {
            return OP_NOTHING;
        }
        frame->step = OP_ASKED;
        frame_set(engine, frame);
        ask_which(engine, frame, frame->seat, cards, count, 1);
        return OP_AGAIN;
    }
    if (frame->step == OP_ASKED) {
        frame->program.amount = box_def(engine->box, choice_first(game))->gold;
        take_answers(engine, frame, frame->seat);
        tax_others(engine, frame);
    } else if (frame->step == OP_ASKED_SECOND) {
        take_answers(engine, frame, frame->program.served);
    }
    frame->step = OP_SERVES;
    struct row others = *row;
    others.who = WHO_OTHERS;
    for (unsigned seat = program_next_seat(game, frame, &others); seat != NO_SEAT;
         seat = program_next_seat(game, frame, &others)) {
        if (!tax_one(engine, frame, seat)) {
            return OP_AGAIN;
        }
    }
    return OP_DONE;
}

enum op_result op_show_hand(struct engine *engine, struct frame *frame, const struct row *row)
{
    const struct game *game = engine->game;
    bool did = false;
    for (unsigned seat = program_next_seat(game, frame, row); seat != NO_SEAT;
         seat = program_next_seat(game, frame, row)) {
        uint16_t at = pile_first(game, pile_hand(seat));
        struct event note = {.why = NOTE_SHOWS,
                             .seat = (uint8_t)seat,
                             .seat2 = ALL_SEATS,
                             .card = NO_CARD,
                             .card2 = NO_CARD};
        if (at != NO_CARD) {
            emit_note_full(engine, &note);
        }
        for (; at != NO_CARD; at = game->cards[at].next) {
            emit_know(engine, at, 0xFF);
            did = true;
        }
    }
    return did ? OP_DONE : OP_NOTHING;
}
