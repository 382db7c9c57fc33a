// Rewards: kill texts, discards, Levels, Treasures, sharing, promises (REW, HELP-3, HELP-7,
// HELP-8).
#include <stddef.h>

#include "core/change/choice.h"
#include "core/deal/deal.h"
#include "core/fight/fight.h"
#include "core/numbers/strength.h"
#include "core/numbers/trait.h"
#include "core/state/pile_list.h"
#include "core/work/draw.h"
#include "core/work/fight_view.h"
#include "core/work/harm.h"
#include "core/work/program.h"
#include "core/work/trigger.h"

static enum step_result reward_count(struct engine *engine, struct frame frame)
{
    const struct game *game = engine->game;
    const struct fight *fight = &game->fight;
    int treasures = 0;
    int levels = 0;
    int kills = 0;
    for (unsigned i = 0; i < fight->owed_count; i++) {
        if (fight->owed[i].seat != frame.seat) {
            continue; // earned before another took the fight over (RUL-71)
        }
        treasures += fight->owed[i].treasures;
        levels += fight->owed[i].levels;
        kills += fight->owed[i].kill;
    }
    for (unsigned i = 0; i < fight->monster_count; i++) {
        if ((fight->monsters[i].flags & (MONSTER_GONE | MONSTER_PASSED)) == 0) {
            treasures += strength_treasures(game, engine->box, i);
            levels += strength_kill_levels(game, engine->box, i);
            kills++;
        }
    }
    treasures += fight_more(game, engine->box, EFFECT_TREASURES);
    levels += kills > 0 ? fight_more(game, engine->box, EFFECT_KILL_LEVELS) : 0;
    if ((fight->flags & FIGHT_SCATTERED) == 0 || kills > 0) {
        struct event note = {.why = NOTE_FIGHT_WON,
                             .seat = fight->main,
                             .seat2 = fight->helper,
                             .card = NO_CARD,
                             .card2 = NO_CARD,
                             .n = strength_players(game, engine->box, NULL),
                             .m = strength_monsters(game, engine->box, NULL)};
        emit_note_full(engine, &note);
    }
    frame.reward.treasures = number_fit(treasures);
    frame.reward.levels = number_fit(levels);
    frame.reward.kills = (int16_t)kills;
    frame.reward.next = 0;
    frame.step = REWARD_KILLED;
    frame_set(engine, &frame);
    return STEP_ON;
}

static bool owed_kill(const struct fight *fight, uint16_t card)
{
    for (unsigned i = 0; i < fight->owed_count; i++) {
        if (fight->owed[i].card == card) {
            return fight->owed[i].kill != 0;
        }
    }
    return false;
}

/** What else the slain monsters' cards order (REW-4), one program after another. */
static enum step_result reward_killed(struct engine *engine, struct frame frame)
{
    const struct fight *fight = &engine->game->fight;
    while (frame.reward.next < fight->monster_count) {
        unsigned index = frame.reward.next++;
        const struct monster *monster = &fight->monsters[index];
        bool gone = (monster->flags & (MONSTER_GONE | MONSTER_PASSED)) != 0;
        bool killed = !gone || owed_kill(fight, monster->card);
        frame_set(engine, &frame);
        struct program program = {.when = killed ? WHEN_KILLED : WHEN_LEAVES,
                                  .seat = frame.seat,
                                  .target = NO_SEAT,
                                  .monster = (uint8_t)(index + 1)};
        if (program_push_monster(engine, &program)) {
            return STEP_ON;
        }
    }
    frame.step = REWARD_LEVELS;
    frame_set(engine, &frame);
    return STEP_ON;
}

/** Levels that a helper's own text gives for each kill (HELP-8). */
static int helper_levels(const struct game *game, const struct box *box, unsigned helper, int kills)
{
    int levels = 0;
    if (helper >= MB_SEATS_MAX || !box->profile.flag[FLAG_HELPER_LEVELS]) {
        return 0;
    }
    uint16_t at = pile_first(game, pile_table(helper));
    for (; at != NO_CARD; at = game->cards[at].next) {
        const struct card_def *def = box_def(box, at);
        const struct row *rows = box_rows(box, def);
        for (unsigned i = 0; i < def->row_count; i++) {
            if (row_pays_helper(&rows[i]) && card_in_effect(game, box, at)) {
                levels += rows[i].n.base * kills;
            }
        }
    }
    return levels;
}

