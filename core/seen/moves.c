#include "core/seen/moves.h"

#include <string.h>

#include "core/cards/equip.h"
#include "core/loop/engine.h"
#include "core/seen/move_parts.h"
#include "core/state/pile_list.h"

static void add_simple(struct move_maker *maker, unsigned verb)
{
    struct command command = command_plain(maker->seat, verb);
    move_add(maker, &command);
}

static void list_turn(struct move_maker *maker)
{
    const struct game *game = maker->game;
    if (game->phase == PHASE_SETUP) {
        add_simple(maker, VERB_DONE);
        return;
    }
    if (game->turn != maker->seat || game->fight.on != 0) {
        return;
    }
    add_simple(maker, VERB_KICK);
    add_simple(maker, VERB_TAKE);
    add_simple(maker, VERB_LOOT);
    add_simple(maker, VERB_DONE);
    uint16_t at = pile_first(game, pile_hand(maker->seat));
    for (; at != NO_CARD; at = game->cards[at].next) {
        if (box_def(maker->box, at)->kind == KIND_MONSTER && move_first_alike(maker, at)) {
            struct command command = command_plain(maker->seat, VERB_FIGHT);
            command.card = at;
            move_add(maker, &command);
        }
    }
}

static void list_run(struct move_maker *maker)
{
    const struct game *game = maker->game;
    bool fighter = game->fight.on != 0 &&
                   (game->fight.main == maker->seat || game->fight.helper == maker->seat);
    if (!fighter) {
        return;
    }
    add_simple(maker, VERB_RUN);
    unsigned before = maker->out->count;
    for (unsigned i = 0; i < game->fight.monster_count; i++) {
        struct command command = command_plain(maker->seat, VERB_RUN);
        command.card = game->fight.monsters[i].card;
        move_add(maker, &command);
    }
    // `run` alone means the only one; naming it too would list the same move twice.
    if (before > 0 && maker->out->items[before - 1].command.verb == VERB_RUN &&
        maker->out->items[before - 1].command.card == NO_CARD) {
        maker->out->count = before;
    }
    add_simple(maker, VERB_SACRIFICE);
    struct command command = command_plain(maker->seat, VERB_SACRIFICE);
    command.n = 1;
    move_add(maker, &command);
}

static void list_all(struct move_maker *maker)
{
    const struct game *game = maker->game;
    unsigned seat = maker->seat;
    maker->out->count = 0;
    maker->out->overflow = false;
    if (game->phase == PHASE_OVER || seat >= game->seat_count || game->seats[seat].alive == 0) {
        return;
    }
    if (game->decision.open == 1) {
        moves_choose(maker);
        if (settle_asks_big(game, seat)) { // Rules: what cures it may be done instead (BIG-3).
            moves_play(maker);
            moves_items(maker);
            moves_use(maker);
        }
        return;
    }
    add_simple(maker, VERB_PASS);
    if (game->moment.kind == PAUSE_ANSWER) {
        moves_play(maker);
        moves_use(maker);
        return;
    }
    if (game->charity_open != 0 && game->turn != seat) {
        return;
    }
    moves_charity(maker);
    moves_play(maker);
    moves_items(maker);
    if (game->charity_open != 0) {
        return;
    }
    add_simple(maker, VERB_HOLD);
    list_turn(maker);
    list_run(maker);
    moves_use(maker);
    moves_deals(maker);
    moves_choose(maker);
}

void moves_list(const struct game *game, const struct box *box, unsigned seat,
                struct move_list *out)
{
    struct move_maker maker = {.game = game, .box = box, .seat = seat, .all = true, .out = out};
    list_all(&maker);
}

void moves_list_own(const struct game *game, const struct box *box, unsigned seat,
                    struct move_list *out)
{
    struct move_maker maker = {.game = game, .box = box, .seat = seat, .out = out};
    list_all(&maker);
}

unsigned moves_seats(const struct game *game, const struct box *box)
{
    struct move items[8];
    unsigned mask = 0;
    for (unsigned seat = 0; seat < game->seat_count; seat++) {
        struct move_list list = {.capacity = 8, .items = items};
        moves_list(game, box, seat, &list);
        mask |= list.count > 0 ? seat_bit(seat) : 0u;
    }
    return mask;
}

/** In Gold Pieces; a mark of Double Price counts for sales only. */
static int list_value(const struct game *game, const struct box *box, unsigned verb,
                      const uint16_t *list, unsigned count)
{
    int value = 0;
    for (unsigned i = 0; i < count; i++) {
        value += verb == VERB_SELL ? sale_value(game, box, list[i]) : box_def(box, list[i])->gold;
    }
    return value;
}

/** What an open list may hold. */
struct open_list {
    const uint16_t *cards;
    unsigned count, min, max;
    unsigned must; /**< the first so many are always there */
};

