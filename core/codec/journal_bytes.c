#include "core/codec/journal_bytes.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/limits.h"
#include "core/codec/coder.h"
#include "core/codec/journal_impl.h"
#include "core/codec/memory.h"
#include "core/codec/snapshot.h"

// What play takes for granted: amounts of money are divided by one, Levels are small, the deal
// has to come out of decks.
struct bounds {
    int16_t least, most;
};

static const struct bounds BOUNDS[PROFILE_CONSTANT_TOTAL] = {
    [PROFILE_SEATS_MIN] = {1, MB_SEATS_MAX},
    [PROFILE_SEATS_MAX] = {1, MB_SEATS_MAX},
    [PROFILE_DEAL] = {0, 16},
    [PROFILE_START_LEVEL] = {1, UINT8_MAX},
    [PROFILE_HAND_LIMIT] = {0, UINT8_MAX},
    [PROFILE_GOAL] = {1, UINT8_MAX},
    [PROFILE_LEVEL_FLOOR] = {1, UINT8_MAX},
    [PROFILE_ESCAPE] = {0, UINT8_MAX},
    [PROFILE_SELL_UNIT] = {1, INT16_MAX},
    [PROFILE_BIG_LIMIT] = {0, UINT8_MAX},
    [PROFILE_HANDS] = {0, UINT8_MAX},
    [PROFILE_FOLLOWERS] = {0, UINT8_MAX},
    [PROFILE_THEFT] = {0, UINT8_MAX},
    [PROFILE_IDENTITY_SAFE] = {0, UINT8_MAX},
    [PROFILE_IDENTITY_LOST] = {0, UINT8_MAX},
    [PROFILE_FLIGHT] = {0, UINT8_MAX},
    [PROFILE_HOLDS] = {0, UINT8_MAX},
};

static void code_constant(struct coder *coder, unsigned which, int16_t *constant)
{
    coder_i16(coder, constant);
    coder->bad = coder->bad || *constant < BOUNDS[which].least || *constant > BOUNDS[which].most;
}

void profile_code(struct coder *coder, struct profile *profile)
{
    coder_below(coder, &profile->house, EDITION_TOTAL);
    coder_below(coder, &profile->editions, 1u << EDITION_TOTAL);
    for (unsigned i = 0; i < PROFILE_CONSTANT_TOTAL; i++) {
        code_constant(coder, i, &profile->constant[i]);
    }
    for (unsigned i = 0; i < FLAG_TOTAL; i++) {
        coder_bool(coder, &profile->flag[i]);
    }
    for (unsigned kind = 0; kind < KIND_TOTAL; kind++) {
        struct identity_slot *const slot = &profile->slots[kind];
        coder_u8(coder, &slot->capacity);
        coder_bool(coder, &slot->ranked);
        coder_bool(coder, &slot->unique);
        coder_bool(coder, &slot->kept_on_death);
        coder_bool(coder, &slot->at_will);
    }
}

// Pieces that are no entries; these come under their kind.
enum { PIECE_HEAD = JOURNAL_KINDS, PIECE_END, PIECE_TOTAL };
enum { PLAIN_MOST = 8192 }; // of a piece without a state

_Static_assert(JOURNAL_PIECE_MAX >= PLAIN_MOST + SNAPSHOT_SIZE_MAX, "a state fits");

static bool has_end(const struct journal *batch)
{
    return batch->state != JOURNAL_RUNNING;
}

size_t journal_piece_count(const struct journal *batch)
{
    return batch->count + (batch->begun ? 1 : 0) + (has_end(batch) ? 1 : 0);
}

size_t journal_pieces_room(const struct journal *batch)
{
    size_t size = journal_piece_count(batch) * PLAIN_MOST;
    for (size_t i = 0; i < batch->count; i++) {
        size += batch->entries[i].kind == JOURNAL_RULES ? (size_t)JOURNAL_PIECE_MAX : 0;
    }
    return size;
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
    coder_bytes(coder, luck->secret, sizeof luck->secret);
    coder_text(coder, luck->table, sizeof luck->table);
    coder_text(coder, luck->start, sizeof luck->start);
    for (unsigned i = 0; i < journal->seat_count; i++) {
        coder_bytes(coder, luck->seats[i], sizeof luck->seats[i]);
    }
}

