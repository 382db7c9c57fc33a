/*
 * Lines of words: to the core, or answered by looking. Whatever a look shows comes from the view of
 * who looks.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <strings.h>

#include "bot/render/render.h"
#include "bot/session/session_impl.h"

enum {
    ERROR_TEXT_SIZE = 2048,
    LOOK_BUDGET = 1900 /**< one message of the chat with the shortest ones, and some room */
};

void session_tell(struct session *session, enum text_id id, const struct text_arg *args)
{
    char text[ERROR_TEXT_SIZE];
    struct text_out out;
    text_begin(&out, text, sizeof text);
    text_line(&out, id, args);
    if (message_add(&session->outbox, MESSAGE_TABLE, NO_SEAT, text)) {
        session_log_add(&session->log, text);
    }
}

void session_reply(struct session *session, unsigned seat, const char *text)
{
    (void)message_add(&session->outbox, MESSAGE_REPLY, seat, text);
}

void session_reply_text(struct session *session, unsigned seat, enum text_id id,
                        const struct text_arg *args)
{
    char text[ERROR_TEXT_SIZE];
    struct text_out out;
    text_begin(&out, text, sizeof text);
    text_line(&out, id, args);
    session_reply(session, seat, text);
}

static void reply_refusal(struct session *session, unsigned seat, const struct refusal *why)
{
    const struct table_words words = session_words_of(session, seat);
    char text[ERROR_TEXT_SIZE];
    (void)render_refusal(&words, why, text, sizeof text);
    (void)message_add_refusal(&session->outbox, seat, text, why);
}

bool session_refuse_text(struct session *session, unsigned seat, enum refusal_code code,
                         enum text_id id, const struct text_arg *args, struct refusal *why)
{
    struct refusal reason = {.seat = NO_SEAT, .card = NO_CARD};
    char text[ERROR_TEXT_SIZE];
    struct text_out out;
    text_begin(&out, text, sizeof text);
    text_line(&out, id, args);
    (void)refuse(&reason, code, "");
    (void)message_add_refusal(&session->outbox, seat, text, &reason);
    if (why != NULL) {
        *why = reason;
    }
    return false;
}

bool session_refuse(struct session *session, unsigned seat, enum refusal_code code,
                    struct refusal *why)
{
    if (code == REFUSAL_NO_TABLE && session->state == SESSION_LOBBY) {
        return session_refuse_text(session, seat, code, TEXT_SESSION_NOT_BEGUN, NULL, why);
    }
    struct refusal reason = {.seat = NO_SEAT, .card = NO_CARD};
    (void)refuse(&reason, code, "");
    reply_refusal(session, seat, &reason);
    if (why != NULL) {
        *why = reason;
    }
    return false;
}

static bool answer_why(struct session *session, unsigned seat, const struct request *request)
{
    if (session->state != SESSION_RUNNING || request->command.verb == VERB_NONE) {
        session_reply_text(session, seat, TEXT_SESSION_WHY_NOT_GAME, NULL);
        return true;
    }
    const struct table_words words = session_words_of(session, seat);
    struct command command = request->command;
    command.seat = (uint8_t)seat;
    struct session_workspace *const workspace = session->workspace;
    (void)render_why(&words, &command, workspace->after, &workspace->events, workspace->text,
                     sizeof workspace->text);
    session_reply(session, seat, workspace->text);
    return true;
}

static bool answer_log(struct session *session, unsigned seat, int wanted)
{
    if (session->log.count == 0) {
        session_reply_text(session, seat, TEXT_SESSION_NO_LOG, NULL);
        return true;
    }
    unsigned count = wanted > 0 ? (unsigned)wanted : SESSION_LOG_SHOWN;
    count = count < session->log.count ? count : session->log.count;
    struct text_out out;
    text_begin(&out, session->workspace->text, sizeof session->workspace->text);
    for (unsigned i = session->log.count - count; i < session->log.count; i++) {
        text_raw(&out, session_log_entry(&session->log, i));
    }
    session_reply(session, seat, session->workspace->text);
    return true;
}

