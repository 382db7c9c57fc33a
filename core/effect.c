// The ops that are carried out, by number. Counted ops have no function: they are looked up where
// the number they belong to is made.
#include <stddef.h>

#include "core/effects/ops.h"

static op_function *const FUNCTIONS[EFFECT_TOTAL] = {
    [EFFECT_LEVEL] = op_level,
    [EFFECT_LEVEL_SET] = op_level_set,
    [EFFECT_DEATH] = op_death,
    [EFFECT_LOSE] = op_lose,
    [EFFECT_DRAW] = op_draw,
    [EFFECT_TAKE] = op_take,
    [EFFECT_GIVE] = op_give,
    [EFFECT_SEX_CHANGE] = op_sex_change,
    [EFFECT_TRAIT_CHANGE] = op_trait_change,
    [EFFECT_LASTING] = op_lasting,
    [EFFECT_REMOVE_MONSTER] = op_remove_monster,
    [EFFECT_ADD_MONSTER] = op_add_monster,
    [EFFECT_MATE] = op_mate,
    [EFFECT_SWAP_MONSTER] = op_swap_monster,
    [EFFECT_WIN_BY_ITEM] = op_win_by_item,
    [EFFECT_THEFT] = op_theft,
    [EFFECT_CANCEL] = op_cancel,
    [EFFECT_REDIRECT] = op_redirect,
    [EFFECT_SET_DIE] = op_set_die,
    [EFFECT_REROLL] = op_reroll,
    [EFFECT_ESCAPE] = op_escape,
    [EFFECT_TAKE_OVER] = op_take_over,
    [EFFECT_REBOOT] = op_reboot,
    [EFFECT_RETRIEVE] = op_retrieve,
    [EFFECT_SWAP_HANDS] = op_swap_hands,
    [EFFECT_SUFFER] = op_suffer,
    [EFFECT_COPY_FACE] = op_copy_face,
    [EFFECT_TURN_FOLLOWER] = op_turn_follower,
    [EFFECT_FOLLOW] = op_follow,
    [EFFECT_COPY_ABILITY] = op_copy_ability,
    [EFFECT_RETURN_CARDS] = op_return_cards,
    [EFFECT_ATTACH] = op_attach,
    [EFFECT_MARK_DOUBLE] = op_mark_double,
    [EFFECT_RESURRECT] = op_resurrect,
    [EFFECT_IDENTITY] = op_identity,
    [EFFECT_SEND_AWAY] = op_send_away,
    [EFFECT_STAY] = op_stay,
    [EFFECT_DISCARD_SELF] = op_discard_self,
    [EFFECT_SAVE] = op_save,
    [EFFECT_HAND_OR_LEVELS] = op_hand_or_levels,
    [EFFECT_TAX] = op_tax,
    [EFFECT_LEVEL_STEAL] = op_level_steal,
    [EFFECT_CHOICE] = op_choice,
    [EFFECT_SHOW_HAND] = op_show_hand,
    [EFFECT_SKIP_TURN] = op_skip_turn,
    [EFFECT_DISCARD_OR] = op_discard_or,
    [EFFECT_DRAW_HERE] = op_draw_here,
    [EFFECT_TREASURE_FOR_DOOR] = op_exchange,
    [EFFECT_NOTHING] = op_nothing,
};

op_function *effect_function(unsigned op)
{
    return op < EFFECT_TOTAL ? FUNCTIONS[op] : NULL;
}