/** A uniform subset of those that need not be there, as many as min to max. */
static unsigned subset_of_rest(const struct open_list *open, struct mb_rng *rng, uint16_t *list)
{
    for (unsigned attempt = 0; attempt < 64 && open->count <= MB_LIST_MAX; attempt++) {
        unsigned count = 0;
        uint32_t coins = mb_rng_u32(rng); // one a candidate; MB_LIST_MAX are fewer than 32
        for (unsigned i = 0; i < open->count; i++) {
            if ((coins >> i & 1u) != 0) {
                list[count++] = open->cards[i];
            }
        }
        if (count >= open->min && count <= open->max) {
            return count;
        }
    }
    unsigned want = open->min + mb_rng_below(rng, open->max - open->min + 1u);
    uint16_t pool[MOVE_CANDIDATES_MAX];
    memcpy(pool, open->cards, open->count * sizeof pool[0]);
    for (unsigned i = 0; i < want; i++) {
        unsigned j = i + mb_rng_below(rng, open->count - i);
        list[i] = pool[j];
        pool[j] = pool[i];
    }
    return want;
}

/** A uniform subset whose size lies within min and max. */
static unsigned random_subset(const struct open_list *open, struct mb_rng *rng, uint16_t *list)
{
    struct open_list rest = {.cards = open->cards + open->must,
                             .count = open->count - open->must,
                             .min = open->min > open->must ? open->min - open->must : 0,
                             .max = open->max - open->must};
    memcpy(list, open->cards, open->must * sizeof list[0]);
    return open->must + subset_of_rest(&rest, rng, list + open->must);
}

void move_sample(const struct game *game, const struct box *box, const struct move *move,
                 struct mb_rng *rng, struct command *out)
{
    *out = move->command;
    if (move->open == MOVE_CLOSED) {
        return;
    }
    unsigned most = move->max < MB_LIST_MAX ? move->max : (unsigned)MB_LIST_MAX;
    struct open_list list = {move->candidates, move->candidate_count, move->min, most, move->must};
    struct open_list more = {move->more, move->more_count, move->more_min, move->more_max,
                             move->more_must};
    for (unsigned attempt = 0; attempt < 32; attempt++) {
        uint16_t cards[MB_LIST_MAX];
        unsigned count = random_subset(&list, rng, cards);
        bool enough = move->value_min == 0 ||
                      list_value(game, box, move->command.verb, cards, count) >= move->value_min;
        if (enough) {
            memcpy(out->list, cards, count * sizeof cards[0]);
            out->list_count = (uint8_t)count;
            break;
        }
    }
    if (move->more_max > 0) {
        uint16_t cards[MB_LIST_MAX];
        out->more_count = (uint8_t)random_subset(&more, rng, cards);
        memcpy(out->more, cards, out->more_count * sizeof cards[0]);
    }
}

static bool same_list(const uint16_t *a, unsigned a_count, const uint16_t *b, unsigned b_count)
{
    if (a_count != b_count) {
        return false;
    }
    for (unsigned i = 0; i < a_count; i++) {
        bool found = false;
        for (unsigned j = 0; j < b_count; j++) {
            found |= a[i] == b[j];
        }
        if (!found) {
            return false;
        }
    }
    return true;
}

static bool fits_open(const struct open_list *open, const uint16_t *list, unsigned count)
{
    if (count < open->min || count > open->max) {
        return false;
    }
    for (unsigned i = 0; i < count; i++) {
        if (!cards_include(open->cards, open->count, list[i])) {
            return false;
        }
    }
    for (unsigned i = 0; i < open->must; i++) {
        if (!cards_include(list, count, open->cards[i])) {
            return false;
        }
    }
    return true;
}

bool move_matches(const struct move *move, const struct command *command)
{
    const struct command *mine = &move->command;
    // What names the only thing possible may be left out.
    bool target = command->target_kind == TARGET_NONE ||
                  (mine->target_kind != TARGET_NONE && mine->target == command->target);
    bool side = command->side == SIDE_NONE || mine->side == command->side;
    bool card =
        mine->card == command->card || ((mine->verb == VERB_RUN || mine->verb == VERB_USE) &&
                                        (command->card == NO_CARD || mine->card == NO_CARD));
    if (mine->verb != command->verb || !card || !target || !side ||
        mine->ability != command->ability || mine->to != command->to || mine->n != command->n ||
        mine->bribe != command->bribe) {
        return false;
    }
    struct open_list first = {move->candidates, move->candidate_count, move->min, move->max,
                              move->must};
    struct open_list second = {move->more, move->more_count, move->more_min, move->more_max,
                               move->more_must};
    bool list = move->open == MOVE_LIST_OPEN
                    ? fits_open(&first, command->list, command->list_count)
                    : same_list(mine->list, mine->list_count, command->list, command->list_count);
    bool more = move->more_max > 0
                    ? fits_open(&second, command->more, command->more_count)
                    : same_list(mine->more, mine->more_count, command->more, command->more_count);
    return list && more;
}
