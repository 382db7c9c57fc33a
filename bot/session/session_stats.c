// What a game leaves behind: a tally while it runs, put into the statistics when somebody has won.
// Games that were broken off do not count; bot players have no record.
#include <string.h>

#include <strings.h>

#include "bot/session/session_impl.h"

void session_keep_records(struct session *session, const struct session_records *records)
{
    session->records = *records;
}

static const char *known_as(const struct session *session, const char *name)
{
    const struct session_records *const records = &session->records;
    const char *const known =
        records->identify != NULL ? records->identify(records->user, name) : NULL;
    return known != NULL ? known : name;
}

void session_tally(struct session *session)
{
    const struct event_list *const events = &session->workspace->events;
    memcpy(session->tally_before, session->tally, sizeof session->tally);
    session->highlights_before = session->highlights;
    highlights_note(&session->highlights, session->workspace->after, &session->box, events->items,
                    events->count);
    for (uint32_t i = 0; i < events->count; i++) {
        const struct event *const event = &events->items[i];
        if (event->seat >= MB_SEATS_MAX) {
            continue;
        }
        if (event->type == EVENT_DEATH) {
            session->tally[event->seat].deaths++;
        } else if (event->type == EVENT_NOTE && event->why == NOTE_FIGHT_WON) {
            struct query_fight fight;
            query_fight(session->workspace->after, &session->box, &fight); // as it was before
            session->tally[event->seat].kills =
                (uint16_t)(session->tally[event->seat].kills + fight.monster_count);
        }
    }
}

void session_stats_finish(struct session *session)
{
    for (unsigned seat = 0; session->records.stats != NULL && seat < session->seat_count; seat++) {
        const struct session_seat *const who = &session->seats[seat];
        const struct stats_line line = {
            .games = 1,
            .wins = (query_winners(session->game) & seat_bit(seat)) != 0 ? 1 : 0,
            .kills = session->tally[seat].kills,
            .deaths = session->tally[seat].deaths};
        if (who->policy == NULL) {
            (void)stats_add(session->records.stats, session->records.community,
                            known_as(session, who->name), &line);
        }
    }
}

static void put_line(struct text_out *out, enum text_id id, const char *who, size_t people,
                     const struct stats_line *line)
{
    text_line(out, id,
              TEXT_ARGS(text_str("who", who), text_num("people", (long)people),
                        text_num("n", (long)line->games), text_num("wins", (long)line->wins),
                        text_num("kills", (long)line->kills),
                        text_num("deaths", (long)line->deaths)));
}

bool session_answer_stats(struct session *session, unsigned seat, const char *asker,
                          const struct request *request)
{
    enum { ANSWER_SIZE = 512 };
    struct stats_line line = {0, 0, 0, 0};
    struct stats_line total = {0, 0, 0, 0};
    char text[ANSWER_SIZE];
    struct text_out out;
    const bool named = request->player < session->seat_count;
    const char *const person = named ? session->seats[request->player].name : asker;
    if (strcasecmp(request->text, "forget") == 0) {
        const bool known = session->records.stats != NULL &&
                           stats_forget(session->records.stats, session->records.community,
                                        known_as(session, asker));
        session_reply_text(session, seat, known ? TEXT_STATS_FORGOTTEN : TEXT_STATS_NOTHING_OWN,
                           NULL);
        return true;
    }
    text_begin(&out, text, sizeof text);
    if (session->records.stats != NULL &&
        stats_of(session->records.stats, session->records.community, known_as(session, person),
                 &line)) {
        put_line(&out, TEXT_STATS_PERSON, person, 1, &line);
    } else {
        text_line(&out, TEXT_STATS_NONE, TEXT_ARGS(text_str("who", person)));
    }
    if (session->records.stats != NULL) {
        const size_t people =
            stats_total(session->records.stats, session->records.community, &total);
        if (people > 1) {
            put_line(&out, TEXT_STATS_ALL, person, people, &total);
        }
    }
    session_reply(session, seat, text);
    return true;
}
