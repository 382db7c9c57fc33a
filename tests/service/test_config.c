// The configuration: what is read, and that every problem is named with its line.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/service/config.h"

#include "tests/support/test.h"

enum { TEXT_SIZE = 6000, LONG = 3000, EXAMPLE_SIZE = 16384 };

struct read_config {
    struct config config;
    struct problems problems;
};

static void read_text(struct read_config *out, const char *text)
{
    char copy[TEXT_SIZE];
    (void)snprintf(copy, sizeof copy, "%s", text);
    FILE *const file = fmemopen(copy, strlen(copy), "r");
    assert_non_null(file);
    config_finish(&out->config); // of what was read before
    out->problems = (struct problems){.count = 0};
    config_read(&out->config, file, "f", &out->problems);
    (void)fclose(file);
}

static int set_up(void **state)
{
    struct read_config *const made = calloc(1, sizeof *made);
    assert_non_null(made);
    assert_int_equal(unsetenv("MUNCHBOT_STORE"), 0);
    *state = made;
    return 0;
}

static int tear_down(void **state)
{
    struct read_config *const made = *state;
    config_finish(&made->config);
    free(made);
    return 0;
}

static void test_everything_is_read(void **state)
{
    struct read_config *const made = *state;
    read_text(made, "# a comment\n; another\n\n"
                    "[munchbot]\r\nstore = sqlite:/tmp/x.db ; the place\r\n  prefix=mb\r\n"
                    "log: debug\n"
                    "[discord]\napplication_id = 123456789012345678\ntoken_file=/run/token\n"
                    "api_url = http://127.0.0.1:8080/api\ngateway_url = ws://[::1]:99\nshards=3");
    assert_int_equal(made->problems.count, 0);
    assert_string_equal(config_store(&made->config), "sqlite:/tmp/x.db");
    assert_string_equal(config_prefix(&made->config), "mb");
    assert_int_equal(config_log(&made->config), NET_LOG_DEBUG);
    assert_true(made->config.on[CONFIG_DISCORD]);
    assert_false(made->config.on[CONFIG_MATRIX]);
    assert_string_equal(made->config.values[CONFIG_DISCORD_APPLICATION_ID], "123456789012345678");
    assert_string_equal(made->config.values[CONFIG_DISCORD_TOKEN_FILE], "/run/token");
    assert_string_equal(made->config.values[CONFIG_DISCORD_API_URL], "http://127.0.0.1:8080/api");
    assert_string_equal(made->config.values[CONFIG_DISCORD_GATEWAY_URL], "ws://[::1]:99");
    assert_int_equal(config_number(&made->config, CONFIG_DISCORD_SHARDS), 3);
    assert_int_equal(made->config.lines[CONFIG_MUNCHBOT_LOG], 7);
}

static void test_nothing_means_defaults(void **state)
{
    struct read_config *const made = *state;
    read_text(made, "\n");
    assert_int_equal(made->problems.count, 0);
    assert_string_equal(config_store(&made->config), "sqlite:/var/lib/munchbot/tables.db");
    assert_string_equal(config_prefix(&made->config), "munch");
    assert_int_equal(config_log(&made->config), NET_LOG_INFO);
    assert_int_equal(config_number(&made->config, CONFIG_DISCORD_SHARDS), 0);
    assert_false(made->config.on[CONFIG_DISCORD]);
}

static void test_environment_names_the_store(void **state)
{
    struct read_config *const made = *state;
    assert_int_equal(setenv("MUNCHBOT_STORE", "postgresql://u:hush@h/d", 1), 0);
    read_text(made, "[munchbot]\nstore = sqlite:/x\n");
    assert_int_equal(made->problems.count, 0);
    assert_string_equal(config_store(&made->config), "postgresql://u:hush@h/d");
    config_finish(&made->config);
    assert_int_equal(setenv("MUNCHBOT_STORE", "mysql://u:hush@h/d", 1), 0);
    read_text(made, "");
    assert_int_equal(made->problems.count, 1);
    assert_non_null(strstr(made->problems.lines[0], "MUNCHBOT_STORE is not a store"));
    assert_null(strstr(made->problems.lines[0], "hush"));
    assert_int_equal(unsetenv("MUNCHBOT_STORE"), 0);
}

