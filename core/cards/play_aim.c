// What a card played for an effect is aimed at and brings along: its target, the Monster of the
// hand, the Item that it lies with. The checks refuse what is not clear or does not fit; play_aim()
// finds the same for a play that has been accepted.
#include <stddef.h>

#include "core/cards/equip.h"
#include "core/cards/play_parts.h"
#include "core/numbers/requirement.h"
#include "core/numbers/trait.h"
#include "core/state/pile_list.h"
#include "core/state/refusal.h"
#include "core/work/fight_view.h"
#include "core/work/target.h"

bool play_brings_monster(const struct row *row)
{
    return row != NULL && (row->op == EFFECT_ADD_MONSTER || row->op == EFFECT_SWAP_MONSTER);
}

static unsigned hand_monsters(const struct game *game, const struct box *box, unsigned seat,
                              uint16_t except, uint16_t *first)
{
    unsigned count = 0;
    uint16_t card = pile_first(game, pile_hand(seat));
    for (; card != NO_CARD; card = game->cards[card].next) {
        if (card != except && card_known(game, card) && box_def(box, card)->kind == KIND_MONSTER) {
            *first = count == 0 ? card : *first;
            count++;
        }
    }
    return count;
}

/** The Monster of the hand that Wandering Monster and its like bring: named, or the first. */
static uint16_t with_monster(const struct game *game, const struct box *box,
                             const struct command *command)
{
    uint16_t first = NO_CARD;
    (void)hand_monsters(game, box, command->seat, command->card, &first);
    return command->list_count > 0 ? command->list[0] : first;
}

void play_check_bring(const struct game *game, const struct box *box, const struct command *command,
                      struct play *play, struct refusal *why)
{
    uint16_t first = NO_CARD;
    unsigned count = hand_monsters(game, box, play->seat, play->card, &first);
    play->with = command->list_count > 0 ? command->list[0] : first;
    if (command->list_count == 0) {
        if (count == 0) {
            refuse_card(why, REFUSAL_CANNOT_PAY, "RUL-66", play->card, 0);
        } else if (count > 1) {
            refuse(why, REFUSAL_BAD_ARGUMENTS, "MULTI-1");
        }
    } else if (game->cards[play->with].pile != pile_hand(play->seat)) {
        refuse_card(why, REFUSAL_NOT_IN_HAND, "MULTI-1", play->with, 0);
    } else if (box_def(box, play->with)->kind != KIND_MONSTER) {
        refuse_card(why, REFUSAL_NOT_USABLE, "MULTI-1", play->with, 0);
    }
    if (game->fight.on != 0 && !fight_has_room(game) && play->row->op == EFFECT_ADD_MONSTER) {
        refuse_card(why, REFUSAL_LIMIT_REACHED, "MULTI-1", play->card, MB_MONSTERS_MAX);
    }
}

/** The only lasting Curse that lies before a player, or NO_CARD. */
static uint16_t only_curse_of(const struct game *game, const struct box *box, unsigned seat)
{
    uint16_t found = NO_CARD;
    unsigned count = 0;
    uint16_t card = pile_first(game, pile_table(seat));
    for (; card != NO_CARD; card = game->cards[card].next) {
        if (box_def(box, card)->kind == KIND_CURSE) {
            found = card;
            count++;
        }
    }
    return count == 1 ? found : (uint16_t)NO_CARD;
}

/** An answer that comes too late: the Curse has acted, and none lasts (RUL-30). */
static bool nothing_to_cancel(const struct game *game, const struct box *box, unsigned seat,
                              const struct row *rule)
{
    uint16_t any = NO_CARD;
    struct candidate_list found = {.ids = &any, .max = 1};
    if (rule->target != ON_LASTING_CURSE) {
        return false;
    }
    (void)target_candidates(game, box, seat, rule, &found);
    return found.count == 0;
}

/** The row by which a play is aimed. */
static struct row target_rule(const struct play *play)
{
    struct row rule = play->row != NULL ? *play->row : (struct row){.when = WHEN_PLAY};
    if (play->def->kind == KIND_ENHANCER) {
        rule.target = ON_MONSTER;
        rule.req_count = 0;
    } else if (play->def->kind == KIND_CURSE) {
        rule.target = ON_PLAYER;
    }
    return rule;
}

struct aim {
    unsigned kind; /**< enum target_kind; TARGET_NONE: at nothing, or not clear at what */
    uint16_t target;
};

static const struct aim AIMLESS = {.kind = TARGET_NONE, .target = NO_CARD};

