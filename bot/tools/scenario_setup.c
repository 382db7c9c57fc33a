// The table of a scenario: sets, players, hands, decks, turn and phase.
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "core/base/rng.h"
#include "core/codec/memory.h"
#include "core/loop/arrange.h"

#include "bot/parse/names.h"
#include "bot/table/options.h"
#include "bot/tools/scenario_impl.h"

static const char *string_of(const json_t *object, const char *key, const char *otherwise)
{
    const char *const value = json_string_value(json_object_get(object, key));
    return value != NULL ? value : otherwise;
}

/* Seats and cards by name. */

unsigned scenario_seat(struct scenario *scenario, const char *name, const char *at)
{
    for (unsigned i = 0; i < scenario->seat_count; i++) {
        if (strcmp(scenario->names[i], name) == 0) {
            return i;
        }
    }
    (void)scenario_fail(scenario, "%s: there is no player \"%s\"", at, name);
    return NO_SEAT;
}

void scenario_list_moves(struct scenario *scenario, unsigned seat)
{
    scenario->moves.count = 0;
    scenario->moves.overflow = false;
    moves_list(solo_game(scenario->solo), scenario->box, seat, &scenario->moves);
}

uint16_t scenario_def(struct scenario *scenario, const char *name, const char *at)
{
    bool ambiguous = false;
    const uint16_t def = names_find_def(scenario->catalog, scenario->box, name, &ambiguous);
    if (def == NO_DEF) {
        (void)scenario_fail(scenario, "%s: %s \"%s\"", at,
                            ambiguous ? "several cards fit" : "no card of these sets is called",
                            name);
    }
    return def;
}

// Takes a card of that name out of its deck for another place; NO_CARD (and a message) if the sets
// hold no more of it.
static uint16_t take_card(struct scenario *scenario, const char *name, const char *at)
{
    const uint16_t def = scenario_def(scenario, name, at);
    if (def == NO_DEF) {
        return NO_CARD;
    }
    const uint16_t card = arrange_find(scenario->game, scenario->box, def);
    if (card == NO_CARD) {
        (void)scenario_fail(scenario, "%s: the sets hold no further \"%s\"", at, name);
    }
    return card;
}

// Finds a card of that name that lies on a seat's table.
static uint16_t find_on_table(struct scenario *scenario, unsigned seat, const char *name,
                              const char *at)
{
    const uint16_t def = scenario_def(scenario, name, at);
    struct card_list table;
    if (def == NO_DEF) {
        return NO_CARD;
    }
    query_pile(scenario->game, pile_table(seat), &table);
    for (unsigned i = 0; i < table.count; i++) {
        if (scenario->box->card_def[table.cards[i]] == def) {
            return table.cards[i];
        }
    }
    (void)scenario_fail(scenario, "%s: \"%s\" does not lie in front of the player", at, name);
    return NO_CARD;
}

/* Decks and chance. */

struct deck {
    const char *key, *discard_key;
    unsigned deck, pile, discard_pile;
};

static const struct deck DECKS[] = {
    {"door", "door_discard", DECK_DOOR, PILE_DOOR_DECK, PILE_DOOR_DISCARD},
    {"treasure", "treasure_discard", DECK_TREASURE, PILE_TREASURE_DECK, PILE_TREASURE_DISCARD},
};

static uint16_t take_of_deck(struct scenario *scenario, const struct deck *deck, const char *name,
                             const char *at)
{
    const uint16_t card = take_card(scenario, name, at);
    if (card != NO_CARD && box_def(scenario->box, card)->deck != deck->deck) {
        (void)scenario_fail(scenario, "%s: \"%s\" belongs to the other deck", at, name);
        return NO_CARD;
    }
    return card;
}

// Last first: the first named lies on top.
static bool set_discards(struct scenario *scenario, const struct deck *deck)
{
    const json_t *const list = json_object_get(scenario->root, deck->discard_key);
    char at[SCENARIO_PLACE_SIZE];
    for (size_t i = json_array_size(list); i > 0; i--) {
        (void)snprintf(at, sizeof at, "%s[%zu]", deck->discard_key, i - 1);
        const uint16_t card =
            take_of_deck(scenario, deck, json_string_value(json_array_get(list, i - 1)), at);
        if (card == NO_CARD) {
            return false;
        }
        arrange_card(scenario->game, card, deck->discard_pile, 0, NO_CARD);
    }
    return true;
}

