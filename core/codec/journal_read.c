// Reading an export: nothing is trusted, and what is wrong is one sentence that names the spot.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/journal_impl.h"
#include "core/codec/memory.h"
#include "core/codec/snapshot.h"

// Where the reader is, for its sentences.
struct spot {
    struct mb_error *err;
    const char *what; // "step", "player", "set", or NULL
    size_t index;     // from 1
};

static bool fail_field(const struct spot *spot, const char *field, const char *expected)
{
    if (spot->what == NULL) {
        return mb_fail(spot->err, MB_ERR_INPUT, "\"%s\": expected %s", field, expected);
    }
    return mb_fail(spot->err, MB_ERR_INPUT, "%s %zu, \"%s\": expected %s", spot->what, spot->index,
                   field, expected);
}

// A key as a sentence may quote it: the files are anybody's, the reader's terminal is not.
static const char *quotable_key(const char *key)
{
    enum { KEY_SHOWN_MAX = 40 };
    for (size_t i = 0; key[i] != '\0'; i++) {
        if (i >= KEY_SHOWN_MAX || key[i] < ' ' || key[i] > '~') {
            return "?";
        }
    }
    return key;
}

static bool keys_are(const struct spot *spot, const json_t *object, const char *const *keys)
{
    if (!json_is_object(object)) {
        return fail_field(spot, spot->what != NULL ? spot->what : "file", "an object");
    }
    for (void *at = json_object_iter((json_t *)(uintptr_t)object); at != NULL;
         at = json_object_iter_next((json_t *)(uintptr_t)object, at)) {
        size_t i = 0;
        while (keys[i] != NULL && strcmp(keys[i], json_object_iter_key(at)) != 0) {
            i++;
        }
        if (keys[i] == NULL) {
            return fail_field(spot, quotable_key(json_object_iter_key(at)), "no such key");
        }
    }
    return true;
}

static bool read_number(const struct spot *spot, const json_t *value, const char *field, int max,
                        int *out)
{
    if (!json_is_integer(value) || json_integer_value(value) < 0 ||
        json_integer_value(value) > max) {
        char expected[48];
        (void)snprintf(expected, sizeof expected, "a number from 0 to %d", max);
        return fail_field(spot, field, expected);
    }
    *out = (int)json_integer_value(value);
    return true;
}

static bool read_digest(const struct spot *spot, const json_t *object, const char *field,
                        uint8_t *out, size_t size)
{
    const char *const text = json_string_value(json_object_get(object, field));
    if (text == NULL || !digest_read(text, out, size)) {
        char expected[48];
        (void)snprintf(expected, sizeof expected, "%zu hexadecimal digits", 2 * size);
        return fail_field(spot, field, expected);
    }
    return true;
}

static bool read_word(const struct spot *spot, const json_t *object, const char *field, char *out,
                      size_t size)
{
    const char *const text = json_string_value(json_object_get(object, field));
    if (text == NULL || strlen(text) >= size) {
        return fail_field(spot, field, "a word");
    }
    memcpy(out, text, strlen(text) + 1);
    return true;
}

static bool read_name(const struct spot *spot, const json_t *object, const char *field,
                      char out[JOURNAL_NAME_SIZE])
{
    const char *const text = json_string_value(json_object_get(object, field));
    if (text == NULL || text[0] == '\0' || strlen(text) >= JOURNAL_NAME_SIZE) {
        return fail_field(spot, field, "a name");
    }
    memcpy(out, text, strlen(text) + 1);
    return true;
}

static bool read_player(const struct spot *spot, const json_t *json, struct journal_player *player)
{
    memset(player, 0, sizeof *player);
    return read_name(spot, json, "name", player->name) &&
           (json_object_get(json, "bot") == NULL || read_name(spot, json, "bot", player->bot));
}

/* The head. */

