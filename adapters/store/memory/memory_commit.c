// What changes a table. A commit is checked, then all that wants memory is made, then it takes
// effect without a way to fail.
#include <stdlib.h>
#include <string.h>

#include "adapters/store/memory/memory_impl.h"

// What a commit has made beforehand; what is still here when it ends was not wanted.
struct staged {
    struct row *row;
    struct row *from, *gone; // they go when it takes effect: as it says, and to make room; or NULL
    struct row *archived;    // what was put away under its id, or NULL
    bool made;               // the row is new
    struct blob *bytes, *narration;
    struct blob *log[STORE_LOG_MAX];
    struct blob **journal;
    struct kept_message *messages;
    char **names, **communities; // of places
};

bool memory_step(const struct memory_store *memory, const char *table, struct chat_key step,
                 uint64_t *version)
{
    const struct row *const row =
        table != NULL && table[0] != '\0' ? memory_row(memory, table) : NULL;
    *version = 0;
    for (unsigned i = 0; row != NULL && i < MEMORY_STEPS; i++) {
        if (key_is(row->steps[i], step)) {
            *version = row->step_versions[i];
            return true;
        }
    }
    for (unsigned i = 0; i < memory->loose_count; i++) {
        if (key_is(memory->loose_steps[i], step)) {
            return true;
        }
    }
    return false;
}

/* Checks. */

static bool was_heard(const struct memory_store *memory, const struct row *row, const char *event)
{
    const uint64_t hash = store_event(memory->secret, event);
    for (size_t i = 0; event[0] != '\0' && i < row->event_count; i++) {
        if (row->events[i].hash == hash && row->events[i].ms + STORE_EVENT_MS >= memory->now_ms) {
            return true;
        }
    }
    return false;
}

static bool places_are_free(const struct memory_store *memory, const struct store_commit *commit,
                            const struct staged *staged)
{
    for (size_t i = 0; i < commit->place_count; i++) {
        const struct store_place *const change = &commit->places[i];
        const uint32_t index = memory_place(memory, change->network, change->place);
        const uint32_t table = index != KEYED_NONE ? memory->places[index].table : KEYED_NONE;
        const struct row *const there = table != KEYED_NONE ? memory->rows[table] : NULL;
        if (change->taken && there != NULL && there != staged->row && there != staged->from) {
            return false;
        }
    }
    return true;
}

static bool people_find_room(const struct memory_store *memory, const struct store_commit *commit,
                             const struct row *row)
{
    for (size_t i = 0; i < commit->sit_count; i++) {
        const struct store_sit *const sit = &commit->sits[i];
        const uint32_t person = memory_person(memory, sit->network, sit->person);
        if (sit->what == STORE_SITS && person != KEYED_NONE &&
            memory->people[person].count == STORE_TABLES_OF_PERSON &&
            (row == NULL || !memory_sits(memory, person, row))) {
            return false;
        }
    }
    return true;
}

// `leaves`: one of them goes anyway.
static bool share_is_used(const struct keyed_map *map, const char *word, bool leaves,
                          uint32_t share)
{
    const uint32_t count = keyed_map_get(map, word);
    return count != KEYED_NONE && count >= share + (leaves ? 1 : 0);
}

// The table that nobody has touched for longest, of those at which nobody plays, of an opener and a
// community (NULL: of all).
static struct row *oldest(const struct memory_store *memory, const char *opener,
                          const char *community)
{
    struct row *found = NULL;
    for (uint32_t i = 0; i < memory->row_room; i++) {
        struct row *const row = memory->rows[i];
        const bool fits = row != NULL && row->rests &&
                          (opener == NULL || strcmp(row->opener, opener) == 0) &&
                          (community == NULL || strcmp(row->community, community) == 0);
        if (fits && (found == NULL || row->touched < found->touched)) {
            found = row;
        }
    }
    return found;
}

