// Playing identities, Items, Monsters and followers: what each kind asks.
#include "core/cards/play_parts.h"

#include <stddef.h>

#include "core/cards/equip.h"
#include "core/cards/play.h"
#include "core/numbers/requirement.h"
#include "core/numbers/strength.h"
#include "core/numbers/trait.h"
#include "core/state/pile_list.h"
#include "core/work/fight_view.h"

bool play_at(const struct card_def *def, unsigned bit)
{
    return (def->timing >> bit & 1u) != 0;
}

static bool before_roll_ok(const struct game *game, const struct box *box, unsigned seat)
{
    const struct fight *fight = &game->fight;
    bool gave_up = (fight->flags & FIGHT_GAVE_UP) != 0;
    bool main_gives_up = fight_may_give_up(game, box, seat);
    return seat_fights(game, seat) && (fight->flags & FIGHT_ROLLED) == 0 &&
           (gave_up || main_gives_up);
}

bool play_in_time(const struct game *game, const struct box *box, unsigned seat,
                  const struct card_def *def)
{
    bool fight = game->fight.on != 0;
    bool running = fight && (game->fight.flags & FIGHT_GAVE_UP) != 0;
    bool mine = fight && !running && seat_fights(game, seat);
    return play_at(def, AT_ANY_TIME) || (play_at(def, AT_FIGHT) && fight && !running) ||
           (play_at(def, AT_OWN_FIGHT) && mine) ||
           (play_at(def, AT_OWN_TURN_FIGHT) && mine && game->turn == seat &&
            game->fight.main == seat) ||
           (play_at(def, AT_OTHERS_FIGHT) && fight && !running && game->fight.main != seat) ||
           (play_at(def, AT_BEFORE_ROLL) && before_roll_ok(game, box, seat)) ||
           (play_at(def, AT_FLIGHT) && running && game->turn == seat && seat_fights(game, seat)) ||
           (play_at(def, AT_OWN_TURN) && !fight && game->turn == seat) ||
           (play_at(def, AT_PEACE) && !fight) ||
           (play_at(def, AT_AFTER_FIGHT) && game->after_fight == 1);
}

void play_refuse_time(const struct game *game, const struct box *box, unsigned seat, uint16_t card,
                      struct refusal *why)
{
    const struct card_def *def = box_def(box, card);
    bool fight = game->fight.on != 0;
    bool wants_fight = play_at(def, AT_FIGHT) || play_at(def, AT_OWN_FIGHT) ||
                       play_at(def, AT_OWN_TURN_FIGHT) || play_at(def, AT_OTHERS_FIGHT) ||
                       play_at(def, AT_BEFORE_ROLL) || play_at(def, AT_FLIGHT);
    bool wants_peace =
        play_at(def, AT_OWN_TURN) || play_at(def, AT_PEACE) || play_at(def, AT_AFTER_FIGHT);
    bool own = play_at(def, AT_OWN_TURN) || play_at(def, AT_OWN_TURN_FIGHT);
    if (own && game->turn != seat && (!wants_fight || fight)) {
        refuse_card(why, REFUSAL_NOT_YOUR_TURN, "ACT-3", card, 0);
    } else if (wants_fight && (!fight || (!seat_fights(game, seat) && !play_at(def, AT_FIGHT)))) {
        refuse_card(why, REFUSAL_NOT_IN_COMBAT, "SHOT-1", card, 0);
    } else if (wants_peace && fight && !wants_fight) {
        refuse_card(why, REFUSAL_IN_COMBAT, "ACT-6", card, 0);
    } else if (fight && (game->fight.flags & FIGHT_GAVE_UP) != 0) {
        refuse_card(why, REFUSAL_WRONG_PHASE, "RUN-1", card, 0);
    } else {
        refuse_card(why, REFUSAL_NOT_USABLE, "SHOT-1", card, 0);
    }
}

static bool is_fresh(const struct game *game, uint16_t card)
{
    return (game->cards[card].flags & CARD_FRESH) != 0;
}

