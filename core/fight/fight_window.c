// The win window: opens, restarts and closes as the fight becomes another one (COMBAT-4).
#include <stddef.h>

#include "core/fight/fight.h"
#include "core/numbers/strength.h"
#include "core/numbers/trait.h"
#include "core/state/pile_list.h"

static uint32_t mix(uint32_t hash, uint32_t value)
{
    return (hash ^ value) * 16777619u;
}

/** What the fight is made of: fighters, Levels, monsters, enhancers, sums, winner, Treasures. */
static uint32_t signature(const struct game *game, const struct box *box)
{
    const struct fight *fight = &game->fight;
    uint32_t hash = 2166136261u;
    hash = mix(hash, fight->main);
    hash = mix(hash, fight->helper);
    hash = mix(hash, game->seats[fight->main].level);
    hash = mix(hash, fight->helper != NO_SEAT ? game->seats[fight->helper].level : 0u);
    for (unsigned i = 0; i < fight->monster_count; i++) {
        if ((fight->monsters[i].flags & MONSTER_GONE) == 0) {
            hash = mix(hash, fight->monsters[i].card);
            hash = mix(hash, (uint32_t)strength_treasures(game, box, i));
            hash = mix(hash, fight->monsters[i].flags);
        }
    }
    for (uint16_t at = pile_first(game, PILE_FIGHT); at != NO_CARD; at = game->cards[at].next) {
        if (box_def(box, at)->kind == KIND_ENHANCER) {
            hash = mix(hash, at);
        }
    }
    for (unsigned i = 0; i < fight->owed_count; i++) {
        hash = mix(hash, (uint32_t)fight->owed[i].treasures + 7u);
    }
    hash = mix(hash, (uint32_t)strength_players(game, box, NULL));
    hash = mix(hash, (uint32_t)strength_monsters(game, box, NULL));
    hash = mix(hash, strength_players_win(game, box) ? 1u : 2u);
    return hash == 0 ? 1u : hash;
}

static unsigned author_pass(const struct engine *engine)
{
    return engine->author < MB_SEATS_MAX ? seat_bit(engine->author) : 0u;
}

void fight_mind_window(struct engine *engine, struct frame *frame)
{
    const struct game *game = engine->game;
    uint32_t now = signature(game, engine->box);
    bool wins = strength_players_win(game, engine->box);
    bool open = game->window.kind == PAUSE_WIN;
    if (now == frame->fight.digest) {
        return;
    }
    frame->fight.digest = now;
    frame_set(engine, frame);
    if (wins) {
        emit_pause(engine, PAUSE_WIN, open ? PAUSE_RESTARTS : PAUSE_OPENS, seats_alive(game),
                   author_pass(engine));
    } else if (open) {
        emit_pause(engine, PAUSE_WIN, PAUSE_CLOSES, 0, 0);
    }
}
