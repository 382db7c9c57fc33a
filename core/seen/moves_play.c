// Moves: playing cards, using abilities.
#include <stddef.h>
#include <string.h>

#include "core/cards/ability.h"
#include "core/seen/move_parts.h"
#include "core/state/pile_list.h"
#include "core/work/cost.h"
#include "core/work/program.h"
#include "core/work/target.h"

static const struct row *target_row(const struct box *box, const struct card_def *def)
{
    const struct row *rows = box_rows(box, def);
    for (unsigned i = 0; i < def->row_count; i++) {
        if ((rows[i].when == WHEN_PLAY || rows[i].when == WHEN_BEFORE_ROLL) &&
            rows[i].ability == 0) {
            return &rows[i];
        }
    }
    return NULL;
}

static bool has_static_rows(const struct box *box, const struct card_def *def)
{
    const struct row *rows = box_rows(box, def);
    for (unsigned i = 0; i < def->row_count; i++) {
        if (rows[i].when == WHEN_STATIC) {
            return true;
        }
    }
    return false;
}

/** Adds the play for the sides it can be for; one that has but one needs none named. */
static void add_sides(struct move_maker *maker, const struct command *base, unsigned sides)
{
    if (sides != 3) {
        move_add(maker, base);
        return;
    }
    struct command command = *base;
    command.side = SIDE_PLAYERS;
    if (move_add(maker, &command)) {
        command.side = SIDE_MONSTERS;
        move_add(maker, &command);
    }
}

/** A card with two ways of playing it (O03): the way in which it counts, its side always named. */
static void add_counting(struct move_maker *maker, const struct command *base, unsigned sides)
{
    for (unsigned side = SIDE_PLAYERS; side <= SIDE_MONSTERS; side++) {
        struct command command = *base;
        command.side = (uint8_t)side;
        if ((sides & (side == SIDE_PLAYERS ? 1u : 2u)) != 0) {
            move_add(maker, &command);
        }
    }
}

/** Adds the play with each Monster of the hand that it could bring. */
static void add_with_monsters(struct move_maker *maker, const struct command *base)
{
    const struct game *game = maker->game;
    uint16_t at = pile_first(game, pile_hand(maker->seat));
    for (; at != NO_CARD; at = game->cards[at].next) {
        if (at != base->card && box_def(maker->box, at)->kind == KIND_MONSTER &&
            card_known(game, at) && move_first_alike(maker, at)) {
            struct command command = *base;
            command.list[0] = at;
            command.list_count = 1;
            move_add(maker, &command);
        }
    }
}

static void add_paid(struct move_maker *maker, const struct command *base, const struct row *row)
{
    const struct cost *cost = &maker->box->costs[row->cost - 1u];
    struct move move = {.command = *base, .open = MOVE_LIST_OPEN};
    uint16_t payers[MOVE_CANDIDATES_MAX]; // read as far as cost_candidates() has filled it
    struct candidate_list can = {.ids = payers, .max = MOVE_CANDIDATES_MAX};
    cost_candidates(maker->game, maker->box, maker->seat, base->card, cost, &can);
    if (can.count < cost->min) {
        return;
    }
    move.min = cost->min;
    move.max = cost->max < MB_LIST_MAX ? cost->max : MB_LIST_MAX;
    move.candidate_count = (uint8_t)can.count;
    memcpy(move.candidates, payers, can.count * sizeof payers[0]);
    memcpy(move.command.list, payers, cost->min * sizeof payers[0]);
    move.command.list_count = cost->min;
    move_add_template(maker, &move);
}

static void add_effect(struct move_maker *maker, const struct command *base,
                       const struct card_def *def, const struct row *row)
{
    bool monster = row != NULL && (row->op == EFFECT_ADD_MONSTER || row->op == EFFECT_SWAP_MONSTER);
    bool paid = row != NULL && row->cost != 0 && !maker->box->costs[row->cost - 1u].whole_hand &&
                maker->box->costs[row->cost - 1u].max > 0;
    if (monster) {
        add_with_monsters(maker, base);
    } else if (paid) {
        add_paid(maker, base, row);
    } else {
        add_sides(maker, base,
                  def->kind == KIND_ONESHOT && row == NULL && has_static_rows(maker->box, def)
                      ? def->sides
                      : 0u);
    }
}