/** Cards that a command gives up for the new one must be identities of one's own in play. */
static void check_replacing(const struct game *game, const struct box *box,
                            const struct command *command, struct refusal *why)
{
    unsigned kind = box_def(box, command->card)->kind;
    for (unsigned i = 0; i < command->more_count; i++) {
        uint16_t card = command->more[i];
        if (game->cards[card].pile != pile_table(command->seat)) {
            refuse_not_ours(why, "RUL-44", card, game->cards[card].pile, command->seat);
        } else if (box_def(box, card)->kind != kind || !box->profile.slots[kind].at_will) {
            refuse_card(why, REFUSAL_NOT_USABLE, "RUL-44", card, 0);
        }
    }
}

static bool is_replaced(const struct command *command, uint16_t card)
{
    for (unsigned i = 0; i < command->more_count; i++) {
        if (command->more[i] == card) {
            return true;
        }
    }
    return false;
}

static bool holds_alike(const struct game *game, const struct box *box,
                        const struct command *command)
{
    const struct card_def *def = box_def(box, command->card);
    uint16_t at = pile_first(game, pile_table(command->seat));
    for (; at != NO_CARD; at = game->cards[at].next) {
        const struct card_def *other = box_def(box, at);
        if (other->kind == def->kind && other->name == def->name && !is_replaced(command, at)) {
            return true;
        }
    }
    return false;
}

static void check_rank(const struct game *game, const struct box *box,
                       const struct command *command, struct refusal *why)
{
    int total = strength_rank_total(game, box, command->seat) + box_def(box, command->card)->rank;
    for (unsigned i = 0; i < command->more_count; i++) {
        total -= box_def(box, command->more[i])->rank;
    }
    int limit = strength_rank_limit(game, box, command->seat);
    if (total > limit) {
        refuse_card(why, REFUSAL_RANK_EXCEEDED, "POWER-1", command->card, limit);
    }
}

static void check_second(const struct game *game, const struct box *box,
                         const struct command *command, struct refusal *why)
{
    const struct card_def *def = box_def(box, command->card);
    const struct row *rows = box_rows(box, def);
    for (unsigned i = 0; i < def->row_count; i++) {
        if (rows[i].op == EFFECT_SECOND &&
            trait_count(game, box, command->seat, (unsigned)rows[i].a) == 0) {
            refuse_card(why, REFUSAL_NOT_USABLE, "CHAR-7", command->card, 0);
        }
    }
}

/** In the set-up one Power of Rank 1 (S). */
static void check_start_power(const struct game *game, const struct box *box,
                              const struct command *command, struct refusal *why)
{
    if (game->phase != PHASE_SETUP || box_def(box, command->card)->kind != KIND_POWER) {
        return;
    }
    if (trait_count(game, box, command->seat, KIND_POWER) > 0) {
        refuse_card(why, REFUSAL_LIMIT_REACHED, "SETUP-6", command->card, 1);
    } else if (box_def(box, command->card)->rank > 1) { // whatever an Origin laid out before allows
        refuse_card(why, REFUSAL_RANK_EXCEEDED, "SETUP-6", command->card, 1);
    }
}

