#include "core/change/emit.h"

#include <assert.h>
#include <string.h>

#include "core/state/pile_list.h"

void emit(struct engine *engine, const struct event *event)
{
    struct event_list *out = engine->out;
    if (out != NULL) {
        if (out->count < out->capacity) {
            out->items[out->count++] = *event;
        } else {
            out->overflow = true;
        }
    }
    event_apply(engine->game, event);
}

static uint8_t knowers_after(const struct game *game, const struct card_move *move)
{
    unsigned from = game->cards[move->card].pile;
    if (move->to == PILE_DOOR_DECK || move->to == PILE_TREASURE_DECK) {
        return 0;
    }
    if (!pile_is_hand(move->to) || move->face_up) {
        return 0xFF;
    }
    uint8_t mask = seat_bit(move->to - PILE_HAND);
    if (pile_is_hand(from)) {
        return (uint8_t)(mask | seat_bit(from - PILE_HAND));
    }
    if (from == PILE_DOOR_DECK || from == PILE_TREASURE_DECK) {
        return mask;
    }
    return 0xFF;
}

void emit_move(struct engine *engine, const struct card_move *move)
{
    struct event event = {.type = EVENT_MOVE,
                          .seat = move->seat,
                          .seat2 = move->seat2,
                          .why = move->why,
                          .from = engine->game->cards[move->card].pile,
                          .to = move->to,
                          .knowers = knowers_after(engine->game, move),
                          .card = move->card,
                          .card2 = move->hosted ? move->host : NO_CARD,
                          .n = move->top ? 1 : 0,
                          .m = move->flags};
    emit(engine, &event);
}

void emit_discard(struct engine *engine, uint16_t card, unsigned seat, enum move_why why)
{
    unsigned deck = box_def(engine->box, card)->deck;
    struct card_move move = {.card = card,
                             .to = deck == DECK_DOOR ? PILE_DOOR_DISCARD : PILE_TREASURE_DISCARD,
                             .why = (uint8_t)why,
                             .seat = (uint8_t)seat,
                             .seat2 = NO_SEAT,
                             .top = true};
    emit_move(engine, &move);
}

uint8_t emit_knowers(const struct game *game, uint16_t card)
{
    return card < game->card_count ? game->cards[card].knowers : 0xFF;
}

void emit_note(struct engine *engine, enum note note, unsigned seat, uint16_t card)
{
    struct event event = {.why = (uint8_t)note,
                          .seat = (uint8_t)seat,
                          .seat2 = NO_SEAT,
                          .card = card,
                          .card2 = NO_CARD};
    emit_note_full(engine, &event);
}

void emit_note_full(struct engine *engine, const struct event *note)
{
    struct event event = *note;
    event.type = EVENT_NOTE;
    event.knowers = emit_knowers(engine->game, note->card);
    event.mask = emit_knowers(engine->game, note->card2);
    emit(engine, &event);
}

void emit_level(struct engine *engine, unsigned seat, int level, enum level_why why)
{
    int before = engine->game->seats[seat].level;
    if (before == level) {
        return;
    }
    struct event event = {
        .type = EVENT_LEVEL, .seat = (uint8_t)seat, .why = (uint8_t)why, .n = level, .m = before};
    emit(engine, &event);
}

void emit_seat(struct engine *engine, unsigned seat, enum seat_field field, int n)
{
    struct event event = {.type = EVENT_SEAT, .seat = (uint8_t)seat, .why = (uint8_t)field, .n = n};
    emit(engine, &event);
}

void emit_seat_flag(struct engine *engine, unsigned seat, unsigned flag, bool on)
{
    unsigned flags = engine->game->seats[seat].flags;
    unsigned after = on ? flags | flag : flags & ~flag;
    if (after != flags) {
        emit_seat(engine, seat, SEAT_FIELD_FLAGS, (int)after);
    }
}

void emit_game(struct engine *engine, enum game_field field, int n)
{
    struct event event = {.type = EVENT_GAME, .why = (uint8_t)field, .n = n};
    emit(engine, &event);
}

void emit_version(struct engine *engine, uint32_t version)
{
    struct event event = {.type = EVENT_VERSION, .n = (int32_t)version};
    emit(engine, &event);
}