static void show_orders(struct session *session, unsigned seat)
{
    const struct session_seat *const who = &session->seats[seat];
    enum text_id id = TEXT_SESSION_ORDERS_NONE;
    if (who->order != 0) {
        id = who->order == ORDER_PASS_BELOW ? TEXT_SESSION_ORDERS_BELOW : TEXT_SESSION_ORDERS_TURN;
    }
    session_reply_text(session, seat, id, TEXT_ARGS(text_num("n", who->order_level)));
}

static bool answer_orders(struct session *session, unsigned seat, const struct request *request,
                          struct refusal *why)
{
    if (seat >= session->seat_count) {
        return session_refuse(session, seat, REFUSAL_NOT_AT_TABLE, why);
    }
    struct session_seat *const who = &session->seats[seat];
    const int goal = session->box.profile.constant[PROFILE_GOAL];
    if (request->order == 0) {
        show_orders(session, seat);
        return true;
    }
    if (request->order == ORDER_PASS_BELOW && (request->n < 2 || request->n > goal)) {
        return session_refuse_text(session, seat, REFUSAL_BAD_ARGUMENTS, TEXT_SESSION_ORDERS_LEVEL,
                                   TEXT_ARGS(text_num("n", goal)), why);
    }
    session_returns(session, seat);
    who->order = request->order == ORDER_CLEAR || request->order == ORDER_ASK ? 0 : request->order;
    who->order_level = (uint8_t)request->n;
    static const enum text_id TEXTS[] = {
        [ORDER_PASS_BELOW] = TEXT_SESSION_ORDERS_BELOW,
        [ORDER_PASS_TURN] = TEXT_SESSION_ORDERS_TURN,
        [ORDER_ASK] = TEXT_SESSION_ORDERS_ASK,
        [ORDER_CLEAR] = TEXT_SESSION_ORDERS_CLEAR,
    };
    const unsigned order = request->order >= ORDER_PASS_BELOW && request->order <= ORDER_CLEAR
                               ? request->order
                               : ORDER_CLEAR;
    session_reply_text(session, seat, TEXTS[order], TEXT_ARGS(text_num("n", request->n)));
    session_clock_wind(session);
    return true;
}

static bool needs_game(enum request_kind kind)
{
    return kind == REQUEST_HAND || kind == REQUEST_CARD || kind == REQUEST_SCORE ||
           kind == REQUEST_ORDERS || kind == REQUEST_UNDO || kind == REQUEST_WHY;
}

static bool answer_rules(struct session *session, unsigned seat, const char *topic)
{
    const struct table_words words = session_words_of(session, seat);
    (void)render_rules(&words, topic, session->workspace->text, sizeof session->workspace->text);
    session_reply(session, seat, session->workspace->text);
    return true;
}

static bool look(struct session *session, unsigned seat, const struct request *request)
{
    struct table_words words = session_words_of(session, seat);
    char *const text = session->workspace->text;
    const size_t size = sizeof session->workspace->text;
    words.budget = LOOK_BUDGET;
    text[0] = '\0';
    switch (request->kind) {
    case REQUEST_STATUS:
        (void)(words.view != NULL ? render_table(&words, text, size)
                                  : session_card(session, text, size));
        break;
    case REQUEST_HAND:
        (void)render_hand(&words, text, size);
        break;
    case REQUEST_CARD:
        (void)render_card(&words, request->card, text, size);
        break;
    case REQUEST_SCORE:
        (void)render_score(&words, text, size);
        break;
    case REQUEST_HELP:
        (void)render_help(&words, request->text[0] != '\0' ? request->text : NULL, text, size);
        break;
    default:
        return false;
    }
    session_reply(session, seat, text);
    return true;
}

