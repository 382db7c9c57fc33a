// Who wants to be called for what: of all that is said to everybody only what a table says here
// makes a noise.
#include <string.h>

#include "bot/render/asks.h"
#include "bot/table/table_impl.h"

static const char *const WORDS[NOTIFY_TOTAL] = {
    [NOTIFY_USUAL] = "", [NOTIFY_ALL] = "all", [NOTIFY_TURN] = "turn", [NOTIFY_NONE] = "none"};

static enum table_notify wish_of(const struct table *table, unsigned seat)
{
    const unsigned wish = table->seats[seat].notify;
    const unsigned pace = table->options.pace;
    const bool fast = pace == PACE_LIVE || pace == PACE_TERMINAL;
    return wish != NOTIFY_USUAL ? (enum table_notify)wish : fast ? NOTIFY_TURN : NOTIFY_ALL;
}

unsigned table_wants(const struct table *table, enum table_notify what)
{
    unsigned seats = 0;
    for (unsigned seat = 0; seat < table->seat_count; seat++) {
        const enum table_notify wish = wish_of(table, seat);
        const bool wants = wish == NOTIFY_ALL || wish == what;
        seats |= wants && table_seat_is_person(&table->seats[seat]) ? seat_bit(seat) : 0u;
    }
    return seats;
}

bool table_answer_notify(struct table_work *work, unsigned seat, const struct request *request,
                         struct refusal *why)
{
    static const enum text_id SAYS[NOTIFY_TOTAL] = {[NOTIFY_ALL] = TEXT_SESSION_NOTIFY_ALL,
                                                    [NOTIFY_TURN] = TEXT_SESSION_NOTIFY_TURN,
                                                    [NOTIFY_NONE] = TEXT_SESSION_NOTIFY_NONE};
    if (seat >= work->table->seat_count) {
        return table_refuse(work, seat, REFUSAL_NOT_AT_TABLE, why);
    }
    struct table_seat *const who = &work->table->seats[seat];
    unsigned wish = NOTIFY_USUAL;
    while (wish < NOTIFY_TOTAL && strcmp(WORDS[wish], request->text) != 0) {
        wish++;
    }
    if (wish == NOTIFY_TOTAL) {
        return table_refuse_text(work, seat, REFUSAL_BAD_ARGUMENTS, TEXT_SESSION_NOTIFY_WHAT, NULL,
                                 why);
    }
    if (wish != NOTIFY_USUAL) { // without a word it is shown
        work->dirty = who->notify != wish;
        who->notify = (uint8_t)wish;
    }
    char turn[ASK_RINGING_SIZE];
    char all[ASK_RINGING_SIZE];
    table_reply_text(work, seat, SAYS[wish_of(work->table, seat)],
                     TEXT_ARGS(text_str("turn", asks_ringing(RINGS_TURN, turn)),
                               text_str("all", asks_ringing(RINGS_ALL, all))));
    return true;
}

bool table_answer_dm(struct table_work *work, unsigned seat, struct refusal *why)
{
    const unsigned state = work->table->state;
    if (seat >= work->table->seat_count) {
        return table_refuse(work, seat, REFUSAL_NOT_AT_TABLE, why);
    }
    work->table->seats[seat].unreachable = 0;
    work->dirty = true;
    table_forget_shown(work->table, 0, seat_bit(seat));
    table_reply_text(work, seat, TEXT_SESSION_DM, NULL);
    const bool plays = state == TABLE_RUNNING || state == TABLE_PAUSED;
    if (!plays && !table_shows_waiting(work, seat)) { // there is no hand yet
        (void)message_add(work->said, MESSAGE_WHISPER, seat, text_sentence(TEXT_SESSION_DM_HERE));
    }
    return true;
}
