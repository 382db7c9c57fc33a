// A monster enters the fight: optional ones are asked about, its dice are thrown, its rows act.

#include "core/change/choice.h"
#include "core/fight/fight.h"
#include "core/numbers/requirement.h"
#include "core/work/program.h"

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
                                  .program = {.card = monster->face,
                                              .about = NO_CARD,
                                              .with = NO_CARD,
                                              .target = NO_SEAT,
                                              .monster = (uint8_t)(index + 1)}};
            total += program_amount(engine, &frame, &rows[i]); // a die is rolled once (M17)
        }
    }
    return total;
}

/** Whether the main player may let the monster go unfought (M41, RUL-54). */
static bool is_optional(const struct game *game, const struct box *box, unsigned index)
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

/** Pushes what the face does at this moment of entering. */
static void push_rows(struct engine *engine, unsigned index, unsigned when)
{
    const struct monster *monster = &engine->game->fight.monsters[index];
    // Rules: what happens before a fight is skipped for one that joins (RUL-67).
    if (when == WHEN_BEFORE && (monster->flags & MONSTER_WANDERED) != 0) {
        return;
    }
    struct program program = {.card = monster->face,
                              .when = (uint8_t)when,
                              .seat = engine->game->fight.main,
                              .target = NO_SEAT,
                              .monster = (uint8_t)(index + 1)};
    program_push(engine, &program);
}

static void set_step(struct engine *engine, struct frame *frame, enum enter_step step)
{
    frame->step = (uint8_t)step;
    frame_set(engine, frame);
}

static void pass_monster(struct engine *engine, unsigned index)
{
    struct monster monster = engine->game->fight.monsters[index];
    monster.flags |= MONSTER_GONE | MONSTER_PASSED;
    emit_monster(engine, index, &monster);
    emit_note(engine, NOTE_OPTIONAL_PASSED, engine->game->fight.main, monster.card);
}

static void throw_dice(struct engine *engine, unsigned index)
{
    struct monster monster = engine->game->fight.monsters[index];
    int fixed = fixed_rows(engine, index);
    if (fixed != 0) {
        monster.fixed = number_fit(fixed);
        emit_monster(engine, index, &monster);
    }
}

enum step_result step_enter(struct engine *engine, struct frame frame)
{
    const struct game *game = engine->game;
    unsigned index = frame.enter.monster - 1u;
    switch ((enum enter_step)frame.step) {
    case ENTER_BEGINS:
        if (is_optional(game, engine->box, index)) {
            uint16_t card = game->fight.monsters[index].card;
            set_step(engine, &frame, ENTER_ASKED);
            choice_yes_no(engine, game->fight.main, card, card);
            return STEP_ON;
        }
        break;
    case ENTER_ASKED: {
        bool fights = choice_first(game) == 1;
        choice_close(engine);
        if (!fights) {
            pass_monster(engine, index);
            frame_return(engine, 1);
            return STEP_ON;
        }
        break;
    }
    case ENTER_BEFORE:
        set_step(engine, &frame, ENTER_ENTERS);
        push_rows(engine, index, WHEN_BEFORE);
        return STEP_ON;
    case ENTER_ENTERS:
        set_step(engine, &frame, ENTER_DONE);
        push_rows(engine, index, WHEN_ENTER);
        return STEP_ON;
    case ENTER_DONE:
        frame_return(engine, 1);
        return STEP_ON;
    }
    set_step(engine, &frame, ENTER_BEFORE);
    throw_dice(engine, index);
    return STEP_ON;
}