static bool answer(struct session *session, unsigned seat, const char *person,
                   const struct request *request, struct refusal *why)
{
    const bool running = session->state >= SESSION_RUNNING;
    const bool nothing = request->kind == REQUEST_STATUS && session->state == SESSION_EMPTY;
    if (nothing || (needs_game(request->kind) && !running)) {
        return session_refuse(session, seat, REFUSAL_NO_TABLE, why);
    }
    switch (request->kind) {
    case REQUEST_WHY:
        return answer_why(session, seat, request);
    case REQUEST_LOG:
        return answer_log(session, seat, request->n);
    case REQUEST_RULES:
        return answer_rules(session, seat, request->text);
    case REQUEST_ORDERS:
        return answer_orders(session, seat, request, why);
    case REQUEST_STATS:
        return session_answer_stats(session, seat, person, request);
    case REQUEST_UNDO:
        session_returns(session, seat);
        return session_undo(session, seat, why);
    default:
        return look(session, seat, request);
    }
}

static bool is_lobby(enum request_kind kind)
{
    return kind >= REQUEST_NEW && kind <= REQUEST_END;
}

static bool game_line(struct session *session, unsigned seat, const struct request *request,
                      struct refusal *why)
{
    if (session->state == SESSION_EMPTY || session->state == SESSION_LOBBY) {
        return session_refuse(session, seat, REFUSAL_NO_TABLE, why);
    }
    if (seat >= session->seat_count) {
        return session_refuse(session, seat, REFUSAL_NOT_AT_TABLE, why);
    }
    if (session->state == SESSION_OVER) {
        return session_refuse(session, seat, REFUSAL_GAME_OVER, why);
    }
    if (session->state == SESSION_PAUSED) {
        return session_refuse_text(session, seat, REFUSAL_WRONG_PHASE, TEXT_SESSION_PAUSED, NULL,
                                   why);
    }
    struct command command = request->command;
    command.seat = (uint8_t)seat;
    struct refusal reason = {0};
    session_returns(session, seat);
    if (session_undo_answers(session, seat, &command)) {
        session_undo_answer(session, seat, &command);
        return true;
    }
    const bool setup = query_phase(session->game) == PHASE_SETUP;
    if (session_submit(session, &command, &reason)) {
        // Rules: SETUP-6 binds nobody who is ready before the others are.
        if (setup && command.verb == VERB_DONE && query_phase(session->game) == PHASE_SETUP) {
            session_reply_text(session, seat, TEXT_SESSION_READY, NULL);
        }
        return true;
    }
    reply_refusal(session, seat, &reason);
    if (why != NULL) {
        *why = reason;
    }
    return false;
}

static bool line_of(struct session *session, unsigned seat, const char *person, const char *line,
                    struct refusal *why)
{
    const struct table_words words = session_words_of(session, seat);
    struct request request = {0};
    struct parse_error error = {0};
    if (why != NULL) {
        *why = (struct refusal){0};
    }
    if (!parse_request(&words, line, &request, &error)) {
        if (error.why.code == REFUSAL_NO_TABLE) { // no game to find its words in
            return session_refuse(session, seat, REFUSAL_NO_TABLE, why);
        }
        char text[ERROR_TEXT_SIZE];
        (void)render_parse_error(&words, &error, text, sizeof text);
        (void)message_add_refusal(&session->outbox, seat, text, &error.why);
        if (why != NULL) {
            *why = error.why;
        }
        return false;
    }
    if (request.kind != REQUEST_END && strcasecmp(session->end_asked, person) == 0) {
        session->end_asked[0] = '\0'; // thought better of it
    }
    if (request.kind == REQUEST_GAME) {
        return game_line(session, seat, &request, why);
    }
    if (is_lobby(request.kind)) {
        const bool done = session_lobby(session, seat, person, &request, why);
        if (done) {
            session_changed(session); // names and seats are no part of the state, but are seen
        }
        return done;
    }
    return answer(session, seat, person, &request, why);
}

bool session_line(struct session *session, unsigned seat, const char *line, struct refusal *why)
{
    return line_of(session, seat, session_seat_name(session, seat), line, why);
}

bool session_person_line(struct session *session, const char *person, const char *line,
                         struct refusal *why)
{
    return line_of(session, session_own_seat(session, person), person, line, why);
}

bool session_moderator_line(struct session *session, const char *person, const char *line,
                            struct refusal *why)
{
    session->moderator = true;
    const bool accepted = session_person_line(session, person, line, why);
    session->moderator = false;
    return accepted;
}
