#include "core/numbers/requirement.h"

#include <stddef.h>

#include "core/change/frame.h"
#include "core/numbers/strength.h"
#include "core/numbers/trait.h"
#include "core/state/pile_list.h"

struct req_context req_context_for(const struct game *game, const struct box *box, unsigned seat)
{
    return (struct req_context){.game = game,
                                .box = box,
                                .self = (uint8_t)seat,
                                .target = NO_SEAT,
                                .monster = -1,
                                .card = NO_CARD};
}

struct req_context req_context_for_monster(const struct game *game, const struct box *box,
                                           unsigned index)
{
    struct req_context ctx = req_context_for(game, box, game->fight.main);
    ctx.monster = (int8_t)index;
    ctx.card = game->fight.monsters[index].card;
    ctx.lend = true;
    return ctx;
}

bool card_known(const struct game *game, uint16_t card)
{
    return (game->cards[card].flags & CARD_BLANK) == 0;
}

int monster_find(const struct game *game, uint16_t card)
{
    for (unsigned i = 0; i < game->fight.monster_count; i++) {
        const struct monster *monster = &game->fight.monsters[i];
        if (monster->card == card && (monster->flags & (MONSTER_GONE | MONSTER_PASSED)) == 0) {
            return (int)i;
        }
    }
    return -1;
}

uint64_t monster_tags(const struct game *game, const struct box *box, unsigned index)
{
    const struct monster *monster = &game->fight.monsters[index];
    uint64_t tags = box_def(box, monster->group)->tags | box_def(box, monster->face)->tags;
    uint16_t at = pile_first(game, PILE_FIGHT);
    for (; at != NO_CARD; at = game->cards[at].next) {
        if (game->cards[at].host != monster->group) {
            continue;
        }
        const struct card_def *def = box_def(box, at);
        const struct row *rows = box_rows(box, def);
        for (unsigned i = 0; i < def->row_count; i++) {
            if (rows[i].when == WHEN_STATIC && rows[i].op == EFFECT_ADD_TAG) {
                tags |= (uint64_t)1 << (unsigned)rows[i].a;
            }
        }
    }
    return tags;
}

int card_printed_bonus(const struct box *box, uint16_t card)
{
    const struct card_def *def = box_def(box, card);
    const struct row *rows = box_rows(box, def);
    int bonus = 0;
    for (unsigned i = 0; i < def->row_count; i++) {
        bool plain = rows[i].when == WHEN_STATIC && rows[i].op == EFFECT_BONUS &&
                     rows[i].req_count == 0 && rows[i].n.source == SRC_CONST;
        bonus += plain ? rows[i].n.base : 0;
    }
    return bonus;
}

static bool place_fits(const struct game *game, unsigned place, uint16_t card)
{
    const struct card_state *state = &game->cards[card];
    switch ((enum place)place) {
    case PLACE_OWN:
        return pile_is_hand(state->pile) || pile_is_table(state->pile);
    case PLACE_HAND:
        return pile_is_hand(state->pile);
    case PLACE_TABLE:
        return pile_is_table(state->pile);
    case PLACE_EQUIPPED:
        return pile_is_table(state->pile) && (state->flags & CARD_EQUIPPED) != 0;
    case PLACE_CARRIED:
        return pile_is_table(state->pile) && (state->flags & CARD_EQUIPPED) == 0;
    case PLACE_FIGHT:
    case PLACE_THROWN: // whose it is, filter_collect() asks
        return state->pile == PILE_FIGHT;
    case PLACE_DOOR_DISCARD:
        return state->pile == PILE_DOOR_DISCARD;
    case PLACE_TREASURE_DISCARD:
        return state->pile == PILE_TREASURE_DISCARD;
    case PLACE_DISCARDS:
        return state->pile == PILE_DOOR_DISCARD || state->pile == PILE_TREASURE_DISCARD;
    case PLACE_TOTAL:
        break;
    }
    return false;
}

static bool slot_fits(const struct card_def *def, unsigned slot_plus_one)
{
    unsigned slot = slot_plus_one - 1u;
    if (slot == SLOT_HAND) {
        return def->slot == SLOT_HAND || def->slot == SLOT_TWO_HANDS;
    }
    return def->slot == slot;
}

static bool item_fits(const struct card_def *def, unsigned item)
{
    switch (item) {
    case 1:
        return kind_is_item(def->kind);
    case 2:
        return def->kind == KIND_ITEM;
    case 3:
        return !kind_is_item(def->kind);
    default:
        return true;
    }
}

