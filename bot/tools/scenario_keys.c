// Which keys a scenario file may hold, and of what type; and how an error in it is reported.
#include <stdarg.h>
#include <string.h>

#include <jansson.h>

#include "bot/tools/scenario_impl.h"

bool scenario_fail(struct scenario *scenario, const char *format, ...)
{
    struct scenario_report *const report = scenario->report;
    if (report->message[0] == '\0') {
        va_list args;
        va_start(args, format);
        (void)vsnprintf(report->message, sizeof report->message, format, args);
        va_end(args);
    }
    report->failed = true;
    return false;
}

bool scenario_differs(struct scenario *scenario, const char *at, const char *expected,
                      const char *found)
{
    struct scenario_report *const report = scenario->report;
    if (report->count < SCENARIO_DIFFERENCES_MAX) {
        struct scenario_difference *const difference = &report->differences[report->count++];
        (void)snprintf(difference->at, sizeof difference->at, "%s", at);
        (void)snprintf(difference->expected, sizeof difference->expected, "%s", expected);
        (void)snprintf(difference->found, sizeof difference->found, "%s", found);
    }
    return scenario_fail(scenario, "%s is not as expected", at);
}

const char *scenario_dump(const struct json_t *value, char *out, size_t size)
{
    const size_t length = json_dumpb(value, out, size - 1, JSON_ENCODE_ANY | JSON_ENSURE_ASCII);
    if (length < size) {
        out[length] = '\0';
        return out;
    }
    (void)snprintf(out, size, "(a long value)");
    return out;
}

enum type {
    TYPE_STRING = 1,
    TYPE_NUMBER = 2, // whole
    TYPE_BOOL = 4,
    TYPE_OBJECT = 8,
    TYPE_ARRAY = 16,
    TYPE_STRINGS = 32, // an array of strings
    TYPE_NUMBERS = 64,
    TYPE_NULL = 128,
    TYPE_REAL = 256,
    TYPE_REQUIRED = 512
};

struct key {
    const char *name;
    unsigned types;
};

static const struct key TOP_KEYS[] = {
    {"name", TYPE_STRING | TYPE_REQUIRED},
    {"rules", TYPE_STRINGS},
    {"editions", TYPE_STRINGS},
    {"sets", TYPE_STRINGS},
    {"house", TYPE_STRING},
    {"variants", TYPE_STRINGS},
    {"answers", TYPE_STRING},
    {"cards", TYPE_ARRAY},
    {"flags", TYPE_OBJECT},
    {"players", TYPE_ARRAY | TYPE_REQUIRED},
    {"turn", TYPE_STRING},
    {"phase", TYPE_STRING},
    {"pace", TYPE_STRING},
    {"door", TYPE_STRINGS | TYPE_STRING},
    {"treasure", TYPE_STRINGS | TYPE_STRING},
    {"door_discard", TYPE_STRINGS},
    {"treasure_discard", TYPE_STRINGS},
    {"dice", TYPE_NUMBERS},
    {"picks", TYPE_STRINGS},
    {"steps", TYPE_ARRAY | TYPE_REQUIRED},
    {NULL, 0},
};

static const struct key PLAYER_KEYS[] = {
    {"name", TYPE_STRING | TYPE_REQUIRED},
    {"sex", TYPE_STRING},
    {"changed_sex", TYPE_BOOL},
    {"level", TYPE_NUMBER},
    {"alive", TYPE_BOOL},
    {"hand", TYPE_STRINGS},
    {"in_play", TYPE_STRINGS},
    {"carried", TYPE_STRINGS},
    {"attached", TYPE_OBJECT},
    {"hireling_carries", TYPE_OBJECT},
    {NULL, 0},
};

static const struct key DO_KEYS[] = {
    {"by", TYPE_STRING | TYPE_REQUIRED},
    {"do", TYPE_STRING | TYPE_REQUIRED},
    {"refused", TYPE_STRING | TYPE_STRINGS},
    {NULL, 0},
};

