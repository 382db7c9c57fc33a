// Whole games through a hall, a fake chat and a store in memory: people whom policies play type
// their lines, aloud or in private, and what must hold at a table is checked after every command as
// `munchbot simulate --check=sample` does. Nothing else than commands may change the game, what a
// policy types must be accepted, and every game must end.
//   hall_games [--games N] [--first N] [--plant FAULT]
// Exit 0: all held; with a fault planted (hall_games_planted): something did not.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/hall/hall_limits.h"
#include "bot/tools/invariants.h"

#include "tests/support/chance.h"
#include "tests/support/stage.h"
#include "tests/support/test.h"
#include "tests/twins/plant.h"

enum {
    SEATS_MIN = 3,
    SEATS_DIFFER = 4,
    POLICIES = 4,
    DEEDS_MAX = 50000,
    EVENTS_A_GAME = 100000,
    PRINTED_MAX = 20
};

static const char PLACE[] = "tavern";
static const char *const NAMES[MB_SEATS_MAX] = {"Ann", "Bob", "Cy", "Dot", "Eli", "Fay"};

struct playing {
    struct stage stage;
    struct mb_rng rng;
    const struct box *box;
    struct invariants *invariants;
    struct move_list moves;
    struct game *last; // as the last command left it
    uint64_t number;
    unsigned people, seats;
    unsigned long step;                         // commands of this game
    unsigned long games, steps, lines, haggled; // of all
    unsigned long violations;
};

static void complain(void *user, const char *what)
{
    struct playing *const playing = user;
    if (playing->violations++ < PRINTED_MAX) {
        (void)printf("game %lu, step %lu: %s\n", (unsigned long)playing->number, playing->step,
                     what);
    }
}

static void check_lists(struct playing *playing, const struct game *game)
{
    const bool due = playing->step % INVARIANTS_SAMPLE == 0;
    for (unsigned seat = 0; seat < playing->seats && due; seat++) {
        playing->moves.count = 0;
        playing->moves.overflow = false;
        moves_list(game, playing->box, seat, &playing->moves);
        invariants_seat(playing->invariants, game, seat, &playing->moves, playing->step);
    }
}

static void watch(void *user, const struct table_step *step)
{
    struct playing *const playing = user;
    if (playing->step++ > 0 && !game_same(playing->last, step->before)) {
        complain(playing, "the game changed without a command");
    }
    invariants_command(playing->invariants, step, playing->step);
    check_lists(playing, step->after);
    game_copy(playing->last, step->after);
}

static const struct table *table_of(const struct playing *playing)
{
    const struct table *const table = stage_table(&playing->stage, PLACE);
    assert_non_null(table);
    return table;
}

// Whether nothing but the table's bound on haggling refused what a person has just said.
static bool haggled(const struct playing *playing, size_t heard)
{
    for (size_t i = heard; i < fake_count(playing->stage.chat); i++) {
        const struct refusal *const why = &fake_message(playing->stage.chat, i)->refusal;
        const bool by_rule = why->rule != NULL && why->rule[0] != '\0';
        if (why->code == REFUSAL_LIMIT_REACHED && !by_rule) {
            return true;
        }
    }
    return false;
}

static void say(struct playing *playing, unsigned seat, const char *line)
{
    struct stage *const stage = &playing->stage;
    char room[STAGE_LINE_SIZE];
    const bool aloud = mb_rng_below(&playing->rng, 2) == 0;
    (void)snprintf(room, sizeof room, "private room of %s", NAMES[seat]);
    const struct chat_in in = {.place = aloud ? PLACE : room,
                               .person = NAMES[seat],
                               .line = line,
                               .direct = !aloud,
                               .open = aloud};
    const size_t heard = fake_count(stage->chat);
    const unsigned long before = playing->step;
    stage_hear(stage, stage->chat, &in);
    playing->lines++;
    if (playing->step == before && haggled(playing, heard)) {
        playing->haggled++;
    } else if (playing->step == before) {
        char what[2 * STAGE_LINE_SIZE];
        (void)snprintf(what, sizeof what, "%s is not to say: %s", NAMES[seat], line);
        complain(playing, what);
    }
}

