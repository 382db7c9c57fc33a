#include "core/fight.h"

#include <stddef.h>

#include "core/choice.h"
#include "core/deal.h"
#include "core/harm.h"
#include "core/pile.h"
#include "core/program.h"
#include "core/requirement.h"
#include "core/strength.h"
#include "core/trait.h"

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

const struct row *fight_face_row(const struct game *game, const struct box *box, unsigned index,
                                 unsigned op, unsigned seat)
{
    const struct monster *monster = &game->fight.monsters[index];
    const struct card_def *def = box_def(box, monster->face);
    const struct row *rows = box_rows(box, def);
    struct req_context ctx = req_context_for(game, box, seat);
    ctx.monster = (int8_t)index;
    ctx.card = monster->card;
    ctx.lend = true;
    for (unsigned i = 0; i < def->row_count; i++) {
        if (rows[i].when == WHEN_STATIC && rows[i].op == op &&
            requirements_hold(&ctx, rows[i].first_req, rows[i].req_count)) {
            return &rows[i];
        }
    }
    return NULL;
}

bool fight_no_help(const struct game *game, const struct box *box)
{
    for (unsigned i = 0; i < game->fight.monster_count; i++) {
        if ((game->fight.monsters[i].flags & MONSTER_GONE) == 0 &&
            fight_face_row(game, box, i, EFFECT_NO_HELP, game->fight.main) != NULL) {
            return true;
        }
    }
    return false;
}

unsigned fight_add_monster(struct engine *engine, unsigned seat, uint16_t card, uint16_t face,
                           uint16_t group, unsigned flags)
{
    unsigned index = engine->game->fight.monster_count;
    struct card_move move = {.card = card,
                             .to = PILE_FIGHT,
                             .why = MOVE_SILENT,
                             .seat = (uint8_t)seat,
                             .seat2 = NO_SEAT,
                             .host = group,
                             .hosted = group != card};
    emit_move(engine, &move);
    struct monster monster = {
        .card = card, .face = face, .group = group, .flags = (uint8_t)flags, .seat = (uint8_t)seat};
    emit_monster(engine, index, &monster);
    return index;
}

/** Monsters that came along from an earlier fight (M79). */
static void followers_join(struct engine *engine, unsigned seat)
{
    for (unsigned i = 0; i < engine->game->lasting_top; i++) {
        struct lasting lasting = engine->game->lasting[i];
        if (lasting.op != EFFECT_FOLLOW || lasting.seat != seat) {
            continue;
        }
        lasting_remove(engine, i);
        if (fight_has_room(engine->game)) {
            fight_add_monster(engine, seat, lasting.source, lasting.source, lasting.source,
                              MONSTER_WANDERED);
            emit_note(engine, NOTE_MONSTER_JOINS, seat, lasting.source);
        } else {
            emit_discard(engine, lasting.source, seat, MOVE_SETTLED);
        }
    }
}

void fight_begin(struct engine *engine, unsigned seat, uint16_t card)
{
    struct event event = {.type = EVENT_FIGHT, .seat = (uint8_t)seat, .n = 1};
    emit(engine, &event);
    emit_game(engine, GAME_PHASE, PHASE_COMBAT);
    emit_game(engine, GAME_BRIBED, 0);
    emit_game(engine, GAME_AFTER_FIGHT, 0);
    emit_game(engine, GAME_MET_MONSTER, 1);
    fight_add_monster(engine, seat, card, card, card, 0);
    emit_note(engine, NOTE_FIGHT_BEGINS, seat, card);
    followers_join(engine, seat);
    struct frame frame = {.kind = FRAME_FIGHT,
                          .step = FIGHT_IDLE,
                          .seat = (uint8_t)seat,
                          .other = NO_SEAT,
                          .card = card,
                          .card2 = NO_CARD};
    frame_push(engine, &frame);
}

