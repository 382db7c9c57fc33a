/*
 * Looking, standing orders, and asking what a command would do. Whatever a look shows comes from
 * the view of who looks.
 */
#include <string.h>

#include <strings.h>

#include "bot/render/asks.h"
#include "bot/render/render.h"
#include "bot/table/table_impl.h"

static void put_line(struct text_out *out, enum text_id id, const char *who, size_t people,
                     const struct deed_stats *line)
{
    text_line(out, id,
              TEXT_ARGS(text_str("who", who), text_num("people", (long)people),
                        text_num("n", (long)line->games), text_num("wins", (long)line->wins),
                        text_num("kills", (long)line->kills),
                        text_num("deaths", (long)line->deaths)));
}

static bool table_answer_stats(struct table_work *work, unsigned seat,
                               const struct request *request)
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

/* Who wants to be called for what: of all that is said to everybody only what a table says here
 * makes a noise. */

static const char *const WORDS[NOTIFY_TOTAL] = {
    [NOTIFY_USUAL] = "", [NOTIFY_ALL] = "all", [NOTIFY_TURN] = "turn", [NOTIFY_NONE] = "none"};

static bool table_answer_notify(struct table_work *work, unsigned seat,
                                const struct request *request, struct refusal *why)
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
    table_reply_text(work, seat, SAYS[table_wish_of(work->table, seat)],
                     TEXT_ARGS(text_str("turn", asks_ringing(RINGS_TURN, turn)),
                               text_str("all", asks_ringing(RINGS_ALL, all))));
    return true;
}

// `dm`: what is private is to be tried again.
static bool table_answer_dm(struct table_work *work, unsigned seat, struct refusal *why)
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

enum { LOOK_BUDGET = 1900 /**< one message of the chat with the shortest ones, and some room */ };

static bool answer_why(struct table_work *work, unsigned seat, const struct request *request)
{
    if (work->table->state != TABLE_RUNNING || request->command.verb == VERB_NONE) {
        table_reply_text(work, seat, TEXT_SESSION_WHY_NOT_GAME, NULL);
        return true;
    }
    const struct table_words words = table_words_of(work, seat);
    struct command command = request->command;
    struct table_workspace *const ws = work->ws;
    command.seat = (uint8_t)seat;
    (void)render_why(&words, &command, ws->scratch, &ws->events, ws->text, sizeof ws->text);
    table_reply(work, seat, ws->text);
    return true;
}

// How many of the latest narrations one message holds, at most that many.
static size_t latest(const struct deed_fetched *fetched, size_t most)
{
    size_t count = 0;
    size_t used = 0;
    while (count < most && (count == 0 || used <= LOOK_BUDGET)) {
        count++;
        used += strlen(fetched->log[fetched->log_count - count]);
    }
    return used <= LOOK_BUDGET || count == 1 ? count : count - 1;
}

static bool answer_log(struct table_work *work, unsigned seat, int wanted)
{
    if (!table_fetched(work, FETCH_LOG)) {
        return true;
    }
    const struct deed_fetched *const fetched = work->deed->fetched;
    if (fetched->log_count == 0) {
        table_reply_text(work, seat, TEXT_SESSION_NO_LOG, NULL);
        return true;
    }
    size_t count = wanted > 0 ? (size_t)wanted : TABLE_LOG_SHOWN;
    count = count < fetched->log_count ? count : fetched->log_count;
    count = wanted > 0 ? count : latest(fetched, count);
    struct text_out out;
    text_begin(&out, work->ws->text, sizeof work->ws->text);
    for (size_t i = fetched->log_count - count; i < fetched->log_count; i++) {
        text_raw(&out, fetched->log[i]);
    }
    table_reply(work, seat, work->ws->text);
    return true;
}

static void show_orders(struct table_work *work, unsigned seat)
{
    const struct table_seat *const who = &work->table->seats[seat];
    enum text_id id = TEXT_SESSION_ORDERS_NONE;
    if (who->order != 0) {
        id = who->order == ORDER_PASS_BELOW ? TEXT_SESSION_ORDERS_BELOW : TEXT_SESSION_ORDERS_TURN;
    }
    table_reply_text(work, seat, id, TEXT_ARGS(text_num("n", who->order_level)));
}

static bool answer_orders(struct table_work *work, unsigned seat, const struct request *request,
                          struct refusal *why)
{
    static const enum text_id TEXTS[] = {
        [ORDER_PASS_BELOW] = TEXT_SESSION_ORDERS_BELOW,
        [ORDER_PASS_TURN] = TEXT_SESSION_ORDERS_TURN,
        [ORDER_ASK] = TEXT_SESSION_ORDERS_ASK,
        [ORDER_CLEAR] = TEXT_SESSION_ORDERS_CLEAR,
    };
    if (seat >= work->table->seat_count) {
        return table_refuse(work, seat, REFUSAL_NOT_AT_TABLE, why);
    }
    struct table_seat *const who = &work->table->seats[seat];
    const int goal = work->box->profile.constant[PROFILE_GOAL];
    if (request->order == 0) {
        show_orders(work, seat);
        return true;
    }
    if (request->order == ORDER_PASS_BELOW && (request->n < 2 || request->n > goal)) {
        return table_refuse_text(work, seat, REFUSAL_BAD_ARGUMENTS, TEXT_SESSION_ORDERS_LEVEL,
                                 TEXT_ARGS(text_num("n", goal)), why);
    }
    table_returns(work, seat);
    who->order = request->order == ORDER_CLEAR || request->order == ORDER_ASK ? 0 : request->order;
    who->order_level = (uint8_t)request->n;
    work->dirty = true;
    const unsigned order = request->order >= ORDER_PASS_BELOW && request->order <= ORDER_CLEAR
                               ? request->order
                               : ORDER_CLEAR;
    table_reply_text(work, seat, TEXTS[order], TEXT_ARGS(text_num("n", request->n)));
    table_order_acts(work, seat);
    table_clock_wind(work);
    return true;
}

