#include "adapters/service/config.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ini.h>

#include "core/codec/memory.h"
#include "core/codec/suggest.h"

void problems_add(struct problems *problems, const char *format, ...)
{
    if (problems->count++ >= PROBLEMS_MAX) {
        return;
    }
    va_list values;
    va_start(values, format);
    (void)vsnprintf(problems->lines[problems->count - 1], PROBLEM_SIZE, format, values);
    va_end(values);
}

void problems_print(const struct problems *problems, const char *program)
{
    for (size_t i = 0; i < problems->count && i < PROBLEMS_MAX; i++) {
        (void)fprintf(stderr, "%s: %s\n", program, problems->lines[i]);
    }
    if (problems->count > PROBLEMS_MAX) {
        (void)fprintf(stderr, "%s: and %zu more\n", program, problems->count - PROBLEMS_MAX);
    }
}

static const char STORE_VARIABLE[] = "MUNCHBOT_STORE";

struct key {
    const char *name;
    enum config_section section;
    config_check_fn *check;
};

static const char *const SECTIONS[CONFIG_SECTIONS] = {
    [CONFIG_MUNCHBOT] = "munchbot",
    [CONFIG_DISCORD] = "discord",
    [CONFIG_MATRIX] = "matrix",
    [CONFIG_HTTP] = "http",
};

static const struct key KEYS[CONFIG_KEYS] = {
    [CONFIG_MUNCHBOT_STORE] = {"store", CONFIG_MUNCHBOT, config_check_store},
    [CONFIG_MUNCHBOT_PREFIX] = {"prefix", CONFIG_MUNCHBOT, config_check_prefix},
    [CONFIG_MUNCHBOT_SETS_PATH] = {"sets_path", CONFIG_MUNCHBOT, config_check_path},
    [CONFIG_MUNCHBOT_LOG] = {"log", CONFIG_MUNCHBOT, config_check_log},
    [CONFIG_MUNCHBOT_LOG_FORMAT] = {"log_format", CONFIG_MUNCHBOT, config_check_log_format},
    [CONFIG_MUNCHBOT_RATE] = {"commands_per_second", CONFIG_MUNCHBOT, config_check_rate},
    [CONFIG_MUNCHBOT_PLACE_RATE] = {"place_commands_per_second", CONFIG_MUNCHBOT,
                                    config_check_rate},
    [CONFIG_MUNCHBOT_PERSON_TABLES] = {"tables_per_person", CONFIG_MUNCHBOT, config_check_tables},
    [CONFIG_MUNCHBOT_PLACE_TABLES] = {"tables_per_place", CONFIG_MUNCHBOT, config_check_tables},
    [CONFIG_MUNCHBOT_KEEP] = {"keep_games_days", CONFIG_MUNCHBOT, config_check_keep},
    [CONFIG_DISCORD_APPLICATION_ID] = {"application_id", CONFIG_DISCORD, config_check_application},
    [CONFIG_DISCORD_TOKEN_FILE] = {"token_file", CONFIG_DISCORD, config_check_path},
    [CONFIG_DISCORD_API_URL] = {"api_url", CONFIG_DISCORD, config_check_http_url},
    [CONFIG_DISCORD_GATEWAY_URL] = {"gateway_url", CONFIG_DISCORD, config_check_ws_url},
    [CONFIG_DISCORD_SHARDS] = {"shards", CONFIG_DISCORD, config_check_shards},
    [CONFIG_DISCORD_ALLOW] = {"allow", CONFIG_DISCORD, config_check_discord_ids},
    [CONFIG_DISCORD_BLOCK] = {"block", CONFIG_DISCORD, config_check_discord_ids},
    [CONFIG_MATRIX_HOMESERVER] = {"homeserver", CONFIG_MATRIX, config_check_http_url},
    [CONFIG_MATRIX_USER_ID] = {"user_id", CONFIG_MATRIX, config_check_matrix_id},
    [CONFIG_MATRIX_DEVICE_ID] = {"device_id", CONFIG_MATRIX, NULL},
    [CONFIG_MATRIX_TOKEN_FILE] = {"token_file", CONFIG_MATRIX, config_check_path},
    [CONFIG_MATRIX_CRYPTO_PATH] = {"crypto_path", CONFIG_MATRIX, config_check_path},
    [CONFIG_MATRIX_KEYS] = {"keys", CONFIG_MATRIX, config_check_keys},
    [CONFIG_MATRIX_ENCRYPTION] = {"encryption", CONFIG_MATRIX, config_check_encryption},
    [CONFIG_MATRIX_RECOVERY_FILE] = {"recovery_file", CONFIG_MATRIX, config_check_path},
    [CONFIG_MATRIX_ALLOW] = {"allow", CONFIG_MATRIX, config_check_matrix_names},
    [CONFIG_MATRIX_BLOCK] = {"block", CONFIG_MATRIX, config_check_matrix_names},
    [CONFIG_MATRIX_PERSON_INVITES] = {"invites_per_person", CONFIG_MATRIX, config_check_invites},
    [CONFIG_MATRIX_INVITES] = {"invites_per_day", CONFIG_MATRIX, config_check_invites},
    [CONFIG_HTTP_LISTEN] = {"listen", CONFIG_HTTP, config_check_listen},
};

