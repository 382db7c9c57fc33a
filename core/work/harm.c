#include "core/work/harm.h"

#include <stddef.h>

#include "core/numbers/requirement.h"
#include "core/numbers/trait.h"
#include "core/state/pile_list.h"
#include "core/work/trigger.h"

bool level_gain(struct engine *engine, unsigned seat, int n, enum level_why why, bool may_win)
{
    const struct game *game = engine->game;
    int goal = engine->box->profile.constant[PROFILE_GOAL];
    int level = game->seats[seat].level;
    int most = may_win ? goal : goal - 1;
    int after = level + n > most ? most : level + n;
    if (game->seats[seat].alive == 0 || after <= level) {
        return false;
    }
    emit_level(engine, seat, after, why);
    lasting_end(engine, seat, UNTIL_LEVEL_GAINED);
    trigger_happens(engine, seat, WHEN_LEVEL_GAINED, NO_CARD);
    return true;
}

bool level_lose(struct engine *engine, unsigned seat, int n, enum level_why why)
{
    int floor = engine->box->profile.constant[PROFILE_LEVEL_FLOOR];
    int level = engine->game->seats[seat].level;
    int after = level - n < floor ? floor : level - n;
    if (after >= level) {
        return false;
    }
    emit_level(engine, seat, after, why);
    return true;
}

static enum immunity immunity_of(const struct row *row)
{
    return row->a != 0 ? IMMUNE_ITSELF : IMMUNE_SPARES;
}

enum immunity card_immune(const struct game *game, const struct box *box, uint16_t card,
                          uint16_t *by)
{
    unsigned pile = game->cards[card].pile;
    if (!pile_is_table(pile)) {
        return IMMUNE_NOT;
    }
    *by = card_sealed_by(game, box, card);
    if (*by != NO_CARD) {
        return IMMUNE_SPARES;
    }
    struct row_iter it;
    row_iter_begin(&it, game, box, pile - PILE_TABLE, EFFECT_IMMUNE);
    for (const struct row *row = row_next(&it); row != NULL; row = row_next(&it)) {
        if (filter_fits_index(game, box, row->filter, card)) {
            *by = it.card;
            return immunity_of(row);
        }
    }
    // A card that protects itself does so carried too.
    const struct card_def *def = box_def(box, card);
    const struct row *rows = box_rows(box, def);
    for (unsigned i = 0; i < def->row_count; i++) {
        if (rows[i].when == WHEN_STATIC && rows[i].op == EFFECT_IMMUNE && rows[i].filter != 0 &&
            box->filters[rows[i].filter - 1u].name == def->name + 1u) {
            *by = card;
            return immunity_of(&rows[i]);
        }
    }
    return IMMUNE_NOT;
}

void card_lose(struct engine *engine, uint16_t card, unsigned seat)
{
    trigger_happens(engine, seat, WHEN_CARD_LOST, card);
    emit_discard(engine, card, seat, MOVE_LOST);
}

static unsigned fresh_flags(const struct engine *engine, unsigned seat)
{
    return engine->game->turn == seat ? CARD_FRESH : CARD_FRESH | CARD_LATE;
}

void card_to_table(struct engine *engine, uint16_t card, unsigned seat, enum move_why why,
                   unsigned from)
{
    struct card_move move = {.card = card,
                             .to = (uint8_t)pile_table(seat),
                             .why = (uint8_t)why,
                             .seat = (uint8_t)seat,
                             .seat2 = (uint8_t)from,
                             .flags = (uint8_t)fresh_flags(engine, seat)};
    emit_move(engine, &move);
}

void card_to_hand(struct engine *engine, uint16_t card, unsigned seat, enum move_why why,
                  unsigned from)
{
    struct card_move move = {.card = card,
                             .to = (uint8_t)pile_hand(seat),
                             .why = (uint8_t)why,
                             .seat = (uint8_t)seat,
                             .seat2 = (uint8_t)from,
                             .flags = CARD_FRESH};
    emit_move(engine, &move);
}

void move_to_goal(struct engine *engine, uint16_t card, unsigned seat, enum goal goal)
{
    unsigned from = engine->game->cards[card].seat;
    if (goal == GOAL_HAND) {
        card_to_hand(engine, card, seat, MOVE_RETURNED, from);
    } else if (goal == GOAL_TABLE) {
        card_to_table(engine, card, seat, MOVE_RETURNED, from);
    } else {
        emit_discard(engine, card, seat, MOVE_SPENT);
    }
}

