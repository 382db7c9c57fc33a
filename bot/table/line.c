/*
 * Lines of words: to the core, or to what looks or changes who sits here.
 */
#include <string.h>

#include "bot/parse/verb.h"
#include "bot/render/render.h"
#include "bot/table/table_impl.h"

// No bare "accept" that was meant for a deal agrees to taking back, nor the other way round.
static bool answer_undo(struct table_work *work, const struct request *request,
                        const struct command *command, struct refusal *why)
{
    const unsigned rival = request->undo ? 0 : table_undo_rival(work, command);
    if (rival != 0) {
        return table_refuse_text(
            work, command->seat, REFUSAL_AMBIGUOUS_NAME, TEXT_UNDO_OR_DEAL,
            TEXT_ARGS(text_str("verb", command_word(command->verb)), text_num("n", (long)rival)),
            why);
    }
    table_undo_answer(work, command->seat, command);
    return true;
}

static bool game_line(struct table_work *work, unsigned seat, const struct request *request,
                      struct refusal *why)
{
    const unsigned state = work->table->state;
    if (state == TABLE_EMPTY || state == TABLE_LOBBY) {
        return table_refuse(work, seat, REFUSAL_NO_TABLE, why);
    }
    if (seat >= work->table->seat_count) {
        return table_refuse(work, seat, REFUSAL_NOT_AT_TABLE, why);
    }
    if (state == TABLE_OVER) {
        return table_refuse(work, seat, REFUSAL_GAME_OVER, why);
    }
    if (state == TABLE_PAUSED) {
        return table_refuse_text(work, seat, REFUSAL_WRONG_PHASE, TEXT_SESSION_PAUSED, NULL, why);
    }
    struct command command = request->command;
    command.seat = (uint8_t)seat;
    table_returns(work, seat);
    const bool answers = table_undo_answers(work, seat, &command);
    if (request->undo && !answers) {
        return table_refuse_text(work, seat, REFUSAL_NO_OFFER, TEXT_UNDO_NOT_ASKED, NULL, why);
    }
    if (answers) {
        return answer_undo(work, request, &command, why);
    }
    if (!table_may_offer(work, &command)) {
        return table_refuse_text(work, seat, REFUSAL_LIMIT_REACHED, TEXT_SESSION_OFFERS_MANY, NULL,
                                 why);
    }
    const bool setup = query_phase(work->game) == PHASE_SETUP;
    if (!table_submit(work, &command, why)) {
        table_reply_refusal(work, seat, why);
        return false;
    }
    // Rules: SETUP-6 binds nobody who is ready before the others are.
    const uint32_t caps = table_workspace_caps(work->ws, work->table->seats[seat].person.network);
    if (setup && command.verb == VERB_DONE && query_phase(work->game) == PHASE_SETUP &&
        (caps & CHAT_CAP_EDIT) == 0) { // else their hand says so
        table_reply_text(work, seat, TEXT_SESSION_READY, NULL);
    }
    return true;
}

static bool refuse_words(struct table_work *work, unsigned seat, const struct table_words *words,
                         const struct parse_error *error, struct refusal *why)
{
    if (error->why.code == REFUSAL_NO_TABLE) { // no game to find its words in
        return table_refuse(work, seat, REFUSAL_NO_TABLE, why);
    }
    char text[TABLE_SENTENCE_SIZE];
    (void)render_parse_error(words, error, text, sizeof text);
    (void)message_add_refusal(work->said, seat, text, &error->why);
    *why = error->why;
    return false;
}

bool table_line(struct table_work *work, struct refusal *why)
{
    const unsigned seat = table_seat_of(work->table, &work->deed->person);
    const struct table_words words = table_words_of(work, seat);
    struct request request = {0};
    struct parse_error error = {0};
    *why = (struct refusal){0};
    if (!parse_request(&words, work->deed->line, &request, &error)) {
        return refuse_words(work, seat, &words, &error, why);
    }
    if (!table_is_heard(work, seat, why)) {
        return false;
    }
    if (work->table->end_asked != 0 && request.kind != REQUEST_END &&
        work->table->end_asked == table_hash_of(work, &work->deed->person)) {
        work->table->end_asked = 0; // thought better of it
        work->dirty = true;
    }
    if (request.kind == REQUEST_GAME) {
        return game_line(work, seat, &request, why);
    }
    if (verb_of_kind(request.kind)->group == VERBS_TABLE) {
        const bool done = table_lobby(work, seat, &request, why);
        if (done && work->dirty) {
            table_changed(work); // names and seats are no part of the state, but are seen
        }
        return done;
    }
    return table_look(work, seat, &request, why);
}
