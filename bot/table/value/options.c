#include "bot/table/options.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/box_limits.h"

#include "bot/text/text.h"

enum { WORD_SIZE = 64, ERROR_LIST_SIZE = 128 };

static const char *const PACE_NAMES[PACE_TOTAL] = {
    [PACE_LIVE] = "live",
    [PACE_TERMINAL] = "terminal",
    [PACE_SLOW] = "slow",
    [PACE_ASYNC] = "async",
};

void table_options_init(struct table_options *options)
{
    memset(options, 0, sizeof *options);
    options->house = EDITION_TOTAL;
    options->pace = PACE_LIVE;
}

// Copies the next of the words between separators; false at the end. Too long a word is cut, and so
// is no name of anything.
static bool next_word(const char **words, const char *separators, char out[WORD_SIZE])
{
    *words += strspn(*words, separators);
    const size_t length = strcspn(*words, separators);
    if (length == 0) {
        return false;
    }
    const size_t kept = length < WORD_SIZE - 1 ? length : WORD_SIZE - 1;
    memcpy(out, *words, kept);
    out[kept] = '\0';
    *words += length;
    return true;
}

bool table_options_add_set(struct table_options *options, uint8_t set, struct mb_error *err)
{
    for (size_t i = 0; i < options->set_count; i++) {
        if (options->sets[i] == set) {
            return mb_fail(err, MB_ERR_INPUT, "a set is named twice");
        }
    }
    if (options->set_count == CATALOG_SETS_MAX) {
        return mb_fail(err, MB_ERR_LIMIT, "more than %d sets", (int)CATALOG_SETS_MAX);
    }
    options->sets[options->set_count++] = set;
    return true;
}

// Those that can be played with.
static const char *list_sets(const struct catalog *catalog, char names[ERROR_LIST_SIZE])
{
    size_t length = 0;
    names[0] = '\0';
    for (size_t i = 0; i < catalog_set_count(catalog) && length < ERROR_LIST_SIZE; i++) {
        const struct catalog_set *const set = catalog_set(catalog, (uint8_t)i);
        if (set->complete) {
            length += (size_t)snprintf(names + length, ERROR_LIST_SIZE - length, "%s%s",
                                       length > 0 ? ", " : "", set->id);
        }
    }
    return names;
}

static bool add_sets(struct table_options *options, const struct catalog *catalog,
                     const char *words, struct mb_error *err)
{
    char word[WORD_SIZE];
    char names[ERROR_LIST_SIZE];
    while (next_word(&words, ",", word)) {
        const uint8_t set = catalog_find_set(catalog, word);
        if (set == NO_SET) {
            return mb_fail(err, MB_ERR_INPUT, "there is no set \"%s\"; sets are %s", word,
                           list_sets(catalog, names));
        }
        if (!table_options_add_set(options, set, err)) {
            return false;
        }
    }
    if (options->set_count == 0) {
        return mb_fail(err, MB_ERR_INPUT, "name a set, for example classic");
    }
    for (size_t i = 0; i < options->set_count; i++) {
        if (!catalog_fits(catalog, options->sets[i], err)) {
            return false;
        }
    }
    return true;
}

bool table_options_sets(struct table_options *options, const struct catalog *catalog,
                        const char *words, struct mb_error *err)
{
    options->set_count = 0;
    return add_sets(options, catalog, words, err);
}

bool table_options_house(struct table_options *options, const char *word, struct mb_error *err)
{
    const unsigned house = edition_find(word);
    if (house == EDITION_TOTAL) {
        return mb_fail(err, MB_ERR_INPUT,
                       "there is no edition \"%s\"; editions are classic, legends, pathfinder, "
                       "super, conan",
                       word);
    }
    options->house = (uint8_t)house;
    return true;
}

// Takes "=on" or "=off" off a word; false: it says something else.
static bool take_value(char *word, bool *on)
{
    char *const equals = strchr(word, '=');
    if (equals != NULL) {
        *equals = '\0';
    }
    *on = equals == NULL || strcmp(equals + 1, "on") == 0;
    return *on || strcmp(equals + 1, "off") == 0;
}

