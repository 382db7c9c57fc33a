#include "bot/tools/simulate.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base/rng.h"
#include "core/codec/memory.h"
#include "core/game.h"
#include "core/loop/query.h"

#include "bot/cards_dir.h"
#include "bot/cmd/arguments.h"
#include "bot/cmd/cmd.h"
#include "bot/parse/parse.h"
#include "bot/table/options.h"
#include "bot/tools/invariants.h"
#include "bot/tools/solo.h"

/* The table at which a checked game is played along. */

enum { LINE_SIZE = 4096, DUE_MAX = 16 };

static const char *const NAMES[MB_SEATS_MAX] = {"Ann", "Bob", "Cy", "Dot Two", "Eli of Bob", "Fay"};
static const char *const LOOKS[] = {"status", "hand", "help", "score", "log", "orders"};

struct simulate_table {
    const struct box *box;
    struct solo *solo;
    struct command command; // the last one that the session carried out
    unsigned steps;         // those since the last look
    struct game *before;
    char line[LINE_SIZE];
};

static void note_step(void *user, const struct table_step *step)
{
    struct simulate_table *const table = user;
    table->command = *step->command;
    table->steps++;
}

struct simulate_table *simulate_table_create(const struct catalog *catalog, const struct box *box)
{
    struct simulate_table *const table = mb_new(1, sizeof *table);
    table->box = box;
    table->before = mb_new(1, game_size());
    table->solo = solo_create(catalog);
    solo_watch(table->solo, &(struct solo_watcher){.step = note_step, .user = table});
    return table;
}

void simulate_table_destroy(struct simulate_table *table)
{
    if (table != NULL) {
        solo_destroy(table->solo);
        free(table->before);
        free(table);
    }
}

const struct game *simulate_table_game(const struct simulate_table *table)
{
    return solo_game(table->solo);
}

void simulate_table_begin(struct simulate_table *table, const struct game *game)
{
    solo_adopt(table->solo, table->box, game, NAMES, PACE_LIVE);
    message_list_clear(solo_outbox(table->solo));
}

// Moves time until a clock has run out; reminders come on the way.
static void wait_for_clock(struct simulate_table *table)
{
    for (unsigned i = 0; i < DUE_MAX && table->steps == 0; i++) {
        const struct table_due due = solo_due(table->solo);
        if (due.kind == TABLE_DUE_NEVER) {
            return;
        }
        solo_advance(table->solo, due.ms);
    }
}

static void elapse_at_table(struct simulate_table *table, const struct command *command)
{
    const bool acts_for_somebody = command->n == CLOCK_TURN || command->n == CLOCK_DECISION;
    (void)snprintf(table->line, sizeof table->line, "(clock %d)", command->n);
    if (acts_for_somebody) { // there a session has a stand-in
        (void)solo_submit(table->solo, command, NULL);
    } else {
        wait_for_clock(table);
    }
}

static bool type_command(struct simulate_table *table, const struct command *command,
                         char fault[SIMULATE_FAULT_SIZE])
{
    struct table_words words;
    struct refusal why = {0};
    solo_words(table->solo, command->seat, &words);
    const size_t length = parse_format(&words, command, table->line, sizeof table->line);
    bool done = length < sizeof table->line
                    ? solo_line(table->solo, command->seat, table->line, &why)
                    : solo_submit(table->solo, command, &why); // nobody types so much
    if (!done && why.code == REFUSAL_LIMIT_REACHED && why.rule[0] == '\0') {
        // No rule: it is the table that lets nobody haggle for ever.
        why = (struct refusal){.code = REFUSAL_NONE};
        done = solo_submit(table->solo, command, &why);
    }
    if (!done) {
        (void)snprintf(fault, SIMULATE_FAULT_SIZE, "\"%.700s\" of seat %u is refused as %s",
                       table->line, (unsigned)command->seat, refusal_name(why.code));
    }
    return done;
}

static int compare_cards(const void *a, const void *b)
{
    return (int)*(const uint16_t *)a - (int)*(const uint16_t *)b;
}

static void first_of_each(const struct simulate_table *table, uint16_t *cards, unsigned count,
                          bool ordered)
{
    for (unsigned i = 0; i < count; i++) {
        cards[i] = invariants_first_alike(table->before, table->box, cards[i]);
    }
    if (!ordered) {
        qsort(cards, count, sizeof *cards, compare_cards);
    }
}

