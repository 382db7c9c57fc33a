/*
 * Trying moves on a copy, and judging what comes of them.
 */
#include "core/base/rng.h"
#include "core/game.h"
#include "core/loop/prospect.h"
#include "core/numbers/trait.h"

#include "bot/policy/policy_impl.h"

enum { SPITE_BASE = 20, PER_CENT = 100, FINDS_MIN = 60, SETTLE_MAX = 4, NEAR_GOAL = 3, FACES = 6 };

bool mind_unseen(const struct mind *mind, uint16_t card)
{
    return (query_flags(mind->view, card) & CARD_BLANK) != 0;
}

bool mind_near_goal(const struct game *game, const struct box *box, unsigned seat)
{
    return (int)query_level(game, seat) + NEAR_GOAL >= box->profile.constant[PROFILE_GOAL];
}

bool mind_others_win(const struct mind *mind, const struct game *game)
{
    return query_pause(game, PAUSE_WIN).kind == PAUSE_WIN &&
           (query_would_win(game, mind->box) & ~(unsigned)seat_bit(mind->seat)) != 0;
}

// Ahead of oneself, with nobody higher, near the goal: as everybody can see.
static bool is_leading(const struct mind *mind, const struct game *game, unsigned rival)
{
    const unsigned level = query_level(game, rival);
    bool highest = level > query_level(game, mind->seat);
    for (unsigned seat = 0; seat < query_seat_count(game); seat++) {
        highest = highest && query_level(game, seat) <= level;
    }
    return highest && mind_near_goal(game, mind->box, rival);
}

int mind_spite(const struct mind *mind, const struct game *game, unsigned rival)
{
    const int level = (int)query_level(game, rival);
    const int goal = mind->box->profile.constant[PROFILE_GOAL];
    if ((mind->winners & seat_bit(rival)) != 0) {
        return mind->temper->guard;
    }
    const int spite =
        mind->temper->spite * (SPITE_BASE + level * level * PER_CENT / (goal * goal)) / PER_CENT;
    const int wary = is_leading(mind, game, rival) ? mind->temper->wary : 0;
    return wary > spite ? wary : spite;
}

static int rivals_part(const struct mind *mind, const struct game *game)
{
    int sum = 0;
    for (unsigned seat = 0; seat < query_seat_count(game) && mind->temper->spite > 0; seat++) {
        if (seat == mind->seat) {
            continue;
        }
        const bool known =
            game == mind->view || (prospect_same_seat(mind->view, game, seat) &&
                                   !seat_fights(game, seat) && !seat_fights(mind->view, seat));
        const int worth = known ? mind->worth[seat] : worth_seat(mind, game, seat);
        // The weight is that of before the try: who falls does not become dearer.
        sum += mind_spite(mind, mind->view, seat) * worth / PER_CENT;
    }
    return sum;
}

int mind_judge(const struct mind *mind, const struct game *after)
{
    return worth_seat(mind, after, mind->seat) - rivals_part(mind, after);
}

void mind_open(struct mind *mind, const struct policy_input *in, const struct temper *temper)
{
    *mind = (struct mind){
        .in = in, .temper = temper, .view = in->view, .box = in->box, .seat = in->seat};
    mind->winners = query_main(in->view) != NO_SEAT ? query_would_win(in->view, in->box) : 0;
    mind->alert = mind_others_win(mind, in->view);
    for (unsigned seat = 0; seat < query_seat_count(in->view); seat++) {
        mind->worth[seat] = worth_seat(mind, in->view, seat);
    }
    mind->now = mind->worth[mind->seat] - rivals_part(mind, mind->view);
}

void mind_settle(const struct mind *mind, struct game *after)
{
    for (unsigned i = 0; i < SETTLE_MAX; i++) {
        const unsigned kind = query_clock(after).kind;
        struct command command = command_plain(NO_SEAT, VERB_ELAPSE);
        command.n = (int16_t)kind;
        struct refusal why = {.code = REFUSAL_NONE};
        const bool waits = kind == CLOCK_ANSWER || kind == CLOCK_DECISION;
        if (!waits || query_phase(after) == PHASE_SETUP ||
            !game_step(after, mind->box, &command, NULL, &why)) {
            return;
        }
    }
}

// A try in which the first die shows a face; 0: whichever it does.
static bool try_face(const struct mind *mind, const struct command *command, unsigned face,
                     struct game *after)
{
    struct refusal why = {.code = REFUSAL_NONE};
    game_copy(after, mind->view);
    if (face > 0) {
        prospect_set_die(after, face);
    }
    if (!game_step(after, mind->box, command, NULL, &why)) {
        return false;
    }
    mind_settle(mind, after);
    return true;
}

bool mind_try(const struct mind *mind, const struct command *command, struct game *after)
{
    return try_face(mind, command, 0, after);
}

