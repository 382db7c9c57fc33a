// The loop: answers of the store and lines of chats in turn, tables with work in turn, time.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/hall/hall_impl.h"

/* The hall's own questions. */

static const struct hall_ask HALLS = {.of = HALL_ASK_HALL};

static void say_hello(struct hall *hall)
{
    const struct store_request request = {.kind = STORE_HELLO};
    if (hall->hello_ms > 0) { // asked in vain: so far nobody was served
        hall->now_ms = hall->until_ms;
    }
    const bool asked = hall_ask(hall, &request, HALLS, &hall->hello_ticket);
    hall->hello_ms = hall->until_ms + (asked ? HALL_ANSWER_MS : HALL_STORE_RETRY_MS);
}

static int64_t when_restored(const struct store_answer *answer)
{
    enum { NUMBER_SIZE = 24 };
    char number[NUMBER_SIZE] = "";
    if (answer->count > 0 && answer->pieces[0].size < sizeof number) {
        memcpy(number, answer->pieces[0].at, answer->pieces[0].size);
    }
    return strtoll(number, NULL, 10);
}

static void greeted(struct hall *hall, const struct store_answer *answer)
{
    if (answer->result != STORE_DONE || hall->epoch != 0) {
        hall->hello_ms = hall->until_ms + HALL_STORE_RETRY_MS;
        return;
    }
    hall->epoch = answer->epoch;
    hall->restored_ms = when_restored(answer);
    memcpy(hall->workspace->secret, answer->secret, sizeof hall->workspace->secret);
    for (unsigned i = 0; i < hall->chat_count; i++) {
        chat_seal(hall->chats[i], answer->secret);
    }
    hall->stood_ms = hall->now_ms - answer->now_ms; // so long has the store been served
    hall->beat_ms = hall->now_ms + HALL_BEAT_MS - answer->now_ms % HALL_BEAT_MS;
    hall->store_due_ms = hall_time(hall);
    hall_away_begin(hall, answer);
}

// A page of what is due by when the first was asked for: tables that cannot be served at once come
// back with the next round, not with the next page.
static void ask_due(struct hall *hall)
{
    if (hall->page[0] == '\0') {
        hall->round_ms = hall_time(hall) + hall->ahead_ms;
        hall->ahead_ms = 0;
    }
    char networks[HALL_NETWORKS_SIZE];
    hall_networks(hall, networks);
    const struct store_request request = {.kind = STORE_DUE,
                                          .ms = hall->round_ms,
                                          .unsent = hall->shared || !hall->greeted,
                                          .claims = true,
                                          .networks = hall->shared ? networks : NULL,
                                          .after = hall->page};
    const bool asked = hall_ask(hall, &request, HALLS, &hall->due_ticket);
    hall->store_due_ms = hall_time(hall) + (asked ? HALL_ANSWER_MS : HALL_STORE_RETRY_MS);
}

// A table is this process's to see to. One that is live and was another's is loaded as it is now;
// one at which something is under way comes again with the next round.
static bool take_due(struct hall *hall, const char *id)
{
    struct hall_table *const table = hall_table_by_id(hall, id);
    if (table == NULL) {
        return hall_table_fetch(hall, id) != NULL;
    }
    if (!table->held && (hall->shared || table->doubt) && table->state == HALL_READY &&
        table->step == NULL && table->version > 0) {
        hall_table_refresh(hall, table);
    }
    return true;
}

static void fell_due(struct hall *hall, const struct store_answer *answer)
{
    hall->due_ticket = 0;
    if (answer->result != STORE_DONE) {
        hall->store_due_ms = hall_time(hall) + HALL_STORE_RETRY_MS;
        return;
    }
    for (size_t i = 0; i < answer->count; i++) {
        const char *const id = answer->texts[i];
        if (!take_due(hall, id)) { // no room now
            hall->store_due_ms = hall_time(hall) + HALL_STORE_RETRY_MS;
            return;
        }
        (void)snprintf(hall->page, sizeof hall->page, "%s", id);
    }
    if (answer->count == STORE_DUE_MAX) {
        hall->store_due_ms = hall_time(hall) + 1;
        return;
    }
    hall->greeted = true;
    hall->page[0] = '\0';
    hall->store_due_ms = hall_round_ms(hall, answer->next_ms);
}

