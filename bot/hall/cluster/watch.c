// Other processes on the store: what they have done at tables here, what they have left behind, and
// whether this one counts as alive.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

#include "bot/hall/cluster/cluster.h"

// What was kept back is sent.
static void speak_again(struct hall *hall)
{
    for (uint32_t i = 0; i < hall->table_capacity; i++) {
        if (hall->tables[i] != NULL && hall->tables[i]->unsent != NULL) {
            hall_table_post(hall, hall->tables[i]);
        }
    }
}

static bool is_watched(const struct hall *hall, const struct hall_table *table)
{
    return table != NULL && table->table != NULL && table->version > 0 &&
           (table->held || (hall->suspects && hall_has_unsent(table)));
}

static void watch(struct hall *hall)
{
    struct store_seen *const seen = mb_new(hall->table_count, sizeof *seen);
    size_t count = 0;
    hall->watch_ms = hall->now_ms + HALL_WATCH_MS;
    for (uint32_t i = 0; i < hall->table_capacity; i++) {
        const struct hall_table *const table = hall->tables[i];
        if (is_watched(hall, table)) {
            seen[count++] = (struct store_seen){.table = table->id, .version = table->version};
        }
    }
    const struct store_request request = {.kind = STORE_WATCH, .seen = seen, .seen_count = count};
    const struct hall_ask ask = {.of = HALL_ASK_HALL};
    if (!hall_ask(hall, &request, ask, &hall->watch_ticket)) {
        hall->watch_ms = hall->now_ms + HALL_STORE_RETRY_MS;
    }
    free(seen);
}

void hall_watched(struct hall *hall, const struct store_answer *answer)
{
    hall->watch_ticket = 0;
    if (answer->result != STORE_DONE) {
        return;
    }
    for (size_t i = 0; i < answer->count; i++) {
        struct hall_table *const table = hall_table_by_id(hall, answer->texts[i]);
        if (table == NULL) {
            continue;
        }
        if (hall->suspects) { // nothing is sent there before it is known whose it is
            hall_hold(hall, table, false);
        }
        hall_table_refresh(hall, table);
    }
    if (hall->suspects) {
        hall->suspects = false;
        hall->alive_ms = hall->beaten_ms;
        speak_again(hall);
    }
}

// What the store is told of are whole beats, whatever has woken the hall: the next process goes on
// from there, and a countdown must not tell that somebody has looked at something.
void hall_beat(struct hall *hall)
{
    const int64_t since_ms = hall_time(hall) % HALL_BEAT_MS;
    const struct store_request request = {
        .kind = STORE_BEAT, .ms = hall_time(hall) - since_ms, .for_ms = hall->policy->keep_ms};
    const struct hall_ask ask = {.of = HALL_ASK_HALL};
    hall->beat_ms = hall->now_ms + HALL_BEAT_MS - (hall->fails ? 0 : since_ms);
    if (hall->beat_ticket != 0 && hall->now_ms - hall->beaten_ms < INT64_C(2) * HALL_BEAT_MS) {
        return; // one is on its way
    }
    hall->beaten_ms = hall->now_ms;
    hall->beat_turn = hall->stand_turn;
    (void)hall_ask(hall, &request, ask, &hall->beat_ticket);
}

// Others were faster: their time is ours. It is what they read by now, and the clock here may have
// been told of more than has been dealt with: that is not to pass a second time.
static void catch_up(struct hall *hall, int64_t ms)
{
    hall->stood_ms = hall->until_ms - ms;
    for (uint32_t i = 0; i < hall->table_capacity; i++) {
        if (hall->tables[i] != NULL) {
            hall_schedule(hall, hall->tables[i]);
        }
    }
}

// An answer that said so may have been lost: who was silent looks before it speaks again.
void hall_beaten(struct hall *hall, const struct store_answer *answer)
{
    hall->beat_ticket = 0;
    if (answer->result == STORE_FAILED) {
        return;
    }
    if (answer->now_ms > hall->until_ms - hall->stood_ms) {
        catch_up(hall, answer->now_ms);
    }
    if (hall->shared) {
        hall_away_beaten(hall, answer);
    }
    if (hall->shared && (answer->result == STORE_NOTHING || !hall_is_alive(hall))) {
        hall->suspects = true;
        hall->speaks = 0;
        hall->watch_ms = hall->now_ms;
        hall->watch_ticket = 0;
    } else {
        hall->alive_ms = hall->beaten_ms;
    }
}

static void ask_for_networks(struct hall *hall)
{
    for (unsigned i = 0; i < hall->chat_count; i++) {
        char word[PERSON_NETWORK_SIZE + sizeof "/speaks"];
        if ((chat_caps(hall->chats[i]) & CHAT_CAP_ONE) == 0 || (hall->speaks >> i & 1u) != 0) {
            continue;
        }
        (void)snprintf(word, sizeof word, "%s/speaks", chat_name(hall->chats[i]));
        const struct store_request request = {.kind = STORE_HOLD, .word = word};
        const struct hall_ask ask = {.of = HALL_ASK_HALL};
        (void)hall_ask(hall, &request, ask, &hall->words_ticket[i]);
    }
}

void hall_word_answered(struct hall *hall, const struct store_answer *answer)
{
    for (unsigned i = 0; i < hall->chat_count; i++) {
        if (answer->ticket == hall->words_ticket[i] && answer->result == STORE_DONE) {
            hall->speaks |= 1u << i;
            hall->store_due_ms = hall_time(hall); // what others have said there
        }
    }
}

static bool speaks_for_all(const struct hall *hall)
{
    return hall->speaks != 0;
}

// From now on, or no more: what is here may be another by now, and what was others' may be left.
static void note_shared(struct hall *hall, bool shared)
{
    hall->shared = shared;
    hall->alive_ms = hall->now_ms;
    hall->beat_ms = hall->now_ms;
    hall->watch_ms = hall->now_ms;
    hall->greeted = false;
    hall->page[0] = '\0';
    hall->store_due_ms = hall_time(hall);
    for (uint32_t i = 0; i < hall->table_capacity; i++) {
        struct hall_table *const table = hall->tables[i];
        if (table != NULL) {
            table->doubt = true;
            hall_schedule(hall, table);
        }
    }
}

void hall_lease_keep_up(struct hall *hall)
{
    const bool shared = !hall->alone && store_shared(hall->store);
    if (shared != hall->shared) {
        note_shared(hall, shared);
    }
    if (!shared) {
        return;
    }
    const bool late = hall->watch_ms <= hall->now_ms;
    if (late && (hall->watch_ticket == 0 || hall->now_ms - hall->watch_ms > HALL_BEAT_MS) &&
        (hall->suspects || hall->held_count > 0)) {
        watch(hall);
    } else if (late) {
        hall->watch_ms = hall->now_ms + HALL_WATCH_MS;
    }
}

int64_t hall_round_ms(struct hall *hall, int64_t next_ms)
{
    if (!hall->shared) {
        return next_ms;
    }
    ask_for_networks(hall);
    const int64_t round = hall_time(hall) + (speaks_for_all(hall) ? HALL_WATCH_MS : HALL_ROUND_MS);
    return next_ms >= 0 && next_ms < round ? next_ms : round;
}

int64_t hall_lease_ms(const struct hall *hall)
{
    if (!hall->shared) {
        return STORE_NEVER;
    }
    const bool watches = hall->suspects || hall->held_count > 0;
    return watches && hall->watch_ms < hall->beat_ms ? hall->watch_ms : hall->beat_ms;
}