// While a file is read. libinih tells neither numbers of lines nor of sections without keys, so
// lines are looked at on their way to it.
struct reading {
    struct config *config;
    FILE *file;
    const char *name;
    struct problems *problems;
    char *line;
    size_t capacity;
    unsigned number;
    bool began;                  // a section, known or not
    bool wants_key;              // the line is one of a key, and libinih has not told of it
    enum config_section section; // CONFIG_SECTIONS: an unknown one, or none yet
};

enum { NAME_SHOWN = 40 }; // letters of a word that may have been a secret in the wrong place

static void settle_line(struct reading *reading)
{
    if (reading->wants_key) {
        problems_add(reading->problems, "%s:%u: expected \"key = value\", [section] or a # comment",
                     reading->name, reading->number);
    }
    reading->wants_key = false;
}

static void begin_section(struct reading *reading, const char *name, size_t length)
{
    char word[CONFIG_LINE_MAX];
    (void)snprintf(word, sizeof word, "%.*s", (int)length, name);
    struct suggestion near = {.word = word};
    struct config *const config = reading->config;
    reading->began = true;
    reading->section = CONFIG_SECTIONS;
    for (unsigned i = 0; i < CONFIG_SECTIONS; i++) {
        suggest_try(&near, SECTIONS[i]);
        reading->section =
            strcmp(word, SECTIONS[i]) == 0 ? (enum config_section)i : reading->section;
    }
    if (reading->section == CONFIG_SECTIONS) {
        problems_add(reading->problems, "%s:%u: there is no section [%.*s]%s%s%s", reading->name,
                     reading->number, NAME_SHOWN, word, near.best != NULL ? "; did you mean [" : "",
                     near.best != NULL ? near.best : "", near.best != NULL ? "]?" : "");
        return;
    }
    if (config->on[reading->section]) {
        return; // it goes on; a key given twice is found as such
    }
    config->on[reading->section] = true;
    config->section_lines[reading->section] = reading->number;
}

// What kind of line it is; false if libinih is not to see it.
static bool look_at_line(struct reading *reading, size_t size, int room)
{
    const char *const line = reading->line;
    const char *const at = line + strspn(line, " \t");
    const bool empty = at[0] == '\n' || at[0] == '\r' || at[0] == '\0';
    if (empty || at[0] == '#' || at[0] == ';') {
        return false;
    }
    if (strlen(line) < size || size >= (size_t)room) {
        problems_add(reading->problems, "%s:%u: the line is %s", reading->name, reading->number,
                     strlen(line) < size ? "not text: it contains a zero byte" : "too long");
        return false;
    }
    const char *const end = at[0] == '[' ? strchr(at, ']') : NULL;
    if (end != NULL) {
        begin_section(reading, at + 1, (size_t)(end - at - 1));
        return true;
    }
    reading->wants_key = true;
    return true;
}

// ini_reader: the next line that counts.
static char *read_line(char *out, int room, void *user)
{
    struct reading *const reading = user;
    for (;;) {
        settle_line(reading);
        const ssize_t size = getline(&reading->line, &reading->capacity, reading->file);
        if (size < 0) {
            return NULL;
        }
        reading->number++;
        const size_t mark = reading->number == 1 && strncmp(reading->line, "\xEF\xBB\xBF", 3) == 0
                                ? 3
                                : 0; // of UTF-8, as some editors put it
        memmove(reading->line, reading->line + mark, (size_t)size - mark + 1);
        if (look_at_line(reading, (size_t)size - mark, room)) {
            // For libinih an indented line goes on with the value above it.
            (void)snprintf(out, (size_t)room, "%s", reading->line + strspn(reading->line, " \t"));
            return out;
        }
    }
}

