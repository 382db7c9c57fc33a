// An outcome on its way into the store. The commit is made of the outcome whenever it is asked, the
// same each time: it bears its step's id, so that it takes effect once.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/journal_bytes.h"
#include "core/codec/memory.h"
#include "core/codec/outcome.h"

#include "bot/hall/step/step.h"
#include "bot/table/table_codec.h"

enum { SITS_MAX = 2 * MB_SEATS_MAX, RECORDS_MAX = MB_SEATS_MAX + 1, COMMUNITY_SIZE = 512 };

/** A commit being made: its lists, and room for what is written. */
struct writing {
    struct store_commit commit;
    struct store_place places[2 * TABLE_SITES_MAX];
    struct store_sit sits[SITS_MAX];
    struct store_record records[RECORDS_MAX];
    struct hall_cards cards;
    char event[HALL_KEY_SIZE];
    struct store_message *messages;
    struct store_bytes *pieces;
    unsigned char *begin, *at; // in the hall's scratch
    size_t left;
};

// The table that the step's commit names.
static const char *id_of(const struct hall_table *table)
{
    const struct hall_step *const step = table->step;
    assert(!step->aside || step->line != NULL); // somebody has said it
    if (step->aside && !step->line->chooses) {
        return "";
    }
    return step->renewed != NULL ? table_id(step->renewed) : table->id;
}

/* Room. */

static size_t count_messages(const struct hall_step *step)
{
    size_t count = 0;
    for (const struct hall_message *at = step->messages; at != NULL; at = at->next) {
        count++;
    }
    return count;
}

static size_t size_of_messages(const struct hall_step *step)
{
    size_t size = 0;
    for (const struct hall_message *at = step->messages; at != NULL; at = at->next) {
        size += at->board == 0 ? hall_message_size(at) : sizeof at->calls;
    }
    return size;
}

// Room for everything; lists first.
static void make_room(struct hall *hall, const struct hall_step *step, struct writing *writing)
{
    const size_t messages = count_messages(step) * sizeof *writing->messages;
    const size_t pieces = journal_piece_count(&step->outcome.journal);
    const size_t lists = messages + pieces * sizeof *writing->pieces;
    const size_t size = lists + TABLE_BYTES_MAX + size_of_messages(step) +
                        journal_pieces_room(&step->outcome.journal);
    if (hall->scratch_size < size) {
        free(hall->scratch);
        hall->scratch = mb_new(size, 1);
        hall->scratch_size = size;
    }
    writing->messages = (struct store_message *)(void *)hall->scratch;
    writing->pieces = (struct store_bytes *)(void *)(hall->scratch + messages);
    writing->begin = writing->at = hall->scratch + lists;
    writing->left = hall->scratch_size - lists;
}

static struct store_bytes written(struct writing *writing, size_t size)
{
    const struct store_bytes bytes = {.at = writing->at, .size = size};
    writing->at += size;
    writing->left -= size;
    return bytes;
}

/* Parts. */

static void write_messages(const struct hall_step *step, struct writing *writing)
{
    struct store_commit *const commit = &writing->commit;
    for (const struct hall_message *at = step->messages; at != NULL; at = at->next) {
        struct store_message *const out = &writing->messages[commit->message_count++];
        *out = (struct store_message){.key = at->out.key,
                                      .board = at->board,
                                      .narrates = at->narrates,
                                      .answer = hall_is_answer(at)};
        out->reader = at->board != 0 ? at->reader : NULL;
        if (at->board != 0 && (at->calls | at->inherited) != 0) {
            *writing->at = at->calls | at->inherited;
            out->bytes = written(writing, sizeof at->calls);
        } else if (at->board == 0) {
            out->bytes = written(writing, hall_message_encode(at, writing->at, writing->left));
        }
    }
    for (size_t i = 0; i < step->outcome.said.count; i++) {
        const struct message *const said = &step->outcome.said.items[i];
        commit->narration = said->to == MESSAGE_TABLE ? said->text : commit->narration;
    }
    commit->messages = writing->messages;
}

static bool write_journal(const struct hall_step *step, struct writing *writing)
{
    const struct journal *const batch = &step->outcome.journal;
    struct store_commit *const commit = &writing->commit;
    // What ends the old game belongs to no new one.
    const size_t count = step->renewed == NULL ? journal_piece_count(batch) : 0;
    for (size_t i = 0; i < count; i++) {
        const size_t size = journal_piece_encode(batch, i, writing->at, writing->left);
        if (size == 0) {
            return false;
        }
        writing->pieces[commit->journal_count++] = written(writing, size);
    }
    commit->journal = writing->pieces;
    return true;
}

