#include "core/cards/ability.h"

#include <stddef.h>

#include "core/cards/play.h"
#include "core/change/frame.h"
#include "core/curse/curse.h"
#include "core/fight/fight.h"
#include "core/numbers/requirement.h"
#include "core/numbers/strength.h"
#include "core/numbers/trait.h"
#include "core/state/pile_list.h"
#include "core/turn/turn.h"
#include "core/work/cost.h"
#include "core/work/fight_view.h"
#include "core/work/harm.h"
#include "core/work/moment.h"
#include "core/work/roll.h"
#include "core/work/target.h"

/** Identity cards of others whose abilities a seat has borrowed (A29). */
static uint16_t borrowed_card(const struct game *game, unsigned seat, unsigned index)
{
    for (unsigned i = 0; i < game->lasting_top; i++) {
        const struct lasting *lasting = &game->lasting[i];
        if (lasting->op == EFFECT_COPY_ABILITY && lasting->seat == seat && index-- == 0) {
            return lasting->source;
        }
    }
    return NO_CARD;
}

/** The rows by which a card's ability begins: the first of each trigger that has the name. Counts
 * `index` down; NULL when there are fewer. */
static const struct row *ability_row(const struct box *box, uint16_t card, unsigned ability,
                                     unsigned *index)
{
    const struct card_def *def = box_def(box, card);
    const struct row *rows = box_rows(box, def);
    uint32_t seen = 0;
    for (unsigned i = 0; i < def->row_count; i++) {
        if (rows[i].ability != ability + 1u || (seen >> rows[i].when & 1u) != 0) {
            continue;
        }
        seen |= 1u << rows[i].when;
        if ((*index)-- == 0) {
            return &rows[i];
        }
    }
    return NULL;
}

const struct row *ability_source(const struct game *game, const struct box *box, unsigned seat,
                                 unsigned ability, unsigned index, uint16_t *card)
{
    const struct row *row = NULL;
    uint16_t at = pile_first(game, pile_table(seat));
    for (; at != NO_CARD && row == NULL; at = game->cards[at].next) {
        *card = at;
        row = card_in_effect(game, box, at) ? ability_row(box, at, ability, &index) : NULL;
    }
    at = borrowed_card(game, seat, 0);
    for (unsigned i = 0; row == NULL && at != NO_CARD; at = borrowed_card(game, seat, ++i)) {
        *card = at;
        row = ability_row(box, at, ability, &index);
    }
    // A monster's own offer: whoever fights it may use it.
    for (unsigned i = 0; row == NULL && game->fight.on != 0 && i < game->fight.monster_count; i++) {
        const struct monster *monster = &game->fight.monsters[i];
        bool there = (monster->flags & MONSTER_GONE) == 0;
        *card = monster->card;
        row = there ? ability_row(box, monster->face, ability, &index) : NULL;
        bool open = row != NULL && (row->whose == WHOSE_ANYONE || seat_fights(game, seat));
        // A monster in a fight is nobody's to give.
        bool gives_itself = open && row->cost != 0 && box->costs[row->cost - 1u].self;
        row = open && !gives_itself ? row : NULL;
    }
    return row;
}

static uint64_t card_abilities(const struct box *box, uint16_t card)
{
    const struct card_def *def = box_def(box, card);
    const struct row *rows = box_rows(box, def);
    uint64_t mask = 0;
    for (unsigned i = 0; i < def->row_count; i++) {
        if (rows[i].ability != 0) {
            mask |= (uint64_t)1 << ((rows[i].ability - 1u) & 63u);
        }
    }
    return mask;
}

uint64_t ability_mask(const struct game *game, const struct box *box, unsigned seat)
{
    uint64_t mask = 0;
    uint16_t at = pile_first(game, pile_table(seat));
    for (; at != NO_CARD; at = game->cards[at].next) {
        mask |= card_abilities(box, at);
    }
    for (unsigned i = 0; i < game->lasting_top; i++) {
        const struct lasting *lasting = &game->lasting[i];
        if (lasting->op == EFFECT_COPY_ABILITY && lasting->seat == seat) {
            mask |= card_abilities(box, lasting->source);
        }
    }
    for (unsigned i = 0; game->fight.on != 0 && i < game->fight.monster_count; i++) {
        mask |= card_abilities(box, game->fight.monsters[i].face);
    }
    return mask;
}

