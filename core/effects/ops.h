/*
 * The ops that are carried out: one function each, in files by topic. See core/work/program.h for
 * what they get and return; core/card/effect_schema.c documents their arguments.
 */
#ifndef CORE_EFFECTS_OPS_H
#define CORE_EFFECTS_OPS_H

#include "core/work/program.h"

op_function op_level, op_level_set, op_death, op_level_steal;
op_function op_lose, op_draw, op_take, op_give, op_swap_hands, op_retrieve, op_hand_or_levels,
    op_tax, op_show_hand, op_discard_or, op_draw_here, op_exchange, op_discard_self, op_rob;
op_function op_sex_change, op_trait_change, op_lasting, op_skip_turn, op_copy_ability, op_attach,
    op_mark_double, op_choice, op_nothing, op_suffer, op_stay, op_roll;
op_function op_remove_monster, op_add_monster, op_mate, op_swap_monster, op_win_by_item,
    op_take_over, op_reboot, op_copy_face, op_follow, op_return_cards, op_turn_follower,
    op_send_away, op_move, op_reward, op_reveal, op_force_help, op_flee, op_fight_next,
    op_first_pick;
op_function op_cancel, op_redirect, op_set_die, op_reroll, op_escape, op_theft, op_identity,
    op_resurrect, op_save;

/** The seat of the target card, or the target seat, or NO_SEAT. */
unsigned op_target_seat(const struct engine *engine, const struct frame *frame);
/** Why a Level is lost in this program. */
enum level_why op_level_why(const struct frame *frame);
/** Whether the program is harm by a Curse or Bad Stuff, from which protections keep. */
bool op_is_harm(const struct frame *frame);

#endif
