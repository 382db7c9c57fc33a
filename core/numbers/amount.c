// What a word of the card language means: which players, and how much.
#include <stddef.h>

#include "core/change/frame.h"
#include "core/numbers/requirement.h"
#include "core/numbers/strength.h"
#include "core/numbers/trait.h"
#include "core/state/pile_list.h"

static unsigned others_of(const struct game *game, unsigned seat)
{
    return seats_alive(game) & ~(unsigned)seat_bit(seat);
}

static unsigned fewest_cards(const struct game *game, unsigned self)
{
    unsigned others = others_of(game, self);
    unsigned fewest = MB_CARDS_MAX;
    unsigned mask = 0;
    for (unsigned seat = 0; seat < game->seat_count; seat++) {
        unsigned count = pile_count(game, pile_hand(seat));
        if ((others & seat_bit(seat)) == 0 || count > fewest) {
            continue;
        }
        mask = count < fewest ? seat_bit(seat) : mask | seat_bit(seat);
        fewest = count;
    }
    return mask;
}

static unsigned seats_with(const struct req_context *ctx, const struct asked_of *asked,
                           unsigned seats)
{
    unsigned mask = 0;
    for (unsigned seat = 0; seat < ctx->game->seat_count; seat++) {
        struct req_context one = *ctx;
        one.self = (uint8_t)seat;
        if ((seats & seat_bit(seat)) != 0 &&
            requirements_hold(&one, asked->first_req, asked->req_count)) {
            mask |= seat_bit(seat);
        }
    }
    return mask;
}

static unsigned bit_or_none(unsigned seat)
{
    return seat < MB_SEATS_MAX ? seat_bit(seat) : 0u;
}

static unsigned played_by(const struct game *game, unsigned self)
{
    const struct frame *curse = frame_find(game, FRAME_CURSE);
    return curse != NULL && curse->curse.player != NO_SEAT ? curse->curse.player : self;
}

unsigned selector_of(const struct req_context *ctx, unsigned who, const struct asked_of *asked)
{
    const struct game *game = ctx->game;
    const struct fight *fight = &game->fight;
    unsigned self = ctx->self;
    switch ((enum selector)who) {
    case WHO_SELF:
        return seat_bit(self);
    case WHO_TARGET:
        return bit_or_none(ctx->target);
    case WHO_MAIN:
        return bit_or_none(fight->main);
    case WHO_HELPER:
        return bit_or_none(fight->helper);
    case WHO_FIGHTERS:
        return bit_or_none(fight->main) | bit_or_none(fight->helper);
    case WHO_OTHERS:
    case WHO_OTHERS_RIGHT:
    case WHO_CHOSEN:
        return others_of(game, self);
    case WHO_EVERYONE:
        return seats_alive(game);
    case WHO_LEFT:
        return seat_bit(seat_left(game, self)) & ~(unsigned)seat_bit(self);
    case WHO_RIGHT:
        return seat_bit(seat_right(game, self)) & ~(unsigned)seat_bit(self);
    case WHO_NEIGHBOURS:
        return (unsigned)(seat_bit(seat_left(game, self)) | seat_bit(seat_right(game, self))) &
               ~(unsigned)seat_bit(self);
    case WHO_HIGHEST:
        return seats_at_level(game, seat_highest_level(game));
    case WHO_LOWEST:
        return seats_at_level(game, seat_lowest_level(game));
    case WHO_HIGHEST_OTHERS:
        return seats_at_level(game, seat_highest_level(game)) & ~(unsigned)seat_bit(self);
    case WHO_FEWEST_CARDS:
        return fewest_cards(game, self);
    case WHO_TURN:
        return seat_bit(game->turn);
    case WHO_PLAYER:
        return bit_or_none(played_by(game, self));
    case WHO_OTHERS_WITH:
        return seats_with(ctx, asked, others_of(game, self));
    case WHO_EVERYONE_WITH:
        return seats_with(ctx, asked, seats_alive(game));
    case SELECTOR_TOTAL:
        break;
    }
    return 0;
}