static const struct key WAIT_KEYS[] = {
    {"wait", TYPE_STRING | TYPE_NUMBER | TYPE_REAL},
    {NULL, 0},
};

static const struct key RESTART_KEYS[] = {{"restart", TYPE_BOOL}, {NULL, 0}};
static const struct key EXPECT_STEP_KEYS[] = {{"expect", TYPE_OBJECT}, {NULL, 0}};

static const struct key EXPECT_KEYS[] = {
    {"turn", TYPE_STRING},
    {"phase", TYPE_STRING},
    {"round", TYPE_NUMBER},
    {"combat", TYPE_OBJECT | TYPE_NULL},
    {"players", TYPE_OBJECT},
    {"door_discard", TYPE_STRINGS},
    {"treasure_discard", TYPE_STRINGS},
    {"door_count", TYPE_NUMBER},
    {"treasure_count", TYPE_NUMBER},
    {"pending", TYPE_OBJECT | TYPE_NULL},
    {"window", TYPE_STRING},
    {"winners", TYPE_STRINGS},
    {"legal", TYPE_OBJECT},
    {"said", TYPE_ARRAY},
    {"not_said", TYPE_ARRAY},
    {"sentences", TYPE_OBJECT},
    {NULL, 0},
};

static const struct key COMBAT_KEYS[] = {
    {"players", TYPE_NUMBER},
    {"monsters", TYPE_NUMBER},
    {"winning", TYPE_STRING},
    {"main", TYPE_STRING},
    {"helper", TYPE_STRING | TYPE_NULL},
    {"treasures", TYPE_NUMBER},
    {"monster_names", TYPE_STRINGS},
    {NULL, 0},
};

static const struct key EXPECT_PLAYER_KEYS[] = {
    {"level", TYPE_NUMBER},        {"alive", TYPE_BOOL},
    {"sex", TYPE_STRING},          {"strength", TYPE_NUMBER},
    {"hand", TYPE_STRINGS},        {"hand_count", TYPE_NUMBER},
    {"hand_limit", TYPE_NUMBER},   {"run_bonus", TYPE_NUMBER},
    {"in_play", TYPE_STRINGS},     {"equipped", TYPE_STRINGS},
    {"carried", TYPE_STRINGS},     {"classes", TYPE_STRINGS},
    {"races", TYPE_STRINGS},       {"factions", TYPE_STRINGS},
    {"birthrights", TYPE_STRINGS}, {"powers", TYPE_STRINGS},
    {"rank_total", TYPE_NUMBER},   {"rank_limit", TYPE_NUMBER},
    {"curses", TYPE_STRINGS},      {NULL, 0},
};

static const struct key PENDING_KEYS[] = {
    {"player", TYPE_STRING},
    {"kind", TYPE_STRING},
    {"options", TYPE_STRINGS | TYPE_NUMBERS},
    {NULL, 0},
};

static const struct key LEGAL_KEYS[] = {
    {"includes", TYPE_STRINGS},
    {"excludes", TYPE_STRINGS},
    {NULL, 0},
};

static const struct key SAID_KEYS[] = {
    {"to", TYPE_STRING | TYPE_REQUIRED},
    {"contains", TYPE_STRING | TYPE_REQUIRED},
    {NULL, 0},
};

static bool array_of(const json_t *array, json_type type)
{
    size_t i = 0;
    const json_t *value = NULL;
    json_array_foreach(array, i, value)
    {
        if (json_typeof(value) != type) {
            return false;
        }
    }
    return true;
}

static bool has_type(const json_t *value, unsigned types)
{
    switch (json_typeof(value)) {
    case JSON_STRING:
        return (types & TYPE_STRING) != 0;
    case JSON_INTEGER:
        return (types & TYPE_NUMBER) != 0;
    case JSON_REAL:
        return (types & TYPE_REAL) != 0;
    case JSON_TRUE:
    case JSON_FALSE:
        return (types & TYPE_BOOL) != 0;
    case JSON_NULL:
        return (types & TYPE_NULL) != 0;
    case JSON_OBJECT:
        return (types & TYPE_OBJECT) != 0;
    case JSON_ARRAY:
        return (types & TYPE_ARRAY) != 0 ||
               ((types & TYPE_STRINGS) != 0 && array_of(value, JSON_STRING)) ||
               ((types & TYPE_NUMBERS) != 0 && array_of(value, JSON_INTEGER));
    }
    return false;
}