static bool read_state(struct journal *journal, const struct spot *spot, const json_t *root)
{
    const char *const text = json_string_value(json_object_get(root, "state"));
    for (unsigned i = 0; text != NULL && i < JOURNAL_STATES; i++) {
        if (strcmp(text, journal_state_name((enum journal_state)i)) == 0) {
            journal->state = (enum journal_state)i;
            return true;
        }
    }
    return fail_field(spot, "state", "running, finished, ended or interrupted");
}

static bool read_sets(struct journal *journal, const struct spot *spot, const json_t *root)
{
    const json_t *const sets = json_object_get(root, "sets");
    if (!json_is_array(sets) || json_array_size(sets) == 0 ||
        json_array_size(sets) > CATALOG_SETS_MAX) {
        return fail_field(spot, "sets", "a list of card sets");
    }
    for (size_t i = 0; i < json_array_size(sets); i++) {
        const char *const id = json_string_value(json_object_get(json_array_get(sets, i), "id"));
        const uint8_t set = id != NULL ? catalog_find_set(journal->catalog, id) : NO_SET;
        if (id == NULL || (set == NO_SET && !catalog_is_id(id))) {
            return fail_field(spot, "sets", "the id of each set");
        }
        if (set == NO_SET) {
            return mb_fail(spot->err, MB_ERR_INPUT,
                           "the card set \"%.40s\" it was played with is not here", id);
        }
        for (unsigned j = 0; j < journal->set_count; j++) {
            if (journal->sets[j] == set) {
                return fail_field(spot, "sets", "each set once");
            }
        }
        journal->sets[journal->set_count++] = set;
    }
    return true;
}

// What a table may choose is taken from the file; what it may not is compared as a whole later.
static bool read_rules(struct journal *journal, const struct spot *spot, const json_t *root)
{
    const json_t *const rules = json_object_get(root, "rules");
    const char *const house = json_string_value(json_object_get(rules, "house"));
    const unsigned edition = house != NULL ? edition_find(house) : EDITION_TOTAL;
    if (edition == EDITION_TOTAL) {
        return fail_field(spot, "house", "an edition of the rules");
    }
    if (!catalog_box(journal->catalog, journal->sets, journal->set_count, (enum edition)edition,
                     &journal->box, spot->err)) {
        return false;
    }
    const json_t *const flags = json_object_get(rules, "flags");
    for (unsigned i = 0; i < FLAG_TOTAL; i++) {
        const json_t *const flag = json_object_get(flags, profile_flag_name(i));
        if (!json_is_boolean(flag)) {
            return fail_field(spot, profile_flag_name(i), "true or false");
        }
        journal->box.profile.flag[i] = json_is_true(flag);
    }
    const char *const goal_name = profile_constant_name(PROFILE_GOAL);
    int goal = 0;
    if (!read_number(spot, json_object_get(json_object_get(rules, "constants"), goal_name),
                     goal_name, UINT8_MAX, &goal)) {
        return false;
    }
    // Rules: WIN-4; the goal is the one figure that a table may choose.
    if (goal == PROFILE_EPIC_GOAL) {
        journal->box.profile.constant[PROFILE_GOAL] = PROFILE_EPIC_GOAL;
    }
    return true;
}

static bool read_players(struct journal *journal, struct spot spot, const json_t *root)
{
    static const char *const KEYS[] = {"name", "bot", "female", NULL};
    const json_t *const players = json_object_get(root, "players");
    if (!json_is_array(players) || json_array_size(players) < MB_SEATS_MIN ||
        json_array_size(players) > MB_SEATS_MAX) {
        return fail_field(&spot, "players", "three to six players");
    }
    journal->seat_count = (uint8_t)json_array_size(players);
    spot.what = "player";
    for (unsigned i = 0; i < journal->seat_count; i++) {
        const json_t *const player = json_array_get(players, i);
        spot.index = i + 1u;
        if (!keys_are(&spot, player, KEYS) || !read_player(&spot, player, &journal->players[i])) {
            return false;
        }
        if (!json_is_boolean(json_object_get(player, "female"))) {
            return fail_field(&spot, "female", "true or false");
        }
        journal->female[i] = json_is_true(json_object_get(player, "female")) ? 1 : 0;
    }
    return true;
}