void fight_remove(struct engine *engine, unsigned index, unsigned outcome, int treasures)
{
    const struct game *game = engine->game;
    struct monster monster = game->fight.monsters[index];
    bool last = fight_monsters_left(game) == 1;
    bool pays = outcome == REMOVE_PAYS || outcome == REMOVE_KILL ||
                (outcome == REMOVE_PAYS_IF_LAST && last) ||
                (outcome == REMOVE_BY_HOUSE && engine->box->profile.flag[FLAG_REMOVAL_PAYS]);
    int worth = treasures >= 0 ? treasures : strength_treasures(game, engine->box, index);
    struct owed owed = {
        .seat = game->fight.main, .treasures = (int16_t)(pays ? worth : 0), .card = monster.card};
    if (outcome == REMOVE_KILL) {
        owed.levels = (uint8_t)strength_kill_levels(game, engine->box, index);
        owed.kill = 1;
    }
    emit_owed(engine, &owed);
    monster.flags |= MONSTER_GONE;
    emit_monster(engine, index, &monster);
    struct event note = {.why = NOTE_MONSTER_LEAVES,
                         .seat = game->fight.main,
                         .seat2 = NO_SEAT,
                         .card = monster.card,
                         .card2 = NO_CARD,
                         .n = owed.treasures};
    emit_note_full(engine, &note);
}

void fight_helper_joins(struct engine *engine, unsigned seat, const struct deal *deal)
{
    struct event event = {.type = EVENT_FIGHTER, .seat = (uint8_t)seat, .m = 1};
    emit(engine, &event);
    emit_fight_field(engine, FIGHT_HELPER_TREASURES, deal->treasures);
    unsigned flags = engine->game->fight.flags & ~(unsigned)FIGHT_PICK_FIRST;
    emit_fight_field(engine, FIGHT_FLAGS,
                     (int)(deal->picking == 1 ? flags | FIGHT_PICK_FIRST : flags));
    struct event promise = {.type = EVENT_PROMISE};
    unsigned count = 0;
    for (unsigned i = 0; i < deal->gives_count; i++) {
        promise.u.list[count++] = deal->gives[i];
    }
    for (unsigned i = 0; i < deal->promises_count; i++) {
        promise.u.list[count++] = deal->promises[i];
    }
    promise.n = (int)count;
    emit(engine, &promise);
    struct event note = {.why = NOTE_HELPER_JOINS,
                         .seat = (uint8_t)seat,
                         .seat2 = engine->game->fight.main,
                         .card = NO_CARD,
                         .card2 = NO_CARD,
                         .n = deal->treasures};
    emit_note_full(engine, &note);
}

void fight_helper_leaves(struct engine *engine)
{
    unsigned helper = engine->game->fight.helper;
    emit_note(engine, NOTE_HELPER_LEAVES, helper, NO_CARD);
    // Rules: what the helper's discards added leaves too (RUL-150).
    for (unsigned i = 0; i < engine->game->lasting_top; i++) {
        const struct lasting *lasting = &engine->game->lasting[i];
        if (lasting->op == EFFECT_SIDE_BONUS && lasting->seat == helper &&
            lasting->until == UNTIL_FIGHT_END) {
            lasting_remove(engine, i);
        }
    }
    struct event event = {.type = EVENT_FIGHTER, .seat = NO_SEAT, .m = 1};
    emit(engine, &event);
    emit_fight_field(engine, FIGHT_HELPER_TREASURES, 0);
    struct event promise = {.type = EVENT_PROMISE};
    emit(engine, &promise);
    unsigned flags = engine->game->fight.flags;
    emit_fight_field(engine, FIGHT_FLAGS,
                     (int)(flags & ~(unsigned)(FIGHT_PICK_FIRST | FIGHT_FORCED_HELP)));
}

