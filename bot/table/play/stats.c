// What a game leaves behind: a tally while it runs, put into the statistics when somebody has won.
// Games that were broken off do not count; bot players have no record.
#include <string.h>

#include <strings.h>

#include "bot/table/play/play.h"

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
