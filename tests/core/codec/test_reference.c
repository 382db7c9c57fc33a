// What stands in cards/ about the card language is what the loader checks cards against.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "core/card/applies.h"
#include "core/card/effect_schema.h"
#include "core/codec/card_fields.h"
#include "core/codec/reference.h"
#include "core/codec/row_read.h"

#include "tests/support/test.h"

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    const size_t size = (size_t)2 * REFERENCE_SIZE;
    char *text = calloc(1, size);
    assert_non_null(file);
    assert_non_null(text);
    assert_true(fread(text, 1, size - 1, file) > 0);
    (void)fclose(file);
    return text;
}

static void test_the_readme_holds_just_the_reference(void **state)
{
    (void)state;
    char *readme = read_file("cards/README.md");
    char *reference = malloc(REFERENCE_SIZE);
    assert_non_null(reference);
    size_t length = reference_write(reference, REFERENCE_SIZE);
    assert_true(length > 1000 && length + 1 < REFERENCE_SIZE);
    const char *mark = strstr(readme, REFERENCE_MARK);
    assert_non_null(mark);
    const char *found = mark + strlen(REFERENCE_MARK) + 1;
    if (strcmp(found, reference) != 0) {
        fail_msg("say: sed -i '/^<!-- reference/q' cards/README.md && "
                 "build/dev/munchbot cards reference >>cards/README.md");
    }
    free(reference);
    free(readme);
}

static bool lists(const json_t *list, const char *word)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *item = json_string_value(json_array_get(list, i));
        if (item != NULL && strcmp(item, word) == 0) {
            return true;
        }
    }
    return false;
}

static void has_word(const json_t *list, const char *what, const char *word)
{
    if (!lists(list, word)) {
        fail_msg("cards/card.schema.json: \"%s\" lacks \"%s\"", what, word);
    }
}

static const json_t *definition(const json_t *schema, const char *name)
{
    const json_t *found = json_object_get(json_object_get(schema, "$defs"), name);
    if (found == NULL) {
        fail_msg("card.schema.json defines no %s", name);
    }
    return found;
}

static void test_the_json_schema_knows_the_same_words(void **state)
{
    (void)state;
    json_t *schema = json_load_file("cards/card.schema.json", 0, NULL);
    assert_non_null(schema);
    for (unsigned table = WORDS_KIND; table <= WORDS_DECK; table++) {
        enum word_table words = (enum word_table)table;
        if (words == WORDS_REQUIREMENT) {
            continue;
        }
        const json_t *list = json_object_get(definition(schema, word_table_name(words)), "enum");
        for (unsigned i = 0; i < word_count(words); i++) {
            has_word(list, word_table_name(words), word_name(words, i));
        }
        assert_int_equal(json_array_size(list), word_count(words));
    }
    const json_t *ops = json_object_get(definition(schema, "op"), "enum");
    for (unsigned op = 0; op < EFFECT_TOTAL; op++) {
        has_word(ops, "op", effect_name(op));
    }
    assert_int_equal(json_array_size(ops), EFFECT_TOTAL);
    json_decref(schema);
}

static void has_just(const json_t *object, const char *const *keys, size_t more)
{
    const json_t *properties = json_object_get(object, "properties");
    size_t count = 0;
    for (; keys[count] != NULL; count++) {
        if (json_object_get(properties, keys[count]) == NULL) {
            fail_msg("card.schema.json lacks %s", keys[count]);
        }
    }
    assert_int_equal(json_object_size(properties), count + more);
    assert_true(json_is_false(json_object_get(object, "additionalProperties")));
}

// Every op's own arguments that no generic key of a row is.
static size_t own_arguments(const json_t *row)
{
    const json_t *properties = json_object_get(row, "properties");
    const char *seen[2 * EFFECT_TOTAL];
    size_t count = 0;
    for (unsigned op = 0; op < EFFECT_TOTAL; op++) {
        for (unsigned i = 0; i < EFFECT_ARGS_MAX; i++) {
            const char *name = effect_schema(op)->args[i].name;
            bool known = name == NULL;
            for (size_t k = 0; k < count && !known; k++) {
                known = strcmp(seen[k], name) == 0;
            }
            if (!known) {
                assert_non_null(json_object_get(properties, name));
                seen[count++] = name;
            }
        }
    }
    return count;
}

static void test_the_json_schema_knows_the_same_fields(void **state)
{
    (void)state;
    json_t *schema = json_load_file("cards/card.schema.json", 0, NULL);
    assert_non_null(schema);
    has_just(definition(schema, "card"), CARD_KEYS, 0);
    has_just(definition(schema, "filter"), FILTER_KEYS, 0);
    const json_t *row = definition(schema, "row");
    has_just(row, ROW_KEYS, own_arguments(row));
    const json_t *asked = json_object_get(definition(schema, "requirement_object"), "properties");
    for (unsigned i = 0; i < REQUIREMENT_TOTAL; i++) {
        assert_non_null(json_object_get(asked, word_name(WORDS_REQUIREMENT, i)));
    }
    json_decref(schema);
}

// The editor's schema says for each op at which triggers it is done, as the table does.
static void test_the_json_schema_knows_what_applies(void **state)
{
    (void)state;
    json_t *schema = json_load_file("cards/card.schema.json", 0, NULL);
    assert_non_null(schema);
    const json_t *rules = json_object_get(definition(schema, "row"), "allOf");
    for (unsigned op = 0; op < EFFECT_TOTAL; op++) {
        uint32_t triggers = 0;
        for (unsigned kind = 0; kind < KIND_TOTAL; kind++) {
            triggers |= applies_triggers(kind, op);
        }
        json_t *const words = json_array();
        for (unsigned when = 0; when < TRIGGER_TOTAL; when++) {
            if ((triggers >> when & 1u) != 0) {
                (void)json_array_append_new(words, json_string(word_name(WORDS_TRIGGER, when)));
            }
        }
        json_t *const rule = json_pack("{s:{s:{s:{s:s}}, s:[s]}, s:{s:{s:{s:o}}}}", "if",
                                       "properties", "do", "const", effect_name(op), "required",
                                       "do", "then", "properties", "when", "enum", words);
        if (!json_equal(rule, json_array_get(rules, op))) {
            fail_msg("cards/card.schema.json: rule %u in \"allOf\" of a row is to be %s", op + 1,
                     json_dumps(rule, 0));
        }
        json_decref(rule);
    }
    assert_int_equal(json_array_size(rules), EFFECT_TOTAL);
    json_decref(schema);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_readme_holds_just_the_reference),
        cmocka_unit_test(test_the_json_schema_knows_the_same_words),
        cmocka_unit_test(test_the_json_schema_knows_the_same_fields),
        cmocka_unit_test(test_the_json_schema_knows_what_applies),
    };
    return cmocka_run_group_tests_name("reference", tests, NULL, NULL);
}