bool fight_settle(struct engine *engine)
{
    const struct game *game = engine->game;
    const struct box *box = engine->box;
    if (game->fight.on == 0 || (game->fight.flags & FIGHT_GAVE_UP) != 0) {
        return false;
    }
    for (unsigned i = 0; i < game->fight.monster_count; i++) {
        if ((game->fight.monsters[i].flags & MONSTER_GONE) != 0) {
            continue;
        }
        const struct row *row = fight_face_row(game, box, i, EFFECT_LEAVES_FOR, game->fight.main);
        if (row != NULL) {
            bool kill = (row->flags & ROW_KILL) != 0;
            fight_remove(engine, i, kill ? REMOVE_KILL : REMOVE_PAYS, row->n.base);
            return true;
        }
    }
    unsigned helper = game->fight.helper;
    if (helper != NO_SEAT && (game->seats[helper].alive == 0 || fight_no_help(game, box))) {
        fight_helper_leaves(engine);
        return true;
    }
    // Rules: a forced helper leaves freely once the fight would win the game (RUL-28).
    if (helper != NO_SEAT && (game->fight.flags & FIGHT_FORCED_HELP) != 0 &&
        deal_fight_would_win_game(game, box, game->fight.main) &&
        !deal_fight_would_win_game(game, box, helper)) {
        fight_helper_leaves(engine);
        return true;
    }
    return false;
}

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

/** Opens, restarts or closes the win window as the fight has changed. */
static void mind_window(struct engine *engine, struct frame *frame)
{
    const struct game *game = engine->game;
    uint32_t now = signature(game, engine->box);
    uint32_t before = (uint32_t)(uint16_t)frame->a << 16 | (uint16_t)frame->b;
    bool wins = strength_players_win(game, engine->box);
    bool open = game->window.kind == PAUSE_WIN;
    if (now == before) {
        return;
    }
    frame->a = (int16_t)(uint16_t)(now >> 16);
    frame->b = (int16_t)(uint16_t)now;
    frame_set(engine, frame);
    if (wins) {
        emit_pause(engine, PAUSE_WIN, open ? PAUSE_RESTARTS : PAUSE_OPENS, seats_alive(game),
                   author_pass(engine));
    } else if (open) {
        emit_pause(engine, PAUSE_WIN, PAUSE_CLOSES, 0, 0);
    }
}

static void push_reward(struct engine *engine, struct frame *frame)
{
    frame->step = FIGHT_OVER;
    frame_set(engine, frame);
    if (engine->game->window.kind == PAUSE_WIN) {
        emit_pause(engine, PAUSE_WIN, PAUSE_CLOSES, 0, 0);
    }
    struct frame reward = {.kind = FRAME_REWARD,
                           .seat = engine->game->fight.main,
                           .other = engine->game->fight.helper,
                           .card = NO_CARD,
                           .card2 = NO_CARD};
    frame_push(engine, &reward);
}

static enum step_result fight_idle(struct engine *engine, struct frame frame)
{
    const struct game *game = engine->game;
    const struct fight *fight = &game->fight;
    if (fight->entering < fight->monster_count) {
        unsigned index = fight->entering;
        emit_fight_field(engine, FIGHT_ENTERING, (int)index + 1);
        struct frame enter = {.kind = FRAME_ENTER,
                              .seat = fight->main,
                              .other = NO_SEAT,
                              .card = fight->monsters[index].card,
                              .card2 = NO_CARD,
                              .monster = (uint8_t)(index + 1)};
        frame_push(engine, &enter);
        return STEP_ON;
    }
    if (game->seats[fight->main].alive == 0) {
        fight_discard_all(engine);
        fight_end(engine);
        frame.step = FIGHT_OVER;
        frame_set(engine, &frame);
        return STEP_ON;
    }
    if (fight_monsters_left(game) == 0) {
        emit_fight_field(engine, FIGHT_FLAGS, fight->flags | FIGHT_SCATTERED);
        push_reward(engine, &frame);
        return STEP_ON;
    }
    if ((fight->flags & FIGHT_WON) != 0) {
        push_reward(engine, &frame);
        return STEP_ON;
    }
    mind_window(engine, &frame);
    unsigned alive = seats_alive(game);
    if (game->window.kind == PAUSE_WIN && (game->window.passed & alive) == alive) {
        emit_fight_field(engine, FIGHT_FLAGS, fight->flags | FIGHT_WON);
        return STEP_ON;
    }
    return STEP_WAIT;
}

