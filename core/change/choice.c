#include "core/change/choice.h"

#include <string.h>

#include "core/state/pile_list.h"

struct question choice_question(unsigned kind, unsigned seat, unsigned n, uint16_t about)
{
    return (struct question){.kind = (uint8_t)kind,
                             .seats = seat_bit(seat),
                             .min = (uint8_t)n,
                             .max = (uint8_t)n,
                             .subject = about,
                             .source = about};
}

static void open_question(struct engine *engine, const struct question *question)
{
    struct event event = {.type = EVENT_DECIDE,
                          .knowers = emit_knowers(engine->game, question->subject),
                          .mask = emit_knowers(engine->game, question->source)};
    event.u.decide.kind = question->kind;
    event.u.decide.seats = question->seats;
    event.u.decide.min = question->min;
    event.u.decide.max = question->max;
    event.u.decide.own_only = question->own_only;
    event.u.decide.may_pass = question->may_pass;
    event.u.decide.subject = question->subject;
    event.u.decide.source = question->source;
    event.u.decide.value_min = question->value_min;
    emit(engine, &event);
}

static void add_options(struct engine *engine, const uint16_t *options, unsigned count, bool cards)
{
    for (unsigned i = 0; i < count; i += EVENT_LIST_MAX) {
        unsigned n = count - i < EVENT_LIST_MAX ? count - i : EVENT_LIST_MAX;
        struct event event = {.type = EVENT_OPTIONS, .n = (int)n, .m = cards ? 1 : 0};
        memcpy(event.u.list, options + i, n * sizeof options[0]);
        emit(engine, &event);
    }
}

static void answer_for(struct engine *engine, unsigned seat, const uint16_t *values, unsigned count)
{
    struct event event = {.type = EVENT_ANSWER, .seat = (uint8_t)seat, .n = (int)count};
    memcpy(event.u.list, values, count * sizeof values[0]);
    emit(engine, &event);
}

/** Answers for every seat that has no more than one way to answer. */
static void answer_forced(struct engine *engine)
{
    const struct game *game = engine->game;
    for (unsigned seat = 0; seat < game->seat_count; seat++) {
        const struct decision *decision = &game->decision;
        if (decision->open != 1 || (decision->seats & seat_bit(seat)) == 0) {
            continue;
        }
        unsigned count = choice_count(game, engine->box, seat);
        if (count > decision->min || decision->may_pass || count > EVENT_LIST_MAX) {
            continue;
        }
        uint16_t values[EVENT_LIST_MAX];
        unsigned n = choice_default(game, engine->box, seat, values);
        answer_for(engine, seat, values, n);
    }
}

void choice_cards(struct engine *engine, const struct question *question, const uint16_t *cards,
                  unsigned count)
{
    open_question(engine, question);
    add_options(engine, cards, count, true);
    answer_forced(engine);
}

void choice_options(struct engine *engine, const struct question *question, const uint16_t *options,
                    unsigned count)
{
    open_question(engine, question);
    add_options(engine, options, count < MB_OPTIONS_MAX ? count : MB_OPTIONS_MAX, false);
    answer_forced(engine);
}

void choice_yes_no(struct engine *engine, unsigned seat, uint16_t subject, uint16_t source)
{
    static const uint16_t YES_NO[2] = {1, 0};
    struct question question = {.kind = DECIDE_YES_NO,
                                .seats = seat_bit(seat),
                                .min = 1,
                                .max = 1,
                                .subject = subject,
                                .source = source};
    choice_options(engine, &question, YES_NO, 2);
}

bool choice_answered(const struct game *game)
{
    return game->decision.open == 2;
}

uint16_t choice_first(const struct game *game)
{
    return game->decision.answer_count > 0 ? game->decision.answers[0] : NO_CARD;
}

void choice_close(struct engine *engine)
{
    struct event event = {.type = EVENT_DECIDED};
    emit(engine, &event);
}

bool choice_of_cards(const struct game *game)
{
    return game->decision.option_count == 0;
}