// Whether a die may be what chance decides; else it picks cards, and one pick stands for all.
static bool throws_die(const struct mind *mind, uint16_t card)
{
    if (card == NO_CARD) {
        return true; // an answer: whatever asked
    }
    const struct card_def *const def = box_def(mind->box, card);
    const struct row *const rows = box_rows(mind->box, def);
    bool found = false;
    for (unsigned i = 0; i < def->row_count; i++) {
        found = found || rows[i].op == EFFECT_ROLL || rows[i].op == EFFECT_THEFT ||
                rows[i].n.source == SRC_DIE || rows[i].n.source == SRC_HALF_DIE ||
                rows[i].n.source == SRC_ONES;
    }
    return found;
}

static void look_ahead(const struct mind *mind, const struct game *after, struct prospects *sum)
{
    const int own = worth_seat(mind, after, mind->seat);
    sum->own += own;
    sum->all += own - rivals_part(mind, after);
}

bool mind_foresee(const struct mind *mind, const struct command *command, struct prospects *out)
{
    struct game *const after = mind->in->scratch;
    struct prospects sum = {.own = 0};
    if (!mind_try(mind, command, after)) {
        return false;
    }
    if (!prospect_drew(mind->view, after) || !throws_die(mind, command->card)) {
        look_ahead(mind, after, &sum);
        *out = sum;
        return true;
    }
    for (unsigned face = 1; face <= FACES; face++) {
        if (!try_face(mind, command, face, after)) {
            return false;
        }
        look_ahead(mind, after, &sum);
    }
    *out = (struct prospects){.own = sum.own / FACES, .all = sum.all / FACES};
    return true;
}

bool mind_overlooks(const struct mind *mind)
{
    const int share = mind->alert ? 0 : mind->temper->overlooks;
    return share > 0 && (int)mb_rng_below(mind->in->rng, PER_CENT) < share;
}

int mind_noise(const struct mind *mind)
{
    const int noise = mind->temper->noise;
    return noise == 0 ? 0 : (int)mb_rng_below(mind->in->rng, (uint32_t)(2 * noise + 1)) - noise;
}

int mind_gain(const struct mind *mind, const struct command *command)
{
    struct prospects then;
    if (!mind_foresee(mind, command, &then)) {
        return WORTH_NEVER;
    }
    int gain = then.all - mind->now;
    if (then.own < mind->worth[mind->seat]) {
        gain -= mind->temper->reluctance; // a card spent on others could have waited
    }
    // Nobody mistakes what changes nothing for something, as doubling a price that is not asked.
    const bool idle = command->verb == VERB_USE && gain == 0;
    return idle ? 0 : gain + mind_noise(mind);
}

void mind_keep(struct idea *best, const struct command *command, int gain)
{
    if (gain > best->gain) {
        best->gain = gain;
        best->command = *command;
    }
}

int mind_price(const struct mind *mind, uint16_t card)
{
    const struct game *const view = mind->view;
    const unsigned pile = query_where(view, card);
    if (pile_is_table(pile) && box_def(mind->box, card)->kind == KIND_ITEM) {
        const bool worn = (query_flags(view, card) & CARD_EQUIPPED) != 0;
        return worth_carried(mind, view, mind->seat, card) +
               (worn ? worth_worn(mind, view, card) : 0);
    }
    if (pile_is_table(pile) && box_def(mind->box, card)->kind != KIND_ONESHOT) {
        return WORTH_LEVEL; // what one is, or a follower: not for small change
    }
    return worth_held(mind, view, mind->seat, card);
}

int mind_costs(const struct mind *mind, const struct command *command)
{
    int cost = command->verb == VERB_PLAY ? mind_price(mind, command->card) : 0;
    for (unsigned i = 0; i < command->list_count; i++) {
        cost += mind_price(mind, command->list[i]);
    }
    return cost;
}

void mind_cheapest(const struct mind *mind, const struct move *move, unsigned count,
                   struct command *out)
{
    bool taken[MOVE_CANDIDATES_MAX] = {false};
    *out = move->command;
    out->list_count = 0;
    while (out->list_count < count && out->list_count < MB_LIST_MAX) {
        unsigned at = MOVE_CANDIDATES_MAX;
        int least = 0;
        for (unsigned i = 0; i < move->candidate_count; i++) {
            const int price = taken[i] ? 0 : mind_price(mind, move->candidates[i]);
            if (!taken[i] && (at == MOVE_CANDIDATES_MAX || price < least)) {
                at = i;
                least = price;
            }
        }
        if (at == MOVE_CANDIDATES_MAX) {
            return;
        }
        taken[at] = true;
        out->list[out->list_count++] = move->candidates[at];
    }
}