// Whether a new table may be opened; `gone` is the one that makes room for it, or NULL.
static bool share_is_left(const struct memory_store *memory, const struct store_commit *commit,
                          struct staged *staged)
{
    char opener[MEMORY_KEY_SIZE];
    const struct row *const from = staged->from;
    memory_key(opener, commit->opener_network, commit->opener);
    if (share_is_used(&memory->opened_by, opener, from != NULL && strcmp(from->opener, opener) == 0,
                      STORE_TABLES_OF_OPENER)) {
        staged->gone = oldest(memory, opener, NULL);
        return staged->gone != NULL;
    }
    if (share_is_used(&memory->opened_in, commit->community,
                      from != NULL && strcmp(from->community, commit->community) == 0,
                      STORE_TABLES_OF_COMMUNITY)) {
        staged->gone = oldest(memory, NULL, commit->community);
        return staged->gone != NULL;
    }
    if (memory->row_count >= STORE_TABLES_MAX && from == NULL) {
        staged->gone = oldest(memory, NULL, NULL);
        return staged->gone != NULL;
    }
    return true;
}

static enum store_result check(const struct memory_store *memory, const struct store_commit *commit,
                               struct staged *staged)
{
    const struct row *const row = staged->row;
    if (!commit->directories) {
        if (row != NULL && was_heard(memory, row, commit->event != NULL ? commit->event : "")) {
            return STORE_REPEATED;
        }
        if ((row != NULL ? row->version : 0) != commit->expected ||
            (staged->from != NULL ? staged->from->version : 0) != commit->from_version) {
            return STORE_CONFLICT;
        }
        if (row == NULL && !share_is_left(memory, commit, staged)) {
            return STORE_FULL;
        }
    }
    if (!places_are_free(memory, commit, staged)) {
        return STORE_CONFLICT;
    }
    return people_find_room(memory, commit, row) ? STORE_DONE : STORE_TOO_MANY;
}

/* Making. */

static struct blob *word_blob(const char *word)
{
    return word != NULL ? memory_blob(word, strlen(word) + 1) : NULL;
}

static struct kept_message *keep_message(const struct store_message *message, const char *narration,
                                         unsigned me)
{
    struct kept_message *const kept = calloc(1, sizeof *kept);
    if (kept == NULL) {
        return NULL;
    }
    kept->key = message->key;
    kept->board = message->board;
    kept->answers = message->answer ? me : 0;
    kept->bytes = memory_blob(message->bytes.at != NULL ? (const void *)message->bytes.at : "",
                              message->bytes.size);
    kept->reader = word_blob(message->reader);
    kept->narration = message->narrates ? word_blob(narration) : NULL;
    if (kept->bytes == NULL || (message->reader != NULL && kept->reader == NULL) ||
        (message->narrates && narration != NULL && kept->narration == NULL)) {
        memory_message_free(kept);
        return NULL;
    }
    return kept;
}

static bool stage_messages(struct staged *staged, const struct store_commit *commit, unsigned me)
{
    struct kept_message **at = &staged->messages;
    for (size_t i = 0; i < commit->message_count; i++) {
        *at = keep_message(&commit->messages[i], commit->narration, me);
        if (*at == NULL) {
            return false;
        }
        at = &(*at)->next;
    }
    return true;
}

static bool stage_journal(struct staged *staged, const struct store_commit *commit)
{
    staged->journal = calloc(commit->journal_count + 1, sizeof(struct blob *));
    for (size_t i = 0; staged->journal != NULL && i < commit->journal_count; i++) {
        staged->journal[i] = memory_blob(commit->journal[i].at, commit->journal[i].size);
        if (staged->journal[i] == NULL) {
            return false;
        }
    }
    return staged->journal != NULL;
}

// What stands in place of the log that was kept.
static bool stage_log(struct staged *staged, const struct store_commit *commit)
{
    bool done = true;
    for (size_t i = 0; done && commit->anew && i < commit->log_count && i < STORE_LOG_MAX; i++) {
        staged->log[i] = memory_blob(commit->log[i], strlen(commit->log[i]) + 1);
        done = staged->log[i] != NULL;
    }
    return done;
}

static bool stage_cards(struct memory_store *memory, const struct store_commit *commit)
{
    bool done = true;
    for (size_t i = 0; done && i < commit->card_count; i++) {
        done = memory_card_keep(memory, &commit->cards[i]);
    }
    return done;
}

