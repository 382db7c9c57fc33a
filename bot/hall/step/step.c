#include "bot/hall/step/step.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

#include "bot/parse/parse.h"

static struct hall_step *take_step(struct hall *hall)
{
    struct hall_step *step = hall->free_steps;
    if (step != NULL) {
        hall->free_steps = step->next_free;
    } else {
        step = mb_new(1, sizeof *step);
        table_outcome_init(&step->outcome);
    }
    return step;
}

static void forget_renewed(struct hall_step *step)
{
    free(step->renewed);
    step->renewed = NULL;
}

void hall_step_drop(struct hall *hall, struct hall_table *table)
{
    struct hall_step *const step = table->step;
    if (step->line != NULL) {
        hall_line_end(hall, step->line);
    }
    forget_renewed(step);
    hall_commit_drop(step);
    memset(step, 0, offsetof(struct hall_step, outcome));
    table_outcome_clear(&step->outcome);
    step->next_free = hall->free_steps;
    hall->free_steps = step;
    table->step = NULL;
}

void hall_steps_finish(struct hall *hall)
{
    while (hall->free_steps != NULL) {
        struct hall_step *const step = hall->free_steps;
        hall->free_steps = step->next_free;
        table_outcome_finish(&step->outcome);
        free(step);
    }
}

void hall_step_end(struct hall *hall, struct hall_table *table)
{
    hall_step_drop(hall, table);
    table->state = HALL_READY;
    table->ask_ms = STORE_NEVER;
    hall_table_work(hall, table); // lines, or what is due by now
}

// The line waits again, before all others.
void hall_step_give_back(struct hall *hall, struct hall_table *table)
{
    struct hall_line *const line = table->step->line;
    table->step->line = NULL;
    if (line != NULL) {
        line->next = table->lines.first;
        table->lines.first = line;
        if (table->lines.count++ == 0) {
            table->lines.end = &line->next;
        }
    }
    hall_step_drop(hall, table);
}

void hall_step_give_up(struct hall *hall, struct hall_table *table, enum text_id why)
{
    const struct hall_step *const step = table->step;
    if (step->deed.kind == DEED_LINE) {
        hall_answer(hall, step->line, why, NULL);
    } else if (why == TEXT_HALL_NOT_KEPT) {
        hall_say(hall, table, why, NULL);
    }
    hall_step_end(hall, table);
}

static const struct table *base_of(const struct hall_table *table)
{
    return table->step->renewed != NULL ? table->step->renewed : table->table;
}

static void take_line(struct hall *hall, const struct hall_table *table, struct deed *deed)
{
    const struct hall_step *const step = table->step;
    const struct hall_line *const line = step->line;
    deed->person = hall_speaker(hall, line);
    deed->person.moderates = deed->person.moderates && deed->at_site;
    deed->line = line->words;
    deed->open = line->in->open;
    deed->chance = step->chance;
    deed->last = line->last;
    deed->hushed = hall_person_recalls(hall, line, false);
    deed->links = line->links;
    if (line->kind == REQUEST_START) {
        (void)hall_reach(hall, base_of(table), deed->reach_s);
    }
    if (line->resumes || line->links) {
        deed->place = line->in->place;
        deed->place_name = line->in->place_name;
    }
}

// What the deed says by now: others may have changed the table since it was first decided.
static const struct deed *deed_now(struct hall *hall, const struct hall_table *table,
                                   const struct deed_fetched *fetched)
{
    struct hall_step *const step = table->step;
    step->deed.fetched = fetched;
    if (step->deed.kind == DEED_LINE) {
        take_line(hall, table, &step->deed);
    } else if (step->line != NULL) {
        hall_place_deed(hall, table, &step->deed);
    } else if (step->deed.kind == DEED_DEAL) {
        (void)hall_reach(hall, base_of(table), step->deed.reach_s);
    }
    return &step->deed;
}

// What the step has shown and said is complete; false: it cannot be shown, and the step is over.
static bool finish_outcome(struct hall *hall, struct hall_table *table)
{
    struct table_outcome *const outcome = &table->step->outcome;
    if (table_state(outcome->after) != TABLE_EMPTY) {
        table->step->reshow_sites = table->reshow_sites;
        table->step->reshow_seats = table->reshow_seats;
        // What was shown no more at the end comes back with a game that is taken back.
        const bool over = table->version > 0 && table_state(table->table) == TABLE_OVER;
        table_forget_shown(outcome->after, table->reshow_sites, over ? ~0u : table->reshow_seats);
        table_show(hall->workspace, outcome);
    }
    if (outcome->answer == TABLE_FAILED) {
        hall_step_give_up(hall, table, TEXT_HALL_COME_AGAIN);
        return false;
    }
    hall_step_messages(hall, table);
    hall_seek_missed(hall, table);
    return true;
}