/* Steps. */

static bool read_list(const struct spot *spot, const json_t *step, const struct journal_list *list,
                      struct command *command)
{
    const json_t *const array = json_object_get(step, list->key);
    uint8_t *count = NULL;
    uint16_t *const items = journal_list_of(command, list, &count);
    if (array == NULL) {
        return true;
    }
    if (!json_is_array(array) || json_array_size(array) == 0 ||
        json_array_size(array) > list->most) {
        return fail_field(spot, list->key, "a list of numbers");
    }
    for (size_t i = 0; i < json_array_size(array); i++) {
        int value = 0;
        if (!read_number(spot, json_array_get(array, i), list->key, UINT16_MAX, &value)) {
            return false;
        }
        items[i] = (uint16_t)value;
    }
    *count = (uint8_t)json_array_size(array);
    return true;
}

static bool read_dice(struct journal *journal, const struct spot *spot, const json_t *step,
                      struct journal_entry *entry)
{
    const json_t *const dice = json_object_get(step, "dice");
    entry->first_die = (uint32_t)journal->die_count;
    if (dice == NULL) {
        return true;
    }
    if (!json_is_array(dice) || json_array_size(dice) == 0 || json_array_size(dice) > UINT8_MAX) {
        return fail_field(spot, "dice", "a list of rolls");
    }
    for (size_t i = 0; i < json_array_size(dice); i++) {
        const json_t *const die = json_array_get(dice, i);
        int part[3] = {0};
        for (size_t j = 0; j < 3; j++) {
            if (!read_number(spot, json_array_get(die, j), "dice", UINT8_MAX, &part[j])) {
                return false;
            }
        }
        if (json_array_size(die) != 3) {
            return fail_field(spot, "dice", "seat, face and purpose of each roll");
        }
        if (!journal_add_die(journal, (struct journal_die){(uint8_t)part[0], (uint8_t)part[1],
                                                           (uint8_t)part[2]})) {
            return mb_fail(spot->err, MB_ERR_LIMIT, "it holds more dice than any game");
        }
    }
    entry->die_count = (uint8_t)json_array_size(dice);
    return true;
}

// All keys that a command's step may have, behind the four that are no fields of it.
static bool command_keys_are(const struct spot *spot, const json_t *step)
{
    enum { OTHERS = 4 };
    const char *keys[OTHERS + JOURNAL_FIELD_TOTAL + JOURNAL_LIST_TOTAL + 1] = {"do", "ability",
                                                                               "dice", "outcome"};
    for (unsigned i = 0; i < JOURNAL_FIELD_TOTAL; i++) {
        keys[OTHERS + i] = JOURNAL_FIELDS[i].key;
    }
    for (unsigned i = 0; i < JOURNAL_LIST_TOTAL; i++) {
        keys[OTHERS + JOURNAL_FIELD_TOTAL + i] = JOURNAL_LISTS[i].key;
    }
    return keys_are(spot, step, keys);
}

static bool read_fields(const struct spot *spot, const json_t *step, struct command *command)
{
    for (unsigned i = 0; i < JOURNAL_FIELD_TOTAL; i++) {
        const struct journal_field *const field = &JOURNAL_FIELDS[i];
        const json_t *const json = json_object_get(step, field->key);
        int value = field->none;
        if (json != NULL && !read_number(spot, json, field->key, field->max, &value)) {
            return false;
        }
        journal_field_set(command, field, value);
    }
    for (unsigned i = 0; i < JOURNAL_LIST_TOTAL; i++) {
        if (!read_list(spot, step, &JOURNAL_LISTS[i], command)) {
            return false;
        }
    }
    return true;
}

