// What two halls differ in: a hand; whether somebody has passed, or has left an order to; what
// somebody has answered; what somebody has looked at.
#include <string.h>

#include "core/loop/arrange.h"

#include "bot/hall/hall_limits.h"
#include "bot/table/value/value.h"

#include "tests/twins/halls/pair.h"

enum { TRIES = 64, SEEK_MAX = 160, FEW = 3, SECOND_MS = 1000, LONG_MS = 1 << 30 };

static int64_t any_time(const struct pair *pair)
{
    (void)pair;
    return LONG_MS;
}

/* A hand. */

struct swapping {
    struct pair *pair;
    struct mb_rng rng;
    bool only_few, special;
};

// Cards that answer, or are played at odd moments: what others might guess from a pause.
static bool is_special(const struct box *box, uint16_t card)
{
    static const unsigned ODD =
        1u << AT_ANSWER | 1u << AT_ANY_TIME | 1u << AT_BEFORE_ROLL | 1u << AT_FLIGHT;
    return (box_def(box, card)->timing & ODD) != 0;
}

static uint16_t deep_card(const struct game *game, const struct box *box, uint16_t like,
                          struct swapping *swapping)
{
    const unsigned pile = PILE_DOOR_DECK + box_def(box, like)->deck;
    const unsigned count = query_count(game, pile);
    for (unsigned i = 0; i < TRIES && count > 1; i++) {
        unsigned place = count / 2 + mb_rng_below(&swapping->rng, count - count / 2);
        uint16_t card = query_first(game, pile);
        while (place-- > 0 && card != NO_CARD) {
            card = query_next(game, card);
        }
        if (card != NO_CARD && query_knowers(game, card) == 0 && !arrange_named(game, card) &&
            box->card_def[card] != box->card_def[like] &&
            (!swapping->special || i > TRIES / 2 || is_special(box, card))) {
            return card;
        }
    }
    return NO_CARD;
}

// Cards of the hand that only its owner knows become others.
static void swap_hand(struct game *game, const struct box *box, void *user)
{
    struct swapping *const swapping = user;
    struct pair_swap *const swap = &swapping->pair->swap;
    const unsigned secret = swapping->pair->secret;
    uint16_t cards[PAIR_SWAPS_MAX];
    unsigned count = 0;
    for (uint16_t card = query_first(game, pile_hand(secret));
         card != NO_CARD && count < PAIR_SWAPS_MAX; card = query_next(game, card)) {
        if (query_knowers(game, card) == seat_bit(secret) && !arrange_named(game, card)) {
            cards[count++] = card;
        }
    }
    unsigned wanted = swapping->only_few ? 1 + mb_rng_below(&swapping->rng, FEW) : count;
    while (wanted-- > 0 && count > 0) {
        const unsigned at = mb_rng_below(&swapping->rng, count);
        const uint16_t card = cards[at];
        const uint16_t other = deep_card(game, box, card, swapping);
        cards[at] = cards[--count];
        if (other != NO_CARD) {
            arrange_swap(game, card, other);
            swap->cards[0][swap->count] = card;
            swap->cards[1][swap->count++] = other;
        }
    }
}

static void swap_nothing(struct game *game, const struct box *box, void *user)
{
    (void)game;
    (void)box;
    (void)user;
}

static bool begin_hand(struct pair *pair)
{
    struct swapping swapping = {.pair = pair};
    uint8_t seed[32];
    mb_rng_seed_u64(seed, ~pair->number);
    mb_rng_init(&swapping.rng, seed);
    swapping.only_few = pair_below(pair, 2) == 0;
    swapping.special = pair_below(pair, 2) == 0;
    stage_arrange(&pair->side[0], PAIR_PLACE, swap_nothing, NULL);
    stage_arrange(&pair->side[1], PAIR_PLACE, swap_hand, &swapping);
    for (unsigned side = 0; side < 2; side++) {
        pair_hear(pair, side);
    }
    return pair->swap.count > 0;
}

// In the hand known to its owner alone, in the deck to nobody: or drawn by the owner, unseen.
static bool is_hidden(const struct pair *pair, unsigned side, uint16_t card)
{
    const struct game *const game = pair_game(pair, side);
    const bool held = query_where(game, card) == pile_hand(pair->secret);
    const bool undrawn = query_where(game, card) == PILE_TOTAL;
    const unsigned knowers = query_knowers(game, card);
    return (held && knowers == seat_bit(pair->secret)) || (undrawn && knowers == 0);
}

static bool keeps_hand(struct pair *pair)
{
    for (unsigned side = 0; side < 2; side++) {
        for (unsigned i = 0; i < pair->swap.count; i++) {
            if (!is_hidden(pair, side, pair->swap.cards[0][i]) ||
                !is_hidden(pair, side, pair->swap.cards[1][i])) {
                return false;
            }
        }
    }
    return true;
}

const struct pair_kind PAIR_HAND = {.name = "hand",
                                    .sets = "classic",
                                    .begin = begin_hand,
                                    .keeps = keeps_hand,
                                    .patience = any_time,
                                    .acts = true};

/* What is sealed. */

