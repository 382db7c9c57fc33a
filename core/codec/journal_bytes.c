#include "core/codec/journal_bytes.h"

#include <stdlib.h>
#include <string.h>

#include "core/codec/coder.h"
#include "core/codec/profile_code.h"

// JOURNAL_COMMAND, ..._SEAT come as entries do. A head of a game whose seed was given has the form
// of before there were secrets, so what was stored then is read as such.
enum { PIECE_HEAD = JOURNAL_SEAT + 1, PIECE_END, PIECE_DRAWN, PIECE_TOTAL };

static bool has_end(const struct journal *batch)
{
    return batch->state != JOURNAL_RUNNING;
}

size_t journal_piece_count(const struct journal *batch)
{
    return batch->count + (batch->begun ? 1 : 0) + (has_end(batch) ? 1 : 0);
}

static void code_player(struct coder *coder, struct journal_player *player)
{
    coder_text(coder, player->name, sizeof player->name);
    coder_text(coder, player->bot, sizeof player->bot);
}

// The digests of the sets say by which cards the game is played.
static void code_sets(struct coder *coder, struct journal *journal)
{
    uint8_t count = journal->set_count;
    coder_u8(coder, &count);
    coder->bad = coder->bad || count != journal->set_count;
    for (unsigned i = 0; i < journal->set_count; i++) {
        const struct catalog_set *const set = catalog_set(journal->catalog, journal->sets[i]);
        uint8_t digest[CATALOG_DIGEST_SIZE];
        memcpy(digest, set->digest, sizeof digest);
        coder_bytes(coder, digest, sizeof digest);
        coder->bad = coder->bad || memcmp(digest, set->digest, sizeof digest) != 0;
    }
}

static void code_luck(struct coder *coder, struct journal *journal)
{
    struct luck *const luck = &journal->luck;
    luck->drawn = true;
    coder_bytes(coder, luck->secret, sizeof luck->secret);
    coder_text(coder, luck->table, sizeof luck->table);
    coder_text(coder, luck->start, sizeof luck->start);
    for (unsigned i = 0; i < journal->seat_count; i++) {
        coder_bytes(coder, luck->seats[i], sizeof luck->seats[i]);
    }
}

static void code_head(struct coder *coder, struct journal *journal, unsigned kind)
{
    code_sets(coder, journal);
    profile_code(coder, &journal->box.profile);
    coder_below(coder, &journal->seat_count, MB_SEATS_MAX + 1);
    coder_bytes(coder, journal->female, sizeof journal->female);
    for (unsigned i = 0; i < journal->seat_count; i++) {
        code_player(coder, &journal->players[i]);
    }
    coder_bytes(coder, journal->seed, sizeof journal->seed);
    coder_bytes(coder, journal->commitment, sizeof journal->commitment);
    coder_bytes(coder, journal->start, sizeof journal->start);
    if (kind == PIECE_DRAWN && !coder->bad) {
        code_luck(coder, journal);
    }
}

static void code_list(struct coder *coder, uint8_t *count, uint16_t *list, unsigned most)
{
    coder_below(coder, count, most + 1);
    for (unsigned i = 0; i < *count; i++) {
        coder_card(coder, &list[i]);
    }
}

static void code_command(struct coder *coder, struct command *command)
{
    coder_below(coder, &command->verb, VERB_TOTAL);
    coder_u8(coder, &command->seat);
    coder_u8(coder, &command->side);
    coder_u8(coder, &command->target_kind);
    coder_card(coder, &command->card);
    coder_card(coder, &command->target);
    coder_u8(coder, &command->ability);
    coder_u8(coder, &command->to);
    coder_u8(coder, &command->about);
    coder_u8(coder, &command->bribe);
    coder_u8(coder, &command->picking);
    coder_i16(coder, &command->n);
    code_list(coder, &command->list_count, command->list, MB_LIST_MAX);
    code_list(coder, &command->more_count, command->more, MB_MORE_MAX);
}

static void code_entry(struct coder *coder, struct journal_entry *entry)
{
    coder_u8(coder, &entry->seat);
    coder_u8(coder, &entry->agreed);
    coder_u32(coder, &entry->back_to);
    coder_u8(coder, &entry->die_count);
    if (entry->kind == JOURNAL_COMMAND) {
        code_command(coder, &entry->command);
    }
    coder_bytes(coder, entry->outcome, sizeof entry->outcome);
}