static bool figures_fit(const struct box *box, const struct filter *filter, uint16_t card)
{
    const struct card_def *def = box_def(box, card);
    bool big = (def->flags & DEF_BIG) != 0;
    if ((filter->size == 1 && big) || (filter->size == 2 && !big)) {
        return false;
    }
    if (filter->value_min != 0 && def->gold < filter->value_min) {
        return false;
    }
    if (filter->value_max != 0 && def->gold > filter->value_max) {
        return false;
    }
    const int bonus =
        filter->bonus_min + filter->bonus_below != 0 ? card_printed_bonus(box, card) : 0;
    if (bonus < filter->bonus_min || (filter->bonus_below != 0 && bonus >= filter->bonus_below)) {
        return false;
    }
    return filter->level_max == 0 || def->level <= filter->level_max;
}

/** Where it lies with what, and on whose side. */
static bool place_details_fit(const struct game *game, const struct filter *filter, uint16_t card)
{
    const struct card_state *state = &game->cards[card];
    bool monsters = (state->flags & CARD_FOR_MONSTERS) != 0;
    if (filter->side != 0 && (filter->side == 2) != monsters) {
        return false;
    }
    if (filter->attached == 2) {
        return state->host != NO_CARD;
    }
    bool bears = false;
    uint16_t at = filter->attached == 1 ? pile_first(game, state->pile) : NO_CARD;
    for (; at != NO_CARD && !bears; at = game->cards[at].next) {
        bears = game->cards[at].host == card;
    }
    return filter->attached == 0 || bears;
}

static bool one_fits(const struct game *game, const struct box *box, const struct filter *filter,
                     uint16_t card)
{
    const struct card_def *def = box_def(box, card);
    if (!place_fits(game, filter->place, card)) {
        return false;
    }
    if (!card_known(game, card)) {
        return filter->kinds == 0 && filter->slot == 0 && filter->size == 0 && filter->tags == 0 &&
               filter->item == 0 && filter->trait == 0 && filter->name == 0;
    }
    if (filter->kinds != 0 && (filter->kinds & (1u << def->kind)) == 0) {
        return false;
    }
    if (filter->slot != 0 && !slot_fits(def, filter->slot)) {
        return false;
    }
    if ((def->tags & filter->tags) != filter->tags) {
        return false;
    }
    if (filter->trait != 0 && def->trait != filter->trait - 1u) {
        return false;
    }
    if (filter->name != 0 && def->name != filter->name - 1u) {
        return false;
    }
    bool lies = (filter->side | filter->attached) == 0 || place_details_fit(game, filter, card);
    return lies && item_fits(def, filter->item) && figures_fit(box, filter, card);
}

// Whether a card is meant by a filter, place included (seat: whose own, hand, table).
static bool filter_fits(const struct game *game, const struct box *box, const struct filter *filter,
                        uint16_t card)
{
    while (!one_fits(game, box, filter, card)) {
        if (filter->or_else == 0) {
            return false;
        }
        filter = &box->filters[filter->or_else - 1u];
    }
    return true;
}

bool filter_fits_index(const struct game *game, const struct box *box, unsigned index,
                       uint16_t card)
{
    if (index == 0) {
        unsigned pile = game->cards[card].pile;
        return pile_is_hand(pile) || pile_is_table(pile);
    }
    return filter_fits(game, box, &box->filters[index - 1u], card);
}

/** The places that a filter or one of its alternatives names, a bit each. */
static unsigned places_of(const struct box *box, unsigned index)
{
    if (index == 0) {
        return 1u << PLACE_OWN;
    }
    const struct filter *filter = &box->filters[index - 1u];
    unsigned places = 1u << filter->place;
    while (filter->or_else != 0) {
        filter = &box->filters[filter->or_else - 1u];
        places |= 1u << filter->place;
    }
    return places;
}