void emit_flags(struct engine *engine, uint16_t card, unsigned set, unsigned clear)
{
    unsigned flags = engine->game->cards[card].flags;
    if (((flags | set) & ~clear) == flags) {
        return;
    }
    struct event event = {.type = EVENT_FLAGS,
                          .knowers = engine->game->cards[card].knowers,
                          .card = card,
                          .n = (int)set,
                          .m = (int)clear};
    emit(engine, &event);
}

void emit_host(struct engine *engine, uint16_t card, uint16_t host)
{
    struct event event = {.type = EVENT_HOST,
                          .knowers = engine->game->cards[card].knowers,
                          .card = card,
                          .card2 = host};
    emit(engine, &event);
}

void emit_know(struct engine *engine, uint16_t card, unsigned mask)
{
    struct event event = {.type = EVENT_KNOW, .card = card, .mask = (uint8_t)mask};
    emit(engine, &event);
}

void emit_fight_field(struct engine *engine, enum fight_field field, int n)
{
    struct event event = {.type = EVENT_FIGHT_FIELD, .why = (uint8_t)field, .n = n};
    emit(engine, &event);
}

void emit_monster(struct engine *engine, unsigned index, const struct monster *monster)
{
    struct event event = {
        .type = EVENT_MONSTER, .card = monster->card, .n = (int)index, .u.monster = *monster};
    emit(engine, &event);
}

void emit_owed(struct engine *engine, const struct owed *owed)
{
    struct event event = {.type = EVENT_OWED, .n = engine->game->fight.owed_count, .u.owed = *owed};
    assert(event.n < MB_OWED_MAX);
    emit(engine, &event);
}

void emit_pause(struct engine *engine, enum pause_kind kind, enum pause_change change,
                unsigned waited, unsigned passed)
{
    struct event event = {.type = EVENT_PAUSE,
                          .seat = passed != 0 && !engine->sealed ? engine->author : NO_SEAT,
                          .mask = (uint8_t)waited,
                          .knowers = (uint8_t)passed,
                          .n = (int)change,
                          .m = (int)kind};
    emit(engine, &event);
}

unsigned emit_chance(struct engine *engine, unsigned bound)
{
    struct mb_rng rng = engine->game->rng;
    unsigned value = mb_rng_below(&rng, bound);
    struct event event = {.type = EVENT_CHANCE, .n = (int32_t)(uint32_t)rng.position};
    emit(engine, &event);
    return value;
}

unsigned emit_roll(struct engine *engine, unsigned seat, enum roll_for what)
{
    struct game *game = engine->game;
    unsigned face = 0;
    if (game->script_dice_used < game->script_dice_count) {
        face = game->script_dice[game->script_dice_used];
        emit_game(engine, GAME_DICE_USED, game->script_dice_used + 1);
    } else {
        face = emit_chance(engine, 6) + 1;
    }
    struct event event = {.type = EVENT_ROLL,
                          .seat = (uint8_t)seat,
                          .why = (uint8_t)what,
                          .n = (int)face,
                          .card = NO_CARD};
    emit(engine, &event);
    return face;
}

void emit_shuffle(struct engine *engine, unsigned from_pile, unsigned deck_pile)
{
    struct game *game = engine->game;
    uint16_t cards[MB_CARDS_MAX];
    unsigned count = 0;
    for (uint16_t at = pile_first(game, from_pile); at != NO_CARD; at = game->cards[at].next) {
        cards[count++] = at;
    }
    struct mb_rng rng = game->rng;
    for (unsigned i = count; i > 1; i--) {
        unsigned j = mb_rng_below(&rng, i);
        uint16_t swap = cards[i - 1];
        cards[i - 1] = cards[j];
        cards[j] = swap;
    }
    struct event chance = {.type = EVENT_CHANCE, .n = (int32_t)(uint32_t)rng.position};
    emit(engine, &chance);
    struct event shuffle = {.type = EVENT_SHUFFLE, .to = (uint8_t)deck_pile, .n = (int)count};
    emit(engine, &shuffle);
    for (unsigned i = 0; i < count; i += EVENT_LIST_MAX) {
        unsigned n = count - i < EVENT_LIST_MAX ? count - i : EVENT_LIST_MAX;
        struct event order = {.type = EVENT_ORDER, .to = (uint8_t)deck_pile, .n = (int)n};
        memcpy(order.u.list, cards + i, n * sizeof cards[0]);
        emit(engine, &order);
    }
}