// Bot players go on as long as they alone may act, a move at a time with other tables in between;
// false: the hall goes.
static bool bots_go_on(struct fibre *fibre, struct hall *hall, struct hall_table *table)
{
    struct hall_step *const step = table->step;
    struct table_outcome *const outcome = &step->outcome;
    const struct deed deed = {.kind = DEED_GO_ON};
    enum table_answer answer = TABLE_CHANGED;
    for (unsigned moves = 0;
         answer == TABLE_CHANGED && moves < TABLE_GO_ON_MAX && hall_goes_on(hall, outcome->after);
         moves++) {
        if (!hall_table_rest(fibre, hall, table)) {
            return false;
        }
        answer = table_decide(outcome->after, outcome->stamp, &deed, hall->workspace, outcome);
        if (answer != TABLE_FAILED) {
            outcome->answer = TABLE_CHANGED; // the step as a whole
        }
    }
    return true;
}

// Nothing of the table has changed: what is answered is answered, but what is to be forgotten is
// forgotten first. True: that is to be committed.
static bool answer_unchanged(struct hall *hall, struct hall_table *table)
{
    struct hall_step *const step = table->step;
    if (step->deed.kind != DEED_LINE) {
        hall_step_end(hall, table);
        return false;
    }
    if (step->outcome.forget_stats) {
        step->aside = true;
        return true;
    }
    if (step->outcome.deal_now) {
        table->reach_ms = hall->now_ms;
    }
    if (step->outcome.link) {
        struct hall_line *const line = step->line;
        step->line = NULL;
        hall_link_offer(hall, table, line);
    } else if (step->outcome.forget_me) {
        hall_forget_begin(hall, step->line);
    } else {
        hall_say_replies(hall, table, step->line, &step->outcome.said);
    }
    hall_step_end(hall, table);
    return false;
}

static struct deed_stats stats_of(const struct store_line *line)
{
    return (struct deed_stats){line->games, line->wins, line->kills, line->deaths};
}

/** What the step was to know before it could be decided, and the answers that it points into. */
struct fetching {
    struct deed_fetched fetched;
    struct store_answer *answers[3];
    unsigned count;
};

static void take_fetched(struct fetching *fetching, struct store_answer *answer)
{
    struct deed_fetched *const fetched = &fetching->fetched;
    fetching->answers[fetching->count++] = answer;
    if (answer->kind == STORE_LOG) {
        fetched->what |= FETCH_LOG;
        fetched->log = answer->texts;
        fetched->log_count = answer->count;
    } else if (answer->kind == STORE_STATISTICS) {
        fetched->what |= FETCH_STATS;
        fetched->stats = stats_of(&answer->line);
        fetched->total = stats_of(&answer->total);
        fetched->people = answer->people;
    } else {
        fetched->what |= FETCH_EARLIER;
        fetched->earlier = answer->bytes.at;
        fetched->earlier_size = answer->bytes.size;
    }
}

// Fetches one of the things in `what`; false: the hall stops.
static bool fetch(struct fibre *fibre, struct hall *hall, struct hall_table *table, unsigned what,
                  struct fetching *fetching)
{
    const struct person person = table->step->outcome.fetch_person;
    struct store_request request = {.kind = STORE_EARLIER, .table = table->id};
    if ((what & FETCH_LOG) != 0) {
        request.kind = STORE_LOG;
        request.count = STORE_LOG_MAX;
    } else if ((what & FETCH_STATS) != 0) {
        request.kind = STORE_STATISTICS;
        request.network = person.network;
        request.person = person.id;
        request.community = table->community;
    }
    table->state = HALL_ASKING;
    struct store_answer *const answer = hall_table_await(fibre, hall, table, &request);
    if (answer != NULL) {
        take_fetched(fetching, answer);
    }
    return answer != NULL;
}

// Decides, and fetches first what that takes. TABLE_FETCH: what was fetched did not help, and the
// step is over; or the hall stops.
static enum table_answer decide_with(struct fibre *fibre, struct hall *hall,
                                     struct hall_table *table, struct fetching *fetching)
{
    struct hall_step *const step = table->step;
    for (;;) {
        const struct deed *const deed = deed_now(hall, table, &fetching->fetched);
        step->asker =
            deed->kind == DEED_LINE ? table_seat_of(base_of(table), &deed->person) : NO_SEAT;
        const enum table_answer answer =
            table_decide(base_of(table), step->renewed != NULL ? 0 : table->stamp, deed,
                         hall->workspace, &step->outcome);
        unsigned lacking = step->outcome.fetch & ~fetching->fetched.what;
        if (answer != TABLE_FETCH) {
            return answer;
        }
        if (lacking == 0) {
            hall_step_give_up(hall, table, TEXT_HALL_COME_AGAIN);
            return answer;
        }
        for (; lacking != 0; lacking &= ~fetching->fetched.what) {
            if (!fetch(fibre, hall, table, lacking, fetching)) {
                return answer;
            }
        }
    }
}