static void test_all_problems_are_named(void **state)
{
    struct read_config *const made = *state;
    read_text(made,
              "log = info\n[munchbox]\nwhatever = 1\n[munchbot]\nstor = sqlite:/x\nlog=loud\n"
              "log = warn\nhello\n[discord]\nshards = 0\n[discord\ngateway_url = ws://a.b/\n");
    static const char *const WANTED[] = {
        "f:1: \"log\" is not in a section: write [munchbot] above it",
        "f:2: there is no section [munchbox]; did you mean [munchbot]?",
        "f:5: [munchbot] has no key \"stor\"; did you mean \"store\"?",
        "f:6: \"log\" is not a log level: use debug, info, warn or error",
        "f:7: \"log\" is already set in line 6: remove one",
        "f:8: expected \"key = value\", [section] or a # comment",
        ("f:10: \"shards\" is not a number of shards: use 1 to 4096, or remove it for Discord's "
         "recommendation"),
        "f:11: expected \"key = value\", [section] or a # comment",
        "f:12: \"gateway_url\" is unencrypted to another machine: use wss://",
        "f:9: [discord] needs \"application_id\"",
    };
    enum { COUNT = sizeof WANTED / sizeof WANTED[0] };
    for (size_t i = 0; i < COUNT && i < made->problems.count; i++) {
        assert_string_equal(made->problems.lines[i], WANTED[i]);
    }
    assert_int_equal(made->problems.count, COUNT);
}

static void test_paths(void **state)
{
    struct read_config *const made = *state;
    read_text(made, "[munchbot]\nsets_path = /cards\n[matrix]\nhomeserver = https://m.example\n"
                    "crypto_path = /c\nrecovery_file = /r\n");
    assert_int_equal(made->problems.count, 0);
    assert_string_equal(made->config.values[CONFIG_MUNCHBOT_SETS_PATH], "/cards");
    assert_string_equal(made->config.values[CONFIG_MATRIX_CRYPTO_PATH], "/c");
    assert_string_equal(made->config.values[CONFIG_MATRIX_RECOVERY_FILE], "/r");
    assert_string_equal(made->config.values[CONFIG_MATRIX_HOMESERVER], "https://m.example");
}

static void test_matrix(void **state)
{
    struct read_config *const made = *state;
    read_text(made, "[matrix]\nhomeserver = http://m.example\nuser_id = munchbot\n[matrix]\n"
                    "keys = some\n");
    assert_int_equal(made->problems.count, 3);
    assert_string_equal(made->problems.lines[0],
                        "f:2: \"homeserver\" is unencrypted to another machine: use https://");
    assert_string_equal(made->problems.lines[1],
                        "f:3: \"user_id\" is not a Matrix id: use one like @munchbot:example.org");
    assert_string_equal(made->problems.lines[2],
                        "f:5: \"keys\" does not name devices: use signed or all");
}

static void test_encryption(void **state)
{
    struct read_config *const made = *state;
    read_text(made, "[matrix]\nhomeserver = https://m.example\nencryption = always\n");
    assert_int_equal(made->problems.count, 1);
    assert_string_equal(made->problems.lines[0],
                        "f:3: \"encryption = always\" needs \"crypto_path\"");
    read_text(made, "[matrix]\nhomeserver = https://m.example\nencryption = yes\n");
    assert_string_equal(made->problems.lines[made->problems.count - 1],
                        "f:3: \"encryption\" does not say which rooms are encrypted: use off, "
                        "auto or always");
}

static void test_invitations(void **state)
{
    struct read_config *const made = *state;
    read_text(made, "[matrix]\nhomeserver = https://m.example\n");
    assert_int_equal(made->problems.count, 0);
    assert_int_equal(config_number(&made->config, CONFIG_MATRIX_PERSON_INVITES), 0);
    assert_int_equal(config_number(&made->config, CONFIG_MATRIX_INVITES), 0);
}

