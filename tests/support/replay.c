#include "tests/support/replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/hall/hall_limits.h"

#include "tests/support/chance.h"
#include "tests/support/faulty_store.h"
#include "tests/support/store_talk.h"
#include "tests/support/table.h"
#include "tests/support/test.h"

enum { STORY_MAX = 1 << 20, PATIENCE = 64, SLICE_MS = 250, LATE_AT = 10, SOON_MS = 30000 };

static const char PLACE[] = "tavern";

static struct catalog *catalog;
static struct replay_script script;
static struct story plain;

const struct replay_script *replay_script(void)
{
    return &script;
}

const struct story *replay_plain(void)
{
    return &plain;
}

/* Telling a story. */

// What is left on a clock is less where a store was late: of the text without its figures.
static void tell(struct story *story, const char *text)
{
    static const char LEFT[] = " left)";
    assert_true(story->length + strlen(text) + 2 < STORY_MAX);
    for (const char *at = text; *at != '\0'; at++) {
        const char *const end = *at == '(' ? strchr(at, ')') : NULL;
        const size_t length = end != NULL ? (size_t)(end - at) + 1 : 0;
        if (length >= sizeof LEFT && strncmp(end + 2 - sizeof LEFT, LEFT, sizeof LEFT - 1) == 0) {
            at = end;
        } else {
            story->told[story->length++] = *at;
        }
    }
    story->told[story->length++] = '\n';
    story->told[story->length] = '\0';
}

// Boards are told by their last form where a dead hall shows them anew.
static bool is_board(const struct fake_message *message)
{
    return message->kind == CHAT_CARD || message->kind == CHAT_HAND;
}

static void tell_reader(struct stage *stage, struct story *story, const char *person, bool boards)
{
    tell(story, person);
    for (size_t i = 0; i < fake_count(stage->chat); i++) {
        const struct fake_message *const message = fake_message(stage->chat, i);
        if (strcmp(message->person, person) == 0 && (boards || !is_board(message))) {
            tell(story, message->text);
        }
    }
    for (unsigned kind = CHAT_NARRATION; kind <= CHAT_REPLY; kind++) {
        const struct fake_message *const last =
            fake_newest(stage->chat, (enum chat_kind)kind, PLACE, person);
        if (last != NULL && is_board(last)) {
            tell(story, last->text);
        }
    }
}

static bool was_said_before(const struct stage *stage, size_t i)
{
    const struct chat_key key = fake_message(stage->chat, i)->key;
    for (size_t j = 0; j < i; j++) {
        const struct chat_key other = fake_message(stage->chat, j)->key;
        if (key.number == other.number && key.epoch == other.epoch) {
            return true;
        }
    }
    return false;
}

static void nothing_was_said_twice(const struct stage *stage)
{
    for (size_t i = 0; i < fake_count(stage->chat); i++) {
        if (was_said_before(stage, i)) {
            fail_msg("said twice: %s", fake_message(stage->chat, i)->text);
        }
    }
}

static uint64_t mix(uint64_t sum, const struct store_bytes *bytes)
{
    static const uint64_t PRIME = 0x100000001B3;
    for (size_t i = 0; i < bytes->size; i++) {
        sum = (sum ^ bytes->at[i]) * PRIME;
    }
    return sum;
}

static uint64_t journal_sum(struct stage *stage, const char *id)
{
    uint64_t sum = 1;
    size_t from = 0;
    for (;;) {
        const struct store_request request = {
            .kind = STORE_JOURNAL, .table = id, .from = from, .count = STORE_JOURNAL_MAX};
        const struct store_answer *const answer = store_talk(stage->store, &request);
        if (answer->result != STORE_DONE || answer->count == 0) {
            return sum;
        }
        for (size_t i = 0; i < answer->count; i++) {
            sum = mix(sum, &answer->pieces[i]);
        }
        from += answer->count;
    }
}

static void sum_up(struct stage *stage, struct story *story, bool boards)
{
    static const char *const READERS[] = {"", "Ann", "Bob", "Cy"};
    char id[TABLE_ID_SIZE];
    const struct table *const table = stage_table(stage, PLACE);
    assert_non_null(table);
    story->digest = game_digest(table_game(table));
    story->said = fake_count(stage->chat);
    story->requests = faulty_store_requests(stage->store);
    (void)snprintf(id, sizeof id, "%s", table_id(table));
    nothing_was_said_twice(stage);
    for (size_t i = 0; i < sizeof READERS / sizeof READERS[0]; i++) {
        tell_reader(stage, story, READERS[i], boards);
    }
    assert_int_equal(stage_unsent(stage), 0);
    story->journal = journal_sum(stage, id);
}

