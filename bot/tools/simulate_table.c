#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"
#include "core/loop/query.h"

#include "bot/parse/parse.h"
#include "bot/tools/invariants.h"
#include "bot/tools/simulate.h"
#include "bot/tools/solo.h"

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

static void watch_step(void *user, const struct table_step *step)
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
    solo_watch(table->solo, &(struct solo_watcher){.step = watch_step, .user = table});
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

static void elapse(struct simulate_table *table, const struct command *command)
{
    const bool acts_for_somebody = command->n == CLOCK_TURN || command->n == CLOCK_DECISION;
    (void)snprintf(table->line, sizeof table->line, "(clock %d)", command->n);
    if (acts_for_somebody) { // there a session has a stand-in
        (void)solo_submit(table->solo, command, NULL);
    } else {
        wait_for_clock(table);
    }
}

static bool type(struct simulate_table *table, const struct command *command,
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
static struct command normal(const struct simulate_table *table, const struct command *command)
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
static bool is_alike(const struct simulate_table *table, const struct command *command)
{
    if (command->verb == VERB_ELAPSE || invariants_same_command(command, &table->command)) {
        return false;
    }
    const struct command meant = normal(table, command);
    const struct command read = normal(table, &table->command);
    return invariants_same_command(&meant, &read);
}

bool simulate_table_play(struct simulate_table *table, const struct command *command,
                         const struct game *after, char fault[SIMULATE_FAULT_SIZE])
{
    table->steps = 0;
    game_copy(table->before, simulate_table_game(table));
    if (command->verb == VERB_ELAPSE) {
        elapse(table, command);
    } else if (!type(table, command, fault)) {
        return false;
    }
    message_list_clear(solo_outbox(table->solo));
    const bool same = game_same(simulate_table_game(table), after);
    if (table->steps == 1 && (same || is_alike(table, command))) {
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
