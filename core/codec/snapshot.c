#include "core/codec/snapshot.h"

#include <string.h>

#include "core/codec/coder.h"
#include "core/codec/snapshot_check.h"
#include "core/state/game_state.h"
#include "core/state/layout.h"
#include "core/state/pile_list.h"

enum { CARDS_AT = CODER_HEAD_SIZE, HEAD_SIZE = CARDS_AT + 2, CHECK_SIZE = 4, PLAIN_MAX = 20480 };

_Static_assert(PLAIN_MAX >= sizeof(struct game) + 4096, "piles are written as lists besides");

static const char LETTERS[] = "MBG";

// What stands for "none" is frequent: it has all bits set and is written as zero. By field_kind.
static const unsigned char FLIPS[] = {[IS_MAYBE_SEAT] = 0xFF,
                                      [IS_RECEIVER] = 0xFF,
                                      [IS_CARD] = 0xFF,
                                      [IS_MAYBE_CARD] = 0xFF,
                                      [IS_LASTING] = 0};

_Static_assert(NO_CARD == 0xFFFF && NO_SEAT == 0xFF, "none has all bits set");

static void flip_bytes(unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bytes[i] ^= 0xFF;
    }
}

// Numbers of `size` bytes as this machine has them, turned to stand with the little end first.
// NOLINTNEXTLINE(readability-non-const-parameter): it is written to where the big end comes first
static void turn_numbers(unsigned char *bytes, size_t count, size_t size)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    for (size_t i = 0; i < count; i += size) {
        for (size_t low = i, high = i + size - 1; low < high; low++, high--) {
            const unsigned char byte = bytes[low];
            bytes[low] = bytes[high];
            bytes[high] = byte;
        }
    }
#else
    (void)bytes;
    (void)count;
    (void)size;
#endif
}

static void write_field(const struct field *field, const unsigned char *from, unsigned char *to)
{
    const size_t count = (size_t)field->size * field->times;
    memcpy(to, from, count);
    turn_numbers(to, count, field->size);
    if (FLIPS[field->kind] != 0) {
        flip_bytes(to, count);
    }
}

static void write_record(struct coder *coder, const struct layout *layout,
                         const unsigned char *record)
{
    unsigned char *const begin = coder->out + coder->at;
    const size_t room = coder->size - coder->at;
    size_t at = 0;
    for (unsigned f = 0; f < layout->count; f++) {
        const struct field *const field = &layout->fields[f];
        const size_t count = (size_t)field->size * field->times;
        if (room - at < count) {
            coder->bad = true;
            return;
        }
        if (count == 1) { // as nearly all have
            begin[at] = record[field->offset] ^ FLIPS[field->kind];
        } else {
            write_field(field, record + field->offset, begin + at);
        }
        at += count;
    }
    coder->at += at;
}

static void read_field(struct coder *coder, const struct field *field, void *record)
{
    const unsigned size = field->size;
    const unsigned char flip = FLIPS[field->kind];
    const unsigned char *from = coder_take(coder, (size_t)size * field->times);
    for (unsigned i = 0; from != NULL && i < field->times; i++) {
        uint32_t value = 0;
        for (unsigned byte = 0; byte < size; byte++) {
            value |= (uint32_t)(*from++ ^ flip) << (8 * byte);
        }
        field_set(record, field, i, value);
    }
}

static void code_record(struct coder *coder, const struct layout *layout, void *record)
{
    if (!coder->reads) {
        write_record(coder, layout, record);
        return;
    }
    for (unsigned f = 0; f < layout->count; f++) {
        read_field(coder, &layout->fields[f], record);
    }
}

// Writes the bytes again that were written last.
static void repeat_bytes(struct coder *coder, size_t length)
{
    unsigned char *const to = coder_room(coder, length);
    if (to != NULL) {
        memcpy(to, to - length, length);
    }
}

static void code_records(struct coder *coder, struct game *game, unsigned which)
{
    const struct records *const records = &RECORDS[which];
    const unsigned count = records->all ? records->most : records_used(game, records);
    const size_t size = records->size;
    size_t length = 0;
    for (unsigned i = 0; i < count && !coder->bad; i++) {
        unsigned char *const record = (unsigned char *)game + records->offset + i * size;
        if (!coder->reads && i > 0 && memcmp(record, record - size, size) == 0) {
            repeat_bytes(coder, length); // empty ones are all alike
            continue;
        }
        const size_t from = coder->at;
        code_record(coder, records->layout, record);
        if (which == RECORDS_FRAMES) {
            const struct layout own = layout_of_frame(((const struct frame *)record)->kind);
            code_record(coder, &own, record);
        }
        length = coder->at - from;
    }
}