/* Playing. */

void replay_hear(struct stage *stage, const struct replay_entry *entry, size_t number)
{
    char event[32];
    (void)snprintf(event, sizeof event, "line %zu", number);
    const struct chat_in in = {.place = entry->direct ? "a private room" : PLACE,
                               .person = entry->person,
                               .line = entry->line,
                               .event = event,
                               .direct = entry->direct,
                               .open = !entry->direct};
    assert_true(fake_hear_in(stage->chat, &in));
    hall_hear(stage->hall);
}

void replay_fall_due(struct stage *stage)
{
    const struct table_due due = table_due(stage_table(stage, PLACE));
    assert_int_not_equal(due.kind, TABLE_DUE_NEVER);
    stage_pass(stage, due.ms);
}

static void act(struct stage *stage, size_t number)
{
    if (script.entries[number].person != NULL) {
        replay_hear(stage, &script.entries[number], number);
    } else {
        replay_fall_due(stage);
    }
}

// Whether all that was heard is dealt with, and all that was said is known to have arrived.
static bool is_quiet(struct stage *stage)
{
    return fake_settled(stage->chat) == stage->queue->pushed && stage_unsent(stage) == 0 &&
           stage_table(stage, PLACE) != NULL;
}

// What falls due while a store is late would otherwise fall due after the next line.
static void come_to_rest(struct stage *stage)
{
    stage_pass(stage, HALL_PERSON_REFILL_MS);
    for (unsigned i = 0; i < PATIENCE; i++) {
        const struct table_due due = table_due(stage_table(stage, PLACE));
        if (due.kind == TABLE_DUE_NEVER || due.ms > SOON_MS) {
            return;
        }
        stage_pass(stage, due.ms > 0 ? due.ms : SLICE_MS); // an answer may be lost on the way
    }
}

// The hall dies if it is to: another one goes on, and the chat brings again what was not settled.
// Or else somebody else looks in, so that the table is live.
static void maybe_die(struct stage *stage, const struct disturbance *what, size_t number,
                      bool *dead)
{
    static const struct replay_entry LOOK = {.person = "Eve", .line = "status"};
    if (!what->dies || *dead || faulty_store_requests(stage->store) < what->at) {
        return;
    }
    *dead = true;
    const bool again = fake_settled(stage->chat) < stage->queue->pushed;
    stage_again(stage);
    if (again) {
        replay_hear(stage, &script.entries[number], number);
    } else {
        replay_hear(stage, &LOOK, REPLAY_LINES_MAX);
    }
}

void replay_settle(struct stage *stage, const struct disturbance *what, size_t number, bool *dead)
{
    const struct replay_entry *const entry = &script.entries[number];
    bool away = what->outage != NULL && number == what->line;
    for (unsigned i = 0; i < PATIENCE; i++) {
        maybe_die(stage, what, number, dead);
        stage_pass(stage, i == 0 ? 0 : away ? REPLAY_SLICE_MS : SLICE_MS);
        hall_hear(stage->hall);
        if (what->fault == FAULT_LATE && i >= LATE_AT) {
            faulty_store_release(stage->store);
            stage_pass(stage, 0);
        }
        if (away && i == what->outage->slices) {
            what->outage->end(stage);
            away = false;
        }
        if (!away && is_quiet(stage)) {
            come_to_rest(stage);
            return;
        }
    }
    fail_msg("fault %u at %lu: line %zu (%s) is never dealt with", (unsigned)what->fault, what->at,
             number, entry->line);
}

// All ends and others go on; somebody looks in, so that the table is live.
static void restart(struct stage *stage, size_t number)
{
    static const struct disturbance none = {.at = 0};
    static const struct replay_entry LOOK = {.person = "Eve", .line = "status"};
    bool dead = false;
    stage_restart(stage);
    replay_hear(stage, &LOOK, REPLAY_LINES_MAX + number);
    replay_settle(stage, &none, number, &dead);
}

void replay_open(struct stage *stage, const struct disturbance *what)
{
    chance_fix();
    if (what->engine == STAGE_OTHER) {
        stage_open_made(stage, catalog, what->make);
    } else {
        stage_open_on(stage, catalog, what->engine);
    }
    if (what->pieces > 0) {
        stage->pieces = what->pieces;
        stage_again(stage);
    }
}