static bool is_secret(const char *name)
{
    static const char *const WORDS[] = {"token", "password", "secret"};
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++) {
        if (strcmp(name, WORDS[i]) == 0) {
            return true;
        }
    }
    return false;
}

static void unknown_key(const struct reading *reading, const char *name)
{
    struct suggestion near = {.word = name};
    for (unsigned i = 0; i < CONFIG_KEYS; i++) {
        if (KEYS[i].section == reading->section) {
            suggest_try(&near, KEYS[i].name);
        }
    }
    if (is_secret(name)) {
        problems_add(reading->problems,
                     "%s:%u: secrets do not belong here: put the token in a file and set "
                     "\"token_file = PATH\", or set MUNCHBOT_DISCORD_TOKEN",
                     reading->name, reading->number);
        return;
    }
    problems_add(reading->problems, "%s:%u: [%s] has no key \"%.*s\"%s%s%s", reading->name,
                 reading->number, SECTIONS[reading->section], NAME_SHOWN, name,
                 near.best != NULL ? "; did you mean \"" : "", near.best != NULL ? near.best : "",
                 near.best != NULL ? "\"?" : "");
}

static void take_value(struct reading *reading, enum config_key key, const char *value)
{
    struct config *const config = reading->config;
    const struct key *const is = &KEYS[key];
    const char *const fault = is->check != NULL ? is->check(value) : NULL;
    if (config->lines[key] > 0) {
        problems_add(reading->problems, "%s:%u: \"%s\" is already set in line %u: remove one",
                     reading->name, reading->number, is->name, config->lines[key]);
        return;
    }
    config->lines[key] = reading->number;
    if (fault != NULL) {
        problems_add(reading->problems, "%s:%u: \"%s\" %s", reading->name, reading->number,
                     is->name, fault);
        return;
    }
    config->values[key] = mb_text(value);
}

// ini_handler: a key of the line that was read last.
static int on_key(void *user, const char *section, const char *name, const char *value)
{
    struct reading *const reading = user;
    (void)section; // our own is not cut
    reading->wants_key = false;
    if (reading->section == CONFIG_SECTIONS) {
        if (!reading->began) { // else the section is what is wrong
            problems_add(reading->problems,
                         "%s:%u: \"%.*s\" is not in a section: write [munchbot] above it",
                         reading->name, reading->number, NAME_SHOWN, name);
        }
        return 1;
    }
    for (unsigned i = 0; i < CONFIG_KEYS; i++) {
        if (KEYS[i].section == reading->section && strcmp(KEYS[i].name, name) == 0) {
            take_value(reading, (enum config_key)i, value);
            return 1;
        }
    }
    unknown_key(reading, name);
    return 1;
}

// What a section cannot do without.
static void miss_keys(const struct config *config, const char *name, struct problems *problems)
{
    static const enum config_key WANTED[] = {CONFIG_DISCORD_APPLICATION_ID,
                                             CONFIG_MATRIX_HOMESERVER, CONFIG_HTTP_LISTEN};
    for (size_t i = 0; i < sizeof WANTED / sizeof WANTED[0]; i++) {
        const struct key *const key = &KEYS[WANTED[i]];
        if (config->on[key->section] && config->lines[WANTED[i]] == 0) {
            problems_add(problems, "%s:%u: [%s] needs \"%s\"", name,
                         config->section_lines[key->section], SECTIONS[key->section], key->name);
        }
    }
    const char *const encryption = config->values[CONFIG_MATRIX_ENCRYPTION];
    if (encryption != NULL && strcmp(encryption, "always") == 0 &&
        config->lines[CONFIG_MATRIX_CRYPTO_PATH] == 0) {
        problems_add(problems, "%s:%u: \"encryption = always\" needs \"crypto_path\"", name,
                     config->lines[CONFIG_MATRIX_ENCRYPTION]);
    }
}

void config_read(struct config *config, FILE *file, const char *name, struct problems *problems)
{
    struct reading reading = {.config = config,
                              .file = file,
                              .name = name,
                              .problems = problems,
                              .section = CONFIG_SECTIONS};
    *config = (struct config){.on = {false}};
    ini_use_stack = false; // whose lines have 200 bytes at most
    ini_initial_alloc = CONFIG_LINE_MAX;
    // The number of the first bad line says nothing that is not known better by now.
    (void)ini_parse_stream(read_line, &reading, on_key, &reading);
    if (ferror(file)) {
        problems_add(problems, "cannot read %s (%s)", name, strerror(errno));
    }
    free(reading.line);
    miss_keys(config, name, problems);
    const char *const own = getenv(STORE_VARIABLE);
    const char *const fault = own != NULL ? config_check_store_url(own) : NULL;
    if (fault != NULL) {
        problems_add(problems, "the environment's %s %s", STORE_VARIABLE, fault);
    }
}

