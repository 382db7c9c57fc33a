/*
 * Fuzzes the decoder of stored states: any bytes are refused, or are a state that everything that
 * looks at states survives, and that is encoded as the same bytes again.
 *
 * The first byte picks the box; the rest is a snapshot without its head and checksum, see
 * fuzz_snapshot(). mutate_state.c changes states field by field.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base/rng.h"
#include "core/codec/snapshot.h"
#include "core/loop/query.h"

#include "bot/render/render.h"

#include "tests/fuzz/fuzz.h"

enum { TEXT_SIZE = 32768, TRIED = 6 };

static struct game *game, *other, *view;
static struct event_list events;
static struct scene *scene;

static void close_all(void)
{
    free(game);
    free(other);
    free(view);
    free(events.items);
    scene_destroy(scene);
}

static void open_once(void)
{
    if (game != NULL) {
        return;
    }
    game = calloc(1, game_size());
    other = calloc(1, game_size());
    view = calloc(1, game_size());
    events.items = calloc(MB_EVENTS_MAX, sizeof *events.items);
    events.capacity = MB_EVENTS_MAX;
    scene = scene_create();
    if (game == NULL || other == NULL || view == NULL || events.items == NULL) {
        fuzz_fail("not enough memory");
    }
    (void)atexit(close_all);
}

// A command or a clock that runs out, decided on a copy: refused or not, nothing breaks.
static void decide(const struct box *box, const struct command *command)
{
    struct refusal why = {0};
    events.count = 0;
    events.overflow = false;
    if (!game_decide(game, box, command, other, &events, &why) && why.code == REFUSAL_NONE) {
        fuzz_fail("verb %u is refused without a code", command->verb);
    }
}

static void look(const struct box *box, unsigned viewer)
{
    static const char *const NAMES[MB_SEATS_MAX] = {"Ann", "Bob", "Cy", "Dot", "Eli", "Fay"};
    static char text[TEXT_SIZE];
    game_redact(game, box, viewer, view);
    struct table_words words = {
        .catalog = fuzz_catalog(), .box = box, .view = view, .seat = viewer};
    memcpy(words.players, NAMES, sizeof NAMES);
    scene_make(scene, &words, SAYS_OWN);
    (void)render_table(scene, text, sizeof text);
    fuzz_check_text(text);
    (void)render_hand(scene, text, sizeof text);
    fuzz_check_text(text);
    (void)render_question(scene, text, sizeof text);
    fuzz_check_text(text);
    (void)render_help(&words, NULL, text, sizeof text);
    (void)render_score(&words, text, sizeof text);
    (void)render_brief(&words, text, sizeof text);
}

static void survive(const struct box *box)
{
    struct mb_rng rng;
    const uint8_t seed[32] = {1};
    mb_rng_init(&rng, seed);
    look(box, NO_SEAT);
    for (unsigned seat = 0; seat < query_seat_count(game); seat++) {
        look(box, seat);
        (void)fuzz_moves(view, box, seat);
        const struct move_list *const list = fuzz_moves(game, box, seat);
        for (unsigned i = 0; i < TRIED && list->count > 0; i++) {
            struct command command;
            const uint32_t which = mb_rng_below(&rng, list->count);
            move_sample(game, box, &list->items[which], &rng, &command);
            decide(box, &command);
        }
    }
    for (unsigned clock = CLOCK_NONE; clock <= CLOCK_WINDOW; clock++) {
        const struct command command = {.verb = VERB_ELAPSE,
                                        .seat = NO_SEAT,
                                        .card = NO_CARD,
                                        .to = NO_SEAT,
                                        .about = NO_SEAT,
                                        .n = (int16_t)clock};
        decide(box, &command);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static unsigned char bytes[SNAPSHOT_SIZE_MAX];
    static unsigned char again[SNAPSHOT_SIZE_MAX];
    open_once();
    const struct box *const box = fuzz_box(size > 0 && data[0] % 2 != 0);
    struct mb_error err = {0};
    const size_t length = fuzz_snapshot(data, size, box, bytes);
    if (length == 0) {
        return 0;
    }
    if (!snapshot_decode(bytes, length, box, game, &err)) {
        if (err.code == MB_OK || err.text[0] == '\0') {
            fuzz_fail("refused without a reason");
        }
        return 0;
    }
    const size_t written = snapshot_encode(game, again, sizeof again);
    if (written != length || memcmp(bytes, again, length) != 0) {
        fuzz_fail("what was decoded is encoded as other bytes");
    }
    survive(box);
    return 0;
}
