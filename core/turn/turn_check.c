// Checks of the verbs of a turn: kick, take, fight, loot, done, charity.
#include <stddef.h>

#include "core/numbers/requirement.h"
#include "core/numbers/strength.h"
#include "core/numbers/trait.h"
#include "core/state/pile_list.h"
#include "core/turn/turn.h"

static const struct frame *turn_frame(const struct game *game)
{
    const struct frame *top = frame_top(game);
    return top != NULL && top->kind == FRAME_TURN ? top : NULL;
}

/** Own turn, and no fight of anybody. */
static void own_turn(const struct game *game, unsigned seat, const char *rule, struct refusal *why)
{
    if (game->phase == PHASE_SETUP) {
        refuse(why, REFUSAL_WRONG_PHASE, "SETUP-6");
    } else if (game->turn != seat) {
        refuse(why, REFUSAL_NOT_YOUR_TURN, rule);
    } else if (game->fight.on != 0) {
        refuse(why, REFUSAL_IN_COMBAT, "TURN-3");
    }
}

void check_kick(const struct game *game, const struct box *box, const struct command *command,
                struct refusal *why)
{
    (void)box;
    own_turn(game, command->seat, "TURN-2", why);
    const struct frame *frame = turn_frame(game);
    if (frame == NULL || frame->step != TURN_START) {
        refuse(why, REFUSAL_WRONG_PHASE, "TURN-2");
    }
}

void check_take(const struct game *game, const struct box *box, const struct command *command,
                struct refusal *why)
{
    (void)box;
    own_turn(game, command->seat, "TURN-5", why);
    if (game->phase != PHASE_OPENED || pile_count(game, PILE_FACE_UP) == 0) {
        refuse(why, REFUSAL_WRONG_PHASE, "TURN-5");
    }
}

// Whether the turn's owner may loot or look for trouble now.
static bool turn_room_open(const struct game *game)
{
    const struct frame *frame = turn_frame(game);
    return frame != NULL && frame->step == TURN_OPENED;
}

void check_fight(const struct game *game, const struct box *box, const struct command *command,
                 struct refusal *why)
{
    own_turn(game, command->seat, "TURN-6", why);
    if (!turn_room_open(game) || game->met_monster != 0) {
        refuse(why, REFUSAL_WRONG_PHASE, "TURN-6");
    }
    if (command->card == NO_CARD) {
        refuse(why, REFUSAL_BAD_ARGUMENTS, "TURN-6");
        return;
    }
    unsigned pile = game->cards[command->card].pile;
    if (pile != pile_hand(command->seat) || !card_known(game, command->card)) {
        refuse_card(why, REFUSAL_NOT_IN_HAND, "TURN-6", command->card, 0);
    } else if (box_def(box, command->card)->kind != KIND_MONSTER) {
        refuse_card(why, REFUSAL_NOT_USABLE, "TURN-6", command->card, 0);
    }
}

void check_loot(const struct game *game, const struct box *box, const struct command *command,
                struct refusal *why)
{
    (void)box; // who may not loot ends the phase all the same, with nothing drawn
    own_turn(game, command->seat, "TURN-6", why);
    if (!turn_room_open(game)) {
        refuse(why, REFUSAL_WRONG_PHASE, game->met_monster != 0 ? "TURN-7" : "TURN-6");
    }
}

int turn_excess(const struct game *game, const struct box *box, unsigned seat)
{
    int over = (int)pile_count(game, pile_hand(seat)) - strength_hand_limit(game, box, seat);
    return over > 0 ? over : 0;
}

bool turn_charity_waits(const struct game *game)
{
    return game->charity_open != 0 && game->decision.open != 1 && game->moment.kind != PAUSE_ANSWER;
}

unsigned turn_charity_receivers(const struct game *game, unsigned seat)
{
    unsigned lowest = seats_at_level(game, seat_lowest_level(game));
    // Rules: lowest or tied for lowest discards (CHARITY-3).
    return (lowest & seat_bit(seat)) != 0 ? 0u : lowest;
}