unsigned filter_collect(const struct game *game, const struct box *box, unsigned seat,
                        unsigned index, uint16_t *out, unsigned max)
{
    enum {
        LIES = 1u << PLACE_OWN | 1u << PLACE_TABLE | 1u << PLACE_EQUIPPED | 1u << PLACE_CARRIED,
        HELD = 1u << PLACE_OWN | 1u << PLACE_HAND,
        FOUGHT = 1u << PLACE_FIGHT | 1u << PLACE_THROWN,
        DOORS = 1u << PLACE_DOOR_DISCARD | 1u << PLACE_DISCARDS,
        TREASURES = 1u << PLACE_TREASURE_DISCARD | 1u << PLACE_DISCARDS
    };
    const unsigned places = places_of(box, index);
    const struct {
        unsigned places, pile;
    } piles[] = {{HELD, pile_hand(seat)},
                 {LIES, pile_table(seat)},
                 {FOUGHT, PILE_FIGHT},
                 {DOORS, PILE_DOOR_DISCARD},
                 {TREASURES, PILE_TREASURE_DISCARD}};
    unsigned count = 0;
    for (unsigned p = 0; p < sizeof piles / sizeof piles[0]; p++) {
        const bool own = piles[p].pile == PILE_FIGHT && (places & 1u << PLACE_FIGHT) == 0;
        uint16_t at = (places & piles[p].places) != 0 ? pile_first(game, piles[p].pile) : NO_CARD;
        for (; at != NO_CARD && count < max; at = game->cards[at].next) {
            bool theirs = !own || game->cards[at].seat == seat;
            if (!theirs || !filter_fits_index(game, box, index, at)) {
                continue;
            }
            if (out != NULL) {
                out[count] = at;
            }
            count++;
        }
    }
    return count;
}

static bool seat_has_trait(const struct req_context *ctx, unsigned seat,
                           const struct requirement *req)
{
    struct traits traits = trait_of(ctx->game, ctx->box, seat);
    uint64_t bit = (uint64_t)1 << (unsigned)req->n;
    if (((req->drawback ? traits.full : traits.any) & bit) != 0) {
        return true;
    }
    return ctx->lend && (trait_lent(ctx->game, ctx->box, seat) & bit) != 0;
}

static bool seat_wears(const struct req_context *ctx, unsigned seat, unsigned slot)
{
    const struct game *game = ctx->game;
    uint16_t at = pile_first(game, pile_table(seat));
    for (; at != NO_CARD; at = game->cards[at].next) {
        const struct card_def *def = box_def(ctx->box, at);
        if (def->kind == KIND_ITEM && (game->cards[at].flags & CARD_EQUIPPED) != 0 &&
            slot_fits(def, slot + 1u)) {
            return true;
        }
        if ((def->flags & DEF_EXTRA_ARMOR) != 0 && (slot == SLOT_ARMOR || slot == SLOT_HEADGEAR)) {
            return true;
        }
    }
    return false;
}

static unsigned count_cards(const struct req_context *ctx, unsigned seat, unsigned filter)
{
    return filter_collect(ctx->game, ctx->box, seat, filter, NULL, MB_CARDS_MAX);
}

static bool follower_in_play(const struct req_context *ctx)
{
    for (unsigned seat = 0; seat < ctx->game->seat_count; seat++) {
        if (trait_count(ctx->game, ctx->box, seat, KIND_FOLLOWER) > 0) {
            return true;
        }
    }
    return false;
}

static bool name_in_play(const struct req_context *ctx, unsigned name)
{
    const struct game *game = ctx->game;
    for (unsigned seat = 0; seat < game->seat_count; seat++) {
        uint16_t at = pile_first(game, pile_table(seat));
        for (; at != NO_CARD; at = game->cards[at].next) {
            if (box_def(ctx->box, at)->name == name) {
                return true;
            }
        }
    }
    return false;
}

/** What is asked of one player. */
static bool holds_for_seat(const struct req_context *ctx, const struct requirement *req,
                           unsigned seat)
{
    const struct game *game = ctx->game;
    const struct seat_state *state = &game->seats[seat];
    switch ((enum requirement_kind)req->kind) {
    case REQ_TRAIT:
        return seat_has_trait(ctx, seat, req);
    case REQ_SLOT_TRAIT:
        return trait_count(game, ctx->box, seat, (unsigned)req->n) > 0;
    case REQ_HUMAN:
        return trait_human(game, ctx->box, seat);
    case REQ_SEX:
        return state->female == (unsigned)req->n;
    case REQ_SEX_CHANGED:
        return (state->flags & SEAT_SEX_CHANGED) != 0;
    case REQ_LEVEL_MIN:
        return state->level >= req->n;
    case REQ_LEVEL_MAX:
        return state->level <= req->n;
    case REQ_HIGHEST:
        return state->level == seat_highest_level(game);
    case REQ_LOWEST:
        return state->level == seat_lowest_level(game);
    case REQ_WEARS:
        return seat_wears(ctx, seat, (unsigned)req->n);
    case REQ_CARDS:
        return count_cards(ctx, seat, req->arg) >= (unsigned)(req->n > 0 ? req->n : 1);
    case REQ_HAND_MIN:
        return pile_count(game, pile_hand(seat)) >= (unsigned)req->n;
    case REQ_IN_FIGHT:
        return seat_fights(game, seat);
    case REQ_OWN_TURN:
        return game->turn == seat;
    case REQ_HELPER:
        return (game->fight.on != 0 || ctx->ended) && game->fight.helper == seat;
    case REQ_CAUGHT:
        return ctx->monster >= 0 &&
               (game->fight.monsters[ctx->monster].caught & seat_bit(seat)) != 0;
    case REQ_ROLL_OWN: {
        const struct frame *roll = frame_find(game, FRAME_ROLL);
        return roll != NULL && roll->seat == seat;
    }
    case REQ_CURSE_OWN: {
        const struct frame *curse = frame_find(game, FRAME_CURSE);
        return curse != NULL && curse->seat == seat;
    }
    default:
        return false;
    }
}