static void add_targets(struct move_maker *maker, const struct command *base,
                        const struct card_def *def, const struct row *row)
{
    struct row rule = row != NULL ? *row : (struct row){.when = WHEN_PLAY};
    if (def->kind == KIND_ENHANCER) {
        rule.target = ON_MONSTER;
    } else if (def->kind == KIND_CURSE) {
        rule.target = ON_PLAYER;
    }
    if (rule.target == ON_NOTHING) {
        add_effect(maker, base, def, row);
        return;
    }
    uint16_t targets[MB_CARDS_MAX];
    struct candidate_list found = {.ids = targets, .max = MB_CARDS_MAX};
    unsigned kind = target_candidates(maker->game, maker->box, maker->seat, &rule, &found);
    for (unsigned i = 0; i < found.count; i++) {
        if (kind == TARGET_CARD && !move_first_alike(maker, targets[i])) {
            continue;
        }
        struct command command = *base;
        command.target_kind = (uint8_t)kind;
        command.target = targets[i];
        add_effect(maker, &command, def, row);
    }
}

bool move_is_pointless(const struct box *box, const struct command *command)
{
    if (command->verb != VERB_PLAY || command->more_count != 1) {
        return false;
    }
    const struct card_def *const played = box_def(box, command->card);
    const struct card_def *const replaced = box_def(box, command->more[0]);
    return kind_is_identity(played->kind) && replaced->kind == played->kind &&
           replaced->name == played->name;
}

static void add_identity(struct move_maker *maker, const struct command *base,
                         const struct card_def *def)
{
    const struct game *game = maker->game;
    move_add(maker, base);
    if (def->kind == KIND_SECOND || def->kind == KIND_ORIGIN) {
        return;
    }
    uint16_t at = pile_first(game, pile_table(maker->seat));
    for (; at != NO_CARD; at = game->cards[at].next) {
        const struct card_def *const other = box_def(maker->box, at);
        struct command command = *base;
        command.more[0] = at;
        command.more_count = 1;
        if (other->kind == def->kind && (maker->all || !move_is_pointless(maker->box, &command))) {
            move_add(maker, &command);
        }
    }
}

static void add_attach(struct move_maker *maker, const struct command *base, const struct row *row)
{
    uint16_t cards[64];
    unsigned count = filter_collect(maker->game, maker->box, maker->seat, row->filter, cards, 64);
    for (unsigned i = 0; i < count; i++) {
        struct command command = *base;
        command.list[0] = cards[i];
        command.list_count = 1;
        if (move_first_alike(maker, cards[i])) {
            move_add(maker, &command);
        }
    }
}

static void play_card(struct move_maker *maker, uint16_t card)
{
    const struct card_def *def = box_def(maker->box, card);
    struct command base = command_plain(maker->seat, VERB_PLAY);
    base.card = card;
    const struct row *row = target_row(maker->box, def);
    bool plain = def->kind == KIND_ITEM || def->kind == KIND_MONSTER || def->kind == KIND_FOLLOWER;
    if (plain || maker->game->moment.kind == PAUSE_ANSWER) {
        move_add(maker, &base);
    } else if (kind_is_identity(def->kind)) {
        add_identity(maker, &base, def);
    } else if (row != NULL && row->op == EFFECT_ATTACH) {
        add_attach(maker, &base, row);
    } else {
        add_targets(maker, &base, def, row);
        if (row != NULL && def->kind == KIND_ONESHOT && has_static_rows(maker->box, def)) {
            add_counting(maker, &base, def->sides);
        }
        if (def->kind == KIND_ENHANCER && maker->game->fight.on != 0 &&
            program_has(maker->box, def, WHEN_STATIC)) {
            add_with_monsters(maker, &base);
        }
    }
}

static void lay_card(struct move_maker *maker, uint16_t card)
{
    if (kind_is_item(box_def(maker->box, card)->kind)) {
        struct command command = command_plain(maker->seat, VERB_LAY);
        command.card = card;
        move_add(maker, &command);
    }
}