/** When an ability may be used at all: by its trigger and what it does. */
static void check_moment(const struct game *game, const struct box *box, unsigned seat,
                         uint16_t card, const struct row *row, struct refusal *why)
{
    bool fight_op = row->until == UNTIL_FIGHT_END || row->target == ON_MONSTER ||
                    row->op == EFFECT_REMOVE_MONSTER;
    bool outsider =
        row->target == ON_FIGHTER || row->target == ON_OTHER_FIGHTER || row->whose == WHOSE_ANYONE;
    if (when_answers(row->when)) {
        if (!answer_row_fits(game, box, seat, card, row)) {
            refuse_card(why, REFUSAL_NOT_USABLE, "RUL-34", card, 0);
        }
        return;
    }
    if (game->moment.kind == PAUSE_ANSWER) { // only answers are accepted in it
        refuse(why, REFUSAL_CHOICE_PENDING, "CANCEL-1");
        return;
    }
    if (game->phase == PHASE_SETUP) {
        refuse(why, REFUSAL_WRONG_PHASE, "SETUP-6");
        return;
    }
    if (row->when == WHEN_BEFORE_ROLL) {
        bool running = (game->fight.flags & FIGHT_GAVE_UP) != 0;
        bool gives_up = fight_may_give_up(game, box, seat);
        // What saves from one monster is used before the roll against that one.
        bool early = (game->fight.flags & FIGHT_ROLLED) == 0 || row->target == ON_MONSTER;
        bool may = early && (running || gives_up);
        if (!seat_fights(game, seat)) {
            refuse_card(why, REFUSAL_NOT_IN_COMBAT, "RUN-1", card, 0);
        } else if (!may) {
            refuse_card(why, REFUSAL_NOT_USABLE, "RUN-2", card, 0);
        }
        return;
    }
    if (fight_op && (outsider ? game->fight.on == 0 : !seat_fights(game, seat))) {
        refuse_card(why, REFUSAL_NOT_IN_COMBAT, "COMBAT-3", card, 0);
        return;
    }
    if (fight_op && (game->fight.flags & FIGHT_GAVE_UP) != 0) {
        refuse_card(why, REFUSAL_WRONG_PHASE, "RUN-1", card, 0);
    }
    if (row->op == EFFECT_RESURRECT) {
        const struct frame *top = frame_top(game);
        if (game->turn != seat) {
            refuse_card(why, REFUSAL_NOT_YOUR_TURN, "CHAR-13", card, 0);
        } else if (game->fight.on != 0) { // as the kick that it stands for
            refuse_card(why, REFUSAL_IN_COMBAT, "CHAR-13", card, 0);
        } else if (top == NULL || top->kind != FRAME_TURN || top->step != TURN_START) {
            refuse_card(why, REFUSAL_WRONG_PHASE, "CHAR-13", card, 0);
        } else if (pile_count(game, PILE_DOOR_DISCARD) == 0) {
            refuse_card(why, REFUSAL_NOT_USABLE, "DECK-3", card, 0);
        }
    }
    if (row->op == EFFECT_MARK_DOUBLE && game->turn != seat) {
        refuse_card(why, REFUSAL_NOT_YOUR_TURN, "SELL-1", card, 0);
    }
    if (row->op == EFFECT_MARK_DOUBLE && seat_fights(game, seat)) {
        refuse_card(why, REFUSAL_IN_COMBAT, "SELL-1", card, 0);
    }
}

static void check_theft(const struct game *game, const struct box *box, unsigned seat,
                        uint16_t item, struct refusal *why)
{
    if (seat_fights(game, seat)) {
        refuse(why, REFUSAL_IN_COMBAT, "RUL-117");
    }
    if (!pile_is_table(game->cards[item].pile)) {
        // Whose hand it may be in is nobody's business.
        refuse_card(why, REFUSAL_NOT_IN_PLAY, "CHAR-13", item, 0);
        return;
    }
    unsigned victim = game->cards[item].seat;
    if (seat_fights(game, victim)) {
        refuse(why, REFUSAL_IN_COMBAT, "RUL-117");
    }
    uint16_t shield = NO_CARD;
    if (target_shielded(game, box, item, &shield)) {
        refuse_card(why, REFUSAL_ILLEGAL_TARGET, "CONF-1", shield, 0);
    }
    if (game->seats[seat].alive != 0 && !kind_is_item(box_def(box, item)->kind)) {
        refuse_card(why, REFUSAL_ILLEGAL_TARGET, "RUL-118", item, 0);
    }
}

