// Fairness: the commitment to a secret when the lobby opens, what its seed is drawn from when it
// starts, the secret after the last card, and between them the journal from which everybody can
// play the game again. A seed that is given whole is committed to before the first card.
#include <string.h>

#include "bot/render/render.h"
#include "bot/table/play/play.h"

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

void table_fair_open(struct table_work *work)
{
    struct table *const table = work->table;
    const struct deed *const deed = work->deed;
    table->starting = 0;
    table->drawn = deed != NULL && deed->chance != NULL && !deed->seeded ? 1 : 0;
    memset(table->secret, 0, sizeof table->secret);
    if (table->drawn != 0) {
        memcpy(table->secret, deed->chance, sizeof table->secret);
    }
}

// Arranged games have no sets of their own.
static bool is_dealt(const struct table *table)
{
    return table->seeded != 0 || (table->state == TABLE_OVER && table->options.set_count > 0);
}

bool table_fair_seal(const struct table *table, char out[DIGEST_HEX_SIZE])
{
    uint8_t seed[DIGEST_SIZE];
    if (table->drawn != 0) {
        journal_commitment(table->secret, out);
    } else if (is_dealt(table)) {
        game_seed(table_game(table), seed);
        journal_commitment(seed, out);
    }
    return table->drawn != 0 || is_dealt(table);
}

void table_fair_commit(struct table_work *work)
{
    char commitment[DIGEST_HEX_SIZE];
    char line[LINE_SIZE];
    const enum text_id id = work->table->drawn != 0 ? TEXT_SECRET_COMMITTED : TEXT_SEED_COMMITTED;
    if (table_fair_seal(work->table, commitment)) {
        (void)render_commitment(id, commitment, line, sizeof line);
        (void)message_add(work->said, MESSAGE_TABLE, NO_SEAT, line);
    }
}

void table_fair_draw(const struct table *table, const char *start, struct luck *out,
                     uint8_t seed[DIGEST_SIZE])
{
    *out = (struct luck){.drawn = true};
    memcpy(out->secret, table->secret, sizeof out->secret);
    memcpy(out->table, table->id, strnlen(table->id, sizeof out->table - 1));
    memcpy(out->start, start, strnlen(start, sizeof out->start - 1));
    for (unsigned i = 0; i < table->seat_count; i++) {
        const struct table_person *const person = &table->seats[i].person;
        const struct policy *const policy = table_policy(&table->seats[i]);
        luck_seat(policy == NULL ? person->network : "", policy == NULL ? person->id : policy->name,
                  out->seats[i]);
    }
    luck_seed(out, table->seat_count, seed);
}

void table_fair_begin(struct table_work *work, const struct game_setup *setup,
                      const struct luck *luck)
{
    struct table *const table = work->table;
    struct journal_player players[MB_SEATS_MAX];
    table->seeded = 1;
    table_tell(work, TEXT_SCORE_GOAL,
               TEXT_ARGS(text_num("n", work->box->profile.constant[PROFILE_GOAL])));
    if (luck == NULL) { // a secret was committed to long ago
        table->drawn = 0;
        table_fair_commit(work);
    }
    for (unsigned i = 0; i < table->seat_count; i++) {
        players[i] = player_of(table, i);
    }
    const struct journal_start start = {.catalog = work->catalog,
                                        .box = work->box,
                                        .sets = table->options.sets,
                                        .set_count = table->options.set_count,
                                        .setup = setup,
                                        .players = players,
                                        .luck = luck,
                                        .rules = (uint16_t)game_rules(),
                                        .game = work->game};
    journal_begin(&work->outcome->journal, &start);
    table->journal_count = 0;
    table->rules = (uint16_t)game_rules();
}

void table_fair_rules(struct table_work *work)
{
    struct table *const table = work->table;
    if (table->seeded != 0 && table->rules != game_rules()) {
        table->rules = (uint16_t)game_rules();
        journal_rules(&work->outcome->journal, table->rules, work->game);
        table->journal_count++;
        table_undo_forget(table); // what was before cannot be checked any more
    }
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
    if (work->table->seeded != 0) { // else arranged, not dealt
        work->table->seeded = 0;
        work->outcome->journal.state = state;
    }
}

bool table_fair_proof(const struct table *table, struct text_out *out)
{
    uint8_t told[DIGEST_SIZE];
    char digits[DIGEST_HEX_SIZE];
    char commitment[DIGEST_HEX_SIZE];
    if (table->state != TABLE_OVER || !table_fair_seal(table, commitment)) {
        return false;
    }
    game_seed(table_game(table), told);
    if (table->drawn != 0) {
        memcpy(told, table->secret, sizeof told);
    }
    digest_hex(told, sizeof told, digits);
    text_line(out, table->drawn != 0 ? TEXT_SECRET_REVEALED : TEXT_SEED_REVEALED,
              TEXT_ARGS(text_str("seed", digits), text_str("hash", commitment),
                        text_str("what", table->id)));
    return true;
}