static bool needs_game(enum request_kind kind)
{
    return kind == REQUEST_HAND || kind == REQUEST_CARD || kind == REQUEST_SCORE ||
           kind == REQUEST_ORDERS || kind == REQUEST_UNDO || kind == REQUEST_WHY;
}

static bool answer_rules(struct table_work *work, unsigned seat, const char *topic)
{
    struct table_words words = table_words_of(work, seat);
    char seal[DIGEST_HEX_SIZE];
    if (table_fair_seal(work->table, seal)) {
        words.seal = seal;
    }
    size_t length = 0;
    if (strcmp(topic, TABLE_PROOF) == 0) {
        struct text_out out;
        text_begin(&out, work->ws->text, sizeof work->ws->text);
        (void)table_fair_proof(work->table, &out);
        length = out.length;
    }
    (void)render_rules(&words, topic, work->ws->text + length, sizeof work->ws->text - length);
    table_reply(work, seat, work->ws->text);
    return true;
}

// Who says so a second time is the host's to forget: a table knows only itself.
static bool answer_forget_me(struct table_work *work, unsigned seat, const struct request *request)
{
    work->outcome->forget_me = strcasecmp(request->text, "yes") == 0;
    if (!work->outcome->forget_me) {
        table_reply_text(work, seat, TEXT_FORGET_ME_ASK, NULL);
    }
    return true;
}

static bool look(struct table_work *work, unsigned seat, const struct request *request)
{
    struct table_words words = table_words_of(work, seat);
    struct scene *const scene = work->ws->scene;
    char *const text = work->ws->text;
    const size_t size = sizeof work->ws->text;
    size_t length = 0;
    words.budget = LOOK_BUDGET;
    text[0] = '\0';
    const bool own = request->kind == REQUEST_CARD && request->card == NO_CARD;
    switch (own ? REQUEST_HAND : request->kind) {
    case REQUEST_STATUS:
        scene_make(scene, &words, SAYS_NOTHING);
        (void)(words.view != NULL
                   ? table_add_paused(work, text, size, render_table(scene, text, size))
                   : table_card(work, 0, text, size));
        break;
    case REQUEST_HAND:
        scene_make(scene, &words, SAYS_OWN);
        (void)render_hand(scene, text, size);
        break;
    case REQUEST_CARD:
        (void)render_card(&words, request->card, text, size);
        break;
    case REQUEST_SCORE:
        length = render_score(&words, text, size);
        if (work->table->state == TABLE_OVER) {
            (void)render_highlights(&words, &work->table->highlights, text + length, size - length);
        }
        break;
    case REQUEST_HELP:
        (void)render_help(&words, request->text[0] != '\0' ? request->text : NULL, text, size);
        break;
    default:
        return false;
    }
    table_reply(work, seat, text);
    return true;
}

bool table_look(struct table_work *work, unsigned seat, const struct request *request,
                struct refusal *why)
{
    const bool running = work->table->state >= TABLE_RUNNING;
    // Statistics are those of a place.
    const bool nowhere = request->kind == REQUEST_STATS && work->table->site_count == 0;
    const bool nothing =
        work->table->state == TABLE_EMPTY && (request->kind == REQUEST_STATUS || nowhere);
    if (nothing || (needs_game(request->kind) && !running)) {
        return table_refuse(work, seat, REFUSAL_NO_TABLE, why);
    }
    switch (request->kind) {
    case REQUEST_WHY:
        return answer_why(work, seat, request);
    case REQUEST_LOG:
        return answer_log(work, seat, request->n);
    case REQUEST_RULES:
        return answer_rules(work, seat, request->text);
    case REQUEST_ORDERS:
        return answer_orders(work, seat, request, why);
    case REQUEST_NOTIFY:
        return table_answer_notify(work, seat, request, why);
    case REQUEST_DM:
        return table_answer_dm(work, seat, why);
    case REQUEST_STATS:
        return table_answer_stats(work, seat, request);
    case REQUEST_PRIVACY:
        table_reply_text(work, seat, TEXT_PRIVACY, NULL);
        return true;
    case REQUEST_FORGET_ME:
        return answer_forget_me(work, seat, request);
    case REQUEST_UNDO:
        table_returns(work, seat);
        return table_undo(work, seat, why);
    default:
        return look(work, seat, request);
    }
}
