// Playing a game again from its export. Seed and commands say everything; all else in the file is
// compared with what comes of them.
#include <stdlib.h>
#include <string.h>

#include "core/codec/journal_impl.h"
#include "core/codec/json_file.h"
#include "core/codec/memory.h"
#include "core/codec/snapshot.h"
#include "core/loop/query.h"
#include "core/seen/undo.h"

enum { DEPTH_MAX = 8, VALUES_MAX = 2000000 };

struct replay {
    struct journal journal;
    const json_t *root;       // of an export, or NULL
    const struct game *final; // of a journal: what it must lead to, or NULL
    struct game *game;
    struct game *saved; // before the entry that the next undo takes back
    size_t next_undo;   // the next entry that takes something back
    size_t saved_at;    // which entry that is
    struct event_list events;
    struct journal_report *report;
    struct mb_error *err;
};

/* The text. */

static json_t *parse(const char *text, size_t size, struct mb_error *err)
{
    if (size > JOURNAL_BYTES_MAX) {
        (void)mb_fail(err, MB_ERR_LIMIT, "the file is larger than %d MiB, so it is not a game",
                      JOURNAL_BYTES_MAX / (1024 * 1024));
        return NULL;
    }
    const struct json_measure measure = json_measure(text, size);
    if (measure.depth > DEPTH_MAX || measure.values > VALUES_MAX) {
        (void)mb_fail(err, MB_ERR_LIMIT, "it is deeper or longer than any game's file");
        return NULL;
    }
    json_error_t error;
    json_t *const root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
    if (root == NULL) {
        (void)mb_fail(err, MB_ERR_INPUT,
                      "it is no whole JSON (line %d, column %d): cut off or damaged", error.line,
                      error.column);
    }
    return root;
}

static bool check_form(const json_t *root, struct mb_error *err)
{
    const char *const format = json_string_value(json_object_get(root, "format"));
    const json_t *const version = json_object_get(root, "version");
    if (format == NULL || strcmp(format, JOURNAL_FORMAT) != 0 || !json_is_integer(version)) {
        return mb_fail(err, MB_ERR_INPUT,
                       "it is no recorded game; \"munchbot play --record FILE\" "
                       "makes one");
    }
    if (json_integer_value(version) < 1 || json_integer_value(version) > JOURNAL_FORM) {
        return mb_fail(err, MB_ERR_INPUT,
                       "it has format version %lld; this munchbot reads up to %d",
                       (long long)json_integer_value(version), JOURNAL_FORM);
    }
    return true;
}

// The seal finds damage; forgery is found by playing the game again.
static bool check_seal(json_t *root, struct mb_error *err)
{
    uint8_t digest[DIGEST_SIZE];
    char right[2 * DIGEST_SIZE + 1];
    json_t *const seal = json_incref(json_object_get(root, "seal"));
    (void)json_object_del(root, "seal");
    digest_of_json(root, digest);
    digest_hex(digest, sizeof digest, right);
    const char *const said = json_string_value(seal);
    const bool whole = said != NULL && strcmp(said, right) == 0; // another letter is damage too
    json_decref(seal);
    return whole ||
           mb_fail(err, MB_ERR_INPUT, "it was changed after it was written: its seal is broken");
}

/* The head. */

static bool take_and_compare(const json_t *said, json_t *derived)
{
    const bool equal = json_equal(said, derived) != 0;
    json_decref(derived);
    return equal;
}

// What was committed to, and that the seed is what comes of it.
static bool check_luck(const struct journal *journal, struct mb_error *err)
{
    const struct luck *const luck = &journal->luck;
    uint8_t digest[DIGEST_SIZE];
    digest_of(luck->drawn ? luck->secret : journal->seed, DIGEST_SIZE, digest);
    if (memcmp(digest, journal->commitment, sizeof digest) != 0) {
        return mb_fail(err, MB_ERR_INPUT, "the %s does not fit the commitment posted at the start",
                       luck->drawn ? "secret" : "seed");
    }
    if (luck->drawn) {
        luck_seed(luck, journal->seat_count, digest);
    }
    return !luck->drawn || memcmp(digest, journal->seed, sizeof digest) == 0 ||
           mb_fail(err, MB_ERR_INPUT,
                   "the seed is not what comes of secret, table, seats and start message");
}

