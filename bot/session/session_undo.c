/*
 * Taking back the last command of a person (core/undo.h): at once while that gives nobody anything,
 * else by consent of the whole table.
 *
 * The state before that command is kept as a delta to the present state. Who is asked: everybody
 * else who sits there as a person. Bot players go by a rule that everybody can foresee and that no
 * hand shapes: they agree when no die and no unknown card came into play, and otherwise once every
 * other person has agreed; with none there they do not.
 */
#include <string.h>

#include "core/undo.h"

#include "bot/session/session_impl.h"

void session_undo_forget(struct session *session)
{
    struct session_undo *const undo = &session->undo;
    delta_finish(&undo->back);
    *undo = (struct session_undo){.asker = NO_SEAT};
}

static void lapse(struct session *session)
{
    if (session->undo.asker != NO_SEAT) {
        session->undo.asker = NO_SEAT;
        session_tell(session, TEXT_UNDO_LAPSES, NULL);
    }
}

void session_undo_note(struct session *session, const struct command *command)
{
    struct session_undo *const undo = &session->undo;
    struct game *const before = session->workspace->after; // scratch now
    const bool player = command->seat < session->seat_count;
    const bool pass = command->verb == VERB_PASS;
    if (player && !pass && session->seats[command->seat].policy == NULL) {
        lapse(session);
        undo->author = command->seat;
        undo->others = false;
        undo->window = session->clock.timers[CLOCK_WINDOW]; // not wound for what follows yet
        undo->answer = session->clock.timers[CLOCK_ANSWER];
        undo->at_ms = session->clock.now_ms;
        undo->entry = session->journal != NULL && session->journal->count > 0
                          ? session->journal->count - 1
                          : 0;
        memcpy(undo->tally, session->tally_before, sizeof undo->tally);
        undo->highlights = session->highlights_before;
        undo->kept = delta_make(&undo->back, session->game, before, game_size());
        return;
    }
    if (!undo->kept) {
        return;
    }
    if (!pass && command->seat != undo->author) {
        undo->others = true;
    }
    if (!pass) {
        lapse(session);
    }
    delta_apply(&undo->back, before);
    undo->kept = delta_make(&undo->back, session->game, before, game_size());
}

// The state to go back to, in the workspace.
static struct game *earlier(struct session *session)
{
    struct game *const before = session->workspace->after;
    game_copy(before, session->game);
    delta_apply(&session->undo.back, before);
    return before;
}

static unsigned others_of(const struct session *session, unsigned seat, bool people_only)
{
    unsigned seats = 0;
    for (unsigned i = 0; i < session->seat_count; i++) {
        const bool counts = !people_only || session->seats[i].policy == NULL;
        seats |= i != seat && counts ? seat_bit(i) : 0u;
    }
    return seats;
}

// Questions and windows get their numbers a second time: the clocks must not take them for old
// ones. What is open again goes on as if nothing had been in between, or whoever does something and
// takes it back could stretch it for ever.
// What all agree to take back is open anew.
static void restore_timers(struct session *session, const struct session_undo *undo, bool agreed)
{
    struct session_timer *const timers = session->clock.timers;
    const int64_t since = session->clock.now_ms - undo->at_ms;
    const bool answer = query_pause(session->game, PAUSE_ANSWER).kind != PAUSE_NONE;
    struct session_timer *const inner = &timers[answer ? CLOCK_ANSWER : CLOCK_WINDOW];
    memset(timers, 0, sizeof session->clock.timers);
    if (agreed) {
        return;
    }
    if (query_pause(session->game, PAUSE_WIN).kind != PAUSE_NONE) {
        timers[CLOCK_WINDOW] = undo->window;
    }
    if (answer) {
        timers[CLOCK_ANSWER] = undo->answer;
    }
    if (inner->left_ms > 0) {
        inner->left_ms = inner->left_ms > since ? inner->left_ms - since : 1;
    }
}

static void take_back(struct session *session, unsigned seat, unsigned agreed)
{
    struct session_undo *const undo = &session->undo;
    struct event_list *const events = &session->workspace->events;
    undo_apply(session->game, &session->box, earlier(session), events);
    memcpy(session->tally, undo->tally, sizeof session->tally);
    session->highlights = undo->highlights;
    bool shuffled = false;
    for (uint32_t i = 0; i < events->count; i++) {
        shuffled = shuffled || events->items[i].type == EVENT_SHUFFLE;
    }
    if (session->journal != NULL && session->seeded) {
        journal_undo(session->journal, seat, agreed, undo->entry, session->game);
    }
    restore_timers(session, undo, agreed != 0);
    session_undo_forget(session);
    session_changed(session);
    session_clock_wind(session);
    session_tell(session, shuffled ? TEXT_UNDO_DONE_SHUFFLED : TEXT_UNDO_DONE,
                 TEXT_ARGS(text_str("who", session_seat_name(session, seat))));
}

