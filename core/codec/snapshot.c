#include "core/codec/snapshot.h"

#include <string.h>

#include "core/codec/coder.h"
#include "core/codec/snapshot_check.h"
#include "core/game_state.h"
#include "core/layout.h"
#include "core/pile_list.h"

enum { MAGIC_SIZE = 4, HEAD_SIZE = MAGIC_SIZE + 2, CHECK_SIZE = 4, AT_ONCE = 16 };

static const unsigned char MAGIC[MAGIC_SIZE] = {'M', 'B', 'G', SNAPSHOT_VERSION};

// What stands for "none" is frequent: it is written as zero.
static uint32_t flipped(const struct field *field, uint32_t value)
{
    if (field_is_card(field)) {
        return value ^ NO_CARD;
    }
    return field->kind == IS_MAYBE_SEAT || field->kind == IS_RECEIVER ? value ^ NO_SEAT : value;
}

// Some values of a field that lie one after another.
static void code_values(struct coder *coder, const struct field *field, void *record, unsigned from,
                        unsigned count)
{
    uint8_t bytes[AT_ONCE * sizeof(uint32_t)];
    unsigned at = 0;
    for (unsigned i = from; coder->mode != CODER_READ && i < from + count; i++) {
        const uint32_t value = flipped(field, (uint32_t)field_get(record, field, i));
        for (unsigned byte = 0; byte < field->size; byte++) {
            bytes[at++] = (uint8_t)(value >> (8 * byte) & 0xFFu);
        }
    }
    coder_bytes(coder, bytes, (size_t)count * field->size);
    for (unsigned i = from; coder->mode == CODER_READ && i < from + count; i++) {
        uint32_t value = 0;
        for (unsigned byte = 0; byte < field->size; byte++) {
            value |= (uint32_t)bytes[at++] << (8 * byte);
        }
        field_set(record, field, i, flipped(field, value));
    }
}

static void code_field(struct coder *coder, const struct field *field, void *record)
{
    for (unsigned i = 0; i < field->times; i += AT_ONCE) {
        const unsigned left = field->times - i;
        code_values(coder, field, record, i, left < AT_ONCE ? left : AT_ONCE);
    }
}

static void code_record(struct coder *coder, const struct layout *layout, void *record)
{
    for (unsigned f = 0; f < layout->count; f++) {
        code_field(coder, &layout->fields[f], record);
    }
}

// `count` records of the same layout, as long as there may be so many.
static void code_records(struct coder *coder, const struct layout *layout, void *records,
                         size_t size, unsigned count, unsigned max)
{
    coder->bad = coder->bad || count > max;
    for (unsigned i = 0; i < count && !coder->bad; i++) {
        code_record(coder, layout, (unsigned char *)records + i * size);
    }
}

static void code_frames(struct coder *coder, struct game *game)
{
    coder->bad = coder->bad || game->frame_count > MB_FRAMES_MAX;
    for (unsigned i = 0; i < game->frame_count && !coder->bad; i++) {
        struct frame *const frame = &game->frames[i];
        code_record(coder, &LAYOUT_FRAME, frame);
        const struct layout own = layout_of_frame(frame->kind);
        code_record(coder, &own, frame);
    }
}

static void code_head(struct coder *coder, struct game *game)
{
    code_record(coder, &LAYOUT_GAME, game);
    coder_bytes(coder, game->rng.seed, sizeof game->rng.seed);
    coder_u64(coder, &game->rng.position);
}

static void code_tables(struct coder *coder, struct game *game)
{
    struct fight *const fight = &game->fight;
    code_records(coder, &LAYOUT_SEAT, game->seats, sizeof game->seats[0], MB_SEATS_MAX,
                 MB_SEATS_MAX);
    code_record(coder, &LAYOUT_FIGHT, fight);
    code_records(coder, &LAYOUT_MONSTER, fight->monsters, sizeof fight->monsters[0],
                 fight->monster_count, MB_MONSTERS_MAX);
    code_records(coder, &LAYOUT_OWED, fight->owed, sizeof fight->owed[0], fight->owed_count,
                 MB_OWED_MAX);
    code_record(coder, &LAYOUT_PAUSE, &game->window);
    code_record(coder, &LAYOUT_PAUSE, &game->moment);
    code_record(coder, &LAYOUT_DECISION, &game->decision);
    code_records(coder, &LAYOUT_DEAL, game->deals, sizeof game->deals[0], MB_DEALS_MAX,
                 MB_DEALS_MAX);
    code_frames(coder, game);
    code_records(coder, &LAYOUT_DUE, game->due, sizeof game->due[0], game->due_count, MB_DUE_MAX);
    code_records(coder, &LAYOUT_LASTING, game->lasting, sizeof game->lasting[0], game->lasting_top,
                 MB_LASTING_MAX);
    code_record(coder, &LAYOUT_SCRIPT, game);
}

static void write_pile(struct coder *coder, const struct game *game, unsigned pile)
{
    uint16_t count = game->piles[pile].count;
    coder_u16(coder, &count);
    uint16_t at = game->piles[pile].first;
    for (unsigned i = 0; i < count && at < game->card_count; i++) {
        uint16_t card = at;
        coder_card(coder, &card);
        at = game->cards[at].next;
    }
}