static bool check_head(struct replay *replay)
{
    const struct journal *const journal = &replay->journal;
    if (!check_luck(journal, replay->err)) {
        return false;
    }
    if (!take_and_compare(json_object_get(replay->root, "sets"), journal_json_sets(journal))) {
        return mb_fail(replay->err, MB_ERR_INPUT,
                       "its card sets are not those that are here: their digests differ");
    }
    if (!take_and_compare(json_object_get(replay->root, "cards"), journal_json_cards(journal))) {
        return mb_fail(replay->err, MB_ERR_INPUT, "its cards are not those of its sets");
    }
    if (!take_and_compare(json_object_get(replay->root, "rules"),
                          journal_json_rules(&journal->box.profile))) {
        return mb_fail(replay->err, MB_ERR_INPUT, "its rules are not those of its edition");
    }
    return true;
}

// `step` 0: the beginning. The outcome of a command covers the command too.
static bool check_outcome(struct replay *replay, const uint8_t said[OUTCOME_SIZE], size_t step)
{
    const struct command *command = NULL;
    uint8_t outcome[OUTCOME_SIZE];
    if (step > 0 && replay->journal.entries[step - 1].kind == JOURNAL_COMMAND) {
        command = &replay->journal.entries[step - 1].command;
    }
    outcome_of(replay->game, command, outcome);
    if (memcmp(outcome, said, sizeof outcome) == 0) {
        return true;
    }
    return step == 0 ? mb_fail(replay->err, MB_ERR_INPUT,
                               "the cards dealt are not those that the seed deals")
                     : mb_fail(replay->err, MB_ERR_INPUT,
                               "step %zu did not lead to what the file says", step);
}

static void count_chance(struct replay *replay)
{
    for (uint32_t i = 0; i < replay->events.count; i++) {
        const unsigned type = replay->events.items[i].type;
        replay->report->rolls += type == EVENT_ROLL ? 1 : 0;
        replay->report->shuffles += type == EVENT_SHUFFLE ? 1 : 0;
    }
}

/* The steps. */

static bool check_dice(struct replay *replay, const struct journal_entry *entry, size_t step)
{
    unsigned rolled = 0;
    bool equal = true;
    for (uint32_t i = 0; i < replay->events.count; i++) {
        const struct event *const event = &replay->events.items[i];
        if (event->type != EVENT_ROLL) {
            continue;
        }
        if (rolled < entry->die_count) {
            const struct journal_die *const die = &replay->journal.dice[entry->first_die + rolled];
            equal = equal && die->seat == event->seat && die->face == event->n &&
                    die->what == event->why;
        }
        rolled++;
    }
    return (equal && rolled == entry->die_count) ||
           mb_fail(replay->err, MB_ERR_INPUT, "step %zu: the dice are not those of the seed", step);
}

static bool replay_command(struct replay *replay, const struct journal_entry *entry, size_t step)
{
    struct refusal why = {0};
    if (!game_step(replay->game, &replay->journal.box, &entry->command, &replay->events, &why)) {
        return mb_fail(replay->err, MB_ERR_INPUT, "step %zu, \"%s\", is against the rules (%s)",
                       step, command_word(entry->command.verb), refusal_name(why.code));
    }
    replay->report->commands++;
    count_chance(replay);
    return check_dice(replay, entry, step) && check_outcome(replay, entry->outcome, step);
}

// Whether seats other than the author's did something since the saved entry, passes aside.
static bool others_acted(const struct replay *replay, size_t until, unsigned author)
{
    for (size_t i = replay->saved_at + 1; i < until; i++) {
        const struct journal_entry *const entry = &replay->journal.entries[i];
        if (entry->kind == JOURNAL_COMMAND && entry->command.verb != VERB_PASS &&
            entry->command.seat != author) {
            return true;
        }
    }
    return false;
}

static bool replay_undo(struct replay *replay, const struct journal_entry *entry, size_t index)
{
    const struct journal *const journal = &replay->journal;
    const unsigned everybody = (1u << journal->seat_count) - 1u;
    if (replay->saved_at >= index || replay->saved_at != entry->back_to) {
        return mb_fail(replay->err, MB_ERR_INPUT, "step %zu takes back what cannot be taken back",
                       index + 1);
    }
    const unsigned author = journal->entries[entry->back_to].command.seat;
    if (author >= journal->seat_count) {
        return mb_fail(replay->err, MB_ERR_INPUT, "step %zu takes back what no player did",
                       index + 1);
    }
    const bool fair = author == entry->seat && !others_acted(replay, index, author) &&
                      undo_is_fair(replay->saved, replay->game, author);
    const unsigned others = everybody & ~(unsigned)seat_bit(entry->seat);
    if (entry->agreed != (fair ? 0u : others)) {
        return mb_fail(replay->err, MB_ERR_INPUT,
                       "step %zu takes back a command without the others' consent", index + 1);
    }
    undo_apply(replay->game, &journal->box, replay->saved, &replay->events);
    replay->saved_at = SIZE_MAX;
    replay->report->undone++;
    count_chance(replay);
    return check_outcome(replay, entry->outcome, index + 1);
}