void play_check_identity(const struct game *game, const struct box *box,
                         const struct command *command, struct refusal *why)
{
    const struct card_def *def = box_def(box, command->card);
    const struct identity_slot *slot = &box->profile.slots[def->kind];
    unsigned seat = command->seat;
    bool power_any = def->kind == KIND_POWER && box->profile.flag[FLAG_POWER_ANY_TIME];
    if (game->phase != PHASE_SETUP && game->turn != seat && !is_fresh(game, command->card) &&
        !power_any) {
        refuse_card(why, REFUSAL_NOT_YOUR_TURN, "ACT-3", command->card, 0);
    }
    // Rules: who took a fight over is not on the own turn, which the above says already (RUL-70).
    check_replacing(game, box, command, why);
    if (def->kind == KIND_SECOND) {
        check_second(game, box, command, why);
        return;
    }
    if (!card_fits(game, box, seat, command->card)) {
        refuse_card(why, REFUSAL_RESTRICTED, "POWER-2", command->card, 0);
    }
    check_start_power(game, box, command, why);
    if (slot->unique && holds_alike(game, box, command)) {
        refuse_card(why, REFUSAL_DUPLICATE_CARD, "CHAR-5", command->card, 0);
    }
    unsigned held = trait_count(game, box, seat, def->kind);
    if (held + 1u > trait_capacity(game, box, seat, def->kind) + command->more_count) {
        refuse_card(why, REFUSAL_SLOT_FULL, "CHAR-4", command->card, 0);
    }
    // Rules: SETUP-6, a second Power in the set-up is one too many whatever its Rank.
    if (slot->ranked && (game->phase != PHASE_SETUP || held == 0)) {
        check_rank(game, box, command, why);
    }
}

void play_act_identity(struct engine *engine, const struct command *command)
{
    struct card_move move = {.card = command->card,
                             .to = (uint8_t)pile_table(command->seat),
                             .why = MOVE_PLAYED,
                             .seat = command->seat,
                             .seat2 = NO_SEAT};
    // One act: the new one lies before the old ones go, so nothing is lost in between (RUL-44).
    emit_move(engine, &move);
    for (unsigned i = 0; i < command->more_count; i++) {
        emit_discard(engine, command->more[i], command->seat, MOVE_REPLACED);
    }
}

void play_check_item(const struct game *game, const struct box *box, const struct command *command,
                     struct refusal *why)
{
    unsigned seat = command->seat;
    if (game->phase != PHASE_SETUP && game->turn != seat && !is_fresh(game, command->card)) {
        refuse_card(why, REFUSAL_NOT_YOUR_TURN, "ACT-3", command->card, 0);
    }
    if (seat_fights(game, seat)) {
        refuse_card(why, REFUSAL_IN_COMBAT, "ACT-6", command->card, 0);
    }
    equip_may_lie(game, box, seat, command->card, why);
}

static bool joins_by_itself(const struct game *game, const struct box *box, uint16_t card)
{
    const struct card_def *def = box_def(box, card);
    const struct row *rows = box_rows(box, def);
    struct req_context ctx = req_context_for(game, box, game->fight.main);
    ctx.card = card;
    for (unsigned i = 0; i < def->row_count; i++) {
        if (rows[i].when == WHEN_STATIC && rows[i].op == EFFECT_JOINS &&
            requirements_hold(&ctx, rows[i].first_req, rows[i].req_count)) {
            return true;
        }
    }
    return false;
}

static bool fight_has_tag(const struct game *game, const struct box *box, unsigned tag)
{
    for (unsigned i = 0; i < game->fight.monster_count; i++) {
        bool there = (game->fight.monsters[i].flags & (MONSTER_GONE | MONSTER_PASSED)) == 0;
        if (there && (monster_tags(game, box, i) >> tag & 1u) != 0) {
            return true;
        }
    }
    return false;
}

// Whether a Monster may be added to the fight without a joining card (TAG-1, TAG-2, M54).
static bool play_may_join(const struct game *game, const struct box *box, uint16_t card)
{
    uint64_t tags = box_def(box, card)->tags;
    bool undead = box->profile.flag[FLAG_TAG_UNDEAD] && (tags >> TAG_UNDEAD & 1u) != 0;
    bool goblin = box->profile.flag[FLAG_TAG_GOBLIN] && (tags >> TAG_GOBLIN & 1u) != 0;
    return (undead && fight_has_tag(game, box, TAG_UNDEAD)) ||
           (goblin && fight_has_tag(game, box, TAG_GOBLIN)) || joins_by_itself(game, box, card);
}

