#include "adapters/discord/wire/commands.h"

#include <stdio.h>
#include <string.h>

#include "bot/parse/parse.h"
#include "bot/parse/verb.h"
#include "bot/text/text.h"

#include "adapters/discord/wire/interaction.h"

enum {
    SUB_COMMAND = 1,
    SUB_COMMAND_GROUP = 2,
    STRING = 3,
    INTEGER = 4,
    BOOLEAN = 5,
    CHANNEL = 7,
    CHANNEL_TEXT = 0,
    THREAD_PUBLIC = 11,
    THREAD_PRIVATE = 12,
    IN_GUILD = 0,
    IN_PRIVATE = 1,
    WORDS_MAX = 6000
};

/* What is needed at every turn stands right under the command. */
static const char *const TOP[] = {"kick",   "take", "fight", "loot",  "done", "choose",  "pass",
                                  "hold",   "run",  "play",  "use",   "sell", "discard", "ask",
                                  "accept", "new",  "join",  "start", "hand", "status"};

struct menu {
    const char *name;
    enum text_id help;
};

static const struct menu MENUS[] = {{"table", TEXT_MENU_TABLE},
                                    {"look", TEXT_MENU_LOOK},
                                    {"deal", TEXT_MENU_DEAL},
                                    {"gear", TEXT_MENU_GEAR},
                                    {"my", TEXT_MENU_MY}};

enum { MENU_TABLE, MENU_LOOK, MENU_DEAL, MENU_GEAR, MENU_MY, MENU_TOTAL };

static unsigned menu_of(const struct verb_entry *entry)
{
    for (size_t i = 0; i < sizeof TOP / sizeof TOP[0]; i++) {
        if (strcmp(TOP[i], entry->word) == 0) {
            return MENU_TOTAL;
        }
    }
    switch (entry->group) {
    case VERBS_TABLE:
        return MENU_TABLE;
    case VERBS_LOOK:
        return MENU_LOOK;
    case GROUP_DEALS:
        return MENU_DEAL;
    case GROUP_CARDS:
        return MENU_GEAR;
    default:
        return MENU_MY;
    }
}

// Whether it is said to a table, so that one elsewhere can be meant.
static bool is_for_tables(const struct verb_entry *entry)
{
    static const enum request_kind OTHERS[] = {REQUEST_NEW,     REQUEST_LINK,     REQUEST_HELP,
                                               REQUEST_RULES,   REQUEST_STATS,    REQUEST_DM,
                                               REQUEST_PRIVACY, REQUEST_FORGET_ME};
    for (size_t i = 0; i < sizeof OTHERS / sizeof OTHERS[0]; i++) {
        if (entry->kind == OTHERS[i]) {
            return false;
        }
    }
    return true;
}

/* Registration. */

static const char TABLE[] = "table"; // the option that says where
static const char AT[] = "at";       // which of one's tables, and its options
static const char NUMBER[] = "number";
static const char COMMAND[] = "command";

static json_t *option_new(int type, const char *name, const char *description)
{
    return json_pack("{s:i, s:s, s:s}", "type", type, "name", name, "description", description);
}

static json_t *table_new(void)
{
    json_t *const option = option_new(CHANNEL, TABLE, text_sentence(TEXT_PART_TABLE));
    (void)json_object_set_new(option, "channel_types",
                              json_pack("[i, i, i]", CHANNEL_TEXT, THREAD_PUBLIC, THREAD_PRIVATE));
    return option;
}

// What a verb does: the first sentence of its help.
static json_t *verb_new(const struct verb_entry *entry)
{
    char text[COMMANDS_TEXT_MAX + 1];
    const char *const help = text_sentence(entry->help);
    const char *const colon = strstr(help, ": ");
    const char *const from = colon != NULL ? colon + 2 : help;
    const char *const stop = strstr(from, ". ");
    size_t length = stop != NULL ? (size_t)(stop - from) : strlen(from);
    length = length > COMMANDS_TEXT_MAX ? COMMANDS_TEXT_MAX : length;
    memcpy(text, from, length);
    text[length] = '\0';
    return option_new(SUB_COMMAND, entry->word, text);
}

static json_t *choices_new(const struct verb_part *part)
{
    json_t *const choices = json_array();
    for (unsigned i = 0; i < VERB_CHOICES_MAX && part->choices[i] != NULL; i++) {
        (void)json_array_append_new(
            choices, json_pack("{s:s, s:s}", "name", part->choices[i], "value", part->choices[i]));
    }
    return choices;
}

static json_t *part_new(const struct verb_part *part)
{
    static const int TYPES[] = {[VERB_PART_WORDS] = STRING,
                                [VERB_PART_NUMBER] = INTEGER,
                                [VERB_PART_FLAG] = BOOLEAN,
                                [VERB_PART_CHOICE] = STRING};
    json_t *const option = option_new(TYPES[part->kind], part->name, text_sentence(part->help));
    if (part->required) {
        (void)json_object_set_new(option, "required", json_true());
    }
    if (part->kind == VERB_PART_WORDS) {
        (void)json_object_set_new(option, "autocomplete", json_true());
    } else if (part->kind == VERB_PART_CHOICE) {
        (void)json_object_set_new(option, "choices", choices_new(part));
    } else if (part->kind == VERB_PART_NUMBER) {
        (void)json_object_set_new(option, "min_value", json_integer(1));
    }
    return option;
}