// Whether the next step that takes something back takes this one: then the state before it is kept.
static bool is_taken_back(struct replay *replay, size_t index)
{
    const struct journal *const journal = &replay->journal;
    while (
        replay->next_undo < journal->count &&
        (replay->next_undo <= index || journal->entries[replay->next_undo].kind != JOURNAL_UNDO)) {
        replay->next_undo++;
    }
    return replay->next_undo < journal->count &&
           journal->entries[replay->next_undo].back_to == index;
}

static bool replay_seat(struct replay *replay, const struct journal_entry *entry, size_t step)
{
    if (entry->seat >= replay->journal.seat_count) {
        return mb_fail(replay->err, MB_ERR_INPUT, "step %zu names no seat", step);
    }
    replay->report->players[entry->seat] = *entry->player;
    return true;
}

static bool replay_step(struct replay *replay, size_t index)
{
    const struct journal_entry *const entry = &replay->journal.entries[index];
    if (entry->kind == JOURNAL_COMMAND && is_taken_back(replay, index)) {
        game_copy(replay->saved, replay->game);
        replay->saved_at = index;
    }
    switch (entry->kind) {
    case JOURNAL_COMMAND:
        return replay_command(replay, entry, index + 1);
    case JOURNAL_UNDO:
        return replay_undo(replay, entry, index);
    case JOURNAL_SEAT:
        return replay_seat(replay, entry, index + 1);
    default:
        return mb_fail(replay->err, MB_ERR_INPUT, "step %zu is none", index + 1);
    }
}

// Of what was played by earlier rules only who sat there is taken over.
static bool replay_steps(struct replay *replay)
{
    const struct journal *const journal = &replay->journal;
    for (size_t i = 0; i < journal->count; i++) {
        const struct journal_entry *const entry = &journal->entries[i];
        const bool before = i < replay->report->from;
        if (before ? entry->kind == JOURNAL_SEAT && !replay_seat(replay, entry, i + 1)
                   : !replay_step(replay, i)) {
            return false;
        }
    }
    return true;
}

/* Where the rules changed. */

static unsigned rules_of(const struct replay *replay)
{
    const size_t from = replay->report->from;
    return from > 0 ? replay->journal.entries[from - 1].rules : replay->journal.rules;
}

// The last state that was noted, with which the steps behind it begin.
static bool begin_there(struct replay *replay)
{
    const struct journal *const journal = &replay->journal;
    const struct journal_entry *const entry = &journal->entries[replay->report->from - 1];
    const struct journal_snapshot *const state = entry->snapshot;
    uint8_t seed[DIGEST_SIZE];
    if (state == NULL ||
        !snapshot_decode(state->bytes, state->size, &journal->box, replay->game, replay->err)) {
        return mb_fail(replay->err, MB_ERR_INPUT, "step %zu holds no state to go on from",
                       replay->report->from);
    }
    game_seed(replay->game, seed);
    if (query_seat_count(replay->game) != journal->seat_count ||
        memcmp(seed, journal->seed, sizeof seed) != 0) {
        return mb_fail(replay->err, MB_ERR_INPUT, "the state of step %zu is another game's",
                       replay->report->from);
    }
    return check_outcome(replay, entry->outcome, replay->report->from);
}

static bool begin_replay(struct replay *replay)
{
    const struct journal *const journal = &replay->journal;
    for (size_t i = 0; i < journal->count; i++) {
        replay->report->from = journal->entries[i].kind == JOURNAL_RULES ? i + 1 : //
                                   replay->report->from;
    }
    if (rules_of(replay) > game_rules()) {
        return mb_fail(replay->err, MB_ERR_STATE,
                       "a newer release has played it, by rules %u: check it with that one",
                       rules_of(replay));
    }
    if (replay->report->from > 0) {
        return begin_there(replay);
    }
    struct game_setup setup = {.seat_count = journal->seat_count};
    memcpy(setup.seed, journal->seed, sizeof setup.seed);
    memcpy(setup.female, journal->female, sizeof setup.female);
    game_create(replay->game, &journal->box, &setup, &replay->events);
    count_chance(replay);
    return check_outcome(replay, journal->start, 0);
}