/** Whether the winner may gain the last Level: never with a helper who was made to help, unless
 * that one wins too (RUL-28). */
static bool may_win(const struct engine *engine, const struct frame *frame, int helped)
{
    const struct game *game = engine->game;
    unsigned helper = frame->reward.helper;
    bool forced = (game->fight.flags & FIGHT_FORCED_HELP) != 0 && helper < MB_SEATS_MAX &&
                  game->seats[helper].level + helped < engine->box->profile.constant[PROFILE_GOAL];
    return !forced && !seat_barred(game, engine->box, frame->seat, BAR_WIN);
}

/** Levels that somebody earned before the fight was taken over (RUL-71). */
static void levels_of_others(struct engine *engine, unsigned main)
{
    const struct fight *fight = &engine->game->fight;
    for (unsigned i = 0; i < fight->owed_count; i++) {
        const struct owed *owed = &fight->owed[i];
        if (owed->seat != main && owed->levels > 0) {
            level_gain(engine, owed->seat, owed->levels, LEVEL_KILL,
                       !seat_barred(engine->game, engine->box, owed->seat, BAR_WIN));
        }
    }
}

/** Their Treasures are drawn after the winner's: the frame pushed last draws first. */
static void draws_of_others(struct engine *engine, unsigned main)
{
    const struct fight *fight = &engine->game->fight;
    for (unsigned i = fight->owed_count; i > 0; i--) {
        const struct owed *owed = &fight->owed[i - 1u];
        if (owed->seat != main && owed->treasures > 0) {
            draw_begin(engine, owed->seat, DECK_TREASURE, owed->treasures, DRAW_TO_HAND);
        }
    }
}

/** What rows `reward` have changed since the count: 0 Levels, 1 Treasures. */
static int promised_total(const struct game *game, unsigned what)
{
    int total = 0;
    for (unsigned i = 0; i < game->lasting_top; i++) {
        const struct lasting *lasting = &game->lasting[i];
        total += lasting->op == EFFECT_REWARD && lasting->arg == what ? lasting->n : 0;
    }
    return total;
}

static enum step_result reward_levels(struct engine *engine, struct frame frame)
{
    const struct game *game = engine->game;
    int helped = helper_levels(game, engine->box, frame.reward.helper, frame.reward.kills);
    frame.reward.levels = number_fit(frame.reward.levels + promised_total(game, 0));
    frame.reward.treasures = number_fit(frame.reward.treasures + promised_total(game, 1));
    bool main_may = may_win(engine, &frame, helped);
    fight_discard_all(engine);
    fight_end(engine);
    if (frame.reward.kills > 0) {
        lasting_end(engine, frame.seat, UNTIL_OWN_KILL);
        trigger_happens(engine, frame.seat, WHEN_OWN_KILL, NO_CARD);
        if (frame.reward.helper < MB_SEATS_MAX) {
            trigger_happens(engine, frame.reward.helper, WHEN_HELPED_KILL, NO_CARD);
        }
    }
    // Rules: a Level is gained after a fight only for a kill (CONF-3); both at once (RUL-24).
    if (frame.reward.levels > 0) {
        level_gain(engine, frame.seat, frame.reward.levels, LEVEL_KILL, main_may);
    }
    levels_of_others(engine, frame.seat);
    if (helped > 0) {
        level_gain(engine, frame.reward.helper, helped, LEVEL_HELP, true);
    }
    emit_game(engine, GAME_PHASE, PHASE_CHARITY);
    frame.step = REWARD_DRAW;
    frame_set(engine, &frame);
    return STEP_ON;
}

/** What rows `reward` of `fight_won` have changed; they are done with. */
static void reward_changes(struct engine *engine, struct frame *frame)
{
    const struct game *game = engine->game;
    int levels = promised_total(game, 0);
    frame->reward.treasures = number_fit(frame->reward.treasures + promised_total(game, 1));
    for (unsigned i = 0; i < game->lasting_top; i++) {
        if (game->lasting[i].op == EFFECT_REWARD) {
            lasting_remove(engine, i);
        }
    }
    if (levels > 0) {
        level_gain(engine, frame->seat, levels, LEVEL_KILL, may_win(engine, frame, 0));
    }
}

