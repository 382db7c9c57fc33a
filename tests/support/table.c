#include "tests/support/table.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/rng.h"
#include "core/loop/query.h"
#include "core/seen/moves.h"

#include "tests/support/test.h"

struct catalog *given_catalog(void)
{
    struct catalog *const catalog = catalog_load("cards", NULL);
    assert_non_null(catalog);
    return catalog;
}

void given_box(const struct catalog *catalog, const char *sets, struct box *out)
{
    uint8_t numbers[CATALOG_SETS_MAX];
    size_t count = 0;
    char words[128];
    struct mb_error err = {0};
    assert_true(strlen(sets) < sizeof words);
    memcpy(words, sets, strlen(sets) + 1);
    for (char *word = words; word != NULL;) {
        char *const comma = strchr(word, ',');
        if (comma != NULL) {
            *comma = '\0';
        }
        numbers[count] = catalog_find_set(catalog, word);
        assert_int_not_equal(numbers[count], NO_SET);
        count++;
        word = comma != NULL ? comma + 1 : NULL;
    }
    const enum edition house = (enum edition)catalog_set(catalog, numbers[0])->edition;
    if (!catalog_box(catalog, numbers, count, house, out, &err)) {
        fail_msg("%s", err.text);
    }
}

struct game *given_game(const struct box *box, unsigned seats, uint64_t seed)
{
    struct game *const game = calloc(1, game_size());
    struct game_setup setup = {.seat_count = (uint8_t)seats};
    assert_non_null(game);
    mb_rng_seed_u64(setup.seed, seed);
    game_create(game, box, &setup, NULL);
    return game;
}

static bool play_one(struct game *game, const struct box *box, struct move_list *moves,
                     struct mb_rng *rng)
{
    struct command command = {.verb = VERB_ELAPSE, .seat = NO_SEAT, .card = NO_CARD};
    const unsigned seats = query_seat_count(game);
    const unsigned first = mb_rng_below(rng, seats);
    bool found = false;
    for (unsigned i = 0; i < seats && !found; i++) {
        moves->count = 0;
        moves_list(game, box, (first + i) % seats, moves);
        if (moves->count > 0) {
            move_sample(game, box, &moves->items[mb_rng_below(rng, moves->count)], rng, &command);
            found = true;
        }
    }
    if (!found || mb_rng_below(rng, 8) == 0) {
        command = (struct command){.verb = VERB_ELAPSE,
                                   .seat = NO_SEAT,
                                   .card = NO_CARD,
                                   .n = (int16_t)query_clock(game).kind};
    }
    struct refusal why = {0};
    return game_step(game, box, &command, NULL, &why);
}

void given_play(struct game *game, const struct box *box, unsigned commands, uint64_t seed)
{
    struct move_list moves = {.items = calloc(MB_MOVES_MAX, sizeof *moves.items),
                              .capacity = MB_MOVES_MAX};
    struct mb_rng rng;
    uint8_t bytes[32];
    assert_non_null(moves.items);
    mb_rng_seed_u64(bytes, seed);
    mb_rng_init(&rng, bytes);
    for (unsigned i = 0; i < commands && query_phase(game) != PHASE_OVER; i++) {
        (void)play_one(game, box, &moves, &rng);
    }
    free(moves.items);
}
