#include "tests/support/fixture.h"

#include <stdlib.h>
#include <string.h>

#include "bot/policy/policy.h"

#include "tests/support/test.h"

static const char *const NAMES[FIXTURE_SEATS] = {"Ann", "Bob", "Cy"};

static void *grab(size_t size)
{
    void *const block = calloc(1, size);
    assert_non_null(block);
    return block;
}

static void refresh(struct fixture *fixture)
{
    for (unsigned seat = 0; seat < FIXTURE_SEATS; seat++) {
        game_redact(fixture->game, &fixture->box, seat, fixture->views[seat]);
    }
    game_redact(fixture->game, &fixture->box, NO_SEAT, fixture->views[MB_SEATS_MAX]);
}

void fixture_open(struct fixture *fixture, const char *cards)
{
    static const char *const SETS[] = {"cards/classic"};
    static const uint8_t SEED[32] = {7};
    struct mb_error err = {0};
    uint8_t sets[2] = {0, NO_SET};
    size_t count = 1;
    *fixture = (struct fixture){0};
    fixture->catalog = catalog_load_sets(SETS, 1, NULL);
    assert_non_null(fixture->catalog);
    if (cards != NULL) {
        assert_true(
            catalog_add_text(fixture->catalog, cards, strlen(cards), "test", &sets[1], NULL));
        count = 2;
    }
    if (!catalog_box(fixture->catalog, sets, count, EDITION_CLASSIC, &fixture->box, &err)) {
        fail_msg("no box: %s", err.text);
    }
    fixture->game = grab(game_size());
    fixture->after = grab(game_size());
    for (unsigned i = 0; i <= MB_SEATS_MAX; i++) {
        fixture->views[i] = grab(game_size());
    }
    fixture->events.items = grab(MB_EVENTS_MAX * sizeof *fixture->events.items);
    fixture->events.capacity = MB_EVENTS_MAX;
    arrange_begin(fixture->game, &fixture->box, FIXTURE_SEATS, SEED);
    for (unsigned seat = 0; seat < FIXTURE_SEATS; seat++) {
        arrange_seat(fixture->game, seat, 1, seat != FIXTURE_BOB, false, true);
    }
}

void fixture_close(struct fixture *fixture)
{
    message_list_finish(&fixture->said);
    free(fixture->events.items);
    for (unsigned i = 0; i <= MB_SEATS_MAX; i++) {
        free(fixture->views[i]);
    }
    free(fixture->after);
    free(fixture->game);
    catalog_destroy(fixture->catalog);
}

static uint16_t find(struct fixture *fixture, const char *name)
{
    const uint16_t def = catalog_find_def(fixture->catalog, name, NO_SET);
    if (def == NO_DEF) {
        fail_msg("no card \"%s\"", name);
    }
    const uint16_t card = arrange_find(fixture->game, &fixture->box, def);
    if (card == NO_CARD) {
        fail_msg("no \"%s\" is left", name);
    }
    return card;
}

uint16_t fixture_card(struct fixture *fixture, const char *name, unsigned pile, unsigned flags)
{
    const uint16_t card = find(fixture, name);
    arrange_card(fixture->game, card, pile, flags, NO_CARD);
    return card;
}

void fixture_next(struct fixture *fixture, unsigned pile, const char *name)
{
    const uint16_t card = find(fixture, name);
    arrange_top(fixture->game, pile, &card, 1);
}

void fixture_begin(struct fixture *fixture)
{
    assert_true(arrange_finish(fixture->game, &fixture->box, FIXTURE_ANN, PHASE_START, NULL));
    refresh(fixture);
}

struct table_words fixture_words(struct fixture *fixture, unsigned seat)
{
    struct table_words words = {.catalog = fixture->catalog,
                                .box = &fixture->box,
                                .view = fixture->views[seat < FIXTURE_SEATS ? seat : MB_SEATS_MAX],
                                .seat = seat};
    for (unsigned i = 0; i < FIXTURE_SEATS; i++) {
        words.players[i] = NAMES[i];
    }
    return words;
}

static void narrate(struct fixture *fixture)
{
    struct table_words words = fixture_words(fixture, NO_SEAT);
    refresh(fixture);
    if (fixture->told == NULL) {
        message_list_clear(&fixture->said);
    }
    words.told = fixture->told;
    words.bots = fixture->bots;
    words.telling = fixture->told != NULL ? &fixture->telling : NULL;
    assert_false(fixture->events.overflow);
    render_events(&words, (const struct game *const *)fixture->views, fixture->events.items,
                  fixture->events.count, &fixture->said);
}

void fixture_deal(struct fixture *fixture, uint64_t seed)
{
    struct game_setup setup = {.seat_count = FIXTURE_SEATS, .female = {1, 0, 1}};
    mb_rng_seed_u64(setup.seed, seed);
    fixture->events.count = 0;
    game_create(fixture->game, &fixture->box, &setup, &fixture->events);
    narrate(fixture);
}

bool fixture_submit(struct fixture *fixture, const struct command *command, struct refusal *why)
{
    *why = (struct refusal){0};
    fixture->events.count = 0;
    if (!game_decide(fixture->game, &fixture->box, command, fixture->after, &fixture->events,
                     why)) {
        return false;
    }
    game_copy(fixture->game, fixture->after);
    narrate(fixture);
    return true;
}

bool fixture_do(struct fixture *fixture, unsigned seat, const char *line, struct refusal *why)
{
    const struct table_words words = fixture_words(fixture, seat);
    struct request request = {0};
    struct parse_error error = {0};
    if (!parse_request(&words, line, &request, &error)) {
        *why = error.why;
        return false;
    }
    request.command.seat = (uint8_t)seat;
    return fixture_submit(fixture, &request.command, why);
}

const char *fixture_said(const struct fixture *fixture, unsigned seat)
{
    for (size_t i = 0; i < fixture->said.count; i++) {
        const struct message *const message = &fixture->said.items[i];
        const bool table = message->to == MESSAGE_TABLE;
        if (seat == NO_SEAT ? table : message->to == MESSAGE_PRIVATE && message->seat == seat) {
            return message->text;
        }
    }
    return "";
}

bool fixture_random(struct fixture *fixture, struct move_list *moves, struct mb_rng *rng,
                    struct command *out)
{
    const unsigned seats = moves_seats(fixture->game, &fixture->box);
    unsigned seat = mb_rng_below(rng, FIXTURE_SEATS);
    while (seats != 0 && (seats & seat_bit(seat)) == 0) {
        seat = (seat + 1) % FIXTURE_SEATS;
    }
    moves->count = 0;
    moves_list(fixture->views[seat], &fixture->box, seat, moves);
    const struct policy_input input = {.view = fixture->views[seat],
                                       .box = &fixture->box,
                                       .moves = moves,
                                       .seat = seat,
                                       .rng = rng};
    return seats != 0 && moves->count > 0 && POLICY_RANDOM.choose(&input, out);
}