static bool room_in_row(struct row *row, const struct row *archived,
                        const struct store_commit *commit)
{
    const size_t before = row->journal_count + (archived != NULL ? archived->journal_count : 0);
    bool room = true;
    while (room && row->journal_room < before + commit->journal_count) {
        void *items = row->journal;
        room = memory_room(&items, row->journal_room, &row->journal_room, sizeof(struct blob *));
        row->journal = items;
    }
    while (room && row->place_room < row->place_count + commit->place_count) {
        void *items = row->places;
        room = memory_room(&items, row->place_room, &row->place_room, sizeof *row->places);
        row->places = items;
    }
    while (room && row->people_room < row->people_count + commit->sit_count) {
        void *items = row->people;
        room = memory_room(&items, row->people_room, &row->people_room, sizeof *row->people);
        row->people = items;
    }
    void *items = row->events;
    room = room && memory_room(&items, row->event_count, &row->event_room, sizeof *row->events);
    row->events = items;
    return room;
}

static bool stage_places(struct memory_store *memory, struct staged *staged,
                         const struct store_commit *commit)
{
    staged->names = calloc(commit->place_count + 1, sizeof(char *));
    staged->communities = calloc(commit->place_count + 1, sizeof(char *));
    bool done = staged->names != NULL && staged->communities != NULL;
    for (size_t i = 0; done && i < commit->place_count; i++) {
        const struct store_place *const change = &commit->places[i];
        if (change->taken) {
            staged->names[i] = strdup(change->name);
            staged->communities[i] = strdup(change->community);
            done = staged->names[i] != NULL && staged->communities[i] != NULL &&
                   memory_place_make(memory, change->network, change->place) != KEYED_NONE;
        }
    }
    return done;
}

static bool stage_people(struct memory_store *memory, const struct store_commit *commit)
{
    bool done = true;
    for (size_t i = 0; done && i < commit->sit_count; i++) {
        done = commit->sits[i].what != STORE_SITS ||
               memory_person_make(memory, commit->sits[i].network, commit->sits[i].person) !=
                   KEYED_NONE;
    }
    for (size_t i = 0; done && i < commit->record_count; i++) {
        done = commit->records[i].forget || memory_line(memory, &commit->records[i]) != NULL;
    }
    return done;
}

static bool stage(struct memory_store *memory, const struct store_commit *commit,
                  struct staged *staged)
{
    if (!commit->directories && commit->bytes.at != NULL) {
        if (staged->row == NULL) {
            staged->row = memory_row_make(memory, commit);
            staged->made = staged->row != NULL;
            staged->archived = memory_archived(memory, commit->table);
        }
        staged->bytes = memory_blob(commit->bytes.at, commit->bytes.size);
        if (commit->narration != NULL) {
            staged->narration = word_blob(commit->narration);
        }
        // A table that is looked at too early is not due then, that is all.
        if (staged->row == NULL || staged->bytes == NULL ||
            (commit->narration != NULL && staged->narration == NULL) ||
            !room_in_row(staged->row, staged->archived, commit) || !stage_log(staged, commit) ||
            !stage_cards(memory, commit) || !stage_messages(staged, commit, memory->me) ||
            !stage_journal(staged, commit) ||
            !memory_due_set(memory, staged->row, memory->now_ms)) {
            return false;
        }
    }
    return stage_places(memory, staged, commit) && stage_people(memory, commit);
}

static void unstage(struct staged *staged, const struct store_commit *commit)
{
    free(staged->bytes);
    free(staged->narration);
    for (size_t i = 0; i < STORE_LOG_MAX; i++) {
        free(staged->log[i]);
    }
    while (staged->messages != NULL) {
        struct kept_message *const message = staged->messages;
        staged->messages = message->next;
        memory_message_free(message);
    }
    for (size_t i = 0; staged->journal != NULL && i < commit->journal_count; i++) {
        free(staged->journal[i]);
    }
    for (size_t i = 0; i < commit->place_count; i++) {
        free(staged->names != NULL ? staged->names[i] : NULL);
        free(staged->communities != NULL ? staged->communities[i] : NULL);
    }
    free(staged->journal);
    free(staged->names);
    free(staged->communities);
}

// Directories in which nothing was entered after all are forgotten again.
static void tidy(struct memory_store *memory, const struct store_commit *commit)
{
    for (size_t i = 0; i < commit->place_count; i++) {
        const uint32_t place =
            memory_place(memory, commit->places[i].network, commit->places[i].place);
        if (place != KEYED_NONE && memory->places[place].table == KEYED_NONE) {
            memory_place_drop(memory, place);
        }
    }
    for (size_t i = 0; i < commit->sit_count; i++) {
        const uint32_t person =
            memory_person(memory, commit->sits[i].network, commit->sits[i].person);
        if (person != KEYED_NONE) {
            memory_person_tidy(memory, person);
        }
    }
}

