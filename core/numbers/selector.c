// Which players a word of the card language means.
#include "core/numbers/selector.h"

#include <stddef.h>

#include "core/change/frame.h"
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
