#include "bot/table/hand_key.h"

#include <string.h>

#include <sodium.h>

#include "bot/render/asks.h"
#include "bot/table/controls.h"
#include "bot/table/table_show_impl.h"

uint64_t hand_hash_of(const struct table_workspace *ws, const void *bytes, size_t length)
{
    uint8_t hashed[crypto_shorthash_BYTES];
    uint64_t hash = 0;
    (void)crypto_shorthash(hashed, bytes, length, ws->secret);
    memcpy(&hash, hashed, sizeof hash);
    return hash | 1u; // 0: nothing shown
}

static uint64_t text_key(const struct table_work *work, const char *text)
{
    return text[0] != '\0' ? hand_hash_of(work->ws, text, strlen(text)) : 0;
}

// The fight as it stands on top of a hand.
static uint64_t mix_fight(const struct table_work *work, uint64_t key)
{
    struct query_fight fight;
    query_fight(work->game, work->box, &fight);
    const int figures[] = {fight.players,         fight.monsters,
                           (int)fight.main,       (int)fight.helper,
                           fight.treasures,       (int)fight.monster_count,
                           fight.gave_up ? 1 : 0, fight.players_win ? 1 : 0};
    for (size_t i = 0; fight.on && i < sizeof figures / sizeof figures[0]; i++) {
        key = hand_mix(key, (uint64_t)(unsigned)figures[i]);
    }
    return fight.on ? hand_mix(key, fight.monster[0]) : key;
}

// It is compared and never shown, so it may look at the state itself.
uint64_t hand_key_moment(const struct table_work *work, unsigned seat)
{
    const struct game *const game = work->game;
    const struct query_clock running = work->running;
    uint64_t key = hand_mix(UINT64_C(0xCBF29CE484222325), work->table->state);
    key = hand_mix(key, query_phase(game));
    key = hand_mix(key, query_turn(game));
    key = hand_mix(key, query_count(game, PILE_FIGHT));
    if ((running.seats & seat_bit(seat)) != 0) {
        key = hand_mix(key, running.kind + 1);
        // A second question in a row changes nothing else.
        key = hand_mix(key, running.kind == CLOCK_DECISION ? table_clock_about(work, running) : 0);
        key = hand_mix(key, query_pause(game, PAUSE_WIN).restarts);
        key = hand_mix(key, query_pause(game, PAUSE_ANSWER).restarts);
    }
    key = hand_mix(key, query_level(game, seat));
    // What a seat is asked, and the fight, stand on top of its hand, with their figures.
    key = table_hand_fights(work, seat) ? mix_fight(work, key) : key;
    key = hand_mix(key, work->table->undo.asker);
    key = hand_mix(key, work->table->undo.agreed);
    for (unsigned i = 0; i < query_deal_count(game); i++) {
        const struct deal *const deal = query_deal(game, i);
        key = hand_mix(key, deal_awaits(deal, seat) ? deal->id + 1u : 0);
    }
    const unsigned piles[] = {pile_hand(seat), pile_table(seat)};
    for (size_t i = 0; i < sizeof piles / sizeof piles[0]; i++) {
        struct card_list cards;
        query_pile(game, piles[i], &cards);
        key = hand_mix(key, cards.count);
        for (unsigned j = 0; j < cards.count; j++) {
            key = hand_mix(key, cards.cards[j] * 256u + query_flags(game, cards.cards[j]));
        }
    }
    return hand_mix(key, text_key(work, work->table->seats[seat].news)) | 1u;
}

/* What a hand is made of. */

enum { BYTES_SIZE = 2048 };

/** Bytes that a hand is made of, hashed as often as the buffer is full. */
struct making {
    const struct table_words *words;
    const struct table_workspace *ws;
    bool named; /**< players' names enter the words */
    bool view;  /**< anything that the player sees may enter them */
    size_t used;
    uint64_t key;
    unsigned char bytes[BYTES_SIZE];
};

// Not by assignment: most of it is a buffer.
static void making_begin(struct making *making, const struct table_work *work,
                         const struct table_words *words)
{
    making->words = words;
    making->ws = work->ws;
    making->named = false;
    making->view = false;
    making->used = 0;
    making->key = 0;
}

static void hash_bytes(struct making *making)
{
    making->key = hand_mix(making->key, hand_hash_of(making->ws, making->bytes, making->used));
    making->used = 0;
}

static void put(struct making *making, const void *bytes, size_t count)
{
    if (BYTES_SIZE - making->used < count) {
        hash_bytes(making);
    }
    memcpy(making->bytes + making->used, bytes, count);
    making->used += count;
}

static void put_number(struct making *making, uint64_t number)
{
    put(making, &number, sizeof number);
}

// Where the cards of that name lie, and how: by that words tell them apart. Several of them in one
// place are told apart by their order in it.
static void put_namesakes(struct making *making, uint16_t card)
{
    const struct table_words *const words = making->words;
    uint64_t places = 0;
    uint16_t at = card;
    do {
        const unsigned where = query_where(words->view, at);
        if (where < PILE_TOTAL) {
            put_number(making, (uint64_t)at << 48 | (uint64_t)where << 32 |
                                   (uint64_t)query_flags(words->view, at) << 16 |
                                   query_host(words->view, at));
            const bool twice = (places >> where & 1u) != 0;
            making->view = making->view || (twice && where != pile_hand(words->seat));
            places |= UINT64_C(1) << where;
        }
        at = words->box->namesake[at];
    } while (at != card);
    making->named = true;
}

