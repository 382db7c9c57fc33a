// The table of a scenario: sets, players, hands, turn and phase.
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "core/base/rng.h"
#include "core/codec/memory.h"
#include "core/loop/arrange.h"

#include "bot/table/options.h"
#include "bot/tools/scenario_impl.h"

static const char *string_of(const json_t *object, const char *key, const char *otherwise)
{
    const char *const value = json_string_value(json_object_get(object, key));
    return value != NULL ? value : otherwise;
}

// One reading of "a,b" lists for the command line and for arrays.
static bool each_word(struct scenario *scenario, const char *key, struct table_options *options,
                      bool (*take)(struct table_options *, const char *, struct mb_error *))
{
    struct mb_error err = {0};
    size_t i = 0;
    const json_t *value = NULL;
    json_array_foreach(json_object_get(scenario->root, key), i, value)
    {
        if (!take(options, json_string_value(value), &err)) {
            return scenario_fail(scenario, "%s[%zu]: %s", key, i, err.text);
        }
    }
    return true;
}

static bool read_flags(struct scenario *scenario, struct table_options *options)
{
    json_t *const flags = json_object_get(scenario->root, "flags");
    for (void *it = json_object_iter(flags); it != NULL; it = json_object_iter_next(flags, it)) {
        const unsigned flag = profile_flag_find(json_object_iter_key(it));
        if (flag == FLAG_TOTAL) {
            return scenario_fail(scenario, "flags: there is no flag \"%s\"",
                                 json_object_iter_key(it));
        }
        options->flag[flag] = json_is_true(json_object_iter_value(it)) ? 1 : -1;
    }
    return true;
}

static bool add_own_cards(struct scenario *scenario, struct table_options *options)
{
    const json_t *const cards = json_object_get(scenario->root, "cards");
    struct mb_error err = {0};
    uint8_t set = NO_SET;
    if (json_array_size(cards) == 0) {
        return true;
    }
    struct catalog_issues *const issues = mb_new(1, sizeof *issues);
    const bool added = catalog_add_json(scenario->catalog, cards, "cards", &set, issues);
    if (!added) {
        (void)scenario_fail(scenario, "%s",
                            issues->count > 0 ? issues->list[0].text
                                              : "cards: they cannot be added");
    }
    free(issues);
    return added &&
           (table_options_add_set(options, set, &err) || scenario_fail(scenario, "%s", err.text));
}

static bool read_set(struct scenario *scenario, struct table_options *options, const char *id,
                     const char *at)
{
    struct mb_error err = {0};
    const uint8_t set = catalog_find_set(scenario->catalog, id);
    if (set == NO_SET) {
        return scenario_fail(scenario, "%s: there is no set \"%s\"", at, id);
    }
    return table_options_add_set(options, set, &err) ||
           scenario_fail(scenario, "%s: %s", at, err.text);
}

// The edition's own set comes first; the file's stand beside it.
static bool read_sets(struct scenario *scenario, struct table_options *options)
{
    char at[SCENARIO_PLACE_SIZE];
    size_t i = 0;
    const json_t *value = NULL;
    const char *const edition = scenario->edition;
    if (edition != NULL && !read_set(scenario, options, edition, "editions")) {
        return false;
    }
    json_array_foreach(json_object_get(scenario->root, "sets"), i, value)
    {
        const char *const id = json_string_value(value);
        (void)snprintf(at, sizeof at, "sets[%zu]", i);
        if ((edition == NULL || strcmp(edition, id) != 0) && !read_set(scenario, options, id, at)) {
            return false;
        }
    }
    return options->set_count > 0 || scenario_fail(scenario, "sets names no set");
}

static bool make_box(struct scenario *scenario, struct table_options *options)
{
    struct mb_error err = {0};
    const char *const house = string_of(scenario->root, "house", scenario->edition);
    table_options_init(options);
    if (!read_sets(scenario, options) || !read_flags(scenario, options) ||
        !each_word(scenario, "variants", options, table_options_variants) ||
        !add_own_cards(scenario, options)) {
        return false;
    }
    if ((house != NULL && !table_options_house(options, house, &err)) ||
        !table_options_pace(options, string_of(scenario->root, "pace", "live"), &err) ||
        !table_options_box(options, scenario->catalog, scenario->box, &err)) {
        return scenario_fail(scenario, "%s", err.text);
    }
    return scenario_mutate(scenario, options);
}

