#include "adapters/console/play_options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <strings.h>

#include "core/base/rng.h"
#include "core/codec/outcome.h"

#include "bot/table/person_name.h"
#include "bot/text/text.h"

enum { SEATS_DEFAULT = 4, HOTSEAT_WINDOW_S = 30 };

static bool complain(const struct play_options *options, enum text_id id,
                     const struct text_arg *args)
{
    struct text_out out;
    text_begin(&out, options->arguments->complaint, ARGUMENTS_COMPLAINT_SIZE);
    text_put(&out, id, args);
    return false;
}

static bool read_seed(struct play_options *options)
{
    const char *const value = options->arguments->value[OPTION_SEED];
    char *end = NULL;
    options->seeded = value != NULL;
    if (value == NULL || digest_read(value, options->seed, sizeof options->seed)) {
        return true;
    }
    errno = 0;
    const unsigned long long seed = strtoull(value, &end, 10);
    if (value[0] < '0' || value[0] > '9' || *end != '\0' || errno != 0) {
        return complain(options, TEXT_USAGE_SEED, TEXT_ARGS(text_str("what", value)));
    }
    mb_rng_seed_u64(options->seed, seed);
    return true;
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

static bool add_person(struct play_options *options, const char *name, size_t length)
{
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
        return complain(options, TEXT_USAGE_NAME,
                        TEXT_ARGS(text_str("what", shown), text_num("n", PLAY_NAME_MAX)));
    }
    if (options->people_count < MB_SEATS_MAX) {
        memcpy(options->people[options->people_count], name, length);
        options->female[options->people_count] = female;
    }
    options->people_count++;
    return true;
}

static bool read_people(struct play_options *options)
{
    const char *const name = options->arguments->value[OPTION_NAME];
    const char *at = options->arguments->value[OPTION_HOTSEAT];
    if (options->watch) {
        return true;
    }
    if (at == NULL) {
        const char *const own = name != NULL ? name : text_sentence(TEXT_CONSOLE_YOU);
        return add_person(options, own, strlen(own));
    }
    for (;;) {
        const size_t length = strcspn(at, ",");
        if (options->people_count < MB_SEATS_MAX && !add_person(options, at, length)) {
            return false;
        }
        if (options->people_count == MB_SEATS_MAX && at[length] == ',') {
            return complain(
                options, TEXT_USAGE_TOO_MANY,
                TEXT_ARGS(text_num("n", MB_SEATS_MAX + 1), text_num("m", MB_SEATS_MAX)));
        }
        if (at[length] == '\0') {
            return true;
        }
        at += length + 1;
    }
}

static bool read_seats(struct play_options *options)
{
    const bool hotseat = options->arguments->value[OPTION_HOTSEAT] != NULL;
    const unsigned people = options->people_count;
    uint64_t seats = !hotseat ? SEATS_DEFAULT : people < MB_SEATS_MIN ? MB_SEATS_MIN : people;
    if (!arguments_number(options->arguments, OPTION_PLAYERS, MB_SEATS_MIN, MB_SEATS_MAX, &seats)) {
        return false;
    }
    options->seats = (unsigned)seats;
    return people <= options->seats ||
           complain(options, TEXT_USAGE_TOO_MANY,
                    TEXT_ARGS(text_num("n", (long)people), text_num("m", (long)options->seats)));
}

static bool go_together(const struct arguments *arguments)
{
    // What is about a game that begins.
    static const uint8_t FRESH[] = {OPTION_SET,     OPTION_HOUSE, OPTION_PLAYERS, OPTION_NAME,
                                    OPTION_HOTSEAT, OPTION_LEVEL, OPTION_SEED,    OPTION_VARIANT,
                                    OPTION_PRESET,  OPTION_FLAG,  OPTION_WATCH};
    bool good = arguments_not_both(arguments, OPTION_WATCH, OPTION_HOTSEAT) &&
                arguments_not_both(arguments, OPTION_WATCH, OPTION_NAME) &&
                arguments_not_both(arguments, OPTION_NAME, OPTION_HOTSEAT);
    for (size_t i = 0; good && i < sizeof FRESH; i++) {
        good = arguments_not_both(arguments, OPTION_RESUME, FRESH[i]);
    }
    return good;
}

bool play_options_read(struct play_options *options, const struct arguments *arguments)
{
    const bool guides = arguments->value[OPTION_GUIDE] != NULL;
    const bool silent = arguments->value[OPTION_NO_GUIDE] != NULL;
    *options = (struct play_options){.arguments = arguments,
                                     .watch = arguments->value[OPTION_WATCH] != NULL,
                                     .guide = guides   ? PLAY_GUIDE_ON
                                              : silent ? PLAY_GUIDE_OFF
                                                       : PLAY_GUIDE_ASK,
                                     .record = arguments->value[OPTION_RECORD],
                                     .resume = arguments->value[OPTION_RESUME] != NULL};
    return read_seed(options) && go_together(arguments) && read_people(options) &&
           read_seats(options);
}

bool play_options_table(const struct play_options *options, const struct catalog *catalog,
                        struct table_options *out)
{
    struct mb_error err = {0};
    enum option_id option;
    table_options_init(out);
    out->pace = PACE_TERMINAL;
    if (options->people_count > 1) { // the keyboard changes hands, and each reads what is new
        out->clock_s[CLOCK_ANSWER] = HOTSEAT_WINDOW_S;
        out->clock_s[CLOCK_WINDOW] = HOTSEAT_WINDOW_S;
    }
    out->seats = (uint8_t)options->seats;
    return arguments_table(options->arguments, catalog, out, &option, &err) ||
           arguments_wrong(options->arguments, option, err.text);
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
