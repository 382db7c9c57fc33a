#include "core/codec/snapshot.h"

#include <string.h>

#include "core/codec/snapshot_check.h"
#include "core/game_state.h"
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

static void code_bytes(struct coder *coder, uint8_t *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        code_u8(coder, &values[i]);
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

static void code_words(struct coder *coder, uint16_t *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        code_u16(coder, &values[i]);
    }
}

static void code_i16(struct coder *coder, int16_t *value)
{
    uint16_t bits = (uint16_t)*value;
    code_u16(coder, &bits);
    *value = (int16_t)(bits >= 0x8000u ? (int32_t)bits - 0x10000 : (int32_t)bits);
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

static void code_head(struct coder *coder, struct game *game)
{
    code_u16(coder, &game->decision_id);
    code_u32(coder, &game->version);
    code_u8(coder, &game->seat_count);
    code_u8(coder, &game->phase);
    code_u8(coder, &game->turn);
    code_u8(coder, &game->winners);
    code_u16(coder, &game->round);
    code_u8(coder, &game->frame_count);
    code_u8(coder, &game->deal_next);
    code_u8(coder, &game->bribed);
    code_u8(coder, &game->after_fight);
    code_u8(coder, &game->met_monster);
    code_u8(coder, &game->dying);
    code_u8(coder, &game->doomed);
    code_u8(coder, &game->looted);
    code_bytes(coder, game->death_order, sizeof game->death_order);
    code_u8(coder, &game->death_count);
    code_u8(coder, &game->charity_open);
    code_u8(coder, &game->due_count);
    code_u8(coder, &game->due_next);
    code_u8(coder, &game->lasting_top);
    code_bytes(coder, game->rng.seed, sizeof game->rng.seed);
    code_u64(coder, &game->rng.position);
}

static void code_seat(struct coder *coder, struct seat_state *seat)
{
    code_u8(coder, &seat->level);
    code_u8(coder, &seat->female);
    code_u8(coder, &seat->alive);
    code_u8(coder, &seat->flags);
    code_u8(coder, &seat->holds);
    code_u8(coder, &seat->order_kind);
    code_u8(coder, &seat->order_level);
    code_u8(coder, &seat->unused);
}

static void code_monster(struct coder *coder, struct monster *monster)
{
    code_u16(coder, &monster->card);
    code_u16(coder, &monster->face);
    code_u16(coder, &monster->group);
    code_i16(coder, &monster->fixed);
    code_u8(coder, &monster->flags);
    code_u8(coder, &monster->escaped);
    code_u8(coder, &monster->caught);
    code_u8(coder, &monster->seat);
}

static void code_owed(struct coder *coder, struct owed *owed)
{
    code_u8(coder, &owed->seat);
    code_u8(coder, &owed->levels);
    code_i16(coder, &owed->treasures);
    code_u16(coder, &owed->card);
    code_u8(coder, &owed->kill);
    code_u8(coder, &owed->firm);
}

static void code_fight(struct coder *coder, struct fight *fight)
{
    code_u8(coder, &fight->on);
    code_u8(coder, &fight->main);
    code_u8(coder, &fight->helper);
    code_u8(coder, &fight->flags);
    code_u8(coder, &fight->monster_count);
    code_u8(coder, &fight->owed_count);
    code_u8(coder, &fight->helper_treasures);
    code_u8(coder, &fight->fled);
    code_u8(coder, &fight->refused);
    code_u8(coder, &fight->promise_count);
    code_u8(coder, &fight->entering);
    code_u8(coder, &fight->helper_before);
    code_words(coder, fight->promised, sizeof fight->promised / sizeof fight->promised[0]);
    for (size_t i = 0; i < MB_MONSTERS_MAX; i++) {
        code_monster(coder, &fight->monsters[i]);
    }
    for (size_t i = 0; i < MB_OWED_MAX; i++) {
        code_owed(coder, &fight->owed[i]);
    }
}

static void code_pause(struct coder *coder, struct pause *pause)
{
    code_u8(coder, &pause->kind);
    code_u8(coder, &pause->waited);
    code_u8(coder, &pause->passed);
    code_u8(coder, &pause->restarts);
    code_u8(coder, &pause->holds);
    code_bytes(coder, pause->unused, sizeof pause->unused);
}

static void code_decision(struct coder *coder, struct decision *decision)
{
    code_u8(coder, &decision->open);
    code_u8(coder, &decision->kind);
    code_u8(coder, &decision->seats);
    code_u8(coder, &decision->answered);
    code_u8(coder, &decision->min);
    code_u8(coder, &decision->max);
    code_u8(coder, &decision->own_only);
    code_u8(coder, &decision->option_count);
    code_u16(coder, &decision->subject);
    code_u16(coder, &decision->source);
    code_u16(coder, &decision->id);
    code_u8(coder, &decision->answer_count);
    code_u8(coder, &decision->may_pass);
    code_i16(coder, &decision->value_min);
    code_words(coder, decision->options, MB_OPTIONS_MAX);
    code_words(coder, decision->answers, MB_OPTIONS_MAX);
    code_bytes(coder, decision->answer_seats, sizeof decision->answer_seats);
    code_bytes(coder, decision->cards, sizeof decision->cards);
}

static void code_deal(struct coder *coder, struct deal *deal)
{
    code_u8(coder, &deal->kind);
    code_u8(coder, &deal->id);
    code_u8(coder, &deal->from);
    code_u8(coder, &deal->to);
    code_u8(coder, &deal->treasures);
    code_u8(coder, &deal->picking);
    code_u8(coder, &deal->accepted);
    code_u8(coder, &deal->refused);
    code_u8(coder, &deal->about);
    code_u8(coder, &deal->gives_count);
    code_u8(coder, &deal->wants_count);
    code_u8(coder, &deal->promises_count);
    code_words(coder, deal->gives, MB_DEAL_CARDS);
    code_words(coder, deal->wants, MB_DEAL_CARDS);
    code_words(coder, deal->promises, MB_DEAL_CARDS);
}

static void code_frame(struct coder *coder, struct frame *frame)
{
    code_u8(coder, &frame->kind);
    code_u8(coder, &frame->step);
    code_u8(coder, &frame->seat);
    code_u8(coder, &frame->other);
    code_u16(coder, &frame->card);
    code_u16(coder, &frame->card2);
    code_u16(coder, &frame->row);
    code_i16(coder, &frame->a);
    code_i16(coder, &frame->b);
    code_i16(coder, &frame->c);
    code_i16(coder, &frame->d);
    code_u8(coder, &frame->mask);
    code_u8(coder, &frame->mask2);
    code_u8(coder, &frame->monster);
    code_u8(coder, &frame->did);
}

static void code_lasting(struct coder *coder, struct lasting *lasting)
{
    // A free entry is the frequent one: its number becomes zero.
    lasting->op = (uint8_t)~lasting->op;
    code_u8(coder, &lasting->op);
    lasting->op = (uint8_t)~lasting->op;
    code_u8(coder, &lasting->seat);
    code_u8(coder, &lasting->until);
    code_u8(coder, &lasting->arg);
    code_i16(coder, &lasting->n);
    code_u16(coder, &lasting->source);
    code_u16(coder, &lasting->about);
    code_u8(coder, &lasting->fought);
    code_u8(coder, &lasting->by);
}

static void code_tables(struct coder *coder, struct game *game)
{
    for (size_t i = 0; i < MB_SEATS_MAX; i++) {
        code_seat(coder, &game->seats[i]);
    }
    code_fight(coder, &game->fight);
    code_pause(coder, &game->window);
    code_pause(coder, &game->moment);
    code_decision(coder, &game->decision);
    for (size_t i = 0; i < MB_DEALS_MAX; i++) {
        code_deal(coder, &game->deals[i]);
    }
    for (size_t i = 0; i < MB_FRAMES_MAX; i++) {
        code_frame(coder, &game->frames[i]);
    }
    for (size_t i = 0; i < MB_DUE_MAX; i++) {
        code_u16(coder, &game->due[i].card);
        code_u8(coder, &game->due[i].what);
        code_u8(coder, &game->due[i].seat);
    }
    for (size_t i = 0; i < MB_LASTING_MAX; i++) {
        code_lasting(coder, &game->lasting[i]);
    }
    code_bytes(coder, game->script_dice, sizeof game->script_dice);
    code_words(coder, game->script_picks, sizeof game->script_picks / sizeof game->script_picks[0]);
    code_u8(coder, &game->script_dice_count);
    code_u8(coder, &game->script_dice_used);
    code_u8(coder, &game->script_pick_count);
    code_u8(coder, &game->script_pick_used);
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