// Whether a move is worth a try: a search of the discards would try them all.
static bool worth_trying(const struct mind *mind, const struct command *command)
{
    const unsigned verb = command->verb;
    if (verb != VERB_PLAY && verb != VERB_USE && verb != VERB_HAND_OVER && verb != VERB_LAY) {
        return false;
    }
    if (command->more_count > 0 &&
        mind->box->card_def[command->more[0]] == mind->box->card_def[command->card]) {
        return false; // an Elf in place of an Elf
    }
    if (command->target_kind != TARGET_CARD) {
        return true;
    }
    const unsigned pile = query_where(mind->view, command->target);
    const bool discards = pile == PILE_DOOR_DISCARD || pile == PILE_TREASURE_DISCARD;
    return !discards || worth_held(mind, mind->view, mind->seat, command->target) >= FINDS_MIN;
}

// Cheat! and its like for an Item that is worn, or could be without it.
static bool cheats_in_vain(const struct mind *mind, const struct command *command)
{
    const uint16_t item = command->list_count > 0 ? command->list[0] : command->target;
    const bool names = command->list_count > 0 || command->target_kind == TARGET_CARD;
    if (command->verb != VERB_PLAY || !names) {
        return false;
    }
    const struct card_def *const def = box_def(mind->box, command->card);
    const struct row *const rows = box_rows(mind->box, def);
    bool attaches = false;
    for (unsigned i = 0; i < def->row_count; i++) {
        attaches = attaches || (def->kind == KIND_DOOR && rows[i].when == WHEN_PLAY &&
                                rows[i].op == EFFECT_ATTACH);
    }
    const bool worn = attaches && (query_flags(mind->view, item) & CARD_EQUIPPED) != 0;
    return attaches && card_fits(mind->view, mind->box, mind->seat, item) &&
           (worn || query_wearable(mind->view, mind->box, mind->seat, item));
}

static bool is_theft(const struct mind *mind, const struct command *command)
{
    if (command->verb != VERB_USE || command->target_kind != TARGET_CARD) {
        return false;
    }
    const struct card_def *const def = box_def(mind->box, command->card);
    const struct row *const rows = box_rows(mind->box, def);
    bool found = false;
    for (unsigned i = 0; i < def->row_count; i++) {
        found = found || (rows[i].ability == command->ability + 1 && rows[i].op == EFFECT_THEFT);
    }
    return found;
}

// About what a theft gains: what the Item is to its owner is taken to be what it is to the thief.
static int theft_promises(const struct mind *mind, const struct command *command)
{
    const struct game *const view = mind->view;
    const int16_t *const constant = mind->box->profile.constant;
    const int fails = constant[PROFILE_THEFT] - 1;
    const uint16_t item = command->target;
    const bool falls = (int)query_level(view, mind->seat) > constant[PROFILE_LEVEL_FLOOR];
    const int spite = mind_spite(mind, view, query_owner(view, item));
    const int worth = worth_carried(mind, view, mind->seat, item) + worth_worn(mind, view, item);
    const int hope = (FACES - fails) * worth * (PER_CENT + spite) / PER_CENT;
    return (hope - (falls ? fails * WORTH_LEVEL : 0)) / FACES - mind_costs(mind, command);
}

// An Item that is laid down and can be worn would be put on next: one act does both.
static void wear_at_once(const struct mind *mind, struct command *command)
{
    const struct move_list *const moves = mind->in->moves;
    if (command->verb != VERB_LAY || box_def(mind->box, command->card)->kind != KIND_ITEM ||
        !query_wearable(mind->view, mind->box, mind->seat, command->card)) {
        return;
    }
    for (uint32_t i = 0; i < moves->count; i++) {
        const struct command *const play = &moves->items[i].command;
        if (play->verb == VERB_PLAY && play->card == command->card &&
            moves->items[i].open == MOVE_CLOSED && play->target_kind == TARGET_NONE) {
            *command = *play;
            return;
        }
    }
}

struct idea mind_best_play(const struct mind *mind)
{
    struct idea best = {.gain = WORTH_NEVER};
    struct idea theft = {.gain = 0};
    const struct move_list *const moves = mind->in->moves;
    for (uint32_t i = 0; i < moves->count; i++) {
        const struct move *const move = &moves->items[i];
        if (!worth_trying(mind, &move->command) || mind_overlooks(mind)) {
            continue;
        }
        struct command command = move->command;
        if (move->open == MOVE_LIST_OPEN) {
            mind_cheapest(mind, move, move->min, &command);
        }
        if (is_theft(mind, &command)) {
            mind_keep(&theft, &command, theft_promises(mind, &command));
        } else if (!cheats_in_vain(mind, &command)) {
            mind_keep(&best, &command, mind_gain(mind, &command));
        }
    }
    // Of all small Items at the table only the best is tried, once for each face of the die.
    if (theft.gain > 0) {
        mind_keep(&best, &theft.command, mind_gain(mind, &theft.command));
    }
    wear_at_once(mind, &best.command);
    return best;
}

const struct move *mind_find(const struct mind *mind, unsigned verb)
{
    const struct move_list *const moves = mind->in->moves;
    for (uint32_t i = 0; i < moves->count; i++) {
        if (moves->items[i].command.verb == verb) {
            return &moves->items[i];
        }
    }
    return NULL;
}