enum step_result step_fight(struct engine *engine, struct frame frame)
{
    switch ((enum fight_step)frame.step) {
    case FIGHT_IDLE:
        return fight_idle(engine, frame);
    case FIGHT_FLEEING:
    case FIGHT_OVER:
        break;
    }
    frame_return(engine, 1);
    return STEP_ON;
}

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

/** A monster's card, then its enhancers, then (after those) its Mate: spec section 3. */
static void discard_with_guests(struct engine *engine, uint16_t card)
{
    const struct game *game = engine->game;
    unsigned seat = game->fight.main;
    emit_discard(engine, card, seat, MOVE_SPENT);
    uint16_t next = NO_CARD;
    for (uint16_t at = pile_first(game, PILE_FIGHT); at != NO_CARD; at = next) {
        next = game->cards[at].next;
        if (game->cards[at].host == card && monster_find(game, at) < 0 &&
            box_def(engine->box, at)->kind == KIND_ENHANCER) {
            emit_discard(engine, at, seat, MOVE_SPENT);
        }
    }
}

void fight_discard_all(struct engine *engine)
{
    const struct game *game = engine->game;
    for (unsigned i = 0; i < game->fight.monster_count; i++) {
        const struct monster *monster = &game->fight.monsters[i];
        if (game->cards[monster->card].pile != PILE_FIGHT) {
            continue;
        }
        if ((monster->flags & MONSTER_FOLLOWS) != 0) {
            struct card_move move = {.card = monster->card,
                                     .to = PILE_ASIDE,
                                     .why = MOVE_SILENT,
                                     .seat = game->fight.main,
                                     .seat2 = NO_SEAT};
            emit_move(engine, &move);
            continue;
        }
        discard_with_guests(engine, monster->card);
    }
    uint16_t at = pile_first(game, PILE_FIGHT);
    while (at != NO_CARD) {
        emit_discard(engine, at, game->cards[at].seat, MOVE_SPENT);
        at = pile_first(game, PILE_FIGHT);
    }
}

static void turned_followers_go(struct engine *engine, unsigned seat)
{
    const struct game *game = engine->game;
    uint16_t next = NO_CARD;
    for (uint16_t at = pile_first(game, pile_table(seat)); at != NO_CARD; at = next) {
        next = game->cards[at].next;
        if ((game->cards[at].flags & CARD_TURNED) != 0) {
            emit_discard(engine, at, seat, MOVE_LEFT);
        }
    }
}

void fight_end(struct engine *engine)
{
    const struct game *game = engine->game;
    unsigned seats[2] = {game->fight.main, game->fight.helper};
    struct event event = {.type = EVENT_FIGHT, .seat = game->fight.main, .n = 0};
    emit(engine, &event);
    if (game->window.kind == PAUSE_WIN) {
        emit_pause(engine, PAUSE_WIN, PAUSE_CLOSES, 0, 0);
    }
    lasting_end(engine, NO_SEAT, UNTIL_FIGHT_END);
    for (unsigned i = 0; i < 2; i++) {
        if (seats[i] < MB_SEATS_MAX) {
            lasting_end(engine, seats[i], UNTIL_NEXT_FIGHT);
            lasting_comes_near(engine, seats[i]);
            turned_followers_go(engine, seats[i]);
            trigger_discards(engine, seats[i], WHEN_FIGHT_END, NO_CARD);
        }
    }
    for (unsigned seat = 0; seat < game->seat_count; seat++) {
        emit_seat_flag(engine, seat, SEAT_FLEW, false);
    }
    emit_game(engine, GAME_BRIBED, 0);
    emit_game(engine, GAME_AFTER_FIGHT, 1);
    deal_lapse_fight(engine);
}
