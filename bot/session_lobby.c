/*
 * Who sits at the table: new, join, leave, add-bot, remove, start, pause, resume, end. Enough to
 * play; moderators, invitations and rematches are further rows.
 */
#include <stdio.h>
#include <string.h>

#include <sodium.h>
#include <strings.h>

#include "bot/session_impl.h"

static bool refuse_error(struct session *session, unsigned seat, enum refusal_code code,
                         const struct mb_error *err, struct refusal *why)
{
    session_reply_text(session, seat, TEXT_SESSION_BAD_OPTION,
                       TEXT_ARGS(text_str("reason", err->text)));
    if (why != NULL) {
        (void)refuse(why, code, "");
    }
    return false;
}

static bool open_table(struct session *session, unsigned seat, const char *person,
                       const struct request *request, struct refusal *why)
{
    if (session->state != SESSION_EMPTY && session->state != SESSION_OVER) {
        return session_refuse(session, seat, REFUSAL_TABLE_RUNNING, why);
    }
    struct mb_error err = {0};
    struct table_options options;
    table_options_init(&options);
    if (!table_options_sets(&options, session->catalog, "classic", &err) ||
        !table_options_words(&options, session->catalog, request->text, &err) ||
        !session_open(session, &options, &err)) {
        return refuse_error(session, seat, REFUSAL_BAD_ARGUMENTS, &err, why);
    }
    const char *names[CATALOG_SETS_MAX];
    for (size_t i = 0; i < options.set_count; i++) {
        names[i] = catalog_set(session->catalog, options.sets[i])->name;
    }
    char sets[512];
    struct text_out out;
    text_begin(&out, sets, sizeof sets);
    text_list(&out, names, options.set_count, TEXT_AND);
    session_tell(session, TEXT_SESSION_NEW, TEXT_ARGS(text_str("sets", sets)));
    if (session_sit(session, person, false, NULL) != NO_SEAT) {
        session_tell(session, TEXT_SESSION_SITS, TEXT_ARGS(text_str("who", person)));
    }
    return true;
}

// In a running game only who has held a seat comes back to it; other seats of bots are free.
static bool take_over(struct session *session, unsigned seat, const char *person,
                      struct refusal *why)
{
    if (seat == NO_SEAT) {
        for (unsigned i = 0; i < session->seat_count && seat == NO_SEAT; i++) {
            seat = session->seats[i].policy != NULL && !session->seats[i].was_person ? i : NO_SEAT;
        }
        if (seat == NO_SEAT || strlen(person) >= SESSION_NAME_SIZE) {
            return session_refuse(session, seat, REFUSAL_TABLE_FULL, why);
        }
        memset(session->seats[seat].name, 0, SESSION_NAME_SIZE);
        memcpy(session->seats[seat].name, person, strlen(person));
    }
    session->seats[seat].policy = NULL;
    session->seats[seat].was_person = true;
    session_fair_seat(session, seat);
    session_tell(session, TEXT_SESSION_BACK, TEXT_ARGS(text_str("who", person)));
    session_clock_wind(session);
    return true;
}

static bool join(struct session *session, unsigned seat, const char *person,
                 const struct request *request, struct refusal *why)
{
    const bool female = strcasecmp(request->text, "female") == 0;
    if (session->state == SESSION_EMPTY || session->state == SESSION_OVER) {
        return session_refuse(session, seat, REFUSAL_NO_TABLE, why);
    }
    if (session->state != SESSION_LOBBY) {
        if (seat != NO_SEAT && session->seats[seat].policy == NULL) {
            return session_refuse(session, seat, REFUSAL_TABLE_RUNNING, why);
        }
        return take_over(session, seat, person, why);
    }
    if (seat != NO_SEAT) {
        session->seats[seat].female = female;
        return true;
    }
    if (session_sit(session, person, female, NULL) == NO_SEAT) {
        return session_refuse(session, seat, REFUSAL_TABLE_FULL, why);
    }
    session_tell(session, TEXT_SESSION_SITS, TEXT_ARGS(text_str("who", person)));
    return true;
}

static void pass_host_on(struct session *session)
{
    session->host = NO_SEAT;
    for (unsigned i = 0; i < session->seat_count && session->host == NO_SEAT; i++) {
        if (session->seats[i].policy == NULL) {
            session->host = i;
            session_tell(session, TEXT_SESSION_HOST,
                         TEXT_ARGS(text_str("who", session->seats[i].name)));
        }
    }
}

// In the lobby the seat is gone; in a running game a bot player takes it.
static void vacate(struct session *session, unsigned seat)
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
        session->seats[seat].policy = &POLICY_RANDOM;
        session_fair_seat(session, seat);
        session_clock_wind(session);
    }
    if (was_host) {
        pass_host_on(session);
    }
}

