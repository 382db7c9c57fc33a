#include "core/codec/outcome.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>
#include <sodium.h>

#include "core/state/game_state.h"

enum { DIGESTER_ROOM = 8192 };

// Numbers go in as eight bytes, little-endian, whatever their type: one rule, no padding.
struct digester {
    crypto_generichash_state state;
    unsigned char
        bytes[DIGESTER_ROOM]; /**< hashed when they are full: many small updates are dear */
    size_t used;
};

static void flush_digester(struct digester *digester)
{
    (void)crypto_generichash_update(&digester->state, digester->bytes, digester->used);
    digester->used = 0;
}

static unsigned char *digester_room(struct digester *digester, size_t size)
{
    if (sizeof digester->bytes - digester->used < size) {
        flush_digester(digester);
    }
    digester->used += size;
    return digester->bytes + digester->used - size;
}

static void put(struct digester *digester, int64_t number)
{
    uint64_t bits = (uint64_t)number;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    bits = __builtin_bswap64(bits);
#endif
    memcpy(digester_room(digester, sizeof bits), &bits, sizeof bits);
}

static void put_bytes(struct digester *digester, const void *bytes, size_t size)
{
    memcpy(digester_room(digester, size), bytes, size);
}

static void put_cards(struct digester *digester, const struct game *game)
{
    enum { CARD_SIZE = 7 };
    _Static_assert(CARD_SIZE * MB_CARDS_MAX <= DIGESTER_ROOM, "a pile finds room");
    for (unsigned pile = 0; pile < PILE_TOTAL; pile++) {
        const unsigned count = game->piles[pile].count;
        put(digester, count);
        unsigned char *to = digester_room(digester, (size_t)CARD_SIZE * count);
        uint16_t at = game->piles[pile].first;
        for (unsigned i = 0; i < count; i++, to += CARD_SIZE) {
            const struct card_state *const card = &game->cards[at];
            to[0] = (unsigned char)(at & 0xFFu);
            to[1] = (unsigned char)(at >> 8);
            to[2] = (unsigned char)(card->host & 0xFFu);
            to[3] = (unsigned char)(card->host >> 8);
            to[4] = card->seat;
            to[5] = card->knowers;
            to[6] = card->flags;
            at = card->next;
        }
    }
}

static void put_seats(struct digester *digester, const struct game *game)
{
    for (unsigned i = 0; i < game->seat_count; i++) {
        const struct seat_state *const seat = &game->seats[i];
        const unsigned char bytes[] = {seat->level, seat->female, seat->alive, seat->flags,
                                       seat->holds};
        put_bytes(digester, bytes, sizeof bytes);
    }
}

static void put_fight(struct digester *digester, const struct fight *fight)
{
    put(digester, fight->on);
    put(digester, fight->main);
    put(digester, fight->helper);
    put(digester, fight->flags);
    put(digester, fight->helper_treasures);
    for (unsigned i = 0; i < fight->monster_count; i++) {
        const struct monster *const monster = &fight->monsters[i];
        put(digester, monster->card);
        put(digester, monster->face);
        put(digester, monster->group);
        put(digester, monster->fixed);
        put(digester, monster->flags);
        put(digester, monster->escaped);
        put(digester, monster->caught);
    }
    for (unsigned i = 0; i < fight->promise_count; i++) {
        put(digester, fight->promised[i]);
    }
}

static void put_waiting(struct digester *digester, const struct game *game)
{
    const struct pause *const pauses[] = {&game->window, &game->moment};
    for (size_t i = 0; i < sizeof pauses / sizeof pauses[0]; i++) {
        put(digester, pauses[i]->kind);
        put(digester, pauses[i]->waited);
        put(digester, pauses[i]->passed);
        put(digester, pauses[i]->restarts);
        put(digester, pauses[i]->holds);
    }
    put(digester, game->decision.open);
    if (game->decision.open != 0) {
        put(digester, game->decision.kind);
        put(digester, game->decision.seats);
        put(digester, game->decision.answered);
        put(digester, game->decision.id);
    }
    for (unsigned i = 0; i < MB_DEALS_MAX; i++) {
        const struct deal *const deal = &game->deals[i];
        put(digester, deal->kind);
        if (deal->kind != DEAL_NONE) {
            put(digester, deal->id);
            put(digester, deal->from);
            put(digester, deal->to);
            put(digester, deal->treasures);
            put(digester, deal->accepted);
            put(digester, deal->refused);
        }
    }
}

// Abilities are numbered as sets are loaded: the state tells what they did.
static void put_command(struct digester *digester, const struct command *command)
{
    const uint16_t numbers[] = {
        command->verb,       command->seat,    command->side,        command->target_kind,
        command->card,       command->target,  command->to,          command->about,
        command->bribe,      command->picking, (uint16_t)command->n, command->list_count,
        command->more_count,
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        put(digester, numbers[i]);
    }
    for (unsigned i = 0; i < command->list_count; i++) {
        put(digester, command->list[i]);
    }
    for (unsigned i = 0; i < command->more_count; i++) {
        put(digester, command->more[i]);
    }
}

void outcome_of(const struct game *game, const struct command *command, uint8_t out[OUTCOME_SIZE])
{
    struct digester digester;
    digester.used = 0;
    (void)crypto_generichash_init(&digester.state, NULL, 0, OUTCOME_SIZE);
    if (command != NULL) {
        put_command(&digester, command);
    }
    put(&digester, game->card_count);
    put(&digester, game->seat_count);
    put(&digester, game->version);
    put(&digester, game->phase);
    put(&digester, game->turn);
    put(&digester, game->round);
    put(&digester, game->winners);
    put(&digester, game->bribed);
    put(&digester, game->frame_count);
    put(&digester, game->charity_open);
    put(&digester, (int64_t)game->rng.position);
    put_seats(&digester, game);
    put_cards(&digester, game);
    put_fight(&digester, &game->fight);
    put_waiting(&digester, game);
    flush_digester(&digester);
    (void)crypto_generichash_final(&digester.state, out, OUTCOME_SIZE);
}

void digest_of(const void *bytes, size_t size, uint8_t out[DIGEST_SIZE])
{
    (void)crypto_generichash(out, DIGEST_SIZE, bytes, size, NULL, 0);
}

void digest_of_json(const struct json_t *json, uint8_t out[DIGEST_SIZE])
{
    char *const text = json_dumps(json, JSON_COMPACT | JSON_SORT_KEYS | JSON_ENCODE_ANY);
    assert(text != NULL); // memory does not fail, and no value is deeper than the parser allows
    digest_of(text, strlen(text), out);
    free(text);
}

void digest_hex(const uint8_t *bytes, size_t size, char *out)
{
    (void)sodium_bin2hex(out, 2 * size + 1, bytes, size);
}

bool digest_read(const char *text, uint8_t *out, size_t size)
{
    size_t length = 0;
    return strlen(text) == 2 * size &&
           sodium_hex2bin(out, size, text, 2 * size, NULL, &length, NULL) == 0 && length == size;
}