// The command that stands for all that mean the same.
static struct command normal_command(const struct simulate_table *table,
                                     const struct command *command)
{
    struct command out = *command;
    struct query_decision decision;
    query_decision(table->before, table->box, command->seat, &decision);
    const bool choice = command->verb == VERB_CHOOSE;
    out.card = invariants_first_alike(table->before, table->box, out.card);
    if (out.target_kind == TARGET_CARD) {
        out.target = invariants_first_alike(table->before, table->box, out.target);
    }
    if (!choice || decision.options_are_cards) {
        first_of_each(table, out.list, out.list_count, choice && decision.kind == DECIDE_ORDER);
    }
    first_of_each(table, out.more, out.more_count, false);
    return out;
}

// Another command than the chosen one, but it means the same.
static bool command_is_alike(const struct simulate_table *table, const struct command *command)
{
    if (command->verb == VERB_ELAPSE || invariants_same_command(command, &table->command)) {
        return false;
    }
    const struct command meant = normal_command(table, command);
    const struct command read = normal_command(table, &table->command);
    return invariants_same_command(&meant, &read);
}

bool simulate_table_play(struct simulate_table *table, const struct command *command,
                         const struct game *after, char fault[SIMULATE_FAULT_SIZE])
{
    table->steps = 0;
    game_copy(table->before, simulate_table_game(table));
    if (command->verb == VERB_ELAPSE) {
        elapse_at_table(table, command);
    } else if (!type_command(table, command, fault)) {
        return false;
    }
    message_list_clear(solo_outbox(table->solo));
    const bool same = game_same(simulate_table_game(table), after);
    if (table->steps == 1 && (same || command_is_alike(table, command))) {
        return true;
    }
    (void)snprintf(fault, SIMULATE_FAULT_SIZE,
                   "\"%.700s\" of seat %u makes %u steps, the last of verb %u, and another state",
                   table->line, (unsigned)command->seat, table->steps,
                   (unsigned)table->command.verb);
    return false;
}

bool simulate_table_look(struct simulate_table *table, unsigned seat,
                         char fault[SIMULATE_FAULT_SIZE])
{
    table->steps = 0;
    game_copy(table->before, simulate_table_game(table));
    for (size_t i = 0; i < sizeof LOOKS / sizeof LOOKS[0]; i++) {
        struct message_list *const said = solo_outbox(table->solo);
        const bool good = solo_line(table->solo, seat, LOOKS[i], NULL) && said->count == 1 &&
                          said->items[0].to == MESSAGE_REPLY && said->items[0].seat == seat &&
                          said->items[0].text[0] != '\0';
        message_list_clear(said);
        if (!good || table->steps > 0 || !game_same(simulate_table_game(table), table->before)) {
            (void)snprintf(fault, SIMULATE_FAULT_SIZE, "seat %u cannot just say \"%s\"", seat,
                           LOOKS[i]);
            return false;
        }
    }
    return true;
}

/* A simulation. */

enum {
    SAMPLE_TYPED = 4,  // --check=sample: one game in so many is typed at a session
    SAMPLE_LOOKS = 64, // also with --check: after one decision in so many somebody looks around
    STUCK_MAX = 1000   // clocks in a row that change nothing before a game is given up as stuck
};

struct simulation {
    const struct simulate_setup *setup;
    struct simulate_result *result;
    struct game *game, *after, *view;
    struct event_list events;
    struct move_list moves[MB_SEATS_MAX];
    const struct policy *policies[MB_SEATS_MAX]; // of this game
    struct mb_rng rng;                           // the players'
    struct invariants *invariants;               // NULL without --check
    struct simulate_table *table;                // the same
    bool typed;                                  // this game is played there too
    uint64_t game_seed;
    unsigned long step; // accepted commands and elapsed clocks of this game
    unsigned stuck;     // clocks in a row that nobody followed with a decision
};

enum { COMPLAINTS_MAX = 50 };

static void print_violation(void *user, const char *what)
{
    const struct simulation *const simulation = user;
    if (simulation->result->violations > COMPLAINTS_MAX) {
        return; // counted, not printed: the first ones tell what is wrong
    }
    (void)fprintf(simulation->setup->complaints, "violation: game seed %" PRIu64 " step %lu: %s\n",
                  simulation->game_seed, simulation->step, what);
}

static void count_violation(struct simulation *simulation, const char *what)
{
    simulation->result->violations++;
    print_violation(simulation, what);
}