static bool is_word_empty(const json_t *value)
{
    const char *const word =
        json_string_value(json_is_array(value) ? json_array_get(value, 0) : value);
    return word != NULL && strcmp(word, "empty") == 0 &&
           (!json_is_array(value) || json_array_size(value) == 1);
}

static bool set_deck(struct scenario *scenario, const struct deck *deck, uint16_t *top,
                     unsigned *count)
{
    const json_t *const list = json_object_get(scenario->root, deck->key);
    char at[SCENARIO_PLACE_SIZE];
    *count = 0;
    if (json_is_string(list) && !is_word_empty(list)) {
        return scenario_fail(scenario, "%s is an array of names or \"empty\"", deck->key);
    }
    if (list == NULL || is_word_empty(list)) {
        return true;
    }
    for (size_t i = 0; i < json_array_size(list); i++) {
        (void)snprintf(at, sizeof at, "%s[%zu]", deck->key, i);
        const uint16_t card =
            take_of_deck(scenario, deck, json_string_value(json_array_get(list, i)), at);
        if (card == NO_CARD) {
            return false;
        }
        // Out of the deck for now, so that the next of the same name is another card.
        arrange_card(scenario->game, card, PILE_ASIDE, 0, NO_CARD);
        top[(*count)++] = card;
    }
    return true;
}

static bool set_decks(struct scenario *scenario)
{
    uint16_t top[MB_CARDS_MAX];
    unsigned count = 0;
    for (size_t i = 0; i < sizeof DECKS / sizeof DECKS[0]; i++) {
        if (!set_discards(scenario, &DECKS[i])) {
            return false;
        }
    }
    for (size_t i = 0; i < sizeof DECKS / sizeof DECKS[0]; i++) {
        if (!set_deck(scenario, &DECKS[i], top, &count)) {
            return false;
        }
        arrange_top(scenario->game, DECKS[i].pile, top, count);
        if (is_word_empty(json_object_get(scenario->root, DECKS[i].key))) {
            arrange_empty(scenario->game, DECKS[i].pile);
        }
    }
    return true;
}

// The likeliest place of a card that is to be picked at random: a hand, a table, then anywhere
// else.
static unsigned pick_likelihood(const struct scenario *scenario, uint16_t card)
{
    const unsigned pile = query_where(scenario->game, card);
    if (pile_is_hand(pile)) {
        return 3;
    }
    if (pile_is_table(pile)) {
        return 2;
    }
    return pile < PILE_TOTAL ? 1 : 0;
}

static uint16_t find_pick(const struct scenario *scenario, uint16_t def, const uint16_t *taken,
                          unsigned taken_count)
{
    uint16_t best = NO_CARD;
    for (uint16_t card = 0; card < scenario->box->card_count; card++) {
        bool used = scenario->box->card_def[card] != def;
        for (unsigned i = 0; i < taken_count; i++) {
            used = used || taken[i] == card;
        }
        if (!used && (best == NO_CARD ||
                      pick_likelihood(scenario, card) > pick_likelihood(scenario, best))) {
            best = card;
        }
    }
    return best;
}