bool table_options_variants(struct table_options *options, const char *words, struct mb_error *err)
{
    char word[WORD_SIZE];
    while (next_word(&words, ",", word)) {
        bool on = true;
        const bool said = take_value(word, &on);
        if (said && strcmp(word, "listen") == 0) {
            options->listen = on;
        } else if (said && strcmp(word, "shared") == 0) {
            options->shared = on;
        } else if (said && strcmp(word, "epic") == 0) {
            options->epic = on;
        } else {
            return mb_fail(err, MB_ERR_INPUT,
                           "there is no variant \"%s\"; variants are listen, shared, epic", word);
        }
    }
    return true;
}

static const struct {
    const char *name, *variants, *flags;
} PRESETS[] = {
#define PRESET(id, name, variants, flags) {#name, variants, flags},
#include "bot/text/presets.def"
#undef PRESET
};

enum { PRESET_COUNT = sizeof PRESETS / sizeof PRESETS[0] };

bool table_options_preset(struct table_options *options, const char *word, struct mb_error *err)
{
    if (strcmp(word, "sheet") == 0) { // the way back from all of them
        memset(options->flag, 0, sizeof options->flag);
        options->listen = options->shared = options->epic = false;
        return true;
    }
    for (unsigned n = 0; n < PRESET_COUNT; n++) {
        struct table_options bundle = *options;
        if (strcmp(word, PRESETS[n].name) != 0) {
            continue;
        }
        memset(bundle.flag, 0, sizeof bundle.flag);
        if (!table_options_variants(&bundle, PRESETS[n].variants, err) ||
            !table_options_flags(&bundle, PRESETS[n].flags, err)) {
            return false;
        }
        for (unsigned i = 0; i < FLAG_TOTAL; i++) {
            if (options->flag[i] != 0) {
                bundle.flag[i] = options->flag[i];
            }
        }
        *options = bundle;
        return true;
    }
    char names[ERROR_LIST_SIZE] = "";
    for (unsigned n = 0; n < PRESET_COUNT; n++) {
        const size_t length = strlen(names);
        (void)snprintf(names + length, sizeof names - length, "%s%s", n > 0 ? ", " : "",
                       PRESETS[n].name);
    }
    return mb_fail(err, MB_ERR_INPUT, "there is no preset \"%s\"; presets are %s, sheet", word,
                   names);
}

bool table_options_flags(struct table_options *options, const char *words, struct mb_error *err)
{
    char word[WORD_SIZE];
    while (next_word(&words, ",", word)) {
        bool on = true;
        if (!take_value(word, &on)) {
            return mb_fail(err, MB_ERR_INPUT, "flag %s is \"on\" or \"off\", not \"%s\"", word,
                           word + strlen(word) + 1);
        }
        const unsigned flag = profile_flag_find(word);
        if (flag == FLAG_TOTAL) {
            return mb_fail(err, MB_ERR_INPUT,
                           "there is no flag \"%s\"; \"rules house\" tells of them all", word);
        }
        options->flag[flag] = on ? 1 : -1;
        options->listen = options->listen && (on || flag != FLAG_LISTEN);
        options->shared = options->shared && (on || flag != FLAG_SHARED_VICTORY);
    }
    return true;
}

const char *table_options_pace_name(unsigned pace)
{
    return PACE_NAMES[pace];
}

bool table_options_pace(struct table_options *options, const char *word, struct mb_error *err)
{
    for (unsigned i = 0; i < PACE_TOTAL; i++) {
        if (strcmp(word, PACE_NAMES[i]) == 0) {
            options->pace = (uint8_t)i;
            return true;
        }
    }
    return mb_fail(err, MB_ERR_INPUT, "there is no pace \"%s\"; paces are live, slow, async", word);
}

static bool table_options_seats(struct table_options *options, const char *word,
                                struct mb_error *err)
{
    char *end = NULL;
    const long count = strtol(word, &end, 10);
    if (*word == '\0' || *end != '\0' || count < MB_SEATS_MIN || count > MB_SEATS_MAX) {
        return mb_fail(err, MB_ERR_INPUT, "a table has %d to %d seats, not \"%s\"",
                       (int)MB_SEATS_MIN, (int)MB_SEATS_MAX, word);
    }
    options->seats = (uint8_t)count;
    return true;
}