static void hall_answered(struct hall *hall, const struct store_answer *answer)
{
    if (answer->kind == STORE_HELLO) {
        greeted(hall, answer);
    } else if (answer->kind == STORE_DUE && answer->ticket == hall->due_ticket) {
        fell_due(hall, answer);
    } else if (answer->kind == STORE_BEAT && answer->ticket == hall->beat_ticket) {
        hall_beaten(hall, answer);
    } else if (answer->kind == STORE_WATCH && answer->ticket == hall->watch_ticket) {
        hall_watched(hall, answer);
    } else if (answer->kind == STORE_STAND && answer->ticket == hall->stand_ticket) {
        hall_away_answered(hall, answer);
    } else if (answer->kind == STORE_FORGET) {
        hall_gone_answered(hall, answer);
    } else if (answer->kind == STORE_HOLD) {
        hall_word_answered(hall, answer);
    }
}

// Hello, beats, what falls due in the store, who sleeps.
static void keep_up(struct hall *hall)
{
    if (hall->epoch == 0) {
        if (hall->hello_ticket == 0 || hall->hello_ms <= hall->until_ms) {
            say_hello(hall);
        }
        return;
    }
    hall_lease_keep_up(hall);
    hall_wake_sleepers(hall);
    hall_keep_ask(hall);
    hall_away_keep_up(hall);
    if (hall->beat_ms <= hall->now_ms) {
        hall_beat(hall);
    }
    // What falls due is not asked before the store knows what is away.
    if (!hall->alone && hall->stands == NULL && hall->store_due_ms >= 0 &&
        hall->store_due_ms <= hall_time(hall)) {
        ask_due(hall);
    }
    if (hall->direct_ms >= 0 && hall->direct_ms <= hall->now_ms) {
        hall->direct_ms = STORE_NEVER;
        for (uint32_t i = 0; i < hall->people_capacity; i++) {
            struct hall_person *const person = hall->people[i];
            if (person != NULL && person->lines.count > 0 && person->ask_ms <= hall->now_ms) {
                hall_direct_ask(hall, i);
            } else if (person != NULL && person->lines.count > 0 &&
                       (hall->direct_ms < 0 || person->ask_ms < hall->direct_ms)) {
                hall->direct_ms = person->ask_ms;
            }
        }
    }
}

// When that is next to be done, or STORE_NEVER.
static int64_t keep_up_ms(const struct hall *hall)
{
    if (hall->epoch == 0) {
        return hall->hello_ms;
    }
    const bool asks = !hall->alone && hall->stands == NULL && hall->store_due_ms >= 0;
    int64_t due = asks ? hall->store_due_ms + hall->stood_ms : STORE_NEVER;
    due = hall->fails ? hall->beat_ms : due;
    due = hall_earlier(due, hall_lease_ms(hall));
    due = hall_earlier(due, hall_keep_ms(hall));
    due = hall_earlier(due, hall_sleepers_ms(hall));
    due = hall_earlier(due, hall_away_due_ms(hall));
    return hall_earlier(due, hall->direct_ms);
}

/* Answers. */

static void answered(struct hall *hall, struct store_answer *answer)
{
    struct hall_ask *const slot = &hall->asks[answer->ticket % HALL_ASKS_MAX];
    const struct hall_ask ask = *slot;
    hall->fails = false;
    if (answer->result == STORE_FAILED) {
        hall_store_fails(hall);
    }
    if (ask.ticket != answer->ticket || ask.of == HALL_ASK_NONE) {
        store_answer_free(answer); // late, or a second time
        return;
    }
    slot->of = HALL_ASK_NONE;
    if (ask.of == HALL_ASK_TABLE) {
        struct hall_table *const table =
            ask.index < hall->table_capacity ? hall->tables[ask.index] : NULL;
        if (table != NULL && table->ticket == ask.ticket) {
            hall_table_answered(hall, table, answer);
            return;
        }
    } else if (ask.of == HALL_ASK_PERSON) {
        struct hall_person *const person =
            ask.index < hall->people_capacity ? hall->people[ask.index] : NULL;
        if (person != NULL && person->ticket == ask.ticket) {
            person->ticket = 0;
            hall_direct(hall, ask.index, answer);
        }
    } else if (ask.of == HALL_ASK_KEEP) {
        hall_keep_answered(hall, answer);
    } else if (ask.of == HALL_ASK_MESSAGE) {
        hall_confirmed(hall, ask.key, answer);
    } else {
        hall_answered(hall, answer);
    }
    store_answer_free(answer);
}