static bool set_chance(struct scenario *scenario)
{
    enum { DICE_MAX = 16, PICKS_MAX = 8 };
    uint8_t faces[DICE_MAX];
    uint16_t picks[PICKS_MAX];
    const json_t *const dice = json_object_get(scenario->root, "dice");
    const json_t *const names = json_object_get(scenario->root, "picks");
    char at[SCENARIO_PLACE_SIZE];
    if (json_array_size(dice) > DICE_MAX || json_array_size(names) > PICKS_MAX) {
        return scenario_fail(scenario, "at most %d dice and %d picks can be set", (int)DICE_MAX,
                             (int)PICKS_MAX);
    }
    for (size_t i = 0; i < json_array_size(dice); i++) {
        const json_int_t face = json_integer_value(json_array_get(dice, i));
        if (face < 1 || face > 6) {
            return scenario_fail(scenario, "dice[%zu] is not a face of a die", i);
        }
        faces[i] = (uint8_t)face;
    }
    for (size_t i = 0; i < json_array_size(names); i++) {
        (void)snprintf(at, sizeof at, "picks[%zu]", i);
        const uint16_t def =
            scenario_def(scenario, json_string_value(json_array_get(names, i)), at);
        if (def == NO_DEF) {
            return false;
        }
        picks[i] = find_pick(scenario, def, picks, (unsigned)i);
        if (picks[i] == NO_CARD) {
            return scenario_fail(scenario, "%s: the sets hold no further copy", at);
        }
    }
    arrange_dice(scenario->game, faces, (unsigned)json_array_size(dice));
    arrange_picks(scenario->game, picks, (unsigned)json_array_size(names));
    return true;
}

/*
 * A wrong rule on purpose, for tests/mutation/run, which asks whether some scenario notices.
 *
 * MUNCHBOT_MUTATE is "NAME@EDITION=CHANGE": a constant or flag of the profile, the house edition of
 * the tables it is to touch (none: all), and what is done to it: "+1", "-1" or "NUMBER"
 * (constants); "flip" (flags that the scenario does not set itself), "unset" (flags that it does),
 * "house" or "any" (flags, mixed the other way: MIX-2). A word that is not understood changes
 * nothing and is told, so that a spelling mistake is no survivor.
 */

struct mutation {
    unsigned constant, flag; // PROFILE_CONSTANT_TOTAL, FLAG_TOTAL: none
    unsigned house;          // EDITION_TOTAL: any
    const char *change;
};

static bool read_mutation(const char *text, struct mutation *out)
{
    char name[64];
    char edition[32] = "";
    const char *const equals = strchr(text, '=');
    const char *const at = strchr(text, '@');
    const char *const end = at != NULL && at < equals ? at : equals;
    if (equals == NULL || (size_t)(end - text) >= sizeof name ||
        (size_t)(equals - end) >= sizeof edition) {
        return false;
    }
    memcpy(name, text, (size_t)(end - text));
    name[end - text] = '\0';
    if (end != equals) {
        memcpy(edition, end + 1, (size_t)(equals - end - 1));
        edition[equals - end - 1] = '\0';
    }
    out->change = equals + 1;
    out->house = edition_find(edition);
    out->flag = profile_flag_find(name);
    out->constant = 0;
    while (out->constant < PROFILE_CONSTANT_TOTAL &&
           strcmp(profile_constant_name(out->constant), name) != 0) {
        out->constant++;
    }
    return out->flag != FLAG_TOTAL || out->constant != PROFILE_CONSTANT_TOTAL;
}

static void change_constant(struct profile *profile, const struct mutation *mutation)
{
    const char *const change = mutation->change;
    const long number = strtol(change, NULL, 10);
    const bool step = *change == '+' || *change == '-';
    int16_t *const value = &profile->constant[mutation->constant];
    *value = (int16_t)(step ? *value + number : number);
}

// What the flag is when only the set of one edition is in the game.
static bool flag_alone(unsigned flag, unsigned edition)
{
    struct profile alone;
    profile_make(&alone, 1u << edition, (enum edition)edition);
    return alone.flag[flag];
}

static bool change_flag(struct profile *profile, const struct mutation *mutation, bool set_here)
{
    const unsigned flag = mutation->flag;
    bool any = false;
    for (unsigned e = 0; e < EDITION_TOTAL && !any; e++) {
        const unsigned there = (unsigned)profile->editions >> e & 1u;
        any = there != 0 && flag_alone(flag, e);
    }
    if (strcmp(mutation->change, "flip") == 0 || strcmp(mutation->change, "unset") == 0) {
        if ((*mutation->change == 'u') == set_here) {
            profile->flag[flag] = !profile->flag[flag];
        }
    } else if (strcmp(mutation->change, "house") == 0) {
        profile->flag[flag] = set_here ? profile->flag[flag] : flag_alone(flag, profile->house);
    } else if (strcmp(mutation->change, "any") == 0) {
        profile->flag[flag] = set_here ? profile->flag[flag] : any;
    } else {
        return false;
    }
    return true;
}

