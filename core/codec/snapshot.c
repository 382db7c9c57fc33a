#include "core/codec/snapshot.h"

#include <string.h>

#include "core/codec/snapshot_check.h"
#include "core/game_state.h"
#include "core/layout.h"
#include "core/pile_list.h"

// One walk over the fields serves all three: writing, reading, and comparing what was read with how
// it would be written, so that a state has one form only.
enum coder_mode { CODER_WRITE, CODER_READ, CODER_VERIFY };

struct coder {
    enum coder_mode mode;
    unsigned char *out;      // CODER_WRITE
    const unsigned char *in; // the others
    size_t at, size;
    unsigned zeros; // of a run that is not written yet, or not read yet
    bool bad;
};

enum { RUN_MAX = 255, MAGIC_SIZE = 4, HEAD_SIZE = MAGIC_SIZE + 2, CHECK_SIZE = 4 };

static const unsigned char MAGIC[MAGIC_SIZE] = {'M', 'B', 'G', SNAPSHOT_VERSION};

// CRC-32 (IEEE 802.3), four bits at a time.
static uint32_t crc32(const unsigned char *bytes, size_t size)
{
    static const uint32_t TABLE[16] = {
        0x00000000u, 0x1DB71064u, 0x3B6E20C8u, 0x26D930ACu, 0x76DC4190u, 0x6B6B51F4u,
        0x4DB26158u, 0x5005713Cu, 0xEDB88320u, 0xF00F9344u, 0xD6D6A3E8u, 0xCB61B38Cu,
        0x9B64C2B0u, 0x86D3D2D4u, 0xA00AE278u, 0xBDBDF21Cu,
    };
    uint32_t crc = 0xFFFFFFFFu;
    for (size_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        crc = crc >> 4 ^ TABLE[crc & 15u];
        crc = crc >> 4 ^ TABLE[crc & 15u];
    }
    return ~crc;
}

static void emit_byte(struct coder *coder, unsigned byte)
{
    if (coder->at >= coder->size) {
        coder->bad = true;
        return;
    }
    if (coder->mode == CODER_VERIFY) {
        coder->bad = coder->bad || coder->in[coder->at] != byte;
    } else {
        coder->out[coder->at] = (unsigned char)byte;
    }
    coder->at++;
}

static void flush_zeros(struct coder *coder)
{
    if (coder->zeros > 0) {
        emit_byte(coder, 0);
        emit_byte(coder, coder->zeros);
        coder->zeros = 0;
    }
}

static void put_byte(struct coder *coder, unsigned byte)
{
    if (byte != 0) {
        flush_zeros(coder);
        emit_byte(coder, byte);
    } else if (++coder->zeros == RUN_MAX) {
        flush_zeros(coder);
    }
}

static unsigned get_raw(struct coder *coder)
{
    if (coder->at >= coder->size) {
        coder->bad = true;
        return 0;
    }
    return coder->in[coder->at++];
}

static unsigned get_byte(struct coder *coder)
{
    if (coder->zeros > 0) {
        coder->zeros--;
        return 0;
    }
    const unsigned byte = get_raw(coder);
    if (byte == 0) {
        const unsigned run = get_raw(coder);
        if (run == 0) {
            coder->bad = true;
            return 0;
        }
        coder->zeros = run - 1;
    }
    return byte;
}

static void code_u8(struct coder *coder, uint8_t *value)
{
    if (coder->mode == CODER_READ) {
        *value = (uint8_t)get_byte(coder);
    } else {
        put_byte(coder, *value);
    }
}

static void code_u16(struct coder *coder, uint16_t *value)
{
    uint8_t low = (uint8_t)(*value & 0xFFu);
    uint8_t high = (uint8_t)(*value >> 8);
    code_u8(coder, &low);
    code_u8(coder, &high);
    *value = (uint16_t)(low | high << 8);
}

// Card numbers, where "none" is frequent: kept as number + 1, so that none is zero.
static void code_card(struct coder *coder, uint16_t *card)
{
    uint16_t value = (uint16_t)(*card + 1u);
    code_u16(coder, &value);
    *card = (uint16_t)(value - 1u);
}

static void code_u32(struct coder *coder, uint32_t *value)
{
    uint16_t low = (uint16_t)(*value & 0xFFFFu);
    uint16_t high = (uint16_t)(*value >> 16);
    code_u16(coder, &low);
    code_u16(coder, &high);
    *value = (uint32_t)low | (uint32_t)high << 16;
}

