/*
 * Taking back the last command of a person (core/seen/undo.h): at once while that gives nobody
 * anything, else by consent of the whole table.
 *
 * The table before that command is the version that the store keeps beside the present one; it is
 * fetched when it is needed. Who is asked: everybody else who sits there as a person. Bot players
 * go by a rule that everybody can foresee and that no hand shapes: they agree when no die and no
 * unknown card came into play, and otherwise once every other person has agreed; with none there
 * they do not.
 */
#include "core/seen/undo.h"

#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

#include "bot/table/play/play.h"
#include "bot/table/table_codec.h"

static void lapse(struct table_work *work)
{
    if (work->table->undo.asker != NO_SEAT) {
        work->table->undo.asker = NO_SEAT;
        table_tell(work, TEXT_UNDO_LAPSES, NULL);
    }
}

// Whether nobody was told anything of the last command: an answer that is sealed until all are in.
static bool was_sealed(const struct table_work *work)
{
    const struct event_list *const events = &work->ws->events;
    for (uint32_t i = 0; i < events->count; i++) {
        struct event told;
        if (event_for_viewer(&events->items[i], NO_SEAT, &told)) {
            return false;
        }
    }
    return true;
}

void table_undo_note(struct table_work *work, const struct command *command)
{
    struct table *const table = work->table;
    struct table_undo *const undo = &table->undo;
    const bool player = command->seat < table->seat_count;
    // What is done in secret leaves the last command the last one, or others could ask for it.
    const bool pass = command->verb == VERB_PASS || was_sealed(work);
    // Only what a person says themselves: the deed is theirs, and the version before it is kept.
    const bool said = work->deed->kind == DEED_LINE || work->deed->kind == DEED_COMMAND;
    if (player && !pass && said && table_seat_is_person(&table->seats[command->seat])) {
        lapse(work);
        *undo = (struct table_undo){.kept = 1,
                                    .author = command->seat,
                                    .asker = NO_SEAT,
                                    .since_ms = work->deed->passed_ms,
                                    .entry = table->journal_count - 1};
        work->outcome->keep_earlier = true;
        return;
    }
    if (undo->kept == 0 || pass) {
        return;
    }
    undo->others = command->seat != undo->author ? 1 : undo->others;
    lapse(work);
}

// The table to go back to, fetched and decoded; NULL: not to be had. To be freed.
static struct table *earlier(struct table_work *work)
{
    const struct deed_fetched *const fetched = work->deed->fetched;
    struct table *const before = mb_new(1, table_size());
    struct mb_error err = {0};
    if (!table_decode_with(fetched->earlier, fetched->earlier_size, work->box, before, &err)) {
        free(before);
        return NULL;
    }
    return before;
}

static unsigned others_of(const struct table_work *work, unsigned seat, bool people_only)
{
    unsigned seats = 0;
    for (unsigned i = 0; i < work->table->seat_count; i++) {
        const bool counts = !people_only || table_seat_is_person(&work->table->seats[i]);
        seats |= i != seat && counts ? seat_bit(i) : 0u;
    }
    return seats;
}

// Questions and windows get their numbers a second time: the clocks must not take them for old
// ones. What is open again goes on as if nothing had been in between, or whoever does something and
// takes it back could stretch it for ever. What all agree to take back is open anew.
static void restore_timers(struct table_work *work, const struct table *before, bool agreed)
{
    struct table_timer *const timers = work->table->timers;
    const int64_t since = work->table->undo.since_ms;
    const bool answer = query_pause(work->game, PAUSE_ANSWER).kind != PAUSE_NONE;
    struct table_timer *const inner = &timers[answer ? CLOCK_ANSWER : CLOCK_WINDOW];
    memset(timers, 0, sizeof work->table->timers);
    if (agreed) {
        return;
    }
    if (query_pause(work->game, PAUSE_WIN).kind != PAUSE_NONE) {
        timers[CLOCK_WINDOW] = before->timers[CLOCK_WINDOW];
    }
    if (answer) {
        timers[CLOCK_ANSWER] = before->timers[CLOCK_ANSWER];
    }
    if (inner->left_ms > 0) {
        inner->left_ms = inner->left_ms > since ? inner->left_ms - since : 1;
    }
}

static void take_back(struct table_work *work, const struct table *before, unsigned agreed)
{
    struct table *const table = work->table;
    const unsigned seat = table->undo.asker;
    struct event_list *const events = &work->ws->events;
    events->count = 0;
    undo_apply(work->game, work->box, table_game(before), events);
    for (unsigned i = 0; i < table->seat_count; i++) {
        table->seats[i].tally = before->seats[i].tally;
    }
    table->highlights = before->highlights;
    bool shuffled = false;
    for (uint32_t i = 0; i < events->count; i++) {
        shuffled = shuffled || events->items[i].type == EVENT_SHUFFLE;
    }
    if (table->seeded != 0) {
        journal_undo(&work->outcome->journal, seat, agreed, table->undo.entry, work->game);
        table->journal_count++;
    }
    restore_timers(work, before, agreed != 0);
    table_undo_forget(table);
    table_changed(work);
    table_clock_wind(work);
    table_tell(work, shuffled ? TEXT_UNDO_DONE_SHUFFLED : TEXT_UNDO_DONE,
               TEXT_ARGS(text_str("who", table_seat_name(table, seat))));
}