static bool mutate_profile(struct scenario *scenario, const struct table_options *options)
{
    const char *const text = getenv("MUNCHBOT_MUTATE");
    struct profile *const profile = &scenario->box->profile;
    struct mutation mutation = {0};
    if (text == NULL || *text == '\0') {
        return true;
    }
    if (!read_mutation(text, &mutation)) {
        return scenario_fail(scenario, "MUNCHBOT_MUTATE is not understood: %s", text);
    }
    if (mutation.house != EDITION_TOTAL && mutation.house != profile->house) {
        return true;
    }
    if (mutation.constant != PROFILE_CONSTANT_TOTAL) {
        change_constant(profile, &mutation);
        return true;
    }
    const bool set_here = options->flag[mutation.flag] != 0 ||
                          (mutation.flag == FLAG_LISTEN && options->listen) ||
                          (mutation.flag == FLAG_SHARED_VICTORY && options->shared);
    return change_flag(profile, &mutation, set_here) ||
           scenario_fail(scenario, "MUNCHBOT_MUTATE is not understood: %s", text);
}

/* Sets and players. */

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
    const char *name = NULL;
    const json_t *value = NULL;
    json_object_foreach(json_object_get(scenario->root, "flags"), name, value)
    {
        const unsigned flag = profile_flag_find(name);
        if (flag == FLAG_TOTAL) {
            return scenario_fail(scenario, "flags: there is no flag \"%s\"", name);
        }
        options->flag[flag] = json_is_true(value) ? 1 : -1;
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
    return mutate_profile(scenario, options);
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
        const uint16_t card = take_card(scenario, json_string_value(value), at);
        if (card == NO_CARD) {
            return false;
        }
        const bool item = box_def(scenario->box, card)->kind == KIND_ITEM;
        arrange_card(scenario->game, card, pile, equipped && item ? CARD_EQUIPPED : 0, NO_CARD);
    }
    return true;
}

// {attachment: host}, or {follower: item}: which lies on the seat's table, and what is put on it.
static bool put_on_hosts(struct scenario *scenario, const json_t *player, unsigned seat,
                         const char *key)
{
    const bool carries = strcmp(key, "hireling_carries") == 0;
    char at[SCENARIO_PLACE_SIZE];
    const char *name = NULL;
    const json_t *value = NULL;
    (void)snprintf(at, sizeof at, "players.%s.%s", string_of(player, "name", ""), key);
    json_object_foreach(json_object_get(player, key), name, value)
    {
        const char *const other = json_string_value(value);
        const uint16_t host = find_on_table(scenario, seat, carries ? name : other, at);
        const uint16_t card =
            host == NO_CARD ? NO_CARD : take_card(scenario, carries ? other : name, at);
        if (card == NO_CARD) {
            return false;
        }
        arrange_card(scenario->game, card, pile_table(seat), carries ? CARD_EQUIPPED : 0, host);
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
           put_on_hosts(scenario, player, seat, "attached") &&
           put_on_hosts(scenario, player, seat, "hireling_carries");
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
static bool number_is_right(struct scenario *scenario)
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

static bool begin_game(struct scenario *scenario, const struct table_options *options)
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
    if (!name_players(scenario) || !make_box(scenario, &options) || !number_is_right(scenario)) {
        return false;
    }
    arrange_begin(scenario->game, scenario->box, scenario->seat_count, seed);
    for (unsigned seat = 0; seat < scenario->seat_count; seat++) {
        json_t *const player = json_array_get(json_object_get(scenario->root, "players"), seat);
        if (!put_player(scenario, player, seat)) {
            return false;
        }
    }
    return set_decks(scenario) && set_chance(scenario) && begin_game(scenario, &options);
}