static void type_words(unsigned types, char *out, size_t size)
{
    static const struct key WORDS[] = {
        {"a string", TYPE_STRING},
        {"a whole number", TYPE_NUMBER},
        {"a number", TYPE_REAL},
        {"true or false", TYPE_BOOL},
        {"an object", TYPE_OBJECT},
        {"an array", TYPE_ARRAY},
        {"an array of strings", TYPE_STRINGS},
        {"an array of whole numbers", TYPE_NUMBERS},
        {"null", TYPE_NULL},
    };
    size_t at = 0;
    out[0] = '\0';
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++) {
        if ((types & WORDS[i].types) != 0 && at < size) {
            const int length =
                snprintf(out + at, size - at, "%s%s", at > 0 ? " or " : "", WORDS[i].name);
            at += length > 0 ? (size_t)length : 0;
        }
    }
}

static bool check_value(struct scenario *scenario, const struct key *key, const json_t *value,
                        const char *place)
{
    char wanted[160];
    char found[80];
    if (has_type(value, key->types)) {
        return true;
    }
    type_words(key->types, wanted, sizeof wanted);
    return scenario_fail(scenario, "%s%s is to be %s, not %s", place, key->name, wanted,
                         scenario_dump(value, found, sizeof found));
}

// `place` names the object and ends in a dot, or is empty.
static bool check_object(struct scenario *scenario, json_t *object, const struct key *keys,
                         const char *place)
{
    if (!json_is_object(object)) {
        return scenario_fail(scenario, "%.*s is to be an object",
                             (int)(strlen(place) > 0 ? strlen(place) - 1 : 0), place);
    }

    for (void *it = json_object_iter(object); it != NULL; it = json_object_iter_next(object, it)) {
        const char *const name = json_object_iter_key(it);
        const json_t *const value = json_object_iter_value(it);
        const struct key *key = keys;
        while (key->name != NULL && strcmp(key->name, name) != 0) {
            key++;
        }
        if (key->name == NULL) {
            return scenario_fail(scenario, "unknown key \"%s%s\"", place, name);
        }
        if (!check_value(scenario, key, value, place)) {
            return false;
        }
    }
    for (const struct key *key = keys; key->name != NULL; key++) {
        if ((key->types & TYPE_REQUIRED) != 0 && json_object_get(object, key->name) == NULL) {
            return scenario_fail(scenario, "%s%s is missing", place, key->name);
        }
    }
    return true;
}

static bool check_map(struct scenario *scenario, json_t *object, const struct key *value,
                      const char *place)
{
    for (void *it = json_object_iter(object); it != NULL; it = json_object_iter_next(object, it)) {
        const struct key named = {json_object_iter_key(it), value->types};
        if (!check_value(scenario, &named, json_object_iter_value(it), place)) {
            return false;
        }
    }
    return true;
}

static bool check_players(struct scenario *scenario)
{
    static const struct key STRING = {NULL, TYPE_STRING};
    json_t *const players = json_object_get(scenario->root, "players");
    char place[SCENARIO_PLACE_SIZE];
    size_t i = 0;
    json_t *player = NULL;
    json_array_foreach(players, i, player)
    {
        (void)snprintf(place, sizeof place, "players[%zu].", i);
        if (!check_object(scenario, player, PLAYER_KEYS, place) ||
            !check_map(scenario, json_object_get(player, "attached"), &STRING, place) ||
            !check_map(scenario, json_object_get(player, "hireling_carries"), &STRING, place)) {
            return false;
        }
    }
    return true;
}