static struct store_place place_of(const struct hall_table *live, const struct table *table,
                                   unsigned site, bool taken)
{
    return (struct store_place){.network = table_site_network(table, site),
                                .place = table_site_place(table, site),
                                .name = table_site_name(table, site),
                                .community = live->community,
                                .taken = taken};
}

// Those that it lies at by now, and those that it has left.
static void write_places(const struct hall_table *table, struct writing *writing)
{
    const struct table *const after = table->step->outcome.after;
    struct store_commit *const commit = &writing->commit;
    const bool fresh = commit->expected == 0;
    for (unsigned i = 0; !fresh && i < hall_sites(table->table); i++) {
        if (!hall_is_site(after, table_site_network(table->table, i),
                          table_site_place(table->table, i))) {
            writing->places[commit->place_count++] = place_of(table, table->table, i, false);
        }
    }
    for (unsigned i = 0; i < hall_sites(after); i++) {
        if (fresh ||
            !hall_is_site(table->table, table_site_network(after, i), table_site_place(after, i))) {
            writing->places[commit->place_count++] = place_of(table, after, i, true);
        }
    }
    commit->places = writing->places;
}

// Who sits at a seat of a table at which a game is, or will be.
static bool sitter(const struct table *table, unsigned seat, struct person *out)
{
    const enum table_state state = table_state(table);
    return state != TABLE_EMPTY && state != TABLE_OVER && seat < table_seat_count(table) &&
           (table_people_seats(table) & ~table_asked_again(table) & seat_bit(seat)) != 0 &&
           table_seat_person(table, seat, false, out);
}

// Whether they sit there; `like` is where they sat, and mostly sit still.
static bool sits(const struct table *table, const struct person *person, unsigned like)
{
    struct person other;
    for (unsigned i = 0; i < MB_SEATS_MAX; i++) {
        const unsigned seat = (like + i) % MB_SEATS_MAX;
        if (sitter(table, seat, &other) && strcmp(other.network, person->network) == 0 &&
            strcmp(other.id, person->id) == 0) {
            return true;
        }
    }
    return false;
}

static void write_sits(const struct hall_table *table, struct writing *writing)
{
    const struct table *const after = table->step->outcome.after;
    struct store_commit *const commit = &writing->commit;
    const bool fresh = commit->expected == 0;
    for (unsigned seat = 0; seat < MB_SEATS_MAX; seat++) {
        struct person person;
        if (!fresh && sitter(table->table, seat, &person) && !sits(after, &person, seat)) {
            writing->sits[commit->sit_count++] = (struct store_sit){
                .network = person.network, .person = person.id, .what = STORE_LEAVES};
        }
        if (!table->step->without_sits && sitter(after, seat, &person) &&
            (fresh || !sits(table->table, &person, seat))) {
            writing->sits[commit->sit_count++] = (struct store_sit){
                .network = person.network, .person = person.id, .what = STORE_SITS};
        }
    }
    commit->sits = writing->sits;
}

static void write_records(struct hall *hall, const struct hall_table *table,
                          struct writing *writing)
{
    const struct hall_step *const step = table->step;
    const struct table_outcome *const outcome = &step->outcome;
    struct store_commit *const commit = &writing->commit;
    for (unsigned i = 0; i < outcome->record_count; i++) {
        const struct table_record *const record = &outcome->records[i];
        struct person person;
        if (table_seat_person(outcome->after, record->seat, false, &person)) {
            writing->records[commit->record_count++] =
                (struct store_record){.community = table->community,
                                      .network = person.network,
                                      .person = person.id,
                                      .line = {.games = record->line.games,
                                               .wins = record->line.wins,
                                               .kills = record->line.kills,
                                               .deaths = record->line.deaths}};
        }
    }
    if (outcome->forget_stats && step->line != NULL) {
        const struct person person = hall_speaker(hall, step->line);
        writing->records[commit->record_count++] =
            (struct store_record){.community = table->community,
                                  .network = person.network,
                                  .person = person.id,
                                  .forget = true};
    }
    commit->records = writing->records;
}