/* Taking effect. */

static void note_event(struct memory_store *memory, struct row *row, const char *event)
{
    size_t old = 0; // the first ones: they were noted one after another
    while (old < row->event_count && row->events[old].ms + STORE_EVENT_MS < memory->now_ms) {
        old++;
    }
    row->event_count -= old;
    if (old > 0) {
        memmove(row->events, row->events + old, row->event_count * sizeof row->events[0]);
    }
    row->events[row->event_count++] =
        (struct kept_event){.hash = store_event(memory->secret, event), .ms = memory->now_ms};
}

static void note_narration(struct row *row, struct blob *narration)
{
    if (row->log_count == STORE_LOG_MAX) {
        free(row->log[row->log_at]);
        row->log[row->log_at] = narration;
        row->log_at = (row->log_at + 1) % STORE_LOG_MAX;
    } else {
        row->log[row->log_count++] = narration;
    }
}

// What was kept of both gives way to what the commit has.
static void begin_anew(struct row *row, struct staged *staged)
{
    free(row->earlier);
    row->earlier = NULL;
    while (row->journal_count > 0) {
        free(row->journal[--row->journal_count]);
    }
    for (unsigned i = 0; i < row->log_count; i++) {
        free(row->log[i]);
    }
    row->log_at = row->log_count = 0;
    for (size_t i = 0; i < STORE_LOG_MAX && staged->log[i] != NULL; i++) {
        note_narration(row, staged->log[i]);
        staged->log[i] = NULL;
    }
}

static const char *reader_of(const struct kept_message *message)
{
    return message->reader != NULL ? (const char *)message->reader->at : "";
}

static bool is_board_known(const struct row *row, const struct kept_message *message)
{
    for (size_t i = 0; i < row->board_count; i++) {
        if (row->boards[i].board == message->board &&
            strcmp(row->boards[i].reader, reader_of(message)) == 0) {
            return true;
        }
    }
    return false;
}

// Behind all others; older ones of its board make way, but for the one that makes the board.
static void add_message(struct row *row, struct kept_message *message)
{
    bool made = is_board_known(row, message);
    struct kept_message **at = &row->messages;
    while (*at != NULL) {
        struct kept_message *const other = *at;
        const bool same = message->board != 0 && other->board == message->board;
        const bool reads = same && strcmp(reader_of(other), reader_of(message)) == 0;
        if (same && (made || !reads)) {
            *at = other->next;
            memory_message_free(other);
        } else {
            made = made || reads;
            at = &other->next;
        }
    }
    *at = message;
}

static void change_row(struct memory_store *memory, const struct store_commit *commit,
                       struct staged *staged)
{
    struct row *const row = staged->row;
    if (commit->keep_earlier) {
        free(row->earlier);
        row->earlier = row->bytes;
        row->earlier_version = row->version;
    } else {
        free(row->bytes);
    }
    row->bytes = staged->bytes;
    staged->bytes = NULL;
    row->sender = commit->sends && !memory_speaks(row) ? memory->me : row->sender;
    row->marked_ms = STORE_NEVER;
    row->version = commit->expected + 1;
    row->rests = commit->rests;
    row->touched = memory->touched;
    row->since_ms = commit->since_ms;
    row->due_ms = commit->due_ms;
    row->until_ms = commit->until_ms;
    (void)memory_due_set(memory, row, memory_due_ms(row)); // there is room, since stage()
    if (commit->event != NULL && commit->event[0] != '\0') {
        note_event(memory, row, commit->event);
    }
    if (staged->archived != NULL) {
        memory_take_out(memory, staged->archived, row, !commit->anew);
    }
    if (commit->anew) {
        begin_anew(row, staged);
    }
    memory_cards_use(memory, row, commit);
    if (staged->narration != NULL) {
        note_narration(row, staged->narration);
        staged->narration = NULL;
    }
    for (size_t i = 0; i < commit->journal_count; i++) {
        row->journal[row->journal_count++] = staged->journal[i];
        staged->journal[i] = NULL;
    }
    while (staged->messages != NULL) {
        struct kept_message *const message = staged->messages;
        staged->messages = message->next;
        message->next = NULL;
        add_message(row, message);
    }
    row->steps[row->step_at] = commit->step;
    row->step_versions[row->step_at] = row->version;
    row->step_at = (row->step_at + 1) % MEMORY_STEPS;
}

