#include "tests/support/stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/hall/hall_limits.h"
#include "bot/parse/parse.h"
#include "bot/table/table_codec.h"

#include "adapters/store/sqlite/sqlite_store.h"

#include "tests/support/faulty_store.h"
#include "tests/support/store_talk.h"
#include "tests/support/test.h"

enum { ROUNDS = 100000, EVENT_SIZE = 32, ROOM_SIZE = 400 };

static int64_t wall_s(void *user)
{
    const struct stage *const stage = user;
    return stage->wall_s;
}

static void on_note(void *user, const struct hall_note *note)
{
    struct stage *const stage = user;
    stage->unreadable += note->kind == HALL_NOTE_UNREADABLE && note->reason[0] != '\0' ? 1 : 0;
}

static void build(struct stage *stage)
{
    struct mb_error err = {0};
    const bool has_wall = stage->wall_s != 0;
    stage->hall = hall_create(&(struct hall_setup){.catalog = stage->catalog,
                                                   .store = stage->store,
                                                   .policy = &stage->policy,
                                                   .pieces = stage->pieces,
                                                   .note = on_note,
                                                   .note_user = stage,
                                                   .forget = stage->forget,
                                                   .forget_user = stage->forget_user,
                                                   .wall_s = has_wall ? wall_s : NULL,
                                                   .wall_user = stage});
    assert_non_null(stage->hall);
    assert_true(hall_add_chat(stage->hall, stage->chat, &err));
    assert_true(hall_add_chat(stage->hall, stage->other, &err));
}

static void open_store(struct stage *stage)
{
    struct mb_error err = {0};
    char path[FOLDER_PATH_SIZE];
    if (stage->engine == STAGE_SQLITE) {
        folder_in(stage->folder, "tables.db", path);
        const struct sqlite_setup setup = {.path = path, .waits = true};
        stage->store = faulty_store_create(sqlite_store_create(&setup));
    } else if (stage->engine == STAGE_OTHER) {
        stage->store = faulty_store_create(stage->make());
        faulty_store_alone(stage->store);
    } else if (stage->store == NULL) {
        stage->store = memory_store_create();
    }
    assert_non_null(stage->store);
    if (!store_start(stage->store, &err)) {
        fail_msg("%s", err.text);
    }
}

// Behind what is said of its engine.
static void set_up(struct stage *stage)
{
    struct mb_error err = {0};
    stage->queue = malloc(sizeof *stage->queue);
    stage->other_queue = malloc(sizeof *stage->other_queue);
    chat_queue_init(stage->queue);
    chat_queue_init(stage->other_queue);
    stage->chat = fake_create_with(stage->queue, FAKE_CAPS_ALL);
    stage->other = fake_create_named("plain", stage->other_queue, CHAT_CAP_PRIVATE);
    open_store(stage);
    stage->typist = typist_create();
    assert_non_null(stage->typist);
    assert_true(chat_start(stage->chat, &err) && chat_start(stage->other, &err));
    build(stage);
}

void stage_open_on(struct stage *stage, const struct catalog *catalog, enum stage_engine engine)
{
    assert_int_not_equal(engine, STAGE_OTHER);
    *stage = (struct stage){.catalog = catalog, .engine = engine};
    if (engine == STAGE_SQLITE) {
        folder_make(stage->folder);
    }
    set_up(stage);
}

void stage_open_made(struct stage *stage, const struct catalog *catalog,
                     struct store *(*make)(void))
{
    *stage = (struct stage){.catalog = catalog, .engine = STAGE_OTHER, .make = make};
    set_up(stage);
}

void stage_open(struct stage *stage, const struct catalog *catalog)
{
    stage_open_on(stage, catalog, STAGE_MEMORY);
}

