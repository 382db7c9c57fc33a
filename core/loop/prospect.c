#include "core/loop/prospect.h"

#include <string.h>

#include "core/fight/fight.h"
#include "core/numbers/strength.h"
#include "core/state/game_state.h"
#include "core/work/fight_view.h"
#include "core/work/roll.h"

struct prospect_reward prospect_reward(const struct game *game, const struct box *box,
                                       unsigned seat)
{
    const struct fight *const fight = &game->fight;
    const int all = fight_treasures(game, box);
    const int helped = fight->helper_treasures < all ? fight->helper_treasures : all;
    const int kept = fight->helper != NO_SEAT ? all - helped : all;
    return (struct prospect_reward){.levels = fight_levels(game, box, seat),
                                    .treasures = seat == fight->main ? kept : helped};
}

int prospect_treasures(const struct game *game, const struct box *box)
{
    return fight_treasures(game, box);
}

int prospect_escape(const struct game *game, const struct box *box, unsigned seat, unsigned index)
{
    enum { ALWAYS = 1, NEVER = 7 };
    if (!flee_rolls(game, box, seat, index)) {
        const bool flew = (game->seats[seat].flags & SEAT_FLEW) != 0;
        const bool held = fight_face_row(game, box, index, EFFECT_NO_ESCAPE, seat) != NULL;
        return held && !flew ? NEVER : ALWAYS;
    }
    return box->profile.constant[PROFILE_ESCAPE] - strength_run_bonus(game, box, seat) -
           strength_run_against(game, box, index) - strength_roll_bonus(game, box, seat);
}

bool prospect_roll(const struct game *game, const struct box *box, struct prospect_roll *out)
{
    const struct frame *const top = frame_top(game);
    if (top == NULL || top->kind != FRAME_ROLL) {
        return false;
    }
    *out = (struct prospect_roll){.seat = top->seat,
                                  .what = top->roll.what,
                                  .card = top->roll.card,
                                  .face = top->roll.face,
                                  .total = roll_total(game, box, top),
                                  .need = top->roll.need,
                                  .succeeds = roll_succeeds(game, box, top)};
    return true;
}

bool prospect_drew(const struct game *before, const struct game *after)
{
    return before->rng.position != after->rng.position;
}

void prospect_set_die(struct game *copy, unsigned face)
{
    enum { FACES = 6 };
    struct mb_rng ahead = copy->rng;
    for (uint64_t at = copy->rng.position; mb_rng_below(&ahead, FACES) + 1 != face; at++) {
        copy->rng.position = at + 1;
        ahead = copy->rng;
    }
}

bool prospect_same_seat(const struct game *before, const struct game *after, unsigned seat)
{
    const struct pile_state *const was = before->piles;
    const struct pile_state *const is = after->piles;
    return memcmp(&before->seats[seat], &after->seats[seat], sizeof before->seats[0]) == 0 &&
           memcmp(&was[pile_hand(seat)], &is[pile_hand(seat)], sizeof *was) == 0 &&
           memcmp(&was[pile_table(seat)], &is[pile_table(seat)], sizeof *was) == 0 &&
           before->lasting_top == after->lasting_top;
}