static const char *const CLOCK_NAMES[CLOCK_WINDOW + 1] = {
    [CLOCK_TURN] = "turn",     [CLOCK_DECISION] = "decision", [CLOCK_ASK] = "ask",
    [CLOCK_ANSWER] = "answer", [CLOCK_WINDOW] = "window",
};

static const char *table_options_clock_name(unsigned clock)
{
    return CLOCK_NAMES[clock];
}

// Seconds of "90", "90s", "5m", "2h", "3d"; 0 if it is none of these.
static uint32_t read_duration(const char *word)
{
    enum { MINUTE_S = 60, HOUR_S = 3600, DAY_S = 86400, DIGITS_MAX = 6 };
    static const struct {
        char unit;
        uint32_t seconds;
    } UNITS[] = {{'\0', 1}, {'s', 1}, {'m', MINUTE_S}, {'h', HOUR_S}, {'d', DAY_S}};
    const size_t digits = strspn(word, "0123456789");
    if (digits == 0 || digits > DIGITS_MAX || strlen(word) > digits + 1) {
        return 0;
    }
    for (size_t i = 0; i < sizeof UNITS / sizeof UNITS[0]; i++) {
        if (word[digits] == UNITS[i].unit) {
            const unsigned long long seconds =
                strtoull(word, NULL, 10) * (unsigned long long)UNITS[i].seconds;
            return seconds <= UINT32_MAX ? (uint32_t)seconds : UINT32_MAX;
        }
    }
    return 0;
}

// "turn", "5m": one clock's length, in s, m, h or d. False without an error if the key is no
// clock.
static bool table_options_clock(struct table_options *options, const char *key, const char *word,
                                struct mb_error *err)
{
    enum { LEAST_S = 5, MOST_S = 30 * 86400 };
    unsigned kind = CLOCK_TURN;
    while (kind <= CLOCK_WINDOW && strcmp(key, CLOCK_NAMES[kind]) != 0) {
        kind++;
    }
    if (kind > CLOCK_WINDOW) {
        return false;
    }
    if (strcmp(word, "usual") == 0) {
        options->clock_s[kind] = 0;
        return true;
    }
    const uint32_t seconds = read_duration(word);
    if (seconds < LEAST_S || seconds > MOST_S) {
        return mb_fail(err, MB_ERR_INPUT,
                       "the clock %s runs from 5s to 30d, as in %s=90s, 5m, 2h or 3d, or as usual, "
                       "not \"%.20s\"",
                       key, key, word);
    }
    options->clock_s[kind] = seconds;
    return true;
}

static bool read_thread(struct table_options *options, const char *word, struct mb_error *err)
{
    options->stays = strcmp(word, "off") == 0;
    return options->stays || strcmp(word, "on") == 0 ||
           mb_fail(err, MB_ERR_INPUT, "thread is on or off, not \"%.20s\"", word);
}

static bool set_option(struct table_options *options, const struct catalog *catalog,
                       const char *key, const char *value, struct mb_error *err)
{
    if (strcmp(key, "sets") == 0 || strcmp(key, "set") == 0) {
        return table_options_sets(options, catalog, value, err);
    }
    if (strcmp(key, "players") == 0) {
        return table_options_seats(options, value, err);
    }
    if (strcmp(key, "pace") == 0) {
        return table_options_pace(options, value, err);
    }
    if (strcmp(key, "variant") == 0) {
        return table_options_variants(options, value, err);
    }
    if (strcmp(key, "preset") == 0) {
        return table_options_preset(options, value, err);
    }
    if (strcmp(key, "house") == 0) {
        return table_options_house(options, value, err);
    }
    if (strcmp(key, "flag") == 0) {
        return table_options_flags(options, value, err);
    }
    if (strcmp(key, "quiet") == 0) {
        return quiet_read(&options->quiet, value, err);
    }
    if (strcmp(key, "zone") == 0) {
        return quiet_read_zone(&options->quiet, value, err);
    }
    if (strcmp(key, "thread") == 0) {
        return read_thread(options, value, err);
    }
    if (table_options_clock(options, key, value, err)) {
        return true;
    }
    return mb_fail(
        err, MB_ERR_INPUT,
        "\"%.20s\" is not an option; they are sets, players, pace, turn, decision, ask, answer, "
        "window, quiet, zone, variant, house, preset, flag, thread",
        key);
}

