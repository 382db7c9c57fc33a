// Pairs of halls that differ in one hidden hand, or in what one seat has done in secret: whatever
// others say, press, wait for, at this table or the next one, they are shown the same, in the same
// order, at the same time.
//   halls [--pairs N] [--first N] [--kind hand|sealed] [--plant FAULT]
// Exit 0: no pair differed; with a fault planted (twins_planted's): one did.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/loop/arrange.h"

#include "bot/parse/parse.h"

#include "tests/support/chance.h"
#include "tests/support/stage.h"
#include "tests/support/table.h"
#include "tests/twins/plant.h"

enum { PEOPLE = 4, OPENING_MAX = 40, STEPS_MAX = 40, TRIES = 64, LOOKS = 6, BREATH_MS = 500 };

static const char PLACE[] = "tavern";
static const char *const NAMES[PEOPLE] = {"Ann", "Bob", "Cy", "Dot"};

struct pair {
    struct stage side[2];
    struct mb_rng rng;
    uint64_t number;
    unsigned people, secret;
    size_t seen[2];
    unsigned swapped, steps;
    bool broken;
};

struct swap {
    unsigned seat, count;
    uint64_t seed;
    uint16_t cards[2][MB_CARDS_MAX]; // in the hand, at either side
};

static unsigned below(struct pair *pair, unsigned bound)
{
    return mb_rng_below(&pair->rng, bound);
}

/* What differs. */

static uint16_t deep_card(const struct game *game, const struct box *box, uint16_t like,
                          struct mb_rng *rng)
{
    const unsigned pile = PILE_DOOR_DECK + box_def(box, like)->deck;
    const unsigned count = query_count(game, pile);
    for (unsigned i = 0; i < TRIES && count > 1; i++) {
        unsigned place = count / 2 + mb_rng_below(rng, count - count / 2);
        uint16_t card = query_first(game, pile);
        while (place-- > 0 && card != NO_CARD) {
            card = query_next(game, card);
        }
        if (card != NO_CARD && query_knowers(game, card) == 0 && !arrange_named(game, card) &&
            box->card_def[card] != box->card_def[like]) {
            return card;
        }
    }
    return NO_CARD;
}