void stage_close(struct stage *stage)
{
    hall_destroy(stage->hall);
    store_talk_end();
    store_destroy(stage->store);
    chat_destroy(stage->chat);
    chat_destroy(stage->other);
    chat_queue_finish(stage->queue);
    chat_queue_finish(stage->other_queue);
    free(stage->queue);
    free(stage->other_queue);
    typist_destroy(stage->typist);
    if (stage->engine == STAGE_SQLITE) {
        folder_remove(stage->folder);
    }
}

void stage_again(struct stage *stage)
{
    hall_destroy(stage->hall);
    build(stage);
}

void stage_restart(struct stage *stage)
{
    hall_destroy(stage->hall);
    if (stage->engine == STAGE_MEMORY) {
        store_stop(stage->store);
    } else {
        store_destroy(stage->store);
    }
    open_store(stage);
    build(stage);
}

size_t stage_unsent(struct stage *stage)
{
    const struct store_request due = {.kind = STORE_DUE, .ms = STORE_NEVER, .unsent = true};
    char tables[STORE_DUE_MAX][STORE_TABLE_SIZE];
    size_t unsent = 0;
    struct store *const store = faulty_store_inner(stage->store);
    const struct store_answer *const answer = store_talk(store, &due);
    const size_t count = answer->count;
    for (size_t i = 0; i < count; i++) {
        (void)snprintf(tables[i], sizeof tables[i], "%s", answer->texts[i]);
    }
    for (size_t i = 0; i < count; i++) {
        unsent += store_talk_load(store, tables[i])->message_count;
    }
    return unsent;
}

void stage_pass(struct stage *stage, int64_t ms)
{
    bool done = hall_advance(stage->hall, ms);
    for (unsigned i = 0; !done && i < ROUNDS; i++) {
        done = hall_advance(stage->hall, 0);
    }
    assert_true(done);
}

void stage_hear(struct stage *stage, struct chat *chat, const struct chat_in *in)
{
    char event[EVENT_SIZE];
    struct chat_in heard = *in;
    (void)snprintf(event, sizeof event, "line %lu", ++stage->lines);
    if (heard.event == NULL) {
        heard.event = event;
    }
    assert_true(fake_hear_in(chat, &heard));
    while (!hall_hear(stage->hall)) {
    }
    stage_pass(stage, 0);
}

void stage_say(struct stage *stage, const char *place, const char *person, const char *line)
{
    const struct chat_in in = {.place = place, .person = person, .line = line, .open = true};
    stage_pass(stage, HALL_PERSON_REFILL_MS);
    stage_hear(stage, stage->chat, &in);
}

void stage_whisper(struct stage *stage, const char *person, const char *line)
{
    char room[ROOM_SIZE];
    (void)snprintf(room, sizeof room, "private room of %s", person);
    const struct chat_in in = {.place = room, .person = person, .line = line, .direct = true};
    stage_pass(stage, HALL_PERSON_REFILL_MS);
    stage_hear(stage, stage->chat, &in);
}

void stage_press(struct stage *stage, struct chat *chat, const struct fake_message *message,
                 const struct chat_in *in)
{
    struct chat_in pressed = *in;
    pressed.kind = CHAT_IN_PRESS;
    pressed.bond = message->bond;
    stage_pass(stage, HALL_PERSON_REFILL_MS);
    stage_hear(stage, chat, &pressed);
}

const struct table *stage_table(const struct stage *stage, const char *place)
{
    return hall_table(stage->hall, stage->chat, place);
}

void stage_wait(struct stage *stage, const char *place)
{
    const struct table_due due = table_due(stage_table(stage, place));
    assert_int_not_equal(due.kind, TABLE_DUE_NEVER);
    stage_pass(stage, due.ms > 0 ? due.ms : 1);
}

/** A table taken out of the store behind the hall's back, to be changed and put back. */
struct taken {
    struct library *library;
    struct table_workspace *work;
    struct table *table;
    struct store_commit commit;
};