/** The one seat an amount looks at. */
static unsigned amount_seat(const struct req_context *ctx, unsigned who)
{
    const struct fight *fight = &ctx->game->fight;
    switch ((enum selector)who) {
    case WHO_TARGET:
        return ctx->target != NO_SEAT ? ctx->target : ctx->self;
    case WHO_MAIN:
        return fight->on != 0 ? fight->main : ctx->self;
    case WHO_HELPER:
        return fight->on != 0 && fight->helper != NO_SEAT ? fight->helper : ctx->self;
    case WHO_LEFT:
        return seat_left(ctx->game, ctx->self);
    case WHO_RIGHT:
        return seat_right(ctx->game, ctx->self);
    case WHO_TURN:
        return ctx->game->turn;
    default:
        return ctx->self;
    }
}

static int count_with_trait(const struct req_context *ctx, const struct amount *amount)
{
    const struct fight *fight = &ctx->game->fight;
    unsigned seats[2] = {fight->main, fight->helper};
    int count = 0;
    for (unsigned i = 0; fight->on != 0 && i < 2; i++) {
        if (seats[i] < MB_SEATS_MAX) {
            const struct traits traits = trait_of(ctx->game, ctx->box, seats[i]);
            count += (int)((amount->drawback ? traits.full : traits.any) >> amount->arg & 1u);
        }
    }
    return count;
}

static int count_monsters(const struct game *game)
{
    int count = 0;
    for (unsigned i = 0; game->fight.on != 0 && i < game->fight.monster_count; i++) {
        count += (game->fight.monsters[i].flags & MONSTER_GONE) == 0;
    }
    return count;
}

static int sum_of_bonuses(const struct req_context *ctx, unsigned seat, unsigned filter)
{
    uint16_t cards[MB_CARDS_MAX];
    unsigned count = filter_collect(ctx->game, ctx->box, seat, filter, cards, MB_CARDS_MAX);
    int total = 0;
    for (unsigned i = 0; i < count; i++) {
        total += card_printed_bonus(ctx->box, cards[i]);
    }
    return total;
}

static int free_hands(const struct req_context *ctx, unsigned seat)
{
    const struct game *game = ctx->game;
    int hands = strength_hands(game, ctx->box, seat);
    uint16_t at = pile_first(game, pile_table(seat));
    for (; at != NO_CARD; at = game->cards[at].next) {
        const struct card_def *def = box_def(ctx->box, at);
        if ((game->cards[at].flags & CARD_EQUIPPED) != 0 && def->kind == KIND_ITEM &&
            card_carrier(game, ctx->box, at) == NO_CARD) {
            hands -= def->slot == SLOT_HAND ? 1 : def->slot == SLOT_TWO_HANDS ? 2 : 0;
        }
    }
    return hands > 0 ? hands : 0;
}

static int count_players(const struct game *game)
{
    int count = 0;
    for (unsigned seat = 0; seat < game->seat_count; seat++) {
        count += game->seats[seat].alive != 0;
    }
    return count;
}

static int best_bonus(const struct req_context *ctx, unsigned seat, unsigned filter)
{
    uint16_t cards[MB_CARDS_MAX];
    unsigned count = filter_collect(ctx->game, ctx->box, seat, filter, cards, MB_CARDS_MAX);
    int best = 0;
    for (unsigned i = 0; i < count; i++) {
        int bonus = card_printed_bonus(ctx->box, cards[i]);
        best = bonus > best ? bonus : best;
    }
    return best;
}

static int top_monster_level(const struct game *game, const struct box *box)
{
    uint16_t at = pile_first(game, PILE_DOOR_DISCARD);
    while (at != NO_CARD && box_def(box, at)->kind != KIND_MONSTER) {
        at = game->cards[at].next;
    }
    return at != NO_CARD ? box_def(box, at)->level : 0;
}

/** Monsters slain in the fight that ends or has ended. */
static int count_kills(const struct game *game)
{
    int kills = 0;
    for (unsigned i = 0; (game->fight.flags & FIGHT_WON) != 0 && i < game->fight.monster_count;
         i++) {
        kills += (game->fight.monsters[i].flags & (MONSTER_GONE | MONSTER_PASSED)) == 0;
    }
    for (unsigned i = 0; i < game->fight.owed_count; i++) {
        kills += game->fight.owed[i].kill != 0;
    }
    return kills;
}