// True: there is an outcome to be committed. Otherwise the step is over, or the hall goes.
static bool decide(struct fibre *fibre, struct hall *hall, struct hall_table *table)
{
    struct fetching fetching = {.count = 0};
    bool complete = false;
    switch (decide_with(fibre, hall, table, &fetching)) {
    case TABLE_REFUSED:
        hall_note_refused(hall, table);
        complete = answer_unchanged(hall, table);
        break;
    case TABLE_LOOKED:
        hall_note_looked(hall, table);
        complete = answer_unchanged(hall, table);
        break;
    case TABLE_FAILED:
        complete = answer_unchanged(hall, table);
        break;
    case TABLE_CHANGED:
        complete = bots_go_on(fibre, hall, table) && finish_outcome(hall, table);
        break;
    case TABLE_FETCH:
        break;
    }
    for (unsigned i = 0; i < fetching.count; i++) {
        store_answer_free(fetching.answers[i]);
    }
    if (table->step != NULL) {
        table->step->deed.fetched = NULL; // it was this function's
    }
    return complete;
}

struct deed *hall_step_begin(struct hall *hall, struct hall_table *table, enum deed_kind kind)
{
    struct hall_step *const step = take_step(hall);
    step->deed = (struct deed){.kind = kind, .passed_ms = hall_passed_ms(hall, table)};
    step->id = hall_number(hall);
    step->base_ms = hall_time(hall);
    table->step = step;
    hall_table_used(hall, table);
    return &step->deed;
}

void hall_step_renew(struct hall *hall, struct hall_table *table, struct hall_step *step)
{
    const enum table_state state = table_state(table->table);
    const bool over = state == TABLE_OVER || table->unreadable != NULL ||
                      (state == TABLE_PAUSED && table_people_seats(table->table) == 0);
    if (table->version == 0 || !over || step->line->kind != REQUEST_NEW) {
        return;
    }
    step->renewed = mb_new(1, table_size());
    char id[TABLE_ID_SIZE];
    hall_table_id(hall, chat_name(hall->chats[step->line->chat]), step->line->in, id);
    table_copy(step->renewed, table->table);
    table_rename(step->renewed, id);
}

// Others have overtaken the step: the table is fetched, and what has fallen due is looked at as it
// stands now. False: nothing is to be decided any more.
static bool decide_anew(struct fibre *fibre, struct hall *hall, struct hall_table *table,
                        unsigned attempts)
{
    struct hall_step *const step = table->step;
    hall->stats.conflicts++;
    if (step->deed.kind == DEED_REVIVE) { // another lies there, or somebody else was faster
        hall_turn_away(hall, table, TEXT_HALL_NO_WAY_BACK, NULL);
        return false;
    }
    if (attempts >= HALL_ATTEMPTS_MAX) {
        hall_step_give_up(hall, table, TEXT_HALL_OVERTAKEN);
    } else {
        hall_commit_drop(step);
        forget_renewed(step);
    }
    if (table->version == 0) { // somebody else has taken the place
        if (table->step != NULL) {
            hall_step_give_back(hall, table);
        }
        (void)hall_find_again(fibre, hall, table);
        return false;
    }
    if (!hall_load_again(fibre, hall, table) || table->step == NULL) {
        return false;
    }
    const bool says = step->deed.kind == DEED_LINE;
    step->deed.passed_ms = hall_passed_ms(hall, table);
    step->base_ms = hall_time(hall);
    if (step->line == NULL || (says && hall_press_answered(hall, table, step->line))) {
        hall_step_end(hall, table);
        return false;
    }
    if (says) {
        hall_step_renew(hall, table, step);
    }
    return true;
}

// Decides and commits until the step is over.
static void carry_step(struct fibre *fibre, struct hall *hall, struct hall_table *table)
{
    bool complete = table->step->aside || decide(fibre, hall, table);
    for (unsigned attempts = 1; complete && !hall_commit(fibre, hall, table); attempts++) {
        complete = decide_anew(fibre, hall, table, attempts) && decide(fibre, hall, table);
    }
}

void hall_step_run(struct hall *hall, struct hall_table *table)
{
    hall_table_run(hall, table, carry_step);
}

bool hall_revive(struct fibre *fibre, struct hall *hall, struct hall_table *table)
{
    const enum table_state state = table_state(table->table);
    bool pressed = false;
    for (const struct hall_line *line = table->lines.first; line != NULL; line = line->next) {
        pressed = pressed ||
                  (line->in->bond.table[0] != '\0' && hall_press_is_at_home(hall, table, line));
    }
    if (!pressed || (state != TABLE_RUNNING && state != TABLE_PAUSED)) {
        return false;
    }
    table->stamp = table_workspace_stamp(hall->workspace);
    table->since_ms = hall_time(hall);
    table->heard_ms = hall_time(hall);
    table->version = 0;
    if (table->step != NULL) { // others have archived the table under it: its line waits again
        hall_step_give_back(hall, table);
    }
    (void)hall_step_begin(hall, table, DEED_REVIVE);
    carry_step(fibre, hall, table);
    return true;
}