static bool speaks_aloud(const struct hall_step *step)
{
    for (const struct hall_message *at = step->messages; at != NULL; at = at->next) {
        if (hall_is_for_all(at)) {
            return true;
        }
    }
    return false;
}

static bool write_table(struct hall *hall, const struct hall_table *table, struct writing *writing)
{
    const struct hall_step *const step = table->step;
    const struct table *const after = step->outcome.after;
    struct store_commit *const commit = &writing->commit;
    const struct person opener = step->line != NULL ? hall_speaker(hall, step->line)
                                                    : (struct person){.network = "", .id = ""};
    const struct table_due due = table_due(after);
    commit->step = step->id;
    commit->table = id_of(table);
    commit->expected = step->renewed != NULL ? 0 : table->version;
    if (step->renewed != NULL) { // the old one goes: nothing is taken for it by mistake
        commit->from = table->id;
        commit->from_version = table->version;
    }
    commit->keep_earlier = step->outcome.keep_earlier;
    commit->rests = hall_rests(hall, after);
    commit->sends = hall_serves(hall, after);
    commit->opener_network = opener.network;
    commit->opener = opener.id;
    commit->community = table->community;
    const bool stands = speaks_aloud(step) || hall_speaks_aloud(table) || table_is_quiet(after);
    commit->since_ms = stands ? STORE_NEVER : step->base_ms;
    commit->due_ms = due.kind != TABLE_DUE_NEVER ? due.ms : STORE_NEVER;
    commit->until_ms = hall_until_ms(hall, table, after);
    commit->event = writing->event;
    if (step->line != NULL) {
        hall_event_key(hall, step->line, writing->event);
    }
    if (table_state(after) != TABLE_EMPTY) {
        const size_t size = table_encode(after, writing->at, writing->left);
        commit->bytes = written(writing, size);
        return size > 0;
    }
    return true;
}

// What changes no table: whose statistics are forgotten, or which table somebody has chosen.
static void write_aside(struct hall *hall, const struct hall_table *table, struct writing *writing)
{
    const struct hall_step *const step = table->step;
    struct store_commit *const commit = &writing->commit;
    assert(step->line != NULL);
    commit->step = step->id;
    commit->directories = true;
    commit->table = id_of(table);
    if (step->line->chooses) {
        const struct person person = hall_speaker(hall, step->line);
        writing->sits[commit->sit_count++] = (struct store_sit){
            .network = person.network, .person = person.id, .what = STORE_CHOOSES};
        commit->sits = writing->sits;
    } else {
        write_records(hall, table, writing);
    }
}

static bool plays_alike(const struct table *a, const struct table *b)
{
    size_t count = 0;
    size_t other = 0;
    const uint8_t *const digests = table_digests(a, &count);
    return memcmp(digests, table_digests(b, &other), count * CATALOG_DIGEST_SIZE) == 0 &&
           count == other;
}

// Card files, if they are another table's than before: one plays on with the rows it began with
// when its sets have changed or are gone. False: they are not to be had.
static bool write_cards(struct hall *hall, const struct table *before, const struct table *after,
                        struct hall_cards *out, struct store_commit *commit)
{
    size_t count = 0;
    const uint8_t *const digests = table_digests(after, &count);
    if (count == 0 || (before != NULL && plays_alike(after, before))) {
        return true;
    }
    struct mb_error err = {0};
    const struct mix *const mix = library_mix(hall->library, digests, count, &err);
    for (size_t i = 0; mix != NULL && i < count; i++) {
        digest_hex(mix->digests[i], CATALOG_DIGEST_SIZE, out->words[i]);
        out->cards[i] = (struct store_card){
            .word = out->words[i], .bytes = {.at = mix->files[i].at, .size = mix->files[i].used}};
    }
    commit->cards = out->cards;
    commit->card_count = mix != NULL ? count : 0;
    return mix != NULL;
}

static bool write_all(struct hall *hall, const struct hall_table *table, struct writing *writing)
{
    const struct hall_step *const step = table->step;
    if (step->aside) {
        write_aside(hall, table, writing);
        return true;
    }
    make_room(hall, step, writing);
    const bool fresh = table->version == 0 || step->renewed != NULL;
    if (!write_table(hall, table, writing) || !write_journal(step, writing) ||
        !write_cards(hall, fresh ? NULL : table->table, step->outcome.after, &writing->cards,
                     &writing->commit)) {
        return false;
    }
    write_messages(step, writing);
    write_places(table, writing);
    write_sits(table, writing);
    write_records(hall, table, writing);
    return true;
}

