#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/journal_impl.h"
#include "core/codec/memory.h"
#include "core/codec/snapshot.h"
#include "core/loop/query.h"

void journal_init(struct journal *journal)
{
    memset(journal, 0, sizeof *journal);
}

void journal_finish(struct journal *journal)
{
    for (size_t i = 0; i < journal->count; i++) {
        free(journal->entries[i].player);
        free(journal->entries[i].snapshot);
    }
    free(journal->entries);
    free(journal->dice);
    journal_init(journal);
}

void journal_begin(struct journal *journal, const struct journal_start *start)
{
    journal_finish(journal);
    journal->catalog = start->catalog;
    journal->box = *start->box;
    journal->set_count = start->set_count;
    memcpy(journal->sets, start->sets, start->set_count);
    journal->seat_count = start->setup->seat_count;
    memcpy(journal->female, start->setup->female, sizeof journal->female);
    memcpy(journal->players, start->players, start->setup->seat_count * sizeof *start->players);
    memcpy(journal->seed, start->setup->seed, sizeof journal->seed);
    journal->luck = start->luck != NULL ? *start->luck : (struct luck){.drawn = false};
    digest_of(journal->luck.drawn ? journal->luck.secret : journal->seed, DIGEST_SIZE,
              journal->commitment);
    outcome_of(start->game, NULL, journal->start);
    journal->rules = start->rules;
    journal->begun = true;
}

struct journal_entry *journal_add(struct journal *journal)
{
    if (journal->broken || journal->count >= JOURNAL_ENTRIES_MAX) {
        journal->broken = true;
        return NULL;
    }
    journal->entries =
        mb_grow_for(journal->entries, journal->count, &journal->room, sizeof *journal->entries);
    struct journal_entry *const entry = &journal->entries[journal->count++];
    memset(entry, 0, sizeof *entry);
    return entry;
}

bool journal_add_die(struct journal *journal, struct journal_die die)
{
    if (journal->die_count >= JOURNAL_ENTRIES_MAX) {
        journal->broken = true;
        return false;
    }
    journal->dice =
        mb_grow_for(journal->dice, journal->die_count, &journal->die_room, sizeof *journal->dice);
    journal->dice[journal->die_count++] = die;
    return true;
}