uint16_t card_random_of(struct engine *engine, const uint16_t *cards, unsigned count)
{
    const struct game *game = engine->game;
    if (count == 0) {
        return NO_CARD;
    }
    if (game->script_pick_used < game->script_pick_count) {
        uint16_t card = game->script_picks[game->script_pick_used];
        emit_game(engine, GAME_PICKS_USED, game->script_pick_used + 1);
        for (unsigned i = 0; i < count; i++) {
            if (cards[i] == card) {
                return card;
            }
        }
    }
    return cards[count > 1 ? emit_chance(engine, count) : 0];
}

uint16_t card_random(struct engine *engine, unsigned seat)
{
    uint16_t hand[MB_CARDS_MAX];
    unsigned count = 0;
    uint16_t at = pile_first(engine->game, pile_hand(seat));
    for (; at != NO_CARD; at = engine->game->cards[at].next) {
        hand[count++] = at;
    }
    return card_random_of(engine, hand, count);
}

static bool kept_on_death(const struct box *box, const struct card_def *def)
{
    if (def->kind == KIND_CURSE || (def->flags & DEF_KEPT) != 0) {
        return true;
    }
    return kind_is_identity(def->kind) && box->profile.slots[def->kind].kept_on_death;
}

static void lay_out(struct engine *engine, uint16_t card, unsigned seat)
{
    struct card_move move = {
        .card = card, .to = PILE_BODY, .why = MOVE_DIED, .seat = (uint8_t)seat, .seat2 = NO_SEAT};
    emit_move(engine, &move);
}

void seat_dies(struct engine *engine, unsigned seat)
{
    const struct game *game = engine->game;
    if (game->seats[seat].alive == 0) {
        return;
    }
    struct event death = {.type = EVENT_DEATH, .seat = (uint8_t)seat};
    emit(engine, &death);
    emit_seat_flag(engine, seat, SEAT_NEEDS_DEAL, true);
    if (seat == game->turn) {
        emit_game(engine, GAME_DOOMED, 1);
    }
    lasting_end(engine, seat, UNTIL_DEATH);
    uint16_t next = NO_CARD;
    for (uint16_t at = pile_first(game, pile_table(seat)); at != NO_CARD; at = next) {
        next = game->cards[at].next;
        const struct card_def *def = box_def(engine->box, at);
        if (def->kind == KIND_ORIGIN) {
            emit_discard(engine, at, seat, MOVE_DIED);
        } else if (!kept_on_death(engine->box, def)) {
            lay_out(engine, at, seat);
        }
    }
    for (uint16_t at = pile_first(game, pile_hand(seat)); at != NO_CARD; at = next) {
        next = game->cards[at].next;
        lay_out(engine, at, seat);
    }
    trigger_happens(engine, seat, WHEN_DIES, NO_CARD);
}

unsigned lasting_free(const struct game *game)
{
    unsigned count = MB_LASTING_MAX - game->lasting_top;
    for (unsigned i = 0; i < game->lasting_top; i++) {
        count += game->lasting[i].op == LASTING_FREE;
    }
    return count;
}

static void lasting_set(struct engine *engine, unsigned index, const struct lasting *lasting)
{
    struct event event = {.type = EVENT_LASTING, .n = (int)index, .u.lasting = *lasting};
    emit(engine, &event);
}

/** Makes one of an entry and one that says the same of the same seat, whatever they came from:
 * with all places taken sums stay right. False if there is none, or it counts uses or names a card.
 */
static bool lasting_merge(struct engine *engine, const struct lasting *lasting)
{
    bool single = lasting->op == LASTING_USED || lasting->op == EFFECT_FOLLOW ||
                  lasting->op == EFFECT_FIGHT_NEXT || lasting->op == EFFECT_COPY_ABILITY;
    for (unsigned i = engine->game->lasting_top; !single && i > 0; i--) {
        struct lasting one = engine->game->lasting[i - 1];
        if (one.op == lasting->op && one.seat == lasting->seat && one.until == lasting->until &&
            one.arg == lasting->arg && one.about == lasting->about &&
            (!lasting_of_item(lasting) || one.source == lasting->source)) {
            bool replaces = lasting->op == EFFECT_LEVEL_IS; // the last counts (RUL-166)
            one.n = number_fit((replaces ? 0 : one.n) + lasting->n);
            lasting_set(engine, i - 1, &one);
            return true;
        }
    }
    return false;
}