static bool put_cards(struct scenario *scenario, const json_t *player, const char *key,
                      unsigned pile, bool equipped)
{
    char at[SCENARIO_PLACE_SIZE];
    size_t i = 0;
    const json_t *value = NULL;
    json_array_foreach(json_object_get(player, key), i, value)
    {
        (void)snprintf(at, sizeof at, "players.%s.%s[%zu]", string_of(player, "name", ""), key, i);
        const uint16_t card = scenario_take(scenario, json_string_value(value), at);
        if (card == NO_CARD) {
            return false;
        }
        const bool item = box_def(scenario->box, card)->kind == KIND_ITEM;
        arrange_card(scenario->game, card, pile, equipped && item ? CARD_EQUIPPED : 0, NO_CARD);
    }
    return true;
}

// {attachment: host}
static bool put_attached(struct scenario *scenario, json_t *player, unsigned seat)
{
    json_t *const attached = json_object_get(player, "attached");
    char at[SCENARIO_PLACE_SIZE];
    (void)snprintf(at, sizeof at, "players.%s.attached", string_of(player, "name", ""));
    for (void *it = json_object_iter(attached); it != NULL;
         it = json_object_iter_next(attached, it)) {
        const uint16_t host =
            scenario_on_table(scenario, seat, json_string_value(json_object_iter_value(it)), at);
        const uint16_t card =
            host == NO_CARD ? NO_CARD : scenario_take(scenario, json_object_iter_key(it), at);
        if (card == NO_CARD) {
            return false;
        }
        arrange_card(scenario->game, card, pile_table(seat), 0, host);
    }
    return true;
}

// {follower: item}
static bool put_carried_by_followers(struct scenario *scenario, json_t *player, unsigned seat)
{
    json_t *const carries = json_object_get(player, "hireling_carries");
    char at[SCENARIO_PLACE_SIZE];
    (void)snprintf(at, sizeof at, "players.%s.hireling_carries", string_of(player, "name", ""));
    for (void *it = json_object_iter(carries); it != NULL;
         it = json_object_iter_next(carries, it)) {
        const uint16_t follower = scenario_on_table(scenario, seat, json_object_iter_key(it), at);
        const uint16_t item =
            follower == NO_CARD
                ? NO_CARD
                : scenario_take(scenario, json_string_value(json_object_iter_value(it)), at);
        if (item == NO_CARD) {
            return false;
        }
        arrange_card(scenario->game, item, pile_table(seat), CARD_EQUIPPED, follower);
    }
    return true;
}

static bool put_player(struct scenario *scenario, json_t *player, unsigned seat)
{
    const char *const sex = string_of(player, "sex", "male");
    const json_t *const level = json_object_get(player, "level");
    const int16_t *const constant = scenario->box->profile.constant;
    const json_int_t number =
        level != NULL ? json_integer_value(level) : constant[PROFILE_START_LEVEL];
    const json_t *const alive = json_object_get(player, "alive");
    if (strcmp(sex, "male") != 0 && strcmp(sex, "female") != 0) {
        return scenario_fail(scenario, "players[%u].sex is male or female, not \"%s\"", seat, sex);
    }
    if (number < 1 || number >= constant[PROFILE_GOAL]) {
        return scenario_fail(scenario, "players[%u].level is 1 to %d", seat,
                             constant[PROFILE_GOAL] - 1);
    }
    arrange_seat(scenario->game, seat, (unsigned)number, strcmp(sex, "female") == 0,
                 json_is_true(json_object_get(player, "changed_sex")),
                 alive == NULL || json_is_true(alive));
    return put_cards(scenario, player, "hand", pile_hand(seat), false) &&
           put_cards(scenario, player, "in_play", pile_table(seat), true) &&
           put_cards(scenario, player, "carried", pile_table(seat), false) &&
           put_attached(scenario, player, seat) && put_carried_by_followers(scenario, player, seat);
}

