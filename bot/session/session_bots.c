/*
 * Who acts without being told: bot players who are waited for or were made an offer, stand-ins, and
 * people's standing orders. All of one window take effect together, a fixed delay after it opened
 * or restarted (session_clock.c), so that no delay tells what a hand holds.
 */
#include "bot/session/session_impl.h"

// Open offers to a seat that it has not answered.
static bool offered(const struct game *game, unsigned seat)
{
    for (unsigned i = 0; i < query_deal_count(game); i++) {
        const struct deal *const deal = query_deal(game, i);
        const bool mine = deal->to == seat || (deal->to == ALL_SEATS && deal->from != seat);
        if (mine && ((deal->accepted | deal->refused) & seat_bit(seat)) == 0) {
            return true;
        }
    }
    return false;
}

static bool passes_by_order(const struct session *session, unsigned seat)
{
    const struct session_seat *const who = &session->seats[seat];
    switch (who->order) {
    case ORDER_PASS_TURN:
        return query_turn(session->game) != seat;
    case ORDER_PASS_BELOW:
        return query_win_level(session->game, &session->box) < who->order_level;
    default:
        return false;
    }
}

void session_default_order(struct session *session, unsigned seat)
{
    const uint8_t below = pace_lengths(session->options.pace)->pass_below;
    session->seats[seat].order = below > 0 ? ORDER_PASS_BELOW : 0;
    session->seats[seat].order_level = below;
}

void session_orders_lapse(struct session *session)
{
    const struct game *const before = session->workspace->after; // as it was
    const unsigned seat = query_turn(session->game);
    const bool same =
        query_turn(before) == seat && query_round(before) == query_round(session->game);
    if (!same && seat < session->seat_count && session->seats[seat].order == ORDER_PASS_TURN) {
        session->seats[seat].order = 0;
    }
}

// Whether a seat acts by itself at the next instant.
static bool wanted(const struct session *session, unsigned seat)
{
    const struct query_clock clock = session->clock.running;
    const bool waited = (clock.seats & seat_bit(seat)) != 0;
    if (session->seats[seat].policy != NULL) {
        return waited || offered(session->game, seat);
    }
    return waited && (session->seats[seat].away ||
                      (clock.kind == CLOCK_WINDOW && passes_by_order(session, seat)));
}

bool session_bots_wanted(const struct session *session)
{
    for (unsigned seat = 0; seat < session->seat_count; seat++) {
        if (wanted(session, seat)) {
            return true;
        }
    }
    return false;
}

bool session_list_moves(struct session *session, unsigned seat)
{
    struct move_list *const moves = &session->workspace->moves;
    moves->count = 0;
    moves->overflow = false;
    moves_list(session_view(session, seat), &session->box, seat, moves);
    return moves->count > 0;
}

// Keeps the moves that answer an offer, or those that do not just stall.
static void keep_moves(struct move_list *moves, bool offer_only)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < moves->count; i++) {
        const unsigned verb = moves->items[i].command.verb;
        const bool answers = verb == VERB_ACCEPT || verb == VERB_REFUSE;
        const bool stalls = verb == VERB_HOLD || verb == VERB_SHOW;
        if (offer_only ? answers : !stalls) {
            moves->items[kept++] = moves->items[i];
        }
    }
    moves->count = kept;
}

static bool pass(struct session *session, unsigned seat)
{
    const struct command command = command_plain(seat, VERB_PASS);
    return session_carry_out(session, &command, NULL);
}

static bool act(struct session *session, unsigned seat)
{
    const struct session_seat *const who = &session->seats[seat];
    const bool waited = (session->clock.running.seats & seat_bit(seat)) != 0;
    if (who->policy == NULL) {
        return who->away ? session_stand_in_for(session, seat) : pass(session, seat);
    }
    if (!session_list_moves(session, seat)) {
        return false;
    }
    struct move_list *const moves = &session->workspace->moves;
    keep_moves(moves, !waited);
    struct command command;
    const struct policy_input input = {.view = session_view(session, seat),
                                       .box = &session->box,
                                       .moves = moves,
                                       .seat = seat,
                                       .rng = &session->rng,
                                       .scratch = session->workspace->after};
    if (moves->count > 0 && who->policy->choose(&input, &command) &&
        session_carry_out(session, &command, NULL)) {
        return true;
    }
    return waited && pass(session, seat);
}

void session_bots_act(struct session *session)
{
    session->clock.bots.left_ms = -1;
    const struct query_clock clock = session->clock.running;
    const uint64_t about = session_clock_about(session, clock);
    bool acted = false;
    for (unsigned seat = 0; seat < session->seat_count; seat++) {
        if (session->state != SESSION_RUNNING || session->clock.running.kind != clock.kind ||
            session_clock_about(session, clock) != about) {
            return;
        }
        if (wanted(session, seat)) {
            acted = act(session, seat) || acted;
        }
    }
    if (!acted) {
        // Nobody wants to: the clock of those waited for decides.
        session->clock.bots.left_ms = -1;
    } else {
        session_clock_wind(session);
    }
}