/** Looks the target up: named, or the only one possible. */
static void find_target(const struct game *game, const struct box *box,
                        const struct command *command, struct ability_use *use, struct refusal *why)
{
    const struct row *row = use->row;
    if (row->target == ON_NOTHING) {
        return;
    }
    unsigned kind = TARGET_NONE;
    uint16_t targets[2] = {NO_CARD, NO_CARD};
    uint16_t target = command->target;
    if (command->target_kind == TARGET_NONE) {
        struct candidate_list found = {.ids = targets, .max = 2};
        kind = target_candidates(game, box, use->seat, row, &found);
        if (found.count != 1) {
            refuse_card(why, found.count == 0 ? REFUSAL_ILLEGAL_TARGET : REFUSAL_BAD_ARGUMENTS,
                        "CONF-1", use->card, 0);
            return;
        }
        target = targets[0];
    } else {
        kind = command->target_kind;
        if (kind == TARGET_CARD && target_kind(row->target) == TARGET_MONSTER) {
            kind = TARGET_MONSTER;
        }
        if (row->op == EFFECT_THEFT && kind == TARGET_CARD) {
            check_theft(game, box, use->seat, target, why);
        }
        if (!target_fits(game, box, use->seat, row, kind, target)) {
            target_refuse(game, row, kind, target, "CONF-1", why);
            return;
        }
    }
    if (kind == TARGET_SEAT) {
        use->target_seat = target;
    } else {
        use->target_card = target;
        use->target_seat = game->cards[target].seat < MB_SEATS_MAX && kind == TARGET_CARD
                               ? game->cards[target].seat
                               : NO_SEAT;
        use->monster = kind == TARGET_MONSTER ? monster_find(game, target) : -1;
    }
    if (row->op == EFFECT_THEFT) {
        check_theft(game, box, use->seat, target, why);
    }
}

static bool pile_has(const struct game *game, const struct box *box, unsigned pile,
                     const struct row *row, uint32_t kinds)
{
    uint16_t at = pile_first(game, pile);
    while (at != NO_CARD && ((kinds >> box_def(box, at)->kind & 1u) == 0 ||
                             !filter_fits_index(game, box, row->filter, at))) {
        at = game->cards[at].next;
    }
    return at != NO_CARD;
}

/** What takes the topmost card that fits, or brings one of the hand, needs one before it is paid.
 */
static bool finds_card(const struct game *game, const struct box *box, unsigned seat,
                       const struct row *row)
{
    if (row->op == EFFECT_RETRIEVE && row->target == ON_NOTHING) {
        return pile_has(game, box, PILE_DOOR_DISCARD, row, ~0u) ||
               pile_has(game, box, PILE_TREASURE_DISCARD, row, ~0u);
    }
    return row->op != EFFECT_SWAP_MONSTER ||
           pile_has(game, box, pile_hand(seat), row, 1u << KIND_MONSTER);
}

static void check_source(const struct game *game, const struct box *box,
                         const struct command *command, struct ability_use *use,
                         struct refusal *why)
{
    const struct row *row = use->row;
    struct req_context ctx = req_context_for(game, box, use->seat);
    ctx.card = use->card;
    check_moment(game, box, use->seat, use->card, row, why);
    bool answer = when_answers(row->when);
    find_target(game, box, command, use, why);
    ctx.target = (uint8_t)use->target_seat;
    if ((!answer && row->target != ON_MONSTER &&
         !requirements_hold(&ctx, row->first_req, row->req_count)) ||
        !finds_card(game, box, use->seat, row)) {
        refuse_card(why, REFUSAL_NOT_USABLE, "CHAR-13", use->card, 0);
    }
    uint16_t about = use->target_seat < MB_SEATS_MAX ? (uint16_t)use->target_seat : NO_CARD;
    if (ability_left(game, box, use->seat, use->card, row, about) <= 0) {
        refuse_card(why, REFUSAL_LIMIT_REACHED, "HELP-5", use->card, row->limit_n);
    }
    if (lasting_free(game) < MB_LASTING_SPARE) {
        refuse(why, REFUSAL_LIMIT_REACHED, "CONF-6");
    }
    cost_check(game, box, command, use->card, row, why);
}

/** Finds the first source that can do it; the reason of the first one is given if none can. */
static bool find_use(const struct game *game, const struct box *box, const struct command *command,
                     struct ability_use *use, struct refusal *why)
{
    struct refusal first = {.code = REFUSAL_NONE};
    for (unsigned i = 0;; i++) {
        struct refusal one = {.code = REFUSAL_NONE};
        *use = (struct ability_use){.seat = command->seat,
                                    .target_seat = NO_SEAT,
                                    .target_card = NO_CARD,
                                    .card = NO_CARD,
                                    .with = NO_CARD,
                                    .monster = -1};
        use->row = ability_source(game, box, command->seat, command->ability, i, &use->card);
        if (use->row == NULL) {
            break;
        }
        if (command->card != NO_CARD && command->card != use->card) {
            continue;
        }
        check_source(game, box, command, use, &one);
        if (one.code == REFUSAL_NONE) {
            return true;
        }
        first = first.code == REFUSAL_NONE ? one : first;
    }
    if (first.code == REFUSAL_NONE) {
        return refuse(why, REFUSAL_NOT_USABLE, "CHAR-2");
    }
    return refuse_card(why, (enum refusal_code)first.code, first.rule, first.card, first.amount);
}

