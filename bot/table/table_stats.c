// What a game leaves behind: a tally while it runs, put into the statistics when somebody has won.
// Games that were broken off do not count; bot players have no record.
#include <string.h>

#include <strings.h>

#include "bot/table/table_impl.h"

void table_tally(struct table_work *work)
{
    const struct event_list *const events = &work->ws->events;
    highlights_note(&work->table->highlights, work->ws->before, work->game, work->box,
                    events->items, events->count);
    for (uint32_t i = 0; i < events->count; i++) {
        const struct event *const event = &events->items[i];
        if (event->seat >= MB_SEATS_MAX) {
            continue;
        }
        struct table_tally *const tally = &work->table->seats[event->seat].tally;
        if (event->type == EVENT_DEATH) {
            tally->deaths++;
        } else if (event->type == EVENT_NOTE && event->why == NOTE_FIGHT_WON) {
            struct query_fight fight;
            query_fight(work->ws->before, work->box, &fight);
            tally->kills = (uint16_t)(tally->kills + fight.monster_count);
        }
    }
}

void table_stats_finish(struct table_work *work)
{
    struct table_outcome *const outcome = work->outcome;
    for (unsigned seat = 0; seat < work->table->seat_count; seat++) {
        const struct table_seat *const who = &work->table->seats[seat];
        const bool won = (query_winners(work->game) & seat_bit(seat)) != 0;
        if (table_seat_is_person(who)) {
            outcome->records[outcome->record_count++] =
                (struct table_record){.seat = seat,
                                      .line = {.games = 1,
                                               .wins = won ? 1 : 0,
                                               .kills = who->tally.kills,
                                               .deaths = who->tally.deaths}};
        }
    }
}

static void put_line(struct text_out *out, enum text_id id, const char *who, size_t people,
                     const struct deed_stats *line)
{
    text_line(out, id,
              TEXT_ARGS(text_str("who", who), text_num("people", (long)people),
                        text_num("n", (long)line->games), text_num("wins", (long)line->wins),
                        text_num("kills", (long)line->kills),
                        text_num("deaths", (long)line->deaths)));
}

bool table_answer_stats(struct table_work *work, unsigned seat, const struct request *request)
{
    enum { ANSWER_SIZE = 512 };
    char text[ANSWER_SIZE];
    char own[PERSON_NAME_SIZE];
    struct text_out out;
    struct person person = work->deed->person;
    const bool named = request->player < work->table->seat_count;
    table_name_of(work, own);
    const char *const name = named ? table_seat_name(work->table, request->player) : own;
    if (named && !table_seat_person(work->table, request->player, false, &person)) {
        table_reply_text(work, seat, TEXT_STATS_NONE, TEXT_ARGS(text_str("who", name)));
        return true; // nobody but a bot player ever sat there
    }
    work->outcome->fetch_person = person;
    if (!table_fetched(work, FETCH_STATS)) {
        return true;
    }
    const struct deed_fetched *const fetched = work->deed->fetched;
    const bool known = fetched->stats.games > 0;
    if (strcasecmp(request->text, "forget") == 0) {
        work->outcome->forget_stats = known;
        table_reply_text(work, seat, known ? TEXT_STATS_FORGOTTEN : TEXT_STATS_NOTHING_OWN, NULL);
        return true;
    }
    text_begin(&out, text, sizeof text);
    if (known) {
        put_line(&out, TEXT_STATS_PERSON, name, 1, &fetched->stats);
    } else {
        text_line(&out, TEXT_STATS_NONE, TEXT_ARGS(text_str("who", name)));
    }
    if (fetched->people > 1) {
        put_line(&out, TEXT_STATS_ALL, name, fetched->people, &fetched->total);
    }
    table_reply(work, seat, text);
    return true;
}
