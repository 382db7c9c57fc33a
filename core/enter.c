// A monster enters the fight: optional ones are asked about, its dice are thrown, its rows act.

#include "core/choice.h"
#include "core/fight.h"
#include "core/program.h"
#include "core/requirement.h"

/** Values of rows that are fixed when the monster enters (RUL-149). */
static int fixed_rows(struct engine *engine, unsigned index)
{
    const struct game *game = engine->game;
    const struct monster *monster = &game->fight.monsters[index];
    const struct card_def *def = box_def(engine->box, monster->face);
    const struct row *rows = box_rows(engine->box, def);
    struct req_context ctx = req_context_for(game, engine->box, game->fight.main);
    ctx.monster = (int8_t)index;
    ctx.lend = true;
    int total = 0;
    for (unsigned i = 0; i < def->row_count; i++) {
        if (rows[i].when == WHEN_STATIC && rows[i].op == EFFECT_MONSTER_BONUS &&
            (rows[i].flags & ROW_FIXED) != 0 &&
            requirements_hold(&ctx, rows[i].first_req, rows[i].req_count)) {
            struct frame frame = {.seat = game->fight.main,
                                  .other = NO_SEAT,
                                  .card = monster->face,
                                  .card2 = NO_CARD,
                                  .monster = (uint8_t)(index + 1)};
            total += program_amount(engine, &frame, &rows[i]); // a die is rolled once (M17)
        }
    }
    return total;
}

/** Whether the main player may let the monster go unfought (M41, RUL-54). */
static bool optional(const struct game *game, const struct box *box, unsigned index)
{
    const struct monster *monster = &game->fight.monsters[index];
    const struct card_def *def = box_def(box, monster->face);
    const struct row *rows = box_rows(box, def);
    struct req_context ctx = req_context_for(game, box, game->fight.main);
    ctx.monster = (int8_t)index;
    ctx.lend = true;
    for (unsigned i = 0; i < def->row_count; i++) {
        if (rows[i].when == WHEN_STATIC && rows[i].op == EFFECT_OPTIONAL_FIGHT) {
            // Its requirements name who must fight it; without any nobody must.
            return rows[i].req_count == 0 ||
                   !requirements_hold(&ctx, rows[i].first_req, rows[i].req_count);
        }
    }
    return false;
}

/** Asks whether an optional monster is fought; returns false while the answer is waited for. */
static bool optional_answered(struct engine *engine, unsigned index)
{
    const struct game *game = engine->game;
    struct monster monster = game->fight.monsters[index];
    if (choice_answered(game)) {
        bool fights = choice_first(game) == 1;
        choice_close(engine);
        if (!fights) {
            monster.flags |= MONSTER_GONE | MONSTER_PASSED;
            emit_monster(engine, index, &monster);
            emit_note(engine, NOTE_OPTIONAL_PASSED, game->fight.main, monster.card);
        }
        return true;
    }
    choice_yes_no(engine, game->fight.main, monster.card, monster.card);
    return false;
}

enum step_result step_enter(struct engine *engine, struct frame frame)
{
    unsigned index = frame.monster - 1u;
    struct monster monster = engine->game->fight.monsters[index];
    if (frame.step == 0 && optional(engine->game, engine->box, index)) {
        if (!optional_answered(engine, index)) {
            return STEP_ON;
        }
        monster = engine->game->fight.monsters[index];
        if ((monster.flags & MONSTER_PASSED) != 0) {
            frame_return(engine, 1);
            return STEP_ON;
        }
    }
    if (frame.step == 0) {
        frame.step = 1;
        frame_set(engine, &frame);
        int fixed = fixed_rows(engine, index);
        if (fixed != 0) {
            monster.fixed = (int16_t)fixed;
            emit_monster(engine, index, &monster);
        }
    }
    static const uint8_t ORDER[2] = {WHEN_BEFORE, WHEN_ENTER};
    while (frame.step <= 2) {
        unsigned when = ORDER[frame.step - 1];
        frame.step++;
        frame_set(engine, &frame);
        // Rules: what happens before a fight is skipped for one that joins (RUL-67).
        if (when == WHEN_BEFORE && (monster.flags & MONSTER_WANDERED) != 0) {
            continue;
        }
        struct program program = {.card = monster.face,
                                  .when = (uint8_t)when,
                                  .seat = engine->game->fight.main,
                                  .target = NO_SEAT,
                                  .monster = frame.monster,
                                  .card2 = NO_CARD};
        if (program_push(engine, &program)) {
            return STEP_ON;
        }
    }
    frame_return(engine, 1);
    return STEP_ON;
}