static bool check_said(struct scenario *scenario, json_t *said, const char *place)
{
    char inner[SCENARIO_PLACE_SIZE];
    size_t i = 0;
    json_t *entry = NULL;
    json_array_foreach(said, i, entry)
    {
        (void)snprintf(inner, sizeof inner, "%s[%zu].", place, i);
        if (!check_object(scenario, entry, SAID_KEYS, inner)) {
            return false;
        }
    }
    return true;
}

// Objects by player's name, each with the same keys.
static bool check_by_name(struct scenario *scenario, json_t *object, const struct key *keys,
                          const char *place)
{
    char inner[SCENARIO_PLACE_SIZE];
    for (void *it = json_object_iter(object); it != NULL; it = json_object_iter_next(object, it)) {
        (void)snprintf(inner, sizeof inner, "%s.%.60s.", place, json_object_iter_key(it));
        if (!check_object(scenario, json_object_iter_value(it), keys, inner)) {
            return false;
        }
    }
    return true;
}

static bool check_expect(struct scenario *scenario, json_t *expect)
{
    static const struct key STRING = {NULL, TYPE_STRING};
    json_t *const combat = json_object_get(expect, "combat");
    json_t *const pending = json_object_get(expect, "pending");
    return check_object(scenario, expect, EXPECT_KEYS, "expect.") &&
           (!json_is_object(combat) ||
            check_object(scenario, combat, COMBAT_KEYS, "expect.combat.")) &&
           (!json_is_object(pending) ||
            check_object(scenario, pending, PENDING_KEYS, "expect.pending.")) &&
           check_by_name(scenario, json_object_get(expect, "players"), EXPECT_PLAYER_KEYS,
                         "expect.players") &&
           check_by_name(scenario, json_object_get(expect, "legal"), LEGAL_KEYS, "expect.legal") &&
           check_map(scenario, json_object_get(expect, "sentences"), &STRING,
                     "expect.sentences.") &&
           check_said(scenario, json_object_get(expect, "said"), "expect.said") &&
           check_said(scenario, json_object_get(expect, "not_said"), "expect.not_said");
}

static bool check_step(struct scenario *scenario, json_t *step)
{
    if (json_object_get(step, "wait") != NULL) {
        return check_object(scenario, step, WAIT_KEYS, "");
    }
    if (json_object_get(step, "restart") != NULL) {
        return check_object(scenario, step, RESTART_KEYS, "");
    }
    if (json_object_get(step, "expect") != NULL) {
        return check_object(scenario, step, EXPECT_STEP_KEYS, "") &&
               check_expect(scenario, json_object_get(step, "expect"));
    }
    return check_object(scenario, step, DO_KEYS, "");
}

static bool check_steps(struct scenario *scenario)
{
    size_t i = 0;
    json_t *step = NULL;
    json_array_foreach(scenario->steps, i, step)
    {
        if (!check_step(scenario, step)) {
            scenario->report->step = (unsigned)i + 1;
            (void)scenario_dump(step, scenario->report->step_text,
                                sizeof scenario->report->step_text);
            return false;
        }
    }
    return true;
}

// Which edition's table it is: sets and house, or editions, each of which is the house once.
static bool check_editions(struct scenario *scenario)
{
    const json_t *const editions = json_object_get(scenario->root, "editions");
    if (editions == NULL) {
        return json_object_get(scenario->root, "sets") != NULL ||
               scenario_fail(scenario, "sets is missing");
    }
    if (json_array_size(editions) == 0) {
        return scenario_fail(scenario, "editions names none");
    }
    return json_object_get(scenario->root, "house") == NULL ||
           scenario_fail(scenario, "each of the editions is the house: leave out house");
}

bool scenario_check_keys(struct scenario *scenario)
{
    static const struct key BOOL = {NULL, TYPE_BOOL};
    if (!json_is_object(scenario->root)) {
        return scenario_fail(scenario, "the file is to be one object");
    }
    return check_object(scenario, scenario->root, TOP_KEYS, "") && check_editions(scenario) &&
           check_map(scenario, json_object_get(scenario->root, "flags"), &BOOL, "flags.") &&
           check_players(scenario) && check_steps(scenario);
}