static json_t *sub_command(const struct verb_entry *entry)
{
    size_t count = 0;
    const struct verb_part *const parts = verb_parts(entry, &count);
    json_t *const command = verb_new(entry);
    json_t *const options = json_array();
    for (size_t i = 0; i < count; i++) {
        (void)json_array_append_new(options, part_new(&parts[i]));
    }
    if (is_for_tables(entry)) {
        (void)json_array_append_new(options, table_new());
    }
    if (json_array_size(options) > 0) {
        (void)json_object_set(command, "options", options);
    }
    json_decref(options);
    return command;
}

// It is said to none of the tables, and so no verb of theirs.
static json_t *at_new(void)
{
    json_t *const command = option_new(SUB_COMMAND, AT, text_sentence(TEXT_MENU_AT));
    json_t *const number = option_new(INTEGER, NUMBER, text_sentence(TEXT_PART_AT));
    json_t *const line = option_new(STRING, COMMAND, text_sentence(TEXT_PART_COMMAND));
    (void)json_object_set_new(number, "min_value", json_integer(1));
    (void)json_object_set_new(command, "options", json_pack("[o, o]", number, line));
    return command;
}

static json_t *menu_new(unsigned menu)
{
    json_t *const options = json_array();
    const struct verb_entry *entry = NULL;
    while ((entry = verb_next(entry)) != NULL) {
        if (menu_of(entry) == menu) {
            (void)json_array_append_new(options, sub_command(entry));
        }
    }
    if (menu == MENU_TOTAL) {
        return options;
    }
    if (menu == MENU_MY) {
        (void)json_array_append_new(options, at_new());
    }
    json_t *const group =
        option_new(SUB_COMMAND_GROUP, MENUS[menu].name, text_sentence(MENUS[menu].help));
    (void)json_object_set_new(group, "options", options);
    return group;
}

json_t *commands_registration(const char *name)
{
    json_t *const options = menu_new(MENU_TOTAL);
    for (unsigned menu = 0; menu < MENU_TOTAL; menu++) {
        (void)json_array_append_new(options, menu_new(menu));
    }
    return json_pack("[{s:s, s:i, s:s, s:[i, i], s:[i], s:o}]", "name", name, "type", 1,
                     "description", text_sentence(TEXT_MENU_COMMAND), "contexts", IN_GUILD,
                     IN_PRIVATE, "integration_types", 0, "options", options);
}

void commands_lead(const void *name, const struct verb_entry *entry, char out[VERB_LEAD_SIZE])
{
    const unsigned menu = menu_of(entry);
    const bool top = menu == MENU_TOTAL;
    (void)snprintf(out, VERB_LEAD_SIZE, "/%s %s%s", (const char *)name, top ? "" : MENUS[menu].name,
                   top ? "" : " ");
}

// NOLINTBEGIN(misc-no-recursion): as deep as what is registered, which is ours
static bool has_all(const json_t *has, json_t *wanted);

static bool arrays_alike(const json_t *has, const json_t *wanted)
{
    if (json_array_size(has) != json_array_size(wanted)) {
        return false;
    }
    for (size_t i = 0; i < json_array_size(wanted); i++) {
        if (!has_all(json_array_get(has, i), json_array_get(wanted, i))) {
            return false;
        }
    }
    return true;
}

// Whether all that is wanted is there; what is left out stands for false or nothing.
static bool has_all(const json_t *has, json_t *wanted)
{
    const char *key = NULL;
    json_t *value = NULL;
    if (json_is_array(wanted)) {
        return json_is_array(has) && arrays_alike(has, wanted);
    }
    if (!json_is_object(wanted)) {
        return json_equal(has, wanted) != 0;
    }
    json_object_foreach(wanted, key, value)
    {
        if (!has_all(json_object_get(has, key), value)) {
            return false;
        }
    }
    for (size_t i = 0; i < 2; i++) { // options and choices that are no more
        static const char *const LISTS[] = {"options", "choices"};
        const json_t *const list = json_object_get(has, LISTS[i]);
        if (json_object_get(wanted, LISTS[i]) == NULL && json_array_size(list) > 0) {
            return false;
        }
    }
    return true;
}

// NOLINTEND(misc-no-recursion)

bool commands_registered(const json_t *has, json_t *wanted)
{
    return has_all(has, wanted);
}

/* What comes back. */

/* Where in an interaction's options its verb is. */
struct said {
    const struct verb_entry *entry;
    const json_t *options;
};

static int type_of(const json_t *option)
{
    return (int)json_integer_value(json_object_get(option, "type"));
}

static const json_t *sub_of(const json_t *data)
{
    const json_t *const at = json_array_get(json_object_get(data, "options"), 0);
    return type_of(at) == SUB_COMMAND_GROUP ? json_array_get(json_object_get(at, "options"), 0)
                                            : at;
}