// So much of what one call may do is done.
static void note_piece(struct hall *hall)
{
    hall->pieces_left -= hall->pieces_left > 0 ? 1 : 0;
}

static bool is_tired(const struct hall *hall)
{
    return hall->pieces != 0 && hall->pieces_left == 0;
}

// Takes all answers; false if there was none.
static bool take_answers(struct hall *hall)
{
    struct store_answer *answer = NULL;
    bool any = false;
    while (!is_tired(hall) && (answer = store_take(hall->store)) != NULL) {
        any = true;
        answered(hall, answer);
        note_piece(hall);
    }
    return any;
}

static void look_at(struct hall *hall, struct hall_table *table)
{
    hall_post_again(hall, table);
    if (table->ask_ms >= 0 && table->ask_ms <= hall->now_ms) {
        if (table->ticket != 0) { // no answer has come
            hall_store_fails(hall);
        }
        fibre_wake(table->fibre); // which asks again
        return;
    }
    if (table->state == HALL_READY) {
        hall_unschedule(hall, table);
        hall_table_work(hall, table); // which notes when it is to be looked at next
        return;
    }
    hall_schedule(hall, table);
}

static bool do_work(struct hall *hall)
{
    struct hall_table *const table = hall->work;
    if (table == NULL) {
        return false;
    }
    hall->work = table->next_work;
    if (hall->work == NULL) {
        hall->work_end = &hall->work;
    }
    table->queued = false;
    hall->turn = table;
    hall_table_go_on(hall, table);
    hall->turn = NULL;
    return true;
}

// Does all that can be done without further answers, up to a call's bound; false: there is more.
static bool settle_down(struct hall *hall, bool hears)
{
    bool more = true;
    while (more && !is_tired(hall)) {
        keep_up(hall);
        more = take_answers(hall);
        for (unsigned i = 0; hears && i < hall->chat_count && !is_tired(hall); i++) {
            if (hall_hear_one(hall, i)) {
                more = true;
                note_piece(hall);
            }
        }
        if (do_work(hall)) {
            more = true;
            note_piece(hall);
        }
    }
    hall_set_all_due(hall);
    return !more;
}

void hall_settle_down(struct hall *hall)
{
    hall->pieces_left = hall->pieces;
    (void)settle_down(hall, false);
}

bool hall_hear(struct hall *hall)
{
    hall->pieces_left = hall->pieces;
    return settle_down(hall, true);
}

static void move_to(struct hall *hall, int64_t ms)
{
    const int64_t passed = ms > hall->now_ms ? ms - hall->now_ms : 0;
    hall->now_ms += passed;
    hall->stood_ms += hall->fails ? passed : 0;
}

bool hall_advance(struct hall *hall, int64_t ms)
{
    assert(ms >= 0);
    hall->until_ms += ms;
    hall->pieces_left = hall->pieces;
    const bool settled = settle_down(hall, false);
    if (hall->epoch == 0) {
        return settled;
    }
    for (unsigned step = 0;; step++) {
        const struct due_entry *const first = due_heap_first(&hall->due);
        const int64_t own = keep_up_ms(hall);
        const int64_t at = hall_earlier(first != NULL ? first->ms : STORE_NEVER, own);
        if (at < 0 || at > hall->until_ms) {
            break;
        }
        if (step == HALL_STEPS_MAX || (step > 0 && is_tired(hall))) {
            return false; // time goes on in any case: one thing that is due is done in each call
        }
        move_to(hall, at);
        if (first != NULL && first->ms <= hall->now_ms) {
            look_at(hall, hall->tables[first->id]);
            note_piece(hall);
        }
        (void)settle_down(hall, false);
    }
    move_to(hall, hall->until_ms);
    return settle_down(hall, false);
}

void hall_stand(struct hall *hall, int64_t ms)
{
    assert(ms >= 0);
    hall->until_ms += ms;
    hall->now_ms += ms;
    hall->stood_ms += ms;
}

int64_t hall_due_ms(struct hall *hall)
{
    hall_set_all_due(hall); // outcomes come at any time
    const struct due_entry *const first = due_heap_first(&hall->due);
    int64_t at = hall_earlier(first != NULL ? first->ms : STORE_NEVER, keep_up_ms(hall));
    if (at < 0) {
        return -1;
    }
    at = hall->epoch != 0 && !hall->alone && hall->beat_ms < at ? hall->beat_ms : at;
    return at > hall->until_ms ? at - hall->until_ms : 0; // what it has been told has passed
}