static void test_wrong_invitations(void **state)
{
    struct read_config *const made = *state;
    read_text(made, "[matrix]\nhomeserver = https://m.example\nallow = m.example, @ada:hs\n"
                    "block = @bob\ninvites_per_day = 3\ninvites_per_person = none\n");
    assert_int_equal(made->problems.count, 2);
    assert_string_equal(
        made->problems.lines[0],
        "f:4: \"block\" is not a list of people (@name:server), rooms (!id:server) or servers with "
        "commas between them");
    assert_string_equal(made->problems.lines[1], "f:6: \"invites_per_person\" is not a number of "
                                                 "invitations a day: use 1 to 10000");
    assert_int_equal(config_number(&made->config, CONFIG_MATRIX_INVITES), 3);
}

static void test_whom_it_serves(void **state)
{
    struct read_config *const made = *state;
    read_text(made, "[munchbot]\ntables_per_person = 5\nplace_commands_per_second = 20\n"
                    "tables_per_place = 0\n[discord]\napplication_id = 123456789012345678\n"
                    "allow = 123456789012345678, 223456789012345678\nblock = 123456789012345678 "
                    "Eve\n[matrix]\nhomeserver = https://m.example\nblock = !abc:m.example\n");
    assert_int_equal(made->problems.count, 2);
    assert_string_equal(
        made->problems.lines[0],
        "f:4: \"tables_per_place\" is not a number of tables a day: use 1 to 10000, "
        "or remove it for as many as people like");
    assert_string_equal(made->problems.lines[1],
                        "f:8: \"block\" is not a list of servers, channels or people by their ids "
                        "(15 to 20 digits) with commas between them");
    assert_int_equal(config_number(&made->config, CONFIG_MUNCHBOT_PERSON_TABLES), 5);
    assert_int_equal(config_number(&made->config, CONFIG_MUNCHBOT_PLACE_RATE), 20);
}

static void assert_rule(const struct rate_rule *rule, int burst, int refill_ms, bool steady)
{
    assert_int_equal(rule->burst, burst);
    assert_int_equal(rule->refill_ms, refill_ms);
    assert_int_equal(rule->steady, steady);
}

static void test_how_much_it_serves(void **state)
{
    struct read_config *const made = *state;
    read_text(made, "[munchbot]\ncommands_per_second = 4\ntables_per_person = 12\n"
                    "tables_per_place = 96\nkeep_games_days = 2\n[discord]\n"
                    "application_id = 123456789012345678\nblock = 223456789012345678\n");
    struct hall_policy policy = config_policy(&made->config);
    assert_rule(&policy.person, 24, 250, false);
    assert_rule(&policy.place, 80, 50, false); // of five people
    assert_rule(&policy.person_tables, 12, 2 * 3600 * 1000, true);
    assert_rule(&policy.place_tables, 96, 15 * 60 * 1000, true);
    assert_int_equal(policy.keep_ms, 2LL * 24 * 3600 * 1000);
    assert_string_equal(policy.lists[0].block, "223456789012345678");
    read_text(made, "[munchbot]\nplace_commands_per_second = 10\n");
    policy = config_policy(&made->config);
    assert_rule(&policy.person, 0, 0, false);
    assert_rule(&policy.place, 40, 100, false);
    assert_rule(&policy.person_tables, 0, 0, false);
    assert_int_equal(policy.keep_ms, 0);
}

static void test_matrix_needs_its_homeserver(void **state)
{
    struct read_config *const made = *state;
    read_text(made, "[matrix]\nuser_id = @munchbot:example.org\n");
    assert_int_equal(made->problems.count, 1);
    assert_string_equal(made->problems.lines[0], "f:1: [matrix] needs \"homeserver\"");
}

static void test_secrets_are_refused_and_not_repeated(void **state)
{
    struct read_config *const made = *state;
    read_text(made, "[munchbot]\nstore = postgresql://me:hush@db/x\n[discord]\n"
                    "application_id = 123456789012345678\ntoken = hush\nhush\n");
    assert_int_equal(made->problems.count, 3);
    for (size_t i = 0; i < made->problems.count; i++) {
        assert_null(strstr(made->problems.lines[i], "hush"));
    }
    assert_non_null(strstr(made->problems.lines[0], "contains a password"));
    assert_non_null(strstr(made->problems.lines[1], "token_file"));
}

