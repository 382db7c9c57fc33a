/*
 * What is said about the table itself: new, join, leave, add-bot, remove, start, pause, resume,
 * end. Who may; what becomes of the seats is session_seats.c's.
 */
#include <stdio.h>
#include <string.h>

#include <sodium.h>
#include <strings.h>

#include "bot/session/session_impl.h"

static bool refuse_error(struct session *session, unsigned seat, enum refusal_code code,
                         const struct mb_error *err, struct refusal *why)
{
    return session_refuse_text(session, seat, code, TEXT_SESSION_BAD_OPTION,
                               TEXT_ARGS(text_str("reason", err->text)), why);
}

// A game that everybody has left makes room.
static bool reopen(struct session *session, const struct table_options *options,
                   struct mb_error *err)
{
    if (session->deserted) {
        session_over(session, JOURNAL_ENDED);
    }
    return session_open(session, options, err);
}

static bool open_table(struct session *session, unsigned seat, const char *person,
                       const struct request *request, struct refusal *why)
{
    if (session->state != SESSION_EMPTY && session->state != SESSION_OVER && !session->deserted) {
        return session_refuse(session, seat, REFUSAL_TABLE_RUNNING, why);
    }
    struct mb_error err = {0};
    struct table_options options;
    table_options_init(&options);
    const bool again = session->state == SESSION_OVER && request->text[0] == '\0' &&
                       session->options.set_count > 0; // the same table once more
    if (again) {
        options = session->options;
    }
    if ((!again && !table_options_sets(&options, session->catalog, "classic", &err)) ||
        !table_options_words(&options, session->catalog, request->text, &err) ||
        !reopen(session, &options, &err)) {
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

static bool change_sex(struct session *session, unsigned seat, const struct request *request)
{
    if (request->text[0] != '\0') {
        session->seats[seat].female = strcasecmp(request->text, "female") == 0;
    }
    session_reply_text(
        session, seat,
        session->seats[seat].female ? TEXT_SESSION_PLAYS_WOMAN : TEXT_SESSION_PLAYS_MAN, NULL);
    return true;
}

static bool join(struct session *session, unsigned seat, const char *person,
                 const struct request *request, struct refusal *why)
{
    if (session->state == SESSION_EMPTY || session->state == SESSION_OVER) {
        return session_refuse(session, seat, REFUSAL_NO_TABLE, why);
    }
    if (session->state != SESSION_LOBBY) {
        return session_take_over(session, person, why);
    }
    if (seat != NO_SEAT) {
        return change_sex(session, seat, request);
    }
    const bool female = strcasecmp(request->text, "female") == 0;
    if (session_sit(session, person, female, NULL) == NO_SEAT) {
        return session_refuse(session, seat, REFUSAL_TABLE_FULL, why);
    }
    session_tell(session, TEXT_SESSION_SITS, TEXT_ARGS(text_str("who", person)));
    return true;
}

static bool add_bot(struct session *session, unsigned seat, const struct request *request,
                    struct refusal *why)
{
    if (session->state != SESSION_LOBBY) {
        return session_refuse(session, seat, REFUSAL_TABLE_RUNNING, why);
    }
    if (seat == NO_SEAT) {
        return session_refuse(session, seat, REFUSAL_NOT_AT_TABLE, why);
    }
    struct mb_error err = {0};
    const struct policy *const policy =
        request->text[0] != '\0' ? policy_find(request->text, &err) : policy_default();
    if (policy == NULL) {
        return refuse_error(session, seat, REFUSAL_BAD_ARGUMENTS, &err, why);
    }
    // Names by turns of women and men, enough of them for those that people have.
    for (unsigned id = TEXT_BOT_NAME_1; id <= TEXT_BOT_NAME_12; id++) {
        const char *const name = text_sentence((enum text_id)id);
        if (session_sit(session, name, (id - TEXT_BOT_NAME_1) % 2 == 0, policy) != NO_SEAT) {
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
        return session_refuse_text(session, seat, REFUSAL_WRONG_PHASE,
                                   session->state == SESSION_PAUSED ? TEXT_SESSION_PAUSED
                                                                    : TEXT_SESSION_PAUSED_NOT,
                                   NULL, why);
    }
    session->state = paused ? SESSION_PAUSED : SESSION_RUNNING;
    session_tell(session, paused ? TEXT_SESSION_PAUSES : TEXT_SESSION_RESUMES, NULL);
    session_returns(session, seat);
    session_clock_wind(session);
    return true;
}

// Asks once: a game that is ended is gone for everybody.
static bool end(struct session *session, unsigned seat, const char *person)
{
    const bool lobby = session->state == SESSION_LOBBY;
    if (!lobby && strcasecmp(session->end_asked, person) != 0) {
        (void)snprintf(session->end_asked, sizeof session->end_asked, "%s", person);
        session_reply_text(session, seat, TEXT_SESSION_END_SURE, NULL);
        return true;
    }
    session_tell(session, lobby ? TEXT_SESSION_CLOSES_BY : TEXT_SESSION_ENDS,
                 TEXT_ARGS(text_str("who", person)));
    if (lobby) {
        session->state = SESSION_EMPTY;
        session->seat_count = 0;
        session_clock_wind(session);
    } else {
        session_over(session, JOURNAL_ENDED);
    }
    return true;
}

static bool remove_seat(struct session *session, unsigned seat, const struct request *request,
                        struct refusal *why)
{
    if (request->player >= session->seat_count) {
        return session_refuse(session, seat, REFUSAL_NO_SUCH_PLAYER, why);
    }
    if (session->state != SESSION_LOBBY && session->seats[request->player].policy != NULL) {
        return session_refuse(session, seat, REFUSAL_ILLEGAL_TARGET, why);
    }
    session_vacate(session, request->player);
    return true;
}

static bool host_only(struct session *session, unsigned seat, const char *person,
                      const struct request *request, struct refusal *why)
{
    if (session->state == SESSION_EMPTY || session->state == SESSION_OVER) {
        return session_refuse(session, seat, REFUSAL_NO_TABLE, why);
    }
    if (request->kind == REQUEST_END && session->moderator) {
        return end(session, seat, person);
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
        return end(session, seat, person);
    }
}

static bool leave(struct session *session, unsigned seat, const char *person, struct refusal *why)
{
    if (session->state == SESSION_EMPTY || session->state == SESSION_OVER) {
        return session_refuse(session, seat, REFUSAL_NO_TABLE, why);
    }
    if (seat == NO_SEAT && session_stop_waiting(session, person)) {
        session_reply_text(session, seat, TEXT_SESSION_WAITS_NOT, NULL);
        return true;
    }
    if (seat == NO_SEAT) {
        return session_refuse(session, seat, REFUSAL_NOT_AT_TABLE, why);
    }
    session_vacate(session, seat);
    return true;
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
        return leave(session, seat, person, why);
    default:
        return host_only(session, seat, person, request, why);
    }
}
