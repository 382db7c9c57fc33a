/*
 * What a deal comes to beyond what its events say: answers to a call for everybody's help are
 * sealed until all are in, so who has answered hears that it is noted, and then everybody hears who
 * would help; a bribe that was taken binds, so everybody hears whom.
 */
#include "bot/session/session_impl.h"

static const struct deal *find_call(const struct game *game)
{
    for (unsigned i = 0; i < query_deal_count(game); i++) {
        const struct deal *const deal = query_deal(game, i);
        if (deal->kind == DEAL_ASK && deal->to == ALL_SEATS) {
            return deal;
        }
    }
    return NULL;
}

static unsigned unanswered(const struct game *game, const struct deal *call)
{
    unsigned seats = 0;
    for (unsigned seat = 0; seat < query_seat_count(game); seat++) {
        const bool asked = seat != call->from && query_alive(game, seat);
        seats |= asked ? seat_bit(seat) : 0u;
    }
    return seats & ~((unsigned)call->accepted | call->refused);
}

static void tell_who_would_help(struct session *session, const struct deal *call)
{
    const char *names[MB_SEATS_MAX];
    char list[MB_SEATS_MAX * SESSION_NAME_SIZE + 64];
    size_t count = 0;
    struct text_out out;
    for (unsigned seat = 0; seat < session->seat_count; seat++) {
        if ((call->accepted & seat_bit(seat)) != 0) {
            names[count++] = session->seats[seat].name;
        }
    }
    text_begin(&out, list, sizeof list);
    text_list(&out, names, count, TEXT_AND);
    session_tell(session, TEXT_ASK_ALL_WILLING,
                 TEXT_ARGS(text_str("players", list),
                           text_str("who", session_seat_name(session, call->from)),
                           text_str("first", count > 0 ? names[0] : "")));
}

static void note_call(struct session *session, const struct command *command)
{
    const struct deal *const before = find_call(session->workspace->after);
    const struct deal *const call = find_call(session->game);
    if (before == NULL || call == NULL || before->id != call->id) {
        return;
    }
    const unsigned open = unanswered(session->game, call);
    const bool answered = command->verb == VERB_ACCEPT || command->verb == VERB_REFUSE;
    if (open == 0 && call->accepted != 0 && unanswered(session->workspace->after, before) != 0) {
        tell_who_would_help(session, call);
    } else if (open != 0 && answered && command->seat < session->seat_count &&
               session->seats[command->seat].policy == NULL) {
        session_reply_text(session, command->seat, TEXT_ASK_ALL_NOTED, NULL);
    }
}

// Bribes that were open before and that the command's author has just taken.
static void note_bribe(struct session *session, const struct command *command)
{
    const struct game *const before = session->workspace->after;
    const unsigned taken = query_bribed(session->game) & ~query_bribed(before);
    if (command->verb != VERB_ACCEPT || command->seat >= session->seat_count ||
        (taken & seat_bit(command->seat)) == 0) {
        return;
    }
    session_tell(session, TEXT_BRIBE_BINDS,
                 TEXT_ARGS(text_str("who", session_seat_name(session, command->seat))));
}

void session_deals_note(struct session *session, const struct command *command)
{
    note_call(session, command);
    note_bribe(session, command);
}