static void simulation_finish(struct simulation *simulation)
{
    free(simulation->game);
    free(simulation->after);
    free(simulation->view);
    free(simulation->events.items);
    for (size_t i = 0; i < MB_SEATS_MAX; i++) {
        free(simulation->moves[i].items);
    }
    invariants_destroy(simulation->invariants);
    simulate_table_destroy(simulation->table);
}

static void simulation_init(struct simulation *simulation, const struct simulate_setup *setup,
                            struct simulate_result *result)
{
    memset(simulation, 0, sizeof *simulation);
    simulation->setup = setup;
    simulation->result = result;
    simulation->game = mb_new(1, game_size());
    simulation->after = mb_new(1, game_size());
    simulation->view = mb_new(1, game_size());
    simulation->events.items = mb_new(MB_EVENTS_MAX, sizeof *simulation->events.items);
    simulation->events.capacity = MB_EVENTS_MAX;
    for (size_t i = 0; i < setup->players; i++) {
        struct move_list *const moves = &simulation->moves[i];
        moves->items = mb_new(MB_MOVES_MAX, sizeof *moves->items);
        moves->capacity = MB_MOVES_MAX;
    }
    if (setup->check != SIMULATE_CHECK_NONE) {
        const struct invariants_sink sink = {.report = print_violation, .user = simulation};
        simulation->invariants = invariants_create(setup->box, &sink);
        simulation->table = simulate_table_create(setup->catalog, setup->box);
    }
}

static void begin_game(struct simulation *simulation, uint64_t seed)
{
    const struct simulate_setup *const setup = simulation->setup;
    struct game_setup game = {.seat_count = (uint8_t)setup->players};
    uint8_t players_seed[32];
    simulation->game_seed = seed;
    simulation->step = 0;
    simulation->stuck = 0;
    mb_rng_seed_u64(game.seed, seed);
    mb_rng_seed_u64(players_seed, ~seed);
    mb_rng_init(&simulation->rng, players_seed);
    for (unsigned i = 0; i < setup->players; i++) {
        game.female[i] = (uint8_t)(i % 2);
        simulation->policies[i] = setup->policies[(i + seed) % setup->players];
    }
    simulation->events.count = 0;
    simulation->events.overflow = false;
    game_create(simulation->game, setup->box, &game, &simulation->events);
    simulation->typed = setup->check == SIMULATE_CHECK_ALL ||
                        (setup->check == SIMULATE_CHECK_SAMPLE && seed % SAMPLE_TYPED == 0);
    if (simulation->typed) {
        simulate_table_begin(simulation->table, simulation->game);
    }
    if (setup->balance != NULL) {
        balance_begin(setup->balance);
        balance_events(setup->balance, &simulation->events);
    }
}

// What no player of a simulation does: wait, show, pass twice.
static void keep_moves(struct move_list *moves, unsigned passed)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < moves->count; i++) {
        const struct command *const command = &moves->items[i].command;
        const bool again = command->verb == VERB_PASS && (passed & seat_bit(command->seat)) != 0;
        if (command->verb == VERB_HOLD || command->verb == VERB_SHOW || again) {
            continue;
        }
        if (kept != i) {
            moves->items[kept] = moves->items[i];
        }
        kept++;
    }
    moves->count = kept;
}

static bool can_pass(const struct move_list *moves)
{
    for (uint32_t i = 0; i < moves->count; i++) {
        if (moves->items[i].command.verb == VERB_PASS) {
            return true;
        }
    }
    return false;
}

// One command in so many has the number 0, with --check all have.
static unsigned long sample_of(const struct simulation *simulation)
{
    return simulation->setup->check == SIMULATE_CHECK_ALL ? 0 : simulation->step;
}

static void check_lists(struct simulation *simulation)
{
    for (unsigned seat = 0; seat < simulation->setup->players; seat++) {
        invariants_seat(simulation->invariants, simulation->game, seat, &simulation->moves[seat],
                        sample_of(simulation));
    }
}

// Bits of the seats that fight.
static unsigned fighting_seats(const struct game *game)
{
    const unsigned main = query_main(game);
    const unsigned helper = query_helper(game);
    return (main < MB_SEATS_MAX ? seat_bit(main) : 0u) |
           (helper < MB_SEATS_MAX ? seat_bit(helper) : 0u);
}

