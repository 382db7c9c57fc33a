// Deeds and outcomes. A deed changes a copy of the table; a refusal or a question to the store
// drops it, so that nothing has happened.
#include <stdlib.h>
#include <string.h>

#include "bot/chat.h"
#include "bot/table/table_impl.h"

// Everything but replies to the one who spoke is taken back.
static void unsay(struct message_list *said, size_t from)
{
    size_t kept = from;
    for (size_t i = from; i < said->count; i++) {
        if (said->items[i].to == MESSAGE_REPLY) {
            said->items[kept++] = said->items[i];
        }
    }
    said->count = kept;
}

static bool out_of_reach(struct table_work *work)
{
    const unsigned seat = table_seat_of(work->table, &work->deed->person);
    if (seat == NO_SEAT || work->table->seats[seat].unreachable != 0) {
        return true;
    }
    work->table->seats[seat].unreachable = 1;
    if ((table_workspace_caps(work->ws, work->deed->person.network) & CHAT_CAP_HINTS) != 0) {
        return true;
    }
    table_tell(work, TEXT_HALL_UNREACHABLE,
               TEXT_ARGS(text_str("who", table_seat_name(work->table, seat))));
    message_ping(work->said, seat_bit(seat));
    return true;
}

static void in_reach(struct table_work *work)
{
    const unsigned seat = table_seat_of(work->table, &work->deed->person);
    if (seat != NO_SEAT && work->table->seats[seat].unreachable != 0) {
        work->table->seats[seat].unreachable = 0;
        table_forget_shown(work->table, 0, seat_bit(seat));
        work->dirty = true;
    }
}

// Nobody has said a word for long enough: the table is gone with this. Of a game that is not over
// the store keeps it as it was, so nothing of it is revealed.
static void close_table(struct table_work *work)
{
    const bool plays = work->table->state == TABLE_RUNNING || work->table->state == TABLE_PAUSED;
    table_tell(work, plays ? TEXT_HALL_PUT_AWAY : TEXT_HALL_CLOSED, NULL);
    work->table->state = TABLE_EMPTY;
    work->table->starting = 0;
}

// Whether anything is still under way that the hours put off.
static void quiet(struct table_work *work)
{
    const bool waits = table_due(work->table).kind != TABLE_DUE_NEVER;
    work->table->quiet = work->deed->quiet;
    work->dirty = true;
    if (waits && work->deed->quiet) {
        table_tell(work, TEXT_HALL_QUIET, TEXT_ARGS(text_num("n", work->table->options.quiet.to)));
    } else if (waits) {
        table_tell(work, TEXT_HALL_QUIET_OVER, NULL);
    }
}

static bool elapse(struct table_work *work)
{
    struct command command = command_plain(NO_SEAT, VERB_ELAPSE);
    command.n = CLOCK_ANSWER;
    return work->table->state == TABLE_RUNNING && table_carry_out(work, &command, NULL);
}

// What a network tells of places and people.
static void carry_news(struct table_work *work)
{
    const struct deed *const deed = work->deed;
    if (deed->kind == DEED_IN_REACH) {
        in_reach(work);
    } else if (deed->kind == DEED_PLACE_CLOSED && deed->shut == SHUT_GONE &&
               work->table->site_count > 1 && deed->site < work->table->site_count) {
        table_part(work, deed->site); // it goes on where it still lies
    } else if (deed->kind == DEED_PLACE_CLOSED) {
        table_close_place(work, deed->shut);
    } else if (deed->kind == DEED_PLACE_OPEN && work->table->shut != SHUT_GONE) {
        table_open_place(work);
    } else if (deed->kind == DEED_PLACE_MOVED) {
        table_move(work, deed->site, deed->place, deed->place_name);
    } else if (deed->kind == DEED_PLACE_ASLEEP) {
        table_rooms_wake(work);
    } else if (deed->kind == DEED_PERSON_GONE) {
        table_person_gone(work);
    } else if (deed->kind == DEED_PERSON_BACK) {
        table_person_back(work);
    }
}

