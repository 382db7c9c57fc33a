#include "core/fight/fight.h"

#include <stddef.h>

#include "core/numbers/requirement.h"
#include "core/numbers/strength.h"
#include "core/numbers/trait.h"
#include "core/state/pile_list.h"
#include "core/work/deal_book.h"
#include "core/work/fight_view.h"
#include "core/work/harm.h"
#include "core/work/trigger.h"

static uint32_t mix_hash(uint32_t hash, uint32_t value)
{
    return (hash ^ value) * 16777619u;
}

/** What the fight is made of: fighters, Levels, monsters, enhancers, sums, winner, Treasures. */
static uint32_t fight_signature(const struct game *game, const struct box *box)
{
    const struct fight *fight = &game->fight;
    uint32_t hash = 2166136261u;
    hash = mix_hash(hash, fight->main);
    hash = mix_hash(hash, fight->helper);
    hash = mix_hash(hash, game->seats[fight->main].level);
    hash = mix_hash(hash, fight->helper != NO_SEAT ? game->seats[fight->helper].level : 0u);
    for (unsigned i = 0; i < fight->monster_count; i++) {
        if ((fight->monsters[i].flags & MONSTER_GONE) == 0) {
            hash = mix_hash(hash, fight->monsters[i].card);
            hash = mix_hash(hash, (uint32_t)strength_treasures(game, box, i));
            hash = mix_hash(hash, fight->monsters[i].flags);
        }
    }
    for (uint16_t at = pile_first(game, PILE_FIGHT); at != NO_CARD; at = game->cards[at].next) {
        if (box_def(box, at)->kind == KIND_ENHANCER) {
            hash = mix_hash(hash, at);
        }
    }
    for (unsigned i = 0; i < fight->owed_count; i++) {
        hash = mix_hash(hash, (uint32_t)fight->owed[i].treasures + 7u);
    }
    hash = mix_hash(hash, (uint32_t)strength_players(game, box, NULL));
    hash = mix_hash(hash, (uint32_t)strength_monsters(game, box, NULL));
    hash = mix_hash(hash, strength_players_win(game, box) ? 1u : 2u);
    return hash == 0 ? 1u : hash;
}

static unsigned author_pass(const struct engine *engine)
{
    return engine->author < MB_SEATS_MAX ? seat_bit(engine->author) : 0u;
}

// Opens, restarts or closes the win window as the fight has changed since `frame` looked.
static void fight_mind_window(struct engine *engine, struct frame *frame)
{
    const struct game *game = engine->game;
    uint32_t now = fight_signature(game, engine->box);
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
    struct frame frame = {.kind = FRAME_FIGHT, .step = FIGHT_IDLE, .seat = (uint8_t)seat};
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
        .seat = game->fight.main, .treasures = number_fit(pays ? worth : 0), .card = monster.card};
    if (outcome == REMOVE_KILL) {
        owed.levels = count_fit(strength_kill_levels(game, engine->box, index));
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
    if (helper != NO_SEAT && (game->seats[helper].alive == 0 || fight_help_barred(game, box) ||
                              fight_helper_barred(game, box, helper))) {
        fight_helper_leaves(engine);
        return true;
    }
    // Rules: a forced helper leaves freely once the fight would win the game (RUL-28).
    if (helper != NO_SEAT && (game->fight.flags & FIGHT_FORCED_HELP) != 0 &&
        fight_would_win_game(game, box, game->fight.main) &&
        !fight_would_win_game(game, box, helper)) {
        fight_helper_leaves(engine);
        return true;
    }
    return false;
}

static void push_reward(struct engine *engine, struct frame *frame)
{
    frame->step = FIGHT_OVER;
    frame_set(engine, frame);
    if (engine->game->window.kind == PAUSE_WIN) {
        emit_pause(engine, PAUSE_WIN, PAUSE_CLOSES, 0, 0);
    }
    struct frame reward = {.kind = FRAME_REWARD,
                           .step = REWARD_COUNT,
                           .seat = engine->game->fight.main,
                           .reward = {.helper = engine->game->fight.helper}};
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
                              .step = ENTER_BEGINS,
                              .seat = fight->main,
                              .enter = {.monster = (uint8_t)(index + 1)}};
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
    fight_mind_window(engine, &frame);
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

/** What was played into the fight and moves itself at its end does so before it is discarded. */
static void move_themselves(struct engine *engine)
{
    const struct game *game = engine->game;
    uint16_t next = NO_CARD;
    for (uint16_t at = pile_first(game, PILE_FIGHT); at != NO_CARD; at = next) {
        next = game->cards[at].next;
        const struct card_def *def = box_def(engine->box, at);
        const struct row *rows = box_rows(engine->box, def);
        struct req_context ctx = req_context_for(game, engine->box, game->cards[at].seat);
        ctx.card = at;
        ctx.ended = true;
        for (unsigned i = 0; i < def->row_count; i++) {
            if (def->kind == KIND_ONESHOT && rows[i].when == WHEN_FIGHT_END &&
                requirements_hold(&ctx, rows[i].first_req, rows[i].req_count)) {
                move_to_goal(engine, at, game->cards[at].seat, (enum goal)rows[i].b);
                break;
            }
        }
    }
}

void fight_discard_all(struct engine *engine)
{
    const struct game *game = engine->game;
    if ((engine->box->triggers_used >> WHEN_FIGHT_END & 1u) != 0) {
        move_themselves(engine);
    }
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

/** By strength, or because all that was there was slain. */
static bool fight_was_won(const struct game *game)
{
    bool killed = false;
    for (unsigned i = 0; i < game->fight.owed_count; i++) {
        killed |= game->fight.owed[i].kill != 0;
    }
    return killed || (game->fight.flags & FIGHT_WON) != 0;
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
            trigger_happens(engine, seats[i], WHEN_FIGHT_END, NO_CARD);
            if (fight_was_won(game)) {
                trigger_happens(engine, seats[i], WHEN_FIGHT_WON, NO_CARD);
            }
        }
    }
    for (unsigned seat = 0; seat < game->seat_count; seat++) {
        emit_seat_flag(engine, seat, SEAT_FLEW, false);
    }
    emit_game(engine, GAME_BRIBED, 0);
    emit_game(engine, GAME_AFTER_FIGHT, 1);
    deal_lapse_fight(engine);
}