static void test_long_lines(void **state)
{
    struct read_config *const made = *state;
    char text[TEXT_SIZE] = "[munchbot]\nstore = sqlite:/";
    const size_t begun = strlen(text);
    memset(text + begun, 'a', LONG);
    (void)snprintf(text + begun + LONG, sizeof text - begun - LONG, "\nlog = warn\n");
    read_text(made, text);
    assert_int_equal(made->problems.count, 0);
    assert_int_equal(strlen(config_store(&made->config)), strlen("sqlite:/") + LONG);
    assert_int_equal(config_log(&made->config), NET_LOG_WARN);
    config_finish(&made->config);
    memset(text + begun, 'a', TEXT_SIZE - begun - 20);
    (void)snprintf(text + TEXT_SIZE - 20, 20, "\nlog = error\n");
    read_text(made, text);
    assert_int_equal(made->problems.count, 1);
    assert_string_equal(made->problems.lines[0], "f:2: the line is too long");
    assert_int_equal(config_log(&made->config), NET_LOG_ERROR);
}

static void test_zero_bytes(void **state)
{
    struct read_config *const made = *state;
    char text[] = "\xEF\xBB\xBF[munchbot]\nlog = de\0bug\n";
    FILE *const file = fmemopen(text, sizeof text - 1, "r");
    assert_non_null(file);
    config_read(&made->config, file, "f", &made->problems);
    (void)fclose(file);
    assert_int_equal(made->problems.count, 1);
    assert_string_equal(made->problems.lines[0],
                        "f:2: the line is not text: it contains a zero byte");
}

static void test_missing_file(void **state)
{
    struct read_config *const made = *state;
    assert_false(config_read_path(&made->config, "/nowhere/munchbot.conf", &made->problems));
    assert_int_equal(made->problems.count, 1);
    assert_string_equal(made->problems.lines[0],
                        "cannot open /nowhere/munchbot.conf (No such file or directory): name "
                        "another file with --config FILE");
}

static void test_too_many_problems_are_counted(void **state)
{
    struct read_config *const made = *state;
    char text[TEXT_SIZE] = "";
    for (unsigned i = 0; i < PROBLEMS_MAX + 2; i++) {
        (void)snprintf(text + strlen(text), sizeof text - strlen(text), "x\n");
    }
    read_text(made, text);
    assert_int_equal(made->problems.count, PROBLEMS_MAX + 2);
}

struct value_case {
    const char *name, *value;
    config_check_fn *check;
    bool good;
};