static bool offered_card(const struct game *game, unsigned seat, uint16_t card)
{
    const struct decision *decision = &game->decision;
    if (!card_set_has(decision->cards, card)) {
        return false;
    }
    return decision->own_only == 0 || game->cards[card].seat == seat;
}

unsigned choice_count(const struct game *game, const struct box *box, unsigned seat)
{
    if (!choice_of_cards(game)) {
        return game->decision.option_count;
    }
    unsigned count = 0;
    for (unsigned byte = 0; byte < CARD_SET_BYTES; byte++) {
        if (game->decision.cards[byte] == 0) {
            continue;
        }
        for (unsigned bit = 0; bit < 8; bit++) {
            unsigned card = byte * 8 + bit;
            count += card < box->card_count && offered_card(game, seat, (uint16_t)card);
        }
    }
    return count;
}

bool choice_offers(const struct game *game, const struct box *box, unsigned seat, uint16_t value)
{
    const struct decision *decision = &game->decision;
    if (choice_of_cards(game)) {
        return value < box->card_count && offered_card(game, seat, value);
    }
    for (unsigned i = 0; i < decision->option_count; i++) {
        if (decision->options[i] == value) {
            return true;
        }
    }
    return false;
}

unsigned choice_list(const struct game *game, const struct box *box, unsigned seat,
                     uint16_t out[MB_CARDS_MAX])
{
    unsigned count = 0;
    if (game->decision.kind == DECIDE_PICK_TREASURE) { // as they lie, the first drawn first
        uint16_t at = pile_first(game, PILE_AWARD);
        for (; at != NO_CARD && count < MB_CARDS_MAX; at = game->cards[at].next) {
            out[count++] = at;
        }
        return count;
    }
    for (unsigned card = 0; card < box->card_count; card++) {
        if (offered_card(game, seat, (uint16_t)card)) {
            out[count++] = (uint16_t)card;
        }
    }
    return count;
}

int choice_dearest(const struct box *box, uint16_t *cards, unsigned count)
{
    int value = 0;
    for (unsigned i = 0; i < count && i < EVENT_LIST_MAX; i++) {
        unsigned best = i;
        for (unsigned k = i + 1; k < count; k++) {
            best = box_def(box, cards[k])->gold > box_def(box, cards[best])->gold ? k : best;
        }
        const uint16_t card = cards[best];
        cards[best] = cards[i];
        cards[i] = card;
        value += box_def(box, card)->gold;
    }
    return value;
}

/** Cards in their order until they are enough; of a value those that are worth nothing are passed
 * by. Returns how many, and what they are worth. */
static unsigned first_enough(const struct box *box, const struct decision *decision,
                             const uint16_t *cards, unsigned count, uint16_t *out, int *value)
{
    const unsigned want = decision->may_pass ? 0 : decision->min;
    unsigned named = 0;
    *value = 0;
    for (unsigned i = 0; i < count && named < EVENT_LIST_MAX; i++) {
        const int gold = box_def(box, cards[i])->gold;
        if (named >= want && *value >= decision->value_min) {
            break;
        }
        if (decision->value_min <= 0 || gold > 0) {
            *value += gold;
            out[named++] = cards[i];
        }
    }
    return named;
}

unsigned choice_default(const struct game *game, const struct box *box, unsigned seat,
                        uint16_t *out)
{
    const struct decision *decision = &game->decision;
    unsigned want = decision->may_pass ? 0 : decision->min;
    unsigned count = 0;
    if (!choice_of_cards(game)) {
        // The last option of a yes/no is no; elsewhere the first ones.
        if (decision->kind == DECIDE_YES_NO) {
            out[0] = 0;
            return 1;
        }
        for (unsigned i = 0; i < decision->option_count && count < want; i++) {
            out[count++] = decision->options[i];
        }
        return count;
    }
    uint16_t cards[MB_CARDS_MAX];
    unsigned offered = choice_list(game, box, seat, cards);
    int value = 0;
    count = first_enough(box, decision, cards, offered, out, &value);
    if (value < decision->value_min) { // a list is too short for so many cheap ones
        choice_dearest(box, cards, offered);
        count = first_enough(box, decision, cards, offered, out, &value);
    }
    return count;
}