static void code_u64(struct coder *coder, uint64_t *value)
{
    uint32_t low = (uint32_t)(*value & 0xFFFFFFFFu);
    uint32_t high = (uint32_t)(*value >> 32);
    code_u32(coder, &low);
    code_u32(coder, &high);
    *value = (uint64_t)low | (uint64_t)high << 32;
}

// What stands for "none" is frequent: it is written as zero.
static uint32_t flipped(const struct field *field, uint32_t value)
{
    if (field_is_card(field)) {
        return value ^ NO_CARD;
    }
    return field->kind == IS_MAYBE_SEAT || field->kind == IS_RECEIVER ? value ^ NO_SEAT : value;
}

static void code_field(struct coder *coder, const struct field *field, void *record)
{
    for (unsigned i = 0; i < field->times; i++) {
        uint32_t value =
            coder->mode == CODER_READ ? 0 : flipped(field, (uint32_t)field_get(record, field, i));
        for (unsigned shift = 0; shift < 8u * field->size; shift += 8) {
            uint8_t byte = (uint8_t)(value >> shift & 0xFFu);
            code_u8(coder, &byte);
            value |= (uint32_t)byte << shift;
        }
        if (coder->mode == CODER_READ) {
            field_set(record, field, i, flipped(field, value));
        }
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
    for (unsigned i = 0; i < sizeof game->rng.seed; i++) {
        code_u8(coder, &game->rng.seed[i]);
    }
    code_u64(coder, &game->rng.position);
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
    code_u16(coder, &count);
    uint16_t at = game->piles[pile].first;
    for (unsigned i = 0; i < count && at < game->card_count; i++) {
        uint16_t card = at;
        code_card(coder, &card);
        at = game->cards[at].next;
    }
}

static void read_pile(struct coder *coder, struct game *game, unsigned pile)
{
    uint16_t count = 0;
    code_u16(coder, &count);
    for (unsigned i = 0; i < count && !coder->bad; i++) {
        uint16_t card = NO_CARD;
        code_card(coder, &card);
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
        code_card(coder, &game->cards[i].host);
    }
    for (unsigned i = 0; i < game->card_count; i++) {
        uint8_t none = (uint8_t)~game->cards[i].seat;
        code_u8(coder, &none);
        game->cards[i].seat = (uint8_t)~none;
    }
    for (unsigned i = 0; i < game->card_count; i++) {
        code_u8(coder, &game->cards[i].knowers);
    }
    for (unsigned i = 0; i < game->card_count; i++) {
        code_u8(coder, &game->cards[i].flags);
    }
}

// Writing and verifying leave the state as it is: what they change on the way they change back.
static void code_game(struct coder *coder, struct game *game)
{
    code_head(coder, game);
    code_tables(coder, game);
    code_cards(coder, game);
    if (coder->mode != CODER_READ) {
        flush_zeros(coder);
    }
}

static void store_u32(unsigned char *out, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++) {
        out[i] = (unsigned char)(value >> (8 * i) & 0xFFu);
    }
}

static uint32_t load_u32(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
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
    struct coder coder = {
        .mode = CODER_WRITE, .out = out, .at = HEAD_SIZE, .size = size - CHECK_SIZE};
    code_game(&coder, &copy);
    if (coder.bad) {
        return 0;
    }
    store_u32(out + coder.at, crc32(out, coder.at));
    return coder.at + CHECK_SIZE;
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
    if (crc32(bytes, size - CHECK_SIZE) != load_u32(bytes + size - CHECK_SIZE)) {
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
    struct coder coder = {
        .mode = CODER_READ, .in = bytes, .at = HEAD_SIZE, .size = size - CHECK_SIZE};
    code_game(&coder, out);
    if (coder.bad || coder.zeros > 0 || coder.at != coder.size) {
        return mb_fail(err, MB_ERR_INPUT, "the snapshot is damaged: its fields do not add up");
    }
    if (!snapshot_check(out, box, err)) {
        return false;
    }
    struct coder again = {
        .mode = CODER_VERIFY, .in = bytes, .at = HEAD_SIZE, .size = size - CHECK_SIZE};
    code_game(&again, out);
    if (again.bad || again.at != again.size) {
        return mb_fail(err, MB_ERR_INPUT, "the snapshot is damaged: it is not in its only form");
    }
    return true;
}