/** What is aimed at where nothing was named: the only thing possible. */
static struct aim only_aim(const struct game *game, const struct box *box, const struct play *play,
                           const struct row *rule, struct refusal *why)
{
    uint16_t targets[2];
    struct candidate_list found = {.ids = targets, .max = 2};
    unsigned kind = target_candidates(game, box, play->seat, rule, &found);
    if (rule->target == ON_PLAYER && play->def->kind != KIND_CURSE) {
        targets[0] = (uint16_t)play->seat; // a gift without a name is for oneself
        found.count = 1;
    }
    if (found.count != 1) {
        refuse_card(why, found.count == 0 ? REFUSAL_ILLEGAL_TARGET : REFUSAL_BAD_ARGUMENTS,
                    rule->target == ON_MONSTER ? "ENH-2" : "CONF-1", play->card, 0);
        return AIMLESS;
    }
    return (struct aim){.kind = kind, .target = targets[0]};
}

/** What `on` means: what was named, or the only thing possible; refuses where that is not clear. */
static struct aim find_aim(const struct game *game, const struct box *box,
                           const struct command *command, const struct play *play,
                           struct refusal *why)
{
    struct row rule = target_rule(play);
    struct aim aim = {.kind = command->target_kind, .target = command->target};
    if (rule.target == ON_NOTHING) {
        return AIMLESS;
    }
    if (aim.kind == TARGET_NONE) {
        aim = only_aim(game, box, play, &rule, why);
    }
    if (rule.target == ON_LASTING_CURSE && aim.kind == TARGET_SEAT) {
        aim = (struct aim){.kind = TARGET_CARD, .target = only_curse_of(game, box, aim.target)};
        if (aim.target == NO_CARD) {
            refuse(why, REFUSAL_ILLEGAL_TARGET, "CANCEL-1");
            return AIMLESS;
        }
    }
    if (rule.target == ON_MONSTER && aim.kind == TARGET_CARD) {
        aim.kind = TARGET_MONSTER;
    }
    return aim;
}

static void take_aim(const struct game *game, struct aim aim, struct play *play)
{
    if (aim.kind == TARGET_SEAT) {
        play->target_seat = aim.target;
    } else if (aim.kind != TARGET_NONE) {
        play->target_card = aim.target;
        bool owned = aim.kind == TARGET_CARD && game->cards[aim.target].seat < MB_SEATS_MAX;
        play->target_seat = owned ? game->cards[aim.target].seat : NO_SEAT;
    }
}

void play_check_target(const struct game *game, const struct box *box,
                       const struct command *command, struct play *play, struct refusal *why)
{
    struct row rule = target_rule(play);
    if (rule.target == ON_NOTHING) {
        return;
    }
    if (nothing_to_cancel(game, box, play->seat, &rule)) {
        refuse_card(why, REFUSAL_NOT_USABLE, "RUL-30", play->card, 0);
        return;
    }
    struct aim aim = find_aim(game, box, command, play, why);
    if (aim.kind == TARGET_NONE) {
        return;
    }
    if (target_fits(game, box, play->seat, &rule, aim.kind, aim.target)) {
        take_aim(game, aim, play);
    } else {
        target_refuse(game, &rule, aim.kind, aim.target, "CONF-6", why);
    }
}

/** The Item that Cheat! and its like lie with, or NO_CARD: `with` it or `on` it. */
static uint16_t attached_item(const struct command *command)
{
    if (command->list_count > 0) {
        return command->list[0];
    }
    return command->target_kind == TARGET_CARD ? command->target : (uint16_t)NO_CARD;
}

void play_check_attach(const struct game *game, const struct box *box,
                       const struct command *command, struct play *play, struct refusal *why)
{
    uint16_t item = attached_item(command);
    if (item == NO_CARD) {
        refuse(why, REFUSAL_BAD_ARGUMENTS, "HIRE-2");
        return;
    }
    play->target_card = item;
    unsigned pile = game->cards[item].pile;
    if (pile != pile_hand(play->seat) && pile != pile_table(play->seat)) {
        refuse_not_ours(why, "HIRE-2", item, pile, play->seat);
    } else if (item == play->card || !filter_fits_index(game, box, play->row->filter, item) ||
               box_def(box, item)->kind == KIND_ONESHOT || card_cheated(game, box, item)) {
        refuse_card(why, REFUSAL_ILLEGAL_TARGET, "HIRE-2", item, 0);
    } else if (pile_is_hand(pile) && play->def->kind == KIND_TREASURE) {
        equip_may_lie(game, box, play->seat, item, why);
    }
}

void play_aim(const struct game *game, const struct box *box, const struct command *command,
              struct play *play)
{
    struct refusal why = {.code = REFUSAL_NONE};
    if (play->answer) {
        return;
    }
    if (play->row != NULL && play->row->op == EFFECT_ATTACH) {
        play->target_card = attached_item(command);
    } else {
        take_aim(game, find_aim(game, box, command, play, &why), play);
    }
    if (play_brings_monster(play->row)) {
        play->with = with_monster(game, box, command);
    }
}
