/*
 * Who sits where: sitting down, leaving, coming back, the host.
 *
 * In the lobby a seat that is left is gone. In a running game a bot player takes it; only who held
 * it comes back to it. Seats that bot players have held from the start are free for others, who sit
 * down between turns: nobody takes over in the middle of somebody's fight.
 */
#include <string.h>

#include <strings.h>

#include "bot/session/session_impl.h"

unsigned session_own_seat(const struct session *session, const char *person)
{
    const unsigned seat = session_find_seat(session, person);
    return seat != NO_SEAT && session->seats[seat].policy == NULL ? seat : NO_SEAT;
}

static void make_host(struct session *session, unsigned seat)
{
    session->host = seat;
    session_tell(session, TEXT_SESSION_HOST, TEXT_ARGS(text_str("who", session->seats[seat].name)));
}

// To the first person who is there, else to one who is away.
static bool pass_host_on(struct session *session)
{
    unsigned heir = NO_SEAT;
    for (unsigned i = 0; i < session->seat_count; i++) {
        const struct session_seat *const who = &session->seats[i];
        if (who->policy == NULL && (heir == NO_SEAT || (session->seats[heir].away && !who->away))) {
            heir = i;
        }
    }
    session->host = NO_SEAT;
    if (heir != NO_SEAT) {
        make_host(session, heir);
    }
    return heir != NO_SEAT;
}

// Nobody is left: the lobby closes, a game waits for somebody to come back.
static void desert(struct session *session)
{
    if (session->state == SESSION_LOBBY) {
        session->state = SESSION_EMPTY;
        session->seat_count = 0;
        session_tell(session, TEXT_SESSION_CLOSES, NULL);
    } else if (session->state == SESSION_RUNNING || session->state == SESSION_PAUSED) {
        session->state = SESSION_PAUSED;
        session->deserted = true;
        session_seat_waiting(session); // whoever waits for a seat goes on with the game
        if (session->deserted) {
            session_tell(session, TEXT_SESSION_DESERTED, NULL);
        }
    }
    session_clock_wind(session);
}

void session_vacate(struct session *session, unsigned seat)
{
    char name[SESSION_NAME_SIZE];
    memcpy(name, session->seats[seat].name, sizeof name);
    const bool was_host = session->host == seat;
    if (session->state == SESSION_LOBBY) {
        session_tell(session, TEXT_SESSION_LEAVES, TEXT_ARGS(text_str("who", name)));
        memmove(&session->seats[seat], &session->seats[seat + 1],
                (session->seat_count - seat - 1) * sizeof session->seats[0]);
        session->seat_count--;
        if (session->host != NO_SEAT && session->host > seat) {
            session->host--;
        }
    } else {
        session_tell(session, TEXT_SESSION_BOT_TAKES, TEXT_ARGS(text_str("who", name)));
        session->seats[seat].policy = policy_default();
        session->seats[seat].away = false;
        session->seats[seat].order = 0;
        session_fair_seat(session, seat);
    }
    if (was_host && !pass_host_on(session)) {
        desert(session);
    }
    session_undo_seats(session);
    session_clock_wind(session);
}

// Somebody sits down on the seat of a bot player.
static void take_seat(struct session *session, unsigned seat, enum text_id id)
{
    struct session_seat *const who = &session->seats[seat];
    who->policy = NULL;
    who->was_person = true;
    who->away = false;
    who->next[0] = '\0';
    session_default_order(session, seat);
    session_rest(session);
    session_fair_seat(session, seat);
    session_tell(session, id, TEXT_ARGS(text_str("who", who->name)));
    if (session->host == NO_SEAT) {
        make_host(session, seat);
    }
    if (session->deserted) {
        session->deserted = false;
        session->state = SESSION_RUNNING;
        session_tell(session, TEXT_SESSION_RESUMES, NULL);
    }
    session_clock_wind(session);
}

// Nobody takes over in the middle of somebody's fight, unless nobody else is left to go on with it.
static bool between_turns(const struct session *session)
{
    const unsigned phase = query_phase(session->game);
    return phase == PHASE_SETUP || phase == PHASE_START || session->deserted || session->rests;
}

void session_seat_waiting(struct session *session)
{
    for (unsigned seat = 0; seat < session->seat_count && between_turns(session); seat++) {
        struct session_seat *const who = &session->seats[seat];
        if (who->next[0] != '\0' && who->policy != NULL) {
            char before[SESSION_NAME_SIZE];
            memcpy(before, who->name, sizeof before);
            memcpy(who->name, who->next, sizeof who->name);
            session_tell(session, TEXT_SESSION_TAKES_OVER,
                         TEXT_ARGS(text_str("who", who->name), text_str("other", before)));
            take_seat(session, seat, TEXT_SESSION_LATE);
        }
    }
}

static bool is_kept_for(const struct session *session, unsigned seat, const char *person)
{
    char clean[SESSION_NAME_SIZE];
    text_clean(person, clean, sizeof clean);
    return strcasecmp(session->seats[seat].next, clean) == 0;
}

bool session_stop_waiting(struct session *session, const char *person)
{
    for (unsigned seat = 0; seat < session->seat_count; seat++) {
        if (is_kept_for(session, seat, person)) {
            session->seats[seat].next[0] = '\0';
            return true;
        }
    }
    return false;
}

bool session_waits(const struct session *session, const char *person)
{
    for (unsigned seat = 0; seat < session->seat_count; seat++) {
        if (is_kept_for(session, seat, person)) {
            return true;
        }
    }
    return false;
}

bool session_take_over(struct session *session, const char *person, struct refusal *why)
{
    const unsigned own = session_find_seat(session, person);
    if (own != NO_SEAT && session->seats[own].policy == NULL) {
        return session_refuse(session, own, REFUSAL_TABLE_RUNNING, why);
    }
    if (own != NO_SEAT && session->seats[own].was_person) {
        take_seat(session, own, TEXT_SESSION_BACK);
        return true;
    }
    unsigned seat = own; // a bot player of that very name, else any
    for (unsigned i = 0; i < session->seat_count && seat == NO_SEAT; i++) {
        const struct session_seat *const who = &session->seats[i];
        const bool vacant = who->policy != NULL && !who->was_person && who->next[0] == '\0';
        seat = vacant ? i : (unsigned)NO_SEAT;
    }
    if (session_waits(session, person)) {
        session_reply_text(session, NO_SEAT, TEXT_SESSION_WAITS, NULL);
        return true;
    }
    if (seat == NO_SEAT || session->seats[seat].next[0] != '\0' ||
        strlen(person) >= SESSION_NAME_SIZE) {
        return session_refuse(session, NO_SEAT, REFUSAL_TABLE_FULL, why);
    }
    text_clean(person, session->seats[seat].next, SESSION_NAME_SIZE);
    if (!between_turns(session)) {
        session_tell(
            session, TEXT_SESSION_WILL_SIT,
            TEXT_ARGS(text_str("who", person), text_str("other", session->seats[seat].name)));
    }
    session_seat_waiting(session);
    return true;
}
