#include "adapters/console/play_options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <strings.h>

#include "core/base/rng.h"
#include "core/codec/outcome.h"

#include "bot/cmd/cmd.h"
#include "bot/table/person_name.h"
#include "bot/text/text.h"

enum { SEATS_DEFAULT = 4, HOTSEAT_WINDOW_S = 30 };

enum option {
    OPTION_SET,
    OPTION_HOUSE,
    OPTION_PLAYERS,
    OPTION_NAME,
    OPTION_HOTSEAT,
    OPTION_LEVEL,
    OPTION_SEED,
    OPTION_VARIANT,
    OPTION_PRESET,
    OPTION_FLAG,
    OPTION_WATCH,
    OPTION_RECORD,
    OPTION_GUIDE,
    OPTION_NO_GUIDE,
    OPTION_STORE,
    OPTION_RESUME,
    OPTION_SETS_PATH,
    OPTION_TOTAL
};

static const struct {
    const char *name;
    bool value, fresh; // takes a value; is about a game that begins
} OPTIONS[OPTION_TOTAL] = {
    [OPTION_SET] = {"--set", true, true},
    [OPTION_HOUSE] = {"--house", true, true},
    [OPTION_PLAYERS] = {"--players", true, true},
    [OPTION_NAME] = {"--name", true, true},
    [OPTION_HOTSEAT] = {"--hotseat", true, true},
    [OPTION_LEVEL] = {"--level", true, true},
    [OPTION_SEED] = {"--seed", true, true},
    [OPTION_VARIANT] = {"--variant", true, true},
    [OPTION_PRESET] = {"--preset", true, true},
    [OPTION_FLAG] = {"--flag", true, true},
    [OPTION_WATCH] = {"--watch", false, true},
    [OPTION_RECORD] = {"--record", true, false},
    [OPTION_GUIDE] = {"--guide", false, false},
    [OPTION_NO_GUIDE] = {"--no-guide", false, false},
    [OPTION_STORE] = {"--store", true, false},
    [OPTION_RESUME] = {"--resume", false, false},
    [OPTION_SETS_PATH] = {"--sets-path", true, false},
};

// What is being read, and where complaints go.
struct reading {
    struct play_options *options;
    const char *name, *hotseat, *players;
    const char *fresh; // an option about a game that begins, or NULL
    char *complaint;
};

static bool complain(char *complaint, enum text_id id, const struct text_arg *args)
{
    struct text_out out;
    text_begin(&out, complaint, PLAY_COMPLAINT_SIZE);
    text_put(&out, id, args);
    return false;
}

static bool read_seed(struct reading *reading, const char *value)
{
    struct play_options *const options = reading->options;
    char *end = NULL;
    errno = 0;
    const unsigned long long seed = strtoull(value, &end, 10);
    options->seeded = true;
    if (digest_read(value, options->seed, sizeof options->seed)) {
        return true;
    }
    if (value[0] < '0' || value[0] > '9' || *end != '\0' || errno != 0) {
        return complain(reading->complaint, TEXT_USAGE_SEED, TEXT_ARGS(text_str("what", value)));
    }
    mb_rng_seed_u64(options->seed, seed);
    return true;
}

static bool take_value(struct reading *reading, enum option option, const char *value)
{
    struct play_options *const options = reading->options;
    switch (option) {
    case OPTION_SET:
        options->sets = value;
        break;
    case OPTION_HOUSE:
        options->house = value;
        break;
    case OPTION_PLAYERS:
        reading->players = value;
        break;
    case OPTION_NAME:
        reading->name = value;
        break;
    case OPTION_HOTSEAT:
        reading->hotseat = value;
        break;
    case OPTION_LEVEL:
        options->level = value;
        break;
    case OPTION_SEED:
        return read_seed(reading, value);
    case OPTION_VARIANT:
        options->variants = value;
        break;
    case OPTION_PRESET:
        options->preset = value;
        break;
    case OPTION_FLAG:
        options->flags = value;
        break;
    case OPTION_WATCH:
        options->watch = true;
        break;
    case OPTION_RECORD:
        options->record = value;
        break;
    case OPTION_GUIDE:
        options->guide = PLAY_GUIDE_ON;
        break;
    case OPTION_NO_GUIDE:
        options->guide = PLAY_GUIDE_OFF;
        break;
    case OPTION_STORE:
        options->store = value;
        break;
    case OPTION_RESUME:
        options->resume = true;
        break;
    case OPTION_SETS_PATH:
        options->own = value;
        break;
    case OPTION_TOTAL:
        break;
    }
    return true;
}