// Carries it out when nobody is left to ask.
static void settle(struct session *session)
{
    struct session_undo *const undo = &session->undo;
    const unsigned people = others_of(session, undo->asker, true);
    if (undo->asker == NO_SEAT || (people & ~undo->agreed) != 0) {
        return;
    }
    const bool bots = others_of(session, undo->asker, false) != people;
    if (bots && people == 0 && !undo->plain) {
        undo->asker = NO_SEAT;
        session_tell(session, TEXT_UNDO_BOTS_REFUSE, NULL);
        return;
    }
    take_back(session, undo->asker, others_of(session, undo->asker, false));
}

static void ask_the_table(struct session *session, unsigned seat)
{
    const char *names[MB_SEATS_MAX];
    size_t count = 0;
    const unsigned people = others_of(session, seat, true);
    for (unsigned i = 0; i < session->seat_count; i++) {
        if ((people & seat_bit(i)) != 0) {
            names[count++] = session->seats[i].name;
        }
    }
    session->undo.asker = seat;
    session->undo.agreed = 0;
    session->undo.left_ms = session_clock_length(session, CLOCK_ASK);
    if (count > 0) {
        char list[MB_SEATS_MAX * SESSION_NAME_SIZE + 64];
        struct text_out out;
        text_begin(&out, list, sizeof list);
        text_list(&out, names, count, TEXT_AND);
        session_tell(session, TEXT_UNDO_ASKS,
                     TEXT_ARGS(text_str("who", session_seat_name(session, seat)),
                               text_str("other", session_seat_name(session, session->undo.author)),
                               text_str("players", list)));
    }
    settle(session);
}

static bool refuse_undo(struct session *session, unsigned seat, enum text_id id,
                        struct refusal *why)
{
    return session_refuse_text(session, seat, REFUSAL_NOT_USABLE, id, NULL, why);
}

bool session_undo(struct session *session, unsigned seat, struct refusal *why)
{
    struct session_undo *const undo = &session->undo;
    if (seat >= session->seat_count) {
        return session_refuse(session, seat, REFUSAL_NOT_AT_TABLE, why);
    }
    if (session->state == SESSION_OVER) {
        return session_refuse(session, seat, REFUSAL_GAME_OVER, why);
    }
    if (undo->asker != NO_SEAT) {
        return refuse_undo(session, seat, TEXT_UNDO_OPEN, why);
    }
    if (!undo->kept || session->state != SESSION_RUNNING) {
        return refuse_undo(session, seat, TEXT_UNDO_NOTHING, why);
    }
    undo->plain = undo_is_fair(earlier(session), session->game, undo->author);
    if (undo->plain && !undo->others && undo->author == seat) {
        take_back(session, seat, 0);
    } else {
        ask_the_table(session, seat);
    }
    return true;
}

bool session_undo_answers(const struct session *session, unsigned seat,
                          const struct command *command)
{
    const struct session_undo *const undo = &session->undo;
    const bool answer = command->verb == VERB_ACCEPT || command->verb == VERB_REFUSE;
    const bool asked =
        seat < session->seat_count && seat != undo->asker && (undo->agreed & seat_bit(seat)) == 0;
    const bool withdraws = command->verb == VERB_WITHDRAW && seat == undo->asker;
    return undo->asker != NO_SEAT && command->n == 0 && ((answer && asked) || withdraws);
}

void session_undo_answer(struct session *session, unsigned seat, const struct command *command)
{
    struct session_undo *const undo = &session->undo;
    const struct text_arg *const who = TEXT_ARGS(text_str("who", session_seat_name(session, seat)));
    if (command->verb == VERB_ACCEPT) {
        undo->agreed |= seat_bit(seat);
        session_tell(session, TEXT_UNDO_AGREES, who);
        settle(session);
        return;
    }
    undo->asker = NO_SEAT;
    session_tell(session, command->verb == VERB_REFUSE ? TEXT_UNDO_REFUSED : TEXT_UNDO_WITHDRAWN,
                 who);
}

void session_undo_seats(struct session *session)
{
    if (session->undo.asker < session->seat_count &&
        session->seats[session->undo.asker].policy != NULL) {
        lapse(session);
    }
    settle(session);
}

void session_undo_pass_time(struct session *session, int64_t ms)
{
    struct session_undo *const undo = &session->undo;
    if (undo->asker != NO_SEAT) {
        undo->left_ms -= ms;
    }
}

void session_undo_elapse(struct session *session)
{
    session->undo.asker = NO_SEAT; // silence is no consent
    session_tell(session, TEXT_UNDO_TIMES_OUT, NULL);
}