void check_done(const struct game *game, const struct box *box, const struct command *command,
                struct refusal *why)
{
    (void)box;
    if (game->phase == PHASE_SETUP) {
        if ((game->seats[command->seat].flags & SEAT_READY) != 0) {
            refuse(why, REFUSAL_WRONG_PHASE, "SETUP-6");
        }
        return;
    }
    own_turn(game, command->seat, "TURN-8", why);
    const struct frame *frame = turn_frame(game);
    if (frame == NULL || frame->step != TURN_CHARITY) {
        refuse(why, REFUSAL_WRONG_PHASE, "TURN-6");
    } else if (game->charity_open != 0) {
        refuse(why, REFUSAL_CHOICE_PENDING, "CHARITY-1");
    }
}

/** What each seat has got from the giver in this Charity: it stands in the counters of this turn.
 */
static void shares_so_far(const struct game *game, unsigned giver, unsigned got[MB_SEATS_MAX])
{
    for (unsigned i = 0; i < MB_LASTING_MAX; i++) {
        const struct lasting *lasting = &game->lasting[i];
        if (lasting->op == LASTING_USED && lasting->arg == 0 && lasting->source == NO_CARD &&
            lasting->about == giver && lasting->seat < MB_SEATS_MAX) {
            got[lasting->seat] = (unsigned)lasting->n;
        }
    }
}

/**
 * Whether the shares can still become as even as possible (CHARITY-2). `level` is how far the
 * excess fills up everybody's share; what is left over makes some shares larger by one. Shares
 * given before somebody else became one of the lowest may be larger: then the others are filled up
 * first.
 */
static bool shares_even(const struct game *game, const struct box *box,
                        const struct command *command)
{
    unsigned receivers = turn_charity_receivers(game, command->seat);
    unsigned got[MB_SEATS_MAX] = {0};
    unsigned left = (unsigned)turn_excess(game, box, command->seat);
    unsigned level = 0;
    shares_so_far(game, command->seat, got);
    while (receivers != 0) {
        unsigned below = 0;
        for (unsigned seat = 0; seat < game->seat_count; seat++) {
            below += (receivers & seat_bit(seat)) != 0 && got[seat] <= level;
        }
        if (left < below) {
            break;
        }
        left -= below;
        level++;
    }
    unsigned after = got[command->to] + command->list_count;
    return after <= level || (after == level + 1 && left > 0);
}

void check_charity(const struct game *game, const struct box *box, const struct command *command,
                   struct refusal *why)
{
    own_turn(game, command->seat, "CHARITY-1", why);
    const struct frame *frame = turn_frame(game);
    if (frame == NULL || frame->step != TURN_CHARITY) {
        refuse(why, REFUSAL_WRONG_PHASE, "CHARITY-1");
    }
    if (command->list_count == 0 || command->to >= game->seat_count) {
        refuse(why, REFUSAL_BAD_ARGUMENTS, "CHARITY-1");
        return;
    }
    for (unsigned i = 0; i < command->list_count; i++) {
        if (game->cards[command->list[i]].pile != pile_hand(command->seat)) {
            refuse_card(why, REFUSAL_NOT_IN_HAND, "CHARITY-1", command->list[i], 0);
        }
    }
    int excess = turn_excess(game, box, command->seat);
    if (command->list_count > excess) {
        refuse_card(why, REFUSAL_NOT_USABLE, "CHARITY-1", NO_CARD, excess);
    }
    unsigned receivers = turn_charity_receivers(game, command->seat);
    if ((receivers & seat_bit(command->to)) == 0 || !shares_even(game, box, command)) {
        refuse(why, REFUSAL_ILLEGAL_TARGET, receivers == 0 ? "CHARITY-3" : "CHARITY-2");
    }
}