bool ability_lacked(const struct game *game, const struct box *box, unsigned seat, unsigned ability)
{
    uint16_t card = NO_CARD;
    return ability < box->ability_count &&
           ability_source(game, box, seat, ability, 0, &card) == NULL;
}

void check_use(const struct game *game, const struct box *box, const struct command *command,
               struct refusal *why)
{
    if (command->ability >= box->ability_count) {
        refuse(why, REFUSAL_BAD_ARGUMENTS, "CHAR-2");
        return;
    }
    if (seat_fights(game, command->seat) && seat_barred(game, box, command->seat, BAR_PLAY)) {
        refuse(why, REFUSAL_NOT_USABLE, "MON-2");
    }
    struct ability_use use;
    find_use(game, box, command, &use, why);
}

void ability_run(struct engine *engine, const struct ability_use *use, unsigned paid,
                 uint16_t paid_card)
{
    const struct game *game = engine->game;
    bool answer = when_answers(use->row->when);
    if (answer && game->moment.kind == PAUSE_ANSWER) {
        // The moment starts anew when the answer has been carried out (RUL-106).
        emit_pause(engine, PAUSE_ANSWER, PAUSE_CLOSES, 0, 0);
        struct frame top = *frame_top(game);
        top.step = top.kind == FRAME_CURSE    ? (uint8_t)CURSE_ANNOUNCED
                   : top.kind == FRAME_PLAYED ? (uint8_t)PLAYED_SHOWN
                                              : (uint8_t)ROLL_SHOWN;
        if (use->row->op == EFFECT_IDENTITY) { // the one try for this Trap (META-3)
            top.curse.tried = 1;
        }
        frame_set(engine, &top);
    }
    struct frame frame = {
        .kind = FRAME_PROGRAM,
        .seat = (uint8_t)use->seat,
        .program = {.card = use->card,
                    .about = use->target_card != NO_CARD ? use->target_card : paid_card,
                    .with = use->with,
                    .row = box_def(engine->box, use->card)->first_row,
                    .paid = (int16_t)paid,
                    .trigger = use->row->when,
                    .ability = use->row->ability,
                    .target = (uint8_t)use->target_seat,
                    .monster = (uint8_t)(use->monster + 1)}};
    int index = monster_find(game, use->card);
    if (index >= 0) { // a monster's own ability: its text may be another card's
        frame.program.card = game->fight.monsters[index].face;
        frame.program.row = box_def(engine->box, frame.program.card)->first_row;
        frame.program.monster = (uint8_t)(index + 1);
    }
    frame_push(engine, &frame);
}

void act_use(struct engine *engine, const struct command *command)
{
    const struct game *game = engine->game;
    struct ability_use use;
    struct refusal why = {.code = REFUSAL_NONE};
    if (!find_use(game, engine->box, command, &use, &why)) {
        return;
    }
    unsigned paid = command->list_count;
    // In whose hand a card is goes without saying; who may not know it hears of no target.
    bool hidden = use.target_card != NO_CARD && pile_is_hand(game->cards[use.target_card].pile);
    struct event note = {.why = NOTE_USES,
                         .seat = command->seat,
                         .seat2 = (uint8_t)(hidden ? NO_SEAT : use.target_seat),
                         .card = use.card,
                         .card2 = use.target_card,
                         .n = command->ability,
                         .m = (int)paid};
    emit_note_full(engine, &note);
    if (use.row->when == WHEN_BEFORE_ROLL && (game->fight.flags & FIGHT_GAVE_UP) == 0) {
        flee_begin(engine, NO_CARD);
    }
    uint16_t paid_card = paid > 0 ? command->list[0] : NO_CARD;
    if (use.row->op == EFFECT_RESURRECT) { // the card is turned up, then the cost goes (spec)
        use.target_card = paid_card;
    }
    if (use.row->cost != 0) {
        const struct cost *cost = &engine->box->costs[use.row->cost - 1u];
        paid = cost_pay(engine, command->seat, use.card, cost, command->list, paid);
    }
    uint16_t about = use.row->limit == SCOPE_VICTIM && use.target_seat < MB_SEATS_MAX
                         ? (uint16_t)use.target_seat
                         : NO_CARD;
    limit_use(engine, command->seat, use.card, use.row, about,
              cost_counts_cards(engine->box, use.row) ? (int)paid : 1);
    ability_run(engine, &use, paid, paid_card);
}