static bool fight_has(const struct req_context *ctx, const struct requirement *req)
{
    const struct fight *fight = &ctx->game->fight;
    unsigned count = 0;
    for (unsigned i = 0; fight->on != 0 && i < fight->monster_count; i++) {
        const struct monster *monster = &fight->monsters[i];
        if ((monster->flags & MONSTER_GONE) != 0) {
            continue;
        }
        count++;
        if (req->kind == REQ_MONSTER_TAG &&
            (monster_tags(ctx->game, ctx->box, i) >> (unsigned)req->n & 1u) != 0) {
            return true;
        }
        if (req->kind == REQ_MONSTER_NAME &&
            box_def(ctx->box, monster->group)->name == (unsigned)req->n && (int)i != ctx->monster) {
            return true;
        }
    }
    return req->kind == REQ_MONSTERS_MIN && count >= (unsigned)req->n;
}

static bool holds_for_monster(const struct req_context *ctx, const struct requirement *req)
{
    if (ctx->monster < 0) {
        return false;
    }
    const struct monster *monster = &ctx->game->fight.monsters[ctx->monster];
    unsigned index = (unsigned)ctx->monster;
    switch ((enum requirement_kind)req->kind) {
    case REQ_MONSTER_LEVEL_MAX:
        if (ctx->box->profile.flag[FLAG_THRESHOLD_BY_STRENGTH]) {
            return strength_monster(ctx->game, ctx->box, index, NULL) <= req->n;
        }
        return box_def(ctx->box, monster->group)->level <= req->n; // Rules: RUL-148.
    case REQ_THIS_TAG:
        return (monster_tags(ctx->game, ctx->box, index) >> (unsigned)req->n & 1u) != 0;
    case REQ_THIS_WANDERED:
        return (monster->flags & MONSTER_WANDERED) != 0;
    case REQ_OPTIONAL_PASSED:
        return (monster->flags & MONSTER_PASSED) != 0;
    default:
        return false;
    }
}

static bool holds_for_roll_or_curse(const struct req_context *ctx, const struct requirement *req)
{
    const struct frame *roll = frame_find(ctx->game, FRAME_ROLL);
    const struct frame *curse = frame_find(ctx->game, FRAME_CURSE);
    switch ((enum requirement_kind)req->kind) {
    case REQ_DIE_MIN:
        return roll != NULL && roll->roll.face >= req->n;
    case REQ_ROLL_FAILED:
        return roll != NULL && !roll_succeeds(ctx->game, ctx->box, roll);
    case REQ_ROLL_FLIGHT:
        return roll != NULL && roll->roll.what == ROLL_FLIGHT;
    case REQ_CURSE_KICKED:
        return curse != NULL && curse->curse.player == NO_SEAT && !frame_suffers(curse);
    case REQ_CURSE_PLAYED:
        return curse != NULL && curse->curse.player != NO_SEAT;
    default:
        return false;
    }
}

/** The Levels of the fighters, and nothing else. */
static int level_total(const struct game *game)
{
    const struct fight *fight = &game->fight;
    int total = fight->main < MB_SEATS_MAX ? game->seats[fight->main].level : 0;
    return total + (fight->helper < MB_SEATS_MAX ? game->seats[fight->helper].level : 0);
}

/** Whether the players' side would win, or of a fight that has just ended: has won. */
static bool is_winning(const struct req_context *ctx, bool wanted)
{
    const struct fight *fight = &ctx->game->fight;
    if (ctx->ended) {
        return ((fight->flags & FIGHT_WON) != 0) == wanted;
    }
    return fight->on != 0 && strength_players_win(ctx->game, ctx->box) == wanted;
}