// Somebody who wants to says something; false: nobody does.
static bool speak(struct playing *playing)
{
    static const struct policy *const POLICY[POLICIES] = {&POLICY_RANDOM, &POLICY_ROOKIE,
                                                          &POLICY_REGULAR, &POLICY_RUTHLESS};
    const struct game *const game = table_game(table_of(playing));
    const struct pause answer = query_pause(game, PAUSE_ANSWER);
    const struct pause window = query_pause(game, PAUSE_WIN);
    const unsigned passed = answer.kind != PAUSE_NONE   ? answer.passed
                            : window.kind != PAUSE_NONE ? window.passed
                                                        : 0;
    const unsigned first = mb_rng_below(&playing->rng, playing->people);
    for (unsigned i = 0; i < playing->people; i++) {
        const unsigned seat = (first + i) % playing->people;
        const struct policy *const policy = POLICY[(seat + playing->number) % POLICIES];
        char line[STAGE_LINE_SIZE];
        if (stage_think(&playing->stage, PLACE, seat, policy, &playing->rng, line) &&
            (strcmp(line, "pass") != 0 || (passed >> seat & 1u) == 0)) {
            say(playing, seat, line);
            return true;
        }
    }
    return false;
}

// A table of three to six, in one game of four one of them a bot player.
static void open_table(struct playing *playing, const struct catalog *catalog)
{
    struct stage *const stage = &playing->stage;
    uint8_t seed[32];
    chance_fix();
    stage_open(stage, catalog);
    stage->lines = (unsigned long)playing->number * EVENTS_A_GAME;
    mb_rng_seed_u64(seed, playing->number);
    mb_rng_init(&playing->rng, seed);
    const unsigned bots = mb_rng_below(&playing->rng, 4) == 0 ? 1 : 0;
    playing->seats = SEATS_MIN + (unsigned)(playing->number % SEATS_DIFFER);
    playing->people = playing->seats - bots;
    playing->step = 0;
    hall_watch(stage->hall, &(struct table_watcher){.step = watch, .user = playing});
    stage_say(stage, PLACE, NAMES[0], "new sets=classic");
    for (unsigned i = 1; i < playing->people; i++) {
        stage_say(stage, PLACE, NAMES[i], "join");
    }
    if (bots > 0) {
        stage_say(stage, PLACE, NAMES[0], "add-bot");
    }
    stage_say(stage, PLACE, NAMES[0], "start");
    assert_int_equal(table_state(table_of(playing)), TABLE_RUNNING);
}

static void play(struct playing *playing, const struct catalog *catalog)
{
    open_table(playing, catalog);
    for (unsigned i = 0; i < DEEDS_MAX && table_state(table_of(playing)) == TABLE_RUNNING; i++) {
        stage_pass(&playing->stage, HALL_PERSON_REFILL_MS);
        if (table_state(table_of(playing)) == TABLE_RUNNING && !speak(playing)) {
            stage_wait(&playing->stage, PLACE);
        }
    }
    if (query_phase(playing->last) != PHASE_OVER ||
        !game_same(playing->last, table_game(table_of(playing)))) {
        complain(playing, "the game did not come to its end");
    }
    playing->games++;
    playing->steps += playing->step;
    stage_close(&playing->stage);
}

static void box_make(const struct catalog *catalog, struct box *box)
{
    struct mb_error err = {0};
    struct table_options options;
    table_options_init(&options);
    assert_true(table_options_sets(&options, catalog, "classic", &err) &&
                table_options_box(&options, catalog, box, &err));
}

int main(int argc, char **argv)
{
    static const char *const DIRS[] = {"cards/classic"};
    static struct playing playing = {.number = 1};
    static struct box box;
    unsigned long games = 8;
    const char *fault = NULL;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--games") == 0) {
            games = strtoul(argv[i + 1], NULL, 10);
        } else if (strcmp(argv[i], "--first") == 0) {
            playing.number = strtoul(argv[i + 1], NULL, 10);
        } else if (strcmp(argv[i], "--plant") == 0) {
            fault = argv[i + 1];
        }
    }
    if (fault != NULL && !plant(fault)) {
        (void)fprintf(stderr, "hall_games: nothing can be planted as \"%s\" here\n", fault);
        return 2;
    }
    struct catalog *const catalog = catalog_load_sets(DIRS, 1, NULL);
    assert_non_null(catalog);
    box_make(catalog, &box);
    playing.box = &box;
    playing.last = calloc(1, game_size());
    playing.moves = (struct move_list){.items = calloc(MB_MOVES_MAX, sizeof *playing.moves.items),
                                       .capacity = MB_MOVES_MAX};
    playing.invariants =
        invariants_create(&box, &(struct invariants_sink){.report = complain, .user = &playing});
    assert_non_null(playing.invariants);
    while (playing.games < games && (fault == NULL || playing.violations == 0)) {
        play(&playing, catalog);
        playing.number++;
    }
    (void)printf("%lu games, %lu lines, %lu refused as haggling, %lu commands, %lu violations\n",
                 playing.games, playing.lines, playing.haggled, playing.steps, playing.violations);
    invariants_destroy(playing.invariants);
    free(playing.moves.items);
    free(playing.last);
    catalog_destroy(catalog);
    return (playing.violations > 0) == (fault != NULL) ? 0 : 1;
}
