// What is registered as slash commands, and which lines come back.
#include <stdlib.h>
#include <string.h>

#include "bot/chat.h"
#include "bot/parse/verb.h"

#include "adapters/discord/wire/commands.h"

#include "tests/support/test.h"

static const char *word(const json_t *object, const char *key)
{
    const char *const text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

// NOLINTBEGIN(misc-no-recursion): as deep as what is registered

// Characters of names, descriptions and values of choices: what Discord adds up.
static size_t characters(const json_t *at)
{
    size_t sum =
        strlen(word(at, "name")) + strlen(word(at, "description")) + strlen(word(at, "value"));
    static const char *const LISTS[] = {"options", "choices"};
    for (size_t i = 0; i < 2; i++) {
        const json_t *const list = json_object_get(at, LISTS[i]);
        for (size_t j = 0; j < json_array_size(list); j++) {
            sum += characters(json_array_get(list, j));
        }
    }
    return sum;
}

static void is_well_formed(const json_t *option)
{
    const json_t *const options = json_object_get(option, "options");
    const char *const name = word(option, "name");
    bool optional = false;
    assert_int_equal(strspn(name, "abcdefghijklmnopqrstuvwxyz-"), strlen(name));
    assert_in_range(strlen(name), 1, 32);
    assert_in_range(strlen(word(option, "description")), 1, COMMANDS_TEXT_MAX);
    assert_null(strchr(word(option, "description"), '{')); // one menu for all editions
    assert_in_range(json_array_size(options), 0, COMMANDS_OPTIONS_MAX);
    for (size_t i = 0; i < json_array_size(options); i++) {
        const json_t *const at = json_array_get(options, i);
        const bool required = json_is_true(json_object_get(at, "required"));
        assert_false(required && optional); // required ones first
        optional = optional || !required;
        for (size_t j = 0; j < i; j++) {
            assert_string_not_equal(name, word(json_array_get(options, j), "name"));
        }
        is_well_formed(at);
    }
}

static void what_is_registered_keeps_to_the_limits(void **state)
{
    (void)state;
    json_t *const all = commands_registration("munch");
    assert_int_equal(json_array_size(all), 1);
    is_well_formed(json_array_get(all, 0));
    assert_in_range(characters(json_array_get(all, 0)), 1, COMMANDS_CHARACTERS_MAX);
    json_decref(all);
}

static const json_t *find_verb(const json_t *at, const char *name)
{
    const json_t *const options = json_object_get(at, "options");
    for (size_t i = 0; i < json_array_size(options); i++) {
        const json_t *const option = json_array_get(options, i);
        const json_t *const inner = json_integer_value(json_object_get(option, "type")) == 2
                                        ? find_verb(option, name)
                                        : NULL;
        if (inner != NULL || strcmp(word(option, "name"), name) == 0) {
            return inner != NULL ? inner : option;
        }
    }
    return NULL;
}

// NOLINTEND(misc-no-recursion)

static void every_verb_can_be_picked(void **state)
{
    (void)state;
    json_t *const all = commands_registration("munch");
    const struct verb_entry *entry = NULL;
    while ((entry = verb_next(entry)) != NULL) {
        if (find_verb(json_array_get(all, 0), entry->word) == NULL) {
            fail_msg("\"%s\" is in no menu", entry->word);
        }
    }
    json_decref(all);
}

static void has_key(const struct verb_entry *entry, const struct verb_part *part)
{
    const size_t length = strcspn(part->key, " =");
    char key[32];
    assert_true(length < sizeof key);
    memcpy(key, part->key, length);
    key[length] = '\0';
    if (strstr(text_sentence(entry->help), key) == NULL && strcmp(entry->word, "new") != 0) {
        fail_msg("\"%s\" has no \"%s\"", entry->word, key);
    }
}

// Whatever a part of a command is introduced by stands in the help of that command.
static void parts_are_those_of_the_grammar(void **state)
{
    (void)state;
    const struct verb_entry *entry = NULL;
    while ((entry = verb_next(entry)) != NULL) {
        size_t count = 0;
        const struct verb_part *const parts = verb_parts(entry, &count);
        assert_in_range(count, 0, VERB_PARTS_MAX);
        for (size_t i = 0; i < count; i++) {
            has_key(entry, &parts[i]);
        }
    }
}

static void unchanged_commands_are_not_registered_again(void **state)
{
    (void)state;
    json_t *const wanted = commands_registration("munch");
    json_t *const has = json_deep_copy(wanted);
    json_t *const command = json_array_get(has, 0);
    (void)json_object_set_new(command, "id", json_string("1"));
    (void)json_object_set_new(command, "nsfw", json_false());
    assert_true(commands_registered(has, wanted));
    json_t *const options = json_object_get(command, "options");
    (void)json_object_set_new(json_array_get(options, 0), "options",
                              json_pack("[{s:s}]", "name", "old"));
    assert_false(commands_registered(has, wanted));
    (void)json_object_del(json_array_get(options, 0), "options");
    (void)json_array_remove(options, 0);
    assert_false(commands_registered(has, wanted));
    json_decref(has);
    json_decref(wanted);
}

static json_t *data_of(const char *text)
{
    json_error_t where;
    json_t *const data = json_loads(text, 0, &where);
    if (data == NULL) {
        fail_msg("%s", where.text);
    }
    return data;
}

struct sample {
    const char *data, *line;
};

static void options_make_the_line_that_one_would_type(void **state)
{
    static const struct sample SAMPLES[] = {
        {"{'options':[{'type':1,'name':'kick'}]}", "kick"},
        {"{'options':[{'type':2,'name':'my','options':[{'type':1,'name':'at'}]}]}", "at"},
        {"{'options':[{'type':2,'name':'my','options':[{'type':1,'name':'at','options':["
         "{'type':4,'name':'number','value':2}]}]}]}",
         "at 2"},
        {"{'options':[{'type':2,'name':'my','options':[{'type':1,'name':'at','options':["
         "{'type':3,'name':'command','value':'sell Thief'},{'type':4,'name':'number','value':12}]}]"
         "}]}",
         "at 12 sell Thief"},
        {"{'options':[{'type':1,'name':'play','options':["
         "{'type':3,'name':'with','value':'Thief, Elf'},{'type':3,'name':'for','value':'players'},"
         "{'type':3,'name':'card','value':'Magic Missile'}]}]}",
         "play Magic Missile for players with Thief, Elf"},
        {"{'options':[{'type':1,'name':'ask','options':["
         "{'type':3,'name':'player','value':'Bob'},{'type':4,'name':'treasures','value':2},"
         "{'type':3,'name':'picking','value':'second'}]}]}",
         "ask Bob offering 2 treasures picking second"},
        {"{'options':[{'type':2,'name':'table','options':[{'type':1,'name':'end'}]}]}", "end"},
        {"{'options':[{'type':2,'name':'my','options':[{'type':1,'name':'sacrifice','options':["
         "{'type':5,'name':'helper','value':true}]}]}]}",
         "sacrifice with helper"},
        {"{'options':[{'type':2,'name':'my','options':[{'type':1,'name':'sacrifice','options':["
         "{'type':5,'name':'helper','value':false}]}]}]}",
         "sacrifice"},
        {"{'options':[{'type':1,'name':'new','options':["
         "{'type':4,'name':'players','value':4},{'type':3,'name':'pace','value':'slow'}]}]}",
         "new players=4 pace=slow"},
        {"{'options':[{'type':1,'name':'choose','options':["
         "{'type':3,'name':'answer','value':'1\\nkick'}]}]}",
         "choose 1"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof SAMPLES / sizeof SAMPLES[0]; i++) {
        char text[1024];
        char line[CHAT_LINE_SIZE];
        struct mb_error err = {0};
        size_t length = 0;
        for (const char *at = SAMPLES[i].data; *at != '\0'; at++) {
            text[length] = *at;
            if (*at == '\'') {
                text[length] = '"';
            }
            length++;
        }
        text[length] = '\0';
        json_t *const data = data_of(text);
        assert_true(commands_line(data, line, sizeof line, &err));
        assert_string_equal(line, SAMPLES[i].line);
        json_decref(data);
    }
}

static void what_is_no_command_of_ours_is_refused(void **state)
{
    static const char *const BAD[] = {"{}",
                                      "{\"options\":[]}",
                                      "{\"options\":[{\"type\":1,\"name\":\"fnord\"}]}",
                                      "{\"options\":[{\"type\":1,\"name\":7}]}",
                                      "{\"options\":[{\"type\":3,\"name\":\"kick\"}]}",
                                      "{\"options\":\"kick\"}",
                                      "{\"options\":[{\"type\":2,\"name\":\"table\"}]}"};
    (void)state;
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        char line[CHAT_LINE_SIZE];
        struct mb_error err = {0};
        json_t *const data = data_of(BAD[i]);
        assert_false(commands_line(data, line, sizeof line, &err));
        assert_int_equal(err.code, MB_ERR_INPUT);
        json_decref(data);
    }
}

static void words_too_long_for_a_line_are_refused(void **state)
{
    (void)state;
    char many[1000];
    char line[CHAT_LINE_SIZE];
    struct mb_error err = {0};
    memset(many, 'x', sizeof many - 1);
    many[sizeof many - 1] = '\0';
    json_t *const data =
        json_pack("{s:[{s:i, s:s, s:[{s:i, s:s, s:s}]}]}", "options", "type", 1, "name", "discard",
                  "options", "type", 3, "name", "cards", "value", many);
    assert_false(commands_line(data, line, sizeof line, &err));
    assert_int_equal(err.code, MB_ERR_LIMIT);
    json_decref(data);
}

static void what_is_being_typed_is_the_line_so_far(void **state)
{
    (void)state;
    char line[CHAT_LINE_SIZE];
    size_t from = 0;
    struct mb_error err = {0};
    json_t *const data =
        json_pack("{s:[{s:i, s:s, s:[{s:i, s:s, s:s}, {s:i, s:s, s:s, s:b}, {s:i, s:s, s:s}]}]}",
                  "options", "type", 1, "name", "play", "options", "type", 3, "name", "card",
                  "value", "Magic Missile", "type", 3, "name", "on", "value", "Bo", "focused", 1,
                  "type", 3, "name", "with", "value", "later");
    assert_true(commands_typed(data, line, sizeof line, &from, &err));
    assert_string_equal(line, "play Magic Missile on Bo");
    assert_string_equal(line + from, "Bo");
    json_decref(data);
}

// A text's quotes of commands are what can be typed; other quotes stay.
static void quoted_commands_are_slash_commands(void **state)
{
    (void)state;
    char *const said = verb_quotes("Say \"join\" or \"help play\", \"no\" or \"joiner\".\n"
                                   "\"orders pass below 9\" and an end: \"join\n",
                                   commands_lead, "munch");
    assert_non_null(said);
    assert_string_equal(said,
                        "Say \"/munch join\" or \"/munch look help play\", \"no\" or "
                        "\"joiner\".\n\"/munch my orders pass below 9\" and an end: \"join\n");
    free(said);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_registered_keeps_to_the_limits),
        cmocka_unit_test(every_verb_can_be_picked),
        cmocka_unit_test(parts_are_those_of_the_grammar),
        cmocka_unit_test(unchanged_commands_are_not_registered_again),
        cmocka_unit_test(options_make_the_line_that_one_would_type),
        cmocka_unit_test(what_is_no_command_of_ours_is_refused),
        cmocka_unit_test(words_too_long_for_a_line_are_refused),
        cmocka_unit_test(what_is_being_typed_is_the_line_so_far),
        cmocka_unit_test(quoted_commands_are_slash_commands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