bool lasting_add(struct engine *engine, const struct lasting *lasting)
{
    // Later ones stand behind earlier ones (RUL-166), so the slot after the last one in use is
    // taken.
    unsigned slot = engine->game->lasting_top;
    for (unsigned i = 0; slot == MB_LASTING_MAX && i < MB_LASTING_MAX; i++) {
        slot = engine->game->lasting[i].op == LASTING_FREE ? i : slot;
    }
    if (slot == MB_LASTING_MAX) {
        return lasting_merge(engine, lasting);
    }
    lasting_set(engine, slot, lasting);
    return true;
}

void lasting_remove(struct engine *engine, unsigned index)
{
    struct lasting none = lasting_none();
    lasting_set(engine, index, &none);
}

void lasting_end(struct engine *engine, unsigned seat, unsigned until)
{
    for (unsigned i = 0; i < engine->game->lasting_top; i++) {
        const struct lasting *lasting = &engine->game->lasting[i];
        if (lasting->op != LASTING_FREE && lasting->until == until &&
            (seat == NO_SEAT || lasting->seat == seat)) {
            lasting_remove(engine, i);
        }
    }
}

void lasting_comes_near(struct engine *engine, unsigned seat)
{
    for (unsigned i = 0; i < engine->game->lasting_top; i++) {
        struct lasting lasting = engine->game->lasting[i];
        if (lasting.op != LASTING_FREE && lasting.seat == seat &&
            lasting.until == UNTIL_LATER_FIGHT) {
            lasting.until = UNTIL_NEXT_FIGHT;
            lasting_set(engine, i, &lasting);
        }
    }
}

/** Another copy of a Class or its like is no second ability in the same fight (RUL-77, RUL-161). */
static bool same_source(const struct box *box, uint16_t a, uint16_t b)
{
    if (a == b || a == NO_CARD || b == NO_CARD) {
        return a == b;
    }
    const struct card_def *one = box_def(box, a);
    const struct card_def *other = box_def(box, b);
    return kind_is_identity(one->kind) && one->kind == other->kind && one->name == other->name;
}

/** Rows without a name are told apart by their place on the card. */
static uint16_t limit_about(const struct box *box, uint16_t source, const struct row *row,
                            uint16_t about)
{
    enum { BY_PLACE = 0x7F00 };
    if (row->ability != 0 || source == NO_CARD || about != NO_CARD) {
        return about;
    }
    return (uint16_t)(BY_PLACE + (row - box_rows(box, box_def(box, source))));
}

int limit_used(const struct game *game, const struct box *box, unsigned seat, uint16_t source,
               const struct row *row, uint16_t about)
{
    about = limit_about(box, source, row, about);
    for (unsigned i = 0; i < game->lasting_top; i++) {
        const struct lasting *lasting = &game->lasting[i];
        if (lasting->op == LASTING_USED && lasting->seat == seat && lasting->arg == row->ability &&
            lasting->about == about && same_source(box, lasting->source, source)) {
            return lasting->n;
        }
    }
    return 0;
}

static unsigned scope_until(unsigned scope)
{
    switch ((enum limit_scope)scope) {
    case SCOPE_TURN:
        return UNTIL_TURN_END;
    case SCOPE_ROLL:
        return UNTIL_NEXT_ROLL;
    case SCOPE_GAME:
        return UNTIL_ALWAYS;
    default:
        return UNTIL_FIGHT_END;
    }
}

void limit_use(struct engine *engine, unsigned seat, uint16_t source, const struct row *row,
               uint16_t about, int n)
{
    if (row->limit == SCOPE_NONE) {
        return;
    }
    about = limit_about(engine->box, source, row, about);
    for (unsigned i = 0; i < engine->game->lasting_top; i++) {
        struct lasting lasting = engine->game->lasting[i];
        if (lasting.op == LASTING_USED && lasting.seat == seat && lasting.arg == row->ability &&
            lasting.about == about && same_source(engine->box, lasting.source, source)) {
            lasting.n = number_fit(lasting.n + n);
            lasting_set(engine, i, &lasting);
            return;
        }
    }
    struct lasting lasting = {.op = LASTING_USED,
                              .seat = (uint8_t)seat,
                              .until = (uint8_t)scope_until(row->limit),
                              .arg = row->ability,
                              .n = number_fit(n),
                              .source = source,
                              .about = about,
                              .by = (uint8_t)seat};
    lasting_add(engine, &lasting);
}