/** Whether the word means several players: then what is counted is summed over them. */
static bool means_several(unsigned who)
{
    switch ((enum selector)who) {
    case WHO_SELF:
    case WHO_TARGET:
    case WHO_MAIN:
    case WHO_HELPER:
    case WHO_LEFT:
    case WHO_RIGHT:
    case WHO_TURN:
        return false;
    default:
        return true;
    }
}

/** What is counted of one player. */
static int seat_count(const struct req_context *ctx, const struct amount *amount, unsigned seat)
{
    switch ((enum amount_source)amount->source) {
    case SRC_LEVEL:
        return ctx->game->seats[seat].level;
    case SRC_CARDS:
        return (int)filter_collect(ctx->game, ctx->box, seat, amount->arg, NULL, MB_CARDS_MAX);
    case SRC_BONUS:
        return best_bonus(ctx, seat, amount->arg);
    case SRC_BONUSES:
        return sum_of_bonuses(ctx, seat, amount->arg);
    case SRC_RANK:
        return strength_rank_total(ctx->game, ctx->box, seat);
    case SRC_HANDS_FREE:
        return free_hands(ctx, seat);
    default:
        return 0;
    }
}

static int seats_count(const struct req_context *ctx, const struct amount *amount)
{
    if (!means_several(amount->who)) {
        return seat_count(ctx, amount, amount_seat(ctx, amount->who));
    }
    static const struct asked_of ANYBODY = {0};
    unsigned seats = selector_of(ctx, amount->who, &ANYBODY);
    int total = 0;
    for (unsigned seat = 0; seat < ctx->game->seat_count; seat++) {
        int one = (seats & seat_bit(seat)) != 0 ? seat_count(ctx, amount, seat) : 0;
        bool best = amount->source == SRC_BONUS; // the biggest of all, not their sum
        total = best && one < total ? total : best ? one : total + one;
    }
    return total;
}

static int source_count(const struct req_context *ctx, const struct amount *amount)
{
    switch ((enum amount_source)amount->source) {
    case SRC_PAID:
    case SRC_ROLLED: // a row `roll` leaves the number in the same place
        return ctx->paid;
    case SRC_PAID_LEVEL:
        return ctx->paid_level;
    case SRC_PAID_TREASURES:
        return ctx->paid_treasures;
    case SRC_PAID_BONUS:
        return ctx->paid_bonus;
    case SRC_TOP_LEVEL:
        return top_monster_level(ctx->game, ctx->box);
    case SRC_LEVEL:
    case SRC_CARDS:
    case SRC_BONUS:
    case SRC_BONUSES:
    case SRC_RANK:
    case SRC_HANDS_FREE:
        return seats_count(ctx, amount);
    case SRC_TARGET_LEVEL: // the card named is where the one paid would be
        return ctx->paid_level;
    case SRC_TRAIT:
        return count_with_trait(ctx, amount);
    case SRC_MONSTERS:
        return count_monsters(ctx->game);
    case SRC_PLAYERS:
        return count_players(ctx->game);
    case SRC_KILLS:
        return count_kills(ctx->game);
    case SRC_LEVEL_HIGHEST:
        return (int)seat_highest_level(ctx->game);
    case SRC_LEVEL_LOWEST:
        return (int)seat_lowest_level(ctx->game);
    case SRC_MARGIN: {
        const struct frame *program = frame_find(ctx->game, FRAME_PROGRAM);
        return program != NULL ? program->program.paid : 0;
    }
    case SRC_CONST:
    case SRC_DIE:
    case SRC_HALF_DIE:
    case SRC_ONES:
    case SOURCE_TOTAL:
        break;
    }
    return 0;
}

int16_t amount_value(const struct req_context *ctx, const struct amount *amount)
{
    int value = amount->base;
    if (amount->source != SRC_CONST) {
        int count = number_fit(source_count(ctx, amount));
        value += amount->k * (amount->half ? (count + 1) / 2 : count);
    }
    if (amount->cap != 0) { // bounds the size, whichever the sign
        value = value > amount->cap ? amount->cap : value;
        value = value < -amount->cap ? -amount->cap : value;
    }
    return number_fit(value);
}