_Static_assert(PILE_TOTAL <= 64, "a bit for each pile");

static void put_card(struct making *making, uint16_t card)
{
    const struct box *const box = making->words->box;
    if (card < box->card_count && box->namesake[card] != card) {
        put_namesakes(making, card);
    }
}

static void put_cards(struct making *making, const uint16_t *cards, unsigned count)
{
    put(making, cards, count * sizeof cards[0]);
    for (unsigned i = 0; i < count; i++) {
        put_card(making, cards[i]);
    }
}

static void put_command(struct making *making, const struct command *command)
{
    const uint16_t numbers[] = {command->card,      command->target,      command->ability,
                                command->to,        command->about,       command->bribe,
                                command->side,      command->picking,     (uint16_t)command->n,
                                command->verb,      command->target_kind, command->list_count,
                                command->more_count};
    put(making, numbers, sizeof numbers);
    put_card(making, command->card);
    put_cards(making, command->list, command->list_count);
    put_cards(making, command->more, command->more_count);
    making->named = making->named || command->target_kind == TARGET_SEAT ||
                    command->to != NO_SEAT || command->about != NO_SEAT;
    // What cards and monsters are aimed at is looked for among all that lies open.
    making->view = making->view || command->target_kind == TARGET_CARD ||
                   command->target_kind == TARGET_MONSTER;
}

static void put_move(struct making *making, const struct move *move)
{
    put_command(making, &move->command);
    if (move->open != MOVE_CLOSED) {
        const int16_t places[] = {
            move->open,     move->min,      move->max,        move->value_min,
            move->more_min, move->more_max, move->more_count, move->candidate_count};
        put(making, places, sizeof places);
    }
}

// The cards; of an Item that can be played also why it would lie idle.
static void put_hand(struct making *making)
{
    const struct table_words *const words = making->words;
    struct card_list hand;
    query_pile(words->view, pile_hand(words->seat), &hand);
    put_number(making, hand.count);
    put(making, hand.cards, hand.count * sizeof hand.cards[0]);
    put_number(making, (uint64_t)query_hand_limit(words->view, words->box, words->seat));
}

static void put_idle(struct making *making, uint16_t card)
{
    const struct table_words *const words = making->words;
    struct refusal why = {.code = REFUSAL_NONE};
    if (box_def(words->box, card)->kind == KIND_ITEM) {
        query_obstacles(words->view, words->box, words->seat, card, &why);
        put_number(making, why.code);
    }
}

// What a panel is made of besides.
static void put_moment(struct making *making, const struct table_work *work)
{
    const struct table_words *const words = making->words;
    const bool runs = (work->running.seats & seat_bit(words->seat)) != 0;
    put_number(making, work->table->state);
    put_number(making, query_phase(words->view));
    put_number(making, query_asks(words->view) ? 1 : 0);
    put_number(making, runs ? query_pause(work->game, PAUSE_WIN).restarts + 1u : 0);
    put_number(making, runs ? query_pause(work->game, PAUSE_ANSWER).restarts : 0);
}

uint64_t hand_key_made(const struct table_work *work, const struct table_words *words,
                       uint32_t caps)
{
    const struct move_list *const moves = &work->ws->moves;
    struct making making;
    struct query_decision decision;
    making_begin(&making, work, words);
    query_decision(words->view, words->box, words->seat, &decision);
    struct ask_list asks;
    asks_list(words, &asks);
    making.view =
        decision.kind < DECIDE_TOTAL ||
        (query_main(words->view) < MB_SEATS_MAX && table_hand_fights(work, words->seat)) ||
        (asks_seats(&asks) & seat_bit(words->seat)) != 0;
    put_number(&making, (uint64_t)words->undo_asker << 8 | words->undo_seats);
    put_number(&making, words->passed);
    put_number(&making, caps);
    put_number(&making, text_key(work, work->table->seats[words->seat].news));
    put_hand(&making);
    for (uint32_t i = 0; i < moves->count; i++) {
        const struct command *const command = &moves->items[i].command;
        if ((caps & (CHAT_CAP_PANEL | CHAT_CAP_NUMBERS)) != 0 ||
            controls_are_private(command->verb)) {
            put_move(&making, &moves->items[i]);
        }
        if (command->verb == VERB_PLAY) {
            put_idle(&making, command->card);
        }
    }
    if ((caps & CHAT_CAP_PANEL) != 0) {
        put_moment(&making, work);
    }
    if ((caps & CHAT_CAP_NUMBERS) != 0) {
        put_number(&making, controls_bare_now(words));
    }
    for (unsigned seat = 0; (making.named || making.view) && seat < MB_SEATS_MAX; seat++) {
        put_number(&making,
                   words->players[seat] != NULL ? text_key(work, words->players[seat]) : 0);
    }
    if (making.view) {
        put_number(&making, game_digest(words->view));
    }
    hash_bytes(&making);
    return making.key | 1u;
}
