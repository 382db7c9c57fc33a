/*
 * Fuzzes the loader of cards: any text is refused with sentences, or makes cards that can be
 * described, mixed into a game with the classic set and played there, invariants and all.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base/rng.h"
#include "core/codec/box_limits.h"
#include "core/codec/describe.h"
#include "core/loop/arrange.h"
#include "core/loop/query.h"

#include "bot/tools/invariants.h"

#include "tests/fuzz/fuzz.h"

enum { SEATS = 4, ROUNDS = 3, COMMANDS = 12 };

static struct game *game;
static struct catalog_issues issues;

static void complain(void *user, const char *what)
{
    (void)user;
    fuzz_fail("%s", what);
}

static void free_game(void)
{
    free(game);
}

// The new cards into the first hand cards of the same deck, seat by seat.
static void deal_new(const struct box *box, unsigned first_def, unsigned def_count)
{
    unsigned next[2] = {0, 0};
    for (unsigned card = 0; card < box->card_count; card++) {
        const unsigned def = box->card_def[card];
        const unsigned deck = box->defs[def].deck;
        if (def < first_def || def >= first_def + def_count ||
            query_in_hand(game, (uint16_t)card)) {
            continue;
        }
        for (unsigned held = next[deck]; held < box->card_count; held++) {
            const unsigned other = box->card_def[held];
            const bool is_new = other >= first_def && other < first_def + def_count;
            if (query_in_hand(game, (uint16_t)held) && !is_new && box->defs[other].deck == deck) {
                arrange_swap(game, (uint16_t)card, (uint16_t)held);
                next[deck] = held + 1;
                break;
            }
        }
    }
}

static void play(const struct catalog *catalog, uint8_t set, uint64_t seed)
{
    const uint8_t sets[] = {catalog_find_set(catalog, "classic"), set};
    struct box box;
    struct mb_error err = {0};
    if (!catalog_box(catalog, sets, sizeof sets, EDITION_CLASSIC, &box, &err)) {
        return;
    }
    if (!box_limits_hold(catalog, &box, &err)) { // no table is made of such a mix
        fuzz_check_text(err.text);
        return;
    }
    struct game_setup setup = {.seat_count = SEATS, .female = {0, 1}};
    mb_rng_seed_u64(setup.seed, seed);
    game_create(game, &box, &setup, NULL);
    const struct catalog_set *const added = catalog_set(catalog, set);
    deal_new(&box, added->first_def, added->def_count);
    const struct invariants_sink sink = {.report = complain};
    struct invariants *const invariants = invariants_create(&box, &sink);
    for (unsigned i = 0; i < ROUNDS; i++) {
        fuzz_play(game, &box, COMMANDS, seed + i);
        invariants_state(invariants, game);
        invariants_encoding(invariants, game);
        const unsigned seat = i % SEATS;
        invariants_view(invariants, game, seat, fuzz_moves(game, &box, seat));
    }
    invariants_destroy(invariants);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char text[DESCRIBE_SIZE];
    struct catalog *const catalog = fuzz_catalog();
    if (game == NULL) {
        game = calloc(1, game_size());
        if (game == NULL) {
            fuzz_fail("not enough memory");
        }
        (void)atexit(free_game);
    }
    uint8_t set = NO_SET;
    issues.count = 0;
    issues.errors = 0;
    issues.notes = 0;
    if (!catalog_add_text(catalog, (const char *)data, size, "fuzz", &set, &issues)) {
        if (issues.errors == 0) {
            fuzz_fail("refused without a sentence");
        }
        for (size_t i = 0; i < issues.count; i++) {
            fuzz_check_text(issues.list[i].text);
        }
        return 0;
    }
    const struct catalog_set *const added = catalog_set(catalog, set);
    for (unsigned def = added->first_def; def < added->first_def + (unsigned)added->def_count;
         def++) {
        (void)describe_card(catalog, def, text, sizeof text);
        fuzz_check_text(text);
    }
    play(catalog, set, size);
    catalog_rewind(catalog, set);
    return 0;
}