// Carries it out when nobody is left to ask.
static void settle(struct table_work *work)
{
    struct table_undo *const undo = &work->table->undo;
    const unsigned people = others_of(work, undo->asker, true);
    if (undo->asker == NO_SEAT || (people & ~(unsigned)undo->agreed) != 0) {
        return;
    }
    const bool bots = others_of(work, undo->asker, false) != people;
    if (bots && people == 0 && undo->plain == 0) {
        undo->asker = NO_SEAT;
        table_tell(work, TEXT_UNDO_BOTS_REFUSE, NULL);
        return;
    }
    if (!table_fetched(work, FETCH_EARLIER)) {
        return;
    }
    struct table *const before = earlier(work);
    if (before == NULL) {
        undo->asker = NO_SEAT;
        table_tell(work, TEXT_UNDO_NOTHING, NULL);
        return;
    }
    take_back(work, before, others_of(work, undo->asker, false));
    free(before);
}

static void ask_the_table(struct table_work *work, unsigned seat)
{
    const struct table *const table = work->table;
    const char *names[MB_SEATS_MAX];
    size_t count = 0;
    const unsigned people = others_of(work, seat, true);
    for (unsigned i = 0; i < table->seat_count; i++) {
        if ((people & seat_bit(i)) != 0) {
            names[count++] = table_seat_name(table, i);
        }
    }
    work->table->undo.agreed = 0;
    work->table->undo.left_ms = table_clock_length(work, CLOCK_ASK);
    if (count > 0) {
        char list[MB_SEATS_MAX * PERSON_NAME_SIZE + 64];
        struct text_out out;
        text_begin(&out, list, sizeof list);
        text_list(&out, names, count, TEXT_AND);
        table_tell(work, table->undo.author == seat ? TEXT_UNDO_ASKS_OWN : TEXT_UNDO_ASKS,
                   TEXT_ARGS(text_str("who", table_seat_name(table, seat)),
                             text_str("other", table_seat_name(table, table->undo.author)),
                             text_str("players", list)));
    }
    settle(work);
}

static bool refuse_undo(struct table_work *work, unsigned seat, enum text_id id,
                        struct refusal *why)
{
    return table_refuse_text(work, seat, REFUSAL_NOT_USABLE, id, NULL, why);
}

bool table_undo(struct table_work *work, unsigned seat, struct refusal *why)
{
    struct table_undo *const undo = &work->table->undo;
    if (seat >= work->table->seat_count) {
        return table_refuse(work, seat, REFUSAL_NOT_AT_TABLE, why);
    }
    if (work->table->state == TABLE_OVER) {
        return table_refuse(work, seat, REFUSAL_GAME_OVER, why);
    }
    if (undo->asker != NO_SEAT) {
        return refuse_undo(work, seat, TEXT_UNDO_OPEN, why);
    }
    if (undo->kept == 0 || work->table->state != TABLE_RUNNING) {
        return refuse_undo(work, seat, TEXT_UNDO_NOTHING, why);
    }
    if (!table_fetched(work, FETCH_EARLIER)) {
        return true;
    }
    struct table *const before = earlier(work);
    if (before == NULL) {
        return refuse_undo(work, seat, TEXT_UNDO_NOTHING, why);
    }
    undo->plain = undo_is_fair(table_game(before), work->game, undo->author) ? 1 : 0;
    undo->asker = (uint8_t)seat;
    if (undo->plain != 0 && undo->others == 0 && undo->author == seat) {
        take_back(work, before, 0);
    } else {
        ask_the_table(work, seat);
    }
    free(before);
    return true;
}

unsigned table_undo_rival(const struct table_work *work, const struct command *command)
{
    struct command answer = *command;
    for (unsigned i = 0; i < query_deal_count(work->game); i++) {
        struct refusal why = {0};
        answer.n = (int16_t)query_deal(work->game, i)->id;
        if (game_check(work->game, work->box, &answer, &why)) {
            return (unsigned)answer.n;
        }
    }
    return 0;
}

bool table_undo_answers(const struct table_work *work, unsigned seat, const struct command *command)
{
    const struct table_undo *const undo = &work->table->undo;
    const bool answer = command->verb == VERB_ACCEPT || command->verb == VERB_REFUSE;
    const bool asked = seat < work->table->seat_count && seat != undo->asker &&
                       (undo->agreed & seat_bit(seat)) == 0;
    const bool withdraws = command->verb == VERB_WITHDRAW && seat == undo->asker;
    return undo->asker != NO_SEAT && command->n == 0 && ((answer && asked) || withdraws);
}

void table_undo_answer(struct table_work *work, unsigned seat, const struct command *command)
{
    struct table_undo *const undo = &work->table->undo;
    const char *const name = table_seat_name(work->table, seat);
    if (command->verb == VERB_ACCEPT) {
        undo->agreed = (uint8_t)(undo->agreed | seat_bit(seat));
        table_tell(work, TEXT_UNDO_AGREES, TEXT_ARGS(text_str("who", name)));
        settle(work);
        return;
    }
    undo->asker = NO_SEAT;
    table_tell(work, command->verb == VERB_REFUSE ? TEXT_UNDO_REFUSED : TEXT_UNDO_WITHDRAWN,
               TEXT_ARGS(text_str("who", name)));
}

void table_undo_seats(struct table_work *work)
{
    const unsigned asker = work->table->undo.asker;
    if (asker < work->table->seat_count && !table_seat_is_person(&work->table->seats[asker])) {
        lapse(work);
    }
    settle(work);
}

void table_undo_elapse(struct table_work *work)
{
    work->table->undo.asker = NO_SEAT; // silence is no consent
    table_tell(work, TEXT_UNDO_TIMES_OUT, NULL);
}
