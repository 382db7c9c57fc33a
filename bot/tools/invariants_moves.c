// What is listed is accepted, what is not is refused, and to a seat alike on its view.
#include <string.h>

#include "core/base/rng.h"
#include "core/loop/query.h"

#include "bot/tools/invariants_impl.h"

enum { COMPLETIONS = 3, TEXT_SIZE = 240 };

static void try_move(struct invariants *invariants, const struct game *game,
                     const struct command *command)
{
    struct refusal why = {0};
    char text[TEXT_SIZE];
    invariants->events.count = 0;
    invariants->events.overflow = false;
    if (!game_decide(game, invariants->box, command, invariants->scratch, &invariants->events,
                     &why)) {
        invariants_fail(invariants, "a listed move is refused as %s: %s", refusal_name(why.code),
                        invariants_command_text(command, text, sizeof text));
        return;
    }
    why = (struct refusal){0};
    if (!game_check(game, invariants->box, command, &why)) {
        invariants_fail(invariants, "game_check refuses a listed move as %s: %s",
                        refusal_name(why.code),
                        invariants_command_text(command, text, sizeof text));
    }
}

void invariants_moves(struct invariants *invariants, const struct game *game,
                      const struct move_list *moves)
{
    if (moves->overflow) {
        invariants_fail(invariants, "more than %d moves for one seat", (int)MB_MOVES_MAX);
    }
    for (uint32_t i = 0; i < moves->count; i++) {
        const struct move *const move = &moves->items[i];
        try_move(invariants, game, &move->command);
        for (unsigned n = 0; move->open != MOVE_CLOSED && n < COMPLETIONS; n++) {
            struct command command;
            move_sample(game, invariants->box, move, &invariants->rng, &command);
            try_move(invariants, game, &command);
            if (!move_matches(move, &command)) {
                char text[TEXT_SIZE];
                invariants_fail(invariants, "a completion does not match its template: %s",
                                invariants_command_text(&command, text, sizeof text));
            }
        }
    }
}

static bool agree(unsigned a, unsigned b, unsigned none)
{
    return a == b || a == none || b == none;
}

// As a move, but what either leaves unsaid is no difference: a `for` or `on` that names the only
// possible thing may be left out.
static bool same_but_unsaid(const struct move *move, const struct command *command)
{
    const struct command *const as = &move->command;
    struct command filled = *command;
    if (as->verb != command->verb || !agree(as->card, command->card, NO_CARD) ||
        !agree(as->side, command->side, SIDE_NONE) || !agree(as->to, command->to, NO_SEAT) ||
        !agree(as->picking, command->picking, 0) || !agree(as->about, command->about, NO_SEAT) ||
        (as->target_kind != TARGET_NONE && command->target_kind != TARGET_NONE &&
         (as->target_kind != command->target_kind || as->target != command->target))) {
        return false;
    }
    filled.card = as->card;
    filled.side = as->side;
    filled.to = as->to;
    filled.picking = as->picking;
    filled.about = as->about;
    filled.target_kind = as->target_kind;
    filled.target = as->target;
    if (command->n == 0 || as->n == 0) {
        filled.n = as->n;
    }
    if (command->list_count == 0) {
        filled.list_count = as->list_count;
        memcpy(filled.list, as->list, sizeof filled.list);
    }
    if (command->more_count == 0) {
        filled.more_count = as->more_count;
        memcpy(filled.more, as->more, sizeof filled.more);
    }
    return move_matches(move, &filled);
}

// The first of the cards that lie there just alike: moves name that one only.
static uint16_t first_alike(const struct game *game, const struct box *box, uint16_t card)
{
    const unsigned pile = card < box->card_count ? query_where(game, card) : PILE_TOTAL;
    if (pile == PILE_TOTAL) {
        return card;
    }
    uint16_t at = query_first(game, pile);
    while (at != card && (box->card_def[at] != box->card_def[card] ||
                          query_flags(game, at) != query_flags(game, card) ||
                          query_host(game, at) != query_host(game, card))) {
        at = query_next(game, at);
    }
    return at;
}

static bool listed(const struct move_list *moves, const struct command *command)
{
    for (uint32_t i = 0; i < moves->count; i++) {
        if (move_matches(&moves->items[i], command) || same_but_unsaid(&moves->items[i], command)) {
            return true;
        }
    }
    return false;
}

// Cards among these for which not everybody has room: Big Items, followers.
static unsigned need_room(const struct box *box, const uint16_t *cards, unsigned count)
{
    unsigned need = 0;
    for (unsigned i = 0; i < count; i++) {
        const struct card_def *const def = box_def(box, cards[i]);
        need += def->kind == KIND_FOLLOWER || (def->flags & DEF_BIG) != 0;
    }
    return need;
}

// Deals with several open places are listed one place at a time: whoever may ask for one thing and
// for the other may ask for both at once. Of trades only those are left out in which somebody gives
// several cards that need room, to somebody who has not room for all.
static bool combines(const struct box *box, const struct command *command)
{
    if (command->verb == VERB_OFFER) {
        return need_room(box, command->list, command->list_count) > 1 ||
               need_room(box, command->more, command->more_count) > 1;
    }
    const int places = (command->list_count > 0) + (command->more_count > 0) + (command->n != 0);
    return command->verb == VERB_ASK && places > 1;
}