// A value by itself says which option it is of: "4", "slow", "quick", "classic,super". Sets are
// added to those that the same words name before.
static bool set_bare(struct table_options *options, const struct catalog *catalog,
                     const char *value, struct mb_error *err)
{
    struct table_options tried = *options;
    struct mb_error why = {0};
    if (value[strspn(value, "0123456789")] == '\0') {
        return table_options_seats(options, value, err);
    }
    if (table_options_preset(&tried, value, &why) || table_options_pace(&tried, value, &why)) {
        *options = tried;
        return true;
    }
    char first[WORD_SIZE];
    (void)snprintf(first, sizeof first, "%.*s", (int)strcspn(value, ", "), value);
    if (catalog_find_set(catalog, first) != NO_SET) {
        return add_sets(options, catalog, value, err);
    }
    char names[ERROR_LIST_SIZE];
    return mb_fail(err, MB_ERR_INPUT,
                   "\"%.20s\" is not an option; say a set (%s), a preset (quick, gentle), "
                   "a pace (slow, async) or players=4",
                   value, list_sets(catalog, names));
}

// One word of `new`, with what stands around its commas: "sets=classic, super". False: it is too
// long.
static bool take_word(const char **words, char *out, size_t size)
{
    size_t length = 0;
    const char *at = *words;
    while (*at != '\0') {
        const size_t blanks = strspn(at, " \t");
        const bool list = length > 0 && (out[length - 1] == ',' || at[blanks] == ',');
        if (blanks > 0 && !list) {
            break;
        }
        at += blanks;
        if (*at != '\0' && length + 1 < size) {
            out[length++] = *at;
        } else if (*at != '\0') {
            return false;
        }
        at += *at != '\0' ? 1 : 0;
    }
    out[length] = '\0';
    *words = at;
    return true;
}

bool table_options_words(struct table_options *options, const struct catalog *catalog,
                         const char *words, struct mb_error *err)
{
    enum { OPTION_SIZE = 256 };
    struct table_options said = *options;
    said.set_count = 0;
    while (*(words += strspn(words, " \t")) != '\0') {
        char word[OPTION_SIZE];
        if (!take_word(&words, word, sizeof word)) {
            return mb_fail(err, MB_ERR_INPUT, "an option is longer than %d characters",
                           OPTION_SIZE - 1);
        }
        char *const equals = strchr(word, '=');
        if (equals == NULL) {
            if (!set_bare(&said, catalog, word, err)) {
                return false;
            }
            continue;
        }
        *equals = '\0';
        if (!set_option(&said, catalog, word, equals + 1, err)) {
            return false;
        }
    }
    if (said.set_count == 0) {
        said.set_count = options->set_count;
    }
    *options = said;
    return true;
}

bool table_options_ready(const struct table_options *options, const struct catalog *catalog,
                         struct mb_error *err)
{
    for (size_t i = 0; i < options->set_count; i++) {
        const struct catalog_set *const set = catalog_set(catalog, options->sets[i]);
        if (set != NULL && !set->complete) {
            return mb_fail(err, MB_ERR_STATE,
                           "the set \"%s\" is not complete yet, so you can't play it", set->id);
        }
    }
    return true;
}

// Whether as many are dealt to as can sit at a table.
static bool can_be_dealt(const struct box *box, struct mb_error *err)
{
    unsigned cards[2] = {0, 0};
    const unsigned least = MB_SEATS_MAX * (unsigned)box->profile.constant[PROFILE_DEAL];
    for (uint16_t card = 0; card < box->card_count; card++) {
        cards[box_def(box, card)->deck]++;
    }
    return (cards[DECK_DOOR] >= least && cards[DECK_TREASURE] >= least) ||
           mb_fail(err, MB_ERR_INPUT,
                   "%u Doors and %u Treasures are too few for %d players, who need %u of each: add "
                   "a larger set, for example classic",
                   cards[DECK_DOOR], cards[DECK_TREASURE], MB_SEATS_MAX, least);
}