// What was played by other rules may lead elsewhere by these: that is said.
static bool explain_rules(struct replay *replay)
{
    struct mb_error *const err = replay->err;
    if (rules_of(replay) < game_rules()) {
        const struct mb_error why = *err;
        *err = (struct mb_error){0};
        (void)mb_fail(err, why.code, "%.100s (played by rules %u, these are %u)", why.text,
                      rules_of(replay), game_rules());
    }
    return false;
}

static bool check_result(struct replay *replay)
{
    const bool over = query_phase(replay->game) == PHASE_OVER;
    if (over != (replay->journal.state == JOURNAL_FINISHED)) {
        return mb_fail(replay->err, MB_ERR_INPUT,
                       over ? "somebody has won this game, and the file says otherwise"
                            : "nobody has won this game, and the file says otherwise");
    }
    if (replay->final != NULL) {
        uint8_t stored[OUTCOME_SIZE];
        uint8_t derived[OUTCOME_SIZE];
        outcome_of(replay->final, NULL, stored);
        outcome_of(replay->game, NULL, derived);
        if (memcmp(stored, derived, sizeof stored) != 0) {
            return mb_fail(replay->err, MB_ERR_INPUT,
                           "the game as it is stored is not what its commands lead to");
        }
    }
    if (replay->root != NULL &&
        !take_and_compare(json_object_get(replay->root, "result"),
                          journal_json_result(&replay->journal, replay->game))) {
        return mb_fail(replay->err, MB_ERR_INPUT, "the game did not end as the file says");
    }
    replay->report->rounds = query_round(replay->game);
    replay->report->winners = query_winners(replay->game);
    return true;
}

static bool replay_game(struct replay *replay)
{
    const struct journal *const journal = &replay->journal;
    memcpy(replay->report->players, journal->players, sizeof journal->players);
    memcpy(replay->report->first, journal->players, sizeof journal->players);
    replay->report->luck = journal->luck;
    replay->report->dealt = journal->seat_count;
    digest_hex(journal->commitment, sizeof journal->commitment, replay->report->commitment);
    return (begin_replay(replay) && replay_steps(replay) && check_result(replay)) ||
           explain_rules(replay);
}

static bool verify_root(struct replay *replay, const struct catalog *catalog, json_t *root)
{
    replay->root = root;
    return check_form(root, replay->err) && check_seal(root, replay->err) &&
           journal_read(&replay->journal, catalog, root, replay->err) && check_head(replay) &&
           replay_game(replay);
}

static void replay_destroy(struct replay *replay)
{
    free(replay->game);
    free(replay->saved);
    free(replay->events.items);
    free(replay);
}

static struct replay *replay_create(struct journal_report *report, struct mb_error *err)
{
    struct replay *const replay = mb_new(1, sizeof *replay);
    memset(report, 0, sizeof *report);
    journal_init(&replay->journal);
    replay->report = report;
    replay->err = err;
    replay->saved_at = SIZE_MAX;
    replay->game = mb_new(1, game_size());
    replay->saved = mb_new(1, game_size());
    replay->events.items = mb_new(MB_EVENTS_MAX, sizeof *replay->events.items);
    replay->events.capacity = MB_EVENTS_MAX;
    return replay;
}

bool journal_verify(const struct catalog *catalog, const char *text, size_t size,
                    struct journal_report *report, struct mb_error *err)
{
    struct replay *const replay = replay_create(report, err);
    json_t *const root = parse(text, size, err);
    const bool good = root != NULL && verify_root(replay, catalog, root);
    json_decref(root);
    journal_finish(&replay->journal);
    replay_destroy(replay);
    return good;
}

bool journal_replay(const struct journal *journal, const struct game *final,
                    struct journal_report *report, struct mb_error *err)
{
    struct replay *const replay = replay_create(report, err);
    bool good = false;
    if (!journal->begun || journal->broken || journal->seat_count < MB_SEATS_MIN) {
        good = mb_fail(err, MB_ERR_INPUT, "its record is not whole");
    } else {
        replay->journal = *journal; // borrowed
        replay->final = final;
        good = check_luck(journal, err) && replay_game(replay);
    }
    replay_destroy(replay);
    return good;
}
