// Fairness: the commitment to the seed before the first card, the seed after the last, and between
// them the journal from which everybody can play the game again.
#include <string.h>

#include "bot/render/render.h"
#include "bot/table/table_impl.h"

static struct journal_player player_of(const struct table *table, unsigned seat)
{
    const struct policy *const policy = table_policy(&table->seats[seat]);
    const char *const name = table_seat_name(table, seat);
    struct journal_player player = {{0}, {0}};
    memcpy(player.name, name, strnlen(name, sizeof player.name - 1));
    if (policy != NULL) {
        memcpy(player.bot, policy->name, strnlen(policy->name, sizeof player.bot - 1));
    }
    return player;
}

enum { LINE_SIZE = 512 };

void table_fair_begin(struct table_work *work, const struct game_setup *setup)
{
    struct table *const table = work->table;
    struct journal_player players[MB_SEATS_MAX];
    char commitment[DIGEST_HEX_SIZE];
    char line[LINE_SIZE];
    table->seeded = 1;
    journal_commitment(setup->seed, commitment);
    table_tell(work, TEXT_SCORE_GOAL,
               TEXT_ARGS(text_num("n", work->box->profile.constant[PROFILE_GOAL])));
    (void)render_commitment(commitment, line, sizeof line);
    (void)message_add(work->said, MESSAGE_TABLE, NO_SEAT, line);
    for (unsigned i = 0; i < table->seat_count; i++) {
        players[i] = player_of(table, i);
    }
    const struct journal_start start = {.catalog = work->catalog,
                                        .box = work->box,
                                        .sets = table->options.sets,
                                        .set_count = table->options.set_count,
                                        .setup = setup,
                                        .players = players,
                                        .game = work->game};
    journal_begin(&work->outcome->journal, &start);
    table->journal_count = 0;
}

void table_fair_step(struct table_work *work, const struct command *command)
{
    if (work->table->seeded != 0) {
        journal_command(&work->outcome->journal, command, &work->ws->events, work->game);
        work->table->journal_count++;
    }
}

void table_fair_seat(struct table_work *work, unsigned seat)
{
    if (work->table->seeded != 0) {
        const struct journal_player player = player_of(work->table, seat);
        journal_seat(&work->outcome->journal, seat, &player);
        work->table->journal_count++;
    }
}

void table_fair_end(struct table_work *work, enum journal_state state)
{
    if (work->table->seeded == 0) {
        return; // arranged, not dealt
    }
    uint8_t seed[DIGEST_SIZE];
    char digits[DIGEST_HEX_SIZE];
    char commitment[DIGEST_HEX_SIZE];
    char line[LINE_SIZE];
    work->table->seeded = 0;
    work->outcome->journal.state = state;
    game_seed(work->game, seed);
    digest_hex(seed, sizeof seed, digits);
    journal_commitment(seed, commitment);
    (void)render_seed(digits, commitment, line, sizeof line);
    (void)message_add(work->said, MESSAGE_TABLE, NO_SEAT, line);
}