static bool read_command(struct journal *journal, const struct spot *spot, const json_t *step,
                         struct journal_entry *entry)
{
    struct command *const command = &entry->command;
    const char *const verb = json_string_value(json_object_get(step, "do"));
    if (!command_keys_are(spot, step)) {
        return false;
    }
    command->verb = (uint8_t)(verb != NULL ? command_find(verb) : VERB_NONE);
    if (command->verb == VERB_NONE) {
        return fail_field(spot, "do", "a command of the game");
    }
    const char *const ability = json_string_value(json_object_get(step, "ability"));
    if (command->verb == VERB_USE) {
        command->ability =
            ability != NULL ? catalog_find_ability(journal->catalog, ability) : NO_ABILITY;
        if (command->ability == NO_ABILITY) {
            return fail_field(spot, "ability", "an ability of the cards");
        }
    } else if (json_object_get(step, "ability") != NULL) {
        return fail_field(spot, "ability", "no such key");
    }
    return read_fields(spot, step, command) && read_dice(journal, spot, step, entry);
}

static bool read_undo(const struct spot *spot, const json_t *step, struct journal_entry *entry)
{
    static const char *const KEYS[] = {"undo", "by", "agreed", "outcome", NULL};
    int back_to = 0;
    int seat = 0;
    int agreed = 0;
    if (!keys_are(spot, step, KEYS) ||
        !read_number(spot, json_object_get(step, "undo"), "undo", JOURNAL_ENTRIES_MAX, &back_to) ||
        !read_number(spot, json_object_get(step, "by"), "by", MB_SEATS_MAX - 1, &seat) ||
        !read_number(spot, json_object_get(step, "agreed"), "agreed", UINT8_MAX, &agreed)) {
        return false;
    }
    entry->kind = JOURNAL_UNDO;
    entry->back_to = (uint32_t)back_to;
    entry->seat = (uint8_t)seat;
    entry->agreed = (uint8_t)agreed;
    return true;
}

static bool read_seat(struct journal *journal, const struct spot *spot, const json_t *step)
{
    static const char *const KEYS[] = {"seat", "player", NULL};
    static const char *const PLAYER_KEYS[] = {"name", "bot", NULL};
    struct journal_player player;
    int seat = 0;
    if (!keys_are(spot, step, KEYS) ||
        !read_number(spot, json_object_get(step, "seat"), "seat", journal->seat_count - 1, &seat) ||
        !keys_are(spot, json_object_get(step, "player"), PLAYER_KEYS) ||
        !read_player(spot, json_object_get(step, "player"), &player)) {
        return false;
    }
    journal_seat(journal, (unsigned)seat, &player);
    return !journal->broken ||
           mb_fail(spot->err, MB_ERR_LIMIT, "it holds more steps than any game");
}

static bool read_change(const struct spot *spot, const json_t *step, struct journal_entry *entry)
{
    static const char *const KEYS[] = {"rules", "state", "outcome", NULL};
    const char *const digits = json_string_value(json_object_get(step, "state"));
    const size_t size = digits != NULL ? strlen(digits) / 2 : 0;
    int rules = 0;
    if (!keys_are(spot, step, KEYS) ||
        !read_number(spot, json_object_get(step, "rules"), "rules", UINT16_MAX, &rules)) {
        return false;
    }
    if (size == 0 || size > SNAPSHOT_SIZE_MAX) {
        return fail_field(spot, "state", "a state in hexadecimal digits");
    }
    struct journal_snapshot *const state = mb_new(1, sizeof *state + size);
    state->size = size;
    entry->kind = JOURNAL_RULES;
    entry->rules = (uint16_t)rules;
    entry->snapshot = state;
    return digest_read(digits, state->bytes, size) ||
           fail_field(spot, "state", "a state in hexadecimal digits");
}

static bool read_step(struct journal *journal, const struct spot *spot, const json_t *step)
{
    if (json_object_get(step, "seat") != NULL) {
        return read_seat(journal, spot, step);
    }
    struct journal_entry *const entry = journal_add(journal);
    if (entry == NULL) {
        return mb_fail(spot->err, MB_ERR_LIMIT, "it holds more steps than any game");
    }
    bool read = false;
    if (json_object_get(step, "undo") != NULL) {
        read = read_undo(spot, step, entry);
    } else if (json_object_get(step, "rules") != NULL) {
        read = read_change(spot, step, entry);
    } else {
        read = read_command(journal, spot, step, entry);
    }
    return read && read_digest(spot, step, "outcome", entry->outcome, sizeof entry->outcome);
}