static void code_head(struct coder *coder, struct journal *journal)
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
    coder_u16(coder, &journal->rules);
    coder_bool(coder, &journal->luck.drawn);
    if (journal->luck.drawn && !coder->bad) {
        code_luck(coder, journal);
    }
}

static void code_field(struct coder *coder, const struct journal_field *field,
                       struct command *command)
{
    const int value = journal_field_get(command, field);
    uint8_t small = (uint8_t)value;
    uint16_t card = (uint16_t)value;
    int16_t number = (int16_t)value;
    if (field->size == 1) {
        coder_u8(coder, &small);
        journal_field_set(command, field, small);
    } else if (field->none == NO_CARD) {
        coder_card(coder, &card);
        journal_field_set(command, field, card);
    } else {
        coder_i16(coder, &number);
        journal_field_set(command, field, number);
    }
}

static void code_command(struct coder *coder, struct command *command)
{
    coder_below(coder, &command->verb, VERB_TOTAL);
    for (unsigned i = 0; i < JOURNAL_FIELD_TOTAL; i++) {
        code_field(coder, &JOURNAL_FIELDS[i], command);
    }
    coder_u8(coder, &command->ability);
    for (unsigned i = 0; i < JOURNAL_LIST_TOTAL; i++) {
        uint8_t *count = NULL;
        uint16_t *const items = journal_list_of(command, &JOURNAL_LISTS[i], &count);
        coder_below(coder, count, JOURNAL_LISTS[i].most + 1);
        for (unsigned n = 0; n < *count; n++) {
            coder_card(coder, &items[n]);
        }
    }
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

static void write_state(struct coder *coder, const struct journal_entry *entry)
{
    uint16_t rules = entry->rules;
    uint32_t size = (uint32_t)entry->snapshot->size;
    coder_u16(coder, &rules);
    coder_u32(coder, &size);
    unsigned char *const at = coder_room(coder, size);
    if (at != NULL) {
        memcpy(at, entry->snapshot->bytes, size);
    }
}

// NULL: bad.
static struct journal_snapshot *read_state(struct coder *coder, struct journal_entry *entry)
{
    uint32_t size = 0;
    coder_u16(coder, &entry->rules);
    coder_u32(coder, &size);
    const unsigned char *const at = size <= SNAPSHOT_SIZE_MAX ? coder_take(coder, size) : NULL;
    struct journal_snapshot *const state = at != NULL ? mb_new(1, sizeof *state + size) : NULL;
    coder->bad = coder->bad || state == NULL;
    if (state != NULL) {
        state->size = size;
        memcpy(state->bytes, at, size);
    }
    return state;
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
    if (kind == JOURNAL_RULES) {
        write_state(coder, &batch->entries[n]);
    }
}

size_t journal_piece_encode(const struct journal *batch, size_t n, unsigned char *out, size_t size)
{
    unsigned char plain[JOURNAL_PIECE_MAX];
    struct coder coder = coder_write(plain, sizeof plain);
    const size_t first = batch->begun ? 1 : 0;
    if (n < first) {
        struct journal head = *batch;
        uint8_t kind = PIECE_HEAD;
        coder_u8(&coder, &kind);
        code_head(&coder, &head);
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

static bool append_head(struct journal *journal, struct coder *coder)
{
    struct journal *const copy = mb_new(1, sizeof *copy);
    *copy = *journal;
    code_head(coder, copy);
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
    if (kind == JOURNAL_RULES) {
        entry.snapshot = read_state(coder, &entry);
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
        free(entry.snapshot);
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
    if (kind == PIECE_HEAD) {
        done = append_head(journal, &coder);
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
