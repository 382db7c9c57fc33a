#include "bot/tools/moments.h"

#include <stdlib.h>

#include "core/codec/memory.h"
#include "core/loop/query.h"
#include "core/numbers/trait.h"

enum {
    TO_GO_MAX = 10, // more Levels to go than that are as many
    PLACES = 3,     // no fight, one's own, that of others
    MOMENTS = PLACES * TO_GO_MAX * TO_GO_MAX,
    NEVER = MOMENTS
};

void moments_init(struct moments *moments, const struct box *box, unsigned players)
{
    *moments = (struct moments){.box = box, .players = players};
    const size_t defs = box->def_count + 1u;
    moments->all = mb_new(MOMENTS, sizeof *moments->all);
    moments->games = mb_new(defs * MOMENTS, sizeof *moments->games);
    moments->now = mb_new(defs * MB_SEATS_MAX, sizeof *moments->now);
    moments_begin(moments);
}

void moments_finish(struct moments *moments)
{
    free(moments->all);
    free(moments->games);
    free(moments->now);
    *moments = (struct moments){0};
}

bool moments_puts(const struct box *box, const struct event *event)
{
    const bool put = event->type == EVENT_MOVE &&
                     (event->why == MOVE_PLAYED || event->why == MOVE_LAID) &&
                     event->seat < MB_SEATS_MAX;
    return put && (box_def(box, event->card)->kind != KIND_CURSE || pile_is_hand(event->from));
}

void moments_begin(struct moments *moments)
{
    for (unsigned i = 0; i < moments->box->def_count * MB_SEATS_MAX; i++) {
        moments->now[i] = NEVER;
    }
}

static unsigned to_go(const struct moments *moments, const struct game *game, unsigned seat)
{
    const int level = (int)query_level(game, seat);
    const int left = moments->box->profile.constant[PROFILE_GOAL] - level;
    return left < 0 ? 0u : (left < TO_GO_MAX ? (unsigned)left : TO_GO_MAX - 1u);
}

static uint16_t moment_of(const struct moments *moments, const struct game *game, unsigned seat)
{
    unsigned rival = TO_GO_MAX - 1u;
    for (unsigned other = 0; other < moments->players; other++) {
        const unsigned left = to_go(moments, game, other);
        rival = other != seat && left < rival ? left : rival;
    }
    const unsigned fights = seat_fights(game, seat) ? 1u : 2u;
    const unsigned place = query_main(game) == NO_SEAT ? 0u : fights;
    return (uint16_t)((place * TO_GO_MAX + to_go(moments, game, seat)) * TO_GO_MAX + rival);
}

void moments_step(struct moments *moments, const struct simulate_step *step)
{
    for (uint32_t i = 0; i < step->events->count; i++) {
        const struct event *const event = &step->events->items[i];
        if (!moments_puts(moments->box, event) || event->seat >= moments->players) {
            continue;
        }
        const unsigned def = moments->box->card_def[event->card];
        uint16_t *const now = &moments->now[def * MB_SEATS_MAX + event->seat];
        *now = *now == NEVER ? moment_of(moments, step->before, event->seat) : *now;
    }
}

void moments_count(struct moments *moments, unsigned def, unsigned seat, bool won)
{
    const unsigned at = moments->now[def * MB_SEATS_MAX + seat];
    if (at != NEVER) {
        moments->games[def * MOMENTS + at]++;
        moments->all[at].games++;
        moments->all[at].wins += won;
    }
}

double moments_expected(const struct moments *moments, unsigned def)
{
    double sum = 0;
    for (unsigned at = 0; at < MOMENTS; at++) {
        const struct moment *const all = &moments->all[at];
        const uint32_t games = moments->games[def * MOMENTS + at];
        sum += games > 0 ? (double)games * (double)all->wins / (double)all->games : 0;
    }
    return sum;
}