// Seats other than the secret one that are still waited for, at a side. Outside of windows bot
// players answer as soon as all people have.
static unsigned others_left(const struct pair *pair, unsigned side)
{
    const struct table *const table = pair_table(pair, side);
    const struct table_due due = table_due(table);
    const bool window = due.clock == CLOCK_WINDOW || due.clock == CLOCK_ANSWER;
    return due.seats & ~(unsigned)seat_bit(pair->secret) &
           (window ? ~0u : table_people_seats(table));
}

static bool may_answer(const struct pair *pair, unsigned clock)
{
    const struct table_due due = table_due(pair_table(pair, 0));
    const unsigned others = others_left(pair, 0);
    return due.clock == clock && (due.seats >> pair->secret & 1u) != 0 &&
           (others & table_people_seats(pair_table(pair, 0))) != 0;
}

// The game goes on until `here` says that what is wanted is there; the secret seat is not away, and
// who is away passes by a stand-in.
static bool seek(struct pair *pair, bool (*here)(struct pair *pair))
{
    pair_say(pair, pair->secret, "orders clear", true);
    for (unsigned i = 0; i < SEEK_MAX && pair_runs(pair); i++) {
        if (here(pair)) {
            return true;
        }
        pair_go_on(pair, i % 2 == 0 ? &POLICY_ROOKIE : &POLICY_RANDOM);
    }
    return false;
}

// The decision that others have still to make at a side; 0: none.
static unsigned question_at(const struct pair *pair, unsigned side)
{
    const unsigned left = others_left(pair, side);
    for (unsigned seat = 0; seat < pair->people; seat++) {
        struct table_words words;
        if ((left >> seat & 1u) != 0 &&
            hall_words(pair->side[side].hall, pair->side[side].chat, PAIR_PLACE, seat, &words)) {
            struct query_decision decision;
            query_decision(words.view, words.box, seat, &decision);
            return decision.id;
        }
    }
    return 0;
}

// One decision may be over and the next one open within a step: by then the first is known.
static bool is_open(const struct pair *pair, unsigned side)
{
    const struct table *const table = pair_table(pair, side);
    const unsigned clock =
        table != NULL && table_state(table) == TABLE_RUNNING ? table_due(table).clock : CLOCK_NONE;
    return pair->clock == CLOCK_DECISION
               ? clock == CLOCK_DECISION && question_at(pair, side) == pair->question
               : clock == pair->clock || (pair->clock == CLOCK_WINDOW && clock == CLOCK_ANSWER);
}

// Sealed until all others have answered too: then a side where the secret seat has goes on.
static bool keeps_sealed(struct pair *pair)
{
    const bool open[2] = {is_open(pair, 0), is_open(pair, 1)};
    const bool window = pair->clock == CLOCK_WINDOW || pair->clock == CLOCK_ANSWER;
    pair->over = !open[0] || !open[1];
    for (unsigned side = 0; side < 2; side++) {
        if (open[side] && others_left(pair, side) == 0) {
            return false;
        }
    }
    return open[0] || open[1] || window;
}

/* A pass. */

static bool may_pass(struct pair *pair)
{
    return may_answer(pair, CLOCK_WINDOW) || may_answer(pair, CLOCK_ANSWER);
}

// The instant at which the card says who has not passed: half of a win window, as long as it was
// when it opened. False: it has come.
static bool find_public(struct pair *pair)
{
    const struct table *const table = pair_table(pair, 0);
    const struct table_timer *const window = &table->timers[CLOCK_WINDOW];
    pair->public_ms = pair->told[0].now_ms + LONG_MS;
    if (pair->clock == CLOCK_ANSWER) {
        return true;
    }
    pair->public_ms = pair->told[0].now_ms + window->left_ms - window->half_ms;
    return window->passes == 0 && pair->public_ms > pair->told[0].now_ms;
}

static bool begin_pass(struct pair *pair)
{
    if (!seek(pair, may_pass)) {
        return false;
    }
    // What the table says is due counts from its last change.
    pair_say(pair, pair->secret, "orders ask always", true);
    pair_say(pair, pair->secret, "orders clear", true);
    if (!pair_runs(pair) || !may_pass(pair)) {
        return false;
    }
    pair_compare(pair);
    pair->clock = table_due(pair_table(pair, 0)).clock;
    pair->acted = true;
    if (!find_public(pair) || pair->public_ms - pair->told[0].now_ms <= SECOND_MS) {
        return false;
    }
    pair_whisper_at(pair, 0, pair->secret, "status");
    pair_whisper_at(pair, 1, pair->secret, "pass");
    return true;
}

static int64_t until_public(const struct pair *pair)
{
    return pair->public_ms - 1 - pair->told[0].now_ms;
}

// Whether half of the window is over at a side: others know from then on who has passed.
static bool is_public(const struct pair *pair, unsigned side)
{
    const struct table *const table = pair_table(pair, side);
    return table_due(table).clock == CLOCK_WINDOW && table->timers[CLOCK_WINDOW].passes != 0;
}