#define FIELD(name) offsetof(struct command, name), sizeof((struct command *)NULL)->name
#define LIST(name, most)                                                                           \
    {#name, offsetof(struct command, name), offsetof(struct command, name##_count), most}

const struct journal_field JOURNAL_FIELDS[JOURNAL_FIELD_TOTAL] = {
    {"by", FIELD(seat), NO_SEAT, NO_SEAT},
    {"side", FIELD(side), SIDE_NONE, SIDE_MONSTERS},
    {"on", FIELD(target_kind), TARGET_NONE, TARGET_MONSTER},
    {"card", FIELD(card), NO_CARD, NO_CARD},
    {"target", FIELD(target), NO_CARD, NO_CARD},
    {"to", FIELD(to), NO_SEAT, NO_SEAT},
    {"about", FIELD(about), NO_SEAT, NO_SEAT},
    {"bribe", FIELD(bribe), 0, 1},
    {"picking", FIELD(picking), 0, 2},
    {"n", FIELD(n), 0, INT16_MAX},
};

const struct journal_list JOURNAL_LISTS[JOURNAL_LIST_TOTAL] = {
    LIST(list, MB_LIST_MAX),
    LIST(more, MB_MORE_MAX),
};

int journal_field_get(const struct command *command, const struct journal_field *field)
{
    const void *const at = (const unsigned char *)command + field->offset;
    if (field->size == 1) {
        return *(const uint8_t *)at;
    }
    return field->none == NO_CARD ? *(const uint16_t *)at : *(const int16_t *)at;
}

void journal_field_set(struct command *command, const struct journal_field *field, int value)
{
    void *const at = (unsigned char *)command + field->offset;
    if (field->size == 1) {
        *(uint8_t *)at = (uint8_t)value;
    } else {
        *(uint16_t *)at = (uint16_t)value; // also where it has a sign
    }
}

uint16_t *journal_list_of(struct command *command, const struct journal_list *list, uint8_t **count)
{
    void *const at = (unsigned char *)command + list->offset;
    *count = (uint8_t *)command + list->count;
    return at;
}

void journal_command(struct journal *journal, const struct command *command,
                     const struct event_list *events, const struct game *after)
{
    struct journal_entry *const entry = journal_add(journal);
    if (entry == NULL) {
        return;
    }
    entry->kind = JOURNAL_COMMAND;
    entry->command = *command;
    entry->first_die = (uint32_t)journal->die_count;
    outcome_of(after, command, entry->outcome);
    for (uint32_t i = 0; i < events->count; i++) {
        const struct event *const event = &events->items[i];
        const struct journal_die die = {event->seat, (uint8_t)event->n, event->why};
        if (event->type == EVENT_ROLL && (entry->die_count == UINT8_MAX || //
                                          !journal_add_die(journal, die))) {
            journal->broken = true;
            return;
        }
        entry->die_count = (uint8_t)(entry->die_count + (event->type == EVENT_ROLL ? 1 : 0));
    }
}

void journal_undo(struct journal *journal, unsigned seat, unsigned agreed, size_t back_to,
                  const struct game *after)
{
    struct journal_entry *const entry = journal_add(journal);
    if (entry == NULL) {
        return;
    }
    entry->kind = JOURNAL_UNDO;
    entry->seat = (uint8_t)seat;
    entry->agreed = (uint8_t)agreed;
    entry->back_to = (uint32_t)back_to;
    outcome_of(after, NULL, entry->outcome);
}

void journal_seat(struct journal *journal, unsigned seat, const struct journal_player *player)
{
    struct journal_entry *const entry = journal_add(journal);
    if (entry != NULL) {
        entry->kind = JOURNAL_SEAT;
        entry->seat = (uint8_t)seat;
        entry->player = mb_new(1, sizeof *entry->player);
        *entry->player = *player;
    }
}

void journal_rules(struct journal *journal, uint16_t rules, const struct game *now)
{
    struct journal_entry *const entry = journal_add(journal);
    if (entry == NULL) {
        return;
    }
    struct journal_snapshot *const state = mb_new(1, sizeof *state + SNAPSHOT_SIZE_MAX);
    state->size = snapshot_encode(now, state->bytes, SNAPSHOT_SIZE_MAX);
    entry->kind = JOURNAL_RULES;
    entry->rules = rules;
    entry->snapshot = state;
    outcome_of(now, NULL, entry->outcome);
}

void journal_commitment(const uint8_t secret[DIGEST_SIZE], char out[DIGEST_HEX_SIZE])
{
    uint8_t digest[DIGEST_SIZE];
    digest_of(secret, DIGEST_SIZE, digest);
    digest_hex(digest, sizeof digest, out);
}

// The export of a journal: one JSON object, a key a line, a step a line, so that people can read
// it.

static const char *const STATE_NAMES[JOURNAL_STATES] = {
    [JOURNAL_RUNNING] = "running",
    [JOURNAL_FINISHED] = "finished",
    [JOURNAL_ENDED] = "ended",
    [JOURNAL_INTERRUPTED] = "interrupted",
};

const char *journal_state_name(enum journal_state state)
{
    return STATE_NAMES[state];
}

static void put(json_t *object, const char *key, json_t *value)
{
    (void)json_object_set_new(object, key, value);
}

static void add(json_t *array, json_t *value)
{
    (void)json_array_append_new(array, value);
}

/* What both sides derive. */

json_t *journal_json_sets(const struct journal *journal)
{
    json_t *const list = json_array();
    for (unsigned i = 0; i < journal->set_count; i++) {
        const struct catalog_set *const set = catalog_set(journal->catalog, journal->sets[i]);
        char digest[DIGEST_HEX_SIZE];
        digest_hex(set->digest, sizeof set->digest, digest);
        add(list, json_pack("{s:s, s:s}", "id", set->id, "digest", digest));
    }
    return list;
}

json_t *journal_json_rules(const struct profile *profile)
{
    json_t *const constants = json_object();
    json_t *const flags = json_object();
    json_t *const slots = json_array();
    for (unsigned i = 0; i < PROFILE_CONSTANT_TOTAL; i++) {
        put(constants, profile_constant_name(i), json_integer(profile->constant[i]));
    }
    for (unsigned i = 0; i < FLAG_TOTAL; i++) {
        put(flags, profile_flag_name(i), json_boolean(profile->flag[i]));
    }
    for (unsigned kind = 0; kind < KIND_TOTAL; kind++) {
        const struct identity_slot *const slot = &profile->slots[kind];
        add(slots, json_pack("[ibbbb]", (int)slot->capacity, slot->ranked, slot->unique,
                             slot->kept_on_death, slot->at_will));
    }
    return json_pack("{s:s, s:i, s:o, s:o, s:o}", "house", edition_name(profile->house), "editions",
                     (int)profile->editions, "constants", constants, "flags", flags, "slots",
                     slots);
}

json_t *journal_json_cards(const struct journal *journal)
{
    json_t *const list = json_array();
    for (unsigned card = 0; card < journal->box.card_count; card++) {
        add(list, json_string(catalog_name(journal->catalog, journal->box.card_def[card])));
    }
    return list;
}

json_t *journal_json_result(const struct journal *journal, const struct game *final)
{
    json_t *const winners = json_array();
    json_t *const levels = json_array();
    for (unsigned seat = 0; seat < query_seat_count(final); seat++) {
        add(levels, json_integer((json_int_t)query_level(final, seat)));
        if ((query_winners(final) & seat_bit(seat)) != 0) {
            add(winners, json_integer((json_int_t)seat));
        }
    }
    return json_pack("{s:I, s:i, s:o, s:o}", "steps", (json_int_t)journal->count, "rounds",
                     (int)query_round(final), "winners", winners, "levels", levels);
}

/* Steps. */

static void put_list(json_t *object, const struct journal_list *list, const struct command *command)
{
    uint8_t *count = NULL;
    // journal_list_of() gives what can be written; this only reads.
    const uint16_t *const items =
        journal_list_of((struct command *)(uintptr_t)command, list, &count);
    if (*count > 0) {
        json_t *const array = json_array();
        for (unsigned i = 0; i < *count; i++) {
            add(array, json_integer(items[i]));
        }
        put(object, list->key, array);
    }
}

static void put_command(json_t *step, const struct journal *journal, const struct command *command)
{
    put(step, "do", json_string(command_word(command->verb)));
    for (unsigned i = 0; i < JOURNAL_FIELD_TOTAL; i++) {
        const struct journal_field *const field = &JOURNAL_FIELDS[i];
        const int value = journal_field_get(command, field);
        if (value != field->none) {
            put(step, field->key, json_integer(value));
        }
    }
    if (command->verb == VERB_USE) {
        put(step, "ability", json_string(catalog_ability_name(journal->catalog, command->ability)));
    }
    for (unsigned i = 0; i < JOURNAL_LIST_TOTAL; i++) {
        put_list(step, &JOURNAL_LISTS[i], command);
    }
}

static void put_dice(json_t *step, const struct journal *journal, const struct journal_entry *entry)
{
    if (entry->die_count > 0) {
        json_t *const dice = json_array();
        for (unsigned i = 0; i < entry->die_count; i++) {
            const struct journal_die *const die = &journal->dice[entry->first_die + i];
            add(dice, json_pack("[iii]", (int)die->seat, (int)die->face, (int)die->what));
        }
        put(step, "dice", dice);
    }
}

static json_t *player_json(const struct journal_player *player)
{
    return json_pack("{s:s, s:s*}", "name", player->name, "bot",
                     player->bot[0] != '\0' ? player->bot : NULL);
}

// A state tells every hand.
static json_t *state_json(const struct journal_entry *entry, bool over)
{
    const struct journal_snapshot *const state = entry->snapshot;
    if (!over || state == NULL) {
        return json_null();
    }
    char *const digits = mb_new(2 * state->size + 1, 1);
    digest_hex(state->bytes, state->size, digits);
    json_t *const json = json_string(digits);
    free(digits);
    return json;
}

static bool is_over(const struct journal *journal)
{
    return journal->state == JOURNAL_FINISHED || journal->state == JOURNAL_ENDED;
}

static json_t *step_json(const struct journal *journal, const struct journal_entry *entry)
{
    json_t *const step = json_object();
    char outcome[2 * OUTCOME_SIZE + 1];
    digest_hex(entry->outcome, sizeof entry->outcome, outcome);
    if (entry->kind == JOURNAL_SEAT) {
        put(step, "seat", json_integer(entry->seat));
        put(step, "player", player_json(entry->player));
        return step;
    }
    if (entry->kind == JOURNAL_UNDO) {
        put(step, "undo", json_integer(entry->back_to));
        put(step, "by", json_integer(entry->seat));
        put(step, "agreed", json_integer(entry->agreed));
    } else if (entry->kind == JOURNAL_RULES) {
        put(step, "rules", json_integer(entry->rules));
        put(step, "state", state_json(entry, is_over(journal)));
    } else {
        put_command(step, journal, &entry->command);
        put_dice(step, journal, entry);
    }
    put(step, "outcome", json_string(outcome));
    return step;
}

static json_t *steps_json(const struct journal *journal)
{
    json_t *const steps = json_array();
    for (size_t i = 0; i < journal->count; i++) {
        add(steps, step_json(journal, &journal->entries[i]));
    }
    return steps;
}

static json_t *players_json(const struct journal *journal)
{
    json_t *const players = json_array();
    for (unsigned i = 0; i < journal->seat_count; i++) {
        json_t *const player = player_json(&journal->players[i]);
        put(player, "female", json_boolean(journal->female[i] != 0));
        add(players, player);
    }
    return players;
}

/* The whole. */

// Each key on a line of its own, in the order put in; the steps one a line.
static char *lay_out_json(json_t *root)
{
    char *text = NULL;
    size_t size = 0;
    FILE *const out = open_memstream(&text, &size);
    const char *before = "{\n";
    if (out == NULL) {
        abort(); // memory again
    }
    for (void *at = json_object_iter(root); at != NULL; at = json_object_iter_next(root, at)) {
        const json_t *const value = json_object_iter_value(at);
        (void)fprintf(out, "%s \"%s\": ", before, json_object_iter_key(at));
        if (strcmp(json_object_iter_key(at), "steps") != 0) {
            (void)json_dumpf(value, out, JSON_COMPACT | JSON_ENCODE_ANY);
        } else {
            const char *joint = "[\n  ";
            for (size_t i = 0; i < json_array_size(value); i++) {
                (void)fputs(joint, out);
                (void)json_dumpf(json_array_get(value, i), out, JSON_COMPACT);
                joint = ",\n  ";
            }
            (void)fputs(json_array_size(value) > 0 ? "\n ]" : "[]", out);
        }
        before = ",\n";
    }
    (void)fputs("\n}\n", out);
    if (fclose(out) != 0) {
        abort();
    }
    return text;
}

// Secret and seed tell every hand: they are for games that are over.
static json_t *luck_json(const struct journal *journal, bool over)
{
    const struct luck *const luck = &journal->luck;
    char digits[DIGEST_HEX_SIZE];
    if (!luck->drawn) {
        return json_null();
    }
    json_t *const seats = json_array();
    for (unsigned i = 0; i < journal->seat_count; i++) {
        digest_hex(luck->seats[i], sizeof luck->seats[i], digits);
        add(seats, json_string(digits));
    }
    digest_hex(luck->secret, sizeof luck->secret, digits);
    return json_pack("{s:s?, s:s, s:o, s:s}", "secret", over ? digits : NULL, "table", luck->table,
                     "seats", seats, "start", luck->start);
}

static json_t *journal_json(const struct journal *journal, const struct game *final)
{
    char commitment[DIGEST_HEX_SIZE];
    char seed[DIGEST_HEX_SIZE];
    char start[2 * OUTCOME_SIZE + 1];
    digest_hex(journal->commitment, sizeof journal->commitment, commitment);
    digest_hex(journal->seed, sizeof journal->seed, seed);
    digest_hex(journal->start, sizeof journal->start, start);
    const bool over = is_over(journal);
    return json_pack(
        "{s:s, s:i, s:s, s:s, s:o, s:s?, s:o, s:i, s:o, s:o, s:o, s:s, s:o, s:o?}", "format",
        JOURNAL_FORMAT, "version", (int)JOURNAL_FORM, "state", journal_state_name(journal->state),
        "commitment", commitment, "luck", luck_json(journal, over), "seed", over ? seed : NULL,
        "sets", journal_json_sets(journal), "rules_number", (int)journal->rules, "rules",
        journal_json_rules(&journal->box.profile), "cards", journal_json_cards(journal), "players",
        players_json(journal), "start", start, "steps", steps_json(journal), "result",
        over ? journal_json_result(journal, final) : NULL);
}

char *journal_export(const struct journal *journal, const struct game *final, struct mb_error *err)
{
    if (journal->broken) {
        (void)mb_fail(err, MB_ERR_LIMIT, "this game is too long to be kept whole");
        return NULL;
    }
    json_t *const root = journal_json(journal, final);
    uint8_t digest[DIGEST_SIZE];
    char seal[DIGEST_HEX_SIZE];
    digest_of_json(root, digest);
    digest_hex(digest, sizeof digest, seal);
    put(root, "seal", json_string(seal));
    char *const text = lay_out_json(root);
    json_decref(root);
    return text;
}