static void take(struct stage *stage, const char *place, struct taken *taken)
{
    struct mb_error err = {0};
    char id[TABLE_ID_SIZE];
    (void)snprintf(id, sizeof id, "%s", table_id(stage_table(stage, place)));
    taken->library = library_create(stage->catalog);
    taken->work = table_workspace_create(taken->library);
    taken->table = malloc(table_size());
    const struct store_answer *const loaded = store_talk_load(stage->store, id);
    assert_int_equal(loaded->result, STORE_DONE);
    if (!table_decode(loaded->bytes.at, loaded->bytes.size, taken->work, taken->table, &err)) {
        fail_msg("%s", err.text);
    }
    taken->commit = store_change(table_id(taken->table), loaded->version, NULL);
    taken->commit.since_ms = loaded->since_ms;
    taken->commit.due_ms = loaded->due_ms;
    taken->commit.until_ms = loaded->until_ms;
}

// The hall finds another version then; it is made anew.
static void put_back(struct stage *stage, const char *place, struct taken *taken)
{
    unsigned char *const bytes = malloc(TABLE_BYTES_MAX);
    taken->commit.bytes = (struct store_bytes){
        .at = bytes, .size = table_encode(taken->table, bytes, TABLE_BYTES_MAX)};
    assert_int_equal(store_talk_commit(stage->store, &taken->commit)->result, STORE_DONE);
    stage_again(stage);
    free(bytes);
    free(taken->table);
    table_workspace_destroy(taken->work);
    library_destroy(taken->library);
    stage_say(stage, place, "a fly on the wall", "help");
}

void stage_arrange(struct stage *stage, const char *place,
                   void (*change)(struct game *game, const struct box *box, void *user), void *user)
{
    struct taken taken;
    struct mb_error err = {0};
    take(stage, place, &taken);
    // The game is a block inside of the table.
    change((struct game *)(uintptr_t)table_game(taken.table),
           table_box(taken.table, taken.work, &err), user);
    put_back(stage, place, &taken);
}

void stage_bridge(struct stage *stage, const char *place, const char *other)
{
    struct taken taken;
    const struct store_place where = {
        .network = "plain", .place = other, .name = other, .community = other, .taken = true};
    take(stage, place, &taken);
    table_add_site(taken.table, "plain", other, other);
    taken.commit.places = &where;
    taken.commit.place_count = 1;
    put_back(stage, place, &taken);
}

bool stage_think(struct stage *stage, const char *place, unsigned seat, const struct policy *policy,
                 struct mb_rng *rng, char line[STAGE_LINE_SIZE])
{
    const struct typist_seat who = {
        .chat = stage->chat, .place = place, .seat = seat, .policy = policy, .rng = rng};
    return typist_line(stage->typist, stage->hall, &who, line);
}

enum { NAME_COUNT = 4 };
static const char *const NAMES[NAME_COUNT] = {"Ann", "Bob", "Cy", "Dot"};

void stage_go_on(struct stage *stage, const char *place, struct mb_rng *rng)
{
    char line[STAGE_LINE_SIZE];
    const struct table *const table = stage_table(stage, place);
    const struct table_due due = table_due(table);
    for (unsigned seat = 0; seat < NAME_COUNT && seat < table_seat_count(table); seat++) {
        if ((due.seats >> seat & 1u) != 0 &&
            stage_think(stage, place, seat, &POLICY_ROOKIE, rng, line)) {
            stage_say(stage, place, NAMES[seat], line);
            return;
        }
    }
    stage_wait(stage, place);
}

void stage_start(struct stage *stage, const char *place, unsigned people, unsigned bots)
{
    stage_say(stage, place, NAMES[0], "new sets=classic");
    for (unsigned i = 1; i < people && i < NAME_COUNT; i++) {
        stage_say(stage, place, NAMES[i], "join");
    }
    for (unsigned i = 0; i < bots; i++) {
        stage_say(stage, place, NAMES[0], "add-bot");
    }
    stage_say(stage, place, NAMES[0], "start");
    for (unsigned i = 0; i < people && i < NAME_COUNT; i++) {
        stage_say(stage, place, NAMES[i], "done");
    }
}