static void change_places(struct memory_store *memory, const struct store_commit *commit,
                          struct staged *staged)
{
    for (size_t i = 0; i < commit->place_count; i++) {
        const struct store_place *const change = &commit->places[i];
        const uint32_t index = memory_place(memory, change->network, change->place);
        if (index == KEYED_NONE || staged->row == NULL) {
            continue;
        }
        struct place_row *const place = &memory->places[index];
        if (!change->taken) {
            if (place->table == staged->row->index) {
                memory_place_drop(memory, index);
            }
            continue;
        }
        free(place->name);
        free(place->community);
        place->name = staged->names[i];
        place->community = staged->communities[i];
        staged->names[i] = NULL;
        staged->communities[i] = NULL;
        if (place->table != staged->row->index) {
            memory_place_take(memory, staged->row, index);
        }
    }
}

static void change_sits(struct memory_store *memory, const struct store_commit *commit,
                        struct row *row)
{
    for (size_t i = 0; i < commit->sit_count; i++) {
        const struct store_sit *const sit = &commit->sits[i];
        const uint32_t person = memory_person(memory, sit->network, sit->person);
        if (person == KEYED_NONE || row == NULL) {
            continue;
        }
        if (sit->what == STORE_SITS) {
            memory_sit(memory, person, row);
        } else if (sit->what == STORE_LEAVES) {
            memory_rise(memory, person, row);
        } else if (memory_sits(memory, person, row)) {
            memory->people[person].chosen = row->index;
        }
    }
}

static void change_records(struct memory_store *memory, const struct store_commit *commit)
{
    for (size_t i = 0; i < commit->record_count; i++) {
        const struct store_record *const record = &commit->records[i];
        if (record->forget) {
            memory_line_forget(memory, record);
            continue;
        }
        struct person_line *const known = memory_line(memory, record); // made by stage_people()
        if (known != NULL) {
            known->line.games += record->line.games;
            known->line.wins += record->line.wins;
            known->line.kills += record->line.kills;
            known->line.deaths += record->line.deaths;
            known->touched = memory->touched;
        }
    }
}

static void apply(struct memory_store *memory, const struct store_commit *commit,
                  struct staged *staged)
{
    const bool gone = !commit->directories && commit->bytes.at == NULL;
    if (!commit->directories && !gone) {
        change_row(memory, commit, staged);
    } else {
        memory->loose_steps[memory->loose_at] = commit->step;
        memory->loose_at = (memory->loose_at + 1) % MEMORY_LOOSE_STEPS;
        memory->loose_count += memory->loose_count < MEMORY_LOOSE_STEPS ? 1 : 0;
    }
    change_places(memory, commit, staged);
    change_sits(memory, commit, staged->row);
    change_records(memory, commit);
    if (gone && staged->row != NULL) {
        memory_row_drop(memory, staged->row);
    }
}

static const char *word_of(const char *word)
{
    return word != NULL ? word : "";
}

void memory_commit(struct memory_store *memory, const struct store_commit *commit,
                   struct store_answer *answer)
{
    struct row *const row = commit->table != NULL ? memory_row(memory, commit->table) : NULL;
    struct staged staged = {.row = row,
                            .from = commit->from != NULL ? memory_row(memory, commit->from) : NULL};
    if (memory_step(memory, commit->table, commit->step, &answer->version)) {
        answer->result = STORE_DONE;
        answer->held = row != NULL && row->sender == memory->me;
        return;
    }
    answer->result = check(memory, commit, &staged);
    if (answer->result != STORE_DONE) {
        return;
    }
    memory->touched++;
    if (!stage(memory, commit, &staged)) {
        answer->result = STORE_FAILED;
        if (staged.made) {
            memory_row_drop(memory, staged.row);
        } else if (row != NULL) {
            (void)memory_due_set(memory, row, memory_due_ms(row));
        }
    } else {
        answer->version = commit->directories ? 0 : commit->expected + 1;
        apply(memory, commit, &staged);
        const struct row *const after = memory_row(memory, word_of(commit->table));
        answer->held = after != NULL && after->sender == memory->me;
    }
    unstage(&staged, commit);
    tidy(memory, commit);
    memory_cards_tidy(memory);
    if (staged.from != NULL && answer->result == STORE_DONE) {
        memory_row_drop(memory, staged.from);
    }
    if (staged.gone != NULL && answer->result == STORE_DONE) {
        memcpy(memory->gone, staged.gone->id, sizeof memory->gone);
        answer->table = memory->gone;
        memory_row_drop(memory, staged.gone);
    }
}