static bool keeps_pass(struct pair *pair)
{
    const bool over[2] = {is_public(pair, 0), is_public(pair, 1)};
    if (over[0] != over[1] && is_open(pair, 0) && is_open(pair, 1)) {
        pair_differs(pair, "half of the window is over", over[0] ? "yes" : "no",
                     over[1] ? "yes" : "no");
    }
    return keeps_sealed(pair) && !over[0] && !over[1];
}

const struct pair_kind PAIR_PASS = {.name = "pass",
                                    .sets = "classic",
                                    .begin = begin_pass,
                                    .keeps = keeps_pass,
                                    .patience = until_public};

/* A standing order. */

static bool may_order(struct pair *pair)
{
    return may_answer(pair, CLOCK_WINDOW);
}

// Somewhere in the first half of a window one of them leaves an order that passes in it.
static bool begin_order(struct pair *pair)
{
    static const char *const ORDERS[] = {"orders pass below 10", "orders pass until my turn"};
    if (!seek(pair, may_order)) {
        return false;
    }
    pair_say(pair, pair->secret, "orders ask always", true); // what is due counts from a change
    if (!pair_runs(pair) || !may_order(pair) || !find_public(pair) || until_public(pair) <= 0) {
        return false;
    }
    pair_pass(pair, 1 + (int64_t)pair_below(pair, (unsigned)until_public(pair)));
    if (!pair_runs(pair) || !may_order(pair)) {
        return false;
    }
    pair_compare(pair);
    pair->clock = CLOCK_WINDOW;
    pair->acted = true;
    pair_whisper_at(pair, 0, pair->secret, "orders");
    pair_whisper_at(pair, 1, pair->secret, ORDERS[pair_below(pair, 2)]);
    return true;
}

const struct pair_kind PAIR_ORDER = {.name = "order",
                                     .sets = "classic",
                                     .begin = begin_order,
                                     .keeps = keeps_pass,
                                     .patience = until_public};

/* A look. */

static bool always(struct pair *pair)
{
    (void)pair;
    return true;
}

// At one side a player looks at this and that, at the other they do nothing.
static bool begin_look(struct pair *pair)
{
    static const char *const LOOKS[] = {"status", "hand", "log", "why pass", "rules", "score"};
    pair_compare(pair);
    for (unsigned i = 1 + pair_below(pair, 3); i > 0; i--) {
        pair_whisper_at(pair, 1, pair->secret, LOOKS[pair_below(pair, 6)]);
        pair_pass_at(pair, 0, HALL_PERSON_REFILL_MS); // what a line takes, ...
        pair->side[0].lines++;                        // ... and chance goes by a line's number
    }
    return true;
}

const struct pair_kind PAIR_LOOK = {.name = "look",
                                    .sets = "classic",
                                    .begin = begin_look,
                                    .keeps = always,
                                    .patience = any_time,
                                    .acts = true};

/* An answer to a call for help. */

// Calls for all to help wherever that can be done.
static bool is_called(struct pair *pair)
{
    if (may_answer(pair, CLOCK_ASK)) {
        return true;
    }
    const unsigned main = query_main(pair_game(pair, 0));
    if (main < pair->people && main != pair->secret) {
        pair_say(pair, main, "ask all", true);
    }
    return pair_runs(pair) && may_answer(pair, CLOCK_ASK);
}

static bool begin_call(struct pair *pair)
{
    static const char *const ANSWERS[] = {"status", "accept", "refuse"};
    if (!seek(pair, is_called)) {
        return false;
    }
    pair_compare(pair);
    pair->clock = CLOCK_ASK;
    pair->acted = true;
    const unsigned first = pair_below(pair, 3);
    pair_whisper_at(pair, 0, pair->secret, ANSWERS[first]);
    pair_whisper_at(pair, 1, pair->secret, ANSWERS[(first + 1 + pair_below(pair, 2)) % 3]);
    return true;
}

const struct pair_kind PAIR_CALL = {.name = "call",
                                    .sets = "classic",
                                    .begin = begin_call,
                                    .keeps = keeps_sealed,
                                    .patience = any_time};

/* A choice that several make at once. */

static bool may_choose(struct pair *pair)
{
    return may_answer(pair, CLOCK_DECISION);
}

// Who has answered is seen, what is sealed: other cards are named at either side.
static bool begin_choice(struct pair *pair)
{
    char lines[2][STAGE_LINE_SIZE] = {"", ""};
    if (!seek(pair, may_choose)) {
        return false;
    }
    pair_compare(pair);
    pair->clock = CLOCK_DECISION;
    pair->question = question_at(pair, 0);
    pair->acted = true;
    for (unsigned i = 0; i < 2 || (i < TRIES && strcmp(lines[0], lines[1]) == 0); i++) {
        if (!pair_think(pair, 0, pair->secret, &POLICY_RANDOM, lines[i % 2])) {
            return false;
        }
    }
    pair_whisper_at(pair, 0, pair->secret, lines[0]);
    pair_whisper_at(pair, 1, pair->secret, lines[1]);
    return strcmp(lines[0], lines[1]) != 0;
}

const struct pair_kind PAIR_CHOICE = {.name = "choice",
                                      .sets = "classic,levies",
                                      .begin = begin_choice,
                                      .keeps = keeps_sealed,
                                      .patience = any_time};