// Lists every seat's moves. Returns the seats that may act; none when the clock is to run out.
static unsigned list_moves(struct simulation *simulation, unsigned long long *total)
{
    const struct box *const box = simulation->setup->box;
    const struct pause moment = query_pause(simulation->game, PAUSE_ANSWER);
    const struct pause window = query_pause(simulation->game, PAUSE_WIN);
    const struct pause pause = moment.kind != PAUSE_NONE ? moment : window;
    const unsigned passed = pause.kind != PAUSE_NONE ? pause.passed : 0;
    for (unsigned seat = 0; seat < simulation->setup->players; seat++) {
        simulation->moves[seat].count = 0;
        simulation->moves[seat].overflow = false;
        moves_list(simulation->game, box, seat, &simulation->moves[seat]);
    }
    if (simulation->invariants != NULL) {
        check_lists(simulation);
    }
    const unsigned fighters = fighting_seats(simulation->game);
    unsigned seats = 0;
    bool open = pause.kind == PAUSE_NONE;
    *total = 0;
    for (unsigned seat = 0; seat < simulation->setup->players; seat++) {
        struct move_list *const moves = &simulation->moves[seat];
        keep_moves(moves, passed);
        if (simulation->setup->balance != NULL) {
            balance_offers(simulation->setup->balance, moves, fighters);
        }
        *total += moves->count;
        open = open || can_pass(moves);
        if (moves->count > 0) {
            seats |= seat_bit(seat);
        }
    }
    return open || query_undecided(simulation->game) != 0 ? seats : 0;
}

static unsigned draw_seat(struct simulation *simulation, unsigned seats)
{
    unsigned among[MB_SEATS_MAX] = {0};
    unsigned count = 0;
    for (unsigned seat = 0; seat < MB_SEATS_MAX; seat++) {
        if ((seats & seat_bit(seat)) != 0) {
            among[count++] = seat;
        }
    }
    return among[mb_rng_below(&simulation->rng, count)];
}

// One of the seats that may act names a command; false if none of them wants to do anything.
static bool choose_command(struct simulation *simulation, unsigned seats, struct command *out)
{
    while (seats != 0) {
        const unsigned seat = draw_seat(simulation, seats);
        const struct policy *const policy = simulation->policies[seat];
        struct policy_input input = {.view = simulation->game,
                                     .box = simulation->setup->box,
                                     .moves = &simulation->moves[seat],
                                     .seat = seat,
                                     .rng = &simulation->rng,
                                     .scratch = simulation->after};
        if (policy->looks) {
            game_redact(simulation->game, simulation->setup->box, seat, simulation->view);
            input.view = simulation->view;
        }
        if (policy->choose(&input, out)) {
            return true;
        }
        seats &= ~(unsigned)seat_bit(seat);
    }
    return false;
}

static void count_deaths(struct simulation *simulation)
{
    for (uint32_t i = 0; i < simulation->events.count; i++) {
        simulation->result->deaths += simulation->events.items[i].type == EVENT_DEATH;
    }
}

// Plays at the table what the core alone has made of a command, and goes on with what is there.
static void play_along(struct simulation *simulation, const struct command *command)
{
    char fault[SIMULATE_FAULT_SIZE];
    const unsigned looker =
        (unsigned)(simulation->step / SAMPLE_LOOKS % simulation->setup->players);
    if (!simulate_table_play(simulation->table, command, simulation->game, fault) ||
        (simulation->step % SAMPLE_LOOKS == 0 &&
         !simulate_table_look(simulation->table, looker, fault))) {
        count_violation(simulation, fault);
        simulation->typed = false; // from here on it is another game
        return;
    }
    game_copy(simulation->game, simulate_table_game(simulation->table));
}

static void count_step(struct simulation *simulation, const struct game *before)
{
    struct simulate_step step = {.before = before,
                                 .after = simulation->game,
                                 .events = &simulation->events,
                                 .moves = simulation->moves,
                                 .players = simulation->setup->players,
                                 .scratch = simulation->view};
    for (unsigned seat = 0; seat < step.players; seat++) {
        const struct policy *const policy = simulation->policies[seat];
        const bool careful = policy == &POLICY_REGULAR || policy == &POLICY_RUTHLESS;
        step.careful |= careful ? seat_bit(seat) : 0u;
    }
    balance_step(simulation->setup->balance, &step);
}