static bool name_players(struct scenario *scenario)
{
    const json_t *const players = json_object_get(scenario->root, "players");
    const size_t count = json_array_size(players);
    if (count < MB_SEATS_MIN || count > MB_SEATS_MAX) {
        return scenario_fail(scenario, "players: a table has %d to %d, not %zu", (int)MB_SEATS_MIN,
                             (int)MB_SEATS_MAX, count);
    }
    for (size_t i = 0; i < count; i++) {
        const char *const name = string_of(json_array_get(players, i), "name", "");
        for (size_t j = 0; j < i; j++) {
            if (strcmp(scenario->names[j], name) == 0) {
                return scenario_fail(scenario, "players: two are called \"%s\"", name);
            }
        }
        if (*name == '\0' || strlen(name) >= PERSON_NAME_SIZE) {
            return scenario_fail(scenario, "players[%zu].name is empty or too long", i);
        }
        scenario->names[i] = name;
    }
    scenario->seat_count = (unsigned)count;
    return true;
}

// Rules: SETUP-1. The editions could differ; the house's number holds.
static bool right_number(struct scenario *scenario)
{
    const int16_t *const constant = scenario->box->profile.constant;
    const int count = (int)scenario->seat_count;
    return (count >= constant[PROFILE_SEATS_MIN] && count <= constant[PROFILE_SEATS_MAX]) ||
           scenario_fail(scenario, "players: a table has %d to %d, not %d",
                         constant[PROFILE_SEATS_MIN], constant[PROFILE_SEATS_MAX], count);
}

static bool find_phase(struct scenario *scenario, unsigned *out)
{
    static const struct {
        const char *name;
        unsigned phase;
    } PHASES[] = {{"start", PHASE_START},
                  {"opened", PHASE_OPENED},
                  {"charity", PHASE_CHARITY},
                  {"setup", PHASE_SETUP}};
    const char *const word = string_of(scenario->root, "phase", "start");
    for (size_t i = 0; i < sizeof PHASES / sizeof PHASES[0]; i++) {
        if (strcmp(PHASES[i].name, word) == 0) {
            *out = PHASES[i].phase;
            return true;
        }
    }
    return scenario_fail(scenario, "phase is start, opened, charity or setup, not \"%s\"", word);
}

static bool begin(struct scenario *scenario, const struct table_options *options)
{
    const char *const turn = string_of(scenario->root, "turn", scenario->names[0]);
    const char *const answers = string_of(scenario->root, "answers", "skip");
    const unsigned seat = scenario_seat(scenario, turn, "turn");
    unsigned phase = PHASE_START;
    if (seat == NO_SEAT || !find_phase(scenario, &phase)) {
        return false;
    }
    if (strcmp(answers, "skip") != 0 && strcmp(answers, "ask") != 0) {
        return scenario_fail(scenario, "answers is skip or ask, not \"%s\"", answers);
    }
    scenario->ask = strcmp(answers, "ask") == 0;
    if (!arrange_finish(scenario->game, scenario->box, seat, phase, NULL)) {
        return scenario_fail(scenario, "this table cannot begin in this phase");
    }
    solo_adopt(scenario->solo, scenario->box, scenario->game, scenario->names,
               (enum pace)options->pace);
    return true;
}

bool scenario_set_up(struct scenario *scenario)
{
    struct table_options options;
    uint8_t seed[32];
    mb_rng_seed_u64(seed, 1);
    if (!name_players(scenario) || !make_box(scenario, &options) || !right_number(scenario)) {
        return false;
    }
    arrange_begin(scenario->game, scenario->box, scenario->seat_count, seed);
    for (unsigned seat = 0; seat < scenario->seat_count; seat++) {
        json_t *const player = json_array_get(json_object_get(scenario->root, "players"), seat);
        if (!put_player(scenario, player, seat)) {
            return false;
        }
    }
    return scenario_set_decks(scenario) && scenario_set_chance(scenario) &&
           begin(scenario, &options);
}