static enum step_result reward_draw(struct engine *engine, struct frame frame)
{
    reward_changes(engine, &frame);
    frame.step = frame.reward.helper < MB_SEATS_MAX ? REWARD_SHARE : REWARD_PROMISES;
    frame_set(engine, &frame);
    draws_of_others(engine, frame.seat);
    if (frame.reward.treasures > 0) {
        // Rules: face up with a helper (REW-3).
        draw_begin(engine, frame.seat, DECK_TREASURE, frame.reward.treasures,
                   frame.reward.helper < MB_SEATS_MAX ? DRAW_TO_AWARD : DRAW_TO_HAND);
    }
    return STEP_ON;
}

static enum step_result reward_share(struct engine *engine, struct frame frame)
{
    const struct game *game = engine->game;
    frame.step = REWARD_PROMISES;
    frame_set(engine, &frame);
    unsigned count = pile_count(game, PILE_AWARD);
    if (count == 0) {
        return STEP_ON;
    }
    int helpers = game->fight.helper_treasures;
    // Rules: a short draw is picked in turn until nothing is left (RUL-153).
    int all = (int)count > frame.reward.treasures ? (int)count : frame.reward.treasures;
    struct frame share = {.kind = FRAME_SHARE,
                          .step = SHARE_PICKS,
                          .seat = frame.seat,
                          .share = {.own = (int16_t)(all > helpers ? all - helpers : 0),
                                    .helpers = (int16_t)helpers,
                                    .helper = frame.reward.helper,
                                    .helper_picks = (game->fight.flags & FIGHT_PICK_FIRST) != 0}};
    frame_push(engine, &share);
    return STEP_ON;
}

static bool pick_treasure(struct engine *engine, struct frame *frame, uint16_t card)
{
    bool helper = frame->share.helper_picks != 0;
    unsigned seat = helper ? frame->share.helper : frame->seat;
    card_to_hand(engine, card, seat, MOVE_SHARED, NO_SEAT);
    if (helper) {
        frame->share.helpers--;
    } else {
        frame->share.own--;
    }
    bool other_left = helper ? frame->share.own > 0 : frame->share.helpers > 0;
    frame->share.helper_picks = other_left ? !helper : helper;
    frame_set(engine, frame);
    return true;
}

enum step_result step_share(struct engine *engine, struct frame frame)
{
    const struct game *game = engine->game;
    if (choice_answered(game)) {
        uint16_t card = choice_first(game);
        choice_close(engine);
        pick_treasure(engine, &frame, card);
        return STEP_ON;
    }
    uint16_t first = pile_first(game, PILE_AWARD);
    if (first == NO_CARD) {
        frame_return(engine, 1);
        return STEP_ON;
    }
    if (frame.share.helpers <= 0 ||
        frame.share.own <= 0) { // one share is full: the rest goes over by itself
        frame.share.helper_picks = frame.share.helpers > 0;
        pick_treasure(engine, &frame, first);
        return STEP_ON;
    }
    uint16_t cards[MB_CARDS_MAX];
    unsigned count = 0;
    for (uint16_t at = first; at != NO_CARD; at = game->cards[at].next) {
        cards[count++] = at;
    }
    unsigned seat = frame.share.helper_picks != 0 ? frame.share.helper : frame.seat;
    struct question question = choice_question(DECIDE_PICK_TREASURE, seat, 1, NO_CARD);
    choice_cards(engine, &question, cards, count);
    return STEP_ON;
}

static enum step_result reward_promises(struct engine *engine, struct frame frame)
{
    frame.step = REWARD_END;
    frame_set(engine, &frame);
    if (frame.reward.helper < MB_SEATS_MAX) {
        deal_keep_promises(engine, frame.seat, frame.reward.helper);
    }
    return STEP_ON;
}

enum step_result step_reward(struct engine *engine, struct frame frame)
{
    switch ((enum reward_step)frame.step) {
    case REWARD_COUNT:
        return reward_count(engine, frame);
    case REWARD_KILLED:
        return reward_killed(engine, frame);
    case REWARD_LEVELS:
        return reward_levels(engine, frame);
    case REWARD_DRAW:
        return reward_draw(engine, frame);
    case REWARD_SHARE:
        return reward_share(engine, frame);
    case REWARD_PROMISES:
        return reward_promises(engine, frame);
    case REWARD_END:
        break;
    }
    frame_return(engine, 1);
    return STEP_ON;
}