static bool carry_out(struct simulation *simulation, const struct command *command)
{
    struct refusal why = {0};
    simulation->events.count = 0;
    simulation->events.overflow = false;
    if (!game_decide(simulation->game, simulation->setup->box, command, simulation->after,
                     &simulation->events, &why)) {
        char text[96];
        (void)snprintf(text, sizeof text, "verb %u of seat %u was offered and is refused as %s",
                       (unsigned)command->verb, (unsigned)command->seat, refusal_name(why.code));
        count_violation(simulation, text);
        return false;
    }
    simulation->step++;
    if (simulation->invariants != NULL) {
        const struct table_step step = {.command = command,
                                        .before = simulation->game,
                                        .after = simulation->after,
                                        .events = &simulation->events};
        invariants_command(simulation->invariants, &step, sample_of(simulation));
    }
    struct game *const before = simulation->game;
    simulation->game = simulation->after;
    simulation->after = before;
    if (simulation->typed) {
        play_along(simulation, command);
    }
    count_deaths(simulation);
    if (simulation->setup->balance != NULL) {
        balance_command(simulation->setup->balance, command);
        balance_events(simulation->setup->balance, &simulation->events);
        count_step(simulation, before);
    }
    return true;
}

static bool let_clock_run(struct simulation *simulation)
{
    const struct query_clock clock = query_clock(simulation->game);
    struct command command = command_plain(NO_SEAT, VERB_ELAPSE);
    command.n = (int16_t)clock.kind;
    simulation->stuck++;
    if (clock.kind == CLOCK_NONE || simulation->stuck > STUCK_MAX) {
        count_violation(simulation, "the game is stuck: nobody can act and time changes nothing");
        return false;
    }
    return carry_out(simulation, &command);
}

// Plays one game to its end; false if it is stuck.
static bool play_game(struct simulation *simulation)
{
    while (query_phase(simulation->game) != PHASE_OVER) {
        unsigned long long total = 0;
        const unsigned seats = list_moves(simulation, &total);
        struct command command;
        if (choose_command(simulation, seats, &command)) {
            if (!carry_out(simulation, &command)) {
                return false;
            }
            simulation->stuck = 0;
            simulation->result->decisions++;
            simulation->result->moves += total;
        } else if (!let_clock_run(simulation)) {
            return false;
        }
    }
    return true;
}

static void count_wins(struct simulation *simulation)
{
    struct simulate_result *const result = simulation->result;
    const unsigned winners = query_winners(simulation->game);
    for (unsigned seat = 0; seat < simulation->setup->players; seat++) {
        if ((winners & seat_bit(seat)) == 0) {
            continue;
        }
        result->wins_by_seat[seat]++;
        for (unsigned i = 0; i < result->policy_count; i++) {
            if (result->wins_by_policy[i].name == simulation->policies[seat]->name) {
                result->wins_by_policy[i].wins++;
            }
        }
    }
}

static void name_policies(struct simulate_result *result, const struct simulate_setup *setup)
{
    for (unsigned seat = 0; seat < setup->players; seat++) {
        unsigned at = 0;
        while (at < result->policy_count &&
               result->wins_by_policy[at].name != setup->policies[seat]->name) {
            at++;
        }
        if (at == result->policy_count) {
            result->wins_by_policy[result->policy_count++].name = setup->policies[seat]->name;
        }
    }
}

static void sum_rounds(struct simulate_result *result, uint32_t *rounds)
{
    result->rounds_min = balance_within(rounds, result->finished, 0);
    result->rounds_median = balance_within(rounds, result->finished, 50);
    result->rounds_p90 = balance_within(rounds, result->finished, 90);
    result->rounds_max = balance_within(rounds, result->finished, 100);
}

static double now_seconds(void)
{
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) {
        return 0;
    }
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

void simulate_run(const struct simulate_setup *setup, struct simulate_result *out)
{
    struct simulation simulation;
    memset(out, 0, sizeof *out);
    name_policies(out, setup);
    uint32_t *const rounds = mb_new(setup->games, sizeof *rounds);
    simulation_init(&simulation, setup, out);
    const double start = now_seconds();
    for (unsigned long i = 0; i < setup->games; i++) {
        begin_game(&simulation, setup->seed + i);
        out->games++;
        if (play_game(&simulation)) {
            rounds[out->finished++] = query_round(simulation.game);
            count_wins(&simulation);
            if (setup->balance != NULL) {
                balance_end(setup->balance, simulation.game);
            }
        }
    }
    out->seconds = now_seconds() - start;
    sum_rounds(out, rounds);
    out->violations += simulation.invariants != NULL ? invariants_count(simulation.invariants) : 0;
    simulation_finish(&simulation);
    free(rounds);
}