static bool read_steps(struct journal *journal, struct spot spot, const json_t *root)
{
    const json_t *const steps = json_object_get(root, "steps");
    if (!json_is_array(steps)) {
        return fail_field(&spot, "steps", "the list of what happened");
    }
    spot.what = "step";
    for (size_t i = 0; i < json_array_size(steps); i++) {
        spot.index = i + 1;
        if (!read_step(journal, &spot, json_array_get(steps, i))) {
            return false;
        }
    }
    return true;
}

static bool read_rules_number(struct journal *journal, const struct spot *spot, const json_t *root)
{
    int rules = 0;
    if (!read_number(spot, json_object_get(root, "rules_number"), "rules_number", UINT16_MAX,
                     &rules)) {
        return false;
    }
    journal->rules = (uint16_t)rules;
    return true;
}

static bool read_luck(struct journal *journal, struct spot spot, const json_t *root)
{
    static const char *const KEYS[] = {"secret", "table", "seats", "start", NULL};
    const json_t *const json = json_object_get(root, "luck");
    struct luck *const luck = &journal->luck;
    if (json == NULL) {
        return fail_field(&spot, "luck", "what the seed was made of, or null");
    }
    if (json_is_null(json)) {
        return true;
    }
    spot.what = "luck";
    spot.index = 1;
    const json_t *const seats = json_object_get(json, "seats");
    if (!keys_are(&spot, json, KEYS) ||
        !read_word(&spot, json, "table", luck->table, sizeof luck->table) ||
        !read_word(&spot, json, "start", luck->start, sizeof luck->start) ||
        !read_digest(&spot, json, "secret", luck->secret, sizeof luck->secret)) {
        return false;
    }
    if (json_array_size(seats) != journal->seat_count) {
        return fail_field(&spot, "seats", "a hash of each player");
    }
    for (unsigned i = 0; i < journal->seat_count; i++) {
        const char *const text = json_string_value(json_array_get(seats, i));
        if (text == NULL || !digest_read(text, luck->seats[i], sizeof luck->seats[i])) {
            return fail_field(&spot, "seats", "a hash of each player");
        }
    }
    luck->drawn = true;
    return true;
}

static bool read_seed(struct journal *journal, const struct spot *spot, const json_t *root)
{
    if (!read_digest(spot, root, "commitment", journal->commitment, sizeof journal->commitment)) {
        return false;
    }
    if (journal->state == JOURNAL_RUNNING) {
        return mb_fail(spot->err, MB_ERR_STATE,
                       "the game was still running when this was written: it can be checked when "
                       "it is over");
    }
    if (journal->state == JOURNAL_INTERRUPTED) {
        return mb_fail(spot->err, MB_ERR_STATE,
                       "the game was interrupted, and without its seed nothing can be derived");
    }
    return read_digest(spot, root, "seed", journal->seed, sizeof journal->seed);
}

bool journal_read(struct journal *journal, const struct catalog *catalog, const json_t *root,
                  struct mb_error *err)
{
    static const char *const KEYS[] = {
        "format", "version", "state",   "commitment", "luck",  "seed",   "sets", "rules_number",
        "rules",  "cards",   "players", "start",      "steps", "result", "seal", NULL};
    const struct spot spot = {.err = err};
    journal->catalog = catalog;
    return keys_are(&spot, root, KEYS) && read_state(journal, &spot, root) &&
           read_seed(journal, &spot, root) && read_sets(journal, &spot, root) &&
           read_rules_number(journal, &spot, root) && read_rules(journal, &spot, root) &&
           read_players(journal, spot, root) && read_luck(journal, spot, root) &&
           read_digest(&spot, root, "start", journal->start, sizeof journal->start) &&
           read_steps(journal, spot, root);
}