static void code_die(struct coder *coder, struct journal_die *die)
{
    coder_u8(coder, &die->seat);
    coder_u8(coder, &die->face);
    coder_u8(coder, &die->what);
}

static void write_entry(struct coder *coder, const struct journal *batch, size_t n)
{
    struct journal_entry entry = batch->entries[n];
    uint8_t kind = entry.kind;
    coder_u8(coder, &kind);
    code_entry(coder, &entry);
    for (unsigned i = 0; i < entry.die_count; i++) {
        struct journal_die die = batch->dice[entry.first_die + i];
        code_die(coder, &die);
    }
    if (kind == JOURNAL_SEAT) {
        struct journal_player player = *entry.player;
        code_player(coder, &player);
    }
}

size_t journal_piece_encode(const struct journal *batch, size_t n, unsigned char *out, size_t size)
{
    unsigned char plain[JOURNAL_PIECE_MAX];
    struct coder coder = coder_write(plain, sizeof plain);
    const size_t first = batch->begun ? 1 : 0;
    if (n < first) {
        struct journal head = *batch;
        uint8_t kind = batch->luck.drawn ? PIECE_DRAWN : PIECE_HEAD;
        coder_u8(&coder, &kind);
        code_head(&coder, &head, kind);
    } else if (n - first < batch->count) {
        write_entry(&coder, batch, n - first);
    } else {
        uint8_t kind = PIECE_END;
        uint8_t state = (uint8_t)batch->state;
        coder_u8(&coder, &kind);
        coder_u8(&coder, &state);
    }
    return coder_pack(&coder, out, size);
}

void journal_init_for(struct journal *journal, const struct catalog *catalog, const struct box *box,
                      size_t set_count)
{
    journal_init(journal);
    journal->catalog = catalog;
    journal->box = *box;
    journal->set_count = (uint8_t)set_count;
    for (size_t i = 0; i < set_count; i++) {
        journal->sets[i] = (uint8_t)i;
    }
}

static bool append_head(struct journal *journal, struct coder *coder, unsigned kind)
{
    struct journal *const copy = malloc(sizeof *copy);
    if (copy == NULL) {
        return false;
    }
    *copy = *journal;
    code_head(coder, copy, kind);
    const bool whole = coder_end(coder) && !journal->begun && journal->count == 0;
    if (whole) {
        *journal = *copy;
        journal->begun = true;
    }
    free(copy);
    return whole;
}

static bool append_entry(struct journal *journal, struct coder *coder, unsigned kind)
{
    struct journal_entry entry = {.kind = (uint8_t)kind};
    struct journal_player player = {{0}, {0}};
    const size_t dice = journal->die_count;
    code_entry(coder, &entry);
    for (unsigned i = 0; i < entry.die_count && !coder->bad; i++) {
        struct journal_die die = {0};
        code_die(coder, &die);
        coder->bad = coder->bad || !journal_add_die(journal, die);
    }
    if (kind == JOURNAL_SEAT) {
        code_player(coder, &player);
    }
    const bool whole = coder_end(coder) && journal->begun && journal->state == JOURNAL_RUNNING;
    if (whole && kind == JOURNAL_SEAT) {
        const size_t count = journal->count;
        journal_seat(journal, entry.seat, &player);
        return journal->count > count;
    }
    struct journal_entry *const added = whole ? journal_add(journal) : NULL;
    if (added == NULL) {
        journal->die_count = dice;
        return false;
    }
    *added = entry;
    added->first_die = (uint32_t)dice;
    return true;
}

bool journal_append(struct journal *journal, const unsigned char *bytes, size_t size,
                    struct mb_error *err)
{
    unsigned char plain[JOURNAL_PIECE_MAX];
    struct coder coder;
    uint8_t kind = PIECE_TOTAL;
    uint8_t state = JOURNAL_RUNNING;
    bool done = false;
    if (!coder_unpack(bytes, size, plain, sizeof plain, &coder)) {
        coder = coder_read(plain, 0);
    }
    coder_below(&coder, &kind, PIECE_TOTAL);
    if (kind == PIECE_HEAD || kind == PIECE_DRAWN) {
        done = append_head(journal, &coder, kind);
    } else if (kind == PIECE_END) {
        coder_below(&coder, &state, JOURNAL_STATES);
        done = coder_end(&coder) && journal->begun;
        journal->state = done ? (enum journal_state)state : journal->state;
    } else {
        done = append_entry(journal, &coder, kind);
    }
    return done || mb_fail(err, MB_ERR_INPUT,
                           "a piece of the game's record is damaged or of other card sets");
}