static enum option option_find(const char *word, size_t length)
{
    unsigned i = 0;
    while (i < OPTION_TOTAL &&
           (strlen(OPTIONS[i].name) != length || strncmp(OPTIONS[i].name, word, length) != 0)) {
        i++;
    }
    return (enum option)i;
}

// One option, its value behind "=" or as the next word; `at` moves on.
static bool read_option(struct reading *reading, int argc, char **argv, int *at)
{
    const char *const word = argv[*at];
    const size_t length = strcspn(word, "=");
    const enum option option = option_find(word, length);
    if (option == OPTION_TOTAL) {
        return complain(reading->complaint, TEXT_USAGE_UNKNOWN, TEXT_ARGS(text_str("what", word)));
    }
    const struct text_arg *const named = TEXT_ARGS(text_str("option", OPTIONS[option].name));
    const char *value = word[length] == '=' ? word + length + 1 : NULL;
    if (value != NULL && !OPTIONS[option].value) {
        return complain(reading->complaint, TEXT_USAGE_NOT_WANTED, named);
    }
    if (OPTIONS[option].value && value == NULL && *at + 1 < argc) {
        value = argv[++*at];
    }
    if (OPTIONS[option].value && (value == NULL || value[0] == '\0')) {
        return complain(reading->complaint, TEXT_USAGE_NO_VALUE, named);
    }
    reading->fresh = OPTIONS[option].fresh ? OPTIONS[option].name : reading->fresh;
    return take_value(reading, option, value);
}

static bool good_name(const char *name, size_t length)
{
    size_t characters = 0;
    for (size_t at = 0; at < length; characters++) {
        const size_t character = text_character(name + at);
        if (character == 0 || name[at] == ',' || name[at] == ':' || at + character > length) {
            return false;
        }
        at += character;
    }
    return length > 0 && length < CHAT_ID_SIZE && characters <= PLAY_NAME_MAX;
}

// "Ann/female", "Bob/m": what follows the last slash is no part of the name.
static bool take_sex(const char *name, size_t *length)
{
    static const struct {
        const char *word;
        bool female;
    } WORDS[] = {{"/female", true}, {"/f", true}, {"/male", false}, {"/m", false}};
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++) {
        const size_t word = strlen(WORDS[i].word);
        if (*length > word && strncasecmp(name + *length - word, WORDS[i].word, word) == 0) {
            *length -= word;
            return WORDS[i].female;
        }
    }
    return false;
}

static bool add_person(struct reading *reading, const char *name, size_t length)
{
    struct play_options *const options = reading->options;
    while (length > 0 && name[0] == ' ') {
        name++;
        length--;
    }
    while (length > 0 && name[length - 1] == ' ') {
        length--;
    }
    const bool female = take_sex(name, &length);
    char shown[CHAT_ID_SIZE] = "";
    memcpy(shown, name, length < sizeof shown ? length : sizeof shown - 1);
    bool good = good_name(name, length);
    for (unsigned i = 0; good && i < options->people_count; i++) {
        good = !person_name_alike(options->people[i], shown);
    }
    if (!good) {
        return complain(reading->complaint, TEXT_USAGE_NAME,
                        TEXT_ARGS(text_str("what", shown), text_num("n", PLAY_NAME_MAX)));
    }
    if (options->people_count < MB_SEATS_MAX) {
        memcpy(options->people[options->people_count], name, length);
        options->female[options->people_count] = female;
    }
    options->people_count++;
    return true;
}

static bool read_people(struct reading *reading)
{
    if (reading->options->watch) {
        return true;
    }
    if (reading->hotseat == NULL) {
        const char *const name =
            reading->name != NULL ? reading->name : text_sentence(TEXT_CONSOLE_YOU);
        return add_person(reading, name, strlen(name));
    }
    const char *at = reading->hotseat;
    for (;;) {
        const size_t length = strcspn(at, ",");
        if (reading->options->people_count < MB_SEATS_MAX && !add_person(reading, at, length)) {
            return false;
        }
        if (reading->options->people_count == MB_SEATS_MAX && at[length] == ',') {
            return complain(
                reading->complaint, TEXT_USAGE_TOO_MANY,
                TEXT_ARGS(text_num("n", MB_SEATS_MAX + 1), text_num("m", MB_SEATS_MAX)));
        }
        if (at[length] == '\0') {
            return true;
        }
        at += length + 1;
    }
}