void hall_commit_drop(struct hall_step *step)
{
    while (step->messages != NULL) {
        struct hall_message *const message = step->messages;
        step->messages = message->next;
        hall_message_free(message);
    }
    free(step->story);
    step->story = NULL;
}

/* Answers. */

// A table that has made room for the one that was opened.
static void close_other(struct hall *hall, const char *id)
{
    struct hall_table *const other = hall_table_by_id(hall, id);
    if (other != NULL && other->state == HALL_READY && other->lines.count == 0) {
        hall_say(hall, other, TEXT_HALL_CLOSED, NULL);
        other->version = 0;
        hall_table_work(hall, other);
    }
}

static void note_committed(struct hall *hall, const struct hall_step *step)
{
    hall->stats.steps++;
    if (step->line != NULL) {
        histogram_note(&hall->stats.heard_to_commit, hall->now_ms - step->line->heard_ms);
    }
}

// The outcome has happened.
static void take_over(struct hall *hall, struct hall_table *table,
                      const struct store_answer *answer)
{
    struct hall_step *const step = table->step;
    const bool gone = table_state(step->outcome.after) == TABLE_EMPTY;
    const uint64_t from = step->renewed != NULL ? 0 : table->version;
    note_committed(hall, step);
    if (step->renewed != NULL) {
        if (table->unreadable != NULL) {
            hall_say(hall, table, TEXT_HALL_SET_ASIDE,
                     TEXT_ARGS(text_str("reason", table->unreadable), text_str("what", table->id)));
            free(table->unreadable);
            table->unreadable = NULL;
        }
        hall_post_loosen(table);
        hall_forget_readers(table);
        hall_table_name(hall, table, table_id(step->renewed));
        table->version = 0;
    }
    table->version = gone ? 0 : table->version + 1;
    struct table *const before = table->table; // not copied: the step keeps the old one's room
    table->table = step->outcome.after;
    step->outcome.after = before;
    table->stamp = step->outcome.stamp;
    if (step->deed.kind == DEED_LINE && table_asked_again(table->table) != 0 &&
        (before == NULL || table_state(before) != TABLE_LOBBY)) {
        (void)hall_person_recalls(hall, step->line, true);
    }
    hall_story_told(table);
    table->reshow_sites &= ~step->reshow_sites; // more may have failed meanwhile
    table->reshow_seats &= ~step->reshow_seats;
    // Time stands until everybody could have read what is said to all.
    const bool aloud =
        !gone && (speaks_aloud(step) || hall_speaks_aloud(table) || table_is_quiet(table->table));
    const int64_t since = table->since_ms > step->base_ms ? table->since_ms : step->base_ms;
    table->since_ms = aloud ? STORE_NEVER : since;
    table->state = HALL_READY;
    // Whoever is to speak, and does not know where boards are shown, fetches what to say.
    const bool astray = answer->held && table->astray && !gone;
    hall_hold(hall, table, answer->held && !astray);
    hall_note_step(hall, table, from);
    struct hall_message *const messages = step->messages;
    step->messages = NULL;
    // With the table its messages left the store, those of earlier steps too: none of them makes a
    // board of the next table here.
    for (struct hall_message *at = table->unsent; gone && at != NULL; at = at->next) {
        at->loose = true;
    }
    for (struct hall_message *at = messages; gone && at != NULL; at = at->next) {
        at->loose = true;
    }
    if (answer->kind == STORE_COMMIT && answer->table != NULL) {
        close_other(hall, answer->table);
    }
    if (step->deed.kind == DEED_REVIVE) {
        hall_table_lie(hall, table);
    }
    hall_place_moved(hall, table, before);
    if (step->line != NULL && step->line->links) {
        hall_link_done(hall, step->line);
    }
    hall_link_parted(hall, before, table->table);
    hall_post(hall, table, messages);
    hall_start_dealt(hall, table);
    if (gone) {
        hall_forget_readers(table);
    }
    hall_step_end(hall, table);
    if (astray) {
        hall_table_refresh(hall, table);
    }
}