// Every card of the hand that only its owner knows becomes another one.
static void swap_hand(struct game *game, const struct box *box, void *user)
{
    struct swap *const swap = user;
    uint16_t cards[MB_CARDS_MAX];
    unsigned count = 0;
    uint8_t seed[32];
    struct mb_rng rng;
    mb_rng_seed_u64(seed, swap->seed);
    mb_rng_init(&rng, seed);
    for (uint16_t card = query_first(game, pile_hand(swap->seat)); card != NO_CARD;
         card = query_next(game, card)) {
        if (query_knowers(game, card) == seat_bit(swap->seat) && !arrange_named(game, card)) {
            cards[count++] = card;
        }
    }
    for (unsigned i = 0; i < count; i++) {
        const uint16_t other = deep_card(game, box, cards[i], &rng);
        if (other != NO_CARD) {
            arrange_swap(game, cards[i], other);
            swap->cards[0][swap->count] = cards[i];
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

/* What is shown. */

static void differs(struct pair *pair, const char *what, const char *a, const char *b)
{
    if (!pair->broken) {
        (void)printf("pair %lu, step %u: %s: \"%.300s\", and \"%.300s\"\n",
                     (unsigned long)pair->number, pair->steps, what, a, b);
    }
    pair->broken = true;
}

static const struct fake_message *next_shown(struct pair *pair, unsigned side)
{
    const struct chat *const chat = pair->side[side].chat;
    while (pair->seen[side] < fake_count(chat)) {
        const struct fake_message *const message = fake_message(chat, pair->seen[side]++);
        if (strcmp(message->person, NAMES[pair->secret]) != 0) {
            return message;
        }
    }
    return NULL;
}

static void compare_messages(struct pair *pair, const struct fake_message *a,
                             const struct fake_message *b)
{
    bool same = a->kind == b->kind && strcmp(a->place, b->place) == 0 &&
                strcmp(a->person, b->person) == 0 && strcmp(a->text, b->text) == 0 &&
                strcmp(a->event, b->event) == 0 && a->refused == b->refused &&
                (a->replaces[0] != '\0') == (b->replaces[0] != '\0') &&
                a->ping_count == b->ping_count && a->control_count == b->control_count &&
                strcmp(a->bond.table, b->bond.table) == 0 && a->bond.version == b->bond.version &&
                a->bond.decision == b->bond.decision && a->bond.on == b->bond.on;
    for (size_t i = 0; same && i < a->control_count; i++) {
        same = strcmp(a->controls[i].label, b->controls[i].label) == 0 &&
               strcmp(a->controls[i].line, b->controls[i].line) == 0;
    }
    if (!same) {
        differs(pair, "others are shown", a->text, b->text);
    }
}

static void compare(struct pair *pair, bool times)
{
    for (;;) {
        const struct fake_message *const a = next_shown(pair, 0);
        const struct fake_message *const b = next_shown(pair, 1);
        if (a == NULL && b == NULL) {
            break;
        }
        if (a == NULL || b == NULL) {
            differs(pair, "one hall says more", a != NULL ? a->text : "", b != NULL ? b->text : "");
            return;
        }
        compare_messages(pair, a, b);
    }
    const struct table_due due[2] = {table_due(stage_table(&pair->side[0], PLACE)),
                                     table_due(stage_table(&pair->side[1], PLACE))};
    if (times && (due[0].kind != due[1].kind || due[0].ms != due[1].ms)) {
        differs(pair, "another time", "", "");
    }
    for (unsigned i = 0; i < 2; i++) {
        fake_forget(pair->side[i].chat);
        pair->seen[i] = 0;
    }
}

/* What happens. */

static void say(struct pair *pair, unsigned seat, const char *line, bool aloud)
{
    for (unsigned i = 0; i < 2; i++) {
        if (aloud) {
            stage_say(&pair->side[i], PLACE, NAMES[seat], line);
        } else {
            stage_whisper(&pair->side[i], NAMES[seat], line);
        }
    }
}

static const struct fake_message *newest_card(const struct pair *pair, unsigned side)
{
    return fake_newest(pair->side[side].chat, CHAT_CARD, PLACE, NULL);
}

static void press(struct pair *pair, unsigned seat)
{
    const struct fake_message *const card = newest_card(pair, 0);
    const struct fake_message *const other = newest_card(pair, 1);
    if (card == NULL || other == NULL || card->control_count == 0) {
        return;
    }
    const struct fake_message *const cards[2] = {card, other};
    char line[STAGE_LINE_SIZE];
    (void)snprintf(line, sizeof line, "%s",
                   card->controls[below(pair, (unsigned)card->control_count)].line);
    for (unsigned i = 0; i < 2; i++) {
        const struct chat_in in = {.place = PLACE, .person = NAMES[seat], .line = line};
        stage_press(&pair->side[i], pair->side[i].chat, cards[i], &in);
    }
}

static bool waits_for(const struct table_due *due, unsigned seat)
{
    return (due->clock == CLOCK_TURN || due->clock == CLOCK_DECISION) &&
           (due->seats >> seat & 1u) != 0;
}

// Somebody else moves, looks, presses, or time passes. False: only the secret seat could go on.
static bool step(struct pair *pair)
{
    static const char *const ASIDE[] = {"status",   "hand",    "log",    "why pass", "score",
                                        "why kick", "why run", "orders", "info",     "history"};
    const struct table_due due = table_due(stage_table(&pair->side[0], PLACE));
    const unsigned seat = (pair->secret + 1 + below(pair, pair->people - 1)) % pair->people;
    char line[STAGE_LINE_SIZE];
    pair->steps++;
    if (below(pair, 6) == 0) {
        say(pair, seat, ASIDE[below(pair, sizeof ASIDE / sizeof ASIDE[0])], below(pair, 2) == 0);
    } else if (below(pair, 8) == 0) {
        press(pair, seat);
    } else if (stage_think(&pair->side[0], PLACE, seat, &POLICY_RANDOM, &pair->rng, line)) {
        say(pair, seat, line, below(pair, 2) == 0);
    } else if (!waits_for(&due, pair->secret) && due.kind != TABLE_DUE_NEVER) {
        const int64_t ms = below(pair, 4) != 0 ? due.ms : due.ms / 2;
        stage_pass(&pair->side[0], ms);
        stage_pass(&pair->side[1], ms);
    } else {
        return !waits_for(&due, pair->secret);
    }
    return true;
}

static bool is_running(const struct pair *pair)
{
    const struct table *const a = stage_table(&pair->side[0], PLACE);
    const struct table *const b = stage_table(&pair->side[1], PLACE);
    return a != NULL && b != NULL && table_state(a) == TABLE_RUNNING &&
           table_state(b) == TABLE_RUNNING;
}

// Both halls, up to somewhere in a game; everybody plays, the secret seat too.
static void open_pair(struct pair *pair, const struct catalog *catalog)
{
    pair->people = 3 + below(pair, 2);
    pair->secret = below(pair, pair->people);
    const unsigned bots = below(pair, 3);
    for (unsigned i = 0; i < 2; i++) {
        chance_fix();
        stage_open(&pair->side[i], catalog);
        stage_pass(&pair->side[i], 1 + (int64_t)(pair->number % 1000));
        pair->side[i].lines = (unsigned long)pair->number * 1000;
        stage_start(&pair->side[i], "cellar", 2, 1);
        stage_start(&pair->side[i], PLACE, pair->people, bots);
        for (unsigned j = 0; j < pair->people; j++) {
            stage_whisper(&pair->side[i], NAMES[j], j < 2 ? "at 2" : "status");
        }
    }
    const unsigned opening = below(pair, OPENING_MAX);
    for (unsigned i = 0; i < opening && is_running(pair); i++) {
        const struct table_due due = table_due(stage_table(&pair->side[0], PLACE));
        const unsigned seat = below(pair, pair->people);
        char line[STAGE_LINE_SIZE];
        if (stage_think(&pair->side[0], PLACE, seat, &POLICY_RANDOM, &pair->rng, line)) {
            say(pair, seat, line, true);
        } else if (due.kind != TABLE_DUE_NEVER) {
            stage_pass(&pair->side[0], due.ms);
            stage_pass(&pair->side[1], due.ms);
        }
    }
    compare(pair, true);
}

// Whether what differs is still nobody else's to know: a hand may be taken from, or laid out.
static bool is_hidden(const struct pair *pair, const struct swap *swap)
{
    for (unsigned side = 0; side < 2; side++) {
        const struct game *const game = table_game(stage_table(&pair->side[side], PLACE));
        for (unsigned i = 0; i < swap->count; i++) {
            const uint16_t card = swap->cards[side][i];
            if (query_knowers(game, card) != seat_bit(swap->seat) ||
                query_where(game, card) != pile_hand(swap->seat)) {
                return false;
            }
        }
    }
    return true;
}

/* The two kinds. */

static bool play_hand(struct pair *pair)
{
    struct swap swap = {.seat = pair->secret, .seed = pair->number};
    stage_arrange(&pair->side[0], PLACE, swap_nothing, &swap);
    stage_arrange(&pair->side[1], PLACE, swap_hand, &swap);
    if (swap.count == 0) {
        return false;
    }
    compare(pair, true);
    while (pair->steps < STEPS_MAX && !pair->broken && is_running(pair) && step(pair)) {
        if (!is_running(pair) || !is_hidden(pair, &swap)) {
            break;
        }
        compare(pair, true);
    }
    return pair->steps > 0;
}

// Whether the secret seat may pass while at least two others have not: a moment goes on then.
static bool may_pass(const struct pair *pair)
{
    const struct table_due due = table_due(stage_table(&pair->side[0], PLACE));
    const struct game *const game = table_game(stage_table(&pair->side[0], PLACE));
    const unsigned passed =
        query_pause(game, PAUSE_WIN).passed | query_pause(game, PAUSE_ANSWER).passed;
    unsigned waits = 0;
    for (unsigned seat = 0; seat < pair->people; seat++) {
        waits += (due.seats & ~passed) >> seat & 1u;
    }
    return (due.clock == CLOCK_WINDOW || due.clock == CLOCK_ANSWER) && waits > 2 &&
           ((due.seats & ~passed) >> pair->secret & 1u) != 0;
}

static int64_t left_ms(const struct pair *pair)
{
    return is_running(pair) ? table_due(stage_table(&pair->side[0], PLACE)).clock_ms : 0;
}

static bool play_sealed(struct pair *pair)
{
    static const char *const ASIDE[LOOKS] = {"why pass", "status",   "why hold",
                                             "hand",     "why done", "why accept"};
    for (unsigned i = 0; i < 4 * STEPS_MAX && is_running(pair) && !may_pass(pair); i++) {
        const struct table_due due = table_due(stage_table(&pair->side[0], PLACE));
        const unsigned seat = below(pair, pair->people);
        char line[STAGE_LINE_SIZE];
        if (stage_think(&pair->side[0], PLACE, seat, &POLICY_ROOKIE, &pair->rng, line)) {
            say(pair, seat, line, true);
        } else if (due.kind != TABLE_DUE_NEVER) {
            stage_pass(&pair->side[0], due.ms);
            stage_pass(&pair->side[1], due.ms);
        }
    }
    if (!is_running(pair) || !may_pass(pair)) {
        return false;
    }
    // From half of a moment on the card says who has not passed.
    const int64_t half = left_ms(pair) / 2 + BREATH_MS;
    for (unsigned seat = 0; seat < pair->people; seat++) {
        say(pair, seat, "orders clear", true); // nobody is away and passes by a stand-in
    }
    compare(pair, true);
    if (!may_pass(pair)) {
        return false;
    }
    stage_whisper(&pair->side[0], NAMES[pair->secret], "status");
    stage_whisper(&pair->side[1], NAMES[pair->secret], "pass");
    compare(pair, false);
    for (unsigned i = 0;
         i < LOOKS && !pair->broken && left_ms(pair) - (int64_t)(i + 2) * BREATH_MS > half; i++) {
        const unsigned seat = (pair->secret + 1 + below(pair, pair->people - 1)) % pair->people;
        pair->steps++;
        say(pair, seat, ASIDE[i], below(pair, 2) == 0);
        compare(pair, false);
    }
    return true;
}

static bool play(const struct catalog *catalog, uint64_t number, bool sealed, bool *broken)
{
    static struct pair pair;
    uint8_t seed[32];
    pair = (struct pair){.number = number};
    mb_rng_seed_u64(seed, number);
    mb_rng_init(&pair.rng, seed);
    open_pair(&pair, catalog);
    const bool played = is_running(&pair) && (sealed ? play_sealed(&pair) : play_hand(&pair));
    *broken = pair.broken;
    stage_close(&pair.side[0]);
    stage_close(&pair.side[1]);
    return played;
}

int main(int argc, char **argv)
{
    unsigned long pairs = 20;
    uint64_t number = 1;
    bool sealed = false;
    const char *fault = NULL;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--pairs") == 0) {
            pairs = strtoul(argv[i + 1], NULL, 10);
        } else if (strcmp(argv[i], "--first") == 0) {
            number = strtoul(argv[i + 1], NULL, 10);
        } else if (strcmp(argv[i], "--kind") == 0) {
            sealed = strcmp(argv[i + 1], "sealed") == 0;
        } else if (strcmp(argv[i], "--plant") == 0) {
            fault = argv[i + 1];
        }
    }
    if (fault != NULL && !plant(fault)) {
        (void)fprintf(stderr, "halls: nothing can be planted as \"%s\" here\n", fault);
        return 2;
    }
    chance_fix(); // what libsodium draws once, when it begins, it has drawn now
    struct catalog *const catalog = given_catalog();
    unsigned long played = 0;
    unsigned long bad = 0;
    unsigned long idle = 0;
    while (played < pairs && idle < 20 * pairs && (fault == NULL || bad == 0)) {
        bool broken = false;
        const bool good = play(catalog, number++, sealed, &broken);
        played += good ? 1 : 0;
        idle += good ? 0 : 1;
        bad += broken ? 1 : 0;
    }
    catalog_destroy(catalog);
    (void)printf("%lu pairs, %lu came to nothing, %lu differ\n", played, idle, bad);
    const bool noticed = bad > 0;
    return noticed == (fault != NULL) && (fault != NULL || played == pairs) ? 0 : 1;
}