/** What is asked of the table as a whole; *known says whether the kind is one of these. */
static bool holds_for_table(const struct req_context *ctx, const struct requirement *req,
                            bool *known)
{
    const struct game *game = ctx->game;
    *known = true;
    switch ((enum requirement_kind)req->kind) {
    case REQ_ALONE:
        return (game->fight.on != 0 || ctx->ended) && game->fight.helper == NO_SEAT;
    case REQ_MONSTER_TAG:
    case REQ_MONSTER_NAME:
    case REQ_MONSTERS_MIN:
        return fight_has(ctx, req);
    case REQ_MONSTER_LEVEL_MAX:
    case REQ_THIS_TAG:
    case REQ_THIS_WANDERED:
    case REQ_OPTIONAL_PASSED:
        return holds_for_monster(ctx, req);
    case REQ_ROLLED_MIN:
        return ctx->paid >= req->n;
    case REQ_ROLLED_MAX:
        return ctx->paid <= req->n;
    case REQ_LOSING:
    case REQ_WINNING:
        return is_winning(ctx, req->kind == REQ_WINNING);
    case REQ_BY_LEVEL:
        return level_total(game) > strength_monsters(game, ctx->box, NULL) && game->fight.on != 0;
    case REQ_WON_BY:
        return game->fight.on != 0 &&
               strength_players(game, ctx->box, NULL) - strength_monsters(game, ctx->box, NULL) >=
                   req->n;
    case REQ_NAMED_IN_PLAY:
        return name_in_play(ctx, (unsigned)req->n);
    case REQ_AFTER_FIGHT:
        return game->after_fight != 0;
    case REQ_FOLLOWER_IN_PLAY:
        return follower_in_play(ctx);
    case REQ_DIE_MIN:
    case REQ_ROLL_FAILED:
    case REQ_ROLL_FLIGHT:
    case REQ_CURSE_KICKED:
    case REQ_CURSE_PLAYED:
        return holds_for_roll_or_curse(ctx, req);
    default:
        *known = false;
        return false;
    }
}

static unsigned range_seats(const struct req_context *ctx, unsigned range)
{
    const struct fight *fight = &ctx->game->fight;
    unsigned fighters = 0;
    if (fight->on != 0) {
        fighters =
            seat_bit(fight->main) | (fight->helper != NO_SEAT ? seat_bit(fight->helper) : 0u);
    }
    switch ((enum range)range) {
    case RANGE_SELF:
        return ctx->self < MB_SEATS_MAX ? seat_bit(ctx->self) : 0u;
    case RANGE_TARGET:
        return ctx->target < MB_SEATS_MAX ? seat_bit(ctx->target) : 0u;
    case RANGE_MAIN:
        return fight->on != 0 ? seat_bit(fight->main) : 0u;
    case RANGE_HELPER:
        return fight->on != 0 && fight->helper != NO_SEAT ? seat_bit(fight->helper) : 0u;
    case RANGE_FIGHTERS:
    case RANGE_ALL_FIGHTERS:
        return fighters;
    case RANGE_ANYONE:
        return seats_alive(ctx->game);
    case RANGE_TOTAL:
        break;
    }
    return 0;
}

bool requirement_holds(const struct req_context *ctx, const struct requirement *req)
{
    bool known = false;
    bool holds = holds_for_table(ctx, req, &known);
    if (!known) {
        unsigned seats = range_seats(ctx, req->range);
        bool all = req->range == RANGE_ALL_FIGHTERS;
        holds = all && seats != 0;
        for (unsigned seat = 0; seat < ctx->game->seat_count; seat++) {
            if ((seats & seat_bit(seat)) == 0) {
                continue;
            }
            bool one = holds_for_seat(ctx, req, seat);
            holds = all ? holds && one : holds || one;
        }
    }
    return holds != req->absent;
}

bool requirements_hold(const struct req_context *ctx, unsigned first, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        const struct requirement *req = &ctx->box->reqs[first + i];
        if (req->kind != REQ_ANY_OF) {
            if (!requirement_holds(ctx, req)) {
                return false;
            }
            continue;
        }
        bool any = false; // of the n after it
        for (unsigned k = 1; k <= (unsigned)req->n; k++) {
            any = any || requirement_holds(ctx, req + k);
        }
        if (any == req->absent) {
            return false;
        }
        i += (unsigned)req->n;
    }
    return true;
}