static const struct value_case VALUES[] = {
    {"https", "https://discord.com/api", config_check_http_url, true},
    {"https with port", "https://discord.com:8443", config_check_http_url, true},
    {"http elsewhere", "http://discord.com/api", config_check_http_url, false},
    {"http here", "http://localhost:1/api", config_check_http_url, true},
    {"http that begins like here", "http://127.0.0.1.example.com/", config_check_http_url, false},
    {"http with here as user", "http://127.0.0.1@example.com/", config_check_http_url, false},
    {"http with a long port", "http://127.0.0.1:123456/", config_check_http_url, false},
    {"http without a host", "http://", config_check_http_url, false},
    {"http, six", "http://[::1]:80/", config_check_http_url, true},
    {"http, six elsewhere", "http://[fe80::1]/", config_check_http_url, false},
    {"http, six unclosed", "http://[::1/", config_check_http_url, false},
    {"a query", "https://discord.com/?a", config_check_http_url, false},
    {"another scheme", "ftp://discord.com/", config_check_http_url, false},
    {"wss", "wss://gateway.discord.gg", config_check_ws_url, true},
    {"ws elsewhere", "ws://gateway.discord.gg", config_check_ws_url, false},
    {"ws here", "ws://127.9.9.9:1", config_check_ws_url, true},
    {"https for wss", "https://gateway.discord.gg", config_check_ws_url, false},
    {"listen here", "127.0.0.1:9464", config_check_listen, true},
    {"listen here, six", "[::1]:9464", config_check_listen, false},
    {"listen everywhere", "0.0.0.0:9464", config_check_listen, false},
    {"listen without a port", "127.0.0.1", config_check_listen, false},
    {"listen at port 0", "127.0.0.1:0", config_check_listen, false},
    {"listen without a host", ":9464", config_check_listen, false},
    {"an application", "123456789012345678", config_check_application, true},
    {"an application in words", "munchbot", config_check_application, false},
    {"an application that is short", "12345", config_check_application, false},
    {"a prefix", "munch-2", config_check_prefix, true},
    {"a prefix with capitals", "Munch", config_check_prefix, false},
    {"no prefix", "", config_check_prefix, false},
    {"a long prefix", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", config_check_prefix, false},
    {"half a path", "token", config_check_path, false},
    {"no path", "/", config_check_path, false},
    {"shards", "16", config_check_shards, true},
    {"shards in words", "auto", config_check_shards, false},
    {"too many shards", "4097", config_check_shards, false},
    {"sqlite", "sqlite:x", config_check_store, true},
    {"sqlite nowhere", "sqlite:", config_check_store, false},
    {"postgres", "postgresql://u@a:1,b:2/d", config_check_store, true},
    {"postgres with a password", "postgres://u:p@h/d", config_check_store, false},
    {"postgres with a password behind", "postgresql://h/d?password=p", config_check_store, false},
    {"no store", "", config_check_store, false},
};

static void test_value(void **state)
{
    const struct value_case *const at = *state;
    const char *const fault = at->check(at->value);
    assert_true((fault == NULL) == at->good);
}

/* The example: prose behind "# ", options behind "#". */

static void read_example(char out[EXAMPLE_SIZE])
{
    FILE *const file = fopen("config/munchbot.example.conf", "re");
    assert_non_null(file);
    const size_t size = fread(out, 1, EXAMPLE_SIZE - 1, file);
    out[size] = '\0';
    (void)fclose(file);
}

static void test_examples_are_read_as_they_are(void **state)
{
    static const char *const EXAMPLES[] = {"munchbot", "discord", "matrix", "both"};
    struct read_config *const made = *state;
    for (size_t i = 0; i < sizeof EXAMPLES / sizeof EXAMPLES[0]; i++) {
        char path[64];
        struct config *const config = calloc(1, sizeof *config);
        assert_non_null(config);
        (void)snprintf(path, sizeof path, "config/%s.example.conf", EXAMPLES[i]);
        assert_true(config_read_path(config, path, &made->problems));
        assert_int_equal(made->problems.count, 0);
        config_finish(config);
        free(config);
    }
}

// With every option on.
static void test_every_line_of_the_example(void **state)
{
    struct read_config *const made = *state;
    char *const text = calloc(1, EXAMPLE_SIZE);
    assert_non_null(text);
    read_example(text);
    for (char *at = text; at != NULL && *at != '\0';) {
        const bool option = at[0] == '#' && at[1] != ' ' && at[1] != '\n';
        if (option) {
            at[0] = ' ';
        }
        at = strchr(at, '\n');
        at = at != NULL ? at + 1 : NULL;
    }
    FILE *const file = fmemopen(text, strlen(text), "r");
    assert_non_null(file);
    config_read(&made->config, file, "f", &made->problems);
    (void)fclose(file);
    for (unsigned i = 0; i < CONFIG_KEYS; i++) {
        if (made->config.lines[i] == 0) {
            print_message("missing: %s\n", config_key_name((enum config_key)i));
        }
        assert_true(made->config.lines[i] > 0);
    }
    assert_int_equal(made->problems.count, 0);
    free(text);
}

enum { VALUE_COUNT = sizeof VALUES / sizeof VALUES[0] };

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_everything_is_read, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_nothing_means_defaults, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_environment_names_the_store, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_all_problems_are_named, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_paths, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_matrix, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_encryption, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_invitations, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_wrong_invitations, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_whom_it_serves, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_how_much_it_serves, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_matrix_needs_its_homeserver, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_secrets_are_refused_and_not_repeated, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_long_lines, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_zero_bytes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_missing_file, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_too_many_problems_are_counted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_examples_are_read_as_they_are, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_every_line_of_the_example, set_up, tear_down),
    };
    struct CMUnitTest values[VALUE_COUNT];
    for (size_t i = 0; i < VALUE_COUNT; i++) {
        values[i] = (struct CMUnitTest){.name = VALUES[i].name,
                                        .test_func = test_value,
                                        .initial_state = (void *)(uintptr_t)&VALUES[i]};
    }
    return cmocka_run_group_tests_name("config", tests, NULL, NULL) +
           cmocka_run_group_tests_name("config values", values, NULL, NULL);
}