bool table_options_box(const struct table_options *options, const struct catalog *catalog,
                       struct box *out, struct mb_error *err)
{
    if (options->set_count == 0) {
        return mb_fail(err, MB_ERR_INPUT, "name a set, for example classic");
    }
    for (size_t i = 0; i < options->set_count; i++) {
        if (!catalog_fits(catalog, options->sets[i], err)) {
            return false;
        }
    }
    unsigned house = options->house;
    if (house == EDITION_TOTAL) {
        house = catalog_set(catalog, options->sets[0])->edition;
    }
    if (!catalog_box(catalog, options->sets, options->set_count, (enum edition)house, out, err) ||
        !can_be_dealt(out, err) || !box_limits_hold(catalog, out, err)) {
        return false;
    }
    for (unsigned i = 0; i < FLAG_TOTAL; i++) {
        if (options->flag[i] != 0) {
            out->profile.flag[i] = options->flag[i] > 0;
        }
    }
    if (options->listen) {
        out->profile.flag[FLAG_LISTEN] = true;
    }
    if (options->shared) {
        out->profile.flag[FLAG_SHARED_VICTORY] = true;
    }
    if (options->epic) {
        out->profile.constant[PROFILE_GOAL] = PROFILE_EPIC_GOAL;
    }
    return true;
}

/* Words being put together; what begins one stands before its first value, a comma before others.
 */
struct words {
    struct text_out out;
    bool open; // the word that is being written has a value
};

static void begin(struct words *words)
{
    words->open = false;
}

static void put(struct words *words, const char *key, const char *value, const char *tail)
{
    if (!words->open) {
        text_raw(&words->out, words->out.length > 0 ? " " : "");
        text_raw(&words->out, key);
    } else {
        text_raw(&words->out, ",");
    }
    text_raw(&words->out, value);
    text_raw(&words->out, tail);
    words->open = true;
}

static void put_one(struct words *words, const char *key, const char *value)
{
    begin(words);
    put(words, key, value, "");
}

static void put_variants(struct words *words, const struct table_options *options)
{
    begin(words);
    if (options->listen) {
        put(words, "variant=", "listen", "");
    }
    if (options->shared) {
        put(words, "variant=", "shared", "");
    }
    if (options->epic) {
        put(words, "variant=", "epic", "");
    }
    begin(words);
    for (unsigned i = 0; i < FLAG_TOTAL; i++) {
        if (options->flag[i] != 0) {
            put(words, "flag=", profile_flag_name(i), options->flag[i] < 0 ? "=off" : "");
        }
    }
}

static void put_times(struct words *words, const struct table_options *options)
{
    enum { NUMBER_SIZE = 32 };
    char key[NUMBER_SIZE];
    char value[NUMBER_SIZE];
    for (unsigned i = 0; i <= CLOCK_WINDOW; i++) {
        if (options->clock_s[i] != 0) {
            (void)snprintf(key, sizeof key, "%s=", table_options_clock_name(i));
            (void)snprintf(value, sizeof value, "%" PRIu32, options->clock_s[i]);
            put_one(words, key, value);
        }
    }
    if (options->quiet.from != options->quiet.to) {
        (void)snprintf(value, sizeof value, "%u-%u", options->quiet.from, options->quiet.to);
        put_one(words, "quiet=", value);
    }
    if (options->quiet.zone != 0) {
        (void)snprintf(value, sizeof value, "%+d", options->quiet.zone);
        put_one(words, "zone=", value);
    }
}

bool table_options_format(const struct table_options *options, const struct catalog *catalog,
                          char *out, size_t size)
{
    const char seats[] = {(char)('0' + options->seats), '\0'};
    struct words words = {.open = false};
    text_begin(&words.out, out, size);
    for (unsigned i = 0; i < options->set_count; i++) {
        put(&words, "sets=", catalog_set(catalog, options->sets[i])->id, "");
    }
    if (options->seats > 0) {
        put_one(&words, "players=", seats);
    }
    if (options->pace != PACE_LIVE) {
        put_one(&words, "pace=", table_options_pace_name(options->pace));
    }
    if (options->house < EDITION_TOTAL) {
        put_one(&words, "house=", edition_name(options->house));
    }
    put_variants(&words, options);
    put_times(&words, options);
    if (options->stays) {
        put_one(&words, "thread=", "off");
    }
    return words.out.length < size;
}