static bool find_verb(const json_t *data, struct said *out, struct mb_error *err)
{
    const json_t *const at = sub_of(data);
    const char *const word = json_string_value(json_object_get(at, "name"));
    out->entry = word != NULL && type_of(at) == SUB_COMMAND ? verb_find(word) : NULL;
    out->options = json_object_get(at, "options");
    if (out->entry == NULL) {
        (void)mb_fail(err, MB_ERR_INPUT,
                      "received an unregistered command; do two programs use one token?");
        return false;
    }
    return true;
}

static const json_t *option_of(const json_t *options, const char *name)
{
    size_t i = 0;
    json_t *option = NULL;
    json_array_foreach(options, i, option)
    {
        const char *const has = json_string_value(json_object_get(option, "name"));
        if (has != NULL && strcmp(has, name) == 0) {
            return option;
        }
    }
    return NULL;
}

// What a field holds as words: one line, numbers as digits; false: nothing is said by it.
static bool words_of(const json_t *value, char *out, size_t size)
{
    if (json_is_boolean(value)) {
        out[0] = '\0';
        return json_is_true(value);
    }
    if (json_is_integer(value)) {
        (void)snprintf(out, size, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        return true;
    }
    const char *const text = json_string_value(value);
    if (text == NULL) {
        return false;
    }
    const size_t length = strcspn(text, "\r\n");
    if (length >= size) {
        return false;
    }
    memcpy(out, text, length);
    out[length] = '\0';
    return length > 0;
}

static bool put_all(const struct said *said, char *line, size_t size, const json_t **focused,
                    size_t *from, struct mb_error *err)
{
    char words[WORDS_MAX + 1];
    size_t count = 0;
    const struct verb_part *const parts = verb_parts(said->entry, &count);
    if (strlen(said->entry->word) >= size) {
        return mb_fail(err, MB_ERR_LIMIT, "a command is too long");
    }
    (void)snprintf(line, size, "%s", said->entry->word);
    for (size_t i = 0; i < count; i++) {
        const json_t *const option = option_of(said->options, parts[i].name);
        const bool typed = json_is_true(json_object_get(option, "focused"));
        if (focused != NULL && typed) {
            const size_t before = strlen(line);
            (void)snprintf(line + before, size - before, " %s", parts[i].key);
            *from = strlen(line);
            *focused = option;
            const bool some = words_of(json_object_get(option, "value"), words, sizeof words);
            (void)snprintf(line + *from, size - *from, "%s", some ? words : "");
            return true;
        }
        if (option != NULL && words_of(json_object_get(option, "value"), words, sizeof words) &&
            !verb_part_put(&parts[i], words, line, size)) {
            return mb_fail(err, MB_ERR_LIMIT, "a command is too long");
        }
    }
    return focused == NULL || mb_fail(err, MB_ERR_INPUT, "nothing is being typed");
}

static bool is_at(const json_t *data)
{
    const char *const word = json_string_value(json_object_get(sub_of(data), "name"));
    return word != NULL && strcmp(word, AT) == 0;
}

// "at 2 kick"; without a number it asks which there are.
static bool at_line(const json_t *data, char *line, size_t size, struct mb_error *err)
{
    char number[WORDS_MAX + 1];
    char words[WORDS_MAX + 1];
    const json_t *const options = json_object_get(sub_of(data), "options");
    const bool which =
        words_of(json_object_get(option_of(options, NUMBER), "value"), number, sizeof number);
    const bool said = which && words_of(json_object_get(option_of(options, COMMAND), "value"),
                                        words, sizeof words);
    const int length = snprintf(line, size, "%s%s%s%s%s", AT, which ? " " : "", which ? number : "",
                                said ? " " : "", said ? words : "");
    return (length > 0 && (size_t)length < size) ||
           mb_fail(err, MB_ERR_LIMIT, "a command is too long");
}

bool commands_line(const json_t *data, char *line, size_t size, struct mb_error *err)
{
    struct said said;
    if (is_at(data)) {
        return at_line(data, line, size, err);
    }
    return find_verb(data, &said, err) && put_all(&said, line, size, NULL, NULL, err);
}

bool commands_typed(const json_t *data, char *line, size_t size, size_t *from, struct mb_error *err)
{
    struct said said;
    const json_t *focused = NULL;
    return find_verb(data, &said, err) && put_all(&said, line, size, &focused, from, err);
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *const text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

bool commands_table(const json_t *data, struct commands_table *out)
{
    struct said said;
    struct mb_error err = {0};
    const json_t *const option = find_verb(data, &said, &err) && is_for_tables(said.entry)
                                     ? option_of(said.options, TABLE)
                                     : NULL;
    const char *const id = text_of(option, "value");
    const json_t *const channel =
        json_object_get(json_object_get(json_object_get(data, "resolved"), "channels"), id);
    *out = (struct commands_table){.channel = discord_is_id(id) ? id : "",
                                   .name = text_of(channel, "name"),
                                   .permissions = discord_permissions(channel, "permissions")};
    return option != NULL;
}