static bool carry(struct table_work *work, struct refusal *why)
{
    const struct deed *const deed = work->deed;
    switch (deed->kind) {
    case DEED_OPEN:
        return table_open_whole(work, why);
    case DEED_LINE:
        table_pass_time(work, deed->passed_ms);
        return table_line(work, why);
    case DEED_COMMAND:
        table_pass_time(work, deed->passed_ms);
        return table_submit(work, deed->command, why);
    case DEED_GO_ON:
        work->dirty = true;
        table_pass_time(work, table_due(work->table).ms);
        table_bots_act(work);
        return true;
    case DEED_TIME:
        work->dirty = true;
        (void)table_fall_due(work, deed->passed_ms);
        return true;
    case DEED_ELAPSE:
        return elapse(work);
    case DEED_OUT_OF_REACH:
        table_pass_time(work, deed->passed_ms);
        return out_of_reach(work);
    case DEED_QUIET:
        table_pass_time(work, deed->passed_ms);
        quiet(work);
        return true;
    case DEED_DEAL:
        table_deal(work);
        return true;
    case DEED_CLOSE:
        close_table(work);
        return true;
    case DEED_FORGET:
        table_forget(work);
        return true;
    case DEED_NOTHING:
        return true;
    case DEED_IN_REACH:
    case DEED_PLACE_CLOSED:
    case DEED_PLACE_OPEN:
    case DEED_PLACE_MOVED:
    case DEED_PLACE_ASLEEP:
    case DEED_PERSON_GONE:
    case DEED_PERSON_BACK:
        table_pass_time(work, deed->passed_ms);
        carry_news(work);
        return true;
    case DEED_RETURN:
        table_pass_time(work, deed->passed_ms);
        table_clock_return(work);
        return true;
    case DEED_REVIVE:
        work->dirty = true;
        table_tell(work, TEXT_HALL_BACK, NULL);
        return true;
    }
    return false;
}

static enum table_answer answer_of(const struct table_work *work, bool accepted)
{
    if (work->outcome->fetch != 0) {
        return TABLE_FETCH;
    }
    if (!accepted) {
        return TABLE_REFUSED;
    }
    return work->dirty ? TABLE_CHANGED : TABLE_LOOKED;
}

// They have acted on what they learnt.
static void forget_news(struct table_work *work)
{
    const unsigned seat = table_seat_of(work->table, &work->deed->person);
    if (seat != NO_SEAT) {
        memset(work->table->seats[seat].news, 0, sizeof work->table->seats[seat].news);
    }
}

// Nobody has spoken, so nobody waits for a reply: it is for who sits there.
static void address(struct message_list *said, size_t from)
{
    for (size_t i = from; i < said->count; i++) {
        if (said->items[i].to == MESSAGE_REPLY) {
            said->items[i].to = MESSAGE_PRIVATE;
        }
    }
}

static enum table_answer decide(const struct table *table, uint64_t stamp, const struct deed *deed,
                                struct table_workspace *workspace, struct table_outcome *outcome)
{
    const bool goes_on = table == outcome->after;
    struct mb_error err = {0};
    const size_t said = outcome->said.count;
    const uint64_t first = stamp != 0 ? stamp : table_workspace_stamp(workspace);
    struct table_work work = {.table = outcome->after,
                              .game = table_own_game(outcome->after),
                              .ws = workspace,
                              .outcome = outcome,
                              .said = &outcome->said,
                              .deed = deed,
                              .stamp = first};
    work.last = deed->last != NULL ? deed->last : table->state == TABLE_OVER ? table : NULL;
    if (!table_find_box(&work, &err)) {
        table_reply_text(&work, NO_SEAT, TEXT_TABLE_NO_CARDS,
                         TEXT_ARGS(text_str("reason", err.text)));
        outcome->answer = TABLE_FAILED;
        return outcome->answer;
    }
    table_fair_rules(&work);
    work.running = table_running_clock(work.table);
    const bool accepted = carry(&work, &outcome->why);
    if (deed->kind == DEED_LINE) {
        if (accepted && work.dirty) {
            forget_news(&work);
        }
    } else if (deed->kind != DEED_COMMAND) {
        address(&outcome->said, said);
    }
    outcome->answer = answer_of(&work, accepted);
    outcome->stamp = work.stamp;
    if (outcome->answer == TABLE_CHANGED || goes_on) {
        return outcome->answer;
    }
    if (outcome->answer == TABLE_FETCH) {
        message_list_clear(&outcome->said);
    }
    unsay(&outcome->said, said);
    journal_finish(&outcome->journal);
    table_copy(outcome->after, table);
    outcome->stamp = first;
    if (outcome->answer == TABLE_REFUSED && work.came_back) {
        work.stamp = first;
        table_fair_rules(&work);
        work.running = table_running_clock(work.table);
        table_pass_time(&work, deed->passed_ms);
        table_returns(&work, table_seat_of(work.table, &deed->person));
        table_changed(&work);
        outcome->stamp = work.stamp;
        outcome->answer = TABLE_CHANGED;
    }
    return outcome->answer;
}

enum table_answer table_decide(const struct table *table, uint64_t stamp, const struct deed *deed,
                               struct table_workspace *workspace, struct table_outcome *outcome)
{
    const bool goes_on = table == outcome->after;
    if (!goes_on) {
        table_outcome_clear(outcome);
        table_copy(outcome->after, table);
    }
    const enum table_answer answer = decide(table, stamp, deed, workspace, outcome);
    if (!outcome->journal.broken) {
        return answer;
    }
    table_outcome_fail(outcome);
    if (!goes_on) {
        table_copy(outcome->after, table);
    }
    return TABLE_FAILED;
}
