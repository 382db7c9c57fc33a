/*
 * Fuzzes the options of `new`: any words are refused with one line, or make a table that can
 * be played, invariants and all, with as many seats as were asked for.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base/limits.h"

#include "bot/table/options.h"
#include "bot/text/text.h"
#include "bot/tools/invariants.h"

#include "tests/fuzz/fuzz.h"

enum { WORDS_SIZE = 1024, COMMANDS = 24 };

static void complain(void *user, const char *what)
{
    (void)user;
    fuzz_fail("%s", what);
}

static void is_explained(const struct mb_error *err)
{
    if (err->code == MB_OK || err->text[0] == '\0' || strchr(err->text, '\n') != NULL) {
        fuzz_fail("refused without a sentence: \"%s\"", err->text);
    }
}

static void play(const struct box *box, unsigned seats, uint64_t seed)
{
    static struct game *game;
    if (game == NULL) {
        game = calloc(1, game_size());
    }
    const struct invariants_sink sink = {.report = complain};
    struct invariants *const check = invariants_create(box, &sink);
    if (game == NULL) {
        fuzz_fail("no memory");
    }
    memset(game, 0, game_size());
    fuzz_game(game, box, seats, COMMANDS, seed);
    invariants_state(check, game);
    invariants_destroy(check);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct box box;
    char words[WORDS_SIZE];
    struct table_options options;
    struct mb_error err = {0};
    const size_t length = size < sizeof words ? size : sizeof words - 1;
    if (length > 0) {
        memcpy(words, data, length);
    }
    words[length] = '\0';
    text_clean(words, words, sizeof words); // as whoever shows an error does
    table_options_init(&options);
    if (!table_options_words(&options, fuzz_catalog(), words, &err)) {
        is_explained(&err);
        return 0;
    }
    if (options.set_count == 0) { // as a table that names none
        if (!table_options_sets(&options, fuzz_catalog(), "classic", &err)) {
            fuzz_fail("%s", err.text);
        }
    }
    if (!table_options_box(&options, fuzz_catalog(), &box, &err)) {
        is_explained(&err);
        return 0;
    }
    const int16_t *const constant = box.profile.constant;
    const unsigned seats =
        options.seats != 0 ? options.seats : (unsigned)constant[PROFILE_SEATS_MIN];
    if (seats < MB_SEATS_MIN || seats > MB_SEATS_MAX || box.card_count == 0) {
        fuzz_fail("a table of %u seats and %u cards", seats, (unsigned)box.card_count);
    }
    play(&box, seats, length);
    return 0;
}