static void write_pile(struct coder *coder, const struct game *game, unsigned pile)
{
    uint16_t count = game->piles[pile].count;
    coder_u16(coder, &count);
    unsigned char *to = coder_room(coder, (size_t)2 * count);
    uint16_t at = game->piles[pile].first;
    coder->bad = coder->bad || count > game->card_count;
    for (unsigned i = 0; i < count && !coder->bad; i++) {
        coder->bad = at >= game->card_count;
        *to++ = (unsigned char)((at + 1u) & 0xFFu);
        *to++ = (unsigned char)((at + 1u) >> 8 & 0xFFu);
        at = coder->bad ? at : game->cards[at].next;
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

// Field by field, not card by card: cards of a kind are alike and make long runs.
static void write_cards(struct coder *coder, const struct game *game)
{
    const size_t count = game->card_count;
    unsigned char *const to = coder_room(coder, 5 * count);
    for (size_t i = 0; to != NULL && i < count; i++) {
        const struct card_state *const card = &game->cards[i];
        const unsigned host = card->host + 1u;
        to[2 * i] = (unsigned char)(host & 0xFFu);
        to[2 * i + 1] = (unsigned char)(host >> 8 & 0xFFu);
        to[2 * count + i] = (unsigned char)~card->seat;
        to[3 * count + i] = card->knowers;
        to[4 * count + i] = card->flags;
    }
}

static void read_cards(struct coder *coder, struct game *game)
{
    const size_t count = game->card_count;
    const unsigned char *const from = coder_take(coder, 5 * count);
    for (size_t i = 0; from != NULL && i < count; i++) {
        struct card_state *const card = &game->cards[i];
        const unsigned host = from[2 * i] | (unsigned)from[2 * i + 1] << 8;
        card->host = (uint16_t)(host - 1u);
        card->seat = (uint8_t)~from[2 * count + i];
        card->knowers = from[3 * count + i];
        card->flags = from[4 * count + i];
    }
}

// Writing leaves the state as it is.
static void code_game(struct coder *coder, struct game *game)
{
    code_records(coder, game, RECORDS_HEAD);
    coder_bytes(coder, game->rng.seed, sizeof game->rng.seed);
    coder_u64(coder, &game->rng.position);
    for (unsigned which = RECORDS_HEAD + 1; which < RECORDS_CARDS; which++) {
        code_records(coder, game, which);
    }
    for (unsigned pile = 0; pile < PILE_TOTAL; pile++) {
        if (coder->reads) {
            read_pile(coder, game, pile);
        } else {
            write_pile(coder, game, pile);
        }
    }
    if (coder->reads) {
        read_cards(coder, game);
    } else {
        write_cards(coder, game);
    }
}

static struct coder write_plain(const struct game *game, unsigned form,
                                unsigned char plain[PLAIN_MAX])
{
    // The walk reads and writes alike, so it takes what it may change; writing changes nothing.
    struct game *const same = (struct game *)(uintptr_t)game;
    struct coder coder = coder_write(plain, PLAIN_MAX);
    coder.form = form;
    code_game(&coder, same);
    return coder;
}

size_t snapshot_encode(const struct game *game, unsigned char *out, size_t size)
{
    if (size < HEAD_SIZE + CHECK_SIZE) {
        return 0;
    }
    unsigned char plain[PLAIN_MAX];
    coder_head_write(out, LETTERS, SNAPSHOT_FORM);
    out[CARDS_AT] = (unsigned char)(game->card_count & 0xFFu);
    out[CARDS_AT + 1] = (unsigned char)(game->card_count >> 8);
    const struct coder coder = write_plain(game, SNAPSHOT_FORM, plain);
    const size_t packed = coder_pack(&coder, out + HEAD_SIZE, size - HEAD_SIZE - CHECK_SIZE);
    if (packed == 0) {
        return 0;
    }
    coder_store_u32(out + HEAD_SIZE + packed, coder_sum(out, HEAD_SIZE + packed));
    return HEAD_SIZE + packed + CHECK_SIZE;
}

static bool read_head(const unsigned char *bytes, size_t size, const struct box *box,
                      struct mb_error *err)
{
    const unsigned form = size >= HEAD_SIZE + CHECK_SIZE ? coder_head_form(bytes, LETTERS) : 0;
    if (form == 0) {
        return mb_fail(err, MB_ERR_INPUT, "this is not a snapshot of a game");
    }
    if (form > SNAPSHOT_FORM) {
        return mb_fail(err, MB_ERR_INPUT, "the snapshot has form %u, this program reads up to %d",
                       form, (int)SNAPSHOT_FORM);
    }
    if (coder_sum(bytes, size - CHECK_SIZE) != coder_load_u32(bytes + size - CHECK_SIZE)) {
        return mb_fail(err, MB_ERR_INPUT, "the snapshot is damaged: its checksum is wrong");
    }
    const unsigned cards = bytes[CARDS_AT] | (unsigned)bytes[CARDS_AT + 1] << 8;
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
    unsigned char plain[PLAIN_MAX];
    unsigned char again[PLAIN_MAX];
    struct coder coder;
    memset(out, 0, sizeof *out);
    pile_reset(out);
    for (unsigned i = 0; i < MB_LASTING_MAX; i++) {
        out->lasting[i] = lasting_none();
    }
    out->card_count = box->card_count;
    if (!coder_unpack(bytes + HEAD_SIZE, size - HEAD_SIZE - CHECK_SIZE, plain, sizeof plain,
                      &coder)) {
        return mb_fail(err, MB_ERR_INPUT, "the snapshot is damaged: it is not in its only form");
    }
    coder.form = coder_head_form(bytes, LETTERS);
    code_game(&coder, out);
    if (!coder_end(&coder)) {
        return mb_fail(err, MB_ERR_INPUT, "the snapshot is damaged: its fields do not add up");
    }
    if (!snapshot_check(out, box, err)) {
        return false;
    }
    const struct coder written = write_plain(out, coder.form, again);
    if (written.bad || written.at != coder.at || memcmp(again, plain, coder.at) != 0) {
        return mb_fail(err, MB_ERR_INPUT, "the snapshot is damaged: it is not in its only form");
    }
    return true;
}