/* Outcomes. */

static void drop_board_at(struct row *row, size_t at)
{
    free(row->boards[at].reader);
    free(row->boards[at].id);
    row->boards[at] = row->boards[--row->board_count];
}

static void drop_board(struct row *row, uint8_t board)
{
    for (size_t i = 0; i < row->board_count; i++) {
        if (row->boards[i].board == board) {
            drop_board_at(row, i);
            return;
        }
    }
}

static bool keep_board(struct row *row, const struct kept_message *message, const char *id)
{
    char *const reader = strdup(reader_of(message));
    char *const copy = strdup(id);
    void *items = row->boards;
    if (reader == NULL || copy == NULL ||
        !memory_room(&items, row->board_count, &row->board_room, sizeof *row->boards)) {
        free(reader);
        free(copy);
        return false;
    }
    row->boards = items;
    drop_board(row, message->board);
    row->boards[row->board_count++] =
        (struct kept_board){.board = message->board, .reader = reader, .id = copy};
    return true;
}

enum store_result memory_confirm(struct memory_store *memory, const struct store_request *request)
{
    struct row *const row = memory_row(memory, request->table);
    if (row == NULL) {
        return STORE_NOTHING;
    }
    struct kept_message **at = &row->messages;
    while (*at != NULL && !key_is((*at)->key, request->key)) {
        at = &(*at)->next;
    }
    struct kept_message *const message = *at;
    if (message != NULL) {
        if (message->board != 0 && request->id != NULL && !keep_board(row, message, request->id)) {
            return STORE_FAILED;
        }
        *at = message->next;
        memory_message_free(message);
    }
    if (request->forget_board != 0) {
        drop_board(row, request->forget_board);
    }
    if (request->starts && row->since_ms < 0) {
        row->since_ms = request->ms;
        if (!memory_due_set(memory, row, memory_due_ms(row))) {
            row->since_ms = STORE_NEVER;
            return STORE_FAILED;
        }
    }
    return message != NULL || request->starts ? STORE_DONE : STORE_NOTHING;
}

/* What is known of a person. */

static bool rename_opener(struct memory_store *memory, struct row *row)
{
    char nobody[MEMORY_KEY_SIZE];
    memory_key(nobody, "", "");
    return memory_row_opener(memory, row, nobody);
}

static void drop_reader(struct row *row, const char *reader)
{
    for (struct kept_message **at = &row->messages; *at != NULL;) {
        struct kept_message *const message = *at;
        if (message->reader != NULL && strcmp((const char *)message->reader->at, reader) == 0) {
            *at = message->next;
            memory_message_free(message);
        } else {
            at = &message->next;
        }
    }
    for (size_t i = row->board_count; i-- > 0;) {
        if (strcmp(row->boards[i].reader, reader) == 0) {
            drop_board_at(row, i);
        }
    }
}

bool memory_forget(struct memory_store *memory, const struct store_request *request)
{
    char key[MEMORY_KEY_SIZE];
    bool done = true;
    memory_key(key, request->network, request->person);
    const uint32_t person = memory_person(memory, request->network, request->person);
    for (uint32_t i = 0; i < memory->row_room; i++) {
        struct row *const row = memory->rows[i];
        if (row == NULL) {
            continue;
        }
        drop_reader(row, request->word);
        done = (strcmp(row->opener, key) != 0 || rename_opener(memory, row)) && done;
        if (person != KEYED_NONE && memory_sits(memory, person, row)) {
            memory_rise(memory, person, row);
        }
    }
    if (person != KEYED_NONE) {
        memory_person_tidy(memory, person);
    }
    memory_forget_lines(memory, request->network, request->person);
    return done;
}