void replay_play(const struct disturbance *what, struct story *story, bool boards)
{
    struct stage stage;
    bool dead = false;
    replay_open(&stage, what);
    if (what->at > 0) {
        faulty_store_fault(stage.store, what->fault, what->at);
    }
    for (size_t i = 0; i < script.count; i++) {
        if (what->outage != NULL && i == what->line) {
            what->outage->begin(&stage);
        }
        act(&stage, i);
        replay_settle(&stage, what, i, &dead);
        if (what->restarts) {
            restart(&stage, i);
        }
    }
    if (what->fault == FAULT_LATE) {
        faulty_store_release(stage.store);
    }
    stage_pass(&stage, (int64_t)2 * HALL_ANSWER_MS);
    story->told = calloc(1, STORY_MAX);
    story->length = 0;
    sum_up(&stage, story, boards);
    stage_close(&stage);
}

/* The undisturbed game. */

static void note(const char *person, bool direct, const char *line)
{
    assert_true(script.count < REPLAY_LINES_MAX);
    struct replay_entry *const entry = &script.entries[script.count++];
    *entry = (struct replay_entry){.person = person, .direct = direct};
    (void)snprintf(entry->line, sizeof entry->line, "%s", line);
}

static void note_opening(void)
{
    static const char *const LINES[][2] = {
        {"Ann", "new sets=classic pace=async"},
        {"Bob", "join"},
        {"Ann", "add-bot ruthless"},
        {"Ann", "add-bot ruthless"},
        {"Ann", "start"},
        {"Bob", "status"},
    };
    for (size_t i = 0; i < sizeof LINES / sizeof LINES[0]; i++) {
        note(LINES[i][0], false, LINES[i][1]);
    }
}

// Ann and Bob play as bot players would, until the game is over.
static void write_script(const struct disturbance *none)
{
    static const char *const NAMES[] = {"Ann", "Bob"};
    struct stage stage;
    struct mb_rng rng;
    uint8_t seed[32];
    bool dead = false;
    mb_rng_seed_u64(seed, 1);
    mb_rng_init(&rng, seed);
    replay_open(&stage, none);
    note_opening();
    for (size_t i = 0; i < script.count; i++) {
        act(&stage, i);
        replay_settle(&stage, none, i, &dead);
        const struct table *const table = stage_table(&stage, PLACE);
        if (i + 1 < script.count || table_state(table) == TABLE_OVER) {
            continue;
        }
        const struct table_due due = table_due(table);
        char line[STAGE_LINE_SIZE];
        unsigned seat = 0;
        while (seat < 2 && ((due.seats >> seat & 1u) == 0 ||
                            !stage_think(&stage, PLACE, seat, &POLICY_RUTHLESS, &rng, line))) {
            seat++;
        }
        if (seat < 2) {
            note(NAMES[seat], i % 5 == 4, line);
        } else {
            note(NULL, false, "");
        }
    }
    assert_int_equal(table_state(stage_table(&stage, PLACE)), TABLE_OVER);
    stage_close(&stage);
}

void replay_begin(const struct disturbance *none)
{
    catalog = given_catalog();
    write_script(none);
    replay_play(none, &plain, true);
    (void)printf("%zu lines, %lu requests, %zu messages\n", script.count, plain.requests,
                 plain.said);
}

void replay_end(void)
{
    free(plain.told);
    catalog_destroy(catalog);
}

static const char *kind_of(const struct disturbance *what)
{
    return what->outage != NULL ? what->outage->name : "fault";
}

void replay_expect(const struct disturbance *what, bool boards, const struct story *wanted)
{
    struct story story;
    replay_play(what, &story, boards);
    if (story.digest != wanted->digest || story.journal != wanted->journal) {
        fail_msg("%s %u at request %lu (line %zu)%s: another game", kind_of(what),
                 (unsigned)what->fault, what->at, what->line,
                 what->dies ? ", and the hall dies" : "");
    }
    if (strcmp(story.told, wanted->told) != 0) {
        size_t at = 0;
        while (story.told[at] == wanted->told[at]) {
            at++;
        }
        at = at > 80 ? at - 80 : 0;
        fail_msg("%s %u at request %lu (line %zu)%s: said is \"%.240s\", not \"%.240s\"",
                 kind_of(what), (unsigned)what->fault, what->at, what->line,
                 what->dies ? ", and the hall dies" : "", story.told + at, wanted->told + at);
    }
    free(story.told);
}