/* `munchbot simulate`. */

static bool read_policies(const struct arguments *arguments, struct simulate_setup *setup)
{
    unsigned count = 0;
    if (!arguments_policies(arguments, "random", setup->policies, setup->players, &count)) {
        return false;
    }
    if (count != 1 && count != setup->players) {
        return arguments_wrong(arguments, OPTION_POLICY,
                               "name one policy for all seats, or one per seat");
    }
    for (unsigned i = count; i < setup->players; i++) {
        setup->policies[i] = setup->policies[0];
    }
    return true;
}

static bool read_setup(const struct arguments *arguments, struct simulate_setup *setup)
{
    const char *const check = arguments->value[OPTION_CHECK];
    uint64_t players = 0;
    uint64_t games = 0;
    setup->seed = 1;
    if (arguments->value[OPTION_SET] == NULL || arguments->value[OPTION_PLAYERS] == NULL ||
        arguments->value[OPTION_GAMES] == NULL) {
        return arguments_lack(arguments, "--set, --players and --games");
    }
    if (!arguments_number(arguments, OPTION_PLAYERS, MB_SEATS_MIN, MB_SEATS_MAX, &players) ||
        !arguments_number(arguments, OPTION_GAMES, 1, 100000000, &games) ||
        !arguments_number(arguments, OPTION_SEED, 0, UINT64_MAX, &setup->seed)) {
        return false;
    }
    setup->players = (unsigned)players;
    setup->games = (unsigned long)games;
    if (check != NULL && check[0] != '\0' && strcmp(check, "sample") != 0) {
        return arguments_wrong(arguments, OPTION_CHECK, "only \"sample\" may stand there");
    }
    if (check != NULL) {
        setup->check = check[0] == '\0' ? SIMULATE_CHECK_ALL : SIMULATE_CHECK_SAMPLE;
    }
    return read_policies(arguments, setup);
}

static bool read_table(const struct arguments *arguments, const struct catalog *catalog,
                       struct box *box, struct mb_error *err)
{
    struct table_options options;
    enum option_id option;
    table_options_init(&options);
    return arguments_table(arguments, catalog, &options, &option, err) &&
           table_options_box(&options, catalog, box, err);
}

static int finish_simulate(const struct simulate_result *result)
{
    if (result->violations > 0 || result->finished < result->games) {
        (void)fprintf(stderr, "munchbot simulate: %lu violations; see above for the seeds\n",
                      result->violations);
        return CMD_FAILED;
    }
    return CMD_DONE;
}

// Plays and prints; the balance is counted if it is asked for.
static void play_and_print(const struct arguments *arguments, struct simulate_setup *setup,
                           struct simulate_result *result)
{
    struct balance balance = {0};
    if (arguments->value[OPTION_REPORT] != NULL) {
        balance_init(&balance, setup->box, setup->players, setup->games);
        setup->balance = &balance;
    }
    simulate_run(setup, result);
    simulate_print(setup, result, arguments->value[OPTION_JSON] != NULL, stdout);
    balance_finish(&balance);
    setup->balance = NULL;
}

int cmd_simulate(const struct arguments *arguments, const struct cmd_stores *stores)
{
    struct simulate_setup setup = {.complaints = stderr};
    struct mb_error err = {0};
    struct box box;
    struct simulate_result result;
    (void)stores;
    if (!read_setup(arguments, &setup)) {
        (void)fprintf(stderr, "%s\n", arguments->complaint);
        return CMD_WRONG_USAGE;
    }
    struct catalog *const catalog = cards_load(arguments->value[OPTION_SETS_PATH], &err);
    setup.catalog = catalog;
    setup.box = &box;
    const bool done = catalog != NULL && read_table(arguments, catalog, &box, &err);
    if (done) {
        play_and_print(arguments, &setup, &result);
    }
    catalog_destroy(catalog);
    if (!done) {
        (void)fprintf(stderr, "munchbot simulate: %s\n", err.text);
        return err.code == MB_ERR_INPUT ? CMD_WRONG_USAGE : CMD_FAILED;
    }
    return finish_simulate(&result);
}
