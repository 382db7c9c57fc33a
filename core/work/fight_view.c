#include "core/work/fight_view.h"

#include <stddef.h>

#include "core/change/frame.h"
#include "core/numbers/requirement.h"
#include "core/numbers/strength.h"
#include "core/numbers/trait.h"
#include "core/state/pile_list.h"
#include "core/work/program.h"

bool fight_has_room(const struct game *game)
{
    return game->fight.monster_count < MB_MONSTERS_MAX;
}

unsigned fight_monsters_left(const struct game *game)
{
    unsigned left = 0;
    for (unsigned i = 0; i < game->fight.monster_count; i++) {
        left += (game->fight.monsters[i].flags & (MONSTER_GONE | MONSTER_PASSED)) == 0;
    }
    return left;
}

/** The first static row of the op that holds, of a card that speaks for a monster. */
static const struct row *holding_row(const struct req_context *ctx, uint16_t card, unsigned op)
{
    const struct card_def *def = box_def(ctx->box, card);
    const struct row *rows = box_rows(ctx->box, def);
    for (unsigned i = 0; i < def->row_count; i++) {
        if (rows[i].when == WHEN_STATIC && rows[i].op == op &&
            requirements_hold(ctx, rows[i].first_req, rows[i].req_count)) {
            return &rows[i];
        }
    }
    return NULL;
}

const struct row *fight_face_row(const struct game *game, const struct box *box, unsigned index,
                                 unsigned op, unsigned seat)
{
    const struct monster *monster = &game->fight.monsters[index];
    struct req_context ctx = req_context_for(game, box, seat);
    ctx.monster = (int8_t)index;
    ctx.card = monster->card;
    ctx.lend = true;
    const struct row *row = holding_row(&ctx, monster->face, op);
    bool some = (box->enhancer_ops >> op & 1u) != 0;
    uint16_t at = some ? pile_first(game, PILE_FIGHT) : NO_CARD;
    for (; row == NULL && at != NO_CARD; at = game->cards[at].next) {
        if (game->cards[at].host == monster->group && box_def(box, at)->kind == KIND_ENHANCER) {
            row = holding_row(&ctx, at, op);
        }
    }
    return row;
}

/** Whether a monster's text lets nobody help, or not the helper who is there. */
static bool no_help(const struct game *game, const struct box *box)
{
    for (unsigned i = 0; i < game->fight.monster_count; i++) {
        if ((game->fight.monsters[i].flags & MONSTER_GONE) == 0 &&
            fight_face_row(game, box, i, EFFECT_NO_HELP, game->fight.main) != NULL) {
            return true;
        }
    }
    return false;
}

bool fight_help_barred(const struct game *game, const struct box *box)
{
    return no_help(game, box) || seat_barred(game, box, game->fight.main, BAR_BE_HELPED);
}

/** Whether a monster has a text against help, whatever it requires. */
static bool may_bar_help(const struct box *box, uint16_t card)
{
    const struct card_def *def = box_def(box, card);
    const struct row *rows = box_rows(box, def);
    unsigned i = 0;
    while (i < def->row_count && (rows[i].when != WHEN_STATIC || rows[i].op != EFFECT_NO_HELP)) {
        i++;
    }
    return i < def->row_count;
}

bool fight_helper_barred(const struct game *game, const struct box *box, unsigned seat)
{
    if (seat_barred(game, box, seat, BAR_HELP)) {
        return true;
    }
    bool asks = false;
    for (unsigned i = 0; i < game->fight.monster_count && !asks; i++) {
        asks = may_bar_help(box, game->fight.monsters[i].face);
    }
    if (!asks || game->fight.helper == seat) {
        return asks && no_help(game, box);
    }
    struct game scratch = *game;
    scratch.fight.helper = (uint8_t)seat;
    return no_help(&scratch, box);
}

unsigned fight_forcible(const struct game *game, const struct box *box)
{
    const struct fight *fight = &game->fight;
    unsigned seats = 0;
    if (fight->on == 0 || fight->helper != NO_SEAT || (fight->flags & FIGHT_GAVE_UP) != 0 ||
        fight_help_barred(game, box) || fight_would_win_game(game, box, fight->main)) {
        return 0;
    }
    for (unsigned seat = 0; seat < game->seat_count; seat++) {
        bool may = seat != fight->main && game->seats[seat].alive != 0 &&
                   !fight_helper_barred(game, box, seat);
        seats |= may ? seat_bit(seat) : 0u;
    }
    return seats;
}

