// When a card may be played, by its own timing, and why not now.
#include "core/cards/play_parts.h"
#include "core/numbers/trait.h"
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
