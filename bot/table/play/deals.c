/*
 * What a deal comes to beyond what its events say: answers to a call for everybody's help are
 * sealed until all are in, so who has answered hears that it is noted, and then everybody hears who
 * would help; a bribe that was taken binds, so everybody hears whom.
 */
#include "bot/table/play/play.h"

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

static void tell_who_would_help(struct table_work *work, const struct deal *call)
{
    const char *names[MB_SEATS_MAX];
    char list[MB_SEATS_MAX * PERSON_NAME_SIZE + 64];
    size_t count = 0;
    struct text_out out;
    for (unsigned seat = 0; seat < work->table->seat_count; seat++) {
        if ((call->accepted & seat_bit(seat)) != 0) {
            names[count++] = work->table->seats[seat].person.name;
        }
    }
    text_begin(&out, list, sizeof list);
    text_list(&out, names, count, TEXT_AND);
    table_tell(work, TEXT_ASK_ALL_WILLING,
               TEXT_ARGS(text_str("players", list),
                         text_str("who", table_seat_name(work->table, call->from)),
                         text_str("first", count > 0 ? names[0] : "")));
}

static void note_call(struct table_work *work, const struct command *command)
{
    const struct deal *const before = find_call(work->ws->before);
    const struct deal *const call = find_call(work->game);
    if (before == NULL || call == NULL || before->id != call->id) {
        return;
    }
    const unsigned open = unanswered(work->game, call);
    const bool answered = command->verb == VERB_ACCEPT || command->verb == VERB_REFUSE;
    if (open == 0 && call->accepted != 0 && unanswered(work->ws->before, before) != 0) {
        tell_who_would_help(work, call);
    } else if (open != 0 && answered && command->seat < work->table->seat_count &&
               table_seat_is_person(&work->table->seats[command->seat])) {
        table_reply_text(work, command->seat, TEXT_ASK_ALL_NOTED, NULL);
    }
}

// Bribes that were open before and that the command's author has just taken.
static void note_bribe(struct table_work *work, const struct command *command)
{
    const struct game *const before = work->ws->before;
    const unsigned taken = query_bribed(work->game) & ~query_bribed(before);
    if (command->verb != VERB_ACCEPT || command->seat >= work->table->seat_count ||
        (taken & seat_bit(command->seat)) == 0) {
        return;
    }
    table_tell(work, TEXT_BRIBE_BINDS,
               TEXT_ARGS(text_str("who", table_seat_name(work->table, command->seat))));
}

// Whoever offers and takes back without end talks everybody else down.
static bool is_offer(const struct command *command)
{
    return command->verb == VERB_ASK || command->verb == VERB_OFFER || command->verb == VERB_GIVE ||
           command->verb == VERB_VOLUNTEER;
}

bool table_may_offer(const struct table_work *work, const struct command *command)
{
    return !is_offer(command) || work->table->seats[command->seat].offers < TABLE_OFFERS_MAX;
}

void table_count_offer(struct table_work *work, const struct command *command)
{
    struct table *const table = work->table;
    const struct game *const before = work->ws->before;
    const bool turns = query_turn(before) != query_turn(work->game) ||
                       query_round(before) != query_round(work->game);
    for (unsigned seat = 0; turns && seat < table->seat_count; seat++) {
        table->seats[seat].offers = 0;
    }
    if (command->seat < table->seat_count && is_offer(command)) {
        struct table_seat *const who = &table->seats[command->seat];
        who->offers = who->offers < UINT8_MAX ? (uint8_t)(who->offers + 1) : who->offers;
    }
}

void table_deals_note(struct table_work *work, const struct command *command)
{
    note_call(work, command);
    note_bribe(work, command);
}