/** A tag that an enhancer played along gives the Monster (TAG-1). */
static bool joins_with_tag(const struct game *game, const struct box *box,
                           const struct command *command, struct refusal *why)
{
    if (command->list_count == 0) {
        return false;
    }
    uint16_t card = command->list[0];
    if (game->cards[card].pile != pile_hand(command->seat)) {
        refuse_card(why, REFUSAL_NOT_IN_HAND, "TAG-1", card, 0);
        return false;
    }
    const struct card_def *def = box_def(box, card);
    const struct row *rows = box_rows(box, def);
    for (unsigned i = 0; i < def->row_count; i++) {
        unsigned tag = (unsigned)rows[i].a;
        bool joins = (tag == TAG_UNDEAD && box->profile.flag[FLAG_TAG_UNDEAD]) ||
                     (tag == TAG_GOBLIN && box->profile.flag[FLAG_TAG_GOBLIN]);
        if (rows[i].op == EFFECT_ADD_TAG && joins && fight_has_tag(game, box, tag)) {
            return true;
        }
    }
    return false;
}

void play_check_monster(const struct game *game, const struct box *box,
                        const struct command *command, struct refusal *why)
{
    uint16_t card = command->card;
    if (game->phase == PHASE_SETUP) {
        refuse(why, REFUSAL_WRONG_PHASE, "SETUP-6");
        return;
    }
    if (game->fight.on == 0) {
        refuse_card(why, REFUSAL_NOT_IN_COMBAT, "TAG-1", card, 0);
        return;
    }
    if ((game->fight.flags & FIGHT_GAVE_UP) != 0) {
        refuse_card(why, REFUSAL_WRONG_PHASE, "RUN-1", card, 0);
    }
    if (!joins_with_tag(game, box, command, why) && !play_may_join(game, box, card)) {
        refuse_card(why, REFUSAL_NOT_USABLE, "TAG-1", card, 0);
    }
    if (!fight_has_room(game)) {
        refuse_card(why, REFUSAL_LIMIT_REACHED, "TAG-1", card, MB_MONSTERS_MAX);
    }
}

void play_check_follower(const struct game *game, const struct box *box,
                         const struct command *command, struct refusal *why)
{
    unsigned seat = command->seat;
    unsigned count = 0;
    uint16_t at = pile_first(game, pile_table(seat));
    for (; at != NO_CARD; at = game->cards[at].next) {
        count += box_def(box, at)->kind == KIND_FOLLOWER && !card_cheated(game, box, at);
    }
    if (game->phase == PHASE_SETUP && (box->profile.editions >> EDITION_SUPER & 1u) == 0) {
        refuse(why, REFUSAL_WRONG_PHASE, "SETUP-6");
    }
    if ((int)count + 1 > strength_follower_limit(game, box, seat)) {
        refuse_card(why, REFUSAL_SLOT_FULL, "HIRE-4", command->card, 0);
    }
}

void play_take_item(struct engine *engine, unsigned seat, uint16_t card)
{
    unsigned from = engine->game->cards[card].seat;
    struct card_move move = {.card = card,
                             .to = (uint8_t)pile_table(seat),
                             .why = MOVE_STOLEN,
                             .seat = (uint8_t)seat,
                             .seat2 = (uint8_t)from,
                             .flags = CARD_EQUIPPED};
    emit_move(engine, &move);
}

bool play_item_wins(const struct game *game, const struct box *box, unsigned seat, uint16_t item)
{
    if (!seat_fights(game, seat) || strength_players_win(game, box)) {
        return false;
    }
    struct game scratch = *game;
    struct engine engine = {.box = box, .game = &scratch, .out = NULL, .author = (uint8_t)seat};
    struct refusal why = {.code = REFUSAL_NONE};
    equip_obstacles(game, box, seat, item, &why);
    if (why.code != REFUSAL_NONE) {
        return false; // Rules: own Items may go first, by discards; what does not fit gives nothing
    }
    play_take_item(&engine, seat, item);
    return strength_players_win(&scratch, box);
}
