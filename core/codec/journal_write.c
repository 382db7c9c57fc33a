// The export of a journal: one JSON object, a key a line, a step a line, so that people can read
// it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/journal_impl.h"
#include "core/loop/query.h"

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

/* What both sides derive. A NULL on the way makes the whole NULL: json_*_set_new take it as such.
 */

json_t *journal_json_sets(const struct journal *journal)
{
    json_t *const list = json_array();
    for (unsigned i = 0; i < journal->set_count; i++) {
        const struct catalog_set *const set = catalog_set(journal->catalog, journal->sets[i]);
        char digest[DIGEST_HEX_SIZE];
        digest_hex(set->digest, sizeof set->digest, digest);
        if (json_array_append_new(list, json_pack("{s:s, s:s}", "id", set->id, "digest", digest)) !=
            0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

static bool put_slots(json_t *rules, const struct profile *profile)
{
    json_t *const slots = json_array();
    bool whole = slots != NULL;
    for (unsigned kind = 0; kind < KIND_TOTAL && whole; kind++) {
        const struct identity_slot *const slot = &profile->slots[kind];
        whole = json_array_append_new(slots, json_pack("[ibbbb]", (int)slot->capacity, slot->ranked,
                                                       slot->unique, slot->kept_on_death,
                                                       slot->at_will)) == 0;
    }
    if (!whole) {
        json_decref(slots);
        return false;
    }
    return json_object_set_new(rules, "slots", slots) == 0;
}

json_t *journal_json_rules(const struct profile *profile)
{
    json_t *const rules = json_pack("{s:s, s:i}", "house", edition_name(profile->house), "editions",
                                    (int)profile->editions);
    json_t *const constants = json_object();
    json_t *const flags = json_object();
    bool whole = true;
    for (unsigned i = 0; i < PROFILE_CONSTANT_TOTAL && whole; i++) {
        whole = json_object_set_new(constants, profile_constant_name(i),
                                    json_integer(profile->constant[i])) == 0;
    }
    for (unsigned i = 0; i < FLAG_TOTAL && whole; i++) {
        whole =
            json_object_set_new(flags, profile_flag_name(i), json_boolean(profile->flag[i])) == 0;
    }
    whole = json_object_set_new(rules, "constants", constants) == 0 && whole;
    whole = json_object_set_new(rules, "flags", flags) == 0 && whole;
    if (!whole || !put_slots(rules, profile)) {
        json_decref(rules);
        return NULL;
    }
    return rules;
}

json_t *journal_json_cards(const struct journal *journal)
{
    json_t *const list = json_array();
    for (unsigned card = 0; card < journal->box.card_count; card++) {
        const char *const name = catalog_name(journal->catalog, journal->box.card_def[card]);
        if (json_array_append_new(list, json_string(name)) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

json_t *journal_json_result(const struct journal *journal, const struct game *final)
{
    json_t *const winners = json_array();
    json_t *const levels = json_array();
    bool whole = winners != NULL && levels != NULL;
    for (unsigned seat = 0; seat < query_seat_count(final) && whole; seat++) {
        const bool won = (query_winners(final) & seat_bit(seat)) != 0;
        whole = json_array_append_new(levels, json_integer((json_int_t)query_level(final, seat))) ==
                    0 &&
                (!won || json_array_append_new(winners, json_integer((json_int_t)seat)) == 0);
    }
    json_t *const result =
        whole ? json_pack("{s:I, s:i, s:o, s:o}", "steps", (json_int_t)journal->count, "rounds",
                          (int)query_round(final), "winners", winners, "levels", levels)
              : NULL;
    if (result == NULL && !whole) {
        json_decref(winners);
        json_decref(levels);
    }
    return result;
}

/* Steps. */

static bool put_list(json_t *object, const struct journal_list *list, const struct command *command)
{
    uint8_t *count = NULL;
    // Whoever asks where a list stands may write there; this one does not.
    const uint16_t *const items =
        journal_list_of((struct command *)(uintptr_t)command, list, &count);
    json_t *const array = *count > 0 ? json_array() : NULL;
    bool whole = true;
    for (unsigned i = 0; i < *count && whole; i++) {
        whole = json_array_append_new(array, json_integer(items[i])) == 0;
    }
    if (*count == 0 || !whole) {
        json_decref(array);
        return whole;
    }
    return json_object_set_new(object, list->key, array) == 0;
}

static bool put_command(json_t *step, const struct journal *journal, const struct command *command)
{
    bool whole = json_object_set_new(step, "do", json_string(command_word(command->verb))) == 0;
    for (unsigned i = 0; i < JOURNAL_FIELD_TOTAL; i++) {
        const struct journal_field *const field = &JOURNAL_FIELDS[i];
        const int value = journal_field_get(command, field);
        whole = whole && (value == field->none ||
                          json_object_set_new(step, field->key, json_integer(value)) == 0);
    }
    if (command->verb == VERB_USE) {
        const char *const ability = catalog_ability_name(journal->catalog, command->ability);
        whole = whole && json_object_set_new(step, "ability", json_string(ability)) == 0;
    }
    for (unsigned i = 0; i < JOURNAL_LIST_TOTAL; i++) {
        whole = whole && put_list(step, &JOURNAL_LISTS[i], command);
    }
    return whole;
}

static bool put_dice(json_t *step, const struct journal *journal, const struct journal_entry *entry)
{
    json_t *const dice = entry->die_count > 0 ? json_array() : NULL;
    bool whole = true;
    for (unsigned i = 0; i < entry->die_count && whole; i++) {
        const struct journal_die *const die = &journal->dice[entry->first_die + i];
        whole = json_array_append_new(
                    dice, json_pack("[iii]", (int)die->seat, (int)die->face, (int)die->what)) == 0;
    }
    if (entry->die_count == 0 || !whole) {
        json_decref(dice);
        return whole;
    }
    return json_object_set_new(step, "dice", dice) == 0;
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
    char *const digits = over && state != NULL ? malloc(2 * state->size + 1) : NULL;
    if (digits == NULL) {
        return over && state != NULL ? NULL : json_null();
    }
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
    bool whole = step != NULL;
    char outcome[2 * OUTCOME_SIZE + 1];
    digest_hex(entry->outcome, sizeof entry->outcome, outcome);
    if (entry->kind == JOURNAL_SEAT) {
        whole = whole && json_object_set_new(step, "seat", json_integer(entry->seat)) == 0 &&
                json_object_set_new(step, "player", player_json(entry->player)) == 0;
    } else if (entry->kind == JOURNAL_UNDO) {
        whole = whole && json_object_set_new(step, "undo", json_integer(entry->back_to)) == 0 &&
                json_object_set_new(step, "by", json_integer(entry->seat)) == 0 &&
                json_object_set_new(step, "agreed", json_integer(entry->agreed)) == 0;
    } else if (entry->kind == JOURNAL_RULES) {
        whole = whole && json_object_set_new(step, "rules", json_integer(entry->rules)) == 0 &&
                json_object_set_new(step, "state", state_json(entry, is_over(journal))) == 0;
    } else {
        whole =
            whole && put_command(step, journal, &entry->command) && put_dice(step, journal, entry);
    }
    if (entry->kind != JOURNAL_SEAT) {
        whole = whole && json_object_set_new(step, "outcome", json_string(outcome)) == 0;
    }
    if (!whole) {
        json_decref(step);
        return NULL;
    }
    return step;
}

static json_t *steps_json(const struct journal *journal)
{
    json_t *const steps = json_array();
    for (size_t i = 0; i < journal->count; i++) {
        if (json_array_append_new(steps, step_json(journal, &journal->entries[i])) != 0) {
            json_decref(steps);
            return NULL;
        }
    }
    return steps;
}

static json_t *players_json(const struct journal *journal)
{
    json_t *const players = json_array();
    for (unsigned i = 0; i < journal->seat_count; i++) {
        json_t *const player = player_json(&journal->players[i]);
        if (json_object_set_new(player, "female", json_boolean(journal->female[i] != 0)) != 0 ||
            json_array_append_new(players, player) != 0) {
            json_decref(players);
            return NULL;
        }
    }
    return players;
}

/* The whole. */

// Each key on a line of its own, in the order put in; the steps one a line.
static char *layout(json_t *root)
{
    char *text = NULL;
    size_t size = 0;
    FILE *const out = open_memstream(&text, &size);
    bool whole = out != NULL;
    const char *before = "{\n";
    for (void *at = json_object_iter(root); at != NULL && whole;
         at = json_object_iter_next(root, at)) {
        const json_t *const value = json_object_iter_value(at);
        whole = fprintf(out, "%s \"%s\": ", before, json_object_iter_key(at)) > 0;
        if (strcmp(json_object_iter_key(at), "steps") != 0) {
            whole = json_dumpf(value, out, JSON_COMPACT | JSON_ENCODE_ANY) == 0 && whole;
        } else {
            const char *joint = "[\n  ";
            for (size_t i = 0; i < json_array_size(value) && whole; i++) {
                whole = fputs(joint, out) >= 0 &&
                        json_dumpf(json_array_get(value, i), out, JSON_COMPACT) == 0;
                joint = ",\n  ";
            }
            whole = fputs(json_array_size(value) > 0 ? "\n ]" : "[]", out) >= 0 && whole;
        }
        before = ",\n";
    }
    whole = out != NULL && fputs("\n}\n", out) >= 0 && whole;
    if (out != NULL && fclose(out) != 0) {
        whole = false;
    }
    if (!whole) {
        free(text);
        return NULL;
    }
    return text;
}

// Secret and seed tell every hand: they are for games that are over.
static json_t *luck_json(const struct journal *journal, bool over)
{
    const struct luck *const luck = &journal->luck;
    json_t *const seats = json_array();
    char digits[DIGEST_HEX_SIZE];
    bool whole = seats != NULL;
    for (unsigned i = 0; i < journal->seat_count && whole; i++) {
        digest_hex(luck->seats[i], sizeof luck->seats[i], digits);
        whole = json_array_append_new(seats, json_string(digits)) == 0;
    }
    if (!luck->drawn || !whole) {
        json_decref(seats);
        return whole ? json_null() : NULL;
    }
    digest_hex(luck->secret, sizeof luck->secret, digits);
    return json_pack("{s:s?, s:s, s:o, s:s}", "secret", over ? digits : NULL, "table", luck->table,
                     "seats", seats, "start", luck->start);
}

static json_t *document(const struct journal *journal, const struct game *final)
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
    json_t *const root = document(journal, final);
    uint8_t digest[DIGEST_SIZE];
    char seal[DIGEST_HEX_SIZE];
    char *text = NULL;
    if (root != NULL && digest_of_json(root, digest)) {
        digest_hex(digest, sizeof digest, seal);
        if (json_object_set_new(root, "seal", json_string(seal)) == 0) {
            text = layout(root);
        }
    }
    json_decref(root);
    if (text == NULL) {
        (void)mb_fail(err, MB_ERR_LIMIT, "there is not enough memory to write the game down");
    }
    return text;
}