static bool listed_in_part(const struct box *box, const struct move_list *moves,
                           const struct command *command)
{
    for (uint32_t i = 0; combines(box, command) && i < moves->count; i++) {
        const struct command *const as = &moves->items[i].command;
        if (as->verb == command->verb && as->to == command->to) {
            return true;
        }
    }
    return false;
}

// A player named instead of the only thing that lies before them.
static bool listed_by_owner(const struct game *game, const struct move_list *moves,
                            const struct command *command)
{
    for (uint32_t i = 0; command->target_kind == TARGET_SEAT && i < moves->count; i++) {
        const struct command *const as = &moves->items[i].command;
        struct command owned = *command;
        owned.target_kind = as->target_kind;
        owned.target = as->target;
        if (as->target_kind == TARGET_CARD && query_owner(game, as->target) == command->target &&
            same_but_unsaid(&moves->items[i], &owned)) {
            return true;
        }
    }
    return false;
}

bool invariants_listed(const struct game *game, const struct box *box,
                       const struct move_list *moves, const struct command *command)
{
    struct command alike = *command;
    alike.card = first_alike(game, box, command->card);
    if (command->target_kind == TARGET_CARD || command->target_kind == TARGET_MONSTER) {
        alike.target = first_alike(game, box, command->target);
    }
    if (command->list_count == 1 && command->verb != VERB_CHOOSE) {
        alike.list[0] = first_alike(game, box, command->list[0]);
    }
    return listed(moves, command) || listed(moves, &alike) || listed_in_part(box, moves, command) ||
           listed_by_owner(game, moves, command);
}

// Takes out what nobody could have said with this verb.
static void trim(struct command *command)
{
    if (command->verb == VERB_OFFER && command->bribe == 0 && command->more_count == 0) {
        command->verb = VERB_GIVE; // an offer asks for something
    }
    command_trim(command);
}

// A command that somebody could type by mistake: a listed one with something else in one place, or
// one out of the blue.
static void damage(struct invariants *invariants, unsigned seats, unsigned seat,
                   const struct move_list *moves, struct command *command)
{
    struct mb_rng *const rng = &invariants->rng;
    *command = command_plain(0, VERB_NONE);
    if (moves->count > 0 && mb_rng_below(rng, 4) != 0) {
        *command = moves->items[mb_rng_below(rng, moves->count)].command;
    } else {
        command->verb = (uint8_t)(1 + mb_rng_below(rng, VERB_TOTAL - 1));
        command->card = (uint16_t)mb_rng_below(rng, invariants->box->card_count);
    }
    command->seat = (uint8_t)seat;
    const uint16_t card = (uint16_t)mb_rng_below(rng, invariants->box->card_count);
    switch (mb_rng_below(rng, 6)) {
    case 0:
        command->card = card;
        break;
    case 1:
        command->target_kind = TARGET_SEAT;
        command->target = (uint16_t)mb_rng_below(rng, seats);
        break;
    case 2:
        command->target_kind = (uint8_t)(TARGET_CARD + mb_rng_below(rng, 2));
        command->target = card;
        break;
    case 3:
        command->list_count = 1;
        command->list[0] = card;
        break;
    case 4:
        command->to = (uint8_t)mb_rng_below(rng, seats);
        break;
    default:
        command->verb = (uint8_t)(1 + mb_rng_below(rng, VERB_TOTAL - 1));
        break;
    }
    trim(command);
}

static bool same_refusal(const struct refusal *a, const struct refusal *b)
{
    return a->code == b->code && a->card == b->card && a->seat == b->seat && a->amount == b->amount;
}

// What may be done though it is not listed: passing again, waiting, showing; ELAPSE is no seat's.
static bool is_left_out(unsigned verb)
{
    return verb == VERB_PASS || verb == VERB_HOLD || verb == VERB_SHOW || verb == VERB_ELAPSE;
}

void invariants_refusals(struct invariants *invariants, const struct game *game, unsigned seat,
                         const struct move_list *moves, unsigned count)
{
    game_redact(game, invariants->box, seat, invariants->view);
    const uint64_t digest = game_digest(game);
    for (unsigned i = 0; i < count; i++) {
        struct command command;
        struct refusal why = {0};
        struct refusal seen = {0};
        char text[TEXT_SIZE];
        damage(invariants, query_seat_count(game), seat, moves, &command);
        if (is_left_out(command.verb)) {
            continue;
        }
        const bool accepted = game_check(game, invariants->box, &command, &why);
        const bool seen_accepted = game_check(invariants->view, invariants->box, &command, &seen);
        if (accepted && !invariants_listed(game, invariants->box, moves, &command)) {
            invariants_fail(invariants, "accepted, but not listed: %s",
                            invariants_command_text(&command, text, sizeof text));
        }
        if (!accepted && why.code == REFUSAL_NONE) {
            invariants_fail(invariants, "refused without a code: %s",
                            invariants_command_text(&command, text, sizeof text));
        }
        if (accepted != seen_accepted || (!accepted && !same_refusal(&why, &seen))) {
            invariants_fail(invariants, "refused as %s, but as %s on the view: %s",
                            refusal_name(why.code), refusal_name(seen.code),
                            invariants_command_text(&command, text, sizeof text));
        }
    }
    if (game_digest(game) != digest) {
        invariants_fail(invariants, "a refused command changed the state");
    }
}