static void answer_aside(struct hall *hall, struct hall_table *table)
{
    const struct hall_step *const step = table->step;
    note_committed(hall, step);
    if (step->line->chooses) {
        hall_answer(hall, step->line, TEXT_HALL_CHOSEN,
                    TEXT_ARGS(text_str("what", table_site_name(table->table, 0))));
    } else {
        hall_say_replies(hall, table, step->line, &step->outcome.said);
    }
    hall_step_end(hall, table);
}

// Whether the speaker sits at too many tables: they are told so, and the step is over. False:
// another seated person does, who stays out of the directory.
static bool is_refused(struct hall *hall, struct hall_table *table)
{
    struct hall_step *const step = table->step;
    const struct person person =
        step->line != NULL ? hall_speaker(hall, step->line) : (struct person){.id = ""};
    if (step->line == NULL || step->without_sits || !sits(step->outcome.after, &person, 0) ||
        (table->version > 0 && sits(table->table, &person, 0))) {
        step->without_sits = true;
        return false;
    }
    hall_answer(hall, step->line, TEXT_HALL_TABLES_MANY,
                TEXT_ARGS(text_num("n", STORE_TABLES_OF_PERSON)));
    hall_step_end(hall, table);
    return true;
}

static void no_room(struct hall *hall, struct hall_table *table)
{
    const struct hall_step *const step = table->step;
    if (step->deed.kind == DEED_REVIVE) {
        hall_turn_away(hall, table, TEXT_HALL_FULL, NULL);
        return;
    }
    if (step->line != NULL) {
        hall_answer(hall, step->line, TEXT_HALL_FULL, NULL);
    }
    hall_step_end(hall, table);
}

// Asks until the store has answered; a question whose answer is lost is not put twice, but asked
// after. NULL: the hall goes, or the outcome cannot be written down, and the step is over.
static struct store_answer *ask_commit(struct fibre *fibre, struct hall *hall,
                                       struct hall_table *table)
{
    struct hall_step *const step = table->step;
    struct store_answer *answer = NULL;
    bool lost = false;
    const int64_t asked_ms = hall->now_ms;
    table->state = HALL_ASKING;
    for (bool goes_on = true; goes_on && answer == NULL;) {
        struct store_request request = {.kind = STORE_STEP, .table = id_of(table), .key = step->id};
        if (!lost) {
            struct writing writing = {.left = 0};
            table->doubt = false;                    // the store compares
            if (!write_all(hall, table, &writing)) { // nor would it another time
                table->stuck = true;
                hall_step_give_up(hall, table, TEXT_HALL_NOT_KEPT);
                return NULL;
            }
            request = (struct store_request){.kind = STORE_COMMIT, .commit = writing.commit};
            hall->stats.commit_bytes += (size_t)(writing.at - writing.begin);
            goes_on = hall_table_ask(fibre, hall, table, &request, &answer);
            lost = answer == NULL && table->ticket != 0;
        } else {
            goes_on = hall_table_ask(fibre, hall, table, &request, &answer);
            if (answer != NULL && answer->result == STORE_NOTHING) { // it was never committed
                store_answer_free(answer);
                answer = NULL;
                lost = false;
            }
        }
    }
    if (answer != NULL) {
        histogram_note(&hall->stats.commit, hall->now_ms - asked_ms);
    }
    return answer;
}

bool hall_commit(struct fibre *fibre, struct hall *hall, struct hall_table *table)
{
    const struct hall_step *const step = table->step;
    if (!step->aside && table->version == 0 && table_state(step->outcome.after) == TABLE_EMPTY) {
        hall_step_end(hall, table); // it never was
        return true;
    }
    bool over = false;
    bool overtaken = false;
    while (!over) {
        struct store_answer *const answer = ask_commit(fibre, hall, table);
        if (answer == NULL) {
            return true;
        }
        over = true;
        switch (answer->result) {
        case STORE_DONE:
            if (step->aside) {
                answer_aside(hall, table);
            } else {
                take_over(hall, table, answer);
            }
            break;
        case STORE_REPEATED:
            hall->stats.repeated++;
            table->doubt = hall->shared; // another process has heard it
            hall_step_end(hall, table);
            break;
        case STORE_FULL:
            no_room(hall, table);
            break;
        case STORE_TOO_MANY:
            over = is_refused(hall, table);
            break;
        case STORE_CONFLICT:
        case STORE_NOTHING:
        case STORE_FAILED: // it was asked again already
            overtaken = true;
            break;
        }
        store_answer_free(answer);
    }
    return !overtaken;
}