bool fight_bars_sacrifice(const struct game *game, const struct box *box)
{
    for (unsigned i = 0; i < game->fight.monster_count; i++) {
        const struct card_def *def = box_def(box, game->fight.monsters[i].face);
        const struct row *rows = box_rows(box, def);
        bool there = (game->fight.monsters[i].flags & MONSTER_GONE) == 0;
        for (unsigned r = 0; there && r < def->row_count; r++) {
            if (rows[r].op == EFFECT_EXCLUDE && rows[r].a == EX_SACRIFICE) {
                return true;
            }
        }
    }
    return false;
}

int fight_levels(const struct game *game, const struct box *box, unsigned seat)
{
    int levels = 0;
    int kills = 0;
    for (unsigned i = 0; i < game->fight.monster_count; i++) {
        if ((game->fight.monsters[i].flags & (MONSTER_GONE | MONSTER_PASSED)) == 0) {
            levels += strength_kill_levels(game, box, i);
            kills++;
        }
    }
    for (unsigned i = 0; i < game->fight.owed_count; i++) {
        levels += game->fight.owed[i].levels;
    }
    levels += kills > 0 ? fight_more(game, box, EFFECT_KILL_LEVELS) : 0;
    if (seat != game->fight.main) {
        levels = 0;
        uint16_t at = pile_first(game, pile_table(seat));
        for (; at != NO_CARD; at = game->cards[at].next) {
            if (program_has(box, box_def(box, at), WHEN_HELPED_KILL)) {
                levels += kills;
            }
        }
    }
    return levels;
}

int fight_more(const struct game *game, const struct box *box, unsigned op)
{
    const unsigned main = game->fight.main;
    int total = main < MB_SEATS_MAX ? strength_of_victory(game, box, main, op) : 0;
    uint16_t at = main < MB_SEATS_MAX ? pile_first(game, PILE_FIGHT) : NO_CARD;
    for (; at != NO_CARD; at = game->cards[at].next) {
        if (box_def(box, at)->kind == KIND_ONESHOT) {
            total += strength_card_rows(game, box, at, op);
        }
    }
    return total;
}

int fight_treasures(const struct game *game, const struct box *box)
{
    int total = game->fight.on != 0 ? fight_more(game, box, EFFECT_TREASURES) : 0;
    for (unsigned i = 0; game->fight.on != 0 && i < game->fight.monster_count; i++) {
        if ((game->fight.monsters[i].flags & (MONSTER_GONE | MONSTER_PASSED)) == 0) {
            total += strength_treasures(game, box, i);
        }
    }
    for (unsigned i = 0; i < game->fight.owed_count; i++) {
        total += game->fight.owed[i].treasures; // Rules: owed ones may be offered too (RUL-172).
    }
    return total;
}

bool fight_would_win_game(const struct game *game, const struct box *box, unsigned seat)
{
    return game->fight.on != 0 && seat < MB_SEATS_MAX &&
           game->seats[seat].level + fight_levels(game, box, seat) >=
               box->profile.constant[PROFILE_GOAL];
}

unsigned flee_pending(const struct game *game, unsigned seat)
{
    unsigned pending = 0;
    if (game->seats[seat].alive == 0) {
        return 0; // Rules: the dead need not run from what is left (DEATH-3).
    }
    for (unsigned i = 0; i < game->fight.monster_count; i++) {
        const struct monster *monster = &game->fight.monsters[i];
        bool there = (monster->flags & (MONSTER_GONE | MONSTER_PASSED)) == 0;
        if (there && ((monster->escaped | monster->caught) & seat_bit(seat)) == 0) {
            pending |= 1u << i;
        }
    }
    return pending;
}

bool fight_may_give_up(const struct game *game, const struct box *box, unsigned seat)
{
    const struct frame *at = frame_top(game);
    if (at != NULL && at->kind == FRAME_REPAIR && at->seat == seat) {
        at = frame_below(game);
    }
    return at != NULL && at->kind == FRAME_FIGHT && game->fight.main == seat &&
           !strength_players_win(game, box);
}