static void read_pile(struct coder *coder, struct game *game, unsigned pile)
{
    uint16_t count = 0;
    coder_u16(coder, &count);
    for (unsigned i = 0; i < count && !coder->bad; i++) {
        uint16_t card = NO_CARD;
        coder_card(coder, &card);
        if (card >= game->card_count || game->cards[card].pile != PILE_TOTAL) {
            coder->bad = true;
            return;
        }
        pile_push_back(game, pile, card);
    }
}

static void code_cards(struct coder *coder, struct game *game)
{
    for (unsigned pile = 0; pile < PILE_TOTAL; pile++) {
        if (coder->mode == CODER_READ) {
            read_pile(coder, game, pile);
        } else {
            write_pile(coder, game, pile);
        }
    }
    // Field by field, not card by card: cards of a kind are alike and make long runs.
    for (unsigned i = 0; i < game->card_count; i++) {
        coder_card(coder, &game->cards[i].host);
    }
    for (unsigned i = 0; i < game->card_count; i++) {
        uint8_t none = (uint8_t)~game->cards[i].seat;
        coder_u8(coder, &none);
        game->cards[i].seat = (uint8_t)~none;
    }
    for (unsigned i = 0; i < game->card_count; i++) {
        coder_u8(coder, &game->cards[i].knowers);
    }
    for (unsigned i = 0; i < game->card_count; i++) {
        coder_u8(coder, &game->cards[i].flags);
    }
}

// Writing and comparing leave the state as it is: what they change on the way they change back.
static void code_game(struct coder *coder, struct game *game)
{
    code_head(coder, game);
    code_tables(coder, game);
    code_cards(coder, game);
}

size_t snapshot_encode(const struct game *game, unsigned char *out, size_t size)
{
    if (size < HEAD_SIZE + CHECK_SIZE) {
        return 0;
    }
    struct game copy = *game;
    memcpy(out, MAGIC, MAGIC_SIZE);
    out[MAGIC_SIZE] = (unsigned char)(game->card_count & 0xFFu);
    out[MAGIC_SIZE + 1] = (unsigned char)(game->card_count >> 8);
    struct coder coder = coder_write(out + HEAD_SIZE, size - HEAD_SIZE - CHECK_SIZE);
    code_game(&coder, &copy);
    if (!coder_end(&coder)) {
        return 0;
    }
    const size_t end = HEAD_SIZE + coder.at;
    coder_store_u32(out + end, coder_crc32(out, end));
    return end + CHECK_SIZE;
}

static bool read_head(const unsigned char *bytes, size_t size, const struct box *box,
                      struct mb_error *err)
{
    if (size < HEAD_SIZE + CHECK_SIZE || memcmp(bytes, MAGIC, MAGIC_SIZE - 1) != 0) {
        return mb_fail(err, MB_ERR_INPUT, "this is no snapshot of a game");
    }
    if (bytes[MAGIC_SIZE - 1] != SNAPSHOT_VERSION) {
        return mb_fail(err, MB_ERR_INPUT, "the snapshot has version %u, this program reads %d",
                       (unsigned)bytes[MAGIC_SIZE - 1], (int)SNAPSHOT_VERSION);
    }
    if (coder_crc32(bytes, size - CHECK_SIZE) != coder_load_u32(bytes + size - CHECK_SIZE)) {
        return mb_fail(err, MB_ERR_INPUT, "the snapshot is damaged: its checksum is wrong");
    }
    const unsigned cards = bytes[MAGIC_SIZE] | (unsigned)bytes[MAGIC_SIZE + 1] << 8;
    if (cards != box->card_count) {
        return mb_fail(err, MB_ERR_INPUT, "the snapshot has %u cards, the table's sets have %u",
                       cards, (unsigned)box->card_count);
    }
    return true;
}

bool snapshot_decode(const unsigned char *bytes, size_t size, const struct box *box,
                     struct game *out, struct mb_error *err)
{
    if (!read_head(bytes, size, box, err)) {
        return false;
    }
    memset(out, 0, sizeof *out);
    pile_reset(out);
    for (unsigned i = 0; i < MB_LASTING_MAX; i++) {
        out->lasting[i] = lasting_none();
    }
    out->card_count = box->card_count;
    const unsigned char *const body = bytes + HEAD_SIZE;
    const size_t length = size - HEAD_SIZE - CHECK_SIZE;
    struct coder coder = coder_read(body, length);
    code_game(&coder, out);
    if (!coder_end(&coder)) {
        return mb_fail(err, MB_ERR_INPUT, "the snapshot is damaged: its fields do not add up");
    }
    if (!snapshot_check(out, box, err)) {
        return false;
    }
    struct coder again = coder_verify(body, length);
    code_game(&again, out);
    if (!coder_end(&again)) {
        return mb_fail(err, MB_ERR_INPUT, "the snapshot is damaged: it is not in its only form");
    }
    return true;
}