bool config_read_path(struct config *config, const char *path, struct problems *problems)
{
    FILE *const file = fopen(path, "re");
    if (file == NULL) {
        *config = (struct config){.on = {false}};
        problems_add(problems, "cannot open %s (%s): name another file with --config FILE", path,
                     strerror(errno));
        return false;
    }
    config_read(config, file, path, problems);
    (void)fclose(file);
    return true;
}

void config_finish(struct config *config)
{
    for (unsigned i = 0; i < CONFIG_KEYS; i++) {
        free(config->values[i]);
        config->values[i] = NULL;
    }
}

const char *config_store(const struct config *config)
{
    const char *const own = getenv(STORE_VARIABLE);
    const char *const said = config->values[CONFIG_MUNCHBOT_STORE];
    return own != NULL ? own : said != NULL ? said : CONFIG_STORE;
}

const char *config_prefix(const struct config *config)
{
    const char *const said = config->values[CONFIG_MUNCHBOT_PREFIX];
    return said != NULL ? said : "munch";
}

enum net_log_level config_log(const struct config *config)
{
    const char *const said = config->values[CONFIG_MUNCHBOT_LOG];
    enum net_log_level level = NET_LOG_INFO;
    return said != NULL && config_level(said, &level) ? level : NET_LOG_INFO;
}

bool config_log_is_json(const struct config *config)
{
    const char *const said = config->values[CONFIG_MUNCHBOT_LOG_FORMAT];
    return said != NULL && strcmp(said, "json") == 0;
}

unsigned config_number(const struct config *config, enum config_key key)
{
    enum { DECIMAL = 10 };
    const char *const said = config->values[key];
    return said != NULL ? (unsigned)strtoul(said, NULL, DECIMAL) : 0;
}

const char *config_key_name(enum config_key key)
{
    return KEYS[key].name;
}

enum config_section config_key_section(enum config_key key)
{
    return KEYS[key].section;
}

// So many commands a second, and so many times as many at once; 0: as usual.
static struct rate_rule each_second(unsigned n, unsigned at_once)
{
    enum { SECOND_MS = 1000 };
    return n == 0 ? (struct rate_rule){.burst = 0}
                  : (struct rate_rule){.burst = (int32_t)(at_once * n),
                                       .refill_ms = (int32_t)(SECOND_MS / n)};
}

static struct rate_rule each_day(unsigned n)
{
    return n == 0 ? (struct rate_rule){.burst = 0}
                  : (struct rate_rule){.burst = (int32_t)n,
                                       .refill_ms = (int32_t)(24 * HALL_HOUR_MS / n),
                                       .steady = true};
}

struct hall_policy config_policy(const struct config *config)
{
    enum { PERSON_AT_ONCE = 6, PLACE_AT_ONCE = 4, AT_A_TABLE = 5 };
    const unsigned rate = config_number(config, CONFIG_MUNCHBOT_RATE);
    const unsigned place_rate = config_number(config, CONFIG_MUNCHBOT_PLACE_RATE);
    return (struct hall_policy){
        .person = each_second(rate, PERSON_AT_ONCE),
        .place = each_second(place_rate > 0 ? place_rate : AT_A_TABLE * rate, PLACE_AT_ONCE),
        .person_tables = each_day(config_number(config, CONFIG_MUNCHBOT_PERSON_TABLES)),
        .place_tables = each_day(config_number(config, CONFIG_MUNCHBOT_PLACE_TABLES)),
        .keep_ms = (int64_t)config_number(config, CONFIG_MUNCHBOT_KEEP) * 24 * HALL_HOUR_MS,
        // Matrix's own list says whose invitations are taken; who comes into a room may play.
        .lists = {{.network = "discord",
                   .allow = config->values[CONFIG_DISCORD_ALLOW],
                   .block = config->values[CONFIG_DISCORD_BLOCK]},
                  {.network = "matrix", .block = config->values[CONFIG_MATRIX_BLOCK]}}};
}