static bool add_bot(struct session *session, unsigned seat, const struct request *request,
                    struct refusal *why)
{
    if (session->state != SESSION_LOBBY) {
        return session_refuse(session, seat, REFUSAL_TABLE_RUNNING, why);
    }
    struct mb_error err = {0};
    const struct policy *const policy =
        policy_find(request->text[0] != '\0' ? request->text : "random", &err);
    if (policy == NULL) {
        return refuse_error(session, seat, REFUSAL_BAD_ARGUMENTS, &err, why);
    }
    for (long number = 1; number <= MB_SEATS_MAX + 1; number++) {
        char name[SESSION_NAME_SIZE];
        struct text_out out;
        text_begin(&out, name, sizeof name);
        text_put(&out, TEXT_SESSION_BOT_NAME, TEXT_ARGS(text_num("n", number)));
        if (session_sit(session, name, number % 2 == 0, policy) != NO_SEAT) {
            session_tell(session, TEXT_SESSION_SITS, TEXT_ARGS(text_str("who", name)));
            return true;
        }
    }
    return session_refuse(session, seat, REFUSAL_TABLE_FULL, why);
}

static bool start(struct session *session, unsigned seat, struct refusal *why)
{
    if (session->state != SESSION_LOBBY) {
        return session_refuse(session, seat, REFUSAL_TABLE_RUNNING, why);
    }
    struct mb_error err = {0};
    uint8_t seed[32];
    if (sodium_init() < 0) {
        return session_refuse(session, seat, REFUSAL_NOT_USABLE, why);
    }
    randombytes_buf(seed, sizeof seed);
    if (!session_start(session, seed, &err)) {
        return session_refuse(session, seat, REFUSAL_TOO_FEW_PLAYERS, why);
    }
    return true;
}

static bool set_paused(struct session *session, unsigned seat, bool paused, struct refusal *why)
{
    if (session->state != (paused ? SESSION_RUNNING : SESSION_PAUSED)) {
        return session_refuse(session, seat, REFUSAL_WRONG_PHASE, why);
    }
    session->state = paused ? SESSION_PAUSED : SESSION_RUNNING;
    session_tell(session, paused ? TEXT_SESSION_PAUSES : TEXT_SESSION_RESUMES, NULL);
    session_clock_wind(session);
    return true;
}

static bool end(struct session *session, unsigned seat)
{
    session_tell(session, TEXT_SESSION_ENDS,
                 TEXT_ARGS(text_str("who", session_seat_name(session, seat))));
    session->state = session->state == SESSION_LOBBY ? SESSION_EMPTY : SESSION_OVER;
    session_fair_end(session, JOURNAL_ENDED);
    session_clock_wind(session);
    return true;
}

static bool remove_seat(struct session *session, unsigned seat, const struct request *request,
                        struct refusal *why)
{
    if (request->player >= session->seat_count) {
        return session_refuse(session, seat, REFUSAL_NO_SUCH_PLAYER, why);
    }
    vacate(session, request->player);
    return true;
}

static bool host_only(struct session *session, unsigned seat, const struct request *request,
                      struct refusal *why)
{
    if (session->state == SESSION_EMPTY || session->state == SESSION_OVER) {
        return session_refuse(session, seat, REFUSAL_NO_TABLE, why);
    }
    if (seat == NO_SEAT) {
        return session_refuse(session, seat, REFUSAL_NOT_AT_TABLE, why);
    }
    if (session->host != seat) {
        return session_refuse(session, seat, REFUSAL_NOT_HOST, why);
    }
    switch (request->kind) {
    case REQUEST_REMOVE:
        return remove_seat(session, seat, request, why);
    case REQUEST_START:
        return start(session, seat, why);
    case REQUEST_PAUSE:
    case REQUEST_RESUME:
        return set_paused(session, seat, request->kind == REQUEST_PAUSE, why);
    default:
        return end(session, seat);
    }
}

bool session_lobby(struct session *session, unsigned seat, const char *person,
                   const struct request *request, struct refusal *why)
{
    switch (request->kind) {
    case REQUEST_NEW:
        return open_table(session, seat, person, request, why);
    case REQUEST_JOIN:
        return join(session, seat, person, request, why);
    case REQUEST_ADD_BOT:
        return add_bot(session, seat, request, why);
    case REQUEST_LEAVE:
        if (seat == NO_SEAT) {
            return session_refuse(session, seat, REFUSAL_NOT_AT_TABLE, why);
        }
        vacate(session, seat);
        return true;
    default:
        return host_only(session, seat, request, why);
    }
}