void moves_play(struct move_maker *maker)
{
    const struct game *game = maker->game;
    uint16_t at = pile_first(game, pile_hand(maker->seat));
    for (; at != NO_CARD; at = game->cards[at].next) {
        if (card_known(game, at) && move_first_alike(maker, at)) {
            play_card(maker, at);
            if (game->moment.kind == PAUSE_NONE) {
                lay_card(maker, at);
            }
        }
    }
    at = pile_first(game, pile_table(maker->seat));
    for (; at != NO_CARD; at = game->cards[at].next) {
        if (box_def(maker->box, at)->kind == KIND_ONESHOT && move_first_alike(maker, at)) {
            play_card(maker, at);
        }
    }
    if (game->turn == maker->seat && pile_count(game, PILE_FACE_UP) > 0) {
        play_card(maker, pile_first(game, PILE_FACE_UP));
    }
}

static void use_on(struct move_maker *maker, const struct command *base, const struct row *row,
                   uint16_t source)
{
    if (row->cost == 0 || maker->box->costs[row->cost - 1u].whole_hand ||
        maker->box->costs[row->cost - 1u].max == 0) {
        move_add(maker, base);
        return;
    }
    const struct cost *cost = &maker->box->costs[row->cost - 1u];
    struct move move = {.command = *base, .open = MOVE_LIST_OPEN};
    struct candidate_list can = {.ids = move.candidates, .max = 64};
    cost_candidates(maker->game, maker->box, maker->seat, source, cost, &can);
    uint16_t about = base->target_kind == TARGET_SEAT ? base->target : (uint16_t)NO_CARD;
    int left = ability_left(maker->game, maker->box, maker->seat, source, row, about);
    move.min = cost->min;
    move.max = cost->max;
    if (row->limit != SCOPE_NONE && cost->max > 1 && move.max > left) {
        move.max = (uint8_t)(left > 0 ? left : 0);
    }
    if (left <= 0 || move.max < move.min) {
        return;
    }
    // What pays cannot be the target at the same time.
    unsigned kept = 0;
    for (unsigned i = 0; i < can.count; i++) {
        bool is_target = base->target_kind == TARGET_CARD && base->target == move.candidates[i];
        if (!is_target) {
            move.candidates[kept++] = move.candidates[i];
        }
    }
    move.candidate_count = (uint8_t)kept;
    if (kept < cost->min) {
        return;
    }
    memcpy(move.command.list, move.candidates, cost->min * sizeof move.candidates[0]);
    move.command.list_count = cost->min;
    move_add_template(maker, &move);
}

static void use_ability(struct move_maker *maker, const struct row *row, uint16_t source,
                        unsigned ability)
{
    struct command base = command_plain(maker->seat, VERB_USE);
    base.ability = (uint8_t)ability;
    base.card = source;
    if (row->target == ON_NOTHING) {
        use_on(maker, &base, row, source);
        return;
    }
    uint16_t targets[MB_CARDS_MAX];
    struct candidate_list found = {.ids = targets, .max = MB_CARDS_MAX};
    unsigned kind = target_candidates(maker->game, maker->box, maker->seat, row, &found);
    for (unsigned i = 0; i < found.count; i++) {
        if (kind != TARGET_CARD || move_first_alike(maker, targets[i])) {
            struct command command = base;
            command.target_kind = (uint8_t)kind;
            command.target = targets[i];
            use_on(maker, &command, row, source);
        }
    }
}

void moves_use(struct move_maker *maker)
{
    uint64_t mask = ability_mask(maker->game, maker->box, maker->seat);
    for (unsigned ability = 0; ability < maker->box->ability_count; ability++) {
        for (unsigned i = 0; i < 4 && (mask >> (ability & 63u) & 1u) != 0; i++) {
            uint16_t source = NO_CARD;
            const struct row *row =
                ability_source(maker->game, maker->box, maker->seat, ability, i, &source);
            if (row == NULL) {
                break;
            }
            use_ability(maker, row, source, ability);
        }
    }
}
