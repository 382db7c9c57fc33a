#include "tests/fuzz/fuzz.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/rng.h"
#include "core/codec/coder.h"
#include "core/codec/snapshot.h"
#include "core/loop/query.h"

#include "bot/table/options.h"

void fuzz_fail(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)fputs("fuzz: ", stderr);
    (void)vfprintf(stderr, format, args);
    (void)fputc('\n', stderr);
    va_end(args);
    abort();
}

static struct catalog *catalog;
static struct move_list moves;

static void free_all(void)
{
    catalog_destroy(catalog);
    free(moves.items);
}

struct catalog *fuzz_catalog(void)
{
    if (catalog == NULL) {
        catalog = catalog_load("cards", NULL);
        moves.items = calloc(MB_MOVES_MAX, sizeof *moves.items);
        moves.capacity = MB_MOVES_MAX;
        if (catalog == NULL || moves.items == NULL) {
            fuzz_fail("no card sets or no memory: run it in the repository's root");
        }
        (void)atexit(free_all);
    }
    return catalog;
}

const struct box *fuzz_box(bool all)
{
    static struct box boxes[2];
    static bool made[2];
    if (!made[all]) {
        const char *const sets = all ? "classic,legends,pathfinder,super,conan" : "classic";
        struct table_options options;
        struct mb_error err = {0};
        table_options_init(&options);
        if (!table_options_sets(&options, fuzz_catalog(), sets, &err) ||
            !table_options_box(&options, fuzz_catalog(), &boxes[all], &err)) {
            fuzz_fail("%s", err.text);
        }
        made[all] = true;
    }
    return &boxes[all];
}

struct move_list *fuzz_moves(const struct game *game, const struct box *box, unsigned seat)
{
    (void)fuzz_catalog();
    moves.count = 0;
    moves.overflow = false;
    moves_list(game, box, seat, &moves);
    return &moves;
}

void fuzz_play(struct game *game, const struct box *box, unsigned commands, uint64_t seed)
{
    uint8_t bytes[32];
    struct mb_rng rng;
    mb_rng_seed_u64(bytes, seed);
    mb_rng_init(&rng, bytes);
    for (unsigned i = 0; i < commands && query_phase(game) != PHASE_OVER; i++) {
        struct command command = {.verb = VERB_ELAPSE,
                                  .seat = NO_SEAT,
                                  .card = NO_CARD,
                                  .to = NO_SEAT,
                                  .about = NO_SEAT,
                                  .n = (int16_t)query_clock(game).kind};
        const unsigned seat = mb_rng_below(&rng, query_seat_count(game));
        const struct move_list *const list = fuzz_moves(game, box, seat);
        if (list->count > 0 && mb_rng_below(&rng, 8) != 0) {
            const uint32_t which = mb_rng_below(&rng, list->count);
            move_sample(game, box, &list->items[which], &rng, &command);
        }
        struct refusal why = {0};
        (void)game_step(game, box, &command, NULL, &why);
    }
}

void fuzz_game(struct game *game, const struct box *box, unsigned seats, unsigned commands,
               uint64_t seed)
{
    struct game_setup setup = {.seat_count = (uint8_t)seats, .female = {0, 1}};
    mb_rng_seed_u64(setup.seed, seed);
    game_create(game, box, &setup, NULL);
    fuzz_play(game, box, commands, ~seed);
}

size_t fuzz_snapshot(const uint8_t *data, size_t size, const struct box *box, unsigned char *out)
{
    const unsigned char head[FUZZ_HEAD] = {'M',
                                           'B',
                                           'G',
                                           SNAPSHOT_FORM,
                                           (unsigned char)(box->card_count & 0xFFu),
                                           (unsigned char)(box->card_count >> 8)};
    if (size < 1 || size - 1 + FUZZ_HEAD + FUZZ_CHECK > SNAPSHOT_SIZE_MAX) {
        return 0;
    }
    memcpy(out, head, FUZZ_HEAD);
    memcpy(out + FUZZ_HEAD, data + 1, size - 1);
    const size_t summed = FUZZ_HEAD + size - 1;
    coder_store_u32(out + summed, coder_sum(out, summed));
    return summed + FUZZ_CHECK;
}

// Bytes that a letter of UTF-8 takes, 0 if it is none or one that nobody sees.
static unsigned letter(const unsigned char *at)
{
    static const uint32_t LEAST[] = {0, 0, 0x80, 0x800, 0x10000};
    if (at[0] < 0x80) {
        return at[0] == '\n' || (at[0] >= ' ' && at[0] != 0x7F) ? 1 : 0;
    }
    if (at[0] < 0xC2 || at[0] >= 0xF5) {
        return 0;
    }
    unsigned length = 2u + (at[0] >= 0xE0) + (at[0] >= 0xF0);
    uint32_t code = at[0] & (0xFFu >> (length + 1));
    for (unsigned i = 1; i < length; i++) {
        if ((at[i] & 0xC0u) != 0x80) {
            return 0;
        }
        code = code << 6 | (at[i] & 0x3Fu);
    }
    const bool control =
        code < 0xA0 || (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
    const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    return code < LEAST[length] || code > 0x10FFFF || surrogate || control ? 0 : length;
}

void fuzz_check_text(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    while (*at != '\0') {
        const unsigned length = letter(at);
        if (length == 0) {
            fuzz_fail("no clean text from here: %s", (const char *)at);
        }
        at += length;
    }
}