static bool read_seats(struct reading *reading)
{
    struct play_options *const options = reading->options;
    options->seats = SEATS_DEFAULT;
    if (reading->hotseat != NULL) {
        options->seats =
            options->people_count < MB_SEATS_MIN ? MB_SEATS_MIN : options->people_count;
    }
    if (reading->players != NULL) {
        char *end = NULL;
        const long seats = strtol(reading->players, &end, 10);
        if (*end != '\0' || end == reading->players || seats < MB_SEATS_MIN ||
            seats > MB_SEATS_MAX) {
            return complain(reading->complaint, TEXT_USAGE_NUMBER,
                            TEXT_ARGS(text_str("option", "--players"), text_num("n", MB_SEATS_MIN),
                                      text_num("m", MB_SEATS_MAX),
                                      text_str("what", reading->players)));
        }
        options->seats = (unsigned)seats;
    }
    if (options->people_count > options->seats) {
        return complain(reading->complaint, TEXT_USAGE_TOO_MANY,
                        TEXT_ARGS(text_num("n", (long)options->people_count),
                                  text_num("m", (long)options->seats)));
    }
    return true;
}

static bool together(struct reading *reading, const char *option, const char *other)
{
    return complain(reading->complaint, TEXT_USAGE_BOTH,
                    TEXT_ARGS(text_str("option", option), text_str("other", other)));
}

bool play_options_read(struct play_options *options, int argc, char **argv,
                       char complaint[PLAY_COMPLAINT_SIZE], int *status)
{
    struct reading reading = {.options = options};
    reading.complaint = complaint;
    *options = (struct play_options){.seats = SEATS_DEFAULT};
    *status = CMD_WRONG_USAGE;
    for (int at = 1; at < argc; at++) {
        if (!read_option(&reading, argc, argv, &at)) {
            return false;
        }
    }
    if (options->resume && reading.fresh != NULL) {
        return together(&reading, "--resume", reading.fresh);
    }
    if (options->watch && reading.hotseat != NULL) {
        return together(&reading, "--watch", "--hotseat");
    }
    if (options->watch && reading.name != NULL) {
        return together(&reading, "--watch", "--name");
    }
    if (reading.name != NULL && reading.hotseat != NULL) {
        return together(&reading, "--name", "--hotseat");
    }
    return read_people(&reading) && read_seats(&reading);
}

bool play_options_table(const struct play_options *options, const struct catalog *catalog,
                        struct table_options *out, char complaint[PLAY_COMPLAINT_SIZE])
{
    struct mb_error err = {0};
    const char *option = "--set";
    table_options_init(out);
    out->pace = PACE_TERMINAL;
    if (options->people_count > 1) { // the keyboard changes hands, and each reads what is new
        out->clock_s[CLOCK_ANSWER] = HOTSEAT_WINDOW_S;
        out->clock_s[CLOCK_WINDOW] = HOTSEAT_WINDOW_S;
    }
    out->seats = (uint8_t)options->seats;
    bool good =
        table_options_sets(out, catalog, options->sets != NULL ? options->sets : "classic", &err);
    if (good && options->house != NULL) {
        option = "--house";
        good = table_options_house(out, options->house, &err);
    }
    if (good && options->variants != NULL) {
        option = "--variant";
        good = table_options_variants(out, options->variants, &err);
    }
    if (good && options->preset != NULL) {
        option = "--preset";
        good = table_options_preset(out, options->preset, &err);
    }
    if (good && options->flags != NULL) {
        option = "--flag";
        good = table_options_flags(out, options->flags, &err);
    }
    return good || complain(complaint, TEXT_USAGE_BAD,
                            TEXT_ARGS(text_str("option", option), text_str("reason", err.text)));
}

const char *play_options_bot_name(const struct play_options *options, unsigned n)
{
    // As many names as there are seats, and as many again for those that people have.
    for (unsigned id = TEXT_BOT_NAME_1; id <= TEXT_BOT_NAME_12; id++) {
        const char *const name = text_sentence((enum text_id)id);
        bool taken = false;
        for (unsigned i = 0; i < options->people_count; i++) {
            taken = taken || person_name_alike(options->people[i], name);
        }
        if (!taken && n-- == 0) {
            return name;
        }
    }
    return "";
}
